/* The kernels of a session on a GPU. */
#include "gpu/motif/session.cuh"

enum { LEAST_BLOCKS = 8 }; /* that a multiprocessor holds */

#define KERNEL static __global__ void __launch_bounds__(MS_SESSION_THREADS, LEAST_BLOCKS)

KERNEL mask_kernel(const __grid_constant__ ms_session_batch b)
{
  session_mask(b);
}

KERNEL number_kernel(const __grid_constant__ ms_session_batch b)
{
  session_number(b);
}

KERNEL rows_kernel(const __grid_constant__ ms_session_batch b)
{
  session_rows(b);
}

KERNEL pass_kernel(const __grid_constant__ ms_session_batch b, uint32_t number)
{
  session_pass(b, number);
}

KERNEL filter_kernel(const __grid_constant__ ms_session_batch b)
{
  session_filter(b);
}

template <bool ALL> KERNEL search_kernel(const __grid_constant__ ms_session_batch b)
{
  session_search<ALL>(b);
}

KERNEL report_kernel(const __grid_constant__ ms_session_batch b)
{
  session_report(b);
}

extern "C" const void *ms_session_function(ms_session_kernel kernel)
{
  static const void *const kernels[] = {
      (const void *)mask_kernel,          (const void *)number_kernel,
      (const void *)rows_kernel,          (const void *)pass_kernel,
      (const void *)filter_kernel,        (const void *)search_kernel<true>,
      (const void *)search_kernel<false>, (const void *)report_kernel};
  return kernels[kernel];
}
