/* Probabilities of numbers of sets (tails.h), and those of Polya-Aeppli variables.
 *
 * A sum of m geometric sizes is at least x if and only if the first x - 1 of a row of trials with
 * the chance 1 - theta have fewer than m successes.  So for x >= 1
 *
 *     P(X >= x) = P(M > B),   P(X <= x) = P(M <= B'),
 *
 * with independent M ~ Poisson(lambda), B ~ Binomial(x - 1, 1 - theta), B' ~ Binomial(x, 1 -
 * theta).  All terms of these sums are positive, and they are log-concave, so that they are added
 * until the rest, which is less than a geometric series, does not matter.  This takes as many steps
 * as there are clumps.
 *
 * Where the mean number of clumps is large, the approximation of Lugannani and Rice with the second
 * continuity correction of H. E. Daniels (Tail probability approximations, 1987) is used.  With
 * K(t) = lambda (z - 1) / (1 - theta z), z = exp(t), the saddle point K'(t) = y is the root of a
 * quadratic equation.  theta = 0 is the Poisson distribution.
 *
 * exp(K(t) - t y) is a bound of the probability (Chernoff's), so that hopelessly small ones need no
 * sum. */
#include "significance/tails.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define NEGLIGIBLE 1e-17
#define LARGE 1e200
#define LOG_LARGE (200 * 2.302585092994045684)
#define LOG_LEAST_P (-300 * 2.302585092994045684)
#define NEAR_MEAN 0.01 /* of the root of the deviance, where the approximation is a limit */
#define DIGITS 1e-9    /* of a variance beside the mean */

typedef struct clumps {
  double lambda, theta;
} clumps;

static double clamp(double p)
{
  return p < MS_LEAST_P ? MS_LEAST_P : p > 1 ? 1 : p;
}

/* ---- sums ----------------------------------------------------------------------------- */

/* A sum of positive terms that is kept below 1e200, with the logarithm of what it is divided by. */
typedef struct scaled {
  double sum, scale;
} scaled;

/* P(M > B), B ~ Binomial(trials, 1 - theta). */
static double sum_above(clumps c, double trials)
{
  double odds = (1 - c.theta) / c.theta;
  double chance = 1, most = 1; /* of M = m and of B <= m, over exp(-lambda) and over those of 0 */
  double single = 1;           /* of B = m */
  scaled s = {0, trials * log(c.theta) - c.lambda};
  for (double m = 1;; m++) {
    chance *= c.lambda / m;
    double term = chance * most;
    s.sum += term;
    single = m <= trials ? single * (trials - m + 1) / m * odds : 0;
    double ratio = c.lambda / (m + 1) * (most + single) / most;
    most += single;
    if (ratio < 1 && term * ratio < NEGLIGIBLE * s.sum * (1 - ratio))
      break;
    if (most > LARGE) {
      most /= LARGE;
      single /= LARGE;
      s.sum /= LARGE;
      s.scale += LOG_LARGE;
    }
    if (chance > LARGE || s.sum > LARGE) {
      chance /= LARGE;
      s.sum /= LARGE;
      s.scale += LOG_LARGE;
    }
    if (chance < 1 / LARGE) { /* the terms still grow, or they would have ended */
      chance *= LARGE;
      s.sum *= LARGE;
      s.scale -= LOG_LARGE;
    }
  }
  return exp(s.scale + log(s.sum));
}

/* P(M <= B), B ~ Binomial(trials, 1 - theta). */
static double sum_below(clumps c, double trials)
{
  double odds = (1 - c.theta) / c.theta;
  double chance = 1, most = 1; /* of M = m and of M <= m */
  double single = 1;           /* of B = m */
  scaled s = {1, trials * log(c.theta) - c.lambda};
  for (double m = 1; m <= trials; m++) {
    double before = single * most;
    chance *= c.lambda / m;
    most += chance;
    single *= (trials - m + 1) / m * odds;
    double term = single * most, ratio = term / before;
    s.sum += term;
    if (ratio < 1 && term * ratio < NEGLIGIBLE * s.sum * (1 - ratio))
      break;
    if (most > LARGE || single > LARGE || s.sum > LARGE) {
      double by_most = most > 1e100 ? 1e100 : 1, by_single = single > 1e100 ? 1e100 : 1;
      most /= by_most;
      chance /= by_most;
      single /= by_single;
      s.sum /= by_most * by_single;
      s.scale += log(by_most) + log(by_single);
    }
  }
  return exp(s.scale + log(s.sum));
}

/* P(X >= x) of a Poisson variable; x above the mean. */
static double poisson_above(double lambda, double x)
{
  double sum = 1, term = 1;
  for (double i = x + 1; term > NEGLIGIBLE * sum; i++) {
    term *= lambda / i;
    sum += term;
  }
  return exp(x * log(lambda) - lambda - lgamma(x + 1) + log(sum));
}

/* P(X <= x); x at most the mean. */
static double poisson_below(double lambda, double x)
{
  double sum = 1, term = 1;
  for (double i = x; i > 0 && term > NEGLIGIBLE * sum; i--) {
    term *= i / lambda;
    sum += term;
  }
  return exp(x * log(lambda) - lambda - lgamma(x + 1) + log(sum));
}

/* ---- the saddle point ----------------------------------------------------------------- */

typedef struct saddle {
  double t;        /* K'(t) = y */
  double deviance; /* 2 (t y - K(t)) */
  double spread;   /* the root of K''(t) */
} saddle;

static saddle find_saddle(clumps c, double y)
{
  long double theta = c.theta, a = c.lambda * (1 - theta), b = 2 * theta * y + a;
  long double z = 2 * y / (b + sqrtl(a * (a + 4 * theta * y))); /* b^2 - 4 theta^2 y^2 */
  long double rest = sqrtl(a * z / y);                          /* 1 - theta z */
  long double t = logl(z), deviance = 2 * (t * y - c.lambda * (z - 1) / rest);
  return (saddle){(double)t, (double)(deviance > 0 ? deviance : 0),
                  (double)sqrtl(y * (1 + theta * z) / rest)};
}

/* P(X > y) for y between two numbers. */
static double approximate_above(clumps c, double y, bool below)
{
  double theta = c.theta;
  saddle s = find_saddle(c, y);
  double w = s.t < 0 ? -sqrt(s.deviance) : sqrt(s.deviance), correction;
  if (fabs(w) < NEAR_MEAN) {
    double variance = c.lambda * (1 + theta) / ((1 - theta) * (1 - theta));
    double third = c.lambda * (1 + 4 * theta + theta * theta) / pow(1 - theta, 3);
    correction = -third / pow(variance, 1.5) / 6;
  } else {
    correction = 1 / (2 * sinh(s.t / 2) * s.spread) - 1 / w;
  }
  double density = exp(-s.deviance / 2) / sqrt(2 * PI);
  return below ? erfc(-w / sqrt(2)) / 2 - density * correction
               : erfc(w / sqrt(2)) / 2 + density * correction;
}

/* True if the probability of what is as far from the mean as y is below MS_LEAST_P. */
static bool is_hopeless(clumps c, double y)
{
  return y > 0 && -find_saddle(c, y).deviance / 2 < LOG_LEAST_P;
}

/* ---- tails ---------------------------------------------------------------------------- */

/* P(X >= x), x above the mean */
static double clumps_above(clumps c, double x)
{
  if (x < 1)
    return 1;
  if (is_hopeless(c, x))
    return MS_LEAST_P;
  if (c.lambda > MS_MOST_CLUMPS)
    return approximate_above(c, x - 0.5, false);
  return c.theta > 0 ? sum_above(c, x - 1) : poisson_above(c.lambda, x);
}

/* P(X <= x), x at most the mean */
static double clumps_below(clumps c, double x)
{
  if (x < 0)
    return 0;
  if (is_hopeless(c, x))
    return MS_LEAST_P;
  if (c.lambda > MS_MOST_CLUMPS)
    return approximate_above(c, x + 0.5, true);
  return c.theta > 0 ? sum_below(c, x) : poisson_below(c.lambda, x);
}

void ms_polya_aeppli(double mean, double variance, double number, double *p, double *p_less)
{
  double excess = variance / mean - 1;
  clumps c = {mean, 0};
  if (excess > DIGITS) {
    c.theta = excess / (excess + 2);
    c.lambda = 2 * mean / (excess + 2);
  }
  /* the tail that is not small is the complement of the other one */
  if (number > mean) {
    *p = clamp(clumps_above(c, number));
    *p_less = clamp(1 - clumps_above(c, number + 1));
  } else {
    *p_less = clamp(clumps_below(c, number));
    *p = clamp(1 - clumps_below(c, number - 1));
  }
}

/* ---- the other distributions ---------------------------------------------------------- */

static double normal_above(double z)
{
  return erfc(z / sqrt(2)) / 2;
}

/* Sets the probabilities of more and of less than mean + distance of an inverse Gaussian variable
 * plus a constant, with this mean and variance; both are 0 if it has no third cumulant.  least: the
 * least one. */
static void shifted_gaussian(double mean, double variance, double distance, double least,
                             double *above, double *below)
{
  double extra = variance - mean;
  double third =
      extra > 0 ? mean + 3 * extra * (1 + extra / mean) : variance * (2 * variance / mean - 1);
  third = fmax(third, least);
  *above = *below = 0;
  if (third <= 0)
    return;
  double inner = 3 * variance / third * variance;
  double x = inner + distance; /* of a variable with the mean `inner` */
  if (x <= 0) {
    *above = 1;
    return;
  }
  double shape = inner * inner * inner / variance, root = sqrt(shape / x);
  double first = root * (distance / inner), second = root * (x / inner + 1);
  /* exp(2 shape / inner) P(Z > second), whose exponents add up to -first^2 / 2 */
  double inverse = 1 / (second * second);
  double series = 1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse));
  double mirrored = second < 30 ? exp(2 * shape / inner) * normal_above(second)
                                : exp(-first * first / 2) / (second * sqrt(2 * PI)) * series;
  *above = fmax(normal_above(first) - mirrored, 0);
  *below = normal_above(-first) + mirrored;
}

/* Raises the probabilities to those of each distribution with this mean and variance.  distance:
 * number - mean, which would lose all digits where both are large. */
static void raise_fits(double mean, double variance, double number, double distance,
                       double least_third, double *p, double *p_less)
{
  double deviation = sqrt(variance), above, below, least;
  if (!(mean > 0))
    return;
  *p = fmax(*p, normal_above((distance - 0.5) / deviation));
  *p_less = fmax(*p_less, normal_above((-distance - 0.5) / deviation));
  shifted_gaussian(mean, variance, distance - 0.5, least_third, &above, &least);
  shifted_gaussian(mean, variance, distance + 0.5, least_third, &least, &below);
  *p = fmax(*p, above);
  *p_less = fmax(*p_less, below);
  if (variance < mean * (1 - DIGITS))
    return;
  ms_polya_aeppli(mean, variance, number, &above, &below);
  *p = fmax(*p, above);
  *p_less = fmax(*p_less, below);
}

/* Returns a bound of the probability of at least `number`, by Cantelli and by Markov. */
static double bound_above(double mean, double variance, double number, double distance)
{
  return distance > 0 ? fmin(variance / (variance + distance * distance), mean / number) : 1;
}

void ms_tails_of(const ms_moments *m, uint64_t number, ms_tails *out)
{
  double x = (double)number, distance = x - m->mean, others = m->sets - m->mean;
  *out = (ms_tails){.z = NAN, .p = 1, .p_less = 1, .by = MS_P_BY_NONE};
  if (!(m->variance > 0) || !(m->mean > 0))
    return;
  out->z = distance / sqrt(m->variance);
  double n_clumps = 2 * m->mean / (m->variance / m->mean + 1);
  bool fits = m->rise <= MS_MOST_RISE && m->fall <= MS_MOST_FALL && m->hub <= MS_MOST_HUB &&
              m->sway_up <= MS_MOST_SWAY && m->sway_down <= MS_MOST_SWAY &&
              m->closed <= MS_MOST_CLOSED && n_clumps >= MS_LEAST_CLUMPS;
  out->by = fits ? MS_P_BY_FIT : MS_P_BY_BOUND;
  if (out->by == MS_P_BY_BOUND) {
    out->p = bound_above(m->mean, m->variance, x, distance);
    out->p_less = bound_above(others, m->variance, m->sets - x, -distance);
  } else {
    out->p = x > 0 ? 0 : 1;
    out->p_less = x < m->sets ? 0 : 1;
    double ratio = m->variance / m->mean;
    double third = m->variance * fmax(2, 3 * ratio) / (1 + MS_SKEW_VARIANCE / m->variance);
    double cube = m->variance * sqrt(m->variance), mirrored = third * fmin(2 * m->common, 1);
    third = fmax(third, cube * m->sway_up);
    mirrored = fmax(mirrored, cube * m->sway_down);
    raise_fits(m->mean, m->variance, x, distance, third, &out->p, &out->p_less);
    raise_fits(others, m->variance, m->sets - x, -distance, mirrored, &out->p_less, &out->p);
  }
  out->p = clamp(out->p);
  out->p_less = clamp(out->p_less);
}

/* ---- Benjamini and Hochberg ----------------------------------------------------------- */

typedef struct tested {
  double p;
  uint64_t place;
} tested;

static int by_p(const void *a, const void *b)
{
  const tested *x = a, *y = b;
  if (x->p != y->p)
    return x->p < y->p ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

ms_status ms_adjust_p(const double *p, uint64_t count, double tests, double *q, ms_error *err)
{
  if (count == 0)
    return MS_OK;
  tested *order = ms_alloc(count, sizeof *order);
  if (!order)
    return ms_fail_memory(err, "the tests");
  for (uint64_t i = 0; i < count; i++)
    order[i] = (tested){p[i], i};
  qsort(order, count, sizeof *order, by_p);
  double least = 1;
  for (uint64_t i = count; i-- > 0;) {
    double rate = order[i].p * tests / (double)(i + 1);
    least = rate < least ? rate : least;
    q[order[i].place] = least;
  }
  ms_free(order);
  return MS_OK;
}
