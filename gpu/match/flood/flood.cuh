/* Flooding and hypersearch (gpu/match/flood/flood_device.h): what a block does with its paths. */
#ifndef MS_GPU_MATCH_FLOOD_CUH
#define MS_GPU_MATCH_FLOOD_CUH

#include "gpu/match/flood/flood_pools.cuh"

/* Candidates that a thread tries by itself before its warp helps. */
#ifndef MS_FLOOD_ALONE
#define MS_FLOOD_ALONE 64u
#endif

/* ---- flooding: a thread a path ------------------------------------------------------- */

/* Writes the path of root number i.  The last roots, whose degrees are the highest, come first,
 * so that the paths for which there is no room are small ones. */
MS_DEVICE void ms_flood_root(const ms_conjunction_program &p, uint64_t i, uint32_t *row)
{
  i = ms_classes_root(p.n_roots, p.classes, i);
  row[0] = 0;
  row[1] = p.root_list ? p.root_list[i] : p.first_root + (uint32_t)i;
}

/* Writes children for the lanes whose v fits; one atomic addition reserves the room for all.
 * False, for one lane, if there was no room for its child. */
MS_DEVICE bool ms_flood_put(const ms_flood_step &a, const uint32_t *row, uint32_t v, bool fits)
{
  uint32_t mask = ms_ballot(fits);
  unsigned long long place = 0;
  if (mask == 0)
    return true;
  if (ms_lane() == 0)
    place = ms_add(&a.queue->rows, (unsigned long long)ms_count_bits(mask));
  place = ms_of_lane(place, 0) + ms_rank(mask);
  if (!fits)
    return true;
  if (place >= a.room)
    return false;
  ms_flood_child(row, a.level, v, a.to + place * ms_flood_words(a.level + 1));
  return true;
}

/* A lane's path and its position among the path's candidates. */
typedef struct ms_flood_cursor {
  const uint32_t *row;
  conj_span span;
  uint32_t next; /* the first candidate that was not tried */
} ms_flood_cursor;

/* Each lane tries its own candidates, up to MS_FLOOD_ALONE.  False if there is no more room. */
MS_DEVICE bool ms_flood_alone(const ms_flood_step &a, const ms_conjunction_set &set,
                              ms_flood_cursor &h)
{
  for (uint32_t tries = 0; tries < MS_FLOOD_ALONE; tries++) {
    bool more = h.next < h.span.length, fits = false;
    uint32_t v = 0;
    if (ms_ballot(more) == 0)
      return true;
    if (more) {
      v = ms_flood_candidate(h.span, h.next);
      fits = conj_fits(a.program, set, h.row + 1, h.span.link, v);
    }
    bool kept = ms_flood_put(a, h.row, v, fits);
    h.next += more && kept;
    if (ms_ballot(!kept))
      return false;
  }
  return true;
}

MS_DEVICE ms_flood_cursor ms_flood_cursor_of(const ms_flood_cursor &h, uint32_t lane)
{
  ms_flood_cursor other;
  other.row = (const uint32_t *)(uintptr_t)ms_of_lane((unsigned long long)(uintptr_t)h.row, lane);
  other.span.ids =
      (const uint32_t *)(uintptr_t)ms_of_lane((unsigned long long)(uintptr_t)h.span.ids, lane);
  other.span.length = ms_of_lane(h.span.length, lane);
  other.span.lo = ms_of_lane(h.span.lo, lane);
  other.span.link = ms_of_lane(h.span.link, lane);
  other.next = ms_of_lane(h.next, lane);
  return other;
}

/* All lanes try the candidates of one path.  False if there is no more room. */
MS_DEVICE bool ms_flood_together(const ms_flood_step &a, const ms_conjunction_set &set,
                                 ms_flood_cursor &h)
{
  while (h.next < h.span.length) {
    bool has = h.span.length - h.next > ms_lane(), fits = false;
    uint32_t v = 0, left = h.span.length - h.next;
    if (has) {
      v = ms_flood_candidate(h.span, h.next + ms_lane());
      fits = conj_fits(a.program, set, h.row + 1, h.span.link, v);
    }
    uint32_t lost = ms_ballot(!ms_flood_put(a, h.row, v, fits));
    h.next += lost ? ms_lowest(lost) : left < MS_LANES ? left : MS_LANES;
    if (lost)
      return false;
  }
  return true;
}

/* Writes the children of a warp's paths.  False if there is no more room. */
MS_DEVICE bool ms_flood_warp(const ms_flood_step &a, const ms_conjunction_set &set,
                             ms_flood_cursor &h)
{
  bool room = ms_flood_alone(a, set, h);
  uint32_t left = ms_ballot(h.next < h.span.length);
  for (; left && room; left &= left - 1) {
    uint32_t lane = ms_lowest(left);
    ms_flood_cursor other = ms_flood_cursor_of(h, lane);
    room = ms_flood_together(a, set, other);
    if (ms_lane() == lane)
      h.next = other.next;
  }
  return room;
}

MS_DEVICE void ms_flood_paths_of(const ms_flood_step &a)
{
  const ms_conjunction_set &set = a.program.set[a.level + 1];
  uint64_t warp = (uint64_t)ms_block() * MS_FLOOD_WARPS + ms_warp();
  uint64_t step = (uint64_t)a.blocks * MS_FLOOD_WARPS * MS_LANES;
  uint32_t words = ms_flood_words(a.level);
  for (uint64_t first = warp * MS_LANES; first < a.from.count; first += step) {
    bool over = ms_peek(&a.queue->rows) >= a.room || ms_peek(&a.queue->stop) != 0;
    uint64_t i = first + ms_lane();
    ms_flood_cursor h = {NULL, {NULL, 0, 0, 0}, 0};
    if (ms_of_lane((uint32_t)over, 0)) { /* paths that were not begun stay as they are */
      if (ms_lane() == 0)
        ms_or(&a.queue->left, 1);
      return;
    }
    uint32_t *row = i < a.from.count ? a.from.row + i * words : NULL;
    if (row) {
      h.row = row;
      h.span = conj_span_of(a.program, set, row + 1);
      h.next = row[0];
    }
    (void)ms_flood_warp(a, set, h);
    bool done = h.next >= h.span.length;
    if (row)
      row[0] = done ? MS_FLOOD_DONE : h.next;
    if (!done)
      ms_or(&a.queue->left, 1);
  }
}

/* ---- children ---------------------------------------------------------------------- */

/* Returns the number of paths of the level that a batch takes, one for each thread: as many as
 * have about as many candidates as there is room for children. */
MS_DEVICE uint32_t ms_flood_batch_size(const ms_flood &f, uint32_t level, uint32_t room)
{
  uint32_t count = f.block->count[level], some = 2 * room / f.block->per_path[level];
  some = some < 1 ? 1 : some;
  some = some < count ? some : count;
  return some < f.threads ? some : f.threads;
}

/* Notes, by one thread, that the first `all` candidates of the batch were tried. */
MS_DEVICE void ms_flood_advance(const ms_flood &f, uint32_t level, uint32_t paths, uint64_t all,
                                uint64_t total)
{
  ms_flood_block *b = f.block;
  uint64_t mean = total / paths + 1;
  uint32_t done = 0;
  for (uint32_t step = 1u << 15; step > 0; step /= 2)
    if (done + step <= paths && f.batch->end[done + step - 1] <= all)
      done += step;
  if (done < paths)
    ms_flood_row(f, level, done)[0] += (uint32_t)(all - (done > 0 ? f.batch->end[done - 1] : 0));
  b->count[level] -= done;
  b->per_path[level] = mean < 1u << 20 ? (uint32_t)mean : 1u << 20;
}

/* Writes children of the topmost paths as far as their pool has room.  A round tries as many
 * candidates as there is room for; if few of them fit, more rounds follow. */
MS_DEVICE void ms_flood_expand(const ms_flood &f, uint32_t level)
{
  const ms_flood_search &a = *f.a;
  const ms_conjunction_program &p = f.block->program;
  const ms_conjunction_set &set = p.set[level + 1];
  uint32_t *children = &f.block->count[level + 1], *pool = f.block->pool[level + 1];
  uint32_t room = a.room - *children, paths = ms_flood_batch_size(f, level, room),
           words = ms_flood_words(level + 1);
  conj_span span = {NULL, 0, 0, 0};
  uint32_t next = 0;
  if (f.thread < paths) {
    const uint32_t *row = ms_flood_row(f, level, f.thread);
    span = conj_span_of(p, set, row + 1);
    next = row[0];
  }
  MS_EXPECT(next <= span.length && room > 0);
  uint64_t total = ms_flood_enter(f, span, next), done = 0;
  auto put = [&](uint32_t, const uint32_t *row, uint32_t v, bool fits) {
    uint32_t mask = ms_ballot(fits), place = 0;
    if (mask == 0)
      return;
    if (ms_lane() == 0)
      place = ms_add(children, ms_count_bits(mask));
    place = ms_of_lane(place, 0) + ms_rank(mask);
    MS_EXPECT(!fits || place < a.room);
    if (fits)
      ms_flood_child(row, level, v, pool + place * words);
  };
  for (uint32_t round = 0; done < total && a.room - room < a.enough && round < MS_FLOOD_ROUNDS;
       round++) {
    uint64_t end = total - done < room ? total : done + room;
    ms_flood_pairs(f, level, set, done, end, put);
    done = end;
    ms_sync_block();
    room = a.room - *children;
    ms_sync_block(); /* the next round adds to it */
  }
  if (f.thread == 0)
    ms_flood_advance(f, level, paths, done, total);
}

/* ---- what is only counted ---------------------------------------------------------------- */

/* Returns the candidates of this thread's path of the batch, if it has one; where the size of
 * the set is known at once, it stores the size and returns no candidates. */
MS_DEVICE conj_span ms_flood_measure(const ms_flood &f, const ms_conjunction_set &set,
                                     const uint32_t *match, uint32_t *size)
{
  const ms_conjunction_program &p = f.block->program;
  conj_span span = {NULL, set.hi - set.lo, set.lo, MS_CONJUNCTION_RANGE};
  if (!set.is_whole)
    span = conj_span_of(p, set, match);
  if (conj_is_plain(set)) {
    *size = conj_plain_size(p, set, match, span);
    span.length = 0;
  }
  return span;
}

/* Counts the candidates of one more set, for the deepest level's topmost paths. */
MS_DEVICE void ms_flood_count(ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  const ms_conjunction_set &set = f.block->program.set[a.counted];
  uint32_t count = f.block->count[a.deepest], paths = count < f.threads ? count : f.threads,
           plain = 0;
  conj_span span = {NULL, 0, 0, 0};
  if (f.thread < paths)
    span = ms_flood_measure(f, set, ms_flood_row(f, a.deepest, f.thread) + 1, &plain);
  uint64_t all = ms_flood_enter(f, span, 0), found = plain;
  ms_flood_pairs(f, a.deepest, set, 0, all,
                 [&](uint32_t, const uint32_t *, uint32_t, bool fits) { found += fits; });
  if (found > 0)
    ms_wide_add(&f.sum, ms_wide_of((ms_int128)a.factor * (ms_int128)found));
  ms_sync_block();
  if (f.thread == 0)
    f.block->count[a.deepest] -= paths;
}

/* Adds once for all lanes whose path is the same. */
MS_DEVICE void ms_flood_add_size(uint32_t *size, uint32_t path, bool fits)
{
  uint32_t lane = ms_lane(), mask = ms_ballot(fits),
           before = ms_of_lane(path, lane > 0 ? lane - 1 : 0);
  uint32_t heads = ms_ballot(lane == 0 || path != before);
  uint32_t above = lane < 31 ? heads & ~((2u << lane) - 1) : 0;
  uint32_t run = above ? (1u << ms_lowest(above)) - 1 : ~0u;
  run &= ~((1u << lane) - 1) & mask;
  if ((heads >> lane & 1) && run)
    ms_add(size, ms_count_bits(run));
}

/* Adds the value that follows from the sizes of a path; called by one thread. */
MS_DEVICE void ms_flood_add_value(ms_flood &f, const uint32_t *size)
{
  const ms_flood_search &a = *f.a;
  const ms_conjunction_program &p = f.block->program;
  ms_wide product = ms_wide_of(1);
  for (uint32_t i = 0; i < a.falling; i++)
    ms_wide_multiply(&product, size[0] - i);
  if (a.falling > 0)
    ms_wide_add(&f.sum, product);
  for (uint32_t t = 0; t < p.n_terms; t++) {
    const ms_conjunction_term &term = p.term[t];
    if (a.value == MS_VALUE_256) {
      product = ms_wide_of(term.factor);
      for (uint32_t i = 0; i < term.count; i++)
        ms_wide_multiply(&product, size[term.mask[i]]);
    } else {
      ms_int128 small = term.factor;
      for (uint32_t i = 0; i < term.count; i++)
        small *= size[term.mask[i]];
      product = ms_wide_of(small);
    }
    ms_wide_add(&f.sum, product);
  }
}

/* Adds the tail's value for the deepest level's topmost paths.  It measures one set after the
 * other, and drops paths for which a set has too few elements. */
MS_DEVICE void ms_flood_tail(ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  const ms_conjunction_program &p = f.block->program;
  uint32_t count = f.block->count[a.deepest], masks = p.n_masks;
  uint32_t paths = ms_flood_size_words(MS_FLOOD_TAIL, masks) / masks;
  paths = paths < count ? paths : count;
  paths = paths < f.threads ? paths : f.threads;
  bool live = f.thread < paths;
  uint32_t *mine = f.size + (live ? f.thread * masks : 0);
  for (uint32_t m = 0; m < masks; m++) {
    const ms_conjunction_set &set = p.set[p.prefix + m];
    conj_span span = {NULL, 0, 0, 0};
    if (live) {
      mine[m] = 0;
      span = ms_flood_measure(f, set, ms_flood_row(f, a.deepest, f.thread) + 1, &mine[m]);
    }
    uint64_t all = ms_flood_enter(f, span, 0);
    ms_flood_pairs(f, a.deepest, set, 0, all,
                   [&](uint32_t path, const uint32_t *, uint32_t, bool fits) {
                     ms_flood_add_size(f.size + path * masks + m, path, fits);
                   });
    ms_sync_block();
    live = live && mine[m] >= set.least;
  }
  if (live)
    ms_flood_add_value(f, mine);
  ms_sync_block();
  if (f.thread == 0)
    f.block->count[a.deepest] -= paths;
}

/* ---- matches -------------------------------------------------------------------------------- */

/* Writes the deepest level's paths, as many as the output has room for. */
MS_DEVICE void ms_flood_list(const ms_flood &f)
{
  const ms_flood_search &a = *f.a;
  ms_flood_block *b = f.block;
  uint32_t count = b->count[a.deepest], length = a.deepest + 1;
  if (f.thread == 0) {
    unsigned long long at = ms_add(&a.queue->rows, (unsigned long long)count);
    uint64_t room = at < a.capacity ? a.capacity - at : 0;
    b->at = at;
    b->some = room < count ? (uint32_t)room : count;
    b->full = room < count;
  }
  ms_sync_block();
  uint32_t *to = a.rows + b->at * length, words = b->some * length;
  for (uint32_t e = f.thread; e < words; e += f.threads)
    to[e] = ms_flood_row(f, a.deepest, e / length)[1 + e % length];
  ms_sync_block();
  if (f.thread == 0)
    b->count[a.deepest] -= b->some;
}

/* ---- a block ----------------------------------------------------------------------------------
 */

/* Does all that a block does in a launch. */
template <int ACTION> MS_DEVICE void ms_flood_hyper(const ms_flood_search &a, uint8_t *shared)
{
  ms_flood f = ms_flood_begin(a, shared);
  for (;;) {
    if (f.thread == 0)
      ms_flood_choose(f);
    ms_sync_block();
    uint32_t job = f.block->job, level = f.block->level;
    if (job == MS_FLOOD_NONE)
      break;
    if (job == MS_FLOOD_FETCH) {
      ms_flood_fetch(f);
    } else if (level < a.deepest) {
      ms_flood_expand(f, level);
    } else if (ACTION == MS_FLOOD_LIST) {
      ms_flood_list(f);
    } else if (ACTION == MS_FLOOD_COUNT) {
      ms_flood_count(f);
    } else if (ACTION == MS_FLOOD_TAIL) {
      ms_flood_tail(f);
    } else if (f.thread == 0) {
      ms_wide_add(&f.sum, ms_wide_of((ms_int128)f.block->count[level]));
      f.block->count[level] = 0;
    }
    ms_sync_block();
  }
  ms_flood_end(f);
}

#endif
