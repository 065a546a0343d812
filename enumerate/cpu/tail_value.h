/* How many ways there are to place the tail under the matches in hand. */
#ifndef MS_ENUMERATE_TAIL_VALUE_H
#define MS_ENUMERATE_TAIL_VALUE_H

#include "enumerate/cpu/runner.h"

/* Add it to the runner's total; false without memory. */
bool ms_tail_add(ms_runner *runner);
/* Move runner->total to runner->large. */
void ms_tail_flush(ms_runner *runner);

/* Room for so many ids and MS_SORTED_SLACK; what was there is lost. */
bool ms_space_for(ms_space *space, size_t length);
/* Is v in this row of the level's match? */
bool ms_runner_adjacent(const ms_runner *runner, uint32_t level, int kind, uint32_t v);

#endif
