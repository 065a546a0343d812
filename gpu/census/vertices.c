/* Numbers of sets of each vertex on GPUs (vertices.cuh): the passes of a call, and the part of a
 * device in each.
 *
 * All vertices of a call are searched with the words that most balls need and with tables that
 * were large enough for most vertices of the call before.  The vertices whose balls are too large
 * are searched again with more words, and those whose tables were too small with the largest ones.
 * Entries go to an output of fixed size.  So the memory of a device does not depend on the number
 * of vertices of a call, but for 12 bytes each, and the caller asks for fewer vertices where the
 * output was too small. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/census/context.h"
#include "gpu/common/cuda_error.h"

#include <string.h>

enum {
  LEAST_BITS = 5,  /* of the places of a table */
  SHARED_BITS = 12 /* larger tables are in global memory */
};
/* Bytes of all tables in global memory; one block may have more. */
#define MOST_TABLES ((uint64_t)1 << 30)

typedef ms_census_runner runner;
typedef ms_census_context context;
typedef ms_census_pass pass;

/* ---- a device -------------------------------------------------------------------------- */

/* Allocates the tables of so many warps, unless they are there. */
static ms_status open_table(runner *r, uint64_t warps, ms_error *err)
{
  uint64_t bytes = warps * ms_census_table_bytes(r->launch.place_bits);
  if (r->table_bytes < bytes) {
    ms_gpu_free(&r->at.gpu, r->table);
    r->table = NULL;
    r->table_bytes = 0;
    MS_TRY(ms_census_check_room(&r->at.gpu, bytes, err));
    MS_TRY(ms_gpu_alloc(&r->at.gpu, bytes, &r->table, "making room for numbers of sets", err));
    r->table_bytes = bytes;
  }
  r->launch.table = r->table;
  return MS_OK;
}

/* Finds how many blocks a device runs. */
static ms_status choose_grid(runner *r, context *c, ms_error *err)
{
  const pass *p = &c->pass;
  ms_gpu_device facts;
  ms_census_launch *l = &r->launch;
  uint32_t warps = MS_CENSUS_WARPS, blocks;
  l->place_bits = p->place_bits;
  l->shared_cells = 0;
  l->merged = l->kinds <= ms_hooks.gpu_census_ball_kinds ? l->kinds : 0;
  l->table = NULL;
  uint64_t table = ms_census_table_bytes(p->place_bits);
  uint64_t shared = ms_census_warp_bytes(p->words, c->on.k, l->merged);
  bool is_shared = p->place_bits <= SHARED_BITS;
  shared += is_shared ? table : 0;
  MS_TRY(ms_gpu_device_facts(r->at.gpu.device, &facts, err));
  while (warps > 1 && warps * shared > facts.shared)
    warps /= 2;
  r->at.kernel = ms_census_function(p->words, MS_CENSUS_VERTICES);
  MS_TRY(ms_gpu_occupancy(r->at.kernel, warps * MS_GPU_WARP, (uint32_t)(warps * shared), &blocks,
                          err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for a census of this size; use "
                   "the CPU");
  uint64_t most = (p->units + warps - 1) / warps, room;
  blocks *= (uint32_t)facts.multiprocessors;
  blocks = blocks < most ? blocks : (uint32_t)most;
  if (!is_shared) {
    MS_TRY(ms_gpu_room(&r->at.gpu, MOST_TABLES, &room, err));
    room = (room + r->table_bytes) / 2;
    uint64_t fits = (room < MOST_TABLES ? room : MOST_TABLES) / (warps * table);
    blocks = blocks < fits ? blocks : fits > 0 ? (uint32_t)fits : 1;
    MS_TRY(open_table(r, (uint64_t)blocks * warps, err));
  }
  r->at.grid = (ms_gpu_grid){blocks, warps * MS_GPU_WARP, (uint32_t)(warps * shared)};
  return MS_OK;
}

/* Appends what the device has found to the results of the pass, under the lock.  found[units] and
 * entry[entries] are copies of the device's. */
static ms_status take_found(context *c, const uint64_t *found, const uint64_t *entry,
                            uint64_t entries, ms_error *err)
{
  pass *p = &c->pass;
  ms_vertex_numbers *numbers = p->numbers;
  uint64_t begin = numbers->entries, all = begin + entries;
  if (all > numbers->most)
    return MS_OK; /* its vertices are asked for again */
  if (all > numbers->room) {
    uint64_t *larger = ms_resize(numbers->entry, numbers->room, all, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the numbers of sets of vertices");
    numbers->entry = larger;
    numbers->room = all;
  }
  if (entries > 0)
    memcpy(numbers->entry + begin, entry, entries * sizeof *entry);
  numbers->entries = all;
  for (uint64_t u = 0; u < p->units; u++)
    if (found[u])
      p->found[u] = found[u] % 4 == MS_CENSUS_DONE ? found[u] + (begin << 24) : found[u];
  return MS_OK;
}

/* Returns the entries of the device that some unit has written.  What the counter of used entries
 * says is more where a unit had no room: nobody has written its part of the room. */
static uint64_t written_entries(const uint64_t *found, uint64_t units)
{
  uint64_t entries = 0;
  for (uint64_t u = 0; u < units; u++)
    if (found[u] % 4 == MS_CENSUS_DONE) {
      uint64_t end = (found[u] >> 24) + (found[u] >> 2 & (((uint64_t)1 << 22) - 1));
      entries = end > entries ? end : entries;
    }
  return entries;
}

static ms_status fetch_found(runner *r, context *c, ms_error *err)
{
  const ms_census_launch *l = &r->launch;
  uint64_t units = c->pass.units, *found = ms_alloc(units, sizeof *found), *entry = NULL;
  ms_status status = found
                         ? ms_census_fetch(&r->at.gpu, found, l->found, units * sizeof *found, err)
                         : ms_fail_memory(err, "the numbers of sets of vertices");
  uint64_t entries = status == MS_OK ? written_entries(found, units) : 0;
  if (status == MS_OK && entries > 0) {
    entry = ms_alloc(entries, sizeof *entry);
    status = entry ? ms_census_fetch(&r->at.gpu, entry, l->entry, entries * sizeof *entry, err)
                   : ms_fail_memory(err, "the numbers of sets of vertices");
  }
  pthread_mutex_lock(&c->share.lock);
  if (status == MS_OK)
    status = take_found(c, found, entry, entries, err);
  pthread_mutex_unlock(&c->share.lock);
  ms_free(found);
  ms_free(entry);
  return status;
}

static ms_status run_vertex_pass(runner *r, context *c, ms_error *err)
{
  const pass *p = &c->pass;
  ms_census_launch *l = &r->launch;
  if (!r->has_kinds) {
    const ms_census_graph *g = c->on.graph;
    MS_TRY(ms_census_upload(&r->at.gpu, g->kind, g->n * sizeof *g->kind, l->kind, err));
    r->has_kinds = true;
  }
  MS_TRY(choose_grid(r, c, err));
  if (l->table)
    MS_TRY(ms_census_clear(&r->at.gpu, l->table, r->table_bytes, err));
  MS_TRY(ms_census_clear(&r->at.gpu, l->used, sizeof *l->used, err));
  MS_TRY(ms_census_clear(&r->at.gpu, l->found, p->units * sizeof *l->found, err));
  MS_TRY(ms_census_upload(&r->at.gpu, p->root, p->units * sizeof *p->root, l->root, err));
  MS_TRY(ms_census_search_units(r, c, err));
  return fetch_found(r, c, err);
}

/* ---- passes ----------------------------------------------------------------------------- */

/* What a call has: which[] are places in rank[], of which a pass searches the roots root[]. */
typedef struct call {
  context *c;
  const uint32_t *rank;
  ms_vertex_numbers *numbers;
  uint32_t *root;  /* [count] */
  uint64_t *found; /* [count] */
} call;

static uint32_t bits_for(double places)
{
  uint32_t bits = LEAST_BITS;
  while (bits < MS_CENSUS_MOST_BITS && (double)((uint64_t)1 << bits) < places)
    bits++;
  return bits;
}

static uint32_t most_bits(const context *c)
{
  return ms_hooks.gpu_census_bits ? ms_hooks.gpu_census_bits : bits_for((double)c->on.motifs);
}

/* Searches which[count] by kernels of `words` and tables of 2^bits places.  Leaves in which[] those
 * that need more words, of which it returns the number, and behind them those that need larger
 * tables, *larger. */
static ms_status run_pass(call *k, uint32_t *which, uint32_t count, uint32_t words, uint32_t bits,
                          uint32_t *wider, uint32_t *larger, ms_error *err)
{
  context *c = k->c;
  uint32_t tables = 0, kept = 0;
  for (uint32_t i = 0; i < count; i++)
    k->root[i] = k->rank[which[i]];
  memset(k->found, 0, count * sizeof *k->found);
  c->pass = (pass){.words = words,
                   .root = k->root,
                   .units = count,
                   .place_bits = bits,
                   .found = k->found,
                   .numbers = k->numbers};
  MS_TRY(ms_census_run_share(&c->share, err));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = which[i], code = (uint32_t)(k->found[i] % 4);
    if (code == MS_CENSUS_DONE) {
      k->numbers->at[v] = k->found[i] >> 24;
      k->numbers->many[v] = (uint32_t)(k->found[i] >> 2 & ((1u << 22) - 1));
    } else {
      k->numbers->many[v] = code == 0 ? MS_CENSUS_LATER : MS_CENSUS_LEFT;
    }
    if (code == MS_CENSUS_BALL)
      which[kept++] = v;
    else if (code == MS_CENSUS_TABLE)
      k->root[tables++] = v;
  }
  memcpy(which + kept, k->root, tables * sizeof *which);
  *wider = kept;
  *larger = tables;
  return MS_OK;
}

/* Searches which[count] from these words and bits on, until the widest kernel and the largest
 * tables. */
static ms_status run_passes(call *k, uint32_t *which, uint32_t count, uint32_t words, uint32_t bits,
                            ms_error *err)
{
  uint32_t wider = 0, larger = 0;
  if (count == 0)
    return MS_OK;
  MS_TRY(run_pass(k, which, count, words, bits, &wider, &larger, err));
  if (2 * words <= ms_hooks.gpu_census_words_limit)
    MS_TRY(run_passes(k, which, wider, 2 * words, bits, err));
  if (bits < most_bits(k->c))
    MS_TRY(run_passes(k, which + wider, larger, words, most_bits(k->c), err));
  return MS_OK;
}

/* Chooses tables by the numbers of motifs that were found: for all vertices, unless some have far
 * more than others. */
static void choose_bits(context *c, const ms_vertex_numbers *numbers, uint32_t count)
{
  uint64_t sum = 0, done = 0, greatest = 0;
  for (uint32_t i = 0; i < count; i++)
    if (numbers->many[i] < MS_CENSUS_LATER) {
      sum += numbers->many[i];
      greatest = numbers->many[i] > greatest ? numbers->many[i] : greatest;
      done++;
    }
  double mean = done > 0 ? (double)sum / (double)done : 0;
  double places = 1.25 * ((double)greatest < 4 * mean ? (double)greatest : 4 * mean);
  c->place_bits = done > 0 ? bits_for(places) : most_bits(c);
  c->place_bits = c->place_bits < most_bits(c) ? c->place_bits : most_bits(c);
}

ms_status ms_census_count_vertices(void *opaque, const uint32_t *rank, uint32_t count,
                                   ms_vertex_numbers *numbers, ms_error *err)
{
  context *c = opaque;
  call k = {c, rank, numbers, ms_alloc(count, sizeof *k.root), ms_alloc(count, sizeof *k.found)};
  uint32_t *which = ms_alloc(count, sizeof *which);
  bool ok = k.root && k.found && which;
  numbers->entries = 0;
  for (uint32_t i = 0; ok && i < count; i++)
    which[i] = i;
  c->vertex_pass = run_vertex_pass;
  uint32_t bits = c->place_bits ? c->place_bits : most_bits(c);
  ms_status status = ok ? run_passes(&k, which, count, c->words, bits, err)
                        : ms_fail_memory(err, "the numbers of sets of vertices");
  if (status == MS_OK)
    choose_bits(c, numbers, count);
  ms_free(k.root);
  ms_free(k.found);
  ms_free(which);
  return status;
}
