/* Tables, one edge a line: what SIF, BioGRID, MITAB and tables with types share. */
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

/* A row of the edge between a and b; b NULL: of the vertex a, which has none. */
typedef void (*ms_row_writer)(const char *a, const char *b, ms_outfile *out);
/* Every edge once, in the order of the vertices. */
void ms_write_rows(const ms_graph *graph, ms_row_writer write, ms_outfile *out);

/* ---- columns by name ------------------------------------------------------- */

/* One column of a table by what its header calls it. */
typedef struct ms_column_choice {
  const char *chosen;       /* by name or number from 1; NULL: one of `usual` */
  const char *const *usual; /* ends with NULL; the first that is there */
  const char *what;         /* "column of sources" */
  const char *option;       /* that chooses it: "source column" */
} ms_column_choice;

#define MS_NO_COLUMN UINT32_MAX

/* The place of the column in the header, from 0; MS_NO_COLUMN where nothing is
 * chosen and none of the usual names is there.  An error: the chosen one is not
 * there, or the name stands there twice. */
ms_status ms_column_find(const ms_text *text, const ms_columns *header,
                         const ms_column_choice *choice, uint32_t *column, ms_error *err);
/* The first of the usual names, or MS_NO_COLUMN. */
uint32_t ms_column_usual(const ms_field *header, uint32_t count, const char *const *usual);
/* Is the choice of a column one by number? */
bool ms_column_is_number(const char *column);

#endif
