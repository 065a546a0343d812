/* From an open file of typed edges to a typed graph. */
#ifndef MS_GRAPH_FORMATS_TYPED_LOAD_H
#define MS_GRAPH_FORMATS_TYPED_LOAD_H

#include "graph/formats/format.h"
#include "graph/typed.h"

/* Loads the graph from the beginning of `text`, which `path` has open and which `read` reads. */
ms_status ms_typed_load(const char *path, ms_text *text, ms_typed_format format,
                        ms_edge_reader *read, const ms_typed_options *options, ms_typed **out,
                        ms_error *err);

/* Scores of edges, which a typed graph does not keep. */
typedef struct ms_scored_edges {
  uint64_t count;
  uint32_t (*pair)[2]; /* [count] vertices of the graph, as in the file */
  float *score;        /* [count] */
} ms_scored_edges;

/* Does the same, and gives the scores of all edges to the caller, who frees them. */
ms_status ms_typed_load_scored(const char *path, ms_text *text, ms_typed_format format,
                               ms_edge_reader *read, const ms_typed_options *options,
                               ms_scored_edges *scored, ms_typed **out, ms_error *err);
void ms_scored_edges_free(ms_scored_edges *scored);

/* The second half of ms_typed_load: makes the graph of edges that were read and flushed. */
ms_status ms_typed_build_edges(const char *path, const ms_text *text,
                               const ms_typed_options *options, ms_typed_info *info,
                               ms_edges *edges, ms_typed **out, ms_error *err);

/* Returns the options with which the same file is read as a plain graph. */
ms_graph_options ms_typed_as_plain(const ms_typed_options *options);
/* Reads the tables of nodes and relations that the options name: the vertices of nodes become the
 * first ones. */
ms_status ms_typed_read_tables(ms_edges *edges, ms_typed_info *info, ms_error *err);

#endif
