/* motifsieve path: inputs -> ms_typed_paths_to_file -> shortest paths between pairs of vertices. */
#include "base/alloc.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/items.h"
#include "cli/signals.h"
#include "graph/suggest.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct path_work {
  ms_job job;      /* of the job, options, typed and progress are used */
  uint32_t *types; /* [n_types] the types that --types names; NULL: the usual ones */
  uint32_t n_types;
  ms_path_pairs *pairs; /* the pairs of --pairs, or the pair SOURCE, TARGET */
  ms_path_pairs own;    /* the pair SOURCE, TARGET */
  uint32_t own_pair[1][2];
} path_work;

/* ---- types ----------------------------------------------------------------- */

static ms_status unknown_type(const path_work *w, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(w->job.typed->arc_types, "types", "it has no edges", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--types: '%.*s' is no type of edges of %s; %s",
                 ms_name_clip(name, strlen(name)), name, w->job.options->operand[0], hint);
}

static ms_status add_type(path_work *w, const char *name, ms_error *err)
{
  uint32_t type = ms_typed_find_arc_type(w->job.typed, name);
  if (type == MS_NO_ID)
    return unknown_type(w, name, err);
  w->types[w->n_types++] = type;
  return MS_OK;
}

/* Reads --types. */
static ms_status read_types(path_work *w, ms_error *err)
{
  const char *at = w->job.options->path.types;
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
                  w->job.options->path.types);
    else
      status = add_type(w, item, err);
    if (!*at)
      break;
    at++;
  }
  ms_free(item);
  return status;
}

/* ---- pairs ----------------------------------------------------------------- */

static ms_status read_operand(const path_work *w, const char *operand, const char *name,
                              uint32_t *v, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  const ms_names *names = w->job.typed->names;
  size_t length = strlen(name);
  *v = ms_names_find(names, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  ms_suggest_name(names, "vertices", "it has no vertices", name, length, hint);
  return ms_fail(err, MS_ERR_USAGE, "%s '%.*s' is not a vertex of %s; %s", operand,
                 ms_name_clip(name, length), name, w->job.options->operand[0], hint);
}

/* Reads --pairs, or SOURCE and TARGET. */
static ms_status read_pairs(path_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  if (o->path.pairs)
    return ms_path_pairs_read(o->path.pairs, w->job.typed, &w->pairs, err);
  MS_TRY(read_operand(w, "SOURCE", o->operand[1], &w->own_pair[0][0], err));
  MS_TRY(read_operand(w, "TARGET", o->operand[2], &w->own_pair[0][1], err));
  w->own = (ms_path_pairs){.count = 1, .pairs = w->own_pair};
  w->pairs = &w->own;
  return MS_OK;
}

static ms_status read_inputs(path_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  MS_TRY(ms_read_typed(o, &w->job.typed, err));
  if (o->verbose)
    ms_print_typed(w->job.typed);
  MS_TRY(read_types(w, err));
  return read_pairs(w, err);
}

/* ---- search ---------------------------------------------------------------- */

static ms_status search(path_work *w, ms_path_summary *summary, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  ms_path_options options = {.size = sizeof(ms_path_options),
                             .types = w->types,
                             .n_types = w->n_types,
                             .both_ways = o->path.both_ways,
                             .max_length = o->path.max_length,
                             .run = ms_cli_limits(o, &w->job.progress)};
  ms_report report;
  options.run.memory = 0; /* it bounds reading alone */
  ms_report_open(&report, &w->job);
  report.options.lengths = o->path.lengths;
  return ms_typed_paths_to_file(w->job.typed, &options, w->pairs, &report.options, report.path,
                                summary, err);
}

static ms_status write_statistics(const path_work *w, const ms_path_summary *summary, ms_error *err)
{
  char found[24];
  snprintf(found, sizeof found, "%" PRIu64, summary->found);
  ms_result_status status = ms_status_of(summary->run.stopped, false);
  ms_statistics s = {.search = summary->time_search,
                     .output = summary->run.time_write,
                     .work = &summary->run.work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = found};
  return ms_report_statistics(&w->job, s, err);
}

/* Reads and searches; the first signal ends the search, and then writes what was found. */
static ms_status find_paths(path_work *w, ms_path_summary *summary, ms_error *err)
{
  ms_limit_memory(w->job.options->list.screen.run.memory);
  MS_TRY(read_inputs(w, err));
  ms_limit_memory(0);
  w->job.time_read = ms_seconds() - w->job.begun;
  ms_progress_report(&w->job.progress, "the search is prepared", 0, 0);
  ms_status status = search(w, summary, err);
  if (status == MS_OK)
    status = write_statistics(w, summary, err);
  if (status == MS_OK && w->job.options->verbose)
    ms_cli_note("%" PRIu64 " pairs, %" PRIu64 " with a path; seconds: read %.3f, search %.3f, "
                "write %.3f",
                summary->pairs, summary->found, w->job.time_read, summary->time_search,
                summary->run.time_write);
  return status;
}

static int outcome(const path_work *w, const ms_path_summary *summary)
{
  const ms_cli_options *o = w->job.options;
  if (summary->run.stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %" PRIu64 " of %" PRIu64 " pairs; the result is incomplete",
                  ms_job_reason(summary->run.stopped), summary->pairs, w->pairs->count);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && summary->found == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_run_path(const ms_cli_options *o)
{
  ms_error err;
  path_work work = {.job = {.options = o, .begun = ms_seconds()}};
  ms_path_summary summary = {0};
  ms_catch_signals(o->stop, false);
  ms_progress_start(&work.job.progress, STDERR_FILENO, !o->quiet && !o->verbose);
  ms_status status = find_paths(&work, &summary, &err);
  ms_progress_end(&work.job.progress);
  ms_catch_signals(NULL, false);
  int code = status == MS_OK ? outcome(&work, &summary) : ms_cli_error(&err);
  ms_free(work.types);
  if (work.pairs != &work.own)
    ms_path_pairs_free(work.pairs);
  ms_typed_free(work.job.typed);
  return code;
}
