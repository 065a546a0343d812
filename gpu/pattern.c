/* The engine `dfs`: devices that share the units of a task. */
#include "gpu/pattern.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/cuda_error.h"
#include "gpu/pattern_devices.h"
#include "gpu/pattern_runner.h"

#include <stdatomic.h>

enum {
  CHUNKS_A_DEVICE = 8, /* of what is left: the last chunks are short */
  MOST_PARTS = 64      /* threads that make rows */
};
#define LARGER_OUTPUT 8u

uint64_t ms_gpu_pattern_first_rows = 1 << 16;

typedef struct search {
  const ms_pattern_task *task;
  int threads;       /* a device's */
  uint32_t devices;
  int device[MS_GPU_MOST_DEVICES];
  ms_row_fn make;    /* NULL: count */
  void *user;
  ms_stream *stream;
  mpz_ptr sum;
  atomic_bool halt;  /* no device is to go on */
  uint64_t left;     /* critical(ms_pattern_dfs), as all below: units nobody has taken: the first ones */
  bool begun;
  ms_status status;  /* of the first device that failed */
  ms_error error;
} search;

/* ---- units among devices --------------------------------------------------------- */

/* The next units: the last ones of those that are left.  False: there are none. */
static bool take_units(search *s, uint64_t all, uint64_t *first, uint64_t *end)
{
  bool some = false;
#pragma omp critical(ms_pattern_dfs)
  {
    if (!s->begun)
      s->left = all;
    s->begun = true;
    if (s->left > 0 && !atomic_load(&s->halt)) {
      uint64_t part = s->devices > 1 ? s->left / (s->devices * CHUNKS_A_DEVICE) + 1 : s->left;
      *end = s->left;
      *first = s->left -= part;
      some = true;
    }
  }
  return some;
}

static void note(search *s, ms_status status, const ms_error *error)
{
  if (status == MS_OK)
    return;
  atomic_store(&s->halt, true);
  if (s->stream)
    ms_stream_halt(s->stream);
#pragma omp critical(ms_pattern_dfs)
  {
    bool is_stop = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
    /* a failure comes before a stop, which all devices report */
    if (s->status == MS_OK || (!is_stop && (s->status == MS_ERR_LIMIT || s->status == MS_ERR_INTERRUPTED))) {
      s->status = status;
      s->error = *error;
    }
  }
}

/* ---- counting ----------------------------------------------------------------------- */

static ms_status count_on(search *s, ms_gpu_runner *r, ms_error *err)
{
  uint64_t first, end;
  ms_status status = MS_OK;
  while (status == MS_OK && take_units(s, r->context.pack.program.units, &first, &end)) {
    status = ms_gpu_runner_start(r, first, end, false, 0, 0, err);
    if (status == MS_OK)
      status = ms_gpu_runner_wait(r, true, s->task->stop, err);
    if (status != MS_OK && status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
      break;
#pragma omp critical(ms_pattern_dfs)
    ms_gpu_runner_total(r, s->sum);
  }
  return status;
}

/* ---- listing ------------------------------------------------------------------------- */

/* Rows of ids by level on their way to the stream, by several threads, each of
 * which has a segment. */
typedef struct drain {
  search *s;
  const uint32_t *rows; /* [count][length] */
  uint64_t count;
  uint32_t length, parts;
  ms_segment *segment[MOST_PARTS];
} drain;

static bool make_rows(drain *d, uint32_t part)
{
  search *s = d->s;
  uint32_t row[MS_MAX_PATTERN];
  bool wanted = true;
  uint64_t last = d->count * (part + 1) / d->parts;
  for (uint64_t i = d->count * part / d->parts; i < last && wanted && !atomic_load(&s->halt); i++)
    wanted = s->make(s->user, d->rows + i * d->length, row) && ms_stream_add(s->stream, d->segment[part], row);
  if (!wanted) {
    atomic_store(&s->halt, true);
    ms_stream_halt(s->stream);
  }
  ms_stream_close(s->stream, d->segment[part]);
  return wanted;
}

static ms_status drain_rows(search *s, const uint32_t *rows, uint64_t count, uint32_t length, ms_error *err)
{
  drain d = {.s = s, .rows = rows, .count = count, .length = length};
  int threads = ms_threads_for(s->threads, count * length * 16);
  ms_status status = MS_OK;
  while (d.parts < (uint32_t)threads && d.parts < MOST_PARTS && status == MS_OK) {
    d.segment[d.parts] = ms_stream_open(s->stream, NULL);
    if (d.segment[d.parts])
      d.parts++;
    else
      status = ms_fail_memory(err, "buffers of matches");
  }
  if (status != MS_OK) /* those that are open hold up all behind them */
    atomic_store(&s->halt, true);
#pragma omp parallel for num_threads((int)d.parts) schedule(static, 1)
  for (uint32_t part = 0; part < d.parts; part++)
    (void)make_rows(&d, part);
  return status;
}

/* Bytes that go through one pinned buffer: whole rows. */
static uint64_t piece_rows(uint32_t length)
{
  return MS_STAGING_BYTES / (length * sizeof(uint32_t));
}

/* An output's rows to the stream: one piece is copied while the one before it
 * is made into rows.  Buffer 0 is the queue's. */
static ms_status drain_output(search *s, ms_gpu_runner *r, uint32_t which, uint64_t count, ms_error *err)
{
  static const char what[] = "copying matches";
  uint32_t length = r->context.pack.program.prefix, buffer = 1;
  uint64_t piece = piece_rows(length), copied = 0, before = 0;
  cudaStream_t stream;
  ms_status status = ms_gpu_runner_aside(r, &stream, err);
  for (uint64_t at = 0; status == MS_OK && (at < count || before > 0) && !atomic_load(&s->halt); at += copied) {
    copied = count - at < piece ? count - at : piece;
    if (copied > 0)
      status = ms_cuda_status(cudaMemcpyAsync(r->context.staging.buffer[buffer], r->output[which] + at * length,
                                              copied * length * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream),
                              what, err);
    if (status == MS_OK && before > 0)
      status = drain_rows(s, (const uint32_t *)(const void *)r->context.staging.buffer[3 - buffer], before, length, err);
    if (status == MS_OK)
      status = ms_cuda_status(cudaStreamSynchronize(stream), what, err);
    before = copied;
    buffer = 3 - buffer;
  }
  return status;
}

/* Units [first, end): while a kernel fills one output, the other one is drained. */
static ms_status list_units(search *s, ms_gpu_runner *r, uint64_t first, uint64_t end, uint64_t *rows, ms_error *err)
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
      status = ms_gpu_runner_wait(r, drained == MS_OK && !atomic_load(&s->halt), s->task->stop, drained == MS_OK ? err : NULL);
    if (drained != MS_OK)
      return drained;
    ready = 0;
    bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
    if ((status != MS_OK && !stopped) || !running)
      continue;
    ready = r->seen->rows < r->launch.capacity ? r->seen->rows : r->launch.capacity;
    more = ms_gpu_runner_unfinished(r);
    again = true;
    which = 1 - which;
    *rows = *rows < r->room ? *rows * LARGER_OUTPUT : *rows;
    if (stopped) /* what was found counts */
      drained = drain_output(s, r, 1 - which, ready, err);
  }
  return drained != MS_OK ? drained : status;
}

static ms_status list_on(search *s, ms_gpu_runner *r, ms_error *err)
{
  uint64_t first, end, rows = ms_gpu_pattern_first_rows;
  ms_status status = MS_OK;
  while (status == MS_OK && take_units(s, r->context.pack.program.units, &first, &end))
    status = list_units(s, r, first, end, &rows, err);
  return status;
}

/* ---- devices ------------------------------------------------------------------------- */

static void run_device(search *s, uint32_t number)
{
  ms_gpu_runner *r = ms_calloc(1, sizeof *r);
  ms_error error = {0};
  ms_status status = MS_OK;
  if (!r) {
    status = ms_fail_memory(&error, "a search on a GPU");
  } else {
    status = ms_gpu_runner_open(r, s->task->program, s->device[number], s->threads, s->make != NULL, 1, &error);
    if (status == MS_OK)
      status = s->make ? list_on(s, r, &error) : count_on(s, r, &error);
    ms_gpu_runner_close(r);
  }
  ms_free(r);
  note(s, status, &error);
}

static ms_status run(search *s, ms_error *err)
{
  ms_status status = ms_gpu_pattern_devices(s->task, s->device, &s->devices, err);
  if (status != MS_OK)
    return status;
  s->threads = ms_threads(s->task->threads) / (int)s->devices;
  s->threads = s->threads < 1 ? 1 : s->threads;
  atomic_init(&s->halt, false);
  status = ms_stop_check(s->task->stop);
  if (status != MS_OK)
    return status;
#pragma omp parallel for num_threads((int)s->devices) schedule(static, 1) if (s->devices > 1)
  for (uint32_t i = 0; i < s->devices; i++)
    run_device(s, i);
  if (s->status != MS_OK && err)
    *err = s->error;
  return s->status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  search s = {.task = task, .sum = sum};
  return run(&s, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream, ms_error *err)
{
  search s = {.task = task, .make = make, .user = user, .stream = stream};
  return run(&s, err);
}

const ms_pattern_engine ms_pattern_engine_dfs = {
  .name = "dfs",
  .devices = ms_gpu_pattern_device_count,
  .takes = ms_gpu_pattern_takes,
  .count = count,
  .list = list,
};
