/* Loops that several threads share.  The threads belong to the library and wait between loops.  A
 * loop manages with the threads that the system grants, down to the calling one alone: it cannot
 * fail, and its result must not depend on how many there are. */
#ifndef MS_BASE_PARALLEL_H
#define MS_BASE_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Numbers begin..end of a loop.  No two ranges with the same `thread` are worked on at the same
 * time, and `thread` is below the number of threads that the loop asked for: it chooses memory
 * that a thread keeps from range to range. */
typedef struct ms_range {
  uint64_t begin, end;
  int thread;
} ms_range;

typedef void ms_range_fn(void *user, ms_range range);

/* Calls fn on ranges that together are 0..n, each number once, and returns when all calls have
 * returned.  At most `threads` calls run at the same time; the calling thread makes some of them.
 * chunk: the length of a range; a thread that is done takes the next one.  0: about n / threads.
 * A thread may receive several ranges that are neighbours as one.
 *
 * Inside a call of fn, another loop runs on that thread alone. */
void ms_parallel(int threads, uint64_t n, uint64_t chunk, ms_range_fn *fn, void *user);

/* Calls fn(user, 0) on the calling thread and, at the same time, fn(user, 1), fn(user, 2), .. on up
 * to threads - 1 others, and returns when all calls have returned.  How many there are is not known
 * before: the calls share their work by other means, and one alone must be able to do all of it. */
typedef void ms_team_fn(void *user, int thread);
void ms_parallel_team(int threads, ms_team_fn *fn, void *user);

/* Starts a thread of the library.  It receives no signals of the program, whose handlers run in its
 * own threads; a fault in the library is still reported where it happens.  `thread` NULL: nobody
 * waits for its end.  Returns false if the system refuses it. */
bool ms_thread_start(pthread_t *thread, void *(*run)(void *user), void *user);

/* Makes a condition for ms_wait_for, whose waits do not depend on the date of the machine: whoever
 * sets the clock neither ends nor prolongs them.  Returns 0 or an errno. */
int ms_timed_condition_init(pthread_cond_t *condition);
/* Waits for a signal, at most this many seconds, or shorter without a reason; the lock is held. */
void ms_wait_for(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds);

#endif
