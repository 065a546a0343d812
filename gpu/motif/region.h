/* A region on a GPU: the copies of the host's arrays, which counting and listing read. */
#ifndef MS_GPU_MOTIF_REGION_H
#define MS_GPU_MOTIF_REGION_H

#include "gpu/common/launch.h"
#include "gpu/common/staging.h"
#include "gpu/motif/engine.h"
#include "gpu/motif/sets_device.h"
#include "motif/states.h"
#include "motif/units.h"

/* ---- work ------------------------------------------------------------------------------------ */

/* The work of counting or listing a region on GPUs: what the host makes before it is copied to each
 * device. */

/* The host's arrays; they are as in ms_motif_launch. */
typedef struct ms_motif_work {
  const ms_ranked *ranked;
  ms_budget *budget; /* of the host's memory; may be NULL */
  ms_kinds kinds;
  ms_states *states;
  ms_root_share share; /* in lists, no cut root is among the units */
  bool in_rows, listing;
  uint32_t width, stride; /* in rows: words of a lane, and of a row */
  uint32_t *kind;
  uint64_t units;
  double words; /* estimated words, or entries, that are read */

  ms_motif_unit *unit; /* in rows */
  uint32_t *row;
  uint32_t *set;

  uint32_t *offset; /* in lists */
  uint32_t *neighbor;
  uint32_t *root;
  uint8_t *left;
  bool is_short;     /* all rows are short */
  uint32_t longest;  /* as in ms_motif_launch */
  uint64_t reserved; /* bytes of the budget */
} ms_motif_work;

/* Makes the work for the roots first..last-1, of a listing or a count, or of a share of them (NULL:
 * all); `ranked` must outlive it.
 * MS_ERR_USAGE: the region is none for this engine, and the message says why.  The caller frees it,
 * also after a failure. */
ms_status ms_motif_work_make(ms_motif_work *work, const ms_ranked *ranked, uint64_t first,
                             uint64_t last, bool listing, const ms_share *share, ms_budget *budget,
                             ms_error *err);
void ms_motif_work_free(ms_motif_work *work);

/* Returns the entries of the tables of lists in the first (i = 0) or second search. */
uint32_t ms_motif_work_hash(const ms_motif_work *work, uint32_t i);

/* ---- regions --------------------------------------------------------------------------------- */

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
