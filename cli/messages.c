#include "cli/cli.h"

#include "base/file/descriptor.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "cli/signals.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORD 63

const ms_exit_help ms_exit_helps[MS_EXIT_CODES] = {
    {MS_EXIT_OK, "done, also if --limit ended the search"},
    {MS_EXIT_INTERNAL, "an internal error: please report it"},
    {MS_EXIT_USAGE, "wrong usage"},
    {MS_EXIT_FILE,
     "a file could not be read, understood or written, or verify or report refused a result"},
    {MS_EXIT_LIMIT,
     "the time limit, the memory bound, an interruption, a full disk or a lost GPU ended the work "
     "early"},
    {MS_EXIT_NONE, "nothing was found, and --fail-if-none was given"},
    {MS_EXIT_ROWS_NOT_FINISHED,
     "verify found nothing wrong, but ended before every row was checked"},
};

/* Prints a message as one line, in one piece; control characters, such as a line break in a file
 * name, are shown as escapes.  A failure has no better place to be told. */
static void print_line(const char *prefix, const char *text)
{
  char line[4096];
  size_t used = strlen(prefix);
  memcpy(line, prefix, used);
  ms_escape(text, line + used, sizeof line - used - 1);
  used += strlen(line + used);
  line[used++] = '\n';
  ms_progress_make_way();
  ms_write_all(STDERR_FILENO, line, used, NULL);
}

/* Puts the singular in place of a plural behind the number 1: "1 vertices have" becomes
 * "1 vertex has". */
static void mend_singulars(char *text)
{
  static const char *const words[][2] = {{"vertices have", "vertex has"},
                                         {"vertices take", "vertex takes"},
                                         {"vertices accept", "vertex accepts"},
                                         {"active vertices", "active vertex"},
                                         {"vertices", "vertex"},
                                         {"candidate regions", "candidate region"},
                                         {"lines name", "line names"},
                                         {"lines say", "line says"},
                                         {"lines have", "line has"},
                                         {"lines", "line"},
                                         {"matches exist", "match exists"},
                                         {"matches", "match"},
                                         {"edges", "edge"},
                                         {"components", "component"},
                                         {"colours", "colour"},
                                         {"assignments", "assignment"},
                                         {"repeated lines", "repeated line"},
                                         {"repeated assignments", "repeated assignment"},
                                         {"self-loops", "self-loop"},
                                         {"repetitions", "repetition"},
                                         {"subgraphs", "subgraph"},
                                         {"embeddings", "embedding"},
                                         {"automorphisms", "automorphism"},
                                         {"points", "point"},
                                         {"threads", "thread"},
                                         {"repeats", "repeat"},
                                         {"types", "type"},
                                         {"slides", "slide"},
                                         {"motifs", "motif"},
                                         {"steps", "step"}};
  for (char *one = text; (one = strstr(one, "1 ")); one++) {
    bool whole = one == text || !strchr("0123456789.,-e+", one[-1]);
    for (size_t i = 0; whole && i < sizeof words / sizeof *words; i++) {
      size_t many = strlen(words[i][0]), single = strlen(words[i][1]);
      char *at = one + 2, end = strncmp(at, words[i][0], many) == 0 ? at[many] : 'x';
      if (end != '\0' && !strchr(" ,;:)", end))
        continue;
      memcpy(at, words[i][1], single);
      memmove(at + single, at + many, strlen(at + many) + 1);
      break;
    }
  }
}

static void print_formatted(const char *prefix, const char *format, va_list args)
{
  char text[2048], named[2048];
  ms_format_list(text, sizeof text, format, args);
  mend_singulars(text);
  ms_cli_name_options(text, named, sizeof named);
  print_line(prefix, named);
}

int ms_cli_error(const ms_error *err)
{
  char text[2 * sizeof err->message];
  if (err->status == MS_ERR_OUTPUT && ms_signals_reader_is_gone())
    return MS_EXIT_FILE; /* as after 'motifsieve ... | head'; SIGPIPE will say so */
  ms_cli_name_options(err->message, text, sizeof text);
  print_line("motifsieve: error: ", text);
  switch (err->status) {
  case MS_OK:
    return MS_EXIT_OK;
  case MS_ERR_USAGE:
    return MS_EXIT_USAGE;
  case MS_ERR_INPUT:
  case MS_ERR_OUTPUT:
    return MS_EXIT_FILE;
  case MS_ERR_MEMORY:
  case MS_ERR_LIMIT:
  case MS_ERR_INTERRUPTED:
  case MS_ERR_DEVICE_LOST:
    return MS_EXIT_LIMIT;
  case MS_ERR_INTERNAL:
    break;
  }
  return MS_EXIT_INTERNAL;
}

void ms_cli_warn(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  print_formatted("motifsieve: warning: ", format, args);
  va_end(args);
}

void ms_cli_note(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  print_formatted("motifsieve: ", format, args);
  va_end(args);
}

/* Returns the Levenshtein distance of two words of at most MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b)
{
  size_t row[MAX_WORD + 1], length = strlen(b);
  for (size_t j = 0; j <= length; j++)
    row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 1; j <= length; j++) {
      size_t above = row[j], best = diagonal + (a[i] != b[j - 1]);
      if (above + 1 < best)
        best = above + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      diagonal = above;
      row[j] = best;
    }
  }
  return row[length];
}

const char *ms_cli_nearest(const char *word, const char *const *candidates, size_t count)
{
  const char *nearest = NULL;
  size_t length = strlen(word), best = 1 + length / 3;
  if (length == 0 || length > MAX_WORD)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!candidates[i] || strlen(candidates[i]) > MAX_WORD)
      continue;
    size_t distance = edit_distance(word, candidates[i]);
    if (distance < best + (nearest == NULL)) {
      best = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}
