/* The one table of options: what each is called, which commands have it, what
 * --help says.  Parsing, --help, the manual pages and the completion for shells
 * are all made from it. */
#ifndef MS_CLI_OPTION_TABLE_H
#define MS_CLI_OPTION_TABLE_H

#include "cli/options.h"

typedef enum ms_option_key {
  KEY_COLORS = 256, /* above every short option */
  KEY_MOTIF,
  KEY_MOTIF_FILE,
  KEY_REQUIRE,
  KEY_FORMAT, /* how to read the input: from here */
  KEY_HEADER,
  KEY_MIN_SCORE,
  KEY_KEEP_TAXON,
  KEY_TAXON,
  KEY_SYSTEM,
  KEY_NAMES,
  KEY_DIRECTED,
  KEY_ALIAS,
  KEY_COLOR_FORMAT,
  KEY_COLOR_HEADER,
  KEY_NAME_COLUMN,
  KEY_COLOR_COLUMN,
  KEY_ASPECT,
  KEY_OBO,
  KEY_SLIM,     /* to here */
  KEY_VERTICES, /* gen: in the order of the MS_GEN_ bits, from here */
  KEY_DEGREE,
  KEY_EDGES,
  KEY_PROBABILITY,
  KEY_EXPONENT,
  KEY_MIN_DEGREE,
  KEY_MAX_DEGREE,
  KEY_SCALE,
  KEY_QUADRANTS,
  KEY_ROWS,
  KEY_COLS,
  KEY_REMOVED,
  KEY_DIAGONALS, /* to here */
  KEY_UNIFORM_COLORS,
  KEY_PLANTED,
  KEY_PLANTS,
  KEY_BACKGROUND,
  KEY_EDGE_TYPES,
  KEY_DIRECTED_TYPES,
  KEY_PREFIX,
  KEY_COLORS_OUT,
  KEY_PLANTED_OUT, /* all of gen: to here */
  KEY_PATTERN,     /* of patterns alone: from here */
  KEY_PATTERN_COLORS,
  KEY_PATTERN_FORMAT,
  KEY_INDUCED,
  KEY_EMBEDDINGS,
  KEY_SUBGRAPHS,
  KEY_ORDER,
  KEY_SCREEN,
  KEY_ENGINE,
  KEY_BINARY,       /* to here */
  KEY_TYPED_FORMAT, /* of typed graphs alone: from here */
  KEY_NODES,
  KEY_NODE_COLUMN,
  KEY_NODE_TYPE_COLUMN,
  KEY_RELATIONS,
  KEY_SOURCE_COLUMN,
  KEY_TARGET_COLUMN,
  KEY_TYPE_COLUMN,
  KEY_SOURCE_TYPE_COLUMN,
  KEY_TARGET_TYPE_COLUMN,
  KEY_INEXACT,
  KEY_BEST,
  KEY_WALK,
  KEY_WALK_LENGTH, /* to here */
  KEY_ALGORITHM,   /* of components alone: from here */
  KEY_LARGEST,
  KEY_MIN_SIZE,
  KEY_SIZES,      /* to here */
  KEY_PATH_TYPES, /* of path alone: from here */
  KEY_PATH_BOTH_WAYS,
  KEY_PATH_MAX_LENGTH,
  KEY_PATH_PAIRS,
  KEY_PATH_LENGTHS, /* to here */
  KEY_TO,
  KEY_MAP,
  KEY_LIST_FORMATS,
  KEY_ERROR,
  KEY_REPETITIONS,
  KEY_SEED,
  KEY_RECURRENCE,
  KEY_NO_PRUNE,
  KEY_BACKEND,
  KEY_DEVICES,
  KEY_ALL,
  KEY_EXACT,
  KEY_COUNT,
  KEY_LIMIT,
  KEY_RECOUNT,
  KEY_NO_RECOUNT,
  KEY_THREADS,
  KEY_MEMORY,
  KEY_TIMEOUT,
  KEY_OUTPUT,
  KEY_JSON,
  KEY_CX2,
  KEY_DOT,
  KEY_MATCH,
  KEY_WHOLE_GRAPH,
  KEY_FAIL_IF_NONE,
  KEY_QUIET,
  KEY_VERBOSE,
  KEY_BENCH_SECONDS, /* of bench alone */
  KEY_BENCH_CSV,
  KEY_BENCH_VERTICES,
  KEY_BENCH_DEGREE,
  KEY_BENCH_SLOTS,
  KEY_BENCH_ARITHMETIC,
  KEY_BENCH_BLOCK_POINTS,
  KEY_BENCH_RUNS,
  KEY_BENCH_FAMILY,
  KEY_BENCH_PLANTED,
  KEY_BENCH_EXPERIMENT,
  KEY_BENCH_DEVICE,
  KEY_BENCH_CEILINGS,
  KEY_HELP
} ms_option_key;

typedef struct ms_option_row {
  ms_option_key key;
  char letter; /* 0: none */
  const char *name;
  const char *argument; /* NULL: takes none */
  unsigned commands;    /* bits of ms_command */
  const char *section;  /* starts a section of the help */
  const char *help;     /* NULL: another spelling of the row above */
} ms_option_row;

#define MS_OPTION_ROWS 153u
extern const ms_option_row *const ms_option_rows; /* [MS_OPTION_ROWS] */

/* The i-th of the values that this option takes, from 0; NULL after the last,
 * and for an option that takes any text. */
const char *ms_option_value(ms_option_key key, uint32_t i);
/* The number of the value that is called so, or false. */
bool ms_option_choice(ms_option_key key, const char *value, uint32_t *i);

/* What --help says beside the options. */
typedef struct ms_command_help {
  ms_command command;
  const char *usage; /* starts with the operands, if there are any */
  const char *about; /* lines that start with blanks stay as they are */
  const char *after; /* "Example:\n" or "Examples:\n", then such lines */
} ms_command_help;

/* The i-th, from 0; NULL after the last. */
const ms_command_help *ms_command_help_at(uint32_t i);

/* Tells of each word that the first operand may be, if it is not a file: lines
 * that start with blanks. */
void ms_operand_help(ms_command command, void (*put)(const char *text));
/* The i-th of these words, from 0; NULL after the last. */
const char *ms_operand_value(ms_command command, uint32_t i);

/* As typed: "screen", "bench gf2". */
const char *ms_command_name(ms_command command);
/* Are there so many options that they stand in sections? */
bool ms_command_has_sections(ms_command command);

/* The options of gen alone: KEY_VERTICES to KEY_PLANTED_OUT. */
ms_status ms_options_set_gen(const ms_option_row *row, const char *value, ms_cli_options *options,
                             ms_error *err);
/* The options of patterns alone: KEY_PATTERN to KEY_BINARY. */
ms_status ms_options_set_pattern(const ms_option_row *row, const char *value,
                                 ms_cli_options *options, ms_error *err);
/* That options of motifs go with a motif, and those of patterns with a pattern. */
ms_status ms_options_check_pattern(const ms_cli_options *options, ms_error *err);
/* The options of typed graphs alone: KEY_TYPED_FORMAT to KEY_WALK_LENGTH. */
ms_status ms_options_set_typed(const ms_option_row *row, const char *value, ms_cli_options *options,
                               ms_error *err);
/* What filter and typed-match need, and what goes together there. */
ms_status ms_options_check_typed(const ms_cli_options *options, ms_error *err);
/* The options of components alone: KEY_ALGORITHM to KEY_SIZES; and what they go together with. */
ms_status ms_options_set_components(const ms_option_row *row, const char *value,
                                    ms_cli_options *options, ms_error *err);
ms_status ms_options_check_components(const ms_cli_options *options, ms_error *err);
/* The options of path alone: KEY_PATH_TYPES to KEY_PATH_LENGTHS. */
ms_status ms_options_set_path(const ms_option_row *row, const char *value, ms_cli_options *options,
                              ms_error *err);
/* The operands of path: operand[0..count). */
ms_status ms_options_take_path(int count, char **operand, ms_cli_options *options, ms_error *err);
/* The operand of gen; NULL: it was not given. */
ms_status ms_options_set_family(const char *name, ms_cli_options *options, ms_error *err);
/* What goes together, and where everything goes. */
ms_status ms_options_check_gen(const ms_cli_options *options, ms_error *err);

#endif
