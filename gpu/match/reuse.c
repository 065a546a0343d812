/* The engine `reuse`: what each device does with its roots. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/engines.h"
#include "gpu/match/reuse_drive.h"

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  ms_reuse_machine *m = ms_calloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status =
      ms_reuse_machine_open(m, s->task->program, device, s->threads, s->make != NULL, err);
  if (status == MS_OK)
    status = ms_reuse_drive(s, m, err);
  if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_INTERNAL)
    m->runner.context.failed = true;
  ms_reuse_machine_close(m);
  ms_free(m);
  return status;
}

/* Plans for this engine have no table.  One stands for the sets that it counts,
 * and there are none to keep: a program with one is as the engine `dfs` does it. */
static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_gpu_share s = {.task = task, .sum = sum, .work = work};
  return task->program->table ? ms_pattern_engine_dfs.count(task, sum, err)
                              : ms_gpu_share_run(&s, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  ms_gpu_share s = {.task = task, .make = make, .user = user, .stream = stream, .work = work};
  return ms_gpu_share_run(&s, err);
}

const ms_pattern_engine ms_pattern_engine_reuse = {
    .name = "reuse",
    .tables = MS_TABLE_NONE,
    .devices = ms_gpu_pattern_device_count,
    .takes = ms_gpu_pattern_takes,
    .count = count,
    .list = list,
};
