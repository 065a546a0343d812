/* Pruning on a GPU: the rules of motif/prune.c until nothing changes.
 *
 * A vertex that a rule drops from a set of vertices it drops from every subset that holds the
 * vertex, so each order of drops ends at the same set.  A round drops components of fewer vertices
 * than a match has, then vertices that are too far from a slot; rounds follow one another as long
 * as the second rule drops any.  Whether a component can fill the slots is decided by the host at
 * the end: no distance leads from one component into another.
 *
 * The graph's rows are copied as they are, and the rows that are left stay on the device, which
 * numbers their vertices and finds their places, so the host reads no arc.  If all vertices are
 * left, their arrays go from one instance to the other; otherwise the host copies what is left of
 * them, by one number for each vertex that comes back from the device. */
#include "gpu/sieve/prune.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "gpu/common/context.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"
#include "gpu/common/launch.h"
#include "gpu/sieve/prune_device.h"

#include <pthread.h>
#include <string.h>

/* FILL: vertices of a range of `fill` */
enum { CHUNK = 4096, FILL = 4096, BLOCKS_A_MULTIPROCESSOR = 8 };
/* The arrays take at most this fraction of the memory: they stay while the sieve runs, which needs
 * much more than they. */
enum { LEAST_ROOM = 32 };

static const char pruning_text[] = "pruning on the GPU";

typedef struct pruning {
  ms_instance *whole;
  const ms_gpu_prune_options *options;
  ms_instance *to;
  ms_gpu_context gpu;
  ms_prune_launch l;
  ms_gpu_rows rows_at; /* the block that holds the rows and all arrays of `l` */
  uint8_t *uploaded;   /* in the block */
  bool all;            /* no vertex is dropped */
  uint32_t *left;      /* [n] of the host, as in ms_prune_launch; NULL: not fetched */
  uint32_t *before;    /* [chunks] numbers of vertices that are left before each chunk */
  ms_gpu_rows *rows;   /* the result: NULL until all is done */
} pruning;

/* ---- contexts of the other devices ----------------------------------------------------------- */

/* A device that starts while another one prunes.  What fails is met again when it is used. */
typedef struct starting {
  int device;
  bool started;
  pthread_t thread;
} starting;

static void *start_device(void *user)
{
  ms_staging staging;
  if (ms_staging_acquire(((starting *)user)->device, &staging, NULL) == MS_OK)
    ms_staging_release(&staging, true);
  return NULL;
}

static void start_others(const ms_gpu_prune_options *o, starting *all)
{
  for (uint32_t i = 1; i < o->run.n_devices && i < MS_GPU_MOST_DEVICES; i++) {
    all[i].device = o->run.devices[i];
    all[i].started = ms_thread_start(&all[i].thread, start_device, &all[i]);
  }
}

static void wait_for_others(starting *all)
{
  for (uint32_t i = 1; i < MS_GPU_MOST_DEVICES; i++)
    if (all[i].started)
      pthread_join(all[i].thread, NULL);
}

/* ---- stages ------------------------------------------------------------------------------------
 */

static ms_status run_stage(const pruning *p, ms_prune_stage stage, ms_error *err)
{
  ms_gpu_grid grid = {.blocks = p->l.blocks, .threads = MS_PRUNE_WARPS * MS_GPU_WARP};
  return ms_gpu_launch(ms_prune_function(stage), grid, (void *[]){(void *)&p->l},
                       p->gpu.staging.stream, pruning_text, err);
}

static ms_status clear(const pruning *p, void *at, uint64_t bytes, ms_error *err)
{
  return ms_cuda_status(cudaMemsetAsync(at, 0, bytes, p->gpu.staging.stream), pruning_text, err);
}

typedef struct fetching {
  uint8_t *to;
  const uint8_t *from;
} fetching;

static void copy_range(void *user, ms_range r)
{
  const fetching *f = user;
  memcpy(f->to + r.begin, f->from + r.begin, r.end - r.begin);
}

/* Copies to the host by way of a pinned buffer, and waits. */
static ms_status fetch(pruning *p, void *to, const void *from, uint64_t bytes, ms_error *err)
{
  ms_staging *s = &p->gpu.staging;
  MS_TRY(ms_staging_make_buffers(s, 1, err));
  ms_staging_note(bytes);
  for (uint64_t at = 0; at < bytes; at += MS_STAGING_BYTES) {
    uint64_t size = bytes - at < MS_STAGING_BYTES ? bytes - at : MS_STAGING_BYTES;
    MS_TRY_CUDA(cudaMemcpyAsync(s->buffer[0], (const uint8_t *)from + at, size,
                                cudaMemcpyDeviceToHost, s->stream),
                pruning_text);
    MS_TRY_CUDA(cudaStreamSynchronize(s->stream), pruning_text);
    ms_parallel(ms_threads_for(p->gpu.threads, size / 8), size, 0, copy_range,
                &(fetching){(uint8_t *)to + at, s->buffer[0]});
  }
  return MS_OK;
}

static ms_status fetch_facts(pruning *p, ms_prune_facts *facts, ms_error *err)
{
  MS_TRY(fetch(p, facts, p->l.facts, sizeof *facts, err));
  ms_status status = p->options->run.stop ? ms_stop_check(p->options->run.stop) : MS_OK;
  return status == MS_OK ? MS_OK
                         : ms_fail(err, status, "pruning was stopped: %s", ms_status_text(status));
}

/* Finds the components, and drops the small ones. */
static ms_status drop_small(const pruning *p, ms_error *err)
{
  static const ms_prune_stage stage[] = {MS_PRUNE_PLANT,   MS_PRUNE_FLATTEN, MS_PRUNE_LINK,
                                         MS_PRUNE_FLATTEN, MS_PRUNE_LINK,    MS_PRUNE_FLATTEN,
                                         MS_PRUNE_GIANT,   MS_PRUNE_JOIN,    MS_PRUNE_FLATTEN,
                                         MS_PRUNE_SIZE,    MS_PRUNE_SMALL};
  MS_TRY(clear(p, p->l.size, p->l.n * sizeof *p->l.size, err));
  for (size_t i = 0; i < sizeof stage / sizeof *stage; i++)
    MS_TRY(run_stage(p, stage[i], err));
  return MS_OK;
}

/* Makes the hops after the first one, as long as they may change anything, and drops the vertices
 * that lack a slot. */
static ms_status drop_far(pruning *p, ms_prune_facts *facts, ms_error *err)
{
  facts->changed = 1;
  for (uint32_t hop = 1; hop + 1 < p->l.least && facts->missing && facts->changed; hop++) {
    MS_TRY(clear(p, p->l.facts, 2 * sizeof facts->missing, err));
    MS_TRY(run_stage(p, MS_PRUNE_HOP, err));
    MS_TRY(fetch_facts(p, facts, err));
    uint32_t *swap = p->l.reach;
    p->l.reach = p->l.next;
    p->l.next = swap;
  }
  if (!facts->missing)
    return MS_OK;
  MS_TRY(run_stage(p, MS_PRUNE_FAR, err));
  return fetch_facts(p, facts, err);
}

/* Drops vertices until nothing changes.  *components: those that have enough vertices; *settled:
 * false if this takes too many rounds. */
static ms_status run_rounds(pruning *p, uint32_t *components, bool *settled, ms_error *err)
{
  ms_prune_facts facts;
  bool dropped = false;
  *settled = false;
  for (uint32_t round = 0; round < p->l.least && !*settled; round++) {
    MS_TRY(clear(p, p->l.facts, sizeof facts, err));
    MS_TRY(run_stage(p, MS_PRUNE_NEAR, err));
    MS_TRY(drop_small(p, err));
    if (round == 0 && p->options->meanwhile)
      p->options->meanwhile(p->options->meanwhile_user);
    MS_TRY(fetch_facts(p, &facts, err));
    *components = facts.components;
    MS_TRY(drop_far(p, &facts, err));
    *settled = facts.far == 0;
    dropped = facts.poor + facts.far > 0;
    p->all = p->all && !dropped && !facts.slotless;
  }
  return dropped && *settled ? run_stage(p, MS_PRUNE_NEAR, err) : MS_OK; /* left[] */
}

/* ---- the device's memory -----------------------------------------------------------------------
 */

/* Places the result at the start of the block, then what is uploaded, then the other arrays.  One
 * block for all, because the pool of the device finds the same places for few large blocks in each
 * call. */
static void place_arrays(pruning *p, ms_gpu_layout *layout, uint64_t uploaded)
{
  uint64_t n = p->l.n;
  p->rows_at.offset = ms_gpu_place(layout, n + 1, sizeof *p->rows_at.offset);
  p->rows_at.head = ms_gpu_place(layout, p->whole->arcs, sizeof *p->rows_at.head);
  p->uploaded = ms_gpu_place(layout, uploaded, 1);
  p->l.reach = ms_gpu_place(layout, n, sizeof *p->l.reach);
  p->l.next = ms_gpu_place(layout, n, sizeof *p->l.next);
  p->l.left = ms_gpu_place(layout, n, sizeof *p->l.left);
  p->l.parent = ms_gpu_place(layout, n, sizeof *p->l.parent);
  p->l.root = ms_gpu_place(layout, n, sizeof *p->l.root);
  p->l.size = ms_gpu_place(layout, n, sizeof *p->l.size);
  p->l.facts = ms_gpu_place(layout, 1, sizeof *p->l.facts);
  p->l.sum = ms_gpu_place(layout, p->l.chunks, sizeof *p->l.sum);
}

/* Copies the graph's rows, and the masks, which may be made meanwhile.  *fits is false if the
 * device has little room. */
static ms_status upload(pruning *p, bool *fits, ms_error *err)
{
  const ms_instance *in = p->whole;
  ms_staging_list list = {0};
  uint64_t n = in->n, room;
  uint64_t offset = ms_staging_add(&list, in->offset, (n + 1) * sizeof *in->offset),
           head = ms_staging_add(&list, in->neighbor, in->arcs * sizeof *in->neighbor),
           mask = ms_staging_add(&list, in->mask, n * sizeof *in->mask);
  ms_gpu_layout layout = {0};
  place_arrays(p, &layout, list.bytes);
  p->rows_at.bytes = layout.bytes;
  MS_TRY(ms_gpu_room(&p->gpu, LEAST_ROOM * layout.bytes, &room, err));
  *fits = room >= LEAST_ROOM * layout.bytes;
  if (!*fits)
    return MS_OK;
  MS_TRY(ms_gpu_alloc(&p->gpu, layout.bytes, &p->rows_at.memory, pruning_text, err));
  layout = (ms_gpu_layout){.base = p->rows_at.memory};
  place_arrays(p, &layout, list.bytes);
  p->l.offset = (const uint64_t *)(const void *)(p->uploaded + offset);
  p->l.mask = (uint32_t *)(void *)(p->uploaded + mask);
  p->l.head = (const uint32_t *)(const void *)(p->uploaded + head);
  const ms_gpu_prune_options *o = p->options;
  ms_staging_work work = {
      .fn = o->fill, .user = o->fill_user, .n = n, .chunk = FILL, .before = mask};
  return ms_staging_upload_beside(&p->gpu.staging, &list, p->uploaded, p->gpu.threads,
                                  o->fill ? &work : NULL, err);
}

/* ---- components that cannot fill the slots ------------------------------------------------------
 */

/* Drops components with too few vertices of some slots from left[].  number[n] and
 * matching[components] are zeros; root[n]: the root of each vertex, or NULL: there is one
 * component. */
static void drop_unfilled(const pruning *p, const uint32_t *root, uint32_t *number,
                          ms_slot_matching *matching, uint32_t *components)
{
  const ms_instance *in = p->whole;
  const uint32_t all = p->l.all;
  uint32_t count = 0, poor = 0;
  for (uint32_t v = 0; v < in->n; v++) {
    if (p->left[v] == MS_PRUNE_DROPPED)
      continue;
    if (root && root[v] == v)
      number[v] = count++; /* the smallest of its component comes first */
    ms_slot_matching *m = matching + (root ? number[root[v]] : 0);
    if (m->taken != all && ms_slot_matching_add(m, in->k, in->mask[v]) && !root)
      return;
  }
  for (uint32_t c = 0; c < *components; c++)
    poor += matching[c].taken != all;
  *components -= poor;
  for (uint32_t v = 0; v < in->n && poor > 0; v++)
    if (p->left[v] != MS_PRUNE_DROPPED && matching[root ? number[root[v]] : 0].taken != all)
      p->left[v] = MS_PRUNE_DROPPED;
}

/* True if there is one component, of all vertices, and they can fill the slots. */
static bool is_filled(const pruning *p, uint32_t components)
{
  const ms_instance *in = p->whole;
  ms_slot_matching matching = {0};
  bool filled = false;
  for (uint32_t v = 0; v < in->n && p->all && components == 1 && !filled; v++)
    filled = ms_slot_matching_add(&matching, in->k, in->mask[v]);
  return filled;
}

/* Copies left[] to the device again if the host has dropped components. */
static ms_status drop_components(pruning *p, uint32_t *components, ms_error *err)
{
  uint64_t n = p->l.n;
  uint32_t before = *components;
  bool several = *components > 1;
  ms_slot_matching *matching = ms_calloc(*components, sizeof *matching);
  uint32_t *root = several ? ms_alloc_lines(n, sizeof *root) : NULL;
  uint32_t *number = several ? ms_calloc(n, sizeof *number) : NULL;
  ms_status status = matching && (!several || (root && number))
                         ? MS_OK
                         : ms_fail_memory(err, "the components of the coloured vertices");
  if (status == MS_OK && several)
    status = fetch(p, root, p->l.root, n * sizeof *root, err);
  if (status == MS_OK)
    drop_unfilled(p, root, number, matching, components);
  if (status == MS_OK && *components < before) {
    ms_staging_list list = {0};
    (void)ms_staging_add(&list, p->left, n * sizeof *p->left);
    p->all = false;
    status = ms_staging_upload(&p->gpu.staging, &list, p->l.left, p->gpu.threads, err);
  }
  ms_free(matching);
  ms_free(root);
  ms_free(number);
  return status;
}

/* Fetches left[] unless all vertices stay and are one component. */
static ms_status judge_components(pruning *p, uint32_t *components, ms_error *err)
{
  if (is_filled(p, *components))
    return MS_OK;
  p->left = ms_alloc_lines(p->l.n, sizeof *p->left);
  if (!p->left)
    return ms_fail_memory(err, "an instance");
  MS_TRY(fetch(p, p->left, p->l.left, p->l.n * sizeof *p->left, err));
  return *components == 0 ? MS_OK : drop_components(p, components, err);
}

/* ---- the result
 * ---------------------------------------------------------------------------------- */

static uint32_t chunk_end(const pruning *p, uint64_t begin)
{
  return p->l.n - begin < CHUNK ? p->l.n : (uint32_t)begin + CHUNK;
}

static void count_chunks(void *user, ms_range r)
{
  const pruning *p = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t vertices = 0;
    for (uint32_t v = (uint32_t)i * CHUNK, end = chunk_end(p, i * CHUNK); v < end; v++)
      vertices += p->left[v] != MS_PRUNE_DROPPED;
    p->before[i] = vertices;
  }
}

static void copy_chunks(void *user, ms_range r)
{
  const pruning *p = user;
  ms_instance *to = p->to;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t next = p->before[i];
    for (uint32_t v = (uint32_t)i * CHUNK, end = chunk_end(p, i * CHUNK); v < end; v++) {
      if (p->left[v] == MS_PRUNE_DROPPED)
        continue;
      to->vertex[next] = p->whole->vertex[v];
      to->mask[next] = p->whole->mask[v];
      next++;
    }
  }
}

static ms_status copy_vertices(pruning *p, ms_error *err)
{
  uint32_t chunks = p->l.n / CHUNK + (p->l.n % CHUNK != 0), sum = 0;
  int threads = ms_threads_for(p->gpu.threads, p->l.n);
  p->before = ms_alloc(chunks, sizeof *p->before);
  if (!p->before)
    return ms_fail_memory(err, "an instance");
  ms_parallel(threads, chunks, 0, count_chunks, p);
  for (uint32_t i = 0; i < chunks; i++) {
    uint32_t own = p->before[i];
    p->before[i] = sum;
    sum += own;
  }
  ms_parallel(threads, chunks, 0, copy_chunks, p);
  return MS_OK;
}

static void swap_arrays(uint32_t **a, uint32_t **b)
{
  uint32_t *swap = *a;
  *a = *b;
  *b = swap;
}

/* Starts the numbers and the copies of the rows that are left. */
static ms_status start_rows(pruning *p, ms_error *err)
{
  p->l.new_id = p->all ? NULL : p->l.next;
  p->l.new_offset = p->rows_at.offset;
  p->l.new_head = p->rows_at.head;
  MS_TRY(clear(p, p->l.facts, sizeof *p->l.facts, err));
  MS_TRY(run_stage(p, MS_PRUNE_COUNT, err));
  MS_TRY(run_stage(p, MS_PRUNE_NUMBER, err));
  return run_stage(p, MS_PRUNE_COPY, err);
}

/* Makes the instance while the device makes its rows. */
static ms_status make_instance(pruning *p, ms_error *err)
{
  ms_instance *to = p->to;
  ms_prune_facts facts;
  MS_TRY(start_rows(p, err));
  if (!p->all)
    MS_TRY(copy_vertices(p, err));
  MS_TRY(fetch_facts(p, &facts, err));
  to->n = facts.vertices;
  to->arcs = facts.arcs;
  p->rows_at.hubs = facts.hubs;
  p->rows_at.most = facts.most;
  if (to->n == 0 || ms_gpu_rows_need_places(&p->rows_at))
    return fetch(p, to->offset, p->rows_at.offset, ((uint64_t)to->n + 1) * sizeof *to->offset, err);
  ms_free(to->offset);
  to->offset = NULL;
  return MS_OK;
}

/* Hands over the rows, and the arrays that stay as they are. */
static ms_status hand_over(pruning *p, ms_error *err)
{
  p->rows = ms_alloc(1, sizeof *p->rows);
  if (!p->rows)
    return ms_fail_memory(err, "the rows on the GPU");
  *p->rows = p->rows_at;
  if (p->all) {
    p->rows->mask = p->l.mask;
    swap_arrays(&p->to->vertex, &p->whole->vertex);
    swap_arrays(&p->to->mask, &p->whole->mask);
  }
  return MS_OK;
}

static ms_status prune(pruning *p, uint32_t *components, ms_error *err)
{
  bool goes_on = false;
  MS_TRY(upload(p, &goes_on, err));
  if (goes_on)
    MS_TRY(run_rounds(p, components, &goes_on, err));
  if (!goes_on)
    return MS_OK;
  MS_TRY(judge_components(p, components, err));
  MS_TRY(make_instance(p, err));
  return hand_over(p, err);
}

/* ---- entry points
 * -------------------------------------------------------------------------------- */

static ms_status open_and_prune(pruning *p, uint32_t *components, ms_error *err)
{
  const ms_instance *in = p->whole;
  const ms_gpu_prune_options *o = p->options;
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(o->run.devices[0], &facts, err));
  if (facts.major < MS_GPU_LEAST_CAPABILITY)
    return MS_OK;
  MS_TRY(ms_gpu_context_open(&p->gpu, o->run.devices[0], o->run.threads, o->run.memory, err));
  uint32_t chunk = in->n / MS_PRUNE_MOST_CHUNKS + 1;
  chunk = chunk < MS_PRUNE_LEAST_CHUNK ? MS_PRUNE_LEAST_CHUNK : chunk;
  uint64_t blocks = in->n / (MS_PRUNE_WARPS * MS_GPU_WARP) + 1,
           most = (uint64_t)facts.multiprocessors * BLOCKS_A_MULTIPROCESSOR;
  p->rows_at.device = o->run.devices[0];
  p->l = (ms_prune_launch){.n = in->n,
                           .blocks = (uint32_t)(blocks < most ? blocks : most),
                           .all = in->k == 32 ? UINT32_MAX : (1u << in->k) - 1,
                           .least = in->k,
                           .chunk = chunk,
                           .chunks = in->n / chunk + (in->n % chunk != 0)};
  p->all = true;
  return prune(p, components, err);
}

ms_status ms_gpu_prune(ms_instance *whole, const ms_gpu_prune_options *options, ms_instance *to,
                       uint32_t *components, ms_gpu_rows **rows, ms_error *err)
{
  pruning p = {.whole = whole, .options = options, .to = to};
  starting others[MS_GPU_MOST_DEVICES] = {0};
  *rows = NULL;
  *components = 0;
  if (whole->n == 0 || whole->n_loose > 0 || whole->size < whole->k)
    return MS_OK;
  start_others(options, others);
  ms_status status = open_and_prune(&p, components, err);
  *rows = p.rows;
  if (!p.rows)
    ms_gpu_free(&p.gpu, p.rows_at.memory);
  (void)ms_gpu_context_note_status(&p.gpu, status);
  ms_gpu_context_close(&p.gpu);
  ms_free(p.left);
  ms_free(p.before);
  wait_for_others(others);
  return status;
}

void ms_gpu_rows_free(ms_gpu_rows *rows)
{
  ms_gpu_context gpu;
  if (!rows)
    return;
  if (ms_gpu_context_open(&gpu, rows->device, 1, 0, NULL) == MS_OK)
    ms_gpu_free(&gpu, rows->memory);
  ms_gpu_context_close(&gpu);
  ms_free(rows);
}
