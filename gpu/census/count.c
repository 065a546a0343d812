/* The census on GPUs: memory, launches, and what each device does with the roots. */
#include "gpu/census/engine.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "gpu/census/balls.h"
#include "gpu/census/census_device.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"

#include <stdatomic.h>
#include <string.h>

/* Sets that look like more than a second of work on one device. */
#define MANY_SETS 2e10
/* Classes of units for each device, of which it takes some at a time. */
#define CLASSES_A_DEVICE 8u
/* Roots that are left where this part of them is more is no work for a GPU. */
#define MOST_LEFT 0.5

uint32_t ms_gpu_census_words, ms_gpu_census_widest = MS_CENSUS_WIDEST;
uint32_t ms_gpu_census_shared = MS_CENSUS_SHARED_CELLS, ms_gpu_census_merged = MS_CENSUS_MERGED;
uint64_t ms_gpu_census_cache;
double ms_gpu_census_seconds;

/* What a device has, from its first count on. */
typedef struct runner {
  bool is_open;
  uint64_t count;       /* the last one of the context that the device has begun */
  const uint8_t *label; /* of the host, whose copy the device has */
  bool has_numbers;     /* that were not fetched */
  ms_gpu_context gpu;
  ms_gpu_search search;
  ms_census_launch launch;
  const void *kernel; /* of the next launch */
  ms_gpu_grid grid;
  uint8_t *memory;  /* copies of the host's arrays */
  uint8_t *scratch; /* the queue, and what the kernels write */
  uint8_t *labels;  /* labels, and what is counted for them; NULL: not needed yet */
} runner;

/* What one count asks of each device, beside `total` under the lock of the share. */
typedef struct pass {
  uint32_t words;         /* of the kernel */
  const ms_kind_id *kind; /* [n] of the count */
  const uint8_t *label;   /* [n][MS_CENSUS_LABELINGS] NULL: kinds */
  uint32_t label_first;   /* the first of them that is counted */
  const uint32_t *root;   /* [units] NULL: all roots */
  uint64_t units;
} pass;

/* The first member is what the devices share; its lock protects the results. */
typedef struct context {
  ms_gpu_share share;
  ms_pattern_task task;
  ms_census_on on;
  uint32_t *offset; /* [n + 1] */
  uint32_t *step;   /* all steps */
  uint32_t step_at[MS_MAX_CENSUS];
  uint64_t steps, cells;
  uint32_t words;   /* of the first kernel */
  uint8_t *is_left; /* [n] of a pass */
  uint32_t *root;   /* [lefts] */
  uint64_t lefts;
  uint8_t *label; /* [n][MS_CENSUS_LABELS] NULL: not needed yet */
  runner runner[MS_GPU_MOST_DEVICES];
  pass pass;
  uint64_t *total;    /* [cells], or [labelings][cells] */
  uint32_t labelings; /* of the pass */
  uint64_t visits, bytes;
  uint64_t counts; /* that were begun */
  uint64_t sets;   /* of all roots that are not left */
  bool knows_sets;
} context;

/* ---- a device ------------------------------------------------------------------------- */

static ms_status launch_census(void *on, ms_error *err)
{
  runner *r = on;
  return ms_gpu_launch(r->kernel, r->grid, (void *[]){&r->launch}, r->gpu.staging.stream,
                       "searching", err);
}

/* Places what kernels write; with the scratch's address NULL it only adds up the bytes. */
static uint64_t place_scratch(runner *r, const context *c)
{
  ms_gpu_layout layout = {r->scratch, 0};
  uint32_t n = c->on.graph->n;
  r->search.queue = ms_gpu_place(&layout, 1, sizeof *r->search.queue);
  r->launch.queue = r->search.queue;
  r->launch.cell = ms_gpu_place(&layout, c->cells, sizeof *r->launch.cell);
  r->launch.left = ms_gpu_place(&layout, n, 1);
  r->launch.root = ms_gpu_place(&layout, n, sizeof *r->launch.root);
  r->launch.kind = ms_gpu_place(&layout, n, sizeof *r->launch.kind);
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

static ms_status check_room(const runner *r, uint64_t bytes, ms_error *err)
{
  uint64_t room;
  MS_TRY(ms_gpu_room(&r->gpu, bytes, &room, err));
  return room >= bytes
             ? MS_OK
             : ms_fail(err, MS_ERR_MEMORY,
                       "the graph and the tables of a census take %.1f MiB of GPU memory, and "
                       "%.1f MiB are free; " MS_GPU_MORE_MEMORY ", or use the CPU",
                       (double)bytes / (1 << 20), (double)room / (1 << 20));
}

static ms_status open_memory(runner *r, context *c, ms_staging_list *list, ms_error *err)
{
  const ms_census_graph *g = c->on.graph;
  ms_staging_add(list, c->offset, ((uint64_t)g->n + 1) * sizeof *c->offset);
  ms_staging_add(list, g->neighbor, g->offset[g->n] * sizeof *g->neighbor);
  ms_staging_add(list, c->step, c->steps * sizeof *c->step);
  uint64_t bytes = place_scratch(r, c);
  MS_TRY(check_room(r, list->bytes + bytes, err));
  MS_TRY(ms_gpu_alloc(&r->gpu, list->bytes, &r->memory, "copying the graph", err));
  MS_TRY(ms_gpu_alloc(&r->gpu, bytes, &r->scratch, "making room for a census", err));
  pthread_mutex_lock(&c->share.lock);
  c->bytes = list->bytes + bytes > c->bytes ? list->bytes + bytes : c->bytes;
  pthread_mutex_unlock(&c->share.lock);
  place_scratch(r, c);
  r->launch.offset = ms_staging_place(list, r->memory, c->offset);
  r->launch.neighbor = ms_staging_place(list, r->memory, g->neighbor);
  r->launch.step = ms_staging_place(list, r->memory, c->step);
  return ms_staging_upload(&r->gpu.staging, list, r->memory, r->gpu.threads, err);
}

static ms_status open_runner(runner *r, context *c, int device, ms_error *err)
{
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  if (!list)
    return ms_fail_memory(err, "a census on a GPU");
  *r = (runner){.is_open = true};
  r->search.launch = launch_census;
  r->search.on = r;
  r->search.share = &c->share;
  r->search.portion = 1;
  r->launch.k = c->on.k;
  r->launch.kinds = c->on.graph->kinds;
  r->launch.cells = c->cells;
  memcpy(r->launch.step_at, c->step_at, sizeof c->step_at);
  ms_status status = ms_gpu_context_open(&r->gpu, device, c->share.sink.threads, c->on.memory, err);
  if (status == MS_OK)
    status = open_memory(r, c, list, err);
  if (status == MS_OK)
    status = ms_gpu_search_open(&r->search, &r->gpu, false, err);
  ms_free(list);
  return status;
}

static void close_runner(runner *r)
{
  if (!r->is_open)
    return;
  ms_gpu_search_close(&r->search);
  if (r->gpu.staging.stream)
    r->gpu.failed |= cudaSetDevice(r->gpu.device) != cudaSuccess;
  ms_gpu_free(&r->gpu, r->memory);
  ms_gpu_free(&r->gpu, r->scratch);
  ms_gpu_free(&r->gpu, r->labels);
  ms_gpu_context_close(&r->gpu);
  *r = (runner){0};
}

/* ---- a pass --------------------------------------------------------------------------- */

static ms_status clear(runner *r, void *memory, uint64_t bytes, ms_error *err)
{
  return ms_cuda_status(cudaMemsetAsync(memory, 0, bytes, r->gpu.staging.stream),
                        "making room for a census", err);
}

/* Copies one array of the host. */
static ms_status upload(runner *r, const void *from, uint64_t bytes, const void *to, ms_error *err)
{
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  void *writable;
  if (!list)
    return ms_fail_memory(err, "a census on a GPU");
  memcpy(&writable, &to, sizeof to);
  ms_staging_add(list, from, bytes);
  ms_status status = ms_staging_upload(&r->gpu.staging, list, writable, r->gpu.threads, err);
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
    MS_TRY(upload(r, p->kind, n * sizeof *p->kind, r->launch.kind, err));
    return clear(r, r->launch.cell, c->cells * sizeof *r->launch.cell, err);
  }
  if (!r->labels) {
    uint64_t bytes = place_labels(r, c);
    MS_TRY(check_room(r, bytes, err));
    MS_TRY(ms_gpu_alloc(&r->gpu, bytes, &r->labels, "making room for labels", err));
  }
  place_labels(r, c);
  if (r->label != p->label)
    MS_TRY(upload(r, p->label, (uint64_t)n * MS_CENSUS_LABELINGS, r->launch.label, err));
  r->label = p->label;
  if (r->launch.label)
    r->launch.label += p->label_first;
  return clear(r, r->launch.label_cell, c->cells * MS_CENSUS_LABELS * sizeof *r->launch.label_cell,
               err);
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
    l->shared_cells = c->cells <= ms_gpu_census_shared ? (uint32_t)c->cells : 0;
    l->merged = l->kinds <= ms_gpu_census_merged ? l->kinds : 0;
    shared = (l->shared_cells * 4 + 15) / 16 * 16;
  }
  of_warp = p->label ? ms_census_label_bytes(p->words)
                     : ms_census_warp_bytes(p->words, c->on.k, l->merged);
  MS_TRY(ms_gpu_device_facts(r->gpu.device, &facts, err));
  while (warps > 1 && shared + warps * of_warp > facts.shared)
    warps /= 2;
  r->kernel = ms_census_function(p->words, p->label != NULL);
  MS_TRY(ms_gpu_occupancy(r->kernel, warps * MS_GPU_WARP, shared + warps * of_warp, &blocks, err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for a census of this size; use "
                   "the CPU");
  uint64_t most = (p->units + warps - 1) / warps;
  blocks *= (uint32_t)facts.multiprocessors;
  r->grid = (ms_gpu_grid){blocks < most ? blocks : (uint32_t)most, warps * MS_GPU_WARP,
                          shared + warps * of_warp};
  return MS_OK;
}

/* Searches units until none is left. */
static ms_status search_units(runner *r, context *c, ms_error *err)
{
  ms_gpu_share *s = &c->share;
  uint64_t first, end, all = s->devices == 1 ? 1 : s->devices * CLASSES_A_DEVICE;
  r->launch.all = all;
  r->launch.units = c->pass.units;
  while (ms_gpu_share_take(s, all, &first, &end)) {
    r->launch.first = first;
    r->launch.width = end - first;
    r->search.steps = c->pass.units / all * (end - first);
    MS_TRY(ms_stop_check(s->task->stop));
    double begin = ms_seconds();
    MS_TRY(ms_gpu_search_clear(&r->search, false, err));
    MS_TRY(launch_census(r, err));
    MS_TRY(ms_gpu_search_read(&r->search, err));
    MS_TRY(ms_gpu_search_wait(&r->search, true, s->task->stop, err));
    pthread_mutex_lock(&s->lock);
    ms_gpu_census_seconds += ms_seconds() - begin;
    c->visits += r->search.seen->rows;
    pthread_mutex_unlock(&s->lock);
  }
  return MS_OK;
}

/* Copies from the device, and waits. */
static ms_status fetch(runner *r, void *to, const void *from, uint64_t bytes, ms_error *err)
{
  static const char what[] = "copying the numbers of sets";
  ms_staging_note(bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, r->gpu.staging.stream),
              what);
  return ms_cuda_status(cudaStreamSynchronize(r->gpu.staging.stream), what, err);
}

static ms_status fetch_left(runner *r, context *c, ms_error *err)
{
  uint32_t n = c->on.graph->n;
  uint8_t *left = ms_alloc(n, 1);
  ms_status status =
      left ? fetch(r, left, r->launch.left, n, err) : ms_fail_memory(err, "the roots of a census");
  pthread_mutex_lock(&c->share.lock);
  for (uint32_t v = 0; status == MS_OK && v < n; v++)
    c->is_left[v] |= left[v];
  pthread_mutex_unlock(&c->share.lock);
  ms_free(left);
  return status;
}

static ms_status fetch_cells(runner *r, context *c, ms_error *err)
{
  bool overflow = false;
  uint64_t *cell = ms_alloc(c->cells, sizeof *cell);
  ms_status status = cell ? fetch(r, cell, r->launch.cell, c->cells * sizeof *cell, err)
                          : ms_fail_memory(err, "the numbers of a census");
  pthread_mutex_lock(&c->share.lock);
  for (uint64_t i = 0; status == MS_OK && i < c->cells; i++)
    overflow |= __builtin_add_overflow(c->total[i], cell[i], &c->total[i]);
  pthread_mutex_unlock(&c->share.lock);
  ms_free(cell);
  if (overflow)
    return ms_fail(err, MS_ERR_USAGE,
                   "a number of sets is 2^63 or more, which a census does not count; lower `k`");
  return status;
}

static ms_status fetch_label_cells(runner *r, context *c, ms_error *err)
{
  uint64_t cells = c->labelings * c->cells;
  uint32_t *cell = ms_alloc(cells, sizeof *cell);
  ms_status status = cell ? fetch(r, cell, r->launch.label_cell, cells * sizeof *cell, err)
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
  if (!r->is_open)
    MS_TRY(open_runner(r, c, device, err));
  else
    MS_TRY_CUDA(cudaSetDevice(device), "starting the GPU");
  MS_TRY(begin_count(r, c, err));
  MS_TRY(choose_grid(r, c, err));
  MS_TRY(clear(r, r->launch.left, c->on.graph->n, err));
  room = r->launch.root;
  if (p->root)
    MS_TRY(upload(r, p->root, p->units * sizeof *p->root, room, err));
  else
    r->launch.root = NULL;
  ms_status status = search_units(r, c, err);
  r->launch.root = room;
  return status == MS_OK ? fetch_left(r, c, err) : status;
}

static ms_status run_device(ms_gpu_share *share, int device, ms_error *err)
{
  context *c = (context *)share;
  uint32_t i = 0;
  while (share->device[i] != device)
    i++;
  runner *r = &c->runner[i];
  ms_status status = do_pass(r, c, device, err);
  ms_gpu_context_note_status(&r->gpu, status);
  return status;
}

/* ---- a count ----------------------------------------------------------------------------- */

static ms_status run_pass(context *c, uint32_t words, bool first, ms_error *err)
{
  const ms_census_graph *g = c->on.graph;
  c->pass.words = words;
  c->pass.root = first ? NULL : c->root;
  c->pass.units = first ? g->n : c->lefts;
  memset(c->is_left, 0, g->n);
  c->share.begun = false;
  c->share.status = MS_OK;
  c->share.finished = 0;
  if (c->pass.units > 0)
    MS_TRY(ms_gpu_share_run(&c->share, err));
  c->lefts = 0;
  for (uint32_t r = 0; r < g->n; r++)
    if (c->is_left[r])
      c->root[c->lefts++] = r;
  return MS_OK;
}

/* Adds up what the devices have counted. */
static ms_status fetch_numbers(context *c, ms_error *err)
{
  for (uint32_t i = 0; i < c->share.devices; i++) {
    runner *r = &c->runner[i];
    if (!r->has_numbers)
      continue;
    MS_TRY_CUDA(cudaSetDevice(c->share.device[i]), "starting the GPU");
    ms_status status = c->pass.label ? fetch_label_cells(r, c, err) : fetch_cells(r, c, err);
    MS_TRY(ms_gpu_context_note_status(&r->gpu, status));
    r->has_numbers = false;
  }
  return MS_OK;
}

/* Searches all roots, and those that are left with more words, until the widest kernel. */
static ms_status run_count(context *c, ms_error *err)
{
  c->counts++;
  for (uint32_t words = c->words; words <= ms_gpu_census_widest; words *= 2)
    MS_TRY(run_pass(c, words, words == c->words, err));
  return fetch_numbers(c, err);
}

static ms_status count(void *opaque, const ms_kind_id *kind, uint64_t *cell, ms_error *err)
{
  context *c = opaque;
  c->pass = (pass){.kind = kind ? kind : c->on.graph->kind};
  c->total = cell;
  c->visits = 0;
  return run_count(c, err);
}

static uint64_t sum_of(const uint64_t *cell, uint64_t cells)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < cells; i++)
    sum += cell[i];
  return sum;
}

/* Finds the sets of all roots that are not left, which no labelling changes. */
static ms_status count_sets(context *c, ms_error *err)
{
  uint64_t *cell = ms_calloc(c->cells, sizeof *cell);
  if (!cell)
    return ms_fail_memory(err, "the numbers of a census");
  ms_status status = count(c, NULL, cell, err);
  c->sets = sum_of(cell, c->cells);
  c->knows_sets = status == MS_OK;
  ms_free(cell);
  return status;
}

/* Counts one labelling by `count`. */
static ms_status count_one_label(context *c, const uint8_t *label, uint64_t *cell, ms_error *err)
{
  uint32_t n = c->on.graph->n;
  ms_kind_id *kind = ms_alloc(n, sizeof *kind);
  if (!kind)
    return ms_fail_memory(err, "the labels of a census");
  for (uint32_t v = 0; v < n; v++)
    kind[v] = label[(uint64_t)v * MS_CENSUS_LABELINGS];
  memset(cell, 0, c->cells * sizeof *cell);
  ms_status status = count(c, kind, cell, err);
  ms_free(kind);
  return status;
}

/* Counts up to MS_CENSUS_LABELS labellings, from `first` on.  A number has 32 bits while they are
 * counted.  One that had more has lost 2^32 or a multiple of it, and so has the sum of the
 * labelling, which is known: then the labelling is counted again. */
static ms_status count_some_labels(context *c, const uint8_t *label, uint32_t first,
                                   uint32_t labelings, uint64_t *cell, ms_error *err)
{
  c->pass = (pass){.label = label, .label_first = first};
  c->total = cell;
  c->labelings = labelings;
  memset(cell, 0, labelings * c->cells * sizeof *cell);
  MS_TRY(run_count(c, err));
  for (uint32_t i = 0; i < labelings; i++)
    if (sum_of(cell + i * c->cells, c->cells) != c->sets)
      MS_TRY(count_one_label(c, label + first + i, cell + i * c->cells, err));
  return MS_OK;
}

/* True if the numbers of the labellings of a launch fit into the L2 cache.  On an H100, a labelling
 * then took two thirds of the time of a count of its own (k = 5, 23 MB); with 136 MB (k = 6), it
 * took 1.5 times as long. */
static ms_status labels_pay(const context *c, bool *pay, ms_error *err)
{
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(c->share.device[0], &facts, err));
  uint64_t bytes = c->cells * MS_CENSUS_LABELS * sizeof(uint32_t);
  *pay = bytes <= (ms_gpu_census_cache ? ms_gpu_census_cache : facts.l2);
  return MS_OK;
}

static ms_status count_labels(void *opaque, const uint8_t *label, uint32_t labelings,
                              uint64_t *cell, ms_error *err)
{
  context *c = opaque;
  bool pay;
  for (uint32_t i = 0; i < MS_GPU_MOST_DEVICES; i++)
    c->runner[i].label = NULL; /* the caller may have filled the same memory again */
  MS_TRY(labels_pay(c, &pay, err));
  if (pay && !c->knows_sets)
    MS_TRY(count_sets(c, err));
  for (uint32_t i = 0; i < labelings && !pay; i++)
    MS_TRY(count_one_label(c, label + i, cell + i * c->cells, err));
  for (uint32_t first = 0; first < labelings && pay; first += MS_CENSUS_LABELS) {
    uint32_t some = labelings - first < MS_CENSUS_LABELS ? labelings - first : MS_CENSUS_LABELS;
    MS_TRY(count_some_labels(c, label, first, some, cell + first * c->cells, err));
  }
  return MS_OK;
}

/* ---- open and close ------------------------------------------------------------------------ */

static atomic_bool has_none; /* this process has looked for GPUs and found none */

static int devices(void)
{
  int usable = (int)ms_gpu_usable(NULL);
  if (usable == 0)
    atomic_store(&has_none, true);
  return usable;
}

static bool may_have_devices(void)
{
  return !atomic_load(&has_none);
}

static ms_status choose_devices(context *c, ms_error *err)
{
  uint32_t usable = ms_gpu_usable(c->share.device);
  if (usable == 0)
    return ms_gpu_fail_none("the CPU", err);
  c->share.devices = c->on.sets < MANY_SETS ? 1 : usable;
  if (c->on.devices == 0)
    return MS_OK;
  MS_TRY(ms_gpu_check_named(c->on.device, c->on.devices, err));
  memcpy(c->share.device, c->on.device, c->on.devices * sizeof *c->on.device);
  c->share.devices = c->on.devices;
  return MS_OK;
}

/* Chooses the words of the first kernel: so many that half of the roots fit. */
static ms_status choose_words(context *c, ms_error *err)
{
  ms_ball_sizes sizes = ms_ball_sizes_sample(c->on.graph, c->on.k);
  double left = sizes.above[2];
  if (!ms_gpu_census_words && left > MOST_LEFT)
    return ms_fail(err, MS_ERR_USAGE,
                   "%.0f of 100 vertices have more than %u vertices within %u edges, which the GPU "
                   "does not search; use the CPU, or lower `k`",
                   100 * left, 64 * MS_CENSUS_WIDEST, c->on.k - 1);
  c->words = sizes.above[0] <= 0.5 ? 1 : sizes.above[1] <= 0.5 ? 2 : 4;
  c->words = ms_gpu_census_words ? ms_gpu_census_words : c->words;
  return MS_OK;
}

static ms_status make_arrays(context *c, ms_error *err)
{
  const ms_census_graph *g = c->on.graph;
  const ms_dense *d = c->on.dense;
  if (g->offset[g->n] > UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "the graph has 2^31 edges or more, which the GPU does not search; use the CPU");
  for (uint32_t size = 1; size + 1 < c->on.k; size++) {
    c->step_at[size] = (uint32_t)c->steps;
    c->steps += ms_multisets_count(g->kinds, size) * g->kinds;
  }
  c->cells = d->rows * g->kinds;
  if (c->steps > UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have too many colours for the GPU; use the CPU");
  c->offset = ms_alloc((size_t)g->n + 1, sizeof *c->offset);
  c->step = ms_alloc(c->steps, sizeof *c->step);
  c->is_left = ms_alloc(g->n, 1);
  c->root = ms_alloc(g->n, sizeof *c->root);
  if (!c->offset || !c->step || !c->is_left || !c->root)
    return ms_fail_memory(err, "a census on a GPU");
  for (uint32_t r = 0; r <= g->n; r++)
    c->offset[r] = (uint32_t)g->offset[r];
  for (uint32_t size = 1; size + 1 < c->on.k; size++)
    memcpy(c->step + c->step_at[size], d->step[size],
           ms_multisets_count(g->kinds, size) * g->kinds * sizeof *c->step);
  return MS_OK;
}

static void close_context(void *opaque)
{
  context *c = opaque;
  if (!c)
    return;
  for (uint32_t i = 0; i < MS_GPU_MOST_DEVICES; i++)
    close_runner(&c->runner[i]);
  ms_free(c->offset);
  ms_free(c->step);
  ms_free(c->is_left);
  ms_free(c->root);
  pthread_mutex_destroy(&c->share.lock);
  ms_free(c);
}

static ms_status open_context(const ms_census_on *on, void **out, ms_error *err)
{
  *out = NULL;
  context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a census on a GPU");
  c->on = *on;
  c->task = (ms_pattern_task){.threads = on->threads,
                              .gpu_memory = on->memory,
                              .stop = on->stop,
                              .progress = on->progress,
                              .progress_user = on->progress_user};
  c->share.task = &c->task;
  c->share.work = run_device;
  c->share.roots = on->graph->n;
  pthread_mutex_init(&c->share.lock, NULL);
  ms_status status = choose_words(c, err);
  if (status == MS_OK)
    status = choose_devices(c, err);
  if (status == MS_OK)
    status = make_arrays(c, err);
  if (status == MS_OK)
    *out = c;
  else
    close_context(c);
  return status;
}

static const uint32_t *left(const void *opaque, uint64_t *lefts)
{
  const context *c = opaque;
  *lefts = c->lefts;
  return c->root;
}

static uint64_t visits(const void *opaque)
{
  return ((const context *)opaque)->visits;
}

static uint32_t used(const void *opaque)
{
  return ((const context *)opaque)->share.devices;
}

static uint64_t bytes_used(const void *opaque)
{
  return ((const context *)opaque)->bytes;
}

const ms_census_accelerator ms_census_gpus = {.devices = devices,
                                              .may_have_devices = may_have_devices,
                                              .is_started = ms_gpu_is_started,
                                              .open = open_context,
                                              .count = count,
                                              .count_labels = count_labels,
                                              .left = left,
                                              .visits = visits,
                                              .used = used,
                                              .bytes = bytes_used,
                                              .close = close_context};
