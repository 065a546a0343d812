/* Small runs that can check themselves (docs/PARANOID.md): a screen, a census, a count of a pattern
 * and a count of a motif, on one thread of processors.  They need no libcheck, so that programs of
 * several ranks can have them, too. */
#ifndef MS_TESTS_SUPPORT_CHECKED_RUNS_H
#define MS_TESTS_SUPPORT_CHECKED_RUNS_H

#include "motifsieve.h"

typedef struct checked_inputs {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
  ms_pattern *pattern;
  ms_motif *motif;
  ms_query *query;
  /* rings, in which few vertices are in a match: a wrong value of the sieve is a wrong flag */
  ms_graph *rings;
  ms_coloring *ring_coloring;
  ms_motif *ring_motif;
  ms_query *ring_query;
} checked_inputs;

/* Makes the inputs, always the same; to be closed after a failure, too. */
ms_status checked_inputs_open(checked_inputs *inputs, ms_error *err);
void checked_inputs_close(checked_inputs *inputs);

/* Does the run with the division, which may be NULL, and sets *sum to a checksum of its result. */
typedef ms_status checked_run_fn(const checked_inputs *inputs, const ms_division *division,
                                 uint32_t *sum, ms_paranoid_report *report, ms_error *err);

typedef struct checked_run {
  const char *name; /* of the command */
  checked_run_fn *run;
} checked_run;

enum { CHECKED_RUNS = 4 };
extern const checked_run checked_runs[CHECKED_RUNS];

#endif
