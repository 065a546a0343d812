/* Sums of work (ms_work). */
#ifndef MS_BASE_WORK_H
#define MS_BASE_WORK_H

#include "motifsieve.h"

#define MS_WORK_ENTRY_BYTES 8u /* of a stored partial match: its vertex and its parent */

/* Returns the part of the sets looked for that were found; 0 if none was looked for. */
static inline double ms_work_reuse_ratio(const ms_work *work)
{
  double all = (double)work->sets_found + (double)work->sets_missed;
  return all > 0 ? (double)work->sets_found / all : 0;
}

static inline void ms_work_add(ms_work *to, const ms_work *from)
{
  to->visits += from->visits;
  to->intersections += from->intersections;
  to->points += from->points;
  to->bytes_moved += from->bytes_moved;
  to->sets_found += from->sets_found;
  to->sets_missed += from->sets_missed;
  for (int i = 0; i < MS_WORK_LEVELS; i++)
    to->stored[i] += from->stored[i];
  to->expand += from->expand;
  to->finish += from->finish;
  to->rows += from->rows;
}

#endif
