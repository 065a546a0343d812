/* The holders of each colour: an inverted index of a colouring, with which many motifs on one graph
 * are made into pruned instances.
 *
 * ms_instance_new and ms_instance_prune look at every vertex of the graph and at every arc of those
 * that fit a slot, through tables with an entry for each vertex.  With the index only the holders
 * of the motif's colours are looked at, and a bit for each vertex says which they are: a table that
 * stays in a core's cache at a million vertices.  The number of bits before a word gives a holder
 * its number, so there is no table of numbers, either. */
#ifndef MS_MOTIF_HOLDERS_H
#define MS_MOTIF_HOLDERS_H

#include "motif/instance.h"

typedef struct ms_holders {
  const ms_graph *graph;
  uint32_t colors;
  uint64_t *start;  /* [colors + 1] the holders of colour c begin at vertex[start[c]] */
  uint32_t *vertex; /* [pairs of a vertex and its colour] ascending within a colour */
} ms_holders;

/* Makes the index in O(n + pairs).  The graph must outlive it. */
ms_status ms_holders_new(const ms_graph *graph, const ms_coloring *coloring, ms_holders **out,
                         ms_error *err);
void ms_holders_free(ms_holders *holders);

/* True if ms_holders_prune can make the instance: no vertex is required, and each slot is for a
 * colour or for one of several colours. */
bool ms_holders_serve(const ms_query *query);

/* Makes the instance of all slots, pruned: what ms_instance_prune makes of the one that
 * ms_instance_new makes, to the last bit.  `stats` receives the same numbers, and may be NULL.  It
 * works on one thread, in O(holders of the motif's colours and their arcs), beside n / 64 words.
 * Polls the token of the thread.  The query is one that ms_holders_serve accepts, on this graph. */
ms_status ms_holders_prune(const ms_holders *holders, const ms_query *query, ms_instance **out,
                           ms_prune_stats *stats, ms_error *err);

/* Does the same, and for a small motif on a sparse graph also drops vertices by ms_trees_filter, so
 * that fewer may be left.  *certain: each vertex that is left is in a match.  Of the statistics,
 * which must not be NULL, only the number of components is meant. */
ms_status ms_holders_filter(const ms_holders *holders, const ms_query *query, ms_instance **out,
                            bool *certain, ms_prune_stats *stats, ms_error *err);

#endif
