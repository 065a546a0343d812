/* All sums of vertex scores of the matches that hold a vertex, for each vertex: every match is
 * visited.  */
#ifndef MS_MOTIF_ALL_SUMS_H
#define MS_MOTIF_ALL_SUMS_H

#include "base/stop.h"
#include "motif/instance.h"

#include <stdatomic.h>

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
