/* ms_screen: query -> instance -> pruned instance -> sieve -> flags. */
#include "run/best_sums.h"
#include "run/profile.h"
#include "run/prune_gpu.h"
#include "run/run.h"
#include "run/screen_units.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/vertex_scores.h"
#include "motif/holders.h"
#include "motif/instance.h"
#include "sieve/bound.h"
#include "sieve/choose.h"

#include <stdio.h>
#include <string.h>

enum { BOUND_ROOM = MS_SCREEN_BOUND_ROOM, REASON_ROOM = 1024 };

typedef struct screening {
  ms_run run;
  const ms_query *query;
  const ms_screen_options *options;
  uint32_t size;        /* number of vertices of a match */
  const uint8_t *known; /* [n] as in ms_screen_known */
  ms_instance *instance;
  ms_gpu_rows *rows; /* NULL, or the rows of the instance, which then has no array of neighbours */
  bool filtered;     /* trees have dropped vertices that pruning by its rules leaves */
  bool certain;      /* each vertex of the instance is in a match */
  ms_screen_method method;
  ms_sum_range range; /* with scores of vertices */
  ms_screen_result *result;
} screening;

/* Prunes the whole graph.  If it is stopped, all vertices are left, because one that is not dropped
 * yet may be in a match or not. */
static ms_status prune_graph(screening *s, ms_prune_stats *stats, ms_error *err)
{
  const ms_screen_options *o = s->options;
  ms_instance *whole;
  MS_TRY(s->size < s->query->motif->k ? ms_instance_new_loose(s->query, o->threads, &whole, err)
                                      : ms_instance_new(s->query, o->threads, &whole, err));
  whole->size = s->size;
  if (o->no_prune && !whole->impossible) {
    s->instance = whole;
    return MS_OK;
  }
  ms_status status = ms_screen_prune_gpu(whole, o, &s->instance, &s->rows, stats, err);
  if (status == MS_OK && !s->instance)
    status = ms_instance_prune(whole, o->threads, &s->instance, stats, err);
  status = ms_run_settle(&s->run, status);
  if (s->run.stopped != MS_OK) {
    s->instance = whole;
    whole = NULL;
  }
  ms_instance_free(whole);
  return status;
}

/* Does the same with the holders of a session.  Without a sieve, trees drop further vertices. */
static ms_status prune_holders(screening *s, ms_prune_stats *stats, ms_error *err)
{
  const ms_query *q = s->query;
  ms_status status = s->filtered
                         ? ms_holders_filter(q->holders, q, &s->instance, &s->certain, stats, err)
                         : ms_holders_prune(q->holders, q, &s->instance, stats, err);
  status = ms_run_settle(&s->run, status);
  if (s->run.stopped == MS_OK)
    return status;
  s->filtered = s->certain = false;
  return ms_instance_new(q, s->options->threads, &s->instance, err);
}

static ms_status prune(screening *s, ms_error *err)
{
  bool has_holders = s->query->holders && s->size == s->query->motif->k && !s->options->no_prune;
  ms_prune_stats stats = {0};
  double start = ms_seconds();
  s->filtered = s->filtered && has_holders;
  ms_status status = has_holders ? prune_holders(s, &stats, err) : prune_graph(s, &stats, err);
  s->result->components = stats.components;
  s->result->time_prune = ms_seconds() - start;
  return status;
}

static void clear_range(void *user, ms_range r)
{
  memset((uint32_t *)user + r.begin, 0, (size_t)(r.end - r.begin) * sizeof(uint32_t));
}

/* Returns an array of zeros, or NULL. Several threads clear it so that they
 * share the page faults. */
static uint32_t *alloc_hits(uint32_t n, int threads)
{
  uint32_t *hits = ms_alloc_lines(n, sizeof *hits);
  if (!hits)
    return NULL;
  ms_parallel(ms_threads_for(threads, n), n, 0, clear_range, hits);
  return hits;
}

static ms_status alloc_result(screening *s, ms_error *err)
{
  ms_screen_result *r = s->result = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "the result");
  r->n = s->query->graph->n;
  r->k = s->query->motif->k;
  r->hits = alloc_hits(r->n, s->options->threads);
  r->kept = ms_calloc(r->n, 1);
  r->miss_bound_text = ms_calloc(BOUND_ROOM, 1);
  r->backend_reason = ms_calloc(REASON_ROOM, 1);
  r->backend = MS_BACKEND_CPU;
  bool sums = s->options->vertex_scores;
  r->best_sum = sums ? ms_calloc(r->n, sizeof *r->best_sum) : NULL;
  bool all_sums = s->options->all_sums;
  r->sums_from = all_sums ? ms_calloc((size_t)r->n + 1, sizeof *r->sums_from) : NULL;
  if (!r->hits || !r->kept || !r->miss_bound_text || !r->backend_reason || (sums && !r->best_sum) ||
      (all_sums && !r->sums_from))
    return ms_fail_memory(err, "the result");
  return MS_OK;
}

typedef struct copying {
  const ms_instance *in;
  const ms_sieve_job *job;
  ms_screen_result *r;
} copying;

static void copy_range(void *user, ms_range range)
{
  const ms_instance *in = ((copying *)user)->in;
  const ms_sieve_job *job = ((copying *)user)->job;
  ms_screen_result *r = ((copying *)user)->r;
  uint32_t flagged = 0;
  for (uint64_t v = range.begin; v < range.end; v++) {
    r->hits[in->vertex[v]] = job->hits[v];
    flagged += job->hits[v] != 0;
    for (uint32_t i = 0; job->q && i < job->finished; i++)
      r->q[(size_t)i * r->n + in->vertex[v]] = job->q[(size_t)i * in->n + v];
  }
  __atomic_fetch_add(&r->flagged, flagged, __ATOMIC_RELAXED);
}

/* Copies the results from the instance's numbering to the graph's. */
static ms_status copy_results(const ms_instance *in, const ms_sieve_job *job, int threads,
                              ms_screen_result *r, ms_error *err)
{
  r->q = job->q ? ms_calloc((size_t)job->finished * r->n, 1) : NULL;
  if (job->q && !r->q)
    return ms_fail_memory(err, "the sieve's values");
  r->flagged = 0;
  ms_parallel(ms_threads_for(threads, in->n), in->n, 0, copy_range, &(copying){in, job, r});
  return MS_OK;
}

ms_status ms_screen_bound_find(uint32_t degree, uint32_t n, uint32_t repetitions, bool all_flagged,
                               ms_screen_bound *out, ms_error *err)
{
  mpq_t bound, all;
  *out = (ms_screen_bound){0};
  if (all_flagged) {
    snprintf(out->text, sizeof out->text, "0: every vertex that pruning left is flagged");
    return MS_OK;
  }
  MS_TRY(ms_numbers_store(ms_miss_bound_bytes(degree, repetitions), err));
  mpq_inits(bound, all, NULL);
  ms_miss_bound(bound, degree, repetitions);
  out->bound = ms_round_up(bound);
  mpq_set_ui(all, n, 1);
  mpq_mul(all, all, bound);
  if (mpq_cmp_ui(all, 1, 1) > 0)
    mpq_set_ui(all, 1, 1);
  out->of_all = ms_round_up(all);
  ms_miss_bound_text(degree, repetitions, out->text, sizeof out->text);
  mpq_clears(bound, all, NULL);
  ms_numbers_release();
  return MS_OK;
}

static ms_status fill_bound(const ms_sieve_problem *problem, const ms_sieve_job *job,
                            ms_screen_result *r, ms_error *err)
{
  ms_screen_bound bound;
  MS_TRY(ms_screen_bound_find(ms_sieve_degree(problem), problem->instance->n, job->finished,
                              job->all_flagged, &bound, err));
  r->miss_bound = bound.bound;
  r->miss_bound_union = bound.of_all;
  memcpy(r->miss_bound_text, bound.text, sizeof bound.text);
  return MS_OK;
}

/* Returns the number of repetitions that are asked for, or that the miss bound needs. */
static ms_status plan_repetitions(const ms_sieve_problem *problem, const ms_screen_options *o,
                                  uint32_t *repetitions, ms_error *err)
{
  uint32_t degree = ms_sieve_degree(problem);
  *repetitions = o->repetitions;
  if (o->repetitions > 0)
    return MS_OK;
  MS_TRY(ms_numbers_store(ms_miss_bound_bytes(degree, MS_MOST_NEEDED_REPETITIONS), err));
  *repetitions = ms_repetitions_for(degree, o->error > 0 ? o->error : MS_DEFAULT_ERROR);
  ms_numbers_release();
  return MS_OK;
}

static void add_worker(const ms_sieve_worker *w, ms_screen_result *r, bool *on_cpu, bool *on_gpu)
{
  bool gpu = w->backend == &ms_sieve_backend_cuda, lost = w->lost.status != MS_OK;
  if (gpu && lost) {
    size_t used = strlen(r->backend_reason);
    snprintf(r->backend_reason + used, REASON_ROOM - used, "; GPU %d failed: %s", w->device,
             w->lost.message);
  }
  r->devices += gpu && w->opened && !lost;
  r->devices_lost += gpu && lost;
  r->work.points += w->points;
  r->work.bytes_moved += w->bytes_moved;
  *(gpu ? on_gpu : on_cpu) |= w->points > 0 || (w->opened && !lost);
}

/* Describes where the sieve ran, which may differ from where it was planned to
 * run. */
static void describe_backend(const ms_sieve_choice *choice, bool gpu_pruned, ms_screen_result *r)
{
  bool on_cpu = false, on_gpu = false;
  snprintf(r->backend_reason, REASON_ROOM, "%s%s", choice->reason,
           gpu_pruned ? "; a GPU pruned, too" : "");
  for (uint32_t i = 0; i < choice->n_workers; i++)
    add_worker(&choice->workers[i], r, &on_cpu, &on_gpu);
  if (choice->rescue.opened) {
    size_t used = strlen(r->backend_reason);
    snprintf(r->backend_reason + used, REASON_ROOM - used, "; the CPU went on");
    add_worker(&choice->rescue, r, &on_cpu, &on_gpu);
  }
  r->backend = !on_gpu ? MS_BACKEND_CPU : on_cpu ? MS_BACKEND_BOTH : MS_BACKEND_CUDA;
}

/* Prepares the evaluations of sums, if there are scores of vertices. */
static ms_status open_sums(const screening *s, ms_sieve_problem *problem, ms_sieve_job *job,
                           ms_sieve_sums *sums, ms_error *err)
{
  const ms_screen_options *o = s->options;
  if (!o->vertex_scores)
    return MS_OK;
  MS_TRY(ms_sieve_problem_set_scores(problem, o->vertex_scores->of, &s->range, err));
  MS_TRY(ms_sieve_sums_open(problem, !o->all_sums, o->threads, s->run.budget, sums, err));
  job->repetitions *= problem->evaluations;
  job->take = ms_sieve_sums_take;
  job->take_user = sums;
  job->early_stop = job->early_stop && problem->evaluations == 1;
  return MS_OK;
}

/* Puts the sums into the result, and whole repetitions in the place of evaluations. */
static ms_status close_sums(const screening *s, ms_sieve_job *job, ms_sieve_sums *sums,
                            ms_error *err)
{
  const ms_instance *in = s->instance;
  if (!s->options->vertex_scores)
    return MS_OK;
  job->repetitions /= job->problem->evaluations;
  job->finished = sums->repetitions;
  job->all_flagged = job->all_flagged && job->problem->evaluations == 1;
  memcpy(job->hits, sums->hits, in->n * sizeof *job->hits);
  return ms_screen_take_sums(in, s->options, &s->range, sums, s->result, err);
}

static ms_status run_sieve(screening *s, ms_error *err)
{
  const ms_instance *in = s->instance;
  const ms_screen_options *o = s->options;
  ms_screen_result *r = s->result;
  ms_sieve_problem problem = {0};
  ms_sieve_job job = {.problem = &problem,
                      .early_stop = !o->no_early_stop,
                      .progress = o->progress,
                      .progress_user = o->progress_user};
  ms_sieve_choice choice = {0};
  ms_sieve_sums sums = {0};
  double start = ms_seconds();
  ms_status status =
      ms_sieve_problem_init(&problem, in, s->size, o->recurrence, o->seed, o->threads, err);
  problem.rows = s->rows;
  if (status == MS_OK)
    status = plan_repetitions(&problem, o, &job.repetitions, err);
  if (status == MS_OK)
    status = open_sums(s, &problem, &job, &sums, err);
  if (status != MS_OK) {
    ms_sieve_problem_clear(&problem);
    return status;
  }
  /* if none was pruned, the instance's numbering is the graph's, since vertices
   * ascend */
  bool all = in->n == r->n;
  job.hits = all ? r->hits : alloc_hits(in->n, o->threads);
  bool keeps_q = o->keep_q || ms_screen_is_part(o);
  if (ms_screen_is_part(o))
    status = ms_screen_reserve_part(s->run.budget, in->n, r->n, job.repetitions, err);
  if (status == MS_OK && keeps_q)
    job.q = ms_calloc(job.repetitions, in->n);
  if (status == MS_OK && (!job.hits || (keeps_q && !job.q)))
    status = ms_fail_memory(err, "the result");
  if (status == MS_OK)
    status = ms_sieve_choose(&problem, o, job.repetitions, s->run.budget, &ms_sieve_backend_cpu,
                             &ms_sieve_backend_cuda, &choice, err);
  if (status == MS_OK) {
    job.rescue = choice.with_rescue ? &choice.rescue : NULL;
    status = o->division ? ms_screen_divided(s->query, o, &job, &choice, r, err)
                         : ms_sieve_schedule(&job, choice.workers, choice.n_workers, err);
  }
  r->memory_estimate = job.plan.memory + sums.reserved;
  if (status == MS_OK) {
    r->points = ((uint64_t)job.finished * problem.variants) << s->size;
    status = close_sums(s, &job, &sums, err);
  }
  if (status == MS_OK) {
    r->repetitions = job.finished;
    r->repetitions_planned = job.repetitions;
    r->early_stop = job.all_flagged && job.finished < job.repetitions;
    s->run.stopped = job.stopped;
    r->kernel = job.plan.kernel;
    r->block_points = job.plan.block_points;
    r->threads = job.plan.threads;
    r->time_open = job.time_open;
    describe_backend(&choice, s->rows != NULL, r);
    status = fill_bound(&problem, &job, r, err);
  }
  if (status == MS_OK)
    status = copy_results(in, &job, o->threads, r, err);
  if (!all)
    ms_free(job.hits);
  ms_free(job.q);
  ms_sieve_choice_clear(&choice);
  if (o->vertex_scores)
    ms_sieve_sums_close(&sums);
  ms_sieve_problem_clear(&problem);
  r->time_sieve += ms_seconds() - start;
  return status;
}

/* ---- entry points --------------------------------------------------------- */

/* Refuses options that an exact screen cannot honour. */
static ms_status check_exact(const ms_screen_options *o, ms_error *err)
{
  bool exact = o->method == MS_METHOD_EXACT;
  const char *of_sieve = o->repetitions           ? "repetitions"
                         : o->no_early_stop       ? "no_early_stop"
                         : o->no_prune            ? "no_prune"
                         : o->keep_q              ? "keep_q"
                         : exact && o->kernel     ? "kernel"
                         : exact && o->error > 0  ? "error"
                         : exact && o->recurrence ? "recurrence"
                         : exact && o->backend    ? "backend"
                         : exact && o->n_devices  ? "devices"
                                                  : NULL;
  if (o->method != MS_METHOD_SIEVE && of_sieve)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for the sieve, which `method` leaves out; leave out `%s`, or let "
                   "`method` be MS_METHOD_SIEVE",
                   of_sieve, of_sieve);
  return MS_OK;
}

ms_status ms_screen_check_options(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  uint32_t slots = query->motif->k, size = o->match_size ? o->match_size : slots;
  if (ms_screen_is_nearest(o))
    return ms_fail(err, MS_ERR_USAGE,
                   "the nearest matches are for ms_screen of one motif; set `max_missing`, "
                   "`max_extra` and `max_cost` to 0, nearest_only and costs to false, and "
                   "`substitutes` to NULL");
  if (o->error < 0 || o->error >= 1)
    return ms_fail(err, MS_ERR_USAGE,
                   "a miss probability of %g is out of range; choose one above 0 and below 1",
                   o->error);
  if (o->repetitions > MS_MAX_REPETITIONS)
    return ms_fail(err, MS_ERR_USAGE, "%u repetitions are too many; choose at most %u",
                   o->repetitions, MS_MAX_REPETITIONS);
  if (size > slots)
    return ms_fail(err, MS_ERR_USAGE, "matches of %u vertices cannot fill a motif of %u slots",
                   size, slots);
  MS_TRY(check_exact(o, err));
  MS_TRY(ms_screen_check_division(o, err));
  return ms_sieve_check_devices(o, err);
}

static ms_status check_profile(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  if (!o->profile)
    return MS_OK;
  if (o->method != MS_METHOD_EXACT)
    return ms_fail(err, MS_ERR_USAGE,
                   "`profile` is found by enumeration; let `method` be MS_METHOD_EXACT");
  if (!ms_graph_scored(query->graph))
    return ms_fail(err, MS_ERR_USAGE,
                   "`profile` needs the scores of edges, and the graph has none; read it with "
                   "`keep_scores`");
  if (o->match_size && o->match_size != query->motif->k)
    return ms_fail(err, MS_ERR_USAGE,
                   "match_size is %u: a profile is of matches that fill all slots; set it to 0",
                   o->match_size);
  if (query->motif->k == 1)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`profile` is for motifs of two or more slots: a match of one vertex has no edge");
  return MS_OK;
}

static void note_kept(void *user, ms_range r)
{
  const screening *s = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    s->result->kept[s->instance->vertex[v]] = 1;
}

/* Notes in the result which vertices pruning left. */
static void note_instance(screening *s)
{
  const ms_instance *in = s->instance;
  ms_parallel(ms_threads_for(s->options->threads, in->n), in->n, 0, note_kept, s);
  s->result->vertices_kept = in->n;
  s->result->edges_kept = in->arcs / 2;
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  screening *s = (screening *)run;
  MS_TRY(ms_screen_check_options(s->query, s->options, err));
  MS_TRY(check_profile(s->query, s->options, err));
  MS_TRY(ms_screen_check_sums(s->query, s->options, err));
  MS_TRY(alloc_result(s, err));
  s->filtered = s->query->holders && s->options->method != MS_METHOD_SIEVE &&
                !s->options->profile && !s->options->vertex_scores;
  MS_TRY(prune(s, err));
  note_instance(s);
  s->method = s->options->method;
  if (!s->options->vertex_scores)
    return MS_OK;
  s->range = ms_sum_range_find(s->instance, s->options->vertex_scores->of);
  return run->stopped == MS_OK
             ? ms_screen_check_range(&s->range, s->options, s->instance->k, &s->method, err)
             : MS_OK;
}

/* Fills the result of a screen that ended before the sieve: no vertex is flagged, none is pruned.
 */
static ms_status report_no_sieve(screening *s, ms_error *err)
{
  const ms_screen_options *o = s->options;
  const ms_sieve_job none = {0};
  ms_sieve_problem problem;
  MS_TRY(ms_sieve_problem_init(&problem, s->instance, s->size, o->recurrence, o->seed, o->threads,
                               err));
  ms_status status = fill_bound(&problem, &none, s->result, err);
  ms_sieve_problem_clear(&problem);
  snprintf(s->result->backend_reason, REASON_ROOM, "the search ended while vertices were pruned");
  return status;
}

/* Prunes for the sieve, whose values depend on the vertices that are left: they are those of a
 * screen that had no trees. */
static ms_status prune_again(screening *s, ms_error *err)
{
  ms_instance_free(s->instance);
  s->instance = NULL;
  s->filtered = false;
  memset(s->result->kept, 0, s->result->n);
  MS_TRY(prune(s, err));
  note_instance(s);
  return MS_OK;
}

/* Flags all vertices of the instance. */
static void flag_all(screening *s)
{
  ms_screen_result *r = s->result;
  for (uint32_t v = 0; v < s->instance->n; v++)
    r->hits[s->instance->vertex[v]] = 1;
  r->flagged = r->settled = s->instance->n;
  r->threads = ms_threads(s->options->threads);
  r->exact = true;
}

/* Finds the sums of the vertices that are flagged.  If that is given up, the result is as before
 * the flags. */
static ms_status enumerate_sums(screening *s, double most, bool *known, ms_error *err)
{
  ms_screen_result *r = s->result;
  ms_status status = ms_run_settle(&s->run, ms_screen_best_sums(&s->run, s->instance, s->options,
                                                                &s->range, most, r, known, err));
  if (*known || status != MS_OK)
    return status;
  if (s->run.stopped != MS_OK) { /* there is no time for the sieve, either */
    *known = true;
    return MS_OK;
  }
  memset(r->hits, 0, r->n * sizeof *r->hits);
  memset(r->best_sum, 0, r->n * sizeof *r->best_sum);
  r->flagged = r->settled = 0;
  r->exact = false;
  return MS_OK;
}

/* Enumerates.  *known is false if that was given up, and the sieve has to run. */
static ms_status search_exactly(screening *s, bool *known, ms_error *err)
{
  ms_screen_result *r = s->result;
  const ms_screen_options *o = s->options;
  double start = ms_seconds(), most = 0;
  ms_status status = MS_OK;
  *known = s->certain;
  if (!s->certain && s->method != MS_METHOD_EXACT)
    status = ms_screen_most_work(s->instance, o->error, s->size,
                                 o->vertex_scores ? (uint32_t)s->range.most + 1 : 1, &most, err);
  if (status == MS_OK && s->certain)
    flag_all(s);
  else if (status == MS_OK)
    status = ms_screen_exactly(&s->run, s->instance, o, most, s->known, r, known, err);
  if (status == MS_OK && *known && o->vertex_scores)
    status = enumerate_sums(s, most, known, err);
  r->time_sieve += ms_seconds() - start; /* also if the sieve follows */
  if (status != MS_OK || !*known)
    return status;
  snprintf(r->miss_bound_text, BOUND_ROOM,
           r->miss_bound > 0 ? "1: enumeration was stopped" : "0: enumeration misses no vertex");
  snprintf(r->backend_reason, REASON_ROOM, "the CPU; an exact screen enumerates");
  if (o->profile)
    status = ms_run_settle(
        &s->run, ms_screen_profile(&s->run, s->query, s->instance, ms_threads(o->threads), r, err));
  r->time_sieve = ms_seconds() - start;
  return status;
}

static ms_status search(ms_run *run, ms_error *err)
{
  screening *s = (screening *)run;
  bool known = s->method == MS_METHOD_SIEVE;
  bool tried = !known && run->stopped == MS_OK;
  if (tried)
    MS_TRY(search_exactly(s, &known, err));
  if (tried && known)
    return MS_OK;
  if (s->filtered && run->stopped == MS_OK)
    MS_TRY(prune_again(s, err));
  if (run->stopped != MS_OK)
    return report_no_sieve(s, err);
  if (s->instance->n > 0) {
    MS_TRY(run_sieve(s, err));
    char *reason = s->result->backend_reason;
    size_t used = strlen(reason);
    if (tried)
      snprintf(reason + used, REASON_ROOM - used, "; enumeration came first and was given up");
    return MS_OK;
  }
  snprintf(s->result->miss_bound_text, BOUND_ROOM, "0: pruning left no vertex");
  snprintf(s->result->backend_reason, REASON_ROOM, "the CPU; pruning left no vertex");
  return MS_OK;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  (void)err;
  ((screening *)run)->result->stopped = run->stopped;
  return MS_OK;
}

ms_status ms_screen_within(const ms_query *query, const ms_screen_options *o, ms_budget *budget,
                           ms_screen_result **out, ms_error *err)
{
  return ms_screen_known(query, o, NULL, budget, out, err);
}

ms_status ms_screen_known(const ms_query *query, const ms_screen_options *o, const uint8_t *known,
                          ms_budget *budget, ms_screen_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  screening s = {.run = {.kind = &kind,
                         .budget = budget,
                         .stop = o->stop,
                         .progress = o->progress,
                         .progress_user = o->progress_user},
                 .query = query,
                 .options = o,
                 .known = known,
                 .size = o->match_size ? o->match_size : query->motif->k};
  *out = NULL;
  ms_status status = ms_run_query(&s.run, err);
  ms_instance_free(s.instance);
  ms_gpu_rows_free(s.rows);
  if (status == MS_OK)
    *out = s.result;
  else
    ms_screen_result_free(s.result);
  return status;
}

void ms_screen_result_free(ms_screen_result *result)
{
  if (!result)
    return;
  ms_free(result->hits);
  ms_free(result->kept);
  ms_free(result->score);
  ms_free(result->best_sum);
  ms_free(result->sums);
  ms_free(result->sums_from);
  ms_free(result->q);
  ms_free(result->missing);
  ms_free(result->extra);
  ms_free(result->cost);
  ms_free(result->miss_bound_text);
  ms_free(result->backend_reason);
  ms_free(result);
}
