/* ms_pattern_list, the matches of a pattern graph:
 *
 *   pattern -> (sieve: flags, and a smaller index) -> domains -> plan -> engine: matches, in order
 *           -> judge: each match re-checked -> rows
 *
 * or their number, counted by the fastest method (match/count/count.h). */
#include "run/match/match.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/work.h"
#include "gpu/gpu.h"
#include "graph/graph.h"
#include "match/count/shape_memo.h"
#include "query/labels.h"
#include "run/match/gather.h"
#include "run/match/match_rows.h"
#include "run/units/count_units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- engines ------------------------------------------------------------------- */

/* Seconds that a forecast of a count may take. */
#define MOST_PLANNING 0.5

static void set_engine(ms_match_run *m, const ms_engine_choice *choice)
{
  ms_pattern_result *r = m->result;
  ms_run_engine(&r->run, choice->engine->name, choice->reason);
  r->ordered = choice->engine->ordered;
}

/* Sets the engine that the result names as long as no other is chosen. */
static void set_first_engine(ms_match_run *m)
{
  ms_engine_choice choice = {m->asked ? m->asked : &ms_pattern_engine_cpu, ""};
  snprintf(choice.reason, sizeof choice.reason, "%s",
           m->asked ? "as asked for" : "nothing to search");
  set_engine(m, &choice);
}

static bool wants_forecast(const ms_match_run *m)
{
  return ms_progress_wants_forecast(&m->run.limits) && !m->run.limits.division && !m->merged &&
         m->required.n == 0;
}

/* Estimates the seconds of a count, which its plans do not say before the last of them is made. */
static void forecast_count(ms_match_run *m)
{
  const ms_screen_options *o = &m->options->screen;
  ms_match_work work;
  ms_engine_choice choice;
  ms_stop *stop = NULL;
  double by_factors;
  ms_error err;
  if (!wants_forecast(m) || (m->asked && m->asked != &ms_pattern_engine_cpu) ||
      ms_stop_child(o->run.stop, MOST_PLANNING, &stop, &err) != MS_OK)
    return;
  ms_stop *before = ms_stop_enter(stop);
  ms_status status = ms_match_counting_work(m, (ms_probe_effort){0, MS_PROBE_STEPS, stop}, &work,
                                            &by_factors, &err);
  if (status == MS_OK && ms_stop_check(stop) == MS_OK) {
    m->seconds = ms_match_seconds(&work, o->run.threads);
    if (!m->asked && m->seconds >= MS_PROGRESS_LONG)
      ms_pattern_engine_decide(&work, o->run.threads, NULL, &choice);
    if (!m->asked && m->seconds >= MS_PROGRESS_LONG && choice.engine != &ms_pattern_engine_cpu)
      m->seconds = 0;
  }
  ms_stop_leave(before);
  ms_stop_free(stop);
}

static ms_status choose_lister(ms_match_run *m, ms_error *err)
{
  const ms_pattern_options *o = m->options;
  ms_match_work work;
  if (m->asked) {
    m->choice = (ms_engine_choice){m->asked, "as asked for"};
    if (m->asked->supports)
      MS_TRY(m->asked->supports(m->program, err));
    if (m->asked != &ms_pattern_engine_cpu || !wants_forecast(m))
      return MS_OK;
  }
  MS_TRY(ms_match_listing_work(
      m, m->program, (ms_probe_effort){0, MS_PROBE_STEPS, o->screen.run.stop}, &work, err));
  if (!m->asked)
    ms_pattern_engine_decide(&work, o->screen.run.threads, m->program, &m->choice);
  if (m->choice.engine == &ms_pattern_engine_cpu)
    m->seconds = ms_match_seconds(&work, o->screen.run.threads);
  return MS_OK;
}

/* ---- candidates ------------------------------------------------------------------ */

ms_status ms_match_open(ms_match_run *m, ms_error *err)
{
  const ms_screen_options *screen = &m->options->screen;
  MS_TRY(ms_pattern_engine_find(m->options->screen.run.engine, &m->asked, err));
  MS_TRY(ms_gpu_check_named(screen->run.devices, screen->run.n_devices, err));
  m->result = ms_calloc(1, sizeof *m->result);
  if (!m->result)
    return ms_fail_memory(err, "the result");
  m->result->p = m->run.width;
  set_first_engine(m);
  return MS_OK;
}

ms_status ms_match_find_group(ms_match_run *m, ms_error *err)
{
  MS_TRY(ms_group_new(&m->shape, NULL, ms_bitset_all(), &m->group, err));
  return ms_group_order_text(m->group, &m->result->automorphisms_text, err);
}

ms_status ms_match_cut_listing(ms_match_run *m, ms_error *err)
{
  if (!m->result->screen || m->domains.empty || m->required.n > 0)
    return MS_OK;
  if (!m->program)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  return ms_match_cut(m, false, err);
}

ms_status ms_match_plan_listing(ms_match_run *m, ms_error *err)
{
  if (m->domains.empty)
    return MS_OK;
  if (m->required.n > 0) {
    /* each choice of places has a plan of its own, and a short search */
    m->choice = (ms_engine_choice){m->asked ? m->asked : &ms_pattern_engine_cpu, ""};
    snprintf(m->choice.reason, sizeof m->choice.reason, "%s",
             m->asked ? "as asked for" : "the search begins at the required vertices");
    set_engine(m, &m->choice);
    return MS_OK;
  }
  if (!m->program)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  MS_TRY(choose_lister(m, err));
  set_engine(m, &m->choice);
  return MS_OK;
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  ms_match_run *m = (ms_match_run *)run;
  const ms_pattern_options *o = m->options;
  ms_shape_of(m->pattern, o->induced, &m->shape);
  MS_TRY(ms_match_find_group(m, err));
  MS_TRY(ms_pattern_screen(m, err));
  if (ms_match_is_count(m))
    return ms_match_cut(m, true, err);
  MS_TRY(ms_match_cut_listing(m, err));
  MS_TRY(ms_judge_pattern(m->index->graph, m->index->coloring, m->pattern, o->induced,
                          !o->embeddings, &run->judge, err));
  ms_judge_require(run->judge, m->required.n, m->required.vertex);
  ms_judge_lend(run->judge, run->budget);
  return ms_match_plan_listing(m, err);
}

/* ---- counting -------------------------------------------------------------------- */

/* Appends to the reason how cliques were counted, where there was a choice. */
static void tell_of_pivots(const ms_count_report *report, char reason[512])
{
  char pivots[48], search[48];
  size_t length = strlen(reason);
  if (report->programs > 1) /* the cliques are a part of the count */
    return;
  ms_match_seconds_text(MS_STEP_SECONDS * report->pivots, pivots);
  ms_match_seconds_text(MS_STEP_SECONDS * report->instead_of, search);
  if (report->used_pivots && report->instead_of > 0)
    snprintf(reason + length, 512 - length,
             "; cliques by pivots, which take %s of one thread where a search takes %s", pivots,
             search);
  else if (report->used_pivots)
    snprintf(reason + length, 512 - length, "; cliques by pivots, before a search was planned");
  else if (report->pivots > 0)
    snprintf(reason + length, 512 - length,
             "; a search for cliques, which takes %s of one thread where pivots take %s", search,
             isinf(report->pivots) ? "longer" : pivots);
}

/* Names the engine that has counted, and the reason. */
static void report_counter(ms_match_run *m, const ms_count_report *report)
{
  ms_engine_choice choice = {&ms_pattern_engine_cpu,
                             "by factors and domains, which only the CPU does"};
  ms_match_work work = {.search = report->work, .gpu = report->large_work};
  if (report->programs == 0) {
    set_engine(m, &choice);
    return;
  }
  if (m->asked && report->passed == 0) {
    choice.engine = m->asked;
    snprintf(choice.reason, sizeof choice.reason, "as asked for");
    tell_of_pivots(report, choice.reason);
    set_engine(m, &choice);
    return;
  }
  if (m->asked) {
    choice.engine = report->passed < report->programs ? m->asked : &ms_pattern_engine_cpu;
    snprintf(choice.reason, sizeof choice.reason,
             "the CPU's engine made %u of %u parts of the count: %.300s", report->passed,
             report->programs, report->refusal.message);
    set_engine(m, &choice);
    return;
  }
  ms_pattern_engine_decide(&work, m->options->screen.run.threads, NULL, &choice);
  bool wanted = choice.engine != &ms_pattern_engine_cpu;
  choice.engine = report->used_large ? ms_pattern_engine_on_gpus() : &ms_pattern_engine_cpu;
  if (report->failure.status != MS_OK)
    snprintf(choice.reason, sizeof choice.reason, "the GPU's engine failed: %.400s",
             report->failure.message);
  else if (report->second)
    snprintf(choice.reason, sizeof choice.reason, "it began after the %s, and was done before",
             report->used_large ? "CPU" : "GPU");
  else if (wanted && !report->used_large)
    snprintf(choice.reason, sizeof choice.reason,
             "parts of the count are small, or none for a GPU");
  else if (report->used_large && !wanted)
    snprintf(choice.reason, sizeof choice.reason,
             "a GPU has started, and ends such a count before processors do");
  tell_of_pivots(report, choice.reason);
  set_engine(m, &choice);
}

/* A count with required vertices: the sum over choices of their places. */
typedef struct placed_count {
  ms_match_run *m;
  ms_count_report sum; /* of all counts */
} placed_count;

static void add_report(ms_count_report *sum, const ms_count_report *report)
{
  sum->programs += report->programs;
  sum->passed += report->passed;
  if (report->passed > 0)
    sum->refusal = report->refusal;
  sum->work += report->work;
  sum->last = report->last;
  sum->used_large = sum->used_large || report->used_large;
  sum->second = sum->second || report->second;
  if (sum->failure.status == MS_OK)
    sum->failure = report->failure;
}

/* Makes the query of a count that is run: it reports to the run and to the result. */
static void open_count(ms_match_run *m, ms_count_report *report, ms_count_query *query)
{
  ms_match_count_query(m, query);
  query->report = report;
  query->work = &m->result->run.work;
  query->progress = m->run.limits.progress ? ms_run_report : NULL;
  query->progress_user = &m->run;
}

/* Counts the maps with these places, and as many for each choice of the orbit; an ms_placed_fn. */
static ms_status count_placed(void *user, const ms_placed *placed, ms_error *err)
{
  placed_count *c = user;
  ms_count_report report = {0};
  ms_count_query query;
  mpz_t maps;
  open_count(c->m, &report, &query);
  query.domains = placed->domains;
  mpz_init(maps);
  ms_status status = ms_count_maps(&query, placed->shape, maps, err);
  mpz_addmul(c->m->run.count, maps, placed->orbit);
  mpz_clear(maps);
  add_report(&c->sum, &report);
  return status;
}

static ms_status count_maps(ms_match_run *m, ms_count_report *report, ms_error *err)
{
  placed_count placed = {.m = m};
  ms_count_query query;
  if (m->required.n > 0) {
    ms_status status = ms_required_place(&m->required, &m->shape, &m->domains, false,
                                         m->run.limits.stop, count_placed, &placed, err);
    *report = placed.sum;
    return status;
  }
  open_count(m, report, &query);
  return ms_count_maps(&query, &m->shape, m->run.count, err);
}

ms_status ms_match_count(ms_match_run *m, ms_error *err)
{
  ms_count_report report = {0};
  if (m->run.limits.division || m->merged)
    MS_TRY(ms_run_settle(&m->run, ms_match_count_units(m, &report, err)));
  else if (!m->domains.empty)
    MS_TRY(ms_run_settle(&m->run, count_maps(m, &report, err)));
  report_counter(m, &report);
  return MS_OK;
}

/* ---- rows ------------------------------------------------------------------------- */

static ms_status list_program(ms_match_run *m, ms_stream *stream, ms_error *err)
{
  ms_pattern_task task;
  ms_match_list_task(m, &task);
  return m->gather ? m->choice.engine->list(&task, ms_gather_rows, m->gather, stream, err)
                   : m->choice.engine->list(&task, ms_match_make_rows, m, stream, err);
}

typedef struct placed_list {
  ms_match_run *m;
  ms_stream *stream;
} placed_list;

/* Lists the rows with these places; an ms_placed_fn. */
static ms_status list_placed(void *user, const ms_placed *placed, ms_error *err)
{
  placed_list *l = user;
  ms_match_run *m = l->m;
  ms_status status = ms_match_plan_places(m, placed, err);
  if (status == MS_OK)
    status = list_program(m, l->stream, err);
  if (status == MS_OK)
    status = ms_stream_status(l->stream); /* it may want no more rows */
  ms_match_forget_plan(m);
  return status;
}

static ms_status list(ms_run *run, ms_stream *stream, ms_error *err)
{
  ms_match_run *m = (ms_match_run *)run;
  placed_list placed = {m, stream};
  if (m->required.n == 0)
    return list_program(m, stream, err);
  return ms_required_place(&m->required, &m->shape, &m->domains, m->options->embeddings,
                           m->run.limits.stop, list_placed, &placed, err);
}

/* Lists the rows. If a GPU that was not explicitly requested fails, the CPU
 * lists them instead, unless rows have already been passed to the receiver. */
ms_status ms_match_list(ms_match_run *m, ms_error *err)
{
  if (m->required.n > 0 ? m->domains.empty : !m->program)
    return MS_OK;
  ms_error failure = {0};
  if (m->in_units)
    return ms_unit_rows_run(m->in_units, err);
  ms_status status = ms_run_rows(&m->run, list, &failure);
  if ((status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) && !m->asked &&
      m->choice.engine != &ms_pattern_engine_cpu && m->run.matches == 0) {
    m->choice.engine = &ms_pattern_engine_cpu;
    snprintf(m->choice.reason, sizeof m->choice.reason, "the GPU's engine failed: %.400s",
             failure.message);
    set_engine(m, &m->choice);
    return ms_run_rows(&m->run, list, err);
  }
  if (status != MS_OK && err)
    *err = failure;
  return status;
}

static ms_status search(ms_run *run, ms_error *err)
{
  ms_match_run *m = (ms_match_run *)run;
  const ms_pattern_options *o = m->options;
  m->result->time_plan = run->time_prepare;
  if (ms_match_is_count(m))
    forecast_count(m);
  if (wants_forecast(m))
    ms_progress_forecast(&run->limits, "the search", m->seconds, MS_FORECAST_ABOUT);
  if (ms_match_is_count(m))
    return ms_match_count(m, err);
  if (ms_match_gathers(o)) {
    MS_TRY(ms_match_gather(m, ms_match_list, err));
    if (!run->rows || !o->begin || o->begin(run->rows_user, m->result))
      ms_gather_deliver(m);
    return MS_OK;
  }
  ms_unit_rows rows;
  ms_status status = ms_match_rows_open(m, &rows, err);
  if (status == MS_OK && run->rows && o->begin && !o->begin(run->rows_user, m->result))
    status = MS_ERR_LIMIT;
  if (status == MS_OK)
    status = ms_match_list(m, err);
  if (status == MS_OK)
    status = ms_match_rows_finish(m, err);
  ms_match_rows_close(m);
  return status;
}

/* Computes all counts from the known one. They are complete, or lower
 * bounds. */
ms_status ms_match_finish(ms_match_run *m, ms_error *err)
{
  ms_run *run = &m->run;
  ms_pattern_result *r = m->result;
  bool embeddings = m->options->embeddings, known = ms_match_is_count(m) || embeddings;
  mpz_t order, other;
  mpz_init(order);
  mpz_init(other);
  ms_group_order(m->group, order);
  if (known)
    /* there is only a remainder if the search was stopped */
    mpz_cdiv_q(other, run->count, order);
  else
    mpz_mul(other, run->count, order);
  mpz_srcptr all = known ? run->count : other, classes = known ? other : run->count;
  ms_status status = ms_number_text(all, &r->embeddings_text, err);
  if (status == MS_OK)
    status = ms_number_text(classes, &r->subgraphs_text, err);
  r->matches = ms_match_is_count(m) ? ms_number_cut(embeddings ? all : classes) : run->matches;
  if (m->embeddings)
    mpz_set(m->embeddings, all);
  mpz_srcptr counted = embeddings ? all : classes;
  if (m->options->sample > 0 || m->options->sort) { /* the other numbers are those of all matches */
    mpz_set_ui(order, run->matches);
    counted = order;
  }
  if (status == MS_OK)
    status = ms_number_text(counted, &r->count_text, err);
  mpz_clear(order);
  mpz_clear(other);
  if (r->screen)
    ms_work_add(&r->run.work, &r->screen->run.work);
  r->vertices = run->vertices;
  r->run.stopped = run->stopped;
  r->time_list = run->time_search;
  run->vertices = NULL;
  return status;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  return ms_match_finish((ms_match_run *)run, err);
}

/* ---- entry points ---------------------------------------------------------------------- */

static ms_status list_within(const ms_pattern_index *index, const ms_pattern *pattern,
                             const ms_pattern_options *o, ms_budget *budget, mpz_ptr embeddings,
                             ms_count_leaves *merged, ms_shared_maps *shared,
                             ms_pattern_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  *out = NULL;
  ms_match_run *m = ms_alloc(1, sizeof *m); /* it is large for a stack */
  if (!m)
    return ms_fail_memory(err, "a search for a pattern");
  *m = (ms_match_run){.run = {.kind = &kind,
                              .budget = budget,
                              .limits = o->screen.run,
                              .names = index->graph->names,
                              .width = pattern->n,
                              .count_only = o->count_only,
                              .limit = o->limit,
                              .rows = o->rows,
                              .rows_user = o->rows_user},
                      .index = index,
                      .pattern = pattern,
                      .options = o,
                      .embeddings = embeddings,
                      .merged = merged,
                      .shared = shared};
  ms_status status =
      ms_required_find(index->graph, o->required, o->n_required, pattern->n, &m->required, err);
  if (status == MS_OK)
    status = ms_match_open(m, err);
  if (status == MS_OK)
    status = ms_run_query(&m->run, err);
  ms_match_release(m);
  if (status == MS_OK)
    *out = m->result;
  else
    ms_pattern_result_free(m->result);
  ms_free(m);
  return status;
}

ms_status ms_pattern_list_within(const ms_pattern_index *index, const ms_pattern *pattern,
                                 const ms_pattern_options *o, ms_budget *budget, mpz_ptr embeddings,
                                 ms_pattern_result **out, ms_error *err)
{
  return list_within(index, pattern, o, budget, embeddings, NULL, NULL, out, err);
}

ms_status ms_pattern_count_sharing(const ms_pattern_index *index, const ms_pattern *pattern,
                                   const ms_pattern_options *o, ms_budget *budget,
                                   ms_shared_maps *shared, ms_pattern_result **out, ms_error *err)
{
  return list_within(index, pattern, o, budget, NULL, NULL, shared, out, err);
}

ms_status ms_pattern_count_merged(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *options, ms_count_leaves *leaves,
                                  ms_pattern_result **out, ms_error *err)
{
  ms_budget budget;
  ms_budget_open(&budget, options->screen.run.memory);
  return list_within(index, pattern, options, &budget, NULL, leaves, NULL, out, err);
}

ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                          const ms_pattern_options *options, ms_pattern_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  ms_pattern_options own;
  const ms_pattern_options *o = &own;
  MS_TRY(ms_options_take(&ms_pattern_options_kind, options, &own, err));
  MS_TRY(ms_required_check(o->required, o->n_required, err));
  ms_budget budget;
  ms_division division;
  *out = NULL;
  MS_TRY(ms_gather_take(&own, err));
  MS_TRY(ms_gather_check_graph(&own, index->graph, err));
  MS_TRY(ms_count_division_take(&own, &division, err));
  MS_TRY(ms_pattern_check_labels(pattern, index->graph, err));
  ms_budget_open(&budget, o->screen.run.memory);
  return ms_pattern_list_within(index, pattern, o, &budget, NULL, out, err);
}

void ms_pattern_result_free(ms_pattern_result *result)
{
  if (!result)
    return;
  ms_screen_result_free(result->screen);
  ms_free(result->vertices);
  ms_free(result->count_text);
  ms_free(result->embeddings_text);
  ms_free(result->subgraphs_text);
  ms_free(result->automorphisms_text);
  ms_free(result->screen_reason);
  ms_free(result->part_text);
  ms_participation_free(result->participation);
  ms_free(result);
}
