/* Counts of patterns in shares: the leaves of the shares of random partitions add up to those of
 * the whole count, and replaying them gives its number of maps.  Over random graphs (hubs, cliques,
 * grids, directed, coloured) and patterns (also induced and not connected), with all ways to count;
 * dealt parts of skewed graphs are even. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "match/count/count.h"
#include "match/count/count_choice.h"
#include "match/count/factor.h"
#include "match/count/leaves.h"
#include "match/units.h"
#include "query/pattern.h"
#include "tests/gpu/random_case.h"
#include "tests/support/random.h"
#include "tests/support/search/shares.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { CASES = 1000, TIMES = 10, SIZE = 30, LOOKS = 60 };

static ms_error err;

/* The CPU's engine as one that knows no shares, like those on GPUs. */
static ms_pattern_engine restricts;

static void copy_engine(void)
{
  restricts = ms_pattern_engine_cpu;
}

typedef struct subject {
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_count_query query;
} subject;

static void open_subject(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                         const ms_pattern *pattern, bool induced)
{
  ck_ok(ms_pattern_index_new(graph, coloring, 1, &s->index, &err));
  ms_shape_of(pattern, induced, &s->shape);
  ck_ok(ms_domains_on(NULL, s->index, pattern, &s->shape, NULL, 1, &s->domains, &err));
  s->query = (ms_count_query){.index = s->index,
                              .domains = &s->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = 1,
                              .effort = {0, MS_PROBE_STEPS, NULL}};
}

static void close_subject(subject *s)
{
  ms_domains_free(&s->domains);
  ms_pattern_index_free(s->index);
}

/* Makes every way to count the chosen one, where there is one. */
static void choose_ways(uint64_t seed)
{
  static const double weights[] = {0, 1, INFINITY};
  ms_hooks.probe_steps = seed % 2 ? -1 : 1e5;
  ms_hooks.count_edge_weight = weights[seed / 2 % 3];
  ms_hooks.count_sum_weight = seed / 6 % 2 ? 0 : 1;
  ms_hooks.count_module_weight = seed / 12 % 2 ? 1e-9 : 1;
  ms_hooks.factor_plan_weight = weights[seed / 24 % 3];
  ms_hooks.count_hinge_weight = weights[seed / 3 % 3];
  ms_hooks.count_cut_degree = seed / 5 % 2 ? 2 : 64;
  ms_hooks.count_cut_roots = seed / 10 % 2 ? 4 : 256;
}

/* Counts the shares of a random partition, which keep their choices in half of all cases, and
 * replays their sum, as a merge does: without the choices that were kept. */
static void sum_shares(subject *s, uint64_t seed, mpz_t maps, uint64_t *leaves)
{
  ms_count_choices choices = {.count = 0};
  bool keeps = seed % 2;
  ms_share share[MOST_SHARES];
  ms_count_leaves sum = {.count = 0};
  ms_count_query query = s->query;
  uint64_t shares = random_shares(&seed, MS_EVEN_UNITS, share);
  mpz_t ignored;
  mpz_init(ignored);
  for (uint64_t i = 0; i < shares; i++) {
    ms_count_leaves part = {.share = &share[i],
                            .engine = i % 3 == 0 ? &restricts : NULL,
                            .choices = keeps ? &choices : NULL};
    query.leaves = &part;
    query.threads = 1 + (int)random_below(&seed, 3);
    ck_ok(ms_count_maps(&query, &s->shape, ignored, &err));
    ck_ok(ms_count_leaves_add(&sum, &part, &err));
    ms_count_leaves_free(&part);
  }
  ms_count_leaves_rewind(&sum);
  query.leaves = &sum;
  ck_ok(ms_count_maps(&query, &s->shape, maps, &err));
  ck_assert(sum.next == sum.count);
  *leaves = sum.count;
  ms_count_leaves_free(&sum);
  ms_count_choices_free(&choices);
  mpz_clear(ignored);
}

static bool check_case(uint64_t seed)
{
  static random_case c;
  random_plain plain;
  subject s;
  mpz_t whole, sum;
  random_case_draw(&c, seed, SIZE);
  if (c.typed)
    return false;
  random_case_plain(&c, &plain);
  open_subject(&s, plain.graph, plain.coloring, plain.pattern, c.induced);
  mpz_init(whole);
  mpz_init(sum);
  ms_stop *stop;
  uint64_t leaves = 0;
  ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
  ms_stop_after_looks(stop, LOOKS);
  s.query.stop = stop;
  choose_ways(seed);
  ms_status status = ms_count_maps(&s.query, &s.shape, whole, &err);
  s.query.stop = NULL;
  if (status == MS_OK) {
    sum_shares(&s, seed, sum, &leaves);
    if (mpz_cmp(whole, sum) != 0)
      random_case_print(&c, stderr);
    ck_assert_msg(mpz_cmp(whole, sum) == 0, "case %llu: the shares add up to %s, not %s",
                  (unsigned long long)seed, mpz_get_str(NULL, 10, sum),
                  mpz_get_str(NULL, 10, whole));
  }
  ms_stop_free(stop);
  mpz_clear(whole);
  mpz_clear(sum);
  close_subject(&s);
  random_plain_free(&plain);
  return status == MS_OK && leaves > 0;
}

/* 1,000 random cases, but those that take long. */
START_TEST(shares_add_up)
{
  uint64_t cases = scaled(CASES / TIMES), counted = 0;
  for (uint64_t i = 0; i < cases; i++)
    counted += check_case((uint64_t)_i + TIMES * i);
  /* few cases may all be typed, or long */
  ck_assert_msg(cases < 20 || 10 * counted >= 3 * cases, "%llu of %llu cases",
                (unsigned long long)counted, (unsigned long long)cases);
}
END_TEST

/* An engine like those on GPUs: it has no tables, weighs programs by itself, and notes what it
 * counts. */
static ms_pattern_engine notes;
static uint32_t noted[200], n_noted;

static double weigh(const ms_program *program, double steps)
{
  return steps * (program->prefix % 2 ? 0.01 : 1) + program->step[0].domain.count;
}

static ms_status note(const ms_pattern_task *task, mpz_t sum, ms_error *e)
{
  ck_assert(n_noted < 200);
  noted[n_noted++] = ms_count_leaf_sum(task->program, "program");
  return ms_pattern_engine_cpu.count(task, sum, e);
}

static void set_notes(void)
{
  notes = ms_pattern_engine_cpu;
  notes.name = "notes";
  notes.tables = MS_TABLE_NONE;
  notes.weigh = weigh;
  notes.count = note;
}

/* Sets the leaves of all units as one share that is planned for this engine. */
static void plan_leaves(subject *s, const ms_pattern_engine *planner, ms_count_choices *choices,
                        ms_count_leaves *leaves)
{
  mpz_t ignored;
  mpz_init(ignored);
  *leaves = (ms_count_leaves){.planner = planner, .choices = choices};
  s->query.leaves = leaves;
  ck_ok(ms_count_maps(&s->query, &s->shape, ignored, &err));
  s->query.leaves = NULL;
  mpz_clear(ignored);
}

/* A count in shares that is planned for an engine has the programs of the whole count on this
 * engine, also where a later share finds the choices of an earlier one; and not those for
 * processors.  Random graphs of 60 vertices, patterns of 3 to 6 vertices. */
START_TEST(plans_are_those_of_the_engine)
{
  static const char *const patterns[] = {"k4", "diamond", "cycle:5", "house", "path:4", "wheel:4"};
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  uint32_t others = 0;
  set_notes();
  ms_hooks.probe_steps = 10; /* so that probes weigh programs */
  o.family = MS_FAMILY_ER;
  o.given = MS_GEN_VERTICES | MS_GEN_DEGREE;
  o.vertices = 60;
  o.degree = 9;
  for (uint32_t i = 0; i < 12; i++) {
    ms_count_choices choices = {.count = 0};
    ms_count_leaves leaves, again, on_cpu;
    ms_graph *graph;
    ms_pattern *pattern;
    subject s;
    mpz_t maps;
    mpz_init(maps);
    o.run.seed = 1 + i;
    ck_ok(ms_generate(&o, &graph, &err));
    ck_ok(ms_pattern_named(patterns[i % 6], &pattern, &err));
    open_subject(&s, graph, NULL, pattern, false);
    s.query.engine = &notes;
    n_noted = 0;
    ck_ok(ms_count_maps(&s.query, &s.shape, maps, &err));
    plan_leaves(&s, &notes, &choices, &leaves);
    plan_leaves(&s, &notes, &choices, &again);
    plan_leaves(&s, NULL, NULL, &on_cpu);
    ck_assert_uint_eq(leaves.count, n_noted);
    ck_assert_uint_eq(again.count, n_noted);
    ck_assert(choices.found > 0);
    bool differs = on_cpu.count != n_noted;
    for (uint32_t j = 0; j < n_noted; j++) {
      ck_assert_uint_eq(leaves.leaf[j].sum, noted[j]);
      ck_assert_uint_eq(again.leaf[j].sum, noted[j]);
      differs = differs || on_cpu.leaf[j].sum != noted[j];
    }
    others += differs;
    ms_count_leaves_free(&leaves);
    ms_count_leaves_free(&again);
    ms_count_leaves_free(&on_cpu);
    ms_count_choices_free(&choices);
    mpz_clear(maps);
    close_subject(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
  ck_assert_msg(others > 0, "every plan is that for processors, too");
}
END_TEST

/* The leaves of another pattern, or graph, are refused. */
START_TEST(others_are_refused)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_count_leaves sum = {.count = 0};
  mpz_t ignored;
  mpz_init(ignored);
  o.family = MS_FAMILY_ER;
  o.given = MS_GEN_VERTICES | MS_GEN_DEGREE;
  o.vertices = 60;
  o.degree = 8;
  for (int i = 0; i < 4; i++) {
    ms_count_leaves part = {.count = 0};
    ms_graph *graph;
    ms_pattern *pattern;
    subject s;
    o.run.seed = i == 3 ? 2 : 1;
    ck_ok(ms_generate(&o, &graph, &err));
    ck_ok(ms_pattern_named(i == 2 ? "k4" : "triangle", &pattern, &err));
    open_subject(&s, graph, NULL, pattern, false);
    s.query.leaves = &part;
    ck_ok(ms_count_maps(&s.query, &s.shape, ignored, &err));
    ck_assert(part.count > 0);
    ms_status status = ms_count_leaves_add(&sum, &part, &err);
    ck_assert_msg(status == (i < 2 ? MS_OK : MS_ERR_USAGE), "case %d", i);
    if (i == 2) {
      ms_count_leaves_rewind(&sum);
      s.query.leaves = &sum;
      ck_assert(ms_count_maps(&s.query, &s.shape, ignored, &err) == MS_ERR_USAGE);
    }
    ms_count_leaves_free(&part);
    close_subject(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
  ms_count_leaves_free(&sum);
  mpz_clear(ignored);
}
END_TEST

static double unevenness(subject *s, uint32_t parts)
{
  double most = 0, all = 0;
  mpz_t ignored;
  mpz_init(ignored);
  for (uint32_t p = 1; p <= parts; p++) {
    ms_work work = {.visits = 0};
    ms_share share = ms_share_of_part(p, parts);
    ms_count_leaves part = {.share = &share};
    s->query.leaves = &part;
    s->query.work = &work;
    ck_ok(ms_count_maps(&s->query, &s->shape, ignored, &err));
    double done = (double)(work.visits + work.intersections);
    most = done > most ? done : most;
    all += done;
    ms_count_leaves_free(&part);
  }
  mpz_clear(ignored);
  return most * parts / all;
}

static void check_even(ms_graph *graph, const char *name)
{
  static const uint32_t parts[] = {3, 16};
  static const char *const patterns[] = {"triangle", "k4", "diamond", "path:4", "cycle:5"};
  for (int i = 0; i < 5; i++) {
    ms_pattern *pattern;
    subject s;
    ck_ok(ms_pattern_named(patterns[i], &pattern, &err));
    open_subject(&s, graph, NULL, pattern, false);
    for (int j = 0; j < 2; j++) {
      double times = unevenness(&s, parts[j]);
      ck_assert_msg(times <= 1.2, "%s in %s: a part of %u has %.2f times the mean", patterns[i],
                    name, parts[j], times);
    }
    close_subject(&s);
    ms_pattern_free(pattern);
  }
  ms_graph_free(graph);
}

/* No dealt part of 3 or 16 visits more than 1.2 times as many candidates as the mean: R-MAT,
 * a power law, and a graph with one hub. */
START_TEST(parts_are_even)
{
  static uint32_t edges[12000][2];
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  o.family = MS_FAMILY_RMAT;
  o.given = MS_GEN_SCALE | MS_GEN_EDGES;
  o.scale = 11;
  o.edges = 16000;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, "R-MAT");
  o.family = MS_FAMILY_POWER_LAW;
  o.given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE;
  o.vertices = 12000;
  o.exponent = -2.2;
  o.min_degree = 2;
  o.max_degree = 500;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, "a power law");
  for (uint32_t v = 1; v < 3000; v++) {
    edges[2 * v][0] = 0;
    edges[2 * v][1] = v;
    edges[2 * v + 1][0] = v;
    edges[2 * v + 1][1] = 1 + v % 2999;
  }
  edges[0][0] = edges[1][0] = 0;
  edges[0][1] = edges[1][1] = 1;
  ck_ok(ms_graph_from_edges(3000, 6000, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  check_even(graph, "a hub");
}
END_TEST

TEST_MAIN("count_shares", BEFORE_ALL(copy_engine), TEST_TIMES(shares_add_up, TIMES),
          TEST(plans_are_those_of_the_engine), TEST(others_are_refused), TEST(parts_are_even))
