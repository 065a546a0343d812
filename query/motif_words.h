/* The words of motif texts: items, counts and names in quotes. */
#ifndef MS_QUERY_MOTIF_WORDS_H
#define MS_QUERY_MOTIF_WORDS_H

#include "graph/colors.h"

bool ms_is_wildcard(ms_field field);

/* Parses a plain decimal from 1 to MS_MAX_K; returns 0 for anything else. */
uint32_t ms_slot_count(ms_field field);
/* Splits the item at its last colon.  Returns false if there is none. */
bool ms_split_count(ms_field item, ms_field *name, ms_field *count);

/* Reads an item without quotes: `*` or a known colour, with or without a count of slots.  An item
 * whose whole text is a known colour is that colour.  Returns false if the item is something else.
 */
bool ms_read_plain_item(ms_field item, const ms_coloring *coloring, uint32_t *color,
                        uint32_t *slots);

/* Reads a quoted name, in which "" stands for a quote.  `at` is the place after the opening quote,
 * and name[] has room for all that follows.  Returns the place after the closing quote, or NULL if
 * there is none. */
const char *ms_read_quoted(const char *at, char *name, size_t *length);

/* These fail with MS_ERR_USAGE. */
ms_status ms_fail_count(ms_field count, ms_field name, ms_error *err);
ms_status ms_fail_color(const ms_coloring *coloring, ms_field name, ms_error *err);
ms_status ms_fail_quote(ms_field name, ms_error *err);

#endif
