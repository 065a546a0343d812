/* Programs in which every vertex is next to the root: the root's neighbours as a
 * bit matrix.
 *
 * The *universe* of a root is its row, cut to the bounds that all sets have.
 * Each of its vertices has a row of bits, its neighbours within the universe.
 * A candidate set is then a string of bits, an intersection an AND, a size a
 * population count, a bound a range of positions, since positions ascend with
 * ids (BEEP does so for cliques).  Cliques, wheels, and all other patterns with
 * a vertex next to all others are counted in this way.
 *
 * A warp counts a root with a small universe.  For other roots a block takes a
 * *slice* of the candidates of level 1 at a time and makes the matrix, in shared
 * memory if it fits; a warp then takes a candidate of level 1, and at level 2,
 * the last, each lane takes one candidate.  Of programs of more levels only
 * chains are counted in this way.
 *
 * With two levels only the *ends* of edges count: how many neighbours a vertex
 * has in the universe (triangles, diamonds).
 *
 * *Chains*, such as cliques, have one set at each level, made from the set before
 * it and the last match, all in ascending order.  Their universes are the
 * neighbours above the root, usually fewer than 100 vertices, and vertices that
 * are not in the domain of all levels have no edges.  Products of bit matrices
 * count them (dfs_chain.cuh, dfs_product.cuh).
 *
 * Cost of a matrix: each element, above the vertex, of the rows of its vertices is
 * looked up in the universe (dfs_universe.cuh). */
#ifndef MS_GPU_MATCH_DFS_LOCAL_CUH
#define MS_GPU_MATCH_DFS_LOCAL_CUH

#include "gpu/match/dfs/dfs_universe.cuh"

#define MS_ALL_ONES 0xffffffffu

/* How often a warp of a block takes vertices of a universe whose edges it enters. */
#define MS_SHARES 4u

typedef struct ms_places {
  uint32_t lo, hi;
} ms_places;

/* ---- bits ------------------------------------------------------------------------- */

/* Returns word i of the bits [lo, hi). */
MS_DEVICE uint32_t ms_range_word(const ms_places &b, uint32_t i)
{
  uint32_t first = i * 32, up, down;
  if (b.hi <= first || b.lo >= first + 32 || b.lo >= b.hi)
    return 0;
  up = b.hi - first >= 32 ? MS_ALL_ONES : (1u << (b.hi - first)) - 1;
  down = b.lo <= first ? MS_ALL_ONES : MS_ALL_ONES << (b.lo - first);
  return up & down;
}

MS_DEVICE ms_places ms_both(const ms_places &a, const ms_places &b)
{
  ms_places both = {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
  return both;
}

/* Returns the places that the matches of these levels leave; the match of level own_level is
 * `own`. */
MS_DEVICE ms_places ms_places_of(const ms_local &l, uint32_t above, uint32_t below,
                                 uint32_t own_level, uint32_t own)
{
  ms_places b = {0, l.size};
  for (; above; above &= above - 1) {
    uint32_t level = ms_lowest(above);
    uint32_t from = level == 0 ? l.root_at : (level == own_level ? own : l.match[level]) + 1;
    b.lo = from > b.lo ? from : b.lo;
  }
  for (; below; below &= below - 1) {
    uint32_t level = ms_lowest(below);
    uint32_t to = level == 0 ? l.root_at : level == own_level ? own : l.match[level];
    b.hi = to < b.hi ? to : b.hi;
  }
  return b;
}

MS_DEVICE uint32_t ms_mask_word(const ms_local &l, uint32_t filter, uint32_t i)
{
  return filter == MS_NO_FILTER ? MS_ALL_ONES : l.masks[filter * l.stride + i];
}

/* ---- sets --------------------------------------------------------------------------- */

/* Returns word i of a set that is computed once `own`, which belongs to a lane or to the warp,
 * is the match of its level; b: the set's bounds. */
MS_DEVICE uint32_t ms_set_word(const ms_local &l, const ms_device_set &s, const ms_places &b,
                               uint32_t own, uint32_t i)
{
  uint32_t word = ms_range_word(b, i) & ms_mask_word(l, s.filter, i);
  if (s.parent < 0)
    return word;
  uint32_t row = l.matrix[(own - l.first_row) * l.stride + i];
  return word & l.sets[l.w.p->set[s.parent].local_slot * l.stride + i] & (s.subtract ? ~row : row);
}

/* Computes the sets that depend on the match of this level, which is not the last one.  False if
 * one of them has too few elements. */
MS_DEVICE bool ms_local_sets(const ms_local &l, uint32_t level)
{
  const ms_device_program &p = *l.w.p;
  uint32_t own = level > 0 ? l.match[level] : 0;
  for (uint32_t e = p.level_sets[level]; e < p.level_sets[level + 1]; e++) {
    const ms_device_set &s = p.set[p.by_level[e]];
    ms_places b = ms_places_of(l, s.above, s.below, MS_NO_LEVEL, 0);
    uint32_t *to = l.sets + s.local_slot * l.stride, count = 0;
    for (uint32_t first = 0; first < l.words; first += MS_LANES) {
      uint32_t i = first + ms_lane(), word = i < l.words ? ms_set_word(l, s, b, own, i) : 0;
      if (i < l.words)
        to[i] = word;
      count += ms_count_bits(word);
    }
    if (ms_sum_of_lanes(count) < s.need)
      return false;
    ms_sync_warp();
  }
  return true;
}

/* Returns word i of the candidates of a level, within the places. */
MS_DEVICE uint32_t ms_candidate_word(const ms_local &l, const ms_device_step &step,
                                     const ms_places &b, uint32_t i)
{
  uint32_t word = ms_range_word(b, i) & ms_mask_word(l, step.filter, i);
  word &= l.sets[l.w.p->set[step.set].local_slot * l.stride + i];
  for (uint32_t left = step.distinct & ~1u; left;
       left &= left - 1) { /* the root is not in its own row */
    uint32_t v = l.match[ms_lowest(left)];
    word &= v / 32 == i ? ~(1u << v % 32) : MS_ALL_ONES;
  }
  return word;
}

MS_DEVICE ms_places ms_step_places(const ms_local &l, const ms_device_step &step, uint32_t from,
                                   uint32_t to)
{
  ms_places part = {from, to};
  return ms_both(ms_places_of(l, step.above, step.below, MS_NO_LEVEL, 0), part);
}

/* ---- the tail, counted by one lane ----------------------------------------------------- */

/* The data on which a word of a group's candidates depends. */
typedef struct ms_group_view {
  const ms_device_group *g;
  ms_places of_set, of_group;
} ms_group_view;

MS_DEVICE ms_group_view ms_view_of(const ms_local &l, uint32_t number, uint32_t last, uint32_t v)
{
  const ms_device_group &g = l.w.p->group[number];
  const ms_device_set &s = l.w.p->set[g.set];
  ms_group_view view = {&g, {0, l.size}, ms_places_of(l, g.above, g.below, last, v)};
  if (s.at_last)
    view.of_set = ms_places_of(l, s.above, s.below, last, v);
  return view;
}

MS_DEVICE uint32_t ms_group_word(const ms_local &l, const ms_group_view &view, uint32_t v,
                                 uint32_t i)
{
  const ms_device_group &g = *view.g;
  const ms_device_set &s = l.w.p->set[g.set];
  uint32_t word = ms_range_word(view.of_group, i) & ms_mask_word(l, g.filter, i);
  return word &
         (s.at_last ? ms_set_word(l, s, view.of_set, v, i) : l.sets[s.local_slot * l.stride + i]);
}

/* Returns the number of vertices that all groups of the mask have in common, without the matched
 * ones. */
MS_DEVICE uint32_t ms_local_size(const ms_local &l, const ms_group_view *view, uint32_t mask,
                                 uint32_t last, uint32_t v)
{
  uint32_t count = 0, taken = 0;
  bool whole = true; /* all of the places are candidates */
  ms_places b = {0, l.size};
#pragma unroll
  for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
    if (mask >> g & 1) {
      const ms_device_set &s = l.w.p->set[view[g].g->set];
      b = ms_both(b, view[g].of_group);
      b = ms_both(b, view[g].of_set);
      whole =
          whole && s.parent < 0 && s.filter == MS_NO_FILTER && view[g].g->filter == MS_NO_FILTER;
      if (s.parent < 0)
        b = ms_both(b, ms_places_of(l, s.above, s.below, last, v));
    }
  if (whole)
    count = b.lo < b.hi ? b.hi - b.lo : 0;
  for (uint32_t i = b.lo / 32; !whole && i * 32 < b.hi; i++) {
    uint32_t word = MS_ALL_ONES;
#pragma unroll
    for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
      if (mask >> g & 1)
        word &= ms_group_word(l, view[g], v, i);
    count += ms_count_bits(word);
  }
#pragma unroll
  for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
    taken |= mask >> g & 1 ? view[g].g->distinct & ~1u : 0;
  for (; taken && count > 0; taken &= taken - 1) {
    uint32_t level = ms_lowest(taken), x = level == last ? v : l.match[level], all = MS_ALL_ONES;
#pragma unroll
    for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
      if (mask >> g & 1)
        all &= ms_group_word(l, view[g], v, x / 32);
    count -= all >> x % 32 & 1;
  }
  return count;
}

/* Adds the value of the tail with v as the match of the last level. */
MS_DEVICE void ms_local_value(ms_local &l, uint32_t v, ms_int128 *part)
{
  const ms_device_program &p = *l.w.p;
  uint32_t last = p.prefix - 1, size[1u << MS_LOCAL_GROUPS] = {0};
  ms_group_view view[MS_LOCAL_GROUPS];
#pragma unroll
  for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
    if (g < p.n_groups) {
      view[g] = ms_view_of(l, g, last, v);
      size[1u << g] = ms_local_size(l, view, 1u << g, last, v);
      if (size[1u << g] < (p.product ? 1 : p.group[g].size))
        return;
    }
  if (p.n_groups == 2 && p.local_meets)
    size[3] = ms_local_size(l, view, 3, last, v);
  auto size_of = [&](uint32_t mask) { return mask == 1 ? size[1] : mask == 2 ? size[2] : size[3]; };
  if (p.falling)
    ms_add_falling(l.w, size[1]);
  for (uint32_t t = 0; t < p.n_terms; t++)
    if (p.value == MS_VALUE_64)
      *part += ms_term_value(p.term[t], size_of);
    else
      ms_add_term(l.w, p.term[t], size_of);
}

/* ---- levels -------------------------------------------------------------------------------- */

/* Counts candidates [from, to) of the last level, one lane for each candidate. */
MS_DEVICE void ms_local_last(ms_local &l, uint32_t from, uint32_t to)
{
  const ms_device_step &step = l.w.p->step[l.w.p->prefix - 1];
  ms_places b = ms_step_places(l, step, from, to);
  uint32_t waiting = 0;
  ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
  for (uint32_t i = b.lo / 32; i * 32 < b.hi; i++) {
    uint32_t word = ms_candidate_word(l, step, b, i);
    for (uint32_t first = 0; first < 32;
         first += MS_LANES) { /* a single round, except where lanes are emulated */
      uint32_t bit = first + ms_lane();
      bool fits = bit < 32 && (word >> bit & 1);
      uint32_t mask = ms_ballot(fits);
      if (fits)
        l.list[waiting + ms_rank(mask)] = i * 32 + bit;
      waiting += ms_count_bits(mask);
      ms_sync_warp();
      if (waiting >= MS_LANES) {
        waiting -= MS_LANES;
        ms_local_value(l, l.list[waiting + ms_lane()], &part);
        ms_sync_warp();
      }
    }
  }
  if (ms_lane() < waiting)
    ms_local_value(l, l.list[ms_lane()], &part);
  ms_sync_warp();
  ms_wide_add(&l.w.sum, ms_wide_of(part));
}

/* Adds the value of a tail of one group with this number of candidates. */
MS_DEVICE void ms_ends_value(ms_local &l, uint32_t size, ms_int128 *part)
{
  const ms_device_program &p = *l.w.p;
  if (size < (p.product ? 1 : p.group[0].size))
    return;
  if (p.falling)
    ms_add_falling(l.w, size);
  for (uint32_t t = 0; t < p.n_terms; t++)
    if (p.value == MS_VALUE_64)
      *part += ms_term_value(p.term[t], [&](uint32_t) { return size; });
    else
      ms_add_term(l.w, p.term[t], [&](uint32_t) { return size; });
}

/* Counts candidates [from, to) of level 1 in programs where level 1 is the last and where only
 * the candidates' numbers of neighbours in the universe count. */
MS_DEVICE void ms_local_ends(ms_local &l, uint32_t from, uint32_t to)
{
  const ms_device_program &p = *l.w.p;
  ms_places b = ms_step_places(l, p.step[1], from, to);
  ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
  for (uint32_t v = b.lo + ms_lane(); v < b.hi; v += MS_LANES)
    if (ms_candidate_word(l, p.step[1], b, v / 32) >> v % 32 & 1)
      ms_ends_value(l, l.matrix[v], &part);
  ms_wide_add(&l.w.sum, ms_wide_of(part));
}

/* Searches candidates [from, to) of level 1, which the team's warps share; *next is 0 before the
 * call. */
MS_DEVICE void ms_local_children(ms_local &l, uint32_t from, uint32_t to, uint32_t *next)
{
  const ms_device_program &p = *l.w.p;
  ms_places b = ms_step_places(l, p.step[1], from, to);
  uint32_t some = p.prefix == 2 ? MS_LANES : 1;
  while (!l.w.stopped) {
    uint32_t at = 0;
    if (ms_lane() == 0)
      at = ms_add(next, some);
    at = ms_of_lane(at, 0);
    if (b.lo >= b.hi || at >= b.hi - b.lo)
      return;
    at += b.lo;
    if (p.ends) {
      ms_local_ends(l, at, at + some < b.hi ? at + some : b.hi);
    } else if (p.prefix == 2) {
      ms_local_last(l, at, at + some < b.hi ? at + some : b.hi);
    } else if (ms_candidate_word(l, p.step[1], b, at / 32) >> at % 32 & 1) {
      ms_sync_warp();
      if (ms_lane() == 0)
        l.match[1] = at;
      ms_sync_warp();
      if (ms_local_sets(l, 1))
        ms_local_last(l, 0, l.size);
    }
    l.w.steps += l.words / 4; /* longer rows take longer */
    (void)ms_may_continue(l.w);
  }
}

/* ---- the matrix ------------------------------------------------------------------------- */

/* Enters an edge of the universe; at < to. */
MS_DEVICE void ms_enter_edge(const ms_local &l, uint32_t at, uint32_t to)
{
  const ms_device_program &p = *l.w.p;
  if (p.ends) {
    if (p.ends & MS_ENDS_SMALLER)
      (void)ms_add(&l.matrix[at], 1);
    if (p.ends & MS_ENDS_LARGER)
      (void)ms_add(&l.matrix[to], 1);
    return;
  }
  if (at >= l.first_row)
    (void)ms_or(&l.matrix[(at - l.first_row) * l.stride + to / 32], 1u << to % 32);
  if (!p.chain && to >= l.first_row)
    (void)ms_or(&l.matrix[(to - l.first_row) * l.stride + at / 32], 1u << at % 32);
}

/* Enters the edges from the place `at` to x, one a lane; x need not be in the universe. */
MS_DEVICE void ms_enter_found(const ms_local &l, uint32_t at, uint32_t x)
{
  const ms_device_program &p = *l.w.p;
  bool filtered = p.chain && p.chain_filter != MS_NO_FILTER;
  uint32_t place = ms_find(l, x);
  if (place < l.size && (!filtered || ms_domain_holds(p.filter[p.chain_filter], x)))
    ms_enter_edge(l, at, place);
}

/* Enters all edges of the universe, each from its smaller end: that end has the shorter row
 * where ids ascend with degrees.  Of several warps, each takes some vertices at a time, so few that
 * all warps have about the same work. */
template <uint32_t SHORT_READS>
MS_DEVICE void ms_enter_edges(const ms_local &l, uint32_t warp, uint32_t warps)
{
  const ms_device_program &p = *l.w.p;
  const ms_device_rows &rows = l.w.index->rows[0];
  bool filtered = p.chain && p.chain_filter != MS_NO_FILTER;
  const ms_device_domain &domain = p.filter[filtered ? p.chain_filter : 0];
  uint32_t waiting = 0, some = l.size / (MS_SHARES * warps) + 1;
  some = warps == 1 || some > MS_LANES ? MS_LANES : some;
  auto enter = [&](uint32_t at, uint32_t x) { ms_enter_found(l, at, x); };
  for (uint32_t first = warp * some; first < l.size; first += warps * some) {
    uint32_t at = first + ms_lane(), length = 0;
    unsigned long long begin = 0;
    if (ms_lane() < some && at < l.size && (!filtered || ms_domain_holds(domain, l.ids[at]))) {
      uint32_t v = l.ids[at], smaller = rows.smaller[v];
      begin = rows.offset[v] + smaller;
      length = (uint32_t)(rows.offset[v + 1] - begin);
      if (at < l.first_row) { /* of its edges, those to a vertex with a row matter */
        ms_device_span larger = {rows.neighbor + begin, 0, length};
        ms_bounds above = {l.first_row < l.size ? l.ids[l.first_row] : MS_ALL_ONES, MS_ALL_ONES};
        larger = ms_cut_by_lane(larger, above);
        begin += length - larger.length;
        length = larger.length;
      }
    }
    ms_visit_filtered<SHORT_READS>(l, rows.neighbor, begin, length, first, &waiting, enter);
  }
  ms_visit_waiting(l, waiting, enter);
}

/* Finds which vertices of the universe are in a domain. */
MS_DEVICE void ms_local_mask(const ms_local &l, uint32_t filter)
{
  const ms_device_domain &d = l.w.p->filter[filter];
  for (uint32_t i = ms_lane(); i < l.words; i += MS_LANES) {
    uint32_t word = 0;
    for (uint32_t bit = 0; bit < 32 && i * 32 + bit < l.size; bit++)
      word |= (uint32_t)ms_domain_holds(d, l.ids[i * 32 + bit]) << bit;
    l.masks[filter * l.stride + i] = word;
  }
}

/* Returns the root's universe: the part of its row within the bounds that all sets have.  With
 * BY_LANE, each lane that calls the function has a root of its own; otherwise all lanes of the warp
 * call it, with the same root. */
template <bool BY_LANE = false>
MS_DEVICE ms_device_span ms_universe(const ms_walk &w, uint32_t root, uint32_t *root_at)
{
  const ms_device_program &p = *w.p;
  ms_device_span row = ms_row_at(w, 0, root);
  uint32_t smaller = w.index->rows[0].smaller[root];
  ms_bounds hull = {p.local_lo, p.local_hi};
  const uint32_t *middle = row.ids + smaller;
  if (p.local_above) {
    row.ids += smaller;
    row.length -= smaller;
  }
  if (p.local_below)
    row.length = p.local_above ? 0 : smaller;
  row = BY_LANE ? ms_cut_by_lane(row, hull) : ms_cut(row, hull);
  *root_at = middle <= row.ids               ? 0
             : middle - row.ids < row.length ? (uint32_t)(middle - row.ids)
                                             : row.length;
  return row;
}

/* Builds masks and matrix with the warps of the team; `meet` is a barrier for them.  The caller
 * adds another barrier before it reads the result. */
template <uint32_t SHORT_READS, typename meeting>
MS_DEVICE void ms_local_build(const ms_local &l, uint32_t warp, uint32_t warps, const meeting &meet)
{
  uint32_t words = l.w.p->ends ? l.size : (l.size - l.first_row) * l.stride;
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < words; i += warps * MS_LANES)
    l.matrix[i] = 0;
  if (l.finder)
    ms_finder_fill(l, warp, warps);
  ms_filter_fill(l, warp, warps);
  for (uint32_t f = warp; !l.w.p->chain && f < l.w.p->n_filters; f += warps)
    ms_local_mask(l, f); /* chains look ids up in the domain itself */
  meet();
  ms_enter_edges<SHORT_READS>(l, warp, warps);
}

#endif
