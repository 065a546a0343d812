/* The commands of the tool: their names, the functions that run them, and what --help says besides
 * the options. */
#ifndef MS_CLI_COMMANDS_H
#define MS_CLI_COMMANDS_H

#include "cli/options.h"

#include <stddef.h>

typedef struct ms_command_row {
  ms_command command;
  const char *name;                          /* as typed: "screen", "bench gf2" */
  int (*run)(const ms_cli_options *options); /* returns an exit code */
  const char *brief;       /* one line; NULL: this is a part of the command above */
  const char *operands[3]; /* names of the operands in messages */
  const char *usage;       /* the synopsis, which starts with the operands, if there are any */
  const char *about;       /* lines that start with blanks stay as they are */
  const char *after;       /* "Example:\n" or "Examples:\n", then such lines */
} ms_command_row;

extern const ms_command_row ms_commands[];
extern const size_t ms_command_count;

const ms_command_row *ms_command_of(ms_command command);
/* Returns the command of that name; NULL: there is none. */
const ms_command_row *ms_command_find(const char *name);
/* Returns the command's name as users type it. */
const char *ms_command_name(ms_command command);
/* True if the help divides the options into sections (because there are many). */
bool ms_command_has_sections(ms_command command);

/* Parses the command line and does what it says; argv[0] is the name of a command, and "bench" may
 * be followed by the name of a part.  Returns an exit code. */
int ms_command_run(int argc, char **argv);

/* Returns the i-th operand if it is the path of an input, else NULL. */
const char *ms_operand_path(const ms_cli_options *options, int i);

/* ---- help (help.c) ---------------------------------------------------------- */

/* The tool as a whole. */
typedef struct ms_overview {
  const char *brief, *usage, *about, *after; /* as in ms_command_row */
} ms_overview;
extern const ms_overview ms_tool;

/* These two print the help of the tool or of a command on standard output; they return an exit
 * code. */
int ms_help_tool(void);
int ms_help_command(ms_command command);
/* Prints what each graph format looks like; returns an exit code. */
int ms_help_formats(ms_command command);

/* These two print manual pages in roff on standard output, for groff and mandoc: motifsieve(1), and
 * motifsieve-COMMAND(1) (manual.c). */
int ms_manual_overview(void);
int ms_manual_command(const ms_command_row *command);
/* These two print completion scripts on standard output (completion.c), for bash 4 or later and for
 * zsh. */
int ms_completion_bash(void);
int ms_completion_zsh(void);

/* Describes each word that the first operand may be, if it is not a file.  The lines start with
 * blanks. */
void ms_operand_help(ms_command command, void (*put)(const char *text));
/* Returns the i-th of these words, from 0; NULL after the last. */
const char *ms_operand_word(ms_command command, uint32_t i);

#endif
