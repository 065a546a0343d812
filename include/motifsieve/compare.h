/* The comparison of samples: in which colour motifs do groups of samples differ?  motifsieve.h
 * includes this file. */
#ifndef MOTIFSIEVE_COMPARE_H
#define MOTIFSIEVE_COMPARE_H

#include "motifsieve/census.h"

/* ---- samples ---------------------------------------------------------- */

#define MS_MAX_SAMPLES 1024u
#define MS_MAX_GROUPS 64u

/* Samples, such as the slides of patients: each has a graph, colours, a group and perhaps a
 * block. */
typedef struct ms_samples ms_samples;

/* Columns by their names in the first line, or by their numbers from 1. */
typedef struct ms_sample_options {
  size_t size; /* set by MS_SAMPLE_OPTIONS_DEFAULT */
  /* NULL: in a sheet, a column with a usual title, such as "sample", "group" and "block".  A split
   * needs group_column; without sample_column each group is one sample */
  const char *sample_column, *group_column, *block_column;
  const char *vertex_column; /* of a split: the names of vertices; NULL: the first column */
  const char *aliases;       /* of a sheet: a file of other names of vertices, which the files of
                                colours may use; it is read for each graph.  NULL: none */
  const char *below;         /* of a sheet: the folder below which the files have to lie that it
                                names; NULL: the folder of the sheet */
} ms_sample_options;
#define MS_SAMPLE_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_sample_options)                                                              \
  }

/* Reads a sample sheet: a table with a line of titles and a line for each sample: its name, the
 * path of its graph, the path of its colours (without that column, the graph files hold them), its
 * group and perhaps its block.  Paths are relative to the folder of the sheet, and lead
 * to regular files below `below`; otherwise MS_ERR_INPUT.  Messages show no text of these files.
 * All graphs are read with the same options, and have the format of the first one; so have the
 * colours.  The caller frees *out by ms_samples_free. */
MS_API ms_status ms_samples_read(const char *path, const ms_graph_options *graph,
                                 const ms_color_options *colors, const ms_sample_options *options,
                                 ms_samples **out, ms_error *err);
/* Divides the vertices of one graph among samples, by a table with a line of titles and a line for
 * each vertex.  A vertex without a line, or with an empty sample or group, is in no sample.  A name
 * that is not in the graph is tried as SAMPLE:NAME, too.  A set of vertices of several samples
 * belongs to none.  `graph` and `coloring` must outlive the samples. */
MS_API ms_status ms_samples_split(const ms_graph *graph, const ms_coloring *coloring,
                                  const char *path, const ms_sample_options *options,
                                  ms_samples **out, ms_error *err);
MS_API void ms_samples_free(ms_samples *samples);

typedef struct ms_samples_info {
  const char *path; /* of the sheet, or of the table of a split; "(in memory)": there is none */
  uint32_t crc32c;  /* of that file */
  bool split;       /* made by ms_samples_split or ms_samples_from_vertices */
  uint32_t samples, groups;
  uint32_t blocks;           /* 0: the samples have none */
  uint64_t vertices, edges;  /* of all graphs */
  uint64_t unknown_vertices; /* split: lines of the table whose vertex is not in the graph */
  uint64_t left_out;         /* split: vertices of the graph that are in no sample */
} ms_samples_info;
MS_API ms_samples_info ms_samples_describe(const ms_samples *samples);

typedef struct ms_sample_info {
  const char *name, *group;
  const char *block;           /* NULL: none */
  uint32_t group_id, block_id; /* in the order in which they first occur */
  const ms_graph *graph;
  const ms_coloring *coloring; /* colours only vertices of the sample */
} ms_sample_info;
/* Returns sample i; all NULL: there is none. */
MS_API ms_sample_info ms_samples_get(const ms_samples *samples, uint32_t i);

/* Makes samples of graphs in memory.  sample[count] have a name, a group, a graph and its colours,
 * and all or none a block; group_id and block_id are not read.  The texts are copied; the graphs
 * and colours must outlive the samples, which the caller frees by ms_samples_free.  MS_ERR_USAGE:
 * the number, a name, a group or a block makes no sense, or two samples have the same name. */
MS_API ms_status ms_samples_from_graphs(uint32_t count, const ms_sample_info *sample /* [count] */,
                                        ms_samples **out, ms_error *err);
/* Divides the vertices of one graph among samples in the same way, of which `graph` and `coloring`
 * are not read: sample_of[v] is the number of the sample of vertex v, below `count`, or UINT32_MAX
 * for none.  The array, which may be NULL for a graph without vertices, is not kept; the graph and
 * its colours must outlive the samples.  MS_ERR_USAGE: also a number that is not below `count`. */
MS_API ms_status ms_samples_from_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                          uint32_t count,
                                          const ms_sample_info *sample /* [count] */,
                                          const uint32_t *sample_of /* [n] */, ms_samples **out,
                                          ms_error *err);

/* ---- comparison ------------------------------------------------------- */

/* What is permuted to find p values. */
typedef enum ms_compare_test {
  MS_TEST_SAMPLES, /* the groups of samples, within blocks: do the groups differ? */
  MS_TEST_LABELS   /* the colours of the vertices of each sample, because each group has only one:
                      do these samples differ by more than a random arrangement of their colours? */
} ms_compare_test;
#define MS_COMPARE_TESTS 2

typedef struct ms_compare_options {
  size_t size;             /* set by MS_COMPARE_OPTIONS_DEFAULT */
  uint32_t k;              /* vertices of a set, 2 to MS_MAX_CENSUS; 0: 3 */
  uint32_t n_only;         /* number of colours in `only`; 0: all colours count */
  const char *const *only; /* [n_only] names of the colours that count; vertices have no others */
  bool primary;            /* each vertex has one of its colours that count: the first one in the
                              order in which colours first occur in the samples */
  const char *reference;   /* each other group is compared with this one; NULL: each pair of groups
                              is compared, the later one with the earlier one */
  bool rest;               /* instead, each group is compared with all others together */
  uint64_t min_count;      /* a motif is compared if the samples of both sides together have so many
                              sets; 0: 1 */
  uint64_t top;            /* the greatest number of motifs of each comparison; 0: any */
  uint64_t permutations;   /* random permutations, at most MS_MAX_PERMUTATIONS; 0: 9,999, or 999 of
                              colours.  Where groups have at most so many arrangements, all of them
                              are tried instead */
  /* Only `threads`, `memory`, which bounds each census, `stop`, progress and `seed`: permutation i
   * is a function of it and i. */
  ms_run_limits run;
} ms_compare_options;
#define MS_COMPARE_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .size = sizeof(ms_compare_options)                                                             \
  }
#define MS_MAX_PERMUTATIONS UINT64_C(1000000000)

/* A motif in a comparison of two sides, `group` and `reference`.  NAN: there is no such number. */
typedef struct ms_compare_row {
  uint32_t contrast;
  uint64_t motif;                  /* its number in the arrays of ms_comparison */
  double rate, reference_rate;     /* mean over the samples of a side of the share of sets */
  double log2_ratio;               /* mean difference of the base-2 logarithms of the shares */
  double delta;                    /* Cliff's delta of the shares, -1 to 1 */
  double p, q;                     /* of log2_ratio */
  double excess, reference_excess; /* mean base-2 logarithm of observed over expected share */
  double log2_excess_ratio;        /* mean difference of these */
  double p_excess, q_excess;       /* of log2_excess_ratio */
} ms_compare_row;

typedef struct ms_contrast {
  uint32_t group, reference; /* groups; reference MS_ALL_OTHERS: all other groups */
  uint64_t arrangements;     /* of the groups of its samples; UINT64_MAX: so many or more */
  bool exact;                /* all of them are tried */
  uint64_t permutations;     /* that were tried: less than was asked for after a stop */
  uint64_t tested;           /* motifs that were compared */
} ms_contrast;
#define MS_ALL_OTHERS UINT32_MAX

typedef struct ms_comparison {
  ms_run_outcome run; /* stopped early: there are fewer permutations or, if sets were still being
                        counted, no motifs */
  uint32_t k, samples;
  ms_compare_test test;
  ms_coloring *colors; /* all colours of the samples, by name; it colours no vertex */
  uint64_t *vertices;  /* [samples] with a colour that counts */
  uint64_t *sets;      /* [samples] connected sets of k of these vertices */
  uint64_t motifs;     /* that occur in some sample */
  uint32_t *color;     /* [motifs][k] colours of each motif, ascending; the motifs with most
                          sets in all samples come first */
  uint64_t *n_sets;    /* [motifs][samples] */
  double *expected;    /* [motifs][samples] mean of n_sets if the colours of the sample are
                          permuted; NULL: vertices have several colours */
  uint32_t contrasts;
  ms_contrast *contrast; /* [contrasts] */
  uint64_t count;
  ms_compare_row *row; /* [count] by contrast; in each, rows with the least p come first, then
                          those with the greatest |log2_ratio|, then in the order of motifs */
  uint64_t planned;    /* permutations that were asked for */
} ms_comparison;

/* Counts the connected sets of k vertices of each motif in each sample, and compares groups of
 * samples.  The result does not depend on the threads.  docs/COMPARE.md has the formulas.
 * MS_ERR_USAGE: fewer than two groups; a reference that is no group;
 * MS_ERR_INPUT: a sample without any connected set; two sides that share no block.  Other errors as
 * ms_census.  The caller frees *out by ms_comparison_free. */
MS_API ms_status ms_compare(const ms_samples *samples, const ms_compare_options *options,
                            ms_comparison **out, ms_error *err);
MS_API void ms_comparison_free(ms_comparison *comparison);

#endif
