/* motifsieve finds the vertices of a coloured graph that take part in a connected
 * match of a colour motif, and lists the matches.  It also lists and counts the
 * matches of pattern graphs.
 *
 * This is the only public header.  Handles are opaque; result structs are
 * read-only and owned by the caller once returned.
 *
 * Conventions
 *  - Every fallible call returns an ms_status and takes an `ms_error *` last
 *    (may be NULL).  On failure *err says what went wrong, where (file, line)
 *    and what to do; out-parameters are left NULL.
 *  - Options may be NULL; the defaults apply then.
 *  - The library never prints, never exits and never calls abort.
 *  - Objects are freed with their own _free function, which accepts NULL.
 *  - Vertices are 32-bit ids in the order of first appearance in the input.
 */
#ifndef MOTIFSIEVE_H
#define MOTIFSIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MS_VERSION "0.1.0"

#if defined(__GNUC__)
#define MS_API __attribute__((visibility("default")))
#define MS_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MS_API
#define MS_PRINTF(f, a)
#endif

/* ---- status ---------------------------------------------------------- */

typedef enum ms_status {
  MS_OK = 0,
  MS_ERR_USAGE,       /* an argument or option makes no sense */
  MS_ERR_INPUT,       /* a file is missing, unreadable or malformed */
  MS_ERR_OUTPUT,      /* a result could not be written */
  MS_ERR_MEMORY,      /* allocation failed, or the memory bound is too low */
  MS_ERR_LIMIT,       /* a limit (time, count) ended the work early */
  MS_ERR_INTERRUPTED, /* the caller asked to stop */
  MS_ERR_DEVICE_LOST, /* an accelerator went away; its work can be redone */
  MS_ERR_INTERNAL     /* a bug in this library */
} ms_status;

typedef struct ms_error {
  ms_status status;
  char message[1024];
} ms_error;

/* Returns a short fixed phrase for a status, never NULL. */
MS_API const char *ms_status_text(ms_status status);
/* Returns the version of the library: MS_VERSION when it was built. */
MS_API const char *ms_version(void);

/* ---- memory ---------------------------------------------------------- */

/* The functions through which the library allocates all its heap memory.  `align`
 * is a power of two.  The functions must be thread-safe, and must be set before
 * any other call. */
typedef struct ms_allocator {
  void *(*alloc)(void *user, size_t bytes, size_t align);
  void *(*resize)(void *user, void *block, size_t old_bytes, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} ms_allocator;

/* Sets the allocator; NULL restores malloc. */
MS_API void ms_set_allocator(const ms_allocator *allocator);

/* ---- stopping -------------------------------------------------------- */

/* A stop token, which long calls poll.  ms_stop_request is async-signal-safe. */
typedef struct ms_stop ms_stop;
MS_API ms_status ms_stop_new(ms_stop **out, ms_error *err);
MS_API void ms_stop_free(ms_stop *stop);
MS_API void ms_stop_request(ms_stop *stop);
/* Makes the token read as stopped after this many seconds from now; a value <= 0 removes the
 * time limit. */
MS_API void ms_stop_after(ms_stop *stop, double seconds);

/* Receives progress: `done` of `total` units of `what` are finished.  It is called from one
 * thread at a time, at most about ten times a second. */
typedef void (*ms_progress_fn)(void *user, const char *what, uint64_t done, uint64_t total);

/* ---- graph ----------------------------------------------------------- */

/* An undirected simple graph in compressed sparse rows, with vertex names. */
typedef struct ms_graph ms_graph;
/* The list of colours of every vertex. */
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
  MS_FORMAT_RI      /* RI's .gfd, .gfu, .ged and .geu: labels of vertices, then edges */
} ms_graph_format;
#define MS_GRAPH_FORMATS 16 /* the number of formats, MS_FORMAT_AUTO included */

typedef struct ms_graph_options {
  size_t size; /* set by MS_GRAPH_OPTIONS_DEFAULT */
  ms_graph_format format;
  double min_score;   /* STRING, edge list: keep edges whose score is at least this */
  bool keep_taxon;    /* STRING: keep the taxon, such as "4932.", in front of the names */
  bool header;        /* edge list, SIF: the first data line is a header */
  const char *taxon;  /* BioGRID, MITAB: the NCBI taxon id of both partners; NULL: any */
  const char *system; /* BioGRID: the experimental system or its type ("physical"); MITAB: the
                         detection method; NULL: any */
  const char *names;  /* BioGRID, MITAB: the identifier that names a vertex; NULL: the usual one */
  bool directed;      /* the first name of an edge is its tail; the graph keeps the directions of
                         edges beside the undirected graph (for pattern graphs, see
                         ms_graph_directed) */
  int threads;        /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;    /* bytes that vertices without edges may take, where a file states only
                         their number; 0: half of physical memory */
  bool no_header; /* edge list: the first data line is an edge, even if it looks like a header */
  const char *source_column, *target_column; /* edge list, table: the columns of the ends, by name
                         or by number from 1; NULL: what the header says, else the first two */
  const char *score_column; /* STRING, edge list: the column of scores, by name or number; NULL: the
                               usual one */
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
  const char *example;   /* a small file; "" for the binary format */
  const char *suffix;    /* the usual ending of file names, such as ".sif" */
  bool writable;         /* true if ms_graph_write supports it */
  bool numbered;         /* true if a file holds numbers, not names */
  uint32_t first_number; /* the first number of a numbered format: 0 or 1 */
  bool holds_colors;     /* true if ms_graph_write keeps colours */
} ms_graph_format_info;

/* Describes a format other than MS_FORMAT_AUTO.  The strings live as long as the library. */
MS_API ms_graph_format_info ms_graph_format_describe(ms_graph_format format);
/* Finds the format of that name ("auto" included); false if there is none. */
MS_API bool ms_graph_format_find(const char *name, ms_graph_format *format);

/* Reads a graph.  `path` "-" is standard input; gzip and zstd are detected by content. */
MS_API ms_status ms_graph_read(const char *path, const ms_graph_options *options, ms_graph **out,
                               ms_error *err);
/* Writes a graph, completely or not at all.  `path` "-" is standard output; a file whose name ends
 * in .gz or .zst is compressed.  `coloring` may be NULL; a format that holds no colours omits it.
 * A numbered format names the vertices by their ids, counted from its first number.  MS_ERR_USAGE:
 * the format cannot express this graph or this colouring; the message says why. */
MS_API ms_status ms_graph_write(const ms_graph *graph, const ms_coloring *coloring,
                                ms_graph_format format, const char *path, ms_error *err);
/* Builds a graph from the m pairs edges[m][2].  names[n] may be NULL; the names are then "0" to
 * "n-1".  Self-loops and duplicates are dropped and counted. */
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

MS_API uint32_t ms_graph_vertex_count(const ms_graph *graph);
MS_API uint64_t ms_graph_edge_count(const ms_graph *graph);
/* Returns the name of vertex v < n; owned by the graph. */
MS_API const char *ms_graph_name(const ms_graph *graph, uint32_t v);
/* Returns the vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_graph_find(const ms_graph *graph, const char *name);
/* Returns the neighbours of v in ascending order; *degree receives their number. */
MS_API const uint32_t *ms_graph_neighbors(const ms_graph *graph, uint32_t v, uint32_t *degree);

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
 * label.  Nothing is searched for by its label; see ms_graph_read_aliases. */
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

/* ---- components ------------------------------------------------------ */

/* The algorithm that finds connected components.  The result is the same. */
typedef enum ms_components_algorithm {
  MS_COMPONENTS_AFFOREST = 0, /* union-find on a sample first (Sutton, Ben-Nun, Barak 2018) */
  MS_COMPONENTS_KAHAN,        /* parallel searches, then the components of the pairs that met */
  MS_COMPONENTS_BULLY         /* parallel searches; the stronger takes over the weaker */
} ms_components_algorithm;

/* Fills component[n] with the component of each vertex, and *count with the number of components.
 * Components are numbered from 0 in the order of their smallest vertices.  Arcs of a directed graph
 * count in both directions.  threads: as in ms_screen_options; the numbers depend neither on it nor
 * on the algorithm. */
MS_API ms_status ms_graph_components(const ms_graph *graph, ms_components_algorithm algorithm,
                                     int threads, uint32_t *component /* [n] */, uint32_t *count,
                                     ms_error *err);

/* ---- colours --------------------------------------------------------- */

typedef enum ms_color_format {
  MS_COLORS_AUTO = 0,
  MS_COLORS_TSV,     /* vertex<TAB>colour; a vertex with several lines has several colours */
  MS_COLORS_GO_SLIM, /* SGD go_slim_mapping.tab */
  MS_COLORS_GAF,     /* GO annotation file, GAF 2.x */
  MS_COLORS_GRAPH,   /* the colours of the graph file itself, see ms_coloring_from_graph */
  MS_COLORS_WIDE,    /* a column for each colour, with marks 0 and 1, empty and x, FALSE and TRUE */
  MS_COLORS_LISTS    /* colour<TAB>vertices, many in one cell */
} ms_color_format;
#define MS_COLOR_FORMATS 7

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
  uint64_t unknown_vertices; /* lines whose vertex is not in the graph, dropped */
  uint64_t extra_columns; /* table lines with more than two columns; further columns are not read */
  uint64_t negated;       /* GAF: lines that say NOT, dropped */
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

/* ---- motif and query ------------------------------------------------- */

#define MS_MAX_K 32u /* greatest number of slots in a motif */

/* A multiset of colours.  `*` is a vertex of any colour, or of none. */
typedef struct ms_motif ms_motif;

/* Parses a motif such as "kinase:2,phosphatase,*:1".  A name that holds a comma, a colon or a
 * double quote is written in double quotes ("" for a quote inside).  An unquoted item whose whole
 * text is a known colour is that colour.  Errors name the item. */
MS_API ms_status ms_motif_parse(const char *text, const ms_coloring *coloring, ms_motif **out,
                                ms_error *err);
/* Reads a motif from a file of lines `colour` or `colour<TAB>count`, with the names unquoted. */
MS_API ms_status ms_motif_read(const char *path, const ms_coloring *coloring, ms_motif **out,
                               ms_error *err);

/* Makes the motif that the graph's file states (format "motif"; info.motif_size > 0). MS_ERR_USAGE:
 * it states none. */
MS_API ms_status ms_motif_from_graph(const ms_graph *graph, const ms_coloring *coloring,
                                     ms_motif **out, ms_error *err);

/* What the graph's file says that a search for its motif finds. */
typedef enum ms_target_kind {
  MS_TARGET_NONE = 0, /* nothing */
  MS_TARGET_UNIQUE,   /* one match, of the given vertices */
  MS_TARGET_COUNT     /* a number of matches */
} ms_target_kind;
typedef struct ms_motif_target {
  ms_target_kind kind;
  uint32_t size;          /* UNIQUE: number of vertices */
  const uint32_t *vertex; /* UNIQUE: [size] ascending; owned by the graph */
  uint64_t count;         /* number of matches; UNIQUE: 1 */
} ms_motif_target;
MS_API ms_motif_target ms_graph_motif_target(const ms_graph *graph);

MS_API void ms_motif_free(ms_motif *motif);
MS_API uint32_t ms_motif_size(const ms_motif *motif);
/* Returns the canonical text, which ms_motif_parse reads back; owned by the motif. */
MS_API const char *ms_motif_text(const ms_motif *motif);

/* A graph, its colours, a motif and required vertices.  The query keeps pointers to the first
 * three, which must outlive it. */
typedef struct ms_query ms_query;

MS_API ms_status ms_query_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_motif *motif, uint32_t n_required,
                              const char *const *required, ms_query **out, ms_error *err);
MS_API void ms_query_free(ms_query *query);

/* Finds which slot each vertex of a match fills.  The slots are numbered from 0, class after class
 * of the canonical text.  Of all ways to pair off vertices with slots this is the lexicographically
 * first: set[0] has the lowest slot possible, then set[1], and so on.  set[k] and slot[k]; returns
 * false if there is no way, because the set is no match. */
MS_API bool ms_query_slots(const ms_query *query, const uint32_t *set, uint32_t *slot);
/* Returns the name of the colour of slot d < k; "*" is any colour. */
MS_API const char *ms_query_slot_name(const ms_query *query, uint32_t d);

/* ---- screen ---------------------------------------------------------- */

typedef enum ms_recurrence { MS_SIBLING = 0, MS_CLASSIC = 1 } ms_recurrence;

/* Defaults of options.  In a struct of options, zero means the default, except for seeds, which
 * MS_.._OPTIONS_DEFAULT and the tool set. */
#define MS_DEFAULT_SEED 1
#define MS_DEFAULT_ERROR 1e-6 /* per-vertex miss bound */
#define MS_DEFAULT_BEST 10    /* number of maps that an inexact search finds */

/* The device on which the sieve runs.  The sieve values Q are the same bits everywhere. */
typedef enum ms_backend {
  MS_BACKEND_AUTO = 0, /* the one from which a cost model expects the answer first */
  MS_BACKEND_CPU,
  MS_BACKEND_CUDA, /* all usable NVIDIA GPUs, or those in `devices` */
  MS_BACKEND_BOTH  /* the GPUs and the processor together */
} ms_backend;

typedef struct ms_screen_options {
  size_t size; /* set by MS_SCREEN_OPTIONS_DEFAULT */
  ms_recurrence recurrence;
  double error;         /* wanted bound on the chance to miss a vertex; 0: MS_DEFAULT_ERROR */
  uint32_t repetitions; /* 0: as many as `error` needs */
  uint64_t seed;
  int threads;           /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;       /* bytes; 0: three quarters of physical memory */
  uint32_t match_size;   /* number of vertices in a match; 0: k.  If smaller than k, a match
                            fills this many of the k slots (deletions; no required vertices) */
  bool no_prune;         /* sieve the whole graph (for tests and benchmarks) */
  bool no_early_stop;    /* run all repetitions even when all are flagged */
  bool keep_q;           /* fill the field q of the result */
  const char *kernel;    /* the arithmetic; NULL: the fastest of this CPU (or MOTIFSIEVE_GF2).  If
                            only GPUs are used, bitslice32-shared or bitslice32-global replaces
                            the automatic choice */
  uint32_t block_points; /* 0: the block size of the arithmetic; any other number is an error */
  ms_stop *stop;         /* may be NULL */
  ms_progress_fn progress;
  void *progress_user;
  ms_backend backend;
  const int *devices; /* [n_devices] numbers of GPUs, all different; borrowed */
  uint32_t n_devices; /* 0: all */
} ms_screen_options;
/* The options that a NULL pointer stands for. */
#define MS_SCREEN_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_screen_options), .seed = MS_DEFAULT_SEED                                     \
  }

/* The result of a screen.  Times are in seconds. */
typedef struct ms_screen_result {
  uint32_t n; /* vertices of the graph */
  uint32_t k;
  uint32_t *hits; /* [n] number of repetitions that flagged v; > 0: v is certainly in a match */
  uint8_t *kept;  /* [n] 1 if pruning left v; 0: v is certainly in no match */
  uint8_t *q;     /* [repetitions][n] sieve values; NULL without keep_q */
  uint32_t vertices_kept, flagged, components;
  uint64_t edges_kept;
  uint32_t repetitions; /* repetitions that ran to their end */
  uint32_t repetitions_planned;
  double miss_bound;        /* per vertex, after `repetitions`, rounded up; 0 if every vertex
                               that pruning left is flagged, 1 without a repetition */
  double miss_bound_union;  /* miss_bound times vertices_kept, at most 1 */
  char *miss_bound_text;    /* the exact rational, as a formula; or "0: WHY" */
  bool early_stop;          /* true if the run ended early because every kept vertex was flagged */
  ms_status stopped;        /* MS_OK, or MS_ERR_LIMIT / MS_ERR_INTERRUPTED */
  uint64_t memory_estimate; /* bytes, estimated before the run */
  const char *kernel;       /* the arithmetic used; NULL if nothing was sieved */
  uint32_t block_points;
  int threads;
  double time_prune, time_sieve;
  uint64_t points;       /* points evaluated in all repetitions */
  ms_backend backend;    /* the back end that ran: CPU, CUDA or BOTH */
  char *backend_reason;  /* one line of text: which back end was chosen and why */
  uint32_t devices;      /* GPUs that worked to the end */
  uint32_t devices_lost; /* GPUs that failed during the run; other devices did their work */
} ms_screen_result;

MS_API ms_status ms_screen(const ms_query *query, const ms_screen_options *options,
                           ms_screen_result **out, ms_error *err);
MS_API void ms_screen_result_free(ms_screen_result *result);

/* ---- list ------------------------------------------------------------ */

struct ms_list_result;
/* Called once, before the first row.  result->streamed says what is known: false, and everything
 * but `vertices` is set; true, and the screen and the regions are.  Returns false to stop the
 * search. */
typedef bool (*ms_list_begin_fn)(void *user, const struct ms_list_result *result);
/* Receives the next rows[count][k].  Returns false to stop the search. */
typedef bool (*ms_list_rows_fn)(void *user, const uint32_t *rows, uint64_t count);

typedef struct ms_list_options {
  size_t size; /* set by MS_LIST_OPTIONS_DEFAULT */
  ms_screen_options screen;
  bool exact;      /* search without the sieve: no match can be missed */
  bool count_only; /* count the matches and do not store them */
  uint64_t limit;  /* stop after this many matches; 0: no limit */
  /* A receiver of rows, unless NULL; the result then has none.  Up to 2^20 rows come at the end,
   * sorted. More rows, or rows for which the memory is too small, come while they are found, in an
   * order that does not depend on the threads.  The calls come one at a time, from any thread. */
  ms_list_begin_fn begin; /* may be NULL */
  ms_list_rows_fn rows;
  void *rows_user;
} ms_list_options;
#define MS_LIST_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .size = sizeof(ms_list_options), .screen = MS_SCREEN_OPTIONS_DEFAULT                           \
  }

typedef struct ms_list_result {
  uint32_t k;
  uint64_t matches;   /* number of matches stored or counted */
  uint32_t *vertices; /* [matches][k], each row ascending, the rows sorted; NULL if count_only or if
                         a receiver took them */
  char *count_text;   /* the number of matches in decimal, exact at any size (GMP) */
  uint32_t regions;   /* candidate regions searched */
  uint32_t region_vertices;
  uint64_t rejected;        /* matches refused by verify/; a value > 0 is a bug and an error */
  ms_screen_result *screen; /* NULL if the search was exact */
  ms_status stopped;        /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_list, time_verify;
  bool streamed; /* the receiver took rows while they were found, so they are not sorted */
} ms_list_result;

MS_API ms_status ms_list(const ms_query *query, const ms_list_options *options,
                         ms_list_result **out, ms_error *err);
MS_API void ms_list_result_free(ms_list_result *result);

/* True if a result for the motif of the graph's file, without required vertices, agrees with the
 * file's target.  Results that were stopped, or that the sieve found, may lack matches. */
MS_API bool ms_target_fits_list(const ms_motif_target *target, const ms_list_result *list);
MS_API bool ms_target_fits_screen(const ms_motif_target *target, const ms_screen_result *screen);

/* ---- pattern graphs -------------------------------------------------- */

#define MS_MAX_PATTERN 64u /* greatest number of vertices in a pattern */

/* A pattern graph.  A *match* is an injective map of its vertices to the vertices
 * of the graph.  It takes edges to edges (arcs to arcs if graph and pattern are
 * directed), and each vertex to one that has an accepted colour; with `induced`
 * it also takes non-edges to non-edges. */
typedef struct ms_pattern ms_pattern;

/* Creates a built-in pattern, undirected and without colours: triangle, paw (a triangle with one
 * more edge; also "tailed-triangle"), square, diamond, k4, bowtie, house, octahedron, path:N,
 * cycle:N, clique:N, star:N (N leaves), wheel:N (a cycle of N and its hub).  The message of
 * MS_ERR_USAGE lists them. */
MS_API ms_status ms_pattern_named(const char *name, ms_pattern **out, ms_error *err);
/* Parses Cypher's notation, as ms_typed_pattern_parse does, for a plain graph: the types of
 * vertices are the accepted colours, and arrows ask for a graph that was read as `directed`.
 * MS_ERR_USAGE: the pattern has types of edges, self-loops, parallel edges, or edges with an arrow
 * beside edges without. */
MS_API ms_status ms_pattern_parse(const char *text, bool directed, ms_pattern **out, ms_error *err);
/* Builds a pattern of n vertices 0..n-1 and m edges[m][2], which point from the first vertex to the
 * second if `directed`.  color[n]: the name of an accepted colour, NULL for any colour; the whole
 * array may be NULL.  ms_pattern_accept adds further colours.  MS_ERR_USAGE: a self-loop (graphs
 * have none), or a size out of range. */
MS_API ms_status ms_pattern_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                                       bool directed, const char *const *color, ms_pattern **out,
                                       ms_error *err);
/* Reads a pattern file in any graph format (t/v/e, LAD, an edge list and others), or in the
 * notation of ms_pattern_parse, which may have no colors_path. options->directed has the same
 * meaning as for graphs.  Labels in the file are the accepted colours of the vertices ("*": any
 * colour).  colors_path: a file of lines VERTEX<TAB>COLOUR, or NULL.  A vertex with several lines
 * accepts each of its colours; a vertex with the colour "*" or without a line accepts any. */
MS_API ms_status ms_pattern_read(const char *path, const ms_graph_options *options,
                                 const char *colors_path, ms_pattern **out, ms_error *err);
/* Reads such a file of accepted colours for a pattern that has none so far.  The vertices of a
 * built-in pattern are named 0, 1, and so on. */
MS_API ms_status ms_pattern_read_colors(ms_pattern *pattern, const char *path, ms_error *err);

/* Adds an accepted colour to a pattern vertex. */
MS_API ms_status ms_pattern_accept(ms_pattern *pattern, uint32_t vertex, const char *color,
                                   ms_error *err);

MS_API void ms_pattern_free(ms_pattern *pattern);
MS_API uint32_t ms_pattern_size(const ms_pattern *pattern);
/* Returns the name of pattern vertex i; owned by the pattern. */
MS_API const char *ms_pattern_vertex_name(const ms_pattern *pattern, uint32_t i);

/* A graph prepared for patterns, with its rows sorted by colour and degree.  One index serves any
 * number of patterns, and several threads may use it at the same time.  It keeps pointers to the
 * graph and to the colouring (which may be NULL); both must outlive it. */
typedef struct ms_pattern_index ms_pattern_index;
MS_API ms_status ms_pattern_index_new(const ms_graph *graph, const ms_coloring *coloring,
                                      int threads, ms_pattern_index **out, ms_error *err);
MS_API void ms_pattern_index_free(ms_pattern_index *index);

typedef enum ms_order { MS_ORDER_AUTO = 0, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE } ms_order;

typedef enum ms_screen_mode {
  MS_SCREEN_AUTO = 0, /* the sieve goes first if a cost estimate says that it saves time */
  MS_SCREEN_ALWAYS,   /* the sieve for the pattern's multiset of colours always goes first */
  MS_SCREEN_NEVER     /* no sieve: the search is exact, without a miss bound */
} ms_screen_mode;

/* Receives `count` matches: rows[count][p] are the graph vertices of pattern vertices 0 to p-1.
 * There is one call at a time, and the order of rows does not depend on the number of threads; an
 * engine on GPUs delivers rows in any order (see ms_pattern_result.ordered).  Return false to stop
 * the search. */
typedef bool (*ms_pattern_rows_fn)(void *user, const uint32_t *rows, uint64_t count);

struct ms_pattern_result;
/* Receives, once and before the first rows, the fields that are known by then: p,
 * automorphisms_text, engine, engine_reason, ordered, screen, screen_reason, region_vertices and
 * time_plan.  There are no counts yet.  `known` and everything it points to live only until the
 * call returns.  Return false to stop the search. */
typedef bool (*ms_pattern_begin_fn)(void *user, const struct ms_pattern_result *known);

typedef struct ms_pattern_options {
  size_t size; /* set by MS_PATTERN_OPTIONS_DEFAULT */
  bool induced;
  const char *engine; /* "cpu"; on NVIDIA GPUs "dfs", "trie", "reuse", "flood", or "gpu", which
                         chooses among these four for each search.  screen.devices names the GPUs,
                         if it is given.  NULL or "auto": an engine on GPUs if there is a GPU and
                         the work is long enough to repay its start; the CPU's otherwise, or when
                         the GPU fails (docs/PATTERNS.md) */
  bool embeddings;    /* true: every map.  false: one map of each class of maps that differ by an
                         automorphism of the pattern with its colours: the one with the smallest
                         row */
  ms_order order;
  ms_screen_mode screen_mode;
  ms_screen_options screen; /* options of the sieve; threads, memory, stop and progress apply to the
                               whole search */
  bool count_only;
  uint64_t limit;          /* stop after this many matches; 0: no limit */
  ms_pattern_rows_fn rows; /* receives the matches; NULL: store them */
  void *rows_user;
  ms_pattern_begin_fn begin; /* called with rows_user if `rows` is given; may be NULL */
} ms_pattern_options;
#define MS_PATTERN_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .size = sizeof(ms_pattern_options), .screen = MS_SCREEN_OPTIONS_DEFAULT                        \
  }

typedef struct ms_pattern_result {
  uint32_t p; /* pattern vertices */
  uint64_t
      matches; /* number of matches delivered, stored or counted; a count is capped at UINT64_MAX */
  uint32_t *vertices; /* [matches][p], or NULL */
  char *count_text;   /* the number of subgraphs or of embeddings, as the options say; in decimal,
                         exact at any size (GMP) */
  char *embeddings_text, *subgraphs_text; /* both numbers, exact; subgraphs = embeddings / |Aut| */
  char *automorphisms_text;               /* |Aut|, of the pattern with its colours, in decimal */
  const char *engine;  /* the engine that ran, "cpu" or another; for a count, the engine of its
                          largest part */
  char *engine_reason; /* one line of text: why this engine was chosen */
  bool ordered; /* false: the order of rows differs from run to run, and so do the rows of a run
                   that is cut short */
  uint64_t rejected;           /* matches refused by verify/; a value > 0 is a bug and an error */
  ms_screen_result *screen;    /* NULL: no sieve went first, and no match can be missed */
  char *screen_reason;         /* one line of text: why the sieve did or did not go first */
  uint32_t region_vertices;    /* number of graph vertices that were searched */
  ms_status stopped;           /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_plan, time_list; /* seconds; time_list includes the check of the matches */
} ms_pattern_result;

/* Lists or counts all matches.  A pattern vertex that accepts only colours that the graph does not
 * know has no match. */
MS_API ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *options, ms_pattern_result **out,
                                 ms_error *err);

MS_API void ms_pattern_result_free(ms_pattern_result *result);

/* Explains how the pattern would be searched for, as text or as JSON, and which engine "auto" would
 * use; with count_only also how its matches would be counted ("count" in the JSON).  Free *text
 * with ms_text_free. */
MS_API ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                                    const ms_pattern_options *options, bool json, char **text,
                                    ms_error *err);
MS_API void ms_text_free(char *text);

/* ---- typed graphs ---------------------------------------------------- */

/* A multigraph whose vertices and edges have types, such as a knowledge network (Hetionet).  A
 * relation is symmetric, or has a direction and an inverse: an edge (v, w) of type t is also an
 * edge (w, v) of the inverse of t, which is called "^t" unless the file has a name for it. Parallel
 * edges and self-loops are kept.  docs/TYPED.md describes typed graphs. */
typedef struct ms_typed ms_typed;

typedef enum ms_typed_format {
  MS_TYPED_AUTO = 0,
  MS_TYPED_HETIONET, /* source<TAB>metaedge<TAB>target, with ids "Kind::..."; an abbreviation with
                        '>' or '<' has a direction */
  MS_TYPED_SIF,      /* source relation target... */
  MS_TYPED_TABLE,    /* tab-separated, with a header that names the columns */
  MS_TYPED_TVE,      /* lines t, v, e whose edges have labels; without labels it is a plain graph */
  MS_TYPED_RI        /* RI's .ged and .geu; without labels of edges it is a plain graph */
} ms_typed_format;
#define MS_TYPED_FORMATS 6

typedef struct ms_typed_options {
  size_t size; /* set by MS_TYPED_OPTIONS_DEFAULT */
  ms_typed_format format;
  bool directed;     /* the direction of relations of which nothing else is known.  true: they
                        point from source to target.  false: they are symmetric, except for a
                        relation r if "^r" occurs */
  const char *nodes; /* a table of the vertices' types, tab-separated with a header; or NULL */
  const char *node_name_column, *node_type_column; /* columns of that table, by name or by
                             number from 1.  NULL: "id", and "kind" or "type", if the header has
                             them, otherwise the first and the last column.  Two columns without
                             such a header: VERTEX<TAB>TYPE */
  const char *relations; /* a file of lines TYPE<TAB>INVERSE, or NULL; two equal names: symmetric */
  const char *source_column, *target_column,
      *type_column;                                    /* TABLE: columns by name or by number from
                         1.  NULL: "source", "target", "type" and names of the same meaning.  If
                         type_column is "none" and the header lacks that name, all edges have
                         the type "edge" */
  const char *source_type_column, *target_type_column; /* TABLE; NULL: "source_type" and
                                                          "target_type", if the header has them */
  int threads;                                         /* 0: OMP_NUM_THREADS or all processors */
} ms_typed_options;
#define MS_TYPED_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_typed_options)                                                               \
  }

typedef struct ms_typed_info {
  uint32_t vertices;
  uint64_t edges; /* self-loops and parallel edges included */
  uint64_t self_loops;
  uint64_t repeats; /* edges that repeat an edge with the same ends and the same type */
  uint32_t vertex_types;
  uint32_t arc_types;  /* number of types, the inverses of directed relations included */
  uint32_t untyped;    /* vertices of unknown type; they have the type "untyped" */
  uint32_t lone_nodes; /* vertices of the node table without an edge; they are kept */
  uint32_t max_degree; /* greatest number of arcs in a row */
  uint64_t lines;      /* lines in the file of edges */
  uint32_t crc32c, nodes_crc32c, relations_crc32c; /* 0: no such file */
  ms_typed_format format; /* as detected; MS_TYPED_AUTO: built in memory, or from a plain graph */
  const char *path, *nodes_path; /* as given; owned by the graph; nodes_path may be NULL */
} ms_typed_info;

/* Reads a typed graph.  With MS_TYPED_AUTO, a file that shows no sign of types is read as by
 * ms_graph_read and converted by ms_typed_from_graph, with the colours that it holds.  options
 * NULL: all zero. */
MS_API ms_status ms_typed_read(const char *path, const ms_typed_options *options, ms_typed **out,
                               ms_error *err);
/* The arrays from which a typed graph is built: n vertices names[n] (NULL: "0", "1" and so on) of
 * types vertex_type[n] (names), and m edges[m][2] of types edge_type[m] < n_relations.  relation[r]
 * and inverse[r] are names; if inverse[r] is NULL, relation r is symmetric. */
typedef struct ms_typed_source {
  uint32_t n;
  const char *const *names;
  const char *const *vertex_type; /* [n]; NULL: all vertices are "untyped" */
  uint64_t m;
  const uint32_t (*edges)[2];
  const uint32_t *edge_type; /* [m] */
  uint32_t n_relations;
  const char *const *relation, *const *inverse;
} ms_typed_source;
MS_API ms_status ms_typed_from_edges(const ms_typed_source *source, int threads, ms_typed **out,
                                     ms_error *err);
/* Converts a plain graph to a typed one.  It has one relation, "edge", which is directed if the
 * graph is.  The type of a vertex is its colour; several colours are joined by '|'.  coloring may
 * be NULL. */
MS_API ms_status ms_typed_from_graph(const ms_graph *graph, const ms_coloring *coloring,
                                     int threads, ms_typed **out, ms_error *err);
/* Converts a typed graph to a plain one, without types of edges, self-loops and parallel edges.
 * *coloring receives the types of vertices as colours; coloring may be NULL. */
MS_API ms_status ms_typed_plain(const ms_typed *graph, int threads, ms_graph **plain,
                                ms_coloring **coloring, ms_error *err);
/* Writes a table that ms_typed_read reads back without options.  Its columns are source, type,
 * target, source_type and target_type; in the line of an isolated vertex the second and the third
 * are empty.  Lines "#relation:<TAB>TYPE<TAB>INVERSE" above the header give the directions.  `path`
 * is treated as by ms_graph_write.  MS_ERR_USAGE: such a table cannot express some name. */
MS_API ms_status ms_typed_write(const ms_typed *graph, const char *path, ms_error *err);

MS_API void ms_typed_free(ms_typed *graph);
MS_API ms_typed_info ms_typed_describe(const ms_typed *graph);
MS_API const char *ms_typed_name(const ms_typed *graph, uint32_t v);
/* Returns the vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_typed_find(const ms_typed *graph, const char *name);
/* Types are numbers; their names are owned by the graph. */
MS_API uint32_t ms_typed_vertex_type(const ms_typed *graph, uint32_t v);
MS_API const char *ms_typed_vertex_type_name(const ms_typed *graph, uint32_t type);
MS_API const char *ms_typed_arc_type_name(const ms_typed *graph, uint32_t type);
/* Returns the type of that name ("^r": the inverse of r), or UINT32_MAX. */
MS_API uint32_t ms_typed_find_arc_type(const ms_typed *graph, const char *name);
MS_API uint32_t ms_typed_inverse(const ms_typed *graph, uint32_t arc_type);

/* A typed pattern. */
typedef struct ms_typed_pattern ms_typed_pattern;
/* Parses Cypher's notation: paths of vertices and edges, joined by commas, such as
 * "(c:Compound)-[CbG]-(g:Gene)<-[Gr>G]-(:Gene), (c)--(d)".  A vertex is (NAME:TYPE|TYPE), each part
 * optional.  -[TYPE|TYPE]-> points from left to right, <-[..]- from right to left, and -[..]- fits
 * both ways; -- and -[]- are edges of any type, and -[r:TYPE]- is -[TYPE]-.  Names in backquotes
 * may hold any character.  MATCH in front and RETURN with names of vertices behind change nothing.
 */
MS_API ms_status ms_typed_pattern_parse(const char *text, ms_typed_pattern **out, ms_error *err);
/* Reads a pattern from a file of that text, in which a line end counts as a comma and # begins a
 * comment; or from a typed graph file, whose edges and types of vertices are the pattern (options
 * as for graphs; may be NULL). */
MS_API ms_status ms_typed_pattern_read(const char *path, const ms_typed_options *options,
                                       ms_typed_pattern **out, ms_error *err);

MS_API void ms_typed_pattern_free(ms_typed_pattern *pattern);
MS_API uint32_t ms_typed_pattern_size(const ms_typed_pattern *pattern);
MS_API const char *ms_typed_pattern_vertex_name(const ms_typed_pattern *pattern, uint32_t i);

/* Does what ms_labels_read does for a typed graph. */
MS_API ms_status ms_labels_read_typed(const char *path, const ms_typed *graph, ms_labels **out,
                                      ms_error *err);

/* A pattern bound to a graph; both must outlive the query. */
typedef struct ms_typed_query ms_typed_query;
MS_API ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                                    ms_typed_query **out, ms_error *err);
MS_API void ms_typed_query_free(ms_typed_query *query);
/* Returns the i-th (from 0) of the pattern's types that the graph does not have; NULL after the
 * last. */
MS_API const char *ms_typed_query_unknown(const ms_typed_query *query, uint32_t i);

/* Applies the compound type filter (MTGL).  It keeps the edges whose quadruple (type of v, type of
 * the arc to w, type of the arc back, type of w) occurs in the pattern, the ends of these edges,
 * and the vertices that a pattern vertex without edges accepts.  Vertices get new numbers; types
 * keep their numbers. */
MS_API ms_status ms_typed_filter(const ms_typed_query *query, int threads, ms_typed **out,
                                 ms_error *err);

typedef enum ms_typed_walk {
  MS_WALK_EULER =
      0,         /* a closed walk through the pattern that uses each edge once in each direction */
  MS_WALK_RANDOM /* a random walk of walk_length steps */
} ms_typed_walk;

struct ms_typed_result;
/* Receives, once and before the first rows, the fields that are known by then: p,
 * automorphisms_text, engine, engine_reason, ordered, what the filter and the walk left, and times.
 * There are no counts yet. `known` lives only until the call returns.  Return false to stop the
 * search. */
typedef bool (*ms_typed_begin_fn)(void *user, const struct ms_typed_result *known);

typedef struct ms_typed_match_options {
  size_t size;     /* set by MS_TYPED_MATCH_OPTIONS_DEFAULT */
  bool embeddings; /* true: every map.  false: one map of each class of maps that differ by an
                      automorphism of the pattern: the one with the smallest row */
  bool count_only;
  uint64_t limit; /* exact: stop after this many matches; 0: no limit */
  uint32_t best;  /* inexact: number of best maps to find; 0: MS_DEFAULT_BEST */
  ms_typed_walk walk;
  uint32_t walk_length; /* steps of a random walk; 0: four times the length of the Euler tour.  The
                           walk continues until it has seen every edge */
  uint64_t seed;        /* seed of a random walk */
  bool no_walk;         /* exact: search without the walk's domains (for tests and benchmarks) */
  bool induced;         /* exact: no edge joins the images of two vertices that the pattern does not
                           join */
  const char *engine;   /* exact: as in ms_pattern_options; NULL: auto */
  const int *devices;   /* [n_devices] GPU numbers; NULL: the engine chooses */
  uint32_t n_devices;
  int threads;             /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;         /* bytes for waiting rows; 0: three quarters of physical memory */
  ms_stop *stop;           /* may be NULL */
  ms_pattern_rows_fn rows; /* exact: receives the matches, in an order that does not depend on the
                              number of threads; NULL: store them */
  void *rows_user;
  ms_typed_begin_fn begin; /* called with rows_user if `rows` is given; may be NULL */
  ms_progress_fn progress; /* may be NULL */
  void *progress_user;
} ms_typed_match_options;
#define MS_TYPED_MATCH_OPTIONS_DEFAULT                                                             \
  {                                                                                                \
    .size = sizeof(ms_typed_match_options), .seed = MS_DEFAULT_SEED                                \
  }

typedef struct ms_typed_result {
  uint32_t p; /* pattern vertices */
  uint64_t
      matches; /* number of matches delivered, stored or counted; a count is capped at UINT64_MAX */
  uint32_t *vertices;                    /* [matches][p], or NULL */
  uint32_t *score;                       /* inexact: [matches], descending */
  uint32_t best_score;                   /* inexact: the score of an exact match */
  char *count_text, *automorphisms_text; /* in decimal, exact at any size */
  const char *engine;                    /* these three as in ms_pattern_result */
  char *engine_reason;
  bool ordered;
  uint64_t edges_kept;      /* edges that the compound type filter kept */
  uint32_t vertices_kept;   /* ends of these edges */
  uint32_t walk_length;     /* steps of the walk */
  uint32_t vertices_active; /* vertices on some walk that is type-isomorphic to the walk through the
                               pattern; exact: vertices in some domain */
  uint32_t *domain;         /* exact: [p] size of each pattern vertex's domain; inexact: NULL */
  bool plain;        /* true if the engines for plain patterns made the count, with candidates as
                        colours */
  uint64_t rejected; /* matches refused by verify/; a value > 0 is a bug and an error */
  ms_status stopped; /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_filter, time_walk,
      time_search; /* seconds; time_search includes the check of the matches */
} ms_typed_result;

/* Lists or counts every match exactly: filter, walk, search; verify/ checks each row. */
MS_API ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_typed_result **out, ms_error *err);
/* Finds the best maps of the pattern's vertices along type-isomorphic walks.  The pattern must be
 * connected.  docs/TYPED.md says what the score counts. */
MS_API ms_status ms_typed_match_inexact(const ms_typed_query *query,
                                        const ms_typed_match_options *options,
                                        ms_typed_result **out, ms_error *err);

/* Explains how a typed pattern would be searched for, as ms_pattern_explain does for a plain one;
 * "relations" in the JSON are the kinds of edges that the plan reads. */
MS_API ms_status ms_typed_explain(const ms_typed_query *query,
                                  const ms_typed_match_options *options, bool json, char **text,
                                  ms_error *err);

MS_API void ms_typed_result_free(ms_typed_result *result);

/* ---- shortest paths of typed graphs ------------------------------------ */

#define MS_NO_PATH UINT32_MAX

typedef struct ms_path_options {
  size_t size; /* set by MS_PATH_OPTIONS_DEFAULT */
  const uint32_t
      *types; /* [n_types] types of arcs that a path may follow; NULL: all except the inverses of
                 directed relations, so that a path follows these only along their direction */
  uint32_t n_types;
  bool both_ways;      /* a path may also follow the inverses of these types */
  uint32_t max_length; /* greatest number of arcs in a path; 0: no limit */
  int threads;         /* 0: OMP_NUM_THREADS or all processors */
  ms_stop *stop;       /* may be NULL */
} ms_path_options;
#define MS_PATH_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .size = sizeof(ms_path_options)                                                                \
  }

/* One shortest path.  If there are several, the choice depends on graph, ends and options, and not
 * on the number of threads. */
typedef struct ms_typed_path {
  uint32_t length; /* number of arcs; MS_NO_PATH: there is no path, or none within max_length */
  const uint32_t *vertices; /* [length + 1] vertices from one end to the other; NULL: no path */
  const uint32_t *types;    /* [length] types: of the arc from vertices[i] to vertices[i + 1], the
                               smallest type allowed; NULL: no path */
  ms_status stopped; /* MS_OK; any other value: the search ended early, and there may be a path */
} ms_typed_path;

/* A graph prepared for searches, one at a time; the graph must outlive it.  A search resets only
 * what the previous one has touched. */
typedef struct ms_typed_paths ms_typed_paths;
/* MS_ERR_USAGE: a type is out of range. */
MS_API ms_status ms_typed_paths_new(const ms_typed *graph, const ms_path_options *options,
                                    ms_typed_paths **out, ms_error *err);
MS_API void ms_typed_paths_free(ms_typed_paths *paths);
/* Finds a shortest path from s to t.  Large searches use several threads.  *out points into `paths`
 * and is valid until the next search. */
MS_API ms_status ms_typed_paths_find(ms_typed_paths *paths, uint32_t s, uint32_t t,
                                     ms_typed_path *out, ms_error *err);

/* Receives the path of pair `pair` (from 0), which lives only until the call returns.  There is one
 * call at a time, in the order of the pairs.  Return false to stop. */
typedef bool (*ms_typed_path_fn)(void *user, uint64_t pair, const ms_typed_path *path);

typedef struct ms_path_summary {
  uint64_t pairs;    /* pairs delivered */
  uint64_t found;    /* delivered pairs that have a path */
  ms_status stopped; /* MS_OK, or why not all pairs were delivered; MS_ERR_INTERRUPTED if the
                        callback returned false */
} ms_path_summary;

/* Finds a shortest path for each of pairs[count], (from, to), which the threads share.  `summary`
 * may be NULL. */
MS_API ms_status ms_typed_path_pairs(const ms_typed *graph, const ms_path_options *options,
                                     uint64_t count, const uint32_t (*pairs)[2],
                                     ms_typed_path_fn deliver, void *user, ms_path_summary *summary,
                                     ms_error *err);

/* ---- verify ---------------------------------------------------------- */

typedef struct ms_verify_options {
  size_t size;     /* set by MS_VERIFY_OPTIONS_DEFAULT */
  bool no_recount; /* skip the independent recount; missing rows are then not noticed */
  ms_stop *stop;   /* bounds the recount; may be NULL */
  /* How to read the inputs.  A setting that is not given here is taken from the result file. */
  ms_graph_options graph;
  ms_color_options colors;
  const char *aliases; /* the alias file.  It must be given if and only if the result was made with
                          one, and so must colors.obo and a colors.slim that is a file */
  const char *pattern; /* only for a result of pattern matches: the pattern's file, or the name of a
                          built-in pattern if no file has that name */
  const char *pattern_colors; /* must be given if and only if the result was made with one */
  ms_typed_options typed; /* for a result of typed matches, whose pattern may also be a text; nodes
                             and relations must be given if and only if it was made with them */
  const char *labels; /* must be given if and only if the result was made with a file of labels that
                         is not its alias file */
  ms_progress_fn progress; /* called with the rows checked, and the matches of the recount; may be
                              NULL */
  void *progress_user;
} ms_verify_options;
#define MS_VERIFY_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_verify_options), .graph = MS_GRAPH_OPTIONS_DEFAULT,                          \
    .colors = MS_COLOR_OPTIONS_DEFAULT, .typed = MS_TYPED_OPTIONS_DEFAULT                          \
  }

typedef struct ms_verify_report {
  bool accepted;
  bool is_screen;     /* false: a list */
  bool is_pattern;    /* a list of pattern matches */
  bool is_typed;      /* a list of typed matches */
  bool recounted;     /* the recount ran to its end */
  bool probabilistic; /* the file states a miss bound > 0 */
  uint64_t rows;      /* rows checked */
  uint64_t missing; /* matches (or vertices in a match) that the recount found and the file lacks */
  ms_status stopped; /* MS_OK, or why the recount ended early */
  char problem[512]; /* the first reason for a rejection, with its line */
} ms_verify_report;

/* Checks a result file (docs/RESULT.md) again, from the graph and colour files alone.
 * colors_path is NULL if the colours are those of the graph file.  For a file that is
 * refused, the function returns MS_OK with accepted == false.  MS_ERR_INPUT means that
 * a file could not be read or is not a result file, MS_ERR_USAGE that a file from
 * which the result was made is not given. */
MS_API ms_status ms_verify_file(const char *result_path, const char *graph_path,
                                const char *colors_path, const ms_verify_options *options,
                                ms_verify_report *report, ms_error *err);

/* ---- further parts --------------------------------------------------- */

#include "motifsieve/generate.h"
#include "motifsieve/stats.h"
#include "motifsieve/visit.h"
#include "motifsieve/write.h"

#ifdef __cplusplus
}
#endif
#endif
