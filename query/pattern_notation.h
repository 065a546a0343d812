/* Patterns in Cypher's notation as plain patterns. */
#ifndef MS_QUERY_PATTERN_NOTATION_H
#define MS_QUERY_PATTERN_NOTATION_H

#include "query/pattern.h"
#include "query/typed_query.h"

bool ms_notation_has_arrows(const ms_typed_pattern *pattern);
/* Returns what of the pattern a plain one cannot say, as a text that begins with a subject, or NULL
 * if there is nothing.  directed: the graph's edges have directions. */
const char *ms_notation_not_plain(const ms_typed_pattern *pattern, bool directed);
/* Returns which edges of the pattern no plain graph can have, as a text like the one above, or
 * NULL. */
const char *ms_notation_edges_lacking(const ms_typed_pattern *pattern);
/* Makes a plain pattern, whose accepted colours are the accepted types.  It is directed if it has
 * arrows; then the graph must be.  source: MS_PATTERN_FILE or MS_PATTERN_TEXT. */
ms_status ms_pattern_of_notation(const ms_typed_pattern *pattern, bool directed, const char *path,
                                 ms_pattern_source source, ms_pattern **out, ms_error *err);

#endif
