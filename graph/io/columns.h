/* Tables, one edge a line: what SIF, BioGRID, MITAB and tables with types share. */
#ifndef MS_GRAPH_IO_COLUMNS_H
#define MS_GRAPH_IO_COLUMNS_H

#include "graph/io/edges/edges.h"

typedef struct ms_table_columns {
  ms_field field[MS_MAX_COLUMNS]; /* of the current line, without the blanks around them */
  uint32_t count;
  uint32_t wanted;  /* as many as the first line split has; 0: none was yet */
  uint64_t decided; /* the number of that line */
} ms_table_columns;

/* Splits the current line, which must have `least` columns and as many as the first line has:
 * otherwise a line that was cut off would lose its last columns unnoticed. */
ms_status ms_columns_split(ms_table_columns *columns, const ms_text *text, uint32_t least,
                           ms_error *err);

/* Does the same; the line must not have more columns than the first line. */
ms_status ms_columns_split_all(ms_table_columns *columns, const ms_text *text, uint32_t least,
                               ms_error *err);

/* Finds `wanted` in kinds, which ends with NULL; NULL means the first kind.  MS_ERR_USAGE lists
 * the kinds. */
ms_status ms_names_kind(const ms_text *text, const char *wanted, const char *const *kinds,
                        uint32_t *kind, ms_error *err);

/* ---- columns by name ------------------------------------------------------- */

/* One column of a table and its names in the header. */
typedef struct ms_column_choice {
  const char *chosen;       /* by name or number from 1; NULL: one of `usual` */
  const char *const *usual; /* ends with NULL; the first name that the header has */
  const char *what;         /* "column of sources" */
  const char *option;       /* the option that chooses it: "source column" */
} ms_column_choice;

/* Finds the place of the column in the header, from 0; MS_NO_COLUMN where nothing is chosen and
 * the header has none of the usual names.  Fails where the chosen column is missing or its name
 * occurs twice. */
ms_status ms_column_find(const ms_text *text, const ms_table_columns *header,
                         const ms_column_choice *choice, uint32_t *column, ms_error *err);
/* Is a column chosen by number? */
bool ms_column_is_number(const char *column);

#endif
