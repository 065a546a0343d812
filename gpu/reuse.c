/* The engine `reuse`: devices that share the roots of a task. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/gpu.h"
#include "gpu/pattern.h"
#include "gpu/reuse_drive.h"

enum {
  MOST_DEVICES = 16,
  LEAST_CAPABILITY = 8,
  GRAINS_A_DEVICE = 16
};
/* Squared degrees from which on another GPU may pay (gpu/pattern.c). */
#define MANY_PATHS 2e9

typedef struct devices_of {
  uint32_t count;
  int number[MOST_DEVICES];
} devices_of;

/* What all devices did. */
typedef struct outcome {
  mpz_ptr sum;          /* critical(ms_reuse), as all */
  ms_status status;     /* of the first that failed */
  ms_error error;
} outcome;

/* Devices of a capability that this build has code for. */
static devices_of usable_devices(void)
{
  devices_of usable = {0};
  for (int i = 0; i < ms_gpu_device_count() && usable.count < MOST_DEVICES; i++) {
    ms_gpu_device facts;
    if (ms_gpu_device_facts(i, &facts, NULL) == MS_OK && facts.major >= LEAST_CAPABILITY)
      usable.number[usable.count++] = i;
  }
  return usable;
}

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
  const ms_program *p = s->task->program;
  devices_of usable = usable_devices();
  outcome all = {.sum = sum};
  uint64_t most = s->task->devices;
  if (usable.count == 0)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (%s); use the CPU engine", ms_gpu_describe());
  ms_status status = ms_stop_check(s->task->stop);
  s->roots = count_roots(p);
  if (status != MS_OK || s->roots == 0)
    return status;
  if (most == 0) /* starting a GPU takes a while */
    most = p->index->square_degrees * p->prefix < MANY_PATHS ? 1 : usable.count;
  most = most < s->roots ? most : s->roots;
  uint32_t count = usable.count < most ? usable.count : (uint32_t)most;
  s->threads = ms_threads(s->task->threads) / (int)count;
  s->threads = s->threads < 1 ? 1 : s->threads;
  s->grain = count > 1 ? s->roots / (count * GRAINS_A_DEVICE) + 1 : 0;
  atomic_init(&s->taken, 0);
  atomic_init(&s->halt, false);
#pragma omp parallel for num_threads((int)count) schedule(static, 1) if (count > 1)
  for (uint32_t i = 0; i < count; i++)
    run_device(s, usable.number[i], &all);
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

static int devices(void)
{
  return (int)usable_devices().count;
}

const ms_pattern_engine ms_pattern_engine_reuse = {
  .name = "reuse",
  .devices = devices,
  .count = count,
  .list = list,
};
