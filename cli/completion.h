/* Completion for shells, made from the tables of commands and options: a script on
 * standard output.  Each returns an exit code. */
#ifndef MS_CLI_COMPLETION_H
#define MS_CLI_COMPLETION_H

#include "cli/commands.h"

/* For bash 4 or later, with or without the package bash-completion. */
int ms_completion_bash(void);
int ms_completion_zsh(void);

#endif
