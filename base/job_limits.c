/* Limits of control groups: /proc/self/cgroup names the groups, /proc/self/mountinfo the places
 * where their trees are mounted. */
#include "base/job_limits.h"

#include "base/file/descriptor.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_ROOM ((size_t)12 << 10) /* of a line: a group, or a mount's root and point */
#define PATH_ROOM ((size_t)16 << 10) /* of a root, a mount point, a group and a file name */

void ms_read_fact(const char *path, char *text, size_t room)
{
  int fd = ms_open(path, O_RDONLY, 0);
  ssize_t got = fd < 0 ? 0 : ms_read(fd, text, room - 1);
  if (fd >= 0)
    close(fd);
  text[got > 0 ? got : 0] = '\0';
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The lines of a file below /proc. */
typedef struct lines {
  int fd;
  size_t begin, end; /* bytes of the chunk that were not used yet */
  char chunk[4096];
  char line[LINE_ROOM];
} lines;

static bool lines_open(lines *l, const char *root, const char *name)
{
  size_t length = (size_t)snprintf(l->line, sizeof l->line, "%s%s", root, name);
  l->begin = l->end = 0;
  l->fd = length < sizeof l->line ? ms_open(l->line, O_RDONLY, 0) : -1;
  return l->fd >= 0;
}

/* Takes the next line, or "" for one that is too long.  False: there is none. */
static bool lines_next(lines *l)
{
  size_t length = 0;
  for (;; l->begin++) {
    if (l->begin == l->end) {
      ssize_t got = ms_read(l->fd, l->chunk, sizeof l->chunk);
      l->begin = 0;
      l->end = got > 0 ? (size_t)got : 0;
      if (l->end == 0 && length == 0)
        return false;
    }
    if (l->end == 0 || l->chunk[l->begin] == '\n')
      break;
    if (length < sizeof l->line)
      l->line[length++] = l->chunk[l->begin];
  }
  l->begin += l->end > 0;
  l->line[length < sizeof l->line ? length : 0] = '\0';
  return true;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* Reads a number above 0 at *text and moves behind it.  Returns UINT64_MAX for "max", -1, a larger
 * number than fits, and for what is no number. */
static uint64_t take_number(const char **text)
{
  uint64_t number = 0;
  const char *begin = *text;
  for (; **text >= '0' && **text <= '9'; (*text)++) {
    uint64_t digit = (uint64_t)(**text - '0');
    number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
  }
  bool ends = **text == '\0' || **text == '\n' || **text == ' ';
  return *text > begin && ends && number > 0 ? number : UINT64_MAX;
}

static uint64_t whole_processors(uint64_t quota, uint64_t period)
{
  if (quota == UINT64_MAX || period == UINT64_MAX)
    return UINT64_MAX;
  return quota / period + (quota % period != 0);
}

static void lower(uint64_t *limit, char *limit_path, uint64_t value, const char *path)
{
  if (value >= *limit)
    return;
  size_t length = strnlen(path, MS_LIMIT_PATH - 1);
  memcpy(limit_path, path, length);
  limit_path[length] = '\0';
  *limit = value;
}

/* ---- one group ----------------------------------------------------------------------------- */

typedef struct search {
  const char *root;
  ms_job_limits *limits;
  char path[PATH_ROOM]; /* a group's folder, and a file in it */
  lines mounts, groups;
} search;

/* Reads a file of the group whose folder is path[0..length). */
static const char *value_of(search *s, size_t length, const char *file, char text[64])
{
  snprintf(s->path + length, sizeof s->path - length, "/%s", file);
  ms_read_fact(s->path, text, 64);
  return text;
}

/* Beyond memory.high, a group is slowed down until it gives memory back: nobody wants to work
 * there. */
static void read_memory(search *s, size_t length)
{
  static const char *const files[] = {"memory.max", "memory.high", "memory.limit_in_bytes"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char text[64];
    const char *number = value_of(s, length, files[i], text);
    lower(&s->limits->memory, s->limits->memory_path, take_number(&number), s->path);
  }
}

static void read_processors(search *s, size_t length)
{
  char text[64], period[64];
  const char *p = value_of(s, length, "cpu.cfs_period_us", period), *q;
  q = value_of(s, length, "cpu.cfs_quota_us", text);
  uint64_t quota = take_number(&q);
  lower(&s->limits->processors, s->limits->processors_path,
        whole_processors(quota, take_number(&p)), s->path);
  q = value_of(s, length, "cpu.max", text); /* QUOTA PERIOD */
  quota = take_number(&q);
  q += *q == ' ';
  lower(&s->limits->processors, s->limits->processors_path,
        whole_processors(quota, take_number(&q)), s->path);
}

/* Reads the limits of the group at path[0..length) and of its ancestors down to length `mount`. */
static void climb(search *s, size_t length, size_t mount, bool memory, bool processors)
{
  for (;;) {
    if (memory)
      read_memory(s, length);
    if (processors)
      read_processors(s, length);
    if (length <= mount)
      return;
    do
      length--;
    while (length > mount && s->path[length] != '/');
  }
}

/* ---- mounts -------------------------------------------------------------------------------- */

/* Is the word in a list with commas between its words? */
static bool lists(const char *list, size_t length, const char *word)
{
  size_t size = strlen(word);
  for (const char *end = list + length; list < end; list++) {
    const char *comma = memchr(list, ',', (size_t)(end - list));
    const char *next = comma ? comma : end;
    if ((size_t)(next - list) == size && memcmp(list, word, size) == 0)
      return true;
    list = next;
  }
  return false;
}

/* Finds the group of the process in the tree of a controller, or for NULL in the one of version 2.
 * The lines are NUMBER:CONTROLLERS:GROUP.  Returns NULL if there is none. */
static const char *find_group(search *s, const char *controller)
{
  const char *group = NULL;
  if (!lines_open(&s->groups, s->root, "/proc/self/cgroup"))
    return NULL;
  while (!group && lines_next(&s->groups)) {
    const char *names = strchr(s->groups.line, ':');
    const char *colon = names ? strchr(names + 1, ':') : NULL;
    if (!colon || colon[1] != '/')
      continue;
    size_t size = (size_t)(colon - names - 1);
    if (controller ? lists(names + 1, size, controller) : size == 0)
      group = colon + 1;
  }
  close(s->groups.fd);
  return group;
}

/* Replaces \040 and other octal numbers by their characters. */
static void unescape(char *text)
{
  char *to = text;
  for (const char *from = text; *from; to++) {
    bool octal = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
                 from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
    *to = octal ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0') : *from;
    from += octal ? 4 : 1;
  }
  *to = '\0';
}

/* Does the path leave the folder that it is relative to? */
static bool has_parent(const char *path, size_t length)
{
  for (size_t i = 0; i + 3 <= length; i++)
    if (memcmp(path + i, "/..", 3) == 0 && (i + 3 == length || path[i + 3] == '/'))
      return true;
  return false;
}

/* Returns how many bytes of the group's path the mount's root replaces: what follows is the path
 * below the mount point.  A group that is not below the root, as in some namespaces, cannot be
 * found by its name, and the root itself is the nearest group that can be read. */
static size_t part_above(const char *mount_root, const char *group, size_t length)
{
  size_t size = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
  bool below = size <= length && memcmp(mount_root, group, size) == 0 &&
               (size == length || group[size] == '/');
  return below && !has_parent(group + size, length - size) ? size : length;
}

/* Reads the limits in the tree that is mounted at `point`. */
static void read_tree(search *s, char *mount_root, char *point, const char *group, bool memory,
                      bool processors)
{
  unescape(mount_root);
  unescape(point);
  size_t length = strlen(group), above = part_above(mount_root, group, length);
  while (length > above && group[length - 1] == '/')
    length--;
  const char *folder = strcmp(point, "/") == 0 ? "" : point;
  size_t mount = (size_t)snprintf(s->path, sizeof s->path, "%s%s", s->root, folder);
  size_t below = length - above;
  if (mount + below + 64 > sizeof s->path)
    return;
  memcpy(s->path + mount, group + above, below);
  climb(s, mount + below, mount, memory, processors);
}

/* Reads a line of /proc/self/mountinfo: ID PARENT DEVICE ROOT POINT OPTIONS [TAG]... - TYPE SOURCE
 * OPTIONS. */
static void read_mount(search *s, char *line)
{
  char *field[6], *rest = line, *tail = strstr(line, " - ");
  if (!tail)
    return;
  *tail = '\0';
  for (int i = 0; i < 6; i++)
    if (!(field[i] = strsep(&rest, " ")))
      return;
  tail += 3;
  const char *type = strsep(&tail, " ");
  if (!tail || !strsep(&tail, " ") || !tail)
    return;
  bool both = strcmp(type, "cgroup2") == 0, one = strcmp(type, "cgroup") == 0;
  bool memory = both || (one && lists(tail, strlen(tail), "memory"));
  bool processors = both || (one && lists(tail, strlen(tail), "cpu"));
  if (!memory && !processors)
    return;
  const char *group = find_group(s, both ? NULL : memory ? "memory" : "cpu");
  if (group)
    read_tree(s, field[3], field[4], group, memory, processors);
}

/* It takes no memory from base/alloc.h, whose limits depend on what is found here. */
void ms_job_limits_find(const char *root, ms_job_limits *out)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static search s;
  *out = (ms_job_limits){.memory = UINT64_MAX, .processors = UINT64_MAX};
  pthread_mutex_lock(&lock);
  s.root = root;
  s.limits = out;
  if (lines_open(&s.mounts, root, "/proc/self/mountinfo")) {
    while (lines_next(&s.mounts))
      read_mount(&s, s.mounts.line);
    close(s.mounts.fd);
  }
  pthread_mutex_unlock(&lock);
}

static ms_job_limits own_limits;

static void find_own(void)
{
  ms_job_limits_find("", &own_limits);
}

const ms_job_limits *ms_job_limits_own(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_own);
  return &own_limits;
}
