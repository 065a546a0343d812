/* Edges as 64-bit keys, with which the generators work, and sorting them. */
#ifndef MS_GRAPH_GENERATE_EDGE_KEYS_H
#define MS_GRAPH_GENERATE_EDGE_KEYS_H

#include "base/threads/watch.h"

typedef struct ms_edge_keys {
  uint64_t *key; /* [count], of ms_edge_key */
  uint64_t count;
} ms_edge_keys;

/* Returns the key of the edge between u != v, in either order. */
static inline uint64_t ms_edge_key(uint32_t u, uint32_t v)
{
  return u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
}

/* Sorts the keys, ascending, by radix; scratch: [count].  O(count); the result does not depend
 * on the number of threads.  Small numbers in the halves of the keys take less time.  Once the
 * watch has ended, the keys are in no order, and some of them may be lost. */
void ms_sort_keys(uint64_t *key, uint64_t *scratch, uint64_t count, int threads, ms_watch *watch);

#endif
