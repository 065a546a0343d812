/* Reading, writing and opening of file descriptors.
 *
 * A program may have set a descriptor, such as standard output that it shares with another program,
 * to non-blocking; then these functions wait.  A program may have closed 0, 1 or 2: no file that is
 * opened here gets such a number, because what the program prints would then go into the file.
 * Signals that interrupt a call do not show, and exec closes all descriptors. */
#ifndef MS_BASE_DESCRIPTOR_H
#define MS_BASE_DESCRIPTOR_H

#include "motifsieve.h"

#include <stddef.h>
#include <sys/types.h>

/* Is open() with O_CLOEXEC; the descriptor is above 2, or -1. */
int ms_open(const char *path, int flags, mode_t mode);
/* Is openat() in the same way. */
int ms_open_at(int folder, const char *name, int flags, mode_t mode);
/* Is read(), which waits until there is something to read. */
ssize_t ms_read(int fd, void *buffer, size_t room);
/* Writes all bytes.  Returns 0, or the errno of the failure; *written, which may be NULL, receives
 * the number of bytes that were written. */
int ms_write_all(int fd, const void *data, size_t bytes, size_t *written);

/* Fail with MS_ERR_INPUT if standard input is closed, or MS_ERR_OUTPUT if standard output is; or if
 * it is open for the other direction only. */
ms_status ms_check_stdin(ms_error *err);
ms_status ms_check_stdout(ms_error *err);

/* Opens the descriptors 0, 1 and 2 that are closed, so that no file gets such a number.  Nothing
 * can be read from 0 or written to 1 then, which the functions above report; what is written to 2
 * is lost.  For the first line of a program.  Returns false if that fails. */
bool ms_open_missing_streams(void);

#endif
