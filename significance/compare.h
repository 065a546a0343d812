/* Inside significance/: the steps of a comparison of samples (include/motifsieve/compare.h).
 *
 *   compare_count.c   a census of each sample, and the table of all motifs
 *   compare.c         what is compared with what; scores of motifs; effect sizes, q values, rows
 *   compare_groups.c  the test that permutes the groups of samples
 *   compare_labels.c  the test that permutes the colours of each sample
 *
 * The score of a motif in a sample with the share r of the sets is y = log2(r + e), where e is half
 * a set in a sample of mean size; its excess is z = y - log2(r0 + e), where r0 is the expected
 * share.  Both are kept as whole multiples of 2^-32: sums of them are exact, so that the order of
 * summation does not matter, and arrangements that are equal, or mirror images of each other, have
 * equal statistics. */
#ifndef MS_SIGNIFICANCE_COMPARE_H
#define MS_SIGNIFICANCE_COMPARE_H

#include "census/accelerator.h"
#include "motifsieve.h"

#include <math.h>

typedef int64_t ms_score; /* in units of 2^-32 */
#define MS_SCORE_UNIT 0x1p32

/* Statistics that differ by less than this are equal: log2 may differ in its last digit. */
#define MS_SCORE_SLACK 64.0

/* One sample, with the colours of all samples and those that count. */
typedef struct ms_compared {
  const ms_graph *graph;
  ms_coloring *coloring;
  double sets;            /* of it */
  uint64_t visits, bytes; /* of its census, as in ms_census_result */
} ms_compared;

typedef struct ms_comparing {
  const ms_census_accelerator *gpus;
  const ms_samples *samples;
  const ms_compare_options *options;
  ms_comparison *out;
  uint32_t n;        /* samples */
  ms_compared *each; /* [n] */
  uint32_t *group;   /* [n] */
  uint32_t *block;   /* [n] all 0 in the test of colours */
  uint32_t blocks;
  bool single;        /* no vertex has several colours */
  double pseudo;      /* e */
  ms_score *score;    /* [motifs][n] y */
  ms_score *excess;   /* [motifs][n] z; NULL: there is none */
  uint64_t *by_color; /* [motifs] in the order of their colours */
} ms_comparing;

/* Two sides, and the motifs that are compared on them. */
typedef struct ms_sides {
  uint32_t number;  /* of the contrast */
  uint8_t *side;    /* [n] 1: group, 2: reference, 0: neither */
  uint32_t members; /* samples of a block with both sides */
  uint32_t *member; /* [members] by block */
  uint32_t *begin;  /* [parts + 1] of each such block in `member` */
  uint32_t *first;  /* [parts] of each, samples in the group */
  uint32_t parts;
  double weight; /* sum over blocks of n1 n2 / (n1 + n2) */
  uint64_t rows;
  uint64_t *motif;      /* [rows] */
  uint64_t *reached[2]; /* [rows] permutations that reach the statistic: of scores, of excesses */
} ms_sides;

/* ms_compare with these GPUs. */
ms_status ms_compare_by(const ms_census_accelerator *gpus, const ms_samples *samples,
                        const ms_compare_options *options, ms_comparison **out, ms_error *err);

/* ---- compare_count.c ---------------------------------------------------------------- */

/* Counts the sets, and fills in the motifs of the result.  A stop leaves none of them. */
ms_status ms_compare_count(ms_comparing *c, ms_error *err);
/* Returns the score of a share. */
static inline ms_score ms_compare_score(const ms_comparing *c, double share)
{
  return (ms_score)llrint(log2(share + c->pseudo) * MS_SCORE_UNIT);
}

/* ---- tests -------------------------------------------------------------------------- */

/* Sets of members of the group, each within blocks. */
uint64_t ms_compare_arrangements(const ms_sides *sides);
/* Random words: a function of seed, permutation and place.  A number below `below`. */
uint64_t ms_compare_random(uint64_t seed, uint64_t permutation, uint32_t place, uint32_t stream,
                           uint64_t below);
#define MS_STREAM_GROUPS 0x80000000u /* plus the number of a contrast */

/* How long the permutations take, which are equally long for equal work. */
typedef struct ms_compare_pace {
  const char *work;        /* its name */
  double begun, done, all; /* seconds on the clock; work that is done, and all of it */
  bool told;
} ms_compare_pace;
void ms_compare_pace_begin(ms_compare_pace *pace, double all);
/* Notes that more is done; says how long all takes once a small part of it has been done. */
void ms_compare_pace_note(const ms_compare_options *options, ms_compare_pace *pace, double more);

/* These two do all permutations, or as many as the stop token allows, and fill in `reached` and, in
 * the contrast, how many there were. */
ms_status ms_compare_groups(const ms_comparing *c, ms_sides *sides, ms_contrast *contrast,
                            ms_compare_pace *pace, ms_error *err);
/* Returns its work, in scores that are added. */
double ms_compare_groups_work(const ms_comparing *c, const ms_sides *sides,
                              const ms_contrast *contrast);
/* All contrasts at once: each permutation of each sample is counted. */
ms_status ms_compare_labels(const ms_comparing *c, ms_sides *sides, ms_error *err);

#endif
