/* The judge checks the rows of a result.  It shares no code with the sieve, the pruning, the plans
 * or the engines: it reads only the graph, the colours and the query. */
#ifndef MS_VERIFY_VERIFY_H
#define MS_VERIFY_VERIFY_H

#include "base/budget.h"
#include "base/threads/stop.h"
#include "motifsieve.h"

#include <gmp.h>

typedef enum ms_verdict {
  MS_MATCH_OK = 0,
  MS_MATCH_REPEATS_VERTEX,
  MS_MATCH_OUT_OF_RANGE,
  /* faults of a motif's match */
  MS_MATCH_NOT_CONNECTED,
  MS_MATCH_COLORS_DO_NOT_FIT,
  MS_MATCH_LACKS_REQUIRED,
  /* faults of a pattern's match */
  MS_MATCH_WRONG_COLOR,
  MS_MATCH_WRONG_TYPE,  /* the type of a vertex */
  MS_MATCH_LACKS_EDGE,  /* typed: no edge of the graph is left for some pattern edge */
  MS_MATCH_EXTRA_EDGE,  /* induced: the graph has an edge where the pattern has none */
  MS_MATCH_NOT_SMALLEST /* subgraphs: the row is not the smallest of its class */
} ms_verdict;

const char *ms_verdict_text(ms_verdict verdict);

/* What is looked up once for the checks of many rows.  A judge keeps pointers to all of its
 * inputs. */
typedef struct ms_judge ms_judge;

ms_status ms_judge_motif(const ms_query *query, ms_judge **out, ms_error *err);
/* `coloring` may be NULL; a pattern with colours then has no match.  With `subgraphs` a row must be
 * the smallest of its class under the automorphisms of the pattern.  This check is exact for every
 * pattern: symmetry.h explains how a row shows it without a list of the group. */
ms_status ms_judge_pattern(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_pattern *pattern, bool induced, bool subgraphs, ms_judge **out,
                           ms_error *err);
ms_status ms_judge_typed(const ms_typed_query *query, bool induced, bool subgraphs, ms_judge **out,
                         ms_error *err);
/* Lets a judge of a pattern accept only matches that hold all of vertex[count], which differ.
 * count <= MS_MAX_K. */
void ms_judge_require(ms_judge *judge, uint32_t count, const uint32_t *vertex);
void ms_judge_free(ms_judge *judge);

/* Checks one row: the k vertices of a motif's match in any order, or the graph vertex of each
 * pattern vertex.  Several threads may call it at a time.  It searches only for a bipartite
 * matching: between the vertices and the slots of a motif, or for the parallel edges of a typed
 * pattern.  O(k^2 log degree) for a motif, O(pattern edges * log degree) for a pattern, O(arcs *
 * edges^2) for parallel edges. */
ms_verdict ms_judge_row(const ms_judge *judge, const uint32_t *row);
/* Checks rows[count][k] as ms_judge_row does, and returns how many of them, from the first on, are
 * matches: the next one, if it is less than `count`, is none.  Several threads may call it at a
 * time.  Of a plain pattern, many rows in one call are checked faster. */
uint64_t ms_judge_rows(const ms_judge *judge, const uint32_t *rows, uint64_t count);
/* Lets a judge take memory of the budget, which must outlive it, for what it remembers of the
 * graph; without one, it has no bound but the size of the graph. */
void ms_judge_lend(ms_judge *judge, ms_budget *budget);
/* Checks a motif's match as ms_judge_row does, without a judge. */
ms_verdict ms_verify_match(const ms_query *query, const uint32_t *set);

/* Judges sets of a motif that differ in one vertex.  Such sets come together while they are
 * searched for, and most of what the judge of a row looks up is the same for all of them. */
typedef struct ms_set_judge ms_set_judge;

/* One for `threads` threads, 1 or more; the query must outlive it. */
ms_status ms_set_judge_new(const ms_query *query, int threads, ms_set_judge **out, ms_error *err);
void ms_set_judge_free(ms_set_judge *judge);
/* Judges the sets of set[k-1] and one vertex of last[count] each.  Returns how many of them, from
 * the first on, are surely matches.  The one after these may be a match, too: ms_judge_row decides.
 * That happens with the first sets, which do not pay for tables of all vertices yet, and if some
 * vertex of set[] is adjacent to none before it.  Fast if the sets of a thread begin with the same
 * vertices as those before them.  k >= 2; thread < threads, and each thread has a number of its
 * own. */
uint64_t ms_set_judge_count(ms_set_judge *judge, int thread, const uint32_t *set,
                            const uint32_t *last, uint64_t count);

/* Called for each match with its row; returns false to stop. */
typedef bool (*ms_found_fn)(void *user, const uint32_t *row);

/* Counts every map (embedding) of a pattern with a plain backtracker.  It places the required
 * vertices, each on every pattern vertex, and then always the pattern vertex of the lowest number
 * that is next to a placed one.  The candidates of a vertex are all neighbours of the first image
 * that it must be next to, or every vertex of the graph if no placed vertex is next to it.  Every
 * condition is checked as soon as both ends are placed.  There is no plan, no domain and no
 * symmetry; the time is exponential.  Only maps that hold the required vertices count.  The caller
 * initialises `count`; `found` may be
 * NULL.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if it was stopped, with the count so far. */
ms_status ms_judge_recount(const ms_judge *judge, mpz_t count, ms_found_fn found, void *user,
                           const ms_stop *stop, ms_error *err);

/* Computes the number of automorphisms of the pattern.  These are the permutations of its vertices
 * that keep the accepted colours or types of each vertex and the edges between each ordered pair of
 * vertices (typed: the sets of types that the edges accept, each as often as it occurs, and also
 * the self-loops).  The caller initialises `order`.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if
 * it was stopped. */
ms_status ms_judge_automorphisms(const ms_judge *judge, mpz_t order, const ms_stop *stop,
                                 ms_error *err);

#endif
