/* Two spellings of one name: Unicode writes a letter with an accent as one character (NFC), or as
 * the letter and the accent (NFD, as macOS names files).  They look alike and are different names.
 */
#ifndef MS_GRAPH_SPELLINGS_H
#define MS_GRAPH_SPELLINGS_H

#include "graph/names.h"

/* Finds two names, one of which is the other with composed Latin letters. */
bool ms_names_spelled_twice(const ms_names *names, uint32_t *decomposed, uint32_t *composed);

#endif
