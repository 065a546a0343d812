/* ms_typed_match, the matches of a typed pattern:
 *
 *   query -> compound type filter: a part of the graph -> walk: domains
 *         -> rows of each relation -> plan -> engine: matches, in order
 *         -> judge: each match re-checked -> rows
 *
 * or their number; long counts go to the engines for plain patterns (typed_count.c). */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/count.h"
#include "match/probe.h"

/* least estimated number of steps of a search for which another method of counting is
 * tried */
#define LEAST_STEPS 1000000u
#define PROBE_WALKS 256u

double ms_typed_patience = 5;

typedef struct typed_run {
  ms_run run;
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  const ms_typed_part *part;
  ms_typed_part *own_part; /* NULL: the part belongs to the caller */
  ms_group *group;
  ms_typed_domains *domains;
  ms_typed_shape *shape;
  ms_typed_relations *relations;
  ms_plan *plan;
  ms_program *program; /* NULL: there is nothing to search */
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

static ms_status find_domains(typed_run *t, ms_error *err)
{
  ms_typed_result *r = t->result;
  double begin = ms_seconds();
  MS_TRY(ms_typed_domains_new(&t->part->rows, t->query, t->options, &t->domains, err));
  r->domain = ms_alloc(r->p, sizeof *r->domain);
  if (!r->domain)
    return ms_fail_memory(err, "a typed result");
  r->walk_length = t->domains->walk_length;
  for (uint32_t i = 0; i < r->p; i++)
    r->domain[i] = t->domains->empty ? 0 : (uint32_t)t->domains->set[i].size;
  for (uint32_t w = 0; w <= t->part->rows.n / 64 && !t->domains->empty; w++) {
    uint64_t active = 0;
    for (uint32_t i = 0; i < r->p; i++)
      active |= t->domains->set[i].bits[w];
    r->vertices_active += (uint32_t)__builtin_popcountll(active);
  }
  r->time_walk = ms_seconds() - begin;
  return MS_OK;
}

/* Makes the plan of a listing and its program. */
static ms_status plan_search(typed_run *t, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_typed_relations *r = t->relations;
  ms_plan_input input = {.vertices = r->index.n,
                         .row = (const double(*)[MS_MAX_PATTERN])r->row,
                         .constrain = !t->options->embeddings};
  for (uint32_t i = 0; i < t->query->n; i++)
    input.domain[i] = r->domains.of[i].count;
  MS_TRY(ms_plan_new(&t->shape->shape, &input, &t->plan, err));
  for (uint32_t i = 0; i < t->query->n; i++)
    for (uint64_t left = t->plan->level[i].back_out; left; left &= left - 1) {
      uint32_t from = t->plan->level[__builtin_ctzll(left)].vertex;
      MS_TRY(ms_typed_relations_need(r, t->shape->label[from][t->plan->level[i].vertex], err));
    }
  return ms_program_new(&r->index, t->plan, r->domains.of, &visit_all, &t->program, err);
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  const ms_typed_match_options *o = t->options;
  MS_TRY(ms_typed_shape_new(t->query, &t->shape, err));
  MS_TRY(ms_group_new(&t->shape->shape, NULL, ~UINT64_C(0), &t->group, err));
  MS_TRY(ms_group_order_text(t->group, &t->result->automorphisms_text, err));
  MS_TRY(ms_judge_typed(t->query, !o->embeddings, &run->judge, err));
  if (!t->part) {
    MS_TRY(ms_typed_cut(t->query, o, &t->own_part, t->result, err));
    t->part = t->own_part;
  }
  MS_TRY(find_domains(t, err));
  if (t->domains->empty)
    return MS_OK;
  MS_TRY(ms_typed_relations_new(&t->part->rows, t->query, t->shape, t->domains, o->threads, o->stop,
                                run->budget, &t->relations, err));
  return plan_search(t, err);
}

/* ---- search ---------------------------------------------------------------------- */

/* Makes a row; an ms_row_fn. It turns ids by level into graph vertices by
 * pattern vertex, replaces the row by the smallest one of its class, and judges
 * it. */
static bool make_row(void *user, const uint32_t *ids, uint32_t *row)
{
  typed_run *t = user;
  for (uint32_t i = 0; i < t->query->n; i++)
    row[t->plan->level[i].vertex] = t->part->vertex[t->relations->index.vertex[ids[i]]];
  if (!t->options->embeddings)
    ms_group_smallest(t->group, row);
  return ms_run_judge(&t->run, row);
}

/* Returns the number of threads: one if both the rows and the estimated search are short. */
static int threads_for(const typed_run *t)
{
  uint64_t entries = ms_typed_relations_entries(t->relations);
  double work = t->plan->cost > (double)entries ? t->plan->cost : (double)entries;
  return ms_threads_for(t->options->threads, work < 1e18 ? (uint64_t)work : UINT64_MAX);
}

static ms_status list(ms_run *run, ms_stream *stream, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  ms_pattern_task task = {
      .program = t->program, .threads = threads_for(t), .stop = t->options->stop};
  return ms_pattern_engine_cpu.list(&task, make_row, t, stream, err);
}

static void divide_by_group(const ms_group *group, mpz_t embeddings)
{
  mpz_t order;
  mpz_init(order);
  ms_group_order(group, order);
  /* there is only a remainder if the search was stopped */
  mpz_cdiv_q(embeddings, embeddings, order);
  mpz_clear(order);
}

/* Counts as a plain pattern if a search would be long and that is possible, else by the plan. */
static ms_status count(typed_run *t, ms_error *err)
{
  ms_run *run = &t->run;
  ms_typed_relations *r = t->relations;
  ms_probe probe = {0};
  double entries = (double)(ms_typed_relations_entries(r) + t->part->rows.n);
  if (ms_typed_patience > 0)
    MS_TRY(ms_probe_search(t->program, PROBE_WALKS, 1, &probe, err));
  if (probe.steps >= ms_typed_patience * entries + (ms_typed_patience > 0 ? LEAST_STEPS : 0))
    MS_TRY(ms_typed_count_plain(t->shape, r, t->options, run, &t->result->plain, err));
  if (!t->result->plain) {
    ms_count_query query = {.index = &r->index,
                            .domains = &r->domains,
                            .engine = &ms_pattern_engine_cpu,
                            .row = (const double(*)[MS_MAX_PATTERN])r->row,
                            .threads = threads_for(t),
                            .stop = t->options->stop,
                            .budget = run->budget};
    for (uint32_t label = 1; label < r->index.kinds; label++)
      MS_TRY(ms_typed_relations_need(r, (uint16_t)label, err));
    MS_TRY(ms_run_settle(run, ms_count_maps(&query, &t->shape->shape, run->count, err)));
  }
  if (!t->options->embeddings)
    divide_by_group(t->group, run->count);
  return MS_OK;
}

static ms_status search(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  const ms_typed_match_options *o = t->options;
  if (run->rows && !run->count_only && o->begin && !o->begin(run->rows_user, t->result))
    return MS_ERR_LIMIT;
  if (!t->program || run->stopped != MS_OK)
    return MS_OK;
  return run->count_only && run->limit == 0 ? count(t, err) : ms_run_rows(run, list, err);
}

static ms_status finish(ms_run *run, ms_error *err)
{
  ms_typed_result *r = ((typed_run *)run)->result;
  r->matches = run->count_only ? ms_number_cut(run->count) : run->matches;
  r->vertices = run->vertices;
  r->stopped = run->stopped;
  r->time_search = run->time_prepare - r->time_filter - r->time_walk + run->time_search;
  run->vertices = NULL;
  return ms_number_text(run->count, &r->count_text, err);
}

/* ---- entry points --------------------------------------------------------------------- */

ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_budget *budget, ms_typed_result **out,
                              ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  typed_run t = {.run = {.kind = &kind,
                         .budget = budget,
                         .stop = options->stop,
                         .progress = options->progress,
                         .progress_user = options->progress_user,
                         .names = query->graph->names,
                         .width = query->n,
                         .count_only = options->count_only,
                         .limit = options->limit,
                         .rows = options->rows,
                         .rows_user = options->rows_user},
                 .query = query,
                 .options = options,
                 .part = part};
  *out = NULL;
  t.result = ms_calloc(1, sizeof *t.result);
  if (!t.result)
    return ms_fail_memory(err, "a typed result");
  t.result->p = query->n;
  ms_status status = ms_run_query(&t.run, err);
  ms_program_free(t.program);
  ms_plan_free(t.plan);
  ms_typed_relations_free(t.relations);
  ms_free(t.shape);
  ms_typed_domains_free(t.domains);
  ms_typed_part_free(t.own_part);
  ms_group_free(t.group);
  if (status == MS_OK)
    *out = t.result;
  else
    ms_typed_result_free(t.result);
  return status;
}

ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                         ms_typed_result **out, ms_error *err)
{
  static const ms_typed_match_options defaults = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  const ms_typed_match_options *o = options ? options : &defaults;
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
  ms_free(result->domain);
  ms_free(result);
}
