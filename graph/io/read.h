/* What a graph reader leaves behind, and how it adds to it. */
#ifndef MS_GRAPH_IO_READ_H
#define MS_GRAPH_IO_READ_H

#include "graph/io/text.h"
#include "graph/names.h"
#include "graph/pairs.h"

#define MS_EDGE_BATCH_BYTES 4096u

/* Edges whose names are not interned yet, see ms_names_add_batch. */
typedef struct ms_edge_batch {
  char bytes[MS_EDGE_BATCH_BYTES]; /* copies of the names; lines do not last */
  size_t used;
  const char *text[MS_NAME_BATCH]; /* in bytes; two names an edge */
  size_t length[MS_NAME_BATCH];
  uint32_t count;
} ms_edge_batch;

typedef struct ms_edges {
  ms_names *names;       /* vertices, in order of first appearance */
  ms_pairs pairs;        /* as in the file: with repeats and self-loops, the tail first */
  bool directed;         /* as of the options */
  ms_pairs back;         /* directed: of pairs that point both ways, the way back */
  ms_names *color_names; /* colours that the file gives its vertices; NULL: none so far */
  ms_pairs colors;       /* (vertex, colour), with repeats */
  char *taxon_prefix;    /* what the reader took off every name, or NULL */
  uint64_t below_score;  /* STRING: edges (not lines) below min_score */
  uint64_t filtered;     /* lines dropped by taxon or system */
  ms_edge_batch batch;
} ms_edges;

/* Check the two names and add the edge, now or with the next ms_edges_flush. */
ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err);
/* Bring names and pairs up to date.  A reader ends with it, and calls it
 * before any of the functions below where it also uses ms_edges_add. */
ms_status ms_edges_flush(ms_edges *edges, ms_error *err);

/* Check the name and find or add the vertex. */
ms_status ms_edges_vertex(ms_edges *edges, const ms_text *text, ms_field name, uint32_t *v,
                          ms_error *err);
/* Add `count` vertices named by the numbers first, first + 1, ...; to a set of
 * vertices that is empty.  MS_ERR_INPUT where they need more memory than the
 * options grant (a few bytes of text can claim billions). */
ms_status ms_edges_number(ms_edges *edges, const ms_text *text, const ms_graph_options *options,
                          uint64_t first, uint64_t count, ms_error *err);
/* An edge between vertices that are there; to itself is allowed.  In a directed
 * graph it points from u to v. */
ms_status ms_edges_join(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* The same, but in a directed graph it points both ways. */
ms_status ms_edges_join_both(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err);
/* Check the colour's name and give it to a vertex that is there. */
ms_status ms_edges_color(ms_edges *edges, const ms_text *text, uint32_t v, ms_field color,
                         ms_error *err);

/* A whole number that fills the field, at most `most`; else false. */
bool ms_field_count(ms_field field, uint64_t most, uint64_t *value);
/* A finite decimal number that fills the field ("inf", "nan", hexadecimal are none). */
bool ms_field_real(ms_field field, double *value);
bool ms_field_is(ms_field field, const char *text);
/* Bytes of STRING's taxon in front of a name, digits and a dot, if something
 * follows it; else 0. */
size_t ms_field_taxon(ms_field name);

#endif
