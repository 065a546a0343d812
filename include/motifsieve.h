/* motifsieve: which vertices of a coloured graph take part in a connected
 * match of a colour motif, and which matches are there.
 *
 * This is the only public header.  Handles are opaque; result structs are
 * read-only and owned by the caller once returned.
 *
 * Conventions
 *  - Every fallible call returns an ms_status and takes an `ms_error *` last
 *    (may be NULL).  On failure *err says what went wrong, where (file, line)
 *    and what to do; out-parameters are left NULL.
 *  - Options may be NULL: the defaults.
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

/* A short fixed phrase for a status, never NULL. */
MS_API const char *ms_status_text(ms_status status);
/* The library's version, MS_VERSION of the build. */
MS_API const char *ms_version(void);

/* ---- memory ---------------------------------------------------------- */

/* All heap memory of the library comes through one door.  `align` is a power
 * of two.  Must be set before any other call and be thread-safe. */
typedef struct ms_allocator {
  void *(*alloc)(void *user, size_t bytes, size_t align);
  void *(*resize)(void *user, void *block, size_t old_bytes, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} ms_allocator;

/* NULL restores malloc. */
MS_API void ms_set_allocator(const ms_allocator *allocator);

/* ---- stopping -------------------------------------------------------- */

/* A stop token: long calls poll it.  ms_stop_request is async-signal-safe. */
typedef struct ms_stop ms_stop;
MS_API ms_status ms_stop_new(ms_stop **out, ms_error *err);
MS_API void ms_stop_free(ms_stop *stop);
MS_API void ms_stop_request(ms_stop *stop);
/* Seconds from now after which the token reads as stopped; <= 0 clears. */
MS_API void ms_stop_after(ms_stop *stop, double seconds);

/* Progress callback: done of total units of `what`; called from one thread
 * at a time, at most about ten times a second. */
typedef void (*ms_progress_fn)(void *user, const char *what, uint64_t done, uint64_t total);

/* ---- graph ----------------------------------------------------------- */

/* An undirected simple graph in compressed sparse rows, with vertex names. */
typedef struct ms_graph ms_graph;
/* Every vertex's list of colours. */
typedef struct ms_coloring ms_coloring;

/* docs/FORMATS.md says what is read of each. */
typedef enum ms_graph_format {
  MS_FORMAT_AUTO = 0,
  MS_FORMAT_EDGE_LIST,     /* two names a line, split by tab, comma or blanks */
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
  MS_FORMAT_BINARY, /* our own: mapped into memory, checksummed */
  MS_FORMAT_TABLE   /* a table with a column of types, see ms_typed: types of vertices become
                       colours, those of edges are dropped */
} ms_graph_format;
#define MS_GRAPH_FORMATS 14 /* MS_FORMAT_AUTO and those above */

typedef struct ms_graph_options {
  ms_graph_format format;
  double min_score;   /* STRING: keep edges with combined score >= this */
  bool keep_taxon;    /* STRING: keep the "4932." in front of the names */
  bool header;        /* edge list, SIF: the first data line is a header */
  const char *taxon;  /* BioGRID, MITAB: both partners have this NCBI taxon id; NULL: any */
  const char *system; /* BioGRID: this experimental system or type ("physical"); MITAB: this
                         detection method; NULL: any */
  const char *names;  /* BioGRID, MITAB: which identifier names a vertex; NULL: the usual one */
  bool directed;      /* the first name of an edge is its tail: keep which way edges point, beside
                         the undirected graph (for pattern graphs, see ms_graph_directed) */
  int threads;        /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;    /* bytes that vertices without edges may take, as far as a file only
                         states their number; 0: half of physical memory */
} ms_graph_options;

typedef struct ms_graph_info {
  uint32_t vertices;
  uint64_t edges;
  uint64_t lines;       /* lines read */
  uint64_t self_loops;  /* dropped */
  uint64_t duplicates;  /* dropped, both directions counted as one edge */
  uint64_t below_score; /* dropped by min_score */
  uint64_t filtered;    /* lines dropped by taxon or system; MITAB: or as negative */
  bool colored;         /* the file gives colours, see ms_coloring_from_graph */
  bool directed;        /* as of the options */
  uint32_t max_degree;
  uint32_t crc32c;        /* of the uncompressed input bytes */
  ms_graph_format format; /* as detected */
  const char *path;       /* as given; owned by the graph */
  const char *alias_path; /* of ms_graph_read_aliases; owned by the graph; NULL: none */
  uint32_t alias_crc32c;  /* of that file's uncompressed bytes; 0: none */
} ms_graph_info;

/* A graph format, for lists of them. */
typedef struct ms_graph_format_info {
  const char *name;      /* as of --format */
  const char *about;     /* one line */
  const char *example;   /* a small file; of the binary format none: "" */
  const char *suffix;    /* the usual ending of file names, ".sif" */
  bool writable;         /* ms_graph_write knows it */
  bool numbered;         /* holds numbers, not names */
  uint32_t first_number; /* of a numbered format: 0 or 1 */
  bool holds_colors;     /* ms_graph_write keeps colours */
} ms_graph_format_info;

/* Of a format above MS_FORMAT_AUTO; strings live as long as the library. */
MS_API ms_graph_format_info ms_graph_format_describe(ms_graph_format format);
/* The format of that name ("auto", too), or false. */
MS_API bool ms_graph_format_find(const char *name, ms_graph_format *format);

/* Read a graph; `path` "-" is standard input; gzip and zstd are detected by content. */
MS_API ms_status ms_graph_read(const char *path, const ms_graph_options *options, ms_graph **out,
                               ms_error *err);
/* Write a graph, whole or not at all; `path` "-" is standard output; a path that ends in .gz or
 * .zst is compressed.  `coloring` may be NULL; a format that holds no colours leaves it out.  A
 * numbered format names the vertices by their ids from its first number on.  MS_ERR_USAGE: this
 * graph or this colouring cannot be said in that format; the message says why. */
MS_API ms_status ms_graph_write(const ms_graph *graph, const ms_coloring *coloring,
                                ms_graph_format format, const char *path, ms_error *err);
/* Build from m pairs edges[m][2]; names[n] may be NULL (then "0".."n-1").
 * Self-loops and duplicates are dropped and counted. */
MS_API ms_status ms_graph_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                                     const char *const *names, ms_graph **out, ms_error *err);
/* The same, and which way each edge points: from its first vertex to its second. */
MS_API ms_status ms_graph_from_arcs(uint32_t n, uint64_t m, const uint32_t (*arcs)[2],
                                    const char *const *names, ms_graph **out, ms_error *err);
MS_API void ms_graph_free(ms_graph *graph);
MS_API ms_graph_info ms_graph_describe(const ms_graph *graph);
/* Was it read with `directed`, or made from arcs?  Then ms_graph_arcs(graph, v) tells of each of
 * v's neighbours (ms_graph_neighbors) whether there is an arc from v to it (1), from it to v (2),
 * or both (3); NULL where the graph is undirected. */
MS_API bool ms_graph_directed(const ms_graph *graph);
MS_API const uint8_t *ms_graph_arcs(const ms_graph *graph, uint32_t v);
MS_API uint32_t ms_graph_vertex_count(const ms_graph *graph);
MS_API uint64_t ms_graph_edge_count(const ms_graph *graph);
/* The name of vertex v < n; owned by the graph. */
MS_API const char *ms_graph_name(const ms_graph *graph, uint32_t v);
/* The vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_graph_find(const ms_graph *graph, const char *name);
/* Sorted neighbours of v; *degree receives their number. */
MS_API const uint32_t *ms_graph_neighbors(const ms_graph *graph, uint32_t v, uint32_t *degree);

typedef struct ms_alias_info {
  uint64_t aliases;   /* names that now find a vertex beside its own */
  uint64_t ambiguous; /* names left out because they are aliases of several vertices */
  uint64_t unknown;   /* lines of which no name is a vertex */
  uint64_t lines;
  uint32_t crc32c;
} ms_alias_info;

/* Read other names of vertices (lines NAME<TAB>ALIAS; STRING protein.aliases): from then on
 * ms_graph_find, colour files and required vertices may use them.  A vertex's own name comes first
 * always; an alias of several vertices finds none of them.  Once per graph; *info may be NULL. */
MS_API ms_status ms_graph_read_aliases(ms_graph *graph, const char *path, ms_alias_info *info,
                                       ms_error *err);

/* ---- components ------------------------------------------------------ */

/* How connected components are found.  The result is the same. */
typedef enum ms_components_algorithm {
  MS_COMPONENTS_AFFOREST = 0, /* union-find on a sample first (Sutton, Ben-Nun, Barak 2018) */
  MS_COMPONENTS_KAHAN,        /* searches, a set of pairs that met, components of these */
  MS_COMPONENTS_BULLY         /* searches of which the stronger takes over the weaker */
} ms_components_algorithm;

/* component[n] of each vertex, numbered from 0 by the smallest vertex of each; *count: their
 * number.  Arcs of a directed graph count either way.  threads: 0 as in ms_screen_options; the
 * numbers depend neither on it nor on the algorithm. */
MS_API ms_status ms_graph_components(const ms_graph *graph, ms_components_algorithm algorithm,
                                     int threads, uint32_t *component /* [n] */, uint32_t *count,
                                     ms_error *err);

/* ---- colours --------------------------------------------------------- */

typedef enum ms_color_format {
  MS_COLORS_AUTO = 0,
  MS_COLORS_TSV,     /* vertex<TAB>colour; a repeated vertex has a list */
  MS_COLORS_GO_SLIM, /* SGD go_slim_mapping.tab */
  MS_COLORS_GAF,     /* GO annotation file, GAF 2.x */
  MS_COLORS_GRAPH    /* of the graph file itself, ms_coloring_from_graph */
} ms_color_format;
#define MS_COLOR_FORMATS 5

typedef struct ms_color_options {
  ms_color_format format;
  const char *aspects;      /* GO slim, GAF: any of "PFC"; NULL means all three */
  bool header;              /* TSV: the first data line is a header */
  const char *obo;          /* GAF: ontology (OBO), for the names of terms and --slim; or NULL */
  const char *slim;         /* GAF: map terms to their ancestors in this slim: a subset that the
                               ontology names, or a file (OBO, or one term a line); or NULL */
  const char *name_column;  /* TSV: the vertex's column, by its name in the header or from 1; */
  const char *color_column; /* the colour's; NULL: the first, the second.  Where either is given a
                               line without a colour is skipped */
} ms_color_options;

typedef struct ms_coloring_info {
  uint32_t colors;           /* distinct colour names */
  uint64_t assignments;      /* (vertex, colour) pairs kept */
  uint64_t duplicates;       /* repeated pairs, dropped */
  uint64_t unknown_vertices; /* lines whose vertex is not in the graph, dropped */
  uint64_t extra_columns;    /* table lines with more than two columns; the others are not read */
  uint64_t negated;          /* GAF: lines that say NOT, dropped */
  uint64_t unmapped;         /* GAF: lines whose term the ontology lacks; dropped with a slim, else
                                the term's id is the colour */
  uint64_t outside_slim;     /* GAF: lines whose term is below no term of the slim, dropped */
  uint64_t lines;
  uint32_t crc32c;
  ms_color_format format; /* as detected */
  const char *path;
  uint32_t obo_crc32c;  /* of the ontology; 0: none was read */
  uint32_t slim_crc32c; /* of the slim, where it is a file; 0: it is none */
  bool slim_is_file;    /* else a subset that the ontology names, or none */
} ms_coloring_info;

/* The name of a format, "go-slim", and the format of that name ("auto", too), or false. */
MS_API const char *ms_color_format_name(ms_color_format format);
MS_API bool ms_color_format_find(const char *name, ms_color_format *format);

MS_API ms_status ms_coloring_read(const char *path, const ms_graph *graph,
                                  const ms_color_options *options, ms_coloring **out,
                                  ms_error *err);
/* pairs[count] of (vertex, colour id < n_colors); names[n_colors]. */
MS_API ms_status ms_coloring_from_pairs(const ms_graph *graph, uint64_t count,
                                        const uint32_t (*pairs)[2], uint32_t n_colors,
                                        const char *const *names, ms_coloring **out, ms_error *err);
/* The colours that the graph's own file gave (labels of t/v/e, of a binary file);
 * MS_ERR_INPUT where it gave none. */
MS_API ms_status ms_coloring_from_graph(const ms_graph *graph, ms_coloring **out, ms_error *err);
MS_API void ms_coloring_free(ms_coloring *coloring);
MS_API ms_coloring_info ms_coloring_describe(const ms_coloring *coloring);
MS_API const char *ms_coloring_name(const ms_coloring *coloring, uint32_t color);
/* The colour of that name or alias (a GO id), or UINT32_MAX. */
MS_API uint32_t ms_coloring_find(const ms_coloring *coloring, const char *name);
/* Sorted colour ids of vertex v; *count receives their number. */
MS_API const uint32_t *ms_coloring_of(const ms_coloring *coloring, uint32_t v, uint32_t *count);

/* ---- motif and query ------------------------------------------------- */

#define MS_MAX_K 32u /* most slots in a motif */

/* A multiset of colours, `*` standing for any colour (also for none). */
typedef struct ms_motif ms_motif;

/* Parse "kinase:2,phosphatase,*:1".  A name that holds a comma, a colon or a
 * double quote is written in double quotes ("" for a quote inside).  An
 * unquoted item that is as a whole a known colour is that colour.
 * Errors name the item. */
MS_API ms_status ms_motif_parse(const char *text, const ms_coloring *coloring, ms_motif **out,
                                ms_error *err);
/* A file of lines `colour` or `colour<TAB>count`; names verbatim. */
MS_API ms_status ms_motif_read(const char *path, const ms_coloring *coloring, ms_motif **out,
                               ms_error *err);
MS_API void ms_motif_free(ms_motif *motif);
MS_API uint32_t ms_motif_size(const ms_motif *motif);
/* Canonical text that ms_motif_parse reads back; owned by the motif. */
MS_API const char *ms_motif_text(const ms_motif *motif);

/* Graph + colours + motif + required vertices.  Keeps pointers to the first
 * three, which must outlive it. */
typedef struct ms_query ms_query;

MS_API ms_status ms_query_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_motif *motif, uint32_t n_required,
                              const char *const *required, ms_query **out, ms_error *err);
MS_API void ms_query_free(ms_query *query);

/* ---- screen ---------------------------------------------------------- */

typedef enum ms_recurrence { MS_SIBLING = 0, MS_CLASSIC = 1 } ms_recurrence;

/* Defaults of options.  A struct of options that is all zero means these, but for seeds, which
 * MS_.._OPTIONS_DEFAULT and the tool set. */
#define MS_DEFAULT_SEED 1
#define MS_DEFAULT_ERROR 1e-6 /* per-vertex miss bound */
#define MS_DEFAULT_BEST 10    /* maps of an inexact search */

/* Where the sieve runs.  Q is the same bits everywhere. */
typedef enum ms_backend {
  MS_BACKEND_AUTO = 0, /* where a cost model expects the answer first */
  MS_BACKEND_CPU,
  MS_BACKEND_CUDA, /* all usable NVIDIA GPUs, or those of `devices` */
  MS_BACKEND_BOTH  /* these and the processor together */
} ms_backend;

typedef struct ms_screen_options {
  ms_recurrence recurrence;
  double error;         /* per-vertex miss bound asked for; 0: MS_DEFAULT_ERROR */
  uint32_t repetitions; /* 0: as many as `error` needs */
  uint64_t seed;
  int threads;           /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;       /* bytes; 0: three quarters of physical memory */
  uint32_t match_size;   /* 0: k.  Smaller: connected sets of this many vertices that
                            fill as many of the k slots (deletions; no required vertices) */
  bool no_prune;         /* sieve the whole graph (for tests and benchmarks) */
  bool no_early_stop;    /* run all repetitions even when all are flagged */
  bool keep_q;           /* fill result->q */
  const char *kernel;    /* NULL: the fastest this CPU has (MOTIFSIEVE_GF2); on GPUs alone
                            bitslice32-shared or bitslice32-global instead of what fits */
  uint32_t block_points; /* 0: what the arithmetic has; another number is an error */
  ms_stop *stop;         /* may be NULL */
  ms_progress_fn progress;
  void *progress_user;
  ms_backend backend;
  const int *devices; /* [n_devices] GPUs by number, none twice; borrowed */
  uint32_t n_devices; /* 0: all */
} ms_screen_options;
/* What options that are NULL mean. */
#define MS_SCREEN_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .seed = MS_DEFAULT_SEED                                                                        \
  }

/* Times in seconds. */
typedef struct ms_screen_result {
  uint32_t n; /* vertices of the graph */
  uint32_t k;
  uint32_t *hits; /* [n] repetitions that flagged v; > 0: certain */
  uint8_t *kept;  /* [n] 1 if pruning left v (0: certainly in no match) */
  uint8_t *q;     /* [repetitions][n] sieve values, or NULL */
  uint32_t vertices_kept, flagged, components;
  uint64_t edges_kept;
  uint32_t repetitions; /* finished, each whole */
  uint32_t repetitions_planned;
  double miss_bound;        /* per vertex, of `repetitions`, rounded up; 0 when every
                               vertex that pruning left is flagged, 1 without a repetition */
  double miss_bound_union;  /* times vertices_kept, at most 1 */
  char *miss_bound_text;    /* the exact rational, as a formula; or "0: WHY" */
  bool early_stop;          /* every kept vertex was flagged */
  ms_status stopped;        /* MS_OK, or MS_ERR_LIMIT / MS_ERR_INTERRUPTED */
  uint64_t memory_estimate; /* bytes, made before the run */
  const char *kernel;       /* the arithmetic used, NULL if nothing was sieved */
  uint32_t block_points;
  int threads;
  double time_prune, time_sieve;
  uint64_t points;       /* points evaluated, all repetitions together */
  ms_backend backend;    /* what ran: CPU, CUDA or BOTH */
  char *backend_reason;  /* one line for people: what was chosen and why */
  uint32_t devices;      /* GPUs that worked to the end */
  uint32_t devices_lost; /* GPUs that failed on the way; others did their work */
} ms_screen_result;

MS_API ms_status ms_screen(const ms_query *query, const ms_screen_options *options,
                           ms_screen_result **out, ms_error *err);
MS_API void ms_screen_result_free(ms_screen_result *result);

/* ---- list ------------------------------------------------------------ */

typedef struct ms_list_options {
  ms_screen_options screen;
  bool exact;      /* no sieve in front: no miss probability */
  bool count_only; /* do not store matches */
  uint64_t limit;  /* stop after this many matches; 0: none */
} ms_list_options;
#define MS_LIST_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .screen = MS_SCREEN_OPTIONS_DEFAULT                                                            \
  }

typedef struct ms_list_result {
  uint32_t k;
  uint64_t matches;   /* stored (or counted) */
  uint32_t *vertices; /* [matches][k], ascending in a row, rows sorted; NULL if count_only */
  char *count_text;   /* decimal count, exact at any size (GMP) */
  uint32_t regions;   /* candidate regions searched */
  uint32_t region_vertices;
  uint64_t rejected;        /* matches refused by verify/: > 0 is a bug and an error */
  ms_screen_result *screen; /* NULL when exact */
  ms_status stopped;        /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_list, time_verify;
} ms_list_result;

MS_API ms_status ms_list(const ms_query *query, const ms_list_options *options,
                         ms_list_result **out, ms_error *err);
MS_API void ms_list_result_free(ms_list_result *result);

/* ---- pattern graphs -------------------------------------------------- */

#define MS_MAX_PATTERN 64u /* most vertices of a pattern */

/* A pattern graph: what to look for, by its shape.  A *match* is an injective
 * map of its vertices to the graph's that takes edges to edges (arcs to arcs
 * where graph and pattern are directed), and each vertex to one that has an
 * accepted colour; with `induced` also non-edges to non-edges. */
typedef struct ms_pattern ms_pattern;

/* A built-in pattern, undirected and without colours: triangle, diamond, house, octahedron,
 * path:N, cycle:N, clique:N, star:N (N leaves), wheel:N (a cycle of N and its hub).
 * MS_ERR_USAGE lists them. */
MS_API ms_status ms_pattern_named(const char *name, ms_pattern **out, ms_error *err);
/* n vertices 0..n-1 and m edges[m][2], first to second where `directed`.  color[n]: the name of an
 * accepted colour, NULL for any; the whole array may be NULL.  ms_pattern_accept adds further
 * ones.  MS_ERR_USAGE: a self-loop (graphs have none), or a size out of range. */
MS_API ms_status ms_pattern_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                                       bool directed, const char *const *color, ms_pattern **out,
                                       ms_error *err);
/* Read a pattern file in any graph format (t/v/e, LAD, an edge list, ..).  options->directed as of
 * graphs.  Labels in the file are the vertices' accepted colours ("*": any).  colors_path: lines
 * VERTEX<TAB>COLOUR, a repeated vertex accepts each of its colours, "*" any, and so does a vertex
 * without a line; NULL: none. */
MS_API ms_status ms_pattern_read(const char *path, const ms_graph_options *options,
                                 const char *colors_path, ms_pattern **out, ms_error *err);
/* Such a file of accepted colours for a pattern that has none so far, such as a built-in one, whose
 * vertices are named 0, 1, .. */
MS_API ms_status ms_pattern_read_colors(ms_pattern *pattern, const char *path, ms_error *err);
MS_API ms_status ms_pattern_accept(ms_pattern *pattern, uint32_t vertex, const char *color,
                                   ms_error *err);
MS_API void ms_pattern_free(ms_pattern *pattern);
MS_API uint32_t ms_pattern_size(const ms_pattern *pattern);
/* The name of pattern vertex i; owned by the pattern. */
MS_API const char *ms_pattern_vertex_name(const ms_pattern *pattern, uint32_t i);

/* A graph made ready for patterns: rows sorted by colour and degree.  Made once, used for any
 * number of patterns, by several threads at a time.  Keeps pointers to graph and colouring (which
 * may be NULL), which must outlive it. */
typedef struct ms_pattern_index ms_pattern_index;
MS_API ms_status ms_pattern_index_new(const ms_graph *graph, const ms_coloring *coloring,
                                      int threads, ms_pattern_index **out, ms_error *err);
MS_API void ms_pattern_index_free(ms_pattern_index *index);

typedef enum ms_order { MS_ORDER_AUTO = 0, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE } ms_order;

typedef enum ms_screen_mode {
  MS_SCREEN_AUTO = 0, /* where a cost estimate says that it pays */
  MS_SCREEN_ALWAYS,   /* the sieve for the pattern's multiset of colours goes first */
  MS_SCREEN_NEVER     /* exact: no miss bound */
} ms_screen_mode;

/* Receives `count` matches, rows[count][p]: the graph vertex of pattern vertex 0, 1, ..  One call
 * at a time, in an order that does not depend on the number of threads; from an engine on GPUs in
 * any order (ms_pattern_result.ordered).  Return false to stop. */
typedef bool (*ms_pattern_rows_fn)(void *user, const uint32_t *rows, uint64_t count);

struct ms_pattern_result;
/* Called once, in front of the first rows, with what is known by then: p, automorphisms_text,
 * engine, engine_reason, ordered, screen, screen_reason, region_vertices and time_plan; there are
 * no counts yet.  `known` and what it points to live as long as the call.  Return false to stop. */
typedef bool (*ms_pattern_begin_fn)(void *user, const struct ms_pattern_result *known);

typedef struct ms_pattern_options {
  bool induced;
  const char
      *engine;     /* "cpu"; on NVIDIA GPUs "gpu" (what of the next suits the search), "dfs",
                      "trie", "reuse" or "flood", of those that
                      screen.devices names if any; NULL or "auto": a GPU's where one is there and the
                      work is worth its start, and the CPU's where that one fails (docs/PATTERNS.md) */
  bool embeddings; /* every map; else one of each class of maps that differ by an automorphism
                      of the pattern (colours kept): the one whose row is smallest */
  ms_order order;
  ms_screen_mode screen_mode;
  ms_screen_options screen; /* of the sieve; threads, memory, stop and progress hold for all */
  bool count_only;
  uint64_t limit;          /* stop after this many matches; 0: none */
  ms_pattern_rows_fn rows; /* NULL: store them */
  void *rows_user;
  ms_pattern_begin_fn begin; /* with `rows`, and the same user; may be NULL */
} ms_pattern_options;
#define MS_PATTERN_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .screen = MS_SCREEN_OPTIONS_DEFAULT                                                            \
  }

typedef struct ms_pattern_result {
  uint32_t p;         /* pattern vertices */
  uint64_t matches;   /* delivered, stored, or counted (then at most UINT64_MAX) */
  uint32_t *vertices; /* [matches][p], or NULL */
  char *count_text;   /* decimal, exact at any size (GMP): what was asked for, subgraphs or
                         embeddings */
  char *embeddings_text, *subgraphs_text; /* both, exact; subgraphs = embeddings / |Aut| */
  char *automorphisms_text;               /* |Aut| of the pattern with its colours, decimal */
  const char *engine;  /* what ran, "cpu" or another name; a count's largest part */
  char *engine_reason; /* one line for people */
  bool ordered;        /* false: the order of rows, and which ones there are of a run cut short,
                          differ from run to run */
  uint64_t rejected;   /* matches refused by verify/: > 0 is a bug and an error */
  ms_screen_result *screen;    /* NULL: no sieve went first, nothing can be missed */
  char *screen_reason;         /* one line for people */
  uint32_t region_vertices;    /* vertices of the graph that were searched */
  ms_status stopped;           /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_plan, time_list; /* seconds; checking the matches is part of listing */
} ms_pattern_result;

/* List or count all matches.  A pattern with more colours than the graph knows has none. */
MS_API ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *options, ms_pattern_result **out,
                                 ms_error *err);
MS_API void ms_pattern_result_free(ms_pattern_result *result);

/* How it would be searched: for a person, or as JSON, with the engine that "auto" would take; with
 * count_only also how it would be counted ("count" in the JSON).  *text is freed with ms_text_free.
 */
MS_API ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                                    const ms_pattern_options *options, bool json, char **text,
                                    ms_error *err);
MS_API void ms_text_free(char *text);

/* ---- typed graphs ---------------------------------------------------- */

/* A multigraph whose vertices and edges have types, such as a knowledge network (Hetionet).  A
 * relation is symmetric, or has a direction and an inverse: an edge (v, w) of type t is one (w, v)
 * of the inverse of t, called "^t" unless the file has a name for it.  Parallel edges and
 * self-loops are kept.  docs/TYPED.md tells of all this. */
typedef struct ms_typed ms_typed;

typedef enum ms_typed_format {
  MS_TYPED_AUTO = 0,
  MS_TYPED_HETIONET, /* source<TAB>metaedge<TAB>target, ids "Kind::..": an abbreviation with '>' or
                        '<' has a direction */
  MS_TYPED_SIF,      /* source relation target... */
  MS_TYPED_TABLE     /* tab-separated, with a header that names the columns */
} ms_typed_format;
#define MS_TYPED_FORMATS 4

typedef struct ms_typed_options {
  ms_typed_format format;
  bool directed;     /* relations of which nothing else is known point from source to target;
                        else they are symmetric, but for an r of which "^r" occurs */
  const char *nodes; /* table of the vertices' types: a header, tabs; or NULL */
  const char *node_name_column, *node_type_column; /* of it, by name or from 1; NULL: "id" and
                             "kind" or "type" where the header has them, else the first and the
                             last.  Two columns without such a header: VERTEX<TAB>TYPE */
  const char *relations; /* lines TYPE<TAB>INVERSE; equal: symmetric; or NULL */
  const char *source_column, *target_column,
      *type_column;                                    /* TABLE: by name or from 1; NULL: "source",
                         "target", "type" and names of the same meaning.  A type_column "none" that
                         the header lacks: all edges are of the type "edge" */
  const char *source_type_column, *target_type_column; /* TABLE; NULL: "source_type", .. if there */
  int threads;                                         /* 0: OMP_NUM_THREADS or all processors */
} ms_typed_options;

typedef struct ms_typed_info {
  uint32_t vertices;
  uint64_t edges; /* self-loops and parallel ones included */
  uint64_t self_loops;
  uint64_t repeats; /* edges beyond the first with the same ends and the same type */
  uint32_t vertex_types;
  uint32_t arc_types;  /* with the inverses of directed relations */
  uint32_t untyped;    /* vertices of which no type is known: they have the type "untyped" */
  uint32_t lone_nodes; /* vertices of the node table without an edge: they are kept */
  uint32_t max_degree; /* arcs in a row */
  uint64_t lines;      /* of the edges' file */
  uint32_t crc32c, nodes_crc32c, relations_crc32c; /* 0: no such file */
  ms_typed_format format; /* as detected; MS_TYPED_AUTO: made in memory, or from a plain graph */
  const char *path, *nodes_path; /* as given; owned by the graph; nodes_path may be NULL */
} ms_typed_info;

/* With MS_TYPED_AUTO a file that nothing tells to be typed is read as ms_graph_read does, and goes
 * through ms_typed_from_graph with the colours it holds.  options NULL: all zero. */
MS_API ms_status ms_typed_read(const char *path, const ms_typed_options *options, ms_typed **out,
                               ms_error *err);
/* n vertices (names[n], NULL: "0", "1", ..) of types vertex_type[n] (names), m edges[m][2] of types
 * edge_type[m] < n_relations.  relation[r] and inverse[r] are names; an inverse that is NULL:
 * symmetric. */
typedef struct ms_typed_source {
  uint32_t n;
  const char *const *names;
  const char *const *vertex_type; /* [n]; NULL: all "untyped" */
  uint64_t m;
  const uint32_t (*edges)[2];
  const uint32_t *edge_type; /* [m] */
  uint32_t n_relations;
  const char *const *relation, *const *inverse;
} ms_typed_source;
MS_API ms_status ms_typed_from_edges(const ms_typed_source *source, int threads, ms_typed **out,
                                     ms_error *err);
/* A plain graph as a typed one: one relation "edge", directed where the graph is; the vertex type
 * is the vertex's colour where it has exactly one (coloring may be NULL), several joined by '|'. */
MS_API ms_status ms_typed_from_graph(const ms_graph *graph, const ms_coloring *coloring,
                                     int threads, ms_typed **out, ms_error *err);
/* The plain graph without types of edges, self-loops and parallel edges; coloring: the types of
 * vertices as colours (out pointer may be NULL). */
MS_API ms_status ms_typed_plain(const ms_typed *graph, int threads, ms_graph **plain,
                                ms_coloring **coloring, ms_error *err);
/* Write as TSV that ms_typed_read reads back without options: columns source, type, target,
 * source_type, target_type; a vertex alone has the second and third empty; lines
 * "#relation:<TAB>TYPE<TAB>INVERSE" above the header tell the directions.  As ms_graph_write.
 * MS_ERR_USAGE: a name that such a table cannot say. */
MS_API ms_status ms_typed_write(const ms_typed *graph, const char *path, ms_error *err);
MS_API void ms_typed_free(ms_typed *graph);
MS_API ms_typed_info ms_typed_describe(const ms_typed *graph);
MS_API const char *ms_typed_name(const ms_typed *graph, uint32_t v);
/* The vertex of that name, or UINT32_MAX. */
MS_API uint32_t ms_typed_find(const ms_typed *graph, const char *name);
/* The types by number; names are owned by the graph. */
MS_API uint32_t ms_typed_vertex_type(const ms_typed *graph, uint32_t v);
MS_API const char *ms_typed_vertex_type_name(const ms_typed *graph, uint32_t type);
MS_API const char *ms_typed_arc_type_name(const ms_typed *graph, uint32_t type);
/* The type of that name ("^r": the inverse of r), or UINT32_MAX. */
MS_API uint32_t ms_typed_find_arc_type(const ms_typed *graph, const char *name);
MS_API uint32_t ms_typed_inverse(const ms_typed *graph, uint32_t arc_type);

/* A typed pattern. */
typedef struct ms_typed_pattern ms_typed_pattern;
/* Paths of vertices and edges, joined by commas: "(c:Compound)-[CbG]-(g:Gene)<-[Gr>G]-(:Gene),
 * (c)--(d)": (NAME:TYPE|TYPE), each part optional; -[TYPE|TYPE]-> from left to right, <-[..]- the
 * other way, -[..]- either way; -- and -[]- any type.  Names in backquotes may hold anything. */
MS_API ms_status ms_typed_pattern_parse(const char *text, ms_typed_pattern **out, ms_error *err);
/* A file of that text, with lines as commas and # comments; or a typed graph file, whose edges and
 * types of vertices are the pattern's (options as of graphs, may be NULL). */
MS_API ms_status ms_typed_pattern_read(const char *path, const ms_typed_options *options,
                                       ms_typed_pattern **out, ms_error *err);
MS_API void ms_typed_pattern_free(ms_typed_pattern *pattern);
MS_API uint32_t ms_typed_pattern_size(const ms_typed_pattern *pattern);
MS_API const char *ms_typed_pattern_vertex_name(const ms_typed_pattern *pattern, uint32_t i);

/* A pattern that has met its graph; both must outlive it. */
typedef struct ms_typed_query ms_typed_query;
MS_API ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                                    ms_typed_query **out, ms_error *err);
MS_API void ms_typed_query_free(ms_typed_query *query);
/* The i-th of the pattern's types that the graph does not have, from 0; NULL after the last. */
MS_API const char *ms_typed_query_unknown(const ms_typed_query *query, uint32_t i);

/* The compound type filter (MTGL): keep the edges whose quadruple (type of v, type of the arc to w,
 * type of the arc back, type of w) occurs in the pattern, with their ends, and the vertices that a
 * pattern vertex without edges accepts.  Vertices have new numbers; types keep theirs. */
MS_API ms_status ms_typed_filter(const ms_typed_query *query, int threads, ms_typed **out,
                                 ms_error *err);

typedef enum ms_typed_walk {
  MS_WALK_EULER = 0, /* a closed walk through the pattern that takes each edge once each way */
  MS_WALK_RANDOM     /* of walk_length steps */
} ms_typed_walk;

struct ms_typed_result;
/* Called once, in front of the first rows, with what is known by then: p, automorphisms_text, what
 * the filter and the walk left, times; there are no counts yet.  `known` lives as long as the call.
 * Return false to stop. */
typedef bool (*ms_typed_begin_fn)(void *user, const struct ms_typed_result *known);

typedef struct ms_typed_match_options {
  bool embeddings; /* every map; else one of each class of maps that differ by an automorphism of
                      the pattern: the one whose row is smallest */
  bool count_only;
  uint64_t limit; /* exact: stop after this many matches; 0: none */
  uint32_t best;  /* inexact: as many of the best; 0: MS_DEFAULT_BEST */
  ms_typed_walk walk;
  uint32_t walk_length;    /* of a random walk; 0: four times the Euler tour's.  It goes on until it
                              has    seen every edge */
  uint64_t seed;           /* of a random walk */
  bool no_walk;            /* exact: search without the walk's domains (for tests and benchmarks) */
  int threads;             /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory;         /* bytes for waiting rows; 0: three quarters of physical memory */
  ms_stop *stop;           /* may be NULL */
  ms_pattern_rows_fn rows; /* exact: receives the matches, in an order that does not depend on the
                              threads; NULL: store them */
  void *rows_user;
  ms_typed_begin_fn begin; /* with `rows`, and the same user; may be NULL */
  ms_progress_fn progress; /* may be NULL */
  void *progress_user;
} ms_typed_match_options;
#define MS_TYPED_MATCH_OPTIONS_DEFAULT                                                             \
  {                                                                                                \
    .seed = MS_DEFAULT_SEED                                                                        \
  }

typedef struct ms_typed_result {
  uint32_t p;          /* pattern vertices */
  uint64_t matches;    /* delivered, stored or counted (then at most UINT64_MAX) */
  uint32_t *vertices;  /* [matches][p], or NULL */
  uint32_t *score;     /* inexact: [matches] falling */
  uint32_t best_score; /* inexact: of an exact match */
  char *count_text, *automorphisms_text; /* decimal, exact at any size */
  uint64_t edges_kept;                   /* by the compound type filter */
  uint32_t vertices_kept;                /* ends of these */
  uint32_t walk_length;                  /* steps of the walk */
  uint32_t vertices_active; /* on some walk that is type-isomorphic to the pattern's; exact: in some
                               domain */
  uint32_t *domain;         /* exact: [p] vertices that each pattern vertex may be; inexact: NULL */
  bool plain;               /* a count by the engines for plain patterns, candidates as colours */
  uint64_t rejected;        /* matches refused by verify/: > 0 is a bug and an error */
  ms_status stopped;        /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  double time_filter, time_walk, time_search; /* seconds; checking is part of the search */
} ms_typed_result;

/* Every match, exactly: filter, walk, search, each row checked by verify/. */
MS_API ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_typed_result **out, ms_error *err);
/* The best maps of the pattern's vertices along type-isomorphic walks; the pattern is connected.
 * docs/TYPED.md says what the score counts. */
MS_API ms_status ms_typed_match_inexact(const ms_typed_query *query,
                                        const ms_typed_match_options *options,
                                        ms_typed_result **out, ms_error *err);
MS_API void ms_typed_result_free(ms_typed_result *result);

/* ---- shortest paths of typed graphs ------------------------------------ */

#define MS_NO_PATH UINT32_MAX

typedef struct ms_path_options {
  const uint32_t
      *types; /* [n_types] of arcs that a path may follow; NULL: all but the inverses of directed
                 relations, so that these are followed along their direction alone */
  uint32_t n_types;
  bool both_ways;      /* the inverses of these types, too */
  uint32_t max_length; /* arcs of the longest path looked for; 0: any */
  int threads;         /* 0: OMP_NUM_THREADS or all processors */
  ms_stop *stop;       /* may be NULL */
} ms_path_options;

/* One shortest path.  Which one, where there are several, depends on graph, ends and options, not
 * on the number of threads. */
typedef struct ms_typed_path {
  uint32_t length;          /* arcs; MS_NO_PATH: there is none, or none within max_length */
  const uint32_t *vertices; /* [length + 1] from the one end to the other; NULL: no path */
  const uint32_t *types;    /* [length] of the arc from vertices[i] to vertices[i + 1]: the smallest
                               of those allowed; NULL: no path */
  ms_status stopped;        /* MS_OK; else the search ended early, and there may be a path */
} ms_typed_path;

/* A graph ready for searches, one at a time; it must outlive this.  A search resets only what the
 * one before has touched. */
typedef struct ms_typed_paths ms_typed_paths;
/* MS_ERR_USAGE: a type is out of range. */
MS_API ms_status ms_typed_paths_new(const ms_typed *graph, const ms_path_options *options,
                                    ms_typed_paths **out, ms_error *err);
MS_API void ms_typed_paths_free(ms_typed_paths *paths);
/* From s to t; large searches go by several threads.  *out points into `paths` until its next
 * search. */
MS_API ms_status ms_typed_paths_find(ms_typed_paths *paths, uint32_t s, uint32_t t,
                                     ms_typed_path *out, ms_error *err);

/* Receives the path of pair `pair` (from 0), which lives as long as the call.  In the order of the
 * pairs, one call at a time.  Return false to stop. */
typedef bool (*ms_typed_path_fn)(void *user, uint64_t pair, const ms_typed_path *path);

typedef struct ms_path_summary {
  uint64_t pairs;    /* delivered */
  uint64_t found;    /* of these have a path */
  ms_status stopped; /* MS_OK, or why not all were delivered; false from the callback:
                        MS_ERR_INTERRUPTED */
} ms_path_summary;

/* pairs[count] of (from, to), spread over the threads.  *summary may be NULL. */
MS_API ms_status ms_typed_path_pairs(const ms_typed *graph, const ms_path_options *options,
                                     uint64_t count, const uint32_t (*pairs)[2],
                                     ms_typed_path_fn deliver, void *user, ms_path_summary *summary,
                                     ms_error *err);

/* ---- verify ---------------------------------------------------------- */

typedef struct ms_verify_options {
  bool no_recount; /* skip the independent recount (missing rows go unseen) */
  ms_stop *stop;   /* may be NULL; bounds the recount */
  /* How to read the inputs: a setting that is not given here is the result file's. */
  ms_graph_options graph;
  ms_color_options colors;
  const char *aliases; /* the alias file; like colors.obo and a colors.slim that is a file, it must
                          be given if and only if the result was made with one */
  const char *pattern; /* of a result of pattern matches, and only of one: the pattern's file, or a
                          built-in's name where no file is called so */
  const char *pattern_colors; /* given if and only if the result was made with one */
  ms_typed_options typed; /* of a result of typed matches, whose pattern may also be a text; nodes
                             and relations are given if and only if it was made with them */
} ms_verify_options;

typedef struct ms_verify_report {
  bool accepted;
  bool is_screen;     /* else a list */
  bool is_pattern;    /* a list of pattern matches */
  bool is_typed;      /* which are typed matches */
  bool recounted;     /* the recount ran to its end */
  bool probabilistic; /* the file states a miss bound > 0 */
  uint64_t rows;      /* rows checked */
  uint64_t missing;   /* recount: matches (or vertices in a match) that the file lacks */
  ms_status stopped;  /* MS_OK, or why the recount ended early */
  char problem[512];  /* the first reason for a rejection, with its line */
} ms_verify_report;

/* Re-check a result file (docs/RESULT.md) from graph and colour file alone;
 * colors_path is NULL where the colours are those of the graph file.
 * A file that is refused is MS_OK with accepted == false; MS_ERR_INPUT means
 * that a file could not be read or is no result file at all, MS_ERR_USAGE that
 * a file that the result was made from is not given. */
MS_API ms_status ms_verify_file(const char *result_path, const char *graph_path,
                                const char *colors_path, const ms_verify_options *options,
                                ms_verify_report *report, ms_error *err);

#ifdef __cplusplus
}
#endif
#endif
