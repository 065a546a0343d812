/* The kinds in a pattern: vertices are alike that accept the same colours, and
 * pairs between which the same arcs run. */
#include "verify/pattern_symmetry.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/pattern_fit.h"
#include "verify/symmetry.h"

#include <string.h>

static bool same_colors(const ms_pattern *pattern, uint32_t i, uint32_t j)
{
  uint32_t count = pattern->colors[i];
  return count == pattern->colors[j] &&
         (count == 0 ||
          memcmp(pattern->color[i], pattern->color[j], count * sizeof *pattern->color[i]) == 0);
}

ms_status ms_pattern_orbits(const ms_pattern *pattern, uint64_t *orbit, const ms_stop *stop,
                            ms_error *err)
{
  ms_kinds *kinds = ms_calloc(1, sizeof *kinds);
  if (!kinds) {
    return ms_fail_memory(err, "the symmetry of a pattern");
  }
  kinds->n = pattern->n;
  for (uint32_t i = 0; i < pattern->n; i++) {
    uint32_t like = 0; /* the first vertex of its kind, maybe i itself */
    while (!same_colors(pattern, like, i)) {
      like++;
    }
    kinds->vertex[i] = (uint16_t)like;
    for (uint32_t j = 0; j < pattern->n; j++) {
      kinds->pair[i][j] = (uint16_t)ms_pattern_wanted(pattern, i, j);
    }
  }
  ms_status status = ms_kinds_orbits(kinds, orbit, stop, err);
  ms_free(kinds);
  return status;
}
