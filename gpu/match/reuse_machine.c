#include "gpu/match/reuse_machine.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/match/engines.h"

#include <string.h>

/* Small graphs have few partial matches, and a GPU takes a while to hand out memory
 * for the first time: bytes for any graph, and for an arc. */
#define ANY_BYTES ((uint64_t)64 << 20)
#define ARC_BYTES ((uint64_t)4 << 10)
/* Where in the first pinned buffer are the levels on their way back, the levels on
 * their way to the GPU, and the program; in front of them the walk's queue. */
enum { LEVELS_SEEN = 4096, LEVELS_SENT = 8192, PROGRAM_SENT = 16384 };

_Static_assert(sizeof(ms_gpu_queue) <= LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= LEVELS_SENT - LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= PROGRAM_SENT - LEVELS_SENT &&
                   PROGRAM_SENT + sizeof(ms_reuse_program) <= MS_STAGING_BYTES &&
                   MS_DEVICE_SETS <= 64,
               "the first pinned buffer holds all of it, and sets are bits");

uint64_t ms_gpu_reuse_bytes = (uint64_t)3 << 30;
uint32_t ms_gpu_reuse_long_row = 256;

/* ---- sizes -------------------------------------------------------------------------- */

static void find_most(ms_reuse_machine *m, const ms_program *p)
{
  uint64_t longest = m->runner.match.index.longest;
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
  ms_gpu_layout at = {.base = m->memory};
  l->program = ms_gpu_place(&at, 1, sizeof *l->program);
  l->level = ms_gpu_place(&at, m->program.deepest + 1, sizeof *l->level);
  l->vertex = ms_gpu_place(&at, l->entries, sizeof *l->vertex);
  l->parent = ms_gpu_place(&at, l->entries, sizeof *l->parent);
  l->place = ms_gpu_place(&at, l->inner, sizeof *l->place);
  l->pool = ms_gpu_place(&at, l->words, sizeof *l->pool);
  return at.bytes;
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
  uint64_t fixed = place_memory(m) + 6 * MS_GPU_ALIGN, inner = deepest * m->most_children,
           least = 0, more = 0;
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
  ms_dfs_runner *r = &m->runner;
  uint64_t most = useful_bytes(index), bytes;
  MS_TRY(ms_gpu_room(&r->match.gpu, r->scratch_bytes + most, &bytes, err));
  bytes = bytes > r->scratch_bytes ? bytes - r->scratch_bytes : 0;
  bytes = bounded(bytes, most);
  for (ms_status status = MS_OK;; bytes /= 2) {
    if (!divide_memory(m, bytes))
      return status == MS_OK ? no_room(bytes, err) : status;
    status = ms_gpu_alloc(&r->match.gpu, place_memory(m), &m->memory,
                          "making room for partial matches", err);
    if (status == MS_OK)
      (void)place_memory(m);
    if (status != MS_ERR_MEMORY)
      return status;
  }
}

/* Blocks that a multiprocessor holds of either kernel that keeps sets in shared memory. */
static ms_status find_occupancy(const ms_dfs_launch *walk, uint32_t *blocks, ms_error *err)
{
  uint32_t threads = walk->warps * MS_GPU_WARP, finish;
  MS_TRY(ms_gpu_occupancy(ms_reuse_function(MS_REUSE_EXPAND), threads, walk->shared_bytes, blocks,
                          err));
  MS_TRY(ms_gpu_occupancy(ms_reuse_function(MS_REUSE_FINISH), threads, walk->shared_bytes, &finish,
                          err));
  *blocks = finish < *blocks ? finish : *blocks;
  return MS_OK;
}

/* Warps that are at work: what they may ask for beyond the room must not overflow
 * a counter of 32 bits. */
static ms_status plan_blocks(ms_reuse_machine *m, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &m->launch.walk;
  uint32_t blocks;
  uint64_t need = m->most_children > m->most_words ? m->most_children : m->most_words;
  *l = m->runner.launch;
  MS_TRY(find_occupancy(l, &blocks, err));
  uint64_t all = (uint64_t)blocks * (uint32_t)facts->multiprocessors,
           most = (MS_REUSE_MOST - 1) / (need * l->warps);
  l->blocks = (uint32_t)bounded(l->blocks, bounded(all, most));
  return l->blocks > 0 ? MS_OK : no_room(ms_gpu_reuse_bytes, err);
}

/* ---- open and close -------------------------------------------------------------------- */

static ms_status upload_program(ms_reuse_machine *m, ms_error *err)
{
  static const char what[] = "copying the plan";
  ms_staging *s = &m->runner.match.gpu.staging;
  void *sent = s->buffer[0] + PROGRAM_SENT;
  /* the pinned buffers may be on their way to the GPU yet */
  MS_TRY_CUDA(cudaStreamSynchronize(s->stream), what);
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
  MS_TRY(ms_dfs_runner_open(&m->runner, program, device, threads, MS_DFS_FOR_WALK, err));
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  ms_staging *staging = &m->runner.match.gpu.staging;
  m->listing = listing;
  ms_reuse_program_make(program, &m->runner.match.pack.program, listing, &m->program);
  m->finishes = !listing && (program->n_groups > 0 || program->prefix > 1);
  m->level = (ms_reuse_level *)(void *)(staging->buffer[0] + LEVELS_SEEN);
  find_most(m, program);
  MS_TRY(plan_blocks(m, &facts, err));
  MS_TRY(take_memory(m, program->index, err));
  MS_TRY(ms_staging_make_buffers(staging, listing ? MS_STAGING_BUFFERS : 1, err));
  MS_TRY(upload_program(m, err));
  m->launch.long_row = ms_gpu_reuse_long_row;
  m->launch.last_room = MS_REUSE_MOST;
  m->launch.row_room = MS_STAGING_BYTES / (program->prefix * sizeof(uint32_t));
  return MS_OK;
}

void ms_reuse_machine_close(ms_reuse_machine *m)
{
  ms_gpu_free(&m->runner.match.gpu, m->memory);
  ms_dfs_runner_close(&m->runner);
}

uint64_t ms_reuse_root_room(const ms_reuse_machine *m)
{
  return m->program.deepest == 0 ? m->launch.entries : m->launch.inner / m->program.deepest;
}

/* ---- chains --------------------------------------------------------------------------- */

static ms_status launch(ms_reuse_machine *m, ms_reuse_launch *l, ms_reuse_job job, const char *what,
                        ms_error *err)
{
  bool has_sets = job == MS_REUSE_EXPAND || job == MS_REUSE_FINISH;
  ms_gpu_grid grid = {l->walk.blocks, l->walk.warps * MS_GPU_WARP,
                      has_sets ? l->walk.shared_bytes : 0};
  return ms_gpu_launch(ms_reuse_function(job), grid, (void *[]){l},
                       m->runner.match.gpu.staging.stream, what, err);
}

static ms_status launch_all(ms_reuse_machine *m, uint32_t depth, bool roots, ms_error *err)
{
  static const char what[] = "starting a search on the GPU";
  ms_reuse_launch *l = &m->launch;
  if (roots)
    MS_TRY(launch(m, l, MS_REUSE_ROOTS, what, err));
  for (l->depth = depth; l->depth < m->program.deepest; l->depth++)
    MS_TRY(launch(m, l, MS_REUSE_EXPAND, what, err));
  return m->finishes ? launch(m, l, MS_REUSE_FINISH, what, err) : MS_OK;
}

ms_status ms_reuse_chain(ms_reuse_machine *m, uint32_t depth, bool roots, const ms_stop *stop,
                         ms_error *err)
{
  static const char what[] = "searching";
  ms_gpu_search *search = &m->runner.search;
  ms_staging *s = &m->runner.match.gpu.staging;
  size_t bytes = (m->program.deepest + 1) * sizeof *m->level;
  void *sent = s->buffer[0] + LEVELS_SENT;
  memcpy(sent, m->level, bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(m->launch.level, sent, bytes, cudaMemcpyHostToDevice, s->stream),
              what);
  MS_TRY(ms_gpu_search_clear(search, false, err));
  MS_TRY(launch_all(m, depth, roots, err));
  MS_TRY_CUDA(cudaMemcpyAsync(m->level, m->launch.level, bytes, cudaMemcpyDeviceToHost, s->stream),
              what);
  MS_TRY(ms_gpu_search_read(search, err));
  return ms_gpu_search_wait(search, true, stop, err);
}

uint32_t ms_reuse_deepest(const ms_reuse_machine *m, uint32_t *first)
{
  const ms_reuse_level *above = m->program.deepest > 0 ? &m->level[m->program.deepest - 1] : NULL;
  *first = above ? above->base + above->count : 0;
  return !above ? m->launch.roots : above->full ? above->children : (uint32_t)above->cursor;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Buffer 0 is the levels'. */
static ms_status fetch(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  ms_reuse_machine *m = on;
  ms_staging *s = &m->runner.match.gpu.staging;
  ms_reuse_launch l = m->launch;
  l.rows = (uint32_t *)(void *)s->buffer[1 + buffer];
  l.first_row = first;
  l.row_count = count;
  MS_TRY(launch(m, &l, MS_REUSE_GATHER, what, err));
  return ms_cuda_status(cudaEventRecord(s->copied[1 + buffer], s->stream), what, err);
}

static ms_status fetched(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  ms_reuse_machine *m = on;
  return ms_staging_wait(&m->runner.match.gpu.staging, 1 + buffer, rows, err);
}

ms_gpu_rows ms_reuse_rows(ms_reuse_machine *m)
{
  return (ms_gpu_rows){.fetch = fetch,
                       .fetched = fetched,
                       .on = m,
                       .length = m->runner.search.length,
                       .piece = m->launch.row_room,
                       .columns = true};
}
