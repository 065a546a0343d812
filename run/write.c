/* The public writers of results: a run's inputs, options and result become a file. */
#include "base/options.h"
#include "base/status.h"
#include "graph/graph.h"
#include "match/index.h"
#include "query/query.h"
#include "result/drawing.h"
#include "result/writer.h"

#include <inttypes.h>

/* The options of a writer, and those with which the inputs were read. */
typedef struct writing {
  ms_write_options options;
  ms_graph_options graph;
  ms_color_options colors;
} writing;

static ms_status take_options(const ms_write_options *options, writing *w, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_write_options_kind, options, &w->options, err));
  MS_TRY(ms_options_take(&ms_graph_options_kind, w->options.graph, &w->graph, err));
  MS_TRY(ms_options_take(&ms_color_options_kind, w->options.colors, &w->colors, err));
  if ((unsigned)w->options.form > MS_FORM_DOT)
    return ms_fail(err, MS_ERR_USAGE, "unknown form %d; use one of ms_form", (int)w->options.form);
  return MS_OK;
}

static bool is_drawing(const writing *w)
{
  return w->options.form == MS_FORM_CX2 || w->options.form == MS_FORM_DOT;
}

static ms_status fail_form(const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "%s cannot be written in this form; choose another ms_form",
                 what);
}

/* Checks that labels, roles and long rows can be written in this form. */
static ms_status check_rows(const writing *w, ms_result_kind kind, ms_error *err)
{
  const ms_write_options *o = &w->options;
  if (o->roles && kind != MS_KIND_LIST)
    return fail_form("roles are for lists of a motif's matches; this result", err);
  if (o->long_rows && (o->form != MS_FORM_TSV || kind == MS_KIND_SCREEN))
    return fail_form("long rows are for matches as TSV; this result", err);
  if (o->labels && o->form == MS_FORM_BINARY)
    return fail_form("labels", err);
  return MS_OK;
}

/* Gives the writer what its rows need.  `query`: that of a motif, else NULL. */
static void attach_rows(const writing *w, const ms_query *query, ms_writer *writer)
{
  const ms_write_options *o = &w->options;
  writer->labels = o->labels;
  writer->query = query;
  ms_describe_labels(&writer->header, o->labels);
  writer->header.long_rows = o->long_rows;
  writer->header.roles = o->roles && !o->long_rows;
  writer->header.shown_colors = writer->header.kind == MS_KIND_SCREEN && !o->all_colors;
}

static ms_status open_file(const writing *w, const char *path, ms_result_kind kind,
                           ms_writer *writer, ms_error *err)
{
  const ms_encoding *encoding = w->options.form == MS_FORM_JSON     ? &ms_encoding_json
                                : w->options.form == MS_FORM_BINARY ? &ms_encoding_binary
                                                                    : &ms_encoding_tsv;
  ms_status status = ms_writer_open(writer, path, encoding, err);
  writer->header.kind = kind;
  return status;
}

static bool at_limit(uint64_t limit, uint64_t matches)
{
  return limit > 0 && matches >= limit;
}

/* Draws a screen, or rows[header.found][header.k] of matches. */
static ms_status draw(ms_writer *writer, const writing *w, const ms_graph *graph,
                      const ms_coloring *coloring, const ms_screen_result *screen,
                      const uint32_t *rows, ms_error *err)
{
  ms_drawing drawing = {.header = &writer->header,
                        .graph = graph,
                        .coloring = coloring,
                        .labels = writer->labels,
                        .query = writer->query,
                        .screen = screen,
                        .rows = rows,
                        .count = writer->header.found,
                        .match = w->options.match,
                        .whole_graph = w->options.whole_graph};
  ms_status status = ms_drawing_open(&drawing, err);
  if (status == MS_OK)
    status = w->options.form == MS_FORM_DOT ? ms_draw_dot(writer->out, &drawing, err)
                                            : ms_draw_cx2(writer->out, &drawing, err);
  ms_drawing_close(&drawing);
  return status;
}

/* ---- motifs -------------------------------------------------------------------- */

static void describe_motif(ms_result_header *h, const writing *w, const ms_query *query,
                           const ms_screen_result *screen, const ms_screen_options *run)
{
  ms_describe_graph(h, query->graph, &w->graph);
  ms_describe_coloring(h, query->coloring, &w->colors);
  ms_describe_query(h, query);
  ms_describe_screen(h, screen, run);
}

static ms_status write_flags(ms_writer *writer, const writing *w, const ms_query *query,
                             const ms_screen_result *screen, ms_error *err)
{
  MS_TRY(ms_writer_begin(writer, query->graph->names, err));
  for (uint32_t v = 0; v < screen->n; v++)
    if (screen->hits[v] || w->options.all)
      ms_writer_vertex(writer, query->coloring, v, screen->hits[v]);
  return ms_writer_end(writer, err);
}

ms_status ms_screen_write(const ms_query *query, const ms_screen_options *run,
                          const ms_screen_result *result, const ms_write_options *options,
                          const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_screen_options o;
  writing w;
  ms_writer writer;
  MS_TRY(ms_options_take(&ms_screen_options_kind, run, &o, err));
  MS_TRY(take_options(options, &w, err));
  MS_TRY(check_rows(&w, MS_KIND_SCREEN, err));
  if (w.options.form == MS_FORM_BINARY || w.options.match > 0)
    return fail_form(w.options.match > 0 ? "a match of a screen" : "a screen", err);
  ms_status status = open_file(&w, path, MS_KIND_SCREEN, &writer, err);
  if (status == MS_OK) {
    describe_motif(&writer.header, &w, query, result, &o);
    writer.header.status = ms_status_of(result->stopped, false);
    writer.header.all_rows = w.options.all;
    writer.header.found = result->flagged;
    attach_rows(&w, query, &writer);
    status = is_drawing(&w) ? draw(&writer, &w, query->graph, query->coloring, result, NULL, err)
                            : write_flags(&writer, &w, query, result, err);
  }
  return ms_writer_close(&writer, status, err);
}

static ms_status write_number(ms_writer *writer, const writing *w, const char *number,
                              ms_error *err)
{
  if (w->options.form == MS_FORM_JSON)
    return ms_writer_count(writer, err);
  if (w->options.form != MS_FORM_TSV)
    return fail_form("a number of matches", err);
  ms_outfile_printf(writer->out, "%s\n", number);
  return MS_OK;
}

static ms_status write_list(ms_writer *writer, const writing *w, const ms_query *query,
                            const ms_list_result *list, ms_error *err)
{
  if (is_drawing(w))
    return draw(writer, w, query->graph, query->coloring, NULL, list->vertices, err);
  MS_TRY(ms_writer_begin(writer, query->graph->names, err));
  ms_writer_matches(writer, list->vertices, NULL, list->matches);
  return ms_writer_end(writer, err);
}

ms_status ms_list_write(const ms_query *query, const ms_list_options *run,
                        const ms_list_result *result, const ms_write_options *options,
                        const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_list_options o;
  writing w;
  ms_writer writer;
  MS_TRY(ms_options_take(&ms_list_options_kind, run, &o, err));
  MS_TRY(take_options(options, &w, err));
  MS_TRY(check_rows(&w, MS_KIND_LIST, err));
  if (w.options.form == MS_FORM_BINARY)
    return fail_form("a list of matches of a motif", err);
  if (!o.count_only && result->matches > 0 && !result->vertices)
    return ms_fail(
        err, MS_ERR_USAGE,
        "the result holds no rows; set count_only in the options of the run if they were "
        "only counted");
  ms_status status = open_file(&w, path, MS_KIND_LIST, &writer, err);
  if (status == MS_OK) {
    describe_motif(&writer.header, &w, query, result->screen, &o.screen);
    writer.header.status = ms_status_of(result->stopped, at_limit(o.limit, result->matches));
    writer.header.found = result->matches;
    writer.header.count = result->count_text;
    attach_rows(&w, query, &writer);
    status = o.count_only ? write_number(&writer, &w, result->count_text, err)
                          : write_list(&writer, &w, query, result, err);
  }
  return ms_writer_close(&writer, status, err);
}

/* ---- patterns ------------------------------------------------------------------ */

typedef struct pattern_file {
  writing writing;
  ms_pattern_options run;
  const ms_pattern_index *index;
  const ms_pattern *pattern;
  ms_writer writer;
  bool begun;
  ms_status status; /* of the first failure to write */
  ms_error err;
} pattern_file;

static ms_status open_pattern(pattern_file *f, const ms_pattern_options *run,
                              const ms_write_options *options, const char *path, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_pattern_options_kind, run, &f->run, err));
  MS_TRY(take_options(options, &f->writing, err));
  MS_TRY(check_rows(&f->writing, MS_KIND_PATTERN, err));
  ms_status status = open_file(&f->writing, path, MS_KIND_PATTERN, &f->writer, err);
  return status == MS_OK ? MS_OK : ms_writer_close(&f->writer, status, err);
}

/* Fills the header.  `known`: what is known about the result before the first row. */
static void describe_pattern(pattern_file *f, const ms_pattern_result *known)
{
  ms_result_header *h = &f->writer.header;
  ms_describe_graph(h, f->index->graph, &f->writing.graph);
  ms_describe_coloring(h, f->index->coloring, &f->writing.colors);
  ms_describe_pattern(h, f->pattern);
  ms_describe_screen(h, known->screen, &f->run.screen);
  h->has |= known->ordered ? 0 : MS_HAS_NO_ORDER;
  h->pattern.embeddings = f->run.embeddings;
  h->pattern.induced = f->run.induced;
  h->pattern.automorphisms = known->automorphisms_text;
  h->pattern.engine = known->engine;
  attach_rows(&f->writing, NULL, &f->writer);
}

static ms_status draw_pattern(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  describe_pattern(f, r);
  f->writer.header.status = ms_status_of(r->stopped, at_limit(f->run.limit, r->matches));
  f->writer.header.found = r->matches;
  return draw(&f->writer, &f->writing, f->index->graph, f->index->coloring, NULL, r->vertices, err);
}

static bool begin_rows(void *user, const ms_pattern_result *known)
{
  pattern_file *f = user;
  f->begun = true;
  describe_pattern(f, known);
  f->status = ms_writer_begin(&f->writer, f->index->graph->names, &f->err);
  return f->status == MS_OK && !ms_outfile_failed(f->writer.out);
}

static bool put_rows(void *user, const uint32_t *rows, uint64_t count)
{
  return ms_writer_matches(&((pattern_file *)user)->writer, rows, NULL, count);
}

static ms_status end_rows(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  if (!f->begun)
    begin_rows(f, r); /* no row has begun the file */
  f->writer.header.status = ms_status_of(r->stopped, at_limit(f->run.limit, r->matches));
  if (f->status == MS_OK)
    f->status = ms_writer_end(&f->writer, &f->err);
  if (f->status != MS_OK && err)
    *err = f->err;
  return f->status;
}

static ms_status write_pattern_count(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  describe_pattern(f, r);
  f->writer.header.status = ms_status_of(r->stopped, at_limit(f->run.limit, r->matches));
  f->writer.header.subgraphs = r->subgraphs_text;
  f->writer.header.embeddings = r->embeddings_text;
  return write_number(&f->writer, &f->writing, r->count_text, err);
}

ms_status ms_pattern_write(const ms_pattern_index *index, const ms_pattern *pattern,
                           const ms_pattern_options *run, const ms_pattern_result *result,
                           const ms_write_options *options, const char *path, ms_error *err)
{
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  pattern_file f = {.index = index, .pattern = pattern};
  MS_TRY(open_pattern(&f, run, options, path, err));
  ms_status status = MS_OK;
  if (f.run.count_only) {
    status = write_pattern_count(&f, result, err);
  } else if (result->matches > 0 && !result->vertices) {
    status = ms_fail(err, MS_ERR_USAGE,
                     "the result holds no rows; set count_only in the options of the run if they "
                     "were only counted");
  } else if (is_drawing(&f.writing)) {
    status = draw_pattern(&f, result, err);
  } else {
    if (begin_rows(&f, result) && result->matches > 0)
      put_rows(&f, result->vertices, result->matches);
    status = end_rows(&f, result, err);
  }
  return ms_writer_close(&f.writer, status, err);
}

ms_status ms_pattern_list_to_file(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *run, const ms_write_options *options,
                                  const char *path, ms_pattern_result **result, ms_error *err)
{
  MS_REQUIRE(result, err);
  *result = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  MS_REQUIRE(path, err);
  pattern_file f = {.index = index, .pattern = pattern};
  MS_TRY(open_pattern(&f, run, options, path, err));
  ms_status status = MS_OK;
  if (f.run.rows || f.run.begin)
    status = ms_fail(err, MS_ERR_USAGE,
                     "ms_pattern_list_to_file receives the rows itself; set rows and begin of the "
                     "options to NULL, or call ms_pattern_list");
  if (status == MS_OK && !f.run.count_only && !is_drawing(&f.writing)) {
    f.run.begin = begin_rows;
    f.run.rows = put_rows;
    f.run.rows_user = &f;
  }
  if (status == MS_OK)
    status = ms_pattern_list(index, pattern, &f.run, result, err);
  if (status == MS_OK)
    status = f.run.count_only         ? write_pattern_count(&f, *result, err)
             : is_drawing(&f.writing) ? draw_pattern(&f, *result, err)
                                      : end_rows(&f, *result, err);
  status = ms_writer_close(&f.writer, status, err);
  if (status != MS_OK) {
    ms_pattern_result_free(*result);
    *result = NULL;
  }
  return status;
}
