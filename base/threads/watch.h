/* The stop of a loop.  It is apart from base/threads/stop.h because CUDA's compiler, which reads
 * that header, knows no atomics of C. */
#ifndef MS_BASE_WATCH_H
#define MS_BASE_WATCH_H

#include "base/threads/parallel.h"
#include "base/threads/stop.h"

#include <stdatomic.h>

/* A loop, with several threads or not, that ends when the token of the thread that began it is
 * stopped.  The stop that one thread has seen holds for all, and for the report at the end, even if
 * a time limit is removed meanwhile. */
typedef struct ms_watch {
  const ms_stop *stop;
  double grace;         /* seconds that the loop may go on after a stop */
  _Atomic double begun; /* when a check saw the stop first; 0: none has */
  atomic_int asked;     /* MS_OK, or why the loop has to end within that time */
  atomic_int seen;      /* MS_OK, or why the loop ends */
} ms_watch;

#define MS_WATCH_STEPS 512u

void ms_watch_begin(ms_watch *watch);
/* The same for a loop that, after a stop, finishes pieces of its work, and ends once the grace is
 * over. */
void ms_watch_begin_with_grace(ms_watch *watch, double seconds);
/* True if the token was stopped, so that no further piece may begin; checks it. */
bool ms_watch_is_asked(ms_watch *watch);
/* Checks the token. */
bool ms_watch_check(ms_watch *watch);
/* True if the loop has to end; checks the token at every 512th step i.  A step takes at most a few
 * hundred microseconds. */
static inline bool ms_watch_ended(ms_watch *watch, uint64_t i)
{
  if (i % MS_WATCH_STEPS == 0 && watch->stop)
    return ms_watch_check(watch);
  return atomic_load_explicit(&watch->seen, memory_order_relaxed) != MS_OK;
}
/* As ms_parallel, and checks the token before each range, which has at most `piece` numbers.  After
 * a stop, no further range begins.  A range takes at most a few milliseconds. */
void ms_watch_loop(ms_watch *watch, int threads, uint64_t n, uint64_t piece, ms_range_fn *fn,
                   void *user);
/* As ms_stop_poll, after the loop. */
ms_status ms_watch_report(const ms_watch *watch, const char *what, ms_error *err);
#endif
