#include "tests/support/graphs/numbered_format.h"

#include "tests/support/files.h"
#include "tests/support/graphs/adjacency.h"
#include "tests/support/results/malform.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

void numbered_format_writes(const char *name, ms_graph_format format, const char *expected)
{
  static const uint32_t edges[][2] = {{2, 1}, {1, 0}, {0, 2}};
  ms_graph *graph;
  ms_error err;
  char bytes[200] = "";
  ck_assert_int_eq(ms_graph_from_edges(4, 3, edges, NULL, &graph, &err), MS_OK);
  const char *path = files_path(name);
  ck_assert_msg(ms_graph_write(graph, NULL, format, path, &err) == MS_OK, "%s", err.message);
  FILE *in = fopen(path, "rb");
  ck_assert_ptr_nonnull(in);
  ck_assert_uint_eq(fread(bytes, 1, sizeof bytes - 1, in), strlen(expected));
  fclose(in);
  ck_assert_str_eq(bytes, expected);
  ms_graph_free(graph);
}

void numbered_format_round_trips(const char *name, ms_graph_format format, int number,
                                 uint64_t seed)
{
  uint64_t state = (uint64_t)number + seed;
  adjacency a = {.n = 1};
  if (number > 0)
    adjacency_random(&a, &state);
  ms_graph *graph = adjacency_graph(&a);
  malform_round_trip(name, graph, NULL, format);
  ms_graph_free(graph);
}
