/* The units of a list of the matches of a motif, in the order of the matches (ms_parts in
 * engine.h): ranges of roots, and of a root with much estimated work ranges of its *second*
 * vertices, the neighbours of least rank in a match.  The matches of all units, one after the
 * other, are those of the whole list.  Units depend on the instance alone. */
#ifndef MS_MOTIF_ROW_UNITS_H
#define MS_MOTIF_ROW_UNITS_H

#include "motif/engine.h"
#include "motif/ranked.h"

typedef struct ms_motif_unit_range {
  uint64_t first, last; /* roots */
  uint32_t low, high;   /* ranks of second vertices of a cut root; 0 and UINT32_MAX: all */
} ms_motif_unit_range;

typedef struct ms_motif_row_units {
  ms_motif_unit_range *unit; /* [count] */
  uint64_t count;
} ms_motif_row_units;

ms_status ms_motif_row_units_make(const ms_ranked *ranked, ms_motif_row_units *out, ms_error *err);
void ms_motif_row_units_free(ms_motif_row_units *units);

/* The same of an open context of ms_engine_connected_sets. */
ms_status ms_connected_sets_row_units(const void *context, ms_motif_row_units *out, ms_error *err);
/* Runs one unit, as ms_engine.run; the sink has neither a share nor `sums`. */
ms_status ms_connected_sets_run_unit(void *context, const ms_motif_unit_range *unit,
                                     const ms_match_sink *sink, const ms_stop *stop, ms_error *err);

/* The work is cut into about this many units, of which each has at least this much work; only tests
 * change these numbers. */
extern double ms_motif_row_units_most, ms_motif_row_units_least;

#endif
