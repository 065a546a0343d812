/* Graph formats, one file each: how to tell it, read it and write it.
 *
 * ms_graph_read (read.c) opens the input, asks each format in turn whether the
 * file is its own, and builds the graph from what the reader leaves in an
 * ms_edges.  ms_graph_write (write.c) opens the output. */
#ifndef MS_GRAPH_IO_FORMAT_H
#define MS_GRAPH_IO_FORMAT_H

#include "base/outfile.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/io/read.h"

#define MS_HEAD_BYTES ((size_t)64 << 10) /* of a file, to tell its format */

/* What a file begins with. */
typedef struct ms_head {
  const char *path;  /* for its ending */
  const char *bytes; /* uncompressed, not NUL-terminated, NULs possible */
  size_t length;
  bool whole; /* this is all of the file */
} ms_head;

/* Line `number` (from 0) without its end; false where the head has no such
 * line, or not all of it. */
bool ms_head_line(const ms_head *head, uint32_t number, ms_field *line);
/* The same, past blank lines and comments (as ms_text_next_data). */
bool ms_head_data_line(const ms_head *head, uint32_t number, ms_field *line);
/* Does the path end so, perhaps with .gz or .zst behind? */
bool ms_head_has_suffix(const ms_head *head, const char *suffix);

/* Options that only some formats have. */
enum {
  MS_HAS_SCORE = 1,     /* min_score */
  MS_HAS_TAXON = 2,     /* taxon */
  MS_HAS_SYSTEM = 4,    /* system */
  MS_HAS_NAMES = 8,     /* names */
  MS_HAS_HEADER = 16,   /* header */
  MS_HAS_PREFIX = 32,   /* keep_taxon */
  MS_HAS_DIRECTION = 64 /* directed */
};

/* What a format is as one of typed graphs. */
typedef struct ms_typed_format_info {
  const char *name, *about, *example; /* about: a line; example: a small file */
} ms_typed_format_info;

typedef struct ms_format {
  ms_graph_format_info info;  /* as a format of plain graphs; name NULL: it is none */
  ms_typed_format_info typed; /* name NULL: its edges have no types */
  unsigned options;           /* MS_HAS_... */
  /* Is this file certainly or most likely in the format?  Cheap, and false
   * rather than a guess: the edge list is last and takes all that is left. */
  bool (*detect)(const ms_head *head);
  /* From in front of the first line to the end of the input.  edges->types: a typed graph is
   * wanted, and what only that has is in its options. */
  ms_status (*read)(ms_text *text, const ms_graph_options *options, ms_edges *edges, ms_error *err);
  /* A plain graph where `read` does not lead to one; `path` is what `text` has open.  NULL: it
   * does. */
  ms_status (*load)(const char *path, ms_text *text, const ms_graph_options *options,
                    ms_graph **out, ms_error *err);
  /* NULL: cannot be written.  Errors of the output stick to it and are not
   * looked at here; `coloring` may be NULL.  Vertices without edges, ids and
   * their order survive as far as the format can say them. */
  ms_status (*write)(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                     ms_error *err);
} ms_format;

extern const ms_format ms_format_edge_list, ms_format_string;
extern const ms_format ms_format_sif, ms_format_biogrid, ms_format_mitab;
extern const ms_format ms_format_binary;
extern const ms_format ms_format_matrix_market, ms_format_dimacs, ms_format_metis,
    ms_format_graphml;
extern const ms_format ms_format_tve, ms_format_lad;
extern const ms_format ms_format_table, ms_format_hetionet;

/* Does the file begin with a line of relations, as no other than a table of typed edges does? */
bool ms_head_has_relations(const ms_head *head);

/* Never NULL for a value of the enum above MS_FORMAT_AUTO. */
const ms_format *ms_format_of(ms_graph_format format);
/* The format of the file; never MS_FORMAT_AUTO. */
ms_graph_format ms_format_detect(const ms_head *head);

/* ms_graph_read of an input that is open, in front of its first line. */
ms_status ms_graph_read_text(const char *path, ms_text *text, const ms_graph_options *options,
                             ms_graph **out, ms_error *err);

/* For writers of text: an MS_ERR_USAGE that names the first vertex whose name
 * holds one of `forbidden`, begins with one of `forbidden_first` or a byte
 * order mark, or begins or ends with a blank. */
ms_status ms_check_names(const ms_graph *graph, const char *forbidden, const char *forbidden_first,
                         const char *format, ms_error *err);
/* The same of any table of names; `what` they name: "vertex". */
ms_status ms_check_name_table(const ms_names *names, const char *what, const char *forbidden,
                              const char *forbidden_first, const char *format, ms_error *err);

#endif
