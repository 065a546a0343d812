/* The colour readers, one file per format.  ms_coloring_read (read.c) opens the file, detects
 * its format and builds the colouring. */
#ifndef MS_GRAPH_FORMATS_COLORS_READ_H
#define MS_GRAPH_FORMATS_COLORS_READ_H

#include "graph/colors.h"
#include "graph/formats/colors/layout.h"
#include "graph/graph.h"
#include "graph/io/text.h"
#include "graph/pairs.h"
#include "graph/spellings.h"

#define MS_UNKNOWN_EXAMPLES 3

typedef struct ms_color_rows {
  const ms_graph *graph;
  ms_pairs pairs;  /* (vertex, colour), with repeats */
  ms_names *names; /* every colour of the file, also colours that no vertex has */
  ms_names *aliases;
  ms_pairs alias_of; /* [alias id] = {alias id, colour} */
  struct {
    char *name; /* NULL: there is none */
    uint64_t line;
  } unknown[MS_UNKNOWN_EXAMPLES]; /* the first different vertices that are not in the graph */
  ms_color_layout layout;         /* of a table */
  ms_delimiter delimiter;         /* of its columns */
  bool literal; /* this program wrote the table: each cell is one colour, whatever it looks like */
  ms_spellings *spellings; /* of the graph's vertices; NULL: none was needed so far */
  const ms_text *text;     /* the file */
  ms_coloring_info info;   /* the counts that readers make, and the format */
} ms_color_rows;

/* These start at the current line, the first one that is neither blank nor a comment, and read
 * to the end. */
ms_status ms_read_color_table(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                              ms_error *err);
ms_status ms_read_wide_colors(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                              ms_error *err);
ms_status ms_read_go_slim(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                          ms_error *err);
ms_status ms_read_gmt(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                      ms_error *err);
/* The line of titles of phenotype.hpoa begins so. */
#define MS_HPOA_TITLE "database_id\t"
/* Is the line one of GAF, GPAD, gene2go or phenotype.hpoa, whether or not its file says so? */
bool ms_is_annotation(ms_field line);
ms_status ms_read_gaf(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                      ms_error *err);

/* For plain tables.  Returns the delimiter of the columns, which the current line decides, the
 * first one with data. */
ms_delimiter ms_color_delimiter(const ms_text *text);
/* Sets fields[0] and [1] to vertex and colour of the current line.  Fails where one is missing
 * or the vertex is no name.  *extra: there is a third column. */
ms_status ms_color_row(ms_text *text, ms_delimiter delimiter, ms_field fields[3], bool *extra,
                       ms_error *err);

/* ---- rows (rows.c) -------------------------------------------------------- */

/* Is the field the letter of a GO aspect: P, F or C? */
bool ms_is_aspect(ms_field field);
/* Is it a qualifier that says that the line is no annotation: "NOT", "NOT|involved_in", "NOT
 * involved_in", "involved_in;NOT"? */
bool ms_is_negated(ms_field qualifier);

/* Checks the name and finds its vertex, which may be spelled in another way of Unicode; counts the
 * name as one of an unknown vertex where *v is MS_NO_ID. */
ms_status ms_color_rows_vertex(ms_color_rows *rows, const ms_text *text, ms_field name, uint32_t *v,
                               ms_error *err);
/* Adds the colour to vertex v or, where v is MS_NO_ID, counts the line as one of an unknown
 * vertex of that name. */
ms_status ms_color_rows_add(ms_color_rows *rows, uint32_t v, ms_field name, uint32_t color,
                            ms_error *err);
/* Finds or adds the colour of an ontology's term, with its id as alias.  An id is one colour
 * under the name that it first has; a name that another id already has becomes "name (id)". */
ms_status ms_color_rows_term(ms_color_rows *rows, ms_field name, ms_field id, uint32_t *color,
                             ms_error *err);
/* Adds another alias of the colour; does nothing where the alias already exists. */
ms_status ms_color_rows_alias(ms_color_rows *rows, ms_field alias, uint32_t color, ms_error *err);
/* Finds or adds the colour "name (detail)". */
ms_status ms_color_rows_detailed(ms_color_rows *rows, ms_field name, ms_field detail,
                                 uint32_t *color, ms_error *err);

#endif
