/* The census by shape on GPUs: contexts, and what each device does in a count. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "gpu/census/context.h"
#include "gpu/census/shapes_device.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest.h"

#include <math.h>
#include <string.h>

enum {
  SHARED_CELLS = 4096, /* most codes whose numbers a block has in its own memory */
  CACHE_BITS = 10,     /* else of a block's cache */
  LEAST_SLOT_BITS = 12,
  MOST_SLOT_BITS = 30
};
/* Places of the table that are read at a time. */
#define WINDOW ((uint64_t)1 << 22)
typedef struct runner {
  ms_census_device at; /* the first member */
  bool is_clean;       /* marks and buckets are zeros */
  ms_shapes_launch launch;
} runner;

/* The first member is what the devices share; its lock protects the results. */
typedef struct context {
  ms_gpu_share share;
  ms_pattern_task task;
  ms_census_on on;
  uint32_t *offset; /* [n + 1] */
  runner runner[MS_GPU_MOST_DEVICES];
  /* of a count */
  ms_shapes_unit *unit; /* [units] */
  uint64_t units;
  ms_shape_numbers *numbers;
} context;

/* ---- memory ---------------------------------------------------------------------------- */

static uint64_t networks_of(const context *c)
{
  return c->on.network ? c->on.networks : 1;
}

/* Returns the bits of the table: twice as many places as there may be keys. */
static uint32_t choose_slot_bits(const context *c, uint64_t room)
{
  const ms_census_on *on = &c->on;
  uint32_t bits = LEAST_SLOT_BITS, code_bits = ms_graphlet_bits(on->form, on->k);
  double keys = fmin(ldexp(pow(on->graph->kinds, on->k), (int)code_bits) * (double)networks_of(c),
                     2 * on->sets);
  if (ms_hooks.gpu_shape_slot_bits)
    return ms_hooks.gpu_shape_slot_bits;
  for (uint32_t i = 2; i < on->k; i++) /* at most so many graphs are in one class */
    keys /= keys > 1e5 ? i : 1;
  while (bits < MOST_SLOT_BITS && ldexp(1, (int)bits) < 2 * keys &&
         (sizeof(ms_shapes_slot) << (bits + 1)) <= room / 4)
    bits++;
  return bits;
}

static uint64_t warps_of(const runner *r)
{
  return (uint64_t)r->at.grid.blocks * MS_SHAPES_WARPS;
}

/* Numbers by codes. */
static uint64_t cells_of(const context *c)
{
  return c->on.by_keys ? 0 : networks_of(c) << ms_graphlet_bits(c->on.form, c->on.k);
}

/* Places units and what kernels write; with the scratch's address NULL it only adds up the bytes.
 */
static uint64_t place_scratch(runner *r, const context *c)
{
  ms_gpu_layout layout = {r->at.scratch, 0};
  ms_shapes_launch *l = &r->launch;
  uint64_t slots = c->on.by_keys ? (uint64_t)1 << l->slot_bits : 0;
  uint64_t cells = cells_of(c);
  bool is_shared = l->buckets <= MS_SHAPES_BUCKETS;
  r->at.search.queue = l->queue = ms_gpu_place(&layout, 1, sizeof *l->queue);
  l->unit = ms_gpu_place(&layout, c->on.pieces, sizeof *l->unit);
  l->network = ms_gpu_place(&layout, c->on.network ? c->on.networks : 0, sizeof *l->network);
  l->used = ms_gpu_place(&layout, 1, sizeof *l->used);
  l->entries = ms_gpu_place(&layout, 1, sizeof *l->entries);
  l->cell = ms_gpu_place(&layout, cells, sizeof *l->cell);
  l->slot = ms_gpu_place(&layout, slots, sizeof *l->slot);
  l->entry = ms_gpu_place(&layout, slots < WINDOW ? slots : WINDOW, sizeof *l->entry);
  l->mark = ms_gpu_place(&layout, warps_of(r) * l->n, 1);
  l->bucket =
      ms_gpu_place(&layout, is_shared ? 0 : warps_of(r) * 2 * l->buckets, sizeof *l->bucket);
  l->x = ms_gpu_place(&layout, warps_of(r) * l->x_room, sizeof *l->x);
  l->cell = cells > 0 ? l->cell : NULL;
  l->network = c->on.network ? l->network : NULL;
  l->bucket = is_shared ? NULL : l->bucket;
  return layout.bytes;
}

/* Finds the kernel, and how many of its blocks the device holds and has the memory for. */
static ms_status choose_grid(runner *r, const context *c, uint64_t room, ms_error *err)
{
  ms_shapes_launch *l = &r->launch;
  ms_gpu_device facts;
  uint32_t blocks;
  uint64_t of_block = MS_SHAPES_WARPS * ((uint64_t)l->n + l->x_room * sizeof *l->x);
  l->shared_cells = !c->on.by_keys && 1u << l->code_bits <= SHARED_CELLS ? 1u << l->code_bits : 0;
  l->cache_bits = CACHE_BITS;
  uint64_t shared = l->shared_cells > 0 ? l->shared_cells * sizeof(uint32_t)
                                        : (uint64_t)MS_SHAPES_OF_PLACE << l->cache_bits;
  uint64_t buckets = MS_SHAPES_WARPS * 2 * (uint64_t)l->buckets * sizeof *l->bucket;
  if (l->buckets <= MS_SHAPES_BUCKETS)
    shared += buckets;
  else
    of_block += buckets;
  r->at.kernel = ms_shapes_function(c->on.k, c->on.by_keys ? MS_SHAPES_COLORED : MS_SHAPES_PLAIN);
  MS_TRY(ms_gpu_device_facts(r->at.gpu.device, &facts, err));
  MS_TRY(ms_gpu_occupancy(r->at.kernel, MS_SHAPES_WARPS * MS_GPU_WARP, (uint32_t)shared, &blocks,
                          err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for a census of this size; use "
                   "the CPU");
  blocks *= (uint32_t)facts.multiprocessors;
  uint64_t fits = room / 2 / of_block;
  uint64_t useful = c->offset[c->on.graph->n] / MS_SHAPES_WARPS + 1;
  fits = fits < useful ? fits : useful;
  fits = fits < 1 ? 1 : fits;
  r->at.grid = (ms_gpu_grid){blocks < fits ? blocks : (uint32_t)fits, MS_SHAPES_WARPS * MS_GPU_WARP,
                             (uint32_t)shared};
  return MS_OK;
}

/* Sizes all that depends on the memory that is free; returns the bytes of the scratch. */
static ms_status size_scratch(runner *r, const context *c, uint64_t room, uint64_t *bytes,
                              ms_error *err)
{
  ms_shapes_launch *l = &r->launch;
  l->slot_bits = c->on.by_keys ? choose_slot_bits(c, room) : 0;
  l->many = c->on.network ? UINT64_MAX : ((uint64_t)1 << l->slot_bits) / 2;
  MS_TRY(choose_grid(r, c, room, err));
  *bytes = place_scratch(r, c);
  return MS_OK;
}

static ms_status open_memory(ms_census_device *at, ms_gpu_share *share, ms_staging_list *list,
                             ms_error *err)
{
  runner *r = (runner *)at;
  context *c = (context *)share;
  const ms_census_graph *g = c->on.graph;
  ms_shapes_launch *l = &r->launch;
  uint64_t arcs = g->offset[g->n], x = (uint64_t)(c->on.k - 1) * g->max_degree + 1, room, bytes;
  ms_staging_add(list, c->offset, ((uint64_t)g->n + 1) * sizeof *c->offset);
  ms_staging_add(list, g->neighbor, arcs * sizeof *g->neighbor);
  if (c->on.form.width == 2)
    ms_staging_add(list, g->direction, arcs * sizeof *g->direction);
  if (c->on.by_keys)
    ms_staging_add(list, g->kind, g->n * sizeof *g->kind);
  l->n = c->on.network ? 0 : g->n;
  for (uint32_t i = 0; c->on.network && i < c->on.networks; i++)
    l->n = c->on.network[i].vertices > l->n ? c->on.network[i].vertices : l->n;
  l->networks = (uint32_t)networks_of(c);
  l->arc_bits = c->on.form.width;
  l->code_bits = ms_graphlet_bits(c->on.form, c->on.k);
  l->kind_bits = ms_shape_kind_bits(g->kinds);
  l->x_room = x < l->n ? (uint32_t)x : l->n;
  l->buckets = g->kinds << l->arc_bits * (c->on.k - 2);
  MS_TRY(size_scratch(r, c, UINT64_MAX, &bytes, err));
  MS_TRY(ms_gpu_room(&r->at.gpu, list->bytes + bytes, &room, err));
  if (room < list->bytes + bytes)
    MS_TRY(size_scratch(r, c, room > list->bytes ? room - list->bytes : 0, &bytes, err));
  MS_TRY(ms_census_check_room(&r->at.gpu, list->bytes + bytes, err));
  MS_TRY(ms_gpu_alloc(&r->at.gpu, list->bytes, &r->at.memory, "copying the graph", err));
  MS_TRY(ms_gpu_alloc(&r->at.gpu, bytes, &r->at.scratch, "making room for a census", err));
  place_scratch(r, c);
  pthread_mutex_lock(&c->share.lock);
  bytes += list->bytes;
  c->numbers->bytes = bytes > c->numbers->bytes ? bytes : c->numbers->bytes;
  pthread_mutex_unlock(&c->share.lock);
  l->offset = ms_staging_place(list, r->at.memory, c->offset);
  l->neighbor = ms_staging_place(list, r->at.memory, g->neighbor);
  l->direction = c->on.form.width == 2 ? ms_staging_place(list, r->at.memory, g->direction) : NULL;
  l->kind = c->on.by_keys ? ms_staging_place(list, r->at.memory, g->kind) : NULL;
  return ms_staging_upload(&r->at.gpu.staging, list, r->at.memory, r->at.gpu.threads, err);
}

static void close_runner(runner *r)
{
  if (!r->at.is_open)
    return;
  ms_census_end_device(&r->at);
  ms_gpu_context_close(&r->at.gpu);
  *r = (runner){0};
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Copies from the device, and waits; the copy is checked if the run checks itself. */
static ms_status fetch(runner *r, const context *c, void *to, void *from, uint64_t bytes,
                       ms_error *err)
{
  MS_TRY(ms_census_fetch(&r->at.gpu, to, from, bytes, err));
  return ms_gpu_check_copy(&r->at.gpu, c->on.integrity, from, to, bytes, err);
}

/* Passes on the keys of a window of the table. */
static ms_status take_window(runner *r, context *c, uint64_t begin, ms_shape_entry *entry,
                             ms_error *err)
{
  ms_shapes_launch *l = &r->launch;
  unsigned long long entries;
  l->window_begin = begin;
  l->window_end =
      begin + WINDOW < (uint64_t)1 << l->slot_bits ? begin + WINDOW : (uint64_t)1 << l->slot_bits;
  MS_TRY(ms_census_clear(&r->at.gpu, l->entries, sizeof *l->entries, err));
  MS_TRY(ms_gpu_launch(ms_shapes_function(c->on.k, MS_SHAPES_READ),
                       (ms_gpu_grid){r->at.grid.blocks, r->at.grid.threads, 0}, (void *[]){l},
                       r->at.gpu.staging.stream, "reading numbers", err));
  MS_TRY(fetch(r, c, &entries, l->entries, sizeof entries, err));
  if (entries > l->window_end - begin)
    return ms_gpu_fail_damaged(&r->at.gpu, err);
  if (entries == 0)
    return MS_OK;
  MS_TRY(fetch(r, c, entry, l->entry, entries * sizeof *entry, err));
  pthread_mutex_lock(&c->share.lock);
  ms_status status = c->numbers->take(c->numbers->user, entry, entries, err);
  pthread_mutex_unlock(&c->share.lock);
  return status;
}

static ms_status take_table(runner *r, context *c, ms_error *err)
{
  _Static_assert(sizeof(ms_shape_entry) == sizeof(ms_shapes_slot), "the same entries");
  uint64_t slots = (uint64_t)1 << r->launch.slot_bits, room = slots < WINDOW ? slots : WINDOW;
  unsigned long long used;
  MS_TRY(fetch(r, c, &used, r->launch.used, sizeof used, err));
  pthread_mutex_lock(&c->share.lock);
  c->numbers->keys = used < slots ? used : slots;
  c->numbers->tables++;
  pthread_mutex_unlock(&c->share.lock);
  ms_shape_entry *entry = ms_alloc(room, sizeof *entry);
  ms_status status = entry ? MS_OK : ms_fail_memory(err, "the numbers of a census");
  for (uint64_t begin = 0; status == MS_OK && begin < slots; begin += WINDOW)
    status = take_window(r, c, begin, entry, err);
  ms_free(entry);
  return status;
}

/* ---- a count ----------------------------------------------------------------------------- */

/* Launches once, from unit number `begin` on, and waits. */
static ms_status run_launch(runner *r, context *c, ms_error *err)
{
  ms_shapes_launch *l = &r->launch;
  MS_TRY(ms_stop_check(c->task.stop));
  if (!r->is_clean) {
    MS_TRY(ms_census_clear(&r->at.gpu, l->mark, warps_of(r) * l->n, err));
    if (l->bucket)
      MS_TRY(ms_census_clear(&r->at.gpu, l->bucket,
                             warps_of(r) * 2 * l->buckets * sizeof *l->bucket, err));
  }
  if (c->on.by_keys) {
    MS_TRY(ms_census_clear(&r->at.gpu, l->slot, sizeof *l->slot << l->slot_bits, err));
    MS_TRY(ms_census_clear(&r->at.gpu, l->used, sizeof *l->used, err));
  }
  r->is_clean = false;
  MS_TRY(ms_census_launch_once(&r->at.search, err));
  MS_TRY(ms_gpu_check_copy(&r->at.gpu, c->on.integrity, l->queue, r->at.search.seen,
                           sizeof *r->at.search.seen, err));
  r->is_clean = !r->at.search.seen->listed[0];
  return MS_OK;
}

/* Adds what a launch has found, other than numbers by codes. */
static ms_status take_launch(runner *r, context *c, ms_error *err)
{
  const ms_gpu_queue *seen = r->at.search.seen;
  pthread_mutex_lock(&c->share.lock);
  for (uint32_t i = 0; i < MS_SUM_DIGITS; i++)
    c->numbers->sets += ldexp((double)seen->sum.digit[i], (int)(32 * i));
  c->numbers->visits += seen->rows;
  pthread_mutex_unlock(&c->share.lock);
  return c->on.by_keys ? take_table(r, c, err) : MS_OK;
}

/* Counts all units that the device has taken: in one launch, or, where the table becomes full, in
 * several.  A launch whose keys had no room does not count, and is begun again with fewer units. */
static ms_status run_units(runner *r, context *c, ms_error *err)
{
  ms_shapes_launch *l = &r->launch;
  uint64_t rest = c->units % l->all, more = rest > l->first ? rest - l->first : 0;
  uint64_t units = c->units / l->all * l->width + (more < l->width ? more : l->width);
  uint64_t most = units;
  for (l->begin = 0; l->begin < units;) {
    l->end = most < units - l->begin ? l->begin + most : units;
    uint64_t length = l->end - l->begin;
    r->at.search.steps = length;
    MS_TRY(run_launch(r, c, err));
    const ms_gpu_queue *seen = r->at.search.seen;
    uint64_t taken = seen->next < length ? seen->next : length;
    if (seen->listed[0] && length == 1)
      return ms_fail(err, MS_ERR_MEMORY,
                     "the shapes and colours of one vertex do not fit the GPU's "
                     "table; " MS_GPU_MORE_MEMORY ", or use the CPU");
    if (seen->listed[0]) {
      most = taken > 1 ? taken / 2 : 1;
      continue;
    }
    MS_TRY(take_launch(r, c, err));
    l->begin += taken;
    most = most < units / 2 ? 2 * most : units;
  }
  return MS_OK;
}

/* Counts all networks side by side in one launch. */
static ms_status run_networks(runner *r, context *c, ms_error *err)
{
  ms_shapes_network *network = ms_calloc(c->on.networks, sizeof *network);
  uint64_t units = 0;
  uint32_t vertex = 0;
  if (!network)
    return ms_fail_memory(err, "a census on a GPU");
  for (uint32_t i = 0; i < c->on.networks; i++) {
    network[i].begin = units;
    network[i].end = units += c->on.network[i].units;
    network[i].vertex = vertex;
    vertex += c->on.network[i].vertices;
  }
  r->launch.width = 1;
  r->at.search.steps = 0;
  ms_status status = ms_census_upload(&r->at.gpu, network, c->on.networks * sizeof *network,
                                      r->launch.network, err);
  ms_free(network);
  if (status == MS_OK)
    status = run_launch(r, c, err);
  if (status == MS_OK && r->at.search.seen->listed[0])
    return ms_fail(err, MS_ERR_MEMORY,
                   "the shapes and colours of random networks do not fit the GPU's "
                   "table; " MS_GPU_MORE_MEMORY ", or use the CPU");
  return status == MS_OK ? take_launch(r, c, err) : status;
}

static ms_status count_on_device(runner *r, context *c, int device, ms_error *err)
{
  ms_gpu_share *s = &c->share;
  uint64_t first, end, all = ms_census_classes(s);
  bool lost; /* numbers are modulo 2^64 */
  r->at.launch = &r->launch;
  if (!r->at.is_open)
    MS_TRY(ms_census_open_device(&r->at, s, device, c->on.memory, open_memory, err));
  else
    MS_TRY_CUDA(cudaSetDevice(device), "starting the GPU");
  r->launch.units = c->units;
  MS_TRY(ms_census_upload(&r->at.gpu, c->unit, c->units * sizeof *c->unit, r->launch.unit, err));
  if (!c->on.by_keys)
    MS_TRY(ms_census_clear(&r->at.gpu, r->launch.cell, cells_of(c) * sizeof *r->launch.cell, err));
  r->launch.all = all;
  while (ms_gpu_share_take(s, all, &first, &end)) {
    r->launch.first = first;
    r->launch.width = end - first;
    MS_TRY(c->on.network ? run_networks(r, c, err) : run_units(r, c, err));
  }
  return c->on.by_keys ? MS_OK
                       : ms_census_add_cells(&r->at, c->on.integrity, r->launch.cell, cells_of(c),
                                             c->numbers->total, &lost, err);
}

static ms_status run_device(ms_gpu_share *share, int device, ms_error *err)
{
  context *c = (context *)share;
  runner *r = &c->runner[ms_census_place_of(share, device)];
  return ms_gpu_context_note_status(&r->at.gpu, count_on_device(r, c, device, err));
}

ms_status ms_shapes_count(void *opaque, const ms_census_units *units, const ms_share *share,
                          ms_shape_numbers *numbers, ms_error *err)
{
  context *c = opaque;
  c->units = 0;
  c->numbers = numbers;
  c->unit = ms_alloc(ms_share_count(share, units->count), sizeof *c->unit);
  if (!c->unit)
    return ms_fail_memory(err, "a census on a GPU");
  for (uint64_t u = ms_share_next(share, 0); u < units->count; u = ms_share_next(share, u + 1)) {
    const ms_census_unit *unit = &units->unit[u];
    c->unit[c->units++] = (ms_shapes_unit){unit->root, unit->roots, unit->begin, unit->end};
  }
  ms_status status = c->units > 0 ? ms_census_run_share(&c->share, err) : MS_OK;
  ms_free(c->unit);
  c->unit = NULL;
  return status;
}

/* ---- open and close ------------------------------------------------------------------------ */

void ms_shapes_close(void *opaque)
{
  context *c = opaque;
  if (!c)
    return;
  for (uint32_t i = 0; i < MS_GPU_MOST_DEVICES; i++)
    close_runner(&c->runner[i]);
  ms_free(c->offset);
  pthread_mutex_destroy(&c->share.lock);
  ms_free(c);
}

static ms_status check_graph(const ms_census_on *on, ms_error *err)
{
  const ms_census_graph *g = on->graph;
  if (g->offset[g->n] > UINT32_MAX - 64) /* lanes step beyond the end of a row */
    return ms_fail(err, MS_ERR_USAGE,
                   "the graph has 2^31 edges or more, which the GPU does not search; use the CPU");
  if (on->by_keys && ms_graphlet_bits(on->form, on->k) + on->k * ms_shape_kind_bits(g->kinds) +
                             (on->network ? ms_shape_kind_bits(on->networks) : 0) >
                         63)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have too many colours for the GPU; use the CPU, or choose fewer "
                   "colours by `only`");
  return MS_OK;
}

ms_status ms_shapes_open(const ms_census_on *on, void **out, ms_error *err)
{
  *out = NULL;
  MS_TRY(check_graph(on, err));
  context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a census on a GPU");
  c->on = *on;
  c->share.work = run_device;
  ms_status status = ms_census_open_share(on, &c->share, &c->task, &c->offset, err);
  if (on->network)
    c->share.devices = 1;
  if (status == MS_OK)
    *out = c;
  else
    ms_shapes_close(c);
  return status;
}
