#include "base/meter.h"

#include "base/budget.h"

static _Thread_local ms_meter *current;
static _Thread_local ms_meter of_thread; /* the one of ms_limit_memory */

ms_meter *ms_meter_current(void)
{
  return current;
}

ms_meter *ms_meter_attach(ms_meter *meter)
{
  ms_meter *before = current;
  current = meter;
  return before;
}

/* True if somebody gave the meter's bound, or it follows an input. */
static bool is_bounded(const ms_meter *meter)
{
  while (meter && meter->bound == UINT64_MAX)
    meter = meter->outer;
  return meter && !meter->of_work;
}

void ms_meter_open(ms_meter *meter, uint64_t bound, const char *label, const uint64_t *line)
{
  bool free_choice = bound == 0 || bound == MS_BOUND_OF_WORK;
  bool inherits = free_choice && is_bounded(current);
  meter->grows = bound == 0 && !inherits;
  meter->of_work = bound == MS_BOUND_OF_WORK && !inherits;
  bound = inherits ? UINT64_MAX : ms_memory_bound(free_choice ? 0 : bound);
  if (meter->grows && bound > MS_SMALL_READING)
    bound = MS_SMALL_READING;
  atomic_init(&meter->bound, bound > MS_LEAST_READING ? bound : MS_LEAST_READING);
  atomic_init(&meter->allowed, 0);
  atomic_init(&meter->held, 0);
  atomic_init(&meter->most, 0);
  atomic_init(&meter->refused, 0);
  meter->label = label;
  meter->line = line;
  meter->outer = current;
  current = meter;
}

void ms_meter_input(uint64_t bytes)
{
  for (ms_meter *m = current; m; m = m->outer) {
    if (!m->grows)
      continue;
    uint64_t before = atomic_load_explicit(&m->allowed, memory_order_relaxed), now;
    now = before > UINT64_MAX - bytes ? UINT64_MAX : before + bytes;
    atomic_store_explicit(&m->allowed, now, memory_order_relaxed);
    uint64_t machine = ms_memory_bound(0);
    now = now < machine ? now : machine;
    if (now > atomic_load_explicit(&m->bound, memory_order_relaxed))
      atomic_store_explicit(&m->bound, now, memory_order_relaxed);
  }
}

void ms_meter_close(ms_meter *meter)
{
  current = meter->outer;
}

void ms_limit_memory(uint64_t bytes)
{
  if (current == &of_thread)
    ms_meter_close(&of_thread);
  if (bytes > 0 && !current)
    ms_meter_open(&of_thread, bytes, NULL, NULL);
}

bool ms_meter_follows_input(const ms_meter *meter)
{
  while (meter && meter->bound == UINT64_MAX)
    meter = meter->outer;
  return meter && meter->grows;
}

/* Returns the first meter, from this one outwards, that has a bound.  A meter that inherits its
 * bound only says which file is read. */
static ms_meter *next_bound(ms_meter *meter)
{
  while (meter && meter->bound == UINT64_MAX)
    meter = meter->outer;
  return meter;
}

static int64_t bytes_left(const ms_meter *meter, int64_t held)
{
  int64_t bound = meter->bound < INT64_MAX ? (int64_t)meter->bound : INT64_MAX;
  return held < 0 ? bound : bound - held;
}

static bool take(ms_meter *meter, uint64_t bytes)
{
  int64_t held = atomic_load_explicit(&meter->held, memory_order_relaxed), now;
  do {
    if (bytes > INT64_MAX || (int64_t)bytes > bytes_left(meter, held)) {
      atomic_store_explicit(&meter->refused, bytes, memory_order_relaxed);
      return false;
    }
    now = held + (int64_t)bytes;
  } while (!atomic_compare_exchange_weak_explicit(&meter->held, &held, now, memory_order_relaxed,
                                                  memory_order_relaxed));
  int64_t most = atomic_load_explicit(&meter->most, memory_order_relaxed);
  while (most < now && !atomic_compare_exchange_weak_explicit(
                           &meter->most, &most, now, memory_order_relaxed, memory_order_relaxed))
    continue;
  return true;
}

static void give(ms_meter *from, const ms_meter *end, int64_t bytes)
{
  for (ms_meter *m = next_bound(from); m && m != end; m = next_bound(m->outer))
    atomic_fetch_sub_explicit(&m->held, bytes, memory_order_relaxed);
}

bool ms_meter_take(ms_meter *meter, uint64_t bytes)
{
  for (ms_meter *m = next_bound(meter); m; m = next_bound(m->outer))
    if (!take(m, bytes)) {
      give(meter, m, (int64_t)bytes);
      return false;
    }
  return true;
}

void ms_meter_give(ms_meter *meter, int64_t bytes)
{
  give(meter, NULL, bytes);
}

uint64_t ms_meter_left(ms_meter *meter)
{
  uint64_t left = UINT64_MAX;
  for (ms_meter *m = next_bound(meter); m; m = next_bound(m->outer)) {
    int64_t here = bytes_left(m, atomic_load_explicit(&m->held, memory_order_relaxed));
    here = here < 0 ? 0 : here;
    left = (uint64_t)here < left ? (uint64_t)here : left;
  }
  return left;
}

uint64_t ms_meter_bound(ms_meter *meter)
{
  uint64_t lowest = UINT64_MAX;
  for (ms_meter *m = next_bound(meter); m; m = next_bound(m->outer))
    lowest = m->bound < lowest ? m->bound : lowest;
  return lowest;
}
