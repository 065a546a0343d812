/* A typed pattern and the graph that it has met: what filter and typed-match
 * begin with. */
#ifndef MS_CLI_TYPED_QUERY_H
#define MS_CLI_TYPED_QUERY_H

#include "cli/job.h"

typedef struct ms_typed_inputs {
  ms_typed *graph;
  ms_typed_pattern *pattern;
  bool pattern_is_text; /* --pattern is no path, but the pattern itself */
  ms_typed_query *query;
} ms_typed_inputs;

/* Is the argument of --pattern a pattern, and no file?  One begins with '(' and
 * no file is called so. */
bool ms_typed_pattern_is_text(const char *argument);
/* The pattern that --pattern means. */
ms_status ms_typed_pattern_of(const ms_cli_options *options, ms_typed_pattern **pattern,
                              bool *is_text, ms_error *err);

/* Read all that the job's options name, into job->time_read, too, with warnings.  Must be closed in
 * any case. */
ms_status ms_typed_inputs_open(ms_job *job, ms_typed_inputs *inputs, ms_error *err);
void ms_typed_inputs_close(ms_typed_inputs *inputs);

#endif
