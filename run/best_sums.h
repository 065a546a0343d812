/* The sums of vertex scores of a screen: the greatest ones or all of them (motif/best/best_sums.h),
 * or both by the sieve (sieve/sums.h). */
#ifndef MS_RUN_BEST_SUMS_H
#define MS_RUN_BEST_SUMS_H

#include "run/run.h"
#include "sieve/sums.h"

/* The greatest exponent of which all sums of a vertex are found by enumeration. */
#define MS_MOST_LISTED_EXPONENT 65535u

/* Refuses options that sums do not go with; scores of the wrong graph. */
ms_status ms_screen_check_sums(const ms_query *query, const ms_screen_options *options,
                               ms_error *err);
/* Refuses scores that span too much for the method; with MS_METHOD_AUTO, *method becomes
 * MS_METHOD_EXACT if the sieve cannot serve. */
ms_status ms_screen_check_range(const ms_sum_range *range, const ms_screen_options *options,
                                uint32_t k, ms_screen_method *method, ms_error *err);

/* Fills in result->best_sum, which is all 0, and with options->all_sums result->sums, for the
 * vertices that an exact screen of the instance has flagged.  Where they are not all known,
 * result->settled does not count the vertex.  Returns the status of a stop, too.
 * most: the work that may be done, in words read; 0: any.  *known is false if it was not enough;
 * then the result is to be made again. */
ms_status ms_screen_best_sums(ms_run *run, const ms_instance *instance,
                              const ms_screen_options *options, const ms_sum_range *range,
                              double most, ms_screen_result *result, bool *known, ms_error *err);

/* Does so from the exponents that the sieve has found. */
ms_status ms_screen_take_sums(const ms_instance *instance, const ms_screen_options *options,
                              const ms_sum_range *range, const ms_sieve_sums *sums,
                              ms_screen_result *result, ms_error *err);

#endif
