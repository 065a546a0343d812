/* What the subcommands share: exit codes, messages, the table of commands. */
#ifndef MS_CLI_CLI_H
#define MS_CLI_CLI_H

#include "motifsieve.h"

typedef enum ms_exit {
  MS_EXIT_OK = 0,
  MS_EXIT_INTERNAL = 1, /* a bug */
  MS_EXIT_USAGE = 2,
  MS_EXIT_FILE = 3,  /* a file could not be read, understood or written; a result was refused */
  MS_EXIT_LIMIT = 4, /* a limit, the memory bound, an interruption or a lost GPU */
  MS_EXIT_NONE = 5   /* --fail-if-none, and there was none */
} ms_exit;

/* What --help and the manual say of each code, in order. */
typedef struct ms_exit_help {
  ms_exit code;
  const char *help;
} ms_exit_help;
extern const ms_exit_help ms_exit_helps[MS_EXIT_NONE + 1];

typedef struct ms_cli_command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help; /* one line */
} ms_cli_command;

/* The tool as a whole, as 'motifsieve --help' tells it. */
typedef struct ms_cli_overview {
  const ms_cli_command *commands;
  size_t n_commands;
  const char *brief, *usage, *about, *after; /* as in ms_command_help; brief: one line */
} ms_cli_overview;

/* Each gets argv[0] == its own name and returns an exit code. */
int ms_cmd_screen(int argc, char **argv);
int ms_cmd_list(int argc, char **argv);
int ms_cmd_verify(int argc, char **argv);
int ms_cmd_convert(int argc, char **argv);
int ms_cmd_stats(int argc, char **argv);
int ms_cmd_components(int argc, char **argv);
int ms_cmd_gen(int argc, char **argv);
int ms_cmd_bench(int argc, char **argv);
int ms_cmd_plan(int argc, char **argv);
int ms_cmd_filter(int argc, char **argv);
int ms_cmd_typed_match(int argc, char **argv);
int ms_cmd_path(int argc, char **argv);
int ms_cmd_info(int argc, char **argv);

/* "motifsieve: error: ..." on stderr, always one line; returns the exit code
 * for the status. */
int ms_cli_error(const ms_error *err);
/* "motifsieve: warning: ..." and plain "motifsieve: ..." on stderr. */
void ms_cli_warn(const char *format, ...) MS_PRINTF(1, 2);
void ms_cli_note(const char *format, ...) MS_PRINTF(1, 2);
/* Close standard output after help and the like; an exit code. */
int ms_cli_close_stdout(void);

/* The candidate nearest to `word` by edit distance, or NULL if none is near.
 * candidates[count]; NULL entries are skipped. */
const char *ms_cli_nearest(const char *word, const char *const *candidates, size_t count);

#endif
