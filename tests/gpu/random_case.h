/* Random graphs with random patterns, for comparisons of engines: a case is a function of its seed
 * and of the size of graphs alone. */
#ifndef MS_TESTS_GPU_RANDOM_CASE_H
#define MS_TESTS_GPU_RANDOM_CASE_H

#include "query/typed_query.h"

#include <stdio.h>

enum {
  RANDOM_CASE_MOST_N = 512, /* vertices of a graph */
  RANDOM_CASE_MOST_P = 40,  /* vertices of a pattern */
  RANDOM_CASE_MOST_M = 8192,
  RANDOM_CASE_MOST_E = 256,
  RANDOM_CASE_COLORS = 24
};
#define RANDOM_CASE_ANY UINT32_MAX /* any colour, or any relation */

typedef struct random_case {
  uint64_t seed, state; /* state: of the generator */
  bool directed, induced, typed;
  uint32_t n, m, p, e; /* vertices and edges of the graph and of the pattern */
  uint32_t edge[RANDOM_CASE_MOST_M][2];
  uint32_t pattern_edge[RANDOM_CASE_MOST_E][2];
  uint32_t colors;                       /* 1: neither graph nor pattern has colours */
  uint32_t color[RANDOM_CASE_MOST_N];    /* of the graph's vertices */
  uint32_t accepts[RANDOM_CASE_MOST_P];  /* a colour, or RANDOM_CASE_ANY */
  uint32_t relation[RANDOM_CASE_MOST_M]; /* of the graph's edges, if the case is typed */
  uint32_t wants[RANDOM_CASE_MOST_E];    /* a relation, or RANDOM_CASE_ANY */
  bool joined[RANDOM_CASE_MOST_N][RANDOM_CASE_MOST_N]; /* only the drawing uses it */
} random_case;

/* Draws a case whose graph has at most about `size` vertices, or enough for a pattern that is cut
 * out of it. */
void random_case_draw(random_case *c, uint64_t seed, uint32_t size);
/* Writes the edges, colours and relations of both graphs. */
void random_case_print(const random_case *c, FILE *to);

/* The library's objects of a case that is not typed; coloring and its handle are NULL without
 * colours. */
typedef struct random_plain {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
} random_plain;

/* Make the library's objects.  A failure ends the program with its message. */
void random_case_plain(const random_case *c, random_plain *out);
void random_plain_free(random_plain *plain);

/* The same of a typed case. */
typedef struct random_typed {
  ms_typed *graph;
  ms_typed_pattern *pattern;
  ms_typed_query *query;
} random_typed;

void random_case_typed(const random_case *c, random_typed *out);
void random_typed_free(random_typed *typed);

#endif
