/* The engine `dfs` on one GPU for large programs (dfs_large_device.h): memory and launches. */
#include "gpu/match/dfs/dfs_large.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"
#include "gpu/match/dfs/dfs_large_device.h"
#include "gpu/match/squares/conjunction.h"
#include "gpu/match/upload.h"

#define OUTPUT_BYTES ((uint64_t)64 << 20) /* of each of two outputs, if there is room */
enum {
  WARPS = 8,        /* of a block */
  MOST_ROOTS = 8,   /* of a stretch */
  LEAST_ROWS = 1024 /* of an output, where memory is scarce */
};

/* The engine on one GPU. */
typedef struct large_runner {
  ms_gpu_match match;
  ms_conjunction_tables tables;
  void *table_memory; /* on the device */
  ms_gpu_search search;
  ms_large_launch launch;
  uint8_t *scratch; /* device memory of the queue, the stacks and the outputs */
  bool listing;
} large_runner;

/* ---- memory ----------------------------------------------------------------------- */

/* Sets the places in global memory, and returns the number of bytes. */
static uint64_t place_scratch(large_runner *r)
{
  ms_large_launch *l = &r->launch;
  uint64_t warps = (uint64_t)l->blocks * l->warps, prefix = l->program.prefix;
  ms_gpu_layout at = {.base = r->scratch};
  r->search.queue = l->queue = ms_gpu_place(&at, 1, sizeof *l->queue);
  l->level = ms_gpu_place(&at, warps * prefix, sizeof *l->level);
  l->match = ms_gpu_place(&at, warps * prefix, sizeof *l->match);
  l->size = ms_gpu_place(&at, warps * l->sizes, sizeof *l->size);
  if (r->listing) {
    l->place = ms_gpu_place(&at, warps, sizeof *l->place);
    for (int i = 0; i < 2; i++)
      r->search.output[i] = ms_gpu_place(&at, r->search.room * prefix, sizeof(uint32_t));
  }
  return at.bytes;
}

/* Reduces the output, the blocks, and then the warps.  False if nothing can be reduced. */
static bool shrink_plan(large_runner *r)
{
  ms_large_launch *l = &r->launch;
  if (r->search.room > LEAST_ROWS)
    r->search.room /= 2;
  else if (l->blocks > 1)
    l->blocks -= (l->blocks + 7) / 8;
  else if (l->warps > 1)
    l->warps /= 2;
  else if (r->search.room > 1)
    r->search.room /= 2;
  else
    return false;
  return true;
}

static ms_status fit_memory(large_runner *r, uint64_t *bytes, ms_error *err)
{
  uint64_t room;
  *bytes = place_scratch(r);
  MS_TRY(ms_gpu_room(&r->match.gpu, *bytes + r->tables.bytes, &room, err));
  room -= room < r->tables.bytes ? room : r->tables.bytes;
  for (; *bytes > room; *bytes = place_scratch(r))
    if (!shrink_plan(r))
      return ms_fail(
          err, MS_ERR_MEMORY,
          "one warp's search takes %.1f KiB of GPU memory, and %.1f KiB are left; " MS_GPU_MORE_MEMORY
          ", or use the CPU engine",
          (double)*bytes / 1024, (double)room / 1024);
  return MS_OK;
}

static ms_status plan_launch(large_runner *r, int device, uint64_t *bytes, ms_error *err)
{
  ms_large_launch *l = &r->launch;
  ms_gpu_device facts;
  uint32_t blocks;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  l->warps = WARPS;
  l->most = MOST_ROOTS;
  l->sizes = l->program.n_masks > MS_GPU_WARP ? l->program.n_masks : MS_GPU_WARP;
  MS_TRY(ms_gpu_occupancy(ms_large_function(r->listing), l->warps * MS_GPU_WARP, 0, &blocks, err));
  uint64_t all = (uint64_t)blocks * (uint32_t)facts.multiprocessors,
           wanted = l->program.n_roots / l->warps + (uint64_t)1;
  l->blocks = (uint32_t)(all < wanted ? all : wanted);
  r->search.room = r->listing ? OUTPUT_BYTES / (l->program.prefix * sizeof(uint32_t)) : 0;
  return fit_memory(r, bytes, err);
}

/* ---- open and close ---------------------------------------------------------------- */

static ms_status launch_large(void *on, ms_error *err)
{
  static const char what[] = "searching";
  large_runner *r = on;
  ms_large_launch *l = &r->launch;
  cudaStream_t stream = r->match.gpu.staging.stream;
  ms_gpu_grid grid = {l->blocks, l->warps * MS_GPU_WARP, 0};
  l->rows = r->search.rows;
  l->capacity = r->search.capacity;
  l->enough = r->search.enough;
  if (l->place && !r->search.again)
    MS_TRY_CUDA(
        cudaMemsetAsync(l->place, 0, (uint64_t)l->blocks * l->warps * sizeof *l->place, stream),
        what);
  return ms_gpu_launch(ms_large_function(r->listing), grid, (void *[]){l}, stream, what, err);
}

/* The runner is not moved afterwards; the caller closes it even on failure. */
static ms_status open_runner(large_runner *r, const ms_gpu_share *share, int device, ms_error *err)
{
  const ms_program *program = share->task->program;
  uint64_t bytes = 0;
  r->listing = share->sink.make != NULL;
  r->search.launch = launch_large;
  r->search.on = r;
  r->search.length = program->prefix;
  MS_TRY(ms_gpu_match_open(&r->match, share->task, device, share->sink.threads, err));
  MS_TRY(ms_conjunction_upload(&r->match, program, false, true, &r->tables, &r->table_memory,
                               &r->launch.program, err));
  MS_TRY(plan_launch(r, device, &bytes, err));
  MS_TRY(ms_gpu_alloc(&r->match.gpu, bytes, &r->scratch, "making room for searches", err));
  (void)place_scratch(r);
  return ms_gpu_search_open(&r->search, &r->match.gpu, r->listing, err);
}

static void close_runner(large_runner *r)
{
  ms_gpu_search_close(&r->search);
  ms_gpu_free(&r->match.gpu, r->scratch);
  ms_gpu_free(&r->match.gpu, r->table_memory);
  ms_gpu_match_close(&r->match);
  ms_conjunction_tables_free(&r->tables);
}

/* ---- a search ------------------------------------------------------------------------- */

static ms_status search_roots(ms_gpu_share *s, large_runner *r, ms_error *err)
{
  uint64_t first, end;
  r->search.share = s;
  r->search.portion = 1;
  while (ms_gpu_share_take(s, r->tables.n_roots, &first, &end)) {
    MS_TRY(ms_stop_check(s->task->stop));
    r->launch.first = first;
    r->launch.end = end;
    r->search.units = r->search.steps = end - first;
    MS_TRY(r->listing ? ms_gpu_search_list(&r->search, s, err)
                      : ms_gpu_search_count(&r->search, s, err));
  }
  return MS_OK;
}

ms_status ms_dfs_large_run(ms_gpu_share *s, int device, ms_error *err)
{
  large_runner *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "a search on a GPU");
  ms_status status = open_runner(r, s, device, err);
  if (status == MS_OK)
    status = search_roots(s, r, err);
  ms_gpu_context_note_status(&r->match.gpu, status);
  close_runner(r);
  ms_free(r);
  return status;
}
