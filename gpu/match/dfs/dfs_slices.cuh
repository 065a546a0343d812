/* The lists of a local program (dfs_local.cuh): slices of universes that are too large or too dense
 * for a warp.
 *
 * A slice makes the matrix of its universe again.  Where a universe has few edges, this is most of
 * the work, and where it has many, it is not, so that a long chain is in slices only where the
 * universe is *dense*.  A warp, or for a large universe a block, makes the matrix, and counts a
 * universe of few edges at once; otherwise it lists slices, which the next launch takes.
 *
 * Several devices share slices of large universes, which they list by the number of vertices, since
 * a matrix that each device makes only for its edges would be made by all of them. */
#ifndef MS_GPU_MATCH_DFS_SLICES_CUH
#define MS_GPU_MATCH_DFS_SLICES_CUH

#include "gpu/match/dfs/dfs_block.cuh"
#include "gpu/match/dfs/dfs_universe.cuh"

#include <math.h>

/* Returns the number of candidates of a slice.  For each slice of a holder, its whole row is marked
 * again, and for each slice of a universe, the matrix is made again.  In a larger universe the
 * candidates of a long chain are more work, so a slice has fewer. */
MS_DEVICE uint32_t ms_slice_length(const ms_dfs_launch &launch, const ms_device_program &p,
                                   uint32_t size)
{
  uint32_t slices = p.codegrees ? MS_MOST_SLICES : MS_LOCAL_SLICES;
  if (!p.chain && size / slices > launch.slice)
    return size / slices;
  if (p.chain && p.prefix > MS_SHORT_CHAIN && size > MS_CHAIN_SMALL) {
    uint32_t length = launch.slice * MS_CHAIN_SMALL / size, least = launch.least;
    least = size / MS_CHAIN_SLICES > least ? size / MS_CHAIN_SLICES : least;
    return length > least ? length : least;
  }
  return launch.slice;
}

/* Returns the places of a universe of which slices are made.  Where sets
 * are in global memory, these are the candidates alone: a hub has few of them in a large universe,
 * and slices of all places would leave it to one block. */
MS_DEVICE ms_places ms_sliced_places(const ms_local &l, const ms_dfs_launch &launch, uint32_t size)
{
  ms_places all = {launch.far_bytes > 0 ? l.root_at : 0, size};
  return all;
}

/* Returns a number in proportion to the work of the places [from, to) of a root's universe, which
 * is `row`.  A holder of codegrees looks up the rows of its smaller neighbours, the longest of
 * which come last; a vertex of a chain has its larger neighbours. */
MS_DEVICE uint32_t ms_work_of_slice(const ms_local &l, const ms_device_span &row, uint32_t holder,
                                    uint32_t from, uint32_t to)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  if (!l.w.p->codegrees)
    return l.w.p->chain ? row.length - from : row.length;
  uint32_t smaller = rows.smaller[holder];
  to = to < smaller ? to : smaller;
  if (from >= to)
    return 0;
  uint32_t last = row.ids[to - 1];
  unsigned long long work = rows.offset[last + 1] - rows.offset[last];
  work *= to - from;
  return work < MS_ALL_ONES ? (uint32_t)work : MS_ALL_ONES;
}

/* Lists the slices of a root's universe, which is `row`.  SHARED: several devices may list them, of
 * which each takes its own; otherwise the device has the root. */
template <bool SHARED>
MS_DEVICE void ms_list_slices(const ms_local &l, const ms_dfs_launch &launch, uint32_t root,
                              const ms_device_span &row)
{
  const ms_device_program &p = *l.w.p;
  uint32_t size = row.length, from = 0, to = size;
  ms_places all = ms_sliced_places(l, launch, size);
  uint32_t length = ms_slice_length(launch, p, all.hi - all.lo);
  if (!p.codegrees && !p.chain) { /* where the candidates are above or below the root */
    from = p.step[1].above & 1 ? l.root_at : 0;
    to = p.step[1].below & 1 ? l.root_at : size;
  }
  if (from >= to)
    return;
  uint32_t first = (from - all.lo) / length, end = (to - all.lo + length - 1) / length;
  ms_list_parts_of<SHARED>(launch, launch.whole, root, first, end, [&](uint32_t i) {
    uint32_t begin = all.lo + i * length, left = size - begin;
    uint32_t work =
        launch.list[launch.whole].sorted
            ? ms_work_of_slice(l, row, root, begin, begin + (left < length ? left : length))
            : 0;
    return ms_listed_part(launch, launch.whole, root, i, work);
  });
}

/* ---- dense universes ------------------------------------------------------------------------- */

/* Returns the number of edges in the rows of the matrix that belong to the warp.  All lanes get the
 * sum. */
MS_DEVICE uint32_t ms_chain_edges(const ms_local &l, uint32_t warp, uint32_t warps)
{
  uint32_t words = l.size * l.stride, edges = 0;
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < words; i += warps * MS_LANES)
    edges += ms_count_bits(l.matrix[i]);
  return ms_sum_of_lanes(edges);
}

/* Returns an estimate of the work of a long chain in a universe of so many edges: the triangles,
 * up to a factor, that so many random edges have, times the mean number of larger neighbours for
 * each further level. */
MS_DEVICE double ms_chain_work(const ms_local &l, uint32_t edges)
{
  double each = (double)edges / l.size, work = edges * each * 2 * each / l.size;
  for (uint32_t left = l.w.p->prefix; left > MS_SHORT_CHAIN + 1; left--)
    work *= each;
  return work;
}

/* Lists a universe that is too large for a warp: the whole of it, or slices. */
template <bool CHAIN>
MS_DEVICE void ms_list_universe(const ms_local &l, const ms_dfs_launch &launch, uint32_t number,
                                const ms_device_span &universe)
{
  if (!CHAIN || !launch.whole)
    ms_list_slices<true>(l, launch, number, universe);
  else
    ms_list_parts_of<false>(launch, 0, number, 0, 1, [&](uint32_t) {
      return ms_listed_part(launch, 0, number, 0, universe.length);
    });
}

/* Lists the slices of the current universe, whose matrix the block has made, if it is dense.
 * Returns whether it is.  All warps of the block call it. */
MS_DEVICE bool ms_list_dense(const ms_local &l, const ms_dfs_launch &launch, ms_dfs_block *block,
                             uint32_t number, const ms_device_span &universe)
{
  uint32_t edges = ms_chain_edges(l, ms_warp(), launch.warps);
  if (ms_lane() == 0)
    (void)ms_add(&block->n_touched[0], edges);
  ms_sync_block();
  bool dense = ms_chain_work(l, ms_peek(&block->n_touched[0])) >= launch.dense;
  if (dense && ms_warp() == 0)
    ms_list_slices<false>(l, launch, number, universe);
  return dense;
}

#endif
