/* Chains (dfs_local.cuh): mostly cliques.  The matrix holds only the larger neighbours of each
 * vertex, so that an AND also keeps the order.
 *
 * A warp counts a small universe by itself, one lane for each edge.  In a large one, of which a
 * block has the matrix, a warp takes a vertex of level 1.  If the set that is left to the other
 * levels is small, its vertices get a *small matrix*, in whose rows no bit stands for another
 * vertex, and the warp counts that as it counts a small universe.  If the set is too large, the
 * warp goes on depth first, one vertex after the other. */
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

/* Counts the ways to place `left` vertices of which a and b are the first two; called by one
 * lane. */
template <int WORDS>
MS_DEVICE uint64_t ms_chain_pair(const ms_local &l, uint32_t left, uint32_t a, uint32_t b)
{
  const uint32_t *of_a = l.matrix + a * l.stride, *of_b = l.matrix + b * l.stride;
  uint32_t set[WORDS];
#pragma unroll
  for (int j = 0; j < WORDS; j++)
    set[j] = of_a[j] & of_b[j];
  switch (left) {
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

/* Counts the ways to place `left` vertices, 3 or more, one lane for each edge of the universe. */
template <int WORDS> MS_DEVICE uint64_t ms_chain_pairs(ms_local &l, uint32_t left)
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
          found += ms_chain_pair<WORDS>(l, left, pair >> 16, pair & 0xffff);
          ms_sync_memory();
        }
      }
    }
  if (ms_lane() < waiting)
    found += ms_chain_pair<WORDS>(l, left, l.list[ms_lane()] >> 16, l.list[ms_lane()] & 0xffff);
  ms_sync_memory();
  return found;
}

/* The same; the universe has at most MS_CHAIN_SMALL vertices. */
MS_DEVICE uint64_t ms_chain_small(ms_local &l, uint32_t left)
{
  switch (l.words) {
  case 1:
    return ms_chain_pairs<1>(l, left);
  case 2:
    return ms_chain_pairs<2>(l, left);
  case 3:
    return ms_chain_pairs<3>(l, left);
  default:
    return ms_chain_pairs<4>(l, left);
  }
}

MS_DEVICE void ms_chain_add(ms_local &l, uint64_t found)
{
  ms_wide_add(&l.w.sum, ms_wide_of((ms_int128)l.w.p->term[0].factor * (ms_int128)found));
}

/* Counts a root with a small universe, by its warp. */
MS_DEVICE void ms_chain_root(ms_local &l)
{
  ms_chain_add(l, ms_chain_small(l, l.w.p->prefix));
}

/* ---- large universes --------------------------------------------------------------- */

/* A warp's search in a block's universe: its parts of shared memory. */
typedef struct ms_chain_walk {
  uint32_t *set;    /* [prefix - 2][stride] the sets left by the matches of levels 1, 2, .. */
  uint32_t *next;   /* [prefix - 2] the first place of each that was not tried */
  uint32_t *small;  /* the small matrix */
  uint16_t *places; /* [room + 32] of a set */
  uint32_t room;    /* most vertices of a small matrix */
} ms_chain_walk;

MS_DEVICE ms_chain_walk ms_chain_walk_of(const ms_local &l, uint32_t stride, uint32_t room)
{
  uint32_t sets = l.w.p->prefix - 2;
  ms_chain_walk c;
  c.set = l.sets;
  c.next = c.set + sets * stride;
  c.small = c.next + sets;
  c.places = (uint16_t *)(c.small + room * ms_local_stride(room));
  c.room = room;
  return c;
}

/* Writes the places of the set's vertices from word *word on, until all words are read or no room
 * is left for another word's.  Returns their number. */
MS_DEVICE uint32_t ms_chain_places(const ms_local &l, const ms_chain_walk &c, const uint32_t *set,
                                   uint32_t *word)
{
  uint32_t count = 0, i = *word;
  for (; i < l.words && count <= c.room; i++) {
    uint32_t bits = set[i];
    for (uint32_t bit = ms_lane(); bits && bit < 32; bit += MS_LANES)
      if (bits >> bit & 1)
        c.places[count + ms_count_bits(bits & ((1u << bit) - 1))] = (uint16_t)(i * 32 + bit);
    count += ms_count_bits(bits);
  }
  *word = i;
  ms_sync_memory();
  return count;
}

/* Counts the edges within the set, one lane for each vertex.  Each lane returns its part. */
MS_DEVICE uint64_t ms_chain_edges(const ms_local &l, const ms_chain_walk &c, const uint32_t *set)
{
  uint64_t found = 0;
  for (uint32_t word = 0; word < l.words;) {
    uint32_t count = ms_chain_places(l, c, set, &word);
    for (uint32_t j = ms_lane(); j < count; j += MS_LANES) {
      uint32_t v = c.places[j], edges = 0;
      const uint32_t *row = l.matrix + v * l.stride;
      for (uint32_t i = v / 32; i < l.words; i++)
        edges += ms_count_bits(set[i] & row[i]);
      found += edges;
    }
    ms_sync_memory();
  }
  return found;
}

/* Makes the small matrix of a set of `size` vertices, one lane for each row, and counts the ways to
 * place `left` vertices in it.  Each lane returns its part. */
MS_DEVICE uint64_t ms_chain_compact(ms_local &l, const ms_chain_walk &c, const uint32_t *set,
                                    uint32_t size, uint32_t left)
{
  uint32_t word = 0;
  uint32_t *matrix = l.matrix, universe = l.size, stride = l.stride;
  (void)ms_chain_places(l, c, set, &word);
  l.size = size;
  l.words = (size + 31) / 32;
  l.stride = ms_local_stride(size);
  l.matrix = c.small;
  for (uint32_t first = 0; first < size; first += MS_LANES) {
    uint32_t j = first + ms_lane();
    const uint32_t *row = matrix + c.places[j < size ? j : first] * stride;
    for (uint32_t i = 0; i < l.words; i++) {
      uint32_t bits = 0, from = i * 32, to = size < from + 32 ? size : from + 32;
      /* rows hold larger vertices alone */
      for (uint32_t k = first > from ? first : from; k < to; k++) {
        uint32_t place = c.places[k];
        bits |= (row[place / 32] >> place % 32 & 1) << (k - from);
      }
      if (j < size)
        l.matrix[j * l.stride + i] = bits;
    }
  }
  ms_sync_memory();
  uint64_t found = ms_chain_small(l, left);
  l.size = universe;
  l.words = (universe + 31) / 32;
  l.stride = stride;
  l.matrix = matrix;
  return found;
}

/* Makes the set of one depth more, by a vertex of the universe.  Returns its size. */
MS_DEVICE uint32_t ms_chain_meet(const ms_local &l, const uint32_t *set, uint32_t v, uint32_t *to)
{
  const uint32_t *row = l.matrix + v * l.stride;
  uint32_t count = 0;
  for (uint32_t i = ms_lane(); i < l.words; i += MS_LANES) {
    uint32_t word = i < v / 32 ? 0 : set ? set[i] & row[i] : row[i];
    to[i] = word;
    count += ms_count_bits(word);
  }
  count = ms_sum_of_lanes(count);
  ms_sync_memory();
  return count;
}

/* Returns the first place of the set that is not below `from`, or the universe's size. */
MS_DEVICE uint32_t ms_chain_first(const ms_local &l, const uint32_t *set, uint32_t from)
{
  uint32_t i = from / 32, word = i < l.words ? set[i] & (0xffffffffu << from % 32) : 0;
  while (word == 0 && ++i < l.words)
    word = set[i];
  return i < l.words ? i * 32 + ms_lowest(word) : l.size;
}

/* Counts the matches of which vertex a is that of level 1.  Each lane returns its part. */
MS_DEVICE uint64_t ms_chain_vertex(ms_local &l, const ms_chain_walk &c, uint32_t a)
{
  uint32_t depth = 0, left = l.w.p->prefix - 1, size = ms_chain_meet(l, NULL, a, c.set);
  uint64_t found = 0;
  while (ms_may_continue(l.w)) {
    uint32_t *set = c.set + depth * l.stride, v;
    bool descends = size >= left && left > 2 && size > c.room;
    if (size >= left && left == 2)
      found += ms_chain_edges(l, c, set);
    else if (size >= left && !descends)
      found += ms_chain_compact(l, c, set, size, left);
    ms_sync_memory();
    if (descends && ms_lane() == 0)
      c.next[depth] = 0;
    ms_sync_memory();
    depth += descends;
    left -= descends;
    for (v = l.size; depth > 0; depth--, left++) { /* the next vertex of the deepest set */
      v = ms_chain_first(l, c.set + (depth - 1) * l.stride, c.next[depth - 1]);
      if (v < l.size)
        break;
    }
    if (depth == 0)
      break;
    ms_sync_memory();
    if (ms_lane() == 0)
      c.next[depth - 1] = v + 1;
    size = ms_chain_meet(l, c.set + (depth - 1) * l.stride, v, c.set + depth * l.stride);
  }
  return found;
}

/* Counts the matches with the places [from, to) at level 1, which the block's warps share; *next is
 * 0 before the call. */
MS_DEVICE void ms_chain_children(ms_local &l, const ms_chain_walk &c, uint32_t from, uint32_t to,
                                 uint32_t *next)
{
  while (!l.w.stopped) {
    uint32_t at = 0;
    if (ms_lane() == 0)
      at = ms_add(next, 1u);
    at = ms_of_lane(at, 0);
    if (at >= to - from)
      return;
    ms_chain_add(l, ms_chain_vertex(l, c, from + at));
  }
}

#endif
