/* The plain search for live heads.  sieve/kernels/live_heads_avx512.h has a faster one. */
#ifndef MS_SIEVE_LIVE_HEADS_H
#define MS_SIEVE_LIVE_HEADS_H

#include <stddef.h>
#include <stdint.h>

/* Copies the heads of arcs [first, last) that are active somewhere in the block
 * to head[], and their numbers to arc[] unless it is NULL. Returns how many
 * there are. */
static inline uint64_t copy_live_heads(const uint32_t *neighbor, const uint32_t *active,
                                       uint64_t first, uint64_t last, uint32_t points,
                                       uint32_t *head, uint32_t *arc)
{
  uint64_t count = 0;
  for (uint64_t e = first; e < last; e++) {
    head[count] = neighbor[e]; /* branch-free: overwritten unless counted */
    if (arc)
      arc[count] = (uint32_t)e;
    count += (active[e] & points) != 0;
  }
  return count;
}

#endif
