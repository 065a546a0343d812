/* Which columns of a table hold the ends of edges and their scores, and is its first line a
 * header?  What the titles and the first lines leave open is asked by an error: an edge that is
 * made of a header, or of a gene's number and its own symbol, would go unnoticed. */
#ifndef MS_GRAPH_IO_EDGE_COLUMNS_H
#define MS_GRAPH_IO_EDGE_COLUMNS_H

#include "graph/io/edges.h"

typedef struct ms_edge_columns {
  ms_delimiter delimiter;
  uint32_t source, target; /* from 0 */
  uint32_t score;          /* MS_NO_COLUMN: scores are not read */
  uint32_t pairs;          /* pairs of titles that could be the ends; 0: there are no such titles */
  bool header;             /* the first data line is a header */
  bool recognized;         /* by its titles; the options do not say so */
  uint64_t line;           /* the number of that line */
  char *titles[2];         /* recognized: the titles of the ends */
} ms_edge_columns;

/* Looks at the beginning of `text`, which is in front of its first line and stays there.  The
 * caller calls ms_edge_columns_free, also after a failure. */
ms_status ms_edge_columns_find(ms_text *text, const ms_graph_options *options,
                               ms_edge_columns *columns, ms_error *err);
void ms_edge_columns_free(ms_edge_columns *columns);

/* Checks, after all lines were read, that no vertex has a title of a header that was recognized:
 * otherwise the header may be an edge. */
ms_status ms_edge_columns_check(const ms_edge_columns *columns, const ms_text *text,
                                const ms_names *vertices, ms_error *err);

#endif
