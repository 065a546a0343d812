/* The CUDA sieve back end: one GPU.  Memory and the order of launches; the
 * kernels are in the .cu files. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "gpu/cuda_error.h"
#include "gpu/gpu.h"
#include "gpu/sieve_device.h"
#include "sieve/pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHUNK_BITS = 5 };

typedef enum gpu_mode { MODE_SHARED, MODE_GLOBAL, MODE_CLASSIC } gpu_mode;

/* What `kernel` may ask for; the first leaves the choice. */
static const char *const kernel_names[] = {"bitslice32", "bitslice32-shared", "bitslice32-global"};

static int kernel_number(const char *name)
{
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name, kernel_names[i]) == 0)
      return i;
  return name ? -1 : 0;
}

/* Host copies of what is uploaded and not there already. */
typedef struct segment_list {
  ms_device_segment *segment;
  uint64_t count;
} segment_list;

typedef struct gpu_context {
  const ms_sieve_problem *problem;
  ms_sieve_config config;
  int device, multiprocessors;
  gpu_mode mode;
  cudaStream_t stream;
  ms_device_problem p;
  ms_shared_plan shared;
  ms_global_plan global;
  ms_device_pass pass[MS_MOST_PASSES];
  uint32_t passes;
  uint64_t blocks;           /* a pass */
  uint64_t loaded;           /* the first pass whose weights are there; UINT64_MAX: none */
  uint32_t loaded_count;
  uint64_t slice;            /* units between two looks at the stop token */
  uint64_t device_bytes, gpu_memory;
  uint4 *scratch;
  unsigned long long *counter;
  uint32_t *q;               /* [n] on the host */
  void *block[64];           /* all device memory, to be freed */
  uint32_t block_count;
} gpu_context;

/* ---- memory ------------------------------------------------------------------------ */

/* From the device's pool, which keeps what is freed: a second call of the
 * program pays nothing. */
static ms_status device_alloc(gpu_context *c, uint64_t bytes, void *out, const char *what, ms_error *err)
{
  void *memory = NULL;
  ms_status status = ms_cuda_status(cudaMallocAsync(&memory, bytes ? bytes : 1, c->stream), what, err);
  if (status == MS_OK)
    c->block[c->block_count++] = memory;
  memcpy(out, &memory, sizeof memory);
  c->device_bytes += bytes;
  return status;
}

static ms_status upload(gpu_context *c, const void *from, uint64_t bytes, void *out, const char *what, ms_error *err)
{
  void *to = NULL;
  ms_status status = device_alloc(c, bytes, &to, what, err);
  memcpy(out, &to, sizeof to);
  if (status == MS_OK && bytes)
    status = ms_cuda_status(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->stream), what, err);
  return status;
}

/* ---- the problem -------------------------------------------------------------------- */

/* Segments of at most MS_SEGMENT arcs of the vertices of more than `least`
 * arcs; one for a vertex without arcs if least is none. */
static ms_status cut_segments(const ms_instance *in, uint64_t least, bool all, segment_list *list, ms_error *err)
{
  uint64_t count = 0;
  for (uint32_t v = 0; v < in->n; v++) {
    uint64_t degree = in->offset[v + 1] - in->offset[v];
    if (all || degree > least)
      count += degree ? (degree + MS_SEGMENT - 1) / MS_SEGMENT : 1;
  }
  list->count = 0;
  list->segment = ms_alloc(count, sizeof *list->segment);
  if (!list->segment)
    return ms_fail_memory(err, "the sieve's list of arcs");
  for (uint32_t v = 0; v < in->n; v++) {
    uint64_t first = in->offset[v], end = in->offset[v + 1];
    if (!all && end - first <= least)
      continue;
    do {
      uint32_t arcs = end - first < MS_SEGMENT ? (uint32_t)(end - first) : MS_SEGMENT;
      list->segment[list->count++] = (ms_device_segment){.first = first, .vertex = v, .count = arcs};
      first += arcs;
    } while (first < end);
  }
  return MS_OK;
}

static uint64_t most_arcs(const ms_instance *in)
{
  uint64_t most = 0;
  for (uint32_t v = 0; v < in->n; v++)
    if (in->offset[v + 1] - in->offset[v] > most)
      most = in->offset[v + 1] - in->offset[v];
  return most;
}

/* Vertices of many arcs, numbered, and their segments. */
static ms_status upload_hubs(gpu_context *c, ms_error *err)
{
  const ms_instance *in = c->problem->instance;
  segment_list list = {0};
  uint32_t *hub_of = ms_alloc(in->n, sizeof *hub_of);
  ms_status status = hub_of ? cut_segments(in, MS_HUB, false, &list, err) : ms_fail_memory(err, "the sieve's hubs");
  if (status == MS_OK) {
    for (uint32_t v = 0; v < in->n; v++)
      hub_of[v] = in->offset[v + 1] - in->offset[v] > MS_HUB ? c->p.hubs++ : UINT32_MAX;
    c->p.hub_segments = list.count;
    status = upload(c, hub_of, in->n * sizeof *hub_of, &c->p.hub_of, "copying the graph", err);
  }
  if (status == MS_OK)
    status = upload(c, list.segment, list.count * sizeof *list.segment, &c->p.hub_segment, "copying the graph", err);
  if (status == MS_OK) /* the copies read host memory that goes now */
    status = ms_cuda_status(cudaStreamSynchronize(c->stream), "copying the graph", err);
  ms_free(hub_of);
  ms_free(list.segment);
  return status;
}

static ms_status upload_segments(gpu_context *c, ms_error *err)
{
  segment_list list = {0};
  ms_status status = cut_segments(c->problem->instance, 0, true, &list, err);
  c->p.segment_count = list.count;
  if (status == MS_OK)
    status = upload(c, list.segment, list.count * sizeof *list.segment, &c->p.segment, "copying the graph", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamSynchronize(c->stream), "copying the graph", err);
  ms_free(list.segment);
  return status;
}

static void describe_problem(const ms_sieve_problem *problem, ms_device_problem *p)
{
  const ms_instance *in = problem->instance;
  *p = (ms_device_problem){
    .n = in->n,
    .size = problem->size,
    .shades = problem->shades,
    .inner_bits = problem->size < MS_WORD_BITS ? problem->size : MS_WORD_BITS,
    .variants = problem->variants,
    .loose_count = in->n_loose,
    .nu = problem->nu,
    .sibling = problem->recurrence == MS_SIBLING,
    .seed = problem->seed,
    .arcs = in->arcs,
  };
  p->outer_bits = p->size - p->inner_bits;
  p->forms = p->sibling ? p->size : 1;
  p->quads = (p->forms + 3) / 4;
  for (uint32_t t = 2; p->sibling && t < p->size; t++) {
    p->gamma_offset[t] = p->gammas;
    p->gammas += ms_sieve_siblings(p->size, t);
  }
  memcpy(p->loose, in->loose, in->n_loose * sizeof *p->loose);
  memcpy(p->label_at, problem->label_at, sizeof p->label_at);
}

static ms_status upload_problem(gpu_context *c, ms_error *err)
{
  static const char what[] = "copying the graph";
  const ms_sieve_problem *problem = c->problem;
  const ms_instance *in = problem->instance;
  uint32_t *heads = NULL;
  ms_device_arc *arcs = NULL;
  uint64_t most = most_arcs(in);
  ms_status status = upload(c, in->offset, (in->n + UINT64_C(1)) * sizeof *in->offset, &c->p.offset, what, err);
  if (status == MS_OK)
    status = upload(c, problem->active, in->n * sizeof *problem->active, &c->p.active, what, err);
  if (status == MS_OK)
    status = upload(c, in->vertex, in->n * sizeof *in->vertex, &c->p.vertex, what, err);
  if (status == MS_OK)
    status = upload(c, in->mask, in->n * sizeof *in->mask, &c->p.mask, what, err);
  if (status == MS_OK)
    status = upload(c, in->neighbor, in->arcs * sizeof *in->neighbor, &heads, what, err);
  if (status == MS_OK)
    status = device_alloc(c, in->arcs * sizeof *arcs, &arcs, what, err);
  if (status == MS_OK)
    status = ms_cuda_status(ms_device_make_arcs(heads, c->p.active, in->arcs, arcs, c->stream), what, err);
  c->p.arc = arcs;
  c->p.segment_count = in->n;
  if (status == MS_OK && most > MS_SEGMENT)
    status = upload_segments(c, err);
  if (status == MS_OK && most > MS_HUB)
    status = upload_hubs(c, err);
  return status;
}

/* ---- weights ------------------------------------------------------------------------- */

static uint64_t pass_bytes(const ms_device_problem *p)
{
  uint64_t bytes = (uint64_t)p->n * (4 + (uint64_t)p->size * p->quads * 4 + p->forms * 32 + p->gammas);
  return bytes + (p->sibling ? 0 : (p->size - 1) * p->arcs);
}

static ms_status alloc_passes(gpu_context *c, ms_error *err)
{
  static const char what[] = "making room for the weights";
  const ms_device_problem *p = &c->p;
  uint64_t n = p->n;
  uint8_t *coefficient = NULL, *gamma1 = NULL;
  ms_status status = device_alloc(c, n * 32, &coefficient, what, err);
  if (status == MS_OK)
    status = device_alloc(c, p->sibling ? n * 32 : 0, &gamma1, what, err);
  for (uint32_t i = 0; i < c->passes && status == MS_OK; i++) {
    ms_device_pass *pass = &c->pass[i];
    uint8_t *memory = NULL;
    status = device_alloc(c, pass_bytes(p) + 64, &memory, what, err);
    pass->coefficient = coefficient;
    pass->gamma1 = gamma1;
    if (status != MS_OK)
      break;
    /* what wants the widest alignment first */
    pass->inner = (uint4 *)(void *)memory;
    memory += n * p->forms * 32;
    pass->value = (uint32_t *)(void *)memory;
    memory += n * p->size * p->quads * 4;
    pass->q = (uint32_t *)(void *)memory;
    memory += n * 4;
    pass->gamma = memory;
    pass->alpha = memory + n * p->gammas;
    if (c->mode == MODE_GLOBAL && c->global.pair) {
      status = device_alloc(c, c->global.inner_pairs, &pass->inner_pairs, what, err);
      if (status == MS_OK)
        status = device_alloc(c, c->global.pair, &pass->pair, what, err);
      if (status == MS_OK)
        status = device_alloc(c, c->global.slot, &pass->slot, what, err);
    }
  }
  return status;
}

/* ---- plan ---------------------------------------------------------------------------- */

static uint64_t graph_bytes(const ms_device_problem *p)
{
  return p->arcs * 12 + (uint64_t)p->n * 24 + (p->arcs / MS_SEGMENT + p->n) * sizeof(ms_device_segment) * 2;
}

static uint64_t global_bytes(const ms_global_plan *plan)
{
  return plan->scratch + plan->pair + plan->inner_pairs + plan->slot;
}

/* The mode, the words of a chunk and the passes held at a time. */
static ms_status choose_plan(gpu_context *c, const ms_gpu_device *facts, ms_error *err)
{
  const ms_device_problem *p = &c->p;
  uint64_t fixed = graph_bytes(p) + (uint64_t)p->n * 64, room = facts->memory_free - facts->memory_free / 16;
  if (c->gpu_memory && c->gpu_memory < room)
    room = c->gpu_memory;
  c->passes = 1;
  c->blocks = (uint64_t)1 << p->outer_bits;
  int wanted_kernel = kernel_number(c->config.kernel);
  bool fits = ms_shared_plan_make(p, (uint32_t)facts->multiprocessors, (uint32_t)facts->shared, &c->shared);
  if (wanted_kernel == 1 && !fits)
    return ms_fail(err, MS_ERR_USAGE, "%u vertices and %llu edges do not fit a multiprocessor; use arithmetic %s", p->n,
                   (unsigned long long)(p->arcs / 2), kernel_names[0]);
  if (fits && wanted_kernel != 2 &&
      fixed + pass_bytes(p) + c->shared.scratch <= room) {
    c->mode = MODE_SHARED;
    uint64_t wanted = 16 * (uint64_t)facts->multiprocessors / c->blocks;
    while (c->passes < MS_MOST_PASSES && c->passes < wanted &&
           fixed + (c->passes + 1) * pass_bytes(p) + c->shared.scratch <= room)
      c->passes++;
    return MS_OK;
  }
  c->mode = p->sibling ? MODE_GLOBAL : MODE_CLASSIC;
  uint32_t bits = p->outer_bits < MOST_CHUNK_BITS ? p->outer_bits : MOST_CHUNK_BITS;
  for (bool quadratic = true;; quadratic = !quadratic, bits -= quadratic) {
    ms_global_plan_make(p, bits, quadratic, &c->global);
    if (fixed + pass_bytes(p) + global_bytes(&c->global) <= room)
      break;
    if (bits == 0 && !quadratic)
      return ms_fail(err, MS_ERR_MEMORY,
                     "the sieve needs %.1f MiB of GPU memory for %u vertices, %llu edges and %u motif slots, and %.1f "
                     "MiB are free; use --backend cpu, or a smaller graph or motif",
                     (double)(fixed + pass_bytes(p) + global_bytes(&c->global)) / 1048576, p->n,
                     (unsigned long long)(p->arcs / 2), p->size, (double)room / 1048576);
  }
  return MS_OK;
}

static uint64_t scratch_bytes(const gpu_context *c)
{
  return c->mode == MODE_SHARED ? c->shared.scratch : c->global.scratch;
}

/* ---- open and close -------------------------------------------------------------------- */

static void gpu_close(void *context)
{
  gpu_context *c = context;
  if (!c)
    return;
  (void)cudaSetDevice(c->device);
  for (uint32_t i = 0; i < c->block_count; i++)
    (void)cudaFreeAsync(c->block[i], c->stream);
  if (c->stream) {
    (void)cudaStreamSynchronize(c->stream);
    (void)cudaStreamDestroy(c->stream);
  }
  (void)cudaGetLastError();
  ms_free(c->q);
  ms_free(c);
}

static ms_status keep_pool(int device, ms_error *err)
{
  static const char what[] = "asking for the GPU's memory pool";
  uint64_t all = UINT64_MAX;
  cudaMemPool_t pool;
  ms_status status = ms_cuda_status(cudaDeviceGetDefaultMemPool(&pool, device), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), what, err);
  return status;
}

/* Bytes that the pool holds and nobody uses: free to us, not to the driver. */
static ms_status pool_free(int device, uint64_t *bytes, ms_error *err)
{
  static const char what[] = "asking for the GPU's memory pool";
  uint64_t reserved = 0, used = 0;
  cudaMemPool_t pool;
  ms_status status = ms_cuda_status(cudaDeviceGetDefaultMemPool(&pool, device), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), what, err);
  *bytes = reserved - used;
  return status;
}

/* MOTIFSIEVE_GPU_MEMORY: bytes to keep within, for tests and for GPUs that are
 * shared; 0 for none. */
static uint64_t memory_limit(void)
{
  const char *text = getenv("MOTIFSIEVE_GPU_MEMORY");
  return text ? strtoull(text, NULL, 10) : 0;
}

static ms_status open_device(gpu_context *c, ms_sieve_plan *plan, ms_error *err)
{
  ms_gpu_device facts;
  ms_status status = ms_gpu_device_at(c->device, &facts, err);
  if (status != MS_OK)
    return status;
  if (facts.major < 8)
    return ms_fail(err, MS_ERR_DEVICE_LOST, "GPU %d (%s) has compute capability %d.%d, and 8.0 is the least that works; "
                                            "use --backend cpu or another one with --devices",
                   c->device, facts.name, facts.major, facts.minor);
  uint64_t kept = 0;
  status = pool_free(c->device, &kept, err);
  facts.memory_free += kept;
  c->multiprocessors = facts.multiprocessors;
  if (status == MS_OK)
    status = choose_plan(c, &facts, err);
  if (status != MS_OK)
    return status;
  *plan = (ms_sieve_plan){
    .kernel = c->mode == MODE_SHARED ? kernel_names[1] : c->mode == MODE_GLOBAL ? kernel_names[2] : kernel_names[0],
    .threads = facts.multiprocessors,
    .block_points = (uint32_t)1 << c->p.inner_bits,
    .blocks = c->blocks,
    .batch = c->mode == MODE_SHARED ? 4 * (uint64_t)facts.multiprocessors : (uint64_t)1 << c->global.word_bits,
    .memory = graph_bytes(&c->p) + (uint64_t)c->p.n * 64 + c->passes * pass_bytes(&c->p) +
              (c->mode == MODE_SHARED ? c->shared.scratch : global_bytes(&c->global)),
    .state_bytes = c->mode == MODE_SHARED ? c->shared.scratch / c->shared.multiprocessors : c->global.scratch,
  };
  status = ms_cuda_status(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "making a stream", err);
  if (status == MS_OK)
    status = keep_pool(c->device, err);
  if (status == MS_OK)
    status = upload_problem(c, err);
  if (status == MS_OK)
    status = alloc_passes(c, err);
  if (status == MS_OK)
    status = device_alloc(c, scratch_bytes(c), &c->scratch, "making room for the sieve's state", err);
  if (status == MS_OK)
    status = device_alloc(c, sizeof *c->counter, &c->counter, "making room for the sieve's state", err);
  /* what open() copies is read from host memory that the caller may change */
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamSynchronize(c->stream), "copying the graph", err);
  return status;
}

static ms_status gpu_open(const ms_sieve_problem *problem, const ms_sieve_config *config, int device, void **context,
                          ms_sieve_plan *plan, ms_error *err)
{
  *context = NULL;
  if (kernel_number(config->kernel) < 0)
    return ms_fail(err, MS_ERR_USAGE, "arithmetic '%s' is not one of the GPU's, which are %s, %s and %s; use --backend cpu",
                   config->kernel, kernel_names[0], kernel_names[1], kernel_names[2]);
  if (ms_gpu_device_count() == 0)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (%s); use --backend cpu", ms_gpu_describe());
  gpu_context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "the sieve's state");
  c->problem = problem;
  c->config = *config;
  c->device = device;
  c->loaded = UINT64_MAX;
  c->gpu_memory = memory_limit();
  describe_problem(problem, &c->p);
  ms_status status;
  if (config->block_points && config->block_points != 1u << c->p.inner_bits)
    status = ms_fail(err, MS_ERR_USAGE, "the GPU has no blocks of %u points; use %u", config->block_points,
                     1u << c->p.inner_bits);
  else if (!(c->q = ms_alloc(problem->instance->n, sizeof *c->q)))
    status = ms_fail_memory(err, "the sieve's values");
  else
    status = open_device(c, plan, err);
  if (status != MS_OK) {
    gpu_close(c);
    return status;
  }
  *context = c;
  return MS_OK;
}

/* ---- run ------------------------------------------------------------------------------- */

static ms_status synchronize(const gpu_context *c, ms_error *err)
{
  return ms_cuda_status(cudaStreamSynchronize(c->stream), "sieving", err);
}

/* Weights of `count` passes from `first` on, unless they are there. */
static ms_status load_passes(gpu_context *c, uint64_t first, uint32_t count, ms_error *err)
{
  bool there = c->loaded == first && c->loaded_count >= count;
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    uint64_t number = first + i;
    uint32_t variants = c->problem->variants;
    cudaError_t error =
      there ? cudaMemsetAsync(c->pass[i].q, 0, c->p.n * sizeof *c->q, c->stream)
            : ms_device_make_weights(&c->p, &c->pass[i], (uint32_t)(number / variants), (uint32_t)(number % variants), c->stream);
    if (!there && error == cudaSuccess && c->pass[i].pair)
      error = ms_device_make_quadratic(&c->p, &c->pass[i], c->scratch, c->stream);
    status = ms_cuda_status(error, "making the weights", err);
  }
  if (!there) {
    c->loaded = status == MS_OK ? first : UINT64_MAX;
    c->loaded_count = count;
  }
  return status;
}

/* Starts units [first, last), counted from the first loaded pass. */
static ms_status launch(gpu_context *c, uint64_t first, uint64_t last, ms_error *err)
{
  if (c->mode == MODE_SHARED)
    return ms_cuda_status(ms_shared_run(&c->p, &c->shared, c->pass, c->scratch, c->counter, first, last, c->stream), "sieving",
                          err);
  ms_status status = MS_OK;
  while (first < last && status == MS_OK) {
    uint64_t pass = first / c->blocks, words = (uint64_t)1 << c->global.word_bits, left = last - first;
    uint64_t in_pass = c->blocks - first % c->blocks;
    words -= first % c->blocks & (words - 1); /* to the end of an aligned chunk */
    words = words < left ? words : left;
    words = words < in_pass ? words : in_pass;
    status = ms_cuda_status((c->mode == MODE_GLOBAL ? ms_global_run : ms_global_classic)(
                              &c->p, &c->global, &c->pass[pass], c->scratch, first % c->blocks, (uint32_t)words, c->stream),
                            "sieving", err);
    first += words;
  }
  return status;
}

/* Units between two looks at the stop token: about a tenth of a second. */
static void adapt_slice(gpu_context *c, uint64_t units, double seconds)
{
  if (units < c->slice)
    return;
  if (seconds < 0.05)
    c->slice *= 2;
  else if (seconds > 0.2 && c->slice > 1)
    c->slice /= 2;
}

static ms_status run_slices(gpu_context *c, uint64_t first, uint64_t last, ms_error *err)
{
  uint64_t least = c->mode == MODE_SHARED ? 32 * (uint64_t)c->multiprocessors : (uint64_t)1 << c->global.word_bits;
  if (c->slice < least)
    c->slice = least;
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
    for (uint64_t i = first; i < end && c->config.block_done; i++)
      c->config.block_done(c->config.block_user, 0);
    first = end;
  }
  return MS_OK;
}

static ms_status collect(gpu_context *c, uint32_t pass, uint8_t *q, ms_error *err)
{
  ms_status status = ms_cuda_status(cudaMemcpyAsync(c->q, c->pass[pass].q, c->p.n * sizeof *c->q, cudaMemcpyDeviceToHost,
                                                    c->stream), "copying the result", err);
  if (status == MS_OK)
    status = synchronize(c, err);
  for (uint32_t v = 0; v < c->p.n && status == MS_OK; v++)
    q[v] ^= (uint8_t)c->q[v];
  return status;
}

static ms_status gpu_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  gpu_context *c = context;
  uint32_t variants = c->problem->variants;
  uint64_t first_repetition = first / c->blocks / variants;
  ms_status status = ms_cuda_status(cudaSetDevice(c->device), "choosing the GPU", err);
  while (first < last && status == MS_OK) {
    uint64_t pass = first / c->blocks, end_pass = (last + c->blocks - 1) / c->blocks;
    uint32_t count = end_pass - pass < c->passes ? (uint32_t)(end_pass - pass) : c->passes;
    uint64_t end = (pass + count) * c->blocks < last ? (pass + count) * c->blocks : last;
    status = load_passes(c, pass, count, err);
    if (status == MS_OK)
      status = run_slices(c, first - pass * c->blocks, end - pass * c->blocks, err);
    for (uint32_t i = 0; i < count && status == MS_OK; i++)
      status = collect(c, i, q + ((pass + i) / variants - first_repetition) * c->p.n, err);
    first = end;
  }
  return status;
}

static double gpu_estimate(const ms_sieve_problem *problem, const ms_sieve_config *config, int device, uint32_t repetitions)
{
  (void)config;
  (void)device;
  const ms_instance *in = problem->instance;
  double k = problem->size, points = ldexp(1, (int)problem->size) * repetitions * problem->variants;
  /* start of a context, the graph's way there, and k^2 products a vertex and
   * k ln k rows an arc at half the rate of an H100 */
  double vertex = k * k * 80 / 32, arc = k * log(k + 1) * 8;
  double work = problem->recurrence == MS_SIBLING ? in->n * vertex + (double)in->arcs * arc / 4
                                                  : (double)in->arcs * k * k / 2 * 70 / 32;
  return 0.3 + (double)in->arcs * 2e-9 + points * work / 6e12;
}

const ms_sieve_backend ms_sieve_backend_cuda = {
  .name = "cuda",
  .devices = ms_gpu_device_count,
  .estimate = gpu_estimate,
  .open = gpu_open,
  .run = gpu_run,
  .close = gpu_close,
};
