/* The census by shape: the search of census/shapes/search.h by warps.
 *
 * All lanes of a warp have the same set.  Where the search looks at the neighbours of a vertex,
 * each lane looks at another one.  On the last level, which takes most of the time, a set S of k -
 * 2 vertices has candidates w with rows of any length: lanes share out the neighbours of up to 32
 * candidates with short rows, and the neighbours of each candidate with a long row.
 *
 * All pairs of candidates are counted as if they were not adjacent; then each pair that is adjacent
 * is moved, once: when the lane that looks at w finds a candidate of a lower rank.  A neighbour
 * that is no candidate completes S and w alone. */
#ifndef MS_GPU_CENSUS_SHAPES_CUH
#define MS_GPU_CENSUS_SHAPES_CUH

#include "gpu/census/shapes_numbers.cuh"

#include <math.h>

enum {
  MS_SHAPES_CANDIDATE = 0x80, /* of a mark: next to the set */
  MS_SHAPES_GONE = 0x40,      /* in the set, or a candidate that had its turn */
  MS_SHAPES_MASK = 0x3f,      /* the arcs to the vertices of the set */
  MS_SHAPES_FEW = 24,         /* candidates whose pairs are counted one by one */
  MS_SHAPES_LONG = 64,        /* neighbours of a row that all lanes look at */
  MS_SHAPES_LOOK = 16         /* sets of k - 2 vertices between two looks whether to stop */
};

/* The set with a vertex of this mask as number `size`. */
MS_DEVICE ms_shapes_set ms_shapes_with(const ms_shapes_launch &l, const ms_shapes_set &set,
                                       uint32_t size, uint32_t mask, uint32_t kind)
{
  ms_shapes_set larger = {set.code | mask << ms_shapes_bits(l.arc_bits, size),
                          set.kinds | (uint64_t)kind << size * l.kind_bits};
  return larger;
}

/* ---- pairs of candidates ------------------------------------------------------------------- */

MS_DEVICE uint32_t ms_shapes_mask(const ms_shapes_warp *w, uint32_t u)
{
  return w->mark[u] & MS_SHAPES_MASK;
}

template <bool COLORED> MS_DEVICE uint32_t ms_shapes_kind(const ms_shapes_launch &l, uint32_t u)
{
  return COLORED ? l.kind[u] : 0;
}

/* Sets *i < *j to the pair number p: those of larger numbers come later. */
MS_DEVICE void ms_shapes_pair(uint32_t p, uint32_t *i, uint32_t *j)
{
  uint32_t larger = (uint32_t)((1 + sqrtf(1 + 8 * (float)p)) / 2);
  while (larger * (larger - 1) / 2 > p)
    larger--;
  while ((larger + 1) * larger / 2 <= p)
    larger++;
  *i = p - larger * (larger - 1) / 2;
  *j = larger;
}

/* Adds one to a bucket, if the lane has one; all lanes call it together. */
MS_DEVICE void ms_shapes_put(ms_shapes_warp *w, bool has, uint32_t bucket, uint32_t *touched)
{
  bool fresh = has && ms_add(&w->bucket[bucket], 1u) == 0;
  uint32_t all = ms_ballot(fresh);
  if (fresh)
    w->touched[*touched + ms_rank(all)] = bucket;
  *touched += ms_count_bits(all);
}

MS_DEVICE void ms_shapes_clear_buckets(ms_shapes_warp *w, uint32_t touched)
{
  ms_sync_warp();
  for (uint32_t i = ms_lane(); i < touched; i += MS_LANES)
    w->bucket[w->touched[i]] = 0;
  ms_sync_warp();
}

/* Adds sign times the sets of S and a pair of candidates of buckets i and j. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_add_buckets(const ms_shapes_launch &l, ms_shapes_warp *w,
                                     const ms_shapes_set &set, uint32_t i, uint32_t j,
                                     unsigned long long sign)
{
  const uint32_t bits = l.arc_bits * (K - 2), all = (1u << bits) - 1;
  uint32_t a = w->touched[i], b = w->touched[j];
  unsigned long long many = w->bucket[a], others = w->bucket[b];
  many = i == j ? many * (many - 1) / 2 : many * others;
  if (many > 0)
    ms_shapes_add<K, COLORED>(l, w,
                              ms_shapes_with(l, ms_shapes_with(l, set, K - 2, a & all, a >> bits),
                                             K - 1, b & all, b >> bits),
                              sign * many);
}

/* Adds sign times all pairs of candidates begin .. end - 1 as if they were not adjacent. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_pairs(const ms_shapes_launch &l, ms_shapes_warp *w,
                               const ms_shapes_set &set, uint32_t begin, uint32_t end,
                               unsigned long long sign)
{
  const uint32_t bits = l.arc_bits * (K - 2);
  uint32_t count = end - begin, touched = 0, i, j;
  if (ms_lane() == 0) {
    ms_uint128 pairs = (unsigned long long)count * (count - 1) / 2;
    w->sets = sign == 1 ? w->sets + pairs : w->sets - pairs;
  }
  if (count <= MS_SHAPES_FEW) {
    for (uint32_t p = ms_lane(); p < count * (count - 1) / 2; p += MS_LANES) {
      ms_shapes_pair(p, &i, &j);
      uint32_t a = w->x[begin + i], b = w->x[begin + j];
      ms_shapes_set one =
          ms_shapes_with(l, set, K - 2, ms_shapes_mask(w, a), ms_shapes_kind<COLORED>(l, a));
      ms_shapes_add<K, COLORED>(
          l, w, ms_shapes_with(l, one, K - 1, ms_shapes_mask(w, b), ms_shapes_kind<COLORED>(l, b)),
          sign);
    }
    return;
  }
  for (i = begin; i < end; i += MS_LANES) {
    bool has = i + ms_lane() < end;
    uint32_t u = has ? w->x[i + ms_lane()] : 0;
    ms_shapes_put(w, has, ms_shapes_kind<COLORED>(l, u) << bits | ms_shapes_mask(w, u), &touched);
  }
  ms_sync_warp();
  if (touched <= 64) {
    for (uint32_t p = ms_lane(); p < touched * (touched + 1) / 2; p += MS_LANES) {
      ms_shapes_pair(p, &i, &j);
      ms_shapes_add_buckets<K, COLORED>(l, w, set, i, j - 1, sign);
    }
  } else {
    for (i = 0; i < touched; i++)
      for (j = i + ms_lane(); j < touched; j += MS_LANES)
        ms_shapes_add_buckets<K, COLORED>(l, w, set, i, j, sign);
  }
  ms_shapes_clear_buckets(w, touched);
}

/* ---- the last level ------------------------------------------------------------------------ */

/* Looks at arc e of a candidate, with which the set has K - 1 vertices, and moves the pair if it is
 * one.  Returns the arcs if the neighbour completes them alone, else 0. */
template <uint32_t K, bool COLORED>
MS_DEVICE uint32_t ms_shapes_look(const ms_shapes_launch &l, ms_shapes_warp *w,
                                  const ms_shapes_set &set, uint32_t candidate, uint32_t e,
                                  uint32_t *neighbor)
{
  uint32_t u = l.neighbor[e], mark = w->mark[u], arcs = l.direction ? l.direction[e] : 1;
  *neighbor = u;
  if (mark == 0)
    return arcs;
  if (u < candidate && (mark & MS_SHAPES_CANDIDATE)) {
    uint32_t mask = mark & MS_SHAPES_MASK, kind = ms_shapes_kind<COLORED>(l, u);
    ms_shapes_add<K, COLORED>(l, w, ms_shapes_with(l, set, K - 1, mask, kind), ~0ull);
    mask |= arcs << l.arc_bits * (K - 2);
    ms_shapes_add<K, COLORED>(l, w, ms_shapes_with(l, set, K - 1, mask, kind), 1);
  }
  return 0;
}

/* Looks at arcs begin .. end - 1 of a candidate with a long row. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_long_row(const ms_shapes_launch &l, ms_shapes_warp *w,
                                  const ms_shapes_set &set, uint32_t candidate, uint32_t begin,
                                  uint32_t end)
{
  const uint32_t shift = l.arc_bits * (K - 2);
  uint32_t alone[4] = {0, 0, 0, 0}, touched = 0, u = 0;
  for (uint32_t e = begin; e < end; e += MS_LANES) {
    bool has = e + ms_lane() < end;
    uint32_t arcs = has ? ms_shapes_look<K, COLORED>(l, w, set, candidate, e + ms_lane(), &u) : 0;
    w->sets += arcs > 0;
    if (COLORED) {
      ms_shapes_put(w, arcs > 0, ms_shapes_kind<COLORED>(l, u) << l.arc_bits | arcs, &touched);
    } else {
#pragma unroll
      for (uint32_t i = 1; i < 4; i++)
        alone[i] += arcs == i;
    }
  }
  if (COLORED) {
    ms_sync_warp();
    for (uint32_t i = ms_lane(); i < touched; i += MS_LANES) {
      uint32_t bucket = w->touched[i], arcs = bucket & ((1u << l.arc_bits) - 1);
      ms_shapes_add<K, COLORED>(l, w,
                                ms_shapes_with(l, set, K - 1, arcs << shift, bucket >> l.arc_bits),
                                w->bucket[bucket]);
    }
    ms_shapes_clear_buckets(w, touched);
  } else {
#pragma unroll
    for (uint32_t i = 1; i < 4; i++) {
      uint32_t sum = ms_sum_of_lanes(alone[i]);
      if (sum > 0 && ms_lane() == 0)
        ms_shapes_add<K, COLORED>(l, w, ms_shapes_with(l, set, K - 1, i << shift, 0), sum);
    }
  }
}

/* Returns the number of neighbours of u above the root; rows descend. */
MS_DEVICE uint32_t ms_shapes_count_above(const ms_shapes_launch &l, uint32_t u, uint32_t root)
{
  const uint32_t *row = l.neighbor + l.offset[u];
  uint32_t low = 0, high = l.offset[u + 1] - l.offset[u];
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (row[middle] > root)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A candidate of the last level in a lane. */
struct ms_shapes_turn {
  uint32_t vertex, mask, kind, begin, degree;
};

/* Shares out the arcs of the candidates of all lanes; `before`: of lower lanes. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_short_rows(const ms_shapes_launch &l, ms_shapes_warp *w,
                                    const ms_shapes_set &set, const ms_shapes_turn &turn,
                                    uint32_t degree)
{
  const uint32_t shift = l.arc_bits * (K - 2);
  uint32_t behind = degree; /* the sum of the lanes up to this one */
  for (uint32_t step = 1; step < MS_LANES; step *= 2) {
    uint32_t other = ms_of_lane(behind, ms_lane() >= step ? ms_lane() - step : ms_lane());
    behind += ms_lane() >= step ? other : 0;
  }
  uint32_t all = ms_of_lane(behind, MS_LANES - 1), before = behind - degree, u = 0;
  for (uint32_t first = 0; first < all; first += MS_LANES) {
    uint32_t number = first + ms_lane(), lane = 0;
    for (uint32_t step = MS_LANES / 2; step > 0; step /= 2)
      lane += ms_of_lane(before, lane + step) <= number ? step : 0;
    uint32_t vertex = ms_of_lane(turn.vertex, lane), mask = ms_of_lane(turn.mask, lane);
    uint32_t kind = COLORED ? ms_of_lane(turn.kind, lane) : 0;
    uint32_t e = ms_of_lane(turn.begin, lane) + number - ms_of_lane(before, lane);
    if (number < all) {
      ms_shapes_set larger = ms_shapes_with(l, set, K - 2, mask, kind);
      uint32_t arcs = ms_shapes_look<K, COLORED>(l, w, larger, vertex, e, &u);
      if (arcs > 0) {
        w->sets += 1;
        ms_shapes_add<K, COLORED>(
            l, w, ms_shapes_with(l, larger, K - 1, arcs << shift, ms_shapes_kind<COLORED>(l, u)),
            1);
      }
    }
  }
  ms_sync_warp();
}

MS_DEVICE bool ms_shapes_stops(const ms_shapes_launch &l)
{
  uint32_t flags = ms_lane() == 0 ? ms_peek(&l.queue->stop) | ms_peek(&l.queue->listed[0]) : 0u;
  return ms_of_lane(flags, 0) != 0;
}

/* Counts the sets of K - 2 vertices with two more: the candidates are first .. end - 1, of which
 * first .. last - 1 have their turn. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_finish(const ms_shapes_launch &l, ms_shapes_warp *w,
                                const ms_shapes_set &set, uint32_t first, uint32_t last,
                                uint32_t end)
{
  ms_shapes_pairs<K, COLORED>(l, w, set, first, end, 1);
  if (last < end)
    ms_shapes_pairs<K, COLORED>(l, w, set, last, end, ~0ull);
  for (; first < last; first += MS_LANES) {
    ms_shapes_turn turn = {0, 0, 0, 0, 0};
    if (first + ms_lane() < last) {
      turn.vertex = w->x[first + ms_lane()];
      turn.mask = ms_shapes_mask(w, turn.vertex);
      turn.kind = ms_shapes_kind<COLORED>(l, turn.vertex);
      turn.begin = l.offset[turn.vertex];
      turn.degree = ms_shapes_count_above(l, turn.vertex, w->root);
    }
    uint32_t rows = ms_ballot(turn.degree >= MS_SHAPES_LONG);
    ms_shapes_short_rows<K, COLORED>(l, w, set, turn,
                                     turn.degree < MS_SHAPES_LONG ? turn.degree : 0);
    for (; rows; rows &= rows - 1) {
      uint32_t lane = ms_lowest(rows), begin = ms_of_lane(turn.begin, lane);
      uint32_t mask = ms_of_lane(turn.mask, lane), kind = ms_of_lane(turn.kind, lane);
      ms_shapes_long_row<K, COLORED>(l, w, ms_shapes_with(l, set, K - 2, mask, kind),
                                     ms_of_lane(turn.vertex, lane), begin,
                                     begin + ms_of_lane(turn.degree, lane));
    }
  }
  if (++w->looks % MS_SHAPES_LOOK == 0 && ms_shapes_stops(l))
    w->ended = true;
}

/* ---- the levels above ---------------------------------------------------------------------- */

/* Moves a candidate to those that had their turn. */
MS_DEVICE void ms_shapes_toggle(ms_shapes_warp *w, uint32_t u)
{
  w->mark[u] ^= MS_SHAPES_CANDIDATE | MS_SHAPES_GONE;
}

/* Marks the neighbours of vertex u, number `size` of the set, and appends those that are new to the
 * candidates.  Returns the end of these. */
MS_DEVICE uint32_t ms_shapes_mark(const ms_shapes_launch &l, ms_shapes_warp *w, uint32_t u,
                                  uint32_t size, uint32_t end)
{
  uint32_t last = l.offset[u + 1], e = l.offset[u] + ms_lane();
  bool has = e < last && l.neighbor[e] > w->root;
  while (ms_any(has)) {
    uint32_t v = has ? l.neighbor[e] : 0, mark = has ? w->mark[v] : 1;
    uint32_t fresh = ms_ballot(mark == 0), arcs = has && l.direction ? l.direction[e] : 1;
    if (mark == 0) {
      w->x[end + ms_rank(fresh)] = v;
      mark = MS_SHAPES_CANDIDATE;
    }
    if (has)
      w->mark[v] = (uint8_t)(mark | arcs << size * l.arc_bits);
    end += ms_count_bits(fresh);
    e += MS_LANES;
    has = has && e < last && l.neighbor[e] > w->root;
  }
  ms_sync_warp();
  return end;
}

/* Takes the marks of vertex u, number `size`, back; candidates begin .. end - 1 came with it. */
MS_DEVICE void ms_shapes_unmark(const ms_shapes_launch &l, ms_shapes_warp *w, uint32_t u,
                                uint32_t size, uint32_t begin, uint32_t end)
{
  const uint32_t kept = ~(((1u << l.arc_bits) - 1) << size * l.arc_bits);
  ms_sync_warp();
  for (uint32_t e = l.offset[u] + ms_lane(); e < l.offset[u + 1] && l.neighbor[e] > w->root;
       e += MS_LANES)
    w->mark[l.neighbor[e]] &= (uint8_t)kept;
  ms_sync_warp();
  for (uint32_t i = begin + ms_lane(); i < end; i += MS_LANES)
    w->mark[w->x[i]] = 0;
  ms_sync_warp();
}

/* Searches from a set to which LEFT vertices are to be added. */
template <uint32_t K, bool COLORED, uint32_t LEFT> struct ms_shapes_grow {
  MS_DEVICE_MEMBER void run(const ms_shapes_launch &l, ms_shapes_warp *w, const ms_shapes_set &set,
                            uint32_t first, uint32_t last, uint32_t end)
  {
    uint32_t i = first;
    w->visits += ms_lane() == 0 ? last - first : 0;
    for (; i < last && !w->ended; i++) {
      uint32_t u = w->x[i], mask = ms_shapes_mask(w, u);
      ms_sync_warp();
      if (ms_lane() == 0)
        ms_shapes_toggle(w, u);
      ms_sync_warp();
      uint32_t more = ms_shapes_mark(l, w, u, K - LEFT, end);
      ms_shapes_grow<K, COLORED, LEFT - 1>::run(
          l, w, ms_shapes_with(l, set, K - LEFT, mask, ms_shapes_kind<COLORED>(l, u)), i + 1, more,
          more);
      ms_shapes_unmark(l, w, u, K - LEFT, end, more);
    }
    for (uint32_t j = first + ms_lane(); j < i; j += MS_LANES)
      ms_shapes_toggle(w, w->x[j]);
    ms_sync_warp();
  }
};

template <uint32_t K, bool COLORED> struct ms_shapes_grow<K, COLORED, 2> {
  MS_DEVICE_MEMBER void run(const ms_shapes_launch &l, ms_shapes_warp *w, const ms_shapes_set &set,
                            uint32_t first, uint32_t last, uint32_t end)
  {
    w->visits += ms_lane() == 0 ? last - first : 0;
    if (first < last)
      ms_shapes_finish<K, COLORED>(l, w, set, first, last, end);
  }
};

/* Searches the sets of a root whose second vertex is one of its candidates begin .. end - 1. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_root(const ms_shapes_launch &l, ms_shapes_warp *w, uint32_t root,
                              uint32_t begin, uint32_t end)
{
  w->root = root;
  if (ms_lane() == 0)
    w->mark[root] = MS_SHAPES_GONE;
  uint32_t count = ms_shapes_mark(l, w, root, 0, 0);
  for (uint32_t i = ms_lane(); i < (begin < count ? begin : count); i += MS_LANES)
    ms_shapes_toggle(w, w->x[i]);
  ms_sync_warp();
  ms_shapes_set set = {0, ms_shapes_kind<COLORED>(l, root)};
  if (begin < count)
    ms_shapes_grow<K, COLORED, K - 1>::run(l, w, set, begin, end < count ? end : count, count);
  for (uint32_t i = ms_lane(); i < count; i += MS_LANES)
    w->mark[w->x[i]] = 0;
  if (ms_lane() == 0)
    w->mark[root] = 0;
  ms_sync_warp();
}

/* ---- launches ------------------------------------------------------------------------------ */

/* Takes the next unit of network b; false if none is left, or if the warp should take no more. */
MS_DEVICE bool ms_shapes_take(const ms_shapes_launch &l, uint32_t b, ms_shapes_unit *unit)
{
  uint64_t begin = l.network ? l.network[b].begin : l.begin;
  uint64_t end = l.network ? l.network[b].end : l.end;
  unsigned long long *next = l.network ? &l.network[b].taken : &l.queue->next;
  unsigned long long number = ~0ull;
  if (ms_lane() == 0 && begin + ms_peek(next) < end && !ms_peek(&l.queue->left) &&
      !ms_peek(&l.queue->stop) && !ms_peek(&l.queue->listed[0]))
    number = begin + ms_add(next, 1ull);
  number = ms_of_lane(number, 0);
  if (number >= end)
    return false;
  *unit = l.unit[number / l.width * l.all + l.first + number % l.width];
  return true;
}

/* Notes the places of the table that the warp has taken. */
MS_DEVICE void ms_shapes_note_used(const ms_shapes_launch &l, ms_shapes_warp *w)
{
  uint32_t fresh = ms_sum_of_lanes(w->fresh);
  w->fresh = 0;
  if (fresh > 0 && ms_lane() == 0 && ms_add(l.used, (unsigned long long)fresh) + fresh > l.many)
    ms_or(&l.queue->left, 1u);
}

/* Places of the block's numbers. */
MS_DEVICE uint32_t ms_shapes_places(const ms_shapes_launch &l)
{
  return l.shared_cells > 0 ? l.shared_cells : 1u << l.cache_bits;
}

/* Divides the memory of a block and of its warps. */
MS_DEVICE void ms_shapes_place_memory(const ms_shapes_launch &l, uint32_t warps, uint8_t *shared,
                                      ms_shapes_warp *w)
{
  uint64_t warp = (uint64_t)ms_block() * warps + ms_warp();
  w->cached = (unsigned long long *)shared;
  w->number = (uint32_t *)(w->cached + (l.shared_cells > 0 ? 0 : ms_shapes_places(l)));
  w->bucket = l.bucket ? l.bucket + 2 * l.buckets * warp
                       : w->number + ms_shapes_places(l) + 2 * l.buckets * ms_warp();
  w->touched = w->bucket + l.buckets;
  w->mark = l.mark + l.n * warp;
  w->x = l.x + l.x_room * warp;
}

/* Counts the sets of the units of network b by all warps of the block, whose numbers are zeros
 * before and after. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_network_search(const ms_shapes_launch &l, ms_shapes_warp *w, uint32_t b,
                                        uint32_t warps)
{
  uint8_t *mark = w->mark;
  ms_shapes_unit unit;
  if (l.network)
    w->mark -= l.network[b].vertex; /* marks are those of its vertices */
  w->network = (uint64_t)b << (COLORED ? l.code_bits + K * l.kind_bits : l.code_bits);
  while (!w->ended && ms_shapes_take(l, b, &unit)) {
    for (uint32_t i = 0; i < unit.roots && !w->ended; i++)
      ms_shapes_root<K, COLORED>(l, w, unit.root + i, unit.begin, unit.end);
    if (COLORED)
      ms_shapes_note_used(l, w);
  }
  ms_sync_block();
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < ms_shapes_places(l);
       i += warps * MS_LANES) {
    if (w->number[i] > 0)
      ms_shapes_add_far<COLORED>(l, w, l.shared_cells > 0 ? i : w->cached[i] - 1, w->number[i]);
    w->number[i] = 0;
    if (l.shared_cells == 0)
      w->cached[i] = 0;
  }
  ms_sync_block();
  w->mark = mark;
}

/* Counts the sets of the units of a launch; shared: the block's memory.  A block serves one network
 * after the other, and begins where few others do. */
template <uint32_t K, bool COLORED>
MS_DEVICE void ms_shapes_search(const ms_shapes_launch &l, uint32_t warps, uint8_t *shared)
{
  ms_shapes_warp w;
  w.looks = w.visits = w.fresh = 0;
  w.sets = 0;
  w.ended = false;
  ms_shapes_place_memory(l, warps, shared, &w);
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < ms_shapes_places(l);
       i += warps * MS_LANES) {
    w.number[i] = 0;
    if (l.shared_cells == 0)
      w.cached[i] = 0;
  }
  for (uint32_t i = ms_lane(); !l.bucket && i < l.buckets; i += MS_LANES)
    w.bucket[i] = 0;
  ms_sync_block();
  for (uint32_t i = 0; i < l.networks; i++)
    ms_shapes_network_search<K, COLORED>(l, &w, (ms_block() + i) % l.networks, warps);
  ms_wide_add_to(ms_wide_of((ms_int128)w.sets), &l.queue->sum);
  uint32_t visits = ms_sum_of_lanes(w.visits);
  if (ms_lane() == 0)
    ms_add(&l.queue->rows, (unsigned long long)visits);
}

/* Copies a window of the table. */
MS_DEVICE void ms_shapes_read(const ms_shapes_launch &l, uint32_t warps, uint32_t blocks)
{
  uint64_t warp = (uint64_t)ms_block() * warps + ms_warp();
  for (uint64_t first = l.window_begin + warp * MS_LANES; first < l.window_end;
       first += (uint64_t)blocks * warps * MS_LANES) {
    uint64_t place = first + ms_lane();
    bool has = place < l.window_end && l.slot[place].sets != 0;
    uint32_t some = ms_ballot(has);
    unsigned long long at =
        some && ms_lane() == 0 ? ms_add(l.entries, (unsigned long long)ms_count_bits(some)) : 0ull;
    at = ms_of_lane(at, 0);
    if (has) {
      l.entry[at + ms_rank(some)].key = l.slot[place].key - 1;
      l.entry[at + ms_rank(some)].sets = l.slot[place].sets;
    }
  }
}

#endif
