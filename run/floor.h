/* The floor of a sieve run: the time that this machine needs at best for the work that the
 * recurrence cannot avoid.  For `motifsieve bench sieve` and bench/experiments. */
#ifndef MS_RUN_FLOOR_H
#define MS_RUN_FLOOR_H

#include "motifsieve.h"

/* The work that no sieve can avoid, over all repetitions, and the time that it takes at rates that
 * are measured at once.  If several devices work, times are those of all of them together.  The
 * larger of the two times is the floor, because both could overlap perfectly. */
typedef struct ms_sieve_floor {
  double products;               /* products of two field elements */
  double row_bytes, state_bytes; /* bytes of rows read over edges; bytes of private coefficients */
  double products_seconds, bytes_seconds;
} ms_sieve_floor;

/* Measures the floor of a run of the query with these options, which was sieved
 * (result->kernel is not NULL).  Each rate takes `seconds` on a processor, and a sixth of it on a
 * GPU. */
ms_status ms_sieve_floor_of(const ms_query *query, const ms_screen_options *options,
                            const ms_screen_result *result, double seconds, ms_sieve_floor *out,
                            ms_error *err);

/* Returns the larger of the two times; 0 if nothing was counted. */
double ms_sieve_floor_seconds(const ms_sieve_floor *floor);
/* Returns all bytes. */
double ms_sieve_floor_bytes(const ms_sieve_floor *floor);

#endif
