/* Rows of two names (graph/io/pair_rows.h): the same bytes by one thread, by several threads, and
 * where there is no memory for blocks, as rows that are made one by one. */
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "graph/io/pair_rows.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 40000, EDGES = 500000, ALONE = 500, NAME = 300 };

static ms_error err;

/* A hub that is joined to all others but ALONE at the end, which have no edges, and random edges
 * between the others; some names are long. */
static ms_graph *graph_with_hub(void)
{
  static uint32_t edge[EDGES][2];
  ms_graph *graph;
  char **names = malloc(VERTICES * sizeof *names);
  uint64_t state = 7;
  for (uint32_t v = 0; v < VERTICES; v++) {
    size_t length = v % 1000 == 3 ? NAME - 1 : 8;
    names[v] = calloc(NAME, 1);
    snprintf(names[v], NAME, "v%0*u", (int)length - 1, v);
  }
  for (uint32_t i = 0; i < EDGES; i++) {
    edge[i][0] = i < VERTICES ? 17 : random_below(&state, VERTICES - ALONE);
    edge[i][1] = i < VERTICES ? i % (VERTICES - ALONE) : random_below(&state, VERTICES - ALONE);
  }
  ck_assert_int_eq(ms_graph_from_edges(VERTICES, EDGES, (const uint32_t(*)[2])edge,
                                       (const char *const *)names, &graph, &err),
                   MS_OK);
  for (uint32_t v = 0; v < VERTICES; v++)
    free(names[v]);
  free(names);
  return graph;
}

/* Returns the rows as one text of *bytes. */
static char *rows_one_by_one(const ms_graph *graph, size_t *bytes)
{
  char *text;
  FILE *to = open_memstream(&text, bytes);
  for (uint32_t v = 0; v < graph->n; v++) {
    if (graph->offset[v] == graph->offset[v + 1])
      fprintf(to, "%s\t%s\n", ms_graph_name(graph, v), ms_graph_name(graph, v));
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        fprintf(to, "%s\t%s\n", ms_graph_name(graph, v), ms_graph_name(graph, graph->neighbor[a]));
  }
  fclose(to);
  return text;
}

typedef struct comparison {
  const ms_graph *graph;
  char *expected;
  size_t bytes;
} comparison;

/* Writes the rows and compares them. */
static ms_status write_rows(void *user, ms_error *failure)
{
  const comparison *c = user;
  ms_outfile *out;
  ms_status status = ms_outfile_open(files_path("rows"), &out, failure);
  if (status != MS_OK)
    return status;
  ms_write_pair_rows(c->graph, out);
  status = ms_outfile_commit(out, failure);
  if (status != MS_OK)
    return status;
  char *text = malloc(c->bytes + 1);
  FILE *from = fopen(files_path("rows"), "rb");
  ck_assert_ptr_nonnull(from);
  ck_assert_uint_eq(fread(text, 1, c->bytes + 1, from), c->bytes);
  fclose(from);
  ck_assert(memcmp(text, c->expected, c->bytes) == 0);
  free(text);
  return MS_OK;
}

static comparison comparison_of(ms_graph *graph)
{
  comparison c = {.graph = graph};
  c.expected = rows_one_by_one(graph, &c.bytes);
  return c;
}

START_TEST(bytes_are_those_of_rows_one_by_one)
{
  ms_graph *graph = graph_with_hub();
  comparison c = comparison_of(graph);
  ck_assert_uint_gt(c.bytes, 8000000); /* several blocks of each thread */
  ms_hooks.work_for_threads = 0;
  ms_threads_set_default(3); /* also on a machine with fewer */
  ck_assert_int_eq(ms_threads(0), 3);
  ms_threads_set_default(0);
  ck_assert_int_eq(ms_threads(0), 3);
  ck_assert_int_eq(ms_threads(2), 2);
  ck_assert_int_eq(write_rows(&c, &err), MS_OK);
  ms_hooks.work_for_threads = UINT64_MAX;
  ck_assert_int_eq(write_rows(&c, &err), MS_OK);
  ms_hooks = ms_hooks_default;
  free(c.expected);
  ms_graph_free(graph);
}
END_TEST

START_TEST(rows_do_without_blocks)
{
  ms_graph *graph = graph_with_hub();
  comparison c = comparison_of(graph);
  ms_hooks.work_for_threads = UINT64_MAX;
  ck_assert_int_gt(failing_runs_survived(write_rows, &c), 5);
  ms_hooks = ms_hooks_default;
  free(c.expected);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("rows of two names", TEST(bytes_are_those_of_rows_one_by_one),
          TEST(rows_do_without_blocks))
