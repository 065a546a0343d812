/* Censuses of graphs whose colours, or whose edges, were permuted at random.  motifsieve.h includes
 * this file. */
#ifndef MOTIFSIEVE_PERMUTATIONS_H
#define MOTIFSIEVE_PERMUTATIONS_H

#include "motifsieve/census.h"

/* ---- permutations ----------------------------------------------------- */

/* What is random under a null hypothesis, and what is held. */
typedef enum ms_null_kind {
  MS_NULL_LABELS, /* the lists of colours are dealt out again, uniformly at random */
  MS_NULL_DEGREE, /* the same, among vertices of about the same degree */
  MS_NULL_EDGES,  /* the same, and the number of edges between each two lists of colours is held,
                     unless a chain does not come back to it in time: `deviation` */
  MS_NULL_REWIRE, /* the colours stay, and edges are rewired; each vertex keeps its degree */
  MS_NULL_REWIRE_COLORS /* the same, and the number of edges between each two lists of colours is
                           held */
} ms_null_kind;

typedef struct ms_permutation_options {
  size_t size; /* set by MS_PERMUTATION_OPTIONS_DEFAULT */
  ms_null_kind null_kind;
  uint64_t permutations;   /* at least 1; 0: 1000 */
  uint64_t seed;           /* permutation i is a function of the seed and i */
  const uint32_t *stratum; /* [n_strata] one for each vertex: lists of colours move only within a
                              stratum; not where edges are rewired */
  uint32_t n_strata;       /* length of `stratum`: the vertices of the graph; 0: no strata */
  bool max_t;              /* also fill p_max */
  uint64_t keep_counts;    /* the greatest number of permutations, the first ones, whose numbers of
                              sets are kept in `counts` of the result; 0: none */
} ms_permutation_options;
#define MS_PERMUTATION_OPTIONS_DEFAULT                                                             \
  {                                                                                                \
    .size = sizeof(ms_permutation_options)                                                         \
  }

#define MS_USUAL_PERMUTATIONS 1000u
#define MS_MOST_PERMUTATIONS 100000000u

/* Fills stratum[vertices of the graph] with the number of the value of each vertex in another
 * column of the file from which `coloring` was read with the options `colors`: its name in the
 * header or its number.  A vertex counts if it has a colour, and with `only` of `census` (which may
 * be NULL) a colour of that list; other vertices may lack a value, and are then of stratum 0.
 * MS_ERR_INPUT: a vertex that counts has no value, or several.  MS_ERR_USAGE: the colours were not
 * read from a file that can be read again, or `only` has a colour that does not exist. */
MS_API ms_status ms_read_strata(const ms_graph *graph, const ms_coloring *coloring,
                                const ms_color_options *colors, const ms_census_options *census,
                                const char *column, uint32_t *stratum, ms_error *err);

/* Statistics of the motifs of a census, in its order.  With N permutations done, of which n have at
 * least (at most) as many sets as the graph, p = (1 + n) / (1 + N).  q are these values after the
 * procedure of Benjamini and Hochberg (1995) over all motifs. */
typedef struct ms_permutation_result {
  /* its units are permutations; stopped early: there are fewer than asked for */
  ms_run_outcome run;
  uint64_t count;       /* motifs */
  uint64_t asked, done; /* permutations; those with numbers below `done` are in the numbers below */
  double *expected;     /* [count] mean number of sets */
  double *mean;  /* [count] the same of all labellings, by formula; NULL: these are no shapes with
                    colours, or the null is not MS_NULL_LABELS without strata */
  double *sd;    /* [count] standard deviation, with the divisor N - 1; NAN for N < 2 */
  double *z;     /* [count] (sets - expected) / sd; NAN where sd is 0 or NAN */
  double *p, *q; /* [count] at least as many sets */
  double *p_less, *q_less; /* [count] at most as many sets */
  double *p_max; /* [count] share of permutations in which the greatest z of all motifs is at
                    least z, as p (P. H. Westfall and S. S. Young: Resampling-based multiple
                    testing, 1993; single step); NULL unless max_t */
  uint64_t *n_ge, *n_le;    /* [count] permutations with at least, with at most as many sets */
  uint64_t classes;         /* of vertices among which lists of colours move */
  uint64_t tried, accepted; /* swaps of all permutations, unless labels are dealt out again */
  double deviation; /* MS_NULL_EDGES: the greatest share of edges that would have to change to have
                       the table of the graph */
  uint64_t batched; /* permutations that were counted many at a time */
  uint64_t bytes;   /* of tables, at most */
  uint64_t on_gpus; /* permutations that GPUs counted; `batched` counts them, too */
  uint64_t kept;    /* permutations whose numbers are in `counts` */
  uint64_t *counts; /* [kept][count] number of sets in each permutation, in the order of the
                       permutations: the null distribution of each motif; NULL without
                       keep_counts */
  /* Of a part of the permutations (`division` of the census options), which has the permutations
   * `first` .. first + done - 1: the sums that ms_merge adds up; NULL: there are no parts. */
  struct ms_permutation_sum *sum; /* [count] */
  uint64_t first;
} ms_permutation_result;

/* Counts the sets of the motifs of `observed`, which ms_census made from this graph, these colours
 * and these options without min_count and top, in permuted graphs.  Vertices without a colour that
 * counts keep their place.  The result does not depend on the threads.  Takes run, engine and
 * division from `census`: a part has some of the permutations,
 * and no keep_counts or max_t; a checkpoint has those that are done.  GPUs count labellings of
 * vertices with one colour each, and `engine` "gpu" is an error where they cannot.  MS_ERR_USAGE:
 * wrong options, or a census that was stopped.  The caller frees *out by
 * ms_permutation_result_free. */
MS_API ms_status ms_census_permute(const ms_graph *graph, const ms_coloring *coloring,
                                   const ms_census_options *census,
                                   const ms_permutation_options *options,
                                   const ms_census_result *observed, ms_permutation_result **out,
                                   ms_error *err);
MS_API void ms_permutation_result_free(ms_permutation_result *result);

/* Sets *out to the share of the variance of the ranks of degrees that the lists of colours explain,
 * by the test of W. H. Kruskal and W. A. Wallis (1952), among the vertices that count; 0 if it is
 * below 0.05, or if the statistic H is less than six standard deviations above its mean.  If it is
 * not 0, MS_NULL_LABELS gives what the degrees alone explain a small p; compare with
 * MS_NULL_DEGREE.  Takes `only` and `primary` from `options`. */
MS_API ms_status ms_degrees_by_color(const ms_graph *graph, const ms_coloring *coloring,
                                     const ms_census_options *options, double *out, ms_error *err);

#endif
