/* Fields that hold numbers, and the errors where they do not, for formats whose vertices are
 * 1..n. */
#ifndef MS_GRAPH_IO_NUMBERED_H
#define MS_GRAPH_IO_NUMBERED_H

#include "graph/io/text.h"

/* Reads a whole number of at most `most`; an error says "the `what` ...". */
ms_status ms_numbered_count(const ms_text *text, ms_field field, uint64_t most, const char *what,
                            uint64_t *value, ms_error *err);
/* Reads a vertex of 1..n as an id from 0; n <= MS_MAX_NAMES. */
ms_status ms_numbered_vertex(const ms_text *text, ms_field field, uint64_t n, uint32_t *v,
                             ms_error *err);
/* Reads a weight or value, a finite number. */
ms_status ms_numbered_value(const ms_text *text, ms_field field, double *value, ms_error *err);

#endif
