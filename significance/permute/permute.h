/* Counting the motifs of a census in permuted graphs.
 *
 * Four engines give the same numbers:
 *
 *   one by one (permute_one.c)   a whole census of each permuted graph; for every null, and for
 *                                colours and graphs of any kind; on threads side by side
 *                                (permute_side.h)
 *   GPUs (permute_gpu.c)         up to 64 labellings at a time, as batches; census/accelerator.h
 *   networks (permute_networks.c)  shapes: up to 64 random networks at a time on a GPU
 *   batches (permute_batch.c)    up to 64 labellings at a time, where each vertex has one colour
 * and the tables of the census are dense.  The connected sets are searched once, and recorded
 * (records.h); then each labelling runs through the records.
 *
 * A record holds a set of k - 1 vertices with all of its completions.  Running through it takes
 * about one addition for each set and no branch that depends on data, a tenth of the time of a
 * search.  But it counts each set by itself, and a census of a dense graph counts most sets many at
 * a time (census/search.h): MS_SETS_OF_VISIT decides. */
#ifndef MS_SIGNIFICANCE_PERMUTE_H
#define MS_SIGNIFICANCE_PERMUTE_H

#include "base/budget.h"
#include "census/census.h"
#include "significance/nulls.h"

/* Batches pay where a visit of the search leads to fewer sets. */
#define MS_SETS_OF_VISIT 150u

/* The engine. */
typedef enum ms_permute_engine {
  MS_PERMUTE_AUTO,
  MS_PERMUTE_ONE,
  MS_PERMUTE_BATCH,
  MS_PERMUTE_GPU
} ms_permute_engine;

typedef struct ms_permute {
  const ms_census_accelerator *gpus;
  const ms_graph *graph;
  const ms_coloring *coloring;
  const ms_census_options *census;
  const ms_permutation_options *options;
  const ms_census_result *observed;
  uint64_t motifs;
  int threads;
  ms_budget budget;
  ms_census_graph *ranks; /* kinds and rows of the graph */
  uint16_t *label;        /* [n] the kind of each vertex; MS_NO_LABEL: none */
  ms_null *null;
  uint32_t *place; /* [places] 1 + motif by the hash value of its key; 0: free */
  uint64_t places;
} ms_permute;

/* Sets *out to the kind of each of the n vertices of a graph, which the caller frees; MS_NO_LABEL:
 * it has no rank. */
ms_status ms_permute_labels(uint32_t n, const ms_census_graph *ranks, uint16_t **out,
                            ms_error *err);

/* Makes what follows `budget` above, from what precedes it.  It must be closed in any case. */
ms_status ms_permute_open(ms_permute *p, ms_error *err);
void ms_permute_close(ms_permute *p);

/* Fills count[motifs] with the sets of permutation `number`.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: it
 * was stopped. */
ms_status ms_permute_one(const ms_permute *p, uint64_t number, uint64_t *count,
                         ms_null_trace *trace, ms_error *err);
/* The same by the calling thread alone, whose census takes at most this memory; 0: as above.  Other
 * threads may count other permutations at the same time. */
ms_status ms_permute_one_within(const ms_permute *p, uint64_t number, uint64_t memory,
                                uint64_t *count, ms_null_trace *trace, ms_error *err);

/* Makes the colouring in which vertex v has the list of from[v]; the names are those of the
 * original, which must outlive it.  ms_permuted_colors_free frees its arrays. */
ms_status ms_permute_colors(const ms_coloring *original, const uint32_t *from, ms_coloring *out,
                            ms_error *err);
void ms_permuted_colors_free(ms_coloring *coloring);
/* Makes permutation `number` of the graph of a null and these colours (NULL: there are none),
 * passes it to `use`, and frees it. */
typedef ms_status ms_permuted_fn(void *user, const ms_graph *graph, const ms_coloring *coloring,
                                 ms_error *err);
ms_status ms_permute_make(const ms_null *null, const ms_coloring *coloring, uint64_t number,
                          ms_null_trace *trace, ms_permuted_fn *use, void *user, ms_error *err);
/* Fills count[motifs] from the census of a permuted graph. */
void ms_permute_take(const ms_permute *p, const ms_census_result *census, uint64_t *count);

typedef struct ms_permute_batch ms_permute_batch;

/* Returns how many permutations a batch may have; 0: there are no batches. */
uint32_t ms_permute_batch_size(const ms_permute *p);
ms_status ms_permute_batch_open(ms_permute *p, uint32_t size, ms_permute_batch **out,
                                ms_error *err);
void ms_permute_batch_close(ms_permute_batch *b); /* accepts NULL */
/* Fills count[i * motifs ..] with the sets of permutation first + i, for i < size; trace[size].
 * Sets *fits to false, and fills nothing, if the sets of one root have no room in records. */
ms_status ms_permute_batch_run(ms_permute_batch *b, uint64_t first, uint32_t size, uint64_t *count,
                               ms_null_trace *trace, bool *fits, ms_error *err);

/* Fills cell[motifs][k] with the places in rows of `stride` numbers, one for each multiset of k - 1
 * kinds, that the sets of a motif are counted in: its row without one of its colours, and that
 * colour.  MS_NO_CELL: nowhere else. */
#define MS_NO_CELL UINT64_MAX
ms_status ms_permute_find_cells(const ms_permute *p, const ms_multisets *numbers, uint32_t stride,
                                uint64_t *cell, ms_error *err);

typedef struct ms_permute_gpus ms_permute_gpus;

/* Opens GPUs for batches of MS_NULL_BATCH labellings.  *out becomes NULL if they do not pay, or
 * cannot count these permutations and the options do not ask for them. */
ms_status ms_permute_gpus_open(ms_permute *p, ms_permute_gpus **out, ms_error *err);
void ms_permute_gpus_close(ms_permute_gpus *g); /* accepts NULL */
/* As ms_permute_batch_run. */
ms_status ms_permute_gpus_run(ms_permute_gpus *g, uint64_t first, uint32_t size, uint64_t *count,
                              ms_null_trace *trace, ms_error *err);

typedef struct ms_permute_networks ms_permute_networks;

/* Opens a GPU for shapes in batches of random networks (permute_networks.c).  *out becomes NULL if
 * they do not pay, or cannot be counted so. */
ms_status ms_permute_networks_open(ms_permute *p, ms_permute_networks **out, ms_error *err);
void ms_permute_networks_close(ms_permute_networks *g); /* accepts NULL */
uint32_t ms_permute_networks_size(const ms_permute_networks *g);
/* As ms_permute_batch_run; permutations up to `end` will be asked for next.  *fits false: the GPU
 * did not count them. */
ms_status ms_permute_networks_run(ms_permute_networks *g, uint64_t first, uint32_t size,
                                  uint64_t end, uint64_t *count, ms_null_trace *trace, bool *fits,
                                  ms_error *err);

/* Sets *out to the mean number of sets of each motif over all labellings by formula, [motifs],
 * which the caller frees; NULL unless these are shapes with colours that move freely. */
ms_status ms_permute_means(const ms_permute *p, double **out, ms_error *err);

/* ---- sums -------------------------------------------------------------------------------- */

__extension__ typedef __int128 ms_wide;
__extension__ typedef unsigned __int128 ms_unsigned_wide;

/* Of one motif, over permutations: d is its number in a permuted graph less that in the graph. */
typedef struct ms_permutation_sum {
  ms_wide first;           /* of d */
  ms_unsigned_wide second; /* of d^2 */
} ms_permutation_sum;

/* Adds the number of a motif in a permutation; `observed` is that in the graph.  Returns false if
 * the sum of squares is too large. */
static inline bool ms_permutation_sum_add(ms_permutation_sum *sum, uint64_t *n_ge, uint64_t *n_le,
                                          uint64_t count, uint64_t observed)
{
  uint64_t size = count > observed ? count - observed : observed - count;
  sum->first += (ms_wide)count - observed;
  *n_ge += count >= observed;
  *n_le += count <= observed;
  return !__builtin_add_overflow(sum->second, (ms_unsigned_wide)size * size, &sum->second);
}

/* Adds the sums of other permutations.  Returns false if they are too large. */
static inline bool ms_permutation_sum_join(ms_permutation_sum *sum, const ms_permutation_sum *other)
{
  return !__builtin_add_overflow(sum->first, other->first, &sum->first) &&
         !__builtin_add_overflow(sum->second, other->second, &sum->second);
}

/* False where no numbers of `done` permutations have these sums.  observed: the number in the
 * graph; UINT64_MAX: it is not known. */
bool ms_permutation_sum_is_possible(const ms_permutation_sum *sum, uint64_t n_ge, uint64_t n_le,
                                    uint64_t done, uint64_t observed);

/* Allocates the numbers of `motifs` motifs in a result; frees nothing after a failure. */
ms_status ms_permutation_result_open(ms_permutation_result *result, uint64_t motifs, bool max_t,
                                     ms_error *err);
/* Fills the statistics from the sums of result->done permutations, n_ge and n_le; n_sets[count] are
 * the numbers in the graph.  kept[done][count]: the numbers in each permutation, for p_max; NULL:
 * without. */
ms_status ms_permutation_result_fill(ms_permutation_result *result, const ms_permutation_sum *sum,
                                     const uint64_t *n_sets, const uint64_t *kept, ms_error *err);

/* ms_census_permute with these GPUs. */
ms_status ms_census_permute_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                               const ms_coloring *coloring, const ms_census_options *census,
                               const ms_permutation_options *options,
                               const ms_census_result *observed, ms_permutation_result **out,
                               ms_error *err);

#endif
