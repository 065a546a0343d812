/* The launches of the engine `dfs`: kernels and shared memory.  Local programs have a file of their
 * own (dfs_local_plan.h), and so has memory (dfs_memory.h). */
#include "gpu/match/dfs/dfs_plan.h"

#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/launch.h"
#include "gpu/match/dfs/dfs_local_plan.h"
#include "gpu/match/dfs/dfs_memory.h"
#include "gpu/match/dfs/local_program.h"
#include "match/engine.h"

#define OUTPUT_BYTES ((uint64_t)64 << 20) /* of each of two outputs, if there is room */
enum {
  UNIT_WARPS = 8,        /* of a block whose warps work independently */
  TABLE_WARPS = 16,      /* of a block that shares a table */
  MOST_UNITS = 64,       /* of a stretch: some microseconds of work where rows are short */
  PARTS = 32,            /* of roots with a table for each multiprocessor, about .. */
  LEAST_PART = 4096,     /* .. but with at least these paths each, and at most these */
  MOST_PART = 1 << 21,   /* so that MS_PARTS parts, for each lane, are fewer than 2^32 */
  MOST_RANGE = 1 << 21,  /* paths of a part of a range: a millisecond of work, about */
  RANGE_WORDS = 1 << 14, /* of counters: two blocks share a multiprocessor */
  MOST_NEAR = 256
};

/* ---- sizes ---------------------------------------------------------------------- */

/* Returns a bound on the length of stored sets: the longest row.  A set that is made from the
 * rows of two vertices is no longer than the second longest row. */
static uint32_t longest_set(const ms_device_program *p, const ms_device_index *index)
{
  bool two = !index->directed;
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].slot != UINT8_MAX)
      two = two && !p->set[i].subtract;
  return two ? index->second : index->longest;
}

static void plan_sets(ms_dfs_runner *r)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->launch;
  uint32_t most = (longest_set(p, &r->match.index) + 31) / 32 * 32;
  if (p->n_slots > 0) {
    l->near_room = ms_hooks.gpu_dfs_set_bytes / (p->n_slots * (uint32_t)sizeof(uint32_t)) / 32 * 32;
    l->near_room = l->near_room < 32 ? 32 : l->near_room > MOST_NEAR ? MOST_NEAR : l->near_room;
    l->near_room = l->near_room < most ? l->near_room : most;
    l->far_room = most > l->near_room ? most : 0;
  }
  l->warp_bytes =
      ms_dfs_layout_of(p->prefix, p->n_sets, p->n_groups, p->n_slots, l->near_room).bytes;
}

bool ms_dfs_is_by_codegrees(const ms_dfs_runner *r)
{
  return r->kernel == MS_DFS_LOCAL && r->match.packed.program.codegrees;
}

uint64_t ms_dfs_units_of(const ms_dfs_runner *r)
{
  return ms_dfs_is_by_codegrees(r) ? r->match.index.n : r->match.packed.program.units;
}

/* Returns a bound on the paths of length two from a root and its neighbours. */
static uint64_t most_paths(const ms_dfs_runner *r)
{
  uint64_t longest =
      r->match.index.longest; /* of the rows of all neighbours: no row of another kind is longer */
  return longest * longest + longest;
}

/* Returns a bound on the number of paths of length two from all vertices together, and of arcs.  An
 * index of relations does not state its degrees; there, the first and the second step of a path
 * follow rows of two kinds, and so do those from its middle, of which each is at most as long as
 * the longest row of the middle. */
static double count_paths(const ms_pattern_index *index)
{
  double paths = 0;
  if (index->graph)
    return index->square_degrees + (double)index->arcs;
  for (uint32_t i = 0; i < index->n; i++) {
    uint32_t longest = 0;
    for (uint32_t kind = 0; kind < index->kinds; kind++) {
      uint32_t length = ms_row_length(&index->rows[kind], i);
      longest = length > longest ? length : longest;
    }
    paths += (double)longest * longest + longest;
  }
  return paths;
}

/* True if the candidates of a level from this one on are all vertices with an entry in the table.
 */
static bool takes_touched(const ms_device_program *p, uint32_t from)
{
  for (uint32_t i = from; i < p->prefix; i++)
    if (p->step[i].source == MS_DEVICE_FROM_TOUCHED)
      return true;
  return false;
}

/* Returns the most paths of a part of a root, which has more parts if it would otherwise take a
 * good part of the time of a block.  Filling the table is all the work of programs of two levels,
 * and blocks that have divided the entries do not have all candidates of a later level. */
static uint32_t part_paths(const ms_dfs_runner *r, const ms_gpu_device *facts)
{
  const ms_device_program *p = &r->match.packed.program;
  double all = r->match.packed.source->index->square_degrees,
         part = all / (PARTS * (double)facts->multiprocessors);
  if (p->prefix < 3 || takes_touched(p, 2))
    return UINT32_MAX;
  if (ms_hooks.gpu_dfs_part_paths > 0)
    return ms_hooks.gpu_dfs_part_paths;
  return part < LEAST_PART ? LEAST_PART : part < MOST_PART ? (uint32_t)part : MOST_PART;
}

/* Returns the bytes of a block's table: an entry is at most the length of the root's row. */
static uint64_t bytes_of_table(const ms_device_index *index)
{
  uint64_t entry = index->longest < 1u << 15 ? sizeof(uint16_t) : sizeof(uint32_t);
  return ((uint64_t)index->n * entry + 15) / 16 * 16;
}

/* Plans the first launch of a program with a table: each warp has a hash table, the list of the
 * entries that it has touched, and their number. */
static void plan_paths(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  ms_dfs_launch *l = &r->launch;
  bool far = bytes_of_table(&r->match.index) > facts->shared;
  l->slice = part_paths(r, facts);
  l->hash_room = r->match.packed.program.joined && far ? MS_HASH_MORE : MS_HASH_ROOM;
  l->small = ms_hooks.gpu_dfs_warp_paths < l->hash_room / 2 ? ms_hooks.gpu_dfs_warp_paths
                                                            : l->hash_room / 2;
  l->most = MS_DFS_MOST_ROOTS;
  l->warp_bytes = l->warp_bytes + (5 * l->hash_room / 2 + 4) * (uint32_t)sizeof(uint32_t);
}

/* Returns the first id of [lo, hi), in which degrees ascend, that has at least this degree. */
static uint32_t first_of_degree(const ms_neighbor_rows *rows, uint32_t lo, uint32_t hi,
                                uint64_t degree)
{
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (ms_row_length(rows, middle) < degree)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* Plans the ranges of ids that blocks count (dfs_squares.cuh).  Where degrees do not ascend, all
 * ids are of one class: x is not the root, so that no more paths than the second longest row lead
 * to it. */
static void plan_classes(const ms_dfs_runner *r, ms_square_ranges *ranges)
{
  const ms_pattern_index *index = r->match.packed.source->index;
  const ms_device_domain *domain = &r->match.packed.program.step[1].domain;
  bool ascends = index->by_degree && !index->ranges;
  uint32_t words =
      ms_hooks.gpu_dfs_counters < RANGE_WORDS ? ms_hooks.gpu_dfs_counters : RANGE_WORDS;
  while (2u << ranges->log_words <= words)
    ranges->log_words++;
  for (uint32_t c = 0; c <= MS_SQUARE_CLASSES; c++) {
    uint64_t degree = c == 0 ? 2 : (uint64_t)1 << (1u << c);
    if (c == MS_SQUARE_CLASSES)
      ranges->id[c] = domain->hi;
    else if (ascends)
      ranges->id[c] = first_of_degree(&index->rows[MS_ROWS_ANY], domain->lo, domain->hi, degree);
    else
      ranges->id[c] = degree > r->match.index.second ? domain->hi : domain->lo;
    uint32_t before = c > 0 ? ranges->id[c] - ranges->id[c - 1] : 0;
    if (before > 0)
      ranges->range[c] = ((before - 1) >> ms_square_log_ids(ranges, c - 1)) + 1;
    if (c > 0)
      ranges->range[c] += ranges->range[c - 1];
  }
}

/* Returns the most paths of a part of a range. */
static double range_paths(const ms_dfs_runner *r, const ms_gpu_device *facts)
{
  double part = r->paths / (PARTS * (double)facts->multiprocessors);
  if (ms_hooks.gpu_dfs_part_paths > 0)
    return ms_hooks.gpu_dfs_part_paths;
  return part < LEAST_PART ? LEAST_PART : part < MOST_RANGE ? part : MOST_RANGE;
}

/* Plans the first launch of a program of squares. */
static void plan_squares(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  ms_dfs_launch *l = &r->launch;
  plan_classes(r, &l->ranges);
  double arcs = (double)r->match.packed.source->index->arcs;
  l->ranges.parts = r->paths / (arcs * arcs) / range_paths(r, facts);
  l->small = ms_hooks.gpu_dfs_square_paths < MS_SQUARE_PATHS ? ms_hooks.gpu_dfs_square_paths
                                                             : MS_SQUARE_PATHS;
  l->near_room = l->far_room = 0;
  l->warp_bytes = (MS_SQUARE_WARP_BYTES + 15) / 16 * 16;
}

ms_dfs_kernel ms_dfs_first_kernel(const ms_dfs_runner *r)
{
  if (r->launch.teams)
    return MS_DFS_TEAM_CHAINS;
  if (r->launch.screen > 0)
    return r->kernel == MS_DFS_CHAIN ? MS_DFS_SCREENED_CHAIN : MS_DFS_SCREENED_LOCAL;
  return r->launch.square_common > 0 ? MS_DFS_WEIGHTED_SQUARES : r->kernel;
}

/* Allows the kernels that make weights the shared memory of the first launch, which they share. */
static ms_status allow_weights(const ms_dfs_runner *r, ms_error *err)
{
  const ms_dfs_launch *l = &r->launch;
  uint32_t ignored;
  for (ms_dfs_kernel k = MS_DFS_TRIANGLES; l->square_common > 0 && k <= MS_DFS_WEIGHTS; k++)
    MS_TRY(ms_gpu_occupancy(ms_dfs_function(k), l->warps * MS_GPU_WARP, l->shared_bytes, &ignored,
                            err));
  return MS_OK;
}

/* Plans the first launch: blocks of independent warps, no more than there is work for. */
static ms_status plan_first(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &r->launch;
  uint32_t others = (uint32_t)(sizeof(ms_dfs_block) + (l->teams ? sizeof(ms_team) : 0));
  l->warps = l->teams ? MS_TEAM_THREADS / MS_GPU_WARP : UNIT_WARPS;
  while (l->warps > 1 && others + l->warps * l->warp_bytes > facts->shared)
    l->warps /= 2;
  l->shared_bytes = others + l->warps * l->warp_bytes;
  MS_TRY(allow_weights(r, err));
  ms_status status = ms_dfs_plan_blocks(r, l, ms_dfs_first_kernel(r), facts, err);
  uint64_t wanted = ms_dfs_units_of(r) / (l->teams ? 1 : l->warps) + 1;
  l->blocks = l->blocks < wanted ? l->blocks : (uint32_t)wanted;
  return status;
}

/* Plans the launch for ranges: rows and counters are all that the blocks keep in shared memory. */
static ms_status plan_ranges(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &r->second;
  *l = r->launch;
  l->warp_bytes = 0;
  l->warps = (l->square_common > 0 ? MS_WEIGH_THREADS : MS_RANGE_THREADS) / MS_GPU_WARP;
  l->shared_bytes = (uint32_t)(sizeof(ms_dfs_block) + ms_range_bytes(&l->ranges));
  return ms_dfs_plan_blocks(r, l, l->square_common > 0 ? MS_DFS_WEIGHTED_RANGES : MS_DFS_RANGES,
                            facts, err);
}

/* Plans the launch for roots of many paths: one block for each part of a root, with a table. */
static ms_status plan_table(ms_dfs_runner *r, const ms_gpu_device *facts, uint32_t warp_bytes,
                            ms_error *err)
{
  ms_dfs_launch *l = &r->second;
  *l = r->launch;
  l->table_half = r->match.index.longest < 1u << 15;
  l->table_bytes = bytes_of_table(&r->match.index);
  l->touched_room = most_paths(r) < l->index.n ? most_paths(r) : l->index.n;
  l->warp_bytes = warp_bytes;
  l->warps = TABLE_WARPS;
  while (l->warps > 1 && sizeof(ms_dfs_block) + l->warps * l->warp_bytes > facts->shared)
    l->warps /= 2;
  uint64_t plain = sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
  l->shared_bytes =
      (uint32_t)(plain + (plain + l->table_bytes <= facts->shared ? l->table_bytes : 0));
  ms_status status = ms_dfs_plan_blocks(r, l, MS_DFS_TABLE, facts, err);
  uint64_t wanted = ms_dfs_list_room(r);
  l->blocks = l->blocks < wanted ? l->blocks : (uint32_t)wanted;
  return status;
}

/* Plans the launch for what the first one lists, if there can be anything.  warp_bytes: of the sets
 * of a warp. */
static ms_status plan_second(ms_dfs_runner *r, const ms_gpu_device *facts, uint32_t warp_bytes,
                             ms_error *err)
{
  const ms_packed_program *packed = &r->match.packed;
  uint32_t small = ms_dfs_light(r);
  if (ms_dfs_is_by_codegrees(r))
    return r->match.index.longest > small ? ms_dfs_plan_codegrees(r, facts, err) : MS_OK;
  if (ms_dfs_is_local(r))
    return ms_local_universe(packed->source, &packed->program) > small
               ? ms_dfs_plan_slices(r, facts, err)
               : MS_OK;
  if (most_paths(r) <= small)
    return MS_OK;
  return r->kernel == MS_DFS_PATHS     ? plan_table(r, facts, warp_bytes, err)
         : r->kernel == MS_DFS_SQUARES ? plan_ranges(r, facts, err)
                                       : MS_OK;
}

/* ---- launches ----------------------------------------------------------------------- */

/* In a graph of few vertices, tables that blocks have in shared memory are faster than counters of
 * squares: on an H200, 0.5 and 0.9 ms for the 4-cycles of email-Enron. */
static ms_dfs_kernel kernel_of(const ms_dfs_runner *r, ms_dfs_use use)
{
  const ms_device_program *p = &r->match.packed.program;
  if (use == MS_DFS_FOR_SQUARES)
    return MS_DFS_SQUARES;
  if (use != MS_DFS_FOR_COUNT)
    return use == MS_DFS_FOR_LIST ? MS_DFS_LIST : MS_DFS_COUNT;
  return p->squares && r->match.index.n >= ms_hooks.gpu_dfs_square_vertices ? MS_DFS_SQUARES
         : p->table                                                         ? MS_DFS_PATHS
         : p->chain                                                         ? MS_DFS_CHAIN
         : p->local                                                         ? MS_DFS_LOCAL
                                                                            : MS_DFS_COUNT;
}

ms_status ms_dfs_plan(ms_dfs_runner *r, const ms_gpu_device *facts, ms_dfs_use use, uint64_t *bytes,
                      ms_error *err)
{
  const ms_device_program *p = &r->match.packed.program;
  r->launch.index = r->match.index;
  r->launch.program = r->match.program;
  r->launch.most = MOST_UNITS;
  r->search.room = use == MS_DFS_FOR_LIST ? OUTPUT_BYTES / (p->prefix * sizeof(uint32_t)) : 0;
  r->kernel = kernel_of(r, use);
  if (r->kernel == MS_DFS_PATHS || r->kernel == MS_DFS_SQUARES)
    r->paths = count_paths(r->match.packed.source->index);
  if (ms_dfs_is_local(r)) {
    bool fits;
    MS_TRY(ms_dfs_check_room(r, facts, &fits, err));
    r->kernel = fits ? r->kernel : MS_DFS_COUNT;
  }
  plan_sets(r);
  uint32_t warp_bytes = r->launch.warp_bytes;
  if (ms_dfs_is_local(r))
    ms_dfs_plan_local(r, facts);
  else if (r->kernel == MS_DFS_PATHS)
    plan_paths(r, facts);
  else if (r->kernel == MS_DFS_SQUARES)
    plan_squares(r, facts);
  MS_TRY(plan_first(r, facts, err));
  MS_TRY(plan_second(r, facts, warp_bytes, err));
  r->sorts = ms_dfs_has_second(r) && r->kernel != MS_DFS_SQUARES &&
             r->match.packed.source->index->arcs >= ms_hooks.gpu_dfs_sorted_arcs;
  return ms_dfs_fit_memory(r, use, bytes, err);
}
