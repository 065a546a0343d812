/* motifsieve components: ms_graph_components -> ms_components_write. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"

#include <inttypes.h>

typedef struct components_work {
  uint32_t *component; /* [n] */
  uint32_t count;
  uint32_t largest; /* vertices of the largest one; for --verbose alone */
} components_work;

static ms_status components_read(ms_job *job, ms_error *err)
{
  return ms_read_graph(job->options, &job->graph, err);
}

static ms_status find_largest(components_work *w, uint32_t n, ms_error *err)
{
  uint32_t *size = ms_calloc(w->count, sizeof *size);
  if (!size)
    return ms_fail_memory(err, "components");
  for (uint32_t v = 0; v < n; v++)
    if (++size[w->component[v]] > w->largest)
      w->largest = size[w->component[v]];
  ms_free(size);
  return MS_OK;
}

static ms_status components_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_component_options which = {.size = sizeof(ms_component_options),
                                      .largest = o->components.largest,
                                      .min_size = o->components.min_size,
                                      .sizes = o->components.sizes,
                                      .count_only = o->list.count_only};
  components_work *w = job->work;
  uint32_t n = ms_graph_vertex_count(job->graph);
  ms_report report;
  double begin = ms_seconds();
  w->component = ms_alloc(n, sizeof *w->component);
  if (!w->component)
    return ms_fail_memory(err, "components");
  MS_TRY(ms_graph_components(job->graph, o->components.algorithm, o->list.screen.run.threads,
                             w->component, &w->count, err));
  double found = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_components_write(job->graph, w->component, w->count, &which, &report.options,
                             report.path, err));
  job->answer =
      (ms_answer){.found = w->count,
                  .statistics = {.search = found - begin,
                                 .output = ms_seconds() - found,
                                 .engine = ms_algorithm_word((uint32_t)o->components.algorithm),
                                 .engine_reason = ms_option_given(o, "algorithm") ? "as asked for"
                                                                                  : "the default"}};
  return o->verbose ? find_largest(w, n, err) : MS_OK;
}

static void components_summarize(const ms_job *job)
{
  const components_work *w = job->work;
  const ms_statistics *s = &job->answer.statistics;
  ms_cli_note("%" PRIu32 " components; the largest has %" PRIu32 " of %" PRIu32 " vertices",
              w->count, w->largest, ms_graph_vertex_count(job->graph));
  ms_cli_note("seconds: read %.3f, find components %.3f, write %.3f", job->time_read, s->search,
              s->output);
}

static void components_clear(void *work)
{
  ms_free(((components_work *)work)->component);
}

const ms_way ms_way_components = {.bytes = sizeof(components_work),
                                  .habits = MS_JOB_AT_ONCE | MS_JOB_NO_PROGRESS,
                                  .read = components_read,
                                  .run = components_run,
                                  .summarize = components_summarize,
                                  .clear = components_clear};
