/* The judge.  It shares no code with the sieve, the pruning, the plans or the engines: it reads the
 * graph, the colours and the query, and nothing else. */
#ifndef MS_VERIFY_VERIFY_H
#define MS_VERIFY_VERIFY_H

#include "base/stop.h"
#include "motifsieve.h"

#include <gmp.h>

typedef enum ms_verdict {
  MS_MATCH_OK = 0,
  MS_MATCH_REPEATS_VERTEX,
  MS_MATCH_OUT_OF_RANGE,
  /* of a motif */
  MS_MATCH_NOT_CONNECTED,
  MS_MATCH_COLORS_DO_NOT_FIT,
  MS_MATCH_LACKS_REQUIRED,
  /* of a pattern */
  MS_MATCH_WRONG_COLOR,
  MS_MATCH_WRONG_TYPE,  /* of a vertex */
  MS_MATCH_LACKS_EDGE,  /* typed: some pattern edge finds no edge of its own */
  MS_MATCH_EXTRA_EDGE,  /* induced: an edge where the pattern has none */
  MS_MATCH_NOT_SMALLEST /* subgraphs: not the smallest row of its class */
} ms_verdict;

const char *ms_verdict_text(ms_verdict verdict);

/* Everything that is looked up once for many checks.  Keeps pointers to all that it is made from.
 */
typedef struct ms_judge ms_judge;

ms_status ms_judge_motif(const ms_query *query, ms_judge **out, ms_error *err);
/* `coloring` may be NULL (then a pattern with colours has no match).  With `subgraphs` a row must
 * be the smallest of its class under the automorphisms of the pattern.  That is exact for every
 * pattern: symmetry.h says how a row shows it without a list of the group. */
ms_status ms_judge_pattern(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_pattern *pattern, bool induced, bool subgraphs, ms_judge **out,
                           ms_error *err);
ms_status ms_judge_typed(const ms_typed_query *query, bool subgraphs, ms_judge **out,
                         ms_error *err);
void ms_judge_free(ms_judge *judge);

/* row: the k vertices of a motif's match in any order, or the graph vertex of each pattern vertex.
 * May be called by several threads at a time.  No search, except for a bipartite matching: of the
 * vertices and slots of a motif, of the parallel edges of a typed pattern.
 * O(k^2 log degree), O(pattern edges * log degree), O(arcs * edges^2) for parallel edges. */
ms_verdict ms_judge_row(const ms_judge *judge, const uint32_t *row);
/* ms_judge_row for a motif, without a judge. */
ms_verdict ms_verify_match(const ms_query *query, const uint32_t *set);

/* Called for each match with its row; returns false to stop. */
typedef bool (*ms_found_fn)(void *user, const uint32_t *row);

/* Count every map (embedding) of a pattern by a plain backtracker: the vertices in the order of the
 * pattern's numbers; for each all neighbours of the first image that it must be next to, or every
 * vertex of the graph where it has no earlier neighbour; everything is checked as soon as both ends
 * are placed.  No plan, no domains, no symmetry.  Exponential.  `count` is initialised by the
 * caller; found may be NULL.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped, with the count so
 * far. */
ms_status ms_judge_recount(const ms_judge *judge, mpz_t count, ms_found_fn found, void *user,
                           const ms_stop *stop, ms_error *err);

/* The number of automorphisms of the pattern: permutations of its vertices that keep the accepted
 * colours or types of each vertex, and the edges between each ordered pair of vertices (typed: the
 * sets of types that they accept, each as often as it occurs; also the self-loops).  `order` is
 * initialised by the caller.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped. */
ms_status ms_judge_automorphisms(const ms_judge *judge, mpz_t order, const ms_stop *stop,
                                 ms_error *err);

#endif
