/* Edges as 64-bit keys, and sorting them: the work of the generators. */
#ifndef MS_GRAPH_GENERATE_EDGE_KEYS_H
#define MS_GRAPH_GENERATE_EDGE_KEYS_H

#include "motifsieve.h"

typedef struct ms_edge_keys {
  uint64_t *key; /* [count], of ms_edge_key */
  uint64_t count;
} ms_edge_keys;

/* u != v in either order */
static inline uint64_t ms_edge_key(uint32_t u, uint32_t v)
{
  return u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
}

/* Ascending, by radix; scratch: [count].  O(count), whatever the number of
 * threads; the keys are below 2^32 in each half and small numbers in both take
 * less time. */
void ms_sort_keys(uint64_t *key, uint64_t *scratch, uint64_t count, int threads);

#endif
