#include "base/file/place.h"

#include "base/alloc.h"
#include "base/file/compress.h"
#include "base/file/descriptor.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

/* Bytes of a file from which its begin can be unpacked: more than a block of zstd has. */
#define MOST_OF_BEGIN ((size_t)1 << 18)

/* ---- the folder ------------------------------------------------------------------------ */

int ms_place_open(const ms_place *place, const char *name, int flags, mode_t mode)
{
  return ms_open_at(place->folder, name, flags, mode);
}

/* A folder without permission to list it can still hold new files. */
static void open_folder(ms_place *place, const char *path)
{
  place->folder = ms_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
  place->can_read = place->folder >= 0;
#ifdef O_PATH
  if (place->folder < 0 && errno == EACCES)
    place->folder = ms_open_at(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
#endif
  place->failure = place->folder < 0 ? errno : 0;
}

ms_status ms_place_find(const char *target, ms_place *place, ms_error *err)
{
  place->folder = -1;
  place->target = ms_strdup(target);
  if (!place->target)
    return ms_fail_memory(err, "the output path");
  char *slash = strrchr(place->target, '/');
  place->name = slash ? slash + 1 : place->target;
  if (!slash) {
    open_folder(place, ".");
    return MS_OK;
  }
  char first = slash[1];
  slash[1] = '\0'; /* the folder, with its slash */
  open_folder(place, place->target);
  slash[1] = first;
  if (place->folder >= 0 && !first) {
    close(place->folder);
    place->folder = -1;
    place->failure = EISDIR;
  }
  return MS_OK;
}

void ms_place_clear(ms_place *place)
{
  if (place->folder >= 0)
    close(place->folder);
  ms_free(place->target);
  place->folder = -1;
  place->target = NULL;
}

ms_status ms_place_divert(ms_place *place, bool *diverted, ms_error *err)
{
  struct stat facts;
  size_t length = strlen(place->target) + sizeof MS_INCOMPLETE_ENDING;
  *diverted = fstatat(place->folder, place->name, &facts, 0) == 0 && facts.st_size > 0;
  if (!*diverted)
    return MS_OK;
  char *target = ms_alloc(length, 1);
  if (!target)
    return ms_fail_memory(err, "the output path");
  snprintf(target, length, "%s" MS_INCOMPLETE_ENDING, place->target);
  place->name = target + (place->name - place->target);
  ms_free(place->target);
  place->target = target;
  return MS_OK;
}

/* Does the file begin as one that this program wrote, compressed or not? */
static bool begins_as_ours(int fd)
{
  static const char *const begins[] = {"# motifsieve ", "// motifsieve ", "MSMATCH1",
                                       "{\"type\":\"header\",\"tool\":\"motifsieve\","};
  char begin[64];
  bool found = false;
  void *data = ms_alloc(MOST_OF_BEGIN, 1);
  ssize_t bytes = data ? pread(fd, data, MOST_OF_BEGIN, 0) : 0;
  size_t length = bytes > 0 ? ms_unpack_begin(data, (size_t)bytes, begin, sizeof begin) : 0;
  for (size_t i = 0; i < sizeof begins / sizeof *begins && !found; i++)
    found = length >= strlen(begins[i]) && memcmp(begin, begins[i], strlen(begins[i])) == 0;
  ms_free(data);
  return found;
}

void ms_place_remove_incomplete(const ms_place *place)
{
  char name[NAME_MAX + 1];
  struct stat facts;
  if (snprintf(name, sizeof name, "%s" MS_INCOMPLETE_ENDING, place->name) >= (int)sizeof name)
    return;
  int fd = ms_place_open(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0)
    return;
  if (fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && begins_as_ours(fd))
    unlinkat(place->folder, name, 0);
  close(fd);
}

/* ---- permissions ------------------------------------------------------------------------- */

mode_t ms_place_first_mode(const struct stat *target)
{
  bool ours = target->st_uid == geteuid() && target->st_gid == getegid();
  return target->st_mode & (ours ? 0777 : 0700);
}

/* Copies the access list of the target, whose mask the group's permissions in its mode are.
 * Returns false if it has one that cannot be copied. */
static bool copy_access_list(const char *path, int fd)
{
#ifdef __linux__
  static const char name[] = "system.posix_acl_access";
  char list[4096];
  ssize_t bytes = getxattr(path, name, list, sizeof list);
  if (bytes < 0)
    return errno != ERANGE && errno != EACCES && errno != EPERM;
  return fsetxattr(fd, name, list, (size_t)bytes, 0) == 0;
#else
  (void)path;
  (void)fd;
  return true;
#endif
}

void ms_place_copy_mode(const struct stat *target, const char *path, int fd)
{
  struct stat facts;
  mode_t mode = target->st_mode & 0777;
  if (fstat(fd, &facts) != 0)
    return;
  if (facts.st_uid != target->st_uid && fchown(fd, target->st_uid, target->st_gid) == 0)
    facts.st_gid = target->st_gid;
  if (facts.st_gid != target->st_gid && fchown(fd, (uid_t)-1, target->st_gid) != 0)
    mode &= 0707 | (mode & 07) << 3; /* another group gets no more than everybody */
  if (!copy_access_list(path, fd))
    mode &= 0700;
  (void)!fchmod(fd, mode); /* otherwise the mode stays narrower */
}

/* ---- renaming ------------------------------------------------------------------------------ */

/* Flushes the folder; a rename is durable only then.  EINVAL: the file system has nothing to
 * flush. */
static int flush_folder(const ms_place *place)
{
  return place->can_read && fsync(place->folder) != 0 && errno != EINVAL ? errno : 0;
}

/* Makes the name of a complete file that is kept from that of its scratch file. */
static void make_kept_name(const char *scratch, char kept[NAME_MAX + 1])
{
  strcpy(kept, scratch);
  memcpy(strrchr(kept, '.'), MS_KEPT_MARK, sizeof MS_KEPT_MARK - 1);
}

static int rename_in(const ms_place *place, const char *from, const char *to)
{
  return renameat(place->folder, from, place->folder, to) == 0 ? 0 : errno;
}

/* Gives a file another name that is free, by a second name where a rename fails. */
static int move_in(const ms_place *place, const char *from, const char *to)
{
  if (rename_in(place, from, to) == 0)
    return 0;
  if (linkat(place->folder, from, place->folder, to, 0) != 0 ||
      unlinkat(place->folder, from, 0) != 0)
    return errno;
  return 0;
}

int ms_place_rename(ms_place *place)
{
  int failure = rename_in(place, place->scratch, place->name);
  place->replaced = !failure;
  if (!failure)
    place->unflushed = flush_folder(place);
  return failure;
}

/* Exchanges the names of the scratch file and of the target.  Returns false if that cannot be
 * done here. */
static bool exchange(const ms_place *place)
{
#ifdef RENAME_EXCHANGE
  return renameat2(place->folder, place->scratch, place->folder, place->name, RENAME_EXCHANGE) == 0;
#else
  (void)place;
  return false;
#endif
}

int ms_place_swap(ms_place *place)
{
  struct stat facts;
  if (fstatat(place->folder, place->name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
    return ms_place_rename(place); /* there is nothing to keep */
  if (S_ISDIR(facts.st_mode))
    return EISDIR;
  place->exchanged = place->replaced = exchange(place);
  if (place->exchanged) {
    place->unflushed = flush_folder(place);
    return 0;
  }
  /* a second name keeps the old content; without links it is lost */
  size_t length = strlen(place->scratch);
  memcpy(place->backup, place->scratch, length + 1);
  place->backup[length - 1] = place->backup[length - 1] == 'x' ? 'y' : 'x';
  if (linkat(place->folder, place->name, place->folder, place->backup, 0) != 0)
    place->backup[0] = '\0';
  place->lost_old = !place->backup[0];
  int failure = ms_place_rename(place);
  if (failure && place->backup[0])
    unlinkat(place->folder, place->backup, 0);
  return failure;
}

/* Puts back old content that has the name `old`.  The new content first gets the name of a file
 * that is kept.  Returns false if the new content stays in the place.  place->left is the name of
 * old content that could not be put back. */
static bool put_back(ms_place *place, const char *old)
{
  char kept[NAME_MAX + 1], former[NAME_MAX + 1];
  strcpy(former, old);
  make_kept_name(place->scratch, kept);
  strcpy(place->left, former);
  if (linkat(place->folder, place->name, place->folder, kept, 0) != 0)
    return false;
  bool back = rename_in(place, former, place->name) == 0;
  if (!back && unlinkat(place->folder, place->name, 0) != 0) {
    unlinkat(place->folder, kept, 0);
    return false;
  }
  /* a file system whose renames fail may still have names added and removed */
  if (back || move_in(place, former, place->name) == 0)
    place->left[0] = '\0';
  strcpy(place->scratch, kept);
  return true;
}

void ms_place_undo(ms_place *place)
{
  if (!place->replaced)
    return;
  if (place->exchanged)
    place->replaced = !exchange(place) && !put_back(place, place->scratch);
  else if (place->backup[0])
    place->replaced = !put_back(place, place->backup);
  else if (!place->lost_old)
    place->replaced = move_in(place, place->name, place->scratch) != 0;
  (void)flush_folder(place);
}

void ms_place_confirm(ms_place *place)
{
  const char *old = place->exchanged ? place->scratch : place->backup;
  if (old[0] && unlinkat(place->folder, old, 0) != 0)
    strcpy(place->left, old);
}

/* ---- what to tell the user ------------------------------------------------------------------- */

/* Copies a word to out[room] as a shell reads it.  Returns false if it does not fit. */
static bool quote(const char *word, char *out, size_t room)
{
  static const char safe[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
  bool plain = word[strspn(word, safe)] == '\0';
  size_t used = 0;
  if (plain)
    return (size_t)snprintf(out, room, "%s", word) < room;
  if (room < 3)
    return false;
  out[used++] = '\'';
  for (; *word; word++) {
    const char *end = *word == '\'' ? "'\\''" : NULL;
    size_t bytes = end ? strlen(end) : 1;
    if (room - used < bytes + 2)
      return false;
    memcpy(out + used, end ? end : word, bytes);
    used += bytes;
  }
  memcpy(out + used, "'", 2);
  return true;
}

/* Gives a file that stays a name by which no later run takes it for a scratch file whose writer is
 * gone. */
static void keep_from_later_runs(ms_place *place)
{
  char name[NAME_MAX + 1];
  make_kept_name(place->scratch, name);
  if (strcmp(name, place->scratch) != 0 && move_in(place, place->scratch, name) == 0)
    strcpy(place->scratch, name);
}

/* Quotes the path of a file of the folder, and that of the target, as a shell reads them. */
static bool quote_paths(const ms_place *place, const char *name, char from[600], char to[600])
{
  char path[512];
  int length = snprintf(path, sizeof path, "%.*s%s", (int)(place->name - place->target),
                        place->target, name);
  return length < (int)sizeof path && quote(path, from, 600) && quote(place->target, to, 600);
}

void ms_place_describe_left(const ms_place *place, char *text, size_t room)
{
  char from[600], to[600];
  if (quote_paths(place, place->left, from, to))
    snprintf(text, room,
             "its old content is in %s, which the next command with this output removes; to put it "
             "back: mv -- %s %s",
             from, from, to);
  else
    snprintf(text, room, "its old content is beside it under the name %s", place->left);
}

void ms_place_keep(ms_place *place, int failure, char *text, size_t room)
{
  char from[600], to[600];
  struct stat facts;
  keep_from_later_runs(place);
  bool fits = quote_paths(place, place->scratch, from, to);
  const char *how = failure == EISDIR  ? "move it to a free name"
                    : failure == EBUSY ? "copy it with: cat %s >%s"
                                       : "move it with: mv -- %s %s";
  if (fstatat(place->folder, place->scratch, &facts, AT_SYMLINK_NOFOLLOW) != 0)
    snprintf(text, room, "its folder is gone, and the content with it");
  else if (!fits)
    snprintf(text, room, "the complete content is beside it under the name %s", place->scratch);
  else {
    int used = snprintf(text, room, "the complete content is in %s; ", from);
    if (used > 0 && (size_t)used < room)
      snprintf(text + used, room - (size_t)used, how, from, to);
  }
}
