/* The inputs of the subcommands, read and kept together, and the ways to stop
 * and to watch the work. */
#ifndef MS_CLI_JOB_H
#define MS_CLI_JOB_H

#include "base/progress.h"
#include "cli/options.h"

typedef struct ms_job {
  const ms_cli_options *options;
  ms_graph *graph;
  ms_coloring *coloring; /* with a pattern: may be NULL */
  ms_motif *motif;       /* this and the query, or a pattern */
  ms_query *query;
  ms_pattern *pattern;
  ms_stop *stop;
  ms_progress progress;
  double time_read; /* seconds */
} ms_job;

/* The graph and its aliases; the colours, NULL where none are given and
 * `needed` is false. */
ms_status ms_read_graph(const ms_cli_options *options, ms_graph **graph, ms_error *err);
/* The second half of that: warnings about the graph, its aliases. */
ms_status ms_read_aliases(const ms_cli_options *options, ms_graph *graph, ms_error *err);
ms_status ms_read_colors(const ms_cli_options *options, const ms_graph *graph, bool needed,
                         ms_coloring **coloring, ms_error *err);

/* --verbose: what was read; `coloring` may be NULL. */
void ms_tell_inputs(const ms_graph *graph, const ms_coloring *coloring);

/* Stop token, signals and progress, and nothing read yet.  Also when it fails,
 * ms_job_close must follow. */
ms_status ms_job_begin(const ms_cli_options *options, ms_job *job, ms_error *err);
/* The same, and read everything.  Also when it fails, ms_job_close must follow. */
ms_status ms_job_open(const ms_cli_options *options, ms_job *job, ms_error *err);
void ms_job_close(ms_job *job);

/* Point the run options of the library at the job's stop token and progress. */
void ms_job_attach(ms_job *job, ms_screen_options *run);

/* GPUs that failed, if any did; `result` may be NULL. */
void ms_job_warn_of_devices(const ms_job *job, const ms_screen_result *result);

/* ---- patterns -------------------------------------------------------------- */

/* The pattern that --pattern names, with its colours. */
ms_status ms_read_pattern(const ms_cli_options *options, ms_pattern **pattern, ms_error *err);
/* MS_ERR_USAGE: the pattern asks for colours, and the graph has none. */
ms_status ms_check_pattern_colors(const ms_job *job, ms_error *err);
/* Colours that no vertex of the graph has. */
void ms_warn_of_pattern_colors(const ms_job *job);
bool ms_pattern_has_colors(const ms_pattern *pattern);
/* --verbose */
void ms_tell_pattern(const ms_pattern *pattern);

/* Has any vertex of the graph this colour? */
bool ms_color_is_there(const ms_coloring *coloring, uint32_t color);

/* ---- telling ---------------------------------------------------------------- */

/* --verbose: what pruning left and what the sieve did, and where. */
void ms_job_tell_screen(const ms_job *job, const ms_screen_result *result);

#endif
