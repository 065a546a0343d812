/* What becomes of the matches of a pattern where they are not passed on as they are found: the
 * numbers of each vertex, a random sample, or the best by a measure.
 *
 * A search finds every match, and each thread that makes rows takes a *tray*, to which it adds what
 * it found, and puts it back.  So there are no more trays than threads, and where memory is short,
 * threads wait for each other's.  Formulas count without a search where they are expected to be
 * faster. */
#ifndef MS_RUN_GATHER_H
#define MS_RUN_GATHER_H

#include "run/match/match.h"

typedef struct ms_gather ms_gather;
/* Lists the rows of a run: ms_match_list, which match.c gives to gather.c, so that neither file
 * needs the other. */
typedef ms_status ms_match_lister(ms_match_run *m, ms_error *err);

/* True if the options ask for it. */
bool ms_match_gathers(const ms_pattern_options *options);
/* Refuses options that do not go together.  Else *options, a copy of the caller's, is set to search
 * without the sieve unless that was asked for. */
ms_status ms_gather_take(ms_pattern_options *options, ms_error *err);
/* Refuses options for which the graph lacks scores. */
ms_status ms_gather_check_graph(const ms_pattern_options *options, const ms_graph *graph,
                                ms_error *err);
/* Refuses a result that lacks what the options ask for; n: vertices of the graph. */
ms_status ms_gather_check_result(const ms_pattern_options *options,
                                 const ms_participation *participation, uint32_t n, ms_error *err);
/* Refuses a result that is no sample although `sample` is set. */
ms_status ms_gather_check_sample(uint64_t sample, uint64_t sampled_from, uint64_t matches,
                                 ms_error *err);
/* Gathers what the options ask for; the plan of a listing is made.  Fills the members of the result
 * that are for it, run.count with the number of all matches, and run.matches with that of rows,
 * which are in run.vertices, or of a participation with that of all matches. */
ms_status ms_match_gather(ms_match_run *m, ms_match_lister *list, ms_error *err);

/* Passes the rows on to the receiver, if there is one, in whose place the result has none. */
void ms_gather_deliver(ms_match_run *m);
/* Makes rows, judges them, and adds them to a tray; user: the ms_gather.  An ms_rows_fn. */
uint64_t ms_gather_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows);

void ms_participation_free(ms_participation *participation); /* accepts NULL */

/* ---- formulas (gather_formulas.c) -------------------------------------------------------------
 */

/* Counts by rooted numbers (match/count/rooted_plan.h) if that is possible and expected to take
 * less than `most` steps.  *counted: it was, and the table is filled; else it may hold anything.
 * Sets run.count to the number of matches, with embeddings that of embeddings. */
ms_status ms_participation_by_formulas(ms_match_run *m, double most, ms_participation *out,
                                       bool *counted, ms_error *err);

#endif
