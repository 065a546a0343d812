/* The ball of a root: its vertices, numbered, and their adjacency as bits, in the shared memory of
 * a warp. */
#ifndef MS_GPU_CENSUS_BALL_CUH
#define MS_GPU_CENSUS_BALL_CUH

#include "gpu/census/census_device.h"
#include "gpu/common/warp.cuh"

#define MS_CENSUS_FREE 0xffffffffu /* a place of the hash table */

/* A set of vertices of a ball. */
template <uint32_t W> struct ms_bits {
  uint64_t word[W];
};

template <uint32_t W> struct ms_ball {
  ms_bits<W> *row;      /* [64 W] neighbours of each vertex that is less than k - 1 edges away */
  ms_bits<W> *kind_row; /* [merged] vertices of each kind */
  uint32_t *key;        /* [128 W] ranks, in a hash table */
  uint32_t *rank;       /* [64 W] */
  uint16_t *number;     /* [128 W] of the rank at the same place of `key` */
  uint16_t *kind;       /* [64 W] */
  uint32_t count;       /* vertices; the root is number 0 */
};

/* Divides the memory of a warp; returns what is behind the ball. */
template <uint32_t W>
MS_DEVICE uint8_t *ms_ball_place(ms_ball<W> *b, const ms_census_launch &l, uint8_t *memory)
{
  const uint32_t most = 64 * W;
  uint32_t merged = l.label ? 0 : l.merged;
  b->row = (ms_bits<W> *)memory;
  b->kind_row = b->row + most;
  b->key = (uint32_t *)(b->kind_row + merged);
  b->rank = b->key + 2 * most;
  b->number = (uint16_t *)(b->rank + most);
  b->kind = b->number + 2 * most;
  return (uint8_t *)(b->kind + most);
}

template <uint32_t W> MS_DEVICE bool ms_bits_any(const ms_bits<W> &b)
{
  uint64_t any = 0;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    any |= b.word[i];
  return any != 0;
}

MS_DEVICE uint32_t ms_count_long(uint64_t x)
{
  return ms_count_bits((uint32_t)x) + ms_count_bits((uint32_t)(x >> 32));
}

/* Takes the lowest bit out of a set that is not empty. */
template <uint32_t W> MS_DEVICE uint32_t ms_bits_take(ms_bits<W> *b)
{
  uint32_t lowest = 0;
  bool found = false;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    if (!found && b->word[i] != 0) {
      lowest = 64 * i + ms_lowest(b->word[i]);
      b->word[i] &= b->word[i] - 1;
      found = true;
    }
  return lowest;
}

/* Empties the rows and the hash table, and makes the root number 0. */
template <uint32_t W>
MS_DEVICE void ms_ball_begin(ms_ball<W> *b, const ms_census_launch &l, uint32_t root)
{
  const uint32_t most = 64 * W, merged = l.label ? 0 : l.merged;
  uint64_t *word = b->row->word;
  for (uint32_t i = ms_lane(); i < (most + merged) * W; i += MS_LANES)
    word[i] = 0;
  for (uint32_t i = ms_lane(); i < 2 * most; i += MS_LANES)
    b->key[i] = MS_CENSUS_FREE;
  if (ms_lane() == 0) {
    b->rank[0] = root;
    b->kind[0] = l.kind[root];
  }
  b->count = 1;
  ms_sync_warp();
}

/* Finds the place of a rank in the hash table, or makes it one; sets *fresh if it had none.  The
 * table has a free place, because it has two for each vertex and a warp adds 32 at most. */
template <uint32_t W> MS_DEVICE uint32_t ms_ball_find(ms_ball<W> *b, uint32_t rank, bool *fresh)
{
  const uint32_t mask = 128 * W - 1;
  uint32_t at = rank * 2654435761u >> 16 & mask;
  for (;; at = (at + 1) & mask) {
    uint32_t old = ms_exchange(&b->key[at], MS_CENSUS_FREE, rank);
    *fresh = old == MS_CENSUS_FREE;
    if (*fresh || old == rank)
      return at;
  }
}

/* Notes that vertex u has this neighbour, if the lane has one; all lanes call it together.  Returns
 * false if the ball is too large. */
template <uint32_t W>
MS_DEVICE bool ms_ball_join(ms_ball<W> *b, const ms_census_launch &l, uint32_t u, uint32_t rank,
                            bool has)
{
  const uint32_t most = 64 * W;
  bool fresh = false;
  uint32_t at = has ? ms_ball_find(b, rank, &fresh) : 0;
  uint32_t added = ms_ballot(fresh), id = b->count + ms_rank(added);
  if (b->count + ms_count_bits(added) > most)
    return false;
  if (fresh) {
    uint32_t kind = l.kind[rank];
    b->number[at] = (uint16_t)id;
    b->rank[id] = rank;
    b->kind[id] = (uint16_t)kind;
    if (!l.label && l.merged > 0)
      ms_or((uint32_t *)(b->kind_row + kind) + id / 32, 1u << id % 32);
  }
  b->count += ms_count_bits(added);
  ms_sync_warp();
  if (has) {
    id = b->number[at];
    ms_or((uint32_t *)(b->row + u) + id / 32, 1u << id % 32);
  }
  return true;
}

/* Makes the ball of a root.  Returns false if it is too large.  8 lanes read the row of a vertex,
 * or all lanes where a warp has fewer. */
template <uint32_t W>
MS_DEVICE bool ms_ball_make(ms_ball<W> *b, const ms_census_launch &l, uint32_t root)
{
  const uint32_t group = MS_LANES < 8 ? MS_LANES : 8, groups = MS_LANES / group;
  uint32_t begin = 0, end = 1;
  ms_ball_begin(b, l, root);
  for (uint32_t depth = 0; depth + 1 < l.k && begin < end; depth++) {
    for (uint32_t first = begin; first < end; first += groups) {
      uint32_t u = first + ms_lane() / group, at = 0, last = 0;
      if (u < end) {
        at = l.offset[b->rank[u]] + ms_lane() % group;
        last = l.offset[b->rank[u] + 1];
      }
      for (; ms_any(at < last); at += group) {
        uint32_t rank = at < last ? l.neighbor[at] : 0;
        bool has = l.motif ? at < last && rank != root : rank > root;
        if (!ms_ball_join(b, l, u, rank, has))
          return false;
      }
    }
    begin = end;
    end = b->count;
  }
  ms_sync_warp();
  return true;
}

#endif
