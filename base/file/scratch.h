/* Scratch files: the content of an output until it is complete, beside its target.
 *
 * A scratch file is named TARGET.tmp-BOOT-PID-N.  Its writer holds a lock on it (flock), so that
 * others can tell a file that is being written from one whose writer is gone; numbers of processes
 * repeat in containers, and on hosts that share a folder.  It is created with no permission that
 * its target does not have.  Its path is never longer than the system allows where the target's is
 * not: it is used relative to the folder, and its name is at most as long as the target's, or as
 * long as every file system allows.
 *
 * A program with several outputs can open them ahead of its work.  They are then put in their
 * places together: all of them, or none. */
#ifndef MS_BASE_SCRATCH_H
#define MS_BASE_SCRATCH_H

#include "motifsieve.h"

typedef struct ms_scratch ms_scratch;

/* A new scratch file has this number of bytes, so that a disk that fills up later has room for a
 * short output.  Its writer cuts off those that it does not overwrite. */
#define MS_SCRATCH_RESERVED 4096

/* Opens a scratch file for the target, which is a regular file or does not exist yet.  Fails if the
 * target could not be replaced later, as far as that can be known: a folder that may not be
 * written, a mount point, a full file system.  A scratch file that was opened ahead for the same
 * path is handed out instead. */
ms_status ms_scratch_open(const char *path, ms_scratch **out, ms_error *err);
/* Checks that ms_scratch_open would succeed later, but for the room on the disk, by a file that is
 * created and removed again.  An existing target stays untouched. */
ms_status ms_scratch_check(const char *path, ms_error *err);
/* Returns the descriptor to write to.  The scratch file owns it. */
int ms_scratch_fd(const ms_scratch *scratch);
/* Says that the content is that of an incomplete result.  It does not replace a target that has
 * content, but goes to the place TARGET.incomplete. */
void ms_scratch_mark_incomplete(ms_scratch *scratch);
/* Puts the content, which is whole and flushed to the disk, in its place, unless the file was
 * opened ahead; then it waits for ms_scratch_place_all.  Frees `scratch` in any case.  `label`
 * names the output in messages.  If the content cannot be put in its place, it is kept, and the
 * message says where; also if it is incomplete and the target has content, MS_ERR_OUTPUT. */
ms_status ms_scratch_finish(ms_scratch *scratch, const char *label, ms_error *err);
/* Removes the file and frees `scratch`, which may be NULL. */
void ms_scratch_drop(ms_scratch *scratch);

/* ---- outputs that are opened ahead; one thread of a program may call these ---------- */

/* Receives a note to the user. */
typedef void (*ms_scratch_note)(void *user, const char *note);

/* Opens the output of this path ahead; the next ms_scratch_open with the same path hands it out.
 * Other outputs than regular files are only checked.  Scratch files of the same target whose
 * writers are gone are removed, and `note`, which may be NULL, says so. */
ms_status ms_scratch_open_ahead(const char *path, ms_scratch_note note, void *user, ms_error *err);
/* Ends the work: if all outputs that were opened ahead are complete, puts them in their places, or
 * none of them.  If only some are complete, or not all could be put in their places, `note` says
 * where each complete one is kept.  The others are removed.  `incomplete`: all are those of an
 * incomplete result; `note` says where each is that did not replace its target. */
ms_status ms_scratch_place_all(bool incomplete, ms_scratch_note note, void *user, ms_error *err);

/* ---- for signal handlers ------------------------------------------------------------ */

/* While a scratch file is being created, it cannot be removed: notes the signal, which the process
 * gets again once the file is there, and returns true. */
bool ms_scratch_defer_signal(int signal_number);
/* Removes all scratch files.  A signal handler that ends the program may call it. */
void ms_scratch_unlink_all(void);
/* True once all outputs that were opened ahead are complete, and while they are put in their
 * places: a signal should not end the program then. */
bool ms_scratch_all_complete(void);

#endif
