/* Right results of typed matches by the recount, written here by other code than
 * the tool's, for the tests to forge. */
#ifndef MS_TESTS_SUPPORT_COMPOSE_TYPED_H
#define MS_TESTS_SUPPORT_COMPOSE_TYPED_H

#include "tests/support/results/compose_matches.h"
#include "verify/verify.h"

/* Inputs as read from their files. */
typedef struct typed_inputs {
  const char *graph_path, *colors_path; /* colours: of a plain graph, or NULL */
  ms_typed_options reading;             /* of a typed one: with nodes and relations */
  bool plain, directed;                 /* of a plain graph, where reading.directed is ignored */
  const char *pattern;                  /* a path, or a text */
  bool text;
  ms_graph *plain_graph;
  ms_coloring *coloring;
  ms_typed *graph;
  ms_typed_pattern *read_pattern;
  ms_typed_query *query;
} typed_inputs;

/* Reads all that the paths and options name.  Aborts the test on an error. */
void typed_inputs_read(typed_inputs *in);
void typed_inputs_free(typed_inputs *in);

/* Returns a right file, apart from the layout's oddities, which is not induced, screened or binary.
 */
matches_file typed_compose(const typed_inputs *in, const matches_layout *layout);

#endif
