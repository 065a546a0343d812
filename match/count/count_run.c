#include "match/count/count_run.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_domains.h"
#include "match/count/count_race.h"
#include "match/count/leaves.h"
#include "match/cpu/inner_plan.h"
#include "match/units.h"

#include <math.h>

/* Steps of a start that is shorter than a probe, about. */
#define QUICK_START 1e6

void ms_count_add_planning(const ms_count_query *q, double steps)
{
  if (q->planning)
    *q->planning += steps;
}

ms_count_query ms_count_query_on_large(const ms_count_query *q)
{
  ms_count_query on_large = *q;
  on_large.engine = q->large;
  on_large.large = NULL; /* there is no other engine to compare with */
  return on_large;
}

bool ms_count_is_quick(const ms_count_query *q)
{
  return ms_count_may_be_large(q) && !q->estimate && q->large_start <= QUICK_START;
}

double ms_count_speedup(const ms_count_query *q)
{
  double speedup = ms_step_speedup(q->threads);
  return ms_count_is_quick(q) ? fmin(speedup, MS_BEGIN_SPEEDUP) : speedup;
}

bool ms_count_is_restricted(const ms_count_query *q, const ms_shape *shape, const ms_domain *domain)
{
  bool restricted = shape->directed;
  for (uint32_t i = 0; i < shape->n && !restricted; i++)
    restricted = !ms_domain_is_by_degree(&domain[i], q->index, ms_bitset_count(shape->out[i]));
  return restricted;
}

double ms_count_begin_limit(const ms_count_query *q, bool restricted)
{
  return ms_begin_limit(&(ms_begin){
      .start = q->large_start, .threads = ms_threads(q->threads), .restricted = restricted});
}

bool ms_count_begins_on_large(const ms_count_query *q, bool restricted, double steps)
{
  return ms_count_is_quick(q) && steps > ms_count_begin_limit(q, restricted) &&
         q->large->devices() > 0;
}

/* Sets the steps on all processors, and those on query->large that they are compared with. */
static void compare_steps(const ms_count_query *q, const ms_count_report *r, double *steps,
                          double *large)
{
  bool starts = !r->used_large && q->large_start > 0;
  *steps = (r->used_large ? 100 * r->last : r->work) / ms_count_speedup(q);
  *large = q->large_start + (starts ? r->large_work : 0);
}

bool ms_count_is_for_large(const ms_count_query *q, const ms_count_report *r)
{
  double steps, large;
  if (!ms_count_may_be_large(q) || r->failure.status != MS_OK)
    return false;
  compare_steps(q, r, &steps, &large);
  return steps >= large;
}

bool ms_count_goes_to_large(const ms_count_query *q, const ms_count_report *r)
{
  double steps, large;
  if (!ms_count_is_for_large(q, r))
    return false;
  compare_steps(q, r, &steps, &large);
  if (ms_count_leaves_large(q, steps, large))
    return false;
  return ms_count_take_large(q) && (r->used_large || q->large->devices() > 0);
}

void ms_count_report_either(double steps, double large_steps, ms_count_report *r)
{
  r->programs++;
  r->last = steps;
  r->work += steps;
  r->large_work += large_steps;
}

void ms_count_report_steps(double steps, ms_count_report *r)
{
  ms_count_report_either(steps, MS_USUAL_GPU_WEIGHT * steps, r);
}

void ms_count_report_plan(const ms_count_query *q, const ms_count_plan *plan, ms_count_report *r)
{
  const ms_pattern_engine *large = q->large;
  r->programs++;
  r->last = plan->cost - plan->quotients;
  r->work += r->last;
  bool same = plan->program && !plan->inner; /* `large` runs no inner patterns */
  double lists = plan->lists > 0 ? plan->lists : r->last;
  r->large_work += large && large->weigh && same ? large->weigh(plan->program, lists)
                                                 : MS_USUAL_GPU_WEIGHT * r->last;
}

/* A program that is run in shares. */
typedef struct program_run {
  const ms_count_query *query;
  ms_pattern_task task;
  ms_count_report *report;
} program_run;

/* Runs a program on the query's engine, or on the CPU's if that engine works but does not support
 * the program: numbers that the engine's sums cannot hold. */
static ms_status run_on_engine(const ms_count_query *q, const ms_pattern_task *task,
                               ms_count_report *r, mpz_t maps, ms_error *err)
{
  const ms_pattern_engine *engine = q->engine;
  ms_error refusal = {0};
  if (engine->supports && engine->supports(task->program, &refusal) != MS_OK &&
      engine->supports(NULL, NULL) == MS_OK) {
    r->passed++;
    r->refusal = refusal;
    engine = &ms_pattern_engine_cpu;
  }
  return engine->count(task, maps, err);
}

ms_status ms_count_run_leaf(const ms_count_query *q, uint32_t sum, ms_count_leaf_fn *count,
                            void *user, mpz_t maps, ms_error *err)
{
  ms_count_leaves *leaves = q->leaves;
  if (leaves->replays)
    return ms_count_leaves_replay(leaves, sum, maps, err);
  MS_TRY(count(user, leaves->share, maps, err));
  return ms_count_leaves_append(leaves, maps, sum, err);
}

/* Counts on leaves->engine, or on the CPU's if that does not support the program or fails. */
static ms_status run_restricted(program_run *run, const ms_program *program, mpz_t maps,
                                ms_error *err)
{
  const ms_pattern_engine *engine = run->query->leaves->engine;
  ms_error failure = {0};
  run->task.program = program;
  ms_status status = engine->supports ? engine->supports(program, &failure) : MS_OK;
  if (status != MS_OK) {
    run->report->passed++;
    run->report->refusal = failure;
    return ms_pattern_engine_cpu.count(&run->task, maps, err);
  }
  mpz_t part;
  mpz_init(part);
  status = engine->count(&run->task, part, &failure);
  if (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) {
    run->report->failure = failure;
    mpz_set_ui(part, 0);
    status = ms_pattern_engine_cpu.count(&run->task, part, err);
  } else {
    run->report->used_large = true;
    if (status != MS_OK && err)
      *err = failure;
  }
  mpz_add(maps, maps, part);
  mpz_clear(part);
  return status;
}

/* True if the engine must not run the program, which was planned for another one: only with its
 * table does such a program say which paths it counts. */
static bool needs_table(program_run *run, const ms_pattern_engine *engine,
                        const ms_program *program)
{
  if (!program->table || engine->tables == MS_TABLE_READ || engine == run->query->leaves->planner)
    return false;
  run->report->passed++;
  ms_fail(&run->report->refusal, MS_ERR_USAGE,
          "the engine %s does not read the table that shares of this count use", engine->name);
  return true;
}

/* Runs the share of a program. */
static ms_status run_share(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  program_run *run = user;
  const ms_pattern_engine *engine = run->query->leaves->engine;
  const ms_program *whole = run->task.program;
  if (!engine || engine == &ms_pattern_engine_cpu || whole->inner ||
      needs_table(run, engine, whole)) {
    run->task.share = share;
    return ms_pattern_engine_cpu.count(&run->task, maps, err);
  }
  ms_restricted *restricted = ms_alloc(1, sizeof *restricted); /* it is large for a stack */
  if (!restricted)
    return ms_fail_memory(err, "a part of a search");
  ms_status status = ms_restricted_make(whole, share, restricted, err);
  if (status == MS_OK) {
    for (int i = 0; i < 2 && status == MS_OK; i++)
      if (ms_restricted_roots(restricted, i) > 0)
        status = run_restricted(run, &restricted->program[i], maps, err);
    run->task.program = whole;
    ms_restricted_free(restricted);
  }
  ms_free(restricted);
  return status;
}

ms_pattern_task ms_count_task(const ms_count_query *q, const ms_program *program)
{
  return (ms_pattern_task){.program = program,
                           .threads = q->threads,
                           .devices = q->devices,
                           .device = q->device,
                           .gpu_memory = q->gpu_memory,
                           .stop = q->stop,
                           .progress = q->progress,
                           .progress_user = q->progress_user,
                           .work = q->work,
                           .integrity = q->leaves ? q->leaves->integrity : NULL};
}

ms_status ms_count_run(const ms_count_query *q, const ms_program *program, bool large,
                       ms_count_report *r, mpz_t maps, ms_error *err)
{
  ms_pattern_task task = ms_count_task(q, program);
  if (q->leaves)
    return ms_count_run_leaf(q, ms_count_leaf_sum(program, "program"), run_share,
                             &(program_run){q, task, r}, maps, err);
  if (large && (!q->large->supports || q->large->supports(program, NULL) == MS_OK)) {
    ms_error failure = {0};
    ms_status status = q->large->count(&task, maps, &failure);
    if (status != MS_ERR_MEMORY && status != MS_ERR_DEVICE_LOST) {
      r->used_large = true;
      if (status != MS_OK && err)
        *err = failure;
      return status;
    }
    r->failure = failure;
    mpz_set_ui(maps, 0);
  }
  ms_status status = run_on_engine(q, &task, r, maps, err);
  /* the terms that are subtracted may be larger than the rest of the part that was done */
  if (status != MS_OK && program->inner && ms_inner_plan_subtracts(program->inner))
    mpz_set_ui(maps, 0);
  return status;
}
