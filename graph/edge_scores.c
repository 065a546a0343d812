/* The scores of edges; see edge_scores.h.  All threads look each pair up in the rows of both of its
 * ends.  The greatest score is kept, so the result does not depend on the order of the pairs. */
#include "graph/edge_scores.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"

#include <math.h>
#include <string.h>

#define PIECE 4096u /* edges between two looks at the token */

typedef struct scoring {
  const ms_graph *graph;
  const uint32_t (*edges)[2];
  const float *score;
  uint32_t *bits; /* [arcs] of a float; an arc without a score has -infinity */
  bool no_edge, no_number;
} scoring;

static float float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  value += 0.0F; /* -0 becomes 0, so that equal scores have equal bits */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void raise_to(uint32_t *bits, float value)
{
  uint32_t before = __atomic_load_n(bits, __ATOMIC_RELAXED), after = bits_of(value);
  while (
      float_of(before) < value &&
      !__atomic_compare_exchange_n(bits, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void score_range(void *user, ms_range r)
{
  scoring *s = user;
  bool no_edge = false, no_number = false;
  for (uint64_t e = r.begin; e < r.end; e++) {
    uint32_t u = s->edges[e][0], v = s->edges[e][1];
    uint64_t there = ms_graph_find_arc(s->graph, u, v), back = ms_graph_find_arc(s->graph, v, u);
    no_number |= !isfinite(s->score[e]);
    no_edge |= u != v && there == s->graph->arcs;
    if (!isfinite(s->score[e]) || there == s->graph->arcs)
      continue;
    raise_to(s->bits + there, s->score[e]);
    raise_to(s->bits + back, s->score[e]);
  }
  if (no_edge)
    __atomic_store_n(&s->no_edge, true, __ATOMIC_RELAXED);
  if (no_number)
    __atomic_store_n(&s->no_number, true, __ATOMIC_RELAXED);
}

static ms_status check(const scoring *s, ms_error *err)
{
  if (s->no_number)
    return ms_fail(err, MS_ERR_USAGE, "a score is no finite number; correct it");
  if (s->no_edge)
    return ms_fail(err, MS_ERR_USAGE,
                   "a score is given for two vertices that are not joined; leave it out");
  for (uint64_t a = 0; a < s->graph->arcs; a++)
    if (!isfinite(float_of(s->bits[a])))
      return ms_fail(err, MS_ERR_USAGE, "an edge has no score; give each edge one");
  return MS_OK;
}

ms_status ms_graph_score_edges(ms_graph *graph, uint64_t m, const uint32_t (*edges)[2],
                               const float *score, int threads, ms_error *err)
{
  scoring s = {.graph = graph, .edges = edges, .score = score};
  s.bits = ms_alloc_lines(graph->arcs, sizeof *s.bits);
  if (!s.bits)
    return ms_fail_memory(err, "the scores of edges");
  uint32_t none = bits_of(-INFINITY);
  for (uint64_t a = 0; a < graph->arcs; a++)
    s.bits[a] = none;
  ms_watch watch;
  ms_watch_begin(&watch);
  threads = ms_threads_for(threads, 16 * m); /* 16: steps of a search */
  ms_watch_loop(&watch, threads, m, PIECE, score_range, &s);
  ms_status status = ms_watch_report(&watch, "scores are set", err);
  if (status == MS_OK)
    status = check(&s, err);
  if (status != MS_OK) {
    ms_free(s.bits);
    return status;
  }
  if (graph->owns_scores)
    ms_free(graph->score);
  graph->score = (float *)s.bits;
  graph->owns_scores = true;
  graph->info.scored = true;
  return MS_OK;
}

ms_status ms_graph_set_scores(ms_graph *graph, uint64_t m, const uint32_t (*edges)[2],
                              const float *score, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(edges, m, err);
  MS_REQUIRE_ARRAY(score, m, err);
  for (uint64_t e = 0; e < m; e++)
    if (edges[e][0] >= graph->n || edges[e][1] >= graph->n)
      return ms_fail(err, MS_ERR_USAGE,
                     "pair %llu joins vertices %u and %u, but the graph has %u vertices; use ids "
                     "below that number",
                     (unsigned long long)e, edges[e][0], edges[e][1], graph->n);
  return ms_graph_score_edges(graph, m, edges, score, 0, err);
}

bool ms_graph_scored(const ms_graph *graph)
{
  return graph && graph->info.scored;
}

const float *ms_graph_scores(const ms_graph *graph, uint32_t v)
{
  if (!graph || v >= graph->n || !graph->score)
    return NULL;
  return graph->score + graph->offset[v];
}
