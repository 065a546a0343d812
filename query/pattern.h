/* A pattern graph: shape and accepted colours, apart from any graph it is
 * matched with.  Colours are names here; what they are in a graph's colouring
 * is looked up when an index meets the pattern. */
#ifndef MS_QUERY_PATTERN_H
#define MS_QUERY_PATTERN_H

#include "graph/names.h"
#include "motifsieve.h"

struct ms_pattern {
  uint32_t n; /* vertices, 1..MS_MAX_PATTERN */
  bool directed;
  uint64_t out[MS_MAX_PATTERN]; /* [n] bit j: an arc from i to j; undirected: an edge, symmetric */
  uint64_t in[MS_MAX_PATTERN];  /* [n] bit j: an arc from j to i; undirected: equal to out */
  ms_names *names;              /* of the vertices, "0".."n-1" unless the file has others */
  ms_names *color_names;        /* all accepted colours; NULL: none, every vertex takes any */
  uint32_t *
      color[MS_MAX_PATTERN]; /* [n][colors[i]] accepted: ids in color_names, ascending; NULL: any */
  uint32_t colors[MS_MAX_PATTERN]; /* [n] 0: any */
  char *path;                      /* as given: a file, or the name of a built-in; "(in memory)" */
  uint32_t crc32c;                 /* of the file's uncompressed bytes; 0: no file */
  char *colors_path;               /* NULL: none */
  uint32_t colors_crc32c;
  ms_graph_format format; /* of the file, as detected; MS_FORMAT_AUTO: no file */
};

/* Does the word name a built-in, well or badly ("clique:5", "clique:x",
 * "trianglee")?  All that cannot be meant as a path does: a word that begins
 * with the name of a built-in and ends or has a colon there, and any other that
 * has neither '/' nor '.' and is not "-".  A path that exists is a file all the
 * same, see cli. */
bool ms_pattern_is_name(const char *word);

/* Edges, or arcs of a directed one. */
uint64_t ms_pattern_edge_count(const ms_pattern *pattern);

/* ---- making one ---------------------------------------------------------- */

/* n vertices, no edges, any colour.  names: copied, n of them; NULL: numbers.
 * MS_ERR_USAGE where n is out of range. */
ms_status ms_pattern_new(uint32_t n, bool directed, const ms_names *names, const char *path,
                         ms_pattern **out, ms_error *err);
/* An arc from u to v; undirected: an edge.  Ids in range, u != v; once or often. */
void ms_pattern_join(ms_pattern *pattern, uint32_t u, uint32_t v);
/* ms_pattern_accept for text[0..length). */
ms_status ms_pattern_accept_text(ms_pattern *pattern, uint32_t v, const char *text, size_t length,
                                 ms_error *err);

#endif
