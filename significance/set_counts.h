/* The connected k-sets of a graph: how many there are, how many hold each vertex, and of how many
 * each vertex is the lowest.  It uses the engine of motifs (motif/engine.h), with a motif whose
 * slots all vertices fit. */
#ifndef MS_SIGNIFICANCE_SET_COUNTS_H
#define MS_SIGNIFICANCE_SET_COUNTS_H

#include "census/graph.h"
#include "motif/engine.h"

typedef struct ms_set_counts {
  uint32_t k;
  uint64_t sets;     /* below 2^63 */
  uint64_t *taking;  /* [n] the number of sets that hold each rank */
  uint64_t *of_root; /* [n] the number of sets of which each rank is the lowest */
  uint64_t visits;
  ms_budget *budget;
  uint64_t bytes; /* reserved */
} ms_set_counts;

/* Counts all sets.  After a failure there is nothing to close.  Polls the token of the calling
 * thread.  MS_ERR_USAGE: there are 2^63 sets or more. */
ms_status ms_set_counts_open(const ms_census_graph *graph, uint32_t k, int threads,
                             ms_budget *budget, ms_set_counts *out, ms_error *err);
void ms_set_counts_close(ms_set_counts *counts);

#endif
