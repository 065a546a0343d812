/* Exact miss bounds (SIEVE: "How often a vertex is missed").
 *
 * A vertex in a match has a sieve polynomial that is multilinear, non-zero and
 * of degree D in the weights; no weight takes a value with probability above p
 * = MS_WEIGHT_PEAK / 2^32, so (Schwartz-Zippel, one variable at a time) one
 * repetition misses it with probability at most 1 - (1-p)^D, and R independent
 * repetitions miss it with at most this probability to the power of R. */
#ifndef MS_SIEVE_BOUND_H
#define MS_SIEVE_BOUND_H

#include "motifsieve.h"

#include <gmp.h>

/* Returns the bytes that computing with bounds of up to so many repetitions may need, for
 * ms_numbers_store. */
size_t ms_miss_bound_bytes(uint32_t degree, uint32_t repetitions);

/* Sets bound = (1 - (1-p)^degree)^repetitions. The caller has initialised
 * `bound`. */
void ms_miss_bound(mpq_t bound, uint32_t degree, uint32_t repetitions);

/* No error that a double can express needs more repetitions, whatever the degree. */
#define MS_MOST_NEEDED_REPETITIONS 512u

/* Returns the smallest number of repetitions whose bound is at most `error`,
 * which is between 0 and 1. The comparison is exact. */
uint32_t ms_repetitions_for(uint32_t degree, double error);

/* Returns the smallest double >= value, 0 <= value <= 1. */
double ms_round_up(const mpq_t value);

/* Writes the bound as a formula, "(1 - (4278124286/4294967296)^D)^R". */
void ms_miss_bound_text(uint32_t degree, uint32_t repetitions, char *text, size_t bytes);

#endif
