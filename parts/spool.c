#include "parts/spool.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/descriptor.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING ".rows"
#define MAGIC_BYTES 8u
#define BUFFER_BYTES ((size_t)1 << 20)

struct ms_spool {
  char *path;
  int fd;
  uint64_t bytes;   /* of the rows, written or in the buffer */
  uint64_t written; /* of these, in the file */
  uint32_t crc;
  unsigned char *buffer; /* [BUFFER_BYTES] the last bytes - written bytes */
  int problem;           /* the errno of a failure to write; 0: none */
};

char *ms_spool_path(const char *checkpoint)
{
  size_t length = strlen(checkpoint) + sizeof ENDING;
  char *path = ms_alloc(length, 1);
  if (path)
    snprintf(path, length, "%s" ENDING, checkpoint);
  return path;
}

/* ---- opening ------------------------------------------------------------------------------ */

static ms_status fail_damaged(const ms_spool *s, const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: the rows of the checkpoint are damaged: %s; use copies of both files, or "
                 "remove the checkpoint to begin the run again",
                 s->path, what);
}

/* Reads up to `bytes` bytes from `at` on. */
static ssize_t read_at(const ms_spool *s, uint64_t at, void *data, size_t bytes)
{
  size_t have = 0;
  while (have < bytes) {
    ssize_t got = pread(s->fd, (char *)data + have, bytes - have, (off_t)(at + have));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    have += (size_t)got;
  }
  return (ssize_t)have;
}

/* Checks the bytes of a run that goes on. */
static ms_status check_saved(ms_spool *s, uint64_t bytes, uint32_t crc, ms_error *err)
{
  uint32_t actual = 0;
  for (uint64_t at = 0; at < bytes;) {
    size_t piece = bytes - at < BUFFER_BYTES ? (size_t)(bytes - at) : BUFFER_BYTES;
    ssize_t got = read_at(s, MAGIC_BYTES + at, s->buffer, piece);
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
    if ((size_t)got < piece)
      return fail_damaged(s, "the file is too short", err);
    actual = ms_crc32c(actual, s->buffer, piece);
    at += piece;
  }
  return actual == crc ? MS_OK : fail_damaged(s, "the checksum is wrong", err);
}

/* Refuses a file that has not the beginning of a spool, as far as it goes. */
static ms_status check_beginning(ms_spool *s, bool goes_on, ms_error *err)
{
  char magic[MAGIC_BYTES];
  ssize_t got = read_at(s, 0, magic, sizeof magic);
  if (got < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
  bool whole = (size_t)got == sizeof magic, same = memcmp(magic, MS_SPOOL_MAGIC, (size_t)got) == 0;
  if (goes_on)
    return whole && same ? MS_OK : fail_damaged(s, "the file does not begin as one of rows", err);
  return same ? MS_OK
              : ms_fail(err, MS_ERR_USAGE,
                        "%s: the rows of the run are to be saved here, and there is another file; "
                        "choose another `checkpoint`, or remove the file",
                        s->path);
}

static ms_status open_file(ms_spool *s, uint64_t bytes, uint32_t crc, bool goes_on, ms_error *err)
{
  struct stat facts;
  s->fd = ms_open(s->path, goes_on ? O_RDWR : O_RDWR | O_CREAT, 0666);
  if (s->fd < 0 && goes_on && errno == ENOENT)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the rows of the checkpoint are missing; put the file there, or remove the "
                   "checkpoint to begin the run again",
                   s->path);
  if (s->fd < 0)
    return ms_fail(err, goes_on ? MS_ERR_INPUT : MS_ERR_OUTPUT, "%s: cannot be opened: %s", s->path,
                   strerror(errno));
  if (fstat(s->fd, &facts) == 0 && !S_ISREG(facts.st_mode))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the rows of the run are to be saved here, which needs a regular file; "
                   "choose another `checkpoint`",
                   s->path);
  MS_TRY(check_beginning(s, goes_on, err));
  if (goes_on)
    return check_saved(s, bytes, crc, err);
  if (ftruncate(s->fd, 0) != 0)
    return ms_fail(err, MS_ERR_OUTPUT, "%s: cannot be written: %s", s->path, strerror(errno));
  s->problem = ms_write_all(s->fd, MS_SPOOL_MAGIC, MAGIC_BYTES, NULL);
  return MS_OK;
}

ms_status ms_spool_open(const char *checkpoint, uint64_t bytes, uint32_t crc, ms_spool **out,
                        ms_error *err)
{
  ms_spool *s = ms_calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return ms_fail_memory(err, "the rows of a run");
  s->fd = -1;
  s->path = ms_spool_path(checkpoint);
  s->buffer = ms_alloc(BUFFER_BYTES, 1);
  ms_status status = s->path && s->buffer ? MS_OK : ms_fail_memory(err, "the rows of a run");
  if (status == MS_OK)
    status = open_file(s, bytes, crc, bytes > 0, err);
  if (status != MS_OK) {
    ms_spool_close(s);
    return status;
  }
  s->bytes = s->written = bytes;
  s->crc = crc;
  *out = s;
  return MS_OK;
}

void ms_spool_close(ms_spool *s)
{
  if (!s)
    return;
  if (s->fd >= 0)
    close(s->fd);
  ms_free(s->path);
  ms_free(s->buffer);
  ms_free(s);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Writes bytes behind those that are written; after a failure, what it wrote does not count. */
static bool write_behind(ms_spool *s, const void *data, size_t bytes)
{
  if (s->problem == 0 && lseek(s->fd, (off_t)(MAGIC_BYTES + s->written), SEEK_SET) < 0)
    s->problem = errno;
  if (s->problem == 0)
    s->problem = ms_write_all(s->fd, data, bytes, NULL);
  if (s->problem == 0)
    s->written += bytes;
  return s->problem == 0;
}

static bool empty_buffer(ms_spool *s)
{
  return s->bytes == s->written || write_behind(s, s->buffer, (size_t)(s->bytes - s->written));
}

bool ms_spool_put(ms_spool *s, const void *data, size_t bytes)
{
  size_t waiting = (size_t)(s->bytes - s->written);
  if (s->problem != 0)
    return false;
  if (bytes <= BUFFER_BYTES - waiting) {
    memcpy(s->buffer + waiting, data, bytes);
  } else if (!empty_buffer(s)) {
    return false;
  } else if (bytes <= BUFFER_BYTES) {
    memcpy(s->buffer, data, bytes);
  } else if (!write_behind(s, data, bytes)) {
    return false;
  }
  s->bytes += bytes;
  s->crc = ms_crc32c(s->crc, data, bytes);
  return true;
}

bool ms_spool_flush(ms_spool *s)
{
  if (s->problem != 0 || !empty_buffer(s))
    return false;
  if (fdatasync(s->fd) != 0)
    s->problem = errno;
  return s->problem == 0;
}

const char *ms_spool_problem(const ms_spool *s)
{
  return strerror(s->problem);
}

uint64_t ms_spool_bytes(const ms_spool *s)
{
  return s->bytes;
}

uint32_t ms_spool_crc32c(const ms_spool *s)
{
  return s->crc;
}

void ms_spool_cut(ms_spool *s, uint64_t bytes, uint32_t crc)
{
  s->bytes = bytes;
  s->crc = crc;
  if (s->written > bytes)
    s->written = bytes;
}

/* ---- reading ------------------------------------------------------------------------------ */

ms_status ms_spool_read(ms_spool *s, uint64_t at, void *data, size_t bytes, ms_error *err)
{
  size_t of_file = 0;
  if (at < s->written)
    of_file = s->written - at < bytes ? (size_t)(s->written - at) : bytes;
  ssize_t got = of_file > 0 ? read_at(s, MAGIC_BYTES + at, data, of_file) : 0;
  if (got < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
  if ((size_t)got < of_file)
    return fail_damaged(s, "the file became shorter", err);
  if (bytes > of_file)
    memcpy((char *)data + of_file, s->buffer + (at + of_file - s->written), bytes - of_file);
  return MS_OK;
}
