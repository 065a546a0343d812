/* Checks one row.  What depends on the graph and the pattern alone is looked up beforehand: which
 * vertices fit where, which pairs must be checked, and which pairs show whether the row is the
 * smallest of its class. */
#include "verify/judge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"

#include <string.h>

const char *ms_verdict_text(ms_verdict verdict)
{
  switch (verdict) {
  case MS_MATCH_OK:
    return "is a match";
  case MS_MATCH_REPEATS_VERTEX:
    return "repeats a vertex";
  case MS_MATCH_OUT_OF_RANGE:
    return "holds a vertex that is not in the graph";
  case MS_MATCH_NOT_CONNECTED:
    return "is not connected";
  case MS_MATCH_COLORS_DO_NOT_FIT:
    return "does not fit the motif's colours";
  case MS_MATCH_LACKS_REQUIRED:
    return "lacks a required vertex";
  case MS_MATCH_WRONG_COLOR:
    return "holds a vertex whose colour the pattern does not accept there";
  case MS_MATCH_WRONG_TYPE:
    return "holds a vertex whose type the pattern does not accept there";
  case MS_MATCH_LACKS_EDGE:
    return "lacks an edge of the pattern";
  case MS_MATCH_EXTRA_EDGE:
    return "has an edge where the pattern has none, and is to be induced";
  case MS_MATCH_NOT_SMALLEST:
    return "is not the smallest of the rows that the pattern's symmetry makes of it";
  }
  return "has an unknown verdict";
}

/* ---- the edges of a pair ----------------------------------------------------------- */

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

/* Assigns arcs of the graph to the parallel edges of a pair, by augmenting paths. */
typedef struct pairing {
  uint32_t edges;
  const uint64_t *const *accepted; /* [edges] */
  uint64_t arcs;
  const ms_type *type;                 /* [arcs] */
  uint64_t arc_of[MS_MAX_TYPED_EDGES]; /* [given] distinct */
  bool visited[MS_MAX_TYPED_EDGES];    /* [given] visited by this augmenting path */
  uint32_t given;                      /* the edges before this one have an arc */
} pairing;

/* Returns the edge that has the arc, or `given` if none has it. */
static uint32_t find_owner(const pairing *p, uint64_t arc)
{
  uint32_t e = 0;
  while (e < p->given && p->arc_of[e] != arc)
    e++;
  return e;
}

/* Assigns an arc to edge e; the arc's owner may have to move to another arc.  The recursion is at
 * most as deep as the number of edges. */
static bool assign_arc(pairing *p, uint32_t e)
{
  p->visited[e] = true;
  for (uint64_t arc = 0; arc < p->arcs; arc++) {
    if (!ms_type_in(p->accepted[e], p->type[arc]))
      continue;
    uint32_t owner = find_owner(p, arc);
    if (owner == p->given || (!p->visited[owner] && assign_arc(p, owner))) {
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
  for (p.given = 0; p.given < p.edges; p.given++) {
    memset(p.visited, 0, (p.given + 1) * sizeof *p.visited);
    if (!assign_arc(&p, p.given))
      return false;
  }
  return true;
}

ms_verdict ms_judge_pair_row(const ms_judge *judge, const ms_judge_pair *pair, uint32_t v,
                             uint32_t w)
{
  const uint64_t *offset = judge->offset;
  /* typed: the previous match has mostly read the row of v already */
  bool swapped = !judge->typed && offset[w + 1] - offset[w] < offset[v + 1] - offset[v];
  uint32_t from = swapped ? w : v, to = swapped ? v : w;
  const uint32_t *row = judge->neighbor + offset[from];
  const uint32_t *last = find_last(row, offset[from + 1] - offset[from], to);
  if (judge->typed && !pair->joined)
    return last ? MS_MATCH_EXTRA_EDGE : MS_MATCH_OK;
  if (judge->typed)
    return last && can_assign_arcs(judge, pair, row, last) ? MS_MATCH_OK : MS_MATCH_LACKS_EDGE;
  unsigned arcs = !last ? 0 : judge->direction ? judge->direction[last - judge->neighbor] : 3;
  arcs = swapped ? arcs >> 1 | (arcs & 1) << 1 : arcs;
  if (pair->fits >> arcs & 1)
    return MS_MATCH_OK;
  return pair->enough >> arcs & 1 ? MS_MATCH_EXTRA_EDGE : MS_MATCH_LACKS_EDGE;
}

/* ---- one row ------------------------------------------------------------------------- */

/* Checks each vertex by itself, and that none occurs twice. */
static ms_verdict judge_vertices(const ms_judge *judge, const uint32_t *row)
{
  for (uint32_t i = 0; i < judge->p; i++) {
    if (row[i] >= judge->n)
      return MS_MATCH_OUT_OF_RANGE;
    for (uint32_t h = 0; h < i; h++)
      if (row[h] == row[i])
        return MS_MATCH_REPEATS_VERTEX;
  }
  for (uint32_t i = 0; i < judge->p; i++)
    if (!ms_judge_vertex_fits(judge, i, row[i]))
      return judge->typed ? MS_MATCH_WRONG_TYPE : MS_MATCH_WRONG_COLOR;
  return MS_MATCH_OK;
}

static bool holds(const ms_judge *judge, const uint32_t *row, uint32_t v)
{
  uint32_t i = 0;
  while (i < judge->p && row[i] != v)
    i++;
  return i < judge->p;
}

static ms_verdict judge_map(const ms_judge *judge, const uint32_t *row)
{
  ms_verdict verdict = judge_vertices(judge, row);
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->pairs; i++) {
    const ms_judge_pair *pair = &judge->pair[i];
    verdict = ms_judge_pair_row(judge, pair, row[pair->first], row[pair->second]);
  }
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->ordered; i++)
    if (row[judge->smaller[i][0]] > row[judge->smaller[i][1]])
      verdict = MS_MATCH_NOT_SMALLEST;
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->n_required; i++)
    if (!holds(judge, row, judge->required[i]))
      verdict = MS_MATCH_LACKS_REQUIRED;
  return verdict;
}

ms_verdict ms_judge_row(const ms_judge *judge, const uint32_t *row)
{
  return judge->row(judge, row);
}

/* ---- making one ---------------------------------------------------------------------- */

void ms_judge_add_pair(ms_judge *judge, ms_judge_pair pair)
{
  judge->pair[judge->pairs++] = pair;
  for (uint32_t i = pair.second + 1u; i <= judge->p; i++)
    judge->pairs_from[i] = (uint16_t)judge->pairs;
}

ms_status ms_judge_finish(ms_judge *judge, bool subgraphs, ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN] = {{{0}}};
  judge->row = judge_map;
  if (subgraphs)
    MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, ms_stop_current(), err));
  for (uint32_t i = 0; i < judge->p; i++)
    for (uint32_t j = i + 1; j < judge->p; j++)
      if (ms_bitset_has(&orbit[i], j)) {
        judge->smaller[judge->ordered][0] = (uint8_t)i;
        judge->smaller[judge->ordered++][1] = (uint8_t)j;
      }
  return MS_OK;
}

void ms_judge_require(ms_judge *judge, uint32_t count, const uint32_t *vertex)
{
  judge->n_required = count;
  memcpy(judge->required, vertex, count * sizeof *vertex);
}

void ms_judge_free(ms_judge *judge)
{
  if (judge)
    ms_free(judge->mask);
  ms_free(judge);
}

ms_status ms_judge_automorphisms(const ms_judge *judge, mpz_t order, const ms_stop *stop,
                                 ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN];
  mpz_set_ui(order, 0);
  MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, stop, err));
  mpz_set_ui(order, 1);
  for (uint32_t i = 0; i < judge->p; i++)
    mpz_mul_ui(order, order, ms_bitset_count(orbit[i]));
  return MS_OK;
}
