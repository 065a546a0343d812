/* Inside verify/: the automorphisms of a pattern, colours and directions kept. */
#ifndef MS_VERIFY_PATTERN_SYMMETRY_H
#define MS_VERIFY_PATTERN_SYMMETRY_H

#include "base/stop.h"
#include "graph/pattern.h"

/* orbit[n], bit j of orbit[i]: some automorphism keeps 0..i-1 where they are
 * and takes i to j (i itself included).
 *
 * Their sizes multiply to the order of the group.  And they tell whether a row
 * r is the smallest of its class: an automorphism a whose first moved vertex is
 * i turns r into a smaller row iff r[a(i)] < r[i].  So r is the smallest iff
 * r[i] < r[j] for all other j in orbit[i].
 * MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped. */
ms_status ms_pattern_orbits(const ms_pattern *pattern, uint64_t *orbit, const ms_stop *stop,
                            ms_error *err);

#endif
