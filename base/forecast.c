/* How long a job takes, from the time of a small part of it. */
#include "base/forecast.h"

#include "base/threads/stop.h"

#include <math.h>

#define MOST_PARTS 4096u
#define UNITS_OF_A_PART 16u
#define GROWTH 8u          /* of a part to the next one */
#define SAMPLE_SECONDS 0.1 /* of a part that is large enough */
#define MOST_SECONDS 0.5   /* of a part, which is ended then */
/* A job of fewer seconds needs no forecast, even if its sample is wrong by a factor of four. */
#define SHORT_JOB (MS_PROGRESS_LONG / 4)

/* Does a part in at most MOST_SECONDS; MS_ERR_LIMIT: it takes longer. */
static ms_status time_part(uint32_t parts, ms_forecast_part_fn *part, void *user,
                           const ms_stop *stop, double *seconds)
{
  ms_error err;
  ms_stop *sampling = NULL;
  if (ms_stop_child(stop, MOST_SECONDS, &sampling, &err) != MS_OK)
    return MS_ERR_MEMORY;
  ms_stop *before = ms_stop_enter(sampling);
  double begin = ms_seconds();
  ms_status status = part(user, parts, sampling, &err);
  *seconds = ms_seconds() - begin;
  ms_stop_leave(before);
  ms_stop_free(sampling);
  return ms_stop_check(stop) == MS_OK ? status : MS_ERR_INTERRUPTED;
}

double ms_forecast_by_parts(uint64_t units, ms_forecast_part_fn *part, void *user,
                            const ms_stop *stop, ms_forecast_kind *kind)
{
  double seconds, last = 0, last_share = 0; /* of the part before: it prepares as much as this */
  uint64_t parts = units / UNITS_OF_A_PART < MOST_PARTS ? units / UNITS_OF_A_PART : MOST_PARTS;
  *kind = MS_FORECAST_ABOUT;
  if (parts > 1 && units <= UINT32_MAX) { /* a single unit, for what a part prepares */
    if (time_part((uint32_t)units, part, user, stop, &last) != MS_OK)
      return 0;
    last_share = 1 / (double)units;
  }
  for (; parts > 1; parts /= GROWTH) {
    double share = 1 / (double)parts;
    ms_status status = time_part((uint32_t)parts, part, user, stop, &seconds);
    bool is_cut = status == MS_ERR_LIMIT;
    *kind = is_cut ? MS_FORECAST_LEAST : MS_FORECAST_ABOUT;
    if ((status != MS_OK && !is_cut) || seconds / share < SHORT_JOB)
      return 0;
    if (last_share > 0 && (seconds >= SAMPLE_SECONDS || is_cut))
      return seconds + (1 - share) * fmax(seconds - last, 0) / (share - last_share);
    if (is_cut)
      return 0;
    last = seconds;
    last_share = share;
  }
  return 0;
}
