#include "gpu/match/dfs_weights.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"

#include <string.h>

static const char weighing[] = "making weights of edges";

static ms_status launch_kernel(const ms_dfs_runner *r, const ms_dfs_launch *l, ms_dfs_kernel kernel,
                               ms_error *err)
{
  ms_gpu_grid grid = {l->blocks, l->warps * MS_GPU_WARP, l->shared_bytes};
  return ms_gpu_launch(ms_dfs_function(kernel), grid, (void *[]){(void *)l},
                       r->match.gpu.staging.stream, weighing, err);
}

static ms_status clear_triangles(const ms_dfs_runner *r, ms_error *err)
{
  return ms_cuda_status(
      cudaMemsetAsync(r->launch.triangles, 0,
                      r->match.packed.source->index->arcs * sizeof *r->launch.triangles,
                      r->match.gpu.staging.stream),
      weighing, err);
}

ms_status ms_dfs_start_weights(ms_dfs_runner *r, ms_error *err)
{
  r->weighed = true;
  r->launch.part = 0;
  r->launch.parts = 1;
  MS_TRY(clear_triangles(r, err));
  MS_TRY(launch_kernel(r, &r->launch, MS_DFS_TRIANGLES, err));
  return launch_kernel(r, &r->launch, MS_DFS_WEIGHTS, err);
}

/* ---- several devices --------------------------------------------------------------------- */

/* Counts the triangles of the parts that this device takes, and publishes the numbers. */
static ms_status count_parts(ms_dfs_runner *r, ms_gpu_exchange *x, const ms_stop *stop,
                             ms_error *err)
{
  ms_dfs_launch l = r->launch;
  uint32_t made = 0;
  l.parts = x->parts;
  MS_TRY(clear_triangles(r, err));
  while (ms_gpu_exchange_take(x, &l.part)) {
    MS_TRY(ms_stop_check(stop));
    MS_TRY(ms_gpu_search_clear(&r->search, false, err));
    MS_TRY(launch_kernel(r, &l, MS_DFS_TRIANGLES, err));
    MS_TRY(ms_gpu_search_wait(&r->search, true, stop, err));
    made++;
  }
  if (made > 0)
    ms_gpu_exchange_publish(x, r->match.gpu.device, l.triangles, made);
  return MS_OK;
}

/* Adds the numbers that a device has published; they are read where they are, or copied. */
static ms_status add_array(ms_dfs_runner *r, const ms_gpu_published *from, uint32_t **others,
                           ms_error *err)
{
  static const char what[] = "copying numbers of triangles from another GPU";
  int device = r->match.gpu.device;
  uint64_t bytes = r->match.packed.source->index->arcs * sizeof **others;
  ms_dfs_launch l = r->launch;
  memcpy(&l.triangles, &from->array, sizeof l.triangles);
  if (from->device != device && !ms_gpu_exchange_connect(from->device, device)) {
    if (!*others)
      MS_TRY(ms_gpu_alloc(&r->match.gpu, bytes, others, what, err));
    MS_TRY_CUDA(cudaMemcpyPeerAsync(*others, device, from->array, from->device, bytes,
                                    r->match.gpu.staging.stream),
                what);
    l.triangles = *others;
  }
  return launch_kernel(r, &l, MS_DFS_ADD_TRIANGLES, err);
}

/* Adds the numbers of all devices, and makes weights of the sums. */
static ms_status add_parts(ms_dfs_runner *r, const ms_gpu_exchange *x, uint32_t **others,
                           const ms_stop *stop, ms_error *err)
{
  ms_dfs_launch l = r->launch;
  l.parts = x->parts;
  MS_TRY(ms_gpu_search_clear(&r->search, false, err));
  MS_TRY_CUDA(cudaMemsetAsync(l.weight, 0, r->match.packed.source->index->arcs * sizeof *l.weight,
                              r->match.gpu.staging.stream),
              weighing);
  for (uint32_t i = 0; i < x->arrays; i++) /* no device publishes once all parts are made */
    MS_TRY(add_array(r, &x->array[i], others, err));
  MS_TRY(launch_kernel(r, &l, MS_DFS_WEIGHTS, err));
  return ms_gpu_search_wait(&r->search, true, stop, err);
}

static ms_status make_weights(ms_dfs_runner *r, ms_gpu_exchange *x, const ms_stop *stop,
                              ms_error *err)
{
  uint32_t *others = NULL;
  ms_status status = count_parts(r, x, stop, err);
  if (status != MS_OK) {
    ms_gpu_exchange_fail(x);
  } else if (ms_gpu_exchange_wait(x)) {
    status = add_parts(r, x, &others, stop, err);
    r->weighed = status == MS_OK;
  }
  ms_gpu_free(&r->match.gpu, others);
  /* what had begun before a failure may still read the memory of another device */
  r->match.gpu.failed |= cudaStreamSynchronize(r->match.gpu.staging.stream) != cudaSuccess;
  return status;
}

ms_status ms_dfs_share_weights(ms_dfs_runner *r, const ms_gpu_share *s, ms_gpu_exchange *x,
                               bool *joined, ms_error *err)
{
  *joined = ms_gpu_exchange_join(x, s->devices);
  if (!*joined)
    return MS_OK;
  ms_status status = make_weights(r, x, s->task->stop, err);
  ms_gpu_exchange_added(x);
  return status;
}
