/* How much a search by a program will visit, estimated from random walks
 * (Knuth, "Estimating the efficiency of backtrack programs", Mathematics of
 * Computation 29, 1975): each walk goes down one path, and at each level
 * chooses one candidate of all; the product of their numbers stands for the
 * visits there.  The mean is right on average, and may be far too small where
 * few paths hold most of the search. */
#ifndef MS_ENUMERATE_PROBE_H
#define MS_ENUMERATE_PROBE_H

#include "enumerate/cpu/program.h"

typedef struct ms_probe {
  double visits;  /* candidates that are looked at, those of the last level left out */
  double last;    /* candidates of the last level */
  double matches;
} ms_probe;

/* The program has no tail.  The same seed gives the same walks. */
ms_status ms_probe_search(const ms_program *program, uint32_t walks, uint64_t seed, ms_probe *out,
                          ms_error *err);

#endif
