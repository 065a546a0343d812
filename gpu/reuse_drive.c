#include "gpu/reuse_drive.h"

#include "base/status.h"
#include "base/threads.h"
#include "gpu/pattern.h"

#include <string.h>

#define LARGER_OUTPUT 8u
enum { MOST_PARTS = 64 }; /* threads that make rows */

uint64_t ms_gpu_reuse_hits, ms_gpu_reuse_misses;

/* A device's part of a search. */
typedef struct drive {
  ms_reuse_search *s;
  ms_reuse_machine *m;
  ms_error *err;
  uint32_t next[MS_DEVICE_LEVELS]; /* [deepest] entries [0, next) of a level are not done yet */
} drive;

/* ---- roots ------------------------------------------------------------------------ */

/* The last ones that nobody has taken: in an index those of the highest degrees. */
static bool take_roots(drive *d)
{
  ms_reuse_search *s = d->s;
  uint64_t room = ms_reuse_root_room(d->m), some = s->grain > 0 && s->grain < room ? s->grain : room;
  uint64_t taken = atomic_fetch_add(&s->taken, some);
  if (taken >= s->roots)
    return false;
  some = s->roots - taken < some ? s->roots - taken : some;
  d->m->launch.first_root = s->roots - taken - some;
  d->m->launch.roots = (uint32_t)some;
  return true;
}

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

/* Rows [first, last) of a buffer into a segment of the output. */
static bool emit_part(drive *d, const uint32_t *rows, uint64_t first, uint64_t last, ms_segment *segment)
{
  ms_reuse_search *s = d->s;
  uint32_t ids[MS_MAX_PATTERN], row[MS_MAX_PATTERN], prefix = s->task->program->prefix;
  for (uint64_t i = first; i < last && !atomic_load_explicit(&s->halt, memory_order_relaxed); i++) {
    for (uint32_t j = 0; j < prefix; j++)
      ids[j] = rows[j * d->m->launch.row_room + i];
    if (!s->make(s->user, ids, row) || !ms_stream_add(s->stream, segment, row))
      return false;
  }
  return true;
}

/* By several threads, each a segment of its own. */
static ms_status emit(drive *d, const uint32_t *rows, uint64_t count)
{
  ms_reuse_search *s = d->s;
  ms_segment *segment[MOST_PARTS];
  int parts = ms_threads_for(s->threads, count * s->task->program->prefix * 16), opened = 0;
  parts = parts < MOST_PARTS ? parts : MOST_PARTS;
  while (opened < parts && (segment[opened] = ms_stream_open(s->stream, NULL)))
    opened++;
  if (opened == 0)
    return ms_fail_memory(d->err, "buffers of matches");
#pragma omp parallel for num_threads(opened) schedule(static, 1)
  for (int i = 0; i < opened; i++) {
    uint64_t first = count * (uint64_t)i / (uint64_t)opened, last = count * (uint64_t)(i + 1) / (uint64_t)opened;
    if (!emit_part(d, rows, first, last, segment[i])) {
      atomic_store(&s->halt, true);
      ms_stream_halt(s->stream);
    }
    ms_stream_close(s->stream, segment[i]);
  }
  return ms_stream_status(s->stream) == MS_ERR_MEMORY ? ms_fail_memory(d->err, "buffers of matches") : MS_OK;
}

/* All matches of a chain: a buffer is on its way while the other is handed on. */
static ms_status drain(drive *d)
{
  uint32_t first, all = ms_reuse_deepest(d->m, &first), which = 0;
  uint64_t room = d->m->launch.row_room, pending = 0, some = 0;
  const uint32_t *rows;
  ms_status status = MS_OK;
  for (uint64_t at = 0; status == MS_OK && (at < all || pending > 0) && !atomic_load(&d->s->halt); at += some) {
    some = all - at < room ? all - at : room;
    status = ms_stop_check(d->s->task->stop);
    if (status == MS_OK && some > 0)
      status = ms_reuse_fetch(d->m, which, first + at, some, d->err);
    which = 1 - which;
    if (status == MS_OK && pending > 0)
      status = ms_reuse_fetched(d->m, which, &rows, d->err);
    if (status == MS_OK && pending > 0)
      status = emit(d, rows, pending);
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
  l->last_room = l->last_room == MS_REUSE_MOST ? ms_gpu_pattern_first_rows : l->last_room * LARGER_OUTPUT;
  l->last_room = l->last_room > most ? l->last_room : most;
  l->last_room = l->last_room < MS_REUSE_MOST ? l->last_room : MS_REUSE_MOST - 1;
}

/* What a chain found. */
static ms_status take_result(drive *d, mpz_ptr sum)
{
  uint32_t first;
  if (d->m->listing)
    return drain(d);
  if (d->m->finishes)
    ms_gpu_runner_total(&d->m->runner, sum);
  else
    mpz_add_ui(sum, sum, ms_reuse_deepest(d->m, &first)); /* the roots themselves */
  return MS_OK;
}

/* Everything below the roots of level 0, the deepest levels first. */
static ms_status descend(drive *d, mpz_ptr sum)
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
    ms_status taken = take_result(d, sum);
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

ms_status ms_reuse_drive(ms_reuse_search *search, ms_reuse_machine *machine, mpz_ptr sum, ms_error *err)
{
  drive d = {.s = search, .m = machine, .err = err};
  ms_status status = MS_OK;
  while (status == MS_OK && !atomic_load(&search->halt) && take_roots(&d)) {
    status = ms_stop_check(search->task->stop);
    if (status == MS_OK)
      status = descend(&d, sum);
  }
  return status;
}
