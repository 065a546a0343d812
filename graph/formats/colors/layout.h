/* The layouts of colour tables, and which one a file has:
 *
 *   long     YAL001C<TAB>kinase                     a vertex and a colour in each line
 *   wide     gene<TAB>kinase<TAB>nucleus            a column for each colour, with marks 0 and 1,
 *            YAL001C<TAB>1<TAB>0                    empty and x, or FALSE and TRUE
 *   lists    GO:0006281<TAB>YAL001C, YBR123C;YC1    many vertices in one cell
 *
 * The names of the graph's vertices tell lists from long tables.  What is left open is asked by an
 * error. */
#ifndef MS_GRAPH_FORMATS_COLORS_LAYOUT_H
#define MS_GRAPH_FORMATS_COLORS_LAYOUT_H

#include "graph/graph.h"
#include "graph/io/sample.h"

#define MS_COLOR_TITLE_BYTES 32

typedef struct ms_color_layout {
  ms_color_format format; /* MS_COLORS_TSV, _WIDE or _LISTS */
  bool header;            /* the first line is a header, although the options do not say so */
  bool signs;             /* colours are + and -, such as strands: - is no missing value */
  bool indexed;     /* the first column is pandas' index, without a title: vertex and colour are
                       columns 2 and 3 */
  uint32_t shift;   /* wide: 1 where the header lacks a title for the vertices; else 0 */
  uint32_t hint;    /* a column, from 1, that names vertices, other than the one that is
                       read; 0: none */
  uint32_t negated; /* a column, from 1, that says true in lines that are no annotations; 0: none */
  char title[MS_COLOR_TITLE_BYTES]; /* of the vertices; "": the first line has none */
} ms_color_layout;

/* Finds the layout of the table at whose first line of data `text` is; options->format may be that
 * of another layout, which is then only checked. */
ms_status ms_color_layout_find(const ms_text *text, const ms_sample *sample, const ms_graph *graph,
                               const ms_color_options *options, ms_color_layout *layout,
                               ms_error *err);

/* Is this the mark of a wide table?  *set: the vertex has the colour. */
bool ms_color_mark(ms_field cell, bool *set);

/* Cuts the next part off the front of a cell, without blanks around it: parts end at the
 * separator, or at a comma, semicolon or bar where that is NULL.  False at the end, where the text
 * of *rest is NULL. */
bool ms_cell_next(ms_field *rest, const char *separator, ms_field *part);

/* Takes the brackets at the ends off a name in a list, which group names, as CORUM does. */
ms_field ms_without_brackets(ms_field name);

/* A separator of colours that means that cells are not split. */
#define MS_NO_SEPARATOR "none"

#endif
