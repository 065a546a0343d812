/* Pattern graphs and their matches.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_PATTERN_H
#define MOTIFSIEVE_PATTERN_H

#include "motifsieve/motif.h"

/* ---- pattern graphs -------------------------------------------------- */

#define MS_MAX_PATTERN 256u /* greatest number of vertices in a pattern */

/* A pattern graph.  A *match* is an injective map of its vertices to the vertices
 * of the graph.  It takes edges to edges (arcs to arcs if graph and pattern are
 * directed), and each vertex to one that has an accepted colour; with `induced`
 * it also takes non-edges to non-edges.  Several threads may use one pattern at
 * the same time, but ms_pattern_accept, ms_pattern_read_colors and ms_pattern_free
 * need it alone. */
typedef struct ms_pattern ms_pattern;

/* Creates a built-in pattern, undirected and without colours: triangle, paw (a triangle with one
 * more edge; also "tailed-triangle"), square, diamond, claw, k4, fork, banner, bull, cricket,
 * bowtie (also "butterfly"), house, dart, kite, gem, k5, net, domino, prism, octahedron, path:N,
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
 * There is one call at a time, from any thread.  The order of rows does not depend on the number of
 * threads; an engine on GPUs delivers rows in any order (see ms_pattern_result.ordered).  Return
 * false to stop the search. */
typedef bool (*ms_pattern_rows_fn)(void *user, const uint32_t *rows, uint64_t count);

struct ms_pattern_result;
/* Receives, once, before the first rows and from any thread, the fields that are known by then: p,
 * automorphisms_text, engine, engine_reason, ordered, screen, screen_reason, region_vertices and
 * time_plan.  There are no counts yet.  `known` and everything it points to live only until the
 * call returns.  Return false to stop the search. */
typedef bool (*ms_pattern_begin_fn)(void *user, const struct ms_pattern_result *known);

typedef struct ms_pattern_options {
  size_t size; /* set by MS_PATTERN_OPTIONS_DEFAULT */
  bool induced;
  bool embeddings; /* true: every map.  false: one map of each class of maps that differ by an
                      automorphism of the pattern with its colours: the one with the smallest
                      row */
  ms_order order;
  ms_screen_mode screen_mode;
  /* Options of the sieve; screen.run is that of the search.
   *
   * engine: "cpu"; on NVIDIA GPUs "dfs", "trie", "reuse", "flood", or "gpu", which chooses among
   * these four for each search; `devices` may name the GPUs.  NULL or "auto": an engine on GPUs if
   * there is a GPU and the work is long enough to repay its start; the CPU's otherwise, or when the
   * GPU fails (docs/PATTERNS.md).
   *
   * division: of a search for all matches; without `required` and without the sieve; rows come from
   * the engine "cpu". */
  ms_screen_options screen;
  bool count_only;
  uint64_t limit;          /* stop after this many matches; 0: no limit */
  ms_pattern_rows_fn rows; /* receives the matches; NULL: store them */
  void *rows_user;
  ms_pattern_begin_fn begin; /* called with rows_user if `rows` is given; may be NULL */
  /* [n_required] names of vertices; only matches that contain all of them are found.  At most
   * MS_MAX_K */
  const char *const *required;
  uint32_t n_required;
  /* With count_only, without `limit` and `division`: fills `participation` of the result.
   * by_position: with `participation`, a number for each position of the pattern (see
   * ms_participation). */
  bool participation, by_position;
  /* The next five are not for counts, and without `limit` and `division`.
   *
   * sample: draws this many matches at random, without replacement: each set of so many matches is
   * equally likely.  All matches are visited.  The rows depend on the graph, the pattern,
   * `embeddings` and the seed, and on no other option; they ascend.  If there are fewer matches,
   * all are listed.  Without the sieve.  0: all matches. */
  uint64_t sample;
  ms_measure sort; /* rows in descending order of this measure, which is that of the set of a
                      match's vertices, and then in lexicographic order; all are held in memory */
  uint64_t top;    /* with `sort`: only the first rows of that order, as many as these; 0: all */
  const ms_vertex_scores *vertex_scores; /* of the graph's vertices; a written list shows the sum of
                                            those of a match; borrowed; NULL: none */
} ms_pattern_options;
#define MS_PATTERN_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .size = sizeof(ms_pattern_options), .screen = MS_SCREEN_OPTIONS_DEFAULT                        \
  }

/* In how many matches each vertex of the graph is.  A position is an orbit of the pattern: the
 * vertices that automorphisms of the pattern with its colours take to each other.  Positions are
 * numbered in the order of their first vertices. */
typedef struct ms_participation {
  uint32_t vertices;                   /* of the graph */
  uint32_t positions;                  /* 1 without by_position */
  uint8_t position_of[MS_MAX_PATTERN]; /* [p] position of each pattern vertex */
  /* [vertices][positions] number of matches that have the vertex at the position: the low and the
   * high 64 bits.  If the run was stopped, of the matches that were found. */
  uint64_t (*matches)[2];
} ms_participation;

typedef struct ms_pattern_result {
  /* The engine of a count is that of its largest part.  `work` includes that of `screen`. */
  ms_run_outcome run;
  uint32_t p; /* pattern vertices */
  uint64_t
      matches; /* number of matches delivered, stored or counted; a count is capped at UINT64_MAX */
  uint32_t *vertices; /* [matches][p], or NULL */
  char *count_text;   /* the number of subgraphs or of embeddings, as the options say, that were
                         delivered, stored or counted; in decimal, exact at any size (GMP) */
  char *embeddings_text, *subgraphs_text; /* both numbers, exact; subgraphs = embeddings / |Aut|.
                                             With `sample` or `top`, of all matches */
  char *automorphisms_text;               /* |Aut|, of the pattern with its colours, in decimal */
  bool ordered; /* false: the order of rows differs from run to run, and so do the rows of a run
                   that is cut short */
  ms_screen_result *screen;    /* NULL: no sieve went first, and no match can be missed */
  char *screen_reason;         /* one line of text: why the sieve did or did not go first */
  uint32_t region_vertices;    /* number of graph vertices that were searched */
  double time_plan, time_list; /* seconds; time_list includes the check of the matches */
  char *part_text; /* of a part of a count: what it adds to the whole, for ms_pattern_write and
                      ms_merge; the numbers above are 0.  Else NULL */
  ms_participation *participation; /* NULL without `participation` */
  uint64_t sampled_from; /* with `sample`: the number of all matches; after a stop there are no
                            rows, and this is the number of those that were visited */
} ms_pattern_result;

/* Lists or counts all matches.  A pattern vertex that accepts only colours that the graph does not
 * know has no match. */
MS_API ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *options, ms_pattern_result **out,
                                 ms_error *err);

MS_API void ms_pattern_result_free(ms_pattern_result *result);

/* ---- cliques of several sizes ---------------------------------------- */

/* Which cliques are counted. */
typedef struct ms_clique_options {
  size_t size;          /* set by MS_CLIQUE_OPTIONS_DEFAULT */
  uint32_t least, most; /* numbers of vertices; 0: 1, and MS_MAX_PATTERN */
  ms_run_limits run;    /* only `threads`, `memory`, `stop` and progress */
  bool per_vertex;      /* also counts the cliques that hold each vertex */
} ms_clique_options;
#define MS_CLIQUE_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_clique_options)                                                              \
  }

typedef struct ms_clique_counts {
  ms_run_outcome run;
  uint32_t least, most; /* as in the options */
  uint32_t largest;     /* the greatest of these sizes of which there is a clique; 0: none */
  char **count_text; /* [most - least + 1] the number of cliques of each size, in decimal, exact at
                        any size (GMP); lower bounds if the run was stopped */
  uint32_t vertices; /* of the graph */
  /* [vertices][most - least + 1] cliques that hold each vertex; lower bounds if the run was
   * stopped.  NULL: `per_vertex` was not asked for */
  uint64_t *of_vertex;
  double time_count; /* seconds */
} ms_clique_counts;

/* Counts the sets of i vertices all of which are adjacent, for each size i from `least` to `most`,
 * in one pass: by pivots (Jain and Seshadhri, WSDM 2020; docs/MATCHING.md).  Colours and directions
 * do not matter.  MS_ERR_USAGE: the sizes are out of range, or a vertex is in 2^63 or more cliques
 * of a size (with `per_vertex`). */
MS_API ms_status ms_clique_counts_new(const ms_pattern_index *index,
                                      const ms_clique_options *options, ms_clique_counts **out,
                                      ms_error *err);
MS_API void ms_clique_counts_free(ms_clique_counts *counts);

/* ---- vertices in matches --------------------------------------------- */

/* Which vertices of the graph take part in a match.  Times are in seconds. */
typedef struct ms_flags_result {
  ms_run_outcome run; /* `work` includes that of `screen` */
  uint32_t n;         /* vertices of the graph */
  uint8_t *flagged;   /* [n] 1: the vertex is in a match, certainly; 0: it is in none, unless the
                         sieve missed it or the search was stopped */
  uint32_t count;     /* number of flagged vertices */
  uint64_t searches;  /* searches for one match, each of which begins at a vertex */
  ms_screen_result *screen; /* NULL: no sieve went first, and no vertex can be missed */
  char *screen_reason;      /* one line of text: why the sieve did or did not go first */
  double time_plan, time_search;
} ms_flags_result;

/* Finds the vertices that take part in a match, by one search for each vertex that no match found
 * so far contains; each match is checked.  `limit`: end once this many vertices are flagged.  These
 * options have no meaning here: embeddings, count_only, rows, begin and, but for "cpu", engine. */
MS_API ms_status ms_pattern_flags(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *options, ms_flags_result **out,
                                  ms_error *err);
MS_API void ms_flags_result_free(ms_flags_result *result);

/* Explains how the pattern would be searched for, as text or as JSON, whether the sieve would go
 * first and why, and which engine "auto" would use; with count_only also how its matches would be
 * counted ("count" in the JSON).  The plan is that of a search without a sieve.  With required
 * vertices it is that of the first search from them; "places" in the JSON is their number.
 * "cpu_seconds" is the estimate of the search on the CPU; "wasted_seconds", of its steps that lead
 * to no match, and "sieve_seconds" are there if they were compared.  Free *text with ms_text_free.
 */
MS_API ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                                    const ms_pattern_options *options, bool json, char **text,
                                    ms_error *err);
MS_API void ms_text_free(char *text);

#endif
