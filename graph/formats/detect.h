/* Which format is a graph file in?  A table with a row for each format (detect.c) and one for each
 * known form that no reader reads (foreign.c).
 *
 * A judge sees the path and the first bytes of the file.  A sign that no other format has decides;
 * otherwise the lines and the ending must agree on one format.  A file that fits two is refused,
 * and one that fits none is an edge list. */
#ifndef MS_GRAPH_FORMATS_DETECT_H
#define MS_GRAPH_FORMATS_DETECT_H

#include "graph/io/head.h"

/* Refuses a file that is in a known form which no reader here reads, such as GML, or a result of
 * this program, and says what to do (foreign.c).  `label` names the file; by_lines: only forms
 * whose lines tell them, otherwise only forms with a sign. */
ms_status ms_check_foreign(const char *label, const ms_head *head, bool by_lines, ms_error *err);

/* Returns the format in which a typed graph is in a file of that format; MS_TYPED_AUTO for formats
 * without types and labels of edges, and for MS_FORMAT_AUTO. */
ms_typed_format ms_typed_format_of(ms_graph_format format);
/* Finds the format, never MS_FORMAT_AUTO, and that of a typed graph.  MS_TYPED_AUTO: the edges have
 * no types, or the columns of an edge list decide.  MS_TYPED_TVE, MS_TYPED_RI: they may have
 * labels, which only reading the whole file can tell.  Fails where the file fits two formats, or is
 * in a form that no reader reads; `label` names the file.  columns: columns are chosen, which makes
 * an edge list of any other table. */
ms_status ms_format_detect(const char *label, const ms_head *head, bool columns,
                           ms_graph_format *plain, ms_typed_format *typed, ms_error *err);
/* Is it a table between tabs whose header has a column of types of edges, of that name (NULL: a
 * usual one), or that has lines of relations above it? */
bool ms_head_is_table(const ms_head *head, const char *type_column);
/* Does a header between tabs have the columns of sources and targets of a table, or those that
 * are needed? */
bool ms_head_has_ends(const ms_head *head, bool source, bool target);

/* ---- first lines that readers also recognize ------------------------------------ */

bool ms_is_string_header(ms_field line);
bool ms_is_biogrid_header(ms_field line);
bool ms_is_mitab_header(ms_field line);
bool ms_is_hetionet_header(ms_field line);
/* One bit for each interaction type that Cytoscape's manual lists; 0: the relation is none of
 * them. */
unsigned ms_sif_relation(ms_field relation);

/* Is it a list of neighbours (adjacency.c)? */
bool ms_is_adjacency(const ms_head *head);

/* Is it a network of Cytoscape Exchange?  *second: in version 2, which is read. */
bool ms_is_cx(const ms_head *head, bool *second);

#define MS_MATRIX_MARKET_BANNER "%%MatrixMarket"

/* A line above the header of a table: a type and its inverse follow. */
#define MS_RELATION_MARK "#relation:\t"

enum {
  MS_TABLE_SOURCE,
  MS_TABLE_TYPE,
  MS_TABLE_TARGET,
  MS_TABLE_SOURCE_TYPE,
  MS_TABLE_TARGET_TYPE,
  MS_TABLE_COLUMNS
};
/* What headers call the columns of a table of edges; each list ends with NULL. */
extern const char *const *const ms_table_names[MS_TABLE_COLUMNS];

typedef struct ms_metis_header {
  uint64_t n, m;
  uint64_t skip;     /* numbers in front of the neighbours: size and weights */
  bool edge_weights; /* a number behind each neighbour */
} ms_metis_header;
/* False where the line is no header of METIS. */
bool ms_metis_parse_header(ms_field line, ms_metis_header *h);

#endif
