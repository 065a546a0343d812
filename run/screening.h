/* Inside run/: a screen on its way. */
#ifndef MS_RUN_SCREENING_H
#define MS_RUN_SCREENING_H

#include "gpu/gpu.h"
#include "motif/instance.h"
#include "run/best_sums.h"
#include "run/run.h"
#include "sieve/problem.h"
#include "sieve/schedule/schedule.h"

#define MS_SCREEN_REASON_ROOM 1024 /* of backend_reason */

typedef struct ms_screening {
  ms_run run;
  const ms_query *query;
  const ms_screen_options *options;
  uint32_t size;        /* number of vertices of a match */
  const uint8_t *known; /* [n] as in ms_screen_known */
  ms_instance *instance;
  ms_gpu_rows *rows; /* NULL, or the rows of the instance, which then has no array of neighbours */
  /* the sieve's problem, if it was begun while a GPU pruned; else its instance is NULL */
  ms_sieve_problem problem;
  bool hits_cleared; /* in the result */
  bool filtered;     /* trees have dropped vertices that pruning by its rules leaves */
  bool certain;      /* each vertex of the instance is in a match */
  ms_screen_method method;
  ms_sum_range range; /* with scores of vertices */
  ms_screen_result *result;
} ms_screening;

/* Sieves the instance, and puts flags, values and what was done into the result (screen_sieve.c).
 */
ms_status ms_screening_sieve(ms_screening *s, ms_error *err);
/* Puts the miss bound of a job that has ended into the result. */
ms_status ms_screening_bound(const ms_sieve_problem *problem, const ms_sieve_job *job,
                             ms_screen_result *r, ms_error *err);
/* Returns an array of zeros, or NULL.  Several threads clear it so that they share the page
 * faults. */
uint32_t *ms_screening_hits(uint32_t n, int threads);
/* Clears the hits of the result unless that was done. */
void ms_screening_clear_hits(ms_screening *s);

#endif
