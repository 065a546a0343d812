/* Runs a sieve problem on a back end: cuts the work into units, retries,
 * merges, counts flags. */
#ifndef MS_SIEVE_SCHEDULE_H
#define MS_SIEVE_SCHEDULE_H

#include "sieve/backend.h"

typedef struct ms_sieve_job {
  const ms_sieve_problem *problem;
  uint32_t repetitions;
  bool early_stop; /* end once every vertex of the instance is flagged */
  ms_progress_fn progress;
  void *progress_user;
  /* results, in instance vertices */
  uint32_t *hits;      /* [n] zeroed by the caller */
  uint8_t *q;          /* [repetitions][n], or NULL */
  uint32_t finished;   /* whole repetitions merged */
  bool all_flagged;
  ms_status stopped;   /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  ms_sieve_plan plan;
} ms_sieve_job;

/* An error leaves whole repetitions in hits, or none.  A stop is no error. */
ms_status ms_sieve_schedule(ms_sieve_job *job, const ms_sieve_backend *backend, int device,
                            const ms_sieve_config *config, ms_error *err);

#endif
