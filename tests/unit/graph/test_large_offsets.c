/* Graphs with places of neighbours beyond 32 bits.  The rows of a random graph are put behind 2^32
 * or more neighbours that nobody has, in memory of which only the used pages exist; whoever keeps a
 * place in 32 bits reads zeros there, and gets another result. */
#include "graph/graph.h"
#include "graph/io/text.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static ms_error err;

enum { N = 1500, M = 20000 };

static ms_graph *random_graph(void)
{
  static uint32_t edge[M][2];
  uint64_t state = 9;
  ms_graph *graph;
  for (int e = 0; e < M; e++)
    for (int i = 0; i < 2; i++)
      edge[e][i] = random_below(&state, 1 + random_below(&state, N));
  ck_ok(ms_graph_from_edges(N, M, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  return graph;
}

/* Makes *large the same graph, whose rows begin at `shift`; false: there is no such address space.
 */
static bool move_rows(const ms_graph *graph, uint64_t shift, ms_graph *large, size_t *bytes)
{
  *bytes = (shift + graph->arcs) * sizeof *graph->neighbor;
  void *rows = mmap(NULL, *bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (rows == MAP_FAILED) {
    printf("SKIPPED: there are no %zu bytes of address space\n", *bytes);
    return false;
  }
  *large = *graph;
  large->neighbor = rows;
  memcpy(large->neighbor + shift, graph->neighbor, graph->arcs * sizeof *graph->neighbor);
  large->offset = calloc(graph->n + 1, sizeof *large->offset);
  for (uint32_t v = 0; v <= graph->n; v++)
    large->offset[v] = graph->offset[v] + shift;
  return true;
}

static uint64_t count(const ms_graph *graph, const char *name)
{
  ms_pattern_index *index;
  ms_pattern *pattern;
  ms_pattern_result *result = NULL;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.screen.run.engine = "cpu";
  options.count_only = true;
  ck_ok(ms_pattern_index_new(graph, NULL, 0, &index, &err));
  ck_ok(ms_pattern_named(name, &pattern, &err));
  ck_ok(ms_pattern_list(index, pattern, &options, &result, &err));
  uint64_t matches = result->matches;
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  return matches;
}

static void compare_rows(const ms_graph *a, const ms_graph *b)
{
  for (uint32_t v = 0; v < N; v++) {
    uint32_t degree[2];
    const uint32_t *row = ms_graph_neighbors(a, v, &degree[0]);
    const uint32_t *other = ms_graph_neighbors(b, v, &degree[1]);
    ck_assert_uint_eq(degree[0], degree[1]);
    ck_assert(degree[0] == 0 || memcmp(row, other, degree[0] * sizeof *row) == 0);
    for (uint32_t i = 0; i < degree[0]; i += 7)
      ck_assert_uint_eq(ms_graph_find_arc(b, v, row[i]), b->offset[v] + i);
  }
}

static void compare_files(const ms_graph *a, const ms_graph *b, ms_graph_format format)
{
  ms_graph *read[2];
  for (int i = 0; i < 2; i++) {
    const char *path = files_path("g");
    ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
    options.format = format;
    ck_ok(ms_graph_write(i ? b : a, NULL, format, path, &err));
    ck_ok(ms_graph_read(path, &options, &read[i], &err));
  }
  ck_assert_uint_eq(read[0]->info.crc32c, read[1]->info.crc32c);
  for (int i = 0; i < 2; i++)
    ms_graph_free(read[i]);
}

/* Rows, searches in them, components by three algorithms, text files, and counts of patterns. */
START_TEST(rows_far_behind)
{
  static const uint64_t shifts[] = {(UINT64_C(1) << 32) - 17, UINT64_C(3) << 32};
  static const ms_graph_format formats[] = {MS_FORMAT_EDGE_LIST, MS_FORMAT_METIS, MS_FORMAT_LAD,
                                            MS_FORMAT_SIF};
  static const char *const patterns[] = {"triangle", "clique:4", "cycle:4"};
  ms_graph *graph = random_graph(), large;
  uint32_t component[2][N], components[2];
  size_t bytes;
  if (!move_rows(graph, shifts[_i], &large, &bytes)) {
    ms_graph_free(graph);
    return;
  }
  compare_rows(graph, &large);
  for (ms_components_algorithm a = MS_COMPONENTS_AFFOREST; a <= MS_COMPONENTS_BULLY; a++) {
    ck_ok(ms_graph_components(graph, a, 2, component[0], &components[0], &err));
    ck_ok(ms_graph_components(&large, a, 2, component[1], &components[1], &err));
    ck_assert_uint_eq(components[0], components[1]);
    ck_assert_mem_eq(component[0], component[1], sizeof component[0]);
  }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    compare_files(graph, &large, formats[i]);
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    ck_assert_uint_eq(count(graph, patterns[i]), count(&large, patterns[i]));
  munmap(large.neighbor, bytes);
  free(large.offset);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("graphs of more than 2^32 arcs", TEST_TIMES(rows_far_behind, 2))
