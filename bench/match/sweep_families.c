/* Families of graphs that the tool does not generate: sets of vertices that are joined more often
 * than others (blocks), points of the plane that are joined within a distance (points), and
 * preferential attachment that closes triangles (triads). */
#include "bench/match/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t edge[2];

/* Edges that are made; repeated ones and loops do not matter. */
typedef struct edges {
  edge *of; /* [room] */
  uint64_t count, room;
  uint64_t random;
} edges;

static uint32_t below(edges *e, uint64_t n)
{
  return (uint32_t)(sweep_random(&e->random) % n);
}

static double share(edges *e)
{
  return (double)(sweep_random(&e->random) >> 11) * 0x1p-53;
}

static void add(edges *e, uint32_t u, uint32_t v)
{
  if (u == v || e->count == e->room)
    return;
  e->of[e->count][0] = u;
  e->of[e->count++][1] = v;
}

/* Four of five edges are within a block. */
static void make_blocks(edges *e, uint32_t n, double blocks)
{
  uint32_t size = (uint32_t)fmax(n / blocks, 1);
  while (e->count < e->room) {
    uint32_t u = below(e, n), first = u - u % size;
    add(e, u, share(e) < 0.8 ? first + below(e, size < n - first ? size : n - first) : below(e, n));
  }
}

typedef struct point {
  double x, y;
} point;

static int by_x(const void *a, const void *b)
{
  const point *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

static void make_points(edges *e, uint32_t n, double degree)
{
  double distance = sqrt(degree / (M_PI * n));
  point *at = malloc(n * sizeof *at);
  for (uint32_t i = 0; at && i < n; i++)
    at[i] = (point){share(e), share(e)};
  if (at)
    qsort(at, n, sizeof *at, by_x);
  for (uint32_t i = 0; at && i < n; i++)
    for (uint32_t j = i + 1; j < n && at[j].x - at[i].x <= distance; j++)
      if (hypot(at[j].x - at[i].x, at[j].y - at[i].y) <= distance)
        add(e, i, j);
  free(at);
}

/* Each vertex joins `each` others: the end of any edge, and with this probability the other end of
 * that edge, too. */
static void make_triads(edges *e, uint32_t n, double each, double probability)
{
  add(e, 0, n > 1);
  for (uint32_t v = 2; v < n; v++) {
    uint64_t before = e->count, place = 0;
    bool end = false, closes = false;
    for (uint32_t i = 0; i < each; i++) {
      closes = i > 0 && !closes && share(e) < probability;
      place = closes ? place : below(e, before);
      end = closes ? !end : share(e) < 0.5;
      add(e, v, e->of[place][end]);
    }
  }
}

ms_status sweep_family_make(const char *name, const double *number, uint64_t seed, ms_graph **out,
                            ms_error *err)
{
  uint32_t n = (uint32_t)number[0];
  double room = name[0] == 'b' ? number[2] : name[0] == 'p' ? n * number[1] : n * number[1] + 1;
  edges e = {.room = (uint64_t)room, .random = seed};
  e.of = malloc(e.room * sizeof *e.of);
  if (n == 0 || e.room == 0 || !e.of) {
    free(e.of);
    snprintf(err->message, sizeof err->message, "%s: no vertices or edges, or no memory", name);
    return err->status = MS_ERR_USAGE;
  }
  if (name[0] == 'b')
    make_blocks(&e, n, number[1]);
  else if (name[0] == 'p')
    make_points(&e, n, number[1]);
  else
    make_triads(&e, n, number[1], number[2]);
  ms_status status = ms_graph_from_edges(n, e.count, (const uint32_t(*)[2])e.of, NULL, out, err);
  free(e.of);
  return status;
}
