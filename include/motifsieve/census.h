/* A census: the connected vertex sets of every colour motif.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_CENSUS_H
#define MOTIFSIEVE_CENSUS_H

#include "motifsieve/colors.h"
#include "motifsieve/parts.h"

/* ---- census ----------------------------------------------------------- */

#define MS_MAX_CENSUS 8u /* greatest number of vertices in a set of a census */

typedef struct ms_census_options {
  size_t size;          /* set by MS_CENSUS_OPTIONS_DEFAULT */
  uint32_t k;           /* vertices of a set, 2 to MS_MAX_CENSUS; 0: 3 */
  uint32_t n_only;      /* number of colours in `only`; 0: all colours count */
  const uint32_t *only; /* [n_only] the colours that count; vertices have no others */
  bool primary;         /* each vertex has one of its colours that count: the first one in the
                           order in which the colouring numbers them */
  uint64_t min_count;   /* leave out motifs of fewer sets (of a vertex); 0: none */
  uint64_t top;         /* the greatest number of motifs (of a vertex); 0: any */
  ms_run_limits run;    /* `devices`: without any, one GPU, or all where there is much work */
  /* What counts the sets: "cpu"; "gpu"; NULL or "auto": a GPU if it saves time.  The result is the
   * same. */
  const char *engine;
  /* A part of the census, or a checkpoint.  A part has the sets of its units alone, and all motifs
   * of them: `min_count` and `top` hold after ms_merge.  ms_census_vertices has checkpoints, but no
   * parts; the other calls that take these options, but those to a file, refuse a division.
   * Borrowed; NULL: the whole census, without a checkpoint. */
  const ms_division *division;
} ms_census_options;
#define MS_CENSUS_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_census_options)                                                              \
  }

typedef struct ms_census_result {
  ms_run_outcome run; /* stopped early: there are no motifs */
  uint32_t k;
  uint64_t vertices;  /* that have a colour that counts */
  uint64_t lists;     /* different lists of colours of these vertices */
  uint64_t sets;      /* connected sets of k of these vertices */
  uint64_t motifs;    /* motifs that occur */
  uint64_t count;     /* motifs below: those that `min_count` and `top` leave */
  uint32_t *color;    /* [count][k] the colours of each motif, ascending */
  uint64_t *n_sets;   /* [count] connected sets that fit each motif; the motifs with most sets come
                         first, and motifs with equally many come in the order of their colours */
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
 * number of sets is 2^63 or more.  The caller frees *out by ms_census_result_free. */
MS_API ms_status ms_census(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_census_options *options, ms_census_result **out, ms_error *err);
MS_API void ms_census_result_free(ms_census_result *result);

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
