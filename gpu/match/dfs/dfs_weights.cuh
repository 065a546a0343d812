/* Weights of edges for counts of 4-cycles (match/cpu/weighted_squares.h), made on the device.
 *
 * The first kernel finds each triangle once, at its smallest vertex: a warp looks the larger
 * neighbours of a larger neighbour up in a hash table of the larger neighbours of the vertex, and
 * adds 1 at each of the three edges.  Ids ascend by degree, so that these lists are short even at
 * hubs.  Warps take stretches of arcs, so that a hub belongs to many of them, and each of several
 * devices takes some of the stretches; a kernel of few instructions then adds the numbers of all
 * devices.  The last kernel makes weights of the numbers of triangles, and writes them at the arcs
 * to smaller vertices, too.
 *
 * What bounds the speed: reading rows from L2, and three atomic additions for each triangle. */
#ifndef MS_GPU_MATCH_DFS_WEIGHTS_CUH
#define MS_GPU_MATCH_DFS_WEIGHTS_CUH

#include "gpu/match/dfs/dfs_squares.cuh"

enum { MS_WEIGHT_ARCS = 128 /* of a stretch */ };

/* Most larger neighbours of a vertex that have a hash table. */
#define MS_WEIGHT_HASHED (MS_SQUARE_ROOM / 2)

/* The arcs from v to larger vertices are [begin, end); a warp has [from, to) of them. */
typedef struct ms_arcs {
  uint32_t v;
  unsigned long long begin, end, from, to;
} ms_arcs;

/* Returns the vertex whose row has this arc. */
MS_DEVICE uint32_t ms_vertex_of_arc(const ms_device_rows &rows, uint32_t n, unsigned long long arc)
{
  uint32_t lo = 0, hi = n;
  while (hi - lo > 1) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (rows.offset[middle] <= arc)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

/* Calls visit(arcs) for all arcs to larger vertices in a part of the stretches, which warps take in
 * turn. */
template <typename visitor>
MS_DEVICE void ms_visit_arcs(const ms_walk &w, const ms_dfs_launch &launch, uint32_t part,
                             uint32_t parts, const visitor &visit)
{
  const ms_device_rows &rows = w.index->rows[0];
  uint64_t warps = (uint64_t)launch.blocks * launch.warps;
  unsigned long long all = rows.offset[w.index->n];
  for (uint64_t at = (uint64_t)ms_block() * launch.warps + ms_warp();
       (at * parts + part) * MS_WEIGHT_ARCS < all && !ms_is_over(w); at += warps) {
    unsigned long long first = (at * parts + part) * MS_WEIGHT_ARCS, last = first + MS_WEIGHT_ARCS;
    last = last < all ? last : all;
    ms_arcs a = {ms_vertex_of_arc(rows, w.index->n, first), 0, 0, 0, 0};
    for (; a.v < w.index->n && rows.offset[a.v] < last; a.v++) {
      a.begin = rows.offset[a.v] + rows.smaller[a.v];
      a.end = rows.offset[a.v + 1];
      a.from = a.begin > first ? a.begin : first;
      a.to = a.end < last ? a.end : last;
      if (a.from < a.to)
        visit(a);
    }
  }
}

/* ---- triangles ------------------------------------------------------------------------- */

/* Returns the number of x among the larger neighbours of a vertex, or `count`. */
MS_DEVICE uint32_t ms_place_hashed(const ms_square_warp *t, uint32_t bits, uint32_t x,
                                   uint32_t count)
{
  uint32_t at = x * 0x9e3779b1u >> (32 - bits), mask = (1u << bits) - 1;
  for (;; at = (at + 1) & mask) {
    uint32_t key = t->key[at];
    if (key == x)
      return ((const uint16_t *)t->paths)[at];
    if (key == MS_NO_KEY)
      return count;
  }
}

/* Fills the table with the larger neighbours of a vertex, which are [0, count), and returns its
 * number of bits; 0: there are too many. */
MS_DEVICE uint32_t ms_hash_row(ms_square_warp *t, const uint32_t *larger, uint32_t count)
{
  uint32_t bits = 5;
  if (count > MS_WEIGHT_HASHED)
    return 0;
  while (1u << bits < 2 * count)
    bits++;
  for (uint32_t i = ms_lane(); i < 1u << bits; i += MS_LANES)
    t->key[i] = MS_NO_KEY;
  ms_sync_warp();
  for (uint32_t i = ms_lane(); i < count; i += MS_LANES) {
    uint32_t at = larger[i] * 0x9e3779b1u >> (32 - bits);
    while (ms_exchange(&t->key[at], MS_NO_KEY, larger[i]) != MS_NO_KEY)
      at = (at + 1) & ((1u << bits) - 1);
    ((uint16_t *)t->paths)[at] = (uint16_t)i;
  }
  ms_sync_warp();
  return bits;
}

/* Calls found(arc, lane, place, at, end, z) for each triangle x < y < z of a vertex x and two
 * larger ones, where `arc` to y, number `lane` of those looked at together, is in [from, to),
 * `place` is the number of z among the larger neighbours of x, and the arc `at` leads from y to z;
 * `end` is behind the last arc of y.  Calls done(arc) after each group of arcs, of which the lane
 * has one. */
template <typename finder, typename ender>
MS_DEVICE void ms_visit_triangles(const ms_walk &w, ms_square_warp *t, const ms_arcs &a,
                                  const finder &found, const ender &done)
{
  const ms_device_rows &rows = w.index->rows[0];
  const uint32_t *larger = rows.neighbor + a.begin;
  uint32_t count = (uint32_t)(a.end - a.begin);
  if (count < 2)
    return;
  uint32_t bits = ms_hash_row(t, larger, count);
  for (unsigned long long i = a.from; i < a.to; i += MS_LANES) {
    unsigned long long arc = i + ms_lane(), first = 0;
    uint32_t length = 0;
    if (arc < a.to) {
      uint32_t v = rows.neighbor[arc];
      first = rows.offset[v] + rows.smaller[v];
      length = (uint32_t)(rows.offset[v + 1] - first);
    }
    t->most[ms_lane()] = 0;
    ms_sync_warp();
    ms_visit_joined(rows.neighbor, first, length,
                    [&](uint32_t x, uint32_t lane, bool valid, unsigned long long at) {
                      uint32_t place = count;
                      unsigned long long end = ms_of_lane(first + length, lane);
                      if (valid)
                        place = bits > 0 ? ms_place_hashed(t, bits, x, count)
                                         : ms_place_of(larger, count, x);
                      if (place < count && larger[place] == x)
                        found(i + lane, lane, place, at, end, x);
                    });
    ms_sync_warp();
    done(arc);
    ms_sync_warp();
  }
}

/* Counts the triangles of a vertex and two larger ones, of which the smaller is the end of an arc
 * in [from, to). */
MS_DEVICE void ms_count_triangles(const ms_walk &w, ms_square_warp *t, const ms_arcs &a,
                                  uint32_t *triangles)
{
  ms_visit_triangles(
      w, t, a,
      [&](unsigned long long, uint32_t lane, uint32_t place, unsigned long long at,
          unsigned long long, uint32_t) {
        (void)ms_add(&triangles[at], 1u);
        (void)ms_add(&triangles[a.begin + place], 1u);
        (void)ms_add(&t->most[lane], 1u);
      },
      [&](unsigned long long arc) {
        if (t->most[ms_lane()] > 0)
          (void)ms_add(&triangles[arc], t->most[ms_lane()]);
      });
}

/* Adds up, for the same triangles, the neighbours above the triangle of all of its vertices
 * (match/count/count_search.c).  Returns the lane's part. */
MS_DEVICE uint64_t ms_count_ends(const ms_walk &w, ms_square_warp *t, const ms_arcs &a)
{
  const ms_device_rows &rows = w.index->rows[0];
  uint64_t sum = 0; /* of fewer than 2^32 triangles, 2^34 each */
  ms_visit_triangles(
      w, t, a,
      [&](unsigned long long, uint32_t, uint32_t place, unsigned long long at,
          unsigned long long end, uint32_t z) {
        sum += (a.end - a.begin - 1 - place) + (end - 1 - at) +
               (rows.offset[z + 1] - rows.offset[z] - rows.smaller[z]);
      },
      [](unsigned long long) {});
  return sum;
}

/* ---- weights ----------------------------------------------------------------------------- */

MS_DEVICE unsigned long long ms_weight_of(unsigned long long triangles, uint32_t common)
{
  unsigned long long weight = 2;
  for (uint32_t i = 0; i < common; i++)
    weight *= triangles > i ? triangles - i : 0;
  return weight;
}

MS_DEVICE void ms_spread_weights(const ms_walk &w, const ms_arcs &a, uint32_t common,
                                 unsigned long long *weight, const uint32_t *triangles)
{
  const ms_device_rows &rows = w.index->rows[0];
  for (unsigned long long arc = a.from + ms_lane(); arc < a.to; arc += MS_LANES) {
    uint32_t other = rows.neighbor[arc];
    unsigned long long begin = rows.offset[other], mine;
    mine = ms_weight_of(triangles ? triangles[arc] : weight[arc], common);
    weight[arc] = mine;
    weight[begin + ms_place_of(rows.neighbor + begin, rows.smaller[other], a.v)] = mine;
  }
}

/* ---- books ------------------------------------------------------------------------------- */

/* Adds to number[v] the maps of a book that take an end of its spine to v, of `pages` pages, over
 * some of the edges. */
MS_DEVICE void ms_add_spines(const ms_walk &w, const ms_arcs &a, uint32_t pages,
                             const uint32_t *triangles, unsigned long long *number)
{
  const ms_device_rows &rows = w.index->rows[0];
  unsigned long long sum = 0;
  for (unsigned long long arc = a.from + ms_lane(); arc < a.to; arc += MS_LANES) {
    unsigned long long maps = ms_weight_of(triangles[arc], pages) / 2;
    if (maps > 0)
      (void)ms_add(&number[rows.neighbor[arc]], maps);
    sum += maps;
  }
  if (sum > 0)
    (void)ms_add(&number[a.v], sum);
}

/* The same of maps that take a page to v, over the triangles of a vertex and two larger ones. */
MS_DEVICE void ms_add_pages(const ms_walk &w, ms_square_warp *t, const ms_arcs &a, uint32_t pages,
                            const uint32_t *triangles, unsigned long long *number)
{
  const ms_device_rows &rows = w.index->rows[0];
  unsigned long long sum = 0;
  ms_visit_triangles(
      w, t, a,
      [&](unsigned long long arc, uint32_t, uint32_t place, unsigned long long at,
          unsigned long long, uint32_t z) {
        sum += ms_weight_of(triangles[at] - 1, pages - 1);
        (void)ms_add(&number[rows.neighbor[arc]],
                     ms_weight_of(triangles[a.begin + place] - 1, pages - 1));
        (void)ms_add(&number[z], ms_weight_of(triangles[arc] - 1, pages - 1));
      },
      [](unsigned long long) {});
  if (sum > 0)
    (void)ms_add(&number[a.v], sum);
}

#endif
