/* Columns that may say on which slide a point lies, though their titles do not say it for sure: a
 * region or a batch may be a part of one slide, or a slide of its own.  Points tell.  On different
 * slides that are laid over each other, the nearest neighbour of a point is often one of another
 * slide; parts of one slide have such neighbours at their borders only. */
#ifndef MS_GRAPH_POINTS_OVERLAP_H
#define MS_GRAPH_POINTS_OVERLAP_H

#include "graph/points/points.h"

#define MS_SLIDE_CANDIDATES 8u

/* A column and the value of each point. */
typedef struct ms_slide_candidate {
  uint32_t column; /* from 0 */
  char *title;
  ms_names *values;
  uint32_t *value; /* [n] */
  bool mixed;      /* its values separate points that overlap */
} ms_slide_candidate;

/* Could this be the title of a column of slides? */
bool ms_may_be_slides(ms_field title);
/* Sets `mixed` of each candidate.  slide[n] of the points; NULL: one slide. */
void ms_find_mixed(const ms_point *point, uint32_t n, const uint32_t *slide,
                   ms_slide_candidate *candidate, uint32_t count);
/* Returns the candidate that is mixed and divides no less than every other one that is; NULL: there
 * is none.  *several: some of them divide each other. */
const ms_slide_candidate *ms_finest_slides(const ms_slide_candidate *candidate, uint32_t count,
                                           uint32_t n, bool *several);
/* Counts the points that lie exactly where an earlier one of their slide does. */
ms_status ms_count_coincident(const ms_point *point, uint32_t n, const uint32_t *slide,
                              uint32_t *count, ms_error *err);

#endif
