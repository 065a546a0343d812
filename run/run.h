/* The skeleton of a run: what queries of all kinds need around their search.
 *
 *   prepare   candidates: pruning, the sieve, domains, an index, a plan
 *   search    matches, each judged, into the receiver of rows or the store; or their number
 *   finish    the counts of the result
 *
 * A kind of query is a struct of functions for these steps (screen.c, list.c,
 * match.c, typed.c, typed_inexact.c).  Its own struct begins with an ms_run.  Part
 * of the library: everything that the tool can do, the library can. */
#ifndef MS_RUN_RUN_H
#define MS_RUN_RUN_H

#include "base/budget.h"
#include "graph/names.h"
#include "match/stream.h"
#include "plan/automorphisms.h"
#include "verify/verify.h"

#include <gmp.h>
#include <stdatomic.h>

typedef struct ms_run ms_run;

typedef struct ms_run_kind {
  /* A step that the stop token ended may say so by its status: that is no failure. */
  ms_status (*prepare)(ms_run *run, ms_error *err);
  ms_status (*search)(ms_run *run, ms_error *err);
  ms_status (*finish)(ms_run *run, ms_error *err);
} ms_run_kind;

struct ms_run {
  const ms_run_kind *kind;
  ms_budget *budget;
  ms_stop *stop;
  ms_progress_fn progress; /* may be NULL */
  void *progress_user;
  ms_judge *judge;       /* made by `prepare` where there are rows, freed with the run */
  const ms_names *names; /* of the graph's vertices */
  uint32_t width;        /* vertices of a row */
  bool count_only;
  uint64_t limit;          /* matches; 0: none */
  ms_pattern_rows_fn rows; /* NULL: rows are stored */
  void *rows_user;

  /* results */
  ms_status stopped;  /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  uint64_t matches;   /* delivered or stored */
  uint32_t *vertices; /* [matches][width] or NULL; freed with the run unless `finish` takes it */
  mpz_t count;        /* matches, or what the search counted */
  double time_prepare, time_search; /* seconds; the first is known while it searches */

  /* of run.c */
  atomic_bool refused;
  ms_error refusal; /* of the first row that the judge refused */
  uint64_t room;    /* rows that may be stored without more memory */
  bool full;        /* there was no memory for a row */
  double last_progress;
};

/* All steps.  What the run has reserved for rows is given back at the end. */
ms_status ms_run_query(ms_run *run, ms_error *err);

/* MS_ERR_LIMIT and MS_ERR_INTERRUPTED become run->stopped and MS_OK. */
ms_status ms_run_settle(ms_run *run, ms_status status);
/* False: the row is no match, which is a bug and ends the run.  Any thread. */
bool ms_run_judge(ms_run *run, const uint32_t *row);
/* MS_OK, or MS_ERR_INTERNAL with the first row that was refused. */
ms_status ms_run_refusal(const ms_run *run, ms_error *err);
/* Report so many matches, unless that was done a moment ago.  One thread at a time. */
void ms_run_progress(ms_run *run, uint64_t matches);

/* `list` puts every match into a stream; from there rows go to the receiver, or are stored. */
ms_status ms_run_rows(ms_run *run, ms_status (*list)(ms_run *run, ms_stream *stream, ms_error *err),
                      ms_error *err);

/* ---- numbers of any size ---------------------------------------------------- */

/* Decimal; freed with ms_free. */
ms_status ms_number_text(const mpz_t number, char **out, ms_error *err);
/* At most UINT64_MAX. */
uint64_t ms_number_cut(const mpz_t number);
/* The number of automorphisms. */
ms_status ms_group_order_text(const ms_group *group, char **out, ms_error *err);

/* ---- kinds, as parts of a larger run ------------------------------------------ */

/* As the functions of the public header without _within; options are not NULL, and
 * memory comes out of the budget, whatever they say. */
ms_status ms_screen_within(const ms_query *query, const ms_screen_options *options,
                           ms_budget *budget, ms_screen_result **out, ms_error *err);
ms_status ms_list_within(const ms_query *query, const ms_list_options *options, ms_budget *budget,
                         ms_list_result **out, ms_error *err);
/* embeddings: receives their number where they are counted; initialised, or NULL. */
ms_status ms_pattern_list_within(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *options, ms_budget *budget,
                                 mpz_ptr embeddings, ms_pattern_result **out, ms_error *err);

#endif
