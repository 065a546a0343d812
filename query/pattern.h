/* A pattern graph: its shape and the colours that its vertices accept, independent of the graph
 * that is searched.  Colours are names here; an index translates them into the colour ids of its
 * graph. */
#ifndef MS_QUERY_PATTERN_H
#define MS_QUERY_PATTERN_H

#include "base/bitset.h"
#include "graph/names.h"
#include "motifsieve.h"

/* Where a pattern comes from. */
typedef enum ms_pattern_source {
  MS_PATTERN_NAME = 0, /* a built-in, or made in memory */
  MS_PATTERN_FILE,     /* a graph file, or one in Cypher's notation */
  MS_PATTERN_TEXT      /* Cypher's notation itself */
} ms_pattern_source;

struct ms_pattern {
  uint32_t n; /* number of vertices, 1..MS_MAX_PATTERN */
  bool directed;
  ms_bitset out[MS_MAX_PATTERN]; /* [n] j: an arc from i to j; undirected: an edge, symmetric */
  ms_bitset in[MS_MAX_PATTERN];  /* [n] j: an arc from j to i; undirected: equal to out */
  ms_names *names;               /* names of the vertices: "0".."n-1" unless the file has others */
  ms_names *color_names;         /* all accepted colours; NULL: every vertex accepts any colour */
  uint32_t *color[MS_MAX_PATTERN]; /* [n][colors[i]] accepted colours: ids in color_names,
                                      ascending; NULL: any */
  uint32_t colors[MS_MAX_PATTERN]; /* [n] number of accepted colours; 0: any */
  ms_pattern_source source;
  char *path;        /* a file, FILE:LINE, the name of a built-in or a text, as given, or
                        "(in memory)" */
  uint32_t crc32c;   /* checksum of the file's uncompressed bytes, or of the text; 0: neither */
  char *colors_path; /* the table of colours; NULL: none */
  uint32_t colors_crc32c;
  ms_names *edge_labels;  /* different labels that the file gives edges, which the pattern does not
                             keep; NULL: it gives none */
  bool some_unlabelled;   /* it gives labels, but not to every edge */
  ms_graph_format format; /* format of the file, as detected; MS_FORMAT_AUTO: no graph file */
};

static inline bool ms_pattern_has_colors(const ms_pattern *pattern)
{
  for (uint32_t v = 0; v < pattern->n; v++)
    if (pattern->colors[v] > 0)
      return true;
  return false;
}

/* True if the word is meant as the name of a built-in, even if it is misspelt ("clique:5",
 * "clique:x", "trianglee").  Such a word is the name of a built-in, alone or with a colon and more
 * text behind it, or it has neither '/' nor '.' and is not "-".  The caller first checks whether
 * there is a file of this name. */
bool ms_pattern_is_name(const char *word);
/* Writes the i-th of the built-in names as the name of a shape of n vertices; empty: it has none.
 * Of synonyms, the usual one is first.  Returns false if there are not so many names. */
bool ms_pattern_builtin_name(uint32_t i, uint32_t n, char *name, size_t size);

/* ---- construction -------------------------------------------------------- */

/* Makes a pattern of n vertices that accept any colour, without edges.  It copies names[n]; NULL:
 * the names are numbers.  Returns MS_ERR_USAGE if n is out of range. */
ms_status ms_pattern_new(uint32_t n, bool directed, const ms_names *names, const char *path,
                         ms_pattern **out, ms_error *err);
/* Adds an arc from u to v, or an edge if the pattern is undirected, unless it is already there.
 * u and v differ and are below n. */
void ms_pattern_join(ms_pattern *pattern, uint32_t u, uint32_t v);
/* Does the same as ms_pattern_accept, for text[0..length). */
ms_status ms_pattern_accept_text(ms_pattern *pattern, uint32_t v, const char *text, size_t length,
                                 ms_error *err);

/* Makes the pattern of a graph that was read from `path`, with the colours of a table (NULL: those
 * of the graph).  It takes the graph's labels of edges. */
ms_status ms_pattern_from_graph(ms_graph *graph, const char *path, const char *colors_path,
                                ms_pattern **out, ms_error *err);

/* ---- sets ----------------------------------------------------------------- */

/* Plain patterns with names (include/motifsieve/pattern_set.h). */
struct ms_pattern_set {
  ms_names *names;
  uint32_t count, room, text_room;
  ms_pattern **pattern; /* [count] by the ids of the names */
  char **text;          /* [count] */
  char *path;           /* of the file or the folder; NULL: the set was not read */
  uint32_t crc32c;      /* of all names and texts, each with its NUL */
};

/* Makes the pattern of a text: of the name of a built-in, or of Cypher's notation. */
ms_status ms_pattern_of_text(const char *text, bool directed, ms_pattern **out, ms_error *err);

/* Adds a pattern to the checksum of a set. */
uint32_t ms_pattern_set_crc32c(uint32_t crc, const char *name, const char *text);

#endif
