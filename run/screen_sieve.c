/* The sieve of a screen: repetitions, back ends, and what the result says of them. */
#include "run/screening.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "graph/vertex_scores.h"
#include "run/units/screen_units.h"
#include "sieve/bound.h"
#include "sieve/choose.h"

#include <stdio.h>
#include <string.h>

typedef ms_screening screening;

static void clear_range(void *user, ms_range r)
{
  memset((uint32_t *)user + r.begin, 0, (size_t)(r.end - r.begin) * sizeof(uint32_t));
}

void ms_screening_clear_hits(screening *s)
{
  ms_screen_result *r = s->result;
  if (!s->hits_cleared)
    ms_parallel(ms_threads_for(s->options->run.threads, r->n), r->n, 0, clear_range, r->hits);
  s->hits_cleared = true;
}

uint32_t *ms_screening_hits(uint32_t n, int threads)
{
  uint32_t *hits = ms_alloc_lines(n, sizeof *hits);
  if (!hits)
    return NULL;
  ms_parallel(ms_threads_for(threads, n), n, 0, clear_range, hits);
  return hits;
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
  bool in_place = job->hits == r->hits && !job->q;
  for (uint64_t v = range.begin; v < range.end; v++)
    flagged += job->hits[v] != 0;
  for (uint64_t v = range.begin; v < range.end && !in_place; v++) {
    r->hits[in->vertex[v]] = job->hits[v];
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

ms_status ms_screening_bound(const ms_sieve_problem *problem, const ms_sieve_job *job,
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
    snprintf(r->backend_reason + used, MS_SCREEN_REASON_ROOM - used, "; GPU %d failed: %s",
             w->device, w->lost.message);
  }
  r->devices += gpu && w->opened && !lost;
  r->devices_lost += gpu && lost;
  r->run.work.points += w->points;
  r->run.work.bytes_moved += w->bytes_moved;
  *(gpu ? on_gpu : on_cpu) |= w->points > 0 || (w->opened && !lost);
}

/* Describes where the sieve ran, which may differ from where it was planned to
 * run. */
static void describe_backend(const ms_sieve_choice *choice, bool gpu_pruned, ms_screen_result *r)
{
  bool on_cpu = false, on_gpu = false;
  snprintf(r->backend_reason, MS_SCREEN_REASON_ROOM, "%s%s", choice->reason,
           gpu_pruned ? "; a GPU pruned, too" : "");
  for (uint32_t i = 0; i < choice->n_workers; i++)
    add_worker(&choice->workers[i], r, &on_cpu, &on_gpu);
  if (choice->rescue.opened) {
    size_t used = strlen(r->backend_reason);
    snprintf(r->backend_reason + used, MS_SCREEN_REASON_ROOM - used, "; the CPU went on");
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
  MS_TRY(ms_sieve_sums_open(problem, !o->all_sums, o->run.threads, s->run.budget, sums, err));
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

/* What the result says if the run is stopped before the sieve has begun. */
static ms_status begin_result(const ms_sieve_problem *problem, uint32_t repetitions,
                              ms_screen_result *r, ms_error *err)
{
  const ms_sieve_job none = {0};
  r->repetitions_planned = repetitions;
  return ms_screening_bound(problem, &none, r, err);
}

/* Makes the problem, unless it was begun while a GPU pruned, which has the masks of all vertices.
 */
static ms_status take_problem(screening *s, ms_sieve_problem *problem, ms_error *err)
{
  const ms_screen_options *o = s->options;
  ms_status status = MS_OK;
  if (s->problem.instance) {
    *problem = s->problem;
    problem->instance = s->instance;
  } else {
    status = ms_sieve_problem_init(problem, s->instance, s->size, o->recurrence, o->run.seed,
                                   o->run.threads, err);
  }
  problem->rows = s->rows;
  return status;
}

ms_status ms_screening_sieve(screening *s, ms_error *err)
{
  const ms_instance *in = s->instance;
  const ms_screen_options *o = s->options;
  ms_screen_result *r = s->result;
  ms_sieve_problem problem = {0};
  ms_sieve_job job = {.problem = &problem, .early_stop = !o->no_early_stop, .run = o->run};
  ms_sieve_choice choice = {0};
  ms_sieve_sums sums = {0};
  double start = ms_seconds();
  ms_status status = take_problem(s, &problem, err);
  if (status == MS_OK)
    status = plan_repetitions(&problem, o, &job.repetitions, err);
  if (status == MS_OK)
    status = begin_result(&problem, job.repetitions, r, err);
  if (status == MS_OK)
    status = open_sums(s, &problem, &job, &sums, err);
  if (status != MS_OK) {
    ms_sieve_problem_clear(&problem);
    return status;
  }
  /* if none was pruned, the instance's numbering is the graph's, since vertices
   * ascend */
  bool all = in->n == r->n;
  job.hits = all ? r->hits : ms_screening_hits(in->n, o->run.threads);
  bool keeps_q = ms_hooks.keep_q || ms_screen_is_part(o);
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
    ms_progress_forecast(&o->run, "the sieve", o->run.division ? 0 : choice.seconds,
                         job.early_stop ? MS_FORECAST_MOST : MS_FORECAST_ABOUT);
    job.rescue = choice.with_rescue ? &choice.rescue : NULL;
    status = o->run.division ? ms_screen_divided(s->query, o, &job, &choice, r, err)
                             : ms_sieve_schedule(&job, choice.workers, choice.n_workers, err);
  }
  ms_progress_forecast(&o->run, "the sieve", 0, MS_FORECAST_ABOUT);
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
    status = ms_screening_bound(&problem, &job, r, err);
  }
  if (status == MS_OK)
    status = copy_results(in, &job, o->run.threads, r, err);
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
