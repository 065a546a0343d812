/* Required vertices of a search for a pattern: only matches that contain all of them are found.
 *
 * A map of the pattern that contains the required vertices takes some pattern vertex to each of
 * them.  These pattern vertices are their *places*.  Maps with different places differ.  An
 * automorphism of the pattern turns the maps with some places into those with the images of these
 * places, so there are equally many of both, and one of each orbit of places is enough to find one
 * map of each class.  A search with given places begins at the required vertices: each of their
 * places has a domain of one vertex, and the other domains shrink to what the pattern's edges reach
 * from there. */
#ifndef MS_RUN_REQUIRE_H
#define MS_RUN_REQUIRE_H

#include "match/domains.h"
#include "query/typed_query.h"

#include <gmp.h>

typedef struct ms_required {
  uint32_t n;
  uint32_t vertex[MS_MAX_K]; /* [n] vertices of the graph, ascending and all different */
} ms_required;

/* Refuses an array of names that is NULL or holds NULL, and more than MS_MAX_K names. */
ms_status ms_required_check(const char *const *names, uint32_t n, ms_error *err);
/* Finds the vertices of these names; `p` is the number of the pattern's vertices.  MS_ERR_USAGE: a
 * name is no vertex, or there are more different vertices than p. */
ms_status ms_required_find(const ms_graph *graph, const char *const *names, uint32_t n, uint32_t p,
                           ms_required *out, ms_error *err);
ms_status ms_required_find_typed(const ms_typed *graph, const char *const *names, uint32_t n,
                                 uint32_t p, ms_required *out, ms_error *err);

/* One choice of places.  Each place has a kind of its own in the shape, so that automorphisms of
 * the shape keep it. */
typedef struct ms_placed {
  const ms_shape *shape;
  const ms_domains *domains;
  mpz_srcptr orbit; /* number of choices that automorphisms of the pattern make of this one */
} ms_placed;
typedef ms_status (*ms_placed_fn)(void *user, const ms_placed *placed, ms_error *err);

/* Calls `each` for one choice of places of each orbit or, with `all`, for every choice, where no
 * domain is empty.  `domains` are those of the search without required vertices.  Ends early if
 * `each` fails, or with MS_ERR_LIMIT or MS_ERR_INTERRUPTED if the token says so. */
ms_status ms_required_place(const ms_required *required, const ms_shape *shape,
                            const ms_domains *domains, bool all, const ms_stop *stop,
                            ms_placed_fn each, void *user, ms_error *err);

/* ---- symmetry ------------------------------------------------------------------- */

/* Fills orbit[n] with the smallest vertex of each vertex's orbit under the automorphisms of the
 * shape. */
ms_status ms_shape_orbits(const ms_shape *shape, uint8_t *orbit, ms_error *err);
/* Gives vertex v of the shape a kind that no other vertex has. */
void ms_shape_set_apart(ms_shape *shape, uint32_t v);

#endif
