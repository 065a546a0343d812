/* Inside verify/: what is known of the significance that is checked, and its means and variances.
 */
#ifndef MS_VERIFY_SIGNIFICANCE_H
#define MS_VERIFY_SIGNIFICANCE_H

#include "verify/census.h"
#include "verify/statistics/chances.h"

#include <gmp.h>

typedef struct ms_significance_checker {
  ms_certificate *c;
  ms_verify_census *w;
  uint32_t n;        /* vertices that count */
  uint64_t *holders; /* [colours] */
  uint32_t colors;
  bool knows_absent;               /* the motifs without a set have been listed */
  bool knows_left_out;             /* .. and those whose rows the options left out */
  mpq_t pairs[MS_MAX_CENSUS + 1];  /* of the header */
  bool redrawn;                    /* all samples: error[] and sd_error are known */
  double error[MS_MAX_CENSUS + 1]; /* standard error of B_j (significance/overlaps.h) */
  double sd_error;                 /* the greatest relative one of the rows that were checked */
} ms_significance_checker;

/* The slots of a motif by colours. */
typedef struct ms_significance_slots {
  uint32_t classes;
  uint32_t slots[MS_MAX_CENSUS];
  uint64_t holders[MS_MAX_CENSUS];
} ms_significance_slots;

/* Returns the slots of a motif of the census's size, whose colours ascend. */
ms_significance_slots ms_significance_slots_of(const ms_significance_checker *k,
                                               const uint32_t *color);

typedef struct ms_significance_moments {
  long double mean, variance, error; /* the standard error of the variance, if it is known */
} ms_significance_moments;

/* Computes the moments of the number of sets that fit the slots, in a section of base/numbers.h. */
ms_significance_moments ms_significance_moments_of(const ms_significance_checker *k,
                                                   const ms_significance_slots *s);

/* Returns what the probabilities of a number with these moments follow from. */
ms_chance_law ms_significance_law(const ms_significance_checker *k, const ms_significance_slots *s,
                                  const ms_significance_moments *m);

#endif
