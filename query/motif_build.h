/* Making motifs, class by class. */
#ifndef MS_QUERY_MOTIF_BUILD_H
#define MS_QUERY_MOTIF_BUILD_H

#include "query/motif_words.h"
#include "query/query.h"

/* Makes a motif without slots; ms_motif_finish must follow. */
ms_status ms_motif_new(const ms_coloring *coloring, ms_motif **out, ms_error *err);

/* Add `count` >= 0 slots of a colour, or of MS_WILDCARD, or of a condition, of which the function
 * takes ownership whether or not it succeeds.  MS_ERR_USAGE: there are too many slots. */
ms_status ms_motif_add_slots(ms_motif *motif, uint32_t color, uint32_t count, ms_error *err);
ms_status ms_motif_add_condition(ms_motif *motif, const ms_coloring *coloring,
                                 ms_condition *condition, uint32_t count, ms_error *err);

/* Does what ms_motif_parse does, but counts may be ranges unless `ranges`, which begins with count
 * = 0, is NULL.  The motif has no slots if all chosen counts are 0. */
ms_status ms_motif_parse_ranges(const char *text, const ms_coloring *coloring, ms_ranges *ranges,
                                ms_motif **out, ms_error *err);

/* Makes the text of a motif if `status`, that of the calls before, is MS_OK, and passes the motif
 * to *out; otherwise frees it.  Returns the first status that is not MS_OK. */
ms_status ms_motif_finish(ms_motif *motif, const ms_coloring *coloring, ms_status status,
                          ms_motif **out, ms_error *err);

#endif
