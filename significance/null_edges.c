/* Labellings that hold the table of labelled edges: T(a, b) = edges between labels a and b.
 *
 * Each labelling is the end of a Markov chain of its own, which begins with the labels of the
 * graph. A step swaps the labels of two vertices of one class with different labels, drawn
 * uniformly; it is accepted with probability min(1, exp(-w (D' - D))) (N. Metropolis et al., 1953),
 * where D is the sum of |T - T0| over all pairs of labels a <= b, T0 the table of the graph, and D'
 * the D after the swap.  20 swaps are tried for each vertex.  In the first half w is 1/8, so that
 * labels mix; in the second half it grows in steps to 2, so that the table comes near to that of
 * the graph.  It may differ a little in the end, which the trace tells. */
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
#define SWAPS_OF_VERTEX 20u
#define COOLINGS 4u /* w doubles so often in the second half */
#define FIRST_WEIGHT 0.125
#define MOST_CHANGE 64   /* greater changes of D are looked up as this one */
#define MOST_REDRAWS 64u /* until two labels differ */

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

ms_status ms_null_edges_open(ms_null *null, ms_error *err)
{
  const ms_graph *g = null->graph;
  if (null->labels > MOST_LABELS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have %u different lists of colours, and a null hypothesis that "
                   "holds the table of coloured edges is for at most %u; choose fewer colours",
                   null->labels, MOST_LABELS);
  null->table = ms_calloc((size_t)null->labels * null->labels, sizeof *null->table);
  null->class_end = ms_alloc(null->moved, sizeof *null->class_end);
  if (!null->table || !null->class_end)
    return ms_fail_memory(err, "the table of coloured edges");
  for (uint32_t i = null->moved; i-- > 0;) {
    bool last = i + 1 == null->moved || null->class_begin[i + 1] != null->class_begin[i];
    null->class_end[i] = last ? i + 1 : null->class_end[i + 1];
  }
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
      uint32_t u = g->neighbor[a];
      if (u > v && null->label[v] != MS_NO_LABEL && null->label[u] != MS_NO_LABEL) {
        ++*cell(null, null->table, null->label[v], null->label[u]);
        null->edges++;
      }
    }
  return MS_OK;
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

static ms_status run_chain(chain *c, uint64_t number, uint32_t *from, ms_null_trace *trace,
                           ms_error *err)
{
  const ms_null *null = c->null;
  uint64_t swaps = (uint64_t)null->moved * SWAPS_OF_VERTEX, half = swaps / 2;
  ms_draws d;
  ms_draws_open(&d, null->seed, number, MS_DRAW_SWAP);
  set_weight(c, FIRST_WEIGHT);
  for (uint64_t i = 0; i < swaps; i++) {
    uint32_t place[2];
    if (i % 4096 == 0)
      MS_TRY(ms_stop_poll("labels are swapped", err));
    for (uint32_t cooling = 1; cooling <= COOLINGS; cooling++)
      if (i == half + (cooling - 1) * (half / COOLINGS))
        set_weight(c, ldexp(FIRST_WEIGHT, (int)cooling));
    if (!draw_pair(c, &d, place))
      continue;
    uint32_t u = null->member[place[0]], v = null->member[place[1]];
    int64_t before = c->sum;
    swap(c, u, v);
    int64_t more = c->sum - before;
    more = more < 0 ? 0 : more > MOST_CHANGE ? MOST_CHANGE : more;
    trace->tried++;
    if (ms_draws_next(&d) > c->accept[more]) {
      swap(c, u, v);
      continue;
    }
    trace->accepted++;
    uint32_t other = from[u];
    from[u] = from[v];
    from[v] = other;
  }
  /* an edge between wrong labels is one too many in a cell, and one too few in another */
  trace->deviation = null->edges ? (double)c->sum / 2 / (double)null->edges : 0;
  return MS_OK;
}

ms_status ms_null_edges_from(const ms_null *null, uint64_t number, uint32_t *from,
                             ms_null_trace *trace, ms_error *err)
{
  uint32_t n = null->graph->n;
  chain c = {.null = null};
  c.label = ms_alloc(n, sizeof *c.label);
  c.table = ms_calloc((size_t)null->labels * null->labels, sizeof *c.table);
  ms_status status = c.label && c.table ? MS_OK : ms_fail_memory(err, "a permutation");
  if (status == MS_OK) {
    memcpy(c.label, null->label, n * sizeof *c.label);
    status = run_chain(&c, number, from, trace, err);
  }
  ms_free(c.label);
  ms_free(c.table);
  return status;
}
