/* All sums of vertex scores and the greatest ones, by the sieve and by enumeration, against all
 * subsets; the chance that the sieve misses one; when enumeration is given up. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "graph/vertex_scores.h"
#include "run/run.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 254u

static ms_error err;

static const oracle_shape shapes[] = {
    {.min_n = 1, .max_n = 12, .min_k = 1, .max_k = 4},
    {.min_n = 3, .max_n = 12, .min_k = 2, .max_k = 6, .color_lists = true, .wildcards = true},
    {.min_n = 3,
     .max_n = 11,
     .min_k = 2,
     .max_k = 5,
     .color_lists = true,
     .wildcards = true,
     .required = true,
     .conditions = true},
};

/* The sums below 4096 of the matches that hold each vertex. */
typedef struct truth {
  uint8_t occurs[ORACLE_MAX_N][4096];
  uint32_t count[ORACLE_MAX_N], best[ORACLE_MAX_N];
  uint32_t of[ORACLE_MAX_N];
  ms_vertex_scores scores;
} truth;

/* Draws scores base + step * (0..values - 1), and adds them up over all subsets. */
static void make_truth(const oracle_case *c, uint64_t *seed, uint32_t base, uint32_t step,
                       uint32_t values, truth *t)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  memset(t, 0, sizeof *t);
  for (uint32_t v = 0; v < c->n; v++)
    t->of[v] = base + step * random_below(seed, values);
  t->scores = (ms_vertex_scores){.of = t->of, .n = c->n};
  uint32_t matches = oracle_matches(c, masks);
  for (uint32_t m = 0; m < matches; m++) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v < c->n; v++)
      sum += masks[m] >> v & 1 ? t->of[v] : 0;
    ck_assert_uint_lt(sum, 4096);
    for (uint32_t v = 0; v < c->n; v++)
      if (masks[m] >> v & 1) {
        t->count[v] += !t->occurs[v][sum];
        t->occurs[v][sum] = 1;
        t->best[v] = t->best[v] < sum ? sum : t->best[v];
      }
  }
}

static ms_screen_options options_of(const ms_vertex_scores *scores, ms_screen_method method,
                                    int threads)
{
  return (ms_screen_options){.size = sizeof(ms_screen_options),
                             .method = method,
                             .vertex_scores = scores,
                             .all_sums = true,
                             .run.threads = threads};
}

/* No sum is stated that does not occur, and the greatest is the last; returns how many lack. */
static uint32_t compare(const truth *t, const ms_screen_result *r)
{
  uint32_t lacking = 0;
  for (uint32_t v = 0; v < r->n; v++) {
    uint64_t from = r->sums_from[v], to = r->sums_from[v + 1];
    for (uint64_t i = from; i < to; i++) {
      ck_assert(r->sums[i] < 4096 && t->occurs[v][r->sums[i]]);
      ck_assert(i == from || r->sums[i] > r->sums[i - 1]);
    }
    ck_assert_int_eq(r->hits[v] > 0, to > from);
    ck_assert_uint_eq(r->best_sum[v], to > from ? r->sums[to - 1] : 0);
    lacking += t->count[v] - (uint32_t)(to - from);
  }
  return lacking;
}

/* By the sieve, with so many repetitions that the chance of a miss is below 10^-12 a sum, and by
 * enumeration, the sums are those of all subsets: 3,000 random cases, with scores of few and many
 * values, common divisors and large bases, required vertices, every arithmetic, both recurrences,
 * and one to three threads. */
START_TEST(sums_of_subsets)
{
  static const char *const kernels[] = {NULL, "table", "bitslice64"};
  static truth t;
  uint64_t seed = 31, flagged = 0, several = 0;
  for (uint64_t i = 0; i < scaled(3000); i++) {
    oracle_case c;
    oracle_make(&shapes[i % 3], 70000 + i, &c);
    uint32_t values = i % 4 == 0    ? 1
                      : i % 4 == 1  ? 2
                      : i % 4 == 2  ? 9
                      : i % 32 == 3 ? MOST / c.k + 1
                                    : 12;
    uint32_t step = 1 + i % 5 * (values < 10), base = i % 3 ? 0 : 300;
    make_truth(&c, &seed, base, step, values, &t);
    for (int sieve = 0; sieve < 2; sieve++) {
      ms_screen_options o =
          options_of(&t.scores, sieve ? MS_METHOD_SIEVE : MS_METHOD_EXACT, 1 + (int)(i % 3));
      ms_screen_result *r, *greatest;
      o.error = sieve ? 1e-12 : 0;
      o.kernel = sieve ? kernels[i % 3] : NULL;
      o.recurrence = sieve && i % 7 == 0 ? MS_CLASSIC : MS_SIBLING;
      o.run.seed = i;
      ck_ok(ms_screen(c.query, &o, &r, &err));
      ck_assert_uint_eq(compare(&t, r), 0);
      o.all_sums = false;
      ck_ok(ms_screen(c.query, &o, &greatest, &err));
      ck_assert_ptr_null(greatest->sums_from);
      for (uint32_t v = 0; v < c.n; v++) {
        several += t.count[v] > 1;
        ck_assert_uint_eq(greatest->best_sum[v], t.best[v]);
        ck_assert_uint_eq(greatest->hits[v], r->hits[v]);
      }
      flagged += r->flagged;
      ms_screen_result_free(greatest);
      ms_screen_result_free(r);
    }
    oracle_free(&c);
  }
  ck_assert_uint_gt(flagged, scaled(6000));
  ck_assert_uint_gt(several, scaled(3000));
}
END_TEST

/* With one repetition, over 100,000 seeds: a sum that does not occur is never stated, and each sum
 * of each vertex is missed, but not more often than the printed bound says (five standard
 * deviations above it are allowed). */
START_TEST(chance_of_a_miss)
{
  static truth t;
  oracle_case c;
  uint64_t seed = 9, found = 0, runs = scaled(100000), missed_any = 0;
  uint64_t missed[ORACLE_MAX_N] = {0};
  double bound = 0;
  for (uint64_t i = 0;; i++, oracle_free(&c)) { /* a case whose vertices have several sums */
    oracle_make(&shapes[0], 900 + i, &c);
    make_truth(&c, &seed, 0, 1, 3, &t);
    found = 0;
    for (uint32_t v = 0; v < c.n; v++)
      found += t.count[v] > 2;
    if (c.k == 3 && found >= 4)
      break;
  }
  for (uint64_t i = 0; i < runs; i++) {
    ms_screen_options o = options_of(&t.scores, MS_METHOD_SIEVE, 1);
    ms_screen_result *r;
    o.run.seed = i;
    o.repetitions = 1;
    o.all_sums = i % 2;
    ck_ok(ms_screen(c.query, &o, &r, &err));
    if (o.all_sums)
      missed_any += compare(&t, r);
    for (uint32_t v = 0; v < c.n; v++) {
      ck_assert_uint_le(r->best_sum[v], t.best[v]);
      missed[v] += r->best_sum[v] < t.best[v];
    }
    bound = r->miss_bound;
    ms_screen_result_free(r);
  }
  double most = bound * (double)runs + 5 * sqrt(bound * (double)runs) + 1;
  ck_assert(bound > 0 && bound < 0.05);
  for (uint32_t v = 0; v < c.n; v++)
    ck_assert_msg((double)missed[v] <= most, "vertex %u: %llu misses of %llu", v,
                  (unsigned long long)missed[v], (unsigned long long)runs);
  ck_assert(runs < 10000 || missed_any > 0);
  oracle_free(&c);
}
END_TEST

/* In larger graphs, the sieve and enumeration have the same sums, and whether enumeration is given
 * up does not depend on the threads: 12 cases, 16 bounds of the work, with and without all sums. */
START_TEST(gives_up)
{
  uint64_t seed = 5, exact = 0, sieved = 0;
  for (uint64_t i = 0; i < scaled(12); i++) {
    larger_case c;
    ms_screen_result *wanted, *r;
    larger_make(100 + i, &c);
    uint32_t n = ms_graph_vertex_count(c.graph), *of = malloc(n * sizeof *of);
    for (uint32_t v = 0; v < n; v++)
      of[v] = random_below(&seed, i % 2 ? 4 : 25);
    ms_vertex_scores scores = {.of = of, .n = n};
    ms_screen_options o = options_of(&scores, MS_METHOD_EXACT, 2);
    ck_ok(ms_screen(c.query, &o, &wanted, &err));
    for (int w = 0; w < 32; w += test_scale() < 0.1 ? 6 : 2) {
      bool first = false;
      ms_hooks.exact_work = ldexp(1, w / 2 + 8);
      ms_hooks.exact_products_per_word = 1e30; /* the sieve seems to take no time */
      ms_hooks.exact_words_per_step = 0;
      for (int threads = 1; threads <= 3; threads++) {
        o = options_of(&scores, MS_METHOD_AUTO, threads);
        o.all_sums = (w / 2 + i) % 2;
        o.error = 1e-12;
        ck_ok(ms_screen(c.query, &o, &r, &err));
        first = threads == 1 ? r->exact : first;
        ck_assert_int_eq(r->exact, first);
        ck_assert_mem_eq(r->best_sum, wanted->best_sum, n * sizeof *of);
        if (o.all_sums) {
          ck_assert_mem_eq(r->sums_from, wanted->sums_from, (n + 1) * sizeof *r->sums_from);
          ck_assert_mem_eq(r->sums, wanted->sums, r->sums_from[n] * sizeof *r->sums);
        }
        exact += r->exact;
        sieved += !r->exact;
        ms_screen_result_free(r);
      }
    }
    ms_screen_result_free(wanted);
    larger_free(&c);
    free(of);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_gt(exact, scaled(40));
  ck_assert_uint_gt(sieved, scaled(40));
}
END_TEST

/* Writes the result as TSV; each row has six columns.  Returns the number of flagged rows whose
 * sums are not known. */
static uint64_t check_columns(const ms_query *query, const ms_screen_options *o,
                              const ms_screen_result *r)
{
  const char *path = files_path("stopped.tsv");
  ms_write_options w = {.size = sizeof w, .all = true};
  static char line[1 << 16];
  uint64_t rows = 0, unknown = 0;
  remove(path); /* an incomplete result would not replace it */
  ck_ok(ms_screen_write(query, o, r, &w, path, &err));
  FILE *file = fopen(path, "r");
  while (fgets(line, sizeof line, file)) {
    uint32_t tabs = 0;
    for (const char *c = line; *c; c++)
      tabs += *c == '\t';
    if (line[0] == '#')
      continue;
    ck_assert_uint_eq(tabs, 5);
    rows++;
    unknown += strstr(line, "\t\n") && !strstr(line, "\t\t\n");
  }
  fclose(file);
  ck_assert_uint_eq(rows, r->n + 1);
  return unknown;
}

/* A screen that is stopped after any number of looks states only sums that occur, and says that it
 * was stopped, and its rows have all columns. */
START_TEST(stops)
{
  larger_case c;
  uint64_t seed = 4, stopped = 0, unknown = 0;
  larger_make(8, &c);
  uint32_t n = ms_graph_vertex_count(c.graph), *of = malloc(n * sizeof *of);
  for (uint32_t v = 0; v < n; v++)
    of[v] = random_below(&seed, 5);
  ms_vertex_scores scores = {.of = of, .n = n, .info.path = "scores.tsv"};
  ms_screen_result *whole, *r;
  ms_screen_options o = options_of(&scores, MS_METHOD_EXACT, 1);
  ck_ok(ms_screen(c.query, &o, &whole, &err));
  /* an odd step, for either way to screen */
  for (uint64_t looks = 0; looks < 400; looks += test_scale() < 0.1 ? 3 : 1) {
    o.method = looks % 2 ? MS_METHOD_EXACT : MS_METHOD_SIEVE;
    ck_ok(ms_stop_new(&o.run.stop, &err));
    ms_stop_after_looks(o.run.stop, looks / 2);
    ck_ok(ms_screen(c.query, &o, &r, &err));
    for (uint32_t v = 0; v < n; v++) {
      ck_assert_uint_le(r->best_sum[v], whole->best_sum[v]);
      for (uint64_t i = r->sums_from[v]; i < r->sums_from[v + 1]; i++) {
        uint64_t j = whole->sums_from[v];
        while (j < whole->sums_from[v + 1] && whole->sums[j] != r->sums[i])
          j++;
        ck_assert_uint_lt(j, whole->sums_from[v + 1]);
      }
    }
    stopped += r->run.stopped == MS_ERR_LIMIT;
    ck_assert(r->run.stopped != MS_OK || r->flagged == whole->flagged);
    unknown += check_columns(c.query, &o, r);
    ms_screen_result_free(r);
    ms_stop_free(o.run.stop);
  }
  ms_screen_result_free(whole);
  ck_assert_uint_gt(stopped, 5);
  ck_assert_uint_gt(unknown, 0);
  larger_free(&c);
  free(of);
}
END_TEST

typedef struct call {
  const ms_query *query;
  const ms_vertex_scores *scores;
  ms_screen_method method;
} call;

static ms_status screen_once(void *user, ms_error *error)
{
  const call *c = user;
  ms_screen_options o = options_of(c->scores, c->method, 1);
  ms_screen_result *r;
  ms_status status = ms_screen(c->query, &o, &r, error);
  if (status == MS_OK)
    ms_screen_result_free(r);
  return status;
}

/* Whichever allocation of such a screen fails, it is reported. */
START_TEST(memory_may_lack)
{
  larger_case c;
  uint64_t seed = 4;
  static uint32_t of[4096];
  larger_make(3, &c);
  for (uint32_t v = 0; v < ms_graph_vertex_count(c.graph); v++)
    of[v] = random_below(&seed, 4);
  ms_vertex_scores scores = {.of = of, .n = ms_graph_vertex_count(c.graph)};
  for (int sieve = 0; sieve < 2; sieve++) {
    call once = {c.query, &scores, sieve ? MS_METHOD_SIEVE : MS_METHOD_EXACT};
    ck_assert_int_gt(failing_runs_survived(screen_once, &once), 10);
  }
  larger_free(&c);
}
END_TEST

/* Scores that span too much are refused with what to do, which helps; AUTO enumerates. */
START_TEST(refuses_wide_scores)
{
  static truth t;
  uint64_t seed = 1, refused = 0;
  for (uint64_t i = 0; i < scaled(300); i++) {
    oracle_case c;
    ms_screen_result *r;
    oracle_make(&shapes[i % 2], 5000 + i, &c);
    make_truth(&c, &seed, 0, 1, 600, &t);
    ms_screen_options o = options_of(&t.scores, MS_METHOD_SIEVE, 1);
    ms_status status = ms_screen(c.query, &o, &r, &err);
    if (status == MS_OK) {
      ms_screen_result_free(r);
    } else {
      unsigned multiple;
      ck_assert_int_eq(status, MS_ERR_USAGE);
      const char *advice = strstr(err.message, "multiples of ");
      ck_assert_ptr_nonnull(advice);
      ck_assert_int_eq(sscanf(advice, "multiples of %u", &multiple), 1);
      for (uint32_t v = 0; v < c.n; v++)
        t.of[v] = (t.of[v] + multiple / 2) / multiple * multiple;
      ck_ok(ms_screen(c.query, &o, &r, &err));
      ms_screen_result_free(r);
      refused++;
    }
    oracle_free(&c);
    oracle_make(&shapes[i % 2], 5000 + i, &c);
    make_truth(&c, &seed, 0, 1, 600, &t);
    o.method = MS_METHOD_AUTO;
    ck_ok(ms_screen(c.query, &o, &r, &err));
    ck_assert_uint_eq(compare(&t, r), 0);
    ms_screen_result_free(r);
    oracle_free(&c);
  }
  ck_assert_uint_gt(refused, scaled(20));
}
END_TEST

TEST_MAIN("sieve_sums", TEST(sums_of_subsets), TEST(chance_of_a_miss), TEST(gives_up), TEST(stops),
          TEST(memory_may_lack), TEST(refuses_wide_scores))
