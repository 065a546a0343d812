/* The engine `reuse` as its warps see it (gpu/match/reuse/reuse_device.h): one warp for
 * each entry.
 *
 * The path from the root to an entry is kept in the place of a walk's waiting
 * levels, of which there are none here.
 *
 * What is expected to bound it: a binary search for each element of a short list,
 * in L1 and L2, as in dfs (gpu/match/dfs/dfs.cu); in addition each entry's climb, a
 * chain of two loads for each level, and data that is written once and read once,
 * 8 bytes for an entry and 4 for an element of a set.  To try next: several short
 * entries for each warp. */
#ifndef MS_GPU_MATCH_REUSE_CUH
#define MS_GPU_MATCH_REUSE_CUH

#include "gpu/match/dfs/dfs_block.cuh"
#include "gpu/match/reuse/reuse_device.h"

enum { MS_REUSE_STRETCH = 16 }; /* entries that a warp takes at a time, at most */

/* The place of a level in a launch, and the room that it has. */
typedef struct ms_reuse_area {
  uint32_t base, count, left;
  uint32_t to;   /* the first child */
  uint32_t pool; /* the first word of sets */
  uint64_t room, words;
} ms_reuse_area;

typedef struct ms_reuse_walk {
  ms_walk walk;
  const ms_reuse_launch *launch;
  ms_reuse_area area;
  uint32_t *path;  /* [depth + 1] the warp's, in shared memory: entries by level */
  uint32_t parent; /* of the current entry; UINT32_MAX: there was none */
  uint32_t hits, misses;
} ms_reuse_walk;

/* ---- levels --------------------------------------------------------------------- */

/* Returns the number of children, and of words of sets, of a level that was expanded. */
MS_DEVICE uint32_t ms_reuse_children(const ms_reuse_level &l)
{
  return l.full ? l.children : (uint32_t)l.cursor;
}

MS_DEVICE uint32_t ms_reuse_words(const ms_reuse_level &l)
{
  return l.full ? l.words : (uint32_t)(l.cursor >> 32);
}

/* Divides the free memory: each level may take its share, the deepest one all of it. */
MS_DEVICE ms_reuse_area ms_reuse_area_of(const ms_reuse_launch &a, uint32_t depth)
{
  uint32_t deepest = a.program->deepest;
  ms_reuse_area area = {0, a.roots, 0, 0, 0, 0, 0};
  if (depth > 0) {
    const ms_reuse_level &before = a.level[depth - 1];
    area.base = before.base + before.count;
    area.count = ms_reuse_children(before);
    area.pool = before.pool + ms_reuse_words(before);
  }
  area.left = a.level[depth].limit < area.count ? a.level[depth].limit : area.count;
  area.to = area.base + area.count;
  if (depth + 1 < deepest) {
    area.room = (a.inner - area.to) / (deepest - depth - 1);
  } else if (depth < deepest) {
    area.room = a.entries - area.to;
    area.room = area.room < a.last_room ? area.room : a.last_room;
  }
  if (a.program->stores[depth] > 0)
    area.words = (a.words - area.pool) / a.program->stores_left[depth];
  return area;
}

MS_DEVICE ms_reuse_walk ms_reuse_walk_of(const ms_reuse_launch &a, uint8_t *shared, uint32_t depth)
{
  ms_reuse_walk r = {};
  r.walk = ms_walk_of(a.walk, shared, false);
  r.launch = &a;
  r.area = ms_reuse_area_of(a, depth);
  r.path = (uint32_t *)r.walk.level;
  r.parent = UINT32_MAX;
  if (ms_block() == 0 && ms_warp() == 0 && ms_lane() == 0) { /* for later launches */
    ms_reuse_level &l = a.level[depth];
    l.base = r.area.base;
    l.count = r.area.count;
    l.left = r.area.left;
    l.pool = r.area.pool;
  }
  return r;
}

MS_DEVICE void ms_reuse_end(const ms_reuse_launch &a, uint8_t *shared, const ms_reuse_walk &r,
                            uint32_t depth)
{
  if (ms_lane() == 0 && r.hits > 0)
    ms_add(&a.level[depth].hits, (unsigned long long)r.hits);
  if (ms_lane() == 0 && r.misses > 0)
    ms_add(&a.level[depth].misses, (unsigned long long)r.misses);
  ms_end_block(a.walk, shared, r.walk);
}

/* Takes the next entries, the last ones first: [*first, *last) of the level.  `taken`: the
 * number taken when this warp last took some.  False if none is left, if there is no room for
 * more, or if the host has asked to stop. */
MS_DEVICE bool ms_reuse_take(const ms_reuse_walk &r, uint32_t depth, uint64_t *taken,
                             uint32_t *first, uint32_t *last)
{
  const ms_reuse_launch &a = *r.launch;
  ms_reuse_level *l = &a.level[depth];
  uint64_t left = r.area.left, warps = (uint64_t)a.walk.blocks * a.walk.warps;
  uint64_t size = *taken < left ? (left - *taken) / (4 * warps) : 0;
  unsigned long long at = left;
  size = size < 1 ? 1 : size > MS_REUSE_STRETCH ? (uint64_t)MS_REUSE_STRETCH : size;
  if (ms_lane() == 0 && !ms_peek(&l->full) && !ms_peek(&r.walk.queue->stop))
    at = ms_add(&l->taken, (unsigned long long)size);
  at = ms_of_lane(at, 0);
  *taken = at;
  if (at >= left)
    return false;
  *last = (uint32_t)(left - at);
  *first = *last > size ? *last - (uint32_t)size : 0;
  return true;
}

/* ---- an entry --------------------------------------------------------------------- */

/* Reads the matches and entries from the root to this one. */
MS_DEVICE void ms_reuse_climb(const ms_reuse_walk &r, uint32_t depth, uint32_t entry)
{
  const ms_reuse_launch &a = *r.launch;
  ms_sync_warp();
  if (ms_lane() == 0)
    for (uint32_t level = depth;; level--) {
      r.path[level] = entry;
      r.walk.match[level] = a.vertex[entry];
      if (level == 0)
        break;
      entry = a.parent[entry];
    }
  ms_sync_warp();
}

/* Returns a set that is kept beside an entry. */
MS_DEVICE ms_device_span ms_reuse_kept(const ms_reuse_launch &a, uint32_t entry, uint32_t set)
{
  const uint32_t *head = a.pool + a.place[entry].sets + 2 * a.program->set[set].store;
  ms_device_span s = {a.pool + head[0], 0, head[1]};
  return s;
}

/* Reads the sets of earlier levels that are needed. */
MS_DEVICE void ms_reuse_load_sets(ms_reuse_walk &r, uint32_t depth)
{
  const ms_reuse_launch &a = *r.launch;
  for (uint64_t left = a.program->wanted[depth]; left; left &= left - 1) {
    uint32_t low = (uint32_t)left,
             i = low ? ms_lowest(low) : 32 + ms_lowest((uint32_t)(left >> 32));
    const ms_device_set &s = r.walk.p->set[i];
    if (s.parent < 0)
      ms_keep_set(r.walk, i, ms_cut_row(r.walk, s, ms_bounds_of(r.walk, s)));
    else
      ms_keep_set(r.walk, i, ms_reuse_kept(a, r.path[a.program->set[i].at], i));
  }
}

/* Makes an entry the current one.  Most entries have the same parent as the one before, and with
 * it the same sets of earlier levels. */
MS_DEVICE void ms_reuse_enter(ms_reuse_walk &r, uint32_t depth, uint32_t entry)
{
  const ms_reuse_launch &a = *r.launch;
  uint32_t parent = ms_of_lane(a.parent[entry], 0);
  if (depth == 0 || parent != r.parent) {
    ms_reuse_climb(r, depth, entry);
    ms_reuse_load_sets(r, depth);
    r.parent = parent;
    return;
  }
  ms_sync_warp();
  if (ms_lane() == 0) {
    r.path[depth] = entry;
    r.walk.match[depth] = a.vertex[entry];
  }
  ms_sync_warp();
}

/* ---- cached sets ------------------------------------------------------------------------ */

/* True if the entry is in the level's batch, with its sets and its children.  Some entries that
 * were not begun belong to earlier batches. */
MS_DEVICE bool ms_reuse_is_there(const ms_reuse_launch &a, uint32_t level, uint32_t entry)
{
  const ms_reuse_level &l = a.level[level];
  uint32_t at = entry - l.base;
  return at < l.left && l.left - at <= l.taken && a.place[entry].count < MS_REUSE_GONE;
}

/* Searches from the common ancestor downward.  False if there is no such entry. */
MS_DEVICE bool ms_reuse_find(const ms_reuse_walk &r, const ms_reuse_cover &c, ms_device_span *found)
{
  const ms_reuse_launch &a = *r.launch;
  uint32_t entry = c.first > 0 ? r.path[c.first - 1] : 0, first = 0, count = a.roots;
  for (uint32_t level = c.first; level <= c.at; level++) {
    uint32_t v = r.walk.match[c.from[level]];
    if (level > 0) {
      first = a.place[entry].first;
      count = a.place[entry].count;
    }
    uint32_t at = (uint32_t)ms_lower_bound_of(a.vertex + first, count, v);
    if (at >= count || a.vertex[first + at] != v)
      return false;
    entry = first + at;
    if (!ms_reuse_is_there(a, level, entry))
      return false;
  }
  *found = ms_reuse_kept(a, entry, (uint32_t)c.set);
  return true;
}

/* Does the same as ms_compute_set, by a cached set if that is there. */
MS_DEVICE bool ms_reuse_compute_set(ms_reuse_walk &r, uint32_t i)
{
  const ms_device_set &s = r.walk.p->set[i];
  const ms_reuse_cover &c = r.launch->program->set[i].cover;
  ms_device_span found;
  if (c.set < 0)
    return ms_compute_set(r.walk, i);
  if (!c.whole && ms_row_at(r.walk, s.kind, r.walk.match[s.level]).length < r.launch->long_row)
    return ms_compute_set(r.walk, i);
  if (!ms_reuse_find(r, c, &found)) {
    r.misses++;
    return ms_compute_set(r.walk, i);
  }
  r.hits++;
  ms_bounds b = ms_bounds_of(r.walk, s);
  found = ms_cut(found, b);
  if (!c.whole)
    return ms_make_set(r.walk, i, found, false, b);
  ms_keep_set(r.walk, i, found);
  return found.length >= s.need;
}

MS_DEVICE bool ms_reuse_compute_sets(ms_reuse_walk &r, uint32_t level)
{
  const ms_device_program &p = *r.walk.p;
  for (uint32_t i = p.level_sets[level]; i < p.level_sets[level + 1]; i++)
    if (!ms_reuse_compute_set(r, p.by_level[i]))
      return false;
  return true;
}

/* ---- expansion -------------------------------------------------------------------------- */

/* True if every candidate fits by itself. */
MS_DEVICE bool ms_reuse_all_fit(const ms_device_step &step)
{
  return !step.test_bits && !(step.distinct | step.n_tests);
}

MS_DEVICE uint32_t ms_reuse_count_children(const ms_reuse_walk &r, const ms_device_step &step,
                                           const ms_device_span &span)
{
  uint32_t count = 0;
  if (ms_reuse_all_fit(step))
    return span.length;
  for (uint64_t first = 0; first < span.length; first += MS_LANES) {
    uint64_t i = first + ms_lane();
    count += ms_count_bits(
        ms_ballot(i < span.length && ms_fits(r.walk, step, ms_candidate_at(span, (uint32_t)i))));
  }
  return count;
}

MS_DEVICE void ms_reuse_write_children(const ms_reuse_walk &r, uint32_t depth, uint32_t entry,
                                       const ms_device_span &span, uint32_t to)
{
  const ms_reuse_launch &a = *r.launch;
  const ms_device_step &step = r.walk.p->step[depth + 1];
  bool all_fit = ms_reuse_all_fit(step), expanded = depth + 1 < a.program->deepest;
  for (uint64_t first = 0; first < span.length; first += MS_LANES) {
    uint64_t i = first + ms_lane();
    uint32_t v = i < span.length ? ms_candidate_at(span, (uint32_t)i) : 0;
    uint32_t mask = ms_ballot(i < span.length && (all_fit || ms_fits(r.walk, step, v))),
             at = to + ms_rank(mask);
    if (mask >> ms_lane() & 1) {
      MS_EXPECT(at < (expanded ? a.inner : a.entries));
      a.vertex[at] = v;
      a.parent[at] = entry;
      if (expanded)
        a.place[at].count = MS_REUSE_WAITS;
    }
    to += ms_count_bits(mask);
  }
}

/* Returns the number of elements to copy to the pool; sets that are in it already, and sets that
 * are only counted, need none. */
MS_DEVICE uint32_t ms_reuse_to_copy(const ms_reuse_walk &r, uint32_t i)
{
  const ms_reuse_launch &a = *r.launch;
  const ms_device_span &s = r.walk.set[i];
  bool is_there = (uintptr_t)s.ids - (uintptr_t)a.pool < a.words * sizeof *a.pool;
  return is_there || r.walk.p->set[i].count_only ? 0 : s.length;
}

MS_DEVICE uint64_t ms_reuse_count_words(const ms_reuse_walk &r, uint32_t depth)
{
  const ms_reuse_launch &a = *r.launch;
  const ms_device_program &p = *r.walk.p;
  uint64_t words = 0;
  for (uint32_t k = p.level_sets[depth]; k < p.level_sets[depth + 1]; k++) {
    uint32_t i = p.by_level[k];
    if (a.program->set[i].store != MS_REUSE_NONE)
      words += 2 + ms_reuse_to_copy(r, i);
  }
  return words;
}

MS_DEVICE void ms_reuse_write_sets(const ms_reuse_walk &r, uint32_t depth, uint32_t pool)
{
  const ms_reuse_launch &a = *r.launch;
  const ms_device_program &p = *r.walk.p;
  uint32_t at = pool + 2 * a.program->stores[depth];
  for (uint32_t k = p.level_sets[depth]; k < p.level_sets[depth + 1]; k++) {
    uint32_t i = p.by_level[k], store = a.program->set[i].store;
    if (store == MS_REUSE_NONE)
      continue;
    const ms_device_span s = r.walk.set[i];
    uint32_t copied = ms_reuse_to_copy(r, i);
    bool counted = p.set[i].count_only;
    if (ms_lane() == 0) {
      a.pool[pool + 2 * store] = counted        ? 0
                                 : copied > 0   ? at
                                 : s.length > 0 ? (uint32_t)(s.ids - a.pool)
                                                : 0;
      a.pool[pool + 2 * store + 1] = s.length;
    }
    MS_EXPECT((uint64_t)at + copied <= a.words);
    for (uint32_t e = ms_lane(); e < copied; e += MS_LANES)
      a.pool[at + e] = s.ids[e];
    at += copied;
  }
}

/* Reserves places for children and words, *to and *pool, relative to the area.  False if there
 * is no room; then all later calls fail, too. */
MS_DEVICE bool ms_reuse_reserve(const ms_reuse_walk &r, uint32_t depth, uint32_t entry,
                                uint32_t children, uint64_t words, uint32_t *to, uint32_t *pool)
{
  const ms_reuse_area &area = r.area;
  ms_reuse_level *l = &r.launch->level[depth];
  unsigned long long before = 0;
  if (ms_lane() == 0)
    before = ms_add(&l->cursor, (unsigned long long)words << 32 | children);
  before = ms_of_lane(before, 0);
  *to = (uint32_t)before;
  *pool = (uint32_t)(before >> 32);
  if ((uint64_t)*to + children <= area.room && *pool + words <= area.words)
    return true;
  if (ms_lane() == 0) {
    if (*to <= area.room && *pool <= area.words) { /* the first that does not fit */
      l->children = *to;
      l->words = *pool;
    }
    ms_max(&l->failed, entry - area.base + 1);
    ms_max(&l->full, 1);
  }
  return false;
}

MS_DEVICE void ms_reuse_put(const ms_reuse_launch &a, uint32_t entry, const ms_reuse_place &place)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    a.place[entry] = place;
}

/* Expands an entry.  False if there is no room for it. */
MS_DEVICE bool ms_reuse_expand_entry(ms_reuse_walk &r, uint32_t depth, uint32_t entry)
{
  const ms_reuse_launch &a = *r.launch;
  ms_reuse_place made = {0, MS_REUSE_GONE, 0};
  ms_reuse_enter(r, depth, entry);
  if (ms_reuse_compute_sets(r, depth)) {
    const ms_device_span span = ms_candidates(r.walk, depth + 1);
    uint32_t children = ms_reuse_count_children(r, r.walk.p->step[depth + 1], span), to, pool;
    if (!ms_reuse_reserve(r, depth, entry, children, ms_reuse_count_words(r, depth), &to, &pool))
      return false;
    made.first = r.area.to + to;
    made.count = children;
    made.sets = r.area.pool + pool;
    ms_reuse_write_sets(r, depth, made.sets);
    ms_reuse_write_children(r, depth, entry, span, made.first);
  }
  ms_reuse_put(a, entry, made);
  return true;
}

/* True if an earlier batch has done the entry: its children are gone and must not be found. */
MS_DEVICE bool ms_reuse_was_done(const ms_reuse_launch &a, uint32_t entry)
{
  const ms_reuse_place gone = {0, MS_REUSE_GONE, 0};
  bool done = ms_of_lane(a.place[entry].count, 0) != MS_REUSE_WAITS;
  if (done)
    ms_reuse_put(a, entry, gone);
  return done;
}

MS_DEVICE void ms_reuse_expand(const ms_reuse_launch &a, uint8_t *shared)
{
  ms_begin_block(a.walk, shared, false);
  ms_reuse_walk r = ms_reuse_walk_of(a, shared, a.depth);
  uint64_t taken = 0;
  uint32_t first, last;
  bool room = true;
  while (room && ms_reuse_take(r, a.depth, &taken, &first, &last))
    for (; last > first; last--) {
      uint32_t entry = r.area.base + last - 1;
      if (!ms_reuse_was_done(a, entry))
        room = room && ms_reuse_expand_entry(r, a.depth, entry);
    }
  ms_reuse_end(a, shared, r, a.depth);
}

/* ---- the deepest level -------------------------------------------------------------------- */

MS_DEVICE void ms_reuse_finish_entry(ms_reuse_walk &r, uint32_t depth, uint32_t entry)
{
  ms_reuse_enter(r, depth, entry);
  if (!ms_reuse_compute_sets(r, depth))
    return;
  if (depth + 1 == r.walk.p->prefix) {
    ms_add_tail(r.walk);
    return;
  }
  ms_walk_level here = ms_level_of(ms_candidates(r.walk, depth + 1), 0);
  ms_count_level(r.walk, &here);
}

/* Counts the matches below the deepest level's entries. */
MS_DEVICE void ms_reuse_finish(const ms_reuse_launch &a, uint8_t *shared)
{
  uint32_t depth = a.program->deepest, first, last;
  uint64_t taken = 0;
  ms_begin_block(a.walk, shared, false);
  ms_reuse_walk r = ms_reuse_walk_of(a, shared, depth);
  while (ms_reuse_take(r, depth, &taken, &first, &last))
    for (; last > first; last--)
      ms_reuse_finish_entry(r, depth, r.area.base + last - 1);
  ms_reuse_end(a, shared, r, depth);
}

/* ---- one lane for each entry --------------------------------------------------------------- */

MS_DEVICE uint64_t ms_reuse_thread(const ms_reuse_launch &a)
{
  return ((uint64_t)ms_block() * a.walk.warps + ms_warp()) * MS_LANES + ms_lane();
}

MS_DEVICE void ms_reuse_roots(const ms_reuse_launch &a)
{
  const ms_device_step &step = a.walk.program->step[0];
  uint64_t threads = (uint64_t)a.walk.blocks * a.walk.warps * MS_LANES;
  for (uint64_t i = ms_reuse_thread(a); i < a.roots; i += threads) {
    uint64_t root = ms_classes_root(a.all_roots, a.classes, a.first_root + i);
    a.vertex[i] = step.list ? step.list[root] : step.domain.lo + (uint32_t)root;
    a.parent[i] = 0;
    if (a.program->deepest > 0)
      a.place[i].count = MS_REUSE_WAITS;
  }
}

/* Writes the matches of the deepest level, level by level, so that writes over the bus are in
 * order. */
MS_DEVICE void ms_reuse_gather(const ms_reuse_launch &a)
{
  uint64_t threads = (uint64_t)a.walk.blocks * a.walk.warps * MS_LANES;
  for (uint64_t i = ms_reuse_thread(a); i < a.row_count; i += threads) {
    uint32_t entry = (uint32_t)(a.first_row + i);
    for (uint32_t level = a.walk.program->prefix; level-- > 0;) {
      a.rows[level * a.row_room + i] = a.vertex[entry];
      entry = a.parent[entry];
    }
  }
}

MS_DEVICE void ms_reuse_do(const ms_reuse_launch &a, ms_reuse_job job, uint8_t *shared)
{
  if (job == MS_REUSE_ROOTS)
    ms_reuse_roots(a);
  else if (job == MS_REUSE_EXPAND)
    ms_reuse_expand(a, shared);
  else if (job == MS_REUSE_FINISH)
    ms_reuse_finish(a, shared);
  else
    ms_reuse_gather(a);
}

#endif
