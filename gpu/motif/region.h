/* A region on a GPU: the copies of the host's arrays, which counting and listing read. */
#ifndef MS_GPU_MOTIF_REGION_H
#define MS_GPU_MOTIF_REGION_H

#include "gpu/common/launch.h"
#include "gpu/common/staging.h"
#include "gpu/motif/work.h"

/* Units of a search that differ from the work's. */
typedef struct ms_motif_units {
  uint64_t units;
  const uint32_t *root; /* [units] in lists */
  const uint8_t *left;  /* [n] in lists */
  uint32_t hash;        /* entries of a warp's table, in lists */
} ms_motif_units;

/* Appends the arrays that kernels read to the list. */
void ms_motif_region_list(const ms_motif_work *work, const ms_motif_units *units,
                          ms_staging_list *list);
/* Fills a launch with the addresses of these arrays in the block at `memory`, and with sizes. */
void ms_motif_region_place(const ms_motif_work *work, const ms_motif_units *units,
                           const ms_staging_list *list, uint8_t *memory, ms_motif_launch *launch);
/* Finds the grid of a kernel for so many units.  The device is the thread's current one. */
ms_status ms_motif_region_grid(const void *kernel, int device, const ms_motif_units *units,
                               ms_gpu_grid *grid, ms_error *err);

/* Collects the roots that a search has left, root[<= n] ascending, and forgets that they are.
 * Returns their number. */
uint64_t ms_motif_collect_left(uint8_t *left, uint32_t n, uint32_t *root);
/* Returns the end of the neighbouring roots from `begin` on. */
uint64_t ms_motif_range_end(const uint32_t *root, uint64_t units, uint64_t begin);

#endif
