/* motifsieve list and screen --significance: inputs -> ms_list_chance -> ms_list_chance_write. */
#include "cli/commands/motif_significance.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "cli/cli.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"

#include <inttypes.h>

bool ms_motif_significance_is_wanted(const ms_cli_options *o)
{
  return (o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_SCREEN)) &&
         (o->significance || ms_option_given(o, "permutations"));
}

/* Returns whether vertices in matches are counted, which a screen finds; else matches are. */
static bool of_vertices(const ms_cli_options *o)
{
  return o->command->bit == MS_COMMAND_SCREEN || o->statistic == MS_OF_VERTICES;
}

ms_status ms_motif_significance_check(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "motifs",        "nearest",     "max-missing", "max-extra", "substitute",
      "sample",        "diverse",     "families",    "limit",     "sort",
      "top",           "min-density", "profile",     "all-sums",  "min-mean-score",
      "participation", "all",         "count",       "cx2",       "dot",
      "svg",           "density",     "scores",      "roles",     "long",
      "wide",          "labels",      "all-colors",  "error",     "repetitions",
      "recurrence",    "backend",     "devices",     "engine",    "screen",
      "vertex-scores", "no-prune",    "stats"};
  if (o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "--significance and --permutations are for motifs, and '%s' is a pattern; give "
                   "a motif with --motif",
                   o->pattern.path);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s has no effect on the statistics that --significance and --permutations "
                     "write, which come from exact counts; leave it out",
                     others[i]);
  if (o->json && o->census.strata && !ms_is_utf8(o->census.strata))
    return ms_fail(err, MS_ERR_USAGE, "--strata is not UTF-8, which JSON needs; leave out --json");
  return MS_OK;
}

/* ---- the command ----------------------------------------------------------------------- */

static ms_status find_and_write(ms_job *job, ms_list_significance *s, uint32_t **stratum,
                                ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  const ms_write_options form = {.size = sizeof form,
                                 .form = o->json ? MS_FORM_JSON : MS_FORM_TSV,
                                 .graph = &o->graph,
                                 .colors = &o->coloring};
  bool permutes = o->command->bit == MS_COMMAND_SCREEN || ms_option_given(o, "permutations");
  list.screen = o->list.screen;
  list.participation = list.count_only = of_vertices(o);
  list.screen.run = ms_job_limits(job);
  null.null_kind = o->census.null_kind;
  null.permutations = o->census.permutations;
  null.seed = o->list.screen.run.seed;
  MS_TRY(ms_read_null_strata(job, NULL, &null, stratum, err));
  bool by_formula = o->significance && o->command->bit == MS_COMMAND_LIST;
  MS_TRY(ms_list_chance(job->query, &list, by_formula, permutes ? &null : NULL, s, err));
  ms_progress_end(&job->progress);
  return ms_list_chance_write(job->query, &list, permutes ? &null : NULL, o->census.strata, s,
                              &form, o->output ? o->output : "-", err);
}

static ms_status significance_run(ms_job *job, ms_error *err)
{
  ms_list_significance *s = job->work;
  uint32_t *stratum = NULL;
  ms_status status = find_and_write(job, s, &stratum, err);
  ms_free(stratum);
  job->answer = (ms_answer){.stopped = s->run.stopped, .found = s->observed};
  return status;
}

static void significance_summarize(const ms_job *job)
{
  const ms_list_significance *s = job->work;
  if (job->division.checkpoint)
    ms_cli_note("a checkpoint had %" PRIu64 " permutations; %.3f s for saving the state",
                s->run.resumed, s->run.time_checkpoint);
}

static void significance_note(const ms_job *job)
{
  const ms_list_significance *s = job->work;
  bool labels = s->asked == 0 || job->options->census.null_kind == MS_NULL_LABELS;
  if (labels && s->run.stopped == MS_OK)
    ms_job_note_degrees(job, NULL);
  if (s->p_by == MS_P_BY_BOUND && s->asked == 0)
    ms_cli_note("p is only an upper bound (p_by), because few vertices or dense blocks make the "
                "distribution, or few sets are expected; --permutations 1000 gives perm_p");
}

static void significance_warn(const ms_job *job)
{
  const ms_list_significance *s = job->work;
  ms_cli_warn("%s after %" PRIu64 " of %" PRIu64
              " permutations; the result is that of these permutations",
              ms_job_reason(s->run.stopped), s->done, s->asked);
}

const ms_way ms_way_motif_significance = {.bytes = sizeof(ms_list_significance),
                                          .read = ms_read_motif_query,
                                          .run = significance_run,
                                          .summarize = significance_summarize,
                                          .note = significance_note,
                                          .warn = significance_warn};
