/* Lists of the matches of a pattern in parts: each part has the rows of its units, in order, and
 * says how many rows each unit has. */
#ifndef MS_RUN_ROW_PARTS_H
#define MS_RUN_ROW_PARTS_H

#include "match/row_units.h"
#include "run/match.h"

typedef struct ms_row_list {
  ms_row_units units;
  ms_share part;
  char *text; /* "UNIT:ROWS" for each unit with rows, with blanks between them */
  size_t length, room;
  bool full; /* there was no memory for the text */
} ms_row_list;

/* Divides the work of a listing whose program is made; only where the options have parts.
 * ms_match_row_list_close must follow in any case. */
ms_status ms_match_row_list_open(ms_match_run *m, ms_row_list *list, ms_error *err);
void ms_match_row_list_close(ms_match_run *m);
/* Lists the rows of the part. */
ms_status ms_match_row_list_run(ms_match_run *m, const ms_pattern_task *task, ms_row_fn make,
                                ms_stream *stream, ms_error *err);
/* Moves the text to the result. */
ms_status ms_match_row_list_finish(ms_match_run *m, ms_error *err);

#endif
