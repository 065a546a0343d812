/* The engine `dfs`: what each device does with its units. */
#include "gpu/match/engines.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/dfs_runner.h"
#include "gpu/match/task.h"

uint64_t ms_gpu_pattern_first_rows = 1 << 16;

static ms_status search_units(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err)
{
  uint64_t first, end;
  while (ms_gpu_share_take(s, r->match.pack.program.units, &first, &end)) {
    MS_TRY(ms_stop_check(s->task->stop)); /* while it waits it is asked only if it has to wait */
    ms_dfs_runner_take(r, first, end);
    MS_TRY(s->sink.make ? ms_gpu_search_list(&r->search, s, err)
                        : ms_gpu_search_count(&r->search, s, err));
  }
  return MS_OK;
}

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  ms_dfs_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_dfs_use use = s->sink.make ? MS_DFS_FOR_LIST : MS_DFS_FOR_COUNT;
  ms_status status = ms_dfs_runner_open(r, s->task->program, device, s->sink.threads, use, err);
  if (status == MS_OK)
    status = search_units(s, r, err);
  ms_gpu_context_note(&r->match.gpu, status);
  ms_dfs_runner_close(r);
  ms_free(r);
  return status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, work, sum, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  return ms_gpu_task_list(task, work, make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_dfs = {
    .name = "dfs",
    .devices = ms_gpu_task_devices,
    .takes = ms_gpu_task_takes,
    .count = count,
    .list = list,
};
