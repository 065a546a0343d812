/* Books, which are counted by the codegrees of edges (gpu/match/dfs/dfs_local_block.cuh). */
#include "gpu/match/program.h"
#include "match/engine.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOOKS = 60, MOST_PAGES = 4 };

/* Returns the book of this number of triangles, which share the edge 0-1. */
static ms_pattern *book_of(uint32_t pages)
{
  uint32_t edge[1 + 2 * MOST_PAGES][2] = {{0, 1}}, m = 1;
  ms_pattern *pattern;
  for (uint32_t page = 2; page < 2 + pages; page++)
    for (uint32_t end = 0; end < 2; end++, m++) {
      edge[m][0] = end;
      edge[m][1] = page;
    }
  ck_assert_int_eq(
      ms_pattern_from_edges(2 + pages, m, (const uint32_t(*)[2])edge, false, NULL, &pattern, NULL),
      MS_OK);
  return pattern;
}

/* Gives each vertex of the graph one of three colours, and makes each pattern vertex accept some:
 * all pages the same. */
static ms_coloring *color(uint64_t *state, const ms_graph *graph, ms_pattern *pattern)
{
  static const char *const names[] = {"c0", "c1", "c2"};
  uint32_t n = ms_graph_describe(graph).vertices, (*pair)[2] = malloc(n * sizeof *pair);
  uint32_t of_pages = (uint32_t)random_below(state, 3);
  ms_coloring *coloring;
  for (uint32_t v = 0; v < n; v++) {
    pair[v][0] = v;
    pair[v][1] = (uint32_t)random_below(state, 3);
  }
  ck_assert_int_eq(
      ms_coloring_from_pairs(graph, n, (const uint32_t(*)[2])pair, 3, names, &coloring, NULL),
      MS_OK);
  free(pair);
  for (uint32_t i = 0; i < ms_pattern_size(pattern); i++)
    for (uint32_t c = 0; c < 3; c++)
      if (i < 2 ? c == i || random_below(state, 3) == 0 : c == of_pages)
        ck_assert_int_eq(ms_pattern_accept(pattern, i, names[c], NULL), MS_OK);
  return coloring;
}

static bool is_of_codegrees(const ms_program *program)
{
  ms_packed_program packed;
  ck_assert_int_eq(ms_packed_program_new(program, &packed, NULL), MS_OK);
  bool codegrees = packed.program.codegrees;
  ms_packed_program_free(&packed);
  return codegrees;
}

/* Compiles the plan with the pages as the tail; NULL if they do not come last. */
static ms_program *count_pages(const subject *s, const ms_plan *plan)
{
  ms_program_options options = {0};
  ms_program *program;
  for (uint32_t level = 0; level < s->shape.n; level++)
    if ((plan->level[level].vertex < 2) != (level < 2))
      return NULL;
  for (uint32_t i = 2; i < s->shape.n; i++)
    ms_bitset_add(&options.tail, i);
  ck_assert_int_eq(ms_program_new(s->index, plan, s->domains.of, &options, &program, NULL), MS_OK);
  return program;
}

/* Compares the engine with the CPU's.  True if it counted by codegrees. */
static bool check_book(uint64_t seed)
{
  uint64_t state = seed;
  subject s = {.seed = seed};
  ms_plan *plan;
  ms_pattern *pattern = book_of(2 + seed % (MOST_PAGES - 1));
  ms_graph *graph = random_graph(&state, 40 + (uint32_t)seed, 150, (uint32_t)seed % 4);
  ms_coloring *coloring = seed % 2 ? color(&state, graph, pattern) : NULL;
  subject_make(&s, graph, coloring, pattern, false);
  vary(seed);
  ms_program_free(visit_all(&s, seed % 3 > 0, &plan));
  ms_program *program = count_pages(&s, plan);
  bool codegrees = program && is_of_codegrees(program);
  if (program) {
    ms_pattern_task task = {.program = program, .threads = 1, .devices = gpus};
    mpz_t sum, of_cpu;
    mpz_inits(sum, of_cpu, NULL);
    must(&s, engine->count(&task, sum, NULL) == MS_OK);
    must(&s, ms_pattern_engine_cpu.count(&task, of_cpu, NULL) == MS_OK);
    must(&s, mpz_cmp(sum, of_cpu) == 0);
    mpz_clears(sum, of_cpu, NULL);
  }
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_coloring_free(coloring);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
  return codegrees;
}

/* Books of 2 to 4 triangles are counted as by the CPU: 60 random graphs with up to three hubs,
 * every other one with colours; at least half of the cases count codegrees. */
START_TEST(test_books)
{
  uint64_t codegrees = 0;
  for (uint64_t seed = enter(_i); seed < scaled(BOOKS); seed++)
    codegrees += check_book(seed);
  ck_assert_uint_ge(2 * codegrees, scaled(BOOKS));
}
END_TEST

void add_codegree_tests(int number)
{
  add_test(number, test_books, 1);
}
