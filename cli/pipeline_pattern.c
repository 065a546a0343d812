/* The way of a pattern graph:
 *
 *   pattern -> (sieve: flags) -> domains -> plan -> engine: matches, in order
 *           -> verify: each match re-checked -> rows
 *
 * Part of the library: everything that the tool can do, the library can. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "cli/pipeline_pattern.h"
#include "enumerate/count.h"
#include "graph/graph.h"
#include "verify/pattern.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define PROGRESS_SECONDS 0.1
#define STREAM_SHARE 4u /* of the memory bound, for matches that wait */

typedef struct job {
  const ms_pattern_index *index;
  const ms_pattern *pattern;
  const ms_pattern_options *options;
  const ms_pattern_engine *engine;
  ms_shape shape;
  ms_group *group;    /* of the pattern; base 0, 1, .. */
  ms_domains domains;
  ms_pattern_judge *judge;
  ms_plan *plan;      /* of a listing */
  ms_pattern_result *result;
  /* the first refused match; set once, read after the run */
  atomic_bool refused;
  ms_error refusal;
  double last_progress;
  size_t room;        /* stored rows that there is room for */
  ms_status store_status;
  uint64_t max_rows;  /* of the memory bound */
} job;

/* ---- numbers as text -------------------------------------------------------- */

static ms_status number_text(const mpz_t number, char **out, ms_error *err)
{
  *out = ms_alloc(mpz_sizeinbase(number, 10) + 2, 1);
  if (!*out)
    return ms_fail_memory(err, "a number");
  mpz_get_str(*out, 10, number);
  return MS_OK;
}

/* All three counts from the one that is known: complete, or a lower bound. */
static ms_status set_counts(job *j, const mpz_t known, bool embeddings, ms_error *err)
{
  ms_pattern_result *r = j->result;
  mpz_t order, other;
  mpz_init(order);
  mpz_init(other);
  ms_group_order(j->group, order);
  if (embeddings)
    mpz_cdiv_q(other, known, order); /* with a remainder only where it was stopped */
  else
    mpz_mul(other, known, order);
  ms_status status = number_text(known, embeddings ? &r->embeddings_text : &r->subgraphs_text, err);
  if (status == MS_OK)
    status = number_text(other, embeddings ? &r->subgraphs_text : &r->embeddings_text, err);
  if (status == MS_OK)
    status = number_text(j->options->embeddings == embeddings ? known : other, &r->count_text, err);
  mpz_clear(order);
  mpz_clear(other);
  return status;
}

/* ---- counting ------------------------------------------------------------------ */

static ms_status count_all(job *j, ms_error *err)
{
  ms_count_query query = {.index = j->index, .domains = &j->domains, .engine = j->engine,
                          .order = j->options->order, .threads = j->options->screen.threads,
                          .stop = j->options->screen.stop};
  mpz_t maps;
  mpz_init(maps);
  ms_status status = j->domains.empty ? MS_OK : ms_count_maps(&query, &j->shape, maps, err);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    j->result->stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK)
    status = set_counts(j, maps, true, err);
  if (status == MS_OK && mpz_cmp_ui(maps, 0) > 0) {
    mpz_set_str(maps, j->result->count_text, 10);
    j->result->matches = mpz_fits_ulong_p(maps) ? mpz_get_ui(maps) : UINT64_MAX;
  }
  mpz_clear(maps);
  return status;
}

/* ---- rows ------------------------------------------------------------------------- */

static void refuse(job *j, const uint32_t *row, ms_pattern_verdict verdict)
{
  char names[512] = "";
  size_t used = 0;
  if (atomic_exchange(&j->refused, true))
    return;
  for (uint32_t i = 0; i < j->shape.n && used < sizeof names - 1; i++) {
    int length = snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "",
                          ms_graph_name(j->index->graph, row[i]));
    used += length > 0 ? (size_t)length : 0;
  }
  ms_fail(&j->refusal, MS_ERR_INTERNAL,
          "the verifier refuses a listed match (%s): %s; this is a bug in motifsieve, please report "
          "it with the input files",
          ms_pattern_verdict_text(verdict), names);
}

/* An ms_row_fn: ids by level to graph vertices by pattern vertex, the smallest
 * of the class, checked. */
static bool make_row(void *user, const uint32_t *ids, uint32_t *row)
{
  job *j = user;
  for (uint32_t i = 0; i < j->shape.n; i++)
    row[j->plan->level[i].vertex] = j->index->vertex[ids[i]];
  if (!j->options->embeddings)
    ms_group_smallest(j->group, row);
  ms_pattern_verdict verdict = ms_pattern_judge_row(j->judge, row);
  if (verdict != MS_PATTERN_OK)
    refuse(j, row, verdict);
  return verdict == MS_PATTERN_OK;
}

static bool store_rows(job *j, const uint32_t *rows, uint64_t count)
{
  ms_pattern_result *r = j->result;
  size_t p = r->p, need = (size_t)(r->matches + count);
  if (need > j->max_rows) {
    j->store_status = MS_ERR_MEMORY;
    return false;
  }
  if (need > j->room) {
    size_t room = need + need / 2;
    uint32_t *larger = ms_resize(r->vertices, j->room * p, room * p, sizeof *larger);
    if (!larger) {
      j->store_status = MS_ERR_MEMORY;
      return false;
    }
    r->vertices = larger;
    j->room = room;
  }
  memcpy(r->vertices + r->matches * p, rows, (size_t)count * p * sizeof *rows);
  return true;
}

static void report_progress(job *j)
{
  const ms_screen_options *o = &j->options->screen;
  double now = o->progress ? ms_seconds() : 0;
  if (!o->progress || now - j->last_progress < PROGRESS_SECONDS)
    return;
  j->last_progress = now;
  o->progress(o->progress_user, "matches", j->result->matches, 0);
}

/* An ms_pattern_rows_fn. */
static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  job *j = user;
  bool more = true;
  if (!j->options->count_only)
    more = j->options->rows ? j->options->rows(j->options->rows_user, rows, count)
                            : store_rows(j, rows, count);
  if (more || j->options->rows)
    j->result->matches += count;
  report_progress(j);
  return more;
}

/* ---- listing ------------------------------------------------------------------------ */

static void plan_input(const job *j, bool constrain, ms_plan_input *input)
{
  *input = (ms_plan_input){.vertices = j->index->n, .arcs = (double)j->index->arcs,
                           .square_degrees = j->index->square_degrees,
                           .order = j->options->order, .constrain = constrain};
  for (uint32_t i = 0; i < j->shape.n; i++)
    input->domain[i] = j->domains.of[i].count;
}

static ms_status make_plan(job *j, ms_program **program, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_plan_input input;
  plan_input(j, !j->options->embeddings, &input);
  ms_status status = ms_plan_new(&j->shape, &input, &j->plan, err);
  if (status == MS_OK)
    status = ms_program_new(j->index, j->plan, j->domains.of, &visit_all, program, err);
  return status;
}

static ms_status run_listing(job *j, const ms_program *program, ms_stream *stream, ms_error *err)
{
  ms_pattern_result *r = j->result;
  ms_pattern_task task = {.program = program, .threads = j->options->screen.threads,
                          .stop = j->options->screen.stop};
  ms_status status = j->engine->list(&task, make_row, j, stream, err);
  if (atomic_load(&j->refused)) {
    r->rejected = 1;
    return ms_fail(err, j->refusal.status, "%s", j->refusal.message);
  }
  if (j->store_status != MS_OK || ms_stream_status(stream) == MS_ERR_MEMORY)
    return ms_fail(err, MS_ERR_MEMORY,
                   "%" PRIu64 " matches fill the memory; give --limit, write them as they come (an "
                   "output file or a receiver of rows), or raise --memory",
                   ms_stream_rows(stream));
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    r->stopped = status;
  else if (status != MS_OK)
    return status;
  else if (ms_stream_status(stream) == MS_ERR_LIMIT)
    r->stopped = MS_ERR_LIMIT;
  return MS_OK;
}

static ms_status list_all(job *j, ms_program *program, ms_error *err)
{
  const ms_pattern_options *o = j->options;
  uint64_t memory = ms_memory_bound(o->screen.memory);
  ms_stream *stream = NULL;
  mpz_t rows;
  ms_status status = MS_OK;
  j->max_rows = memory / (j->shape.n * sizeof(uint32_t));
  ms_stream_options options = {.length = j->shape.n, .limit = o->limit,
                               .memory = memory / STREAM_SHARE, .rows = receive, .user = j};
  mpz_init(rows);
  if (program) {
    status = ms_stream_new(&options, &stream, err);
    if (status == MS_OK)
      status = run_listing(j, program, stream, err);
    ms_stream_free(stream);
  }
  if (status == MS_OK) {
    mpz_set_ui(rows, j->result->matches);
    status = set_counts(j, rows, o->embeddings, err);
  }
  mpz_clear(rows);
  return status;
}

/* A listing: plan, say what is known, then the rows. */
static ms_status plan_and_list(job *j, double begin, ms_error *err)
{
  const ms_pattern_options *o = j->options;
  ms_program *program = NULL;
  ms_status status = ms_pattern_judge_new(j->index->graph, j->index->coloring, j->pattern,
                                          o->induced, !o->embeddings, &j->judge, err);
  if (status == MS_OK && !j->domains.empty)
    status = make_plan(j, &program, err);
  j->result->time_plan = ms_seconds() - begin;
  if (status == MS_OK && o->rows && o->begin && !o->begin(o->rows_user, j->result))
    j->result->stopped = MS_ERR_LIMIT;
  else if (status == MS_OK)
    status = list_all(j, program, err);
  ms_program_free(program);
  return status;
}

/* ---- the whole way ------------------------------------------------------------------- */

static ms_status find_symmetry(job *j, ms_error *err)
{
  mpz_t order;
  mpz_init(order);
  ms_status status = ms_group_new(&j->shape, NULL, ~UINT64_C(0), &j->group, err);
  if (status == MS_OK) {
    ms_group_order(j->group, order);
    status = number_text(order, &j->result->automorphisms_text, err);
  }
  mpz_clear(order);
  return status;
}

static ms_status run(job *j, ms_error *err)
{
  double begin = ms_seconds();
  uint64_t *allowed = NULL;
  ms_shape_of(j->pattern, j->options->induced, &j->shape);
  ms_status status = find_symmetry(j, err);
  if (status == MS_OK)
    status = ms_pattern_screen(j->index, j->pattern, &j->shape, j->options, &allowed, j->result, err);
  if (status == MS_OK)
    status = ms_domains_new(j->index, j->pattern, &j->shape, allowed, &j->domains, err);
  ms_free(allowed);
  if (status != MS_OK)
    return status;
  if (j->options->count_only && j->options->limit == 0) {
    j->result->time_plan = ms_seconds() - begin;
    status = count_all(j, err);
  } else {
    status = plan_and_list(j, begin, err);
  }
  j->result->time_list = ms_seconds() - begin - j->result->time_plan;
  return status;
}

static void release(job *j)
{
  ms_group_free(j->group);
  ms_plan_free(j->plan);
  ms_domains_free(&j->domains);
  ms_pattern_judge_free(j->judge);
}

/* ---- engines ---------------------------------------------------------------------------- */

static const ms_pattern_engine *const engines[] = {&ms_pattern_engine_cpu};

static ms_status choose_engine(const char *name, const ms_pattern_engine **engine, ms_error *err)
{
  *engine = engines[0];
  if (!name || strcmp(name, "auto") == 0)
    return MS_OK;
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
    if (strcmp(engines[i]->name, name) == 0) {
      *engine = engines[i];
      return MS_OK;
    }
  return ms_fail(err, MS_ERR_USAGE, "there is no engine '%s'; take auto or cpu", name);
}

ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                          const ms_pattern_options *given, ms_pattern_result **out, ms_error *err)
{
  static const ms_pattern_options defaults = {.screen.seed = 1};
  job j = {.index = index, .pattern = pattern, .options = given ? given : &defaults};
  *out = NULL;
  ms_status status = choose_engine(j.options->engine, &j.engine, err);
  if (status != MS_OK)
    return status;
  j.result = ms_calloc(1, sizeof *j.result);
  if (!j.result)
    return ms_fail_memory(err, "the result");
  atomic_init(&j.refused, false);
  j.result->p = pattern->n;
  j.result->engine = j.engine->name;
  status = run(&j, err);
  release(&j);
  if (status == MS_OK)
    *out = j.result;
  else
    ms_pattern_result_free(j.result);
  return status;
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
  ms_free(result);
}

/* ---- how it would be done --------------------------------------------------------------- */

/* The text of the search, and behind it, or as a key of its own, that of the
 * count. */
static ms_status join_texts(const char *search, const char *count, bool json, char **text,
                            ms_error *err)
{
  size_t length = strlen(search);
  const char *between = json ? ",\"count\":" : "";
  size_t room = length + strlen(between) + strlen(count) + 2;
  *text = ms_alloc(room, 1);
  if (!*text)
    return ms_fail_memory(err, "a plan's text");
  if (json) /* in front of the closing brace */
    snprintf(*text, room, "%.*s%s%s}", (int)length - 1, search, between, count);
  else
    snprintf(*text, room, "%s%s", search, count);
  return MS_OK;
}

static ms_status explain_search(job *j, const char *const *name, bool json, char **text,
                                ms_error *err)
{
  ms_plan_input input;
  plan_input(j, !j->options->embeddings, &input);
  ms_status status = ms_plan_new(&j->shape, &input, &j->plan, err);
  if (status != MS_OK)
    return status;
  return json ? ms_plan_json(j->plan, name, text, err) : ms_plan_text(j->plan, name, text, err);
}

static ms_status explain_count(job *j, const char *const *name, bool json, char **text,
                               ms_error *err)
{
  ms_count_query query = {.index = j->index, .domains = &j->domains, .order = j->options->order};
  return ms_count_explain(&query, &j->shape, name, json, text, err);
}

static ms_status explain(job *j, bool json, char **text, ms_error *err)
{
  const char *name[MS_MAX_PATTERN];
  char *search = NULL, *count = NULL;
  ms_shape_of(j->pattern, j->options->induced, &j->shape);
  ms_status status = ms_domains_new(j->index, j->pattern, &j->shape, NULL, &j->domains, err);
  if (status != MS_OK)
    return status;
  for (uint32_t i = 0; i < j->shape.n; i++)
    name[i] = ms_pattern_vertex_name(j->pattern, i);
  if (!j->options->count_only)
    return explain_search(j, name, json, text, err);
  status = explain_search(j, name, json, &search, err);
  if (status == MS_OK)
    status = explain_count(j, name, json, &count, err);
  if (status == MS_OK)
    status = join_texts(search, count, json, text, err);
  ms_free(search);
  ms_free(count);
  return status;
}

ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                             const ms_pattern_options *given, bool json, char **text, ms_error *err)
{
  static const ms_pattern_options defaults = {.screen.seed = 1};
  job j = {.index = index, .pattern = pattern, .options = given ? given : &defaults};
  *text = NULL;
  ms_status status = explain(&j, json, text, err);
  release(&j);
  return status;
}

void ms_text_free(char *text)
{
  ms_free(text);
}
