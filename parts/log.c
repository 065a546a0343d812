#include "parts/log.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/file/descriptor.h"
#include "base/file/outfile.h"
#include "base/file/own_file.h"
#include "base/file/scratch.h"
#include "base/file/scratch_name.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "parts/lock.h"
#include "parts/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_SECONDS 30.0
#define MAGIC "MSUNITS3" /* another last digit: another form */
#define MAGIC_BYTES 8u
#define HEAD_BYTES 16u
#define BLOCK_BYTES MS_PIECE_BYTES /* of content, at most */
#define NANOSECOND 1e-9
#define MOST_NANOSECONDS 0x1p62 /* of a unit */

enum { BLOCK_IDENTITY = 1, BLOCK_UNITS, BLOCK_STATE, BLOCK_END };

struct ms_unit_log {
  const ms_division *division;
  const ms_identity *identity;
  uint64_t units, done;
  double pace;                 /* seconds of a unit; 0: not known */
  double seconds, last, spent; /* between two savings; of the last one; in all of them */
  char *path;
  ms_checkpoint_lock lock;
  int fd;               /* of the file that is being read; -1: none */
  unsigned char *block; /* [BLOCK_BYTES + 1] that was read last */
  size_t used;          /* bytes in it */
  ms_bytes state;       /* of the run that goes on */
  uint64_t blocks;      /* read or written so far */
  uint64_t state_bytes; /* written so far */
  ms_outfile *out;      /* NULL: nothing is being written */
  bool warned;          /* of a failure, since the last saving that succeeded */
};

/* ---- reading ------------------------------------------------------------------------- */

static ms_status fail_damaged(const ms_unit_log *log, const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: the checkpoint is damaged: %s (block %" PRIu64
                 "); use a copy of it, or remove it to begin the run again",
                 log->path, what, log->blocks + 1);
}

static ms_status read_bytes(ms_unit_log *log, void *to, size_t bytes, ms_error *err)
{
  size_t have = 0;
  while (have < bytes) {
    ssize_t got = ms_read(log->fd, (char *)to + have, bytes - have);
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot be read: %s", log->path, strerror(errno));
    if (got == 0)
      return fail_damaged(log, "it ends too early", err);
    have += (size_t)got;
  }
  return MS_OK;
}

/* Reads a block into log->block, and sets *kind. */
static ms_status read_block(ms_unit_log *log, uint32_t *kind, ms_error *err)
{
  unsigned char head[HEAD_BYTES], check[4];
  MS_TRY(read_bytes(log, head, sizeof head, err));
  if (ms_number_get(head + 12, 4) != ms_crc32c(0, head, 12))
    return fail_damaged(log, "the checksum of the head of a block is wrong", err);
  *kind = (uint32_t)ms_number_get(head, 4);
  uint64_t length = ms_number_get(head + 4, 8);
  if (length > BLOCK_BYTES)
    return fail_damaged(log, "a block is too long", err);
  MS_TRY(read_bytes(log, log->block, (size_t)length, err));
  MS_TRY(read_bytes(log, check, sizeof check, err));
  if (ms_number_get(check, 4) != ms_crc32c(0, log->block, (size_t)length))
    return fail_damaged(log, "the checksum of a block is wrong", err);
  log->used = (size_t)length;
  log->blocks++;
  return MS_OK;
}

static ms_status check_identity(ms_unit_log *log, ms_error *err)
{
  uint32_t kind;
  char reason[512];
  MS_TRY(read_block(log, &kind, err));
  if (kind != BLOCK_IDENTITY || log->used == BLOCK_BYTES)
    return fail_damaged(log, "it does not begin with the identity of a run", err);
  log->block[log->used] = '\0';
  ms_identity saved = {.text = (char *)log->block, .length = log->used};
  if (ms_identity_equal(log->identity, "this run", &saved, "the checkpoint", reason, sizeof reason))
    return MS_OK;
  return ms_fail(
      err, MS_ERR_INPUT,
      "%s: is the checkpoint of another run: %s; give the inputs, options and version of that "
      "run, or another checkpoint",
      log->path, reason);
}

static ms_status take_units(ms_unit_log *log, ms_error *err)
{
  uint32_t kind;
  MS_TRY(read_block(log, &kind, err));
  bool ok = kind == BLOCK_UNITS && log->used == 3 * 8;
  ok = ok && ms_number_get(log->block, 8) == log->units;
  log->done = ok ? ms_number_get(log->block + 16, 8) : 0;
  log->pace = ok ? (double)ms_number_get(log->block + 8, 8) * NANOSECOND : 0;
  if (!ok || log->done > log->units)
    return fail_damaged(log, "its units are not those of this run", err);
  return MS_OK;
}

static ms_status take_state(ms_unit_log *log, ms_error *err)
{
  uint32_t kind;
  char more;
  uint64_t before = log->blocks;
  MS_TRY(read_block(log, &kind, err));
  while (kind == BLOCK_STATE && log->used > 0) {
    ms_bytes_put(&log->state, log->block, log->used);
    if (log->state.failed)
      return ms_fail_memory(err, "the state of a run");
    before = log->blocks;
    MS_TRY(read_block(log, &kind, err));
  }
  if (kind != BLOCK_END || log->used != 16 || ms_number_get(log->block, 8) != before ||
      ms_number_get(log->block + 8, 8) != log->state.length)
    return fail_damaged(log, "its end is wrong", err);
  return ms_read(log->fd, &more, 1) == 0 ? MS_OK
                                         : fail_damaged(log, "something follows its end", err);
}

/* Reads the file of a run that goes on. */
static ms_status read_saved(ms_unit_log *log, ms_error *err)
{
  char magic[MAGIC_BYTES];
  struct stat facts;
  MS_TRY(read_bytes(log, magic, sizeof magic, err));
  if (memcmp(magic, MAGIC, sizeof magic - 1) != 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: is not a checkpoint of motifsieve; give another name",
                   log->path);
  if (memcmp(magic, MAGIC, sizeof magic) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is a checkpoint of another version of motifsieve, or damaged; go on with "
                   "that version, or remove it to begin the run again",
                   log->path);
  MS_TRY(check_identity(log, err));
  MS_TRY(take_units(log, err));
  /* room for all of it at once: a state may be large */
  if (fstat(log->fd, &facts) == 0 && facts.st_size > 0)
    log->state.data = ms_alloc((size_t)facts.st_size, 1);
  log->state.room = log->state.data ? (size_t)facts.st_size : 0;
  return take_state(log, err);
}

/* ---- opening --------------------------------------------------------------------------- */

static ms_status check(const ms_division *d, ms_error *err)
{
  if (d->parts > MS_MOST_PARTS || d->part > d->parts || (d->parts > 0 && d->part == 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "`part` is %u and `parts` is %u; use 1 to `parts`, and %u parts at most",
                   d->part, d->parts, MS_MOST_PARTS);
  if (!(d->checkpoint_seconds >= 0))
    return ms_fail(err, MS_ERR_USAGE, "`checkpoint_seconds` is not a number of seconds");
  if (d->resume && !d->checkpoint)
    return ms_fail(err, MS_ERR_USAGE, "`resume` needs `checkpoint`, the file to go on from");
  if (!(d->paranoid >= 0 && d->paranoid <= 1))
    return ms_fail(err, MS_ERR_USAGE,
                   "`paranoid` is not a part of the work; use a number above 0 and at most 1");
  size_t length = d->checkpoint ? strlen(d->checkpoint) : 0;
  if ((length > 3 && strcmp(d->checkpoint + length - 3, ".gz") == 0) ||
      (length > 4 && strcmp(d->checkpoint + length - 4, ".zst") == 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "`checkpoint` '%.200s' has the name of a compressed file; choose another name",
                   d->checkpoint);
  return MS_OK;
}

ms_status ms_division_take_checked(const ms_division **division, ms_division *own, ms_error *err)
{
  if (!*division)
    return MS_OK;
  MS_TRY(ms_options_take(&ms_division_kind, *division, own, err));
  bool divides = own->parts > 0 || own->part > 0 || own->checkpoint || own->resume || own->crew ||
                 own->paranoid != 0;
  *division = divides ? own : NULL;
  return *division ? check(own, err) : MS_OK;
}

ms_status ms_division_take(const ms_division **division, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take_checked(division, own, err));
  return *division && own->paranoid > 0
             ? ms_fail(err, MS_ERR_USAGE,
                       "only the sieve, a census and counts compute a part of their work twice; "
                       "leave out `paranoid`")
             : MS_OK;
}

ms_status ms_division_refuse_part(const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "%s cannot be divided into parts; leave out `part`", what);
}

ms_status ms_division_refuse(const ms_division *division, const char *what, ms_error *err)
{
  ms_division own;
  MS_TRY(ms_division_take(&division, &own, err));
  if (!division)
    return MS_OK;
  if (own.crew)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s cannot be divided among ranks; run it by motifsieve alone", what);
  return own.parts > 0 ? ms_division_refuse_part(what, err)
                       : ms_fail(err, MS_ERR_USAGE,
                                 "the state of %s cannot be saved; leave out `checkpoint`", what);
}

ms_status ms_division_prepared(ms_error *err)
{
  return ms_stop_poll("the run is prepared", err);
}

/* Removes what a run that was killed while it saved its state has left. */
static void sweep(const char *path)
{
  ms_place place = {.folder = -1};
  char resolved[PATH_MAX];
  if (ms_place_find(realpath(path, resolved) ? resolved : path, &place, NULL) == MS_OK &&
      place.folder >= 0)
    ms_scratch_sweep(&place, path, NULL, NULL);
  ms_place_clear(&place);
}

ms_status ms_unit_log_check(const char *checkpoint, ms_error *err)
{
  struct stat facts;
  ms_error why;
  if (strcmp(checkpoint, "-") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "`checkpoint` is '-', standard output, which cannot keep the state of a run; "
                   "name a file");
  if (stat(checkpoint, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    return ms_fail(err, MS_ERR_OUTPUT,
                   "%s: the state of the run cannot be saved here, because this is no regular "
                   "file; choose another `checkpoint`",
                   checkpoint);
  ms_status status = ms_scratch_check(checkpoint, &why);
  return status == MS_OK
             ? MS_OK
             : ms_fail(err, status, "the state of the run cannot be saved: %s", why.message);
}

static ms_status find_saved(ms_unit_log *log, ms_error *err)
{
  log->fd = ms_open(log->path, O_RDONLY, 0);
  if (log->fd < 0 && errno == ENOENT)
    return MS_OK;
  if (log->fd < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot be opened: %s", log->path, strerror(errno));
  if (!log->division->resume)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: there is a file of this name; go on from it by `resume`, or remove it",
                   log->path);
  return read_saved(log, err);
}

static void warn_of_locks(const ms_unit_log *log)
{
  char text[1024];
  if (!log->division->warn)
    return;
  snprintf(text, sizeof text,
           "%.700s: its file system has no locks (%s); see to it that no other run has this "
           "checkpoint",
           log->path, strerror(log->lock.failure));
  log->division->warn(log->division->warn_user, text);
}

ms_status ms_unit_log_open(const ms_division *division, const ms_identity *identity, uint64_t units,
                           ms_unit_log **out, ms_error *err)
{
  *out = NULL;
  if (!division || !division->checkpoint)
    return MS_OK;
  ms_unit_log *log = ms_calloc(1, sizeof *log);
  if (!log)
    return ms_fail_memory(err, "the log of a run");
  log->division = division;
  log->identity = identity;
  log->units = units;
  log->seconds = division->checkpoint_seconds > 0 ? division->checkpoint_seconds : USUAL_SECONDS;
  log->last = ms_seconds();
  log->fd = -1;
  log->path = ms_strdup(division->checkpoint);
  log->block = ms_alloc(BLOCK_BYTES + 1, 1);
  ms_status status = log->path && log->block ? MS_OK : ms_fail_memory(err, "the log of a run");
  if (status == MS_OK)
    status = ms_unit_log_check(log->path, err);
  if (status == MS_OK)
    status = ms_checkpoint_lock_take(log->path, &log->lock, err);
  if (status == MS_OK && log->lock.failure)
    warn_of_locks(log);
  if (status == MS_OK) {
    sweep(log->path);
    status = find_saved(log, err);
    if (log->fd >= 0)
      close(log->fd);
    log->fd = -1;
  }
  if (status == MS_OK)
    *out = log;
  else
    ms_unit_log_close(log);
  return status;
}

void ms_unit_log_close(ms_unit_log *log)
{
  if (!log)
    return;
  ms_bytes_free(&log->state);
  ms_checkpoint_lock_release(&log->lock);
  ms_free(log->path);
  ms_free(log->block);
  ms_free(log);
}

/* Removes a file that begins as a checkpoint, and a link to it. */
static void remove_file(const char *path)
{
  char found[MAGIC_BYTES], target[PATH_MAX];
  int fd = ms_open(path, O_RDONLY | O_NONBLOCK, 0);
  if (fd < 0)
    return;
  bool ours =
      ms_read(fd, found, sizeof found) == MAGIC_BYTES && memcmp(found, MAGIC, sizeof found) == 0;
  close(fd);
  if (ours && realpath(path, target))
    unlink(target);
  if (ours)
    unlink(path); /* a link */
}

void ms_unit_log_remove(const char *checkpoint)
{
  ms_checkpoint_lock lock;
  char *rows = ms_spool_path(checkpoint);
  bool exists = access(checkpoint, F_OK) == 0 || (rows && access(rows, F_OK) == 0);
  /* without the lock, another run goes on from it by now */
  if (exists && ms_checkpoint_lock_take(checkpoint, &lock, NULL) == MS_OK) {
    remove_file(checkpoint);
    if (rows)
      ms_own_file_remove(rows, MS_SPOOL_MAGIC, sizeof MS_SPOOL_MAGIC - 1);
    ms_checkpoint_lock_release(&lock);
  }
  ms_free(rows);
}

uint64_t ms_unit_log_done(const ms_unit_log *log)
{
  return log->done;
}

const ms_bytes *ms_unit_log_state(const ms_unit_log *log)
{
  return &log->state;
}

void ms_unit_log_forget(ms_unit_log *log)
{
  ms_bytes_free(&log->state);
}

double ms_unit_log_pace(const ms_unit_log *log)
{
  return log ? log->pace : 0;
}

void ms_unit_log_set_pace(ms_unit_log *log, double seconds)
{
  if (log)
    log->pace = seconds;
}

/* ---- saving ---------------------------------------------------------------------------- */

double ms_unit_log_often(const ms_unit_log *log)
{
  return log->seconds;
}

bool ms_unit_log_is_due(const ms_unit_log *log)
{
  return ms_seconds() - log->last >= log->seconds;
}

double ms_unit_log_seconds(const ms_unit_log *log)
{
  return log->spent;
}

void ms_unit_log_warn(ms_unit_log *log, const char *message)
{
  char text[1024];
  if (!log->division->warn || log->warned)
    return;
  log->warned = true;
  snprintf(text, sizeof text, "the state of the run could not be saved: %.700s; the run goes on%s",
           message, log->done > 0 ? ", and the checkpoint stays as it was" : "");
  log->division->warn(log->division->warn_user, text);
}

static void write_block(ms_unit_log *log, uint32_t kind, const void *content, size_t bytes)
{
  unsigned char head[HEAD_BYTES], check[4];
  ms_number_put(head, kind, 4);
  ms_number_put(head + 4, bytes, 8);
  ms_number_put(head + 12, ms_crc32c(0, head, 12), 4);
  ms_number_put(check, ms_crc32c(0, content, bytes), 4);
  ms_outfile_write(log->out, head, sizeof head);
  ms_outfile_write(log->out, content, bytes);
  ms_outfile_write(log->out, check, sizeof check);
  log->blocks++;
}

/* Returns a whole number of nanoseconds, at least 1 unless nothing is known. */
static uint64_t nanoseconds(double seconds)
{
  return seconds > 0 ? (uint64_t)fmax(1, fmin(seconds / NANOSECOND, MOST_NANOSECONDS)) : 0;
}

static bool write_state(void *user, const void *data, size_t bytes)
{
  ms_unit_log *log = user;
  write_block(log, BLOCK_STATE, data, bytes);
  log->state_bytes += bytes;
  return true;
}

static void write_all(ms_unit_log *log, uint64_t done, ms_bytes *state,
                      void (*put)(void *user, ms_bytes *state), void *user)
{
  unsigned char units[3 * 8], end[2 * 8];
  log->blocks = log->state_bytes = 0;
  ms_outfile_write(log->out, MAGIC, MAGIC_BYTES);
  write_block(log, BLOCK_IDENTITY, log->identity->text, log->identity->length);
  ms_number_put(units, log->units, 8);
  ms_number_put(units + 8, nanoseconds(log->pace), 8);
  ms_number_put(units + 16, done, 8);
  write_block(log, BLOCK_UNITS, units, sizeof units);
  put(user, state);
  ms_bytes_flush(state);
  ms_number_put(end, log->blocks, 8);
  ms_number_put(end + 8, log->state_bytes, 8);
  write_block(log, BLOCK_END, end, sizeof end);
}

void ms_unit_log_save(ms_unit_log *log, uint64_t done, void (*put)(void *user, ms_bytes *state),
                      void *user)
{
  ms_error err;
  ms_bytes state = {.pass = write_state, .pass_user = log};
  double begin = ms_seconds();
  ms_status status = ms_outfile_open(log->path, &log->out, &err);
  if (status == MS_OK) {
    write_all(log, done, &state, put, user);
    if (state.failed) {
      ms_outfile_abort(log->out);
      status = ms_fail_memory(&err, "the state of the run");
    } else {
      status = ms_outfile_commit(log->out, &err);
    }
    log->out = NULL;
  }
  if (status != MS_OK)
    ms_unit_log_warn(log, err.message);
  else
    log->warned = false;
  ms_bytes_free(&state);
  log->last = ms_seconds();
  log->spent += log->last - begin;
}
