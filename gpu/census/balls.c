#include "gpu/census/balls.h"

enum { SAMPLE = 256, MOST = 257, PLACES = 1024 };

/* Adds a rank to the ball, unless it is there; places: a hash table of numbers + 1. */
static void add(uint32_t *ball, uint32_t *count, uint16_t *places, uint32_t rank)
{
  uint32_t at = rank * 2654435761u >> 22;
  for (; places[at]; at = (at + 1) % PLACES)
    if (ball[places[at] - 1] == rank)
      return;
  ball[*count] = rank;
  places[at] = (uint16_t)++ * count;
}

static uint32_t ball_size(const ms_census_graph *g, uint32_t k, uint32_t root, bool whole)
{
  uint32_t ball[MOST] = {0}, count = 0, begin = 0;
  uint16_t places[PLACES] = {0};
  add(ball, &count, places, root);
  for (uint32_t depth = 0; depth + 1 < k; depth++) {
    uint32_t end = count;
    for (; begin < end; begin++)
      for (uint64_t a = g->offset[ball[begin]]; a < g->offset[ball[begin] + 1]; a++) {
        if (!whole && g->neighbor[a] < root) /* ranks descend in a row */
          break;
        add(ball, &count, places, g->neighbor[a]);
        if (count == MOST)
          return MOST;
      }
  }
  return count;
}

ms_ball_sizes ms_ball_sizes_sample(const ms_census_graph *g, uint32_t k, bool whole)
{
  ms_ball_sizes sizes = {{0}};
  uint32_t roots = g->n < SAMPLE ? g->n : SAMPLE;
  for (uint32_t i = 0; i < roots; i++) {
    uint32_t size = ball_size(g, k, (uint32_t)((uint64_t)g->n * i / roots), whole);
    for (uint32_t w = 0; w < 3; w++)
      sizes.above[w] += (size > 64u << w) / (double)roots;
  }
  return sizes;
}
