/* Tail probabilities of numbers of sets: Polya-Aeppli and Poisson variables against the
 * recursion of compound Poisson variables in long double, and, for large means, against sums over
 * all numbers of clumps; the approximation against sums on both sides of the bound between them;
 * the greatest of several distributions against integrals of their densities; bounds; numbers that
 * do not vary, and the adjustment of Benjamini and Hochberg. */
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
    ms_polya_aeppli(mean, variance, x, &tails.p, &tails.p_less);
    check_near(tails.p, above[x], error, "at least", mean, variance, x);
    check_near(tails.p_less, below, error, "at most", mean, variance, x);
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
      ms_polya_aeppli(mean, mean * ratio, x, &tails.p, &tails.p_less);
      check_near(tails.p, sum_above(lambda, theta, x), 1e-5, "at least", mean, mean * ratio, x);
      check_near(tails.p + tails.p_less, 1, 1e-3, "both", mean, mean * ratio, x);
    }
  }
}
END_TEST

/* A number of sets of which there are very many others. */
static ms_moments rare(double mean, double variance)
{
  return (ms_moments){.mean = mean, .variance = variance, .sets = 1e19};
}

static ms_tails tails_of(ms_moments moments, double number)
{
  ms_tails tails;
  ms_tails_of(&moments, (uint64_t)number, &tails);
  return tails;
}

/* P(Z > z) or the same of an inverse Gaussian variable of the mean 1 and the shape `shape` (0:
 * normal), by Simpson's rule over the density from z on; of the lower tail with step < 0. */
static double integrate(double shape, double z, double step)
{
  double sum = 0;
  for (int i = 0; i <= 20000; i++) {
    double x = z + i * step, density = 0;
    if (shape == 0)
      density = exp(-x * x / 2) / sqrt(2 * acos(-1));
    else if (x > 0)
      density =
          sqrt(shape / (2 * acos(-1) * x * x * x)) * exp(-shape * (x - 1) * (x - 1) / (2 * x));
    sum += density * (i == 0 || i == 20000 ? 1 : i % 2 ? 4 : 2);
  }
  return sum * fabs(step) / 3;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/* The greatest tail of the distributions of tails.h. */
static double largest(double mean, double variance, double x, double least, bool less)
{
  double side = less ? -1 : 1, edge = x - 0.5 * side, sd = sqrt(variance), ratio = variance / mean;
  double result = integrate(0, side * (edge - mean) / sd, 0.001), p, p_less;
  double extra = variance - mean;
  double third = ratio > 1 ? mean + 3 * extra + 3 * extra * extra / mean
                           : variance * (1 - 2 * (1 - ratio)); /* npq (1 - 2p), p = 1 - ratio */
  third = larger(third, least);
  if (third > 0) {
    double inner = 3 * variance * variance / third, start = (edge - mean + inner) / inner;
    double shape = inner * inner / variance, width = sqrt(1 / shape);
    double step = less ? -larger(start, 0) / 20000 : (start + 30 * width + 30 / shape) / 20000;
    result = larger(result, start <= 0 && !less ? 1 : integrate(shape, start, step));
  }
  if (ratio >= 1) {
    ms_polya_aeppli(mean, variance, x, &p, &p_less);
    result = larger(result, less ? p_less : p);
  }
  return result;
}

/* p and p_less are the greatest of the tails of these distributions, of the number and of the
 * others: 168 cases with variances of 0.2 to 40 times the mean, and means that are a small or a
 * large part of all sets, against integrals. */
START_TEST(fits)
{
  static const double mean[] = {1.5, 12, 900}, ratio[] = {0.2, 0.7, 0.97, 1, 1.3, 4, 40};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 7; j++)
      for (int sets = 0; sets < 2; sets++)
        for (double z = -3; z < 5; z += 2) {
          ms_moments m = {.mean = mean[i], .variance = mean[i] * ratio[j]};
          m.sets = sets ? 1e6 : ceil(mean[i] * 1.3) + 5;
          double x = floor(mean[i] + z * sqrt(m.variance)), others = m.sets - m.mean;
          if (x < 0 || x > m.sets || 2 * m.mean / (1 + ratio[j]) < MS_LEAST_CLUMPS)
            continue;
          m.common = 0.15 * (i + j);
          m.sway_up = 0.2 * j;
          m.sway_down = 0.2 * (6 - j);
          ms_tails tails = tails_of(m, x);
          double third = m.variance * m.variance / (m.variance + 25) * larger(2, 3 * ratio[j]);
          double mirrored = third * (m.common < 0.5 ? 2 * m.common : 1);
          third = larger(third, m.sway_up * pow(m.variance, 1.5));
          mirrored = larger(mirrored, m.sway_down * pow(m.variance, 1.5));
          double up = larger(largest(m.mean, m.variance, x, third, false),
                             largest(others, m.variance, m.sets - x, mirrored, true));
          double down = larger(largest(m.mean, m.variance, x, third, true),
                               largest(others, m.variance, m.sets - x, mirrored, false));
          ck_assert_int_eq(tails.by, MS_P_BY_FIT);
          ck_assert(fabs(tails.z - (x - m.mean) / sqrt(m.variance)) < 1e-12 * (1 + fabs(tails.z)));
          check_near(tails.p, up > 1 || x == 0 ? 1 : up, 1e-4, "at least", m.mean, m.variance, x);
          check_near(tails.p_less, down > 1 || x == m.sets ? 1 : down, 1e-4, "at most", m.mean,
                     m.variance, x);
        }
}
END_TEST

/* A binomial variable, whose variance is below the mean: p is at least the exact one, and at most
 * four times as much, down to 0.001. */
START_TEST(below_the_mean)
{
  for (int n = 4; n < 60; n += 5)
    for (double chance = 0.1; chance < 0.6; chance += 0.1) {
      double above = 1, term = pow(1 - chance, n), mean = n * chance;
      if (2 * mean / (2 - chance) < MS_LEAST_CLUMPS)
        continue;
      for (int x = 0; x <= n && above > 0.001; x++) {
        ms_tails tails = tails_of(rare(mean, mean * (1 - chance)), x);
        ck_assert_msg(above > 0.1 || (tails.p > 0.93 * above && tails.p < 4 * above),
                      "%g, not %g, for %d trials of %g and %d", tails.p, above, n, chance, x);
        above -= term;
        term *= (double)(n - x) / (x + 1) * chance / (1 - chance);
      }
    }
}
END_TEST

/* Where one vertex makes the distribution, or where few clumps are expected, p is the bound of
 * Cantelli or that of Markov: it holds for the distribution of two values that has this mean and
 * variance. */
START_TEST(bounds)
{
  for (double chance = 0.001; chance < 0.5; chance *= 1.7)
    for (double size = 1; size < 1e6; size *= 30) {
      ms_moments m = {.mean = chance * size, .variance = size * size * chance * (1 - chance)};
      m.sets = 2 * size;
      m.rise = 3;
      ms_tails up = tails_of(m, size), low;
      ck_assert_int_eq(up.by, MS_P_BY_BOUND);
      ck_assert(up.p >= chance * (1 - 1e-9) && up.p <= chance * (1 + 1e-9) && up.p_less == 1);
      m.mean = size - m.mean; /* 0 with this chance */
      m.rise = 0;
      m.fall = 0.7;
      low = tails_of(m, 0);
      ck_assert_int_eq(low.by, MS_P_BY_BOUND);
      ck_assert(low.p_less >= chance * (1 - 1e-9) && low.p_less <= chance * (1 + 1e-9));
    }
  ms_moments m = rare(50, 100);
  ck_assert_int_eq(tails_of(m, 20).by, MS_P_BY_FIT);
  m.sway_up = 2.6;
  ck_assert_int_eq(tails_of(m, 20).by, MS_P_BY_BOUND);
  m.sway_up = 0;
  m.sway_down = 2.6;
  ck_assert_int_eq(tails_of(m, 20).by, MS_P_BY_BOUND);
  m.sway_down = 0;
  m.hub = 0.3;
  ck_assert_int_eq(tails_of(m, 20).by, MS_P_BY_BOUND);
  ck_assert_int_eq(tails_of(rare(0.3, 0.4), 1).by, MS_P_BY_BOUND);
  ck_assert_int_eq(tails_of(rare(3, 30), 1).by, MS_P_BY_FIT);
  ck_assert_int_eq(tails_of(rare(3, 60), 1).by, MS_P_BY_BOUND);
}
END_TEST

/* Far away numbers give the least probability, and take no time; numbers that do not vary have no
 * z. */
START_TEST(extremes)
{
  double p, p_less;
  ms_tails tails = tails_of(rare(5, 10), 0x1p62);
  ck_assert(tails.p == MS_LEAST_P && tails.p_less == 1);
  tails = tails_of(rare(1e15, 3e15), 0);
  ck_assert(tails.p == 1 && tails.p_less == MS_LEAST_P);
  ms_polya_aeppli(1e-200, 2e-200, 3, &p, &p_less);
  ck_assert(p >= MS_LEAST_P && p < 1e-150 && p_less == 1);
  ms_polya_aeppli(1e6, 1e13, 3000000, &p, &p_less); /* 0.2 clumps, each of five millions */
  ck_assert(p > 0.1 && p < 0.12);
  tails = tails_of(rare(12, 0), 12);
  ck_assert(isnan(tails.z) && tails.p == 1 && tails.p_less == 1 && tails.by == MS_P_BY_NONE);
  tails = tails_of(rare(0, 0), 0);
  ck_assert(isnan(tails.z) && tails.p == 1);
}
END_TEST

/* 30,000 random means, variances and numbers over many orders of magnitude: probabilities are
 * between the least one and 1, a greater number is not more likely as "at least", and the two tails
 * together are at least 1, but for the error of the approximation. */
START_TEST(all_magnitudes)
{
  uint64_t state = 1, cases = scaled(30000);
  for (uint64_t i = 0; i < cases; i++) {
    double mean = pow(10, random_below(&state, 24000) / 1000.0 - 8);
    double variance = mean * pow(10, random_below(&state, 8000) / 1000.0 - 1);
    double x = floor(mean + sqrt(variance) * (random_below(&state, 2000) / 20.0 - 40));
    if (i % 4 == 0)
      x = floor(pow(10, random_below(&state, 18000) / 1000.0));
    x = x < 0 ? 0 : x > 1e18 ? 1e18 : x;
    ms_tails tails = tails_of(rare(mean, variance), x);
    ms_tails next = tails_of(rare(mean, variance), x + 1 + floor(sqrt(variance) / 10));
    ck_assert_msg(tails.p >= MS_LEAST_P && tails.p <= 1 && tails.p_less >= MS_LEAST_P &&
                      tails.p_less <= 1 && tails.p + tails.p_less > 0.99 &&
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

TEST_MAIN("tail probabilities", TEST(sums), TEST(approximation), TEST(large_means), TEST(fits),
          TEST(below_the_mean), TEST(bounds), TEST(extremes), TEST(all_magnitudes),
          TEST(adjustment))
