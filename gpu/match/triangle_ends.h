/* Triangles with one more edge whose end is the largest vertex, on GPUs (dfs_weights.cuh). */
#ifndef MS_GPU_MATCH_TRIANGLE_ENDS_H
#define MS_GPU_MATCH_TRIANGLE_ENDS_H

#include "gpu/common/share.h"

/* What one device does: ms_pattern_engine.count_triangle_ends (match/engine.h). */
ms_status ms_triangle_ends_run(ms_gpu_share *share, int device, ms_error *err);

#endif
