/* Which vertices are in a match, by enumeration: no vertex is missed.
 *
 * One vertex after the other is the root of a search that ends with its first match.  All vertices
 * of that match are settled.  A vertex without a match is in no match of another one, either, and
 * later searches leave it out.  So a vertex costs at most one search, which is long only if the
 * vertex is in many connected sets that nearly fit and in none that fits. */
#ifndef MS_MOTIF_TAKE_PART_H
#define MS_MOTIF_TAKE_PART_H

#include "base/budget.h"
#include "base/threads/stop.h"
#include "motif/instance.h"

typedef struct ms_part_takers {
  uint64_t most; /* the work that may be done, in words read (about a nanosecond each); 0: any */
  /* called now and then with the number of vertices about which it is known; may be NULL */
  void (*report)(void *user, uint64_t settled);
  /* ms_find_disjoint: receives a match, k vertices of the region, in any order.  Returns false to
   * end the search. */
  bool (*match)(void *user, const uint32_t *set);
  void *user;
  uint8_t *flag;        /* [n of the region] set to 1 for each vertex that is in a match; NULL: they
                           are not asked for */
  const uint8_t *known; /* [n of the region] 1: the vertex is known to be in a match, and is flagged
                           without a search; NULL: none is */
  uint64_t visits;      /* the sets that were visited are added */
  uint64_t settled;     /* vertices about which it is known are added */
  uint64_t work;        /* the work that was done is added */
  bool gave_up;         /* set if `most` was not enough; then not all is known */
} ms_part_takers;

/* Work is shared by `threads` threads; whether it is given up does not depend
 * on them.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED: the token ended the search; each flag is right, and
 * some may be missing. */
ms_status ms_take_part(const ms_instance *region, int threads, ms_budget *budget,
                       const ms_stop *stop, ms_part_takers *out, ms_error *err);

/* Finds matches of which no two share a vertex, until each further match shares one with them.
 * They depend on the region alone.  Fails if there is no memory for rows of bits where they should
 * be used. */
ms_status ms_find_disjoint(const ms_instance *region, ms_budget *budget, const ms_stop *stop,
                           ms_part_takers *out, ms_error *err);

#endif
