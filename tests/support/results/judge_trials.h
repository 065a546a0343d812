/* A judge of rows that remembers what it has looked up, against the same judge without a memory. */
#ifndef TESTS_SUPPORT_JUDGE_TRIALS_H
#define TESTS_SUPPORT_JUDGE_TRIALS_H

#include "verify/verify.h"

enum { JUDGE_TRIAL_ROWS = 400 };

/* Rows to begin with: matches, in the order in which a backtracker finds them. */
typedef struct judge_trial {
  uint32_t p, n; /* vertices of the pattern, and of the graph */
  uint32_t count;
  uint32_t row[JUDGE_TRIAL_ROWS][MS_MAX_PATTERN]; /* [count][p] */
} judge_trial;

/* Adds a row; an ms_found_fn for judge_trial, full after JUDGE_TRIAL_ROWS. */
bool judge_trial_add(void *user, const uint32_t *row);
/* Changes column i of row[p]: to a vertex of some row, to any vertex, to one that the row has
 * already, or to what is no vertex; or it changes places with another column. */
void judge_trial_change(const judge_trial *trial, uint32_t i, uint64_t *state, uint32_t *row);
/* Passes the rows to all judges in turn, as they are and then in random order: each row, after it
 * the row with each of its vertices changed, and the row again after each of these.  Every verdict
 * has to be the one without a memory.  verdicts[] counts them. */
void judge_trial_run(const judge_trial *trial, uint32_t judges, ms_judge *const *judge,
                     uint64_t *state, uint64_t verdicts[MS_MATCH_NOT_SMALLEST + 1]);

#endif
