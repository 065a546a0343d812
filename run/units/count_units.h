/* Counts of patterns in parts, and with checkpoints. */
#ifndef MS_RUN_COUNT_UNITS_H
#define MS_RUN_COUNT_UNITS_H

#include "match/count/leaves.h"
#include "parts/identity.h"
#include "run/match/match.h"

/* MS_ERR_USAGE: a run with these options cannot be divided or saved.  Else *options, a copy of the
 * caller's, searches without the sieve, as every part does. */
ms_status ms_count_division_take(ms_pattern_options *options, ms_division *own, ms_error *err);
/* Returns the name of the engine for which a divided count with this option is planned: parts,
 * ranks and checkpoints have the same plan only if it is the same. */
const char *ms_count_planned_for(const char *engine);
/* Counts as the division says: run.count receives the number of embeddings, or part_text of the
 * result what the part adds to it.  If m->merged is set, the leaves of all parts are put together
 * instead. */
ms_status ms_match_count_units(ms_match_run *m, ms_count_report *report, ms_error *err);

/* Appends what the matches depend on: the graph, the pattern and its domains. */
ms_status ms_match_identify(const ms_match_run *m, ms_identity *identity, ms_error *err);

/* A text for the leaves of a part, and back: "SUM:VALUE" for each, with blanks between them, or
 * "none".  The caller frees the text; MS_ERR_INPUT: it cannot be read. */
ms_status ms_leaves_text(const ms_count_leaves *leaves, char **text, ms_error *err);
ms_status ms_leaves_parse(const char *text, ms_count_leaves *leaves, ms_error *err);

/* Counts with the sum of the leaves of all parts: what ms_pattern_list gives for a whole run. */
ms_status ms_pattern_count_merged(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *options, ms_count_leaves *leaves,
                                  ms_pattern_result **out, ms_error *err);

#endif
