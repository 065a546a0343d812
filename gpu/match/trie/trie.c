/* The engine `trie`: memory, launches, and a drive (gpu/match/trie/trie_drive.h) on each GPU. The
 * order of its matches differs from run to run. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"
#include "gpu/common/launch.h"
#include "gpu/match/domains.h"
#include "gpu/match/task.h"
#include "gpu/match/trie/trie_drive.h"
#include "match/engine.h"

#include <string.h>

/* Device memory for the levels: more of it makes no GPU busier, and takes long to allocate. */
#define MOST_BYTES ((uint64_t)512 << 20)
/* Rows of at least this many neighbours are also stored as bits: reading one bit takes less time
 * than a binary search.  The bits take an eighth of the memory at most, and no more than an
 * amount of which second-level caches hold a good part. */
#define HUB_DEGREE 64u
#define MOST_HUB_BYTES ((uint64_t)64 << 20)
#define LEAST_BYTES ((uint64_t)64 << 10)
enum {
  MOST_WARPS = 8,            /* of a block */
  MULTIPROCESSOR_WARPS = 64, /* most that one can hold, on GPUs of capability 8 and 9 */
  LEAST_TURNS = 128, /* turns of a multiprocessor's warps before they take more entries at a time:
                        long turns at the end make the others wait */
  BUSY_BLOCKS = 8    /* of independent threads, for each multiprocessor */
};

/* The machine of gpu/match/trie/trie_drive.h.  Pinned buffer 0 is for the counters, 1 and 2 are for
 * rows. */
typedef struct gpu_machine {
  ms_gpu_match match;
  uint32_t multiprocessors;
  bool many; /* the program has many levels */
  ms_conjunction_tables tables;
  ms_conjunction_program program;
  ms_trie_memory memory;
  ms_trie_memory_plan plan;
  ms_trie_hubs hubs;
  void *table_memory, *level_memory; /* on the device */
  ms_integrity *integrity;           /* NULL: counters are not checked */
} gpu_machine;

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static const void *kernel_of(const gpu_machine *m, uint32_t kernel)
{
  return m->many ? ms_trie_many_function(kernel) : ms_trie_function(kernel);
}

/* ---- launches ------------------------------------------------------------------------ */

/* Launches a kernel in which each thread, or each warp, works independently. */
static ms_status launch_plain(gpu_machine *m, uint32_t kernel, uint64_t blocks, void **arguments,
                              const char *what, ms_error *err)
{
  ms_gpu_grid grid = {(uint32_t)blocks, MS_TRIE_PLAIN_THREADS, 0};
  return ms_gpu_launch(kernel_of(m, kernel), grid, arguments, m->match.gpu.staging.stream, what,
                       err);
}

static uint64_t plain_blocks(uint64_t threads)
{
  return (threads + MS_TRIE_PLAIN_THREADS - 1) / MS_TRIE_PLAIN_THREADS;
}

/* Returns a bound on the items that a launch can leave. */
static uint64_t most_items(const gpu_machine *m)
{
  return (uint64_t)m->multiprocessors * MULTIPROCESSOR_WARPS * MS_TRIE_BATCH;
}

/* Sets the batch, and the warps of the launch, of which the device holds `most`: so few that they
 * leave no more items than a list has room for.  A kernel that finds its work itself gets all. */
static void share_work(const gpu_machine *m, ms_trie_work *work, ms_trie_job job, uint64_t most)
{
  uint64_t all = work->n_items + (work->end - work->begin);
  work->share = job == MS_TRIE_EXPAND ? most : (uint64_t)m->multiprocessors * LEAST_TURNS;
  uint64_t batch = work->follows ? MS_TRIE_BATCH : (all + work->share - 1) / work->share;
  work->batch = (uint32_t)smaller(smaller(batch, MS_TRIE_BATCH), m->memory.most_items);
  uint64_t warps = smaller(most, m->memory.most_items / (work->batch > 0 ? work->batch : 1));
  if (!work->follows)
    warps = all == 0 ? 0 : smaller((all + work->batch - 1) / work->batch, warps);
  work->warps = (uint32_t)warps;
}

/* Launches a kernel for the job; counters: of the kernel. */
static ms_status launch_work(gpu_machine *m, const ms_trie_work *given, ms_trie_job job,
                             ms_trie_counters *counters, const char *what, ms_error *err)
{
  const void *kernel = kernel_of(m, MS_TRIE_WORK + (uint32_t)job);
  ms_trie_memory memory = m->memory;
  ms_trie_work work = *given;
  uint32_t words = ms_trie_words(&m->program, job), resident; /* at most 44 KiB */
  uint64_t warp_bytes = words * sizeof(uint32_t),
           a_block = smaller(MOST_WARPS, MS_GPU_PLAIN_SHARED / warp_bytes);
  MS_TRY(ms_gpu_occupancy(kernel, (uint32_t)a_block * MS_GPU_WARP, (uint32_t)(a_block * warp_bytes),
                          &resident, err));
  share_work(m, &work, job, (resident ? resident : 1) * a_block * m->multiprocessors);
  if (work.warps == 0)
    return MS_OK;
  a_block = smaller(a_block, work.warps);
  ms_gpu_grid grid = {.blocks = work.warps / (uint32_t)a_block,
                      .threads = (uint32_t)a_block * MS_GPU_WARP,
                      .shared_bytes = (uint32_t)(a_block * warp_bytes)};
  work.warps = grid.blocks * (uint32_t)a_block;
  memory.counters = counters;
  void *arguments[] = {&m->program, &memory, &work, &words};
  return ms_gpu_launch(kernel, grid, arguments, m->match.gpu.staging.stream, what, err);
}

/* ---- what a drive asks for ---------------------------------------------------- */

static ms_status write_roots(void *on, uint64_t first, uint64_t count, ms_error *err)
{
  gpu_machine *m = on;
  void *arguments[] = {&m->program, &m->memory, &first, &count};
  return launch_plain(m, MS_TRIE_ROOTS, plain_blocks(count), arguments,
                      "starting a search on the GPU", err);
}

static const char searching[] = "searching on the GPU";

static ms_status clear_counters(gpu_machine *m, uint32_t count, ms_error *err)
{
  return ms_cuda_status(cudaMemsetAsync(m->memory.counters, 0, count * sizeof *m->memory.counters,
                                        m->match.gpu.staging.stream),
                        searching, err);
}

/* Waits for the kernels, and reads their counters. */
static ms_status fetch_counters(gpu_machine *m, uint32_t count, ms_trie_counters *out,
                                ms_error *err)
{
  ms_staging *s = &m->match.gpu.staging;
  ms_trie_counters *counters = m->memory.counters;
  uint64_t bytes = count * sizeof *out;
  MS_TRY_CUDA(cudaMemcpyAsync(s->buffer[0], counters, bytes, cudaMemcpyDeviceToHost, s->stream),
              searching);
  MS_TRY_CUDA(cudaStreamSynchronize(s->stream), searching);
  ms_staging_note(bytes);
  MS_TRY(ms_gpu_check_copy(&m->match.gpu, m->integrity, counters, s->buffer[0], bytes, err));
  memcpy(out, s->buffer[0], bytes);
  return MS_OK;
}

static ms_status run_job(void *on, ms_trie_job job, const ms_trie_work *work, ms_trie_counters *out,
                         ms_error *err)
{
  gpu_machine *m = on;
  MS_TRY(clear_counters(m, 1, err));
  MS_TRY(launch_work(m, work, job, m->memory.counters, searching, err));
  return fetch_counters(m, 1, out, err);
}

static ms_status run_descent(void *on, const ms_trie_descent *d, ms_trie_counters *out,
                             ms_error *err)
{
  gpu_machine *m = on;
  uint32_t kernels = d->deepest + d->counts;
  MS_TRY(clear_counters(m, kernels, err));
  for (uint32_t i = 0; i < kernels; i++) {
    ms_trie_work work = ms_trie_descent_work(d, i);
    MS_TRY(launch_work(m, &work, i < d->deepest ? MS_TRIE_EXPAND : d->job, m->memory.counters + i,
                       searching, err));
  }
  return fetch_counters(m, kernels, out, err);
}

static ms_status copy_items(void *on, uint32_t to, uint64_t to_at, uint32_t from, uint64_t from_at,
                            uint64_t count, ms_error *err)
{
  gpu_machine *m = on;
  ms_trie_item *item = m->memory.item;
  return ms_cuda_status(cudaMemcpyAsync(item + to * m->plan.items + to_at,
                                        item + from * m->plan.items + from_at, count * sizeof *item,
                                        cudaMemcpyDeviceToDevice, m->match.gpu.staging.stream),
                        "copying what is left of a level", err);
}

static const ms_trie_machine gpu_machine_calls = {
    .roots = write_roots, .work = run_job, .descend = run_descent, .copy_items = copy_items};

static uint64_t buffer_rows(const gpu_machine *m)
{
  return MS_STAGING_BYTES / (m->program.prefix * sizeof(uint32_t));
}

static ms_status fetch_rows(void *on, uint32_t buffer, uint64_t first, uint64_t count,
                            ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  gpu_machine *m = on;
  ms_staging *s = &m->match.gpu.staging;
  uint64_t room = buffer_rows(m);
  void *arguments[] = {&m->program, &m->memory, &first, &count, &s->buffer[1 + buffer], &room};
  MS_TRY(launch_plain(m, MS_TRIE_GATHER, plain_blocks(count), arguments, what, err));
  return ms_cuda_status(cudaEventRecord(s->copied[1 + buffer], s->stream), what, err);
}

static ms_status wait_for_rows(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  gpu_machine *m = on;
  return ms_staging_wait(&m->match.gpu.staging, 1 + buffer, rows, err);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Plans the rows as bits.  room: 0 if they do not pay, or if there is too little memory. */
static void plan_hubs(gpu_machine *m, const ms_pattern_index *index, uint64_t bytes)
{
  uint64_t most = index->arcs / HUB_DEGREE, words = ((uint64_t)index->n + 31) / 32,
           row = words * sizeof(uint32_t);
  uint64_t numbers = ((uint64_t)index->n + 1) * sizeof(uint32_t), some = bytes / 8;
  some = some < MOST_HUB_BYTES ? some : MOST_HUB_BYTES;
  uint64_t fit = some > numbers ? (some - numbers) / row : 0;
  m->hubs = (ms_trie_hubs){.n = index->n, .least = HUB_DEGREE, .words = words};
  if (m->match.index.longest >= HUB_DEGREE)
    m->hubs.room = (uint32_t)(fit < most ? fit : most);
}

/* Sets the places of the levels and the rows as bits, and returns the number of bytes. */
static uint64_t place_memory(gpu_machine *m)
{
  ms_gpu_layout at = {.base = m->level_memory};
  m->memory.counters = ms_gpu_place(&at, m->program.prefix, sizeof *m->memory.counters);
  m->memory.item =
      ms_gpu_place(&at, m->plan.items * (m->program.prefix + 1), sizeof *m->memory.item);
  m->memory.parent = ms_gpu_place(&at, m->plan.entries, sizeof *m->memory.parent);
  m->memory.vertex = ms_gpu_place(&at, m->plan.entries, sizeof *m->memory.vertex);
  m->memory.most_items = m->plan.items;
  if (m->hubs.room > 0) {
    m->hubs.number = ms_gpu_place(&at, m->hubs.n + (uint64_t)1, sizeof *m->hubs.number);
    m->hubs.bits = ms_gpu_place(&at, m->hubs.room * m->hubs.words, sizeof *m->hubs.bits);
  }
  return at.bytes;
}

static ms_status make_hubs(gpu_machine *m, ms_error *err)
{
  static const char what[] = "starting a search on the GPU";
  ms_trie_hubs *h = &m->hubs;
  cudaStream_t stream = m->match.gpu.staging.stream;
  if (h->room == 0)
    return MS_OK;
  MS_TRY_CUDA(cudaMemsetAsync(h->number + h->n, 0, sizeof *h->number, stream), what);
  MS_TRY_CUDA(cudaMemsetAsync(h->bits, 0, h->room * h->words * sizeof *h->bits, stream), what);
  void *arguments[] = {&m->program, h};
  MS_TRY(launch_plain(m, MS_TRIE_HUBS,
                      smaller(plain_blocks((uint64_t)h->n * MS_GPU_WARP),
                              (uint64_t)m->multiprocessors * BUSY_BLOCKS),
                      arguments, what, err));
  m->program.hub = h->number;
  m->program.hub_bits = h->bits;
  m->program.hub_words = h->words;
  return MS_OK;
}

/* Takes the memory that is free, up to a bound; less where the memory is fragmented. */
static ms_status take_memory(gpu_machine *m, const ms_pattern_index *index, ms_error *err)
{
  uint64_t bytes;
  ms_status status = ms_gpu_room(&m->match.gpu, MOST_BYTES, &bytes, err);
  bytes = smaller(bytes, MOST_BYTES);
  while (status == MS_OK) {
    m->plan = (ms_trie_memory_plan){0};
    plan_hubs(m, index, bytes);
    uint64_t other = m->tables.bytes + place_memory(m) + 4 * MS_GPU_ALIGN;
    status = ms_trie_memory_plan_make(bytes > other ? bytes - other : 0, m->program.prefix,
                                      most_items(m), &m->plan, err);
    if (status != MS_OK)
      break;
    status = ms_gpu_alloc(&m->match.gpu, place_memory(m), &m->level_memory,
                          "making room for partial matches", err);
    if (status != MS_ERR_MEMORY || bytes / 2 < LEAST_BYTES)
      break;
    bytes /= 2;
    status = MS_OK;
  }
  if (status != MS_OK)
    return status;
  (void)place_memory(m);
  return make_hubs(m, err);
}

static ms_status open_machine(gpu_machine *m, const ms_gpu_share *s, int device, ms_error *err)
{
  const ms_program *program = s->task->program;
  ms_gpu_device facts;
  MS_TRY(ms_gpu_match_open(&m->match, s->task, device, s->sink.threads, err));
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  m->multiprocessors = (uint32_t)facts.multiprocessors;
  m->many = ms_program_has_many_levels(program);
  MS_TRY(ms_staging_make_buffers(&m->match.gpu.staging, MS_STAGING_BUFFERS, err));
  MS_TRY(ms_conjunction_upload(&m->match, program, true, m->many, &m->tables, &m->table_memory,
                               &m->program, err));
  /* the upload reads pinned buffers, which are for rows from now on */
  if (s->sink.make)
    MS_TRY_CUDA(cudaStreamSynchronize(m->match.gpu.staging.stream), "copying the plan");
  return take_memory(m, program->index, err);
}

static void close_machine(gpu_machine *m)
{
  ms_gpu_free(&m->match.gpu, m->level_memory);
  ms_gpu_free(&m->match.gpu, m->table_memory);
  ms_gpu_match_close(&m->match);
  ms_conjunction_tables_free(&m->tables);
}

/* ---- a search ----------------------------------------------------------------------------- */

static void report_fraction(void *share, double fraction)
{
  ms_gpu_share_report(share, fraction);
}

static ms_status search_roots(ms_gpu_share *s, gpu_machine *m, mpz_ptr sum, ms_error *err)
{
  ms_trie_roots roots = {0};
  ms_trie_drive drive = {.machine = &gpu_machine_calls,
                         .on = m,
                         .memory = m->plan,
                         .program = s->task->program,
                         .roots = &roots,
                         .stop = s->task->stop,
                         .sum = sum,
                         .report = report_fraction,
                         .report_user = s,
                         .rows = {.fetch = fetch_rows,
                                  .fetched = wait_for_rows,
                                  .on = m,
                                  .length = m->program.prefix,
                                  .piece = buffer_rows(m),
                                  .columns = true},
                         .sink = s->sink.make ? &s->sink : NULL,
                         .halt = &s->halt};
  ms_status status = MS_OK;
  while (status == MS_OK &&
         ms_gpu_share_take(s, ms_gpu_task_roots(s->task), &roots.next, &roots.count))
    status = ms_trie_drive_run(&drive, err);
  ms_gpu_share_add_work(s, &drive.work);
  return status;
}

static ms_status run_trie_device(ms_gpu_share *s, int device, ms_error *err)
{
  gpu_machine *m = ms_calloc(1, sizeof *m);
  mpz_t sum;
  if (!m)
    return ms_fail_memory(err, "a search on a GPU");
  mpz_init(sum);
  m->integrity = s->task->integrity;
  ms_status status = open_machine(m, s, device, err);
  if (status == MS_OK)
    status = search_roots(s, m, sum, err);
  ms_gpu_context_note_status(&m->match.gpu, status);
  close_machine(m);
  ms_free(m);
  if (!s->sink.make)
    ms_gpu_share_add_number(s, sum);
  mpz_clear(sum);
  return status;
}

static ms_status count_by_trie(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, run_trie_device, sum, err);
}

static ms_status list_by_trie(const ms_pattern_task *task, ms_rows_fn make, void *user,
                              ms_stream *stream, ms_error *err)
{
  return ms_gpu_task_list(task, run_trie_device, make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_trie = {
    .name = "trie",
    .tables = MS_TABLE_ROWS,
    .devices = ms_gpu_task_devices,
    .supports = ms_gpu_task_supports,
    .filter_domains = ms_gpu_filter_domains,
    .count = count_by_trie,
    .list = list_by_trie,
};
