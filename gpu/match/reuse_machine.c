#include "gpu/match/reuse_machine.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/gpu.h"
#include "gpu/match/engines.h"

#include <string.h>

#define ALIGN ((uint64_t)256)
/* Small graphs have few partial matches, and a GPU takes a while to hand out memory
 * for the first time: bytes for any graph, and for an arc. */
#define ANY_BYTES ((uint64_t)64 << 20)
#define ARC_BYTES ((uint64_t)4 << 10)
/* Where in the first pinned buffer are the levels on their way back, the levels on
 * their way to the GPU, and the program; in front of them the walk's queue. */
enum { LEVELS_SEEN = 4096, LEVELS_SENT = 8192, PROGRAM_SENT = 16384 };

_Static_assert(sizeof(ms_device_queue) <= LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= LEVELS_SENT - LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= PROGRAM_SENT - LEVELS_SENT &&
                   PROGRAM_SENT + sizeof(ms_reuse_program) <= MS_STAGING_BYTES &&
                   MS_DEVICE_SETS <= 64 && (int)MS_REUSE_BUFFERS < (int)MS_STAGING_BUFFERS,
               "the first pinned buffer holds all of it, and sets are bits");

uint64_t ms_gpu_reuse_bytes = (uint64_t)3 << 30;
uint32_t ms_gpu_reuse_long_row = 256;

/* ---- sizes -------------------------------------------------------------------------- */

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static void find_most(ms_reuse_machine *m, const ms_program *p)
{
  uint64_t longest = m->runner.context.index.longest;
  m->most_children = 1;
  m->most_words = 0;
  for (uint32_t i = 0; i < m->program.deepest; i++) {
    const ms_step *step = &p->step[i + 1];
    uint64_t children =
        p->list[i + 1] ? step->domain.count : (uint64_t)step->domain.hi - step->domain.lo;
    uint64_t words = m->program.stores[i] * (2 + longest);
    children = step->source == MS_FROM_SET ? longest : children;
    m->most_children = children > m->most_children ? children : m->most_children;
    m->most_words = words > m->most_words ? words : m->most_words;
  }
}

/* Places in the device's memory.  Returns its bytes. */
static uint64_t place_memory(ms_reuse_machine *m)
{
  ms_reuse_launch *l = &m->launch;
  uint8_t *base = m->memory;
  uint64_t at = 0;
  l->program = (const ms_reuse_program *)(const void *)base;
  at += aligned(sizeof *l->program);
  l->level = (ms_reuse_level *)(void *)(base + at);
  at += aligned((m->program.deepest + 1) * sizeof *l->level);
  l->vertex = (uint32_t *)(void *)(base + at);
  at += aligned(l->entries * sizeof *l->vertex);
  l->parent = (uint32_t *)(void *)(base + at);
  at += aligned(l->entries * sizeof *l->parent);
  l->place = (ms_reuse_place *)(void *)(base + at);
  at += aligned(l->inner * sizeof *l->place);
  l->pool = (uint32_t *)(void *)(base + at);
  return at + aligned(l->words * sizeof *l->pool);
}

static uint64_t bounded(uint64_t x, uint64_t most)
{
  return x < most ? x : most;
}

/* Half of the entries are the deepest level's; of what is left after one entry a
 * level has room, sets take half. */
static bool divide_memory(ms_reuse_machine *m, uint64_t bytes)
{
  ms_reuse_launch *l = &m->launch;
  const uint64_t word = sizeof(uint32_t), pair = 2 * (2 * word) + sizeof(ms_reuse_place);
  uint64_t deepest = m->program.deepest;
  l->entries = l->inner = l->words = 0;
  uint64_t fixed = place_memory(m) + 6 * ALIGN, inner = deepest * m->most_children, least = 0,
           more = 0;
  uint64_t words = m->program.stores_left[0] * m->most_words;
  if (inner > MS_REUSE_MOST / 2 || words > MS_REUSE_MOST)
    return false;
  least = fixed + inner * pair + words * word + (deepest == 0 ? 2 * word : 0);
  if (bytes < least)
    return false;
  more = bytes - least;
  if (deepest == 0) {
    l->entries = bounded(1 + more / (2 * word), MS_REUSE_MOST);
    return true;
  }
  l->words = words > 0 ? bounded(words + more / 2 / word, MS_REUSE_MOST) : 0;
  l->inner = bounded(inner + (words > 0 ? more / 2 : more) / pair, MS_REUSE_MOST / 2);
  l->entries = 2 * l->inner;
  return true;
}

static ms_status no_room(uint64_t bytes, ms_error *err)
{
  return ms_fail(
      err, MS_ERR_MEMORY,
      "%.1f MiB of GPU memory are too few for one partial match a level with its neighbours; free memory on "
      "the GPU, raise MOTIFSIEVE_GPU_MEMORY if it is set, or use the engine 'dfs' or the CPU engine",
      (double)bytes / 1048576);
}

static uint64_t useful_bytes(const ms_pattern_index *index)
{
  uint64_t arcs = bounded(index->arcs, UINT64_MAX / 2 / ARC_BYTES);
  return bounded(ANY_BYTES + arcs * ARC_BYTES, ms_gpu_reuse_bytes);
}

/* What there is, up to a bound; less where it is in pieces. */
static ms_status take_memory(ms_reuse_machine *m, const ms_pattern_index *index, ms_error *err)
{
  ms_gpu_runner *r = &m->runner;
  uint64_t most = useful_bytes(index), bytes;
  ms_status status = ms_gpu_pattern_room(&r->context, r->scratch_bytes + most, &bytes, err);
  if (status != MS_OK)
    return status;
  bytes = bytes > r->scratch_bytes ? bytes - r->scratch_bytes : 0;
  bytes = bytes < most ? bytes : most;
  for (;; bytes /= 2) {
    if (!divide_memory(m, bytes))
      return status == MS_OK ? no_room(bytes, err) : status;
    status = ms_gpu_pattern_alloc(&r->context, place_memory(m), &m->memory,
                                  "making room for partial matches", err);
    if (status != MS_ERR_MEMORY)
      break;
  }
  (void)place_memory(m);
  return status;
}

/* Warps that are at work: what they may ask for beyond the room must not overflow
 * a counter of 32 bits. */
static ms_status plan_blocks(ms_reuse_machine *m, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &m->launch.walk;
  uint32_t blocks = 0;
  uint64_t need = m->most_children > m->most_words ? m->most_children : m->most_words;
  *l = m->runner.launch;
  ms_status status =
      ms_cuda_status(ms_reuse_occupancy(l, &blocks), "asking what a multiprocessor holds", err);
  if (status != MS_OK)
    return status;
  uint64_t all = (uint64_t)blocks * (uint32_t)facts->multiprocessors,
           most = (MS_REUSE_MOST - 1) / (need * l->warps);
  all = all < most ? all : most;
  l->blocks = l->blocks < all ? l->blocks : (uint32_t)all;
  return l->blocks > 0 ? MS_OK : no_room(ms_gpu_reuse_bytes, err);
}

/* ---- open and close -------------------------------------------------------------------- */

static ms_status upload_program(ms_reuse_machine *m, ms_error *err)
{
  static const char what[] = "copying the plan";
  ms_staging *s = &m->runner.context.staging;
  void *sent = s->buffer[0] + PROGRAM_SENT;
  /* the pinned buffers may be on their way to the GPU yet */
  MS_TRY(ms_cuda_status(cudaStreamSynchronize(s->stream), what, err));
  memcpy(sent, &m->program, sizeof m->program);
  return ms_cuda_status(
      cudaMemcpyAsync(m->memory, sent, sizeof m->program, cudaMemcpyHostToDevice, s->stream), what,
      err);
}

ms_status ms_reuse_machine_open(ms_reuse_machine *m, const ms_program *program, int device,
                                int threads, bool listing, ms_error *err)
{
  ms_gpu_device facts;
  memset(m, 0, sizeof *m);
  ms_status status = ms_gpu_runner_open(&m->runner, program, device, threads, MS_RUNNER_WALK, err);
  if (status == MS_OK)
    status = ms_gpu_device_facts(device, &facts, err);
  if (status != MS_OK)
    return status;
  m->listing = listing;
  ms_reuse_program_make(program, &m->runner.context.pack.program, listing, &m->program);
  m->finishes = !listing && (program->n_groups > 0 || program->prefix > 1);
  m->level = (ms_reuse_level *)(void *)(m->runner.context.staging.buffer[0] + LEVELS_SEEN);
  find_most(m, program);
  status = plan_blocks(m, &facts, err);
  if (status == MS_OK)
    status = take_memory(m, program->index, err);
  if (status == MS_OK && listing)
    status = ms_staging_make_buffers(&m->runner.context.staging, MS_STAGING_BUFFERS, err);
  if (status == MS_OK)
    status = upload_program(m, err);
  m->launch.long_row = ms_gpu_reuse_long_row;
  m->launch.last_room = MS_REUSE_MOST;
  m->launch.row_room = MS_STAGING_BYTES / (program->prefix * sizeof(uint32_t));
  return status;
}

void ms_reuse_machine_close(ms_reuse_machine *m)
{
  ms_gpu_pattern *c = &m->runner.context;
  if (m->memory && cudaSetDevice(c->device) == cudaSuccess)
    ms_gpu_pattern_free(c, m->memory);
  ms_gpu_runner_close(&m->runner);
}

uint64_t ms_reuse_root_room(const ms_reuse_machine *m)
{
  return m->program.deepest == 0 ? m->launch.entries : m->launch.inner / m->program.deepest;
}

/* ---- chains --------------------------------------------------------------------------- */

static ms_status launch_all(ms_reuse_machine *m, uint32_t depth, bool roots, ms_error *err)
{
  cudaStream_t stream = m->runner.context.staging.stream;
  ms_reuse_launch *l = &m->launch;
  cudaError_t error = roots ? ms_reuse_run(l, MS_REUSE_ROOTS, stream) : cudaSuccess;
  for (l->depth = depth; error == cudaSuccess && l->depth < m->program.deepest; l->depth++)
    error = ms_reuse_run(l, MS_REUSE_EXPAND, stream);
  if (error == cudaSuccess && m->finishes)
    error = ms_reuse_run(l, MS_REUSE_FINISH, stream);
  return ms_cuda_status(error, "starting a search on the GPU", err);
}

ms_status ms_reuse_chain(ms_reuse_machine *m, uint32_t depth, bool roots, const ms_stop *stop,
                         ms_error *err)
{
  static const char what[] = "searching";
  ms_gpu_runner *r = &m->runner;
  ms_device_queue *queue = m->launch.walk.queue;
  cudaStream_t stream = r->context.staging.stream;
  size_t bytes = (m->program.deepest + 1) * sizeof *m->level;
  void *sent = r->context.staging.buffer[0] + LEVELS_SENT;
  memcpy(sent, m->level, bytes);
  ms_reuse_level *level = m->launch.level;
  ms_status status = ms_cuda_status(
      cudaMemcpyAsync(level, sent, bytes, cudaMemcpyHostToDevice, stream), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemsetAsync(queue, 0, sizeof *queue, stream), what, err);
  if (status == MS_OK)
    status = launch_all(m, depth, roots, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemcpyAsync(m->level, level, bytes, cudaMemcpyDeviceToHost, stream),
                            what, err);
  if (status == MS_OK)
    status = ms_cuda_status(
        cudaMemcpyAsync(r->seen, queue, sizeof *queue, cudaMemcpyDeviceToHost, stream), what, err);
  if (status != MS_OK) {
    r->context.failed = true;
    return status;
  }
  return ms_gpu_runner_wait(r, true, stop, err);
}

uint32_t ms_reuse_deepest(const ms_reuse_machine *m, uint32_t *first)
{
  const ms_reuse_level *above = m->program.deepest > 0 ? &m->level[m->program.deepest - 1] : NULL;
  *first = above ? above->base + above->count : 0;
  return !above ? m->launch.roots : above->full ? above->children : (uint32_t)above->cursor;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Buffer 0 is the levels'. */
ms_status ms_reuse_fetch(ms_reuse_machine *m, uint32_t buffer, uint64_t first, uint64_t count,
                         ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  ms_staging *s = &m->runner.context.staging;
  ms_reuse_launch l = m->launch;
  l.rows = (uint32_t *)(void *)s->buffer[1 + buffer];
  l.first_row = first;
  l.row_count = count;
  ms_status status = ms_cuda_status(ms_reuse_run(&l, MS_REUSE_GATHER, s->stream), what, err);
  return status == MS_OK
             ? ms_cuda_status(cudaEventRecord(s->copied[1 + buffer], s->stream), what, err)
             : status;
}

ms_status ms_reuse_fetched(ms_reuse_machine *m, uint32_t buffer, const uint32_t **rows,
                           ms_error *err)
{
  ms_staging *s = &m->runner.context.staging;
  *rows = (const uint32_t *)(const void *)s->buffer[1 + buffer];
  return ms_cuda_status(cudaEventSynchronize(s->copied[1 + buffer]),
                        "fetching matches from the GPU", err);
}
