#include "cli/option_reader.h"

#include "base/status.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

void ms_option_reader_init(ms_option_reader *reader, ms_command command, int argc, char **argv)
{
  size_t n_long = 0, n_short = 0;
  *reader = (ms_option_reader){.command = command, .argc = argc, .argv = argv};
  reader->shorts[n_short++] = ':'; /* a missing value is told apart from an unknown option */
  for (size_t r = 0; r < MS_OPTION_ROWS; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (!(row->commands & command))
      continue;
    reader->longs[n_long++] = (struct option){
        row->name, row->argument ? required_argument : no_argument, NULL, 256 + (int)r};
    if (row->letter) {
      reader->shorts[n_short++] = row->letter;
      if (row->argument)
        reader->shorts[n_short++] = ':';
    }
  }
  opterr = 0;
  optind = 1;
}

static const ms_option_row *row_of(int got, ms_command command)
{
  if (got >= 256)
    return &ms_option_rows[got - 256];
  for (size_t r = 0; r < MS_OPTION_ROWS; r++)
    if (ms_option_rows[r].letter == got && (ms_option_rows[r].commands & command))
      return &ms_option_rows[r];
  return NULL;
}

/* getopt_long refused `word` (an element of argv) or the letter optopt. */
static ms_status refuse(int got, ms_command command, const char *word, ms_error *err)
{
  const char *names[MS_OPTION_ROWS], *name = ms_command_name(command);
  const ms_option_row *known = optopt ? row_of(optopt, command) : NULL;
  if (known && got == ':')
    return ms_fail(err, MS_ERR_USAGE, "option --%s needs a value: --%s %s", known->name,
                   known->name, known->argument);
  if (known)
    return ms_fail(err, MS_ERR_USAGE, "option --%s takes no value", known->name);
  if (optopt)
    return ms_fail(err, MS_ERR_USAGE, "unknown option '-%c'; see 'motifsieve %s --help'", optopt,
                   name);
  char bare[64];
  snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
  for (size_t r = 0; r < MS_OPTION_ROWS; r++) {
    names[r] = ms_option_rows[r].commands & command ? ms_option_rows[r].name : NULL;
    if (!names[r] && strcmp(ms_option_rows[r].name, bare + strspn(bare, "-")) == 0)
      return ms_fail(err, MS_ERR_USAGE,
                     "option '%s' is not one of 'motifsieve %s'; see 'motifsieve %s --help'", bare,
                     name, name);
  }
  const char *nearest = ms_cli_nearest(bare + strspn(bare, "-"), names, MS_OPTION_ROWS);
  if (nearest)
    return ms_fail(err, MS_ERR_USAGE,
                   "unknown option '%s'; did you mean '--%s'? see 'motifsieve %s --help'", bare,
                   nearest, name);
  return ms_fail(err, MS_ERR_USAGE, "unknown option '%s'; see 'motifsieve %s --help'", bare, name);
}

ms_status ms_option_next(ms_option_reader *reader, const ms_option_row **row, const char **value,
                         ms_error *err)
{
  int got = getopt_long(reader->argc, reader->argv, reader->shorts, reader->longs, NULL);
  *row = NULL;
  *value = optarg;
  if (got == -1)
    return MS_OK;
  if (got == '?' || got == ':')
    return refuse(got, reader->command, reader->argv[optind - 1], err);
  *row = row_of(got, reader->command);
  return MS_OK;
}
