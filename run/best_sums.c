#include "run/best_sums.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/vertex_scores.h"
#include "motif/best/best_sums.h"
#include "motif/regions.h"

#include <string.h>

/* ---- options ---------------------------------------------------------------------------- */

ms_status ms_screen_check_sums(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  if (o->all_sums && !o->vertex_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "`all_sums` needs the scores of vertices; give `vertex_scores`");
  if (!o->vertex_scores)
    return MS_OK;
  if (o->match_size && o->match_size != query->motif->k)
    return ms_fail(err, MS_ERR_USAGE,
                   "match_size is %u: the sums are of matches that fill all slots; set it to 0",
                   o->match_size);
  if (o->vertex_scores->n != query->graph->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "`vertex_scores` are for %u vertices, but the graph has %u; read the scores for "
                   "this graph",
                   o->vertex_scores->n, query->graph->n);
  return MS_OK;
}

ms_status ms_screen_check_range(const ms_sum_range *range, const ms_screen_options *o, uint32_t k,
                                ms_screen_method *method, ms_error *err)
{
  bool sieve = *method == MS_METHOD_SIEVE;
  uint64_t most = sieve ? MS_MOST_SUM_EXPONENT : MS_MOST_LISTED_EXPONENT;
  if (*method == MS_METHOD_AUTO && range->most > MS_MOST_SUM_EXPONENT)
    *method = MS_METHOD_EXACT;
  if (range->most <= most || !(sieve || o->all_sums))
    return MS_OK;
  /* rounding makes the scores of each slot span at most one step more */
  uint64_t multiple = (range->most * range->step + most - k - 1) / (most - k);
  return ms_fail(
      err, MS_ERR_USAGE,
      "the sums of scores that fit the slots span %llu steps of %u, and %s %llu; round the "
      "scores to multiples of %llu%s",
      (unsigned long long)range->most, range->step,
      sieve ? "the sieve can tell at most" : "all sums are listed for at most",
      (unsigned long long)most, (unsigned long long)multiple,
      sieve ? ", or use `MS_METHOD_EXACT`" : ", or leave out `all_sums`");
}

/* ---- sums as bits ----------------------------------------------------------------------- */

/* The sums of each vertex of an instance: bits[n][words], bit s for the exponent s. */
typedef struct sum_bits {
  const ms_instance *in;
  const ms_sum_range *range;
  const uint64_t *bits;
  uint32_t words;
} sum_bits;

static ms_status fill_sums(const sum_bits *b, bool all, ms_screen_result *r, ms_error *err)
{
  uint64_t at = 0;
  for (uint32_t v = 0; v < b->in->n; v++) {
    const uint64_t *own = b->bits + (size_t)v * b->words;
    uint64_t count = 0;
    for (uint32_t w = 0; w < b->words; w++) {
      count += (uint64_t)__builtin_popcountll(own[w]);
      if (own[w]) {
        uint32_t top = 64 * w + 63 - (uint32_t)__builtin_clzll(own[w]);
        r->best_sum[b->in->vertex[v]] =
            (uint32_t)(b->range->least + (uint64_t)top * b->range->step);
      }
    }
    if (all)
      r->sums_from[b->in->vertex[v] + 1] = count;
  }
  if (!all)
    return MS_OK;
  for (uint32_t v = 0; v < r->n; v++)
    r->sums_from[v + 1] += r->sums_from[v];
  r->sums = ms_alloc(r->sums_from[r->n], sizeof *r->sums);
  if (!r->sums)
    return ms_fail_memory(err, "the sums of vertices");
  for (uint32_t v = 0; v < b->in->n; v++) /* which ascend as those of the graph do */
    for (uint32_t w = 0; w < b->words; w++)
      for (uint64_t rest = b->bits[(size_t)v * b->words + w]; rest; rest &= rest - 1) {
        uint64_t exponent = 64 * w + (uint32_t)__builtin_ctzll(rest);
        r->sums[at++] = (uint32_t)(b->range->least + exponent * b->range->step);
      }
  return MS_OK;
}

ms_status ms_screen_take_sums(const ms_instance *instance, const ms_screen_options *o,
                              const ms_sum_range *range, const ms_sieve_sums *sums,
                              ms_screen_result *result, ms_error *err)
{
  return fill_sums(&(sum_bits){instance, range, sums->seen, sums->words}, o->all_sums, result, err);
}

/* ---- enumeration ------------------------------------------------------------------------- */

typedef struct summing {
  ms_run *run;
  const ms_instance *in;
  const ms_sum_range *range;
  const uint32_t *score; /* [n of the graph] */
  int threads;
  uint64_t most; /* the work that is left; 0: any */
  bool gave_up;
  ms_screen_result *result;
  uint64_t before, all; /* for reports */
  uint64_t *bits;       /* [n of the instance][words]; NULL: only the greatest sums */
  uint32_t words;
  uint32_t *place; /* [n of the graph] its vertices in the instance */
} summing;

static void report(void *user, uint64_t settled)
{
  const summing *s = user;
  ms_run_report(s->run, "vertices settled", s->before + settled, s->all);
}

static void use_work(summing *s, uint64_t work, bool gave_up)
{
  s->gave_up |= gave_up;
  if (s->most > 0 && !gave_up)
    s->most -= work < s->most ? work : s->most - 1;
}

static ms_status find_greatest(summing *s, const ms_instance *region, ms_error *err)
{
  ms_screen_result *result = s->result;
  uint32_t *score = ms_alloc(region->n, 2 * sizeof *score);
  if (!score)
    return ms_fail_memory(err, "the greatest sums of vertices");
  ms_best_sums sums = {.score = score,
                       .best = score + region->n,
                       .most = s->most,
                       .budget = s->run->budget,
                       .stop = s->run->limits.stop,
                       .report = report,
                       .user = s};
  for (uint32_t v = 0; v < region->n; v++) {
    score[v] = s->score[region->vertex[v]];
    sums.best[v] = 0;
  }
  s->before = result->settled;
  ms_status status = ms_find_best_sums(region, s->threads, &sums, err);
  for (uint32_t v = 0; v < region->n; v++)
    if (sums.best[v] > result->best_sum[region->vertex[v]])
      result->best_sum[region->vertex[v]] = sums.best[v];
  result->settled += sums.settled;
  result->run.work.visits += sums.visits;
  use_work(s, sums.work, sums.gave_up);
  ms_free(score);
  return status;
}

static ms_status find_all(summing *s, const ms_instance *region, ms_error *err)
{
  const ms_sum_range *range = s->range;
  uint32_t *exponent = ms_alloc(region->n, sizeof *exponent);
  atomic_uint_least64_t *seen = ms_calloc((size_t)region->n * s->words, sizeof *seen);
  ms_status status = MS_OK;
  if (exponent && seen) {
    ms_all_sums sums = {.exponent = exponent,
                        .words = s->words,
                        .seen = seen,
                        .most = s->most,
                        .stop = s->run->limits.stop};
    for (uint32_t v = 0; v < region->n; v++) /* see ms_sieve_problem_set_scores */
      exponent[v] = s->score[region->vertex[v]] / range->step;
    for (uint32_t d = 0; d < region->k; d++)
      sums.base += range->base[d] / range->step;
    status = ms_find_all_sums(region, s->threads, &sums, err);
    for (uint32_t v = 0; v < region->n; v++)
      for (uint32_t w = 0; w < s->words; w++)
        s->bits[(size_t)s->place[region->vertex[v]] * s->words + w] =
            atomic_load_explicit(&seen[(size_t)v * s->words + w], memory_order_relaxed);
    if (status == MS_OK)
      s->result->settled += region->n;
    s->result->run.work.visits += sums.visits;
    use_work(s, sums.work, sums.gave_up);
    report(s, 0);
  } else {
    status = ms_fail_memory(err, "the sums of vertices");
  }
  ms_free(exponent);
  ms_free(seen);
  return status;
}

/* Searches the regions of the flagged vertices. */
static ms_status search_regions(summing *s, ms_error *err)
{
  ms_regions *regions = NULL;
  const ms_instance *in = s->in;
  uint8_t *keep = ms_alloc(in->n, 1);
  if (!keep)
    return ms_fail_memory(err, "the greatest sums of vertices");
  for (uint32_t v = 0; v < in->n; v++)
    keep[v] = s->result->hits[in->vertex[v]] > 0;
  ms_status status = ms_regions_find(in, keep, s->threads, &regions, err);
  s->result->settled -= s->result->flagged; /* their sums are not known yet */
  for (uint32_t r = 0; status == MS_OK && !s->gave_up && r < regions->count; r++) {
    s->before = s->result->settled;
    status = (s->bits ? find_all : find_greatest)(s, regions->region[r], err);
  }
  ms_regions_free(regions);
  ms_free(keep);
  return status;
}

static ms_status search_bits(summing *s, ms_error *err)
{
  ms_status stopped = MS_OK;
  const ms_instance *in = s->in;
  s->words = (uint32_t)(s->range->most / 64 + 1);
  /* each region has its own bits for a while */
  uint64_t bytes = 2 * (uint64_t)in->n * s->words * sizeof *s->bits;
  if (!ms_budget_reserve(s->run->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "all sums of %u vertices need %.1f MiB, which is more than `memory` has left; "
                   "raise `memory`, or round the scores to fewer values",
                   in->n, (double)bytes / (1 << 20));
  s->bits = ms_calloc((size_t)in->n * s->words, sizeof *s->bits);
  s->place = ms_alloc(s->result->n, sizeof *s->place);
  ms_status status = MS_OK;
  if (!s->bits || !s->place)
    status = ms_fail_memory(err, "the sums of vertices");
  if (status == MS_OK) {
    for (uint32_t v = 0; v < in->n; v++)
      s->place[in->vertex[v]] = v;
    status = search_regions(s, err);
    stopped = status;
    if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
      status = MS_OK;
  }
  if (status == MS_OK && !s->gave_up)
    status = fill_sums(&(sum_bits){in, s->range, s->bits, s->words}, true, s->result, err);
  ms_free(s->bits);
  ms_free(s->place);
  ms_budget_release(s->run->budget, bytes);
  return status == MS_OK ? stopped : status;
}

ms_status ms_screen_best_sums(ms_run *run, const ms_instance *instance, const ms_screen_options *o,
                              const ms_sum_range *range, double most, ms_screen_result *result,
                              bool *known, ms_error *err)
{
  summing s = {.run = run,
               .in = instance,
               .range = range,
               .score = o->vertex_scores->of,
               .threads = ms_threads(o->run.threads),
               .most = (uint64_t)most,
               .result = result,
               .all = result->vertices_kept};
  *known = true;
  if (run->stopped != MS_OK) {
    for (uint32_t v = 0; v < result->n; v++) /* a match has at least the score of its vertex */
      result->best_sum[v] = result->hits[v] ? s.score[v] : 0;
    if (o->all_sums)
      result->sums = ms_alloc(0, sizeof *result->sums);
    return run->stopped;
  }
  for (uint32_t v = 0; v < result->n && !o->all_sums; v++)
    result->best_sum[v] = result->hits[v] ? s.score[v] : 0;
  ms_status status = o->all_sums ? search_bits(&s, err) : search_regions(&s, err);
  for (uint32_t v = 0; v < result->n && !s.gave_up; v++)
    if (result->hits[v] && result->best_sum[v] < s.score[v])
      result->best_sum[v] = s.score[v];
  *known = !s.gave_up;
  return status;
}
