/* The engine `dfs`: memory, launches, and what each device does with its units. */
#include "gpu/match/dfs/dfs.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/exchange.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"
#include "gpu/common/share.h"
#include "gpu/match/dfs/dfs_large.h"
#include "gpu/match/dfs/dfs_memory.h"
#include "gpu/match/dfs/dfs_plan.h"
#include "gpu/match/domains.h"
#include "gpu/match/squares/conjunction.h"
#include "gpu/match/squares/dense.h"
#include "gpu/match/squares/hub_squares.h"
#include "gpu/match/task.h"
#include "match/engine.h"

#include <string.h>

/* ---- dfs weights ----------------------------------------------------------------------------- */

/* The weights of edges (dfs_weights.cuh), which the devices of a count of weighted squares make
 * together. */

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

/* Starts the kernels that make all weights on one device. */
static ms_status dfs_start_weights(ms_dfs_runner *r, ms_error *err)
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

/* Makes the weights together with the other devices of the share; runner->weighed says whether they
 * are made.  They are not, and nothing is left to do, if another device has failed, or if the
 * others have searched all units already; then *joined is false.  Otherwise the caller calls
 * ms_gpu_exchange_leave before it frees the runner's memory, also after a failure. */
static ms_status dfs_share_weights(ms_dfs_runner *r, const ms_gpu_share *s, ms_gpu_exchange *x,
                                   bool *joined, ms_error *err)
{
  *joined = ms_gpu_exchange_join(x, s->devices);
  if (!*joined)
    return MS_OK;
  ms_status status = make_weights(r, x, s->task->stop, err);
  ms_gpu_exchange_added(x);
  return status;
}

/* ---- dfs ------------------------------------------------------------------------------------- */

enum { GROUP_EDGES = 64 /* some microseconds of work */ };

static ms_status sort_list(const ms_dfs_launch *l, cudaStream_t stream, ms_error *err)
{
  static const char what[] = "sorting a list of work";
  ms_gpu_grid grid = {l->blocks, l->warps * MS_GPU_WARP,
                      2 * MS_WORK_CLASSES * (uint32_t)sizeof(uint32_t)};
  MS_TRY_CUDA(cudaMemsetAsync(l->of_class, 0, 2 * MS_WORK_CLASSES * sizeof *l->of_class, stream),
              what);
  for (ms_dfs_kernel k = MS_DFS_COUNT_WORK; k <= MS_DFS_SORT_WORK; k++)
    MS_TRY(ms_gpu_launch(ms_dfs_function(k), grid, (void *[]){(void *)l}, stream, what, err));
  return MS_OK;
}

/* Sorts the list that `second` takes, and starts the kernel that takes it. */
static ms_status launch_listed(const ms_dfs_runner *r, const ms_dfs_launch *second, ms_error *err)
{
  ms_dfs_kernel kernel = second->weight                ? MS_DFS_WEIGHTED_RANGES
                         : ms_dfs_is_by_codegrees(r)   ? MS_DFS_CODEGREES
                         : r->kernel == MS_DFS_LOCAL   ? MS_DFS_SLICES
                         : r->kernel == MS_DFS_CHAIN   ? MS_DFS_CHAIN_SLICES
                         : r->kernel == MS_DFS_SQUARES ? MS_DFS_RANGES
                                                       : MS_DFS_TABLE;
  ms_dfs_launch sorting = r->launch;
  cudaStream_t stream = r->match.gpu.staging.stream;
  ms_gpu_grid grid = {second->blocks, second->warps * MS_GPU_WARP, second->shared_bytes};
  sorting.from = second->from;
  if (second->list[second->from].sorted)
    MS_TRY(sort_list(&sorting, stream, err));
  return ms_gpu_launch(ms_dfs_function(kernel), grid, (void *[]){(void *)second}, stream,
                       "searching", err);
}

static ms_status launch_dfs(void *on, ms_error *err)
{
  static const char what[] = "searching";
  ms_dfs_runner *r = on;
  ms_dfs_launch *l = &r->launch, third = r->second;
  cudaStream_t stream = r->match.gpu.staging.stream;
  ms_gpu_grid grid = {l->blocks, l->warps * MS_GPU_WARP, l->shared_bytes};
  l->rows = r->search.rows;
  l->capacity = r->search.capacity;
  l->enough = r->search.enough;
  if (l->place && !r->search.again) /* 255: a depth of more than MS_DEVICE_LEVELS */
    MS_TRY_CUDA(
        cudaMemsetAsync(l->place, 255, (uint64_t)l->blocks * l->warps * sizeof *l->place, stream),
        what);
  if (l->weight && !r->weighed)
    MS_TRY(dfs_start_weights(r, err));
  MS_TRY(ms_gpu_launch(ms_dfs_function(ms_dfs_first_kernel(r)), grid, (void *[]){l}, stream, what,
                       err));
  if (!ms_dfs_has_second(r))
    return MS_OK;
  MS_TRY(launch_listed(r, &r->second, err));
  third.from = 1;
  third.whole = false;
  return l->whole ? launch_listed(r, &third, err) : MS_OK;
}

ms_status ms_dfs_runner_open(ms_dfs_runner *r, const ms_pattern_task *task, int device, int threads,
                             ms_dfs_use use, ms_error *err)
{
  bool listing = use == MS_DFS_FOR_LIST;
  ms_gpu_device facts;
  uint64_t bytes = 0;
  memset(r, 0, sizeof *r);
  r->search.launch = launch_dfs;
  r->search.on = r;
  r->search.length = task->program->prefix;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  MS_TRY(ms_gpu_match_open(&r->match, task, device, threads, err));
  r->launch.square_common = use == MS_DFS_FOR_SQUARES ? task->square_common : 0;
  MS_TRY(ms_dfs_plan(r, &facts, use, &bytes, err));
  MS_TRY(ms_gpu_alloc(&r->match.gpu, bytes, &r->scratch, "making room for candidate sets", err));
  r->scratch_bytes = ms_dfs_place_scratch(r, listing);
  MS_TRY(ms_gpu_search_open(&r->search, &r->match.gpu, listing, err));
  if (r->second.table)
    MS_TRY_CUDA(cudaMemsetAsync(r->second.table, 0, r->second.blocks * r->second.table_bytes,
                                r->match.gpu.staging.stream),
                "clearing the search's memory");
  return MS_OK;
}

void ms_dfs_runner_close(ms_dfs_runner *r)
{
  ms_gpu_search_close(&r->search);
  ms_gpu_free(&r->match.gpu, r->scratch);
  ms_gpu_match_close(&r->match);
}

/* ---- the engine ------------------------------------------------------------------------- */

/* Several devices share classes of units, so that each device has its part of the hubs.  A count
 * has one class for each device: the end of each launch, in which few blocks are busy, takes longer
 * than classes differ.  (With four launches a device, 2 H100 take as long as one for 5-cycles
 * of an R-MAT graph of scale 17.) */
static ms_unit_classes classes_of(const ms_gpu_share *s, const ms_dfs_runner *r)
{
  ms_unit_classes c = {.units = ms_dfs_units_of(r),
                       .group = 1,
                       .all = s->sink.make ? ms_classes_of(s->devices) : s->devices};
  if (r->kernel == MS_DFS_SQUARES) /* a warp takes a group */
    c.group = MS_SQUARE_GROUP;
  else if (s->devices == 1)
    c.group = c.units + 1; /* which no stretch crosses */
  else if (r->kernel == MS_DFS_COUNT || r->kernel == MS_DFS_LIST)
    c.group = GROUP_EDGES;
  return c;
}

/* Returns a number that stands for how the runner divides its work, by FNV-1a.  Devices with other
 * memory or other multiprocessors may plan otherwise. */
static uint64_t division_of(const ms_dfs_runner *r)
{
  const ms_dfs_launch *l = &r->launch;
  uint64_t hash = 0xcbf29ce484222325;
  const uint64_t part[] = {r->kernel,        l->share.units,  l->share.group, l->share.all,
                           l->by_parts,      l->small,        l->slice,       l->least,
                           l->far_bytes > 0, l->square_common};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    hash = (hash ^ part[i]) * 0x100000001b3;
  return hash ? hash : 1;
}

static ms_status search_units(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err)
{
  ms_unit_classes *share = &r->launch.share;
  *share = classes_of(s, r);
  r->launch.by_parts = s->devices > 1 && r->second.blocks > 0;
  r->launch.whole = r->second.whole = r->launch.whole && s->devices == 1;
  if (s->devices > 1 && !ms_gpu_share_divides(s, division_of(r)))
    return MS_OK;
  r->search.share = s;
  r->search.portion = 1;
  while (ms_gpu_share_take(s, share->all, &share->first, &share->end)) {
    MS_TRY(ms_stop_check(s->task->stop)); /* the search checks it only while it has to wait */
    r->search.units = r->search.steps =
        r->launch.by_parts ? share->units : ms_classes_places(share);
    if (r->kernel == MS_DFS_SQUARES)
      r->search.steps /= share->group;
    MS_TRY(s->sink.make ? ms_gpu_search_list(&r->search, s, err)
                        : ms_gpu_search_count(&r->search, s, err));
  }
  return MS_OK;
}

typedef ms_status device_work(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err);

/* Does the work of one device with a runner for this use. */
static ms_status run_on_device(ms_gpu_share *s, int device, ms_dfs_use use, device_work *work,
                               ms_error *err)
{
  ms_dfs_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status = ms_dfs_runner_open(r, s->task, device, s->sink.threads, use, err);
  if (status == MS_OK)
    status = work(s, r, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  ms_dfs_runner_close(r);
  ms_free(r);
  return status;
}

static ms_status run_dfs_device(ms_gpu_share *s, int device, ms_error *err)
{
  ms_dfs_use use = s->sink.make ? MS_DFS_FOR_LIST : MS_DFS_FOR_COUNT;
  return run_on_device(s, device, use, search_units, err);
}

/* Counts weighted squares.  Several devices make the weights together. */
static ms_status run_squares(ms_gpu_share *s, int device, ms_error *err)
{
  ms_gpu_exchange *x = s->common;
  ms_dfs_runner *r = ms_calloc(1, sizeof *r);
  bool joined = false;
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status =
      ms_dfs_runner_open(r, s->task, device, s->sink.threads, MS_DFS_FOR_SQUARES, err);
  if (status == MS_OK && s->devices > 1)
    status = dfs_share_weights(r, s, x, &joined, err);
  if (status == MS_OK && (s->devices == 1 || r->weighed))
    status = search_units(s, r, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  if (joined)
    ms_gpu_exchange_leave(x);
  ms_dfs_runner_close(r);
  ms_free(r);
  return status;
}

/* ---- triangles with one more edge (match/count/count_search.c) ---------------------------------
 */

static ms_status launch_ends(void *on, ms_error *err)
{
  ms_dfs_runner *r = on;
  ms_gpu_grid grid = {r->launch.blocks, r->launch.warps * MS_GPU_WARP, r->launch.shared_bytes};
  return ms_gpu_launch(ms_dfs_function(MS_DFS_TRIANGLE_ENDS), grid, (void *[]){&r->launch},
                       r->match.gpu.staging.stream, "counting ends at triangles", err);
}

/* Counts the parts of the arcs that this device takes. */
static ms_status count_ends(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err)
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

static ms_status run_triangle_ends(ms_gpu_share *s, int device, ms_error *err)
{
  return run_on_device(s, device, MS_DFS_FOR_SQUARES, count_ends, err);
}

/* ---- books (match/count/rooted_numbers.c) ------------------------------------------------------
 */

/* Counts the share's book at each vertex, into the host's memory. */
static ms_status count_at_vertices(ms_gpu_share *s, ms_dfs_runner *r, ms_error *err)
{
  const ms_book *book = s->common;
  cudaStream_t stream = r->match.gpu.staging.stream;
  uint64_t first, end, bytes = r->match.packed.source->index->n * sizeof *book->number;
  r->launch.part = 0;
  r->launch.parts = 1;
  while (ms_gpu_share_take(s, 1, &first, &end)) {
    MS_TRY(ms_stop_check(s->task->stop));
    MS_TRY(ms_gpu_search_clear(&r->search, false, err));
    MS_TRY(clear_triangles(r, err));
    MS_TRY_CUDA(cudaMemsetAsync(r->launch.weight, 0, bytes, stream), weighing);
    MS_TRY(launch_kernel(r, &r->launch, MS_DFS_TRIANGLES, err));
    MS_TRY(launch_kernel(r, &r->launch, book->at_page ? MS_DFS_PAGES : MS_DFS_SPINES, err));
    MS_TRY(ms_gpu_search_wait(&r->search, true, s->task->stop, err));
    MS_TRY_CUDA(
        cudaMemcpyAsync(book->number, r->launch.weight, bytes, cudaMemcpyDeviceToHost, stream),
        weighing);
    MS_TRY_CUDA(cudaStreamSynchronize(stream), weighing);
  }
  return MS_OK;
}

static ms_status run_books(ms_gpu_share *s, int device, ms_error *err)
{
  return run_on_device(s, device, MS_DFS_FOR_SQUARES, count_at_vertices, err);
}

/* ---- the engine's functions --------------------------------------------------------------- */

static ms_gpu_work_fn work_of(const ms_pattern_task *task)
{
  return ms_program_is_large(task->program) ? ms_dfs_large_run : run_dfs_device;
}

static ms_status count_by_dfs(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, work_of(task), sum, err);
}

/* Only tests have a program of 4-cycles that is large. */
static ms_status count_squares_by_dfs(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  if (ms_program_is_large(task->program))
    return ms_fail(err, MS_ERR_MEMORY, "the program of 4-cycles is too large for a GPU");
  ms_gpu_exchange x = MS_GPU_EXCHANGE;
  return ms_gpu_task_count_together(task, run_squares, &x, sum, err);
}

static ms_status count_hub_squares(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, ms_hub_squares_run, sum, err);
}

static ms_status count_triangles(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, ms_dense_run, sum, err);
}

static ms_status count_triangle_ends(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  if (ms_program_is_large(task->program))
    return ms_fail(err, MS_ERR_MEMORY, "the program of 4-cycles is too large for a GPU");
  return ms_gpu_task_count(task, run_triangle_ends, sum, err);
}

static ms_status count_books(const ms_pattern_task *task, ms_book *book, ms_error *err)
{
  ms_pattern_task of_one = *task;
  mpz_t ignored;
  of_one.square_common = book->pages;
  of_one.devices = 1;
  if (ms_program_is_large(task->program))
    return ms_fail(err, MS_ERR_MEMORY, "the program of 4-cycles is too large for a GPU");
  mpz_init(ignored);
  ms_status status = ms_gpu_task_count_together(&of_one, run_books, book, ignored, err);
  mpz_clear(ignored);
  return status;
}

static ms_status list_by_dfs(const ms_pattern_task *task, ms_rows_fn make, void *user,
                             ms_stream *stream, ms_error *err)
{
  return ms_gpu_task_list(task, work_of(task), make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_dfs = {
    .name = "dfs",
    .devices = ms_gpu_task_devices,
    .supports = ms_gpu_task_supports,
    .filter_domains = ms_gpu_filter_domains,
    .count = count_by_dfs,
    .count_squares = count_squares_by_dfs,
    .count_hub_squares = count_hub_squares,
    .count_triangles = count_triangles,
    .count_triangle_ends = count_triangle_ends,
    .count_books = count_books,
    .list = list_by_dfs,
};
