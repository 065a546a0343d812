/* The sieve on an emulated GPU against the CPU's: Q is equal to the bit whether the graph fits the
 * device's memory, goes through it in blocks of vertices, or leaves its state with the host, and
 * over each line type; a decision is the sum of Q. */
#include "base/budget.h"
#include "gpu/gpu.h"
#include "graph/generate/generate.h"
#include "motif/instance.h"
#include "sieve/backend.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

typedef struct fixture {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  ms_sieve_problem problem;
} fixture;

/* Takes the graph.  `wild`: every third slot takes any vertex. */
static fixture fixture_with(ms_graph *graph, uint32_t k, uint32_t colors, bool wild,
                            ms_recurrence recurrence)
{
  fixture f = {.graph = graph};
  char text[256];
  size_t used = 0;
  for (uint32_t i = 0; i < k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, wild && i % 3 == 2 ? "%s*" : "%sc%u",
                             i ? "," : "", i % colors);
  ck_ok(ms_generate_colors(graph, colors, 1, &f.colors, &err));
  ck_ok(ms_motif_parse(text, f.colors, &f.motif, &err));
  ck_ok(ms_query_new(f.graph, f.colors, f.motif, 0, NULL, &f.query, &err));
  ck_ok(ms_instance_new(f.query, 2, &f.instance, &err));
  ck_ok(ms_sieve_problem_init(&f.problem, f.instance, k, recurrence, 7, 2, &err));
  return f;
}

static fixture fixture_of(ms_graph *graph, uint32_t k, uint32_t colors, ms_recurrence recurrence)
{
  return fixture_with(graph, k, colors, true, recurrence);
}

static void fixture_free(fixture *f)
{
  ms_sieve_problem_clear(&f->problem);
  ms_instance_free(f->instance);
  ms_query_free(f->query);
  ms_motif_free(f->motif);
  ms_coloring_free(f->colors);
  ms_graph_free(f->graph);
}

/* Returns Q of two repetitions, [2][n], or NULL where the device is too small (err). */
static uint8_t *q_with(const ms_sieve_backend *backend, const fixture *f,
                       const ms_sieve_config *config, ms_sieve_plan *plan)
{
  void *context = NULL;
  uint32_t n = f->instance->n;
  ms_status status = backend->open(&f->problem, config, 0, &context, plan, &err);
  if (status != MS_OK) {
    ck_assert_int_eq(status, MS_ERR_MEMORY);
    ck_assert_ptr_null(context);
    return NULL;
  }
  uint64_t all = 2 * plan->blocks * f->problem.variants;
  uint8_t *q = calloc(2, n), *part = calloc(2, n);
  ck_assert(q && part);
  /* two runs, the second of which begins within a repetition */
  uint64_t cut = all / 2 + plan->blocks / 2;
  ck_ok(backend->run(context, 0, cut, q, &err));
  uint64_t row = cut / plan->blocks / f->problem.variants;
  ck_ok(backend->run(context, cut, all, part, &err));
  for (size_t i = 0; i < (2 - row) * n; i++)
    q[row * n + i] ^= part[i];
  backend->close(context);
  free(part);
  return q;
}

/* The same; `memory`: of the device. */
static uint8_t *q_of(const ms_sieve_backend *backend, const fixture *f, uint64_t memory,
                     ms_budget *budget, ms_sieve_plan *plan)
{
  return q_with(backend, f,
                &(ms_sieve_config){.threads = 2, .gpu_memory = memory, .budget = budget}, plan);
}

typedef struct seen {
  uint32_t whole, blocks, on_host, refused;
} seen;

/* Compares at ever less memory, until the device is too small. */
static seen compare(const fixture *f, const char *what)
{
  seen s = {0};
  size_t bytes = 2 * (size_t)f->instance->n;
  ms_sieve_plan plan;
  uint8_t *cpu = q_of(&ms_sieve_backend_cpu, f, 0, NULL, &plan);
  ck_assert_ptr_nonnull(cpu);
  for (uint64_t memory = (uint64_t)1 << 20; s.refused == 0; memory -= memory / 5) {
    fake_most = fake_taken;
    uint8_t *gpu = q_of(&ms_sieve_backend_cuda, f, memory, NULL, &plan);
    ck_assert_uint_le(fake_most - fake_taken, memory);
    if (!gpu) {
      s.refused++;
      ck_assert_ptr_nonnull(strstr(err.message, "MiB of GPU memory"));
      break;
    }
    ck_assert_msg(memcmp(cpu, gpu, bytes) == 0, "%s: %llu bytes, %u blocks, %llu on the host", what,
                  (unsigned long long)memory, plan.vertex_blocks,
                  (unsigned long long)plan.host_bytes);
    s.whole += plan.vertex_blocks == 1;
    s.blocks += plan.vertex_blocks > 1 && plan.host_bytes == 0;
    s.on_host += plan.host_bytes > 0;
    free(gpu);
  }
  uint64_t nonzero = 0;
  for (size_t i = 0; i < bytes; i++)
    nonzero += cpu[i] != 0;
  ck_assert_uint_gt(nonzero, 0);
  free(cpu);
  return s;
}

/* Random edges, and two vertices that are joined to all others. */
static ms_graph *hub_graph(uint64_t state)
{
  enum { N = 600, M = 1000 };
  uint32_t edges[M + 2 * N][2];
  ms_graph *graph = NULL;
  for (uint32_t e = 0; e < M + 2 * N; e++) {
    edges[e][0] = e < M ? (uint32_t)(random_next(&state) % N) : (e - M) / N * (N / 2);
    edges[e][1] = e < M ? (uint32_t)(random_next(&state) % N) : (e - M) % N;
  }
  ck_ok(ms_graph_from_edges(N, M + 2 * N, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  return graph;
}

/* Regular graphs and graphs with hubs, motifs of 1, 5 and 8 slots: with less and less memory, down
 * to a refusal, Q stays the same; all three ways of holding the state occur. */
START_TEST(blocks_of_vertices)
{
  seen all = {0};
  static const uint32_t sizes[] = {1, 5, 8};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int hubs = 0; hubs < 2; hubs++) {
      ms_graph *graph = NULL;
      char what[32];
      snprintf(what, sizeof what, "size %u, hubs %d", sizes[i], hubs);
      if (hubs)
        graph = hub_graph(i);
      else
        ck_ok(ms_generate_regular(700, 6, i, &graph, &err));
      fixture f = fixture_of(graph, sizes[i], 4, MS_SIBLING);
      seen s = compare(&f, what);
      all.whole += s.whole;
      all.blocks += s.blocks;
      all.on_host += s.on_host;
      ck_assert_uint_gt(s.whole, 0);
      ck_assert_uint_eq(s.refused, 1);
      if (sizes[i] >= 5)
        ck_assert_uint_gt(s.blocks, 0);
      fixture_free(&f);
    }
  ck_assert_uint_gt(all.on_host, 3);
}
END_TEST

/* The same with rows in the last step, and with moments in their place, for all sizes that have
 * these. */
START_TEST(rows_and_moments)
{
  for (uint32_t size = 4; size <= 13; size++)
    for (int hubs = 0; hubs < (size < 9 ? 2 : 1); hubs++) {
      ms_graph *graph = NULL;
      ms_sieve_plan plan;
      if (hubs)
        graph = hub_graph(size);
      else
        ck_ok(ms_generate_regular(size > 9 ? 60 : 300, 6, size, &graph, &err));
      fixture f = fixture_of(graph, size, 4, MS_SIBLING);
      uint8_t *cpu = q_of(&ms_sieve_backend_cpu, &f, 0, NULL, &plan);
      for (int rows = 0; rows < 2; rows++) {
        ck_assert_int_eq(setenv("MOTIFSIEVE_GPU_LAST_STEP", rows ? "rows" : "moments", 1), 0);
        uint8_t *gpu = q_of(&ms_sieve_backend_cuda, &f, 0, NULL, &plan);
        ck_assert_msg(memcmp(cpu, gpu, 2 * (size_t)f.instance->n) == 0, "size %u, hubs %d, rows %d",
                      size, hubs, rows);
        free(gpu);
      }
      free(cpu);
      fixture_free(&f);
    }
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* The same with arcs asked for ahead and with chunks of 1 to 32 words; the plan says that the
 * chunks are as chosen. */
START_TEST(chunks_and_arcs)
{
  static const char *const words[] = {"1", "2", "4", "8", "16", "32"};
  static const uint32_t sizes[] = {4, 8, 11};
  for (uint32_t bits = 0; bits < 6; bits++) {
    ck_assert_int_eq(setenv("MOTIFSIEVE_GPU_CHUNK_WORDS", words[bits], 1), 0);
    ck_assert_int_eq(setenv("MOTIFSIEVE_GPU_ARCS", bits % 2 ? "ahead" : "at-once", 1), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      ms_graph *graph = NULL;
      ms_sieve_plan plan;
      if (i % 2)
        graph = hub_graph(i);
      else
        ck_ok(ms_generate_regular(120, 6, i, &graph, &err));
      fixture f = fixture_of(graph, sizes[i], 4, MS_SIBLING);
      uint8_t *cpu = q_of(&ms_sieve_backend_cpu, &f, 0, NULL, &plan);
      uint8_t *gpu = q_of(&ms_sieve_backend_cuda, &f, 0, NULL, &plan);
      uint64_t chunk = (uint64_t)1 << bits;
      ck_assert_uint_eq(plan.together, chunk < plan.blocks ? chunk : plan.blocks);
      ck_assert_msg(memcmp(cpu, gpu, 2 * (size_t)f.instance->n) == 0, "size %u, %s words", sizes[i],
                    words[bits]);
      free(cpu);
      free(gpu);
      fixture_free(&f);
    }
  }
  ck_assert_int_eq(unsetenv("MOTIFSIEVE_GPU_CHUNK_WORDS"), 0);
  ck_assert_int_eq(unsetenv("MOTIFSIEVE_GPU_ARCS"), 0);
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* Returns a graph of `n` vertices, or one with hubs. */
static ms_graph *graph_of(uint32_t n, bool hubs, uint64_t seed)
{
  ms_graph *graph = NULL;
  if (hubs)
    return hub_graph(seed);
  ck_ok(ms_generate_regular(n, 6, seed, &graph, &err));
  return graph;
}

/* Q is the CPU's, with both recurrences, for motifs of 1 to 11 slots, graphs of odd numbers of
 * vertices and graphs with hubs, in two runs that end within a repetition; and the plan says which
 * kernel it was. */
START_TEST(graphs_of_any_size)
{
  for (uint32_t size = 1; size <= 11; size++)
    for (int hubs = 0; hubs < (size < 8 ? 2 : 1); hubs++)
      for (int classic = 0; classic < (size < 9 ? 2 : 1); classic++) {
        ms_recurrence recurrence = classic ? MS_CLASSIC : MS_SIBLING;
        fixture f = fixture_of(graph_of(size > 8 ? 43 : 151, hubs, size), size, 4, recurrence);
        ms_sieve_plan plan;
        uint8_t *cpu = q_of(&ms_sieve_backend_cpu, &f, 0, NULL, &plan);
        uint64_t nonzero = 0;
        for (size_t i = 0; i < 2 * (size_t)f.instance->n; i++)
          nonzero += cpu[i] != 0;
        ck_assert_uint_gt(nonzero, 0);
        ms_sieve_config config = {.threads = 2, .kernel = "bitslice32-global"};
        uint8_t *gpu = q_with(&ms_sieve_backend_cuda, &f, &config, &plan);
        ck_assert_str_eq(plan.kernel, classic ? "bitslice32" : config.kernel);
        ck_assert_msg(memcmp(cpu, gpu, 2 * (size_t)f.instance->n) == 0,
                      "size %u, hubs %d, classic %d", size, hubs, classic);
        free(gpu);
        free(cpu);
        fixture_free(&f);
      }
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* Compares Q of the kernel for small graphs with the CPU's; returns false if the
 * graph does not fit. */
static bool compare_small(const fixture *f, const char *what)
{
  ms_sieve_plan plan;
  ms_sieve_config config = {.threads = 2, .kernel = "bitslice32-shared"};
  void *context = NULL;
  uint32_t n = f->instance->n;
  ms_status status = ms_sieve_backend_cuda.open(&f->problem, &config, 0, &context, &plan, &err);
  if (status != MS_OK) {
    ck_assert_ptr_nonnull(strstr(err.message, "do not fit a multiprocessor"));
    return false;
  }
  ms_sieve_backend_cuda.close(context);
  uint8_t *cpu = q_of(&ms_sieve_backend_cpu, f, 0, NULL, &plan);
  uint8_t *gpu = q_with(&ms_sieve_backend_cuda, f, &config, &plan);
  ck_assert_str_eq(plan.kernel, "bitslice32-shared");
  ck_assert_msg(memcmp(cpu, gpu, 2 * (size_t)n) == 0, "%s", what);
  free(gpu);
  free(cpu);
  return true;
}

/* Q of the kernel for small graphs is the CPU's, for motifs of 1 to 11 slots: of one colour each,
 * so that two vertices share their private rows, or of few colours and wildcards, where hardly any
 * do; for odd numbers of vertices of a colour, and for hubs.  A multiprocessor has ever less
 * memory, so that more of the rows are elsewhere, and a group has fewer of them. */
START_TEST(small_graphs)
{
  static const uint64_t shared[] = {227 << 10, 48 << 10, 26 << 10, 14 << 10};
  uint32_t fit = 0;
  fake_shared = shared[_i];
  for (uint32_t size = 1; size <= 11; size++)
    for (int kind = 0; kind < 4; kind++) {
      char what[64];
      bool hubs = kind == 3, single = kind != 1;
      if (hubs && size > 7)
        continue;
      snprintf(what, sizeof what, "size %u, kind %d, %llu bytes", size, kind,
               (unsigned long long)fake_shared);
      fixture f = fixture_with(graph_of(size > 9    ? 43
                                        : kind == 2 ? 200
                                                    : 101,
                                        hubs, size),
                               size, single ? size : 4, !single, MS_SIBLING);
      fit += compare_small(&f, what);
      fixture_free(&f);
    }
  ck_assert_uint_ge(fit, _i < 1 ? 40 : _i < 2 ? 33 : 20);
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* An unknown kernel is refused, with the names of all. */
START_TEST(unknown_kernels)
{
  static const char *const kernels[] = {"bitslice32", "bitslice32-shared", "bitslice32-global"};
  ms_sieve_plan plan;
  void *context = NULL;
  ms_sieve_config unknown = {.kernel = "packed32"};
  fixture f = fixture_of(graph_of(40, false, 1), 5, 3, MS_SIBLING);
  ck_assert_int_eq(ms_sieve_backend_cuda.open(&f.problem, &unknown, 0, &context, &plan, &err),
                   MS_ERR_USAGE);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    ck_assert_ptr_nonnull(strstr(err.message, kernels[i]));
  ck_assert_ptr_null(context);
  fixture_free(&f);
}
END_TEST

/* The classic recurrence has no blocks of vertices: it is refused with what to do. */
START_TEST(classic_is_refused)
{
  ms_graph *graph = NULL;
  ck_ok(ms_generate_regular(700, 6, 1, &graph, &err));
  fixture f = fixture_of(graph, 5, 4, MS_CLASSIC);
  seen s = compare(&f, "classic");
  ck_assert(s.whole > 0 && s.blocks == 0 && s.on_host == 0 && s.refused == 1);
  fixture_free(&f);
}
END_TEST

/* The state that stays with the host counts against the budget, and is given back. */
START_TEST(host_state_is_in_the_budget)
{
  ms_graph *graph = NULL;
  ms_sieve_plan plan;
  ck_ok(ms_generate_regular(800, 6, 1, &graph, &err));
  fixture f = fixture_of(graph, 8, 4, MS_SIBLING);
  uint64_t memory = (uint64_t)1 << 20;
  uint8_t *q = NULL;
  do { /* the first size at which the state goes to the host */
    free(q);
    memory -= memory / 12;
    q = q_of(&ms_sieve_backend_cuda, &f, memory, NULL, &plan);
    ck_assert_ptr_nonnull(q);
  } while (plan.host_bytes == 0);
  free(q);
  ms_budget budget;
  ms_budget_open(&budget, plan.host_bytes);
  uint64_t left = ms_budget_left(&budget);
  q = q_of(&ms_sieve_backend_cuda, &f, memory, &budget, &plan);
  ck_assert_ptr_nonnull(q);
  ck_assert_uint_eq(ms_budget_left(&budget), left);
  free(q);
  ms_budget_open(&budget, plan.host_bytes - 1);
  ck_assert_ptr_null(q_of(&ms_sieve_backend_cuda, &f, memory, &budget, &plan));
  ck_assert_ptr_nonnull(strstr(err.message, "keeps"));
  ck_assert_uint_eq(fake_taken, 0);
  fixture_free(&f);
}
END_TEST

/* The other tests have the kernels for graphs of any size for small graphs, too. */
static void no_shared_memory(void)
{
  fake_shared = 0;
}

TEST_MAIN("emulated GPU: sieve", AROUND_EACH(no_shared_memory, NULL), TEST_TIMES(small_graphs, 4),
          TEST(blocks_of_vertices), TEST(rows_and_moments), TEST(chunks_and_arcs),
          TEST(graphs_of_any_size), TEST(unknown_kernels), TEST(classic_is_refused),
          TEST(host_state_is_in_the_budget))
