#include "gpu/match/reuse_drive.h"

#include "base/status.h"
#include "gpu/match/engines.h"

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

/* ---- rows ------------------------------------------------------------------------------- */

/* All matches of a chain: a buffer is on its way while the other is handed on. */
static ms_status drain(drive *d)
{
  uint32_t first, all = ms_reuse_deepest(d->m, &first), which = 0;
  uint64_t room = d->m->launch.row_room, pending = 0, some = 0;
  const uint32_t *rows;
  ms_status status = MS_OK;
  for (uint64_t at = 0; status == MS_OK && (at < all || pending > 0) && !atomic_load(&d->s->halt);
       at += some) {
    some = all - at < room ? all - at : room;
    status = ms_stop_check(d->s->task->stop);
    if (status == MS_OK && some > 0)
      status = ms_reuse_fetch(d->m, which, first + at, some, d->err);
    which = 1 - which;
    if (status == MS_OK && pending > 0)
      status = ms_reuse_fetched(d->m, which, &rows, d->err);
    if (status == MS_OK && pending > 0)
      status = ms_gpu_share_emit(d->s, rows, pending, d->s->task->program->prefix, room, d->err);
    pending = some;
  }
  return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

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
  uint32_t first;
  if (d->m->listing)
    return drain(d);
  ms_device_sum roots = {.digit = {ms_reuse_deepest(d->m, &first)}};
  ms_gpu_share_add(d->s, d->m->finishes ? &d->m->runner.seen->sum : &roots);
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
    bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
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

ms_status ms_reuse_drive(ms_gpu_share *share, ms_reuse_machine *machine, ms_error *err)
{
  drive d = {.s = share, .m = machine, .err = err};
  uint64_t first, end, all = ms_gpu_share_roots(share->task);
  ms_status status = MS_OK;
  while (status == MS_OK && ms_gpu_share_take(share, all, &first, &end))
    status = do_roots(&d, first, end);
  return status;
}
