/* Tables of interactions, one a line: what SIF, BioGRID and MITAB share. */
#ifndef MS_GRAPH_IO_COLUMNS_H
#define MS_GRAPH_IO_COLUMNS_H

#include "base/outfile.h"
#include "graph/graph.h"
#include "graph/io/read.h"

#define MS_MAX_COLUMNS 64u /* more than any of these formats has; further ones are not read */

typedef struct ms_columns {
  ms_field field[MS_MAX_COLUMNS]; /* of the current line, without the blanks around them */
  uint32_t count;
  uint32_t wanted;  /* as many as the first line split has; 0: none was yet */
  uint64_t decided; /* the number of that line */
} ms_columns;

/* Split a line at its tabs; returns the number of fields, at most `max`. */
uint32_t ms_line_columns(ms_field line, uint32_t max, ms_field *fields);
/* Split the current line, which must have `least` columns and as many as the
 * first line has: a line that was cut off would else lose its last columns
 * unseen. */
ms_status ms_columns_split(ms_columns *columns, const ms_text *text, uint32_t least, ms_error *err);

/* The same, and no more than the first line has. */
ms_status ms_columns_split_all(ms_columns *columns, const ms_text *text, uint32_t least,
                               ms_error *err);

/* "-" or nothing: the table does not say. */
bool ms_field_missing(ms_field field);
/* Equal but for the case of ASCII letters. */
bool ms_field_alike(ms_field field, const char *text);

/* The place of `wanted` in kinds, which ends with NULL; NULL is the first.
 * MS_ERR_USAGE lists them. */
ms_status ms_names_kind(const ms_text *text, const char *wanted, const char *const *kinds,
                        uint32_t *kind, ms_error *err);

/* A vertex that this line has no edge for. */
ms_status ms_edges_alone(ms_edges *edges, const ms_text *text, ms_field name, ms_error *err);

/* A row of the edge between a and b; b NULL: of the vertex a, which has none. */
typedef void (*ms_row_writer)(const char *a, const char *b, ms_outfile *out);
/* Every edge once, in the order of the vertices. */
void ms_write_rows(const ms_graph *graph, ms_row_writer write, ms_outfile *out);

#endif
