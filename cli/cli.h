/* What the commands share: what a command is, exit codes, messages. */
#ifndef MS_CLI_CLI_H
#define MS_CLI_CLI_H

#include "motifsieve.h"

/* ---- exit codes ------------------------------------------------------------- */

typedef enum ms_exit {
  MS_EXIT_OK = 0,
  MS_EXIT_INTERNAL = 1, /* a bug */
  MS_EXIT_USAGE = 2,
  MS_EXIT_FILE = 3,  /* a file could not be read, understood or written; a result was refused */
  MS_EXIT_LIMIT = 4, /* the time limit, the memory bound, an interruption or a lost GPU */
  MS_EXIT_NONE = 5,  /* --fail-if-none was given, and nothing was found */
  MS_EXIT_ROWS_NOT_FINISHED = 6, /* verify refuted nothing, but did not check every row in time */
  MS_EXIT_CODES
} ms_exit;

/* What --help and the manual say about each exit code, in order. */
typedef struct ms_exit_help {
  ms_exit code;
  const char *help;
} ms_exit_help;
extern const ms_exit_help ms_exit_helps[MS_EXIT_CODES];

/* ---- commands --------------------------------------------------------------- */

struct ms_cli_options;
/* Does what the options say; returns an exit code. */
typedef int ms_cli_run(const struct ms_cli_options *options);
/* Answers a query: screen, list, match and those that frame.c names besides. */
ms_cli_run ms_answer_query;
ms_cli_run ms_run_verify, ms_run_convert, ms_run_stats, ms_run_gen, ms_run_neighbors;
ms_cli_run ms_run_report_page, ms_run_merge;
ms_cli_run ms_run_bench, ms_run_bench_gf2, ms_run_bench_sieve, ms_run_info;

/* The bits of the commands, by which tables of options name sets of them. */
typedef enum ms_command_bit {
  MS_COMMAND_SCREEN = 1,
  MS_COMMAND_LIST = 2,
  MS_COMMAND_VERIFY = 4,
  MS_COMMAND_INFO = 8,
  MS_COMMAND_CONVERT = 16,
  MS_COMMAND_STATS = 32,
  MS_COMMAND_GEN = 64,
  MS_COMMAND_BENCH = 128, /* the command line does not say what to measure */
  MS_COMMAND_BENCH_GF2 = 256,
  MS_COMMAND_BENCH_SIEVE = 512,
  MS_COMMAND_PLAN = 1024,
  MS_COMMAND_COMPONENTS = 2048,
  MS_COMMAND_PATH = 4096,
  MS_COMMAND_FILTER = 8192,
  MS_COMMAND_MATCH = 16384,
  MS_COMMAND_MINE = 32768,
  MS_COMMAND_CENSUS = 65536,
  MS_COMMAND_NEIGHBORS = 131072,
  MS_COMMAND_COMPARE = 262144,
  MS_COMMAND_REPORT = 524288,
  MS_COMMAND_MERGE = 1048576
} ms_command_bit;

/* A command: a row of the table in cli/commands.c. */
typedef struct ms_command {
  ms_command_bit bit;
  const char *name;        /* as typed: "screen", "bench gf2" */
  ms_cli_run *run;         /* returns an exit code */
  const char *brief;       /* one line; NULL: this is a part of the command above */
  const char *operands[3]; /* names of the operands in messages */
  const char *usage;       /* the synopsis, which starts with the operands, if there are any */
  const char *about;       /* lines that start with blanks stay as they are */
  const char *after;       /* "Example:\n" or "Examples:\n", then such lines */
} ms_command;

/* ---- messages --------------------------------------------------------------- */

/* Prints "motifsieve: error: ..." on stderr, always as one line; returns the exit code for the
 * status. */
int ms_cli_error(const ms_error *err);
/* These two print "motifsieve: warning: ..." and plain "motifsieve: ..." on stderr. */
void ms_cli_warn(const char *format, ...) MS_PRINTF(1, 2);
void ms_cli_note(const char *format, ...) MS_PRINTF(1, 2);
/* Returns the option, such as "--min-degree", that sets a parameter of the library; NULL if there
 * is none. */
const char *ms_cli_option_of(const char *parameter);
/* Copies a text of the library to out[room], with options in place of parameters in backquotes. */
void ms_cli_name_options(const char *text, char *out, size_t room);

/* Returns the candidate nearest to `word` by edit distance, or NULL if none is near.
 * candidates[count]; NULL entries are skipped. */
const char *ms_cli_nearest(const char *word, const char *const *candidates, size_t count);

#endif
