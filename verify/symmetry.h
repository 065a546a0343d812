/* Inside verify/: the automorphisms of a pattern, plain or typed.
 *
 * Only the kinds matter: which vertices are alike, and which ordered pairs of vertices are alike.
 * An automorphism is a permutation of the vertices that keeps the kind of each vertex and of each
 * pair. */
#ifndef MS_VERIFY_SYMMETRY_H
#define MS_VERIFY_SYMMETRY_H

#include "base/bitset.h"
#include "base/threads/stop.h"
#include "motifsieve.h"

typedef struct ms_kinds {
  uint32_t n;                      /* 1..MS_MAX_PATTERN */
  uint16_t vertex[MS_MAX_PATTERN]; /* [n] */
  /* [n][n] kind of the pair (i, j); 0: nothing joins them (then (j, i) is 0, too), or i is j */
  uint16_t pair[MS_MAX_PATTERN][MS_MAX_PATTERN];
} ms_kinds;

/* Fills orbit[n].  Member j of orbit[i]: some automorphism keeps 0..i-1 where they are and maps i
 * to j (i itself included).
 *
 * The product of the orbits' sizes is the order of the group.  The orbits also show whether a row r
 * is the smallest of its class: an automorphism a whose first moved vertex is i turns r into a
 * smaller row if and only if r[a(i)] < r[i].  So r is the smallest if and only if r[i] < r[j] for
 * all other j in orbit[i].
 *
 * lowest[n] receives the lowest vertex that some automorphism takes to each vertex; NULL: it is not
 * wanted.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if it was stopped. */
ms_status ms_kinds_orbits(const ms_kinds *kinds, ms_bitset *orbit, uint8_t *lowest,
                          const ms_stop *stop, ms_error *err);

#endif
