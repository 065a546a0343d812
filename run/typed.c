/* ms_typed_match, the matches of a typed pattern:
 *
 *   query -> compound type filter: a part of the graph -> walk: domains
 *         -> rows of each relation -> (sieve: flags) -> plan -> engine: matches, in order
 *         -> judge: each match re-checked -> rows
 *
 * or their number; long counts go to the engines for plain patterns (typed_count.c). */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/probe.h"
#include "parts/log.h"
#include "run/match.h"
#include "run/match_rows.h"

#include <math.h>

/* least estimated number of steps of a search for which another method of counting is
 * tried */
#define LEAST_STEPS 1000000u
#define POPULATION 64u /* of a probe */

typedef struct typed_run {
  ms_match_run match;
  ms_pattern_options plain; /* the options, for the steps that all patterns share */
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  ms_typed_candidates candidates;
  ms_typed_result *result;
} typed_run;

/* ---- candidates ---------------------------------------------------------------- */

ms_status ms_typed_cut(const ms_typed_query *query, const ms_typed_match_options *options,
                       ms_typed_part **part, ms_typed_result *result, ms_error *err)
{
  ms_type_filter *filter = NULL;
  double begin = ms_seconds();
  ms_status status = ms_type_filter_new(query, &filter, err);
  if (status == MS_OK)
    status = ms_typed_filter_part(&query->graph->rows, filter, options->threads, part, err);
  ms_type_filter_free(filter);
  if (status != MS_OK)
    return status;
  const ms_typed_rows *rows = &(*part)->rows;
  uint64_t loops = 0;
  for (uint32_t v = 0; v < rows->n; v++) {
    uint64_t first;
    loops += ms_typed_arcs_between(rows, v, v, &first);
    result->vertices_kept += rows->offset[v + 1] > rows->offset[v];
  }
  result->edges_kept = loops + (rows->arcs - loops) / 2;
  result->time_filter = ms_seconds() - begin;
  return MS_OK;
}

static ms_status find_domains(const ms_typed_query *query, const ms_typed_match_options *options,
                              ms_typed_candidates *c, ms_typed_result *r, ms_error *err)
{
  double begin = ms_seconds();
  MS_TRY(ms_typed_domains_new(&c->part->rows, query, options, &c->domains, err));
  r->domain = ms_alloc(r->p, sizeof *r->domain);
  if (!r->domain)
    return ms_fail_memory(err, "a typed result");
  r->walk_length = c->domains->walk_length;
  for (uint32_t i = 0; i < r->p; i++)
    r->domain[i] = c->domains->empty ? 0 : (uint32_t)c->domains->set[i].size;
  for (uint32_t w = 0; w <= c->part->rows.n / 64 && !c->domains->empty; w++) {
    uint64_t active = 0;
    for (uint32_t i = 0; i < r->p; i++)
      active |= c->domains->set[i].bits[w];
    r->vertices_active += (uint32_t)__builtin_popcountll(active);
  }
  r->time_walk = ms_seconds() - begin;
  return MS_OK;
}

/* Gives the relations to the steps that all patterns share. */
static void use_relations(ms_typed_relations *r, ms_match_run *m)
{
  m->index = &r->index;
  m->domains = r->domains;
  m->row = (const double(*)[MS_MAX_PATTERN])r->row;
  r->domains.store = NULL; /* moved */
}

ms_status ms_typed_candidates_find(const ms_typed_query *query,
                                   const ms_typed_match_options *options, ms_typed_candidates *c,
                                   ms_match_run *match, ms_typed_result *result, ms_error *err)
{
  if (!c->part) {
    MS_TRY(ms_typed_cut(query, options, &c->own_part, result, err));
    c->part = c->own_part;
  }
  MS_TRY(find_domains(query, options, c, result, err));
  match->domains.empty = c->domains->empty;
  if (c->domains->empty)
    return MS_OK;
  MS_TRY(ms_typed_relations_new(c->part, query, c->shape, c->domains, options->threads,
                                options->stop, match->run.budget, &c->relations, err));
  use_relations(c->relations, match);
  return MS_OK;
}

void ms_typed_candidates_free(ms_typed_candidates *c)
{
  ms_typed_relations_free(c->relations);
  ms_typed_domains_free(c->domains);
  ms_typed_part_free(c->own_part);
  ms_free(c->shape);
}

/* Returns the number of threads: one if both the rows and the estimated search are short, since
 * other threads take longer to wake than such a search takes. */
static int threads_for(const typed_run *t)
{
  double entries = (double)ms_typed_relations_entries(t->candidates.relations);
  double work = fmax(t->match.plan ? t->match.plan->cost : 0, entries);
  return ms_threads_for(t->options->threads, work < 1e18 ? (uint64_t)work : UINT64_MAX);
}

void ms_typed_shared_options(const ms_typed_match_options *o, ms_pattern_options *out)
{
  *out = (ms_pattern_options){.size = sizeof(ms_pattern_options),
                              .embeddings = o->embeddings,
                              .induced = o->induced,
                              .count_only = o->count_only,
                              .limit = o->limit,
                              .engine = o->engine,
                              .division = o->division,
                              .screen_mode = o->screen_mode,
                              .screen = {.size = sizeof(ms_screen_options),
                                         .recurrence = o->recurrence,
                                         .error = o->error,
                                         .repetitions = o->repetitions,
                                         .seed = o->seed,
                                         .backend = o->backend,
                                         .devices = o->devices,
                                         .n_devices = o->n_devices,
                                         .threads = o->threads,
                                         .memory = o->memory,
                                         .stop = o->stop,
                                         .progress = o->progress,
                                         .progress_user = o->progress_user}};
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  ms_match_run *m = &t->match;
  const ms_typed_match_options *o = t->options;
  MS_TRY(ms_typed_shape_new(t->query, &t->candidates.shape, err));
  t->candidates.shape->shape.induced = o->induced;
  m->shape = t->candidates.shape->shape;
  MS_TRY(ms_match_find_group(m, err));
  MS_TRY(ms_judge_typed(t->query, o->induced, !o->embeddings, &run->judge, err));
  ms_judge_require(run->judge, m->required.n, m->required.vertex);
  MS_TRY(ms_typed_candidates_find(t->query, o, &t->candidates, m, t->result, err));
  /* the plan tells whether the search is too short for a sieve, or for another way to count */
  if (!m->domains.empty && m->required.n == 0)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  MS_TRY(ms_typed_screen(&t->candidates, t->query->graph->rows.n, m, err));
  if (m->domains.empty)
    return MS_OK;
  if (!ms_match_is_count(m)) {
    MS_TRY(ms_match_cut_listing(m, err));
    MS_TRY(ms_match_plan_listing(m, err));
  } else if (m->required.n == 0 && !m->program)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  t->plain.screen.threads = threads_for(t);
  return MS_OK;
}

/* ---- search ---------------------------------------------------------------------- */

/* Counts as a plain pattern if a search would be long and that is possible, else by a plan. */
static ms_status count(typed_run *t, ms_error *err)
{
  ms_match_run *m = &t->match;
  ms_probe probe = {0};
  if (m->program && (m->options->division || m->merged))
    MS_TRY(ms_match_cut(m, false, err));
  if (m->required.n > 0 || m->options->division || m->merged)
    return ms_match_count(m, err);
  if (!m->program)
    return MS_OK;
  if (!m->shape.induced) {
    const ms_typed_candidates *c = &t->candidates;
    double entries = (double)(ms_typed_relations_entries(c->relations) + c->part->rows.n);
    if (ms_hooks.typed_patience > 0)
      MS_TRY(ms_probe_search(m->program, NULL, POPULATION, 1, &probe, err));
    if (probe.steps >=
        ms_hooks.typed_patience * entries + (ms_hooks.typed_patience > 0 ? LEAST_STEPS : 0))
      MS_TRY(ms_typed_count_plain(c->shape, c->relations, m, &t->result->plain, err));
  }
  if (t->result->plain)
    return MS_OK;
  MS_TRY(ms_match_cut(m, false, err));
  return ms_match_count(m, err);
}

/* Shows what is known before the first row; the texts still belong to the other result. */
static void show_known(typed_run *t)
{
  t->result->automorphisms_text = t->match.result->automorphisms_text;
  t->result->engine = t->match.result->engine;
  t->result->engine_reason = t->match.result->engine_reason;
  t->result->ordered = t->match.result->ordered;
  t->result->units = t->match.result->units;
  t->result->screen = t->match.result->screen;
  t->result->screen_reason = t->match.result->screen_reason;
}

/* Lists the rows, perhaps those of a part. */
static ms_status list(typed_run *t, ms_error *err)
{
  ms_run *run = &t->match.run;
  const ms_typed_match_options *o = t->options;
  ms_unit_rows rows;
  ms_status status = ms_match_rows_open(&t->match, &rows, err);
  show_known(t);
  if (status == MS_OK && run->rows && o->begin && !o->begin(run->rows_user, t->result))
    status = MS_ERR_LIMIT;
  if (status == MS_OK && run->stopped == MS_OK)
    status = ms_match_list(&t->match, err);
  if (status == MS_OK)
    status = ms_match_rows_finish(&t->match, err);
  ms_match_rows_close(&t->match);
  return status;
}

static ms_status search(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  if (!ms_match_is_count(&t->match))
    return list(t, err);
  show_known(t);
  return run->stopped == MS_OK ? count(t, err) : MS_OK;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  ms_typed_result *r = t->result;
  ms_pattern_result *all = t->match.result;
  MS_TRY(ms_match_finish(&t->match, err));
  r->matches = all->matches;
  r->vertices = all->vertices;
  r->count_text = all->count_text;
  r->work = all->work;
  r->units = all->units;
  r->resumed = all->resumed;
  r->time_checkpoint = all->time_checkpoint;
  r->part_text = all->part_text;
  all->part_text = NULL;
  r->stopped = run->stopped;
  r->time_search = run->time_prepare - r->time_filter - r->time_walk + run->time_search;
  show_known(t);
  all->vertices = NULL;
  all->screen = NULL;
  all->count_text = all->automorphisms_text = all->engine_reason = all->screen_reason = NULL;
  return MS_OK;
}

/* ---- entry points --------------------------------------------------------------------- */

static ms_status match_within(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_count_leaves *merged, ms_budget *budget,
                              ms_typed_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  const ms_typed_match_options *o = options;
  *out = NULL;
  typed_run *t = ms_alloc(1, sizeof *t); /* it is large for a stack */
  if (!t)
    return ms_fail_memory(err, "a search for a typed pattern");
  *t = (typed_run){.match = {.run = {.kind = &kind,
                                     .budget = budget,
                                     .stop = o->stop,
                                     .progress = o->progress,
                                     .progress_user = o->progress_user,
                                     .names = query->graph->names,
                                     .width = query->n,
                                     .count_only = o->count_only,
                                     .limit = o->limit,
                                     .rows = o->rows,
                                     .rows_user = o->rows_user},
                             .typed_pattern = query->pattern},
                   .query = query,
                   .options = options,
                   .candidates = {.part = part}};
  ms_typed_shared_options(o, &t->plain);
  t->match.options = &t->plain;
  t->match.merged = merged;
  ms_status status = ms_required_find_typed(query->graph, o->required, o->n_required, query->n,
                                            &t->match.required, err);
  t->result = status == MS_OK ? ms_calloc(1, sizeof *t->result) : NULL;
  if (status == MS_OK && !t->result)
    status = ms_fail_memory(err, "a typed result");
  if (!t->result) {
    ms_free(t);
    return status;
  }
  t->result->p = query->n;
  status = ms_match_open(&t->match, err);
  if (status == MS_OK)
    status = ms_run_query(&t->match.run, err);
  if (status != MS_OK) { /* they belong to the other result */
    t->result->automorphisms_text = t->result->engine_reason = t->result->screen_reason = NULL;
    t->result->screen = NULL;
  }
  ms_match_release(&t->match);
  ms_pattern_result_free(t->match.result);
  ms_typed_candidates_free(&t->candidates);
  if (status == MS_OK)
    *out = t->result;
  else
    ms_typed_result_free(t->result);
  ms_free(t);
  return status;
}

ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_budget *budget, ms_typed_result **out,
                              ms_error *err)
{
  return match_within(query, options, part, NULL, budget, out, err);
}

ms_status ms_typed_count_merged(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_count_leaves *leaves, ms_typed_result **out, ms_error *err)
{
  ms_budget budget;
  ms_budget_open(&budget, options->memory);
  return match_within(query, options, NULL, leaves, &budget, out, err);
}

ms_status ms_typed_division_take(ms_typed_match_options *o, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take(&o->division, own, err));
  if (!o->division)
    return MS_OK;
  if (own->crew)
    return ms_division_refuse(o->division, "a search for a typed pattern", err);
  if (o->limit > 0)
    return ms_division_refuse(o->division, "a search for a limited number of matches", err);
  if (!o->count_only)
    MS_TRY(ms_unit_rows_check_engine(o->engine, err));
  if (o->n_required > 0)
    return ms_division_refuse(o->division, "a search for matches with required vertices", err);
  if (o->screen_mode == MS_SCREEN_ALWAYS)
    return ms_division_refuse(o->division, "a search after the sieve", err);
  o->screen_mode = MS_SCREEN_NEVER; /* each part has to search the same graph by the same plan */
  if (!o->count_only)
    o->engine = "cpu";
  return MS_OK;
}

ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                         ms_typed_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_typed_match_options own;
  const ms_typed_match_options *o = &own;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, options, &own, err));
  ms_division division;
  MS_TRY(ms_typed_division_take(&own, &division, err));
  MS_TRY(ms_required_check(o->required, o->n_required, err));
  ms_budget budget;
  ms_budget_open(&budget, o->memory);
  return ms_typed_match_part(query, o, NULL, &budget, out, err);
}

void ms_typed_result_free(ms_typed_result *result)
{
  if (!result)
    return;
  ms_free(result->vertices);
  ms_free(result->score);
  ms_free(result->count_text);
  ms_free(result->automorphisms_text);
  ms_free(result->engine_reason);
  ms_free(result->domain);
  ms_screen_result_free(result->screen);
  ms_free(result->screen_reason);
  ms_free(result->part_text);
  ms_free(result);
}
