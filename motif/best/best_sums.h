/* Sums of the vertex scores of matches, for each vertex.
 *
 * The greatest sum of a match that holds a vertex, for each vertex.
 *
 * One vertex after the other is the root of a search by branch and bound (sum_bound.h), which only
 * looks for matches of a greater sum than those that hold the root and are known.  A match that is
 * found counts for all of its vertices.  Once a vertex is settled, its sum bounds those of all
 * matches that hold it, and so later searches leave many of them out. */
#ifndef MS_MOTIF_BEST_SUMS_H
#define MS_MOTIF_BEST_SUMS_H

#include "base/budget.h"
#include "base/threads/stop.h"
#include "motif/instance.h"

#include <stdatomic.h>

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

/* ---- all sums -------------------------------------------------------------------------------- */

/* All sums of vertex scores of the matches that hold a vertex, for each vertex: every match is
 * visited. */
typedef struct ms_all_sums {
  const uint32_t *exponent; /* [n of the region] */
  uint64_t base;            /* a match has the sum of its exponents less this, which is below 64 *
                               words */
  uint32_t words;
  atomic_uint_least64_t *seen; /* [n][words] bit s is set if a match of sum s holds the vertex */
  uint64_t most;               /* the work that may be done, in words read (about a nanosecond
                                  each); 0: any */
  const ms_stop *stop;
  /* called now and then with the number of roots that are done; may be NULL */
  void (*report)(void *user, uint64_t roots);
  void *user;
  uint64_t visits; /* the sets that were visited are added */
  uint64_t work;   /* the work that was done is added */
  bool gave_up;    /* set if `most` was not enough */
} ms_all_sums;

/* Fills in the sums with `threads` threads, on which neither they nor gave_up depend.  MS_ERR_LIMIT
 * or MS_ERR_INTERRUPTED: the token ended the search; each sum is right, and some may be missing. */
ms_status ms_find_all_sums(const ms_instance *region, int threads, ms_all_sums *sums,
                           ms_error *err);

#endif
