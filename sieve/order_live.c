/* Sorts the live vertices of a block for the kernels. */
#include "sieve/kernels/kernel.h"

#include <string.h>

void ms_sieve_order_live(const ms_sieve_shape *shape, ms_sieve_scratch *scratch, uint32_t count)
{
  enum { BINS = 65 };
  uint32_t start[BINS + 1] = {0};
  if (shape->far) {
    memcpy(scratch->live, scratch->found, count * sizeof *scratch->live);
    return;
  }
  for (uint32_t x = 0; x < count; x++) {
    uint32_t heads = scratch->found[x].heads;
    start[(heads < BINS - 1 ? heads : BINS - 1) + 1]++;
  }
  for (uint32_t b = 0; b < BINS; b++)
    start[b + 1] += start[b];
  for (uint32_t x = 0; x < count; x++) {
    uint32_t heads = scratch->found[x].heads;
    scratch->live[start[heads < BINS - 1 ? heads : BINS - 1]++] = scratch->found[x];
  }
}
