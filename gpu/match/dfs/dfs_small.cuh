/* A warp's sets in a search of chains (dfs_chain.cuh), and the matrices that it makes of them.
 *
 * A *small matrix* has at most 128 vertices, whose rows of four words are the right side of all
 * products in registers.  The sets whose edges are to be counted wait until there is one for each
 * lane.
 *
 * Of a larger set with four vertices to place, the last vertices have a small matrix, and those
 * before them *wide rows*: their neighbours among the vertices with wide rows, and then among the
 * last ones.  A triangle after a vertex a begins in the small matrix, or has one vertex c before
 * it, and then its last edge lies in the intersection of two wide rows and is counted in the small
 * matrix; or it has two such vertices c < d, and the common bits of three wide rows are counted.
 *
 * Cost of a small matrix: for each row and 32 columns a read, a vote and three more instructions.
 */
#ifndef MS_GPU_MATCH_DFS_SMALL_CUH
#define MS_GPU_MATCH_DFS_SMALL_CUH

#include "gpu/match/dfs/dfs_local.cuh"
#include "gpu/match/dfs/dfs_product.cuh"

/* Words of a row of a small matrix, and of a wide row. */
#define MS_CHAIN_WORDS (MS_CHAIN_ROOM / 32)
#define MS_WIDE_WORDS (2 * MS_CHAIN_WORDS)

/* A warp's parts of shared memory, and the matrix that it searches. */
typedef struct ms_chain_walk {
  ms_bit_rows m;
  uint32_t *set;  /* [ms_chain_sets()][stride] the sets of the search, the first one first */
  uint32_t *next; /* [ms_chain_sets()][4] for each the first place that was not tried and the number
                     of places from there on, or all such places */
  uint16_t *places;                  /* of a set's vertices, where the waiting list is otherwise */
  uint32_t room;                     /* most vertices of a small matrix; 0: there is none */
  uint32_t wide;                     /* most vertices with wide rows */
  uint32_t *small;                   /* the small matrix */
  uint32_t *wide_rows;               /* [wide][MS_WIDE_WORDS] */
  uint32_t *small_sets, *small_next; /* `set` and `next` of the search in it */
  uint32_t *waiting; /* [MS_CHAIN_WAITING][4] sets whose edges are not counted yet */
} ms_chain_walk;

MS_DEVICE ms_bit_rows ms_chain_rows(const ms_local &l)
{
  ms_bit_rows m = {l.matrix, l.size, l.stride, l.words};
  return m;
}

/* Returns the walk of a warp in a universe of at most `most` vertices, with all its memory at
 * l.list (ms_chain_warp_bytes).  room: 0 if the universe's matrix is small. */
MS_DEVICE ms_chain_walk ms_chain_walk_of(const ms_local &l, uint32_t most, uint32_t room,
                                         uint32_t wide)
{
  uint32_t sets = ms_chain_sets(l.w.p->prefix), stride = ms_chain_stride(most);
  ms_chain_walk c;
  c.m = ms_chain_rows(l);
  c.room = room;
  c.wide = wide;
  c.waiting = l.list;
  c.small = c.waiting + ms_chain_waiting_words(l.w.p->prefix);
  c.wide_rows = c.small + room * MS_CHAIN_WORDS;
  c.set = c.wide_rows + wide * MS_WIDE_WORDS;
  c.small_sets = c.set + sets * stride;
  c.next = c.small_sets + (room > 0 ? sets * MS_CHAIN_WORDS : 0);
  c.small_next = c.next + 4 * sets;
  c.places = (uint16_t *)c.waiting;
  return c;
}

/* ---- sets --------------------------------------------------------------------------- */

/* Writes the places of the set's vertices from word *word on, until all words are read or more than
 * `most` are written.  Returns their number. */
MS_DEVICE uint32_t ms_chain_places(const ms_chain_walk &c, const uint32_t *set, uint32_t most,
                                   uint32_t *word)
{
  uint32_t count = 0, i = *word;
  for (; i < c.m.words && count <= most; i++) {
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

/* Puts the sets of some lanes into the waiting list; when there is one for each lane, counts the
 * edges within them.  Each lane returns its part.  32 lanes. */
MS_DEVICE uint32_t ms_chain_push(const ms_chain_walk &c, const ms_fragments &f,
                                 const ms_chain_set &set, bool fits, uint32_t *waiting)
{
  uint32_t mask = ms_ballot(fits), found = 0;
  if (fits)
    *(ms_chain_set *)(c.waiting + (*waiting + ms_rank(mask)) * MS_CHAIN_WORDS) = set;
  *waiting += ms_count_bits(mask);
  ms_sync_warp();
  if (*waiting >= MS_LANES) {
    *waiting -= MS_LANES;
    found = ms_multiply_sets(f, c.waiting + *waiting * MS_CHAIN_WORDS, MS_LANES);
    ms_sync_warp();
  }
  return found;
}

/* For all c in T, puts the intersection of A_c and T into the waiting list, unless it is empty;
 * when there is one for each lane, counts the edges within them.  Lane 4 g + t has word t of T in
 * of_t, and each lane has all words of T in `all`.  32 lanes. */
MS_DEVICE uint32_t ms_chain_wait(const ms_chain_walk &c, const ms_fragments &f, uint32_t of_t,
                                 const ms_chain_set &all, uint32_t *waiting)
{
  uint32_t found = 0, words = ms_ballot(of_t != 0) & ((1u << MS_CHAIN_WORDS) - 1);
#pragma unroll 1
  for (; words; words &= words - 1) {
    uint32_t i = ms_lowest(words), some = 0;
    ms_chain_set set = {{0, 0, 0, 0}};
    if (ms_of_lane(of_t, i) >> ms_lane() & 1)
      set = *(const ms_chain_set *)(c.m.row + (i * 32 + ms_lane()) * MS_CHAIN_WORDS);
#pragma unroll
    for (uint32_t j = 0; j < MS_CHAIN_WORDS; j++)
      some |= set.word[j] &= all.word[j];
    found += ms_chain_push(c, f, set, some != 0, waiting); /* to count the bits takes longer than a
                                                              set of one vertex does */
  }
  return found;
}

/* Counts the ways to place four vertices in a set, the first of them at one of the places, except
 * for what is left in the waiting list; lane 4 g + t has word t of the set.  Each lane returns its
 * part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_last(const ms_chain_walk &c, const ms_fragments &f, uint32_t of_set,
                                 const ms_places &first, uint32_t *waiting)
{
  uint64_t found = 0;
  ms_chain_set set;
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++)
    set.word[i] = ms_of_lane(of_set, i);
  for (uint32_t i = first.lo / 32; i * 32 < first.hi; i++)
    for (uint32_t bases = ms_chain_bases(c, of_set, i, 3) & ms_range_word(first, i); bases;
         bases &= bases - 1) {
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

/* Counts the ways to place `left` vertices, 4 or more, in a set of vertices of a matrix of stride
 * 4; lane 4 g + t has word t of the set, and `waiting` sets are in the waiting list before.  Each
 * lane returns its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_small_set(ms_local &l, const ms_chain_walk &c, const ms_fragments &f,
                                      uint32_t of_set, uint32_t left, uint32_t waiting)
{
  ms_places all = {0, c.m.size};
  uint32_t depth = 0, t = ms_lane() % 4;
  uint64_t found = 0;
  for (;;) {
    if (left == 4) {
      found += ms_chain_last(c, f, of_set, all, &waiting);
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

/* Counts the ways to place `left` vertices, 3 or more, in a matrix of stride 4; `waiting` sets are
 * in the waiting list before.  Each lane returns its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_small(ms_local &l, const ms_chain_walk &c, uint32_t left,
                                  uint32_t waiting)
{
  ms_fragments f = ms_load_fragments(c.m);
  ms_places all = {0, c.m.size};
  if (left == 3)
    return ms_multiply_sets(f, c.m.row, c.m.size);
  return ms_chain_small_set(l, c, f, ms_range_word(all, ms_lane() % 4), left, waiting);
}

/* Writes the bits of some columns in the rows of c.m at some places.  All lanes look at one row,
 * each at the bits of the columns that are its own.  UPPER: rows and columns are the same vertices,
 * and rows hold larger vertices alone.  32 lanes. */
template <uint32_t WORDS, bool UPPER>
MS_DEVICE void ms_chain_gather(const ms_chain_walk &c, const uint16_t *rows, uint32_t n_rows,
                               const uint16_t *columns, uint32_t n_columns, uint32_t *to,
                               uint32_t stride)
{
  const uint8_t *word[WORDS];
  uint32_t mask[WORDS], bytes = c.m.stride * (uint32_t)sizeof(uint32_t);
#pragma unroll
  for (uint32_t i = 0; i < WORDS; i++) {
    bool exists = i * 32 + ms_lane() < n_columns;
    uint32_t place = exists ? columns[i * 32 + ms_lane()] : 0;
    word[i] = (const uint8_t *)(c.m.row + place / 32);
    mask[i] = exists ? 1u << place % 32 : 0;
  }
#pragma unroll
  for (uint32_t first = 0; first < (UPPER ? WORDS : 1); first++)
#pragma unroll 4
    for (uint32_t j = 32 * first; j < n_rows && (!UPPER || j < 32 * first + 32); j++) {
      uint32_t place = rows[j], mine = 0;
#pragma unroll
      for (uint32_t i = first; i < WORDS; i++) {
        const uint8_t *at = word[i] + (uint64_t)place * bytes; /* one instruction */
        uint32_t bits = ms_ballot((*(const uint32_t *)at & mask[i]) != 0);
        mine = ms_lane() == i ? bits : mine;
      }
      if (ms_lane() < MS_CHAIN_WORDS)
        to[j * stride + ms_lane()] = mine;
    }
}

/* The same for as many words as there are columns. */
template <bool UPPER>
MS_DEVICE void ms_chain_gather_some(const ms_chain_walk &c, const uint16_t *rows, uint32_t n_rows,
                                    const uint16_t *columns, uint32_t n_columns, uint32_t *to,
                                    uint32_t stride)
{
  if (n_columns <= 32)
    ms_chain_gather<1, UPPER>(c, rows, n_rows, columns, n_columns, to, stride);
  else if (n_columns <= 64)
    ms_chain_gather<2, UPPER>(c, rows, n_rows, columns, n_columns, to, stride);
  else if (n_columns <= 96)
    ms_chain_gather<3, UPPER>(c, rows, n_rows, columns, n_columns, to, stride);
  else
    ms_chain_gather<4, UPPER>(c, rows, n_rows, columns, n_columns, to, stride);
}

/* Returns the walk in the small matrix, of `size` vertices. */
MS_DEVICE ms_chain_walk ms_chain_within(const ms_chain_walk &c, uint32_t size)
{
  ms_chain_walk s = c;
  s.m.row = c.small;
  s.m.size = size;
  s.m.words = (size + 31) / 32;
  s.m.stride = MS_CHAIN_WORDS;
  s.set = c.small_sets;
  s.next = c.small_next;
  return s;
}

/* Makes the small matrix of the last vertices of a set of `size` vertices, and the wide rows of the
 * others; returns the walk in the small matrix.  32 lanes. */
MS_DEVICE ms_chain_walk ms_chain_compact(const ms_chain_walk &c, const uint32_t *set, uint32_t size)
{
  uint32_t from = 0, last = size < c.room ? size : c.room, first = size - last;
  (void)ms_chain_places(c, set, size, &from);
  const uint16_t *others = c.places, *places = c.places + first;
  if (first > 0) {
    ms_chain_gather_some<true>(c, others, first, others, first, c.wide_rows, MS_WIDE_WORDS);
    ms_chain_gather<MS_CHAIN_WORDS, false>(c, others, first, places, last,
                                           c.wide_rows + MS_CHAIN_WORDS, MS_WIDE_WORDS);
  }
  ms_chain_gather_some<true>(c, places, last, places, last, c.small, MS_CHAIN_WORDS);
  ms_sync_warp();
  return ms_chain_within(c, last);
}

/* ---- wide rows ----------------------------------------------------------------------------- */

/* A wide row, or its intersection with another one. */
typedef struct ms_wide_set {
  ms_chain_set first, last; /* vertices with wide rows, and vertices of the small matrix */
} ms_wide_set;

MS_DEVICE ms_wide_set ms_wide_row(const ms_chain_walk &c, uint32_t v)
{
  const uint32_t *row = c.wide_rows + v * MS_WIDE_WORDS;
  ms_wide_set set = {*(const ms_chain_set *)row, *(const ms_chain_set *)(row + MS_CHAIN_WORDS)};
  return set;
}

/* Returns the number of vertices in both sets; words: of those with wide rows. */
MS_DEVICE uint32_t ms_wide_common(const ms_wide_set &a, const ms_wide_set &b, uint32_t words)
{
  uint32_t count = 0;
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++) {
    count += ms_count_bits(a.last.word[i] & b.last.word[i]);
    if (i < words)
      count += ms_count_bits(a.first.word[i] & b.first.word[i]);
  }
  return count;
}

/* Counts the triangles within T whose first vertex is one of 32 with wide rows, of which each lane
 * has one, or none, except for those in the waiting list.  `words`: as above. */
MS_DEVICE uint32_t ms_wide_triangles(const ms_chain_walk &c, const ms_fragments &f,
                                     const ms_wide_set &t, uint32_t v, bool is_in, uint32_t words,
                                     uint32_t *waiting)
{
  ms_wide_set set = {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}};
  uint32_t some = 0, found = 0;
  if (is_in)
    set = ms_wide_row(c, v);
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++) {
    set.first.word[i] &= t.first.word[i];
    some |= set.last.word[i] &= t.last.word[i];
  }
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++)
    for (uint32_t left = set.first.word[i]; left; left &= left - 1)
      found += ms_wide_common(set, ms_wide_row(c, i * 32 + ms_lowest(left)), words);
  return found + ms_chain_push(c, f, set.last, some != 0, waiting);
}

/* Counts the ways to place four vertices, the first of which is one of `count` with wide rows,
 * except for what is left in the waiting list; c: the walk in the small matrix.  Each lane returns
 * its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_wide(const ms_chain_walk &c, uint32_t count, uint32_t *waiting)
{
  ms_fragments f = ms_load_fragments(c.m);
  uint32_t words = (count + 31) / 32;
  uint64_t found = 0;
  for (uint32_t v = 0; v < count; v++) {
    const uint32_t *row = c.wide_rows + v * MS_WIDE_WORDS;
    ms_wide_set t = ms_wide_row(c, v);
    found += ms_chain_wait(c, f, row[MS_CHAIN_WORDS + ms_lane() % 4], t.last, waiting);
    for (uint32_t i = v / 32; i < words; i++)
      if (row[i])
        found +=
            ms_wide_triangles(c, f, t, i * 32 + ms_lane(), row[i] >> ms_lane() & 1, words, waiting);
  }
  return found;
}

#endif
