/* Numbers of common neighbours of many roots and one vertex at a time.
 *
 * Each root has a lane: bit i of a vertex's mask says that the vertex is a neighbour of root i. The
 * masks of the neighbours of w are added up lane by lane, which gives the number of common
 * neighbours of w and every root for one read of the row of w. */
#ifndef MS_MATCH_CPU_INNER_LANES_H
#define MS_MATCH_CPU_INNER_LANES_H

#include "match/cpu/sorted.h"

struct ms_lane_rows {
  const uint64_t *offset;   /* [n] where the row of each vertex begins */
  const uint32_t *length;   /* [n] the part of it that is read */
  const uint32_t *neighbor; /* of all rows */
  const uint64_t *mask;     /* [n] */
};

#endif
