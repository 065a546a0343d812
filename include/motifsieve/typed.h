/* Typed graphs, whose vertices and edges have types.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_TYPED_H
#define MOTIFSIEVE_TYPED_H

#include "motifsieve/pattern.h"

/* ---- typed graphs ---------------------------------------------------- */

/* A multigraph whose vertices and edges have types, such as a knowledge network (Hetionet).  A
 * relation is symmetric, or has a direction and an inverse: an edge (v, w) of type t is also an
 * edge (w, v) of the inverse of t, which is called "^t" unless the file has a name for it. Parallel
 * edges and self-loops are kept.  docs/TYPED.md describes typed graphs.  Several threads may use
 * one at the same time. */
typedef struct ms_typed ms_typed;

typedef enum ms_typed_format {
  MS_TYPED_AUTO = 0,
  MS_TYPED_HETIONET, /* source<TAB>metaedge<TAB>target, with ids "Kind::..."; an abbreviation with
                        '>' or '<' has a direction */
  MS_TYPED_SIF,      /* source relation target... */
  MS_TYPED_TABLE,    /* tab-separated, with a header that names the columns */
  MS_TYPED_TVE,      /* lines t, v, e whose edges have labels; without labels it is a plain graph */
  MS_TYPED_RI,       /* RI's .ged and .geu; without labels of edges it is a plain graph */
  MS_TYPED_EDGE_LIST, /* an edge list with a column of types; without it, it is a plain graph */
  MS_TYPED_GRAPHML,   /* edges with an attribute such as "interaction"; without it, it is a plain
                         graph */
  MS_TYPED_CX2,       /* the same */
  MS_TYPED_BINARY     /* motifsieve's own format, which ms_typed_write_binary writes */
} ms_typed_format;
#define MS_TYPED_FORMATS 10

typedef struct ms_typed_options {
  size_t size; /* set by MS_TYPED_OPTIONS_DEFAULT */
  ms_typed_format format;
  bool directed;     /* the direction of relations of which nothing else is known.  true: they
                        point from source to target.  false: they are symmetric, except for a
                        relation r if "^r" occurs */
  const char *nodes; /* a table of the vertices' types, tab-separated with a header; or NULL */
  const char *node_name_column, *node_type_column; /* columns of that table, by name or by
                             number from 1.  NULL: "id", and "kind" or "type", if the header has
                             them, otherwise the first and the last column.  Two columns without
                             such a header: VERTEX<TAB>TYPE */
  const char *relations; /* a file of lines TYPE<TAB>INVERSE, or NULL; two equal names: symmetric */
  /* TABLE, EDGE_LIST: columns by name or by number from 1.  NULL: "source", "target", "type" and
   * names of the same meaning.  If type_column is "none" and the header lacks that name, all edges
   * have the type "edge".  GRAPHML, CX2: type_column is an attribute */
  const char *source_column, *target_column, *type_column;
  const char *source_type_column, *target_type_column; /* TABLE; NULL: "source_type" and
                                                          "target_type", if the header has them */
  ms_run_limits run;                                   /* only `threads` */
  double min_score;                       /* TABLE, EDGE_LIST: as in ms_graph_options */
  const char *score_column;               /* the same */
  bool header, no_header;                 /* EDGE_LIST, SIF: as in ms_graph_options */
  const char *names;                      /* GRAPHML, CX2: as in ms_graph_options */
  const char *color_attribute;            /* the same; its values are the types of vertices */
  const char *combine, *direction_column; /* TABLE, EDGE_LIST: as in ms_graph_options; edges of
                                             different types stay different */
} ms_typed_options;
#define MS_TYPED_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_typed_options)                                                               \
  }

typedef struct ms_typed_info {
  uint32_t vertices;
  uint64_t edges; /* self-loops and parallel edges included */
  uint64_t self_loops;
  uint64_t repeats; /* edges that repeat an edge with the same ends and the same type */
  uint32_t vertex_types;
  uint32_t arc_types;  /* number of types, the inverses of directed relations included */
  uint32_t untyped;    /* vertices of unknown type; they have the type "untyped" */
  uint32_t lone_nodes; /* vertices of the node table without an edge; they are kept */
  uint32_t max_degree; /* greatest number of arcs in a row */
  uint64_t lines;      /* lines in the file of edges */
  uint32_t crc32c, nodes_crc32c, relations_crc32c; /* 0: no such file */
  ms_typed_format format; /* as detected; MS_TYPED_AUTO: built in memory, or from a plain graph */
  const char *path, *nodes_path; /* as given; owned by the graph; nodes_path may be NULL */
  uint64_t below_score;          /* edges dropped by min_score */
  ms_edge_layout layout;         /* EDGE_LIST; TABLE: of scores only */
} ms_typed_info;

/* Reads a typed graph.  With MS_TYPED_AUTO, a file that shows no sign of types is read as by
 * ms_graph_read and converted by ms_typed_from_graph, with the colours that it holds.  options
 * NULL: all zero. */
MS_API ms_status ms_typed_read(const char *path, const ms_typed_options *options, ms_typed **out,
                               ms_error *err);
/* The arrays from which a typed graph is built: n vertices names[n] (NULL: "0", "1" and so on) of
 * types vertex_type[n] (names), and m edges[m][2] of types edge_type[m] < n_relations.  relation[r]
 * and inverse[r] are names; if inverse[r] is NULL, relation r is symmetric. */
typedef struct ms_typed_source {
  uint32_t n;
  const char *const *names;
  const char *const *vertex_type; /* [n]; NULL: all vertices are "untyped" */
  uint64_t m;
  const uint32_t (*edges)[2];
  const uint32_t *edge_type; /* [m] */
  uint32_t n_relations;
  const char *const *relation, *const *inverse;
} ms_typed_source;
MS_API ms_status ms_typed_from_edges(const ms_typed_source *source, int threads, ms_typed **out,
                                     ms_error *err);
/* Converts a plain graph to a typed one.  It has one relation, "edge", which is directed if the
 * graph is.  The type of a vertex is its colour; several colours are joined by '|'.  coloring may
 * be NULL.  MS_ERR_INPUT: a vertex has several colours, and the name of a colour contains '|'. */
MS_API ms_status ms_typed_from_graph(const ms_graph *graph, const ms_coloring *coloring,
                                     int threads, ms_typed **out, ms_error *err);
/* Converts a typed graph to a plain one, without types of edges, self-loops and parallel edges.
 * *coloring receives the types of vertices as colours; coloring may be NULL.  Colours that
 * ms_typed_from_graph joined are several colours again. */
MS_API ms_status ms_typed_plain(const ms_typed *graph, int threads, ms_graph **plain,
                                ms_coloring **coloring, ms_error *err);
/* Writes a table that ms_typed_read reads back without options.  Its columns are source, type,
 * target, source_type and target_type; in the line of an isolated vertex the second and the third
 * are empty.  Lines "#relation:<TAB>TYPE<TAB>INVERSE" above the header give the directions.  `path`
 * is treated as by ms_graph_write.  MS_ERR_USAGE: such a table cannot express some name, or the
 * several colours of a vertex that ms_typed_from_graph joined. */
MS_API ms_status ms_typed_write(const ms_typed *graph, const char *path, ms_error *err);
/* Writes the binary form that ms_typed_read maps into memory instead of reading it, whole and with
 * the numbers of vertices and types (docs/FORMATS.md, "typed-binary").  `path` is treated as by
 * ms_graph_write. */
MS_API ms_status ms_typed_write_binary(const ms_typed *graph, const char *path, ms_error *err);

MS_API void ms_typed_free(ms_typed *graph);
MS_API ms_typed_info ms_typed_describe(const ms_typed *graph);
MS_API const char *ms_typed_name(const ms_typed *graph, uint32_t v);
/* Returns the vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_typed_find(const ms_typed *graph, const char *name);
/* Types are numbers; their names are owned by the graph. */
MS_API uint32_t ms_typed_vertex_type(const ms_typed *graph, uint32_t v);
MS_API const char *ms_typed_vertex_type_name(const ms_typed *graph, uint32_t type);
MS_API const char *ms_typed_arc_type_name(const ms_typed *graph, uint32_t type);
/* Returns the type of that name ("^r": the inverse of r), or UINT32_MAX. */
MS_API uint32_t ms_typed_find_arc_type(const ms_typed *graph, const char *name);
MS_API uint32_t ms_typed_inverse(const ms_typed *graph, uint32_t arc_type);

#endif
