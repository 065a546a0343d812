/* motifsieve census: graph and colours -> ms_census, or ms_census_vertices_to_file. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/items.h"
#include "cli/options/option_table.h"
#include "cli/signals.h"
#include "graph/suggest.h"
#include "parts/crew.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct census_work {
  ms_job job;
  ms_census_options options;
  ms_division division;
  uint32_t *only;           /* [options.n_only] */
  ms_census_result *result; /* of the whole graph */
  ms_significance_options statistics;
  ms_significance *significance; /* NULL: none */
  ms_permutation_options null;
  uint32_t *stratum;                   /* [null.n_strata] */
  ms_permutation_result *permutations; /* NULL: none */
  ms_census_summary summary;           /* of each vertex */
  double seconds, time_write;          /* of the census with its writing; of the writing alone */
} census_work;

/* ---- inputs ----------------------------------------------------------------------- */

static ms_status unknown_color(const census_work *w, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(w->job.coloring->names, "colours", "it has no colours", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--colors-only: no vertex can have the colour '%.*s'; %s",
                 ms_name_clip(name, strlen(name)), name, hint);
}

static ms_status find_colors(census_work *w, const ms_cli_items *items, ms_error *err)
{
  w->only = ms_alloc(items->count, sizeof *w->only);
  if (!w->only)
    return ms_fail_memory(err, "the colours of a census");
  for (uint32_t i = 0; i < items->count; i++) {
    w->only[i] = ms_coloring_find(w->job.coloring, items->name[i]);
    if (w->only[i] == MS_NO_ID)
      return unknown_color(w, items->name[i], err);
  }
  w->options.only = w->only;
  w->options.n_only = items->count;
  return MS_OK;
}

/* Reads --colors-only. */
static ms_status read_only(census_work *w, ms_error *err)
{
  ms_cli_items items;
  ms_status status = ms_cli_read_only(w->job.options->census.only, &items, err);
  if (status == MS_OK)
    status = find_colors(w, &items, err);
  ms_cli_items_free(&items);
  return status;
}

static ms_status read_inputs(census_work *w, ms_error *err)
{
  ms_job *job = &w->job;
  const ms_cli_options *o = job->options;
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, true, &job->coloring, err));
  MS_TRY(read_only(w, err));
  if (!o->census.strata)
    return MS_OK;
  w->null.n_strata = ms_graph_describe(job->graph).vertices;
  w->null.stratum = w->stratum = ms_alloc(w->null.n_strata, sizeof *w->stratum);
  if (!w->stratum)
    return ms_fail_memory(err, "the strata of vertices");
  return ms_read_strata(job->graph, job->coloring, &o->coloring, &w->options, o->census.strata,
                        w->stratum, err);
}

static void set_options(census_work *w)
{
  const ms_cli_options *o = w->job.options;
  ms_census_options *c = &w->options;
  c->k = o->census.k;
  c->primary = o->census.primary;
  c->min_count = o->census.min_count;
  c->top = o->census.top;
  c->run = ms_cli_limits(o, &w->job.progress);
  c->engine = o->list.engine;
  c->division = ms_cli_division(o, &w->division);
  w->statistics = o->census.statistics;
  w->statistics.seed = o->list.screen.seed;
  w->null.null_kind = o->census.null_kind;
  w->null.permutations = o->census.permutations;
  w->null.seed = o->list.screen.seed;
  w->null.max_t = o->census.max_t;
}

/* Permutations need all motifs, of which those that min_count and top leave are the first ones. */
static ms_status run_permutations(census_work *w, ms_error *err)
{
  const ms_census_choice *o = &w->job.options->census;
  ms_census_result *r = w->result;
  if (r->run.stopped == MS_OK)
    MS_TRY(ms_census_permute(w->job.graph, w->job.coloring, &w->options, &w->null, r,
                             &w->permutations, err));
  if (o->sort != MS_CENSUS_BY_SETS || w->division.parts > 0)
    return MS_OK; /* the writer leaves out rows, or those who merge the parts */
  w->options.min_count = o->min_count;
  w->options.top = o->top;
  while (r->count > 0 && (r->n_sets[r->count - 1] < o->min_count || (o->top && r->count > o->top)))
    r->count--;
  if (w->significance)
    w->significance->count = r->count;
  return MS_OK;
}

/* ---- the census ------------------------------------------------------------------- */

static ms_status write_whole(census_work *w, const ms_report *report, ms_error *err)
{
  ms_job *job = &w->job;
  ms_census_statistics statistics = MS_CENSUS_STATISTICS_DEFAULT;
  const ms_census_choice *o = &job->options->census;
  const ms_division *division = w->options.division;
  bool permutes = w->null.permutations > 0;
  if (o->sort != MS_CENSUS_BY_SETS && !permutes && !o->significance)
    return ms_fail(err, MS_ERR_USAGE,
                   "--sort %s needs --significance or --permutations, which make %s values",
                   ms_census_order_word(o->sort), ms_census_order_word(o->sort));
  if (permutes || o->sort != MS_CENSUS_BY_SETS)
    w->options.min_count = w->options.top = 0;
  if (permutes) /* which alone are divided and saved */
    w->options.division = NULL;
  if (o->significance)
    MS_TRY(ms_census_significance(job->graph, job->coloring, &w->options, &w->statistics,
                                  &w->result, &w->significance, err));
  else
    MS_TRY(ms_census(job->graph, job->coloring, &w->options, &w->result, err));
  w->options.division = division;
  if (w->result->run.stopped != MS_OK && !ms_crew_saves(ms_cli_crew))
    return MS_OK; /* a rank that was late: the leader has the output */
  if (permutes)
    MS_TRY(run_permutations(w, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  statistics.significance = w->significance;
  statistics.permutations = w->permutations;
  statistics.permutation_options = &w->null;
  statistics.strata = o->strata;
  statistics.sort = o->sort;
  w->options.min_count = o->min_count;
  w->options.top = o->top;
  ms_status status = ms_census_write_statistics(job->graph, job->coloring, &w->options, w->result,
                                                &statistics, &report->options, report->path, err);
  w->time_write = ms_seconds() - begin;
  return status;
}

static ms_status run_census(census_work *w, ms_error *err)
{
  ms_job *job = &w->job;
  ms_report report;
  double begin = ms_seconds();
  ms_report_open(&report, job);
  ms_status status =
      job->options->census.per_vertex
          ? ms_census_vertices_to_file(job->graph, job->coloring, &w->options, &report.options,
                                       report.path, &w->summary, err)
          : write_whole(w, &report, err);
  ms_progress_end(&job->progress);
  w->seconds = ms_seconds() - begin;
  w->time_write += w->summary.run.time_write;
  return status;
}

/* ---- the end ---------------------------------------------------------------------- */

static ms_status stopped(const census_work *w)
{
  if (w->permutations && w->permutations->run.stopped != MS_OK)
    return w->permutations->run.stopped;
  return w->result ? w->result->run.stopped : w->summary.run.stopped;
}

static ms_status write_statistics(const census_work *w, ms_error *err)
{
  char found[24];
  snprintf(found, sizeof found, "%" PRIu64, w->result ? w->result->motifs : w->summary.rows);
  ms_statistics statistics = {.search = w->seconds - w->time_write,
                              .output = w->time_write,
                              .status =
                                  ms_result_word(MS_WORDS_STATUS, ms_status_of(stopped(w), false)),
                              .found = found};
  return ms_report_statistics(&w->job, statistics, err);
}

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

static void print_summary(const census_work *w)
{
  const ms_census_result *r = w->result;
  if (r) {
    ms_cli_note("%" PRIu64 " connected sets of %" PRIu32 " vertices, %" PRIu64 " motifs", r->sets,
                r->k, r->motifs);
    ms_cli_note("%" PRIu64 " vertices with %" PRIu64 " lists of colours; %" PRIu64
                " sets visited; %s tables, at most %" PRIu64 " bytes",
                r->vertices, r->lists, r->visits, r->dense ? "dense" : "sparse", r->bytes);
    if (w->significance && w->significance->run.stopped == MS_OK)
      print_significance(w);
    if (w->permutations && w->options.division)
      ms_cli_note("a checkpoint had %" PRIu64 " permutations; %.3f s for saving the state",
                  w->permutations->run.resumed, w->permutations->run.time_checkpoint);
    else if (w->options.division)
      ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                  "; %.3f s for saving the state",
                  r->run.units, r->run.resumed, r->run.time_checkpoint);
    ms_cli_print_paranoid(&r->run.paranoid);
    ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
    if (r->gpu_bytes > 0)
      ms_cli_note("GPU: at most %" PRIu64 " bytes; the CPU counted the sets of %" PRIu64
                  " vertices that have too many others near them",
                  r->gpu_bytes, r->cpu_roots);
    if (w->permutations)
      print_permutations(w);
  } else {
    const ms_census_summary *s = &w->summary;
    ms_cli_note("%" PRIu64 " vertices, %" PRIu64 " rows; at most %" PRIu64 " bytes", s->vertices,
                s->rows, s->bytes);
    if (w->division.checkpoint)
      ms_cli_note("a checkpoint had %" PRIu64 " vertices; %.3f s for saving the state",
                  s->run.resumed, s->run.time_checkpoint);
    ms_cli_note("engine: %s: %s", s->run.engine, s->run.engine_reason);
    if (s->gpu_bytes > 0)
      ms_cli_note("GPU: at most %" PRIu64 " bytes; the CPU counted the sets of %" PRIu64
                  " vertices that have too many others or motifs near them",
                  s->gpu_bytes, s->cpu_vertices);
  }
  ms_cli_note("seconds: read %.3f, census %.3f, write %.3f", w->job.time_read,
              w->seconds - w->time_write, w->time_write);
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

static int outcome(const census_work *w)
{
  const ms_cli_options *o = w->job.options;
  const ms_census_result *r = w->result;
  bool none = r && (r->count == 0 || r->n_sets[0] < o->census.min_count);
  uint64_t found = r ? (none ? 0 : r->count) : w->summary.rows;
  if (stopped(w) == MS_OK)
    return o->fail_if_none && found == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
  if (!o->quiet && w->permutations)
    ms_cli_warn("%s after %" PRIu64 " of %" PRIu64
                " permutations; the statistics are of these, and the result is marked incomplete",
                ms_job_reason(stopped(w)), w->permutations->done, w->permutations->asked);
  else if (!o->quiet && w->result)
    ms_cli_warn("%s; the result has no motifs, and is marked incomplete",
                ms_job_reason(stopped(w)));
  else if (!o->quiet)
    ms_cli_warn("%s after %" PRIu64 " vertices; the others are missing, and the result is marked "
                "incomplete",
                ms_job_reason(stopped(w)), w->summary.vertices);
  return MS_EXIT_LIMIT;
}

static int finish(const census_work *w)
{
  ms_error err;
  if (write_statistics(w, &err) != MS_OK)
    return ms_cli_error(&err);
  if (w->job.options->verbose)
    print_summary(w);
  bool labels = w->permutations ? w->null.null_kind == MS_NULL_LABELS : w->significance != NULL;
  if (!w->job.options->quiet) {
    warn_of_stiff_chains(w);
    if (labels && stopped(w) == MS_OK)
      ms_job_note_degrees(&w->job, &w->options);
    if (w->significance && stopped(w) == MS_OK)
      note_bounds(w);
  }
  return outcome(w);
}

int ms_run_census(const ms_cli_options *o)
{
  ms_error err;
  census_work w = {.job = {.options = o, .begun = ms_seconds()},
                   .options = MS_CENSUS_OPTIONS_DEFAULT,
                   .null = MS_PERMUTATION_OPTIONS_DEFAULT,
                   .statistics = MS_SIGNIFICANCE_OPTIONS_DEFAULT};
  ms_job *job = &w.job;
  ms_progress_start(&job->progress, STDERR_FILENO, !o->quiet);
  ms_catch_signals(o->stop, !o->quiet);
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = read_inputs(&w, &err);
  ms_limit_memory(0);
  job->time_read = ms_seconds() - job->begun;
  ms_progress_report(&job->progress, "the search is prepared", 0, 0);
  if (status == MS_OK && !o->quiet)
    ms_warn_of_colors(job->coloring, job->options->census.strata);
  if (status == MS_OK && o->verbose)
    ms_print_inputs(job->graph, job->coloring);
  set_options(&w);
  if (status == MS_OK)
    status = run_census(&w, &err);
  int code = status == MS_OK ? finish(&w) : ms_cli_error(&err);
  ms_free(w.only);
  ms_free(w.stratum);
  ms_permutation_result_free(w.permutations);
  ms_significance_free(w.significance);
  ms_census_result_free(w.result);
  ms_job_close(job);
  return code;
}
