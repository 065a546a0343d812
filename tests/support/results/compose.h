/* Right result files by the recount, written here by other code than the
 * tool's, for the tests to forge. */
#ifndef MS_TESTS_SUPPORT_COMPOSE_H
#define MS_TESTS_SUPPORT_COMPOSE_H

#include "verify/verify.h"

/* Inputs as read back from their files, and a motif. */
typedef struct compose_inputs {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  const char *required; /* one name, or NULL */
} compose_inputs;

typedef enum file_kind { LIST_TSV, LIST_JSON, SCREEN_TSV, SCREEN_JSON, KINDS } file_kind;

/* How a file is composed. */
typedef struct file_layout {
  file_kind kind;
  bool exact, all_rows;
  uint32_t repetitions;
  const char *zero_reason; /* a bound of 0, and why */
  long drop_match;         /* list: leave this row out, -1 for none */
} file_layout;

/* Reads the inputs; aborts the test on an error of the library. */
void compose_read(compose_inputs *in, const char *graph_path, const char *colors_path,
                  const char *motif, const char *required);
void compose_free(compose_inputs *in);

/* Returns a right result file, apart from the layout's oddities; *found matches or
 * flagged vertices.  To be freed. */
char *compose_file(const compose_inputs *in, const file_layout *layout, uint64_t *found);

/* Returns a body with the last line behind it.  To be freed. */
char *compose_seal(const char *body, uint64_t rows, bool json);

#endif
