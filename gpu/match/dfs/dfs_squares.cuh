/* Programs that need nothing but the codegrees of the root and each x (4-cycles): their count is
 * the sum over all roots and x of c (c-1), where c is the number of paths of length two from the
 * root to x within the bounds of the program.
 *
 * The sum is made while paths are entered: the (c+1)-th path to x adds 2 c.  So nothing that a
 * table holds is read again, and no list of its entries is kept.
 *
 * A warp takes 32 roots at a time.  Roots of few paths share a hash table in shared memory, whose
 * keys are pairs of a root and x; waiting for memory then costs as much for several roots as it
 * does for one.  A root of more paths is listed, once for each *range* of ids: a block counts the
 * paths to the x in the range, with a counter for each id in shared memory.  No more paths than its
 * degree lead to x, so that counters of low degrees are of few bits, and their ranges long: most
 * vertices of a graph with hubs have low degrees.  Ranges are
 * independent, and a range of very many paths is in parts, so that many blocks share the paths of a
 * hub.  (Vertex priority: Wang et al., PVLDB
 * 2019; blocks with counters in shared memory for butterflies: Xu et al., ICDE 2022.)
 *
 * What bounds the speed: rows, which come from L2 with all lanes busy, as lanes go over the
 * concatenation of 32 rows; and an atomic addition in shared memory for each path. */
#ifndef MS_GPU_MATCH_DFS_SQUARES_CUH
#define MS_GPU_MATCH_DFS_SQUARES_CUH

#include "gpu/match/dfs/dfs_list.cuh"
#include "gpu/match/dfs/dfs_table.cuh"

enum {
  MS_LOADS = 4 /* of a lane before it uses the first: loads that do not wait for each other */
};

/* ---- concatenations: lane i has `length` elements, from number `begin` on ------------------ */

/* Returns the sum of x of the lanes before this one. */
MS_DEVICE uint32_t ms_sum_before(uint32_t x)
{
  uint32_t sum = x;
  for (uint32_t step = 1; step < MS_LANES; step *= 2) {
    uint32_t other = ms_of_lane(sum, ms_lane() >= step ? ms_lane() - step : ms_lane());
    sum += ms_lane() >= step ? other : 0;
  }
  return sum - x;
}

/* Returns the lane that has element e; e is less than the number of elements. */
MS_DEVICE uint32_t ms_lane_of(uint32_t begin, uint32_t e)
{
  uint32_t at = 0;
#pragma unroll
  for (uint32_t step = 16; step > 0; step /= 2) {
    uint32_t next = at + step < MS_LANES ? at + step : at;
    at = ms_of_lane(begin, next) <= e ? next : at;
  }
  return at;
}

/* Calls visit(x, lane, valid, at) for every x of the lanes' rows, neighbor[first .. first +
 * length), of fewer than 2^32 elements together, where x is neighbor[at]; all lanes call it, and
 * the visits, together.
 *
 * Lane i keeps the i-th row that is not empty.  Where rows begin among MS_LANES elements is a bit
 * for each, and the number of bits up to an element says whose it is. */
template <typename visitor>
MS_DEVICE void ms_visit_joined(const uint32_t *neighbor, unsigned long long first, uint32_t length,
                               const visitor &visit)
{
  uint32_t begin = ms_sum_before(length), all = ms_of_lane(begin + length, MS_LANES - 1);
  uint32_t some = ms_ballot(length > 0), row = ms_lane() < ms_count_bits(some), passed = 0;
  uint32_t of = row ? ms_nth_bit(some, ms_lane()) : 0, up_to = (2u << ms_lane()) - 1;
  first = ms_of_lane(first - begin, of);
  begin = ms_of_lane(begin, of);
  begin = row ? begin : all;
  for (uint32_t from = 0; from < all; from += MS_LOADS * MS_LANES) {
    uint32_t x[MS_LOADS], lane[MS_LOADS];
    unsigned long long at[MS_LOADS];
#pragma unroll
    for (uint32_t i = 0; i < MS_LOADS; i++) {
      uint32_t chunk = from + i * MS_LANES, e = chunk + ms_lane();
      if (chunk >= all)
        break;
      uint32_t heads = ms_or_of_lanes(begin - chunk < MS_LANES ? 1u << (begin - chunk) : 0);
      uint32_t owner = passed + ms_count_bits(heads & up_to) - 1;
      passed += ms_count_bits(heads);
      lane[i] = ms_of_lane(of, owner);
      at[i] = ms_of_lane(first, owner) + e;
      x[i] = e < all ? neighbor[at[i]] : 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < MS_LOADS; i++) {
      if (from + i * MS_LANES >= all)
        break;
      visit(x[i], lane[i], from + i * MS_LANES + ms_lane() < all, at[i]);
    }
  }
}

/* ---- bounds ------------------------------------------------------------------------------- */

/* Returns the bounds of x, which is never the root itself; called by one lane. */
MS_DEVICE ms_bounds ms_ends_of_paths(const ms_device_program &p, uint32_t root)
{
  const ms_device_step &step = p.step[1];
  ms_bounds b = {step.domain.lo, step.domain.hi};
  if (step.above)
    b.lo = root >= b.lo ? root + 1 : b.lo;
  if (step.below)
    b.hi = root < b.hi ? root : b.hi;
  return b;
}

/* Returns the root's row that holds the middles; called by one lane.  Which of them are in the
 * domain of the middles is not tested. */
MS_DEVICE ms_device_span ms_middle_row(const ms_walk &w, uint32_t root)
{
  ms_device_span row = ms_row_at(w, w.p->table_first, root);
  if (w.p->middle_below)
    row.length = ms_device_rows_of(w.index, w.p->table_first)->smaller[root];
  return row;
}

/* Returns the row of a middle; empty if it is not in the domain.  Called by one lane. */
MS_DEVICE ms_device_span ms_row_of_middle(const ms_walk &w, uint32_t v)
{
  ms_device_span none = {NULL, 0, 0};
  return ms_domain_holds(w.p->table_middle, v) ? ms_row_at(w, w.p->table_second, v) : none;
}

/* ---- roots of few paths -------------------------------------------------------------------- */

/* A warp's part of shared memory. */
typedef struct ms_square_warp {
  uint32_t key[MS_SQUARE_ROOM];
  uint32_t paths[MS_SQUARE_ROOM / 2]; /* two entries each: paths after the first */
  uint32_t most[32];                  /* a bound on the paths of each root */
} ms_square_warp;

static_assert(sizeof(ms_square_warp) == MS_SQUARE_WARP_BYTES, "the host makes room for it");

/* The roots of a warp, one for each lane. */
typedef struct ms_square_roots {
  uint32_t root, length;    /* length: of its row of middles */
  unsigned long long first; /* the row's place */
  uint32_t begin;           /* the number of its first middle in the concatenation */
  uint32_t most;            /* a bound on its paths */
} ms_square_roots;

/* A middle, its root's lane, the arc from the root to it, and its row, one for each lane. */
typedef struct ms_square_middle {
  uint32_t lane, length;
  unsigned long long arc, first;
} ms_square_middle;

/* Returns middle number e of the roots, with the part of its row that is in the bounds of x; an
 * empty row where e >= end. */
MS_DEVICE ms_square_middle ms_middle_at(const ms_walk &w, const ms_square_roots &r, uint32_t e,
                                        uint32_t end)
{
  ms_square_middle m = {ms_lane_of(r.begin, e), 0, 0, 0};
  m.arc = ms_of_lane(r.first - r.begin, m.lane) + e;
  uint32_t root = ms_of_lane(r.root, m.lane);
  if (e >= end)
    return m;
  const ms_device_rows &rows = *ms_device_rows_of(w.index, w.p->table_second);
  ms_device_span row =
      ms_row_of_middle(w, ms_device_rows_of(w.index, w.p->table_first)->neighbor[m.arc]);
  row = ms_cut_by_lane(row, ms_ends_of_paths(*w.p, root));
  m.length = row.length;
  m.first = row.length > 0 ? row.ids - rows.neighbor : 0;
  return m;
}

/* Enters a path.  Returns how many had been entered with the same key; called by one lane. */
MS_DEVICE uint32_t ms_enter_key(ms_square_warp *t, uint32_t bits, uint32_t key)
{
  uint32_t at = key * 0x9e3779b1u >> (32 - bits), mask = (1u << bits) - 1;
  for (;; at = (at + 1) & mask) {
    uint32_t before = ms_peek(&t->key[at]);
    if (before == MS_NO_KEY) {
      before = ms_exchange(&t->key[at], MS_NO_KEY, key);
      if (before == MS_NO_KEY)
        return 0;
    }
    if (before == key) {
      uint32_t shift = at % 2 * 16;
      return (ms_add(&t->paths[at / 2], 1u << shift) >> shift & 0xffff) + 1;
    }
  }
}

/* Returns how many other paths had been entered with this key, of which one has been; called by
 * one lane. */
MS_DEVICE uint32_t ms_other_paths(const ms_square_warp *t, uint32_t bits, uint32_t key)
{
  uint32_t at = key * 0x9e3779b1u >> (32 - bits), mask = (1u << bits) - 1;
  while (t->key[at] != key)
    at = (at + 1) & mask;
  return t->paths[at / 2] >> at % 2 * 16 & 0xffff;
}

/* Counts the paths of the roots of lanes [from, to), which all fit the table.  With weights, it
 * enters all of them first, and then visits them again. */
template <bool WEIGHTED>
MS_DEVICE void ms_count_few(ms_walk &w, ms_square_warp *t, const ms_square_roots &r, uint32_t from,
                            uint32_t to, uint32_t paths, const unsigned long long *weight)
{
  const ms_device_rows &rows = *ms_device_rows_of(w.index, w.p->table_second);
  uint32_t bits = 5, id_bits = ms_bit_length(w.index->n);
  uint32_t begin = ms_of_lane(r.begin, from), end = ms_of_lane(r.begin + r.length, to - 1);
  uint64_t sum = 0;
  while (1u << bits < MS_SQUARE_ROOM && 1u << bits < 2 * paths)
    bits++;
  for (uint32_t i = ms_lane(); i < 1u << bits; i += MS_LANES)
    t->key[i] = MS_NO_KEY;
  for (uint32_t i = ms_lane(); i < 1u << bits >> 1; i += MS_LANES)
    t->paths[i] = 0;
  for (uint32_t visit = 0; visit < (WEIGHTED ? 2u : 1u); visit++) {
    ms_sync_warp();
    for (uint32_t i = begin; i < end; i += MS_LANES) {
      ms_square_middle m = ms_middle_at(w, r, i + ms_lane(), end);
      uint32_t root = ms_of_lane(r.root, m.lane), number = m.lane - from;
      unsigned long long edge = WEIGHTED && m.length > 0 ? weight[m.arc] : 0;
      ms_visit_joined(rows.neighbor, m.first, m.length,
                      [&](uint32_t x, uint32_t lane, bool valid, unsigned long long at) {
                        uint32_t of = ms_of_lane(root, lane), which = ms_of_lane(number, lane);
                        unsigned long long first = WEIGHTED ? ms_of_lane(edge, lane) : 0;
                        uint32_t key = id_bits < 32 ? which << id_bits | x : x;
                        if (!valid || x == of)
                          return;
                        if (visit > 0) { /* fewer than 2^10 paths, of fewer than 2^42 each */
                          sum += ms_other_paths(t, bits, key) * (first + weight[at]);
                          return;
                        }
                        uint32_t before = ms_enter_key(t, bits, key);
                        sum += WEIGHTED ? 0 : 2 * before;
                      });
    }
  }
  ms_sync_warp();
  ms_wide_add(&w.sum, ms_wide_of((ms_int128)sum));
}

/* Finds bounds on the numbers of paths, by the lengths of the middles' rows. */
MS_DEVICE void ms_bound_paths(const ms_walk &w, ms_square_warp *t, ms_square_roots *r,
                              uint32_t small)
{
  uint32_t end = ms_of_lane(r->begin + r->length, MS_LANES - 1);
  ms_sync_warp();
  t->most[ms_lane()] = 0;
  ms_sync_warp();
  for (uint32_t i = 0; i < end; i += MS_LANES) {
    ms_square_middle m = ms_middle_at(w, *r, i + ms_lane(), end);
    if (m.length > 0) /* no sum of 2^16 of them is too large for 32 bits */
      ms_add(&t->most[m.lane], m.length < small ? m.length : small + 1);
  }
  ms_sync_warp();
  r->most = t->most[ms_lane()];
}

/* Returns the number of the range that has this id, which is not below the first range. */
MS_DEVICE uint32_t ms_range_of(const ms_square_ranges &r, uint32_t x)
{
  uint32_t c = 0;
#pragma unroll
  for (uint32_t i = 1; i < MS_SQUARE_CLASSES; i++)
    c += x >= r.id[i];
  return r.range[c] + ((x - r.id[c]) >> ms_square_log_ids(&r, c));
}

/* Returns the ids of a range, and sets *class_of to their class. */
MS_DEVICE ms_bounds ms_ids_of_range(const ms_square_ranges &r, uint32_t number, uint32_t *class_of)
{
  uint32_t c = 0;
#pragma unroll
  for (uint32_t i = 1; i < MS_SQUARE_CLASSES; i++)
    c += number >= r.range[i];
  uint32_t log_ids = ms_square_log_ids(&r, c), lo = r.id[c] + ((number - r.range[c]) << log_ids);
  ms_bounds ids = {lo, r.id[c + 1] - lo < 1u << log_ids ? r.id[c + 1] : lo + (1u << log_ids)};
  *class_of = c;
  return ids;
}

/* Returns the number of arcs at the ids. */
MS_DEVICE uint64_t ms_arcs_at(const ms_walk &w, const ms_bounds &ids)
{
  const ms_device_rows &rows = w.index->rows[0];
  return rows.offset[ids.hi] - rows.offset[ids.lo];
}

/* Returns the number of parts of a range for a root with so many middles: a path ends at x with a
 * probability in proportion to x's degree. */
MS_DEVICE uint32_t ms_parts_of_range(const ms_walk &w, const ms_dfs_launch &launch, uint32_t number,
                                     const ms_bounds &ends, uint32_t middles)
{
  uint32_t ignored;
  ms_bounds ids = ms_ids_of_range(launch.ranges, number, &ignored);
  ids.lo = ends.lo > ids.lo ? ends.lo : ids.lo;
  ids.hi = ends.hi < ids.hi ? ends.hi : ids.hi;
  double parts = launch.ranges.parts * middles * (double)ms_arcs_at(w, ids);
  return parts < MS_RANGE_PARTS - 1 ? (uint32_t)parts + 1 : MS_RANGE_PARTS;
}

/* Lists the ranges of those roots that have too many paths. */
MS_DEVICE void ms_list_ranges(const ms_walk &w, const ms_dfs_launch &launch, uint32_t number,
                              uint32_t root, uint32_t middles, bool mine)
{
  const ms_square_ranges &ranges = launch.ranges;
  ms_bounds b = ms_ends_of_paths(*w.p, root);
  b.lo = b.lo > ranges.id[0] ? b.lo : ranges.id[0];
  uint32_t first = ms_range_of(ranges, b.lo),
           end = b.hi > b.lo ? ms_range_of(ranges, b.hi - 1) + 1 : first;
  uint32_t count = 0;
  for (uint32_t i = first; mine && i < end; i++)
    count += ms_parts_of_range(w, launch, i, b, middles);
  uint32_t begin = ms_sum_before(count), at = 0;
  if (!ms_any(count > 0))
    return;
  if (ms_lane() == MS_LANES - 1)
    at = ms_add(&w.queue->listed[0], begin + count);
  at = ms_of_lane(at, MS_LANES - 1) + begin;
  for (uint32_t i = end; mine && i-- > first;) {
    uint32_t parts = ms_parts_of_range(w, launch, i, b, middles);
    for (uint32_t part = parts; part-- > 0;) {
      ms_slice slice = {number, (i * MS_RANGE_PARTS + part) * MS_RANGE_PARTS + parts - 1};
      launch.list[0].slices[at++] = slice;
    }
  }
}

/* Counts or lists roots number [first, last), at most one for each lane; the last ones first. */
template <bool WEIGHTED>
MS_DEVICE void ms_count_roots(ms_walk &w, const ms_dfs_launch &launch, ms_square_warp *t,
                              uint32_t first, uint32_t last)
{
  uint32_t number = last - 1 - ms_lane(), from = 0, id_bits = ms_bit_length(w.index->n);
  uint32_t together = id_bits >= 32 ? 1 : id_bits < 27 ? 32 : 1u << (32 - id_bits);
  ms_square_roots r = {0, 0, 0, 0, 0};
  if (ms_lane() < last - first) {
    r.root = ms_root_at(w, number);
    ms_device_span row = ms_middle_row(w, r.root);
    r.length = row.length;
    r.first = row.ids - ms_device_rows_of(w.index, w.p->table_first)->neighbor;
  }
  bool many = r.length > launch.small; /* several devices share these by root, others by group */
  ms_list_ranges(w, launch, number, r.root, r.length, many && ms_counts_root(launch, number));
  if (!ms_counts_root(launch, first / MS_SQUARE_GROUP)) /* another device counts them */
    return;
  r.length = many ? 0 : r.length;
  r.begin = ms_sum_before(r.length);
  ms_bound_paths(w, t, &r, launch.small);
  many = r.most > launch.small;
  ms_list_ranges(w, launch, number, r.root, r.length, many);
  r.length = many ? 0 : r.length;
  r.begin = ms_sum_before(r.length);
  uint32_t paths = many ? 0 : r.most, before = ms_sum_before(paths);
  while (from < MS_LANES) { /* as many roots as fit together */
    uint32_t base = ms_of_lane(before, from);
    bool fits = before + paths - base <= launch.small && ms_lane() - from < together;
    uint32_t others = ~ms_ballot(ms_lane() < from || fits),
             to = others && ms_lowest(others) < MS_LANES ? ms_lowest(others) : MS_LANES;
    uint32_t sum = ms_of_lane(before + paths, to - 1) - base;
    if (sum > 1)
      ms_count_few<WEIGHTED>(w, t, r, from, to, sum, launch.weight);
    from = to;
  }
}

/* Takes the next roots of the launch, the last ones first: a group, or as many of it as there are
 * lanes.  False if none is left. */
MS_DEVICE bool ms_next_roots(const ms_walk &w, const ms_dfs_launch &launch, uint32_t *first,
                             uint32_t *last)
{
  const uint32_t size = MS_SQUARE_GROUP, parts = (size + MS_LANES - 1) / MS_LANES;
  uint64_t groups = (ms_places_of_launch(launch) + size - 1) / size;
  for (;;) {
    unsigned long long at = 0;
    if (ms_lane() == 0)
      at = ms_add(&w.queue->next, 1ull);
    at = ms_of_lane(at, 0);
    if (at / parts >= groups)
      return false;
    uint64_t begin = ms_unit_of_launch(launch, (groups - 1 - at / parts) * size),
             root = begin + at % parts * MS_LANES, end = root + MS_LANES;
    end = end < begin + size ? end : begin + size;
    end = end < launch.share.units ? end : launch.share.units;
    if (root >= end)
      continue;
    *first = (uint32_t)root;
    *last = (uint32_t)end;
    return true;
  }
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* A block's counters of the ids from `lo` on.  Those in one word are as many ids apart as there are
 * words, so that lanes with neighbouring ids use different words. */
typedef struct ms_square_range {
  uint32_t *counter;
  uint32_t log_words, log_bits; /* log_bits: of a counter */
  uint32_t most;                /* the largest number of a counter: its bits */
  ms_bounds x;                  /* counted */
  uint32_t lo, root;
} ms_square_range;

/* Returns the first id where the part begins, of as many arcs as every other one. */
MS_DEVICE uint32_t ms_begin_of_part(const ms_walk &w, const ms_bounds &ids, uint32_t part,
                                    uint32_t parts)
{
  uint64_t arcs = ms_arcs_at(w, ids) * part / parts;
  uint32_t lo = ids.lo, hi = ids.hi;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (ms_arcs_at(w, {ids.lo, middle}) < arcs)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* Makes a listed range of the root, or a part of it, the current one. */
MS_DEVICE void ms_take_range(ms_square_range *r, const ms_walk &w, const ms_square_ranges &ranges,
                             uint32_t listed, const ms_bounds &ends)
{
  uint32_t parts = listed % MS_RANGE_PARTS + 1, part = listed / MS_RANGE_PARTS % MS_RANGE_PARTS, c;
  ms_bounds ids = ms_ids_of_range(ranges, listed / (MS_RANGE_PARTS * MS_RANGE_PARTS), &c);
  ids.lo = ends.lo > ids.lo ? ends.lo : ids.lo;
  ids.hi = ends.hi < ids.hi ? ends.hi : ids.hi;
  r->log_words = ranges.log_words;
  r->log_bits = c + 1;
  r->most = 0xffffffffu >> (32 - (2u << c));
  r->x = ids;
  if (parts > 1) {
    r->x.lo = ms_begin_of_part(w, ids, part, parts);
    r->x.hi = part + 1 < parts ? ms_begin_of_part(w, ids, part + 1, parts) : ids.hi;
  }
  r->lo = r->x.lo;
}

/* Returns the word of x's counter, and the counter's place in it. */
MS_DEVICE uint32_t *ms_counter_of(const ms_square_range &r, uint32_t x, uint32_t *shift)
{
  uint32_t at = x - r.lo;
  *shift = at >> r.log_words << r.log_bits;
  return &r.counter[at & ((1u << r.log_words) - 1)];
}

/* Enters a path to x.  Returns how many had been entered; called by one lane. */
MS_DEVICE uint32_t ms_enter_path(const ms_square_range &r, uint32_t x)
{
  uint32_t shift, *word = ms_counter_of(r, x, &shift);
  return ms_add(word, 1u << shift) >> shift & r.most;
}

/* Returns how many other paths lead to x, to which one leads; called by one lane. */
MS_DEVICE uint32_t ms_other_paths_to(const ms_square_range &r, uint32_t x)
{
  uint32_t shift, *word = ms_counter_of(r, x, &shift);
  return (*word >> shift & r.most) - 1;
}

/* What a visit of the paths does. */
enum ms_square_visit { MS_SQUARE_SUM, MS_SQUARE_ENTER, MS_SQUARE_WEIGH };

/* Finds the rows of middles [from, from + threads) within the range.  Returns the number of their
 * elements.  All warps of the block call it. */
MS_DEVICE uint32_t ms_take_rows(const ms_walk &w, const ms_square_range &r, ms_range_rows *rows,
                                const ms_device_span &middle, uint32_t from, uint32_t warps)
{
  uint32_t thread = ms_warp() * MS_LANES + ms_lane(), length = 0, base = 0, all = 0;
  unsigned long long first = 0;
  if (from + thread < middle.length) {
    ms_device_span row = ms_cut_by_lane(ms_row_of_middle(w, middle.ids[from + thread]), r.x);
    length = row.length;
    first = length > 0 ? row.ids - ms_device_rows_of(w.index, w.p->table_second)->neighbor : 0;
  }
  uint32_t before = ms_sum_before(length);
  ms_sync_block(); /* the rows before are visited */
  rows->first[thread] = first;
  if (ms_lane() == MS_LANES - 1)
    rows->of_warp[ms_warp()] = before + length;
  ms_sync_block();
  for (uint32_t i = 0; i < warps; i++) {
    base += i < ms_warp() ? rows->of_warp[i] : 0;
    all += rows->of_warp[i];
  }
  rows->begin[thread] = base + before;
  ms_sync_block();
  return all;
}

/* Returns the last of the rows that begins at or before element e. */
MS_DEVICE uint32_t ms_row_of(const ms_range_rows *rows, uint32_t threads, uint32_t e)
{
  uint32_t lo = 0, hi = threads;
  while (hi - lo > 1) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (rows->begin[middle] <= e)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

/* Visits the paths to the x of a range, by all warps of the block, of which each has the same
 * number of elements of the middles' rows. */
template <ms_square_visit VISIT>
MS_DEVICE void ms_count_range(ms_walk &w, const ms_square_range &r, ms_range_rows *rows,
                              uint32_t warps, const unsigned long long *weight)
{
  const uint32_t *neighbor = ms_device_rows_of(w.index, w.p->table_second)->neighbor;
  ms_device_span middle = ms_middle_row(w, r.root);
  uint32_t threads = warps * MS_LANES;
  uint64_t sum = 0;
  ms_int128 weights = 0;
  for (uint32_t from = 0; from < middle.length; from += threads) {
    uint32_t all = ms_take_rows(w, r, rows, middle, from, warps), each = (all + warps - 1) / warps;
    uint32_t begin = ms_warp() * each, end = begin + each < all ? begin + each : all;
    uint32_t row = begin < end ? ms_row_of(rows, threads, begin) : threads;
    for (; row < threads && rows->begin[row] < end; row += MS_LANES) {
      uint32_t i = row + ms_lane(), length = 0;
      unsigned long long first = 0, edge = 0;
      if (i < threads) {
        uint32_t lo = rows->begin[i], hi = i + 1 < threads ? rows->begin[i + 1] : all;
        first = rows->first[i] + (lo < begin ? begin - lo : 0);
        lo = lo < begin ? begin : lo;
        hi = hi < end ? hi : end;
        length = lo < hi ? hi - lo : 0;
      }
      if (VISIT == MS_SQUARE_WEIGH && length > 0)
        edge = weight[middle.ids + from + i - neighbor];
      ms_visit_joined(neighbor, first, length,
                      [&](uint32_t x, uint32_t lane, bool valid, unsigned long long at) {
                        unsigned long long mine =
                            VISIT == MS_SQUARE_WEIGH ? ms_of_lane(edge, lane) : 0;
                        if (!valid || x == r.root)
                          return;
                        if (VISIT == MS_SQUARE_WEIGH)
                          weights += (ms_int128)ms_other_paths_to(r, x) * (mine + weight[at]);
                        else if (VISIT == MS_SQUARE_SUM)
                          sum += ms_enter_path(r, x);
                        else
                          (void)ms_enter_path(r, x);
                      });
    }
  }
  ms_wide_add(&w.sum, ms_wide_of(VISIT == MS_SQUARE_WEIGH ? weights : (ms_int128)sum * 2));
}

#endif
