#include "tests/support/results/rows.h"

#include "tests/support/random.h"
#include "tests/support/search/oracle.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct edges {
  uint32_t (*pair)[2];
  uint64_t count, room;
} edges;

static void add(edges *e, uint32_t u, uint32_t v)
{
  if (e->count == e->room) {
    e->room = 2 * e->room + 16;
    e->pair = realloc(e->pair, e->room * sizeof *e->pair);
    if (!e->pair)
      abort();
  }
  e->pair[e->count][0] = u;
  e->pair[e->count++][1] = v;
}

static void add_random(edges *e, uint32_t n, uint64_t count, uint64_t *state)
{
  for (uint64_t i = 0; i < count; i++)
    add(e, random_below(state, n), random_below(state, n));
}

static void add_shape(edges *e, rows_shape shape, uint32_t n, uint64_t *state)
{
  uint32_t part = 2 + random_below(state, 10), few = n < 5 ? n : 5;
  switch (shape) {
  case ROWS_SPARSE:
    add_random(e, n, 1 + random_below(state, 2 * (uint64_t)n), state);
    return;
  case ROWS_DENSE:
    add_random(e, n, (uint64_t)n * (4 + random_below(state, 20)), state);
    return;
  case ROWS_REPEATED:
    for (uint32_t i = 0; i < 4 * n; i++)
      add(e, random_below(state, few), n - 1 - random_below(state, few));
    return;
  case ROWS_ISOLATED:
    add_random(e, n, n / 20 + 1, state);
    return;
  default:
    break;
  }
  for (uint32_t v = 1; v < n; v++)
    if (shape == ROWS_CHAIN || (shape == ROWS_CHAINS && random_below(state, n) > 3))
      add(e, v - 1, v);
    else if (shape == ROWS_LADDER) {
      if (v > 1)
        add(e, v - 2, v);
      if (v % 2)
        add(e, v - 1, v);
    } else if (shape == ROWS_STAR)
      add(e, 0, v);
    else if (shape == ROWS_HUBS && v > 1) {
      uint32_t side = random_below(state, 40);
      if (side)
        add(e, side % 2, v);
      else
        add(e, random_below(state, 2), v), add(e, random_below(state, 2), v);
    } else if (shape == ROWS_CLIQUES)
      for (uint32_t u = v - v % part; u < v; u++)
        add(e, u, v);
    else if (shape == ROWS_TREE)
      add(e, random_below(state, v), v);
}

static void shuffle(edges *e, uint32_t n, uint64_t *state)
{
  uint32_t *name = malloc(n * sizeof *name);
  if (!name)
    abort();
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = random_below(state, i + 1);
    name[i] = name[j];
    name[j] = i;
  }
  for (uint64_t i = 0; i < e->count; i++)
    for (int end = 0; end < 2; end++)
      e->pair[i][end] = name[e->pair[i][end]];
  free(name);
}

void rows_make(rows_shape shape, uint32_t n, uint64_t seed, int shuffled, rows *out)
{
  edges e = {0};
  uint64_t state = 97 * seed + (uint64_t)shape;
  if (n > 0)
    add_shape(&e, shape, n, &state);
  if (shuffled && n > 0)
    shuffle(&e, n, &state);
  *out = (rows){.n = n,
                .offset = calloc((size_t)n + 2, sizeof *out->offset),
                .neighbor = malloc((2 * e.count + 1) * sizeof *out->neighbor)};
  if (!out->offset || !out->neighbor)
    abort();
  /* counted two places on, so that filling moves each to where it belongs */
  for (uint64_t i = 0; i < e.count; i++)
    for (int end = 0; end < 2 - (e.pair[i][0] == e.pair[i][1]); end++)
      if (e.pair[i][end] + 2 <= n)
        out->offset[e.pair[i][end] + 2]++;
  for (uint32_t v = 2; v <= n; v++)
    out->offset[v] += out->offset[v - 1];
  for (uint64_t i = 0; i < e.count; i++)
    for (int end = 0; end < 2 - (e.pair[i][0] == e.pair[i][1]); end++)
      out->neighbor[out->offset[e.pair[i][end] + 1]++] = e.pair[i][1 - end];
  free(e.pair);
}

void rows_free(rows *r)
{
  free(r->offset);
  free(r->neighbor);
}
