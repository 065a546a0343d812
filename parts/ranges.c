#include "parts/ranges.h"

#include "base/status.h"
#include "base/stop.h"
#include "parts/crew.h"

#include <math.h>

#define MOST_GROWTH 16.0 /* of a range to the next one */

uint64_t ms_range_next(uint64_t units, double seconds, double wanted)
{
  double growth = fmax(0.5, fmin(MOST_GROWTH, wanted / fmax(seconds, 1e-3)));
  return (uint64_t)fmin(growth * (double)units, 0x1p62) + 1;
}

/* Does the units done .. done + units - 1, and takes note of what they took. */
static ms_status run_range(const ms_ranges *r, ms_unit_log *log, ms_pace *pace, uint64_t done,
                           uint64_t units, ms_error *err)
{
  const ms_share share = ms_share_within(&r->part, done, done + units);
  double begin = ms_seconds();
  ms_status status = r->add(r->user, &share, err);
  if (status == MS_OK)
    ms_pace_note(pace, units, ms_seconds() - begin);
  else
    ms_pace_stopped(pace, units, ms_seconds() - begin);
  ms_unit_log_set_pace(log, pace->unit);
  return status;
}

ms_status ms_ranges_run(const ms_ranges *r, ms_unit_log *log, ms_error *err)
{
  ms_status status = MS_OK;
  if (!log)
    return r->add(r->user, &r->part, err);
  /* each range prepares its search: none ends before saving is due, unless the time is short */
  const double wanted = fmax(r->seconds, ms_unit_log_often(log));
  const ms_crew_job job = {.seconds = wanted, .first = r->first_step, .log = log};
  uint64_t done = ms_unit_log_done(log);
  ms_pace pace;
  ms_pace_open(&pace, &job);
  while (done < r->units && status == MS_OK) {
    ms_pace_set(&pace, wanted, ms_stop_current());
    uint64_t units = ms_pace_next(&pace, r->units - done, 1);
    status = run_range(r, log, &pace, done, units, err);
    if (status != MS_OK)
      break;
    done += units;
    if (done < r->units && ms_unit_log_is_due(log))
      r->save(r->user, done);
    if (r->progress)
      r->progress(r->progress_user, "units", done, r->units);
  }
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    r->save(r->user, done);
  return status;
}
