#include "base/file/folder.h"

#include "base/alloc.h"
#include "base/file/descriptor.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ms_folder {
  char *target, *temporary;
  char *file; /* what ms_folder_path returned last */
};

/* Opens a folder to list it; NULL with errno. */
static DIR *open_folder(const char *path)
{
  int fd = ms_open(path, O_RDONLY | O_DIRECTORY, 0);
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  if (!folder && fd >= 0)
    close(fd);
  return folder;
}

static bool is_entry(const struct dirent *entry)
{
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

ms_status ms_folder_check(const char *path, ms_error *err)
{
  struct stat facts;
  bool empty = true;
  if (lstat(path, &facts) != 0)
    return errno == ENOENT ? MS_OK
                           : ms_fail(err, MS_ERR_OUTPUT, "%s: %s; choose another folder", path,
                                     strerror(errno));
  DIR *folder = S_ISDIR(facts.st_mode) ? open_folder(path) : NULL;
  if (!folder)
    return ms_fail(err, MS_ERR_OUTPUT,
                   "%s exists and is no folder that can be read; choose another name, or remove it",
                   path);
  for (const struct dirent *entry; empty && (entry = readdir(folder));)
    empty = !is_entry(entry);
  closedir(folder);
  return empty ? MS_OK
               : ms_fail(err, MS_ERR_OUTPUT,
                         "the folder %s is not empty; choose another name, or empty it", path);
}

static void free_folder(ms_folder *folder)
{
  ms_free(folder->target);
  ms_free(folder->temporary);
  ms_free(folder->file);
  ms_free(folder);
}

/* Sets the two paths, without slashes at their ends. */
static bool set_paths(ms_folder *folder, const char *path)
{
  enum { ENDING = 32 };
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  folder->target = ms_alloc(length + 1, 1);
  folder->temporary = ms_alloc(length + ENDING, 1);
  if (!folder->target || !folder->temporary)
    return false;
  snprintf(folder->target, length + 1, "%s", path);
  snprintf(folder->temporary, length + ENDING, "%s.tmp-%ld", folder->target, (long)getpid());
  return true;
}

ms_status ms_folder_open(const char *path, ms_folder **out, ms_error *err)
{
  *out = NULL;
  MS_TRY(ms_folder_check(path, err));
  ms_folder *folder = ms_calloc(1, sizeof *folder);
  if (!folder || !set_paths(folder, path)) {
    if (folder)
      free_folder(folder);
    return ms_fail_memory(err, "the path of a folder");
  }
  if (mkdir(folder->temporary, 0777) != 0) {
    ms_status status =
        ms_fail(err, MS_ERR_OUTPUT, "%s: cannot make this folder: %s", path, strerror(errno));
    free_folder(folder);
    return status;
  }
  *out = folder;
  return MS_OK;
}

ms_status ms_folder_path(ms_folder *folder, const char *name, const char **path, ms_error *err)
{
  size_t room = strlen(folder->temporary) + strlen(name) + 2;
  ms_free(folder->file);
  folder->file = ms_alloc(room, 1);
  *path = folder->file;
  if (!folder->file)
    return ms_fail_memory(err, "the path of a file");
  snprintf(folder->file, room, "%s/%s", folder->temporary, name);
  return MS_OK;
}

ms_status ms_folder_commit(ms_folder *folder, ms_error *err)
{
  if (rename(folder->temporary, folder->target) != 0) {
    ms_status status = ms_fail(err, MS_ERR_OUTPUT, "%s: cannot make this folder: %s",
                               folder->target, strerror(errno));
    ms_folder_abort(folder);
    return status;
  }
  free_folder(folder);
  return MS_OK;
}

void ms_folder_abort(ms_folder *folder)
{
  if (!folder)
    return;
  DIR *listed = open_folder(folder->temporary);
  for (const struct dirent *entry; listed && (entry = readdir(listed));)
    if (is_entry(entry))
      unlinkat(dirfd(listed), entry->d_name, 0);
  if (listed)
    closedir(listed);
  rmdir(folder->temporary);
  free_folder(folder);
}

/* ---- folders of input files ------------------------------------------------ */

bool ms_is_folder(const char *path)
{
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

void ms_folder_list_free(char **name, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    ms_free(name[i]);
  ms_free(name);
}

static int by_bytes(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_input(DIR *folder, const struct dirent *entry)
{
  struct stat facts;
  return entry->d_name[0] != '.' && /* a pipe would be waited for */
         (fstatat(dirfd(folder), entry->d_name, &facts, 0) != 0 || S_ISREG(facts.st_mode));
}

ms_status ms_folder_list(const char *path, char ***name, uint32_t *count, ms_error *err)
{
  uint32_t room = 0;
  DIR *folder = open_folder(path);
  *name = NULL;
  *count = 0;
  if (!folder)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot list this folder: %s", path, strerror(errno));
  bool ok = true;
  for (const struct dirent *entry; ok && (entry = readdir(folder));) {
    if (!is_input(folder, entry))
      continue;
    ok = MS_GROW(*name, room, *count, 1) && ((*name)[*count] = ms_strdup(entry->d_name)) != NULL;
    *count += ok;
  }
  closedir(folder);
  if (ok && *count > 0)
    qsort(*name, *count, sizeof **name, by_bytes);
  if (ok)
    return MS_OK;
  ms_folder_list_free(*name, *count);
  *name = NULL;
  *count = 0;
  return ms_fail_memory(err, "the files of a folder");
}
