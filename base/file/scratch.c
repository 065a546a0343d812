#include "base/file/scratch.h"

#include "base/alloc.h"
#include "base/file/place.h"
#include "base/file/scratch_name.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* number of names that are tried in the target's folder */
#define NAME_TRIES 100
/* More files than a program has open at the same time.  Further ones would survive a signal, and
 * their locks tell the next run that they can go. */
#define MOST_OPEN 16

struct ms_scratch {
  int fd;
  ms_place place;  /* the folder, the target's name there, and the scratch file's */
  char *path;      /* as it was given */
  int slot;        /* in `slots`, -1: none */
  bool ahead;      /* opened ahead; it belongs to the list below */
  bool taken;      /* handed out since */
  bool finished;   /* its content is complete and on the disk */
  bool reported;   /* a message has said where it is kept */
  bool incomplete; /* the content is that of an incomplete result */
  bool diverted;   /* it did not replace its target */
  ms_scratch *next;
};

/* ---- files that a signal handler removes --------------------------------------------- */

/* A slot holds copies, since a handler may read it while another thread frees the scratch file. */
static struct {
  atomic_int state; /* 0: free, 1: being filled, 2: in use */
  int folder;
  char name[NAME_MAX + 1];
} slots[MOST_OPEN];

static atomic_int n_creating; /* files between their creation and their entry in `slots` */
static atomic_int deferred;   /* a signal that came then; 0: none */
static atomic_bool placing;
static atomic_int n_ahead, n_complete; /* outputs opened ahead, and those that are complete */

static int remember(const ms_scratch *s)
{
  for (int i = 0; i < MOST_OPEN; i++) {
    int free_slot = 0;
    if (!atomic_compare_exchange_strong(&slots[i].state, &free_slot, 1))
      continue;
    slots[i].folder = s->place.folder;
    memcpy(slots[i].name, s->place.scratch, sizeof slots[i].name);
    atomic_store(&slots[i].state, 2);
    return i;
  }
  return -1;
}

static void forget(ms_scratch *s)
{
  if (s->slot >= 0)
    atomic_store(&slots[s->slot].state, 0);
  s->slot = -1;
}

bool ms_scratch_defer_signal(int signal_number)
{
  if (atomic_load(&n_creating) == 0)
    return false;
  atomic_store(&deferred, signal_number);
  return true;
}

/* Ends a creation: a signal that was deferred comes now. */
static void end_creation(void)
{
  atomic_fetch_sub(&n_creating, 1);
  int signal_number = atomic_exchange(&deferred, 0);
  if (signal_number)
    raise(signal_number);
}

void ms_scratch_unlink_all(void)
{
  for (int i = 0; i < MOST_OPEN; i++)
    if (atomic_load(&slots[i].state) == 2)
      unlinkat(slots[i].folder, slots[i].name, 0);
}

bool ms_scratch_all_complete(void)
{
  int ahead = atomic_load(&n_ahead);
  return atomic_load(&placing) || (ahead > 0 && atomic_load(&n_complete) == ahead);
}

/* ---- opening ------------------------------------------------------------------------- */

static ms_status fail_open(ms_error *err, const char *path, int reason)
{
  bool full = reason == ENOSPC || reason == EDQUOT;
  return ms_fail(err, MS_ERR_OUTPUT, "%s: cannot be created: %s; %s", path, strerror(reason),
                 full ? "free space there, or choose another place"
                      : "choose a file in a folder that exists and that you may write");
}

/* True if a rename to the target is known to fail: it is a mount point. */
static bool is_mount_point(const char *path)
{
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx facts;
  return statx(AT_FDCWD, path, 0, STATX_TYPE, &facts) == 0 &&
         (facts.stx_attributes & facts.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT);
#else
  (void)path;
  return false;
#endif
}

/* True if the folder lets only the owner of the target replace it. */
static bool is_guarded(int folder, const struct stat *target)
{
  struct stat facts;
  uid_t me = geteuid();
  return me != 0 && target->st_uid != me && fstat(folder, &facts) == 0 &&
         (facts.st_mode & S_ISVTX) && facts.st_uid != me;
}

/* Finds the folder and the name of the target.  Symbolic links are resolved, so that a link stays a
 * link.  *exists tells whether the target is there, with its facts. */
static ms_status find_target(const char *path, ms_scratch *s, bool *exists, struct stat *facts,
                             ms_error *err)
{
  char resolved[PATH_MAX];
  *exists = stat(path, facts) == 0;
  int failure = errno;
  if (!*exists && lstat(path, facts) == 0)
    return fail_open(err, path, failure); /* a link to nothing, or to itself, would be replaced */
  if (!*exists && failure == ENAMETOOLONG)
    return fail_open(err, path, failure);
  if (*exists && S_ISDIR(facts->st_mode))
    return fail_open(err, path, EISDIR);
  if (*exists && access(path, W_OK) != 0)
    return fail_open(err, path, errno); /* a rename would succeed even on a read-only file */
  if (*exists && is_mount_point(path))
    return ms_fail(err, MS_ERR_OUTPUT,
                   "%s: is a mount point, which cannot be replaced by a new file; choose another "
                   "name, or write to standard output and redirect it to this file",
                   path);
  s->path = ms_strdup(path);
  if (!s->path)
    return ms_fail_memory(err, "the output path");
  MS_TRY(ms_place_find(*exists && realpath(path, resolved) ? resolved : path, &s->place, err));
  if (s->place.folder < 0)
    return fail_open(err, path, s->place.failure);
  if (*exists && is_guarded(s->place.folder, facts))
    return fail_open(err, path, EPERM);
  return MS_OK;
}

/* Creates the file under a new name, with a lock.  Another process may take it for one whose writer
 * is gone before it is locked, and remove it; then the next name is tried.  With open(), unlike
 * mkstemp(), the umask applies. */
static int create(ms_scratch *s, mode_t mode)
{
  struct stat held, named;
  for (int i = 0; i < NAME_TRIES; i++) {
    ms_scratch_make_name(&s->place, i);
    s->fd = ms_place_open(&s->place, s->place.scratch, O_RDWR | O_CREAT | O_EXCL, mode);
    if (s->fd < 0 && errno == EEXIST)
      continue;
    if (s->fd < 0)
      return errno;
    /* a file system without locks is named in ms_scratch_sweep, which then removes nothing */
    bool locked = flock(s->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && fstat(s->fd, &held) == 0 &&
        fstatat(s->place.folder, s->place.scratch, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        held.st_dev == named.st_dev && held.st_ino == named.st_ino)
      return 0;
    close(s->fd);
    s->fd = -1;
  }
  return EEXIST;
}

/* Writes the bytes that are reserved.  Returns 0, or the reason why not even these can be
 * written. */
static int reserve(int fd)
{
  static const char bytes[MS_SCRATCH_RESERVED];
  int failure = 0;
  for (size_t done = 0; done < sizeof bytes && !failure;) {
    ssize_t wrote = pwrite(fd, bytes + done, sizeof bytes - done, (off_t)done);
    if (wrote > 0)
      done += (size_t)wrote;
    else if (wrote == 0 || errno != EINTR)
      failure = wrote == 0 ? ENOSPC : errno;
  }
  return failure;
}

/* Creates a scratch file without bytes, with the permissions of its target. */
static ms_status create_empty(const char *path, ms_scratch *s, ms_error *err)
{
  struct stat facts;
  bool exists;
  MS_TRY(find_target(path, s, &exists, &facts, err));
  atomic_fetch_add(&n_creating, 1);
  int failure = create(s, exists ? ms_place_first_mode(&facts) : 0666);
  if (!failure)
    s->slot = remember(s);
  end_creation();
  if (failure)
    return fail_open(err, path, failure);
  if (exists)
    ms_place_copy_mode(&facts, path, s->fd);
  return MS_OK;
}

static ms_status open_new(const char *path, bool reserves, ms_scratch **out, ms_error *err)
{
  ms_scratch *s = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "an output");
  s->fd = s->place.folder = s->slot = -1;
  ms_status status = create_empty(path, s, err);
  int failure = status == MS_OK && reserves ? reserve(s->fd) : 0;
  if (failure)
    status = fail_open(err, path, failure);
  if (status != MS_OK) {
    ms_scratch_drop(s);
    return status;
  }
  *out = s;
  return MS_OK;
}

/* ---- one output ------------------------------------------------------------------------ */

static ms_scratch *opened_ahead; /* a list; only one thread uses it */

static void release(ms_scratch *s)
{
  forget(s);
  if (s->fd >= 0)
    close(s->fd);
  ms_place_clear(&s->place);
  ms_free(s->path);
  ms_free(s);
}

static void remove_file(ms_scratch *s)
{
  if (s->fd >= 0)
    unlinkat(s->place.folder, s->place.scratch, 0);
}

ms_status ms_scratch_open(const char *path, ms_scratch **out, ms_error *err)
{
  *out = NULL;
  for (ms_scratch *s = opened_ahead; s; s = s->next)
    if (!s->taken && strcmp(s->path, path) == 0) {
      s->taken = true;
      *out = s;
      return MS_OK;
    }
  return open_new(path, true, out, err);
}

ms_status ms_scratch_check(const char *path, ms_error *err)
{
  ms_scratch *s;
  MS_TRY(open_new(path, false, &s, err));
  ms_scratch_drop(s);
  return MS_OK;
}

int ms_scratch_fd(const ms_scratch *s)
{
  return s->fd;
}

void ms_scratch_drop(ms_scratch *s)
{
  if (!s)
    return;
  remove_file(s);
  if (!s->ahead) {
    release(s);
    return;
  }
  forget(s);
  if (s->fd >= 0)
    close(s->fd);
  s->fd = -1; /* it stays in the list as one that is not complete */
}

/* Says what came of putting the content in its place. */
static ms_status report_place(ms_scratch *s, int failure, const char *label, ms_error *err)
{
  char kept[640];
  if (failure) {
    ms_place_keep(&s->place, failure, kept, sizeof kept);
    return ms_fail(err, MS_ERR_OUTPUT, "%s: could not be put in its place: %s; %s", label,
                   strerror(failure), kept);
  }
  if (!s->place.unflushed)
    return MS_OK;
  return ms_fail(err, MS_ERR_OUTPUT,
                 "%s: is complete and in its place, but its folder could not be flushed: %s; after "
                 "a crash of the machine, see whether the file is there",
                 label, strerror(s->place.unflushed));
}

void ms_scratch_mark_incomplete(ms_scratch *s)
{
  s->incomplete = true;
}

/* Chooses another place for an incomplete result whose target has content. */
static ms_status divert(ms_scratch *s, ms_error *err)
{
  return s->incomplete ? ms_place_divert(&s->place, &s->diverted, err) : MS_OK;
}

ms_status ms_scratch_finish(ms_scratch *s, const char *label, ms_error *err)
{
  if (s->ahead) {
    s->finished = true;
    atomic_fetch_add(&n_complete, 1);
    return MS_OK;
  }
  ms_status status = divert(s, err);
  if (status == MS_OK)
    status = report_place(s, ms_place_rename(&s->place), label, err);
  if (status == MS_OK && !s->incomplete)
    ms_place_remove_incomplete(&s->place);
  if (status == MS_OK && s->diverted)
    status = ms_fail(err, MS_ERR_OUTPUT,
                     "%s: has content, which an incomplete result does not replace; the incomplete "
                     "result is in %s",
                     label, s->place.target);
  release(s);
  return status;
}

/* ---- several outputs --------------------------------------------------------------------- */

ms_status ms_scratch_open_ahead(const char *path, ms_scratch_note note, void *user, ms_error *err)
{
  struct stat facts;
  ms_scratch *s;
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    return access(path, W_OK) == 0 ? MS_OK : fail_open(err, path, errno);
  MS_TRY(open_new(path, true, &s, err));
  s->ahead = true;
  s->next = opened_ahead;
  opened_ahead = s;
  atomic_fetch_add(&n_ahead, 1);
  ms_scratch_sweep(&s->place, path, note, user);
  return MS_OK;
}

/* Puts all outputs in their places, or none. */
static ms_status place_each(ms_error *err)
{
  int failure = 0;
  ms_scratch *s = opened_ahead, *last = s;
  bool single = !s->next;
  for (; s; s = s->next)
    MS_TRY(divert(s, err));
  for (s = opened_ahead; s && !failure; s = s->next) {
    failure = single ? ms_place_rename(&s->place) : ms_place_swap(&s->place);
    last = s;
  }
  for (s = opened_ahead; s && !single; s = s->next)
    if (failure)
      ms_place_undo(&s->place);
    else
      ms_place_confirm(&s->place);
  last->reported = failure;
  ms_status status = report_place(last, failure, last->path, err);
  for (s = opened_ahead; s && status == MS_OK; s = s->next)
    status = report_place(s, 0, s->path, err);
  for (s = opened_ahead; s && status == MS_OK; s = s->next)
    if (!s->incomplete)
      ms_place_remove_incomplete(&s->place);
  return status;
}

/* Keeps a complete file that was not put in its place, and says where it is. */
static void keep(ms_scratch *s, ms_scratch_note note, void *user)
{
  char kept[640], text[1024];
  if (!note || s->reported || s->place.replaced)
    return;
  ms_place_keep(&s->place, 0, kept, sizeof kept);
  snprintf(text, sizeof text, "%s: was not put in its place, because another output failed; %s",
           s->path, kept);
  note(user, text);
}

/* Says where an incomplete result is that did not replace its target. */
static void name_diverted(const ms_scratch *s, ms_scratch_note note, void *user)
{
  char text[1024];
  if (!note || !s->diverted || !s->place.replaced)
    return;
  snprintf(text, sizeof text,
           "%s: has content, which an incomplete result does not replace; the incomplete result is "
           "in %.500s",
           s->path, s->place.target);
  note(user, text);
}

/* Says where the old content is that could not be put back in its place, or not removed. */
static void name_left(const ms_scratch *s, bool placed, ms_scratch_note note, void *user)
{
  char left[640], text[1024];
  if (!note || !s->place.left[0])
    return;
  ms_place_describe_left(&s->place, left, sizeof left);
  snprintf(text, sizeof text, "%s: %s; %s", s->path,
           placed              ? "is written, but its old content could not be removed"
           : s->place.replaced ? "has its new content, although another output failed"
                               : "is missing, because another output failed",
           left);
  note(user, text);
}

ms_status ms_scratch_place_all(bool incomplete, ms_scratch_note note, void *user, ms_error *err)
{
  bool all = true;
  ms_status status = MS_OK;
  for (ms_scratch *s = opened_ahead; s; s = s->next) {
    all = all && s->finished;
    s->incomplete = s->incomplete || incomplete;
  }
  atomic_store(&placing, true);
  if (all && opened_ahead)
    status = place_each(err);
  for (ms_scratch *s = opened_ahead, *next; s; s = next) {
    next = s->next;
    if (s->finished)
      keep(s, note, user);
    else
      remove_file(s);
    name_diverted(s, note, user);
    name_left(s, all && status == MS_OK, note, user);
    release(s);
  }
  opened_ahead = NULL;
  atomic_store(&n_ahead, 0);
  atomic_store(&n_complete, 0);
  atomic_store(&placing, false);
  return status;
}
