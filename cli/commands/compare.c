/* motifsieve compare: samples -> ms_compare. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"
#include "cli/items.h"
#include "cli/options/option_table.h"

#include <inttypes.h>

#define FEW_ARRANGEMENTS 40u /* fewer of them give no p value below 0.05 in balanced designs */

typedef struct compare_work {
  ms_graph *graph; /* of all samples, which --metadata divides; NULL, like its colours: none */
  ms_coloring *coloring;
  ms_samples *samples;
  ms_sample_options columns;
  ms_compare_options options;
  ms_cli_items only;
  ms_comparison *result;
} compare_work;

/* ---- inputs ----------------------------------------------------------------------- */

/* Refuses an output that would replace a file which the sheet names. */
static ms_status check_outputs(const ms_job *job, const ms_samples *samples, ms_error *err)
{
  ms_samples_info info = ms_samples_describe(samples);
  for (uint32_t i = 0; i < info.samples; i++) {
    ms_sample_info sample = ms_samples_get(samples, i);
    const char *graph = ms_graph_describe(sample.graph).path;
    const char *colors = ms_coloring_describe(sample.coloring).path;
    if (graph)
      MS_TRY(ms_options_check_input(job->options, graph, err));
    if (colors)
      MS_TRY(ms_options_check_input(job->options, colors, err));
  }
  return MS_OK;
}

static ms_status compare_read(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  compare_work *w = job->work;
  w->columns = o->compare.columns;
  w->columns.size = sizeof w->columns;
  w->options = (ms_compare_options)MS_COMPARE_OPTIONS_DEFAULT;
  MS_TRY(ms_cli_read_only(o->census.only, &w->only, err));
  w->options.only = w->only.name;
  w->options.n_only = w->only.count;
  if (o->compare.metadata) {
    MS_TRY(ms_read_graph(o, &w->graph, err));
    MS_TRY(ms_read_colors(o, w->graph, true, &w->coloring, err));
    return ms_samples_split(w->graph, w->coloring, o->compare.metadata, &w->columns, &w->samples,
                            err);
  }
  ms_sample_options reading = w->columns;
  reading.aliases = o->aliases;
  reading.below = o->below;
  MS_TRY(ms_samples_read(o->operand[0], &o->graph, &o->coloring, &reading, &w->samples, err));
  return check_outputs(job, w->samples, err);
}

static void warn_of_inputs(const compare_work *w)
{
  ms_samples_info info = ms_samples_describe(w->samples);
  if (w->coloring)
    ms_warn_of_colors(w->coloring, NULL);
  for (uint32_t i = 0; i < info.samples && !info.split; i++)
    ms_warn_of_colors(ms_samples_get(w->samples, i).coloring, NULL);
  if (info.unknown_vertices > 0)
    ms_cli_warn("%s: %" PRIu64 " lines name a vertex that is not in the graph", info.path,
                info.unknown_vertices);
  if (info.left_out > 0)
    ms_cli_warn("%" PRIu64 " of %" PRIu64 " vertices are in no sample, and do not count",
                info.left_out, info.vertices);
}

/* ---- the comparison --------------------------------------------------------------- */

static void set_options(ms_job *job, ms_compare_options *c)
{
  const ms_cli_options *o = job->options;
  c->k = o->census.k;
  c->primary = o->census.primary;
  c->reference = o->compare.reference;
  c->rest = o->compare.rest;
  c->min_count = o->census.min_count;
  c->top = o->census.top;
  c->permutations = o->compare.permutations;
  c->run = ms_cli_limits(o, &job->progress);
  c->run.seed = o->list.screen.run.seed;
}

static ms_status compare_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  compare_work *w = job->work;
  ms_report report;
  if (!o->quiet)
    warn_of_inputs(w);
  set_options(job, &w->options);
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_compare(w->samples, &w->options, &w->result, err));
  ms_progress_end(&job->progress);
  double found = ms_seconds();
  if (o->compare.counts)
    MS_TRY(ms_sample_counts_write(w->samples, &w->columns, &w->options, w->result, &report.options,
                                  o->compare.counts, err));
  MS_TRY(ms_compare_write(w->samples, &w->columns, &w->options, w->result, &report.options,
                          report.path, err));
  job->answer =
      (ms_answer){.stopped = w->result->run.stopped,
                  .found = w->result->motifs,
                  .statistics = {.search = found - begin, .output = ms_seconds() - found}};
  return MS_OK;
}

/* ---- the end ---------------------------------------------------------------------- */

static const char *group_name(const compare_work *w, uint32_t group)
{
  ms_samples_info info = ms_samples_describe(w->samples);
  for (uint32_t i = 0; i < info.samples; i++)
    if (ms_samples_get(w->samples, i).group_id == group)
      return ms_samples_get(w->samples, i).group;
  return "all others";
}

/* True if, in each block, both sides have equally many samples: then each arrangement has a mirror
 * image, in which the sides change places, with the same distance from 0. */
static bool is_mirrored(const compare_work *w, const ms_contrast *c)
{
  ms_samples_info info = ms_samples_describe(w->samples);
  uint32_t blocks = info.blocks > 0 ? info.blocks : 1;
  bool equal = true;
  for (uint32_t block = 0; block < blocks; block++) {
    int64_t more = 0;
    for (uint32_t i = 0; i < info.samples; i++) {
      ms_sample_info s = ms_samples_get(w->samples, i);
      if (info.blocks > 0 && s.block_id != block)
        continue;
      if (s.group_id == c->group)
        more++;
      else if (c->reference == MS_ALL_OTHERS || s.group_id == c->reference)
        more--;
    }
    equal = equal && more == 0;
  }
  return equal;
}

/* Says what the test can show, where that is less than one may hope for. */
static void compare_note(const ms_job *job)
{
  const compare_work *w = job->work;
  const ms_comparison *r = w->result;
  if (r->test == MS_TEST_LABELS && ms_samples_describe(w->samples).blocks > 0)
    ms_cli_warn("blocks are not used, because each group has one sample");
  if (r->test == MS_TEST_LABELS)
    ms_cli_note("each group has one sample, so that the colours of each sample are permuted: the p "
                "values say whether these samples differ, not whether their groups do");
  for (uint32_t t = 0; t < r->contrasts && r->test == MS_TEST_SAMPLES; t++)
    if (r->contrast[t].arrangements < FEW_ARRANGEMENTS)
      ms_cli_note("'%s' against '%s': the samples have only %" PRIu64
                  " arrangements, so that no p value is below %d/%" PRIu64
                  "; more samples have more",
                  group_name(w, r->contrast[t].group), group_name(w, r->contrast[t].reference),
                  r->contrast[t].arrangements, is_mirrored(w, &r->contrast[t]) ? 2 : 1,
                  r->contrast[t].arrangements);
}

static void compare_summarize(const ms_job *job)
{
  const compare_work *w = job->work;
  const ms_comparison *r = w->result;
  ms_samples_info info = ms_samples_describe(w->samples);
  ms_cli_note("%s: %" PRIu32 " samples in %" PRIu32 " groups and %" PRIu32 " blocks, %" PRIu64
              " vertices, %" PRIu64 " edges",
              info.path, info.samples, info.groups, info.blocks, info.vertices, info.edges);
  for (uint32_t i = 0; i < r->samples; i++)
    ms_cli_note("sample %s: group %s, %" PRIu64 " vertices, %" PRIu64 " sets",
                ms_samples_get(w->samples, i).name, ms_samples_get(w->samples, i).group,
                r->vertices[i], r->sets[i]);
  ms_cli_note("%" PRIu64 " motifs of %" PRIu32 " vertices", r->motifs, r->k);
  for (uint32_t t = 0; t < r->contrasts; t++)
    ms_cli_note("'%s' against '%s': %" PRIu64 " motifs, %" PRIu64 " permutations%s",
                group_name(w, r->contrast[t].group), group_name(w, r->contrast[t].reference),
                r->contrast[t].tested, r->contrast[t].permutations,
                r->contrast[t].exact ? ", which are all" : "");
  ms_cli_note("seconds: read %.3f, compare %.3f, write %.3f", job->time_read,
              job->answer.statistics.search, job->answer.statistics.output);
}

/* True if no comparison has p values. */
static bool lacks_p(const ms_comparison *r)
{
  for (uint32_t t = 0; t < r->contrasts; t++)
    if (r->contrast[t].permutations > 0)
      return false;
  return true;
}

static void compare_warn(const ms_job *job)
{
  const ms_comparison *r = ((const compare_work *)job->work)->result;
  const char *reason = ms_job_reason(r->run.stopped);
  if (r->motifs == 0)
    ms_cli_warn("%s; the result has no motifs, and is marked incomplete", reason);
  else if (lacks_p(r))
    ms_cli_warn(
        "%s; not all arrangements were tried, so that there are no p values, and the result "
        "is marked incomplete",
        reason);
  else
    ms_cli_warn("%s; the p values come from the random permutations that were done before; the "
                "result is marked incomplete",
                reason);
}

static void compare_clear(void *work)
{
  compare_work *w = work;
  ms_cli_items_free(&w->only);
  ms_comparison_free(w->result);
  ms_samples_free(w->samples);
  ms_coloring_free(w->coloring);
  ms_graph_free(w->graph);
}

const ms_way ms_way_compare = {.bytes = sizeof(compare_work),
                               .read = compare_read,
                               .run = compare_run,
                               .summarize = compare_summarize,
                               .note = compare_note,
                               .warn = compare_warn,
                               .clear = compare_clear};
