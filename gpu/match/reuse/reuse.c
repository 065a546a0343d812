/* The engine `reuse`: memory, chains of launches, and what each device does with its roots.
 *
 * A *chain* expands the levels from one on and finishes the deepest one, without
 * asking the host in between: each launch reads from the device how many entries
 * the one before it left. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"
#include "gpu/common/launch.h"
#include "gpu/match/dfs/dfs.h"
#include "gpu/match/domains.h"
#include "gpu/match/reuse/reuse_program.h"
#include "gpu/match/task.h"
#include "match/engine.h"

#include <string.h>

#define LARGER_OUTPUT 8u
/* Bytes for any graph, and for an arc: small graphs have few partial matches, and the first
 * allocation of much memory on a GPU takes long. */
#define ANY_BYTES ((uint64_t)64 << 20)
#define ARC_BYTES ((uint64_t)4 << 10)
/* Places in the first pinned buffer: the levels that come back, the levels that are sent, and
 * the program; the walk's queue is in front of them. */
enum { LEVELS_SEEN = 4096, LEVELS_SENT = 8192, PROGRAM_SENT = 16384 };

_Static_assert(sizeof(ms_gpu_queue) <= LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= LEVELS_SENT - LEVELS_SEEN &&
                   MS_DEVICE_LEVELS * sizeof(ms_reuse_level) <= PROGRAM_SENT - LEVELS_SENT &&
                   PROGRAM_SENT + sizeof(ms_reuse_program) <= MS_STAGING_BYTES &&
                   MS_DEVICE_SETS <= 64,
               "the first pinned buffer holds all of it, and sets are bits");

/* Points of a chain of launches, whose times are noted. */
typedef enum reuse_point { BEGUN, EXPANDED, FINISHED, POINTS } reuse_point;

/* The engine on one GPU. */
typedef struct reuse_machine {
  ms_dfs_runner runner;
  ms_reuse_program program;
  ms_reuse_launch launch;
  bool listing, finishes; /* finishes: a kernel counts below the deepest level's entries */
  void *memory;           /* device memory of all that the launch points to */
  uint64_t most_children; /* of an entry */
  uint64_t most_words;    /* of an entry's sets */
  ms_reuse_level *level;  /* pinned, [deepest + 1]: as the last chain left them */
  cudaEvent_t reached[POINTS];
} reuse_machine;

/* ---- sizes -------------------------------------------------------------------------- */

static void find_most(reuse_machine *m, const ms_program *p)
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

/* Sets the places in the device's memory, and returns the number of bytes. */
static uint64_t place_memory(reuse_machine *m)
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

/* Divides the memory: after room for one entry on each level, sets take half of the rest, and
 * the deepest level half of the entries. */
static bool divide_memory(reuse_machine *m, uint64_t bytes)
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
  return ms_fail(err, MS_ERR_MEMORY,
                 "%.1f MiB of GPU memory are too little for one partial match per level with "
                 "its neighbours; " MS_GPU_MORE_MEMORY
                 ", or use the engine 'dfs' or the CPU engine",
                 (double)bytes / 1048576);
}

static uint64_t useful_bytes(const ms_pattern_index *index)
{
  uint64_t arcs = bounded(index->arcs, UINT64_MAX / 2 / ARC_BYTES);
  return bounded(ANY_BYTES + arcs * ARC_BYTES, ms_hooks.gpu_reuse_bytes);
}

/* Takes the memory that is free, up to a bound; less where the memory is fragmented. */
static ms_status take_memory(reuse_machine *m, const ms_pattern_index *index, ms_error *err)
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

/* Finds how many blocks a multiprocessor holds of both kernels that keep sets in shared memory. */
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

/* Chooses the number of blocks: what all warps may request beyond the room must not overflow a
 * counter of 32 bits. */
static ms_status plan_blocks(reuse_machine *m, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &m->launch.walk;
  uint32_t blocks;
  uint64_t need = m->most_children > m->most_words ? m->most_children : m->most_words;
  *l = m->runner.launch;
  MS_TRY(find_occupancy(l, &blocks, err));
  uint64_t all = (uint64_t)blocks * (uint32_t)facts->multiprocessors,
           most = (MS_REUSE_MOST - 1) / (need * l->warps);
  l->blocks = (uint32_t)bounded(l->blocks, bounded(all, most));
  return l->blocks > 0 ? MS_OK : no_room(ms_hooks.gpu_reuse_bytes, err);
}

/* ---- open and close -------------------------------------------------------------------- */

static ms_status upload_program(reuse_machine *m, ms_error *err)
{
  static const char what[] = "copying the plan";
  ms_staging *s = &m->runner.match.gpu.staging;
  void *sent = s->buffer[0] + PROGRAM_SENT;
  /* the GPU may still be reading the pinned buffers */
  MS_TRY_CUDA(cudaStreamSynchronize(s->stream), what);
  ms_staging_note(sizeof m->program);
  memcpy(sent, &m->program, sizeof m->program);
  return ms_cuda_status(
      cudaMemcpyAsync(m->memory, sent, sizeof m->program, cudaMemcpyHostToDevice, s->stream), what,
      err);
}

/* Notes a point of a chain; the time between two of them is that of the kernels. */
static ms_status note_time(reuse_machine *m, reuse_point point, ms_error *err)
{
  return ms_cuda_status(cudaEventRecord(m->reached[point], m->runner.match.gpu.staging.stream),
                        "starting a search on the GPU", err);
}

static double seconds_between(const reuse_machine *m, reuse_point from, reuse_point to)
{
  float milliseconds = 0;
  return cudaEventElapsedTime(&milliseconds, m->reached[from], m->reached[to]) == cudaSuccess
             ? 1e-3 * milliseconds
             : 0;
}

static ms_status make_points(reuse_machine *m, ms_error *err)
{
  ms_status status = MS_OK;
  for (int i = 0; i < POINTS && status == MS_OK; i++)
    status = ms_cuda_status(cudaEventCreate(&m->reached[i]), "starting a search on the GPU", err);
  return status;
}

static ms_status open_machine(reuse_machine *m, const ms_pattern_task *task, int device,
                              int threads, bool listing, ms_error *err)
{
  const ms_program *program = task->program;
  ms_gpu_device facts;
  memset(m, 0, sizeof *m);
  MS_TRY(ms_dfs_runner_open(&m->runner, task, device, threads, MS_DFS_FOR_WALK, err));
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  ms_staging *staging = &m->runner.match.gpu.staging;
  m->listing = listing;
  ms_reuse_program_make(program, &m->runner.match.packed.program, listing, &m->program);
  m->finishes = !listing && (program->n_groups > 0 || program->prefix > 1);
  m->level = (ms_reuse_level *)(void *)(staging->buffer[0] + LEVELS_SEEN);
  find_most(m, program);
  MS_TRY(plan_blocks(m, &facts, err));
  MS_TRY(take_memory(m, program->index, err));
  MS_TRY(ms_staging_make_buffers(staging, listing ? MS_STAGING_BUFFERS : 1, err));
  MS_TRY(make_points(m, err));
  MS_TRY(upload_program(m, err));
  m->launch.long_row = ms_hooks.gpu_reuse_long_row;
  m->launch.last_room = MS_REUSE_MOST;
  m->launch.row_room = MS_STAGING_BYTES / (program->prefix * sizeof(uint32_t));
  return MS_OK;
}

static void close_machine(reuse_machine *m)
{
  for (int i = 0; i < POINTS; i++)
    if (m->reached[i])
      (void)cudaEventDestroy(m->reached[i]);
  ms_gpu_free(&m->runner.match.gpu, m->memory);
  ms_dfs_runner_close(&m->runner);
}

static uint64_t root_room(const reuse_machine *m)
{
  return m->program.deepest == 0 ? m->launch.entries : m->launch.inner / m->program.deepest;
}

/* ---- chains --------------------------------------------------------------------------- */

static ms_status launch_job(reuse_machine *m, ms_reuse_launch *l, ms_reuse_job job,
                            const char *what, ms_error *err)
{
  bool has_sets = job == MS_REUSE_EXPAND || job == MS_REUSE_FINISH;
  ms_gpu_grid grid = {l->walk.blocks, l->walk.warps * MS_GPU_WARP,
                      has_sets ? l->walk.shared_bytes : 0};
  return ms_gpu_launch(ms_reuse_function(job), grid, (void *[]){l},
                       m->runner.match.gpu.staging.stream, what, err);
}

static ms_status launch_chain(reuse_machine *m, uint32_t depth, bool roots, ms_error *err)
{
  static const char what[] = "starting a search on the GPU";
  ms_reuse_launch *l = &m->launch;
  MS_TRY(note_time(m, BEGUN, err));
  if (roots)
    MS_TRY(launch_job(m, l, MS_REUSE_ROOTS, what, err));
  for (l->depth = depth; l->depth < m->program.deepest; l->depth++)
    MS_TRY(launch_job(m, l, MS_REUSE_EXPAND, what, err));
  MS_TRY(note_time(m, EXPANDED, err));
  if (m->finishes)
    MS_TRY(launch_job(m, l, MS_REUSE_FINISH, what, err));
  return note_time(m, FINISHED, err);
}

static ms_status run_chain(reuse_machine *m, uint32_t depth, bool roots, const ms_stop *stop,
                           ms_error *err)
{
  static const char what[] = "searching";
  ms_gpu_search *search = &m->runner.search;
  ms_staging *s = &m->runner.match.gpu.staging;
  size_t bytes = (m->program.deepest + 1) * sizeof *m->level;
  void *sent = s->buffer[0] + LEVELS_SENT;
  ms_staging_note(2 * bytes);
  memcpy(sent, m->level, bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(m->launch.level, sent, bytes, cudaMemcpyHostToDevice, s->stream),
              what);
  MS_TRY(ms_gpu_search_clear(search, false, err));
  MS_TRY(launch_chain(m, depth, roots, err));
  MS_TRY_CUDA(cudaMemcpyAsync(m->level, m->launch.level, bytes, cudaMemcpyDeviceToHost, s->stream),
              what);
  MS_TRY(ms_gpu_search_read(search, err));
  return ms_gpu_search_wait(search, true, stop, err);
}

static uint32_t count_deepest(const reuse_machine *m, uint32_t *first)
{
  const ms_reuse_level *above = m->program.deepest > 0 ? &m->level[m->program.deepest - 1] : NULL;
  *first = above ? above->base + above->count : 0;
  return !above ? m->launch.roots : above->full ? above->children : (uint32_t)above->cursor;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Buffer 0 holds the levels. */
static ms_status fetch_rows(void *on, uint32_t buffer, uint64_t first, uint64_t count,
                            ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  reuse_machine *m = on;
  ms_staging *s = &m->runner.match.gpu.staging;
  ms_reuse_launch l = m->launch;
  l.rows = (uint32_t *)(void *)s->buffer[1 + buffer];
  l.first_row = first;
  l.row_count = count;
  MS_TRY(launch_job(m, &l, MS_REUSE_GATHER, what, err));
  return ms_cuda_status(cudaEventRecord(s->copied[1 + buffer], s->stream), what, err);
}

static ms_status wait_for_rows(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  reuse_machine *m = on;
  return ms_staging_wait(&m->runner.match.gpu.staging, 1 + buffer, rows, err);
}

static ms_gpu_rows rows_of(reuse_machine *m)
{
  return (ms_gpu_rows){.fetch = fetch_rows,
                       .fetched = wait_for_rows,
                       .on = m,
                       .length = m->runner.search.length,
                       .piece = m->launch.row_room,
                       .columns = true};
}

/* A device's part of a search. */
typedef struct drive {
  ms_gpu_share *s;
  reuse_machine *m;
  ms_error *err;
  uint32_t next[MS_DEVICE_LEVELS]; /* [deepest] entries [0, next) of a level are not done yet */
  double done, portion; /* of what the device took: roots before the current ones, and these */
  ms_work work;
} drive;

/* ---- batches ------------------------------------------------------------------------- */

/* Begins the next chain at this level, with entries [0, limit). */
static void begin_level(drive *d, uint32_t depth, uint32_t limit)
{
  ms_reuse_level *level = d->m->level;
  uint32_t deepest = d->m->program.deepest;
  memset(level + depth, 0, (deepest + 1 - depth) * sizeof *level);
  for (uint32_t i = depth; i <= deepest; i++)
    level[i].limit = i == depth ? limit : UINT32_MAX;
}

/* Notes what the last chain left of the levels from `depth` on. */
static void note_batches(drive *d, uint32_t depth)
{
  for (uint32_t i = depth; i <= d->m->program.deepest; i++) {
    const ms_reuse_level *l = &d->m->level[i];
    uint32_t begun = l->taken < l->left ? (uint32_t)l->taken : l->left, rest = l->left - begun;
    d->work.sets_found += l->hits;
    d->work.sets_missed += l->misses;
    if (i < d->m->program.deepest)
      d->next[i] = !l->full ? 0 : l->failed > rest ? l->failed : rest;
  }
  d->work.expand += seconds_between(d->m, BEGUN, EXPANDED);
  d->work.finish += seconds_between(d->m, EXPANDED, FINISHED);
}

/* Returns the fraction of the current roots that is done: of a level, the batches before the last
 * one, and of the last one what is done of the levels below. */
static double done_below_roots(const drive *d)
{
  double done = 1;
  for (uint32_t i = d->m->program.deepest; i-- > 0;) {
    const ms_reuse_level *l = &d->m->level[i];
    double before = (double)l->count - l->left, now = (double)l->left - d->next[i];
    done = l->count > 0 ? (before + now * done) / l->count : 1;
  }
  return done;
}

/* ---- roots ---------------------------------------------------------------------------- */

/* Chooses the room of the deepest level: the first rows come soon, the later ones in large
 * batches. */
static void grow_row_room(drive *d)
{
  ms_reuse_launch *l = &d->m->launch;
  uint64_t most = d->m->most_children;
  if (!d->m->listing)
    return;
  uint64_t limit = ms_stream_limit(d->s->sink.stream);
  uint64_t first = limit > 0 && limit < ms_hooks.gpu_first_rows ? limit : ms_hooks.gpu_first_rows;
  l->last_room = l->last_room == MS_REUSE_MOST ? first : l->last_room * LARGER_OUTPUT;
  l->last_room = l->last_room > most ? l->last_room : most;
  l->last_room = l->last_room < MS_REUSE_MOST ? l->last_room : MS_REUSE_MOST - 1;
}

/* Checks the numbers that the host has copied, in a run that checks itself. */
static ms_status check_copies(const drive *d)
{
  reuse_machine *m = d->m;
  ms_gpu_search *search = &m->runner.search;
  ms_integrity *integrity = d->s->task->integrity;
  MS_TRY(ms_gpu_check_copy(search->gpu, integrity, m->launch.level, m->level,
                           (m->program.deepest + 1) * sizeof *m->level, d->err));
  return ms_gpu_check_copy(search->gpu, integrity, search->queue, search->seen,
                           sizeof *search->seen, d->err);
}

/* Adds or emits what a chain found. */
static ms_status add_result(drive *d)
{
  MS_TRY(check_copies(d));
  uint32_t first, count = count_deepest(d->m, &first);
  ms_gpu_sum roots = {.digit = {count}};
  ms_gpu_rows rows = rows_of(d->m);
  if (d->m->listing) {
    double start = ms_seconds();
    ms_status status = ms_gpu_emit(&d->s->sink, &rows, first, count, d->s->task->stop, d->err);
    d->work.rows += ms_seconds() - start;
    return status;
  }
  ms_gpu_share_add(d->s, d->m->finishes ? &d->m->runner.search.seen->sum : &roots);
  return MS_OK;
}

/* Searches below the roots of level 0, the deepest levels first. */
static ms_status search_below_roots(drive *d)
{
  uint32_t depth = 0, deepest = d->m->program.deepest;
  memset(d->next, 0, sizeof d->next);
  begin_level(d, 0, UINT32_MAX);
  for (bool roots = true;; roots = false) {
    grow_row_room(d);
    ms_status status = run_chain(d->m, depth, roots, d->s->task->stop, d->err);
    bool stopped = ms_gpu_is_stop(status);
    if (status != MS_OK && !(stopped && d->m->finishes))
      return status;
    note_batches(d, depth);
    ms_gpu_share_report(d->s, d->done + d->portion * done_below_roots(d));
    ms_status taken = add_result(d);
    if (stopped || taken != MS_OK || atomic_load(&d->s->halt))
      return stopped ? status : taken;
    for (depth = deepest; depth > 0 && d->next[depth - 1] == 0; depth--) {
    }
    if (depth == 0)
      return MS_OK;
    depth--;
    begin_level(d, depth, d->next[depth]);
    d->next[depth] = 0;
  }
}

/* Searches roots [first, end), the last ones first: in an index they have the highest degrees. */
static ms_status search_roots(drive *d, uint64_t first, uint64_t end)
{
  uint64_t room = root_room(d->m), all = end - first;
  ms_status status = MS_OK;
  while (status == MS_OK && first < end && !atomic_load(&d->s->halt)) {
    uint64_t some = end - first < room ? end - first : room;
    d->done = 1 - (double)(end - first) / (double)all;
    d->portion = (double)some / (double)all;
    end -= some;
    d->m->launch.first_root = end;
    d->m->launch.roots = (uint32_t)some;
    status = ms_stop_check(d->s->task->stop);
    if (status == MS_OK)
      status = search_below_roots(d);
  }
  return status;
}

/* ---- the engine --------------------------------------------------------------------------- */

static ms_status run_reuse_device(ms_gpu_share *s, int device, ms_error *err)
{
  uint64_t first, end, all = ms_gpu_task_roots(s->task);
  reuse_machine *m = ms_calloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "a search on a GPU");
  drive d = {.s = s, .m = m, .err = err};
  ms_status status = open_machine(m, s->task, device, s->sink.threads, s->sink.make != NULL, err);
  m->launch.all_roots = all;
  m->launch.classes = ms_classes_of(s->devices);
  while (status == MS_OK && ms_gpu_share_take(s, all, &first, &end))
    status = search_roots(&d, first, end);
  ms_gpu_share_add_work(s, &d.work);
  ms_gpu_context_note_status(&m->runner.match.gpu, status);
  close_machine(m);
  ms_free(m);
  return status;
}

/* Plans for this engine have no table.  A table replaces the sets that it counts, so that no
 * sets are left to reuse; the engine `dfs` counts such a program.  It also searches large programs,
 * whose sets would fill the memory. */
static ms_status count_by_reuse(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return task->program->table || ms_program_is_large(task->program)
             ? ms_pattern_engine_dfs.count(task, sum, err)
             : ms_gpu_task_count(task, run_reuse_device, sum, err);
}

static ms_status list_by_reuse(const ms_pattern_task *task, ms_rows_fn make, void *user,
                               ms_stream *stream, ms_error *err)
{
  return ms_program_is_large(task->program)
             ? ms_pattern_engine_dfs.list(task, make, user, stream, err)
             : ms_gpu_task_list(task, run_reuse_device, make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_reuse = {
    .name = "reuse",
    .tables = MS_TABLE_NONE,
    .devices = ms_gpu_task_devices,
    .supports = ms_gpu_task_supports,
    .filter_domains = ms_gpu_filter_domains,
    .count = count_by_reuse,
    .list = list_by_reuse,
};
