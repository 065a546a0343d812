/* Listing on a GPU: two launches for each batch of units, and the way of the records to the host.
 *
 *   units -> kernel: entries of each unit -> tasks -> kernel: records in one of two outputs
 *         -> pinned buffers -> threads of the host: matches
 *
 * The first kernel only counts, which takes a small part of the time of writing.  With it, the
 * place of each record is known beforehand: no search has to be suspended at the end of an output,
 * and the order of the matches is the same in each run.  While a kernel fills one output, the other
 * one is copied, a buffer at a time; one buffer is copied while the one before is read. */
#include "gpu/motif/list.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"
#include "gpu/common/search.h"
#include "gpu/motif/engine.h"
#include "gpu/motif/expand.h"
#include "gpu/motif/region.h"

#include <string.h>

/* The first buffer of the staging: the queue, the entries of the units of a batch, and the tasks of
 * two outputs. */
#define QUEUE_BYTES ((uint64_t)4096)
#define MOST_BATCH ((uint64_t)1 << 18)
#define ENTRIES_BYTES (MOST_BATCH * sizeof(uint64_t))
#define MOST_TASKS ((uint64_t)32000)
/* Each batch has so many times the units of the one before. */
#define LARGER_BATCH 4u
/* Most pieces of a task, and most units: with more, a warp would hold up the others. */
#define TASK_PIECES 64u
#define TASK_UNITS 64u

_Static_assert(QUEUE_BYTES + ENTRIES_BYTES + 2 * MOST_TASKS * sizeof(ms_motif_task) <=
                   MS_STAGING_BYTES,
               "the first buffer is too small");

/* One of the two outputs. */
typedef struct output {
  uint8_t *at;          /* on the device */
  ms_motif_task *task;  /* [MOST_TASKS] pinned */
  ms_motif_task *there; /* on the device */
  uint64_t *length;     /* [tasks] entries of each */
  uint64_t tasks;
} output;

typedef struct lister {
  const ms_motif_lister *of;
  const ms_motif_work *work;
  const ms_match_sink *sink;
  const ms_stop *stop;
  int device;
  ms_motif_units units;
  ms_gpu_context gpu;
  ms_gpu_search search;
  ms_motif_launch launch;
  ms_gpu_grid grid;
  const void *kernel;
  uint8_t *memory, *scratch;
  uint64_t entry_bytes, room; /* room: entries of an output */
  output output[2];
  ms_motif_expansion expansion;
  /* the batch: units first..first+count-1, those before `unit` and the entries of this one before
   * `from` have been handed out */
  uint64_t first, count, unit, from;
  const uint64_t *entries; /* [count] pinned */
} lister;

/* ---- the device --------------------------------------------------------------------- */

static ms_status launch_kernel(void *on, ms_error *err)
{
  lister *r = on;
  return ms_gpu_launch(r->kernel, r->grid, (void *[]){&r->launch}, r->gpu.staging.stream,
                       "searching", err);
}

/* Places what only the device uses; with its address NULL it only adds up the bytes. */
static uint64_t place_scratch(lister *r)
{
  const ms_motif_work *w = r->work;
  ms_gpu_layout layout = {r->scratch, 0};
  uint64_t warps = (uint64_t)r->grid.blocks * (r->grid.threads / MS_GPU_WARP);
  r->search.queue = ms_gpu_place(&layout, 1, sizeof *r->search.queue);
  r->launch.queue = r->search.queue;
  r->launch.entries = ms_gpu_place(&layout, MOST_BATCH, sizeof *r->launch.entries);
  if (w->in_rows)
    r->launch.space =
        ms_gpu_place(&layout, warps * w->ranked->size * 2 * w->stride, sizeof *r->launch.space);
  for (uint32_t i = 0; i < 2; i++) {
    r->output[i].there = ms_gpu_place(&layout, MOST_TASKS, sizeof(ms_motif_task));
    r->output[i].at = ms_gpu_place(&layout, r->room, r->entry_bytes);
  }
  return layout.bytes;
}

/* Finds the room of the outputs: what is wished for, or what is left, but a piece at least. */
static ms_status find_room(lister *r, uint64_t bytes, ms_error *err)
{
  uint64_t piece = ms_hooks.gpu_list_piece, wished = ms_hooks.gpu_list_output / r->entry_bytes,
           room;
  r->room = 0;
  bytes += place_scratch(r) + 4 * MS_GPU_ALIGN;
  MS_TRY(ms_gpu_room(&r->gpu, bytes + 2 * wished * r->entry_bytes, &room, err));
  uint64_t most = room > bytes ? (room - bytes) / (2 * r->entry_bytes) : 0;
  r->room = wished < most ? wished : most;
  if (r->room < piece && most >= piece)
    r->room = piece;
  return r->room >= piece
             ? MS_OK
             : ms_fail(err, MS_ERR_MEMORY,
                       "the region takes more than %.1f KiB of GPU memory, and %.1f KiB are "
                       "free; " MS_GPU_MORE_MEMORY ", or use the CPU",
                       (double)bytes / 1024, (double)room / 1024);
}

/* Divides the first buffer of the staging. */
static void place_pinned(lister *r)
{
  uint8_t *at = r->gpu.staging.buffer[0] + QUEUE_BYTES;
  r->entries = (const uint64_t *)(const void *)at;
  at += ENTRIES_BYTES;
  for (uint32_t i = 0; i < 2; i++, at += MOST_TASKS * sizeof(ms_motif_task))
    r->output[i].task = (ms_motif_task *)(void *)at;
}

static ms_status allocate(lister *r, const ms_staging_list *list, ms_error *err)
{
  ms_motif_units many = r->units;
  many.units = UINT32_MAX; /* there may be more tasks than units */
  r->kernel = ms_motif_list_function(r->work->width);
  MS_TRY(ms_motif_region_grid(r->kernel, r->device, &many, &r->grid, err));
  MS_TRY(find_room(r, list->bytes, err));
  MS_TRY(ms_gpu_alloc(&r->gpu, list->bytes, &r->memory, "copying the region", err));
  MS_TRY(ms_gpu_alloc(&r->gpu, place_scratch(r), &r->scratch, "making room for matches", err));
  /* the places behind the last record of a piece are copied to the host, too */
  MS_TRY_CUDA(cudaMemsetAsync(r->scratch, 0, place_scratch(r), r->gpu.staging.stream),
              "making room for matches");
  ms_motif_region_place(r->work, &r->units, list, r->memory, &r->launch);
  r->launch.piece = ms_hooks.gpu_list_piece;
  r->launch.together =
      ms_hooks.gpu_list_together < MS_SETS_TOGETHER ? ms_hooks.gpu_list_together : MS_SETS_TOGETHER;
  MS_TRY(ms_staging_upload(&r->gpu.staging, list, r->memory, r->gpu.threads, err));
  for (uint32_t i = 0; i < 2; i++) {
    r->output[i].length = ms_alloc(MOST_TASKS, sizeof *r->output[i].length);
    if (!r->output[i].length)
      return ms_fail_memory(err, "the matches of a GPU");
  }
  r->expansion = (ms_motif_expansion){.ranked = r->of->ranked,
                                      .sink = r->sink,
                                      .threads = r->of->threads,
                                      .piece = r->launch.piece,
                                      .wide = !r->work->in_rows};
  MS_TRY(ms_motif_expansion_open(&r->expansion, MOST_TASKS,
                                 MS_STAGING_BYTES / r->entry_bytes / r->launch.piece, err));
  MS_TRY(ms_gpu_search_open(&r->search, &r->gpu, true, err));
  place_pinned(r);
  return ms_cuda_status(cudaStreamCreateWithFlags(&r->search.side_stream, cudaStreamNonBlocking),
                        "making a stream", err);
}

static ms_status open_device(lister *r, ms_error *err)
{
  ms_staging_list *list = ms_calloc(1, sizeof *list);
  if (!list)
    return ms_fail_memory(err, "a search on a GPU");
  r->search.launch = launch_kernel;
  r->search.on = r;
  r->entry_bytes = r->work->in_rows ? sizeof(uint16_t) : sizeof(uint32_t);
  ms_motif_region_list(r->work, &r->units, list);
  ms_status status =
      ms_gpu_context_open(&r->gpu, r->device, r->of->threads, r->sink->gpu_memory, err);
  if (status == MS_OK)
    status = allocate(r, list, err);
  ms_free(list);
  return status;
}

static void close_device(lister *r)
{
  ms_gpu_search_close(&r->search);
  ms_motif_expansion_close(&r->expansion);
  for (uint32_t i = 0; i < 2; i++)
    ms_free(r->output[i].length);
  ms_gpu_free(&r->gpu, r->memory);
  ms_gpu_free(&r->gpu, r->scratch);
  ms_gpu_context_close(&r->gpu);
}

/* ---- a batch ------------------------------------------------------------------------ */

/* Finds the entries of the next units. */
static ms_status begin_batch(lister *r, ms_error *err)
{
  static const char what[] = "copying the numbers of matches";
  uint64_t next = r->first + r->count, left = r->units.units - next;
  uint64_t count = r->count > 0 ? LARGER_BATCH * r->count : ms_hooks.gpu_list_batch;
  count = count < MOST_BATCH ? count : MOST_BATCH;
  r->first = next;
  r->count = count < left ? count : left;
  r->unit = r->from = 0;
  r->launch.task = NULL;
  r->launch.first = r->first;
  r->launch.width = r->count;
  r->launch.all = r->launch.units = r->units.units;
  MS_TRY(ms_gpu_search_clear(&r->search, false, err));
  MS_TRY(launch_kernel(r, err));
  MS_TRY(ms_gpu_search_read(&r->search, err));
  ms_staging_note(r->count * sizeof *r->entries);
  MS_TRY_CUDA(cudaMemcpyAsync(r->gpu.staging.buffer[0] + QUEUE_BYTES, r->launch.entries,
                              r->count * sizeof *r->entries, cudaMemcpyDeviceToHost,
                              r->gpu.staging.stream),
              what);
  MS_TRY(ms_gpu_search_wait(&r->search, true, r->stop, err));
  if (r->sink->visits)
    atomic_fetch_add(r->sink->visits, r->search.seen->rows);
  return MS_OK;
}

/* ---- tasks -------------------------------------------------------------------------- */

/* Makes a task of the next units, whose entries together are at most a piece.  Returns its entries,
 * or 0 if there is no room. */
static uint64_t take_units(lister *r, uint64_t room, ms_motif_task *task)
{
  uint64_t begin = r->unit, sum = 0, most = r->launch.piece < room ? r->launch.piece : room;
  while (r->unit < r->count && r->unit - begin < TASK_UNITS && sum + r->entries[r->unit] <= most)
    sum += r->entries[r->unit++];
  task->unit = (uint32_t)(r->first + begin);
  task->units = (uint32_t)(r->unit - begin);
  task->first = 0;
  task->last = UINT64_MAX;
  return sum;
}

/* Makes a task of pieces of the unit.  Returns its entries, or 0 if there is no room. */
static uint64_t take_pieces(lister *r, uint64_t room, ms_motif_task *task)
{
  uint64_t piece = r->launch.piece, left = r->entries[r->unit] - r->from;
  uint64_t buffer = MS_STAGING_BYTES / r->entry_bytes, most = TASK_PIECES * piece;
  most = most < buffer ? most : buffer;
  most = most < room ? most : room;
  uint64_t some = left <= most ? left : most / piece * piece;
  task->unit = (uint32_t)(r->first + r->unit);
  task->units = 1;
  task->first = r->from;
  task->last = r->from + some;
  r->from += some;
  if (r->from == r->entries[r->unit]) {
    r->unit++;
    r->from = 0;
  }
  return some;
}

/* Hands out what fits into an output. */
static void make_tasks(lister *r, output *o)
{
  uint64_t used = 0, some;
  o->tasks = 0;
  while (o->tasks < MOST_TASKS) {
    while (r->unit < r->count && r->entries[r->unit] == 0)
      r->unit++;
    if (r->unit == r->count)
      return;
    ms_motif_task *task = &o->task[o->tasks];
    task->to = used;
    some = r->entries[r->unit] <= r->launch.piece ? take_units(r, r->room - used, task)
                                                  : take_pieces(r, r->room - used, task);
    if (some == 0)
      return;
    o->length[o->tasks++] = some;
    used += some;
  }
}

/* Begins to write the records of an output's tasks. */
static ms_status start_writing(lister *r, output *o, ms_error *err)
{
  uint64_t bytes = o->tasks * sizeof *o->task;
  ms_staging_note(bytes);
  MS_TRY_CUDA(
      cudaMemcpyAsync(o->there, o->task, bytes, cudaMemcpyHostToDevice, r->gpu.staging.stream),
      "searching");
  r->launch.task = o->there;
  r->launch.output = o->at;
  r->launch.first = 0;
  r->launch.all = r->launch.units = r->launch.width = o->tasks;
  MS_TRY(ms_gpu_search_clear(&r->search, false, err));
  MS_TRY(launch_kernel(r, err));
  return ms_gpu_search_read(&r->search, err);
}

/* ---- matches ------------------------------------------------------------------------ */

/* Consecutive tasks of an output, whose records fit into a buffer. */
typedef struct load {
  uint64_t task, tasks, at, entries; /* at: entries of the output before it */
} load;

static load next_load(const lister *r, const output *o, load before)
{
  load next = {before.task + before.tasks, 0, before.at + before.entries, 0};
  uint64_t most = MS_STAGING_BYTES / r->entry_bytes;
  for (uint64_t i = next.task; i < o->tasks && next.entries + o->length[i] <= most; i++) {
    next.entries += o->length[i];
    next.tasks++;
  }
  return next;
}

static ms_status fetch(lister *r, const output *o, load l, uint32_t buffer, ms_error *err)
{
  static const char what[] = "copying matches";
  ms_staging *staging = &r->gpu.staging;
  uint64_t bytes = l.entries * r->entry_bytes;
  ms_staging_note(bytes);
  ms_hooks.gpu_list_bytes += bytes;
  MS_TRY_CUDA(cudaMemcpyAsync(staging->buffer[1 + buffer], o->at + l.at * r->entry_bytes, bytes,
                              cudaMemcpyDeviceToHost, r->search.side_stream),
              what);
  return ms_cuda_status(cudaEventRecord(staging->copied[1 + buffer], r->search.side_stream), what,
                        err);
}

/* Delivers the matches of an output that has been written. */
static ms_status drain(lister *r, const output *o, ms_error *err)
{
  load pending = {0}, next = next_load(r, o, pending);
  uint32_t buffer = 0;
  while ((next.tasks > 0 || pending.tasks > 0) && !atomic_load(&r->expansion.ended)) {
    const uint32_t *entries;
    MS_TRY(ms_stop_check(r->stop));
    if (next.tasks > 0)
      MS_TRY(fetch(r, o, next, buffer, err));
    buffer = 1 - buffer;
    if (pending.tasks > 0) {
      MS_TRY(ms_staging_wait(&r->gpu.staging, 1 + buffer, &entries, err));
      if (r->sink->begun)
        *r->sink->begun = true;
      if (!ms_hooks.gpu_list_unread)
        MS_TRY(
            ms_motif_expand(&r->expansion, entries, o->length + pending.task, pending.tasks, err));
    }
    pending = next;
    next = next_load(r, o, next);
  }
  return MS_OK;
}

/* Lists all units.  While an output is written, the other one is drained. */
static ms_status list_units(lister *r, ms_error *err)
{
  output *written = NULL;
  uint32_t which = 0;
  ms_status status = MS_OK;
  while (status == MS_OK && !atomic_load(&r->expansion.ended)) {
    output *o = &r->output[which];
    make_tasks(r, o);
    while (o->tasks == 0 && r->first + r->count < r->units.units) {
      MS_TRY(begin_batch(r, err));
      make_tasks(r, o);
    }
    if (o->tasks == 0 && !written)
      return MS_OK;
    double begin = ms_seconds();
    if (o->tasks > 0)
      MS_TRY(start_writing(r, o, err));
    if (written)
      status = drain(r, written, err);
    ms_status ended = MS_OK;
    if (o->tasks > 0)
      ended = ms_gpu_search_wait(&r->search, status == MS_OK && !atomic_load(&r->expansion.ended),
                                 r->stop, status == MS_OK ? err : NULL);
    status = status == MS_OK ? ended : status;
    ms_hooks.gpu_motif_seconds += ms_seconds() - begin;
    written = o->tasks > 0 ? o : NULL;
    which = 1 - which;
  }
  return status;
}

/* Lists the units, and adds the roots that are left. */
static ms_status list_once(lister *r, uint8_t *left, ms_error *err)
{
  r->launch = (ms_motif_launch){0};
  r->first = r->count = r->unit = r->from = 0;
  ms_status status = open_device(r, err);
  if (status == MS_OK)
    status = list_units(r, err);
  if (status == MS_OK && left) {
    static const char what[] = "copying the roots that are left";
    status = ms_cuda_status(cudaMemcpyAsync(left, r->launch.left, r->work->ranked->n,
                                            cudaMemcpyDeviceToHost, r->gpu.staging.stream),
                            what, err);
    if (status == MS_OK)
      status = ms_cuda_status(cudaStreamSynchronize(r->gpu.staging.stream), what, err);
  }
  ms_gpu_context_note_status(&r->gpu, status);
  close_device(r);
  return status;
}

/* ---- a listing ---------------------------------------------------------------------- */

/* Lists the roots that are left on the CPU. */
static ms_status run_left(const lister *r, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  const ms_motif_units *u = &r->units;
  void *opened = NULL;
  ms_status status = MS_OK;
  if (r->sink->begun && u->units > 0)
    *r->sink->begun = true;
  for (uint64_t i = 0, begin;
       status == MS_OK && i < u->units && !atomic_load(&r->expansion.ended);) {
    begin = i;
    i = ms_motif_range_end(u->root, u->units, begin);
    if (!opened)
      status = cpu->open(r->of->instance, r->of->threads, &opened, err);
    if (status == MS_OK)
      status =
          cpu->run(opened, u->root[begin], (uint64_t)u->root[i - 1] + 1, r->sink, r->stop, err);
  }
  cpu->close(opened);
  return status;
}

/* Lists in lists: what is too much for the first tables has larger ones, and then the CPU. */
static ms_status list_lists(lister *r, uint32_t *root, uint8_t *left, ms_error *err)
{
  uint32_t n = r->work->ranked->n;
  for (uint32_t i = 0; i < 2; i++) {
    r->units.left = left;
    r->units.hash = ms_motif_work_hash(r->work, i);
    if (r->units.units > 0)
      MS_TRY(list_once(r, left, err));
    if (atomic_load(&r->expansion.ended))
      return MS_OK;
    r->units.root = root;
    r->units.units = ms_motif_collect_left(left, n, root);
  }
  return run_left(r, err);
}

static ms_status choose_device(lister *r, ms_error *err)
{
  int usable[MS_GPU_MOST_DEVICES];
  if (ms_gpu_usable(usable) == 0)
    return ms_gpu_fail_none("the CPU", err);
  r->device = usable[0];
  if (r->sink->devices == 0)
    return MS_OK;
  if (r->sink->devices > 1)
    return ms_fail(err, MS_ERR_USAGE,
                   "`devices` names %u GPUs, and one GPU lists the matches of a motif; name one",
                   r->sink->devices);
  r->device = r->sink->device[0];
  return ms_gpu_check_named(r->sink->device, 1, err);
}

ms_status ms_motif_list(const ms_motif_lister *of, uint64_t first, uint64_t last,
                        const ms_match_sink *sink, const ms_stop *stop, ms_error *err)
{
  ms_motif_work work;
  lister *r = ms_calloc(1, sizeof *r);
  uint32_t *root = NULL;
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  r->of = of;
  r->work = &work;
  r->sink = sink;
  r->stop = stop;
  atomic_init(&r->expansion.ended, false);
  ms_status status =
      ms_motif_work_make(&work, of->ranked, first, last, true, NULL, sink->budget, err);
  if (status == MS_OK)
    status = choose_device(r, err);
  r->units = (ms_motif_units){.units = work.units, .root = work.root};
  if (status == MS_OK && work.in_rows && work.units > 0)
    status = list_once(r, NULL, err);
  if (status == MS_OK && !work.in_rows) {
    root = ms_alloc(work.units, sizeof *root);
    status =
        root ? list_lists(r, root, work.left, err) : ms_fail_memory(err, "the roots of a listing");
  }
  if (ms_gpu_is_stop(status))
    (void)ms_fail(err, status, "the listing was stopped: %s; what it found so far is valid",
                  ms_status_text(status));
  ms_free(root);
  ms_free(r);
  ms_motif_work_free(&work);
  return status;
}
