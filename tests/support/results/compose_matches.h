/* Right results of pattern matches by the recount, written here by other code
 * than the tool's, for the tests to forge. */
#ifndef MS_TESTS_SUPPORT_COMPOSE_MATCHES_H
#define MS_TESTS_SUPPORT_COMPOSE_MATCHES_H

#include "verify/verify.h"

/* Inputs as read from their files. */
typedef struct matches_inputs {
  const char *graph_path, *colors_path;           /* no colours: NULL */
  const char *pattern_path, *pattern_colors_path; /* a file, or a built-in's name; NULL */
  bool builtin, directed;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
} matches_inputs;

typedef enum matches_form { MATCHES_TSV, MATCHES_JSON, MATCHES_BINARY, MATCHES_FORMS } matches_form;

/* How a file is composed. */
typedef struct matches_layout {
  matches_form form;
  bool embeddings, induced;
  bool screened;   /* a bound of 0, and why */
  unsigned status; /* as in the binary tail */
  long drop;       /* leave this row out, -1 for none */
} matches_layout;

typedef struct matches_file {
  char *bytes;
  size_t size;
  uint64_t rows;
} matches_file;

/* Fills in graph, coloring and pattern.  Aborts the test on an error. */
void matches_read(matches_inputs *in);
void matches_free(matches_inputs *in);

/* Returns a right file, apart from the layout's oddities; bytes to be freed. */
matches_file matches_compose(const matches_inputs *in, const matches_layout *layout);

/* Puts the right checksum into the end of a result. */
matches_file matches_seal(matches_file file, matches_form form);

/* A text to replace by another, and why the judge then refuses the file. */
typedef struct matches_forgery {
  const char *from, *to, *problem;
} matches_forgery;

/* Returns the file with the first `from` replaced and a right checksum; bytes to be freed. */
matches_file matches_forge(matches_file file, matches_form form, const char *from, const char *to);

#endif
