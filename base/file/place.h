/* The place of an output: its folder, and the names of the target and of its scratch file there.
 * The functions put a complete scratch file in place of the target, and can take that back. */
#ifndef MS_BASE_PLACE_H
#define MS_BASE_PLACE_H

#include "motifsieve.h"

#include <limits.h>
#include <sys/stat.h>

/* Begin of what follows the target's name in that of a scratch file, and in that of a complete file
 * that could not be put in its place.  Both have one dot and the same length. */
#define MS_SCRATCH_MARK ".tmp-"
#define MS_KEPT_MARK ".new-"
/* What follows the name of a target that an incomplete output does not replace. */
#define MS_INCOMPLETE_ENDING ".incomplete"

typedef struct ms_place {
  int folder;                 /* descriptor; -1: it could not be opened */
  int failure;                /* errno of that */
  bool can_read;              /* the folder may be listed and flushed */
  char *target;               /* the target's resolved path */
  const char *name;           /* its name in the folder, part of `target` */
  char scratch[NAME_MAX + 1]; /* the scratch file's name in the folder */
  /* how ms_place_swap replaced the target */
  bool replaced;             /* the new content is in the place */
  bool exchanged;            /* the old content is under the name of the scratch file */
  char backup[NAME_MAX + 1]; /* or under this one; empty: there is none */
  bool lost_old;             /* there was old content, and it is gone */
  char left[NAME_MAX + 1];   /* the name of old content that ms_place_undo could not put back, or
                                ms_place_confirm could not remove; empty: there is none */
  int unflushed;             /* errno of flushing the folder after the rename, 0: none */
} ms_place;

/* Finds the folder of a target whose links are resolved.  MS_ERR_MEMORY; other failures are in
 * place->failure. */
ms_status ms_place_find(const char *target, ms_place *place, ms_error *err);
void ms_place_clear(ms_place *place);
/* For content that is incomplete: if the target has content, which stays, the place becomes
 * TARGET.incomplete.  *diverted tells whether it did. */
ms_status ms_place_divert(ms_place *place, bool *diverted, ms_error *err);
/* Removes TARGET.incomplete of an earlier run, after complete content has come into its place.  A
 * file that does not begin as a result does, a link and a folder stay. */
void ms_place_remove_incomplete(const ms_place *place);
/* Opens a file of the folder; never as one of the three standard streams. */
int ms_place_open(const ms_place *place, const char *name, int flags, mode_t mode);

/* Returns the mode with which a scratch file for this target is created: nobody may read it who may
 * not read the target. */
mode_t ms_place_first_mode(const struct stat *target);
/* Gives the scratch file the owner, the group and the permissions of the target at `path`, as far
 * as the process may; never more permissions.  Setuid, setgid and sticky bits are left out: they
 * were given to the old content. */
void ms_place_copy_mode(const struct stat *target, const char *path, int fd);

/* Renames the scratch file to the target, and flushes the folder.  Returns 0 or an errno; after
 * one, the scratch file is as it was. */
int ms_place_rename(ms_place *place);
/* Does the same in a way that ms_place_undo can take back, where the file system allows it;
 * ms_place_confirm then removes the old content. */
int ms_place_swap(ms_place *place);
void ms_place_undo(ms_place *place);
void ms_place_confirm(ms_place *place);

/* Keeps the complete scratch file under another name, and says which, and how the file comes to its
 * place; `failure`: the errno of the rename, 0 if it was not tried. */
void ms_place_keep(ms_place *place, int failure, char *text, size_t room);
/* Says where the old content place->left is. */
void ms_place_describe_left(const ms_place *place, char *text, size_t room);

#endif
