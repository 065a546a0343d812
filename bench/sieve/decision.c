/* Measures the decision variant of the sieve beside the one that is localized at vertices, with the
 * same weights, on one thread; and checks that its one value is the sum of
 * theirs. */
#include "bench/sieve/decision.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "bench/harness.h"
#include "bench/sieve/experiments.h"
#include "gf2/gf2.h"
#include "sieve/backend.h"
#include "sieve/pass.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The fastest one comes first. */
static const bench_decision_kernel *const kernels[] = {
#ifdef MS_X86_64
    &bench_decision_gfni512,    &bench_decision_gfni256, &bench_decision_bitslice256,
#endif
    &bench_decision_bitslice64, &bench_decision_table,
};

/* One problem, the memory of its computation, and its values. */
typedef struct decision {
  const bench_decision_kernel *kernel;
  bench_case c;
  ms_instance *instance;
  ms_sieve_problem problem;
  ms_sieve_shape shape;
  ms_sieve_pass pass;
  ms_sieve_scratch scratch;
  bench_roots roots;
  uint8_t *q;  /* [n] values of the vertices */
  uint8_t sum; /* the value of the decision */
} decision;

static ms_status find_kernel(const char *path, const bench_decision_kernel **kernel, ms_error *err)
{
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    bool named = !path || strcmp(path, kernels[i]->path) == 0;
    if (named && kernels[i]->localized->available()) {
      *kernel = kernels[i];
      return MS_OK;
    }
  }
  return ms_fail(
      err, MS_ERR_USAGE,
      "--experiment decision has no line type '%s' on this processor; leave --arithmetic "
      "out, or give one that 'motifsieve bench gf2' lists as a line type of the sieve",
      path);
}

/* ---- opening and closing ------------------------------------------------------------- */

static void close_decision(decision *d)
{
  ms_free(d->scratch.constant);
  ms_free(d->scratch.found);
  ms_free(d->scratch.live);
  ms_free(d->scratch.head);
  ms_free(d->scratch.state);
  ms_free(d->scratch.exchange[0]);
  ms_free(d->scratch.exchange[1]);
  ms_free(d->roots.inner);
  ms_free(d->roots.outer);
  ms_free(d->roots.constant);
  ms_free(d->shape.arc_active);
  ms_free(d->q);
  ms_sieve_pass_free(&d->pass);
  ms_sieve_problem_clear(&d->problem);
  ms_instance_free(d->instance);
  bench_case_free(&d->c);
}

static ms_status allocate(decision *d, ms_error *err)
{
  const ms_sieve_shape *shape = &d->shape;
  const ms_instance *in = d->instance;
  ms_sieve_scratch *s = &d->scratch;
  size_t lines = (size_t)in->n * shape->exchange;
  s->constant = ms_alloc_lines(in->n, shape->row);
  s->found = ms_alloc(in->n, sizeof *s->found);
  s->live = ms_alloc(in->n, sizeof *s->live);
  s->head = ms_alloc_lines(in->arcs + MS_SIEVE_SLACK, sizeof *s->head);
  s->state = ms_alloc_lines((size_t)in->n * d->problem.size, shape->line_bytes);
  s->exchange[0] = ms_alloc_lines(lines, shape->line_bytes);
  s->exchange[1] = ms_alloc_lines(lines, shape->line_bytes);
  d->roots.inner = ms_alloc(in->n, sizeof *d->roots.inner);
  d->roots.outer = ms_alloc((size_t)shape->outer_bits * in->n, 1);
  d->roots.constant = ms_alloc(in->n, 1);
  d->shape.arc_active = ms_alloc_lines(in->arcs, sizeof *d->shape.arc_active);
  d->q = ms_alloc(in->n, 1);
  if (!s->constant || !s->found || !s->live || !s->head || !s->state || !s->exchange[0] ||
      !s->exchange[1] || !d->roots.inner || !d->roots.outer || !d->roots.constant ||
      !d->shape.arc_active || !d->q)
    return ms_fail_memory(err, "the state of a decision");
  for (uint64_t e = 0; e < in->arcs; e++)
    d->shape.arc_active[e] = d->problem.active[in->neighbor[e]];
  return ms_sieve_pass_alloc(shape, &d->pass, err);
}

static ms_status open_decision(const bench_plan *plan, uint32_t k, decision *d, ms_error *err)
{
  bench_instance instance = plan->base;
  instance.k = k;
  MS_TRY(find_kernel(plan->screen.kernel, &d->kernel, err));
  MS_TRY(bench_case_make(&instance, plan->screen.run.seed, &d->c, err));
  MS_TRY(ms_instance_new(d->c.query, 1, &d->instance, err));
  MS_TRY(ms_sieve_problem_init(&d->problem, d->instance, k, MS_SIBLING, plan->screen.run.seed, 1,
                               err));
  d->shape = ms_sieve_shape_of(&d->problem, d->kernel->localized, false);
  d->shape.far = (uint64_t)d->instance->n * d->shape.exchange * d->shape.line_bytes > ms_l2_bytes();
  d->kernel->localized->setup();
  MS_TRY(allocate(d, err));
  return ms_sieve_pass_fill(&d->shape, 0, 0, 1, &d->pass, err);
}

/* ---- the two variants ------------------------------------------------------------------- */

static void run_localized(decision *d)
{
  memset(d->q, 0, d->instance->n);
  ms_sieve_constants_init(&d->shape, &d->pass, 0, 0, d->shape.places, d->scratch.constant);
  for (uint64_t i = 0; i < UINT64_C(1) << d->shape.outer_bits; i++) {
    if (i > 0)
      ms_sieve_constants_flip(&d->shape, &d->pass, (uint32_t)__builtin_ctzll(i), 0, d->shape.places,
                              d->scratch.constant);
    d->kernel->localized->sibling(&d->shape, &d->pass, &d->scratch, ms_sieve_gray(i), d->q);
  }
}

/* Adds up form 0 over the neighbours of each vertex. */
static void sum_roots(decision *d)
{
  const ms_instance *in = d->instance;
  const ms_sieve_shape *shape = &d->shape;
  for (uint32_t v = 0; v < in->n; v++) {
    d->roots.inner[v] = 0;
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
      d->roots.inner[v] ^= d->pass.inner[(size_t)in->neighbor[e] * shape->forms];
  }
  for (uint32_t b = 0; b < shape->outer_bits; b++)
    for (uint32_t v = 0; v < in->n; v++) {
      uint8_t sum = 0;
      for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
        sum ^= d->pass.outer[((size_t)b * in->n + in->neighbor[e]) * shape->row];
      d->roots.outer[(size_t)b * in->n + v] = sum;
    }
  memset(d->roots.constant, 0, in->n);
}

static void run_decision(decision *d)
{
  const uint32_t n = d->instance->n;
  d->sum = 0;
  sum_roots(d);
  ms_sieve_constants_init(&d->shape, &d->pass, 0, 0, d->shape.places, d->scratch.constant);
  for (uint64_t i = 0; i < UINT64_C(1) << d->shape.outer_bits; i++) {
    uint32_t bit = i > 0 ? (uint32_t)__builtin_ctzll(i) : 0;
    if (i > 0)
      ms_sieve_constants_flip(&d->shape, &d->pass, bit, 0, d->shape.places, d->scratch.constant);
    for (uint32_t v = 0; v < n && i > 0; v++)
      d->roots.constant[v] ^= d->roots.outer[(size_t)bit * n + v];
    d->kernel->decide(&d->shape, &d->pass, &d->roots, &d->scratch, ms_sieve_gray(i), &d->sum);
  }
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Finishes a row from `runs` times of each variant, which it sorts; ratios: room for as many. */
static void finish_times(bench_decision_row *row, double *localized, double *decided,
                         double *ratios, uint32_t runs)
{
  for (uint32_t i = 0; i < runs; i++)
    ratios[i] = decided[i] / localized[i];
  row->localized = bench_median(localized, runs);
  row->decided = bench_median(decided, runs);
  row->ratio = bench_median(ratios, runs);
}

/* Checks that the value of the decision is the sum of the values q[vertices], and counts those that
 * are not zero. */
static ms_status check_sum(bench_decision_row *row, const uint8_t *q, ms_error *err)
{
  uint8_t sum = 0;
  row->flagged = 0;
  for (uint32_t v = 0; v < row->vertices; v++) {
    sum ^= q[v];
    row->flagged += q[v] != 0;
  }
  return sum == row->sum
             ? MS_OK
             : ms_fail(err, MS_ERR_INTERNAL,
                       "the value of the decision is %u, and the sum over all vertices %u; "
                       "please report this",
                       row->sum, sum);
}

/* Returns the processor time of this thread: other work on the machine counts for less in it. */
static double thread_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs both variants in turn, so that a busy machine slows down both. */
static ms_status measure(const bench_plan *plan, decision *d, bench_decision_row *row,
                         ms_error *err)
{
  double *times = ms_alloc(3 * (size_t)plan->runs, sizeof *times);
  if (!times)
    return ms_fail_memory(err, "timings");
  for (uint32_t i = 0; i < plan->runs; i++) {
    double start = thread_seconds();
    run_localized(d);
    double middle = thread_seconds();
    run_decision(d);
    times[i] = middle - start;
    times[plan->runs + i] = thread_seconds() - middle;
  }
  finish_times(row, times, times + plan->runs, times + 2 * plan->runs, plan->runs);
  ms_free(times);
  row->vertices = d->instance->n;
  row->edges = d->instance->arcs / 2;
  row->slots = d->problem.size;
  row->arithmetic = d->kernel->path;
  row->sum = d->sum;
  for (uint32_t t = 2; t < d->problem.size; t++)
    row->lines += ms_sieve_siblings(d->problem.size, t);
  return check_sum(row, d->q, err);
}

static ms_status decide_on_cpu(const bench_plan *plan, uint32_t k, bench_decision_row *row,
                               ms_error *err)
{
  decision d = {0};
  ms_status status = open_decision(plan, k, &d, err);
  if (status == MS_OK)
    status = measure(plan, &d, row, err);
  close_decision(&d);
  return status;
}

static void put_row(const bench_plan *plan, const bench_decision_row *row, ms_outfile *table)
{
  char line[256];
  snprintf(line, sizeof line,
           "%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t%s\t%.6g\t%.6g\t%.4f\t%" PRIu32 "\t%" PRIu32
           "\t%" PRIu32 "\t%u\n",
           row->vertices, row->edges, row->slots, row->arithmetic, row->localized, row->decided,
           row->ratio, row->lines, row->lines - 1, row->flagged, row->sum != 0);
  if (table)
    ms_outfile_puts(table, line);
  for (char *at = line; plan->csv && (at = strchr(at, '\t'));)
    *at = ',';
  fputs(line, stdout);
  fflush(stdout);
}

static void put_head(const bench_plan *plan, ms_outfile *table)
{
  static const char head[] = "vertices\tedges\tslots\tarithmetic\tlocalized_seconds\t"
                             "decision_seconds\tratio\tlocalized_lines\tdecision_lines\tflagged\t"
                             "decision\n";
  if (table)
    ms_outfile_puts(table, head);
  for (const char *at = head; *at; at++)
    putchar(plan->csv && *at == '\t' ? ',' : *at);
}

ms_status bench_decision(const bench_plan *plan, ms_outfile *table, ms_error *err)
{
  const bench_decision_kernel *kernel;
  ms_status status = find_kernel(plan->screen.kernel, &kernel, err);
  for (uint32_t i = 0; i < plan->n_slots && status == MS_OK; i++) {
    bench_decision_row row = {0};
    status = decide_on_cpu(plan, plan->slots[i], &row, err);
    if (status == MS_OK && i == 0)
      put_head(plan, table);
    if (status == MS_OK)
      put_row(plan, &row, table);
  }
  return status;
}
