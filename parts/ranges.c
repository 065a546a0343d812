#include "parts/ranges.h"

#include "base/status.h"
#include "base/stop.h"

#include <math.h>

#define MOST_GROWTH 16.0 /* of a range to the next one */

uint64_t ms_range_next(uint64_t units, double seconds, double wanted)
{
  double growth = fmax(0.5, fmin(MOST_GROWTH, wanted / fmax(seconds, 1e-3)));
  return (uint64_t)fmin(growth * (double)units, 0x1p62) + 1;
}

ms_status ms_ranges_run(const ms_ranges *r, const ms_unit_log *log, ms_error *err)
{
  uint64_t step = r->first_step ? r->first_step : 1, done = log ? ms_unit_log_done(log) : 0;
  ms_status status = MS_OK;
  if (!log)
    return r->add(r->user, &r->part, err);
  /* each range prepares its search: none ends before saving is due */
  double wanted = fmax(r->seconds, ms_unit_log_often(log));
  while (done < r->units && status == MS_OK) {
    uint64_t end = step < r->units - done ? done + step : r->units;
    const ms_share share = ms_share_within(&r->part, done, end);
    double begin = ms_seconds();
    status = r->add(r->user, &share, err);
    if (status != MS_OK)
      break;
    step = ms_range_next(end - done, ms_seconds() - begin, wanted);
    done = end;
    if (done < r->units && ms_unit_log_is_due(log))
      r->save(r->user, done);
    if (r->progress)
      r->progress(r->progress_user, "units", done, r->units);
  }
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    r->save(r->user, done);
  return status;
}
