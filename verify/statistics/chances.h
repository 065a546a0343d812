/* The probabilities of numbers of sets (docs/SIGNIFICANCE.md, "Probabilities"), by sums that share
 * nothing with those of the product: one number after the other, or one clump after the other. */
#ifndef MS_VERIFY_CHANCES_H
#define MS_VERIFY_CHANCES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ms_chances {
  long double p, p_less; /* of at least so many, and of at most so many */
  bool bound;            /* they are bounds */
} ms_chances;

/* What is known of a number of sets. */
typedef struct ms_chance_law {
  long double mean, variance;     /* the variance is above 0 */
  long double sets;               /* of all motifs */
  long double rise, fall;         /* what one vertex does, in standard deviations */
  long double hub;                /* the part of the variance that this vertex makes */
  long double skew_up, skew_down; /* at most, by vertices, pairs and blocks of vertices */
  long double filled;             /* of the sets that could be around a vertex */
  long double common;             /* mean / sets, over the most that other frequencies would give */
} ms_chance_law;

ms_chances ms_find_chances(const ms_chance_law *law, uint64_t number);

#endif
