/* The judge of typed matches.  Shares no code with filter, walk and search: it
 * reads the graph and the query, and nothing else. */
#ifndef MS_VERIFY_TYPED_H
#define MS_VERIFY_TYPED_H

#include "base/stop.h"
#include "query/typed_query.h"

#include <gmp.h>

typedef enum ms_typed_verdict {
  MS_TYPED_OK = 0,
  MS_TYPED_REPEATS_VERTEX,
  MS_TYPED_OUT_OF_RANGE,
  MS_TYPED_WRONG_TYPE,  /* of a vertex */
  MS_TYPED_LACKS_EDGE,  /* some pattern edge finds no edge of its own */
  MS_TYPED_NOT_SMALLEST /* subgraphs: not the smallest row of its class */
} ms_typed_verdict;

const char *ms_typed_verdict_text(ms_typed_verdict verdict);

/* What is looked up once for many checks.  Keeps a pointer to the query. */
typedef struct ms_typed_judge ms_typed_judge;
/* With `subgraphs` a row must be the smallest of its class under the
 * automorphisms of the pattern.  That is exact: verify/symmetry.h says how it is
 * told without listing the group. */
ms_status ms_typed_judge_new(const ms_typed_query *query, bool subgraphs, ms_typed_judge **out,
                             ms_error *err);
void ms_typed_judge_free(ms_typed_judge *judge);
/* row[p]: the graph vertex of each pattern vertex.  No search but for the
 * pairing of parallel edges; may be called by several threads at a time. */
ms_typed_verdict ms_typed_judge_row(const ms_typed_judge *judge, const uint32_t *row);

/* Called per map with row[p]; return false to stop. */
typedef bool (*ms_typed_found_fn)(void *user, const uint32_t *row);

/* Count every map (embedding) by a plain backtracker: vertices in the order of
 * the pattern's numbers, for each all neighbours of the first image that it must
 * be next to, or where there is none every vertex of the graph; types and edges
 * checked as soon as both ends stand.  No filter, no walk, no domains, no
 * symmetry.  Exponential.  embeddings is initialised by the caller; found may
 * be NULL.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped, with the count so
 * far. */
ms_status ms_typed_recount(const ms_typed_query *query, mpz_t embeddings, ms_typed_found_fn found,
                           void *user, const ms_stop *stop, ms_error *err);

/* The number of automorphisms of the pattern as the query understands it:
 * permutations of its vertices that keep the accepted types of each vertex and,
 * for each ordered pair of vertices (also of twice the same), the sets of types
 * that the edges between them accept, as often as each is there.  `order` is
 * initialised by the caller. */
ms_status ms_typed_automorphisms(const ms_typed_query *query, mpz_t order, const ms_stop *stop,
                                 ms_error *err);
/* orbit[p] as ms_kinds_orbits. */
ms_status ms_typed_orbits(const ms_typed_query *query, uint64_t *orbit, const ms_stop *stop,
                          ms_error *err);

#endif
