/* Which vertices are in a match, by enumeration: no vertex is missed.
 *
 * One vertex after the other is the root of a search that ends with its first match.  All vertices
 * of that match are settled.  A vertex without a match is in no match of another one, either, and
 * later searches leave it out.  So a vertex costs at most one search, which is long only if the
 * vertex is in many connected sets that nearly fit and in none that fits. */
#ifndef MS_MOTIF_TAKE_PART_H
#define MS_MOTIF_TAKE_PART_H

#include "base/budget.h"
#include "base/stop.h"
#include "motif/instance.h"

typedef struct ms_part_takers {
  uint64_t most; /* the work that may be done, in words read (about a nanosecond each); 0: any */
  /* called now and then with the number of vertices about which it is known; may be NULL */
  void (*report)(void *user, uint64_t settled);
  void *user;
  uint8_t *flag;        /* [n of the region] set to 1 for each vertex that is in a match */
  const uint8_t *known; /* [n of the region] 1: the vertex is known to be in a match, and is flagged
                           without a search; NULL: none is */
  uint64_t visits;      /* the sets that were visited are added */
  uint64_t settled;     /* vertices about which it is known are added */
  uint64_t work;        /* the work that was done is added */
  bool gave_up;         /* set if `most` was not enough; then not all is known */
} ms_part_takers;

/* flag[n] must be 0.  Work is shared by `threads` threads; whether it is given up does not depend
 * on them.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED: the token ended the search; each flag is right, and
 * some may be missing. */
ms_status ms_take_part(const ms_instance *region, int threads, ms_budget *budget,
                       const ms_stop *stop, ms_part_takers *out, ms_error *err);

#endif
