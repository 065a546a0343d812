/* motifsieve bench sieve: one instance, its time and its floor.
 *
 * The floor counts what the recurrence, as the kernel lays it out, cannot do
 * without, divided by what this machine was just measured to do: products of
 * two variables (and over arcs by constants, where the kernel leaves them to
 * the readers of a row), at the rate of the line type; rows read at random over
 * edges, at the random-read rate of a buffer of their size; the private
 * coefficients, read and written, at the sequential rate of a buffer of theirs.
 * The larger of the two sums (products; bytes) is the floor: both could
 * overlap perfectly.  XORs, forms of constants and finding what is live are
 * not counted.
 */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_reader.h"
#include "graph/generate/generate.h"
#include "sieve/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_plan {
  uint32_t n, d, k, repetitions, runs;
  uint64_t seed;
  ms_screen_options screen;
  bool csv, help;
} bench_plan;

typedef struct bench_case {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} bench_case;

/* ---- counting ---------------------------------------------------------------- */

typedef struct work {
  double live_vertices, live_arcs; /* summed over blocks */
  double products;                 /* of lines */
  double row_lines, state_lines;   /* read; read or written */
} work;

/* How many blocks have a vertex with these point bits live. */
static double live_blocks(uint32_t bits, uint32_t inner, double blocks)
{
  uint32_t low = inner >= 32 ? UINT32_MAX : (1u << inner) - 1;
  return bits & low ? blocks : blocks * (1 - ldexp(1, -__builtin_popcount(bits)));
}

static double both_live(uint32_t a, uint32_t b, uint32_t inner, double blocks)
{
  uint32_t low = inner >= 32 ? UINT32_MAX : (1u << inner) - 1;
  if (a & low)
    return live_blocks(b, inner, blocks);
  if (b & low)
    return live_blocks(a, inner, blocks);
  return blocks * (1 - ldexp(1, -__builtin_popcount(a)) - ldexp(1, -__builtin_popcount(b)) +
                   ldexp(1, -__builtin_popcount(a | b)));
}

static work count_sibling(const ms_sieve_problem *p, uint32_t inner, uint32_t scale_at_head)
{
  const ms_instance *in = p->instance;
  uint32_t k = p->size, half = (k - 1) / 2;
  double blocks = ldexp(1, (int)(k - inner));
  work w = {0};
  for (uint32_t v = 0; v < in->n; v++) {
    w.live_vertices += live_blocks(p->active[v], inner, blocks);
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
      w.live_arcs += both_live(p->active[v], p->active[in->neighbor[e]], inner, blocks);
  }
  /* step 1: k forms, k-2 prefix products, publish; G is made at step 2 */
  double vertex = k + (k - 2) + 1, arc = 0, rows = 0, state = 0;
  for (uint32_t t = 2; t < k; t++) {
    uint32_t siblings = ms_sieve_siblings(k, t);
    bool at_head = siblings >= scale_at_head;
    arc += at_head ? siblings : 0;
    rows += at_head ? 1 : siblings;
    if (t <= half) {
      vertex += siblings; /* prefix products and publish */
      for (uint32_t u = t; u < k; u++)
        vertex += u / t - (u % t == 0);
      state += t == 2 ? k : k + (k - t); /* reads all, writes those from t on */
    } else {
      vertex += t - half;               /* late products and publish */
      state += 2 * (t - half - 1) + 3;  /* reads; writes one */
    }
  }
  w.products = vertex * w.live_vertices + arc * w.live_arcs;
  w.row_lines = rows * w.live_arcs;
  w.state_lines = state * w.live_vertices;
  return w;
}

static work count_classic(const ms_sieve_problem *p, uint32_t inner)
{
  uint32_t k = p->size;
  work w = count_sibling(p, inner, 1);
  w.products = w.live_vertices + (k * (k - 1) / 2.0 + k - 1) * w.live_arcs;
  w.row_lines = k * (k - 1) / 2.0 * w.live_arcs;
  w.state_lines = k * w.live_vertices;
  return w;
}

/* From how many siblings on the kernel that ran multiplies over arcs. */
static uint32_t scale_at_head(const ms_screen_result *r)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (strcmp(kernel->path, r->kernel) == 0 && 1u << kernel->line_bits == r->block_points)
      return kernel->scale_at_head;
  }
  return MS_MAX_K;
}

/* Seconds that the counted work takes at the measured rates. */
static ms_status measure_floor(const bench_plan *plan, const bench_case *c, const ms_screen_result *r, work *w,
                               double *products, double *bytes, ms_error *err)
{
  ms_instance *in = NULL;
  ms_sieve_problem problem = {0};
  double random = 0, sequential = 0;
  uint32_t points = r->block_points, inner = (uint32_t)__builtin_ctz(points);
  const ms_gf2_path *path = ms_gf2_select(r->kernel, err);
  ms_status status = path ? ms_instance_new(c->query, plan->screen.threads, &in, err) : MS_ERR_USAGE;
  if (status == MS_OK)
    status = ms_sieve_problem_init(&problem, in, plan->k, plan->screen.recurrence, plan->seed,
                                   plan->screen.threads, err);
  if (status == MS_OK) {
    bool sibling = plan->screen.recurrence == MS_SIBLING;
    *w = sibling ? count_sibling(&problem, inner, scale_at_head(r)) : count_classic(&problem, inner);
    uint64_t rows = (uint64_t)plan->n * points, state = rows * plan->k;
    status = ms_bench_reads(sibling ? rows : state, true, r->threads, 0.3, &random, err);
    if (status == MS_OK)
      status = ms_bench_reads(state, false, r->threads, 0.3, &sequential, err);
    *products = w->products * points * plan->repetitions / ms_bench_products(path, r->threads, 0.3);
    *bytes = plan->repetitions * points * (w->row_lines / random + w->state_lines / sequential);
  }
  ms_sieve_problem_clear(&problem);
  ms_instance_free(in);
  return status;
}

/* ---- running ------------------------------------------------------------------ */

static void case_free(bench_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->colors);
  ms_graph_free(c->graph);
}

static ms_status make_case(const bench_plan *plan, bench_case *c, ms_error *err)
{
  char text[8 * MS_MAX_K];
  size_t used = 0;
  for (uint32_t i = 0; i < plan->k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%sc%u", i ? "," : "", i);
  ms_status status = ms_generate_regular(plan->n, plan->d, plan->seed, &c->graph, err);
  if (status == MS_OK)
    status = ms_generate_colors(c->graph, plan->k, plan->seed, &c->colors, err);
  if (status == MS_OK)
    status = ms_motif_parse(text, c->colors, &c->motif, err);
  if (status == MS_OK)
    status = ms_query_new(c->graph, c->colors, c->motif, 0, NULL, &c->query, err);
  return status;
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_result(const bench_plan *plan, const ms_screen_result *r, double median, double prune,
                         const work *w, double products, double bytes)
{
  double least = products > bytes ? products : bytes;
  const char *recurrence = plan->screen.recurrence == MS_SIBLING ? "sibling" : "classic";
  if (plan->csv) {
    printf("vertices,degree,slots,recurrence,arithmetic,block_points,threads,repetitions,runs,seconds,"
           "prune_seconds,points_per_second,products,floor_products_seconds,floor_bytes_seconds,ratio,"
           "memory_bytes\n%u,%u,%u,%s,%s,%u,%d,%u,%u,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.4g,%llu\n",
           plan->n, plan->d, plan->k, recurrence, r->kernel, r->block_points, r->threads, plan->repetitions,
           plan->runs, median, prune, (double)r->points / median, w->products * r->block_points * plan->repetitions,
           products, bytes, median / least, (unsigned long long)r->memory_estimate);
    return;
  }
  printf("n = %u, d = %u, k = %u, %u repetition(s), %s, %s in blocks of %u points, %d thread(s)\n", plan->n, plan->d,
         plan->k, plan->repetitions, recurrence, r->kernel, r->block_points, r->threads);
  printf("  time      %10.4f s   whole call, median of %u (pruning %.4f s of it)\n", median, plan->runs, prune);
  printf("  products  %10.4f s   floor: %.4g products of field elements at the measured rate\n", products,
         w->products * r->block_points * plan->repetitions);
  printf("  bytes     %10.4f s   floor: %.4g bytes over edges, %.4g of private state\n", bytes,
         w->row_lines * r->block_points * plan->repetitions, w->state_lines * r->block_points * plan->repetitions);
  printf("  ratio     %10.2f     time over the larger floor\n", median / least);
  printf("  %.4g points/s, %u of %u vertices flagged, %.1f MiB\n", (double)r->points / median, r->flagged, r->n,
         (double)r->memory_estimate / 1048576);
}

static ms_status run(const bench_plan *plan, ms_error *err)
{
  bench_case c = {0};
  ms_screen_result *r = NULL;
  double *seconds = ms_alloc(plan->runs, sizeof *seconds), prune = 0, products = 0, bytes = 0;
  work w = {0};
  ms_status status = seconds ? make_case(plan, &c, err) : ms_fail_memory(err, "timings");
  for (uint32_t i = 0; i < plan->runs && status == MS_OK; i++) {
    ms_screen_result_free(r);
    r = NULL;
    double start = ms_seconds();
    status = ms_screen(c.query, &plan->screen, &r, err);
    seconds[i] = ms_seconds() - start;
    prune = r ? r->time_prune : 0;
  }
  if (status == MS_OK && !r->kernel)
    status = ms_fail(err, MS_ERR_USAGE, "bench sieve: pruning removed the whole graph (a colour is missing); use "
                                        "more vertices or another --seed");
  if (status == MS_OK)
    status = measure_floor(plan, &c, r, &w, &products, &bytes, err);
  if (status == MS_OK) {
    qsort(seconds, plan->runs, sizeof *seconds, by_value);
    print_result(plan, r, seconds[plan->runs / 2], prune, &w, products, bytes);
  }
  ms_screen_result_free(r);
  case_free(&c);
  ms_free(seconds);
  return status;
}

/* ---- options ------------------------------------------------------------------- */

/* One option; NULL if its value is fine, else what it should be. */
static const char *take_option(bench_plan *plan, ms_option_key key, const char *value)
{
  uint64_t number = 0;
  uint32_t choice = 0;
  switch (key) {
  case KEY_BENCH_VERTICES:
    plan->n = ms_parse_count(value, 2, UINT32_MAX - 1, &number) ? (uint32_t)number : 0;
    return number ? NULL : "a number from 2 to 4294967294";
  case KEY_BENCH_DEGREE:
    plan->d = ms_parse_count(value, 1, UINT32_MAX - 1, &number) ? (uint32_t)number : 0;
    return number ? NULL : "a number above 0";
  case KEY_BENCH_SLOTS:
    plan->k = ms_parse_count(value, 2, MS_MAX_K, &number) ? (uint32_t)number : 0;
    return number ? NULL : "a number from 2 to 32";
  case KEY_THREADS:
    plan->screen.threads = ms_parse_count(value, 1, 1024, &number) ? (int)number : 0;
    return number ? NULL : "a number from 1 to 1024";
  case KEY_RECURRENCE:
    if (!ms_option_choice(key, value, &choice))
      return "sibling or classic";
    plan->screen.recurrence = (ms_recurrence)choice;
    return NULL;
  case KEY_BENCH_ARITHMETIC:
    plan->screen.kernel = value;
    return NULL;
  case KEY_BENCH_BLOCK_POINTS:
    plan->screen.block_points = ms_parse_count(value, 64, 256, &number) ? (uint32_t)number : 0;
    return number ? NULL : "32, 64 or 256";
  case KEY_REPETITIONS:
    plan->repetitions = ms_parse_count(value, 1, 1000000, &number) ? (uint32_t)number : 0;
    return number ? NULL : "a number from 1 to 1000000";
  case KEY_BENCH_RUNS:
    plan->runs = ms_parse_count(value, 1, 1000, &number) ? (uint32_t)number : 0;
    return number ? NULL : "a number from 1 to 1000";
  case KEY_MEMORY:
    return ms_parse_size(value, &plan->screen.memory) ? NULL : "a size such as 4G";
  case KEY_SEED:
    return ms_parse_count(value, 0, UINT64_MAX, &plan->seed) ? NULL : "a number from 0 to 2^64-1";
  case KEY_BENCH_CSV:
    plan->csv = true;
    return NULL;
  default:
    plan->help = true;
    return NULL;
  }
}

static ms_status read_options(int argc, char **argv, bench_plan *plan, ms_error *err)
{
  ms_option_reader reader;
  const ms_option_row *row;
  const char *value;
  ms_option_reader_init(&reader, MS_COMMAND_BENCH_SIEVE, argc, argv);
  do {
    ms_status status = ms_option_next(&reader, &row, &value, err);
    const char *wanted = status == MS_OK && row ? take_option(plan, row->key, value) : NULL;
    if (status != MS_OK)
      return status;
    if (wanted)
      return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wanted, value);
  } while (row && !plan->help);
  return plan->help ? MS_OK : ms_bench_no_operand(argc, argv, err);
}

int ms_bench_sieve(int argc, char **argv)
{
  bench_plan plan = {.n = 1024, .d = 20, .k = 16, .repetitions = 1, .runs = 3, .seed = 1};
  ms_error err;
  if (read_options(argc, argv, &plan, &err) != MS_OK)
    return ms_cli_error(&err);
  if (plan.help)
    return ms_help_show(MS_COMMAND_BENCH_SIEVE);
  plan.screen.seed = plan.seed;
  plan.screen.repetitions = plan.repetitions;
  plan.screen.no_early_stop = true;
  return run(&plan, &err) == MS_OK ? ms_cli_close_stdout() : ms_cli_error(&err);
}
