/* Permutations and the sums of what is counted in them: of one motif (run/list_significance.c), of
 * the patterns of a set, or of a census.  All sums are of whole numbers, so that their order does
 * not matter. */
#ifndef MS_SIGNIFICANCE_PERMUTE_EACH_H
#define MS_SIGNIFICANCE_PERMUTE_EACH_H

#include "parts/sum.h"
#include "significance/permute/permute_sum.h"

/* Receives the numbers of the next permutation; no two calls run at the same time. */
typedef ms_status ms_permute_take_fn(void *user, const uint64_t *count, const ms_null_trace *trace,
                                     ms_error *err);

/* How a caller counts permutations by ways of its own. */
typedef struct ms_permute_ways {
  ms_budget *budget; /* of the run, from which the sums are taken, too */
  uint32_t classes;  /* of the null */
  uint64_t range;    /* permutations that a rank takes at a time, or a multiple; 0: no matter */
  /* Opens the ways, once there are sums: after a stop, there are results of no permutation. */
  ms_status (*open)(void *user, ms_error *err);
  /* Counts permutations from number `first` on, below `end`, and hands each to `take` in order.
   * is_whole: they are all that the run counts, and it reports its progress. */
  ms_status (*run)(void *user, uint64_t first, uint64_t end, bool is_whole,
                   ms_permute_take_fn *take, void *take_user, ms_error *err);
} ms_permute_ways;

typedef struct ms_permute_each {
  const char *name; /* of the sum, in its identity: "permutations of one motif" */
  const ms_graph *graph;
  const ms_coloring *coloring;           /* NULL: there are no colours, and edges are rewired */
  bool directed;                         /* rewired graphs are directed if the graph is */
  const ms_permutation_options *options; /* that were checked: ms_permute_each_check */
  const ms_run_limits *limits;           /* whose division was checked */
  uint64_t numbers;                      /* that are counted in each permutation */
  const uint64_t *observed;              /* [numbers] in the graph */
  void *user;
  ms_permute_ways *ways; /* NULL: one permutation a thread, by `count` */
  /* Fills count[numbers] from a permuted graph, by the calling thread alone.  MS_ERR_LIMIT,
   * MS_ERR_INTERRUPTED: it was stopped. */
  ms_status (*count)(void *user, const ms_graph *graph, const ms_coloring *coloring,
                     uint64_t *count, ms_error *err);
  /* Appends what the numbers depend on, but for the graph, its colours and the permutations. */
  ms_status (*identify)(void *user, ms_identity *identity, ms_error *err);
} ms_permute_each;

/* Of permutations 0 .. permutations - 1, those that a part does: `first` and the ones behind it.
 * Returns how many they are.  parts 0: it does all. */
uint64_t ms_permutations_of_part(uint64_t permutations, uint32_t part, uint32_t parts,
                                 uint64_t *first);

/* Completes the options, and refuses those that do not fit the graph or each other. */
ms_status ms_permute_each_check(const ms_graph *graph, bool has_colors, ms_permutation_options *o,
                                const ms_division *division, ms_error *err);

/* Counts the permutations, or those of the part, whose sums the result has.  After a stop, the
 * result has those that were done, `run.stopped` says so, and so does *err. */
ms_status ms_permute_each_run(const ms_permute_each *each, ms_permutation_result **out,
                              ms_error *err);

#endif
