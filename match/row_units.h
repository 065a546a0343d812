/* The units of a list of the matches of a program, in the order of the rows of an engine that is
 * `ordered` (engine.h): ranges of roots, and of a root with much estimated work ranges of its
 * children, by their ids.  The rows of all units, one after the other, are those of the whole list.
 * Units depend on the index and the program alone. */
#ifndef MS_MATCH_ROW_UNITS_H
#define MS_MATCH_ROW_UNITS_H

#include "match/engine.h"

typedef struct ms_row_unit {
  uint64_t first, last; /* numbers of roots */
  uint32_t low, high;   /* ids of the children of a cut root; 0 and UINT32_MAX: all */
} ms_row_unit;

typedef struct ms_row_units {
  ms_row_unit *unit; /* [count] */
  uint64_t count;
} ms_row_units;

ms_status ms_row_units_make(const ms_program *program, ms_row_units *out, ms_error *err);
void ms_row_units_free(ms_row_units *units);

/* Receives the number of rows of a unit, once all of them were delivered; false: the list ends. */
typedef bool (*ms_unit_rows_fn)(void *user, uint64_t unit, uint64_t rows);

/* Lists the rows of the units of a share, unit by unit, by the CPU's engine.  It ends as
 * ms_pattern_engine.list, after the first unit in which the stream ends. */
ms_status ms_row_units_list(const ms_pattern_task *task, const ms_row_units *units,
                            const ms_share *share, ms_row_fn make, void *user, ms_stream *stream,
                            ms_unit_rows_fn done, void *done_user, ms_error *err);

/* The work is cut into about this many units, of which each has at least this much work; only tests
 * change these numbers. */
extern double ms_row_units_most, ms_row_units_least;

#endif
