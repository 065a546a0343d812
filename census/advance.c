/* A census whose units are counted in ascending order, in steps that end when their time is up.
 *
 * Threads keep their tables from one step to the next.  At the end of a step, each finishes its
 * unit, and no thread takes a further one, so that all units below some number are done.  Then all
 * threads take their numbers into the totals together, and go on. */
#include "census/job.h"

#include "base/status.h"

#include <math.h>

/* Seconds after a stop in which threads may finish their units. */
#define GRACE 2.0

typedef ms_census_job census;

typedef struct step {
  census *job;
  const ms_census_step *of;
  _Atomic double end; /* of its time */
} step;

/* Returns the unit of an item; behind the last one, the number of units. */
static uint64_t unit_of(const census *c, uint64_t item)
{
  uint64_t apart = c->rest.step > 1 ? c->rest.step : 1;
  return item < c->items ? c->first_unit + item * apart : c->units.count;
}

/* Takes units until the time is up.  The calling thread, 0, takes at least one. */
static void count_units(void *user, int thread)
{
  step *s = user;
  census *c = s->job;
  bool has_to = thread == 0;
  if (thread == 0) {
    if (s->of->meanwhile)
      s->of->meanwhile(s->of->user);
    atomic_store(&s->end, ms_seconds() + s->of->seconds);
  }
  while (!ms_watch_is_asked(&c->watch) && (has_to || ms_seconds() < atomic_load(&s->end))) {
    uint64_t item = atomic_fetch_add(&c->next, 1);
    if (item >= c->items)
      return;
    if (!ms_census_job_search_item(c, thread, item))
      return;
    has_to = false;
    if (thread == 0)
      ms_limits_report(&c->options->run, "units of the census", unit_of(c, item), c->units.count);
  }
}

static ms_status advance_on_cpu(census *c, const ms_census_step *of, ms_error *err)
{
  step s = {.job = c, .of = of};
  atomic_init(&s.end, INFINITY); /* until thread 0 begins to count */
  if (!c->is_ready) {
    const ms_share rest = ms_share_within(&c->rest, c->advanced, UINT64_MAX);
    MS_TRY(ms_census_job_take_units(c, &rest, err));
    c->first_unit = ms_share_next(&rest, 0);
    atomic_store(&c->next, 0);
    c->is_ready = true;
  }
  MS_TRY(ms_census_job_open_tables(c, err));
  c->is_mixed = true;
  ms_watch_begin_with_grace(&c->watch, isfinite(of->seconds) ? GRACE : 0);
  ms_parallel_team(c->threads, count_units, &s);
  if (atomic_load(&c->watch.seen) == MS_OK) {
    MS_TRY(ms_census_job_gather(c, err));
    if (atomic_load(&c->next) > c->items)
      atomic_store(&c->next, c->items);
    c->advanced = unit_of(c, atomic_load(&c->next));
    c->is_mixed = false;
  }
  return ms_watch_report(&c->watch, "sets are counted", err);
}

/* ---- GPUs ----------------------------------------------------------------------------------- */

#define FIRST_UNITS 16u /* of a range, for each thread */
#define RANGE_SECONDS 0.5
/* A range takes so many times as long as adding its numbers, which does not depend on its length.
 */
#define RANGE_FACTOR 100
#define MOST_GROWTH 16.0 /* of a range to the next one */

/* GPUs count a range of units, which cannot be ended early. */
static ms_status advance_on_gpus(census *c, const ms_census_step *of, ms_error *err)
{
  if (of->meanwhile)
    of->meanwhile(of->user);
  if (c->step == 0)
    c->step = (uint64_t)c->threads * FIRST_UNITS * (c->rest.step > 1 ? c->rest.step : 1);
  double begin = ms_seconds();
  bool all = isinf(of->seconds) || c->step >= c->units.count - c->advanced;
  uint64_t end = all ? c->units.count : c->advanced + c->step;
  const ms_share share = ms_share_within(&c->rest, c->advanced, end);
  MS_TRY(ms_census_job_search(c, &share, err));
  c->advanced = end;
  double wanted = fmax(RANGE_SECONDS, fmin(of->seconds, RANGE_FACTOR * c->adding));
  double growth = wanted / fmax(ms_seconds() - begin, 1e-3);
  c->step = (uint64_t)(fmax(0.5, fmin(MOST_GROWTH, growth)) * (double)c->step) + 1;
  ms_limits_report(&c->options->run, "units of the census", end, c->units.count);
  return MS_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

ms_status ms_census_job_start(census *c, const ms_share *units, ms_error *err)
{
  c->rest = *units;
  c->advanced = units->first < c->units.count ? units->first : c->units.count;
  c->is_ready = c->is_mixed = false;
  return ms_census_job_clear(c, err);
}

ms_status ms_census_job_advance(census *c, const ms_census_step *of, uint64_t *done, ms_error *err)
{
  ms_stop *before = ms_stop_enter(c->options->run.stop);
  ms_status status = ms_census_job_choose_engine(c, err);
  if (status == MS_OK)
    status = c->uses_gpus ? advance_on_gpus(c, of, err) : advance_on_cpu(c, of, err);
  ms_stop_leave(before);
  *done = c->advanced;
  return status;
}

bool ms_census_job_is_whole(const census *c)
{
  return !c->is_mixed;
}
