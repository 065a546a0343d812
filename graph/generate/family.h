/* The two steps of each family of random graphs: it checks parameters, then makes edges. */
#ifndef MS_GRAPH_GENERATE_FAMILY_H
#define MS_GRAPH_GENERATE_FAMILY_H

#include "graph/generate/edge_keys.h"
#include "graph/generate/generate.h"

#define MS_GENERATE_PHASE "the graph is made"

typedef struct ms_generate_plan {
  ms_generate_options o; /* defaults filled in; threads resolved */
  uint32_t n;
  uint64_t m; /* edges; their expected number, rounded up, for `er` by probability and `grid`;
                 with loops and repeats for `hubs` */
  /* power-law: weights of the degrees low..high, the end that was solved for
   * reduced to `part` of its weight */
  uint64_t low, high, part_degree;
  double part;
  ms_watch *watch; /* of the token of the thread; once it has ended, what is made is not used */
} ms_generate_plan;

/* Check the values in plan->o and fill in n and m. */
ms_status ms_plan_regular(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_power_law(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_er(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_clique(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_rmat(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_grid(ms_generate_plan *plan, ms_error *err);
ms_status ms_plan_hubs(ms_generate_plan *plan, ms_error *err);

/* Make distinct edges without self-loops, in any order that depends on the plan alone.
 * keys->key is NULL or must be freed, also after a failure. */
ms_status ms_make_regular(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_power_law(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_er(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_clique(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_rmat(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_grid(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
ms_status ms_make_hubs(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);

/* Names plan->n vertices by their numbers, with the plan's prefix and first number. */
ms_status ms_generate_names(const ms_generate_plan *plan, ms_names **out, ms_error *err);

#define MS_GENERATE_POLL                                                                           \
  (UINT64_C(1) << 16) /* steps of a loop between two checks; a power of two */

/* True if a loop has to end at step i. */
static inline bool ms_generate_ended(const ms_generate_plan *plan, uint64_t i)
{
  return (i & (MS_GENERATE_POLL - 1)) == 0 && ms_watch_check(plan->watch);
}

/* Fails if the watch has ended. */
static inline ms_status ms_generate_report(const ms_generate_plan *plan, ms_error *err)
{
  return ms_watch_report(plan->watch, MS_GENERATE_PHASE, err);
}

/* Returns n (n - 1) / 2. */
static inline uint64_t ms_pairs_of(uint64_t n)
{
  return n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1);
}

/* Sets plan->n, or fails where the value is out of range. */
ms_status ms_plan_vertices(ms_generate_plan *plan, uint64_t value, ms_error *err);
/* Sets plan->m from --edges or the mean --degree, one of which is given: at most all pairs. */
ms_status ms_plan_edges(ms_generate_plan *plan, ms_error *err);

/* Makes all pairs except the keys of `without`, which ascend. */
ms_status ms_complement(const ms_generate_plan *plan, const ms_edge_keys *without,
                        ms_edge_keys *keys, ms_error *err);

/* Makes the edges, ascending, of a random simple graph with these degrees, whose sum is 2m:
 * pairs stubs at random, then switches edges.  The degrees are degree[n] or, where this is NULL,
 * all d.  MS_ERR_USAGE where no graph is found. */
ms_status ms_pair_stubs(const ms_generate_plan *plan, const uint32_t *degree, uint32_t d,
                        ms_edge_keys *keys, ms_error *err);

/* Makes the edges, ascending, that remain of one random pairing of stubs, degree[v] of them at
 * vertex v and 2m in all, when loops and all but one of each repeated edge are left out. */
ms_status ms_pair_stubs_erased(const ms_generate_plan *plan, const uint32_t *degree,
                               ms_edge_keys *keys, ms_error *err);
/* The parts of shuffles of given graphs, which are those of no family. */
enum { MS_PART_ORDER = 1 << 23, MS_PART_NAMES, MS_PART_COLORS, MS_PART_LINES };

/* Permutes a[count] uniformly; the permutation is a function of (seed, part), with the plan's
 * seed. */
ms_status ms_shuffle(const ms_generate_plan *plan, uint32_t *a, uint64_t count, uint32_t part,
                     ms_error *err);
/* Fills a[count] with a random permutation of 0..count-1, by ms_shuffle with these values. */
ms_status ms_random_order(uint64_t seed, int threads, uint32_t *a, uint64_t count, uint32_t part,
                          ms_error *err);

#endif
