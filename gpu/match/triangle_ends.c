#include "gpu/match/triangle_ends.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/launch.h"
#include "gpu/match/dfs.h"

static ms_status launch_ends(void *on, ms_error *err)
{
  ms_dfs_runner *r = on;
  ms_gpu_grid grid = {r->launch.blocks, r->launch.warps * MS_GPU_WARP, r->launch.shared_bytes};
  return ms_gpu_launch(ms_dfs_function(MS_DFS_TRIANGLE_ENDS), grid, (void *[]){&r->launch},
                       r->match.gpu.staging.stream, "counting ends at triangles", err);
}

/* Counts the parts of the arcs that this device takes. */
static ms_status count_parts(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err)
{
  uint64_t first, end;
  uint32_t blocks;
  MS_TRY(ms_gpu_occupancy(ms_dfs_function(MS_DFS_TRIANGLE_ENDS), r->launch.warps * MS_GPU_WARP,
                          r->launch.shared_bytes, &blocks, err));
  r->search.launch = launch_ends;
  r->launch.parts = s->devices;
  while (ms_gpu_share_take(s, s->devices, &first, &end))
    for (r->launch.part = (uint32_t)first; r->launch.part < end; r->launch.part++) {
      MS_TRY(ms_stop_check(s->task->stop));
      MS_TRY(ms_gpu_search_count(&r->search, s, err));
    }
  return MS_OK;
}

ms_status ms_triangle_ends_run(ms_gpu_share *s, int device, ms_error *err)
{
  ms_dfs_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a count on a GPU");
  ms_status status =
      ms_dfs_runner_open(r, s->task, device, s->sink.threads, MS_DFS_FOR_SQUARES, err);
  if (status == MS_OK)
    status = count_parts(s, r, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  ms_dfs_runner_close(r);
  ms_free(r);
  return status;
}
