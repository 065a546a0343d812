/* Lines of SIF files, for the readers of plain and of typed graphs. */
#ifndef MS_GRAPH_IO_SIF_H
#define MS_GRAPH_IO_SIF_H

#include "graph/io/text.h"

/* The fields of a line that are not yet taken. */
typedef struct ms_sif_fields {
  const char *at, *end; /* at: NULL behind the last field */
  bool tabs;            /* stand between the fields; else blanks do */
} ms_sif_fields;

ms_sif_fields ms_sif_fields_of(ms_field line, bool tabs);
bool ms_sif_next(ms_sif_fields *f, ms_field *field);

/* Do tabs stand between the fields of the file?  In front of the first line. */
ms_status ms_sif_find_tab(ms_text *text, bool *tabs, ms_error *err);
/* An error: the current line has the other delimiter. */
ms_status ms_sif_check_delimiter(const ms_text *text, bool tabs, ms_error *err);
/* "source interaction target" and the like, which the format does not know. */
bool ms_sif_is_header(ms_field line, bool tabs);

#endif
