/* Counts of patterns whose colours divide them: by factors, by a search, and by whichever of the
 * two is expected to be faster. */
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_methods.h"
#include "match/cpu/runner.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>

enum { MOST_EDGES = 40000, MOST_PATTERN = 7 };

/* A graph with an index, a pattern, and what a count of it needs. */
typedef struct count_case {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_count_query query;
} count_case;

static void case_open(count_case *c, uint64_t *seed, uint32_t n, uint32_t m, uint32_t colors)
{
  static uint32_t edge[MOST_EDGES][2];
  ms_error err = {0};
  *c = (count_case){.graph = NULL};
  for (uint32_t i = 0; i < m; i++) {
    edge[i][0] = random_below(seed, n);
    edge[i][1] = (edge[i][0] + 1 + random_below(seed, n - 1)) % n;
  }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &c->graph, &err),
                   MS_OK);
  ck_assert_int_eq(ms_generate_colors(c->graph, colors, random_next(seed), &c->coloring, &err),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(c->graph, c->coloring, 1, &c->index, &err), MS_OK);
}

/* Takes a pattern whose vertex v accepts the colour color[v] alone. */
static void case_take(count_case *c, uint32_t n, uint32_t m, const uint32_t (*edge)[2],
                      const uint32_t *color)
{
  ms_error err = {0};
  ck_assert_int_eq(ms_pattern_from_edges(n, m, edge, false, NULL, &c->pattern, &err), MS_OK);
  for (uint32_t v = 0; v < n; v++) {
    char name[16];
    snprintf(name, sizeof name, "c%u", color[v]);
    ck_assert_int_eq(ms_pattern_accept(c->pattern, v, name, &err), MS_OK);
  }
  ms_shape_of(c->pattern, false, &c->shape);
  ck_assert_int_eq(ms_domains_on(NULL, c->index, c->pattern, &c->shape, NULL, 1, &c->domains, &err),
                   MS_OK);
  c->query = (ms_count_query){.index = c->index,
                              .domains = &c->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = 2,
                              .effort = {0, MS_PROBE_STEPS, NULL}};
}

/* True if the pattern is counted by factors or by the search that takes their place. */
static bool is_divided(count_case *c)
{
  ms_count_case *k;
  ck_assert_int_eq(ms_count_choose_way(&c->query, &c->shape, &k, NULL), MS_OK);
  bool divided = k->divided;
  c->shape = k->shape;
  ms_count_case_free(k);
  return divided;
}

static void case_drop_pattern(count_case *c)
{
  ms_domains_free(&c->domains);
  ms_pattern_free(c->pattern);
}

static void case_close(count_case *c)
{
  case_drop_pattern(c);
  ms_pattern_index_free(c->index);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* A connected random pattern with colours in a random graph. */
static void case_random(count_case *c, uint64_t seed)
{
  uint32_t edge[MOST_PATTERN * MOST_PATTERN][2], color[MOST_PATTERN], m = 0;
  uint32_t n = 3 + random_below(&seed, MOST_PATTERN - 2), percent = 20 * random_below(&seed, 4);
  uint32_t colors = 2 + random_below(&seed, 3), vertices = 20 + random_below(&seed, 60);
  case_open(c, &seed, vertices, vertices * (2 + random_below(&seed, 5)), colors);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t joined = v > 0 ? random_below(&seed, v) : 0;
    color[v] = random_below(&seed, colors);
    for (uint32_t u = 0; u < v; u++)
      if (u == joined || random_below(&seed, 100) < percent) {
        edge[m][0] = u;
        edge[m++][1] = v;
      }
  }
  case_take(c, n, m, (const uint32_t(*)[2])edge, color);
}

static void count(count_case *c, double weight, ms_order order, mpz_t maps)
{
  ms_error err = {0};
  ms_hooks.factor_plan_weight = weight;
  c->query.order = order;
  mpz_set_ui(maps, 0);
  if (!c->domains.empty)
    ck_assert_msg(ms_count_maps(&c->query, &c->shape, maps, &err) == MS_OK, "%s", err.message);
  c->query.order = MS_ORDER_AUTO;
  ms_hooks = ms_hooks_default;
}

/* Factors, a search in their place and a search in a given order find the same number: 400 random
 * patterns of 3 to 7 vertices with 2 to 4 colours. */
START_TEST(same_number)
{
  uint32_t cases = (uint32_t)scaled(400), divided = 0;
  mpz_t expected, maps;
  mpz_inits(expected, maps, NULL);
  for (uint32_t i = 0; i < cases; i++) {
    count_case c;
    case_random(&c, i);
    divided += !c.domains.empty && is_divided(&c);
    count(&c, 1, MS_ORDER_RI, expected);
    count(&c, 0, MS_ORDER_AUTO, maps);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, by a search", i);
    count(&c, INFINITY, MS_ORDER_AUTO, maps);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, by factors", i);
    count(&c, ms_hooks.factor_plan_weight, MS_ORDER_AUTO, maps);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "case %u, by the faster way", i);
    case_close(&c);
  }
  ck_assert_uint_gt(divided, cases / 2);
  mpz_clears(expected, maps, NULL);
}
END_TEST

/* A count that begins with some roots and goes on with the others is the whole count: 200 random
 * patterns, four lengths of the beginning. */
START_TEST(in_two_parts)
{
  static const uint64_t most[] = {1, 30, 500, UINT64_MAX};
  uint32_t cases = (uint32_t)scaled(200), parted = 0;
  mpz_t expected, begun, rest;
  mpz_inits(expected, begun, rest, NULL);
  for (uint32_t i = 0; i < cases; i++) {
    ms_factor_run run = {.threads = 2};
    ms_factor *factor;
    ms_error err = {0};
    count_case c;
    case_random(&c, i);
    if (!c.domains.empty && is_divided(&c)) {
      uint64_t last = 0;
      ck_assert_int_eq(ms_factor_new(c.index, &c.shape, c.domains.of, &factor, &err), MS_OK);
      uint64_t roots = ms_program_roots(factor->program);
      ck_assert_int_eq(ms_factor_count(factor, 0, &run, expected, &err), MS_OK);
      for (uint32_t k = 0; k < 4; k++) {
        uint64_t done, before;
        ck_assert_int_eq(ms_factor_begin(factor, 0, most[k], &run, begun, &done, &err), MS_OK);
        before = done;
        ck_assert_int_eq(ms_factor_begin(factor, before, most[k], &run, rest, &done, &err), MS_OK);
        ck_assert_uint_ge(done, before);
        mpz_add(begun, begun, rest);
        ck_assert_int_eq(ms_factor_count(factor, done, &run, rest, &err), MS_OK);
        mpz_add(begun, begun, rest);
        ck_assert_msg(mpz_cmp(begun, expected) == 0, "case %u, %u", i, k);
        parted += done < roots;
        last = done;
      }
      ck_assert_uint_eq(last, roots);
      ms_factor_free(factor);
    }
    case_close(&c);
  }
  ck_assert_uint_gt(parted, cases / 8);
  mpz_clears(expected, begun, rest, NULL);
}
END_TEST

/* In a dense graph with six colours, a 4-cycle and a house of two and three colours are searched
 * for, and a path of six colours is counted by factors; both ways find the same numbers. */
START_TEST(the_faster_way)
{
  static const uint32_t edges[3][6][2] = {{{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                                          {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}},
                                          {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}};
  static const uint32_t n[3] = {4, 5, 6}, m[3] = {4, 6, 5};
  static const uint32_t color[3][6] = {{0, 1, 0, 1}, {0, 1, 0, 1, 2}, {0, 1, 2, 3, 4, 5}};
  static const ms_factor_way way[3] = {MS_FACTOR_BY_PLAN, MS_FACTOR_BY_PLAN, MS_FACTOR_BY_FACTORS};
  uint64_t seed = 5;
  mpz_t expected, maps;
  count_case c;
  mpz_inits(expected, maps, NULL);
  case_open(&c, &seed, 500, MOST_EDGES, 6);
  for (uint32_t i = 0; i < 3; i++) {
    ms_factor_choice choice;
    case_take(&c, n[i], m[i], edges[i], color[i]);
    ck_assert(is_divided(&c));
    ck_assert_int_eq(ms_factor_choose(&c.query, &c.shape, c.domains.of, NULL, &choice, NULL),
                     MS_OK);
    ck_assert_msg(choice.way == way[i], "pattern %u", i);
    ms_factor_choice_free(&choice);
    count(&c, INFINITY, MS_ORDER_AUTO, expected);
    count(&c, ms_hooks.factor_plan_weight, MS_ORDER_AUTO, maps);
    ck_assert(mpz_sgn(maps) > 0 && mpz_cmp(maps, expected) == 0);
    if (i < 2)
      case_drop_pattern(&c);
  }
  case_close(&c);
  mpz_clears(expected, maps, NULL);
}
END_TEST

TEST_MAIN("factors", TEST(same_number), TEST(in_two_parts), TEST(the_faster_way))
