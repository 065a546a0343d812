/* The test that permutes the colours of each sample, for groups of one sample each.  Such groups
 * cannot be permuted: there is nothing that shows how much samples of one group differ.  What can
 * be tested is whether two samples differ by more than random arrangements of their own colours
 * would make them differ.  In each permutation, the colours of the vertices of each sample are
 * shuffled among these vertices; the graphs, and how many vertices have each colour, stay.  Then
 * all sets are counted again, in batches of permutations, by the engines of permutations of a
 * census (permute.h).  The statistic is the difference of the mean excesses of both sides.
 *
 * Permutation i of sample s is the labelling of number s 2^32 + i, so that samples are shuffled
 * independently of each other. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/names.h"
#include "significance/compare.h"
#include "significance/permute/permute_side.h"

#include <math.h>
#include <string.h>

#define FIRST_BATCH 8u /* so that a run which is stopped soon has some permutations */
#define NUMBER_OF_SAMPLE(s) ((uint64_t)(s) << 32)

/* One sample: the motifs that it can have, which are those of its colours. */
typedef struct sample {
  ms_permute permute;
  ms_census_result observed; /* of these motifs; only what permute.h reads */
  uint64_t *motif;           /* [permute.motifs] their numbers in the comparison */
} sample;

typedef struct labels {
  const ms_comparing *comparing;
  ms_sides *sides; /* [contrasts] */
  ms_census_options census;
  ms_permutation_options options;
  ms_budget budget;
  sample *sample;   /* [n] */
  uint32_t size;    /* permutations of a batch */
  uint64_t *count;  /* [size][motifs] of one sample */
  ms_score *excess; /* [size][motifs][n] */
  /* while a batch is counted */
  uint32_t s, done, all;
  /* while it is tested */
  uint32_t contrast;
} labels;

/* ---- samples ---------------------------------------------------------------------------- */

/* Fills in the motifs all of whose colours are in the sample; no labelling has a set of others. */
static ms_status choose_motifs(const labels *l, uint32_t s, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  const ms_coloring *own = c->each[s].coloring;
  const uint32_t k = c->out->k;
  sample *one = &l->sample[s];
  uint8_t *has = ms_calloc(ms_names_count(c->out->colors->names), 1);
  one->motif = ms_alloc(c->out->motifs, sizeof *one->motif);
  one->observed.color = ms_alloc(c->out->motifs * k, sizeof *one->observed.color);
  bool ok = has && one->motif && one->observed.color;
  for (uint64_t i = 0; ok && i < own->offset[own->n]; i++)
    has[own->color[i]] = 1;
  uint64_t chosen = 0;
  for (uint64_t m = 0; ok && m < c->out->motifs; m++) {
    const uint32_t *color = c->out->color + m * k;
    bool all = true;
    for (uint32_t j = 0; j < k; j++)
      all = all && has[color[j]];
    if (!all)
      continue;
    memcpy(one->observed.color + chosen * k, color, k * sizeof *color);
    one->motif[chosen++] = m;
  }
  one->observed.count = one->observed.motifs = one->permute.motifs = chosen;
  ms_free(has);
  return ok ? MS_OK : ms_fail_memory(err, "permutations of colours");
}

static ms_status open_sample(labels *l, uint32_t s, ms_error *err)
{
  const ms_compared *each = &l->comparing->each[s];
  sample *one = &l->sample[s];
  one->observed.k = l->census.k;
  one->observed.sets = (uint64_t)each->sets;
  one->observed.visits = each->visits;
  one->observed.bytes = each->bytes;
  one->permute = (ms_permute){.gpus = l->comparing->gpus,
                              .graph = each->graph,
                              .coloring = each->coloring,
                              .census = &l->census,
                              .options = &l->options,
                              .observed = &one->observed,
                              .threads = ms_threads(l->comparing->options->run.threads)};
  MS_TRY(choose_motifs(l, s, err));
  return ms_permute_open(&one->permute, err);
}

/* ---- a batch ---------------------------------------------------------------------------- */

/* Keeps the numbers of the next permutation; an ms_permute_take_fn. */
static ms_status take_counts(void *user, const uint64_t *count, const ms_null_trace *trace,
                             ms_error *err)
{
  labels *l = user;
  uint64_t motifs = l->sample[l->s].permute.motifs;
  (void)trace;
  (void)err;
  memcpy(l->count + l->done++ * motifs, count, motifs * sizeof *count);
  return MS_OK;
}

/* Counts what has no room in records, one permutation after the other. */
static ms_status count_side_by_side(labels *l, uint64_t first, ms_error *err)
{
  l->done = 0;
  return ms_permute_side_by_side(&l->sample[l->s].permute, first, first + l->all, true, take_counts,
                                 l, err);
}

static ms_status count_batch(labels *l, uint64_t first, bool *fits, ms_error *err)
{
  ms_permute *p = &l->sample[l->s].permute;
  ms_null_trace trace[MS_NULL_BATCH];
  ms_permute_batch *batch = NULL;
  uint32_t most = ms_permute_batch_size(p);
  *fits = most > 0;
  if (!*fits)
    return MS_OK;
  ms_status status = ms_permute_batch_open(p, most, &batch, err);
  for (uint32_t i = 0; status == MS_OK && *fits && i < l->all; i += most) {
    uint32_t size = l->all - i < most ? l->all - i : most;
    status =
        ms_permute_batch_run(batch, first + i, size, l->count + i * p->motifs, trace, fits, err);
  }
  ms_permute_batch_close(batch);
  return status;
}

/* Fills in the excesses of sample l->s in the permutations of a range. */
static void fill_excesses(void *user, ms_range r)
{
  const labels *l = user;
  const ms_comparing *c = l->comparing;
  const sample *one = &l->sample[l->s];
  double sets = c->each[l->s].sets;
  for (uint64_t i = r.begin; i < r.end; i++) {
    const uint64_t *count = l->count + i * one->permute.motifs;
    uint64_t next = 0;
    for (uint64_t m = 0; m < c->out->motifs; m++) {
      bool has = next < one->permute.motifs && one->motif[next] == m;
      uint64_t found = has ? count[next++] : 0;
      l->excess[(i * c->out->motifs + m) * c->n + l->s] =
          ms_compare_score(c, (double)found / sets) -
          ms_compare_score(c, c->out->expected[m * c->n + l->s] / sets);
    }
  }
}

/* Counts `size` permutations of all samples, from number `first` on. */
static ms_status count_samples(labels *l, uint64_t first, uint32_t size, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  l->all = size;
  for (l->s = 0; l->s < c->n; l->s++) {
    uint64_t number = NUMBER_OF_SAMPLE(l->s) + first;
    bool fits;
    uint64_t left = ms_budget_left(&l->budget);
    ms_budget_open(&l->sample[l->s].permute.budget, left > 0 ? left : 1);
    MS_TRY(count_batch(l, number, &fits, err));
    if (!fits)
      MS_TRY(count_side_by_side(l, number, err));
    ms_parallel(ms_threads(c->options->run.threads), size, 1, fill_excesses, l);
  }
  return MS_OK;
}

/* ---- the test --------------------------------------------------------------------------- */

/* Returns the difference of the mean excesses, in units of scores. */
static double statistic(const ms_comparing *c, const ms_sides *s, const ms_score *excess)
{
  double sum[3] = {0}, count[3] = {0};
  for (uint32_t i = 0; i < c->n; i++) {
    sum[s->side[i]] += (double)excess[i];
    count[s->side[i]]++;
  }
  return sum[1] / count[1] - sum[2] / count[2];
}

/* Counts the permutations of the batch that reach the statistics of a range of rows. */
static void test_rows(void *user, ms_range r)
{
  const labels *l = user;
  const ms_comparing *c = l->comparing;
  const ms_sides *s = &l->sides[l->contrast];
  for (uint64_t row = r.begin; row < r.end; row++) {
    uint64_t at = s->motif[row] * c->n;
    double least = fabs(statistic(c, s, c->excess + at)) - MS_SCORE_SLACK;
    for (uint32_t i = 0; i < l->all; i++) {
      const ms_score *excess = l->excess + i * c->out->motifs * c->n + at;
      s->reached[1][row] += fabs(statistic(c, s, excess)) >= least;
    }
  }
}

static ms_status try_all(labels *l, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  const ms_compare_options *o = c->options;
  uint64_t done = 0;
  ms_compare_pace pace = {.work = "permuting the colours of all samples"};
  while (done < c->out->planned) {
    uint32_t size = done == 0 && l->size > FIRST_BATCH ? FIRST_BATCH : l->size;
    size = c->out->planned - done < size ? (uint32_t)(c->out->planned - done) : size;
    if (size == l->size && pace.all == 0) /* the first batch is short, and slow */
      ms_compare_pace_begin(&pace, (double)(c->out->planned - done));
    MS_TRY(count_samples(l, done, size, err));
    done += size;
    for (l->contrast = 0; l->contrast < c->out->contrasts; l->contrast++) {
      ms_parallel(ms_threads(o->run.threads), l->sides[l->contrast].rows, 64, test_rows, l);
      c->out->contrast[l->contrast].permutations = done;
    }
    if (pace.all > 0)
      ms_compare_pace_note(o, &pace, size);
    ms_limits_report(&o->run, "permutations", done, c->out->planned);
  }
  return MS_OK;
}

/* ---- opening ---------------------------------------------------------------------------- */

/* Finds out how many permutations a batch may have: what they take is at most a quarter of the
 * memory. */
static ms_status open_batch(labels *l, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  uint64_t bytes = c->out->motifs * (c->n * sizeof *l->excess + sizeof *l->count) + 1;
  uint64_t most = ms_budget_left(&l->budget) / 4 / bytes;
  l->size = most > MS_NULL_BATCH ? MS_NULL_BATCH : most > 0 ? (uint32_t)most : 1;
  if (l->size > c->out->planned)
    l->size = (uint32_t)c->out->planned;
  if (!ms_budget_reserve(&l->budget, l->size * bytes))
    return ms_fail(err, MS_ERR_MEMORY, "permutations of colours need more memory; raise `memory`");
  l->count = ms_alloc(l->size * c->out->motifs, sizeof *l->count);
  l->excess = ms_alloc(l->size * c->out->motifs * c->n, sizeof *l->excess);
  return l->count && l->excess ? MS_OK : ms_fail_memory(err, "permutations of colours");
}

static ms_status open_labels(labels *l, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  const ms_compare_options *o = c->options;
  l->census = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  l->census.k = c->out->k;
  l->census.run = o->run;
  l->census.run.progress = NULL;
  l->census.run.seed = 0;
  l->options = (ms_permutation_options)MS_PERMUTATION_OPTIONS_DEFAULT;
  l->options.null_kind = MS_NULL_LABELS;
  l->options.seed = o->run.seed;
  l->options.permutations = c->out->planned;
  ms_budget_open(&l->budget, o->run.memory);
  l->sample = ms_calloc(c->n, sizeof *l->sample);
  if (!l->sample)
    return ms_fail_memory(err, "permutations of colours");
  MS_TRY(open_batch(l, err));
  for (uint32_t s = 0; s < c->n; s++)
    MS_TRY(open_sample(l, s, err));
  return MS_OK;
}

ms_status ms_compare_labels(const ms_comparing *c, ms_sides *sides, ms_error *err)
{
  labels l = {.comparing = c, .sides = sides};
  ms_stop *before = ms_stop_enter(c->options->run.stop);
  ms_status status = open_labels(&l, err);
  if (status == MS_OK)
    status = try_all(&l, err);
  ms_stop_leave(before);
  for (uint32_t s = 0; l.sample && s < c->n; s++) {
    ms_permute_close(&l.sample[s].permute);
    ms_free(l.sample[s].observed.color);
    ms_free(l.sample[s].motif);
  }
  ms_free(l.sample);
  ms_free(l.count);
  ms_free(l.excess);
  return status;
}
