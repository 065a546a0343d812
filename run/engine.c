/* Which engine searches for a pattern graph: the table, and the rule of "auto". */
#include "run/engine.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/probe.h"
#include "run/match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A new engine: a line here. */
static const ms_pattern_engine *const engines[] = {
    &ms_pattern_engine_cpu,  &ms_pattern_engine_gpu,   &ms_pattern_engine_dfs,
    &ms_pattern_engine_trie, &ms_pattern_engine_reuse, &ms_pattern_engine_flood,
};

double ms_pattern_engine_patience = 1;

enum { ENGINES = sizeof engines / sizeof *engines };

/* Seconds of the CPU's threads from which on a GPU is worth its start, of 0.3 s
 * in a fresh process.  Rows of a listing are made and judged on the CPU in any
 * case. */
#define WORTH_COUNTING 0.5
#define WORTH_LISTING 3.0
#define STEP_COST 2.0 /* nanoseconds; measured, wiki-Vote, one thread of a processor of 2024 */
#define ROW_COST 50.0 /* steps that making and judging a row takes */
/* Listings of which the plan expects less are not probed: that takes a while itself. */
#define WORTH_PROBING 1e7
#define WALKS 4096u

/* ---- names -------------------------------------------------------------------- */

const char *ms_pattern_engine_name(uint32_t i)
{
  if (i == 0)
    return "auto";
  return i <= ENGINES ? engines[i - 1]->name : NULL;
}

const char *ms_pattern_engine_names(char *text, size_t room)
{
  size_t used = 0;
  text[0] = 0;
  for (uint32_t i = 0; i <= ENGINES && used < room; i++) {
    int length = snprintf(text + used, room - used, "%s%s",
                          i == 0        ? ""
                          : i < ENGINES ? ", "
                                        : " or ",
                          ms_pattern_engine_name(i));
    used += length > 0 ? (size_t)length : 0;
  }
  return text;
}

ms_status ms_pattern_engine_find(const char *name, const ms_pattern_engine **engine, ms_error *err)
{
  char names[128];
  *engine = NULL;
  if (!name || strcmp(name, "auto") == 0)
    return MS_OK;
  for (uint32_t i = 0; i < ENGINES; i++)
    if (strcmp(engines[i]->name, name) == 0) {
      *engine = engines[i];
      return engines[i]->takes ? engines[i]->takes(NULL, err) : MS_OK;
    }
  return ms_fail(err, MS_ERR_USAGE, "there is no engine '%s'; take %s", name,
                 ms_pattern_engine_names(names, sizeof names));
}

/* ---- the rule of auto ----------------------------------------------------------- */

const ms_pattern_engine *ms_pattern_engine_on_gpus(void)
{
  return &ms_pattern_engine_gpu;
}

double ms_pattern_engine_worth(bool listing, int threads)
{
  return 1e9 / STEP_COST * ms_threads(threads) * (listing ? WORTH_LISTING : WORTH_COUNTING) *
         ms_pattern_engine_patience;
}

void ms_pattern_engine_decide(double work, bool listing, int threads, const ms_program *program,
                              ms_engine_choice *out)
{
  const ms_pattern_engine *gpu = ms_pattern_engine_on_gpus();
  ms_error why = {0};
  char seconds[48];
  double takes = 1e-9 * STEP_COST * work / ms_threads(threads);
  if (takes < 0.01)
    snprintf(seconds, sizeof seconds, "less than 0.01 s");
  else
    snprintf(seconds, sizeof seconds, "about %.2g s", takes);
  out->engine = &ms_pattern_engine_cpu;
  if (work < ms_pattern_engine_worth(listing, threads)) {
    snprintf(out->reason, sizeof out->reason, "the processor needs %s; GPUs do not pay", seconds);
  } else if (gpu->devices() == 0) {
    snprintf(out->reason, sizeof out->reason, "the processor needs %s, and there is no usable GPU",
             seconds);
  } else if (gpu->takes && gpu->takes(program, &why) != MS_OK) {
    snprintf(out->reason, sizeof out->reason, "the processor needs %s, and %.300s", seconds,
             why.message);
  } else {
    out->engine = gpu;
    snprintf(out->reason, sizeof out->reason, "the processor would need %s", seconds);
  }
}

ms_status ms_pattern_listing_work(const ms_program *program, const ms_plan *plan, uint64_t limit,
                                  double *work, ms_error *err)
{
  ms_probe probe;
  *work = plan->cost;
  if (plan->cost < WORTH_PROBING)
    return MS_OK;
  MS_TRY(ms_probe_search(program, WALKS, 1, &probe, err));
  double share = limit > 0 ? fmin(1, (double)limit / fmax(1, probe.matches)) : 1;
  *work = probe.steps > ROW_COST * probe.matches ? share * probe.steps : 0;
  return MS_OK;
}
