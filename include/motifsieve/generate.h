/* Random graphs and colours, and random changes of given graphs, as `motifsieve gen` makes them.
 * motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_GENERATE_H
#define MOTIFSIEVE_GENERATE_H

#include "motifsieve/typed.h"

/* ---- random graphs --------------------------------------------------- */

/* The families of random graphs.  A graph depends on its parameters and the seed, and not on the
 * number of threads.  All graphs are simple.
 *
 *   regular    every vertex has degree D: the pairing model, loops and repeated
 *              edges switched away (McKay & Wormald 1990).  Degrees are exact;
 *              the distribution is close to uniform.  D above (n-1)/2: the
 *              complement of a regular graph.
 *   power-law  the same for degrees that follow p(d) ~ d^X on a range of whole
 *              numbers.  Degrees are exact, too.
 *   er         Erdos and Renyi: uniform among the graphs with m edges (by edges
 *              or mean degree), or each edge with probability p (Gilbert).
 *   clique     all edges.
 *   rmat       Chakrabarti, Zhan & Faloutsos 2004: each of `scale` bits of the
 *              two ends is drawn from the quadrants a (0,0), b (0,1), c (1,0),
 *              d (1,1); loops and repeats (also turned around) are drawn again
 *              until there are m edges.  Vertices are not renumbered: small
 *              numbers have high degrees where a is large.
 *   grid       road-like: rows x cols vertices in rows, joined to the right and
 *              down, each edge removed with one chance; each square gets one of
 *              its diagonals with another.  Not connected in general.
 *   hubs       the graphs with hubs of Kaski, Lauri & Thejaswi 2018: `classes`
 *              classes of geometrically growing numbers f of vertices, whose
 *              vertices have numbers of stubs proportional to f^X, with mean
 *              `degree`.  Stubs are paired at random; loops and repeated edges
 *              are left out, so that degrees are lower, for hubs by half and more. */
typedef enum ms_family {
  MS_FAMILY_REGULAR = 0,
  MS_FAMILY_POWER_LAW,
  MS_FAMILY_ER,
  MS_FAMILY_CLIQUE,
  MS_FAMILY_RMAT,
  MS_FAMILY_GRID,
  MS_FAMILY_HUBS
} ms_family;
#define MS_FAMILIES 7

/* The parameters, one bit each; ms_generate_field_name returns their names. */
enum {
  MS_GEN_VERTICES = 1,
  MS_GEN_DEGREE = 2,
  MS_GEN_EDGES = 4,
  MS_GEN_PROBABILITY = 8,
  MS_GEN_EXPONENT = 16,
  MS_GEN_MIN_DEGREE = 32,
  MS_GEN_MAX_DEGREE = 64,
  MS_GEN_SCALE = 128,
  MS_GEN_QUADRANTS = 256,
  MS_GEN_ROWS = 512,
  MS_GEN_COLS = 1024,
  MS_GEN_REMOVED = 2048,
  MS_GEN_DIAGONALS = 4096,
  MS_GEN_CLASSES = 8192
};
#define MS_GEN_FIELDS 14

typedef struct ms_family_info {
  const char *name;
  const char *about; /* one line or more */
  unsigned takes;    /* MS_GEN_ bits of its parameters */
  unsigned needs;    /* MS_GEN_ bits of the parameters that must be given */
} ms_family_info;

typedef struct ms_generate_options {
  size_t size; /* set by MS_GENERATE_OPTIONS_DEFAULT */
  ms_family family;
  unsigned given; /* MS_GEN_ bits; the other fields have their defaults */
  uint64_t vertices, edges;
  double degree; /* mean degree; a whole number for `regular` */
  double probability, exponent;
  uint64_t min_degree, max_degree;
  uint64_t scale;      /* 2^scale vertices */
  double quadrants[4]; /* a, b, c, d; their sum is 1 */
  uint64_t rows, cols;
  double removed, diagonals; /* chances */
  const char *prefix;        /* of vertex names; NULL: none */
  uint32_t first_number;     /* of vertex names: 0 or 1 */
  ms_run_limits run;         /* only `threads`, `memory` and `seed` */
  uint64_t classes;          /* of degrees, 2 to 10,000 and at most `vertices` */
} ms_generate_options;
#define MS_GENERATE_OPTIONS_DEFAULT                                                                \
  {                                                                                                \
    .size = sizeof(ms_generate_options), .run = {.seed = MS_DEFAULT_SEED }                         \
  }

/* Describes a family.  The strings live as long as the library. */
MS_API ms_family_info ms_family_describe(ms_family family);
/* Returns "vertices" for MS_GEN_VERTICES, and so on. */
MS_API const char *ms_generate_field_name(unsigned field);

/* Makes a random graph.  MS_ERR_USAGE: a parameter is missing, superfluous or out of range, or
 * there is no such graph; MS_ERR_MEMORY: it would take more than the bound. */
MS_API ms_status ms_generate(const ms_generate_options *options, ms_graph **out, ms_error *err);

/* ---- random colours and types ---------------------------------------- */

/* Gives every vertex one of `colors` colours, uniform and independent; the colours are called
 * "c0", "c1", and so on.  For a motif of each colour once, exact pruning removes little. */
MS_API ms_status ms_generate_colors(const ms_graph *graph, uint32_t colors, uint64_t seed,
                                    ms_coloring **out, ms_error *err);

/* Planted matches: disjoint random connected sets of k vertices, whose colours are the colours of a
 * motif in random order.  A set grows from a random vertex along random edges that leave it. */
typedef struct ms_plant_options {
  size_t size;         /* set by MS_PLANT_OPTIONS_DEFAULT */
  const char *motif;   /* as for ms_motif_parse; NULL: a motif of `slots` colours c0, c1, ... */
  uint32_t slots;      /* k; not read if `motif` is given */
  uint32_t plants;     /* number of sets; 0: 1 */
  uint32_t background; /* number of colours of the other vertices and of wildcard slots, uniform:
                          "background-0", ..., none of the motif's, so that nothing but the plants
                          (and sets that join parts of several) matches.  0: the colours of the
                          motif instead */
  uint64_t seed;
  const ms_coloring *keep; /* of the same graph: the other vertices, and wildcard slots, keep these
                              colours, and `background` is not read.  NULL: the background */
} ms_plant_options;
#define MS_PLANT_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_plant_options), .background = 1, .seed = MS_DEFAULT_SEED                     \
  }

typedef struct ms_planted {
  uint32_t plants, k;
  uint32_t *vertices; /* [plants][k] ascending within a row */
} ms_planted;

/* Colours the graph around planted matches.  `planted` may be NULL; otherwise free its array with
 * ms_planted_clear.  MS_ERR_USAGE: the graph has no room for the plants. */
MS_API ms_status ms_generate_planted(const ms_graph *graph, const ms_plant_options *options,
                                     ms_coloring **out, ms_planted *planted, ms_error *err);
MS_API void ms_planted_clear(ms_planted *planted);

/* Gives every edge one of `relations` types t0, t1, ..., and one of the two directions, uniform and
 * independent.  The first `directed` of the types have a direction.  The colours become types of
 * vertices; coloring may be NULL.  `threads`: as in ms_run_limits. */
MS_API ms_status ms_generate_types(const ms_graph *graph, const ms_coloring *coloring,
                                   uint32_t relations, uint32_t directed, uint64_t seed,
                                   int threads, ms_typed **out, ms_error *err);

/* ---- given graphs ---------------------------------------------------- */

/* The names of the vertices of a shuffled graph. */
typedef enum ms_new_names {
  MS_NAMES_PERMUTED = 0, /* each vertex gets the name of a random one */
  MS_NAMES_NUMBERS,      /* the numbers of the vertices in their new order */
  MS_NAMES_KEPT          /* each vertex keeps its name */
} ms_new_names;

typedef struct ms_shuffle_options {
  size_t size; /* set by MS_SHUFFLE_OPTIONS_DEFAULT */
  ms_new_names names;
  const char *prefix;    /* MS_NAMES_NUMBERS: text in front of the numbers; NULL: none */
  uint32_t first_number; /* MS_NAMES_NUMBERS: the first number */
  bool same_order;       /* true: only the names change */
  ms_run_limits run;     /* only `threads` and `seed` */
} ms_shuffle_options;
#define MS_SHUFFLE_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .size = sizeof(ms_shuffle_options), .run = {.seed = MS_DEFAULT_SEED }                          \
  }

/* Makes a copy of a graph with its vertices in a random order, uniform among all orders, and with
 * new names.  It depends on the graph, the names and the seed, and not on the number of threads.
 * Directions and scores of edges are kept; colours, labels of edges and aliases are not
 * (ms_coloring_move gives the copy its colours).  from[n], which may be NULL, receives the vertex
 * of `graph` that each vertex of the copy was.  MS_ERR_USAGE: the prefix cannot begin a name. */
MS_API ms_status ms_graph_shuffle(const ms_graph *graph, const ms_shuffle_options *options,
                                  ms_graph **out, uint32_t *from /* [n] */, ms_error *err);
/* Makes colours of `graph`: its vertex v has the colours that the vertex from[v] has in `coloring`.
 * MS_ERR_USAGE: the numbers of vertices differ, or from[n] has a number that is not below them. */
MS_API ms_status ms_coloring_move(const ms_coloring *coloring, const ms_graph *graph,
                                  const uint32_t *from /* [n] */, ms_coloring **out, ms_error *err);
/* Permutes the colours among all vertices: each gets the whole list of a random one, and vertices
 * without colours take part.  `threads`: as in ms_run_limits. */
MS_API ms_status ms_coloring_permute(const ms_graph *graph, const ms_coloring *coloring,
                                     uint64_t seed, int threads, ms_coloring **out, ms_error *err);

/* Makes a typed graph with the edges of `typed`, which keep their types and directions, and with
 * the vertices of `graph`: vertex v of `graph`, with its name, has the edges of the vertex from[v]
 * of `typed`.  The colours become types of vertices, as in ms_typed_from_graph; coloring may be
 * NULL. ms_typed_plain makes the first plain graph of a typed one, ms_graph_shuffle its shuffled
 * copy and `from`, ms_coloring_move and others the colours.  from NULL: the vertices have the same
 * numbers in both.  `threads`: as in ms_run_limits.  MS_ERR_USAGE: the numbers of vertices
 * differ, or from[n] is no permutation of them. */
MS_API ms_status ms_typed_move(const ms_typed *typed, const ms_graph *graph,
                               const uint32_t *from /* [n] */, const ms_coloring *coloring,
                               int threads, ms_typed **out, ms_error *err);

/* Which sets of vertices may become patterns, by the mean degree 2 m / k of their m edges. */
typedef enum ms_density {
  MS_DENSITY_ANY = 0,
  MS_DENSITY_SPARSE, /* below 3 */
  MS_DENSITY_DENSE   /* at least 3 */
} ms_density;

/* Patterns that are cut out of a graph, so that each has a match.  A random walk from a random edge
 * collects k vertices, as in Sun & Luo 2020 (In-memory subgraph matching: an in-depth study,
 * SIGMOD).  If it finds too few, random edges that leave the set complete it. */
typedef struct ms_cut_options {
  size_t size;        /* set by MS_CUT_OPTIONS_DEFAULT */
  uint32_t patterns;  /* at most MS_MAX_CUTS; 0: 1 */
  uint32_t vertices;  /* k, of each pattern: 2 to MS_MAX_PATTERN */
  uint64_t edges;     /* keep so many edges of each set: a random spanning tree and random further
                         ones; arcs in both directions are one edge.  0: all, so that the match is
                         induced */
  ms_density density; /* of the set, with all its edges */
  const ms_coloring *coloring; /* of the graph; NULL: the patterns have no colours */
  uint64_t seed;
} ms_cut_options;
#define MS_MAX_CUTS 1000000u
#define MS_CUT_OPTIONS_DEFAULT                                                                     \
  {                                                                                                \
    .size = sizeof(ms_cut_options), .patterns = 1, .vertices = 8, .seed = MS_DEFAULT_SEED          \
  }

typedef struct ms_cuts {
  uint32_t patterns, k;
  uint32_t *vertices; /* [patterns][k] the graph's vertex for each pattern vertex, in random order:
                         a match */
  uint32_t *color;    /* [patterns][k] one of its colours, at random; UINT32_MAX: it has none */
  uint64_t *offset;   /* [patterns + 1] pattern i has the edges offset[i] to offset[i + 1] - 1 */
  uint32_t (*edges)[2]; /* pattern vertices from 0 to k - 1.  In a directed graph, arcs from the
                           first to the second */
} ms_cuts;

/* Cuts patterns out of a graph; ms_pattern_from_edges makes an ms_pattern of each.  Pattern i
 * depends on the graph, the options and i, and not on the number of patterns.  Two patterns may be
 * alike.  MS_ERR_USAGE: no set was found that fits the options.  Free *out with ms_cuts_clear. */
MS_API ms_status ms_cut_patterns(const ms_graph *graph, const ms_cut_options *options, ms_cuts *out,
                                 ms_error *err);
MS_API void ms_cuts_clear(ms_cuts *cuts);
/* Makes pattern number `pattern` of the cuts from a typed graph, as a typed graph of its own;
 * ms_typed_write writes it to a file that ms_typed_pattern_read reads.  The cuts were made from
 * a plain graph with the same numbers of vertices, such as ms_typed_plain makes.  Pattern vertex i
 * has the name and the type of its vertex in `graph`, or the type "*", which is any type, if that
 * vertex is "untyped".  Each edge of the cut stands for all edges of `graph` between its two ends,
 * with their types and directions, and the self-loops of the vertices are kept, too.  MS_ERR_USAGE:
 * there is no such pattern, or it has a vertex that the graph lacks, or more than MS_MAX_CUT_EDGES
 * edges. */
#define MS_MAX_CUT_EDGES 4096u
MS_API ms_status ms_typed_from_cut(const ms_typed *graph, const ms_cuts *cuts, uint32_t pattern,
                                   ms_typed **out, ms_error *err);

#endif
