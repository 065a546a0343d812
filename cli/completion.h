/* Completion for shells, made from the option table: a script on standard
 * output; an exit code. */
#ifndef MS_CLI_COMPLETION_H
#define MS_CLI_COMPLETION_H

#include "cli/cli.h"

/* For bash 4 or later, with or without the package bash-completion. */
int ms_completion_bash(const ms_cli_overview *overview);
int ms_completion_zsh(const ms_cli_overview *overview);

#endif
