/* The greatest sum of vertex scores of a match that holds a vertex, for each vertex.
 *
 * One vertex after the other is the root of a search by branch and bound (sum_bound.h), which only
 * looks for matches of a greater sum than those that hold the root and are known.  A match that is
 * found counts for all of its vertices.  Once a vertex is settled, its sum bounds those of all
 * matches that hold it, and so later searches leave many of them out. */
#ifndef MS_MOTIF_BEST_SUMS_H
#define MS_MOTIF_BEST_SUMS_H

#include "base/budget.h"
#include "base/stop.h"
#include "motif/instance.h"

typedef struct ms_best_sums {
  const uint32_t *score; /* [n of the region] */
  uint32_t *best; /* [n] receives the greatest sums; 0 for a vertex in no match.  After a stop they
                     are those of the matches that were found */
  uint64_t most;  /* the work that may be done, in words read (about a nanosecond each); 0: any */
  ms_budget *budget;
  const ms_stop *stop;
  /* called now and then with the number of vertices that are settled; may be NULL */
  void (*report)(void *user, uint64_t settled);
  void *user;
  uint64_t visits;  /* the sets that were visited are added */
  uint32_t settled; /* vertices whose sum is known are added */
  uint64_t work;    /* with `most`: the work that was done is added */
  bool gave_up;     /* set if `most` was not enough; then some sums are lower bounds */
} ms_best_sums;

/* Fills in *sums with `threads` threads, on which neither the sums nor gave_up depend. MS_ERR_LIMIT
 * or MS_ERR_INTERRUPTED: the token ended the search. */
ms_status ms_find_best_sums(const ms_instance *region, int threads, ms_best_sums *sums,
                            ms_error *err);

#endif
