/* Small random typed multigraphs and patterns, and all maps of one into the
 * other by plain trial: what typed search is tested against. */
#ifndef MS_TESTS_SUPPORT_TYPED_CASES_H
#define MS_TESTS_SUPPORT_TYPED_CASES_H

#include "query/typed_query.h"
#include "tests/support/graphs/typed_edge.h"

enum { TYPED_MOST_N = 24, TYPED_MOST_P = 6, TYPED_MOST_M = 400, TYPED_MOST_E = 12 };

typedef struct typed_case {
  uint32_t n, m, p, e;
  typed_edge edge[TYPED_MOST_M];
  ms_type kind[TYPED_MOST_N];
  ms_typed *graph;
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  bool induced;     /* set before it is solved: no edge between vertices that are not joined */
  uint64_t maps;    /* all of them */
  uint64_t classes; /* smallest rows of their classes */
  uint64_t symmetries;
  uint32_t *row;                           /* [classes][p], ascending */
  bool in_map[TYPED_MOST_P][TYPED_MOST_N]; /* some map takes i to graph vertex v */
} typed_case;

/* Makes a graph of up to `most_n` vertices with types A, B, C and relations s, t (symmetric) and r;
 * a pattern of up to `most_p` vertices, usually connected. */
void typed_case_make(typed_case *c, uint64_t seed, uint32_t most_n, uint32_t most_p);
/* Fills in `maps` and the fields behind it by recursion over the pattern's vertices. */
void typed_case_solve(typed_case *c);
void typed_case_free(typed_case *c);

/* Returns a graph of these types; kind[n]. */
ms_typed *typed_graph(uint32_t n, uint32_t m, const typed_edge *edge, const ms_type *kind);

#endif
