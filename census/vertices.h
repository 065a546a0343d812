/* Inside census/: numbers of sets of each vertex from GPUs, a window of vertices at a time. */
#ifndef MS_CENSUS_VERTICES_H
#define MS_CENSUS_VERTICES_H

#include "census/census.h"

typedef struct ms_vertex_gpus {
  const ms_census_accelerator *gpus;
  const ms_census_graph *graph;
  uint32_t k;
  ms_budget *budget;
  void *context;  /* NULL: the CPU counts */
  ms_dense steps; /* without totals */
  bool has_steps;
  uint32_t *motif;  /* [rows][kinds] numbers of multisets of k kinds, in the order of .. */
  ms_multiset *key; /* [motifs] .. these, ascending */
  uint64_t motifs;
  ms_vertex_numbers numbers; /* of vertices begin .. end - 1 */
  uint32_t begin, end;
  uint32_t next;     /* vertices of the next window */
  uint64_t reserved; /* bytes of the budget */
} ms_vertex_gpus;

/* Opens the GPUs that the options name.  After a failure nothing is open.  MS_ERR_USAGE or
 * MS_ERR_MEMORY: the CPU has to count, and the message says why. */
ms_status ms_vertex_gpus_open(ms_vertex_gpus *v, const ms_census_accelerator *gpus,
                              const ms_census_graph *graph, const ms_census_options *options,
                              double sets, ms_budget *budget, ms_error *err);
void ms_vertex_gpus_close(ms_vertex_gpus *v);
/* Counts the sets of the vertices rank[first .. end - 1], at most MS_CENSUS_WINDOW of the n in
 * rank[], and then of the vertices that follow, as far as there is room.  A few vertices may be
 * left to the CPU. */
ms_status ms_vertex_gpus_need(ms_vertex_gpus *v, const uint32_t *rank, uint32_t n, uint32_t first,
                              uint32_t end, ms_error *err);
/* Returns the entries of vertex rank[i] (ms_vertex_numbers), which the caller may put in order, and
 * their number; NULL if the vertex is left to the CPU. */
uint64_t *ms_vertex_gpus_entries(const ms_vertex_gpus *v, uint32_t i, uint32_t *count);

#endif
