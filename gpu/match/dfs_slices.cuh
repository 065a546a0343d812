/* What blocks do for local programs (dfs_local.cuh). */
#ifndef MS_GPU_MATCH_DFS_SLICES_CUH
#define MS_GPU_MATCH_DFS_SLICES_CUH

#include "gpu/match/dfs_block.cuh"
#include "gpu/match/dfs_chain.cuh"

/* The part of a warp and the part of a team in shared memory. */
MS_DEVICE void ms_local_place(ms_local &l, uint8_t *of_warp, uint8_t *of_team, uint32_t ids_room,
                              uint32_t stride, uint8_t *matrix)
{
  const ms_device_program &p = *l.w.p;
  l.match = (uint32_t *)of_warp;
  l.list = l.match + p.prefix;
  l.sets = l.list + 2 * 32;
  l.ids = (uint32_t *)of_team;
  l.masks = (uint32_t *)of_team + ids_room;
  l.matrix = matrix ? (uint32_t *)matrix : l.masks + p.n_filters * stride;
}

/* The universe in hand; its ids are copied by the team. */
MS_DEVICE void ms_local_take_universe(ms_local &l, const ms_device_span &universe, uint32_t warp,
                                      uint32_t warps)
{
  l.size = universe.length;
  l.words = (l.size + 31) / 32;
  l.stride = ms_local_stride(l.size);
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < l.size; i += warps * MS_LANES)
    ((uint32_t *)l.ids)[i] = universe.ids[i];
}

/* ---- small universes, and a list of the others --------------------------------------- */

MS_DEVICE void ms_list_slices(const ms_local &l, const ms_dfs_launch &launch, uint32_t root,
                              uint32_t size)
{
  uint32_t count = (size + launch.slice - 1) / launch.slice, at = 0;
  if (ms_lane() == 0)
    at = ms_add(&l.w.queue->listed, count);
  at = ms_of_lane(at, 0);
  for (uint32_t i = ms_lane(); i < count; i += MS_LANES) {
    ms_slice slice = {root, i};
    launch.slices[at + i] = slice;
  }
}

MS_DEVICE void ms_local_root(ms_local &l, const ms_dfs_launch &launch, uint32_t number,
                             uint32_t *next)
{
  uint32_t root = ms_root_at(l.w, number);
  ms_device_span universe = ms_universe(l.w, root, &l.root_at);
  if (universe.length < l.w.p->local_need)
    return;
  if (universe.length > launch.small) {
    ms_list_slices(l, launch, number, universe.length);
    return;
  }
  ms_sync_memory();
  ms_local_take_universe(l, universe, 0, 1);
  if (ms_lane() == 0)
    *next = 0;
  ms_sync_memory();
  ms_local_build(l, 0, 1, [] { ms_sync_memory(); });
  ms_sync_memory();
  if (l.w.p->chain)
    ms_chain_root(l);
  else if (ms_local_sets(l, 0))
    ms_local_children(l, 0, l.size, next);
}

MS_DEVICE void ms_dfs_local(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_begin_block(launch, shared, false);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  uint8_t *mine = shared + sizeof(ms_dfs_block) + ms_warp() * launch.warp_bytes;
  uint32_t *next = (uint32_t *)mine; /* 16 bytes: what follows is aligned */
  uint32_t stride = ms_local_stride(launch.small);
  uint32_t of_warp = ms_local_warp_bytes(l.w.p->prefix, l.w.p->n_local_slots, stride);
  ms_local_place(l, mine + 16, mine + 16 + of_warp, launch.small, stride, NULL);
  ms_stretch s = {0, 0, launch.end, 0, launch.most, (uint64_t)launch.blocks * launch.warps};
  while (!l.w.stopped && !ms_is_over(l.w) && ms_take(l.w, launch.first, &s))
    for (uint64_t root = s.first; root < s.last && !l.w.stopped; root++)
      ms_local_root(l, launch, (uint32_t)root, next);
  ms_end_block(launch, shared, l.w);
}

/* ---- slices ------------------------------------------------------------------------------ */

MS_DEVICE void ms_dfs_slices(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_begin_block(launch, shared, false);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  uint32_t room = ms_local_stride(launch.universe);
  uint8_t *of_team = shared + sizeof *block + launch.warps * launch.warp_bytes;
  uint8_t *matrix = launch.matrices ? launch.matrices + ms_block() * launch.matrices_bytes : NULL;
  ms_slice slice;
  while (ms_next_listed(launch, block, &slice)) {
    ms_device_span universe = ms_universe(l.w, ms_root_at(l.w, slice.root), &l.root_at);
    uint32_t words = universe.length * (l.w.p->ends ? 1 : ms_local_stride(universe.length));
    ms_local_place(l, shared + sizeof *block + ms_warp() * launch.warp_bytes, of_team,
                   launch.universe, room, words * 4 <= launch.matrix_bytes ? NULL : matrix);
    uint32_t from = slice.slice * launch.slice, to = universe.length - from;
    to = from + (to < launch.slice ? to : launch.slice);
    ms_local_take_universe(l, universe, ms_warp(), launch.warps);
    ms_sync_block();
    ms_local_build(l, ms_warp(), launch.warps, [] { ms_sync_block(); });
    ms_sync_block();
    if (ms_local_sets(l, 0)) /* all warps find the same */
      ms_local_children(l, from, to, &block->child);
  }
  ms_end_block(launch, shared, l.w);
}

#endif
