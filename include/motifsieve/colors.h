/* Colours of vertices.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_COLORS_H
#define MOTIFSIEVE_COLORS_H

#include "motifsieve/graph.h"

/* ---- colours --------------------------------------------------------- */

typedef enum ms_color_format {
  MS_COLORS_AUTO = 0,
  MS_COLORS_TSV,     /* vertex<TAB>colour; a vertex with several lines has several colours */
  MS_COLORS_GO_SLIM, /* SGD go_slim_mapping.tab */
  MS_COLORS_GAF,     /* GO annotation file, GAF 2.x */
  MS_COLORS_GRAPH,   /* the colours of the graph file itself, see ms_coloring_from_graph */
  MS_COLORS_WIDE,    /* a column for each colour, with marks 0 and 1, empty and x, FALSE and TRUE */
  MS_COLORS_LISTS,   /* colour<TAB>vertices, many in one cell */
  MS_COLORS_GMT      /* gene sets: colour<TAB>description<TAB>vertices, one in each cell */
} ms_color_format;
#define MS_COLOR_FORMATS 8

typedef struct ms_color_options {
  size_t size; /* set by MS_COLOR_OPTIONS_DEFAULT */
  ms_color_format format;
  const char *aspects;     /* GO slim, GAF: any of the letters "PFC"; NULL: all three */
  bool header;             /* TSV: the first data line is a header */
  const char *obo;         /* GAF: ontology (OBO), for the names of terms and for `slim`; or NULL */
  const char *slim;        /* GAF: map terms to their ancestors in this slim, which is a subset that
                              the ontology names, or a file (OBO, or one term a line); or NULL */
  const char *name_column; /* TSV: the column of vertices, by its name in the header or its number
                              from 1; NULL: the first */
  const char *color_column; /* TSV: the column of colours; NULL: the second.  If either column is
                               given, a line without a colour is skipped */
  const char *separator;    /* TSV, lists: what separates several colours in one cell, such as "|";
                               "none": a cell is one colour; NULL: so it is, but cells that look like
                               lists are refused */
  bool ignore_unknown;      /* tables: most lines may name vertices that the graph lacks */
} ms_color_options;
#define MS_COLOR_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_color_options)                                                               \
  }

typedef struct ms_coloring_info {
  uint32_t colors;           /* distinct colour names */
  uint64_t assignments;      /* (vertex, colour) pairs kept */
  uint64_t duplicates;       /* repeated pairs, dropped */
  uint64_t mentions;         /* names of vertices in the file, with repeats; GAF, GO slim, GMT: 0 */
  uint64_t unknown_vertices; /* of these, or of the lines: not in the graph, dropped */
  uint64_t missing;        /* tables: empty cells, or with a sign for a missing value: no colour */
  uint64_t colorless;      /* tables: lines that end after the vertex, dropped */
  uint64_t colorless_line; /* the number of the first of them, from 1 */
  char colorless_vertex[32]; /* and its vertex, perhaps cut off */
  uint64_t respelled;        /* of `mentions`: found by another spelling of Unicode (NFC, NFD) */
  uint64_t extra_columns; /* table lines with more than two columns; further columns are not read */
  uint64_t negated;       /* lines of annotations and tables that say NOT, dropped */
  uint64_t unmapped;      /* GAF: lines whose term the ontology lacks; dropped if a slim is given,
                             otherwise the term's id is the colour */
  uint64_t outside_slim;  /* GAF: lines whose term lies below no term of the slim, dropped */
  uint64_t lines;
  uint32_t crc32c;
  ms_color_format format; /* as detected */
  const char *path;
  uint32_t obo_crc32c;  /* of the ontology; 0: none was read */
  uint32_t slim_crc32c; /* of the slim; 0: the slim is not a file */
  bool slim_is_file;    /* false: a subset that the ontology names, or no slim */
} ms_coloring_info;

/* ms_color_format_name returns the name of a format, such as "go-slim".  ms_color_format_find finds
 * the format of that name ("auto" included); false if there is none. */
MS_API const char *ms_color_format_name(ms_color_format format);
MS_API bool ms_color_format_find(const char *name, ms_color_format *format);

MS_API ms_status ms_coloring_read(const char *path, const ms_graph *graph,
                                  const ms_color_options *options, ms_coloring **out,
                                  ms_error *err);
/* Builds a colouring from pairs[count] of (vertex, colour id < n_colors); names[n_colors] are the
 * names of the colours. */
MS_API ms_status ms_coloring_from_pairs(const ms_graph *graph, uint64_t count,
                                        const uint32_t (*pairs)[2], uint32_t n_colors,
                                        const char *const *names, ms_coloring **out, ms_error *err);
/* Returns the colours that the graph file itself gave (labels of t/v/e, colours of a binary file);
 * MS_ERR_INPUT if it gave none. */
MS_API ms_status ms_coloring_from_graph(const ms_graph *graph, ms_coloring **out, ms_error *err);

MS_API void ms_coloring_free(ms_coloring *coloring);
MS_API ms_coloring_info ms_coloring_describe(const ms_coloring *coloring);
MS_API const char *ms_coloring_name(const ms_coloring *coloring, uint32_t color);
/* Returns the colour of that name or alias (a GO id), or UINT32_MAX. */
MS_API uint32_t ms_coloring_find(const ms_coloring *coloring, const char *name);
/* Returns the colour ids of vertex v in ascending order; *count receives their number. */
MS_API const uint32_t *ms_coloring_of(const ms_coloring *coloring, uint32_t v, uint32_t *count);
/* Returns offsets[n + 1], n vertices: the colours of v are offsets[v] to offsets[v + 1] items
 * behind those of vertex 0.  Owned by the colouring. */
MS_API const uint64_t *ms_coloring_offsets(const ms_coloring *coloring);

#endif
