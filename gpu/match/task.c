#include "gpu/match/task.h"

#include "base/status.h"
#include "gpu/match/program.h"

#include <string.h>

/* The sum of squared degrees from which another GPU may pay for its start, a third of a second:
 * a path of length two takes some 10^-10 s, more with each level. */
#define MANY_PATHS 2e9

static ms_status no_gpu(ms_error *err)
{
  return ms_gpu_fail_none("the CPU engine", err);
}

/* Chooses the devices that the task names, or as many as it asks for.  Without a choice it takes
 * one, and all for what looks like seconds of work. */
static ms_status choose_devices(ms_gpu_share *s, ms_error *err)
{
  const ms_program *p = s->task->program;
  uint32_t usable = ms_gpu_usable(s->device), most = s->task->devices;
  if (usable == 0)
    return no_gpu(err);
  if (s->task->device && most > 0) {
    MS_TRY(ms_gpu_check_named(s->task->device, most, err));
    memcpy(s->device, s->task->device, most * sizeof *s->device);
    s->devices = most;
    return MS_OK;
  }
  if (most == 0)
    most = p->index->square_degrees * p->prefix < MANY_PATHS ? 1 : usable;
  s->devices = usable < most ? usable : most;
  return MS_OK;
}

uint64_t ms_gpu_task_roots(const ms_pattern_task *task)
{
  const ms_domain *domain = &task->program->step[0].domain;
  return task->program->list[0] ? domain->count : domain->hi - domain->lo;
}

/* Runs the task; without a root there is nothing to do. */
static ms_status run_task(ms_gpu_share *s, ms_error *err)
{
  MS_TRY(choose_devices(s, err));
  MS_TRY(ms_stop_check(s->task->stop));
  s->roots = ms_gpu_task_roots(s->task);
  return s->roots > 0 ? ms_gpu_share_run(s, err) : MS_OK;
}

ms_status ms_gpu_task_count_together(const ms_pattern_task *task, ms_gpu_work_fn work, void *common,
                                     mpz_t sum, ms_error *err)
{
  ms_gpu_share s = {
      .task = task, .sum = sum, .work = work, .common = common, .lock = PTHREAD_MUTEX_INITIALIZER};
  return run_task(&s, err);
}

ms_status ms_gpu_task_count(const ms_pattern_task *task, ms_gpu_work_fn work, mpz_t sum,
                            ms_error *err)
{
  return ms_gpu_task_count_together(task, work, NULL, sum, err);
}

ms_status ms_gpu_task_list(const ms_pattern_task *task, ms_gpu_work_fn work, ms_rows_fn make,
                           void *user, ms_stream *stream, ms_error *err)
{
  ms_gpu_share s = {.lock = PTHREAD_MUTEX_INITIALIZER,
                    .task = task,
                    .work = work,
                    .sink = {.make = make, .user = user, .stream = stream}};
  return run_task(&s, err);
}

int ms_gpu_task_devices(void)
{
  return (int)ms_gpu_usable(NULL);
}

ms_status ms_gpu_task_supports(const ms_program *program, ms_error *err)
{
  if (ms_gpu_usable(NULL) == 0)
    return no_gpu(err);
  return program ? ms_packed_program_check(program, err) : MS_OK;
}
