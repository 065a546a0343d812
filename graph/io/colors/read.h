/* The colour readers, one file per format.  ms_coloring_read (read.c)
 * opens the input, finds the format and builds the colouring. */
#ifndef MS_GRAPH_IO_COLORS_READ_H
#define MS_GRAPH_IO_COLORS_READ_H

#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/io/text.h"
#include "graph/pairs.h"

typedef struct ms_color_rows {
  const ms_graph *graph;
  ms_pairs pairs;  /* (vertex, colour), with repeats */
  ms_names *names; /* every colour of the file, also those of no vertex */
  ms_names *aliases;
  ms_pairs alias_of;     /* [alias id] = {alias id, colour} */
  char *unknown_example; /* the first vertex that is not in the graph, or NULL */
  ms_coloring_info info; /* the counts that readers make, and the format */
} ms_color_rows;

/* All start at the current line, the first that is neither blank nor a
 * comment, and read to the end. */
ms_status ms_read_color_table(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                              ms_error *err);
ms_status ms_read_go_slim(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                          ms_error *err);
ms_status ms_read_gaf(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                      ms_error *err);

/* For plain tables.  What stands between the columns, by the current line, which
 * is the first of data. */
ms_delimiter ms_color_delimiter(const ms_text *text);
/* fields[0], [1] = vertex and colour of the current line, both there and the
 * vertex a name.  *extra: there is a third column. */
ms_status ms_color_row(ms_text *text, ms_delimiter delimiter, ms_field fields[3], bool *extra,
                       ms_error *err);

/* ---- rows (rows.c) -------------------------------------------------------- */

/* The letter of a GO aspect: P, F or C. */
bool ms_is_aspect(ms_field field);

/* Add the colour to vertex v, or where v is MS_NO_ID count the line as one of
 * an unknown vertex of that name. */
ms_status ms_color_rows_add(ms_color_rows *rows, uint32_t v, ms_field name, uint32_t color,
                            ms_error *err);
/* The colour of an ontology's term, with its id as alias.  An id is one colour
 * under the name that it first has; a name that another id already has becomes
 * "name (id)". */
ms_status ms_color_rows_term(ms_color_rows *rows, ms_field name, ms_field id, uint32_t *color,
                             ms_error *err);
/* Another alias of the colour; it does nothing where the alias is one already. */
ms_status ms_color_rows_alias(ms_color_rows *rows, ms_field alias, uint32_t color, ms_error *err);
/* Intern "name (detail)". */
ms_status ms_color_rows_detailed(ms_color_rows *rows, ms_field name, ms_field detail,
                                 uint32_t *color, ms_error *err);

#endif
