/* The census of a whole graph, from its options to its motifs, at once or in shares. */
#include "census/job.h"

#include "base/alloc.h"
#include "base/forecast.h"
#include "base/hooks.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "census/motifs.h"
#include "census/shapes/gpu.h"
#include "census/shapes/rows.h"
#include "census/shapes/tables.h"
#include "graph/colors.h"

#include <stdio.h>
#include <string.h>

typedef ms_census_job census;

#define LEAST_BOUND 1.0 /* seconds of a census whose search is sampled */

/* ---- motifs -------------------------------------------------------------------------- */

static ms_status make_rows(census *c, ms_census_wanted *wanted, ms_census_rows *rows,
                           uint64_t *sets, ms_error *err)
{
  *sets = 0;
  if (c->graphlet.k > 0 && !c->shape)
    return MS_OK;
  if (c->shape_rows.row)
    return ms_graphlet_take_rows(c, rows, sets) ? MS_OK : ms_census_fail_overflow(err);
  if (c->graphlet.k > 0)
    return c->shape_total ? ms_graphlet_rows_of_codes(c->graphlet, c->shape_total, rows, sets, err)
                          : ms_graphlet_rows_of_tally(&c->shared, rows, sets, err);
  MS_TRY(ms_census_job_expand(c, wanted, rows, sets, err));
  return *sets > INT64_MAX ? ms_census_fail_overflow(err) : MS_OK;
}

/* Moves the rows to the result. */
static ms_status fill_result(const census *c, const ms_census_rows *rows, ms_census_result *result,
                             ms_error *err)
{
  bool is_colored = c->graph->colors > 0 || !c->options->shapes, is_shape = c->options->shapes;
  if (is_colored)
    result->color = ms_alloc(rows->count * c->k, sizeof *result->color);
  if (is_shape)
    result->shape = ms_alloc(rows->count, sizeof *result->shape);
  result->n_sets = ms_alloc(rows->count, sizeof *result->n_sets);
  if ((is_colored && !result->color) || (is_shape && !result->shape) || !result->n_sets)
    return ms_fail_memory(err, "the motifs of a census");
  for (uint64_t i = 0; i < rows->count; i++) {
    for (uint32_t j = 0; is_colored && j < c->k; j++)
      result->color[i * c->k + j] = c->graph->color[rows->row[i].key.kind[j]];
    if (is_shape)
      result->shape[i] = ms_graphlet_code_of(&rows->row[i].key);
    result->n_sets[i] = rows->row[i].sets;
  }
  result->directed = c->graphlet.width == 2;
  result->count = rows->count;
  return MS_OK;
}

/* Fills the result from rows, which it puts in order. */
static ms_status finish(census *c, ms_census_rows *rows, uint64_t sets, ms_error *err)
{
  ms_census_result *result = c->result;
  if (sets > INT64_MAX)
    return ms_census_fail_overflow(err);
  if (c->options->non_induced)
    MS_TRY(ms_graphlet_uninduce(c->graphlet, rows, &c->budget, err));
  result->sets = sets;
  result->motifs = rows->count;
  if (c->options->all_shapes)
    MS_TRY(ms_graphlet_add_absent(c->graphlet, rows, err));
  ms_census_rows_sort(rows, c->options);
  MS_TRY(fill_result(c, rows, result, err));
  result->vertices = c->graph->n;
  result->lists = c->graph->kinds;
  result->dense = c->is_dense;
  result->bytes = c->budget.peak;
  for (int t = 0; c->search && t < c->threads; t++)
    result->visits += c->search[t].visits;
  result->visits += c->gpu_visits + ms_graphlet_tables_visits(c);
  return MS_OK;
}

void ms_census_result_free(ms_census_result *result)
{
  if (result) {
    ms_free(result->color);
    ms_free(result->shape);
    ms_free(result->n_sets);
    ms_free(result);
  }
}

/* ---- shares -------------------------------------------------------------------------- */

static ms_status open_job(census *c, const ms_graph *graph, const ms_coloring *coloring,
                          const ms_census_options *options, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &c->own, err));
  MS_TRY(ms_census_complete(&c->own, err));
  if (!c->own.shapes)
    MS_REQUIRE(coloring, err);
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  if (c->own.shapes) {
    MS_TRY(ms_graphlet_check(graph, coloring, &c->own, err));
    c->graphlet = ms_graphlet_form_of(c->own.k, ms_graph_directed(graph));
  }
  MS_TRY(c->gpus->check(c->own.run.devices, c->own.run.n_devices, err));
  c->options = &c->own;
  c->k = c->own.k;
  c->threads = ms_threads(c->own.run.threads);
  ms_budget_open(&c->budget, c->own.run.memory);
  c->result = ms_calloc(1, sizeof *c->result);
  if (!c->result)
    return ms_fail_memory(err, "the result of a census");
  c->result->k = c->k;
  ms_stop *before = ms_stop_enter(c->own.run.stop);
  ms_status status = MS_OK;
  if (!c->has_units && !c->own.shapes) {
    status = ms_census_graph_new_unordered(graph, coloring, c->options, &c->graph, err);
  } else {
    status = ms_census_graph_new(graph, coloring, c->options, &c->graph, err);
    if (status == MS_OK && c->has_units)
      status = ms_census_units_make(c->graph, c->k, c->threads, &c->units, err);
  }
  ms_stop_leave(before);
  return status;
}

ms_status ms_census_job_open(const ms_census_accelerator *gpus, const ms_graph *graph,
                             const ms_coloring *coloring, const ms_census_options *options,
                             ms_census_job **out, ms_error *err)
{
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_census_job *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a census");
  c->gpus = gpus;
  c->has_units = true;
  ms_status status = open_job(c, graph, coloring, options, err);
  if (status == MS_OK)
    *out = c;
  else
    ms_census_job_close(c);
  return status;
}

ms_status ms_census_job_open_beside(const ms_census_accelerator *gpus, const ms_graph *graph,
                                    const ms_coloring *coloring, const ms_census_options *options,
                                    ms_census_job **out, ms_error *err)
{
  *out = NULL;
  ms_census_job *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a census");
  c->gpus = gpus;
  ms_status status = open_job(c, graph, coloring, options, err);
  if (status == MS_OK)
    status = ms_census_units_divide(c->graph, c->k, c->threads, &c->units, err);
  if (status == MS_OK)
    status = ms_census_job_open_tables(c, err);
  if (status == MS_OK)
    *out = c;
  else
    ms_census_job_close(c);
  return status;
}

ms_status ms_census_job_result(ms_census_job *c, ms_census_result **out, ms_error *err)
{
  ms_census_rows rows;
  uint64_t sets;
  *out = NULL;
  MS_TRY(ms_census_job_totals(c, &rows, &sets, err));
  ms_status status = ms_census_job_finish(c, &rows, sets, out, err);
  ms_free(rows.row);
  return status;
}

void ms_census_job_close(ms_census_job *c)
{
  if (!c)
    return;
  ms_census_job_release(c);
  ms_census_result_free(c->result);
  ms_free(c);
}

uint64_t ms_census_job_units(const ms_census_job *c)
{
  return c->units.count;
}

void ms_census_job_set_form(ms_census_job *c, ms_census_form form)
{
  c->form = form;
}

ms_census_form ms_census_job_form(const ms_census_job *c, bool *uses_gpus)
{
  *uses_gpus = c->uses_gpus;
  return c->is_dense ? MS_CENSUS_DENSE : MS_CENSUS_SPARSE;
}

void ms_census_job_set_integrity(ms_census_job *c, ms_integrity *integrity)
{
  c->integrity = integrity;
}

uint32_t ms_census_job_key_size(const ms_census_job *c)
{
  return c->graphlet.k > 0 ? MS_MAX_CENSUS : c->k;
}

bool ms_census_job_key_is_right(const ms_census_job *c, const ms_multiset *key)
{
  uint32_t colors = c->graph->colors;
  if (c->graphlet.k > 0)
    return ms_graphlet_key_is_right(c->graphlet, colors > 0 ? colors : 1, key);
  for (uint32_t i = 0; i < c->k; i++)
    if (key->kind[i] >= colors)
      return false;
  return true;
}

ms_status ms_census_job_totals(ms_census_job *c, ms_census_rows *rows, uint64_t *sets,
                               ms_error *err)
{
  *rows = (ms_census_rows){0};
  ms_status status = make_rows(c, NULL, rows, sets, err);
  if (status != MS_OK) {
    ms_free(rows->row);
    *rows = (ms_census_rows){0};
  }
  return status;
}

ms_status ms_census_job_run(ms_census_job *c, const ms_share *share, ms_census_rows *rows,
                            uint64_t *sets, ms_error *err)
{
  *rows = (ms_census_rows){0};
  ms_stop *before = ms_stop_enter(c->options->run.stop);
  ms_status status = ms_census_job_clear(c, err);
  if (status == MS_OK)
    status = ms_census_job_search(c, share, err);
  if (status == MS_OK)
    status = ms_census_job_totals(c, rows, sets, err);
  ms_stop_leave(before);
  if (status == MS_OK)
    ms_census_rows_order(rows);
  return status;
}

ms_status ms_census_job_finish(ms_census_job *c, ms_census_rows *rows, uint64_t sets,
                               ms_census_result **out, ms_error *err)
{
  *out = NULL;
  MS_TRY(finish(c, rows, sets, err));
  *out = c->result;
  c->result = NULL;
  return MS_OK;
}

/* Counts the sets of a part of the units in a job of their own; an ms_forecast_part_fn. */
static ms_status sample_part(void *user, uint32_t parts, ms_stop *stop, ms_error *err)
{
  census *c = user;
  const ms_share share = ms_share_of_part(parts / 2 + 1, parts);
  (void)stop; /* it is that of the thread */
  MS_TRY(ms_census_job_clear(c, err));
  return ms_census_job_search(c, &share, err);
}

/* True if the sets with one vertex less, estimated by walks, are many enough for formulas, whose
 * plans take some milliseconds. */
static bool wants_formulas(const census *c)
{
  if (c->graphlet.k < 4 || c->graphlet.width > 1 || c->graph->colors > 0 || c->uses_gpus ||
      !c->gpus->count_shapes)
    return false;
  return ms_hooks.shape_sets == 0 ||
         ms_census_estimate_sets(c->graph, c->k - 1) > ms_hooks.shape_sets;
}

/* Says how long the search takes, if it may be long. */
static void forecast(const census *c, const ms_graph *graph, const ms_coloring *coloring)
{
  const ms_census_options *o = c->options;
  ms_census_job *sample = NULL;
  ms_census_options options = *o;
  ms_forecast_kind kind = MS_FORECAST_ABOUT;
  ms_error err;
  if (!ms_progress_wants_forecast(&o->run) || c->uses_gpus || wants_formulas(c) ||
      ms_census_job_bound(c) < LEAST_BOUND)
    return;
  options.run.memory = ms_budget_left(&c->budget);
  options.run.progress = NULL;
  options.run.engine = "cpu";
  options.run.devices = NULL;
  options.run.n_devices = 0;
  if (ms_census_job_open(c->gpus, graph, coloring, &options, &sample, &err) != MS_OK)
    return;
  double seconds =
      ms_forecast_by_parts(sample->units.count, sample_part, sample, o->run.stop, &kind);
  ms_census_job_close(sample);
  ms_progress_forecast(&o->run, "the search", seconds, kind);
}

/* Counts shapes by formulas, or, if a number or the memory does not suffice, by a search. */
static ms_status count_by_formulas(census *c, const ms_graph *graph, ms_error *err)
{
  ms_error why;
  MS_TRY(ms_census_job_open_tables(c, err));
  if (!c->shape_total)
    return ms_census_job_search(c, NULL, err);
  ms_status status =
      c->gpus->count_shapes(graph, c->k, &c->own.run, &c->budget, c->shape_total, &why);
  if (status == MS_ERR_MEMORY)
    return ms_census_job_search(c, NULL, err);
  snprintf(c->result->run.engine_reason, sizeof c->result->run.engine_reason,
           "by formulas, as there are many sets");
  return status == MS_OK ? MS_OK : ms_fail(err, status, "%s", why.message);
}

ms_status ms_census_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                       const ms_coloring *coloring, const ms_census_options *options,
                       ms_census_wanted *wanted, ms_census_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  census c = {.gpus = gpus};
  ms_census_rows rows = {0};
  uint64_t sets;
  ms_status status = open_job(&c, graph, coloring, options, err);
  ms_stop *before = ms_stop_enter(c.own.run.stop);
  if (status == MS_OK)
    status = ms_census_job_choose_engine(&c, err);
  if (status == MS_OK)
    forecast(&c, graph, coloring);
  if (status == MS_OK)
    status = wants_formulas(&c) ? count_by_formulas(&c, graph, err)
                                : ms_census_job_search(&c, NULL, err);
  if (status == MS_OK)
    status = make_rows(&c, wanted, &rows, &sets, err);
  ms_stop_leave(before);
  if (status == MS_OK)
    status = finish(&c, &rows, sets, err);
  ms_free(rows.row);
  ms_census_job_release(&c);
  if (c.result && (status == MS_ERR_INTERRUPTED || status == MS_ERR_LIMIT)) {
    c.result->run.stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK)
    *out = c.result;
  else
    ms_census_result_free(c.result);
  return status;
}
