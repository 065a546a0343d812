/* A task of pattern listing on one GPU: its index, its program, and what is left
 * of the memory.  For all engines; used by one thread at a time.
 *
 * A count runs several programs on one index, so the index stays on the device
 * until a call with another one comes; two calls at a time with different ones
 * each have their own. */
#ifndef MS_GPU_MATCH_CONTEXT_H
#define MS_GPU_MATCH_CONTEXT_H

#include "gpu/common/staging.h"
#include "gpu/match/program.h"

typedef struct ms_gpu_pattern {
  int device, threads;
  ms_staging staging;    /* its stream is the one to use */
  ms_device_index index; /* pointers to the device */
  void *own_index;       /* device memory that no other context uses; NULL: it is kept */
  bool holds;            /* the kept index must not be replaced yet */
  uint64_t index_bytes;
  ms_pattern_pack pack;             /* pack.program: pointers to the device */
  uint8_t *memory;                  /* of the pack, on the device */
  const ms_device_program *program; /* the copy on the device */
  bool failed;                      /* the device cannot be trusted any more */
} ms_gpu_pattern;

/* Does not move afterwards.  MS_ERR_MEMORY: index and program do not fit.  On
 * failure it is to be closed, too. */
ms_status ms_gpu_pattern_open(ms_gpu_pattern *context, const ms_program *program, int device,
                              int threads, ms_error *err);
/* Waits for what runs on the stream. */
void ms_gpu_pattern_close(ms_gpu_pattern *context);

/* Bytes that may still be taken, at least `wanted` if there are so many. */
ms_status ms_gpu_pattern_room(const ms_gpu_pattern *context, uint64_t wanted, uint64_t *bytes,
                              ms_error *err);
/* From the device's pool; to be freed before the context is closed. */
ms_status ms_gpu_pattern_alloc(ms_gpu_pattern *context, uint64_t bytes, void *out, const char *what,
                               ms_error *err);
void ms_gpu_pattern_free(ms_gpu_pattern *context, void *memory);

/* Forget all indices that no context uses. */
void ms_gpu_pattern_forget(void);

#endif
