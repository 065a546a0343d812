/* The sieve where two vertices may share a line (sieve/halves.h), against the kernels in which none
 * does. */
#include "base/budget.h"
#include "base/hooks.h"
#include "gf2/gf2.h"
#include "sieve/backend.h"
#include "sieve/cpu_time.h"
#include "sieve/halves.h"
#include "sieve/kernels/kernel.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

enum {
  SOME_VERTICES = 400,
  MOST_VERTICES = 3000,
  MOST_EDGES = 8 * MOST_VERTICES,
  MOST_COLORS = 17,
  REPETITIONS = 2
};

typedef struct fixture {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  ms_sieve_problem problem;
} fixture;

/* Makes a random graph of fewer than `most` vertices, in which most vertices have one colour, some
 * two and some none, and a problem of k slots of which some may have the same colour or any. */
static void make(uint64_t seed, uint32_t k, uint32_t most, fixture *f)
{
  static uint32_t edges[MOST_EDGES][2], pairs[2 * MOST_VERTICES][2];
  static char names[MOST_COLORS][16];
  const char *name[MOST_COLORS];
  char text[1024] = "";
  uint32_t n = 40 + random_below(&seed, most - 40), count = 0;
  uint32_t colors = random_below(&seed, 2) ? k : 1 + random_below(&seed, k);
  uint64_t m = n * (1 + random_below(&seed, 8));
  ms_error err;
  for (uint64_t e = 0; e < m; e++) {
    edges[e][0] = random_below(&seed, n);
    edges[e][1] = (edges[e][0] + 1 + random_below(&seed, n - 1)) % n;
  }
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t i = 0, times = random_below(&seed, 10); i < (times > 8 ? 2u : times > 0); i++) {
      pairs[count][0] = v;
      pairs[count++][1] = random_below(&seed, colors);
    }
  for (uint32_t c = 0; c < colors; c++) {
    snprintf(names[c], sizeof names[c], "c%u", c);
    name[c] = names[c];
  }
  bool any = random_below(&seed, 8) == 0;
  for (uint32_t d = 0; d < k; d++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", d ? "," : "",
             any && d == 0 ? "*" : names[d % colors]);
  ck_ok(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edges, NULL, &f->graph, &err));
  ck_ok(ms_coloring_from_pairs(f->graph, count, (const uint32_t(*)[2])pairs, colors, name,
                               &f->coloring, &err));
  ck_ok(ms_motif_parse(text, f->coloring, &f->motif, &err));
  /* every fourth query has a required vertex */
  char number[16];
  const char *required = number;
  snprintf(number, sizeof number, "%u", pairs[random_below(&seed, count)][0]);
  ck_ok(ms_query_new(f->graph, f->coloring, f->motif, random_below(&seed, 4) == 0, &required,
                     &f->query, &err));
  ck_ok(ms_instance_new(f->query, 1, &f->instance, &err));
  if (!f->instance->impossible)
    ck_ok(ms_sieve_problem_init(&f->problem, f->instance, k, MS_SIBLING, seed, 1, &err));
}

static void clear(fixture *f)
{
  if (!f->instance->impossible)
    ms_sieve_problem_clear(&f->problem);
  ms_instance_free(f->instance);
  ms_query_free(f->query);
  ms_motif_free(f->motif);
  ms_coloring_free(f->coloring);
  ms_graph_free(f->graph);
}

static uint64_t memory_bound; /* bytes of the next runs; 0: no bound */

/* Computes q [REPETITIONS][n] in ranges of units that are `step` long, with lines that do not fit
 * `cache` bytes, and threads that share blocks if these lines do not fit `shared` bytes.  */
static void run_with(const fixture *f, const char *kernel, uint64_t cache, uint64_t shared,
                     int threads, uint64_t step, ms_sieve_plan *plan, uint8_t *q)
{
  uint32_t n = f->instance->n;
  ms_sieve_config config = {.threads = threads, .kernel = kernel};
  ms_error err;
  void *context;
  ms_budget budget;
  if (memory_bound > 0) {
    ms_budget_open(&budget, memory_bound);
    config.budget = &budget;
  }
  ms_hooks.sieve_cache = cache;
  ms_hooks.sieve_shared_cache = shared;
  ck_ok(ms_sieve_backend_cpu.open(&f->problem, &config, 0, &context, plan, &err));
  ms_hooks = ms_hooks_default;
  uint64_t blocks = plan->blocks * f->problem.variants, units = REPETITIONS * blocks;
  memset(q, 0, REPETITIONS * (size_t)n);
  step = step ? step : units;
  for (uint64_t first = 0; first < units; first += step) {
    uint64_t last = first + step < units ? first + step : units;
    static uint8_t part[REPETITIONS * MOST_VERTICES];
    memset(part, 0, sizeof part);
    ck_ok(ms_sieve_backend_cpu.run(context, first, last, part, &err));
    uint64_t from = first / blocks, to = (last - 1) / blocks;
    for (uint64_t i = 0; i < (to - from + 1) * n; i++)
      q[from * n + i] ^= part[i];
  }
  ms_sieve_backend_cpu.close(context);
}

/* The same where threads have blocks of their own.  Returns the bytes of the state. */
static uint64_t run(const fixture *f, const char *kernel, uint64_t cache, int threads,
                    uint64_t step, uint8_t *q)
{
  ms_sieve_plan plan;
  run_with(f, kernel, cache, UINT64_MAX, threads, step, &plan, q);
  return plan.state_bytes;
}

/* Returns the kernels of this machine in which two vertices may share a line. */
static uint32_t halved_kernels(const char **names)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (kernel->available() && kernel->halves && kernel->halves->available())
      names[count++] = kernel->path;
  }
  return count;
}

/* Q is the same as that of whole lines: 200 random problems of 7 to 17 slots, with colours in
 * common, with vertices of several colours and of none, with required vertices, on 1 and 3 threads,
 * whole and in ranges; each kernel in turn. */
START_TEST(q_is_the_same)
{
  static uint8_t whole[REPETITIONS * MOST_VERTICES], halved[REPETITIONS * MOST_VERTICES];
  const char *names[8];
  uint32_t kernels = halved_kernels(names), compared = 0, values = 0;
  if (kernels == 0) {
    puts("SKIPPED: sieve_halves: on this processor no two vertices share a line");
    return;
  }
  for (uint64_t seed = 1; seed <= scaled(200); seed++) {
    uint32_t k = seed % 200 == 99 ? 17 : MS_HALVES_LEAST_SIZE + (uint32_t)(seed % 7);
    const char *name = names[seed % kernels];
    fixture f;
    make(seed, k, SOME_VERTICES, &f);
    if (!f.instance->impossible) {
      uint32_t n = f.instance->n;
      uint64_t all = run(&f, seed % 5 ? name : "bitslice64", UINT64_MAX, 1, 0, whole);
      uint64_t some = run(&f, name, 1, seed / 3 % 3 ? 1 : 3, seed % 4 ? 0 : 3, halved);
      ck_assert_msg(memcmp(whole, halved, REPETITIONS * (size_t)n) == 0, "seed %llu: k = %u, %s",
                    (unsigned long long)seed, k, name);
      compared += some != all;
      for (uint32_t i = 0; i < n; i++)
        values += whole[i] != 0;
    }
    clear(&f);
  }
  /* about a third of them share lines */
  ck_assert_uint_ge(8 * compared + 8, scaled(200));
  ck_assert_uint_gt(values, 0);
}
END_TEST

/* Q is the same where 2 to 7 threads share each block, whose steps have up to a dozen parts: random
 * problems as above, but larger, whole and in ranges; each kernel in turn. */
START_TEST(threads_share_blocks)
{
  static uint8_t alone[REPETITIONS * MOST_VERTICES], together[REPETITIONS * MOST_VERTICES];
  const char *names[8];
  uint32_t kernels = halved_kernels(names), compared = 0, values = 0, cases = (uint32_t)scaled(60);
  if (kernels == 0) {
    puts("SKIPPED: sieve_halves: on this processor no two vertices share a line");
    return;
  }
  for (uint64_t seed = 1; seed <= cases; seed++) {
    uint32_t k = MS_HALVES_LEAST_SIZE + (uint32_t)(seed % 5);
    const char *name = names[seed % kernels];
    ms_sieve_plan plan, own;
    fixture f;
    make(2000 + seed, k, MOST_VERTICES, &f);
    if (!f.instance->impossible) {
      uint32_t n = f.instance->n;
      uint64_t step = seed % 3 ? 0 : 1 + seed % 5;
      run_with(&f, name, 1, UINT64_MAX, 1, 0, &own, alone);
      run_with(&f, name, 1, 1, 2 + (int)(seed % 6), step, &plan, together);
      ck_assert_msg(memcmp(alone, together, REPETITIONS * (size_t)n) == 0, "seed %llu: k = %u, %s",
                    (unsigned long long)seed, k, name);
      /* a block's lines once, whatever the number of threads */
      compared += plan.threads > 1 && plan.memory < own.memory + 2 * own.state_bytes + 100000;
      for (uint32_t i = 0; i < n; i++)
        values += alone[i] != 0;
    }
    clear(&f);
  }
  ck_assert_uint_ge(8 * compared + 8, cases);
  ck_assert_uint_gt(values, 0);
}
END_TEST

/* Q is the same where step 2 is taken from quadratic forms (sieve/quadratic.h), and where it is not
 * because vertices have many labels or the match is large: random problems of the bit-sliced kernel
 * of 7 to 13 slots, on 1 thread and on 3 that share blocks.  It is the same, too, where memory
 * suffices for step 2 from rows alone. */
START_TEST(quadratic_forms)
{
  static uint8_t whole[REPETITIONS * MOST_VERTICES], halved[REPETITIONS * MOST_VERTICES];
  static uint8_t bounded[REPETITIONS * MOST_VERTICES];
  const ms_sieve_kernel *kernel = NULL;
  uint32_t quadratic = 0, others = 0, cases = (uint32_t)scaled(140);
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *k = ms_sieve_kernel_at(i);
    if (k->available() && k->halves && k->halves->is_quadratic && k->halves->available())
      kernel = k;
  }
  if (!kernel) {
    puts("SKIPPED: sieve_halves: on this processor no kernel has quadratic forms");
    return;
  }
  for (uint64_t seed = 1; seed <= cases; seed++) {
    fixture f;
    make(4000 + seed, MS_HALVES_LEAST_SIZE + (uint32_t)(seed % 7), SOME_VERTICES, &f);
    if (!f.instance->impossible) {
      ms_sieve_plan plan;
      run(&f, "bitslice64", UINT64_MAX, 1, 0, whole);
      run_with(&f, kernel->path, 1, 1, seed % 3 ? 1 : 3, seed % 4 ? 0 : 1 + seed % 5, &plan,
               halved);
      ck_assert_msg(memcmp(whole, halved, REPETITIONS * (size_t)f.instance->n) == 0, "seed %llu",
                    (unsigned long long)seed);
      ms_hooks.sieve_cache = 1;
      ms_sieve_shape shape = ms_sieve_cpu_shape(&f.problem, kernel, 0);
      ms_hooks = ms_hooks_default;
      quadratic += shape.is_quadratic;
      if (shape.is_quadratic &&
          seed % 3) { /* forms take more memory, and are left out for lack of it */
        memory_bound = plan.memory - 1;
        run_with(&f, kernel->path, 1, UINT64_MAX, 1, 0, &plan, bounded);
        ck_assert_uint_le(plan.memory, memory_bound);
        ck_assert_msg(memcmp(whole, bounded, REPETITIONS * (size_t)f.instance->n) == 0,
                      "seed %llu with less memory", (unsigned long long)seed);
        memory_bound = 0;
      }
      others += shape.is_halved && !shape.is_quadratic;
    }
    clear(&f);
  }
  ck_assert_uint_ge(8 * quadratic + 8, cases);
  ck_assert_uint_ge(40 * others + 40, cases);
}
END_TEST

/* Returns whether two vertices share a line. */
static bool is_halved(const ms_sieve_problem *problem, const char *name)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++)
    if (strcmp(ms_sieve_kernel_at(i)->path, name) == 0)
      return ms_sieve_cpu_shape(problem, ms_sieve_kernel_at(i), 0).is_halved;
  return false;
}

/* A memory bound that has no room for a block of each thread leaves all threads at work on one
 * block. */
START_TEST(little_memory)
{
  const char *names[8];
  uint64_t all_bytes = 0, one_bytes = 0;
  if (halved_kernels(names) == 0) {
    puts("SKIPPED: sieve_halves: on this processor no two vertices share a line");
    return;
  }
  for (uint64_t seed = 1; seed <= 100 && one_bytes == 0; seed++) {
    fixture f;
    make(3000 + seed, MS_HALVES_LEAST_SIZE, MOST_VERTICES, &f);
    if (!f.instance->impossible) {
      ms_sieve_config config = {.threads = 8, .kernel = names[0]};
      ms_sieve_plan plan, bounded;
      ms_error err;
      void *context;
      ms_hooks.sieve_cache = 1;
      ms_hooks.sieve_shared_cache = UINT64_MAX;
      ck_ok(ms_sieve_backend_cpu.open(&f.problem, &config, 0, &context, &plan, &err));
      ms_sieve_backend_cpu.close(context);
      all_bytes = plan.memory;
      if (is_halved(&f.problem, names[0]) && plan.state_bytes > (1 << 20)) {
        ms_budget budget;
        ms_budget_open(&budget, all_bytes / 2);
        config.budget = &budget;
        ck_ok(ms_sieve_backend_cpu.open(&f.problem, &config, 0, &context, &bounded, &err));
        ms_sieve_backend_cpu.close(context);
        one_bytes = bounded.memory;
        ck_assert_int_eq(bounded.threads, 8);
      }
      ms_hooks = ms_hooks_default;
    }
    clear(&f);
  }
  ck_assert_uint_gt(one_bytes, 0);
  ck_assert_uint_le(one_bytes, all_bytes / 2);
}
END_TEST

/* Each place belongs to a vertex, each vertex has one, those of a bit follow one another, and the
 * lists have all heads: 100 random problems with 6 or 7 inner bits. */
START_TEST(lists_are_whole)
{
  for (uint64_t seed = 1; seed <= 100; seed++) {
    fixture f;
    ms_sieve_halves *h;
    ms_error err;
    uint32_t slots, places, bits = 6 + (uint32_t)(seed % 2);
    make(1000 + seed, MS_HALVES_LEAST_SIZE, SOME_VERTICES, &f);
    if (f.instance->impossible) {
      clear(&f);
      continue;
    }
    ck_ok(ms_sieve_halves_new(&f.problem, bits, 1 + (int)(seed % 3), &h, &err));
    ms_sieve_halves_count(&f.problem, bits, &slots, &places);
    ck_assert_uint_eq(slots, h->pairs + h->full);
    ck_assert_uint_eq(places, ms_sieve_places(h));
    uint64_t heads = 0;
    for (uint32_t p = 0, bit = 0; p < places; p++) {
      uint32_t v = h->vertex[p], at = h->place[v];
      while (bit < bits && p / 2 >= h->pair_end[bit])
        bit++;
      ck_assert_uint_eq(ms_sieve_half_bit(&f.problem, bits, v), bit);
      ck_assert(at == p || (bit < bits && p % 2 == 1 && at == p - 1));
      uint64_t own = h->half[p].count + h->whole[p + 1] - h->whole[p];
      uint64_t degree = f.instance->offset[v + 1] - f.instance->offset[v];
      ck_assert_uint_eq(own, at == p ? degree : 0);
      for (uint32_t i = 0; i < h->half[p].count; i++) {
        uint32_t head = h->half_head[h->half[p].first + i];
        ck_assert_uint_eq(ms_sieve_half_bit(&f.problem, bits, h->vertex[head >> 3]), head & 7);
      }
      for (uint64_t i = h->whole[p]; i < h->whole[p + 1]; i++)
        ck_assert_uint_eq(h->whole_active[i], f.problem.active[h->vertex[h->whole_head[i]]]);
      heads += own;
    }
    ck_assert_uint_eq(heads, f.instance->arcs);
    ms_sieve_halves_free(h);
    clear(&f);
  }
}
END_TEST

TEST_MAIN("sieve with halved vertices", TEST(q_is_the_same), TEST(threads_share_blocks),
          TEST(quadratic_forms), TEST(little_memory), TEST(lists_are_whole))
