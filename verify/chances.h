/* The probabilities of numbers of sets (docs/SIGNIFICANCE.md, "Probabilities"), by sums that share
 * nothing with those of the product: one number after the other, or one clump after the other. */
#ifndef MS_VERIFY_CHANCES_H
#define MS_VERIFY_CHANCES_H

#include <stdint.h>

typedef struct ms_chances {
  long double p, p_less; /* of at least so many, and of at most so many */
} ms_chances;

/* Returns them for a variable of this mean and variance, which is above 0. */
ms_chances ms_find_chances(long double mean, long double variance, uint64_t number);

#endif
