/* 4-cycles inside the neighbourhood of each vertex, on GPUs (hub_squares.cuh). */
#ifndef MS_GPU_MATCH_HUB_SQUARES_H
#define MS_GPU_MATCH_HUB_SQUARES_H

#include "gpu/common/share.h"

/* What one device does: ms_pattern_engine.count_hub_squares (match/engine.h). */
ms_status ms_hub_squares_run(ms_gpu_share *share, int device, ms_error *err);

#endif
