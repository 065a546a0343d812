/* Writes a comparison of samples: what it says of each motif and pair of groups, or the numbers of
 * each motif and sample. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/text/format.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "query/query.h"
#include "result/json.h"
#include "run/write/write.h"
#include "run/write/write_permutations.h"
#include "samples/samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_BYTES 24

typedef struct compare_file {
  ms_writing writing;
  const ms_samples *samples;
  const ms_comparison *comparison;
  uint32_t n;
  double pseudo;                /* share that is added before a logarithm is taken */
  char (*number)[NUMBER_BYTES]; /* [4 * n] texts of the header */
} compare_file;

/* ---- the header --------------------------------------------------------------------- */

/* Describes graph and colours: those that were divided, or the sheet, read as its first sample. */
static void describe_inputs(compare_file *f)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_samples_info info = ms_samples_describe(f->samples);
  ms_sample_info first = ms_samples_get(f->samples, 0);
  ms_describe_graph(h, first.graph, &w->graph);
  ms_describe_coloring(h, first.coloring, &w->colors);
  h->samples.sheet = true;
  h->graph_path = h->colors_path = info.path;
  h->graph_crc32c = h->colors_crc32c = info.crc32c;
  h->vertices = info.vertices < UINT32_MAX ? (uint32_t)info.vertices : UINT32_MAX;
  h->edges = info.edges;
  h->colors = ms_coloring_describe(f->comparison->colors).colors;
  h->assignments = 0;
  for (uint32_t i = 0; i < f->n; i++)
    h->assignments += ms_coloring_describe(ms_samples_get(f->samples, i).coloring).assignments;
}

/* Describes the one graph, whose parts the samples are. */
static void describe_parts(compare_file *f)
{
  ms_result_header *h = &f->writing.writer.header;
  ms_samples_info info = ms_samples_describe(f->samples);
  ms_describe_graph(h, ms_samples_get(f->samples, 0).graph, &f->writing.graph);
  ms_describe_coloring(h, f->samples->whole, &f->writing.colors);
  h->samples.metadata = (ms_result_file){info.path, info.crc32c};
}

static const char *put_number(compare_file *f, uint32_t place, const char *format, uint64_t number)
{
  snprintf(f->number[place], NUMBER_BYTES, strcmp(format, "x") == 0 ? "%08" PRIx64 : "%" PRIu64,
           number);
  return f->number[place];
}

static void describe_samples(compare_file *f, const ms_sample_options *reading)
{
  ms_result_samples *s = &f->writing.writer.header.samples;
  ms_samples_info info = ms_samples_describe(f->samples);
  s->sample_column = reading->sample_column;
  s->group_column = reading->group_column;
  s->block_column = reading->block_column;
  s->vertex_column = reading->vertex_column;
  s->count = s->n_groups = s->n_sets = s->n_vertices = f->n;
  s->n_blocks = info.blocks > 0 ? f->n : 0;
  s->n_graphs = s->n_colors = info.split ? 0 : f->n;
  for (uint32_t i = 0; i < f->n; i++) {
    ms_sample_info sample = ms_samples_get(f->samples, i);
    s->each->name[i] = sample.name;
    s->each->group[i] = sample.group;
    s->each->block[i] = sample.block;
    s->each->graph_crc32c[i] = put_number(f, 4 * i, "x", ms_graph_describe(sample.graph).crc32c);
    s->each->color_crc32c[i] =
        put_number(f, 4 * i + 1, "x", ms_coloring_describe(sample.coloring).crc32c);
    s->each->sets[i] = put_number(f, 4 * i + 2, "u", f->comparison->sets[i]);
    s->each->vertices[i] = put_number(f, 4 * i + 3, "u", f->comparison->vertices[i]);
  }
}

static void describe(compare_file *f, const ms_sample_options *reading, const ms_compare_options *o)
{
  ms_result_header *h = &f->writing.writer.header;
  const ms_comparison *c = f->comparison;
  if (ms_samples_describe(f->samples).split)
    describe_parts(f);
  else
    describe_inputs(f);
  describe_samples(f, reading);
  h->k = c->k;
  h->census.primary = o->primary;
  h->census.n_only = o->n_only;
  for (uint32_t i = 0; i < o->n_only; i++)
    h->census.only[i] = o->only[i];
  h->census.min_count = o->min_count;
  h->top = o->top;
  h->samples.per_sample = h->kind == MS_KIND_SAMPLE_COUNTS;
  h->samples.test = c->test;
  h->samples.reference = o->reference;
  h->samples.rest = o->rest;
  h->samples.seed = o->run.seed;
  h->samples.permutations = c->planned;
  h->status = ms_status_of(c->run.stopped, false);
  h->motifs_found = c->motifs;
  f->writing.names = c->colors->names;
}

/* ---- rows --------------------------------------------------------------------------- */

static const char *group_name(const compare_file *f, uint32_t group)
{
  for (uint32_t i = 0; i < f->n; i++) {
    ms_sample_info sample = ms_samples_get(f->samples, i);
    if (sample.group_id == group)
      return sample.group;
  }
  return "*";
}

static ms_status motif_of(const compare_file *f, uint64_t m, ms_motif **motif, ms_error *err)
{
  const ms_comparison *c = f->comparison;
  return ms_motif_from_slots(c->color + m * c->k, c->k, c->colors, motif, err);
}

static ms_status put_row(compare_file *f, const ms_compare_row *r, ms_error *err)
{
  const ms_contrast *contrast = &f->comparison->contrast[r->contrast];
  ms_motif *motif;
  MS_TRY(motif_of(f, r->motif, &motif, err));
  const ms_compared_row row = {.motif = ms_motif_text(motif),
                               .group = group_name(f, contrast->group),
                               .reference = group_name(f, contrast->reference),
                               .number = {r->rate, r->reference_rate, r->log2_ratio, r->delta, r->p,
                                          r->q, r->excess, r->reference_excess,
                                          r->log2_excess_ratio, r->p_excess, r->q_excess},
                               .permutations = contrast->permutations,
                               .exact = contrast->exact};
  ms_status status = ms_writer_row(&f->writing.writer, &row, err);
  ms_motif_free(motif);
  return status;
}

/* Returns the base-2 logarithm of observed over expected share, as the comparison takes it. */
static double excess_of(const compare_file *f, uint64_t cell)
{
  const ms_comparison *c = f->comparison;
  double sets = (double)c->sets[cell % f->n];
  return c->expected ? log2(((double)c->n_sets[cell] / sets + f->pseudo) /
                            (c->expected[cell] / sets + f->pseudo))
                     : NAN;
}

static ms_status put_counts(compare_file *f, uint64_t m, ms_error *err)
{
  const ms_comparison *c = f->comparison;
  ms_motif *motif;
  ms_status status = MS_OK;
  MS_TRY(motif_of(f, m, &motif, err));
  for (uint32_t s = 0; s < f->n && status == MS_OK; s++) {
    uint64_t cell = m * f->n + s, sets = c->n_sets[cell];
    double expected = c->expected ? c->expected[cell] : NAN;
    ms_sample_info sample = ms_samples_get(f->samples, s);
    const ms_compared_row row = {.motif = ms_motif_text(motif),
                                 .sample = sample.name,
                                 .group = sample.group,
                                 .sets = sets,
                                 .number = {(double)sets / (double)c->sets[s],
                                            (double)sets * 1000 / (double)c->vertices[s], expected,
                                            ms_fold(sets, expected), excess_of(f, cell)}};
    status = ms_writer_row(&f->writing.writer, &row, err);
  }
  ms_motif_free(motif);
  return status;
}

static ms_status write_rows(compare_file *f, ms_error *err)
{
  const ms_comparison *c = f->comparison;
  MS_TRY(ms_writer_begin(&f->writing.writer, f->writing.names, err));
  bool per_sample = f->writing.writer.header.kind == MS_KIND_SAMPLE_COUNTS;
  for (uint64_t i = 0; i < c->count && !per_sample; i++)
    MS_TRY(put_row(f, &c->row[i], err));
  for (uint64_t m = 0; m < c->motifs && per_sample; m++)
    MS_TRY(put_counts(f, m, err));
  return ms_writer_end(&f->writing.writer, err);
}

/* ---- files -------------------------------------------------------------------------- */

/* Refuses a result of other samples, and more colours than a header holds. */
static ms_status check(const ms_samples *samples, const ms_compare_options *o,
                       const ms_comparison *c, ms_error *err)
{
  ms_samples_info info = ms_samples_describe(samples);
  if (c->samples != info.samples)
    return ms_fail(err, MS_ERR_USAGE,
                   "the comparison has %u samples, and %u are given; give those that it was made "
                   "with",
                   c->samples, info.samples);
  for (uint32_t t = 0; t < c->contrasts; t++)
    if (c->contrast[t].group >= info.groups ||
        (c->contrast[t].reference >= info.groups && c->contrast[t].reference != MS_ALL_OTHERS))
      return ms_fail(err, MS_ERR_USAGE,
                     "the comparison is one of other groups; give the samples that it was made "
                     "with");
  if (o->n_only > MS_MAX_CENSUS_ONLY)
    return ms_fail(err, MS_ERR_USAGE, "`only` has %u colours; a result file names at most %u",
                   o->n_only, MS_MAX_CENSUS_ONLY);
  return MS_OK;
}

static ms_status write_file(ms_result_kind kind, const ms_samples *samples,
                            const ms_sample_options *reading, const ms_compare_options *run,
                            const ms_comparison *comparison, const ms_write_options *options,
                            const char *path, ms_error *err)
{
  ms_compare_options o;
  ms_sample_options r;
  MS_REQUIRE(samples, err);
  MS_REQUIRE(comparison, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_compare_options_kind, run, &o, err));
  MS_TRY(ms_options_take(&ms_sample_options_kind, reading, &r, err));
  MS_TRY(check(samples, &o, comparison, err));
  compare_file f = {.samples = samples, .comparison = comparison, .n = comparison->samples};
  MS_TRY(ms_writing_open(&f.writing, kind, 0, options, path, err));
  double mean = 0;
  for (uint32_t i = 0; i < f.n; i++)
    mean += (double)comparison->sets[i] / f.n;
  f.pseudo = 0.5 / mean;
  f.number = ms_alloc(4 * (uint64_t)f.n, sizeof *f.number);
  ms_sample_texts *texts = f.writing.writer.header.samples.each = ms_calloc(1, sizeof *texts);
  ms_status status = f.number && texts ? MS_OK : ms_fail_memory(err, "the header of a comparison");
  if (status == MS_OK) {
    describe(&f, &r, &o);
    status = write_rows(&f, err);
  }
  status = ms_writing_close(&f.writing, status, err);
  ms_free(f.number);
  ms_free(texts);
  return status;
}

ms_status ms_compare_write(const ms_samples *samples, const ms_sample_options *reading,
                           const ms_compare_options *run, const ms_comparison *comparison,
                           const ms_write_options *options, const char *path, ms_error *err)
{
  return write_file(MS_KIND_COMPARISON, samples, reading, run, comparison, options, path, err);
}

ms_status ms_sample_counts_write(const ms_samples *samples, const ms_sample_options *reading,
                                 const ms_compare_options *run, const ms_comparison *comparison,
                                 const ms_write_options *options, const char *path, ms_error *err)
{
  return write_file(MS_KIND_SAMPLE_COUNTS, samples, reading, run, comparison, options, path, err);
}
