/* Matches of a typed pattern: inputs -> ms_typed_match_to_file -> rows, or their number; or
 * ms_typed_match_inexact -> the best maps. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/match.h"
#include "cli/option_table.h"
#include "cli/report.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

typedef struct work {
  ms_job *job;
  ms_report report;
  ms_typed_match_options options;
  ms_typed_result *result;
} work;

/* Finds all matches, and then counts, draws or writes them. */
static ms_status find_then_write(work *w, ms_error *err)
{
  const ms_typed_query *query = w->job->typed_query;
  MS_TRY(w->job->options->typed_match.inexact
             ? ms_typed_match_inexact(query, &w->options, &w->result, err)
             : ms_typed_match(query, &w->options, &w->result, err));
  ms_progress_end(&w->job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_typed_result_write(query, &w->options, w->result, &w->report.options, w->report.path,
                               err));
  w->result->time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(&w->report, w->job, false);
  return MS_OK;
}

static ms_status run(work *w, ms_error *err)
{
  const ms_cli_options *o = w->job->options;
  bool stores = o->list.count_only || o->typed_match.inexact || ms_report_draws(o);
  ms_report_open(&w->report, w->job);
  ms_status status =
      stores ? find_then_write(w, err)
             : ms_typed_match_to_file(w->job->typed_query, &w->options, &w->report.options,
                                      w->report.path, &w->result, err);
  ms_progress_end(&w->job->progress);
  return status;
}

/* ---- summary ------------------------------------------------------------- */

static void print_summary(const work *w)
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
  if (r->units > 0)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                r->units, r->resumed, r->time_checkpoint);
  if (!r->score)
    ms_cli_note("engine: %s: %s", r->engine, r->engine_reason);
  if (r->plain) /* without this, the count would have taken long */
    ms_cli_note("counted as a plain pattern, whose colours are the candidates of each vertex");
  ms_cli_note("seconds: read %.3f, filter %.3f, walk %.3f, search and write %.3f",
              w->job->time_read, r->time_filter, r->time_walk, r->time_search);
}

static int outcome(const work *w)
{
  const ms_cli_options *o = w->job->options;
  if (o->typed_match.inexact && !o->quiet && w->result->matches == 0 && w->result->stopped == MS_OK)
    ms_cli_warn(
        "no walk through the graph has the types that the pattern's walk asks for, so there "
        "is nothing to score; allow further types with '|', or leave out edges that may be "
        "missing");
  return ms_job_outcome(w->job, w->result->stopped, w->result->matches, w->result->count_text,
                        ms_job_order_remark(w->job, o->typed_match.inexact || w->result->ordered));
}

static ms_status write_statistics(const work *w, ms_error *err)
{
  const ms_typed_result *r = w->result;
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(w->job, r->matches));
  const ms_screen_result *screen = r->screen;
  double sieved = screen ? screen->time_prune + screen->time_sieve : 0;
  ms_statistics s = {.prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_filter + r->time_walk,
                     .search = r->time_search - sieved,
                     .output = r->time_write,
                     .engine = r->inexact ? "cpu" : r->engine,
                     .engine_reason =
                         r->inexact ? "inexact searches run on processors" : r->engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .screen_reason = r->screen_reason,
                     .work = &r->work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(w->job, s, err);
}

int ms_match_typed(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  work *w = ms_calloc(1, sizeof *w);
  if (!w) {
    ms_fail_memory(err, "a search");
    return ms_cli_error(err);
  }
  w->job = job;
  ms_typed_options_of(job, &w->options);
  ms_status status = run(w, err);
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
