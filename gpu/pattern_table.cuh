/* The table of paths of length two from the root (enumerate/cpu/program.h), one
 * a block; all of its warps work on one root.
 *
 * Entries are 16 bits where no row has 2^15 neighbours: then the table of a
 * graph of up to about 100,000 vertices fits in shared memory.  What bounds the
 * filling: an atomic add for each path, 32 a clock and multiprocessor in shared
 * memory, about one a clock and L2 slice otherwise; rows shorter than a warp
 * leave lanes idle (to try next: lanes over the concatenated rows). */
#ifndef MS_GPU_PATTERN_TABLE_CUH
#define MS_GPU_PATTERN_TABLE_CUH

#include "gpu/pattern_sets.cuh"

#define MS_FULL_MARK (1u << 31)
#define MS_HALF_MARK (1u << 15)

/* How many of the entry's paths there are. */
MS_DEVICE uint32_t ms_table_paths(const ms_walk &w, uint32_t x)
{
  return w.table_half ? ((const uint16_t *)w.table)[x] & (MS_HALF_MARK - 1)
                      : ((const uint32_t *)w.table)[x] & (MS_FULL_MARK - 1);
}

MS_DEVICE bool ms_table_marked(const ms_walk &w, uint32_t x)
{
  return w.table_half ? (((const uint16_t *)w.table)[x] & MS_HALF_MARK) != 0
                      : (((const uint32_t *)w.table)[x] & MS_FULL_MARK) != 0;
}

/* One path more, or the mark; returns whether the entry was zero. */
MS_DEVICE bool ms_table_enter(const ms_walk &w, uint32_t x, bool mark)
{
  if (!w.table_half) {
    uint32_t *entry = (uint32_t *)w.table + x;
    return (mark ? ms_or(entry, MS_FULL_MARK) : ms_add(entry, 1)) == 0;
  }
  uint32_t *pair = (uint32_t *)w.table + x / 2, shift = x % 2 * 16;
  uint32_t before = mark ? ms_or(pair, MS_HALF_MARK << shift) : ms_add(pair, 1u << shift);
  return (before >> shift & 0xffff) == 0;
}

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

/* By all warps of the block, between two barriers. */
MS_DEVICE void ms_clear_table(const ms_walk &w, uint32_t warps, uint32_t n_touched)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < n_touched; i += warps * MS_LANES) {
    if (w.table_half)
      ((uint16_t *)w.table)[w.touched[i]] = 0;
    else
      ((uint32_t *)w.table)[w.touched[i]] = 0;
  }
}

#endif
