#include "base/outfile.h"

#include "base/alloc.h"
#include "base/compress.h"
#include "base/crc32c.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 16)
/* Bytes after which they are sent to the disk.  The flush at the end waits for twice as many at
 * most, so that even a long output ends soon. */
#define SEND_BYTES ((off_t)1 << 24)
/* number of names that are tried in the target's folder */
#define NAME_TRIES 100

struct ms_outfile {
  int fd;                    /* -1: the bytes are discarded */
  int failure;               /* errno of the first failed write, 0 for none */
  char *target;              /* resolved path of the target; NULL: written in place */
  char *scratch;             /* the temporary name */
  char label[256];           /* for messages */
  ms_compressor *compressor; /* NULL: no compression */
  off_t written, sent;       /* bytes in the file; how many of them are being sent to the disk */
  uint32_t crc;
  uint64_t bytes; /* number of bytes written so far, before compression */
  size_t used;
  char buffer[BUFFER_BYTES];
};

/* ---- files that a signal handler removes --------------------------------------------- */

/* More files than a program has open at the same time.  The temporary files of any
 * further ones would survive a signal. */
#define MOST_OPEN 16
static char *_Atomic scratch_names[MOST_OPEN];

static void remember(char *scratch)
{
  for (int i = 0; i < MOST_OPEN; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&scratch_names[i], &none, scratch))
      return;
  }
}

static void forget(char *scratch)
{
  for (int i = 0; i < MOST_OPEN && scratch; i++) {
    char *name = scratch;
    if (atomic_compare_exchange_strong(&scratch_names[i], &name, NULL))
      return;
  }
}

void ms_outfile_unlink_all(void)
{
  for (int i = 0; i < MOST_OPEN; i++) {
    char *name = atomic_load(&scratch_names[i]);
    if (name)
      unlink(name);
  }
}

/* ---- opening ------------------------------------------------------------------- */

static void release(ms_outfile *file)
{
  if (!file)
    return;
  if (file->fd > STDERR_FILENO)
    close(file->fd);
  ms_compressor_free(file->compressor);
  ms_free(file->target);
  forget(file->scratch);
  ms_free(file->scratch);
  ms_free(file);
}

/* True if the path names standard output, such as /dev/stdout, or the file that it
 * writes to.  A rename would replace that file and lose what others write there. */
static bool is_standard_output(const char *path)
{
  struct stat named, standard;
  return !path || strcmp(path, "-") == 0 ||
         (stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
          S_ISREG(standard.st_mode) && named.st_dev == standard.st_dev &&
          named.st_ino == standard.st_ino);
}

static ms_status fail_open(ms_error *err, const char *path, int reason)
{
  return ms_fail(err, MS_ERR_OUTPUT,
                 "%s: cannot be created: %s; choose a file in a folder that exists and that "
                 "you may write",
                 path, strerror(reason));
}

/* Resolves symbolic links, so that a link stays a link.  A path that does not exist yet
 * is copied. */
static char *resolve(const char *path)
{
  char resolved[PATH_MAX];
  return ms_strdup(realpath(path, resolved) ? resolved : path);
}

/* Returns the number of bytes of the target's path with which the scratch file's path
 * begins.  The limit keeps the name from being too long. */
static int scratch_stem(const char *target)
{
  enum { NAME_BYTES = 200 };
  const char *slash = strrchr(target, '/');
  size_t folder = slash ? (size_t)(slash + 1 - target) : 0, name = strlen(target) - folder;
  return (int)(folder + (name < NAME_BYTES ? name : NAME_BYTES));
}

/* Creates a new file in the target's folder, and sets scratch and fd.  O_EXCL makes the
 * name unique, and with open(), unlike mkstemp(), the umask applies. */
static ms_status open_scratch(ms_outfile *file, const char *path, ms_error *err)
{
  size_t bytes = strlen(file->target) + 48;
  file->scratch = ms_alloc(bytes, 1);
  if (!file->scratch)
    return ms_fail_memory(err, "the name of the temporary output file");
  for (int i = 0; i < NAME_TRIES; i++) {
    snprintf(file->scratch, bytes, "%.*s.tmp-%ld-%d", scratch_stem(file->target), file->target,
             (long)getpid(), i);
    file->fd = open(file->scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd >= 0) {
      remember(file->scratch);
      return MS_OK;
    }
    if (errno != EEXIST)
      break;
  }
  int reason = errno;
  ms_free(file->scratch);
  file->scratch = NULL;
  return fail_open(err, path, reason);
}

/* Opens the file that the path names, and sets fd and the fields that depend on it. */
static ms_status open_target(ms_outfile *file, const char *path, ms_error *err)
{
  struct stat info;
  bool standard = is_standard_output(path);
  snprintf(file->label, sizeof file->label, "%s", standard ? "standard output" : path);
  if (standard) {
    file->fd = STDOUT_FILENO;
    return MS_OK;
  }
  bool exists = stat(path, &info) == 0;
  if (!exists && lstat(path, &info) == 0)
    return fail_open(err, path, ENOENT); /* a link to nothing would be replaced */
  if (exists && S_ISDIR(info.st_mode))
    return fail_open(err, path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    file->fd = open(path, O_WRONLY | O_CLOEXEC);
    return file->fd < 0 ? fail_open(err, path, errno) : MS_OK;
  }
  if (exists && access(path, W_OK) != 0)
    return fail_open(err, path, errno); /* a rename would succeed even on a read-only file */
  file->target = resolve(path);
  if (!file->target)
    return ms_fail_memory(err, "the output path");
  ms_status status = open_scratch(file, path, err);
  /* a replaced file keeps its permissions; a failure to set them is ignored */
  if (status == MS_OK && exists)
    (void)!fchmod(file->fd, info.st_mode & 07777);
  return status;
}

/* Sends what was written to the disk, and waits until what was sent before is there.  A failure
 * shows in the flush at the end. */
static void send_to_disk(ms_outfile *file)
{
#ifdef SYNC_FILE_RANGE_WRITE
  off_t before = file->sent > SEND_BYTES ? file->sent - SEND_BYTES : 0;
  sync_file_range(file->fd, file->sent, file->written - file->sent, SYNC_FILE_RANGE_WRITE);
  if (file->sent > before) /* a length of 0 would mean all */
    sync_file_range(file->fd, before, file->sent - before,
                    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                        SYNC_FILE_RANGE_WAIT_AFTER);
#endif
  file->sent = file->written;
}

/* Writes bytes to the file as they are. */
static void write_out(void *user, const void *data, size_t bytes)
{
  ms_outfile *file = user;
  const char *from = data;
  while (bytes > 0 && file->fd >= 0 && !file->failure) {
    ssize_t wrote = write(file->fd, from, bytes);
    if (wrote > 0) {
      from += wrote;
      bytes -= (size_t)wrote;
      file->written += wrote;
    } else if (wrote == 0) {
      file->failure = EIO;
    } else if (errno != EINTR) {
      file->failure = errno;
    }
  }
  if (file->target && !file->failure && file->written - file->sent >= SEND_BYTES)
    send_to_disk(file);
}

ms_status ms_outfile_nowhere(ms_outfile **out, ms_error *err)
{
  ms_outfile *file = *out = ms_alloc(1, sizeof *file);
  if (!file)
    return ms_fail_memory(err, "an output buffer");
  memset(file, 0, offsetof(ms_outfile, buffer));
  file->fd = -1;
  return MS_OK;
}

ms_status ms_outfile_open(const char *path, ms_outfile **out, ms_error *err)
{
  ms_outfile *file;
  *out = NULL;
  if (ms_outfile_nowhere(&file, err) != MS_OK)
    return MS_ERR_MEMORY;
  ms_status status = open_target(file, path, err);
  ms_compression kind = path ? ms_compression_of(path) : MS_PLAIN;
  if (status == MS_OK && kind != MS_PLAIN)
    status = ms_compressor_new(kind, write_out, file, &file->compressor, err);
  if (status != MS_OK) {
    ms_outfile_abort(file);
    return status;
  }
  *out = file;
  return MS_OK;
}

static void flush(ms_outfile *file, bool last)
{
  if (file->compressor && !file->failure) {
    if (!ms_compressor_write(file->compressor, file->buffer, file->used, last) && !file->failure)
      file->failure = ENOMEM;
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
  char small[512], *text = small;
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(small, sizeof small, format, args);
  if (length >= (int)sizeof small) {
    text = ms_alloc((size_t)length + 1, 1);
    if (text)
      vsnprintf(text, (size_t)length + 1, format, again);
  }
  if (length < 0 || !text)
    file->failure = file->failure ? file->failure : ENOMEM;
  else
    ms_outfile_write(file, text, (size_t)length);
  if (text != small)
    ms_free(text);
  va_end(again);
  va_end(args);
}

uint32_t ms_outfile_crc32c(const ms_outfile *file)
{
  return file->crc;
}

uint64_t ms_outfile_bytes(const ms_outfile *file)
{
  return file->bytes;
}

bool ms_outfile_failed(const ms_outfile *file)
{
  return file->failure != 0;
}

/* Opens the folder of `target` into *fd, or sets it to -1 if that fails; the folder is
 * then not flushed. */
static int open_folder(const char *target, int *fd)
{
  char *copy = ms_strdup(target);
  if (!copy)
    return ENOMEM;
  *fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ms_free(copy);
  return 0;
}

/* Renames the scratch file to the target.  A rename is durable only once its folder is
 * flushed; every step that may lack a resource comes before the rename. */
static int put_in_place(ms_outfile *file)
{
  int folder, failure = open_folder(file->target, &folder);
  if (failure)
    return failure;
  if (rename(file->scratch, file->target) != 0)
    failure = errno;
  if (!failure) {
    forget(file->scratch);
    ms_free(file->scratch);
    file->scratch = NULL;
  }
  /* EINVAL: the file system has nothing to flush */
  if (!failure && folder >= 0 && fsync(folder) != 0 && errno != EINVAL)
    failure = errno;
  if (folder >= 0)
    close(folder);
  return failure;
}

static int finish(ms_outfile *file)
{
  flush(file, true);
  if (file->failure)
    return file->failure;
  if (file->target && fsync(file->fd) != 0)
    return errno;
  if (file->fd > STDERR_FILENO) {
    int fd = file->fd;
    file->fd = -1;
    if (close(fd) != 0)
      return errno;
  }
  return file->target ? put_in_place(file) : 0;
}

ms_status ms_outfile_commit(ms_outfile *file, ms_error *err)
{
  ms_status status = MS_OK;
  int failure = finish(file);
  if (failure == ENOMEM)
    status = ms_fail_memory(err, "the output");
  else if (failure)
    status = ms_fail(err, MS_ERR_OUTPUT,
                     "%s: could not be written: %s; free space there, or choose another place",
                     file->label, strerror(failure));
  ms_outfile_abort(file);
  return status;
}

void ms_outfile_abort(ms_outfile *file)
{
  if (file && file->scratch)
    unlink(file->scratch);
  release(file);
}
