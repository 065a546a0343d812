/* The engine `trie`: memory of its GPUs, and a drive (gpu/match/trie_drive.h) on each.
 * The order of its matches differs from run to run. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/share.h"
#include "gpu/gpu.h"
#include "gpu/match/conjunction_upload.h"
#include "gpu/match/engines.h"
#include "gpu/match/trie_drive.h"
#include "gpu/match/trie_launch.h"

#include <string.h>

#define ALIGN ((uint64_t)256)
/* Device memory for the levels: more of it keeps no GPU busier, and takes long
 * to get. */
#define MOST_BYTES ((uint64_t)512 << 20)
/* Rows of so many neighbours are made into bits, too: reading one bit takes less
 * than a search by halves.  They take an eighth of the memory at most, and no
 * more than what second-level caches hold a good part of. */
#define HUB_DEGREE 64u
#define MOST_HUB_BYTES ((uint64_t)64 << 20)
#define LEAST_BYTES ((uint64_t)64 << 10)
enum { COUNTER_BUFFER = 2 };

_Static_assert((int)MS_TRIE_BUFFERS <= (int)COUNTER_BUFFER &&
                   (int)COUNTER_BUFFER < (int)MS_STAGING_BUFFERS,
               "each buffer of rows, and the counters, have a pinned buffer");

/* A machine of gpu/match/trie_drive.h. */
typedef struct gpu_machine {
  ms_gpu_pattern context;
  int multiprocessors;
  ms_trie_tables tables;
  ms_trie_program program;
  ms_trie_memory memory;
  ms_trie_memory_plan plan;
  ms_trie_hubs hubs;
  void *table_memory, *level_memory; /* on the device */
} gpu_machine;

/* ---- what a drive asks for ---------------------------------------------------- */

static ms_status roots(void *on, uint64_t first, uint64_t count, ms_error *err)
{
  gpu_machine *m = on;
  return ms_cuda_status(
      ms_trie_launch_roots(&m->program, &m->memory, first, count, m->context.staging.stream),
      "starting a search on the GPU", err);
}

static ms_status do_work(void *on, ms_trie_job job, const ms_trie_work *given,
                         ms_trie_counters *out, ms_error *err)
{
  static const char what[] = "searching on the GPU";
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  ms_status status = ms_cuda_status(ms_trie_launch_work(&m->program, &m->memory, given, job,
                                                        (uint32_t)m->multiprocessors, s->stream),
                                    what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemcpyAsync(s->buffer[COUNTER_BUFFER], m->memory.counters,
                                            sizeof *out, cudaMemcpyDeviceToHost, s->stream),
                            what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamSynchronize(s->stream), what, err);
  if (status == MS_OK)
    memcpy(out, s->buffer[COUNTER_BUFFER], sizeof *out);
  return status;
}

static ms_status copy_items(void *on, uint32_t to, uint64_t to_at, uint32_t from, uint64_t from_at,
                            uint64_t count, ms_error *err)
{
  gpu_machine *m = on;
  ms_trie_item *item = m->memory.item;
  return ms_cuda_status(cudaMemcpyAsync(item + to * m->plan.items + to_at,
                                        item + from * m->plan.items + from_at, count * sizeof *item,
                                        cudaMemcpyDeviceToDevice, m->context.staging.stream),
                        "copying what is left of a level", err);
}

static ms_status fetch(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  uint32_t *rows = (uint32_t *)(void *)s->buffer[buffer];
  ms_status status = ms_cuda_status(
      ms_trie_launch_gather(&m->program, &m->memory, first, count, rows, m->plan.rows, s->stream),
      what, err);
  return status == MS_OK ? ms_cuda_status(cudaEventRecord(s->copied[buffer], s->stream), what, err)
                         : status;
}

static ms_status fetched(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  *rows = (const uint32_t *)(const void *)s->buffer[buffer];
  return ms_cuda_status(cudaEventSynchronize(s->copied[buffer]), "fetching matches from the GPU",
                        err);
}

static const ms_trie_machine gpu_machine_calls = {
    .roots = roots, .work = do_work, .copy_items = copy_items, .fetch = fetch, .fetched = fetched};

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* room: 0 if they are not worth it, or there is too little memory. */
static void plan_hubs(gpu_machine *m, const ms_pattern_index *index, uint64_t bytes)
{
  uint64_t most = index->arcs / HUB_DEGREE, words = ((uint64_t)index->n + 31) / 32,
           row = words * sizeof(uint32_t);
  uint64_t numbers = ((uint64_t)index->n + 1) * sizeof(uint32_t), some = bytes / 8;
  some = some < MOST_HUB_BYTES ? some : MOST_HUB_BYTES;
  uint64_t fit = some > numbers ? (some - numbers) / row : 0;
  m->hubs = (ms_trie_hubs){.n = index->n, .least = HUB_DEGREE, .words = words};
  if (m->context.index.longest >= HUB_DEGREE)
    m->hubs.room = (uint32_t)(fit < most ? fit : most);
}

static uint64_t hub_bytes(const ms_trie_hubs *h)
{
  return h->room > 0 ? aligned((h->n + (uint64_t)1) * sizeof(uint32_t)) +
                           aligned(h->room * h->words * sizeof(uint32_t))
                     : 0;
}

static uint64_t level_bytes(const gpu_machine *m)
{
  uint64_t items = m->plan.items * (m->program.prefix + 1) * MS_TRIE_ITEM_BYTES;
  return aligned(sizeof(ms_trie_counters)) + aligned(items) +
         2 * aligned(m->plan.entries * sizeof(uint32_t)) + hub_bytes(&m->hubs);
}

static void place_levels(gpu_machine *m)
{
  uint8_t *at = m->level_memory;
  m->memory.counters = (ms_trie_counters *)(void *)at;
  at += aligned(sizeof(ms_trie_counters));
  m->memory.item = (ms_trie_item *)(void *)at;
  at += aligned(m->plan.items * (m->program.prefix + 1) * MS_TRIE_ITEM_BYTES);
  m->memory.parent = (uint32_t *)(void *)at;
  at += aligned(m->plan.entries * sizeof(uint32_t));
  m->memory.vertex = (uint32_t *)(void *)at;
  at += aligned(m->plan.entries * sizeof(uint32_t));
  m->memory.most_items = m->plan.items;
  if (m->hubs.room > 0) {
    m->hubs.number = (uint32_t *)(void *)at;
    m->hubs.bits = (uint32_t *)(void *)(at + aligned((m->hubs.n + (uint64_t)1) * sizeof(uint32_t)));
  }
}

static ms_status make_hubs(gpu_machine *m, ms_error *err)
{
  if (m->hubs.room == 0)
    return MS_OK;
  ms_status status =
      ms_cuda_status(ms_trie_launch_hubs(&m->program, &m->hubs, (uint32_t)m->multiprocessors,
                                         m->context.staging.stream),
                     "starting a search on the GPU", err);
  m->program.hub = m->hubs.number;
  m->program.hub_bits = m->hubs.bits;
  m->program.hub_words = m->hubs.words;
  return status;
}

/* What there is, up to a bound; less where it is in pieces. */
static ms_status take_memory(gpu_machine *m, const ms_pattern_index *index, ms_error *err)
{
  uint64_t bytes, fixed = 6 * ALIGN + sizeof(ms_trie_counters) + m->tables.bytes;
  ms_status status = ms_gpu_pattern_room(&m->context, MOST_BYTES, &bytes, err);
  bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES;
  while (status == MS_OK) {
    plan_hubs(m, index, bytes);
    uint64_t other = fixed + hub_bytes(&m->hubs);
    status =
        ms_trie_memory_plan_make(bytes > other ? bytes - other : 0, m->program.prefix,
                                 ms_trie_most_items((uint32_t)m->multiprocessors), &m->plan, err);
    if (status != MS_OK)
      break;
    status = ms_gpu_pattern_alloc(&m->context, level_bytes(m), &m->level_memory,
                                  "making room for partial matches", err);
    if (status != MS_ERR_MEMORY || bytes / 2 < LEAST_BYTES)
      break;
    bytes /= 2;
    status = MS_OK;
  }
  m->plan.rows = MS_STAGING_BYTES / (m->program.prefix * sizeof(uint32_t));
  if (status != MS_OK)
    return status;
  place_levels(m);
  return make_hubs(m, err);
}

static ms_status machine_open(gpu_machine *m, const ms_gpu_share *s, int device, ms_error *err)
{
  const ms_program *program = s->task->program;
  ms_gpu_device facts;
  memset(m, 0, sizeof *m);
  ms_status status = ms_gpu_pattern_open(&m->context, program, device, s->threads, err);
  if (status == MS_OK)
    status = ms_gpu_device_facts(device, &facts, err);
  if (status == MS_OK) {
    m->multiprocessors = facts.multiprocessors;
    status = ms_staging_make_buffers(&m->context.staging, MS_STAGING_BUFFERS, err);
  }
  if (status == MS_OK)
    status =
        ms_trie_upload(&m->context, program, true, &m->tables, &m->table_memory, &m->program, err);
  /* the upload reads pinned buffers, which are for rows from now on */
  if (status == MS_OK && s->make)
    status =
        ms_cuda_status(cudaStreamSynchronize(m->context.staging.stream), "copying the plan", err);
  return status == MS_OK ? take_memory(m, program->index, err) : status;
}

static void machine_close(gpu_machine *m)
{
  if (m->context.staging.stream && cudaSetDevice(m->context.device) == cudaSuccess) {
    ms_gpu_pattern_free(&m->context, m->level_memory);
    ms_gpu_pattern_free(&m->context, m->table_memory);
  }
  ms_gpu_pattern_close(&m->context);
  ms_trie_tables_free(&m->tables);
}

/* ---- a search ----------------------------------------------------------------------------- */

static ms_status do_roots(ms_gpu_share *s, gpu_machine *m, mpz_ptr sum, ms_error *err)
{
  ms_trie_roots roots = {0};
  ms_trie_drive drive = {.machine = &gpu_machine_calls,
                         .on = m,
                         .memory = m->plan,
                         .program = s->task->program,
                         .roots = &roots,
                         .stop = s->task->stop,
                         .sum = sum,
                         .make = s->make,
                         .user = s->user,
                         .stream = s->stream,
                         .threads = s->threads,
                         .halt = &s->halt};
  uint64_t all = ms_gpu_share_roots(s->task);
  ms_status status = MS_OK;
  while (status == MS_OK && ms_gpu_share_take(s, all, &roots.next, &roots.count))
    status = ms_trie_drive_run(&drive, err);
  return status;
}

static ms_status work(ms_gpu_share *s, int device, ms_error *err)
{
  gpu_machine *m = ms_alloc(1, sizeof *m);
  mpz_t sum;
  if (!m)
    return ms_fail_memory(err, "a search on a GPU");
  mpz_init(sum);
  ms_status status = machine_open(m, s, device, err);
  if (status == MS_OK)
    status = do_roots(s, m, sum, err);
  if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_INTERNAL)
    m->context.failed = true;
  machine_close(m);
  ms_free(m);
  if (!s->make)
    ms_gpu_share_add_number(s, sum);
  mpz_clear(sum);
  return status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_gpu_share s = {.task = task, .sum = sum, .work = work};
  return ms_gpu_share_run(&s, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                      ms_error *err)
{
  ms_gpu_share s = {.task = task, .make = make, .user = user, .stream = stream, .work = work};
  return ms_gpu_share_run(&s, err);
}

const ms_pattern_engine ms_pattern_engine_trie = {
    .name = "trie",
    .tables = MS_TABLE_ROWS,
    .devices = ms_gpu_pattern_device_count,
    .takes = ms_gpu_pattern_takes,
    .count = count,
    .list = list,
};
