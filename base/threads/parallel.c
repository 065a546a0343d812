/* A loop takes helpers that wait in a list, and starts more if there are too few.  It posts itself
 * to each of them, works, and takes back what a helper has not begun yet: it never waits for a
 * thread that the system has not run.  A helper that cannot be started is not missed, as ranges are
 * handed out one by one.
 *
 * After fork(), the helpers exist in the parent only.  The child begins with an empty list. */
#include "base/threads/parallel.h"

#include "base/meter.h"
#include "base/numbers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

/* How often a thread looks for news before it sleeps: about 0.02 ms.  Loops follow each other
 * closely, and to wake a thread takes longer. */
enum { LOOKS = 1000 };

enum { MOST_HELPERS = 4096 };

#define STACK_BYTES ((size_t)8 * MS_STACK_BYTES)

typedef struct loop {
  uint64_t n, chunk;
  ms_range_fn *fn;
  ms_team_fn *team_fn; /* NULL: fn */
  void *user;
  ms_meter *meter;       /* of the thread that began the loop, for all of its threads */
  _Atomic uint64_t next; /* the first number that nobody has taken */
} loop;

/* What a helper does.  A loop posts itself to a helper that waits, and takes it back unless the
 * helper has begun. */
enum { WAITS, POSTED, RUNS, DONE };

typedef struct helper {
  struct helper *next; /* in the list, or among the helpers of one loop */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  atomic_int state;
  loop *loop;
  int thread;
} helper;

static struct {
  pthread_mutex_t lock;
  helper *waiting; /* the one used last is first */
  int started;     /* helpers */
  helper helper[MOST_HELPERS];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t fork_handlers = PTHREAD_ONCE_INIT;
static _Thread_local bool inside; /* a loop: another one has this thread only */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* ---- ranges --------------------------------------------------------------------------- */

static void run_part(loop *l, int thread)
{
  if (l->team_fn) {
    l->team_fn(l->user, thread);
    return;
  }
  for (;;) {
    uint64_t begin = atomic_fetch_add_explicit(&l->next, l->chunk, memory_order_relaxed);
    if (begin >= l->n)
      return;
    uint64_t end = l->n - begin < l->chunk ? l->n : begin + l->chunk;
    l->fn(l->user, (ms_range){.begin = begin, .end = end, .thread = thread});
  }
}

/* ---- helpers -------------------------------------------------------------------------- */

static bool is_over(helper *h, int state)
{
  return atomic_load_explicit(&h->state, memory_order_acquire) != state;
}

/* Returns when the helper is no longer in this state. */
static void wait_while(helper *h, int state)
{
  for (int look = 0; look < LOOKS; look++) {
    if (is_over(h, state))
      return;
    relax();
  }
  pthread_mutex_lock(&h->lock);
  while (!is_over(h, state))
    pthread_cond_wait(&h->changed, &h->lock);
  pthread_mutex_unlock(&h->lock);
}

static void set_state(helper *h, int state)
{
  pthread_mutex_lock(&h->lock);
  atomic_store_explicit(&h->state, state, memory_order_release);
  pthread_cond_broadcast(&h->changed);
  pthread_mutex_unlock(&h->lock);
}

/* True if the state was `from`, and is `to` now. */
static bool change_state(helper *h, int from, int to)
{
  return atomic_compare_exchange_strong(&h->state, &from, to);
}

static void *help(void *user)
{
  helper *h = user;
  inside = true;
  ms_numbers_begin(); /* no thread of the program: it computes for the library only */
  for (;;) {
    wait_while(h, WAITS);
    if (change_state(h, POSTED, RUNS)) {
      ms_meter_attach(h->loop->meter);
      run_part(h->loop, h->thread);
      ms_meter_attach(NULL);
      set_state(h, DONE);
      wait_while(h, DONE);
    }
  }
  return NULL;
}

bool ms_thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t blocked, before;
  pthread_attr_t attributes;
  pthread_t own;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&blocked, faults[i]);
  size_t stack; /* the system's default may be too small */
  if (pthread_attr_getstacksize(&attributes, &stack) != 0 || stack < STACK_BYTES)
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
  if (!thread)
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  bool started = pthread_create(thread ? thread : &own, &attributes, run, user) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}

/* macOS has no other clock for conditions than the date, but waits for a time from now on. */
int ms_timed_condition_init(pthread_cond_t *condition)
{
#ifdef __APPLE__
  return pthread_cond_init(condition, NULL);
#else
  pthread_condattr_t attributes;
  int fault = pthread_condattr_init(&attributes);
  if (fault != 0)
    return fault;
  fault = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (fault == 0)
    fault = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return fault;
#endif
}

void ms_wait_for(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds)
{
  struct timespec end = {0};
#ifndef __APPLE__
  clock_gettime(CLOCK_MONOTONIC, &end);
#endif
  uint64_t ns = (uint64_t)end.tv_nsec + (uint64_t)(seconds * 1e9);
  end.tv_sec += (time_t)(ns / 1000000000u);
  end.tv_nsec = (long)(ns % 1000000000u);
#ifdef __APPLE__
  pthread_cond_timedwait_relative_np(condition, lock, &end);
#else
  pthread_cond_timedwait(condition, lock, &end);
#endif
}

/* Returns a new helper, or NULL.  The caller has the lock. */
static helper *start_helper(void)
{
  if (all.started == MOST_HELPERS)
    return NULL;
  helper *h = &all.helper[all.started];
  pthread_mutex_init(&h->lock, NULL);
  pthread_cond_init(&h->changed, NULL);
  atomic_init(&h->state, WAITS);
  if (ms_thread_start(NULL, help, h)) {
    all.started++;
    return h;
  }
  pthread_cond_destroy(&h->changed);
  pthread_mutex_destroy(&h->lock);
  return NULL;
}

/* ---- fork() --------------------------------------------------------------------------- */

static void before_fork(void)
{
  pthread_mutex_lock(&all.lock);
}

static void after_fork(void)
{
  pthread_mutex_unlock(&all.lock);
}

static void begin_child(void)
{
  all.waiting = NULL;
  all.started = 0;
  inside = false; /* a callback of a loop made the child, which must not go back to the loop */
  pthread_mutex_unlock(&all.lock);
}

static void set_fork_handlers(void)
{
  pthread_atfork(before_fork, after_fork, begin_child);
}

/* ---- loops ---------------------------------------------------------------------------- */

/* Returns a list of up to `count` helpers. */
static helper *take_helpers(int count)
{
  helper *taken = NULL, *h;
  pthread_once(&fork_handlers, set_fork_handlers);
  pthread_mutex_lock(&all.lock);
  for (; count > 0; count--) {
    if (all.waiting) {
      h = all.waiting;
      all.waiting = h->next;
    } else if (!(h = start_helper())) {
      break;
    }
    h->next = taken;
    taken = h;
  }
  pthread_mutex_unlock(&all.lock);
  return taken;
}

static void post(loop *l, helper *helpers)
{
  int thread = 1; /* 0 is the calling one */
  for (helper *h = helpers; h; h = h->next) {
    h->loop = l;
    h->thread = thread++;
    set_state(h, POSTED);
  }
}

/* Waits for the helpers that have begun, and lets all of them wait for the next loop. */
static void give_back(helper *helpers)
{
  helper *last = NULL;
  for (helper *h = helpers; h; h = h->next) {
    if (!change_state(h, POSTED, WAITS)) {
      wait_while(h, RUNS);
      set_state(h, WAITS);
    }
    last = h;
  }
  if (!last)
    return;
  pthread_mutex_lock(&all.lock);
  last->next = all.waiting;
  all.waiting = helpers;
  pthread_mutex_unlock(&all.lock);
}

static void run_loop(loop *l, int threads)
{
  helper *helpers = take_helpers(threads - 1);
  l->meter = ms_meter_current();
  post(l, helpers);
  inside = true;
  run_part(l, 0);
  inside = false;
  give_back(helpers);
}

void ms_parallel(int threads, uint64_t n, uint64_t chunk, ms_range_fn *fn, void *user)
{
  uint64_t share = threads > 1 ? n / (uint64_t)threads + (n % (uint64_t)threads != 0) : n;
  loop l = {.n = n, .chunk = chunk ? chunk : share, .fn = fn, .user = user};
  uint64_t ranges = n ? n / l.chunk + (n % l.chunk != 0) : 0;
  if (ranges < (uint64_t)(threads > 1 ? threads : 1))
    threads = (int)ranges;
  if (threads <= 1 || inside) {
    if (n > 0)
      fn(user, (ms_range){.begin = 0, .end = n, .thread = 0});
    return;
  }
  run_loop(&l, threads);
}

void ms_parallel_team(int threads, ms_team_fn *fn, void *user)
{
  loop l = {.team_fn = fn, .user = user};
  if (threads <= 1 || inside)
    fn(user, 0);
  else
    run_loop(&l, threads);
}
