/* Command-line options: one table for all subcommands, from which parsing,
 * --help and the suggestions for a mistyped option are made. */
#ifndef MS_CLI_OPTIONS_H
#define MS_CLI_OPTIONS_H

#include "graph/generate/generate.h"
#include "motifsieve.h"

typedef enum ms_command {
  MS_COMMAND_SCREEN = 1,
  MS_COMMAND_LIST = 2,
  MS_COMMAND_VERIFY = 4,
  MS_COMMAND_INFO = 8,
  MS_COMMAND_CONVERT = 16,
  MS_COMMAND_STATS = 32,
  MS_COMMAND_GEN = 64,
  MS_COMMAND_BENCH = 128, /* which benchmark; they have options of their own */
  MS_COMMAND_BENCH_GF2 = 256,
  MS_COMMAND_BENCH_SIEVE = 512,
  MS_COMMAND_PLAN = 1024,
  MS_COMMAND_COMPONENTS = 2048,
  MS_COMMAND_PATH = 4096,
  MS_COMMAND_FILTER = 8192,
  MS_COMMAND_TYPED = 16384 /* typed-match */
} ms_command;

#define MS_MAX_DEVICES 64u /* GPUs that --devices may name */

typedef enum ms_recount_mode {
  MS_RECOUNT_BRIEF = 0, /* try for a few seconds; no harm if it does not end */
  MS_RECOUNT_FULL,      /* it has to end, or the exit code says so */
  MS_RECOUNT_NONE
} ms_recount_mode;

typedef struct ms_gen_options {
  ms_generate_options graph;
  uint32_t uniform_colors; /* 0: none */
  bool plant;
  const char *plant_motif; /* NULL: planted.slots */
  ms_plant_options planted;
  bool background_given;
  uint32_t edge_types, directed_types; /* 0: the graph is a plain one */
  const char *colors_out, *planted_out;
} ms_gen_options;

/* What --pattern brings; list, plan and verify. */
typedef struct ms_pattern_choice {
  const char *path; /* --pattern: a file, or the name of a built-in; NULL: a motif is looked for */
  const char *colors; /* of the pattern's vertices; NULL: none, or in the file */
  ms_graph_format format;
  bool induced, embeddings, subgraphs, binary;
  ms_order order;
  const char *engine; /* NULL: auto */
  ms_screen_mode screen;
  unsigned given; /* bit i: option KEY_PATTERN + i was given */
} ms_pattern_choice;

/* What typed-match has of its own. */
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

/* What path brings. */
typedef struct ms_path_choice {
  const char *source, *target; /* vertices; NULL: pairs is given */
  const char *pairs;           /* a file of pairs */
  const char *types;           /* of arcs, with commas between them; NULL: the usual ones */
  bool both_ways, lengths;
  uint32_t max_length;
} ms_path_choice;

/* All strings point into argv. */
typedef struct ms_cli_options {
  ms_command command;
  const char *operand[2]; /* GRAPH; verify: RESULT GRAPH; gen: none, its FAMILY is in gen */
  const char *colors;     /* NULL: those of the graph file, if it has any */
  const char *aliases;
  ms_graph_format to; /* convert */
  const char *map;    /* convert: where the names of a numbered format go */
  const char *motif;  /* screen: one of motif and motif_file; list: one of these and pattern.path */
  const char *motif_file;
  ms_pattern_choice pattern;
  ms_path_choice path;
  const char *required[MS_MAX_K];
  uint32_t n_required;
  ms_graph_options graph;
  ms_typed_choice typed_match;
  ms_typed_options typed; /* of typed graphs; a plain format goes into graph.format */
  ms_color_options coloring;
  ms_list_options list; /* list.screen serves the screen command, too; gen takes its seed, threads
                           and memory from there */
  int devices[MS_MAX_DEVICES]; /* list.screen.devices points here, and so to these very options */
  ms_gen_options gen;
  ms_components_choice components;
  double timeout;     /* seconds; 0: none */
  const char *output; /* NULL: standard output */
  ms_recount_mode recount;
  uint64_t match; /* the one to draw, from 1; 0: all */
  bool cx2, dot, whole_graph;
  bool all, json, quiet, verbose, fail_if_none;
  bool help, list_formats; /* asked for; nothing else is checked then */
} ms_cli_options;

/* MS_ERR_USAGE names the option or operand and what it wants. */
ms_status ms_options_parse(ms_command command, int argc, char **argv, ms_cli_options *options,
                           ms_error *err);
/* Was help or the list of formats asked for?  Then show it on standard output
 * instead of doing anything; an exit code. */
bool ms_options_shown(const ms_cli_options *options);
int ms_options_show(const ms_cli_options *options);
/* The help of a command on standard output; an exit code. */
int ms_help_show(ms_command command);

#endif
