/* A walk through a typed pattern, and the stage sets of active vertices that it
 * leads to (MTGL: Berry, Hendrickson, Kahan, Konecny 2007, subgraph isomorphism
 * for semantic graphs).
 *
 * A walk p_0, p_1, .., p_L goes along pattern edges, with or against their
 * direction.  A walk v_0, .., v_L in the graph is *type-isomorphic* to it if
 * each v_i has a type that p_i accepts and each step an arc that the edge of the
 * pattern's step accepts.  A match takes the pattern's walk to such a walk. */
#ifndef MS_MATCH_TYPED_WALK_H
#define MS_MATCH_TYPED_WALK_H

#include "base/stop.h"
#include "query/typed_query.h"

typedef struct ms_walk_step {
  uint32_t edge; /* of the query */
  bool on;       /* from its `from` to its `to`; else the other way */
  uint32_t to;   /* the pattern vertex reached */
} ms_walk_step;

typedef struct ms_pattern_walk {
  uint32_t start, length;
  ms_walk_step *step; /* [length] */
} ms_pattern_walk;

/* A walk through the component of `start` that takes every edge of it.
 *
 * Euler: every edge once each way, a self-loop once, back to `start`: since
 * each edge is two arcs, the arcs form an Eulerian graph.  It goes down the
 * edges of a depth-first tree and back, and forth and back along the others.
 * Random: each step along an edge drawn at random, for `length` steps (0: four
 * times the Euler tour's), and on until every edge was taken.
 * A vertex without edges: a walk of length 0. */
ms_status ms_walk_new(const ms_typed_query *query, uint32_t start, ms_typed_walk kind,
                      uint32_t length, uint64_t seed, ms_pattern_walk *walk, ms_error *err);
void ms_walk_free(ms_pattern_walk *walk);

/* ---- sets of vertices -------------------------------------------------------- */

/* A set of vertices of a part. */
typedef struct ms_active {
  uint64_t *bits;      /* [n / 64 + 1] */
  uint64_t size, arcs; /* vertices, and arcs in their rows */
} ms_active;

static inline uint32_t ms_active_words(const ms_typed_rows *rows)
{
  return rows->n / 64 + 1;
}

static inline bool ms_active_has(const ms_active *set, uint32_t v)
{
  return set->bits[v >> 6] >> (v & 63) & 1;
}

/* The vertices of accepted type; `loops`: only those with the self-loops that the
 * pattern vertex has. */
void ms_active_init(const ms_typed_rows *rows, const ms_typed_query *query, uint32_t i, bool loops,
                    int threads, ms_active *set);
/* size and arcs, from the bits. */
void ms_active_count(const ms_typed_rows *rows, int threads, ms_active *set);
/* next = those of `next` that an arc of an accepted type leads to from a vertex
 * of `set`; accepted: bits of types of arcs from `set` to `next`, back: their inverses.  From
 * whichever end fewer arcs have to be looked at.  Whether any were dropped. */
bool ms_active_step(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                    const uint64_t *back, int threads, ms_active *next, uint64_t *spare);

/* The layered graph of all walks that are type-isomorphic to a walk: layer i
 * holds the vertices that can stand at its stage i with all of the walk around
 * them.  Its arcs are those of the graph between neighbouring layers, of the
 * step's types. */
typedef struct ms_typed_layers {
  uint32_t length; /* of the walk */
  ms_active *set;  /* [length + 1] */
} ms_typed_layers;

/* Forward from the types alone, then pruned from the other end. */
ms_status ms_typed_layers_new(const ms_typed_rows *rows, const ms_typed_query *query,
                              const ms_pattern_walk *walk, int threads, ms_typed_layers *layers,
                              ms_error *err);
void ms_typed_layers_free(ms_typed_layers *layers);

static inline uint32_t ms_walk_vertex(const ms_pattern_walk *walk, uint32_t stage)
{
  return stage ? walk->step[stage - 1].to : walk->start;
}

/* What a step accepts of an arc, seen from where it comes from, and from where it goes. */
static inline const uint64_t *ms_step_accepts(const ms_typed_query *query, const ms_walk_step *step)
{
  return step->on ? query->edge[step->edge].on : query->edge[step->edge].back;
}
static inline const uint64_t *ms_step_inverse(const ms_typed_query *query, const ms_walk_step *step)
{
  return step->on ? query->edge[step->edge].back : query->edge[step->edge].on;
}

/* ---- domains ------------------------------------------------------------------ */

/* What each pattern vertex may be. */
typedef struct ms_typed_domains {
  uint32_t n;                    /* pattern vertices */
  ms_active set[MS_MAX_PATTERN]; /* [n] */
  uint32_t walk_length;          /* of all components' walks together */
  uint32_t rounds;
  bool empty; /* some domain is: there is no match */
} ms_typed_domains;

/* The exact filter.  Along the walk, and back from its end, the set of active
 * vertices of each stage; where the walk comes back to a pattern vertex its
 * sets are intersected.  Repeated until nothing changes, at most MS_WALK_ROUNDS
 * times.  A vertex that is not active where its pattern vertex is visited is in
 * no match as that vertex, so no match is lost.
 * options: walk, walk_length, seed, no_walk (types alone), stop. */
#define MS_WALK_ROUNDS 16u
ms_status ms_typed_domains_new(const ms_typed_rows *rows, const ms_typed_query *query,
                               const ms_typed_match_options *options, ms_typed_domains **out,
                               ms_error *err);
void ms_typed_domains_free(ms_typed_domains *domains);

/* ---- pairs of pattern vertices ------------------------------------------------- */

/* What the pattern edges between i and j accept, seen from i; i == j: the
 * self-loops. */
typedef struct ms_pair_wants {
  uint32_t edges;
  const uint64_t *accepted[MS_MAX_TYPED_EDGES]; /* [edges] bits of arc types */
} ms_pair_wants;

void ms_pair_wants_of(const ms_typed_query *query, uint32_t i, uint32_t j, ms_pair_wants *wants);

/* Can they be paired off with arcs of these types, each with one of its own?
 * type[count]: the arcs between two vertices. */
bool ms_pair_wants_fit(const ms_pair_wants *wants, const ms_type *type, uint64_t count);
/* How many of them can, at most. */
uint32_t ms_pair_wants_most(const ms_pair_wants *wants, const ms_type *type, uint64_t count);

#endif
