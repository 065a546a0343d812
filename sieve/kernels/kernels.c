#include "sieve/kernels/kernel.h"

extern const ms_sieve_kernel ms_sieve_kernel_table_6, ms_sieve_kernel_bitslice64_6;
#ifdef MS_X86_64
extern const ms_sieve_kernel ms_sieve_kernel_bitslice256_8;
extern const ms_sieve_kernel ms_sieve_kernel_gfni256_5;
extern const ms_sieve_kernel ms_sieve_kernel_gfni512_6;
#endif
#ifdef MS_AARCH64
extern const ms_sieve_kernel ms_sieve_kernel_neon_6;
#endif

static const ms_sieve_kernel *const kernels[] = {
    &ms_sieve_kernel_table_6,       &ms_sieve_kernel_bitslice64_6,
#ifdef MS_X86_64
    &ms_sieve_kernel_bitslice256_8, &ms_sieve_kernel_gfni256_5,    &ms_sieve_kernel_gfni512_6,
#endif
#ifdef MS_AARCH64
    &ms_sieve_kernel_neon_6,
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
