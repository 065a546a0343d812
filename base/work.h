/* Sums of work (ms_work). */
#ifndef MS_BASE_WORK_H
#define MS_BASE_WORK_H

#include "motifsieve.h"

static inline void ms_work_add(ms_work *to, const ms_work *from)
{
  to->visits += from->visits;
  to->intersections += from->intersections;
  to->points += from->points;
  to->bytes_moved += from->bytes_moved;
}

#endif
