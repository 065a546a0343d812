/* Blocks, the places of everything in global memory, and what is given up where it is scarce. */
#include "gpu/match/dfs/dfs_memory.h"

#include "base/status.h"
#include "gpu/common/launch.h"

enum {
  WALK_SHARE = 2,         /* the walk takes one part of this many of the memory */
  LEAST_ROWS = 1024,      /* of an output, where memory is scarce */
  MOST_LISTED = INT32_MAX /* entries of a list: blocks that find none count on, within 32 bits */
};

uint64_t ms_dfs_list_room(const ms_dfs_runner *r)
{
  uint64_t arcs = r->match.packed.source->index->arcs;
  if (r->kernel == MS_DFS_SQUARES) { /* a listed root has more than `small` paths */
    double listed = r->paths / r->launch.small + 1;
    uint64_t roots = r->match.packed.program.roots;
    uint64_t whole = (listed < (double)roots ? (uint64_t)listed : roots) *
                     r->launch.ranges.range[MS_SQUARE_CLASSES];
    double parts = r->launch.ranges.parts * (double)arcs * (double)arcs;
    uint64_t most = whole * (MS_RANGE_PARTS - 1);
    return whole + (parts < (double)most ? (uint64_t)parts : most) + 1;
  }
  if (r->kernel == MS_DFS_PATHS) { /* of each root, no more than MS_PARTS - 1 */
    double parts = r->paths / r->launch.slice;
    uint64_t roots = r->match.packed.program.roots, most = roots * (MS_PARTS - 2);
    return roots + (parts < (double)most ? (uint64_t)parts : most) + 1;
  }
  bool is_long = r->kernel == MS_DFS_CHAIN && r->match.packed.program.prefix > MS_SHORT_CHAIN;
  uint32_t slice = is_long ? r->launch.least : r->launch.slice;
  return arcs / slice + arcs / (ms_dfs_light(r) + 1) + 1;
}

uint64_t ms_dfs_place_scratch(ms_dfs_runner *r, bool listing)
{
  const ms_device_program *p = &r->match.packed.program;
  ms_dfs_launch *l = &r->launch, *second = &r->second;
  uint64_t warps = (uint64_t)l->blocks * l->warps;
  ms_gpu_layout at = {.base = r->scratch};
  r->search.queue = l->queue = second->queue = ms_gpu_place(&at, 1, sizeof *l->queue);
  if (ms_dfs_has_second(r) && warps < (uint64_t)second->blocks * second->warps)
    warps = (uint64_t)second->blocks * second->warps;
  l->far_sets = second->far_sets =
      ms_gpu_place(&at, warps * p->n_slots * l->far_room, sizeof *l->far_sets);
  if (l->square_common > 0) {
    uint64_t arcs = r->match.packed.source->index->arcs, n = r->match.packed.source->index->n;
    l->weight = second->weight = ms_gpu_place(&at, arcs > n ? arcs : n, sizeof *l->weight);
    l->triangles = ms_gpu_place(&at, arcs, sizeof *l->triangles);
  }
  for (int i = 0; i < (r->launch.whole ? 2 : 1) && ms_dfs_has_second(r); i++) {
    uint64_t room = ms_dfs_list_room(r);
    l->list[i].slices = ms_gpu_place(&at, room, sizeof *l->list[i].slices);
    l->list[i].sorted = r->sorts ? ms_gpu_place(&at, room, sizeof *l->list[i].sorted) : NULL;
    second->list[i] = l->list[i];
  }
  l->of_class =
      r->sorts ? ms_gpu_place(&at, (uint64_t)2 * MS_WORK_CLASSES, sizeof *l->of_class) : NULL;
  if (ms_dfs_has_second(r) && r->kernel == MS_DFS_PATHS) {
    bool is_shared =
        second->shared_bytes > sizeof(ms_dfs_block) + second->warps * second->warp_bytes;
    second->table = is_shared ? NULL : ms_gpu_place(&at, second->blocks, second->table_bytes);
    second->touched =
        ms_gpu_place(&at, second->blocks * second->touched_room, sizeof *second->touched);
  }
  if (ms_dfs_has_second(r) && ms_dfs_is_local(r) && second->matrices_bytes > 0)
    second->matrices = ms_gpu_place(&at, second->blocks, second->matrices_bytes);
  if (listing) {
    l->place = ms_gpu_place(&at, warps, sizeof *l->place);
    for (int i = 0; i < 2; i++)
      r->search.output[i] = ms_gpu_place(&at, r->search.room * p->prefix, sizeof(uint32_t));
  }
  return at.bytes;
}

ms_status ms_dfs_plan_blocks(ms_dfs_runner *r, ms_dfs_launch *l, ms_dfs_kernel kernel,
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
  else if (ms_dfs_has_second(r) && r->second.blocks > 1)
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

ms_status ms_dfs_fit_memory(ms_dfs_runner *r, ms_dfs_use use, uint64_t *bytes, ms_error *err)
{
  bool listing = use == MS_DFS_FOR_LIST;
  uint32_t share = use == MS_DFS_FOR_WALK ? WALK_SHARE : 1;
  uint64_t room;
  if (ms_dfs_has_second(r) && ms_dfs_list_room(r) > MOST_LISTED)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a list of work has more than 2^31 entries in this graph; use the CPU engine");
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
