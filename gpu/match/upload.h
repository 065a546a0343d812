/* A program and its index on one GPU, for all engines; used by one thread at a time.
 *
 * A count runs several programs on one index, so the index stays on the device until a call with
 * another index comes; two calls at the same time with different indices have one each. */
#ifndef MS_GPU_MATCH_UPLOAD_H
#define MS_GPU_MATCH_UPLOAD_H

#include "gpu/common/context.h"
#include "gpu/match/domains_device.h"
#include "gpu/match/program.h"
#include "match/engine.h"

typedef struct ms_gpu_match {
  ms_gpu_context gpu;
  ms_device_index index; /* pointers to the device */
  ms_device_colors colors;
  void *own_index; /* device memory that no other context uses; NULL: the index is kept */
  bool holds;      /* the kept index must not be replaced yet */
  uint64_t index_bytes;
  ms_packed_program packed;         /* packed.program: its pointers are to the device */
  uint8_t *memory;                  /* of `packed`, on the device */
  const ms_device_program *program; /* the copy on the device; NULL: the program is large */
} ms_gpu_match;

/* Opens the task's program, by this many host threads.  The match is not moved afterwards.
 * MS_ERR_MEMORY: index and program do not fit.  The caller closes it even on failure. */
ms_status ms_gpu_match_open(ms_gpu_match *match, const ms_pattern_task *task, int device,
                            int threads, ms_error *err);
/* Returns the GPU that keeps this index, or -1. */
int ms_gpu_match_device_of(const ms_pattern_index *index);
/* Opens the index without a program, if the device keeps it; otherwise MS_ERR_USAGE. */
ms_status ms_gpu_match_open_kept(ms_gpu_match *match, const ms_pattern_index *index, int device,
                                 int threads, ms_error *err);
/* Waits for the work on the stream, and closes the match. */
void ms_gpu_match_close(ms_gpu_match *match);

/* Frees all kept indices that no context uses. */
void ms_gpu_match_free_kept(void);

#endif
