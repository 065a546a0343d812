/* Random small cases and a brute-force oracle: every k-subset of at most 12
 * vertices, connectivity by bitmask flooding, colour fit by trying every
 * assignment.  Shares nothing with the library but its constructors. */
#ifndef MS_TESTS_SUPPORT_ORACLE_H
#define MS_TESTS_SUPPORT_ORACLE_H

#include "motif/instance.h"

#define ORACLE_MAX_N 12

typedef struct oracle_case {
  uint32_t n, k;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  uint32_t accepts[ORACLE_MAX_N]; /* [k] of each slot: bit s: a vertex whose colours are the bits of
                                     s may fill it; in any order of the slots */
} oracle_case;

typedef struct oracle_shape {
  uint32_t min_n, max_n; /* <= ORACLE_MAX_N */
  uint32_t min_k, max_k;
  bool color_lists; /* some vertices get several colours (some get none) */
  bool wildcards;   /* some motifs have '*' slots */
  bool required;    /* some queries have 1..3 required vertices */
  bool conditions;  /* some slots have alternatives, or colours that a vertex must lack */
} oracle_shape;

/* All that an oracle_shape can vary except conditions: 2..12 vertices, 1..8 slots. */
extern const oracle_shape oracle_all_shapes;

/* Makes the case of a shape and a seed: density, colour count, repeated motif
 * colours, trees and cliques all vary.  About half of the cases have a match.
 * Aborts the test (ck_abort_msg) on a library error. */
void oracle_make(const oracle_shape *shape, uint64_t seed, oracle_case *out);
void oracle_free(oracle_case *c);

/* The slots s < k that vertex v may fill, as bits; in any order of the slots. */
uint32_t oracle_slots(const oracle_case *c, uint32_t v);
/* Fills in all matches as vertex bitmasks, ascending.  Returns their number; masks has
 * room for 1 << ORACLE_MAX_N. */
uint32_t oracle_matches(const oracle_case *c, uint16_t *masks);
/* The same of the matches of `size` <= k vertices, which fill as many of the k slots. */
uint32_t oracle_matches_of(const oracle_case *c, uint32_t size, uint16_t *masks);

#endif
