/* motifsieve match GRAPH clique:A-B --count: the number of cliques of each size, in one pass. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"
#include "graph/io/edges/edges.h"

#include <string.h>

/* Sets the sizes A and B of clique:A-B. */
static ms_status take_sizes(const char *pattern, uint32_t *least, uint32_t *most, ms_error *err)
{
  const char *first = pattern + strlen(MS_CLIQUES), *dash = strchr(first, '-');
  ms_field from = {first, (size_t)(dash - first)}, to = {dash + 1, strlen(dash + 1)};
  uint64_t a = 0, b = 0;
  if (!ms_field_count(from, MS_MAX_PATTERN, &a) || !ms_field_count(to, MS_MAX_PATTERN, &b) ||
      a < 1 || b < a)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the sizes of 'clique:A-B' are whole numbers from 1 to %u, and A is not above "
        "B; correct them, such as 'clique:3-20'",
        pattern, MS_MAX_PATTERN);
  *least = (uint32_t)a;
  *most = (uint32_t)b;
  return MS_OK;
}

/* Refuses options that would be lost silently.  Of cliques, --induced and --exact are met in any
 * case: they have all edges, and the counts need no sieve. */
static ms_status check_options(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "colors",         "require",     "directed",      "pattern-colors",
      "pattern-format", "embeddings",  "participation", "sample",
      "sort",           "density",     "scores",        "vertex-scores",
      "error",          "seed",        "repetitions",   "recurrence",
      "backend",        "devices",     "inexact",       "best",
      "walk",           "walk-length", "screen",        "order",
      "limit",          "part",        "checkpoint",    "checkpoint-seconds",
      "resume",         "paranoid",    "labels",        "long",
      "binary",         "cx2",         "dot",           "svg",
      "positions",      "match",       "whole-graph",   "nodes",
      "relations"};
  const char *pattern = o->pattern.path, *engine = o->list.screen.run.engine;
  if (!o->list.count_only)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: cliques of several sizes are only counted; add --count, or give one size",
                   pattern);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s does not go together with cliques of several sizes; leave it out, or "
                     "give one size in place of '%s'",
                     others[i], pattern);
  if (engine && strcmp(engine, "auto") != 0 && strcmp(engine, "cpu") != 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "--engine %s: cliques of several sizes are counted on processors; leave the "
                   "option out, or give one size in place of '%s'",
                   engine, pattern);
  return MS_OK;
}

typedef struct cliques_work {
  uint32_t least, most;
  ms_clique_counts *counts;
} cliques_work;

static ms_status cliques_read(ms_job *job, ms_error *err)
{
  cliques_work *w = job->work;
  MS_TRY(check_options(job->options, err));
  MS_TRY(take_sizes(job->options->pattern.path, &w->least, &w->most, err));
  return ms_read_graph(job->options, &job->graph, err);
}

static ms_status cliques_run(ms_job *job, ms_error *err)
{
  cliques_work *w = job->work;
  ms_report report;
  double begin = ms_seconds();
  MS_TRY(ms_job_index(job, err));
  double indexed = ms_seconds();
  ms_clique_options options = MS_CLIQUE_OPTIONS_DEFAULT;
  options.least = w->least;
  options.most = w->most;
  options.per_vertex = job->options->census.per_vertex;
  options.run = ms_cli_limits(job->options, &job->progress);
  MS_TRY(ms_clique_counts_new(job->index, &options, &w->counts, err));
  ms_progress_end(&job->progress);
  ms_report_open(&report, job);
  double counted = ms_seconds();
  MS_TRY(ms_clique_counts_write(job->index, w->counts, &report.options, report.path, err));
  const ms_clique_counts *r = w->counts;
  job->answer = (ms_answer){.run = &r->run,
                            .found = r->largest,
                            .statistics = {.index = indexed - begin,
                                           .search = r->time_count,
                                           .output = ms_seconds() - counted}};
  return MS_OK;
}

static void cliques_summarize(const ms_job *job)
{
  const cliques_work *w = job->work;
  const ms_statistics *s = &job->answer.statistics;
  ms_cli_note("engine: %s: %s", s->engine, s->engine_reason);
  ms_cli_note("the largest clique of these sizes has %u vertices", w->counts->largest);
  ms_cli_note("seconds: read %.3f, index %.3f, count %.3f, write %.3f", job->time_read, s->index,
              s->search, s->output);
}

static void cliques_warn(const ms_job *job)
{
  ms_cli_warn("%s before all cliques were counted; the numbers are lower bounds",
              ms_job_reason(job->answer.stopped));
}

static void cliques_clear(void *work)
{
  ms_clique_counts_free(((cliques_work *)work)->counts);
}

const ms_way ms_way_cliques = {.bytes = sizeof(cliques_work),
                               .read = cliques_read,
                               .run = cliques_run,
                               .summarize = cliques_summarize,
                               .warn = cliques_warn,
                               .clear = cliques_clear};
