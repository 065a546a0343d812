/* The content of a command line: one struct for all commands, which the rows of the table of
 * options fill in (option_table.h). */
#ifndef MS_CLI_OPTIONS_H
#define MS_CLI_OPTIONS_H

#include "cli/cli.h"
#include "graph/generate/generate.h"
#include "motifsieve.h"

#define MS_OPTION_WORDS 5u       /* words of 64 bits that hold one bit for each option */
#define MS_MAX_DEVICES 64u       /* GPUs that --devices may name */
#define MS_MAX_THREAD_COUNTS 16u /* numbers of threads that bench gf2 can try */

/* Seconds in which verify finds a match for each flag of a screen, and for a recount that the user
 * did not ask for: both can take exponential time. */
#define MS_FLAG_SECONDS 60
#define MS_BRIEF_RECOUNT 10

typedef enum ms_recount_mode {
  MS_RECOUNT_BRIEF = 0, /* try for MS_BRIEF_RECOUNT seconds; it may stay unfinished */
  MS_RECOUNT_FULL,      /* if it does not finish, the exit code says so */
  MS_RECOUNT_NONE
} ms_recount_mode;

typedef struct ms_gen_options {
  ms_generate_options graph;
  bool given; /* the graph is that of the operand GRAPH; `graph` has only the
                 prefix */
  bool shuffle, permute_colors;
  ms_new_names new_names;
  ms_cut_options cut; /* patterns 0: none are cut */
  enum { MS_PATTERNS_TVE, MS_PATTERNS_GRAPHML } pattern_format;
  const char *patterns_out; /* a folder */
  uint32_t uniform_colors;  /* 0: none */
  bool plant;
  const char *plant_motif; /* NULL: planted.slots */
  ms_planting planted;
  uint32_t edge_types, directed_types; /* 0: the graph is plain */
  const char *colors_out, *planted_out;
} ms_gen_options;

/* The pattern and its options, for match, plan, filter and verify. */
typedef struct ms_pattern_choice {
  const char *path;   /* a file, a name or a text: the operand PATTERN, or --pattern; NULL: none */
  const char *set;    /* a file or a folder of many patterns, in place of `path`; NULL: none */
  const char *colors; /* colours of the pattern's vertices; NULL: none, or those in the file */
  ms_graph_format format;
  bool induced, embeddings, subgraphs, binary;
  ms_order order;
  ms_screen_mode screen;
} ms_pattern_choice;

/* Options of match for typed patterns only. */
typedef struct ms_typed_choice {
  bool inexact;
  uint32_t best, walk_length; /* 0: not given */
  ms_typed_walk walk;
} ms_typed_choice;

typedef struct ms_components_choice {
  ms_components_algorithm algorithm;
  bool largest, sizes;
  uint64_t min_size; /* 0: not given */
} ms_components_choice;

/* Options of path; without a file of pairs, SOURCE and TARGET are its operands. */
typedef struct ms_path_choice {
  const char *pairs; /* a file of pairs; NULL: none */
  const char *types; /* types of arcs, separated by commas; NULL: the usual ones */
  bool both_ways, lengths;
  uint32_t max_length;
} ms_path_choice;

/* Options of mine. */
typedef struct ms_mine_choice {
  uint32_t slots, least, support; /* 0: not given */
} ms_mine_choice;

/* Options of census. */
typedef struct ms_census_choice {
  uint32_t k;       /* 0: not given */
  const char *only; /* colours, separated by commas; NULL: all */
  bool primary, per_vertex, shapes, non_induced, wide;
  uint64_t min_count, top;
  ms_census_order sort;
  bool significance;
  ms_significance_options statistics;
  uint64_t permutations; /* 0: not given */
  ms_null_kind null_kind;
  const char *strata; /* a column of the colour file; NULL: none */
  bool max_t;
} ms_census_choice;

/* Options that compare has and census does not have. */
typedef struct ms_compare_choice {
  const char *metadata; /* a table of vertices, whose samples are parts of one graph; NULL: the
                           operand is a sheet; also for verify */
  ms_sample_options columns;
  const char *reference; /* NULL: none */
  bool rest;
  uint64_t permutations; /* 0: not given */
  const char *counts;    /* a file for the numbers of each sample; NULL: none */
} ms_compare_choice;

/* Options of report that verify does not have. */
typedef struct ms_report_choice {
  bool no_verify;
  const char *counts;   /* of the samples of a comparison; NULL: none */
  uint64_t rows, edges; /* 0: not given */
} ms_report_choice;

/* Options of neighbors. */
typedef struct ms_neighbors_choice {
  ms_points_options points;
  ms_neighbor_options graph; /* its rule follows from the options that are given */
  bool delaunay;
} ms_neighbors_choice;

typedef struct ms_bench_choice {
  uint32_t threads[MS_MAX_THREAD_COUNTS], n_threads; /* gf2: the numbers of threads to try */
  uint32_t device;                                   /* gf2 */
  double seconds;                                    /* gf2: time for each figure */
  uint32_t vertices, degree, slots, runs;            /* sieve */
  bool csv;
} ms_bench_choice;

/* All strings point into argv. */
typedef struct ms_cli_options {
  const ms_command *command;
  uint64_t given[MS_OPTION_WORDS]; /* bit r: row r of the table was given */
  const char *operand[3]; /* GRAPH; match, plan: GRAPH PATTERN; verify, report: RESULT GRAPH; path:
                             GRAPH SOURCE TARGET; gen: FAMILY, or "file" and GRAPH; neighbors:
                             POINTS */
  const char *colors;     /* NULL: the colours in the graph file, if it has any */
  const char *aliases;
  const char *below;         /* the folder below which files lie that another file names */
  const char *labels;        /* a file of labels, or "alias"; NULL: none */
  const char *vertex_scores; /* a file of scores of vertices; NULL: none */
  ms_graph_format to;        /* convert */
  const char *map;           /* convert, gen: file for names that the output does not have */
  /* screen, list, stats: at most one of these three is set */
  const char *motif;
  const char *motif_file;
  const char *motif_from; /* a file of vertices, whose colours are the motif */
  const char *motifs;     /* a file of many motifs, instead of one; NULL: none */
  const char *rows_file;  /* with `motifs`: where rows go; NULL: nowhere */
  bool times;             /* with `motifs`: a column of seconds */
  double motif_timeout;   /* with `motifs`: seconds for each; 0: any */
  ms_pattern_choice pattern;
  ms_path_choice path;
  const char *required[MS_MAX_K];
  uint32_t n_required;
  const char *substitutes; /* a file, or "ontology": the one of coloring.obo; NULL: none */
  ms_graph_options graph;
  ms_typed_choice typed_match;
  ms_typed_options typed; /* reading of typed graphs; a plain format goes into graph.format */
  ms_color_options coloring;
  ms_list_options list; /* the screen command uses list.screen, too; gen takes its seed, threads and
                           memory from there */
  int devices[MS_MAX_DEVICES]; /* list.screen.run.devices points here: a copy of the struct would
                                  share it */
  ms_gen_options gen;
  ms_components_choice components;
  ms_mine_choice mine;
  ms_census_choice census;
  ms_compare_choice compare;
  ms_report_choice report;
  ms_neighbors_choice neighbors;
  ms_bench_choice bench;
  ms_division division;
  char *const *parts; /* merge: [n_parts] its operands */
  uint32_t n_parts;
  const char *stats_file; /* --stats; NULL: none */
  int argc;               /* the command line from the command on */
  char **argv;
  double timeout;     /* seconds; 0: none */
  ms_stop *stop;      /* ends the command; set when it begins, and the token of its thread */
  const char *output; /* NULL: standard output */
  ms_recount_mode recount;
  uint64_t match; /* match to draw, from 1; 0: all */
  bool cx2, dot, svg, whole_graph;
  const char *positions;    /* table of points; NULL: none */
  const char *title, *unit; /* of an SVG picture; NULL: none */
  bool significance;        /* of list: the number of matches by formula */
  enum { MS_OF_MATCHES, MS_OF_VERTICES } statistic;
  bool roles, long_rows, wide_rows, all_colors, density;
  bool all, json, quiet, verbose, fail_if_none;
  bool help, list_formats; /* if one of them is set, nothing else is checked */
  bool help_all;           /* with help: all options, not only those that matter most */
} ms_cli_options;

/* True if an option gives the motif. */
static inline bool ms_motif_is_given(const ms_cli_options *o)
{
  return o->motif || o->motif_file || o->motif_from;
}

/* Parses a command line; argv[0] is not read.  The message of MS_ERR_USAGE names the option or
 * operand and the value that it needs. */
ms_status ms_options_parse(const ms_command *command, int argc, char **argv,
                           ms_cli_options *options, ms_error *err);

/* Finds the format to write: the one that --to names, or that the ending of the output file
 * implies (option_places.c). */
ms_status ms_find_output_format(const ms_cli_options *options, ms_graph_format *to, ms_error *err);
/* Checks that the format holds the scores of edges that --scores keeps. */
ms_status ms_check_kept_scores(const ms_cli_options *options, ms_graph_format to, ms_error *err);

#endif
