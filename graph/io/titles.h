/* Titles of columns: does a line look like the header of a table of edges or of vertices? */
#ifndef MS_GRAPH_IO_TITLES_H
#define MS_GRAPH_IO_TITLES_H

#include "graph/io/fields.h"

/* Are the two the titles of the ends of an edge, such as "from" and "to", "node1" and "node2",
 * "Entrez Gene IDA" and "Entrez Gene IDB"? */
bool ms_titles_are_ends(ms_field first, ms_field second);
/* Finds the first two columns with such titles, which may stand the other way round: ends[0] is the
 * source.  Returns how many such pairs of columns the header has. */
uint32_t ms_titles_find_ends(const ms_field *header, uint32_t count, uint32_t ends[2]);
/* The text in front of the sign that tells the two apart: "node" of "node1" and "node2"; empty
 * where they have nothing in common. */
ms_field ms_titles_stem(ms_field first, ms_field second);
/* Is this a name that numbering may have made of the stem: "node17" of "node"? */
bool ms_has_stem(ms_field name, ms_field stem);
/* Finds the column whose title goes with that of `column`; MS_NO_COLUMN: there is none. */
uint32_t ms_titles_other_end(const ms_field *header, uint32_t count, uint32_t column);
/* Does this look like the title of a column of vertices, such as "gene" or "Symbol A"? */
bool ms_title_is_vertex(ms_field title);
/* May these be titles of the two ends, such as "gene" and "drug", or "u" and "v"? */
bool ms_titles_may_be_ends(ms_field first, ms_field second);
/* Titles of scores and of types of edges, the surest first; both end with NULL. */
extern const char *const ms_score_titles[], *const ms_type_titles[];

#endif
