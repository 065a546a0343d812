/* Walk a command line option by option: getopt_long with the table's rows, and
 * a word about what was mistyped. */
#ifndef MS_CLI_OPTION_READER_H
#define MS_CLI_OPTION_READER_H

#include "cli/option_table.h"

#include <getopt.h>

/* A long option's value is 256 + its row. */
typedef struct ms_option_reader {
  ms_command command;
  int argc;
  char **argv;
  struct option longs[MS_OPTION_ROWS + 1];
  char shorts[2 * MS_OPTION_ROWS + 2];
} ms_option_reader;

/* argv[0] is the command's name; argv may be put into another order. */
void ms_option_reader_init(ms_option_reader *reader, ms_command command, int argc, char **argv);

/* The next option and its value (NULL if it takes none); *row is NULL after the
 * last, and the operands are then argv[optind] and on. */
ms_status ms_option_next(ms_option_reader *reader, const ms_option_row **row, const char **value,
                         ms_error *err);

#endif
