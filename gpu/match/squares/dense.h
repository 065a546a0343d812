/* Sums over the triangles of a dense graph, on GPUs (dense.cuh). */
#ifndef MS_GPU_MATCH_DENSE_H
#define MS_GPU_MATCH_DENSE_H

#include "gpu/common/share.h"

/* What one device does: ms_pattern_engine.count_triangles (match/engine.h). */
ms_status ms_dense_run(ms_gpu_share *share, int device, ms_error *err);

#endif
