/* See blocks.h. */
#include "gpu/sieve/blocks.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/sieve/context.h"

#include <string.h>

enum { MOST_WORD_BITS = 5, LEAST_VERTICES = 256, MOST_BLOCKS = 64 };

#define ROW_BYTES ((uint64_t)32) /* an element of the field at the points of one word */

/* ---- plan -------------------------------------------------------------------------- */

/* Rows that a vertex publishes for step t, from 2 on. */
static uint64_t published(const ms_device_problem *p, uint32_t t)
{
  return t < p->size ? (p->size - 1) / t : 0;
}

/* Returns the bytes of the graph and of what all vertices have while the weights are made. */
static uint64_t whole_bytes(const ms_device_problem *p)
{
  uint64_t n = p->n;
  uint64_t graph = p->arcs * sizeof(ms_device_arc) + (n + 1) * 8 + n * 12 + n /* exponents */;
  if (p->hubs)
    graph += n * 4 + (p->arcs / MS_SEGMENT + p->hubs) * sizeof(ms_device_segment);
  return graph + n * (32 + 32 + 4); /* coefficient, gamma1, q */
}

static uint64_t weight_bytes(const ms_device_problem *p, uint64_t vertices)
{
  return ms_gpu_aligned(vertices * p->forms * 32) +
         ms_gpu_aligned(vertices * p->size * p->quads * 4) +
         ms_gpu_aligned(vertices * p->gammas + 1) + ms_gpu_aligned(vertices * 4);
}

/* Fills in all bytes for blocks of `vertices`. */
static void measure(const ms_device_problem *p, uint32_t vertices, uint32_t word_bits,
                    bool host_state, ms_block_plan *plan)
{
  uint64_t n = p->n, row = ROW_BYTES << word_bits, heads = p->arcs * sizeof(uint32_t);
  *plan = (ms_block_plan){.vertices = vertices, .host_state = host_state};
  plan->count = (p->n + vertices - 1) / vertices;
  plan->weights = weight_bytes(p, vertices);
  plan->state = ms_gpu_aligned(vertices * (uint64_t)(p->size - 1) * row + 1);
  plan->rows[0] = ms_gpu_aligned(n * published(p, 2) * row + 1);
  plan->rows[1] = ms_gpu_aligned(n * published(p, 3) * row + 1);
  plan->hub = ms_gpu_aligned(p->hubs * published(p, 2) * row + 1);
  plan->host_bytes = host_state ? plan->count * plan->state : 0;
  uint64_t rest = plan->weights + plan->rows[0] + plan->rows[1] + plan->hub +
                  (host_state ? 1 : plan->count) * plan->state;
  /* the heads of arcs are there only until the arcs are made */
  plan->bytes = whole_bytes(p) + (heads > rest ? heads : rest) + 32 * MS_GPU_ALIGN;
}

/* Finds the largest blocks that fit; false if blocks of `least` vertices do not. */
static bool fit_blocks(const ms_device_problem *p, uint64_t room, uint32_t word_bits,
                       bool host_state, uint32_t least, ms_block_plan *plan)
{
  uint32_t low = least, high = p->n;
  measure(p, low, word_bits, host_state, plan);
  if (plan->bytes > room)
    return false;
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    measure(p, middle, word_bits, host_state, plan);
    if (plan->bytes <= room)
      low = middle;
    else
      high = middle - 1;
  }
  measure(p, low, word_bits, host_state, plan);
  return true;
}

bool ms_gpu_blocks_make(const ms_device_problem *p, uint64_t room, ms_global_plan *plan,
                        ms_block_plan *out)
{
  uint32_t most = p->outer_bits < MOST_WORD_BITS ? p->outer_bits : MOST_WORD_BITS;
  uint32_t smallest = p->n < LEAST_VERTICES ? p->n : LEAST_VERTICES;
  /* few blocks first: each step makes the weights of each block */
  uint32_t few = p->n / MOST_BLOCKS > smallest ? p->n / MOST_BLOCKS : smallest;
  for (int host_state = 0; host_state < 2; host_state++)
    for (uint32_t bits = most + 1; bits-- > 0;) {
      ms_global_plan_make(p, bits, false, plan);
      if (fit_blocks(p, room, bits, host_state, bits ? few : smallest, out))
        return true;
    }
  measure(p, smallest, 0, true, out);
  return false;
}

/* ---- memory ------------------------------------------------------------------------ */

ms_status ms_gpu_blocks_alloc(ms_sieve_context *c, ms_error *err)
{
  static const char what[] = "making room for blocks of vertices";
  const ms_device_problem *p = &c->p;
  const ms_block_plan *plan = &c->part;
  ms_device_pass *pass = &c->pass[0];
  uint64_t n = p->n, vertices = plan->vertices;
  uint64_t states = plan->host_state ? 1 : plan->count;
  MS_TRY(ms_gpu_sieve_alloc(c, n * sizeof *c->q, &c->q, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, n * 32, &pass->coefficient, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, n * 32, &pass->gamma1, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, vertices * p->forms * 32, &pass->inner, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, vertices * p->size * p->quads * 4, &pass->value, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, vertices * p->gammas + 1, &pass->gamma, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, vertices * 4, &c->spare_q, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, states * plan->state, &c->scratch, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, plan->rows[0], &c->rows[0], what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, plan->rows[1], &c->rows[1], what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, plan->hub, &c->hub_sum, what, err));
  pass->q = c->q;
  if (!plan->host_state)
    return MS_OK;
  if (c->config.budget && !ms_budget_reserve(c->config.budget, plan->host_bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the sieve keeps %.1f MiB of its state in this machine's memory, because the "
                   "GPU has no room for it, and `memory` does not allow that; raise it, or use "
                   "`MS_BACKEND_CPU`",
                   (double)plan->host_bytes / 1048576);
  c->host_reserved = plan->host_bytes;
  c->host_state = ms_alloc_lines(plan->host_bytes, 1);
  if (!c->host_state)
    return ms_fail_memory(err, "the sieve's state");
  /* a block goes to the host whole, also what later steps will write: checkers of uninitialized
   * memory report copies of bytes that nobody has written */
  return ms_cuda_status(cudaMemsetAsync(c->scratch, 0, plan->state, c->gpu.staging.stream), what,
                        err);
}

void ms_gpu_blocks_free(ms_sieve_context *c)
{
  ms_free(c->host_state);
  c->host_state = NULL;
  if (c->host_reserved)
    ms_budget_release(c->config.budget, c->host_reserved);
  c->host_reserved = 0;
}

/* ---- blocks ------------------------------------------------------------------------ */

/* One block of vertices, as the kernels see it. */
typedef struct block {
  uint64_t begin; /* its first vertex */
  ms_device_problem p;
  ms_device_pass pass;
} block;

/* weights: the pass is for making weights, which clears its q. */
static block block_of(const ms_sieve_context *c, uint32_t number, bool weights)
{
  uint32_t begin = number * c->part.vertices, left = c->p.n - begin;
  block b = {.begin = begin, .p = c->p, .pass = c->pass[0]};
  b.p.n = left < c->part.vertices ? left : c->part.vertices;
  b.p.segment_count = b.p.n;
  b.p.offset += begin;
  b.p.active += begin;
  b.p.vertex += begin;
  b.p.mask += begin;
  b.p.hub_of = c->p.hub_of ? c->p.hub_of + begin : NULL;
  b.p.exponent = c->p.exponent ? c->p.exponent + begin : NULL;
  for (uint32_t i = 0; i < b.p.loose_count; i++)
    b.p.loose[i] -= begin; /* modulo 2^32: no vertex of the block, unless it lies in it */
  b.pass.all_coefficients = b.pass.coefficient;
  b.pass.all_gamma1 = b.pass.gamma1;
  b.pass.coefficient += b.begin * 32;
  b.pass.gamma1 += b.begin * 32;
  b.pass.q = weights ? c->spare_q : c->q + begin;
  return b;
}

ms_status ms_gpu_blocks_load(ms_sieve_context *c, uint32_t repetition, uint32_t variant,
                             ms_error *err)
{
  cudaStream_t stream = c->gpu.staging.stream;
  cudaError_t error = cudaMemsetAsync(c->q, 0, c->p.n * sizeof *c->q, stream);
  for (uint32_t i = 0; i < c->part.count && error == cudaSuccess; i++) {
    block b = block_of(c, i, true);
    error = ms_device_make_vertices(&b.p, &b.pass, repetition, variant, stream);
  }
  c->repetition = repetition;
  c->variant = variant;
  return ms_cuda_status(error, "making the weights", err);
}

/* Copies the state of a block from the host or back. */
static cudaError_t move_state(ms_sieve_context *c, uint32_t number, bool to_host)
{
  uint8_t *host = c->host_state + number * c->part.state;
  ms_staging_note(c->part.state);
  return to_host ? cudaMemcpyAsync(host, c->scratch, c->part.state, cudaMemcpyDeviceToHost,
                                   c->gpu.staging.stream)
                 : cudaMemcpyAsync(c->scratch, host, c->part.state, cudaMemcpyHostToDevice,
                                   c->gpu.staging.stream);
}

/* Does step t for one block. */
static cudaError_t run_block(ms_sieve_context *c, uint32_t number, uint32_t t, uint64_t first,
                             uint32_t words)
{
  cudaStream_t stream = c->gpu.staging.stream;
  block made = block_of(c, number, true), b = block_of(c, number, false);
  uint64_t row = 2 * published(&c->p, t + 1) << c->global.word_bits; /* what a vertex publishes */
  const ms_global_rows rows = {
      .state = c->scratch + (c->part.host_state ? 0 : number * (c->part.state / sizeof(uint4))),
      .from = c->rows[t & 1],
      .to = c->rows[~t & 1] + b.begin * row,
      .hub_sum = c->hub_sum};
  cudaError_t error =
      ms_device_make_weights(&made.p, &made.pass, c->repetition, c->variant, stream);
  if (error == cudaSuccess && c->part.host_state && t > 1)
    error = move_state(c, number, false);
  if (error == cudaSuccess)
    error = ms_global_step(&b.p, &c->global, &b.pass, &rows, t, first, words, stream);
  if (error == cudaSuccess && c->part.host_state && t + 1 < c->p.size)
    error = move_state(c, number, true);
  return error;
}

ms_status ms_gpu_blocks_run(ms_sieve_context *c, uint64_t first, uint32_t words, ms_error *err)
{
  cudaError_t error = cudaSuccess;
  uint32_t steps = c->p.size > 2 ? c->p.size - 1 : 1;
  for (uint32_t t = 1; t <= steps && error == cudaSuccess; t++) {
    const ms_global_rows rows = {.from = c->rows[t & 1], .hub_sum = c->hub_sum};
    if (t > 1 && c->p.hubs)
      error = ms_global_sum_hubs(&c->p, &c->global, &rows, t, first, words, c->gpu.staging.stream);
    for (uint32_t i = 0; i < c->part.count && error == cudaSuccess; i++)
      error = run_block(c, i, t, first, words);
  }
  return ms_cuda_status(error, "sieving", err);
}
