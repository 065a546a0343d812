/* Sampled overlaps: random subsets of random sets (overlaps.h). */
#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "motif/best/draw.h"
#include "significance/overlaps.h"
#include "significance/set_counts.h"
#include "significance/set_picks.h"
#include "significance/supersets.h"

#include <math.h>
#include <stdatomic.h>

#define USUAL_SAMPLES 4000u
/* The last word of the counters of the random words that choose subsets. */
#define OF_SUBSETS 0x4f564c50u
#define GREATEST 1e37L /* of a B_j, so that sums of a few have 127 bits */

typedef struct sampling {
  const ms_census_graph *graph;
  const ms_overlaps_options *options;
  int threads;
  uint64_t samples;
  uint64_t *number;     /* [samples] of the sets that are drawn */
  uint32_t *set;        /* [samples][k] */
  uint64_t *containing; /* [samples] d of the subset of each */
  ms_supersets *search; /* [threads] */
  uint32_t common;      /* j */
  ms_watch watch;
  atomic_uint_fast64_t done;
  uint64_t bytes; /* reserved */
} sampling;

/* Moves a random subset of `common` vertices to the front of set[k]: the first steps of a random
 * permutation (D. E. Knuth: The Art of Computer Programming, 3.4.2, algorithm P). */
static void choose_subset(const sampling *s, uint64_t draw, uint32_t *set)
{
  const uint64_t seed = s->options->seed;
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t k = s->options->k, word[8];
  for (uint32_t half = 0; half < 2; half++) {
    const uint32_t counter[4] = {(uint32_t)draw, (uint32_t)(draw >> 32), 2 * s->common + half,
                                 OF_SUBSETS};
    ms_philox4x32(counter, key, word + 4 * half);
  }
  for (uint32_t i = 0; i < s->common; i++) {
    /* a word below 2^32 times a number of at most 8: the chances differ by less than 2^-29 */
    uint32_t other = i + (uint32_t)((uint64_t)word[i] * (k - i) >> 32), swapped = set[i];
    set[i] = set[other];
    set[other] = swapped;
  }
}

static void count_range(void *user, ms_range r)
{
  sampling *s = user;
  ms_supersets *search = &s->search[r.thread];
  for (uint64_t i = r.begin; i < r.end && !search->ended; i++) {
    uint32_t *set = s->set + i * s->options->k;
    choose_subset(s, i, set);
    s->containing[i] = ms_supersets_count(search, set, s->common);
  }
  uint64_t done = atomic_fetch_add(&s->done, r.end - r.begin) + (r.end - r.begin);
  if (r.thread == 0)
    ms_limits_report(&s->options->run, "overlaps of sets", done, s->samples * (s->options->k - 2));
}

/* Estimates B_j from the numbers of all draws.  It is N C(k, j) times the mean, in whole numbers
 * and rounded to the nearest, so that it can be computed again exactly. */
static ms_status estimate(const sampling *s, ms_overlaps *out, ms_error *err)
{
  ms_count128 sum = 0, factor = out->sets;
  long double squares = 0;
  uint32_t j = s->common;
  for (uint32_t i = 0; i < j; i++)
    factor = factor * (out->k - i) / (i + 1);
  for (uint64_t i = 0; i < s->samples; i++)
    sum += s->containing[i];
  long double mean = (long double)sum / (long double)s->samples;
  for (uint64_t i = 0; i < s->samples; i++) {
    long double from_mean = (long double)s->containing[i] - mean;
    squares += from_mean * from_mean;
  }
  if (!((long double)factor * mean < GREATEST))
    return ms_fail(err, MS_ERR_USAGE,
                   "the connected sets have too many overlaps for exact moments; lower `k`");
  ms_count128 rest = factor * (sum % s->samples); /* below 2^69 times the draws */
  out->shared[j] = factor * (sum / s->samples) + (2 * rest + s->samples) / (2 * s->samples);
  long double free = s->samples > 1 ? (long double)(s->samples - 1) : 1;
  out->error[j] = (double)((long double)factor * sqrtl(squares / free / (long double)s->samples));
  return MS_OK;
}

/* Draws for one number of common vertices. */
static ms_status sample(sampling *s, ms_set_counts *counts, ms_overlaps *out, ms_error *err)
{
  /* each number of common vertices has its own sets, so that the errors are independent */
  uint64_t seed = s->options->seed + (s->common - 1) * UINT64_C(0x9E3779B97F4A7C15);
  MS_TRY(ms_draw_numbers(counts->sets, s->samples, seed, s->number, err));
  MS_TRY(ms_pick_sets(s->graph, out->k, counts->of_root, s->number, s->samples, s->threads,
                      s->options->budget, s->set, err));
  ms_watch_begin(&s->watch);
  ms_watch_loop(&s->watch, s->threads, s->samples, 4, count_range, s);
  MS_TRY(ms_watch_report(&s->watch, "the overlaps of sets are sampled", err));
  return estimate(s, out, err);
}

static ms_status fail_memory(ms_error *err)
{
  return ms_fail(err, MS_ERR_MEMORY,
                 "sampling the overlaps of sets needs more memory; raise `memory`, or lower "
                 "`threads` or `samples`");
}

static ms_status open_sampling(sampling *s, ms_error *err)
{
  uint64_t row = s->options->k * sizeof *s->set + sizeof *s->number + sizeof *s->containing;
  uint64_t thread_bytes = ms_supersets_bytes(s->graph, s->options->k);
  uint64_t left = ms_budget_left(s->options->budget);
  if (s->samples > left / (row + MS_DRAW_BYTES))
    return fail_memory(err);
  uint64_t most = (left - s->samples * (row + MS_DRAW_BYTES)) / (thread_bytes + 1);
  if ((uint64_t)s->threads > most)
    s->threads = most > 1 ? (int)most : 1;
  uint64_t bytes = s->samples * (row + MS_DRAW_BYTES) + (uint64_t)s->threads * thread_bytes;
  if (!ms_budget_reserve(s->options->budget, bytes))
    return fail_memory(err);
  s->bytes = bytes;
  s->number = ms_alloc(s->samples, sizeof *s->number);
  s->set = ms_alloc(s->samples * s->options->k, sizeof *s->set);
  s->containing = ms_alloc(s->samples, sizeof *s->containing);
  s->search = ms_calloc((size_t)s->threads, sizeof *s->search);
  if (!s->number || !s->set || !s->containing || !s->search)
    return ms_fail_memory(err, "the sample of overlaps");
  for (int t = 0; t < s->threads; t++)
    MS_TRY(ms_supersets_open(&s->search[t], s->graph, s->options->k, &s->watch, err));
  return MS_OK;
}

static void close_sampling(sampling *s)
{
  for (int t = 0; s->search && t < s->threads; t++)
    ms_supersets_close(&s->search[t]);
  ms_free(s->search);
  ms_free(s->number);
  ms_free(s->set);
  ms_free(s->containing);
  ms_budget_release(s->options->budget, s->bytes);
}

static ms_status run(sampling *s, ms_set_counts *counts, ms_overlaps *out, ms_error *err)
{
  out->sets = counts->sets;
  out->shared[0] = (ms_count128)counts->sets * counts->sets;
  out->shared[out->k] = counts->sets;
  for (uint32_t v = 0; v < s->graph->n; v++) {
    out->shared[1] += (ms_count128)counts->taking[v] * counts->taking[v];
    out->most = counts->taking[v] > out->most ? counts->taking[v] : out->most;
  }
  s->samples = s->options->samples ? s->options->samples : USUAL_SAMPLES;
  if (s->samples > counts->sets)
    s->samples = counts->sets;
  out->samples = s->samples;
  out->visits = counts->visits;
  if (s->samples == 0)
    return MS_OK;
  MS_TRY(open_sampling(s, err));
  for (s->common = 2; s->common < out->k; s->common++)
    MS_TRY(sample(s, counts, out, err));
  for (int t = 0; t < s->threads; t++)
    out->visits += s->search[t].visits;
  return MS_OK;
}

ms_status ms_overlaps_sampled(const ms_census_graph *graph, const ms_overlaps_options *options,
                              ms_overlaps *out, ms_error *err)
{
  sampling s = {.graph = graph, .options = options, .threads = ms_threads(options->run.threads)};
  ms_set_counts counts;
  MS_TRY(ms_set_counts_open(graph, out->k, s.threads, options->budget, &counts, err));
  ms_status status = run(&s, &counts, out, err);
  close_sampling(&s);
  ms_set_counts_close(&counts);
  return status;
}
