/* --part, --checkpoint, --resume and --paranoid, as the library takes them. */
#ifndef MS_CLI_DIVISION_H
#define MS_CLI_DIVISION_H

#include "cli/options/options.h"

/* The ranks that do a run together, which only motifsieve-mpi has; NULL: none. */
extern struct ms_crew *ms_cli_crew;

/* Fills *division from the options, and returns it; NULL: there is none. */
const ms_division *ms_cli_division(const ms_cli_options *options, ms_division *division);

/* With `verbose`, says how much of a run was checked. */
void ms_cli_print_paranoid(const ms_paranoid_report *report);

#endif
