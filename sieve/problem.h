/* The input of one sieve run, independent of any back end.
 * Notation of the design: shades are motif slots, and the 2^size points are the
 * subsets of the labels.  If there are as many shades as the match has
 * vertices, the labels are the shades; if there are more, a random matrix nu
 * mixes shades into labels. */
#ifndef MS_SIEVE_PROBLEM_H
#define MS_SIEVE_PROBLEM_H

#include "motif/instance.h"

typedef struct ms_sieve_problem {
  const ms_instance *instance; /* borrowed from the caller */
  /* NULL, or where the rows of the instance are, which then has no array of neighbours, and may
   * have no array of offsets: on a GPU (gpu/gpu.h).  Only the back end of GPUs can use such a
   * problem. Borrowed from the caller */
  const struct ms_gpu_rows *rows;
  uint32_t size;   /* vertices in a match = number of labels, 1..MS_MAX_K */
  uint32_t shades; /* number of slots of the instance, >= size */
  bool nu;         /* true if shades > size */
  ms_recurrence recurrence;
  uint64_t seed;
  /* 2^n_loose: a loose required vertex is handled by the difference (XOR) of
   * runs with and without its mu; variant v zeroes the loose vertices in v */
  uint32_t variants;
  uint8_t label_at[MS_MAX_K]; /* the label of point bit b; b = 0 is innermost */
  /* Numbers of repetitions that schedule and back ends see are numbers of evaluations: a repetition
   * is so many of them, with the same weights and y = g^0, g^1, .. (sieve/sums.h) */
  uint32_t evaluations;            /* 1: there are no scores */
  uint8_t *exponent;               /* [n] of y in the weights of a vertex, modulo 255; NULL: 0 */
  uint8_t exponent_base[MS_MAX_K]; /* [shades] is subtracted from it */
  /* [n] point bits: the vertex is zero at L unless active & L; NULL: see ms_sieve_problem_begin */
  uint32_t *active;
  uint64_t labels; /* number of bits set in active[0 .. n) */
} ms_sieve_problem;

/* Sorts labels so that those with few holders come innermost: labels below a kernel's
 * line_bits keep their holders live in every block.  `threads` is as for ms_threads;
 * the result does not depend on it. */
ms_status ms_sieve_problem_init(ms_sieve_problem *problem, const ms_instance *instance,
                                uint32_t size, ms_recurrence recurrence, uint64_t seed, int threads,
                                ms_error *err);
/* Does the same for as many labels as there are slots, but leaves `active` out: for a GPU that
 * makes it from the masks that it has (ms_gpu_prune). */
ms_status ms_sieve_problem_begin(ms_sieve_problem *problem, const ms_instance *instance,
                                 uint32_t size, ms_recurrence recurrence, uint64_t seed,
                                 int threads, ms_error *err);
void ms_sieve_problem_clear(ms_sieve_problem *problem);

/* Returns the total degree of the sieve polynomial in the random weights. */
static inline uint32_t ms_sieve_degree(const ms_sieve_problem *problem)
{
  return (problem->nu ? 3 : 2) * problem->size - 1;
}

/* Returns the number of sibling indices of A^(t), floor((size-1)/t). */
static inline uint32_t ms_sieve_siblings(uint32_t size, uint32_t t)
{
  return (size - 1) / t;
}

/* Returns the logarithm to base g of the factor of mu(v, d) in an evaluation, modulo 255. */
static inline uint32_t ms_sieve_factor_log(const ms_sieve_problem *problem, uint32_t evaluation,
                                           uint32_t v, uint32_t d)
{
  return evaluation * (problem->exponent[v] + 255u - problem->exponent_base[d]) % 255u;
}

#endif
