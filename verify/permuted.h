/* Checks the statistics of permutations in a census.
 *
 * Every row is checked by itself: its numbers must be such as some numbers of sets in the
 * permutations can give.  Where colours are dealt out again by shuffles (the nulls labels and
 * degree) and the census is small, all permutations are made and counted again: the random numbers
 * and the classes of vertices are those that docs/SIGNIFICANCE.md describes, in code that shares
 * nothing with what made them. */
#ifndef MS_VERIFY_PERMUTED_H
#define MS_VERIFY_PERMUTED_H

#include "verify/certificate.h"

#define MS_SIGNIFICANCE_COLUMNS 7u /* expected, sd, z, p, q, p_less, q_less */

/* Returns the number of the statistics of a row that are before those of permutations. */
static inline uint32_t ms_first_permuted(const ms_result_header *header)
{
  return header->has & MS_HAS_SIGNIFICANCE ? MS_SIGNIFICANCE_COLUMNS : 0;
}

/* The statistics of permutations of a row, in the order of the columns. */
enum {
  MS_PERM_EXPECTED,
  MS_PERM_SD,
  MS_PERM_Z,
  MS_PERM_P,
  MS_PERM_Q,
  MS_PERM_P_LESS,
  MS_PERM_Q_LESS,
  MS_PERM_P_MAX
};

/* Refuses a header whose lines do not belong to its null, or whose numbers cannot be; `coloring`
 * has only the colours that count. */
ms_status ms_check_permuted_head(ms_result *r, const ms_coloring *coloring);

/* Refuses statistics that contradict each other or the number of sets; `statistic` is that of
 * r->row. */
ms_status ms_check_permuted_row(ms_result *r, uint64_t sets);

/* The sets of a motif, or those that hold a vertex. */
typedef struct ms_census_number {
  uint32_t vertex;               /* 0 in a census of the whole graph */
  uint32_t color[MS_MAX_CENSUS]; /* [k] ascending, then zeros */
  uint64_t sets;                 /* 0: the place is free */
} ms_census_number;

/* The rows of a census with statistics. */
typedef struct ms_permuted_rows {
  const ms_coloring *coloring; /* with only the colours that count */
  const ms_census_number *row; /* [rows] */
  const double (*statistic)[MS_MOST_STATISTICS];
  const uint64_t *line; /* [rows] */
  uint64_t rows;
  uint64_t sets; /* connected sets of the graph */
} ms_permuted_rows;

/* Makes the permutations again, if that is possible and not too much, and compares the statistics.
 * c->query is that of all connected sets.  Notes in the report how many permutations were made. */
ms_status ms_recount_permuted(ms_certificate *c, const ms_permuted_rows *rows, ms_error *err);

/* Permutations that are made again. */
typedef struct ms_permuted {
  uint64_t permutations;
  uint32_t n;
  uint32_t *from; /* [permutations][n] vertex v has the colours of vertex from[v] */
} ms_permuted;

/* Makes all permutations that the header describes, where they are shuffles of the vertices that
 * have colours in `coloring`, and at most `most` numbers; else leaves out->from NULL. */
ms_status ms_permuted_make(ms_certificate *c, const ms_coloring *coloring, uint64_t most,
                           ms_permuted *out, ms_error *err);
void ms_permuted_free(ms_permuted *p);

#endif
