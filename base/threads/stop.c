#include "base/threads/stop.h"
#include "base/threads/watch.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>

/* Checks of a token, for tests. */
typedef struct look_count {
  _Atomic uint64_t seen;
  uint64_t allowed;
} look_count;

struct ms_stop {
  atomic_int requested;    /* lock-free, hence async-signal-safe */
  _Atomic double deadline; /* ms_seconds() value, 0: none */
  const ms_stop *parent;   /* may be NULL */
  look_count *looks;       /* NULL: they are not counted */
};

double ms_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ms_status ms_stop_new(ms_stop **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  *out = ms_alloc(1, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "a stop token");
  atomic_init(&(*out)->requested, 0);
  atomic_init(&(*out)->deadline, 0.0);
  (*out)->parent = NULL;
  (*out)->looks = NULL;
  return MS_OK;
}

ms_status ms_stop_child(const ms_stop *parent, double seconds, ms_stop **out, ms_error *err)
{
  MS_TRY(ms_stop_new(out, err));
  (*out)->parent = parent;
  ms_stop_after(*out, seconds);
  return MS_OK;
}

void ms_stop_free(ms_stop *stop)
{
  if (stop)
    ms_free(stop->looks);
  ms_free(stop);
}

void ms_stop_request(ms_stop *stop)
{
  if (!stop)
    return;
  atomic_store_explicit(&stop->requested, 1, memory_order_relaxed);
}

void ms_stop_after(ms_stop *stop, double seconds)
{
  if (!stop)
    return;
  atomic_store_explicit(&stop->deadline, seconds > 0 ? ms_seconds() + seconds : 0.0,
                        memory_order_relaxed);
}

/* ---- the token of a thread -------------------------------------------------- */

static _Thread_local ms_stop *current;

const ms_stop *ms_stop_current(void)
{
  return current;
}

ms_stop *ms_stop_attach(ms_stop *stop)
{
  ms_stop *before = current;
  current = stop;
  return before;
}

ms_stop *ms_stop_enter(ms_stop *stop)
{
  return ms_stop_attach(stop ? stop : current);
}

void ms_stop_leave(ms_stop *before)
{
  current = before;
}

static ms_status report(ms_status seen, const char *what, ms_error *err)
{
  if (seen == MS_ERR_LIMIT)
    return ms_fail(err, MS_ERR_LIMIT,
                   "out of time while %s; there is no result yet, so allow more time", what);
  if (seen != MS_OK)
    return ms_fail(err, seen, "interrupted while %s; there is no result yet", what);
  return MS_OK;
}

ms_status ms_stop_poll(const char *what, ms_error *err)
{
  return report(ms_stop_check(current), what, err);
}

void ms_watch_begin_with_grace(ms_watch *watch, double seconds)
{
  watch->stop = current;
  watch->grace = seconds;
  atomic_init(&watch->begun, 0.0);
  atomic_init(&watch->asked, MS_OK);
  atomic_init(&watch->seen, MS_OK);
}

void ms_watch_begin(ms_watch *watch)
{
  ms_watch_begin_with_grace(watch, 0);
}

bool ms_watch_is_asked(ms_watch *watch)
{
  int none = MS_OK;
  if (atomic_load_explicit(&watch->asked, memory_order_relaxed) != MS_OK)
    return true;
  ms_status status = ms_stop_check(watch->stop);
  if (status == MS_OK)
    return false;
  if (atomic_compare_exchange_strong(&watch->asked, &none, (int)status))
    atomic_store_explicit(&watch->begun, ms_seconds(), memory_order_relaxed);
  return true;
}

/* True if the grace, which begins with the stop, is over. */
static bool is_late(const ms_watch *watch)
{
  double begun = atomic_load_explicit(&watch->begun, memory_order_relaxed);
  return watch->grace <= 0 || (begun > 0 && ms_seconds() - begun >= watch->grace);
}

bool ms_watch_check(ms_watch *watch)
{
  if (atomic_load_explicit(&watch->seen, memory_order_relaxed) == MS_OK &&
      ms_watch_is_asked(watch) && is_late(watch))
    atomic_store_explicit(&watch->seen, atomic_load_explicit(&watch->asked, memory_order_relaxed),
                          memory_order_relaxed);
  return atomic_load_explicit(&watch->seen, memory_order_relaxed) != MS_OK;
}

typedef struct watched_loop {
  ms_watch *watch;
  uint64_t piece;
  ms_range_fn *fn;
  void *user;
} watched_loop;

/* A loop that has one thread receives all numbers as one range, which has to be cut. */
static void run_pieces(void *user, ms_range r)
{
  const watched_loop *loop = user;
  for (uint64_t begin = r.begin, end; begin < r.end; begin = end) {
    if (ms_watch_check(loop->watch))
      return;
    end = r.end - begin < loop->piece ? r.end : begin + loop->piece;
    loop->fn(loop->user, (ms_range){.begin = begin, .end = end, .thread = r.thread});
  }
}

void ms_watch_loop(ms_watch *watch, int threads, uint64_t n, uint64_t piece, ms_range_fn *fn,
                   void *user)
{
  watched_loop loop = {watch, piece, fn, user};
  ms_parallel(threads, n, piece, run_pieces, &loop);
}

ms_status ms_watch_report(const ms_watch *watch, const char *what, ms_error *err)
{
  return report((ms_status)atomic_load_explicit(&watch->asked, memory_order_relaxed), what, err);
}

/* ---- checks ------------------------------------------------------------------ */

ms_status ms_stop_check(const ms_stop *stop)
{
  if (!stop)
    return MS_OK;
  if (atomic_load_explicit(&stop->requested, memory_order_relaxed))
    return MS_ERR_INTERRUPTED;
  if (stop->looks && atomic_fetch_add(&stop->looks->seen, 1) >= stop->looks->allowed)
    return MS_ERR_LIMIT;
  double deadline = atomic_load_explicit(&stop->deadline, memory_order_relaxed);
  ms_status status = ms_stop_check(stop->parent);
  return status == MS_OK && deadline > 0 && ms_seconds() >= deadline ? MS_ERR_LIMIT : status;
}

double ms_stop_left(const ms_stop *stop)
{
  double left = INFINITY;
  for (; stop; stop = stop->parent) {
    double deadline = atomic_load_explicit(&stop->deadline, memory_order_relaxed);
    if (deadline > 0)
      left = fmin(left, deadline - ms_seconds());
  }
  return left;
}

/* ---- tests ------------------------------------------------------------------- */

void ms_stop_after_looks(ms_stop *stop, uint64_t looks)
{
  if (!stop->looks)
    stop->looks = ms_alloc(1, sizeof *stop->looks);
  if (!stop->looks)
    return;
  atomic_init(&stop->looks->seen, 0);
  stop->looks->allowed = looks;
}

uint64_t ms_stop_looks(const ms_stop *stop)
{
  return stop->looks ? atomic_load(&stop->looks->seen) : 0;
}
