/* Labellings that hold the table of labelled edges: T(a, b) = edges between labels a and b.
 *
 * A Markov chain (table_chain.h) walks among labellings x with the weights exp(-w D(x)), where D is
 * the distance between their table and T0, that of the graph.  It may leave the table, and comes
 * back.  Only the steps after which the table is T0 exactly are counted: the chain that is watched
 * there is reversible, too, and the uniform distribution over all labellings with the table of the
 * graph is stationary.
 *
 * w is the logarithm of P, the number of pairs of labels, and at least 1.  In a large graph, about
 * as many labellings have the table T0, one edge more in one cell and one edge fewer in another, as
 * have T0.  These P^2 tables have D = 2, and together the weight P^2 exp(-2 w) of T0, so that with
 * this w the chain is on the table for a good part of its steps, whatever the number of labels is.
 * Most moves do not leave the table at all.
 *
 * One chain leads from the graph to a hub, and a chain for each number from the hub to its
 * labelling, as null_rewire.c explains.  So p = (1 + n) / (1 + N) is valid for any number of steps,
 * for the null hypothesis that all labellings with this table are equally likely.  If a chain has
 * tried MOST_TRIES times as many steps as should be counted, it ends where it is; the trace tells
 * how far from the table this is. */
#include "significance/nulls.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "significance/draws.h"
#include "significance/table_chain.h"

#include <math.h>
#include <string.h>

#define MOST_LABELS 4096u

#define LEAST_WEIGHT 1.0
#define MOST_TRIES 20u

static double weight_of(const ms_null *null)
{
  double pairs = (double)null->kinds * (null->kinds + 1.0) / 2, weight = pairs > 0 ? log(pairs) : 0;
  return weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
}

static ms_status run_chain(ms_table_chain *c, ms_error *err)
{
  const ms_null *null = c->null;
  uint64_t steps = (uint64_t)null->moved * ms_hooks.null_vertex_swaps, on_table = 0;
  for (uint64_t i = 0; on_table < steps && i < MOST_TRIES * steps; i++) {
    if (i % 4096 == 0)
      MS_TRY(ms_stop_poll("labels are swapped", err));
    MS_TRY(ms_table_chain_step(c, err));
    on_table += c->sum == 0;
  }
  /* an edge between wrong labels is one too many in a cell, and one too few in another */
  c->trace.deviation = null->edges ? (double)c->sum / 2 / (double)null->edges : 0;
  return MS_OK;
}

ms_status ms_null_edges_from(const ms_null *null, uint64_t number, uint32_t *from,
                             ms_null_trace *trace, ms_error *err)
{
  ms_table_chain c;
  memcpy(from, null->hub, null->graph->n * sizeof *from);
  MS_TRY(ms_table_chain_open(&c, null, weight_of(null), from, null->table, err));
  ms_draws_open(&c.draws, null->seed, number, MS_DRAW_SWAP);
  ms_status status = run_chain(&c, err);
  *trace = c.trace;
  ms_table_chain_close(&c);
  return status;
}

/* Finds the hub, and keeps its T - T0. */
static ms_status find_hub(ms_null *null, ms_error *err)
{
  ms_table_chain c;
  for (uint32_t v = 0; v < null->graph->n; v++)
    null->hub[v] = v;
  MS_TRY(ms_table_chain_open(&c, null, weight_of(null), null->hub, NULL, err));
  ms_draws_open(&c.draws, null->seed, 0, MS_DRAW_HUB);
  ms_status status = run_chain(&c, err);
  ms_free(null->table);
  null->table = c.table;
  c.table = NULL;
  ms_table_chain_close(&c);
  return status;
}

/* Sorts the vertices by their labels. */
static void sort_by_label(ms_null *null)
{
  memset(null->label_begin, 0, ((size_t)null->labels + 1) * sizeof *null->label_begin);
  for (uint32_t i = 0; i < null->moved; i++)
    null->label_begin[null->label[null->member[i]] + 1]++;
  for (uint32_t l = 0; l < null->labels; l++) {
    null->kinds += null->label_begin[l + 1] > 0;
    null->label_begin[l + 1] += null->label_begin[l];
  }
  for (uint32_t i = 0; i < null->moved; i++) {
    uint32_t v = null->member[i], place = null->label_begin[null->label[v]]++;
    null->by_label[place] = v;
    null->label_place[v] = place;
  }
  for (uint32_t l = null->labels; l > 0; l--)
    null->label_begin[l] = null->label_begin[l - 1];
  null->label_begin[0] = 0;
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
  null->by_label = ms_alloc(null->moved, sizeof *null->by_label);
  null->label_place = ms_alloc(g->n, sizeof *null->label_place);
  null->label_begin = ms_alloc((size_t)null->labels + 1, sizeof *null->label_begin);
  if (!null->class_end || !null->hub || !null->by_label || !null->label_place || !null->label_begin)
    return ms_fail_memory(err, "the table of coloured edges");
  sort_by_label(null);
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
