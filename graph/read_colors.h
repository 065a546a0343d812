/* The colour readers, one file per format.  ms_coloring_read (read_colors.c)
 * opens the input, finds the format and builds the colouring. */
#ifndef MS_GRAPH_READ_COLORS_H
#define MS_GRAPH_READ_COLORS_H

#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/pairs.h"
#include "graph/text.h"

typedef struct ms_color_rows {
  const ms_graph *graph;
  ms_pairs pairs;  /* (vertex, colour), with repeats */
  ms_names *names; /* every colour of the file, also those of no vertex */
  ms_names *aliases;
  ms_pairs alias_of;     /* [alias id] = {alias id, colour} */
  uint64_t unknown;      /* lines whose vertex is not in the graph */
  char *unknown_example; /* the vertex of the first of them, or NULL */
  uint64_t extra;        /* table lines with more than two columns */
  ms_color_format format; /* as detected */
} ms_color_rows;

/* Both start at the current line, the first that is neither blank nor a
 * comment, and read to the end. */
ms_status ms_read_color_tsv(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                            ms_error *err);
ms_status ms_read_go_slim(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                          ms_error *err);

/* Does the current line look like one of SGD's GO slim? */
bool ms_is_go_slim(ms_text *text);

/* Add the colour to vertex v, or where v is MS_NO_ID count the line as one of
 * an unknown vertex of that name. */
ms_status ms_color_rows_add(ms_color_rows *rows, uint32_t v, ms_field name, uint32_t color,
                            ms_error *err);

#endif
