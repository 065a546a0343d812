/* The engine `flood` on one GPU: memory, flooding, launches of hypersearch. */
#ifndef MS_GPU_MATCH_FLOOD_RUNNER_H
#define MS_GPU_MATCH_FLOOD_RUNNER_H

#include "gpu/common/share.h"
#include "gpu/match/conjunction_upload.h"
#include "gpu/match/flood_device.h"

typedef struct ms_flood_runner {
  ms_gpu_pattern context;
  ms_trie_tables tables;
  void *table_memory; /* on the device */
  ms_flood_search search;
  ms_gpu_wait wait;
  uint8_t *scratch;   /* device memory of all that follows */
  uint32_t *paths[2]; /* [path_room] of any level */
  uint64_t path_room;
  uint64_t enough_paths; /* to stop flooding */
  uint32_t *output[2];   /* of a listing: [row_room][prefix] */
  uint64_t row_room;
  bool listing;
  ms_flood_queue *seen; /* pinned: the queue after a launch */
} ms_flood_runner;

/* Does not move afterwards; on failure it is to be closed, too.  MS_ERR_MEMORY:
 * not even one block's pools fit. */
ms_status ms_flood_runner_open(ms_flood_runner *runner, const ms_program *program, int device,
                               int threads, bool listing, ms_error *err);
void ms_flood_runner_close(ms_flood_runner *runner);

/* Roots first, first + 1, .., at most path_room of them, to enough paths. */
ms_status ms_flood_runner_flood(ms_flood_runner *runner, uint64_t first, uint64_t count,
                                const ms_stop *stop, ms_error *err);
/* Start what is to be done with these paths, or go on with it (`again`) after
 * the output was full.  A listing writes at most `rows` rows to output[which]. */
ms_status ms_flood_runner_start(ms_flood_runner *runner, bool again, uint32_t which, uint64_t rows,
                                ms_error *err);
/* Until the kernel has ended, soon if it is not `wanted`.  The token's status if
 * that stopped it.  runner->seen is what the queue was in the end. */
ms_status ms_flood_runner_wait(ms_flood_runner *runner, bool wanted, const ms_stop *stop,
                               ms_error *err);

#endif
