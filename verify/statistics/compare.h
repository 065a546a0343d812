/* Inside verify/: the check of comparisons of samples.
 *
 *   compare_inputs.c the samples and their colours, and the rows
 *   compare.c        what the rows should be
 *   compare_count.c  lists all connected sets of each sample
 *   compare_test.c   does the permutations again
 *   compare_order.c  which rows come first
 *
 * The random numbers of permutations are those that docs/COMPARE.md describes; everything else
 * is computed by other ways than significance/ computes it. */
#ifndef MS_VERIFY_COMPARE_H
#define MS_VERIFY_COMPARE_H

#include "graph/names.h"
#include "verify/certificate.h"

#define MS_COMPARE_RELATIVE 2e-5 /* error of a number of six digits */

/* A motif, and its sets in each sample. */
typedef struct ms_tested {
  uint32_t color[MS_MAX_CENSUS]; /* [k] ascending, then zeros */
  uint64_t *sets;                /* [n] NULL: the place is free */
  double *score, *excess;        /* [n] whole multiples of 2^-32 of the logarithms */
} ms_tested;

/* A row of the file. */
typedef struct ms_stated {
  uint32_t color[MS_MAX_CENSUS];
  uint32_t group, reference; /* of counts: the sample, in `group` */
  uint64_t sets, line, permutations;
  double number[MS_COMPARE_NUMBERS];
  bool exact;
} ms_stated;

/* The sets of vertices of a sample, each with its vertices by the number that they have among those
 * with a colour. */
typedef struct ms_kept_sets {
  uint32_t *set; /* [count][k] */
  uint64_t count, room;
} ms_kept_sets;

struct ms_verify_comparison {
  ms_certificate *c;
  ms_samples *samples;
  uint32_t n, k, groups, blocks;
  uint32_t *group, *block;   /* [n] */
  ms_names *colors;          /* of all samples */
  uint8_t *counts;           /* [colours] */
  ms_coloring **coloring;    /* [n] the colours that count, by their numbers in `colors` */
  uint64_t *vertices, *sets; /* [n] */
  uint64_t *have;            /* [n][colours] vertices that have each colour */
  bool single, labels;
  double pseudo;
  ms_tested *motif; /* [places] a hash table */
  uint64_t places, motifs;
  ms_stated *stated; /* [rows] */
  uint64_t rows, room;
  /* while the sets of a sample are listed */
  uint32_t sample;
  uint32_t *number;               /* [vertices of the graph] among those with a colour */
  ms_kept_sets *kept;             /* [n] only for the test of colours */
  uint32_t (*met)[MS_MAX_CENSUS]; /* motifs that the current set fits */
  bool full;
  double reported; /* time of the last report of permutations */
};

/* What is compared with what. */
typedef struct ms_versus {
  uint32_t group, reference;
  uint8_t *side; /* [n] 1: group, 2: reference, 0: neither, or a block without the other side */
  uint8_t *own;  /* [n] the same, but blocks do not matter */
  uint64_t arrangements, permutations;
  bool exact;
} ms_versus;

/* Returns the number of a group, or MS_NO_ID. */
uint32_t ms_find_group(const ms_verify_comparison *w, const char *name);
/* Lists the sets of the first `samples` samples; c->report->stopped says if there was no time for
 * all. */
ms_status ms_count_samples(ms_verify_comparison *w, uint32_t samples, ms_error *err);
/* Returns the place of a motif, perhaps free; NULL: no memory. */
ms_tested *ms_find_tested(ms_verify_comparison *w, const uint32_t *color);
/* Counts the sets of one motif in each sample by itself. */
ms_status ms_count_tested(ms_verify_comparison *w, const uint32_t *color, uint64_t *sets,
                          const ms_stop *stop, ms_error *err);
/* Fills in scores and excesses, once the sets are known. */
ms_status ms_score_tested(ms_verify_comparison *w, ms_tested *motif, ms_error *err);
/* Expected sets of a motif in a sample under permutation of its colours. */
double ms_expect_tested(const ms_verify_comparison *w, const uint32_t *color, uint32_t sample);

/* Counts for each of the motifs the permutations that reach the statistics of scores and of
 * excesses, or of excesses alone.  A stop ends that early; *done of the permutations, from the
 * first on, were then tried. */
ms_status ms_permute_samples(const ms_verify_comparison *w, uint32_t number, const ms_versus *v,
                             uint64_t count, ms_tested *const *motif, uint64_t *reached[2],
                             uint64_t *done, const ms_stop *stop, ms_error *err);
ms_status ms_permute_excesses(ms_verify_comparison *w, const ms_versus *v, uint64_t count,
                              ms_tested *const *motif, uint64_t *reached, uint64_t *done,
                              const ms_stop *stop, ms_error *err);
/* Returns the weighted mean over blocks of the difference of the mean scores of both sides. */
double ms_difference(const ms_verify_comparison *w, const uint8_t *side, const double *score);
/* Returns -1 if the row of motif a certainly comes before that of b, 1: after it; 0: either may
 * come first, because rounding decides.  reached_..: the permutations that reach their statistics,
 * by which p is found. */
int ms_compare_places(const ms_verify_comparison *w, const ms_versus *v, const ms_tested *a,
                      const ms_tested *b, uint64_t reached_a, uint64_t reached_b);
uint64_t ms_count_arrangements(const ms_verify_comparison *w, const uint8_t *side);

#endif
