/* "Did you mean": the known names closest to a mistyped one; and lists of known
 * names. */
#ifndef MS_GRAPH_SUGGEST_H
#define MS_GRAPH_SUGGEST_H

#include "graph/colors.h"

#define MS_SUGGEST_BYTES 320

/* Writes to out[MS_SUGGEST_BYTES] "did you mean 'a', 'b' or 'c'?", with at most three names, or
 * a sentence that shows some known names where none is close. */
void ms_suggest_color(const ms_coloring *coloring, const char *text, size_t length, char *out);

/* Does the same for any table of names; `what` says what they are, in the plural, and `none` is
 * the sentence for an empty table. */
void ms_suggest_name(const ms_names *names, const char *what, const char *none, const char *text,
                     size_t length, char *out);

/* Fails because a required vertex is none of the names, which are those of `path`; suggests some.
 */
ms_status ms_fail_required(const ms_names *names, const char *path, const char *name,
                           ms_error *err);

/* Returns the distance of two names: 0: equal except for case; 1: one contains the other; 1 + d:
 * d edits; MS_NAME_FAR: not close. */
#define MS_NAME_FAR 1000u
unsigned ms_name_distance(const char *a, size_t length_a, const char *b, size_t length_b);

/* Names for a message, as many as fit: 'a', 'b', 'c' and 12 more. */
typedef struct ms_name_list {
  char text[MS_SUGGEST_BYTES];
  size_t used;
  uint32_t more;
} ms_name_list;

/* Start from {.used = 0}.  What cannot be a name is only counted. */
void ms_name_list_add(ms_name_list *list, const char *name, size_t length);
/* Ends the list. */
const char *ms_name_list_text(ms_name_list *list);

#endif
