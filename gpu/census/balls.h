/* How large the balls of roots are (census_device.h). */
#ifndef MS_GPU_CENSUS_BALLS_H
#define MS_GPU_CENSUS_BALLS_H

#include "census/graph.h"

typedef struct ms_ball_sizes {
  double above[3]; /* the part of the roots whose balls have more than 64, 128, 256 vertices */
} ms_ball_sizes;

/* Looks at 256 roots, or at all if there are fewer.  A ball that has more than 256 vertices is not
 * searched further.  `whole`: vertices below a root belong to its ball, too. */
ms_ball_sizes ms_ball_sizes_sample(const ms_census_graph *graph, uint32_t k, bool whole);

#endif
