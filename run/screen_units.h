/* A sieve that is done in ranges of units, by a crew or with a checkpoint. */
#ifndef MS_RUN_SCREEN_UNITS_H
#define MS_RUN_SCREEN_UNITS_H

#include "run/run.h"
#include "sieve/choose.h"

/* Refuses what a divided screen cannot do. */
ms_status ms_screen_check_division(const ms_screen_options *options, ms_error *err);
/* ms_sieve_schedule of a job that options->division divides.  The values of the sieve and the flags
 * are those of the undivided job. */
ms_status ms_screen_divided(const ms_query *query, const ms_screen_options *options,
                            ms_sieve_job *job, ms_sieve_choice *choice, ms_screen_result *result,
                            ms_error *err);

#endif
