/* Inside verify/: a result file (docs/RESULT.md), taken apart.
 *
 * Nothing is believed here: syntax is checked strictly, meaning is left to
 * certificate.c.  What is wrong with the file's content is a refusal: it is
 * noted in the result, and MS_ERR_INPUT is only a way out of the call. */
#ifndef MS_VERIFY_RESULT_H
#define MS_VERIFY_RESULT_H

#include "graph/typed.h"
#include "verify/tape.h"

#include <gmp.h>

/* Parts of the header, for line numbers. */
typedef enum ms_part {
  MS_PART_GRAPH,
  MS_PART_ALIAS,
  MS_PART_NODES,
  MS_PART_RELATIONS,
  MS_PART_COLORS,
  MS_PART_OBO,
  MS_PART_SLIM,
  MS_PART_MOTIF,
  MS_PART_K,
  MS_PART_REQUIRED,
  MS_PART_REPETITIONS,
  MS_PART_BOUND,
  MS_PART_UNION,
  MS_PART_FOUND,
  MS_PART_PATTERN,
  MS_PART_PATTERN_COLORS,
  MS_PART_AUTOMORPHISMS,
  MS_PART_COLUMNS,
  MS_PARTS
} ms_part;

/* A file that helped to read the inputs. */
typedef struct ms_result_file {
  const char *path; /* NULL: there was none */
  uint32_t crc32c;
} ms_result_file;

/* What a list of pattern matches has in place of a motif. */
typedef struct ms_result_pattern {
  const char *name;    /* of a built-in, or NULL */
  ms_result_file file; /* else the file */
  ms_graph_format format;
  uint32_t vertices;
  uint64_t edges; /* arcs, if directed */
  ms_result_file colors;
  bool embeddings, induced;
  const char *automorphisms;         /* decimal */
  const char *names[MS_MAX_PATTERN]; /* [vertices] */
} ms_result_pattern;

/* What a list of typed matches has on top of that; pattern.file.path may be a text. */
typedef struct ms_result_typed {
  bool plain;               /* the graph is a plain one, and is stated as such */
  ms_typed_options reading; /* else how it was read, without nodes and relations */
  ms_result_file nodes, relations;
  bool inexact; /* the header was read no further */
} ms_result_typed;

typedef struct ms_result_header {
  bool is_screen;  /* else a list */
  bool is_pattern; /* a list of pattern matches: no motif, colours only where colors_path */
  bool is_typed;   /* is_pattern, and the pattern is a typed one */
  ms_result_pattern pattern;
  ms_result_typed typed;
  uint32_t graph_crc32c, vertices;
  uint64_t edges;
  ms_graph_options graph;
  ms_result_file alias;
  const char *colors_path;
  uint32_t colors_crc32c, colors;
  uint64_t assignments;
  ms_color_options coloring; /* without obo; slim only where it is a subset's name */
  ms_result_file obo, slim;
  char aspects[4]; /* coloring.aspects points here */
  const char *motif;
  uint32_t k;
  uint32_t n_required;
  const char *required[MS_MAX_K];
  bool exact; /* no sieve: what follows, up to `complete`, is not there */
  uint64_t seed;
  uint32_t repetitions, repetitions_planned;
  mpq_t bound, bound_union;
  const char *formula;
  bool complete;
  bool all_rows;  /* screen: unflagged vertices have rows, too */
  uint64_t found; /* matches, or flagged vertices */
  uint64_t line[MS_PARTS];
} ms_result_header;

/* One row; its strings live until the next one is read. */
typedef struct ms_result_row {
  uint64_t line;
  uint64_t number;    /* list: of the match */
  const char *vertex; /* screen: name */
  uint32_t count;
  const char **names; /* [count], [capacity] vertices of the match, or colours of the vertex */
  uint32_t capacity;
  bool flagged;
  uint64_t repetitions;
} ms_result_row;

typedef struct ms_result_format ms_result_format;

typedef struct ms_result {
  const char *path;
  char *bytes; /* [size + 1] the whole file; lines are cut in place */
  size_t size;
  char *at, *end; /* the next line; the last line, which closes the file */
  uint64_t line;  /* number of the line read last */
  uint64_t rows;  /* as the last line says */
  const ms_result_format *format;
  ms_result_header header;
  ms_result_row row;
  void *held[2]; /* the format's own: what header and row point into */
  bool refused;
  char problem[512];
} ms_result;

/* TSV and JSON lines differ in these. */
struct ms_result_format {
  /* the header, from the first line on */
  ms_status (*header)(ms_result *result, ms_error *err);
  /* a line of the body into result->row */
  ms_status (*row)(ms_result *result, char *line, ms_error *err);
  /* the last line; false if it is not one */
  bool (*end)(const char *line, uint64_t *rows, uint32_t *crc32c);
  void (*release)(ms_result *result);
};

extern const ms_result_format ms_result_tsv, ms_result_json;

/* To be closed in any case. */
void ms_result_init(ms_result *result, const char *path);
void ms_result_close(ms_result *result);
/* Read the file and check its frame: last line, CRC, header.  A file that is
 * no result file at all, or cannot be read, is MS_ERR_INPUT without a refusal. */
ms_status ms_result_read(ms_result *result, ms_tape *tape, ms_error *err);

/* The next line of header or body, cut off at its end; NULL at the last line. */
char *ms_result_next_line(ms_result *result);
/* Fill result->row; *more == false at the end. */
ms_status ms_result_next_row(ms_result *result, bool *more, ms_error *err);
/* Append to row.names. */
ms_status ms_result_add_name(ms_result *result, const char *name, ms_error *err);

/* Refuse the file; line 0 for none in particular.  Returns MS_ERR_INPUT. */
ms_status ms_result_refuse(ms_result *result, uint64_t line, const char *format, ...)
    MS_PRINTF(3, 4);

/* ---- words and numbers -------------------------------------------------- */

/* Each takes its thing from the front of *text, or returns false. */
bool ms_take_word(const char **text, const char *word);
bool ms_take_count(const char **text, uint64_t most, uint64_t *value);
bool ms_take_crc32c(const char **text, uint32_t *value);
bool ms_take_real(const char **text, double *value);
/* A decimal >= 0, exactly. */
bool ms_take_decimal(const char **text, mpq_t value);

/* What several formats write alike; false for other words. */
bool ms_read_aspects(const char *word, ms_result_header *header);
bool ms_read_status(const char *word, bool *complete);

#endif
