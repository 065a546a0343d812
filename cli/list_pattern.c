/* motifsieve list --pattern: inputs -> ms_pattern_list -> rows of matches as
 * they are found, or their number. */
#include "cli/list_pattern.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "result/pattern_writer.h"
#include "result/writer.h"

#include <inttypes.h>

/* ---- words --------------------------------------------------------------- */

bool ms_pattern_at_limit(const ms_job *job, const ms_pattern_result *result)
{
  return job->options->list.limit > 0 && result->matches >= job->options->list.limit;
}

const char *ms_pattern_status(const ms_job *job, const ms_pattern_result *result)
{
  return ms_status_words(result->stopped, ms_pattern_at_limit(job, result));
}

const char *ms_pattern_semantics(const ms_job *job)
{
  return job->options->pattern.embeddings ? "embeddings" : "subgraphs";
}

/* ---- writing ------------------------------------------------------------- */

/* The output while the search runs. */
typedef struct stream {
  ms_pattern_output output;
  bool begun;
  ms_status status; /* of the first failure */
  ms_error err;
} stream;

static bool begin(void *user, const ms_pattern_result *known)
{
  stream *s = user;
  s->begun = true;
  s->status = s->output.writer->head(&s->output, known, &s->err);
  return s->status == MS_OK && !ms_outfile_failed(s->output.out);
}

static bool put_rows(void *user, const uint32_t *rows, uint64_t count)
{
  stream *s = user;
  s->output.writer->rows(&s->output, rows, count);
  s->output.rows += count;
  return !ms_outfile_failed(s->output.out);
}

static ms_status open_stream(stream *s, const ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  *s = (stream){.output = {.job = job,
                           .writer = o->json             ? &ms_pattern_writer_json
                                     : o->pattern.binary ? &ms_pattern_writer_binary
                                                         : &ms_pattern_writer_tsv}};
  s->output.buffer = ms_alloc(1, sizeof *s->output.buffer);
  if (!s->output.buffer)
    return ms_fail_memory(err, "a buffer for rows");
  ms_status status = ms_outfile_open(o->output, &s->output.out, err);
  s->output.buffer->out = s->output.out;
  s->output.buffer->used = 0;
  if (status == MS_OK && !o->quiet)
    ms_warn_of_ending(o);
  return status;
}

/* What is left to write once the search is over. */
static ms_status end_stream(stream *s, const ms_pattern_result *result, ms_error *err)
{
  ms_pattern_output *o = &s->output;
  if (!s->begun)
    begin(s, result); /* there was no row */
  if (s->status == MS_OK && result->stopped == MS_OK && result->matches != o->rows)
    s->status = ms_fail(&s->err, MS_ERR_INTERNAL,
                        "%" PRIu64 " matches were found, and %" PRIu64 " written; this is a bug in "
                        "motifsieve, please report it with the input files",
                        result->matches, o->rows);
  if (s->status == MS_OK) {
    ms_row_buffer_flush(o->buffer);
    s->status = o->writer->end(o, result, &s->err);
  }
  if (s->status != MS_OK && err)
    *err = s->err;
  return s->status;
}

/* Whole, or not at all. */
static ms_status close_stream(stream *s, ms_status status, ms_error *err)
{
  ms_outfile *out = s->output.out;
  ms_free(s->output.buffer);
  if (out && status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* ---- searching ----------------------------------------------------------- */

void ms_pattern_options_of(ms_job *job, ms_pattern_options *options)
{
  const ms_cli_options *o = job->options;
  *options = (ms_pattern_options){.induced = o->pattern.induced,
                                  .embeddings = o->pattern.embeddings,
                                  .engine = o->pattern.engine,
                                  .order = o->pattern.order,
                                  .screen_mode = o->pattern.screen,
                                  .screen = o->list.screen,
                                  .count_only = o->list.count_only,
                                  .limit = o->list.limit};
  ms_job_attach(job, &options->screen);
}

static ms_status write_count(const ms_job *job, const ms_pattern_result *result, ms_error *err)
{
  ms_outfile *out;
  ms_status status = ms_outfile_open(job->options->output, &out, err);
  if (status != MS_OK)
    return status;
  if (job->options->json)
    status = ms_put_pattern_count(out, job, result, err);
  else
    ms_outfile_printf(out, "%s\n", result->count_text);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

static ms_status count(ms_job *job, const ms_pattern_index *index, ms_pattern_result **result,
                       ms_error *err)
{
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  ms_status status = ms_pattern_list(index, job->pattern, &options, result, err);
  ms_progress_end(&job->progress);
  return status == MS_OK ? write_count(job, *result, err) : status;
}

static ms_status list(ms_job *job, const ms_pattern_index *index, ms_pattern_result **result,
                      ms_error *err)
{
  stream s;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  options.begin = begin;
  options.rows = put_rows;
  options.rows_user = &s;
  ms_status status = open_stream(&s, job, err);
  if (status == MS_OK) {
    status = ms_pattern_list(index, job->pattern, &options, result, err);
    ms_progress_end(&job->progress);
  }
  if (status == MS_OK)
    status = end_stream(&s, *result, err);
  return close_stream(&s, status, err);
}

/* ---- telling ------------------------------------------------------------- */

static int outcome(const ms_job *job, const ms_pattern_result *result)
{
  const ms_cli_options *o = job->options;
  if (result->stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %s matches; the result is incomplete%s",
                  result->stopped != MS_ERR_LIMIT    ? "interrupted"
                  : ms_pattern_at_limit(job, result) ? "stopped by --limit"
                                                     : "out of time",
                  result->count_text,
                  result->ordered || o->list.count_only ? "" : ", and another run may find others");
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && result->matches == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

static void tell(const ms_job *job, const ms_pattern_result *r, double indexed)
{
  ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_tell_screen(job, r->screen);
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

int ms_list_pattern(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  ms_status status = ms_job_open(o, &job, &err);
  double begun = ms_seconds();
  if (status == MS_OK)
    status = ms_pattern_index_new(job.graph, job.coloring, o->list.screen.threads, &index, &err);
  double indexed = ms_seconds() - begun;
  if (status == MS_OK)
    status =
        o->list.count_only ? count(&job, index, &result, &err) : list(&job, index, &result, &err);
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, result->screen);
  if (status == MS_OK && o->verbose)
    tell(&job, result, indexed);
  int code = status == MS_OK ? outcome(&job, result) : ms_cli_error(&err);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_job_close(&job);
  return code;
}
