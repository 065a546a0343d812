/* Sums of scores by the sieve (SIEVE: "Sums of vertex scores").
 *
 * A factor y^e of each weight mu(i, d) makes Q_i a polynomial in y.  Its coefficient of y^s is the
 * sieve polynomial of the matches whose exponents add up to s.  The sieve evaluates it at as many
 * points as it has coefficients, and for each vertex they are interpolated. */
#ifndef MS_SIEVE_SUMS_H
#define MS_SIEVE_SUMS_H

#include "base/budget.h"
#include "sieve/problem.h"

/* The greatest exponent of a sum: there are 255 points other than 0. */
#define MS_MOST_SUM_EXPONENT 254u

/* The sums that the vertices which fit the slots allow: least + step * s, s = 0..most.  Shade d has
 * the exponent (score - base[d]) / step on a vertex. */
typedef struct ms_sum_range {
  uint64_t least;
  uint32_t step; /* >= 1: the scores that fit one shade differ by multiples of it */
  uint64_t most;
  uint32_t base[MS_MAX_K]; /* [k] the least score of a vertex that fits the shade */
} ms_sum_range;

/* score: [n of the graph] by vertex of the graph.  A shade that no vertex fits counts as 0. */
ms_sum_range ms_sum_range_find(const ms_instance *instance, const uint32_t *score);

/* Makes each repetition of a problem of as many vertices as shades consist of range->most + 1
 * evaluations, range->most <= MS_MOST_SUM_EXPONENT.  ms_sieve_problem_clear frees what it makes. */
ms_status ms_sieve_problem_set_scores(ms_sieve_problem *problem, const uint32_t *score,
                                      const ms_sum_range *range, ms_error *err);

/* The exponents of sums that have been found. */
typedef struct ms_sieve_sums {
  const ms_sieve_problem *problem;
  bool greatest_only; /* only the greatest exponent of a vertex is wanted */
  int threads;
  ms_budget *budget;
  uint64_t reserved;
  uint16_t *inverse;    /* [evaluations][evaluations] logarithms: coefficient, evaluation */
  uint8_t *value;       /* [evaluations][n] of the repetition at hand */
  uint32_t at;          /* evaluations of it that are known */
  uint32_t repetitions; /* whole ones */
  uint32_t *hits;       /* [n] repetitions in which a coefficient was not 0 */
  uint32_t words;
  uint64_t *seen; /* [n][words] bit s: there is a match with exponent s that holds the vertex */
} ms_sieve_sums;

/* `threads` is as for ms_threads.  What it allocates is reserved in `budget`. */
ms_status ms_sieve_sums_open(const ms_sieve_problem *problem, bool greatest_only, int threads,
                             ms_budget *budget, ms_sieve_sums *sums, ms_error *err);
void ms_sieve_sums_close(ms_sieve_sums *sums);
/* Takes the values q[n] of the next evaluation; `user` is the sums. */
void ms_sieve_sums_take(void *user, const uint8_t *q);
/* Returns the greatest exponent of a vertex, or -1. */
int ms_sieve_sums_greatest(const ms_sieve_sums *sums, uint32_t v);

#endif
