/* The CUDA sieve back end: one GPU.  Memory and the order of launches; the
 * kernels are in the .cu files. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/memory.h"
#include "gpu/common/staging.h"
#include "gpu/gpu.h"
#include "gpu/sieve/sieve_device.h"
#include "sieve/pass.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_CHUNK_BITS = 5, MOST_PARTS = 8, CHUNK = 4096 };
/* All device memory starts at multiples of it. */
#define ALIGN ((uint64_t)256)

typedef enum gpu_mode { MODE_SHARED, MODE_GLOBAL, MODE_CLASSIC } gpu_mode;

/* A program's first use of a GPU makes a context, which takes a fifth of a
 * second and more. */
enum { MOST_DEVICES = 64, LEAST_CAPABILITY = 8 };
static atomic_bool context_made[MOST_DEVICES];

/* What `kernel` may ask for; the first leaves the choice. */
static const char *const kernel_names[] = {"bitslice32", "bitslice32-shared", "bitslice32-global"};

static int kernel_number(const char *name)
{
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name, kernel_names[i]) == 0)
      return i;
  return name ? -1 : 0;
}

typedef struct gpu_context {
  const ms_sieve_problem *problem;
  ms_sieve_config config;
  int device, multiprocessors;
  gpu_mode mode;
  ms_staging staging;
  cudaStream_t stream; /* the staging's */
  ms_device_problem p;
  ms_shared_plan shared;
  ms_global_plan global;
  ms_device_pass pass[MS_MOST_PASSES];
  uint32_t passes;
  uint64_t blocks; /* a pass */
  uint64_t loaded; /* the first pass whose weights are there; UINT64_MAX: none */
  uint32_t loaded_count;
  uint64_t slice; /* units between two looks at the stop token */
  uint64_t gpu_memory;
  uint4 *scratch;
  unsigned long long *counter;
  uint32_t *q;     /* [passes][n] on the device, of all passes */
  void *block[64]; /* all device memory, to be freed */
  uint32_t block_count;
  uint8_t *free; /* device memory that is not given out yet */
  uint64_t free_bytes;
} gpu_context;

/* ---- memory ------------------------------------------------------------------------ */

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* From the device's pool, which keeps what is freed: a second call of the
 * program pays nothing.  What it keeps may be in pieces that are too small. */
static ms_status reserve(gpu_context *c, uint64_t bytes, const char *what, ms_error *err)
{
  void *memory = NULL;
  cudaMemPool_t pool;
  cudaError_t error = cudaMallocAsync(&memory, bytes, c->stream);
  if (error == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    if (cudaDeviceGetDefaultMemPool(&pool, c->device) == cudaSuccess)
      (void)cudaMemPoolTrimTo(pool, 0);
    error = cudaMallocAsync(&memory, bytes, c->stream);
  }
  if (error != cudaSuccess)
    return ms_cuda_status(error, what, err);
  c->block[c->block_count++] = memory;
  c->free = memory;
  c->free_bytes = bytes;
  return MS_OK;
}

/* Mostly from the one block that holds all. */
static ms_status device_alloc(gpu_context *c, uint64_t bytes, void *out, const char *what,
                              ms_error *err)
{
  ms_status status = MS_OK;
  bytes = aligned(bytes ? bytes : 1);
  if (c->free_bytes < bytes)
    status = reserve(c, bytes, what, err);
  if (status != MS_OK)
    return status;
  memcpy(out, &c->free, sizeof c->free);
  c->free += bytes;
  c->free_bytes -= bytes;
  return MS_OK;
}

/* The memory given out from `first` on, all of it since, is free again. */
static void device_return(gpu_context *c, void *first)
{
  c->free_bytes += (uint64_t)(c->free - (uint8_t *)first);
  c->free = first;
}

/* ---- the problem -------------------------------------------------------------------- */

/* The vertices of more than `least` arcs, or all, cut into segments of at most
 * MS_SEGMENT arcs; one for a vertex without arcs. */
typedef struct segment_list {
  uint64_t least;
  bool all;
  uint64_t count;
  ms_device_segment *segment; /* [count] */
  uint32_t vertices;          /* that are cut */
  uint32_t *number;           /* [n] their numbers, or UINT32_MAX; NULL: not wanted */
} segment_list;

static void clear_segments(segment_list *list)
{
  ms_free(list->segment);
  ms_free(list->number);
}

static bool is_cut(const segment_list *list, uint64_t degree)
{
  return list->all || degree > list->least;
}

/* before[i]: segments, and vertices, ahead of chunk i. */
typedef struct chunk_start {
  uint64_t segments;
  uint32_t vertices;
} chunk_start;

static void count_segments(const ms_instance *in, segment_list *list, uint32_t chunks,
                           chunk_start *before, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t i = 0; i < chunks; i++) {
    uint32_t begin = i * CHUNK, end = in->n - begin < CHUNK ? in->n : begin + CHUNK;
    chunk_start sum = {0, 0};
    for (uint32_t v = begin; v < end; v++) {
      uint64_t degree = in->offset[v + 1] - in->offset[v];
      if (is_cut(list, degree)) {
        sum.segments += degree ? (degree + MS_SEGMENT - 1) / MS_SEGMENT : 1;
        sum.vertices++;
      }
    }
    before[i] = sum;
  }
  for (uint32_t i = 0; i < chunks; i++) {
    chunk_start own = before[i];
    before[i] = (chunk_start){list->count, list->vertices};
    list->count += own.segments;
    list->vertices += own.vertices;
  }
}

static void write_segments(const ms_instance *in, segment_list *list, uint32_t chunks,
                           const chunk_start *before, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t i = 0; i < chunks; i++) {
    uint32_t begin = i * CHUNK, end = in->n - begin < CHUNK ? in->n : begin + CHUNK;
    chunk_start next = before[i];
    for (uint32_t v = begin; v < end; v++) {
      uint64_t first = in->offset[v], last = in->offset[v + 1];
      bool cut = is_cut(list, last - first);
      if (list->number)
        list->number[v] = cut ? next.vertices : UINT32_MAX;
      next.vertices += cut;
      for (bool more = cut; more; more = first < last) {
        uint32_t arcs = last - first < MS_SEGMENT ? (uint32_t)(last - first) : MS_SEGMENT;
        list->segment[next.segments++] =
            (ms_device_segment){.first = first, .vertex = v, .count = arcs};
        first += arcs;
      }
    }
  }
}

static ms_status cut_segments(const ms_instance *in, int threads, bool numbered, segment_list *list,
                              ms_error *err)
{
  uint32_t chunks = in->n / CHUNK + (in->n % CHUNK != 0);
  chunk_start *before = ms_alloc(chunks, sizeof *before);
  if (!before)
    return ms_fail_memory(err, "the sieve's list of arcs");
  count_segments(in, list, chunks, before, threads);
  list->segment = ms_alloc_lines(list->count, sizeof *list->segment);
  list->number = numbered ? ms_alloc_lines(in->n, sizeof *list->number) : NULL;
  ms_status status = MS_OK;
  if (list->segment && (list->number || !numbered))
    write_segments(in, list, chunks, before, threads);
  else
    status = ms_fail_memory(err, "the sieve's list of arcs");
  ms_free(before);
  return status;
}

static uint64_t most_arcs(const ms_instance *in, int threads)
{
  uint64_t most = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : most)
  for (uint32_t v = 0; v < in->n; v++)
    if (in->offset[v + 1] - in->offset[v] > most)
      most = in->offset[v + 1] - in->offset[v];
  return most;
}

static uint32_t count_hubs(const ms_instance *in, int threads)
{
  uint32_t hubs = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : hubs)
  for (uint32_t v = 0; v < in->n; v++)
    hubs += in->offset[v + 1] - in->offset[v] > MS_HUB;
  return hubs;
}

/* Everything but pointers and segments; plans are made from it. */
static void describe_problem(const ms_sieve_problem *problem, int threads, ms_device_problem *p)
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
      .hubs = count_hubs(in, ms_threads_for(threads, in->n)),
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

/* What goes to the device, in one go. */
typedef struct upload_list {
  ms_staging_part part[MOST_PARTS];
  uint32_t count;
  uint64_t bytes;
} upload_list;

/* Returns where it will start. */
static uint64_t add_part(upload_list *list, const void *from, uint64_t bytes)
{
  uint64_t at = list->bytes;
  list->part[list->count++] = (ms_staging_part){.from = from, .bytes = bytes, .at = at};
  list->bytes += aligned(bytes);
  return at;
}

/* Segments of all vertices where some have many arcs, of those alone where they
 * have very many. */
static ms_status cut_problem(gpu_context *c, int threads, segment_list *all, segment_list *hubs,
                             ms_error *err)
{
  const ms_instance *in = c->problem->instance;
  uint64_t most = most_arcs(in, threads);
  ms_status status = MS_OK;
  *all = (segment_list){.all = true};
  *hubs = (segment_list){.least = MS_HUB};
  if (most > MS_SEGMENT)
    status = cut_segments(in, threads, false, all, err);
  if (status == MS_OK && c->p.hubs > 0)
    status = cut_segments(in, threads, true, hubs, err);
  c->p.segment_count = all->segment ? all->count : in->n;
  c->p.hub_segments = hubs->count;
  return status;
}

/* The heads alone are copied, and the arcs made there.  The heads' memory is
 * then the weights'. */
static ms_status upload_problem(gpu_context *c, ms_error *err)
{
  static const char what[] = "copying the graph";
  const ms_sieve_problem *problem = c->problem;
  const ms_instance *in = problem->instance;
  int threads = ms_threads_for(c->config.threads, in->n);
  uint64_t n = in->n;
  upload_list list = {0};
  segment_list all, hubs;
  ms_device_arc *arcs = NULL;
  uint8_t *to = NULL;
  ms_status status = cut_problem(c, threads, &all, &hubs, err);
  uint64_t offset = add_part(&list, in->offset, (n + 1) * sizeof *in->offset);
  uint64_t active = add_part(&list, problem->active, n * sizeof *problem->active);
  uint64_t vertex = add_part(&list, in->vertex, n * sizeof *in->vertex);
  uint64_t mask = add_part(&list, in->mask, n * sizeof *in->mask);
  uint64_t segment = add_part(&list, all.segment, all.count * sizeof *all.segment);
  uint64_t hub_of = add_part(&list, hubs.number, hubs.number ? n * sizeof *hubs.number : 0);
  uint64_t hub_segment = add_part(&list, hubs.segment, hubs.count * sizeof *hubs.segment);
  uint64_t heads = add_part(&list, in->neighbor, in->arcs * sizeof *in->neighbor);
  if (status == MS_OK)
    status = device_alloc(c, in->arcs * sizeof *arcs, &arcs, what, err);
  if (status == MS_OK)
    status = device_alloc(c, list.bytes, &to, what, err);
  if (status == MS_OK)
    status = ms_staging_upload(&c->staging, list.part, list.count, to, list.bytes,
                               c->config.threads, err);
  if (status == MS_OK) {
    c->p.arc = arcs;
    c->p.offset = (const uint64_t *)(void *)(to + offset);
    c->p.active = (const uint32_t *)(void *)(to + active);
    c->p.vertex = (const uint32_t *)(void *)(to + vertex);
    c->p.mask = (const uint32_t *)(void *)(to + mask);
    if (all.segment)
      c->p.segment = (const ms_device_segment *)(void *)(to + segment);
    if (hubs.number)
      c->p.hub_of = (const uint32_t *)(void *)(to + hub_of);
    if (hubs.segment)
      c->p.hub_segment = (const ms_device_segment *)(void *)(to + hub_segment);
    status = ms_cuda_status(ms_device_make_arcs((const uint32_t *)(void *)(to + heads), c->p.active,
                                                in->arcs, arcs, c->stream),
                            what, err);
    device_return(c, to + heads);
  }
  clear_segments(&all);
  clear_segments(&hubs);
  return status;
}

/* ---- weights ------------------------------------------------------------------------- */

static uint64_t pass_bytes(const ms_device_problem *p)
{
  uint64_t bytes =
      (uint64_t)p->n * (4 + (uint64_t)p->size * p->quads * 4 + p->forms * 32 + p->gammas);
  return bytes + (p->sibling ? 0 : (p->size - 1) * p->arcs);
}

static ms_status alloc_passes(gpu_context *c, ms_error *err)
{
  static const char what[] = "making room for the weights";
  const ms_device_problem *p = &c->p;
  uint64_t n = p->n;
  uint8_t *coefficient = NULL, *gamma1 = NULL;
  ms_status status = device_alloc(c, c->passes * n * sizeof *c->q, &c->q, what, err);
  if (status == MS_OK)
    status = device_alloc(c, n * 32, &coefficient, what, err);
  if (status == MS_OK)
    status = device_alloc(c, p->sibling ? n * 32 : 0, &gamma1, what, err);
  for (uint32_t i = 0; i < c->passes && status == MS_OK; i++) {
    ms_device_pass *pass = &c->pass[i];
    uint8_t *memory = NULL;
    status = device_alloc(c, pass_bytes(p) - n * sizeof *c->q + 64, &memory, what, err);
    pass->coefficient = coefficient;
    pass->gamma1 = gamma1;
    if (status != MS_OK)
      break;
    /* what wants the widest alignment first */
    pass->inner = (uint4 *)(void *)memory;
    memory += n * p->forms * 32;
    pass->value = (uint32_t *)(void *)memory;
    memory += n * p->size * p->quads * 4;
    pass->q = c->q + i * n;
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
  return p->arcs * 12 + (uint64_t)p->n * 24 +
         (p->arcs / MS_SEGMENT + p->n) * sizeof(ms_device_segment) * 2;
}

static uint64_t global_bytes(const ms_global_plan *plan)
{
  return plan->scratch + plan->pair + plan->inner_pairs + plan->slot;
}

/* The mode, the words of a chunk and the passes held at a time. */
static ms_status choose_plan(gpu_context *c, const ms_gpu_device *facts, ms_error *err)
{
  const ms_device_problem *p = &c->p;
  uint64_t fixed = graph_bytes(p) + (uint64_t)p->n * 64,
           room = facts->memory_free - facts->memory_free / 16;
  if (c->gpu_memory && c->gpu_memory < room)
    room = c->gpu_memory;
  c->passes = 1;
  c->blocks = (uint64_t)1 << p->outer_bits;
  int wanted_kernel = kernel_number(c->config.kernel);
  bool fits =
      ms_shared_plan_make(p, (uint32_t)facts->multiprocessors, (uint32_t)facts->shared, &c->shared);
  if (wanted_kernel == 1 && !fits)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u vertices and %llu edges do not fit a multiprocessor; use arithmetic %s",
                   p->n, (unsigned long long)(p->arcs / 2), kernel_names[0]);
  if (fits && wanted_kernel != 2 && fixed + pass_bytes(p) + c->shared.scratch <= room) {
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
      return ms_fail(
          err, MS_ERR_MEMORY,
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
  bool usable = cudaSetDevice(c->device) == cudaSuccess;
  for (uint32_t i = 0; i < c->block_count; i++)
    usable &= cudaFreeAsync(c->block[i], c->stream) == cudaSuccess;
  if (c->stream)
    usable &= cudaStreamSynchronize(c->stream) == cudaSuccess;
  (void)cudaGetLastError();
  ms_staging_give(&c->staging, usable);
  ms_free(c);
}

static uint64_t planned_bytes(const gpu_context *c)
{
  return graph_bytes(&c->p) + (uint64_t)c->p.n * 64 + c->passes * pass_bytes(&c->p) +
         (c->mode == MODE_SHARED ? c->shared.scratch : global_bytes(&c->global));
}

/* As if all memory were free, and with what is only if the pool does not hold
 * that much already: to ask the driver takes long. */
static ms_status plan_memory(gpu_context *c, ms_gpu_device *facts, ms_error *err)
{
  uint64_t kept = 0, others = 0;
  MS_TRY(ms_gpu_pool_free(c->device, &kept, err));
  facts->memory_free = facts->memory;
  if (choose_plan(c, facts, NULL) == MS_OK && planned_bytes(c) <= kept)
    return MS_OK;
  ms_status status = ms_gpu_memory_free(c->device, &others, err);
  facts->memory_free = others + kept;
  return status == MS_OK ? choose_plan(c, facts, err) : status;
}

static ms_status open_device(gpu_context *c, ms_sieve_plan *plan, ms_error *err)
{
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(c->device, &facts, err));
  if (facts.major < LEAST_CAPABILITY)
    return ms_fail(err, MS_ERR_DEVICE_LOST,
                   "GPU %d (%s) has compute capability %d.%d, and 8.0 is the least that works; "
                   "use --backend cpu or another one with --devices",
                   c->device, facts.name, facts.major, facts.minor);
  ms_status status = ms_staging_take(c->device, &c->staging, err);
  c->stream = c->staging.stream;
  c->multiprocessors = facts.multiprocessors;
  if (status == MS_OK)
    status = plan_memory(c, &facts, err);
  if (status != MS_OK)
    return status;
  *plan = (ms_sieve_plan){
      .kernel = c->mode == MODE_SHARED   ? kernel_names[1]
                : c->mode == MODE_GLOBAL ? kernel_names[2]
                                         : kernel_names[0],
      .threads = facts.multiprocessors,
      .block_points = (uint32_t)1 << c->p.inner_bits,
      .blocks = c->blocks,
      .batch = c->mode == MODE_SHARED ? 4 * (uint64_t)facts.multiprocessors
                                      : (uint64_t)1 << c->global.word_bits,
      .memory = planned_bytes(c),
      .state_bytes = c->mode == MODE_SHARED ? c->shared.scratch / c->shared.multiprocessors
                                            : c->global.scratch,
  };
  /* the rest is for what alignment takes */
  status = reserve(c, planned_bytes(c) + 64 * ALIGN, "making room for the graph", err);
  if (status == MS_OK)
    status = upload_problem(c, err);
  if (status == MS_OK)
    status = alloc_passes(c, err);
  if (status == MS_OK)
    status =
        device_alloc(c, scratch_bytes(c), &c->scratch, "making room for the sieve's state", err);
  if (status == MS_OK)
    status =
        device_alloc(c, sizeof *c->counter, &c->counter, "making room for the sieve's state", err);
  return status;
}

static ms_status gpu_open(const ms_sieve_problem *problem, const ms_sieve_config *config,
                          int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  *context = NULL;
  if (kernel_number(config->kernel) < 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "arithmetic '%s' is not one of the GPU's, which are %s, %s and %s; use --backend cpu",
        config->kernel, kernel_names[0], kernel_names[1], kernel_names[2]);
  if (ms_gpu_device_count() == 0)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (%s); use --backend cpu",
                   ms_gpu_describe());
  gpu_context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "the sieve's state");
  c->problem = problem;
  c->config = *config;
  c->device = device;
  c->loaded = UINT64_MAX;
  describe_problem(problem, config->threads, &c->p);
  ms_status status = ms_gpu_memory_limit(&c->gpu_memory, err);
  if (status == MS_OK && config->block_points && config->block_points != 1u << c->p.inner_bits)
    status = ms_fail(err, MS_ERR_USAGE, "the GPU has no blocks of %u points; use %u",
                     config->block_points, 1u << c->p.inner_bits);
  if (status == MS_OK)
    status = open_device(c, plan, err);
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
              : ms_device_make_weights(&c->p, &c->pass[i], (uint32_t)(number / variants),
                                       (uint32_t)(number % variants), c->stream);
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
    return ms_cuda_status(
        ms_shared_run(&c->p, &c->shared, c->pass, c->scratch, c->counter, first, last, c->stream),
        "sieving", err);
  ms_status status = MS_OK;
  while (first < last && status == MS_OK) {
    uint64_t pass = first / c->blocks, words = (uint64_t)1 << c->global.word_bits,
             left = last - first;
    uint64_t in_pass = c->blocks - first % c->blocks;
    words -= first % c->blocks & (words - 1); /* to the end of an aligned chunk */
    words = words < left ? words : left;
    words = words < in_pass ? words : in_pass;
    status = ms_cuda_status((c->mode == MODE_GLOBAL ? ms_global_run : ms_global_classic)(
                                &c->p, &c->global, &c->pass[pass], c->scratch, first % c->blocks,
                                (uint32_t)words, c->stream),
                            "sieving", err);
    first += words;
  }
  return status;
}

/* Seconds of the kernels, by what bounded them on an H200 (docs/SIEVE.md): of a
 * vertex and point about 1.4 k^2 logic operations, and a byte a published row
 * and arc, some half of them live, from shared memory or from memory. */
static double kernel_seconds(const ms_sieve_problem *problem)
{
  const ms_instance *in = problem->instance;
  double n = in->n, arcs = (double)in->arcs, k = problem->size, rows = 0,
         points = ldexp(1, (int)problem->size);
  if (problem->recurrence == MS_CLASSIC)
    return points * arcs * k * k / 2 * 2.2 / 6.6e12;
  for (uint32_t t = 2; t < problem->size; t++)
    rows += ms_sieve_siblings(problem->size, t);
  bool near = n < 2500 && arcs < 80000; /* about what fits a multiprocessor */
  return points * (n * 1.4 * k * k / 6.6e12 + arcs * rows * 0.6 / (near ? 2e13 : 4.2e12));
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
  if (c->slice == 0) {
    /* to begin with what may take so long; at least all multiprocessors' work */
    uint64_t least = c->mode == MODE_SHARED ? 32 * (uint64_t)c->multiprocessors
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

static void xor_bytes(uint8_t *to, const uint8_t *from, uint64_t bytes, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint64_t i = 0; i < bytes; i++)
    to[i] ^= from[i];
}

/* Q of the loaded passes [0, count), the first of which is number `pass`, into
 * the rows of their repetitions. */
static ms_status collect(gpu_context *c, uint64_t pass, uint32_t count, uint64_t first_repetition,
                         uint8_t *q, ms_error *err)
{
  uint64_t n = c->p.n, bytes = count * n;
  ms_status status = ms_staging_make_buffers(&c->staging, 1, err);
  for (uint64_t at = 0; at < bytes && status == MS_OK; at += MS_STAGING_BYTES) {
    uint64_t end = bytes - at < MS_STAGING_BYTES ? bytes : at + MS_STAGING_BYTES;
    const uint8_t *from = c->staging.buffer[0];
    status = ms_cuda_status(ms_device_pack_q(c->q + at, end - at, c->staging.buffer[0], c->stream),
                            "copying the result", err);
    if (status == MS_OK)
      status = synchronize(c, err);
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
  if (ms_gpu_device_facts(device, &facts, NULL) != MS_OK || facts.major < LEAST_CAPABILITY)
    return HUGE_VAL;
  bool started = device < MOST_DEVICES && device >= 0 && atomic_load(&context_made[device]);
  double setup = (started ? 0.001 : 0.3) + (double)problem->instance->arcs * 1e-9;
  return setup + kernel_seconds(problem) * repetitions * problem->variants;
}

const ms_sieve_backend ms_sieve_backend_cuda = {
    .name = "cuda",
    .devices = ms_gpu_device_count,
    .estimate = gpu_estimate,
    .open = gpu_open,
    .run = gpu_run,
    .close = gpu_close,
};
