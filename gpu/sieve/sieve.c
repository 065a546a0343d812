/* The CUDA sieve back end on one GPU: the order of launches.  The kernels are in the .cu files. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"
#include "gpu/common/digest.h"
#include "gpu/sieve/context.h"
#include "gpu/sieve/prune.h"
#include "sieve/pass.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* A program's first use of a GPU creates a context, which takes a fifth of a second and more. */
enum { MOST_DEVICES = 64 };
static atomic_bool context_made[MOST_DEVICES];

/* ---- close and describe ---------------------------------------------------------------- */

static void gpu_close(void *context)
{
  ms_sieve_context *c = context;
  if (!c)
    return;
  if (c->config.bytes_moved)
    *c->config.bytes_moved += ms_staging_take_noted();
  if (ms_gpu_context_wait(&c->gpu))
    for (uint32_t i = 0; i < c->block_count; i++)
      ms_gpu_free(&c->gpu, c->block[i]);
  ms_gpu_blocks_free(c);
  ms_gpu_context_close(&c->gpu);
  ms_free(c);
}

static ms_gpu_sieve_kernel kernel_of(const ms_sieve_context *c)
{
  return c->mode == MS_MODE_SHARED    ? MS_GPU_SIEVE_SHARED
         : c->mode == MS_MODE_CLASSIC ? MS_GPU_SIEVE_AUTO
                                      : MS_GPU_SIEVE_GLOBAL;
}

static void describe_plan(const ms_sieve_context *c, ms_sieve_plan *plan)
{
  bool shared = c->mode == MS_MODE_SHARED;
  *plan = (ms_sieve_plan){
      .kernel = ms_gpu_sieve_kernel_name(kernel_of(c)),
      .threads = c->multiprocessors,
      .block_points = (uint32_t)1 << c->p.inner_bits,
      .blocks = c->blocks,
      .batch = shared ? 4 * (uint64_t)c->shared.blocks : (uint64_t)1 << c->global.word_bits,
      /* a word on each multiprocessor, or a chunk, whose launches have a thread for each word of it
       */
      .together = shared ? (uint64_t)c->shared.blocks : (uint64_t)1 << c->global.word_bits,
      .memory = ms_gpu_sieve_bytes(c),
      .vertex_blocks = c->mode == MS_MODE_BLOCKS ? c->part.count : 1,
      .host_bytes = c->mode == MS_MODE_BLOCKS ? c->part.host_bytes : 0,
      .state_bytes = c->mode == MS_MODE_BLOCKS ? c->part.state
                     : shared                  ? c->shared.scratch / c->shared.blocks
                                               : c->global.scratch,
  };
}

/* ---- weights ----------------------------------------------------------------------------- */

/* Loads the weights of `count` passes from `first` on, unless they are loaded already. */
static ms_status load_passes(ms_sieve_context *c, uint64_t first, uint32_t count, ms_error *err)
{
  bool there = c->loaded == first && c->loaded_count >= count;
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    uint64_t number = first + i;
    uint32_t variants = c->problem->variants;
    if (c->mode == MS_MODE_BLOCKS) {
      status =
          ms_gpu_blocks_load(c, (uint32_t)(number / variants), (uint32_t)(number % variants), err);
      continue;
    }
    cudaError_t error =
        there ? cudaMemsetAsync(c->pass[i].q, 0, c->p.n * sizeof *c->q, c->gpu.staging.stream)
              : ms_device_make_weights(&c->p, &c->pass[i], (uint32_t)(number / variants),
                                       (uint32_t)(number % variants), c->gpu.staging.stream);
    if (error == cudaSuccess && c->pass[i].moment)
      error = cudaMemsetAsync(c->pass[i].moment, 0, c->global.moment, c->gpu.staging.stream);
    if (!there && error == cudaSuccess && c->pass[i].pair)
      error = ms_device_make_quadratic(&c->p, &c->pass[i], c->scratch, c->gpu.staging.stream);
    status = ms_cuda_status(error, "making the weights", err);
  }
  if (!there) {
    c->loaded = status == MS_OK ? first : UINT64_MAX;
    c->loaded_count = count;
  }
  return status;
}

/* Makes the weights of the first pass, while the host prepares to run it: most runs begin with it.
 */
static ms_status begin_weights(ms_sieve_context *c, ms_error *err)
{
  return c->mode == MS_MODE_GLOBAL && c->passes == 1 ? load_passes(c, 0, 1, err) : MS_OK;
}

/* ---- open ---------------------------------------------------------------------------------- */

static ms_status open_device(ms_sieve_context *c, int device, ms_sieve_plan *plan, ms_error *err)
{
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  if (facts.major < MS_GPU_LEAST_CAPABILITY)
    return ms_fail(err, MS_ERR_DEVICE_LOST,
                   "GPU %d (%s) has compute capability %d.%d, and at least 8.0 is needed; use "
                   "`MS_BACKEND_CPU` or another one with `devices`",
                   device, facts.name, facts.major, facts.minor);
  (void)ms_staging_take_noted(); /* from here on it counts */
  MS_TRY(ms_gpu_context_open(&c->gpu, device, c->config.threads, c->config.gpu_memory, err));
  c->multiprocessors = facts.multiprocessors;
  const ms_gpu_rows *rows = c->problem->rows;
  if (rows && rows->device == device)
    c->gpu.taken = rows->bytes;
  MS_TRY(ms_gpu_sieve_plan(c, &facts, err));
  describe_plan(c, plan);
  MS_TRY(ms_gpu_sieve_upload(c, err));
  MS_TRY(ms_gpu_sieve_alloc_passes(c, err));
  return begin_weights(c, err);
}

static ms_status fail_kernel(const char *name, ms_error *err)
{
  char known[256] = "";
  for (int i = 0; i < MS_GPU_SIEVE_KERNELS; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
             ms_gpu_sieve_kernel_name((ms_gpu_sieve_kernel)i));
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "arithmetic '%s' is not one of the GPU's, which are %s; use `MS_BACKEND_CPU`",
                 name, known);
}

/* Checks what the configuration asks for, as far as that needs no device. */
static ms_status check_config(const ms_sieve_context *c, ms_error *err)
{
  uint32_t points = 1u << c->p.inner_bits;
  if (c->config.block_points && c->config.block_points != points)
    return ms_fail(err, MS_ERR_USAGE, "the GPU has no blocks of %u points; use %u",
                   c->config.block_points, points);
  return MS_OK;
}

static ms_status gpu_open(const ms_sieve_problem *problem, const ms_sieve_config *config,
                          int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  ms_gpu_sieve_kernel kernel;
  *context = NULL;
  if (!ms_gpu_sieve_find_kernel(config->kernel, &kernel))
    return fail_kernel(config->kernel, err);
  if (ms_gpu_device_count() == 0)
    return ms_gpu_fail_none("`MS_BACKEND_CPU`", err);
  ms_sieve_context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "the sieve's state");
  c->problem = problem;
  c->config = *config;
  c->kernel = kernel;
  c->loaded = UINT64_MAX;
  ms_gpu_sieve_describe(c);
  ms_status status = check_config(c, err);
  if (status == MS_OK)
    status = open_device(c, device, plan, err);
  if (status != MS_OK) {
    gpu_close(c);
    return status;
  }
  if (device < MOST_DEVICES)
    atomic_store(&context_made[device], true);
  *context = c;
  return MS_OK;
}

/* ---- run ------------------------------------------------------------------------------- */

static ms_status synchronize(const ms_sieve_context *c, ms_error *err)
{
  return ms_cuda_status(cudaStreamSynchronize(c->gpu.staging.stream), "sieving", err);
}

typedef cudaError_t run_words_fn(const ms_device_problem *p, const ms_global_plan *plan,
                                 const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                                 uint32_t words, cudaStream_t stream);

static run_words_fn *words_runner(const ms_sieve_context *c)
{
  return c->mode == MS_MODE_GLOBAL ? ms_global_run : ms_global_classic;
}

/* Starts units [first, last), counted from the first loaded pass. */
static ms_status launch(ms_sieve_context *c, uint64_t first, uint64_t last, ms_error *err)
{
  if (c->mode == MS_MODE_SHARED)
    return ms_cuda_status(ms_shared_run(&c->p, &c->shared, c->pass, c->scratch, c->counter, first,
                                        last, c->gpu.staging.stream),
                          "sieving", err);
  ms_status status = MS_OK;
  while (first < last && status == MS_OK) {
    uint64_t pass = first / c->blocks, words = (uint64_t)1 << c->global.word_bits,
             left = last - first;
    uint64_t in_pass = c->blocks - first % c->blocks;
    words -= first % c->blocks & (words - 1); /* to the end of an aligned chunk */
    words = words < left ? words : left;
    words = words < in_pass ? words : in_pass;
    if (c->mode == MS_MODE_BLOCKS)
      status = ms_gpu_blocks_run(c, first % c->blocks, (uint32_t)words, err);
    else
      status =
          ms_cuda_status(words_runner(c)(&c->p, &c->global, &c->pass[pass], c->scratch,
                                         first % c->blocks, (uint32_t)words, c->gpu.staging.stream),
                         "sieving", err);
    first += words;
  }
  return status;
}

/* Returns the seconds of the kernels, by what bounded them on an H200: about 1.4
 * k^2 logic operations for each vertex and point, and one byte for each published row and arc,
 * about half of them live, from shared or global memory. */
static double kernel_seconds(const ms_sieve_problem *problem)
{
  const ms_instance *in = problem->instance;
  double n = in->n, arcs = (double)in->arcs, k = problem->size, rows = 0,
         points = ldexp(1, (int)problem->size);
  if (problem->recurrence == MS_CLASSIC)
    return points * arcs * k * k / 2 * 2.2 / 6.6e12;
  for (uint32_t t = 2; t < problem->size; t++)
    rows += ms_sieve_siblings(problem->size, t);
  bool near = n < 2500 && arcs < 80000; /* about the size that fits a multiprocessor */
  return points * (n * 1.4 * k * k / 6.6e12 + arcs * rows * 0.6 / (near ? 2e13 : 4.2e12));
}

/* Adapts the number of units between two checks of the stop token to about a tenth of a second. */
static void adapt_slice(ms_sieve_context *c, uint64_t units, double seconds)
{
  if (units < c->slice)
    return;
  if (seconds < 0.05)
    c->slice *= 2;
  else if (seconds > 0.2 && c->slice > 1)
    c->slice /= 2;
}

static ms_status run_slices(ms_sieve_context *c, uint64_t first, uint64_t last, ms_error *err)
{
  if (c->slice == 0) {
    /* begins with no more than may take that long, but with work for all multiprocessors */
    uint64_t least = c->mode == MS_MODE_SHARED ? 32 * (uint64_t)c->shared.blocks
                                               : (uint64_t)1 << c->global.word_bits;
    double guess = 0.1 * (double)c->blocks / kernel_seconds(c->problem);
    c->slice = guess > (double)c->blocks ? c->blocks : (uint64_t)guess;
    c->slice = c->slice < least ? least : c->slice;
  }
  while (first < last) {
    ms_status status = ms_stop_check(c->config.stop);
    if (status != MS_OK)
      return ms_fail(err, status, "the sieve was stopped: %s", ms_status_text(status));
    uint64_t end = last - first < c->slice + c->slice / 2 ? last : first + c->slice;
    double start = ms_seconds();
    status = launch(c, first, end, err);
    if (status == MS_OK)
      status = synchronize(c, err);
    if (status != MS_OK)
      return status;
    adapt_slice(c, end - first, ms_seconds() - start);
    if (c->config.blocks_done)
      c->config.blocks_done(c->config.block_user, 0, end - first);
    first = end;
  }
  return MS_OK;
}

typedef struct xoring {
  uint8_t *to;
  const uint8_t *from;
} xoring;

static void xor_range(void *user, ms_range r)
{
  uint8_t *to = ((xoring *)user)->to;
  const uint8_t *from = ((xoring *)user)->from;
  for (uint64_t i = r.begin; i < r.end; i++)
    to[i] ^= from[i];
}

static void xor_bytes(uint8_t *to, const uint8_t *from, uint64_t bytes, int threads)
{
  ms_parallel(threads, bytes, 0, xor_range, &(xoring){to, from});
}

/* Copies values of Q to the pinned buffer, and waits. */
static ms_status pack(ms_sieve_context *c, uint64_t at, uint64_t end, ms_error *err)
{
  MS_TRY(ms_cuda_status(
      ms_device_pack_q(c->q + at, end - at, c->gpu.staging.buffer[0], c->gpu.staging.stream),
      "copying the result", err));
  return synchronize(c, err);
}

/* Packs values and, in a run that checks itself, compares a digest of them with the device's. */
static ms_status pack_checked(ms_sieve_context *c, uint64_t at, uint64_t end, ms_error *err)
{
  ms_integrity *in = c->config.integrity;
  const uint8_t *packed = c->gpu.staging.buffer[0];
  uint64_t digest = 0;
  bool flipped;
  if (!in)
    return pack(c, at, end, err);
  MS_TRY(ms_gpu_inject(&c->gpu, in, c->q + at, (end - at) * sizeof *c->q, &flipped, err));
  if (in->checks)
    MS_TRY(ms_gpu_digest(&c->gpu, c->q + at, end - at, 255, &digest, err));
  for (int tries = 0; tries <= MS_MOST_TRANSFERS; tries++) {
    MS_TRY(pack(c, at, end, err));
    ms_inject(in, MS_FAULT_TRANSFER, c->gpu.staging.buffer[0], end - at);
    if (!in->checks)
      return MS_OK;
    atomic_fetch_add(&in->transfers, 1);
    if (ms_digest_bytes(packed, end - at) == digest)
      return MS_OK;
    atomic_fetch_add(&in->damaged, 1);
  }
  return ms_gpu_fail_damaged(&c->gpu, err);
}

/* Copies Q of the loaded passes [0, count), the first of which is number `pass`, into the rows
 * of their repetitions. */
static ms_status collect(ms_sieve_context *c, uint64_t pass, uint32_t count,
                         uint64_t first_repetition, uint8_t *q, ms_error *err)
{
  uint64_t n = c->p.n, bytes = count * n;
  ms_status status = ms_staging_make_buffers(&c->gpu.staging, 1, err);
  for (uint64_t at = 0; at < bytes && status == MS_OK; at += MS_STAGING_BYTES) {
    uint64_t end = bytes - at < MS_STAGING_BYTES ? bytes : at + MS_STAGING_BYTES;
    const uint8_t *from = c->gpu.staging.buffer[0];
    status = pack_checked(c, at, end, err);
    ms_staging_note(end - at);
    for (uint64_t x = at; x < end && status == MS_OK;) {
      uint64_t row = (pass + x / n) / c->problem->variants - first_repetition,
               stop = (x / n + 1) * n < end ? (x / n + 1) * n : end;
      xor_bytes(q + row * n + x % n, from + (x - at), stop - x,
                ms_threads_for(c->config.threads, (stop - x) / 8));
      x = stop;
    }
  }
  return status;
}

static ms_status gpu_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  ms_sieve_context *c = context;
  uint32_t variants = c->problem->variants;
  uint64_t first_repetition = first / c->blocks / variants;
  ms_status status = ms_cuda_status(cudaSetDevice(c->gpu.device), "choosing the GPU", err);
  while (first < last && status == MS_OK) {
    uint64_t pass = first / c->blocks, end_pass = (last + c->blocks - 1) / c->blocks;
    uint32_t count = end_pass - pass < c->passes ? (uint32_t)(end_pass - pass) : c->passes;
    uint64_t end = (pass + count) * c->blocks < last ? (pass + count) * c->blocks : last;
    status = load_passes(c, pass, count, err);
    if (status == MS_OK)
      status = run_slices(c, first - pass * c->blocks, end - pass * c->blocks, err);
    for (uint32_t i = 0; i < count && status == MS_OK; i++)
      if (c->pass[i].moment)
        status = ms_cuda_status(ms_device_add_moments(&c->p, &c->pass[i], c->gpu.staging.stream),
                                "sieving", err);
    if (status == MS_OK)
      status = collect(c, pass, count, first_repetition, q, err);
    first = end;
  }
  return status;
}

static double gpu_estimate(const ms_sieve_problem *problem, const ms_sieve_config *config,
                           int device, uint32_t repetitions)
{
  (void)config;
  ms_gpu_device facts;
  if (ms_gpu_device_facts(device, &facts, NULL) != MS_OK || facts.major < MS_GPU_LEAST_CAPABILITY)
    return HUGE_VAL;
  bool started = device < MOST_DEVICES && device >= 0 && atomic_load(&context_made[device]);
  double setup = (started ? 0.001 : 0.3) + (double)problem->instance->arcs * 1e-9;
  return setup + kernel_seconds(problem) * repetitions * problem->variants;
}

/* A graph that fits a multiprocessor has two kernels that the sieve uses; what the other kernels
 * have computed is repeated by the usual one. */
static const char *gpu_other_kernel(const char *name)
{
  ms_gpu_sieve_kernel kernel;
  (void)ms_gpu_sieve_find_kernel(name, &kernel);
  return ms_gpu_sieve_kernel_name(kernel == MS_GPU_SIEVE_SHARED ? MS_GPU_SIEVE_GLOBAL
                                                                : MS_GPU_SIEVE_AUTO);
}

const ms_sieve_backend ms_sieve_backend_cuda = {
    .name = "cuda",
    .other_kernel = gpu_other_kernel,
    .devices = ms_gpu_device_count,
    .estimate = gpu_estimate,
    .open = gpu_open,
    .run = gpu_run,
    .close = gpu_close,
};
