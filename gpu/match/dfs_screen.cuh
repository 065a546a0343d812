/* Roots that cannot have a match are found before a warp searches them one by one: where triangles
 * are rare, as in random graphs, these are nearly all.
 *
 * A clique of k vertices needs (k-1)(k-2)/2 edges among the larger neighbours of its root, and a
 * program of codegrees needs, at an edge of the holder, as many common neighbours as its tail has
 * vertices.  A warp
 * takes a root for each lane, enters pairs of a root and a neighbour into a *filter*, two bits
 * each, and looks up the rows of the neighbours, joined, so that the loads of 32 roots do not wait
 * for each other.  What the filter lets pass is no fewer than the edges; roots with too few are
 * done.
 *
 * What bounds the speed: rows, which come from L2 or memory, and the place of a lane's element in
 * the concatenation of 32 rows. */
#ifndef MS_GPU_MATCH_DFS_SCREEN_CUH
#define MS_GPU_MATCH_DFS_SCREEN_CUH

#include "gpu/match/dfs_squares.cuh"
#include "gpu/match/dfs_universe.cuh"

/* A warp's part of shared memory. */
typedef struct ms_screen {
  uint32_t filter[MS_SCREEN_WORDS];
  uint32_t edges[32]; /* of each root, or common neighbours at each lane's edge of a holder; and
                         what else the filter lets pass */
} ms_screen;

static_assert(sizeof(ms_screen) == MS_SCREEN_BYTES, "the host makes room for it");

/* A root with the elements of its universe, one for each lane; none if it is not looked at.  edges:
 * how many of these, the first ones, have rows that are looked up. */
typedef struct ms_screen_root {
  uint32_t length, edges;
  unsigned long long first;
} ms_screen_root;

/* The word of the filter, and the two bits in it, of a pair of a root's lane and a vertex. */
MS_DEVICE uint32_t ms_screen_hash(uint32_t lane, uint32_t x)
{
  return (x ^ lane * 0x9e3779b1u) * 0x85ebca6bu;
}

MS_DEVICE uint32_t ms_screen_word(uint32_t hash)
{
  return hash >> 16 & (MS_SCREEN_WORDS - 1);
}

MS_DEVICE uint32_t ms_screen_bits(uint32_t hash)
{
  return 1u << (hash >> 27) | 1u << (hash >> 11 & 31);
}

/* Returns the part of v's row that may be in the universe of a root, or v's own universe.  A holder
 * has the edges to its smaller neighbours: ids ascend with degrees.  Called by one lane. */
MS_DEVICE ms_screen_root ms_screen_row(const ms_local &l, uint32_t v, bool is_root)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  ms_screen_root r = {0, 0, rows.offset[v]};
  uint32_t smaller = is_root || !l.w.p->codegrees ? rows.smaller[v] : 0;
  if (!l.w.p->codegrees)
    r.first += smaller;
  r.length = (uint32_t)(rows.offset[v + 1] - r.first);
  r.edges = l.w.p->codegrees ? smaller : r.length;
  return r;
}

/* Returns a bit for each root of the lanes [from, to) that has as many edges as are needed, or an
 * edge with as many common neighbours. */
MS_DEVICE uint32_t ms_screen_edges(const ms_local &l, ms_screen *screen, const ms_screen_root &r,
                                   uint32_t from, uint32_t to, uint32_t need)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  bool mine = ms_lane() >= from && ms_lane() < to, by_edge = l.w.p->codegrees;
  uint32_t edges = mine ? r.edges : 0, begin = ms_sum_before(edges), kept = 0;
  uint32_t all = ms_of_lane(begin + edges, MS_LANES - 1);
  for (uint32_t i = ms_lane(); i < MS_SCREEN_WORDS; i += MS_LANES)
    screen->filter[i] = 0;
  screen->edges[ms_lane()] = 0;
  ms_sync_warp();
  ms_visit_joined(rows.neighbor, r.first, mine ? r.length : 0,
                  [&](uint32_t x, uint32_t lane, bool valid, unsigned long long) {
                    uint32_t hash = ms_screen_hash(lane, x);
                    if (valid)
                      (void)ms_or(&screen->filter[ms_screen_word(hash)], ms_screen_bits(hash));
                  });
  ms_sync_warp();
  for (uint32_t e = ms_lane(); e - ms_lane() < all; e += MS_LANES) {
    uint32_t lane = ms_lane_of(begin, e);
    unsigned long long at = ms_of_lane(r.first - begin, lane) + e;
    ms_screen_root row = {0, 0, 0};
    if (e < all)
      row = ms_screen_row(l, rows.neighbor[at], false);
    ms_visit_joined(rows.neighbor, row.first, row.length,
                    [&](uint32_t x, uint32_t of, bool valid, unsigned long long) {
                      uint32_t own = ms_of_lane(lane, of), hash = ms_screen_hash(own, x);
                      uint32_t bits = ms_screen_bits(hash);
                      if (valid && (screen->filter[ms_screen_word(hash)] & bits) == bits)
                        (void)ms_add(&screen->edges[by_edge ? of : own], 1u);
                    });
    if (!by_edge)
      continue;
    ms_sync_warp();
    for (uint32_t left = ms_ballot(screen->edges[ms_lane()] >= need); left; left &= left - 1)
      kept |= 1u << ms_of_lane(lane, ms_lowest(left));
    screen->edges[ms_lane()] = 0;
    ms_sync_warp();
  }
  ms_sync_warp();
  return by_edge ? kept : ms_ballot(mine && screen->edges[ms_lane()] >= need);
}

/* Returns a bit for each of the `count` places from `first` on, at most one for each lane, whose
 * root is to be searched. */
MS_DEVICE uint32_t ms_screen_places(const ms_local &l, const ms_dfs_launch &launch,
                                    ms_screen *screen, uint64_t first, uint32_t count)
{
  ms_screen_root r = {0, 0, 0};
  uint64_t number =
      ms_lane() < count ? ms_unit_of_launch(launch, first + ms_lane()) : launch.share.units;
  uint32_t kept = 0, from = 0;
  if (number < launch.share.units)
    r = ms_screen_row(l, l.w.p->codegrees ? (uint32_t)number : ms_root_at(l.w, number), true);
  bool is_large = r.length > launch.small;
  kept = ms_ballot(is_large);
  bool is_counted = !is_large && ms_counts_root(launch, number);
  r.length = is_counted ? r.length : 0;
  r.edges = is_counted ? r.edges : 0;
  uint32_t before = ms_sum_before(r.length);
  while (from < count) { /* as many roots as the filter has room for, at least one */
    uint32_t base = ms_of_lane(before, from);
    bool fits = ms_lane() == from || before + r.length - base <= MS_SCREEN_MOST;
    uint32_t others = ~ms_ballot(ms_lane() < from || fits);
    uint32_t to = others && ms_lowest(others) < count ? ms_lowest(others) : count;
    kept |= ms_screen_edges(l, screen, r, from, to, launch.screen);
    from = to;
  }
  return kept;
}

#endif
