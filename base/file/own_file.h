/* Files of the product beside a file of the user's: FILE.rows and FILE.lock beside a checkpoint.
 *
 * Such a file begins with a text that tells it from files of others.  It is created under another
 * name and linked to its own once this text is in it, so that a process that is killed leaves
 * no file of which nobody can tell whose it is.  A link, or a file that begins in another way, an
 * empty one too, is somebody else's: it is neither followed, nor changed, nor removed. */
#ifndef MS_BASE_OWN_FILE_H
#define MS_BASE_OWN_FILE_H

#include "motifsieve.h"

#include <stddef.h>

/* Returns the path of a file beside a file of the user's: its path and the ending.  Where that is
 * a link, the file is beside its target, whatever name leads there.  The caller frees it; NULL: no
 * memory. */
char *ms_own_file_path(const char *path, const char *ending);

/* Creates path's file, which begins with these bytes and is open for reading and writing behind
 * them; it is locked by flock before it has its name, and fails without the lock if `must_lock`.
 * What a process that was killed here has left is removed.  Returns the descriptor, or -1 with an
 * errno; EEXIST: there is something of this name. */
int ms_own_file_create(const char *path, const void *begin, size_t bytes, bool must_lock);
/* Opens path's file for reading and writing if it is a regular file that begins with these bytes.
 * Returns the descriptor, or -1 with an errno; EEXIST: it is somebody else's. */
int ms_own_file_open(const char *path, const void *begin, size_t bytes);
/* True if path still names the file of this descriptor. */
bool ms_own_file_is_named(const char *path, int fd);
/* Removes path's file if it is ours. */
void ms_own_file_remove(const char *path, const void *begin, size_t bytes);

#endif
