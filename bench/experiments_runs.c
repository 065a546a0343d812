/* The runs of an instance. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "bench/experiments.h"
#include "bench/harness.h"
#include "gpu/gpu.h"

bool bench_uses_gpu(const bench_plan *plan)
{
  return plan->screen.backend != MS_BACKEND_CPU && ms_gpu_device_count() > 0;
}

/* Makes one call; its result replaces row->result. */
static ms_status call(const bench_plan *plan, const bench_case *c, bench_row *row, double *whole,
                      ms_error *err)
{
  ms_screen_result_free(row->result);
  row->result = NULL;
  double start = ms_seconds();
  ms_status status = ms_screen(c->query, &plan->screen, &row->result, err);
  *whole = ms_seconds() - start;
  return status;
}

/* Runs a case.  A GPU's first call in a process creates its context, so it is not one of the `runs`
 * that are measured.  On a processor it is the first of them. */
static ms_status run_case(const bench_plan *plan, const bench_case *c, bench_row *row,
                          double *times, ms_error *err)
{
  double *whole = times, *sieve = times + plan->runs, *prune = sieve + plan->runs;
  ms_status status = MS_OK;
  bool apart = bench_uses_gpu(plan);
  if (apart)
    status = call(plan, c, row, &row->first, err);
  for (uint32_t i = 0; i < plan->runs && status == MS_OK; i++) {
    status = call(plan, c, row, &whole[i], err);
    if (status != MS_OK)
      break;
    sieve[i] = row->result->time_sieve;
    prune[i] = row->result->time_prune;
    if (i == 0 && !apart)
      row->first = whole[0];
  }
  if (status == MS_OK) {
    row->whole = bench_median(whole, plan->runs);
    row->sieve = bench_median(sieve, plan->runs);
    row->prune = bench_median(prune, plan->runs);
  }
  return status;
}

ms_status bench_measure(const bench_plan *plan, const bench_instance *instance, bench_row *row,
                        ms_error *err)
{
  bench_case c = {0};
  double *times = ms_alloc((size_t)plan->runs * 3, sizeof *times);
  *row = (bench_row){.instance = *instance};
  ms_status status = times ? bench_case_make(instance, plan->screen.seed, &c, err)
                           : ms_fail_memory(err, "timings");
  if (status == MS_OK) {
    row->edges = ms_graph_edge_count(c.graph);
    status = run_case(plan, &c, row, times, err);
  }
  if (status == MS_OK && !row->result->kernel && !instance->planted)
    status = ms_fail(err, MS_ERR_USAGE,
                     "pruning removed the whole graph (a colour is missing); use "
                     "more vertices or another --seed");
  if (status == MS_OK && row->result->kernel)
    status = bench_floor_of(plan, &c, row->result, &row->floor, err);
  bench_case_free(&c);
  ms_free(times);
  return status;
}
