/* Induced counts as sums over patterns with further edges, against brute force over all maps: 500
 * random cases with and without colours; bounds of counts that are stopped; widened domains; which
 * queries have sums; planning takes a small part of the search that a sum is compared with. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "match/count/count_methods.h"
#include "match/engine.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { CASES = 500 };

typedef struct trial {
  pattern_case c;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_count_query query;
  uint32_t expected;
} trial;

static uint32_t rows[PATTERN_CASE_ROWS];

/* Makes the trial of a seed.  Returns false if its induced maps are not counted by a sum. */
static bool make_trial(trial *t, uint64_t seed)
{
  *t = (trial){.expected = 0};
  pattern_case_make(seed, &t->c);
  ms_shape_of(t->c.pattern, t->c.induced, &t->shape);
  if (!ms_induced_sum_exists(&t->shape)) {
    pattern_case_free(&t->c);
    return false;
  }
  t->expected = pattern_case_embeddings(&t->c, rows);
  ck_assert_int_eq(ms_pattern_index_new(t->c.graph, t->c.coloring, 1, &t->index, NULL), MS_OK);
  ck_assert_int_eq(
      ms_domains_on(NULL, t->index, t->c.pattern, &t->shape, NULL, 1, &t->domains, NULL), MS_OK);
  t->query = (ms_count_query){.index = t->index,
                              .domains = &t->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = 1 + (int)(seed % 16 == 0)};
  return true;
}

static void free_trial(trial *t)
{
  ms_domains_free(&t->domains);
  ms_pattern_index_free(t->index);
  pattern_case_free(&t->c);
}

static void choose_sums(double weight)
{
  ms_hooks.probe_steps = -1;
  ms_hooks.count_sum_weight = weight;
}

static void choose_as_usual(void)
{
  ms_hooks = ms_hooks_default;
}

/* ---- counts ------------------------------------------------------------------------ */

typedef struct reports {
  uint32_t calls, done; /* reports, and those that said that all was done */
} reports;

static void on_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  reports *r = user;
  ck_assert_str_eq(what, "roots searched");
  r->calls++;
  r->done += done == total;
}

/* Returns the number of terms of the sum by which an induced shape is counted; 0: a search of
 * `direct` steps is expected to be shorter. */
static uint32_t terms_of(const ms_count_query *query, const ms_shape *shape, double direct)
{
  ms_counter c;
  bool pays = false;
  ms_count_case *k = ms_calloc(1, sizeof *k);
  ck_assert_ptr_nonnull(k);
  k->shape = *shape;
  k->plan.cost = direct;
  ms_counter_init(&c, query, ms_count_shape, NULL);
  ck_assert_int_eq(ms_sum_estimate(&c, k, &pays), MS_OK);
  uint32_t terms = pays ? k->sum->count : 0;
  ms_count_case_free(k);
  return terms;
}

/* Counts with the weight, and checks whether a sum was chosen. */
static void check_count(trial *t, uint64_t seed, double weight, reports *r)
{
  mpz_t maps;
  t->query.progress = on_report;
  t->query.progress_user = r;
  mpz_init(maps);
  choose_sums(weight);
  ck_assert_int_eq(ms_count_maps(&t->query, &t->shape, maps, NULL), MS_OK);
  uint32_t terms = terms_of(&t->query, &t->shape, 1);
  choose_as_usual();
  ck_assert_msg(mpz_cmp_ui(maps, t->expected) == 0, "seed %llu, weight %g: %lu maps, not %u",
                (unsigned long long)seed, weight, mpz_get_ui(maps), t->expected);
  ck_assert_msg((terms > 0) == (weight == 0), "seed %llu: %u terms", (unsigned long long)seed,
                terms);
  mpz_clear(maps);
}

/* A sum and a search count the same maps as brute force.  Their progress never says that all was
 * done, because none of the programs knows whether it is the last. */
START_TEST(sums_are_right)
{
  reports r = {0};
  uint32_t cases = 0, found = 0;
  for (uint64_t seed = 1; cases < CASES; seed++) {
    trial t;
    if (!make_trial(&t, seed))
      continue;
    cases++;
    found += t.expected > 0;
    check_count(&t, seed, 0, &r);
    check_count(&t, seed, INFINITY, &r);
    free_trial(&t);
  }
  ck_assert_uint_ge(found, CASES / 4);
  ck_assert_uint_gt(r.calls, 0);
  ck_assert_uint_eq(r.done, 0);
}
END_TEST

/* ---- stops --------------------------------------------------------------------------- */

typedef struct stopping {
  const trial *t;
  uint32_t calls, last; /* the call `last` is stopped, with half of its number */
} stopping;

static ms_status count_until(void *user, const ms_shape *shape, mpz_t maps)
{
  stopping *s = user;
  mpz_set_ui(maps, 0);
  ck_assert_int_eq(ms_count_maps(&s->t->query, shape, maps, NULL), MS_OK);
  if (++s->calls < s->last)
    return MS_OK;
  mpz_fdiv_q_ui(maps, maps, 2);
  return MS_ERR_LIMIT;
}

/* Stops at each term.  Returns the number of stops after which the bound was above 0. */
static uint32_t stop_everywhere(const trial *t, uint64_t seed)
{
  uint64_t label[MS_MEMO_VERTICES] = {0};
  uint32_t positive = 0;
  ms_induced_sum *sum;
  mpz_t maps;
  mpz_init(maps);
  for (uint32_t i = 0; i < t->shape.n; i++)
    label[i] = i; /* no two terms are the same */
  ck_assert_int_eq(ms_induced_sum_new(&t->shape, label, &sum, NULL), MS_OK);
  for (uint32_t last = 1; last <= sum->count + 1; last++) {
    stopping s = {.t = t, .last = last};
    ms_status status = ms_induced_sum_count(sum, &t->shape, count_until, &s, maps, NULL);
    ck_assert_int_eq(status, last <= sum->count ? MS_ERR_LIMIT : MS_OK);
    ck_assert_msg(mpz_sgn(maps) >= 0 && mpz_cmp_ui(maps, t->expected) <= 0,
                  "seed %llu, call %u: %ld of %u", (unsigned long long)seed, last, mpz_get_si(maps),
                  t->expected);
    ck_assert(status != MS_OK || mpz_cmp_ui(maps, t->expected) == 0);
    positive += status != MS_OK && mpz_sgn(maps) > 0;
  }
  ms_free(sum);
  mpz_clear(maps);
  return positive;
}

/* A sum that is stopped at any of its terms is at most the number of induced maps, and not always
 * 0. */
START_TEST(stopped_sums_are_bounds)
{
  uint32_t positive = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    trial t;
    if (!make_trial(&t, seed))
      continue;
    if (t.c.p <= 4)
      positive += stop_everywhere(&t, seed);
    free_trial(&t);
  }
  ck_assert_uint_gt(positive, 0);
}
END_TEST

/* ---- domains ------------------------------------------------------------------------- */

/* The ends of a path have larger domains than its other vertices.  When widened, all are equal. */
START_TEST(widened_domains_are_equal)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 3}};
  ms_graph *graph = NULL;
  ms_pattern *path = NULL;
  ms_pattern_index *index = NULL;
  ms_domains domains;
  ms_shape shape;
  ck_assert_int_eq(ms_graph_from_edges(6, 5, edges, NULL, &graph, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_named("path:4", &path, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, NULL), MS_OK);
  ms_shape_of(path, true, &shape);
  domains = (ms_domains){.index = index, .n = 4};
  for (uint32_t i = 0; i < 4; i++) { /* ids ascend by degree: 0, 1, 1, 2, 3, 3 */
    uint32_t lo = ms_bitset_count(shape.out[i]) == 1 ? 1 : 3;
    domains.of[i] = (ms_domain){.lo = lo, .hi = 6, .count = 6 - lo};
  }
  ms_domains_widen(&domains, &shape);
  for (uint32_t i = 0; i < 4; i++)
    ck_assert_msg(domains.of[i].lo == 1 && domains.of[i].count == 5, "vertex %u: from %u", i,
                  domains.of[i].lo);
  /* a domain that lacks a vertex of sufficient degree stays */
  domains.of[0] = (ms_domain){.lo = 2, .hi = 6, .count = 4};
  ms_domains_widen(&domains, &shape);
  ck_assert_uint_eq(domains.of[0].lo, 2);
  ms_pattern_index_free(index);
  ms_pattern_free(path);
  ms_graph_free(graph);
}
END_TEST

/* A sum is made for the CPU's engine and the order that is chosen, and for no engine on GPUs and no
 * order that was asked for. */
START_TEST(sums_are_for_the_cpu)
{
  static const ms_pattern_engine *const on_gpus[] = {
      &ms_pattern_engine_gpu, &ms_pattern_engine_dfs, &ms_pattern_engine_trie,
      &ms_pattern_engine_reuse, &ms_pattern_engine_flood};
  ms_pattern *path;
  ms_shape shape;
  ms_count_query query = {.engine = &ms_pattern_engine_cpu};
  ck_assert_int_eq(ms_pattern_named("path:4", &path, NULL), MS_OK);
  ms_shape_of(path, true, &shape);
  ck_assert(ms_count_has_sum(&query, &shape));
  query.order = MS_ORDER_RI;
  ck_assert(!ms_count_has_sum(&query, &shape));
  query.order = MS_ORDER_AUTO;
  for (size_t i = 0; i < sizeof on_gpus / sizeof *on_gpus; i++) {
    query.engine = on_gpus[i];
    ck_assert_msg(!ms_count_has_sum(&query, &shape), "%s", on_gpus[i]->name);
  }
  ms_pattern_free(path);
}
END_TEST

/* ---- planning ---------------------------------------------------------------------- */

/* Returns the steps that planning takes to find out whether a sum counts the induced paths of five
 * in fewer steps than a search of so many, and sets *terms to the number of its terms if so. */
static double planning_of_paths(const ms_pattern_index *index, double direct, uint32_t *terms)
{
  double spent = 0;
  ms_pattern *path;
  ms_shape shape;
  ms_domains domains;
  ck_assert_int_eq(ms_pattern_named("path:5", &path, NULL), MS_OK);
  ms_shape_of(path, true, &shape);
  ck_assert_int_eq(ms_domains_on(NULL, index, path, &shape, NULL, 1, &domains, NULL), MS_OK);
  ms_count_query query = {.index = index,
                          .domains = &domains,
                          .engine = &ms_pattern_engine_cpu,
                          .effort = {0, MS_PROBE_STEPS, NULL},
                          .planning = &spent,
                          .threads = 1};
  *terms = terms_of(&query, &shape, direct);
  ms_domains_free(&domains);
  ms_pattern_free(path);
  return spent;
}

/* In a graph with hubs, where each term is probed, planning ends once it has taken an eighth of the
 * search and the plan of one more term, and the search is left to count. */
START_TEST(planning_is_bounded)
{
  ms_generate_options options = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_pattern_index *index;
  uint32_t terms;
  options.family = MS_FAMILY_RMAT;
  options.given = MS_GEN_SCALE | MS_GEN_EDGES;
  options.scale = 11;
  options.edges = 10000;
  options.run.seed = 3;
  ck_assert_int_eq(ms_generate(&options, &graph, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, NULL), MS_OK);
  ms_hooks.count_sum_weight = 0; /* the steps of the sum do not matter */
  double whole = planning_of_paths(index, 1e12, &terms);
  ck_assert_uint_eq(terms, 18);
  ck_assert_msg(whole > 6e6, "%g steps for all terms", whole);
  double part = planning_of_paths(index, 1e7, &terms);
  ck_assert_uint_eq(terms, 0);
  ck_assert_msg(part >= 1e7 / 8 && part < whole / 2, "%g of %g steps", part, whole);
  choose_as_usual();
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("induced_sum", TEST(sums_are_right), TEST(stopped_sums_are_bounds),
          TEST(widened_domains_are_equal), TEST(sums_are_for_the_cpu), TEST(planning_is_bounded))
