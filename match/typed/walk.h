/* A walk through a typed pattern, and the sets of active vertices of its stages
 * (MTGL: Berry, Hendrickson, Kahan, Konecny 2007, subgraph isomorphism for
 * semantic graphs).
 *
 * A walk p_0, p_1, .., p_L follows pattern edges, with or against their
 * direction.  A walk v_0, .., v_L in the graph is *type-isomorphic* to it if
 * each v_i has a type that p_i accepts, and each step an arc that the pattern
 * edge of that step accepts.  A match maps the pattern's walk to such a
 * walk. */
#ifndef MS_MATCH_TYPED_WALK_H
#define MS_MATCH_TYPED_WALK_H

#include "base/threads/stop.h"
#include "query/typed_query.h"

typedef struct ms_walk_step {
  uint32_t edge; /* edge of the query */
  bool on;       /* true: from its `from` to its `to`; false: the other way */
  uint32_t to;   /* the pattern vertex reached */
} ms_walk_step;

typedef struct ms_pattern_walk {
  uint32_t start, length;
  ms_walk_step *step; /* [length] the steps of the walk */
} ms_pattern_walk;

/* Makes a walk through the component of `start` that takes every edge of it.
 * An Euler tour takes every edge once each way and every self-loop once, and
 * returns to `start`. It exists because each edge is two arcs, which form an
 * Eulerian graph.  It goes down the edges of a depth-first tree and back, and
 * forth and back along the others. In a random walk each step takes an edge
 * drawn at random, for `length` steps (0: four times the steps of the Euler
 * tour), and then it continues until every edge was taken. For a vertex without
 * edges the walk has length 0. */
ms_status ms_walk_new(const ms_typed_query *query, uint32_t start, ms_typed_walk kind,
                      uint32_t length, uint64_t seed, ms_pattern_walk *walk, ms_error *err);
void ms_walk_free(ms_pattern_walk *walk);

/* ---- sets of vertices -------------------------------------------------------- */

/* A set of vertices of a part. */
typedef struct ms_active {
  uint64_t *bits;      /* [n / 64 + 1] */
  uint64_t size, arcs; /* number of vertices, and of arcs in their rows */
} ms_active;

static inline uint32_t ms_active_words(const ms_typed_rows *rows)
{
  return rows->n / 64 + 1;
}

static inline bool ms_active_has(const ms_active *set, uint32_t v)
{
  return set->bits[v >> 6] >> (v & 63) & 1;
}

/* Fills the set with the vertices of accepted type; with `loops`, only those
 * that have the self-loops of the pattern vertex. */
void ms_active_init(const ms_typed_rows *rows, const ms_typed_query *query, uint32_t i, bool loops,
                    int threads, ms_active *set);
/* Sets size and arcs from the bits. */
void ms_active_count(const ms_typed_rows *rows, int threads, ms_active *set);
/* Removes from `next` the vertices that no arc of an accepted type reaches from
 * a vertex of `set`, and returns true if there were any. `accepted` holds the
 * accepted types of arcs from `set` to `next` as bits, `back` their inverses.
 * The search begins at the end with fewer arcs.  Once the token of the thread is stopped, it leaves
 * vertices in `next` that it has not tested. */
bool ms_active_step(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                    const uint64_t *back, int threads, ms_active *next, uint64_t *spare);

/* The layered graph of all walks that are type-isomorphic to a pattern walk.
 * Layer i holds the vertices that can stand at stage i of such a complete walk.
 * Its arcs are the graph's arcs between neighbouring layers that have the types
 * of the step. */
typedef struct ms_typed_layers {
  uint32_t length; /* length of the walk */
  ms_active *set;  /* [length + 1] the layers */
} ms_typed_layers;

/* Builds the layers: first forward from the types alone, then pruned backward
 * from the other end. */
ms_status ms_typed_layers_new(const ms_typed_rows *rows, const ms_typed_query *query,
                              const ms_pattern_walk *walk, int threads, ms_typed_layers *layers,
                              ms_error *err);
void ms_typed_layers_free(ms_typed_layers *layers);

static inline uint32_t ms_walk_vertex(const ms_pattern_walk *walk, uint32_t stage)
{
  return stage ? walk->step[stage - 1].to : walk->start;
}

/* ms_step_accepts returns the types that a step accepts, seen from the vertex
 * where it begins; ms_step_inverse returns them seen from the vertex where it
 * ends. */
static inline const uint64_t *ms_step_accepts(const ms_typed_query *query, const ms_walk_step *step)
{
  return step->on ? query->edge[step->edge].on : query->edge[step->edge].back;
}
static inline const uint64_t *ms_step_inverse(const ms_typed_query *query, const ms_walk_step *step)
{
  return step->on ? query->edge[step->edge].back : query->edge[step->edge].on;
}

/* ---- domains ------------------------------------------------------------------ */

/* The domain of each pattern vertex. */
typedef struct ms_typed_domains {
  uint32_t n;                    /* number of pattern vertices */
  ms_active set[MS_MAX_PATTERN]; /* [n] */
  uint32_t walk_length;          /* length of the walks of all components together */
  uint32_t rounds;
  bool empty; /* some domain is empty: there is no match */
} ms_typed_domains;

/* Computes the domains with the exact filter. It follows the walk, and then
 * goes back from its end, and computes the set of active vertices of each
 * stage; where the walk returns to a pattern vertex, the sets are intersected.
 * This is repeated until nothing changes, at most MS_WALK_ROUNDS times. A
 * vertex that is not active at a stage of its pattern vertex is in no match as
 * that pattern vertex, so no match is lost. The options read are walk,
 * walk_length, seed and stop. */
#define MS_WALK_ROUNDS 16u
ms_status ms_typed_domains_new(const ms_typed_rows *rows, const ms_typed_query *query,
                               const ms_typed_match_options *options, ms_typed_domains **out,
                               ms_error *err);
void ms_typed_domains_free(ms_typed_domains *domains);

/* ---- pairs of pattern vertices ------------------------------------------------- */

/* The pattern edges between i and j, by the types that they accept, seen from i; for i
 * == j, the self-loops. */
typedef struct ms_pair_edges {
  uint32_t count;
  const uint64_t **accepted; /* [count] bits of the accepted arc types, in the caller's memory */
} ms_pair_edges;

/* Finds the edges, with room[] for all of them: MS_MAX_TYPED_EDGES are enough. */
void ms_pair_edges_of(const ms_typed_query *query, uint32_t i, uint32_t j, const uint64_t **room,
                      ms_pair_edges *between);

/* True if each edge can be assigned a different arc with a type that it
 * accepts. type[count] are the types of the arcs between two vertices. */
bool ms_pair_edges_fit(const ms_pair_edges *between, const ms_type *type, uint64_t count);
/* Returns the greatest number of edges that can be assigned such arcs. */
uint32_t ms_pair_edges_assignable(const ms_pair_edges *between, const ms_type *type,
                                  uint64_t count);

#endif
