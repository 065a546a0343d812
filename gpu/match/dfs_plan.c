/* The launches of the engine `dfs`: kernels, blocks and shared memory, and the places of everything
 * in global memory. */
#include "gpu/match/dfs_plan.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/match/engines.h"

#define OUTPUT_BYTES ((uint64_t)64 << 20) /* of each of two outputs, if there is room */
enum {
  UNIT_WARPS = 8,    /* of a block whose warps work independently */
  TABLE_WARPS = 16,  /* of a block that shares a table */
  MOST_ROOTS = 8,    /* of a stretch, in local programs */
  SCREEN_ROOTS = 32, /* the same where they are screened, which takes a root for each lane */
  MOST_UNITS = 64,   /* of a stretch: some microseconds of work where rows are short */
  SLICE_WARPS = 16,
  CHAIN_WARPS = MS_CHAIN_THREADS / MS_GPU_WARP, /* the same in chains */
  ALONE_WARPS = MS_ALONE_THREADS / MS_GPU_WARP, /* most of a block that is alone */
  LEAST_ALONE = 16,                             /* least warps of such a block */
  SLICES = 32,         /* of a chain for each multiprocessor, if each candidate had one edge */
  PARTS = 32,          /* of roots with a table for each multiprocessor, about .. */
  LEAST_PART = 4096,   /* .. but with at least these paths each, and at most these */
  MOST_PART = 1 << 21, /* so that MS_PARTS parts, for each lane, are fewer than 2^32 */
  RANGE_WARPS = 16,    /* of a block with counters of a range */
  RANGE_BYTES = 113 << 10,
  SLICE_BYTES = 112 << 10, /* of shared memory, so that a multiprocessor holds two blocks */
  LOCAL_WARPS = 2,         /* least warps of a block with a large universe .. */
  MATRICES = 16, /* .. and matrices for which there is memory; with less room, local programs are
                    searched as others are */
  CHAIN_SURE = 8192,      /* vertices of a chain's universe for which there is always room */
  FEW_VERTICES = 1 << 17, /* of a graph whose codegrees are soon counted by blocks: their bits take
                             16 KiB; diamonds took 0.23 ms, not 0.32, in wiki-Vote on an H200 */
  WHOLE_SLICE = 2048,     /* of a universe; several blocks take a part of a larger one */
  MOST_NEAR = 256,
  WALK_SHARE = 2,   /* the walk takes one part of this many of the memory */
  LEAST_ROWS = 1024 /* of an output, where memory is scarce */
};

/* The rest of the shared memory is L1 cache, which holds the rows. */
uint32_t ms_gpu_dfs_near_bytes = 2048;
uint32_t ms_gpu_dfs_warp_degree = MS_ENDS_SMALL, ms_gpu_dfs_slice_length = 64;
uint32_t ms_gpu_dfs_warp_paths = MS_HASH_MORE / 2, ms_gpu_dfs_part_paths = 0;
uint32_t ms_gpu_dfs_square_ids = 1 << 16;
/* Sorting takes two launches: some microseconds, as long as a tenth of a search in a small graph.
 */
uint64_t ms_gpu_dfs_sorted_arcs = 1 << 20;
uint32_t ms_gpu_dfs_chain_room = MS_CHAIN_ROOM, ms_gpu_dfs_finder = UINT32_MAX;
uint32_t ms_gpu_dfs_sure_universe = MS_LOCAL_FEW, ms_gpu_dfs_near_universe = MS_LOCAL_MOST;
/* Roots are screened where the mean universe is expected to have fewer edges than this. */
double ms_gpu_dfs_screen = 0.25;
uint32_t ms_gpu_dfs_few_paths = MS_SQUARE_PATHS, ms_gpu_dfs_range = UINT32_MAX;

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
    l->near_room = ms_gpu_dfs_near_bytes / (p->n_slots * (uint32_t)sizeof(uint32_t)) / 32 * 32;
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

static bool is_local(const ms_dfs_runner *r)
{
  return r->kernel == MS_DFS_LOCAL || r->kernel == MS_DFS_CHAIN;
}

static bool has_second(const ms_dfs_runner *r)
{
  return r->second.blocks > 0;
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

/* Returns the number of ranges of ids, each of as many as a block has counters. */
static uint64_t ranges_of(const ms_dfs_runner *r)
{
  const ms_device_domain *domain = &r->match.packed.program.step[1].domain;
  return (domain->hi - domain->lo) / r->launch.slice + 1;
}

/* Returns a bound on the length of the list: roots, or slices of them, of which each root's last
 * one may not be full. */
static uint64_t list_room(const ms_dfs_runner *r)
{
  uint64_t arcs = r->match.packed.source->index->arcs;
  if (r->kernel == MS_DFS_SQUARES) { /* a listed root has more than `small` paths */
    double listed = r->paths / r->launch.small + 1;
    uint64_t roots = r->match.packed.program.roots;
    return (listed < (double)roots ? (uint64_t)listed : roots) * ranges_of(r) + 1;
  }
  if (r->kernel == MS_DFS_PATHS) { /* of each root, no more than MS_PARTS - 1 */
    double parts = r->paths / r->launch.slice;
    uint64_t roots = r->match.packed.program.roots, most = roots * (MS_PARTS - 2);
    return roots + (parts < (double)most ? (uint64_t)parts : most) + 1;
  }
  bool is_long = r->kernel == MS_DFS_CHAIN && r->match.packed.program.prefix > MS_SHORT_CHAIN;
  uint32_t slice = is_long ? r->launch.least : r->launch.slice;
  return arcs / slice + arcs / (r->launch.small + 1) + 1;
}

/* Returns the length of a chain's slices, of a long chain in a small universe (ms_slice_length).
 * Each slice makes the matrix again, so that slices are long in graphs of many edges. */
static uint32_t chain_slice(const ms_dfs_runner *r, const ms_gpu_device *facts)
{
  uint32_t prefix = r->match.packed.program.prefix, usual = ms_gpu_dfs_slice_length;
  uint64_t share =
      r->match.packed.source->index->arcs / 2 / (SLICES * (uint64_t)facts->multiprocessors);
  if (prefix > MS_SHORT_CHAIN)
    return prefix == MS_SHORT_CHAIN + 1 ? 2 * usual : usual;
  if (prefix < MS_SHORT_CHAIN || share > WHOLE_SLICE)
    return WHOLE_SLICE;
  return share > 4 * usual ? (uint32_t)share : 4 * usual;
}

/* Returns the number of edges without which a root of a chain or of a program of codegrees has no
 * match, if roots with so many are expected to be rare; otherwise 0. */
static uint32_t screen_of(const ms_dfs_runner *r)
{
  const ms_device_program *p = &r->match.packed.program;
  const ms_pattern_index *index = r->match.packed.source->index;
  double length = (double)index->arcs / index->n / (p->codegrees ? 1 : 2);
  if ((!p->chain && !p->codegrees) || !index->by_degree || index->coloring ||
      length * length * index->closure[0] > ms_gpu_dfs_screen)
    return 0;
  return p->chain ? p->prefix * (p->prefix - 1) / 2 : p->product ? 1 : p->group[0].size;
}

/* Plans the first launch of a local program, in which warps have no sets in global memory. */
static void plan_local(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->launch;
  bool small_bits = r->launch.index.n <= FEW_VERTICES;
  uint32_t most = p->codegrees ? (small_bits ? MS_LOCAL_SMALL : MS_CHAIN_SMALL)
                  : p->chain   ? MS_CHAIN_SMALL
                  : p->ends    ? MS_ENDS_SMALL
                               : MS_LOCAL_SMALL;
  l->small = ms_gpu_dfs_warp_degree < most ? ms_gpu_dfs_warp_degree : most;
  l->slice = p->prefix == 2 ? WHOLE_SLICE
                            : ms_gpu_dfs_slice_length; /* otherwise the matrix is all the work */
  if (p->chain) {
    l->small = p->prefix <= MS_SHORT_CHAIN ? l->small : l->small / 4; /* a warp has them alone */
    l->slice = chain_slice(r, facts);
    l->least = ms_least_slice(l->slice);
  }
  if (p->codegrees)
    l->slice = 4 * ms_gpu_dfs_slice_length;
  uint32_t stride = ms_matrix_stride(p, l->small);
  uint32_t team = ms_by_fours(l->small) + ms_filter_words(l->small) + p->n_filters * stride +
                  l->small * (p->ends ? 1 : stride);
  l->most = MOST_ROOTS;
  l->near_room = 0;
  l->far_room = 0;
  uint32_t of_warp = p->chain ? ms_chain_warp_bytes(p->prefix, stride, 0)
                              : ms_local_warp_bytes(p->prefix, p->n_local_slots, stride);
  l->warp_bytes = 16 + of_warp + team * 4;
  l->warp_bytes = (l->warp_bytes + 15) / 16 * 16;
  l->screen = screen_of(r);
  if (l->screen > 0) {
    l->warp_bytes += MS_SCREEN_BYTES;
    l->most = SCREEN_ROOTS;
  }
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
  if (ms_gpu_dfs_part_paths > 0)
    return ms_gpu_dfs_part_paths;
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
  l->small = ms_gpu_dfs_warp_paths < l->hash_room / 2 ? ms_gpu_dfs_warp_paths : l->hash_room / 2;
  l->most = MOST_ROOTS;
  l->warp_bytes = l->warp_bytes + (5 * l->hash_room / 2 + 4) * (uint32_t)sizeof(uint32_t);
}

/* Plans the first launch of a program of squares, and the number of counters that a block of the
 * second has. */
static void plan_squares(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  const ms_device_domain *domain = &r->match.packed.program.step[1].domain;
  ms_dfs_launch *l = &r->launch;
  uint64_t most = facts->shared < RANGE_BYTES ? facts->shared : RANGE_BYTES;
  uint32_t ids = domain->hi - domain->lo;
  /* x is not the root, so that no more paths than the second longest row lead to it */
  l->table_half = r->match.index.second < 1u << 16;
  l->slice = (uint32_t)(most - sizeof(ms_dfs_block)) / 4 * (l->table_half ? 2 : 1);
  l->slice = l->slice < ms_gpu_dfs_range ? l->slice : ms_gpu_dfs_range;
  l->slice = l->slice < ids ? l->slice : (ids + 1) / 2 * 2 + 2;
  l->small = ms_gpu_dfs_few_paths < MS_SQUARE_PATHS ? ms_gpu_dfs_few_paths : MS_SQUARE_PATHS;
  l->near_room = l->far_room = 0;
  l->warp_bytes = (MS_SQUARE_WARP_BYTES + 15) / 16 * 16;
}

uint64_t ms_dfs_place_scratch(ms_dfs_runner *r, bool listing)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->launch, *second = &r->second;
  uint64_t warps = (uint64_t)l->blocks * l->warps;
  ms_gpu_layout at = {.base = r->scratch};
  r->search.queue = l->queue = second->queue = ms_gpu_place(&at, 1, sizeof *l->queue);
  if (has_second(r) && warps < (uint64_t)second->blocks * second->warps)
    warps = (uint64_t)second->blocks * second->warps;
  l->far_sets = second->far_sets =
      ms_gpu_place(&at, warps * p->n_slots * l->far_room, sizeof *l->far_sets);
  if (l->square_common > 0) {
    uint64_t arcs = r->match.packed.source->index->arcs;
    l->weight = second->weight = ms_gpu_place(&at, arcs, sizeof *l->weight);
    l->triangles = ms_gpu_place(&at, arcs, sizeof *l->triangles);
  }
  if (has_second(r))
    l->slices = second->slices = ms_gpu_place(&at, list_room(r), sizeof *l->slices);
  l->sorted = second->sorted = r->sorts ? ms_gpu_place(&at, list_room(r), sizeof *l->sorted) : NULL;
  l->of_class =
      r->sorts ? ms_gpu_place(&at, (uint64_t)2 * MS_WORK_CLASSES, sizeof *l->of_class) : NULL;
  if (has_second(r) && r->kernel == MS_DFS_PATHS) {
    bool is_shared =
        second->shared_bytes > sizeof(ms_dfs_block) + second->warps * second->warp_bytes;
    second->table = is_shared ? NULL : ms_gpu_place(&at, second->blocks, second->table_bytes);
    second->touched =
        ms_gpu_place(&at, second->blocks * second->touched_room, sizeof *second->touched);
  }
  if (has_second(r) && is_local(r) && second->matrices_bytes > 0)
    second->matrices = ms_gpu_place(&at, second->blocks, second->matrices_bytes);
  if (listing) {
    l->place = ms_gpu_place(&at, warps, sizeof *l->place);
    for (int i = 0; i < 2; i++)
      r->search.output[i] = ms_gpu_place(&at, r->search.room * p->prefix, sizeof(uint32_t));
  }
  return at.bytes;
}

/* Sets the number of blocks to what all multiprocessors hold. */
static ms_status plan_blocks(ms_dfs_runner *r, ms_dfs_launch *l, ms_dfs_kernel kernel,
                             const ms_gpu_device *facts, ms_error *err)
{
  uint32_t blocks;
  MS_TRY(ms_gpu_occupancy(ms_dfs_function(kernel), l->warps * MS_GPU_WARP, l->shared_bytes, &blocks,
                          err));
  l->blocks = blocks * (uint32_t)facts->multiprocessors;
  if (l->blocks == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the plan's %u sets do not fit a multiprocessor; use the CPU engine",
                   r->match.packed.program.n_sets);
  return MS_OK;
}

ms_dfs_kernel ms_dfs_first_kernel(const ms_dfs_runner *r)
{
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
  l->warps = UNIT_WARPS;
  while (l->warps > 1 && sizeof(ms_dfs_block) + l->warps * l->warp_bytes > facts->shared)
    l->warps /= 2;
  l->shared_bytes = (uint32_t)sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
  MS_TRY(allow_weights(r, err));
  ms_status status = plan_blocks(r, l, ms_dfs_first_kernel(r), facts, err);
  uint64_t wanted = ms_dfs_units_of(r) / l->warps + 1;
  l->blocks = l->blocks < wanted ? l->blocks : (uint32_t)wanted;
  return status;
}

/* Returns the bytes of the largest matrix. */
static uint64_t bytes_of_matrix(const ms_dfs_runner *r)
{
  const ms_packed_program *packed = &r->match.packed;
  return ms_local_matrix_words(packed->source, &packed->program) * sizeof(uint32_t);
}

/* Returns the bytes that a block has in shared memory for a universe besides the matrix and a hash
 * table: its ids, a filter and masks. */
static uint64_t bytes_of_team(const ms_device_program *p, uint32_t universe)
{
  return (ms_by_fours(universe) + ms_filter_words(universe) +
          p->n_filters * ms_matrix_stride(p, universe)) *
         sizeof(uint32_t);
}

/* The same of a warp. */
static uint32_t bytes_of_local_warp(const ms_device_program *p, uint32_t universe)
{
  uint32_t stride = ms_matrix_stride(p, universe);
  uint32_t bytes = p->chain ? ms_chain_warp_bytes(p->prefix, stride, ms_gpu_dfs_chain_room)
                            : ms_local_warp_bytes(p->prefix, p->n_local_slots, stride);
  return (bytes + 15) / 16 * 16;
}

/* True if a block of so many warps has room in shared memory for the largest universe. */
static bool has_shared(const ms_dfs_runner *r, const ms_gpu_device *facts, uint32_t warps)
{
  const ms_device_program *p = &r->match.packed.program;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  return sizeof(ms_dfs_block) + bytes_of_team(p, universe) +
             warps * bytes_of_local_warp(p, universe) <=
         facts->shared;
}

/* Returns the bytes of a block's masks and sets if they are in global memory, as they are where
 * shared memory holds them for too few warps; otherwise 0.  The ids are then read in the graph. */
static uint64_t bytes_of_far(const ms_dfs_runner *r, const ms_gpu_device *facts)
{
  const ms_device_program *p = &r->match.packed.program;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  if (!p->local_upper ||
      (universe <= ms_gpu_dfs_near_universe && has_shared(r, facts, SLICE_WARPS / 2)))
    return 0;
  uint64_t parts = p->n_filters + (uint64_t)SLICE_WARPS * p->n_local_slots;
  return ms_gpu_aligned((parts * ms_matrix_stride(p, universe) + 1) * sizeof(uint32_t));
}

/* Plans the second launch of a local program with a large universe, of which blocks have only a
 * filter and lists in shared memory. */
static ms_status plan_far_slices(ms_dfs_launch *l, uint64_t matrix, ms_dfs_runner *r,
                                 const ms_gpu_device *facts, ms_error *err)
{
  uint32_t lists = ms_local_warp_bytes(r->match.packed.program.prefix, 0, 0);
  l->finder = 0;
  l->warp_bytes = (lists + 15) / 16 * 16;
  l->matrix_bytes = 0;
  l->matrices_bytes = ms_gpu_aligned(matrix) + l->far_bytes;
  l->shared_bytes = (uint32_t)(sizeof(ms_dfs_block) + l->warps * l->warp_bytes +
                               ms_filter_words(l->universe) * sizeof(uint32_t));
  return plan_blocks(r, l, MS_DFS_SLICES, facts, err);
}

/* Returns the warps of a block of a chain that has a multiprocessor alone, with the whole matrix in
 * shared memory; 0: there is no room.  Two smaller blocks would read a matrix in global memory, far
 * more often than they make it, but for K4, where nearly all work is to make it.  On an H100, K6 of
 * R-MAT 20 takes 928 ms so, before 1,196, and K5 44.6 ms, before 46.8; on an H200, K4 took 17.9 ms
 * so, and 16.6 by two blocks.  others: bytes of the block besides warps and matrix. */
static uint32_t warps_alone(const ms_gpu_device *facts, uint64_t others, uint32_t warp_bytes,
                            uint64_t matrix)
{
  uint32_t warps = ALONE_WARPS;
  while (warps >= LEAST_ALONE && others + warps * warp_bytes + matrix > facts->shared)
    warps -= 4;
  return warps >= LEAST_ALONE ? warps : 0;
}

/* Plans the second launch of a local program by its largest universe. */
static ms_status plan_slices(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->second;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  universe = universe > 0 ? universe : 1;
  uint64_t matrix = bytes_of_matrix(r);
  uint64_t most = facts->shared < SLICE_BYTES ? facts->shared : SLICE_BYTES;
  *l = r->launch;
  l->universe = universe;
  l->warps = p->chain ? CHAIN_WARPS : SLICE_WARPS;
  l->finder = 2 * universe <= ms_gpu_dfs_finder ? 64 : 0;
  while (l->finder > 0 && l->finder < 2 * universe)
    l->finder *= 2;
  l->room = ms_gpu_dfs_chain_room;
  l->warp_bytes = bytes_of_local_warp(p, universe);
  l->far_bytes = r->launch.far_bytes = bytes_of_far(r, facts);
  if (l->far_bytes > 0)
    return plan_far_slices(l, matrix, r, facts, err);
  uint64_t of_finder = l->finder * sizeof(uint32_t);
  uint64_t all = sizeof(ms_dfs_block) + bytes_of_team(p, universe);
  if (all + of_finder + l->warps * l->warp_bytes > most) /* then a multiprocessor has one block */
    most = facts->shared;
  if (all + of_finder + l->warps * l->warp_bytes > most)
    l->finder = 0;
  all += l->finder * sizeof(uint32_t);
  bool two = all + l->warps * l->warp_bytes + matrix <= most;
  uint32_t alone = p->chain && p->prefix >= MS_SHORT_CHAIN && !two
                       ? warps_alone(facts, all, l->warp_bytes, matrix)
                       : 0;
  if (alone > 0) {
    most = facts->shared;
    l->warps = alone;
    if (l->least < l->slice) /* a longer slice, as more warps share it */
      l->least = MS_LEAST_OF_WARP * alone < l->slice ? MS_LEAST_OF_WARP * alone : l->slice;
    r->launch.least = l->least;
  }
  while (l->warps > 1 && all + l->warps * l->warp_bytes > most)
    l->warps /= 2;
  uint64_t bytes = all + l->warps * l->warp_bytes;
  uint64_t left = most > bytes ? (most - bytes) / 16 * 16 : 0;
  l->matrix_bytes = (uint32_t)(matrix < left ? (matrix + 15) / 16 * 16 : left);
  l->matrices_bytes = matrix <= left ? 0 : ms_gpu_aligned(matrix);
  l->shared_bytes = (uint32_t)bytes + l->matrix_bytes;
  return plan_blocks(r, l, p->chain ? MS_DFS_CHAIN_SLICES : MS_DFS_SLICES, facts, err);
}

/* Plans the second launch of a program of codegrees: the bits of all vertices are in shared memory,
 * if they fit. */
static ms_status plan_codegrees(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &r->second;
  uint64_t bytes = ((uint64_t)r->launch.index.n + 127) / 128 * 16;
  *l = r->launch;
  l->warps = SLICE_WARPS;
  l->warp_bytes = ms_dfs_layout_of(2, 0, 1, 0, 0).bytes;
  uint64_t plain = sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
  bool fits = plain + bytes <= facts->shared;
  l->matrix_bytes = fits ? (uint32_t)bytes : 0;
  l->matrices_bytes = fits ? 0 : ms_gpu_aligned(bytes);
  l->shared_bytes = (uint32_t)plain + l->matrix_bytes;
  return plan_blocks(r, l, MS_DFS_CODEGREES, facts, err);
}

/* Plans the launch for ranges: their counters are all that the blocks keep in shared memory. */
static ms_status plan_ranges(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &r->second;
  *l = r->launch;
  l->warp_bytes = 0;
  l->warps = RANGE_WARPS;
  l->shared_bytes = (uint32_t)sizeof(ms_dfs_block) + (l->table_half ? l->slice / 2 : l->slice) * 4;
  return plan_blocks(r, l, l->square_common > 0 ? MS_DFS_WEIGHTED_RANGES : MS_DFS_RANGES, facts,
                     err);
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
  ms_status status = plan_blocks(r, l, MS_DFS_TABLE, facts, err);
  uint64_t wanted = list_room(r);
  l->blocks = l->blocks < wanted ? l->blocks : (uint32_t)wanted;
  return status;
}

/* Leaves the list as it is, or reduces the output, the number of blocks, and then the number of
 * warps.  False if nothing can be reduced. */
static bool shrink_plan(ms_dfs_runner *r, bool listing)
{
  ms_dfs_launch *l = &r->launch;
  if (r->sorts)
    r->sorts = false;
  else if (listing && r->search.room > LEAST_ROWS &&
           r->search.room * r->match.packed.program.prefix >= (uint64_t)l->blocks * LEAST_ROWS)
    r->search.room /= 2;
  else if (has_second(r) && r->second.blocks > 1)
    r->second.blocks -= (r->second.blocks + 7) / 8;
  else if (l->blocks > 1)
    l->blocks -= (l->blocks + 7) / 8;
  else if (l->warps > 1) {
    l->shared_bytes -= l->warp_bytes * (l->warps - l->warps / 2);
    l->warps /= 2;
  } else if (listing && r->search.room > 1)
    r->search.room /= 2;
  else
    return false;
  return true;
}

static ms_status fit_memory(ms_dfs_runner *r, ms_dfs_use use, uint64_t *bytes, ms_error *err)
{
  bool listing = use == MS_DFS_FOR_LIST;
  uint32_t share = use == MS_DFS_FOR_WALK ? WALK_SHARE : 1;
  uint64_t room;
  *bytes = ms_dfs_place_scratch(r, listing);
  MS_TRY(ms_gpu_room(&r->match.gpu, share * *bytes, &room, err));
  room /= share;
  while (*bytes > room) {
    if (!shrink_plan(r, listing))
      return ms_fail(
          err, MS_ERR_MEMORY,
          "the candidate sets of the fewest warps take %.1f KiB of GPU memory, and %.1f KiB are "
          "left; " MS_GPU_MORE_MEMORY ", or use the CPU engine",
          (double)*bytes / 1024, (double)room / 1024);
    *bytes = ms_dfs_place_scratch(r, listing);
  }
  return MS_OK;
}

/* ---- launches ----------------------------------------------------------------------- */

/* Finds whether a block has room for the largest universe, and the device's memory for a good
 * number of its matrices. */
static ms_status check_room(const ms_dfs_runner *r, const ms_gpu_device *facts, bool *fits,
                            ms_error *err)
{
  const ms_device_program *p = &r->match.packed.program;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  *fits = true;
  if (p->codegrees || universe <= (p->chain ? CHAIN_SURE : ms_gpu_dfs_sure_universe))
    return MS_OK;
  uint64_t wanted = MATRICES * (bytes_of_matrix(r) + bytes_of_far(r, facts)), room;
  MS_TRY(ms_gpu_room(&r->match.gpu, wanted, &room, err));
  *fits = room >= wanted && (bytes_of_far(r, facts) > 0 || has_shared(r, facts, LOCAL_WARPS));
  return MS_OK;
}

/* In a graph of few vertices, tables that blocks have in shared memory are faster than counters of
 * squares: on an H200, 0.5 and 0.9 ms for the 4-cycles of email-Enron. */
static ms_dfs_kernel kernel_of(const ms_dfs_runner *r, ms_dfs_use use)
{
  const ms_device_program *p = &r->match.packed.program;
  if (use == MS_DFS_FOR_SQUARES)
    return MS_DFS_SQUARES;
  if (use != MS_DFS_FOR_COUNT)
    return use == MS_DFS_FOR_LIST ? MS_DFS_LIST : MS_DFS_COUNT;
  return p->squares && r->match.index.n >= ms_gpu_dfs_square_ids ? MS_DFS_SQUARES
         : p->table                                              ? MS_DFS_PATHS
         : p->chain                                              ? MS_DFS_CHAIN
         : p->local                                              ? MS_DFS_LOCAL
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
  if (is_local(r)) {
    bool fits;
    MS_TRY(check_room(r, facts, &fits, err));
    r->kernel = fits ? r->kernel : MS_DFS_COUNT;
  }
  plan_sets(r);
  uint32_t warp_bytes = r->launch.warp_bytes;
  if (is_local(r))
    plan_local(r, facts);
  else if (r->kernel == MS_DFS_PATHS)
    plan_paths(r, facts);
  else if (r->kernel == MS_DFS_SQUARES)
    plan_squares(r, facts);
  ms_status status = plan_first(r, facts, err);
  if (status == MS_OK && ms_dfs_is_by_codegrees(r) && r->match.index.longest > r->launch.small)
    status = plan_codegrees(r, facts, err);
  else if (status == MS_OK && is_local(r) && !ms_dfs_is_by_codegrees(r) &&
           ms_local_universe(r->match.packed.source, p) > r->launch.small)
    status = plan_slices(r, facts, err);
  else if (status == MS_OK && r->kernel == MS_DFS_PATHS && most_paths(r) > r->launch.small)
    status = plan_table(r, facts, warp_bytes, err);
  else if (status == MS_OK && r->kernel == MS_DFS_SQUARES && most_paths(r) > r->launch.small)
    status = plan_ranges(r, facts, err);
  r->sorts = has_second(r) && r->kernel != MS_DFS_SQUARES &&
             r->match.packed.source->index->arcs >= ms_gpu_dfs_sorted_arcs;
  return status == MS_OK ? fit_memory(r, use, bytes, err) : status;
}
