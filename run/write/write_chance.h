/* Inside run/: whether a motif has more matches than by chance, as lines of a key and a value. */
#ifndef MS_RUN_WRITE_CHANCE_H
#define MS_RUN_WRITE_CHANCE_H

#include "result/writer.h"

/* Writes what the header says of one motif (MS_KIND_CHANCE), as lines or as a JSON object,
 * whichever the writer's encoding is.  `r`: the statistics of its permutations; NULL: there are
 * none. */
ms_status ms_writing_chance(ms_writer *writer, const ms_permutation_result *r, ms_error *err);

#endif
