/* A typed pattern, and one that has met its graph.
 *
 * A match is a map of pattern vertices to graph vertices, no two to the same,
 * under which each vertex has an accepted type and each pattern edge finds an
 * edge of its own: parallel pattern edges need as many edges. */
#ifndef MS_QUERY_TYPED_QUERY_H
#define MS_QUERY_TYPED_QUERY_H

#include "graph/typed.h"

#define MS_MAX_TYPED_EDGES 256u /* of a pattern */

/* Which way the edge has to point, of relations that have a direction. */
typedef enum ms_typed_way {
  MS_WAY_ON = 0, /* from `from` to `to` */
  MS_WAY_ANY     /* either way */
} ms_typed_way;

typedef struct ms_typed_pattern_edge {
  uint32_t from, to; /* vertices; equal: a self-loop */
  ms_typed_way way;
  uint32_t types; /* 0: any type */
  uint32_t *type; /* [types] ids in type_names: accepted, seen from `from` */
} ms_typed_pattern_edge;

struct ms_typed_pattern {
  uint32_t n;                     /* vertices, 1..MS_MAX_PATTERN */
  uint32_t edges;                 /* 0..MS_MAX_TYPED_EDGES */
  ms_typed_pattern_edge *edge;    /* [edges] */
  ms_names *names;                /* [n] of the vertices */
  ms_names *type_names;           /* of all types named, of vertices and edges */
  uint32_t types[MS_MAX_PATTERN]; /* [n] accepted by each vertex; 0: any */
  uint32_t *type[MS_MAX_PATTERN]; /* [n][types[i]] ids in type_names */
  char *path;                     /* a file, or "(text)" */
  uint32_t crc32c;                /* of the file's uncompressed bytes, or of the text */
};

/* An empty pattern, its vertices and edges to be added. */
ms_status ms_typed_pattern_new(const char *path, ms_typed_pattern **out, ms_error *err);
/* Find or add a vertex.  MS_ERR_USAGE: there are too many. */
ms_status ms_typed_pattern_vertex(ms_typed_pattern *pattern, const char *name, size_t length,
                                  uint32_t *v, ms_error *err);
/* One more accepted type of a vertex, or of an edge. */
ms_status ms_typed_pattern_accept(ms_typed_pattern *pattern, uint32_t v, const char *type,
                                  size_t length, ms_error *err);
/* A new edge that takes any type. */
ms_status ms_typed_pattern_join(ms_typed_pattern *pattern, uint32_t from, uint32_t to,
                                ms_typed_way way, ms_error *err);
/* One more accepted type of the edge that was added last. */
ms_status ms_typed_pattern_accept_edge(ms_typed_pattern *pattern, const char *type, size_t length,
                                       ms_error *err);

/* ms_typed_pattern_parse of a text that messages call `path`. */
ms_status ms_typed_pattern_of_text(const char *text, const char *path, ms_typed_pattern **out,
                                   ms_error *err);

/* ---- with a graph ---------------------------------------------------------- */

typedef struct ms_typed_query_edge {
  uint32_t from, to;
  uint64_t *on;   /* bits [arc types]: accepted of an arc from `from` to `to` */
  uint64_t *back; /* the inverses of these: of an arc from `to` to `from`.  Of a self-loop both hold
                     the same types, closed under inverses */
} ms_typed_query_edge;

struct ms_typed_query {
  const ms_typed *graph;
  const ms_typed_pattern *pattern;
  uint32_t n, edges;
  uint64_t *vertex_types[MS_MAX_PATTERN]; /* [n] bits [vertex types]: accepted */
  ms_typed_query_edge *edge;              /* [edges] */
  uint64_t *bits;                         /* what they all point into */
  uint32_t unknown;               /* type names of the pattern that the graph does not have */
  const char **unknown_name;      /* [unknown] */
  uint32_t type_words, arc_words; /* of a set of types of vertices, of arcs */
};

/* A type that the graph does not have is accepted by nothing; it is no error.
 * A name "^r" of an edge type is the inverse of r.  Keeps both pointers. */
ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                             ms_typed_query **out, ms_error *err);
void ms_typed_query_free(ms_typed_query *query);

#endif
