#include "base/integrity.h"

static _Atomic unsigned other_kernel;

unsigned ms_other_kernel(void)
{
  return atomic_load_explicit(&other_kernel, memory_order_relaxed);
}

void ms_other_kernel_set(unsigned places)
{
  atomic_store_explicit(&other_kernel, places, memory_order_relaxed);
}
