/* Inside census/: what the classes of small graphs are called. */
#ifndef MS_CENSUS_SHAPES_NAMES_H
#define MS_CENSUS_SHAPES_NAMES_H

#include "census/shapes/code.h"

#define MS_GRAPHLET_NAME_SIZE 16u

/* Writes the name of a class: that of a built-in pattern (ms_pattern_named), or of a triad of
 * Holland and Leinhardt; empty: it has none. */
ms_status ms_graphlet_name(ms_graphlet_form form, uint32_t code, char name[MS_GRAPHLET_NAME_SIZE],
                           ms_error *err);

/* Writes the graph in B. McKay's format graph6, or digraph6. */
void ms_graphlet_put_graph6(ms_graphlet_form form, uint32_t code, char text[MS_GRAPHLET_NAME_SIZE]);
/* Reads such a text; false: it is none of a graph of this form. */
bool ms_graphlet_get_graph6(ms_graphlet_form form, const char *text, uint32_t *code);

/* Sets *text to the graph in Cypher's notation, for ms_pattern_parse; the caller frees it by
 * ms_free.  names[k]: the colours; NULL: none. */
ms_status ms_graphlet_put_pattern(ms_graphlet_form form, uint32_t code, const char *const *names,
                                  char **text, ms_error *err);

#endif
