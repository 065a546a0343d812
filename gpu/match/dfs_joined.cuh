/* Programs of three levels whose tail is looked up in the table: 5-cycles.  Level 1 is a vertex x
 * of the table, and level 2 a neighbour y of x.
 *
 * In a graph of short rows, nearly all of the time would go into waiting for the row of one x after
 * the other.  So a warp takes an x for each lane, and goes over the concatenation of their rows:
 * the loads of 32 rows do not wait for each other, and all lanes have an element.
 *
 * What bounds the speed where rows are short: one load and one or two look-ups in a hash table in
 * shared memory for each y, and the place of a lane's element in the concatenation. */
#ifndef MS_GPU_MATCH_DFS_JOINED_CUH
#define MS_GPU_MATCH_DFS_JOINED_CUH

#include "gpu/match/dfs_squares.cuh"
#include "gpu/match/dfs_visit.cuh"

/* A candidate x of level 1, and the elements of its row that are in the bounds of level 2, one for
 * each lane.  known: for a group of which x gives the size, this size; for another group, how many
 * of the matches of levels 0 and 1 are among its candidates. */
typedef struct ms_joined_end {
  uint32_t x, length, known[MS_LOCAL_GROUPS];
  unsigned long long first;
} ms_joined_end;

/* Narrows the bounds by those matches, of levels 0 and 1, whose bits are set; x is the match of
 * level 1. */
MS_DEVICE ms_bounds ms_joined_narrow(ms_bounds b, uint32_t above, uint32_t below, uint32_t root,
                                     uint32_t x)
{
  uint32_t least = (above & 1) && (!(above & 2) || root > x) ? root : x;
  uint32_t most = (below & 1) && (!(below & 2) || root < x) ? root : x;
  if (above)
    b.lo = least >= b.lo ? least + 1 : b.lo;
  if (below)
    b.hi = most < b.hi ? most : b.hi;
  return b;
}

/* Returns how many of the matches of levels 0 and 1 are candidates of a marked group. */
MS_DEVICE uint32_t ms_joined_marked(const ms_walk &w, const ms_device_group &g, uint32_t x)
{
  uint32_t count = 0;
#pragma unroll
  for (uint32_t level = 0; level < 2; level++) {
    uint32_t v = level > 0 ? x : w.match[0];
    if (g.distinct >> level & 1)
      count += ms_domain_holds(g.domain, v) && ((g.inside >> level & 1) || ms_table_marked(w, v));
  }
  return count;
}

/* Returns candidate number i of level 1; with an empty row where i >= end, and where it has no
 * matches.  Called by one lane. */
MS_DEVICE ms_joined_end ms_joined_at(const ms_walk &w, const ms_device_span &span, uint32_t i,
                                     uint32_t end)
{
  const ms_device_program &p = *w.p;
  const ms_device_step &step = p.step[2];
  const ms_device_set &s = p.set[step.set];
  ms_joined_end e = {0, 0, {0}, 0};
  if (i >= end)
    return e;
  e.x = ms_candidate_at(span, i);
  if (!ms_fits(w, p.step[1], e.x))
    return e;
#pragma unroll
  for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
    if (g < p.n_groups) {
      const ms_device_group &group = p.group[g];
      e.known[g] = group.with == 1 ? ms_table_paths(w, e.x)
                   : group.marked  ? ms_joined_marked(w, group, e.x)
                                   : 0;
      if (group.with == 1 && e.known[g] == 0)
        return e;
    }
  ms_bounds b = {s.lo > step.domain.lo ? s.lo : step.domain.lo,
                 s.hi < step.domain.hi ? s.hi : step.domain.hi};
  b = ms_joined_narrow(b, s.above | step.above, s.below | step.below, w.match[0], e.x);
  ms_device_span row = ms_cut_by_lane(ms_row_at(w, s.kind, e.x), b);
  e.length = row.length;
  e.first = row.length > 0 ? row.ids - ms_device_rows_of(w.index, s.kind)->neighbor : 0;
  return e;
}

/* Returns the value of the tail with y as the match of level 2.  Called by one lane. */
MS_DEVICE int64_t ms_joined_value(const ms_walk &w, uint32_t y,
                                  const uint32_t known[MS_LOCAL_GROUPS])
{
  const ms_device_program &p = *w.p;
  uint32_t entry = ms_table_entry(w, y), paths = entry & (MS_FULL_MARK - 1);
  uint32_t size[MS_LOCAL_GROUPS] = {0};
#pragma unroll
  for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
    if (g < p.n_groups) {
      const ms_device_group &group = p.group[g];
      uint32_t taken = group.with == 1 ? 0 : known[g];
      size[g] = group.with == 1 ? known[g] : paths;
      if ((group.distinct >> 2 & 1) && ms_domain_holds(group.domain, y))
        taken += (group.inside >> 2 & 1) || (entry & MS_FULL_MARK);
      size[g] = size[g] > taken ? size[g] - taken : 0;
      if (size[g] < (p.product ? 1 : group.size))
        return 0;
    }
  int64_t value = 0;
  for (uint32_t t = 0; t < p.n_terms; t++)
    value += ms_term_value(p.term[t], [&](uint32_t mask) { return mask == 1 ? size[0] : size[1]; });
  return value;
}

/* Calls visit(x, i, valid) as ms_visit_rows does.  Short rows are joined, which keeps more loads
 * under way. */
template <typename visitor>
MS_DEVICE void ms_visit_many(const uint32_t *neighbor, unsigned long long begin, uint32_t length,
                             const visitor &visit)
{
  for (uint32_t left = ms_ballot(length > 64); left; left &= left - 1) {
    uint32_t from = ms_lowest(left), end = ms_of_lane(length, from);
    const uint32_t *row = neighbor + ms_of_lane(begin, from);
    for (uint32_t first = ms_lane(); first - ms_lane() < end; first += MS_READS * MS_LANES) {
      uint32_t x[MS_READS];
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        x[i] = first + i * MS_LANES < end ? row[first + i * MS_LANES] : 0;
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++)
        visit(x[i], from, first + i * MS_LANES < end);
    }
  }
  ms_visit_joined(
      neighbor, begin, length > 64 ? 0 : length,
      [&](uint32_t x, uint32_t lane, bool valid, unsigned long long) { visit(x, lane, valid); });
}

/* Counts the matches with candidates [from, end) of level 1. */
MS_DEVICE void ms_joined_levels(ms_walk &w, const ms_device_span &span, uint32_t from, uint32_t end)
{
  const ms_device_program &p = *w.p;
  const ms_device_step &step = p.step[2];
  const ms_device_rows &rows = *ms_device_rows_of(w.index, p.set[step.set].kind);
  ms_int128 part = 0; /* fewer than 2^38 addends below 2^63 */
  for (uint32_t at = from; at < end && !w.stopped; at += MS_LANES) {
    ms_joined_end e = ms_joined_at(w, span, at + ms_lane(), end);
    ms_visit_many(rows.neighbor, e.first, e.length, [&](uint32_t y, uint32_t lane, bool valid) {
      uint32_t known[MS_LOCAL_GROUPS];
#pragma unroll
      for (uint32_t g = 0; g < MS_LOCAL_GROUPS; g++)
        known[g] = ms_of_lane(e.known[g], lane);
      /* y is in the row of x, and so is not x */
      if (!valid || ((step.distinct & 1) && y == w.match[0]) ||
          (step.test_bits && !ms_domain_holds(step.domain, y)))
        return;
      part += ms_joined_value(w, y, known);
    });
    w.steps += ms_sum_of_lanes(e.length) / MS_LANES;
    (void)ms_may_continue(w);
  }
  ms_wide_add(&w.sum, ms_wide_of(part));
}

#endif
