/* ms_graph_visit: a traversal whose visitor is known only when it runs. */
#include "graph/walk/traverse.h"

#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/graph.h"

typedef struct visit {
  const ms_visitor *visitor;
  void *state;
} visit;

static void visit_part(ms_traversal *t, void *user, int thread, int threads)
{
  const visit *v = user;
  ms_traverse_round(t, v->visitor, v->state, thread, threads);
}

ms_status ms_graph_visit(const ms_graph *graph, uint64_t count, const uint32_t *starts,
                         const ms_visitor *visitor, void *state, int threads, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(visitor, err);
  MS_REQUIRE_ARRAY(starts, count, err);
  MS_TRY(ms_check_threads(threads, err));
  if ((unsigned)visitor->rule > MS_VISIT_REPLACE)
    return ms_fail(err, MS_ERR_USAGE, "unknown rule %d of a visitor; use one of ms_visit_rule",
                   (int)visitor->rule);
  for (uint64_t i = 0; i < count; i++)
    if (starts[i] >= graph->n)
      return ms_fail(err, MS_ERR_USAGE,
                     "a traversal cannot start at vertex %u: the graph has %u vertices, numbered "
                     "from 0",
                     starts[i], graph->n);
  ms_traversal t;
  visit v = {visitor, state};
  ms_status status =
      ms_traversal_open(graph->n, graph->offset, graph->neighbor, ms_threads(threads), &t, err);
  if (status == MS_OK) {
    ms_visits visits;
    ms_visits_begin(&visits, &t);
    for (uint64_t i = 0; i < count; i++)
      ms_traverse_start(&visits, visitor, state, starts[i]);
    ms_visits_end(&visits);
    status = ms_traverse(&t, visitor->rule, visit_part, &v, err);
  }
  ms_traversal_close(&t);
  return status;
}
