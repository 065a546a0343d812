/* Writes what is found for a motif: flagged vertices and matches. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/graph.h"
#include "graph/vertex_scores.h"
#include "parts/log.h"
#include "query/query.h"
#include "result/drawing.h"
#include "run/listing.h"
#include "run/units/screen_units.h"
#include "run/write/write.h"

#include <stdio.h>

void ms_writing_describe(ms_writing *w, const ms_query *query, const ms_screen_result *screen,
                         const ms_screen_options *run)
{
  ms_result_header *h = &w->writer.header;
  ms_describe_graph(h, query->graph, &w->graph);
  ms_describe_coloring(h, query->coloring, &w->colors);
  ms_describe_query(h, query);
  ms_describe_screen(h, screen, run);
  if (screen)
    ms_writing_paranoid(w, &screen->run.paranoid);
  ms_writing_attach(w, query);
  w->writer.graph = query->graph;
  w->names = query->graph->names;
}

/* ---- screens -------------------------------------------------------------------- */

/* Describes a part of a screen, which has the values of vertices and no flags. */
static ms_status describe_part(ms_writing *w, const ms_screen_result *screen,
                               const ms_division *division, ms_error *err)
{
  if (screen->exact || (screen->repetitions > 0 && !screen->q))
    return ms_fail(err, MS_ERR_USAGE,
                   "the result has no values of the sieve; pass the options that made the result");
  ms_writing_divide(w, division, screen->run.units);
  return MS_OK;
}

/* Writes the sieve's values of a vertex as hexadecimal digits, and a NUL; none if pruning left it
 * out. */
static void write_values(const ms_screen_result *screen, uint32_t v, char *text)
{
  static const char digits[] = "0123456789abcdef";
  for (uint32_t i = 0; screen->kept[v] && i < screen->repetitions; i++) {
    uint8_t value = screen->q[(uint64_t)i * screen->n + v];
    *text++ = digits[value >> 4];
    *text++ = digits[value & 15];
  }
  *text = '\0';
}

/* Writes the rows of a screen.  `values` has room for the values of one vertex in a part of a
 * sieve; NULL: the screen is no part. */
static ms_status write_vertices(ms_writing *w, const ms_query *query,
                                const ms_screen_result *screen, char *values, ms_error *err)
{
  for (uint32_t v = 0; v < screen->n; v++) {
    if (!screen->hits[v] && !w->options.all && !(values && screen->kept[v]))
      continue;
    ms_vertex_row row = {.flagged = screen->hits[v] > 0,
                         .repetitions = screen->exact ? 0 : screen->hits[v],
                         .missing = screen->missing ? screen->missing[v] : 0,
                         .extra = screen->extra ? screen->extra[v] : 0,
                         .cost = screen->cost ? screen->cost[v] : 0,
                         .score = screen->score ? (double)screen->score[v] : 0,
                         .best_sum = screen->best_sum ? screen->best_sum[v] : 0,
                         .values = values};
    if (screen->sums_from) { /* a search that was stopped may know no sum of a flagged vertex */
      row.sums = screen->sums + screen->sums_from[v];
      row.n_sums = (uint32_t)(screen->sums_from[v + 1] - screen->sums_from[v]);
    }
    if (values)
      write_values(screen, v, values);
    MS_TRY(ms_writer_vertex(&w->writer, query->coloring, v, &row, err));
  }
  return MS_OK;
}

ms_status ms_writing_flags(ms_writing *w, const ms_query *query, const ms_screen_result *screen,
                           const ms_screen_options *run, ms_error *err)
{
  ms_writing_describe(w, query, screen, run);
  ms_writing_settle(w, screen->run.stopped, 0, 0);
  w->writer.header.all_rows = w->options.all;
  w->writer.header.found = screen->flagged;
  w->writer.header.max_missing = run->max_missing;
  w->writer.header.max_extra = run->max_extra;
  w->writer.header.nearest_only = run->nearest_only;
  ms_describe_substitutes(&w->writer.header, run->substitutes, run->max_cost);
  w->writer.header.profile = screen->score != NULL;
  if (screen->best_sum && run->vertex_scores) {
    ms_vertex_scores_info scores = ms_vertex_scores_describe(run->vertex_scores);
    w->writer.header.vertex_scores = (ms_result_file){scores.path, scores.crc32c};
    w->writer.header.all_sums = screen->sums_from != NULL;
  }
  bool is_part = ms_screen_is_part(run);
  if (is_part)
    MS_TRY(describe_part(w, screen, run->run.division, err));
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  char *values = is_part ? ms_alloc(2 * (uint64_t)screen->repetitions + 1, 1) : NULL;
  if (is_part && !values)
    return ms_fail_memory(err, "the values of a vertex");
  ms_status status = write_vertices(w, query, screen, values, err);
  ms_free(values);
  return status;
}

static ms_status draw_flags(ms_writing *w, const ms_query *query, const ms_screen_result *screen,
                            const ms_screen_options *run, ms_error *err)
{
  ms_drawing drawing = {.graph = query->graph, .coloring = query->coloring, .screen = screen};
  ms_writing_describe(w, query, screen, run);
  ms_writing_settle(w, screen->run.stopped, 0, 0);
  w->writer.header.found = screen->flagged;
  return ms_writing_draw(w, &drawing, err);
}

ms_status ms_screen_write(const ms_query *query, const ms_screen_options *run,
                          const ms_screen_result *result, const ms_write_options *options,
                          const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  ms_screen_options o;
  ms_writing w;
  ms_status status;
  MS_TRY(ms_options_take(&ms_screen_options_kind, run, &o, err));
  MS_TRY(ms_writing_check_result("vertices", result->n, query->graph->n, err));
  MS_TRY(ms_writing_check_result("slots", result->k, query->motif->k, err));
  ms_division division;
  MS_TRY(ms_division_take_checked(&o.run.division, &division, err));
  bool nearest = ms_screen_is_nearest(&o);
  if (nearest != (result->missing && result->extra && result->cost))
    return ms_fail(err, MS_ERR_USAGE,
                   "the result and the options of its run differ in whether the nearest matches "
                   "were searched for; "
                   "pass the options that made the result");
  MS_TRY(ms_writing_open(&w, nearest ? MS_KIND_NEAREST : MS_KIND_SCREEN, query->graph->n, options,
                         path, err));
  if (ms_writing_draws(&w) && ms_screen_is_part(&o)) {
    status = ms_writing_refuse("a part of a screen", err);
  } else if (ms_writing_draws(&w)) {
    status = draw_flags(&w, query, result, &o, err);
  } else {
    status = ms_writing_flags(&w, query, result, &o, err);
    status = status == MS_OK ? ms_writer_end(&w.writer, err) : status;
  }
  return ms_writing_close(&w, status, err);
}

/* ---- lists ---------------------------------------------------------------------- */

#define MS_COUNT_BYTES 96 /* for the number of matches with a checksum before it */

typedef struct list_file {
  ms_writing writing;
  ms_list_options run;
  const ms_query *query;
} list_file;

static void describe_list(list_file *f, const ms_list_result *known)
{
  ms_result_header *h = &f->writing.writer.header;
  h->has |= known->streamed ? MS_HAS_SEARCH_ORDER : 0;
  h->order = known->streamed;
  ms_writing_divide(&f->writing, f->run.screen.run.division, known->run.units);
  h->division.unit_rows = known->part_text ? known->part_text : "none"; /* at the end */
  h->diverse = f->run.diverse;
  if (f->run.sample > 0) {
    h->has |= MS_HAS_SAMPLE;
    h->sample.rows = f->run.sample < known->sampled_from ? f->run.sample : known->sampled_from;
    h->sample.from = known->sampled_from;
    h->sample.seed = f->run.screen.run.seed;
  }
  if (f->run.families > 0) {
    h->family.share = f->run.families;
    h->family.matches = known->family_matches;
    f->writing.writer.family_size = known->family_size;
  }
  if (f->run.vertex_scores && !f->run.participation) {
    ms_vertex_scores_info scores = ms_vertex_scores_describe(f->run.vertex_scores);
    h->vertex_scores = (ms_result_file){scores.path, scores.crc32c};
    f->writing.writer.vertex_scores = f->run.vertex_scores;
  }
  h->sort = f->run.sort;
  h->top = f->run.top;
  h->min_density = f->run.min_density;
  h->min_mean_score = f->run.min_mean_score;
  ms_writing_describe(&f->writing, f->query, known->screen, &f->run.screen);
  ms_writing_settle(&f->writing, known->run.stopped, f->run.limit, known->matches);
  ms_writing_paranoid(&f->writing, &known->run.paranoid);
  h->found = known->matches;
  h->count = known->count_text;
}

static bool begin_list(void *user, const ms_list_result *known)
{
  list_file *f = user;
  describe_list(f, known);
  f->writing.writer.keeps = known->streamed;
  return !known->streamed || ms_writing_begin(&f->writing);
}

/* Sorted rows come all at once, and the head says how many there are. */
static bool put_list(void *user, const uint32_t *rows, uint64_t count)
{
  ms_writing *w = &((list_file *)user)->writing;
  return w->begun ? ms_writing_rows(w, rows, NULL, count) : ms_writing_all(w, rows, count);
}

/* Writes in how many matches each vertex is; of a part, for all vertices. */
static ms_status write_participation(list_file *f, const ms_list_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  describe_list(f, r);
  h->participation = true;
  h->all_rows = w->options.all;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint32_t v = 0; v < r->n; v++) {
    ms_vertex_row row = {.flagged = true, .matches = r->matches_of[v]};
    if (row.matches > 0 || w->options.all || h->has & MS_HAS_PART)
      MS_TRY(ms_writer_vertex(&w->writer, f->query->coloring, v, &row, err));
  }
  return ms_writer_end(&w->writer, err);
}

/* Writes a part of a count, which has a header and no rows. */
static ms_status write_part(list_file *f, const ms_list_result *r, ms_error *err)
{
  char text[MS_COUNT_BYTES];
  snprintf(text, sizeof text, "00000000:%s", r->run.stopped == MS_OK ? r->count_text : "0");
  return ms_writing_part(&f->writing, text, r->run.engine, NULL, err);
}

/* Writes a result that holds everything: a number, a drawing or rows. */
static ms_status write_list(list_file *f, const ms_list_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  ms_drawing drawing = {
      .graph = f->query->graph, .coloring = f->query->coloring, .rows = r->vertices};
  if (f->run.participation)
    return write_participation(f, r, err);
  describe_list(f, r);
  if (f->run.count_only && f->run.screen.run.division && f->run.screen.run.division->parts > 0)
    return write_part(f, r, err);
  if (f->run.count_only)
    return ms_writing_number(w, r->count_text, err);
  if (ms_writing_draws(w))
    return ms_writing_draw(w, &drawing, err);
  if (ms_writing_begin(w) && r->matches > 0)
    ms_writing_rows(w, r->vertices, NULL, r->matches);
  return ms_writing_end(w, r->matches, err);
}

/* Refuses columns that this query or this form cannot have, and forms that a part cannot have. */
static ms_status check_columns(const list_file *f, ms_error *err)
{
  MS_TRY(ms_writing_check_part(&f->writing, f->run.screen.run.division, err));
  const ms_vertex_scores *scores = f->run.vertex_scores;
  const ms_graph *graph = f->query->graph;
  if (scores)
    MS_TRY(ms_writing_check_result("scores of vertices", scores->n, graph->n, err));
  return ms_writing_check_measures(&f->writing, graph, err);
}

ms_status ms_list_write(const ms_query *query, const ms_list_options *run,
                        const ms_list_result *result, const ms_write_options *options,
                        const char *path, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  list_file f = {.query = query};
  MS_TRY(ms_options_take(&ms_list_options_kind, run, &f.run, err));
  ms_division division;
  MS_TRY(ms_list_division_take(&f.run, &division, err));
  MS_TRY(ms_writing_check_result("slots", result->k, query->motif->k, err));
  MS_TRY(ms_writing_check_stored(f.run.count_only, result->matches, result->vertices, result->k,
                                 query->graph->n, err));
  if (f.run.participation && !result->matches_of)
    return ms_fail(err, MS_ERR_USAGE,
                   "the result does not say in how many matches each vertex is; set participation "
                   "in the options of the run that makes it");
  if (f.run.sample > 0 && result->sampled_from < result->matches)
    return ms_fail(err, MS_ERR_USAGE,
                   "the result is no sample; set `sample` in the options of the run that makes it");
  if (f.run.families > 0 && !result->family_size)
    return ms_fail(err, MS_ERR_USAGE,
                   "the result has no families; set `families` in the options of the run that "
                   "makes it");
  if (f.run.participation)
    MS_TRY(ms_writing_check_result("vertices", result->n, query->graph->n, err));
  MS_TRY(ms_writing_open(&f.writing, f.run.participation ? MS_KIND_PARTICIPATION : MS_KIND_LIST,
                         query->graph->n, options, path, err));
  ms_status status = check_columns(&f, err);
  if (status == MS_OK)
    status = write_list(&f, result, err);
  return ms_writing_close(&f.writing, status, err);
}

static ms_status end_list(list_file *f, const ms_list_result *r, ms_error *err)
{
  ms_writing *w = &f->writing;
  if (!w->names)
    describe_list(f, r); /* the run was stopped before it knew its rows */
  if (!w->begun)
    ms_writing_begin(w); /* there is no row */
  w->writer.header.division.unit_rows = r->part_text ? r->part_text : "none";
  if (!w->ended)
    ms_writing_settle(w, r->run.stopped, f->run.limit, r->matches);
  return ms_writing_end(w, r->matches, err);
}

ms_status ms_list_to_file(const ms_query *query, const ms_list_options *run,
                          const ms_write_options *options, const char *path,
                          ms_list_result **result, ms_error *err)
{
  MS_REQUIRE(result, err);
  *result = NULL;
  MS_REQUIRE(query, err);
  MS_REQUIRE(path, err);
  list_file f = {.query = query};
  MS_TRY(ms_options_take(&ms_list_options_kind, run, &f.run, err));
  ms_division division;
  MS_TRY(ms_list_division_take(&f.run, &division, err));
  MS_TRY(ms_writing_check_receiver("ms_list_to_file", f.run.rows || f.run.begin, err));
  MS_TRY(ms_writing_open(&f.writing, f.run.participation ? MS_KIND_PARTICIPATION : MS_KIND_LIST,
                         query->graph->n, options, path, err));
  bool streams = !f.run.count_only && !ms_writing_draws(&f.writing);
  ms_outfile_set_threads(f.writing.writer.out, ms_threads(f.run.screen.run.threads));
  if (streams) {
    f.run.begin = begin_list;
    f.run.rows = put_list;
    f.run.rows_user = &f;
  }
  ms_status status = check_columns(&f, err);
  if (status == MS_OK)
    status = ms_list(query, &f.run, result, err);
  if (status == MS_OK)
    status = streams ? end_list(&f, *result, err) : write_list(&f, *result, err);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK) {
    double *search = (*result)->streamed ? &(*result)->time_list : &(*result)->time_verify;
    (*result)->run.time_write = f.writing.seconds;
    if (streams) {
      ms_writing_take_off(&f.writing, &(*result)->run.stopped, &(*result)->matches,
                          (*result)->count_text);
      *search = ms_writing_take_time(&f.writing, *search);
    }
    return MS_OK;
  }
  ms_list_result_free(*result);
  *result = NULL;
  return status;
}
