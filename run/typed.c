/* ms_typed_match, the matches of a typed pattern:
 *
 *   query -> compound type filter: a part of the graph -> walk: domains
 *         -> index of pairs -> plan -> search: matches, in order
 *         -> judge: each match re-checked -> rows
 *
 * or their number; long counts go to the engines for plain patterns (typed_count.c). */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/typed/search.h"
#include "match/typed/symmetry.h"

/* least number of steps of a search before another method of counting is
 * tried */
#define LEAST_STEPS 1000000u

double ms_typed_patience = 5;

typedef struct typed_run {
  ms_run run;
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  const ms_typed_part *part;
  ms_typed_part *own_part; /* NULL: the part belongs to the caller */
  ms_group *group;
  ms_typed_domains *domains;
  ms_typed_index *index; /* NULL: there is nothing to search */
  ms_typed_plan plan;
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

static ms_status prepare(ms_run *run, ms_error *err)
{
  typed_run *t = (typed_run *)run;
  const ms_typed_match_options *o = t->options;
  MS_TRY(ms_typed_group_new(t->query, &t->group, err));
  MS_TRY(ms_group_order_text(t->group, &t->result->automorphisms_text, err));
  MS_TRY(ms_judge_typed(t->query, !o->embeddings, &run->judge, err));
  if (!t->part) {
    MS_TRY(ms_typed_cut(t->query, o, &t->own_part, t->result, err));
    t->part = t->own_part;
  }
  MS_TRY(find_domains(t, err));
  if (t->domains->empty)
    return MS_OK;
  MS_TRY(ms_typed_index_new(&t->part->rows, t->query, t->domains, o->threads, o->stop, run->budget,
                            &t->index, err));
  return ms_typed_plan_new(t->index, o->embeddings ? NULL : t->group, &t->plan, err);
}

/* ---- search ---------------------------------------------------------------------- */

/* Judges a row; used as ms_typed_search.check. */
static bool check_row(void *user, const uint32_t *row)
{
  return ms_run_judge(user, row);
}

static ms_typed_search search_of(typed_run *t)
{
  return (ms_typed_search){.index = t->index,
                           .plan = &t->plan,
                           .vertex = t->part->vertex,
                           .check = check_row,
                           .user = &t->run,
                           .stop = t->options->stop,
                           .threads = t->options->threads};
}

static ms_status list(ms_run *run, ms_stream *stream, ms_error *err)
{
  ms_typed_search search = search_of((typed_run *)run);
  search.stream = stream;
  return ms_typed_search_run(&search, run->count, err);
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

/* Counts with a search of limited length, then as a plain pattern if that is
 * possible, else with a search without a limit. */
static ms_status count(typed_run *t, ms_error *err)
{
  ms_run *run = &t->run;
  double entries = (double)(ms_typed_entries(t->index) + t->part->rows.n);
  bool spent = ms_typed_patience == 0;
  ms_typed_search search = search_of(t);
  if (!spent) {
    search.budget = (uint64_t)(ms_typed_patience * entries) + LEAST_STEPS;
    search.spent = &spent;
    ms_status status = ms_typed_search_run(&search, run->count, err);
    if (!spent || status != MS_ERR_LIMIT)
      return status;
    search.budget = 0;
    search.spent = NULL;
  }
  mpz_set_ui(run->count, 0);
  MS_TRY(ms_typed_count_plain(t->index, t->domains, t->part->rows.n, t->options, run,
                              &t->result->plain, err));
  if (!t->result->plain)
    return ms_typed_search_run(&search, run->count, err);
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
  if (!t->index || run->stopped != MS_OK)
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
  ms_typed_index_free(t.index);
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
