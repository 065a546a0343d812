/* What warps of the census by shape (shapes.cuh) add: the classes of small graphs with kinds, as
 * census/shapes/code.h says, and their numbers, first of a block and then of all. */
#ifndef MS_GPU_CENSUS_SHAPES_NUMBERS_CUH
#define MS_GPU_CENSUS_SHAPES_NUMBERS_CUH

#include "gpu/census/shapes_device.h"
#include "gpu/common/wide.cuh"

/* A warp, as each lane has it. */
struct ms_shapes_warp {
  uint8_t *mark;
  uint32_t *x, *bucket, *touched;
  uint32_t *number;           /* [cells or places] of the block */
  unsigned long long *cached; /* [places] keys plus 1 of the block's cache */
  uint64_t
      network; /* the number of the first code of the block's network, or the high bits of its keys
                */
  uint32_t root;
  uint32_t looks, visits;
  uint32_t fresh;  /* places of the table that this lane has taken */
  ms_uint128 sets; /* that this lane has counted */
  bool ended;
};

/* A set of vertices. */
struct ms_shapes_set {
  uint32_t code;
  uint64_t kinds; /* packed */
};

/* ---- classes ----------------------------------------------------------------------------- */

/* The place of the pair i < j in a code. */
MS_DEVICE uint32_t ms_shapes_place(uint32_t arc_bits, uint32_t i, uint32_t j)
{
  return arc_bits * (j * (j - 1) / 2 + i);
}

/* Bits of the pairs of the first `vertices` vertices. */
MS_DEVICE uint32_t ms_shapes_bits(uint32_t arc_bits, uint32_t vertices)
{
  return arc_bits * (vertices * (vertices - 1) / 2);
}

/* An order of vertices: number order >> 4 i & 15 in place i. */
MS_DEVICE uint32_t ms_order_at(uint32_t order, uint32_t i)
{
  return order >> 4 * i & 15;
}

MS_DEVICE uint32_t ms_order_swap(uint32_t order, uint32_t i, uint32_t j)
{
  uint32_t both = ms_order_at(order, i) ^ ms_order_at(order, j);
  return order ^ (both << 4 * i | both << 4 * j);
}

/* Reverses places begin .. end - 1. */
MS_DEVICE uint32_t ms_order_reverse(uint32_t order, uint32_t begin, uint32_t end)
{
  for (; begin + 1 < end; begin++)
    order = ms_order_swap(order, begin, --end);
  return order;
}

/* The code of the graph whose vertex i is order[i] of this one. */
template <uint32_t K>
MS_DEVICE uint32_t ms_shapes_reorder(uint32_t arc_bits, uint32_t code, uint32_t order)
{
  uint32_t all = (1u << arc_bits) - 1, to = 0, place = 0;
#pragma unroll
  for (uint32_t j = 1; j < K; j++)
#pragma unroll
    for (uint32_t i = 0; i < j; i++) {
      uint32_t a = ms_order_at(order, i), b = ms_order_at(order, j), arcs;
      if (a < b) {
        arcs = code >> ms_shapes_place(arc_bits, a, b) & all;
      } else {
        arcs = code >> ms_shapes_place(arc_bits, b, a) & all;
        arcs = arc_bits == 1 ? arcs : (arcs & 1) << 1 | arcs >> 1;
      }
      to |= arcs << place;
      place += arc_bits;
    }
  return to;
}

/* Moves to the next order that keeps the kinds in their places; bit i of `same`: places i and i + 1
 * have the same kind.  False after the last one. */
template <uint32_t K> MS_DEVICE bool ms_shapes_next_order(uint32_t *order, uint32_t same)
{
  uint32_t i = K - 1, group = K; /* where the group of places from i on ends */
  for (; i > 0; i--) {
    if (!(same >> (i - 1) & 1)) { /* a group begins at i, and is in its last order */
      *order = ms_order_reverse(*order, i, group);
      group = i;
    } else if (ms_order_at(*order, i - 1) < ms_order_at(*order, i)) {
      break;
    }
  }
  if (i == 0)
    return false;
  uint32_t with = group - 1;
  while (ms_order_at(*order, with) < ms_order_at(*order, i - 1))
    with--;
  *order = ms_order_reverse(ms_order_swap(*order, with, i - 1), i, group);
  return true;
}

/* Returns the key of the class of a set of K vertices, as ms_graphlet_classify finds it. */
template <uint32_t K>
MS_DEVICE uint64_t ms_shapes_classify(const ms_shapes_launch &l, const ms_shapes_set &set)
{
  const uint64_t one = ((uint64_t)1 << l.kind_bits) - 1;
  uint32_t order = 0x543210, same = 0, least = 0xffffffffu;
  uint64_t kinds = 0;
  uint32_t kind[K];
#pragma unroll
  for (uint32_t i = 0; i < K; i++)
    kind[i] = (uint32_t)(set.kinds >> i * l.kind_bits & one);
#pragma unroll
  for (uint32_t i = 1; i < K; i++) /* sorts the kinds, and the order with them */
#pragma unroll
    for (uint32_t j = i; j > 0; j--)
      if (kind[j - 1] > kind[j]) {
        uint32_t other = kind[j];
        kind[j] = kind[j - 1];
        kind[j - 1] = other;
        order = ms_order_swap(order, j, j - 1);
      }
#pragma unroll
  for (uint32_t i = 0; i < K; i++) {
    kinds |= (uint64_t)kind[i] << i * l.kind_bits;
    same |= i + 1 < K && kind[i] == kind[i + 1 < K ? i + 1 : i] ? 1u << i : 0;
  }
  do {
    uint32_t code = ms_shapes_reorder<K>(l.arc_bits, set.code, order);
    least = code < least ? code : least;
  } while (same && ms_shapes_next_order<K>(&order, same));
  return least | kinds << l.code_bits;
}

/* ---- numbers ----------------------------------------------------------------------------- */

MS_DEVICE uint64_t ms_shapes_hash(uint64_t key)
{
  key = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
  return (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Adds to the number of a code or key of the network in global memory. */
template <bool COLORED>
MS_DEVICE void ms_shapes_add_far(const ms_shapes_launch &l, ms_shapes_warp *w, uint64_t key,
                                 unsigned long long sets)
{
  key += w->network;
  if (!COLORED) {
    ms_add(&l.cell[key], sets);
    return;
  }
  const uint64_t last = ((uint64_t)1 << l.slot_bits) - 1;
  uint64_t at = ms_shapes_hash(key) >> (64 - l.slot_bits);
  for (uint32_t probe = 0; probe < MS_SHAPES_PROBES; probe++, at = (at + 1) & last) {
    ms_shapes_slot *slot = &l.slot[at];
    unsigned long long old = ms_peek(&slot->key);
    if (old == 0) {
      old = ms_exchange(&slot->key, 0ull, (unsigned long long)key + 1);
      w->fresh += old == 0;
      old = old == 0 ? key + 1 : old;
    }
    if (old == key + 1) {
      ms_add(&slot->sets, sets);
      return;
    }
  }
  ms_or(&l.queue->listed[0], 1u);
}

/* Adds to a number of the block, which has 32 bits; what it loses goes to global memory. */
template <bool COLORED>
MS_DEVICE void ms_shapes_add_near(const ms_shapes_launch &l, ms_shapes_warp *w, uint32_t place,
                                  uint64_t key, unsigned long long sets)
{
  uint32_t low = (uint32_t)sets, high = (uint32_t)(sets >> 32);
  high += ms_add(&w->number[place], low) > ~low;
  if (high)
    ms_shapes_add_far<COLORED>(l, w, key, (unsigned long long)high << 32);
}

/* Adds sets, modulo 2^64, of a graph of K vertices. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_add(const ms_shapes_launch &l, ms_shapes_warp *w, const ms_shapes_set &set,
                             unsigned long long sets)
{
  uint64_t key = COLORED ? ms_shapes_classify<K>(l, set) : set.code;
  if (l.shared_cells > 0) {
    ms_shapes_add_near<COLORED>(l, w, (uint32_t)key, key, sets);
    return;
  }
  uint32_t place = (uint32_t)(ms_shapes_hash(key) & ((1u << l.cache_bits) - 1));
  for (uint32_t probe = 0; probe < 2; probe++, place ^= 1) {
    unsigned long long old = ms_peek(&w->cached[place]);
    if (old == 0) {
      old = ms_exchange(&w->cached[place], 0ull, (unsigned long long)key + 1);
      old = old == 0 ? key + 1 : old;
    }
    if (old == key + 1) {
      ms_shapes_add_near<COLORED>(l, w, place, key, sets);
      return;
    }
  }
  ms_shapes_add_far<COLORED>(l, w, key, sets);
}

#endif
