/* Programs in which only the *codegree* of an edge counts, the number of common neighbours of its
 * ends: diamonds, books.
 *
 * Each edge belongs to its end of higher degree, its *holder*.  The row of the other end, which is
 * the shorter one, is looked up in the set of the holder's neighbours: for all edges together, the
 * sum over edges of the smaller degree, with no bound on the holder's degree (a local program with
 * a matrix has one).  A unit is a holder.
 *
 * A holder with a short row belongs to a warp, which has the row's filter and looks up what passes
 * (dfs_universe.cuh).  For the others, a block takes a slice of the row at a time, and the set is
 * one bit for each vertex of the graph: in shared memory if it fits, otherwise in global memory,
 * where the L2 cache holds it. */
#ifndef MS_GPU_MATCH_DFS_CODEGREE_CUH
#define MS_GPU_MATCH_DFS_CODEGREE_CUH

#include "gpu/match/dfs_local.cuh"

/* True if these may be the matches of levels 0 and 1; they are neighbours. */
MS_DEVICE bool ms_is_pair(const ms_device_program &p, uint32_t first, uint32_t second)
{
  const ms_device_step &step = p.step[1];
  const ms_device_set &set = p.set[step.set];
  uint32_t above = (set.above | step.above) & 1, below = (set.below | step.below) & 1;
  return ms_domain_holds(p.step[0].domain, first) && second >= set.lo && second < set.hi &&
         second >= step.domain.lo && second < step.domain.hi && (!above || second > first) &&
         (!below || second < first) && (!step.test_bits || ms_has_bit(step.domain.bits, second));
}

/* An edge of a holder: the row of its other end, cut to the bounds of the universe.  ways: how many
 * of the edge's two directions are matches of levels 0 and 1. */
typedef struct ms_held_edge {
  unsigned long long begin;
  uint32_t length, ways;
} ms_held_edge;

/* Returns the edge to v; ways is 0 if it does not count, or belongs to v. */
MS_DEVICE ms_held_edge ms_held_edge_to(const ms_walk &w, uint32_t holder, uint32_t degree,
                                       uint32_t v)
{
  const ms_device_program &p = *w.p;
  const ms_device_rows &rows = w.index->rows[0];
  ms_held_edge e = {rows.offset[v], 0, 0};
  uint32_t length = (uint32_t)(rows.offset[v + 1] - e.begin);
  if (length > degree || (length == degree && v > holder))
    return e;
  e.ways = (uint32_t)ms_is_pair(p, v, holder) + (uint32_t)ms_is_pair(p, holder, v);
  if (e.ways == 0)
    return e;
  ms_device_span row = {rows.neighbor + e.begin, 0, length};
  row = ms_cut_by_lane(row, {p.local_lo, p.local_hi});
  e.begin = (unsigned long long)(row.ids - rows.neighbor);
  e.length = row.length;
  return e;
}

/* Adds the values of an edge with this codegree. */
MS_DEVICE void ms_add_codegree(ms_local &l, uint32_t codegree, uint32_t ways, ms_int128 *part)
{
  for (; ways > 0; ways--)
    ms_ends_value(l, codegree, part);
}

/* ---- a warp's holders ------------------------------------------------------------------ */

/* Adds 1 to the codegree of the edge at a place if x is in the universe, one a lane. */
MS_DEVICE void ms_codegree_found(const ms_local &l, uint32_t place, uint32_t x)
{
  if (ms_find(l, x) < l.size)
    (void)ms_add(&l.matrix[place], 1u);
}

/* Counts the edges of a holder, whose row is the universe. */
MS_DEVICE void ms_codegree_root(ms_local &l, uint32_t holder)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
  auto found = [&](uint32_t place, uint32_t x) { ms_codegree_found(l, place, x); };
  for (uint32_t i = ms_lane(); i < l.size; i += MS_LANES)
    l.matrix[i] = 0;
  ms_filter_fill(l, 0, 1);
  ms_sync_warp();
  for (uint32_t first = 0; first < l.size; first += MS_LANES) {
    ms_held_edge e = {0, 0, 0};
    if (first + ms_lane() < l.size)
      e = ms_held_edge_to(l.w, holder, l.size, l.ids[first + ms_lane()]);
    uint32_t waiting = 0;
    ms_visit_filtered<MS_READS>(l, rows.neighbor, e.begin, e.length, first, &waiting, found);
    ms_visit_waiting(l, waiting, found);
    if (e.ways > 0)
      ms_add_codegree(l, l.matrix[first + ms_lane()], e.ways, &part);
  }
  ms_wide_add(&l.w.sum, ms_wide_of(part));
}

/* ---- a block's holders ----------------------------------------------------------------- */

/* Returns the number of elements of the lane's row whose bit is set.  All lanes call it together;
 * rows are read as by ms_visit_rows. */
MS_DEVICE uint32_t ms_count_in_rows(const uint32_t *neighbor, unsigned long long begin,
                                    uint32_t length, const uint32_t *bits)
{
  uint32_t few = MS_LANES < 8 ? MS_LANES : 8, tiles = MS_LANES / few, tile = ms_lane() / few;
  uint32_t count = 0;
  for (uint32_t left = ms_ballot(length > 64); left; left &= left - 1) {
    uint32_t from = ms_lowest(left), end = ms_of_lane(length, from), mine = 0;
    const uint32_t *row = neighbor + ms_of_lane(begin, from);
    for (uint32_t at = ms_lane(); at < end; at += MS_READS * MS_LANES) {
      uint32_t x[MS_READS];
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        x[i] = at + i * MS_LANES < end ? row[at + i * MS_LANES] : row[at];
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        mine += (bits[x[i] / 32] >> x[i] % 32 & 1) & (uint32_t)(at + i * MS_LANES < end);
    }
    mine = ms_sum_of_lanes(mine);
    count = ms_lane() == from ? mine : count;
  }
  length = length > 64 ? 0 : length;
  uint32_t some = ms_ballot(length > 0);
  for (uint32_t j = 0; j < MS_LANES; j += tiles) {
    if (!(some >> j & ((1u << tiles) - 1)))
      continue;
    bool reads = tile < tiles && j + tile < MS_LANES, owns = ms_lane() - j < tiles;
    uint32_t from = reads ? j + tile : j, end = ms_of_lane(length, from);
    const uint32_t *row = neighbor + ms_of_lane(begin, from);
    end = reads ? end : 0;
    for (uint32_t at = ms_lane() % few; ms_any(at < end); at += MS_READS * few) {
      uint32_t x[MS_READS];
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        x[i] = at + i * few < end ? row[at + i * few] : 0;
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++) {
        uint32_t found = ms_ballot(at + i * few < end && (bits[x[i] / 32] >> x[i] % 32 & 1));
        found = owns ? found >> (ms_lane() - j) * few & ((1u << few) - 1) : 0;
        count += ms_count_bits(found);
      }
    }
  }
  return count;
}

/* Sets or clears the bits of the row, with the warps of the block. */
MS_DEVICE void ms_mark_row(const ms_device_span &row, uint32_t *bits, bool set, uint32_t warps)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < row.length; i += warps * MS_LANES) {
    uint32_t x = row.ids[i];
    if (set)
      (void)ms_or(&bits[x / 32], 1u << x % 32);
    else
      bits[x / 32] = 0;
  }
}

/* Counts the edges at the places [from, to) of a holder's row, which the block's warps share;
 * *next is 0 before the call. */
MS_DEVICE void ms_codegree_edges(ms_local &l, uint32_t holder, const ms_device_span &row,
                                 uint32_t from, uint32_t to, const uint32_t *bits, uint32_t *next)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  while (!l.w.stopped) {
    uint32_t at = 0;
    ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
    if (ms_lane() == 0)
      at = from + ms_add(next, MS_LANES);
    at = ms_of_lane(at, 0);
    if (at >= to)
      return;
    ms_held_edge e = {0, 0, 0};
    if (at + ms_lane() < to)
      e = ms_held_edge_to(l.w, holder, row.length, row.ids[at + ms_lane()]);
    uint32_t codegree = ms_count_in_rows(rows.neighbor, e.begin, e.length, bits);
    ms_add_codegree(l, codegree, e.ways, &part);
    ms_wide_add(&l.w.sum, ms_wide_of(part));
    (void)ms_may_continue(l.w);
  }
}

#endif
