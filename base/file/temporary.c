#include "base/file/temporary.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/file/descriptor.h"
#include "base/file/place.h"
#include "base/file/scratch_name.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)256 << 10)
#define NAME_TRIES 100

struct ms_temporary {
  int fd;
  int failure;    /* errno of the first failed write, 0: none */
  uint64_t bytes; /* appended, with those in the buffer */
  uint32_t crc;   /* CRC-32C of all that left the buffer */
  size_t used;    /* of the buffer */
  char folder[256];
  char buffer[BUFFER_BYTES];
};

/* Creates a file with a name, which is removed at once. */
static int open_named(const char *folder, ms_error *err, int *failure)
{
  char target[PATH_MAX];
  ms_place place = {.folder = -1};
  int fd = -1;
  if (snprintf(target, sizeof target, "%s/motifsieve", folder) >= (int)sizeof target ||
      ms_place_find(target, &place, err) != MS_OK) {
    *failure = ENAMETOOLONG;
    return -1;
  }
  for (int i = 0; i < NAME_TRIES && fd < 0 && place.folder >= 0; i++) {
    ms_scratch_make_name(&place, i);
    fd = ms_place_open(&place, place.scratch, O_RDWR | O_CREAT | O_EXCL, 0600);
    *failure = errno;
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (place.folder < 0)
    *failure = place.failure;
  if (fd >= 0)
    unlinkat(place.folder, place.scratch, 0);
  ms_place_clear(&place);
  return fd;
}

ms_status ms_temporary_open(const char *folder, ms_temporary **out, ms_error *err)
{
  int failure = 0;
  *out = NULL;
  ms_temporary *file = ms_alloc(1, sizeof *file);
  if (!file)
    return ms_fail_memory(err, "a temporary file");
  file->failure = 0;
  file->bytes = 0;
  file->crc = 0;
  file->used = 0;
  file->fd = -1;
  snprintf(file->folder, sizeof file->folder, "%s", folder);
#ifdef O_TMPFILE
  file->fd = ms_open(folder, O_RDWR | O_TMPFILE, 0600);
#endif
  if (file->fd < 0)
    file->fd = open_named(folder, err, &failure);
  if (file->fd < 0) {
    ms_free(file);
    return ms_fail(err, MS_ERR_OUTPUT,
                   "%s: no temporary file can be created in this folder: %s; choose another one "
                   "(`scratch`)",
                   folder, strerror(failure));
  }
  *out = file;
  return MS_OK;
}

void ms_temporary_close(ms_temporary *file)
{
  if (!file)
    return;
  close(file->fd);
  ms_free(file);
}

static void write_buffer(ms_temporary *file)
{
  file->crc = ms_crc32c(file->crc, file->buffer, file->used);
  if (!file->failure)
    file->failure = ms_write_all(file->fd, file->buffer, file->used, NULL);
  file->used = 0;
}

void ms_temporary_write(ms_temporary *file, const void *data, size_t bytes)
{
  const char *from = data;
  file->bytes += bytes;
  while (bytes > 0) {
    size_t left = BUFFER_BYTES - file->used, part = bytes < left ? bytes : left;
    memcpy(file->buffer + file->used, from, part);
    file->used += part;
    from += part;
    bytes -= part;
    if (file->used == BUFFER_BYTES)
      write_buffer(file);
  }
}

ms_status ms_temporary_flush(ms_temporary *file, ms_error *err)
{
  write_buffer(file);
  if (!file->failure)
    return MS_OK;
  return ms_fail(err, MS_ERR_OUTPUT,
                 "%s: a temporary file in this folder could not be written after %llu MiB: %s; "
                 "free space there, choose another folder (`scratch`), or raise `memory`",
                 file->folder, (unsigned long long)(file->bytes >> 20), strerror(file->failure));
}

uint64_t ms_temporary_bytes(const ms_temporary *file)
{
  return file->bytes;
}

static ms_status fail_read(const ms_temporary *file, int failure, ms_error *err)
{
  return ms_fail(err, MS_ERR_OUTPUT,
                 "%s: a temporary file in this folder could not be read again: %s; look for "
                 "messages of the system about the disk, or choose another folder (`scratch`)",
                 file->folder, failure ? strerror(failure) : "it is shorter than it was");
}

ms_status ms_temporary_read(const ms_temporary *file, uint64_t at, void *to, size_t bytes,
                            ms_error *err)
{
  char *next = to;
  while (bytes > 0) {
    ssize_t got = pread(file->fd, next, bytes, (off_t)at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return fail_read(file, got < 0 ? errno : 0, err);
    next += got;
    at += (uint64_t)got;
    bytes -= (size_t)got;
  }
  return MS_OK;
}

ms_status ms_temporary_map(const ms_temporary *file, void **bytes, ms_error *err)
{
  *bytes = mmap(NULL, file->bytes, PROT_READ, MAP_SHARED, file->fd, 0);
  int failure = *bytes == MAP_FAILED ? errno : 0;
  if (!failure && ms_crc32c(0, *bytes, file->bytes) == file->crc)
    return MS_OK;
  if (!failure)
    munmap(*bytes, file->bytes);
  *bytes = NULL;
  return failure ? fail_read(file, failure, err)
                 : ms_fail(err, MS_ERR_OUTPUT,
                           "%s: a temporary file in this folder does not hold what was written to "
                           "it; look for messages of the system about the disk, or choose another "
                           "folder (`scratch`)",
                           file->folder);
}
