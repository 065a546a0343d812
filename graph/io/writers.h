/* What the writers of text formats share. */
#ifndef MS_GRAPH_IO_WRITERS_H
#define MS_GRAPH_IO_WRITERS_H

#include "base/file/outfile.h"
#include "graph/graph.h"

/* Checks that text can hold the names.  MS_ERR_USAGE names the first vertex whose name holds one
 * of `forbidden`, begins with one of `forbidden_first` or a byte order mark, or begins or ends with
 * a blank. */
ms_status ms_check_names(const ms_graph *graph, const char *forbidden, const char *forbidden_first,
                         const char *format, ms_error *err);
/* Does the same for any table of names; `what` says what they name: "vertex". */
ms_status ms_check_name_table(const ms_names *names, const char *what, const char *forbidden,
                              const char *forbidden_first, const char *format, ms_error *err);

/* Writes the row of the edge between a and b; b NULL: of the vertex a, which has no edge. */
typedef void (*ms_row_writer)(const char *a, const char *b, ms_outfile *out);
/* Writes every edge once, in the order of the vertices. */
void ms_write_rows(const ms_graph *graph, ms_row_writer write, ms_outfile *out);

#endif
