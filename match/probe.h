/* How long a search by a program will take, estimated from random walks
 * (Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
 * Computation 29, 1975): each walk goes down one path and chooses at each level
 * one candidate at random; each node on its path is weighted by the product of the
 * numbers of candidates above it.  The mean is right on average, and
 * may be far too small where few paths hold most of the search.  So a walk
 * begins at an end of a random edge: vertices of high degree, below which there
 * is most to search, come often, and stand for fewer. */
#ifndef MS_MATCH_PROBE_H
#define MS_MATCH_PROBE_H

#include "match/cpu/program.h"

typedef struct ms_probe {
  double visits;  /* candidates that are read, except those of the last level */
  double last;    /* candidates of the last level that is visited */
  double matches; /* of the levels that are visited */
  double steps;   /* of about a nanosecond: visits, sets, the table, the tail */
} ms_probe;

/* The same seed gives the same walks. */
ms_status ms_probe_search(const ms_program *program, uint32_t walks, uint64_t seed, ms_probe *out,
                          ms_error *err);

#endif
