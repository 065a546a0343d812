/* Files of two tables, such as Pathway Commons' extended SIF: edges, a blank line, and a table of
 * nodes with a header of its own.  Edge lists, tables of typed edges and SIF files may be such. */
#ifndef MS_GRAPH_IO_SECTIONS_H
#define MS_GRAPH_IO_SECTIONS_H

#include "graph/io/edges/edges.h"

/* The table that is read. */
typedef struct ms_section {
  ms_delimiter delimiter;
  uint32_t columns;   /* of each line; 0: unknown, and only titles begin another table */
  uint64_t uniform;   /* the line up to which they have as many, as far as the reader knows */
  bool titled;        /* it has a header, whose titles say which columns the ends are */
  const char *format; /* to name where the line is an edge; NULL: it is given, and there is no
                         second table */
} ms_section;

/* Moves to the next line of data.  A line below a blank one that begins a table of another kind is
 * the end of a titled table (edges->layout.section is its line) and otherwise an error. */
ms_status ms_section_next(ms_text *text, const ms_section *section, ms_edges *edges, ms_error *err);

#endif
