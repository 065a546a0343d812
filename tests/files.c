#include "tests/files.h"

#include <check.h>
#include <dirent.h>
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

void files_teardown(void)
{
  DIR *entries = opendir(folder);
  struct dirent *entry;
  while (entries && (entry = readdir(entries)))
    if (entry->d_name[0] != '.')
      unlink(join(folder, entry->d_name));
  if (entries)
    closedir(entries);
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
