/* The two recurrences written down as the design states them: one point at a
 * time, no linear forms, no lanes, no sparsity.  For small cases. */
#ifndef MS_TESTS_SUPPORT_NAIVE_SIEVE_H
#define MS_TESTS_SUPPORT_NAIVE_SIEVE_H

#include "motif/instance.h"

/* Computes q[n] of one repetition for matches of `size` vertices. */
void naive_sieve(const ms_instance *instance, uint32_t size, ms_recurrence recurrence,
                 uint64_t seed, uint32_t repetition, uint8_t *q);

#endif
