/* The units of a list of the matches of a motif (base/range_units.h), in the order of the matches
 * (ms_parts in engine.h).  A child of a root is a *second* vertex, the neighbour of the root of
 * least rank in a match.  Units depend on the instance alone. */
#ifndef MS_MOTIF_ROW_UNITS_H
#define MS_MOTIF_ROW_UNITS_H

#include "base/range_units.h"
#include "motif/engine.h"
#include "motif/ranked.h"

/* Append the units of a list, of what ms_engine_connected_sets reads, or of an open context of it;
 * ms_range_units_free must follow in any case. */
ms_status ms_motif_row_units_make(const ms_ranked *ranked, ms_range_units *out, ms_error *err);
ms_status ms_connected_sets_row_units(const void *context, ms_range_units *out, ms_error *err);
/* Runs a unit, or several that make one range, as ms_engine.run; the sink has neither a share nor
 * `sums`. */
ms_status ms_connected_sets_run_unit(void *context, const ms_range_unit *unit,
                                     const ms_match_sink *sink, const ms_stop *stop, ms_error *err);

#endif
