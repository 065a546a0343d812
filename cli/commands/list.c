/* motifsieve list: inputs -> ms_list_to_file -> matches of a motif, or their number. */
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/many_motifs.h"
#include "cli/commands/motif_significance.h"
#include "cli/commands/nearest.h"
#include "cli/commands/report.h"
#include "cli/division.h"
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

static ms_status write_statistics(const ms_job *job, const ms_nearest_result *r, double written,
                                  ms_error *err)
{
  ms_result_status status = ms_status_of(r->run.stopped, ms_job_at_limit(job, r->matches));
  ms_statistics s = {.search = r->time_list,
                     .output = written,
                     .engine = "cpu",
                     .engine_reason = "motifs are listed on processors",
                     .work = &r->run.work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(job, s, err);
}

static void print_summary(const ms_job *job, const ms_nearest_result *r, double written)
{
  uint64_t rows = r->begin ? r->matches : 0;
  if (rows > 0)
    ms_cli_note("%s matches, which cost %" PRIu32 " to %" PRIu32 ", each verified", r->count_text,
                r->cost[0], r->cost[rows - 1]);
  else
    ms_cli_note("%s matches", r->count_text);
  ms_cli_note("seconds: read %.3f, list %.3f, write %.3f", job->time_read, r->time_list, written);
}

/* Lists the matches in the order of their costs; returns an exit code. */
static int nearest_list(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_nearest_result *r = NULL;
  ms_substitutes *substitutes;
  double written = 0;
  ms_screen_options near = o->list.screen;
  near.run = ms_cli_limits(job->options, &job->progress);
  ms_nearest_settle(job, &near);
  ms_status status = ms_nearest_read_substitutes(job, &near, &substitutes, err);
  ms_nearest_options options = options_of(job, near);
  if (status == MS_OK)
    status = ms_list_nearest(job->query, &options, &r, err);
  ms_progress_end(&job->progress);
  if (status == MS_OK) {
    double begin = ms_seconds();
    ms_report_open(&report, job);
    status = ms_nearest_write(job->query, &options, r, &report.options, report.path, err);
    written = ms_seconds() - begin;
  }
  if (status == MS_OK)
    status = write_statistics(job, r, written, err);
  if (status == MS_OK && o->verbose)
    print_summary(job, r, written);
  int code = status == MS_OK ? ms_job_outcome(job, r->run.stopped, r->matches, r->count_text,
                                              "; matches that cost less than the last one are "
                                              "complete")
                             : ms_cli_error(err);
  ms_nearest_result_free(r);
  ms_substitutes_free(substitutes);
  return code;
}

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
                                 ms_list_result **list, ms_error *err)
{
  MS_TRY(ms_list(job->query, options, list, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_list_write(job->query, options, *list, &report->options, report->path, err));
  (*list)->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

static ms_status run(ms_job *job, ms_list_result **list, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_list_options options = o->list;
  options.count_only = options.count_only || options.participation;
  bool few = options.sample > 0 || options.diverse || options.families > 0;
  options.screen.method = few ? MS_METHOD_EXACT : ms_job_method(o);
  options.exact = options.screen.method == MS_METHOD_EXACT;
  if (options.exact)
    options.screen.method = MS_METHOD_SIEVE; /* there is no screen */
  options.vertex_scores = job->scores;
  options.division = ms_cli_division(job->options, &job->division);
  /* the library cannot tell the default of its options from a wish for the sieve */
  if (options.division && !options.exact && options.screen.method == MS_METHOD_SIEVE)
    MS_TRY(ms_division_refuse(options.division, "a list after the sieve", err));
  options.screen.run = ms_cli_limits(job->options, &job->progress);
  bool all = options.limit == 0 && options.top == 0 && options.min_density == 0 &&
             options.min_mean_score == 0 && !few;
  if (!o->quiet && !options.count_only && all && o->division.parts == 0)
    look_ahead(job, &options);
  ms_report_open(&report, job);
  /* a stated match is compared with the stored one */
  bool is_part = o->division.parts > 0;
  bool stores = options.count_only || ms_report_draws(o) ||
                (!is_part && ms_graph_motif_target(job->graph).kind == MS_TARGET_UNIQUE);
  ms_status status =
      stores ? find_then_write(job, &options, &report, list, err)
             : ms_list_to_file(job->query, &options, &report.options, report.path, list, err);
  ms_progress_end(&job->progress);
  return status;
}

static void print_motif_summary(const ms_job *job, const ms_list_result *list)
{
  const ms_screen_result *screen = list->screen;
  if (screen)
    ms_job_print_screen(screen);
  if (list->run.units > 0)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                list->run.units, list->run.resumed, list->run.time_checkpoint);
  ms_cli_note("engine: %s: %s", list->run.engine, list->run.engine_reason);
  ms_cli_note(
      "%" PRIu32 " candidate regions with %" PRIu32 " vertices; %s matches%s", list->regions,
      list->region_vertices, list->count_text,
      job->options->list.count_only || job->options->list.participation ? "" : ", each verified");
  ms_cli_note("seconds: read %.3f, prune %.3f, sieve %.3f, list %.3f, sort and verify %.3f",
              job->time_read, screen ? screen->time_prune : 0.0, screen ? screen->time_sieve : 0.0,
              list->time_list, list->time_verify);
}

static ms_status write_motif_statistics(const ms_job *job, const ms_list_result *list,
                                        ms_error *err)
{
  const ms_screen_result *screen = list->screen;
  ms_result_status status = ms_status_of(list->run.stopped, ms_job_at_limit(job, list->matches));
  ms_statistics s = {.prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .search = list->time_list,
                     .check = list->time_verify,
                     .output = list->run.time_write,
                     .engine = list->run.engine,
                     .engine_reason = list->run.engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .work = &list->run.work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = list->count_text};
  return ms_report_statistics(job, s, err);
}

int ms_run_list(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_list_result *list = NULL;
  ms_status status = ms_job_open(o, &job, &err);
  if (status == MS_OK && o->motifs) {
    int code = ms_run_motifs(&job, &err);
    ms_job_close(&job);
    return code;
  }
  if (status == MS_OK && ms_motif_significance_is_wanted(o)) {
    int code = ms_run_motif_significance(&job, &err);
    ms_job_close(&job);
    return code;
  }
  if (status == MS_OK && ms_nearest_is_wanted(o)) {
    int code = nearest_list(&job, &err);
    ms_job_close(&job);
    return code;
  }
  if (status == MS_OK)
    status = run(&job, &list, &err);
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, list->screen);
  bool is_part = o->division.parts > 0;
  if (status == MS_OK && !is_part)
    ms_job_compare_list(&job, list);
  bool all = o->list.min_density == 0 && o->list.min_mean_score == 0;
  if (status == MS_OK && !o->quiet && list->matches == 0 && list->run.stopped == MS_OK && all &&
      !is_part)
    ms_nearest_announce(&job, !list->screen || list->screen->exact);
  if (status == MS_OK)
    status = write_motif_statistics(&job, list, &err);
  if (status == MS_OK && o->verbose) {
    print_motif_summary(&job, list);
    ms_cli_print_paranoid(&list->run.paranoid);
  }
  int code = status == MS_OK
                 ? ms_job_outcome(&job, list->run.stopped, list->matches, list->count_text, "")
                 : ms_cli_error(&err);
  ms_list_result_free(list);
  ms_job_close(&job);
  return code;
}
