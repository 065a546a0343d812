/* The rows of a result file as the columns of a report. */
#ifndef MS_REPORT_TABLE_H
#define MS_REPORT_TABLE_H

#include "report/columns.h"
#include "verify/certificate.h"

#include <jansson.h>

#define MS_TABLE_COLUMNS 32u

typedef struct ms_table {
  ms_names *strings; /* names, colours, motifs: all texts of the rows */
  ms_column column[MS_TABLE_COLUMNS];
  char name[MS_TABLE_COLUMNS][32]; /* names of the columns */
  uint32_t columns;
  uint64_t rows, shown; /* rows of the file, and of the columns: the first ones */
  json_t *sections;     /* what the header of each section says; NULL: the file has none */
  uint64_t sections_done;
} ms_table;

/* Reads all rows of the result, whose header was read, and keeps the first `most` of them.  If the
 * certificate has a graph and the result lists matches of a motif without the roles of their
 * vertices, a column `roles` says which slot each vertex fills.  The table must be freed in any
 * case. */
ms_status ms_table_read(ms_table *table, ms_certificate *c, uint64_t most, ms_error *err);
void ms_table_free(ms_table *table);
/* Makes an empty table, which must be freed in any case. */
ms_status ms_table_begin(ms_table *table, ms_error *err);
/* Adds a column without values. */
ms_status ms_table_add_column(ms_table *table, const char *name, ms_column_kind kind,
                              ms_error *err);
/* Adds a text, or a list of texts with its end, to a column of the table. */
ms_status ms_table_add_text(ms_table *table, ms_column *column, const char *text, ms_error *err);
ms_status ms_table_add_texts(ms_table *table, ms_column *column, uint32_t count,
                             const char *const *texts, ms_error *err);
/* Returns the column that holds the vertices that are drawn: `drawn` (walks.h), those of the
 * matches, or one in each row. NULL: none does. */
const ms_column *ms_table_vertices(const ms_table *table);
/* Returns the column of that name; NULL: there is none. */
const ms_column *ms_table_find(const ms_table *table, const char *name);

#endif
