/* motifsieve bench: measures multiplications a second of every line type, on the processor or on a
 * GPU, and how long a call of the sieve takes on a random regular graph whose vertices have one of
 * the motif's colours each. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/option_table.h"
#include "cli/print.h"
#include "gf2/rate.h"
#include "gpu/gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int ms_run_bench(const ms_cli_options *o)
{
  ms_error err;
  (void)o;
  ms_fail(&err, MS_ERR_USAGE,
          "bench needs to know what to measure, gf2 or sieve; see 'motifsieve bench --help'");
  return ms_cli_error(&err);
}

/* ---- gf2 ---------------------------------------------------------------------- */

static void print_rates(const ms_bench_choice *b)
{
  ms_print(b->csv ? "line_type,lanes,threads,products_per_second,description\n"
                  : "line type     lanes  threads      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    for (uint32_t t = 0; t < b->n_threads && path->available(); t++) {
      double rate = ms_gf2_products(path, (int)b->threads[t], b->seconds);
      ms_print(b->csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-12s  %5u  %7u  %12.2f G  %s\n", path->name,
               path->lanes, b->threads[t], b->csv ? rate : rate * 1e-9, path->layout);
    }
    if (!path->available() && !b->csv)
      ms_print("%-12s  %5u        -               -  %s: not on this processor\n", path->name,
               path->lanes, path->layout);
    ms_print_flush();
  }
}

static ms_status print_gpu_rates(const ms_bench_choice *b, ms_error *err)
{
  ms_gpu_device d;
  double rate;
  MS_TRY(ms_gpu_device_at((int)b->device, &d, err));
  ms_print("%sGPU %u: %s, compute capability %d.%d, %d multiprocessors, %.0f MHz\n",
           b->csv ? "# " : "", b->device, d.name, d.major, d.minor, d.multiprocessors,
           d.clock * 1e-6);
  ms_print(b->csv ? "line_type,lanes,device,products_per_second,description\n"
                  : "line type        lanes  device      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gpu_line_count(); i++) {
    const ms_gpu_line *line = ms_gpu_line_at(i);
    MS_TRY(ms_gpu_products((int)b->device, i, b->seconds, &rate, err));
    ms_print(b->csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-15s  %5u  %6u  %12.2f G  %s\n", line->name,
             line->lanes, b->device, b->csv ? rate : rate * 1e-9, line->layout);
    ms_print_flush();
  }
  return MS_OK;
}

int ms_run_bench_gf2(const ms_cli_options *o)
{
  ms_error err;
  ms_status status = MS_OK;
  if (o->list.screen.backend == MS_BACKEND_CUDA)
    status = print_gpu_rates(&o->bench, &err);
  else
    print_rates(&o->bench);
  return status == MS_OK ? ms_print_end() : ms_cli_error(&err);
}

/* ---- sieve -------------------------------------------------------------------- */

typedef struct bench_work {
  const ms_cli_options *options;
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *result;   /* result of the last call */
  double first;               /* seconds of the first call */
  double whole, sieve, prune; /* medians */
} bench_work;

static ms_status make_query(bench_work *w, ms_error *err)
{
  const ms_bench_choice *b = &w->options->bench;
  uint64_t seed = w->options->list.screen.seed;
  char text[8 * MS_MAX_K];
  size_t used = 0;
  for (uint32_t i = 0; i < b->slots; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%sc%u", i ? "," : "", i);
  MS_TRY(ms_generate_regular(b->vertices, b->degree, seed, &w->graph, err));
  MS_TRY(ms_generate_colors(w->graph, b->slots, seed, &w->colors, err));
  MS_TRY(ms_motif_parse(text, w->colors, &w->motif, err));
  return ms_query_new(w->graph, w->colors, w->motif, 0, NULL, &w->query, err);
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

/* Makes one call; its result replaces w->result. */
static ms_status call(bench_work *w, double *seconds, ms_error *err)
{
  ms_screen_options options = w->options->list.screen;
  options.no_early_stop = true;
  ms_screen_result_free(w->result);
  w->result = NULL;
  double start = ms_seconds();
  MS_TRY(ms_screen(w->query, &options, &w->result, err));
  *seconds = ms_seconds() - start;
  return MS_OK;
}

/* Measures the runs.  A GPU's first call in a process creates its context, so it is not one of the
 * runs. */
static ms_status measure(bench_work *w, double *times, ms_error *err)
{
  uint32_t runs = w->options->bench.runs;
  double *whole = times, *sieve = times + runs, *prune = sieve + runs;
  bool separate = w->options->list.screen.backend != MS_BACKEND_CPU && ms_gpu_device_count() > 0;
  if (separate)
    MS_TRY(call(w, &w->first, err));
  for (uint32_t i = 0; i < runs; i++) {
    MS_TRY(call(w, &whole[i], err));
    sieve[i] = w->result->time_sieve;
    prune[i] = w->result->time_prune;
  }
  if (!separate)
    w->first = whole[0];
  w->whole = median(whole, runs);
  w->sieve = median(sieve, runs);
  w->prune = median(prune, runs);
  if (!w->result->kernel)
    return ms_fail(err, MS_ERR_USAGE,
                   "bench sieve: pruning removed the whole graph (a colour is missing); use "
                   "more vertices or another --seed");
  return MS_OK;
}

static const char *backend_name(const ms_screen_result *r)
{
  return r->devices == 0 ? "cpu" : r->backend == MS_BACKEND_BOTH ? "both" : "cuda";
}

static void print_csv(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  const ms_bench_choice *b = &w->options->bench;
  ms_print(
      "vertices,edges,slots,recurrence,backend,gpus,arithmetic,block_points,threads,repetitions,"
      "runs,first_seconds,seconds,sieve_seconds,prune_seconds,points,points_per_second,"
      "vertices_kept,flagged,memory_bytes\n"
      "%u,%" PRIu64 ",%u,%s,%s,%u,%s,%u,%d,%u,%u,%.6g,%.6g,%.6g,%.6g,%" PRIu64
      ",%.6g,%u,%u,%" PRIu64 "\n",
      b->vertices, ms_graph_edge_count(w->graph), b->slots,
      ms_recurrence_word((uint32_t)w->options->list.screen.recurrence), backend_name(r), r->devices,
      r->kernel, r->block_points, r->threads, r->repetitions, b->runs, w->first, w->whole, w->sieve,
      w->prune, r->points, (double)r->points / w->whole, r->vertices_kept, r->flagged,
      r->memory_estimate);
}

static void print_text(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  const ms_bench_choice *b = &w->options->bench;
  ms_print("n = %u, m = %" PRIu64 ", k = %u, %u repetition(s), %s, %s in blocks of %u points, "
           "%d thread(s), %u GPU(s)\n",
           b->vertices, ms_graph_edge_count(w->graph), b->slots, r->repetitions,
           ms_recurrence_word((uint32_t)w->options->list.screen.recurrence), r->kernel,
           r->block_points, r->threads, r->devices);
  if (r->backend_reason)
    ms_print("  %s\n", r->backend_reason);
  ms_print("  first     %12.6f s   first call%s\n", w->first,
           r->devices ? ", which makes the GPU's context" : "");
  ms_print("  time      %12.6f s   whole call, median of %u (pruning %.6f s, sieve %.6f s)\n",
           w->whole, b->runs, w->prune, w->sieve);
  ms_print("  %.4g points/s, %u of %u vertices kept by pruning, %u flagged, %.1f MiB\n",
           (double)r->points / w->whole, r->vertices_kept, r->n, r->flagged,
           (double)r->memory_estimate / 1048576);
  if (r->devices_lost)
    ms_print("  %u GPU(s) FAILED on the way\n", r->devices_lost);
}

int ms_run_bench_sieve(const ms_cli_options *o)
{
  bench_work w = {.options = o};
  ms_error err;
  double *times = ms_alloc((size_t)o->bench.runs * 3, sizeof *times);
  ms_status status = times ? make_query(&w, &err) : ms_fail_memory(&err, "timings");
  if (status == MS_OK)
    status = measure(&w, times, &err);
  if (status == MS_OK && o->bench.csv)
    print_csv(&w);
  else if (status == MS_OK)
    print_text(&w);
  ms_free(times);
  ms_screen_result_free(w.result);
  ms_query_free(w.query);
  ms_motif_free(w.motif);
  ms_coloring_free(w.colors);
  ms_graph_free(w.graph);
  return status == MS_OK ? ms_print_end() : ms_cli_error(&err);
}
