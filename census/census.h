/* Inside census/: the steps of a census (include/motifsieve/census.h). */
#ifndef MS_CENSUS_CENSUS_H
#define MS_CENSUS_CENSUS_H

#include "census/accelerator.h"

/* The form of the tables; only tests change it. */
typedef enum ms_census_form { MS_CENSUS_AUTO, MS_CENSUS_DENSE, MS_CENSUS_SPARSE } ms_census_form;
extern ms_census_form ms_census_forced_form;

/* Motifs and the numbers of their sets. */
typedef struct ms_census_rows {
  ms_tally_entry *row; /* [room] */
  uint64_t count, room;
} ms_census_rows;

ms_status ms_census_rows_add(ms_census_rows *rows, const ms_multiset *motif, uint64_t sets,
                             ms_error *err);
/* Puts the rows in order, and leaves out those that the options do not want. */
void ms_census_rows_sort(ms_census_rows *rows, const ms_census_options *options);

/* Turns multisets of kinds into motifs: each into all motifs that it fits. */
typedef struct ms_expander {
  const ms_census_graph *graph;
  uint32_t k;
  ms_tally motifs;      /* of multisets with several motifs */
  ms_multiset *fits[2]; /* [room] motifs of the first kinds of a multiset */
  uint64_t room;
  struct ms_met *met; /* [places] motifs that were met in a round */
  uint64_t places, round;
} ms_expander;

ms_status ms_expander_open(ms_expander *e, const ms_census_graph *graph, uint32_t k,
                           ms_budget *budget, ms_error *err);
void ms_expander_close(ms_expander *e);
/* Adds `sets` to each motif that the multiset of kinds fits: to `rows` where each kind has one
 * colour, else to e->motifs. */
ms_status ms_expander_add(ms_expander *e, const ms_multiset *kinds, uint64_t sets,
                          ms_census_rows *rows, ms_error *err);
/* Moves all of e->motifs to the rows, and clears it. */
ms_status ms_expander_finish(ms_expander *e, ms_census_rows *rows, ms_error *err);

/* ms_census with these GPUs. */
ms_status ms_census_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                       const ms_coloring *coloring, const ms_census_options *options,
                       ms_census_result **out, ms_error *err);

/* ms_census_vertices with these GPUs. */
ms_status ms_census_vertices_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                                const ms_coloring *coloring, const ms_census_options *options,
                                ms_census_fn receive, void *user, ms_census_summary *summary,
                                ms_error *err);

/* Estimates the number of sets by that of walks of k vertices, which is larger on most graphs: each
 * further vertex multiplies it by the mean degree of a neighbour. */
double ms_census_estimate_sets(const ms_census_graph *graph, uint32_t k);
/* Says why the CPU is the faster choice where it would take so many seconds, as far as is known
 * without a count; NULL: it is not. */
const char *ms_census_prefer_cpu(const ms_census_accelerator *gpus, uint32_t k, double seconds);

typedef enum ms_census_engine { MS_CENSUS_ANY, MS_CENSUS_CPU, MS_CENSUS_GPU } ms_census_engine;
/* Finds the engine of this name; NULL: any.  MS_ERR_USAGE: there is none. */
ms_status ms_census_find_engine(const char *name, ms_census_engine *out, ms_error *err);

/* Puts the usual numbers in place of zeros, and checks the others. */
ms_status ms_census_complete(ms_census_options *options, ms_error *err);
/* MS_ERR_MEMORY, with what can be done. */
ms_status ms_census_fail_memory(const ms_census_graph *graph, ms_error *err);
/* MS_ERR_USAGE: a number has no 63 bits. */
ms_status ms_census_fail_overflow(ms_error *err);

#endif
