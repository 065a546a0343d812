#include "tests/support/results/judge_trials.h"

#include "tests/support/random.h"
#include "verify/judge/judge.h"

#include <check.h>
#include <string.h>

bool judge_trial_add(void *user, const uint32_t *row)
{
  judge_trial *t = user;
  memcpy(t->row[t->count++], row, t->p * sizeof *row);
  return t->count < JUDGE_TRIAL_ROWS;
}

void judge_trial_change(const judge_trial *t, uint32_t i, uint64_t *state, uint32_t *row)
{
  uint32_t other = random_below(state, t->p), kept = row[i];
  switch (random_below(state, 8)) {
  case 0:
    row[i] = random_below(state, t->n);
    break;
  case 1:
    row[i] = row[other];
    break;
  case 2:
    row[i] = random_below(state, 2) ? t->n : UINT32_MAX;
    break;
  case 3:
    row[i] = row[other];
    row[other] = kept;
    break;
  default:
    row[i] = t->row[random_below(state, t->count)][other];
  }
}

static void check(uint32_t judges, ms_judge *const *judge, const uint32_t *row, uint64_t *verdicts)
{
  for (uint32_t j = 0; j < judges; j++) {
    ms_verdict verdict = ms_judge_map_alone(judge[j], row);
    ck_assert_int_eq(ms_judge_row(judge[j], row), verdict);
    verdicts[verdict]++;
  }
}

void judge_trial_run(const judge_trial *t, uint32_t judges, ms_judge *const *judge, uint64_t *state,
                     uint64_t verdicts[MS_MATCH_NOT_SMALLEST + 1])
{
  uint32_t row[MS_MAX_PATTERN];
  for (uint32_t r = 0; r < 2 * t->count; r++) {
    const uint32_t *right = t->row[r < t->count ? r : random_below(state, t->count)];
    check(judges, judge, right, verdicts);
    for (uint32_t i = 0; i < t->p; i++) {
      memcpy(row, right, t->p * sizeof *row);
      judge_trial_change(t, i, state, row);
      check(judges, judge, row, verdicts);
      check(judges, judge, right, verdicts);
    }
  }
}
