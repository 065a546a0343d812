/* motifsieve path: inputs -> ms_typed_paths_to_file -> shortest paths between pairs of vertices. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"
#include "cli/items.h"
#include "graph/suggest.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

typedef struct path_work {
  uint32_t *types; /* [n_types] the types that --types names; NULL: the usual ones */
  uint32_t n_types;
  ms_path_pairs *pairs; /* the pairs of --pairs, or the pair SOURCE, TARGET */
  ms_path_pairs own;    /* the pair SOURCE, TARGET */
  uint32_t own_pair[1][2];
  ms_path_summary summary;
} path_work;

/* ---- types ----------------------------------------------------------------- */

static ms_status unknown_type(const ms_job *job, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(job->typed->arc_types, "types", "it has no edges", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--types: '%.*s' is no type of edges of %s; %s",
                 ms_name_clip(name, strlen(name)), name, job->options->operand[0], hint);
}

static ms_status add_type(const ms_job *job, const char *name, ms_error *err)
{
  path_work *w = job->work;
  uint32_t type = ms_typed_find_arc_type(job->typed, name);
  if (type == MS_NO_ID)
    return unknown_type(job, name, err);
  w->types[w->n_types++] = type;
  return MS_OK;
}

/* Reads --types. */
static ms_status read_types(const ms_job *job, ms_error *err)
{
  path_work *w = job->work;
  const char *at = job->options->path.types;
  if (!at)
    return MS_OK;
  size_t length = strlen(at);
  char *item = ms_alloc(length + 1, 1);
  w->types = ms_alloc(length / 2 + 1, sizeof *w->types); /* an item and its comma */
  ms_status status = item && w->types ? MS_OK : ms_fail_memory(err, "types of edges");
  while (status == MS_OK) {
    if (!ms_cli_next_item(&at, item) || !*item)
      status =
          ms_fail(err, MS_ERR_USAGE,
                  "--types needs types of edges, separated by commas, not '%s'; put a type that "
                  "contains a comma in double quotes",
                  job->options->path.types);
    else
      status = add_type(job, item, err);
    if (!*at)
      break;
    at++;
  }
  ms_free(item);
  return status;
}

/* ---- pairs ----------------------------------------------------------------- */

static ms_status read_operand(const ms_job *job, const char *operand, const char *name, uint32_t *v,
                              ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  const ms_names *names = job->typed->names;
  size_t length = strlen(name);
  *v = ms_names_find(names, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  ms_suggest_name(names, "vertices", "it has no vertices", name, length, hint);
  return ms_fail(err, MS_ERR_USAGE, "%s '%.*s' is not a vertex of %s; %s", operand,
                 ms_name_clip(name, length), name, job->options->operand[0], hint);
}

/* Reads --pairs, or SOURCE and TARGET. */
static ms_status read_pairs(const ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  path_work *w = job->work;
  if (o->path.pairs)
    return ms_path_pairs_read(o->path.pairs, job->typed, &w->pairs, err);
  MS_TRY(read_operand(job, "SOURCE", o->operand[1], &w->own_pair[0][0], err));
  MS_TRY(read_operand(job, "TARGET", o->operand[2], &w->own_pair[0][1], err));
  w->own = (ms_path_pairs){.count = 1, .pairs = w->own_pair};
  w->pairs = &w->own;
  return MS_OK;
}

static ms_status path_read(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_typed(job->options, &job->typed, err));
  if (job->options->verbose)
    ms_print_typed(job->typed);
  MS_TRY(read_types(job, err));
  return read_pairs(job, err);
}

/* ---- search ---------------------------------------------------------------- */

static ms_status path_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  path_work *w = job->work;
  ms_path_options options = {.size = sizeof(ms_path_options),
                             .types = w->types,
                             .n_types = w->n_types,
                             .both_ways = o->path.both_ways,
                             .max_length = o->path.max_length,
                             .run = ms_cli_limits(o, &job->progress)};
  ms_path_summary *s = &w->summary;
  ms_report report;
  options.run.memory = 0; /* it bounds reading alone */
  ms_report_open(&report, job);
  report.options.lengths = o->path.lengths;
  MS_TRY(
      ms_typed_paths_to_file(job->typed, &options, w->pairs, &report.options, report.path, s, err));
  job->answer =
      (ms_answer){.run = &s->run, .found = s->found, .statistics = {.search = s->time_search}};
  return MS_OK;
}

static void path_summarize(const ms_job *job)
{
  const ms_path_summary *s = &((const path_work *)job->work)->summary;
  ms_cli_note("%" PRIu64 " pairs, %" PRIu64 " with a path; seconds: read %.3f, search %.3f, "
              "write %.3f",
              s->pairs, s->found, job->time_read, s->time_search, s->run.time_write);
}

static void path_warn(const ms_job *job)
{
  const path_work *w = job->work;
  ms_cli_warn("%s after %" PRIu64 " of %" PRIu64 " pairs; the result is incomplete",
              ms_job_reason(w->summary.run.stopped), w->summary.pairs, w->pairs->count);
}

static void path_clear(void *work)
{
  path_work *w = work;
  ms_free(w->types);
  if (w->pairs != &w->own)
    ms_path_pairs_free(w->pairs);
}

const ms_way ms_way_path = {.bytes = sizeof(path_work),
                            .habits = MS_JOB_SILENT | MS_JOB_NOTES_OR_PROGRESS,
                            .read = path_read,
                            .run = path_run,
                            .summarize = path_summarize,
                            .warn = path_warn,
                            .clear = path_clear};
