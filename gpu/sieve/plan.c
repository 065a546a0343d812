/* How the sieve uses a GPU's memory. */
#include "base/status.h"
#include "gpu/sieve/context.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHUNK_BITS = 5 };

bool ms_gpu_sieve_find_kernel(const char *name, ms_gpu_sieve_kernel *kernel)
{
  *kernel = MS_GPU_SIEVE_AUTO;
  for (int i = 0; name && i < MS_GPU_SIEVE_KERNELS; i++)
    if (strcmp(name, ms_gpu_sieve_kernel_name((ms_gpu_sieve_kernel)i)) == 0) {
      *kernel = (ms_gpu_sieve_kernel)i;
      return true;
    }
  return !name;
}

/* ---- plan ---------------------------------------------------------------------------- */

static uint64_t pass_bytes(const ms_device_problem *p)
{
  uint64_t bytes =
      (uint64_t)p->n * (4 + (uint64_t)p->size * p->quads * 4 + p->forms * 32 + p->gammas);
  return bytes + (p->sibling ? 0 : (p->size - 1) * p->arcs);
}

static uint64_t graph_bytes(const ms_device_problem *p)
{
  return p->arcs * 12 + (uint64_t)p->n * 24 +
         (p->arcs / MS_SEGMENT + p->n) * sizeof(ms_device_segment) * 2;
}

/* Variants that are not the default (docs/SIEVE.md, "Graphs of any size"). */
static bool is_chosen(const char *variable, const char *variant)
{
  const char *chosen = getenv(variable);
  return chosen && strcmp(chosen, variant) == 0;
}

/* Returns the binary logarithm of the most words of a chunk. */
static uint32_t most_chunk_bits(void)
{
  static const char *const words[] = {"1", "2", "4", "8", "16"};
  for (uint32_t bits = 0; bits < MOST_CHUNK_BITS; bits++)
    if (is_chosen("MOTIFSIEVE_GPU_CHUNK_WORDS", words[bits]))
      return bits;
  return MOST_CHUNK_BITS;
}

/* Bytes of the moments that take the place of the last step's rows. */
static uint64_t moment_bytes(const ms_device_problem *p)
{
  bool used = p->sibling && p->size >= 5 && !is_chosen("MOTIFSIEVE_GPU_LAST_STEP", "rows");
  return used ? (uint64_t)p->n * ms_moment_words(p->size) * sizeof(uint32_t) : 0;
}

static uint64_t global_bytes(const ms_global_plan *plan)
{
  return plan->scratch + plan->pair + plan->inner_pairs + plan->slot + plan->moment;
}

/* Chooses the mode, the words of a chunk and the passes held at a time. */
static ms_status choose_plan(ms_sieve_context *c, const ms_gpu_device *facts, uint64_t room,
                             ms_error *err)
{
  const ms_device_problem *p = &c->p;
  uint64_t fixed = graph_bytes(p) + (uint64_t)p->n * 64;
  c->passes = 1;
  c->blocks = (uint64_t)1 << p->outer_bits;
  bool fits =
      ms_shared_plan_make(p, (uint32_t)facts->multiprocessors, (uint32_t)facts->shared, &c->shared);
  if (c->kernel == MS_GPU_SIEVE_SHARED && !fits)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u vertices and %llu edges do not fit a multiprocessor; use arithmetic %s",
                   p->n, (unsigned long long)(p->arcs / 2),
                   ms_gpu_sieve_kernel_name(MS_GPU_SIEVE_AUTO));
  if (fits && c->kernel != MS_GPU_SIEVE_GLOBAL &&
      fixed + pass_bytes(p) + c->shared.scratch <= room) {
    c->mode = MS_MODE_SHARED;
    uint64_t wanted = 16 * (uint64_t)c->shared.blocks / c->blocks;
    while (c->passes < MS_MOST_PASSES && c->passes < wanted &&
           fixed + (c->passes + 1) * pass_bytes(p) + c->shared.scratch <= room)
      c->passes++;
    return MS_OK;
  }
  c->mode = p->sibling ? MS_MODE_GLOBAL : MS_MODE_CLASSIC;
  uint64_t least = 0;
  uint32_t most = most_chunk_bits(), bits = p->outer_bits < most ? p->outer_bits : most;
  for (bool quadratic = true;; quadratic = !quadratic, bits -= quadratic) {
    ms_global_plan_make(p, bits, quadratic, &c->global);
    c->global.moment = moment_bytes(p);
    c->global.ahead = is_chosen("MOTIFSIEVE_GPU_ARCS", "ahead");
    if (fixed + pass_bytes(p) + global_bytes(&c->global) <= room)
      break;
    if (bits > 0 || quadratic)
      continue;
    least = fixed + pass_bytes(p) + global_bytes(&c->global);
    break;
  }
  if (least == 0)
    return MS_OK;
  if (p->sibling) {
    c->mode = MS_MODE_BLOCKS;
    if (ms_gpu_blocks_make(p, room, &c->global, &c->part))
      return MS_OK;
    least = c->part.bytes;
  }
  return ms_fail(
      err, MS_ERR_MEMORY,
      "the sieve needs %.1f MiB of GPU memory for %u vertices, %llu edges and %u motif slots%s, "
      "and %.1f MiB are free; " MS_GPU_MORE_MEMORY
      ", use `MS_BACKEND_CPU`, or a smaller graph or motif",
      (double)least / 1048576, p->n, (unsigned long long)(p->arcs / 2), p->size,
      p->sibling ? ", even in blocks of vertices" : "", (double)room / 1048576);
}

uint64_t ms_gpu_sieve_bytes(const ms_sieve_context *c)
{
  if (c->mode == MS_MODE_BLOCKS)
    return c->part.bytes;
  return graph_bytes(&c->p) + (uint64_t)c->p.n * 64 + c->passes * pass_bytes(&c->p) +
         (c->mode == MS_MODE_SHARED ? c->shared.scratch : global_bytes(&c->global));
}

/* Plans as if all memory were free, and asks for the free memory only if that plan may not fit:
 * the driver takes long to answer. */
ms_status ms_gpu_sieve_plan(ms_sieve_context *c, const ms_gpu_device *facts, ms_error *err)
{
  bool fits = choose_plan(c, facts, facts->memory - facts->memory / 16, NULL) == MS_OK;
  uint64_t room;
  MS_TRY(ms_gpu_room(&c->gpu, fits ? ms_gpu_sieve_bytes(c) : facts->memory, &room, err));
  uint64_t rest = 64 * MS_GPU_ALIGN; /* for alignment */
  MS_TRY(choose_plan(c, facts, room > rest ? room - rest : 0, err));
  return ms_gpu_sieve_reserve(c, ms_gpu_sieve_bytes(c) + rest, "making room for the graph", err);
}

/* ---- weights ------------------------------------------------------------------------- */

ms_status ms_gpu_sieve_alloc_passes(ms_sieve_context *c, ms_error *err)
{
  static const char what[] = "making room for the weights";
  const ms_device_problem *p = &c->p;
  if (c->mode == MS_MODE_BLOCKS)
    return ms_gpu_blocks_alloc(c, err);
  uint64_t n = p->n;
  uint8_t *coefficient = NULL, *gamma1 = NULL;
  ms_status status = ms_gpu_sieve_alloc(c, c->passes * n * sizeof *c->q, &c->q, what, err);
  if (status == MS_OK)
    status = ms_gpu_sieve_alloc(c, n * 32, &coefficient, what, err);
  if (status == MS_OK)
    status = ms_gpu_sieve_alloc(c, p->sibling ? n * 32 : 0, &gamma1, what, err);
  for (uint32_t i = 0; i < c->passes && status == MS_OK; i++) {
    ms_device_pass *pass = &c->pass[i];
    uint8_t *memory = NULL;
    status = ms_gpu_sieve_alloc(c, pass_bytes(p) - n * sizeof *c->q + 64, &memory, what, err);
    pass->coefficient = coefficient;
    pass->gamma1 = gamma1;
    pass->all_coefficients = coefficient;
    pass->all_gamma1 = gamma1;
    if (status != MS_OK)
      break;
    /* the widest alignment comes first */
    pass->inner = (uint4 *)(void *)memory;
    memory += n * p->forms * 32;
    pass->value = (uint32_t *)(void *)memory;
    memory += n * p->size * p->quads * 4;
    pass->q = c->q + i * n;
    pass->gamma = memory;
    pass->alpha = memory + n * p->gammas;
    if (c->mode == MS_MODE_GLOBAL && c->global.moment)
      status = ms_gpu_sieve_alloc(c, c->global.moment, &pass->moment, what, err);
    if (status == MS_OK && c->mode == MS_MODE_GLOBAL && c->global.pair) {
      status = ms_gpu_sieve_alloc(c, c->global.inner_pairs, &pass->inner_pairs, what, err);
      if (status == MS_OK)
        status = ms_gpu_sieve_alloc(c, c->global.pair, &pass->pair, what, err);
      if (status == MS_OK)
        status = ms_gpu_sieve_alloc(c, c->global.slot, &pass->slot, what, err);
    }
  }
  if (status == MS_OK)
    status =
        ms_gpu_sieve_alloc(c, c->mode == MS_MODE_SHARED ? c->shared.scratch : c->global.scratch,
                           &c->scratch, "making room for the sieve's state", err);
  if (status == MS_OK)
    status = ms_gpu_sieve_alloc(c, sizeof *c->counter, &c->counter,
                                "making room for the sieve's state", err);
  return status;
}
