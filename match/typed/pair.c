/* Assigns arcs to pattern edges with augmenting paths. */
#include "match/typed/walk.h"

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

#define FEW_EDGES 16u
#define NO_EDGE UINT16_MAX

/* The arrays have room for all edges. */
typedef struct pairing {
  const ms_pair_edges *between;
  const ms_type *type; /* [count] */
  uint64_t count;
  uint64_t *held; /* the arc assigned to each edge; UINT64_MAX: none */
  /* the edge for which an edge is to give up its arc; NO_EDGE: this search has not reached it */
  uint16_t *taker;
  uint16_t *queue; /* edges that the search has reached */
} pairing;

/* Returns the edge that holds the arc, or the number of edges. */
static uint32_t find_holder(const pairing *p, uint64_t arc)
{
  uint32_t e = 0;
  while (e < p->between->count && p->held[e] != arc)
    e++;
  return e;
}

/* Gives the arc to an edge, that edge's arc to its taker, and so on to `last`. */
static void move_arcs(pairing *p, uint32_t e, uint32_t last, uint64_t arc)
{
  for (;;) {
    uint64_t given = p->held[e];
    p->held[e] = arc;
    if (e == last)
      return;
    arc = given;
    e = p->taker[e];
  }
}

/* Finds an arc for `edge`; other edges may have to move to other arcs.  Breadth first, because as
 * many edges as a pattern has may have to, which are too many for a recursion. */
static bool find_arc(pairing *p, uint32_t edge)
{
  uint32_t edges = p->between->count, reached = 0;
  for (uint32_t e = 0; e < edges; e++)
    p->taker[e] = NO_EDGE;
  p->taker[edge] = (uint16_t)edge;
  p->queue[reached++] = (uint16_t)edge;
  for (uint32_t i = 0; i < reached; i++) {
    uint32_t e = p->queue[i];
    for (uint64_t a = 0; a < p->count; a++) {
      if (!ms_type_in(p->between->accepted[e], p->type[a]))
        continue;
      uint32_t holder = find_holder(p, a);
      if (holder == edges) {
        move_arcs(p, e, edge, a);
        return true;
      }
      if (p->taker[holder] != NO_EDGE)
        continue;
      p->taker[holder] = (uint16_t)e;
      p->queue[reached++] = (uint16_t)holder;
    }
  }
  return false;
}

static uint32_t assign(pairing *p)
{
  uint32_t most = 0;
  for (uint32_t e = 0; e < p->between->count; e++)
    p->held[e] = UINT64_MAX;
  for (uint32_t e = 0; e < p->between->count && most < p->count; e++)
    most += find_arc(p, e);
  return most;
}

/* Not inlined, since nearly all pairs have few edges and do not need this frame. */
__attribute__((noinline)) static uint32_t assign_many(pairing *p)
{
  uint64_t held[MS_MAX_TYPED_EDGES];
  uint16_t taker[MS_MAX_TYPED_EDGES], queue[MS_MAX_TYPED_EDGES];
  p->held = held;
  p->taker = taker;
  p->queue = queue;
  return assign(p);
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
  uint64_t held[FEW_EDGES];
  uint16_t taker[FEW_EDGES], queue[FEW_EDGES];
  pairing p = {between, type, count, held, taker, queue};
  if (between->count == 1)
    return has_accepted_type(type, count, between->accepted[0]);
  return between->count <= FEW_EDGES ? assign(&p) : assign_many(&p);
}

bool ms_pair_edges_fit(const ms_pair_edges *between, const ms_type *type, uint64_t count)
{
  return count >= between->count &&
         ms_pair_edges_assignable(between, type, count) == between->count;
}
