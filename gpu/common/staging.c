#include "gpu/common/staging.h"

#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "gpu/common/cuda_error.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MOST_KEPT = 32 };
/* Bytes that one of several threads fills at a time. */
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

/* Copies past the caches.  A device reads lines that are in the caches of several cores more slowly
 * than memory: 30 GB/s instead of 40 for uploads by 16 threads. */
static void copy_past_caches(uint8_t *to, const uint8_t *from, size_t bytes)
{
#ifdef __SSE2__
  enum { LINE = 64, PART = sizeof(__m128i), AHEAD = 1024 };
  size_t at = 0;
  for (; (uintptr_t)to % PART == 0 && at + LINE <= bytes; at += LINE) {
    const __m128i *line = (const __m128i *)(const void *)(from + at);
    __m128i part[LINE / PART];
    for (int i = 0; i < LINE / PART; i++)
      part[i] = _mm_loadu_si128(line + i);
    _mm_prefetch((const char *)from + at + AHEAD, _MM_HINT_NTA);
    for (int i = 0; i < LINE / PART; i++)
      _mm_stream_si128((__m128i *)(void *)(to + at) + i, part[i]);
  }
  _mm_sfence();
  to += at;
  from += at;
  bytes -= at;
#endif
  memcpy(to, from, bytes);
}

/* Copies bytes [begin, end) of the block, where there are parts. */
static void copy_parts(const ms_staging_list *list, uint64_t begin, uint64_t end, bool past_caches,
                       uint8_t *to)
{
  for (uint32_t i = 0; i < list->parts; i++) {
    const ms_staging_part *p = &list->part[i];
    uint64_t first = p->at > begin ? p->at : begin;
    uint64_t last = p->at + p->bytes < end ? p->at + p->bytes : end;
    if (first >= last)
      continue;
    const uint8_t *from = (const uint8_t *)p->from + (first - p->at);
    if (past_caches)
      copy_past_caches(to + (first - begin), from, last - first);
    else
      memcpy(to + (first - begin), from, last - first);
  }
}

/* ---- uploads ----------------------------------------------------------------------- */

/* LOOKS: how often a thread looks for room before it sleeps, about 0.01 ms. */
enum { LOOKS = 10000 };

static const char upload_text[] = "copying the graph";

/* The buffers are a ring, which several threads fill slice by slice.  A filling is what a buffer
 * holds at a time.  The calling thread also asks for the copy of each filling that is complete, and
 * opens the buffer again once it has been copied: it alone talks to the device. */
typedef struct uploading {
  ms_staging *staging;
  const ms_staging_list *list;
  uint8_t *to;
  bool alone;                      /* one thread does all */
  uint64_t slice, slices_a_buffer; /* slice: bytes */
  uint64_t slices, fillings;       /* of the block */
  uint64_t opened, asked; /* fillings that may be filled; whose copies have been asked for */
  _Atomic uint64_t next;  /* the first slice that nobody has taken */
  _Atomic uint64_t room;  /* slices before this one may be filled */
  _Atomic uint32_t filled[MS_STAGING_BUFFERS]; /* slices of each buffer */
  const ms_staging_work *work;                 /* NULL: none */
  uint64_t pieces, early;                      /* ranges of the work; slices that do not need it */
  _Atomic uint64_t next_piece, pieces_done;
  atomic_bool failed;
  pthread_mutex_t lock;   /* of waits for `changed` */
  pthread_cond_t changed; /* room, pieces_done or failed */
} uploading;

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static void fill_slice(uploading *u, uint64_t slice)
{
  uint64_t b = slice / u->slices_a_buffer % MS_STAGING_BUFFERS, at = slice * u->slice;
  copy_parts(u->list, at, least(at + u->slice, u->list->bytes), !u->alone,
             u->staging->buffer[b] + at % MS_STAGING_BYTES);
  atomic_fetch_add_explicit(&u->filled[b], 1, memory_order_release);
}

static bool is_work_done(uploading *u)
{
  return atomic_load_explicit(&u->pieces_done, memory_order_acquire) == u->pieces;
}

/* True if there is room for the slice, and what it copies is there. */
static bool is_open(uploading *u, uint64_t slice)
{
  return slice < atomic_load_explicit(&u->room, memory_order_acquire) &&
         (slice < u->early || is_work_done(u));
}

static void wake_others(uploading *u)
{
  pthread_mutex_lock(&u->lock);
  pthread_cond_broadcast(&u->changed);
  pthread_mutex_unlock(&u->lock);
}

/* Fills a slice if one that nobody has taken is open. */
static bool fill_one(uploading *u)
{
  uint64_t slice = atomic_load(&u->next);
  do {
    if (slice >= u->slices || !is_open(u, slice))
      return false;
  } while (!atomic_compare_exchange_weak(&u->next, &slice, slice + 1));
  fill_slice(u, slice);
  return true;
}

/* Does a range of the work if there is one that nobody has taken. */
static bool work_once(uploading *u, int thread)
{
  uint64_t piece = atomic_load(&u->next_piece);
  do {
    if (piece >= u->pieces)
      return false;
  } while (!atomic_compare_exchange_weak(&u->next_piece, &piece, piece + 1));
  const ms_staging_work *w = u->work;
  uint64_t begin = piece * w->chunk;
  w->fn(w->user,
        (ms_range){.begin = begin, .end = least(begin + w->chunk, w->n), .thread = thread});
  if (atomic_fetch_add(&u->pieces_done, 1) + 1 == u->pieces)
    wake_others(u);
  return true;
}

/* ---- the other threads ---- */

/* False if the upload has failed. */
static bool wait_until_open(uploading *u, uint64_t slice)
{
  for (int look = 0; look < LOOKS; look++)
    if (is_open(u, slice))
      return true;
  pthread_mutex_lock(&u->lock);
  while (!is_open(u, slice) && !atomic_load(&u->failed))
    pthread_cond_wait(&u->changed, &u->lock);
  pthread_mutex_unlock(&u->lock);
  return is_open(u, slice);
}

/* While there is work, a thread takes no slice for which it would have to wait. */
static void fill_all(uploading *u, int thread)
{
  while (fill_one(u) || work_once(u, thread))
    ;
  for (;;) {
    uint64_t slice = atomic_fetch_add(&u->next, 1);
    if (slice >= u->slices || !wait_until_open(u, slice))
      return;
    fill_slice(u, slice);
  }
}

/* ---- the calling thread ---- */

/* Opens the buffers whose content has been copied. */
static ms_status open_buffers(uploading *u, ms_error *err)
{
  ms_staging *s = u->staging;
  while (u->opened < least(u->fillings, u->asked + MS_STAGING_BUFFERS)) {
    uint32_t b = (uint32_t)(u->opened % MS_STAGING_BUFFERS);
    MS_TRY(make_buffer(s, b, err));
    cudaError_t error = cudaEventQuery(s->copied[b]);
    if (error == cudaErrorNotReady)
      return MS_OK;
    MS_TRY_CUDA(error, upload_text);
    atomic_store_explicit(&u->filled[b], 0, memory_order_relaxed);
    u->opened++;
    atomic_store_explicit(&u->room, u->opened * u->slices_a_buffer, memory_order_release);
    wake_others(u);
  }
  return MS_OK;
}

static bool is_complete(uploading *u, uint64_t filling)
{
  uint64_t slices = least(u->slices - filling * u->slices_a_buffer, u->slices_a_buffer);
  return filling < u->opened && atomic_load_explicit(&u->filled[filling % MS_STAGING_BUFFERS],
                                                     memory_order_acquire) == slices;
}

/* Asks for the copies of the fillings that are complete. */
static ms_status ask_for_copies(uploading *u, ms_error *err)
{
  ms_staging *s = u->staging;
  for (; u->asked < u->fillings && is_complete(u, u->asked); u->asked++) {
    uint64_t b = u->asked % MS_STAGING_BUFFERS, at = u->asked * MS_STAGING_BYTES;
    MS_TRY_CUDA(cudaMemcpyAsync(u->to + at, s->buffer[b],
                                least(u->list->bytes - at, MS_STAGING_BYTES),
                                cudaMemcpyHostToDevice, s->stream),
                upload_text);
    MS_TRY_CUDA(cudaEventRecord(s->copied[b], s->stream), upload_text);
  }
  return MS_OK;
}

/* Waits where there is nothing to fill: for a slice that another thread is filling, or for the
 * device. */
static ms_status wait_for_others(const uploading *u, ms_error *err)
{
  if (u->asked < u->opened) {
    (void)sched_yield();
    return MS_OK;
  }
  return ms_cuda_status(cudaEventSynchronize(u->staging->copied[u->opened % MS_STAGING_BUFFERS]),
                        upload_text, err);
}

/* The calling thread leaves the work to the others, because the device would have to wait for it
 * meanwhile, unless it is alone or the next slice needs the work. */
static bool lead_works(uploading *u)
{
  uint64_t slice = atomic_load(&u->next);
  return (u->alone || (slice >= u->early && slice < u->opened * u->slices_a_buffer)) &&
         work_once(u, 0);
}

static ms_status lead(uploading *u, ms_error *err)
{
  for (;;) {
    MS_TRY(ask_for_copies(u, err));
    if (u->asked == u->fillings)
      return MS_OK;
    MS_TRY(open_buffers(u, err));
    if (!fill_one(u) && !lead_works(u))
      MS_TRY(wait_for_others(u, err));
  }
}

/* What the calling thread has and the others do not need. */
typedef struct leading {
  uploading upload;
  ms_status status;
  ms_error *err;
} leading;

static void upload_part(void *user, int thread)
{
  leading *l = user;
  if (thread > 0) {
    fill_all(&l->upload, thread);
    return;
  }
  l->status = lead(&l->upload, l->err);
  while (work_once(&l->upload, 0)) /* even if copies have failed */
    ;
  atomic_store(&l->upload.failed, l->status != MS_OK);
  wake_others(&l->upload);
}

static uint64_t parts_of(uint64_t all, uint64_t part)
{
  return all / part + (all % part != 0);
}

ms_status ms_staging_upload_beside(ms_staging *staging, const ms_staging_list *list, void *to,
                                   int threads, const ms_staging_work *work, ms_error *err)
{
  int several = ms_threads_for(threads, list->bytes / 8);
  uint64_t slice = several > 1 ? SLICE : MS_STAGING_BYTES, slices = parts_of(list->bytes, slice);
  if (several > 1 && (uint64_t)several > slices) /* a thread without a slice is not worth waking */
    several = (int)slices;
  leading l = {.upload = {.staging = staging,
                          .list = list,
                          .to = to,
                          .alone = several <= 1,
                          .slice = slice,
                          .slices_a_buffer = MS_STAGING_BYTES / slice,
                          .slices = slices,
                          .work = work,
                          .pieces = work ? parts_of(work->n, work->chunk) : 0,
                          .early = work ? work->before / slice : slices,
                          .fillings = parts_of(list->bytes, MS_STAGING_BYTES),
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER},
               .err = err};
  ms_staging_note(list->bytes);
  ms_parallel_team(several, upload_part, &l);
  (void)pthread_cond_destroy(&l.upload.changed);
  (void)pthread_mutex_destroy(&l.upload.lock);
  return l.status;
}

ms_status ms_staging_upload(ms_staging *staging, const ms_staging_list *list, void *to, int threads,
                            ms_error *err)
{
  return ms_staging_upload_beside(staging, list, to, threads, NULL, err);
}
