/* Random labellings and random graphs under a null hypothesis.
 *
 * Each is a pure function of the seed and its number: its random numbers are blocks of Philox
 * (base/philox.h) with the number in the counter.  So any thread, machine or part of a run may make
 * any of them.
 *
 * Each vertex has a label, which stands for its list of colours; MS_NO_LABEL: the vertex keeps its
 * list, and takes no part.  A labelling moves labels within classes of vertices:
 *
 *   labels   one class, or one for each stratum
 *   degree   vertices of a stratum in the order of their degrees; a class takes all vertices of the
 *            next degrees until it has at least MS_DEGREE_CLASS of them, and what is left at the
 *            end of a stratum joins the class before.  Degrees count neighbours that have labels.
 *   edges    as labels, by swaps that hold the table of labelled edges (null_edges.c)
 *   rewire   labels stay, and edges change; ms_null_open_directed: they keep the arcs out, the arcs
 *            in and the mutual arcs of each vertex (null_rewire.c)
 *   rewire-colors  the same, and they keep the table of labelled edges */
#ifndef MS_SIGNIFICANCE_NULLS_H
#define MS_SIGNIFICANCE_NULLS_H

#include "motifsieve.h"

#define MS_NO_LABEL UINT16_MAX
#define MS_DEGREE_CLASS 50u
#define MS_NULL_BATCH 64u /* labellings that are drawn at a time */

typedef struct ms_null {
  ms_null_kind kind;
  uint64_t seed;
  const ms_graph *graph; /* of the caller, like label */
  const uint16_t *label; /* [n] */
  uint32_t labels;       /* greatest label + 1 */
  uint32_t kinds;        /* MS_NULL_EDGES: different labels, whatever their numbers are */
  uint32_t moved;        /* vertices with a label */
  uint32_t *member;      /* [moved] these vertices, class by class */
  uint32_t *class_begin; /* [moved] first place of the class of each place of `member` */
  uint32_t *class_end;   /* [moved] NULL unless MS_NULL_EDGES, like what follows */
  uint32_t *by_label;    /* [moved] the vertices in the order of their labels, and then of member */
  uint32_t *label_place; /* [n] the place of a vertex there */
  uint32_t *label_begin; /* [labels + 1] the first place of a label there */
  uint32_t classes;
  uint32_t *hub;       /* MS_NULL_EDGES: [n] in the labelling of the hub, whose label v has */
  int32_t *table;      /* MS_NULL_EDGES: [labels][labels] labelled edges of the hub, less those of
                          the graph */
  uint64_t edges;      /* MS_NULL_EDGES: edges between vertices with labels; rewired: all */
  bool directed;       /* edges that are rewired keep their directions */
  uint64_t single;     /* edges that have a direction, which come first */
  uint32_t (*edge)[2]; /* [edges] of the hub (null_rewire.c); NULL: edges stay */
  uint64_t *end; /* MS_NULL_REWIRE_COLORS: [2 edges] ends of edges, class by class; end 2 i + j
                    is vertex j of edge i */
  uint64_t *end_begin; /* [MS_END_CLASSES + 1] the first place of each class of ends there */
} ms_null;

/* Ends that may be swapped: those with a label of edges of one kind, which are tails and heads of
 * edges that have a direction, and both ends of others. */
#define MS_END_CLASSES (3u * (MS_NO_LABEL + 1u))

static inline bool ms_null_rewires(ms_null_kind kind)
{
  return kind == MS_NULL_REWIRE || kind == MS_NULL_REWIRE_COLORS;
}

/* What swaps did. */
typedef struct ms_null_trace {
  uint64_t tried, accepted;
  double deviation; /* MS_NULL_EDGES: the share of edges that differ from the table */
} ms_null_trace;

/* `stratum` [n]; NULL: no strata.  The graph and the labels must outlive *out. */
ms_status ms_null_open(const ms_graph *graph, const uint16_t *label, ms_null_kind kind,
                       const uint32_t *stratum, uint64_t seed, ms_null **out, ms_error *err);
/* The same; rewired graphs are directed if the graph is. */
ms_status ms_null_open_directed(const ms_graph *graph, const uint16_t *label, ms_null_kind kind,
                                const uint32_t *stratum, uint64_t seed, ms_null **out,
                                ms_error *err);
void ms_null_free(ms_null *null); /* accepts NULL */
/* Returns the bytes that one call of ms_null_from or ms_null_graph takes for its time. */
uint64_t ms_null_bytes_of_call(const ms_null *null);

/* Fills from[n]: in the labelling of this number, vertex v has the label, and the list of colours,
 * of vertex from[v].  Not where edges are rewired.  `trace` may be NULL. */
ms_status ms_null_from(const ms_null *null, uint64_t number, uint32_t *from, ms_null_trace *trace,
                       ms_error *err);
/* Fills out[n] with the labels of this labelling: label[from[v]]. */
ms_status ms_null_labels(const ms_null *null, uint64_t number, uint16_t *out, ms_null_trace *trace,
                         ms_error *err);
/* Makes the rewired graph of this number, whose vertices have the names 0, 1, .. */
ms_status ms_null_graph(const ms_null *null, uint64_t number, ms_graph **out, ms_null_trace *trace,
                        ms_error *err);

/* ---- inside ---------------------------------------------------------------------------- */

ms_status ms_null_edges_open(ms_null *null, ms_error *err);
ms_status ms_null_edges_from(const ms_null *null, uint64_t number, uint32_t *from,
                             ms_null_trace *trace, ms_error *err);
ms_status ms_null_rewire_open(ms_null *null, ms_error *err);

#endif
