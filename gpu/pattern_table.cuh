/* The table of paths of length two from the root (enumerate/cpu/program.h), one
 * a block; all of its warps work on one root.
 *
 * A root of few paths is a warp's, whose table is a hash table in shared memory.
 * Others are a block's.  Entries are 16 bits where no row has 2^15 neighbours: then the table of a
 * graph of up to about 100,000 vertices fits in shared memory.  What bounds the
 * filling: an atomic add for each path, 32 a clock and multiprocessor in shared
 * memory, about one a clock and L2 slice otherwise; rows shorter than a warp
 * leave lanes idle (to try next: lanes over the concatenated rows). */
#ifndef MS_GPU_PATTERN_TABLE_CUH
#define MS_GPU_PATTERN_TABLE_CUH

#include "gpu/pattern_sets.cuh"

#define MS_FULL_MARK (1u << 31)
#define MS_HALF_MARK (1u << 15)
#define MS_NO_KEY UINT32_MAX /* no vertex: ids are smaller than n */

/* ---- hash tables -------------------------------------------------------------- */

/* The entry of x, or the free one where it would be; fewer than half of them are
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

/* Paths, and MS_FULL_MARK. */
MS_DEVICE uint32_t ms_table_entry(const ms_walk &w, uint32_t x)
{
  if (w.table_kind == MS_TABLE_FULL)
    return ((const uint32_t *)w.table)[x];
  if (w.table_kind == MS_TABLE_HALF) {
    uint32_t entry = ((const uint16_t *)w.table)[x];
    return (entry & (MS_HALF_MARK - 1)) | (entry & MS_HALF_MARK ? MS_FULL_MARK : 0);
  }
  return ((const uint32_t *)w.table)[ms_hash_place(w, x)]; /* of a free one 0 */
}

MS_DEVICE uint32_t ms_table_paths(const ms_walk &w, uint32_t x)
{
  return ms_table_entry(w, x) & (MS_FULL_MARK - 1);
}

MS_DEVICE bool ms_table_marked(const ms_walk &w, uint32_t x)
{
  return (ms_table_entry(w, x) & MS_FULL_MARK) != 0;
}

/* One path more, or the mark; returns whether the entry was zero. */
MS_DEVICE bool ms_table_enter(const ms_walk &w, uint32_t x, bool mark)
{
  if (w.table_kind != MS_TABLE_HALF) {
    uint32_t *entry = (uint32_t *)w.table + (w.table_kind == MS_TABLE_HASH ? ms_hash_take(w, x) : x);
    return (mark ? ms_or(entry, MS_FULL_MARK) : ms_add(entry, 1)) == 0;
  }
  uint32_t *pair = (uint32_t *)w.table + x / 2, shift = x % 2 * 16;
  uint32_t before = mark ? ms_or(pair, MS_HALF_MARK << shift) : ms_add(pair, 1u << shift);
  return (before >> shift & 0xffff) == 0;
}

/* ---- filling ------------------------------------------------------------------- */

/* Enter a row, if this warp has one, and note which entries were zero. */
MS_DEVICE void ms_table_enter_row(const ms_walk &w, const ms_device_span &row, bool mark, uint32_t *n_touched)
{
  for (uint32_t first = 0; first < row.length; first += MS_LANES) {
    uint32_t i = first + ms_lane(), x = 0;
    bool is_first = false;
    if (i < row.length) {
      x = row.ids[i];
      is_first = ms_table_enter(w, x, mark);
    }
    uint32_t mask = ms_ballot(is_first), at = 0;
    if (mask == 0)
      continue;
    if (ms_lane() == 0)
      at = ms_add(n_touched, ms_count_bits(mask));
    at = ms_of_lane(at, 0);
    if (is_first)
      w.touched[at + ms_rank(mask)] = x;
  }
}

/* By all warps of the block; n_touched, in shared memory, is 0 before.  What
 * follows needs a barrier. */
MS_DEVICE void ms_fill_table(const ms_walk &w, uint32_t warps, uint32_t *n_touched)
{
  const ms_device_program &p = *w.p;
  uint32_t root = w.match[0];
  ms_bounds middle_hull = {p.table_middle.lo, p.table_middle.hi};
  ms_bounds b = {p.table_above ? root + 1 : 0, p.table_below ? root : w.index->n};
  ms_device_span middle = ms_cut(ms_row_at(w, p.table_first, root), middle_hull);
  for (uint32_t i = ms_warp(); i < middle.length; i += warps)
    if (ms_domain_holds(p.table_middle, middle.ids[i]))
      ms_table_enter_row(w, ms_cut(ms_row_at(w, p.table_second, middle.ids[i]), b), false, n_touched);
  if (p.table_marks && ms_warp() == warps - 1) /* the one with the fewest rows */
    ms_table_enter_row(w, ms_row_at(w, 0, root), true, n_touched);
}

/* The elements of rows within bounds, by some lanes of the warp. */
MS_DEVICE void ms_paths_enter(const ms_walk &w, const uint32_t *row, uint32_t length, const ms_bounds &b, bool mark,
                              uint32_t lane, uint32_t lanes, uint32_t *n_touched)
{
  for (uint32_t i = lane; i < length; i += lanes) {
    uint32_t x = row[i];
    if (x >= b.lo && x < b.hi && ms_table_enter(w, x, mark))
      w.touched[ms_add(n_touched, 1)] = x;
  }
}

/* The root's row, as middles: what the paths go through. */
MS_DEVICE ms_device_span ms_middles(const ms_walk &w)
{
  ms_bounds hull = {w.p->table_middle.lo, w.p->table_middle.hi};
  return ms_cut(ms_row_at(w, w.p->table_first, w.match[0]), hull);
}

/* Entries that a table of the root needs, at most; it may be less if there are
 * more than `most`. */
MS_DEVICE uint32_t ms_paths_most(const ms_walk &w, const ms_device_span &middle, uint32_t most)
{
  uint32_t count = w.p->table_marks ? ms_row_at(w, 0, w.match[0]).length : 0;
  for (uint32_t first = 0; first < middle.length && count <= most; first += MS_LANES) {
    uint32_t i = first + ms_lane(), length = i < middle.length ? ms_row_at(w, w.p->table_second, middle.ids[i]).length : 0;
    count += ms_sum_of_lanes(length < most ? length : most + 1);
  }
  return count;
}

/* As ms_fill_table, by one warp: lanes find the rows, some lanes go through each.
 * What follows needs a barrier. */
MS_DEVICE void ms_fill_paths(const ms_walk &w, const ms_device_span &middle, uint32_t *n_touched)
{
  const ms_device_program &p = *w.p;
  uint32_t root = w.match[0], few = MS_LANES < 8 ? MS_LANES : 8, tiles = MS_LANES / few, tile = ms_lane() / few;
  ms_bounds all = {0, w.index->n}, b = {p.table_above ? root + 1 : 0, p.table_below ? root : w.index->n};
  for (uint32_t first = 0; first < middle.length; first += MS_LANES) {
    uint32_t i = first + ms_lane(), length = 0;
    unsigned long long begin = 0;
    if (i < middle.length && ms_domain_holds(p.table_middle, middle.ids[i])) {
      const uint64_t *offset = w.index->rows[p.table_second].offset + middle.ids[i];
      begin = offset[0];
      length = (uint32_t)(offset[1] - offset[0]);
    }
    for (uint32_t j = 0; j < MS_LANES && first + j < middle.length; j += tiles) {
      uint32_t from = j + tile < MS_LANES ? j + tile : 0, many = ms_of_lane(length, from);
      unsigned long long start = ms_of_lane(begin, from);
      if (j + tile < MS_LANES)
        ms_paths_enter(w, w.index->rows[p.table_second].neighbor + start, many, b, false, ms_lane() % few, few,
                       n_touched);
    }
  }
  if (p.table_marks) {
    ms_device_span row = ms_row_at(w, 0, root);
    ms_paths_enter(w, row.ids, row.length, all, true, ms_lane(), MS_LANES, n_touched);
  }
}

/* ---- clearing ------------------------------------------------------------------ */

/* A hash table of at least twice so many entries, by one warp. */
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

/* By all warps of the block, between two barriers. */
MS_DEVICE void ms_clear_table(const ms_walk &w, uint32_t warps, uint32_t n_touched)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < n_touched; i += warps * MS_LANES) {
    if (w.table_kind == MS_TABLE_HALF)
      ((uint16_t *)w.table)[w.touched[i]] = 0;
    else
      ((uint32_t *)w.table)[w.touched[i]] = 0;
  }
}

#endif
