/* Checks the statistics of permutations in a census.
 *
 * Every row is checked by itself: its numbers must be such as some numbers of sets in the
 * permutations can give.  All permutations are made and counted again, or, where these are too
 * many, a sample of them: the random numbers, the classes of vertices and the chains are those that
 * docs/SIGNIFICANCE.md describes, in code that shares nothing with what made them. */
#ifndef MS_VERIFY_PERMUTED_H
#define MS_VERIFY_PERMUTED_H

#include "verify/certificate.h"

#include <string.h>

/* Refuses a header whose lines do not belong to its null, or whose numbers cannot be; `coloring`
 * has only the colours that count; NULL: there are none. */
ms_status ms_check_permuted_head(ms_result *r, const ms_coloring *coloring);

/* Refuses statistic[MS_STATISTICS] of r->row that contradict each other or the number of sets. */
ms_status ms_check_permuted_row(ms_result *r, const double *statistic, uint64_t sets);

/* The sets of a motif, or those that hold a vertex. */
typedef struct ms_census_number {
  uint32_t vertex;               /* 0 in a census of the whole graph */
  uint32_t color[MS_MAX_CENSUS]; /* [k] ascending, then zeros */
  uint64_t sets;                 /* 0: the place is free */
} ms_census_number;

/* Compares the colours of two numbers, for qsort. */
static inline int ms_census_number_compare(const void *a, const void *b)
{
  const ms_census_number *x = a, *y = b;
  return memcmp(x->color, y->color, sizeof x->color);
}

/* The rows of a census with statistics, and behind them the motifs that the recount has found and
 * that have no row. */
typedef struct ms_permuted_rows {
  const ms_coloring *coloring;              /* with only the colours that count */
  const ms_census_number *row;              /* [motifs] */
  const double (*statistic)[MS_STATISTICS]; /* [rows] */
  const uint64_t *line;                     /* [rows] */
  uint64_t rows, motifs;
  uint64_t sets; /* connected sets of the graph */
} ms_permuted_rows;

/* Makes the permutations again, if that is possible and not too much, and compares the statistics.
 * c->query is that of all connected sets.  Notes in the report how many permutations were made. */
ms_status ms_recount_permuted(ms_certificate *c, const ms_permuted_rows *rows, ms_error *err);

/* What the chains of some permutations did. */
typedef struct ms_chain_trace {
  uint64_t tried, accepted;
  double deviation; /* edges: the greatest one */
} ms_chain_trace;

/* Permutations that are made again: all, or a sample. */
typedef struct ms_permuted {
  uint64_t permutations, of; /* so many of so many */
  uint64_t seed;
  uint32_t n;
  bool is_made;
  uint32_t *from; /* [permutations][n] vertex v has the colours of vertex from[v]; NULL: rewire */
  struct ms_edge_chain *rewired;
  ms_chain_trace trace;
} ms_permuted;

/* Makes permutations that the header describes, of the vertices that have colours in `coloring`, at
 * most `most`.  A stop is an error. */
ms_status ms_permuted_make(ms_certificate *c, const ms_coloring *coloring, uint64_t most,
                           const ms_stop *stop, ms_permuted *out, ms_error *err);
/* Returns the number of permutation s of the sample: they are spread over all. */
uint64_t ms_permuted_number(const ms_permuted *p, uint64_t s);
/* Makes the graph of permutation s of the sample, for the nulls that rewire. */
ms_status ms_permuted_graph(ms_permuted *p, uint64_t s, const ms_stop *stop, ms_graph **out,
                            ms_error *err);
void ms_permuted_free(ms_permuted *p);

#endif
