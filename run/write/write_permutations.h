/* What results with permutations have in common: their header, and the sums of a part. */
#ifndef MS_RUN_WRITE_PERMUTATIONS_H
#define MS_RUN_WRITE_PERMUTATIONS_H

#include "result/columns.h"
#include "result/writer.h"
#include "significance/permute/permute.h"

/* Returns the number that the six digits which are written of `value` stand for. */
double ms_six_digits(double value);

/* Returns observed / expected, both as they are written, so that a file of parts that were merged
 * has the same bytes; NAN if nothing is expected, or it is not known what. */
double ms_fold(uint64_t observed, double expected);

/* Describes the permutations, of which there are some; after a stop, `status` of the header says
 * so.  `strata`: the column of strata, or NULL. */
void ms_writing_permutations(ms_result_header *header, const ms_permutation_result *r,
                             const ms_permutation_options *options, const char *strata);

/* Fills in the statistics of motif or pattern i, which was counted so often: places of a row from
 * MS_STAT_PERMUTED on. */
void ms_writing_statistics(const ms_permutation_result *r, uint64_t i, uint64_t count,
                           double statistic[MS_STATISTICS]);

/* Fills in the statistics of pattern i, whose row has its `matches`. */
void ms_writing_pattern_statistics(const ms_permutation_result *r, uint64_t i, ms_pattern_row *row);

/* The sums of a motif over the permutations of a part, in decimal, in the order of
 * MS_PERMUTED_SUMS. */
typedef struct ms_sums_text {
  const char *text[MS_PERMUTED_SUMS]; /* they point into `digits` */
  char digits[MS_PERMUTED_SUMS][48];
} ms_sums_text;

/* Writes sums; n_ge, n_le: the permutations with at least, and with at most, as many. */
void ms_sums_write(const ms_permutation_sum *sum, uint64_t n_ge, uint64_t n_le, ms_sums_text *out);
/* Adds sums that were written, which must be whole numbers (ms_result_check_sums).  Returns false
 * if they are too large, or no `done` permutations of a motif with `observed` sets have them. */
bool ms_sums_add(const char *const text[MS_PERMUTED_SUMS], uint64_t done, uint64_t observed,
                 ms_permutation_sum *sum, uint64_t *n_ge, uint64_t *n_le);

#endif
