/* A search by kernels that may run for long: they take units from a queue, the host can ask them
 * to end, and a listing that has filled its output leaves the rest to the next launch.
 *
 * The overflow protocol.  A listing has two outputs.  Kernels reserve rows by one counter; a
 * warp or block that gets none suspends its work in memory of its own and adds to `left`.  While
 * the kernel fills one output, the host empties the other, and it launches again until nothing
 * is left.  The first output is short, so that first rows come soon; each later one is 8 times
 * as long, up to its room.  Where the stream of rows has a limit, the first output holds no more
 * rows than that, and kernels may end, and lose their place, once an output with room for that
 * many is full. */
#ifndef MS_GPU_COMMON_SEARCH_H
#define MS_GPU_COMMON_SEARCH_H

#include "gpu/common/context.h"
#include "gpu/common/queue.h"
#include "gpu/common/share.h"

typedef struct ms_gpu_search ms_gpu_search;

struct ms_gpu_search {
  ms_gpu_context *gpu;
  ms_gpu_queue *queue;      /* on the device */
  ms_gpu_queue *seen;       /* pinned, buffer 0: the queue after a launch */
  cudaStream_t side_stream; /* for work while a kernel runs; NULL: not created yet */
  uint64_t units;           /* while queue->next is less than this number, units are left */
  /* For progress: launches do the share's part from `done` on, this `portion` of it, and
   * queue->next counts up to `steps`.  share NULL: nothing is reported. */
  ms_gpu_share *share;
  double done, portion;
  uint64_t steps;
  /* for a listing */
  uint32_t length;     /* ids of a row */
  uint32_t *output[2]; /* [room][length] on the device */
  uint64_t room;
  uint64_t wanted_rows; /* of the next output */
  uint32_t *rows;       /* the output of the launch: [capacity][length]; NULL: it counts */
  uint64_t capacity;
  uint64_t limit; /* of the stream of rows; 0: none */
  bool enough;    /* the output has room for `limit` rows: kernels may end once it is full */
  bool again;     /* the launch goes on with what a full output suspended */
  /* Starts the kernels. */
  ms_status (*launch)(void *on, ms_error *err);
  void *on;
};

/* Sets the other members and makes the staging's buffers, three for a listing; launch, on,
 * queue, length, output and room are set before. */
ms_status ms_gpu_search_open(ms_gpu_search *search, ms_gpu_context *gpu, bool listing,
                             ms_error *err);
/* Closes a search, before its memory is freed. */
void ms_gpu_search_close(ms_gpu_search *search);

/* Does all of the current work: adds what `launch` counts, or emits its rows.  After a stop,
 * what was found until then counts. */
ms_status ms_gpu_search_count(ms_gpu_search *search, ms_gpu_share *share, ms_error *err);
ms_status ms_gpu_search_list(ms_gpu_search *search, ms_gpu_share *share, ms_error *err);

/* The parts of these, for engines with launches in between: clear the queue, all of it or, with
 * `again`, from `rows` on; begin to read it; wait until the stream's work has ended, which is
 * asked to end soon if it is not `wanted`.  The wait returns the token's status if the token
 * stopped it. */
ms_status ms_gpu_search_clear(ms_gpu_search *search, bool again, ms_error *err);
ms_status ms_gpu_search_read(ms_gpu_search *search, ms_error *err);
ms_status ms_gpu_search_wait(ms_gpu_search *search, bool wanted, const ms_stop *stop,
                             ms_error *err);

#endif
