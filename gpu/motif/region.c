#include "gpu/motif/region.h"

#include "base/status.h"
#include "gpu/common/device.h"

void ms_motif_region_list(const ms_motif_work *w, const ms_motif_units *units,
                          ms_staging_list *list)
{
  const ms_states *s = w->states;
  uint64_t n = w->ranked->n;
  ms_staging_add(list, s->next, (uint64_t)s->count * s->kinds * sizeof *s->next);
  ms_staging_add(list, s->joins, s->count * sizeof *s->joins);
  ms_staging_add(list, s->group_begin, ((uint64_t)s->count + 1) * sizeof *s->group_begin);
  ms_staging_add(list, s->group, s->group_begin[s->count] * sizeof *s->group);
  ms_staging_add(list, w->kind, n * sizeof *w->kind);
  if (w->in_rows) {
    ms_staging_add(list, w->unit, units->units * sizeof *w->unit);
    ms_staging_add(list, w->row, n * w->stride * sizeof *w->row);
    ms_staging_add(list, w->set, (uint64_t)s->sets * w->stride * sizeof *w->set);
    return;
  }
  ms_staging_add(list, s->set, (uint64_t)s->sets * s->kind_words * sizeof *s->set);
  ms_staging_add(list, units->root, units->units * sizeof *units->root);
  ms_staging_add(list, w->offset, (n + 1) * sizeof *w->offset);
  ms_staging_add(list, w->neighbor, w->ranked->offset[n] * sizeof *w->neighbor);
  ms_staging_add(list, units->left, n);
}

void ms_motif_region_place(const ms_motif_work *w, const ms_motif_units *units,
                           const ms_staging_list *list, uint8_t *memory, ms_motif_launch *l)
{
  const ms_states *s = w->states;
  const uint8_t *base = memory;
  l->next = ms_staging_place(list, base, s->next);
  l->joins = ms_staging_place(list, base, s->joins);
  l->group_begin = ms_staging_place(list, base, s->group_begin);
  l->group = ms_staging_place(list, base, s->group);
  l->kind = ms_staging_place(list, base, w->kind);
  l->kinds = s->kinds;
  l->kind_words = s->kind_words;
  l->size = w->ranked->size;
  l->units = units->units;
  l->stride = w->stride;
  l->hash = units->hash;
  if (w->in_rows) {
    l->unit = ms_staging_place(list, base, w->unit);
    l->row = ms_staging_place(list, base, w->row);
    l->set = ms_staging_place(list, base, w->set);
    return;
  }
  l->set = ms_staging_place(list, base, s->set);
  l->root = ms_staging_place(list, base, units->root);
  l->offset = ms_staging_place(list, base, w->offset);
  l->neighbor = ms_staging_place(list, base, w->neighbor);
  const uint8_t *left = ms_staging_place(list, base, units->left);
  l->left = memory + (left - base);
  l->longest = w->longest;
}

ms_status ms_motif_region_grid(const void *kernel, int device, const ms_motif_units *units,
                               ms_gpu_grid *grid, ms_error *err)
{
  ms_gpu_device facts;
  uint32_t warps = MS_MOTIF_WARPS, bytes = ms_motif_warp_bytes(units->hash), blocks;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  while (warps > 1 && warps * bytes > facts.shared / 4)
    warps /= 2;
  MS_TRY(ms_gpu_occupancy(kernel, warps * MS_GPU_WARP, warps * bytes, &blocks, err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for this motif; use the CPU");
  uint64_t most = (units->units + warps - 1) / warps;
  blocks *= (uint32_t)facts.multiprocessors;
  *grid =
      (ms_gpu_grid){blocks < most ? blocks : (uint32_t)most, warps * MS_GPU_WARP, warps * bytes};
  return MS_OK;
}

uint64_t ms_motif_collect_left(uint8_t *left, uint32_t n, uint32_t *root)
{
  uint64_t units = 0;
  for (uint32_t r = 0; r < n; r++)
    if (left[r]) {
      root[units++] = r;
      left[r] = 0;
    }
  return units;
}

uint64_t ms_motif_range_end(const uint32_t *root, uint64_t units, uint64_t begin)
{
  uint64_t end = begin + 1;
  while (end < units && root[end] == root[end - 1] + 1)
    end++;
  return end;
}
