#include "base/file/scratch_name.h"

#include "base/crc32c.h"
#include "base/file/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>
#endif

/* Length of names that every file system allows. */
#define SAFE_NAME_BYTES 143u
/* greatest length of the mark, BOOT-PID-N and the end */
#define SUFFIX_BYTES 48u

/* ---- names ----------------------------------------------------------------------------- */

/* Returns a number that tells this start of this machine from others, and that containers on it
 * share; 0: unknown. */
static uint32_t boot_number(void)
{
  char id[64];
  int fd = ms_open("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
  ssize_t bytes = fd < 0 ? 0 : read(fd, id, sizeof id);
  if (fd >= 0)
    close(fd);
  return bytes > 0 ? ms_crc32c(0, id, (size_t)bytes) : 0;
}

/* Returns the number of bytes of the target's name with which a scratch file's name begins.  It
 * ends between two characters of UTF-8. */
static size_t stem_bytes(const char *name)
{
  size_t length = strlen(name);
  size_t most = length > SAFE_NAME_BYTES ? length : SAFE_NAME_BYTES;
  if (length + SUFFIX_BYTES <= most)
    return length;
  length = most - SUFFIX_BYTES;
  while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
    length--;
  return length;
}

void ms_scratch_make_name(ms_place *place, int attempt)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(place->scratch, sizeof place->scratch,
           "%.*s" MS_SCRATCH_MARK "%08" PRIx32 "-%ld-%08" PRIx32, (int)stem_bytes(place->name),
           place->name, boot_number(), (long)getpid(),
           (uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 16 ^ (uint32_t)attempt << 24);
}

/* True if the name is one of a scratch file of the same target; then *boot is its number. */
static bool is_scratch_name(const ms_place *place, const char *name, uint32_t *boot)
{
  size_t stem = stem_bytes(place->name);
  unsigned long pid;
  uint32_t n;
  int used = 0;
  return strncmp(name, place->name, stem) == 0 && strcmp(name, place->scratch) != 0 &&
         sscanf(name + stem, MS_SCRATCH_MARK "%8" SCNx32 "-%lu-%8" SCNx32 "%n", boot, &pid, &n,
                &used) == 3 &&
         name[stem + (size_t)used] == '\0';
}

/* ---- files whose writers are gone ---------------------------------------------------------- */

/* True if only this machine writes to the folder's file system, so that locks show every writer. */
static bool is_local(int folder)
{
#ifdef __linux__
  static const unsigned long types[] = {
      0xEF53 /* ext */,       0x58465342 /* XFS */,  0x9123683E /* Btrfs */,
      0x01021994 /* tmpfs */, 0xF2F52010 /* F2FS */, 0x794C7630 /* overlay */,
      0x2FC12FC1 /* ZFS */,
  };
  struct statfs facts;
  if (fstatfs(folder, &facts) != 0)
    return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (((unsigned long)facts.f_type & 0xFFFFFFFFul) == types[i])
      return true;
#else
  (void)folder;
#endif
  return false;
}

typedef enum fate { GONE, IN_USE, REMOVED, UNKNOWN } fate;

/* Removes the file if its writer is gone.  The file that is removed is the one that is locked: if
 * another has taken its name meanwhile, it stays. */
static fate try_to_remove(const ms_place *place, const char *name, uint32_t boot)
{
  struct stat held, named;
  int fd = ms_place_open(place, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0)
    return errno == ENOENT ? GONE : UNKNOWN;
  fate what = UNKNOWN;
  /* on a shared file system, a lock may show the writers of this machine only */
  bool shows_all = is_local(place->folder) || (boot != 0 && boot == boot_number());
  if (fstat(fd, &held) != 0 || !S_ISREG(held.st_mode) ||
      fstatat(place->folder, name, &named, AT_SYMLINK_NOFOLLOW) != 0)
    what = GONE;
  else if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    what = errno == EWOULDBLOCK ? IN_USE : UNKNOWN;
  else if (shows_all && held.st_dev == named.st_dev && held.st_ino == named.st_ino &&
           unlinkat(place->folder, name, 0) == 0)
    what = REMOVED;
  close(fd);
  return what;
}

void ms_scratch_sweep(const ms_place *place, const char *path,
                      void (*note)(void *user, const char *note), void *user)
{
  char text[1024];
  uint32_t boot;
  int fd = place->can_read ? ms_place_open(place, ".", O_RDONLY | O_DIRECTORY, 0) : -1;
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  if (!folder && fd >= 0)
    close(fd);
  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    if (!is_scratch_name(place, entry->d_name, &boot))
      continue;
    fate what = try_to_remove(place, entry->d_name, boot);
    if (what == REMOVED)
      snprintf(text, sizeof text, "%s: removed %s, which a run that was killed had left beside it",
               path, entry->d_name);
    if (what == UNKNOWN)
      snprintf(text, sizeof text,
               "%s: beside it lies %s; remove it unless another run is writing this output, "
               "perhaps on another machine",
               path, entry->d_name);
    if (note && (what == REMOVED || what == UNKNOWN))
      note(user, text);
  }
  if (folder)
    closedir(folder);
}
