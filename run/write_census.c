/* Writes a census: the motifs with most sets first, or the motifs of each vertex. */
#include "run/write_census.h"
#include "base/alloc.h"
#include "base/float_text.h"
#include "base/format.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "census/census.h"
#include "gpu/census/engine.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "parts/log.h"
#include "query/query.h"
#include "result/json.h"
#include "run/write_permutations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ms_census_file census_file;

void ms_census_file_describe(census_file *f, const ms_census_options *o)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_describe_graph(h, f->graph, &w->graph);
  ms_describe_coloring(h, f->coloring, &w->colors);
  h->k = o->k;
  h->census.primary = o->primary;
  h->census.n_only = o->n_only;
  for (uint32_t i = 0; i < o->n_only; i++)
    h->census.only[i] = ms_coloring_name(f->coloring, o->only[i]);
  h->census.min_count = o->min_count;
  h->top = o->top;
  w->names = f->graph->names;
}

void ms_census_file_describe_part(census_file *f, const ms_division *division, uint64_t units)
{
  ms_result_header *h = &f->writing.writer.header;
  if (!division || division->parts == 0)
    return;
  h->has |= MS_HAS_PART;
  h->division.part = division->part;
  h->division.parts = division->parts;
  h->division.units = units;
}

ms_status ms_census_file_check(const ms_census_options *o, const ms_coloring *coloring,
                               ms_error *err)
{
  if (o->n_only > MS_MAX_CENSUS_ONLY)
    return ms_fail(err, MS_ERR_USAGE, "`only` has %u colours; a result file names at most %u",
                   o->n_only, MS_MAX_CENSUS_ONLY);
  for (uint32_t i = 0; i < o->n_only; i++)
    if (o->only[i] >= ms_names_count(coloring->names))
      return ms_fail(err, MS_ERR_USAGE, "`only` names colour %u, and there are %u", o->only[i],
                     ms_names_count(coloring->names));
  return MS_OK;
}

/* Refuses a result that has other colours. */
static ms_status check_result(const ms_census_result *r, const ms_coloring *coloring, ms_error *err)
{
  for (uint64_t i = 0; i < r->count * r->k; i++)
    if (r->color[i] >= ms_names_count(coloring->names))
      return ms_fail(err, MS_ERR_USAGE,
                     "the census has colour %u, and there are %u; give the colours that it was "
                     "made with",
                     r->color[i], ms_names_count(coloring->names));
  return MS_OK;
}

/* ---- the whole graph ------------------------------------------------------------------ */

static void describe_significance(ms_result_header *h, const ms_significance *s)
{
  h->has |= MS_HAS_SIGNIFICANCE;
  h->significance.tests = s->tests;
  h->significance.most = s->most;
  h->significance.min_expected = s->min_expected;
  h->significance.n_overlaps = s->overlap[0][0] ? s->k + 1 : 0;
  for (uint32_t i = 0; i < h->significance.n_overlaps; i++)
    h->significance.overlap[i] = s->overlap[i];
  if (s->exact || h->significance.n_overlaps == 0)
    return;
  h->significance.moments = 1;
  h->significance.samples = s->samples;
  h->significance.seed = s->seed;
  h->significance.error = ms_six_digits(s->error);
}

/* Collects the statistics of motif i in the order of the columns; returns how many there are. */
static uint32_t collect_statistics(census_file *f, uint64_t sets, uint64_t i)
{
  const ms_permutation_result *r = f->extra ? f->extra->permutations : NULL;
  const ms_significance *s = f->extra ? f->extra->significance : NULL;
  uint32_t count = 0;
  if (s) {
    const double *column[] = {s->z, s->p, s->q, s->p_less, s->q_less};
    f->statistics[count++] = s->expected[i];
    f->statistics[count++] = s->sd[i];
    f->statistics[count++] = ms_fold(sets, s->expected[i]);
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
      f->statistics[count++] = column[c][i];
    f->statistics[count++] = s->p_by[i] == MS_P_BY_NONE ? (double)NAN : s->p_by[i];
  }
  if (r && !r->sum) {
    const double *column[] = {r->z, r->p, r->q, r->p_less, r->q_less, r->p_max};
    f->statistics[count++] = r->expected[i];
    f->statistics[count++] = r->sd[i];
    f->statistics[count++] = ms_fold(sets, r->expected[i]);
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
      if (column[c])
        f->statistics[count++] = column[c][i];
  }
  return count;
}

/* Six digits, which is what the reader of JSON sees, too. */
static void put_statistics(census_file *f, uint32_t count)
{
  ms_outfile *out = f->writing.writer.out;
  for (uint32_t i = 0; i < count; i++) {
    char text[MS_FLOAT_BYTES] = MS_NO_STATISTIC;
    size_t length;
    const char *name = ms_result_statistic(&f->writing.writer.header, i, &length);
    bool known = isfinite(f->statistics[i]);
    if (known && ms_result_statistic_is_word(name, length))
      snprintf(text, sizeof text, "%s", ms_result_word(MS_WORDS_P_BY, (uint32_t)f->statistics[i]));
    else if (known)
      ms_format(text, sizeof text, "%.6g", f->statistics[i]);
    ms_outfile_printf(out, "\t%s", text);
  }
}

static void put_sums(census_file *f, uint64_t i)
{
  const ms_permutation_result *r = f->extra->permutations;
  ms_sums_text sums;
  ms_sums_write(&r->sum[i], r->n_ge[i], r->n_le[i], &sums);
  for (uint32_t s = 0; s < MS_PERMUTED_SUMS; s++)
    ms_outfile_printf(f->writing.writer.out, "\t%s", sums.text[s]);
}

static json_t *pack_sums(census_file *f, uint64_t i, json_t *object)
{
  const ms_permutation_result *r = f->extra->permutations;
  ms_sums_text sums;
  uint32_t first = ms_result_statistics(&f->writing.writer.header);
  ms_sums_write(&r->sum[i], r->n_ge[i], r->n_le[i], &sums);
  for (uint32_t s = 0; s < MS_PERMUTED_SUMS; s++) {
    char key[32];
    size_t length;
    const char *name = ms_result_statistic(&f->writing.writer.header, first + s, &length);
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    object = ms_json_add_text(object, key, sums.text[s]);
  }
  return object;
}

static json_t *pack_statistics(census_file *f, uint32_t count, json_t *object)
{
  for (uint32_t i = 0; i < count; i++) {
    char text[MS_FLOAT_BYTES], key[32];
    size_t length;
    const char *name = ms_result_statistic(&f->writing.writer.header, i, &length);
    bool known = isfinite(f->statistics[i]);
    ms_format(text, sizeof text, "%.6g", known ? f->statistics[i] : 0);
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    if (known && ms_result_statistic_is_word(name, length))
      object =
          ms_json_add_text(object, key, ms_result_word(MS_WORDS_P_BY, (uint32_t)f->statistics[i]));
    else
      object = ms_json_add(object, key, known ? json_real(ms_read_real(text, NULL)) : json_null());
  }
  return object;
}

/* Writes the numbers of the colours of a motif, which only parts have. */
static void put_color_ids(census_file *f, const uint32_t *color)
{
  for (uint32_t i = 0; i < f->writing.writer.header.k; i++)
    ms_outfile_printf(f->writing.writer.out, "%s%" PRIu32, i ? "," : "\t", color[i]);
}

static json_t *pack_color_ids(const census_file *f, const uint32_t *color, json_t *object)
{
  json_t *ids = json_array();
  for (uint32_t i = 0; i < f->writing.writer.header.k; i++)
    ms_json_append(&ids, json_integer(color[i]));
  return ms_json_add(object, "color_ids", ids);
}

/* Writes the columns that every census has. */
static void put_columns(ms_writer *w, const char *motif, uint64_t sets, const char *share)
{
  ms_outfile_printf(w->out, "%s\t%" PRIu32 "\t%" PRIu64 "\t%s", motif, w->header.k, sets, share);
}

static json_t *pack_columns(const ms_writer *w, const char *motif, uint64_t sets, const char *share)
{
  return json_pack("{s:s, s:s, s:I, s:I, s:f}", "type", "census", "motif", motif, "k",
                   (json_int_t)w->header.k, "sets", (json_int_t)sets, "share",
                   ms_read_real(share, NULL));
}

ms_status ms_writing_census_row(ms_writer *w, bool json, const char *motif, uint64_t sets,
                                ms_error *err)
{
  char share[MS_FLOAT_BYTES];
  ms_float_brief((float)((double)sets / (double)w->header.census.sets), share);
  w->rows++;
  if (json)
    return ms_json_put(w->out, pack_columns(w, motif, sets, share), "\n", err);
  put_columns(w, motif, sets, share);
  ms_outfile_puts(w->out, "\n");
  return MS_OK;
}

static ms_status put_columns_of(census_file *f, const ms_census_result *r, uint64_t i,
                                const char *text, ms_error *err)
{
  bool is_part = f->writing.writer.header.has & MS_HAS_PART;
  bool has_sums = is_part && f->extra->permutations;
  ms_outfile *out = f->writing.writer.out;
  char share[MS_FLOAT_BYTES];
  uint32_t statistics = collect_statistics(f, r->n_sets[i], i);
  ms_float_brief((float)((double)r->n_sets[i] / (double)r->sets), share);
  f->writing.writer.rows++;
  if (f->writing.options.form == MS_FORM_JSON) {
    json_t *object = pack_columns(&f->writing.writer, text, r->n_sets[i], share);
    object = pack_statistics(f, statistics, object);
    if (has_sums)
      object = pack_sums(f, i, object);
    else if (is_part)
      object = pack_color_ids(f, r->color + i * r->k, object);
    return ms_json_put(out, object, "\n", err);
  }
  put_columns(&f->writing.writer, text, r->n_sets[i], share);
  put_statistics(f, statistics);
  if (has_sums)
    put_sums(f, i);
  else if (is_part)
    put_color_ids(f, r->color + i * r->k);
  ms_outfile_puts(out, "\n");
  return MS_OK;
}

static ms_status put_row(census_file *f, const ms_census_result *r, uint64_t i, ms_error *err)
{
  ms_motif *motif;
  if (f->text)
    return put_columns_of(f, r, i, f->text[i], err);
  MS_TRY(ms_motif_from_slots(r->color + i * r->k, r->k, f->coloring, &motif, err));
  ms_status status = put_columns_of(f, r, i, ms_motif_text(motif), err);
  ms_motif_free(motif);
  return status;
}

/* ---- the order of rows ------------------------------------------------------------------ */

typedef struct row_place {
  double value; /* the rows with the least ones come first */
  uint64_t motif;
} row_place;

static int by_place(const void *a, const void *b)
{
  const row_place *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->motif < y->motif ? -1 : x->motif > y->motif;
}

/* Returns the value of a motif as it is written, so that the file itself shows its order. */
static double place_value(const census_file *f, uint64_t i)
{
  const ms_significance *s = f->extra->significance;
  const ms_permutation_result *r = f->extra->permutations;
  const double *z = s ? s->z : r->z, *p = s ? s->p : r->p, *q = s ? s->q : r->q;
  bool by_z = f->extra->sort == MS_CENSUS_BY_Z;
  double value = by_z ? z[i] : f->extra->sort == MS_CENSUS_BY_P ? p[i] : q[i];
  char text[MS_FLOAT_BYTES];
  if (!isfinite(value))
    return (double)INFINITY;
  ms_format(text, sizeof text, "%.6g", value);
  return by_z ? -ms_read_real(text, NULL) : ms_read_real(text, NULL);
}

static ms_status sort_rows(census_file *f, const ms_census_result *r, const ms_census_options *o,
                           ms_error *err)
{
  f->rows = r->count;
  if (!f->extra || f->extra->sort == MS_CENSUS_BY_SETS || r->count == 0)
    return MS_OK;
  row_place *all = ms_alloc(r->count, sizeof *all);
  f->order = ms_alloc(r->count, sizeof *f->order);
  if (!all || !f->order) {
    ms_free(all);
    return ms_fail_memory(err, "the order of a census");
  }
  f->rows = 0;
  for (uint64_t i = 0; i < r->count; i++)
    if (r->n_sets[i] >= o->min_count)
      all[f->rows++] = (row_place){place_value(f, i), i};
  if (f->rows > 0)
    qsort(all, f->rows, sizeof *all, by_place);
  f->rows = o->top > 0 && o->top < f->rows ? o->top : f->rows;
  for (uint64_t i = 0; i < f->rows; i++)
    f->order[i] = all[i].motif;
  ms_free(all);
  return MS_OK;
}

/* ---- all rows --------------------------------------------------------------------------- */

static ms_status write_rows(census_file *f, const ms_census_result *r, ms_error *err)
{
  ms_result_header *h = &f->writing.writer.header;
  h->status = ms_status_of(r->stopped, false);
  h->census.sets = r->sets;
  h->motifs_found = r->motifs;
  if (f->extra && f->extra->significance)
    describe_significance(h, f->extra->significance);
  if (f->extra && f->extra->permutations)
    ms_writing_permutations(h, f->extra->permutations, f->extra->permutation_options,
                            f->extra->strata);
  MS_TRY(ms_writer_begin(&f->writing.writer, f->writing.names, err));
  for (uint64_t i = 0; i < f->rows; i++)
    MS_TRY(put_row(f, r, f->order ? f->order[i] : i, err));
  return ms_writer_end(&f->writing.writer, err);
}

ms_status ms_writing_census_merged(ms_writer *w, const ms_census_result *r, const char *const *text,
                                   const ms_census_statistics *extra, ms_error *err)
{
  bool json = w->encoding == &ms_encoding_json;
  const ms_census_options o = {.min_count = w->header.census.min_count, .top = w->header.top};
  census_file f = {
      .writing = {.writer = *w, .options = {.form = json ? MS_FORM_JSON : MS_FORM_TSV}},
      .extra = extra,
      .text = text};
  ms_status status = sort_rows(&f, r, &o, err);
  if (!f.order) /* the motifs with the most sets come first */
    while (f.rows > 0 && (r->n_sets[f.rows - 1] < o.min_count || (o.top > 0 && f.rows > o.top)))
      f.rows--;
  for (uint64_t i = 0; i < f.rows && status == MS_OK; i++) {
    status = i % 4096 == 0 ? ms_stop_poll("parts are merged", err) : MS_OK;
    if (status == MS_OK)
      status = put_row(&f, r, f.order ? f.order[i] : i, err);
  }
  ms_free(f.order);
  *w = f.writing.writer;
  return status;
}

/* Refuses an order for which something is missing. */
static ms_status check_order(const ms_census_statistics *s, const ms_census_result *r,
                             ms_error *err)
{
  if (s->sort > MS_CENSUS_BY_Q)
    return ms_fail(err, MS_ERR_USAGE, "`sort` is no ms_census_order");
  if (s->sort == MS_CENSUS_BY_SETS)
    return MS_OK;
  if (!s->significance && !s->permutations && r->stopped == MS_OK)
    return ms_fail(err, MS_ERR_USAGE,
                   "`sort` needs `significance` or `permutations`, or MS_CENSUS_BY_SETS");
  if (r->count < r->motifs)
    return ms_fail(err, MS_ERR_USAGE,
                   "`sort` needs all motifs of a census; make it without `min_count` and `top`, "
                   "which hold while rows are written");
  return MS_OK;
}

/* Refuses statistics of fewer motifs. */
static ms_status check_statistics(const ms_census_statistics *s, const ms_census_result *r,
                                  ms_error *err)
{
  if (s->significance && s->significance->count != r->count)
    return ms_fail(err, MS_ERR_USAGE, "the significance is of %llu motifs, and the census has %llu",
                   (unsigned long long)s->significance->count, (unsigned long long)r->count);
  if (!s->permutations)
    return MS_OK;
  if (!s->permutation_options)
    return ms_fail(err, MS_ERR_USAGE, "statistics have permutations without their options");
  if (s->permutations->count < r->count)
    return ms_fail(err, MS_ERR_USAGE,
                   "the permutations are of %llu motifs, and the census has %llu",
                   (unsigned long long)s->permutations->count, (unsigned long long)r->count);
  return MS_OK;
}

ms_status ms_census_write_statistics(const ms_graph *graph, const ms_coloring *coloring,
                                     const ms_census_options *run, const ms_census_result *result,
                                     const ms_census_statistics *statistics,
                                     const ms_write_options *options, const char *path,
                                     ms_error *err)
{
  ms_census_options o;
  ms_census_statistics s;
  ms_division division;
  census_file f = {.graph = graph, .coloring = coloring, .extra = &s};
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, run, &o, err));
  MS_TRY(ms_options_take(&ms_census_statistics_kind, statistics, &s, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_census_file_check(&o, coloring, err));
  MS_TRY(check_result(result, coloring, err));
  MS_TRY(check_statistics(&s, result, err));
  MS_TRY(check_order(&s, result, err));
  MS_TRY(ms_division_take_checked(&o.division, &division, err));
  if (o.division && o.division->parts > 0 && s.significance && !s.permutations)
    return ms_fail(err, MS_ERR_USAGE,
                   "a part of a census has no significance; merge the parts first");
  if (s.permutations && (s.permutations->sum != NULL) != (o.division && o.division->parts > 0))
    return ms_fail(
        err, MS_ERR_USAGE,
        "the permutations and the options differ in whether there are parts; pass the options "
        "that made the permutations");
  o.k = result->k;
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_CENSUS, graph->n, options, path, err));
  ms_census_file_describe(&f, &o);
  ms_census_file_describe_part(&f, o.division,
                               s.permutations ? s.permutations->asked : result->units);
  ms_writing_paranoid(&f.writing, &result->paranoid);
  f.writing.writer.header.census.sort = s.sort;
  if (o.division && o.division->parts > 0)
    o.min_count = o.top = s.sort = 0; /* which hold for the merged parts */
  ms_status status = sort_rows(&f, result, &o, err);
  if (status == MS_OK)
    status = write_rows(&f, result, err);
  ms_free(f.order);
  return ms_writing_close(&f.writing, status, err);
}

ms_status ms_census_write(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_census_options *run, const ms_census_result *result,
                          const ms_write_options *options, const char *path, ms_error *err)
{
  return ms_census_write_statistics(graph, coloring, run, result, NULL, options, path, err);
}
