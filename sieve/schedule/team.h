/* Threads that work on one block of points together (sieve/cpu.c), where the lines of a block for
 * each thread would not fit the caches that the threads share.
 *
 * The work is a sequence of *phases*, the same for all members.  Members take the parts of a phase
 * until none is left, first those from a place of their own on, so that a member meets again what
 * it wrote in the phase before, and then those that others have left.  The next phase begins once
 * all parts of this one are done, and then sees all that they wrote.  How many members there are
 * does not matter: one may come late, and one alone does all parts.  A member that has taken a part
 * ends it before it does anything else, so a member may leave between two parts.
 */
#ifndef MS_SIEVE_TEAM_H
#define MS_SIEVE_TEAM_H

#include "base/threads/stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Parts into which a loop over places is cut at most, so many that threads end nearly together. */
#define MS_TEAM_PARTS 64u

#define MS_TEAM_MOST_PARTS 512u /* of any phase */

typedef struct ms_sieve_team {
  int threads;                                /* that the team may have */
  _Atomic uint32_t phase;                     /* its number; the first one is 1 */
  _Atomic uint32_t done;                      /* parts of the phase */
  _Atomic uint32_t waiting;                   /* members that sleep until the next phase */
  _Atomic int stopped;                        /* ms_status */
  _Atomic uint32_t found[MS_TEAM_PARTS];      /* of a loop over places, what each part found */
  _Atomic uint32_t taken[MS_TEAM_MOST_PARTS]; /* the last phase in which this part was taken */
  pthread_mutex_t lock;
  pthread_cond_t next;
} ms_sieve_team;

/* One thread in a team. */
typedef struct ms_sieve_member {
  ms_sieve_team *team;
  int thread;     /* 0 .. team->threads - 1 */
  uint32_t phase; /* that it works on; 1 at first */
} ms_sieve_member;

void ms_team_init(ms_sieve_team *team, int threads);
void ms_team_free(ms_sieve_team *team);

/* Takes a part of the member's phase, which has 1 .. MS_TEAM_MOST_PARTS of them, and returns true.
 * Returns false once all parts are done; the member is in the next phase then. */
bool ms_team_take(ms_sieve_member *member, uint32_t parts, uint32_t *part);
/* Says that a part that was taken is done. */
void ms_team_done(ms_sieve_member *member, uint32_t parts);

/* Returns true if the work is stopped, by this token or by another member: then the results are of
 * no use. */
bool ms_team_stopped(const ms_sieve_member *member, const ms_stop *stop);
void ms_team_stop(const ms_sieve_member *member, ms_status status);

/* Returns the first number of a part of 0..n - 1, an even number; that of part `parts` is n. */
static inline uint64_t ms_team_begin(uint64_t n, uint32_t parts, uint32_t part)
{
  return part == parts ? n : n * part / parts & ~UINT64_C(1);
}

#endif
