/* The census of each vertex: a warp searches one root, into whose sets all other vertices may come,
 * and counts them in a table of its own.
 *
 * The sets are those of search.cuh in a ball without a floor.  So each set is reached once from
 * each of its k vertices, and N sets of a graph take k N additions to tables, less those that
 * the merging of completions of one kind saves.
 *
 * Operations and bytes.  In the graph of a million points of docs/SETS.md, with 20 colours and
 * k = 5, a vertex is in 1,435 sets of 620 motifs on average (N = 2.87 x 10^8).  Sets of k - 1
 * vertices are reached 3.0 x 10^8 times, and their completions take 1.27 x 10^9 additions.  Each
 * looks up the motif of a cell, in a table of 0.7 MB that stays in the L2 cache: sectors of 32
 * bytes, 41 GB, or 4.5 ms at the 9 TB/s of an H200.  Reading a place of the table and adding to
 * it are 2.5 x 10^9 accesses of shared memory, 0.3 ms if 32 lanes of each multiprocessor had one in
 * each cycle.  The 6.2 x 10^8 entries have 5.0 GB: 1.2 ms at 4.2 TB/s of memory, and 92 ms at the
 * 54 GB/s of the link to the host.  So the link bounds this census, unless the host takes longer to
 * sort and write the rows; `make bench-census-gpu` prints these floors beside the time. */
#ifndef MS_GPU_CENSUS_VERTICES_CUH
#define MS_GPU_CENSUS_VERTICES_CUH

#include "gpu/census/search.cuh"

/* Counts the sets that hold each root of a launch; shared: the block's memory. */
template <uint32_t W>
MS_DEVICE void ms_census_vertex_roots(const ms_census_launch &l, uint32_t warps, uint8_t *shared)
{
  ms_census_warp<W> w;
  uint32_t root, own_bytes = ms_census_warp_bytes(W, l.k, l.merged);
  uint64_t unit;
  uint8_t *own = shared + ms_warp() * own_bytes;
  w.shared = nullptr;
  w.visits = 0;
  w.x = (ms_bits<W> *)ms_ball_place(&w.ball, l, own);
  w.near = w.x + (l.k - 2) * MS_CENSUS_ITEMS;
  w.state = (uint32_t *)(w.near + (l.k - 2) * MS_CENSUS_ITEMS);
  uint64_t places = (uint64_t)1 << l.place_bits;
  w.table.key = l.table ? l.table + (ms_block() * warps + ms_warp()) * 2 * places
                        : (uint32_t *)(shared + warps * own_bytes) + ms_warp() * 2 * places;
  w.table.sets = w.table.key + places;
  ms_table_clear(l, &w.table);
  while (ms_census_take(l, &root, &unit)) {
    if (!ms_ball_make(&w.ball, l, root)) {
      if (ms_lane() == 0)
        l.found[unit] = MS_CENSUS_BALL;
      ms_sync_warp();
    } else if (ms_census_search_root<W, MS_IN_TABLE>(l, &w)) {
      ms_table_write(l, &w.table, unit);
    } else {
      break;
    }
  }
  uint32_t visits = ms_sum_of_lanes(w.visits);
  if (ms_lane() == 0)
    ms_add(&l.queue->rows, (unsigned long long)visits);
}

#endif
