#include "match/index.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "match/index_parts.h"

#include <stdatomic.h>

static bool at_most_one_color(const ms_coloring *coloring, uint32_t n)
{
  for (uint32_t v = 0; coloring && v < n; v++)
    if (coloring->offset[v + 1] - coloring->offset[v] > 1)
      return false;
  return true;
}

static ms_status fill_index(ms_pattern_index *index, int threads, ms_error *err)
{
  ms_status status = ms_index_number(index, threads, err);
  for (int kind = MS_ROWS_ANY; status == MS_OK && kind < (int)index->kinds; kind++)
    status = ms_index_fill_rows(index, kind, threads, err);
  return status == MS_OK ? ms_index_measure(index, threads, err) : status;
}

uint64_t ms_pattern_index_serial(void)
{
  static _Atomic uint64_t serials;
  return atomic_fetch_add(&serials, 1) + 1;
}

ms_status ms_pattern_index_new(const ms_graph *graph, const ms_coloring *coloring, int threads,
                               ms_pattern_index **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_stop_poll(MS_INDEX_PHASE, err));
  MS_TRY(ms_check_threads(threads, err));
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  ms_pattern_index *index = ms_calloc(1, sizeof *index);
  if (!index)
    return ms_fail_memory(err, "an index of patterns");
  index->serial = ms_pattern_index_serial();
  index->graph = graph;
  index->coloring = coloring;
  index->n = graph->n;
  index->words = ((size_t)graph->n + 63) / 64;
  index->arcs = graph->arcs;
  index->directed = graph->direction != NULL;
  index->by_degree = true;
  index->colors = coloring ? ms_coloring_describe(coloring).colors : 0;
  index->ranges = at_most_one_color(coloring, graph->n);
  index->kinds = index->directed ? MS_ROW_KINDS : 1;
  index->rows = ms_calloc(index->kinds, sizeof *index->rows);
  index->vertex = ms_alloc(graph->n, sizeof *index->vertex);
  index->id = ms_alloc(graph->n, sizeof *index->id);
  index->best = ms_alloc(graph->n, sizeof *index->best);
  ms_status status = index->rows && index->vertex && index->id && index->best
                         ? fill_index(index, threads, err)
                         : ms_fail_memory(err, "an index of patterns");
  if (status == MS_OK)
    *out = index;
  else
    ms_pattern_index_free(index);
  return status;
}

void ms_pattern_index_free(ms_pattern_index *index)
{
  if (!index)
    return;
  for (uint32_t kind = 0; index->rows && kind < index->kinds; kind++) {
    if (kind > 0 && index->rows[kind].offset == index->rows[kind - 1].offset)
      continue; /* both sides of a relation without a direction */
    ms_free(index->rows[kind].offset);
    ms_free(index->rows[kind].neighbor);
  }
  ms_free(index->rows);
  ms_free(index->vertex);
  ms_free(index->id);
  ms_free(index->best);
  ms_free(index->near);
  ms_free(index->part_offset);
  ms_free(index->part);
  ms_free(index->hub);
  ms_free(index->hub_bits);
  ms_free(index->color_offset);
  ms_free(index->color_id);
  ms_free(index);
}
