/* Runs the cells of an experiment. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/sieve/experiments.h"
#include "gf2/gf2.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>

/* Makes one call; its result replaces row->result. */
static ms_status call(const bench_case *c, bench_row *row, double *whole, ms_error *err)
{
  ms_screen_result_free(row->result);
  row->result = NULL;
  double start = ms_seconds();
  ms_status status = ms_screen(c->query, &row->cell->screen, &row->result, err);
  *whole = ms_seconds() - start;
  return status;
}

/* Runs a case.  A GPU's first call in a process creates its context, so it is not one of the `runs`
 * that are measured.  On a processor it is the first of them. */
static ms_status run_case(uint32_t runs, const bench_case *c, bench_row *row, double *times,
                          ms_error *err)
{
  double *whole = times, *sieve = times + runs, *prune = sieve + runs, *open = prune + runs;
  ms_status status = MS_OK;
  bool apart = row->cell->screen.backend != MS_BACKEND_CPU && ms_gpu_device_count() > 0;
  if (apart)
    status = call(c, row, &row->first, err);
  for (uint32_t i = 0; i < runs && status == MS_OK; i++) {
    status = call(c, row, &whole[i], err);
    if (status != MS_OK)
      break;
    sieve[i] = row->result->time_sieve;
    prune[i] = row->result->time_prune;
    open[i] = row->result->time_open;
    if (i == 0 && !apart)
      row->first = whole[0];
  }
  if (status == MS_OK) {
    row->whole = bench_median(whole, runs);
    row->least = whole[0];
    row->most = whole[runs - 1];
    row->sieve = bench_median(sieve, runs);
    row->prune = bench_median(prune, runs);
    row->open = bench_median(open, runs);
  }
  return status;
}

ms_status bench_measure(const bench_plan *plan, const bench_cell *cell, bench_row *row,
                        ms_error *err)
{
  bench_case c = {0};
  double *times = ms_alloc((size_t)plan->runs * 4, sizeof *times);
  *row = (bench_row){.cell = cell};
  ms_status status = times ? bench_case_make(&cell->instance, cell->screen.run.seed, &c, err)
                           : ms_fail_memory(err, "timings");
  if (status == MS_OK) {
    row->edges = ms_graph_edge_count(c.graph);
    row->highest_degree = ms_graph_describe(c.graph).max_degree;
    status = run_case(plan->runs, &c, row, times, err);
  }
  if (status == MS_OK && !row->result->kernel && !cell->instance.planted)
    status = ms_fail(err, MS_ERR_USAGE,
                     "pruning removed the whole graph (a colour is missing); use "
                     "more vertices or another --seed");
  if (status == MS_OK && row->result->kernel)
    status =
        ms_sieve_floor_of(c.query, &cell->screen, row->result, plan->seconds, &row->floor, err);
  bench_case_free(&c);
  ms_free(times);
  return status;
}

/* Prints a row, and adds it to the table if there is one; NULL: the head. */
static void put_row(const bench_plan *plan, const bench_row *row, ms_outfile *table)
{
  char text[BENCH_LINE];
  if (table) {
    bench_columns(plan, row, '\t', text);
    ms_outfile_puts(table, text);
  }
  if (plan->csv) {
    bench_columns(plan, row, ',', text);
    fputs(text, stdout);
  } else if (plan->experiment == BENCH_ONE && row) {
    bench_print_at_length(plan, row);
  } else if (plan->experiment != BENCH_ONE && row) {
    bench_print_row(row);
  } else if (plan->experiment != BENCH_ONE) {
    bench_print_head(plan);
  }
  fflush(stdout);
}

/* Names the line types of the sieve that have no row, because this processor lacks them. */
static void note_missing_lines(ms_outfile *table)
{
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    if (path->available())
      continue;
    fprintf(stderr, "experiments: %s: not on this processor\n", path->name);
    if (table)
      ms_outfile_printf(table, "# %s: not on this processor\n", path->name);
  }
}

/* Passes over the kernel that needs a graph that fits a multiprocessor, where this one does not. */
static bool skip_kernel(const bench_cell *cell, ms_status status, const ms_error *err,
                        ms_outfile *table)
{
  const char *kernel = cell->screen.kernel;
  bool skipped = status == MS_ERR_USAGE && kernel &&
                 strcmp(kernel, ms_gpu_sieve_kernel_name(MS_GPU_SIEVE_SHARED)) == 0;
  if (skipped) {
    fprintf(stderr, "experiments: %s: %s\n", kernel, err->message);
    if (table)
      ms_outfile_printf(table, "# %s: %s\n", kernel, err->message);
  }
  return skipped;
}

static ms_status run_cells(const bench_plan *plan, ms_outfile *table, ms_error *err)
{
  bench_cell cell;
  uint64_t edges = 0;
  ms_status status = MS_OK;
  bool lines = plan->experiment == BENCH_LINES;
  if (lines && plan->screen.backend == MS_BACKEND_CPU)
    note_missing_lines(table);
  put_row(plan, NULL, table);
  for (uint32_t i = 0; status == MS_OK && bench_cell_at(plan, i, edges, &cell); i++) {
    bench_row row;
    status = bench_measure(plan, &cell, &row, err);
    if (status == MS_OK)
      put_row(plan, &row, table);
    else if (lines && skip_kernel(&cell, status, err, table))
      status = MS_OK;
    edges = row.edges; /* for a random graph with as many */
    ms_screen_result_free(row.result);
  }
  return status;
}

ms_status bench_run(const bench_plan *plan, ms_error *err)
{
  ms_outfile *table = NULL;
  ms_status status = plan->files ? bench_table_open(plan, &table, err) : MS_OK;
  if (status == MS_OK)
    status = plan->experiment == BENCH_BANDWIDTH   ? bench_bandwidth(plan, table, err)
             : plan->experiment == BENCH_DECISION  ? bench_decision(plan, table, err)
             : plan->experiment == BENCH_TRANSFERS ? bench_transfers(plan, table, err)
                                                   : run_cells(plan, table, err);
  if (status == MS_OK && table)
    return bench_table_close(plan, table, err);
  ms_outfile_abort(table);
  return status;
}
