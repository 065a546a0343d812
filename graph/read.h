/* The graph readers, one file per format.  ms_graph_read (read.c) opens the
 * input, finds the format and builds the graph from what a reader leaves. */
#ifndef MS_GRAPH_READ_H
#define MS_GRAPH_READ_H

#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/text.h"

#define MS_EDGE_BATCH_BYTES 4096u

/* Edges whose names are not interned yet, see ms_names_add_batch. */
typedef struct ms_edge_batch {
  char bytes[MS_EDGE_BATCH_BYTES]; /* copies of the names; lines do not last */
  size_t used;
  const char *text[MS_NAME_BATCH]; /* in bytes; two names an edge */
  size_t length[MS_NAME_BATCH];
  uint32_t count;
} ms_edge_batch;

typedef struct ms_edges {
  ms_names *names;      /* vertices, in order of first appearance */
  ms_pairs pairs;       /* as in the file: with repeats and self-loops */
  uint64_t below_score; /* STRING: edges (not lines) below min_score */
  ms_edge_batch batch;
} ms_edges;

/* Both start at the current line, the first that is neither blank nor a
 * comment, and read to the end. */
ms_status ms_read_edge_list(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                            ms_error *err);
ms_status ms_read_string(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                         ms_error *err);

/* Is the current line the header of a STRING file? */
bool ms_is_string_header(const ms_text *text);

/* Check the two names and add the edge, now or with the next ms_edges_flush. */
ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err);
/* Bring names and pairs up to date. */
ms_status ms_edges_flush(ms_edges *edges, ms_error *err);

#endif
