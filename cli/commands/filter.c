/* motifsieve filter: keeps the edges that a typed pattern could use. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/frame.h"
#include "graph/formats/typed/typed_read.h"

#include <inttypes.h>

static void print_summary(const ms_job *job, const ms_typed *graph, const ms_typed *left,
                          double filtered, double written)
{
  ms_typed_info before = ms_typed_describe(graph), after = ms_typed_describe(left);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges and %" PRIu32
              " of %" PRIu32 " vertices",
              after.edges, before.edges, after.vertices, before.vertices);
  ms_cli_note("seconds: read %.3f, filter %.3f, write %.3f", job->time_read, filtered, written);
}

static ms_status filter_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_typed *left;
  double begin = ms_seconds();
  MS_TRY(ms_typed_filter(job->typed_query, o->typed.run.threads, &left, err));
  double filtered = ms_seconds() - begin;
  ms_status status = ms_typed_write_table(left, o->output ? o->output : "-", false, err);
  if (status == MS_OK && o->verbose)
    print_summary(job, job->typed, left, filtered, ms_seconds() - begin - filtered);
  ms_typed_free(left);
  return status;
}

const ms_way ms_way_filter = {
    .habits = MS_JOB_AT_ONCE, .read = ms_read_typed_query, .run = filter_run};
