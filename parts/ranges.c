#include "parts/ranges.h"

#include "base/status.h"
#include "base/stop.h"

ms_status ms_ranges_run(const ms_ranges *r, const ms_unit_log *log, ms_error *err)
{
  uint64_t step = r->first_step ? r->first_step : 1, done = log ? ms_unit_log_done(log) : 0;
  ms_status status = MS_OK;
  if (!log)
    return r->add(r->user, &r->part, err);
  while (done < r->units && status == MS_OK) {
    uint64_t end = step < r->units - done ? done + step : r->units;
    const ms_share share = ms_share_within(&r->part, done, end);
    double begin = ms_seconds();
    status = r->add(r->user, &share, err);
    if (status != MS_OK)
      break;
    done = end;
    double seconds = ms_seconds() - begin;
    if (seconds < r->seconds && step < UINT64_MAX / 2)
      step *= 2;
    else if (seconds > 4 * r->seconds)
      step = step / 2 + 1;
    if (done < r->units && ms_unit_log_is_due(log))
      r->save(r->user, done);
    if (r->progress)
      r->progress(r->progress_user, "units", done, r->units);
  }
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    r->save(r->user, done);
  return status;
}
