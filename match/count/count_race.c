#include "match/count/count_race.h"

#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/race.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "match/count/count_choice.h"

#include <math.h>

/* Partial matches up to which no race is prepared: such a count is short, and a thread takes time
 * to start. */
#define FEW_PARTIAL_MATCHES 1e4

typedef struct race {
  const ms_count_query *query;
  const ms_shape *shape;
  ms_count_alone_fn *count;
  struct ms_count_sides sides;
  mpz_t maps[2];
  ms_count_report report[2];
  ms_work work; /* of the second count */
} race;

bool ms_count_may_race(const ms_count_query *q, const ms_shape *shape)
{
  if (!q->large || q->estimate || q->leaves || q->sides || isinf(ms_hooks.race_patience) ||
      !q->large->may_have_devices || !q->large->may_have_devices() || q->domains->empty)
    return false;
  return ms_expected_partial_matches(q->index, shape, q->domains->of) > FEW_PARTIAL_MATCHES;
}

bool ms_count_may_be_large(const ms_count_query *q)
{
  return q->large && (!q->sides || atomic_load(&q->sides->large) != MS_SIDE_SECOND);
}

/* True if this side has query->large, which it takes if nobody has. */
static bool take_large(struct ms_count_sides *sides, int side)
{
  int nobody = MS_SIDE_NONE;
  return atomic_compare_exchange_strong(&sides->large, &nobody, side) || nobody == side;
}

bool ms_count_take_large(const ms_count_query *q)
{
  return !q->sides || take_large(q->sides, MS_SIDE_FIRST);
}

static ms_status count_side(race *r, int side, const ms_stop *stop, ms_count_query *q,
                            ms_error *err)
{
  q->stop = q->effort.stop = stop;
  q->report = &r->report[side];
  return r->count(q, r->shape, r->maps[side], err);
}

static ms_status count_first(void *user, ms_race *all, const ms_stop *stop, ms_error *err)
{
  race *r = user;
  ms_count_query q = *r->query;
  (void)all;
  q.sides = &r->sides;
  return count_side(r, 0, stop, &q, err);
}

static bool is_started(const ms_count_query *q)
{
  return !q->large->is_started || q->large->is_started();
}

bool ms_count_leaves_large(const ms_count_query *q, double steps, double large_steps)
{
  if (!q->sides || is_started(q) || steps > ms_hooks.race_start_gain * large_steps)
    return false;
  atomic_store(&q->sides->wants_large, true);
  return true;
}

/* Waits until the second count should begin; false: the first has ended. */
static bool wait_for_turn(const race *r, ms_race *all)
{
  const struct ms_count_sides *s = &r->sides;
  double waited = 0, most;
  do {
    if (!ms_race_wait(all, ms_hooks.race_patience))
      return false;
    bool on_large = atomic_load(&s->large) == MS_SIDE_FIRST, started = is_started(r->query);
    waited = on_large && !started ? 0 : waited + ms_hooks.race_patience;
    most = on_large                                  ? ms_hooks.race_cpu_patience
           : started || atomic_load(&s->wants_large) ? 0
                                                     : ms_hooks.race_start_patience;
  } while (waited < most);
  return true;
}

static ms_status count_second(void *user, ms_race *all, const ms_stop *stop, ms_error *err)
{
  race *r = user;
  ms_count_query q = *r->query;
  if (!wait_for_turn(r, all))
    return MS_ERR_LIMIT;
  if (!take_large(&r->sides, MS_SIDE_SECOND)) {
    q.threads = ms_threads(q.threads) - 1; /* the GPU's host needs one */
    q.threads += q.threads == 0;
  } else {
    q.engine = q.large;
    if (!ms_race_wait_for(all, q.large->start))
      return MS_ERR_LIMIT;
    if (q.large->devices() == 0)
      return ms_fail(err, MS_ERR_USAGE, "there is no usable GPU");
  }
  /* what belongs to one count, and is not shared by threads */
  q.large = NULL;
  q.choices = NULL;
  q.planning = NULL;
  q.progress = NULL;
  q.shared = NULL;
  q.work = q.work ? &r->work : NULL;
  ms_status status = count_side(r, 1, stop, &q, err);
  ms_count_report *report = &r->report[1];
  report->used_large = q.engine == r->query->large && report->programs > report->passed;
  report->second = true;
  return status;
}

ms_status ms_count_race(const ms_count_query *query, const ms_shape *shape,
                        ms_count_alone_fn *count, mpz_t maps, ms_error *err)
{
  race r = {.query = query, .shape = shape, .count = count};
  ms_race_end end;
  mpz_init(r.maps[0]);
  mpz_init(r.maps[1]);
  ms_status status = ms_race_run(query->stop, count_first, count_second, &r, &end, err);
  bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  int of = end.second || (stopped && mpz_cmp(r.maps[1], r.maps[0]) > 0);
  mpz_swap(maps, r.maps[of]);
  if (query->report)
    *query->report = r.report[of];
  if (query->work && of == 1)
    ms_work_add(query->work, &r.work);
  mpz_clear(r.maps[0]);
  mpz_clear(r.maps[1]);
  return status;
}
