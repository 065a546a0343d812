/* The host's part of the engine `reuse`: roots, batches, and rows. */
#ifndef MS_GPU_MATCH_REUSE_DRIVE_H
#define MS_GPU_MATCH_REUSE_DRIVE_H

#include "gpu/common/share.h"
#include "gpu/match/reuse_machine.h"

/* All roots that this machine gets.  MS_OK also when the stream wants no more. */
ms_status ms_reuse_drive(ms_gpu_share *share, ms_reuse_machine *machine, ms_error *err);

#endif
