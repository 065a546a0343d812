/* Parallel edges are paired off by augmenting paths, which begin at the edges
 * of the pattern: these are few. */
#include "verify/typed_fit.h"

#include <string.h>

#define NO_ARC UINT64_MAX

/* ---- pairs ------------------------------------------------------------------- */

static ms_typed_pair *find_pair(ms_typed_pairs *pairs, uint32_t first, uint32_t second)
{
  for (uint32_t p = 0; p < pairs->count; p++) {
    if (pairs->pair[p].first == first && pairs->pair[p].second == second) {
      return &pairs->pair[p];
    }
  }
  return NULL;
}

static void list_edges(const ms_typed_query *query, ms_typed_pairs *pairs, ms_typed_pair *pair)
{
  for (uint32_t e = 0; e < query->edges; e++) {
    const ms_typed_query_edge *edge = &query->edge[e];
    bool on = edge->from == pair->first && edge->to == pair->second;
    bool back = edge->from == pair->second && edge->to == pair->first;
    if (on || back) {
      pairs->seen[0][pair->end] = on ? edge->on : edge->back;
      pairs->seen[1][pair->end++] = on ? edge->back : edge->on;
    }
  }
}

void ms_typed_list_pairs(const ms_typed_query *query, ms_typed_pairs *pairs)
{
  uint32_t listed = 0;
  pairs->count = 0;
  for (uint32_t e = 0; e < query->edges; e++) {
    uint32_t from = query->edge[e].from, to = query->edge[e].to;
    uint32_t first = from < to ? from : to, second = from < to ? to : from;
    if (!find_pair(pairs, first, second)) {
      ms_typed_pair *pair = &pairs->pair[pairs->count++];
      *pair = (ms_typed_pair){first, second, listed, listed};
      list_edges(query, pairs, pair);
      listed = pair->end;
    }
  }
}

/* ---- two vertices of the graph ------------------------------------------------- */

typedef struct pairing {
  uint32_t edges;
  const uint64_t *const *accepted; /* [edges] */
  uint64_t arcs;
  const ms_type *type;                 /* [arcs] */
  uint64_t arc_of[MS_MAX_TYPED_EDGES]; /* [edges] or NO_ARC */
  bool visited[MS_MAX_TYPED_EDGES];    /* [edges] by this augmenting path */
} pairing;

/* The edge that has the arc, or `edges`. */
static uint32_t owner(const pairing *p, uint64_t arc)
{
  uint32_t e = 0;
  while (e < p->edges && p->arc_of[e] != arc) {
    e++;
  }
  return e;
}

/* Give edge e an arc, maybe one whose owner takes another.  Recursion is at most
 * as deep as there are edges. */
static bool give_arc(pairing *p, uint32_t e)
{
  p->visited[e] = true;
  for (uint64_t arc = 0; arc < p->arcs; arc++) {
    if (!ms_type_in(p->accepted[e], p->type[arc])) {
      continue;
    }
    uint32_t other = owner(p, arc);
    if (other == p->edges || (!p->visited[other] && give_arc(p, other))) {
      p->arc_of[e] = arc;
      return true;
    }
  }
  return false;
}

static bool pair_off(pairing *p)
{
  if (p->arcs < p->edges) {
    return false;
  }
  for (uint32_t e = 0; e < p->edges; e++) {
    p->arc_of[e] = NO_ARC;
  }
  for (uint32_t e = 0; e < p->edges; e++) {
    memset(p->visited, 0, p->edges * sizeof *p->visited);
    if (!give_arc(p, e)) {
      return false;
    }
  }
  return true;
}

/* The first arc of row v to w or to a vertex behind w. */
static uint64_t find_arc(const ms_typed_rows *rows, uint32_t v, uint64_t w)
{
  uint64_t at = rows->offset[v], left = rows->offset[v + 1] - at;
  while (left > 0) {
    uint64_t half = left / 2;
    if (rows->neighbor[at + half] < w) {
      at += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return at;
}

bool ms_typed_pair_served(const ms_typed_rows *rows, const ms_typed_pairs *pairs, uint32_t number,
                          uint32_t v, uint32_t w)
{
  const ms_typed_pair *pair = &pairs->pair[number];
  uint64_t first = find_arc(rows, v, w), behind = find_arc(rows, v, (uint64_t)w + 1);
  pairing p;
  p.edges = pair->end - pair->begin;
  p.accepted = pairs->seen[0] + pair->begin;
  p.arcs = behind - first;
  p.type = rows->type + first;
  return pair_off(&p);
}
