#include "verify/statistics/chances.h"

#include <math.h>

#define MOST_NUMBERS 20000u  /* that are added up one after the other */
#define MOST_LAMBDA 11000.0L /* a long double holds exp(-lambda) */
#define MOST_RISE 1.0L
#define MOST_FALL 0.6L
#define MOST_HUB 0.2L
#define MOST_SKEW 1.5L
#define SKEW_VARIANCE 25
#define MOST_FILLED 0.8L
#define LEAST_CLUMPS 0.5L
#define DIGITS 1e-9L

/* Adds the probabilities of all numbers, by Panjer's recursion for compound Poisson variables:
 * x P(x) = lambda sum over s of s (1 - theta) theta^(s-1) P(x - s). */
static ms_chances add_numbers(long double lambda, long double theta, long double number)
{
  long double single = expl(-lambda), sum = 0, weighted = 0, mean = lambda / (1 - theta);
  ms_chances result = {number == 0 ? single : 0, single, false};
  for (uint64_t x = 1;; x++) {
    sum = single + theta * sum;
    weighted = sum + theta * weighted;
    single = lambda * (1 - theta) * weighted / (long double)x;
    if ((long double)x <= number)
      result.p_less += single;
    if ((long double)x >= number)
      result.p += single;
    if ((long double)x > number && (long double)x > mean &&
        single < 1e-12L * result.p * (1 - theta))
      return result;
  }
}

/* The probability of m successes in so many trials. */
static long double binomial(long double trials, long double m, long double success)
{
  return expl(lgammal(trials + 1) - lgammal(m + 1) - lgammal(trials - m + 1) + m * logl(success) +
              (trials - m) * log1pl(-success));
}

/* Returns P(M > B), or P(M <= B), for M ~ Poisson(lambda) and the successes B of the trials: a sum
 * of m sizes of clumps is at least x if there are fewer than m ends of clumps in x - 1 trials. */
static long double add_clumps(long double lambda, long double theta, long double trials, bool above)
{
  long double success = 1 - theta, center = trials * success;
  long double from = floorl(fminl(lambda - 40 * sqrtl(lambda), center - 40 * sqrtl(center) - 40));
  long double to = fmaxl(lambda, center) + 40 * sqrtl(fmaxl(lambda, center)) + 40, sum = 0;
  long double below_m = 0, below_b = 0; /* P(M <= m), P(B < m) */
  if (from < 0)
    from = 0;
  for (long double m = from; m < to && (above || m <= trials); m++) {
    long double poisson = expl(m * logl(lambda) - lambda - lgammal(m + 1));
    long double ends = m <= trials ? binomial(trials, m, success) : 0;
    below_m += poisson;
    sum += above ? poisson * below_b : ends * below_m;
    below_b += ends;
  }
  return sum;
}

/* Returns the probabilities of a Polya-Aeppli variable, or of a Poisson one. */
static ms_chances add_polya_aeppli(long double mean, long double variance, long double number)
{
  long double excess = variance / mean - 1;
  long double theta = excess > DIGITS ? excess / (excess + 2) : 0;
  long double lambda = mean * (1 - theta);
  if (number <= MOST_NUMBERS && mean <= MOST_NUMBERS && lambda <= MOST_LAMBDA)
    return add_numbers(lambda, theta, number);
  if (theta < 1e-15L)
    theta = 1e-15L; /* a Poisson variable; the difference is below the digits */
  ms_chances result = {number == 0 ? 1 : 0, add_clumps(lambda, theta, number, false), false};
  if (number > 0)
    result.p = add_clumps(lambda, theta, number - 1, true);
  return result;
}

/* P(Z > z) / density(z), by the continued fraction of Laplace where z is large. */
static long double mills_ratio(long double z)
{
  if (z < 8)
    return expl(z * z / 2) * erfcl(z / sqrtl(2)) * sqrtl(acosl(-1) / 2);
  long double fraction = z;
  for (int i = 60; i > 0; i--)
    fraction = z + (long double)i / fraction;
  return 1 / fraction;
}

static long double normal_above(long double z)
{
  return erfcl(z / sqrtl(2)) / 2;
}

/* P(Y > mean + distance), or P(Y < mean + distance), for Y = V + a constant: V is an inverse
 * Gaussian variable, and Y has this variance and this third cumulant. */
static long double skewed(long double variance, long double cumulant, long double distance,
                          bool above)
{
  if (cumulant <= 0)
    return 0;
  long double mu = 3 * variance * variance / cumulant, v = mu + distance;
  if (v <= 0)
    return above ? 1 : 0;
  long double ratio = v / mu, scale = mu * sqrtl(mu / v) / sqrtl(variance);
  long double a = scale * (ratio - 1), b = scale * (ratio + 1);
  long double density = expl(-a * a / 2) / sqrtl(2 * acosl(-1));
  if (!above)
    return normal_above(-a) + density * mills_ratio(b);
  return a < 0 ? normal_above(a) - density * mills_ratio(b)
               : density * (mills_ratio(a) - mills_ratio(b));
}

static long double largest(long double a, long double b)
{
  return a > b ? a : b;
}

/* Returns the greatest probabilities of all distributions, of which the number of sets, or that of
 * the others, has this mean; the third cumulant is at least `least`. */
static ms_chances fit(long double mean, long double variance, long double number, long double least)
{
  ms_chances result = {0};
  if (mean <= 0)
    return result;
  long double sd = sqrtl(variance), ratio = variance / mean, extra = variance - mean;
  /* of a Poisson inverse Gaussian variable, or of a binomial one */
  long double cumulant =
      ratio > 1 ? mean + 3 * extra + 3 * extra * extra / mean : variance * (2 * ratio - 1);
  cumulant = largest(cumulant, least);
  result.p = largest(normal_above((number - 0.5L - mean) / sd),
                     skewed(variance, cumulant, number - 0.5L - mean, true));
  result.p_less = largest(normal_above((mean - number - 0.5L) / sd),
                          skewed(variance, cumulant, number + 0.5L - mean, false));
  if (ratio < 1 - DIGITS)
    return result;
  ms_chances clumps = add_polya_aeppli(mean, variance, number);
  result.p = largest(result.p, clumps.p);
  result.p_less = largest(result.p_less, clumps.p_less);
  return result;
}

/* Returns the smaller one of the bounds of Cantelli and Markov of P(X >= number). */
static long double bound(long double mean, long double variance, long double number)
{
  long double z2 = (number - mean) * (number - mean) / variance;
  if (number <= mean)
    return 1;
  return 1 / (1 + z2) < mean / number ? 1 / (1 + z2) : mean / number;
}

ms_chances ms_find_chances(const ms_chance_law *law, uint64_t number)
{
  long double x = number, others = law->sets - law->mean;
  long double clumps = 2 * law->mean * law->mean / (law->variance + law->mean);
  if (law->rise > MOST_RISE || law->fall > MOST_FALL || law->hub > MOST_HUB ||
      largest(law->skew_up, law->skew_down) > MOST_SKEW || law->filled > MOST_FILLED ||
      clumps < LEAST_CLUMPS)
    return (ms_chances){bound(law->mean, law->variance, x),
                        bound(others, law->variance, law->sets - x), true};
  long double least = law->variance * law->variance / (law->variance + SKEW_VARIANCE) *
                      largest(2, 3 * law->variance / law->mean);
  long double cube = powl(law->variance, 1.5L);
  ms_chances result = fit(law->mean, law->variance, x, largest(least, law->skew_up * cube));
  least *= law->common < 0.5L ? 2 * law->common : 1;
  ms_chances mirrored =
      fit(others, law->variance, law->sets - x, largest(least, law->skew_down * cube));
  result.p = largest(result.p, mirrored.p_less);
  result.p_less = largest(result.p_less, mirrored.p);
  if (number == 0)
    result.p = 1;
  if (x >= law->sets)
    result.p_less = 1;
  return result;
}
