/* The one driver of work that is divided into units (base/units.h): in one go, in a part, with a
 * checkpoint, by a crew of ranks, and with units that are computed twice.
 *
 * What units contribute is bytes, and all that is done with bytes is that they are added to the sum
 * of a run.  So a kind of sum is a row of functions: `put` does units, `add` adds what they put,
 * and `save` puts the sum.  A checkpoint is what `save` puts; a run that goes on adds it; a message
 * of a rank is what `put` has put; and a run that checks itself compares what two implementations
 * put. docs/ARCHITECTURE.md has the table of kinds. */
#ifndef MS_PARTS_SUM_H
#define MS_PARTS_SUM_H

#include "parts/paranoid.h"
#include "parts/spool.h"

typedef struct ms_sum_kind {
  const char *name;  /* of what is done, in the identity of the run: "census" */
  const char *units; /* what reports of progress count; NULL: there are none */
  /* Ranges prepare their search again: alone, none is shorter than the time between two savings. */
  bool prepares;
  /* Appends what the contributions of units depend on, but for the part and the number of units. */
  ms_status (*identify)(void *run, ms_identity *identity, ms_error *err);
  /* Does the units of the share, which may have none, and appends their contribution.  Opinions
   * (paranoid.h) give the same bytes.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED: it was stopped. */
  ms_status (*put)(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                   ms_error *err);
  /* Adds the contribution of the units `first` .. last - 1, after those below `first`; sets *enough
   * if no other unit is needed.  MS_ERR_INPUT: the bytes are wrong, and the message says how. */
  ms_status (*add)(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                   ms_error *err);
  /* NULL: contributions are small.  Else as in ms_crew_job. */
  ms_status (*piece)(void *run, const void *data, size_t length, ms_error *err);
  /* Appends the sum. */
  void (*save)(void *run, ms_bytes *out);
  /* Takes the sum of the units below `done` that `save` has put; NULL: `add` does. */
  ms_status (*load)(void *run, uint64_t done, const ms_bytes *bytes, ms_error *err);
  /* Returns what computes an opinion, for messages; NULL, with `show`: units are done once. */
  const char *(*opinion)(void *run, uint32_t opinion);
  /* Shows all memory that holds the sum. */
  void (*show)(void *run, ms_see_fn see, void *see_user);
} ms_sum_kind;

typedef struct ms_sum_run {
  /* The caller fills these before ms_sum_open. */
  const ms_sum_kind *kind;
  void *run;
  uint64_t units;
  ms_integrity *checks;    /* NULL: nothing is checked */
  ms_run_limits limits;    /* only their progress, and the division, which was checked */
  ms_run_outcome *outcome; /* receives resumed, time_checkpoint and paranoid */

  /* ms_sum_open fills these. */
  ms_share part;    /* the units to do */
  uint64_t done;    /* those below are done */
  ms_unit_log *log; /* NULL: there is no checkpoint */
  ms_identity identity;

  /* How a crew cuts ranges: the caller may set seconds, first, whole, least, unit and round between
   * ms_sum_open and ms_sum_all. */
  ms_crew_job job;
} ms_sum_run;

/* Opens the checkpoint, if the division has one, and takes what it has; opens the identity, if it
 * is needed.  ms_sum_close must follow in any case.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: the run was
 * stopped while it was prepared.  Others: as ms_unit_log_open. */
ms_status ms_sum_open(ms_sum_run *sum, ms_error *err);
void ms_sum_close(ms_sum_run *sum);
/* Does the units that are left, adds what they contribute, and saves the sum. */
ms_status ms_sum_all(ms_sum_run *sum, ms_error *err);

/* For runs that do their units by themselves: say that those below `done` are in the sum, which is
 * saved if that is due; and save it. */
void ms_sum_note(ms_sum_run *sum, uint64_t done);
void ms_sum_save(ms_sum_run *sum);

/* Rows that are kept in a spool: brings them to the disk, and appends their mark to the sum.  If
 * that fails, the log warns, and the bytes fail. */
void ms_sum_mark_put(const ms_sum_run *sum, ms_spool *spool, const ms_spool_mark *mark,
                     ms_bytes *out);
/* Takes the mark from a sum; one without bytes has no rows. */
ms_status ms_sum_mark_take(ms_byte_reader *bytes, ms_spool_mark *mark, ms_error *err);

/* Returns MS_ERR_INPUT: bytes of a sum cannot be read. */
ms_status ms_sum_fail(ms_error *err);

#endif
