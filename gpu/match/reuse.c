/* The engine `reuse`: what each device does with its roots. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/engines.h"
#include "gpu/match/reuse_machine.h"
#include "gpu/match/task.h"

#include <string.h>

#define LARGER_OUTPUT 8u

uint64_t ms_gpu_reuse_hits, ms_gpu_reuse_misses;

/* A device's part of a search. */
typedef struct drive {
  ms_gpu_share *s;
  ms_reuse_machine *m;
  ms_error *err;
  uint32_t next[MS_DEVICE_LEVELS]; /* [deepest] entries [0, next) of a level are not done yet */
} drive;

/* ---- batches ------------------------------------------------------------------------- */

/* The next chain begins at this level, with entries [0, limit). */
static void begin_level(drive *d, uint32_t depth, uint32_t limit)
{
  ms_reuse_level *level = d->m->level;
  uint32_t deepest = d->m->program.deepest;
  memset(level + depth, 0, (deepest + 1 - depth) * sizeof *level);
  for (uint32_t i = depth; i <= deepest; i++)
    level[i].limit = i == depth ? limit : UINT32_MAX;
}

/* What the last chain left of the levels from `depth` on. */
static void note_batches(drive *d, uint32_t depth)
{
  uint64_t hits = 0, misses = 0;
  for (uint32_t i = depth; i <= d->m->program.deepest; i++) {
    const ms_reuse_level *l = &d->m->level[i];
    uint32_t begun = l->taken < l->left ? (uint32_t)l->taken : l->left, rest = l->left - begun;
    hits += l->hits;
    misses += l->misses;
    if (i < d->m->program.deepest)
      d->next[i] = !l->full ? 0 : l->failed > rest ? l->failed : rest;
  }
  __atomic_fetch_add(&ms_gpu_reuse_hits, hits, __ATOMIC_RELAXED);
  __atomic_fetch_add(&ms_gpu_reuse_misses, misses, __ATOMIC_RELAXED);
}

/* ---- roots ---------------------------------------------------------------------------- */

/* The first rows come soon, the later ones in large batches. */
static void widen(drive *d)
{
  ms_reuse_launch *l = &d->m->launch;
  uint64_t most = d->m->most_children;
  if (!d->m->listing)
    return;
  l->last_room =
      l->last_room == MS_REUSE_MOST ? ms_gpu_pattern_first_rows : l->last_room * LARGER_OUTPUT;
  l->last_room = l->last_room > most ? l->last_room : most;
  l->last_room = l->last_room < MS_REUSE_MOST ? l->last_room : MS_REUSE_MOST - 1;
}

/* What a chain found. */
static ms_status take_result(drive *d)
{
  uint32_t first, count = ms_reuse_deepest(d->m, &first);
  ms_gpu_sum roots = {.digit = {count}};
  ms_gpu_rows rows = ms_reuse_rows(d->m);
  if (d->m->listing)
    return ms_gpu_emit(&d->s->sink, &rows, first, count, d->s->task->stop, d->err);
  ms_gpu_share_add(d->s, d->m->finishes ? &d->m->runner.search.seen->sum : &roots);
  return MS_OK;
}

/* Everything below the roots of level 0, the deepest levels first. */
static ms_status descend(drive *d)
{
  uint32_t depth = 0, deepest = d->m->program.deepest;
  memset(d->next, 0, sizeof d->next);
  begin_level(d, 0, UINT32_MAX);
  for (bool roots = true;; roots = false) {
    widen(d);
    ms_status status = ms_reuse_chain(d->m, depth, roots, d->s->task->stop, d->err);
    bool stopped = ms_gpu_is_stop(status);
    if (status != MS_OK && !(stopped && d->m->finishes))
      return status;
    note_batches(d, depth);
    ms_status taken = take_result(d);
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

/* Roots [first, end), the last ones first: in an index those of the highest degrees. */
static ms_status do_roots(drive *d, uint64_t first, uint64_t end)
{
  uint64_t room = ms_reuse_root_room(d->m);
  ms_status status = MS_OK;
  while (status == MS_OK && first < end && !atomic_load(&d->s->halt)) {
    uint64_t some = end - first < room ? end - first : room;
    end -= some;
    d->m->launch.first_root = end;
    d->m->launch.roots = (uint32_t)some;
    status = ms_stop_check(d->s->task->stop);
    if (status == MS_OK)
      status = descend(d);
  }
  return status;
}

/* ---- the engine --------------------------------------------------------------------------- */

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  uint64_t first, end, all = ms_gpu_task_roots(s->task);
  ms_reuse_machine *m = ms_calloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "a search on a GPU");
  drive d = {.s = s, .m = m, .err = err};
  ms_status status = ms_reuse_machine_open(m, s->task->program, device, s->sink.threads,
                                           s->sink.make != NULL, err);
  while (status == MS_OK && ms_gpu_share_take(s, all, &first, &end))
    status = do_roots(&d, first, end);
  ms_gpu_context_note(&m->runner.match.gpu, status);
  ms_reuse_machine_close(m);
  ms_free(m);
  return status;
}

/* Plans for this engine have no table.  One stands for the sets that it counts,
 * and there are none to keep: a program with one is as the engine `dfs` does it. */
static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return task->program->table ? ms_pattern_engine_dfs.count(task, sum, err)
                              : ms_gpu_task_count(task, work, sum, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  return ms_gpu_task_list(task, work, make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_reuse = {
    .name = "reuse",
    .tables = MS_TABLE_NONE,
    .devices = ms_gpu_task_devices,
    .takes = ms_gpu_task_takes,
    .count = count,
    .list = list,
};
