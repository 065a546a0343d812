/* The inputs of a command, and what every search needs besides: signals and the progress line. */
#ifndef MS_CLI_JOB_H
#define MS_CLI_JOB_H

#include "base/progress.h"
#include "cli/options/options.h"
#include "result/statistics.h"

/* What a run found, for statistics, warnings and the exit code. */
typedef struct ms_answer {
  const ms_run_outcome *run; /* whose `stopped`, engine, work and time_write are told; NULL: none */
  ms_status stopped;         /* MS_OK: the run came to its end; found in `run`, if it is there */
  bool lacks_rows;           /* although it did */
  uint64_t found;            /* matches, or whatever the rows are */
  bool no_rows;              /* although `found` is above 0 */
  const char *remark;        /* the end of the warning that rows are missing; NULL: none */
  const ms_screen_result *screen; /* NULL: none ran */
  /* what the frame of commands cannot know: times after reading, reasons, an engine or an output
   * that `run` lacks, and `found`, if it may exceed 64 bits */
  ms_statistics statistics;
} ms_answer;

typedef struct ms_job {
  const ms_cli_options *options;
  ms_graph *graph;
  ms_coloring *coloring; /* may be NULL with a pattern */
  ms_motif *motif;       /* either motif and query are set, or a pattern */
  ms_query *query;
  ms_motif_set *motifs; /* with --motifs, in place of motif and query */
  ms_session *session;
  ms_pattern *pattern;
  /* with a typed pattern; `graph` and `coloring` are NULL unless the input is plain */
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  bool pattern_is_text;        /* it is given in Cypher's notation, not as a path */
  ms_typed_query *typed_query; /* NULL: the query is not typed */
  ms_labels *labels;           /* NULL: none */
  ms_points *positions;        /* NULL: none */
  ms_vertex_scores *scores;    /* NULL: none */
  /* [n_required] the vertices that a pattern's matches have to contain, by their names in results
   */
  const char *required[MS_MAX_K];
  uint32_t n_required;
  ms_division division;
  ms_progress progress;
  double begun, time_read; /* seconds: when the job began, and how long reading took */
  /* what was found; NULL: not yet, or the command finds something else */
  ms_substitutes *substitutes; /* the colours that may replace others in a nearest match */
  ms_screen_result *screen;
  ms_list_result *list;
  ms_nearest_result *nearest;
  ms_pattern_index *index;
  ms_flags_result *flags;
  ms_pattern_result *matches;
  ms_typed_result *typed_matches;
  void *work; /* what the command needs besides; NULL: nothing */
  ms_answer answer;
} ms_job;

/* These two read the graph and its aliases, and the colours.  The colours are NULL if none are
 * given and `needed` is false. */
ms_status ms_read_graph(const ms_cli_options *options, ms_graph **graph, ms_error *err);
/* Does the second half of ms_read_graph: warns about the graph and reads its aliases. */
/* Says how a table of edges was read, where another reading is possible. */
void ms_note_layout(const ms_cli_options *options, const char *path, const ms_edge_layout *layout);
ms_status ms_read_aliases(const ms_cli_options *options, ms_graph *graph, ms_error *err);
ms_status ms_read_colors(const ms_cli_options *options, const ms_graph *graph, bool needed,
                         ms_coloring **coloring, ms_error *err);

/* Reads the labels of the vertices, if they are asked for, once the graph is there. */
ms_status ms_read_labels(ms_job *job, ms_error *err);

/* Reads the positions of the vertices, if they are asked for. */
ms_status ms_read_positions(ms_job *job, ms_error *err);

/* Reads the scores of the vertices, if they are asked for, once the graph is there. */
ms_status ms_read_vertex_scores(ms_job *job, ms_error *err);

/* Reads --strata, if it is given, for permutations; the caller frees *stratum, even after a
 * failure. `census` may be NULL: the colours of all vertices count. */
ms_status ms_read_null_strata(const ms_job *job, const ms_census_options *census,
                              ms_permutation_options *null, uint32_t **stratum, ms_error *err);

/* Warns of lines of the colour file that fit neither the graph nor the format. */
void ms_warn_of_colors(const ms_coloring *coloring, const char *strata);
/* Says that degrees differ by colour, which the null hypothesis `labels` does not hold; `census`
 * may be NULL. */
void ms_job_note_degrees(const ms_job *job, const ms_census_options *census);
/* Prints what was read, for --verbose; `coloring` may be NULL. */
void ms_print_inputs(const ms_graph *graph, const ms_coloring *coloring);

/* How a command takes signals, and whether it shows progress. */
typedef enum ms_job_habits {
  MS_JOB_USUAL = 0,            /* the first signal ends the search, with a note */
  MS_JOB_SILENT = 1,           /* without a note */
  MS_JOB_AT_ONCE = 2,          /* it kills: nobody can use half of the output */
  MS_JOB_NO_PROGRESS = 4,      /* the command ends soon */
  MS_JOB_NOTES_OR_PROGRESS = 8 /* --verbose takes the place of progress */
} ms_job_habits;

/* Reads the inputs of a command. */
typedef ms_status ms_job_reader(ms_job *job, ms_error *err);
/* Read a graph, with colours, and a motif or the motifs of --motifs; a graph and a pattern, and
 * decide whether the search is typed; a graph with colours alone. */
ms_job_reader ms_read_motif_query, ms_read_pattern_query, ms_read_colored_graph;
/* True if the pattern is a range of sizes of cliques (commands/cliques.c). */
#define MS_CLIQUES "clique:"
bool ms_wants_clique_sizes(const ms_cli_options *options);

/* Catches signals, starts the progress line, reads by `read` and then what the options name
 * besides, and warns of it.  The job holds its options, and may hold its work; ms_job_close must
 * follow, even after a failure. */
ms_status ms_job_open(ms_job *job, ms_job_reader *read, ms_job_habits habits, ms_error *err);
void ms_job_close(ms_job *job);

/* Returns the limits that the command line states, with the command's stop token; ms_job_limits
 * also those that not all calls use: engine, seed and division. */
ms_run_limits ms_cli_limits(const ms_cli_options *options, ms_progress *progress);
ms_run_limits ms_job_limits(ms_job *job);
/* Returns how vertices in matches of a motif are found: by the sieve if an option is for it
 * alone. */
ms_screen_method ms_job_method(const ms_cli_options *o);

/* Builds the index of job->graph, in which patterns are searched for. */
ms_status ms_job_index(ms_job *job, ms_error *err);
/* These two fill the library's options from the job's; the caller adds the receiver of rows. */
void ms_pattern_options_of(ms_job *job, ms_pattern_options *options);
void ms_typed_options_of(ms_job *job, ms_typed_match_options *options);

/* True if the search found as many matches as --limit allows. */
bool ms_job_at_limit(const ms_job *job, uint64_t matches);
/* Returns why a search was stopped, in words. */
const char *ms_job_reason(ms_status stopped);
/* Returns the end of the warning that rows are missing: another run may find others unless the
 * engine is ordered. */
const char *ms_job_order_remark(const ms_job *job, bool ordered);

/* Warns of GPUs that failed, if any did; `result` may be NULL. */
void ms_job_warn_of_devices(const ms_job *job, const ms_screen_result *result);

/* ---- motifs and patterns --------------------------------------------------- */

/* Refuses a search without a motif: neither the command line nor the graph's file gives one. */
ms_status ms_check_motif_given(const ms_cli_options *options, const ms_graph *graph, ms_error *err);
/* Reads the motif of --motif, --motif-file or --motif-from, or that of the graph's file. */
ms_status ms_read_motif(const ms_cli_options *options, const ms_graph *graph,
                        const ms_coloring *coloring, ms_motif **motif, ms_error *err);
/* Reads the file of --motifs, once graph and colours are there, and opens a session. */
ms_status ms_read_motifs(ms_job *job, ms_error *err);
/* Warns of motif colours that no vertex has: the colour file may not belong to the graph. */
void ms_warn_of_motif_colors(const ms_job *job);

/* Makes the built-in pattern of that name, with the colours of --pattern-colors. */
ms_status ms_read_built_in(const ms_cli_options *options, ms_pattern **pattern, ms_error *err);
/* Checks the pattern's colours.  MS_ERR_USAGE: the pattern asks for colours, and the graph has
 * none. */
ms_status ms_check_pattern(const ms_job *job, ms_error *err);
/* Warns of colours that the pattern accepts and no vertex has; refuses it where one of its vertices
 * accepts no other. */
void ms_warn_of_pattern_colors(const ms_job *job);
ms_status ms_check_pattern_colors(const ms_job *job, ms_error *err);
/* Describes the pattern, for --verbose. */
void ms_print_pattern(const ms_pattern *pattern);

/* ---- typed graphs ----------------------------------------------------------- */

/* True if any option is given that only typed graphs have. */
bool ms_has_typed_options(const ms_cli_options *options);
/* Reads the graph that the first operand names: a typed graph, or a plain one whose colours become
 * the types of its vertices.  MS_ERR_USAGE: an option is given that does not apply to such a
 * file. */
ms_status ms_read_typed(const ms_cli_options *options, ms_typed **graph, ms_error *err);
/* Reads the graph into job->typed or, if its edges have no types, into job->graph. */
ms_status ms_read_typed_or_plain(ms_job *job, ms_error *err);
/* Reads aliases and colours of job->graph, without which it is not complete. */
ms_status ms_complete_plain(ms_job *job, ms_error *err);
/* Makes the typed graph from job->graph, whose colours become the types of the vertices. */
ms_status ms_type_plain(ms_job *job, ms_error *err);
/* Reads the pattern of --pattern and the graph, which is typed in any case, and makes the query of
 * both. */
ms_status ms_read_typed_query(ms_job *job, ms_error *err);
/* Returns how a pattern file of typed edges is read. */
ms_typed_options ms_typed_pattern_reading(const ms_cli_options *options);
/* Warns of types that the graph lacks, and of a file that may be a table of typed edges. */
void ms_warn_of_typed(const ms_job *job);
/* Warns of two spellings of one name. */
void ms_warn_of_spellings(const char *path, const ms_names *names, const char *what);
/* Refuses a pattern of which a vertex or an edge accepts only types that nothing has. */
ms_status ms_check_typed_names(const ms_job *job, ms_error *err);
/* Describes what was read, for --verbose. */
void ms_print_typed(const ms_typed *graph);

/* ---- summary ---------------------------------------------------------------- */

/* Compare a result with the target that the graph's file states for its motif: warn if they differ,
 * and with --verbose say if they agree. */
void ms_job_compare_screen(const ms_job *job, const ms_screen_result *screen);
void ms_job_compare_list(const ms_job *job, const ms_list_result *list);
/* Prints, for --verbose, what pruning left, and how and where the sieve ran; NULL: nothing. */
void ms_job_print_screen(const ms_screen_result *result);
/* Prints, for --verbose, how many units there were and what a checkpoint had of them. */
void ms_job_print_units(const ms_run_outcome *run);
/* Returns the seconds that a screen took, which are part of the time of a plan; NULL: 0. */
double ms_job_screen_seconds(const ms_screen_result *screen);

#endif
