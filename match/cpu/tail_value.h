/* How many ways there are to place the tail under the matches in hand. */
#ifndef MS_MATCH_CPU_TAIL_VALUE_H
#define MS_MATCH_CPU_TAIL_VALUE_H

#include "match/cpu/runner.h"

/* Add it to the runner's total; false without memory. */
bool ms_tail_add(ms_runner *runner);
/* Move runner->total to runner->large. */
void ms_tail_flush(ms_runner *runner);

/* Room for so many ids and MS_SORTED_SLACK; what was there is lost. */
bool ms_space_for(ms_space *space, size_t length);
/* What the matches of these levels leave of the span. */
ms_span ms_runner_cut(const ms_runner *runner, ms_span span, uint64_t above, uint64_t below);
/* Of a quick program: match the last level of the prefix with each of these
 * candidates, and add what the tail then counts. */
bool ms_tail_add_all(ms_runner *runner, ms_span span, size_t first, size_t last);

#endif
