/* Vertex colours: each vertex has a sorted list of colour ids. */
#ifndef MS_GRAPH_COLORS_H
#define MS_GRAPH_COLORS_H

#include "graph/names.h"
#include "motifsieve.h"

/* The first line of a table of colours that this program writes, where a colour has the name of a
 * missing value: each cell is one colour, whatever it looks like. */
#define MS_LITERAL_MARK "#colors:\tliteral"

struct ms_coloring {
  uint64_t serial;       /* ms_serial_next */
  uint64_t graph_serial; /* of the graph whose vertices have the colours; 0: not known */
  uint32_t n;            /* vertices */
  uint64_t *offset;      /* [n + 1] */
  uint32_t *color;       /* [offset[n]] ascending and unique within a vertex */
  ms_names *names;       /* colour id <-> name */
  ms_names *aliases;     /* alias id <-> alias text; NULL if there are none */
  uint32_t *alias_of;    /* [aliases] colour id */
  ms_coloring_info info;
  char *path; /* "(in memory)" unless read from a file */
};

/* Builds the colouring from `count` pairs (vertex < n, colour id) and takes ownership of
 * `names`, `aliases` and `alias_of` (NULL, NULL if there are none), whether or not it succeeds.
 * Counts and drops repeated pairs.  O(n + count). */
ms_status ms_coloring_build(uint32_t n, uint64_t count, const uint32_t (*pairs)[2], ms_names *names,
                            ms_names *aliases, uint32_t *alias_of, ms_coloring **out,
                            ms_error *err);

/* MS_ERR_USAGE: the colours belong to another graph. */
ms_status ms_coloring_check(const ms_coloring *coloring, const ms_graph *graph, ms_error *err);

/* Records where the colours come from: the path, and all of info except the facts that
 * ms_coloring_build found. */
ms_status ms_coloring_set_source(ms_coloring *coloring, const char *path,
                                 const ms_coloring_info *info, ms_error *err);

/* Does what ms_coloring_find does, for text[0..length). */
uint32_t ms_coloring_find_text(const ms_coloring *coloring, const char *text, size_t length);

#endif
