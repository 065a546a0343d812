/* Labellings that hold the table of labelled edges: T(a, b) = edges between labels a and b.
 *
 * A step of the chain swaps the labels of two vertices of one class with different labels, drawn
 * uniformly; it is accepted with probability min(1, exp(-w (D' - D))) (N. Metropolis et al., 1953),
 * where D is the sum of |T - T0| over all pairs of labels a <= b, T0 the table of the graph, and D'
 * the D after the swap.  So the chain leaves the table, comes back, and is reversible.  Only the
 * steps after which the table is T0 exactly are counted: the chain that is watched there is
 * reversible, too, and the uniform distribution over all labellings with the table of the graph is
 * stationary.  w is constant, 0.8 times the logarithm of the number of pairs of labels, and at
 * least 1: at smaller w the chain is hardly ever on the table, and where labels form large domains,
 * as in a tissue, it loses the table for good; at greater w it hardly moves
 * (bench/results/mixing-xeon.txt).
 *
 * One chain leads from the graph to a hub, and a chain for each number from the hub to its
 * labelling, as null_rewire.c explains.  So p = (1 + n) / (1 + N) is valid for any number of steps,
 * for the null hypothesis that all labellings with this table are equally likely.  If a chain has
 * tried MOST_TRIES times as many steps as should be counted, it ends where it is; the trace tells
 * how far from the table this is. */
#include "significance/nulls.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/graph.h"
#include "significance/draws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LABELS 4096u
#define MOST_CHANGE 64   /* greater changes of D are looked up as this one */
#define MOST_REDRAWS 64u /* until two labels differ */

#define LEAST_WEIGHT 1.0
#define MOST_TRIES 20u

uint32_t ms_null_swaps_of_vertex = 100;

typedef struct chain {
  const ms_null *null;
  uint16_t *label;                  /* [n] at this moment */
  int32_t *table;                   /* [labels][labels] T - T0 at a <= b */
  int64_t sum;                      /* D */
  uint64_t accept[MOST_CHANGE + 1]; /* of 2^64: the probability of each change of D */
} chain;

static int32_t *cell(const ms_null *null, int32_t *table, uint32_t a, uint32_t b)
{
  return table + (a < b ? (size_t)a * null->labels + b : (size_t)b * null->labels + a);
}

static void change(chain *c, uint32_t a, uint32_t b, int32_t by)
{
  int32_t *at = cell(c->null, c->table, a, b);
  c->sum -= abs(*at);
  *at += by;
  c->sum += abs(*at);
}

/* Gives v the label `to`, as far as its edges are concerned, but not that to `other`: that one
 * stays between the same two labels when both swap. */
static void relabel(chain *c, uint32_t v, uint32_t other, uint16_t to)
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

static void swap(chain *c, uint32_t u, uint32_t v)
{
  uint16_t a = c->label[u], b = c->label[v];
  relabel(c, u, v, b);
  relabel(c, v, u, a);
}

static void set_weight(chain *c, double weight)
{
  for (int i = 0; i <= MOST_CHANGE; i++)
    /* 32 bits: so many of exp are the same on all machines */
    c->accept[i] = i == 0 ? UINT64_MAX : (uint64_t)ldexp(exp(-weight * i), 32) << 32;
}

/* Draws two vertices of one class with different labels; returns false if none were met. */
static bool draw_pair(const chain *c, ms_draws *d, uint32_t *place)
{
  const ms_null *null = c->null;
  for (uint32_t i = 0; i < MOST_REDRAWS; i++) {
    place[0] = ms_draws_scale(ms_draws_next(d), null->moved);
    uint32_t begin = null->class_begin[place[0]], end = null->class_end[place[0]];
    place[1] = begin + ms_draws_scale(ms_draws_next(d), end - begin);
    if (c->label[null->member[place[0]]] != c->label[null->member[place[1]]])
      return true;
  }
  return false;
}

static double weight_of(const ms_null *null)
{
  double pairs = (double)null->labels * (null->labels + 1) / 2,
         weight = pairs > 0 ? 0.8 * log(pairs) : 0;
  return weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
}

/* Tries one step.  from[v]: whose label v has. */
static void try_step(chain *c, ms_draws *d, uint32_t *from, ms_null_trace *trace)
{
  const ms_null *null = c->null;
  uint32_t place[2];
  if (!draw_pair(c, d, place))
    return;
  uint32_t u = null->member[place[0]], v = null->member[place[1]];
  int64_t before = c->sum;
  swap(c, u, v);
  int64_t more = c->sum - before;
  more = more < 0 ? 0 : more > MOST_CHANGE ? MOST_CHANGE : more;
  trace->tried++;
  if (ms_draws_next(d) > c->accept[more]) {
    swap(c, u, v);
    return;
  }
  trace->accepted++;
  uint32_t other = from[u];
  from[u] = from[v];
  from[v] = other;
}

static ms_status run_chain(chain *c, ms_draws *d, uint32_t *from, ms_null_trace *trace,
                           ms_error *err)
{
  const ms_null *null = c->null;
  uint64_t steps = (uint64_t)null->moved * ms_null_swaps_of_vertex, on_table = 0;
  set_weight(c, weight_of(null));
  for (uint64_t i = 0; on_table < steps && i < MOST_TRIES * steps; i++) {
    if (i % 4096 == 0)
      MS_TRY(ms_stop_poll("labels are swapped", err));
    try_step(c, d, from, trace);
    on_table += c->sum == 0;
  }
  /* an edge between wrong labels is one too many in a cell, and one too few in another */
  trace->deviation = null->edges ? (double)c->sum / 2 / (double)null->edges : 0;
  return MS_OK;
}

static void close_chain(chain *c)
{
  ms_free(c->label);
  ms_free(c->table);
}

/* Makes a chain that stands at the labelling from[]; table[][]: its T - T0; NULL: zeros. */
static ms_status open_chain(chain *c, const ms_null *null, const uint32_t *from,
                            const int32_t *table, ms_error *err)
{
  uint32_t n = null->graph->n;
  size_t cells = (size_t)null->labels * null->labels;
  *c = (chain){.null = null};
  c->label = ms_alloc(n, sizeof *c->label);
  c->table = ms_calloc(cells, sizeof *c->table);
  if (!c->label || !c->table) {
    close_chain(c);
    return ms_fail_memory(err, "a permutation");
  }
  for (uint32_t v = 0; v < n; v++)
    c->label[v] = null->label[from[v]];
  if (table && cells > 0)
    memcpy(c->table, table, cells * sizeof *c->table);
  for (size_t i = 0; i < cells; i++)
    c->sum += abs(c->table[i]);
  return MS_OK;
}

ms_status ms_null_edges_from(const ms_null *null, uint64_t number, uint32_t *from,
                             ms_null_trace *trace, ms_error *err)
{
  chain c;
  ms_draws d;
  memcpy(from, null->hub, null->graph->n * sizeof *from);
  MS_TRY(open_chain(&c, null, from, null->table, err));
  ms_draws_open(&d, null->seed, number, MS_DRAW_SWAP);
  ms_status status = run_chain(&c, &d, from, trace, err);
  close_chain(&c);
  return status;
}

/* Finds the hub, and keeps its T - T0. */
static ms_status find_hub(ms_null *null, ms_error *err)
{
  chain c;
  ms_draws d;
  ms_null_trace trace = {0};
  for (uint32_t v = 0; v < null->graph->n; v++)
    null->hub[v] = v;
  MS_TRY(open_chain(&c, null, null->hub, NULL, err));
  ms_draws_open(&d, null->seed, 0, MS_DRAW_HUB);
  ms_status status = run_chain(&c, &d, null->hub, &trace, err);
  ms_free(null->table);
  null->table = c.table;
  c.table = NULL;
  close_chain(&c);
  return status;
}

ms_status ms_null_edges_open(ms_null *null, ms_error *err)
{
  const ms_graph *g = null->graph;
  if (null->labels > MOST_LABELS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have %u different lists of colours, and a null hypothesis that "
                   "holds the table of coloured edges is for at most %u; choose fewer colours",
                   null->labels, MOST_LABELS);
  null->class_end = ms_alloc(null->moved, sizeof *null->class_end);
  null->hub = ms_alloc(g->n, sizeof *null->hub);
  if (!null->class_end || !null->hub)
    return ms_fail_memory(err, "the table of coloured edges");
  for (uint32_t i = null->moved; i-- > 0;) {
    bool last = i + 1 == null->moved || null->class_begin[i + 1] != null->class_begin[i];
    null->class_end[i] = last ? i + 1 : null->class_end[i + 1];
  }
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      null->edges += g->neighbor[a] > v && null->label[v] != MS_NO_LABEL &&
                     null->label[g->neighbor[a]] != MS_NO_LABEL;
  return find_hub(null, err);
}
