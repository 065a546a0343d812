/* An instance: the part of a query that still matters, as a plain coloured
 * graph with slot masks.  What the sieve and the enumerators work on.
 *
 * A match is a set S of k instance vertices, connected in the instance, that
 * holds all loose required vertices and whose vertices can be paired off with
 * the k slots, each vertex with a slot in its mask. */
#ifndef MS_MOTIF_INSTANCE_H
#define MS_MOTIF_INSTANCE_H

#include "query/query.h"

typedef struct ms_instance {
  uint32_t n;
  uint64_t arcs;
  uint64_t *offset;         /* [n + 1] */
  uint32_t *neighbor;       /* [arcs] ascending within a vertex */
  uint32_t *vertex;         /* [n] id in the input graph, ascending */
  uint32_t *mask;           /* [n] slots that the vertex may take, bit d = slot d */
  uint32_t k;               /* slots, 1..MS_MAX_K */
  uint32_t n_loose;         /* required vertices that no private slot pins down */
  uint32_t loose[MS_MAX_K]; /* instance ids, ascending */
  bool impossible;          /* seen to have no match at all; n is 0 then */
  bool borrows;             /* offset and neighbor are the graph's, which must outlive this */
} ms_instance;

typedef struct ms_prune_stats {
  uint32_t rounds;
  uint32_t no_slot;        /* vertices dropped: no colour of the motif */
  uint64_t edges_one_slot; /* edges dropped: both ends only fit one and the same slot */
  uint32_t poor_component; /* vertices dropped: component cannot supply the slots or lacks a
                              required vertex */
  uint32_t too_far;        /* vertices dropped: some slot or required vertex is beyond k-1 hops */
  uint32_t components;     /* left */
} ms_prune_stats;

/* Every call here shares its work among `threads` threads (as ms_threads; fewer
 * where there is little to do), and what it makes does not depend on them. */

/* All vertices of the query's graph, unpruned; the rows are the graph's own.
 * A required vertex that only one class of slots fits gets one slot of that
 * class for itself (all other vertices lose that slot: slots of a class are
 * interchangeable, so nothing is lost); one that several classes fit stays in
 * `loose`.  `impossible` if a required vertex fits no slot, or a class has more
 * pinned vertices than slots. */
ms_status ms_instance_new(const ms_query *query, int threads, ms_instance **out, ms_error *err);

/* The exact reductions of SIEVE ("cheap work"), repeated until nothing
 * changes.  No match is lost or gained.  stats may be NULL.  The result does
 * not need `instance`, but still the graph where `instance` borrows. */
ms_status ms_instance_prune(const ms_instance *instance, int threads, ms_instance **out,
                            ms_prune_stats *stats, ms_error *err);

/* The subgraph induced by the vertices with keep[v] != 0, same slots.  If it
 * lacks a loose required vertex it is `impossible` and empty. */
ms_status ms_instance_induced(const ms_instance *instance, const uint8_t *keep, int threads,
                              ms_instance **out, ms_error *err);

/* What ms_instance_thin finds. */
typedef struct ms_thin {
  ms_instance *left; /* NULL: everything stays; impossible and empty as in ms_instance_induced */
  uint32_t *near;    /* [left->n, or the instance's n] slots of the vertex and its neighbours */
  uint32_t dropped;  /* vertices */
  uint64_t edges_one_slot;
} ms_thin;

/* Drop the vertices that fit no slot, and the edges whose two ends together
 * fit a single slot.  left and near are the caller's to free. */
ms_status ms_instance_thin(const ms_instance *instance, int threads, ms_thin *out, ms_error *err);

/* The same again: borrowed rows are borrowed, others copied. */
ms_status ms_instance_copy(const ms_instance *instance, ms_instance **out, ms_error *err);

/* Arrays of its own for n vertices and `arcs` arcs, not filled in. */
ms_status ms_instance_alloc(uint32_t n, uint64_t arcs, uint32_t k, ms_instance **out,
                            ms_error *err);
void ms_instance_free(ms_instance *instance);
/* For those that make instances. */
void ms_instance_make_impossible(ms_instance *instance);

/* component[n] numbered from 0 by smallest vertex; *count their number. */
ms_status ms_instance_components(const ms_instance *instance, int threads, uint32_t *component,
                                 uint32_t *count, ms_error *err);

/* Bipartite matching of slots with vertices, grown one vertex at a time from
 * {0}: true once all k slots are filled.  Masks lie within the k slots. */
typedef struct ms_slot_matching {
  uint32_t taken;           /* slots with an owner */
  uint32_t tight;           /* see slots.c */
  uint32_t owner[MS_MAX_K]; /* the mask of the vertex in that slot */
} ms_slot_matching;
bool ms_slot_matching_add(ms_slot_matching *matching, uint32_t k, uint32_t mask);

/* True iff the k slots can be filled by distinct ones of the given vertices:
 * bipartite matching, O(k^2) after a pass over the list.  k <= MS_MAX_K, masks
 * within the k slots. */
bool ms_slots_can_be_filled(uint32_t k, const uint32_t *mask, const uint32_t *vertices,
                            uint32_t count);

#endif
