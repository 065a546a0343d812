/* Writes a census, of the whole graph or of each vertex. */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "census/accelerator.h"
#include "census/census.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "parts/log.h"
#include "query/query.h"
#include "result/json.h"
#include "run/units/vertex_rows.h"
#include "run/write/write.h"
#include "run/write/write_permutations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- of the graph ---------------------------------------------------------------------------- */

typedef struct census_file {
  ms_writing writing;
  const ms_graph *graph;
  const ms_coloring *coloring;
  uint32_t k;
  const ms_census_statistics *extra;
  const char *const *text;    /* [motifs] merged parts; NULL: made from the colours */
  const ms_shape_info *shape; /* [motifs] merged parts of shapes; NULL: made from their codes */
  double profile;             /* root of the sum of the squares of z, by permutations */
  struct known_text *known;   /* for rows of vertices: most motifs come again and again */
  uint64_t *order;            /* [rows] the motifs in the order of rows; NULL: that of the census */
  uint64_t rows;              /* to be written */
  uint64_t vertices;          /* of rows of vertices: those that were counted */
  ms_status status;           /* of these rows */
  ms_error *err;
} census_file;

void ms_writing_census_head(ms_writing *w, const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *o)
{
  ms_result_header *h = &w->writer.header;
  h->has |= o->shapes ? MS_HAS_SHAPES : 0;
  ms_describe_graph(h, graph, &w->graph);
  if (coloring)
    ms_describe_coloring(h, coloring, &w->colors);
  h->census.subgraphs = o->non_induced;
  h->k = o->k;
  h->census.primary = o->primary;
  h->census.n_only = o->n_only;
  for (uint32_t i = 0; i < o->n_only; i++)
    h->census.only[i] = ms_coloring_name(coloring, o->only[i]);
  h->census.min_count = o->min_count;
  h->top = o->top;
  w->names = graph->names;
}

ms_status ms_writing_check_only(const ms_census_options *o, const ms_coloring *coloring,
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

/* Refuses a result that has other colours, or that is not of these options. */
static ms_status check_result(const ms_census_result *r, const ms_census_options *o,
                              const ms_coloring *coloring, ms_error *err)
{
  bool has_colors = coloring || !o->shapes, stopped = r->run.stopped != MS_OK;
  if (!stopped && ((r->shape != NULL) != o->shapes || (r->color != NULL) != has_colors))
    return ms_fail(
        err, MS_ERR_USAGE,
        "the census and the options differ in whether there are shapes, or colours; pass "
        "what made the census");
  for (uint64_t i = 0; r->color && i < r->count * r->k; i++)
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

/* Sets the statistics of motif i. */
static void set_statistics(const census_file *f, uint64_t i, ms_census_row *row)
{
  const ms_permutation_result *r = f->extra ? f->extra->permutations : NULL;
  const ms_significance *s = f->extra ? f->extra->significance : NULL;
  if (s) {
    const double by[] = {[MS_STAT_EXPECTED] = s->expected[i],
                         [MS_STAT_SD] = s->sd[i],
                         [MS_STAT_FOLD] = ms_fold(row->sets, s->expected[i]),
                         [MS_STAT_Z] = s->z[i],
                         [MS_STAT_P] = s->p[i],
                         [MS_STAT_Q] = s->q[i],
                         [MS_STAT_P_LESS] = s->p_less[i],
                         [MS_STAT_Q_LESS] = s->q_less[i],
                         [MS_STAT_P_BY] =
                             s->p_by[i] == MS_P_BY_NONE ? (double)NAN : (double)s->p_by[i]};
    memcpy(row->statistic, by, sizeof by);
  }
  if (r && r->mean)
    row->statistic[MS_STAT_EXPECTED] = r->mean[i];
  if (r && !r->sum) {
    ms_writing_statistics(r, i, row->sets, row->statistic);
    row->statistic[MS_STAT_PROFILE] = f->profile > 0 ? r->z[i] / f->profile : (double)NAN;
  }
}

/* Returns the length of the vector of all z (R. Milo et al.: Superfamilies of evolved and designed
 * networks, Science 303, 2004). */
static double find_profile(const ms_permutation_result *r)
{
  double squares = 0;
  for (uint64_t i = 0; r->z && i < r->count; i++)
    squares += isfinite(r->z[i]) ? r->z[i] * r->z[i] : 0;
  return sqrt(squares);
}

ms_census_row ms_writing_census_row(const ms_result_header *h, const char *motif, uint64_t sets)
{
  double share = h->census.sets > 0 ? (double)sets / (double)h->census.sets : 0;
  return (ms_census_row){
      .motif = motif, .sets = sets, .share = h->census.subgraphs ? (double)NAN : share};
}

void ms_writing_shape(const ms_shape_info *info, ms_census_row *row)
{
  row->name = info->name[0] ? info->name : MS_NO_VALUE;
  row->graph6 = info->graph6;
  row->edges = info->edges;
  row->automorphisms = info->automorphisms;
}

static ms_status put_columns_of(census_file *f, const ms_census_result *r, uint64_t i,
                                const char *text, ms_error *err)
{
  const ms_permutation_result *permuted = f->extra ? f->extra->permutations : NULL;
  ms_census_row row = ms_writing_census_row(&f->writing.writer.header, text, r->n_sets[i]);
  row.n_ids = r->color ? r->k : 0;
  ms_sums_text sums;
  ms_shape_info info;
  const ms_shape_info *shape = f->shape ? &f->shape[i] : r->shape ? &info : NULL;
  if (r->shape)
    MS_TRY(ms_shape_describe(r->k, r->directed, r->shape[i], r->color ? r->color + i * r->k : NULL,
                             &info, err));
  if (shape)
    ms_writing_shape(shape, &row);
  set_statistics(f, i, &row);
  if (permuted && permuted->sum) {
    ms_sums_write(&permuted->sum[i], permuted->n_ge[i], permuted->n_le[i], &sums);
    memcpy(row.sum, sums.text, sizeof row.sum);
  }
  if (r->color)
    memcpy(row.color_id, r->color + i * r->k, r->k * sizeof *row.color_id);
  return ms_writer_row(&f->writing.writer, &row, err);
}

static ms_status put_shape(census_file *f, const ms_census_result *r, uint64_t i, ms_error *err)
{
  const char *name[MS_MAX_SHAPE];
  char *text;
  for (uint32_t j = 0; r->color && j < r->k; j++)
    name[j] = ms_coloring_name(f->coloring, r->color[i * r->k + j]);
  MS_TRY(ms_shape_pattern(r->k, r->directed, r->shape[i], r->color ? name : NULL, &text, err));
  ms_status status = put_columns_of(f, r, i, text, err);
  ms_free(text);
  return status;
}

static ms_status put_row(census_file *f, const ms_census_result *r, uint64_t i, ms_error *err)
{
  ms_motif *motif;
  if (f->text)
    return put_columns_of(f, r, i, f->text[i], err);
  if (r->shape)
    return put_shape(f, r, i, err);
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
  const double *const of_order[] = {[MS_CENSUS_BY_SETS] = NULL,
                                    [MS_CENSUS_BY_Z] = s ? s->z : r->z,
                                    [MS_CENSUS_BY_P] = s ? s->p : r->p,
                                    [MS_CENSUS_BY_Q] = s ? s->q : r->q,
                                    [MS_CENSUS_BY_P_LESS] = s ? s->p_less : r->p_less,
                                    [MS_CENSUS_BY_Q_LESS] = s ? s->q_less : r->q_less};
  bool by_z = f->extra->sort == MS_CENSUS_BY_Z;
  double value = of_order[f->extra->sort][i];
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
  h->status = ms_status_of(r->run.stopped, false);
  h->census.sets = r->sets;
  h->motifs_found = r->motifs;
  if (f->extra && f->extra->significance)
    describe_significance(h, f->extra->significance);
  if (f->extra && f->extra->permutations)
    f->profile = find_profile(f->extra->permutations);
  if (f->extra && f->extra->permutations)
    ms_writing_permutations(h, f->extra->permutations, f->extra->permutation_options,
                            f->extra->strata);
  MS_TRY(ms_writer_begin(&f->writing.writer, f->writing.names, err));
  for (uint64_t i = 0; i < f->rows; i++)
    MS_TRY(put_row(f, r, f->order ? f->order[i] : i, err));
  return ms_writer_end(&f->writing.writer, err);
}

ms_status ms_writing_census_merged(ms_writer *w, const ms_census_result *r, const char *const *text,
                                   const ms_shape_info *shape, const ms_census_statistics *extra,
                                   ms_error *err)
{
  bool json = w->encoding == &ms_encoding_json;
  const ms_census_options o = {.min_count = w->header.census.min_count, .top = w->header.top};
  census_file f = {
      .writing = {.writer = *w, .options = {.form = json ? MS_FORM_JSON : MS_FORM_TSV}},
      .extra = extra,
      .profile = find_profile(extra->permutations),
      .shape = shape,
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
  if (s->sort > MS_CENSUS_BY_Q_LESS)
    return ms_fail(err, MS_ERR_USAGE, "`sort` is no ms_census_order");
  if (s->sort == MS_CENSUS_BY_SETS)
    return MS_OK;
  if (!s->significance && !s->permutations && r->run.stopped == MS_OK)
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
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, run, &o, err));
  MS_TRY(ms_options_take(&ms_census_statistics_kind, statistics, &s, err));
  if (!o.shapes || o.n_only > 0)
    MS_REQUIRE(coloring, err);
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_writing_check_only(&o, coloring, err));
  MS_TRY(check_result(result, &o, coloring, err));
  MS_TRY(check_statistics(&s, result, err));
  MS_TRY(check_order(&s, result, err));
  MS_TRY(ms_division_take_checked(&o.run.division, &division, err));
  if (o.run.division && o.run.division->parts > 0 && s.significance && !s.permutations)
    return ms_fail(err, MS_ERR_USAGE,
                   "a part of a census has no significance; merge the parts first");
  if (s.permutations &&
      (s.permutations->sum != NULL) != (o.run.division && o.run.division->parts > 0))
    return ms_fail(
        err, MS_ERR_USAGE,
        "the permutations and the options differ in whether there are parts; pass the options "
        "that made the permutations");
  o.k = result->k;
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_CENSUS, graph->n, options, path, err));
  ms_writing_census_head(&f.writing, graph, coloring, &o);
  ms_writing_divide(&f.writing, o.run.division,
                    s.permutations ? s.permutations->asked : result->run.units);
  ms_writing_paranoid(&f.writing, &result->run.paranoid);
  f.writing.writer.header.census.sort = s.sort;
  if (o.run.division && o.run.division->parts > 0)
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

/* ---- of each vertex -------------------------------------------------------------------------- */

/* The text of a motif that was written. */
typedef struct known_text {
  uint32_t color[MS_MAX_CENSUS]; /* [k], then zeros */
  char *text;                    /* NULL: the place is free */
} known_text;

#define KNOWN_TEXTS 16384u

/* Returns the text of a motif; NULL, and f->status: there is none. */
static const char *find_text(census_file *f, const uint32_t *color)
{
  known_text key = {.text = NULL};
  ms_motif *motif;
  memcpy(key.color, color, f->k * sizeof *color);
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), key.color, sizeof key.color);
  known_text *place = &f->known[hash % KNOWN_TEXTS];
  if (place->text && memcmp(place->color, key.color, sizeof key.color) == 0)
    return place->text;
  f->status = ms_motif_from_slots(color, f->k, f->coloring, &motif, f->err);
  if (f->status != MS_OK)
    return NULL;
  ms_free(place->text);
  *place = key;
  place->text = ms_strdup(ms_motif_text(motif));
  ms_motif_free(motif);
  if (!place->text)
    f->status = ms_fail_memory(f->err, "the text of a motif");
  return place->text;
}

/* Writes the rows of a vertex, which is whole or, in a part, perhaps not; an ms_census_part_fn. */
static bool put_part(void *user, const ms_census_part *part)
{
  census_file *f = user;
  const ms_census_vertex *v = part->vertex;
  double begin = ms_seconds();
  f->vertices += part->is_first;
  for (uint64_t i = 0; i < v->count && f->status == MS_OK; i++) {
    const uint32_t *color = v->color + i * f->k;
    ms_census_row row = {.vertex = ms_graph_name(f->graph, v->vertex),
                         .motif = find_text(f, color),
                         .sets = v->n_sets[i],
                         .unit = part->unit,
                         .n_ids = part->is_cut ? f->k : 0};
    memcpy(row.color_id, color, f->k * sizeof *color);
    if (row.motif)
      f->status = ms_writer_row(&f->writing.writer, &row, f->err);
  }
  f->writing.row_seconds += ms_seconds() - begin;
  return f->status == MS_OK && !ms_outfile_failed(f->writing.writer.out);
}

/* The same of a whole vertex; an ms_census_fn. */
static bool put_vertex(void *user, const ms_census_vertex *v)
{
  const ms_census_part whole = {.is_first = true, .vertex = v};
  return put_part(user, &whole);
}

static ms_status write_vertices(census_file *f, const ms_census_options *o,
                                ms_census_summary *summary, ms_error *err)
{
  ms_result_header *h = &f->writing.writer.header;
  const ms_division *division = o->run.division;
  h->census.per_vertex = true;
  if (division && division->parts > 0)
    MS_TRY(ms_census_vertices_units(f->graph, f->coloring, o, &h->division.units, err));
  MS_TRY(ms_writer_begin(&f->writing.writer, f->writing.names, err));
  if (division)
    MS_TRY(ms_census_vertices_divided(&ms_census_gpus, f->graph, f->coloring, o, put_part, f,
                                      summary, err));
  else
    MS_TRY(ms_census_vertices(f->graph, f->coloring, o, put_vertex, f, summary, err));
  if (f->status != MS_OK)
    return f->status;
  h->status = ms_status_of(summary->run.stopped, false);
  h->motifs_found = f->vertices;
  summary->run.time_write = f->writing.row_seconds;
  return ms_writer_end(&f->writing.writer, err);
}

ms_status ms_census_vertices_to_file(const ms_graph *graph, const ms_coloring *coloring,
                                     const ms_census_options *run, const ms_write_options *options,
                                     const char *path, ms_census_summary *summary, ms_error *err)
{
  ms_census_options o;
  ms_census_summary own = {0};
  ms_division division;
  census_file f = {.graph = graph, .coloring = coloring, .err = err};
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, run, &o, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_writing_check_only(&o, coloring, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_census_refuse_shapes(&o, "a census of each vertex", err));
  MS_TRY(ms_division_take(&o.run.division, &division, err));
  if (o.run.division && division.crew)
    return ms_division_refuse(o.run.division, "a census of each vertex", err);
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_VERTEX_CENSUS, graph->n, options, path, err));
  f.k = o.k;
  ms_writing_census_head(&f.writing, graph, coloring, &o);
  ms_writing_divide(&f.writing, o.run.division, 0);
  f.known = ms_calloc(KNOWN_TEXTS, sizeof *f.known);
  ms_status status =
      f.known ? write_vertices(&f, &o, &own, err) : ms_fail_memory(err, "the texts of motifs");
  for (uint32_t i = 0; f.known && i < KNOWN_TEXTS; i++)
    ms_free(f.known[i].text);
  ms_free(f.known);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK && summary)
    *summary = own;
  return status;
}
