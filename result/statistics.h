/* Statistics of a run as one JSON object, for programs: docs/RESULT.md, "Statistics". */
#ifndef MS_RESULT_STATISTICS_H
#define MS_RESULT_STATISTICS_H

#include "motifsieve.h"

typedef struct ms_statistics {
  const char *const *words; /* [n_words] the command line, without the name of the program */
  uint32_t n_words;
  int threads; /* as asked for; 0: the default */
  /* seconds; a step that the run did not have is 0 and left out */
  double read, index, prune, sieve, plan, search, check, output, total;
  const char *engine, *engine_reason; /* NULL: left out, like the next two */
  const char *backend;                /* where the sieve ran: "cpu", "cuda" or "both" */
  const char *backend_reason;         /* why the sieve ran where it ran */
  const char *screen_reason;          /* why the sieve went first, or not */
  const char *status;                 /* as in a result */
  const char *found;   /* number of matches, flagged vertices, components, or pairs with a path */
  const ms_work *work; /* numbers of 0 are left out; NULL: the run counts no work */
} ms_statistics;

/* Writes them; the file appears completely or not at all. */
ms_status ms_statistics_write(const char *path, const ms_statistics *statistics, ms_error *err);

#endif
