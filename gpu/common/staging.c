#include "gpu/common/staging.h"

#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/common/cuda_error.h"

#include <pthread.h>
#include <string.h>

enum { MOST_KEPT = 32 };
/* Bytes that a thread copies at a time. */
#define SLICE ((uint64_t)64 << 10)

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER; /* of `kept` and n_kept */
static ms_staging kept[MOST_KEPT];
static uint32_t n_kept;

/* ---- acquire and release ----------------------------------------------------------- */

static bool take_kept(int device, ms_staging *out)
{
  bool found = false;
  pthread_mutex_lock(&kept_lock);
  for (uint32_t i = n_kept; i-- > 0 && !found;)
    if (kept[i].device == device) {
      *out = kept[i];
      kept[i] = kept[--n_kept];
      found = true;
    }
  pthread_mutex_unlock(&kept_lock);
  return found;
}

/* Keeps freed memory in the device's pool, so that the next context gets it at once. */
static ms_status keep_pool(int device, ms_error *err)
{
  static const char what[] = "asking for the GPU's memory pool";
  uint64_t all = UINT64_MAX;
  cudaMemPool_t pool;
  ms_status status = ms_cuda_status(cudaDeviceGetDefaultMemPool(&pool, device), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all),
                            what, err);
  return status;
}

static void destroy_staging(ms_staging *s)
{
  for (uint32_t i = 0; i < MS_STAGING_BUFFERS; i++) {
    if (s->copied[i])
      (void)cudaEventDestroy(s->copied[i]);
    if (s->buffer[i])
      (void)cudaFreeHost(s->buffer[i]);
  }
  if (s->stream)
    (void)cudaStreamDestroy(s->stream);
  (void)cudaGetLastError();
}

ms_status ms_staging_acquire(int device, ms_staging *out, ms_error *err)
{
  *out = (ms_staging){0};
  ms_status status = ms_cuda_status(cudaSetDevice(device), "choosing the GPU", err);
  if (status != MS_OK || take_kept(device, out))
    return status;
  status = keep_pool(device, err);
  out->device = device;
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamCreateWithFlags(&out->stream, cudaStreamNonBlocking),
                            "making a stream", err);
  if (status != MS_OK)
    *out = (ms_staging){0};
  return status;
}

void ms_staging_release(ms_staging *staging, bool usable)
{
  if (!staging->stream)
    return;
  bool keep = false;
  pthread_mutex_lock(&kept_lock);
  if (usable && n_kept < MOST_KEPT) {
    kept[n_kept++] = *staging;
    keep = true;
  }
  pthread_mutex_unlock(&kept_lock);
  if (!keep)
    destroy_staging(staging);
  *staging = (ms_staging){0};
}

/* ---- copies ------------------------------------------------------------------------ */

/* One thread does all copies of a device's work. */
static _Thread_local uint64_t bytes_copied;

void ms_staging_note(uint64_t bytes)
{
  bytes_copied += bytes;
}

uint64_t ms_staging_take_noted(void)
{
  uint64_t bytes = bytes_copied;
  bytes_copied = 0;
  return bytes;
}

static ms_status make_buffer(ms_staging *s, uint32_t i, ms_error *err)
{
  void *memory = NULL;
  ms_status status = MS_OK;
  if (!s->copied[i])
    status = ms_cuda_status(cudaEventCreateWithFlags(&s->copied[i], cudaEventDisableTiming),
                            "making an event", err);
  if (status != MS_OK || s->buffer[i])
    return status;
  cudaError_t error = cudaHostAlloc(&memory, MS_STAGING_BYTES, cudaHostAllocDefault);
  if (error == cudaErrorMemoryAllocation) { /* of the host, not of the GPU */
    (void)cudaGetLastError();
    return ms_fail_memory(err, "copies to the GPU");
  }
  status = ms_cuda_status(error, "making room for copies", err);
  s->buffer[i] = status == MS_OK ? memory : NULL;
  return status;
}

ms_status ms_staging_make_buffers(ms_staging *staging, uint32_t count, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < count && status == MS_OK; i++)
    status = make_buffer(staging, i, err);
  return status;
}

ms_status ms_staging_wait(ms_staging *staging, uint32_t buffer, const uint32_t **rows,
                          ms_error *err)
{
  *rows = (const uint32_t *)(const void *)staging->buffer[buffer];
  return ms_cuda_status(cudaEventSynchronize(staging->copied[buffer]),
                        "fetching matches from the GPU", err);
}

uint64_t ms_staging_add(ms_staging_list *list, const void *from, uint64_t bytes)
{
  uint64_t at = list->bytes;
  list->part[list->parts++] = (ms_staging_part){.from = from, .bytes = bytes, .at = at};
  list->bytes += ms_gpu_aligned(bytes);
  return at;
}

const void *ms_staging_place(const ms_staging_list *list, const void *base, const void *from)
{
  for (uint32_t i = 0; from && i < list->parts; i++)
    if (list->part[i].from == from)
      return (const uint8_t *)base + list->part[i].at;
  return NULL;
}

/* Copies bytes [begin, end) of the block, where there are parts. */
static void copy_parts(const ms_staging_list *list, uint64_t begin, uint64_t end, uint8_t *to)
{
  for (uint32_t i = 0; i < list->parts; i++) {
    const ms_staging_part *p = &list->part[i];
    uint64_t first = p->at > begin ? p->at : begin;
    uint64_t last = p->at + p->bytes < end ? p->at + p->bytes : end;
    if (first < last)
      memcpy(to + (first - begin), (const uint8_t *)p->from + (first - p->at), last - first);
  }
}

/* A buffer of the block, in slices. */
typedef struct filling {
  const ms_staging_list *list;
  uint8_t *buffer;
  uint64_t at, size; /* of the block; of the buffer's content */
} filling;

static void fill_slices(void *user, ms_range r)
{
  const filling *f = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint64_t begin = i * SLICE, end = f->size - begin < SLICE ? f->size : begin + SLICE;
    copy_parts(f->list, f->at + begin, f->at + end, f->buffer + begin);
  }
}

ms_status ms_staging_upload(ms_staging *staging, const ms_staging_list *list, void *to, int threads,
                            ms_error *err)
{
  static const char what[] = "copying the graph";
  ms_staging *s = staging;
  ms_staging_note(list->bytes);
  ms_status status = MS_OK;
  uint64_t bytes = list->bytes;
  uint32_t b = 0;
  for (uint64_t at = 0; at < bytes && status == MS_OK;
       at += MS_STAGING_BYTES, b = (b + 1) % MS_STAGING_BUFFERS) {
    uint64_t size = bytes - at < MS_STAGING_BYTES ? bytes - at : MS_STAGING_BYTES,
             slices = (size + SLICE - 1) / SLICE;
    status = make_buffer(s, b, err);
    if (status == MS_OK)
      status = ms_cuda_status(cudaEventSynchronize(s->copied[b]), what, err);
    if (status != MS_OK)
      break;
    uint8_t *buffer = s->buffer[b];
    ms_parallel(ms_threads_for(threads, size / 8), slices, 0, fill_slices,
                &(filling){list, buffer, at, size});
    status = ms_cuda_status(
        cudaMemcpyAsync((uint8_t *)to + at, buffer, size, cudaMemcpyHostToDevice, s->stream), what,
        err);
    if (status == MS_OK)
      status = ms_cuda_status(cudaEventRecord(s->copied[b], s->stream), what, err);
  }
  return status;
}
