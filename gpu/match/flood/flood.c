/* The engine `flood`: memory, flooding, launches of hypersearch, and what each
 * device does with its roots. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"
#include "gpu/match/domains.h"
#include "gpu/match/flood/flood_device.h"
#include "gpu/match/squares/conjunction.h"
#include "gpu/match/task.h"
#include "match/engine.h"

#include <string.h>

#define OUTPUT_BYTES ((uint64_t)64 << 20) /* of each of two outputs, if there is room */
enum {
  PATHS_A_THREAD = 4,       /* end flooding: enough for blocks to end at about the same time */
  ROOM_FACTOR = 4,          /* room for paths, as a multiple of what is enough */
  MOST_TABLES = 8 << 10,    /* bytes of a program's tables that blocks copy */
  FAR_BYTES = 512 << 10,    /* of a block's other pools .. */
  MANY_FAR_BYTES = 4 << 20, /* .. of many levels */
  LEAST_PATHS = 1024,
  LEAST_ROWS = 1024,  /* of an output, where memory is scarce */
  STEP_BLOCKS = 8,    /* of flooding, for each multiprocessor */
  FIRST_ROOTS = 1024, /* flooded at first where the number of rows is limited .. */
  MORE_ROOTS = 8      /* .. and the factor of the next ones */
};

static const char searching[] = "searching";

/* The engine on one GPU. */
typedef struct flood_runner {
  ms_gpu_match match;
  ms_conjunction_tables tables;
  void *table_memory; /* on the device */
  ms_gpu_search search;
  ms_flood_search launch;
  uint8_t *scratch;   /* device memory of paths, pools, the queue and the outputs */
  uint32_t *paths[2]; /* [path_room] paths of any level */
  uint64_t path_room;
  uint64_t enough_paths; /* number of paths at which flooding stops */
  bool listing;
  bool many;            /* the program has many levels */
  uint32_t shared_most; /* bytes of shared memory that a block can have */
} flood_runner;

static const void *kernel_of(const flood_runner *r, uint32_t kernel)
{
  return r->many ? ms_flood_many_function(kernel) : ms_flood_function(kernel);
}

static const void *search_kernel(const flood_runner *r)
{
  return kernel_of(r, MS_FLOOD_SEARCH + (uint32_t)r->launch.action);
}

/* Returns the number of levels that a block's pools have room for. */
static uint32_t most_levels(const flood_runner *r)
{
  return r->many ? MS_MOST_LEVELS : MS_DEVICE_LEVELS;
}

/* ---- what is done with a program ---------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* True if the tail is one vertex, each of whose candidates counts the same. */
static bool is_linear(const ms_program *p, int64_t *factor)
{
  if (p->n_groups != 1 || p->falling)
    return false;
  *factor = p->n_terms == 1 ? p->term[0].factor : 0;
  return p->n_terms == 1 && p->term[0].count == 1;
}

static void plan_action(flood_runner *r, const ms_program *p)
{
  ms_flood_search *s = &r->launch;
  s->deepest = p->prefix - 1;
  s->value = r->match.packed.program.value;
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

/* Chooses the pools in the shared memory of a block: the deepest ones, as far as they fit. */
static void plan_pools(flood_runner *r, uint32_t room)
{
  ms_flood_search *s = &r->launch;
  uint64_t words = 0;
  s->room = room;
  s->enough = room / 2 < MS_FLOOD_THREADS ? room / 2 : MS_FLOOD_THREADS;
  s->enough = s->enough > 0 ? s->enough : 1;
  s->near_level = s->deepest + 1;
  uint64_t other = ms_flood_shared_bytes(s, most_levels(r));
  uint64_t most =
      smaller(ms_hooks.gpu_flood_shared_bytes, r->shared_most > other ? r->shared_most - other : 0);
  while (s->near_level > 0 &&
         (words += (uint64_t)room * ms_flood_words(s->near_level - 1)) * sizeof(uint32_t) <= most)
    s->near_level--;
  s->far_words = ms_flood_pool_words(room, 0, s->near_level);
  s->saved_words =
      r->listing ? most_levels(r) + ms_flood_pool_words(room, s->near_level, s->deepest + 1) : 0;
  s->shared_bytes = (uint32_t)ms_flood_shared_bytes(s, most_levels(r));
}

/* Sets the places in global memory, and returns the number of bytes. */
static uint64_t place_scratch(flood_runner *r)
{
  ms_flood_search *s = &r->launch;
  ms_gpu_layout at = {.base = r->scratch};
  r->search.queue = s->queue = ms_gpu_place(&at, 1, sizeof *s->queue);
  for (int i = 0; i < 2; i++)
    r->paths[i] = ms_gpu_place(&at, r->path_room * ms_flood_words(s->deepest), sizeof(uint32_t));
  s->far = ms_gpu_place(&at, s->blocks * s->far_words, sizeof *s->far);
  if (!r->listing)
    return at.bytes;
  s->saved = ms_gpu_place(&at, s->blocks * s->saved_words, sizeof *s->saved);
  for (int i = 0; i < 2; i++)
    r->search.output[i] = ms_gpu_place(&at, r->search.room * s->program.prefix, sizeof(uint32_t));
  return at.bytes;
}

/* Reduces the output, the paths, the blocks, and then the pools.  False if nothing can be
 * reduced. */
static bool shrink_plan(flood_runner *r)
{
  ms_flood_search *s = &r->launch;
  if (r->search.room > LEAST_ROWS)
    r->search.room /= 2;
  else if (r->path_room > LEAST_PATHS && r->path_room > s->blocks)
    r->path_room /= 2;
  else if (s->blocks > 1)
    s->blocks -= (s->blocks + 7) / 8;
  else if (s->room > 2)
    plan_pools(r, s->room / 2);
  else if (r->path_room > 1)
    r->path_room /= 2;
  else if (r->search.room > 1)
    r->search.room /= 2;
  else
    return false;
  return true;
}

static ms_status fit_memory(flood_runner *r, uint64_t *bytes, ms_error *err)
{
  uint64_t room;
  *bytes = place_scratch(r);
  MS_TRY(ms_gpu_room(&r->match.gpu, *bytes + r->tables.bytes, &room, err));
  room -= smaller(room, r->tables.bytes);
  while (*bytes > room) {
    if (!shrink_plan(r))
      return ms_fail(
          err, MS_ERR_MEMORY,
          "one block's partial matches take %.1f KiB of GPU memory, and %.1f KiB are left; " MS_GPU_MORE_MEMORY
          ", or use the CPU engine",
          (double)*bytes / 1024, (double)room / 1024);
    *bytes = place_scratch(r);
  }
  return MS_OK;
}

/* Chooses pools so small that a multiprocessor holds at least one block. */
static ms_status plan_blocks(flood_runner *r, const ms_gpu_device *facts, ms_error *err)
{
  ms_flood_search *s = &r->launch;
  uint32_t blocks = 0, room = ms_hooks.gpu_flood_pool;
  uint64_t far = r->many ? MANY_FAR_BYTES : FAR_BYTES;
  r->shared_most = facts->shared;
  for (; blocks == 0 && room > 0; room /= 2) {
    plan_pools(r, room);
    if (s->shared_bytes <= facts->shared && s->far_words * sizeof *s->far <= far)
      MS_TRY(ms_gpu_occupancy(search_kernel(r), MS_FLOOD_THREADS, s->shared_bytes, &blocks, err));
  }
  if (blocks == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the plan's %u sets of the tail do not fit a multiprocessor; use the CPU engine",
                   s->program.n_masks);
  s->blocks = blocks * (uint32_t)facts->multiprocessors;
  return MS_OK;
}

static ms_status plan_launch(flood_runner *r, const ms_program *p, const ms_gpu_device *facts,
                             uint64_t *bytes, ms_error *err)
{
  ms_flood_search *s = &r->launch;
  const ms_conjunction_program *tables = &s->program;
  uint64_t table_bytes =
      (uint64_t)((const uint8_t *)(tables->term + tables->n_terms) - (const uint8_t *)tables->set);
  s->table_bytes = table_bytes <= MOST_TABLES ? (uint32_t)table_bytes : 0;
  plan_action(r, p);
  MS_TRY(plan_blocks(r, facts, err));
  r->enough_paths = ms_hooks.gpu_flood_paths
                        ? ms_hooks.gpu_flood_paths
                        : (uint64_t)s->blocks * MS_FLOOD_THREADS * PATHS_A_THREAD;
  r->path_room = r->enough_paths * ROOM_FACTOR;
  if (r->path_room < p->index->arcs) /* so that all edges can be paths */
    r->path_room = smaller(p->index->arcs, r->path_room * ROOM_FACTOR);
  r->search.room = r->listing ? OUTPUT_BYTES / (s->program.prefix * sizeof(uint32_t)) : 0;
  if (ms_hooks.gpu_flood_rows > 0)
    r->search.room = smaller(r->search.room, ms_hooks.gpu_flood_rows);
  return fit_memory(r, bytes, err);
}

/* ---- launches --------------------------------------------------------------------------- */

static ms_status launch_search(void *on, ms_error *err)
{
  flood_runner *r = on;
  ms_flood_search *s = &r->launch;
  ms_gpu_grid grid = {s->blocks, MS_FLOOD_THREADS, s->shared_bytes};
  s->again = r->search.again;
  s->rows = r->search.rows;
  s->capacity = r->search.capacity;
  return ms_gpu_launch(search_kernel(r), grid, (void *[]){s}, r->match.gpu.staging.stream,
                       searching, err);
}

/* Writes the paths of roots first + count - 1, .., first to paths[0]. */
static ms_status make_roots(flood_runner *r, uint64_t first, uint64_t count, ms_error *err)
{
  ms_gpu_grid grid = {(uint32_t)((count + MS_FLOOD_THREADS - 1) / MS_FLOOD_THREADS),
                      MS_FLOOD_THREADS, 0};
  void *arguments[] = {&r->launch.program, &first, &count, &r->paths[0]};
  return ms_gpu_launch(kernel_of(r, MS_FLOOD_ROOTS), grid, arguments, r->match.gpu.staging.stream,
                       searching, err);
}

/* Extends paths[which], of this level, to children in the other array. */
static ms_status extend_paths(flood_runner *r, uint32_t level, uint32_t which, uint64_t count,
                              const ms_stop *stop, ms_error *err)
{
  const ms_flood_search *s = &r->launch;
  uint64_t blocks = (count + MS_FLOOD_THREADS - 1) / MS_FLOOD_THREADS;
  ms_flood_step a = {.program = s->program,
                     .queue = s->queue,
                     .from = {r->paths[which], count},
                     .to = r->paths[1 - which],
                     .room = r->path_room,
                     .level = level,
                     .blocks = (uint32_t)smaller(blocks, (uint64_t)s->blocks * STEP_BLOCKS)};
  ms_gpu_grid grid = {a.blocks, MS_FLOOD_THREADS, 0};
  MS_TRY(ms_gpu_search_clear(&r->search, false, err));
  MS_TRY(ms_gpu_launch(kernel_of(r, MS_FLOOD_STEP), grid, (void *[]){&a},
                       r->match.gpu.staging.stream, searching, err));
  MS_TRY(ms_gpu_search_read(&r->search, err));
  return ms_gpu_search_wait(&r->search, true, stop, err);
}

/* Floods from `count` roots from `first` on, at most path_room, until there are enough paths. */
static ms_status flood_roots(flood_runner *r, uint64_t first, uint64_t count, const ms_stop *stop,
                             ms_error *err)
{
  ms_flood_search *s = &r->launch;
  const ms_gpu_queue *seen = r->search.seen;
  uint64_t enough = smaller(r->enough_paths, r->path_room), made = 0;
  uint32_t level = 0, which = 0;
  bool unfinished = false;
  MS_TRY(ms_stop_check(stop));
  MS_TRY(make_roots(r, first, count, err));
  while (level < s->deepest && count > 0 && (count < enough || level == 0) && !unfinished) {
    MS_TRY(extend_paths(r, level, which, count, stop, err));
    made = smaller(seen->rows, r->path_room);
    unfinished = seen->left != 0;
    if (!unfinished) {
      count = made;
      which = 1 - which;
      level++;
    }
  }
  s->first = (ms_flood_paths){r->paths[which], count};
  s->second = (ms_flood_paths){r->paths[1 - which], unfinished ? made : 0};
  s->base = level;
  return MS_OK;
}

/* ---- open and close ------------------------------------------------------------------- */

/* The runner is not moved afterwards; the caller closes it even on failure.  MS_ERR_MEMORY: not
 * even one block's pools fit. */
static ms_status open_runner(flood_runner *r, const ms_gpu_share *share, int device, ms_error *err)
{
  const ms_program *program = share->task->program;
  ms_gpu_device facts;
  uint64_t bytes = 0;
  r->listing = share->sink.make != NULL;
  r->many = ms_program_has_many_levels(program);
  r->search.launch = launch_search;
  r->search.on = r;
  r->search.length = program->prefix;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  MS_TRY(ms_gpu_match_open(&r->match, share->task, device, share->sink.threads, err));
  MS_TRY(ms_conjunction_upload(&r->match, program, false, r->many, &r->tables, &r->table_memory,
                               &r->launch.program, err));
  MS_TRY(plan_launch(r, program, &facts, &bytes, err));
  MS_TRY(ms_gpu_alloc(&r->match.gpu, bytes, &r->scratch, "making room for partial matches", err));
  (void)place_scratch(r);
  r->launch.program.classes = ms_classes_of(share->devices);
  return ms_gpu_search_open(&r->search, &r->match.gpu, r->listing, err);
}

static void close_runner(flood_runner *r)
{
  ms_gpu_search_close(&r->search);
  ms_gpu_free(&r->match.gpu, r->scratch);
  ms_gpu_free(&r->match.gpu, r->table_memory);
  ms_gpu_match_close(&r->match);
  ms_conjunction_tables_free(&r->tables);
}

/* ---- the engine ------------------------------------------------------------------------- */

/* Searches roots [first, end), the last ones first. */
static ms_status search_roots(ms_gpu_share *s, flood_runner *r, uint64_t first, uint64_t end,
                              ms_error *err)
{
  uint64_t all = end - first, batch = r->path_room;
  ms_gpu_search *search = &r->search;
  if (r->listing && ms_stream_limit(s->sink.stream) > 0) /* the first rows may be enough */
    batch = smaller(batch, FIRST_ROOTS);
  search->share = s;
  while (first < end && !atomic_load(&s->halt)) {
    uint64_t some = smaller(end - first, batch);
    batch = smaller(r->path_room, batch * MORE_ROOTS);
    search->done = 1 - (double)(end - first) / (double)all;
    search->portion = (double)some / (double)all;
    end -= some;
    search->steps = 0; /* flooding is soon done */
    MS_TRY(flood_roots(r, end, some, s->task->stop, err));
    search->steps = r->launch.first.count + r->launch.second.count;
    MS_TRY(r->listing ? ms_gpu_search_list(&r->search, s, err)
                      : ms_gpu_search_count(&r->search, s, err));
  }
  return MS_OK;
}

static ms_status run_flood_device(ms_gpu_share *s, int device, ms_error *err)
{
  uint64_t first, end;
  flood_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status = open_runner(r, s, device, err);
  while (status == MS_OK && ms_gpu_share_take(s, r->tables.n_roots, &first, &end))
    status = search_roots(s, r, first, end, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  close_runner(r);
  ms_free(r);
  return status;
}

static ms_status count_by_flood(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_gpu_task_count(task, run_flood_device, sum, err);
}

static ms_status list_by_flood(const ms_pattern_task *task, ms_rows_fn make, void *user,
                               ms_stream *stream, ms_error *err)
{
  return ms_gpu_task_list(task, run_flood_device, make, user, stream, err);
}

const ms_pattern_engine ms_pattern_engine_flood = {
    .name = "flood",
    .tables = MS_TABLE_NONE,
    .devices = ms_gpu_task_devices,
    .supports = ms_gpu_task_supports,
    .filter_domains = ms_gpu_filter_domains,
    .count = count_by_flood,
    .list = list_by_flood,
};
