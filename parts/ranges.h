/* A run whose state is saved: its units are done in ranges, and between two of them saving may be
 * due. */
#ifndef MS_PARTS_RANGES_H
#define MS_PARTS_RANGES_H

#include "base/units.h"
#include "parts/log.h"

/* Returns the number of units of the range after one of `units` that took so many seconds, so that
 * it takes about `wanted` seconds. */
uint64_t ms_range_next(uint64_t units, double seconds, double wanted);

typedef struct ms_ranges {
  uint64_t units;
  ms_share part;       /* the units to do */
  uint64_t first_step; /* units of the first range of a run that begins */
  double seconds;      /* of a range, about, or the time between two savings if that is longer;
                          before a deadline, ranges become shorter */
  void *user;
  /* Does the units of the share, and adds what they contribute to the state; after a failure,
   * nothing is added. */
  ms_status (*add)(void *user, const ms_share *share, ms_error *err);
  /* Saves the state after all units below `done` (ms_unit_log_begin, _put, _end). */
  void (*save)(void *user, uint64_t done);
  ms_progress_fn progress; /* may be NULL */
  void *progress_user;
} ms_ranges;

/* Does the units from the first one that the log lacks on; without a log, all at once.  A range
 * that the stop token ends is not added, and the state before it is saved. */
ms_status ms_ranges_run(const ms_ranges *ranges, ms_unit_log *log, ms_error *err);

#endif
