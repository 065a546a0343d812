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

#include "gpu/match/dfs_sets.cuh"

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
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < count; i += warps * MS_LANES) {
    if (w.table_kind == MS_TABLE_HALF)
      ((uint16_t *)w.table)[list[i]] = 0;
    else
      ((uint32_t *)w.table)[list[i]] = 0;
  }
}

/* Clears the table by all warps of the block, between two barriers. */
MS_DEVICE void ms_clear_table(const ms_walk &w, uint32_t warps, const uint32_t *n_touched)
{
  ms_clear_entries(w, warps, w.touched, n_touched[0]);
  if (w.parts > 1)
    ms_clear_entries(w, warps, w.touched + w.touched_room - n_touched[1], n_touched[1]);
}

#endif
