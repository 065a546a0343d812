/* Reads the pattern and the graph of match and plan.  What they hold decides which search it is:
 *
 *   pattern                          graph with types of edges   plain graph
 *   name, or a plain graph file      plain                       plain
 *   file of edges with types         typed                       typed, refused unless any edge
 * fits Cypher's notation                typed                       plain; typed if it says what a
 * plain pattern cannot
 */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/option_table.h"
#include "query/labels.h"
#include "query/pattern_notation.h"

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

static ms_status read_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(check_for_plain(job, err));
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, false, &job->coloring, err));
  return ms_check_pattern(job, err);
}

/* ---- searches that may be typed --------------------------------------------------- */

static ms_status make_typed(ms_job *job, ms_error *err)
{
  MS_TRY(check_for_typed(job, err));
  MS_TRY(ms_typed_query_new(job->typed, job->typed_pattern, &job->typed_query, err));
  return ms_typed_query_check_labels(job->typed_query, err);
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
  return ms_check_pattern(job, err);
}

/* Reads the graph; then the search is typed if the graph is.  In a plain graph, notation becomes a
 * plain pattern. */
static ms_status read_either(ms_job *job, bool is_notation, ms_error *err)
{
  MS_TRY(ms_read_typed_or_plain(job, err));
  if (job->typed)
    return make_typed(job, err);
  MS_TRY(ms_complete_plain(job, err));
  if (is_notation)
    return use_notation(job, err);
  MS_TRY(ms_type_plain(job, err));
  return make_typed(job, err);
}

/* Reads the pattern first, because that is done at once, and the graph may take a while. */
static ms_status read_file(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  /* the rest of o->graph applies to GRAPH, and may not fit the pattern's format */
  const ms_graph_options plain = {.size = sizeof(ms_graph_options),
                                  .format = o->pattern.format,
                                  .directed = o->graph.directed,
                                  .threads = o->graph.threads,
                                  .memory = o->graph.memory};
  const ms_typed_options typed = ms_typed_pattern_reading(o);
  ms_any_pattern pattern;
  MS_TRY(ms_any_pattern_read(o->pattern.path, &plain, &typed, o->pattern.colors, &pattern, err));
  job->pattern = pattern.plain;
  job->typed_pattern = pattern.typed;
  return pattern.plain ? read_plain(job, err) : read_either(job, pattern.is_notation, err);
}

ms_status ms_read_match(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const char *given = o->pattern.path;
  if (strcmp(given, "-") == 0 || access(given, F_OK) == 0)
    return read_file(job, err);
  if (!ms_is_notation(given)) {
    MS_TRY(ms_read_built_in(o, &job->pattern, err));
    return read_plain(job, err);
  }
  job->pattern_is_text = true;
  MS_TRY(ms_typed_pattern_parse(given, &job->typed_pattern, err));
  return read_either(job, true, err);
}
