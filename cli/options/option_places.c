/* Rules for where inputs come from and outputs go, so that no output replaces another output or an
 * input; and the format of an output. */
#include "base/alloc.h"
#include "base/file/own_file.h"
#include "base/file/place.h"
#include "base/status.h"
#include "cli/options/option_table.h"
#include "parts/lock.h"
#include "parts/spool.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPERANDS = sizeof((ms_cli_options *)0)->operand / sizeof(char *) };

/* True if the path, which may be NULL, stands for standard input or output. */
static bool is_standard(const char *path)
{
  return path && strcmp(path, "-") == 0;
}

/* Returns the i-th operand if it is or may be the path of an input, else NULL. */
static const char *operand_path(const ms_cli_options *o, int i)
{
  const char *name = o->command->operands[i];
  bool is_path = name && (strcmp(name, "GRAPH") == 0 || strcmp(name, "RESULT") == 0 ||
                          strcmp(name, "PATTERN") == 0 || strcmp(name, "POINTS") == 0 ||
                          strcmp(name, "SHEET") == 0);
  return is_path ? o->operand[i] : NULL;
}

static ms_status check_standard_input(const ms_cli_options *o, ms_error *err)
{
  int inputs = 0;
  for (int i = 0; i < OPERANDS; i++)
    inputs += is_standard(operand_path(o, i));
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      inputs += is_standard(ms_option_text(&ms_option_rows[r], o));
  return inputs > 1
             ? ms_fail(err, MS_ERR_USAGE, "only one input can come from standard input ('-')")
             : MS_OK;
}

/* Finds the facts of a file; "-" is the stream. */
static bool find_file(const char *path, int stream, struct stat *facts)
{
  return is_standard(path) ? fstat(stream, facts) == 0 : stat(path, facts) == 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
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

/* True if the two outputs would replace each other, or mix.  Any number of outputs may go to a
 * device or a named pipe. */
static bool same_place(const char *a, const char *b)
{
  struct stat facts_a, facts_b;
  char name_a[PATH_MAX], name_b[PATH_MAX];
  bool there_a = find_file(a, STDOUT_FILENO, &facts_a),
       there_b = find_file(b, STDOUT_FILENO, &facts_b);
  if (there_a != there_b)
    return false;
  if (there_a)
    return same_file(&facts_a, &facts_b) &&
           (S_ISREG(facts_a.st_mode) || (is_standard(a) && is_standard(b)));
  return find_folder(a, &facts_a, name_a) && find_folder(b, &facts_b, name_b) &&
         same_file(&facts_a, &facts_b) && strcmp(name_a, name_b) == 0;
}

/* True if the output would replace the input.  A pipe or a terminal may well be both. */
static bool replaces(const char *output, const char *input)
{
  struct stat written, read;
  return find_file(output, STDOUT_FILENO, &written) && find_file(input, STDIN_FILENO, &read) &&
         S_ISREG(written.st_mode) && same_file(&written, &read);
}

/* Returns the path of row r if the command writes there, else NULL; "-" is standard output, where
 * --output goes if it is not given. */
static const char *output_at(const ms_cli_options *o, size_t r)
{
  const ms_option_row *row = &ms_option_rows[r];
  if (row->file < MS_FILE_WRITTEN || !(row->commands & o->command->bit))
    return NULL;
  if (ms_option_row_given(o, r))
    return ms_option_text(row, o);
  return row->offset == offsetof(ms_cli_options, output) ? "-" : NULL;
}

static ms_status refuse_input(const char *option, const char *output, const char *input,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "--%s '%s' is the input '%s'; give it another name", option,
                 is_standard(output) ? "standard output" : output,
                 is_standard(input) ? "standard input" : input);
}

/* Returns the input that the output would replace, or NULL. */
static const char *replaced_input(const ms_cli_options *o, const char *output)
{
  for (size_t r = 0; r < ms_option_row_count + OPERANDS; r++) {
    const char *input = NULL;
    if (r >= ms_option_row_count)
      input = operand_path(o, (int)(r - ms_option_row_count));
    else if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      input = ms_option_text(&ms_option_rows[r], o);
    if (input && replaces(output, input))
      return input;
  }
  return NULL;
}

ms_status ms_options_check_input(const ms_cli_options *o, const char *input, ms_error *err)
{
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (output_at(o, r) && replaces(output_at(o, r), input))
      return refuse_input(ms_option_rows[r].name, output_at(o, r), input, err);
  return MS_OK;
}

/* Refuses an incomplete result in the place of an input or of another output. */
static ms_status check_incomplete(const ms_cli_options *o, const char *output, ms_error *err)
{
  if (is_standard(output))
    return MS_OK;
  char *path = ms_own_file_path(output, MS_INCOMPLETE_ENDING);
  ms_status status = path ? MS_OK : ms_fail_memory(err, "a path");
  const char *taken = status == MS_OK ? replaced_input(o, path) : NULL;
  for (size_t r = 0; r < ms_option_row_count && status == MS_OK && !taken; r++)
    if (output_at(o, r) && same_place(output_at(o, r), path))
      taken = output_at(o, r);
  if (taken)
    status = ms_fail(err, MS_ERR_USAGE,
                     "an incomplete result of '%s' would replace '%s', which the command uses; "
                     "give one of them another name",
                     output, taken);
  ms_free(path);
  return status;
}

/* Refuses an output in the place of a file beside the checkpoint, whose path it frees. */
static ms_status check_beside(const ms_cli_options *o, const char *what, char *path, ms_error *err)
{
  ms_status status = path ? MS_OK : ms_fail_memory(err, "a path");
  for (size_t r = 0; r < ms_option_row_count && status == MS_OK; r++)
    if (output_at(o, r) && same_place(output_at(o, r), path))
      status = ms_fail(err, MS_ERR_USAGE,
                       "--%s is the place of the %s of --checkpoint, '%s'; give it another name",
                       ms_option_rows[r].name, what, path);
  ms_free(path);
  return status;
}

static ms_status check_saved_files(const ms_cli_options *o, ms_error *err)
{
  const char *checkpoint = o->division.checkpoint;
  bool has_rows = o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_MATCH) || o->census.per_vertex;
  if (checkpoint)
    MS_TRY(check_beside(o, "lock", ms_checkpoint_lock_path(checkpoint), err));
  return checkpoint && has_rows ? check_beside(o, "rows", ms_spool_path(checkpoint), err) : MS_OK;
}

ms_status ms_options_check_places(const ms_cli_options *o, ms_error *err)
{
  MS_TRY(check_standard_input(o, err));
  for (size_t a = 0; a < ms_option_row_count; a++) {
    const char *output = output_at(o, a);
    if (!output)
      continue;
    const char *input = replaced_input(o, output);
    if (input)
      return refuse_input(ms_option_rows[a].name, output, input, err);
    MS_TRY(check_incomplete(o, output, err));
    for (size_t b = 0; b < a; b++)
      if (output_at(o, b) && same_place(output, output_at(o, b)))
        return ms_fail(err, MS_ERR_USAGE,
                       "--%s and --%s go to the same place; give them different files",
                       ms_option_rows[a].name, ms_option_rows[b].name);
  }
  return check_saved_files(o, err);
}

/* ---- formats ---------------------------------------------------------------------- */

ms_status ms_find_output_format(const ms_cli_options *o, ms_graph_format *to, ms_error *err)
{
  *to = o->to;
  if (o->to != MS_FORMAT_AUTO)
    return MS_OK;
  if (!o->output || strcmp(o->output, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "no format to write: give --to NAME, or -o FILE with the ending of a format; see "
        "--list-formats");
  size_t length = strlen(o->output);
  if (length > 3 && strcmp(o->output + length - 3, ".gz") == 0)
    length -= 3;
  else if (length > 4 && strcmp(o->output + length - 4, ".zst") == 0)
    length -= 4;
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    size_t suffix = strlen(info.suffix);
    if (info.writable && length > suffix &&
        memcmp(o->output + length - suffix, info.suffix, suffix) == 0) {
      *to = (ms_graph_format)f;
      return MS_OK;
    }
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "the ending of '%s' names no format; give --to NAME (see --list-formats)",
                 o->output);
}

ms_status ms_check_kept_scores(const ms_cli_options *o, ms_graph_format to, ms_error *err)
{
  ms_graph_format_info info = ms_graph_format_describe(to);
  if (!o->graph.keep_scores || info.holds_scores)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--scores keeps the scores of edges, and %s holds none; write a binary file or an "
                 "edge list, or leave it out",
                 info.name);
}
