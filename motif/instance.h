/* An instance: the part of a query that still matters, as a plain coloured
 * graph with slot masks.  The sieve and the enumerators work on it.
 * A match is a set S of `size` instance vertices that is connected in the instance,
 * contains all loose required vertices, and whose vertices can be paired off
 * with different slots, each vertex with a slot in its mask.  If `size` is smaller than k, some
 * slots stay empty, and every required vertex is loose. */
#ifndef MS_MOTIF_INSTANCE_H
#define MS_MOTIF_INSTANCE_H

#include "base/threads/parallel.h"
#include "query/query.h"

typedef struct ms_instance {
  uint32_t n;
  uint64_t arcs;
  uint64_t *offset;         /* [n + 1] */
  uint32_t *neighbor;       /* [arcs] ascending within a vertex */
  uint32_t *vertex;         /* [n] id in the input graph, ascending */
  uint32_t *mask;           /* [n] slots that the vertex may fill, bit d = slot d */
  uint32_t k;               /* number of slots, 1..MS_MAX_K */
  uint32_t size;            /* number of vertices of a match, 1..k */
  uint32_t n_loose;         /* number of required vertices without a private slot */
  uint32_t loose[MS_MAX_K]; /* [n_loose] these vertices, by instance id, ascending */
  bool impossible;          /* it is already known that there is no match; then n is 0 */
  bool pruned;              /* ms_instance_prune made it, and would drop nothing more */
  bool borrows; /* offset and neighbor belong to the graph, which must outlive the instance */
} ms_instance;

/* Every function here polls the token of the calling thread (base/threads/stop.h), and divides its
 * work among `threads` threads (as ms_threads, but fewer if there is little to do). The result does
 * not depend on them. */

/* Makes an instance of all vertices of the query's graph, unpruned; the rows
 * are the graph's own. A required vertex that fits only one class of slots gets
 * a slot of that class for itself. All other vertices lose that slot; nothing
 * is lost, because the slots of a class are interchangeable. A required vertex
 * that fits several classes stays in `loose`. The instance is `impossible` if a
 * required vertex fits no slot, or if a class has more pinned vertices than
 * slots. */
ms_status ms_instance_new(const ms_query *query, int threads, ms_instance **out, ms_error *err);
/* Makes the same instance, but all required vertices stay in `loose` and keep their masks: for
 * matches that leave slots empty, where no slot is sure to be filled. */
ms_status ms_instance_new_loose(const ms_query *query, int threads, ms_instance **out,
                                ms_error *err);

/* Makes the same instance for a query without required vertices, but its arrays `vertex` and `mask`
 * have no values yet. ms_masking_range, an ms_range_fn whose `user` is *masking, gives them to a
 * range of the vertices, on any thread. The caller frees both. */
typedef struct ms_masking ms_masking;
ms_status ms_instance_begin(const ms_query *query, ms_instance **out, ms_masking **masking,
                            ms_error *err);
void ms_masking_range(void *masking, ms_range range);
void ms_masking_free(ms_masking *masking);

/* Applies the exact reductions of SIEVE ("Pruning") until nothing changes.
 * No match is lost or gained. `stats` may be NULL. The result does not need
 * `instance`, but if `instance` borrows rows, it still needs the graph. */
ms_status ms_instance_prune(const ms_instance *instance, int threads, ms_instance **out,
                            ms_prune_stats *stats, ms_error *err);

/* Makes the subgraph induced by the vertices with keep[v] != 0, with the same
 * slots. If it lacks a loose required vertex, it is `impossible` and empty. */
ms_status ms_instance_induced(const ms_instance *instance, const uint8_t *keep, int threads,
                              ms_instance **out, ms_error *err);

/* The result of ms_instance_thin. */
typedef struct ms_thin {
  /* NULL: nothing is dropped; impossible and empty as in ms_instance_induced */
  ms_instance *left;
  uint32_t *near;   /* [left->n, or the instance's n] slots of the vertex and of its neighbours */
  uint32_t dropped; /* number of vertices dropped */
  uint64_t edges_one_slot;
} ms_thin;

/* Drops the vertices that fit no slot, and the edges whose two ends together
 * fit a single slot. The caller frees left and near. */
ms_status ms_instance_thin(const ms_instance *instance, int threads, ms_thin *out, ms_error *err);

/* Copies an instance: borrowed rows stay borrowed, others are copied. */
ms_status ms_instance_copy(const ms_instance *instance, ms_instance **out, ms_error *err);

/* Allocates an instance with arrays for n vertices and `arcs` arcs, which are not
 * filled; its matches have k vertices. */
ms_status ms_instance_alloc(uint32_t n, uint64_t arcs, uint32_t k, ms_instance **out,
                            ms_error *err);
void ms_instance_free(ms_instance *instance);
/* Makes an instance empty and impossible; for the functions that make
 * instances. */
void ms_instance_make_impossible(ms_instance *instance);

/* Numbers the components from 0 by their smallest vertex: component[n] receives
 * the number of each vertex, *count the number of components. */
ms_status ms_instance_components(const ms_instance *instance, int threads, uint32_t *component,
                                 uint32_t *count, ms_error *err);

/* A bipartite matching of slots with vertices. It begins with {0} and grows by
 * one vertex at a time. ms_slot_matching_add returns true once all k slots are
 * filled. Masks lie within the k slots. */
typedef struct ms_slot_matching {
  uint32_t taken;           /* slots that have an owner */
  uint32_t tight;           /* slots that can no longer be freed, see slots.c */
  uint32_t owner[MS_MAX_K]; /* mask of the vertex in each slot */
} ms_slot_matching;
bool ms_slot_matching_add(ms_slot_matching *matching, uint32_t k, uint32_t mask);

/* True if and only if different vertices of the list can fill the k slots.
 * Bipartite matching, O(k^2) after a pass over the list. k <= MS_MAX_K, and
 * masks lie within the k slots. */
bool ms_slots_can_be_filled(uint32_t k, const uint32_t *mask, const uint32_t *vertices,
                            uint32_t count);

#endif
