/* The test that permutes the groups of samples, within blocks.  Under the null hypothesis, the
 * samples of a block come from one distribution, whatever their groups are: then all arrangements
 * of the groups are equally likely (R. A. Fisher: The design of experiments, 1935).
 *
 * The statistic is the sum of the scores of the samples in the group, less its mean over all
 * arrangements.  Divided by `weight`, it is the mean over blocks of the difference between group
 * and reference, with the weights n1 n2 / (n1 + n2).  The p value is the share of arrangements in
 * which the statistic is at least as far from 0 as it is here; the true arrangement counts.  If
 * random arrangements are tried, it is (1 + those) / (1 + all), which is valid for any number of
 * them (B. Phipson, G. K. Smyth: Permutation p-values should never be zero, 2010). */
#include "base/alloc.h"
#include "base/philox.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "significance/compare.h"

#include <math.h>
#include <string.h>

#define BATCH 256u       /* arrangements that are tried between two checks of the stop token */
#define PACE_SECONDS 0.2 /* of permutations, after which the time of all is forecast */

__extension__ typedef unsigned __int128 wide;

uint64_t ms_compare_random(uint64_t seed, uint64_t permutation, uint32_t place, uint32_t stream,
                           uint64_t below)
{
  const uint32_t counter[4] = {(uint32_t)permutation, (uint32_t)(permutation >> 32), place, stream};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];
  ms_philox4x32(counter, key, out);
  uint64_t word = (uint64_t)out[1] << 32 | out[0];
  return (uint64_t)((wide)word * below >> 64);
}

/* ---- how long permutations take ------------------------------------------------------- */

void ms_compare_pace_begin(ms_compare_pace *pace, double all)
{
  pace->begun = ms_seconds();
  pace->all = all;
}

void ms_compare_pace_note(const ms_compare_options *o, ms_compare_pace *pace, double more)
{
  double seconds = ms_seconds() - pace->begun;
  pace->done += more;
  if (pace->told || seconds < PACE_SECONDS)
    return;
  pace->told = true;
  ms_progress_forecast(&o->run, pace->work, seconds * pace->all / pace->done, MS_FORECAST_ABOUT);
}

/* ---- arrangements ------------------------------------------------------------------- */

uint64_t ms_compare_arrangements(const ms_sides *sides)
{
  uint64_t all = 1;
  for (uint32_t b = 0; b < sides->parts; b++) {
    uint64_t ways = 1, n = sides->begin[b + 1] - sides->begin[b];
    for (uint64_t i = 1; i <= sides->first[b]; i++) { /* C(n, i) = C(n, i - 1) (n - i + 1) / i */
      wide next = (wide)ways * (n - i + 1) / i;
      if (next > UINT64_MAX)
        return UINT64_MAX;
      ways = (uint64_t)next;
    }
    if (__builtin_mul_overflow(all, ways, &all))
      return UINT64_MAX;
  }
  return all;
}

/* A row of arrangements: each lists the samples of the group. */
typedef struct batch {
  const ms_comparing *comparing;
  ms_sides *sides;
  uint32_t chosen;    /* samples in the group */
  uint32_t *sample;   /* [BATCH][chosen] */
  uint32_t count;     /* arrangements */
  uint32_t *choice;   /* [chosen] all arrangements: the places of the current one, by block */
  uint32_t *order;    /* [members] random arrangements: scratch */
  uint32_t *delta[2]; /* [rows] arrangements of the batch that reach the statistic */
  ms_compare_pace *pace;
  ms_watch watch;
} batch;

/* Moves to the next combination within each block, as a number is counted up. */
static void next_choice(batch *b)
{
  const ms_sides *s = b->sides;
  uint32_t *choice = b->choice;
  for (uint32_t p = 0; p < s->parts; choice += s->first[p], p++) {
    uint32_t n = s->begin[p + 1] - s->begin[p], r = s->first[p], i = r;
    while (i > 0 && choice[i - 1] == n - r + i - 1)
      i--;
    if (i > 0) {
      choice[i - 1]++;
      for (; i < r; i++)
        choice[i] = choice[i - 1] + 1;
      return;
    }
    for (i = 0; i < r; i++)
      choice[i] = i;
  }
}

static void take_choice(const batch *b, uint32_t *sample)
{
  const ms_sides *s = b->sides;
  for (uint32_t p = 0, at = 0; p < s->parts; p++)
    for (uint32_t i = 0; i < s->first[p]; i++, at++)
      sample[at] = s->member[s->begin[p] + b->choice[at]];
}

/* Draws the group of each block: the first places of a shuffle (R. Durstenfeld, 1964). */
static void draw(const batch *b, uint64_t permutation, uint32_t *sample)
{
  const ms_sides *s = b->sides;
  memcpy(b->order, s->member, s->members * sizeof *b->order);
  for (uint32_t p = 0, at = 0; p < s->parts; p++) {
    uint32_t end = s->begin[p + 1];
    for (uint32_t i = s->begin[p]; i < s->begin[p] + s->first[p]; i++) {
      uint32_t j = i + (uint32_t)ms_compare_random(b->comparing->options->run.seed, permutation, i,
                                                   MS_STREAM_GROUPS + s->number, end - i);
      uint32_t taken = b->order[j];
      b->order[j] = b->order[i];
      b->order[i] = taken;
      sample[at++] = taken;
    }
  }
}

/* ---- the statistic ------------------------------------------------------------------ */

static ms_score sum_of(const batch *b, const ms_score *score, const uint32_t *sample)
{
  ms_score sum = 0;
  for (uint32_t i = 0; i < b->chosen; i++)
    sum += score[sample[i]];
  return sum;
}

/* Returns the sum in the true arrangement, and sets *mean to its mean over all arrangements. */
static ms_score true_sum(const batch *b, const ms_score *score, double *mean)
{
  const ms_sides *s = b->sides;
  ms_score sum = 0;
  *mean = 0;
  for (uint32_t p = 0; p < s->parts; p++) {
    ms_score all = 0;
    for (uint32_t i = s->begin[p]; i < s->begin[p + 1]; i++) {
      all += score[s->member[i]];
      sum += s->side[s->member[i]] == 1 ? score[s->member[i]] : 0;
    }
    *mean += (double)all * s->first[p] / (s->begin[p + 1] - s->begin[p]);
  }
  return sum;
}

/* Counts, for the motifs of a range, the arrangements of the batch that reach the statistic. */
static void try_rows(void *user, ms_range r)
{
  batch *b = user;
  const ms_comparing *c = b->comparing;
  const ms_score *const table[2] = {c->score, c->excess};
  for (uint64_t row = r.begin; row < r.end; row++)
    for (uint32_t which = 0; which < 2 && table[which]; which++) {
      const ms_score *score = table[which] + b->sides->motif[row] * c->n;
      double mean;
      double least = fabs((double)true_sum(b, score, &mean) - mean) - MS_SCORE_SLACK;
      uint32_t reached = 0;
      for (uint32_t i = 0; i < b->count; i++) {
        double sum = (double)sum_of(b, score, b->sample + (uint64_t)i * b->chosen);
        reached += fabs(sum - mean) >= least;
      }
      b->delta[which][row] = reached;
    }
}

static ms_status try_all(batch *b, ms_contrast *contrast, uint64_t permutations, ms_error *err)
{
  const ms_compare_options *o = b->comparing->options;
  int threads = ms_threads(o->run.threads);
  ms_watch_begin(&b->watch);
  while (contrast->permutations < permutations) {
    uint64_t left = permutations - contrast->permutations;
    b->count = left < BATCH ? (uint32_t)left : BATCH;
    for (uint32_t i = 0; i < b->count; i++) {
      uint32_t *sample = b->sample + (uint64_t)i * b->chosen;
      if (!contrast->exact) {
        draw(b, contrast->permutations + i + 1, sample);
        continue;
      }
      take_choice(b, sample);
      next_choice(b);
    }
    ms_watch_loop(&b->watch, threads, b->sides->rows, 16, try_rows, b);
    MS_TRY(ms_watch_report(&b->watch, "groups are permuted", err));
    for (uint32_t which = 0; which < 2; which++)
      for (uint64_t row = 0; row < b->sides->rows; row++)
        b->sides->reached[which][row] += b->delta[which][row];
    contrast->permutations += b->count;
    ms_compare_pace_note(o, b->pace, (double)b->count * (double)(b->sides->rows * b->chosen));
    ms_limits_report(&o->run, "permutations", contrast->permutations, permutations);
  }
  return MS_OK;
}

static uint64_t permutations_of(const ms_comparing *c, const ms_contrast *contrast)
{
  return contrast->exact ? contrast->arrangements : c->out->planned;
}

static ms_status open_batch(batch *b, ms_error *err)
{
  const ms_sides *s = b->sides;
  for (uint32_t p = 0; p < s->parts; p++)
    b->chosen += s->first[p];
  b->sample = ms_alloc((uint64_t)BATCH * b->chosen, sizeof *b->sample);
  b->choice = ms_alloc(b->chosen, sizeof *b->choice);
  b->order = ms_alloc(s->members, sizeof *b->order);
  b->delta[0] = ms_calloc(s->rows, sizeof **b->delta);
  b->delta[1] = ms_calloc(s->rows, sizeof **b->delta);
  if (!b->sample || !b->choice || !b->order || !b->delta[0] || !b->delta[1])
    return ms_fail_memory(err, "arrangements of groups");
  for (uint32_t p = 0, at = 0; p < s->parts; p++)
    for (uint32_t i = 0; i < s->first[p]; i++)
      b->choice[at++] = i;
  return MS_OK;
}

double ms_compare_groups_work(const ms_comparing *c, const ms_sides *sides,
                              const ms_contrast *contrast)
{
  double chosen = 0;
  for (uint32_t p = 0; p < sides->parts; p++)
    chosen += sides->first[p];
  return (double)permutations_of(c, contrast) * (double)sides->rows * chosen;
}

ms_status ms_compare_groups(const ms_comparing *c, ms_sides *sides, ms_contrast *contrast,
                            ms_compare_pace *pace, ms_error *err)
{
  batch b = {.comparing = c, .sides = sides, .pace = pace};
  ms_status status = open_batch(&b, err);
  if (status == MS_OK)
    status = try_all(&b, contrast, permutations_of(c, contrast), err);
  ms_free(b.sample);
  ms_free(b.choice);
  ms_free(b.order);
  ms_free(b.delta[0]);
  ms_free(b.delta[1]);
  return status;
}
