/* Loops on several threads. */
#include "base/threads/parallel.h"

#include "tests/support/test_main.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 8 };

typedef struct record {
  int threads;
  uint64_t n;
  atomic_int *calls;             /* [n] */
  atomic_int busy[MOST_THREADS]; /* calls with this number of a thread that run now */
  atomic_int wrong;              /* numbers of threads or ranges that must not occur */
  pthread_t caller;
  atomic_int nested;
} record;

static void note_range(void *user, ms_range r)
{
  record *c = user;
  if (r.thread < 0 || r.thread >= c->threads || r.begin >= r.end || r.end > c->n) {
    c->wrong++;
    return;
  }
  c->wrong += atomic_fetch_add(&c->busy[r.thread], 1) != 0;
  c->wrong += r.thread == 0 && !pthread_equal(pthread_self(), c->caller);
  for (uint64_t i = r.begin; i < r.end; i++)
    c->calls[i]++;
  atomic_fetch_sub(&c->busy[r.thread], 1);
}

static void check_loop(int threads, uint64_t n, uint64_t chunk)
{
  record c = {.threads = threads > 1 ? threads : 1, .n = n, .caller = pthread_self()};
  c.calls = calloc(n + 1, sizeof *c.calls);
  ms_parallel(threads, n, chunk, note_range, &c);
  ck_assert_int_eq(c.wrong, 0);
  for (uint64_t i = 0; i < n; i++)
    ck_assert_int_eq(c.calls[i], 1);
  free(c.calls);
}

/* Every number is in one range, no two ranges of a thread run at the same time, and the calling
 * thread is number 0: 2000 random loops of up to 300 numbers on up to 8 threads. */
START_TEST(each_number_once)
{
  srand(1);
  for (int i = 0; i < 2000; i++)
    check_loop(rand() % (MOST_THREADS + 1), (uint64_t)(rand() % 300), (uint64_t)(rand() % 40));
  check_loop(MOST_THREADS, 1000000, 0);
  check_loop(MOST_THREADS, 1000000, 1);
}
END_TEST

static void note_team(void *user, int thread)
{
  record *c = user;
  c->wrong += thread < 0 || thread >= c->threads || atomic_fetch_add(&c->busy[thread], 1) != 0;
  c->wrong += thread == 0 && !pthread_equal(pthread_self(), c->caller);
}

/* Each member of a team is called once, and the calling thread is one of them: 500 teams. */
START_TEST(each_member_once)
{
  for (int i = 0; i < 500; i++) {
    record c = {.threads = 1 + i % MOST_THREADS, .caller = pthread_self()};
    ms_parallel_team(c.threads, note_team, &c);
    ck_assert_int_eq(c.wrong, 0);
    ck_assert_int_eq(c.busy[0], 1);
  }
}
END_TEST

static void note_same_thread(void *user, ms_range r)
{
  record *c = user;
  c->nested += r.thread != 0 || !pthread_equal(pthread_self(), c->caller);
}

static void run_inner(void *user, ms_range r)
{
  record *outer = user, inner = {.caller = pthread_self()};
  (void)r;
  ms_parallel(4, 100, 1, note_same_thread, &inner);
  outer->nested += inner.nested;
}

/* A loop inside a loop runs on the thread that asks for it. */
START_TEST(nested_loops)
{
  record c = {.threads = 4};
  ms_parallel(4, 64, 1, run_inner, &c);
  ck_assert_int_eq(c.nested, 0);
}
END_TEST

static void *run_loops(void *user)
{
  (void)user;
  for (int i = 0; i < 300; i++)
    check_loop(2 + i % 3, 500, (uint64_t)(i % 7));
  return NULL;
}

/* Four threads of a program run 300 loops each at the same time. */
START_TEST(several_callers)
{
  pthread_t thread[4];
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&thread[i], NULL, run_loops, NULL), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(thread[i], NULL);
}
END_TEST

/* A child of fork() runs loops, while other threads of the parent do: 20 children. */
START_TEST(after_fork)
{
  pthread_t thread[2];
  check_loop(4, 1000, 1);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&thread[i], NULL, run_loops, NULL), 0);
  for (int i = 0; i < 20; i++) {
    int status;
    pid_t child = fork();
    if (child == 0) { /* without assertions: another thread may have held their lock */
      record c = {.threads = 4, .n = 100, .caller = pthread_self()};
      static atomic_int calls[100];
      c.calls = calls;
      alarm(30); /* a loop that waits for a thread of the parent would wait for ever */
      ms_parallel(4, 100, 1, note_range, &c);
      for (int j = 0; j < 100; j++)
        c.wrong += calls[j] != 1;
      _exit(c.wrong != 0);
    }
    ck_assert_int_ge(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
}
END_TEST

#ifdef __SANITIZE_THREAD__ /* which refuses threads after the fork of a process with threads */
#define FORKS false
#else
#define FORKS true
#endif

/* ---- threads that the system refuses ------------------------------------------------------ */

/* The sanitizers stand before the same function. */
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define REPLACES_CALLS true
static int starts_left = INT_MAX; /* threads that may still be started */
static int starts, refusals;
enum { REFUSALS = 70000 }; /* more than a process may have threads */

/* Stands before the function of libc. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  if (starts_left <= 0) {
    refusals++;
    return EAGAIN;
  }
  starts_left--;
  starts++;
  return real(thread, attributes, run, user);
}
#else
#define REPLACES_CALLS false
static int starts_left, starts, refusals;
enum { REFUSALS = 1 };
#endif

/* Runs a loop of 8 threads, and compares how many were started and refused by then. */
static void expect_starts(int allowed, int started, int refused)
{
  starts_left = allowed;
  check_loop(8, 1000, 1);
  ck_assert_int_eq(starts, started);
  ck_assert_int_eq(refusals, refused);
}

/* A thread that could not be started is not counted as one: later loops use those that there are,
 * ask for one more at a time, and start the others once the system grants them.  A loop asks for no
 * thread after the first refusal, and no number of refusals uses up the room for helpers. */
START_TEST(refused_threads)
{
  starts_left = starts = refusals = 0;
  for (int i = 0; i < REFUSALS; i++)
    check_loop(2, 2, 1);
  ck_assert_int_eq(refusals, REFUSALS);
  refusals = 0;
  expect_starts(0, 0, 1);
  expect_starts(2, 2, 2);
  expect_starts(0, 2, 3);
  expect_starts(1, 3, 4);
  expect_starts(INT_MAX, 7, 4);
  expect_starts(INT_MAX, 7, 4);
  starts_left = 0;
  for (int i = 0; i < 100; i++)
    check_loop(8, 300, 1);
  ck_assert_int_eq(refusals, 4);
  check_loop(12, 300, 1);
  ck_assert_int_eq(refusals, 5);
}
END_TEST

/* ---- waits ------------------------------------------------------------------------------- */

#if REPLACES_CALLS
static long date_ahead; /* seconds by which the date differs from the system's */

/* Stands before the function of libc: somebody has set the date. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
  static int (*real)(clockid_t, struct timespec *);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  int fault = real(clock, now);
  now->tv_sec += clock == CLOCK_REALTIME ? date_ahead : 0;
  return fault;
}
#else
static long date_ahead;
#endif

/* A wait of 0.1 s takes about as long where the date jumps 1000 s ahead or back before it begins.
 */
START_TEST(waits_without_a_date)
{
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition;
  ck_assert_int_eq(ms_timed_condition_init(&condition), 0);
  pthread_mutex_lock(&lock);
  for (date_ahead = -1000; date_ahead <= 1000; date_ahead += 1000) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    ms_wait_for(&condition, &lock, 0.1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    ck_assert_msg(seconds > 0.09 && seconds < 60, "%g s with %ld", seconds, date_ahead);
  }
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&condition);
}
END_TEST

TEST_MAIN("parallel", TEST_IF(waits_without_a_date, REPLACES_CALLS),
          TEST_IF(refused_threads, REPLACES_CALLS), TEST(each_number_once), TEST(each_member_once),
          TEST(nested_loops), TEST(several_callers), TEST_IF(after_fork, FORKS))
