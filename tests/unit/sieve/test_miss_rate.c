/* The measured miss rate: its trials are what they say, its intervals and verdicts are right, and a
 * small part of the measurement itself agrees with theory. */
#include "bench/harness.h"
#include "bench/sieve/miss_cell.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

/* ---- trials -------------------------------------------------------------------- */

typedef struct recount {
  uint32_t k, vertex;
  uint64_t covered, with_vertex;
} recount;

static bool note_match(void *user, const uint32_t *set)
{
  recount *r = user;
  bool with = false;
  for (uint32_t i = 0; i < r->k; i++) {
    r->covered |= UINT64_C(1) << set[i];
    with |= set[i] == r->vertex;
  }
  r->with_vertex += with;
  return true;
}

/* The vertex is in a match, the core is what it is said to be, and the search
 * finds what the judge finds. */
static void check_trial(const planted_setting *setting, uint64_t seed)
{
  planted_case c;
  mpz_t count;
  ms_error err;
  ck_assert_msg(planted_make(setting, seed, &c, &err) == MS_OK, "%s", err.message);
  recount r = {.k = setting->k, .vertex = c.vertex};
  mpz_init(count);
  ck_assert_int_eq(recount_motif(c.query, count, note_match, &r, NULL, NULL), MS_OK);
  mpz_clear(count);
  ck_assert(c.core >> c.vertex & 1);
  ck_assert_uint_ge(r.with_vertex, 1);
  if (planted_core_is_all(&c))
    ck_assert_msg(r.covered == c.core, "%s k = %u seed %llu", planted_host_name(setting->host),
                  setting->k, (unsigned long long)seed);
  uint64_t covered = 0;
  for (uint32_t v = 0; v < c.n; v++) {
    planted_search all = planted_find(&c, v, UINT64_MAX), one = planted_find(&c, v, 1);
    ck_assert(!all.gave_up);
    ck_assert_uint_eq(one.matches, all.matches > 0);
    ck_assert_uint_eq(one.covered & ~r.covered, 0);
    covered |= all.covered;
    if (v == c.vertex)
      ck_assert_uint_eq(all.matches, r.with_vertex);
  }
  ck_assert_uint_eq(covered, r.covered);
  if (!setting->crowded && setting->host != PLANTED_LAYERS)
    ck_assert_uint_eq(r.with_vertex, 1);
  if (setting->host == PLANTED_LAYERS)
    ck_assert_uint_eq(r.with_vertex, UINT64_C(1) << (setting->k - 1));
  planted_free(&c);
}

/* In each planted trial the vertex is in a match, the core is what the setting says, and the search
 * finds what the judge's recount finds: all hosts, motifs and five sizes, three seeds each. */
START_TEST(trials_are_what_they_say)
{
  static const uint32_t sizes[] = {2, 3, 5, 7, 9};
  uint64_t live_elsewhere = 0;
  for (int host = 0; host < PLANTED_HOSTS; host++)
    for (int motif = 0; motif < PLANTED_MOTIFS; motif++)
      for (int crowded = 0; crowded < (host < PLANTED_FAMILIES ? 2 : 1); crowded++)
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
          planted_setting setting = {(planted_host)host, (planted_motif)motif, crowded, sizes[i]};
          if ((host == PLANTED_LAYERS && motif != PLANTED_DISTINCT) || (crowded && sizes[i] > 5))
            continue;
          for (uint64_t seed = 0; seed < 3; seed++)
            check_trial(&setting, seed * 1000 + i);
          planted_case c;
          ck_assert_int_eq(planted_make(&setting, 77, &c, NULL), MS_OK);
          for (uint32_t v = 0; v < c.n; v++)
            live_elsewhere += !(c.core >> v & 1) && c.color[v] < c.colors;
          planted_free(&c);
        }
  /* colours of the motif outside of matches: what could be flagged wrongly */
  ck_assert_uint_gt(live_elsewhere, 500);
}
END_TEST

/* Four impossible settings are refused by the trial and by the measurement, with a message. */
START_TEST(impossible_trials_are_refused)
{
  static const planted_setting bad[] = {{PLANTED_REGULAR, PLANTED_DISTINCT, false, 1},
                                        {PLANTED_REGULAR, PLANTED_DISTINCT, false, 17},
                                        {PLANTED_CYCLE, PLANTED_DISTINCT, true, 5},
                                        {PLANTED_LAYERS, PLANTED_PAIRS, false, 5}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    planted_case c;
    miss_cell cell = {.setting = bad[i], .trials = 10};
    ms_error err;
    ck_assert_int_eq(planted_make(&bad[i], 1, &c, &err), MS_ERR_USAGE);
    planted_free(&c);
    ck_assert_int_eq(miss_cell_run(&cell, 1, 2, &err), MS_ERR_USAGE);
    ck_assert_uint_gt(err.message[0], 0);
  }
}
END_TEST

/* ---- statistics ------------------------------------------------------------------ */

/* Clopper-Pearson intervals are those of tables (five rows), and of the closed form for no miss in
 * 100,000 trials. */
START_TEST(intervals_are_exact)
{
  /* tables of the binomial distribution; 0 of n: 1 - tail^(1/n) */
  static const struct {
    uint64_t misses, trials;
    double low, high;
  } known[] = {{0, 10, 0, 0.3084971},
               {5, 10, 0.1870860, 0.8129140},
               {10, 10, 0.6915029, 1},
               {1, 20, 0.0012651, 0.2487328},
               {50, 1000, 0.0373354, 0.0653905}};
  double low, high;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    bench_interval(known[i].misses, known[i].trials, 0.025, &low, &high);
    ck_assert_double_eq_tol(low, known[i].low, 2e-7);
    ck_assert_double_eq_tol(high, known[i].high, 2e-7);
  }
  bench_interval(0, 100000, 1e-6, &low, &high);
  ck_assert_double_eq_tol(high, 1 - pow(1e-6, 1e-5), 1e-10);
}
END_TEST

/* Measured numbers on either side of the bound, of the tighter bound and of the closed form get the
 * right verdict: ten cells of eight slots. */
START_TEST(verdicts)
{
  /* k = 8: bound 5.72 %, tighter 2.71 % for 8 colours, 5.35 % for one */
  miss_cell cell = {.setting = {PLANTED_REGULAR, PLANTED_DISTINCT, false, 8},
                    .trials = 100000,
                    .misses = 1000,
                    .expected = NAN};
  ck_assert_uint_eq(miss_degree(&cell.setting), 15);
  ck_assert_uint_eq(miss_tight_degree(&cell.setting), 7);
  ck_assert_double_eq_tol(miss_bound(15), 0.0572359, 1e-7);
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_FINE);
  cell.false_flags = 1;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_FALSE_FLAG);
  cell.false_flags = 0;
  cell.misses = 5800; /* lower end 5.66 % */
  cell.setting.motif = PLANTED_ONE;
  ck_assert_uint_eq(miss_tight_degree(&cell.setting), 14);
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_ABOVE_TIGHT);
  cell.misses = 5900; /* 5.75 % */
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_ABOVE_BOUND);
  cell.misses = 3000;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_FINE);
  cell.setting.motif = PLANTED_DISTINCT;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_ABOVE_TIGHT);
  cell.misses = 400;
  cell.expected = 0.0039;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_FINE);
  cell.misses = 600;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_UNEXPECTED);
  cell.misses = 250;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_UNEXPECTED);
  cell.expected = 0; /* theory says never */
  cell.misses = 1;
  ck_assert_int_eq(miss_cell_judge(&cell), MISS_FINE + MISS_UNEXPECTED);
}
END_TEST

/* ---- the measurement ---------------------------------------------------------------- */

/* A cell measured by one and by three threads has the same misses and flags, and another seed gives
 * others. */
START_TEST(threads_do_not_matter)
{
  miss_cell one = {.setting = {PLANTED_LAYERS, PLANTED_DISTINCT, false, 6}, .trials = 1000},
            many = one, other = one;
  ck_assert_int_eq(miss_cell_run(&one, 5, 1, NULL), MS_OK);
  ck_assert_int_eq(miss_cell_run(&many, 5, 3, NULL), MS_OK);
  ck_assert_int_eq(miss_cell_run(&other, 6, 1, NULL), MS_OK);
  ck_assert_uint_eq(one.misses, many.misses);
  ck_assert_uint_eq(one.flags, many.flags);
  ck_assert_uint_gt(one.misses, 0);
  ck_assert_uint_ne(one.flags, other.flags);
}
END_TEST

/* Eleven small cells with both recurrences have no false flag and stay below their bounds, and the
 * six with a closed form agree with it together within 4.9 standard deviations: 2,050 trials a
 * cell. */
START_TEST(rates_are_as_they_should_be)
{
  static const planted_setting settings[] = {{PLANTED_REGULAR, PLANTED_PAIRS, false, 6},
                                             {PLANTED_GRID, PLANTED_PAIRS, true, 4},
                                             {PLANTED_POWER_LAW, PLANTED_DISTINCT, true, 6},
                                             {PLANTED_CLIQUE, PLANTED_ONE, false, 5},
                                             {PLANTED_ER, PLANTED_DISTINCT, false, 8},
                                             {PLANTED_PATH_END, PLANTED_DISTINCT, false, 6},
                                             {PLANTED_PATH_MIDDLE, PLANTED_PAIRS, false, 7},
                                             {PLANTED_STAR_CENTRE, PLANTED_ONE, false, 7},
                                             {PLANTED_BINARY_ROOT, PLANTED_PAIRS, false, 7},
                                             {PLANTED_TREE, PLANTED_DISTINCT, false, 7},
                                             {PLANTED_LAYERS, PLANTED_DISTINCT, false, 8}};
  uint64_t trials = (uint64_t)(2000 * test_scale()) + 50;
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    double expected = 0;
    uint64_t misses = 0, closed = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
      miss_cell cell = {
          .setting = settings[i], .recurrence = (ms_recurrence)recurrence, .trials = trials};
      ck_assert_int_eq(miss_cell_run(&cell, 1, 2, NULL), MS_OK);
      miss_verdict verdict = miss_cell_judge(&cell);
      ck_assert_msg(verdict == MISS_FINE, "%s, recurrence %d: %s (%llu of %llu missed)",
                    planted_host_name(settings[i].host), recurrence, miss_verdict_text(verdict),
                    (unsigned long long)cell.misses, (unsigned long long)trials);
      ck_assert_uint_eq(cell.undecided, 0);
      ck_assert_uint_ge(cell.flags, trials);
      if (isnan(cell.expected))
        continue;
      expected += cell.expected * (double)trials;
      misses += cell.misses;
      closed++;
    }
    printf("recurrence %d: %llu cells with a closed form, missed %llu, expected %.1f\n", recurrence,
           (unsigned long long)closed, (unsigned long long)misses, expected);
    ck_assert_uint_eq(closed, 6);
    ck_assert_double_le(fabs((double)misses - expected), 4.9 * sqrt(expected) + 1);
  }
}
END_TEST

TEST_MAIN("miss_rate", TEST(trials_are_what_they_say), TEST(impossible_trials_are_refused),
          TEST(intervals_are_exact), TEST(verdicts), TEST(threads_do_not_matter),
          TEST(rates_are_as_they_should_be))
