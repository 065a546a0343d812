#include "tests/support/results/all_rows.h"

bool all_rows_next(uint32_t *row, uint32_t length, uint32_t base)
{
  for (uint32_t i = length; i-- > 0;) {
    if (++row[i] < base)
      return true;
    row[i] = 0;
  }
  return false;
}

size_t all_rows_number(const uint32_t *row, uint32_t length, uint32_t base)
{
  size_t number = 0;
  for (uint32_t i = 0; i < length; i++)
    number = number * base + row[i];
  return number;
}

bool all_rows_smallest(const all_rows_group *group, const uint32_t *row, uint32_t length)
{
  for (uint32_t a = 0; a < group->count; a++) {
    uint32_t i = 0;
    while (i < length && row[group->map[a][i]] == row[i])
      i++;
    if (i < length && row[group->map[a][i]] < row[i])
      return false;
  }
  return true;
}
