/* Writes the vertices that take part in a match of a pattern. */
#include "base/options.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "query/typed_query.h"
#include "run/require.h"
#include "run/write.h"

static ms_status write_flags(ms_writing *w, const ms_coloring *coloring, const ms_flags_result *r,
                             uint64_t limit, ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  ms_writing_settle(w, r->stopped, limit, r->count);
  h->all_rows = w->options.all;
  h->found = r->count;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint32_t v = 0; v < r->n; v++)
    if (r->flagged[v] || w->options.all)
      ms_writer_vertex(&w->writer, coloring, v, r->flagged[v], r->screen ? r->screen->hits[v] : 0);
  return ms_writer_end(&w->writer, err);
}

ms_status ms_pattern_flags_write(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *run, const ms_flags_result *result,
                                 const ms_write_options *options, const char *path, ms_error *err)
{
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_pattern_options o;
  ms_writing w;
  MS_TRY(ms_options_take(&ms_pattern_options_kind, run, &o, err));
  MS_TRY(ms_required_check(o.required, o.n_required, err));
  MS_TRY(ms_writing_open(&w, MS_KIND_FLAGS, options, path, err));
  ms_result_header *h = &w.writer.header;
  ms_describe_graph(h, index->graph, &w.graph);
  ms_describe_coloring(h, index->coloring, &w.colors);
  ms_describe_pattern(h, pattern);
  ms_describe_screen(h, result->screen, &o.screen);
  h->pattern.induced = o.induced;
  h->n_required = ms_own_names(index->graph, NULL, o.n_required, o.required, h->required);
  ms_writing_attach(&w, NULL);
  w.writer.pattern = pattern;
  w.names = index->graph->names;
  return ms_writing_close(&w, write_flags(&w, index->coloring, result, o.limit, err), err);
}

ms_status ms_typed_flags_write(const ms_typed_query *query, const ms_typed_match_options *run,
                               const ms_flags_result *result, const ms_write_options *options,
                               const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_typed_match_options o;
  ms_writing w;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, run, &o, err));
  MS_TRY(ms_required_check(o.required, o.n_required, err));
  MS_TRY(ms_writing_open(&w, MS_KIND_TYPED_FLAGS, options, path, err));
  ms_result_header *h = &w.writer.header;
  if (w.options.plain) {
    ms_describe_graph(h, w.options.plain, &w.graph);
    ms_describe_coloring(h, w.options.coloring, &w.colors);
  } else {
    ms_describe_typed_graph(h, query->graph, &w.typed);
  }
  ms_describe_typed_pattern(h, query->pattern);
  ms_writing_typed_screen(h, result->screen, &o);
  h->pattern.induced = o.induced;
  h->n_required =
      ms_own_names(w.options.plain, query->graph, o.n_required, o.required, h->required);
  ms_writing_attach(&w, NULL);
  w.writer.typed = query->graph;
  w.names = query->graph->names;
  return ms_writing_close(&w, write_flags(&w, NULL, result, o.limit, err), err);
}
