/* The log of a run's units: the file of a checkpoint (docs/PARTS.md).
 *
 * It holds the identity of the run, its number of units, the units that are done, and the state,
 * which is the sum of their contributions in a form that the run knows.  A run that saves its state
 * does its units in ranges; after a range it asks whether saving is due.
 *
 * A file consists of blocks, each with a CRC-32C of its head and one of its content, and ends with
 * a block that counts them, so that each bit is checked. */
#ifndef MS_PARTS_LOG_H
#define MS_PARTS_LOG_H

#include "base/bytes.h"
#include "motifsieve.h"
#include "parts/identity.h"

typedef struct ms_unit_log ms_unit_log;

/* Reads *division, which may be NULL, into *own, and lets *division point there; or sets it to NULL
 * if it neither divides the run nor saves its state.  MS_ERR_USAGE: it is wrong. */
ms_status ms_division_take(const ms_division **division, ms_division *own, ms_error *err);
/* The same for a run that can check itself (parts/paranoid.h); the one above refuses `paranoid`. */
ms_status ms_division_take_checked(const ms_division **division, ms_division *own, ms_error *err);
/* MS_ERR_USAGE: there is a division, and `what`, such as "a list of the nearest matches", cannot be
 * divided or saved. */
ms_status ms_division_refuse(const ms_division *division, const char *what, ms_error *err);
/* MS_ERR_USAGE: `what` can be saved and done by ranks, and has no parts. */
ms_status ms_division_refuse_part(const char *what, ms_error *err);
/* Fails, as ms_stop_poll does, if the token of the thread is stopped.  A run with a division calls
 * it before it does the first unit or opens its log: a stop cuts short what it prepares, such as
 * the pruning of vertices or the domains of a pattern, and its units would differ from the units
 * of other parts, and of a run that goes on. */
ms_status ms_division_prepared(ms_error *err);

/* Checks that a state can be saved in this file: before inputs are read, and again when the log is
 * opened.  A full disk is no failure, because it may have room later.  An existing file stays
 * untouched.  MS_ERR_OUTPUT: its folder does not exist or may not be written, or it is no regular
 * file.  MS_ERR_USAGE: it is standard output. */
ms_status ms_unit_log_check(const char *checkpoint, ms_error *err);

/* Opens the log of a run of `units` units that `identity`, which must last as long as the log,
 * describes; *out is NULL if the division has no checkpoint.  The file of a run that goes on is
 * read whole, and checked.  MS_ERR_INPUT: the file is damaged, or of another run.  MS_ERR_USAGE:
 * there is a file, and the run is not to be resumed.  Others: as ms_unit_log_check. */
ms_status ms_unit_log_open(const ms_division *division, const ms_identity *identity, uint64_t units,
                           ms_unit_log **out, ms_error *err);
/* Accepts NULL; leaves the file as it is. */
void ms_unit_log_close(ms_unit_log *log);

/* Removes the file of a checkpoint and that of its rows (spool.h), once the result of the run is
 * there.  Files that are neither stay. */
void ms_unit_log_remove(const char *checkpoint);

/* ---- going on ---------------------------------------------------------------------------- */

/* Returns the first unit that is not done.  0: the run begins. */
uint64_t ms_unit_log_done(const ms_unit_log *log);
/* Returns the state that was saved, which belongs to the log; empty: the run begins. */
const ms_bytes *ms_unit_log_state(const ms_unit_log *log);
/* Frees the state, once the run has taken it. */
void ms_unit_log_forget(ms_unit_log *log);

/* Returns the seconds that a unit took in the run that saved the state, or those that were set
 * since then; 0: they are not known, also for NULL. */
double ms_unit_log_pace(const ms_unit_log *log);
/* Sets them: each saving stores them, so that a run that goes on need not begin with short ranges.
 * Accepts NULL. */
void ms_unit_log_set_pace(ms_unit_log *log, double seconds);

/* ---- saving ------------------------------------------------------------------------------ */

/* Returns the seconds between two savings. */
double ms_unit_log_often(const ms_unit_log *log);
/* True once they have passed. */
bool ms_unit_log_is_due(const ms_unit_log *log);
/* Saves the state after all units below `done`, which `put` appends to its bytes; if it lets them
 * fail, nothing is saved.  A failure is a warning, and the file of the last saving stays. */
void ms_unit_log_save(ms_unit_log *log, uint64_t done, void (*put)(void *user, ms_bytes *state),
                      void *user);
/* Warns that the state cannot be saved, once until a saving succeeds; the message says why. */
void ms_unit_log_warn(ms_unit_log *log, const char *message);
/* Returns the seconds that were spent in saving. */
double ms_unit_log_seconds(const ms_unit_log *log);

#endif
