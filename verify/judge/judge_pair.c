/* Looks up the edges of a pair of vertices in the graph. */
#include "verify/judge/judge.h"

#include <string.h>

/* Returns the last of the row's `left` neighbours that is w; NULL: there is none.  O(log left). */
static const uint32_t *find_last(const uint32_t *row, uint64_t left, uint32_t w)
{
  if (left == 0)
    return NULL;
  while (left > 1) {
    uint64_t half = left / 2;
    row = row[half] <= w ? row + half : row; /* no branch, since w's place is random */
    left -= half;
  }
  return *row == w ? row : NULL;
}

#define NO_EDGE UINT16_MAX

/* Assigns arcs of the graph to the parallel edges of a pair, by augmenting paths. */
typedef struct pairing {
  uint32_t edges;
  const uint64_t *const *accepted; /* [edges] */
  uint64_t arcs;
  const ms_type *type;                 /* [arcs] */
  uint64_t arc_of[MS_MAX_TYPED_EDGES]; /* [given] distinct */
  /* [given] the edge that wants this edge's arc; NO_EDGE: no path has visited it */
  uint16_t wanted_by[MS_MAX_TYPED_EDGES];
  uint16_t visited[MS_MAX_TYPED_EDGES]; /* edges, in the order of their visits */
  uint32_t given;                       /* the edges before this one have an arc */
} pairing;

/* Returns the edge that has the arc, or `given` if none has it. */
static uint32_t find_owner(const pairing *p, uint64_t arc)
{
  uint32_t e = 0;
  while (e < p->given && p->arc_of[e] != arc)
    e++;
  return e;
}

/* Assigns an arc to edge `given`; owners of arcs may have to move to others.  The paths grow in
 * breadth: a recursion would be as deep as there are edges. */
static bool assign_arc(pairing *p)
{
  uint32_t visits = 1;
  memset(p->wanted_by, 0xff, p->given * sizeof *p->wanted_by);
  p->visited[0] = (uint16_t)p->given;
  for (uint32_t i = 0; i < visits; i++) {
    uint32_t e = p->visited[i];
    for (uint64_t arc = 0; arc < p->arcs; arc++) {
      if (!ms_type_in(p->accepted[e], p->type[arc]))
        continue;
      uint32_t owner = find_owner(p, arc);
      if (owner < p->given) {
        if (p->wanted_by[owner] == NO_EDGE) {
          p->wanted_by[owner] = (uint16_t)e;
          p->visited[visits++] = (uint16_t)owner;
        }
        continue;
      }
      while (e != p->given) {
        uint64_t left = p->arc_of[e];
        p->arc_of[e] = arc;
        arc = left;
        e = p->wanted_by[e];
      }
      p->arc_of[e] = arc;
      return true;
    }
  }
  return false;
}

/* True if each edge of the pair can have a different arc.  Not inlined, so that plain patterns do
 * not pay for its large frame. */
__attribute__((noinline)) static bool can_assign_arcs(const ms_judge *judge,
                                                      const ms_judge_pair *pair,
                                                      const uint32_t *row, const uint32_t *last)
{
  pairing p;
  const uint32_t *first = last;
  while (first > row && first[-1] == *last)
    first--;
  p.edges = pair->edges;
  p.accepted = judge->accepted[0] + pair->begin;
  p.arcs = (uint64_t)(last + 1 - first);
  p.type = judge->type + (first - judge->neighbor);
  if (p.arcs < p.edges)
    return false;
  for (p.given = 0; p.given < p.edges; p.given++)
    if (!assign_arc(&p))
      return false;
  return true;
}

unsigned ms_judge_find_arcs(const ms_judge *judge, uint32_t v, uint32_t w)
{
  const uint64_t *offset = judge->offset;
  bool swapped = offset[w + 1] - offset[w] < offset[v + 1] - offset[v];
  uint32_t from = swapped ? w : v, to = swapped ? v : w;
  const uint32_t *row = judge->neighbor + offset[from];
  const uint32_t *last = find_last(row, offset[from + 1] - offset[from], to);
  unsigned arcs = !last ? 0 : judge->direction ? judge->direction[last - judge->neighbor] : 3;
  return swapped ? arcs >> 1 | (arcs & 1) << 1 : arcs;
}

ms_verdict ms_judge_pair_row(const ms_judge *judge, const ms_judge_pair *pair, uint32_t v,
                             uint32_t w)
{
  if (!judge->typed)
    return ms_judge_arcs(pair, ms_judge_find_arcs(judge, v, w));
  /* the previous match has mostly read the row of v already */
  const uint32_t *row = judge->neighbor + judge->offset[v];
  const uint32_t *last = find_last(row, judge->offset[v + 1] - judge->offset[v], w);
  if (!pair->joined)
    return last ? MS_MATCH_EXTRA_EDGE : MS_MATCH_OK;
  return last && can_assign_arcs(judge, pair, row, last) ? MS_MATCH_OK : MS_MATCH_LACKS_EDGE;
}
