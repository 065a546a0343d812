/* The search of large programs, which the engine `dfs` does by a kernel of its own. */
#ifndef MS_GPU_MATCH_DFS_LARGE_H
#define MS_GPU_MATCH_DFS_LARGE_H

#include "gpu/common/share.h"

/* Does one device's work on a large program (an ms_gpu_work_fn). */
ms_status ms_dfs_large_run(ms_gpu_share *share, int device, ms_error *err);

#endif
