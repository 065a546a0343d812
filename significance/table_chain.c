#include "significance/table_chain.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REDRAWS 64u /* until two labels differ */
#define KINDS 16u        /* the lowest bits of the first draw choose the kind of a step */

/* ---- swaps ---------------------------------------------------------------------------------- */

static int32_t *cell(const ms_null *null, int32_t *table, uint32_t a, uint32_t b)
{
  return table + (a < b ? (size_t)a * null->labels + b : (size_t)b * null->labels + a);
}

static void change(ms_table_chain *c, uint32_t a, uint32_t b, int32_t by)
{
  int32_t *at = cell(c->null, c->table, a, b);
  c->sum -= abs(*at);
  *at += by;
  c->sum += abs(*at);
}

/* Gives v the label `to`, as far as its edges are concerned, but not that to `other`: that one
 * stays between the same two labels when both swap. */
static void relabel(ms_table_chain *c, uint32_t v, uint32_t other, uint16_t to)
{
  const ms_graph *g = c->null->graph;
  uint16_t from = c->label[v];
  for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
    uint32_t u = g->neighbor[a];
    if (u == other || c->label[u] == MS_NO_LABEL)
      continue;
    change(c, from, c->label[u], -1);
    change(c, to, c->label[u], 1);
  }
  c->label[v] = to;
}

/* Swaps labels in the table only. */
static void swap_in_table(ms_table_chain *c, uint32_t u, uint32_t v)
{
  uint16_t a = c->label[u], b = c->label[v];
  relabel(c, u, v, b);
  relabel(c, v, u, a);
}

/* Swaps labels everywhere but in the table. */
static ms_status swap_labels(ms_table_chain *c, uint32_t u, uint32_t v, ms_error *err)
{
  uint32_t x = c->from[u], y = c->from[v];
  uint16_t a = c->null->label[x], b = c->null->label[y];
  c->label[u] = b;
  c->label[v] = a;
  c->from[u] = y;
  c->from[v] = x;
  c->to[x] = v;
  c->to[y] = u;
  return ms_alike_swap(c->alike, u, v, a, b, err);
}

static uint32_t degree_of(const ms_graph *g, uint32_t v)
{
  return (uint32_t)(g->offset[v + 1] - g->offset[v]);
}

/* Returns how many neighbours of v have the label l. */
static uint32_t count_neighbors(const ms_table_chain *c, uint32_t v, uint16_t l)
{
  const ms_graph *g = c->null->graph;
  uint32_t count = 0;
  for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
    count += c->label[g->neighbor[a]] == l;
  return count;
}

static bool are_neighbors(const ms_graph *g, uint32_t u, uint32_t v)
{
  if (degree_of(g, u) > degree_of(g, v)) {
    uint32_t other = u;
    u = v;
    v = other;
  }
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
    if (g->neighbor[a] == v)
      return true;
  return false;
}

/* ---- kinds 1 and 2 -------------------------------------------------------------------------- */

/* Kind 1. */
static ms_status swap_any_two(ms_table_chain *c, uint32_t place, ms_error *err)
{
  const ms_null *null = c->null;
  uint32_t u = 0, v = 0;
  for (uint32_t i = 0; i < MOST_REDRAWS; i++) {
    uint32_t begin = null->class_begin[place], end = null->class_end[place];
    u = null->member[place];
    v = null->member[begin + ms_draws_scale(ms_draws_next(&c->draws), end - begin)];
    if (c->label[u] != c->label[v])
      break;
    place = ms_draws_scale(ms_draws_next(&c->draws), null->moved);
  }
  if (c->label[u] == c->label[v])
    return MS_OK;
  int64_t before = c->sum;
  swap_in_table(c, u, v);
  int64_t more = c->sum - before;
  more = more < 0 ? 0 : more > MS_TABLE_MOST_CHANGE ? MS_TABLE_MOST_CHANGE : more;
  if (ms_draws_next(&c->draws) > c->accept[more]) {
    swap_in_table(c, u, v);
    return MS_OK;
  }
  c->trace.accepted++;
  return swap_labels(c, u, v, err);
}

/* Kind 2. */
static ms_status swap_neighbors(ms_table_chain *c, uint32_t u, ms_error *err)
{
  const ms_graph *g = c->null->graph;
  if (degree_of(g, u) == 0)
    return MS_OK;
  uint32_t near = ms_draws_scale(ms_draws_next(&c->draws), degree_of(g, u));
  uint32_t v = g->neighbor[g->offset[u] + near];
  if (c->label[v] == MS_NO_LABEL || c->label[v] == c->label[u] ||
      !ms_alike_but_edge(c->alike, u, v))
    return MS_OK;
  c->trace.accepted++;
  return swap_labels(c, u, v, err);
}

/* ---- kind 3 --------------------------------------------------------------------------------- */

static ms_status swap_alike(ms_table_chain *c, uint32_t u, ms_error *err)
{
  uint32_t count = ms_alike_count(c->alike, u);
  uint32_t v = ms_alike_get(c->alike, u, ms_draws_scale(ms_draws_next(&c->draws), count));
  uint16_t a = c->label[u], b = c->label[v];
  if (a == b || are_neighbors(c->null->graph, u, v))
    return MS_OK;
  uint32_t after = ms_alike_count_after(c->alike, u, v, a, b);
  if (after > count && ms_draws_scale(ms_draws_next(&c->draws), after) >= count)
    return MS_OK;
  c->trace.accepted++;
  return swap_labels(c, u, v, err);
}

/* ---- kind 4 --------------------------------------------------------------------------------- */

/* One of two swaps, seen from between them. */
typedef struct half {
  uint32_t u, v;
  uint32_t choices; /* l_x'(v) */
} half;

/* What both have in common. */
typedef struct whole {
  uint16_t a, b, c, d;
  half first, second;
} whole;

/* Draws the first swap, and sets *choices to l_x(v).  Returns false if there is none. */
static bool draw_first(ms_table_chain *c, uint32_t u, whole *w, uint32_t *choices)
{
  const ms_null *null = c->null;
  const ms_graph *g = null->graph;
  uint32_t list;
  if (degree_of(g, u) == 0)
    return false;
  uint32_t near = ms_draws_scale(ms_draws_next(&c->draws), degree_of(g, u));
  uint64_t bits = ms_draws_next(&c->draws);
  w->c = c->label[g->neighbor[g->offset[u] + near]];
  w->d = bits & 1 ? MS_NO_LABEL
                  : c->label[null->member[ms_draws_scale(bits & ~(uint64_t)1, null->moved)]];
  if (w->c == w->d || w->c == MS_NO_LABEL)
    return false;
  *choices = ms_alike_find(c->alike, u, w->c, w->d, &list);
  if (*choices == 0)
    return false;
  uint32_t v = ms_alike_item(c->alike, list, ms_draws_scale(ms_draws_next(&c->draws), *choices));
  w->first = (half){.u = u, .v = v};
  w->a = c->label[u];
  w->b = c->label[v];
  return w->a != w->b && !are_neighbors(g, u, v);
}

/* Lets u draw a way back; returns false if it draws none. */
static bool draw_back(ms_table_chain *c, const whole *w, uint32_t u, half *back)
{
  uint32_t list;
  back->choices = ms_alike_find(c->alike, u, w->c, w->d, &list);
  if (back->choices == 0)
    return false;
  back->u = u;
  back->v = ms_alike_item(c->alike, list, ms_draws_scale(ms_draws_next(&c->draws), back->choices));
  return c->label[back->v] == w->a && !are_neighbors(c->null->graph, u, back->v);
}

/* Finds the second swap; returns false if there is none. */
static bool find_second(ms_table_chain *c, whole *w)
{
  const ms_null *null = c->null;
  uint32_t begin = null->label_begin[w->b], end = null->label_begin[w->b + 1u];
  uint32_t at = null->label_place[c->from[w->first.u]], most = end - begin - 1;
  bool up = ms_draws_next(&c->draws) & 1;
  for (uint32_t i = 0; i < most && i < MS_TABLE_LOOK; i++) {
    if (up)
      at = at + 1 == end ? begin : at + 1;
    else
      at = at == begin ? end - 1 : at - 1;
    if (draw_back(c, w, c->to[null->by_label[at]], &w->second))
      return true;
  }
  return false;
}

static ms_status swap_two(ms_table_chain *c, uint32_t u, ms_error *err)
{
  const ms_graph *g = c->null->graph;
  whole w = {0};
  uint32_t choices;
  if (!draw_first(c, u, &w, &choices))
    return MS_OK;
  MS_TRY(swap_labels(c, u, w.first.v, err));
  if (!find_second(c, &w))
    return swap_labels(c, u, w.first.v, err);
  const half *s = &w.second;
  w.first.choices = ms_alike_count(c->alike, w.first.v);
  /* products alone, so that no compiler can round them differently; neighbours at x' */
  double there = (double)count_neighbors(c, u, w.c) * degree_of(g, s->u);
  double back = (double)count_neighbors(c, s->u, w.c) * degree_of(g, u);
  MS_TRY(swap_labels(c, s->u, s->v, err));
  there *= ms_alike_count(c->alike, s->v);
  there *= w.first.choices;
  back *= choices;
  back *= s->choices;
  double bits = (double)(ms_draws_next(&c->draws) >> 11);
  if (bits * there < back * 9007199254740992.0) {
    c->trace.accepted++;
    return MS_OK;
  }
  MS_TRY(swap_labels(c, s->u, s->v, err));
  return swap_labels(c, u, w.first.v, err);
}

/* ---- entry points --------------------------------------------------------------------------- */

ms_status ms_table_chain_step(ms_table_chain *c, ms_error *err)
{
  uint64_t bits = ms_draws_next(&c->draws);
  uint32_t kind = bits % KINDS;
  uint32_t place = ms_draws_scale(bits - kind, c->null->moved), u = c->null->member[place];
  c->trace.tried++;
  if (kind < MS_TABLE_ALIKE)
    return swap_alike(c, u, err);
  if (kind < MS_TABLE_ALIKE + MS_TABLE_NEIGHBORS)
    return swap_neighbors(c, u, err);
  if (kind < MS_TABLE_ALIKE + MS_TABLE_NEIGHBORS + MS_TABLE_TWO)
    return swap_two(c, u, err);
  return swap_any_two(c, place, err);
}

uint64_t ms_table_chain_bytes(const ms_null *null)
{
  return (uint64_t)null->graph->n * (sizeof(uint32_t) + sizeof(uint16_t)) +
         (uint64_t)null->labels * null->labels * sizeof(int32_t) + ms_alike_bytes(null);
}

void ms_table_chain_close(ms_table_chain *c)
{
  ms_free(c->to);
  ms_free(c->label);
  ms_free(c->table);
  ms_alike_close(c->alike);
}

ms_status ms_table_chain_open(ms_table_chain *c, const ms_null *null, double weight, uint32_t *from,
                              const int32_t *table, ms_error *err)
{
  uint32_t n = null->graph->n;
  size_t cells = (size_t)null->labels * null->labels;
  *c = (ms_table_chain){.null = null, .from = from};
  c->to = ms_alloc(n, sizeof *c->to);
  c->label = ms_alloc(n, sizeof *c->label);
  c->table = ms_calloc(cells, sizeof *c->table);
  if (!c->to || !c->label || !c->table) {
    ms_table_chain_close(c);
    return ms_fail_memory(err, "a permutation");
  }
  for (uint32_t v = 0; v < n; v++) {
    c->to[from[v]] = v;
    c->label[v] = null->label[from[v]];
  }
  if (table && cells > 0)
    memcpy(c->table, table, cells * sizeof *c->table);
  for (size_t i = 0; i < cells; i++)
    c->sum += abs(c->table[i]);
  for (int i = 0; i <= MS_TABLE_MOST_CHANGE; i++)
    /* 32 bits: so many of exp are the same on all machines */
    c->accept[i] = i == 0 ? UINT64_MAX : (uint64_t)ldexp(exp(-weight * i), 32) << 32;
  ms_status status = ms_alike_open(null, c->label, &c->alike, err);
  if (status != MS_OK)
    ms_table_chain_close(c);
  return status;
}
