/* Runs a sieve problem on one or several workers: divides the work, gives the
 * unfinished work of a lost worker to the others, merges results, and counts
 * flags.
 *
 * The work is cut into grains, aligned ranges of 2^i points of one (repetition,
 * variant) that are whole blocks on every worker.  Ranges of grains are
 * distributed by guided self-scheduling (Polychronopoulos and Kuck, IEEE Trans.
 * Comput. 1987), weighted by the measured speeds: long ranges at first, short
 * ones at the end, and none to a worker for which all others would have to
 * wait. */
#ifndef MS_SIEVE_SCHEDULE_H
#define MS_SIEVE_SCHEDULE_H

#include "base/units.h"
#include "sieve/backend.h"
#include "sieve/problem.h"

/* ---- units ----------------------------------------------------------------------------------- */

/* The units of a sieve (base/units.h): aligned ranges of 2^i points of one pass, which is a
 * (repetition, variant).  The contribution of a unit is the XOR of its values: n bytes of its
 * repetition.  The division depends on the problem alone, so it is the same for all back ends.
 *
 * A unit has at least 2^MS_SIEVE_UNIT_BITS points, which are whole blocks on every back end, and a
 * pass has at most 2^MS_SIEVE_MOST_UNIT_BITS units.  Units follow one another in the order of their
 * blocks, but for this: the units of a pass are rows of units, as many as a row has units or up to
 * four times as many, and each row begins with another one of its units.  Without these turns, a
 * share of every N-th unit would have the points that agree in some of their outer labels, and so
 * more live vertices, or fewer, than other shares. */

/* No block of a back end has more points than 2^8 (sieve/kernels/kernel.h). */
#define MS_SIEVE_UNIT_BITS 8u
#define MS_SIEVE_MOST_UNIT_BITS 12u

/* Returns the number of units of a pass, a power of two. */
static inline uint64_t ms_sieve_pass_units(const ms_sieve_problem *problem)
{
  uint32_t bits = problem->size > MS_SIEVE_UNIT_BITS ? problem->size - MS_SIEVE_UNIT_BITS : 0;
  return (uint64_t)1 << (bits < MS_SIEVE_MOST_UNIT_BITS ? bits : MS_SIEVE_MOST_UNIT_BITS);
}

/* Returns the number of units of a repetition. */
static inline uint64_t ms_sieve_repetition_units(const ms_sieve_problem *problem)
{
  return ms_sieve_pass_units(problem) * problem->variants;
}

/* Returns the number of units of `repetitions`, which are evaluations where there are scores. */
static inline uint64_t ms_sieve_units(const ms_sieve_problem *problem, uint32_t repetitions)
{
  return ms_sieve_repetition_units(problem) * repetitions;
}

/* Returns the number of units of a row of a pass, whose places are the same ones in another order.
 */
static inline uint64_t ms_sieve_row_units(const ms_sieve_problem *problem)
{
  uint64_t units = ms_sieve_pass_units(problem), row = 1;
  while (row * row * 4 <= units)
    row *= 2;
  return row;
}

/* Returns the place of a unit: if all passes are cut into as many ranges of blocks as they have
 * units, and these ranges are numbered in the order of blocks, it is the number of the unit's. */
static inline uint64_t ms_sieve_unit_place(const ms_sieve_problem *problem, uint64_t unit)
{
  uint64_t units = ms_sieve_pass_units(problem), pass = unit / units,
           row = ms_sieve_row_units(problem);
  /* multiples of nearly the golden section spread evenly */
  uint64_t turn = (unit % units / row + pass) * (row * 5 / 8 | 1);
  return unit - unit % row + (unit + turn) % row;
}

/* ---- schedule -------------------------------------------------------------------------------- */

typedef struct ms_sieve_worker {
  const ms_sieve_backend *backend;
  int device;
  ms_sieve_config config; /* the scheduler sets blocks_done, block_user and bytes_moved */
  /* results */
  bool opened;
  ms_sieve_plan plan; /* the plan, if it opened */
  ms_error lost; /* why it was retired: MS_ERR_DEVICE_LOST or MS_ERR_MEMORY; MS_OK if it was not */
  uint64_t points;      /* number of points evaluated here and merged */
  uint64_t bytes_moved; /* to the device and back */
} ms_sieve_worker;

typedef struct ms_sieve_job {
  const ms_sieve_problem *problem;
  uint32_t repetitions;
  bool early_stop; /* end once every vertex of the instance is flagged; not with a share */
  /* The units that are done; NULL: all.  With a share, only the repetitions first_repetition ..
   * last_repetition - 1 count, those between its first and its last unit; `q` has their rows, and
   * `take` receives them.  A row is the XOR of the values of the share's units, so that the rows of
   * disjoint shares which hold all units XOR to the values of the job without a share. No vertex is
   * flagged: `hits` is not used, and may be NULL. */
  const ms_share *share;
  /* Opened only if every other worker is lost. It continues where they ended,
   * and its blocks have at most 256 points. NULL: the loss of all workers is an
   * error. */
  ms_sieve_worker *rescue;
  ms_run_limits run; /* only their progress, from one thread at a time, not always the same one */
  /* receives the values q[n] of one repetition after the other; one thread calls it at a time; may
   * be NULL */
  void (*take)(void *user, const uint8_t *q);
  void *take_user;
  /* results, in instance vertices */
  uint32_t *hits;    /* [n] zeroed by the caller */
  uint8_t *q;        /* [repetitions][n], or NULL */
  uint32_t finished; /* number of whole repetitions merged, or of those of the share */
  bool all_flagged;
  double
      time_open; /* seconds until all workers were open or had failed to open; added up by runs */
  ms_status stopped;                          /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  ms_sieve_plan plan;                         /* plan of the first worker that did anything */
  uint32_t first_repetition, last_repetition; /* with a share; equal if it has no unit */
} ms_sieve_job;

/* Sets first_repetition and last_repetition of a job from its share; without one these are all
 * repetitions. ms_sieve_schedule does so, too. */
void ms_sieve_job_bound(ms_sieve_job *job);

/* Counts the flags of repetitions job->finished .. repetitions - 1, whose values `q` [][n] were put
 * together from shares, as ms_sieve_schedule does without a share: changes hits, finished and
 * all_flagged, and calls `take`.  It ends early where that one does.  `threads` is as for
 * ms_threads. */
void ms_sieve_flags(ms_sieve_job *job, const uint8_t *q, uint32_t repetitions, int threads);

/* Runs the job on n_workers > 0 workers, which are opened at the same time,
 * each on a separate thread. A single worker runs on the calling thread,
 * whole batches at a time. The results do not depend on the workers. A worker
 * is retired if it loses its device, or if it lacks memory for a single block
 * or for opening; the error of the last worker, the rescue included, is the
 * job's error. Any other error ends the job. After an error `hits` holds whole
 * repetitions, or nothing. A stop is not an error. */
ms_status ms_sieve_schedule(ms_sieve_job *job, ms_sieve_worker *workers, uint32_t n_workers,
                            ms_error *err);

#endif
