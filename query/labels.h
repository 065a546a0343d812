/* Labels of edges: may a query decide by shapes alone, or does it need types of edges?
 *
 * A pattern whose edges have labels asks for edges with these labels.  A pattern without labels
 * accepts every edge, whatever its label.  ms_pattern and ms_graph are shapes, and record only
 * which labels their files have; typed patterns and typed graphs keep them as types of edges. */
#ifndef MS_QUERY_LABELS_H
#define MS_QUERY_LABELS_H

#include "query/pattern.h"
#include "query/typed_query.h"

typedef enum ms_label_use {
  MS_LABELS_UNUSED = 0, /* the pattern has none: every edge fits */
  MS_LABELS_EQUAL,      /* all edges of both have the same label: shapes decide */
  MS_LABELS_MISSING,    /* the pattern has labels, and the graph has none: nothing could match */
  MS_LABELS_TYPED       /* labels decide: pattern and graph must be read as typed ones */
} ms_label_use;

ms_label_use ms_pattern_label_use(const ms_pattern *pattern, const ms_graph *graph);
/* Refuses the last two cases (MS_ERR_INPUT): shapes alone would give wrong matches. */
ms_status ms_pattern_check_labels(const ms_pattern *pattern, const ms_graph *graph, ms_error *err);

/* Refuses a typed query whose graph has no labels of edges (one relation, "edge", as
 * ms_typed_from_graph makes it) if some edge of the pattern asks for a label (MS_ERR_INPUT). */
ms_status ms_typed_query_check_labels(const ms_typed_query *query, ms_error *err);

/* A pattern of a file: exactly one of the two is not NULL. */
typedef struct ms_any_pattern {
  ms_pattern *plain;
  ms_typed_pattern *typed;
  bool is_notation; /* the file holds the typed pattern in Cypher's notation */
} ms_any_pattern;

/* Reads a pattern file once: a text such as "(a)-[r]-(b)", or a file whose edges have labels or
 * types, is a typed pattern, any other graph file is a plain one.  `plain` and `typed` are options
 * for reading graphs.  colors_path, which may be NULL, is a table of colours for a plain pattern; a
 * typed one refuses it (MS_ERR_USAGE). */
ms_status ms_any_pattern_read(const char *path, const ms_graph_options *plain,
                              const ms_typed_options *typed, const char *colors_path,
                              ms_any_pattern *out, ms_error *err);
void ms_any_pattern_free(ms_any_pattern *pattern); /* accepts a struct of zeros */

#endif
