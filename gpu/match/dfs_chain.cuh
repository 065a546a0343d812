/* Chains (dfs_local.cuh): mostly cliques.  The matrix holds only the larger neighbours of each
 * vertex, so that an AND also keeps the order.
 *
 * A search goes depth first through sets: the universe, the part of it that is next to a vertex a,
 * the part of that which is next to a vertex b, and so on.  When three vertices are left to place,
 * the triangles within the set are counted by products of bit matrices (dfs_product.cuh).
 *
 * A warp counts a small universe by itself.  In a large one, of which a block has the matrix, a
 * warp takes a vertex of level 1, or for cliques of four some rows of the product.  A set of few
 * vertices gets a *small matrix* first, in whose rows no bit stands for another vertex; larger
 * sets are searched in the universe's matrix. */
#ifndef MS_GPU_MATCH_DFS_CHAIN_CUH
#define MS_GPU_MATCH_DFS_CHAIN_CUH

#include "gpu/match/dfs_local.cuh"
#include "gpu/match/dfs_product.cuh"

/* Words of a row of a small matrix. */
#define MS_CHAIN_WORDS (MS_CHAIN_ROOM / 32)

/* A warp's parts of shared memory, and the matrix that it searches. */
typedef struct ms_chain_walk {
  ms_bit_rows m;
  uint32_t *set;    /* [prefix - 1][stride] the sets of the search, the first one first */
  uint32_t *next;   /* [prefix - 1][4] for each the first place that was not tried, or all such
                       places */
  uint16_t *places; /* [MS_CHAIN_ROOM + 32] of a set */
  uint32_t room;    /* most vertices of a small matrix; 0: there is none */
  uint32_t *small;  /* the small matrix */
  uint32_t *small_sets, *small_next; /* `set` and `next` of the search in it */
  uint32_t *waiting; /* [MS_CHAIN_WAITING][4] sets whose edges are not counted yet */
} ms_chain_walk;

MS_DEVICE ms_bit_rows ms_chain_rows(const ms_local &l)
{
  ms_bit_rows m = {l.matrix, l.size, l.stride, l.words};
  return m;
}

/* Returns the walk of a warp in a universe of at most `most` vertices, with all its memory at
 * l.sets (ms_chain_warp_bytes).  room: 0 if the universe's matrix is small. */
MS_DEVICE ms_chain_walk ms_chain_walk_of(const ms_local &l, uint32_t most, uint32_t room)
{
  uint32_t sets = l.w.p->prefix - 1, stride = ms_chain_stride(most);
  ms_chain_walk c;
  c.m = ms_chain_rows(l);
  c.room = room;
  c.waiting = l.sets;
  c.small = c.waiting + ms_chain_waiting_words(l.w.p->prefix, room);
  c.set = c.small + room * MS_CHAIN_WORDS;
  c.small_sets = c.set + sets * stride;
  c.next = c.small_sets + (room > 0 ? sets * MS_CHAIN_WORDS : 0);
  c.small_next = c.next + 4 * sets;
  c.places = (uint16_t *)(c.small_next + (room > 0 ? 4 * sets : 0));
  return c;
}

/* ---- sets --------------------------------------------------------------------------- */

/* Writes the places of the set's vertices from word *word on, until all words are read or no room
 * is left for another word's.  Returns their number. */
MS_DEVICE uint32_t ms_chain_places(const ms_chain_walk &c, const uint32_t *set, uint32_t *word)
{
  uint32_t count = 0, i = *word;
  for (; i < c.m.words && count <= MS_CHAIN_ROOM; i++) {
    uint32_t bits = set[i];
    for (uint32_t bit = ms_lane(); bits && bit < 32; bit += MS_LANES)
      if (bits >> bit & 1)
        c.places[count + ms_count_bits(bits & ((1u << bit) - 1))] = (uint16_t)(i * 32 + bit);
    count += ms_count_bits(bits);
  }
  *word = i;
  ms_sync_warp();
  return count;
}

/* Writes the set of all vertices. */
MS_DEVICE void ms_chain_all(const ms_chain_walk &c, uint32_t *to)
{
  ms_places all = {0, c.m.size};
  for (uint32_t i = ms_lane(); i < c.m.stride; i += MS_LANES)
    to[i] = ms_range_word(all, i);
  ms_sync_warp();
}

/* Writes the larger neighbours of v, those in `set` unless it is NULL.  Returns their number. */
MS_DEVICE uint32_t ms_chain_meet(const ms_chain_walk &c, const uint32_t *set, uint32_t v,
                                 uint32_t *to)
{
  const uint32_t *row = c.m.row + v * c.m.stride;
  uint32_t count = 0;
  for (uint32_t i = ms_lane(); i < c.m.stride; i += MS_LANES) {
    uint32_t word = set ? set[i] & row[i] : row[i];
    to[i] = word;
    count += ms_count_bits(word);
  }
  count = ms_sum_of_lanes(count);
  ms_sync_warp();
  return count;
}

/* Returns the first place of the set that is not below `from`, or the universe's size. */
MS_DEVICE uint32_t ms_chain_first(const ms_chain_walk &c, const uint32_t *set, uint32_t from)
{
  uint32_t i = from / 32, word = i < c.m.words ? set[i] & (0xffffffffu << from % 32) : 0;
  while (word == 0 && ++i < c.m.words)
    word = set[i];
  return i < c.m.words ? i * 32 + ms_lowest(word) : c.m.size;
}

/* ---- the search ------------------------------------------------------------------------ */

/* Counts the triangles of the set.  Each lane returns its part. */
MS_DEVICE uint64_t ms_chain_triangles(ms_local &l, const ms_chain_walk &c, const uint32_t *set)
{
  uint64_t found = 0;
  for (uint32_t word = 0; word < c.m.words && ms_may_continue(l.w);) {
    uint32_t count = ms_chain_places(c, set, &word);
    found += ms_count_triangles(c.m, set, c.places, count);
    ms_sync_warp();
  }
  return found;
}

/* ---- small matrices ---------------------------------------------------------------------- */

/* Returns which vertices of word i of a set have at least `need` larger neighbours in it; lane
 * 4 g + t has word t of the set.  32 lanes. */
MS_DEVICE uint32_t ms_chain_bases(const ms_chain_walk &c, uint32_t of_set, uint32_t i,
                                  uint32_t need)
{
  uint32_t v = i * 32 + ms_lane(), count = 0;
  bool is_in = ms_of_lane(of_set, i) >> ms_lane() & 1;
  for (uint32_t j = i; j < c.m.words; j++) {
    uint32_t word = ms_of_lane(of_set, j);
    if (is_in)
      count += ms_count_bits(word & c.m.row[v * MS_CHAIN_WORDS + j]);
  }
  return ms_ballot(count >= need);
}

/* A set of vertices of a small matrix, read and written at once. */
typedef struct alignas(16) ms_chain_set {
  uint32_t word[MS_CHAIN_WORDS];
} ms_chain_set;

/* For all c in T, puts the intersection of A_c and T into the waiting list, if it has two vertices
 * or more; when there is one for each lane, counts the edges within them.  Lane 4 g + t has word t
 * of T in of_t, and each lane has all words of T in `all`.  32 lanes. */
MS_DEVICE uint32_t ms_chain_wait(const ms_chain_walk &c, const ms_fragments &f, uint32_t of_t,
                                 const ms_chain_set &all, uint32_t *waiting)
{
  uint32_t found = 0, words = ms_ballot(of_t != 0) & ((1u << MS_CHAIN_WORDS) - 1);
#pragma unroll 1
  for (; words; words &= words - 1) {
    uint32_t i = ms_lowest(words), count = 0;
    ms_chain_set set = {{0, 0, 0, 0}};
    if (ms_of_lane(of_t, i) >> ms_lane() & 1)
      set = *(const ms_chain_set *)(c.m.row + (i * 32 + ms_lane()) * MS_CHAIN_WORDS);
#pragma unroll
    for (uint32_t j = 0; j < MS_CHAIN_WORDS; j++)
      count += ms_count_bits(set.word[j] &= all.word[j]);
    bool fits = count >= 2;
    uint32_t mask = ms_ballot(fits);
    if (fits)
      *(ms_chain_set *)(c.waiting + (*waiting + ms_rank(mask)) * MS_CHAIN_WORDS) = set;
    *waiting += ms_count_bits(mask);
    ms_sync_warp();
    if (*waiting >= MS_LANES) {
      *waiting -= MS_LANES;
      found += ms_multiply_sets(f, c.waiting + *waiting * MS_CHAIN_WORDS, MS_LANES);
      ms_sync_warp();
    }
  }
  return found;
}

/* Counts the ways to place four vertices in a set, except for what is left in the waiting list;
 * lane 4 g + t has word t of the set.  Each lane returns its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_last(const ms_chain_walk &c, const ms_fragments &f, uint32_t of_set,
                                 uint32_t *waiting)
{
  uint64_t found = 0;
  ms_chain_set set;
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++)
    set.word[i] = ms_of_lane(of_set, i);
  for (uint32_t i = 0; i < c.m.words; i++)
    for (uint32_t bases = ms_chain_bases(c, of_set, i, 3); bases; bases &= bases - 1) {
      const uint32_t *row = c.m.row + (i * 32 + ms_lowest(bases)) * MS_CHAIN_WORDS;
      ms_chain_set within = *(const ms_chain_set *)row;
#pragma unroll
      for (uint32_t j = 0; j < MS_CHAIN_WORDS; j++)
        within.word[j] &= set.word[j];
      found += ms_chain_wait(c, f, of_set & row[ms_lane() % 4], within, waiting);
    }
  return found;
}

/* Notes in c.next which vertices of set `depth` have at least `need` larger neighbours in it. */
MS_DEVICE void ms_chain_note(const ms_chain_walk &c, uint32_t depth, uint32_t of_set, uint32_t need)
{
  for (uint32_t i = 0; i < c.m.words; i++) {
    uint32_t bases = ms_chain_bases(c, of_set, i, need);
    if (ms_lane() == 0)
      c.next[4 * depth + i] = bases;
  }
  ms_sync_warp();
}

/* Takes a vertex out of c.next.  Returns its place, or the universe's size if none is left. */
MS_DEVICE uint32_t ms_chain_take(const ms_chain_walk &c, uint32_t depth)
{
  uint32_t *next = c.next + 4 * depth, i = 0, word = 0;
  while (i < c.m.words && (word = next[i]) == 0)
    i++;
  ms_sync_warp();
  if (word && ms_lane() == 0)
    next[i] = word & (word - 1);
  ms_sync_warp();
  return word ? i * 32 + ms_lowest(word) : c.m.size;
}

/* Counts the ways to place `left` vertices, 3 or more, in a matrix of stride 4.  Each lane returns
 * its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_small(ms_local &l, const ms_chain_walk &c, uint32_t left)
{
  ms_fragments f = ms_load_fragments(c.m);
  ms_places all = {0, c.m.size};
  uint32_t depth = 0, waiting = 0, t = ms_lane() % 4, of_set = ms_range_word(all, t);
  uint64_t found = 0;
  if (left == 3)
    return ms_multiply_sets(f, c.m.row, c.m.size);
  for (;;) {
    if (left == 4) {
      found += ms_chain_last(c, f, of_set, &waiting);
    } else {
      if (ms_lane() < 4)
        c.set[depth * MS_CHAIN_WORDS + t] = of_set;
      ms_chain_note(c, depth, of_set, left - 1);
      depth++;
      left--;
    }
    uint32_t v = c.m.size;
    for (; depth > 0; depth--, left++) {
      v = ms_chain_take(c, depth - 1);
      if (v < c.m.size)
        break;
    }
    if (depth == 0 || !ms_may_continue(l.w))
      return found + ms_multiply_sets(f, c.waiting, waiting);
    of_set = c.set[(depth - 1) * MS_CHAIN_WORDS + t] & c.m.row[v * MS_CHAIN_WORDS + t];
  }
}

/* Writes the rows of a small matrix whose places are in c.places.  All lanes look at one row, each
 * at the bits of the vertices that are its own.  32 lanes. */
template <uint32_t WORDS> MS_DEVICE void ms_chain_gather(const ms_chain_walk &c, uint32_t size)
{
  const uint8_t *word[WORDS];
  uint32_t mask[WORDS], bytes = c.m.stride * (uint32_t)sizeof(uint32_t);
#pragma unroll
  for (uint32_t i = 0; i < WORDS; i++) {
    bool exists = i * 32 + ms_lane() < size;
    uint32_t place = exists ? c.places[i * 32 + ms_lane()] : 0;
    word[i] = (const uint8_t *)(c.m.row + place / 32);
    mask[i] = exists ? 1u << place % 32 : 0;
  }
#pragma unroll
  for (uint32_t first = 0; first < WORDS; first++) /* rows hold larger vertices alone */
#pragma unroll 4
    for (uint32_t j = 32 * first; j < size && j < 32 * first + 32; j++) {
      uint32_t place = c.places[j], mine = 0;
#pragma unroll
      for (uint32_t i = first; i < WORDS; i++) {
        const uint8_t *at = word[i] + (uint64_t)place * bytes; /* one instruction */
        uint32_t bits = ms_ballot((*(const uint32_t *)at & mask[i]) != 0);
        mine = ms_lane() == i ? bits : mine;
      }
      if (ms_lane() < MS_CHAIN_WORDS)
        c.small[j * MS_CHAIN_WORDS + ms_lane()] = mine;
    }
}

/* Makes the small matrix of a set of `size` vertices; returns the walk in it.  32 lanes. */
MS_DEVICE ms_chain_walk ms_chain_compact(const ms_chain_walk &c, const uint32_t *set, uint32_t size)
{
  uint32_t from = 0;
  ms_chain_walk s = c;
  (void)ms_chain_places(c, set, &from);
  if (size <= 32)
    ms_chain_gather<1>(c, size);
  else if (size <= 64)
    ms_chain_gather<2>(c, size);
  else if (size <= 96)
    ms_chain_gather<3>(c, size);
  else
    ms_chain_gather<4>(c, size);
  ms_sync_warp();
  s.m.row = c.small;
  s.m.size = size;
  s.m.words = (size + 31) / 32;
  s.m.stride = MS_CHAIN_WORDS;
  s.set = c.small_sets;
  s.next = c.small_next;
  return s;
}

/* ---- large matrices ------------------------------------------------------------------------ */

/* Counts the ways to place `left` vertices, 3 or more, in the first set, which has this size.  Each
 * lane returns its part. */
MS_DEVICE uint64_t ms_chain_search(ms_local &l, const ms_chain_walk &c, uint32_t size,
                                   uint32_t left)
{
  uint32_t depth = 0;
  uint64_t found = 0;
  while (ms_may_continue(l.w)) {
    uint32_t *set = c.set + depth * c.m.stride, v = c.m.size;
    bool enough = size >= left;
    bool fits = MS_LANES == 32 && enough && size <= c.room;
    bool descends = enough && !fits && left > 3;
    if (fits)
      found += ms_chain_small(l, ms_chain_compact(c, set, size), left);
    else if (enough && !descends)
      found += ms_chain_triangles(l, c, set);
    ms_sync_warp();
    if (descends && ms_lane() == 0)
      c.next[4 * depth] = 0;
    ms_sync_warp();
    depth += descends;
    left -= descends;
    for (; depth > 0; depth--, left++) { /* the next vertex of the deepest set */
      v = ms_chain_first(c, c.set + (depth - 1) * c.m.stride, c.next[4 * (depth - 1)]);
      if (v < c.m.size)
        break;
    }
    if (depth == 0)
      break;
    ms_sync_warp();
    if (ms_lane() == 0)
      c.next[4 * (depth - 1)] = v + 1;
    size = ms_chain_meet(c, c.set + (depth - 1) * c.m.stride, v, c.set + depth * c.m.stride);
  }
  return found;
}

/* ---- roots ----------------------------------------------------------------------------------- */

MS_DEVICE void ms_chain_add(ms_local &l, uint64_t found)
{
  ms_wide_add(&l.w.sum, ms_wide_of((ms_int128)l.w.p->term[0].factor * (ms_int128)found));
}

/* Counts a root with a small universe, by its warp. */
MS_DEVICE void ms_chain_root(ms_local &l)
{
  ms_chain_walk c = ms_chain_walk_of(l, MS_CHAIN_SMALL, 0);
  uint32_t left = l.w.p->prefix;
  if (MS_LANES == 32) {
    ms_chain_add(l, l.size >= left ? ms_chain_small(l, c, left) : 0);
  } else { /* emulated */
    ms_chain_all(c, c.set);
    ms_chain_add(l, ms_chain_search(l, c, l.size, left));
  }
}

/* Returns the first of the next `some` places of [from, to) that no warp of the block has taken, or
 * `to`. */
MS_DEVICE uint32_t ms_chain_share(uint32_t *next, uint32_t some, uint32_t from, uint32_t to)
{
  uint32_t at = 0;
  if (ms_lane() == 0)
    at = ms_add(next, some);
  at = ms_of_lane(at, 0);
  return at < to - from ? from + at : to;
}

/* Counts the triangles whose first vertex is at [from, to). */
MS_DEVICE uint64_t ms_chain_rows_of(ms_local &l, const ms_chain_walk &c, uint32_t from, uint32_t to,
                                    uint32_t *next)
{
  uint64_t found = 0;
  uint32_t at;
  ms_chain_all(c, c.set);
  while (ms_may_continue(l.w) && (at = ms_chain_share(next, MS_TILE_ROWS, from, to)) < to) {
    uint32_t count = to - at < MS_TILE_ROWS ? to - at : MS_TILE_ROWS;
    for (uint32_t i = ms_lane(); i < count; i += MS_LANES)
      c.places[i] = (uint16_t)(at + i);
    ms_sync_warp();
    found += ms_count_triangles(c.m, c.set, c.places, count);
    ms_sync_warp();
  }
  return found;
}

/* Counts the matches with the places [from, to) at level 1, which the block's warps share; *next is
 * 0 before the call. */
MS_DEVICE void ms_chain_children(ms_local &l, const ms_chain_walk &c, uint32_t from, uint32_t to,
                                 uint32_t *next)
{
  uint32_t left = l.w.p->prefix - 1, at;
  uint64_t found = 0;
  if (left == 2) {
    found = ms_chain_rows_of(l, c, from, to, next);
  } else {
    while (ms_may_continue(l.w) && (at = ms_chain_share(next, 1, from, to)) < to)
      found += ms_chain_search(l, c, ms_chain_meet(c, NULL, at, c.set), left);
  }
  ms_chain_add(l, found);
}

#endif
