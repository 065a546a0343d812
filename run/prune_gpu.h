/* Pruning on the GPU that sieves, in place of the processors. */
#ifndef MS_RUN_PRUNE_GPU_H
#define MS_RUN_PRUNE_GPU_H

#include "gpu/gpu.h"
#include "motif/instance.h"

struct ms_screening;

/* True if a GPU may prune for a screen with these options: the graph is large and nothing but the
 * sieve on GPUs will read the rows.  The environment variable MOTIFSIEVE_PRUNE=cpu leaves it to the
 * processors, and MOTIFSIEVE_PRUNE=gpu takes small graphs, too: for measurements and tests. */
bool ms_screen_prunes_on_gpu(const ms_query *query, const ms_screen_options *options);

/* Prunes the whole instance on the first GPU of the options, if a GPU may prune and no required
 * vertex is loose; to the same vertices and arcs as ms_instance_prune.  masking is NULL, or makes
 * the masks of `whole`; on return these are made, whatever the result.  s->rows receives the rows,
 * which the caller frees after the last use of s->instance.  This has no array of neighbours, nor
 * of offsets unless the sieve needs them, and `whole` can then only be freed, since its arrays may
 * have gone to it.  s->instance and s->rows are NULL if the processors
 * have to prune.  If all vertices are left,
 * s->problem is the sieve's problem as ms_sieve_problem_begin makes it; otherwise its instance is
 * NULL. */
ms_status ms_screen_prune_gpu(struct ms_screening *s, ms_instance *whole, ms_masking *masking,
                              ms_prune_stats *stats, ms_error *err);

#endif
