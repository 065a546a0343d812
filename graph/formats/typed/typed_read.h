/* Typed graphs from files; format.h has the formats. */
#ifndef MS_GRAPH_FORMATS_TYPED_READ_H
#define MS_GRAPH_FORMATS_TYPED_READ_H

#include "graph/formats/format.h"
#include "graph/typed.h"

/* Does what ms_typed_write does.  Without `numbers`, vertices may be read back in another order,
 * and only vertices without edges have their own lines. */
ms_status ms_typed_write_table(const ms_typed *graph, const char *path, bool numbers,
                               ms_error *err);

/* "auto", "hetionet", "sif", "table"; NULL above. */
const char *ms_typed_format_name(ms_typed_format format);
bool ms_typed_format_find(const char *name, ms_typed_format *format);
/* For a format above MS_TYPED_AUTO. */
const ms_typed_format_info *ms_typed_format_describe(ms_typed_format format);

/* Does what ms_typed_read does, but with MS_TYPED_AUTO a file whose edges show no types is read
 * by ms_graph_read, with `plain`, into *graph.  Exactly one of *out and *graph is not NULL. */
ms_status ms_typed_read_or_plain(const char *path, const ms_typed_options *options,
                                 const ms_graph_options *plain, ms_typed **out, ms_graph **graph,
                                 ms_error *err);
/* Does the same for an open input in front of its first line. */
ms_status ms_typed_read_or_plain_text(const char *path, ms_text *text,
                                      const ms_typed_options *options,
                                      const ms_graph_options *plain, ms_typed **out,
                                      ms_graph **graph, ms_error *err);

#endif
