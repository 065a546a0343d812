/* The decision variant of the sieve on a GPU, beside the localized one with the same kernel. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "bench/sieve/decision.h"
#include "gpu/gpu.h"

#include <string.h>

enum { LOCALIZED, DECISION, VARIANTS };

/* One problem on the device, open for both variants. */
typedef struct device_decision {
  bench_case c;
  ms_instance *instance;
  ms_sieve_problem problem;
  void *context[VARIANTS];
  ms_sieve_plan plan[VARIANTS];
  uint8_t *q[VARIANTS]; /* [n] */
} device_decision;

static void close_device(device_decision *d)
{
  for (int i = 0; i < VARIANTS; i++) {
    ms_sieve_backend_cuda.close(d->context[i]);
    ms_free(d->q[i]);
  }
  ms_sieve_problem_clear(&d->problem);
  ms_instance_free(d->instance);
  bench_case_free(&d->c);
}

static ms_status open_device(const bench_plan *plan, uint32_t k, device_decision *d, ms_error *err)
{
  const ms_screen_options *screen = &plan->screen;
  bench_instance instance = plan->base;
  ms_sieve_config config = {
      .threads = screen->run.threads, .gpu_memory = screen->run.memory, .kernel = screen->kernel};
  instance.k = k;
  MS_TRY(bench_case_make(&instance, screen->run.seed, &d->c, err));
  MS_TRY(ms_instance_new(d->c.query, screen->run.threads, &d->instance, err));
  MS_TRY(ms_sieve_problem_init(&d->problem, d->instance, k, MS_SIBLING, screen->run.seed,
                               screen->run.threads, err));
  for (int i = 0; i < VARIANTS; i++) {
    config.decide = i == DECISION;
    MS_TRY(ms_sieve_backend_cuda.open(&d->problem, &config,
                                      screen->run.n_devices ? screen->run.devices[0] : 0,
                                      &d->context[i], &d->plan[i], err));
    d->q[i] = ms_alloc(d->instance->n, 1);
    if (!d->q[i])
      return ms_fail_memory(err, "the values of vertices");
  }
  return MS_OK;
}

/* Runs a repetition of a variant. */
static ms_status run_variant(device_decision *d, int variant, double *seconds, ms_error *err)
{
  memset(d->q[variant], 0, d->instance->n);
  double start = ms_seconds();
  ms_status status = ms_sieve_backend_cuda.run(d->context[variant], 0, d->plan[variant].blocks,
                                               d->q[variant], err);
  *seconds = ms_seconds() - start;
  return status;
}

/* Runs both variants in turn.  Before, each runs once, and makes its weights. */
static ms_status measure(device_decision *d, uint32_t runs, double *times, bench_decision_row *row,
                         ms_error *err)
{
  double unused;
  ms_status status = run_variant(d, LOCALIZED, &unused, err);
  if (status == MS_OK)
    status = run_variant(d, DECISION, &unused, err);
  for (uint32_t i = 0; i < runs && status == MS_OK; i++) {
    status = run_variant(d, LOCALIZED, &times[i], err);
    if (status == MS_OK)
      status = run_variant(d, DECISION, &times[runs + i], err);
  }
  if (status != MS_OK)
    return status;
  bench_decision_times(row, times, times + runs, times + 2 * runs, runs);
  row->vertices = d->instance->n;
  row->edges = d->instance->arcs / 2;
  row->slots = d->problem.size;
  row->arithmetic = d->plan[DECISION].kernel;
  row->sum = d->q[DECISION][0];
  return bench_decision_check(row, d->q[LOCALIZED], err);
}

ms_status bench_decision_on_gpu(const bench_plan *plan, uint32_t k, bench_decision_row *row,
                                ms_error *err)
{
  device_decision d = {0};
  double *times = ms_alloc(3 * (size_t)plan->runs, sizeof *times);
  ms_status status = times ? open_device(plan, k, &d, err) : ms_fail_memory(err, "timings");
  if (status == MS_OK)
    status = measure(&d, plan->runs, times, row, err);
  close_device(&d);
  ms_free(times);
  return status;
}
