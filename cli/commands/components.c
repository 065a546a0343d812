/* motifsieve components: ms_graph_components -> ms_components_write. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/options/option_table.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct components_work {
  ms_job job;          /* of the job, only options, graph and times are used */
  uint32_t *component; /* [n] */
  uint32_t count;
  double time_find, time_write; /* seconds */
} components_work;

static ms_status find_components(components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  double begin = ms_seconds();
  w->component = ms_alloc(ms_graph_vertex_count(w->job.graph), sizeof *w->component);
  if (!w->component)
    return ms_fail_memory(err, "components");
  ms_status status = ms_graph_components(w->job.graph, o->components.algorithm,
                                         o->list.screen.run.threads, w->component, &w->count, err);
  w->time_find = ms_seconds() - begin;
  return status;
}

static ms_status write_components(components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  const ms_component_options which = {.size = sizeof(ms_component_options),
                                      .largest = o->components.largest,
                                      .min_size = o->components.min_size,
                                      .sizes = o->components.sizes,
                                      .count_only = o->list.count_only};
  ms_report report;
  double begin = ms_seconds();
  ms_report_open(&report, &w->job);
  ms_status status = ms_components_write(w->job.graph, w->component, w->count, &which,
                                         &report.options, report.path, err);
  w->time_write = ms_seconds() - begin;
  return status;
}

static ms_status write_statistics(const components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  char found[16];
  snprintf(found, sizeof found, "%" PRIu32, w->count);
  ms_statistics s = {.search = w->time_find,
                     .output = w->time_write,
                     .engine = ms_algorithm_word((uint32_t)o->components.algorithm),
                     .engine_reason =
                         ms_option_given(o, "algorithm") ? "as asked for" : "the default",
                     .status = ms_result_word(MS_WORDS_STATUS, ms_status_of(MS_OK, false)),
                     .found = found};
  return ms_report_statistics(&w->job, s, err);
}

/* Returns the size of the largest component. */
static ms_status find_largest(const components_work *w, uint32_t *largest, ms_error *err)
{
  uint32_t *size = ms_calloc(w->count, sizeof *size);
  if (!size)
    return ms_fail_memory(err, "components");
  for (uint32_t v = 0; v < ms_graph_vertex_count(w->job.graph); v++)
    if (++size[w->component[v]] > *largest)
      *largest = size[w->component[v]];
  ms_free(size);
  return MS_OK;
}

static ms_status print_summary(const components_work *w, ms_error *err)
{
  uint32_t largest = 0;
  MS_TRY(find_largest(w, &largest, err));
  ms_cli_note("%" PRIu32 " components; the largest has %" PRIu32 " of %" PRIu32 " vertices",
              w->count, largest, ms_graph_vertex_count(w->job.graph));
  ms_cli_note("seconds: read %.3f, find components %.3f, write %.3f", w->job.time_read,
              w->time_find, w->time_write);
  return MS_OK;
}

int ms_run_components(const ms_cli_options *o)
{
  ms_error err;
  components_work work = {.job = {.options = o, .begun = ms_seconds()}};
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = ms_read_graph(o, &work.job.graph, &err);
  ms_limit_memory(0);
  work.job.time_read = ms_seconds() - work.job.begun;
  if (status == MS_OK && o->verbose)
    ms_print_inputs(work.job.graph, NULL);
  if (status == MS_OK)
    status = find_components(&work, &err);
  if (status == MS_OK)
    status = write_components(&work, &err);
  if (status == MS_OK)
    status = write_statistics(&work, &err);
  if (status == MS_OK && o->verbose)
    status = print_summary(&work, &err);
  ms_free(work.component);
  ms_graph_free(work.job.graph);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
