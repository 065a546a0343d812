/* The table of paths of length two from the root (match/cpu/program.h), one for
 * each block; all of its warps work on one part of a root.
 *
 * A root of few paths belongs to one warp, whose table is a hash table in shared
 * memory; other roots belong to a block.  Entries have 16 bits where no row has
 * 2^15 neighbours: then the table of a graph of up to about 100,000 vertices fits
 * in shared memory.
 *
 * What bounds the filling: an atomic addition for each path, of which shared
 * memory does 32 in a clock on each multiprocessor, and each L2 slice about one in
 * a clock otherwise.  Rows shorter than a warp leave lanes idle (to try next:
 * lanes over the concatenated rows). */
#ifndef MS_GPU_MATCH_DFS_TABLE_CUH
#define MS_GPU_MATCH_DFS_TABLE_CUH

#include "gpu/common/warp.cuh"
#include "gpu/common/wide.cuh"
#include "gpu/match/dfs/dfs_device.h"

/* ---- dfs sets -------------------------------------------------------------------------------- */

/* A warp's walk through a program: bounds, spans, candidate sets.  It corresponds
 * to match/cpu/runner.c, with 32 lanes where that goes through a list.
 *
 * All lanes of a warp call these functions together and get the same result,
 * unless a comment says that one lane calls the function.
 *
 * Cost.  An intersection of a short list with a long one is a binary search for
 * each element of the short one, one lane for each: log2(long) dependent loads for
 * 32 elements, from L1 or L2; with 32 and more warps on a multiprocessor, issue
 * slots are the limit, about 6 for each step.  Where all vertices are next to the
 * root, dfs_local.cuh is faster. */

typedef struct ms_bounds {
  uint32_t lo, hi;
} ms_bounds;

typedef struct ms_walk {
  const ms_device_program *p; /* a copy in shared memory */
  const ms_device_index *index;
  /* the warp's data in shared memory */
  uint32_t *match;      /* [prefix] */
  ms_walk_level *level; /* [prefix] levels whose candidates are not finished */
  ms_device_span *set;  /* [n_sets] */
  uint32_t *size;       /* [1 << n_groups] and [MS_LANES] at least */
  uint32_t *near_sets;  /* [n_slots][near_room] short sets */
  uint32_t near_room;
  uint32_t *far_sets; /* [n_slots][far_room] longer sets, in global memory */
  uint64_t far_room;
  /* the table of the block, or of the warp if it is a hash table */
  ms_table_kind table_kind;
  void *table;         /* [n] or [table_mask + 1] of 16 or 32 bits, zero between roots */
  uint32_t *table_key; /* [table_mask + 1] of a hash table */
  uint32_t table_mask;
  uint32_t *touched; /* [n] or [table_mask + 1] */
  uint32_t n_touched;
  /* a block that shares a root with others searches one part of the candidates of level 1; the
   * entries of other parts are at the end of `touched` */
  uint32_t part, parts;
  uint64_t touched_room;
  /* the queue and the output of the launch */
  ms_gpu_queue *queue;
  uint32_t *rows; /* [capacity][prefix]; NULL: count */
  uint64_t capacity;
  bool enough; /* as in the launch */
  uint32_t steps;
  bool stopped; /* the host has asked to stop, or the output is full */
  ms_wide sum;  /* belongs to the lane */
} ms_walk;

/* ---- called by one lane -------------------------------------------------------- */

MS_DEVICE bool ms_has_bit(const uint64_t *bits, uint32_t id)
{
  return bits[id / 64] >> id % 64 & 1;
}

MS_DEVICE bool ms_domain_holds(const ms_device_domain &d, uint32_t id)
{
  return id >= d.lo && id < d.hi && (!d.bits || ms_has_bit(d.bits, id));
}

MS_DEVICE bool ms_has(const uint32_t *ids, uint32_t n, uint32_t x)
{
  if (n == 0)
    return false;
  while (n > 1) {
    uint32_t half = n / 2;
    ids += ids[half - 1] < x ? half : 0;
    n -= half;
  }
  return *ids == x;
}

MS_DEVICE ms_device_span ms_row_at(const ms_walk &w, uint32_t kind, uint32_t v)
{
  const ms_device_rows &rows = *ms_device_rows_of(w.index, kind);
  uint64_t first = rows.offset[v];
  ms_device_span s = {rows.neighbor + first, 0, (uint32_t)(rows.offset[v + 1] - first)};
  return s;
}

MS_DEVICE bool ms_is_adjacent(const ms_walk &w, uint32_t u, uint32_t kind, uint32_t v)
{
  ms_device_span row = ms_row_at(w, kind, u);
  return ms_has(row.ids, row.length, v);
}

/* Narrows [lo, hi) by the matches of these levels. */
MS_DEVICE ms_bounds ms_narrow(const ms_walk &w, ms_bounds b, uint32_t above, uint32_t below)
{
  for (; above; above &= above - 1) {
    uint32_t v = w.match[ms_lowest(above)];
    b.lo = v >= b.lo ? v + 1 : b.lo;
  }
  for (; below; below &= below - 1) {
    uint32_t v = w.match[ms_lowest(below)];
    b.hi = v < b.hi ? v : b.hi;
  }
  return b;
}

MS_DEVICE bool ms_is_new(const ms_walk &w, const ms_device_step &step, uint32_t v)
{
  for (uint32_t left = step.distinct; left; left &= left - 1)
    if (w.match[ms_lowest(left)] == v)
      return false;
  for (uint32_t i = step.first_test; i < step.first_test + step.n_tests; i++)
    if (ms_is_adjacent(w, w.match[w.p->test[i].level], w.p->test[i].kind, v))
      return false;
  return true;
}

/* True if v, one of the level's candidates, may be its match. */
MS_DEVICE bool ms_fits(const ms_walk &w, const ms_device_step &step, uint32_t v)
{
  if (step.test_bits && !ms_domain_holds(step.domain, v))
    return false;
  if (step.source == MS_DEVICE_FROM_TOUCHED) { /* these candidates are neither sorted nor cut */
    ms_bounds all = {step.domain.lo, step.domain.hi}, b = ms_narrow(w, all, step.above, step.below);
    if (v < b.lo || v >= b.hi)
      return false;
  }
  return ms_is_new(w, step, v);
}

/* Returns the index of the first of ids[n] that is not smaller than x, or n. */
MS_DEVICE uint32_t ms_place_of(const uint32_t *ids, uint32_t n, uint32_t x)
{
  uint32_t at = 0;
  while (n > 0) {
    uint32_t half = n / 2;
    bool right = ids[at + half] < x;
    at = right ? at + half + 1 : at;
    n = right ? n - half - 1 : half;
  }
  return at;
}

/* Returns the part of a row within the bounds. */
MS_DEVICE ms_device_span ms_cut_by_lane(ms_device_span row, ms_bounds b)
{
  if (row.length > 0 && row.ids[0] < b.lo) {
    uint32_t skip = ms_place_of(row.ids, row.length, b.lo);
    row.ids += skip;
    row.length -= skip;
  }
  if (row.length > 0 && row.ids[row.length - 1] >= b.hi)
    row.length = ms_place_of(row.ids, row.length, b.hi);
  return row;
}

MS_DEVICE uint32_t ms_candidate_at(const ms_device_span &s, uint32_t i)
{
  return s.ids ? s.ids[i] : s.lo + i;
}

/* ---- called by a warp ------------------------------------------------------------ */

/* Returns the index of the first of ids[n] that is not smaller than x, or n.  Each step divides
 * the range into MS_LANES + 1 parts, so that two or three loads depend on each other, not
 * twenty. */
template <typename number>
MS_DEVICE uint64_t ms_lower_bound_of(const number *ids, uint64_t n, number x)
{
  uint64_t from = 0, end = n;
  while (from < end) {
    uint64_t step = (end - from + MS_LANES) / (MS_LANES + 1),
             at = from + (ms_lane() + 1) * step - 1;
    uint32_t smaller = ms_count_bits(ms_ballot(at < end && ids[at] < x));
    uint64_t to = smaller < MS_LANES ? from + (smaller + 1) * step - 1 : end;
    from += smaller * step;
    end = to < end ? to : end;
  }
  return from;
}

MS_DEVICE ms_device_span ms_cut(ms_device_span s, ms_bounds b)
{
  if (s.length > 0 && s.ids[0] < b.lo) {
    uint32_t skip = (uint32_t)ms_lower_bound_of(s.ids, s.length, b.lo);
    s.ids += skip;
    s.length -= skip;
  }
  if (s.length > 0 && s.ids[s.length - 1] >= b.hi)
    s.length = (uint32_t)ms_lower_bound_of(s.ids, s.length, b.hi);
  return s;
}

/* Returns the row of a level's match, cut to the bounds of its set.  The most frequent bounds,
 * by that match itself, need no search. */
MS_DEVICE ms_device_span ms_cut_row(const ms_walk &w, const ms_device_set &s, ms_bounds b)
{
  uint32_t v = w.match[s.level];
  ms_device_span row = ms_row_at(w, s.kind, v);
  if ((s.above | s.below) >> s.level & 1) {
    uint32_t smaller = ms_device_rows_of(w.index, s.kind)->smaller[v];
    if (s.below >> s.level & 1)
      row.length = smaller;
    if (s.above >> s.level & 1) {
      uint32_t skip = smaller < row.length ? smaller : row.length;
      row.ids += skip;
      row.length -= skip;
    }
  }
  return ms_cut(row, b);
}

/* Selects the elements of few[] that are in many[] (`both`), or that are not, and whose bit is
 * set; writes them if WRITE.  Returns their number. */
template <bool WRITE>
MS_DEVICE uint32_t ms_meet(const ms_device_span &few, const ms_device_span &many, bool both,
                           const uint64_t *bits, uint32_t *out)
{
  uint32_t kept = 0;
  for (uint32_t first = 0; first < few.length; first += MS_LANES) {
    uint32_t i = first + ms_lane(), x = 0;
    bool keep = false;
    if (i < few.length) {
      x = few.ids[i];
      keep = ms_has(many.ids, many.length, x) == both && (!bits || ms_has_bit(bits, x));
    }
    uint32_t mask = ms_ballot(keep);
    if (WRITE && keep)
      out[kept + ms_rank(mask)] = x;
    kept += ms_count_bits(mask);
  }
  return kept;
}

MS_DEVICE void ms_keep_set(ms_walk &w, uint32_t i, const ms_device_span &span)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    w.set[i] = span;
  ms_sync_warp();
}

/* Returns room for `most` elements of a set. */
MS_DEVICE uint32_t *ms_room_for(const ms_walk &w, const ms_device_set &s, uint32_t most)
{
  MS_EXPECT(most <= w.near_room || most <= w.far_room);
  return most <= w.near_room ? w.near_sets + s.slot * w.near_room
                             : w.far_sets + s.slot * w.far_room;
}

/* Computes set i from its parent and from `row`, within the bounds: what they have in common or,
 * if subtracted, what only the parent has.  False if the set has too few elements. */
MS_DEVICE bool ms_make_set(ms_walk &w, uint32_t i, const ms_device_span &row, bool subtract,
                           ms_bounds b)
{
  const ms_device_set &s = w.p->set[i];
  ms_device_span from = ms_cut(w.set[s.parent], b), made = {w.far_sets, 0, 0};
  bool row_is_short = !subtract && row.length < from.length;
  const ms_device_span few = row_is_short ? row : from, many = row_is_short ? from : row;
  if (s.count_only) {
    made.length = ms_meet<false>(few, many, true, NULL, NULL);
  } else {
    uint32_t *out = ms_room_for(w, s, few.length);
    made.ids = out;
    made.length = ms_meet<true>(few, many, !subtract, s.bits, out);
  }
  ms_keep_set(w, i, made);
  return made.length >= s.need;
}

/* Returns the bounds of set i under the current matches. */
MS_DEVICE ms_bounds ms_bounds_of(const ms_walk &w, const ms_device_set &s)
{
  ms_bounds hull = {s.lo, s.hi};
  return ms_narrow(w, hull, s.above, s.below);
}

/* Computes set i.  False if it has too few elements. */
MS_DEVICE bool ms_compute_set(ms_walk &w, uint32_t i)
{
  const ms_device_set &s = w.p->set[i];
  ms_bounds b = ms_bounds_of(w, s);
  ms_device_span row = ms_cut_row(w, s, b);
  if (s.parent >= 0)
    return ms_make_set(w, i, row, s.subtract, b);
  ms_keep_set(w, i, row);
  return row.length >= s.need;
}

/* Computes the sets that depend on the match of this level.  False if one of them has too few
 * elements. */
MS_DEVICE bool ms_compute_sets(ms_walk &w, uint32_t level)
{
  for (uint32_t i = w.p->level_sets[level]; i < w.p->level_sets[level + 1]; i++)
    if (!ms_compute_set(w, w.p->by_level[i]))
      return false;
  return true;
}

MS_DEVICE void ms_match(ms_walk &w, uint32_t level, uint32_t v)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    w.match[level] = v;
  ms_sync_warp();
}

MS_DEVICE ms_device_span ms_candidates(const ms_walk &w, uint32_t level)
{
  const ms_device_step &step = w.p->step[level];
  ms_bounds all = {step.domain.lo, step.domain.hi};
  if (step.source == MS_DEVICE_FROM_TOUCHED) {
    ms_device_span s = {w.touched, 0, w.n_touched};
    return s;
  }
  ms_bounds b = ms_narrow(w, all, step.above, step.below);
  if (step.source == MS_DEVICE_FROM_SET)
    return ms_cut(w.set[step.set], b);
  if (step.list) {
    ms_device_span s = {step.list, 0, step.domain.count};
    return ms_cut(s, b);
  }
  ms_device_span s = {NULL, b.lo, b.hi > b.lo ? b.hi - b.lo : 0};
  return s;
}

/* Calls visit(x, i, valid) for every x of the rows of the lanes; each lane has one row,
 * neighbor[begin .. begin + length), and i is the lane whose row holds x.  All lanes call it
 * together.  The whole warp reads a long row, MS_READS elements a lane before it visits the first;
 * it reads several short rows at a time, SHORT_READS elements a lane, because the time goes into
 * waiting for memory. */
#define MS_READS 4u
template <uint32_t SHORT_READS = MS_READS, typename visitor>
MS_DEVICE void ms_visit_rows(const uint32_t *neighbor, unsigned long long begin, uint32_t length,
                             const visitor &visit)
{
  uint32_t few = MS_LANES < 8 ? MS_LANES : 8, tiles = MS_LANES / few, tile = ms_lane() / few;
  uint32_t many = ms_ballot(length > 64);
  for (uint32_t left = many; left; left &= left - 1) {
    uint32_t from = ms_lowest(left), end = ms_of_lane(length, from);
    const uint32_t *row = neighbor + ms_of_lane(begin, from);
    for (uint32_t first = ms_lane(); first - ms_lane() < end; first += MS_READS * MS_LANES) {
      uint32_t x[MS_READS];
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        x[i] = first + i * MS_LANES < end ? row[first + i * MS_LANES] : 0;
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        visit(x[i], from, first + i * MS_LANES < end);
    }
  }
  length = length > 64 ? 0 : length;
  uint32_t some = ms_ballot(length > 0);
  for (uint32_t j = 0; j < MS_LANES; j += tiles) {
    if (!(some >> j & ((1u << tiles) - 1)))
      continue;
    uint32_t from = j + tile < MS_LANES && tile < tiles ? j + tile : j,
             end = ms_of_lane(length, from);
    const uint32_t *row = neighbor + ms_of_lane(begin, from);
    end = tile < tiles && j + tile < MS_LANES ? end : 0;
    for (uint32_t at = ms_lane() % few; ms_any(at < end); at += SHORT_READS * few) {
      uint32_t x[SHORT_READS];
#pragma unroll
      for (uint32_t i = 0; i < SHORT_READS; i++)
        x[i] = at + i * few < end ? row[at + i * few] : 0;
#pragma unroll
      for (uint32_t i = 0; i < SHORT_READS; i++)
        if (i == 0 || ms_any(at + i * few < end))
          visit(x[i], from, at + i * few < end);
    }
  }
}

/* ---- dfs table ------------------------------------------------------------------------------- */

#define MS_FULL_MARK (1u << 31)
#define MS_HALF_MARK (1u << 15)
#define MS_NO_KEY UINT32_MAX /* not a vertex: ids are smaller than n */

/* ---- hash tables -------------------------------------------------------------- */

/* Returns the entry of x, or the free entry where x would be; fewer than half of the entries are
 * taken. */
MS_DEVICE uint32_t ms_hash_place(const ms_walk &w, uint32_t x)
{
  uint32_t at = (x * 0x9e3779b1u >> 16) & w.table_mask;
  for (;;) {
    uint32_t key = ms_peek(&w.table_key[at]);
    if (key == x || key == MS_NO_KEY)
      return at;
    at = (at + 1) & w.table_mask;
  }
}

MS_DEVICE uint32_t ms_hash_take(const ms_walk &w, uint32_t x)
{
  for (;;) {
    uint32_t at = ms_hash_place(w, x), before = ms_exchange(&w.table_key[at], MS_NO_KEY, x);
    if (before == MS_NO_KEY || before == x)
      return at;
  }
}

/* ---- entries ------------------------------------------------------------------- */

/* Returns the number of paths to x, with MS_FULL_MARK. */
MS_DEVICE uint32_t ms_table_entry(const ms_walk &w, uint32_t x)
{
  if (w.table_kind == MS_TABLE_FULL)
    return ((const uint32_t *)w.table)[x];
  if (w.table_kind == MS_TABLE_HALF) {
    uint32_t entry = ((const uint16_t *)w.table)[x];
    return (entry & (MS_HALF_MARK - 1)) | (entry & MS_HALF_MARK ? MS_FULL_MARK : 0);
  }
  return ((const uint32_t *)w.table)[ms_hash_place(w, x)]; /* a free entry is 0 */
}

MS_DEVICE uint32_t ms_table_paths(const ms_walk &w, uint32_t x)
{
  return ms_table_entry(w, x) & (MS_FULL_MARK - 1);
}

MS_DEVICE bool ms_table_marked(const ms_walk &w, uint32_t x)
{
  return (ms_table_entry(w, x) & MS_FULL_MARK) != 0;
}

/* Adds one path to x, or the mark.  True if the entry was zero. */
MS_DEVICE bool ms_table_enter(const ms_walk &w, uint32_t x, bool mark)
{
  if (w.table_kind != MS_TABLE_HALF) {
    uint32_t *entry =
        (uint32_t *)w.table + (w.table_kind == MS_TABLE_HASH ? ms_hash_take(w, x) : x);
    return (mark ? ms_or(entry, MS_FULL_MARK) : ms_add(entry, 1)) == 0;
  }
  uint32_t *pair = (uint32_t *)w.table + x / 2, shift = x % 2 * 16;
  uint32_t before = mark ? ms_or(pair, MS_HALF_MARK << shift) : ms_add(pair, 1u << shift);
  return (before >> shift & 0xffff) == 0;
}

/* ---- filling ------------------------------------------------------------------- */

/* Returns the place of this lane's element in a list to which each lane of the mask adds one. */
MS_DEVICE uint32_t ms_append(uint32_t mask, uint32_t *count)
{
  uint32_t at = 0;
  if (mask == 0)
    return 0;
  if (ms_lane() == 0)
    at = ms_add(count, ms_count_bits(mask));
  return ms_of_lane(at, 0) + ms_rank(mask);
}

/* Adds one path to each x that is valid, or the mark; all lanes call it together.  n_touched: the
 * number of entries of the block's part, and of the others. */
MS_DEVICE void ms_table_note(const ms_walk &w, uint32_t x, bool valid, bool mark,
                             uint32_t *n_touched)
{
  bool is_first = valid && ms_table_enter(w, x, mark);
  bool is_mine = is_first && (w.parts <= 1 || x % w.parts == w.part);
  uint32_t at = ms_append(ms_ballot(is_mine), n_touched);
  if (is_mine)
    w.touched[at] = x;
  if (w.parts <= 1)
    return;
  at = ms_append(ms_ballot(is_first && !is_mine), n_touched + 1);
  if (is_first && !is_mine)
    w.touched[w.touched_room - 1 - at] = x;
}

/* Returns the root's row as middles, the vertices that the paths go through. */
MS_DEVICE ms_device_span ms_middles(const ms_walk &w)
{
  const ms_device_program &p = *w.p;
  uint32_t root = w.match[0];
  ms_bounds hull = {p.table_middle.lo, p.table_middle.hi};
  ms_device_span row = ms_row_at(w, p.table_first, root);
  if (p.middle_below)
    row.length = ms_device_rows_of(w.index, p.table_first)->smaller[root];
  return ms_cut(row, hull);
}

/* Returns the greatest number of entries that a table of the root can need; if there are more
 * than `most`, it may return any number above `most`. */
MS_DEVICE uint32_t ms_paths_most(const ms_walk &w, const ms_device_span &middle, uint32_t most)
{
  uint32_t count = w.p->table_marks ? ms_row_at(w, 0, w.match[0]).length : 0;
  for (uint32_t first = 0; first < middle.length && count <= most; first += MS_LANES) {
    uint32_t i = first + ms_lane(),
             length = i < middle.length ? ms_row_at(w, w.p->table_second, middle.ids[i]).length : 0;
    count += ms_sum_of_lanes(length < most ? length : most + 1);
  }
  return count;
}

/* Enters all paths from the root, by the warps of the team; n_touched, in shared memory, is 0
 * before the call.  The caller adds a barrier before it reads the table. */
MS_DEVICE void ms_fill_table(const ms_walk &w, const ms_device_span &middle, uint32_t warp,
                             uint32_t warps, uint32_t *n_touched)
{
  const ms_device_program &p = *w.p;
  const ms_device_rows &rows = *ms_device_rows_of(w.index, p.table_second);
  uint32_t root = w.match[0], some = (middle.length + warps - 1) / warps;
  some = some < MS_LANES ? some : MS_LANES;
  for (uint32_t first = warp * some; first < middle.length; first += warps * some) {
    uint32_t i = first + ms_lane(), length = 0;
    unsigned long long begin = 0;
    if (ms_lane() < some && i < middle.length && ms_domain_holds(p.table_middle, middle.ids[i])) {
      const uint64_t *offset = rows.offset + middle.ids[i];
      begin = offset[0];
      length = (uint32_t)(offset[1] - offset[0]);
      uint32_t cut =
          p.table_above || p.table_below ? ms_place_of(rows.neighbor + begin, length, root) : 0;
      if (p.table_above) { /* leaves out the root itself, if it is there */
        cut += cut < length && rows.neighbor[begin + cut] == root;
        begin += cut;
        length -= cut;
      } else if (p.table_below) {
        length = cut;
      }
    }
    ms_visit_rows(rows.neighbor, begin, length, [&](uint32_t x, uint32_t, bool valid) {
      ms_table_note(w, x, valid, false, n_touched);
    });
  }
  if (!p.table_marks || warp != warps - 1) /* the warp with the fewest rows */
    return;
  ms_device_span row = ms_row_at(w, 0, root);
  for (uint32_t at = 0; at < row.length; at += MS_LANES)
    ms_table_note(w, at + ms_lane() < row.length ? row.ids[at + ms_lane()] : 0,
                  at + ms_lane() < row.length, true, n_touched);
}

/* ---- clearing ------------------------------------------------------------------ */

/* Clears a hash table of at least twice as many entries, by one warp. */
MS_DEVICE void ms_clear_paths(ms_walk &w, uint32_t entries)
{
  w.table_mask = 31;
  while (w.table_mask + 1 < 2 * entries)
    w.table_mask = 2 * w.table_mask + 1;
  for (uint32_t i = ms_lane(); i <= w.table_mask; i += MS_LANES) {
    w.table_key[i] = MS_NO_KEY;
    ((uint32_t *)w.table)[i] = 0;
  }
}

/* Clears the entries of a list by all warps of the block. */
MS_DEVICE void ms_clear_entries(const ms_walk &w, uint32_t warps, const uint32_t *list,
                                uint32_t count)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < count; i += warps * MS_LANES)
    if (w.table_kind == MS_TABLE_HALF)
      ((uint16_t *)w.table)[list[i]] = 0;
    else
      ((uint32_t *)w.table)[list[i]] = 0;
}

/* Clears the table by all warps of the block, between two barriers. */
MS_DEVICE void ms_clear_table(const ms_walk &w, uint32_t warps, const uint32_t *n_touched)
{
  ms_clear_entries(w, warps, w.touched, n_touched[0]);
  if (w.parts > 1)
    ms_clear_entries(w, warps, w.touched + w.touched_room - n_touched[1], n_touched[1]);
}

#endif
