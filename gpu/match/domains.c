#include "gpu/match/domains.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/gpu.h"
#include "gpu/match/upload.h"

#include <string.h>

enum { WARPS = 8, BLOCKS = 8 /* of a multiprocessor */ };
_Static_assert((int)MS_DOMAIN_PASSES == 1 + (int)MS_DOMAIN_ROUNDS &&
                   (int)MS_DOMAIN_ENOUGH == (int)MS_DEVICE_ENOUGH,
               "the GPU makes the tests of the host");

/* Seconds of a launch and of all else that does not depend on the graph; bytes a second to and from
 * the device in short copies.  docs/MATCHING.md, "Domains", says what a GPU gains. */
#define LAUNCH_SECONDS 3e-6
#define CALL_SECONDS 25e-6
#define COPY_RATE 1e10
#define DEVICE_SHARE 0.01 /* of the host's time for the tests themselves */

static const char what[] = "filtering vertices";

typedef struct filter {
  const ms_domain_task *task;
  ms_gpu_match match;
  ms_domain_launch launch;
  ms_staging_list list;
  ms_device_condition condition[MS_DOMAIN_TASK_CONDITIONS];
  uint32_t dropped[MS_DOMAIN_PASSES][MS_DEVICE_DOMAINS];
  uint32_t *domains[2]; /* [launch.total] words; passes write them in turn */
} filter;

/* ---- what goes to the device ---------------------------------------------------------------- */

static void describe_vertex(filter *f, uint32_t u)
{
  const ms_domain_task_vertex *from = &f->task->vertex[u];
  ms_device_domain_vertex *to = &f->launch.vertex[u];
  *to = (ms_device_domain_vertex){.lo = from->start.lo,
                                  .hi = from->start.hi,
                                  .color = from->color,
                                  .best = from->quick.best,
                                  .count = from->start.count,
                                  .near_colors = {from->quick.near[0], from->quick.near[1]},
                                  .first = from->first,
                                  .end = from->end,
                                  .near = {from->near[0], from->near[1]},
                                  .found = from->found,
                                  .word = from->start.lo / 64 * 2,
                                  .at = f->launch.total};
  to->words = (from->start.hi + 63) / 64 * 2 - to->word;
  f->launch.total += to->words;
}

static uint64_t words_of_index(const filter *f)
{
  return ((uint64_t)f->task->index->n + 63) / 64;
}

/* Lists the parts, allocates the memory, and sets all addresses. */
static ms_status upload_task(filter *f, ms_error *err)
{
  const ms_domain_task *t = f->task;
  ms_domain_launch *l = &f->launch;
  ms_staging_list *list = &f->list;
  uint64_t bytes = words_of_index(f) * sizeof(uint64_t), start[MS_DEVICE_DOMAINS] = {0}, room;
  for (uint32_t u = 0; u < t->n; u++)
    describe_vertex(f, u);
  for (uint32_t i = 0; i < t->vertex[t->n - 1].end; i++)
    f->condition[i] =
        (ms_device_condition){t->condition[i].rows, t->condition[i].of, t->condition[i].need};
  uint64_t condition = ms_staging_add(list, f->condition, sizeof f->condition);
  uint64_t dropped = ms_staging_add(list, f->dropped, sizeof f->dropped);
  uint64_t allowed = t->allowed ? ms_staging_add(list, t->allowed, bytes) : 0;
  for (uint32_t u = 0; u < t->n; u++)
    if (t->vertex[u].start.bits)
      start[u] = ms_staging_add(list, t->vertex[u].start.bits, bytes);
  uint64_t wanted = list->bytes + (uint64_t)2 * l->total * sizeof *l->bits;
  MS_TRY(ms_gpu_room(&f->match.gpu, wanted, &room, err));
  if (room < wanted)
    return ms_fail_memory(err, "domains on a GPU");
  MS_TRY(ms_gpu_alloc(&f->match.gpu, wanted, &f->match.memory, what, err));
  uint8_t *base = f->match.memory;
  for (uint32_t u = 0; u < t->n; u++)
    if (t->vertex[u].start.bits)
      f->launch.vertex[u].start = (const uint32_t *)(const void *)(base + start[u]);
  l->condition = (const void *)(base + condition);
  l->dropped = (void *)(base + dropped);
  l->allowed = t->allowed ? (const void *)(base + allowed) : NULL;
  f->domains[0] = (void *)(base + list->bytes);
  f->domains[1] = f->domains[0] + l->total;
  return ms_staging_upload(&f->match.gpu.staging, list, base, 1, err);
}

/* ---- launches ------------------------------------------------------------------------------- */

static ms_status launch_all(filter *f, ms_error *err)
{
  const ms_domain_task *t = f->task;
  ms_domain_launch *l = &f->launch;
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(f->match.gpu.device, &facts, err));
  uint32_t most = (uint32_t)facts.multiprocessors * BLOCKS, blocks = (l->total + WARPS - 1) / WARPS;
  l->index = f->match.index;
  l->colors = f->match.colors;
  l->n = t->n;
  l->kinds = t->kinds;
  l->kind[0] = t->kind[0];
  l->kind[1] = t->kind[1];
  l->warps = WARPS;
  l->blocks = blocks < most ? blocks : most;
  ms_gpu_grid grid = {l->blocks, WARPS * MS_GPU_WARP, 0};
  for (l->pass = 0; l->pass < MS_DOMAIN_PASSES; l->pass++) {
    l->bits = f->domains[l->pass % 2];
    l->before = f->domains[(l->pass + 1) % 2];
    MS_TRY(ms_gpu_launch(ms_domain_function(), grid, (void *[]){l}, f->match.gpu.staging.stream,
                         what, err));
  }
  return MS_OK;
}

/* Copies bytes [at, end) of the packed bits to the host's sets. */
static void unpack(const filter *f, const uint8_t *from, uint64_t at, uint64_t end)
{
  for (uint32_t u = 0; u < f->task->n; u++) {
    const ms_device_domain_vertex *v = &f->launch.vertex[u];
    uint64_t begin = (uint64_t)v->at * 4, last = begin + (uint64_t)v->words * 4;
    uint64_t first = begin > at ? begin : at;
    last = last < end ? last : end;
    if (first < last)
      memcpy((uint8_t *)(f->task->bits + u * words_of_index(f)) + (uint64_t)v->word * 4 +
                 (first - begin),
             from + (first - at), last - first);
  }
}

static ms_status fetch(filter *f, ms_error *err)
{
  ms_staging *s = &f->match.gpu.staging;
  uint64_t bytes = (uint64_t)f->launch.total * 4;
  MS_TRY(ms_staging_make_buffers(s, 1, err));
  for (uint64_t at = 0; at < bytes; at += MS_STAGING_BYTES) {
    uint64_t size = bytes - at < MS_STAGING_BYTES ? bytes - at : MS_STAGING_BYTES;
    MS_TRY_CUDA(cudaMemcpyAsync(s->buffer[0], (const uint8_t *)f->launch.bits + at, size,
                                cudaMemcpyDeviceToHost, s->stream),
                what);
    MS_TRY_CUDA(cudaStreamSynchronize(s->stream), what);
    ms_staging_note(size);
    unpack(f, s->buffer[0], at, at + size);
  }
  return MS_OK;
}

/* ---- the task ---------------------------------------------------------------------------------
 */

/* Returns the estimated seconds of the task on a GPU that holds the index. */
static double device_seconds(const ms_domain_task *t)
{
  double bytes = 0;
  double words = 8.0 * (((double)t->index->n + 63) / 64);
  for (uint32_t u = 0; u < t->n; u++)
    bytes += (t->vertex[u].start.bits ? words : 0) +
             (double)(t->vertex[u].start.hi - t->vertex[u].start.lo) / 8;
  bytes += t->allowed ? words : 0;
  return CALL_SECONDS + LAUNCH_SECONDS * MS_DOMAIN_PASSES + bytes / COPY_RATE +
         DEVICE_SHARE * t->seconds;
}

static ms_status run(filter *f, int device, ms_error *err)
{
  MS_TRY(ms_gpu_match_open_kept(&f->match, f->task->index, device, f->task->threads, err));
  MS_TRY(upload_task(f, err));
  MS_TRY(launch_all(f, err));
  return fetch(f, err);
}

static ms_status filter_on(const ms_domain_task *task, int device, ms_error *err)
{
  filter f = {.task = task};
  ms_status status = run(&f, device, err);
  ms_gpu_context_note_status(&f.match.gpu, status);
  ms_gpu_match_close(&f.match);
  return status;
}

ms_status ms_gpu_filter_domains(const ms_domain_task *task, ms_error *err)
{
  int device = ms_gpu_match_device_of(task->index);
  uint64_t words = 0;
  for (uint32_t u = 0; u < task->n; u++)
    words += (task->vertex[u].start.hi - task->vertex[u].start.lo) / 32 + (uint64_t)4;
  if (device < 0 || words > UINT32_MAX || task->index->kinds > MS_DEVICE_KINDS ||
      task->seconds < task->gpu_weight * device_seconds(task))
    return ms_fail(err, MS_ERR_USAGE, "the host filters vertices as fast");
  return filter_on(task, device, err);
}
