/* The parts of motifsieve gen. */
#ifndef MS_CLI_GEN_H
#define MS_CLI_GEN_H

#include "base/file/folder.h"
#include "base/file/outfile.h"
#include "cli/options/options.h"
#include "graph/generate/generate.h"

typedef struct ms_gen_work {
  const ms_cli_options *options;
  bool writes;        /* the graph is written, and not only patterns */
  ms_graph_format to; /* a graph with types of edges: MS_FORMAT_TABLE or MS_FORMAT_TYPED_BINARY */
  ms_graph *graph;
  ms_graph *before;      /* the graph before its names changed; NULL: they did not */
  uint32_t *from;        /* [n] with `before`: its vertex for each one of `graph` */
  ms_coloring *coloring; /* NULL: the vertices have no colours */
  ms_typed *given;       /* the file's graph with types of edges, in its own order; `graph` is its
                            plain graph, and `coloring` its types of vertices.  NULL: the graph has
                            no types that are kept */
  ms_typed *typed;       /* what is written; NULL: no types of edges */
  ms_planted planted;
} ms_gen_work;

/* Cuts patterns out of the graph and writes them to their folder, which the caller commits or
 * aborts (gen_patterns.c).  *folder is NULL after a failure. */
ms_status ms_gen_patterns(const ms_gen_work *work, ms_folder **folder, ms_error *err);

#endif
