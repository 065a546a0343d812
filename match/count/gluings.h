/* Shapes that fall apart: into components, or at a vertex; and the shapes in which vertices of the
 * one part are glued to vertices of the other. */
#ifndef MS_MATCH_COUNT_GLUINGS_H
#define MS_MATCH_COUNT_GLUINGS_H

#include "plan/shape.h"

/* ---- quotients ------------------------------------------------------------------------------- */

/* The quotients of a shape in which vertices of its tail are merged (count.h). */

typedef ms_status (*ms_quotient_fn)(void *user, const ms_shape *quotient);

/* Calls `visit` with the quotient of every partition of the tail except the finest.  No two
 * vertices of the tail are adjacent. */
ms_status ms_each_quotient(const ms_shape *shape, ms_bitset tail, ms_quotient_fn visit, void *user,
                           ms_error *err);

/* Calls `visit` with the quotient of every partition of a shape of at most 32 vertices, except the
 * finest, in which any two vertices of a block may coincide: j is in may[i] (bits), and i in
 * may[j].  No two of them are adjacent. */
ms_status ms_each_merging(const ms_shape *shape, const uint32_t *may, ms_quotient_fn visit,
                          void *user, ms_error *err);

/* ---- gluings --------------------------------------------------------------------------------- */

#define MS_MAX_GLUED 10u /* the most vertices of a shape that is glued */
#define MS_MAX_HINGES 64u

/* Makes the shape that some of the vertices induce, with the kinds that they have. */
void ms_shape_part(const ms_shape *shape, ms_bitset vertices, ms_shape *out);

/* Returns the number of partial injections of `a` vertices into `b` vertices. */
double ms_count_gluings(uint32_t a, uint32_t b);
/* Calls `visit` with the shape of every partial injection of the vertices `a` into the vertices `b`
 * that is not empty: each vertex of `a` that has an image is one vertex with it.  No edge joins `a`
 * and `b`.  The shape has at most MS_MAX_GLUED vertices. */
ms_status ms_each_gluing(const ms_shape *shape, ms_bitset a, ms_bitset b, ms_quotient_fn visit,
                         void *user, ms_error *err);

/* A vertex without which a connected shape falls apart (a cut vertex), and the rest in two parts
 * that no edge joins. */
typedef struct ms_hinge {
  uint32_t vertex;
  ms_bitset side[2];
} ms_hinge;

/* Lists hinges of a connected shape of at most MS_MAX_GLUED vertices, with each way to divide the
 * components of the rest, up to MS_MAX_HINGES.  Returns their number. */
uint32_t ms_list_hinges(const ms_shape *shape, ms_hinge hinge[MS_MAX_HINGES]);
/* True if the shape may be counted at a hinge (hinge.h): it has one, is not induced, and has
 * neither relations nor too many vertices. */
bool ms_has_hinge(const ms_shape *shape);

#endif
