/* The number of connected k-sets that contain a given set T.
 *
 * The search begins with one vertex of T and extends connected sets as in census/search.h, with no
 * order of ranks.  A vertex of T that comes next to the set joins it at once, because it is in
 * every set that is searched for.  A set ends where a vertex of T is so far away that the vertices
 * that may still join do not reach it. */
#ifndef MS_SIGNIFICANCE_SUPERSETS_H
#define MS_SIGNIFICANCE_SUPERSETS_H

#include "base/threads/watch.h"
#include "census/graph.h"

typedef struct ms_supersets {
  const ms_census_graph *graph;
  uint32_t k;
  uint8_t *tag;   /* [n] what the search knows of a rank; 0 between two searches */
  uint32_t *x;    /* [n] candidates, of all levels */
  uint32_t *near; /* [n] */
  uint8_t *distance[MS_MAX_CENSUS]; /* [k - 1][n] from each vertex of T; UINT8_MAX: it is far */
  uint32_t wanted[MS_MAX_CENSUS];   /* [wants] T */
  uint32_t wants;
  uint64_t found, visits;
  ms_watch *watch;
  bool ended;
} ms_supersets;

/* Returns the bytes that a search holds. */
uint64_t ms_supersets_bytes(const ms_census_graph *graph, uint32_t k);
ms_status ms_supersets_open(ms_supersets *s, const ms_census_graph *graph, uint32_t k,
                            ms_watch *watch, ms_error *err);
void ms_supersets_close(ms_supersets *s);
/* Returns the number for T = set[size], 0 < size < k.  s->ended: the search was stopped. */
uint64_t ms_supersets_count(ms_supersets *s, const uint32_t *set, uint32_t size);

#endif
