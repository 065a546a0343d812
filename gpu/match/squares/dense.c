#include "gpu/match/squares/dense.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"
#include "gpu/match/squares/dense_device.h"
#include "gpu/match/upload.h"
#include "match/cpu/sorted.h"

enum { WARPS = 8 };

static const char counting[] = "counting at triangles";

typedef struct dense_runner {
  ms_gpu_match match;
  ms_gpu_search search;
  ms_dense_launch launch; /* of the multiplication */
  ms_hub *hub;            /* [launch.roots + 1] on the host */
  uint8_t *scratch;
} dense_runner;

static ms_status launch_kernel(const dense_runner *r, ms_dense_kernel kernel, ms_error *err)
{
  return ms_gpu_launch(ms_dense_function(kernel),
                       (ms_gpu_grid){r->launch.blocks, WARPS * MS_GPU_WARP, sizeof(ms_hub_block)},
                       (void *[]){(void *)&r->launch}, r->match.gpu.staging.stream, counting, err);
}

static ms_status launch_products(void *on, ms_error *err)
{
  return launch_kernel(on, MS_DENSE_MULTIPLY, err);
}

static uint32_t larger_neighbors(const ms_pattern_index *index, uint32_t v)
{
  uint32_t length;
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
  return length - (uint32_t)ms_lower_bound(row, length, v);
}

/* Lists the roots of the classes [first, end) of `all`, with their half tiles. */
static void list_roots(dense_runner *r, uint64_t all, uint64_t first, uint64_t end)
{
  const ms_pattern_index *index = r->match.packed.source->index;
  r->launch.roots = 0;
  r->hub[0] = (ms_hub){0};
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t size = larger_neighbors(index, v);
    if (size < 2 || v % all < first || v % all >= end)
      continue;
    ms_hub *hub = &r->hub[r->launch.roots++];
    hub->vertex = v;
    hub->size = size;
    hub[1] = (ms_hub){.half = hub->half + ms_hub_halves(size)};
  }
}

/* Makes room for the queue, the list of roots and the matrix, and fills the matrix. */
static ms_status make_matrix(dense_runner *r, ms_error *err)
{
  ms_dense_launch *l = &r->launch;
  uint64_t n = l->index.n, words, room;
  ms_gpu_layout at = {.base = NULL};
  l->stride = ms_hub_stride(l->index.n);
  words = (n + 1) * l->stride;
  if (words > UINT32_MAX)
    return ms_fail(err, MS_ERR_MEMORY, "the matrix of the graph is too large");
  for (int placed = 0; placed < 2; placed++) {
    r->search.queue = l->queue = ms_gpu_place(&at, 1, sizeof *l->queue);
    l->hub = ms_gpu_place(&at, n + 1, sizeof *l->hub);
    l->matrix = ms_gpu_place(&at, words, sizeof *l->matrix);
    if (placed)
      break;
    MS_TRY(ms_gpu_room(&r->match.gpu, at.bytes, &room, err));
    if (room < at.bytes)
      return ms_fail(err, MS_ERR_MEMORY,
                     "the matrix of the graph takes %.1f MiB of GPU memory, and %.1f MiB are "
                     "left; " MS_GPU_MORE_MEMORY,
                     (double)at.bytes / (1 << 20), (double)room / (1 << 20));
    MS_TRY(ms_gpu_alloc(&r->match.gpu, at.bytes, &r->scratch,
                        "making room for the matrix of the graph", err));
    at = (ms_gpu_layout){.base = r->scratch};
  }
  MS_TRY_CUDA(cudaMemsetAsync(l->matrix, 0, words * sizeof *l->matrix, r->match.gpu.staging.stream),
              counting);
  return launch_kernel(r, MS_DENSE_FILL, err);
}

static ms_status plan_blocks(dense_runner *r, int device, ms_error *err)
{
  ms_gpu_device facts;
  uint32_t blocks;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  for (ms_dense_kernel k = MS_DENSE_FILL; k <= MS_DENSE_MULTIPLY; k++)
    MS_TRY(ms_gpu_occupancy(ms_dense_function(k), WARPS * MS_GPU_WARP, sizeof(ms_hub_block),
                            &blocks, err));
  r->launch.warps = WARPS;
  r->launch.blocks = blocks * (uint32_t)facts.multiprocessors;
  return blocks > 0 ? MS_OK : ms_fail(err, MS_ERR_MEMORY, "no block fits a multiprocessor");
}

static ms_status open_runner(dense_runner *r, const ms_gpu_share *s, int device, ms_error *err)
{
  MS_TRY(ms_gpu_match_open(&r->match, s->task, device, s->sink.threads, err));
  r->launch.index = r->match.index;
  r->launch.common = s->task->square_common;
  r->launch.upper = r->launch.common == 1;
  MS_TRY(plan_blocks(r, device, err));
  MS_TRY(ms_gpu_search_open(&r->search, &r->match.gpu, false, err));
  r->hub = ms_calloc(r->launch.index.n + (size_t)1, sizeof *r->hub);
  return r->hub ? make_matrix(r, err) : ms_fail_memory(err, "a list of vertices");
}

static ms_status run_classes(ms_gpu_share *s, dense_runner *r, ms_error *err)
{
  uint64_t first, end;
  r->search.portion = 1;
  while (ms_gpu_share_take(s, s->devices, &first, &end)) {
    MS_TRY(ms_stop_check(s->task->stop));
    list_roots(r, s->devices, first, end);
    r->search.units = r->search.steps = r->hub[r->launch.roots].half;
    MS_TRY_CUDA(cudaMemcpyAsync((void *)r->launch.hub, r->hub,
                                (r->launch.roots + (size_t)1) * sizeof *r->hub,
                                cudaMemcpyHostToDevice, r->match.gpu.staging.stream),
                "copying the list of vertices");
    MS_TRY(ms_gpu_search_count(&r->search, s, err));
  }
  return MS_OK;
}

ms_status ms_dense_run(ms_gpu_share *s, int device, ms_error *err)
{
  dense_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a count on a GPU");
  r->search.launch = launch_products;
  r->search.on = r;
  r->search.share = s;
  ms_status status = open_runner(r, s, device, err);
  if (status == MS_OK)
    status = run_classes(s, r, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  ms_gpu_search_close(&r->search);
  ms_gpu_free(&r->match.gpu, r->scratch);
  ms_gpu_match_close(&r->match);
  ms_free(r->hub);
  ms_free(r);
  return status;
}
