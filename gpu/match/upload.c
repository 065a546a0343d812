#include "gpu/match/upload.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "gpu/common/cuda_error.h"
#include "match/cpu/sorted.h"

#include <pthread.h>
#include <string.h>

enum { MOST_DEVICES = 64, VERTICES = 4096 /* that a thread takes at a time */ };

/* The index that a device keeps. */
typedef struct kept_index {
  uint64_t serial; /* 0: none */
  uint32_t users;
  void *memory;
  uint64_t bytes;
  ms_device_index index;
  ms_device_colors colors;
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
      "the graph and the plan take %.1f KiB of GPU memory, and %.1f KiB are free; " MS_GPU_MORE_MEMORY
      ", or use the CPU engine",
      (double)bytes / 1024, (double)room / 1024);
}

/* ---- the index -------------------------------------------------------------------- */

/* Where the rows of a kind are, from the start of the memory. */
typedef struct row_places {
  uint64_t offset, neighbor, smaller;
} row_places;

typedef struct index_upload {
  ms_staging_list list;
  uint32_t *smaller[MS_DEVICE_KINDS]; /* [n] */
  row_places at[MS_DEVICE_KINDS];
  /* Rows of the further kinds, which are many and short, are one part: their ms_device_rows,
   * and then the rows. */
  uint8_t *more; /* [more_bytes] */
  uint64_t more_bytes, at_more;
  uint64_t best, near, part_offset, part; /* places */
} index_upload;

typedef struct smaller_count {
  const ms_neighbor_rows *rows;
  uint32_t *smaller; /* [n] */
} smaller_count;

static void count_range(void *user, ms_range r)
{
  const smaller_count *c = user;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    uint32_t length;
    const uint32_t *row = ms_row(c->rows, v, &length);
    c->smaller[v] = (uint32_t)ms_lower_bound(row, length, v);
  }
}

static void count_smaller(const ms_neighbor_rows *rows, uint32_t n, int threads, uint32_t *smaller)
{
  ms_parallel(ms_threads_for(threads, n), n, VERTICES, count_range,
              &(smaller_count){rows, smaller});
}

/* Finds the two longest rows of all kinds: no intersection of two rows is longer than the
 * second. */
static void find_longest(const ms_pattern_index *index, ms_device_index *to)
{
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t length = 0;
    for (uint32_t kind = 0; kind < index->kinds; kind++)
      length = ms_row_length(&index->rows[kind], v) > length ? ms_row_length(&index->rows[kind], v)
                                                             : length;
    if (length > to->longest) {
      to->second = to->longest;
      to->longest = length;
    } else if (length > to->second) {
      to->second = length;
    }
  }
}

static uint32_t further_kinds(const ms_pattern_index *index)
{
  return index->kinds > MS_DEVICE_KINDS ? index->kinds - MS_DEVICE_KINDS : 0;
}

/* Returns the places of the rows of a further kind, from the start of `more`, and sets *end to
 * the first byte after them. */
static row_places place_more(const ms_pattern_index *index, uint32_t kind, uint64_t begin,
                             uint64_t *end)
{
  row_places at = {.offset = ms_gpu_aligned(begin)};
  uint64_t n = index->n;
  at.neighbor = ms_gpu_aligned(at.offset + (n + 1) * sizeof(uint64_t));
  at.smaller = at.neighbor + index->rows[kind].offset[n] * sizeof(uint32_t);
  *end = at.smaller + n * sizeof(uint32_t);
  return at;
}

static ms_status collect_more(const ms_pattern_index *index, int threads, index_upload *u,
                              ms_error *err)
{
  uint64_t first = further_kinds(index) * sizeof(ms_device_rows), n = index->n;
  if (first == 0)
    return MS_OK;
  u->more_bytes = first;
  for (uint32_t kind = MS_DEVICE_KINDS; kind < index->kinds; kind++)
    place_more(index, kind, u->more_bytes, &u->more_bytes);
  u->more = ms_alloc_lines(u->more_bytes, 1);
  if (!u->more)
    return ms_fail_memory(err, "an index for the GPU");
  for (uint32_t kind = MS_DEVICE_KINDS; kind < index->kinds; kind++) {
    const ms_neighbor_rows *rows = &index->rows[kind];
    row_places at = place_more(index, kind, first, &first);
    memcpy(u->more + at.offset, rows->offset, (n + 1) * sizeof *rows->offset);
    memcpy(u->more + at.neighbor, rows->neighbor, rows->offset[n] * sizeof *rows->neighbor);
    count_smaller(rows, index->n, threads, (uint32_t *)(void *)(u->more + at.smaller));
  }
  u->at_more = ms_staging_add(&u->list, u->more, u->more_bytes);
  return MS_OK;
}

/* Lists what filters of domains read, if the index has it. */
static void collect_colors(const ms_pattern_index *index, index_upload *u)
{
  uint64_t n = index->n;
  if (index->best)
    u->best = ms_staging_add(&u->list, index->best, n * sizeof *index->best);
  if (index->near)
    u->near = ms_staging_add(&u->list, index->near, n * sizeof *index->near);
  if (!index->part)
    return;
  u->part_offset =
      ms_staging_add(&u->list, index->part_offset, (n + 1) * sizeof *index->part_offset);
  u->part = ms_staging_add(&u->list, index->part, index->part_offset[n] * sizeof *index->part);
}

static void place_colors(const ms_pattern_index *index, const index_upload *u, const uint8_t *base,
                         ms_device_colors *to)
{
  *to = (ms_device_colors){0};
  if (index->best)
    to->best = (const uint32_t *)(const void *)(base + u->best);
  if (index->near)
    to->near = (const uint64_t *)(const void *)(base + u->near);
  if (!index->part)
    return;
  to->part_offset = (const uint64_t *)(const void *)(base + u->part_offset);
  to->part = (const uint32_t *)(const void *)(base + u->part);
}

static ms_status collect_index(const ms_pattern_index *index, int threads, index_upload *u,
                               ms_error *err)
{
  uint64_t n = index->n;
  for (uint32_t kind = 0; kind < index->kinds && kind < MS_DEVICE_KINDS; kind++) {
    const ms_neighbor_rows *rows = &index->rows[kind];
    u->smaller[kind] = ms_alloc_lines(n + 1, sizeof *u->smaller[kind]);
    if (!u->smaller[kind])
      return ms_fail_memory(err, "an index for the GPU");
    count_smaller(rows, index->n, threads, u->smaller[kind]);
    u->at[kind].offset = ms_staging_add(&u->list, rows->offset, (n + 1) * sizeof *rows->offset);
    u->at[kind].neighbor =
        ms_staging_add(&u->list, rows->neighbor, rows->offset[n] * sizeof *rows->neighbor);
    u->at[kind].smaller = ms_staging_add(&u->list, u->smaller[kind], n * sizeof *u->smaller[kind]);
  }
  collect_colors(index, u);
  return collect_more(index, threads, u, err);
}

static ms_device_rows rows_at(const uint8_t *base, row_places at)
{
  return (ms_device_rows){.offset = (const uint64_t *)(const void *)(base + at.offset),
                          .neighbor = (const uint32_t *)(const void *)(base + at.neighbor),
                          .smaller = (const uint32_t *)(const void *)(base + at.smaller)};
}

/* Fills the addresses for a copy at `base`. */
static void place_index(const ms_pattern_index *index, index_upload *u, const uint8_t *base,
                        ms_device_index *to)
{
  *to = (ms_device_index){.n = index->n, .directed = index->directed};
  find_longest(index, to);
  for (uint32_t kind = 0; kind < index->kinds && kind < MS_DEVICE_KINDS; kind++)
    to->rows[kind] = rows_at(base, u->at[kind]);
  if (further_kinds(index) == 0)
    return;
  ms_device_rows *more = (ms_device_rows *)(void *)u->more;
  uint64_t first = further_kinds(index) * sizeof *more;
  for (uint32_t kind = MS_DEVICE_KINDS; kind < index->kinds; kind++)
    more[kind - MS_DEVICE_KINDS] =
        rows_at(base + u->at_more, place_more(index, kind, first, &first));
  to->more = (const ms_device_rows *)(const void *)(base + u->at_more);
}

static ms_status upload_index(ms_gpu_match *m, const ms_pattern_index *index, ms_error *err)
{
  static const char what[] = "copying the graph";
  index_upload u = {0};
  ms_status status = collect_index(index, m->gpu.threads, &u, err);
  if (status == MS_OK)
    status = check_room(m, u.list.bytes, err);
  if (status == MS_OK)
    status = ms_gpu_alloc(&m->gpu, u.list.bytes, &m->own_index, what, err);
  if (status == MS_OK) {
    place_index(index, &u, m->own_index, &m->index);
    place_colors(index, &u, m->own_index, &m->colors);
    status = ms_staging_upload(&m->gpu.staging, &u.list, m->own_index, m->gpu.threads, err);
  }
  if (status == MS_OK) {
    m->index_bytes = u.list.bytes;
    /* another context may use the kept index on another stream */
    status = ms_cuda_status(cudaStreamSynchronize(m->gpu.staging.stream), what, err);
  }
  for (int kind = 0; kind < MS_DEVICE_KINDS; kind++)
    ms_free(u.smaller[kind]);
  ms_free(u.more);
  return status;
}

/* ---- the index that is kept ---------------------------------------------------------- */

/* Takes the kept index, if it has this number. */
static bool find_kept(ms_gpu_match *m, uint64_t serial)
{
  if (m->gpu.device >= MOST_DEVICES)
    return false;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[m->gpu.device];
  bool found = k->serial == serial;
  if (found) {
    k->users++;
    m->holds = true;
    m->index = k->index;
    m->colors = k->colors;
    m->index_bytes = k->bytes;
  }
  pthread_mutex_unlock(&kept_lock);
  return found;
}

/* Does the same, or makes room for the new index. */
static bool use_kept(ms_gpu_match *m, uint64_t serial)
{
  if (m->gpu.device >= MOST_DEVICES)
    return false;
  if (find_kept(m, serial))
    return true;
  pthread_mutex_lock(&kept_lock);
  kept_index *k = &kept[m->gpu.device];
  if (k->users == 0 && k->serial > 0) {
    ms_gpu_free(&m->gpu, k->memory);
    *k = (kept_index){0};
  }
  pthread_mutex_unlock(&kept_lock);
  return false;
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
                      .index = m->index,
                      .colors = m->colors};
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

int ms_gpu_match_device_of(const ms_pattern_index *index)
{
  int found = -1;
  pthread_mutex_lock(&kept_lock);
  for (int device = 0; device < MOST_DEVICES && found < 0; device++)
    if (kept[device].serial == index->serial)
      found = device;
  pthread_mutex_unlock(&kept_lock);
  return found;
}

ms_status ms_gpu_match_open_kept(ms_gpu_match *m, const ms_pattern_index *index, int device,
                                 int threads, ms_error *err)
{
  memset(m, 0, sizeof *m);
  MS_TRY(ms_gpu_context_open(&m->gpu, device, threads, 0, err));
  if (!find_kept(m, index->serial))
    return ms_fail(err, MS_ERR_USAGE, "the GPU does not keep this graph any more");
  m->gpu.taken = m->index_bytes;
  return MS_OK;
}

/* ---- index and program ---------------------------------------------------------------- */

static ms_status upload_program(ms_gpu_match *m, ms_error *err)
{
  MS_TRY(check_room(m, m->packed.list.bytes, err));
  MS_TRY(ms_gpu_alloc(&m->gpu, m->packed.list.bytes, &m->memory, "copying the plan", err));
  ms_packed_program_place(&m->packed, &m->index, m->memory);
  m->program = m->packed.large ? NULL : (const ms_device_program *)(const void *)m->memory;
  return ms_staging_upload(&m->gpu.staging, &m->packed.list, m->memory, m->gpu.threads, err);
}

ms_status ms_gpu_match_open(ms_gpu_match *m, const ms_pattern_task *task, int device, int threads,
                            ms_error *err)
{
  const ms_program *program = task->program;
  memset(m, 0, sizeof *m);
  MS_TRY(ms_packed_program_new(program, &m->packed, err));
  MS_TRY(ms_gpu_context_open(&m->gpu, device, threads, task->gpu_memory, err));
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
