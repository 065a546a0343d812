/* Inside verify/: the automorphisms of a pattern, colours and directions kept. */
#ifndef MS_VERIFY_PATTERN_SYMMETRY_H
#define MS_VERIFY_PATTERN_SYMMETRY_H

#include "base/stop.h"
#include "query/pattern.h"

/* orbit[n] as ms_kinds_orbits (symmetry.h), which also says what it is good for. */
ms_status ms_pattern_orbits(const ms_pattern *pattern, uint64_t *orbit, const ms_stop *stop,
                            ms_error *err);

#endif
