/* How far a number of sets is from what is expected.
 *
 * Connected sets come in clumps: where one is, its vertices make others likely.  Their number is
 * approximated by a Polya-Aeppli variable: a Poisson number of clumps with the mean lambda, each of
 * a geometric size, P(size = s) = (1 - theta) theta^(s-1), so that the mean is lambda / (1 - theta)
 * and the variance lambda (1 + theta) / (1 - theta)^2.  Both are matched.  (S. Schbath, V. Lacroix,
 * M.-F. Sagot: Assessing the exceptionality of coloured motifs in networks, 2009.)  tails.c says
 * how the probabilities are computed. */
#ifndef MS_SIGNIFICANCE_TAILS_H
#define MS_SIGNIFICANCE_TAILS_H

#include "motifsieve.h"

typedef enum ms_tail {
  MS_TAIL_CONSTANT,     /* the variance is 0: the number is what is expected */
  MS_TAIL_POLYA_AEPPLI, /* the variance is above the mean */
  MS_TAIL_POISSON,      /* it is not, and below MS_NORMAL_VARIANCE: with the same mean, the tails of
                           a Poisson variable are heavier */
  MS_TAIL_NORMAL        /* it is not, and is at least MS_NORMAL_VARIANCE */
} ms_tail;

#define MS_NORMAL_VARIANCE 100.0
/* Mean numbers of clumps up to this one are summed over; above, a saddle-point approximation has a
 * relative error below 1e-4. */
#define MS_MOST_CLUMPS 1000.0
/* Smaller probabilities are given as this one: none is 0. */
#define MS_LEAST_P 1e-300

typedef struct ms_tails {
  double z;      /* (number - mean) / standard deviation; NAN: the variance is 0 */
  double p;      /* the probability of at least so many */
  double p_less; /* the probability of at most so many */
  ms_tail tail;
} ms_tails;

void ms_tails_of(double mean, double variance, uint64_t number, ms_tails *out);

/* Sets q[i] to the least rate of false discoveries at which p[i] is one of the discoveries (Y.
 * Benjamini, Y. Hochberg: Controlling the false discovery rate, 1995).  There were `tests` >=
 * count tests; the others have probabilities that are not below any of these.  q may be p. */
ms_status ms_adjust_p(const double *p, uint64_t count, double tests, double *q, ms_error *err);

#endif
