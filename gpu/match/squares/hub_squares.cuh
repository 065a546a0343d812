/* 4-cycles inside the neighbourhood of each vertex, a *hub*, by products of bits.
 *
 * Let A be the matrix of bits in which row v holds the neighbours of v within the neighbourhood.
 * The element (v, w) of A A is the number c of common neighbours of v and w there, and the maps of
 * a 4-cycle into the neighbourhood are the sum of c (c-1) over all ordered pairs v, w.  An
 * instruction of a tensor core multiplies 16 rows by 8 rows in 128 columns, however many bits are
 * set.
 *
 * A warp counts a small neighbourhood by itself.  The matrices of the others are in global memory,
 * as many at a time as there is room for.  One kernel fills them: a block takes a slice of the rows
 * of a hub and looks the larger neighbours of these vertices up in a filter of the neighbourhood,
 * which is exact if the filter has a bit for each vertex of the graph; ids ascend by degree, so
 * that there are few of them.  The next kernel multiplies: a warp takes 32 rows v and 64 rows w >=
 * v (half of a tile) of any hub, so that a large hub belongs to all warps.  Where the rows v are
 * zero in 512 columns, nothing is multiplied; they are those of fewer neighbours.
 *
 * Cost: half of the cube of each neighbourhood's size, in multiplications of bits; an atomic OR for
 * either end of an edge in a neighbourhood; and a look-up for each larger neighbour of a neighbour.
 * What bounds the speed: reading rows from L2, 192 bytes for each instruction of 16 x 8 x 256. */
#ifndef MS_GPU_MATCH_HUB_SQUARES_CUH
#define MS_GPU_MATCH_HUB_SQUARES_CUH

#include "gpu/match/dfs/dfs_product.cuh"
#include "gpu/match/dfs/dfs_visit.cuh"

#include "gpu/match/dfs/dfs_squares.cuh"
#include "gpu/match/squares/hub_squares_device.h"

/* Four words that are read by one instruction. */
typedef struct ms_four_words {
  alignas(16) uint32_t word[4];
} ms_four_words;

/* ---- blocks ------------------------------------------------------------------------------- */

MS_DEVICE void ms_hub_begin(const ms_hub_launch &launch, ms_hub_block *block)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < MS_SUM_DIGITS;
       i += launch.warps * MS_LANES)
    block->sum.digit[i] = 0;
  ms_sync_block();
}

MS_DEVICE void ms_hub_end(const ms_hub_launch &launch, ms_hub_block *block, const ms_wide &sum)
{
  if (!ms_wide_is_zero(sum))
    ms_wide_add_to(sum, &block->sum);
  ms_sync_block();
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < MS_SUM_DIGITS;
       i += launch.warps * MS_LANES)
    if (block->sum.digit[i])
      (void)ms_add(&launch.queue->sum.digit[i], block->sum.digit[i]);
}

MS_DEVICE bool ms_hub_is_over(const ms_hub_launch &launch)
{
  return ms_of_lane(ms_peek(&launch.queue->stop), 0) != 0;
}

/* ---- rows of bits --------------------------------------------------------------------------- */

/* The neighbourhood of a hub: its vertices, a filter of them, and their matrix. */
typedef struct ms_hub_graph {
  const uint32_t *ids; /* [size] ascending */
  uint32_t size;
  uint32_t *filter, filter_mask; /* one bit for the lowest bits of each id; mask: bits - 1 */
  uint32_t *matrix, stride;      /* [size][stride] */
} ms_hub_graph;

MS_DEVICE void ms_hub_mark(const ms_hub_graph &g, uint32_t warp, uint32_t warps, bool set)
{
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < g.size; i += warps * MS_LANES) {
    uint32_t bit = g.ids[i] & g.filter_mask;
    if (set)
      (void)ms_or(&g.filter[bit / 32], 1u << bit % 32);
    else
      g.filter[bit / 32] = 0;
  }
}

/* Enters the edges from the vertices at the places [from, to), at most one for each lane, to larger
 * vertices. */
MS_DEVICE void ms_hub_enter(const ms_hub_graph &g, const ms_device_rows &rows, uint32_t from,
                            uint32_t to)
{
  uint32_t at = from + ms_lane(), length = 0;
  unsigned long long first = 0;
  if (at < to) {
    uint32_t v = g.ids[at];
    first = rows.offset[v] + rows.smaller[v];
    length = (uint32_t)(rows.offset[v + 1] - first);
  }
  ms_visit_joined(rows.neighbor, first, length,
                  [&](uint32_t x, uint32_t lane, bool valid, unsigned long long) {
                    uint32_t bit = x & g.filter_mask;
                    if (!valid || !(g.filter[bit / 32] >> bit % 32 & 1))
                      return;
                    uint32_t v = from + lane, place = ms_place_of(g.ids, g.size, x);
                    if (place >= g.size || g.ids[place] != x)
                      return;
                    (void)ms_or(&g.matrix[v * (uint64_t)g.stride + place / 32], 1u << place % 32);
                    (void)ms_or(&g.matrix[place * (uint64_t)g.stride + v / 32], 1u << v % 32);
                  });
}

/* Returns the ordered pairs of two of c. */
MS_DEVICE uint64_t ms_pairs_of(uint32_t c)
{
  return c > 0 ? (uint64_t)c * (c - 1) : 0;
}

/* Returns the lane's part of the sum over the rows [from, to) v and all rows w > v below `end`, for
 * any number of lanes. */
MS_DEVICE uint64_t ms_hub_plain(const ms_hub_graph &g, uint32_t from, uint32_t to, uint32_t begin,
                                uint32_t end)
{
  uint64_t sum = 0;
  for (uint32_t v = from; v < to; v++)
    for (uint32_t w = (begin > v ? begin : v + 1) + ms_lane(); w < end; w += MS_LANES) {
      uint32_t count = 0;
      for (uint32_t i = 0; i < g.stride; i++)
        count += ms_count_bits(g.matrix[v * (uint64_t)g.stride + i] &
                               g.matrix[w * (uint64_t)g.stride + i]);
      sum += ms_pairs_of(count);
    }
  return sum;
}

/* ---- small neighbourhoods ------------------------------------------------------------------- */

/* Returns the lane's part of the sum over all pairs of rows.  32 lanes. */
MS_DEVICE uint64_t ms_hub_small_product(const ms_hub_graph &g)
{
  uint32_t group = ms_lane() / 4, t = ms_lane() % 4;
  uint64_t found = 0;
  for (uint32_t v = 0; v < g.size; v += MS_TILE_ROWS) {
    uint32_t low = g.matrix[(v + group) * MS_HUB_SMALL_WORDS + t];
    uint32_t high = g.matrix[(v + group + 8) * MS_HUB_SMALL_WORDS + t];
    if (!ms_any((low | high) != 0))
      continue;
    for (uint32_t w = v; w < g.size; w += MS_TILE_COLUMNS) {
      uint32_t sum[4] = {0};
      ms_multiply_bits(sum, low, high, g.matrix[(w + group) * MS_HUB_SMALL_WORDS + t]);
#pragma unroll
      for (uint32_t e = 0; e < 4; e++)
        if (w + 2 * t + e % 2 > v + group + e / 2 * 8)
          found += ms_pairs_of(sum[e]);
    }
  }
  return found;
}

/* Counts one neighbourhood. */
MS_DEVICE uint64_t ms_hub_small(const ms_device_rows &rows, ms_hub_warp *mine, uint32_t v,
                                uint32_t size)
{
  const uint32_t *row = rows.neighbor + rows.offset[v];
  ms_hub_graph g = {mine->ids,    size,
                    mine->filter, 32 * MS_HUB_FILTER_WORDS - 1,
                    mine->matrix, MS_HUB_SMALL_WORDS};
  uint32_t all = (size + MS_TILE_ROWS - 1) / MS_TILE_ROWS * MS_TILE_ROWS;
  for (uint32_t i = ms_lane(); i < size; i += MS_LANES)
    mine->ids[i] = row[i];
  for (uint32_t i = ms_lane(); i < all * MS_HUB_SMALL_WORDS; i += MS_LANES)
    mine->matrix[i] = 0;
  for (uint32_t i = ms_lane(); i < MS_HUB_FILTER_WORDS; i += MS_LANES)
    mine->filter[i] = 0;
  ms_sync_warp();
  ms_hub_mark(g, 0, 1, true);
  ms_sync_warp();
  for (uint32_t from = 0; from < size; from += MS_LANES)
    ms_hub_enter(g, rows, from, size - from < MS_LANES ? size : from + MS_LANES);
  ms_sync_warp();
  uint64_t found = MS_LANES == 32 ? ms_hub_small_product(g) : ms_hub_plain(g, 0, size, 0, size);
  ms_sync_warp();
  return found;
}

/* Counts all small neighbourhoods of the launch's classes. */
MS_DEVICE void ms_hub_count_small(const ms_hub_launch &launch, uint8_t *shared)
{
  ms_hub_block *block = (ms_hub_block *)shared;
  ms_hub_warp *mine = (ms_hub_warp *)(shared + sizeof *block) + ms_warp();
  const ms_device_rows &rows = launch.index.rows[0];
  uint64_t warps = (uint64_t)launch.blocks * launch.warps;
  ms_wide sum = {};
  ms_hub_begin(launch, block);
  for (uint64_t at = (uint64_t)ms_block() * launch.warps + ms_warp();
       at < launch.index.n && !ms_hub_is_over(launch); at += warps) {
    uint32_t v = (uint32_t)at;
    uint64_t size = rows.offset[v + 1] - rows.offset[v], number = v % launch.classes;
    if (size < 4 || size > launch.small || number < launch.first || number >= launch.end)
      continue;
    uint64_t found = ms_hub_small(rows, mine, v, (uint32_t)size);
    ms_wide_add(&sum, ms_wide_of((ms_int128)found * 2));
  }
  ms_hub_end(launch, block, sum);
}

/* ---- the other neighbourhoods -----------------------------------------------------------------
 */

/* Returns the hub of a number, by what comes before each hub. */
template <typename before_hub>
MS_DEVICE uint32_t ms_hub_of(const ms_hub_launch &launch, unsigned long long number,
                             const before_hub &before)
{
  uint32_t lo = launch.from, hi = launch.to;
  while (hi - lo > 1) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (before(launch.hub[middle]) <= number)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

MS_DEVICE ms_hub_graph ms_hub_graph_of(const ms_hub_launch &launch, const ms_hub &hub)
{
  const ms_device_rows &rows = launch.index.rows[0];
  ms_hub_graph g = {};
  g.ids = rows.neighbor + rows.offset[hub.vertex];
  g.size = hub.size;
  g.matrix = launch.matrix + (hub.words - launch.hub[launch.from].words);
  g.stride = ms_hub_stride(hub.size);
  return g;
}

/* Fills the matrices, which are zero. */
MS_DEVICE void ms_hub_fill(const ms_hub_launch &launch, uint8_t *shared)
{
  ms_hub_block *block = (ms_hub_block *)shared;
  uint32_t *filter = (uint32_t *)(shared + sizeof *block);
  uint32_t threads = launch.warps * MS_LANES, begin = launch.hub[launch.from].slice;
  uint32_t end = launch.hub[launch.to].slice;
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < launch.filter_words; i += threads)
    filter[i] = 0;
  for (;;) {
    ms_sync_block();
    if (ms_warp() == 0 && ms_lane() == 0)
      block->slice = ms_peek(&launch.queue->stop)
                         ? end
                         : begin + ms_add((uint32_t *)&launch.queue->listed[0], 1u);
    ms_sync_block();
    uint32_t slice = block->slice;
    if (slice >= end)
      break;
    const ms_hub hub =
        launch.hub[ms_hub_of(launch, slice, [](const ms_hub &h) { return h.slice; })];
    ms_hub_graph g = ms_hub_graph_of(launch, hub);
    g.filter = filter;
    g.filter_mask = 32 * launch.filter_words - 1;
    uint32_t from = (slice - hub.slice) * hub.rows;
    uint32_t to = hub.size - from < hub.rows ? hub.size : from + hub.rows;
    ms_hub_mark(g, ms_warp(), launch.warps, true);
    ms_sync_block();
    for (uint32_t at = from + ms_warp() * MS_LANES; at < to; at += launch.warps * MS_LANES)
      ms_hub_enter(g, launch.index.rows[0], at, to - at < MS_LANES ? to : at + MS_LANES);
    ms_sync_block();
    ms_hub_mark(g, ms_warp(), launch.warps, false);
  }
}

/* Returns the lane's part of the sum over 32 rows from v on and 64 rows from w on, of those pairs
 * whose second row is larger.  32 lanes. */
MS_DEVICE uint64_t ms_hub_half_tile(const ms_hub_graph &g, uint32_t v, uint32_t w)
{
  enum { LEFT = MS_HUB_TILE / 2 / MS_TILE_ROWS, RIGHT = MS_HUB_TILE / MS_TILE_COLUMNS };
  uint32_t group = ms_lane() / 4, t = ms_lane() % 4;
  uint32_t sum[LEFT][RIGHT][4] = {{{0}}};
  const uint32_t *left = g.matrix + (v + group) * (uint64_t)g.stride + 4 * t;
  const uint32_t *right = g.matrix + (w + group) * (uint64_t)g.stride + 4 * t;
  for (uint32_t k = 0; k < g.stride; k += MS_HUB_STEP) {
    ms_four_words a[2 * LEFT];
    uint32_t some = 0;
#pragma unroll
    for (uint32_t i = 0; i < 2 * LEFT; i++) {
      a[i] = *(const ms_four_words *)(left + i * 8 * (uint64_t)g.stride + k);
      some |= a[i].word[0] | a[i].word[1] | a[i].word[2] | a[i].word[3];
    }
    if (!ms_any(some != 0))
      continue;
#pragma unroll
    for (uint32_t j = 0; j < RIGHT; j++) {
      ms_four_words b = *(const ms_four_words *)(right + j * 8 * (uint64_t)g.stride + k);
#pragma unroll
      for (uint32_t i = 0; i < LEFT; i++)
#pragma unroll
        for (uint32_t word = 0; word < 4; word++) /* lanes agree on the columns of a word */
          ms_multiply_bits(sum[i][j], a[2 * i].word[word], a[2 * i + 1].word[word], b.word[word]);
    }
  }
  uint64_t found = 0;
#pragma unroll
  for (uint32_t i = 0; i < LEFT; i++)
#pragma unroll
    for (uint32_t j = 0; j < RIGHT; j++)
#pragma unroll
      for (uint32_t e = 0; e < 4; e++)
        if (w + j * 8 + 2 * t + e % 2 > v + i * 16 + group + e / 2 * 8)
          found += ms_pairs_of(sum[i][j][e]);
  return found;
}

/* Returns the tile of a number: row *q of a triangle, and place *p <= *q in it. */
MS_DEVICE void ms_hub_tile_of(unsigned long long number, uint32_t *p, uint32_t *q)
{
  uint32_t lo = 0, hi = 1u << 26;
  while (hi - lo > 1) { /* the last row that does not begin after the number */
    uint32_t middle = lo + (hi - lo) / 2;
    if ((unsigned long long)middle * (middle + 1) / 2 <= number)
      lo = middle;
    else
      hi = middle;
  }
  *q = lo;
  *p = (uint32_t)(number - (unsigned long long)lo * (lo + 1) / 2);
}

/* Multiplies the rows of the matrices. */
MS_DEVICE void ms_hub_multiply(const ms_hub_launch &launch, uint8_t *shared)
{
  ms_hub_block *block = (ms_hub_block *)shared;
  unsigned long long begin = launch.hub[launch.from].half, end = launch.hub[launch.to].half;
  ms_wide sum = {};
  ms_hub_begin(launch, block);
  while (!ms_hub_is_over(launch)) {
    unsigned long long at = 0;
    uint32_t p, q;
    if (ms_lane() == 0)
      at = begin + ms_add(&launch.queue->next, 1ull);
    at = ms_of_lane(at, 0);
    if (at >= end)
      break;
    const ms_hub hub = launch.hub[ms_hub_of(launch, at, [](const ms_hub &h) { return h.half; })];
    ms_hub_graph g = ms_hub_graph_of(launch, hub);
    ms_hub_tile_of((at - hub.half) / 2, &p, &q);
    uint32_t v = p * MS_HUB_TILE + (uint32_t)((at - hub.half) % 2) * (MS_HUB_TILE / 2),
             w = q * MS_HUB_TILE;
    uint64_t found = MS_LANES == 32 ? ms_hub_half_tile(g, v, w)
                                    : ms_hub_plain(g, v, v + MS_HUB_TILE / 2, w, w + MS_HUB_TILE);
    ms_wide_add(&sum, ms_wide_of((ms_int128)found * 2));
  }
  ms_hub_end(launch, block, sum);
}

#endif
