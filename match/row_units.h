/* The units of a list of the matches of a program (base/units.h), in the order of the rows of
 * an engine that is `ordered` (engine.h).  A child of a root is a candidate of level 1.  Units
 * depend on the index and the program alone. */
#ifndef MS_MATCH_ROW_UNITS_H
#define MS_MATCH_ROW_UNITS_H

#include "base/units.h"
#include "match/engine.h"

/* Appends the units of the program; ms_range_units_free must follow in any case. */
ms_status ms_row_units_make(const ms_program *program, ms_range_units *out, ms_error *err);

/* Lists the rows of a unit, or of several that make one range, by the CPU's engine; as
 * ms_pattern_engine.list. */
ms_status ms_row_unit_list(const ms_pattern_task *task, const ms_range_unit *unit, ms_rows_fn make,
                           void *user, ms_stream *stream, ms_error *err);

#endif
