/* The floor of a census on a GPU: what its kernels do at least, divided by measured ceilings. */
#ifndef MS_BENCH_CENSUS_FLOOR_H
#define MS_BENCH_CENSUS_FLOOR_H

#include "motifsieve.h"

typedef struct census_work {
  uint64_t sets;       /* of k vertices */
  uint64_t inner;      /* sets of k - 1 vertices with a completion */
  uint64_t visits;     /* sets of up to k - 2 vertices with a candidate */
  uint64_t additions;  /* pairs of a set of k - 1 vertices and the kind of a completion */
  uint64_t vertex_row; /* motifs of the sets that hold a vertex, of all vertices; 0: not counted */
} census_work;

/* Counts the work by the search of processors, one thread, and without numbers of sets. */
ms_status census_count_work(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *options, census_work *work, ms_error *err);
/* Prints a line: the work; the floor in milliseconds by logic, by counts of bits, and by additions
 * in the L2 cache or, for tables of up to 4,096 numbers, in shared memory; and `seconds` over the
 * greatest of them. */
void census_print_floor(uint32_t k, uint32_t kinds, const census_work *work, double seconds);
/* The same for the numbers of each vertex, whose entries go to memory and over the link, too. */
void census_print_vertex_floor(uint32_t k, const census_work *work, double seconds);

#endif
