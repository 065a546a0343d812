/* Times the ways to find connected components on one graph, and igraph on the
 * same graph, all in one process:
 *
 *   typed_components [-r RUNS] [-t THREADS,..] GRAPH
 *
 * Each way prints a line: NAME, THREADS, COMPONENTS, MILLISECONDS (median of RUNS, 9 if
 * not given), the least time.  All must find the same number of components. */
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 101, MAX_THREADS = 16 };

/* Makes one run; returns its seconds, and in *count the number of components. */
typedef double run_fn(const ms_graph *graph, void *with, int threads, uint32_t *count);

static int measure(const char *name, run_fn *run, const ms_graph *graph, void *with, int threads,
                   int runs, uint32_t *expected)
{
  double took[MAX_RUNS];
  uint32_t count = 0;
  for (int i = 0; i < runs; i++)
    took[i] = 1e3 * run(graph, with, threads, &count);
  bench_sort(took, (size_t)runs);
  printf("%s\t%d\t%u\t%.3f\t%.3f\n", name, threads, count, took[runs / 2], took[0]);
  if (*expected == UINT32_MAX)
    *expected = count;
  if (took[0] >= 0 && count == *expected)
    return 0;
  fprintf(stderr, "typed_components: %s: %u components, not %u\n", name, count, *expected);
  return 1;
}

typedef struct own {
  ms_components_algorithm algorithm;
  uint32_t *component;
} own;

static double run_own(const ms_graph *graph, void *with, int threads, uint32_t *count)
{
  const own *o = with;
  double begin = ms_seconds();
  ms_status status = ms_graph_components(graph, o->algorithm, threads, o->component, count, NULL);
  return status == MS_OK ? ms_seconds() - begin : -1;
}

/* ---- igraph: the Makefile says whether it is there --------------------------- */

#ifdef BENCH_IGRAPH
#include <igraph/igraph.h>

static double run_igraph(const ms_graph *graph, void *with, int threads, uint32_t *count)
{
  igraph_vector_int_t membership, sizes;
  igraph_integer_t found;
  (void)graph, (void)threads;
  igraph_vector_int_init(&membership, 0);
  igraph_vector_int_init(&sizes, 0);
  double begin = ms_seconds();
  igraph_connected_components(with, &membership, &sizes, &found, IGRAPH_WEAK);
  double took = ms_seconds() - begin;
  *count = (uint32_t)found;
  igraph_vector_int_destroy(&membership);
  igraph_vector_int_destroy(&sizes);
  return took;
}

static int measure_igraph(const ms_graph *graph, int runs, uint32_t *expected)
{
  igraph_t other;
  igraph_vector_int_t ends;
  igraph_integer_t at = 0;
  igraph_vector_int_init(&ends, (igraph_integer_t)(2 * ms_graph_edge_count(graph)));
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      if (v < row[i]) {
        VECTOR(ends)[at++] = v;
        VECTOR(ends)[at++] = row[i];
      }
  }
  igraph_create(&other, &ends, ms_graph_vertex_count(graph), IGRAPH_UNDIRECTED);
  int code = measure("igraph " IGRAPH_VERSION, run_igraph, graph, &other, 1, runs, expected);
  igraph_destroy(&other);
  igraph_vector_int_destroy(&ends);
  return code;
}
#else
static int measure_igraph(const ms_graph *graph, int runs, uint32_t *expected)
{
  (void)graph, (void)runs, (void)expected;
  printf("# igraph was not there when this was built: install libigraph-dev and build it again\n");
  return 0;
}
#endif

/* ---- all of them --------------------------------------------------------------- */

static int measure_all(const ms_graph *graph, const uint32_t *threads, uint32_t n_threads, int runs)
{
  static const char *const names[] = {"afforest", "kahan", "bully"};
  uint32_t expected = UINT32_MAX;
  int code = 0;
  own o = {.component = malloc((size_t)ms_graph_vertex_count(graph) * sizeof *o.component)};
  if (!o.component)
    return 1;
  const void *const array[] = {graph->offset, graph->neighbor};
  const size_t bytes[] = {graph->n * sizeof *graph->offset, graph->arcs * sizeof *graph->neighbor};
  for (uint32_t t = 0; t < n_threads; t++)
    printf("# reading %.1f MB of rows once by %d threads: %.2f ms\n",
           (double)(bytes[0] + bytes[1]) / 1e6, (int)threads[t],
           bench_read_once(array, bytes, 2, (int)threads[t], 25));
  printf("algorithm\tthreads\tcomponents\tmedian_ms\tleast_ms\n");
  for (uint32_t t = 0; t < n_threads; t++)
    for (int a = 0; a < 3; a++) {
      o.algorithm = (ms_components_algorithm)a;
      code |= measure(names[a], run_own, graph, &o, (int)threads[t], runs, &expected);
    }
  free(o.component);
  return code | measure_igraph(graph, runs, &expected);
}

int main(int argc, char **argv)
{
  uint32_t threads[MAX_THREADS] = {1, 2}, n_threads = 2;
  bool fine = true;
  int runs = 9;
  ms_graph *graph = NULL;
  ms_error err;
  for (int option; (option = getopt(argc, argv, "r:t:")) != -1;) {
    if (option == 'r')
      runs = atoi(optarg);
    else if (option == 't')
      fine = bench_list(optarg, 1, 1024, threads, MAX_THREADS, &n_threads);
    else
      return 2;
  }
  if (!fine || argc - optind != 1 || runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: typed_components [-r RUNS] [-t THREADS,..] GRAPH\n");
    return 2;
  }
  if (ms_graph_read(argv[optind], NULL, &graph, &err) != MS_OK)
    return bench_fail("typed_components", &err);
  printf("# graph: %s vertices=%u edges=%llu\n", argv[optind], ms_graph_vertex_count(graph),
         (unsigned long long)ms_graph_edge_count(graph));
  int code = measure_all(graph, threads, n_threads, runs);
  ms_graph_free(graph);
  return code;
}
