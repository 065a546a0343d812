/* The table of commands, and the functions that print their help. */
#ifndef MS_CLI_COMMANDS_H
#define MS_CLI_COMMANDS_H

#include "cli/cli.h"

struct ms_option_row;

extern const ms_command ms_commands[]; /* the parts of a command follow it */
extern const size_t ms_command_count;

/* The texts about the tool as a whole. */
typedef struct ms_overview {
  const char *brief, *usage, *about, *after; /* as in ms_command */
} ms_overview;
extern const ms_overview ms_tool;

/* Returns the command of that name; NULL: there is none. */
const ms_command *ms_command_find(const char *name);

/* Does what the command line of the tool says.  Returns an exit code. */
int ms_tool_run(int argc, char **argv);
/* Parses the command line and does what it says; argv[0] is the name of a command, and "bench" may
 * be followed by the name of a part.  Returns an exit code. */
int ms_command_run(int argc, char **argv);

/* ---- help of a command (help.c) ------------------------------------------------ */

/* Prints the help of a command on standard output: the options that matter most, or all of them in
 * sections; returns an exit code. */
int ms_help_command(const ms_command *command, bool all);
/* Prints what each graph format looks like; returns an exit code. */
int ms_help_formats(const ms_command *command);

/* Goes through the options of a command, section by section; those for reading come last.  Calls
 * `put_title` before the first option of a section, if the help divides the options, because there
 * are many, and `put_option` for each option. */

void ms_help_sections(const ms_command *command, void (*put_title)(const char *title),
                      void (*put_option)(const struct ms_option_row *row));
/* Describes each word that the first operand may be, if it is not a file.  The lines start with
 * blanks. */
void ms_operand_help(const ms_command *command, void (*put)(const char *text));
/* Returns the i-th of these words, from 0; NULL after the last. */
const char *ms_operand_word(const ms_command *command, uint32_t i);

/* ---- manual pages and completion ------------------------------------------------ */

/* These two print manual pages in roff on standard output, for groff and mandoc: motifsieve(1), and
 * motifsieve-COMMAND(1) (manual.c). */
int ms_manual_overview(void);
int ms_manual_command(const ms_command *command);
/* These two print completion scripts on standard output (completion.c), for bash 4 or later and for
 * zsh. */
int ms_completion_bash(void);
int ms_completion_zsh(void);

#endif
