#include "gpu/common/search.h"

#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"

#include <stddef.h>
#include <time.h>

enum { LARGER_OUTPUT = 8, BUSY_TRIES = 5000 /* some milliseconds */ };

static const char searching[] = "searching";

ms_status ms_gpu_search_open(ms_gpu_search *s, ms_gpu_context *gpu, bool listing, ms_error *err)
{
  s->gpu = gpu;
  s->wanted_rows = ms_hooks.gpu_first_rows;
  MS_TRY(ms_staging_make_buffers(&gpu->staging, listing ? MS_STAGING_BUFFERS : 1, err));
  s->seen = (ms_gpu_queue *)(void *)gpu->staging.buffer[0];
  return MS_OK;
}

void ms_gpu_search_close(ms_gpu_search *s)
{
  if (!s->side_stream)
    return;
  s->gpu->failed |= cudaSetDevice(s->gpu->device) != cudaSuccess;
  s->gpu->failed |= cudaStreamSynchronize(s->side_stream) != cudaSuccess;
  (void)cudaStreamDestroy(s->side_stream);
  s->side_stream = NULL;
}

/* ---- a launch ------------------------------------------------------------------------ */

ms_status ms_gpu_search_clear(ms_gpu_search *s, bool again, ms_error *err)
{
  size_t kept = again ? offsetof(ms_gpu_queue, rows) : 0;
  return ms_cuda_status(cudaMemsetAsync((uint8_t *)s->queue + kept, 0, sizeof *s->queue - kept,
                                        s->gpu->staging.stream),
                        searching, err);
}

ms_status ms_gpu_search_read(ms_gpu_search *s, ms_error *err)
{
  ms_staging_note(sizeof *s->seen);
  return ms_cuda_status(cudaMemcpyAsync(s->seen, s->queue, sizeof *s->seen, cudaMemcpyDeviceToHost,
                                        s->gpu->staging.stream),
                        searching, err);
}

static ms_status start_launch(ms_gpu_search *s, bool again, uint32_t which, ms_error *err)
{
  s->again = again;
  s->rows = s->output[which];
  s->capacity = s->wanted_rows < s->room ? s->wanted_rows : s->room;
  s->enough = s->limit > 0 && s->capacity >= s->limit;
  MS_TRY(ms_gpu_search_clear(s, again, err));
  MS_TRY(s->launch(s->on, err));
  return ms_gpu_search_read(s, err);
}

static ms_status make_side_stream(ms_gpu_search *s, ms_error *err)
{
  return s->side_stream
             ? MS_OK
             : ms_cuda_status(cudaStreamCreateWithFlags(&s->side_stream, cudaStreamNonBlocking),
                              "making a stream", err);
}

/* Sets `stop` on another stream.  That may come too early, before the launch has cleared the
 * queue, so the caller repeats it until the kernel has ended. */
static ms_status ask_to_stop(ms_gpu_search *s, ms_error *err)
{
  MS_TRY(make_side_stream(s, err));
  return ms_cuda_status(cudaMemsetAsync(&s->queue->stop, 1, sizeof s->queue->stop, s->side_stream),
                        "stopping a search", err);
}

/* Reports how far the running kernels are: what they took of the queue and of their list. */
static ms_status look_at_queue(ms_gpu_search *s, ms_error *err)
{
  /* at the end of the buffer, whose begin is in use */
  ms_gpu_queue *copy = (ms_gpu_queue *)(void *)(s->gpu->staging.buffer[0] + MS_STAGING_BYTES) - 1;
  MS_TRY(make_side_stream(s, err));
  MS_TRY_CUDA(cudaMemcpyAsync(copy, s->queue, sizeof *copy, cudaMemcpyDeviceToHost, s->side_stream),
              searching);
  MS_TRY_CUDA(cudaStreamSynchronize(s->side_stream), searching);
  double next = copy->next < s->steps ? (double)copy->next : (double)s->steps,
         all = (double)s->steps + copy->listed[0] + copy->listed[1];
  for (int i = 0; i < 2; i++)
    next += copy->unlisted[i] < copy->listed[i] ? copy->unlisted[i] : copy->listed[i];
  ms_gpu_share_report(s->share, s->done + s->portion * (all > 0 ? next / all : 1));
  return MS_OK;
}

static ms_status wait_for_stream(ms_gpu_search *s, bool wanted, const ms_stop *stop,
                                 ms_status *stopped, ms_error *err)
{
  cudaError_t error;
  double looked = ms_seconds();
  for (uint32_t tries = 0;
       (error = cudaStreamQuery(s->gpu->staging.stream)) == cudaErrorNotReady;) {
    if (*stopped == MS_OK)
      *stopped = ms_stop_check(stop);
    if (*stopped != MS_OK || !wanted) {
      tries = BUSY_TRIES;
      MS_TRY(ask_to_stop(s, err));
    }
    if (s->share && s->steps > 0 && ms_seconds() - looked >= ms_hooks.gpu_look_seconds) {
      MS_TRY(look_at_queue(s, err));
      looked = ms_seconds();
    }
    if (tries < BUSY_TRIES) /* short searches end before the thread would have slept */
      tries++;
    else
      nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
  return ms_cuda_status(error, searching, err);
}

ms_status ms_gpu_search_wait(ms_gpu_search *s, bool wanted, const ms_stop *stop, ms_error *err)
{
  ms_status stopped = MS_OK, status = wait_for_stream(s, wanted, stop, &stopped, err);
  s->gpu->failed |= status != MS_OK;
  return status == MS_OK ? stopped : status;
}

/* ---- counting ------------------------------------------------------------------------ */

ms_status ms_gpu_search_count(ms_gpu_search *s, ms_gpu_share *share, ms_error *err)
{
  MS_TRY(start_launch(s, false, 0, err));
  ms_status status = ms_gpu_search_wait(s, true, share->task->stop, err);
  if (status == MS_OK)
    status =
        ms_gpu_check_copy(s->gpu, share->task->integrity, s->queue, s->seen, sizeof *s->seen, err);
  if (status == MS_OK || ms_gpu_is_stop(status))
    ms_gpu_share_add(share, &s->seen->sum);
  return status;
}

/* ---- listing ------------------------------------------------------------------------- */

/* An output that is being copied to the host, through buffers 1 and 2. */
typedef struct output {
  ms_gpu_search *s;
  const uint32_t *rows;
} output;

static ms_status fetch_rows(void *on, uint32_t buffer, uint64_t first, uint64_t count,
                            ms_error *err)
{
  static const char what[] = "copying matches";
  const output *o = on;
  ms_staging *staging = &o->s->gpu->staging;
  uint64_t bytes = o->s->length * sizeof *o->rows;
  ms_staging_note(count * bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(staging->buffer[1 + buffer], o->rows + first * o->s->length,
                              count * bytes, cudaMemcpyDeviceToHost, o->s->side_stream),
              what);
  return ms_cuda_status(cudaEventRecord(staging->copied[1 + buffer], o->s->side_stream), what, err);
}

static ms_status wait_for_rows(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  const output *o = on;
  return ms_staging_wait(&o->s->gpu->staging, 1 + buffer, rows, err);
}

static ms_status drain_output(ms_gpu_search *s, const ms_gpu_sink *sink, uint32_t which,
                              uint64_t count, ms_error *err)
{
  output o = {s, s->output[which]};
  ms_gpu_rows rows = {.fetch = fetch_rows,
                      .fetched = wait_for_rows,
                      .on = &o,
                      .length = s->length,
                      .piece = MS_STAGING_BYTES / (s->length * sizeof *o.rows)};
  MS_TRY(make_side_stream(s, err));
  return ms_gpu_emit(sink, &rows, 0, count, NULL, err);
}

ms_status ms_gpu_search_list(ms_gpu_search *s, ms_gpu_share *share, ms_error *err)
{
  const ms_stop *stop = share->task->stop;
  uint64_t ready = 0; /* rows of the output that no kernel writes */
  uint32_t which = 0;
  bool again = false, more = true;
  ms_status status = MS_OK, drained = MS_OK;
  s->limit = ms_stream_limit(share->sink.stream);
  if (s->limit > 0 && s->limit < s->wanted_rows)
    s->wanted_rows = s->limit;
  while (status == MS_OK && (more || ready > 0) && !atomic_load(&share->halt)) {
    bool running = more;
    if (running)
      status = start_launch(s, again, which, err);
    if (status == MS_OK && ready > 0)
      drained = drain_output(s, &share->sink, 1 - which, ready, err);
    bool wanted = drained == MS_OK && !atomic_load(&share->halt);
    if (status == MS_OK && running)
      status = ms_gpu_search_wait(s, wanted, stop, drained == MS_OK ? err : NULL);
    if (drained != MS_OK)
      return drained;
    ready = 0;
    if (!running || (status != MS_OK && !ms_gpu_is_stop(status)))
      return status;
    ready = s->seen->rows < s->capacity ? s->seen->rows : s->capacity;
    bool full = s->enough && ready == s->capacity;
    more = !full && (s->seen->left > 0 || s->seen->next < s->units);
    if (more && status == MS_OK) /* the kernel may have ended while the other output was drained */
      status = ms_stop_check(stop);
    again = true;
    which = 1 - which;
    if (s->wanted_rows < s->room)
      s->wanted_rows *= LARGER_OUTPUT;
    if (status != MS_OK) /* rows found before the stop count */
      drained = drain_output(s, &share->sink, 1 - which, ready, err);
  }
  return drained != MS_OK ? drained : status;
}
