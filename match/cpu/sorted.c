#include "match/cpu/sorted.h"

#include "base/alloc.h"
#include "base/integrity.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* portable, avx2, avx512: a later one is faster where the processor supports
 * it */
const ms_sorted *ms_sorted_at(unsigned i)
{
  const ms_sorted *here[3] = {&ms_sorted_portable};
  unsigned count = 1;
#ifdef MS_X86_64
  if (__builtin_cpu_supports("avx2"))
    here[count++] = &ms_sorted_avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
    here[count++] = &ms_sorted_avx512;
#endif
  return i < count ? here[i] : NULL;
}

const ms_sorted *ms_sorted_best(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  const ms_sorted *path;
  unsigned count = 0, usual = UINT_MAX;
  for (; (path = ms_sorted_at(count)); count++)
    if (usual == UINT_MAX && name && strcmp(name, path->name) == 0)
      usual = count;
  return ms_sorted_at(ms_other_kernel_place(usual < count ? usual : count - 1, count));
}

size_t ms_lower_bound(const uint32_t *a, size_t n, uint32_t x)
{
  const uint32_t *p = a;
  if (n == 0)
    return 0;
  for (size_t half; n > 1; n -= half) {
    half = n / 2;
    p += p[half - 1] < x ? half : 0;
  }
  return (size_t)(p - a) + (*p < x);
}

bool ms_space_for(ms_space *space, size_t length)
{
  size_t room = length + MS_SORTED_SLACK;
  if (space->room >= room)
    return true;
  room += room / 2;
  ms_free(space->ids);
  space->ids = ms_alloc_lines(room, sizeof *space->ids);
  space->room = space->ids ? room : 0;
  return space->ids != NULL;
}
