/* Counts the ways to place the tail under the current partial match. */
#ifndef MS_MATCH_CPU_TAIL_VALUE_H
#define MS_MATCH_CPU_TAIL_VALUE_H

#include "match/cpu/runner.h"

/* Adds this number to the runner's total. Returns false without memory. */
bool ms_tail_add(ms_runner *runner);
/* Moves runner->total to runner->large. */
void ms_tail_flush(ms_runner *runner);
/* Adds a number to the runner's total. */
void ms_tail_add_number(ms_runner *runner, ms_wide_size number);
/* Adds the tail's value to the runner's total: size[mask] is the size of the intersection of the
 * groups of each mask that a term has, or that is one group.  No group has fewer candidates than
 * vertices. */
void ms_tail_add_sizes(ms_runner *runner, const uint64_t *size);

/* For a quick program: matches the last level of the prefix with each of these
 * candidates, and adds the tail's count for each. */
bool ms_tail_add_all(ms_runner *runner, ms_span span, size_t first, size_t last);

#endif
