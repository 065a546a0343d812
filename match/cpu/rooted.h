/* Sums, over the roots that two programs have in common, of the product of what each counts under
 * that root: how patterns are counted at a vertex without which they fall apart (match/hinge.h). */
#ifndef MS_MATCH_CPU_ROOTED_H
#define MS_MATCH_CPU_ROOTED_H

#include "match/engine.h"

/* Adds the sum of the products of the values of task->program and of `other`; other == NULL: of the
 * squares of the values of task->program.  Both programs have a tail, neither has an inner pattern,
 * and the domains of their roots are the same.  Threads share the roots, which are the units of a
 * share (match/units.h).  If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, the stop token ended
 * it, and `sum` lacks the roots that were not done. */
ms_status ms_rooted_sum(const ms_pattern_task *task, const ms_program *other, mpz_t sum,
                        ms_error *err);

#endif
