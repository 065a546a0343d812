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
/* Returns the column that holds vertices: of the matches, or one in each row.  NULL: none does. */
const ms_column *ms_table_vertices(const ms_table *table);
/* Returns the column of that name; NULL: there is none. */
const ms_column *ms_table_find(const ms_table *table, const char *name);

#endif
