#include "sieve/choose.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/threads.h"

#include <math.h>
#include <stdio.h>

/* A run shorter than this many seconds does not query GPUs, because their
 * driver takes about as long to start. */
#define SHORT_JOB 0.15
/* Seconds that each further GPU adds to the start of the first one: the driver
 * usually starts GPUs one after the other. */
#define ONE_MORE_START 0.25
/* Further GPUs that save less than a tenth of the time are left to other
 * users. */
#define NEARLY_AS_FAST 1.1

ms_status ms_sieve_check_devices(const ms_screen_options *o, ms_error *err)
{
  if (o->backend < MS_BACKEND_AUTO || o->backend > MS_BACKEND_BOTH)
    return ms_fail(
        err, MS_ERR_USAGE,
        "there is no back end number %d; choose one of MS_BACKEND_AUTO to MS_BACKEND_BOTH",
        (int)o->backend);
  if (o->run.n_devices > 0 && o->backend == MS_BACKEND_CPU)
    return ms_fail(
        err, MS_ERR_USAGE,
        "GPUs are named for a run on the CPU; leave them out or choose another back end");
  for (uint32_t i = 0; i < o->run.n_devices; i++)
    for (uint32_t j = 0; j < i; j++)
      if (o->run.devices[i] == o->run.devices[j])
        return ms_fail(err, MS_ERR_USAGE, "GPU %d is named twice; leave one out",
                       o->run.devices[i]);
  return MS_OK;
}

static ms_status check_present(const ms_screen_options *o, int present, ms_error *err)
{
  for (uint32_t i = 0; i < o->run.n_devices; i++) {
    if (o->run.devices[i] >= 0 && o->run.devices[i] < present)
      continue;
    if (present == 1)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; the only one is 0", o->run.devices[i]);
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; there are 0 to %d", o->run.devices[i],
                   present - 1);
  }
  return MS_OK;
}

/* Fills the workers: the first `gpus` of the permitted GPUs, and the CPU if
 * requested. */
static ms_status set_workers(const ms_screen_options *o, uint32_t gpus, bool with_cpu,
                             struct ms_budget *budget, const ms_sieve_backend *cpu,
                             const ms_sieve_backend *gpu, ms_sieve_choice *out, ms_error *err)
{
  ms_sieve_config config = {.threads = o->run.threads,
                            .budget = budget,
                            .gpu_memory = o->run.memory,
                            .kernel = o->kernel,
                            .block_points = o->block_points,
                            .stop = o->run.stop};
  ms_sieve_worker on_cpu = {.backend = cpu, .config = config};
  uint32_t sharing = gpus + with_cpu, threads = (uint32_t)ms_threads(o->run.threads);
  config.budget = NULL; /* GPUs do not use the memory of the host */
  if (sharing > 1)      /* all GPUs copy at the same time, so they share the threads */
    config.threads = threads > sharing ? (int)(threads / sharing) : 1;
  if (with_cpu) { /* the choice of arithmetic concerns only the CPU */
    config.kernel = NULL;
    config.block_points = 0;
  }
  out->n_workers = gpus + with_cpu;
  out->workers = ms_calloc(out->n_workers, sizeof *out->workers);
  if (!out->workers)
    return ms_fail_memory(err, "the sieve's workers");
  for (uint32_t i = 0; i < gpus; i++)
    out->workers[i] = (ms_sieve_worker){
        .backend = gpu, .device = o->run.n_devices ? o->run.devices[i] : (int)i, .config = config};
  if (with_cpu)
    out->workers[gpus] = on_cpu;
  out->rescue = on_cpu;
  return MS_OK;
}

/* Returns the smallest number of GPUs, at most `most`, that is nearly as fast
 * as any number. */
static uint32_t best_gpu_count(const ms_sieve_problem *problem, const ms_screen_options *o,
                               uint32_t repetitions, uint32_t most, const ms_sieve_backend *gpu,
                               double *seconds)
{
  ms_sieve_config config = {.threads = o->run.threads, .stop = o->run.stop};
  int device = o->run.n_devices ? o->run.devices[0] : 0;
  double one = gpu->estimate(problem, &config, device, repetitions);
  double start = gpu->estimate(problem, &config, device, 0), least = HUGE_VAL;
  *seconds = one;
  if (!isfinite(one) || !isfinite(start) || start > one)
    return 1;
  for (int wanted = 0; wanted < 2; wanted++)
    for (uint32_t count = 1; count <= most; count++) {
      double time = start * (1 + ONE_MORE_START * (count - 1)) + (one - start) / count;
      if (wanted && time <= NEARLY_AS_FAST * least) {
        *seconds = time;
        return count;
      }
      least = time < least ? time : least;
    }
  return 1;
}

static const char *seconds_text(char *text, size_t room, double seconds)
{
  if (seconds < 0.01)
    snprintf(text, room, "less than 0.01 s");
  else if (isfinite(seconds))
    ms_format(text, room, "about %.2g s", seconds);
  else
    snprintf(text, room, "more memory than it may take");
  return text;
}

static ms_status choose_freely(const ms_sieve_problem *problem, const ms_screen_options *o,
                               uint32_t repetitions, struct ms_budget *budget,
                               const ms_sieve_backend *cpu, const ms_sieve_backend *gpu,
                               ms_sieve_choice *out, ms_error *err)
{
  ms_sieve_config config = {.threads = o->run.threads,
                            .budget = budget,
                            .kernel = o->kernel,
                            .block_points = o->block_points};
  char on_cpu[64], on_gpu[64];
  double cpu_seconds = 0, gpu_seconds = HUGE_VAL;
  uint32_t most = 0, count = 0;
  out->seconds = cpu_seconds = cpu->estimate(problem, &config, 0, repetitions);
  if (o->kernel || o->block_points) {
    snprintf(out->reason, sizeof out->reason, "the CPU, whose arithmetic was asked for");
    return set_workers(o, 0, true, budget, cpu, gpu, out, err);
  }
  seconds_text(on_cpu, sizeof on_cpu, cpu_seconds);
  if (cpu_seconds < SHORT_JOB && !o->run.n_devices) {
    snprintf(out->reason, sizeof out->reason, "the CPU, which needs %s; GPUs take longer to start",
             on_cpu);
    return set_workers(o, 0, true, budget, cpu, gpu, out, err);
  }
  int present = gpu->devices();
  if (present > 0) {
    MS_TRY(check_present(o, present, err));
    most = o->run.n_devices ? o->run.n_devices : (uint32_t)present;
    count = best_gpu_count(problem, o, repetitions, most, gpu, &gpu_seconds);
  } else if (o->run.n_devices) {
    return set_workers(o, 1, false, budget, cpu, gpu, out, err); /* opening it reports the reason */
  }
  seconds_text(on_gpu, sizeof on_gpu, gpu_seconds);
  if (count > 0 && gpu_seconds < cpu_seconds) {
    out->with_rescue = true;
    out->seconds = gpu_seconds;
    snprintf(out->reason, sizeof out->reason, "%u of %u GPUs, which need %s; the CPU needs %s",
             count, most, on_gpu, on_cpu);
    return set_workers(o, count, false, budget, cpu, gpu, out, err);
  }
  if (count > 0)
    snprintf(out->reason, sizeof out->reason, "the CPU, which needs %s; GPUs need %s", on_cpu,
             on_gpu);
  else
    snprintf(out->reason, sizeof out->reason, "the CPU; there is no usable GPU");
  return set_workers(o, 0, true, budget, cpu, gpu, out, err);
}

ms_status ms_sieve_choose(const ms_sieve_problem *problem, const ms_screen_options *options,
                          uint32_t repetitions, struct ms_budget *budget,
                          const ms_sieve_backend *cpu, const ms_sieve_backend *gpu,
                          ms_sieve_choice *out, ms_error *err)
{
  const ms_screen_options *o = options;
  *out = (ms_sieve_choice){0};
  MS_TRY(ms_sieve_check_devices(o, err));
  if (o->backend == MS_BACKEND_AUTO)
    return choose_freely(problem, o, repetitions, budget, cpu, gpu, out, err);
  if (o->backend == MS_BACKEND_CPU) {
    const ms_sieve_config config = {.threads = o->run.threads,
                                    .budget = budget,
                                    .kernel = o->kernel,
                                    .block_points = o->block_points};
    out->seconds = cpu->estimate(problem, &config, 0, repetitions);
    snprintf(out->reason, sizeof out->reason, "the CPU, as asked for");
    return set_workers(o, 0, true, budget, cpu, gpu, out, err);
  }
  int present = gpu->devices();
  if (present <= 0)
    return set_workers(o, 1, false, budget, cpu, gpu, out, err); /* opening it reports the reason */
  MS_TRY(check_present(o, present, err));
  uint32_t count = o->run.n_devices ? o->run.n_devices : (uint32_t)present;
  bool both = o->backend == MS_BACKEND_BOTH;
  snprintf(out->reason, sizeof out->reason, "%u of %d GPUs%s, as asked for", count, present,
           both ? " and the CPU" : "");
  return set_workers(o, count, both, budget, cpu, gpu, out, err);
}

void ms_sieve_choice_clear(ms_sieve_choice *choice)
{
  ms_free(choice->workers);
  choice->workers = NULL;
}
