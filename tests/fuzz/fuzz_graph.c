/* Any bytes as a graph file are refused or read as a valid graph, which is the same graph when it
 * is written in its format and read again, and when one thread reads it.  FUZZ_WHAT: an
 * ms_graph_format. */
#include "graph/graph.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"
#include "tests/support/graphs/validate.h"

#include <string.h>

#define MEMORY ((uint64_t)16 << 20)

static fuzz_file input;

void fuzz_setup(void)
{
  fuzz_file_open(&input);
  if (FUZZ_WHAT == MS_FORMAT_BINARY)
    fuzz_seal = fuzz_reseal_graph;
}

static ms_graph *read_graph(const char *path, ms_graph_format format, const char *names,
                            int threads)
{
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = format,
                              .run.threads = threads,
                              .run.memory = MEMORY,
                              .names = names};
  ms_graph *graph = NULL;
  ms_error err = {0};
  ms_status status = ms_graph_read(path, &options, &graph, &err);
  fuzz_require((status == MS_OK) == (graph != NULL), "status and graph disagree");
  if (!fuzz_ok(status, FUZZ_INPUT, &err))
    return NULL;
  fuzz_ok(validate_graph(graph, &err), 0, &err);
  fuzz_require(ms_graph_vertex_count(graph) > 0, "a graph without vertices");
  return graph;
}

static ms_coloring *own_coloring(const ms_graph *graph)
{
  ms_coloring *coloring = NULL;
  ms_error err = {0};
  ms_status status = ms_coloring_from_graph(graph, &coloring, &err);
  bool colored = fuzz_ok(status, FUZZ_INPUT, &err);
  fuzz_require(colored == ms_graph_describe(graph).colored, "is the graph coloured?");
  return coloring;
}

static void compare(const ms_graph *graph, const ms_graph *again, bool numbered)
{
  fuzz_require(ms_graph_vertex_count(again) == ms_graph_vertex_count(graph), "vertices are lost");
  fuzz_require(ms_graph_edge_count(again) == ms_graph_edge_count(graph), "edges are lost");
  for (uint32_t v = 0; !numbered && v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree, degree_again, u = ms_graph_find(again, ms_graph_name(graph, v));
    fuzz_require(u != UINT32_MAX, "a name is lost");
    ms_graph_neighbors(graph, v, &degree);
    ms_graph_neighbors(again, u, &degree_again);
    fuzz_require(degree == degree_again, "a degree has changed");
  }
}

static void compare_colors(const ms_coloring *coloring, const ms_graph *again)
{
  ms_coloring *other = own_coloring(again);
  fuzz_require(other, "the colours are lost");
  fuzz_require(ms_coloring_describe(other).assignments ==
                   ms_coloring_describe(coloring).assignments,
               "colours are lost");
  ms_coloring_free(other);
}

/* MITAB: names that begin with databases are read back whole by their full ids,
 * all other names by any. */
static void round_trip(const ms_graph *graph)
{
  const char *names = FUZZ_WHAT == MS_FORMAT_MITAB ? "full" : NULL;
  ms_graph_format_info info = ms_graph_format_describe(FUZZ_WHAT);
  ms_coloring *coloring = own_coloring(graph);
  ms_error err = {0};
  fuzz_output_clear();
  if (info.writable &&
      fuzz_ok(ms_graph_write(graph, coloring, FUZZ_WHAT, "-", &err), FUZZ_USAGE, &err)) {
    ms_graph *again = read_graph(fuzz_output.path, FUZZ_WHAT, names, fuzz_threads);
    fuzz_require(again, "what was written is refused");
    compare(graph, again, info.numbered);
    if (coloring && info.holds_colors)
      compare_colors(coloring, again);
    ms_graph_free(again);
  }
  ms_coloring_free(coloring);
}

/* Directions change nothing else; a format that has none refuses them, and
 * GraphML looks at more attributes. */
static void read_directed(const ms_graph *graph)
{
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = FUZZ_WHAT,
                              .run.memory = MEMORY,
                              .directed = true};
  ms_graph *again = NULL;
  ms_error err = {0};
  ms_status status = ms_graph_read(input.path, &options, &again, &err);
  if (!fuzz_ok(status, FUZZ_INPUT | FUZZ_USAGE, &err))
    return;
  fuzz_ok(validate_graph(again, &err), 0, &err);
  fuzz_require(ms_graph_directed(again), "is the graph directed?");
  compare(graph, again, false);
  ms_graph_free(again);
}

/* One thread reads the same graph as several. */
static void read_alone(const ms_graph *graph)
{
  if (fuzz_threads == 1)
    return;
  ms_graph *again = read_graph(input.path, FUZZ_WHAT, NULL, 1);
  fuzz_require(again, "one thread does not read it");
  compare(graph, again, false);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree, degree_again;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    const uint32_t *row_again = ms_graph_neighbors(again, v, &degree_again);
    fuzz_require(strcmp(ms_graph_name(graph, v), ms_graph_name(again, v)) == 0,
                 "one thread finds another order of vertices");
    fuzz_require(degree == degree_again && memcmp(row, row_again, degree * sizeof *row) == 0,
                 "one thread finds other neighbours");
  }
  ms_graph_free(again);
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  fuzz_file_set(&input, data, size);
  ms_graph_free(read_graph(input.path, MS_FORMAT_AUTO, NULL, fuzz_threads));
  ms_graph *graph = read_graph(input.path, FUZZ_WHAT, NULL, fuzz_threads);
  if (!graph)
    return false;
  round_trip(graph);
  read_directed(graph);
  read_alone(graph);
  ms_graph_free(graph);
  return true;
}
