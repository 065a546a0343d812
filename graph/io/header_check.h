/* Signs, in the first lines of a table of edges, that its first line may be a header, or that two
 * columns hold the same vertex twice.  Each is reported by an error that names the option which
 * decides. */
#ifndef MS_GRAPH_IO_HEADER_CHECK_H
#define MS_GRAPH_IO_HEADER_CHECK_H

#include "graph/io/sample.h"

/* Does a name of the first line, in the columns of sources and targets, occur there again?  So
 * does "v1", where "v3" follows: the vertices are numbered; or where all names begin alike. */
bool ms_title_recurs(const ms_sample *sample, uint32_t source, uint32_t target);

/* Fails where the first line has names that do not occur again, and looks like a header: both are
 * titles such as "gene", or all lines below have numbers where it has none. */
ms_status ms_ask_for_header(const ms_text *at, const ms_sample *sample, uint32_t source,
                            uint32_t target, ms_error *err);
/* Fails where a line below the first holds titles of ends of edges, which do not occur again: a
 * table of vertices may end there. */
ms_status ms_ask_for_section(const ms_text *at, const ms_sample *sample, ms_error *err);
/* Is it a number, or an accession such as "ENSG00000141510", "P04637" and "NM_000546.6"? */
bool ms_name_is_accession(ms_field name);
/* Fails where the first two columns, and the next two if there are any, seem to be two names of one
 * vertex, such as a number and a symbol.  header: the first line is one. */
ms_status ms_ask_for_columns(const ms_text *at, const ms_sample *sample, bool header,
                             ms_error *err);

#endif
