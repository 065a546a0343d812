/* The way of a typed pattern:
 *
 *   query -> compound type filter: a part of the graph -> walk: domains
 *         -> index of pairs -> plan -> search: matches, in order (long counts: the
 *            engines for plain patterns, see pipeline_typed_count.c)
 *         -> verify: each match re-checked -> rows
 *
 * Part of the library: everything that the tool can do, the library can. */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "match/typed/search.h"
#include "match/typed/symmetry.h"
#include "verify/verify.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define PROGRESS_SECONDS 0.1
#define STREAM_SHARE 4u /* of the memory bound, for matches that wait */
#define LEAST_BUDGET 1000000u

typedef struct job {
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  const ms_typed_part *part;
  ms_group *group;
  ms_typed_domains *domains;
  ms_typed_index *index;
  ms_typed_plan plan;
  ms_judge *judge;
  ms_typed_result *result;
  atomic_bool refused; /* the first refused match; set once, read after the run */
  ms_error refusal;
  double last_progress;
  size_t room;       /* stored rows that there is room for */
  uint64_t max_rows; /* of the memory bound */
  bool full;         /* there was no memory for more */
} job;

/* ---- numbers as text -------------------------------------------------------- */

ms_status ms_typed_number_text(const mpz_t number, char **out, ms_error *err)
{
  *out = ms_alloc(mpz_sizeinbase(number, 10) + 2, 1);
  if (!*out)
    return ms_fail_memory(err, "a number");
  mpz_get_str(*out, 10, number);
  return MS_OK;
}

static ms_status set_automorphisms(job *j, ms_error *err)
{
  mpz_t order;
  mpz_init(order);
  ms_group_order(j->group, order);
  ms_status status = ms_typed_number_text(order, &j->result->automorphisms_text, err);
  mpz_clear(order);
  return status;
}

static ms_status set_count(job *j, const mpz_t count, ms_error *err)
{
  if (j->options->count_only)
    j->result->matches = mpz_fits_ulong_p(count) ? mpz_get_ui(count) : UINT64_MAX;
  return ms_typed_number_text(count, &j->result->count_text, err);
}

/* ---- rows ------------------------------------------------------------------------- */

/* As ms_typed_search.check. */
static bool check_row(void *user, const uint32_t *row)
{
  job *j = user;
  char names[512] = "";
  size_t used = 0;
  ms_verdict verdict = ms_judge_row(j->judge, row);
  if (verdict == MS_MATCH_OK)
    return true;
  if (atomic_exchange(&j->refused, true))
    return false;
  for (uint32_t i = 0; i < j->query->n && used < sizeof names - 1; i++) {
    int length = snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "",
                          ms_typed_name(j->query->graph, row[i]));
    used += length > 0 ? (size_t)length : 0;
  }
  ms_fail(&j->refusal, MS_ERR_INTERNAL,
          "the verifier refuses a typed match (%s): %s; this is a bug in motifsieve, please report "
          "it with the input files",
          ms_verdict_text(verdict), names);
  return false;
}

static bool store_rows(job *j, const uint32_t *rows, uint64_t count)
{
  ms_typed_result *r = j->result;
  size_t p = r->p, need = (size_t)(r->matches + count);
  j->full = need > j->max_rows;
  if (!j->full && need > j->room) {
    size_t room = need + need / 2;
    uint32_t *larger = j->room ? ms_resize(r->vertices, j->room * p, room * p, sizeof *larger)
                               : ms_alloc(room * p, sizeof *larger);
    j->full = !larger;
    r->vertices = larger ? larger : r->vertices;
    j->room = larger ? room : j->room;
  }
  if (!j->full)
    memcpy(r->vertices + r->matches * p, rows, (size_t)count * p * sizeof *rows);
  return !j->full;
}

/* An ms_pattern_rows_fn. */
static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  job *j = user;
  const ms_typed_match_options *o = j->options;
  bool more = true;
  if (!o->count_only)
    more = o->rows ? o->rows(o->rows_user, rows, count) : store_rows(j, rows, count);
  double now = o->progress ? ms_seconds() : 0;
  if (more || o->rows)
    j->result->matches += count;
  if (o->progress && now - j->last_progress >= PROGRESS_SECONDS) {
    j->last_progress = now;
    o->progress(o->progress_user, "matches", j->result->matches, 0);
  }
  return more;
}

/* ---- filter and walk ----------------------------------------------------------- */

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

static ms_status walk(job *j, ms_error *err)
{
  ms_typed_result *r = j->result;
  double begin = ms_seconds();
  MS_TRY(ms_typed_domains_new(&j->part->rows, j->query, j->options, &j->domains, err));
  r->domain = ms_alloc(r->p, sizeof *r->domain);
  if (!r->domain)
    return ms_fail_memory(err, "a typed result");
  r->walk_length = j->domains->walk_length;
  for (uint32_t i = 0; i < r->p; i++)
    r->domain[i] = j->domains->empty ? 0 : (uint32_t)j->domains->set[i].size;
  for (uint32_t w = 0; w <= j->part->rows.n / 64 && !j->domains->empty; w++) {
    uint64_t active = 0;
    for (uint32_t i = 0; i < r->p; i++)
      active |= j->domains->set[i].bits[w];
    r->vertices_active += (uint32_t)__builtin_popcountll(active);
  }
  r->time_walk = ms_seconds() - begin;
  return MS_OK;
}

/* ---- search ---------------------------------------------------------------------- */

/* budget, spent: as of ms_typed_search. */
static ms_status run(job *j, ms_stream *stream, uint64_t budget, bool *spent, mpz_t count,
                     ms_error *err)
{
  ms_typed_search search = {.index = j->index,
                            .plan = &j->plan,
                            .vertex = j->part->vertex,
                            .stream = stream,
                            .check = check_row,
                            .user = j,
                            .stop = j->options->stop,
                            .budget = budget,
                            .spent = spent,
                            .threads = j->options->threads};
  ms_status status = ms_typed_search_run(&search, count, err);
  if (spent && *spent && status == MS_ERR_LIMIT)
    return MS_OK;
  if (atomic_load(&j->refused)) {
    j->result->rejected = 1;
    return ms_fail(err, j->refusal.status, "%s", j->refusal.message);
  }
  if (j->full || status == MS_ERR_MEMORY)
    return ms_fail(err, MS_ERR_MEMORY,
                   "%" PRIu64 " matches fill the memory; give a limit, write them as they come (an "
                   "output file or a receiver of rows), or raise the memory bound",
                   j->result->matches);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    j->result->stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK && stream)
    mpz_set_ui(count, (unsigned long)j->result->matches);
  return status;
}

double ms_typed_patience = 5;

static void divide_by_group(const job *j, mpz_t embeddings)
{
  mpz_t order;
  mpz_init(order);
  ms_group_order(j->group, order);
  mpz_cdiv_q(embeddings, embeddings, order); /* with a remainder only where it was stopped */
  mpz_clear(order);
}

static ms_status count_all(job *j, mpz_t count, ms_error *err)
{
  double entries = (double)(ms_typed_entries(j->index) + j->part->rows.n);
  bool spent = ms_typed_patience == 0, done = false;
  ms_status status = MS_OK;
  if (!spent)
    status =
        run(j, NULL, (uint64_t)(ms_typed_patience * entries) + LEAST_BUDGET, &spent, count, err);
  if (status != MS_OK || !spent)
    return status;
  mpz_set_ui(count, 0);
  status = ms_typed_count_plain(j->index, j->domains, j->part->rows.n, j->options, &done, count,
                                &j->result->stopped, err);
  j->result->plain = done;
  if (status == MS_OK && done && !j->options->embeddings)
    divide_by_group(j, count);
  return status != MS_OK || done ? status : run(j, NULL, 0, NULL, count, err);
}

static ms_status list_or_count(job *j, mpz_t count, ms_error *err)
{
  const ms_typed_match_options *o = j->options;
  ms_stream *stream = NULL;
  uint64_t memory = ms_memory_bound(o->memory);
  ms_stream_options options = {.length = j->result->p,
                               .limit = o->limit,
                               .memory = memory / STREAM_SHARE,
                               .rows = receive,
                               .user = j};
  j->max_rows = memory / (j->result->p * sizeof(uint32_t));
  if (o->count_only && o->limit == 0)
    return count_all(j, count, err);
  ms_status status = ms_stream_new(&options, &stream, err);
  if (status == MS_OK)
    status = run(j, stream, 0, NULL, count, err);
  ms_stream_free(stream);
  return status;
}

/* Stopping while the candidates are listed is no failure. */
static ms_status prepare(job *j, ms_error *err)
{
  const ms_typed_match_options *o = j->options;
  ms_status status =
      ms_typed_index_new(&j->part->rows, j->query, j->domains, o->threads, o->stop, &j->index, err);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    j->result->stopped = status;
    return MS_OK;
  }
  if (status == MS_OK)
    status = ms_typed_plan_new(j->index, o->embeddings ? NULL : j->group, &j->plan, err);
  return status;
}

static ms_status search(job *j, ms_error *err)
{
  const ms_typed_match_options *o = j->options;
  double begin = ms_seconds();
  mpz_t count;
  ms_status status = MS_OK;
  mpz_init(count);
  if (!j->domains->empty)
    status = prepare(j, err);
  if (status == MS_OK && o->rows && !o->count_only && o->begin &&
      !o->begin(o->rows_user, j->result))
    j->result->stopped = MS_ERR_INTERRUPTED;
  if (status == MS_OK && j->result->stopped == MS_OK && !j->domains->empty)
    status = list_or_count(j, count, err);
  if (status == MS_OK)
    status = set_count(j, count, err);
  mpz_clear(count);
  j->result->time_search = ms_seconds() - begin;
  return status;
}

ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_typed_result **out, ms_error *err)
{
  job j = {.query = query, .options = options, .part = part};
  ms_typed_part *cut = NULL;
  *out = NULL;
  j.result = ms_calloc(1, sizeof *j.result);
  if (!j.result)
    return ms_fail_memory(err, "a typed result");
  j.result->p = query->n;
  ms_status status = ms_typed_group_new(query, &j.group, err);
  if (status == MS_OK)
    status = set_automorphisms(&j, err);
  if (status == MS_OK)
    status = ms_judge_typed(query, !j.options->embeddings, &j.judge, err);
  if (status == MS_OK && !part) {
    status = ms_typed_cut(query, options, &cut, j.result, err);
    j.part = cut;
  }
  if (status == MS_OK)
    status = walk(&j, err);
  if (status == MS_OK)
    status = search(&j, err);
  ms_typed_index_free(j.index);
  ms_typed_domains_free(j.domains);
  ms_typed_part_free(cut);
  ms_judge_free(j.judge);
  ms_group_free(j.group);
  if (status == MS_OK)
    *out = j.result;
  else
    ms_typed_result_free(j.result);
  return status;
}

ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                         ms_typed_result **out, ms_error *err)
{
  static const ms_typed_match_options defaults = {0};
  return ms_typed_match_part(query, options ? options : &defaults, NULL, out, err);
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
