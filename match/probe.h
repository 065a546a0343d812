/* Estimates the time of a search from random walks (Knuth, "Estimating the
 * efficiency of backtrack programs", Mathematics of Computation 29, 1975).
 * Each walk follows one path and chooses one candidate at random at each level;
 * the weight of a node on the path is the product of the numbers of candidates
 * above it.  The mean over many walks is correct, but a few walks may give far
 * too small an estimate if a few paths hold most of the search.  So a walk
 * begins at an end of a random edge: it often draws vertices of high degree,
 * below which most of the search lies, and gives them a smaller weight. */
#ifndef MS_MATCH_PROBE_H
#define MS_MATCH_PROBE_H

#include "match/cpu/program.h"

typedef struct ms_probe {
  double visits;  /* candidates that are read, except those of the last level */
  double last;    /* candidates of the last level that is visited */
  double matches; /* matches of the levels that are visited */
  double steps;   /* steps of about a nanosecond: visits, sets, the table, the tail */
} ms_probe;

/* Makes that many walks.  The same seed gives the same walks. */
ms_status ms_probe_search(const ms_program *program, uint32_t walks, uint64_t seed, ms_probe *out,
                          ms_error *err);

#endif
