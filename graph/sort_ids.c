#include "graph/sort_ids.h"

#include <string.h>

void ms_sort_ids_short(uint32_t *id, uint64_t count)
{
  for (uint64_t i = 1; i < count; i++) {
    uint32_t value = id[i];
    uint64_t j = i;
    for (; j > 0 && id[j - 1] > value; j--)
      id[j] = id[j - 1];
    id[j] = value;
  }
}

void ms_sort_ids_long(uint32_t *id, uint64_t count, uint32_t *spare)
{
  uint32_t *from = id, *to = spare, differ = 0;
  for (uint64_t i = 1; i < count; i++)
    differ |= id[i] ^ id[0];
  for (unsigned shift = 0; shift < 32 && differ >> shift; shift += 8) {
    uint64_t place[256] = {0}, sum = 0;
    if (!(differ >> shift & 255))
      continue;
    for (uint64_t i = 0; i < count; i++)
      place[from[i] >> shift & 255]++;
    for (int digit = 0; digit < 256; digit++) {
      uint64_t there = place[digit];
      place[digit] = sum;
      sum += there;
    }
    for (uint64_t i = 0; i < count; i++)
      to[place[from[i] >> shift & 255]++] = from[i];
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != id)
    memcpy(id, from, count * sizeof *id);
}
