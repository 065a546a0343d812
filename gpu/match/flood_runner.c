#include "gpu/match/flood_runner.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/gpu.h"
#include "gpu/match/engines.h"

#include <string.h>

#define ALIGN ((uint64_t)256)
#define OUTPUT_BYTES ((uint64_t)64 << 20) /* each of two, if there is room */
enum {
  PATHS_A_THREAD = 4,    /* when flooding is over: so that blocks end at about the same time */
  ROOM_FACTOR = 4,       /* room for paths: so many times what is enough */
  MOST_TABLES = 8 << 10, /* bytes of a program's tables that blocks copy */
  NEAR_BYTES = 40 << 10, /* pools in shared memory: several blocks a multiprocessor */
  FAR_BYTES = 512 << 10, /* other pools of a block */
  LEAST_PATHS = 1024,
  LEAST_ROWS = 1024, /* where memory is scarce */
  STEP_BLOCKS = 8    /* flooding: a multiprocessor's */
};

uint32_t ms_gpu_flood_room = 2 * MS_FLOOD_THREADS;
uint32_t ms_gpu_flood_near_bytes = NEAR_BYTES;
uint64_t ms_gpu_flood_paths;
uint64_t ms_gpu_flood_rows;

/* ---- what is done with a program ---------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* The tail is one vertex: its candidates count, each the same. */
static bool is_linear(const ms_program *p, int64_t *factor)
{
  if (p->n_groups != 1 || p->falling)
    return false;
  *factor = p->n_terms == 1 ? p->term[0].factor : 0;
  return p->n_terms == 1 && p->term[0].count == 1;
}

static void plan_action(ms_flood_runner *r, const ms_program *p)
{
  ms_flood_search *s = &r->search;
  s->deepest = p->prefix - 1;
  s->value = r->context.pack.program.value;
  s->falling = p->falling ? p->group[0].size : 0;
  if (r->listing) {
    s->action = MS_FLOOD_LIST;
  } else if (is_linear(p, &s->factor)) {
    s->action = MS_FLOOD_COUNT;
    s->counted = p->prefix;
  } else if (p->n_groups > 0) {
    s->action = MS_FLOOD_TAIL;
  } else if (p->prefix > 1) {
    s->action = MS_FLOOD_COUNT;
    s->counted = p->prefix - 1;
    s->factor = 1;
    s->deepest = p->prefix - 2;
  } else {
    s->action = MS_FLOOD_ONES;
  }
}

/* ---- memory --------------------------------------------------------------------------- */

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Which pools are in shared memory: the deepest ones, as far as they fit. */
static void plan_pools(ms_flood_runner *r, uint32_t room)
{
  ms_flood_search *s = &r->search;
  uint64_t words = 0;
  s->room = room;
  s->enough = room / 2 < MS_FLOOD_THREADS ? room / 2 : MS_FLOOD_THREADS;
  s->enough = s->enough > 0 ? s->enough : 1;
  s->near_level = s->deepest + 1;
  while (s->near_level > 0 &&
         (words += (uint64_t)room * ms_flood_words(s->near_level - 1)) * sizeof(uint32_t) <=
             ms_gpu_flood_near_bytes)
    s->near_level--;
  s->far_words = ms_flood_pool_words(room, 0, s->near_level);
  s->saved_words =
      r->listing ? MS_DEVICE_LEVELS + ms_flood_pool_words(room, s->near_level, s->deepest + 1) : 0;
  s->shared_bytes = (uint32_t)ms_flood_shared_bytes(s);
}

/* Bytes of global memory, and the places in it. */
static uint64_t place_scratch(ms_flood_runner *r)
{
  ms_flood_search *s = &r->search;
  uint8_t *base = r->scratch;
  uint64_t at = aligned(sizeof *s->queue);
  s->queue = (ms_flood_queue *)(void *)base;
  for (int i = 0; i < 2; i++) {
    r->paths[i] = (uint32_t *)(void *)(base + at);
    at += aligned(r->path_room * ms_flood_words(s->deepest) * sizeof(uint32_t));
  }
  s->far = (uint32_t *)(void *)(base + at);
  at += aligned(s->blocks * s->far_words * sizeof *s->far);
  s->saved = r->listing ? (uint32_t *)(void *)(base + at) : NULL;
  at += aligned(s->blocks * s->saved_words * sizeof *s->saved);
  for (int i = 0; i < 2 && r->listing; i++) {
    r->output[i] = (uint32_t *)(void *)(base + at);
    at += aligned(r->row_room * s->program.prefix * sizeof(uint32_t));
  }
  return at;
}

/* A smaller output and fewer paths, fewer blocks, smaller pools. */
static bool shrink(ms_flood_runner *r)
{
  ms_flood_search *s = &r->search;
  if (r->row_room > LEAST_ROWS)
    r->row_room /= 2;
  else if (r->path_room > LEAST_PATHS && r->path_room > s->blocks)
    r->path_room /= 2;
  else if (s->blocks > 1)
    s->blocks -= (s->blocks + 7) / 8;
  else if (s->room > 2)
    plan_pools(r, s->room / 2);
  else if (r->path_room > 1)
    r->path_room /= 2;
  else if (r->row_room > 1)
    r->row_room /= 2;
  else
    return false;
  return true;
}

static ms_status fit_memory(ms_flood_runner *r, uint64_t *bytes, ms_error *err)
{
  uint64_t room;
  *bytes = place_scratch(r);
  ms_status status = ms_gpu_pattern_room(&r->context, *bytes + r->tables.bytes, &room, err);
  room -= least(room, r->tables.bytes);
  while (status == MS_OK && *bytes > room) {
    if (!shrink(r))
      return ms_fail(
          err, MS_ERR_MEMORY,
          "one block's partial matches take %.1f KiB of GPU memory, and %.1f KiB are left; free memory on "
          "the GPU, raise MOTIFSIEVE_GPU_MEMORY if it is set, or use the CPU engine",
          (double)*bytes / 1024, (double)room / 1024);
    *bytes = place_scratch(r);
  }
  return status;
}

/* Pools of which a multiprocessor holds a block at least. */
static ms_status plan_blocks(ms_flood_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_flood_search *s = &r->search;
  uint32_t blocks = 0, room = ms_gpu_flood_room;
  ms_status status = MS_OK;
  for (; status == MS_OK && blocks == 0 && room > 0; room /= 2) {
    plan_pools(r, room);
    bool fits = s->shared_bytes <= facts->shared && s->far_words * sizeof *s->far <= FAR_BYTES;
    if (fits)
      status = ms_cuda_status(ms_flood_occupancy(s->action, s->shared_bytes, &blocks),
                              "asking what a multiprocessor holds", err);
  }
  if (status == MS_OK && blocks == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the plan's %u sets of the tail do not fit a multiprocessor; use the CPU engine",
                   s->program.n_masks);
  s->blocks = blocks * (uint32_t)facts->multiprocessors;
  return status;
}

static ms_status plan_launch(ms_flood_runner *r, const ms_program *p, const ms_gpu_device *facts,
                             uint64_t *bytes, ms_error *err)
{
  ms_flood_search *s = &r->search;
  const ms_trie_program *tables = &s->program;
  uint64_t table_bytes =
      (uint64_t)((const uint8_t *)(tables->term + tables->n_terms) - (const uint8_t *)tables->set);
  s->table_bytes = table_bytes <= MOST_TABLES ? (uint32_t)table_bytes : 0;
  plan_action(r, p);
  MS_TRY(plan_blocks(r, facts, err));
  r->enough_paths = ms_gpu_flood_paths ? ms_gpu_flood_paths
                                       : (uint64_t)s->blocks * MS_FLOOD_THREADS * PATHS_A_THREAD;
  r->path_room = r->enough_paths * ROOM_FACTOR;
  if (r->path_room < p->index->arcs) /* so that all edges may be paths */
    r->path_room = least(p->index->arcs, r->path_room * ROOM_FACTOR);
  r->row_room = r->listing ? OUTPUT_BYTES / (s->program.prefix * sizeof(uint32_t)) : 0;
  if (ms_gpu_flood_rows > 0)
    r->row_room = least(r->row_room, ms_gpu_flood_rows);
  return fit_memory(r, bytes, err);
}

/* ---- open and close ------------------------------------------------------------------- */

ms_status ms_flood_runner_open(ms_flood_runner *r, const ms_program *program, int device,
                               int threads, bool listing, ms_error *err)
{
  ms_gpu_device facts;
  uint64_t bytes = 0;
  memset(r, 0, sizeof *r);
  r->listing = listing;
  ms_status status = ms_gpu_device_facts(device, &facts, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_open(&r->context, program, device, threads, err);
  if (status == MS_OK)
    status = ms_trie_upload(&r->context, program, false, &r->tables, &r->table_memory,
                            &r->search.program, err);
  if (status == MS_OK)
    status = plan_launch(r, program, &facts, &bytes, err);
  if (status == MS_OK)
    status = ms_gpu_pattern_alloc(&r->context, bytes, &r->scratch,
                                  "making room for partial matches", err);
  if (status == MS_OK) {
    (void)place_scratch(r);
    status = ms_staging_make_buffers(&r->context.staging, listing ? MS_STAGING_BUFFERS : 1, err);
  }
  if (status == MS_OK) {
    r->seen = (ms_flood_queue *)(void *)r->context.staging.buffer[0];
    r->wait = (ms_gpu_wait){.stream = r->context.staging.stream, .stop = &r->search.queue->stop};
  }
  return status;
}

void ms_flood_runner_close(ms_flood_runner *r)
{
  if (r->context.staging.stream)
    r->context.failed |= cudaSetDevice(r->context.device) != cudaSuccess;
  r->context.failed |= !ms_gpu_wait_close(&r->wait);
  ms_gpu_pattern_free(&r->context, r->scratch);
  ms_gpu_pattern_free(&r->context, r->table_memory);
  ms_gpu_pattern_close(&r->context);
  ms_trie_tables_free(&r->tables);
}

/* ---- launches --------------------------------------------------------------------------- */

static const char searching[] = "searching";

/* The queue from `field` on is cleared: what is in front of it goes on. */
static ms_status clear_queue(ms_flood_runner *r, size_t field, ms_error *err)
{
  return ms_cuda_status(cudaMemsetAsync((uint8_t *)r->search.queue + field, 0,
                                        sizeof *r->seen - field, r->wait.stream),
                        searching, err);
}

static ms_status read_queue(ms_flood_runner *r, ms_error *err)
{
  return ms_cuda_status(cudaMemcpyAsync(r->seen, r->search.queue, sizeof *r->seen,
                                        cudaMemcpyDeviceToHost, r->wait.stream),
                        searching, err);
}

ms_status ms_flood_runner_wait(ms_flood_runner *r, bool wanted, const ms_stop *stop, ms_error *err)
{
  ms_status stopped, status = ms_gpu_wait_end(&r->wait, wanted, stop, &stopped, err);
  r->context.failed |= status != MS_OK;
  return status == MS_OK ? stopped : status;
}

/* From paths[which], of this level, to the other ones. */
static ms_status step(ms_flood_runner *r, uint32_t level, uint32_t which, uint64_t count,
                      const ms_stop *stop, ms_error *err)
{
  const ms_flood_search *s = &r->search;
  uint64_t blocks = (count + MS_FLOOD_THREADS - 1) / MS_FLOOD_THREADS;
  ms_flood_step a = {.program = s->program,
                     .queue = s->queue,
                     .from = {r->paths[which], count},
                     .to = r->paths[1 - which],
                     .room = r->path_room,
                     .level = level,
                     .blocks = (uint32_t)least(blocks, (uint64_t)s->blocks * STEP_BLOCKS)};
  ms_status status = clear_queue(r, 0, err);
  if (status == MS_OK)
    status = ms_cuda_status(ms_flood_launch_step(&a, r->wait.stream), searching, err);
  if (status == MS_OK)
    status = read_queue(r, err);
  return status == MS_OK ? ms_flood_runner_wait(r, true, stop, err) : status;
}

ms_status ms_flood_runner_flood(ms_flood_runner *r, uint64_t first, uint64_t count,
                                const ms_stop *stop, ms_error *err)
{
  ms_flood_search *s = &r->search;
  uint64_t enough = least(r->enough_paths, r->path_room), made = 0;
  uint32_t level = 0, which = 0;
  bool unfinished = false;
  ms_status status = ms_stop_check(stop);
  if (status == MS_OK)
    status = ms_cuda_status(
        ms_flood_launch_roots(&s->program, first, count, r->paths[0], r->wait.stream), searching,
        err);
  while (status == MS_OK && level < s->deepest && count > 0 && (count < enough || level == 0) &&
         !unfinished) {
    status = step(r, level, which, count, stop, err);
    if (status != MS_OK)
      break;
    made = least(r->seen->made, r->path_room);
    unfinished = r->seen->unfinished != 0;
    if (!unfinished) {
      count = made;
      which = 1 - which;
      level++;
    }
  }
  s->first = (ms_flood_paths){r->paths[which], count};
  s->second = (ms_flood_paths){r->paths[1 - which], unfinished ? made : 0};
  s->base = level;
  return status;
}

ms_status ms_flood_runner_start(ms_flood_runner *r, bool again, uint32_t which, uint64_t rows,
                                ms_error *err)
{
  ms_flood_search *s = &r->search;
  s->again = again;
  if (r->listing) {
    s->rows = r->output[which];
    s->capacity = least(rows, r->row_room);
  }
  /* what was taken of the same paths stays taken */
  ms_status status = clear_queue(r, again ? offsetof(ms_flood_queue, rows) : 0, err);
  if (status == MS_OK)
    status = ms_cuda_status(ms_flood_launch_search(s, r->wait.stream), searching, err);
  return status == MS_OK ? read_queue(r, err) : status;
}
