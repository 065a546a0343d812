#include "tests/support/search/count_trial.h"

#include "tests/support/random.h"

#include <check.h>
#include <stdlib.h>

ms_graph *count_trial_graph(uint64_t *state, uint32_t most_vertices, uint32_t most_edges)
{
  uint32_t(*edge)[2] = malloc(most_edges * sizeof *edge);
  ms_graph *graph;
  uint32_t n = 6 + random_below(state, most_vertices - 6), m = 0;
  uint32_t wanted = n + random_below(state, most_edges - n), hubs = random_below(state, 4);
  ck_assert(edge != NULL);
  while (m < wanted) {
    uint32_t u = random_below(state, hubs > 0 && m % 2 ? hubs : n), v = random_below(state, n);
    if (u == v)
      continue;
    edge[m][0] = u;
    edge[m++][1] = v;
  }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

void count_trial_make(count_trial *t, ms_graph *graph, ms_pattern *pattern,
                      const ms_pattern_engine *engine, int threads)
{
  *t = (count_trial){.graph = graph, .pattern = pattern};
  ms_shape_of(pattern, false, &t->shape);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &t->index, NULL), MS_OK);
  ck_assert_int_eq(ms_domains_on(NULL, t->index, pattern, &t->shape, NULL, 1, &t->domains, NULL),
                   MS_OK);
  t->query = (ms_count_query){
      .index = t->index, .domains = &t->domains, .engine = engine, .threads = threads};
}

void count_trial_free(count_trial *t)
{
  ms_domains_free(&t->domains);
  ms_pattern_index_free(t->index);
  ms_pattern_free(t->pattern);
  ms_graph_free(t->graph);
}

bool count_trial_adjacent(const ms_pattern_index *index, uint32_t u, uint32_t v)
{
  uint32_t length;
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], u, &length);
  for (uint32_t i = 0; i < length; i++)
    if (row[i] == v)
      return true;
  return false;
}
