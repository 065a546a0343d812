/* A typed multigraph ("semantic graph" in MTGL: Berry, Hendrickson, Kahan,
 * Konecny, "Software and Algorithms for Graph Queries on Multithreaded
 * Architectures", 2007).
 *
 * Every vertex has a type.  Every edge has one, seen from its first end, and
 * the inverse of that seen from its second end: an edge (v, w) of type t is an
 * arc of type t in the row of v and an arc of type inverse(t) in the row of w,
 * so that each row holds what leaves the vertex and what enters it.  A type
 * that is its own inverse is symmetric: it has no direction.  Parallel edges
 * are kept, also of the same type.  A self-loop is one arc, of the smaller of
 * its type and that type's inverse: the two say the same of it. */
#ifndef MS_GRAPH_TYPED_H
#define MS_GRAPH_TYPED_H

#include "graph/graph.h"
#include "graph/names.h"
#include "graph/rows.h"
#include "motifsieve.h"

#define MS_MAX_TYPES 65535u /* vertex types, and arc types, with inverses */

/* What algorithms see of a typed graph, or of a part of one. */
typedef struct ms_typed_rows {
  uint32_t n;
  uint64_t arcs;        /* 2 an edge, 1 a self-loop */
  uint64_t *offset;     /* [n + 1] */
  uint32_t *neighbor;   /* [arcs] ascending within a row, then by type; repeats possible */
  ms_type *type;        /* [arcs] of the arc from the row's vertex to neighbor */
  ms_type *vertex_type; /* [n] */
} ms_typed_rows;

struct ms_typed {
  ms_typed_rows rows;
  ms_names *names;        /* of the vertices */
  ms_names *vertex_types; /* of types of vertices */
  ms_names *arc_types;    /* of types of arcs; of a directed relation r and its inverse: "r", "^r"
                             unless the file names both */
  ms_type *inverse;       /* [arc types] */
  uint8_t *is_inverse;    /* [arc types] 1: the second name of a directed relation; an edge is
                             written from the end whose arc has 0 here */
  ms_typed_info info;     /* paths are owned */
  char *path, *nodes_path;
  ms_image image;    /* the file that holds rows, inverse, is_inverse and the names; bytes NULL: the
                        graph owns them */
  bool joins_colors; /* the graph was plain, with several colours at some vertex: a type of vertices
                        is a set of colours, "a|b" */
};

/* What a typed graph is built from.  ms_typed_build takes ownership of all tables and arrays,
 * whether or not it succeeds. */
typedef struct ms_typed_parts {
  ms_names *names;
  ms_names *vertex_types, *arc_types;
  ms_type *vertex_type; /* [names] ids in vertex_types */
  ms_type *inverse;     /* [arc_types] an involution */
  uint8_t *is_inverse;  /* [arc_types] at most one of t and inverse[t], none where they are equal */
  uint64_t edges;
  uint32_t (*edge)[2]; /* [edges] */
  ms_type *edge_type;  /* [edges] of the arc from edge[e][0] to edge[e][1] */
} ms_typed_parts;

/* Makes room for up to `edges` edges in an empty `parts`; the caller adds them one by one. */
ms_status ms_typed_parts_reserve(ms_typed_parts *parts, uint64_t edges, ms_error *err);
static inline void ms_typed_parts_add(ms_typed_parts *parts, uint32_t from, uint32_t to,
                                      ms_type type)
{
  parts->edge[parts->edges][0] = from;
  parts->edge[parts->edges][1] = to;
  parts->edge_type[parts->edges++] = type;
}

/* Builds the graph, with rows of ms_rows_build.  MS_ERR_USAGE: an id or a type is out of range. */
ms_status ms_typed_build(ms_typed_parts *parts, int threads, ms_typed **out, ms_error *err);
void ms_typed_parts_free(ms_typed_parts *parts);

/* Fills in the names and types of the vertices of a plain graph, as ms_typed_from_graph has
 * them.  ms_typed_parts_free frees them, also after a failure. */
ms_status ms_typed_parts_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                  ms_typed_parts *parts, ms_error *err);

/* Has some vertex several colours, so that its type is a set of colours?  coloring may be NULL. */
bool ms_typed_joins_colors(const ms_coloring *coloring);

/* The two halves of ms_typed_plain.  directed: every edge has a direction, and an edge of a
 * symmetric relation has both; else no edge has one. */
ms_status ms_typed_plain_graph(const ms_typed *graph, bool directed, int threads, ms_graph **plain,
                               ms_error *err);
ms_status ms_typed_plain_colors(const ms_typed *graph, ms_coloring **coloring, ms_error *err);

/* Is the type in the set? */
static inline bool ms_type_in(const uint64_t *bits, ms_type type)
{
  return bits[type >> 6] >> (type & 63) & 1;
}

/* Returns the number of arcs of row v to w, and the *first of them; O(log degree). */
uint64_t ms_typed_arcs_between(const ms_typed_rows *rows, uint32_t v, uint32_t w, uint64_t *first);

/* Is this the type of a directed relation by which its edges are not written?  Exactly one of
 * the two types is, also where is_inverse marks none. */
bool ms_typed_is_second(const ms_typed *graph, ms_type type);

/* True if the graph has a type of edges beside "edge", which ms_typed_from_graph gives edges that
 * have none. */
bool ms_typed_has_labels(const ms_typed *graph);

/* Allocates rows for n vertices and `arcs` arcs; only offset[0..n] is set (to 0).
 * ms_typed_rows_free frees them and accepts a struct of zeros. */
ms_status ms_typed_rows_alloc(uint32_t n, uint64_t arcs, ms_typed_rows *rows, ms_error *err);
void ms_typed_rows_free(ms_typed_rows *rows);

/* A part of a graph: some of its vertices and some of its edges. */
typedef struct ms_typed_part {
  ms_typed_rows rows;
  uint32_t *vertex; /* [rows.n] the vertex of the graph, ascending */
} ms_typed_part;

void ms_typed_part_free(ms_typed_part *part);

#endif
