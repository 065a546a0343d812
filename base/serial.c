#include "base/serial.h"

#include <stdatomic.h>

uint64_t ms_serial_next(void)
{
  static _Atomic uint64_t last = 0;
  return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}
