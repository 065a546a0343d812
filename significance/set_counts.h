/* The connected k-sets of a graph: how many there are, how many hold each vertex, and some of them,
 * picked out by their numbers.  It uses the engine of motifs (motif/engine.h), with a motif whose
 * slots all vertices fit. */
#ifndef MS_SIGNIFICANCE_SET_COUNTS_H
#define MS_SIGNIFICANCE_SET_COUNTS_H

#include "census/graph.h"
#include "motif/engine.h"

typedef struct ms_set_counts {
  uint32_t k;
  uint64_t sets;    /* below 2^63 */
  uint64_t *taking; /* [n] the number of sets that hold each rank */
  uint64_t visits;
  ms_instance *instance;
  ms_shares shares;
  int threads;
  ms_budget *budget;
  uint64_t bytes; /* reserved */
} ms_set_counts;

/* Counts all sets.  After a failure there is nothing to close.  Polls the token of the calling
 * thread.  MS_ERR_USAGE: there are 2^63 sets or more. */
ms_status ms_set_counts_open(const ms_census_graph *graph, uint32_t k, int threads,
                             ms_budget *budget, ms_set_counts *out, ms_error *err);
void ms_set_counts_close(ms_set_counts *counts);

/* Fills set[count][k] with the ranks of the sets of these numbers, in any order.  number[count]
 * ascends, from 0. */
ms_status ms_set_counts_pick(ms_set_counts *counts, const uint64_t *number, uint64_t count,
                             uint32_t *set, ms_error *err);

#endif
