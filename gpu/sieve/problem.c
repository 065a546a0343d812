/* Copies the sieve's problem to a GPU: its arcs, and the segments into which they are cut. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/exchange.h"
#include "gpu/sieve/context.h"
#include "gpu/sieve/prune.h"
#include "sieve/pass.h"

#include <string.h>

enum { CHUNK = 4096 };

/* ---- segments ------------------------------------------------------------------------ */

/* Segments of at most MS_SEGMENT arcs of the vertices with more than `least` arcs, or of all
 * vertices; a vertex without arcs has one segment. */
typedef struct segment_list {
  uint64_t least;
  bool all;
  uint64_t count;
  ms_device_segment *segment; /* [count] */
  uint32_t vertices;          /* number of vertices that are cut */
  uint32_t *number;           /* [n] their numbers, or UINT32_MAX; NULL: not wanted */
} segment_list;

static void clear_segments(segment_list *list)
{
  ms_free(list->segment);
  ms_free(list->number);
}

static bool is_cut(const segment_list *list, uint64_t degree)
{
  return list->all || degree > list->least;
}

/* before[i]: the numbers of segments and vertices before chunk i. */
typedef struct chunk_start {
  uint64_t segments;
  uint32_t vertices;
} chunk_start;

typedef struct cutting {
  const ms_instance *in;
  segment_list *list;
  chunk_start *before; /* [chunks] */
} cutting;

static void count_chunks(void *user, ms_range r)
{
  const cutting *c = user;
  const ms_instance *in = c->in;
  const segment_list *list = c->list;
  for (uint32_t i = (uint32_t)r.begin; i < r.end; i++) {
    uint32_t begin = i * CHUNK, end = in->n - begin < CHUNK ? in->n : begin + CHUNK;
    chunk_start sum = {0, 0};
    for (uint32_t v = begin; v < end; v++) {
      uint64_t degree = in->offset[v + 1] - in->offset[v];
      if (is_cut(list, degree)) {
        sum.segments += degree ? (degree + MS_SEGMENT - 1) / MS_SEGMENT : 1;
        sum.vertices++;
      }
    }
    c->before[i] = sum;
  }
}

static void count_segments(const ms_instance *in, segment_list *list, uint32_t chunks,
                           chunk_start *before, int threads)
{
  ms_parallel(threads, chunks, 0, count_chunks, &(cutting){in, list, before});
  for (uint32_t i = 0; i < chunks; i++) {
    chunk_start own = before[i];
    before[i] = (chunk_start){list->count, list->vertices};
    list->count += own.segments;
    list->vertices += own.vertices;
  }
}

static void write_chunks(void *user, ms_range r)
{
  const cutting *c = user;
  const ms_instance *in = c->in;
  segment_list *list = c->list;
  for (uint32_t i = (uint32_t)r.begin; i < r.end; i++) {
    uint32_t begin = i * CHUNK, end = in->n - begin < CHUNK ? in->n : begin + CHUNK;
    chunk_start next = c->before[i];
    for (uint32_t v = begin; v < end; v++) {
      uint64_t first = in->offset[v], last = in->offset[v + 1];
      bool cut = is_cut(list, last - first);
      if (list->number)
        list->number[v] = cut ? next.vertices : UINT32_MAX;
      next.vertices += cut;
      for (bool more = cut; more; more = first < last) {
        uint32_t arcs = last - first < MS_SEGMENT ? (uint32_t)(last - first) : MS_SEGMENT;
        list->segment[next.segments++] =
            (ms_device_segment){.first = first, .vertex = v, .count = arcs};
        first += arcs;
      }
    }
  }
}

static ms_status cut_segments(const ms_instance *in, int threads, bool numbered, segment_list *list,
                              ms_error *err)
{
  uint32_t chunks = in->n / CHUNK + (in->n % CHUNK != 0);
  chunk_start *before = ms_alloc(chunks, sizeof *before);
  if (!before)
    return ms_fail_memory(err, "the sieve's list of arcs");
  count_segments(in, list, chunks, before, threads);
  list->segment = ms_alloc_lines(list->count, sizeof *list->segment);
  list->number = numbered ? ms_alloc_lines(in->n, sizeof *list->number) : NULL;
  ms_status status = MS_OK;
  if (list->segment && (list->number || !numbered))
    ms_parallel(threads, chunks, 0, write_chunks, &(cutting){in, list, before});
  else
    status = ms_fail_memory(err, "the sieve's list of arcs");
  ms_free(before);
  return status;
}

typedef struct row_facts {
  const ms_instance *in;
  uint64_t most; /* arcs of a row */
  uint32_t hubs;
} row_facts;

static void find_most(void *user, ms_range r)
{
  row_facts *f = user;
  const uint64_t *offset = f->in->offset;
  uint64_t most = 0, before = __atomic_load_n(&f->most, __ATOMIC_RELAXED);
  for (uint64_t v = r.begin; v < r.end; v++)
    if (offset[v + 1] - offset[v] > most)
      most = offset[v + 1] - offset[v];
  while (most > before && !__atomic_compare_exchange_n(&f->most, &before, most, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void find_hubs(void *user, ms_range r)
{
  row_facts *f = user;
  const uint64_t *offset = f->in->offset;
  uint32_t hubs = 0;
  for (uint64_t v = r.begin; v < r.end; v++)
    hubs += offset[v + 1] - offset[v] > MS_HUB;
  __atomic_fetch_add(&f->hubs, hubs, __ATOMIC_RELAXED);
}

static uint64_t most_arcs(const ms_sieve_problem *problem, int threads)
{
  row_facts f = {.in = problem->instance};
  if (problem->rows)
    return problem->rows->most;
  ms_parallel(threads, f.in->n, 0, find_most, &f);
  return f.most;
}

static uint32_t count_hubs(const ms_sieve_problem *problem, int threads)
{
  row_facts f = {.in = problem->instance};
  if (problem->rows)
    return problem->rows->hubs;
  ms_parallel(threads, f.in->n, 0, find_hubs, &f);
  return f.hubs;
}

/* ---- the problem ---------------------------------------------------------------------- */

void ms_gpu_sieve_describe(ms_sieve_context *c)
{
  const ms_sieve_problem *problem = c->problem;
  const ms_instance *in = problem->instance;
  ms_device_problem *p = &c->p;
  *p = (ms_device_problem){
      .n = in->n,
      .size = problem->size,
      .shades = problem->shades,
      .inner_bits = problem->size < MS_WORD_BITS ? problem->size : MS_WORD_BITS,
      .variants = problem->variants,
      .evaluations = problem->evaluations,
      .loose_count = in->n_loose,
      .nu = problem->nu,
      .sibling = problem->recurrence == MS_SIBLING,
      .seed = problem->seed,
      .arcs = in->arcs,
      .hubs = count_hubs(problem, ms_threads_for(c->config.threads, in->n)),
  };
  p->outer_bits = p->size - p->inner_bits;
  p->forms = p->sibling ? p->size : 1;
  p->quads = (p->forms + 3) / 4;
  for (uint32_t t = 2; p->sibling && t < p->size; t++) {
    p->gamma_offset[t] = p->gammas;
    p->gammas += ms_sieve_siblings(p->size, t);
  }
  memcpy(p->loose, in->loose, in->n_loose * sizeof *p->loose);
  memcpy(p->label_at, problem->label_at, sizeof p->label_at);
  memcpy(p->exponent_base, problem->exponent_base, sizeof p->exponent_base);
}

/* Cuts the arcs of all vertices if some have many arcs, and those of the hubs alone if there are
 * hubs. */
static ms_status cut_problem(ms_sieve_context *c, int threads, segment_list *all,
                             segment_list *hubs, ms_error *err)
{
  const ms_instance *in = c->problem->instance;
  uint64_t most = most_arcs(c->problem, threads);
  ms_status status = MS_OK;
  *all = (segment_list){.all = true};
  *hubs = (segment_list){.least = MS_HUB};
  if (most > MS_SEGMENT && c->mode != MS_MODE_BLOCKS)
    status = cut_segments(in, threads, false, all, err);
  if (status == MS_OK && c->p.hubs > 0)
    status = cut_segments(in, threads, true, hubs, err);
  c->p.segment_count = all->segment ? all->count : in->n;
  c->p.hub_segments = hubs->count;
  return status;
}

static ms_status copy_from(ms_sieve_context *c, int device, const void *from, uint64_t bytes,
                           void *out, ms_error *err)
{
  static const char what[] = "copying the graph from another GPU";
  void *copy = NULL;
  (void)ms_gpu_exchange_connect(device, c->gpu.device);
  MS_TRY(ms_gpu_sieve_alloc(c, bytes, &copy, what, err));
  memcpy(out, &copy, sizeof copy);
  return ms_cuda_status(
      cudaMemcpyPeerAsync(copy, c->gpu.device, from, device, bytes, c->gpu.staging.stream), what,
      err);
}

/* True if a GPU that pruned has the masks, and they say all of the vertices: as these ascend, the
 * last one shows that they are those of the graph. */
static bool has_masks(const ms_sieve_problem *problem)
{
  const ms_instance *in = problem->instance;
  return problem->rows && problem->rows->mask && !problem->nu && in->vertex[in->n - 1] == in->n - 1;
}

/* Finds the masks that a GPU has, and makes what else the host would copy for each vertex. */
static ms_status take_masks(ms_sieve_context *c, ms_error *err)
{
  static const char what[] = "copying the graph";
  const ms_gpu_rows *rows = c->problem->rows;
  uint64_t bytes = (uint64_t)c->p.n * sizeof *rows->mask;
  uint32_t *active = NULL, *vertex = NULL;
  c->p.mask = rows->mask;
  if (rows->device != c->gpu.device)
    MS_TRY(copy_from(c, rows->device, rows->mask, bytes, &c->p.mask, err));
  MS_TRY(ms_gpu_sieve_alloc(c, bytes, &active, what, err));
  MS_TRY(ms_gpu_sieve_alloc(c, bytes, &vertex, what, err));
  c->p.active = active;
  c->p.vertex = vertex;
  return ms_cuda_status(ms_device_make_labels(&c->p, active, vertex, c->gpu.staging.stream), what,
                        err);
}

/* Finds the rows that pruning left on a GPU.  Another one copies them, and ms_gpu_sieve_return then
 * gives back the memory from *heads on. */
static ms_status take_rows(ms_sieve_context *c, const ms_gpu_rows *rows, const uint32_t **heads,
                           ms_error *err)
{
  c->p.offset = rows->offset;
  *heads = rows->head;
  if (rows->device == c->gpu.device)
    return MS_OK;
  MS_TRY(copy_from(c, rows->device, rows->offset, ((uint64_t)c->p.n + 1) * sizeof *rows->offset,
                   &c->p.offset, err));
  return copy_from(c, rows->device, rows->head, c->p.arcs * sizeof *rows->head, heads, err);
}

/* Copies only the heads, and makes the arcs on the device.  The heads' memory is used for the
 * weights afterwards. */
ms_status ms_gpu_sieve_upload(ms_sieve_context *c, ms_error *err)
{
  static const char what[] = "copying the graph";
  const ms_sieve_problem *problem = c->problem;
  const ms_instance *in = problem->instance;
  int threads = ms_threads_for(c->config.threads, in->n);
  uint64_t n = in->n;
  ms_staging_list list = {0};
  segment_list all, hubs;
  const ms_gpu_rows *rows = problem->rows;
  const bool masks = has_masks(problem);
  const uint64_t words = masks ? 0 : n * sizeof *in->mask; /* bytes of a number for each vertex */
  ms_device_arc *arcs = NULL;
  const uint32_t *given = NULL; /* heads that are on a device already */
  uint8_t *to = NULL;
  if (!masks && !problem->active)
    return ms_fail(err, MS_ERR_INTERNAL, "the sieve has no labels");
  ms_status status = cut_problem(c, threads, &all, &hubs, err);
  uint64_t offset = ms_staging_add(&list, in->offset, rows ? 0 : (n + 1) * sizeof *in->offset);
  uint64_t active = ms_staging_add(&list, problem->active, words);
  uint64_t vertex = ms_staging_add(&list, in->vertex, words);
  uint64_t mask = ms_staging_add(&list, in->mask, words);
  uint64_t exponent = ms_staging_add(&list, problem->exponent, problem->exponent ? n : 0);
  uint64_t segment = ms_staging_add(&list, all.segment, all.count * sizeof *all.segment);
  uint64_t hub_of = ms_staging_add(&list, hubs.number, hubs.number ? n * sizeof *hubs.number : 0);
  uint64_t hub_segment = ms_staging_add(&list, hubs.segment, hubs.count * sizeof *hubs.segment);
  uint64_t heads = ms_staging_add(&list, in->neighbor, rows ? 0 : in->arcs * sizeof *in->neighbor);
  if (status == MS_OK)
    status = ms_gpu_sieve_alloc(c, in->arcs * sizeof *arcs, &arcs, what, err);
  if (status == MS_OK)
    status = ms_gpu_sieve_alloc(c, list.bytes, &to, what, err);
  if (status == MS_OK)
    status = ms_staging_upload(&c->gpu.staging, &list, to, c->config.threads, err);
  if (status == MS_OK && masks)
    status = take_masks(c, err);
  if (status == MS_OK && rows)
    status = take_rows(c, rows, &given, err);
  if (status == MS_OK) {
    c->p.arc = arcs;
    if (!rows)
      c->p.offset = (const uint64_t *)(void *)(to + offset);
    if (!masks) {
      c->p.active = (const uint32_t *)(void *)(to + active);
      c->p.vertex = (const uint32_t *)(void *)(to + vertex);
      c->p.mask = (const uint32_t *)(void *)(to + mask);
    }
    if (problem->exponent)
      c->p.exponent = to + exponent;
    if (all.segment)
      c->p.segment = (const ms_device_segment *)(void *)(to + segment);
    if (hubs.number)
      c->p.hub_of = (const uint32_t *)(void *)(to + hub_of);
    if (hubs.segment)
      c->p.hub_segment = (const ms_device_segment *)(void *)(to + hub_segment);
    const uint32_t *head = rows ? given : (const uint32_t *)(void *)(to + heads);
    status = ms_cuda_status(
        ms_device_make_arcs(head, c->p.active, in->arcs, arcs, c->gpu.staging.stream), what, err);
    if (!rows)
      ms_gpu_sieve_return(c, to + heads);
    else if (rows->device != c->gpu.device)
      ms_gpu_sieve_return(c, (void *)(uintptr_t)given);
  }
  clear_segments(&all);
  clear_segments(&hubs);
  return status;
}
