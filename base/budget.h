/* A memory budget: the bytes that one run may use, divided among its parts.
 *
 * A part that needs memory in proportion to its input reserves the memory in
 * large pieces before it allocates, and releases it when it frees.  The sum of
 * all reservations never exceeds the bound.  A part whose reservation is
 * refused reports that or manages with less.  Any number of threads may use a
 * budget, without a lock.  Blocks still come from base/alloc: a budget only
 * counts. */
#ifndef MS_BASE_BUDGET_H
#define MS_BASE_BUDGET_H

#include "motifsieve.h"

#include <stdbool.h>
#include <stdint.h>

/* It lives on the stack of the function that starts the run. */
typedef struct ms_budget {
  uint64_t bound;            /* bytes */
  _Atomic uint64_t reserved; /* bytes reserved at this moment */
  _Atomic uint64_t peak;     /* the greatest number of bytes that was ever reserved */
} ms_budget;

/* Returns the memory bound of a run: `requested` bytes, or three quarters of
 * the machine's memory for 0. Only this function knows the default. */
uint64_t ms_memory_bound(uint64_t requested);

void ms_budget_open(ms_budget *budget, uint64_t requested);
/* Reserves bytes. Returns false, and reserves nothing, if fewer are left. A
 * NULL budget has no bound. */
bool ms_budget_reserve(ms_budget *budget, uint64_t bytes);
/* Releases at most as many bytes as were reserved before. */
void ms_budget_release(ms_budget *budget, uint64_t bytes);
/* Refuses `what`, of which ms_budget_reserve refused `bytes`: says how many are needed and left.
 * `advice` continues "raise `memory`", and may be empty. */
ms_status ms_budget_refuse(const ms_budget *budget, uint64_t bytes, const char *what,
                           const char *advice, ms_error *err);
/* Returns the bytes that nobody has reserved; UINT64_MAX without a budget. */
uint64_t ms_budget_left(const ms_budget *budget);

#endif
