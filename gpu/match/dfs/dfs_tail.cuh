/* What a warp counts without visiting it: the counterpart of match/cpu/tail_value.c. */
#ifndef MS_GPU_MATCH_DFS_TAIL_CUH
#define MS_GPU_MATCH_DFS_TAIL_CUH

#include "gpu/match/dfs/dfs_table.cuh"

enum { MS_NO_LEVEL = 255 };

/* ---- the value of the terms, called by one lane --------------------------------- */

/* Returns the value of a term, where it fits in 64 bits; size(mask) is the size of the
 * intersection of the groups in the mask. */
template <typename sizes>
MS_DEVICE int64_t ms_term_value(const ms_device_term &term, const sizes &size)
{
  int64_t product = term.factor;
  for (uint32_t b = 0; b < term.count; b++)
    product *= (int64_t)size(term.mask[b]);
  return product;
}

template <typename sizes>
MS_DEVICE void ms_add_term(ms_walk &w, const ms_device_term &term, const sizes &size)
{
  if (w.p->value == MS_VALUE_64) {
    ms_wide_add(&w.sum, ms_wide_of(ms_term_value(term, size)));
  } else if (w.p->value == MS_VALUE_128) {
    ms_int128 product = term.factor;
    for (uint32_t b = 0; b < term.count; b++)
      product *= size(term.mask[b]);
    ms_wide_add(&w.sum, ms_wide_of(product));
  } else {
    ms_wide product = ms_wide_of(term.factor);
    for (uint32_t b = 0; b < term.count; b++)
      ms_wide_multiply(&product, size(term.mask[b]));
    ms_wide_add(&w.sum, product);
  }
}

/* Adds c (c-1) .. (c-size+1) for the only group; c >= size. */
MS_DEVICE void ms_add_falling(ms_walk &w, uint32_t c)
{
  ms_wide product = ms_wide_of(1);
  for (uint32_t i = 0; i < w.p->group[0].size; i++)
    ms_wide_multiply(&product, c - i);
  ms_wide_add(&w.sum, product);
}

/* ---- one group --------------------------------------------------------------------- */

/* Returns the match of a level; for own_level it is `own`, which belongs to the lane. */
MS_DEVICE uint32_t ms_match_of(const ms_walk &w, uint32_t level, uint32_t own_level, uint32_t own)
{
  return level == own_level ? own : w.match[level];
}

/* True if the match of `level` is among the group's candidates; called by one lane, with its own
 * match of own_level. */
MS_DEVICE bool ms_is_candidate(const ms_walk &w, const ms_device_group &g, uint32_t level,
                               uint32_t own_level, uint32_t own)
{
  uint32_t v = ms_match_of(w, level, own_level, own);
  if (g.above | g.below) { /* never in quick programs, where a level's match may belong to a lane */
    ms_bounds hull = {g.domain.lo, g.domain.hi}, b = ms_narrow(w, hull, g.above, g.below);
    if (v < b.lo || v >= b.hi)
      return false;
  }
  if (!ms_domain_holds(g.domain, v))
    return false;
  if (g.inside >> level & 1)
    return true;
  for (uint32_t i = g.first_test; i < g.first_test + g.n_tests; i++) {
    ms_device_test t = w.p->test[i];
    if (ms_is_adjacent(w, ms_match_of(w, t.level, own_level, own), t.kind, v) == (t.absent != 0))
      return false;
  }
  return true;
}

MS_DEVICE uint32_t ms_count_in(const ms_device_span &s, const uint64_t *bits)
{
  uint32_t count = 0;
  for (uint32_t first = 0; first < s.length; first += MS_LANES) {
    uint32_t i = first + ms_lane();
    count += ms_count_bits(ms_ballot(i < s.length && ms_has_bit(bits, s.ids[i])));
  }
  return count;
}

/* Returns the number of candidates of a group without matched neighbours: its domain within the
 * bounds. */
MS_DEVICE uint32_t ms_size_of_domain(const ms_walk &w, const ms_device_group &g)
{
  ms_bounds hull = {g.domain.lo, g.domain.hi}, b = ms_narrow(w, hull, g.above, g.below);
  uint32_t count = 0;
  if (!(g.above | g.below))
    return g.domain.count;
  if (!g.domain.bits)
    return b.hi > b.lo ? b.hi - b.lo : 0;
  for (uint64_t first = b.lo; first < b.hi; first += MS_LANES) {
    uint64_t v = first + ms_lane();
    count += ms_count_bits(ms_ballot(v < b.hi && ms_has_bit(g.domain.bits, (uint32_t)v)));
  }
  return count;
}

/* Returns the number of the group's candidates without the matches of these levels. */
MS_DEVICE uint32_t ms_size_of(const ms_walk &w, const ms_device_group &g, uint32_t levels)
{
  uint32_t size, taken = 0;
  if (g.table) {
    size = ms_table_paths(w, w.match[g.with]);
  } else if (g.set < 0) {
    size = ms_size_of_domain(w, g);
  } else {
    ms_device_span span = w.set[g.set];
    if (!w.p->set[g.set].count_only && (g.above | g.below)) {
      ms_bounds all = {0, UINT32_MAX};
      span = ms_cut(span, ms_narrow(w, all, g.above, g.below));
    }
    size = g.test_bits ? ms_count_in(span, g.domain.bits) : span.length;
  }
  levels &= g.distinct;
  for (uint32_t first = 0; levels && size > 0 && first < w.p->prefix; first += MS_LANES) {
    uint32_t level = first + ms_lane();
    bool is_taken = level < w.p->prefix && (levels >> level & 1) &&
                    ms_is_candidate(w, g, level, MS_NO_LEVEL, 0);
    taken += ms_count_bits(ms_ballot(is_taken));
  }
  return size > taken ? size - taken : 0;
}

/* ---- several groups ------------------------------------------------------------------ */

/* True if x, an element of the set of group `from`, is in all other sets of the mask and is not
 * matched; called by one lane. */
MS_DEVICE bool ms_in_all(const ms_walk &w, uint32_t mask, uint32_t from, uint32_t x)
{
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t number = ms_lowest(left);
    const ms_device_group &g = w.p->group[number];
    for (uint32_t levels = g.distinct; levels; levels &= levels - 1)
      if (w.match[ms_lowest(levels)] == x)
        return false;
    if (g.test_bits && !ms_has_bit(g.domain.bits, x))
      return false;
    if (number == from)
      continue;
    const ms_device_span other = g.set >= 0 ? w.set[g.set] : ms_device_span();
    if (g.set >= 0 ? !ms_has(other.ids, other.length, x) : x < g.domain.lo || x >= g.domain.hi)
      return false;
  }
  return true;
}

/* Returns the size of the intersection of the groups in the mask, at least one, without the
 * matched vertices.  Some of the groups have a set. */
MS_DEVICE uint32_t ms_meet_groups(const ms_walk &w, uint32_t mask)
{
  uint32_t from = MS_NO_LEVEL, count = 0;
  ms_device_span least = {NULL, 0, 0};
  for (uint32_t left = mask; left; left &= left - 1) {
    uint32_t number = ms_lowest(left);
    int set = w.p->group[number].set;
    if (set >= 0 && (from == MS_NO_LEVEL || w.set[set].length < least.length)) {
      from = number;
      least = w.set[set];
    }
  }
  for (uint32_t first = 0; first < least.length; first += MS_LANES) {
    uint32_t i = first + ms_lane();
    count += ms_count_bits(ms_ballot(i < least.length && ms_in_all(w, mask, from, least.ids[i])));
  }
  return count;
}

MS_DEVICE void ms_note_size(const ms_walk &w, uint32_t mask, uint32_t size)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    w.size[mask] = size;
  ms_sync_warp();
}

/* Finds size[mask] of every intersection that a term needs.  False if a group has too few
 * candidates: then the value is 0. */
MS_DEVICE bool ms_measure(const ms_walk &w)
{
  const ms_device_program &p = *w.p;
  uint64_t known = 0; /* a bit for each of 64 masks */
  for (uint32_t g = 0; g < p.n_groups; g++) {
    const ms_device_group &group = p.group[g];
    uint32_t size = group.size_only ? ms_size_of(w, group, ~0u) : ms_meet_groups(w, 1u << g);
    if (size < (p.product ? 1 : group.size))
      return false;
    ms_note_size(w, 1u << g, size);
    known |= (uint64_t)1 << (1u << g);
  }
  for (uint32_t i = 0; i < p.n_terms; i++)
    for (uint32_t b = 0; b < p.term[i].count; b++) {
      uint32_t mask = p.term[i].mask[b];
      if (known >> mask & 1)
        continue;
      ms_note_size(w, mask, ms_meet_groups(w, mask));
      known |= (uint64_t)1 << mask;
    }
  return true;
}

/* Adds the value of the tail under the current matches. */
MS_DEVICE void ms_add_tail(ms_walk &w)
{
  if (!ms_measure(w))
    return;
  if (w.p->falling && ms_lane() == 0)
    ms_add_falling(w, w.size[1]);
  for (uint32_t i = ms_lane(); i < w.p->n_terms; i += MS_LANES)
    ms_add_term(w, w.p->term[i], [&](uint32_t mask) { return w.size[mask]; });
}

/* ---- quick programs -------------------------------------------------------------------- */

/* Returns how many matches of the levels before the last one are candidates of a marked group;
 * called by one lane. */
MS_DEVICE uint32_t ms_count_marked(const ms_walk &w, const ms_device_group &g)
{
  uint32_t count = 0;
  for (uint32_t left = g.distinct & ((1u << (w.p->prefix - 1)) - 1); left; left &= left - 1) {
    uint32_t level = ms_lowest(left), v = w.match[level];
    count += ms_domain_holds(g.domain, v) && ((g.inside >> level & 1) || ms_table_marked(w, v));
  }
  return count;
}

/* Finds size[g] of each group with v as the last level's match.  False if a group has too few
 * candidates.  Called by one lane. */
MS_DEVICE bool ms_quick_sizes(const ms_walk &w, uint32_t v, uint32_t size[MS_DEVICE_GROUPS])
{
  const ms_device_program &p = *w.p;
  uint32_t level = p.prefix - 1, earlier = (1u << level) - 1;
  bool enough = true;
#pragma unroll
  for (uint32_t g = 0; g < MS_DEVICE_GROUPS; g++) {
    size[g] = 0;
    if (g >= p.n_groups || !enough)
      continue;
    const ms_device_group &group = p.group[g];
    uint32_t s;
    if (group.table && group.with == level) {
      s = ms_table_paths(w, v);
      if (group.marked) /* w.size has the number of earlier matches among the candidates */
        s = s > w.size[g] ? s - w.size[g] : 0;
      for (uint32_t left = group.marked ? 0 : group.distinct & earlier; s > 0 && left;
           left &= left - 1)
        s -= ms_is_candidate(w, group, ms_lowest(left), level, v);
    } else {
      s = w.size[g];
    }
    if (s > 0 && (group.distinct >> level & 1) && ms_domain_holds(group.domain, v))
      s -= (group.inside >> level & 1) || ms_table_marked(w, v);
    size[g] = s;
    enough = s >= (p.product ? 1 : group.size);
  }
  return enough;
}

/* Counts the last level where all sizes are known before it or are found in the table; each lane
 * takes one candidate.  A candidate takes one load and one or two loads from the table, and
 * these bound the speed (house, 4-cycle). */
MS_DEVICE void ms_quick_level(ms_walk &w, const ms_device_span &span, uint32_t first, uint32_t last)
{
  const ms_device_program &p = *w.p;
  uint32_t level = p.prefix - 1, size[MS_DEVICE_GROUPS] = {0};
  auto size_of = [&](uint32_t mask) { /* each mask has one group: no sets are intersected */
                                      uint32_t s = size[0];
#pragma unroll
                                      for (uint32_t g = 1; g < MS_DEVICE_GROUPS; g++)
                                        s = mask == 1u << g ? size[g] : s;
                                      return s;
  };
  ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
  for (uint32_t g = 0; g < p.n_groups; g++)
    if (!(p.group[g].table && p.group[g].with == level))
      ms_note_size(w, g, ms_size_of(w, p.group[g], (1u << level) - 1));
    else if (p.group[g].marked)
      ms_note_size(w, g, ms_count_marked(w, p.group[g]));
  for (uint64_t i = (uint64_t)first + ms_lane(); i < last; i += MS_LANES) {
    uint32_t v = ms_candidate_at(span, (uint32_t)i);
    if (!ms_fits(w, p.step[level], v) || !ms_quick_sizes(w, v, size))
      continue;
    if (p.falling)
      ms_add_falling(w, size[0]);
    for (uint32_t t = 0; t < p.n_terms; t++)
      if (p.value == MS_VALUE_64)
        part += ms_term_value(p.term[t], size_of);
      else
        ms_add_term(w, p.term[t], size_of);
  }
  ms_wide_add(&w.sum, ms_wide_of(part));
}

/* ---- flat programs ----------------------------------------------------------------------- */

/* True if x is next to v, that is, in the row of v of the set's kind. */
MS_DEVICE bool ms_is_pair(const ms_walk &w, const ms_device_set &s, uint32_t last, uint32_t v,
                          uint32_t x)
{
  bool above = s.above >> last & 1, below = s.below >> last & 1;
  if ((above && x <= v) || (below && x >= v))
    return false;
  ms_device_span row = ms_row_at(w, s.kind, v);
  if (above || below) {
    uint32_t smaller = ms_device_rows_of(w.index, s.kind)->smaller[v];
    row.ids += above ? smaller : 0;
    row.length = above ? row.length - smaller : smaller;
  }
  return ms_has(row.ids, row.length, x);
}

/* Counts the last level and a tail of one vertex by pairs: a candidate v of the level and an
 * element x, of an earlier set, that is in v's row, one lane for each pair.  Sets of a clique's
 * last levels are shorter than a warp, so that pairs keep all lanes busy.  The binary search in
 * v's row bounds the speed. */
MS_DEVICE void ms_flat_level(ms_walk &w, const ms_device_span &span, uint32_t first, uint32_t last)
{
  const ms_device_program &p = *w.p;
  uint32_t level = p.prefix - 1, bit = 1u << level;
  const ms_device_set &s = p.set[p.group[0].set];
  ms_bounds hull = {s.lo, s.hi}, b = ms_narrow(w, hull, s.above & ~bit, s.below & ~bit);
  ms_device_span other = ms_cut(w.set[s.parent], b);
  uint64_t n = last - first, m = other.length, pairs = n * m, found = 0;
  const uint32_t *ids = span.ids + first;
  if (pairs == 0)
    return;
  bool same = ids == other.ids && n == m && ((s.above | s.below) & bit);
  if (same)
    pairs = n * (n - 1) / 2;
  for (uint64_t e = ms_lane(); e < pairs; e += MS_LANES) {
    uint64_t i = pairs <= UINT32_MAX ? (uint32_t)e / (uint32_t)m : e / m, j = e - i * m;
    if (same && j <= i) { /* the upper triangle, its lower rows folded into the upper ones */
      i = n - 2 - i;
      j = n - 1 - j;
    }
    uint32_t v = ids[i], x = other.ids[j];
    if (same && (s.below & bit)) {
      uint32_t smaller = v;
      v = x;
      x = smaller;
    }
    found += ms_is_pair(w, s, level, v, x);
  }
  if (found > 0)
    ms_wide_add(&w.sum, ms_wide_of((ms_int128)p.term[0].factor * (ms_int128)found));
}

#endif
