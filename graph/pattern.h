/* A pattern graph: shape and accepted colours, apart from any graph it is
 * matched with.  Colours are names here; what they are in a graph's colouring
 * is looked up when an index meets the pattern. */
#ifndef MS_GRAPH_PATTERN_H
#define MS_GRAPH_PATTERN_H

#include "graph/names.h"
#include "motifsieve.h"

struct ms_pattern {
  uint32_t n;                   /* vertices, 1..MS_MAX_PATTERN */
  bool directed;
  uint64_t out[MS_MAX_PATTERN]; /* [n] bit j: an arc from i to j; undirected: an edge, symmetric */
  uint64_t in[MS_MAX_PATTERN];  /* [n] bit j: an arc from j to i; undirected: equal to out */
  ms_names *names;              /* of the vertices, "0".."n-1" unless the file has others */
  ms_names *color_names;        /* all accepted colours; NULL: none, every vertex takes any */
  uint32_t *color[MS_MAX_PATTERN]; /* [n][colors[i]] accepted: ids in color_names, ascending; NULL: any */
  uint32_t colors[MS_MAX_PATTERN]; /* [n] 0: any */
  char *path;                   /* as given: a file, or the name of a built-in; "(in memory)" */
  uint32_t crc32c;              /* of the file's uncompressed bytes; 0: no file */
  char *colors_path;            /* NULL: none */
  uint32_t colors_crc32c;
  ms_graph_format format;       /* of the file, as detected; MS_FORMAT_AUTO: no file */
};

/* Does the word name a built-in ("clique:5"), well or badly ("clique:x",
 * "trianglee")?  A path that exists is a file all the same, see cli. */
bool ms_pattern_is_name(const char *word);

#endif
