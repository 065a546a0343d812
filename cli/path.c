/* motifsieve path: finds shortest paths between pairs of vertices. */
#include "cli/path.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "graph/typed.h"

#include <inttypes.h>

static ms_status read_inputs(ms_path_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_status status = ms_read_typed(o, &job->graph, err);
  if (status == MS_OK && o->verbose)
    ms_print_typed(job->graph);
  if (status == MS_OK)
    status = ms_path_read_types(job, err);
  return status == MS_OK ? ms_path_read_pairs(job, err) : status;
}

static ms_status open_output(ms_path_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(ms_report_open(&job->writer, o, err));
  ms_result_header *h = &job->writer.header;
  h->kind = MS_KIND_PATH;
  ms_describe_typed_graph(h, job->graph, &o->typed);
  h->path.pairs = (ms_result_file){o->path.pairs, job->pairs_crc32c};
  h->path.types = o->path.types;
  h->path.both_ways = o->path.both_ways;
  h->path.max_length = o->path.max_length;
  h->columns = o->path.lengths ? "source\ttarget\tlength"
                               : "pair\tsource\ttarget\tlength\tstep\ttype\tvertex";
  return ms_writer_begin(&job->writer, job->graph->names, err);
}

static bool put_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  ms_path_job *job = user;
  if (job->options->json)
    job->status = ms_path_put_json(job, pair, path, &job->err);
  else
    ms_path_put_tsv(job, pair, path);
  ms_progress_report(&job->progress, "paths", pair + 1, job->count);
  return job->status == MS_OK && !ms_outfile_failed(job->writer.out);
}

static ms_status search(ms_path_job *job, ms_path_summary *summary, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_path_options options = {.types = job->types,
                                   .n_types = job->n_types,
                                   .both_ways = o->path.both_ways,
                                   .max_length = o->path.max_length,
                                   .threads = o->list.screen.threads,
                                   .stop = job->stop};
  ms_progress_start(&job->progress, stderr, !o->quiet && !o->verbose);
  ms_status status =
      ms_typed_path_pairs(job->graph, &options, job->count, (const uint32_t(*)[2])job->pairs,
                          put_path, job, summary, err);
  ms_progress_end(&job->progress);
  if (status == MS_OK && job->status != MS_OK) {
    *err = job->err;
    status = job->status;
  }
  job->writer.header.status = ms_status_of(summary->stopped, false);
  job->writer.header.path.searched = summary->pairs;
  job->writer.header.path.found = summary->found;
  return status == MS_OK ? ms_writer_end(&job->writer, err) : status;
}

/* Runs the search, which the first signal ends; what was found is written. */
static ms_status find_paths(ms_path_job *job, ms_path_summary *summary, ms_error *err)
{
  MS_TRY(ms_stop_new(&job->stop, err));
  if (job->options->timeout > 0)
    ms_stop_after(job->stop, job->options->timeout);
  ms_status status = read_inputs(job, err);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = open_output(job, err);
  if (status == MS_OK) {
    ms_signals_to(job->stop, false);
    status = search(job, summary, err);
    ms_signals_to(NULL, false);
  }
  status = ms_writer_close(&job->writer, status, err);
  if (status == MS_OK && job->options->verbose)
    ms_cli_note("%" PRIu64 " pairs, %" PRIu64 " with a path; seconds: search and write %.3f",
                summary->pairs, summary->found, ms_seconds() - begin);
  return status;
}

static int outcome(const ms_path_job *job, const ms_path_summary *summary)
{
  const ms_cli_options *o = job->options;
  if (summary->stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %" PRIu64 " of %" PRIu64 " pairs; the result is incomplete",
                  summary->stopped == MS_ERR_LIMIT ? "out of time" : "interrupted", summary->pairs,
                  job->count);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && summary->found == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_run_path(const ms_cli_options *o)
{
  ms_error err;
  ms_path_job job = {.options = o};
  ms_path_summary summary = {0};
  ms_status status = find_paths(&job, &summary, &err);
  int code = status == MS_OK ? outcome(&job, &summary) : ms_cli_error(&err);
  ms_free(job.types);
  ms_free(job.pairs);
  ms_typed_free(job.graph);
  ms_stop_free(job.stop);
  return code;
}
