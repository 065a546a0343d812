/* motifsieve list: inputs -> ms_list_to_file -> matches of a motif, or their number. */
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/nearest.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/numbers.h"
#include "cli/options/option_table.h"
#include "parts/log.h"

#include <inttypes.h>
#include <string.h>

/* ---- of the nearest matches ------------------------------------------------------------------ */

/* motifsieve list --nearest: inputs -> ms_list_nearest -> rows, or their number. */

static ms_nearest_options options_of(const ms_job *job, ms_screen_options near)
{
  const ms_cli_options *o = job->options;
  return (ms_nearest_options){.size = sizeof(ms_nearest_options),
                              .max_missing = near.max_missing,
                              .max_extra = near.max_extra,
                              .nearest_only = near.nearest_only,
                              .count_only = o->list.count_only,
                              .limit = o->list.limit,
                              .run = near.run,
                              .substitutes = near.substitutes,
                              .max_cost = near.max_cost};
}

/* Lists the matches in the order of their costs. */
static ms_status nearest_run(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_screen_options near = job->options->list.screen;
  near.run = ms_cli_limits(job->options, &job->progress);
  MS_TRY(ms_nearest_settle(job, &near, err));
  ms_nearest_options options = options_of(job, near);
  MS_TRY(ms_list_nearest(job->query, &options, &job->nearest, err));
  ms_progress_end(&job->progress);
  const ms_nearest_result *r = job->nearest;
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_nearest_write(job->query, &options, r, &report.options, report.path, err));
  job->answer = (ms_answer){.run = &r->run,
                            .found = r->matches,
                            .remark = "; matches that cost less than the last one are complete",
                            .statistics = {.search = r->time_list,
                                           .output = ms_seconds() - begin,
                                           .engine = "cpu",
                                           .engine_reason = "motifs are listed on processors",
                                           .found = r->count_text}};
  return MS_OK;
}

static void nearest_summarize(const ms_job *job)
{
  const ms_nearest_result *r = job->nearest;
  uint64_t rows = r->begin ? r->matches : 0;
  if (rows > 0)
    ms_cli_note("%s matches, which cost %" PRIu32 " to %" PRIu32 ", each verified", r->count_text,
                r->cost[0], r->cost[rows - 1]);
  else
    ms_cli_note("%s matches", r->count_text);
  ms_cli_note("seconds: read %.3f, list %.3f, write %.3f", job->time_read, r->time_list,
              job->answer.statistics.output);
}

const ms_way ms_way_nearest = {
    .read = ms_read_motif_query, .run = nearest_run, .summarize = nearest_summarize};

/* ---- of all matches -------------------------------------------------------------------------- */

/* More matches than these are announced before they are listed.  They are counted for this time,
 * since counting is far faster than listing, and then estimated for as long. */
#define MANY_MATCHES 1000000u
#define LOOK_SECONDS 0.25

/* Returns about how many bytes a row takes: k names, a number and what is between them. */
static double bytes_of_row(const ms_job *job)
{
  double names = 0;
  uint32_t n = ms_graph_vertex_count(job->graph);
  for (uint32_t v = 0; v < n; v++)
    names += (double)strlen(ms_graph_name(job->graph, v)) + 1;
  return n ? 10 + ms_motif_size(job->motif) * names / n : 0;
}

/* Says that there are many matches, before they are listed.  estimate: about how many; less than 0:
 * the count is whole, or nothing is known about the rest. */
static void announce(const ms_job *job, const ms_list_result *count, double estimate)
{
  char size[32], about[48] = "";
  bool whole = count->run.stopped == MS_OK, known = !whole && estimate > (double)count->matches;
  double bytes = bytes_of_row(job) * (known ? estimate : (double)count->matches);
  ms_format_size(size, sizeof size, bytes < 1e18 ? (uint64_t)bytes : UINT64_C(1000000000000000000));
  if (known)
    ms_format(about, sizeof about, ", perhaps about %.0e,", estimate);
  ms_cli_note("the motif has %s%s%s matches, and the rows of that many take %s; --count and "
              "--participation summarise them, and --sample N draws N of them at random",
              whole ? "" : "more than ", count->count_text, about, size);
}

/* Returns about how many matches there are, or a number less than 0. */
static double estimate(const ms_job *job, const ms_list_options *count)
{
  double matches = -1;
  ms_list_options options = *count;
  if (ms_stop_child(job->options->stop, LOOK_SECONDS, &options.screen.run.stop, NULL) != MS_OK)
    return -1;
  ms_status status = ms_list_estimate(job->query, &options, &matches, NULL);
  ms_stop_free(options.screen.run.stop);
  return status == MS_OK ? matches : -1;
}

/* Counts for a moment, and announces the matches if they are many. */
static void look_ahead(const ms_job *job, const ms_list_options *run)
{
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .screen = MS_SCREEN_OPTIONS_DEFAULT,
                             .exact = true,
                             .count_only = true};
  ms_list_result *count;
  options.screen.run.threads = run->screen.run.threads;
  options.screen.run.memory = run->screen.run.memory;
  if (ms_stop_child(job->options->stop, LOOK_SECONDS, &options.screen.run.stop, NULL) != MS_OK)
    return;
  if (ms_list(job->query, &options, &count, NULL) == MS_OK) {
    double all = count->run.stopped == MS_OK ? -1 : estimate(job, &options);
    if (count->matches > MANY_MATCHES || all > MANY_MATCHES)
      announce(job, count, all);
    ms_list_result_free(count);
  }
  ms_stop_free(options.screen.run.stop);
}

/* Finds all matches, and then counts, draws or writes them. */
static ms_status find_then_write(ms_job *job, const ms_list_options *options, ms_report *report,
                                 ms_error *err)
{
  ms_list_options found = *options;
  /* how many there are is known once they have been chosen */
  found.count_only &= !options->diverse && !(options->families > 0);
  MS_TRY(ms_list(job->query, &found, &job->list, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_list_write(job->query, options, job->list, &report->options, report->path, err));
  job->list->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

/* Fills in the options; few: only some matches are asked for. */
static ms_status set_list_options(ms_job *job, ms_list_options *options, bool few, ms_error *err)
{
  const ms_cli_options *o = job->options;
  *options = o->list;
  options->count_only = options->count_only || options->participation;
  options->screen.method = few ? MS_METHOD_EXACT : ms_job_method(o);
  options->exact = options->screen.method == MS_METHOD_EXACT;
  if (options->exact)
    options->screen.method = MS_METHOD_SIEVE; /* there is no screen */
  options->vertex_scores = job->scores;
  options->screen.run = ms_job_limits(job);
  /* the library cannot tell the default of its options from a wish for the sieve */
  if (options->screen.run.division && !options->exact && options->screen.method == MS_METHOD_SIEVE)
    return ms_division_refuse(options->screen.run.division, "a list after the sieve", err);
  return MS_OK;
}

static ms_status list_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_list_options options;
  bool few = o->list.sample > 0 || o->list.diverse || o->list.families > 0;
  MS_TRY(set_list_options(job, &options, few, err));
  bool all = options.limit == 0 && options.top == 0 && options.min_density == 0 &&
             options.min_mean_score == 0 && !few;
  if (!o->quiet && !options.count_only && all && o->division.parts == 0)
    look_ahead(job, &options);
  ms_report_open(&report, job);
  /* a stated match is compared with the stored one */
  bool is_part = o->division.parts > 0;
  bool stores = options.count_only || ms_report_draws(o) ||
                (!is_part && ms_graph_motif_target(job->graph).kind == MS_TARGET_UNIQUE);
  MS_TRY(stores ? find_then_write(job, &options, &report, err)
                : ms_list_to_file(job->query, &options, &report.options, report.path, &job->list,
                                  err));
  const ms_list_result *r = job->list;
  job->answer = (ms_answer){
      .run = &r->run,
      .found = r->matches,
      .screen = r->screen,
      .statistics = {.search = r->time_list, .check = r->time_verify, .found = r->count_text}};
  return MS_OK;
}

/* Compares the matches with what the graph's file states, or says how near others are. */
static void list_compare(const ms_job *job)
{
  const ms_cli_options *o = job->options;
  const ms_list_result *list = job->list;
  if (o->division.parts > 0)
    return;
  ms_job_compare_list(job, list);
  bool all = o->list.min_density == 0 && o->list.min_mean_score == 0;
  if (!o->quiet && list->matches == 0 && list->run.stopped == MS_OK && all)
    ms_nearest_announce(job, !list->screen || list->screen->exact);
}

static void list_summarize(const ms_job *job)
{
  const ms_cli_options *o = job->options;
  const ms_list_result *list = job->list;
  const ms_screen_result *screen = list->screen;
  ms_job_print_screen(screen);
  if (list->run.units > 0)
    ms_job_print_units(&list->run);
  ms_cli_note("engine: %s: %s", list->run.engine, list->run.engine_reason);
  ms_cli_note("%" PRIu32 " candidate regions with %" PRIu32 " vertices; %s matches%s",
              list->regions, list->region_vertices, list->count_text,
              o->list.count_only || o->list.participation ? "" : ", each verified");
  ms_cli_note("seconds: read %.3f, prune %.3f, sieve %.3f, list %.3f, sort and verify %.3f",
              job->time_read, screen ? screen->time_prune : 0.0, screen ? screen->time_sieve : 0.0,
              list->time_list, list->time_verify);
  ms_cli_print_paranoid(&list->run.paranoid);
}

const ms_way ms_way_list = {.read = ms_read_motif_query,
                            .run = list_run,
                            .compare = list_compare,
                            .summarize = list_summarize};
