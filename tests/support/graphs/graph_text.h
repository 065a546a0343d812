/* Small graphs as one line of text. */
#ifndef MS_TESTS_SUPPORT_GRAPH_TEXT_H
#define MS_TESTS_SUPPORT_GRAPH_TEXT_H

#include "motifsieve.h"

/* Writes `text` to a file `name` in the test's folder, reads that with the options (NULL: none),
 * and returns "a-b, a-c, d": the edges in order of their vertices, vertices without edges by
 * themselves.  Lives until the next call.  *info may be NULL. */
const char *graph_text(const char *name, const char *text, const ms_graph_options *options,
                       ms_graph_info *info);
/* Returns the same for a file that exists. */
const char *graph_text_of(const char *path, const ms_graph_options *options, ms_graph_info *info);

/* Returns the graph that `text` in a file `name` is read as, in that format or in the one that is
 * detected. */
ms_graph *graph_text_read(const char *name, const char *text, ms_graph_format format);
/* Returns the name of the format that a graph was read in. */
const char *graph_text_format_of(const ms_graph *graph);
/* Returns the name of the format that `text` in a file `name` is read as by default. */
const char *graph_text_format(const char *name, const char *text);
/* Checks that a kind of names which the format of `text` lacks is refused with the list of its
 * kinds. */
void graph_text_refuses_names(const char *name, const char *text, const char *kind,
                              const char *kinds);

#endif
