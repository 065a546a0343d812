/* Programs whose tail is looked up at an edge of the table's vertices
 * (gpu/match/dfs/dfs_block.cuh), and roots that are screened (gpu/match/dfs/dfs_local_block.cuh).
 */
#include "base/hooks.h"
#include "gpu/match/program.h"
#include "match/engine.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"

#include <math.h>

enum { JOINED = 24, SCREENED = 40 };

/* Returns the program of 5-cycles that visits a root and an opposite edge; with `priority`, of
 * those whose root is the largest vertex. */
static ms_program *program_of(const subject *s, bool priority, ms_plan **plan)
{
  static const uint8_t order[] = {0, 2, 3, 1, 4};
  ms_program_options options = {.table = true, .product = true, .priority = priority};
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .square_degrees = s->index->square_degrees,
                         .fixed = order,
                         .constrain = true,
                         .largest_first = true,
                         .constrained = 3};
  ms_program *program;
  for (uint32_t i = 0; i < 5; i++)
    input.domain[i] = s->domains.of[i].count;
  ms_bitset_add(&options.tail, 1);
  ms_bitset_add(&options.tail, 4);
  ck_assert_int_eq(ms_plan_new(&s->shape, &input, plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(s->index, *plan, s->domains.of, &options, &program, NULL), MS_OK);
  return program;
}

static void check_program(const subject *s, const ms_program *program)
{
  ms_packed_program packed;
  ms_pattern_task task = {.program = program, .threads = 1, .devices = gpus};
  mpz_t sum, of_cpu;
  mpz_inits(sum, of_cpu, NULL);
  must(s, ms_packed_program_new(program, &packed, NULL) == MS_OK);
  must(s, packed.program.joined);
  ms_packed_program_free(&packed);
  must(s, engine->count(&task, sum, NULL) == MS_OK);
  must(s, ms_pattern_engine_cpu.count(&task, of_cpu, NULL) == MS_OK);
  must(s, mpz_cmp(sum, of_cpu) == 0);
  must(s, mpz_sgn(sum) > 0);
  mpz_clears(sum, of_cpu, NULL);
}

/* Sums of 5-cycles are those of the CPU, in random graphs with up to three hubs, whose rows are
 * long; the roots belong to warps, to blocks, or to both. */
START_TEST(test_joined)
{
  for (uint64_t seed = enter(_i); seed < scaled(JOINED); seed++) {
    uint64_t state = seed;
    subject s = {.seed = seed};
    ms_pattern *pattern;
    ms_plan *plan;
    uint32_t n = 30 + 5 * (uint32_t)seed;
    ms_graph *graph = random_graph(&state, n, 3 * n, (uint32_t)seed % 4);
    ck_assert_int_eq(ms_pattern_named("cycle:5", &pattern, NULL), MS_OK);
    subject_make(&s, graph, NULL, pattern, false);
    vary(seed);
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS; /* a large program has no table */
    ms_program *program = program_of(&s, seed % 2 == 0, &plan);
    check_program(&s, program);
    ms_program_free(program);
    ms_plan_free(plan);
    subject_free(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

/* Cliques and diamonds are counted as by the CPU where all small roots are screened: in graphs with
 * many triangles, and in sparse ones with more neighbours of 32 roots than a filter takes. */
START_TEST(test_screened)
{
  static const char *const names[] = {"clique:4", "clique:5", "diamond", "clique:6"};
  for (uint64_t seed = enter(_i); seed < scaled(SCREENED); seed++) {
    uint64_t state = seed;
    subject s = {.seed = seed};
    ms_pattern *pattern;
    uint32_t n = seed % 5 == 0 ? 300 : 20 + 2 * (uint32_t)seed;
    ms_graph *graph =
        random_graph(&state, n, n * (seed % 5 == 0 ? 30 : 3 + (uint32_t)(seed % 9)), seed % 3);
    ck_assert_int_eq(ms_pattern_named(names[seed % 4], &pattern, NULL), MS_OK);
    subject_make(&s, graph, NULL, pattern, false);
    vary(seed);
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
    ms_hooks.gpu_dfs_warp_degree = seed % 3 == 0 ? 10 : 128;
    ms_hooks.gpu_dfs_screen_edges = INFINITY;
    mpz_t maps, of_cpu;
    mpz_inits(maps, of_cpu, NULL);
    must(&s, count_within(&s, engine, 0, maps, NULL) == MS_OK);
    must(&s, count_within(&s, &ms_pattern_engine_cpu, 0, of_cpu, NULL) == MS_OK);
    must(&s, mpz_cmp(maps, of_cpu) == 0);
    mpz_clears(maps, of_cpu, NULL);
    subject_free(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

void add_joined_tests(int number)
{
  add_test(number, test_joined, 1);
  add_test(number, test_screened, 1);
}
