/* What a block does in a launch of the engine `dfs` for a local program (dfs_local.cuh): its warps
 * search small universes and list slices of the others, or all of them search a listed slice. */
#ifndef MS_GPU_MATCH_DFS_LOCAL_BLOCK_CUH
#define MS_GPU_MATCH_DFS_LOCAL_BLOCK_CUH

#include "gpu/match/dfs_block.cuh"
#include "gpu/match/dfs_chain.cuh"
#include "gpu/match/dfs_codegree.cuh"
#include "gpu/match/dfs_screen.cuh"

/* Elements of a short row that a lane reads at a time where a chain's matrix is made: rows of
 * larger neighbours are so short that K5 of R-MAT 17 takes 5 % longer with MS_READS. */
#define MS_CHAIN_READS 1u

/* ---- the places of parts in memory --------------------------------------------------------- */

/* Sets the addresses of a warp's part and of a team's part of shared memory. */
MS_DEVICE void ms_local_place(ms_local &l, uint8_t *of_warp, uint8_t *of_team, uint32_t ids_room,
                              uint32_t stride, uint8_t *matrix)
{
  const ms_device_program &p = *l.w.p;
  l.match = (uint32_t *)of_warp;
  l.list = l.match + ms_by_fours(p.prefix);
  l.sets = l.list + MS_LOCAL_LISTS;
  l.ids = (uint32_t *)of_team;
  l.filter = (uint32_t *)of_team + ms_by_fours(ids_room);
  l.masks = l.filter + ms_filter_words(ids_room);
  l.finder = NULL;
  l.matrix = matrix ? (uint32_t *)matrix : l.masks + p.n_filters * stride;
}

/* Makes this universe, of the root at l.root_at, the current one; the team copies its ids, unless
 * they are read where they are, and clears the filter. */
MS_DEVICE void ms_local_take_universe(ms_local &l, const ms_device_span &universe, uint32_t warp,
                                      uint32_t warps)
{
  l.size = universe.length;
  l.words = (l.size + 31) / 32;
  l.stride = ms_matrix_stride(l.w.p, l.size);
  l.first_row = l.w.p->local_upper ? l.root_at : 0;
  for (uint32_t i = warp * MS_LANES + ms_lane(); l.ids != universe.ids && i < l.size;
       i += warps * MS_LANES)
    ((uint32_t *)l.ids)[i] = universe.ids[i];
  ms_filter_clear(l, warp, warps);
}

/* ---- small universes, and a list of the others --------------------------------------- */

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
  ms_list_parts_of(launch, root, first, end, [&](uint32_t i) {
    uint32_t begin = all.lo + i * length, left = size - begin;
    uint32_t work = launch.sorted ? ms_work_of_slice(l, row, root, begin,
                                                     begin + (left < length ? left : length))
                                  : 0;
    return ms_listed_part(launch, root, i, work);
  });
}

template <bool CHAIN>
MS_DEVICE void ms_local_root(ms_local &l, const ms_dfs_launch &launch, uint32_t number,
                             uint32_t *next)
{
  bool codegrees = !CHAIN && l.w.p->codegrees;
  uint32_t root = codegrees ? number : ms_root_at(l.w, number);
  ms_device_span universe =
      codegrees ? ms_row_at(l.w, 0, number) : ms_universe(l.w, root, &l.root_at);
  if (!codegrees && universe.length < l.w.p->local_need)
    return;
  if (universe.length > launch.small) {
    ms_list_slices(l, launch, number, universe);
    return;
  }
  if (!ms_counts_root(launch, number))
    return;
  ms_sync_warp();
  ms_local_take_universe(l, universe, 0, 1);
  if (ms_lane() == 0)
    *next = 0;
  ms_sync_warp();
  if (codegrees) {
    ms_codegree_root(l, root);
    return;
  }
  ms_local_build<CHAIN ? MS_CHAIN_READS : MS_READS>(l, 0, 1, [] { ms_sync_warp(); });
  ms_sync_warp();
  if constexpr (CHAIN) {
    ms_chain_root(l);
  } else {
    if (ms_local_sets(l, 0))
      ms_local_children(l, 0, l.size, next);
  }
}

template <bool CHAIN, bool SCREEN>
MS_DEVICE void ms_dfs_local(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  uint8_t *mine = shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes;
  uint32_t *next = (uint32_t *)mine; /* 16 bytes, so that what follows is aligned */
  const ms_device_program &p = *l.w.p;
  uint32_t stride = ms_matrix_stride(&p, launch.small);
  uint32_t of_warp = CHAIN ? ms_chain_warp_bytes(p.prefix, stride, 0, 0)
                           : ms_local_warp_bytes(p.prefix, p.n_local_slots, stride);
  ms_local_place(l, mine + 16, mine + 16 + of_warp, launch.small, stride, NULL);
  ms_stretch s = ms_first_stretch(launch);
  auto search = [&](uint64_t at) {
    uint64_t root = ms_unit_of_launch(launch, at);
    if (root < launch.share.units)
      ms_local_root<CHAIN>(l, launch, (uint32_t)root, next);
  };
  while (!l.w.stopped && !ms_is_over(l.w) && ms_take(l.w, 0, &s)) {
    if constexpr (SCREEN) {
      ms_screen *screen = (ms_screen *)(mine + launch.warp_bytes - MS_SCREEN_BYTES);
      for (uint64_t first = s.first; first < s.last && !l.w.stopped; first += MS_LANES) {
        uint32_t count = s.last - first < MS_LANES ? (uint32_t)(s.last - first) : MS_LANES;
        uint32_t left = ms_screen_places(l, launch, screen, first, count);
        for (; left && !l.w.stopped; left &= left - 1)
          search(first + ms_lowest(left));
      }
    } else {
      for (uint64_t at = s.first; at < s.last && !l.w.stopped; at++)
        search(at);
    }
  }
  ms_end_block(launch, shared, l.w);
}

/* ---- slices ------------------------------------------------------------------------------ */

/* Places what is too large for shared memory at the end of the block's part of `matrices`, and
 * reads the ids where they are. */
MS_DEVICE void ms_local_place_far(ms_local &l, const ms_dfs_launch &launch, const uint32_t *ids,
                                  uint32_t stride, uint8_t *matrix)
{
  const ms_device_program &p = *l.w.p;
  l.ids = ids;
  l.matrix = (uint32_t *)matrix;
  l.masks = (uint32_t *)(matrix + (launch.matrices_bytes - launch.far_bytes));
  l.sets = l.masks + (p.n_filters + ms_warp() * p.n_local_slots) * stride;
}

template <bool CHAIN> MS_DEVICE void ms_dfs_slices(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_begin_block(launch, shared, false);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  uint32_t room = ms_matrix_stride(l.w.p, launch.universe);
  uint32_t *finder = (uint32_t *)(shared + sizeof *block + launch.warps * launch.warp_bytes);
  uint8_t *of_team = (uint8_t *)(finder + launch.finder);
  uint8_t *matrix = launch.matrices ? launch.matrices + ms_block() * launch.matrices_bytes : NULL;
  ms_slice slice;
  while (ms_next_listed(launch, block, &slice)) {
    ms_device_span universe = ms_universe(l.w, ms_root_at(l.w, slice.root), &l.root_at);
    uint32_t rows = universe.length - (l.w.p->local_upper ? l.root_at : 0);
    uint32_t words = rows * (l.w.p->ends ? 1 : ms_matrix_stride(l.w.p, universe.length));
    ms_local_place(l, shared + sizeof *block + ms_warp() * launch.warp_bytes, of_team,
                   launch.far_bytes > 0 ? 0 : launch.universe, room,
                   words * 4 <= launch.matrix_bytes ? NULL : matrix);
    if (launch.far_bytes > 0)
      ms_local_place_far(l, launch, universe.ids, room, matrix);
    ms_places all = ms_sliced_places(l, launch, universe.length);
    uint32_t length = ms_slice_length(launch, *l.w.p, all.hi - all.lo);
    uint32_t from = all.lo + slice.slice * length, to = all.hi - from;
    to = from + (to < length ? to : length);
    ms_local_take_universe(l, universe, ms_warp(), launch.warps);
    l.finder = launch.finder > 0 ? finder : NULL;
    l.finder_room = launch.finder;
    ms_fill_words(MS_NO_PLACE, finder, launch.finder * sizeof *finder, launch.warps * MS_LANES);
    ms_sync_block();
    ms_local_build<CHAIN ? MS_CHAIN_READS : MS_READS>(l, ms_warp(), launch.warps,
                                                      [] { ms_sync_block(); });
    ms_sync_block();
    if constexpr (CHAIN) {
      ms_chain_walk c = ms_chain_walk_of(l, launch.universe, launch.room, launch.wide);
      ms_chain_children(l, c, from, to, &block->child);
    } else {
      if (ms_local_sets(l, 0)) /* all warps get the same result */
        ms_local_children(l, from, to, &block->child);
    }
  }
  ms_end_block(launch, shared, l.w);
}

/* Counts slices of the rows of holders. */
MS_DEVICE void ms_dfs_codegrees(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  uint32_t *bits = launch.matrices
                       ? (uint32_t *)(launch.matrices + ms_block() * launch.matrices_bytes)
                       : (uint32_t *)(shared + sizeof *block + launch.warps * launch.warp_bytes);
  uint64_t bytes = launch.matrices ? launch.matrices_bytes : launch.matrix_bytes;
  ms_begin_block(launch, shared, false);
  ms_fill_words(0, bits, bytes, launch.warps * MS_LANES);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  ms_slice slice;
  while (ms_next_listed(launch, block, &slice)) {
    ms_device_span row = ms_row_at(l.w, 0, slice.root);
    uint32_t length = ms_slice_length(launch, *l.w.p, row.length), from = slice.slice * length;
    uint32_t to = row.length - from < length ? row.length : from + length;
    ms_mark_row(row, bits, true, launch.warps);
    ms_sync_block();
    ms_codegree_edges(l, slice.root, row, from, to, bits, &block->child);
    ms_sync_block();
    ms_mark_row(row, bits, false, launch.warps);
  }
  ms_end_block(launch, shared, l.w);
}

#endif
