/* Random small cases of pattern listing, and their answer by brute force: maps
 * grow by one vertex at a time, 0, 1, .., each pair is looked up in a bit
 * matrix, and every permutation is tried as an automorphism.  Shares nothing
 * with the library but its constructors. */
#ifndef MS_TESTS_SUPPORT_PATTERN_ORACLE_H
#define MS_TESTS_SUPPORT_PATTERN_ORACLE_H

#include "motifsieve.h"

enum {
  PATTERN_CASE_MAX_N = 10,   /* vertices of the graph; 8 where the pattern has 6 */
  PATTERN_CASE_MAX_P = 6,    /* vertices of the pattern */
  PATTERN_CASE_ROWS = 30240, /* most maps: 10 * 9 * 8 * 7 * 6 */
  PATTERN_CASE_MAPS = 720    /* most automorphisms */
};

typedef struct pattern_case {
  uint32_t n, p;
  bool graph_directed, pattern_directed;
  bool induced, embeddings; /* options to list with */
  /* bit v of arc[u]: the graph has an arc u -> v as this pattern sees it: an
   * undirected edge is two, and an undirected pattern does not see which way
   * arcs point */
  uint16_t arc[PATTERN_CASE_MAX_N];
  uint16_t wanted[PATTERN_CASE_MAX_P];  /* the same of the pattern */
  uint16_t accepts[PATTERN_CASE_MAX_P]; /* bit c: colour c; 0: any */
  uint16_t fits[PATTERN_CASE_MAX_P];    /* bit v: graph vertex v has an accepted colour */
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: none */
  ms_pattern *pattern;
} pattern_case;

/* Makes the case of a seed.  More than half of the cases have a match.  Aborts
 * the test (ck_abort_msg) on a library error. */
void pattern_case_make(uint64_t seed, pattern_case *out);
void pattern_case_free(pattern_case *c);

/* Returns a row (graph vertex of pattern vertex 0, 1, ..) as a number: 4 bits a vertex,
 * the first ones on top.  Numbers are ordered as rows are. */
uint32_t pattern_case_key(const pattern_case *c, const uint32_t *row);
/* Fills in every embedding, ascending; keys[PATTERN_CASE_ROWS].  Returns their number. */
uint32_t pattern_case_embeddings(const pattern_case *c, uint32_t *keys);
/* Fills in every automorphism of the pattern with its colours; maps[PATTERN_CASE_MAPS].  Returns
 * their number. */
uint32_t pattern_case_automorphisms(const pattern_case *c, uint8_t (*maps)[PATTERN_CASE_MAX_P]);
/* Fills in smallest[count], the keys that are the smallest of their class: of the rows that
 * automorphisms make of them.  Returns their number. */
uint32_t pattern_case_smallest(const pattern_case *c, const uint32_t *keys, uint32_t count,
                               uint32_t *smallest);

#endif
