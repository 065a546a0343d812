/* Assigns arcs to pattern edges with Kuhn's augmenting paths. */
#include "match/typed/walk.h"

#include <string.h>

void ms_pair_edges_of(const ms_typed_query *query, uint32_t i, uint32_t j, const uint64_t **room,
                      ms_pair_edges *between)
{
  *between = (ms_pair_edges){.accepted = room};
  for (uint32_t e = 0; e < query->edges; e++) {
    const ms_typed_query_edge *edge = &query->edge[e];
    if (edge->from == i && edge->to == j)
      between->accepted[between->count++] = edge->on;
    else if (edge->from == j && edge->to == i)
      between->accepted[between->count++] = edge->back;
  }
}

typedef struct pairing {
  const ms_pair_edges *between;
  const ms_type *type; /* [count] */
  uint64_t count;
  /* [edges] the arc assigned to each edge; UINT64_MAX: none */
  uint64_t held[MS_MAX_TYPED_EDGES];
  /* edges that this search has already tried to move to another arc */
  bool tried[MS_MAX_TYPED_EDGES];
} pairing;

static bool find_arc(pairing *p, uint32_t e)
{
  uint32_t edges = p->between->count;
  for (uint64_t a = 0; a < p->count; a++) {
    uint32_t holder = 0;
    if (!ms_type_in(p->between->accepted[e], p->type[a]))
      continue;
    while (holder < edges && p->held[holder] != a)
      holder++;
    if (holder < edges) {
      if (p->tried[holder])
        continue;
      p->tried[holder] = true;
      if (!find_arc(p, holder))
        continue;
    }
    p->held[e] = a;
    return true;
  }
  return false;
}

static bool has_accepted_type(const ms_type *type, uint64_t count, const uint64_t *accepted)
{
  for (uint64_t a = 0; a < count; a++)
    if (ms_type_in(accepted, type[a]))
      return true;
  return false;
}

uint32_t ms_pair_edges_assignable(const ms_pair_edges *between, const ms_type *type, uint64_t count)
{
  pairing p;
  uint32_t most = 0;
  if (between->count == 1)
    return has_accepted_type(type, count, between->accepted[0]);
  p.between = between;
  p.type = type;
  p.count = count;
  for (uint32_t e = 0; e < between->count; e++)
    p.held[e] = UINT64_MAX;
  for (uint32_t e = 0; e < between->count && most < count; e++) {
    memset(p.tried, 0, between->count * sizeof *p.tried);
    p.tried[e] = true;
    most += find_arc(&p, e);
  }
  return most;
}

bool ms_pair_edges_fit(const ms_pair_edges *between, const ms_type *type, uint64_t count)
{
  return count >= between->count &&
         ms_pair_edges_assignable(between, type, count) == between->count;
}
