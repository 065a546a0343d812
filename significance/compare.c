/* What is compared with what, the scores of motifs, effect sizes, q values and the order of rows.
 * compare.h says which file does the rest. */
#include "significance/compare.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/names.h"
#include "significance/tails.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_K 3u
#define USUAL_PERMUTATIONS 9999u
#define USUAL_LABELINGS 999u

__extension__ typedef unsigned __int128 wide;

/* ---- options ------------------------------------------------------------------------ */

static uint32_t find_group(const ms_samples *samples, const char *name)
{
  ms_samples_info info = ms_samples_describe(samples);
  for (uint32_t i = 0; i < info.samples; i++) {
    ms_sample_info s = ms_samples_get(samples, i);
    if (strcmp(s.group, name) == 0)
      return s.group_id;
  }
  return MS_NO_ID;
}

static ms_status check_options(ms_compare_options *o, const ms_samples *samples, ms_error *err)
{
  ms_samples_info info = ms_samples_describe(samples);
  o->k = o->k ? o->k : USUAL_K;
  o->min_count = o->min_count ? o->min_count : 1;
  if (o->k < 2 || o->k > MS_MAX_CENSUS)
    return ms_fail(err, MS_ERR_USAGE, "a comparison by sets of %u vertices; choose 2 to %u by `k`",
                   o->k, MS_MAX_CENSUS);
  if (o->permutations > MS_MAX_PERMUTATIONS)
    return ms_fail(err, MS_ERR_USAGE, "`permutations` is more than %llu",
                   (unsigned long long)MS_MAX_PERMUTATIONS);
  if (info.groups < 2)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: all samples are in the group '%s'; a comparison needs two groups",
                   info.path, ms_samples_get(samples, 0).group);
  if (o->reference && o->rest)
    return ms_fail(err, MS_ERR_USAGE, "`reference` and `rest` do not go together; leave one out");
  if (o->reference && find_group(samples, o->reference) == MS_NO_ID)
    return ms_fail(err, MS_ERR_USAGE, "%s: no sample is in the group '%.*s' of `reference`",
                   info.path, ms_name_clip(o->reference, strlen(o->reference)), o->reference);
  return MS_OK;
}

/* ---- contrasts ---------------------------------------------------------------------- */

static ms_status make_contrasts(ms_comparing *c, ms_error *err)
{
  const ms_compare_options *o = c->options;
  uint32_t groups = ms_samples_describe(c->samples).groups, count = 0;
  uint32_t reference = o->reference ? find_group(c->samples, o->reference) : MS_NO_ID;
  c->out->contrast = ms_calloc((size_t)groups * groups, sizeof *c->out->contrast);
  if (!c->out->contrast)
    return ms_fail_memory(err, "the pairs of groups");
  for (uint32_t g = 0; g < groups; g++) {
    if (o->rest)
      c->out->contrast[count++] = (ms_contrast){.group = g, .reference = MS_ALL_OTHERS};
    for (uint32_t other = 0; other < groups && !o->rest; other++)
      if (other != g && (o->reference ? other == reference : other < g))
        c->out->contrast[count++] = (ms_contrast){.group = g, .reference = other};
  }
  c->out->contrasts = count;
  return MS_OK;
}

static const char *group_name(const ms_comparing *c, uint32_t group)
{
  for (uint32_t s = 0; s < c->n; s++)
    if (c->group[s] == group)
      return ms_samples_get(c->samples, s).group;
  return "all others";
}

/* Finds the samples of both sides in blocks that have samples of both. */
static ms_status fill_sides(const ms_comparing *c, ms_sides *s, const ms_contrast *contrast,
                            ms_error *err)
{
  s->side = ms_calloc(c->n, sizeof *s->side);
  s->member = ms_alloc(c->n, sizeof *s->member);
  s->begin = ms_calloc((size_t)c->blocks + 1, sizeof *s->begin);
  s->first = ms_calloc(c->blocks, sizeof *s->first);
  if (!s->side || !s->member || !s->begin || !s->first)
    return ms_fail_memory(err, "the samples of two groups");
  for (uint32_t i = 0; i < c->n; i++)
    s->side[i] = c->group[i] == contrast->group                                               ? 1
                 : contrast->reference == MS_ALL_OTHERS || c->group[i] == contrast->reference ? 2
                                                                                              : 0;
  for (uint32_t b = 0; b < c->blocks; b++) {
    uint32_t count[3] = {0};
    for (uint32_t i = 0; i < c->n; i++)
      count[c->block[i] == b ? s->side[i] : 0]++;
    if (count[1] == 0 || count[2] == 0)
      continue;
    for (uint32_t i = 0; i < c->n; i++)
      if (c->block[i] == b && s->side[i] > 0)
        s->member[s->members++] = i;
    s->first[s->parts++] = count[1];
    s->begin[s->parts] = s->members;
    s->weight += (double)count[1] * count[2] / (count[1] + count[2]);
  }
  const char *quote = contrast->reference == MS_ALL_OTHERS ? "" : "'";
  if (s->parts == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "no block has samples of '%s' and of %s%s%s, so that these groups cannot be "
                   "compared; remove the column of blocks or rename it, or remove the samples of "
                   "groups that share no block with others",
                   group_name(c, contrast->group), quote, group_name(c, contrast->reference),
                   quote);
  return MS_OK;
}

/* Chooses the motifs that are compared: those of enough sets in the samples of both sides. */
static ms_status choose_motifs(const ms_comparing *c, ms_sides *s, ms_error *err)
{
  s->motif = ms_alloc(c->out->motifs, sizeof *s->motif);
  if (!s->motif)
    return ms_fail_memory(err, "the motifs of two groups");
  for (uint64_t m = 0; m < c->out->motifs; m++) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < c->n; i++)
      if (s->side[i] && __builtin_add_overflow(total, c->out->n_sets[m * c->n + i], &total))
        total = INT64_MAX;
    if (total >= c->options->min_count)
      s->motif[s->rows++] = m;
  }
  s->reached[0] = ms_calloc(s->rows, sizeof **s->reached);
  s->reached[1] = ms_calloc(s->rows, sizeof **s->reached);
  return s->reached[0] && s->reached[1] ? MS_OK : ms_fail_memory(err, "the motifs of two groups");
}

static void close_sides(ms_sides *s)
{
  ms_free(s->side);
  ms_free(s->member);
  ms_free(s->begin);
  ms_free(s->first);
  ms_free(s->motif);
  ms_free(s->reached[0]);
  ms_free(s->reached[1]);
}

/* ---- scores ------------------------------------------------------------------------- */

/* Fills in the expected numbers of a sample whose vertices have one colour each: of N connected
 * sets, the share prod C(n_c, m_c) / C(n, k), where n_c vertices have the colour c, and the motif
 * has it m_c times. */
static ms_status expect(const ms_comparing *c, uint32_t s, ms_error *err)
{
  const ms_comparison *out = c->out;
  const ms_coloring *coloring = c->each[s].coloring;
  uint32_t colors = ms_coloring_describe(out->colors).colors, own;
  uint32_t n = ms_graph_describe(c->each[s].graph).vertices;
  uint64_t *have = ms_calloc((uint64_t)colors + 1, sizeof *have);
  double ways = 1;
  if (!have)
    return ms_fail_memory(err, "the colours of a sample");
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *color = ms_coloring_of(coloring, v, &own);
    have[own ? *color : colors] += own > 0;
  }
  for (uint32_t i = 0; i < out->k; i++)
    ways = ways * ((double)out->vertices[s] - i) / (i + 1);
  for (uint64_t m = 0; m < out->motifs; m++) {
    const uint32_t *color = out->color + m * out->k;
    double fits = 1;
    for (uint32_t i = 0, same = 0; i < out->k; i++) {
      same = i > 0 && color[i] == color[i - 1] ? same + 1 : 0;
      fits = have[color[i]] > same ? fits * (double)(have[color[i]] - same) / (same + 1) : 0;
    }
    out->expected[m * c->n + s] = c->each[s].sets * (fits / ways);
  }
  ms_free(have);
  return MS_OK;
}

static ms_status make_scores(ms_comparing *c, ms_error *err)
{
  ms_comparison *out = c->out;
  uint64_t cells = out->motifs * c->n;
  double mean = 0;
  for (uint32_t s = 0; s < c->n; s++)
    mean += c->each[s].sets / c->n;
  c->pseudo = 0.5 / mean;
  c->score = ms_alloc(cells, sizeof *c->score);
  c->excess = c->single ? ms_alloc(cells, sizeof *c->excess) : NULL;
  out->expected = c->single ? ms_alloc(cells, sizeof *out->expected) : NULL;
  if (!c->score || (c->single && (!c->excess || !out->expected)))
    return ms_fail_memory(err, "the scores of motifs");
  for (uint32_t s = 0; s < c->n && c->single; s++)
    MS_TRY(expect(c, s, err));
  for (uint64_t i = 0; i < cells; i++) {
    double sets = c->each[i % c->n].sets;
    c->score[i] = ms_compare_score(c, (double)out->n_sets[i] / sets);
    if (c->single)
      c->excess[i] = c->score[i] - ms_compare_score(c, out->expected[i] / sets);
  }
  return MS_OK;
}

/* ---- effect sizes ------------------------------------------------------------------- */

/* Returns the mean over blocks of the difference between the sides, in units of the logarithm. */
static double difference(const ms_sides *s, const ms_score *score)
{
  double sum = 0;
  for (uint32_t p = 0; p < s->parts; p++) {
    double side[3] = {0}, all = s->begin[p + 1] - s->begin[p], first = s->first[p];
    for (uint32_t i = s->begin[p]; i < s->begin[p + 1]; i++)
      side[s->side[s->member[i]]] += (double)score[s->member[i]];
    sum += (side[1] * (all - first) - side[2] * first) / all;
  }
  return sum / s->weight / MS_SCORE_UNIT;
}

static double mean_of(const ms_comparing *c, const ms_sides *s, uint8_t side, const ms_score *score)
{
  double sum = 0, count = 0;
  for (uint32_t i = 0; i < c->n; i++)
    if (s->side[i] == side) {
      sum += (double)score[i];
      count++;
    }
  return sum / count / MS_SCORE_UNIT;
}

static double mean_rate(const ms_comparing *c, const ms_sides *s, uint8_t side,
                        const uint64_t *sets)
{
  double sum = 0, count = 0;
  for (uint32_t i = 0; i < c->n; i++)
    if (s->side[i] == side) {
      sum += (double)sets[i] / c->each[i].sets;
      count++;
    }
  return sum / count;
}

/* Returns Cliff's delta: of the pairs of a sample in the group and one in the reference, of one
 * block, the share in which the first has the greater share of sets, less that in which the second
 * has it. (N. Cliff: Dominance statistics, 1993.) */
static double dominance(const ms_comparing *c, const ms_sides *s, const uint64_t *sets)
{
  double more = 0, pairs = 0;
  for (uint32_t p = 0; p < s->parts; p++)
    for (uint32_t i = s->begin[p]; i < s->begin[p + 1]; i++)
      for (uint32_t j = s->begin[p]; j < s->begin[p + 1]; j++) {
        uint32_t a = s->member[i], b = s->member[j];
        if (s->side[a] != 1 || s->side[b] != 2)
          continue;
        wide x = (wide)sets[a] * c->out->sets[b], y = (wide)sets[b] * c->out->sets[a];
        more += x > y ? 1 : x < y ? -1 : 0;
        pairs++;
      }
  return more / pairs;
}

static double p_value(const ms_contrast *contrast, uint64_t reached)
{
  double all = (double)contrast->permutations;
  if (contrast->permutations == 0)
    return NAN;
  return contrast->exact ? (double)reached / all : (1 + (double)reached) / (1 + all);
}

static void fill_row(const ms_comparing *c, const ms_sides *s, uint64_t i, ms_compare_row *row)
{
  const ms_contrast *contrast = &c->out->contrast[s->number];
  uint64_t m = s->motif[i], at = m * c->n;
  bool labels = c->out->test == MS_TEST_LABELS;
  *row = (ms_compare_row){.contrast = s->number,
                          .motif = m,
                          .rate = mean_rate(c, s, 1, c->out->n_sets + at),
                          .reference_rate = mean_rate(c, s, 2, c->out->n_sets + at),
                          .log2_ratio = difference(s, c->score + at),
                          .delta = dominance(c, s, c->out->n_sets + at),
                          .p = labels ? NAN : p_value(contrast, s->reached[0][i]),
                          .q = NAN,
                          .excess = NAN,
                          .reference_excess = NAN,
                          .log2_excess_ratio = NAN,
                          .p_excess = NAN,
                          .q_excess = NAN};
  if (!c->excess)
    return;
  row->excess = mean_of(c, s, 1, c->excess + at);
  row->reference_excess = mean_of(c, s, 2, c->excess + at);
  row->log2_excess_ratio = difference(s, c->excess + at);
  row->p_excess = p_value(contrast, s->reached[1][i]);
}

/* ---- q values and the order of rows ------------------------------------------------- */

/* Fills in q of p, or of p_excess, over all rows of two sides.  value[count]: scratch. */
static ms_status adjust(ms_compare_row *row, uint64_t count, bool excess, double *value,
                        ms_error *err)
{
  if (count == 0 || isnan(excess ? row->p_excess : row->p))
    return MS_OK;
  for (uint64_t i = 0; i < count; i++)
    value[i] = excess ? row[i].p_excess : row[i].p;
  MS_TRY(ms_adjust_p(value, count, (double)count, value, err));
  for (uint64_t i = 0; i < count; i++)
    *(excess ? &row[i].q_excess : &row[i].q) = value[i];
  return MS_OK;
}

/* Compares by p, then by falling size of the difference, then by motifs. */
static int compare_rows(const ms_compare_row *x, const ms_compare_row *y, bool labels)
{
  double a = labels ? x->p_excess : x->p, b = labels ? y->p_excess : y->p;
  if (a < b || a > b)
    return a < b ? -1 : 1;
  a = fabs(labels ? x->log2_excess_ratio : x->log2_ratio);
  b = fabs(labels ? y->log2_excess_ratio : y->log2_ratio);
  if (a < b || a > b)
    return a < b ? 1 : -1;
  return x->motif < y->motif ? -1 : x->motif > y->motif;
}

static int by_rate(const void *a, const void *b)
{
  return compare_rows(a, b, false);
}

static int by_excess(const void *a, const void *b)
{
  return compare_rows(a, b, true);
}

static ms_status make_rows(ms_comparing *c, const ms_sides *sides, ms_error *err)
{
  ms_comparison *out = c->out;
  uint64_t room = 0, most = 0;
  for (uint32_t t = 0; t < out->contrasts; t++) {
    room += sides[t].rows;
    most = sides[t].rows > most ? sides[t].rows : most;
  }
  out->row = ms_alloc(room, sizeof *out->row);
  double *value = ms_alloc(most, sizeof *value);
  ms_status status = out->row && value ? MS_OK : ms_fail_memory(err, "the rows of a comparison");
  for (uint32_t t = 0; t < out->contrasts && status == MS_OK; t++) {
    const ms_sides *s = &sides[t];
    ms_compare_row *row = out->row + out->count;
    for (uint64_t i = 0; i < s->rows; i++)
      fill_row(c, s, i, &row[i]);
    status = adjust(row, s->rows, false, value, err);
    if (status == MS_OK)
      status = adjust(row, s->rows, true, value, err);
    if (status == MS_OK && s->rows > 0)
      qsort(row, s->rows, sizeof *row, out->test == MS_TEST_LABELS ? by_excess : by_rate);
    out->contrast[t].tested = s->rows;
    out->count += c->options->top > 0 && s->rows > c->options->top ? c->options->top : s->rows;
  }
  ms_free(value);
  return status;
}

/* ---- the comparison ----------------------------------------------------------------- */

/* Chooses the test: samples are permuted unless each group has only one. */
static void choose_test(ms_comparing *c)
{
  ms_samples_info info = ms_samples_describe(c->samples);
  bool labels = info.samples == info.groups;
  uint64_t usual = labels ? USUAL_LABELINGS : USUAL_PERMUTATIONS;
  c->out->test = labels ? MS_TEST_LABELS : MS_TEST_SAMPLES;
  c->out->planned = c->options->permutations ? c->options->permutations : usual;
  c->blocks = labels || info.blocks == 0 ? 1 : info.blocks;
  for (uint32_t s = 0; s < c->n; s++) {
    ms_sample_info sample = ms_samples_get(c->samples, s);
    c->group[s] = sample.group_id;
    c->block[s] = c->blocks > 1 ? sample.block_id : 0;
  }
}

static ms_status test(ms_comparing *c, ms_sides *sides, ms_error *err)
{
  ms_comparison *out = c->out;
  ms_compare_pace pace = {.work = "permuting the groups"};
  double work = 0;
  if (out->test == MS_TEST_LABELS)
    return ms_compare_labels(c, sides, err);
  for (uint32_t t = 0; t < out->contrasts; t++)
    work += ms_compare_groups_work(c, &sides[t], &out->contrast[t]);
  ms_compare_pace_begin(&pace, work);
  for (uint32_t t = 0; t < out->contrasts; t++)
    MS_TRY(ms_compare_groups(c, &sides[t], &out->contrast[t], &pace, err));
  return MS_OK;
}

/* Notes that a stop ended the permutations: those that are done count.  A part of all arrangements
 * shows nothing. */
static ms_status note_stop(ms_comparing *c, ms_status status)
{
  if (status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
    return status;
  c->out->run.stopped = status;
  for (uint32_t t = 0; t < c->out->contrasts; t++) {
    ms_contrast *contrast = &c->out->contrast[t];
    if (contrast->exact && contrast->permutations < contrast->arrangements)
      contrast->permutations = 0;
  }
  return MS_OK;
}

static ms_status compare_sides(ms_comparing *c, ms_sides *sides, ms_error *err)
{
  ms_comparison *out = c->out;
  for (uint32_t t = 0; t < out->contrasts; t++) {
    sides[t].number = t;
    MS_TRY(fill_sides(c, &sides[t], &out->contrast[t], err));
    ms_contrast *contrast = &out->contrast[t];
    contrast->arrangements = out->test == MS_TEST_LABELS ? 0 : ms_compare_arrangements(&sides[t]);
    contrast->exact = out->test == MS_TEST_SAMPLES && contrast->arrangements <= out->planned;
  }
  MS_TRY(ms_compare_count(c, err));
  if (out->run.stopped != MS_OK)
    return MS_OK;
  if (out->test == MS_TEST_LABELS && !c->single)
    return ms_fail(err, MS_ERR_USAGE,
                   "each group has one sample, so that colours are permuted, and this test needs "
                   "vertices of one colour each; choose `primary`, or give groups more samples");
  MS_TRY(make_scores(c, err));
  for (uint32_t t = 0; t < out->contrasts; t++)
    MS_TRY(choose_motifs(c, &sides[t], err));
  MS_TRY(note_stop(c, test(c, sides, err)));
  return make_rows(c, sides, err);
}

static ms_status run(ms_comparing *c, ms_error *err)
{
  ms_comparison *out = c->out;
  c->each = ms_calloc(c->n, sizeof *c->each);
  c->group = ms_alloc(c->n, sizeof *c->group);
  c->block = ms_alloc(c->n, sizeof *c->block);
  out->vertices = ms_calloc(c->n, sizeof *out->vertices);
  out->sets = ms_calloc(c->n, sizeof *out->sets);
  if (!c->each || !c->group || !c->block || !out->vertices || !out->sets)
    return ms_fail_memory(err, "a comparison");
  choose_test(c);
  MS_TRY(make_contrasts(c, err));
  ms_sides *sides = ms_calloc(out->contrasts, sizeof *sides);
  if (!sides)
    return ms_fail_memory(err, "a comparison");
  ms_status status = compare_sides(c, sides, err);
  for (uint32_t t = 0; t < out->contrasts; t++)
    close_sides(&sides[t]);
  ms_free(sides);
  return status;
}

static void close_all(ms_comparing *c)
{
  for (uint32_t s = 0; c->each && s < c->n; s++)
    ms_coloring_free(c->each[s].coloring);
  ms_free(c->each);
  ms_free(c->group);
  ms_free(c->block);
  ms_free(c->score);
  ms_free(c->excess);
  ms_free(c->by_color);
}

void ms_comparison_free(ms_comparison *out)
{
  if (!out)
    return;
  ms_coloring_free(out->colors);
  ms_free(out->vertices);
  ms_free(out->sets);
  ms_free(out->color);
  ms_free(out->n_sets);
  ms_free(out->expected);
  ms_free(out->contrast);
  ms_free(out->row);
  ms_free(out);
}

ms_status ms_compare_by(const ms_census_accelerator *gpus, const ms_samples *samples,
                        const ms_compare_options *options, ms_comparison **out, ms_error *err)
{
  ms_compare_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(samples, err);
  MS_TRY(ms_options_take(&ms_compare_options_kind, options, &o, err));
  MS_TRY(check_options(&o, samples, err));
  ms_comparing c = {.gpus = gpus,
                    .samples = samples,
                    .options = &o,
                    .n = ms_samples_describe(samples).samples,
                    .out = ms_calloc(1, sizeof(ms_comparison))};
  if (!c.out)
    return ms_fail_memory(err, "a comparison");
  c.out->k = o.k;
  c.out->samples = c.n;
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = run(&c, err);
  ms_stop_leave(before);
  close_all(&c);
  if (status == MS_OK)
    *out = c.out;
  else
    ms_comparison_free(c.out);
  return status;
}
