/* The engine for colour motifs on GPUs, which motif/engine.h declares: its ways. */
#ifndef MS_GPU_MOTIF_ENGINE_H
#define MS_GPU_MOTIF_ENGINE_H

#include "motif/engine.h"

#include <stdint.h>

/* How sets are held. */
typedef enum ms_motif_way { MS_MOTIF_CHOOSE, MS_MOTIF_ROWS, MS_MOTIF_LISTS } ms_motif_way;

/* For benchmarks: measures how many bytes a second a GPU copies to pinned memory, in the way of a
 * listing. */
ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err);

#endif
