/* Counts that may pass to a second engine, as auto passes them to a GPU that has started: the
 * number is the same however much it takes the second engine to start, and both engines count. */
#include "base/hooks.h"
#include "base/status.h"
#include "graph/generate/generate.h"
#include "match/count/count.h"
#include "match/count/count_choice.h"
#include "match/count/factor.h"
#include "match/probe.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>

enum { VERTICES = 60, MOST_EDGES = 600, MOST_COLORS = 4, MOST_PATTERN = 6 };

/* ---- an engine that stands for a GPU's ------------------------------------------------ */

static uint32_t counted;

static int one_device(void)
{
  return 1;
}

static double weigh(const ms_program *program, double steps)
{
  (void)program;
  return 0.01 * steps;
}

static ms_status count_by_cpu(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  counted++;
  return ms_pattern_engine_cpu.count(task, sum, err);
}

static ms_status lack_memory(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  (void)task;
  (void)sum;
  (void)err;
  counted++;
  return MS_ERR_MEMORY;
}

/* It counts nothing, so that the work of a count is that of the processors. */
static ms_status count_nothing(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  (void)task;
  (void)err;
  counted++;
  mpz_set_ui(sum, 0);
  return MS_OK;
}

static const ms_pattern_engine idle = {
    .name = "idle", .devices = one_device, .weigh = weigh, .count = count_nothing};
static const ms_pattern_engine second = {
    .name = "second", .devices = one_device, .weigh = weigh, .count = count_by_cpu};
static const ms_pattern_engine without_memory = {
    .name = "without memory", .devices = one_device, .weigh = weigh, .count = lack_memory};

static bool may_have_one(void)
{
  return true;
}

/* Engines that race with the processors. */
static const ms_pattern_engine racing[] = {{.name = "racing",
                                            .devices = one_device,
                                            .may_have_devices = may_have_one,
                                            .weigh = weigh,
                                            .count = count_by_cpu},
                                           {.name = "racing without memory",
                                            .devices = one_device,
                                            .may_have_devices = may_have_one,
                                            .weigh = weigh,
                                            .count = lack_memory}};

/* ---- cases ----------------------------------------------------------------------------- */

static ms_status make_graph(uint64_t *seed, uint32_t colors, ms_graph **graph,
                            ms_coloring **coloring, ms_error *err)
{
  uint32_t edge[MOST_EDGES][2], m = 0, n = 10 + random_below(seed, VERTICES - 10);
  uint32_t wanted = n + random_below(seed, MOST_EDGES - VERTICES);
  while (m < wanted) {
    uint32_t u = random_below(seed, n), v = random_below(seed, n);
    if (u == v)
      continue;
    edge[m][0] = u;
    edge[m++][1] = v;
  }
  MS_TRY(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, graph, err));
  return ms_generate_colors(*graph, colors, random_next(seed), coloring, err);
}

/* A connected pattern whose vertices accept one colour each, or any. */
static ms_status make_pattern(uint64_t *seed, uint32_t colors, ms_pattern **out, ms_error *err)
{
  uint32_t edge[MOST_PATTERN * MOST_PATTERN][2], m = 0;
  uint32_t n = 3 + random_below(seed, MOST_PATTERN - 2), percent = 20 * random_below(seed, 5);
  for (uint32_t v = 1; v < n; v++) {
    uint32_t joined = random_below(seed, v);
    for (uint32_t u = 0; u < v; u++)
      if (u == joined || random_below(seed, 100) < percent) {
        edge[m][0] = u;
        edge[m++][1] = v;
      }
  }
  MS_TRY(ms_pattern_from_edges(n, m, (const uint32_t(*)[2])edge, false, NULL, out, err));
  for (uint32_t v = 0; v < n; v++) {
    char name[16];
    snprintf(name, sizeof name, "c%u", random_below(seed, colors));
    if (random_below(seed, 4) > 0)
      MS_TRY(ms_pattern_accept(*out, v, name, err));
  }
  return MS_OK;
}

static void count(const ms_pattern_index *index, const ms_pattern *pattern,
                  const ms_pattern_engine *large, double start, bool *used, mpz_t maps)
{
  ms_error err = {0};
  ms_shape shape;
  ms_domains domains;
  ms_count_report report = {0};
  ms_count_query query = {.index = index,
                          .domains = &domains,
                          .engine = &ms_pattern_engine_cpu,
                          .threads = 1,
                          .large = large,
                          .large_start = start,
                          .effort = {0, 1e5, NULL},
                          .report = &report};
  ms_shape_of(pattern, false, &shape);
  ck_assert_int_eq(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, &err), MS_OK);
  mpz_set_ui(maps, 0);
  if (!domains.empty)
    ck_assert_msg(ms_count_maps(&query, &shape, maps, &err) == MS_OK, "%s", err.message);
  *used = report.used_large;
  ms_domains_free(&domains);
}

/* A graph with colours and a pattern, and what a count of it needs. */
typedef struct subject {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
} subject;

/* Makes the rest of a subject with a graph, colours and a pattern. */
static void subject_finish(subject *s)
{
  ck_assert_int_eq(ms_pattern_index_new(s->graph, s->coloring, 1, &s->index, NULL), MS_OK);
  ms_shape_of(s->pattern, false, &s->shape);
  ck_assert_int_eq(ms_domains_on(NULL, s->index, s->pattern, &s->shape, NULL, 1, &s->domains, NULL),
                   MS_OK);
}

static void subject_free(subject *s)
{
  ms_domains_free(&s->domains);
  ms_pattern_index_free(s->index);
  ms_pattern_free(s->pattern);
  ms_coloring_free(s->coloring);
  ms_graph_free(s->graph);
}

START_TEST(same_number)
{
  static const double starts[] = {1, 100, 1e4, 1e9};
  enum { STARTS = sizeof starts / sizeof *starts };
  uint32_t used[STARTS] = {0}, cases = (uint32_t)scaled(600);
  mpz_t expected, maps;
  mpz_inits(expected, maps, NULL);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = i;
    uint32_t colors = 1 + random_below(&seed, MOST_COLORS);
    ms_graph *graph = NULL;
    ms_coloring *coloring = NULL;
    ms_pattern *pattern = NULL;
    ms_pattern_index *index = NULL;
    ms_error err = {0};
    bool ignored;
    ck_assert_msg(make_graph(&seed, colors, &graph, &coloring, &err) == MS_OK, "%s", err.message);
    ck_assert_msg(make_pattern(&seed, colors, &pattern, &err) == MS_OK, "%s", err.message);
    ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, &err), MS_OK);
    count(index, pattern, NULL, 0, &ignored, expected);
    for (uint32_t s = 0; s < STARTS; s++) {
      bool by_second;
      count(index, pattern, &second, starts[s], &by_second, maps);
      ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, start %g", (uint32_t)i, starts[s]);
      used[s] += by_second;
      count(index, pattern, &without_memory, starts[s], &by_second, maps);
      ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, no memory", (uint32_t)i);
      ck_assert(!by_second);
    }
    ms_pattern_index_free(index);
    ms_pattern_free(pattern);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
  mpz_clears(expected, maps, NULL);
  /* a second engine that has started is used for all long searches, one that starts late for none
   */
  ck_assert_uint_gt(used[0], cases / 2);
  ck_assert_uint_ge(used[0], used[1]);
  ck_assert_uint_ge(used[1], used[2]);
  ck_assert_uint_gt(used[2], 0);
  ck_assert_uint_eq(used[3], 0);
}
END_TEST

/* Both engines count at the same time: whoever is done first, and whoever fails, the number is the
 * same.  An engine that counts before the processors begin has counted. */
START_TEST(races)
{
  uint32_t won = 0, lost = 0, cases = (uint32_t)scaled(200);
  mpz_t expected, maps;
  mpz_inits(expected, maps, NULL);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = i;
    uint32_t colors = 1 + random_below(&seed, MOST_COLORS);
    bool used;
    subject s = {0};
    ck_assert_int_eq(make_graph(&seed, colors, &s.graph, &s.coloring, NULL), MS_OK);
    ck_assert_int_eq(make_pattern(&seed, colors, &s.pattern, NULL), MS_OK);
    subject_finish(&s);
    count(s.index, s.pattern, NULL, 0, &used, expected);
    for (int turn = 0; turn < 4; turn++) {
      ms_hooks.race_patience = 1e-9;
      ms_hooks.race_second_first = turn < 2;
      /* the processors begin, or the first count passes to the engine, and the second to them */
      count(s.index, s.pattern, &racing[turn % 2], seed % 2 ? 1e3 : 1, &used, maps);
      ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, turn %d", (uint32_t)i, turn);
      won += turn == 0 && used;
      lost += turn == 1 && !used;
    }
    ms_hooks = ms_hooks_default;
    subject_free(&s);
  }
  ck_assert_uint_gt(won, cases / 4);
  ck_assert_uint_gt(lost, cases * 3 / 4); /* a tree without memory is counted by factors there */
  mpz_clears(expected, maps, NULL);
}
END_TEST

/* A pattern whose colours divide it is counted by factors, unless the second engine is faster: then
 * its vertices are matched there. */
START_TEST(divided_patterns)
{
  uint64_t seed = 1;
  uint32_t edge[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  const char *color[3] = {"c0", "c1", "c1"};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_error err = {0};
  bool used;
  mpz_t factors, maps;
  mpz_inits(factors, maps, NULL);
  ck_assert_int_eq(make_graph(&seed, 2, &graph, &coloring, &err), MS_OK);
  ck_assert_int_eq(
      ms_pattern_from_edges(3, 3, (const uint32_t(*)[2])edge, false, color, &pattern, &err), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, &err), MS_OK);
  counted = 0;
  count(index, pattern, &second, 2e6, &used, factors);
  ck_assert(!used && counted == 0);
  count(index, pattern, &second, 1, &used, maps);
  ck_assert(used && counted == 1);
  ck_assert_int_eq(mpz_cmp(factors, maps), 0);
  mpz_clears(factors, maps, NULL);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* The mean degrees of a long path and one dense part promise that a count in the dense part is
 * short, so it begins on the processors.  One thread ends none of its roots in 2,000 candidates,
 * and the rest goes to the second engine at once. */
START_TEST(dense_part)
{
  enum { PART = 60, PATH = 6000, CLIQUE = 7 };
  static uint32_t edge[PART * PART + PATH][2];
  uint32_t m = 0, clique[CLIQUE * CLIQUE][2], c = 0;
  const char *color[CLIQUE] = {"c0", "c0", "c0", "c0", "c1", "c1", "c1"};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_error err = {0};
  ms_shape shape;
  ms_domains domains;
  ms_work work = {0};
  ms_count_report report = {0};
  mpz_t maps;
  for (uint32_t v = 0; v < PART; v++)
    for (uint32_t u = 0; u < v; u++)
      edge[m][0] = u, edge[m++][1] = v;
  for (uint32_t v = PART; v < PART + PATH; v++)
    edge[m][0] = v - 1, edge[m++][1] = v;
  for (uint32_t v = 0; v < CLIQUE; v++)
    for (uint32_t u = 0; u < v; u++)
      clique[c][0] = u, clique[c++][1] = v;
  ck_assert_int_eq(
      ms_graph_from_edges(PART + PATH, m, (const uint32_t(*)[2])edge, NULL, &graph, &err), MS_OK);
  ck_assert_int_eq(ms_generate_colors(graph, 2, 1, &coloring, &err), MS_OK);
  ck_assert_int_eq(
      ms_pattern_from_edges(CLIQUE, c, (const uint32_t(*)[2])clique, false, color, &pattern, &err),
      MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, &err), MS_OK);
  ms_shape_of(pattern, false, &shape);
  ck_assert_int_eq(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, &err), MS_OK);
  ck_assert_double_lt(ms_expected_partial_matches(index, &shape, domains.of), MS_BEGIN_PARTIAL);
  ms_count_query query = {.index = index,
                          .domains = &domains,
                          .engine = &ms_pattern_engine_cpu,
                          .threads = 1,
                          .large = &idle,
                          .large_start = MS_BEGIN_RESTRICTED / MS_STEP_SECONDS,
                          .effort = {0, 1e5, NULL},
                          .work = &work,
                          .report = &report};
  counted = 0;
  mpz_init(maps);
  ck_assert_int_eq(ms_count_maps(&query, &shape, maps, &err), MS_OK);
  ck_assert(report.used_large && counted == 1);
  ck_assert_uint_gt(work.visits, 0);
  ck_assert_uint_lt(work.visits, 4200); /* all threads would begin with 8,000 candidates each */
  mpz_clear(maps);
  ms_domains_free(&domains);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* An engine for GPUs that the user asked for plans 4-cycles without probes.  Each is found at its
 * largest vertex, if all vertices accept the same colours; otherwise no vertex need be the largest.
 */
START_TEST(squares_at_largest)
{
  uint32_t edge[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, some = 0, by_priority = 0;
  mpz_t expected, maps;
  mpz_inits(expected, maps, NULL);
  ms_hooks.probe_factor = 1; /* one way, so that no probe compares any */
  ms_hooks.squares_steps = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    ms_graph *graph = NULL;
    ms_coloring *coloring = NULL;
    ms_pattern *pattern = NULL;
    ms_pattern_index *index = NULL;
    ms_shape shape;
    ms_domains domains;
    ms_count_plan plan;
    bool ignored;
    ck_assert_int_eq(make_graph(&state, 2, &graph, &coloring, NULL), MS_OK);
    ck_assert_int_eq(
        ms_pattern_from_edges(4, 4, (const uint32_t(*)[2])edge, false, NULL, &pattern, NULL),
        MS_OK);
    for (uint32_t v = 0; v < 4; v++)
      if (seed >> (v % 2) & 1) /* none, opposite vertices, or all */
        ck_assert_int_eq(ms_pattern_accept(pattern, v, seed & 4 ? "c0" : "c1", NULL), MS_OK);
    ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, NULL), MS_OK);
    ms_shape_of(pattern, false, &shape);
    ck_assert_int_eq(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, NULL), MS_OK);
    ms_count_query query = {.index = index,
                            .domains = &domains,
                            .engine = &second,
                            .threads = 1,
                            .effort = {0, 1e5, NULL}};
    count(index, pattern, NULL, 0, &ignored, expected);
    ck_assert_int_eq(ms_count_maps(&query, &shape, maps, NULL), MS_OK);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "seed %u", (uint32_t)seed);
    some += mpz_sgn(maps) > 0;
    ck_assert_int_eq(ms_count_plan_new(&query, &shape, domains.of, &plan, NULL), MS_OK);
    bool same = seed % 4 == 0 || seed % 4 == 3, pair = ms_bitset_count(plan.options.tail) == 2;
    ck_assert_msg(plan.options.priority == (same && pair && !plan.options.product), "seed %u",
                  (uint32_t)seed);
    by_priority += plan.options.priority;
    ms_count_plan_free(&plan);
    ms_domains_free(&domains);
    ms_pattern_index_free(index);
    ms_pattern_free(pattern);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
  ck_assert_uint_ge(some, 20);
  ck_assert_uint_ge(by_priority, 10);
  mpz_clears(expected, maps, NULL);
}
END_TEST

/* A tree that an engine on GPUs has no memory for is counted by factors, which are on processors:
 * 40 random graphs with paths of four colours. */
START_TEST(trees_without_memory)
{
  static const uint32_t edge[3][2] = {{0, 1}, {1, 2}, {2, 3}};
  const char *color[4] = {"c0", "c1", "c2", "c3"};
  uint32_t some = 0;
  mpz_t expected, maps;
  mpz_inits(expected, maps, NULL);
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    subject s = {0};
    ms_error err = {0};
    bool ignored;
    ck_assert_int_eq(make_graph(&state, 4, &s.graph, &s.coloring, NULL), MS_OK);
    ck_assert_int_eq(ms_pattern_from_edges(4, 3, edge, false, color, &s.pattern, NULL), MS_OK);
    subject_finish(&s);
    count(s.index, s.pattern, NULL, 0, &ignored, expected);
    ms_count_query query = {.index = s.index,
                            .domains = &s.domains,
                            .engine = &without_memory,
                            .threads = 1,
                            .effort = {0, 1e5, NULL}};
    counted = 0;
    ms_hooks.factor_engine_steps = 0; /* every tree goes to the engine */
    if (!s.domains.empty) {
      ck_assert_msg(ms_count_maps(&query, &s.shape, maps, &err) == MS_OK, "%s", err.message);
      ck_assert_msg(mpz_cmp(maps, expected) == 0, "seed %u", (uint32_t)seed);
      some += mpz_sgn(maps) > 0 && counted > 0;
    }
    ms_hooks = ms_hooks_default;
    subject_free(&s);
  }
  ck_assert_uint_ge(some, 10);
  mpz_clears(expected, maps, NULL);
}
END_TEST

static double weigh_as_cpu(const ms_program *program, double steps)
{
  (void)program;
  return steps;
}

static const ms_pattern_engine third = {
    .name = "third", .devices = one_device, .weigh = weigh_as_cpu, .count = count_by_cpu};

/* Returns the steps of the search that this plan leads to. */
static double steps_of(const ms_count_query *query, const ms_domains *domains, ms_count_plan *plan)
{
  ms_probe probed;
  ck_assert_int_eq(ms_count_plan_compile(query, domains->of, plan, NULL), MS_OK);
  ck_assert_int_eq(ms_probe_search(plan->program, NULL, 4096, 2, NULL, &probed, NULL), MS_OK);
  return probed.lists;
}

/* Triangles around one vertex, with a colour for each vertex, in a graph with hubs: a search for a
 * GPU that mean degrees find short is long.  A probe finds that out, and others find a shorter way.
 */
START_TEST(hubs_are_probed)
{
  static const uint32_t edge[9][2] = {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {1, 4},
                                      {1, 5}, {2, 5}, {3, 4}, {3, 5}};
  const char *color[6] = {"c0", "c1", "c2", "c3", "c4", "c5"};
  ms_generate_options o = {.family = MS_FAMILY_POWER_LAW,
                           .given =
                               MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE,
                           .vertices = 30000,
                           .edges = 240000,
                           .exponent = -2.2,
                           .max_degree = 6000,
                           .run.seed = 5};
  subject s = {0};
  ms_error err = {0};
  ms_count_plan plan;
  ck_assert_msg(ms_generate_graph(&o, &s.graph, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_generate_colors(s.graph, 8, 1, &s.coloring, &err), MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(6, 9, edge, false, color, &s.pattern, &err), MS_OK);
  subject_finish(&s);
  ms_count_query query = {.index = s.index,
                          .domains = &s.domains,
                          .engine = &third,
                          .threads = 1,
                          .effort = {0, 1e5, NULL}};
  double took[2];
  for (int probes = 0; probes < 2; probes++) {
    ms_hooks.probe_steps = probes ? ms_hooks_default.probe_steps : INFINITY;
    ck_assert_int_eq(ms_count_plan_new(&query, &s.shape, s.domains.of, &plan, &err), MS_OK);
    ck_assert(plan.weighed == (probes > 0));
    took[probes] = steps_of(&query, &s.domains, &plan);
    ms_count_plan_free(&plan);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_double_lt(3 * took[1], took[0]);
  subject_free(&s);
}
END_TEST

TEST_MAIN("count_large", TEST(same_number), TEST(races), TEST(divided_patterns), TEST(dense_part),
          TEST(squares_at_largest), TEST(hubs_are_probed), TEST(trees_without_memory))
