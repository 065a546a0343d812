#include "cli/places.h"

#include "base/status.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

typedef struct place {
  const char *option;
  const char *path; /* "-" is standard output; NULL: not given */
} place;

static bool is_standard(const char *path)
{
  return strcmp(path, "-") == 0;
}

static bool find(const char *path, struct stat *facts)
{
  return is_standard(path) ? fstat(STDOUT_FILENO, facts) == 0 : stat(path, facts) == 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* /dev/null takes any number of outputs. */
static bool is_null_device(const struct stat *facts)
{
  return S_ISCHR(facts->st_mode) && facts->st_rdev == makedev(1, 3);
}

/* The folder of a file that does not exist yet, and its name there. */
static bool find_folder(const char *path, struct stat *folder, char *name)
{
  char copy[PATH_MAX];
  if (strlen(path) >= sizeof copy)
    return false;
  strcpy(copy, path);
  strcpy(name, basename(copy));
  strcpy(copy, path);
  return stat(dirname(copy), folder) == 0;
}

static bool same_place(const char *a, const char *b)
{
  struct stat facts_a, facts_b;
  char name_a[PATH_MAX], name_b[PATH_MAX];
  bool there_a = find(a, &facts_a), there_b = find(b, &facts_b);
  if (there_a != there_b)
    return false;
  if (there_a)
    return same_file(&facts_a, &facts_b) && !is_null_device(&facts_a);
  return find_folder(a, &facts_a, name_a) && find_folder(b, &facts_b, name_b) &&
         same_file(&facts_a, &facts_b) && strcmp(name_a, name_b) == 0;
}

/* A pipe or a terminal may well be read and written. */
static bool replaces(const char *output, const char *input)
{
  struct stat written, read;
  return !is_standard(output) && !is_standard(input) && stat(output, &written) == 0 &&
         stat(input, &read) == 0 && S_ISREG(written.st_mode) && same_file(&written, &read);
}

ms_status ms_check_places(const ms_cli_options *o, ms_error *err)
{
  const place outputs[] = {{"output", o->output ? o->output : "-"},
                           {"map", o->map},
                           {"colors-out", o->gen.colors_out},
                           {"planted-out", o->gen.planted_out}};
  const char *const inputs[] = {o->operand[0],    o->operand[1],      o->colors,
                                o->motif_file,    o->aliases,         o->coloring.obo,
                                o->coloring.slim, o->pattern.path,    o->pattern.colors,
                                o->typed.nodes,   o->typed.relations, o->path.pairs};
  enum { OUTPUTS = sizeof outputs / sizeof *outputs, INPUTS = sizeof inputs / sizeof *inputs };
  for (int i = 0; i < OUTPUTS; i++) {
    for (int j = 0; j < INPUTS && outputs[i].path; j++)
      if (inputs[j] && replaces(outputs[i].path, inputs[j]))
        return ms_fail(err, MS_ERR_USAGE, "--%s '%s' is the input '%s'; give it another name",
                       outputs[i].option, outputs[i].path, inputs[j]);
    for (int j = i + 1; j < OUTPUTS && outputs[i].path; j++)
      if (outputs[j].path && same_place(outputs[i].path, outputs[j].path))
        return ms_fail(err, MS_ERR_USAGE,
                       "--%s and --%s go to the same place; give each one of its own",
                       outputs[i].option, outputs[j].option);
  }
  return MS_OK;
}
