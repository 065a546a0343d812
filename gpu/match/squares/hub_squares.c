#include "gpu/match/squares/hub_squares.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"
#include "gpu/match/squares/hub_squares_device.h"
#include "gpu/match/upload.h"
#include "match/engine.h"

#include <string.h>

enum {
  SMALL_WARPS = 8,
  FILL_WARPS = 16,
  MULTIPLY_WARPS = 8,
  MOST_SLICES = 64 /* of a hub, about */
};

typedef struct hub_runner {
  ms_gpu_match match;
  ms_gpu_search search;
  ms_hub_launch launch; /* of the multiplication; the other kernels have other blocks */
  uint32_t small_blocks, fill_blocks;
  bool counts_small; /* the next launch counts small neighbourhoods, too */
  ms_hub *hub;       /* [hubs + 1] on the host: those of this device, the largest ones first */
  uint32_t hubs;
  uint64_t room; /* words of the matrices of a launch */
  uint8_t *scratch;
} hub_runner;

/* ---- hubs --------------------------------------------------------------------------------- */

static uint32_t size_of(const ms_pattern_index *index, uint32_t v)
{
  const uint64_t *offset = index->rows[MS_ROWS_ANY].offset;
  return (uint32_t)(offset[v + 1] - offset[v]);
}

static uint32_t least_size(const hub_runner *r)
{
  return r->launch.small < 3 ? 4 : r->launch.small + 1;
}

/* Adds a hub after the others. */
static void add_hub(hub_runner *r, uint32_t vertex, uint32_t size)
{
  ms_hub *hub = &r->hub[r->hubs++];
  uint32_t rows = size / MOST_SLICES > ms_hooks.gpu_hub_slice_rows ? size / MOST_SLICES
                                                                   : ms_hooks.gpu_hub_slice_rows;
  hub->vertex = vertex;
  hub->size = size;
  hub->rows = rows;
  hub[1] = (ms_hub){.slice = hub->slice + (size + rows - 1) / rows,
                    .words = hub->words + (uint64_t)ms_hub_rows(size) * ms_hub_stride(size),
                    .half = hub->half + ms_hub_halves(size)};
}

/* Lists the hubs of the classes [first, end) of `all`.  Ids ascend by degree, so that the last ones
 * are the largest. */
static ms_status list_hubs(hub_runner *r, uint64_t all, uint64_t first, uint64_t end, ms_error *err)
{
  const ms_pattern_index *index = r->match.packed.source->index;
  uint64_t count = 0;
  ms_free(r->hub);
  r->hubs = 0;
  bool some = index->longest >= least_size(r);
  for (uint32_t v = 0; some && v < index->n; v++)
    count += size_of(index, v) >= least_size(r);
  r->hub = ms_calloc(count + 1, sizeof *r->hub);
  if (!r->hub)
    return ms_fail_memory(err, "a list of vertices");
  count = 0;
  for (uint32_t v = index->n; some && v-- > 0;)
    if (size_of(index, v) >= least_size(r)) {
      uint64_t number = count++ % all;
      if (number >= first && number < end)
        add_hub(r, v, size_of(index, v));
    }
  return MS_OK;
}

static uint64_t words_between(const hub_runner *r, uint32_t from, uint32_t to)
{
  return r->hub[to].words - r->hub[from].words;
}

/* ---- launches ------------------------------------------------------------------------------- */

static ms_status launch_kernel(hub_runner *r, ms_hub_kernel kernel, uint32_t blocks, uint32_t warps,
                               uint32_t shared_bytes, ms_error *err)
{
  ms_hub_launch l = r->launch;
  l.blocks = blocks;
  l.warps = warps;
  return ms_gpu_launch(ms_hub_function(kernel),
                       (ms_gpu_grid){blocks, warps * MS_GPU_WARP, shared_bytes}, (void *[]){&l},
                       r->match.gpu.staging.stream, "counting 4-cycles in neighbourhoods", err);
}

static uint32_t bytes_of_small(void)
{
  return (uint32_t)(sizeof(ms_hub_block) + SMALL_WARPS * sizeof(ms_hub_warp));
}

static uint32_t bytes_of_filter(const hub_runner *r)
{
  return (uint32_t)sizeof(ms_hub_block) + r->launch.filter_words * 4;
}

static ms_status launch_hubs(void *on, ms_error *err)
{
  hub_runner *r = on;
  const ms_hub_launch *l = &r->launch;
  if (r->counts_small)
    MS_TRY(
        launch_kernel(r, MS_HUB_COUNT_SMALL, r->small_blocks, SMALL_WARPS, bytes_of_small(), err));
  if (l->from == l->to)
    return MS_OK;
  MS_TRY_CUDA(cudaMemsetAsync(l->matrix, 0, words_between(r, l->from, l->to) * sizeof *l->matrix,
                              r->match.gpu.staging.stream),
              "clearing matrices");
  MS_TRY(launch_kernel(r, MS_HUB_FILL, r->fill_blocks, FILL_WARPS, bytes_of_filter(r), err));
  return launch_kernel(r, MS_HUB_MULTIPLY, l->blocks, MULTIPLY_WARPS, sizeof(ms_hub_block), err);
}

/* Sets *blocks to what all multiprocessors hold. */
static ms_status plan_blocks(ms_hub_kernel kernel, uint32_t warps, uint32_t shared_bytes,
                             const ms_gpu_device *facts, uint32_t *blocks, ms_error *err)
{
  MS_TRY(ms_gpu_occupancy(ms_hub_function(kernel), warps * MS_GPU_WARP, shared_bytes, blocks, err));
  *blocks *= (uint32_t)facts->multiprocessors;
  return *blocks > 0 ? MS_OK : ms_fail(err, MS_ERR_MEMORY, "no block fits a multiprocessor");
}

static ms_status plan_launch(hub_runner *r, int device, ms_error *err)
{
  ms_hub_launch *l = &r->launch;
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  l->index = r->match.index;
  l->small = ms_hooks.gpu_hub_degree < MS_HUB_SMALL ? ms_hooks.gpu_hub_degree : MS_HUB_SMALL;
  for (l->filter_words = MS_HUB_FILTER_WORDS; l->filter_words < ms_hooks.gpu_hub_filter_words &&
                                              32 * (uint64_t)l->filter_words < l->index.n;)
    l->filter_words *= 2;
  MS_TRY(plan_blocks(MS_HUB_COUNT_SMALL, SMALL_WARPS, bytes_of_small(), &facts, &r->small_blocks,
                     err));
  MS_TRY(plan_blocks(MS_HUB_FILL, FILL_WARPS, bytes_of_filter(r), &facts, &r->fill_blocks, err));
  return plan_blocks(MS_HUB_MULTIPLY, MULTIPLY_WARPS, sizeof(ms_hub_block), &facts, &l->blocks,
                     err);
}

/* Makes room for the list of hubs, the queue, and the matrices of as many hubs as fit. */
static ms_status make_room(hub_runner *r, ms_error *err)
{
  ms_hub_launch *l = &r->launch;
  ms_gpu_layout at = {.base = NULL};
  uint64_t largest = r->hubs > 0 ? words_between(r, 0, 1) : 0, all = words_between(r, 0, r->hubs);
  uint64_t wanted = all < ms_hooks.gpu_hub_matrix_words ? all : ms_hooks.gpu_hub_matrix_words, room;
  for (uint32_t i = 1; i < r->hubs; i++)
    largest = words_between(r, i, i + 1) > largest ? words_between(r, i, i + 1) : largest;
  wanted = wanted > largest ? wanted : largest;
  (void)ms_gpu_place(&at, 1, sizeof *l->queue);
  (void)ms_gpu_place(&at, r->hubs + (uint64_t)1, sizeof *l->hub);
  MS_TRY(ms_gpu_room(&r->match.gpu, at.bytes + wanted * sizeof *l->matrix, &room, err));
  room = room > at.bytes ? (room - at.bytes) / sizeof *l->matrix : 0;
  if (room < largest)
    return ms_fail(err, MS_ERR_MEMORY,
                   "the matrix of the largest neighbourhood takes %.1f MiB of GPU memory, and %.1f "
                   "MiB are left; " MS_GPU_MORE_MEMORY,
                   (double)largest * 4 / (1 << 20), (double)room * 4 / (1 << 20));
  r->room = wanted < room ? wanted : room;
  MS_TRY(ms_gpu_alloc(&r->match.gpu, at.bytes + r->room * sizeof *l->matrix, &r->scratch,
                      "making room for matrices of neighbourhoods", err));
  at = (ms_gpu_layout){.base = r->scratch};
  r->search.queue = l->queue = ms_gpu_place(&at, 1, sizeof *l->queue);
  ms_hub *hub = ms_gpu_place(&at, r->hubs + (uint64_t)1, sizeof *l->hub);
  l->hub = hub;
  l->matrix = ms_gpu_place(&at, r->room, sizeof *l->matrix);
  MS_TRY_CUDA(cudaMemcpyAsync(hub, r->hub, (r->hubs + (size_t)1) * sizeof *hub,
                              cudaMemcpyHostToDevice, r->match.gpu.staging.stream),
              "copying the list of vertices");
  return MS_OK;
}

/* ---- the count ------------------------------------------------------------------------------ */

/* Counts the hubs that are listed, and small neighbourhoods. */
static ms_status count_hubs(ms_gpu_share *s, hub_runner *r, ms_error *err)
{
  ms_hub_launch *l = &r->launch;
  double all = (double)r->hub[r->hubs].half;
  r->counts_small = l->small >= 4;
  l->from = l->to = 0;
  do {
    MS_TRY(ms_stop_check(s->task->stop));
    l->from = l->to;
    while (l->to < r->hubs && words_between(r, l->from, l->to + 1) <= r->room)
      l->to++;
    uint64_t halves = r->hub[l->to].half - r->hub[l->from].half;
    r->search.done = all > 0 ? (double)r->hub[l->from].half / all : 0;
    r->search.portion = all > 0 ? (double)halves / all : 1;
    r->search.units = r->search.steps = halves > 0 ? halves : 1;
    MS_TRY(ms_gpu_search_count(&r->search, s, err));
    r->counts_small = false;
  } while (l->to < r->hubs);
  return MS_OK;
}

static ms_status run_classes(ms_gpu_share *s, hub_runner *r, ms_error *err)
{
  uint64_t first, end;
  while (ms_gpu_share_take(s, s->devices, &first, &end)) {
    r->launch.classes = s->devices;
    r->launch.first = first;
    r->launch.end = end;
    MS_TRY(list_hubs(r, s->devices, first, end, err));
    ms_gpu_free(&r->match.gpu, r->scratch);
    r->scratch = NULL;
    MS_TRY(make_room(r, err));
    MS_TRY(count_hubs(s, r, err));
  }
  return MS_OK;
}

ms_status ms_hub_squares_run(ms_gpu_share *s, int device, ms_error *err)
{
  hub_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a count on a GPU");
  r->search.launch = launch_hubs;
  r->search.on = r;
  r->search.share = s;
  ms_status status = ms_gpu_match_open(&r->match, s->task, device, s->sink.threads, err);
  if (status == MS_OK)
    status = plan_launch(r, device, err);
  if (status == MS_OK)
    status = ms_gpu_search_open(&r->search, &r->match.gpu, false, err);
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
