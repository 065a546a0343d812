/* Checks the invariants of graphs, which readers and generators have to keep. */
#include "tests/support/graphs/validate.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static ms_status broken_graph(ms_error *err, const char *what, uint32_t v)
{
  return ms_fail(err, MS_ERR_INTERNAL, "graph: %s at vertex %u; please report this bug", what, v);
}

static ms_status check_rows(const ms_graph *graph, ms_error *err)
{
  if (graph->offset[0] != 0 || graph->offset[graph->n] != graph->arcs)
    return broken_graph(err, "offsets do not span the arcs", 0);
  for (uint32_t v = 0; v < graph->n; v++)
    if (graph->offset[v + 1] < graph->offset[v] || graph->offset[v + 1] > graph->arcs)
      return broken_graph(err, "offsets decrease", v);
  for (uint32_t v = 0; v < graph->n; v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      if (graph->neighbor[a] >= graph->n)
        return broken_graph(err, "neighbour out of range", v);
      if (graph->neighbor[a] == v)
        return broken_graph(err, "self-loop", v);
      if (a > graph->offset[v] && graph->neighbor[a] <= graph->neighbor[a - 1])
        return broken_graph(err, "neighbours not ascending", v);
    }
  return MS_OK;
}

/* Checks that both ends of an edge state the same direction. */
static bool agree(const ms_graph *graph, uint64_t arc, uint64_t reverse)
{
  if (!graph->direction)
    return true;
  unsigned there = graph->direction[arc], back = graph->direction[reverse];
  return there > 0 && there <= (MS_ARC_TO | MS_ARC_FROM) && back == (there >> 1 | (there & 1) << 1);
}

/* Arcs (u, v) in ascending u must meet row v in the order of the row, so one cursor for each row
 * finds every arc that lacks its reverse. */
static ms_status check_symmetry(const ms_graph *graph, ms_error *err)
{
  ms_status status = MS_OK;
  uint64_t *cursor = ms_alloc(graph->n, sizeof *cursor);
  if (!cursor)
    return ms_fail_memory(err, "graph validation");
  memcpy(cursor, graph->offset, graph->n * sizeof *cursor);
  for (uint32_t u = 0; u < graph->n && status == MS_OK; u++)
    for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++) {
      uint32_t v = graph->neighbor[a];
      if (cursor[v] == graph->offset[v + 1] || graph->neighbor[cursor[v]] != u) {
        status = broken_graph(err, "edge without its reverse", u);
        break;
      }
      if (graph->score && graph->score[a] != graph->score[cursor[v]]) {
        status = broken_graph(err, "edge with two scores", u);
        break;
      }
      if (!agree(graph, a, cursor[v])) {
        status = broken_graph(err, "edge without a direction, or with two,", u);
        break;
      }
      cursor[v]++;
    }
  ms_free(cursor);
  return status;
}

ms_status validate_graph(const ms_graph *graph, ms_error *err)
{
  if (ms_names_count(graph->names) != graph->n)
    return broken_graph(err, "names and vertices differ in number", graph->n);
  if (graph->info.directed != (graph->direction != NULL))
    return broken_graph(err, "the facts disagree on whether there are directions", graph->n);
  ms_status status = check_rows(graph, err);
  return status == MS_OK ? check_symmetry(graph, err) : status;
}

/* ---- typed graphs ---------------------------------------------------------------- */

static ms_status broken_typed(ms_error *err, uint32_t v, const char *what)
{
  return ms_fail(err, MS_ERR_INTERNAL, "typed graph: row %u: %s; please report this", v, what);
}

/* Returns the number of arcs of type t from v to w. */
static uint64_t count_type(const ms_typed_rows *rows, uint32_t v, uint32_t w, ms_type t)
{
  uint64_t first, count = ms_typed_arcs_between(rows, v, w, &first), found = 0;
  for (uint64_t a = first; a < first + count; a++)
    found += rows->type[a] == t;
  return found;
}

static ms_status validate_row(const ms_typed *g, uint32_t v, ms_error *err)
{
  const ms_typed_rows *rows = &g->rows;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
    uint32_t w = rows->neighbor[a];
    ms_type t = rows->type[a];
    if (w >= rows->n || t >= ms_names_count(g->arc_types))
      return broken_typed(err, v, "an id out of range");
    if (a > rows->offset[v] &&
        (rows->neighbor[a - 1] > w || (rows->neighbor[a - 1] == w && rows->type[a - 1] > t)))
      return broken_typed(err, v, "not ascending");
  }
  return MS_OK;
}

/* Arcs are looked up in rows that ascend, so that all rows were validated before. */
static ms_status validate_inverses(const ms_typed *g, uint32_t v, ms_error *err)
{
  const ms_typed_rows *rows = &g->rows;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
    uint32_t w = rows->neighbor[a];
    ms_type t = rows->type[a];
    if (w == v ? t > g->inverse[t]
               : count_type(rows, v, w, t) != count_type(rows, w, v, g->inverse[t]))
      return broken_typed(err, v, "an arc without its inverse");
  }
  return MS_OK;
}

ms_status validate_typed(const ms_typed *g, ms_error *err)
{
  const ms_typed_rows *rows = &g->rows;
  ms_status status = MS_OK;
  if (rows->offset[0] != 0 || rows->offset[rows->n] != rows->arcs)
    return broken_typed(err, 0, "offsets do not cover the arcs");
  for (uint32_t v = 0; v < rows->n; v++)
    if (rows->offset[v] > rows->offset[v + 1])
      return broken_typed(err, v, "offsets fall");
  for (uint32_t v = 0; v < rows->n && status == MS_OK; v++)
    status = rows->vertex_type[v] < ms_names_count(g->vertex_types)
                 ? validate_row(g, v, err)
                 : broken_typed(err, v, "a vertex type out of range");
  for (uint32_t v = 0; v < rows->n && status == MS_OK; v++)
    status = validate_inverses(g, v, err);
  return status;
}
