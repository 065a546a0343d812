/* Writes matches of plain patterns. */
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/graph.h"
#include "graph/vertex_scores.h"
#include "match/index.h"
#include "parts/log.h"
#include "result/drawing.h"
#include "run/match/gather.h"
#include "run/require.h"
#include "run/units/count_units.h"
#include "run/write/write.h"

#include <gmp.h>
#include <string.h>

typedef struct pattern_file {
  ms_writing writing;
  ms_pattern_options run;
  const ms_pattern_index *index;
  const ms_pattern *pattern;
} pattern_file;

/* Describes how rows were chosen and ordered, and what is written beside them. */
static void describe_rows(pattern_file *f, const ms_pattern_result *known)
{
  ms_result_header *h = &f->writing.writer.header;
  f->writing.writer.graph = f->index->graph;
  if (f->run.sample > 0) {
    h->has |= MS_HAS_SAMPLE;
    h->sample.rows = f->run.sample < known->sampled_from ? f->run.sample : known->sampled_from;
    h->sample.from = known->sampled_from;
    h->sample.seed = f->run.screen.run.seed;
  }
  h->sort = f->run.sort;
  h->top = f->run.top;
  if (f->run.vertex_scores) {
    ms_vertex_scores_info scores = ms_vertex_scores_describe(f->run.vertex_scores);
    h->vertex_scores = (ms_result_file){scores.path, scores.crc32c};
    f->writing.writer.vertex_scores = f->run.vertex_scores;
  }
}

/* Fills the header.  `known`: what is known about the result before the first row. */
static void describe_pattern(pattern_file *f, const ms_pattern_result *known)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_describe_graph(h, f->index->graph, &w->graph);
  ms_describe_coloring(h, f->index->coloring, &w->colors);
  ms_describe_pattern(h, f->pattern);
  h->n_required =
      ms_own_names(f->index->graph, NULL, f->run.n_required, f->run.required, h->required);
  ms_describe_screen(h, known->screen, &f->run.screen);
  h->has |= known->ordered ? 0 : MS_HAS_NO_ORDER;
  h->pattern.embeddings = f->run.embeddings;
  h->pattern.induced = f->run.induced;
  h->pattern.automorphisms = known->automorphisms_text;
  h->pattern.engine = known->run.engine;
  describe_rows(f, known);
  ms_writing_attach(w, NULL);
  ms_writing_paranoid(w, &known->run.paranoid);
  w->names = f->index->graph->names;
  ms_writing_divide(w, f->run.screen.run.division, known->run.units);
}

/* Refuses forms in which parts, or numbers beside matches, cannot be written. */
static ms_status check_form(const pattern_file *f, ms_error *err)
{
  ms_form form = f->writing.options.form;
  bool draws = ms_writing_draws(&f->writing);
  if (f->run.vertex_scores && form == MS_FORM_BINARY)
    return ms_writing_refuse("a list with a number for each match is text with a row for each "
                             "match; this result",
                             err);
  if (draws && f->run.vertex_scores && f->run.sort != MS_MEASURE_VERTEX_SCORE)
    return ms_writing_refuse("a number for each match", err);
  MS_TRY(ms_writing_check_measures(&f->writing, f->index->graph, err));
  return ms_writing_check_part(&f->writing, f->run.screen.run.division, err);
}

static bool begin_pattern(void *user, const ms_pattern_result *known)
{
  pattern_file *f = user;
  describe_pattern(f, known);
  return ms_writing_begin(&f->writing);
}

static bool put_pattern(void *user, const uint32_t *rows, uint64_t count)
{
  return ms_writing_rows(&((pattern_file *)user)->writing, rows, NULL, count);
}

static ms_status end_pattern(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  if (!w->begun)
    begin_pattern(f, r); /* no row has begun the file */
  w->writer.header.division.unit_rows = r->part_text ? r->part_text : "none";
  ms_writing_settle(w, r->run.stopped, f->run.limit, r->matches);
  return ms_writing_end(w, r->run.stopped == MS_OK ? r->matches : w->writer.rows, err);
}

/* Takes the matches off the result for which a full disk had no room.  No number gets longer. */
static void take_off(const pattern_file *f, ms_pattern_result *r)
{
  mpz_t automorphisms, rows;
  if (f->writing.writer.header.status != MS_RESULT_SPACE)
    return;
  ms_writing_take_off(&f->writing, &r->run.stopped, &r->matches, r->count_text);
  if (f->run.sample > 0 || f->run.sort)
    return; /* the other numbers are those of all matches */
  mpz_init_set_str(automorphisms, r->automorphisms_text, 10);
  mpz_init_set_str(rows, r->count_text, 10);
  strcpy(f->run.embeddings ? r->embeddings_text : r->subgraphs_text, r->count_text);
  if (f->run.embeddings)
    mpz_cdiv_q(rows, rows, automorphisms);
  else
    mpz_mul(rows, rows, automorphisms);
  mpz_get_str(f->run.embeddings ? r->subgraphs_text : r->embeddings_text, 10, rows);
  mpz_clear(automorphisms);
  mpz_clear(rows);
}

/* Returns the kind of result that these options of a run make. */
static ms_result_kind kind_of(const ms_pattern_options *run)
{
  return run->participation ? MS_KIND_PATTERN_PARTICIPATION : MS_KIND_PATTERN;
}

static ms_status write_participation(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  const char *names[MS_MAX_PATTERN];
  ms_writing *w = &f->writing;
  for (uint32_t i = 0; i < r->p; i++)
    names[i] = ms_pattern_vertex_name(f->pattern, i);
  describe_pattern(f, r);
  w->writer.header.roles = f->run.by_position;
  w->writer.pattern = f->pattern;
  return ms_writing_participation(w, f->index->coloring, r->participation, names, r->p,
                                  r->run.stopped, r->count_text, err);
}

/* Writes a result that holds everything: a number, a drawing or rows. */
static ms_status write_pattern(pattern_file *f, const ms_pattern_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_drawing drawing = {
      .graph = f->index->graph, .coloring = f->index->coloring, .rows = r->vertices};
  if (f->run.participation)
    return write_participation(f, r, err);
  if (!f->run.count_only && !ms_writing_draws(w)) {
    if (begin_pattern(f, r) && r->matches > 0)
      put_pattern(f, r->vertices, r->matches);
    return end_pattern(f, r, err);
  }
  describe_pattern(f, r);
  ms_writing_settle(w, r->run.stopped, f->run.limit, r->matches);
  if (f->run.count_only && f->run.screen.run.division && f->run.screen.run.division->parts > 0)
    return ms_writing_part(w, r->part_text, r->run.engine,
                           ms_count_planned_for(f->run.screen.run.engine), err);
  h->found = r->matches;
  h->subgraphs = r->subgraphs_text;
  h->embeddings = r->embeddings_text;
  return f->run.count_only ? ms_writing_number(w, r->count_text, err)
                           : ms_writing_draw(w, &drawing, err);
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
  MS_TRY(ms_options_take(&ms_pattern_options_kind, run, &f.run, err));
  ms_division division;
  MS_TRY(ms_gather_take(&f.run, err));
  MS_TRY(ms_count_division_take(&f.run, &division, err));
  MS_TRY(ms_required_check(f.run.required, f.run.n_required, err));
  MS_TRY(ms_gather_check_result(&f.run, result->participation, index->graph->n, err));
  MS_TRY(ms_gather_check_graph(&f.run, index->graph, err));
  MS_TRY(ms_gather_check_sample(f.run.sample, result->sampled_from, result->matches, err));
  MS_TRY(ms_writing_check_result("vertices", result->p, pattern->n, err));
  MS_TRY(ms_writing_check_stored(f.run.count_only, result->matches, result->vertices, result->p,
                                 index->graph->n, err));
  MS_TRY(ms_writing_open(&f.writing, kind_of(&f.run), index->graph->n, options, path, err));
  ms_status status = check_form(&f, err);
  if (status == MS_OK)
    status = write_pattern(&f, result, err);
  return ms_writing_close(&f.writing, status, err);
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
  MS_TRY(ms_options_take(&ms_pattern_options_kind, run, &f.run, err));
  ms_division division;
  MS_TRY(ms_gather_take(&f.run, err));
  MS_TRY(ms_gather_check_graph(&f.run, index->graph, err));
  MS_TRY(ms_count_division_take(&f.run, &division, err));
  MS_TRY(ms_required_check(f.run.required, f.run.n_required, err));
  MS_TRY(ms_writing_check_receiver("ms_pattern_list_to_file", f.run.rows || f.run.begin, err));
  MS_TRY(ms_writing_open(&f.writing, kind_of(&f.run), index->graph->n, options, path, err));
  bool streams = !f.run.count_only && !ms_writing_draws(&f.writing);
  ms_outfile_set_threads(f.writing.writer.out, ms_threads(f.run.screen.run.threads));
  if (streams) {
    f.writing.writer.keeps = true;
    f.run.begin = begin_pattern;
    f.run.rows = put_pattern;
    f.run.rows_user = &f;
  }
  ms_status status = check_form(&f, err);
  if (status == MS_OK)
    status = ms_pattern_list(index, pattern, &f.run, result, err);
  if (status == MS_OK)
    status = streams ? end_pattern(&f, *result, err) : write_pattern(&f, *result, err);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK) {
    (*result)->run.time_write = f.writing.seconds;
    if (streams) {
      take_off(&f, *result);
      (*result)->time_list = ms_writing_take_time(&f.writing, (*result)->time_list);
    }
    return MS_OK;
  }
  ms_pattern_result_free(*result);
  *result = NULL;
  return status;
}
