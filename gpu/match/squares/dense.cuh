/* Sums over all triangles of a graph, by products of bits.
 *
 * Let A be the matrix of bits in which row v holds the neighbours of v, a column for each vertex of
 * the graph.  For a root a, two of its larger neighbours v < w that are neighbours of each other
 * make a triangle with it, and the common neighbours of all three are
 *
 *     t(v, w) = |A_a and A_v and A_w|,
 *
 * an element of the product of the rows A_a and A_v, for all v, and the rows A_w.  The maps of a
 * triangle with r further vertices, each next to all of the triangle, are the sum of
 * t (t-1) .. (t-r+1) over all ordered triangles; for r = 1 these are cliques of four, for r = 2
 * cliques of five without an edge.  Cliques of four are found once each if all rows hold larger
 * neighbours alone.
 *
 * No matrix of a neighbourhood is made, which would take longer than the products: the rows of the
 * graph's own matrix are multiplied where they are, with columns for vertices that are not in the
 * neighbourhood.  So this pays in graphs of few vertices and a great part of all edges.  A warp
 * takes 32 rows v and 64 rows w of a root (hub_squares.cuh).
 *
 * Cost: for each root with m larger neighbours, m m / 2 multiplications of n bits; for cliques of
 * four, of the columns from w on.  What bounds the speed: reading rows from L2, 16 bytes of 13 rows
 * for 64 instructions. */
#ifndef MS_GPU_MATCH_DENSE_CUH
#define MS_GPU_MATCH_DENSE_CUH

#include "gpu/match/squares/dense_device.h"
#include "gpu/match/squares/hub_squares.cuh"

/* Sets the bits of all rows, which are zero; a warp has a row. */
MS_DEVICE void ms_dense_fill(const ms_dense_launch &launch, uint8_t *)
{
  const ms_device_rows &rows = launch.index.rows[0];
  uint64_t warps = (uint64_t)launch.blocks * launch.warps;
  for (uint64_t v = (uint64_t)ms_block() * launch.warps + ms_warp(); v < launch.index.n;
       v += warps) {
    uint32_t *row = launch.matrix + v * launch.stride;
    unsigned long long from = rows.offset[v] + (launch.upper ? rows.smaller[v] : 0);
    for (unsigned long long i = from + ms_lane(); i < rows.offset[v + 1]; i += MS_LANES)
      (void)ms_or(&row[rows.neighbor[i] / 32], 1u << rows.neighbor[i] % 32);
  }
}

/* A root and its larger neighbours. */
typedef struct ms_dense_root {
  const uint32_t *row; /* of bits */
  const uint32_t *ids; /* [size] */
  uint32_t size;
} ms_dense_root;

/* Returns where the row of the root's neighbour at a place begins, or a row of zeros. */
MS_DEVICE uint32_t ms_dense_row(const ms_dense_launch &launch, const ms_dense_root &r,
                                uint32_t place)
{
  return launch.stride * (place < r.size ? r.ids[place] : launch.index.n);
}

/* Returns the value of t common neighbours, below 2^17: of at most three of them. */
MS_DEVICE uint64_t ms_dense_value(uint32_t t, uint32_t common)
{
  uint64_t value = t;
  for (uint32_t i = 1; i < common; i++)
    value *= t > i ? t - i : 0;
  return value;
}

/* Returns the value of the pair of the row that begins at `left` and the place w, with t common
 * neighbours, if the two are neighbours.  t is 0 where there is no vertex. */
MS_DEVICE uint64_t ms_dense_pair(const ms_dense_launch &launch, const ms_dense_root &r,
                                 uint32_t left, uint32_t v, uint32_t w, uint32_t t)
{
  if (t == 0 || w <= v)
    return 0;
  uint32_t x = r.ids[w];
  return launch.matrix[left + x / 32] >> x % 32 & 1 ? ms_dense_value(t, launch.common) : 0;
}

/* Returns the lane's part of the sum over the places [v, v + 32) and [w, w + 64), for any number of
 * lanes. */
MS_DEVICE uint64_t ms_dense_plain(const ms_dense_launch &launch, const ms_dense_root &r, uint32_t v,
                                  uint32_t w)
{
  uint64_t sum = 0;
  for (uint32_t i = v; i < v + MS_HUB_TILE / 2; i++)
    for (uint32_t j = w + ms_lane(); j < w + MS_HUB_TILE; j += MS_LANES) {
      uint32_t left = ms_dense_row(launch, r, i), right = ms_dense_row(launch, r, j);
      uint32_t t = 0;
      for (uint32_t k = 0; k < launch.stride; k++)
        t += ms_count_bits(r.row[k] & launch.matrix[left + k] & launch.matrix[right + k]);
      sum += ms_dense_pair(launch, r, left, i, j, t);
    }
  return sum;
}

/* The same by tensor cores.  32 lanes. */
MS_DEVICE uint64_t ms_dense_half_tile(const ms_dense_launch &launch, const ms_dense_root &r,
                                      uint32_t v, uint32_t w)
{
  enum { LEFT = MS_HUB_TILE / 2 / MS_TILE_ROWS, RIGHT = MS_HUB_TILE / MS_TILE_COLUMNS };
  uint32_t group = ms_lane() / 4, t = ms_lane() % 4;
  uint32_t sum[LEFT][RIGHT][4] = {{{0}}};
  uint32_t left[2 * LEFT], right[RIGHT];
#pragma unroll
  for (uint32_t i = 0; i < 2 * LEFT; i++)
    left[i] = ms_dense_row(launch, r, v + i * 8 + group);
#pragma unroll
  for (uint32_t j = 0; j < RIGHT; j++)
    right[j] = ms_dense_row(launch, r, w + j * 8 + group);
  uint32_t begin = launch.upper && w < r.size ? r.ids[w] / 32 / MS_HUB_STEP * MS_HUB_STEP : 0;
  for (uint32_t k = begin + 4 * t; k < launch.stride; k += MS_HUB_STEP) {
    const ms_four_words of_root = *(const ms_four_words *)(r.row + k);
    ms_four_words a[2 * LEFT];
    uint32_t some = 0;
#pragma unroll
    for (uint32_t i = 0; i < 2 * LEFT; i++) {
      a[i] = *(const ms_four_words *)(launch.matrix + left[i] + k);
#pragma unroll
      for (uint32_t word = 0; word < 4; word++)
        some |= a[i].word[word] &= of_root.word[word];
    }
    if (!ms_any(some != 0))
      continue;
#pragma unroll
    for (uint32_t j = 0; j < RIGHT; j++) {
      ms_four_words b = *(const ms_four_words *)(launch.matrix + right[j] + k);
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
        found += ms_dense_pair(launch, r, left[2 * i + e / 2], v + i * 16 + group + e / 2 * 8,
                               w + j * 8 + 2 * t + e % 2, sum[i][j][e]);
  return found;
}

/* Takes half tiles of all roots.  A triangle is one of 6 maps, a clique of four one of 24. */
MS_DEVICE void ms_dense_multiply(const ms_dense_launch &launch, uint8_t *shared)
{
  ms_hub_block *block = (ms_hub_block *)shared;
  const ms_device_rows &rows = launch.index.rows[0];
  unsigned long long end = launch.hub[launch.roots].half;
  ms_wide sum = {};
  ms_hub_launch all = {};
  all.blocks = launch.blocks;
  all.warps = launch.warps;
  all.queue = launch.queue;
  all.hub = launch.hub;
  all.to = launch.roots;
  ms_hub_begin(all, block);
  while (!ms_hub_is_over(all)) {
    unsigned long long at = 0;
    uint32_t p, q;
    if (ms_lane() == 0)
      at = ms_add(&launch.queue->next, 1ull);
    at = ms_of_lane(at, 0);
    if (at >= end)
      break;
    const ms_hub hub = launch.hub[ms_hub_of(all, at, [](const ms_hub &h) { return h.half; })];
    ms_dense_root r = {launch.matrix + hub.vertex * (uint64_t)launch.stride,
                       rows.neighbor + rows.offset[hub.vertex] + rows.smaller[hub.vertex],
                       hub.size};
    ms_hub_tile_of((at - hub.half) / 2, &p, &q);
    uint32_t v = p * MS_HUB_TILE + (uint32_t)((at - hub.half) % 2) * (MS_HUB_TILE / 2),
             w = q * MS_HUB_TILE;
    uint64_t found =
        MS_LANES == 32 ? ms_dense_half_tile(launch, r, v, w) : ms_dense_plain(launch, r, v, w);
    ms_wide_add(&sum, ms_wide_of((ms_int128)found * (launch.upper ? 24 : 6)));
  }
  ms_hub_end(all, block, sum);
}

#endif
