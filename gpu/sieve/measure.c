/* Timing of the kernels in gpu/sieve/measure.cu: warm-up, then the best of a few
 * slices by the device's own clock. */
#include "gpu/sieve/measure.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"

#include <string.h>

enum { SLICES = 5, CHECK_ROUNDS = 13, MOST_ARGUMENTS = 4 };

/* What all measurements on one device need. */
typedef struct bench {
  int device, multiprocessors;
  cudaEvent_t start, stop;
  uint32_t *out; /* on the device, [threads that it can hold] */
  uint32_t room;
} bench;

/* A kernel with its launch. */
typedef struct task {
  const ms_measure_kernel *kernel;
  void *arguments[MOST_ARGUMENTS]; /* the first one is the number of rounds */
  uint32_t blocks;
  double work; /* of all threads in a round */
} task;

/* ---- set-up -------------------------------------------------------------------- */

static ms_status check_device(int device, ms_error *err)
{
  int devices = ms_gpu_device_count();
  if (devices == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no GPU that can be used here (%s); use `MS_BACKEND_CPU`",
                   ms_gpu_describe());
  if (device < 0 || device >= devices)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; GPUs are numbered from 0 to %d", device,
                   devices - 1);
  return MS_OK;
}

static ms_status bench_open(bench *b, int device, ms_error *err)
{
  int threads = 0;
  *b = (bench){.device = device};
  MS_TRY(check_device(device, err));
  ms_status status = ms_cuda_status(cudaSetDevice(device), "choosing the GPU", err);
  if (status == MS_OK)
    status = ms_cuda_status(
        cudaDeviceGetAttribute(&b->multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the multiprocessors", err);
  if (status == MS_OK)
    status = ms_cuda_status(
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "asking for the threads", err);
  b->room = (uint32_t)(threads * b->multiprocessors);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMalloc((void **)&b->out, b->room * sizeof *b->out),
                            "making room for digests", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaEventCreate(&b->start), "making an event", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaEventCreate(&b->stop), "making an event", err);
  return status;
}

/* a failure here comes too late to matter: the measurements are done */
static void bench_close(bench *b)
{
  if (b->start)
    (void)cudaEventDestroy(b->start);
  if (b->stop)
    (void)cudaEventDestroy(b->stop);
  if (b->out)
    (void)cudaFree(b->out);
}

/* Sets as many blocks as all multiprocessors hold at once. */
static ms_status fill_device(const bench *b, task *t, ms_error *err)
{
  uint32_t blocks;
  MS_TRY(ms_gpu_occupancy(t->kernel->function, t->kernel->threads, 0, &blocks, err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_INTERNAL, "a kernel for measuring does not fit this GPU");
  t->blocks = blocks * (uint32_t)b->multiprocessors;
  t->work = (double)t->blocks * t->kernel->threads * t->kernel->work;
  return MS_OK;
}

/* ---- running -------------------------------------------------------------------- */

static ms_status launch(const task *t, uint32_t *rounds, ms_error *err)
{
  void *arguments[MOST_ARGUMENTS];
  memcpy(arguments, t->arguments, sizeof arguments);
  arguments[0] = rounds;
  ms_gpu_grid grid = {t->blocks, t->kernel->threads, 0};
  return ms_gpu_launch(t->kernel->function, grid, arguments, NULL, "starting a kernel", err);
}

static ms_status time_rounds(bench *b, const task *t, uint32_t rounds, double *seconds,
                             ms_error *err)
{
  float milliseconds = 0;
  ms_status status = ms_cuda_status(cudaEventRecord(b->start, NULL), "recording an event", err);
  if (status == MS_OK)
    status = launch(t, &rounds, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaEventRecord(b->stop, NULL), "recording an event", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaEventSynchronize(b->stop), "running a kernel", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaEventElapsedTime(&milliseconds, b->start, b->stop),
                            "timing a kernel", err);
  *seconds = milliseconds * 1e-3;
  return status;
}

/* Finds the work a second.  The search for the number of rounds that fill a slice is also the
 * warm-up. */
static ms_status best_rate(bench *b, const task *t, double seconds, double *rate, ms_error *err)
{
  uint32_t rounds = 1;
  double took = 0;
  ms_status status = time_rounds(b, t, rounds, &took, err);
  while (status == MS_OK && took < seconds / SLICES / 2 && rounds < 1u << 30) {
    rounds *= 2;
    status = time_rounds(b, t, rounds, &took, err);
  }
  *rate = 0;
  for (int slice = 0; slice < SLICES && status == MS_OK; slice++) {
    status = time_rounds(b, t, rounds, &took, err);
    if (status == MS_OK && took > 0 && t->work * rounds / took > *rate)
      *rate = t->work * rounds / took;
  }
  return status;
}

/* ---- line types ------------------------------------------------------------------- */

uint32_t ms_gpu_line_count(void)
{
  return MS_MEASURE_LINES;
}

const ms_gpu_line *ms_gpu_line_at(uint32_t index)
{
  const ms_measure_line *found = ms_measure_line_at(index);
  return found ? &found->line : NULL;
}

/* Runs a few rounds and checks that every thread gets the same result as the host. */
static ms_status check_products(bench *b, const task *t, const ms_measure_line *line, ms_error *err)
{
  const ms_gf256_tables *tables = ms_gf256_get_tables();
  uint32_t rounds = CHECK_ROUNDS, threads = t->blocks * t->kernel->threads;
  uint32_t *got = ms_alloc(threads, sizeof *got);
  ms_status status = got ? launch(t, &rounds, err) : ms_fail_memory(err, "digests of products");
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemcpy(got, b->out, threads * sizeof *got, cudaMemcpyDeviceToHost),
                            "running a kernel", err);
  for (uint32_t i = 0; i < threads && status == MS_OK; i += 61)
    if (got[i] != line->on_host(i, rounds, tables))
      status = ms_fail(
          err, MS_ERR_INTERNAL,
          "GPU %d gets wrong products with line type %s; this is a bug of motifsieve or a fault of the "
          "GPU: do not use it",
          b->device, line->line.name);
  ms_free(got);
  return status;
}

ms_status ms_gpu_products(int device, uint32_t index, double seconds, double *rate, ms_error *err)
{
  const ms_measure_line *line = ms_measure_line_at(index);
  bench b = {0};
  *rate = 0;
  if (!line)
    return ms_fail(err, MS_ERR_INTERNAL, "there is no line type %u", index);
  ms_status status = bench_open(&b, device, err);
  task t = {.kernel = &line->kernel, .arguments = {NULL, &b.out, (void *)ms_gf256_get_tables()}};
  if (status == MS_OK)
    status = fill_device(&b, &t, err);
  if (status == MS_OK)
    status = check_products(&b, &t, line, err);
  if (status == MS_OK)
    status = best_rate(&b, &t, seconds, rate, err);
  bench_close(&b);
  return status;
}

/* ---- ceilings ------------------------------------------------------------------------ */

/* Measures a kernel that does not use memory. */
static ms_status measure_compute(bench *b, const ms_measure_kernel *kernel, double seconds,
                                 double *rate, ms_error *err)
{
  task t = {.kernel = kernel, .arguments = {NULL, &b->out}};
  ms_status status = fill_device(b, &t, err);
  return status == MS_OK ? best_rate(b, &t, seconds, rate, err) : status;
}

static ms_status fill_memory(bench *b, void *memory, uint32_t rows, ms_error *err)
{
  double took;
  task t = {.kernel = ms_measure_fill(), .arguments = {NULL, &memory, &rows}};
  ms_status status = fill_device(b, &t, err);
  return status == MS_OK ? time_rounds(b, &t, 1, &took, err) : status;
}

static ms_status measure_memory(bench *b, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                                ms_error *err)
{
  void *memory = NULL;
  uint64_t most = (uint64_t)UINT32_MAX * MS_ROW_BYTES;
  uint32_t rows = (uint32_t)((bytes < most ? bytes : most) / MS_ROW_BYTES);
  rows = rows ? rows : 1;
  task random = {.kernel = ms_measure_rows(), .arguments = {NULL, &b->out, &memory, &rows}};
  task stream = {.kernel = ms_measure_stream(), .arguments = {NULL, &memory, &rows}};
  ms_status status = ms_cuda_status(cudaMalloc(&memory, (size_t)rows * MS_ROW_BYTES),
                                    "making a buffer to read", err);
  if (status == MS_OK)
    status = fill_memory(b, memory, rows, err);
  if (status == MS_OK)
    status = fill_device(b, &random, err);
  if (status == MS_OK)
    status = best_rate(b, &random, seconds, &out->row_read, err);
  if (status == MS_OK)
    status = fill_device(b, &stream, err);
  stream.work = (double)rows * MS_ROW_BYTES * stream.kernel->work;
  if (status == MS_OK)
    status = best_rate(b, &stream, seconds, &out->stream, err);
  if (memory)
    (void)cudaFree(memory);
  return status;
}

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err)
{
  bench b = {0};
  *out = (ms_gpu_ceilings){0};
  ms_status status = bench_open(&b, device, err);
  if (status == MS_OK)
    status = measure_compute(&b, ms_measure_logic(), seconds, &out->logic, err);
  if (status == MS_OK)
    status = measure_compute(&b, ms_measure_shared(), seconds, &out->shared_read, err);
  if (status == MS_OK)
    status = measure_memory(&b, bytes, seconds, out, err);
  bench_close(&b);
  return status;
}
