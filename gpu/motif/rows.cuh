/* Counting in rows of bits, as motif/count/count_sets.h explains: a warp holds X and N of a set as
 * bits, W words a lane; word `lane` of chunk i has the ranks from 32 (i lanes + lane) on.
 *
 * At sets of two vertices fewer than a match has, the pairs of candidates are counted from the
 * sizes of sets, and the edges between candidates and what they lead to from the rows of the
 * smaller side.  A row is read by all lanes at once, and the caches bound the kernel: on BioGRID
 * yeast, an H100 reads 1.36 x 10^11 words of 32 lanes for the sets of five in 1.9 s, which is 9.1
 * TB/s.  Eight rows at a time through carry-save adders, with half as many words whose ones are
 * counted, take 5 % longer. */
#ifndef MS_GPU_MOTIF_ROWS_CUH
#define MS_GPU_MOTIF_ROWS_CUH

#include "gpu/common/warp.cuh"
#include "gpu/motif/sets_device.h"

enum { MS_MOTIF_PLANES = 8, MS_MOTIF_STACKED = 255 /* rows that the planes can count */ };
/* Sets that a warp visits between two looks whether it should stop. */
enum { MS_MOTIF_LOOK = 16 };

/* What a warp counts. */
typedef struct ms_motif_tally {
  unsigned long long sum; /* of this lane */
  uint32_t visits;
} ms_motif_tally;

/* Adds the sums of all lanes, each below 2^59, to the launch's. */
MS_DEVICE void ms_motif_flush(const ms_motif_launch &l, ms_motif_tally *t)
{
  unsigned long long sum = t->sum;
  for (uint32_t d = 1; d < MS_LANES; d *= 2)
    sum += ms_swap(sum, d);
  if (ms_lane() == 0 && sum > 0) {
    ms_add(&l.queue->sum.digit[0], sum & 0xffffffffu);
    ms_add(&l.queue->sum.digit[1], sum >> 32);
  }
  t->sum = 0;
}

/* Adds the visits, at the end. */
MS_DEVICE void ms_motif_end(const ms_motif_launch &l, ms_motif_tally *t)
{
  ms_motif_flush(l, t);
  if (ms_lane() == 0)
    ms_add(&l.queue->rows, (unsigned long long)t->visits);
}

MS_DEVICE bool ms_motif_stops(const ms_motif_launch &l)
{
  return ms_of_lane(ms_lane() == 0 ? ms_peek(&l.queue->stop) : 0u, 0) != 0;
}

/* Takes the number of the next unit; false if none is left, or if the warp should stop. */
MS_DEVICE bool ms_motif_take(const ms_motif_launch &l, unsigned long long *unit)
{
  unsigned long long at = ms_lane() == 0 ? ms_add(&l.queue->next, 1ull) : 0ull;
  at = ms_of_lane(at, 0);
  *unit = at / l.width * l.all + l.first + at % l.width;
  return *unit < l.units && !ms_motif_stops(l);
}

template <uint32_t W> MS_DEVICE void ms_motif_load(uint32_t (&to)[W], const uint32_t *row)
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    to[i] = row[i * MS_LANES + ms_lane()];
}

template <uint32_t W> MS_DEVICE void ms_motif_store(uint32_t *row, const uint32_t (&from)[W])
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    row[i * MS_LANES + ms_lane()] = from[i];
}

/* Returns the ones of a & b in all lanes. */
template <uint32_t W>
MS_DEVICE uint32_t ms_motif_common(const uint32_t (&a)[W], const uint32_t (&b)[W])
{
  uint32_t ones = 0;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    ones += ms_count_bits(a[i] & b[i]);
  return ms_sum_of_lanes(ones);
}

template <uint32_t W> MS_DEVICE bool ms_motif_has_some(const uint32_t (&a)[W])
{
  uint32_t any = 0;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    any |= a[i];
  return ms_any(any != 0);
}

/* Writes the ranks of a chunk's bits to the list, in ascending order; returns their number. */
MS_DEVICE uint32_t ms_motif_spread(uint32_t bits, uint32_t chunk, uint16_t *list)
{
  uint32_t mine = ms_count_bits(bits), sum = mine;
  for (uint32_t d = 1; d < MS_LANES; d *= 2) {
    uint32_t before = ms_of_lane(sum, ms_lane() >= d ? ms_lane() - d : 0);
    sum += ms_lane() >= d ? before : 0;
  }
  uint32_t all = ms_of_lane(sum, MS_LANES - 1), at = sum - mine;
  uint32_t base = 32 * (chunk * MS_LANES + ms_lane());
  ms_sync_warp();
  for (; bits; bits &= bits - 1)
    list[at++] = (uint16_t)(base + ms_lowest(bits));
  ms_sync_warp();
  return all;
}

/* ---- the matches of each vertex ------------------------------------------------ */

/* Adds the planes, whose bits are the binary digits of a number for each rank, to the matches of
 * the ranks, and clears them. */
template <uint32_t W>
MS_DEVICE void ms_motif_take_planes(const ms_motif_launch &l, uint32_t (&plane)[MS_MOTIF_PLANES][W])
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    uint32_t any = 0;
#pragma unroll
    for (uint32_t p = 0; p < MS_MOTIF_PLANES; p++)
      any |= plane[p][i];
    for (uint32_t left = any; left; left &= left - 1) {
      uint32_t bit = ms_lowest(left), height = 0;
#pragma unroll
      for (uint32_t p = 0; p < MS_MOTIF_PLANES; p++)
        height |= (plane[p][i] >> bit & 1) << p;
      ms_add(&l.taking[32 * (i * MS_LANES + ms_lane()) + bit], (unsigned long long)height);
    }
#pragma unroll
    for (uint32_t p = 0; p < MS_MOTIF_PLANES; p++)
      plane[p][i] = 0;
  }
}

/* Counts the edges between the ranks of a and the ranks of b, and adds up the edges at each rank.
 * Returns this lane's part of the count. */
template <uint32_t W>
MS_DEVICE uint32_t ms_motif_ends(const ms_motif_launch &l, const uint32_t (&a)[W],
                                 const uint32_t (&b)[W], uint16_t *list)
{
  uint32_t plane[MS_MOTIF_PLANES][W], stacked = 0, edges = 0;
#pragma unroll
  for (uint32_t p = 0; p < MS_MOTIF_PLANES; p++)
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      plane[p][i] = 0;
#pragma unroll 1
  for (uint32_t chunk = 0; chunk < W; chunk++) {
    uint32_t bits = 0;
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      bits = i == chunk ? a[i] : bits;
    uint32_t count = ms_motif_spread(bits, chunk, list);
    for (uint32_t j = 0; j < count; j++) {
      uint32_t u = list[j], mine = 0;
      const uint32_t *row = l.row + (uint64_t)u * l.stride + ms_lane();
#pragma unroll
      for (uint32_t i = 0; i < W; i++) {
        uint32_t carry = row[i * MS_LANES] & b[i];
        mine += ms_count_bits(carry);
#pragma unroll
        for (uint32_t p = 0; p < MS_MOTIF_PLANES; p++) {
          uint32_t old = plane[p][i];
          plane[p][i] = old ^ carry;
          carry &= old;
        }
      }
      edges += mine;
      uint32_t at = ms_sum_of_lanes(mine);
      if (at > 0 && ms_lane() == 0)
        ms_add(&l.taking[u], (unsigned long long)at);
      if (++stacked == MS_MOTIF_STACKED) {
        ms_motif_take_planes(l, plane);
        stacked = 0;
      }
    }
  }
  if (stacked > 0)
    ms_motif_take_planes(l, plane);
  return edges;
}

/* Adds the number of pairs that each rank of `here` is in: both, less itself if it may join. */
template <uint32_t W>
MS_DEVICE void ms_motif_note_pairs(const ms_motif_launch &l, const uint32_t (&here)[W],
                                   const uint32_t (&joins)[W], uint32_t both)
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    for (uint32_t left = here[i]; left; left &= left - 1) {
      uint32_t bit = ms_lowest(left), pairs = both - (joins[i] >> bit & 1);
      if (pairs > 0)
        ms_add(&l.taking[32 * (i * MS_LANES + ms_lane()) + bit], (unsigned long long)pairs);
    }
}

/* ---- counting ------------------------------------------------------------------- */

/* Returns this lane's part of the number of edges between the ranks of a and the ranks of b. */
template <uint32_t W>
MS_DEVICE uint32_t ms_motif_edges(const ms_motif_launch &l, const uint32_t (&a)[W],
                                  const uint32_t (&b)[W], uint16_t *list)
{
  uint32_t edges = 0, live = 0; /* live: chunks of b that are not empty */
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    live |= (uint32_t)ms_any(b[i] != 0) << i;
#pragma unroll 1
  for (uint32_t chunk = 0; chunk < W; chunk++) {
    uint32_t bits = 0;
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      bits = i == chunk ? a[i] : bits;
    if (!ms_any(bits != 0))
      continue;
    uint32_t count = ms_motif_spread(bits, chunk, list), j = 0;
    const uint32_t *rows = l.row + ms_lane();
    for (; j + 4 <= count; j += 4) {
      const uint32_t *r0 = rows + (uint64_t)list[j] * l.stride,
                     *r1 = rows + (uint64_t)list[j + 1] * l.stride,
                     *r2 = rows + (uint64_t)list[j + 2] * l.stride,
                     *r3 = rows + (uint64_t)list[j + 3] * l.stride;
#pragma unroll
      for (uint32_t i = 0; i < W; i++)
        if (live >> i & 1) {
          uint32_t at = i * MS_LANES;
          edges += ms_count_bits(r0[at] & b[i]) + ms_count_bits(r1[at] & b[i]) +
                   ms_count_bits(r2[at] & b[i]) + ms_count_bits(r3[at] & b[i]);
        }
    }
    for (; j < count; j++) {
      const uint32_t *r = rows + (uint64_t)list[j] * l.stride;
#pragma unroll
      for (uint32_t i = 0; i < W; i++)
        edges += ms_count_bits(r[i * MS_LANES] & b[i]);
    }
  }
  return edges;
}

/* Counts the matches that hold a set of size - 2 vertices, the lane's of which is `member`. */
template <uint32_t W, bool TAKES>
MS_DEVICE void ms_motif_count_two(const ms_motif_launch &l, uint32_t state, const uint32_t (&x)[W],
                                  const uint32_t (&near)[W], uint32_t member, uint16_t *list,
                                  ms_motif_tally *t)
{
  unsigned long long twice = 0, edges = 0;
  for (uint32_t g = l.group_begin[state]; g < l.group_begin[state + 1]; g++) {
    ms_state_group group = l.group[g];
    uint32_t here[W], joins[W], fresh[W];
    ms_motif_load(here, l.set + (uint64_t)group.members * l.stride);
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      here[i] &= x[i];
    uint32_t count = ms_motif_common(here, here);
    if (count == 0)
      continue;
    ms_motif_load(joins, l.set + (uint64_t)group.joins * l.stride);
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      fresh[i] = joins[i] & ~near[i];
    uint32_t both = ms_motif_common(x, joins), there = ms_motif_common(fresh, fresh);
    twice += (unsigned long long)count * both - ms_motif_common(here, joins);
    if (TAKES)
      ms_motif_note_pairs(l, here, joins, both);
    if (there == 0)
      continue;
    if (TAKES)
      edges += count <= there ? ms_motif_ends(l, here, fresh, list)
                              : ms_motif_ends(l, fresh, here, list);
    else
      edges += count <= there ? ms_motif_edges(l, here, fresh, list)
                              : ms_motif_edges(l, fresh, here, list);
  }
  unsigned long long mine = edges + (ms_lane() == 0 ? twice / 2 : 0);
  t->sum += mine;
  t->visits++;
  if (TAKES) {
    for (uint32_t d = 1; d < MS_LANES; d *= 2)
      mine += ms_swap(mine, d);
    if (mine > 0 && ms_lane() < l.size - 2)
      ms_add(&l.taking[member], mine);
  }
  if (ms_any(t->sum >> 58 != 0))
    ms_motif_flush(l, t);
}

/* Takes the lowest chunk's first candidate out of x.  Returns false if x is empty. */
template <uint32_t W> MS_DEVICE bool ms_motif_next(uint32_t (&x)[W], uint32_t *rank)
{
  bool found = false;
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    uint32_t some = found ? 0 : ms_ballot(x[i] != 0);
    if (some) {
      uint32_t lane = ms_lowest(some), word = ms_of_lane(x[i], lane);
      *rank = 32 * (i * MS_LANES + lane) + ms_lowest(word);
      x[i] &= ms_lane() == lane ? x[i] - 1 : ~0u;
      found = true;
    }
  }
  return found;
}

/* Makes X and N of a set with one more vertex.  Returns false if X is empty. */
template <uint32_t W>
MS_DEVICE bool ms_motif_extend(const ms_motif_launch &l, uint32_t state, uint32_t vertex,
                               uint32_t (&x)[W], uint32_t (&near)[W])
{
  uint32_t row[W], joins[W];
  ms_motif_load(row, l.row + (uint64_t)vertex * l.stride);
  ms_motif_load(joins, l.set + (uint64_t)l.joins[state] * l.stride);
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    x[i] = (x[i] | (row[i] & ~near[i])) & joins[i];
    near[i] |= row[i];
  }
  return ms_motif_has_some(x);
}

/* Returns the bits of the ranks up to this one in a word. */
MS_DEVICE uint32_t ms_motif_up_to(uint32_t rank, uint32_t word)
{
  return 32 * word + 31 <= rank ? ~0u : 32 * word > rank ? 0 : ~0u >> (31 - rank % 32);
}

/* Searches from the set that a unit begins with.  space: of the warp. */
template <uint32_t W, bool TAKES>
MS_DEVICE void ms_motif_grow(const ms_motif_launch &l, const ms_motif_unit &unit, uint32_t state,
                             uint32_t (&x)[W], uint32_t (&near)[W], uint32_t member,
                             uint32_t *space, uint16_t *list, ms_motif_tally *t)
{
  uint32_t level = 0, number = 0, saved = state; /* lane i of `saved`: the state of level i */
  const uint64_t pair = (uint64_t)2 * l.stride;
  ms_motif_store(space, x);
  ms_motif_store(space + l.stride, near);
  for (uint32_t steps = 0;;) {
    uint32_t *at = space + level * pair, u = 0;
    ms_motif_load(x, at);
    if (!ms_motif_next(x, &u)) {
      if (level == 0)
        return;
      level--;
      continue;
    }
    ms_motif_store(at, x);
    if (level == 0 && number++ % unit.parts != unit.part)
      continue;
    uint32_t next = l.next[ms_of_lane(saved, level) * l.kinds + l.kind[u]];
    if (next == MS_NO_STATE)
      continue;
    ms_motif_load(near, at + l.stride);
    if (++steps % MS_MOTIF_LOOK == 0 && ms_motif_stops(l))
      return;
    if (!ms_motif_extend(l, next, u, x, near))
      continue;
    member = ms_lane() == level + 2 ? u : member;
    if (level + 5 == l.size) {
      ms_motif_count_two<W, TAKES>(l, next, x, near, member, list, t);
      continue;
    }
    t->visits++;
    level++;
    saved = ms_lane() == level ? next : saved;
    ms_motif_store(space + level * pair, x);
    ms_motif_store(space + level * pair + l.stride, near);
  }
}

/* Makes X and N of a unit's root; X has the candidates from the unit's second vertex on, without
 * it.  Returns false if no match has this root. */
template <uint32_t W>
MS_DEVICE bool ms_motif_begin_unit(const ms_motif_launch &l, uint32_t root, uint32_t second,
                                   uint32_t (&x)[W], uint32_t (&near)[W], uint32_t *state)
{
  uint32_t joins[W];
  *state = l.next[l.kind[root]];
  if (*state == MS_NO_STATE)
    return false;
  ms_motif_load(near, l.row + (uint64_t)root * l.stride);
  ms_motif_load(joins, l.set + (uint64_t)l.joins[*state] * l.stride);
  /* ranks up to the root take no part: they count as seen; candidates before the second vertex
   * belong to other units */
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    uint32_t word = i * MS_LANES + ms_lane();
    x[i] = near[i] & ~ms_motif_up_to(second, word) & joins[i];
    near[i] |= ms_motif_up_to(root, word);
  }
  return true;
}

template <uint32_t W, bool TAKES>
MS_DEVICE void ms_motif_unit_of(const ms_motif_launch &l, const ms_motif_unit &unit,
                                uint32_t *space, uint16_t *list, ms_motif_tally *t)
{
  uint32_t x[W], near[W], root = unit.root, second = unit.second;
  uint32_t state, member = ms_lane() == 1 ? second : root;
  if (!ms_motif_begin_unit(l, root, second, x, near, &state))
    return;
  if (l.size == 3) {
    if (ms_motif_has_some(x))
      ms_motif_count_two<W, TAKES>(l, state, x, near, member, list, t);
    return;
  }
  state = l.next[state * l.kinds + l.kind[second]];
  if (state == MS_NO_STATE || !ms_motif_extend(l, state, second, x, near))
    return;
  if (l.size == 4)
    ms_motif_count_two<W, TAKES>(l, state, x, near, member, list, t);
  else
    ms_motif_grow<W, TAKES>(l, unit, state, x, near, member, space, list, t);
}

/* Counts the units of a launch; shared: the block's memory; warps: of a block. */
template <uint32_t W, bool TAKES>
MS_DEVICE void ms_motif_rows(const ms_motif_launch &l, uint32_t warps, uint8_t *shared)
{
  uint16_t *list = (uint16_t *)shared + ms_warp() * MS_MOTIF_CHUNK;
  uint32_t *space = l.space + (uint64_t)(ms_block() * warps + ms_warp()) * l.size * 2 * l.stride;
  ms_motif_tally t = {0, 0};
  unsigned long long unit;
  while (ms_motif_take(l, &unit))
    ms_motif_unit_of<W, TAKES>(l, l.unit[unit], space, list, &t);
  ms_motif_end(l, &t);
}

#endif
