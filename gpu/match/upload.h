/* A program and its index on one GPU, for all engines; used by one thread at a time.
 *
 * A count runs several programs on one index, so the index stays on the device
 * until a call with another one comes; two calls at a time with different ones
 * each have their own. */
#ifndef MS_GPU_MATCH_UPLOAD_H
#define MS_GPU_MATCH_UPLOAD_H

#include "gpu/common/context.h"
#include "gpu/match/program.h"

typedef struct ms_gpu_match {
  ms_gpu_context gpu;
  ms_device_index index; /* pointers to the device */
  void *own_index;       /* device memory that no other context uses; NULL: it is kept */
  bool holds;            /* the kept index must not be replaced yet */
  uint64_t index_bytes;
  ms_packed_program packed;         /* packed.program: its pointers are to the device */
  uint8_t *memory;                  /* of `packed`, on the device */
  const ms_device_program *program; /* the copy on the device */
} ms_gpu_match;

/* Does not move afterwards.  MS_ERR_MEMORY: index and program do not fit.  On
 * failure it is to be closed, too. */
ms_status ms_gpu_match_open(ms_gpu_match *match, const ms_program *program, int device, int threads,
                            ms_error *err);
/* Waits for what runs on the stream. */
void ms_gpu_match_close(ms_gpu_match *match);

/* Forget all indices that no context uses. */
void ms_gpu_match_forget(void);

#endif
