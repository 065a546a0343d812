#include "base/file/named.h"

#include "base/alloc.h"
#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Joins the folder of `file` (NULL: the current one) and the name. */
static char *join(const char *file, const char *text, size_t length)
{
  const char *slash = file && text[0] != '/' ? strrchr(file, '/') : NULL;
  size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
  char *path = ms_alloc(folder + length + 1, 1);
  if (!path)
    return NULL;
  memcpy(path, file ? file : "", folder);
  memcpy(path + folder, text, length);
  path[folder + length] = '\0';
  return path;
}

/* True if a name may lead out of its folder even where no file has it: then a message must not tell
 * whether there is one. */
static bool points_away(const char *name)
{
  for (const char *dots = strstr(name, ".."); dots; dots = strstr(dots + 1, ".."))
    if ((dots == name || dots[-1] == '/') && (dots[2] == '/' || !dots[2]))
      return true;
  return name[0] == '/';
}

static bool is_below(const char *path, const char *folder)
{
  size_t length = strlen(folder);
  if (length == 1) /* the root */
    return true;
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Checks where a path leads; `real` and `folder`: resolved, NULL where that failed. */
static ms_status check(const ms_naming *naming, const char *name, const char *path,
                       const char *real, const char *folder, ms_error *err)
{
  struct stat facts;
  bool everywhere = folder && strcmp(folder, "/") == 0;
  if (!folder)
    return ms_fail(err, MS_ERR_USAGE, "`below`: %s: %s; give an existing folder",
                   naming->below ? naming->below : naming->file, strerror(errno));
  if (real ? !is_below(real, folder) : !everywhere && points_away(name))
    return ms_fail(err, MS_ERR_INPUT,
                   "`below`: '%s' is named here, but is not below the folder %s; give the folder "
                   "in which named files may lie, or / for any",
                   name, folder);
  if (!real || stat(real, &facts) != 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot open: %s; check the path and its permissions",
                   path, strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s is not a regular file, which a named file has to be; "
                   "name another one",
                   path);
  return MS_OK;
}

ms_status ms_named_path(const ms_naming *naming, const char *text, size_t length, char **path,
                        ms_error *err)
{
  char *name = *path = NULL, *folder = NULL;
  if (length == 1 && *text == '-') {
    if (naming->beside)
      return ms_fail(err, MS_ERR_INPUT,
                     "'-', standard input, is named here, but a named file has to be a regular "
                     "one; name a file, such as ./-");
    *path = join(NULL, text, length);
    return *path ? MS_OK : ms_fail_memory(err, "a path");
  }
  name = join(NULL, text, length);
  *path = join(naming->beside ? naming->file : NULL, text, length);
  folder =
      naming->below ? join(NULL, naming->below, strlen(naming->below)) : join(naming->file, ".", 1);
  if (!name || !*path || !folder) {
    ms_free(name), ms_free(folder), ms_free(*path);
    *path = NULL;
    return ms_fail_memory(err, "a path");
  }
  char resolved[2][PATH_MAX];
  char *root = realpath(folder, resolved[0]);
  char *real = root ? realpath(*path, resolved[1]) : NULL;
  ms_status status = check(naming, name, *path, real, root, err);
  ms_free(name), ms_free(folder);
  if (status != MS_OK) {
    ms_free(*path);
    *path = NULL;
  }
  return status;
}

void ms_named_hide(const char *path, ms_error *reason)
{
  char line[24] = "";
  size_t length = strlen(path);
  if (reason->status != MS_ERR_INPUT && reason->status != MS_ERR_USAGE)
    return;
  if (strncmp(reason->message, path, length) == 0 && reason->message[length] == ':') {
    size_t digits = strspn(reason->message + length + 1, "0123456789");
    if (digits > 0 && digits < sizeof line - 1)
      memcpy(line, reason->message + length, digits + 1);
  }
  ms_fail(
      reason, reason->status,
      "%s%s: cannot be read with these options; read it alone, as a graph or as colours, to see "
      "why: text of a file that another file names is not shown",
      path, line);
}
