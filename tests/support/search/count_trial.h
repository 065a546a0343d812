/* What a test of one way of counting needs: a random graph with hubs, its index, and a pattern with
 * its shape, its domains and the query. */
#ifndef MS_TESTS_SUPPORT_COUNT_TRIAL_H
#define MS_TESTS_SUPPORT_COUNT_TRIAL_H

#include "match/count/count.h"

typedef struct count_trial {
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_count_query query;
} count_trial;

/* Draws a graph of 6 to most_vertices - 1 vertices and fewer than most_edges edges from *state. In
 * three of four graphs, up to three vertices are next to most others. */
ms_graph *count_trial_graph(uint64_t *state, uint32_t most_vertices, uint32_t most_edges);
/* Makes the trial, which takes the graph and the pattern.  The query points into the trial, so that
 * this stays where it is until count_trial_free. */
void count_trial_make(count_trial *t, ms_graph *graph, ms_pattern *pattern,
                      const ms_pattern_engine *engine, int threads);
void count_trial_free(count_trial *t);
/* Whether an edge joins u and v, by a look at all neighbours of u. */
bool count_trial_adjacent(const ms_pattern_index *index, uint32_t u, uint32_t v);

#endif
