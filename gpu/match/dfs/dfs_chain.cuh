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
 * sets are searched in the universe's matrix.
 *
 * All vertices after a vertex of a set are larger.  So a small matrix of the last vertices of a
 * large set, as many as it has room for, counts all cliques whose smallest vertex is one of these.
 * With four vertices to place, some vertices before them have *wide rows*: their neighbours among
 * these vertices, and then among the last ones.  Only what is before those needs a small matrix for
 * each vertex. */
#ifndef MS_GPU_MATCH_DFS_CHAIN_CUH
#define MS_GPU_MATCH_DFS_CHAIN_CUH

#include "gpu/match/dfs/dfs_small.cuh"

/* Places of a universe's last vertices that a warp takes at a time. */
#define MS_CHAIN_SHARE 4u

/* ---- large matrices ------------------------------------------------------------------------ */

/* Counts the triangles of the set.  Each lane returns its part. */
MS_DEVICE uint64_t ms_chain_triangles(ms_local &l, const ms_chain_walk &c, const uint32_t *set)
{
  uint64_t found = 0;
  for (uint32_t word = 0; word < c.m.words && ms_may_continue(l.w);) {
    uint32_t count = ms_chain_places(c, set, MS_CHAIN_ROOM, &word);
    found += ms_count_triangles(c.m, set, c.places, count);
    ms_sync_warp();
  }
  return found;
}

/* Returns the most vertices of a set of which a small matrix, and wide rows, count the ways to
 * place `left` vertices. */
MS_DEVICE uint32_t ms_chain_room(const ms_chain_walk &c, uint32_t left)
{
  return left == 4 ? c.room + c.wide : c.room;
}

/* Leaves the places from `from` on in a set. */
MS_DEVICE void ms_chain_cut(const ms_chain_walk &c, uint32_t *set, uint32_t from)
{
  ms_places kept = {from, c.m.size};
  ms_sync_warp();
  for (uint32_t i = ms_lane(); i < c.m.words; i += MS_LANES)
    set[i] &= ms_range_word(kept, i);
  ms_sync_warp();
}

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
    bool fits = MS_LANES == 32 && enough && size <= ms_chain_room(c, left);
    bool descends = enough && !fits && left > 3;
    if (fits) {
      ms_chain_walk within = ms_chain_compact(c, set, size);
      uint32_t waiting = 0;
      if (size > c.room)
        found += ms_chain_wide(within, size - c.room, &waiting);
      found += ms_chain_small(l, within, left, waiting);
    } else if (enough && !descends)
      found += ms_chain_triangles(l, c, set);
    ms_sync_warp();
    if (descends && ms_lane() == 0) {
      c.next[4 * depth] = 0;
      c.next[4 * depth + 1] = size;
    }
    ms_sync_warp();
    depth += descends;
    left -= descends;
    bool rest = false;                   /* what is left of the deepest set gets a small matrix */
    for (; depth > 0; depth--, left++) { /* the next vertex of the deepest set */
      const uint32_t *next = c.next + 4 * (depth - 1);
      rest = MS_LANES == 32 && left == 3 && next[1] <= ms_chain_room(c, 4);
      v = ms_chain_first(c, c.set + (depth - 1) * c.m.stride, next[0]);
      if (rest || v < c.m.size)
        break;
    }
    if (depth == 0)
      break;
    size = c.next[4 * (depth - 1) + 1];
    if (rest) {
      depth--;
      left++;
      ms_chain_cut(c, c.set + depth * c.m.stride, v);
      continue;
    }
    ms_sync_warp();
    if (ms_lane() == 0) {
      c.next[4 * (depth - 1)] = v + 1;
      c.next[4 * (depth - 1) + 1] = size - 1;
    }
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
  ms_chain_walk c = ms_chain_walk_of(l, MS_CHAIN_SMALL, 0, 0);
  uint32_t left = l.w.p->prefix;
  if (MS_LANES == 32) {
    ms_chain_add(l, l.size >= left ? ms_chain_small(l, c, left, 0) : 0);
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

/* Copies the matrix of the universe's last vertices, from a place on that is a multiple of 32.
 * Returns the walk in it. */
MS_DEVICE ms_chain_walk ms_chain_copy_last(const ms_chain_walk &c, uint32_t from)
{
  ms_chain_walk s = ms_chain_within(c, c.m.size - from);
  for (uint32_t i = ms_lane(); i < s.m.size * MS_CHAIN_WORDS; i += MS_LANES) {
    uint32_t word = from / 32 + i % MS_CHAIN_WORDS;
    c.small[i] = word < c.m.words ? c.m.row[(from + i / MS_CHAIN_WORDS) * c.m.stride + word] : 0;
  }
  ms_sync_warp();
  return s;
}

/* Counts the ways to place four vertices in a small matrix, the first of them at one of the places.
 * Each lane returns its part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_some(const ms_chain_walk &s, const ms_places &first)
{
  ms_fragments f = ms_load_fragments(s.m);
  ms_places all = {0, s.m.size};
  uint32_t waiting = 0;
  uint64_t found = ms_chain_last(s, f, ms_range_word(all, ms_lane() % 4), first, &waiting);
  return found + ms_multiply_sets(f, s.waiting, waiting);
}

/* Counts the matches of cliques of five with the places [from, to) at level 1, which the block's
 * warps share: one by one, or in the universe's last vertices some together.  Each lane returns its
 * part.  32 lanes. */
MS_DEVICE uint64_t ms_chain_fives(ms_local &l, const ms_chain_walk &c, uint32_t from, uint32_t to,
                                  uint32_t *next)
{
  uint32_t last = c.m.size > c.room ? (c.m.size - c.room + 31) / 32 * 32 : 0;
  uint32_t single = last <= from ? 0 : (last < to ? last : to) - from;
  uint32_t groups = (to - from - single + MS_CHAIN_SHARE - 1) / MS_CHAIN_SHARE, at;
  bool copied = false;
  ms_chain_walk s = c;
  uint64_t found = 0;
  while (ms_may_continue(l.w) &&
         (at = ms_chain_share(next, 1, 0, single + groups)) < single + groups) {
    if (at < single) {
      found += ms_chain_search(l, c, ms_chain_meet(c, NULL, from + at, c.set), 3);
      continue;
    }
    if (!copied && (last > 0 || c.m.stride > MS_CHAIN_WORDS))
      s = ms_chain_copy_last(c, last);
    copied = true; /* or the whole universe's matrix is small */
    ms_places some = {from + single + (at - single) * MS_CHAIN_SHARE - last, to - last};
    some.hi = some.hi - some.lo < MS_CHAIN_SHARE ? some.hi : some.lo + MS_CHAIN_SHARE;
    found += ms_chain_some(s, some);
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
  } else if (left == 3 && MS_LANES == 32) {
    found = ms_chain_fives(l, c, from, to, next);
  } else {
    while (ms_may_continue(l.w) && (at = ms_chain_share(next, 1, from, to)) < to) {
      found += ms_chain_search(l, c, ms_chain_meet(c, NULL, at, c.set), left);
      ms_sync_warp(); /* all lanes have read the first set, which the next turn writes */
    }
  }
  ms_chain_add(l, found);
}

#endif
