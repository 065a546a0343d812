/* The engine `dfs`: what each device does with its units. */
#include "gpu/match/engines.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/dfs_runner.h"

#define LARGER_OUTPUT 8u

uint64_t ms_gpu_pattern_first_rows = 1 << 16;

static ms_status count_on(ms_gpu_share *s, ms_gpu_runner *r, ms_error *err)
{
  uint64_t first, end;
  ms_status status = MS_OK;
  while (status == MS_OK && ms_gpu_share_take(s, r->context.pack.program.units, &first, &end)) {
    status = ms_stop_check(s->task->stop); /* while it waits it is asked only if it has to wait */
    if (status != MS_OK)
      break;
    status = ms_gpu_runner_start(r, first, end, false, 0, 0, err);
    if (status == MS_OK)
      status = ms_gpu_runner_wait(r, true, s->task->stop, err);
    if (status != MS_OK && status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
      break;
    ms_gpu_share_add(s, &r->seen->sum);
  }
  return status;
}

/* Buffer 0 is the queue's. */
static ms_status drain_output(ms_gpu_share *s, ms_gpu_runner *r, uint32_t which, uint64_t count,
                              ms_error *err)
{
  cudaStream_t stream;
  ms_status status = ms_gpu_wait_aside(&r->wait, &stream, err);
  if (status == MS_OK)
    status = ms_gpu_share_drain(s, &r->context.staging, stream, r->output[which], count,
                                r->context.pack.program.prefix, err);
  return status;
}

/* Units [first, end): while a kernel fills one output, the other one is drained. */
static ms_status list_units(ms_gpu_share *s, ms_gpu_runner *r, uint64_t first, uint64_t end,
                            uint64_t *rows, ms_error *err)
{
  uint64_t ready = 0;
  uint32_t which = 0;
  bool again = false, more = true;
  ms_status status = MS_OK, drained = MS_OK;
  while (status == MS_OK && (more || ready > 0) && !atomic_load(&s->halt)) {
    bool running = more;
    if (running)
      status = ms_gpu_runner_start(r, first, end, again, which, *rows, err);
    if (status == MS_OK && ready > 0)
      drained = drain_output(s, r, 1 - which, ready, err);
    if (status == MS_OK && running)
      status = ms_gpu_runner_wait(r, drained == MS_OK && !atomic_load(&s->halt), s->task->stop,
                                  drained == MS_OK ? err : NULL);
    if (drained != MS_OK)
      return drained;
    ready = 0;
    bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
    if ((status != MS_OK && !stopped) || !running)
      continue;
    ready = r->seen->rows < r->launch.capacity ? r->seen->rows : r->launch.capacity;
    more = ms_gpu_runner_unfinished(r);
    if (more && !stopped) /* the kernel may have ended while the other output was drained */
      status = ms_stop_check(s->task->stop);
    stopped = status != MS_OK;
    again = true;
    which = 1 - which;
    *rows = *rows < r->room ? *rows * LARGER_OUTPUT : *rows;
    if (stopped) /* what was found counts */
      drained = drain_output(s, r, 1 - which, ready, err);
  }
  return drained != MS_OK ? drained : status;
}

static ms_status list_on(ms_gpu_share *s, ms_gpu_runner *r, ms_error *err)
{
  uint64_t first, end, rows = ms_gpu_pattern_first_rows;
  ms_status status = MS_OK;
  while (status == MS_OK && ms_gpu_share_take(s, r->context.pack.program.units, &first, &end))
    status = list_units(s, r, first, end, &rows, err);
  return status;
}

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  ms_gpu_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_runner_use use = s->make ? MS_RUNNER_LIST : MS_RUNNER_COUNT;
  ms_status status = ms_gpu_runner_open(r, s->task->program, device, s->threads, use, err);
  if (status == MS_OK)
    status = s->make ? list_on(s, r, err) : count_on(s, r, err);
  ms_gpu_runner_close(r);
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

const ms_pattern_engine ms_pattern_engine_dfs = {
    .name = "dfs",
    .devices = ms_gpu_pattern_device_count,
    .takes = ms_gpu_pattern_takes,
    .count = count,
    .list = list,
};
