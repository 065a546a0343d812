/* What the headers and ends of results of patterns and of typed matches in a plain graph share,
 * written here by other code than the tool's. */
#ifndef MS_TESTS_SUPPORT_COMPOSE_HEAD_H
#define MS_TESTS_SUPPORT_COMPOSE_HEAD_H

#include "motifsieve.h"

#include <stdio.h>

/* A graph and its colours, which may be NULL. */
typedef struct compose_graph {
  const ms_graph *graph;
  const ms_coloring *coloring;
  const char *graph_path, *colors_path;
  bool directed;
} compose_graph;

/* Writes the lines "# graph: ..", "# directed: 1" and "# colors: ..". */
void compose_tsv_graph(const compose_graph *in, FILE *out);
/* Writes the value of "graph", and the key "colors" with its value. */
void compose_json_graph(const compose_graph *in, FILE *out);

/* Writes the last lines of a result in TSV or JSON, whose checksum matches_seal fills in; `status`
 * as in the tail of a binary result. */
void compose_tail(FILE *out, bool json, unsigned status, uint64_t rows);

#endif
