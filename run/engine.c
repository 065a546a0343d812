/* Chooses the engine that searches for a pattern graph: the table of engines,
 * and the rule of "auto". */
#include "run/engine.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/probe.h"
#include "run/match.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A new engine needs a line here. */
static const ms_pattern_engine *const engines[] = {
    &ms_pattern_engine_cpu,  &ms_pattern_engine_gpu,   &ms_pattern_engine_dfs,
    &ms_pattern_engine_trie, &ms_pattern_engine_reuse, &ms_pattern_engine_flood,
};

double ms_pattern_engine_patience = 1;

enum { ENGINES = sizeof engines / sizeof *engines };

/* Seconds that the CPU's threads must need before a GPU, which takes 0.3 s to
 * start in a fresh process, pays. The rows of a listing are made and judged on
 * the CPU in any case. */
#define LEAST_SECONDS_COUNTING 0.5
#define LEAST_SECONDS_LISTING 3.0
/* nanoseconds, measured on wiki-Vote with one thread of a processor of 2024 */
#define STEP_COST 2.0
#define ROW_COST 50.0 /* cost of making and judging a row, in steps */
/* A listing is only probed if the plan expects at least this cost, because a
 * probe takes time itself. */
#define LEAST_COST_PROBED 1e7
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
      return engines[i]->supports ? engines[i]->supports(NULL, err) : MS_OK;
    }
  return ms_fail(err, MS_ERR_USAGE, "there is no engine '%s'; use %s", name,
                 ms_pattern_engine_names(names, sizeof names));
}

/* ---- the rule of auto ----------------------------------------------------------- */

const ms_pattern_engine *ms_pattern_engine_on_gpus(void)
{
  return &ms_pattern_engine_gpu;
}

double ms_pattern_engine_least_work(bool listing, int threads)
{
  return 1e9 / STEP_COST * ms_threads(threads) *
         (listing ? LEAST_SECONDS_LISTING : LEAST_SECONDS_COUNTING) * ms_pattern_engine_patience;
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
  if (work < ms_pattern_engine_least_work(listing, threads)) {
    snprintf(out->reason, sizeof out->reason, "the processor needs %s; GPUs do not pay", seconds);
  } else if (gpu->devices() == 0) {
    snprintf(out->reason, sizeof out->reason, "the processor needs %s, and there is no usable GPU",
             seconds);
  } else if (gpu->supports && gpu->supports(program, &why) != MS_OK) {
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
  if (plan->cost < LEAST_COST_PROBED)
    return MS_OK;
  MS_TRY(ms_probe_search(program, WALKS, 1, &probe, err));
  double share = limit > 0 ? fmin(1, (double)limit / fmax(1, probe.matches)) : 1;
  *work = probe.steps > ROW_COST * probe.matches ? share * probe.steps : 0;
  return MS_OK;
}
