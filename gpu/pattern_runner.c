#include "gpu/pattern_runner.h"

#include "base/status.h"
#include "gpu/cuda_error.h"
#include "gpu/gpu.h"
#include "gpu/pattern.h"

#include <string.h>
#include <time.h>

#define ALIGN ((uint64_t)256)
#define OUTPUT_BYTES ((uint64_t)64 << 20) /* each of two, if there is room */
enum {
  UNIT_WARPS = 8,      /* a block of warps that work by themselves */
  TABLE_WARPS = 16,    /* a block that shares a table */
  MOST_UNITS = 64,     /* a stretch: some microseconds of work where rows are short */
  MOST_NEAR = 256,
  LEAST_ROWS = 1024    /* of an output, where memory is scarce */
};

/* what is left of the shared memory is L1 cache, which holds the rows */
uint32_t ms_gpu_pattern_near_bytes = 2048;

/* ---- sizes ---------------------------------------------------------------------- */

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* No stored set is longer.  One that is made from rows of two vertices is no
 * longer than the second longest of all rows. */
static uint32_t longest_set(const ms_device_program *p, const ms_device_index *index)
{
  bool two = !index->directed;
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].slot != UINT8_MAX)
      two = two && !p->set[i].subtract;
  return two ? index->second : index->longest;
}

static void plan_sets(ms_gpu_runner *r)
{
  const ms_device_program *p = &r->context.pack.program;
  ms_dfs_launch *l = &r->launch;
  uint32_t most = (longest_set(p, &r->context.index) + 31) / 32 * 32;
  if (p->n_slots > 0) {
    l->near_room = ms_gpu_pattern_near_bytes / (p->n_slots * (uint32_t)sizeof(uint32_t)) / 32 * 32;
    l->near_room = l->near_room < 32 ? 32 : l->near_room > MOST_NEAR ? MOST_NEAR : l->near_room;
    l->near_room = l->near_room < most ? l->near_room : most;
    l->far_room = most > l->near_room ? most : 0;
  }
  l->warp_bytes = ms_dfs_layout_of(p->prefix, p->n_sets, p->n_groups, p->n_slots, l->near_room).bytes;
}

/* Bytes of global memory that blocks and warps need, and their places in it. */
static uint64_t place_scratch(ms_gpu_runner *r, bool listing)
{
  const ms_device_program *p = &r->context.pack.program;
  ms_dfs_launch *l = &r->launch;
  uint64_t warps = (uint64_t)l->blocks * l->warps, at = 0;
  uint8_t *base = r->scratch;
  l->queue = (ms_device_queue *)(void *)base;
  at += aligned(sizeof *l->queue);
  l->far_sets = (uint32_t *)(void *)(base + at);
  at += aligned(warps * p->n_slots * l->far_room * sizeof *l->far_sets);
  if (r->kernel == MS_DFS_TABLE) {
    bool is_shared = l->shared_bytes > sizeof(ms_dfs_block) + l->warps * l->warp_bytes;
    l->table = is_shared ? NULL : base + at;
    at += is_shared ? 0 : aligned(l->blocks * l->table_bytes);
    l->touched = (uint32_t *)(void *)(base + at);
    at += aligned((uint64_t)l->blocks * l->index.n * sizeof *l->touched);
  }
  if (listing) {
    l->place = (ms_device_place *)(void *)(base + at);
    at += aligned(warps * sizeof *l->place);
    for (int i = 0; i < 2; i++) {
      r->output[i] = (uint32_t *)(void *)(base + at);
      at += aligned(r->room * p->prefix * sizeof(uint32_t));
    }
  }
  return at;
}

/* Blocks that all multiprocessors hold, no more than there is work for. */
static ms_status plan_blocks(ms_gpu_runner *r, const ms_gpu_device *facts, uint32_t warps, ms_error *err)
{
  const ms_device_program *p = &r->context.pack.program;
  ms_dfs_launch *l = &r->launch;
  uint32_t blocks = 0;
  while (warps > 1 && sizeof(ms_dfs_block) + warps * l->warp_bytes > facts->shared)
    warps /= 2;
  uint64_t plain = sizeof(ms_dfs_block) + warps * l->warp_bytes, units_a_block = r->kernel == MS_DFS_TABLE ? 1 : warps;
  bool table_fits = r->kernel == MS_DFS_TABLE && plain + l->table_bytes <= facts->shared;
  l->warps = warps;
  l->shared_bytes = (uint32_t)(plain + (table_fits ? l->table_bytes : 0));
  ms_status status = ms_cuda_status(ms_dfs_occupancy(r->kernel, warps, l->shared_bytes, &blocks), "asking what a "
                                    "multiprocessor holds", err);
  uint64_t all = (uint64_t)blocks * (uint32_t)facts->multiprocessors, wanted = p->units / units_a_block + 1;
  l->blocks = (uint32_t)(all < wanted ? all : wanted);
  if (status == MS_OK && l->blocks == 0)
    return ms_fail(err, MS_ERR_USAGE, "the plan's %u sets do not fit a multiprocessor; use the CPU engine", p->n_sets);
  return status;
}

/* Fewer blocks, then fewer warps, then a smaller output, until it fits. */
static bool shrink(ms_gpu_runner *r, bool listing)
{
  ms_dfs_launch *l = &r->launch;
  if (listing && r->room > LEAST_ROWS && r->room * r->context.pack.program.prefix >= (uint64_t)l->blocks * LEAST_ROWS)
    r->room /= 2;
  else if (l->blocks > 1)
    l->blocks -= (l->blocks + 7) / 8;
  else if (l->warps > 1) {
    l->shared_bytes -= l->warp_bytes * (l->warps - l->warps / 2);
    l->warps /= 2;
  } else if (listing && r->room > 1)
    r->room /= 2;
  else
    return false;
  return true;
}

static ms_status fit_memory(ms_gpu_runner *r, bool listing, uint32_t share, uint64_t *bytes, ms_error *err)
{
  uint64_t room;
  *bytes = place_scratch(r, listing);
  ms_status status = ms_gpu_pattern_room(&r->context, share * *bytes, &room, err);
  room /= share;
  while (status == MS_OK && *bytes > room) {
    if (!shrink(r, listing))
      return ms_fail(err, MS_ERR_MEMORY,
                     "one warp's candidate sets take %.1f MiB of GPU memory, and %.1f MiB are left; free memory on the "
                     "GPU, raise MOTIFSIEVE_GPU_MEMORY if it is set, or use the CPU engine",
                     (double)*bytes / 1048576, (double)room / 1048576);
    *bytes = place_scratch(r, listing);
  }
  return status;
}

/* ---- open and close ---------------------------------------------------------------- */

static void plan_table(ms_gpu_runner *r)
{
  ms_dfs_launch *l = &r->launch;
  uint64_t entry;
  if (r->kernel != MS_DFS_TABLE)
    return;
  /* an entry is at most the length of the root's row */
  l->table_half = r->context.index.longest < 1u << 15;
  entry = l->table_half ? sizeof(uint16_t) : sizeof(uint32_t);
  l->table_bytes = (l->index.n * entry + 15) / 16 * 16;
}

static ms_status plan_launch(ms_gpu_runner *r, const ms_gpu_device *facts, bool listing, uint32_t share, uint64_t *bytes,
                             ms_error *err)
{
  const ms_device_program *p = &r->context.pack.program;
  r->launch.index = r->context.index;
  r->launch.program = r->context.program;
  r->launch.most = MOST_UNITS;
  r->room = listing ? OUTPUT_BYTES / (p->prefix * sizeof(uint32_t)) : 0;
  r->kernel = listing ? MS_DFS_LIST : p->table ? MS_DFS_TABLE : MS_DFS_COUNT;
  plan_table(r);
  plan_sets(r);
  ms_status status = plan_blocks(r, facts, r->kernel == MS_DFS_TABLE ? TABLE_WARPS : UNIT_WARPS, err);
  return status == MS_OK ? fit_memory(r, listing, share, bytes, err) : status;
}

static ms_status clear_scratch(ms_gpu_runner *r, ms_error *err)
{
  static const char what[] = "clearing the search's memory";
  ms_dfs_launch *l = &r->launch;
  cudaStream_t stream = r->context.staging.stream;
  ms_status status = MS_OK;
  if (l->table)
    status = ms_cuda_status(cudaMemsetAsync(l->table, 0, l->blocks * l->table_bytes, stream), what, err);
  return status;
}

ms_status ms_gpu_runner_open(ms_gpu_runner *r, const ms_program *program, int device, int threads, bool listing,
                             uint32_t share, ms_error *err)
{
  ms_gpu_device facts;
  uint64_t bytes = 0;
  memset(r, 0, sizeof *r);
  ms_status status = ms_gpu_device_facts(device, &facts, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_open(&r->context, program, device, threads, err);
  if (status == MS_OK)
    status = plan_launch(r, &facts, listing, share, &bytes, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_alloc(&r->context, bytes, &r->scratch, "making room for candidate sets", err);
  if (status == MS_OK) {
    r->scratch_bytes = place_scratch(r, listing);
    status = ms_staging_make_buffers(&r->context.staging, listing ? MS_STAGING_BUFFERS : 1, err);
  }
  if (status == MS_OK) {
    r->seen = (ms_device_queue *)(void *)r->context.staging.buffer[0];
    status = clear_scratch(r, err);
  }
  return status;
}

void ms_gpu_runner_close(ms_gpu_runner *r)
{
  if (r->context.staging.stream)
    r->context.failed |= cudaSetDevice(r->context.device) != cudaSuccess;
  if (r->aside) {
    r->context.failed |= cudaStreamSynchronize(r->aside) != cudaSuccess;
    (void)cudaStreamDestroy(r->aside);
  }
  ms_gpu_pattern_free(&r->context, r->scratch);
  ms_gpu_pattern_close(&r->context);
}

/* ---- a launch ------------------------------------------------------------------------- */

ms_status ms_gpu_runner_aside(ms_gpu_runner *r, cudaStream_t *stream, ms_error *err)
{
  ms_status status = MS_OK;
  if (!r->aside)
    status = ms_cuda_status(cudaStreamCreateWithFlags(&r->aside, cudaStreamNonBlocking), "making a stream", err);
  *stream = r->aside;
  return status;
}

ms_status ms_gpu_runner_start(ms_gpu_runner *r, uint64_t first, uint64_t end, bool again, uint32_t which, uint64_t rows,
                              ms_error *err)
{
  static const char what[] = "searching";
  ms_dfs_launch *l = &r->launch;
  cudaStream_t stream = r->context.staging.stream;
  /* what was taken of the same units stays taken */
  uint8_t *from = (uint8_t *)l->queue + (again ? offsetof(ms_device_queue, rows) : 0);
  size_t bytes = sizeof *l->queue - (again ? offsetof(ms_device_queue, rows) : 0);
  l->first = first;
  l->end = end;
  if (l->place) {
    l->rows = r->output[which];
    l->capacity = rows < r->room ? rows : r->room;
  }
  ms_status status = ms_cuda_status(cudaMemsetAsync(from, 0, bytes, stream), what, err);
  /* 255: depth of a place is then more than MS_DEVICE_LEVELS */
  if (status == MS_OK && l->place && !again)
    status = ms_cuda_status(cudaMemsetAsync(l->place, 255, (uint64_t)l->blocks * l->warps * sizeof *l->place, stream),
                            what, err);
  if (status == MS_OK)
    status = ms_cuda_status(ms_dfs_run(l, r->kernel, stream), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemcpyAsync(r->seen, l->queue, sizeof *r->seen, cudaMemcpyDeviceToHost, stream), what,
                            err);
  return status;
}

/* By another stream; it may come too early, before the launch has cleared the
 * queue: it is asked again until the kernel has ended. */
static ms_status ask_to_stop(ms_gpu_runner *r, ms_error *err)
{
  cudaStream_t stream;
  ms_status status = ms_gpu_runner_aside(r, &stream, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemsetAsync(&r->launch.queue->stop, 1, sizeof r->launch.queue->stop, stream),
                            "stopping a search", err);
  return status;
}

/* Short searches are over before the thread would have gone to sleep. */
static void rest(uint32_t tries)
{
  if (tries > 1000)
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

ms_status ms_gpu_runner_wait(ms_gpu_runner *r, bool wanted, const ms_stop *stop, ms_error *err)
{
  cudaStream_t stream = r->context.staging.stream;
  ms_status stopped = MS_OK, status = MS_OK;
  cudaError_t error = cudaSuccess;
  for (uint32_t tries = 0; (error = cudaStreamQuery(stream)) == cudaErrorNotReady; tries += tries <= 1000) {
    if (stopped == MS_OK)
      stopped = ms_stop_check(stop);
    if (stopped != MS_OK || !wanted) {
      tries = 1001;
      status = ask_to_stop(r, err);
    }
    if (status != MS_OK)
      break;
    rest(tries);
  }
  if (status == MS_OK)
    status = ms_cuda_status(error, "searching", err);
  r->context.failed |= status != MS_OK;
  return status == MS_OK ? stopped : status;
}

bool ms_gpu_runner_unfinished(const ms_gpu_runner *r)
{
  return r->seen->left > 0 || r->seen->next < r->launch.end - r->launch.first;
}

void ms_gpu_runner_total(const ms_gpu_runner *r, mpz_t sum)
{
  mpz_t all, digit;
  mpz_init(all);
  mpz_init(digit);
  for (int i = MS_SUM_DIGITS; i-- > 0;) {
    mpz_mul_2exp(all, all, 32);
    mpz_import(digit, 1, -1, sizeof r->seen->sum.digit[i], 0, 0, &r->seen->sum.digit[i]);
    mpz_add(all, all, digit);
  }
  mpz_fdiv_r_2exp(all, all, 256);
  if (mpz_tstbit(all, 255)) { /* two's complement */
    mpz_set_ui(digit, 1);
    mpz_mul_2exp(digit, digit, 256);
    mpz_sub(all, all, digit);
  }
  mpz_add(sum, sum, all);
  mpz_clear(all);
  mpz_clear(digit);
}
