/* Finds out whether lines of the same two vertices have different scores: the pair of each line is
 * hashed, and kept with its score, 12 bytes a line; pairs that occur twice are compared at the end.
 */
#ifndef MS_GRAPH_IO_REPEATS_H
#define MS_GRAPH_IO_REPEATS_H

#include "graph/names.h"

typedef struct ms_repeats ms_repeats;

/* Notes a line; *repeats is NULL before the first one.  `bounded`: only the first 65,536 lines are
 * kept.  Where memory ends, the lines above are compared. */
ms_status ms_repeats_note(ms_repeats **repeats, ms_field first, ms_field second, bool directed,
                          bool bounded, double score, ms_error *err);
/* Compares the lines, once; false where memory ends. */
bool ms_repeats_differ(ms_repeats *repeats);
/* Accepts NULL. */
void ms_repeats_free(ms_repeats *repeats);

#endif
