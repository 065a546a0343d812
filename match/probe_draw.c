#include "match/probe_draw.h"

#include "base/philox.h"

double ms_draw_unit(ms_draws *d)
{
  if (d->left == 0) {
    ms_philox4x32(d->counter, d->key, d->word);
    d->counter[0]++;
    d->left = 4;
  }
  return d->word[--d->left] * 0x1p-32;
}

uint32_t ms_draw_nodes(ms_draws *draws, ms_probe_node *node, uint32_t count, uint32_t most)
{
  double total = 0, end = 0;
  uint32_t kept = 0;
  if (count <= most)
    return count;
  for (uint32_t i = 0; i < count; i++)
    total += node[i].weight * node[i].size;
  double distance = total / most, next = ms_draw_unit(draws) * distance;
  for (uint32_t i = 0; i < count && kept < most; i++) {
    uint32_t points = 0;
    end += node[i].weight * node[i].size;
    for (; next < end && points < most; next += distance)
      points++;
    if (points == 0)
      continue;
    node[kept] = node[i];
    node[kept++].weight = points * distance / node[i].size;
  }
  return kept;
}
