/* The engine `flood`: what each device does with its roots. */
#include "gpu/match/engines.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/flood_runner.h"

#define LARGER_OUTPUT 8u

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

static ms_status count_paths(ms_gpu_share *s, ms_flood_runner *r, ms_error *err)
{
  ms_status status = ms_flood_runner_start(r, false, 0, 0, err);
  if (status == MS_OK)
    status = ms_flood_runner_wait(r, true, s->task->stop, err);
  if (status == MS_OK || is_stop(status))
    ms_gpu_share_add(s, &r->seen->sum);
  return status;
}

/* Buffer 0 of the staging is the queue's. */
static ms_status drain(ms_gpu_share *s, ms_flood_runner *r, uint32_t which, uint64_t count,
                       ms_error *err)
{
  cudaStream_t stream;
  ms_status status = ms_gpu_wait_aside(&r->wait, &stream, err);
  if (status == MS_OK && count > 0)
    status = ms_gpu_share_drain(s, &r->context.staging, stream, r->output[which], count,
                                r->search.program.prefix, err);
  return status;
}

/* While a kernel fills one output, the other one is drained. */
static ms_status list_paths(ms_gpu_share *s, ms_flood_runner *r, uint64_t *rows, ms_error *err)
{
  uint64_t ready = 0;
  uint32_t which = 0;
  bool again = false, more = true;
  ms_status status = MS_OK, drained = MS_OK;
  while (status == MS_OK && (more || ready > 0) && !atomic_load(&s->halt)) {
    bool running = more;
    if (running)
      status = ms_flood_runner_start(r, again, which, *rows, err);
    if (status == MS_OK)
      drained = drain(s, r, 1 - which, ready, err);
    ready = 0;
    if (status != MS_OK || !running)
      return status == MS_OK ? drained : status;
    bool wanted = drained == MS_OK && !atomic_load(&s->halt);
    status = ms_flood_runner_wait(r, wanted, s->task->stop, wanted ? err : NULL);
    if (drained != MS_OK)
      return drained;
    if (status != MS_OK && !is_stop(status))
      return status;
    ready = r->seen->rows < r->search.capacity ? r->seen->rows : r->search.capacity;
    more = r->seen->left > 0;
    if (more && status == MS_OK) /* the kernel may have ended while the other output was drained */
      status = ms_stop_check(s->task->stop);
    again = true;
    which = 1 - which;
    *rows = *rows < r->row_room ? *rows * LARGER_OUTPUT : *rows;
    if (status != MS_OK) /* what was found counts */
      drained = drain(s, r, 1 - which, ready, err);
  }
  return drained != MS_OK ? drained : status;
}

/* Roots [first, end), the last ones first. */
static ms_status do_roots(ms_gpu_share *s, ms_flood_runner *r, uint64_t first, uint64_t end,
                          uint64_t *rows, ms_error *err)
{
  ms_status status = MS_OK;
  while (status == MS_OK && first < end && !atomic_load(&s->halt)) {
    uint64_t some = end - first < r->path_room ? end - first : r->path_room;
    end -= some;
    status = ms_flood_runner_flood(r, end, some, s->task->stop, err);
    if (status == MS_OK)
      status = r->listing ? list_paths(s, r, rows, err) : count_paths(s, r, err);
  }
  return status;
}

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  uint64_t first, end, rows = ms_gpu_pattern_first_rows;
  ms_flood_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status =
      ms_flood_runner_open(r, s->task->program, device, s->threads, s->make != NULL, err);
  while (status == MS_OK && ms_gpu_share_take(s, r->tables.n_roots, &first, &end))
    status = do_roots(s, r, first, end, &rows, err);
  ms_flood_runner_close(r);
  ms_free(r);
  return status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_gpu_share s = {.task = task, .sum = sum, .work = work};
  return ms_gpu_share_run(&s, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  ms_gpu_share s = {.task = task, .make = make, .user = user, .stream = stream, .work = work};
  return ms_gpu_share_run(&s, err);
}

const ms_pattern_engine ms_pattern_engine_flood = {
    .name = "flood",
    .tables = MS_TABLE_NONE,
    .devices = ms_gpu_pattern_device_count,
    .takes = ms_gpu_pattern_takes,
    .count = count,
    .list = list,
};
