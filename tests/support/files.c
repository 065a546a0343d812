#include "tests/support/files.h"

#include <check.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char folder[512];

static const char *join(const char *base, const char *name)
{
  static char paths[4][1024];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", base, name);
  return path;
}

void files_setup(void)
{
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/motifsieve-test-XXXXXX", base ? base : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Calls `each` (unless NULL) with every file of the folder. */
static int visit_files(int (*each)(const char *path))
{
  DIR *entries = opendir(folder);
  struct dirent *entry;
  int count = 0;
  while (entries && (entry = readdir(entries)))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      count++;
      if (each)
        each(join(folder, entry->d_name));
    }
  if (entries)
    closedir(entries);
  return count;
}

int files_count(void)
{
  return visit_files(NULL);
}

void files_clear(void)
{
  visit_files(unlink);
}

void files_teardown(void)
{
  files_clear();
  rmdir(folder);
}

const char *files_path(const char *name)
{
  return join(folder, name);
}

const char *files_write(const char *name, const char *bytes, size_t size)
{
  const char *path = files_path(name);
  FILE *out = fopen(path, "wb");
  ck_assert_ptr_nonnull(out);
  ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
  ck_assert_int_eq(fclose(out), 0);
  return path;
}

const char *files_write_text(const char *name, const char *text)
{
  return files_write(name, text, strlen(text));
}

const char *files_write_gzip(const char *name, const char *bytes, size_t size, int members)
{
  const char *path = files_path(name);
  for (int i = 0; i < members; i++) {
    gzFile out = gzopen(path, i == 0 ? "wb1" : "ab1");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(gzwrite(out, bytes, (unsigned)size), (int)size);
    ck_assert_int_eq(gzclose(out), Z_OK);
  }
  return path;
}

const char *files_data(const char *name)
{
  const char *base = getenv("MOTIFSIEVE_DATA");
  const char *path = join(base ? base : "../shared/data", name);
  return access(path, R_OK) == 0 ? path : NULL;
}

/* A name as tar lists it, into its path as unpacked; false for a folder, which
 * is removed: tar makes it, but nothing is in it. */
static bool flatten(char *name)
{
  size_t length = strcspn(name, "\n");
  name[length] = '\0';
  ck_assert_uint_gt(length, 0);
  bool is_file = name[length - 1] != '/';
  if (!is_file)
    name[length - 1] = '\0';
  for (char *slash = name; (slash = strchr(slash, '/'));)
    *slash = '+';
  if (!is_file)
    rmdir(files_path(name));
  return is_file;
}

size_t files_unpack(const char *archive, void (*each)(const char *path))
{
  const char *path = files_data(archive);
  char command[2048], name[512];
  size_t count = 0;
  if (!path)
    return 0;
  snprintf(command, sizeof command, "tar xzf '%s' -C '%s' --transform='s|/|+|g'", path, folder);
  if (system(command) != 0)
    return 0;
  snprintf(command, sizeof command, "tar tzf '%s'", path);
  FILE *list = popen(command, "r");
  ck_assert_ptr_nonnull(list);
  while (fgets(name, sizeof name, list))
    if (flatten(name)) {
      if (each)
        each(files_path(name));
      count++;
    }
  ck_assert_int_eq(pclose(list), 0);
  return count;
}
