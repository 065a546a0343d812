/* Tail probabilities of numbers of sets: Polya-Aeppli and Poisson variables against the
 * recursion of compound Poisson variables in long double, and, for large means, against sums over
 * all numbers of clumps; the approximation against sums on both sides of the bound between them;
 * the normal tail, numbers that do not vary, and the adjustment of Benjamini and Hochberg. */
#include "significance/tails.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static ms_error err;

enum { MOST_X = 20000 };
static long double single[MOST_X + 2]; /* P(X = x) */

/* Fills single[0..x] for clumps of the size s with the probability (1 - theta) theta^(s-1):
 *
 *     x P(x) = lambda sum over s of s (1 - theta) theta^(s-1) P(x - s)
 *
 * (H. H. Panjer: Recursive evaluation of a family of compound distributions, 1981).  All terms are
 * positive, and a long double holds exp(-lambda) for lambda up to 11000. */
static void fill(long double lambda, long double theta, uint32_t most)
{
  long double sum = 0, weighted = 0; /* over s: theta^(s-1) P(x - s), and s times that */
  single[0] = expl(-lambda);
  for (uint32_t x = 1; x <= most; x++) {
    sum = single[x - 1] + theta * sum;
    weighted = sum + theta * weighted;
    single[x] = lambda * (1 - theta) * weighted / x;
  }
}

static void check_near(double p, long double right, double error, const char *what, double mean,
                       double variance, double x)
{
  if (right < MS_LEAST_P)
    right = MS_LEAST_P;
  ck_assert_msg(fabsl((long double)p - right) <= error * right,
                "%s: %.12g, not %.12Lg, for mean %.12g, variance %.12g, number %.12g", what, p,
                right, mean, variance, x);
}

/* Compares both tails at some numbers from 0 to MOST_X. */
static void compare(double mean, double ratio, double error)
{
  long double theta = ((long double)ratio - 1) / (ratio + 1), lambda = mean * (1 - theta);
  static long double above[MOST_X + 2];
  double variance = mean * ratio, deviation = sqrt(variance);
  long double below = 0;
  fill(lambda, theta, MOST_X);
  above[MOST_X + 1] = 0;
  for (uint32_t x = MOST_X + 1; x-- > 0;)
    above[x] = above[x + 1] + single[x];
  for (uint32_t x = 0; x < MOST_X / 2; x++) {
    ms_tails tails;
    below += single[x];
    bool is_near = fabs(x - mean) < 12 * deviation;
    if (x > 40 && x % (is_near ? (uint32_t)(deviation / 8) + 1 : MOST_X / 40) > 0)
      continue;
    ms_tails_of(mean, variance, x, &tails);
    check_near(tails.p, above[x], error, "at least", mean, variance, x);
    check_near(tails.p_less, below, error, "at most", mean, variance, x);
    ck_assert(fabs(tails.z - (x - mean) / deviation) < 1e-12 * (1 + fabs(tails.z)));
    ck_assert_int_eq(tails.tail, ratio > 1 ? MS_TAIL_POLYA_AEPPLI : MS_TAIL_POISSON);
  }
}

/* Means from 1e-6 to 600 and variances of 1 to 1,000 times the mean, where clumps are summed: the
 * relative error is below 1e-9 wherever a probability is above 1e-300. */
START_TEST(sums)
{
  static const double mean[] = {1e-6, 0.01, 0.3, 1, 2.5, 17, 90, 311.7, 600};
  static const double ratio[] = {1, 1.0001, 1.1, 1.5, 3, 11};
  for (size_t i = 0; i < sizeof mean / sizeof *mean; i++)
    for (size_t j = 0; j < sizeof ratio / sizeof *ratio; j++)
      compare(mean[i], ratio[j], 1e-9);
  compare(5, 50, 1e-9);
  compare(0.5, 100, 1e-9);
  compare(100, 30, 1e-9);
}
END_TEST

/* Means for which there are more clumps than are summed: the error of the approximation. */
START_TEST(approximation)
{
  compare(1000.5, 1, 1e-4);
  compare(2100, 3, 1e-4);
  compare(5000, 1.5, 1e-4);
  compare(5000, 4, 1e-4);
}
END_TEST

/* The sum over all numbers of clumps around the greatest term, in long double. */
static long double sum_above(long double lambda, long double theta, long double x)
{
  long double trials = x - 1, success = 1 - theta;
  long double from =
      floorl(fminl(lambda - 14 * sqrtl(lambda), trials * success - 14 * sqrtl(trials * success)));
  long double to = fmaxl(lambda, trials * success);
  to += 14 * sqrtl(to);
  if (from < 0)
    from = 0;
  long double poisson = from * logl(lambda) - lambda - lgammal(from + 1);
  long double binomial = lgammal(trials + 1) - lgammal(from + 1) - lgammal(trials - from + 1) +
                         from * logl(success) + (trials - from) * logl(theta);
  long double term = expl(binomial), most = 0, sum = 0;
  for (long double m = from; m < to; m++) { /* most: P(B < m) */
    sum += expl(poisson) * most;
    most += term;
    term *= (trials - m) / (m + 1) * success / theta;
    poisson += logl(lambda / (m + 1));
  }
  return sum;
}

/* Means of 10^6 and 10^9, from 5 standard deviations below the mean to 12 above it. */
START_TEST(large_means)
{
  for (int i = 0; i < 2; i++) {
    double mean = i ? 1e9 : 1e6, ratio = i ? 2.5 : 1.7, deviation = sqrt(mean * ratio);
    long double theta = ((long double)ratio - 1) / (ratio + 1), lambda = mean * (1 - theta);
    for (double z = i ? -4 : -5; z <= 12; z += i ? 8 : 0.5) {
      ms_tails tails;
      double x = floor(mean + z * deviation);
      ms_tails_of(mean, mean * ratio, (uint64_t)x, &tails);
      check_near(tails.p, sum_above(lambda, theta, x), 1e-5, "at least", mean, mean * ratio, x);
      check_near(tails.p + tails.p_less, 1, 1e-3, "both", mean, mean * ratio, x);
    }
  }
}
END_TEST

/* Far away numbers give the least probability, and take no time; numbers that do not vary have no
 * z. */
START_TEST(extremes)
{
  ms_tails tails;
  ms_tails_of(5, 10, UINT64_C(1) << 62, &tails);
  ck_assert(tails.p == MS_LEAST_P && tails.p_less == 1);
  ms_tails_of(1e15, 3e15, 0, &tails);
  ck_assert(tails.p == 1 && tails.p_less == MS_LEAST_P);
  ms_tails_of(1e-200, 2e-200, 3, &tails);
  ck_assert(tails.p >= MS_LEAST_P && tails.p < 1e-150 && tails.p_less == 1);
  ms_tails_of(1e6, 1e13, 3000000, &tails); /* 0.2 clumps, each of five millions */
  ck_assert(tails.p > 0.1 && tails.p < 0.12);
  ms_tails_of(12, 0, 12, &tails);
  ck_assert(isnan(tails.z) && tails.p == 1 && tails.p_less == 1);
  ck_assert_int_eq(tails.tail, MS_TAIL_CONSTANT);
  ms_tails_of(0, 0, 0, &tails);
  ck_assert(isnan(tails.z) && tails.p == 1);
  ms_tails_of(1000, 400, 1020, &tails);
  ck_assert_int_eq(tails.tail, MS_TAIL_NORMAL);
  ck_assert(fabs(tails.z - 1) < 1e-12);
  ck_assert(fabs(tails.p - 0.5 * erfc(0.975 / sqrt(2))) < 1e-12);
  ck_assert(fabs(tails.p_less - 0.5 * erfc(-1.025 / sqrt(2))) < 1e-12);
  ms_tails_of(50, 20, 51, &tails);
  ck_assert_int_eq(tails.tail, MS_TAIL_POISSON);
}
END_TEST

/* 30,000 random means, variances and numbers over many orders of magnitude: probabilities are
 * between the least one and 1, a greater number is not more likely as "at least", and the two tails
 * together are at least 1, but for the error of the approximation. */
START_TEST(all_magnitudes)
{
  uint64_t state = 1, cases = scaled(30000);
  for (uint64_t i = 0; i < cases; i++) {
    ms_tails tails, next;
    double mean = pow(10, random_below(&state, 24000) / 1000.0 - 8);
    double variance = mean * pow(10, random_below(&state, 8000) / 1000.0 - 1);
    double x = floor(mean + sqrt(variance) * (random_below(&state, 2000) / 20.0 - 40));
    if (i % 4 == 0)
      x = floor(pow(10, random_below(&state, 18000) / 1000.0));
    x = x < 0 ? 0 : x > 1e18 ? 1e18 : x;
    ms_tails_of(mean, variance, (uint64_t)x, &tails);
    ms_tails_of(mean, variance, (uint64_t)x + 1 + (uint64_t)(sqrt(variance) / 10), &next);
    ck_assert_msg(tails.p >= MS_LEAST_P && tails.p <= 1 && tails.p_less >= MS_LEAST_P &&
                      tails.p_less <= 1 && tails.p + tails.p_less > 0.999 &&
                      next.p <= tails.p * 1.0001 && next.p_less >= tails.p_less * 0.9999,
                  "mean %g, variance %g, number %.17g: %g and %g, then %g and %g", mean, variance,
                  x, tails.p, tails.p_less, next.p, next.p_less);
  }
}
END_TEST

/* Benjamini and Hochberg: 200 random lists with ties against the definition; the example of their
 * paper, with 15 tests. */
START_TEST(adjustment)
{
  static const double paper[15] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                   0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  double q[60], p[60];
  ck_ok(ms_adjust_p(paper, 15, 15, q, &err));
  for (int i = 0; i < 15; i++)
    ck_assert((q[i] <= 0.05) == (i < 4)); /* the first four are rejected at 0.05 */
  ck_assert(fabs(q[3] - 0.0095 * 15 / 4) < 1e-12);
  for (uint64_t seed = 0; seed < 200; seed++) {
    uint64_t state = seed;
    uint32_t count = random_below(&state, 60);
    double tests = count + random_below(&state, 3) * 40.0;
    for (uint32_t i = 0; i < count; i++)
      p[i] = (1 + random_below(&state, 20)) / 400.0;
    ck_ok(ms_adjust_p(p, count, tests, q, &err));
    for (uint32_t i = 0; i < count; i++) {
      double least = 1; /* over all bounds r >= p[i]: r tests / (number of p up to r) */
      for (uint32_t j = 0; j < count; j++) {
        uint32_t rank = 0;
        for (uint32_t l = 0; l < count; l++)
          rank += p[l] <= p[j];
        if (p[j] >= p[i] && p[j] * tests / rank < least)
          least = p[j] * tests / rank;
      }
      ck_assert_msg(fabs(q[i] - least) < 1e-12, "q %g, not %g", q[i], least);
    }
  }
}
END_TEST

TEST_MAIN("tail probabilities", TEST(sums), TEST(approximation), TEST(large_means), TEST(extremes),
          TEST(all_magnitudes), TEST(adjustment))
