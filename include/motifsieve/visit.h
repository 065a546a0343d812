/* Traversal of a graph with a visitor.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_VISIT_H
#define MOTIFSIEVE_VISIT_H

#include "motifsieve/graph.h"

/* ---- traversal ------------------------------------------------------- */

/* When an arc v -> w takes w, that is, has it visited.
 *
 * AND visits a vertex once at most: of all arcs that might take it, one does.  OR and REPLACE take
 * a vertex as often as the test is true, and then visit it again; the test must end this.  A vertex
 * that is taken while it waits is not queued a second time: its visit is still to come and sees
 * what the test that took it has written.  (A visit that has begun may see it or not, and so
 * another one follows.) */
typedef enum ms_visit_rule {
  MS_VISIT_AND,    /* unvisited, and visit_test; called for unvisited ones only */
  MS_VISIT_OR,     /* unvisited, or visit_test; called for visited ones only */
  MS_VISIT_REPLACE /* visit_test alone */
} ms_visit_rule;

/* What is called, from several threads at once: data that several calls write must be atomic.  In
 * each visit of v every arc of its row gets tree_edge or other_edge, one of them, once.  `arc` is
 * the number of the arc: its place in the row of v, plus the degrees of all vertices below v.
 * NULL: does nothing; NULL as visit_test: is true. */
typedef struct ms_visitor {
  ms_visit_rule rule;
  /* v has been queued, once for each visit; after its tree_edge */
  void (*discover)(void *state, uint32_t v);
  bool (*visit_test)(void *state, uint32_t v, uint32_t w, uint64_t arc);
  /* the arc took w */
  void (*tree_edge)(void *state, uint32_t v, uint32_t w, uint64_t arc);
  /* it did not */
  void (*other_edge)(void *state, uint32_t v, uint32_t w, uint64_t arc);
} ms_visitor;

/* Visits starts[count] and all that their arcs take, in rounds: with MS_VISIT_AND and no test this
 * is breadth-first search.  Arcs of a directed graph are followed in both directions.  `threads`:
 * as in ms_screen_options.  The call returns once no vertex waits.  MS_ERR_USAGE: a start is out of
 * range. */
MS_API ms_status ms_graph_visit(const ms_graph *graph, uint64_t count, const uint32_t *starts,
                                const ms_visitor *visitor, void *state, int threads, ms_error *err);

#endif
