/* Chains (dfs_local.cuh): mostly cliques.  The matrix holds only the larger neighbours of each
 * vertex, so that an AND also keeps the order. */
#ifndef MS_GPU_MATCH_DFS_CHAIN_CUH
#define MS_GPU_MATCH_DFS_CHAIN_CUH

#include "gpu/match/dfs_local.cuh"

/* Sums the sizes of all sets that are `MORE` levels below this one. */
template <int WORDS, int MORE> struct ms_chain_level {
  MS_DEVICE_MEMBER uint64_t sum(const uint32_t *matrix, uint32_t stride, const uint32_t set[WORDS])
  {
    uint64_t total = 0;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
      for (uint32_t left = set[i]; left; left &= left - 1) {
        const uint32_t *row = matrix + ((uint32_t)i * 32 + ms_lowest(left)) * stride;
        uint32_t next[WORDS];
#pragma unroll
        for (int j = 0; j < WORDS; j++)
          next[j] = j < i ? 0 : set[j] & row[j]; /* only larger vertices */
        total += ms_chain_level<WORDS, MORE - 1>::sum(matrix, stride, next);
      }
    return total;
  }
};

template <int WORDS> struct ms_chain_level<WORDS, 0> {
  MS_DEVICE_MEMBER uint64_t sum(const uint32_t *, uint32_t, const uint32_t set[WORDS])
  {
    uint32_t count = 0;
#pragma unroll
    for (int j = 0; j < WORDS; j++)
      count += ms_count_bits(set[j]);
    return count;
  }
};

/* Counts the matches below a and b, the matches of levels 1 and 2; called by one lane. */
template <int WORDS> MS_DEVICE uint64_t ms_chain_pair(const ms_local &l, uint32_t a, uint32_t b)
{
  const uint32_t *of_a = l.matrix + a * l.stride, *of_b = l.matrix + b * l.stride;
  uint32_t set[WORDS];
#pragma unroll
  for (int j = 0; j < WORDS; j++)
    set[j] = of_a[j] & of_b[j];
  switch (l.w.p->prefix) {
  case 3:
    return ms_chain_level<WORDS, 0>::sum(l.matrix, l.stride, set);
  case 4:
    return ms_chain_level<WORDS, 1>::sum(l.matrix, l.stride, set);
  case 5:
    return ms_chain_level<WORDS, 2>::sum(l.matrix, l.stride, set);
  case 6:
    return ms_chain_level<WORDS, 3>::sum(l.matrix, l.stride, set);
  default:
    return ms_chain_level<WORDS, 4>::sum(l.matrix, l.stride, set);
  }
}

/* Counts over all edges of the universe, one lane for each edge. */
template <int WORDS> MS_DEVICE uint64_t ms_chain_pairs(ms_local &l)
{
  uint64_t found = 0;
  uint32_t waiting = 0;
  for (uint32_t a = 0; a < l.size && ms_may_continue(l.w); a++)
    for (uint32_t i = a / 32; i < l.words; i++) {
      uint32_t word = l.matrix[a * l.stride + i];
      for (uint32_t first = 0; first < 32 && word;
           first += MS_LANES) { /* a single round, except where lanes are emulated */
        uint32_t bit = first + ms_lane();
        bool fits = bit < 32 && (word >> bit & 1);
        uint32_t mask = ms_ballot(fits);
        if (fits)
          l.list[waiting + ms_rank(mask)] = a << 16 | (i * 32 + bit);
        waiting += ms_count_bits(mask);
        ms_sync_memory();
        if (waiting >= MS_LANES) {
          waiting -= MS_LANES;
          uint32_t pair = l.list[waiting + ms_lane()];
          found += ms_chain_pair<WORDS>(l, pair >> 16, pair & 0xffff);
          ms_sync_memory();
        }
      }
    }
  if (ms_lane() < waiting)
    found += ms_chain_pair<WORDS>(l, l.list[ms_lane()] >> 16, l.list[ms_lane()] & 0xffff);
  ms_sync_memory();
  return found;
}

/* Counts a root whose universe has at most MS_CHAIN_SMALL vertices, by its warp. */
MS_DEVICE void ms_chain_root(ms_local &l)
{
  uint64_t found;
  switch (l.words) {
  case 1:
    found = ms_chain_pairs<1>(l);
    break;
  case 2:
    found = ms_chain_pairs<2>(l);
    break;
  case 3:
    found = ms_chain_pairs<3>(l);
    break;
  default:
    found = ms_chain_pairs<4>(l);
  }
  ms_wide_add(&l.w.sum, ms_wide_of((ms_int128)l.w.p->term[0].factor * (ms_int128)found));
}

#endif
