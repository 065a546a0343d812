/* motifsieve match: the matches of a pattern of any kind. */
#include "cli/job.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/options/option_table.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

/* ---- a typed pattern ------------------------------------------------------------------------- */

/* Matches of a typed pattern: inputs -> ms_typed_match_to_file -> rows, or their number; or
 * ms_typed_match_inexact -> the best maps. */

typedef struct typed_work {
  ms_job *job;
  ms_report report;
  ms_typed_match_options options;
  ms_typed_result *result;
} typed_work;

/* Finds all matches, and then counts, draws or writes them. */
static ms_status typed_find_then_write(typed_work *w, ms_error *err)
{
  const ms_typed_query *query = w->job->typed_query;
  MS_TRY(w->job->options->typed_match.inexact
             ? ms_typed_match_inexact(query, &w->options, &w->result, err)
             : ms_typed_match(query, &w->options, &w->result, err));
  ms_progress_end(&w->job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_typed_result_write(query, &w->options, w->result, &w->report.options, w->report.path,
                               err));
  w->result->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(&w->report, w->job, false);
  return MS_OK;
}

static ms_status typed_run(typed_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job->options;
  bool stores = o->list.count_only || o->typed_match.inexact || ms_report_draws(o);
  ms_report_open(&w->report, w->job);
  ms_status status =
      stores ? typed_find_then_write(w, err)
             : ms_typed_match_to_file(w->job->typed_query, &w->options, &w->report.options,
                                      w->report.path, &w->result, err);
  ms_progress_end(&w->job->progress);
  return status;
}

/* ---- summary ------------------------------------------------------------- */

static void print_summary(const typed_work *w)
{
  const ms_typed_result *r = w->result;
  ms_typed_info info = ms_typed_describe(w->job->typed);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges, between %" PRIu32
              " of %" PRIu32 " vertices",
              r->edges_kept, info.edges, r->vertices_kept, info.vertices);
  ms_cli_note("a walk of %" PRIu32 " steps left %" PRIu32 " active vertices", r->walk_length,
              r->vertices_active);
  for (uint32_t i = 0; r->domain && i < r->p; i++)
    ms_cli_note("  %s: %" PRIu32, ms_typed_pattern_vertex_name(w->job->typed_pattern, i),
                r->domain[i]);
  ms_cli_note("%s %s (the pattern has %s automorphisms)%s", r->count_text,
              r->score                ? "maps"
              : w->options.embeddings ? "embeddings"
                                      : "subgraphs",
              r->automorphisms_text,
              w->options.count_only || r->score ? "" : ", each listed match verified");
  if (r->screen_reason)
    ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_print_screen(r->screen);
  if (r->run.units > 0)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                r->run.units, r->run.resumed, r->run.time_checkpoint);
  if (!r->score)
    ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  if (r->plain) /* without this, the count would have taken long */
    ms_cli_note("counted as a plain pattern, whose colours are the candidates of each vertex");
  ms_cli_note("seconds: read %.3f, filter %.3f, walk %.3f, search and write %.3f",
              w->job->time_read, r->time_filter, r->time_walk, r->time_search);
}

static int outcome(const typed_work *w)
{
  const ms_cli_options *o = w->job->options;
  if (o->typed_match.inexact && !o->quiet && w->result->matches == 0 &&
      w->result->run.stopped == MS_OK)
    ms_cli_warn(
        "no walk through the graph has the types that the pattern's walk asks for, so there "
        "is nothing to score; allow further types with '|', or leave out edges that may be "
        "missing");
  return ms_job_outcome(w->job, w->result->run.stopped, w->result->matches, w->result->count_text,
                        ms_job_order_remark(w->job, o->typed_match.inexact || w->result->ordered));
}

static ms_status write_statistics(const typed_work *w, ms_error *err)
{
  const ms_typed_result *r = w->result;
  ms_result_status status = ms_status_of(r->run.stopped, ms_job_at_limit(w->job, r->matches));
  const ms_screen_result *screen = r->screen;
  double sieved = screen ? screen->time_prune + screen->time_sieve : 0;
  ms_statistics s = {.prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_filter + r->time_walk,
                     .search = r->time_search - sieved,
                     .output = r->run.time_write,
                     .engine = r->inexact ? "cpu" : r->run.engine,
                     .engine_reason = r->inexact ? "inexact searches typed_run on processors"
                                                 : r->run.engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .screen_reason = r->screen_reason,
                     .work = &r->run.work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(w->job, s, err);
}

static int match_typed(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  typed_work *w = ms_calloc(1, sizeof *w);
  if (!w) {
    ms_fail_memory(err, "a search");
    return ms_cli_error(err);
  }
  w->job = job;
  ms_typed_options_of(job, &w->options);
  ms_status status = typed_run(w, err);
  if (status == MS_OK)
    ms_job_warn_of_devices(job, w->result->screen);
  if (status == MS_OK)
    status = write_statistics(w, err);
  if (status == MS_OK && o->verbose)
    print_summary(w);
  int code = status == MS_OK ? outcome(w) : ms_cli_error(err);
  ms_typed_result_free(w->result);
  ms_free(w);
  return code;
}

/* ---- a plain pattern ------------------------------------------------------------------------- */

/* Matches of a plain pattern: inputs -> ms_pattern_list_to_file -> rows, or their number. */

/* Finds all matches, and then counts or draws them. */
static ms_status find_then_write(ms_job *job, const ms_pattern_index *index, ms_report *report,
                                 const ms_pattern_options *options, ms_pattern_result **result,
                                 ms_error *err)
{
  MS_TRY(ms_pattern_list(index, job->pattern, options, result, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(
      ms_pattern_write(index, job->pattern, options, *result, &report->options, report->path, err));
  (*result)->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

static ms_status run(ms_job *job, const ms_pattern_index *index, ms_pattern_result **result,
                     ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  ms_report_open(&report, job);
  ms_status status = o->list.count_only || ms_report_draws(o)
                         ? find_then_write(job, index, &report, &options, result, err)
                         : ms_pattern_list_to_file(index, job->pattern, &options, &report.options,
                                                   report.path, result, err);
  ms_progress_end(&job->progress);
  return status;
}

static void print_pattern_summary(const ms_job *job, const ms_pattern_result *r, double indexed)
{
  ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_print_screen(r->screen);
  if (r->run.units > 0)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                r->run.units, r->run.resumed, r->run.time_checkpoint);
  ms_cli_print_paranoid(&r->run.paranoid);
  ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  ms_cli_note("%" PRIu32 " vertices searched", r->region_vertices);
  ms_cli_note("%s subgraphs, %s embeddings (the pattern has %s automorphisms)%s", r->subgraphs_text,
              r->embeddings_text, r->automorphisms_text,
              job->options->list.count_only ? "" : ", each listed match verified");
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f (with %.3f of pruning and %.3f of the "
              "sieve), list %.3f, write %.3f",
              job->time_read, indexed, r->time_plan, r->screen ? r->screen->time_prune : 0.0,
              r->screen ? r->screen->time_sieve : 0.0, r->time_list, r->run.time_write);
}

static ms_status write_pattern_statistics(const ms_job *job, const ms_pattern_result *r,
                                          double indexed, ms_error *err)
{
  const ms_screen_result *screen = r->screen;
  ms_result_status status = ms_status_of(r->run.stopped, ms_job_at_limit(job, r->matches));
  ms_statistics s = {.index = indexed,
                     .prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_plan - (screen ? screen->time_prune + screen->time_sieve : 0),
                     .search = r->time_list,
                     .output = r->run.time_write,
                     .engine = r->run.engine,
                     .engine_reason = r->run.engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .work = &r->run.work,
                     .screen_reason = r->screen_reason,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(job, s, err);
}

/* These two search for the job's pattern and write what they find; they return an exit code. */
static int match_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  double begun = ms_seconds();
  ms_progress_report(&job->progress, "the index is built", 0, 0);
  ms_status status =
      ms_pattern_index_new(job->graph, job->coloring, o->list.screen.run.threads, &index, err);
  double indexed = ms_seconds() - begun;
  if (status == MS_OK)
    status = run(job, index, &result, err);
  if (status == MS_OK)
    ms_job_warn_of_devices(job, result->screen);
  if (status == MS_OK)
    status = write_pattern_statistics(job, result, indexed, err);
  if (status == MS_OK && o->verbose)
    print_pattern_summary(job, result, indexed);
  int code = status == MS_OK
                 ? ms_job_outcome(job, result->run.stopped, result->matches, result->count_text,
                                  ms_job_order_remark(job, result->ordered))
                 : ms_cli_error(err);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

int ms_run_match(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_status status = ms_job_open(o, &job, &err);
  int code = status != MS_OK   ? ms_cli_error(&err)
             : job.typed_query ? match_typed(&job, &err)
                               : match_plain(&job, &err);
  ms_job_close(&job);
  return code;
}
