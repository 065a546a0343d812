/* The host's part of the engine `reuse`: roots, batches, and rows. */
#ifndef MS_GPU_REUSE_DRIVE_H
#define MS_GPU_REUSE_DRIVE_H

#include "enumerate/pattern_engine.h"
#include "gpu/reuse_machine.h"

#include <stdatomic.h>

/* What the drives of all devices share. */
typedef struct ms_reuse_search {
  const ms_pattern_task *task;
  ms_row_fn make;        /* NULL: count */
  void *user;
  ms_stream *stream;
  int threads;           /* of a drive */
  uint64_t roots;
  uint64_t grain;        /* roots that are taken at a time, at most; 0: as many as there is room for */
  atomic_ullong taken;   /* from the end */
  atomic_bool halt;      /* none is to go on */
} ms_reuse_search;

/* All roots that this machine gets; what it counts is added to `sum`.  MS_OK also
 * when the stream wants no more. */
ms_status ms_reuse_drive(ms_reuse_search *search, ms_reuse_machine *machine, mpz_ptr sum, ms_error *err);

#endif
