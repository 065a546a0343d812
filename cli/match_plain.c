/* Matches of a plain pattern: inputs -> ms_pattern_list -> rows as they are found, or their number.
 */
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/match.h"
#include "cli/report.h"
#include "graph/graph.h"

#include <inttypes.h>

/* ---- writing ---------------------------------------------------- */

typedef struct job_output {
  ms_output output; /* must be first: the library passes it to ms_output_rows */
  const ms_job *job;
} job_output;

/* Fills the header.  `known`: what is known about the result before the first row. */
static void describe_pattern(ms_result_header *h, const ms_job *job, const ms_pattern_result *known)
{
  h->kind = MS_KIND_PATTERN;
  ms_report_describe(h, job);
  ms_describe_screen(h, known->screen, &job->options->list.screen);
  h->has |= known->ordered ? 0 : MS_HAS_NO_ORDER;
  h->pattern.automorphisms = known->automorphisms_text;
  h->pattern.engine = known->engine;
}

static bool begin_output(void *user, const ms_pattern_result *known)
{
  job_output *o = user;
  describe_pattern(&o->output.writer.header, o->job, known);
  ms_report_attach(&o->output.writer, o->job);
  return ms_output_begin(&o->output);
}

/* ---- searching -------------------------------------------------- */

static ms_status write_pattern_count(const ms_job *job, const ms_pattern_result *result,
                                     ms_error *err)
{
  ms_writer w;
  ms_status status = ms_writer_open(&w, job->options->output, NULL, err);
  if (status == MS_OK && job->options->json) {
    describe_pattern(&w.header, job, result);
    w.header.status = ms_status_of(result->stopped, ms_job_at_limit(job, result->matches));
    w.header.subgraphs = result->subgraphs_text;
    w.header.embeddings = result->embeddings_text;
    status = ms_writer_count(&w, err);
  } else if (status == MS_OK) {
    ms_outfile_printf(w.out, "%s\n", result->count_text);
  }
  return ms_writer_close(&w, status, err);
}

static ms_status count_pattern(ms_job *job, const ms_pattern_index *index,
                               ms_pattern_result **result, ms_error *err)
{
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  ms_status status = ms_pattern_list(index, job->pattern, &options, result, err);
  ms_progress_end(&job->progress);
  return status == MS_OK ? write_pattern_count(job, *result, err) : status;
}

/* Draws the matches once all are known. */
static ms_status draw_pattern(ms_job *job, const ms_pattern_index *index,
                              ms_pattern_result **result, ms_error *err)
{
  ms_writer w;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  MS_TRY(ms_pattern_list(index, job->pattern, &options, result, err));
  ms_progress_end(&job->progress);
  ms_status status = ms_report_open(&w, job->options, err);
  if (status == MS_OK) {
    const ms_pattern_result *r = *result;
    describe_pattern(&w.header, job, r);
    ms_report_attach(&w, job);
    w.header.status = ms_status_of(r->stopped, ms_job_at_limit(job, r->matches));
    w.header.found = r->matches;
    status = ms_report_draw(&w, job, NULL, r->vertices, err);
  }
  return ms_writer_close(&w, status, err);
}

static ms_status list_rows(ms_job *job, const ms_pattern_index *index, ms_pattern_result **result,
                           ms_error *err)
{
  job_output o = {.job = job, .output.names = job->graph->names};
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  options.begin = begin_output;
  options.rows = ms_output_rows;
  options.rows_user = &o;
  ms_status status = ms_report_open(&o.output.writer, job->options, err);
  if (status == MS_OK) {
    status = ms_pattern_list(index, job->pattern, &options, result, err);
    ms_progress_end(&job->progress);
  }
  if (status == MS_OK) {
    const ms_pattern_result *r = *result;
    if (!o.output.begun)
      begin_output(&o, r); /* no row has begun the output */
    status = ms_output_end(&o.output, r->stopped == MS_OK ? r->matches : o.output.writer.rows,
                           r->stopped, ms_job_at_limit(job, r->matches), err);
  }
  return ms_writer_close(&o.output.writer, status, err);
}

/* ---- the search ------------------------------------------------ */

static void print_pattern_summary(const ms_job *job, const ms_pattern_result *r, double indexed)
{
  ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_print_screen(job, r->screen);
  ms_cli_note("engine: %s: %s", r->engine, r->engine_reason);
  ms_cli_note("%" PRIu32 " vertices searched", r->region_vertices);
  ms_cli_note("%s subgraphs, %s embeddings (the pattern has %s automorphisms)%s", r->subgraphs_text,
              r->embeddings_text, r->automorphisms_text,
              job->options->list.count_only ? "" : ", each listed match verified");
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f (with %.3f of pruning and %.3f of the "
              "sieve), list and write %.3f",
              job->time_read, indexed, r->time_plan, r->screen ? r->screen->time_prune : 0.0,
              r->screen ? r->screen->time_sieve : 0.0, r->time_list);
}

static ms_status write_pattern_statistics(const ms_job *job, const ms_pattern_result *r,
                                          double indexed, ms_error *err)
{
  const ms_screen_result *screen = r->screen;
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(job, r->matches));
  ms_statistics s = {.index = indexed,
                     .prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_plan - (screen ? screen->time_prune + screen->time_sieve : 0),
                     .search = r->time_list,
                     .engine = r->engine,
                     .engine_reason = r->engine_reason,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .screen_reason = r->screen_reason,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(job, s, err);
}

int ms_match_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  double begun = ms_seconds();
  ms_status status =
      ms_pattern_index_new(job->graph, job->coloring, o->list.screen.threads, &index, err);
  double indexed = ms_seconds() - begun;
  if (status == MS_OK)
    status = o->list.count_only ? count_pattern(job, index, &result, err)
             : o->cx2 || o->dot ? draw_pattern(job, index, &result, err)
                                : list_rows(job, index, &result, err);
  if (status == MS_OK)
    ms_job_warn_of_devices(job, result->screen);
  if (status == MS_OK)
    status = write_pattern_statistics(job, result, indexed, err);
  if (status == MS_OK && o->verbose)
    print_pattern_summary(job, result, indexed);
  int code = status == MS_OK
                 ? ms_job_outcome(job, result->stopped, result->matches, result->count_text,
                                  ms_job_order_remark(job, result->ordered))
                 : ms_cli_error(err);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  return code;
}
