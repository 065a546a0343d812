#include "base/file/outfile.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/file/compress.h"
#include "base/file/descriptor.h"
#include "base/file/packer.h"
#include "base/file/scratch.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 16)
/* Bytes after which they are sent to the disk.  The flush at the end waits for twice as many at
 * most, so that even a long output ends soon. */
#define SEND_BYTES ((off_t)1 << 24)
/* How long a command that was stopped waits for the reader of a named pipe, and how often it asks.
 */
#define READER_SECONDS 1.0
#define READER_WAIT_MS 20
/* Bytes after which a file without compression is marked: a small part of those before, and no more
 * than the second number. */
#define MARK_SHARE 16u
#define MARK_BYTES ((uint64_t)1 << 13)
/* Bytes by which a full disk is relieved at first, and the factor for each further attempt. */
#define CUT_BYTES ((off_t)1 << 12)
#define CUT_FACTOR 4

static atomic_bool reader_gone; /* the reader of standard output has closed its pipe */

struct ms_outfile {
  int fd;                    /* -1: the bytes are discarded */
  int failure;               /* errno of the first failed write, 0 for none */
  ms_watch watch;            /* of the token that ends the writing, if one was set */
  ms_scratch *scratch;       /* where the bytes go, and `fd` belongs to it; NULL: in place */
  char label[256];           /* for messages */
  ms_compressor *compressor; /* gzip; else NULL */
  ms_packer *packer;         /* of zstd, or of blocks; NULL: neither */
  int threads;               /* of the packer */
  bool in_blocks;            /* blocks may wait in the packer */
  off_t written, sent;       /* bytes in the file; how many of them are being sent to the disk */
  off_t reserved;            /* length of the file, if it is longer than `written` */
  uint32_t file_crc;         /* of the bytes in the file, if they are compressed */
  bool finished;             /* every byte is in the file, which is flushed to the disk */
  bool unflushed;            /* flushing has failed: what the file holds may not reach the disk */
  bool begun_again;          /* by ms_outfile_rewind; the marks are of the first time */
  off_t relief;              /* bytes by which the next cut relieves the disk */
  uint64_t marked;           /* bytes before compression at the last mark */
  uint32_t crc;
  uint64_t bytes; /* number of bytes written so far, before compression */
  ms_compression compression;
  size_t used;
  ms_marks marks;
  char buffer[BUFFER_BYTES];
};

/* ---- opening ------------------------------------------------------------------- */

static void release(ms_outfile *file)
{
  if (!file)
    return;
  if (file->fd > STDERR_FILENO && !file->scratch)
    close(file->fd);
  ms_scratch_drop(file->scratch);
  ms_compressor_free(file->compressor);
  ms_packer_free(file->packer);
  ms_free(file);
}

/* True if the path names standard output, such as /dev/stdout, or the file that it
 * writes to.  A rename would replace that file and lose what others write there. */
static bool is_standard_output(const char *path)
{
  struct stat named, standard;
  return !path || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
         (stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
          S_ISREG(standard.st_mode) && named.st_dev == standard.st_dev &&
          named.st_ino == standard.st_ino);
}

/* Opens a named pipe, and waits for a program that reads it.  open() would wait without an end,
 * since signals restart it; so this asks again and again, until the token of the thread has been
 * stopped for a moment, in which a reader that has just been started may still come. */
static ms_status open_pipe(const char *path, int *fd, ms_error *err)
{
  double stopped = 0; /* when the stop was seen, 0: not yet */
  while ((*fd = ms_open(path, O_WRONLY | O_NONBLOCK, 0)) < 0 && errno == ENXIO) {
    double now = ms_seconds();
    if (!(stopped > 0) && ms_stop_check(ms_stop_current()) != MS_OK)
      stopped = now;
    if (stopped > 0 && now - stopped > READER_SECONDS)
      return ms_fail(err, MS_ERR_OUTPUT,
                     "%s: no program has opened this named pipe to read it, and the command was "
                     "stopped; start the reader first",
                     path);
    poll(NULL, 0, READER_WAIT_MS);
  }
  if (*fd >= 0)
    fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
  return MS_OK;
}

/* Opens the file that the path names, and sets fd and the fields that depend on it. */
static ms_status open_target(ms_outfile *file, const char *path, ms_error *err)
{
  struct stat info;
  bool standard = is_standard_output(path);
  snprintf(file->label, sizeof file->label, "%s", standard ? "standard output" : path);
  if (standard) {
    MS_TRY(ms_check_stdout(err));
    file->fd = STDOUT_FILENO;
    return MS_OK;
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    if (S_ISFIFO(info.st_mode))
      MS_TRY(open_pipe(path, &file->fd, err));
    else
      file->fd = ms_open(path, O_WRONLY, 0);
    return file->fd >= 0 ? MS_OK
                         : ms_fail(err, MS_ERR_OUTPUT,
                                   "%s: cannot be opened: %s; choose a place that you may write",
                                   path, strerror(errno));
  }
  MS_TRY(ms_scratch_open(path, &file->scratch, err));
  file->fd = ms_scratch_fd(file->scratch);
  file->reserved = MS_SCRATCH_RESERVED;
  return MS_OK;
}

/* Notes a failure to flush.  The system reports it once, so the flush at the end may not show it.
 * EINVAL and others: the file system has nothing to flush. */
static void check_flush(ms_outfile *file, int result)
{
  if (result == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT && errno != EFBIG))
    return;
  file->failure = errno;
  file->unflushed = true;
}

/* Sends what was written to the disk, and waits until what was sent before is there. */
static void send_to_disk(ms_outfile *file)
{
#ifdef SYNC_FILE_RANGE_WRITE
  off_t before = file->sent > SEND_BYTES ? file->sent - SEND_BYTES : 0;
  check_flush(file, sync_file_range(file->fd, file->sent, file->written - file->sent,
                                    SYNC_FILE_RANGE_WRITE));
  if (file->sent > before && !file->failure) /* a length of 0 would mean all */
    check_flush(file, sync_file_range(file->fd, before, file->sent - before,
                                      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                                          SYNC_FILE_RANGE_WAIT_AFTER));
#endif
  file->sent = file->written;
}

/* True if marks are of use. */
static bool can_be_cut(const ms_outfile *file)
{
  return file->scratch && !file->failure && !file->begun_again;
}

/* Writes bytes to the file as they are. */
static void write_out(void *user, const void *data, size_t bytes)
{
  ms_outfile *file = user;
  size_t written = 0;
  if (file->fd >= 0 && !file->failure)
    file->failure = ms_write_all(file->fd, data, bytes, &written);
  file->written += (off_t)written;
  if (file->compression != MS_PLAIN)
    file->file_crc = ms_crc32c(file->file_crc, data, written);
  if (file->failure == EPIPE && file->fd == STDOUT_FILENO)
    atomic_store(&reader_gone, true);
  if (file->scratch && !file->failure && file->written - file->sent >= SEND_BYTES)
    send_to_disk(file);
}

/* Adds what is known of a block that was written to the figures of the file, and a mark. */
static void count_block(ms_outfile *file, const ms_packed *packed, ms_mark *mark)
{
  file->crc = ms_crc32c_combine(file->crc, packed->crc, packed->raw_bytes);
  file->bytes += packed->raw_bytes;
  file->marked = mark->bytes = file->bytes;
  mark->crc = file->crc;
  mark->file_crc = file->compression == MS_PLAIN ? file->crc : file->file_crc;
  if (file->compressor)
    ms_compressor_get_point(file->compressor, &mark->point);
}

/* Writes a frame, after which the file may be cut if there is a mark; an ms_packed_fn. */
static void write_frame(void *user, const ms_packed *packed)
{
  ms_outfile *file = user;
  if (file->compressor)
    ms_compressor_add_block(file->compressor, packed->data, packed->bytes, packed->crc32,
                            packed->raw_bytes);
  else
    write_out(file, packed->data, packed->bytes);
  if (!packed->mark || file->failure)
    return;
  ms_mark placed = *packed->mark;
  placed.offset = file->written;
  placed.file_crc = file->file_crc;
  if (packed->is_block)
    count_block(file, packed, &placed);
  if (!packed->is_block || can_be_cut(file))
    ms_marks_add(&file->marks, &placed);
}

ms_status ms_outfile_open_ahead(const char *path, void (*note)(void *user, const char *note),
                                void *user, ms_error *err)
{
  return is_standard_output(path) ? ms_check_stdout(err)
                                  : ms_scratch_open_ahead(path, note, user, err);
}

ms_status ms_outfile_nowhere(ms_outfile **out, ms_error *err)
{
  ms_outfile *file = *out = ms_alloc(1, sizeof *file);
  if (!file)
    return ms_fail_memory(err, "an output buffer");
  memset(file, 0, offsetof(ms_outfile, buffer));
  file->fd = -1;
  file->threads = 1;
  file->relief = CUT_BYTES;
  return MS_OK;
}

ms_status ms_outfile_open(const char *path, ms_outfile **out, ms_error *err)
{
  ms_outfile *file;
  *out = NULL;
  if (ms_outfile_nowhere(&file, err) != MS_OK)
    return MS_ERR_MEMORY;
  ms_status status = open_target(file, path, err);
  ms_compression kind = file->compression = path ? ms_compression_of(path) : MS_PLAIN;
  if (status == MS_OK && kind == MS_GZIP)
    status = ms_compressor_new(write_out, file, &file->compressor, err);
  if (status == MS_OK && kind == MS_ZSTD)
    status = ms_packer_new(kind, write_frame, file, &file->packer, err);
  if (status != MS_OK) {
    ms_outfile_abort(file);
    return status;
  }
  *out = file;
  return MS_OK;
}

void ms_outfile_set_threads(ms_outfile *file, int threads)
{
  file->threads = threads;
  if (file->packer)
    ms_packer_set_threads(file->packer, threads);
}

void ms_outfile_watch(ms_outfile *file)
{
  ms_watch_begin(&file->watch);
}

static void flush(ms_outfile *file, bool last)
{
  if (!file->failure && ms_watch_check(&file->watch))
    file->failure = ECANCELED;
  if (file->compression == MS_ZSTD && !file->failure) {
    bool fine = ms_packer_write(file->packer, file->buffer, file->used) &&
                (!last || ms_packer_finish(file->packer));
    if (!fine && !file->failure)
      file->failure = ENOMEM;
  } else if (file->compressor && !file->failure) {
    ms_compressor_write(file->compressor, file->buffer, file->used, last);
  } else {
    write_out(file, file->buffer, file->used);
  }
  file->used = 0;
}

void ms_outfile_write(ms_outfile *file, const void *data, size_t bytes)
{
  const char *from = data;
  if (file->failure)
    return;
  file->crc = ms_crc32c(file->crc, data, bytes);
  file->bytes += bytes;
  while (bytes > 0) {
    size_t part = BUFFER_BYTES - file->used;
    if (part > bytes)
      part = bytes;
    memcpy(file->buffer + file->used, from, part);
    file->used += part;
    from += part;
    bytes -= part;
    if (file->used == BUFFER_BYTES)
      flush(file, false);
  }
}

void ms_outfile_puts(ms_outfile *file, const char *text)
{
  ms_outfile_write(file, text, strlen(text));
}

void ms_outfile_printf(ms_outfile *file, const char *format, ...)
{
  char small[512];
  size_t length;
  va_list args;
  if (file->failure)
    return;
  va_start(args, format);
  char *text = ms_format_any(small, sizeof small, &length, format, args);
  va_end(args);
  if (text)
    ms_outfile_write(file, text, length);
  else
    file->failure = ENOMEM;
  if (text != small)
    ms_free(text);
}

uint32_t ms_outfile_crc32c(const ms_outfile *file)
{
  return file->crc;
}

uint64_t ms_outfile_bytes(const ms_outfile *file)
{
  return file->bytes;
}

bool ms_outfile_reader_is_gone(void)
{
  return atomic_load(&reader_gone);
}

bool ms_outfile_failed(const ms_outfile *file)
{
  return file->failure != 0;
}

/* ---- blocks ------------------------------------------------------------------------- */

/* Ends what was written before the first block.  Returns false if the file has failed. */
static bool begin_blocks(ms_outfile *file)
{
  ms_compressor_point point;
  flush(file, false);
  if (!file->failure && !file->packer) {
    if (ms_packer_new(file->compression, write_frame, file, &file->packer, NULL) == MS_OK)
      ms_packer_set_threads(file->packer, file->threads);
    else
      file->failure = ENOMEM;
  }
  if (file->compressor && !file->failure)
    ms_compressor_end_part(file->compressor, &point);
  file->in_blocks = !file->failure;
  return file->in_blocks;
}

void *ms_outfile_block_input(ms_outfile *file, size_t bytes)
{
  if (file->failure || (!file->in_blocks && !begin_blocks(file)))
    return NULL;
  void *input = ms_packer_input(file->packer, bytes);
  if (!input && !file->failure)
    file->failure = ENOMEM;
  return input;
}

void ms_outfile_end_block(ms_outfile *file, ms_make_fn make, const void *user, size_t input_bytes,
                          uint64_t rows)
{
  if (!file->failure && ms_watch_check(&file->watch))
    file->failure = ECANCELED;
  if (!file->failure && !ms_packer_end_block(file->packer, make, user, input_bytes, rows) &&
      !file->failure)
    file->failure = ENOMEM;
}

void ms_outfile_end_blocks(ms_outfile *file)
{
  if (file->in_blocks && !file->failure && !ms_packer_drain(file->packer) && !file->failure)
    file->failure = ENOMEM;
  if (file->in_blocks && file->failure)
    ms_packer_forget(file->packer);
  file->in_blocks = false;
}

/* ---- a full disk -------------------------------------------------------------------- */

bool ms_outfile_wants_mark(const ms_outfile *file, size_t pending)
{
  uint64_t total = file->bytes + pending, distance = total / MARK_SHARE;
  if (file->compression != MS_PLAIN)
    distance = ms_compressor_point_distance(file->compression, file->marked);
  else if (distance > MARK_BYTES)
    distance = MARK_BYTES;
  return can_be_cut(file) && total - file->marked >= distance;
}

void ms_outfile_mark(ms_outfile *file, uint64_t rows)
{
  ms_mark mark = {.rows = rows, .bytes = file->bytes, .crc = file->crc};
  if (file->compression != MS_PLAIN)
    flush(file, false);
  if (file->compression == MS_ZSTD &&
      !file->failure) { /* the mark is added once the frame is in the file */
    file->marked = file->bytes;
    if (!ms_packer_end_frame(file->packer, &mark) && !file->failure)
      file->failure = ENOMEM;
    return;
  }
  if (file->compressor && !file->failure)
    ms_compressor_end_part(file->compressor, &mark.point);
  if (file->failure)
    return;
  mark.offset = file->compressor ? file->written : (off_t)file->bytes;
  mark.file_crc = file->compressor ? file->file_crc : file->crc;
  file->marked = file->bytes;
  ms_marks_add(&file->marks, &mark);
}

bool ms_outfile_finish(ms_outfile *file)
{
  if (file->finished)
    return true;
  ms_outfile_end_blocks(file);
  flush(file, true);
  if (file->failure)
    return false;
  if (!file->scratch) {
    int fd = file->fd;
    bool closes = fd > STDERR_FILENO;
    file->fd = closes ? -1 : fd;
    if (closes && close(fd) != 0)
      file->failure = errno;
  } else if (file->written < file->reserved && ftruncate(file->fd, file->written) != 0) {
    file->failure = errno;
  } else if (fsync(file->fd) != 0) {
    file->failure = errno;
    file->unflushed = true;
  }
  file->finished = !file->failure;
  return file->finished;
}

/* Writes the first bytes of the file again, because the system does not write bytes a second time
 * whose flush has failed.  It may have thrown them away, so their checksum is compared. */
static bool write_again(ms_outfile *file, const ms_mark *mark)
{
  uint32_t crc = 0;
  for (off_t at = 0; at < mark->offset;) {
    off_t left = mark->offset - at;
    size_t bytes = left < (off_t)BUFFER_BYTES ? (size_t)left : BUFFER_BYTES, written;
    ssize_t got = pread(file->fd, file->buffer, bytes, at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0 || lseek(file->fd, at, SEEK_SET) < 0 ||
        ms_write_all(file->fd, file->buffer, (size_t)got, &written) != 0)
      return false;
    crc = ms_crc32c(crc, file->buffer, (size_t)got);
    at += got;
  }
  return crc == mark->file_crc;
}

/* Takes the next mark to which the file can be cut back. */
static bool take_mark(ms_outfile *file, ms_mark *mark)
{
  bool full = file->failure == ENOSPC || file->failure == EDQUOT || file->failure == EFBIG;
  off_t relief = file->relief;
  file->relief *= CUT_FACTOR;
  return file->scratch && full && ms_marks_take(&file->marks, file->written, relief, mark);
}

/* Goes on behind the mark, in a file that has not failed. */
static void go_back(ms_outfile *file, const ms_mark *mark, bool has_point)
{
  file->written = file->sent = mark->offset;
  file->file_crc = mark->file_crc;
  file->bytes = file->marked = mark->bytes;
  file->crc = mark->crc;
  file->used = 0;
  file->failure = 0;
  file->unflushed = false;
  if (file->compressor)
    ms_compressor_go_back(file->compressor, has_point ? &mark->point : NULL);
  if (file->packer)
    ms_packer_forget(file->packer);
  file->in_blocks = false;
}

bool ms_outfile_cut(ms_outfile *file, uint64_t *rows)
{
  ms_mark mark;
  if (!take_mark(file, &mark) || ftruncate(file->fd, mark.offset) != 0)
    return false;
  file->reserved = 0;
  if (file->unflushed && !write_again(file, &mark))
    return false;
  if (lseek(file->fd, mark.offset, SEEK_SET) < 0)
    return false;
  go_back(file, &mark, true);
  *rows = mark.rows;
  return true;
}

bool ms_outfile_rewind(ms_outfile *file, uint64_t *rows)
{
  static const ms_mark begin;
  ms_mark mark;
  if (!take_mark(file, &mark) || lseek(file->fd, 0, SEEK_SET) < 0)
    return false;
  if (file->reserved < file->written)
    file->reserved = file->written; /* the room that there is stays until it is written again */
  go_back(file, &begin, false);
  file->begun_again = true;
  *rows = mark.rows;
  return true;
}

/* ---- the end ------------------------------------------------------------------------ */

void ms_outfile_mark_incomplete(ms_outfile *file)
{
  if (file->scratch)
    ms_scratch_mark_incomplete(file->scratch);
}

ms_status ms_outfile_commit(ms_outfile *file, ms_error *err)
{
  ms_status status = MS_OK;
  ms_outfile_finish(file);
  int failure = file->failure;
  if (failure == ECANCELED)
    status = ms_watch_report(&file->watch, "the output is written", err);
  else if (failure == ENOMEM)
    status = ms_fail_memory(err, "the output");
  else if (failure)
    status = ms_fail(err, MS_ERR_OUTPUT,
                     "%s: could not be written: %s; free space there, or choose another place",
                     file->label, strerror(failure));
  else if (file->scratch) {
    status = ms_scratch_finish(file->scratch, file->label, err);
    file->scratch = NULL;
    file->fd = -1;
  }
  release(file);
  return status;
}

void ms_outfile_abort(ms_outfile *file)
{
  release(file);
}
