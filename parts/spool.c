/* The rows of a run whose state is saved. */
#include "parts/spool.h"

#include "base/alloc.h"
#include "base/file/block_sums.h"
#include "base/file/descriptor.h"
#include "base/file/own_file.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".rows"
#define MAGIC_BYTES 8u
#define BUFFER_BYTES ((size_t)1 << 20)
#define NO_BLOCK UINT64_MAX

struct ms_spool {
  char *path;
  char *checkpoint;
  int fd;
  ms_block_sums sums;    /* of the rows, written or in the buffer */
  uint64_t written;      /* of these, in the file */
  unsigned char *buffer; /* [BUFFER_BYTES] the last sums.bytes - written bytes */
  unsigned char *block;  /* [MS_SUM_BLOCK] the block that was read and checked last */
  uint64_t block_number; /* NO_BLOCK: none */
  int problem;           /* the errno of a failure to write; 0: none */
  bool is_new;           /* the file was created for this run */
};

char *ms_spool_path(const char *checkpoint)
{
  return ms_own_file_path(checkpoint, ENDING);
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
  for (uint64_t at = 0; at < bytes;) {
    size_t piece = bytes - at < BUFFER_BYTES ? (size_t)(bytes - at) : BUFFER_BYTES;
    ssize_t got = read_at(s, MAGIC_BYTES + at, s->buffer, piece);
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
    if ((size_t)got < piece)
      return fail_damaged(s, "the file is too short", err);
    if (!ms_block_sums_reserve(&s->sums, piece))
      return ms_fail_memory(err, "the rows of a run");
    ms_block_sums_add(&s->sums, s->buffer, piece);
    at += piece;
  }
  return s->sums.crc == crc ? MS_OK : fail_damaged(s, "the checksum is wrong", err);
}

static ms_status fail_open(const ms_spool *s, bool goes_on, ms_error *err)
{
  if (goes_on && errno == ENOENT)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the rows of the checkpoint are missing; put the file there, or remove the "
                   "checkpoint to begin the run again",
                   s->path);
  if (goes_on && errno == EEXIST)
    return fail_damaged(s, "the file does not begin as one of rows", err);
  if (errno == EEXIST)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the rows of the run are to be saved here, and there is another file; "
                   "choose another `checkpoint`, or remove the file",
                   s->path);
  return ms_fail(err, goes_on ? MS_ERR_INPUT : MS_ERR_OUTPUT, "%s: cannot be opened: %s", s->path,
                 strerror(errno));
}

static ms_status open_file(ms_spool *s, uint64_t bytes, uint32_t crc, ms_error *err)
{
  if (bytes > 0) {
    s->fd = ms_own_file_open(s->path, MS_SPOOL_MAGIC, MAGIC_BYTES);
    return s->fd < 0 ? fail_open(s, true, err) : check_saved(s, bytes, crc, err);
  }
  /* that of a run that was killed before it saved its state */
  ms_own_file_remove(s->path, MS_SPOOL_MAGIC, MAGIC_BYTES);
  s->fd = ms_own_file_create(s->path, MS_SPOOL_MAGIC, MAGIC_BYTES, false);
  s->is_new = s->fd >= 0;
  if (s->is_new)
    return MS_OK;
  if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
    return fail_open(s, false, err);
  s->problem = errno;
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
  s->block_number = NO_BLOCK;
  s->path = ms_spool_path(checkpoint);
  s->checkpoint = ms_strdup(checkpoint);
  s->buffer = ms_alloc(BUFFER_BYTES, 1);
  s->block = ms_alloc(MS_SUM_BLOCK, 1);
  ms_status status = s->path && s->checkpoint && s->buffer && s->block
                         ? MS_OK
                         : ms_fail_memory(err, "the rows of a run");
  if (status == MS_OK)
    status = open_file(s, bytes, crc, err);
  if (status != MS_OK) {
    ms_spool_close(s);
    return status;
  }
  s->written = bytes;
  *out = s;
  return MS_OK;
}

void ms_spool_close(ms_spool *s)
{
  if (!s)
    return;
  /* no state was saved to which the rows belong */
  if (s->is_new && access(s->checkpoint, F_OK) != 0 && errno == ENOENT)
    ms_own_file_remove(s->path, MS_SPOOL_MAGIC, MAGIC_BYTES);
  if (s->fd >= 0)
    close(s->fd);
  ms_free(s->path);
  ms_free(s->checkpoint);
  ms_free(s->buffer);
  ms_free(s->block);
  ms_block_sums_free(&s->sums);
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
  return s->sums.bytes == s->written ||
         write_behind(s, s->buffer, (size_t)(s->sums.bytes - s->written));
}

bool ms_spool_put(ms_spool *s, const void *data, size_t bytes)
{
  size_t waiting = (size_t)(s->sums.bytes - s->written);
  if (s->problem == 0 && !ms_block_sums_reserve(&s->sums, bytes))
    s->problem = ENOMEM;
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
  ms_block_sums_add(&s->sums, data, bytes);
  s->block_number = NO_BLOCK;
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
  return s->sums.bytes;
}

uint32_t ms_spool_crc32c(const ms_spool *s)
{
  return s->sums.crc;
}

void ms_spool_cut(ms_spool *s, uint64_t bytes, uint32_t crc)
{
  ms_block_sums_cut(&s->sums, bytes, crc);
  s->block_number = NO_BLOCK;
  if (s->written > bytes)
    s->written = bytes;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads a block, from the file and from what waits in the buffer, and checks it. */
static ms_status read_block(ms_spool *s, uint64_t number, ms_error *err)
{
  uint64_t at = number * MS_SUM_BLOCK;
  size_t bytes = ms_block_sums_block_bytes(&s->sums, number), of_file = 0;
  s->block_number = NO_BLOCK;
  if (at < s->written)
    of_file = s->written - at < bytes ? (size_t)(s->written - at) : bytes;
  ssize_t got = of_file > 0 ? read_at(s, MAGIC_BYTES + at, s->block, of_file) : 0;
  if (got < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
  if ((size_t)got < of_file)
    return fail_damaged(s, "the file became shorter", err);
  if (bytes > of_file)
    memcpy(s->block + of_file, s->buffer + (at + of_file - s->written), bytes - of_file);
  if (!ms_block_sums_fit(&s->sums, number, s->block))
    return fail_damaged(s, "they are not those that the run has written", err);
  s->block_number = number;
  return MS_OK;
}

ms_status ms_spool_read(ms_spool *s, uint64_t at, void *data, size_t bytes, ms_error *err)
{
  unsigned char *to = data;
  while (bytes > 0) {
    uint64_t number = at / MS_SUM_BLOCK;
    size_t offset = (size_t)(at % MS_SUM_BLOCK), part = MS_SUM_BLOCK - offset;
    if (number != s->block_number)
      MS_TRY(read_block(s, number, err));
    part = part < bytes ? part : bytes;
    memcpy(to, s->block + offset, part);
    to += part;
    at += part;
    bytes -= part;
  }
  return MS_OK;
}
