#include "base/budget.h"

#include "base/status.h"
#include "base/threads/threads.h"

#include <inttypes.h>
#include <stdatomic.h>

uint64_t ms_memory_bound(uint64_t requested)
{
  return requested ? requested : ms_physical_memory() / 4 * 3;
}

void ms_budget_open(ms_budget *budget, uint64_t requested)
{
  budget->bound = ms_memory_bound(requested);
  atomic_init(&budget->reserved, 0);
  atomic_init(&budget->peak, 0);
}

/* Relaxed order is enough: no other data depends on a reservation, and only the sum
 * has to be right. */
bool ms_budget_reserve(ms_budget *budget, uint64_t bytes)
{
  if (!budget)
    return true;
  uint64_t before = atomic_load_explicit(&budget->reserved, memory_order_relaxed);
  do {
    if (bytes > budget->bound - before)
      return false;
  } while (!atomic_compare_exchange_weak_explicit(&budget->reserved, &before, before + bytes,
                                                  memory_order_relaxed, memory_order_relaxed));
  uint64_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
  while (peak < before + bytes &&
         !atomic_compare_exchange_weak_explicit(&budget->peak, &peak, before + bytes,
                                                memory_order_relaxed, memory_order_relaxed))
    continue;
  return true;
}

void ms_budget_release(ms_budget *budget, uint64_t bytes)
{
  if (budget)
    atomic_fetch_sub_explicit(&budget->reserved, bytes, memory_order_relaxed);
}

ms_status ms_budget_refuse(const ms_budget *budget, uint64_t bytes, const char *what,
                           const char *advice, ms_error *err)
{
  return ms_fail(err, MS_ERR_MEMORY,
                 "%s need %" PRIu64 " more bytes of memory, and %" PRIu64 " of %" PRIu64
                 " are left; raise `memory`%s",
                 what, bytes, ms_budget_left(budget), budget->bound, advice);
}

uint64_t ms_budget_left(const ms_budget *budget)
{
  return budget ? budget->bound - atomic_load_explicit(&budget->reserved, memory_order_relaxed)
                : UINT64_MAX;
}
