/* The rows of a list of the matches of a pattern; lists in units: in parts, with checkpoints, by
 * crews. */
#ifndef MS_RUN_MATCH_ROWS_H
#define MS_RUN_MATCH_ROWS_H

#include "run/match/match.h"
#include "run/units/unit_rows.h"

/* Fills the task with the program and the options of a list. */
void ms_match_list_task(ms_match_run *m, ms_pattern_task *task);
/* Makes rows of the run, `user`, and judges them; an ms_rows_fn. */
uint64_t ms_match_make_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows);

/* Divides the work of a list whose program is made, and sets m->in_units; only where the options
 * have a division.  ms_match_rows_close must follow in any case. */
ms_status ms_match_rows_open(ms_match_run *m, ms_unit_rows *rows, ms_error *err);
/* Moves to the result what the file of a part says of its units, and what became of the checkpoint.
 */
ms_status ms_match_rows_finish(ms_match_run *m, ms_error *err);
void ms_match_rows_close(ms_match_run *m);

#endif
