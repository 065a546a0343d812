/* What a block does in a launch of the engine `dfs`; dfs_local_block.cuh has local programs. */
#ifndef MS_GPU_MATCH_DFS_BLOCK_CUH
#define MS_GPU_MATCH_DFS_BLOCK_CUH

#include "gpu/match/dfs/dfs_list.cuh"
#include "gpu/match/dfs/dfs_squares.cuh"
#include "gpu/match/dfs/dfs_visit.cuh"
#include "gpu/match/dfs/dfs_weights.cuh"

/* ---- dfs joined ------------------------------------------------------------------------------ */

/* Programs of three levels whose tail is looked up in the table: 5-cycles.  Level 1 is a vertex x
 * of the table, and level 2 a neighbour y of x.
 *
 * In a graph of short rows, nearly all of the time would go into waiting for the row of one x after
 * the other.  So a warp takes an x for each lane, and goes over the concatenation of their rows:
 * the loads of 32 rows do not wait for each other, and all lanes have an element.
 *
 * What bounds the speed where rows are short: one load and one or two look-ups in a hash table in
 * shared memory for each y, and the place of a lane's element in the concatenation. */

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

/* ---- dfs block ------------------------------------------------------------------------------- */

/* Copies word by word, by all threads of the block. */
MS_DEVICE void ms_copy_words(const void *from, void *to, uint32_t bytes, uint32_t threads)
{
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < bytes / 4; i += threads)
    ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

MS_DEVICE void ms_fill_words(uint32_t value, void *to, uint64_t bytes, uint32_t threads)
{
  for (uint64_t i = ms_warp() * MS_LANES + ms_lane(); i < bytes / 4; i += threads)
    ((uint32_t *)to)[i] = value;
}

/* Clears words, and up to three after them. */
MS_DEVICE void ms_clear_fours(uint32_t *to, uint32_t words, uint32_t threads)
{
  struct alignas(16) four {
    uint32_t word[4];
  };
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < (words + 3) / 4; i += threads)
    ((four *)to)[i] = {{0, 0, 0, 0}};
}

MS_DEVICE void ms_begin_block(const ms_dfs_launch &launch, uint8_t *shared, bool table)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  uint32_t threads = launch.warps * MS_LANES;
  ms_copy_words(launch.program, &block->program, sizeof block->program, threads);
  ms_fill_words(0, &block->sum, sizeof block->sum, threads);
  if (table && !launch.table)
    ms_fill_words(0, shared + sizeof *block + launch.warps * launch.warp_bytes, launch.table_bytes,
                  threads);
  ms_sync_block();
}

MS_DEVICE ms_walk ms_walk_of(const ms_dfs_launch &launch, uint8_t *shared, bool table)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  const ms_device_program &p = block->program;
  uint8_t *mine = shared + sizeof *block + ms_warp() * launch.warp_bytes;
  ms_dfs_layout l = ms_dfs_layout_of(p.prefix, p.n_sets, p.n_groups, p.n_slots, launch.near_room);
  uint64_t warp = (uint64_t)ms_block() * launch.warps + ms_warp();
  ms_walk w = {};
  w.p = &p;
  w.index = &launch.index;
  w.level = (ms_walk_level *)(mine + l.level);
  w.set = (ms_device_span *)(mine + l.set);
  w.match = (uint32_t *)(mine + l.match);
  w.size = (uint32_t *)(mine + l.size);
  w.near_sets = (uint32_t *)(mine + l.near_sets);
  w.near_room = launch.near_room;
  w.far_sets = launch.far_sets + warp * p.n_slots * launch.far_room;
  w.far_room = launch.far_room;
  if (table) {
    w.table = launch.table ? launch.table + ms_block() * launch.table_bytes
                           : shared + sizeof *block + launch.warps * launch.warp_bytes;
    w.touched = launch.touched + ms_block() * launch.touched_room;
    w.touched_room = launch.touched_room;
    w.table_kind = launch.table_half ? MS_TABLE_HALF : MS_TABLE_FULL;
  }
  w.queue = launch.queue;
  w.rows = launch.rows;
  w.capacity = launch.capacity;
  w.enough = launch.enough;
  return w;
}

/* Adds what the lanes have counted to the block's sum, and that to the launch's. */
MS_DEVICE void ms_end_block(const ms_dfs_launch &launch, uint8_t *shared, const ms_walk &w)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_wide_add_lanes(w.sum, &block->sum);
  ms_sync_block();
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < MS_SUM_DIGITS;
       i += launch.warps * MS_LANES)
    if (block->sum.digit[i])
      ms_add(&launch.queue->sum.digit[i], block->sum.digit[i]);
}

MS_DEVICE ms_stretch ms_first_stretch(const ms_dfs_launch &launch)
{
  ms_stretch s = {0, 0,           ms_places_of_launch(launch),
                  0, launch.most, (uint64_t)launch.blocks * launch.warps};
  return s;
}

/* Searches units; each warp works by itself. */
template <bool LIST> MS_DEVICE void ms_dfs_units(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_stretch s = ms_first_stretch(launch);
  ms_device_place *place =
      launch.place ? launch.place + (uint64_t)ms_block() * launch.warps + ms_warp() : NULL;
  ms_search_units<LIST>(w, launch.share, s, place);
  ms_end_block(launch, shared, w);
}

/* ---- programs with a table ------------------------------------------------------ */

/* Takes the next entry of the list, for all warps of the block.  False if none is left. */
MS_DEVICE bool ms_next_listed(const ms_dfs_launch &launch, ms_dfs_block *block, ms_slice *slice)
{
  ms_sync_block();
  if (ms_warp() == 0 && ms_lane() == 0) {
    const ms_work_list &list = launch.list[launch.from];
    uint32_t at = ms_add(&launch.queue->unlisted[launch.from], 1u);
    bool some = at < ms_peek(&launch.queue->listed[launch.from]) && !ms_peek(&launch.queue->stop);
    block->stop = !some;
    if (some)
      block->slice = (list.sorted ? list.sorted : list.slices)[at];
    block->child = block->n_touched[0] = block->n_touched[1] = 0;
  }
  ms_sync_block();
  *slice = block->slice;
  return !block->stop;
}

/* Searches the block's part of the candidates of level 1, which its warps share in portions.  No
 * warp is to begin a vertex of a long row when the others have ended: such vertices are the last
 * ones of a row, which come first, and among the first ones that a table has met. */
MS_DEVICE void ms_search_children(ms_walk &w, uint32_t warps, uint32_t *next)
{
  const ms_device_program &p = *w.p;
  bool is_touched = p.step[1].source == MS_DEVICE_FROM_TOUCHED;
  bool is_whole = w.parts <= 1 || is_touched;
  uint32_t some = p.quick && p.prefix == 2 ? 8 * MS_LANES : 1;
  if (p.joined) /* as many as there are lanes, if this leaves work for all warps */
    some = w.n_touched / (4 * warps) < MS_LANES ? w.n_touched / (4 * warps) + 1 : MS_LANES;
  uint32_t step = is_whole ? 1 : w.parts, from = is_whole ? 0 : w.part;
  const ms_device_span span = ms_candidates(w, 1);
  uint32_t count = span.length > from ? (span.length - from + step - 1) / step : 0;
  while (!w.stopped) {
    uint32_t at = count;
    if (ms_lane() == 0 && ms_peek(next) < count) /* so that *next never goes far beyond it */
      at = ms_add(next, some);
    at = ms_of_lane(at, 0);
    if (at >= count)
      return;
    uint32_t end = count - at < some ? count : at + some; /* portion [at, end), in either order */
    uint32_t first = is_touched ? at : count - end, last = is_touched ? end - 1 : count - 1 - at;
    ms_device_span part = span;
    part.length = from + last * step + 1;
    if (p.joined)
      ms_joined_levels(w, part, first, part.length);
    else
      (void)ms_search<false>(w, 1, 1, ms_level_of(part, from + first * step), NULL);
  }
}

/* Searches the listed parts of roots, one block for each. */
MS_DEVICE void ms_dfs_roots(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_begin_block(launch, shared, true);
  ms_walk w = ms_walk_of(launch, shared, true);
  ms_slice listed;
  while (ms_next_listed(launch, block, &listed)) {
    ms_match(w, 0, ms_root_at(w, listed.root));
    if (!ms_compute_sets(w, 0)) /* all warps get the same result */
      continue;
    w.part = listed.slice / MS_PARTS;
    w.parts = listed.slice % MS_PARTS;
    ms_fill_table(w, ms_middles(w), ms_warp(), launch.warps, block->n_touched);
    ms_sync_block();
    w.n_touched = block->n_touched[0];
    ms_search_children(w, launch.warps, &block->child);
    ms_sync_block();
    ms_clear_table(w, launch.warps, block->n_touched);
  }
  ms_end_block(launch, shared, w);
}

/* Lists the parts [first, end) of a root in list `to`.  SHARED: only those that belong to the
 * launch. */
template <bool SHARED, typename entry>
MS_DEVICE void ms_list_parts_of(const ms_dfs_launch &launch, uint32_t to, uint32_t root,
                                uint32_t first, uint32_t end, const entry &entry_of)
{
  for (uint32_t i = first + ms_lane(); i - ms_lane() < end; i += MS_LANES) {
    bool mine = i < end && (!SHARED || ms_lists_part(launch, root, i));
    uint32_t mask = ms_ballot(mine), at = 0;
    if (mask && ms_lane() == 0)
      at = ms_add(&launch.queue->listed[to], ms_count_bits(mask));
    at = ms_of_lane(at, 0);
    if (mine)
      launch.list[to].slices[at + ms_rank(mask)] = entry_of(i);
  }
}

/* Lists the parts of a root of many paths; each part fills its own table. */
MS_DEVICE void ms_list_parts(const ms_walk &w, const ms_dfs_launch &launch, uint32_t number,
                             const ms_device_span &middle)
{
  uint32_t most = launch.slice < UINT32_MAX ? launch.slice * (MS_PARTS - 2) : 0;
  uint32_t paths = ms_paths_most(w, middle, most), parts = paths / launch.slice + 1;
  parts = parts < MS_PARTS ? parts : MS_PARTS - 1;
  ms_list_parts_of<true>(launch, 0, number, 0, parts, [&](uint32_t i) {
    return ms_listed_part(launch, 0, number, i * MS_PARTS + parts, paths / parts);
  });
}

/* Searches a root of few paths by one warp; lists any other root. */
MS_DEVICE void ms_paths_root(ms_walk &w, const ms_dfs_launch &launch, uint32_t number,
                             uint32_t *n_touched)
{
  ms_match(w, 0, ms_root_at(w, number));
  ms_device_span middle = ms_middles(w);
  uint32_t most = ms_paths_most(w, middle, launch.small);
  if (most > launch.small) {
    ms_list_parts(w, launch, number, middle);
    return;
  }
  if (!ms_counts_root(launch, number) || !ms_compute_sets(w, 0))
    return;
  ms_clear_paths(w, most);
  if (ms_lane() == 0)
    *n_touched = 0;
  ms_sync_warp();
  ms_fill_table(w, middle, 0, 1, n_touched);
  ms_sync_warp();
  w.n_touched = *n_touched;
  if (w.p->joined)
    ms_joined_levels(w, ms_candidates(w, 1), 0, w.n_touched);
  else
    (void)ms_search<false>(w, 1, 1, ms_level_of(ms_candidates(w, 1), 0), NULL);
  ms_sync_warp();
}

MS_DEVICE void ms_dfs_paths(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  uint32_t *mine =
      (uint32_t *)(shared + sizeof(ms_dfs_block) + (ms_warp() + 1) * launch.warp_bytes) - 4;
  w.table_kind = MS_TABLE_HASH;
  w.touched = mine - launch.hash_room / 2;
  w.table_key = w.touched - launch.hash_room;
  w.table = w.table_key - launch.hash_room;
  ms_stretch s = ms_first_stretch(launch);
  while (!w.stopped && !ms_is_over(w) && ms_take(w, 0, &s))
    for (uint64_t at = s.first; at < s.last && !w.stopped; at++) {
      uint64_t root = ms_unit_of_launch(launch, at);
      if (root < launch.share.units)
        ms_paths_root(w, launch, (uint32_t)root, mine);
    }
  ms_end_block(launch, shared, w);
}

/* ---- programs of squares (dfs_squares.cuh) --------------------------------------- */

/* Counts the roots of few paths, and lists the ranges of the others. */
template <bool WEIGHTED> MS_DEVICE void ms_dfs_squares(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_square_warp *mine =
      (ms_square_warp *)(shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes);
  uint32_t first, last;
  while (!ms_is_over(w) && ms_next_roots(w, launch, &first, &last))
    ms_count_roots<WEIGHTED>(w, launch, mine, first, last);
  ms_end_block(launch, shared, w);
}

/* Counts the listed ranges, one block for each. */
template <bool WEIGHTED> MS_DEVICE void ms_dfs_ranges(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_range_rows *rows = (ms_range_rows *)(shared + sizeof *block);
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_square_range r = {(uint32_t *)(rows + 1), 0, 0, 0, {0, 0}, 0, 0};
  ms_slice slice;
  while (ms_next_listed(launch, block, &slice)) {
    r.root = ms_root_at(w, slice.root);
    ms_take_range(&r, w, launch.ranges, slice.slice, ms_ends_of_paths(block->program, r.root));
    uint32_t used = r.x.hi - r.lo < 1u << r.log_words ? r.x.hi - r.lo : 1u << r.log_words;
    ms_clear_fours(r.counter, used, launch.warps * MS_LANES); /* rows are taken behind a barrier */
    if (!WEIGHTED) {
      ms_count_range<MS_SQUARE_SUM>(w, r, rows, launch.warps, NULL);
      continue;
    }
    ms_count_range<MS_SQUARE_ENTER>(w, r, rows, launch.warps, NULL);
    ms_sync_block();
    ms_count_range<MS_SQUARE_WEIGH>(w, r, rows, launch.warps, launch.weight);
  }
  ms_end_block(launch, shared, w);
}

/* Counts the triangles at each edge. */
MS_DEVICE void ms_dfs_triangles(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_square_warp *mine =
      (ms_square_warp *)(shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes);
  ms_visit_arcs(w, launch, launch.part, launch.parts,
                [&](const ms_arcs &a) { ms_count_triangles(w, mine, a, launch.triangles); });
}

/* Adds the maps of books at each vertex, in the place of the weights, from the triangles. */
template <bool AT_PAGE> MS_DEVICE void ms_dfs_books(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_square_warp *mine =
      (ms_square_warp *)(shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes);
  ms_visit_arcs(w, launch, 0, 1, [&](const ms_arcs &a) {
    if (AT_PAGE)
      ms_add_pages(w, mine, a, launch.square_common, launch.triangles, launch.weight);
    else
      ms_add_spines(w, a, launch.square_common, launch.triangles, launch.weight);
  });
}

/* Counts the further edges at triangles whose ends are above them; each is two maps. */
MS_DEVICE void ms_dfs_triangle_ends(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_square_warp *mine =
      (ms_square_warp *)(shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes);
  ms_visit_arcs(w, launch, launch.part, launch.parts, [&](const ms_arcs &a) {
    ms_wide_add(&w.sum, ms_wide_of((ms_int128)ms_count_ends(w, mine, a) * 2));
  });
  ms_end_block(launch, shared, w);
}

/* Adds the numbers of triangles that a device has counted to those of the others. */
MS_DEVICE void ms_dfs_add_triangles(const ms_dfs_launch &launch, uint8_t *)
{
  uint64_t threads = (uint64_t)launch.blocks * launch.warps * MS_LANES;
  uint64_t all = launch.index.rows[0].offset[launch.index.n];
  for (uint64_t i = (ms_block() * (uint64_t)launch.warps + ms_warp()) * MS_LANES + ms_lane();
       i < all; i += threads)
    launch.weight[i] += launch.triangles[i];
}

/* Makes weights of the triangles. */
MS_DEVICE void ms_dfs_weights(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_walk w = ms_walk_of(launch, shared, false);
  ms_visit_arcs(w, launch, 0, 1, [&](const ms_arcs &a) {
    ms_spread_weights(w, a, launch.square_common, launch.weight,
                      launch.parts == 1 ? launch.triangles : NULL);
  });
}

#endif
