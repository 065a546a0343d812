#include "gpu/common/share.h"

#include "base/status.h"
#include "base/threads.h"
#include "gpu/common/cuda_error.h"

#include <pthread.h>
#include <time.h>

enum {
  CHUNKS_A_DEVICE = 2, /* of what is left: the last chunks are short .. */
  LAST_CHUNKS = 32,    /* .. but no shorter than one of so many of all for a device: a launch has
                          its own begin and end */
  MOST_PARTS = 64      /* threads that make rows */
};

/* ---- units among devices --------------------------------------------------------- */

bool ms_gpu_share_take(ms_gpu_share *s, uint64_t all, uint64_t *first, uint64_t *end)
{
  bool some = false;
#pragma omp critical(ms_gpu_share)
  {
    if (!s->begun)
      s->left = all;
    s->begun = true;
    if (s->left > 0 && !atomic_load(&s->halt)) {
      uint64_t part = s->left, least = all / (s->devices * LAST_CHUNKS) + 1;
      if (s->devices > 1) {
        part = s->left / (s->devices * CHUNKS_A_DEVICE) + 1;
        part = part < least ? least : part;
        part = part < s->left ? part : s->left;
      }
      *end = s->left;
      *first = s->left -= part;
      some = true;
    }
  }
  return some;
}

static void note(ms_gpu_share *s, ms_status status, const ms_error *error)
{
  if (status == MS_OK)
    return;
  atomic_store(&s->halt, true);
  if (s->stream)
    ms_stream_halt(s->stream);
#pragma omp critical(ms_gpu_share)
  {
    bool is_stop = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
    /* a failure comes before a stop, which all devices report */
    if (s->status == MS_OK ||
        (!is_stop && (s->status == MS_ERR_LIMIT || s->status == MS_ERR_INTERRUPTED))) {
      s->status = status;
      s->error = *error;
    }
  }
}

/* Modulo 2^256, two's complement. */
static void sum_value(const ms_device_sum *sum, mpz_t all)
{
  mpz_t digit;
  mpz_init(digit);
  for (int i = MS_SUM_DIGITS; i-- > 0;) {
    mpz_mul_2exp(all, all, 32);
    mpz_import(digit, 1, -1, sizeof sum->digit[i], 0, 0, &sum->digit[i]);
    mpz_add(all, all, digit);
  }
  mpz_fdiv_r_2exp(all, all, 256);
  if (mpz_tstbit(all, 255)) {
    mpz_set_ui(digit, 1);
    mpz_mul_2exp(digit, digit, 256);
    mpz_sub(all, all, digit);
  }
  mpz_clear(digit);
}

void ms_gpu_share_add(ms_gpu_share *s, const ms_device_sum *sum)
{
  mpz_t value;
  mpz_init(value);
  sum_value(sum, value);
  ms_gpu_share_add_number(s, value);
  mpz_clear(value);
}

void ms_gpu_share_add_number(ms_gpu_share *s, mpz_srcptr number)
{
#pragma omp critical(ms_gpu_share)
  mpz_add(s->sum, s->sum, number);
}

/* ---- devices ------------------------------------------------------------------------- */

typedef struct device_part {
  ms_gpu_share *share;
  int device;
} device_part;

static void *run_part(void *user)
{
  device_part *p = user;
  ms_error error = {0};
  note(p->share, p->share->work(p->share, p->device, &error), &error);
  return NULL;
}

/* The first device on this thread, each other one on its own: a team of threads
 * in it is not a nested one. */
static void run_parts(ms_gpu_share *s)
{
  pthread_t thread[MS_GPU_MOST_DEVICES];
  device_part parts[MS_GPU_MOST_DEVICES];
  bool begun[MS_GPU_MOST_DEVICES] = {false};
  for (uint32_t i = 0; i < s->devices; i++) {
    parts[i] = (device_part){s, s->device[i]};
    begun[i] = i > 0 && pthread_create(&thread[i], NULL, run_part, &parts[i]) == 0;
  }
  (void)run_part(&parts[0]);
  for (uint32_t i = 1; i < s->devices; i++)
    if (begun[i])
      (void)pthread_join(thread[i],
                         NULL); /* the units are shared: one that never began is not missed */
}

uint64_t ms_gpu_share_roots(const ms_pattern_task *task)
{
  const ms_domain *domain = &task->program->step[0].domain;
  return task->program->list[0] ? domain->count : domain->hi - domain->lo;
}

ms_status ms_gpu_share_run(ms_gpu_share *s, ms_error *err)
{
  MS_TRY(ms_gpu_pattern_devices(s->task, s->device, &s->devices, err));
  s->threads = ms_threads(s->task->threads) / (int)s->devices;
  s->threads = s->threads < 1 ? 1 : s->threads;
  atomic_init(&s->halt, false);
  ms_status status = ms_stop_check(s->task->stop);
  if (status != MS_OK || ms_gpu_share_roots(s->task) == 0)
    return status;
  run_parts(s);
  if (s->status != MS_OK && err)
    *err = s->error;
  return s->status;
}

/* ---- waiting ------------------------------------------------------------------------- */

ms_status ms_gpu_wait_aside(ms_gpu_wait *w, cudaStream_t *stream, ms_error *err)
{
  ms_status status = MS_OK;
  if (!w->aside)
    status = ms_cuda_status(cudaStreamCreateWithFlags(&w->aside, cudaStreamNonBlocking),
                            "making a stream", err);
  *stream = w->aside;
  return status;
}

/* By another stream; it may come too early, before the launch has cleared the
 * queue: it is asked again until the kernel has ended. */
static ms_status ask_to_stop(ms_gpu_wait *w, ms_error *err)
{
  cudaStream_t stream;
  ms_status status = ms_gpu_wait_aside(w, &stream, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemsetAsync(w->stop, 1, sizeof *w->stop, stream),
                            "stopping a search", err);
  return status;
}

/* Short searches are over before the thread would have gone to sleep. */
static void rest(uint32_t tries)
{
  if (tries > 1000)
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

ms_status ms_gpu_wait_end(ms_gpu_wait *w, bool wanted, const ms_stop *stop, ms_status *stopped,
                          ms_error *err)
{
  ms_status status = MS_OK;
  cudaError_t error = cudaSuccess;
  *stopped = MS_OK;
  for (uint32_t tries = 0; (error = cudaStreamQuery(w->stream)) == cudaErrorNotReady;
       tries += tries <= 1000) {
    if (*stopped == MS_OK)
      *stopped = ms_stop_check(stop);
    if (*stopped != MS_OK || !wanted) {
      tries = 1001;
      status = ask_to_stop(w, err);
    }
    if (status != MS_OK)
      return status;
    rest(tries);
  }
  return ms_cuda_status(error, "searching", err);
}

bool ms_gpu_wait_close(ms_gpu_wait *w)
{
  bool usable = true;
  if (w->aside) {
    usable = cudaStreamSynchronize(w->aside) == cudaSuccess;
    (void)cudaStreamDestroy(w->aside);
  }
  w->aside = NULL;
  return usable;
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Rows of ids by level on their way to the stream, by several threads, each of
 * which has a segment. */
typedef struct drain {
  ms_gpu_share *s;
  const uint32_t *rows; /* as of ms_gpu_share_emit */
  uint64_t count, columns;
  uint32_t length, parts;
  ms_segment *segment[MOST_PARTS];
} drain;

static const uint32_t *ids_of(const drain *d, uint64_t i, uint32_t ids[MS_MAX_PATTERN])
{
  if (d->columns == 0)
    return d->rows + i * d->length;
  for (uint32_t j = 0; j < d->length; j++)
    ids[j] = d->rows[j * d->columns + i];
  return ids;
}

static bool make_rows(drain *d, uint32_t part)
{
  ms_gpu_share *s = d->s;
  uint32_t ids[MS_MAX_PATTERN], row[MS_MAX_PATTERN];
  bool wanted = true;
  uint64_t last = d->count * (part + 1) / d->parts;
  for (uint64_t i = d->count * part / d->parts; i < last && wanted && !atomic_load(&s->halt); i++)
    wanted =
        s->make(s->user, ids_of(d, i, ids), row) && ms_stream_add(s->stream, d->segment[part], row);
  if (!wanted) {
    atomic_store(&s->halt, true);
    ms_stream_halt(s->stream);
  }
  ms_stream_close(s->stream, d->segment[part]);
  return wanted;
}

ms_status ms_gpu_share_emit(ms_gpu_share *s, const uint32_t *rows, uint64_t count, uint32_t length,
                            uint64_t columns, ms_error *err)
{
  drain d = {.s = s, .rows = rows, .count = count, .columns = columns, .length = length};
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

ms_status ms_gpu_share_drain(ms_gpu_share *s, ms_staging *staging, cudaStream_t by,
                             const uint32_t *rows, uint64_t count, uint32_t length, ms_error *err)
{
  static const char what[] = "copying matches";
  uint64_t piece = piece_rows(length), copied = 0, before = 0;
  uint32_t buffer = 1;
  ms_status status = MS_OK;
  for (uint64_t at = 0; status == MS_OK && (at < count || before > 0) && !atomic_load(&s->halt);
       at += copied) {
    copied = count - at < piece ? count - at : piece;
    if (copied > 0)
      status = ms_cuda_status(cudaMemcpyAsync(staging->buffer[buffer], rows + at * length,
                                              copied * length * sizeof(uint32_t),
                                              cudaMemcpyDeviceToHost, by),
                              what, err);
    if (status == MS_OK && before > 0)
      status = ms_gpu_share_emit(s, (const uint32_t *)(const void *)staging->buffer[3 - buffer],
                                 before, length, 0, err);
    if (status == MS_OK)
      status = ms_cuda_status(cudaStreamSynchronize(by), what, err);
    before = copied;
    buffer = 3 - buffer;
  }
  return status;
}
