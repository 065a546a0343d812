/* Writes matches of typed patterns, exact and inexact. */
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "query/typed_query.h"
#include "result/drawing.h"
#include "run/match/gather.h"
#include "run/match/typed.h"
#include "run/require.h"
#include "run/units/count_units.h"
#include "run/write/write.h"

typedef struct typed_file {
  ms_writing writing;
  ms_typed_match_options run;
  const ms_typed_query *query;
} typed_file;

/* Refuses a graph that was made from a plain one unless the options name that one. */
static ms_status check_origin(const typed_file *f, ms_error *err)
{
  const ms_graph *plain = f->writing.options.plain;
  const ms_typed *graph = f->query->graph;
  ms_typed_info info = ms_typed_describe(graph);
  if (info.format == MS_TYPED_AUTO && info.crc32c != 0 && !plain)
    return ms_fail(err, MS_ERR_USAGE,
                   "the typed graph was made from a plain one; set plain, and coloring if it has "
                   "colours, in the options of the writer");
  if (plain && plain->n != graph->rows.n)
    return ms_fail(err, MS_ERR_USAGE,
                   "plain in the options of the writer has %u vertices, and the typed graph has "
                   "%u; set plain to the graph from which the typed one was made",
                   plain->n, graph->rows.n);
  return MS_OK;
}

/* Refuses forms in which parts cannot be written, and a graph of another origin. */
static ms_status check_file(const typed_file *f, ms_error *err)
{
  MS_TRY(ms_writing_check_part(&f->writing, f->run.run.division, err));
  return check_origin(f, err);
}

/* Fills the header.  `known`: what is known about the result before the first row. */
static void describe_typed(typed_file *f, const ms_typed_result *known)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  const ms_typed_pattern *pattern = f->query->pattern;
  if (w->options.plain) {
    ms_describe_graph(h, w->options.plain, &w->graph);
    ms_describe_coloring(h, w->options.coloring, &w->colors);
  } else {
    ms_describe_typed_graph(h, f->query->graph, &w->typed);
  }
  ms_describe_typed_pattern(h, pattern);
  h->n_required = ms_own_names(w->options.plain, f->query->graph, f->run.n_required,
                               f->run.required, h->required);
  h->pattern.embeddings = f->run.embeddings;
  h->pattern.automorphisms = known->automorphisms_text;
  ms_writing_attach(w, NULL);
  w->names = f->query->graph->names;
  ms_writing_divide(w, f->run.run.division, known->run.units);
  if (f->run.sample > 0) {
    h->has |= MS_HAS_SAMPLE;
    h->sample.rows = f->run.sample < known->sampled_from ? f->run.sample : known->sampled_from;
    h->sample.from = known->sampled_from;
    h->sample.seed = f->run.run.seed;
  }
  if (!known->inexact) {
    ms_writing_typed_screen(h, known->screen, &f->run);
    h->pattern.induced = f->run.induced;
    h->pattern.engine = known->run.engine;
    h->has |= known->ordered ? 0 : MS_HAS_NO_ORDER;
    return;
  }
  h->has |= MS_HAS_INEXACT | (f->run.walk == MS_WALK_RANDOM ? MS_HAS_RANDOM_WALK : 0);
  h->mode = MS_MODE_INEXACT;
  h->typed.walk = f->run.walk;
  h->typed.seed = f->run.run.seed;
  h->typed.walk_length = known->walk_length;
  h->typed.best_score = known->best_score;
}

static bool begin_typed(void *user, const ms_typed_result *known)
{
  typed_file *f = user;
  describe_typed(f, known);
  return ms_writing_begin(&f->writing);
}

static bool put_typed(void *user, const uint32_t *rows, uint64_t count)
{
  return ms_writing_rows(&((typed_file *)user)->writing, rows, NULL, count);
}

static ms_status end_typed(typed_file *f, const ms_typed_result *r, ms_error *err)
{
  if (!f->writing.begun)
    begin_typed(f, r); /* no row has begun the file */
  f->writing.writer.header.division.unit_rows = r->part_text ? r->part_text : "none";
  ms_writing_settle(&f->writing, r->run.stopped, f->run.limit, r->matches);
  return ms_writing_end(&f->writing, r->run.stopped == MS_OK ? r->matches : f->writing.writer.rows,
                        err);
}

/* Returns the kind of result that these options of a run make. */
static ms_result_kind kind_of(const ms_typed_match_options *run)
{
  return run->participation ? MS_KIND_TYPED_PARTICIPATION : MS_KIND_TYPED;
}

static ms_status write_participation(typed_file *f, const ms_typed_result *r, ms_error *err)
{
  const char *names[MS_MAX_PATTERN];
  ms_writing *w = &f->writing;
  for (uint32_t i = 0; i < r->p; i++)
    names[i] = ms_typed_pattern_vertex_name(f->query->pattern, i);
  describe_typed(f, r);
  w->writer.header.roles = f->run.by_position;
  w->writer.typed = f->query->graph;
  return ms_writing_participation(w, NULL, r->participation, names, r->p, r->run.stopped,
                                  r->count_text, err);
}

/* Writes a result that holds everything: a number, a drawing or rows. */
static ms_status write_typed(typed_file *f, const ms_typed_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_drawing drawing = {.graph = w->options.plain,
                        .typed = f->query->graph,
                        .coloring = w->options.coloring,
                        .rows = r->vertices};
  if (f->run.participation)
    return write_participation(f, r, err);
  if (!f->run.count_only && !ms_writing_draws(w)) {
    if (begin_typed(f, r) && r->matches > 0)
      ms_writing_rows(w, r->vertices, r->score, r->matches);
    return end_typed(f, r, err);
  }
  describe_typed(f, r);
  ms_writing_settle(w, r->run.stopped, f->run.limit, r->matches);
  if (f->run.count_only && f->run.run.division && f->run.run.division->parts > 0)
    return ms_writing_part(w, r->part_text, r->run.engine, ms_count_planned_for(f->run.run.engine),
                           err);
  h->found = r->matches;
  h->count = r->count_text;
  return f->run.count_only ? ms_writing_number(w, r->count_text, err)
                           : ms_writing_draw(w, &drawing, err);
}

ms_status ms_typed_result_write(const ms_typed_query *query, const ms_typed_match_options *run,
                                const ms_typed_result *result, const ms_write_options *options,
                                const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  typed_file f = {.query = query};
  ms_division division;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, run, &f.run, err));
  MS_TRY(ms_typed_gather_take(&f.run, err));
  MS_TRY(ms_typed_division_take(&f.run, &division, err));
  MS_TRY(ms_required_check(f.run.required, f.run.n_required, err));
  ms_pattern_options plain;
  ms_typed_shared_options(&f.run, &plain);
  MS_TRY(ms_gather_check_sample(f.run.sample, result->sampled_from, result->matches, err));
  MS_TRY(ms_gather_check_result(&plain, result->participation, query->graph->rows.n, err));
  MS_TRY(
      ms_writing_check_result("vertices", result->p, ms_typed_pattern_size(query->pattern), err));
  MS_TRY(ms_writing_check_stored(f.run.count_only, result->matches, result->vertices, result->p,
                                 query->graph->rows.n, err));
  MS_TRY(ms_writing_open(&f.writing, kind_of(&f.run), query->graph->rows.n, options, path, err));
  ms_status status = check_file(&f, err);
  if (status == MS_OK && result->inexact && f.writing.options.form == MS_FORM_BINARY)
    status = ms_writing_refuse("inexact matches", err);
  if (status == MS_OK)
    status = write_typed(&f, result, err);
  return ms_writing_close(&f.writing, status, err);
}

ms_status ms_typed_match_to_file(const ms_typed_query *query, const ms_typed_match_options *run,
                                 const ms_write_options *options, const char *path,
                                 ms_typed_result **result, ms_error *err)
{
  MS_REQUIRE(result, err);
  *result = NULL;
  MS_REQUIRE(query, err);
  MS_REQUIRE(path, err);
  typed_file f = {.query = query};
  ms_division division;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, run, &f.run, err));
  MS_TRY(ms_typed_gather_take(&f.run, err));
  MS_TRY(ms_typed_division_take(&f.run, &division, err));
  MS_TRY(ms_required_check(f.run.required, f.run.n_required, err));
  MS_TRY(ms_writing_check_receiver("ms_typed_match_to_file", f.run.rows || f.run.begin, err));
  MS_TRY(ms_writing_open(&f.writing, kind_of(&f.run), query->graph->rows.n, options, path, err));
  bool streams = !f.run.count_only && !ms_writing_draws(&f.writing);
  ms_outfile_set_threads(f.writing.writer.out, ms_threads(f.run.run.threads));
  if (streams) {
    f.writing.writer.keeps = true;
    f.run.begin = begin_typed;
    f.run.rows = put_typed;
    f.run.rows_user = &f;
  }
  ms_status status = check_file(&f, err);
  if (status == MS_OK)
    status = ms_typed_match(query, &f.run, result, err);
  if (status == MS_OK)
    status = streams ? end_typed(&f, *result, err) : write_typed(&f, *result, err);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK) {
    (*result)->run.time_write = f.writing.seconds;
    if (streams) {
      ms_writing_take_off(&f.writing, &(*result)->run.stopped, &(*result)->matches,
                          (*result)->count_text);
      (*result)->time_search = ms_writing_take_time(&f.writing, (*result)->time_search);
    }
    return MS_OK;
  }
  ms_typed_result_free(*result);
  *result = NULL;
  return status;
}
