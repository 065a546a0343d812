/* Runs whose units are done in ranges: by this process alone, with its state saved in between, or
 * by a crew of several processes.
 *
 * A run says how a range of units is done, which yields a contribution as bytes, and how a
 * contribution is added to its sum.  Contributions are added in the order of units, one at a time,
 * on the thread that called ms_crew_run, and never at the same time as a range is done.  So what
 * was added at any time are the units below some number, and a checkpoint has to say only this
 * number beside the sum. */
#ifndef MS_PARTS_CREW_H
#define MS_PARTS_CREW_H

#include "base/bytes.h"
#include "base/units.h"
#include "motifsieve.h"
#include "parts/identity.h"
#include "parts/log.h"

typedef struct ms_crew_job {
  const ms_identity *identity; /* of the run; members refuse to work for another one */
  uint64_t units;              /* the run has the units 0 .. units - 1 */
  uint64_t done;               /* of these, those below are done: the run goes on */
  double seconds;              /* that a range should take, about */
  /* How ranges are cut, where the first ones, or short ones, would take as long as long ones. */
  uint64_t first; /* units of the first range of each member; 0: one */
  uint64_t whole; /* ranges have multiples of so many units, but for the last one; 0: any number */
  double least;   /* seconds: no range is shorter, but for the last one */
  double unit;    /* seconds of a unit by an estimate; 0: there is none */
  /* The run may end after each so many units: a member gets `first` of them, then shorter ranges of
   * what is left of them, and none of the next ones before all of these are added.  0: it ends with
   * its last unit, or it does not matter what others do meanwhile. */
  uint64_t round;
  /* NULL: there is no checkpoint.  Else it keeps what is learned of the time of units, so that a
   * run that goes on begins with ranges that are about right. */
  ms_unit_log *log;
  void *user;
  /* Does the units of the share, at least one, and puts their contribution into `out`, which is
   * empty.  MS_ERR_LIMIT or MS_ERR_INTERRUPTED: it was stopped. */
  ms_status (*run)(void *user, const ms_share *share, ms_bytes *out, ms_error *err);
  /* Adds the contribution of the units `first` .. last - 1, after those below `first`.  Sets
   * *enough if no other unit is needed.  This is also where a run reports its progress, and where
   * it saves its state. */
  ms_status (*add)(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                   ms_error *err);
  /* NULL: contributions are small, and `add` has all of their bytes.  Else a contribution may have
   * any length, such as rows, and `run` must give the same bytes each time.  `piece` receives its
   * bytes in the order of units, each piece as it was put or several together, and `add` has the
   * last ones.  Only a part of all bytes is in memory, whichever units are done first. */
  ms_status (*piece)(void *user, const void *data, size_t length, ms_error *err);
} ms_crew_job;

/* Several processes that do a run together; each of them has read the same inputs, and calls `run`
 * with the same job.  It returns to one of them, the leader, once all units are added; the other
 * ones end in it.  A member that is lost or that fails costs its unfinished range, which another
 * one does again.  An error, or a stop of the leader, ends the run. */
typedef struct ms_crew {
  bool leads; /* this process is the leader, which alone has a checkpoint */
  /* For random choices that all members have to make alike.  The leader has a new one in each run,
   * and the others have the same while they do a range. */
  uint64_t seed;
  uint32_t members; /* processes that may take part; all are expected to */
  ms_status (*run)(struct ms_crew *crew, const ms_crew_job *job, ms_error *err);
} ms_crew;

/* True if this process has the checkpoint, if there is one. */
static inline bool ms_crew_saves(const ms_crew *crew)
{
  return !crew || crew->leads;
}

/* Does the job with the crew; NULL: alone. */
ms_status ms_crew_run(ms_crew *crew, const ms_crew_job *job, ms_error *err);

/* Returns a seed that differs from run to run: the time. */
uint64_t ms_crew_new_seed(void);

/* ---- for crews ---------------------------------------------------------------------------- */

/* How many units the next range should have. */
typedef struct ms_pace {
  double seconds;        /* that a range should take */
  double unit;           /* seconds of a unit in the ranges so far; 0: not known yet */
  uint64_t last;         /* number of units of the last range that was given; 0: there was none */
  uint64_t first, whole; /* as in ms_crew_job */
  double least;          /* as in ms_crew_job */
  uint64_t round_end;    /* where the round ends that the last range was of; 0: there was none */
  bool rounds;           /* each round begins with a range of `first` units */
  bool hurries;          /* a deadline makes the range shorter */
  uint64_t noted;        /* units of the last range that `unit` takes into account; 0: none */
} ms_pace;

/* Begins to choose the ranges of a member; the time of units is what the log knows, or else the
 * estimate of the job. */
void ms_pace_open(ms_pace *pace, const ms_crew_job *job);
/* Says where the round ends from which the next range is.  The first range of each round is one of
 * `first` units. */
void ms_pace_in_round(ms_pace *pace, uint64_t end);
/* Returns a number of units, at least 1 and at most `left`: as many as take `seconds`, fewer at the
 * end, so that `members` end together; twice the last number, if the time of units is not known. */
uint64_t ms_pace_next(ms_pace *pace, uint64_t left, uint32_t members);
/* Returns the seconds that a range of a member should take: those of the job, or more where the
 * leader needs `add` seconds to add a contribution, so that those of `members` take a small part of
 * its time. */
double ms_pace_seconds(const ms_crew_job *job, double add, uint32_t members);
/* Sets the seconds of the next range.  The first range takes a quarter of them: the time of units
 * may be an estimate, or may have been measured with more threads, or by another machine.  A range
 * takes at most half of what is left before the deadline of the token, which may be NULL, because
 * what a range has done that is stopped is lost. */
void ms_pace_set(ms_pace *pace, double seconds, const ms_stop *stop);
/* Takes note of what a range took, unless a deadline made it short: it would say more of what is
 * prepared for a range than of units. */
void ms_pace_note(ms_pace *pace, uint64_t units, double seconds);
/* Takes note of a range that was stopped after so many seconds.  If it took longer than it should
 * have, the next one is to have half as many units at most: otherwise a run whose time is limited
 * might lose the same range each time that it goes on. */
void ms_pace_stopped(ms_pace *pace, uint64_t units, double seconds);

#endif
