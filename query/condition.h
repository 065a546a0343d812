/* Conditions of slots: `kinase|phosphatase`, `kinase&!nucleus`.
 *
 * A condition consists of alternatives, of which a vertex has to meet one.  An alternative consists
 * of literals, all of which have to hold: the vertex has a colour, or it lacks one.
 *
 *   condition    alternative { "|" alternative }
 *   alternative  literal { "&" literal }
 *   literal      [ "!" ] colour
 *
 * A colour may be in double quotes ("" for a quote inside), and has to be if it holds one of | & ,
 * or begins with ! or a double quote.  There may be blanks around a colour.  A condition is
 * kept in a normal form: in an alternative, the colours that a vertex has come before those that it
 * lacks, both in the order of their names; the alternatives ascend; none is repeated or follows
 * from another one. */
#ifndef MS_QUERY_CONDITION_H
#define MS_QUERY_CONDITION_H

#include "graph/colors.h"

#define MS_MAX_LITERALS 1024u /* of a condition */

typedef struct ms_literal {
  uint32_t color; /* a colour id */
  bool lacks;     /* the vertex must not have the colour */
  bool last;      /* of its alternative */
} ms_literal;

typedef struct ms_condition {
  char *text;     /* without the count of slots; set by ms_condition_write */
  uint32_t count; /* of literals, >= 1 */
  ms_literal literal[];
} ms_condition;

/* True if the text looks like a condition: it holds | or &, or begins with !. */
bool ms_condition_is_meant(ms_field item);

/* Parses a condition at `text`, which has no blanks in front, up to a comma or the end of the
 * text.  *end receives that place, and *count what follows the last colour behind a colon, or {"1",
 * 1}.  A colour that is not in quotes and comes last takes the colon, too, if that makes it a known
 * colour. */
ms_status ms_condition_parse(const char *text, const ms_coloring *coloring, ms_condition **out,
                             ms_field *count, const char **end, ms_error *err);
/* Makes a condition: any of these n >= 1 different colours.  The names decide their order. */
ms_status ms_condition_of_colors(const uint32_t *color, uint32_t n, const ms_coloring *coloring,
                                 ms_condition **out, ms_error *err);
void ms_condition_free(ms_condition *condition);

/* Is it a single colour? */
bool ms_condition_is_color(const ms_condition *condition);
/* Compares two conditions by the names of their colours, as strcmp does; 0: they are the same. */
int ms_condition_compare(const ms_condition *a, const ms_condition *b, const ms_coloring *coloring);
/* Sets the text, which ms_motif_parse reads as this condition and not as a colour, also with ":N"
 * for the number of slots behind it. */
ms_status ms_condition_write(ms_condition *condition, const ms_coloring *coloring, uint32_t slots,
                             ms_error *err);

/* True if a vertex with these colours, which ascend, meets the condition. */
bool ms_condition_holds(const ms_condition *condition, const uint32_t *colors, uint32_t count);
/* True if the condition is that a vertex has one of some colours. */
bool ms_condition_is_any_of(const ms_condition *condition);
/* True if the condition names the colour. */
bool ms_condition_names(const ms_condition *condition, uint32_t color);

#endif
