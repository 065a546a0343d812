/* The CUDA sieve against the CPU's: Q is equal to the bit for all shapes, both recurrences, every
 * kernel, any range of units, and little memory; a decision is the sum of Q. Skipped, with a line
 * that says so, where there is no GPU. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gpu/gpu.h"
#include "graph/generate/generate.h"
#include "motif/instance.h"
#include "sieve/backend.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
} fixture;

static void fixture_free(fixture *f)
{
  ms_instance_free(f->instance);
  ms_query_free(f->query);
  ms_motif_free(f->motif);
  ms_coloring_free(f->colors);
  ms_graph_free(f->graph);
}

/* takes the graph */
static fixture fixture_of(ms_graph *graph, uint32_t colors, uint64_t seed, const char *motif,
                          const char *const *required, uint32_t n_required)
{
  fixture f = {.graph = graph};
  ms_error err;
  ck_assert_int_eq(ms_generate_colors(graph, colors, seed, &f.colors, &err), MS_OK);
  ck_assert_msg(ms_motif_parse(motif, f.colors, &f.motif, &err) == MS_OK, "%s", err.message);
  ck_assert_msg(ms_query_new(f.graph, f.colors, f.motif, n_required, required, &f.query, &err) ==
                    MS_OK,
                "%s", err.message);
  ck_assert_msg(ms_instance_new(f.query, 2, &f.instance, &err) == MS_OK, "%s", err.message);
  return f;
}

static const char *slots(uint32_t k, uint32_t colors, bool wildcards)
{
  static char text[512];
  size_t used = 0;
  for (uint32_t i = 0; i < k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             i % 3 == 2 && wildcards ? "%s*" : "%sc%u", i ? "," : "", i % colors);
  return text;
}

/* Q of repetitions [0, repetitions) on a back end, in runs of `units` (0: one
 * run for all). */
static uint8_t *q_of(const ms_sieve_backend *backend, const char *kernel,
                     const ms_sieve_problem *problem, uint32_t repetitions, uint64_t units,
                     const char **used)
{
  ms_sieve_config config = {.threads = 2, .kernel = kernel};
  ms_sieve_plan plan;
  ms_error err;
  void *context = NULL;
  uint32_t n = problem->instance->n;
  uint8_t *q = calloc(repetitions, n), *part = calloc(repetitions, n);
  ms_status status = backend->open(problem, &config, 0, &context, &plan, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  uint64_t pass = plan.blocks * problem->variants, all = repetitions * pass;
  for (uint64_t first = 0; first < all;) {
    uint64_t last = units && all - first > units ? first + units : all;
    memset(part, 0, (size_t)repetitions * n);
    status = backend->run(context, first, last, part, &err);
    ck_assert_msg(status == MS_OK, "%s", err.message);
    for (size_t i = 0; i < ((last - 1) / pass - first / pass + 1) * n; i++)
      q[first / pass * n + i] ^= part[i];
    first = last;
  }
  if (used)
    *used = plan.kernel;
  backend->close(context);
  free(part);
  return q;
}

static uint64_t compared, nonzero;

/* A problem with the CPU's Q of two repetitions. */
typedef struct subject {
  ms_sieve_problem problem;
  uint8_t *q;
  const char *what;
} subject;

static subject subject_of(const fixture *f, uint32_t size, ms_recurrence recurrence,
                          const char *what)
{
  subject s = {.what = what};
  ms_error err;
  uint32_t n = f->instance->n;
  ck_assert_int_eq(
      ms_sieve_problem_init(&s.problem, f->instance, size, recurrence, size * 1000 + n, 2, &err),
      MS_OK);
  s.q = q_of(&ms_sieve_backend_cpu, NULL, &s.problem, 2, 0, NULL);
  return s;
}

static void subject_free(subject *s)
{
  free(s->q);
  ms_sieve_problem_clear(&s->problem);
}

static void compare_kernel(const subject *s, const char *kernel, uint64_t units)
{
  const char *used = NULL;
  uint32_t n = s->problem.instance->n;
  uint8_t *gpu = q_of(&ms_sieve_backend_cuda, kernel, &s->problem, 2, units, &used);
  for (size_t i = 0; i < 2 * (size_t)n; i++)
    nonzero += s->q[i] != 0;
  compared++;
  ck_assert_msg(memcmp(s->q, gpu, 2 * (size_t)n) == 0,
                "%s: size %u of %u, recurrence %d, kernel %s, n %u, in runs of %llu", s->what,
                s->problem.size, s->problem.instance->k, (int)s->problem.recurrence, used, n,
                (unsigned long long)units);
  free(gpu);
}

static void compare_at(const fixture *f, uint32_t size, ms_recurrence recurrence,
                       const char *kernel, const char *what)
{
  subject s = subject_of(f, size, recurrence, what);
  compare_kernel(&s, kernel, 0);
  subject_free(&s);
}

static const char *const kernels[] = {"bitslice32-shared", "bitslice32-global"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static void compare(const fixture *f, uint32_t size, const char *what)
{
  subject s = subject_of(f, size, MS_SIBLING, what);
  for (int i = 0; i < KERNELS; i++) {
    compare_kernel(&s, kernels[i], 0);
    compare_kernel(&s, kernels[i], 3 + ((uint64_t)1 << (size > 9 ? size - 9 : 0)));
  }
  subject_free(&s);
  if (size > 14)
    return;
  s = subject_of(f, size, MS_CLASSIC, what);
  compare_kernel(&s, NULL, size > 9 ? 5 : 0);
  subject_free(&s);
}

/* A scale below 1 runs the small cases alone, for checkers that take a hundred times as long. */
static bool small_only(void)
{
  return test_scale() < 1;
}

/* Q is the CPU's for motifs of 1 to 20 slots, or to 6 if cases are to be few, with and without
 * wildcards. */
START_TEST(every_size)
{
  for (uint32_t k = 1; k <= (small_only() ? 6u : 20u); k++)
    for (int wild = 0; wild < 2; wild++) {
      uint32_t colors = k > 12 ? 4 : k > 8 ? 5 : k, n = k > 16 ? 30 : k > 12 ? 60 : 150 + k;
      ms_graph *g = NULL;
      if (wild && k < 3)
        continue;
      ck_assert_int_eq(ms_generate_regular(n + n % 2, k > 12 ? 4 : 7, k, &g, NULL), MS_OK);
      fixture f = fixture_of(g, colors, k, slots(k, colors, wild), NULL, 0);
      compare(&f, k, wild ? "wildcards" : "colours");
      fixture_free(&f);
    }
}
END_TEST

/* The points [first, last) of repetition 0, as bytes [n]. */
static uint8_t *q_of_points(const ms_sieve_backend *backend, const char *kernel,
                            const ms_sieve_problem *problem, uint64_t first, uint64_t last)
{
  ms_sieve_config config = {.threads = 2, .kernel = kernel};
  ms_sieve_plan plan;
  ms_error err;
  void *context = NULL;
  uint8_t *q = calloc(1, problem->instance->n);
  ck_assert_msg(backend->open(problem, &config, 0, &context, &plan, &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(
      backend->run(context, first / plan.block_points, last / plan.block_points, q, &err) == MS_OK,
      "%s", err.message);
  backend->close(context);
  return q;
}

/* The same for motifs of 21 to 32 slots, at points from the start, the middle and the end, by every
 * kernel. */
START_TEST(large_sizes)
{
  for (uint32_t k = 21; k <= 32; k++) {
    ms_graph *g = NULL;
    ms_sieve_problem problem;
    ms_error err;
    uint32_t n = 60;
    uint64_t part = UINT64_C(1) << 14,
             starts[3] = {0, UINT64_C(5) << (k - 4), (UINT64_C(1) << k) - part};
    ck_assert_int_eq(ms_generate_regular(n, 5, k, &g, NULL), MS_OK);
    fixture f = fixture_of(g, 4, k, slots(k, 4, k % 2), NULL, 0);
    ck_assert_int_eq(ms_sieve_problem_init(&problem, f.instance, k, MS_SIBLING, k, 2, &err), MS_OK);
    for (int i = 0; i < 3; i++) {
      uint8_t *cpu =
          q_of_points(&ms_sieve_backend_cpu, NULL, &problem, starts[i], starts[i] + part);
      for (int kernel = 0; kernel < KERNELS; kernel++) {
        uint8_t *gpu = q_of_points(&ms_sieve_backend_cuda, kernels[kernel], &problem, starts[i],
                                   starts[i] + part);
        ck_assert_msg(memcmp(cpu, gpu, n) == 0, "k %u kernel %s from point %llu on", k,
                      kernels[kernel], (unsigned long long)starts[i]);
        free(gpu);
        compared++;
      }
      free(cpu);
    }
    ms_sieve_problem_clear(&problem);
    fixture_free(&f);
  }
}
END_TEST

/* The same for five graphs with hardly any edges or very uneven degrees, and motifs of up to 6 or 9
 * slots, or to 4 if cases are to be few. */
START_TEST(odd_graphs)
{
  static const char *const texts[] = {"a b\n", "a b\nb c\n", "a b\nc d\ne f\n",
                                      "a b\nb c\nc a\nd e\n"};
  for (int i = 0; i < 5; i++) {
    ms_graph *g = NULL;
    ms_error err;
    const char *path = files_path("odd");
    FILE *file = fopen(path, "w");
    if (i < 4)
      fputs(texts[i], file);
    else /* a star whose centre is a hub, and a tail */
      for (int leaf = 0; leaf < 1500; leaf++)
        fprintf(file, "centre l%d\nl%d m%d\n", leaf, leaf, leaf % 7);
    fclose(file);
    ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_EDGE_LIST};
    ck_assert_msg(ms_graph_read(path, &options, &g, &err) == MS_OK, "%s", err.message);
    for (uint32_t k = 1; k <= (small_only() ? 4u : i < 4 ? 6u : 9u); k++) {
      fixture f = {.graph = g};
      ck_assert_int_eq(ms_generate_colors(g, 2, k, &f.colors, &err), MS_OK);
      ck_assert_msg(ms_motif_parse(slots(k, 2, true), f.colors, &f.motif, &err) == MS_OK, "%s",
                    err.message);
      ck_assert_int_eq(ms_query_new(g, f.colors, f.motif, 0, NULL, &f.query, &err), MS_OK);
      ck_assert_int_eq(ms_instance_new(f.query, 2, &f.instance, &err), MS_OK);
      compare(&f, k, "odd graph");
      f.graph = NULL;
      fixture_free(&f);
    }
    ms_graph_free(g);
  }
}
END_TEST

/* The same for four families of random graphs and motifs of 4 and 11 slots. */
START_TEST(every_family)
{
  static const ms_generate_options families[] = {
      {.family = MS_FAMILY_CLIQUE, .given = MS_GEN_VERTICES, .vertices = 40},
      {.family = MS_FAMILY_POWER_LAW,
       .given = MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT,
       .vertices = 900,
       .edges = 4000,
       .exponent = -1.0},
      {.family = MS_FAMILY_ER,
       .given = MS_GEN_VERTICES | MS_GEN_EDGES,
       .vertices = 500,
       .edges = 600}, /* isolated vertices, too */
      {.family = MS_FAMILY_POWER_LAW,
       .given = MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT,
       .vertices = 600,
       .edges = 9000,
       .exponent = -0.5},
  };
  for (uint32_t k = 4; k <= (small_only() ? 4u : 11u); k += 7)
    for (int family = 0; family < 4; family++) {
      ms_graph *g = NULL;
      ms_error err;
      ms_generate_options o = families[family];
      o.run.seed = k;
      ms_status status = ms_generate_graph(&o, &g, &err);
      ck_assert_msg(status == MS_OK, "family %d: %s", family, err.message);
      fixture f = fixture_of(g, k, k, slots(k, k, false), NULL, 0);
      compare(&f, k, "family");
      fixture_free(&f);
    }
}
END_TEST

/* The same with two required vertices: motifs of 5, 7 and 9 slots. */
START_TEST(required_vertices_and_variants)
{
  static const char *const required[] = {"3", "17"};
  for (uint32_t k = 5; k <= (small_only() ? 5u : 9u); k += 2) {
    ms_graph *g = NULL;
    ck_assert_int_eq(ms_generate_regular(80, 6, k, &g, NULL), MS_OK);
    fixture f = fixture_of(g, k, k, slots(k, 3, true), required, 2);
    compare(&f, k, "required");
    fixture_free(&f);
  }
}
END_TEST

/* The same for matches of fewer vertices than slots: motifs of 3 to 12 slots, every other size. */
START_TEST(fewer_vertices_than_slots)
{
  for (uint32_t k = 3; k <= (small_only() ? 6u : 12u); k += 3)
    for (uint32_t size = 1; size < k; size += 2) {
      ms_graph *g = NULL;
      ck_assert_int_eq(ms_generate_regular(70, 5, k, &g, NULL), MS_OK);
      fixture f = fixture_of(g, k, k, slots(k, k, k % 2), NULL, 0);
      compare(&f, size, "nu");
      fixture_free(&f);
    }
}
END_TEST

/* Bounds the memory of all contexts; returns the bound as text. */
static const char *set_memory(uint32_t bytes)
{
  static char text[16];
  snprintf(text, sizeof text, "%u", bytes);
  setenv("MOTIFSIEVE_GPU_MEMORY", text, 1);
  return text;
}

/* The chunk of words is cut until it fits into three limits, and vertices go in blocks at two more,
 * with the same Q; a bound of the configuration holds, and one that is too small is refused with a
 * remedy. */
START_TEST(little_memory)
{
  ms_graph *g = NULL;
  uint32_t part = small_only() ? 6 : 1; /* memory is proportional to the vertices */
  ck_assert_int_eq(ms_generate_regular(3000 / part, 8, 1, &g, NULL), MS_OK);
  fixture f = fixture_of(g, 10, 1, slots(10, 10, false), NULL, 0);
  static const uint32_t limits[] = {100000000, 9000000, 6000000};
  for (int i = small_only() ? 2 : 0; i < 3; i++) { /* a checker sees the most launches alone */
    const char *limit = set_memory(limits[i] / part);
    compare_at(&f, 10, MS_SIBLING, "bitslice32-global", limit);
    if (!small_only())
      compare_at(&f, 10, MS_CLASSIC, NULL, limit);
  }
  /* in blocks of vertices, the second time with the state in the host's memory */
  static const uint32_t small[] = {3000000, 1700000, 460000 /* for the small graph */};
  for (int i = small_only() ? 2 : 0; i < (small_only() ? 3 : 2); i++)
    compare_at(&f, 10, MS_SIBLING, "bitslice32-global", set_memory(small[i]));
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  ms_sieve_problem problem;
  ms_sieve_config config = {.gpu_memory = 9000000 / part};
  ms_sieve_plan plan;
  ms_error err;
  void *context = NULL;
  ck_assert_int_eq(ms_sieve_problem_init(&problem, f.instance, 10, MS_SIBLING, 1, 2, &err), MS_OK);
  ck_assert_int_eq(ms_sieve_backend_cuda.open(&problem, &config, 0, &context, &plan, &err), MS_OK);
  ck_assert_uint_le(plan.memory, config.gpu_memory);
  ms_sieve_backend_cuda.close(context);
  context = NULL;
  config.gpu_memory = 100000 / part;
  ck_assert_int_eq(ms_sieve_backend_cuda.open(&problem, &config, 0, &context, &plan, &err),
                   MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "raise `memory`"));
  ck_assert_ptr_nonnull(strstr(err.message, "`MS_BACKEND_CPU`"));
  ck_assert_ptr_null(context);
  ms_sieve_problem_clear(&problem);
  fixture_free(&f);
}
END_TEST

/* The same for three graphs of 5,000 to 30,000 vertices with both recurrences. */
START_TEST(larger_graphs)
{
  static const struct {
    uint32_t n, k;
    uint64_t edges;
    double exponent;
  } cases[] = {{30000, 8, 200000, -1.0}, {20000, 6, 100000, -0.5}, {5000, 10, 40000, 0}};
  for (int i = 0; i < 3; i++) {
    ms_graph *g = NULL;
    ms_error err;
    ms_generate_options o = {.family = MS_FAMILY_POWER_LAW,
                             .given = MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT,
                             .vertices = cases[i].n,
                             .edges = cases[i].edges,
                             .exponent = cases[i].exponent,
                             .run.seed = 5};
    ms_status status = cases[i].exponent < 0 ? ms_generate_graph(&o, &g, &err)
                                             : ms_generate_regular(cases[i].n, 16, 5, &g, &err);
    ck_assert_msg(status == MS_OK, "%s", err.message);
    fixture f = fixture_of(g, cases[i].k, 5, slots(cases[i].k, cases[i].k, false), NULL, 0);
    compare_at(&f, cases[i].k, MS_SIBLING, NULL, "larger");
    compare_at(&f, cases[i].k, MS_CLASSIC, NULL, "larger");
    fixture_free(&f);
  }
}
END_TEST

/* Through the public call, any number of GPUs, with and without the processor, gives the CPU's Q
 * and hits, with both recurrences. */
START_TEST(devices_and_processor_together)
{
  int gpus = ms_gpu_device_count();
  ms_graph *g = NULL;
  ck_assert_int_eq(ms_generate_regular(300, 8, 1, &g, NULL), MS_OK);
  uint32_t k = small_only() ? 8 : 13;
  fixture f = fixture_of(g, k, 1, slots(k, k, false), NULL, 0);
  ms_hooks.keep_q = true;
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    ms_error err;
    ms_screen_result *cpu = NULL;
    ms_screen_options o = {.size = sizeof(ms_screen_options),
                           .recurrence = (ms_recurrence)recurrence,
                           .run.seed = 5,
                           .repetitions = 5,
                           .no_early_stop = true,
                           .backend = MS_BACKEND_CPU,
                           .run.threads = 2};
    ck_assert_msg(ms_screen(f.query, &o, &cpu, &err) == MS_OK, "%s", err.message);
    for (int count = 1; count <= gpus; count++)
      for (int both = 0; both < 2; both++) {
        int devices[16];
        ms_screen_result *r = NULL;
        for (int i = 0; i < count && i < 16; i++)
          devices[i] = gpus - 1 - i;
        o.backend = both ? MS_BACKEND_BOTH : MS_BACKEND_CUDA;
        o.run.devices = devices;
        o.run.n_devices = (uint32_t)count;
        ck_assert_msg(ms_screen(f.query, &o, &r, &err) == MS_OK, "%s", err.message);
        ck_assert_int_eq(memcmp(cpu->q, r->q, 5 * 300), 0);
        ck_assert_int_eq(memcmp(cpu->hits, r->hits, 300 * sizeof *r->hits), 0);
        ck_assert_uint_eq(r->devices, (uint32_t)count);
        ck_assert_uint_eq(r->devices_lost, 0);
        ck_assert_int_eq(r->backend, o.backend);
        ms_screen_result_free(r);
      }
    ms_screen_result_free(cpu);
  }
  fixture_free(&f);
}
END_TEST

/* A deadline ends a long run on a GPU within three seconds. */
START_TEST(stopping)
{
  ms_graph *g = NULL;
  ms_stop *stop = NULL;
  ms_error err;
  ms_screen_result *r = NULL;
  ck_assert_int_eq(ms_generate_regular(1000, 20, 1, &g, NULL), MS_OK);
  fixture f = fixture_of(g, 28, 1, slots(28, 28, false), NULL, 0);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ms_stop_after(stop, 1.0);
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .run.seed = 1,
                         .repetitions = 1,
                         .no_prune = true,
                         .run.stop = stop,
                         .backend = MS_BACKEND_CUDA};
  double start = ms_seconds();
  ck_assert_msg(ms_screen(f.query, &o, &r, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(r->run.stopped, MS_ERR_LIMIT);
  ck_assert_uint_eq(r->repetitions, 0);
  ck_assert_double_lt(ms_seconds() - start, 4);
  ms_screen_result_free(r);
  ms_stop_free(stop);
  fixture_free(&f);
}
END_TEST

/* Enough values were compared, and enough of them were not zero. */
START_TEST(the_comparison_means_something)
{
  printf("%llu comparisons, %llu values other than zero\n", (unsigned long long)compared,
         (unsigned long long)nonzero);
  ck_assert_uint_gt(compared, small_only() ? 30 : 100);
  ck_assert_uint_gt(nonzero, compared * 10);
}
END_TEST

/* An unknown kernel, impossible blocks and a device that is not there are refused. */
START_TEST(bad_requests)
{
  ms_graph *g = NULL;
  ck_assert_int_eq(ms_generate_regular(40, 4, 1, &g, NULL), MS_OK);
  fixture f = fixture_of(g, 4, 1, slots(4, 4, false), NULL, 0);
  ms_sieve_problem problem;
  ms_sieve_config config = {.kernel = "abacus"};
  ms_sieve_plan plan;
  ms_error err;
  void *context = NULL;
  ck_assert_int_eq(ms_sieve_problem_init(&problem, f.instance, 4, MS_SIBLING, 1, 2, &err), MS_OK);
  ck_assert_int_eq(ms_sieve_backend_cuda.open(&problem, &config, 0, &context, &plan, &err),
                   MS_ERR_USAGE);
  config = (ms_sieve_config){.block_points = 77};
  ck_assert_int_ne(ms_sieve_backend_cuda.open(&problem, &config, 0, &context, &plan, &err), MS_OK);
  config = (ms_sieve_config){0};
  ck_assert_int_ne(ms_sieve_backend_cuda.open(&problem, &config, 4711, &context, &plan, &err),
                   MS_OK);
  ck_assert_ptr_null(context);
  ms_sieve_problem_clear(&problem);
  fixture_free(&f);
}
END_TEST

int main(void)
{
  const bool has_gpu = ms_gpu_device_count() > 0, all = has_gpu && test_scale() >= 1;
  if (!has_gpu)
    printf("SKIPPED: no GPU (%s): the CUDA sieve was not compared with the CPU's\n",
           ms_gpu_describe());
  return RUN_TESTS("gpu", NO_FORK, /* a CUDA context does not survive a fork */
                   TIME_LIMIT(600), TEST(bad_requests), TEST_IF(every_size, has_gpu),
                   TEST_IF(odd_graphs, has_gpu), TEST_IF(large_sizes, all),
                   TEST_IF(every_family, has_gpu), TEST_IF(required_vertices_and_variants, has_gpu),
                   TEST_IF(fewer_vertices_than_slots, has_gpu), TEST_IF(little_memory, has_gpu),
                   TEST_IF(devices_and_processor_together, has_gpu), TEST_IF(larger_graphs, all),
                   TEST_IF(stopping, all), TEST_IF(the_comparison_means_something, has_gpu));
}
