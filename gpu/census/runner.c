/* What a device does in a census: memory, launches, and copies. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "gpu/census/context.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"

#include <string.h>

/* Classes of units for each device, of which it takes some at a time. */
#define CLASSES_A_DEVICE 8u
/* Entries for which a device has room at least, if it counts for each vertex: those of one. */
#define LEAST_ROOM ((uint64_t)1 << MS_CENSUS_MOST_BITS)

typedef ms_census_runner runner;
typedef ms_census_pass pass;
typedef ms_census_context context;

/* ---- a device ------------------------------------------------------------------------- */

static ms_status launch_device(void *on, ms_error *err)
{
  ms_census_device *at = on;
  return ms_gpu_launch(at->kernel, at->grid, (void *[]){at->launch}, at->gpu.staging.stream,
                       "searching", err);
}

/* Places what kernels write; with the scratch's address NULL it only adds up the bytes. */
static uint64_t place_scratch(runner *r, const context *c)
{
  ms_gpu_layout layout = {r->at.scratch, 0};
  uint32_t n = c->on.graph->n, window = n < MS_CENSUS_WINDOW ? n : MS_CENSUS_WINDOW;
  bool vertices = c->on.motif != NULL;
  r->at.search.queue = ms_gpu_place(&layout, 1, sizeof *r->at.search.queue);
  r->launch.queue = r->at.search.queue;
  r->launch.cell = ms_gpu_place(&layout, vertices ? 0 : c->cells, sizeof *r->launch.cell);
  r->launch.left = ms_gpu_place(&layout, vertices ? 0 : n, 1);
  uint64_t roots = c->on.pieces > n ? c->on.pieces : n;
  r->launch.root = ms_gpu_place(&layout, vertices ? window : roots, sizeof *r->launch.root);
  r->begin = ms_gpu_place(&layout, c->on.pieces, sizeof *r->begin);
  r->end = ms_gpu_place(&layout, c->on.pieces, sizeof *r->end);
  r->launch.kind = ms_gpu_place(&layout, n, sizeof *r->launch.kind);
  r->launch.used = ms_gpu_place(&layout, 1, sizeof *r->launch.used);
  r->launch.found = ms_gpu_place(&layout, vertices ? window : 0, sizeof *r->launch.found);
  r->launch.entry = ms_gpu_place(&layout, r->launch.room, sizeof *r->launch.entry);
  return layout.bytes;
}

static uint64_t place_labels(runner *r, const context *c)
{
  ms_gpu_layout layout = {r->labels, 0};
  r->launch.label = ms_gpu_place(&layout, (uint64_t)c->on.graph->n * MS_CENSUS_LABELINGS, 1);
  r->launch.label_cell =
      ms_gpu_place(&layout, c->cells * MS_CENSUS_LABELS, sizeof *r->launch.label_cell);
  return layout.bytes;
}

/* Sets that look like more than a second of work on one device. */
#define MANY_SETS 2e10

static ms_status choose_devices(const ms_census_on *on, ms_gpu_share *share, ms_error *err)
{
  uint32_t usable = ms_gpu_usable(share->device);
  if (usable == 0)
    return ms_gpu_fail_none("the CPU", err);
  share->devices = on->sets < MANY_SETS ? 1 : usable;
  if (on->devices == 0)
    return MS_OK;
  MS_TRY(ms_gpu_check_named(on->device, on->devices, err));
  memcpy(share->device, on->device, on->devices * sizeof *on->device);
  share->devices = on->devices;
  return MS_OK;
}

ms_status ms_census_open_share(const ms_census_on *on, ms_gpu_share *share, ms_pattern_task *task,
                               uint32_t **offset, ms_error *err)
{
  const ms_census_graph *g = on->graph;
  *task = (ms_pattern_task){.threads = on->threads,
                            .gpu_memory = on->memory,
                            .stop = on->stop,
                            .progress = on->progress,
                            .progress_user = on->progress_user};
  share->task = task;
  share->roots = g->n;
  pthread_mutex_init(&share->lock, NULL);
  *offset = ms_alloc((size_t)g->n + 1, sizeof **offset);
  if (!*offset)
    return ms_fail_memory(err, "a census on a GPU");
  for (uint32_t r = 0; r <= g->n; r++)
    (*offset)[r] = (uint32_t)g->offset[r];
  return choose_devices(on, share, err);
}

ms_status ms_census_run_share(ms_gpu_share *share, ms_error *err)
{
  share->begun = false;
  share->status = MS_OK;
  share->finished = 0;
  return ms_gpu_share_run(share, err);
}

uint32_t ms_census_place_of(const ms_gpu_share *share, int device)
{
  uint32_t i = 0;
  while (share->device[i] != device)
    i++;
  return i;
}

uint64_t ms_census_classes(const ms_gpu_share *share)
{
  return share->devices == 1 ? 1 : share->devices * CLASSES_A_DEVICE;
}

ms_status ms_census_check_room(const ms_gpu_context *gpu, uint64_t bytes, ms_error *err)
{
  uint64_t room;
  MS_TRY(ms_gpu_room(gpu, bytes, &room, err));
  return room >= bytes
             ? MS_OK
             : ms_fail(err, MS_ERR_MEMORY,
                       "the graph and the tables of a census take %.1f MiB of GPU memory, and "
                       "%.1f MiB are free; " MS_GPU_MORE_MEMORY ", or use the CPU",
                       (double)bytes / (1 << 20), (double)room / (1 << 20));
}

static ms_status open_memory(ms_census_device *at, ms_gpu_share *share, ms_staging_list *list,
                             ms_error *err)
{
  runner *r = (runner *)at;
  context *c = (context *)share;
  const ms_census_graph *g = c->on.graph;
  ms_staging_add(list, c->offset, ((uint64_t)g->n + 1) * sizeof *c->offset);
  ms_staging_add(list, g->neighbor, g->offset[g->n] * sizeof *g->neighbor);
  ms_staging_add(list, c->step, c->steps * sizeof *c->step);
  if (c->on.motif)
    ms_staging_add(list, c->on.motif, c->cells * sizeof *c->on.motif);
  uint64_t bytes = place_scratch(r, c), room;
  MS_TRY(ms_gpu_room(&r->at.gpu, 2 * (list->bytes + bytes), &room, err));
  while (r->launch.room > LEAST_ROOM && 2 * (list->bytes + bytes) > room) {
    r->launch.room /= 2;
    bytes = place_scratch(r, c);
  }
  MS_TRY(ms_census_check_room(&r->at.gpu, list->bytes + bytes, err));
  MS_TRY(ms_gpu_alloc(&r->at.gpu, list->bytes, &r->at.memory, "copying the graph", err));
  MS_TRY(ms_gpu_alloc(&r->at.gpu, bytes, &r->at.scratch, "making room for a census", err));
  pthread_mutex_lock(&c->share.lock);
  c->bytes = list->bytes + bytes > c->bytes ? list->bytes + bytes : c->bytes;
  pthread_mutex_unlock(&c->share.lock);
  place_scratch(r, c);
  r->launch.offset = ms_staging_place(list, r->at.memory, c->offset);
  r->launch.neighbor = ms_staging_place(list, r->at.memory, g->neighbor);
  r->launch.step = ms_staging_place(list, r->at.memory, c->step);
  r->launch.motif = ms_staging_place(list, r->at.memory, c->on.motif);
  r->launch.motifs = (uint32_t)c->on.motifs;
  return ms_staging_upload(&r->at.gpu.staging, list, r->at.memory, r->at.gpu.threads, err);
}

ms_status ms_census_open_device(ms_census_device *at, ms_gpu_share *share, int device,
                                uint64_t memory,
                                ms_status (*make)(ms_census_device *at, ms_gpu_share *share,
                                                  ms_staging_list *list, ms_error *err),
                                ms_error *err)
{
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  if (!list)
    return ms_fail_memory(err, "a census on a GPU");
  at->is_open = true;
  at->search = (ms_gpu_search){.launch = launch_device, .on = at, .share = share, .portion = 1};
  ms_status status = ms_gpu_context_open(&at->gpu, device, share->sink.threads, memory, err);
  if (status == MS_OK)
    status = make(at, share, list, err);
  if (status == MS_OK)
    status = ms_gpu_search_open(&at->search, &at->gpu, false, err);
  ms_free(list);
  return status;
}

void ms_census_end_device(ms_census_device *at)
{
  ms_gpu_search_close(&at->search);
  if (at->gpu.staging.stream)
    at->gpu.failed |= cudaSetDevice(at->gpu.device) != cudaSuccess;
  ms_gpu_free(&at->gpu, at->memory);
  ms_gpu_free(&at->gpu, at->scratch);
}

ms_status ms_census_open_runner(runner *r, context *c, int device, ms_error *err)
{
  *r = (runner){.at.launch = &r->launch};
  r->launch.k = c->on.k;
  r->launch.kinds = c->on.graph->kinds;
  r->launch.cells = c->cells;
  r->launch.room = c->on.motif ? ms_hooks.gpu_census_entries : 0;
  memcpy(r->launch.step_at, c->step_at, sizeof c->step_at);
  return ms_census_open_device(&r->at, &c->share, device, c->on.memory, open_memory, err);
}

void ms_census_close_runner(runner *r)
{
  if (!r->at.is_open)
    return;
  ms_census_end_device(&r->at);
  ms_gpu_free(&r->at.gpu, r->labels);
  ms_gpu_free(&r->at.gpu, r->table);
  ms_gpu_context_close(&r->at.gpu);
  *r = (runner){0};
}

/* ---- a pass --------------------------------------------------------------------------- */

ms_status ms_census_clear(ms_gpu_context *gpu, void *memory, uint64_t bytes, ms_error *err)
{
  return ms_cuda_status(cudaMemsetAsync(memory, 0, bytes, gpu->staging.stream),
                        "making room for a census", err);
}

ms_status ms_census_upload(ms_gpu_context *gpu, const void *from, uint64_t bytes, const void *to,
                           ms_error *err)
{
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  void *writable;
  if (!list)
    return ms_fail_memory(err, "a census on a GPU");
  memcpy(&writable, &to, sizeof to);
  ms_staging_add(list, from, bytes);
  ms_status status = ms_staging_upload(&gpu->staging, list, writable, gpu->threads, err);
  ms_free(list);
  return status;
}

/* Copies what the count needs, unless the device has it, and clears the numbers. */
static ms_status begin_count(runner *r, const context *c, ms_error *err)
{
  const pass *p = &c->pass;
  uint32_t n = c->on.graph->n;
  if (r->count == c->counts)
    return MS_OK;
  r->count = c->counts;
  r->has_numbers = true;
  if (!p->label) {
    MS_TRY(ms_census_upload(&r->at.gpu, p->kind, n * sizeof *p->kind, r->launch.kind, err));
    return ms_census_clear(&r->at.gpu, r->launch.cell, c->cells * sizeof *r->launch.cell, err);
  }
  if (!r->labels) {
    uint64_t bytes = place_labels(r, c);
    MS_TRY(ms_census_check_room(&r->at.gpu, bytes, err));
    MS_TRY(ms_gpu_alloc(&r->at.gpu, bytes, &r->labels, "making room for labels", err));
  }
  place_labels(r, c);
  if (r->label != p->label)
    MS_TRY(ms_census_upload(&r->at.gpu, p->label, (uint64_t)n * MS_CENSUS_LABELINGS,
                            r->launch.label, err));
  r->label = p->label;
  if (r->launch.label)
    r->launch.label += p->label_first;
  return ms_census_clear(&r->at.gpu, r->launch.label_cell,
                         c->cells * MS_CENSUS_LABELS * sizeof *r->launch.label_cell, err);
}

/* Finds the kernel of a pass, and how many of its blocks a device holds. */
static ms_status choose_grid(runner *r, const context *c, ms_error *err)
{
  const pass *p = &c->pass;
  ms_gpu_device facts;
  ms_census_launch *l = &r->launch;
  uint32_t warps = MS_CENSUS_WARPS, blocks, of_warp, shared = 0;
  l->shared_cells = l->merged = 0;
  if (!p->label) {
    l->label = NULL;
    l->shared_cells = c->cells <= ms_hooks.gpu_census_shared_cells ? (uint32_t)c->cells : 0;
    l->merged = l->kinds <= ms_hooks.gpu_census_ball_kinds ? l->kinds : 0;
    shared = (l->shared_cells * 4 + 15) / 16 * 16;
  }
  of_warp = p->label ? ms_census_label_bytes(p->words)
                     : ms_census_warp_bytes(p->words, c->on.k, l->merged);
  MS_TRY(ms_gpu_device_facts(r->at.gpu.device, &facts, err));
  while (warps > 1 && shared + warps * of_warp > facts.shared)
    warps /= 2;
  r->at.kernel = ms_census_function(p->words, p->label ? MS_CENSUS_ALL_LABELS : MS_CENSUS_SETS);
  MS_TRY(
      ms_gpu_occupancy(r->at.kernel, warps * MS_GPU_WARP, shared + warps * of_warp, &blocks, err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for a census of this size; use "
                   "the CPU");
  uint64_t most = (p->units + warps - 1) / warps;
  blocks *= (uint32_t)facts.multiprocessors;
  r->at.grid = (ms_gpu_grid){blocks < most ? blocks : (uint32_t)most, warps * MS_GPU_WARP,
                             shared + warps * of_warp};
  return MS_OK;
}

ms_status ms_census_launch_once(ms_gpu_search *search, ms_error *err)
{
  ms_gpu_share *share = search->share;
  double begin = ms_seconds();
  MS_TRY(ms_gpu_search_clear(search, false, err));
  MS_TRY(search->launch(search->on, err));
  MS_TRY(ms_gpu_search_read(search, err));
  MS_TRY(ms_gpu_search_wait(search, true, share->task->stop, err));
  pthread_mutex_lock(&share->lock);
  ms_hooks.gpu_census_seconds += ms_seconds() - begin;
  pthread_mutex_unlock(&share->lock);
  return MS_OK;
}

ms_status ms_census_search_units(runner *r, context *c, ms_error *err)
{
  ms_gpu_share *s = &c->share;
  uint64_t first, end, all = ms_census_classes(s);
  r->launch.all = all;
  r->launch.units = c->pass.units;
  while (ms_gpu_share_take(s, all, &first, &end)) {
    r->launch.first = first;
    r->launch.width = end - first;
    r->at.search.steps = c->pass.units / all * (end - first);
    MS_TRY(ms_stop_check(s->task->stop));
    MS_TRY(ms_census_launch_once(&r->at.search, err));
    pthread_mutex_lock(&s->lock);
    c->visits += r->at.search.seen->rows;
    pthread_mutex_unlock(&s->lock);
  }
  return MS_OK;
}

ms_status ms_census_fetch(ms_gpu_context *gpu, void *to, const void *from, uint64_t bytes,
                          ms_error *err)
{
  static const char what[] = "copying the numbers of sets";
  ms_staging_note(bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, gpu->staging.stream), what);
  return ms_cuda_status(cudaStreamSynchronize(gpu->staging.stream), what, err);
}

static ms_status fetch_left(runner *r, context *c, ms_error *err)
{
  uint32_t n = c->on.graph->n;
  uint8_t *left = ms_alloc(n, 1);
  ms_status status = left ? ms_census_fetch(&r->at.gpu, left, r->launch.left, n, err)
                          : ms_fail_memory(err, "the roots of a census");
  pthread_mutex_lock(&c->share.lock);
  for (uint32_t v = 0; status == MS_OK && v < n; v++)
    c->is_left[v] |= left[v];
  pthread_mutex_unlock(&c->share.lock);
  ms_free(left);
  return status;
}

ms_status ms_census_add_cells(ms_census_device *at, ms_integrity *integrity, void *from,
                              uint64_t cells, uint64_t *total, bool *overflow, ms_error *err)
{
  uint64_t *cell = ms_alloc(cells, sizeof *cell);
  ms_status status = cell ? ms_census_fetch(&at->gpu, cell, from, cells * sizeof *cell, err)
                          : ms_fail_memory(err, "the numbers of a census");
  if (status == MS_OK)
    status = ms_gpu_check_copy(&at->gpu, integrity, from, cell, cells * sizeof *cell, err);
  *overflow = false;
  pthread_mutex_lock(&at->search.share->lock);
  for (uint64_t i = 0; status == MS_OK && i < cells; i++)
    *overflow |= __builtin_add_overflow(total[i], cell[i], &total[i]);
  pthread_mutex_unlock(&at->search.share->lock);
  ms_free(cell);
  return status;
}

static ms_status fetch_cells(runner *r, context *c, ms_error *err)
{
  bool overflow;
  MS_TRY(ms_census_add_cells(&r->at, c->on.integrity, r->launch.cell, c->cells, c->total, &overflow,
                             err));
  return overflow ? ms_fail(err, MS_ERR_USAGE,
                            "a number of sets is 2^63 or more, which a census does not count; "
                            "lower `k`")
                  : MS_OK;
}

static ms_status fetch_label_cells(runner *r, context *c, ms_error *err)
{
  uint64_t cells = c->labelings * c->cells;
  uint32_t *cell = ms_alloc(cells, sizeof *cell);
  ms_status status =
      cell ? ms_census_fetch(&r->at.gpu, cell, r->launch.label_cell, cells * sizeof *cell, err)
           : ms_fail_memory(err, "the numbers of a census");
  pthread_mutex_lock(&c->share.lock);
  for (uint64_t i = 0; status == MS_OK && i < cells; i++)
    c->total[i] += cell[i];
  pthread_mutex_unlock(&c->share.lock);
  ms_free(cell);
  return status;
}

static ms_status do_pass(runner *r, context *c, int device, ms_error *err)
{
  const pass *p = &c->pass;
  const uint32_t *room;
  if (!r->at.is_open)
    MS_TRY(ms_census_open_runner(r, c, device, err));
  else
    MS_TRY_CUDA(cudaSetDevice(device), "starting the GPU");
  if (c->vertex_pass)
    return c->vertex_pass(r, c, err);
  MS_TRY(begin_count(r, c, err));
  MS_TRY(choose_grid(r, c, err));
  MS_TRY(ms_census_clear(&r->at.gpu, r->launch.left, c->on.graph->n, err));
  room = r->launch.root;
  if (p->root)
    MS_TRY(ms_census_upload(&r->at.gpu, p->root, p->units * sizeof *p->root, room, err));
  else
    r->launch.root = NULL;
  if (p->begin) {
    MS_TRY(ms_census_upload(&r->at.gpu, p->begin, p->units * sizeof *p->begin, r->begin, err));
    MS_TRY(ms_census_upload(&r->at.gpu, p->end, p->units * sizeof *p->end, r->end, err));
  }
  r->launch.begin = p->begin ? r->begin : NULL;
  r->launch.end = p->begin ? r->end : NULL;
  ms_status status = ms_census_search_units(r, c, err);
  r->launch.root = room;
  r->launch.begin = r->launch.end = NULL;
  return status == MS_OK ? fetch_left(r, c, err) : status;
}

ms_status ms_census_run_device(ms_gpu_share *share, int device, ms_error *err)
{
  context *c = (context *)share;
  runner *r = &c->runner[ms_census_place_of(share, device)];
  ms_status status = do_pass(r, c, device, err);
  ms_gpu_context_note_status(&r->at.gpu, status);
  return status;
}

ms_status ms_census_fetch_numbers(ms_census_context *c, uint32_t device, ms_error *err)
{
  runner *r = &c->runner[device];
  if (!r->has_numbers)
    return MS_OK;
  MS_TRY_CUDA(cudaSetDevice(c->share.device[device]), "starting the GPU");
  ms_status status = c->pass.label ? fetch_label_cells(r, c, err) : fetch_cells(r, c, err);
  r->has_numbers = false;
  return ms_gpu_context_note_status(&r->at.gpu, status);
}
