/* A sieve that is done in ranges of units, by a crew or with a checkpoint. */
#ifndef MS_RUN_SCREEN_UNITS_H
#define MS_RUN_SCREEN_UNITS_H

#include "run/run.h"
#include "sieve/choose.h"

/* True if the screen is one of the parts of a run. */
static inline bool ms_screen_is_part(const ms_screen_options *options)
{
  return options->run.division && options->run.division->parts > 0;
}
/* MS_ERR_USAGE: units of the sieve are divided, and `what` has none; a part of the work may be
 * computed twice. */
ms_status ms_screen_refuse_units(const ms_screen_options *options, const char *what, ms_error *err);
/* Reserves the memory for the values of a part: of `kept` vertices, and of all n, in so many
 * repetitions. */
ms_status ms_screen_reserve_part(ms_budget *budget, uint32_t kept, uint32_t n, uint32_t repetitions,
                                 ms_error *err);

/* Refuses what a divided screen cannot do. */
ms_status ms_screen_check_division(const ms_screen_options *options, ms_error *err);
/* ms_sieve_schedule of a job that options->division divides.  The values of the sieve and the flags
 * are those of the undivided job.  A part has no flags: job->q, which the caller has filled with
 * zeros, receives the XOR of the values of its units for each repetition. */
ms_status ms_screen_divided(const ms_query *query, const ms_screen_options *options,
                            ms_sieve_job *job, ms_sieve_choice *choice, ms_screen_result *result,
                            ms_error *err);

/* The miss bound of a sieve (ms_screen_result). */
#define MS_SCREEN_BOUND_ROOM 128
typedef struct ms_screen_bound {
  double bound, of_all; /* per vertex, and of all n */
  char text[MS_SCREEN_BOUND_ROOM];
} ms_screen_bound;
/* Finds the bound of a sieve of this degree (ms_sieve_degree) for n vertices, after so many
 * repetitions. */
ms_status ms_screen_bound_find(uint32_t degree, uint32_t n, uint32_t repetitions, bool all_flagged,
                               ms_screen_bound *bound, ms_error *err);

#endif
