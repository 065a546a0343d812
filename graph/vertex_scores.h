/* Scores of vertices, whose sum is the score of a match. */
#ifndef MS_GRAPH_VERTEX_SCORES_H
#define MS_GRAPH_VERTEX_SCORES_H

#include "motifsieve.h"

struct ms_vertex_scores {
  uint32_t *of; /* [n] at most MS_MAX_VERTEX_SCORE */
  uint32_t n;
  char *path;
  ms_vertex_scores_info info; /* info.path is `path` */
};

_Static_assert((uint64_t)MS_MAX_VERTEX_SCORE *MS_MAX_K <= UINT32_MAX,
               "the sum of a motif's match has 32 bits");

/* Returns the sum of set[k]; for k <= MS_MAX_K it has 32 bits. */
static inline uint64_t ms_vertex_scores_sum(const ms_vertex_scores *scores, const uint32_t *set,
                                            uint32_t k)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < k; i++)
    sum += scores->of[set[i]];
  return sum;
}

#endif
