/* The engine for colour motifs, and its counts: memory, launches, and what each device does with
 * its units. */
#include "gpu/motif/engine.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/numbers.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"
#include "gpu/common/search.h"
#include "gpu/motif/list.h"
#include "gpu/motif/region.h"
#include "motif/count/count.h"

#include <stdatomic.h>
#include <string.h>

/* Words that look like more than a second of work on one device. */
#define MANY_WORDS 2e12
/* Classes of units for each device, of which it takes some at a time. */
#define CLASSES_A_DEVICE 8u

typedef struct context {
  const ms_instance *instance;
  int threads;
  ms_ranked *ranked;
} context;

/* One counting.  The first member is what the devices share; its lock protects the results. */
typedef struct counting {
  ms_gpu_share share;
  const ms_motif_work *work;
  const uint32_t *root; /* [units] in lists */
  uint64_t units;
  uint32_t hash;    /* in lists */
  bool takes;       /* the kernel fills `taking` */
  uint8_t *left;    /* [n] roots that are left, in lists */
  uint64_t *taking; /* [n] by rank, or NULL */
  uint64_t visits;
} counting;

/* What a device has. */
typedef struct runner {
  ms_gpu_context gpu;
  ms_gpu_search search;
  ms_motif_launch launch;
  ms_gpu_grid grid;
  const void *kernel;
  uint8_t *memory;  /* copies of the host's arrays */
  uint8_t *scratch; /* the queue, and what only the device uses */
} runner;

/* ---- a device ---------------------------------------------------------------------- */

static ms_status launch_sets(void *on, ms_error *err)
{
  runner *r = on;
  return ms_gpu_launch(r->kernel, r->grid, (void *[]){&r->launch}, r->gpu.staging.stream,
                       "searching", err);
}

/* Places the queue and what only the device uses in the scratch; with its address NULL it only
 * adds up the bytes. */
static uint64_t place_scratch(runner *r, const counting *c)
{
  const ms_motif_work *w = c->work;
  ms_gpu_layout layout = {r->scratch, 0};
  uint64_t warps = (uint64_t)r->grid.blocks * (r->grid.threads / MS_GPU_WARP);
  r->search.queue = ms_gpu_place(&layout, 1, sizeof *r->search.queue);
  r->launch.queue = r->search.queue;
  if (w->in_rows)
    r->launch.space =
        ms_gpu_place(&layout, warps * w->ranked->size * 2 * w->stride, sizeof *r->launch.space);
  if (c->takes)
    r->launch.taking = ms_gpu_place(&layout, w->ranked->n, sizeof *r->launch.taking);
  return layout.bytes;
}

static ms_status check_room(const runner *r, uint64_t bytes, ms_error *err)
{
  uint64_t room;
  MS_TRY(ms_gpu_room(&r->gpu, bytes, &room, err));
  return room >= bytes ? MS_OK
                       : ms_fail(err, MS_ERR_MEMORY,
                                 "the region takes %.1f KiB of GPU memory, and %.1f KiB are "
                                 "free; " MS_GPU_MORE_MEMORY ", or use the CPU",
                                 (double)bytes / 1024, (double)room / 1024);
}

static ms_status open_runner(runner *r, const counting *c, int device, ms_error *err)
{
  const ms_pattern_task *task = c->share.task;
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  if (!list)
    return ms_fail_memory(err, "a search on a GPU");
  r->search.launch = launch_sets;
  r->search.on = r;
  const ms_motif_units units = {c->units, c->root, c->left, c->hash};
  ms_motif_region_list(c->work, &units, list);
  ms_status status =
      ms_gpu_context_open(&r->gpu, device, c->share.sink.threads, task->gpu_memory, err);
  r->kernel = ms_motif_function(c->work->width, c->takes);
  if (status == MS_OK)
    status = ms_motif_region_grid(r->kernel, device, &units, &r->grid, err);
  uint64_t bytes = status == MS_OK ? place_scratch(r, c) : 0;
  if (status == MS_OK)
    status = check_room(r, bytes + list->bytes, err);
  if (status == MS_OK)
    status = ms_gpu_alloc(&r->gpu, list->bytes, &r->memory, "copying the region", err);
  if (status == MS_OK)
    status = ms_gpu_alloc(&r->gpu, bytes, &r->scratch, "making room for sets", err);
  if (status == MS_OK) {
    place_scratch(r, c);
    ms_motif_region_place(c->work, &units, list, r->memory, &r->launch);
    if (c->taking) /* both searches of run_lists have to leave the same roots */
      r->launch.longest = 0;
    status = ms_staging_upload(&r->gpu.staging, list, r->memory, r->gpu.threads, err);
  }
  if (status == MS_OK && c->takes)
    status = ms_cuda_status(cudaMemsetAsync(r->launch.taking, 0,
                                            c->work->ranked->n * sizeof *r->launch.taking,
                                            r->gpu.staging.stream),
                            "making room for sets", err);
  if (status == MS_OK)
    status = ms_gpu_search_open(&r->search, &r->gpu, false, err);
  ms_free(list);
  return status;
}

static void close_runner(runner *r)
{
  ms_gpu_search_close(&r->search);
  ms_gpu_free(&r->gpu, r->memory);
  ms_gpu_free(&r->gpu, r->scratch);
  ms_gpu_context_close(&r->gpu);
}

/* Copies from the device, and waits. */
static ms_status fetch(runner *r, void *to, const void *from, uint64_t bytes, ms_error *err)
{
  static const char what[] = "copying the number of matches";
  ms_staging_note(bytes);
  MS_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, r->gpu.staging.stream),
              what);
  return ms_cuda_status(cudaStreamSynchronize(r->gpu.staging.stream), what, err);
}

/* Adds the matches of each rank, and the roots that are left. */
static ms_status fetch_results(runner *r, counting *c, ms_error *err)
{
  uint32_t n = c->work->ranked->n;
  uint64_t *taking = c->takes ? ms_alloc(n, sizeof *taking) : NULL;
  uint8_t *left = c->work->in_rows ? NULL : ms_alloc(n, 1);
  ms_status status = MS_OK;
  if ((c->takes && !taking) || (!c->work->in_rows && !left))
    status = ms_fail_memory(err, "the matches of each vertex");
  if (status == MS_OK && taking)
    status = fetch(r, taking, r->launch.taking, n * sizeof *taking, err);
  if (status == MS_OK && taking)
    status = ms_gpu_check_copy(&r->gpu, c->share.task->integrity, r->launch.taking, taking,
                               n * sizeof *taking, err);
  if (status == MS_OK && left)
    status = fetch(r, left, r->launch.left, n, err);
  pthread_mutex_lock(&c->share.lock);
  for (uint32_t v = 0; status == MS_OK && v < n; v++) {
    if (taking)
      c->taking[v] += taking[v];
    if (left)
      c->left[v] |= left[v];
  }
  pthread_mutex_unlock(&c->share.lock);
  ms_free(taking);
  ms_free(left);
  return status;
}

/* Searches units until none is left. */
static ms_status search_units(runner *r, counting *c, ms_error *err)
{
  ms_gpu_share *s = &c->share;
  uint64_t first, end, all = s->devices == 1 ? 1 : s->devices * CLASSES_A_DEVICE;
  ms_status status = MS_OK;
  r->launch.all = all;
  while (status == MS_OK && ms_gpu_share_take(s, all, &first, &end)) {
    r->launch.first = first;
    r->launch.width = end - first;
    MS_TRY(ms_stop_check(s->task->stop));
    double begin = ms_seconds();
    status = ms_gpu_search_count(&r->search, s, err);
    if (status == MS_OK || ms_gpu_is_stop(status)) {
      pthread_mutex_lock(&s->lock);
      ms_hooks.gpu_motif_seconds += ms_seconds() - begin;
      c->visits += r->search.seen->rows;
      pthread_mutex_unlock(&s->lock);
    }
  }
  return status;
}

static ms_status run_device(ms_gpu_share *share, int device, ms_error *err)
{
  counting *c = (counting *)share;
  runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status = open_runner(r, c, device, err);
  if (status == MS_OK) {
    status = search_units(r, c, err);
    if (status == MS_OK || ms_gpu_is_stop(status)) {
      ms_status fetched = fetch_results(r, c, err);
      status = fetched == MS_OK ? status : fetched;
    }
  }
  ms_gpu_context_note_status(&r->gpu, status);
  close_runner(r);
  ms_free(r);
  return status;
}

/* ---- a counting ----------------------------------------------------------------------- */

/* Chooses the devices that the sink names, or one, or all for what looks like seconds of work. */
static ms_status choose_devices(counting *c, const ms_count_sink *sink, ms_error *err)
{
  uint32_t usable = ms_gpu_usable(c->share.device);
  if (usable == 0)
    return ms_gpu_fail_none("the CPU", err);
  c->share.devices = c->work->words < MANY_WORDS ? 1 : usable;
  if (sink->devices == 0)
    return MS_OK;
  MS_TRY(ms_gpu_check_named(sink->device, sink->devices, err));
  memcpy(c->share.device, sink->device, sink->devices * sizeof *sink->device);
  c->share.devices = sink->devices;
  return MS_OK;
}

/* Runs all units on the devices once; `sum` receives the matches, or nothing if it is NULL. */
static ms_status run_once(counting *c, uint32_t hash, bool takes, mpz_t sum, ms_error *err)
{
  mpz_t own;
  mpz_init(own);
  c->hash = hash;
  c->takes = takes;
  c->share.begun = false;
  c->share.sum = own;
  c->share.status = MS_OK;
  c->share.finished = 0;
  ms_status status = c->units > 0 ? ms_gpu_share_run(&c->share, err) : MS_OK;
  if (sum && (status == MS_OK || ms_gpu_is_stop(status)))
    mpz_add(sum, sum, own);
  mpz_clear(own);
  return status;
}

/* Searches the roots in lists.  With the matches of each rank, a search before that finds the roots
 * that are left, whose matches must not be noted. */
static ms_status run_lists(counting *c, uint32_t hash, mpz_t sum, ms_error *err)
{
  MS_TRY(run_once(c, hash, false, sum, err));
  return c->taking ? run_once(c, hash, true, NULL, err) : MS_OK;
}

/* Counts what is left on the CPU. */
static ms_status count_left(const context *ctx, const counting *c, ms_count_sink *sink,
                            const ms_stop *stop, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  void *opened = NULL;
  ms_status status = MS_OK;
  for (uint64_t i = 0, end; status == MS_OK && i < c->units; i = end) {
    end = ms_motif_range_end(c->root, c->units, i);
    if (!opened)
      status = cpu->open(ctx->instance, ctx->threads, &opened, err);
    if (status == MS_OK)
      status = cpu->count(opened, c->root[i], (uint64_t)c->root[end - 1] + 1, sink, stop, err);
  }
  cpu->close(opened);
  return status;
}

/* Counts what a share has of cut roots on the CPU. */
static ms_status count_cut(const context *ctx, uint64_t first, uint64_t last, ms_count_sink *sink,
                           const ms_stop *stop, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  void *opened = NULL;
  sink->only_cut = true;
  ms_status status = cpu->open(ctx->instance, ctx->threads, &opened, err);
  if (status == MS_OK)
    status = cpu->count(opened, first, last, sink, stop, err);
  cpu->close(opened);
  sink->only_cut = false;
  return status;
}

/* Adds the results of the devices to the sink. */
static void add_results(const counting *c, const mpz_t sum, ms_count_sink *sink)
{
  uint64_t part[2] = {0, 0};
  size_t parts = 0;
  if (mpz_sizeinbase(sum, 2) <= 128)
    mpz_export(part, &parts, -1, sizeof *part, 0, 0, sum);
  sink->low += part[0];
  sink->high += part[1] + (sink->low < part[0]);
  sink->visits += c->visits;
  for (uint32_t r = 0; c->taking && r < c->work->ranked->n; r++)
    sink->taking[c->work->ranked->vertex[r]] += c->taking[r];
}

static ms_status count_work(const context *ctx, counting *c, ms_count_sink *sink,
                            const ms_stop *stop, ms_error *err)
{
  const ms_motif_work *w = c->work;
  uint32_t *root = w->in_rows ? NULL : ms_alloc(w->units, sizeof *root);
  mpz_t sum;
  if (!w->in_rows && !root)
    return ms_fail_memory(err, "the roots of a counting");
  c->root = w->root;
  c->left = w->left;
  c->units = w->units;
  mpz_init(sum);
  ms_status status = w->in_rows ? run_once(c, 0, sink->taking != NULL, sum, err)
                                : run_lists(c, ms_motif_work_hash(w, 0), sum, err);
  if (status == MS_OK && !w->in_rows) {
    c->root = root;
    c->units = ms_motif_collect_left(c->left, w->ranked->n, root);
    status = run_lists(c, ms_motif_work_hash(w, 1), sum, err);
  }
  if (status == MS_OK || ms_gpu_is_stop(status))
    add_results(c, sum, sink);
  if (status == MS_OK && !w->in_rows) {
    c->units = ms_motif_collect_left(c->left, w->ranked->n, root);
    status = count_left(ctx, c, sink, stop, err);
  }
  mpz_clear(sum);
  ms_free(root);
  return status;
}

/* Counts into a sink of its own, so that a failure leaves nothing behind. */
static ms_status count_on_gpus(const context *ctx, uint64_t first, uint64_t last,
                               ms_count_sink *sink, const ms_stop *stop, ms_error *err)
{
  const ms_pattern_task task = {.threads = ctx->threads,
                                .gpu_memory = sink->gpu_memory,
                                .stop = stop,
                                .integrity = sink->integrity};
  ms_motif_work work;
  counting c = {.share = {.task = &task, .work = run_device, .lock = PTHREAD_MUTEX_INITIALIZER},
                .work = &work};
  ms_count_sink own = *sink;
  own.low = own.high = own.visits = 0;
  own.taking = NULL;
  if (sink->share)
    MS_TRY(ms_number_ranks(ctx->ranked, err));
  ms_status status =
      ms_motif_work_make(&work, ctx->ranked, first, last, false, sink->share, sink->budget, err);
  if (status == MS_OK)
    status = choose_devices(&c, sink, err);
  if (status == MS_OK && sink->taking) {
    c.taking = ms_calloc(ctx->ranked->n, sizeof *c.taking);
    own.taking = ms_calloc(ctx->instance->n, sizeof *own.taking);
    if (!c.taking || !own.taking)
      status = ms_fail_memory(err, "the matches of each vertex");
  }
  ms_numbers_begin();
  if (status == MS_OK && work.units > 0)
    status = count_work(ctx, &c, &own, stop, err);
  if (status == MS_OK && sink->share && !work.in_rows && work.share.cut_degree < UINT32_MAX)
    status = count_cut(ctx, first, last, &own, stop, err);
  ms_numbers_end();
  if (status == MS_OK || (ms_gpu_is_stop(status) && (own.taking || !sink->taking)))
    ms_count_merge(sink, &own, ctx->instance->n);
  ms_free(c.taking);
  ms_free(own.taking);
  ms_motif_work_free(&work);
  return status;
}

/* ---- the engine ------------------------------------------------------------------------- */

static atomic_bool has_none; /* this process has looked for GPUs and found none */

static int devices(void)
{
  int usable = (int)ms_gpu_usable(NULL);
  if (usable == 0)
    atomic_store(&has_none, true);
  return usable;
}

/* To ask the driver for its version already takes some 0.1 s. */
static bool may_have_devices(void)
{
  return !atomic_load(&has_none);
}

static void close_context(void *opaque)
{
  context *ctx = opaque;
  if (ctx)
    ms_ranked_free(ctx->ranked);
  ms_free(ctx);
}

static ms_status open_context(const ms_instance *instance, int threads, void **out, ms_error *err)
{
  *out = NULL;
  if (devices() == 0)
    return ms_gpu_fail_none("the CPU", err);
  context *ctx = ms_calloc(1, sizeof *ctx);
  if (!ctx)
    return ms_fail_memory(err, "the listing");
  ctx->instance = instance;
  ctx->threads = threads > 0 ? threads : 1;
  ms_status status = ms_ranked_new(instance, &ctx->ranked, err);
  if (status == MS_OK)
    *out = ctx;
  else
    close_context(ctx);
  return status;
}

static uint64_t units(const void *opaque)
{
  const context *ctx = opaque;
  return ctx->ranked->roots;
}

/* Counts on the CPU: with fewer than three vertices, there is nothing to search. */
static ms_status count_small(const context *ctx, uint64_t first, uint64_t last, ms_count_sink *sink,
                             const ms_stop *stop, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  void *opened = NULL;
  MS_TRY(cpu->open(ctx->instance, ctx->threads, &opened, err));
  ms_status status = cpu->count(opened, first, last, sink, stop, err);
  cpu->close(opened);
  return status;
}

static ms_status count(void *opaque, uint64_t first, uint64_t last, ms_count_sink *sink,
                       const ms_stop *stop, ms_error *err)
{
  const context *ctx = opaque;
  last = last < units(ctx) ? last : units(ctx);
  if (first >= last)
    return MS_OK;
  MS_TRY(ms_stop_check(stop));
  return ctx->ranked->size < 3 ? count_small(ctx, first, last, sink, stop, err)
                               : count_on_gpus(ctx, first, last, sink, stop, err);
}

/* Lists on the CPU: with fewer than three vertices, there is nothing to search. */
static ms_status run_small(const context *ctx, uint64_t first, uint64_t last,
                           const ms_match_sink *sink, const ms_stop *stop, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  void *opened = NULL;
  MS_TRY(cpu->open(ctx->instance, ctx->threads, &opened, err));
  ms_status status = cpu->run(opened, first, last, sink, stop, err);
  cpu->close(opened);
  return status;
}

static ms_status run(void *opaque, uint64_t first, uint64_t last, const ms_match_sink *sink,
                     const ms_stop *stop, ms_error *err)
{
  const context *ctx = opaque;
  const ms_motif_lister lister = {ctx->instance, ctx->ranked, ctx->threads};
  last = last < units(ctx) ? last : units(ctx);
  if (sink->sums)
    return ms_fail(err, MS_ERR_USAGE,
                   "GPUs do not search in the order of the scores of vertices; use the CPU");
  if (sink->share)
    return ms_fail(err, MS_ERR_USAGE, "GPUs list no shares of the matches; use the CPU");
  if (first >= last)
    return MS_OK;
  MS_TRY(ms_stop_check(stop));
  return ctx->ranked->size < 3 ? run_small(ctx, first, last, sink, stop, err)
                               : ms_motif_list(&lister, first, last, sink, stop, err);
}

const ms_engine ms_engine_gpu_sets = {.name = "gpu",
                                      .devices = devices,
                                      .may_have_devices = may_have_devices,
                                      .open = open_context,
                                      .units = units,
                                      .run = run,
                                      .count = count,
                                      .close = close_context};
