/* A block's part of hypersearch (gpu/match/flood/flood_device.h): its pools, the current batch, and
 * the choice of the next job.  All threads of the block call these functions together, unless
 * the comment says that one thread does; barriers are where the comments say. */
#ifndef MS_GPU_MATCH_FLOOD_POOLS_CUH
#define MS_GPU_MATCH_FLOOD_POOLS_CUH

#include "gpu/common/warp.cuh"
#include "gpu/common/wide.cuh"
#include "gpu/match/flood/flood_device.h"
#include "gpu/match/squares/conjunction.cuh"

enum { MS_FLOOD_NONE, MS_FLOOD_FETCH, MS_FLOOD_WORK }; /* jobs of a block */

/* What one thread sees. */
typedef struct ms_flood {
  const ms_flood_search *a;
  ms_flood_block *block;
  ms_flood_batch *batch;
  uint32_t *size; /* [n_masks] of each path of a batch */
  uint32_t *near_pools;
  uint32_t thread, threads;
  ms_wide sum; /* belongs to the thread */
} ms_flood;

MS_DEVICE uint32_t ms_flood_candidate(const conj_span &span, uint32_t at)
{
  return span.ids ? span.ids[at] : span.lo + at;
}

MS_DEVICE void ms_flood_child(const uint32_t *row, uint32_t level, uint32_t v, uint32_t *to)
{
  to[0] = 0;
  for (uint32_t i = 1; i <= level + 1; i++)
    to[i] = row[i];
  to[level + 2] = v;
}

/* Returns the row of a path of the batch. */
MS_DEVICE uint32_t *ms_flood_row(const ms_flood &f, uint32_t level, uint32_t i)
{
  return f.block->pool[level] + (uint64_t)(f.block->count[level] - 1 - i) * ms_flood_words(level);
}

/* ---- begin and end ---------------------------------------------------------------- */

MS_DEVICE void ms_flood_copy(const uint32_t *from, uint32_t *to, uint64_t words, const ms_flood &f)
{
  for (uint64_t i = f.thread; i < words; i += f.threads)
    to[i] = from[i];
}

template <typename pointer>
MS_DEVICE void ms_flood_move(pointer *at, const uint8_t *from, const uint8_t *to)
{
  *at = (pointer)(to + ((const uint8_t *)*at - from));
}

/* Places the program, and its tables if the block copies them; called by one thread. */
MS_DEVICE void ms_flood_place(const ms_flood &f, const uint8_t *tables)
{
  const ms_flood_search &a = *f.a;
  ms_flood_block *b = f.block;
  const uint8_t *from = (const uint8_t *)a.program.set;
  uint32_t *at = f.near_pools, *far = a.far + ms_block() * a.far_words;
  b->program = a.program;
  if (a.table_bytes > 0) {
    ms_flood_move(&b->program.set, from, tables);
    ms_flood_move(&b->program.link, from, tables);
    ms_flood_move(&b->program.bits, from, tables);
    ms_flood_move(&b->program.term, from, tables);
  }
  for (uint32_t level = 0; level <= a.deepest; level++) {
    uint32_t **next = level < a.near_level ? &far : &at;
    b->pool[level] = *next;
    *next += a.room * ms_flood_words(level);
    b->count[level] = 0;
    b->per_path[level] = level < a.deepest ? (uint32_t)MS_FLOOD_GUESS : 1;
  }
  b->dry = b->full = 0;
  for (int i = 0; i < MS_SUM_DIGITS; i++)
    b->sum.digit[i] = 0;
}

/* Begins a launch; ends with a barrier. */
MS_DEVICE ms_flood ms_flood_begin(const ms_flood_search &a, uint8_t *shared)
{
  uint8_t *tables = shared + sizeof(ms_flood_block) + sizeof(ms_flood_batch);
  ms_flood f = {};
  f.a = &a;
  f.block = (ms_flood_block *)shared;
  f.batch = (ms_flood_batch *)(shared + sizeof(ms_flood_block));
  f.size = (uint32_t *)(tables + (a.table_bytes + 15) / 16 * 16);
  f.near_pools = f.size + ms_flood_size_words(a.action, a.program.n_masks);
  f.thread = ms_warp() * MS_LANES + ms_lane();
  f.threads = MS_FLOOD_WARPS * MS_LANES;
  ms_flood_copy((const uint32_t *)a.program.set, (uint32_t *)tables, a.table_bytes / 4, f);
  if (f.thread == 0)
    ms_flood_place(f, tables);
  ms_sync_block();
  if (a.again) {
    const uint32_t *saved = a.saved + ms_block() * a.saved_words;
    ms_flood_copy(saved, f.block->count, a.deepest + 1, f);
    ms_flood_copy(saved + MS_FLOOD_LEVELS, f.near_pools, a.saved_words - MS_FLOOD_LEVELS, f);
    ms_sync_block();
  }
  return f;
}

/* Adds what the threads have counted, and saves what the next launch continues with. */
MS_DEVICE void ms_flood_end(ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  if (!ms_wide_is_zero(f.sum))
    ms_wide_add_to(f.sum, &f.block->sum);
  ms_sync_block();
  for (uint32_t i = f.thread; i < MS_SUM_DIGITS; i += f.threads)
    if (f.block->sum.digit[i])
      ms_add(&a.queue->sum.digit[i], f.block->sum.digit[i]);
  if (a.saved) {
    uint32_t *saved = a.saved + ms_block() * a.saved_words;
    ms_flood_copy(f.block->count, saved, a.deepest + 1, f);
    ms_flood_copy(f.near_pools, saved + MS_FLOOD_LEVELS, a.saved_words - MS_FLOOD_LEVELS, f);
  }
  if (f.thread == 0 && f.block->full)
    ms_add(&a.queue->left, 1u);
}

/* ---- the next job ------------------------------------------------------------------- */

/* Takes paths from the queue; called by one thread.  False if none is left. */
MS_DEVICE bool ms_flood_take(const ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  ms_flood_block *b = f.block;
  uint64_t all = a.first.count + a.second.count;
  unsigned long long taken = ms_peek(&a.queue->next);
  uint64_t left = taken < all ? all - taken : 0, some = left / (4 * (uint64_t)a.blocks);
  uint32_t most =
      a.room - a.enough + 1; /* pools that do not fill the threads have room for this many */
  uint32_t fill = MS_FLOOD_PAIRS / b->per_path[a.base] + 1;
  most = most < fill ? most : fill;
  some = some < 1 ? 1 : some > most ? most : some;
  if (left > 0)
    taken = ms_add(&a.queue->next, (unsigned long long)some);
  if (taken >= all)
    return false;
  b->at = taken;
  b->some = (uint32_t)(some < all - taken ? some : all - taken);
  return true;
}

/* Chooses the next job; called by one thread. */
MS_DEVICE void ms_flood_choose(const ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  ms_flood_block *b = f.block;
  uint32_t shallowest = MS_FLOOD_LEVELS;
  b->job = MS_FLOOD_NONE;
  if (b->full || ms_peek(&a.queue->stop))
    return;
  for (uint32_t level = a.deepest + 1; level-- > 0;) {
    uint32_t count = b->count[level];
    shallowest = count > 0 ? level : shallowest;
    if (count >= a.enough || (uint64_t)count * b->per_path[level] >= MS_FLOOD_PAIRS) {
      b->job = MS_FLOOD_WORK;
      b->level = level;
      return;
    }
  }
  if (!b->dry && ms_flood_take(f)) {
    b->job = MS_FLOOD_FETCH;
    return;
  }
  b->dry = 1;
  b->level = shallowest;
  if (shallowest < MS_FLOOD_LEVELS)
    b->job = MS_FLOOD_WORK;
}

/* Copies the paths that were taken to their pools; the paths of `second`, whose vertices have
 * higher degrees, come first. */
MS_DEVICE void ms_flood_fetch(const ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  for (uint32_t i = f.thread; i < f.block->some; i += f.threads) {
    uint64_t number = f.block->at + i;
    bool is_first = number >= a.second.count;
    uint32_t level = a.base + !is_first, words = ms_flood_words(level);
    const uint32_t *from =
        is_first ? a.first.row + (number - a.second.count) * words : a.second.row + number * words;
    if (from[0] == MS_FLOOD_DONE)
      continue;
    uint32_t place = ms_add(&f.block->count[level], 1u);
    MS_EXPECT(place < a.room);
    uint32_t *to = f.block->pool[level] + place * words;
    for (uint32_t j = 0; j < level + 2; j++)
      to[j] = from[j];
  }
}

/* ---- a batch ------------------------------------------------------------------------- */

/* Returns the sum of x over this thread and those before it; *total is the sum over all.  It
 * contains one barrier, and the caller puts another one between two calls. */
MS_DEVICE unsigned long long ms_flood_scan(const ms_flood &f, unsigned long long x, uint64_t *total)
{
  unsigned long long before = 0, all = 0;
  for (uint32_t apart = 1; apart < MS_LANES; apart *= 2) {
    uint32_t lane = ms_lane();
    unsigned long long y = ms_of_lane(x, lane >= apart ? lane - apart : lane);
    x += lane >= apart ? y : 0;
  }
  if (ms_lane() == MS_LANES - 1)
    f.block->warp_total[ms_warp()] = x;
  ms_sync_block();
  for (uint32_t w = 0; w < MS_FLOOD_WARPS; w++) {
    before += w < ms_warp() ? f.block->warp_total[w] : 0;
    all += f.block->warp_total[w];
  }
  *total = all;
  return before + x;
}

/* Makes what is left of a span from candidate `next` on this thread's path of the batch; length
 * 0: it has none.  Returns the number of all candidates.  Ends with a barrier. */
MS_DEVICE uint64_t ms_flood_enter(const ms_flood &f, const conj_span &span, uint32_t next)
{
  uint64_t total;
  unsigned long long end = ms_flood_scan(f, span.length - next, &total);
  f.batch->end[f.thread] = end;
  f.batch->ids[f.thread] = span.ids ? span.ids + next : NULL;
  f.batch->lo[f.thread] = span.lo + next;
  f.batch->link[f.thread] = span.link;
  ms_sync_block();
  return total;
}

/* Returns the path to which candidate number e belongs, `from` or a later one; called by one
 * thread. */
MS_DEVICE uint32_t ms_flood_path_of(const ms_flood &f, uint64_t e, uint32_t from)
{
  const unsigned long long *end = f.batch->end;
  uint32_t to = f.threads - 1;
  if (end[from] > e)
    return from;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (end[middle] > e)
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

/* Calls use(path, row, candidate, fits) for each of the pairs [begin, end) of the batch.  The
 * lanes of a warp call it together, some of them with a pair that does not fit. */
template <typename user>
MS_DEVICE void ms_flood_pairs(const ms_flood &f, uint32_t level, const ms_conjunction_set &set,
                              uint64_t begin, uint64_t end, const user &use)
{
  uint32_t path = 0;
  for (uint64_t first = begin + ms_warp() * MS_LANES; first < end; first += f.threads) {
    uint64_t e = first + ms_lane();
    uint32_t v = 0;
    const uint32_t *row = NULL;
    bool fits = false;
    if (e < end) {
      path = ms_flood_path_of(f, e, path);
      uint32_t at = (uint32_t)(e - (path > 0 ? f.batch->end[path - 1] : 0));
      conj_span span = {f.batch->ids[path], 0, f.batch->lo[path], f.batch->link[path]};
      row = ms_flood_row(f, level, path);
      v = ms_flood_candidate(span, at);
      fits = conj_fits(f.block->program, set, row + 1, span.link, v);
    }
    use(path, row, v, fits);
  }
}

#endif
