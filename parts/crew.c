#include "parts/crew.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* ---- the length of ranges ---------------------------------------------------------------- */

/* Weight of the last range in the time of a unit: units are of different weights. */
#define NEWEST 0.5
/* No range may be longer than this many times the last one: the time of units may be that of a
 * light one. */
#define MOST_GROWTH 8u
/* Of the leader's time, about so much at most should pass while it adds contributions, as long as
 * ranges take no longer than MOST_SECONDS. */
#define ADDING_PART 0.125
#define MOST_SECONDS 30.0
/* Parts of the time: of a range, that the first one takes; of what is left before the deadline,
 * that a range takes. */
#define FIRST_PART 0.25
#define DEADLINE_PART 0.5

void ms_pace_open(ms_pace *p, const ms_crew_job *job)
{
  double known = ms_unit_log_pace(job->log);
  *p = (ms_pace){.seconds = job->seconds,
                 .first = job->first,
                 .whole = job->whole,
                 .unit = known > 0 ? known : job->unit,
                 .least = job->least,
                 .rounds = job->round > 0};
}

void ms_pace_in_round(ms_pace *p, uint64_t end)
{
  if (p->rounds && p->round_end != end)
    p->last = 0;
  p->round_end = end;
}

/* Rounds up to whole numbers of units that are done together. */
static uint64_t round_up(const ms_pace *p, uint64_t units)
{
  uint64_t rest = p->whole > 1 ? units % p->whole : 0;
  return rest > 0 ? units + (p->whole - rest) : units;
}

uint64_t ms_pace_next(ms_pace *p, uint64_t left, uint32_t members)
{
  bool begins = p->last == 0;
  if (p->first > 0 && begins && (p->rounds || !(p->unit > 0))) {
    p->last = round_up(p, p->first);
    return p->last < left ? p->last : left;
  }
  uint64_t grown =
      begins || p->last > UINT64_MAX / MOST_GROWTH ? UINT64_MAX : p->last * MOST_GROWTH;
  uint64_t units = p->last ? 2 * p->last : 1, fair = left / (2 * (uint64_t)members);
  if (p->unit > 0) {
    double wanted = p->seconds / p->unit;
    units = wanted < 1 ? 1 : wanted < (double)grown ? (uint64_t)wanted : grown;
  }
  if (members > 1 && units > fair)
    units = fair;
  if (p->unit > 0 && (double)units * p->unit < p->least)
    units = p->least / p->unit < (double)left ? (uint64_t)(p->least / p->unit) : left;
  units = round_up(p, units ? units : 1);
  p->last = units;
  return units < left ? units : left;
}

double ms_pace_seconds(const ms_crew_job *job, double add, uint32_t members)
{
  double least = add * members / ADDING_PART;
  least = least < MOST_SECONDS ? least : MOST_SECONDS;
  return job->seconds > least ? job->seconds : least;
}

void ms_pace_set(ms_pace *p, double seconds, const ms_stop *stop)
{
  double most = fmax(0, DEADLINE_PART * ms_stop_left(stop));
  if (p->last == 0 && p->unit > 0)
    seconds *= FIRST_PART;
  p->hurries = most < seconds;
  p->seconds = p->hurries ? most : seconds;
}

/* True if a deadline made a range shorter than one that was taken into account. */
static bool is_short(const ms_pace *p, uint64_t units)
{
  return p->hurries && units < p->noted / 2;
}

void ms_pace_note(ms_pace *p, uint64_t units, double seconds)
{
  double unit = seconds / (double)units;
  if (is_short(p, units))
    return;
  p->noted = units;
  p->unit = p->unit > 0 ? (1 - NEWEST) * p->unit + NEWEST * unit : unit;
}

void ms_pace_stopped(ms_pace *p, uint64_t units, double seconds)
{
  if (!is_short(p, units) && seconds > p->unit * (double)units)
    p->unit = 2 * seconds / (double)units;
}

/* ---- alone --------------------------------------------------------------------------------- */

typedef struct receiver {
  const ms_crew_job *job;
  ms_error error; /* of a piece */
} receiver;

static bool receive(void *user, const void *data, size_t length)
{
  receiver *r = user;
  return r->job->piece(r->job->user, data, length, &r->error) == MS_OK;
}

static ms_status run_alone(const ms_crew_job *job, ms_error *err)
{
  ms_pace pace;
  receiver r = {.job = job};
  ms_bytes bytes = {.pass = job->piece ? receive : NULL, .pass_user = &r};
  ms_status status = MS_OK;
  bool enough = false;
  ms_pace_open(&pace, job);
  for (uint64_t done = job->done; done < job->units && !enough && status == MS_OK;) {
    double begin = ms_seconds();
    ms_pace_set(&pace, job->seconds, ms_stop_current());
    uint64_t units = ms_pace_next(&pace, job->units - done, 1);
    ms_share share = ms_share_of_range(done, done + units);
    bytes.length = 0;
    status = job->run(job->user, &share, &bytes, err);
    if (r.error.status != MS_OK)
      status = ms_fail(err, r.error.status, "%s", r.error.message);
    if (status == MS_OK && bytes.failed)
      status = ms_fail_memory(err, "what a range of units adds to the result");
    if (status == MS_OK)
      ms_pace_note(&pace, units, ms_seconds() - begin);
    else if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
      ms_pace_stopped(&pace, units, ms_seconds() - begin);
    ms_unit_log_set_pace(job->log, pace.unit);
    if (status == MS_OK)
      status = job->add(job->user, done, done + units, &bytes, &enough, err);
    done += units;
  }
  ms_bytes_free(&bytes);
  return status;
}

uint64_t ms_crew_new_seed(void)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

ms_status ms_crew_run(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  return crew ? crew->run(crew, job, err) : run_alone(job, err);
}
