/* "Did you mean": the known colour names closest to a mistyped one. */
#ifndef MS_GRAPH_SUGGEST_H
#define MS_GRAPH_SUGGEST_H

#include "graph/colors.h"

#define MS_SUGGEST_BYTES 320

/* out[MS_SUGGEST_BYTES] = "did you mean 'a', 'b' or 'c'?", at most three, or
 * a sentence that shows some known names where none is close. */
void ms_suggest_color(const ms_coloring *coloring, const char *text, size_t length, char *out);

#endif
