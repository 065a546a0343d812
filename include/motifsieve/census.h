/* A census: the connected vertex sets of every colour motif, or of every shape.  motifsieve.h
 * includes this file. */
#ifndef MOTIFSIEVE_CENSUS_H
#define MOTIFSIEVE_CENSUS_H

#include "motifsieve/colors.h"
#include "motifsieve/parts.h"

/* ---- census ----------------------------------------------------------- */

#define MS_MAX_CENSUS 8u         /* greatest number of vertices in a set of a census */
#define MS_MAX_SHAPE 6u          /* the same of a census by shape */
#define MS_MAX_DIRECTED_SHAPE 5u /* the same in a directed graph */

typedef struct ms_census_options {
  size_t size;          /* set by MS_CENSUS_OPTIONS_DEFAULT */
  uint32_t k;           /* vertices of a set, 2 to MS_MAX_CENSUS; 0: 3 */
  uint32_t n_only;      /* number of colours in `only`; 0: all colours count */
  const uint32_t *only; /* [n_only] the colours that count; vertices have no others */
  bool primary;         /* each vertex has one of its colours that count: the first one in the
                           order in which the colouring numbers them */
  /* Counts connected induced subgraphs by their shapes: isomorphism classes, with directions if the
   * graph has them, and with colours if there is a colouring, of which each vertex then has at most
   * one.  `k` is 3 to MS_MAX_SHAPE. */
  bool shapes;
  bool non_induced;   /* with `shapes`: counts subgraphs that may lack edges of their sets */
  bool all_shapes;    /* with `shapes`, without colours: shapes without sets are in the result */
  uint64_t min_count; /* leave out motifs of fewer sets (of a vertex); 0: none */
  uint64_t top;       /* the greatest number of motifs (of a vertex); 0: any */
  /* Without `seed`.  devices: without any, one GPU, or all where there is much work.
   *
   * engine: what counts the sets: "cpu"; "gpu"; NULL or "auto": a GPU if it saves time.  The result
   * is the same.
   *
   * division: a part of the census has the sets of its units alone, and all motifs of them:
   * `min_count` and `top` hold after ms_merge.  ms_census_vertices has checkpoints, but no parts;
   * the other calls that take these options, but those to a file, refuse a division. */
  ms_run_limits run;
} ms_census_options;
#define MS_CENSUS_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_census_options)                                                              \
  }

typedef struct ms_census_result {
  ms_run_outcome run; /* stopped early: there are no motifs */
  uint32_t k;
  uint64_t vertices; /* that have a colour that counts */
  uint64_t lists;    /* different lists of colours of these vertices */
  uint64_t sets;     /* connected sets of k of these vertices */
  uint64_t motifs;   /* motifs, or shapes, that occur */
  uint64_t count;    /* motifs below: those that `min_count` and `top` leave */
  uint32_t *color;   /* [count][k] the colours of each motif, ascending; NULL: there are none */
  /* [count] the code of each shape, whose vertices have the colours in this order.  The pair of
   * vertices i < j has the bit j (j - 1) / 2 + i, or, if `directed`, twice as many before it and
   * two bits: 1 for i -> j, 2 for j -> i.  It is the least such code of the shape.  NULL: `shapes`
   * was not asked for. */
  uint32_t *shape;
  bool directed;
  uint64_t *n_sets;   /* [count] connected sets that fit each motif; the motifs with most sets come
                         first, and motifs with equally many come in the order of their colours,
                         then of their shapes */
  uint64_t visits;    /* sets that were visited to count all others */
  uint64_t bytes;     /* of tables, at most */
  bool dense;         /* the tables have a place for every motif */
  uint64_t gpu_bytes; /* of each GPU's memory, at most */
  uint64_t cpu_roots; /* "gpu": vertices whose sets the CPU counted, as too many vertices are
                         near them */
} ms_census_result;

/* Counts the connected sets of k vertices of each motif of k colours, exactly.  Vertices without a
 * colour take no part.  A set in which vertices have several colours counts once for each motif
 * that it fits.  The result does not depend on the threads.  MS_ERR_MEMORY: the tables need more
 * than `memory`.  MS_ERR_USAGE: the vertices have more than 65534 colours or lists of colours, or a
 * number of sets is 2^63 or more; with `shapes`, a vertex has several colours.  `coloring` may be
 * NULL with `shapes`.  The caller frees *out by ms_census_result_free. */
MS_API ms_status ms_census(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_census_options *options, ms_census_result **out, ms_error *err);
MS_API void ms_census_result_free(ms_census_result *result);

/* ---- shapes ----------------------------------------------------------- */

typedef struct ms_shape_info {
  uint32_t edges; /* or arcs */
  uint32_t automorphisms;
  char name[16];   /* of the built-in pattern (ms_pattern_named) without colours; of three directed
                      vertices the triad of Holland and Leinhardt (1970), as "030T"; else empty */
  char graph6[16]; /* B. McKay's format graph6, or digraph6 of a directed shape */
} ms_shape_info;

/* Describes the shape of k vertices with a code as in ms_census_result.  color[k]: those of its
 * vertices, which automorphisms keep; NULL: none.  MS_ERR_USAGE: there is no such code. */
MS_API ms_status ms_shape_describe(uint32_t k, bool directed, uint32_t code, const uint32_t *color,
                                   ms_shape_info *out, ms_error *err);
/* Reads graph6 or digraph6 of 2 to MS_MAX_SHAPE vertices; the code is that of the vertices in their
 * order.  MS_ERR_USAGE: the text is none. */
MS_API ms_status ms_shape_parse(const char *graph6, uint32_t *k, bool *directed, uint32_t *code,
                                ms_error *err);
/* Sets *text to the shape as a pattern, which ms_pattern_parse reads; names[k]: those of the
 * colours of its vertices; NULL: none.  ms_pattern_list finds as many matches of it, `induced` or
 * not, as the census counts.  The caller frees *text by ms_text_free. */
MS_API ms_status ms_shape_pattern(uint32_t k, bool directed, uint32_t code,
                                  const char *const *names, char **text, ms_error *err);

/* ---- orbits ----------------------------------------------------------- */

#define MS_MAX_ORBITS 5u          /* greatest number of vertices of a shape with orbits */
#define MS_MAX_DIRECTED_ORBITS 4u /* the same in a directed graph */

/* An orbit of a shape with colours. */
typedef struct ms_colored_orbit {
  uint32_t k, shape; /* the vertices and the code of its shape, as in ms_census_result */
  uint32_t position; /* of the shape: the lowest vertex of the orbit */
  uint32_t color[MS_MAX_ORBITS]; /* [k] of the vertices of the shape, ascending; then UINT32_MAX */
} ms_colored_orbit;

/* Of each vertex, in how many induced subgraphs it has each position: its graphlet degree vector.
 */
typedef struct ms_orbits_result {
  ms_run_outcome run; /* stopped early: there are no numbers */
  uint32_t vertices;  /* of the graph */
  uint32_t k;         /* the subgraphs have 2 to k vertices */
  bool directed;
  bool colored;    /* orbits have colours */
  uint32_t orbits; /* all that there are; with colours, those that occur */
  /* Connected sets in which the vertex has the position: [vertices][orbits], or, with colours,
   * [offset[vertices]].  NULL: stopped. */
  uint64_t *count;
  /* With colours, else NULL: the numbers of vertex v are at offset[v] .. offset[v + 1] - 1, and are
   * of these orbits, which ascend. */
  uint64_t *offset;            /* [vertices + 1] */
  uint32_t *orbit;             /* [offset[vertices]] */
  ms_colored_orbit *described; /* [orbits] by k, colours, shape and position */
  uint64_t estimate;           /* bytes of the numbers with colours, estimated from some vertices */
  uint64_t bytes;              /* of tables, at most */
  uint32_t found;              /* vertices that are in some connected set */
} ms_orbits_result;

/* Counts, for each vertex of the graph, the connected induced subgraphs of 2 to options->k vertices
 * (0: 4) by its orbit: the class of positions that automorphisms take to each other.  With a
 * coloring, automorphisms keep colours, of which each vertex has at most one, and vertices without
 * a colour take no part.  coloring NULL: there are no colours.  Takes `k` and `run` from the
 * options, and with colours `only` and `primary`.  MS_ERR_USAGE: k is above MS_MAX_ORBITS, or
 * MS_MAX_DIRECTED_ORBITS; a number has no 63 bits; a vertex has several colours.  MS_ERR_MEMORY:
 * the numbers need more than `memory`, which with colours is estimated after some vertices.  The
 * caller frees *out by ms_orbits_result_free. */
MS_API ms_status ms_orbits(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_census_options *options, ms_orbits_result **out, ms_error *err);
MS_API void ms_orbits_result_free(ms_orbits_result *result);

typedef struct ms_orbit_info {
  uint32_t k, shape;    /* the vertices and the code of its shape, as in ms_census_result */
  uint32_t position;    /* of the shape: the lowest vertex of the orbit */
  uint32_t shape_edges; /* or arcs */
  char name[16];        /* of the shape, as in ms_shape_info */
} ms_orbit_info;

/* Describes orbit i of ms_orbits.  Undirected ones have the numbers 0 to 72 of N. Przulj
 * (Biological network comparison using graphlet degree distribution, 2007), which ORCA uses;
 * directed ones come by the numbers of vertices, the codes of their shapes and their positions.
 * MS_ERR_USAGE: there is no such orbit. */
MS_API ms_status ms_orbit_describe(uint32_t k, bool directed, uint32_t i, ms_orbit_info *out,
                                   ms_error *err);

/* ---- vertices --------------------------------------------------------- */

/* The motifs of the sets that hold one vertex. */
typedef struct ms_census_vertex {
  uint32_t vertex;
  uint64_t sets;          /* that hold it */
  uint64_t count;         /* motifs */
  const uint32_t *color;  /* [count][k] ascending in a motif */
  const uint64_t *n_sets; /* [count] sets that hold the vertex and fit the motif, in the order of
                             ms_census_result */
} ms_census_vertex;

/* Receives a vertex, on the calling thread; its arrays last until the call returns.  It returns
 * false to end the run. */
typedef bool (*ms_census_fn)(void *user, const ms_census_vertex *vertex);

typedef struct ms_census_summary {
  /* stopped early: vertices are missing.  `resumed` counts vertices, and in a part also parts of
   * vertices. */
  ms_run_outcome run;
  uint64_t vertices;     /* that were received */
  uint64_t rows;         /* motifs of all of them */
  uint64_t bytes;        /* of tables, and of rows that wait, at most */
  uint64_t gpu_bytes;    /* of each GPU's memory, at most */
  uint64_t cpu_vertices; /* "gpu": vertices whose sets the CPU counted, since they or the motifs of
                            their sets are too many for the GPU */
} ms_census_summary;

/* Counts, for each vertex with a colour that counts, the sets that hold it, motif by motif.
 * Vertices come in the order of the graph, and `min_count` and `top` hold for each one.  `summary`
 * may be NULL. Errors as ms_census. */
MS_API ms_status ms_census_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                    const ms_census_options *options, ms_census_fn receive,
                                    void *user, ms_census_summary *summary, ms_error *err);

#endif
