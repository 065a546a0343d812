#include "gpu/match/upload.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "gpu/common/cuda_error.h"
#include "match/cpu/sorted.h"

#include <pthread.h>
#include <string.h>

enum { MOST_DEVICES = 64 };

/* The index that a device keeps. */
typedef struct kept_index {
  uint64_t serial; /* 0: none */
  uint32_t users;
  void *memory;
  uint64_t bytes;
  ms_device_index index;
} kept_index;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER; /* of `kept` */
static kept_index kept[MOST_DEVICES];

static ms_status check_room(const ms_gpu_match *m, uint64_t bytes, ms_error *err)
{
  uint64_t room;
  ms_status status = ms_gpu_room(&m->gpu, bytes, &room, err);
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
  ms_staging_list list;
  uint32_t *smaller[MS_ROW_KINDS]; /* [n] */
} index_upload;

static void count_smaller(const ms_neighbor_rows *rows, uint32_t n, int threads, uint32_t *smaller)
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

/* at[kind]: the places of offset, neighbor and smaller, from the start of the memory. */
static ms_status collect_index(const ms_pattern_index *index, int threads, index_upload *u,
                               uint64_t at[MS_ROW_KINDS][3], ms_error *err)
{
  uint64_t n = index->n;
  for (int kind = 0; kind < (index->directed ? MS_ROW_KINDS : 1); kind++) {
    const ms_neighbor_rows *rows = &index->rows[kind];
    u->smaller[kind] = ms_alloc_lines(n + 1, sizeof *u->smaller[kind]);
    if (!u->smaller[kind])
      return ms_fail_memory(err, "an index for the GPU");
    count_smaller(rows, index->n, threads, u->smaller[kind]);
    at[kind][0] = ms_staging_add(&u->list, rows->offset, (n + 1) * sizeof *rows->offset);
    at[kind][1] =
        ms_staging_add(&u->list, rows->neighbor, rows->offset[n] * sizeof *rows->neighbor);
    at[kind][2] = ms_staging_add(&u->list, u->smaller[kind], n * sizeof *u->smaller[kind]);
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

static ms_status upload_index(ms_gpu_match *m, const ms_pattern_index *index, ms_error *err)
{
  static const char what[] = "copying the graph";
  index_upload u = {0};
  uint64_t at[MS_ROW_KINDS][3];
  ms_status status = collect_index(index, m->gpu.threads, &u, at, err);
  if (status == MS_OK)
    status = check_room(m, u.list.bytes, err);
  if (status == MS_OK)
    status = ms_gpu_alloc(&m->gpu, u.list.bytes, &m->own_index, what, err);
  if (status == MS_OK)
    status = ms_staging_upload(&m->gpu.staging, &u.list, m->own_index, m->gpu.threads, err);
  if (status == MS_OK) {
    place_index(index, at, m->own_index, &m->index);
    m->index_bytes = u.list.bytes;
    /* another context may use the kept index on another stream */
    status = ms_cuda_status(cudaStreamSynchronize(m->gpu.staging.stream), what, err);
  }
  for (int kind = 0; kind < MS_ROW_KINDS; kind++)
    ms_free(u.smaller[kind]);
  return status;
}

/* ---- the index that is kept ---------------------------------------------------------- */

static bool use_kept(ms_gpu_match *m, uint64_t serial)
{
  bool found = false;
  if (m->gpu.device >= MOST_DEVICES)
    return false;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[m->gpu.device];
  found = k->serial == serial;
  if (found) {
    k->users++;
    m->holds = true;
    m->index = k->index;
    m->index_bytes = k->bytes;
  } else if (k->users == 0 && k->serial > 0) { /* make room for the new index */
    ms_gpu_free(&m->gpu, k->memory);
    *k = (kept_index){0};
  }
  pthread_mutex_unlock(&kept_lock);
  return found;
}

static void keep_index(ms_gpu_match *m, uint64_t serial)
{
  if (m->gpu.device >= MOST_DEVICES)
    return;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[m->gpu.device];
  if (k->serial == 0) {
    *k = (kept_index){.serial = serial,
                      .users = 1,
                      .memory = m->own_index,
                      .bytes = m->index_bytes,
                      .index = m->index};
    m->own_index = NULL;
    m->holds = true;
  }
  pthread_mutex_unlock(&kept_lock);
}

/* Releases the index.  After an error of the device nothing on it is used again. */
static void leave_index(ms_gpu_match *m)
{
  if (m->holds) {
    pthread_mutex_lock(&kept_lock);
    kept_index *k = &kept[m->gpu.device];
    k->users--;
    if (m->gpu.failed && k->users == 0) {
      ms_gpu_free(&m->gpu, k->memory);
      *k = (kept_index){0};
    }
    pthread_mutex_unlock(&kept_lock);
  }
  ms_gpu_free(&m->gpu, m->own_index);
}

void ms_gpu_match_free_kept(void)
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

/* ---- index and program ---------------------------------------------------------------- */

static ms_status upload_program(ms_gpu_match *m, ms_error *err)
{
  MS_TRY(check_room(m, m->packed.list.bytes, err));
  MS_TRY(ms_gpu_alloc(&m->gpu, m->packed.list.bytes, &m->memory, "copying the plan", err));
  ms_packed_program_place(&m->packed, &m->index, m->memory);
  m->program = (const ms_device_program *)(const void *)m->memory;
  return ms_staging_upload(&m->gpu.staging, &m->packed.list, m->memory, m->gpu.threads, err);
}

ms_status ms_gpu_match_open(ms_gpu_match *m, const ms_program *program, int device, int threads,
                            ms_error *err)
{
  memset(m, 0, sizeof *m);
  MS_TRY(ms_packed_program_new(program, &m->packed, err));
  MS_TRY(ms_gpu_context_open(&m->gpu, device, threads, err));
  m->gpu.taken = m->packed.list.bytes;
  if (!use_kept(m, program->index->serial)) {
    MS_TRY(upload_index(m, program->index, err));
    keep_index(m, program->index->serial);
  }
  m->gpu.taken += m->index_bytes;
  return upload_program(m, err);
}

void ms_gpu_match_close(ms_gpu_match *m)
{
  if (ms_gpu_context_wait(&m->gpu)) {
    ms_gpu_free(&m->gpu, m->memory);
    leave_index(m);
    ms_gpu_context_close(&m->gpu);
  }
  ms_packed_program_free(&m->packed);
}
