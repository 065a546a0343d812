/* Reads the pattern and the graph of match and plan.  What they hold decides which search it is:
 *
 *   pattern                          graph with types of edges   plain graph
 *   name, or a plain graph file      plain                       plain
 *   file of edges with types         typed                       plain
 *   Cypher's notation                typed                       plain; typed if it says what a
 * plain pattern cannot
 */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/option_table.h"
#include "graph/io/typed_read.h"
#include "query/pattern_file.h"

#include <string.h>
#include <unistd.h>

/* ---- options ------------------------------------------------------------------ */

static ms_status check_for_typed(const ms_job *job, ms_error *err)
{
  const char *option = ms_option_given_of(job->options, MS_OPTIONS_OF_PLAIN_PATTERN);
  if (!option)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--%s is for plain patterns, and this search has types of edges; leave it out",
                 option);
}

static ms_status check_for_plain(const ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const char *option = ms_option_given_of(o, MS_OPTIONS_OF_TYPED_PATTERN);
  if (option)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for typed patterns, and %s is a plain one; leave it out, or write the "
                   "pattern as in (a:Type)--(b)",
                   option, o->pattern.path);
  option = ms_option_given_of(o, MS_OPTIONS_OF_TYPED_GRAPH);
  if (option)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for graphs whose edges have types, and the plain pattern %s ignores "
                   "these; leave it out, or write the pattern as in (a:Type)--(b)",
                   option, o->pattern.path);
  if (o->typed.format == MS_TYPED_HETIONET)
    return ms_fail(err, MS_ERR_USAGE,
                   "--format hetionet is for typed patterns, and %s is a plain one; give --format "
                   "sif, or write the pattern as in (a:Type)--(b)",
                   o->pattern.path);
  return MS_OK;
}

/* ---- plain searches -------------------------------------------------------------- */

static ms_status read_pattern_file(ms_job *job, ms_text *text, ms_error *err)
{
  const ms_cli_options *o = job->options;
  /* the rest of o->graph applies to GRAPH, and may not fit the pattern's format */
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = o->pattern.format,
                              .directed = o->graph.directed,
                              .threads = o->graph.threads,
                              .memory = o->graph.memory};
  return ms_pattern_read_graph(o->pattern.path, text, &options, o->pattern.colors, &job->pattern,
                               err);
}

/* Reads the pattern first, because that is done at once, and the graph may take a while. */
static ms_status read_plain(ms_job *job, ms_text *text, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(text ? read_pattern_file(job, text, err) : ms_read_built_in(o, &job->pattern, err));
  MS_TRY(check_for_plain(job, err));
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, false, &job->coloring, err));
  return ms_check_pattern_colors(job, err);
}

/* ---- searches that may be typed --------------------------------------------------- */

static ms_status make_typed(ms_job *job, ms_error *err)
{
  MS_TRY(check_for_typed(job, err));
  return ms_typed_query_new(job->typed, job->typed_pattern, &job->typed_query, err);
}

/* True if a vertex asks for the type that vertices without a colour have in a typed graph. */
static bool asks_for_untyped(const ms_job *job)
{
  const ms_names *names = job->typed_pattern->type_names;
  return ms_names_find(names, "untyped", strlen("untyped")) != MS_NO_ID;
}

/* Uses the notation in a plain graph. */
static ms_status use_notation(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  bool directed = ms_graph_directed(job->graph);
  if (!directed && ms_notation_has_arrows(job->typed_pattern))
    return ms_fail(err, MS_ERR_USAGE,
                   "the pattern has arrows, and the edges of %s have no direction; give "
                   "--directed, or write '--' in place of '-->'",
                   o->operand[0]);
  if (ms_option_given_of(o, MS_OPTIONS_OF_TYPED_PATTERN) || asks_for_untyped(job) ||
      ms_notation_not_plain(job->typed_pattern, directed)) {
    MS_TRY(ms_type_plain(job, err));
    return make_typed(job, err);
  }
  if (o->pattern.colors)
    return ms_fail(err, MS_ERR_USAGE,
                   "--pattern-colors is for built-in patterns and files of edges; write the "
                   "colours into the pattern, as in (a:red)--(b:blue|green)");
  MS_TRY(ms_pattern_of_notation(job->typed_pattern, directed, o->pattern.path,
                                job->pattern_is_text ? MS_PATTERN_TEXT : MS_PATTERN_FILE,
                                &job->pattern, err));
  return ms_check_pattern_colors(job, err);
}

/* Reads the graph; then the pattern is typed if the graph is.  `text` is a file of edges with types
 * unless there is a pattern already. */
static ms_status read_either(ms_job *job, ms_text *text, ms_error *err)
{
  const ms_typed_options reading = ms_typed_pattern_reading(job->options);
  const char *path = job->options->pattern.path;
  MS_TRY(ms_read_typed_or_plain(job, err));
  if (job->typed) {
    if (!job->typed_pattern)
      MS_TRY(ms_typed_pattern_read_graph(path, text, &reading, &job->typed_pattern, err));
    return make_typed(job, err);
  }
  MS_TRY(ms_complete_plain(job, err));
  if (job->typed_pattern)
    return use_notation(job, err);
  MS_TRY(read_pattern_file(job, text, err));
  MS_TRY(check_for_plain(job, err));
  return ms_check_pattern_colors(job, err);
}

/* Reads a pattern file that is open, and the graph. */
static ms_status read_file(ms_job *job, ms_text *text, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const char *path = o->pattern.path;
  bool is_notation = false, has_types = false;
  if (o->pattern.format == MS_FORMAT_AUTO)
    MS_TRY(ms_text_is_notation(text, &is_notation, err));
  if (is_notation)
    MS_TRY(ms_notation_read_text(path, text, &job->typed_pattern, err));
  else if (o->pattern.format == MS_FORMAT_AUTO)
    MS_TRY(ms_typed_text_shows_types(path, text, &has_types, err));
  return is_notation || has_types ? read_either(job, text, err) : read_plain(job, text, err);
}

ms_status ms_read_match(ms_job *job, ms_error *err)
{
  const char *given = job->options->pattern.path;
  ms_text *text = NULL;
  if (strcmp(given, "-") == 0 || access(given, F_OK) == 0) {
    MS_TRY(ms_text_open(given, &text, err));
    ms_status status = read_file(job, text, err);
    ms_text_close(text);
    return status;
  }
  if (!ms_is_notation(given))
    return read_plain(job, NULL, err);
  job->pattern_is_text = true;
  MS_TRY(ms_typed_pattern_parse(given, &job->typed_pattern, err));
  return read_either(job, NULL, err);
}
