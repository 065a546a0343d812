/* Writes the vertices that take part in a match of a pattern. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "query/pattern.h"
#include "query/typed_query.h"
#include "result/drawing.h"
#include "run/require.h"
#include "run/write/write.h"

static ms_status write_flags(ms_writing *w, const ms_coloring *coloring, const ms_flags_result *r,
                             uint64_t limit, ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  ms_writing_settle(w, r->run.stopped, limit, r->count);
  h->all_rows = w->options.all;
  h->found = r->count;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint32_t v = 0; v < r->n; v++) {
    ms_vertex_row row = {.flagged = r->flagged[v],
                         .repetitions = r->screen ? r->screen->hits[v] : 0};
    if (row.flagged || w->options.all)
      MS_TRY(ms_writer_vertex(&w->writer, coloring, v, &row, err));
  }
  return ms_writer_end(&w->writer, err);
}

/* ---- drawings -------------------------------------------------------------------- */

/* Returns the first vertex of the pattern that accepts the vertex of a plain graph by its colours;
 * MS_NO_ID: none does. */
static uint32_t plain_role(const ms_pattern *pattern, const ms_coloring *coloring, uint32_t v)
{
  uint32_t count = 0;
  const uint32_t *colors = coloring ? ms_coloring_of(coloring, v, &count) : NULL;
  for (uint32_t i = 0; i < pattern->n; i++) {
    if (pattern->colors[i] == 0)
      return i;
    for (uint32_t a = 0; a < pattern->colors[i]; a++) {
      const char *name = ms_names_get(pattern->color_names, pattern->color[i][a]);
      uint32_t wanted = coloring ? ms_coloring_find(coloring, name) : MS_NO_ID;
      for (uint32_t c = 0; c < count; c++)
        if (colors[c] == wanted)
          return i;
    }
  }
  return MS_NO_ID;
}

/* Returns the first vertex of the pattern that accepts the vertex of a typed graph by its type. */
static uint32_t typed_role(const ms_typed_query *query, uint32_t v)
{
  uint32_t type = ms_typed_vertex_type(query->graph, v);
  for (uint32_t i = 0; i < query->n; i++)
    if (query->vertex_types[i][type / 64] >> type % 64 & 1)
      return i;
  return MS_NO_ID;
}

/* Draws the screen of a plain pattern, or of a typed one, whose query is then not NULL. */
static ms_status draw_flags(ms_writing *w, ms_drawing *drawing, const ms_pattern *pattern,
                            const ms_typed_query *query, const ms_flags_result *r, uint64_t limit,
                            ms_error *err)
{
  uint32_t *role = ms_alloc(r->n, sizeof *role);
  if (!role)
    return ms_fail_memory(err, "a drawing");
  for (uint32_t v = 0; v < r->n; v++)
    role[v] = !r->flagged[v] ? MS_NO_ID
              : query        ? typed_role(query, v)
                             : plain_role(pattern, drawing->coloring, v);
  drawing->flags = r;
  drawing->screen = r->screen;
  drawing->flag_role = role;
  ms_writing_settle(w, r->run.stopped, limit, r->count);
  w->writer.header.found = r->count;
  ms_status status = ms_writing_draw(w, drawing, err);
  ms_free(role);
  return status;
}

/* ---- entry points ------------------------------------------------------------------ */

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
  MS_TRY(ms_writing_check_result("vertices", result->n, index->graph->n, err));
  MS_TRY(ms_writing_open(&w, MS_KIND_FLAGS, index->graph->n, options, path, err));
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
  ms_drawing drawing = {.graph = index->graph, .coloring = index->coloring};
  ms_status status = ms_writing_draws(&w)
                         ? draw_flags(&w, &drawing, pattern, NULL, result, o.limit, err)
                         : write_flags(&w, index->coloring, result, o.limit, err);
  return ms_writing_close(&w, status, err);
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
  MS_TRY(ms_writing_check_result("vertices", result->n, query->graph->rows.n, err));
  MS_TRY(ms_writing_open(&w, MS_KIND_TYPED_FLAGS, query->graph->rows.n, options, path, err));
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
  ms_drawing drawing = {
      .graph = w.options.plain, .typed = query->graph, .coloring = w.options.coloring};
  ms_status status = ms_writing_draws(&w)
                         ? draw_flags(&w, &drawing, NULL, query, result, o.limit, err)
                         : write_flags(&w, NULL, result, o.limit, err);
  return ms_writing_close(&w, status, err);
}
