/* Names of scratch files, and what becomes of those whose writers are gone. */
#ifndef MS_BASE_SCRATCH_NAME_H
#define MS_BASE_SCRATCH_NAME_H

#include "base/file/place.h"

/* Sets place->scratch to a name that is probably free; `attempt` counts from 0. */
void ms_scratch_make_name(ms_place *place, int attempt);
/* Removes other scratch files of the same target whose writers are gone.  Where the file
 * system has no locks, it is unknown whether a writer is alive, and its file is left.  `note` (may
 * be NULL) is called for each file, removed or left; `path` is the target as it was given. */
void ms_scratch_sweep(const ms_place *place, const char *path,
                      void (*note)(void *user, const char *note), void *user);

#endif
