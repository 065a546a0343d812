/* Two spellings of one name: Unicode writes a letter with an accent as one character (NFC), or as
 * the letter and the accent (NFD, as macOS names files).  They look alike and are different names.
 */
#ifndef MS_GRAPH_SPELLINGS_H
#define MS_GRAPH_SPELLINGS_H

#include "graph/names.h"

/* Finds two names that are spellings of one. */
bool ms_names_spelled_twice(const ms_names *names, uint32_t twins[2]);

/* Names by any of their spellings.  The names must outlive the table. */
typedef struct ms_spellings ms_spellings;

ms_status ms_spellings_new(const ms_names *names, ms_spellings **out, ms_error *err);
void ms_spellings_free(ms_spellings *spellings);
/* Returns the name that text[0..length) is a spelling of, or MS_NO_ID. */
uint32_t ms_spellings_find(const ms_spellings *spellings, const char *text, size_t length);

#endif
