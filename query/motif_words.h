/* The words of motif texts: items, counts and names in quotes. */
#ifndef MS_QUERY_MOTIF_WORDS_H
#define MS_QUERY_MOTIF_WORDS_H

#include "graph/colors.h"

bool ms_is_wildcard(ms_field field);

/* Parses a plain decimal from 1 to MS_MAX_K; returns 0 for anything else. */
uint32_t ms_slot_count(ms_field field);

/* The ranges in the place of counts, such as 2-4, that a text holds, in their order.  The text
 * stands for a motif for each choice of counts. */
typedef struct ms_ranges {
  uint32_t count;
  uint32_t low[MS_MAX_K], high[MS_MAX_K]; /* [count] low <= high <= MS_MAX_K; low may be 0 */
  const uint32_t *choice;                 /* the counts to take; NULL: the lowest ones */
} ms_ranges;

/* True if the field is a range. */
bool ms_is_range(ms_field field);
/* Reads a count or, unless `ranges` is NULL, a range, which is added to them.  *slots receives the
 * count, or the choice from the range, which may be 0.  Returns false if it is neither. */
bool ms_read_count(ms_field field, ms_ranges *ranges, uint32_t *slots);
/* Splits the item at its last colon.  Returns false if there is none. */
bool ms_split_count(ms_field item, ms_field *name, ms_field *count);

/* Reads an item without quotes: `*` or a known colour, with or without a count of slots or a range.
 * An item whose whole text is a known colour is that colour.  Returns false if the item is
 * something else.
 */
bool ms_read_plain_item(ms_field item, const ms_coloring *coloring, ms_ranges *ranges,
                        uint32_t *color, uint32_t *slots);

/* Reads a quoted name, in which "" stands for a quote.  `at` is the place after the opening quote,
 * and name[] has room for all that follows.  Returns the place after the closing quote, or NULL if
 * there is none. */
const char *ms_read_quoted(const char *at, char *name, size_t *length);

/* These fail with MS_ERR_USAGE. */
ms_status ms_fail_count(ms_field count, ms_field name, ms_error *err);
ms_status ms_fail_color(const ms_coloring *coloring, ms_field name, ms_error *err);
ms_status ms_fail_quote(ms_field name, ms_error *err);

#endif
