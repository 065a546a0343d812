/* Chooses the engine that searches for a pattern graph: the table of engines,
 * and the rule of "auto". */
#include "run/engine.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/domain_task.h"
#include "match/probe.h"
#include "run/match/match.h"

#include <stdio.h>
#include <string.h>

/* A new engine needs a line here. */
static const ms_pattern_engine *const engines[] = {
    &ms_pattern_engine_cpu,  &ms_pattern_engine_gpu,   &ms_pattern_engine_dfs,
    &ms_pattern_engine_trie, &ms_pattern_engine_reuse, &ms_pattern_engine_flood,
};

enum { ENGINES = sizeof engines / sizeof *engines };

/* Seconds in which a GPU starts in a fresh process, and a listing on one that has started. */
#define GPU_START 0.3
#define GPU_AGAIN 0.001
/* Longer times are not told apart: an estimate says no more of them. */
#define MANY_YEARS 1000

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

/* Returns the engine of this name; NULL: there is none. */
static const ms_pattern_engine *engine_named(const char *name)
{
  for (uint32_t i = 0; i < ENGINES; i++)
    if (strcmp(engines[i]->name, name) == 0)
      return engines[i];
  return NULL;
}

static ms_status fail_unknown(const char *name, ms_error *err)
{
  char names[128];
  return ms_fail(err, MS_ERR_USAGE, "there is no engine '%s'; use %s", name,
                 ms_pattern_engine_names(names, sizeof names));
}

ms_status ms_pattern_engine_planner(const char *name, const ms_pattern_engine **engine,
                                    ms_error *err)
{
  ms_error reason;
  *engine = engine_named(name);
  if (!*engine)
    return ms_fail(err, MS_ERR_INPUT,
                   "the count is planned for the engine '%.40s', which does not exist; make the "
                   "parts again",
                   name);
  if (*engine == &ms_pattern_engine_cpu)
    *engine = NULL;
  else if ((*engine)->load && (*engine)->load(&reason) != MS_OK)
    return ms_fail(
        err, MS_ERR_USAGE,
        "the count is planned for the engine '%s', and the part of the library for GPUs, "
        "which needs none for that, cannot be loaded (%.300s); merge the parts where it "
        "is installed",
        name, reason.message);
  return MS_OK;
}

ms_status ms_pattern_engine_find(const char *name, const ms_pattern_engine **engine, ms_error *err)
{
  *engine = NULL;
  if (!name || strcmp(name, "auto") == 0)
    return MS_OK;
  *engine = engine_named(name);
  if (!*engine)
    return fail_unknown(name, err);
  return (*engine)->supports ? (*engine)->supports(NULL, err) : MS_OK;
}

/* ---- the rule of auto ----------------------------------------------------------- */

const ms_pattern_engine *ms_pattern_engine_on_gpus(void)
{
  return &ms_pattern_engine_gpu;
}

ms_domain_task_fn *ms_pattern_engine_filter(const char *name)
{
  bool on_cpu = name && strcmp(name, ms_pattern_engine_cpu.name) == 0;
  return on_cpu ? NULL : ms_pattern_engine_on_gpus()->filter_domains;
}

static double start_seconds(double again)
{
  const ms_pattern_engine *gpu = ms_pattern_engine_on_gpus();
  return gpu->is_started && gpu->is_started() ? again : GPU_START;
}

double ms_pattern_engine_start(void)
{
  return start_seconds(MS_BEGIN_RESTRICTED) / MS_STEP_SECONDS * ms_hooks.pattern_gpu_patience;
}

double ms_match_seconds(const ms_match_work *work, int threads)
{
  return MS_STEP_SECONDS * ((work->search + work->rows) / ms_step_speedup(threads) + work->output);
}

const char *ms_match_seconds_text(double seconds, char text[48])
{
  const double minute = 60, hour = 60 * minute, day = 24 * hour, year = 365.25 * day;
  if (seconds < 0.001)
    snprintf(text, 48, "less than 0.001 s");
  else if (seconds < 99.5) /* from there on, two digits would be 1e+02 */
    ms_format(text, 48, "about %.2g s", seconds);
  else if (seconds < 2 * hour)
    ms_format(text, 48, "about %.0f minutes", seconds / minute);
  else if (seconds < 2 * day)
    ms_format(text, 48, "about %.0f hours", seconds / hour);
  else if (seconds < 2 * year)
    ms_format(text, 48, "about %.0f days", seconds / day);
  else if (seconds < MANY_YEARS * year)
    ms_format(text, 48, "about %.0f years", seconds / year);
  else
    snprintf(text, 48, "more than %d years", MANY_YEARS);
  return text;
}

void ms_pattern_engine_decide(const ms_match_work *work, int threads, const ms_program *program,
                              ms_engine_choice *out)
{
  const ms_pattern_engine *gpu = ms_pattern_engine_on_gpus();
  ms_error why = {0};
  char on_cpu[48], on_gpu[48];
  double cpu_seconds = ms_match_seconds(work, threads);
  double gpu_seconds =
      start_seconds(GPU_AGAIN) +
      MS_STEP_SECONDS * (work->gpu + work->rows / ms_step_speedup(threads) + work->output);
  ms_match_seconds_text(cpu_seconds, on_cpu);
  ms_match_seconds_text(gpu_seconds, on_gpu);
  out->engine = &ms_pattern_engine_cpu;
  if (cpu_seconds < ms_hooks.pattern_gpu_patience * gpu_seconds) {
    snprintf(out->reason, sizeof out->reason, "the CPU needs %s, a GPU %s with its start", on_cpu,
             on_gpu);
  } else if (gpu->devices() == 0) {
    snprintf(out->reason, sizeof out->reason, "the CPU needs %s, and there is no usable GPU",
             on_cpu);
  } else if (gpu->supports && gpu->supports(program, &why) != MS_OK) {
    snprintf(out->reason, sizeof out->reason, "the CPU needs %s, and %.300s", on_cpu, why.message);
  } else {
    out->engine = gpu;
    snprintf(out->reason, sizeof out->reason, "the CPU needs %s, a GPU %s with its start", on_cpu,
             on_gpu);
  }
}
