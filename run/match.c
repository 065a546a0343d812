/* The way of a pattern graph:
 *
 *   pattern -> (sieve: flags) -> domains -> plan -> engine: matches, in order
 *           -> verify: each match re-checked -> rows
 *
 * Part of the library: everything that the tool can do, the library can. */
#include "run/match.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/graph.h"
#include "match/count.h"
#include "plan/plan_writer.h"
#include "verify/verify.h"

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
  const ms_pattern_engine *asked; /* for by name; NULL: auto */
  ms_shape shape;
  ms_group *group; /* of the pattern; base 0, 1, .. */
  ms_domains domains;
  ms_judge *judge;
  ms_plan *plan; /* of a listing */
  ms_pattern_result *result;
  /* the first refused match; set once, read after the run */
  atomic_bool refused;
  ms_error refusal;
  double last_progress;
  size_t room; /* stored rows that there is room for */
  ms_status store_status;
  uint64_t max_rows; /* of the memory bound */
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

/* ---- engines --------------------------------------------------------------------- */

static ms_status set_engine(job *j, const ms_engine_choice *choice, ms_error *err)
{
  ms_pattern_result *r = j->result;
  ms_free(r->engine_reason);
  r->engine = choice->engine->name;
  r->ordered = choice->engine->ordered;
  r->engine_reason = ms_strdup(choice->reason);
  return r->engine_reason ? MS_OK : ms_fail_memory(err, "a reason");
}

/* As long as nothing else is known. */
static ms_status set_first_engine(job *j, ms_error *err)
{
  ms_engine_choice choice = {j->asked ? j->asked : &ms_pattern_engine_cpu, ""};
  snprintf(choice.reason, sizeof choice.reason, "%s",
           j->asked ? "as asked for" : "nothing to search");
  return set_engine(j, &choice, err);
}

/* ---- counting ------------------------------------------------------------------ */

/* By the engine that was asked for, or else by the CPU's, and a GPU's from so
 * much work on. */
static void count_query(const job *j, ms_count_report *report, ms_count_query *query)
{
  const ms_screen_options *o = &j->options->screen;
  *query = (ms_count_query){.index = j->index,
                            .domains = &j->domains,
                            .engine = j->asked ? j->asked : &ms_pattern_engine_cpu,
                            .order = j->options->order,
                            .threads = o->threads,
                            .stop = o->stop,
                            .devices = o->n_devices,
                            .device = o->n_devices ? o->devices : NULL,
                            .report = report};
  if (!j->asked) {
    query->large = ms_pattern_engine_on_gpus();
    query->worth = ms_pattern_engine_worth(false, o->threads);
  }
}

/* What has counted. */
static ms_status tell_counter(job *j, const ms_count_report *report, ms_error *err)
{
  ms_engine_choice choice = {&ms_pattern_engine_cpu,
                             "by factors and domains, which the processor does"};
  if (report->programs == 0)
    return set_engine(j, &choice, err);
  if (j->asked)
    return MS_OK;
  ms_pattern_engine_decide(report->work, false, j->options->screen.threads, NULL, &choice);
  bool wanted = choice.engine != &ms_pattern_engine_cpu;
  choice.engine = report->used_large ? ms_pattern_engine_on_gpus() : &ms_pattern_engine_cpu;
  if (report->failure.status != MS_OK)
    snprintf(choice.reason, sizeof choice.reason, "the GPU's engine failed: %.400s",
             report->failure.message);
  else if (wanted && !report->used_large)
    snprintf(choice.reason, sizeof choice.reason,
             "parts of the count are small, or none for a GPU");
  return set_engine(j, &choice, err);
}

static ms_status count_all(job *j, ms_error *err)
{
  ms_count_report report = {0};
  ms_count_query query;
  mpz_t maps;
  mpz_init(maps);
  count_query(j, &report, &query);
  ms_status status = j->domains.empty ? MS_OK : ms_count_maps(&query, &j->shape, maps, err);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    j->result->stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK)
    status = set_counts(j, maps, true, err);
  if (status == MS_OK)
    status = tell_counter(j, &report, err);
  if (status == MS_OK && mpz_cmp_ui(maps, 0) > 0) {
    mpz_set_str(maps, j->result->count_text, 10);
    j->result->matches = mpz_fits_ulong_p(maps) ? mpz_get_ui(maps) : UINT64_MAX;
  }
  mpz_clear(maps);
  return status;
}

/* ---- rows ------------------------------------------------------------------------- */

static void refuse(job *j, const uint32_t *row, ms_verdict verdict)
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
  ms_fail(
      &j->refusal, MS_ERR_INTERNAL,
      "the verifier refuses a listed match (%s): %s; this is a bug in motifsieve, please report "
      "it with the input files",
      ms_verdict_text(verdict), names);
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
  ms_verdict verdict = ms_judge_row(j->judge, row);
  if (verdict != MS_MATCH_OK)
    refuse(j, row, verdict);
  return verdict == MS_MATCH_OK;
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
  *input = (ms_plan_input){.vertices = j->index->n,
                           .arcs = (double)j->index->arcs,
                           .square_degrees = j->index->square_degrees,
                           .order = j->options->order,
                           .constrain = constrain};
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

static ms_status choose_lister(job *j, const ms_program *program, ms_engine_choice *choice,
                               ms_error *err)
{
  const ms_pattern_options *o = j->options;
  double work;
  if (j->asked) {
    *choice = (ms_engine_choice){j->asked, "as asked for"};
    return j->asked->takes ? j->asked->takes(program, err) : MS_OK;
  }
  ms_status status = ms_pattern_listing_work(program, j->plan, o->limit, &work, err);
  if (status == MS_OK)
    ms_pattern_engine_decide(work, true, o->screen.threads, program, choice);
  return status;
}

static ms_status run_listing(job *j, const ms_pattern_engine *engine, const ms_program *program,
                             ms_stream *stream, ms_error *err)
{
  ms_pattern_result *r = j->result;
  const ms_screen_options *o = &j->options->screen;
  ms_pattern_task task = {.program = program,
                          .threads = o->threads,
                          .devices = o->n_devices,
                          .device = o->n_devices ? o->devices : NULL,
                          .stop = o->stop};
  ms_status status = engine->list(&task, make_row, j, stream, err);
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

static ms_status list_by(job *j, const ms_pattern_engine *engine, const ms_program *program,
                         ms_error *err)
{
  const ms_pattern_options *o = j->options;
  ms_stream *stream = NULL;
  ms_stream_options options = {.length = j->shape.n,
                               .limit = o->limit,
                               .memory = ms_memory_bound(o->screen.memory) / STREAM_SHARE,
                               .rows = receive,
                               .user = j};
  ms_status status = ms_stream_new(&options, &stream, err);
  if (status == MS_OK)
    status = run_listing(j, engine, program, stream, err);
  ms_stream_free(stream);
  return status;
}

/* The CPU lists where a GPU that nobody asked for fails, unless it was too late:
 * rows were handed on. */
static ms_status list_all(job *j, const ms_engine_choice *choice, const ms_program *program,
                          ms_error *err)
{
  mpz_t rows;
  ms_error failure = {0};
  ms_status status = MS_OK;
  j->max_rows = ms_memory_bound(j->options->screen.memory) / (j->shape.n * sizeof(uint32_t));
  mpz_init(rows);
  if (program)
    status = list_by(j, choice->engine, program, &failure);
  if ((status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) && !j->asked &&
      choice->engine != &ms_pattern_engine_cpu && j->result->matches == 0) {
    ms_engine_choice cpu = {&ms_pattern_engine_cpu, ""};
    snprintf(cpu.reason, sizeof cpu.reason, "the GPU's engine failed: %.400s", failure.message);
    status = set_engine(j, &cpu, &failure);
    if (status == MS_OK)
      status = list_by(j, cpu.engine, program, &failure);
  }
  if (status != MS_OK && err)
    *err = failure;
  if (status == MS_OK) {
    mpz_set_ui(rows, j->result->matches);
    status = set_counts(j, rows, j->options->embeddings, err);
  }
  mpz_clear(rows);
  return status;
}

/* A listing: plan, say what is known, then the rows. */
static ms_status plan_and_list(job *j, double begin, ms_error *err)
{
  const ms_pattern_options *o = j->options;
  ms_program *program = NULL;
  ms_engine_choice choice = {&ms_pattern_engine_cpu, ""};
  ms_status status = ms_judge_pattern(j->index->graph, j->index->coloring, j->pattern, o->induced,
                                      !o->embeddings, &j->judge, err);
  if (status == MS_OK && !j->domains.empty)
    status = make_plan(j, &program, err);
  if (status == MS_OK && program)
    status = choose_lister(j, program, &choice, err);
  if (status == MS_OK && program)
    status = set_engine(j, &choice, err);
  j->result->time_plan = ms_seconds() - begin;
  if (status == MS_OK && o->rows && o->begin && !o->begin(o->rows_user, j->result))
    j->result->stopped = MS_ERR_LIMIT;
  else if (status == MS_OK)
    status = list_all(j, &choice, program, err);
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
    status =
        ms_pattern_screen(j->index, j->pattern, &j->shape, j->options, &allowed, j->result, err);
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
  ms_judge_free(j->judge);
}

ms_status ms_pattern_list(const ms_pattern_index *index, const ms_pattern *pattern,
                          const ms_pattern_options *given, ms_pattern_result **out, ms_error *err)
{
  static const ms_pattern_options defaults = {.screen.seed = 1};
  job j = {.index = index, .pattern = pattern, .options = given ? given : &defaults};
  *out = NULL;
  MS_TRY(ms_pattern_engine_find(j.options->engine, &j.asked, err));
  j.result = ms_calloc(1, sizeof *j.result);
  if (!j.result)
    return ms_fail_memory(err, "the result");
  atomic_init(&j.refused, false);
  j.result->p = pattern->n;
  ms_status status = set_first_engine(&j, err);
  if (status == MS_OK)
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
  ms_free(result->engine_reason);
  ms_free(result);
}

/* ---- how it would be done --------------------------------------------------------------- */

static void put(ms_growing *g, char *text, bool json)
{
  if (text) /* JSON: without the closing brace */
    ms_growing_put(g, "%.*s", (int)(strlen(text) - json), text);
  ms_free(text);
}

static ms_status explain_search(job *j, const char *const *name, bool json, ms_growing *g,
                                ms_error *err)
{
  char *text = NULL;
  ms_plan_input input;
  plan_input(j, !j->options->embeddings, &input);
  ms_status status = ms_plan_new(&j->shape, &input, &j->plan, err);
  if (status == MS_OK)
    status =
        json ? ms_plan_json(j->plan, name, &text, err) : ms_plan_text(j->plan, name, &text, err);
  put(g, text, json);
  return status;
}

/* The engine that auto would take. */
static ms_status engine_of_listing(job *j, ms_engine_choice *choice, ms_error *err)
{
  ms_program *program = NULL;
  static const ms_program_options visit_all = {0};
  double work = 0;
  ms_status status = MS_OK;
  if (!j->domains.empty)
    status = ms_program_new(j->index, j->plan, j->domains.of, &visit_all, &program, err);
  if (program)
    status = ms_pattern_listing_work(program, j->plan, j->options->limit, &work, err);
  if (status == MS_OK)
    ms_pattern_engine_decide(work, true, j->options->screen.threads, program, choice);
  ms_program_free(program);
  return status;
}

static ms_status engine_of_count(job *j, const ms_count_query *query, ms_engine_choice *choice,
                                 ms_error *err)
{
  ms_count_plan plan = {0};
  ms_shape shape = j->shape;
  ms_count_way way = ms_count_way_of(query, &shape, j->domains.of);
  ms_status status = MS_OK;
  *choice = (ms_engine_choice){&ms_pattern_engine_cpu, "factors and domains are the processor's"};
  if (way == MS_COUNT_COMPONENTS)
    *choice = (ms_engine_choice){NULL, "each part by itself"};
  if (way != MS_COUNT_PLAN)
    return MS_OK;
  status = ms_count_plan_new(query, &shape, j->domains.of, &plan, err);
  if (status == MS_OK)
    ms_pattern_engine_decide(plan.cost, false, j->options->screen.threads, NULL, choice);
  ms_plan_free(plan.plan);
  return status;
}

static ms_status explain_count(job *j, const ms_count_query *query, const char *const *name,
                               bool json, ms_growing *g, ms_error *err)
{
  char *text = NULL;
  ms_status status = ms_count_explain(query, &j->shape, name, json, &text, err);
  ms_growing_put(g, "%s", json ? ",\"count\":" : "");
  put(g, text, false);
  return status;
}

/* All texts one behind the other, or as keys of one object. */
static ms_status explain(job *j, bool json, ms_growing *g, ms_error *err)
{
  const char *name[MS_MAX_PATTERN];
  ms_count_query query;
  ms_engine_choice choice;
  ms_shape_of(j->pattern, j->options->induced, &j->shape);
  MS_TRY(ms_domains_new(j->index, j->pattern, &j->shape, NULL, &j->domains, err));
  for (uint32_t i = 0; i < j->shape.n; i++)
    name[i] = ms_pattern_vertex_name(j->pattern, i);
  count_query(j, NULL, &query);
  ms_status status = explain_search(j, name, json, g, err);
  if (status == MS_OK && j->options->count_only)
    status = explain_count(j, &query, name, json, g, err);
  if (status == MS_OK)
    status = j->options->count_only ? engine_of_count(j, &query, &choice, err)
                                    : engine_of_listing(j, &choice, err);
  if (status == MS_OK)
    ms_growing_put(g, json ? ",\"engine\":\"%s\",\"engine_reason\":\"%s\"}" : "engine: %s (%s)\n",
                   choice.engine ? choice.engine->name : "auto", choice.reason);
  return status;
}

ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                             const ms_pattern_options *given, bool json, char **text, ms_error *err)
{
  static const ms_pattern_options defaults = {.screen.seed = 1};
  job j = {.index = index, .pattern = pattern, .options = given ? given : &defaults};
  ms_growing g = {0};
  ms_status status = explain(&j, json, &g, err);
  ms_status end = ms_growing_end(&g, text, status == MS_OK ? err : NULL);
  release(&j);
  if (status != MS_OK) {
    ms_free(*text);
    *text = NULL;
  }
  return status == MS_OK ? end : status;
}

void ms_text_free(char *text)
{
  ms_free(text);
}
