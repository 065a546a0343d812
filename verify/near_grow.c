#include "verify/near_grow.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"

#include <string.h>

typedef struct growing {
  const ms_near_search *search;
  const ms_graph *graph;
  uint32_t most; /* greatest number of vertices */
  uint32_t set[MS_MAX_K], size;
  uint8_t *near;   /* [n] 1: the vertex is in the set, next to it, or was next to a smaller set */
  uint32_t *place; /* [room] candidates of all levels */
  size_t room;
  uint64_t steps;
  bool ended;       /* `found` returned false */
  ms_status status; /* MS_OK, or why the search ended */
  ms_error *err;
} growing;

/* Can the set grow to a match?  The limit of empty slots does not matter here. */
static bool may_grow(const growing *g)
{
  ms_edit_limits any = g->search->limits;
  ms_edits edits;
  any.max_missing = MS_MAX_K;
  return ms_verify_edits(g->search->query, &any, g->set, g->size, &edits);
}

/* Reports the set if it is a match. */
static void look_at(growing *g)
{
  const ms_near_search *s = g->search;
  ms_edits edits;
  if (ms_verify_required(s->query, g->set, g->size) &&
      ms_verify_edits(s->query, &s->limits, g->set, g->size, &edits))
    g->ended = !s->found(s->user, g->set, g->size, &edits);
}

/* Makes room for this many more candidates behind `end`. */
static bool make_room(growing *g, size_t end, size_t more)
{
  bool grown = MS_GROW(g->place, g->room, end, more);
  if (!grown)
    g->status = ms_fail_memory(g->err, "the recount");
  return grown;
}

/* Appends the neighbours of v above the root that were not near before; *end moves behind them. */
static bool add_neighbors(growing *g, uint32_t v, size_t *end)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(g->graph, v, &degree);
  if (!make_room(g, *end, degree))
    return false;
  for (uint32_t i = 0; i < degree; i++)
    if (row[i] > g->set[0] && !g->near[row[i]]) {
      g->near[row[i]] = 1;
      g->place[(*end)++] = row[i];
    }
  return true;
}

/* Looks at the set and at all that grow from it by the candidates place[begin..end).  The recursion
 * is at most MS_MAX_K deep. */
static void grow(growing *g, size_t begin, size_t end)
{
  if (++g->steps % MS_POLL_STEPS == 0)
    g->status = ms_stop_check(g->search->run.stop);
  if (g->status != MS_OK || !may_grow(g))
    return;
  look_at(g);
  for (size_t i = begin; i < end && g->size < g->most && !g->ended && g->status == MS_OK; i++) {
    uint32_t v = g->place[i];
    size_t rest = end - i - 1, fresh = end + rest, last = fresh;
    if (!make_room(g, end, rest))
      return;
    memcpy(g->place + end, g->place + i + 1, rest * sizeof *g->place);
    if (!add_neighbors(g, v, &last))
      return;
    g->set[g->size++] = v;
    grow(g, end, last);
    g->size--;
    for (size_t j = fresh; j < last; j++)
      g->near[g->place[j]] = 0;
  }
}

static void grow_all(growing *g)
{
  const ms_near_search *s = g->search;
  uint32_t n = ms_graph_vertex_count(g->graph);
  for (uint32_t v = 0; v < n && !g->ended && g->status == MS_OK; v++) {
    size_t end = 0;
    ms_limits_report(&s->run, "vertices checked", v, n);
    g->set[0] = v;
    g->size = 1;
    if (!add_neighbors(g, v, &end))
      return;
    grow(g, 0, end);
    for (size_t j = 0; j < end; j++)
      g->near[g->place[j]] = 0;
  }
}

ms_status ms_near_grow(const ms_near_search *search, ms_error *err)
{
  growing g = {.search = search,
               .graph = search->query->graph,
               .most = ms_motif_size(search->query->motif) + search->limits.max_extra,
               .err = err};
  g.near = ms_calloc(ms_graph_vertex_count(g.graph), 1);
  if (!g.near)
    return ms_fail_memory(err, "the recount");
  grow_all(&g);
  ms_free(g.near);
  ms_free(g.place);
  return g.status;
}
