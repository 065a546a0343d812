/* Pattern files that are open already.  The first bytes of a file tell whether it holds a pattern
 * in Cypher's notation or a graph; whether a graph is read as a typed or a plain pattern depends on
 * what it is searched in. */
#ifndef MS_QUERY_PATTERN_FILE_H
#define MS_QUERY_PATTERN_FILE_H

#include "graph/io/format.h"
#include "query/pattern.h"
#include "query/typed_query.h"

/* Looks at the head of the text, which stays unread. */
ms_status ms_text_is_notation(ms_text *text, bool *is_notation, ms_error *err);
ms_status ms_notation_read_text(const char *path, ms_text *text, ms_typed_pattern **out,
                                ms_error *err);
/* Reads a graph as a typed pattern. */
ms_status ms_typed_pattern_read_graph(const char *path, ms_text *text,
                                      const ms_typed_options *options, ms_typed_pattern **out,
                                      ms_error *err);
/* Reads a graph as a plain pattern; parameters as those of ms_pattern_read. */
ms_status ms_pattern_read_graph(const char *path, ms_text *text, const ms_graph_options *options,
                                const char *colors_path, ms_pattern **out, ms_error *err);

/* ---- notation as a plain pattern (pattern_notation.c) ------------------------- */

bool ms_notation_has_arrows(const ms_typed_pattern *pattern);
/* Returns what of the pattern a plain one cannot say, as a text that begins with a subject, or NULL
 * if there is nothing.  directed: the graph's edges have directions. */
const char *ms_notation_not_plain(const ms_typed_pattern *pattern, bool directed);
/* Makes a plain pattern, whose accepted colours are the accepted types.  It is directed if it has
 * arrows; then the graph must be.  source: MS_PATTERN_FILE or MS_PATTERN_TEXT. */
ms_status ms_pattern_of_notation(const ms_typed_pattern *pattern, bool directed, const char *path,
                                 ms_pattern_source source, ms_pattern **out, ms_error *err);

#endif
