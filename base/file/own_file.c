/* Files of the product beside a file of the user's. */
#include "base/file/own_file.h"

#include "base/alloc.h"
#include "base/file/descriptor.h"
#include "base/file/place.h"
#include "base/file/scratch_name.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 100, MOST_BEGIN = 64 };

/* Gives the file, which is whole, its name.  Returns 0 or an errno. */
static int give_name(const ms_place *place)
{
  int folder = place->folder;
  if (linkat(folder, place->scratch, folder, place->name, 0) == 0)
    return unlinkat(folder, place->scratch, 0) == 0 ? 0 : errno;
  int failure = errno;
#ifdef RENAME_NOREPLACE
  /* a file system without links */
  if (failure != EEXIST &&
      renameat2(folder, place->scratch, folder, place->name, RENAME_NOREPLACE) == 0)
    return 0;
#endif
  return failure;
}

/* Creates the file under a name that ms_scratch_sweep knows.  Returns its descriptor, or -1. */
static int create_scratch(ms_place *place)
{
  int fd = -1;
  for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
    ms_scratch_make_name(place, i);
    fd = ms_place_open(place, place->scratch, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  return fd;
}

static int create_in(ms_place *place, const char *path, const void *begin, size_t bytes,
                     bool must_lock, int *failure)
{
  int fd = create_scratch(place);
  *failure = fd < 0 ? errno : 0;
  if (fd < 0)
    return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && must_lock)
    *failure = errno;
  if (!*failure)
    *failure = ms_write_all(fd, begin, bytes, NULL);
  if (!*failure)
    *failure = give_name(place);
  if (*failure)
    unlinkat(place->folder, place->scratch, 0);
  ms_scratch_sweep(place, path, NULL, NULL);
  return fd;
}

char *ms_own_file_path(const char *path, const char *ending)
{
  char resolved[PATH_MAX];
  struct stat facts;
  bool is_link = lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
  const char *target = is_link && realpath(path, resolved) ? resolved : path;
  size_t length = strlen(target) + strlen(ending) + 1;
  char *beside = ms_alloc(length, 1);
  if (beside)
    snprintf(beside, length, "%s%s", target, ending);
  return beside;
}

int ms_own_file_create(const char *path, const void *begin, size_t bytes, bool must_lock)
{
  ms_place place = {.folder = -1};
  if (ms_place_find(path, &place, NULL) != MS_OK) {
    errno = ENOMEM;
    return -1;
  }
  int failure = place.failure, fd = -1;
  if (place.folder >= 0)
    fd = create_in(&place, path, begin, bytes, must_lock, &failure);
  if (fd >= 0 && failure) {
    close(fd);
    fd = -1;
  }
  ms_place_clear(&place);
  errno = failure;
  return fd;
}

int ms_own_file_open(const char *path, const void *begin, size_t bytes)
{
  char found[MOST_BEGIN];
  struct stat facts;
  int fd = ms_open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0 && (errno == ELOOP || errno == EISDIR || errno == ENXIO))
    errno = EEXIST;
  if (fd < 0)
    return -1;
  int failure = fstat(fd, &facts) != 0 ? errno : 0;
  if (!failure &&
      (!S_ISREG(facts.st_mode) || bytes > sizeof found ||
       pread(fd, found, bytes, 0) != (ssize_t)bytes || memcmp(found, begin, bytes) != 0))
    failure = EEXIST;
  if (!failure && lseek(fd, (off_t)bytes, SEEK_SET) < 0)
    failure = errno;
  if (!failure)
    return fd;
  close(fd);
  errno = failure;
  return -1;
}

bool ms_own_file_is_named(const char *path, int fd)
{
  struct stat held, named;
  return fstat(fd, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

void ms_own_file_remove(const char *path, const void *begin, size_t bytes)
{
  int fd = ms_own_file_open(path, begin, bytes);
  if (fd < 0)
    return;
  if (ms_own_file_is_named(path, fd))
    unlink(path);
  close(fd);
}
