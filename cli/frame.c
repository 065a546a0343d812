#include "cli/frame.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/motif_significance.h"
#include "cli/commands/nearest.h"
#include "cli/commands/report.h"
#include "cli/options/option_table.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the table ------------------------------------------------------------------------------- */

static bool has_motifs(const ms_job *job)
{
  return job->options->motifs != NULL;
}

static bool has_pattern(const ms_job *job)
{
  return job->options->pattern.path != NULL;
}

/* False until the inputs are read. */
static bool has_typed_query(const ms_job *job)
{
  return job->typed_query != NULL;
}

static bool wants_significance(const ms_job *job)
{
  return ms_motif_significance_is_wanted(job->options);
}

static bool wants_nearest(const ms_job *job)
{
  return ms_nearest_is_wanted(job->options);
}

static bool wants_orbits(const ms_job *job)
{
  return job->options->census.per_vertex && job->options->census.shapes;
}

static bool wants_vertices(const ms_job *job)
{
  return job->options->census.per_vertex;
}

static bool wants_clique_sizes(const ms_job *job)
{
  return ms_wants_clique_sizes(job->options);
}

static bool wants_pattern_table(const ms_job *job)
{
  return ms_wants_pattern_table(job->options);
}

/* The first row that fits answers.  Rows that only the inputs tell apart have the same
 * reader. */
static const struct {
  unsigned commands;
  bool (*fits)(const ms_job *job); /* NULL: always */
  const ms_way *way;
} rows[] = {
    {MS_COMMAND_SCREEN | MS_COMMAND_LIST, has_motifs, &ms_way_motifs},
    {MS_COMMAND_SCREEN, has_typed_query, &ms_way_typed_flags},
    {MS_COMMAND_SCREEN, has_pattern, &ms_way_flags},
    {MS_COMMAND_SCREEN | MS_COMMAND_LIST, wants_significance, &ms_way_motif_significance},
    {MS_COMMAND_SCREEN, NULL, &ms_way_screen},
    {MS_COMMAND_LIST, wants_nearest, &ms_way_nearest},
    {MS_COMMAND_LIST, NULL, &ms_way_list},
    {MS_COMMAND_MATCH, wants_pattern_table, &ms_way_pattern_set},
    {MS_COMMAND_MATCH, wants_clique_sizes, &ms_way_cliques},
    {MS_COMMAND_MATCH, has_typed_query, &ms_way_typed_match},
    {MS_COMMAND_MATCH, NULL, &ms_way_match},
    {MS_COMMAND_PLAN, NULL, &ms_way_plan},
    {MS_COMMAND_FILTER, NULL, &ms_way_filter},
    {MS_COMMAND_MINE, NULL, &ms_way_mine},
    {MS_COMMAND_CENSUS, wants_orbits, &ms_way_orbits},
    {MS_COMMAND_CENSUS, wants_vertices, &ms_way_vertex_census},
    {MS_COMMAND_CENSUS, NULL, &ms_way_census},
    {MS_COMMAND_COMPARE, NULL, &ms_way_compare},
    {MS_COMMAND_COMPONENTS, NULL, &ms_way_components},
    {MS_COMMAND_PATH, NULL, &ms_way_path},
};

static const ms_way *find_way(const ms_job *job)
{
  size_t r = 0;
  while (!(rows[r].commands & job->options->command->bit) || (rows[r].fits && !rows[r].fits(job)))
    r++;
  return rows[r].way;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Completes the answer with what the head of the result says. */
static void take_outcome(ms_answer *a)
{
  const ms_run_outcome *run = a->run;
  ms_statistics *s = &a->statistics;
  if (!run)
    return;
  a->stopped = a->stopped == MS_OK ? run->stopped : a->stopped;
  if (!s->engine) {
    s->engine = run->engine;
    s->engine_reason = run->engine ? run->engine_reason : NULL;
  }
  s->output = s->output > 0 ? s->output : run->time_write;
  s->work = &run->work;
}

static ms_status write_statistics(ms_job *job, ms_error *err)
{
  const ms_answer *a = &job->answer;
  const ms_screen_result *screen = a->screen;
  ms_statistics s = a->statistics;
  char found[24];
  snprintf(found, sizeof found, "%" PRIu64, a->found);
  if (!s.found)
    s.found = found;
  s.status =
      ms_result_word(MS_WORDS_STATUS, ms_status_of(a->stopped, ms_job_at_limit(job, a->found)));
  if (screen) {
    s.prune = screen->time_prune;
    s.sieve = screen->time_sieve;
    s.backend = ms_backend_word((uint32_t)screen->backend);
    s.backend_reason = screen->backend_reason;
  }
  return ms_report_statistics(job, s, err);
}

/* Says why the run was stopped, and after how many rows. */
static void warn_of_rows(const ms_job *job, const char *count, const char *what)
{
  const ms_answer *a = &job->answer;
  bool full = a->stopped == MS_ERR_OUTPUT; /* the disk of the output */
  ms_cli_warn("%s%s%s after %s %s; the result is incomplete%s", full ? job->options->output : "",
              full ? ": " : "", ms_job_reason(a->stopped), count, what, a->remark ? a->remark : "");
}

/* Warns if rows are missing; returns the exit code. */
static int outcome(const ms_job *job, const ms_way *way)
{
  const ms_cli_options *o = job->options;
  const ms_answer *a = &job->answer;
  const char *count = a->statistics.found, *what = way->rows ? way->rows : "matches";
  char number[24];
  snprintf(number, sizeof number, "%" PRIu64, a->found);
  if (a->stopped == MS_ERR_LIMIT && ms_job_at_limit(job, a->found)) {
    if (!o->quiet)
      ms_cli_note("stopped by --limit after %s %s; there may be more%s", count ? count : number,
                  what, a->remark ? a->remark : "");
    return MS_EXIT_OK;
  }
  if (a->stopped != MS_OK || a->lacks_rows) {
    if (!o->quiet && way->warn)
      way->warn(job);
    else if (!o->quiet)
      warn_of_rows(job, count ? count : number, what);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && (a->found == 0 || a->no_rows) ? MS_EXIT_NONE : MS_EXIT_OK;
}

/* ---- the frame ------------------------------------------------------------------------------- */

static ms_status open_and_run(const ms_way **way, ms_job *job, ms_error *err)
{
  if ((*way)->bytes > 0 && !(job->work = ms_calloc(1, (*way)->bytes)))
    return ms_fail_memory(err, "a search");
  MS_TRY(ms_job_open(job, (*way)->read, (*way)->habits, err));
  *way = find_way(job); /* of those with the same reader */
  return (*way)->run(job, err);
}

int ms_answer_query(const ms_cli_options *o)
{
  ms_error err;
  ms_job job = {.options = o};
  const ms_way *way = find_way(&job);
  ms_status status = open_and_run(&way, &job, &err);
  ms_progress_end(&job.progress);
  take_outcome(&job.answer);
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, job.answer.screen);
  if (status == MS_OK && way->compare)
    way->compare(&job);
  if (status == MS_OK)
    status = write_statistics(&job, &err);
  if (status == MS_OK && o->verbose && way->summarize)
    way->summarize(&job);
  if (status == MS_OK && !o->quiet && way->note)
    way->note(&job);
  int code = status == MS_OK ? outcome(&job, way) : ms_cli_error(&err);
  if (way->clear && job.work)
    way->clear(job.work);
  ms_free(job.work);
  ms_job_close(&job);
  return code;
}
