#include "run/write/write.h"

#include "base/options.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "result/columns.h"
#include "result/drawing.h"

#include <inttypes.h>
#include <stdio.h>

void ms_writing_paranoid(ms_writing *w, const ms_paranoid_report *r)
{
  if (!(r->fraction > 0))
    return;
  ms_format(w->paranoid, sizeof w->paranoid,
            "%g %% of the work: %" PRIu64 " of %" PRIu64 " blocks of units computed twice, %" PRIu64
            " differed, %" PRIu64 " damaged",
            100 * r->fraction, r->checked, r->blocks, r->differences, r->damaged);
  w->writer.header.paranoid = w->paranoid;
}

/* ---- options ------------------------------------------------------------------- */

ms_status ms_writing_refuse(const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "%s cannot be written in this form; choose another form", what);
}

bool ms_writing_draws(const ms_writing *w)
{
  return w->options.form == MS_FORM_CX2 || w->options.form == MS_FORM_DOT ||
         w->options.form == MS_FORM_SVG;
}

#define MATCHES (MS_KIND_LIST | MS_KIND_PATTERN | MS_KIND_TYPED)
#define MOTIF_MATCHES (MS_KIND_LIST | MS_KIND_NEAREST_LIST)
/* Refuses forms and options that results of this kind do not have. */
static ms_status check_options(const ms_writing *w, ms_result_kind kind, ms_error *err)
{
  const ms_write_options *o = &w->options;
  bool binary = o->form == MS_FORM_BINARY, draws = ms_writing_draws(w), one = o->match > 0;
  const unsigned table = ms_kind_of(kind)->drawing == MS_DRAWS_VERTICES ? 0 : ~0u;
  const struct {
    unsigned kinds;
    bool asked;
    const char *what;
  } refusals[] = {
      {MS_KINDS_OF_VERTICES, binary, "a screen"},
      {MOTIF_MATCHES, binary, "a list of matches of a motif"},
      {MS_KINDS_OF_PARTICIPATIONS, binary || draws || one, "the matches of each vertex"},
      {MS_KIND_NEAREST, o->all,
       "rows of vertices without a match are for screens of one size of matches; this result"},
      {MS_KIND_NEAREST, draws, "a screen for the nearest matches"},
      {MS_KIND_NEAREST_LIST, draws || one, "a list of the nearest matches"},
      {table, binary || draws, "a table of components, paths, motifs or patterns"},
      {MS_KINDS_OF_VERTICES, one, "a match of a screen"},
      {~(unsigned)(MOTIF_MATCHES | MS_KINDS_OF_POSITIONS), o->roles,
       "roles are for lists of a motif's matches; this result"},
      {draws || binary ? ~0u : ~(unsigned)(MS_KIND_LIST | MS_KIND_PATTERN),
       o->measures != MS_MEASURES_NONE,
       "measures are for lists of matches of a motif or a plain pattern, as text with a row for "
       "each; this result"},
      {o->form != MS_FORM_TSV ? ~0u : ~(unsigned)(MATCHES | MS_KIND_NEAREST_LIST), o->long_rows,
       "long rows are for matches as TSV; this result"},
      {o->form != MS_FORM_TSV || o->long_rows ? ~0u : ~(unsigned)MOTIF_MATCHES, o->wide_rows,
       "wide rows are for matches of a motif as TSV, without long rows; this result"},
      {binary ? ~0u : table, o->labels != NULL, "labels"},
      {~MS_KIND_PATH, o->lengths, "lengths are for paths; this result"}};
  if ((unsigned)o->form > MS_FORM_SVG)
    return ms_fail(err, MS_ERR_USAGE, "unknown form %d; use one of ms_form", (int)o->form);
  if ((o->form == MS_FORM_SVG) != (o->positions != NULL))
    return ms_fail(err, MS_ERR_USAGE,
                   o->positions
                       ? "`positions` are for MS_FORM_SVG; use that form or set NULL"
                       : "MS_FORM_SVG needs the positions of the vertices; set `positions`");
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (refusals[i].asked && kind & refusals[i].kinds)
      return ms_writing_refuse(refusals[i].what, err);
  return MS_OK;
}

static ms_status take_options(const ms_write_options *options, ms_writing *w, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_write_options_kind, options, &w->options, err));
  MS_TRY(ms_options_take(&ms_graph_options_kind, w->options.graph, &w->graph, err));
  MS_TRY(ms_options_take(&ms_color_options_kind, w->options.colors, &w->colors, err));
  return ms_options_take(&ms_typed_options_kind, w->options.typed, &w->typed, err);
}

ms_status ms_writing_check_stored(bool count_only, uint64_t matches, const uint32_t *vertices,
                                  uint32_t width, uint32_t n, ms_error *err)
{
  if (count_only || matches == 0)
    return MS_OK;
  if (!vertices)
    return ms_fail(err, MS_ERR_USAGE,
                   "the result holds no rows; set count_only in the options of the run if they "
                   "were only counted");
  for (uint64_t i = 0; i < matches * width; i++)
    if (vertices[i] >= n)
      return ms_fail(err, MS_ERR_USAGE,
                     "the result has vertex %u, and the graph has %u vertices; give the result of "
                     "this query",
                     vertices[i], n);
  return MS_OK;
}

ms_status ms_writing_check_receiver(const char *function, bool has_receiver, ms_error *err)
{
  if (!has_receiver)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s receives the rows itself; set rows and begin of the options to NULL, or call "
                 "the function that finds them",
                 function);
}

ms_status ms_writing_check_measures(const ms_writing *w, const ms_graph *graph, ms_error *err)
{
  if (w->options.measures != MS_MEASURES_SCORES || ms_graph_scored(graph))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the graph has no scores of edges; read it with `keep_scores`, or write the "
                 "density alone");
}

ms_status ms_writing_check_result(const char *what, uint32_t have, uint32_t need, ms_error *err)
{
  if (have == need)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the result has %u %s, and the query has %u; give the result of this query", have,
                 what, need);
}

/* ---- the file ------------------------------------------------------------------ */

ms_status ms_writing_open(ms_writing *w, ms_result_kind kind, uint32_t vertices,
                          const ms_write_options *options, const char *path, ms_error *err)
{
  MS_TRY(take_options(options, w, err));
  MS_TRY(check_options(w, kind, err));
  const ms_labels *labels = w->options.labels;
  if (labels && labels->n != vertices)
    return ms_fail(err, MS_ERR_USAGE,
                   "`labels` are for %u vertices, but the graph has %u; read the labels for this "
                   "graph",
                   labels->n, vertices);
  const ms_encoding *encoding = w->options.form == MS_FORM_JSON     ? &ms_encoding_json
                                : w->options.form == MS_FORM_BINARY ? &ms_encoding_binary
                                                                    : &ms_encoding_tsv;
  ms_status status = ms_writer_open(&w->writer, path, encoding, err);
  w->writer.header.kind = kind;
  w->begun = w->ended = false;
  w->status = MS_OK;
  w->seconds = w->row_seconds = 0;
  return status == MS_OK ? MS_OK : ms_writer_close(&w->writer, status, err);
}

double ms_writing_take_time(const ms_writing *w, double search_seconds)
{
  return search_seconds > w->row_seconds ? search_seconds - w->row_seconds : 0;
}

void ms_writing_take_off(const ms_writing *w, ms_status *stopped, uint64_t *matches, char *text)
{
  if (w->writer.header.status != MS_RESULT_SPACE)
    return;
  *stopped = MS_ERR_OUTPUT;
  *matches = w->writer.rows;
  sprintf(text, "%" PRIu64, w->writer.rows); /* not longer than the greater number before */
}

ms_status ms_writing_close(ms_writing *w, ms_status status, ms_error *err)
{
  double begin = ms_seconds();
  status = ms_writer_close(&w->writer, status, err);
  w->seconds += ms_seconds() - begin;
  return status;
}

void ms_writing_attach(ms_writing *w, const ms_query *query)
{
  const ms_write_options *o = &w->options;
  ms_result_header *h = &w->writer.header;
  w->writer.labels = o->labels;
  w->writer.query = query;
  ms_describe_labels(h, o->labels);
  h->row_form = o->wide_rows ? MS_ROWS_WIDE : o->long_rows ? MS_ROWS_LONG : MS_ROWS_USUAL;
  h->roles = o->roles && h->row_form == MS_ROWS_USUAL;
  h->measures = o->measures;
  h->shown_colors = (h->kind & (MS_KIND_SCREEN | MS_KIND_NEAREST | MS_KIND_PARTICIPATION |
                                MS_KIND_FLAGS | MS_KIND_PATTERN_PARTICIPATION)) &&
                    !o->all_colors;
}

void ms_writing_settle(ms_writing *w, ms_status stopped, uint64_t limit, uint64_t matches)
{
  w->writer.header.status = ms_status_of(stopped, limit > 0 && matches >= limit);
}

void ms_writing_divide(ms_writing *w, const ms_division *division, uint64_t units)
{
  ms_result_header *h = &w->writer.header;
  if (!division || division->parts == 0)
    return;
  h->has |= MS_HAS_PART;
  h->division.part = division->part;
  h->division.parts = division->parts;
  h->division.units = units;
}

ms_status ms_writing_check_part(const ms_writing *w, const ms_division *division, ms_error *err)
{
  bool is_text = w->options.form == MS_FORM_TSV || w->options.form == MS_FORM_JSON;
  return division && division->parts > 0 && !is_text ? ms_writing_refuse("a part of a search", err)
                                                     : MS_OK;
}

ms_status ms_writing_part(ms_writing *w, const char *counted, const char *engine,
                          const char *planned_for, ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  h->has &= ~(unsigned)MS_HAS_NO_ORDER; /* there are no rows to have one */
  h->has |= MS_HAS_COUNTED;
  h->division.counted = counted ? counted : "none";
  h->division.engine = engine;
  h->division.planned_for = planned_for;
  h->found = 0;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  return ms_writer_end(&w->writer, err);
}

void ms_writing_typed_screen(ms_result_header *header, const ms_screen_result *screen,
                             const ms_typed_match_options *run)
{
  ms_screen_options options = {.recurrence = run->recurrence, .run.seed = run->run.seed};
  ms_describe_screen(header, screen, &options);
}

/* ---- numbers and drawings -------------------------------------------------------- */

ms_status ms_writing_number(ms_writing *w, const char *number, ms_error *err)
{
  if (w->options.form == MS_FORM_JSON)
    return ms_writer_count(&w->writer, err);
  if (w->options.form != MS_FORM_TSV)
    return ms_writing_refuse("a number", err);
  ms_result_status status = w->writer.header.status;
  if (status == MS_RESULT_COMPLETE || status == MS_RESULT_LIMIT)
    ms_outfile_printf(w->writer.out, "%s\n", number);
  else /* no program takes this line for a number */
    ms_outfile_printf(w->writer.out, ">= %s (%s)\n", number,
                      ms_result_word(MS_WORDS_STATUS, status));
  return MS_OK;
}

/* What a stopped search has found is drawn in this time, or not at all. */
#define SECONDS_AFTER_STOP 0.4

/* Makes a token for a drawing that follows a stopped search, and attaches it.  *late: NULL if the
 * search was not stopped. */
static ms_status open_late_token(ms_stop **late, ms_stop **before, ms_error *err)
{
  *late = NULL;
  if (ms_stop_check(ms_stop_current()) == MS_OK)
    return MS_OK;
  MS_TRY(ms_stop_child(NULL, SECONDS_AFTER_STOP, late, err));
  *before = ms_stop_attach(*late);
  return MS_OK;
}

ms_status ms_writing_draw(ms_writing *w, ms_drawing *drawing, ms_error *err)
{
  double begin = ms_seconds();
  ms_stop *late, *before = NULL;
  MS_TRY(open_late_token(&late, &before, err));
  drawing->header = &w->writer.header;
  drawing->labels = w->writer.labels;
  drawing->query = w->writer.query;
  drawing->count = w->writer.header.found;
  drawing->match = w->options.match;
  drawing->whole_graph = w->options.whole_graph;
  drawing->positions = w->options.positions;
  drawing->unplaced = w->options.unplaced;
  drawing->heading = w->options.title;
  drawing->unit = w->options.unit;
  ms_status status = ms_drawing_open(drawing, err);
  if (status == MS_OK)
    status = w->options.form == MS_FORM_DOT   ? ms_draw_dot(w->writer.out, drawing, err)
             : w->options.form == MS_FORM_SVG ? ms_draw_svg(w->writer.out, drawing, err)
                                              : ms_draw_cx2(w->writer.out, drawing, err);
  if (w->options.drawn)
    *w->options.drawn = drawing->vertices;
  ms_drawing_close(drawing);
  if (late)
    ms_stop_attach(before);
  ms_stop_free(late);
  w->seconds += ms_seconds() - begin;
  return status;
}

/* ---- rows ------------------------------------------------------------------------ */

bool ms_writing_begin(ms_writing *w)
{
  w->begun = true;
  w->status = ms_writer_begin(&w->writer, w->names, &w->err);
  return w->status == MS_OK && !ms_outfile_failed(w->writer.out);
}

bool ms_writing_rows(ms_writing *w, const uint32_t *rows, const uint32_t *score, uint64_t count)
{
  double begin = ms_seconds();
  bool more = ms_writer_matches(&w->writer, rows, score, count);
  double seconds = ms_seconds() - begin;
  w->row_seconds += seconds;
  w->seconds += seconds;
  return more;
}

ms_status ms_writing_end(ms_writing *w, uint64_t found, ms_error *err)
{
  double begin = ms_seconds();
  if (w->ended) {
    if (w->status != MS_OK && err)
      *err = w->err;
    return w->status;
  }
  w->ended = true;
  if (w->status == MS_OK && found != w->writer.rows && !ms_outfile_failed(w->writer.out))
    w->status = ms_fail(&w->err, MS_ERR_INTERNAL,
                        "%" PRIu64 " matches were found, and %" PRIu64 " written; this is a bug in "
                        "motifsieve, please report it with the input files",
                        found, w->writer.rows);
  if (w->status == MS_OK)
    w->status = ms_writer_end(&w->writer, &w->err);
  w->seconds += ms_seconds() - begin;
  if (w->status != MS_OK && err)
    *err = w->err;
  return w->status;
}

bool ms_writing_all(ms_writing *w, const uint32_t *rows, uint64_t count)
{
  ms_writing_begin(w);
  ms_writing_rows(w, rows, NULL, count);
  while (ms_writing_end(w, count, NULL) == MS_OK && ms_outfile_failed(w->writer.out) &&
         ms_writer_rewind(&w->writer)) {
    count = w->writer.header.found;
    w->ended = false;
    ms_writing_begin(w);
    ms_writing_rows(w, rows, NULL, count);
  }
  w->row_seconds = w->seconds;
  return w->status == MS_OK && !ms_outfile_failed(w->writer.out);
}
