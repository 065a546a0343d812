/* The frame of the commands that answer a query.  Every command line of them is answered in one
 * way, a row of the table in frame.c, and the frame does what all ways share: signals, the progress
 * line, the memory limit, reading, warnings, statistics, the summary and the exit code. */
#ifndef MS_CLI_FRAME_H
#define MS_CLI_FRAME_H

#include "cli/job.h"

/* A way to answer.  The frame calls the functions in this order; NULL: there is nothing to do. */
typedef struct ms_way {
  size_t bytes;         /* of job->work, which begins as zeros */
  ms_job_habits habits; /* of signals and progress */
  ms_job_reader *read;  /* reads the inputs into the job, and its own into the work */
  /* searches, writes the result, and fills in job->answer */
  ms_status (*run)(ms_job *job, ms_error *err);
  void (*compare)(const ms_job *job); /* compares the answer with what can be expected */
  void (*summarize)(const ms_job *job);
  void (*note)(const ms_job *job); /* says what the answer does not show; not if --quiet */
  /* warns that the answer is incomplete; NULL: "out of time after N matches; ..." */
  void (*warn)(const ms_job *job);
  const char *rows;          /* what is counted in that warning; NULL: matches */
  void (*clear)(void *work); /* frees what the work holds */
} ms_way;

/* The ways, each in the file of its command. */
extern const ms_way ms_way_screen, ms_way_flags, ms_way_typed_flags, ms_way_motifs,
    ms_way_motif_significance, ms_way_list, ms_way_nearest, ms_way_match, ms_way_typed_match,
    ms_way_plan, ms_way_filter, ms_way_census, ms_way_vertex_census, ms_way_orbits, ms_way_mine,
    ms_way_compare, ms_way_components, ms_way_path, ms_way_cliques, ms_way_pattern_set;

/* True if the matches of patterns are counted for a table (commands/pattern_set.c). */
bool ms_wants_pattern_table(const ms_cli_options *options);

#endif
