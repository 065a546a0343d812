#include "graph/generate/grow.h"

/* Returns the end of free arc number `pick`, or MS_NO_ID.  An arc is free if it leads from
 * set[count] to an unused vertex.  *seen: the number of free arcs before it. */
static uint32_t free_neighbor(const ms_garden *g, const uint32_t *set, uint32_t count,
                              uint64_t pick, uint64_t *seen)
{
  *seen = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t a = g->graph->offset[set[i]]; a < g->graph->offset[set[i] + 1]; a++) {
      uint32_t v = g->graph->neighbor[a];
      if (!g->used[v] && (*seen)++ == pick)
        return v;
    }
  return MS_NO_ID;
}

uint32_t ms_garden_next(ms_garden *g, const uint32_t *set, uint32_t count)
{
  uint64_t free_arcs, seen;
  free_neighbor(g, set, count, UINT64_MAX, &free_arcs);
  if (free_arcs == 0)
    return MS_NO_ID;
  return free_neighbor(g, set, count, ms_random_next_below(&g->random, free_arcs), &seen);
}
