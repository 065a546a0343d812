/* The graph that the candidates under one root induce, as rows of bits.  Under a prefix of two
 * vertices all inner graphs (inner_plan.h) of one root are parts of it. */
#ifndef MS_MATCH_CPU_ROOT_GRAPH_H
#define MS_MATCH_CPU_ROOT_GRAPH_H

#include "match/cpu/runner.h"

#define MS_ROOT_GRAPH_MOST 8192u /* vertices: its rows take 8 MiB */

typedef struct ms_root_graph {
  int set;         /* of the program: the vertices; -1: inner graphs are not within such a set */
  uint32_t root;   /* the root whose graph it is; UINT32_MAX: none */
  ms_span vertex;  /* its vertices, ascending */
  size_t words;    /* of a row */
  uint64_t *bits;  /* [vertices][words] the adjacent vertices that are smaller */
  uint64_t *mask;  /* [words] the chosen vertices */
  size_t room;     /* of bits */
  uint32_t *place; /* [index n] 1 + place among the vertices; 0: it is none of them */
  uint32_t *rank;  /* [vertices] place among the chosen vertices, of these */
} ms_root_graph;

/* Prepares for a program with an inner pattern; after a failure, too, the caller frees it. */
ms_status ms_root_graph_init(ms_root_graph *graph, const ms_program *program, ms_error *err);
void ms_root_graph_free(ms_root_graph *graph);
/* True if the program has such graphs. */
bool ms_root_graph_suits(const ms_program *program);

/* Finds the smaller neighbours of ids[i] among ids[0..i), into out[i + MS_SORTED_SLACK]. */
size_t ms_lower_neighbors(const ms_runner *runner, const uint32_t *ids, size_t i, uint32_t *out);

/* Makes the graph of the runner's root, unless it is there.  Returns false without memory; a graph
 * that would be too large is not made, and graph->root is not the root. */
bool ms_root_graph_make(ms_root_graph *graph, const ms_runner *runner, ms_space *space);
/* Chooses vertices, until they are released. */
void ms_root_graph_choose(ms_root_graph *graph, ms_span chosen);
void ms_root_graph_release(ms_root_graph *graph, ms_span chosen);
/* Lists the places, among the chosen vertices, of the smaller ones to which v, one of them, is
 * adjacent.  Returns their number. */
size_t ms_root_graph_lower(const ms_root_graph *graph, uint32_t v, uint32_t *places);

#endif
