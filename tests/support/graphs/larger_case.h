/* Random queries for a motif, too large for brute force. */
#ifndef MS_TESTS_SUPPORT_LARGER_CASE_H
#define MS_TESTS_SUPPORT_LARGER_CASE_H

#include "motifsieve.h"

typedef struct larger_case {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} larger_case;

/* Makes a case of 30 to 729 vertices with colours c0..c3, some vertices with several and some with
 * none, and with up to two hubs.  Aborts the test on an error of the library. */
void larger_make(uint64_t seed, larger_case *out);
void larger_free(larger_case *c);

#endif
