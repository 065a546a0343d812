/* Checks where outputs go, so that none replaces another output or an input. */
#include "base/status.h"
#include "cli/commands.h"
#include "cli/option_table.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

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

/* True for /dev/null, to which any number of outputs may go. */
static bool is_null_device(const struct stat *facts)
{
  return S_ISCHR(facts->st_mode) && facts->st_rdev == makedev(1, 3);
}

/* Finds the folder of a file that does not exist yet, and the file's name there. */
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

/* True if the output would replace the input.  A pipe or a terminal may well be both. */
static bool replaces(const char *output, const char *input)
{
  struct stat written, read;
  return !is_standard(output) && !is_standard(input) && stat(output, &written) == 0 &&
         stat(input, &read) == 0 && S_ISREG(written.st_mode) && same_file(&written, &read);
}

/* Returns the path of row r if the command writes there, else NULL; "-" is standard output, where
 * --output goes if it is not given. */
static const char *output_at(const ms_cli_options *o, size_t r)
{
  const ms_option_row *row = &ms_option_rows[r];
  if (row->file != MS_FILE_WRITTEN || !(row->commands & o->command))
    return NULL;
  if (ms_option_row_given(o, r))
    return ms_option_text(row, o);
  return row->offset == offsetof(ms_cli_options, output) ? "-" : NULL;
}

static ms_status check_inputs(const ms_cli_options *o, const char *option, const char *output,
                              ms_error *err)
{
  for (size_t r = 0; r < ms_option_row_count + 2; r++) {
    const char *input = NULL;
    if (r >= ms_option_row_count)
      input = ms_operand_path(o, (int)(r - ms_option_row_count));
    else if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      input = ms_option_text(&ms_option_rows[r], o);
    if (input && replaces(output, input))
      return ms_fail(err, MS_ERR_USAGE, "--%s '%s' is the input '%s'; give it another name", option,
                     output, input);
  }
  return MS_OK;
}

ms_status ms_check_places(const ms_cli_options *o, ms_error *err)
{
  for (size_t a = 0; a < ms_option_row_count; a++) {
    const char *output = output_at(o, a);
    if (!output)
      continue;
    MS_TRY(check_inputs(o, ms_option_rows[a].name, output, err));
    for (size_t b = 0; b < a; b++)
      if (output_at(o, b) && same_place(output, output_at(o, b)))
        return ms_fail(err, MS_ERR_USAGE,
                       "--%s and --%s go to the same place; give each one of its own",
                       ms_option_rows[a].name, ms_option_rows[b].name);
  }
  return MS_OK;
}
