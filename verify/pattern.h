/* The judge of pattern matches.  Shares no code with plans and engines: it
 * reads the graph, the colours and the pattern, and nothing else. */
#ifndef MS_VERIFY_PATTERN_H
#define MS_VERIFY_PATTERN_H

#include "base/stop.h"
#include "query/pattern.h"

#include <gmp.h>

typedef enum ms_pattern_verdict {
  MS_PATTERN_OK = 0,
  MS_PATTERN_REPEATS_VERTEX,
  MS_PATTERN_OUT_OF_RANGE,
  MS_PATTERN_LACKS_EDGE,
  MS_PATTERN_EXTRA_EDGE, /* induced: an edge where the pattern has none */
  MS_PATTERN_WRONG_COLOR,
  MS_PATTERN_NOT_SMALLEST /* subgraphs: not the smallest row of its class */
} ms_pattern_verdict;

const char *ms_pattern_verdict_text(ms_pattern_verdict verdict);

/* What is looked up once for many checks.  Keeps pointers to all three. */
typedef struct ms_pattern_judge ms_pattern_judge;
/* `coloring` may be NULL (then a pattern with colours has no match).  With
 * `subgraphs` a row must be the smallest of its class.  That is exact for every
 * pattern: pattern_symmetry.h says how it is told without listing the group. */
ms_status ms_pattern_judge_new(const ms_graph *graph, const ms_coloring *coloring,
                               const ms_pattern *pattern, bool induced, bool subgraphs,
                               ms_pattern_judge **out, ms_error *err);
void ms_pattern_judge_free(ms_pattern_judge *judge);
/* row[p]: the graph vertex of each pattern vertex.  No search; may be called
 * by several threads at a time. */
ms_pattern_verdict ms_pattern_judge_row(const ms_pattern_judge *judge, const uint32_t *row);

/* Called per map with row[p]; return false to stop. */
typedef bool (*ms_pattern_found_fn)(void *user, const uint32_t *row);

/* Count every map (embedding) by a plain backtracker: vertices in the order of
 * the pattern's numbers, for each all neighbours of the first image that it must
 * be next to, or where there is none every vertex of the graph; edges and
 * colours checked as soon as both ends stand.  No plan, no symmetry, no sets.
 * embeddings is initialised by the caller; found may be NULL.
 * MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped, with the count so far. */
ms_status ms_pattern_recount(const ms_graph *graph, const ms_coloring *coloring,
                             const ms_pattern *pattern, bool induced, mpz_t embeddings,
                             ms_pattern_found_fn found, void *user, const ms_stop *stop,
                             ms_error *err);
/* |Aut| of the pattern, colours and directions kept, by a backtracker of its own
 * (pattern_symmetry.h). */
ms_status ms_pattern_automorphisms(const ms_pattern *pattern, mpz_t order, const ms_stop *stop,
                                   ms_error *err);

#endif
