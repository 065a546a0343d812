/* The sieve on an emulated GPU against the CPU's: Q is equal to the bit whether the graph fits the
 * device's memory, goes through it in blocks of vertices, or leaves its state with the host. */
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

/* takes the graph */
static fixture fixture_of(ms_graph *graph, uint32_t k, uint32_t colors, ms_recurrence recurrence)
{
  fixture f = {.graph = graph};
  char text[256];
  size_t used = 0;
  for (uint32_t i = 0; i < k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, i % 3 == 2 ? "%s*" : "%sc%u",
                             i ? "," : "", i % colors);
  ck_ok(ms_generate_colors(graph, colors, 1, &f.colors, &err));
  ck_ok(ms_motif_parse(text, f.colors, &f.motif, &err));
  ck_ok(ms_query_new(f.graph, f.colors, f.motif, 0, NULL, &f.query, &err));
  ck_ok(ms_instance_new(f.query, 2, &f.instance, &err));
  ck_ok(ms_sieve_problem_init(&f.problem, f.instance, k, recurrence, 7, 2, &err));
  return f;
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

/* Returns Q of two repetitions, [2][n], or NULL where the device is too small (err); `memory`: of
 * the device. */
static uint8_t *q_of(const ms_sieve_backend *backend, const fixture *f, uint64_t memory,
                     ms_budget *budget, ms_sieve_plan *plan)
{
  ms_sieve_config config = {.threads = 2, .gpu_memory = memory, .budget = budget};
  void *context = NULL;
  uint32_t n = f->instance->n;
  ms_status status = backend->open(&f->problem, &config, 0, &context, plan, &err);
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

TEST_MAIN("emulated GPU: sieve", TEST(blocks_of_vertices), TEST(rows_and_moments),
          TEST(chunks_and_arcs), TEST(classic_is_refused), TEST(host_state_is_in_the_budget))
