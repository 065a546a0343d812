/* Permutations that are counted one by one, one a thread, by a function of the caller: of one motif
 * (run/list_significance.c), or of the patterns of a set. */
#ifndef MS_SIGNIFICANCE_PERMUTE_EACH_H
#define MS_SIGNIFICANCE_PERMUTE_EACH_H

#include "parts/sum.h"
#include "significance/permute/permute_sum.h"

typedef struct ms_permute_each {
  const char *name; /* of the sum, in its identity: "permutations of one motif" */
  const ms_graph *graph;
  const ms_coloring *coloring;           /* NULL: there are no colours, and edges are rewired */
  bool directed;                         /* rewired graphs are directed if the graph is */
  const ms_permutation_options *options; /* that were checked: ms_permute_each_check */
  const ms_division *division;           /* that was checked; NULL: there is none */
  const ms_run_limits *limits;
  uint64_t numbers;         /* that are counted in each permutation */
  const uint64_t *observed; /* [numbers] in the graph */
  void *user;
  /* Fills count[numbers] from a permuted graph, by the calling thread alone.  MS_ERR_LIMIT,
   * MS_ERR_INTERRUPTED: it was stopped. */
  ms_status (*count)(void *user, const ms_graph *graph, const ms_coloring *coloring,
                     uint64_t *count, ms_error *err);
  /* Appends what the numbers depend on, but for the graph, its colours and the permutations. */
  ms_status (*identify)(void *user, ms_identity *identity, ms_error *err);
} ms_permute_each;

/* Completes the options, and refuses those that do not fit the graph or each other. */
ms_status ms_permute_each_check(const ms_graph *graph, bool has_colors, ms_permutation_options *o,
                                const ms_division *division, ms_error *err);

/* Counts the permutations, or those of the part, whose sums the result has.  After a stop, the
 * result has those that were done, `run.stopped` says so, and so does *err. */
ms_status ms_permute_each_run(const ms_permute_each *each, ms_permutation_result **out,
                              ms_error *err);

#endif
