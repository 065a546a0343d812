/* motifsieve bench sieve: how long calls of the sieve take on a graph of a file or a random one,
 * beside their floor. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "cli/print.h"
#include "gpu/gpu.h"
#include "graph/generate/generate.h"
#include "result/json.h"
#include "result/writer.h"
#include "run/floor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bench_work {
  const ms_cli_options *options;
  bool random; /* the graph is a random one */
  ms_job job;
  ms_screen_result *result;   /* result of the last call */
  double first;               /* seconds of the first call */
  double whole, sieve, prune; /* medians */
  ms_sieve_floor floor;       /* zeros if nothing was sieved */
} bench_work;

/* ---- the query ------------------------------------------------------------------ */

static ms_status make_query(bench_work *w, ms_error *err)
{
  const ms_bench_choice *b = &w->options->bench;
  ms_job *job = &w->job;
  uint64_t seed = w->options->list.screen.run.seed;
  char text[8 * MS_MAX_K];
  size_t used = 0;
  for (uint32_t i = 0; i < b->slots; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%sc%u", i ? "," : "", i);
  MS_TRY(ms_generate_regular(b->vertices, b->degree, seed, &job->graph, err));
  MS_TRY(ms_generate_colors(job->graph, b->slots, seed, &job->coloring, err));
  MS_TRY(ms_motif_parse(text, job->coloring, &job->motif, err));
  return ms_query_new(job->graph, job->coloring, job->motif, 0, NULL, &job->query, err);
}

/* ---- the calls ------------------------------------------------------------------ */

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

static ms_screen_options screen_options(const bench_work *w)
{
  ms_screen_options options = w->options->list.screen;
  options.no_early_stop = true;
  options.run.stop = w->options->stop;
  return options;
}

/* Makes one call; its result replaces w->result. */
static ms_status call(bench_work *w, double *seconds, ms_error *err)
{
  ms_screen_options options = screen_options(w);
  ms_screen_result_free(w->result);
  w->result = NULL;
  double start = ms_seconds();
  MS_TRY(ms_screen(w->job.query, &options, &w->result, err));
  *seconds = ms_seconds() - start;
  return w->result->run.stopped == MS_OK
             ? MS_OK
             : ms_fail(err, w->result->run.stopped, "interrupted before the calls were measured");
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
  if (!w->result->kernel && w->random)
    return ms_fail(err, MS_ERR_USAGE,
                   "bench sieve: pruning removed the whole graph (a colour is missing); use "
                   "more vertices or another --seed");
  const ms_screen_options options = screen_options(w);
  return w->result->kernel ? ms_sieve_floor_of(w->job.query, &options, w->result,
                                               w->options->bench.seconds, &w->floor, err)
                           : MS_OK;
}

/* ---- what a row says -------------------------------------------------------------- */

static const char *backend_name(const ms_screen_result *r)
{
  return r->devices == 0 ? "cpu" : r->backend == MS_BACKEND_BOTH ? "both" : "cuda";
}

static const char *recurrence_name(const bench_work *w)
{
  return ms_recurrence_word((uint32_t)w->options->list.screen.recurrence);
}

static double seconds_per_repetition(const bench_work *w)
{
  return w->result->repetitions ? w->sieve / w->result->repetitions : 0;
}

/* Returns the time over the floor; 0 if nothing was sieved. */
static double ratio(const bench_work *w)
{
  double floor = ms_sieve_floor_seconds(&w->floor);
  return floor > 0 ? w->whole / floor : 0;
}

static void print_csv(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  const ms_sieve_floor *f = &w->floor;
  double bytes = ms_sieve_floor_bytes(f);
  ms_print(
      "vertices,edges,slots,recurrence,backend,gpus,arithmetic,block_points,threads,repetitions,"
      "seed,runs,first_seconds,seconds,sieve_seconds,prune_seconds,seconds_per_repetition,points,"
      "points_per_second,products,products_per_second,bytes,bytes_per_second,"
      "floor_products_seconds,floor_bytes_seconds,ratio,vertices_kept,edges_kept,flagged,"
      "memory_bytes\n");
  ms_print("%u,%" PRIu64 ",%u,%s,%s,%u,%s,%u,%d,%u,%" PRIu64 ",%u,%.6g,%.6g,%.6g,%.6g,%.6g,", r->n,
           ms_graph_edge_count(w->job.graph), r->k, recurrence_name(w), backend_name(r), r->devices,
           r->kernel ? r->kernel : "none", r->block_points, r->threads, r->repetitions,
           w->options->list.screen.run.seed, w->options->bench.runs, w->first, w->whole, w->sieve,
           w->prune, seconds_per_repetition(w));
  ms_print("%" PRIu64 ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.4g,%u,%" PRIu64 ",%u,%" PRIu64 "\n",
           r->points, (double)r->points / w->whole, f->products, f->products / w->whole, bytes,
           bytes / w->whole, f->products_seconds, f->bytes_seconds, ratio(w), r->vertices_kept,
           r->edges_kept, r->flagged, r->memory_estimate);
}

/* ---- text --------------------------------------------------------------------------- */

static void print_floor(const bench_work *w)
{
  const ms_sieve_floor *f = &w->floor;
  ms_print("  products  %12.6f s   floor: %.4g products of field elements at the measured rate; "
           "achieved %.3g/s\n",
           f->products_seconds, f->products, f->products / w->whole);
  ms_print("  bytes     %12.6f s   floor: %.4g bytes over edges, %.4g of private state; achieved "
           "%.3g/s\n",
           f->bytes_seconds, f->row_bytes, f->state_bytes, ms_sieve_floor_bytes(f) / w->whole);
  ms_print("  ratio     %12.2f     time over the larger floor\n", ratio(w));
}

static void print_text(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  const ms_job *job = &w->job;
  if (!w->random)
    ms_print("%s, motif %s\n", ms_graph_describe(job->graph).path, ms_motif_text(job->motif));
  ms_print("n = %u, m = %" PRIu64 ", k = %u, %u repetition(s), %s, ", r->n,
           ms_graph_edge_count(job->graph), r->k, r->repetitions, recurrence_name(w));
  if (r->kernel)
    ms_print("%s in blocks of %u points, ", r->kernel, r->block_points);
  ms_print("%d thread(s), %u GPU(s), seed %" PRIu64 "\n", r->threads, r->devices,
           w->options->list.screen.run.seed);
  if (r->backend_reason)
    ms_print("  %s\n", r->backend_reason);
  ms_print("  first     %12.6f s   first call%s\n", w->first,
           r->devices ? ", which makes the GPU's context" : "");
  ms_print("  time      %12.6f s   whole call, median of %u (pruning %.6f s, sieve %.6f s)\n",
           w->whole, w->options->bench.runs, w->prune, w->sieve);
  if (r->kernel) {
    ms_print("  sieve     %12.6f s   for a repetition\n", seconds_per_repetition(w));
    print_floor(w);
  } else {
    ms_print("  pruning answered: nothing was left to sieve, so there is no floor\n");
  }
  ms_print("  %.4g points/s, %u of %u vertices and %" PRIu64 " of %" PRIu64
           " edges kept by pruning, %u flagged, %.1f MiB\n",
           (double)r->points / w->whole, r->vertices_kept, r->n, r->edges_kept,
           ms_graph_edge_count(job->graph), r->flagged, (double)r->memory_estimate / 1048576);
  if (r->devices_lost)
    ms_print("  %u GPU(s) FAILED on the way\n", r->devices_lost);
}

/* ---- JSON --------------------------------------------------------------------------- */

static json_t *graph_object(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  json_t *object =
      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "vertices", (json_int_t)r->n, "edges",
                (json_int_t)ms_graph_edge_count(w->job.graph), "highest_degree",
                (json_int_t)ms_graph_describe(w->job.graph).max_degree, "vertices_kept",
                (json_int_t)r->vertices_kept, "edges_kept", (json_int_t)r->edges_kept, "components",
                (json_int_t)r->components);
  return w->random ? object
                   : ms_json_add_text(object, "path", ms_graph_describe(w->job.graph).path);
}

static json_t *run_object(const bench_work *w)
{
  const ms_screen_result *r = w->result;
  json_t *object =
      json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "recurrence",
                recurrence_name(w), "backend", backend_name(r), "gpus", (json_int_t)r->devices,
                "block_points", (json_int_t)r->block_points, "threads", (json_int_t)r->threads,
                "repetitions", (json_int_t)r->repetitions, "runs",
                (json_int_t)w->options->bench.runs, "points", (json_int_t)r->points, "flagged",
                (json_int_t)r->flagged, "memory_bytes", (json_int_t)r->memory_estimate);
  return ms_json_add_text(object, "line_type", r->kernel);
}

static json_t *seconds_object(const bench_work *w)
{
  return json_pack("{s:f, s:f, s:f, s:f, s:f}", "first", w->first, "whole", w->whole, "prune",
                   w->prune, "sieve", w->sieve, "repetition", seconds_per_repetition(w));
}

/* Returns counts, rates and times of the floor; NULL if memory ran out. */
static json_t *floor_object(const bench_work *w)
{
  const ms_sieve_floor *f = &w->floor;
  double bytes = ms_sieve_floor_bytes(f);
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "products", f->products,
                   "products_per_second", f->products / w->whole, "row_bytes", f->row_bytes,
                   "state_bytes", f->state_bytes, "bytes_per_second", bytes / w->whole,
                   "products_seconds", f->products_seconds, "bytes_seconds", f->bytes_seconds,
                   "ratio", ratio(w));
}

static json_t *bench_object(const bench_work *w)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:I, s:I, s:o, s:o}", "tool", "motifsieve",
                "version", ms_version(), "command", "bench sieve", "schema", 1, "graph",
                graph_object(w), "motif", ms_motif_text(w->job.motif), "slots",
                (json_int_t)w->result->k, "seed", (json_int_t)w->options->list.screen.run.seed,
                "run", run_object(w), "seconds", seconds_object(w));
  return w->result->kernel ? ms_json_add(object, "floor", floor_object(w)) : object;
}

static ms_status write_json(const bench_work *w, ms_error *err)
{
  ms_result_header inputs = {.kind = MS_KIND_SCREEN}; /* a screen has the same inputs */
  ms_outfile *out;
  ms_describe_graph(&inputs, w->job.graph, &w->options->graph);
  ms_describe_coloring(&inputs, w->job.coloring, &w->options->coloring);
  ms_describe_query(&inputs, w->job.query);
  MS_TRY(ms_json_check(&inputs, "--json", err));
  MS_TRY(ms_outfile_open(NULL, &out, err));
  ms_status status = ms_json_put(out, bench_object(w), "\n", err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* ---- the command --------------------------------------------------------------------- */

int ms_run_bench_sieve(const ms_cli_options *o)
{
  bench_work w = {.options = o, .random = !o->operand[0], .job = {.options = o}};
  ms_error err;
  double *times = ms_alloc((size_t)o->bench.runs * 3, sizeof *times);
  ms_status status = times ? MS_OK : ms_fail_memory(&err, "timings");
  if (status == MS_OK)
    status = w.random ? make_query(&w, &err)
                      : ms_job_open(&w.job, ms_read_motif_query, MS_JOB_AT_ONCE, &err);
  ms_progress_end(&w.job.progress);
  if (status == MS_OK)
    status = measure(&w, times, &err);
  if (status == MS_OK && o->json)
    status = write_json(&w, &err);
  else if (status == MS_OK && o->bench.csv)
    print_csv(&w);
  else if (status == MS_OK)
    print_text(&w);
  ms_free(times);
  ms_screen_result_free(w.result);
  ms_job_close(&w.job);
  return status == MS_OK ? ms_print_end() : ms_cli_error(&err);
}
