/* The screen of a motif without a sieve: each region is searched for the vertices that take part.
 *
 * Where a match is near, enumeration finds it at once, so that a vertex costs a short search,
 * while the sieve evaluates all points for every vertex.  Enumeration takes long where many sets
 * nearly fit.  So it is tried first, and given up when it has done as much work as the sieve is
 * expected to do; together they then take about twice the time of the sieve. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "motif/regions.h"
#include "motif/take_part.h"
#include "run/run.h"
#include "sieve/bound.h"

#include <math.h>
#include <string.h>

/* Work of enumeration is in words that it reads, about a nanosecond each.  What it is compared with
 * are constants, so that the choice depends on nothing but the query. */
#define MOST_WORK 1e10 /* 10 s of a thread, after which the sieve has its turn in any case */

#define VERTICES_PER_WORD 5000.0 /* for each so many vertices one word more, up to .. */
#define MOST_FURTHER_WORDS 8.0

/* Returns about as many words as the sieve takes time for; the recurrence has about k^2 / 4 steps
 * for an arc, each with a product for a point. */
static ms_status work_of_sieve(const ms_instance *instance, uint32_t size, double error,
                               double *words, ms_error *err)
{
  uint32_t degree = 2 * size - 1;
  MS_TRY(ms_numbers_store(ms_miss_bound_bytes(degree, MS_MOST_NEEDED_REPETITIONS), err));
  uint32_t repetitions = ms_repetitions_for(degree, error > 0 ? error : MS_DEFAULT_ERROR);
  ms_numbers_release();
  double steps = (double)instance->arcs * size * size / 4 * repetitions;
  double further = fmin(instance->n / VERTICES_PER_WORD, MOST_FURTHER_WORDS);
  double of_step = ms_hooks.exact_words_per_step > 0 ? ms_hooks.exact_words_per_step + further : 0;
  *words = steps * (of_step + ldexp(1, (int)size) / ms_hooks.exact_products_per_word);
  return MS_OK;
}

ms_status ms_screen_most_work(const ms_instance *instance, double error, uint32_t size,
                              uint32_t evaluations, double *most, ms_error *err)
{
  MS_TRY(work_of_sieve(instance, size, error, most, err));
  *most = fmax(fmin(*most, MOST_WORK) * evaluations, ms_hooks.exact_work);
  return MS_OK;
}

/* What is known before a region, for reports of progress. */
typedef struct progress {
  ms_run *run;
  uint64_t before, all;
  const uint8_t *flagged; /* as in ms_screen_exactly */
} progress;

static void report(void *user, uint64_t settled)
{
  const progress *p = user;
  ms_run_report(p->run, "vertices settled", p->before + settled, p->all);
}

/* Searches a region, with what is left of the work that is allowed. */
static ms_status screen_region(progress *p, const ms_instance *region, int threads, uint64_t *most,
                               ms_screen_result *result, bool *known, ms_error *err)
{
  const ms_run *run = p->run;
  ms_part_takers takers = {
      .most = *most, .report = report, .user = p, .flag = ms_calloc(region->n, 1)};
  p->before = result->settled;
  if (!takers.flag)
    return ms_fail_memory(err, "the flags");
  takers.known = takers.flag; /* which is written at the end */
  for (uint32_t v = 0; p->flagged && v < region->n; v++)
    takers.flag[v] = p->flagged[region->vertex[v]];
  ms_status status = ms_take_part(region, threads, run->budget, run->limits.stop, &takers, err);
  for (uint32_t v = 0; v < region->n; v++) {
    result->hits[region->vertex[v]] = takers.flag[v];
    result->flagged += takers.flag[v];
  }
  *known = !takers.gave_up;
  if (*most > 0 && *known)
    *most -= takers.work; /* which leaves more than 0 */
  result->settled += (uint32_t)takers.settled;
  result->run.work.visits += takers.visits;
  ms_free(takers.flag);
  return status;
}

ms_status ms_screen_exactly(ms_run *run, const ms_instance *instance,
                            const ms_screen_options *options, double allowed,
                            const uint8_t *flagged, ms_screen_result *result, bool *known,
                            ms_error *err)
{
  ms_regions *regions = NULL;
  int threads = ms_threads(options->run.threads);
  uint64_t most = (uint64_t)allowed;
  progress p = {.run = run, .all = instance->n, .flagged = flagged};
  *known = true;
  ms_status status = ms_regions_find(instance, NULL, threads, &regions, err);
  if (status == MS_OK) /* no match holds the vertices outside of all regions */
    result->settled = instance->n - (uint32_t)regions->vertices;
  for (uint32_t r = 0; status == MS_OK && *known && r < regions->count; r++)
    status = screen_region(&p, regions->region[r], threads, &most, result, known, err);
  ms_regions_free(regions);
  status = ms_run_settle(run, status);
  if (run->stopped != MS_OK)
    *known = true; /* there is no time for the sieve, either */
  if (*known) {
    result->exact = true;
    result->threads = threads;
    result->miss_bound = result->miss_bound_union = run->stopped != MS_OK;
  } else {
    memset(result->hits, 0, result->n * sizeof *result->hits);
    result->flagged = result->settled = 0;
  }
  return status;
}
