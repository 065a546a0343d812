/* What a result file says besides its rows (docs/RESULT.md), and the one table of its fields.  The
 * writers print a header by this table, and the reader of verify/ parses a header by it; they share
 * nothing else.
 *
 * In TSV a field follows its `lead`; a lead that begins with '#' begins a line.  In JSON it is the
 * value of its `key`, in the object `section`. */
#ifndef MS_RESULT_HEADER_H
#define MS_RESULT_HEADER_H

#include "motifsieve.h"

#include <stddef.h>

typedef enum ms_result_kind {
  MS_KIND_SCREEN = 1,        /* vertices in matches of a motif */
  MS_KIND_LIST = 2,          /* matches of a motif */
  MS_KIND_PATTERN = 4,       /* matches of a pattern graph */
  MS_KIND_TYPED = 8,         /* matches of a typed pattern */
  MS_KIND_COMPONENTS = 16,   /* the components of a graph */
  MS_KIND_PATH = 32,         /* shortest paths */
  MS_KIND_FLAGS = 64,        /* vertices in matches of a pattern graph */
  MS_KIND_TYPED_FLAGS = 128, /* vertices in matches of a typed pattern */
  MS_KIND_SCREENS = 256,     /* a table of many motifs: how many vertices are in matches of each */
  MS_KIND_LISTS = 512,       /* a table of many motifs: how many matches each has */
  MS_KIND_MINED = 1024,      /* a table of the motifs that were mined */
  MS_KIND_PARTICIPATION = 2048, /* in how many matches of a motif each vertex is */
  MS_KIND_NEAREST = 4096,      /* how near the nearest match of a motif that holds each vertex is */
  MS_KIND_NEAREST_LIST = 8192, /* matches of a motif in the order of their costs */
  MS_KIND_CENSUS = 16384,      /* the number of connected sets of each motif */
  MS_KIND_VERTEX_CENSUS = 32768,  /* the same, of the sets that hold each vertex */
  MS_KIND_COMPARISON = 65536,     /* the motifs in which groups of samples differ */
  MS_KIND_SAMPLE_COUNTS = 131072, /* the number of sets of each motif in each sample */
  MS_KIND_CHANCE = 262144, /* whether a motif has more matches than by chance: as a file, a part */
  MS_KIND_PATTERN_PARTICIPATION = 524288, /* in how many matches of a pattern graph, and where, each
                                             vertex is */
  MS_KIND_TYPED_PARTICIPATION = 1048576,  /* the same of a typed pattern */
  MS_KIND_PATTERNS = 2097152              /* a table of many patterns: how many matches each has */
} ms_result_kind;

/* Sets of kinds. */
enum {
  MS_KINDS_OF_VERTICES = MS_KIND_SCREEN | MS_KIND_FLAGS | MS_KIND_TYPED_FLAGS | MS_KIND_NEAREST,
  MS_KINDS_OF_MOTIFS = MS_KIND_SCREENS | MS_KIND_LISTS,
  MS_KINDS_OF_TABLES = MS_KINDS_OF_MOTIFS | MS_KIND_MINED,
  MS_KINDS_WITH_LAYOUTS = MS_KINDS_OF_TABLES | MS_KIND_COMPONENTS | MS_KIND_PATH,
  MS_KINDS_OF_CENSUSES = MS_KIND_CENSUS | MS_KIND_VERTEX_CENSUS,
  MS_KINDS_OF_SAMPLES = MS_KIND_COMPARISON | MS_KIND_SAMPLE_COUNTS,
  MS_KINDS_OF_POSITIONS = MS_KIND_PATTERN_PARTICIPATION | MS_KIND_TYPED_PARTICIPATION,
  MS_KINDS_OF_PARTICIPATIONS = MS_KIND_PARTICIPATION | MS_KINDS_OF_POSITIONS,
  MS_KINDS_TYPED = MS_KIND_TYPED | MS_KIND_TYPED_FLAGS | MS_KIND_TYPED_PARTICIPATION,
  MS_KINDS_PLAIN_PATTERN = MS_KIND_PATTERN | MS_KIND_FLAGS | MS_KIND_PATTERN_PARTICIPATION,
  MS_KINDS_WITH_PLAIN_PATTERNS = MS_KINDS_PLAIN_PATTERN | MS_KIND_PATTERNS
};

/* Properties of a header, besides its kind, that decide which fields it has. */
enum {
  MS_HAS_PLAIN = 1,           /* the graph is plain, else typed */
  MS_HAS_COLORS = 2,          /* a plain graph with colours */
  MS_HAS_PATTERN_FILE = 4,    /* the pattern comes from a file, else it is a built-in */
  MS_HAS_PATTERN_TEXT = 8,    /* the pattern itself is given in Cypher's notation, not a path */
  MS_HAS_NO_ORDER = 16,       /* the order of rows may differ from run to run */
  MS_HAS_SCREEN = 32,         /* the mode is screened */
  MS_HAS_INEXACT = 64,        /* the mode is inexact */
  MS_HAS_RANDOM_WALK = 128,   /* the mode is inexact, with a random walk */
  MS_HAS_SHOWN = 256,         /* components: only some of them have rows */
  MS_HAS_SEARCH_ORDER = 512,  /* list: many rows, in the order in which a search finds them; what is
                                 known only after the search follows them */
  MS_HAS_SECTIONS = 1024,     /* screen, list: one of the sections of a file, each of which is the
                                 result of a motif */
  MS_HAS_SAMPLE = 2048,       /* matches: the rows are a random sample */
  MS_HAS_PERMUTATIONS = 4096, /* census: with statistics of permutations */
  MS_HAS_SWAPS = 8192,        /* census: the permutations were made by swaps */
  MS_HAS_SIGNIFICANCE = 16384, /* census: with what is expected, by formulas */
  MS_HAS_PART = 32768,         /* a part of a run */
  MS_HAS_COUNTED = 65536,      /* with MS_HAS_PART: of a count, which has no rows */
  MS_HAS_SHAPES = 131072       /* census: by shape */
};

typedef enum ms_result_mode { MS_MODE_EXACT, MS_MODE_SCREENED, MS_MODE_INEXACT } ms_result_mode;

/* The numbers of the binary form. */
typedef enum ms_result_status {
  MS_RESULT_COMPLETE,
  MS_RESULT_LIMIT,
  MS_RESULT_TIME,
  MS_RESULT_INTERRUPTED,
  MS_RESULT_MEMORY,
  MS_RESULT_SPACE /* the disk was full */
} ms_result_status;

/* Fields whose line numbers a reader keeps. */
typedef enum ms_part {
  MS_PART_NONE,
  MS_PART_GRAPH,
  MS_PART_ALIAS,
  MS_PART_NODES,
  MS_PART_RELATIONS,
  MS_PART_COLORS,
  MS_PART_OBO,
  MS_PART_SLIM,
  MS_PART_SECTION,
  MS_PART_NAME,
  MS_PART_MOTIF,
  MS_PART_K,
  MS_PART_SUBSTITUTES,
  MS_PART_REQUIRED,
  MS_PART_REPETITIONS,
  MS_PART_BOUND,
  MS_PART_UNION,
  MS_PART_SAMPLE,
  MS_PART_FOUND,
  MS_PART_PATTERN,
  MS_PART_PATTERNS,
  MS_PART_PATTERN_COLORS,
  MS_PART_AUTOMORPHISMS,
  MS_PART_COLUMNS,
  MS_PART_LABELS,
  MS_PART_VERTEX_SCORES,
  MS_PART_ONLY,
  MS_PART_SETS,
  MS_PART_OVERLAPS,
  MS_PART_TESTS,
  MS_PART_NULL,
  MS_PART_MOMENTS,
  MS_PART_PERMUTATION_TESTS,
  MS_PART_METADATA,
  MS_PART_SAMPLES,
  MS_PART_TEST,
  MS_PART_DIVISION,
  MS_PART_COUNTED,
  MS_PART_COMPONENTS,
  MS_PART_SHOWN,
  MS_PART_PAIRS,
  MS_PART_TYPES,
  MS_PARTS
} ms_part;

typedef struct ms_result_file {
  const char *path; /* NULL: there was no file */
  uint32_t crc32c;
} ms_result_file;

/* The pattern graph, plain or typed, and the options of its search. */
typedef struct ms_result_pattern {
  uint32_t kind;          /* 1: typed */
  const char *name;       /* name of a built-in, or NULL */
  ms_result_file file;    /* if there is no name: the file, or the text of the pattern itself */
  ms_graph_format format; /* MS_FORMAT_AUTO: a file in Cypher's notation */
  uint32_t vertices;
  uint64_t edges; /* number of edges; of arcs, if directed */
  ms_result_file colors;
  uint32_t embeddings; /* 1: the rows are embeddings, 0: subgraphs */
  bool induced;
  const char *automorphisms;         /* decimal */
  const char *engine;                /* NULL if it does not matter */
  const char *names[MS_MAX_PATTERN]; /* [vertices] */
} ms_result_pattern;

typedef struct ms_result_typed {
  ms_typed_options reading; /* options with which the graph was read, without nodes and relations */
  ms_result_file nodes, relations;
  ms_typed_walk walk; /* only inexact, like the fields up to the end */
  uint64_t seed;
  uint32_t walk_length, best_score;
} ms_result_typed;

/* Texts of each sample.  They are apart from the header, which lies on stacks. */
typedef struct ms_sample_texts {
  const char *name[MS_MAX_SAMPLES], *group[MS_MAX_SAMPLES], *block[MS_MAX_SAMPLES];
  const char *graph_crc32c[MS_MAX_SAMPLES], *color_crc32c[MS_MAX_SAMPLES]; /* of a sheet */
  const char *sets[MS_MAX_SAMPLES], *vertices[MS_MAX_SAMPLES];             /* decimal */
} ms_sample_texts;

/* The samples of a comparison; of a sheet, graph and colours of the header are those of the first
 * sample, and their path is that of the sheet. */
typedef struct ms_result_samples {
  bool sheet;              /* the samples are those of a sheet, else parts of one graph */
  ms_result_file metadata; /* else: the table that says which vertex is in which sample */
  const char *sample_column, *group_column, *block_column, *vertex_column; /* or NULL */
  uint32_t count;
  uint32_t n_groups, n_graphs, n_colors, n_sets, n_vertices; /* as `count`; of one graph, */
  uint32_t n_blocks;                                         /* graphs and colours have none */
  ms_sample_texts *each;                                     /* borrowed; NULL: no samples */
  bool per_sample;       /* MS_KIND_SAMPLE_COUNTS; the members below are not for it */
  uint32_t test;         /* ms_compare_test */
  const char *reference; /* or NULL */
  bool rest;
  uint64_t seed, permutations; /* that were asked for */
} ms_result_samples;

/* Numbers of a part with permutations, in decimal: of the numbers in permutations less that in the
 * graph, the sum and the sum of the squares; permutations with at least, and with at most, as many.
 * In a census, columns behind the statistics. */
#define MS_PERMUTED_SUMS 4u

typedef struct ms_result_header {
  ms_result_kind kind;
  uint32_t has; /* properties: bits MS_HAS_ */

  const char *graph_path;
  uint32_t graph_crc32c, vertices;
  uint64_t edges;
  ms_graph_options graph; /* options with which a plain graph was read: MS_HAS_PLAIN */
  ms_result_file alias;
  const char *colors_path; /* only with MS_HAS_COLORS, like the fields up to slim */
  uint32_t colors_crc32c, colors;
  uint64_t assignments;
  ms_color_options coloring; /* without obo; slim is set only if it is the name of a subset */
  ms_result_file obo, slim;

  struct {
    uint32_t part, parts;
    uint64_t units;
    const char *unit_rows; /* without MS_HAS_COUNTED, of matches: "UNIT:ROWS" for each unit with
                              rows, with blanks between them, or "none" */
    const char *counted, *engine; /* with MS_HAS_COUNTED: what the part adds to the number of maps,
                                     or of matches of a motif, in decimal and perhaps negative */
    const char *planned_for;      /* with MS_HAS_COUNTED: the engine that the count of a pattern is
                                     planned      for; NULL: of a motif, which has no plan */
  } division;                     /* only with MS_HAS_PART */
  const char *paranoid;           /* what was computed twice; NULL: nothing */
  uint32_t section, sections; /* only with MS_HAS_SECTIONS, like `name`: number from 1, of all */
  const char *name;           /* of the motif */
  ms_result_file motifs;      /* of a table of motifs: the file of the motifs */
  ms_result_file patterns;    /* of a table of patterns: their file or folder, and the checksum of
                                 all names and texts */
  uint64_t motifs_found;      /* of a table of motifs: motifs with a match */
  struct {
    uint32_t slots, least, support; /* as in ms_mine_options */
  } mined;
  struct {
    bool primary, per_vertex;
    uint32_t n_only;
    const char *only[MS_MAX_CENSUS_ONLY]; /* [n_only] names of the colours that count */
    uint64_t min_count, sets;             /* as in ms_census_options and ms_census_result */
    uint32_t sort;                        /* ms_census_order */
    uint32_t subgraphs; /* with MS_HAS_SHAPES: 0 induced ones are counted, 1 all */
  } census;
  struct {
    uint32_t null;    /* with MS_HAS_SIGNIFICANCE, like the rest: what is permuted, 0: the labels */
    uint32_t tail;    /* 0: a fit or a bound, as p_by says */
    uint32_t moments; /* 0: exact, 1: sampled */
    uint64_t samples, seed; /* with sampled moments, like the error: as in ms_significance */
    double error, min_expected;
    uint64_t tests, most; /* the greatest number of sets that hold one vertex */
    uint32_t n_overlaps;
    const char *overlap[MS_MAX_CENSUS + 1]; /* [n_overlaps] decimal */
  } significance;
  struct {
    uint32_t null_kind; /* ms_null_kind */
    uint32_t meaning;   /* the same: in words */
    const char *strata; /* column of the colour file; NULL: no strata */
    uint64_t seed, done, asked, tried, accepted;
    uint64_t tests;   /* motifs over which q and the greatest z are */
    double deviation; /* of MS_NULL_EDGES */
    bool max_t;
  } permutations; /* with MS_HAS_PERMUTATIONS, as in ms_permutation_options and _result */
  ms_result_samples samples; /* only MS_KINDS_OF_SAMPLES */
  struct {
    uint32_t statistic; /* what is counted: 0 matches, 1 vertices that are in one */
    uint64_t observed;  /* their number in the graph */
    /* 0: the formula was not asked for, 1: there is none, 2: exact, 3: from a sample */
    uint32_t formula;
    const char *reason;                                    /* why there is none */
    const char *expected, *sd, *sd_error, *z, *p, *p_less; /* by formula, in six digits, or NA */
    const char *p_by;                                      /* a word, or NA */
    const char *sum[MS_PERMUTED_SUMS]; /* of the permutations of a part, as in a row of a census */
  } chance;                            /* only MS_KIND_CHANCE */
  const char *motif;
  uint32_t k;                      /* slots of the motif, or vertices of the pattern */
  uint32_t max_missing, max_extra; /* only MS_KIND_NEAREST and MS_KIND_NEAREST_LIST, like
                                      nearest_only: as in ms_screen_options */
  bool nearest_only;
  ms_result_file substitutes; /* the same: path NULL if there are no substitutions */
  uint32_t max_cost;          /* with substitutions */
  uint32_t n_required;
  const char *required[MS_MAX_K];
  ms_result_pattern pattern;
  ms_result_typed typed;

  ms_result_mode mode;
  ms_recurrence recurrence; /* only with MS_MODE_SCREENED, like the fields up to formula */
  uint64_t seed;
  uint32_t repetitions, repetitions_planned;
  double miss_bound, miss_bound_union; /* a reader keeps exact values elsewhere */
  const char *formula;

  struct {
    uint64_t rows, from, seed; /* with MS_HAS_SAMPLE: rows that should be drawn, and all matches */
  } sample;
  bool diverse; /* list: no two matches share a vertex, and none can be added */
  struct {
    double share;     /* list: each row stands for the matches that share this much with it; 0: for
                         itself */
    uint64_t matches; /* that the rows stand for */
  } family;
  uint32_t order; /* 1, with MS_HAS_SEARCH_ORDER */
  ms_result_status status;
  uint32_t all_rows;            /* screen: 1 if vertices that are not flagged have rows, too */
  bool profile;                 /* screen: a column of scores */
  bool all_sums;                /* screen: a column of sums of vertex scores */
  uint32_t shown_colors;        /* screen: 1 if only colours of the motif are shown */
  ms_result_file labels;        /* path "alias": the file of `alias` */
  bool participation;           /* true, for MS_KINDS_OF_PARTICIPATIONS */
  ms_result_file vertex_scores; /* list: the file of the scores of vertices; path NULL: none */
  bool roles;                   /* list: the colour of the slot that each vertex fills;
                                   participation: a row for each position of a vertex */
  uint32_t row_form;            /* TSV: an ms_row_form */
  ms_measures_choice measures;  /* list: columns of measures */
  ms_measure sort;              /* list: the order of rows; MS_MEASURE_NONE: by their vertices */
  uint64_t top;                 /* list: the greatest number of rows, with `sort`; 0: any */
  double min_density, min_mean_score; /* list: what matches need to have a row; 0: nothing */
  uint64_t found;                     /* number of matches, or of flagged vertices */

  const char *count, *subgraphs, *embeddings; /* results of a count without rows, decimal */
  uint32_t clique_size; /* of a count of cliques of several sizes, one at a time; else 0 */
  struct {
    uint32_t count, shown;
    uint64_t min_size; /* 0: any */
  } components;
  struct {
    ms_result_file pairs;
    const char *types;
    bool both_ways;
    uint32_t max_length; /* 0: any */
    uint64_t searched, found;
  } path;
  unsigned layout; /* tables of components, paths and motifs: bits MS_WITH_ of columns.h */

  uint64_t line[MS_PARTS]; /* reader: the line of each part in the file */
} ms_result_header;

/* ---- the table ----------------------------------------------------------- */

typedef enum ms_field_type {
  MS_FIELD_PATH,    /* const char *; control characters in it are escaped */
  MS_FIELD_CRC32C,  /* uint32_t, 8 hexadecimal digits */
  MS_FIELD_FILE,    /* ms_result_file */
  MS_FIELD_TEXT,    /* const char * */
  MS_FIELD_ASPECTS, /* const char *, some of "PFC" */
  MS_FIELD_U32,     /* at most `most` */
  MS_FIELD_U64,     /* at most INT64_MAX */
  MS_FIELD_DECIMAL, /* the same, in JSON a string */
  MS_FIELD_REAL,    /* double */
  MS_FIELD_BOUND,   /* double; TSV: as ms_bound_text writes it */
  MS_FIELD_FORMULA, /* const char *; TSV: "0: WHY" stands in place of bound and lead */
  MS_FIELD_TRUTH,   /* bool; TSV: 0 or 1 */
  MS_FIELD_MARK,    /* bool; TSV: its lead or nothing */
  MS_FIELD_FALSE,   /* no value: its lead, or false */
  MS_FIELD_WORD,    /* an enum of four bytes, one of `words` */
  MS_FIELD_NAMES    /* const char *[], their number at `count` */
} ms_field_type;

typedef enum ms_result_words {
  MS_WORDS_GRAPH_FORMAT,
  MS_WORDS_COLOR_FORMAT,
  MS_WORDS_TYPED_FORMAT,
  MS_WORDS_PATH_FORMAT, /* the same, but a plain graph is "plain" */
  MS_WORDS_SEMANTICS,
  MS_WORDS_MODE,
  MS_WORDS_TYPED_MODE,
  MS_WORDS_RECURRENCE,
  MS_WORDS_WALK,
  MS_WORDS_ROWS,
  MS_WORDS_SHOWN_COLORS,
  MS_WORDS_LONG,
  MS_WORDS_MEASURES,
  MS_WORDS_MEASURE,
  MS_WORDS_CENSUS_ORDER,
  MS_WORDS_SUBGRAPHS,
  MS_WORDS_STATUS,
  MS_WORDS_ORDER,
  MS_WORDS_NULL,
  MS_WORDS_NULL_MEANING, /* what it holds, and so what p is about */
  MS_WORDS_MOMENTS,
  MS_WORDS_TAIL,
  MS_WORDS_P_BY,      /* ms_p_by; "" for MS_P_BY_NONE */
  MS_WORDS_STATISTIC, /* of one motif */
  MS_WORDS_FORMULA,
  MS_WORDS_TEST,          /* of a comparison */
  MS_WORDS_KIND,          /* of a pattern; "" for a plain one */
  MS_WORDS_PATTERN_FORMAT /* a graph format, or "notation" for MS_FORMAT_AUTO */
} ms_result_words;

/* The places where a field can occur. */
typedef enum ms_result_place {
  MS_IN_HEAD = 1,
  MS_IN_COUNT = 2, /* a count without rows, which is a single JSON object */
  MS_IN_END = 4
} ms_result_place;

typedef struct ms_result_field {
  const char *key;     /* NULL: not in JSON */
  const char *lead;    /* NULL: not in TSV */
  const char *section; /* NULL: none; equal sections share one pointer */
  ms_field_type type;
  unsigned kinds, places; /* bits */
  unsigned needs, lacks;  /* bits MS_HAS_ */
  bool optional;          /* left out if it is NULL, 0, false or without names */
  bool of_samples;        /* `at` is an offset in ms_sample_texts */
  size_t at, count;       /* offsets in ms_result_header */
  ms_result_words words;
  uint32_t least, most; /* most 0: UINT32_MAX */
  ms_part part;
} ms_result_field;

extern const ms_result_field ms_result_fields[];
extern const size_t ms_result_field_count;

/* Returns the texts of a field with names. */
static inline const char **ms_header_texts(const ms_result_header *header,
                                           const ms_result_field *field)
{
  const void *from = field->of_samples ? (const void *)header->samples.each : header;
  return (const char **)(void *)((char *)(uintptr_t)from + field->at);
}

/* True if only some of the matches have rows, which their measures choose. */
static inline bool ms_header_chooses(const ms_result_header *header)
{
  return header->top > 0 || header->min_density > 0 || header->min_mean_score > 0;
}

/* True for a part of a sieve, whose rows have values in place of flags. */
static inline bool ms_header_is_sieve_part(const ms_result_header *header)
{
  return header->kind == MS_KIND_SCREEN && header->has & MS_HAS_PART;
}

/* True if a header of this kind and these properties has the field at this place.  This does not
 * say whether an optional field is left out. */
bool ms_result_has_field(const ms_result_header *header, const ms_result_field *field,
                         ms_result_place place);

/* These two map a value to its word, and a word to its value; the second returns false for other
 * words. */
const char *ms_result_word(ms_result_words words, uint32_t value);
bool ms_result_find_word(ms_result_words words, const char *word, uint32_t *value);

/* Returns the command that writes results of this kind, such as "list"; patterns and typed patterns
 * share one. */
const char *ms_result_command(ms_result_kind kind);
/* True if the vertices of a pattern, or the slots of a motif, have a column each, with their names;
 * with labels, each is followed by one of the same name and MS_LABEL_COLUMN. */
bool ms_result_has_pattern_columns(const ms_result_header *header);
/* Returns the number of these vertices or slots. */
uint32_t ms_result_pattern_columns(const ms_result_header *header);
#define MS_LABEL_COLUMN ".label"
/* The first column of TSV with sections. */
#define MS_MOTIF_COLUMN "motif"
/* True if the end counts lines, as many of which as it says belong to a match: long rows of near
 * matches, of which each has a line for each slot and each extra vertex. */
bool ms_result_counts_lines(const ms_result_header *header);
/* How a match is written in TSV: as one row, as a row for each vertex, or as one row with a column
 * for each slot, in the order of the motif's text. */
enum { MS_ROWS_USUAL, MS_ROWS_LONG, MS_ROWS_WIDE };
/* The role of a vertex that fills no slot. */
#define MS_EXTRA_ROLE "extra"
/* The path of `labels` that stands for the alias file. */
#define MS_LABELS_OF_ALIASES "alias"

/* Room for the text of a bound. */
#define MS_BOUND_BYTES 16
/* Writes the least number of six decimal digits that is not below `bound`, such as "7.27820e-08",
 * or "0"; returns text.  0 <= bound < 1e99. */
const char *ms_bound_text(double bound, char text[MS_BOUND_BYTES]);

#endif
