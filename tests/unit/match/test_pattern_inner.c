/* Tails with edges inside (match/count/count_inner.c): numbers of maps against brute force and
 * against counts without inner patterns, on every path of set operations and several numbers of
 * threads; which patterns have such a way; counts that a token stops. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "match/count/count.h"
#include "match/count/count_cost.h"
#include "match/count/count_ways.h"
#include "match/cpu/inner_plan.h"
#include "match/cpu/inner_words.h"
#include "match/cpu/root_graph.h"
#include "match/cpu/sorted.h"
#include "motifsieve/generate.h"
#include "tests/support/graphs/network.h"
#include "tests/support/graphs/shapes.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 2 };

#define EACH_TIME 1e-9 /* the weight with which a count uses inner patterns where it can */

/* ---- patterns -------------------------------------------------------------------------- */

/* The number of pairs of `n` vertices. */
static uint32_t pairs_of(uint32_t n)
{
  return n * (n - 1) / 2;
}

/* Makes the pattern of which `inner` vertices have the edges of these bits, and `prefix` others are
 * adjacent to all of them and, if `linked`, to each other.  Its vertices have random numbers. */
static void make_pattern(ms_shape *s, uint32_t inner, uint32_t edges, uint32_t prefix, bool linked,
                         uint64_t *state)
{
  uint32_t name[MS_COUNT_SMALL], bit = 0;
  *s = shapes_empty(inner + prefix);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t j = random_below(state, i + 1);
    name[i] = name[j];
    name[j] = i;
  }
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t j = i + 1; j < s->n; j++) {
      bool both_inner = j < inner, both_outer = i >= inner;
      if (both_inner ? edges >> bit++ & 1 : both_outer ? linked : true)
        shapes_join(s, name[i], name[j]);
    }
}

static bool edges_have_module(uint32_t inner, uint32_t edges, uint32_t prefix, bool linked)
{
  ms_shape s;
  uint64_t state = 1;
  make_pattern(&s, inner, edges, prefix, linked, &state);
  for (uint64_t t = 1; t < UINT64_C(1) << s.n; t++)
    if (ms_is_module(&s, t))
      return true;
  return false;
}

static ms_shape named(const char *name)
{
  ms_pattern *pattern = NULL;
  ms_shape shape;
  ck_assert_int_eq(ms_pattern_named(name, &pattern, NULL), MS_OK);
  ms_shape_of(pattern, false, &shape);
  ms_pattern_free(pattern);
  return shape;
}

/* ---- counts ---------------------------------------------------------------------------- */

static ms_status count_maps(const network *w, const ms_shape *s, int threads, const ms_stop *stop,
                            mpz_t maps)
{
  static ms_domains domains;
  network_domains(w, s, &domains);
  ms_count_query query = {.index = w->index,
                          .domains = &domains,
                          .engine = &ms_pattern_engine_cpu,
                          .threads = threads,
                          .stop = stop};
  return ms_count_maps(&query, s, maps, NULL);
}

/* The plan by which the maps are counted; the caller frees its parts. */
static ms_count_plan plan_of(const network *w, const ms_shape *s)
{
  static ms_domains domains;
  ms_count_plan plan;
  network_domains(w, s, &domains);
  ms_count_query query = {
      .index = w->index, .domains = &domains, .engine = &ms_pattern_engine_cpu, .threads = 1};
  ck_assert_int_eq(ms_count_plan_new(&query, s, domains.of, &plan, NULL), MS_OK);
  return plan;
}

static bool has_inner(const network *w, const ms_shape *s, bool *priority)
{
  ms_count_plan plan = plan_of(w, s);
  bool inner = plan.inner != NULL;
  *priority = plan.options.priority;
  ms_count_plan_free(&plan);
  return inner;
}

static void use_defaults(void)
{
  ms_hooks = ms_hooks_default;
  unsetenv("MOTIFSIEVE_SETS");
}

/* Lets probes choose among the ways with inner patterns alone, where there are any. */
static void use_modules(void)
{
  ms_hooks.probe_steps = -1;
  ms_hooks.probe_factor = 1e30;
  ms_hooks.count_module_weight = EACH_TIME;
}

/* ---- tests ----------------------------------------------------------------------------- */

/* Every pattern of one or two vertices joined to a connected graph of four or five that no vertex
 * of it dominates is counted by an inner pattern, and has the maps that brute force finds; so have
 * all others of this form: three random graphs of 7 to 11 vertices for each. */
START_TEST(all_small_patterns)
{
  uint32_t inner = 3 + (uint32_t)_i, by_priority = 0, subtracting = 0;
  uint64_t state = 7;
  mpz_t maps;
  mpz_init(maps);
  network *usual = network_new(30, 50, 0, 5);
  use_modules();
  for (uint32_t edges = 1; edges < 1u << pairs_of(inner); edges++)
    for (uint32_t prefix = 1; prefix <= PREFIX && prefix + inner <= MS_COUNT_SMALL; prefix++)
      for (int linked = 0; linked < (prefix > 1 ? 2 : 1); linked++) {
        ms_shape s;
        bool expected = edges_have_module(inner, edges, prefix, linked);
        if (random_below(&state, 100) >= (expected ? 100 : 20) * test_scale())
          continue;
        make_pattern(&s, inner, edges, prefix, linked, &state);
        network *w = network_new(7 + random_below(&state, 5), 30 + random_below(&state, 70), 0,
                                 random_next(&state));
        mpz_set_ui(maps, 0);
        ck_assert_int_eq(count_maps(w, &s, 1, NULL, maps), MS_OK);
        uint64_t brute = network_maps(w, &s);
        ck_assert_msg(mpz_cmp_ui(maps, brute) == 0, "edges %x, prefix %u: not %llu maps", edges,
                      prefix, (unsigned long long)brute);
        ms_count_plan plan = plan_of(usual, &s);
        ck_assert_msg((plan.inner != NULL) == expected, "edges %x, prefix %u", edges, prefix);
        subtracting += plan.inner && ms_inner_plan_subtracts(plan.inner);
        by_priority += plan.inner && plan.options.priority;
        ms_count_plan_free(&plan);
        network_free(w);
      }
  use_defaults();
  network_free(usual);
  if (inner == 4 && test_scale() == 1)
    ck_assert_uint_gt(by_priority, 0);
  if (inner == 5 && test_scale() == 1)
    ck_assert_uint_gt(subtracting, 0);
  mpz_clear(maps);
}
END_TEST

static void check_same(const network *w, const ms_shape *s, const char *name)
{
  static const int threads[] = {1, 2, 7};
  mpz_t plain, maps;
  bool priority;
  mpz_init(plain);
  mpz_init(maps);
  unsetenv("MOTIFSIEVE_SETS");
  ms_hooks.count_module_weight = INFINITY;
  ck_assert(!has_inner(w, s, &priority));
  ck_assert_int_eq(count_maps(w, s, 2, NULL, plain), MS_OK);
  use_modules();
  ck_assert(has_inner(w, s, &priority));
  for (unsigned path = 0; ms_sorted_at(path); path++) {
    setenv("MOTIFSIEVE_SETS", ms_sorted_at(path)->name, 1);
    mpz_set_ui(maps, 0);
    ck_assert_int_eq(count_maps(w, s, threads[path % 3], NULL, maps), MS_OK);
    ck_assert_msg(mpz_cmp(maps, plain) == 0, "%s on %s: another number", name,
                  ms_sorted_at(path)->name);
  }
  unsetenv("MOTIFSIEVE_SETS");
  for (int i = 0; i < 3; i++) {
    mpz_set_ui(maps, 0);
    ck_assert_int_eq(count_maps(w, s, threads[i], NULL, maps), MS_OK);
    ck_assert_msg(mpz_cmp(maps, plain) == 0, "%s, %d threads: another number", name, threads[i]);
  }
  mpz_clear(plain);
  mpz_clear(maps);
}

/* Wheels, fans, the octahedron and the cone over a wheel have as many maps as without inner
 * patterns, on every path of set operations and 1, 2 and 7 threads: sparse and dense graphs of up
 * to 160 vertices, with hubs and without, whose inner graphs have up to 64 vertices and more. */
START_TEST(large_graphs)
{
  static const struct {
    uint32_t n, percent, hubs, hub_degree;
  } graphs[] = {{40, 60, 2, 64}, {66, 95, 0, 64},    {90, 30, 5, 2},
                {150, 8, 6, 64}, {160, 12, 3, 1000}, {120, 25, 20, 16}};
  static const struct {
    const char *name;
    uint32_t inner, edges, prefix;
    bool linked;
  } patterns[] = {{"wheel of 4", 4, 0x2d, 1, false},  {"octahedron", 4, 0x2d, 2, false},
                  {"cone over W4", 4, 0x2d, 2, true}, {"fan of 4", 4, 0x29, 1, false},
                  {"two over P4", 4, 0x29, 2, false}, {"wheel of 5", 5, 0x299, 1, false},
                  {"fan of 5", 5, 0x291, 1, false}};
  uint64_t state = 3;
  ms_hooks.hub_degree = graphs[_i].hub_degree;
  network *w = network_new(graphs[_i].n, graphs[_i].percent, graphs[_i].hubs, (uint64_t)_i + 11);
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    ms_shape s;
    make_pattern(&s, patterns[i].inner, patterns[i].edges, patterns[i].prefix, patterns[i].linked,
                 &state);
    check_same(w, &s, patterns[i].name);
  }
  network_free(w);
  use_defaults();
}
END_TEST

/* Two vertices that are adjacent to all vertices of many 4-cycles make an octahedron with each, and
 * each of them makes a wheel with each: inner graphs of 8,000 and 9,200 vertices, which are parts
 * of a graph as bits under their root, and too large for that. */
START_TEST(huge_inner_graphs)
{
  enum { MOST = 9200 };
  static uint32_t edge[3 * MOST][2];
  uint32_t n = _i ? MOST : 8000, m = 0;
  static network w;
  w.n = n + 2;
  mpz_t maps;
  bool priority;
  mpz_init(maps);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t next = v % 4 == 3 ? v - 3 : v + 1;
    uint32_t ends[3][2] = {{v, next}, {v, n}, {v, n + 1}};
    memcpy(edge[m], ends, sizeof ends);
    m += 3;
  }
  ck_assert((n > MS_ROOT_GRAPH_MOST) == _i);
  ck_assert_int_eq(ms_graph_from_edges(w.n, m, (const uint32_t(*)[2])edge, NULL, &w.graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(w.graph, NULL, 1, &w.index, NULL), MS_OK);
  use_modules();
  ms_shape s = named("octahedron");
  ck_assert(has_inner(&w, &s, &priority));
  ck_assert_int_eq(count_maps(&w, &s, 2, NULL, maps), MS_OK);
  ck_assert_int_eq(mpz_cmp_ui(maps, n / 4 * 48), 0);
  s = named("wheel:4");
  ck_assert(has_inner(&w, &s, &priority));
  ck_assert_int_eq(count_maps(&w, &s, 3, NULL, maps), MS_OK);
  /* and four wheels inside each octahedron have their hub on the cycle */
  ck_assert_int_eq(mpz_cmp_ui(maps, n / 4 * (2 + 4) * 8), 0);
  use_defaults();
  ms_pattern_index_free(w.index);
  ms_graph_free(w.graph);
  mpz_clear(maps);
}
END_TEST

/* Inner patterns are for wheels and the octahedron, not for patterns whose ways are better known,
 * and for none that is directed, induced, or has a domain that does not follow from degrees. */
START_TEST(where_they_are_used)
{
  static const struct {
    const char *name;
    bool inner;
  } patterns[] = {{"wheel:4", true},  {"wheel:5", true}, {"octahedron", true}, {"wheel:3", false},
                  {"diamond", false}, {"house", false},  {"cycle:5", false},   {"clique:5", false}};
  static ms_domains domains;
  ms_count_plan plan;
  bool priority;
  network *w = network_new(30, 50, 0, 5);
  use_modules();
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    ms_shape s = named(patterns[i].name);
    ck_assert_msg(has_inner(w, &s, &priority) == patterns[i].inner, "%s", patterns[i].name);
  }
  ms_shape s = named("wheel:4");
  ms_count_query query = {
      .index = w->index, .domains = &domains, .engine = &ms_pattern_engine_cpu, .threads = 1};
  network_domains(w, &s, &domains);
  domains.of[4].hi--;
  domains.of[4].count--;
  ck_assert_int_eq(ms_count_plan_new(&query, &s, domains.of, &plan, NULL), MS_OK);
  ck_assert_ptr_null(plan.inner);
  ms_count_plan_free(&plan);
  network_domains(w, &s, &domains);
  s.induced = true;
  ck_assert_int_eq(ms_count_plan_new(&query, &s, domains.of, &plan, NULL), MS_OK);
  ck_assert_ptr_null(plan.inner);
  ms_count_plan_free(&plan);
  s.induced = false;
  query.engine = &ms_pattern_engine_dfs;
  ck_assert_int_eq(ms_count_plan_new(&query, &s, domains.of, &plan, NULL), MS_OK);
  ck_assert_ptr_null(plan.inner);
  ms_count_plan_free(&plan);
  network_free(w);
  use_defaults();
}
END_TEST

/* In R-MAT graphs, whose hubs make estimates of orders far too low, octahedra and wheels of five
 * are counted by inner patterns.  Without a weight that favours them, probes have to find out. */
START_TEST(chosen_with_hubs)
{
  static const char *const names[] = {"octahedron", "wheel:5"};
  network w = {.n = 1u << 12};
  ms_generate_options options = MS_GENERATE_OPTIONS_DEFAULT;
  options.family = MS_FAMILY_RMAT;
  options.given = MS_GEN_SCALE | MS_GEN_EDGES;
  options.scale = 12;
  options.edges = 16u << 12;
  options.run.seed = 7 + (uint64_t)_i;
  bool priority;
  ck_assert_int_eq(ms_generate(&options, &w.graph, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(w.graph, NULL, 1, &w.index, NULL), MS_OK);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_shape s = named(names[i]);
    ck_assert_msg(has_inner(&w, &s, &priority), "%s", names[i]);
  }
  ms_pattern_index_free(w.index);
  ms_graph_free(w.graph);
}
END_TEST

/* A count that is stopped after any number of looks at the token is a lower bound of the maps, also
 * where an inner plan subtracts: wheels of four and five, octahedra. */
START_TEST(stopped_counts)
{
  static const char *const names[] = {"wheel:4", "wheel:5", "octahedron"};
  ms_shape s = named(names[_i]);
  network *w = network_new(200, 20, 4, 9);
  uint32_t stopped = 0, positive = 0;
  mpz_t all, part;
  ms_status status;
  mpz_init(all);
  mpz_init(part);
  use_modules();
  ck_assert_int_eq(count_maps(w, &s, 1, NULL, all), MS_OK);
  ms_count_plan plan = plan_of(w, &s);
  ck_assert_ptr_nonnull(plan.inner);
  bool subtracts = ms_inner_plan_subtracts(plan.inner);
  ck_assert_int_eq(subtracts, _i == 1);
  ms_count_plan_free(&plan);
  for (uint64_t allowed = 0;; allowed += 1 + allowed / 8) {
    ms_stop *stop;
    ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
    ms_stop_after_looks(stop, allowed);
    mpz_set_ui(part, 0);
    status = count_maps(w, &s, 1 + (int)(allowed % 2), stop, part);
    ms_stop_free(stop);
    if (status == MS_OK)
      break;
    ck_assert_int_eq(status, MS_ERR_LIMIT);
    ck_assert(mpz_sgn(part) >= 0 && mpz_cmp(part, all) <= 0);
    ck_assert(!subtracts || mpz_sgn(part) == 0);
    positive += mpz_sgn(part) > 0;
    stopped++;
  }
  ck_assert_int_eq(mpz_cmp(part, all), 0);
  ck_assert_uint_ge(stopped, 5);
  ck_assert(subtracts || positive > 0);
  network_free(w);
  mpz_clear(all);
  mpz_clear(part);
  use_defaults();
}
END_TEST

/* The programs of inner plans have the same total on words on every path, for every split of the
 * roots, as the count by lists, in the graphs of 1 to 64 vertices that a vertex adjacent to all
 * others has as its neighbours; their sum is the number of maps that brute force finds. */
START_TEST(programs_on_words)
{
  uint64_t state = 17;
  for (uint64_t trial = 0; trial < scaled(60); trial++) {
    uint32_t n = 5 + random_below(&state, trial % 3 ? 9 : 60);
    network *w = network_new(n, 20 + random_below(&state, 60), 0, random_next(&state));
    network *usual = network_new(30, 50, 0, 5);
    uint64_t row[MS_WORD] = {0};
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t v = 0; v < n; v++)
        row[u] |= (uint64_t)w->near[u][v] << v;
    ms_shape s;
    uint32_t inner = n > 20 ? 4 : 5;
    make_pattern(&s, inner, inner == 4 ? 0x2d : 0x299, 1, false, &state);
    use_modules();
    ms_count_plan plan = plan_of(usual, &s);
    ck_assert_ptr_nonnull(plan.inner);
    make_pattern(&s, inner, inner == 4 ? 0x2d : 0x299, 0, false, &state);
    uint64_t brute = network_maps(w, &s);
    for (unsigned path = 0; ms_sorted_at(path); path++) {
      int64_t sum = 0;
      uint32_t middle = random_below(&state, n + 1);
      for (uint32_t i = 0; i < plan.inner->count; i++) {
        ms_word_program words;
        ck_assert(ms_word_program_of(plan.inner->term[i].program, &words));
        sum += plan.inner->term[i].factor *
               (ms_sorted_at(path)->count_words(&words, row, n, 0, middle) +
                ms_sorted_at(path)->count_words(&words, row, n, middle, n));
      }
      ck_assert_int_eq(sum, (int64_t)brute);
    }
    ms_count_plan_free(&plan);
    network_free(usual);
    network_free(w);
  }
  use_defaults();
}
END_TEST

TEST_MAIN("pattern_inner", TEST_TIMES(all_small_patterns, 3), TEST_TIMES(large_graphs, 6),
          TEST_TIMES(huge_inner_graphs, 2), TEST(where_they_are_used),
          TEST_TIMES(chosen_with_hubs, 3), TEST_TIMES(stopped_counts, 3), TEST(programs_on_words))
