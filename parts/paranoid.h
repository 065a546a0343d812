/* Runs that check themselves against silent corruption (docs/PARANOID.md): wrong numbers that a
 * processor, a GPU or memory delivers without an error.
 *
 * The units of a run are cut into blocks.  A random sample of the blocks is computed a second time,
 * by another device or by another implementation, and the contributions, which are the ones that
 * the result is made of, are compared byte by byte.  If they differ, both are computed again; if
 * they still differ, a third implementation decides.  Each contribution carries a CRC-32C from the
 * engine to the sum, and one that is damaged on the way is computed again.  The sum has a CRC-32C
 * while nothing is added.
 *
 * This is done around a ms_crew_job, whose contributions must be canonical: the same units give the
 * same bytes by every implementation.  A crew works in the same way as without: its members check
 * what they compute, all with the same sample, and the leader checks what it receives.  With each
 * contribution comes what was found in it, so that the report and the warnings of the leader are
 * those of all members. */
#ifndef MS_PARTS_PARANOID_H
#define MS_PARTS_PARANOID_H

#include "base/integrity.h"
#include "parts/crew.h"

/* Contributions of units are computed by opinions: 0, the run itself; 1, another implementation; 2,
 * a third one. */
#define MS_OPINIONS 3

typedef void (*ms_see_fn)(void *see_user, void *data, size_t bytes);

typedef struct ms_paranoid {
  double fraction;         /* of the blocks that is computed twice, 0 < fraction <= 1 */
  ms_integrity *integrity; /* of the run's own copies; with checks false, nothing is checked */
  void *user;
  /* Does the units of the share as `run` of the job does, by opinion 1 or 2. */
  ms_status (*again)(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err);
  /* Returns what computes an opinion, for messages: "the CPU (avx2)". */
  const char *(*name)(void *user, uint32_t opinion);
  /* Shows all memory that holds the sum. */
  void (*state)(void *user, ms_see_fn see, void *see_user);
  void (*warn)(void *user, const char *message); /* may be NULL */
  void *warn_user;
  ms_paranoid_report *report; /* the run adds what it finds */
} ms_paranoid;

/* Opens the integrity of a run with this division and returns it, or NULL if the run is not to be
 * checked. */
ms_integrity *ms_integrity_open(const ms_division *division, ms_integrity *integrity);

/* Does the job with the crew, NULL: alone, and checks it; paranoid NULL: does not check it.
 * `ranges`: the job is done in ranges as a crew does them, because the state is saved in between;
 * otherwise a run alone does all units from one block of the sample to the next at once.
 * MS_ERR_INTERNAL: computations differ, and no two agree; or the sum was damaged. */
ms_status ms_paranoid_run(const ms_paranoid *paranoid, ms_crew *crew, const ms_crew_job *job,
                          bool ranges, ms_error *err);

#endif
