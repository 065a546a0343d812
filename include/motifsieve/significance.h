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

typedef struct ms_significance_options {
  size_t size; /* set by MS_SIGNIFICANCE_OPTIONS_DEFAULT */
  ms_moments_choice moments;
  uint64_t samples; /* sampled moments: random sets for each number of common vertices; 0: 4000;
                       not with exact moments */
  uint64_t seed;    /* of these sets */
  /* A motif without a set is in the result if it was expected at least so often.  0: 5. */
  double min_expected;
} ms_significance_options;
#define MS_SIGNIFICANCE_OPTIONS_DEFAULT                                                            \
  {                                                                                                \
    .size = sizeof(ms_significance_options), .seed = MS_DEFAULT_SEED                               \
  }

/* Where p and p_less come from (docs/SIGNIFICANCE.md, "Probabilities"). */
typedef enum ms_p_by {
  MS_P_BY_NONE,  /* the number cannot vary: both are 1 */
  MS_P_BY_FIT,   /* distributions with the mean and the variance */
  MS_P_BY_BOUND, /* a bound for all such distributions, because one vertex, or hardly any clump of
                    sets, makes the distribution */
} ms_p_by;

/* Bytes of the text of a number of pairs of sets. */
#define MS_OVERLAP_BYTES 48

typedef struct ms_significance {
  ms_run_outcome run; /* stopped early: there are no motifs */
  uint32_t k;
  uint64_t count;   /* of the motifs in the census beside it */
  double *expected; /* [count] mean number of sets of each motif, over all ways to permute the
                       colours of the vertices that count */
  double *sd;       /* [count] standard deviation */
  double *z;        /* [count] (sets - expected) / sd; NAN: sd is 0 */
  double *p;        /* [count] probability of at least so many sets, at least 1e-300 */
  double *q;        /* [count] false discovery rate at which p is a discovery */
  double *p_less;   /* [count] probability of at most so many sets */
  double *q_less;   /* [count] the same of p_less; motifs without a set that are expected less than
                       0.1 times count as 1 (docs/SIGNIFICANCE.md) */
  ms_p_by *p_by;    /* [count] */
  uint64_t most;    /* the greatest number of connected sets that hold one vertex */
  uint64_t tests;   /* all motifs of k colours for which there are vertices; at most INT64_MAX */
  uint64_t absent;  /* motifs in the census that have no set */
  double min_expected; /* as in the options, or what stands for 0 */
  bool exact;          /* the moments are */
  uint64_t samples;    /* sampled moments: random sets for each number of common vertices */
  uint64_t seed;       /* of these sets */
  double error;        /* sampled moments: the greatest relative standard error of an sd */
  /* ordered pairs of connected sets with 0 to k common vertices, in decimal; they may be negative
   * if they are sampled */
  char overlap[MS_MAX_CENSUS + 1][MS_OVERLAP_BYTES];
  uint64_t bytes; /* of tables for the overlaps, at most */
  double time;    /* seconds for all but the census */
} ms_significance;

/* Makes a census as ms_census does, and compares each number of sets with what is expected if the
 * colours are permuted at random over the vertices that count.  Means and variances are exact, or
 * the variances are sampled; the probabilities come from them (p_by), and the false discovery rates
 * are those of Y. Benjamini and Y. Hochberg (1995).  The census has the motifs that occur, and
 * behind them those that do not although they were expected, in the order of their colours.
 * `min_count` and `top` of `census` choose rows of the result, and change no number.  The result
 * does not depend on the threads.  MS_ERR_USAGE, in addition to what ms_census says: vertices have
 * several colours that count.  The caller frees *census by ms_census_result_free and *out by
 * ms_significance_free. */
MS_API ms_status ms_census_significance(const ms_graph *graph, const ms_coloring *coloring,
                                        const ms_census_options *census_options,
                                        const ms_significance_options *options,
                                        ms_census_result **census, ms_significance **out,
                                        ms_error *err);
MS_API void ms_significance_free(ms_significance *significance);

#endif
