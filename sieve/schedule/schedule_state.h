/* What the parts of the scheduler share: the state of a job and of its workers.
 *   schedule_order.c     knows the grains of a share
 *   schedule.c           starts workers, divides the work among them, and retires those that fail
 *   schedule_merge.c     runs grains on a worker, merges Q and counts flags
 *   schedule_progress.c  reports progress */
#ifndef MS_SIEVE_SCHEDULE_STATE_H
#define MS_SIEVE_SCHEDULE_STATE_H

#include "sieve/schedule/schedule.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct ms_grains {
  uint64_t first, last; /* grains [first, last), counted over all repetitions, in the order of their
                           points */
} ms_grains;

enum { MS_MOST_RUNS = 64 }; /* of a (repetition, variant) that is given out run by run */

typedef struct ms_schedule {
  ms_sieve_job *job;
  struct ms_worker_state *states; /* [n_states] the workers, then the rescue */
  uint32_t n_states;
  pthread_mutex_t lock; /* protects all fields below, up to `done` */
  pthread_cond_t changed;
  double begun;         /* seconds, of ms_seconds */
  uint32_t opening;     /* workers that have not yet opened or failed to open */
  uint64_t pass_grains; /* grains of a (repetition, variant), a power of two */
  uint64_t grains;      /* grains of a repetition */
  uint64_t unit_grains; /* grains of a unit; used with a share only */
  uint64_t next;        /* the first grain that no worker has received, in the order of units or of
                           runs */
  uint64_t run;         /* grains of a run; 0: grains are given out in the order of points */
  uint8_t order[MS_MOST_RUNS]; /* the runs of a (repetition, variant) as they are given out */
  ms_grains *returned;         /* [n_states] ranges that lost workers left undone */
  uint32_t n_returned;
  uint32_t window;  /* repetitions that may be in work at the same time */
  uint8_t *q;       /* [window][n]: repetition r in row r % window */
  uint64_t *left;   /* [window] number of grains that are not merged yet */
  bool complete;    /* every repetition is finished, or every vertex is flagged */
  bool ended;       /* complete, stopped or failed: no more work */
  ms_status status; /* status of the failure */
  ms_error error;
  /* progress in points; reports count the smallest blocks of any worker */
  _Atomic uint64_t done;
  uint64_t total, unit;
  pthread_mutex_t report_lock; /* protects the next two fields */
  double reported_at;
  uint64_t reported;
} ms_schedule;

/* The scheduler's view of one worker. */
typedef struct ms_worker_state {
  ms_schedule *schedule;
  ms_sieve_worker *worker;
  void *context;
  pthread_t thread;
  bool started;
  ms_stop *stop; /* of several workers: stops when the job has ended, too */
  /* protected by the schedule's lock */
  bool alive;
  uint64_t busy;     /* grains that it works on */
  double speed;      /* grains per second; 0: not measured yet */
  uint64_t least;    /* grains that a run needs to keep the device busy */
  uint64_t together; /* grains that take no longer than one, at least 1 */
  /* used by the worker's own thread only */
  uint64_t most;                    /* grains that fit in its memory */
  uint64_t blocks;                  /* blocks in a grain */
  uint64_t points;                  /* points in a block */
  _Atomic uint64_t reported_blocks; /* blocks of the current run that the worker has reported */
  uint8_t *part, *sum;              /* [rows][n] Q of one run; the sum over the runs of a range */
  size_t part_rows, sum_rows;
} ms_worker_state;

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Returns the number of points of a (repetition, variant). */
static inline uint64_t ms_pass_points(const ms_schedule *p)
{
  return (uint64_t)1 << p->job->problem->size;
}

/* Returns the repetition that is finished next. */
static inline uint32_t ms_schedule_at(const ms_schedule *p)
{
  return p->job->first_repetition + p->job->finished;
}

/* ---- progress ------------------------------------------------------------ */

void ms_schedule_report(ms_schedule *p);
/* Reports the whole total only of a job that was not stopped. */
void ms_schedule_report_end(const ms_schedule *p);
/* Counts blocks of the current run; an ms_sieve_config.blocks_done. */
void ms_schedule_blocks_done(void *user, int thread, uint64_t blocks);
/* Corrects the progress: the current run did `blocks` blocks, whatever it reported. */
void ms_schedule_correct(ms_worker_state *h, uint64_t blocks);

/* ---- sharing ------------------------------------------------------------- */

/* Ends the job: no worker gets more work, and what they do now is stopped.  The lock must be held.
 */
static inline void ms_schedule_end(ms_schedule *p)
{
  p->ended = true;
  for (uint32_t i = 0; i < p->n_states; i++)
    if (p->states[i].stop)
      ms_stop_request(p->states[i].stop);
}

/* ---- the order of grains ------------------------------------------------- */

/* Orders the runs of a (repetition, variant) for so many workers, once `pass_grains` and the
 * workers' `together` are known. */
void ms_schedule_order_runs(ms_schedule *p, uint32_t workers);
/* Returns the number of grains of the job from `from` to `end`, in the order of units.  `from` is
 * the first grain of a unit, or in a unit of the share; `end` is the first of a unit. */
uint64_t ms_schedule_grains_from(const ms_schedule *p, uint64_t from, uint64_t end);
/* Returns the number of grains of a repetition that belong to the job. */
uint64_t ms_schedule_repetition_grains(const ms_schedule *p, uint32_t repetition);
/* Takes at most `size` > 0 of the grains from p->next to `end`, of which there is at least one of
 * the job: grains that follow one another in the order of points, too. */
ms_grains ms_schedule_take_grains(ms_schedule *p, uint64_t size, uint64_t end);

/* ---- running and merging ------------------------------------------------- */

/* Runs the whole range, in parts if memory is short. *q receives [rows][n],
 * which belongs to the worker's state. Q of a failed run is dropped: once XORed
 * in, a half-done unit could not be distinguished from a finished one. */
ms_status ms_worker_run(ms_worker_state *h, ms_grains r, const uint8_t **q, ms_error *err);
/* Merges a finished range and records it as done under one lock: a range merged
 * twice would erase itself. */
void ms_worker_merge(ms_worker_state *h, ms_grains r, const uint8_t *q, double seconds);
/* Sets bytes to 0, on several threads if there are many. */
void ms_schedule_clear(uint8_t *q, size_t bytes, int threads);
/* Finishes, in order, the repetitions whose grains are all merged; the window then
 * reuses their rows. */
void ms_schedule_finish_repetitions(ms_schedule *p, int threads);

#endif
