/* A typed pattern, and a typed query: the pattern bound to a graph.
 *
 * A match is an injective map of pattern vertices to graph vertices such that
 * each vertex has an accepted type and each pattern edge is assigned a
 * different edge of the graph: parallel pattern edges need parallel edges. */
#ifndef MS_QUERY_TYPED_QUERY_H
#define MS_QUERY_TYPED_QUERY_H

#include "graph/io/text.h"
#include "graph/typed.h"

#define MS_MAX_TYPED_EDGES 4096u /* greatest number of edges of a pattern */

/* The direction that an edge must have if its relation is directed. */
typedef enum ms_typed_way {
  MS_WAY_ON = 0, /* from `from` to `to` */
  MS_WAY_ANY     /* either direction */
} ms_typed_way;

typedef struct ms_typed_pattern_edge {
  uint32_t from, to; /* vertices; equal: a self-loop */
  ms_typed_way way;
  uint32_t types; /* number of accepted types; 0: any type */
  uint32_t *type; /* [types] accepted types, seen from `from`: ids in type_names */
} ms_typed_pattern_edge;

struct ms_typed_pattern {
  uint32_t n;                     /* number of vertices, 1..MS_MAX_PATTERN */
  uint32_t edges;                 /* number of edges, 0..MS_MAX_TYPED_EDGES */
  ms_typed_pattern_edge *edge;    /* [edges] */
  ms_names *names;                /* [n] names of the vertices */
  ms_names *type_names;           /* all types that vertices and edges name */
  uint32_t types[MS_MAX_PATTERN]; /* [n] number of types that the vertex accepts; 0: any */
  uint32_t *type[MS_MAX_PATTERN]; /* [n][types[i]] accepted types: ids in type_names */
  bool lone_relation;             /* all edges are of one relation of a SIF file, which has to name
                                     one: it means any in a graph without labels of edges */
  char *path;                     /* a file, or "the pattern" */
  char *text;                     /* the pattern itself, if it was parsed; NULL: it was read */
  uint32_t crc32c;                /* checksum of the file's uncompressed bytes, or of the text */
};

/* Makes an empty pattern, to which vertices and edges are added. */
ms_status ms_typed_pattern_new(const char *path, ms_typed_pattern **out, ms_error *err);
/* Makes the pattern of a typed graph that was read from `path`.  Edges accept any type if their
 * type is "*", or if no edge of the graph has a label. */
ms_status ms_typed_pattern_from_graph(const ms_typed *graph, const char *path,
                                      ms_typed_pattern **out, ms_error *err);
/* Is the open input pattern text, whose first line with data begins as ms_is_notation says, or
 * without data? */
ms_status ms_is_pattern_text(const char *path, ms_text *text, bool *is_text, ms_error *err);
/* Reads an open input as pattern text. */
ms_status ms_typed_pattern_read_text(ms_text *text, const char *path, ms_typed_pattern **out,
                                     ms_error *err);
/* Finds or adds a vertex.  Returns MS_ERR_USAGE if there are too many. */
ms_status ms_typed_pattern_vertex(ms_typed_pattern *pattern, const char *name, size_t length,
                                  uint32_t *v, ms_error *err);
/* Adds an accepted type to a vertex. */
ms_status ms_typed_pattern_accept(ms_typed_pattern *pattern, uint32_t v, const char *type,
                                  size_t length, ms_error *err);
/* Adds an edge that accepts any type. */
ms_status ms_typed_pattern_join(ms_typed_pattern *pattern, uint32_t from, uint32_t to,
                                ms_typed_way way, ms_error *err);
/* Adds an accepted type to the edge that was added last. */
ms_status ms_typed_pattern_accept_edge(ms_typed_pattern *pattern, const char *type, size_t length,
                                       ms_error *err);

/* True if the text begins as a pattern in Cypher's notation does: with '(' or MATCH. */
bool ms_is_notation(const char *text);
/* Does the same as ms_typed_pattern_parse; messages call the text `path`. */
ms_status ms_typed_pattern_of_text(const char *text, const char *path, ms_typed_pattern **out,
                                   ms_error *err);

/* ---- with a graph ---------------------------------------------------------- */

typedef struct ms_typed_query_edge {
  uint32_t from, to;
  uint64_t *on;   /* bits [arc types]: types that an arc from `from` to `to` may have */
  uint64_t *back; /* types that an arc from `to` to `from` may have: the inverses of `on`.  For a
                     self-loop the two sets are the same, closed under inverses */
} ms_typed_query_edge;

struct ms_typed_query {
  const ms_typed *graph;
  const ms_typed_pattern *pattern;
  uint32_t n, edges;
  uint64_t *vertex_types[MS_MAX_PATTERN]; /* [n] bits [vertex types]: accepted types */
  ms_typed_query_edge *edge;              /* [edges] */
  uint64_t *bits;                         /* the memory of all these sets */
  uint32_t unknown;               /* number of type names of the pattern that the graph lacks */
  const char **unknown_name;      /* [unknown] */
  uint32_t type_words, arc_words; /* words of a set of vertex types, of arc types */
};

/* Binds the pattern to a graph, and keeps both pointers.  A type that the graph lacks is no error:
 * nothing matches it.  The name "^r" of an edge type means the inverse of r. */
ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                             ms_typed_query **out, ms_error *err);
void ms_typed_query_free(ms_typed_query *query);

#endif
