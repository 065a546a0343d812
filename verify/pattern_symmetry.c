/* The shape of a pattern: vertices are alike that accept the same colours, and
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
  ms_shape *shape = ms_calloc(1, sizeof *shape);
  if (!shape) {
    return ms_fail_memory(err, "the symmetry of a pattern");
  }
  shape->n = pattern->n;
  for (uint32_t i = 0; i < pattern->n; i++) {
    uint32_t like = 0; /* the first vertex of its kind, maybe i itself */
    while (!same_colors(pattern, like, i)) {
      like++;
    }
    shape->vertex[i] = (uint16_t)like;
    for (uint32_t j = 0; j < pattern->n; j++) {
      shape->kind[i][j] = (uint16_t)ms_pattern_wanted(pattern, i, j);
    }
  }
  ms_status status = ms_shape_orbits(shape, orbit, stop, err);
  ms_free(shape);
  return status;
}
