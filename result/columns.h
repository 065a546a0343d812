/* The one table of the columns of rows: names, types, when they are there, and where their values
 * are in the struct of a row.  The writers, the readers of verify/ and merge, and reports go by it;
 * so a new column is a row of the table in columns.c and a member of the struct, which the run
 * fills in. */
#ifndef MS_RESULT_COLUMNS_H
#define MS_RESULT_COLUMNS_H

#include "result/header.h"

#define MS_NO_VALUE "NA" /* in JSON: null */

/* ---- rows ------------------------------------------------------------------ */

/* The statistics of a motif: by formula, then the same by permutations. */
enum {
  MS_STAT_EXPECTED,
  MS_STAT_SD,
  MS_STAT_FOLD,
  MS_STAT_Z,
  MS_STAT_P,
  MS_STAT_Q,
  MS_STAT_P_LESS,
  MS_STAT_Q_LESS,
  MS_STAT_P_BY,                           /* by formula: an ms_p_by, */
  MS_STAT_P_MAX = MS_STAT_P_BY,           /* and by permutations */
  MS_STAT_PERMUTED,                       /* where the statistics by permutations begin */
  MS_STAT_PROFILE = 2 * MS_STAT_PERMUTED, /* of shapes, by permutations */
  MS_STATISTICS                           /* all */
};

/* In all rows, texts are borrowed, and NAN stands for a number that is missing. */

/* A vertex of a screen or of a participation. */
typedef struct ms_vertex_row {
  const char *vertex, *label;
  const char *const *colors; /* [n_colors] */
  uint32_t n_colors, n_sums;
  bool flagged;
  uint64_t repetitions;        /* of the sieve that flagged it */
  uint64_t matches;            /* of a participation */
  const char *number;          /* the same of a pattern: of any size, in decimal */
  const char *const *position; /* [n_position] vertices of the pattern that are at one position */
  uint32_t n_position;
  uint64_t missing, extra, cost;
  double score; /* of a flagged vertex, like the sums */
  uint64_t best_sum;
  const uint32_t *sums; /* [n_sums] ascending */
  const char *values;   /* of a part of a sieve: two hexadecimal digits a repetition, or "" */
} ms_vertex_row;

/* A match of a motif or a pattern. */
typedef struct ms_match_row {
  uint64_t number;
  const char *const *vertices, *const *labels, *const *roles; /* [count] each; NULL: none */
  uint32_t count;
  const uint32_t *ids; /* of a binary file: [count] instead of `vertices`; else NULL */
  uint64_t score;      /* of an inexact match */
  uint64_t cost, missing, extra;
  uint64_t edges;
  double density, mean_score, least_score;
  uint64_t vertex_score, family_size;
  const char *const *unfilled, *const *extra_vertices; /* of a near match: [missing] and [extra] */
  const char *const *extra_labels;                     /* [extra] */
  uint32_t n_unfilled, n_extra;
  uint32_t lines; /* of the file, in long rows that were read */
  /* of a near match that is written in long or wide rows: [k] who fills each slot; "": nobody */
  const char *const *slot_vertices, *const *slot_labels;
} ms_match_row;

typedef struct ms_census_row {
  const char *vertex; /* in a census of each vertex */
  const char *motif;  /* or shape, with the next members */
  const char *name, *graph6;
  uint64_t edges, automorphisms;
  uint64_t orbit; /* of rows of vertices */
  const char *position;
  uint64_t sets;
  double share, statistic[MS_STATISTICS];
  const char *sum[MS_PERMUTED_SUMS]; /* of a part with permutations: whole numbers, in decimal */
  uint64_t unit;                     /* of a part of a census of each vertex */
  /* of a part: [k] the numbers of the colours, ascending; [0]: no other unit has such sets of the
   * vertex */
  uint32_t color_id[MS_MAX_CENSUS], n_ids;
} ms_census_row;

/* Numbers of a comparison, and of the counts of a sample. */
#define MS_COMPARE_NUMBERS 11u
#define MS_COUNT_NUMBERS 5u

/* A row of a table of patterns. */
typedef struct ms_pattern_row {
  const char *name, *pattern, *automorphisms, *matches, *status;
  uint64_t vertices, edges;
  double statistic[MS_STATISTICS];   /* by permutations alone */
  const char *sum[MS_PERMUTED_SUMS]; /* as in a row of a census */
} ms_pattern_row;

typedef struct ms_compared_row {
  const char *motif, *group, *reference, *sample;
  uint64_t sets; /* of a sample */
  double number[MS_COMPARE_NUMBERS];
  uint64_t permutations;
  bool exact;
} ms_compared_row;

/* A row of a table of motifs. */
typedef struct ms_motif_row {
  const char *name, *matches, *mode, *status, *motif;
  uint64_t k, flagged;
  double miss_bound, seconds;
} ms_motif_row;

typedef struct ms_component_row {
  const char *vertex; /* the vertex, or the first one of the component */
  uint64_t component, size;
} ms_component_row;

/* A pair of vertices with a shortest path from one to the other.  In TSV it has a line for each
 * vertex of the path, unless only its length was written. */
typedef struct ms_result_path {
  uint64_t pair; /* its number; 0: the row has none */
  const char *source, *target;
  bool found;                  /* there is a path, and the row says its */
  uint32_t length;             /* in arcs */
  bool has_steps;              /* the row has the path: */
  const char *const *vertices; /* [length + 1] */
  const char *const *types;    /* [length] of its arcs */
  uint64_t lines;              /* lines of the file */
} ms_result_path;

/* One row; its texts and lists last until the next row is read. */
typedef struct ms_result_row {
  uint64_t line; /* line of the file; 0: a binary file has none */
  union {        /* as the kind of the result says (result/columns.h) */
    ms_vertex_row vertex;
    ms_match_row match;
    ms_census_row census;
    ms_compared_row compared;
    ms_motif_row motif;
    ms_pattern_row pattern;
    ms_component_row component;
    ms_result_path path;
  };
} ms_result_row;

/* ---- the table --------------------------------------------------------------- */

typedef enum ms_cell_type {
  MS_CELL_TEXT,    /* const char * */
  MS_CELL_VERTEX,  /* the same: the name of a vertex */
  MS_CELL_DIGITS,  /* the same: a whole number of any size; in JSON a string */
  MS_CELL_INTEGER, /* the same, perhaps negative */
  MS_CELL_COUNT,   /* uint64_t, at most `most` */
  MS_CELL_K,       /* no value in the row: the k of the header */
  MS_CELL_FLAG,    /* bool: 0 or 1, in JSON false or true */
  MS_CELL_VALUES,  /* const char *: two hexadecimal digits a repetition of the header, or none */
  MS_CELL_REAL,    /* double, with six digits, or NAN */
  MS_CELL_SINGLE,  /* double, with six digits after it was rounded to single precision */
  MS_CELL_SINGLE_OR_NA,
  MS_CELL_FLOAT,   /* double: a number of single precision, with as few digits as give it again */
  MS_CELL_BOUND,   /* double, as ms_bound_text writes it; in JSON all digits */
  MS_CELL_SECONDS, /* double, with four decimal places; in JSON all digits */
  MS_CELL_WORD,    /* double: the number of one of `words`, or NAN */
  MS_CELL_IDS,    /* uint32_t[k], ascending, with commas in TSV; their number, k or 0, at `count` */
  MS_CELL_COUNTS, /* const uint32_t *, the same, of any number */
  MS_CELL_NAMES,  /* const char *const *, with commas in TSV; their number at `count` */
  MS_CELL_VERTICES /* the same: names of vertices */
} ms_cell_type;

typedef struct ms_result_column {
  const char *name; /* in TSV the title, in JSON the key */
  ms_cell_type type;
  unsigned needs;    /* bits MS_WITH_ */
  size_t at, count;  /* in the struct of the row */
  uint64_t most;     /* 0: INT64_MAX */
  bool of_flagged;   /* only a flagged vertex has it; in TSV others have an empty field */
  bool not_negative; /* of real numbers */
  ms_result_words words;
  const char *meaning;
} ms_result_column;

/* What decides which columns a result has, besides its kind. */
enum {
  MS_WITH_LABELS = 1,
  MS_WITH_ROLES = 2,
  MS_WITH_MEASURES = 4,
  MS_WITH_SCORES = 8, /* measures of scores */
  MS_WITH_VERTEX_SCORES = 16,
  MS_WITH_ALL_SUMS = 32,
  MS_WITH_FAMILIES = 64,
  MS_WITH_PROFILE = 128,
  MS_WITH_COSTS = 256, /* substitutions */
  MS_WITH_MAP_SCORES = 512,
  MS_WITH_LONG_ROWS = 1024,
  MS_WITH_FORMULA = 2048, /* statistics by formula, */
  MS_WITH_PERMUTED = 4096,
  MS_WITH_MAX_T = 8192,
  MS_WITH_SUMS = 16384, /* a part of permutations */
  MS_WITH_PART = 32768, /* another part */
  MS_WITH_SECONDS = 65536,
  MS_WITH_SIZES = 131072,   /* a row for each component */
  MS_WITH_LENGTHS = 262144, /* of paths alone */
  MS_WITH_SHAPES = 524288,
  MS_WITH_COLORED_PART = 1048576, /* a part, of shapes with colours */
  MS_WITH_MEAN = 2097152,         /* by formula, beside permutations */
  MS_WITH_WIDE_ROWS = 4194304
};

/* What the vertices of the rows become in a drawing of the result. */
typedef enum ms_kind_drawing {
  MS_DRAWS_NOTHING,  /* the rows hold none: they are numbers */
  MS_DRAWS_VERTICES, /* a network, and a map of their positions */
  MS_DRAWS_WALKS     /* a network without positions, of rows that are put together */
} ms_kind_drawing;

/* What else is special about the report of a kind. */
enum {
  MS_PAGE_SIZES = 1,    /* the sizes of components are shown */
  MS_PAGE_ROLES = 2,    /* the slot that each vertex fills is found */
  MS_PAGE_NO_GRAPH = 4, /* only the check reads the graph */
  MS_PAGE_NO_CHECK = 8  /* nothing checks such a result */
};

/* A kind of result. */
typedef struct ms_kind {
  ms_result_kind kind;
  const char *name;    /* by which the scripts of a report tell kinds apart; NULL: has no report */
  ms_result_kind from; /* a header is of this kind if it is of the kind `from`, and has the field */
  const char *key;     /* `key`; NULL: this is the first kind of its command */
  const char *subject; /* what a result without a pattern is about; NULL: it has a pattern */
  ms_kind_drawing drawing;
  unsigned page; /* bits MS_PAGE_ */
} ms_kind;

extern const ms_kind ms_result_kinds[];
extern const uint32_t ms_result_kind_count;

/* Returns the row of a kind. */
const ms_kind *ms_kind_of(ms_result_kind kind);

/* A kind of rows. */
typedef struct ms_row_kind {
  unsigned kinds; /* bits MS_KIND_ */
  unsigned needs; /* bits MS_WITH_ */
  const char *command, *name;
  const char *type;                /* of rows in JSON; NULL: there are no rows */
  const ms_result_column *columns; /* [count] */
  uint32_t count;
} ms_row_kind;

extern const ms_row_kind ms_row_kinds[];
extern const uint32_t ms_row_kind_count;

#define MS_MOST_COLUMNS 32u

/* The columns that a result has. */
typedef struct ms_row_columns {
  const ms_row_kind *kind;
  uint32_t count;
  const ms_result_column *at[MS_MOST_COLUMNS];
} ms_row_columns;

/* True if in TSV the list has a column for each vertex of the pattern, or slot of the motif. */
bool ms_column_is_spread(const ms_result_header *header, const ms_result_column *column);

/* True if rows have the mean over all labellings: shapes whose colours move freely. */
bool ms_result_has_mean(const ms_result_header *header);
/* Returns the columns of a result with this header, which `layout` of the header decides, too.  In
 * TSV, the vertices of a pattern have a column each, and so have their labels; here these are two
 * lists (ms_result_has_pattern_columns). */
ms_row_columns ms_row_columns_of(const ms_result_header *header);
/* Returns the column of that name; NULL: there is none. */
const ms_result_column *ms_row_columns_find(const ms_row_columns *columns, const char *name);

/* Returns what values of that type are, such as "a number or NA". */
const char *ms_cell_type_text(ms_cell_type type);

/* Room for the line of names. */
#define MS_TITLE_BYTES 512u
/* Writes the names of the columns with tabs between them, without the vertices of a pattern where
 * these have a column each; returns text. */
const char *ms_row_columns_title(const ms_result_header *header, char text[MS_TITLE_BYTES]);
/* Makes the titles of the columns of slots in wide rows, title[k], which lie in *text, for the
 * caller to free.  A title is the name of the slot, or this with _1, _2, .. behind it where several
 * slots have the name or the title of another column is the same; all titles differ. */
ms_status ms_slot_titles(const ms_query *query, const ms_result_header *header, const char **title,
                         char **text, ms_error *err);
/* `substitutes` NULL: there are none. */

#endif
