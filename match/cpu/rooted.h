/* Sums, over the roots that two programs have in common, of the product of what each counts under
 * that root: how patterns are counted at a vertex without which they fall apart
 * (match/count/hinge.h). */
#ifndef MS_MATCH_CPU_ROOTED_H
#define MS_MATCH_CPU_ROOTED_H

#include "match/cpu/sorted.h"
#include "match/engine.h"

/* Adds the sum of the products of the values of task->program and of `other`; other == NULL: of the
 * squares of the values of task->program.  Both programs have a tail, neither has an inner pattern,
 * and the domains of their roots are the same.  Threads share the roots, which are the units of a
 * share (match/units.h).  If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, the stop token ended
 * it, and `sum` lacks the roots that were not done. */
ms_status ms_rooted_sum(const ms_pattern_task *task, const ms_program *other, mpz_t sum,
                        ms_error *err);
/* Sets number[v] to the value of task->program at each root v, of [index->n] numbers which are 0
 * before the call.  *fit: all of them are below 2^127; otherwise some are not set.  Stops as
 * above; then roots that were not done have 0. */
ms_status ms_rooted_values(const ms_pattern_task *task, ms_wide_size *number, bool *fit,
                           ms_error *err);

#endif
