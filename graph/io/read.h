/* What a graph reader leaves behind, and how it adds to it: edges, their types
 * where a typed graph is read, and names. */
#ifndef MS_GRAPH_IO_READ_H
#define MS_GRAPH_IO_READ_H

#include "graph/io/text.h"
#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/relations.h"

#define MS_EDGE_BATCH_BYTES 4096u

/* Edges whose names are not interned yet, see ms_names_add_batch. */
typedef struct ms_edge_batch {
  char bytes[MS_EDGE_BATCH_BYTES]; /* copies of the names; lines do not last */
  size_t used;
  const char *text[MS_NAME_BATCH]; /* in bytes, or a long one in its line; two names an edge */
  size_t length[MS_NAME_BATCH];
  uint32_t count;
} ms_edge_batch;

#define MS_NO_TYPE UINT16_MAX /* no type is known; types are below their number, MS_MAX_TYPES */

/* Types of edges and vertices, for a typed graph. */
typedef struct ms_edge_types {
  const ms_typed_options *options;
  const char *label;      /* of the edges' file, for messages */
  ms_relations relations; /* the types of edges, as lines call them */
  ms_relation_rule rule;
  ms_type *word; /* [word_room] of each edge, in relations */
  uint64_t words, word_room;
  ms_names *vertex_types;
  ms_type *vertex_type; /* [type_room], the first ms_names_count(names) in use; or MS_NO_TYPE */
  uint32_t type_room;
  uint32_t nodes;                       /* vertices of the node table, which come first */
  uint64_t alone;                       /* lines of vertices without an edge */
  bool prefixes;                        /* a vertex "Kind::id" without another type has Kind */
  uint32_t last_word, last_vertex_type; /* of the line before: the next often has the same */
  ms_type waiting[MS_NAME_BATCH];       /* types of the vertices in the batch, or MS_NO_TYPE */
  uint64_t line[MS_NAME_BATCH / 2];     /* of the edges in the batch */
} ms_edge_types;

typedef struct ms_edges {
  ms_names *names;       /* vertices, in order of first appearance */
  ms_pairs pairs;        /* as in the file: with repeats and self-loops, the tail first */
  bool directed;         /* as of the options */
  ms_pairs back;         /* directed: of pairs that point both ways, the way back */
  ms_names *color_names; /* colours that the file gives its vertices; NULL: none so far */
  ms_pairs colors;       /* (vertex, colour), with repeats */
  char *taxon_prefix;    /* what the reader took off every name, or NULL */
  uint64_t below_score;  /* STRING: edges (not lines) below min_score */
  uint64_t filtered;     /* lines dropped by taxon or system */
  ms_edge_types *types;  /* NULL: a plain graph is read, and types are dropped */
  ms_edge_batch batch;
} ms_edges;

/* An edge with types, as a line has it. */
typedef struct ms_edge_line {
  ms_field source, type, target;
  ms_field source_type, target_type; /* text NULL: there is none */
} ms_edge_line;

/* Nothing is read yet; ms_edges_free accepts NULL, and what *out is after a failure. */
ms_status ms_edges_new(ms_edges **out, ms_error *err);
void ms_edges_free(ms_edges *edges);

/* Check the two names and add the edge, now or with the next ms_edges_flush. */
ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err);
/* The same with its types, where these are wanted. */
ms_status ms_edges_add_typed(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err);
/* Bring names and pairs up to date.  It follows every reader, and a reader calls it
 * before any of the functions below where it also uses those above. */
ms_status ms_edges_flush(ms_edges *edges, ms_error *err);
/* A vertex that this line has no edge for; it flushes.  type NULL, or its text: unknown. */
ms_status ms_edges_alone(ms_edges *edges, const ms_text *text, ms_field name, const ms_field *type,
                         ms_error *err);

/* Check the name and find or add the vertex. */
ms_status ms_edges_vertex(ms_edges *edges, const ms_text *text, ms_field name, uint32_t *v,
                          ms_error *err);
/* Add `count` vertices named by the numbers first, first + 1, ...; to a set of
 * vertices that is empty.  MS_ERR_INPUT where they need more memory than the
 * options grant (a few bytes of text can claim billions). */
ms_status ms_edges_number(ms_edges *edges, const ms_text *text, const ms_graph_options *options,
                          uint64_t first, uint64_t count, ms_error *err);
/* An edge between vertices that are there; to itself is allowed.  In a directed
 * graph it points from u to v. */
ms_status ms_edges_join(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* The same, but in a directed graph it points both ways. */
ms_status ms_edges_join_both(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* Check the colour's name and give it to a vertex that is there. */
ms_status ms_edges_color(ms_edges *edges, const ms_text *text, uint32_t v, ms_field color,
                         ms_error *err);

/* ---- types of edges (edge_types.c) ---------------------------------------- */

ms_status ms_edge_types_new(const char *label, const ms_typed_options *options, ms_edge_types **out,
                            ms_error *err);
void ms_edge_types_free(ms_edge_types *types); /* accepts NULL */
/* For edges.c.  The type of the line's edge, and those of its ends, which wait for the batch. */
ms_status ms_edge_types_line(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err);
/* The vertices of the batch are known now. */
ms_status ms_edge_types_flush(ms_edges *edges, uint32_t count, const uint32_t *ids, ms_error *err);
ms_status ms_edge_types_vertex(ms_edges *edges, const ms_text *text, uint32_t v,
                               const ms_field *type, ms_error *err);
/* Every vertex has a type, and words are types of arcs: `parts` takes over names, edges and types.
 */
ms_status ms_edge_types_settle(ms_edges *edges, ms_typed_parts *parts, ms_error *err);

#endif
