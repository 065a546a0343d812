/* Graph formats.  Each has a file, which reads and writes it; detect.h says which one a file is in.
 *
 * ms_graph_read (read.c) opens the input, detects its format, and builds the graph from what the
 * reader leaves in an ms_edges.  ms_graph_write (write.c) opens the output. */
#ifndef MS_GRAPH_FORMATS_FORMAT_H
#define MS_GRAPH_FORMATS_FORMAT_H

#include "base/file/outfile.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/io/edges/edges.h"

/* Options that only some formats have. */
enum {
  MS_HAS_SCORE = 1,             /* min_score, score_column */
  MS_HAS_TAXON = 2,             /* taxon */
  MS_HAS_SYSTEM = 4,            /* system */
  MS_HAS_NAMES = 8,             /* names */
  MS_HAS_HEADER = 16,           /* header */
  MS_HAS_PREFIX = 32,           /* keep_taxon */
  MS_HAS_DIRECTION = 64,        /* directed */
  MS_HAS_COLUMNS = 128,         /* source_column, target_column */
  MS_HAS_NO_HEADER = 256,       /* no_header */
  MS_HAS_COLOR_ATTRIBUTE = 512, /* color_attribute */
  MS_HAS_KEPT_SCORES = 1024,    /* keep_scores */
  MS_HAS_COMBINE = 2048         /* combine, direction_column */
};

/* A format as one of typed graphs. */
typedef struct ms_typed_format_info {
  const char *name, *about, *example; /* about: a line; example: a small file */
} ms_typed_format_info;

/* Reads from in front of the first line to the end of the input.  edges->types is not NULL where a
 * typed graph is wanted; it has the options that only typed graphs have. */
typedef ms_status ms_edge_reader(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                                 ms_error *err);

typedef struct ms_format {
  ms_graph_format_info info;  /* as a format of plain graphs; name NULL: typed graphs only */
  ms_typed_format_info typed; /* name NULL: edges have no types in this format */
  unsigned options;           /* MS_HAS_... */
  ms_edge_reader *read;
  /* Loads a plain graph where `read` and ms_graph_build do not; `path` is what `text` has open.
   * NULL: they do. */
  ms_status (*load)(const char *path, ms_text *text, const ms_graph_options *options,
                    ms_graph **out, ms_error *err);
  /* NULL: the format cannot be written.  The output remembers its errors, so this does not check
   * them; `coloring` may be NULL.  Vertices without edges, ids and their order survive as far as
   * the format can express them. */
  ms_status (*write)(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                     ms_error *err);
  bool writes_directions; /* `write` keeps the directions of edges */
  bool rereads; /* `read` needs all edges at its end, so that they have to fit into memory */
} ms_format;

extern const ms_format ms_format_edge_list, ms_format_string;
extern const ms_format ms_format_sif, ms_format_biogrid, ms_format_mitab;
extern const ms_format ms_format_binary;
extern const ms_format ms_format_matrix_market, ms_format_dimacs, ms_format_metis,
    ms_format_graphml, ms_format_cx2;
extern const ms_format ms_format_tve, ms_format_lad, ms_format_ri, ms_format_motif;
extern const ms_format ms_format_table, ms_format_hetionet, ms_format_typed_binary;

/* Never NULL for a value of the enum above MS_FORMAT_AUTO. */
const ms_format *ms_format_of(ms_graph_format format);
/* Makes the plain graph of edges that were read in this format.  The caller frees *out, also after
 * a failure. */
ms_status ms_graph_from_edges_read(const char *path, const ms_text *text, ms_graph_format format,
                                   const ms_graph_options *options, ms_edges *edges, ms_graph **out,
                                   ms_error *err);
/* Does what ms_graph_read does, for an open input in front of its first line. */
ms_status ms_graph_read_text(const char *path, ms_text *text, const ms_graph_options *options,
                             ms_graph **out, ms_error *err);

#endif
