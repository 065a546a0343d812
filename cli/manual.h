/* Manual pages, made from what --help says: roff on standard output.  They use
 * the man macros only, so that groff and mandoc both format them. */
#ifndef MS_CLI_MANUAL_H
#define MS_CLI_MANUAL_H

#include "cli/commands.h"

/* motifsieve(1); an exit code. */
int ms_manual_overview(void);
/* motifsieve-COMMAND(1); an exit code. */
int ms_manual_command(const ms_command_row *command);

#endif
