/* Lists whose rows come unit by unit: in parts, with a checkpoint, or from a crew.
 *
 * A part says how many rows each of its units has.  With a checkpoint, rows go to a file beside it
 * (parts/spool.h), and from there to the receiver once the search has ended: so the result is
 * written at once, in whatever form, and a run that goes on has the rows that were found before. */
#ifndef MS_RUN_UNIT_ROWS_H
#define MS_RUN_UNIT_ROWS_H

#include "base/units.h"
#include "parts/spool.h"
#include "parts/sum.h"
#include "run/run.h"

typedef struct ms_unit_rows {
  /* The caller fills these.  The units belong to this struct and are freed with it. */
  ms_run *run;
  ms_run_outcome *outcome;
  ms_range_units units;
  void *user;
  const char *name; /* of the list, and what its rows depend on, as in ms_sum_kind */
  ms_status (*identify)(void *user, ms_identity *identity, ms_error *err);
  /* Lists the rows of a range of units, of which `unit` is the first, into the stream. */
  ms_status (*list)(void *user, uint64_t unit, const ms_range_unit *range, ms_stream *stream,
                    ms_error *err);

  /* results */
  char *text; /* of a part: "UNIT:ROWS" for each unit with rows, with blanks between
                 them; NULL: there is none */

  /* private to unit_rows.c */
  ms_sum_kind kind;
  ms_sum_run sum;
  ms_share todo;
  ms_spool *spool; /* NULL: there is no checkpoint */
  bool direct;     /* the spool could not grow: rows go to the receiver */
  /* what the units that are done have of the spool, and of the text */
  ms_spool_mark mark;
  size_t done_length;
  ms_pace pace;
  size_t length, room; /* of the text */
  ms_pattern_rows_fn rows;
  void *rows_user; /* the receiver of the run */
  uint64_t delivered;
  ms_bytes *out;    /* with a crew: the rows of the range that is being listed */
  ms_error failure; /* of reading the spool */
} ms_unit_rows;

/* Refuses the division of a search for matches: of `what`, unless it is NULL, and of a list that is
 * computed twice, by an engine that does not know the order of rows, or a part of it by ranks. */
ms_status ms_unit_rows_check(const ms_run_limits *run, bool count_only, const char *what,
                             ms_error *err);
/* Lists the rows of the part for the receiver of the run, or stores them, as ms_run_rows. */
ms_status ms_unit_rows_run(ms_unit_rows *rows, ms_error *err);
void ms_unit_rows_free(ms_unit_rows *rows);

#endif
