/* The engine `reuse`: devices that share the roots of a task. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/pattern.h"
#include "gpu/pattern_devices.h"
#include "gpu/reuse_drive.h"

enum { GRAINS_A_DEVICE = 16 };

/* What all devices did. */
typedef struct outcome {
  mpz_ptr sum;          /* critical(ms_reuse), as all */
  ms_status status;     /* of the first that failed */
  ms_error error;
} outcome;

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

/* A failure says more than a stop, which all devices report. */
static void note(ms_reuse_search *s, outcome *all, ms_status status, const ms_error *error, mpz_srcptr sum)
{
  if (status != MS_OK) {
    atomic_store(&s->halt, true);
    if (s->stream)
      ms_stream_halt(s->stream);
  }
#pragma omp critical(ms_reuse)
  {
    if (all->sum)
      mpz_add(all->sum, all->sum, sum);
    if (status != MS_OK && (all->status == MS_OK || (is_stop(all->status) && !is_stop(status)))) {
      all->status = status;
      all->error = *error;
    }
  }
}

static void run_device(ms_reuse_search *s, int device, outcome *all)
{
  ms_reuse_machine *m = ms_calloc(1, sizeof *m);
  ms_error error = {0};
  mpz_t sum;
  mpz_init(sum);
  ms_status status = MS_OK;
  if (!m) {
    status = ms_fail_memory(&error, "a search on a GPU");
  } else {
    status = ms_reuse_machine_open(m, s->task->program, device, s->threads, s->make != NULL, &error);
    if (status == MS_OK)
      status = ms_reuse_drive(s, m, sum, &error);
    if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_INTERNAL)
      m->runner.context.failed = true;
    ms_reuse_machine_close(m);
  }
  ms_free(m);
  note(s, all, status, &error, sum);
  mpz_clear(sum);
}

static uint64_t count_roots(const ms_program *p)
{
  const ms_domain *domain = &p->step[0].domain;
  return p->list[0] ? domain->count : domain->hi - domain->lo;
}

static ms_status run(ms_reuse_search *s, mpz_ptr sum, ms_error *err)
{
  int device[MS_GPU_MOST_DEVICES];
  uint32_t count;
  outcome all = {.sum = sum};
  ms_status status = ms_gpu_pattern_devices(s->task, device, &count, err);
  if (status == MS_OK)
    status = ms_stop_check(s->task->stop);
  s->roots = count_roots(s->task->program);
  if (status != MS_OK || s->roots == 0)
    return status;
  count = count < s->roots ? count : (uint32_t)s->roots;
  s->threads = ms_threads(s->task->threads) / (int)count;
  s->threads = s->threads < 1 ? 1 : s->threads;
  s->grain = count > 1 ? s->roots / (count * GRAINS_A_DEVICE) + 1 : 0;
  atomic_init(&s->taken, 0);
  atomic_init(&s->halt, false);
#pragma omp parallel for num_threads((int)count) schedule(static, 1) if (count > 1)
  for (uint32_t i = 0; i < count; i++)
    run_device(s, device[i], &all);
  if (all.status != MS_OK && err)
    *err = all.error;
  return all.status;
}

/* A table stands for the sets that it counts, and there are none to keep: a block
 * a root, as the engine `dfs` does it. */
static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_reuse_search s = {.task = task};
  return task->program->table ? ms_pattern_engine_dfs.count(task, sum, err) : run(&s, sum, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream, ms_error *err)
{
  ms_reuse_search s = {.task = task, .make = make, .user = user, .stream = stream};
  return run(&s, NULL, err);
}

const ms_pattern_engine ms_pattern_engine_reuse = {
  .name = "reuse", .devices = ms_gpu_pattern_device_count, .takes = ms_gpu_pattern_takes, .count = count, .list = list};
