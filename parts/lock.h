/* The lock of a checkpoint: while a run has it, no other run can save its state there.
 *
 * It is a file beside the checkpoint, FILE.lock, which says who has it and since when, and which
 * the run locks by flock(): that works between processes, between the threads of one, and on NFS
 * between hosts, and ends with the process however it ends.  So a file that a killed run leaves
 * hinders nobody. */
#ifndef MS_PARTS_LOCK_H
#define MS_PARTS_LOCK_H

#include "motifsieve.h"

typedef struct ms_checkpoint_lock {
  char *path; /* of the lock's file; NULL: the lock is not held */
  int fd;
  int failure; /* errno of a file system without locks, on which no lock is held; 0: none */
} ms_checkpoint_lock;

/* Returns the path of the lock's file, which the caller frees; NULL: no memory. */
char *ms_checkpoint_lock_path(const char *checkpoint);
/* Takes the lock.  MS_ERR_USAGE: another run has it, or there is another file of its name.
 * MS_ERR_OUTPUT: its file cannot be created. */
ms_status ms_checkpoint_lock_take(const char *checkpoint, ms_checkpoint_lock *lock, ms_error *err);
/* Gives it back and removes its file; a lock that is all zero is no lock. */
void ms_checkpoint_lock_release(ms_checkpoint_lock *lock);

#endif
