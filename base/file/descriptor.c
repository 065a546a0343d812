#include "base/file/descriptor.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

/* Moves a descriptor away from the numbers of the standard streams. */
static int above_standard(int fd)
{
  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), failure = errno;
  close(fd);
  errno = failure;
  return moved;
}

int ms_open_at(int folder, const char *name, int flags, mode_t mode)
{
  int fd;
  do
    fd = openat(folder, name, flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return above_standard(fd);
}

int ms_open(const char *path, int flags, mode_t mode)
{
  return ms_open_at(AT_FDCWD, path, flags, mode);
}

/* After a call that failed: returns true if it is to be tried again, and waits for that if the
 * descriptor is non-blocking. */
static bool may_retry(int fd, short events)
{
  if (errno == EINTR)
    return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK)
    return false;
  struct pollfd wait = {.fd = fd, .events = events};
  return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

ssize_t ms_read(int fd, void *buffer, size_t room)
{
  ssize_t got;
  do
    got = read(fd, buffer, room);
  while (got < 0 && may_retry(fd, POLLIN));
  return got;
}

int ms_write_all(int fd, const void *data, size_t bytes, size_t *written)
{
  const char *from = data;
  size_t done = 0;
  int failure = 0;
  while (done < bytes && !failure) {
    ssize_t wrote = write(fd, from + done, bytes - done);
    if (wrote > 0)
      done += (size_t)wrote;
    else if (wrote == 0)
      failure = EIO;
    else if (!may_retry(fd, POLLOUT))
      failure = errno;
  }
  if (written)
    *written = done;
  return failure;
}

/* Is the descriptor open for reading (O_RDONLY) or for writing (O_WRONLY)? */
static bool allows(int fd, int access)
{
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && ((flags & O_ACCMODE) == access || (flags & O_ACCMODE) == O_RDWR);
}

ms_status ms_check_stdin(ms_error *err)
{
  if (allows(STDIN_FILENO, O_RDONLY))
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "standard input: is closed, or cannot be read; redirect it, or give a file");
}

ms_status ms_check_stdout(ms_error *err)
{
  if (allows(STDOUT_FILENO, O_WRONLY))
    return MS_OK;
  return ms_fail(err, MS_ERR_OUTPUT,
                 "standard output: is closed, or cannot be written; redirect it, or give a file "
                 "for the output");
}

bool ms_open_missing_streams(void)
{
  /* open() returns the lowest number that is free */
  static const int direction[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", direction[fd]) != fd)
      return false;
  return true;
}
