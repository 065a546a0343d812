/* ms_typed_match, the matches of a typed pattern:
 *
 *   query -> compound type filter: a part of the graph -> walk: domains
 *         -> rows of each relation -> (sieve: flags) -> plan -> engine: matches, in order
 *         -> judge: each match re-checked -> rows
 *
 * or their number; long counts go to the engines for plain patterns. */
#include "run/match/typed.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "graph/graph.h"
#include "match/probe.h"
#include "parts/log.h"
#include "run/match/gather.h"
#include "run/match/match.h"
#include "run/match/match_rows.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- counts as a plain pattern --------------------------------------------------------------- */

/* Counts typed matches with the engines for plain patterns if a count takes
 * long. */

/* The data of a count. */
typedef struct plain_count {
  const ms_typed_shape *shape;
  const ms_typed_relations *relations;
  const ms_domain *domain; /* [pattern vertices] */
  ms_merged merged;
  bool colored; /* the pattern needs colours */
  ms_pattern *pattern;
  ms_pattern_index *pattern_index;
  ms_pattern_result *result;
} plain_count;

/* ---- whether the graph is exact ------------------------------------------------------- */

/* True if the graph joins the candidate of i with no vertex of j's domain
 * except those of the relation's row. It always has that row's entries. */
static bool equals_row(const plain_count *p, const ms_neighbor_rows *rows, const ms_domain *domain,
                       uint32_t id)
{
  uint32_t degree, length;
  const uint32_t *row = ms_graph_neighbors(p->merged.graph, id, &degree);
  const uint32_t *own = ms_row(rows, id, &length);
  int64_t more = 0;
  for (uint32_t i = 0; i < degree; i++)
    more += ms_domain_has(domain, row[i]);
  for (uint32_t i = 0; i < length; i++)
    more -= ms_domain_has(domain, own[i]);
  return more == 0;
}

typedef struct comparison {
  const plain_count *p;
  const ms_domain *domain; /* [pattern vertices] */
  uint32_t i, j;           /* pattern vertices that are joined */
  atomic_bool differs;
} comparison;

static void compare_rows(void *user, ms_range r)
{
  comparison *c = user;
  const ms_domain *from = &c->domain[c->i], *to = &c->domain[c->j];
  const ms_neighbor_rows *rows = &c->p->relations->index.rows[c->p->shape->label[c->i][c->j]];
  for (uint64_t at = r.begin; at < r.end; at++) {
    uint32_t id = from->lo + (uint32_t)at;
    if (!atomic_load_explicit(&c->differs, memory_order_relaxed) && ms_domain_has(from, id) &&
        !equals_row(c->p, rows, to, id))
      atomic_store(&c->differs, true);
  }
}

static bool equals_all_rows(const plain_count *p, int threads)
{
  comparison c = {.p = p, .domain = p->domain};
  atomic_init(&c.differs, false);
  for (c.i = 0; c.i < p->shape->shape.n; c.i++)
    for (c.j = 0; c.j < c.i && !atomic_load(&c.differs); c.j++) {
      const ms_domain *from = &c.domain[c.i];
      if (p->shape->label[c.i][c.j] && from->hi > from->lo)
        ms_parallel(threads, from->hi - from->lo, 256, compare_rows, &c);
    }
  return !atomic_load(&c.differs);
}

/* ---- the pattern ------------------------------------------------------------------ */

/* False if every vertex of the graph is a candidate of every pattern vertex, each of which has an
 * edge: every edge of the graph joins two candidates. */
static bool needs_colors(const plain_count *p)
{
  bool joined = true;
  for (uint32_t i = 0; i < p->shape->shape.n; i++)
    joined = joined && !ms_bitset_is_empty(ms_shape_near(&p->shape->shape, i));
  return p->merged.colors > 1 || !joined || p->domain[0].count < p->relations->index.n;
}

static ms_status make_pattern(plain_count *p, ms_error *err)
{
  uint32_t edge[MS_MAX_TYPED_EDGES][2], edges = 0, n = p->shape->shape.n;
  char text[MS_MAX_PATTERN][4];
  const char *color[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (p->shape->label[i][j]) {
        edge[edges][0] = i;
        edge[edges++][1] = j;
      }
  for (uint32_t i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%u", p->merged.color[i] % MS_MAX_PATTERN);
    color[i] = text[i];
  }
  return ms_pattern_from_edges(n, edges, (const uint32_t(*)[2])edge, false,
                               p->colored ? color : NULL, &p->pattern, err);
}

/* ---- the count --------------------------------------------------------------------- */

static ms_status count_plain(plain_count *p, ms_match_run *m, ms_error *err)
{
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .embeddings = true,
                                .count_only = true,
                                .screen_mode = MS_SCREEN_NEVER,
                                .screen = m->options->screen};
  options.screen.run.division = NULL;
  ms_merged_number(&p->merged, m);
  p->colored = needs_colors(p);
  if (p->colored)
    MS_TRY(ms_merged_color(&p->merged, m, err));
  MS_TRY(make_pattern(p, err));
  MS_TRY(ms_pattern_index_new(p->merged.graph, p->merged.coloring, options.screen.run.threads,
                              &p->pattern_index, err));
  MS_TRY(ms_pattern_list_within(p->pattern_index, p->pattern, &options, m->run.budget, m->run.count,
                                &p->result, err));
  m->run.stopped = p->result->run.stopped;
  ms_work_add(&m->result->run.work, &p->result->run.work);
  ms_run_engine(&m->result->run, p->result->run.engine, p->result->run.engine_reason);
  return MS_OK;
}

static void release(plain_count *p)
{
  ms_pattern_result_free(p->result);
  ms_pattern_index_free(p->pattern_index);
  ms_pattern_free(p->pattern);
  ms_merged_free(&p->merged);
}

/* Counts as a plain pattern, for which there are formulas. The graph consists of the
 * entries of all relations, on the active vertices, and the domain of a pattern vertex becomes a
 * colour. *done is true if this graph joins candidates of two joined pattern vertices
 * exactly where their relation does, so that its embeddings are those of the typed pattern,
 * and if the run's budget has room for it. Otherwise nothing was counted. Sets the run's
 * count, of embeddings, and `stopped`. */
static ms_status typed_count_plain(const ms_typed_shape *shape, const ms_typed_relations *relations,
                                   ms_match_run *m, bool *done, ms_error *err)
{
  plain_count p = {.shape = shape, .relations = relations, .domain = m->domains.of};
  int threads = m->options->screen.run.threads;
  ms_status status = ms_merged_new(relations, threads, m->run.budget, &p.merged, err);
  *done = status == MS_OK && p.merged.graph &&
          equals_all_rows(&p, ms_threads_for(threads, p.merged.graph->arcs));
  if (*done)
    status = count_plain(&p, m, err);
  release(&p);
  return status;
}

/* ---- the search ------------------------------------------------------------------------------ */

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
    status = ms_typed_filter_part(&query->graph->rows, filter, options->run.threads, part, err);
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
  MS_TRY(ms_typed_relations_new(c->part, query, c->shape, c->domains, options->run.threads,
                                options->run.stop, match->run.budget, &c->relations, err));
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
  return ms_threads_for(t->options->run.threads, work < 1e18 ? (uint64_t)work : UINT64_MAX);
}

void ms_typed_shared_options(const ms_typed_match_options *o, ms_pattern_options *out)
{
  *out = (ms_pattern_options){.size = sizeof(ms_pattern_options),
                              .embeddings = o->embeddings,
                              .induced = o->induced,
                              .count_only = o->count_only,
                              .limit = o->limit,
                              .participation = o->participation,
                              .by_position = o->by_position,
                              .sample = o->sample,
                              .screen_mode = o->screen_mode,
                              .screen = {.size = sizeof(ms_screen_options),
                                         .recurrence = o->recurrence,
                                         .error = o->error,
                                         .repetitions = o->repetitions,
                                         .backend = o->backend,
                                         .run = o->run}};
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
  t->plain.screen.run.threads = threads_for(t);
  return MS_OK;
}

/* ---- search ---------------------------------------------------------------------- */

/* Counts as a plain pattern if a search would be long and that is possible, else by a plan. */
static ms_status count(typed_run *t, ms_error *err)
{
  ms_match_run *m = &t->match;
  ms_probe probe = {0};
  if (m->program && (m->run.limits.division || m->merged))
    MS_TRY(ms_match_cut(m, false, err));
  if (m->required.n > 0 || m->run.limits.division || m->merged)
    return ms_match_count(m, err);
  if (!m->program)
    return MS_OK;
  if (!m->shape.induced) {
    const ms_typed_candidates *c = &t->candidates;
    double entries = (double)(ms_typed_relations_entries(c->relations) + c->part->rows.n);
    if (ms_hooks.typed_patience > 0)
      MS_TRY(ms_probe_search(m->program, NULL, POPULATION, 1, NULL, &probe, err));
    if (probe.steps >=
        ms_hooks.typed_patience * entries + (ms_hooks.typed_patience > 0 ? LEAST_STEPS : 0))
      MS_TRY(typed_count_plain(c->shape, c->relations, m, &t->result->plain, err));
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
  t->result->run = t->match.result->run;
  t->result->ordered = t->match.result->ordered;
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

static ms_status gather(typed_run *t, ms_error *err)
{
  const ms_typed_match_options *o = t->options;
  MS_TRY(ms_match_gather(&t->match, ms_match_list, err));
  show_known(t);
  t->result->sampled_from = t->match.result->sampled_from;
  if (!t->match.run.rows || !o->begin || o->begin(t->match.run.rows_user, t->result))
    ms_gather_deliver(&t->match);
  return MS_OK;
}

static ms_status search(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  if (!ms_match_is_count(&t->match) && !ms_match_gathers(t->match.options))
    return list(t, err);
  if (ms_match_gathers(t->match.options))
    return gather(t, err);
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
  r->part_text = all->part_text;
  all->part_text = NULL;
  r->participation = all->participation;
  all->participation = NULL;
  r->time_search = run->time_prepare - r->time_filter - r->time_walk + run->time_search;
  show_known(t);
  r->run.stopped = run->stopped;
  all->vertices = NULL;
  all->screen = NULL;
  all->count_text = all->automorphisms_text = all->screen_reason = NULL;
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
                                     .limits = o->run,
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
    t->result->automorphisms_text = t->result->screen_reason = NULL;
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
  ms_budget_open(&budget, options->run.memory);
  return match_within(query, options, NULL, leaves, &budget, out, err);
}

ms_status ms_typed_division_take(ms_typed_match_options *o, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take(&o->run.division, own, err));
  if (!o->run.division)
    return MS_OK;
  const char *what = own->crew           ? "a search for a typed pattern"
                     : o->limit > 0      ? "a search for a limited number of matches"
                     : o->n_required > 0 ? "a search for matches with required vertices"
                     : o->screen_mode == MS_SCREEN_ALWAYS ? "a search after the sieve"
                                                          : NULL;
  MS_TRY(ms_unit_rows_check(&o->run, o->count_only, what, err));
  o->screen_mode = MS_SCREEN_NEVER; /* each part has to search the same graph by the same plan */
  if (!o->count_only)
    o->run.engine = "cpu";
  return MS_OK;
}

ms_status ms_typed_gather_take(ms_typed_match_options *o, ms_error *err)
{
  ms_pattern_options plain;
  ms_typed_shared_options(o, &plain);
  MS_TRY(ms_gather_take(&plain, err));
  o->screen_mode = plain.screen_mode;
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
  MS_TRY(ms_typed_gather_take(&own, err));
  MS_TRY(ms_typed_division_take(&own, &division, err));
  MS_TRY(ms_required_check(o->required, o->n_required, err));
  ms_budget budget;
  ms_budget_open(&budget, o->run.memory);
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
  ms_free(result->domain);
  ms_screen_result_free(result->screen);
  ms_free(result->screen_reason);
  ms_free(result->part_text);
  ms_participation_free(result->participation);
  ms_free(result);
}
