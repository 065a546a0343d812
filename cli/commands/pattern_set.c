/* motifsieve match --patterns, and match --permutations: inputs -> ms_pattern_counts_new, and
 * ms_pattern_counts_permute -> a table with a row for each pattern. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"
#include "parts/crew.h"
#include "query/pattern.h"

#include <inttypes.h>
#include <string.h>

typedef struct set_work {
  ms_pattern_set *set;
  ms_pattern_options options;
  ms_pattern_counts *counts;
  ms_permutation_options null;
  uint32_t *stratum;                   /* [null.n_strata] */
  ms_permutation_result *permutations; /* NULL: none */
  uint64_t found;                      /* patterns with a match */
} set_work;

bool ms_wants_pattern_table(const ms_cli_options *o)
{
  return o->pattern.set || ms_option_given(o, "permutations");
}

/* ---- inputs ----------------------------------------------------------------------- */

/* Refuses options that would be lost silently. */
static ms_status check_options(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "require", "error",      "repetitions", "recurrence",    "backend",       "inexact",
      "best",    "walk",       "limit",       "walk-length",   "labels",        "long",
      "binary",  "cx2",        "dot",         "svg",           "positions",     "match",
      "nodes",   "relations",  "whole-graph", "devices",       "sample",        "sort",
      "top",     "density",    "scores",      "vertex-scores", "participation", "roles",
      "all",     "all-colors", "per-vertex"};
  static const char *const of_one[] = {"pattern-colors", "pattern-format"};
  const char *what = o->pattern.set ? "patterns" : "permutations";
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s has no effect on the table that --%s writes, which has exact counts "
                     "of plain patterns; leave it out",
                     others[i], what);
  for (size_t i = 0; o->pattern.set && i < sizeof of_one / sizeof *of_one; i++)
    if (ms_option_given(o, of_one[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s is for one pattern; leave it out, and write the patterns of --patterns "
                     "as texts, such as (a:red)--(b)",
                     of_one[i]);
  if (ms_option_given(o, "seed") && !ms_option_given(o, "permutations"))
    return ms_fail(err, MS_ERR_USAGE,
                   "--seed is for the sieve and for --permutations, and counts need neither; leave "
                   "it out");
  if (o->census.strata && o->census.null_kind >= MS_NULL_REWIRE)
    return ms_fail(err, MS_ERR_USAGE,
                   "--null %s moves no colours, so that --strata has no effect; leave one out",
                   o->census.null_kind == MS_NULL_REWIRE ? "rewire" : "rewire-colors");
  if (o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--screen always asks for the sieve, and --%s counts exactly; leave it out",
                   what);
  if (ms_wants_clique_sizes(o))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: --permutations is for patterns, and this is a range of them; write a line "
                   "for each size into a file, and give that with --patterns",
                   o->pattern.path);
  return MS_OK;
}

/* Refuses a pattern with colours or labels that nothing has. */
static ms_status check_set(const ms_job *job, const ms_pattern_set *set, ms_error *err)
{
  ms_job each = *job;
  for (uint32_t i = 0; i < set->count; i++) {
    each.pattern = set->pattern[i];
    MS_TRY(ms_check_pattern(&each, err));
    if (job->coloring && !job->options->coloring.ignore_unknown)
      MS_TRY(ms_check_pattern_colors(&each, err));
  }
  return MS_OK;
}

static ms_status read_set(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  set_work *w = job->work;
  /* the patterns first: that is done at once, and the graph may take a while */
  MS_TRY(ms_pattern_set_read(o->pattern.set, o->graph.directed, &w->set, err));
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, false, &job->coloring, err));
  return check_set(job, w->set, err);
}

/* Makes a set of the one pattern. */
static ms_status read_one(ms_job *job, ms_error *err)
{
  set_work *w = job->work;
  const char *name = job->options->pattern.path;
  MS_TRY(ms_read_pattern_query(job, err));
  if (job->typed_query)
    return ms_fail(err, MS_ERR_USAGE,
                   "--permutations is for plain patterns, and %s is a typed one: types of edges "
                   "have no null; leave the types of edges out, or leave out --permutations",
                   name);
  char *text = NULL;
  bool is_built_in = job->pattern->source == MS_PATTERN_NAME && !job->pattern->colors_path;
  MS_TRY(ms_pattern_text(job->pattern, &text, err));
  const char *texts[] = {is_built_in || job->pattern_is_text ? name : text};
  ms_status status =
      ms_pattern_set_new(1, &name, texts, ms_graph_directed(job->graph), &w->set, err);
  ms_text_free(text);
  if (status == MS_OK && !(w->set->path = ms_strdup(name)))
    status = ms_fail_memory(err, "the path of a pattern");
  return status;
}

static ms_status set_read(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  set_work *w = job->work;
  w->null = (ms_permutation_options)MS_PERMUTATION_OPTIONS_DEFAULT;
  MS_TRY(check_options(o, err));
  MS_TRY(o->pattern.set ? read_set(job, err) : read_one(job, err));
  if (o->census.strata && !job->coloring)
    return ms_fail(err, MS_ERR_USAGE,
                   "--strata is a column of a colour file, and there is none; give --colors FILE, "
                   "or leave it out");
  w->null.null_kind = o->census.null_kind;
  if (!job->coloring && !ms_option_given(o, "null"))
    w->null.null_kind = MS_NULL_REWIRE;
  if (!job->coloring && w->null.null_kind != MS_NULL_REWIRE)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--null is about colours, and %s has none; give --colors FILE, or --null rewire, "
        "which rewires the edges",
        o->operand[0]);
  w->null.permutations = o->census.permutations;
  w->null.seed = o->list.screen.run.seed;
  w->null.max_t = o->census.max_t;
  return ms_read_null_strata(job, NULL, &w->null, &w->stratum, err);
}

/* ---- the counts ------------------------------------------------------------------- */

static ms_status count_set(ms_job *job, ms_error *err)
{
  set_work *w = job->work;
  bool permutes = w->null.permutations > 0;
  const ms_division *division = w->options.screen.run.division;
  if (permutes) /* which alone are divided and saved */
    w->options.screen.run.division = NULL;
  MS_TRY(ms_pattern_counts_new(job->index, w->set, &w->options, &w->counts, err));
  w->options.screen.run.division = division;
  for (uint32_t i = 0; i < w->counts->count; i++)
    w->found += strcmp(w->counts->count_text[i], "0") != 0;
  if (!permutes || (w->counts->run.stopped != MS_OK && !ms_crew_saves(ms_cli_crew)))
    return MS_OK; /* of ranks that were late, the leader has the output */
  return ms_pattern_counts_permute(job->index, w->set, &w->options, &w->null, w->counts,
                                   &w->permutations, err);
}

static ms_status set_run(ms_job *job, ms_error *err)
{
  set_work *w = job->work;
  ms_report report;
  double begin = ms_seconds();
  MS_TRY(ms_job_index(job, err));
  double indexed = ms_seconds();
  ms_pattern_options_of(job, &w->options);
  MS_TRY(count_set(job, err));
  ms_progress_end(&job->progress);
  double counted = ms_seconds();
  const ms_permutation_result *r = w->permutations;
  ms_census_statistics statistics = MS_CENSUS_STATISTICS_DEFAULT;
  statistics.permutations = r;
  statistics.permutation_options = &w->null;
  statistics.strata = job->options->census.strata;
  ms_report_open(&report, job);
  if (w->counts->run.stopped == MS_OK || ms_crew_saves(ms_cli_crew))
    MS_TRY(ms_pattern_counts_write(job->index, w->set, &w->options, w->counts, &statistics,
                                   &report.options, report.path, err));
  bool cut = r && r->run.stopped != MS_OK;
  job->answer = (ms_answer){.run = &w->counts->run,
                            .stopped = cut ? r->run.stopped : MS_OK,
                            .found = w->found,
                            .statistics = {.index = indexed - begin,
                                           .search = counted - indexed,
                                           .output = ms_seconds() - counted}};
  return MS_OK;
}

/* ---- the end ---------------------------------------------------------------------- */

static void set_summarize(const ms_job *job)
{
  const set_work *w = job->work;
  const ms_statistics *s = &job->answer.statistics;
  const ms_permutation_result *r = w->permutations;
  ms_cli_note("%" PRIu64 " of %" PRIu32 " patterns have a match", w->found,
              ms_pattern_set_size(w->set));
  ms_cli_note("engine: %s: %s", s->engine, s->engine_reason);
  if (r) {
    ms_cli_note("%" PRIu64 " of %" PRIu64 " permutations", r->done, r->asked);
    if (r->classes > 0)
      ms_cli_note("colours move within %" PRIu64 " classes of vertices", r->classes);
    if (r->tried > 0)
      ms_cli_note("%" PRIu64 " of %" PRIu64 " swaps accepted", r->accepted, r->tried);
    if (job->division.checkpoint)
      ms_cli_note("a checkpoint had %" PRIu64 " permutations; %.3f s for saving the state",
                  r->run.resumed, r->run.time_checkpoint);
  }
  ms_cli_note("seconds: read %.3f, index %.3f, count %.3f, write %.3f", job->time_read, s->index,
              s->search, s->output);
}

static void set_note(const ms_job *job)
{
  const set_work *w = job->work;
  if (w->permutations && w->null.null_kind == MS_NULL_LABELS && job->answer.stopped == MS_OK)
    ms_job_note_degrees(job, NULL);
}

static void set_warn(const ms_job *job)
{
  const set_work *w = job->work;
  const char *reason = ms_job_reason(job->answer.stopped);
  uint32_t whole = 0;
  for (uint32_t i = 0; i < w->counts->count; i++)
    whole += w->counts->stopped[i] == MS_OK;
  if (w->counts->run.stopped != MS_OK)
    ms_cli_warn("%s after %" PRIu32 " of %" PRIu32
                " patterns; the numbers of the others are lower bounds, as their status says",
                reason, whole, w->counts->count);
  else
    ms_cli_warn("%s after %" PRIu64 " of %" PRIu64
                " permutations; the statistics are of these, and the result is marked incomplete",
                reason, w->permutations->done, w->permutations->asked);
}

static void set_clear(void *work)
{
  set_work *w = work;
  ms_free(w->stratum);
  ms_permutation_result_free(w->permutations);
  ms_pattern_counts_free(w->counts);
  ms_pattern_set_free(w->set);
}

const ms_way ms_way_pattern_set = {.bytes = sizeof(set_work),
                                   .read = set_read,
                                   .run = set_run,
                                   .summarize = set_summarize,
                                   .note = set_note,
                                   .warn = set_warn,
                                   .clear = set_clear};
