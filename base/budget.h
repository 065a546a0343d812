/* A memory budget: the bytes that one run may take, shared out among its parts.
 *
 * A part that needs memory in proportion to its input reserves it before it
 * allocates, in large pieces, and gives it back when it frees.  The sum of all
 * reservations never exceeds the bound, and a refused part says so or does with
 * less.  Any number of threads, without a lock.  Blocks still come from
 * base/alloc: a budget only counts. */
#ifndef MS_BASE_BUDGET_H
#define MS_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* On the stack of whoever starts the run. */
typedef struct ms_budget {
  uint64_t bound;            /* bytes */
  _Atomic uint64_t reserved; /* bytes, at this moment */
  _Atomic uint64_t peak;     /* the most that was ever reserved */
} ms_budget;

/* The memory bound of a run: `requested` bytes, or three quarters of the
 * machine's memory for 0.  The only place that knows this default. */
uint64_t ms_memory_bound(uint64_t requested);

void ms_budget_open(ms_budget *budget, uint64_t requested);
/* False, and nothing is reserved, where so many bytes are not left.  A NULL
 * budget has no bound. */
bool ms_budget_reserve(ms_budget *budget, uint64_t bytes);
/* At most what was reserved before. */
void ms_budget_release(ms_budget *budget, uint64_t bytes);
/* Bytes that nobody has reserved; UINT64_MAX without a budget. */
uint64_t ms_budget_left(const ms_budget *budget);

#endif
