#include "graph/formats/row_scan.h"

#include <sys/random.h>

ms_row_key ms_row_key_new(void)
{
  ms_row_key key = {0x9E3779B9u, 0x85EBCA6Bu};
  /* without random numbers of the system these stay: no accidental damage passes even so */
  (void)!getentropy(&key, sizeof key);
  key.factor |= 0x80000001u; /* odd, and large enough to mix the bits of small numbers */
  return key;
}

uint64_t ms_row_scan_portable(ms_row_key key, uint32_t u, const uint32_t *neighbor, uint64_t count,
                              bool *wrong)
{
  uint64_t sum = 0;
  uint32_t bad = neighbor[0] == u;
  for (uint64_t i = 1; i < count; i++)
    bad |= (uint32_t)(neighbor[i] <= neighbor[i - 1]) | (uint32_t)(neighbor[i] == u);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t g = ms_row_number(key, neighbor[i]), below = -(uint64_t)(neighbor[i] < u);
    sum += (g ^ below) - below; /* -g if below */
  }
  *wrong |= bad != 0;
  return sum;
}

ms_row_scan ms_row_scan_select(void)
{
#ifdef MS_X86_64
  if (__builtin_cpu_supports("avx2"))
    return ms_row_scan_avx2;
#endif
  return ms_row_scan_portable;
}
