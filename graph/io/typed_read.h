/* What a reader of typed graphs leaves behind, and how it adds to it; the
 * formats, one file each. */
#ifndef MS_GRAPH_IO_TYPED_READ_H
#define MS_GRAPH_IO_TYPED_READ_H

#include "graph/io/columns.h"
#include "graph/io/format.h"
#include "graph/relations.h"
#include "graph/typed.h"

#define MS_NO_TYPE UINT16_MAX /* no type is known; types are below their number, MS_MAX_TYPES */
#define MS_TYPED_BATCH_BYTES 4096u

/* Edges whose names are not interned yet, see ms_names_add_batch. */
typedef struct ms_typed_batch {
  char bytes[MS_TYPED_BATCH_BYTES]; /* copies of the names; lines do not last */
  size_t used;
  const char *text[MS_NAME_BATCH]; /* in bytes; two names an edge */
  size_t length[MS_NAME_BATCH];
  ms_type vertex_type[MS_NAME_BATCH]; /* or MS_NO_TYPE */
  ms_type word[MS_NAME_BATCH / 2];    /* [edges] */
  uint64_t line[MS_NAME_BATCH / 2];   /* [edges] */
  uint32_t count;                     /* of names */
} ms_typed_batch;

typedef struct ms_typed_input {
  const ms_typed_options *options;
  const char *label;    /* of the edges' file, for messages */
  ms_names *names;      /* vertices: those of the node table, then by first appearance */
  uint32_t nodes;       /* vertices of the node table */
  ms_type *vertex_type; /* [type_room], the first ms_names_count(names) in use */
  uint32_t type_room;
  ms_names *vertex_types;
  ms_relations relations;
  ms_relation_rule rule;
  bool prefixes;       /* a vertex "Kind::id" of which nothing else is known has the type Kind */
  uint32_t (*edge)[2]; /* [edge_room] */
  ms_type *word;       /* [edge_room] in relations */
  uint64_t edges, edge_room;
  uint64_t alone;                       /* lines of vertices without an edge */
  uint32_t last_word, last_vertex_type; /* that lines had: the next often has the same */
  ms_typed_batch batch;
} ms_typed_input;

/* An edge, as a line has it. */
typedef struct ms_typed_line {
  ms_field source, type, target;
  bool source_typed, target_typed; /* these are there: */
  ms_field source_type, target_type;
} ms_typed_line;

/* Check all names and add the edge, now or with the next flush. */
ms_status ms_typed_input_edge(ms_typed_input *input, const ms_text *text, const ms_typed_line *line,
                              ms_error *err);
/* A vertex without an edge; `type` NULL: of no type that is known here. */
ms_status ms_typed_input_vertex(ms_typed_input *input, const ms_text *text, ms_field name,
                                const ms_field *type, ms_error *err);
/* Bring names and edges up to date.  A reader ends with it. */
ms_status ms_typed_input_flush(ms_typed_input *input, ms_error *err);

/* One column of a table by what its header calls it. */
typedef struct ms_column_choice {
  const char *chosen;       /* by name or number from 1; NULL: one of `usual` */
  const char *const *usual; /* ends with NULL; the first that is there */
  const char *what;         /* "column of sources" */
  const char *option;       /* that chooses it: "source column" */
} ms_column_choice;

#define MS_NO_COLUMN UINT32_MAX

/* The place of the column in the header, from 0; MS_NO_COLUMN where nothing is
 * chosen and none of the usual names is there.  An error: the chosen one is not
 * there, or the name stands there twice. */
ms_status ms_column_find(const ms_text *text, const ms_columns *header,
                         const ms_column_choice *choice, uint32_t *column, ms_error *err);
/* The first of the usual names, or MS_NO_COLUMN. */
uint32_t ms_column_usual(const ms_field *header, uint32_t count, const char *const *usual);

/* The table of nodes: its vertices become the first ones. */
ms_status ms_typed_read_nodes(ms_typed_input *input, const char *path, uint32_t *crc32c,
                              ms_error *err);

/* What a line of relations above the header of a table begins with; the type
 * and its inverse follow, between tabs. */
#define MS_RELATION_MARK "#relation:\t"
/* Does the file begin with one? */
bool ms_typed_has_relations(const ms_head *head);
/* Lines of relations, or a header with tabs that has the columns of sources, types and targets.
 * Files of several other formats look so, too: to be asked after these. */
bool ms_typed_is_table(const ms_head *head);

/* ---- formats --------------------------------------------------------------- */

typedef struct ms_typed_reader {
  const char *name, *about, *example; /* about: a line; example: a small file */
  bool (*detect)(const ms_head *head);
  /* From in front of the first line to the end of the input. */
  ms_status (*read)(ms_text *text, ms_typed_input *input, ms_error *err);
} ms_typed_reader;

extern const ms_typed_reader ms_typed_hetionet, ms_typed_sif, ms_typed_table;

/* ms_typed_write; without `numbers` vertices may be read back in another order, and
 * only those without edges have a line of their own. */
ms_status ms_typed_write_table(const ms_typed *graph, const char *path, bool numbers,
                               ms_error *err);

/* "auto", "hetionet", "sif", "table"; NULL above. */
const char *ms_typed_format_name(ms_typed_format format);
bool ms_typed_format_find(const char *name, ms_typed_format *format);
/* Above MS_TYPED_AUTO. */
const ms_typed_reader *ms_typed_reader_of(ms_typed_format format);

/* From the begin of `text`, which `path` has open. */
ms_status ms_typed_read_open(const char *path, ms_text *text, ms_typed_format format,
                             const ms_typed_options *options, ms_typed **out, ms_error *err);

/* ms_typed_read; but with MS_TYPED_AUTO a file that nothing tells to be typed
 * is read as ms_graph_read does, with `plain`, and goes into *graph.  Exactly
 * one of *out and *graph is not NULL. */
ms_status ms_typed_read_or_plain(const char *path, const ms_typed_options *options,
                                 const ms_graph_options *plain, ms_typed **out, ms_graph **graph,
                                 ms_error *err);

#endif
