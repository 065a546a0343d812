/* Random samples of the matches of a motif, counted in lists, in rows of bits and in balls, against
 * brute force and against the whole list. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "graph/generate/generate.h"
#include "motif/best/draw.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of standard deviations that a normal number exceeds with a probability below 1e-7. */
#define DEVIATIONS 5.2

/* Returns about what a chi-square of so many degrees of freedom exceeds with a probability of 1e-7
 * (Wilson and Hilferty, 1931). */
static double chi_square_limit(double degrees)
{
  double a = 2 / (9 * degrees);
  return degrees * pow(1 - a + DEVIATIONS * sqrt(a), 3);
}

/* Checks that each of `all` things was drawn about as often as the others: drawn[all] says how
 * often, in `seeds` draws of `count` different ones. */
static void check_uniform(const uint64_t *drawn, uint64_t all, uint64_t count, uint64_t seeds,
                          const char *what)
{
  double expected = (double)seeds * (double)count / (double)all, sum = 0;
  for (uint64_t i = 0; i < all; i++)
    sum += ((double)drawn[i] - expected) * ((double)drawn[i] - expected) / expected;
  sum *= (double)(all - 1) / (double)(all - count); /* draws are without replacement */
  ck_assert_msg(sum < chi_square_limit((double)(all - 1)),
                "%s: chi-square %.1f of %llu things, at most %.1f", what, sum,
                (unsigned long long)all, chi_square_limit((double)(all - 1)));
}

/* ---- numbers -------------------------------------------------------------------- */

/* Drawn numbers ascend and are below the total: 3,000 random draws of up to 300 from up to 2^62. */
START_TEST(numbers_ascend)
{
  uint64_t state = 5, number[300];
  ms_error err;
  for (uint64_t i = 0; i < scaled(3000); i++) {
    uint64_t total = 1 + (random_next(&state) >> (2 + random_below(&state, 62)));
    uint64_t most = total < 300 ? total : 300, count = 1 + random_below(&state, (uint32_t)most);
    ck_ok(ms_draw_numbers(total, count, i, number, &err));
    for (uint64_t j = 0; j < count; j++) {
      ck_assert_uint_lt(number[j], total);
      ck_assert(j == 0 || number[j - 1] < number[j]);
    }
  }
}
END_TEST

/* All 35 sets of three of seven numbers, and all 35 of four, are drawn equally often under 70,000
 * seeds: chi-square, level 1e-7. */
START_TEST(sets_of_numbers_are_equally_likely)
{
  for (uint64_t count = 3; count <= 4; count++) {
    uint64_t drawn[128] = {0}, of_sets[35], sets = 0, number[4];
    ms_error err;
    for (uint64_t seed = 0; seed < 70000; seed++) {
      uint32_t set = 0;
      ck_ok(ms_draw_numbers(7, count, seed, number, &err));
      for (uint64_t i = 0; i < count; i++)
        set |= 1u << number[i];
      drawn[set]++;
    }
    for (uint32_t set = 0; set < 128; set++)
      if (__builtin_popcount(set) == (int)count)
        of_sets[sets++] = drawn[set];
    ck_assert_uint_eq(sets, 35);
    check_uniform(of_sets, 35, 1, 70000, "sets of numbers");
  }
}
END_TEST

/* Numbers from a total near 2^63 fall equally often into each of 61 parts: 6,000 draws of ten. */
START_TEST(large_totals_are_uniform)
{
  uint64_t total = UINT64_C(61) << 57, drawn[61] = {0}, number[10];
  ms_error err;
  for (uint64_t seed = 0; seed < 6000; seed++) {
    ck_ok(ms_draw_numbers(total, 10, seed, number, &err));
    for (int i = 0; i < 10; i++)
      drawn[number[i] >> 57]++;
  }
  check_uniform(drawn, 61, 1, 60000, "large numbers");
}
END_TEST

/* ---- matches --------------------------------------------------------------------- */

/* Makes the next counts take this way (0: the one that is chosen), states of this many bytes, and
 * the i-th instruction set.  Returns its name, or NULL if there are no more. */
static const char *set_way(int way, uint64_t bytes, unsigned i)
{
  const ms_set_counting *path = ms_set_counting_at(i);
  ms_hooks.count_way = way;
  ms_hooks.state_bytes = bytes;
  if (path)
    setenv("MOTIFSIEVE_SETS", path->name, 1);
  return path ? path->name : NULL;
}

static ms_list_options options_of(uint64_t sample, uint64_t seed, int threads)
{
  return (ms_list_options){
      .size = sizeof(ms_list_options),
      .exact = true,
      .sample = sample,
      .screen = {.size = sizeof(ms_screen_options), .run.threads = threads, .run.seed = seed}};
}

/* Draws a sample, checks that it is stated, sorted and without repetition, and returns it. */
static ms_list_result *sample(const ms_query *query, uint64_t count, uint64_t seed, int threads)
{
  ms_list_options options = options_of(count, seed, threads);
  ms_list_result *r;
  ms_error err;
  ck_ok(ms_list(query, &options, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_OK);
  ck_assert_uint_eq(r->matches, count < r->sampled_from ? count : r->sampled_from);
  for (uint64_t i = 1; i < r->matches; i++) {
    const uint32_t *row = r->vertices + i * r->k, *before = row - r->k;
    uint32_t at = 0;
    while (at < r->k && before[at] == row[at])
      at++;
    ck_assert(at < r->k && before[at] < row[at]);
  }
  return r;
}

/* Draws the same sample again, and compares. */
static void draw_again(const ms_query *query, const ms_list_result *want, uint64_t count,
                       uint64_t seed, int threads, const char *how)
{
  ms_list_result *r = sample(query, count, seed, threads);
  ck_assert_msg(r->matches == want->matches && r->sampled_from == want->sampled_from,
                "%s, %d threads: %llu of %llu", how, threads, (unsigned long long)r->matches,
                (unsigned long long)r->sampled_from);
  size_t bytes = r->matches * r->k * sizeof *r->vertices;
  ck_assert_msg(!bytes || memcmp(r->vertices, want->vertices, bytes) == 0,
                "%s, %d threads: other rows", how, threads);
  ms_list_result_free(r);
}

/* Lists all matches, or `most` of them. */
static ms_list_result *list_all(const ms_query *query, uint64_t most)
{
  ms_list_options options = options_of(0, 1, 2);
  ms_list_result *all;
  ms_error err;
  options.limit = most;
  ck_ok(ms_list(query, &options, &all, &err));
  return all;
}

/* Returns the number of a row in a sorted list. */
static uint64_t find_row(const ms_list_result *all, const uint32_t *row)
{
  uint64_t low = 0, high = all->matches;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    const uint32_t *there = all->vertices + middle * all->k;
    uint32_t at = 0;
    while (at < all->k && there[at] == row[at])
      at++;
    if (at == all->k)
      return middle;
    if (there[at] < row[at])
      low = middle + 1;
    else
      high = middle;
  }
  ck_abort_msg("a row is no match");
  return 0;
}

/* A sample of as many rows as there are matches, or more, is the whole list, and a smaller one is a
 * part of it, the same for each instruction set, any number of threads and few or many states; its
 * total is that of brute force: 900 random cases in every way. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  for (uint64_t i = 0; i < scaled(900); i++) {
    uint64_t seed = 9000 + i;
    oracle_case c;
    char how[80];
    const char *name;
    oracle_make(&oracle_long_motifs[i % ORACLE_SHAPES], seed, &c);
    uint32_t matches = oracle_matches(&c, masks);
    ms_list_result *all = list_all(c.query, 0);
    ck_assert_uint_eq(all->matches, matches);
    all->sampled_from = matches;
    double estimate;
    ck_assert_int_eq(ms_list_estimate(c.query, NULL, &estimate, NULL), MS_OK);
    ck_assert_double_eq(estimate, matches); /* it was not stopped */
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      uint64_t part = 1 + seed % (1 + matches / 2);
      set_way(way, 1 << 20, 0);
      ms_list_result *some = sample(c.query, part, seed, 1);
      for (uint64_t r = 0; r < some->matches; r++)
        find_row(all, some->vertices + r * some->k);
      for (unsigned p = 0; (name = set_way(way, i % 2 ? 1 << 20 : i % 4 ? 4000 : 0, p)); p++) {
        snprintf(how, sizeof how, "seed %llu, way %d, %s", (unsigned long long)seed, way, name);
        draw_again(c.query, all, matches + i % 3, seed, 1 + (int)(i % 4), how);
        draw_again(c.query, some, part, seed, 1 + (int)(i % 4), how);
      }
      ms_list_result_free(some);
    }
    ms_list_result_free(all);
    oracle_free(&c);
  }
}
END_TEST

/* The same in graphs whose balls have from a few to too many vertices: those of 30 random cases
 * that have fewer than 200,000 matches. */
START_TEST(agrees_with_lists)
{
  uint64_t cases = scaled(30), most = 0;
  for (uint64_t i = 0; i < cases; i++) {
    larger_case c;
    char how[80];
    const char *name;
    larger_make(i, &c);
    ms_list_result *all = list_all(c.query, 200000);
    if (all->run.stopped != MS_OK) {
      ms_list_result_free(all);
      larger_free(&c);
      continue;
    }
    all->sampled_from = all->matches;
    most = all->matches > most ? all->matches : most;
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      set_way(way, 1 << 20, 0);
      ms_list_result *some = sample(c.query, 100, i, 1);
      for (uint64_t r = 0; r < some->matches; r++)
        find_row(all, some->vertices + r * some->k);
      for (unsigned p = 0; (name = set_way(way, i % 5 ? 1 << 20 : 20000, p)); p++) {
        snprintf(how, sizeof how, "case %llu, way %d, %s", (unsigned long long)i, way, name);
        for (int threads = 1; threads <= (p == 0 ? 4 : 1); threads++)
          draw_again(c.query, some, 100, i, threads, how);
        if (i % 3 == p)
          draw_again(c.query, all, all->matches, i, 1 + (int)(i % 4), how);
      }
      ms_list_result_free(some);
    }
    ms_list_result_free(all);
    larger_free(&c);
  }
  ck_assert(cases < 30 || most > 20000);
}
END_TEST

/* Each match is drawn equally often: in every way, 6 cases of 20 to 2,000 matches, 2,000 seeds (at
 * least 400 in short runs), and 100,000 seeds of the first case; chi-square at the level 1e-7. */
START_TEST(matches_are_equally_likely)
{
  static uint64_t drawn[2000];
  int cases = 0;
  for (uint64_t seed = 100; cases < 6; seed++) {
    oracle_case c;
    char what[80];
    oracle_make(&oracle_long_motifs[1 + seed % 2], seed, &c);
    ms_list_result *all = list_all(c.query, 0);
    uint64_t count = 1 + all->matches / (cases % 2 ? 3 : 20);
    bool fits = all->matches >= 20 && all->matches <= 2000;
    /* a match is expected seeds / 20 times or more often, which is enough for chi-square */
    uint64_t least = scaled(2000) > 400 ? scaled(2000) : 400;
    uint64_t seeds = cases == 0 && scaled(100000) > least ? scaled(100000) : least;
    cases += fits;
    for (int way = 1; fits && way <= MS_COUNT_BALLS + 1; way++) {
      set_way(way, 1 << 20, 0);
      memset(drawn, 0, sizeof drawn);
      for (uint64_t s = 0; s < seeds; s++) {
        ms_list_result *some = sample(c.query, count, s, 1);
        for (uint64_t r = 0; r < some->matches; r++)
          drawn[find_row(all, some->vertices + r * some->k)]++;
        ms_list_result_free(some);
      }
      snprintf(what, sizeof what, "seed %llu, way %d", (unsigned long long)seed, way);
      check_uniform(drawn, all->matches, count, seeds, what);
    }
    ms_list_result_free(all);
    oracle_free(&c);
  }
}
END_TEST

/* An estimate from a part of the roots is near the number of matches where no vertex is special. */
START_TEST(estimates_are_near)
{
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *all;
  ms_error err;
  uint32_t estimates = 0;
  ck_ok(ms_generate_regular(5000, 6, 3, &graph, &err));
  ck_ok(ms_generate_colors(graph, 3, 3, &coloring, &err));
  ck_ok(ms_motif_parse("c0,c1,*:3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ms_list_options o = {
      .size = sizeof o, .exact = true, .count_only = true, .screen = {.size = sizeof o.screen}};
  ck_ok(ms_list(query, &o, &all, &err));
  /* few looks are where an estimate may be far off */
  for (uint64_t looks = 1; looks < 4000; looks += looks < 200 ? looks / 4 + 1 : looks) {
    double estimate;
    ck_ok(ms_stop_new(&o.screen.run.stop, &err));
    ms_stop_after_looks(o.screen.run.stop, looks);
    ms_status status = ms_list_estimate(query, &o, &estimate, &err);
    ms_stop_free(o.screen.run.stop);
    if (status != MS_OK || estimate < 0)
      continue;
    ck_assert_msg(fabs(log2(estimate / (double)all->matches)) < 1, "%g of %llu after %llu looks",
                  estimate, (unsigned long long)all->matches, (unsigned long long)looks);
    estimates += estimate != (double)all->matches;
  }
  ck_assert_uint_gt(estimates, 2);
  ms_list_result_free(all);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* ---- many matches ------------------------------------------------------------------ */

/* Makes the motif of k wildcards in a complete graph. */
typedef struct complete_case {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} complete_case;

static void complete_make(uint32_t n, const char *text, complete_case *c)
{
  uint32_t edges = 0;
  uint32_t(*edge)[2] = malloc(sizeof *edge * n * (n - 1) / 2);
  ms_error err;
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t u = 0; u < v; u++, edges++) {
      edge[edges][0] = u;
      edge[edges][1] = v;
    }
  ck_ok(ms_graph_from_edges(n, edges, (const uint32_t(*)[2])edge, NULL, &c->graph, &err));
  ck_ok(ms_coloring_from_pairs(c->graph, 0, NULL, 0, NULL, &c->coloring, &err));
  ck_ok(ms_motif_parse(text, c->coloring, &c->motif, &err));
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, &err));
  free(edge);
}

static void complete_free(complete_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* In a complete graph of 400 vertices, each of the 1,050,739,900 sets of four is a match.  Each
 * vertex is in a hundredth of the rows that are drawn, up to chance: chi-square, level 1e-7. */
START_TEST(samples_of_a_billion_matches)
{
  complete_case c;
  uint64_t of[400] = {0};
  complete_make(400, "*:4", &c);
  set_way(0, 1 << 20, 0);
  ms_list_result *r = sample(c.query, 50000, 3, 2);
  ck_assert_uint_eq(r->sampled_from, UINT64_C(1050739900));
  for (uint64_t i = 0; i < r->matches * r->k; i++)
    of[r->vertices[i]]++;
  check_uniform(of, 400, 4, r->matches, "vertices"); /* a row is a draw of four vertices */
  ms_list_result_free(r);
  complete_free(&c);
}
END_TEST

/* ---- what can go wrong --------------------------------------------------------------- */

/* A sample that is stopped after any number of looks has no rows, and says how far it counted. */
START_TEST(a_stopped_sample_has_no_rows)
{
  larger_case c;
  ms_error err;
  larger_make(8, &c);
  ms_list_result *all = list_all(c.query, 0);
  uint64_t stopped = 0, whole = 0;
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++)
    for (uint64_t looks = 0; looks < 100; looks++) {
      ms_list_options options = options_of(50, 1, 2);
      ms_list_result *r;
      ck_ok(ms_stop_new(&options.screen.run.stop, &err));
      ms_stop_after_looks(options.screen.run.stop, looks);
      set_way(way, 1 << 20, 0);
      ck_ok(ms_list(c.query, &options, &r, &err));
      ck_assert_uint_le(r->sampled_from, all->matches);
      ck_assert(r->run.stopped == MS_OK
                    ? r->matches == 50 && r->sampled_from == all->matches
                    : r->run.stopped == MS_ERR_LIMIT && r->matches == 0 && !r->vertices);
      stopped += r->run.stopped != MS_OK && r->sampled_from > 0;
      whole += r->run.stopped != MS_OK && r->sampled_from == all->matches;
      ms_list_result_free(r);
      ms_stop_free(options.screen.run.stop);
    }
  ck_assert_uint_gt(stopped, 20);
  ck_assert_uint_gt(whole, 2); /* these were stopped while matches were picked */
  ms_list_result_free(all);
  larger_free(&c);
}
END_TEST

static ms_status draw_once(void *user, ms_error *err)
{
  ms_list_options options = options_of(20, 1, 1);
  ms_list_result *result;
  ms_status status = ms_list(user, &options, &result, err);
  if (status == MS_OK) {
    ck_assert_uint_eq(result->matches, 20);
    ms_list_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, a sample reports it or does without, in each way. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++) {
    set_way(way, 1 << 16, 0);
    ck_assert_int_gt(failing_runs_survived(draw_once, c.query), 10);
  }
  larger_free(&c);
}
END_TEST

/* Refuses a sample with these options, with this message. */
static void refuse(const ms_query *query, const ms_list_options *options, ms_status want,
                   const char *message)
{
  ms_list_result *result;
  ms_error err;
  ck_assert_int_eq(ms_list(query, options, &result, &err), want);
  ck_assert_ptr_null(result);
  ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
}

/* A sample is refused with options that it cannot honour, of too many matches, and of more rows
 * than the memory holds. */
START_TEST(refusals)
{
  complete_case c;
  ms_list_options o = options_of(5, 1, 1);
  complete_make(40, "*:4", &c);
  set_way(0, 1 << 20, 0);
  o.count_only = true;
  refuse(c.query, &o, MS_ERR_USAGE, "`sample` draws from all matches and stores them");
  o = options_of(5, 1, 1);
  o.limit = 3;
  refuse(c.query, &o, MS_ERR_USAGE, "`sample` draws from all matches and stores them");
  o = options_of(5, 1, 1);
  o.exact = false;
  refuse(c.query, &o, MS_ERR_USAGE, "set `exact`");
  o = options_of(UINT64_MAX, 1, 1);
  refuse(c.query, &o, MS_ERR_USAGE, "`sample` is greater than 2^63-1");
  o = options_of(5, UINT64_MAX, 1);
  refuse(c.query, &o, MS_ERR_USAGE, "`seed` is greater than 2^63-1");
  o = options_of(INT64_MAX, 1, 1);
  o.screen.run.memory = 100000;
  refuse(c.query, &o, MS_ERR_MEMORY, "a sample of 91390 matches");
  complete_free(&c);
}
END_TEST

TEST_MAIN("sample", TEST(numbers_ascend), TEST(sets_of_numbers_are_equally_likely),
          TEST(large_totals_are_uniform), TEST(agrees_with_oracle), TEST(agrees_with_lists),
          TEST(estimates_are_near), TEST(matches_are_equally_likely),
          TEST(samples_of_a_billion_matches), TEST(a_stopped_sample_has_no_rows),
          TEST(every_allocation_may_fail), TEST(refusals))
