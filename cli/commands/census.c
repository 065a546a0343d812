/* motifsieve census: graph and colours -> ms_census, or ms_census_vertices_to_file. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/items.h"
#include "cli/options/option_table.h"
#include "graph/suggest.h"
#include "parts/crew.h"

#include <inttypes.h>
#include <string.h>

/* Of a census of the whole graph, or of each vertex. */
typedef struct census_work {
  ms_census_options options;
  uint32_t *only;           /* [options.n_only] */
  ms_census_result *result; /* of the whole graph */
  ms_significance_options statistics;
  ms_significance *significance; /* NULL: none */
  ms_permutation_options null;
  uint32_t *stratum;                   /* [null.n_strata] */
  ms_permutation_result *permutations; /* NULL: none */
  ms_census_summary summary;           /* of each vertex */
  ms_orbits_result *orbits;
} census_work;

/* ---- inputs ----------------------------------------------------------------------- */

static ms_status unknown_color(const ms_coloring *coloring, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(coloring->names, "colours", "it has no colours", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--colors-only: no vertex can have the colour '%.*s'; %s",
                 ms_name_clip(name, strlen(name)), name, hint);
}

static ms_status find_colors(census_work *w, const ms_coloring *coloring, const ms_cli_items *items,
                             ms_error *err)
{
  w->only = ms_alloc(items->count, sizeof *w->only);
  if (!w->only)
    return ms_fail_memory(err, "the colours of a census");
  for (uint32_t i = 0; i < items->count; i++) {
    w->only[i] = ms_coloring_find(coloring, items->name[i]);
    if (w->only[i] == MS_NO_ID)
      return unknown_color(coloring, items->name[i], err);
  }
  w->options.only = w->only;
  w->options.n_only = items->count;
  return MS_OK;
}

/* Reads --colors-only. */
static ms_status read_only(const ms_job *job, ms_error *err)
{
  ms_cli_items items;
  ms_status status = ms_cli_read_only(job->options->census.only, &items, err);
  if (status == MS_OK)
    status = find_colors(job->work, job->coloring, &items, err);
  ms_cli_items_free(&items);
  return status;
}

/* Shapes have colours if they are asked for, be they in the file of the graph. */
static bool wants_colors(const ms_cli_options *o)
{
  return !o->census.shapes || o->colors || o->graph.color_attribute || o->census.only ||
         o->census.primary || ms_option_given_of(o, MS_OPTIONS_OF_COLOR_FILE) ||
         o->coloring.format == MS_COLORS_GRAPH;
}

static ms_status read_plain(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_graph(job->options, &job->graph, err));
  if (ms_graph_describe(job->graph).colored && !job->options->quiet)
    ms_cli_note("%s has colours, which do not count here", job->options->operand[0]);
  return MS_OK;
}

static ms_status census_read(ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  w->options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  w->null = (ms_permutation_options)MS_PERMUTATION_OPTIONS_DEFAULT;
  MS_TRY(wants_colors(job->options) ? ms_read_colored_graph(job, err) : read_plain(job, err));
  if (job->coloring)
    MS_TRY(read_only(job, err));
  return ms_read_null_strata(job, &w->options, &w->null, &w->stratum, err);
}

static void set_options(ms_job *job)
{
  const ms_cli_options *o = job->options;
  census_work *w = job->work;
  ms_census_options *c = &w->options;
  c->k = o->census.k;
  c->primary = o->census.primary;
  c->shapes = o->census.shapes;
  c->non_induced = o->census.non_induced;
  c->min_count = o->census.min_count;
  c->top = o->census.top;
  c->run = ms_job_limits(job);
  c->run.seed = 0; /* that of what follows */
  w->statistics = o->census.statistics;
  w->statistics.seed = o->list.screen.run.seed;
  w->null.null_kind = o->census.null_kind;
  if (!job->coloring && !ms_option_given(o, "null"))
    w->null.null_kind = MS_NULL_REWIRE;
  c->all_shapes = o->census.shapes && !job->coloring && o->census.permutations > 0;
  w->null.permutations = o->census.permutations;
  w->null.seed = o->list.screen.run.seed;
  w->null.max_t = o->census.max_t;
}

/* ---- the census ------------------------------------------------------------------- */

/* Permutations need all motifs, of which those that min_count and top leave are the first ones. */
static ms_status run_permutations(const ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  const ms_census_choice *o = &job->options->census;
  ms_census_result *r = w->result;
  if (r->run.stopped == MS_OK)
    MS_TRY(ms_census_permute(job->graph, job->coloring, &w->options, &w->null, r, &w->permutations,
                             err));
  if (o->sort != MS_CENSUS_BY_SETS || job->division.parts > 0)
    return MS_OK; /* the writer leaves out rows, or those who merge the parts */
  w->options.min_count = o->min_count;
  w->options.top = o->top;
  while (r->count > 0 && (r->n_sets[r->count - 1] < o->min_count || (o->top && r->count > o->top)))
    r->count--;
  if (w->significance)
    w->significance->count = r->count;
  return MS_OK;
}

/* Counts the sets of the whole graph, with the statistics that the options ask for. */
static ms_status count_whole(ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  const ms_census_choice *o = &job->options->census;
  const ms_division *division = w->options.run.division;
  bool permutes = w->null.permutations > 0;
  if (o->sort != MS_CENSUS_BY_SETS && !permutes && !o->significance)
    return ms_fail(err, MS_ERR_USAGE,
                   "--sort %s needs --significance or --permutations, which make %s values",
                   ms_census_order_word(o->sort), ms_census_order_word(o->sort));
  if (permutes || o->sort != MS_CENSUS_BY_SETS)
    w->options.min_count = w->options.top = 0;
  if (permutes) /* which alone are divided and saved */
    w->options.run.division = NULL;
  if (o->significance)
    MS_TRY(ms_census_significance(job->graph, job->coloring, &w->options, &w->statistics,
                                  &w->result, &w->significance, err));
  else
    MS_TRY(ms_census(job->graph, job->coloring, &w->options, &w->result, err));
  w->options.run.division = division;
  return MS_OK;
}

static ms_status write_whole(const ms_job *job, const ms_report *report, ms_error *err)
{
  census_work *w = job->work;
  const ms_census_choice *o = &job->options->census;
  ms_census_statistics statistics = MS_CENSUS_STATISTICS_DEFAULT;
  statistics.significance = w->significance;
  statistics.permutations = w->permutations;
  statistics.permutation_options = &w->null;
  statistics.strata = o->strata;
  statistics.sort = o->sort;
  w->options.min_count = o->min_count;
  w->options.top = o->top;
  return ms_census_write_statistics(job->graph, job->coloring, &w->options, w->result, &statistics,
                                    &report->options, report->path, err);
}

/* Says what was found, in so many seconds. */
static void answer_whole(ms_job *job, double search, double output)
{
  const census_work *w = job->work;
  const ms_census_result *r = w->result;
  bool cut = w->permutations && w->permutations->run.stopped != MS_OK;
  job->answer =
      (ms_answer){.stopped = cut ? w->permutations->run.stopped : r->run.stopped,
                  .found = r->motifs,
                  .no_rows = r->count == 0 || r->n_sets[0] < job->options->census.min_count,
                  .statistics = {.search = search, .output = output}};
}

static ms_status census_run(ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  ms_report report;
  set_options(job);
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(count_whole(job, err));
  answer_whole(job, ms_seconds() - begin, 0);
  if (w->result->run.stopped != MS_OK && !ms_crew_saves(ms_cli_crew))
    return MS_OK; /* a rank that was late: the leader has the output */
  if (w->null.permutations > 0)
    MS_TRY(run_permutations(job, err));
  ms_progress_end(&job->progress);
  double counted = ms_seconds();
  MS_TRY(write_whole(job, &report, err));
  answer_whole(job, counted - begin, ms_seconds() - counted);
  return MS_OK;
}

/* ---- the end ---------------------------------------------------------------------- */

static void print_significance(const census_work *w)
{
  const ms_significance *s = w->significance;
  if (s->exact)
    ms_cli_note("exact moments, at most %" PRIu64 " bytes, %.3f s", s->bytes, s->time);
  else
    ms_cli_note("moments sampled by %" PRIu64 " sets for each number of common vertices: standard "
                "deviations are wrong by %.2g %% (one standard error) at most; at most %" PRIu64
                " bytes, %.3f s",
                s->samples, 100 * s->error, s->bytes, s->time);
  ms_cli_note("%" PRIu64 " tests; %" PRIu64 " motifs without a set were expected at least %g times",
              s->tests, s->absent, s->min_expected);
}

static void print_times(const ms_job *job)
{
  const ms_statistics *s = &job->answer.statistics;
  ms_cli_note("seconds: read %.3f, census %.3f, write %.3f", job->time_read, s->search, s->output);
}

static void print_permutations(const census_work *w)
{
  const ms_permutation_result *r = w->permutations;
  ms_cli_note("%" PRIu64 " of %" PRIu64 " permutations, %" PRIu64
              " of them in batches; at most %" PRIu64 " bytes",
              r->done, r->asked, r->batched, r->bytes);
  if (r->classes > 0)
    ms_cli_note("colours move within %" PRIu64 " classes of vertices", r->classes);
  if (r->tried > 0)
    ms_cli_note("%" PRIu64 " of %" PRIu64 " swaps accepted", r->accepted, r->tried);
}

static void census_summarize(const ms_job *job)
{
  const census_work *w = job->work;
  const ms_census_result *r = w->result;
  ms_cli_note("%" PRIu64 " connected sets of %" PRIu32 " vertices, %" PRIu64 " %s", r->sets, r->k,
              r->motifs, w->options.shapes ? "shapes" : "motifs");
  if (job->coloring)
    ms_cli_note("%" PRIu64 " vertices with %" PRIu64 " lists of colours", r->vertices, r->lists);
  ms_cli_note("%" PRIu64 " sets visited; %s tables, at most %" PRIu64 " bytes", r->visits,
              r->dense ? "dense" : "sparse", r->bytes);
  if (w->significance && w->significance->run.stopped == MS_OK)
    print_significance(w);
  if (w->permutations && w->options.run.division)
    ms_cli_note("a checkpoint had %" PRIu64 " permutations; %.3f s for saving the state",
                w->permutations->run.resumed, w->permutations->run.time_checkpoint);
  else if (w->options.run.division)
    ms_job_print_units(&r->run);
  ms_cli_print_paranoid(&r->run.paranoid);
  ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  if (r->gpu_bytes > 0)
    ms_cli_note("GPU: at most %" PRIu64 " bytes; the CPU counted the sets of %" PRIu64
                " vertices that have too many others near them",
                r->gpu_bytes, r->cpu_roots);
  if (w->permutations)
    print_permutations(w);
  print_times(job);
}

/* Chains that must hold the table of coloured edges exactly hardly move where there are many edges
 * of many kinds (docs/SIGNIFICANCE.md). */
static void warn_of_stiff_chains(const census_work *w)
{
  const ms_permutation_result *r = w->permutations;
  if (!r || r->done == 0 || w->null.null_kind != MS_NULL_EDGES)
    return;
  uint64_t swaps = r->accepted / r->done, vertices = w->result->vertices;
  if (swaps < vertices / 4)
    ms_cli_warn("a permutation changed few colours: %" PRIu64 " swaps held the table of coloured "
                "edges, in a graph of %" PRIu64
                " coloured vertices; p values are valid, but hardly "
                "any motif can turn out to be more frequent than by chance; use fewer colours "
                "(--colors-only, or coarser classes), or --null degree",
                swaps, vertices);
}

static void note_bounds(const census_work *w)
{
  const ms_significance *s = w->significance;
  uint64_t bounds = 0;
  for (uint64_t i = 0; i < s->count; i++)
    bounds += s->p_by[i] == MS_P_BY_BOUND;
  if (bounds > 0 && !w->permutations)
    ms_cli_note("p of %" PRIu64 " of %" PRIu64
                " motifs is only an upper bound (p_by), because few vertices or dense blocks make "
                "their distribution, or few sets are expected; --permutations 1000 gives their p "
                "(perm_p)",
                bounds, s->count);
}

static void census_note(const ms_job *job)
{
  const census_work *w = job->work;
  bool labels = w->permutations ? w->null.null_kind == MS_NULL_LABELS : w->significance != NULL;
  warn_of_stiff_chains(w);
  if (labels && job->answer.stopped == MS_OK)
    ms_job_note_degrees(job, &w->options);
  if (w->significance && job->answer.stopped == MS_OK)
    note_bounds(w);
}

static void census_warn(const ms_job *job)
{
  const census_work *w = job->work;
  const char *reason = ms_job_reason(job->answer.stopped);
  if (w->permutations)
    ms_cli_warn("%s after %" PRIu64 " of %" PRIu64
                " permutations; the statistics are of these, and the result is marked incomplete",
                reason, w->permutations->done, w->permutations->asked);
  else
    ms_cli_warn("%s; the result has no motifs, and is marked incomplete", reason);
}

static void census_clear(void *work)
{
  census_work *w = work;
  ms_free(w->only);
  ms_free(w->stratum);
  ms_permutation_result_free(w->permutations);
  ms_significance_free(w->significance);
  ms_census_result_free(w->result);
  ms_orbits_result_free(w->orbits);
}

const ms_way ms_way_census = {.bytes = sizeof(census_work),
                              .read = census_read,
                              .run = census_run,
                              .summarize = census_summarize,
                              .note = census_note,
                              .warn = census_warn,
                              .clear = census_clear};

/* ---- orbits of each vertex ------------------------------------------------------------------- */

static ms_status orbits_read(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  static const struct {
    const char *option, *why;
  } others[] = {{"min-count", "orbits have rows for all numbers"},
                {"top", "orbits have rows for all numbers"},
                {"part", "the orbits of all vertices are one table in memory"},
                {"checkpoint", "the orbits of all vertices are one table in memory"},
                {"paranoid", "the orbits of all vertices are one table in memory"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i].option))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s and --shapes do not go together with --per-vertex, because %s; leave "
                     "one out",
                     others[i].option, others[i].why);
  return census_read(job, err);
}

static ms_status orbits_run(ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  ms_report report;
  set_options(job);
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_orbits(job->graph, job->coloring, &w->options, &w->orbits, err));
  ms_progress_end(&job->progress);
  double counted = ms_seconds();
  job->answer = (ms_answer){.stopped = w->orbits->run.stopped,
                            .found = w->orbits->found,
                            .statistics = {.search = counted - begin}};
  MS_TRY(ms_orbits_write(job->graph, job->coloring, &w->options, w->orbits,
                         job->options->census.wide, &report.options, report.path, err));
  job->answer.statistics.output = ms_seconds() - counted;
  return MS_OK;
}

static void orbits_summarize(const ms_job *job)
{
  const ms_orbits_result *r = ((const census_work *)job->work)->orbits;
  ms_cli_note("%" PRIu32 " orbits of 2 to %" PRIu32 " vertices; at most %" PRIu64 " bytes",
              r->orbits, r->k, r->bytes);
  if (r->offset)
    ms_cli_note("%" PRIu64 " rows, whose memory was estimated as %" PRIu64 " bytes",
                r->offset[r->vertices], r->estimate);
  ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  print_times(job);
}

const ms_way ms_way_orbits = {.bytes = sizeof(census_work),
                              .read = orbits_read,
                              .run = orbits_run,
                              .summarize = orbits_summarize,
                              .warn = census_warn,
                              .clear = census_clear};

/* ---- of each vertex -------------------------------------------------------------------------- */

static ms_status vertex_census_run(ms_job *job, ms_error *err)
{
  census_work *w = job->work;
  ms_census_summary *s = &w->summary;
  ms_report report;
  set_options(job);
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_census_vertices_to_file(job->graph, job->coloring, &w->options, &report.options,
                                    report.path, s, err));
  job->answer = (ms_answer){.stopped = s->run.stopped,
                            .found = s->rows,
                            .statistics = {.search = ms_seconds() - begin - s->run.time_write,
                                           .output = s->run.time_write}};
  return MS_OK;
}

static void vertex_census_summarize(const ms_job *job)
{
  const ms_census_summary *s = &((const census_work *)job->work)->summary;
  ms_cli_note("%" PRIu64 " vertices, %" PRIu64 " rows; at most %" PRIu64 " bytes", s->vertices,
              s->rows, s->bytes);
  if (job->division.checkpoint)
    ms_cli_note("a checkpoint had %" PRIu64 " vertices; %.3f s for saving the state",
                s->run.resumed, s->run.time_checkpoint);
  ms_cli_note("engine: %s: %s", s->run.engine, s->run.engine_reason);
  if (s->gpu_bytes > 0)
    ms_cli_note("GPU: at most %" PRIu64 " bytes; the CPU counted the sets of %" PRIu64
                " vertices that have too many others or motifs near them",
                s->gpu_bytes, s->cpu_vertices);
  print_times(job);
}

static void vertex_census_warn(const ms_job *job)
{
  const ms_census_summary *s = &((const census_work *)job->work)->summary;
  ms_cli_warn("%s after %" PRIu64 " vertices; the others are missing, and the result is marked "
              "incomplete",
              ms_job_reason(s->run.stopped), s->vertices);
}

const ms_way ms_way_vertex_census = {.bytes = sizeof(census_work),
                                     .read = census_read,
                                     .run = vertex_census_run,
                                     .summarize = vertex_census_summarize,
                                     .warn = vertex_census_warn,
                                     .clear = census_clear};
