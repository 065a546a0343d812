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

/* Shapes for all tests that list or count matches: one colour a vertex; several, and wildcards; and
 * required vertices, too.  Long motifs have up to 7 slots, short ones up to 4 in the first shape
 * and 6 in the others. */
enum { ORACLE_SHAPES = 3 };
extern const oracle_shape oracle_long_motifs[ORACLE_SHAPES + 1]; /* the last one with conditions */
extern const oracle_shape oracle_short_motifs[ORACLE_SHAPES];

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

/* Calls found once for each connected set of vertices (bits) that holds the required ones and is a
 * match but for `missing` slots without a vertex and `extra` vertices without a slot, where the
 * greatest number of slots is filled, and neither exceeds its bound. */
void oracle_near_sets(const oracle_case *c, uint32_t max_missing, uint32_t max_extra,
                      void (*found)(void *user, uint32_t set, uint32_t missing, uint32_t extra),
                      void *user);

#endif
