/* The lock of a checkpoint. */
#include "parts/lock.h"

#include "base/alloc.h"
#include "base/file/descriptor.h"
#include "base/file/own_file.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define ENDING ".lock"
#define MAGIC "motifsieve runs here: "
#define MAGIC_BYTES (sizeof MAGIC - 1)
/* Times that a lock is tried whose file disappears or changes while it is being taken. */
enum { TRIES = 100 };

char *ms_checkpoint_lock_path(const char *checkpoint)
{
  return ms_own_file_path(checkpoint, ENDING);
}

/* Describes this process and the time. */
static void describe(char text[256])
{
  char host[64] = "", when[64] = "";
  time_t now = time(NULL);
  struct tm parts;
  if (gethostname(host, sizeof host - 1) != 0 || !host[0])
    snprintf(host, sizeof host, "this host");
  if (gmtime_r(&now, &parts))
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &parts);
  snprintf(text, 256, MAGIC "process %ld on %s, since %s\n", (long)getpid(), host, when);
}

static ms_status fail_held(const char *checkpoint, int fd, ms_error *err)
{
  char owner[160];
  ssize_t got = pread(fd, owner, sizeof owner - 1, (off_t)MAGIC_BYTES);
  owner[got > 0 ? got : 0] = '\0';
  for (char *c = owner; *c; c++)
    if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
      *c = '\0';
  return ms_fail(err, MS_ERR_USAGE,
                 "%s: another run saves its state here (%s); wait for its end, or choose another "
                 "`checkpoint`",
                 checkpoint, owner[0] ? owner : "it has just begun");
}

/* Writes who has the lock into the file of a run that was killed. */
static bool write_owner(int fd, const char *text)
{
  size_t length = strlen(text);
  return ftruncate(fd, (off_t)MAGIC_BYTES) == 0 && lseek(fd, (off_t)MAGIC_BYTES, SEEK_SET) >= 0 &&
         ms_write_all(fd, text + MAGIC_BYTES, length - MAGIC_BYTES, NULL) == 0;
}

/* True for the errno of a file system that has no locks, as Lustre may be mounted. */
static bool has_no_locks(int failure)
{
  return failure == ENOSYS || failure == ENOLCK || failure == EOPNOTSUPP || failure == EINVAL;
}

/* Tries once.  Sets *again if the file changed meanwhile. */
static ms_status try_to_take(const char *checkpoint, ms_checkpoint_lock *l, const char *text,
                             bool *again, ms_error *err)
{
  *again = false;
  l->fd = ms_own_file_create(l->path, text, strlen(text), true);
  if (l->fd >= 0)
    return MS_OK;
  l->failure = has_no_locks(errno) ? errno : 0;
  *again = errno == ENOENT; /* a run that began at the same time has swept it away */
  if (l->failure || *again)
    return MS_OK;
  if (errno != EEXIST)
    return ms_fail(err, MS_ERR_OUTPUT,
                   "%s: the lock of the checkpoint cannot be created: %s; choose a `checkpoint` in "
                   "a folder that you may write",
                   l->path, strerror(errno));
  l->fd = ms_own_file_open(l->path, MAGIC, MAGIC_BYTES);
  if (l->fd < 0 && errno == ENOENT) {
    *again = true;
    return MS_OK;
  }
  if (l->fd < 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the lock of the checkpoint is to be here, and there is another file%s%s; "
                   "choose another `checkpoint`, or remove the file",
                   l->path, errno == EEXIST ? "" : ": ", errno == EEXIST ? "" : strerror(errno));
  if (flock(l->fd, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK
               ? fail_held(checkpoint, l->fd, err)
               : ms_fail(err, MS_ERR_OUTPUT, "%s: cannot be locked: %s", l->path, strerror(errno));
  *again = !ms_own_file_is_named(l->path, l->fd);
  if (!*again)
    (void)!write_owner(l->fd, text); /* the lock counts, not the text */
  return MS_OK;
}

ms_status ms_checkpoint_lock_take(const char *checkpoint, ms_checkpoint_lock *lock, ms_error *err)
{
  ms_checkpoint_lock own = {.path = ms_checkpoint_lock_path(checkpoint), .fd = -1};
  char text[256];
  bool again = true;
  *lock = (ms_checkpoint_lock){0};
  if (!own.path)
    return ms_fail_memory(err, "the lock of a checkpoint");
  describe(text);
  ms_status status = MS_OK;
  for (int i = 0; i < TRIES && again && status == MS_OK; i++) {
    status = try_to_take(checkpoint, &own, text, &again, err);
    if ((again || status != MS_OK) && own.fd >= 0)
      close(own.fd);
  }
  if (status == MS_OK && again)
    status = ms_fail(err, MS_ERR_USAGE,
                     "%s: other runs begin and end here all the time; choose another `checkpoint`",
                     checkpoint);
  if (status == MS_OK && !own.failure)
    *lock = own;
  else
    ms_free(own.path);
  lock->failure = own.failure;
  return status;
}

void ms_checkpoint_lock_release(ms_checkpoint_lock *lock)
{
  if (!lock->path)
    return;
  if (ms_own_file_is_named(lock->path, lock->fd))
    unlink(lock->path);
  close(lock->fd);
  ms_free(lock->path);
  *lock = (ms_checkpoint_lock){0};
}
