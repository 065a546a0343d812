/* The edges, types and names that a graph reader collects, and the calls by which it adds to
 * them. */
#ifndef MS_GRAPH_IO_EDGES_H
#define MS_GRAPH_IO_EDGES_H

#include "graph/io/edges/repeats.h"
#include "graph/io/text.h"
#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/relations.h"
#include "graph/runs.h"

#define MS_EDGE_BATCH_BYTES 4096u

/* Edges whose names have no ids yet, see ms_names_add_batch. */
typedef struct ms_edge_batch {
  char bytes[MS_EDGE_BATCH_BYTES]; /* copies of the names, as lines are overwritten */
  size_t used;
  const char
      *text[MS_NAME_BATCH]; /* in bytes, or a long one in its line; two names for each edge */
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

/* What the score of several lines of one pair is (combine.h). */
typedef enum ms_combine { MS_COMBINE_MAX, MS_COMBINE_SUM, MS_COMBINE_COUNT } ms_combine;

typedef struct ms_edges {
  ms_names *names;              /* vertices, in order of first appearance */
  ms_pairs pairs;               /* as in the file, with repeats and self-loops; the tail is first */
  bool directed;                /* as the options say */
  ms_pairs back;                /* directed: the reverse of each pair that points both ways */
  ms_names *color_names;        /* colours that the file gives its vertices; NULL: none so far */
  ms_pairs colors;              /* (vertex, colour), with repeats, see MS_DEFAULT_COLORS */
  ms_pairs default_colors;      /* (0, colour) */
  char *taxon_prefix;           /* what the reader removed from every name, or NULL */
  ms_names *labels;             /* different labels of edges; NULL: no line has given one so far */
  uint64_t labelled;            /* edges with a label */
  struct ms_given_motif *motif; /* graph/given_motif.h; NULL: the file states none */
  uint64_t below_score;         /* edges (not lines) below min_score */
  float *score;                 /* [score_room] of each pair; NULL: scores are not kept */
  uint64_t scores, score_room;
  ms_edge_layout layout;   /* the columns that were read */
  uint64_t filtered;       /* lines dropped by taxon or system */
  ms_edge_types *types;    /* NULL: a plain graph is read, and types are dropped */
  ms_runs *runs;           /* takes the pairs that do not fit into memory; NULL: all must fit */
  uint64_t sorted;         /* pairs that it has taken */
  uint32_t ahead;          /* pairs have vertices below it that get their names later; 0: none do */
  ms_progress_fn progress; /* called with lines; NULL: none */
  void *progress_user;
  double reported;     /* time of the last call */
  ms_combine combine;  /* combine.h: what several scores of a pair are */
  ms_repeats *repeats; /* scores of pairs; NULL: none so far */
  ms_edge_batch batch;
} ms_edges;

/* The edge of a line, with types. */
typedef struct ms_edge_line {
  ms_field source, type, target;
  ms_field source_type, target_type; /* text NULL: there is none */
} ms_edge_line;

/* Makes a struct without edges; ms_edges_free accepts NULL, and *out after a failure. */
ms_status ms_edges_new(ms_edges **out, ms_error *err);
void ms_edges_free(ms_edges *edges);

/* Makes room for more pairs, and for more names of `bytes` bytes together, within the limit of
 * memory (edge_room.c).  If there is none, the pairs go to edges->runs.  Without runs it does
 * nothing: the functions that add them fail where memory ends. */
ms_status ms_edges_make_room(ms_edges *edges, uint64_t pairs, uint64_t names, uint64_t bytes,
                             ms_error *err);
/* Moves all pairs to edges->runs, and frees their memory. */
ms_status ms_edges_sort_out(ms_edges *edges, ms_error *err);

/* Checks the two names and adds the edge, now or with the next ms_edges_flush. */
ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err);
/* Does the same for an edge with types, which are dropped where a plain graph is read. */
ms_status ms_edges_add_typed(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err);
/* Does the same for an edge that may have a type; without one (an empty field) it is "*". */
ms_status ms_edges_add_labelled(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                                ms_error *err);
/* Adds the waiting edges to names and pairs.  It follows every reader; a reader that uses
 * functions above calls it before it uses one below. */
ms_status ms_edges_flush(ms_edges *edges, ms_error *err);
/* Adds a vertex for which the line has no edge; flushes.  The type is unknown where `type` or
 * its text is NULL. */
ms_status ms_edges_alone(ms_edges *edges, const ms_text *text, ms_field name, const ms_field *type,
                         ms_error *err);

/* Checks the name and finds or adds the vertex. */
ms_status ms_edges_vertex(ms_edges *edges, const ms_text *text, ms_field name, uint32_t *v,
                          ms_error *err);
/* MS_ERR_INPUT where `count` vertices need more memory than the options allow (a few bytes of text
 * can claim billions). */
ms_status ms_edges_expect(const ms_text *text, uint64_t count, ms_error *err);
/* Does the same, and adds `count` vertices named by the numbers first, first + 1, ..., which are
 * new. */
ms_status ms_edges_number(ms_edges *edges, const ms_text *text, uint64_t first, uint64_t count,
                          ms_error *err);
/* Adds an edge between existing vertices, which may be equal.  In a directed graph it points
 * from u to v. */
ms_status ms_edges_join(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* Does the same for an edge with a label, which is its type in a typed graph.  label.text NULL: it
 * has none, which in a typed graph is the type "*". */
ms_status ms_edges_join_labelled(ms_edges *edges, const ms_text *text, uint32_t u, uint32_t v,
                                 ms_field label, ms_error *err);
/* Counts the label of an edge of a plain graph, which does not keep it. */
ms_status ms_edges_note_label(ms_edges *edges, const ms_text *text, ms_field label, ms_error *err);
/* Does what ms_edges_join does, but in a directed graph the edge points both ways. */
ms_status ms_edges_join_both(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* Checks the colour's name and gives it to an existing vertex. */
ms_status ms_edges_color(ms_edges *edges, const ms_text *text, uint32_t v, ms_field color,
                         ms_error *err);
/* Keeps the score of the edge that was added last, or will be added next.  Either all edges of a
 * file have one, or none. */
ms_status ms_edges_score(ms_edges *edges, double score, ms_error *err);
/* Adds a colour of all vertices without their own (ms_edges_color_by_default). */
ms_status ms_edges_default_color(ms_edges *edges, const ms_text *text, ms_field color,
                                 ms_error *err);
/* Gives the vertex these colours, which takes one pair, however many they are. */
ms_status ms_edges_color_by_default(ms_edges *edges, uint32_t v, ms_error *err);

/* ---- types of edges (edge_types.c) ---------------------------------------- */

ms_status ms_edge_types_new(const char *label, const ms_typed_options *options, ms_edge_types **out,
                            ms_error *err);
void ms_edge_types_free(ms_edge_types *types); /* accepts NULL */
/* For edges.c.  Adds the type of the line's edge; the types of its ends wait for the batch. */
ms_status ms_edge_types_line(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err);
/* Assigns the waiting types to the vertices of the batch, which are now known. */
ms_status ms_edge_types_flush(ms_edges *edges, uint32_t count, const uint32_t *ids, ms_error *err);
/* For edges.c.  Adds the type of an edge between vertices that exist. */
ms_status ms_edge_types_word(ms_edges *edges, const ms_text *text, ms_field word, ms_error *err);
/* Makes the colours of the vertices, at most one each, their types. */
ms_status ms_edge_types_from_colors(ms_edges *edges, ms_error *err);
ms_status ms_edge_types_vertex(ms_edges *edges, const ms_text *text, uint32_t v,
                               const ms_field *type, ms_error *err);
/* Gives every vertex a type, turns words into types of arcs, and moves names, edges and types to
 * `parts`. */
ms_status ms_edge_types_settle(ms_edges *edges, ms_typed_parts *parts, ms_error *err);

#endif
