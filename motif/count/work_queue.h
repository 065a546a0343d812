/* The work queue of one run of the connected-set engine.
 *
 * Workers take roots from an atomic counter.  A worker that finds no root left waits
 * for a donated branch; busy workers see that one waits and donate a part of their
 * branch.  The run is over when every worker waits and the queue is empty, because then
 * none can donate.  A worker that joins late finds the run over, or waits like the
 * others.
 *
 * One mutex protects every transfer; the atomics are only hints and the halt flag. */
#ifndef MS_MOTIF_POOL_H
#define MS_MOTIF_POOL_H

#include "motif/engine.h"

#include <pthread.h>
#include <stdatomic.h>

/* A vertex (rank) that may extend a set, with its slots. */
typedef struct ms_candidate {
  uint32_t rank;
  uint32_t mask;
} ms_candidate;

/* A branch: a connected set, and its untried candidates, each of which excludes the
 * candidates before it. */
typedef struct ms_branch {
  uint32_t prefix[MS_MAX_K]; /* ranks, the root first */
  uint32_t depth;            /* vertices in the prefix */
  ms_candidate *candidate;   /* [capacity] */
  size_t count, capacity;
  void *part; /* the branch's part of the work (engine.h); NULL: there are no parts */
} ms_branch;

typedef struct ms_work_queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  atomic_int waiting; /* workers without work */
  atomic_int queued;  /* branches in the queue */
  atomic_bool halt;   /* the run was stopped, is full or failed: every worker returns */
  const ms_match_sink *sink;
  uint64_t grain; /* number of roots that a worker takes at once */
  int workers;    /* workers that have joined; the lock protects this and all fields below */
  uint64_t next_root, last_root;
  bool over;
  ms_branch *queue; /* [capacity] a stack */
  int capacity;
  ms_status status; /* the first failure of a worker */
  ms_error error;
} ms_work_queue;

/* Makes a queue for the roots first..last-1 and at most `workers` workers. */
ms_status ms_work_queue_init(ms_work_queue *pool, int workers, uint64_t first, uint64_t last,
                             const ms_match_sink *sink, ms_error *err);
void ms_work_queue_destroy(ms_work_queue *pool);

void ms_work_queue_join(ms_work_queue *pool);
/* Records the status of a worker that ends; any status but MS_OK halts the run. */
void ms_work_queue_leave(ms_work_queue *pool, ms_status status, const ms_error *error);

/* Takes the next roots *first..*last-1, and opens their part of the work.  Returns false if no root
 * is left, or if the run has ended. */
bool ms_work_queue_take_roots(ms_work_queue *pool, uint64_t *first, uint64_t *last, void **part);
/* Waits for a donated branch.  Returns false if the run is over.  *branch exchanges its buffer
 * with the queue's. */
bool ms_work_queue_take_branch(ms_work_queue *pool, ms_branch *branch);

/* True if more workers wait than branches are queued. */
static inline bool ms_work_queue_has_waiters(ms_work_queue *pool)
{
  return atomic_load_explicit(&pool->waiting, memory_order_relaxed) >
         atomic_load_explicit(&pool->queued, memory_order_relaxed);
}

/* Queues a copy of a branch, with a new part right behind `branch->part`, which is the donor's.  If
 * *rest is NULL, a part for what the donor does after this root is opened behind that.  Returns
 * false if no worker waits any more or there is no memory; the caller then keeps the work. */
bool ms_work_queue_donate(ms_work_queue *pool, const ms_branch *branch, const uint32_t *prefix,
                          void **rest);

/* Makes every worker return soon. */
void ms_work_queue_halt(ms_work_queue *pool);

static inline bool ms_work_queue_halted(ms_work_queue *pool)
{
  return atomic_load_explicit(&pool->halt, memory_order_relaxed);
}

#endif
