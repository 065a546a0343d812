/* Pruning on the GPU that sieves, in place of the processors. */
#ifndef MS_RUN_PRUNE_GPU_H
#define MS_RUN_PRUNE_GPU_H

#include "gpu/gpu.h"
#include "motif/instance.h"

/* Prunes the whole instance on the first GPU of the options, if it is large and nothing but the
 * sieve on GPUs will read its rows; to the same vertices and arcs as ms_instance_prune.  *rows
 * receives the rows, which the caller frees after the instance's last use; the instance has no
 * array of neighbours, nor of offsets unless the sieve needs them, and `whole` can then only
 * be freed, since its arrays may have gone to *out.  *rows and *out are NULL if the processors have
 * to prune.  The environment variable MOTIFSIEVE_PRUNE=cpu leaves it to them, and
 * MOTIFSIEVE_PRUNE=gpu takes small instances, too: for measurements and tests. */
ms_status ms_screen_prune_gpu(ms_instance *whole, const ms_screen_options *options,
                              ms_instance **out, ms_gpu_rows **rows, ms_prune_stats *stats,
                              ms_error *err);

#endif
