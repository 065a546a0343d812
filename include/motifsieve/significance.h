/* Significance: which motifs are there more often, or less often, than by chance.  motifsieve.h
 * includes this file. */
#ifndef MOTIFSIEVE_SIGNIFICANCE_H
#define MOTIFSIEVE_SIGNIFICANCE_H

#include "motifsieve/census.h"

/* ---- significance of a census ----------------------------------------- */

/* How the overlaps of connected sets are counted, which the variances need. */
typedef enum ms_moments_choice {
  MS_MOMENTS_AUTO,  /* exactly where this takes at most some minutes of a processor, else sampled */
  MS_MOMENTS_EXACT, /* all of them */
  MS_MOMENTS_SAMPLED /* from random sets; the variances have a standard error */
} ms_moments_choice;

#endif
