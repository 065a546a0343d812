/* The skeleton of a run: the steps that queries of all kinds need around their
 * search.
 *   prepare   finds candidates: pruning, the sieve, domains, an index, a plan
 *   search    sends matches, each of them judged, to the receiver of rows or the
 *             store, or counts them
 *   finish    fills the counts of the result
 * A kind of query is a struct of functions for these steps (screen.c, list.c,
 * match.c, typed.c, typed_inexact.c).  Its own struct begins with an ms_run.
 * All of this is part of the library: everything that the tool can do, the
 * library can do. */
#ifndef MS_RUN_RUN_H
#define MS_RUN_RUN_H

#include "base/budget.h"
#include "graph/names.h"
#include "match/stream.h"
#include "motif/instance.h"
#include "plan/automorphisms.h"
#include "verify/verify.h"

#include <gmp.h>
#include <stdatomic.h>

typedef struct ms_run ms_run;

typedef struct ms_run_kind {
  /* The steps of a query. A step that the stop token ended may return that
   * status; this is not a failure. */
  ms_status (*prepare)(ms_run *run, ms_error *err);
  ms_status (*search)(ms_run *run, ms_error *err);
  ms_status (*finish)(ms_run *run, ms_error *err);
} ms_run_kind;

struct ms_run {
  const ms_run_kind *kind;
  ms_budget *budget;
  ms_run_limits limits;
  ms_judge *judge;       /* made by `prepare` if there are rows, and freed with the run */
  const ms_names *names; /* names of the graph's vertices */
  uint32_t width;        /* number of vertices of a row */
  bool count_only;
  uint64_t limit;          /* greatest number of matches; 0: no limit */
  ms_pattern_rows_fn rows; /* NULL: rows are stored */
  void *rows_user;
  struct ms_unit_rows *unit_rows; /* of a list in units (unit_rows.h) while it runs; else NULL */

  /* the results */
  ms_status stopped; /* MS_OK, MS_ERR_LIMIT, MS_ERR_INTERRUPTED, or MS_ERR_MEMORY: no further match
                        could be stored */
  uint64_t matches;  /* number of matches delivered or stored */
  /* [matches][width] or NULL; freed with the run unless `finish` moves it to
   * the result */
  uint32_t *vertices;
  mpz_t count;                      /* number of matches that were found or counted */
  double time_prepare, time_search; /* seconds; time_prepare is set before the search begins */

  /* private to run.c */
  atomic_bool refused;
  ms_error refusal; /* describes the first row that the judge refused */
  uint64_t room;    /* number of rows that may be stored without more memory */
  bool full;        /* there was no memory for a row */
  double last_progress;
};

/* Runs all steps. At the end it releases the budget that it has reserved for
 * rows. */
ms_status ms_run_query(ms_run *run, ms_error *err);

/* Turns MS_ERR_LIMIT and MS_ERR_INTERRUPTED into run->stopped and MS_OK. */
ms_status ms_run_settle(ms_run *run, ms_status status);
/* Ends a search that has no memory for further matches: run->matches of them are the result.  Fails
 * if there is none. */
ms_status ms_run_out_of_memory(ms_run *run, ms_error *err);
/* Judges a row. Returns false if it is no match, which is a bug and ends the
 * run. Any thread may call it. */
bool ms_run_judge(ms_run *run, const uint32_t *row);
/* Judges rows[count][width].  Returns how many of them, from the first on, are matches; fewer than
 * `count`: as for ms_run_judge. */
uint64_t ms_run_judge_rows(ms_run *run, const uint32_t *rows, uint64_t count);
/* Returns MS_OK, or MS_ERR_INTERNAL with the first row that was refused. */
ms_status ms_run_refusal(const ms_run *run, ms_error *err);
/* Notes which engine did the work, and why. */
void ms_run_engine(ms_run_outcome *run, const char *engine, const char *reason);
/* Passes progress on to the run, `user`, unless the last report was a moment ago; an
 * ms_progress_fn. */
void ms_run_report(void *user, const char *what, uint64_t done, uint64_t total);
/* Reports this number of matches, unless the last report was a moment ago. Only
 * one thread may call it at a time. */
void ms_run_progress(ms_run *run, uint64_t matches);

/* Runs `list`, which writes every match into a stream. From there rows go to
 * the receiver, or they are stored. */
ms_status ms_run_rows(ms_run *run, ms_status (*list)(ms_run *run, ms_stream *stream, ms_error *err),
                      ms_error *err);

/* Passes rows on to the receiver of the run, or stores them, and counts them; an
 * ms_pattern_rows_fn. */
bool ms_run_receive(void *run, const uint32_t *rows, uint64_t count);

/* ---- numbers of any size ---------------------------------------------------- */

/* Sets *out to the number in decimal, which the caller frees with ms_free. */
ms_status ms_number_text(const mpz_t number, char **out, ms_error *err);
/* Returns the number, or UINT64_MAX if it is greater. */
uint64_t ms_number_cut(const mpz_t number);
/* Sets *out to the number of automorphisms in decimal. */
ms_status ms_group_order_text(const ms_group *group, char **out, ms_error *err);

/* Refuses options of the sieve that make no sense for this query. */
ms_status ms_screen_check_options(const ms_query *query, const ms_screen_options *options,
                                  ms_error *err);

/* True if the screen is for the nearest matches. */
static inline bool ms_screen_is_nearest(const ms_screen_options *options)
{
  return options->max_missing > 0 || options->max_extra > 0 || options->nearest_only ||
         options->costs || options->substitutes || options->max_cost > 0;
}

/* Refuses distances that leave no slot filled, or make matches too large. */
ms_status ms_check_distance(const ms_query *query, uint32_t missing, uint32_t extra, ms_error *err);
/* Refuses what needs each match, the option `given`, for a count, and orders of matches without
 * what they need. */
ms_status ms_check_sorting(const char *given, bool count_only, ms_measure sort, uint64_t top,
                           const ms_vertex_scores *scores, ms_error *err);
/* Refuses options that ms_list cannot honour. */
ms_status ms_list_check_options(const ms_query *query, const ms_list_options *options,
                                ms_error *err);

/* Flags the vertices of an instance that are in a match of `size` vertices, by enumeration: fills
 * hits, flagged, settled, work and the bound of *result.  Returns MS_OK after a stop, too, and sets
 * run->stopped.  `flagged`: the vertices v with flagged[v] are flagged without a search; NULL:
 * there are none.  It gives up after `allowed` words of work, 0: never; then *known is false, and
 * the result is as before. */
ms_status ms_screen_exactly(ms_run *run, const ms_instance *instance,
                            const ms_screen_options *options, double allowed,
                            const uint8_t *flagged, ms_screen_result *result, bool *known,
                            ms_error *err);
/* Sets *most to the work, in words that enumeration reads, after which the sieve is expected to be
 * faster.  error: as in ms_screen_options; evaluations: of a repetition (sieve/problem.h). */
ms_status ms_screen_most_work(const ms_instance *instance, double error, uint32_t size,
                              uint32_t evaluations, double *most, ms_error *err);

/* ---- kinds, as parts of a larger run ------------------------------------------ */

/* These are like the functions of the public header without _within. Their
 * options must not be NULL, and they reserve memory in the budget, whatever the
 * options say. */
ms_status ms_screen_within(const ms_query *query, const ms_screen_options *options,
                           ms_budget *budget, ms_screen_result **out, ms_error *err);
/* Is ms_screen_within of matches of one size.  An exact screen flags the vertices v with known[v]
 * without a search; NULL: there are none. */
ms_status ms_screen_known(const ms_query *query, const ms_screen_options *options,
                          const uint8_t *known, ms_budget *budget, ms_screen_result **out,
                          ms_error *err);
ms_status ms_list_within(const ms_query *query, const ms_list_options *options, ms_budget *budget,
                         ms_list_result **out, ms_error *err);
/* `embeddings` is initialised and receives the number of embeddings if they are
 * counted, or it is NULL. */
ms_status ms_pattern_list_within(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *options, ms_budget *budget,
                                 mpz_ptr embeddings, ms_pattern_result **out, ms_error *err);

#endif
