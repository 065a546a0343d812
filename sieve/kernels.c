#include "sieve/kernel.h"

#include <string.h>

extern const ms_sieve_kernel ms_sieve_kernel_table_6, ms_sieve_kernel_bitslice64_6;
#ifdef MS_X86_64
extern const ms_sieve_kernel ms_sieve_kernel_bitslice256_8;
extern const ms_sieve_kernel ms_sieve_kernel_gfni256_5;
extern const ms_sieve_kernel ms_sieve_kernel_gfni512_6;
#endif

static const ms_sieve_kernel *const kernels[] = {
    &ms_sieve_kernel_table_6,       &ms_sieve_kernel_bitslice64_6,
#ifdef MS_X86_64
    &ms_sieve_kernel_bitslice256_8, &ms_sieve_kernel_gfni256_5,    &ms_sieve_kernel_gfni512_6,
#endif
};

uint32_t ms_sieve_kernel_count(void)
{
  return sizeof kernels / sizeof *kernels;
}

const ms_sieve_kernel *ms_sieve_kernel_at(uint32_t index)
{
  return kernels[index];
}

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
