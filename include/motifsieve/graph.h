/* Graphs, their names and labels, and their components.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_GRAPH_H
#define MOTIFSIEVE_GRAPH_H

#include "motifsieve/base.h"

/* ---- graph ----------------------------------------------------------- */

/* An undirected simple graph in compressed sparse rows, with vertex names.  Several threads may use
 * one at the same time, but ms_graph_read_aliases and ms_graph_free need it alone. */
typedef struct ms_graph ms_graph;
/* The list of colours of every vertex.  Several threads may use one at the same time. */
typedef struct ms_coloring ms_coloring;

/* docs/FORMATS.md says what is read of each format. */
typedef enum ms_graph_format {
  MS_FORMAT_AUTO = 0,
  MS_FORMAT_EDGE_LIST,     /* two names a line, separated by tab, comma or blanks */
  MS_FORMAT_STRING,        /* STRING protein.links: protein1 protein2 score */
  MS_FORMAT_SIF,           /* Cytoscape: source relation target... */
  MS_FORMAT_BIOGRID,       /* BioGRID TAB 3.0 */
  MS_FORMAT_MITAB,         /* PSI-MITAB 2.5 to 2.7 */
  MS_FORMAT_MATRIX_MARKET, /* coordinate matrices */
  MS_FORMAT_TVE,           /* lines t, v, e; with or without degrees */
  MS_FORMAT_LAD,           /* adjacency lists, vertices from 0 */
  MS_FORMAT_DIMACS,        /* lines p edge, e */
  MS_FORMAT_METIS,         /* adjacency lists, vertices from 1 */
  MS_FORMAT_GRAPHML,
  MS_FORMAT_BINARY, /* motifsieve's own format: mapped into memory, checksummed */
  MS_FORMAT_TABLE,  /* a table with a column of types, see ms_typed: the types of vertices become
                       colours, the types of edges are dropped */
  MS_FORMAT_MOTIF,  /* lines p motif, e, n, k, t: a graph with colours, a motif and a target */
  MS_FORMAT_RI,     /* RI's .gfd, .gfu, .ged and .geu: labels of vertices, then edges */
  MS_FORMAT_CX2,    /* Cytoscape Exchange 2: nodes and edges as JSON, with attributes */
  MS_FORMAT_TYPED_BINARY /* motifsieve's own format for typed graphs, see ms_typed_write_binary: the
                            types of vertices become colours, the types of edges are dropped */
} ms_graph_format;
#define MS_GRAPH_FORMATS 18 /* the number of formats, MS_FORMAT_AUTO included */

typedef struct ms_graph_options {
  size_t size; /* set by MS_GRAPH_OPTIONS_DEFAULT */
  ms_graph_format format;
  double min_score;   /* STRING, edge list, table, BioGRID, MITAB: keep edges whose score is at
                         least this; 0: all */
  bool keep_taxon;    /* STRING: keep the taxon, such as "4932.", in front of the names */
  bool header;        /* edge list, SIF: the first data line is a header */
  const char *taxon;  /* BioGRID, MITAB: the NCBI taxon id of both partners; NULL: any */
  const char *system; /* BioGRID: the experimental system or its type ("physical"); MITAB: the
                         detection method; NULL: any */
  const char *names;  /* BioGRID, MITAB: the identifier that names a vertex; GraphML, CX2: the
                         attribute of nodes that does, or "id"; NULL: the usual one */
  bool directed;      /* the first name of an edge is its tail; the graph keeps the directions of
                         edges beside the undirected graph (for pattern graphs, see
                         ms_graph_directed) */
  /* Only `threads`, `memory` and progress.  `memory` is what reading may hold, with the graph that
   * it makes, at least 16 MiB; 0: the limit of ms_limit_memory, or what that says without a limit.
   * Progress is called with the lines that are read, and then with the arcs that are merged. */
  ms_run_limits run;
  bool no_header; /* edge list: the first data line is an edge, even if it looks like a header */
  const char *source_column, *target_column; /* edge list, table: the columns of the ends, by name
                         or by number from 1; NULL: what the header says, else the first two */
  const char *score_column; /* STRING, edge list, table, BioGRID: the column of scores, by name or
                               number; MITAB: the name of a confidence value; NULL: the usual one */
  const char *color_attribute; /* GraphML, CX2: the attribute of nodes that holds colours; "none":
                                  none does; NULL: "color" or alike */
  bool keep_scores;    /* the graph keeps the score of each edge, see ms_graph_scores; not for SIF,
                          t/v/e, LAD, RI and motif files, which have no scores.  A binary file with
                          scores always keeps them. */
  const char *scratch; /* a folder for temporary files.  Edges that exceed `memory` are then sorted
                          there in portions, and the graph's array of neighbours becomes a temporary
                          file that is mapped; names stay in memory.  The graph is the same.  Not
                          with `directed` or `keep_scores`, and not for METIS.  NULL: none, and a
                          graph that exceeds `memory` fails */
  const char *combine; /* edge list, table: the score of several lines that join the same two
                          vertices, or, with `directed`, in the same direction: "max", the greatest;
                          "sum"; or "count", their number.  min_score applies to it.  NULL: "max" */
  const char
      *direction_column; /* edge list, with `directed`: the column that says which way each edge
                            points, by name or number; "none": there is none; NULL: a usual one */
} ms_graph_options;
#define MS_GRAPH_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_graph_options)                                                               \
  }

/* What was read of a table of edges. */
typedef struct ms_edge_layout {
  bool header;                           /* edge list: the first data line was read as a header */
  uint32_t source_column, target_column; /* edge list: from 1; 0: the format has no columns */
  uint32_t score_column;                 /* from 1; 0: scores were not read */
  uint32_t pairs; /* pairs of columns that could be the ends of edges by their titles; 0: no
                     such titles */
  double lowest_score, highest_score; /* of all edges, also of those below min_score */
  uint32_t type_column;               /* edge list: of types of edges, from 1; 0: none was read */
  uint32_t unread_words;   /* edge list: a column of words, perhaps types of edges, that was not
                              read; from 1; 0: none */
  uint32_t unread_numbers; /* the same for scores or weights */
  char unread_word[32];    /* a word of unread_words, perhaps cut off */
  char name_attribute[64]; /* GraphML, CX2: the attribute that names the vertices, perhaps cut off;
                              "": their ids do */
  bool ids_kept; /* GraphML, CX2: the ids name them all the same, because that attribute is
                    missing for a node or names two alike */
  bool counted;  /* edge list: the first line states the numbers of vertices and edges */
  uint32_t direction_column; /* edge list, directed: from 1; 0: none was read */
  bool scores_differ;        /* lines of the same two vertices have different scores */
  bool combined_by_type; /* typed: scores of one pair were combined for several types, each alone */
  uint64_t section;      /* the line of a second table, which was not read; 0: there is none */
  char missing[8];       /* a vertex whose name is a sign for missing values; "": there is none */
} ms_edge_layout;

typedef struct ms_graph_info {
  uint32_t vertices;
  uint64_t edges;
  uint64_t lines;       /* lines read */
  uint64_t self_loops;  /* dropped */
  uint64_t duplicates;  /* dropped; both directions of an edge count as one edge */
  uint64_t below_score; /* edges dropped by min_score */
  uint64_t filtered;    /* lines dropped by taxon or system; MITAB: also negative interactions */
  bool colored;         /* true if the file gives colours, see ms_coloring_from_graph */
  bool directed;        /* as in ms_graph_options */
  bool scored;          /* true if each edge has a score, see ms_graph_scores */
  uint32_t edge_labels; /* different labels or types of edges in the file, which this graph does not
                           keep (ms_typed_read does); among edges with labels, having none counts
                           as one more.  0: the file has none */
  uint32_t motif_size;  /* slots of the motif that the file states, see ms_motif_from_graph; 0: it
                           states none */
  uint32_t max_degree;
  uint32_t crc32c;        /* of the uncompressed input bytes */
  ms_graph_format format; /* as detected */
  const char *path;       /* as given; owned by the graph */
  const char *alias_path; /* the file of ms_graph_read_aliases; owned by the graph; NULL: none */
  uint32_t alias_crc32c;  /* of that file's uncompressed bytes; 0: no such file */
  ms_edge_layout layout;
} ms_graph_info;

/* The description of a graph format. */
typedef struct ms_graph_format_info {
  const char *name;      /* as option --format spells it */
  const char *about;     /* one line of description */
  const char *example;   /* a small file; "" for the binary formats */
  const char *suffix;    /* the usual ending of file names, such as ".sif" */
  bool writable;         /* true if ms_graph_write supports it */
  bool numbered;         /* true if a file holds numbers, not names */
  uint32_t first_number; /* the first number of a numbered format: 0 or 1 */
  bool holds_colors;     /* true if ms_graph_write keeps colours */
  bool holds_scores;     /* true if it keeps the scores of edges */
} ms_graph_format_info;

/* Describes a format other than MS_FORMAT_AUTO.  The strings live as long as the library. */
MS_API ms_graph_format_info ms_graph_format_describe(ms_graph_format format);
/* Finds the format of that name ("auto" included); false if there is none. */
MS_API bool ms_graph_format_find(const char *name, ms_graph_format *format);

/* Reads a graph.  `path` "-" is standard input; gzip and zstd are detected by content. */
MS_API ms_status ms_graph_read(const char *path, const ms_graph_options *options, ms_graph **out,
                               ms_error *err);
/* Writes a graph, completely or not at all.  `path` "-" is standard output; a file whose name ends
 * in .gz or .zst is compressed.  `coloring` may be NULL; a format that holds no colours omits it,
 * and one that holds no scores of edges omits these.  An edge list and GraphML keep directions.
 * A numbered format names the vertices by their ids, counted from its first number.  MS_ERR_USAGE:
 * the format cannot express this graph, its directions or this colouring; the message says why. */
MS_API ms_status ms_graph_write(const ms_graph *graph, const ms_coloring *coloring,
                                ms_graph_format format, const char *path, ms_error *err);
/* Builds a graph from the m pairs edges[m][2].  names[n] may be NULL; the names are then "0" to
 * "n-1".  Self-loops and duplicates are dropped and counted.  MS_ERR_MEMORY, before anything is
 * built: the graph is larger than ms_limit_memory or, without it, three quarters of physical memory
 * allow. */
MS_API ms_status ms_graph_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                                     const char *const *names, ms_graph **out, ms_error *err);
/* Builds a directed graph in the same way: each edge points from its first vertex to its second. */
MS_API ms_status ms_graph_from_arcs(uint32_t n, uint64_t m, const uint32_t (*arcs)[2],
                                    const char *const *names, ms_graph **out, ms_error *err);

MS_API void ms_graph_free(ms_graph *graph);
MS_API ms_graph_info ms_graph_describe(const ms_graph *graph);
/* ms_graph_directed: true if the graph was read with `directed` or built from arcs.  ms_graph_arcs:
 * for each neighbour of v, in the order of ms_graph_neighbors, 1 if there is an arc from v to it, 2
 * if there is one from it to v, 3 if there are both; NULL if the graph is undirected. */
MS_API bool ms_graph_directed(const ms_graph *graph);
MS_API const uint8_t *ms_graph_arcs(const ms_graph *graph, uint32_t v);

/* ms_graph_scored: true if each edge has a score, because the graph was read with `keep_scores` or
 * from a binary file with scores, or by ms_graph_set_scores.  ms_graph_scores: for each neighbour
 * of v, in the order of ms_graph_neighbors, the score of the edge, on the scale of the file; NULL
 * if the graph has no scores.  Of several lines with the same two vertices, in either direction,
 * the greatest score counts.  The array is owned by the graph. */
MS_API bool ms_graph_scored(const ms_graph *graph);
MS_API const float *ms_graph_scores(const ms_graph *graph, uint32_t v);
/* Gives the edges of a graph the scores of the m pairs edges[m][2], in place of those that it may
 * have had.  Each edge needs one; of several, the greatest counts, and a pair of equal vertices
 * counts for none.  MS_ERR_USAGE: a pair is no edge, an edge has no score, or a score is not
 * finite; the graph then stays as it was.  Like ms_graph_read_aliases, it needs the graph alone. */
MS_API ms_status ms_graph_set_scores(ms_graph *graph, uint64_t m, const uint32_t (*edges)[2],
                                     const float *score, ms_error *err);

MS_API uint32_t ms_graph_vertex_count(const ms_graph *graph);
MS_API uint64_t ms_graph_edge_count(const ms_graph *graph);
/* Returns the name of vertex v < n; owned by the graph. */
MS_API const char *ms_graph_name(const ms_graph *graph, uint32_t v);
/* Returns the vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_graph_find(const ms_graph *graph, const char *name);
/* Returns the neighbours of v in ascending order; *degree receives their number. */
MS_API const uint32_t *ms_graph_neighbors(const ms_graph *graph, uint32_t v, uint32_t *degree);
/* Returns offsets[n + 1].  The rows of neighbours lie one after another, and so do those of
 * ms_graph_arcs and ms_graph_scores: the row of v is offsets[v] to offsets[v + 1] items behind that
 * of vertex 0.  Owned by the graph. */
MS_API const uint64_t *ms_graph_offsets(const ms_graph *graph);

typedef struct ms_alias_info {
  uint64_t aliases;   /* names that now find a vertex in addition to its own name */
  uint64_t ambiguous; /* names left out because they are aliases of several vertices */
  uint64_t unknown;   /* lines in which no name is a vertex */
  uint64_t lines;
  uint32_t crc32c;
} ms_alias_info;

/* Reads other names of vertices (lines NAME<TAB>ALIAS; STRING protein.aliases).  From then on
 * ms_graph_find, colour files and required vertices may use them.  A vertex's own name always comes
 * first; an alias of several vertices finds none of them.  The function may be called once per
 * graph.  `info` may be NULL. */
MS_API ms_status ms_graph_read_aliases(ms_graph *graph, const char *path, ms_alias_info *info,
                                       ms_error *err);

/* ---- labels ----------------------------------------------------------- */

/* Labels of vertices for people, such as gene symbols beside ids.  Two vertices may have the same
 * label.  Nothing is searched for by its label; see ms_graph_read_aliases.  Several threads may use
 * one ms_labels at the same time. */
typedef struct ms_labels ms_labels;

typedef struct ms_labels_info {
  uint32_t labelled; /* vertices that have a label */
  uint64_t unknown;  /* lines that name no vertex */
  uint64_t lines;
  uint32_t crc32c;  /* of the uncompressed bytes of the file */
  bool of_aliases;  /* the file is that of ms_graph_read_aliases */
  const char *path; /* owned by the labels */
} ms_labels_info;

/* Reads labels from a file of lines ID<TAB>LABEL; further columns are not read, and the first line
 * of a vertex counts.  STRING's protein.info and protein.aliases are such files; of the second,
 * only gene names are labels.  MS_ERR_INPUT: no line gives a label to a vertex. */
MS_API ms_status ms_labels_read(const char *path, const ms_graph *graph, ms_labels **out,
                                ms_error *err);
/* Takes labels from the file of ms_graph_read_aliases, which is read again. */
MS_API ms_status ms_labels_from_aliases(const ms_graph *graph, ms_labels **out, ms_error *err);
MS_API void ms_labels_free(ms_labels *labels);
MS_API ms_labels_info ms_labels_describe(const ms_labels *labels);
/* Returns the label of a vertex, or NULL if it has none. */
MS_API const char *ms_labels_of(const ms_labels *labels, uint32_t v);

/* ---- scores of vertices ------------------------------------------------- */

/* Scores of vertices, such as how strongly genes are expressed.  The score of a match is the sum of
 * those of its vertices.  Several threads may use one ms_vertex_scores at the same time. */
typedef struct ms_vertex_scores ms_vertex_scores;

#define MS_MAX_VERTEX_SCORE 100000000u /* greatest score of a vertex */

typedef struct ms_vertex_scores_info {
  uint32_t scored;   /* vertices that have a line; of ms_vertex_scores_new, a score above 0 */
  uint32_t greatest; /* greatest score */
  uint64_t unknown;  /* lines that name no vertex */
  uint64_t lines;
  uint32_t crc32c;  /* of the uncompressed bytes of the file */
  const char *path; /* owned by the scores; "(in memory)": they were given as an array */
} ms_vertex_scores_info;

/* Reads scores from a file of lines NAME<TAB>SCORE; further columns are not read.  A score is an
 * integer from 0 to MS_MAX_VERTEX_SCORE.  Aliases of names (ms_graph_read_aliases) count.  A vertex
 * without a line has the score 0.  MS_ERR_INPUT, with the line: something else is no score, or a
 * vertex has two different ones; or no line gives a score to a vertex. */
MS_API ms_status ms_vertex_scores_read(const char *path, const ms_graph *graph,
                                       ms_vertex_scores **out, ms_error *err);
/* Makes scores of an array: score[v] is that of vertex v of the n vertices of the graph, from 0 (as
 * a vertex without a score has) to MS_MAX_VERTEX_SCORE.  The array is copied, and the caller frees
 * *out by ms_vertex_scores_free; the graph is not kept.  `score` may be NULL if n is 0.
 * MS_ERR_USAGE: a score is greater. */
MS_API ms_status ms_vertex_scores_new(const ms_graph *graph, const uint32_t *score /* [n] */,
                                      ms_vertex_scores **out, ms_error *err);
MS_API void ms_vertex_scores_free(ms_vertex_scores *scores);
MS_API ms_vertex_scores_info ms_vertex_scores_describe(const ms_vertex_scores *scores);
/* Returns the score of a vertex; 0 if the graph has no vertex of this number. */
MS_API uint32_t ms_vertex_scores_of(const ms_vertex_scores *scores, uint32_t v);

/* ---- components ------------------------------------------------------ */

/* The algorithm that finds connected components.  The result is the same. */
typedef enum ms_components_algorithm {
  MS_COMPONENTS_AFFOREST = 0, /* union-find on a sample first (Sutton, Ben-Nun, Barak 2018) */
  MS_COMPONENTS_KAHAN,        /* parallel searches, then the components of the pairs that met */
  MS_COMPONENTS_BULLY         /* parallel searches; the stronger takes over the weaker */
} ms_components_algorithm;

/* Fills component[n] with the component of each vertex, and *count with the number of components.
 * Components are numbered from 0 in the order of their smallest vertices.  Arcs of a directed graph
 * count in both directions.  threads: as in ms_run_limits; the numbers depend neither on it nor
 * on the algorithm. */
MS_API ms_status ms_graph_components(const ms_graph *graph, ms_components_algorithm algorithm,
                                     int threads, uint32_t *component /* [n] */, uint32_t *count,
                                     ms_error *err);

#endif
