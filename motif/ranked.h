/* The instance as the connected-set engine reads it, with vertices renamed to ranks.
 *
 * The root of a match is its vertex of lowest rank.  With
 * loose required vertices the first of them has rank 0 and is the only root:
 * every match holds it.  Otherwise the vertices that hold the rarest slot
 * come first and are the roots: every match contains one of them, so its lowest
 * vertex is a root.  (If matches are smaller than the motif, all vertices are roots.)  Within each
 * part the ranks follow the slot masks, so that a sorted neighbour row falls into a few runs of
 * equal mask, and a run whose slots are all occupied is skipped without reading it. */
#ifndef MS_MOTIF_RANKED_H
#define MS_MOTIF_RANKED_H

#include "motif/instance.h"

/* The neighbours of a row from `begin` to the next run share one mask. */
typedef struct ms_mask_run {
  uint32_t mask;
  uint32_t begin; /* position in the row */
} ms_mask_run;

/* A vertex is mandatory if every match contains it: a loose required vertex, or the only
 * vertex that fits some slot (which covers the other required ones, and rare colours). */
#define MS_COLUMN_PAD 16u              /* columns are padded to a multiple of it */
#define MS_MAX_COLUMNS (2u * MS_MAX_K) /* at most k loose, and k sole holders */

typedef struct ms_ranked {
  uint32_t n, k;  /* k: number of slots */
  uint32_t size;  /* number of vertices of a match */
  uint32_t roots; /* the roots are the ranks 0..roots-1 */
  uint32_t n_mandatory;
  uint32_t columns;     /* n_mandatory, rounded up to MS_COLUMN_PAD */
  uint32_t *vertex;     /* [n] instance vertex of a rank */
  uint32_t *mask;       /* [n] slots */
  uint8_t *mandatory;   /* [n] 1 or 0 */
  uint64_t *offset;     /* [n + 1] */
  uint32_t *neighbor;   /* [arcs] ranks, ascending within a row */
  uint64_t *run_offset; /* [n + 1] */
  ms_mask_run *run;     /* [run_offset[n]] */
  /* Of counts in shares (units.h); NULL and of no meaning before ms_number_ranks: */
  uint32_t *number; /* [n] place of each rank among the roots, or behind them, by degrees */
  uint32_t cut_degree;
  uint8_t *distance; /* [n][columns] hops to each mandatory vertex, at most `size`; 0 in the padding
                      */
} ms_ranked;

ms_status ms_ranked_new(const ms_instance *instance, ms_ranked **out, ms_error *err);
void ms_ranked_free(ms_ranked *ranked);

#endif
