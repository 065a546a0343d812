#include "census/multisets.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

uint64_t ms_multisets_count(uint32_t kinds, uint32_t size)
{
  __extension__ typedef unsigned __int128 wide;
  wide count = size == 0 || kinds > 0;
  for (uint32_t i = 1; i <= size && kinds > 0; i++) {
    count = count * (kinds - 1 + (wide)i) / i; /* C(kinds - 1 + i, i): each quotient is whole */
    if (count > UINT64_MAX)
      return UINT64_MAX;
  }
  return (uint64_t)count;
}

static uint64_t choose(const ms_multisets *m, uint32_t n, uint32_t r)
{
  return m->choose[(size_t)r * (m->kinds + m->most) + n];
}

ms_status ms_multisets_open(ms_multisets *m, uint32_t kinds, uint32_t most, ms_error *err)
{
  size_t width = (size_t)kinds + most;
  *m = (ms_multisets){.kinds = kinds, .most = most};
  m->choose = ms_calloc((most + 1) * width, sizeof *m->choose);
  if (!m->choose)
    return ms_fail_memory(err, "the numbers of motifs");
  for (size_t n = 0; n < width; n++) {
    m->choose[n] = 1;
    for (uint32_t r = 1; r <= most && n > 0; r++)
      m->choose[r * width + n] = m->choose[r * width + n - 1] + m->choose[(r - 1) * width + n - 1];
  }
  return MS_OK;
}

void ms_multisets_close(ms_multisets *m)
{
  ms_free(m->choose);
  m->choose = NULL;
}

bool ms_multisets_next(const ms_multisets *m, ms_kind_id *kind, uint32_t size)
{
  for (uint32_t i = 0; i < size; i++) {
    uint32_t most = i + 1 < size ? kind[i + 1] : m->kinds - 1;
    if (kind[i] < most) {
      kind[i]++;
      memset(kind, 0, i * sizeof *kind);
      return true;
    }
  }
  return false;
}

void ms_multisets_find(const ms_multisets *m, uint64_t number, uint32_t size, ms_kind_id *kind)
{
  for (uint32_t i = size; i-- > 0;) { /* the greatest kind first */
    const uint64_t *row = m->choose + (size_t)(i + 1) * (m->kinds + m->most);
    uint32_t low = 0, high = m->kinds; /* the kind is in low .. high - 1 */
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      if (row[middle + i] <= number)
        low = middle;
      else
        high = middle;
    }
    kind[i] = (ms_kind_id)low;
    number -= row[low + i];
  }
}

void ms_multisets_add(const ms_multisets *m, const ms_kind_id *kind, uint32_t size,
                      uint64_t *number)
{
  uint64_t below = 0, above = 0; /* the terms of kinds before c; of kinds behind it */
  uint32_t at = 0;               /* the place of c */
  for (uint32_t i = 0; i < size; i++)
    above += choose(m, kind[i] + i + 1, i + 2);
  for (uint32_t c = 0; c < m->kinds; c++) {
    for (; at < size && kind[at] <= c; at++) {
      above -= choose(m, kind[at] + at + 1, at + 2);
      below += choose(m, kind[at] + at, at + 1);
    }
    number[c] = below + choose(m, c + at, at + 1) + above;
  }
}
