/* What benchmarks of the chains of the null hypotheses `edges` and `rewire` share. */
#ifndef MS_BENCH_CHAINS_H
#define MS_BENCH_CHAINS_H

#include "base/hooks.h"
#include "bench/harness.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "significance/nulls.h"

#include <stdlib.h>
#include <string.h>

static ms_error err;

/* Ends the program, whose name is `name`, with the message of a failure. */
static inline void chains_check(const char *name, ms_status status)
{
  if (status != MS_OK)
    exit(bench_fail(name, &err));
}

static inline bool chains_are_named(const char *null)
{
  return strcmp(null, "edges") == 0 || strcmp(null, "rewire") == 0;
}

static inline ms_null_kind chains_of(const char *null)
{
  return strcmp(null, "edges") == 0 ? MS_NULL_EDGES : MS_NULL_REWIRE;
}

/* Sets the steps for each vertex, or for each edge. */
static inline void chains_set_length(ms_null_kind kind, uint32_t length)
{
  if (kind == MS_NULL_EDGES)
    ms_hooks.null_vertex_swaps = length;
  else
    ms_hooks.null_edge_swaps = length;
}

/* A graph, the first colours of its vertices, and their census. */
typedef struct chains_input {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options census;
  ms_census_result *observed;
} chains_input;

/* `colors`: a colour file, or - where the graph has colours. */
static inline void chains_read(chains_input *in, const char *name, const char *k,
                               const char *threads, const char *graph, const char *colors)
{
  in->census = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  in->census.k = (uint32_t)strtoul(k, NULL, 10);
  in->census.run.threads = (int)strtol(threads, NULL, 10);
  in->census.run.engine = "cpu";
  in->census.primary = true;
  chains_check(name, ms_graph_read(graph, NULL, &in->graph, &err));
  chains_check(name, strcmp(colors, "-") == 0
                         ? ms_coloring_from_graph(in->graph, &in->coloring, &err)
                         : ms_coloring_read(colors, in->graph, NULL, &in->coloring, &err));
  chains_check(name, ms_census(in->graph, in->coloring, &in->census, &in->observed, &err));
}

static inline void chains_free(chains_input *in)
{
  ms_census_result_free(in->observed);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
}

/* Returns label[n], the first colour of each vertex, for free(). */
static inline uint16_t *chains_make_labels(const chains_input *in)
{
  uint32_t n = in->graph->n;
  uint16_t *label = malloc((n + 1) * sizeof *label);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(in->coloring, v, &count);
    label[v] = count > 0 ? (uint16_t)color[0] : MS_NO_LABEL;
  }
  return label;
}

#endif
