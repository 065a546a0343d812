#include "tests/support/tool.h"

#include "tests/support/files.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *tool_path(void)
{
  static char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
  ck_assert_int_gt(length, 0);
  path[length] = '\0';
  for (int up = 0; up < 3; up++)
    *strrchr(path, '/') = '\0';
  strcat(path, "/motifsieve");
  return path;
}

int tool_run(const char *arguments)
{
  char command[8192];
  snprintf(command, sizeof command, "'%s' %s 2>'%s'", tool_path(), arguments, files_path("err"));
  int code = system(command);
  ck_assert(WIFEXITED(code));
  return WEXITSTATUS(code);
}

char *tool_slurp(const char *name, size_t *size)
{
  FILE *file = fopen(files_path(name), "rb");
  ck_assert_msg(file != NULL, "there is no file %s", name);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  size_t bytes = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(bytes + 1);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(fread(text, 1, bytes, file), bytes);
  text[bytes] = '\0';
  fclose(file);
  if (size)
    *size = bytes;
  return text;
}
