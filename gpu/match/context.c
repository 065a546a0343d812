#include "gpu/match/context.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/memory.h"
#include "gpu/gpu.h"
#include "match/cpu/sorted.h"

#include <pthread.h>
#include <string.h>

#define ALIGN ((uint64_t)256)
enum { MOST_DEVICES = 64 };

/* The index that a device keeps. */
typedef struct kept_index {
  uint64_t serial; /* 0: none */
  uint32_t users;
  void *memory;
  uint64_t bytes;
  ms_device_index index;
} kept_index;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER; /* of the next */
static kept_index kept[MOST_DEVICES];

/* ---- memory --------------------------------------------------------------------- */

ms_status ms_gpu_pattern_alloc(ms_gpu_pattern *c, uint64_t bytes, void *out, const char *what,
                               ms_error *err)
{
  void *memory = NULL;
  cudaMemPool_t pool;
  cudaError_t error = cudaMallocAsync(&memory, bytes ? bytes : 1, c->staging.stream);
  if (error == cudaErrorMemoryAllocation) { /* what the pool keeps may be in pieces */
    (void)cudaGetLastError();
    if (cudaDeviceGetDefaultMemPool(&pool, c->device) == cudaSuccess)
      (void)cudaMemPoolTrimTo(pool, 0);
    error = cudaMallocAsync(&memory, bytes ? bytes : 1, c->staging.stream);
  }
  memcpy(out, &memory, sizeof memory);
  return ms_cuda_status(error, what, err);
}

void ms_gpu_pattern_free(ms_gpu_pattern *c, void *memory)
{
  if (memory && cudaFreeAsync(memory, c->staging.stream) != cudaSuccess)
    c->failed = true;
}

/* The driver is slow to answer: it is asked only where the pool has too little. */
ms_status ms_gpu_pattern_room(const ms_gpu_pattern *c, uint64_t wanted, uint64_t *bytes,
                              ms_error *err)
{
  uint64_t limit = 0, pool = 0, others = 0, taken = c->index_bytes + c->pack.bytes;
  *bytes = 0;
  ms_status status = ms_gpu_memory_limit(&limit, err);
  if (status == MS_OK)
    status = ms_gpu_pool_free(c->device, &pool, err);
  if (status == MS_OK && pool < wanted) {
    status = ms_gpu_memory_free(c->device, &others, err);
    others -= others / 16;
  }
  *bytes = pool + others;
  if (limit > 0 && *bytes > (limit > taken ? limit - taken : 0))
    *bytes = limit > taken ? limit - taken : 0;
  return status;
}

static ms_status check_room(const ms_gpu_pattern *c, uint64_t bytes, ms_error *err)
{
  uint64_t room;
  ms_status status = ms_gpu_pattern_room(c, bytes, &room, err);
  if (status != MS_OK || room >= bytes)
    return status;
  return ms_fail(
      err, MS_ERR_MEMORY,
      "the graph and the plan take %.1f KiB of GPU memory, and %.1f KiB are free; free memory on the GPU, "
      "raise MOTIFSIEVE_GPU_MEMORY if it is set, or use the CPU engine",
      (double)bytes / 1024, (double)room / 1024);
}

/* ---- the index -------------------------------------------------------------------- */

typedef struct index_upload {
  ms_staging_part part[3 * MS_ROW_KINDS];
  uint32_t *smaller[MS_ROW_KINDS]; /* [n] */
  uint32_t parts;
  uint64_t bytes;
} index_upload;

static uint64_t add_part(index_upload *u, const void *from, uint64_t bytes)
{
  uint64_t at = u->bytes;
  u->part[u->parts++] = (ms_staging_part){.from = from, .bytes = bytes, .at = at};
  u->bytes += (bytes + ALIGN - 1) / ALIGN * ALIGN;
  return at;
}

static void count_smaller(const ms_rows *rows, uint32_t n, int threads, uint32_t *smaller)
{
#pragma omp parallel for num_threads(ms_threads_for(threads, n)) schedule(dynamic, 4096)
  for (uint32_t v = 0; v < n; v++) {
    uint32_t length;
    const uint32_t *row = ms_row(rows, v, &length);
    smaller[v] = (uint32_t)ms_lower_bound(row, length, v);
  }
}

static void find_longest(const ms_pattern_index *index, ms_device_index *to)
{
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t length = ms_row_length(&index->rows[MS_ROWS_ANY], v);
    if (length > to->longest) {
      to->second = to->longest;
      to->longest = length;
    } else if (length > to->second) {
      to->second = length;
    }
  }
}

/* at[kind]: where offset, neighbor and smaller will be, from the start of the memory. */
static ms_status collect_index(const ms_pattern_index *index, int threads, index_upload *u,
                               uint64_t at[MS_ROW_KINDS][3], ms_error *err)
{
  uint64_t n = index->n;
  for (int kind = 0; kind < (index->directed ? MS_ROW_KINDS : 1); kind++) {
    const ms_rows *rows = &index->rows[kind];
    u->smaller[kind] = ms_alloc_lines(n + 1, sizeof *u->smaller[kind]);
    if (!u->smaller[kind])
      return ms_fail_memory(err, "an index for the GPU");
    count_smaller(rows, index->n, threads, u->smaller[kind]);
    at[kind][0] = add_part(u, rows->offset, (n + 1) * sizeof *rows->offset);
    at[kind][1] = add_part(u, rows->neighbor, rows->offset[n] * sizeof *rows->neighbor);
    at[kind][2] = add_part(u, u->smaller[kind], n * sizeof *u->smaller[kind]);
  }
  return MS_OK;
}

static void place_index(const ms_pattern_index *index, uint64_t at[MS_ROW_KINDS][3],
                        const uint8_t *base, ms_device_index *to)
{
  *to = (ms_device_index){.n = index->n, .directed = index->directed};
  find_longest(index, to);
  for (int kind = 0; kind < (index->directed ? MS_ROW_KINDS : 1); kind++)
    to->rows[kind] =
        (ms_device_rows){.offset = (const uint64_t *)(const void *)(base + at[kind][0]),
                         .neighbor = (const uint32_t *)(const void *)(base + at[kind][1]),
                         .smaller = (const uint32_t *)(const void *)(base + at[kind][2])};
}

static ms_status upload_index(ms_gpu_pattern *c, const ms_pattern_index *index, ms_error *err)
{
  static const char what[] = "copying the graph";
  index_upload u = {0};
  uint64_t at[MS_ROW_KINDS][3];
  ms_status status = collect_index(index, c->threads, &u, at, err);
  if (status == MS_OK)
    status = check_room(c, u.bytes, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_alloc(c, u.bytes, &c->own_index, what, err);
  if (status == MS_OK)
    status =
        ms_staging_upload(&c->staging, u.part, u.parts, c->own_index, u.bytes, c->threads, err);
  if (status == MS_OK) {
    place_index(index, at, c->own_index, &c->index);
    c->index_bytes = u.bytes;
    /* whoever finds it kept may use another stream */
    status = ms_cuda_status(cudaStreamSynchronize(c->staging.stream), what, err);
  }
  for (int kind = 0; kind < MS_ROW_KINDS; kind++)
    ms_free(u.smaller[kind]);
  return status;
}

/* ---- the index that is kept ---------------------------------------------------------- */

static bool use_kept(ms_gpu_pattern *c, uint64_t serial)
{
  bool found = false;
  if (c->device >= MOST_DEVICES)
    return false;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[c->device];
  found = k->serial == serial;
  if (found) {
    k->users++;
    c->holds = true;
    c->index = k->index;
    c->index_bytes = k->bytes;
  } else if (k->users == 0 && k->serial > 0) { /* make room for the other */
    ms_gpu_pattern_free(c, k->memory);
    *k = (kept_index){0};
  }
  pthread_mutex_unlock(&kept_lock);
  return found;
}

static void keep_index(ms_gpu_pattern *c, uint64_t serial)
{
  if (c->device >= MOST_DEVICES)
    return;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[c->device];
  if (k->serial == 0) {
    *k = (kept_index){.serial = serial,
                      .users = 1,
                      .memory = c->own_index,
                      .bytes = c->index_bytes,
                      .index = c->index};
    c->own_index = NULL;
    c->holds = true;
  }
  pthread_mutex_unlock(&kept_lock);
}

/* After an error of the device nothing on it is used again. */
static void leave_index(ms_gpu_pattern *c)
{
  if (c->holds) {
    pthread_mutex_lock(&kept_lock);
    kept_index *k = &kept[c->device];
    k->users--;
    if (c->failed && k->users == 0) {
      ms_gpu_pattern_free(c, k->memory);
      *k = (kept_index){0};
    }
    pthread_mutex_unlock(&kept_lock);
  }
  ms_gpu_pattern_free(c, c->own_index);
}

void ms_gpu_pattern_forget(void)
{
  for (int device = 0; device < MOST_DEVICES; device++) {
    pthread_mutex_lock(&kept_lock);
    kept_index *k = &kept[device];
    if (k->serial > 0 && k->users == 0 && cudaSetDevice(device) == cudaSuccess) {
      (void)cudaFreeAsync(k->memory, NULL);
      *k = (kept_index){0};
    }
    pthread_mutex_unlock(&kept_lock);
  }
}

/* ---- all of it ------------------------------------------------------------------------ */

static ms_status upload_program(ms_gpu_pattern *c, ms_error *err)
{
  static const char what[] = "copying the plan";
  ms_staging_part part[MS_PACK_PARTS];
  ms_status status = check_room(c, c->pack.bytes, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_alloc(c, c->pack.bytes, &c->memory, what, err);
  if (status != MS_OK)
    return status;
  ms_pattern_pack_place(&c->pack, &c->index, c->memory);
  for (uint32_t i = 0; i < c->pack.parts; i++)
    part[i] = (ms_staging_part){
        .from = c->pack.part[i].from, .bytes = c->pack.part[i].bytes, .at = c->pack.part[i].at};
  c->program = (const ms_device_program *)(const void *)c->memory;
  return ms_staging_upload(&c->staging, part, c->pack.parts, c->memory, c->pack.bytes, c->threads,
                           err);
}

ms_status ms_gpu_pattern_open(ms_gpu_pattern *c, const ms_program *program, int device, int threads,
                              ms_error *err)
{
  memset(c, 0, sizeof *c);
  c->device = device;
  c->threads = threads;
  ms_status status = ms_pattern_pack_new(program, &c->pack, err);
  if (status == MS_OK)
    status = ms_staging_take(device, &c->staging, err);
  if (status == MS_OK && !use_kept(c, program->index->serial)) {
    status = upload_index(c, program->index, err);
    if (status == MS_OK)
      keep_index(c, program->index->serial);
  }
  if (status == MS_OK)
    status = upload_program(c, err);
  return status;
}

void ms_gpu_pattern_close(ms_gpu_pattern *c)
{
  if (c->staging.stream) {
    c->failed |= cudaSetDevice(c->device) != cudaSuccess;
    c->failed |= cudaStreamSynchronize(c->staging.stream) != cudaSuccess;
    ms_gpu_pattern_free(c, c->memory);
    leave_index(c);
    c->failed |= cudaStreamSynchronize(c->staging.stream) != cudaSuccess;
    (void)cudaGetLastError();
    ms_staging_give(&c->staging, !c->failed);
  }
  ms_pattern_pack_free(&c->pack);
}
