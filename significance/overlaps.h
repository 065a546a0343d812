/* How often connected sets of k vertices overlap.
 *
 * The variance of the number of sets of a motif, over all ways to put the colours on the vertices,
 * needs of the graph only the numbers O_i of ordered pairs of connected k-sets with i common
 * vertices.  Let d(T) be the number of connected k-sets that contain the vertex set T.  Then
 *
 *     B_j = sum over |T| = j of d(T)^2 = sum over i >= j of C(i, j) O_i,
 *
 * because a pair with i common vertices is counted once for each of the C(i, j) sets T of j of
 * them.  B_0 is the square of the number of sets, and B_k that number.
 *
 * Exact numbers (overlaps_exact.c).  Each set T is counted at its vertex of the lowest rank.  For
 * each vertex v, all connected k-sets that contain it are visited, and d(T) is counted in a table
 * of the subsets of the vertices around v.  That takes N k visits and fewer than N (2^k - k - 2)
 * additions, because those for all last vertices of a search are one addition,
 * and a thread needs memory in proportion to what lies around one vertex.
 *
 * Sampled numbers (overlaps_sampled.c).  B_1 is exact: it needs only the number of sets that hold
 * each vertex.  For the others,
 *
 *     B_j = N C(k, j) E[d(T)]
 *
 * where T is a random subset of j vertices of a random connected k-set: d(T) is the mean, and its
 * standard deviation over the square root of the number of draws gives the standard error. */
#ifndef MS_SIGNIFICANCE_OVERLAPS_H
#define MS_SIGNIFICANCE_OVERLAPS_H

#include "base/budget.h"
#include "census/graph.h"

__extension__ typedef unsigned __int128 ms_count128;

typedef struct ms_overlaps {
  uint32_t n; /* vertices over which colours are permuted */
  uint32_t k;
  uint64_t sets;                         /* N */
  ms_count128 shared[MS_MAX_CENSUS + 1]; /* [k + 1] B_j */
  double error[MS_MAX_CENSUS + 1];       /* [k + 1] standard error of B_j; 0: it is exact */
  uint64_t most;                         /* the greatest number of sets that hold one vertex */
  bool exact;
  uint64_t samples; /* draws for each B_j that is not exact */
  uint64_t visits;  /* sets that were visited */
} ms_overlaps;

typedef struct ms_overlaps_options {
  uint32_t k;              /* 2 to MS_MAX_CENSUS */
  ms_moments_choice which; /* exact, sampled, or the one that the number of sets suggests */
  uint64_t sets;           /* N, if it is known; 0: it is not */
  uint64_t samples;        /* draws for each B_j; 0: USUAL_SAMPLES */
  uint64_t seed;           /* of the draws */
  ms_run_limits run;       /* only threads and progress */
  ms_budget *budget;       /* may be NULL */
} ms_overlaps_options;

/* Counts the overlaps of the connected sets of a graph; its colours do not matter.  The result does
 * not depend on the threads.  Polls the token of the calling thread: MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED.  MS_ERR_MEMORY: what lies around one vertex does not fit into the budget.
 * MS_ERR_USAGE: there are too many sets. */
ms_status ms_overlaps_count(const ms_census_graph *graph, const ms_overlaps_options *options,
                            ms_overlaps *out, ms_error *err);

/* Sets pairs[k + 1] to O_i, which may be negative where B_j are sampled. */
__extension__ typedef __int128 ms_signed128;
void ms_overlaps_pairs(const ms_overlaps *overlaps, ms_signed128 *pairs);

/* The two ways; `out` has n and k, and receives the rest. */
ms_status ms_overlaps_exact(const ms_census_graph *graph, const ms_overlaps_options *options,
                            ms_overlaps *out, ms_error *err);
ms_status ms_overlaps_sampled(const ms_census_graph *graph, const ms_overlaps_options *options,
                              ms_overlaps *out, ms_error *err);

#endif
