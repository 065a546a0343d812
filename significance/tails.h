/* How far a number of sets is from what is expected: p and p_less from its mean and its variance.
 *
 * Connected sets come in clumps: where one is, its vertices make others likely.  How large the
 * clumps are is not known, so that p is the greatest of the probabilities of several distributions
 * with this mean and variance:
 *
 *     normal              with a continuity correction
 *     Polya-Aeppli        a Poisson number of clumps of geometric sizes, if the variance is above
 *                         the mean (S. Schbath, V. Lacroix, M.-F. Sagot: Assessing the
 *                         exceptionality of coloured motifs in networks, 2009); Poisson, if they
 *                         are equal
 *     inverse Gaussian    shifted, with a continuity correction; its third cumulant is the one of a
 *                         Poisson inverse Gaussian variable if the variance is above the mean, and
 *                         else of a binomial one, but at least
 *
 *                             c = variance max(2, 3 variance / mean) / (1 + 25 / variance)
 *
 * and of the same three for the number of the other sets, which has the same variance: its upper
 * tail is the lower one.  There, the third cumulant is at least min(1, 2 common) c (moments.h):
 * where the colours have about the frequencies of their slots, local differences can only make sets
 * fewer, and the lower tail is the heavier one.  Third cumulants are at least those of sway_up and
 * sway_down.
 *
 * This is a fit, and wrong where one vertex, or few pairs or blocks of vertices make the
 * distribution, where sets fill separate blocks, or where hardly any clump is expected.  There, p
 * is a bound that holds for all distributions with this mean and variance: the inequalities of
 * Cantelli and of Markov. */
#ifndef MS_SIGNIFICANCE_TAILS_H
#define MS_SIGNIFICANCE_TAILS_H

#include "significance/moments.h"

/* The greatest rise, fall, hub, sway and closed part (moments.h), and the least mean number of
 * clumps of a Polya-Aeppli variable, for which there is a fit. */
#define MS_MOST_RISE 1.0
#define MS_MOST_FALL 0.6
#define MS_MOST_HUB 0.2
#define MS_MOST_SWAY 1.5
#define MS_MOST_CLOSED 0.8
#define MS_LEAST_CLUMPS 0.5
#define MS_SKEW_VARIANCE 25.0
/* Mean numbers of clumps up to this one are summed over; above, a saddle-point approximation has a
 * relative error below 1e-4. */
#define MS_MOST_CLUMPS 1000.0
/* Smaller probabilities are given as this one: none is 0. */
#define MS_LEAST_P 1e-300

typedef struct ms_tails {
  double z;      /* (number - mean) / standard deviation; NAN: the variance is 0 */
  double p;      /* the probability of at least so many */
  double p_less; /* the probability of at most so many */
  ms_p_by by;
} ms_tails;

void ms_tails_of(const ms_moments *moments, uint64_t number, ms_tails *out);

/* Sets the probabilities of at least and of at most `number` of a Polya-Aeppli variable; the
 * variance is at least the mean, and both are above 0.  tails.c says how they are computed. */
void ms_polya_aeppli(double mean, double variance, double number, double *p, double *p_less);

/* Sets q[i] to the least rate of false discoveries at which p[i] is one of the discoveries (Y.
 * Benjamini, Y. Hochberg: Controlling the false discovery rate, 1995).  There were `tests` >=
 * count tests; the others have probabilities that are not below any of these.  q may be p. */
ms_status ms_adjust_p(const double *p, uint64_t count, double tests, double *q, ms_error *err);

#endif
