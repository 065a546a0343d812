/* What a block does in a launch of the engine `dfs` for a local program (dfs_local.cuh): its warps
 * search small universes and list slices of the others, or all of them search a listed slice. */
#ifndef MS_GPU_MATCH_DFS_LOCAL_BLOCK_CUH
#define MS_GPU_MATCH_DFS_LOCAL_BLOCK_CUH

#include "gpu/match/dfs/dfs_block.cuh"
#include "gpu/match/dfs/dfs_chain.cuh"
#include "gpu/match/dfs/dfs_local.cuh"
#include "gpu/match/dfs/dfs_slices.cuh"
#include "gpu/match/dfs/dfs_squares.cuh"
#include "gpu/match/dfs/dfs_universe.cuh"

/* ---- screening of roots ---------------------------------------------------------------------- */

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

/* ---- codegrees ------------------------------------------------------------------------------- */

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
 * one bit for each vertex of the graph: in shared memory for the last vertices, as many as it has
 * room for, and in global memory for the others.  Where ids ascend with degrees, these are in few
 * rows. */

/* A bit for each vertex: vertex x >= first has bit x - first of near, others have bit x of far. */
typedef struct ms_vertex_bits {
  uint32_t *near, *far;
  uint32_t first; /* a multiple of 32 */
} ms_vertex_bits;

/* Returns the word of x's bit, which is bit x % 32 of it. */
MS_DEVICE uint32_t *ms_word_of(const ms_vertex_bits &b, uint32_t x)
{
  return x >= b.first ? b.near + (x - b.first) / 32 : b.far + x / 32;
}

MS_DEVICE uint32_t ms_vertex_bit(const ms_vertex_bits &b, uint32_t x)
{
  return *ms_word_of(b, x) >> x % 32 & 1;
}

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
                                    uint32_t length, const ms_vertex_bits &bits)
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
        mine += ms_vertex_bit(bits, x[i]) & (uint32_t)(at + i * MS_LANES < end);
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
        uint32_t found = ms_ballot(at + i * few < end && ms_vertex_bit(bits, x[i]));
        found = owns ? found >> (ms_lane() - j) * few & ((1u << few) - 1) : 0;
        count += ms_count_bits(found);
      }
    }
  }
  return count;
}

/* Sets or clears the bits of the row, with the warps of the block. */
MS_DEVICE void ms_mark_row(const ms_device_span &row, const ms_vertex_bits &bits, bool set,
                           uint32_t warps)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < row.length; i += warps * MS_LANES) {
    uint32_t x = row.ids[i];
    if (set)
      (void)ms_or(ms_word_of(bits, x), 1u << x % 32);
    else
      *ms_word_of(bits, x) = 0;
  }
}

/* Counts the edges at the places [from, to) of a holder's row, which the block's warps share, the
 * last ones first: these have the longest rows; *next is 0 before the call. */
MS_DEVICE void ms_codegree_edges(ms_local &l, uint32_t holder, const ms_device_span &row,
                                 uint32_t from, uint32_t to, const ms_vertex_bits &bits,
                                 uint32_t warps, uint32_t *next)
{
  const ms_device_rows &rows = l.w.index->rows[0];
  uint32_t some = (to - from) / (4 * warps) + 1;
  some = some < MS_LANES ? some : MS_LANES;
  while (!l.w.stopped) {
    uint32_t at = 0;
    ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
    if (ms_lane() == 0)
      at = ms_add(next, some);
    at = ms_of_lane(at, 0);
    if (at >= to - from)
      return;
    ms_held_edge e = {0, 0, 0};
    if (ms_lane() < some && at + ms_lane() < to - from)
      e = ms_held_edge_to(l.w, holder, row.length, row.ids[to - 1 - at - ms_lane()]);
    uint32_t codegree = ms_count_in_rows(rows.neighbor, e.begin, e.length, bits);
    ms_add_codegree(l, codegree, e.ways, &part);
    ms_wide_add(&l.w.sum, ms_wide_of(part));
    (void)ms_may_continue(l.w);
  }
}

/* ---- local programs -------------------------------------------------------------------------- */

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

/* ---- small universes, and lists of the others ------------------------------------------ */

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
    ms_list_universe<CHAIN>(l, launch, number, universe);
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
    if (l.size > MS_CHAIN_LIGHT && launch.dense < HUGE_VAL &&
        ms_chain_work(l, ms_chain_edges(l, 0, 1)) >= launch.dense)
      ms_list_slices<false>(l, launch, number, universe);
    else
      ms_chain_root(l);
  } else if (ms_local_sets(l, 0))
    ms_local_children(l, 0, l.size, next);
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
    uint32_t length =
        launch.whole ? universe.length : ms_slice_length(launch, *l.w.p, all.hi - all.lo);
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
      if (!launch.whole || !ms_list_dense(l, launch, block, slice.root, universe))
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
  uint8_t *near = shared + sizeof *block + launch.warps * launch.warp_bytes;
  uint8_t *far = launch.matrices + ms_block() * launch.matrices_bytes;
  ms_vertex_bits bits = {(uint32_t *)near, (uint32_t *)far, 8 * (uint32_t)launch.far_bytes};
  ms_begin_block(launch, shared, false);
  ms_fill_words(0, bits.near, launch.matrix_bytes, launch.warps * MS_LANES);
  ms_fill_words(0, bits.far, launch.far_bytes, launch.warps * MS_LANES);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  ms_slice slice;
  while (ms_next_listed(launch, block, &slice)) {
    ms_device_span row = ms_row_at(l.w, 0, slice.root);
    uint32_t length = ms_slice_length(launch, *l.w.p, row.length), from = slice.slice * length;
    uint32_t to = row.length - from < length ? row.length : from + length;
    ms_mark_row(row, bits, true, launch.warps);
    ms_sync_block();
    ms_codegree_edges(l, slice.root, row, from, to, bits, launch.warps, &block->child);
    ms_sync_block();
    ms_mark_row(row, bits, false, launch.warps);
  }
  ms_end_block(launch, shared, l.w);
}

#endif
