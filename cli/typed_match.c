/* motifsieve typed-match: inputs -> ms_typed_match -> rows of matches as they are
 * found, or their number; or ms_typed_match_inexact -> the best maps. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/typed_inputs.h"
#include "cli/typed_query.h"
#include "result/typed_writer.h"
#include "result/writer.h"

#include <inttypes.h>
#include <string.h>

typedef struct work {
  ms_job job;
  ms_typed_inputs inputs;
  ms_typed_match_options options;
  ms_typed_result *result;
  ms_typed_output output;
  bool begun;
  ms_status status; /* of the first failure to write */
  ms_error err;
} work;

static bool at_limit(const work *w)
{
  return w->options.limit > 0 && w->result->matches >= w->options.limit;
}

static const char *status_text(const work *w)
{
  return ms_status_words(w->result->stopped, at_limit(w));
}

/* ---- writing ------------------------------------------------------------- */

static bool begin(void *user, const ms_typed_result *known)
{
  work *w = user;
  w->begun = true;
  w->status = w->output.writer->head(&w->output, known, &w->err);
  return w->status == MS_OK && !ms_outfile_failed(w->output.out);
}

static bool put_rows(void *user, const uint32_t *rows, uint64_t count)
{
  work *w = user;
  w->output.writer->rows(&w->output, rows, NULL, count);
  w->output.rows += count;
  return !ms_outfile_failed(w->output.out);
}

static ms_status open_output(work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  w->output = (ms_typed_output){.job = &w->job,
                                .graph = w->inputs.graph,
                                .pattern = w->inputs.pattern,
                                .pattern_is_text = w->inputs.pattern_is_text,
                                .inexact = o->typed_match.inexact,
                                .options = &w->options,
                                .writer = o->json ? &ms_typed_writer_json : &ms_typed_writer_tsv};
  w->output.buffer = ms_alloc(1, sizeof *w->output.buffer);
  if (!w->output.buffer)
    return ms_fail_memory(err, "a buffer for rows");
  ms_status status = ms_outfile_open(o->output, &w->output.out, err);
  w->output.buffer->out = w->output.out;
  w->output.buffer->used = 0;
  if (status == MS_OK && !o->quiet)
    ms_warn_of_ending(o);
  return status;
}

/* What is left to write once the search is over. */
static ms_status end_output(work *w, ms_error *err)
{
  if (!w->begun)
    begin(w, w->result); /* there was no row */
  if (w->status == MS_OK && w->result->matches != w->output.rows)
    w->status = ms_fail(&w->err, MS_ERR_INTERNAL,
                        "%" PRIu64 " matches were found, and %" PRIu64 " written; this is a bug in "
                        "motifsieve, please report it with the input files",
                        w->result->matches, w->output.rows);
  if (w->status == MS_OK) {
    ms_row_buffer_flush(w->output.buffer);
    w->status = w->output.writer->end(&w->output, status_text(w), &w->err);
  }
  if (w->status != MS_OK && err)
    *err = w->err;
  return w->status;
}

/* Whole, or not at all. */
static ms_status close_output(work *w, ms_status status, ms_error *err)
{
  ms_outfile *out = w->output.out;
  ms_free(w->output.buffer);
  if (out && status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* ---- searching ----------------------------------------------------------- */

static ms_status count(work *w, ms_error *err)
{
  ms_status status = ms_typed_match(w->inputs.query, &w->options, &w->result, err);
  ms_progress_end(&w->job.progress);
  if (status == MS_OK)
    status = ms_outfile_open(w->job.options->output, &w->output.out, err);
  if (status != MS_OK)
    return status;
  if (w->job.options->json) {
    ms_outfile *out = w->output.out;
    w->output = (ms_typed_output){.job = &w->job,
                                  .graph = w->inputs.graph,
                                  .pattern = w->inputs.pattern,
                                  .pattern_is_text = w->inputs.pattern_is_text,
                                  .options = &w->options,
                                  .out = out};
    status = ms_put_typed_count(out, &w->output, w->result, status_text(w), err);
  } else {
    ms_outfile_printf(w->output.out, "%s\n", w->result->count_text);
  }
  w->output.buffer = NULL;
  return close_output(w, status, err);
}

static ms_status list(work *w, ms_error *err)
{
  w->options.begin = begin;
  w->options.rows = put_rows;
  w->options.rows_user = w;
  ms_status status = open_output(w, err);
  if (status == MS_OK) {
    status = ms_typed_match(w->inputs.query, &w->options, &w->result, err);
    ms_progress_end(&w->job.progress);
  }
  if (status == MS_OK)
    status = end_output(w, err);
  return close_output(w, status, err);
}

static ms_status list_best(work *w, ms_error *err)
{
  ms_status status = open_output(w, err);
  if (status == MS_OK) {
    status = ms_typed_match_inexact(w->inputs.query, &w->options, &w->result, err);
    ms_progress_end(&w->job.progress);
  }
  if (status == MS_OK && begin(w, w->result)) {
    const ms_typed_result *r = w->result;
    w->output.writer->rows(&w->output, r->vertices, r->score, r->matches);
    w->output.rows = r->matches;
  }
  if (status == MS_OK)
    status = end_output(w, err);
  return close_output(w, status, err);
}

static void set_options(work *w)
{
  const ms_cli_options *o = w->job.options;
  w->options = (ms_typed_match_options){.embeddings = o->pattern.embeddings,
                                        .count_only = o->list.count_only,
                                        .limit = o->list.limit,
                                        .best = o->typed_match.best,
                                        .walk = o->typed_match.walk,
                                        .walk_length = o->typed_match.walk_length,
                                        .seed = o->list.screen.seed,
                                        .threads = o->list.screen.threads,
                                        .memory = o->list.screen.memory,
                                        .stop = w->job.stop,
                                        .progress = ms_progress_report,
                                        .progress_user = &w->job.progress};
}

/* ---- telling ------------------------------------------------------------- */

static void tell(const work *w)
{
  const ms_typed_result *r = w->result;
  ms_typed_info info = ms_typed_describe(w->inputs.graph);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges, between %" PRIu32
              " of %" PRIu32 " vertices",
              r->edges_kept, info.edges, r->vertices_kept, info.vertices);
  ms_cli_note("a walk of %" PRIu32 " steps left %" PRIu32 " active vertices", r->walk_length,
              r->vertices_active);
  for (uint32_t i = 0; r->domain && i < r->p; i++)
    ms_cli_note("  %s: %" PRIu32, ms_typed_pattern_vertex_name(w->inputs.pattern, i), r->domain[i]);
  ms_cli_note("%s %s (the pattern has %s automorphisms)%s", r->count_text,
              r->score                ? "maps"
              : w->options.embeddings ? "embeddings"
                                      : "subgraphs",
              r->automorphisms_text,
              w->options.count_only || r->score ? "" : ", each listed match verified");
  if (r->plain) /* it would have taken long otherwise */
    ms_cli_note("counted as a plain pattern, whose colours are what each vertex may be");
  ms_cli_note("seconds: read %.3f, filter %.3f, walk %.3f, search and write %.3f", w->job.time_read,
              r->time_filter, r->time_walk, r->time_search);
}

static int outcome(const work *w)
{
  const ms_cli_options *o = w->job.options;
  if (o->typed_match.inexact && !o->quiet && w->result->matches == 0 && w->result->stopped == MS_OK)
    ms_cli_warn(
        "no walk through the graph has the types that the pattern's walk asks for, so there "
        "is nothing to score; allow further types with '|', or leave out edges that may be "
        "missing");
  if (w->result->stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %s matches; the result is incomplete",
                  w->result->stopped != MS_ERR_LIMIT ? "interrupted"
                  : at_limit(w)                      ? "stopped by --limit"
                                                     : "out of time",
                  w->result->count_text);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && w->result->matches == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_run_typed_match(const ms_cli_options *o)
{
  ms_error err;
  work *w = ms_calloc(1, sizeof *w);
  if (!w) {
    ms_fail_memory(&err, "a search");
    return ms_cli_error(&err);
  }
  ms_status status = ms_job_begin(o, &w->job, &err);
  if (status == MS_OK)
    status = ms_typed_inputs_open(&w->job, &w->inputs, &err);
  if (status == MS_OK) {
    set_options(w);
    status = o->typed_match.inexact ? list_best(w, &err)
             : o->list.count_only   ? count(w, &err)
                                    : list(w, &err);
  }
  if (status == MS_OK && o->verbose)
    tell(w);
  int code = status == MS_OK ? outcome(w) : ms_cli_error(&err);
  ms_typed_result_free(w->result);
  ms_typed_inputs_close(&w->inputs);
  ms_job_close(&w->job);
  ms_free(w);
  return code;
}
