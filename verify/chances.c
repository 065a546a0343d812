#include "verify/chances.h"

#include <math.h>
#include <stdbool.h>

#define MOST_NUMBERS 20000u  /* that are added up one after the other */
#define MOST_LAMBDA 11000.0L /* a long double holds exp(-lambda) */
#define NORMAL_VARIANCE 100.0L
#define DIGITS 1e-9L

/* Adds the probabilities of all numbers, by Panjer's recursion for compound Poisson variables:
 * x P(x) = lambda sum over s of s (1 - theta) theta^(s-1) P(x - s). */
static ms_chances add_numbers(long double lambda, long double theta, uint64_t number)
{
  long double single = expl(-lambda), sum = 0, weighted = 0, mean = lambda / (1 - theta);
  ms_chances result = {number == 0 ? single : 0, single};
  for (uint64_t x = 1;; x++) {
    sum = single + theta * sum;
    weighted = sum + theta * weighted;
    single = lambda * (1 - theta) * weighted / (long double)x;
    if (x <= number)
      result.p_less += single;
    if (x >= number)
      result.p += single;
    if (x > number && (long double)x > mean && single < 1e-12L * result.p * (1 - theta))
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

ms_chances ms_find_chances(long double mean, long double variance, uint64_t number)
{
  long double x = number, sd = sqrtl(variance), excess = variance / mean - 1;
  if (variance < mean * (1 - DIGITS) && variance >= NORMAL_VARIANCE)
    return (ms_chances){erfcl((x - 0.5L - mean) / sd / sqrtl(2)) / 2,
                        erfcl((mean - x - 0.5L) / sd / sqrtl(2)) / 2};
  long double theta = excess > DIGITS ? excess / (excess + 2) : 0;
  long double lambda = mean * (1 - theta);
  if (number <= MOST_NUMBERS && mean <= MOST_NUMBERS && lambda <= MOST_LAMBDA)
    return add_numbers(lambda, theta, number);
  if (theta < 1e-15L)
    theta = 1e-15L; /* a Poisson variable; the difference is below the digits */
  ms_chances result = {number == 0 ? 1 : 0, add_clumps(lambda, theta, x, false)};
  if (number > 0)
    result.p = add_clumps(lambda, theta, x - 1, true);
  return result;
}
