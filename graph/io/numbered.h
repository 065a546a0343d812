/* Fields that hold numbers, and the errors where they do not, for formats whose vertices are
 * 1..n. */
#ifndef MS_GRAPH_IO_NUMBERED_H
#define MS_GRAPH_IO_NUMBERED_H

#include "graph/io/text.h"

/* Reads a whole number of at most `most`; an error says "the `what` ...". */
ms_status ms_numbered_count(const ms_text *text, ms_field field, uint64_t most, const char *what,
                            uint64_t *value, ms_error *err);
/* Reads a vertex of 1..n as an id from 0; n <= MS_MAX_NAMES. */
ms_status ms_numbered_vertex(const ms_text *text, ms_field field, uint64_t n, uint32_t *v,
                             ms_error *err);
/* Reads a weight or value, a finite number. */
ms_status ms_numbered_value(const ms_text *text, ms_field field, double *value, ms_error *err);

/* Returns a number for the arc, and its negative for the reverse: over arcs that all have their
 * reverses the sum is 0, and hardly over others. */
static inline uint64_t ms_mix_arc(uint64_t u, uint64_t v)
{
  uint64_t x = (u < v ? u : v) * 0x9E3779B97F4A7C15u ^ (u < v ? v : u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return u == v ? 0 : u < v ? x : -x;
}

#endif
