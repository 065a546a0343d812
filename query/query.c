/* Queries: graph, colours, motif and required vertices put together. */
#include "query/query.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/suggest.h"

#include <string.h>

void ms_query_free(ms_query *query)
{
  ms_free(query);
}

static ms_status require(ms_query *query, const char *name, ms_error *err)
{
  uint32_t v = ms_graph_find(query->graph, name), at = 0;
  if (v == MS_NO_ID)
    return ms_fail_required(query->graph->names, query->graph->path, name, err);
  while (at < query->n_required && query->required[at] < v)
    at++;
  if (at < query->n_required && query->required[at] == v)
    return MS_OK;
  if (query->n_required == query->motif->k)
    return ms_fail(
        err, MS_ERR_USAGE,
        "more required vertices than slots in the motif, which has k = %u; require fewer, or "
        "widen the motif",
        query->motif->k);
  memmove(&query->required[at + 1], &query->required[at],
          (query->n_required - at) * sizeof query->required[0]);
  query->required[at] = v;
  query->n_required++;
  return MS_OK;
}

ms_status ms_query_new(const ms_graph *graph, const ms_coloring *coloring, const ms_motif *motif,
                       uint32_t n_required, const char *const *required, ms_query **out,
                       ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(motif, err);
  MS_REQUIRE_ARRAY(required, n_required, err);
  for (uint32_t i = 0; i < n_required; i++)
    MS_REQUIRE(required[i], err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  if (motif->coloring_serial != coloring->serial)
    return ms_fail(err, MS_ERR_USAGE,
                   "the motif was made from other colours; make it from those of the query");
  ms_query *query = ms_calloc(1, sizeof *query);
  if (!query)
    return ms_fail_memory(err, "a query");
  query->graph = graph;
  query->coloring = coloring;
  query->motif = motif;
  for (uint32_t i = 0; i < n_required; i++) {
    ms_status status = require(query, required[i], err);
    if (status != MS_OK) {
      ms_query_free(query);
      return status;
    }
  }
  *out = query;
  return MS_OK;
}
