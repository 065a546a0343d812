/* The launches of local programs: warps for small universes, blocks for slices of the others. */
#include "gpu/match/dfs/dfs_local_plan.h"

#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/launch.h"
#include "gpu/match/dfs/dfs_memory.h"
#include "gpu/match/dfs/local_program.h"
#include "match/engine.h"

#include <math.h>

enum {
  TEAM_LEVELS = 6,   /* of a chain that teams search */
  SCREEN_ROOTS = 32, /* of a stretch where roots are screened, which takes a root for each lane */
  SLICE_WARPS = 16,
  DENSE_SHARE = 16, /* the work of a dense universe for a block, of that for a warp */
  CHAIN_WARPS = MS_CHAIN_THREADS / MS_GPU_WARP, /* the same in chains */
  ALONE_WARPS = MS_ALONE_THREADS / MS_GPU_WARP, /* most of a block that is alone */
  LEAST_ALONE = 16,                             /* least warps of such a block */
  SLICES = 32,             /* of a chain for each multiprocessor, if each candidate had one edge */
  SLICE_BYTES = 112 << 10, /* of shared memory, so that a multiprocessor holds two blocks */
  LOCAL_WARPS = 2,         /* least warps of a block with a large universe .. */
  MATRICES = 16, /* .. and matrices for which there is memory; with less room, local programs are
                    searched as others are */
  CHAIN_SURE = 8192,      /* vertices of a chain's universe for which there is always room */
  FEW_VERTICES = 1 << 17, /* of a graph whose codegrees are soon counted by blocks: their bits take
                             16 KiB; diamonds of wiki-Vote take 0.23 ms so on an H200, else 0.32 */
  WHOLE_SLICE = 2048      /* of a universe; several blocks take a part of a larger one */
};

/* ---- warps ------------------------------------------------------------------------- */

/* Returns the length of a chain's slices, of a long chain in a small universe (ms_slice_length).
 * Each slice makes the matrix again, so that slices are long in graphs of many edges. */
static uint32_t chain_slice(const ms_dfs_runner *r, const ms_gpu_device *facts)
{
  uint32_t prefix = r->match.packed.program.prefix, usual = ms_hooks.gpu_dfs_slice;
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
      length * length * index->closure[0] > ms_hooks.gpu_dfs_screen_edges)
    return 0;
  return p->chain ? p->prefix * (p->prefix - 1) / 2 : p->product ? 1 : p->group[0].size;
}

/* True if blocks are to search batches of small universes (dfs_team.cuh). */
static bool has_teams(const ms_dfs_runner *r)
{
  const ms_packed_program *packed = &r->match.packed;
  return packed->program.chain && packed->program.prefix <= TEAM_LEVELS &&
         packed->source->index->arcs < ms_hooks.gpu_dfs_team_arcs &&
         packed->source->index->n < MS_TEAM_IDS && screen_of(r) == 0;
}

/* Plans blocks that search batches of small universes. */
static void plan_teams(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  ms_dfs_launch *l = &r->launch;
  l->teams = true;
  l->dense = HUGE_VAL;
  l->small = MS_CHAIN_SMALL;
  l->slice = chain_slice(r, facts);
  l->least = ms_least_slice(l->slice);
  l->near_room = 0;
  l->far_room = 0;
  l->warp_bytes =
      ms_chain_warp_bytes(r->match.packed.program.prefix, ms_chain_stride(MS_CHAIN_SMALL), 0, 0);
}

void ms_dfs_plan_local(ms_dfs_runner *r, const ms_gpu_device *facts)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->launch;
  if (has_teams(r)) {
    plan_teams(r, facts);
    return;
  }
  bool small_bits = r->launch.index.n <= FEW_VERTICES;
  uint32_t most = p->codegrees ? (small_bits ? MS_LOCAL_SMALL : MS_CHAIN_SMALL)
                  : p->chain   ? MS_CHAIN_SMALL
                  : p->ends    ? MS_ENDS_SMALL
                               : MS_LOCAL_SMALL;
  l->small = ms_hooks.gpu_dfs_warp_degree < most ? ms_hooks.gpu_dfs_warp_degree : most;
  l->slice = p->prefix == 2 ? WHOLE_SLICE
                            : ms_hooks.gpu_dfs_slice; /* otherwise the matrix is all the work */
  l->whole = ms_dfs_is_long_chain(r);
  l->dense = l->whole ? ms_hooks.gpu_dfs_dense : HUGE_VAL;
  if (p->chain) {
    l->slice = chain_slice(r, facts);
    l->least = ms_least_slice(l->slice);
  }
  if (p->codegrees)
    l->slice = 4 * ms_hooks.gpu_dfs_slice;
  uint32_t stride = ms_matrix_stride(p, l->small);
  uint32_t team = ms_by_fours(l->small) + ms_filter_words(l->small) + p->n_filters * stride +
                  l->small * (p->ends ? 1 : stride);
  l->most = MS_DFS_MOST_ROOTS;
  l->near_room = 0;
  l->far_room = 0;
  uint32_t of_warp = p->chain ? ms_chain_warp_bytes(p->prefix, stride, 0, 0)
                              : ms_local_warp_bytes(p->prefix, p->n_local_slots, stride);
  l->warp_bytes = 16 + of_warp + team * 4;
  l->warp_bytes = (l->warp_bytes + 15) / 16 * 16;
  l->screen = screen_of(r);
  if (l->screen > 0) {
    l->warp_bytes += MS_SCREEN_BYTES;
    l->most = SCREEN_ROOTS;
  }
}

/* ---- blocks ------------------------------------------------------------------------ */

/* Returns the most bytes of shared memory with which two blocks share a multiprocessor. */
static uint64_t most_shared(const ms_gpu_device *facts)
{
  return facts->shared < SLICE_BYTES ? facts->shared : SLICE_BYTES;
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
  uint32_t bytes = p->chain ? ms_chain_warp_bytes(p->prefix, stride, ms_hooks.gpu_dfs_chain_room, 0)
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
      (universe <= ms_hooks.gpu_dfs_shared_universe && has_shared(r, facts, SLICE_WARPS / 2)))
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
  return ms_dfs_plan_blocks(r, l, MS_DFS_SLICES, facts, err);
}

/* Returns the warps of a block of a chain that has a multiprocessor alone, with the whole matrix in
 * shared memory; 0: there is no room.  Two smaller blocks would read a matrix in global memory, far
 * more often than they make it, but for K4, where nearly all work is to make it.  On an H100, K6 of
 * R-MAT 20 takes 928 ms so and 1,196 by two, and K5 44.6 and 46.8; on an H200, K4 takes 17.9 ms
 * so, and 16.6 by two blocks.  others: bytes of the block besides warps and matrix. */
static uint32_t warps_alone(const ms_gpu_device *facts, uint64_t others, uint32_t warp_bytes,
                            uint64_t matrix)
{
  uint32_t warps = ALONE_WARPS;
  while (warps >= LEAST_ALONE && others + warps * warp_bytes + matrix > facts->shared)
    warps -= 4;
  return warps >= LEAST_ALONE ? warps : 0;
}

/* Plans wide rows in what warps and matrix leave of a block's `bytes`.  Only a block that is alone
 * has them, because only large universes have large sets: with them in two blocks, K7 of R-MAT 17
 * takes 477 ms on an H200, and 463 without. */
static void plan_wide_rows(ms_dfs_launch *l, uint64_t bytes, uint64_t matrix)
{
  uint64_t used = (uint64_t)l->warps * l->warp_bytes + (matrix + 15) / 16 * 16;
  uint64_t wide = bytes > used ? (bytes - used) / l->warps / MS_CHAIN_WIDE_BYTES : 0;
  l->wide = wide < MS_CHAIN_WIDE ? (uint32_t)wide : MS_CHAIN_WIDE;
  l->warp_bytes += l->wide * MS_CHAIN_WIDE_BYTES;
}

ms_status ms_dfs_plan_slices(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->second;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  universe = universe > 0 ? universe : 1;
  uint64_t matrix = bytes_of_matrix(r);
  uint64_t most = most_shared(facts);
  *l = r->launch;
  l->dense *= DENSE_SHARE;
  l->universe = universe;
  l->warps = p->chain ? CHAIN_WARPS : SLICE_WARPS;
  l->finder = 2 * universe <= ms_hooks.gpu_dfs_finder_places ? 64 : 0;
  while (l->finder > 0 && l->finder < 2 * universe)
    l->finder *= 2;
  l->room = ms_hooks.gpu_dfs_chain_room;
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
  if (p->chain && p->prefix > MS_SHORT_CHAIN && (alone > 0 || ms_hooks.gpu_dfs_wide_rows))
    plan_wide_rows(l, most > all ? most - all : 0, matrix);
  uint64_t bytes = all + l->warps * l->warp_bytes;
  uint64_t left = most > bytes ? (most - bytes) / 16 * 16 : 0;
  l->matrix_bytes = (uint32_t)(matrix < left ? (matrix + 15) / 16 * 16 : left);
  l->matrices_bytes = matrix <= left ? 0 : ms_gpu_aligned(matrix);
  l->shared_bytes = (uint32_t)bytes + l->matrix_bytes;
  return ms_dfs_plan_blocks(r, l, p->chain ? MS_DFS_CHAIN_SLICES : MS_DFS_SLICES, facts, err);
}

ms_status ms_dfs_plan_codegrees(ms_dfs_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_dfs_launch *l = &r->second;
  uint64_t bytes = ((uint64_t)r->launch.index.n + 127) / 128 * 16, plain;
  *l = r->launch;
  l->warps = SLICE_WARPS;
  l->warp_bytes = ms_dfs_layout_of(2, 0, 1, 0, 0).bytes;
  plain = sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
  if (plain + bytes > most_shared(facts)) { /* then a multiprocessor has one block */
    l->warps = MS_CODEGREE_THREADS / MS_GPU_WARP;
    plain = sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
  }
  uint64_t room = facts->shared > plain ? (facts->shared - plain) / 16 * 16 : 0;
  room = room < ms_hooks.gpu_dfs_near_bits / 8 ? room : ms_hooks.gpu_dfs_near_bits / 128 * 16;
  l->far_bytes = bytes > room ? bytes - room : 0;
  l->matrix_bytes = (uint32_t)(bytes - l->far_bytes);
  l->matrices_bytes = ms_gpu_aligned(l->far_bytes);
  l->shared_bytes = (uint32_t)plain + l->matrix_bytes;
  return ms_dfs_plan_blocks(r, l, MS_DFS_CODEGREES, facts, err);
}

ms_status ms_dfs_check_room(const ms_dfs_runner *r, const ms_gpu_device *facts, bool *fits,
                            ms_error *err)
{
  const ms_device_program *p = &r->match.packed.program;
  uint32_t universe = ms_local_universe(r->match.packed.source, p);
  *fits = true;
  if (p->codegrees || universe <= (p->chain ? CHAIN_SURE : ms_hooks.gpu_dfs_sure_universe))
    return MS_OK;
  uint64_t wanted = MATRICES * (bytes_of_matrix(r) + bytes_of_far(r, facts)), room;
  MS_TRY(ms_gpu_room(&r->match.gpu, wanted, &room, err));
  *fits = room >= wanted && (bytes_of_far(r, facts) > 0 || has_shared(r, facts, LOCAL_WARPS));
  return MS_OK;
}
