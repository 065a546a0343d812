/* A session on one GPU: memory, the chain of kernels and its capture, batches. */
#include "gpu/motif/session.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/context.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"
#include "gpu/common/launch.h"
#include "gpu/gpu.h"
#include "gpu/motif/session_device.h"
#include "motif/submultisets.h"

#include <string.h>

enum {
  UNDER_WAY = 2, /* batches */
  MOST_PLACES = 64,
  LEAST_PLACES = 4,
  MOST_PASSES = MS_MOST_LAYERS,
  MOST_BLOCK_WARPS = MS_SESSION_THREADS / 32,
};
/* Vertices of all places of a batch together.  Searches have long tails, in which other motifs keep
 * the GPU busy: a million vertices of degree 6 take 1.08 ms a motif one by one, and 0.55 ms with 16
 * motifs in a batch, on an H100. */
#define BATCH_VERTICES ((uint64_t)1 << 24)
/* Threads for each multiprocessor. */
#define RESIDENT_THREADS 1024u

_Static_assert((int)MS_SESSION_STATES == MS_MOST_SUBMULTISETS &&
                   (int)MS_SESSION_CLASSES == MS_SUBMULTISET_CLASSES &&
                   (int)MS_SESSION_SLOTS == MS_SUBMULTISET_SLOTS &&
                   (int)MS_SESSION_LAYERS == MS_MOST_LAYERS,
               "the device has the same limits");

/* What one batch under way needs of its own. */
typedef struct half {
  uint8_t *pinned;                        /* motifs, then what comes back */
  cudaEvent_t ready;                      /* that came back; NULL: not created */
  uint32_t count, passes;                 /* of the batch; count 0: none is under way */
  cudaGraphExec_t chain[MOST_PASSES + 1]; /* by the number of passes; NULL: not captured yet */
} half;

struct ms_gpu_session {
  ms_gpu_context gpu;
  ms_session_batch batch;
  uint32_t places;
  void *graph, *work;  /* device memory of the input, and of the batches */
  uint64_t sent, back; /* bytes of a batch to the device, and back */
  half half[UNDER_WAY];
  uint32_t begun, ended; /* batches */
  bool captures;         /* chains can be captured */
};

/* ---- motifs -------------------------------------------------------------------------- */

static bool add_color(ms_session_motif *m, uint32_t color, uint32_t class_)
{
  if (m->colors == MS_SESSION_COLORS)
    return false;
  m->color[m->colors] = color;
  m->of_color[m->colors++] = 1u << class_;
  return true;
}

static bool add_class(ms_session_motif *m, const ms_motif_class *from, uint32_t class_)
{
  if (from->color == MS_WILDCARD) {
    m->any |= 1u << class_;
    return true;
  }
  if (!from->condition)
    return add_color(m, from->color, class_);
  if (!ms_condition_is_any_of(from->condition))
    return false;
  for (uint32_t i = 0; i < from->condition->count; i++)
    if (!add_color(m, from->condition->literal[i].color, class_))
      return false;
  return true;
}

/* Returns false if the device does not take the motif. */
static bool translate(const ms_motif *motif, ms_session_motif *m)
{
  ms_submultisets states;
  if (!ms_submultisets_make(motif, &states))
    return false;
  *m = (ms_session_motif){.states = states.count,
                          .slots = states.slots,
                          .classes = states.classes,
                          .single = states.single,
                          .distinct = states.distinct};
  memcpy(m->fits, states.fits, sizeof m->fits);
  memcpy(m->layer, states.layer, sizeof m->layer);
  memcpy(m->of_class, states.of_class, sizeof m->of_class);
  for (uint32_t c = 0; c < motif->n_classes; c++)
    if (!add_class(m, &motif->class_[c], c))
      return false;
  return true;
}

bool ms_gpu_session_takes(const ms_motif *motif)
{
  ms_session_motif m;
  return translate(motif, &m);
}

/* ---- memory -------------------------------------------------------------------------- */

static void place_slot(ms_session_batch *b, uint64_t arcs, ms_gpu_layout *layout)
{
  ms_session_slot *s = &b->slot;
  uint64_t n = b->n, words = b->words, chunks = b->chunks;
  s->mask = ms_gpu_place(layout, n, sizeof *s->mask);
  s->bits = ms_gpu_place(layout, words, sizeof *s->bits);
  s->word_live = ms_gpu_place(layout, words, sizeof *s->word_live);
  s->word_arcs = ms_gpu_place(layout, words, sizeof *s->word_arcs);
  s->chunk_live = ms_gpu_place(layout, chunks, sizeof *s->chunk_live);
  s->chunk_arcs = ms_gpu_place(layout, chunks, sizeof *s->chunk_arcs);
  s->begin = ms_gpu_place(layout, n, sizeof *s->begin);
  s->length = ms_gpu_place(layout, n, sizeof *s->length);
  s->tree = ms_gpu_place(layout, n, sizeof *s->tree);
  s->fits = ms_gpu_place(layout, n, sizeof *s->fits);
  s->flag = ms_gpu_place(layout, n, sizeof *s->flag);
  s->open = ms_gpu_place(layout, n, sizeof *s->open);
  s->arc = ms_gpu_place(layout, arcs, sizeof *s->arc);
}

/* Divides the memory of batches; with base NULL it finds the bytes of all places. */
static uint64_t place_all(ms_gpu_session *s, uint64_t arcs, void *base)
{
  ms_session_batch *b = &s->batch;
  ms_gpu_layout layout = {.base = base}, one = {0};
  b->motif = ms_gpu_place(&layout, s->places, sizeof *b->motif);
  b->summary = ms_gpu_place(&layout, s->places, sizeof *b->summary);
  /* behind the summaries without a gap that the copy back would not need */
  uint64_t found = (uint64_t)s->places * 2 * b->words * sizeof *b->found;
  b->found = ms_gpu_place(&layout, found, 1);
  place_slot(b, arcs, &one);
  b->stride = one.bytes;
  one = layout;
  place_slot(b, arcs, &one);
  s->sent = s->places * sizeof *b->motif;
  s->back = ms_gpu_aligned(s->places * sizeof *b->summary) + found;
  return layout.bytes + s->places * b->stride;
}

static uint32_t choose_places(uint32_t n)
{
  if (ms_hooks.gpu_session_batch > 0)
    return ms_hooks.gpu_session_batch < MOST_PLACES ? ms_hooks.gpu_session_batch : MOST_PLACES;
  uint64_t places = BATCH_VERTICES / (n ? n : 1);
  return places < LEAST_PLACES  ? LEAST_PLACES
         : places > MOST_PLACES ? MOST_PLACES
                                : (uint32_t)places;
}

/* Allocates the memory of batches, with fewer places if there is not enough. */
static ms_status alloc_work(ms_gpu_session *s, uint64_t arcs, uint64_t taken, ms_error *err)
{
  static const char what[] = "making room for motifs on the GPU";
  uint64_t room, bytes;
  s->places = choose_places(s->batch.n);
  bytes = place_all(s, arcs, NULL);
  s->gpu.taken += taken;
  MS_TRY(ms_gpu_room(&s->gpu, bytes, &room, err));
  while (bytes > room && s->places > 1) {
    s->places /= 2;
    bytes = place_all(s, arcs, NULL);
  }
  if (bytes > room)
    return ms_fail(
        err, MS_ERR_MEMORY,
        "a motif on the GPU needs %llu MB beside the graph, and %llu MB are there; " MS_GPU_MORE_MEMORY,
        (unsigned long long)(bytes >> 20), (unsigned long long)(room >> 20));
  MS_TRY(ms_gpu_alloc(&s->gpu, bytes, &s->work, what, err));
  place_all(s, arcs, s->work);
  /* places that no motif of a batch takes are copied back, too */
  MS_TRY_CUDA(cudaMemsetAsync(s->batch.summary, 0, s->back, s->gpu.staging.stream), what);
  return MS_OK;
}

static ms_status alloc_halves(ms_gpu_session *s, ms_error *err)
{
  static const char what[] = "making pinned memory";
  for (uint32_t i = 0; i < UNDER_WAY; i++) {
    void *pinned = NULL;
    MS_TRY_CUDA(cudaEventCreateWithFlags(&s->half[i].ready, cudaEventDisableTiming), what);
    MS_TRY_CUDA(cudaHostAlloc(&pinned, ms_gpu_aligned(s->sent) + s->back, 0), what);
    memset(pinned, 0, ms_gpu_aligned(s->sent));
    s->half[i].pinned = pinned;
  }
  return MS_OK;
}

/* ---- the graph ------------------------------------------------------------------------ */

/* The input as the device reads it. */
typedef struct upload {
  uint32_t *offset;       /* [n + 1] */
  uint32_t *color_offset; /* [n + 1]; NULL: no vertex has several colours */
  uint32_t *color;        /* [n], or one for each pair */
} upload;

static void free_upload(upload *u)
{
  ms_free(u->offset);
  ms_free(u->color_offset);
  ms_free(u->color);
}

static uint32_t *narrow(uint32_t n, const uint64_t *from)
{
  uint32_t *to = ms_alloc((size_t)n + 1, sizeof *to);
  for (uint64_t v = 0; to && v <= n; v++)
    to[v] = (uint32_t)from[v];
  return to;
}

static bool has_several(const ms_coloring *coloring)
{
  for (uint32_t v = 0; v < coloring->n; v++)
    if (coloring->offset[v + 1] - coloring->offset[v] > 1)
      return true;
  return false;
}

static ms_status make_upload(const ms_graph *graph, const ms_coloring *coloring, upload *u,
                             ms_error *err)
{
  uint32_t n = graph->n;
  bool several = has_several(coloring);
  u->offset = narrow(n, graph->offset);
  u->color = ms_alloc(several ? coloring->offset[n] : n, sizeof *u->color);
  u->color_offset = several ? narrow(n, coloring->offset) : NULL;
  if (!u->offset || !u->color || (several && !u->color_offset))
    return ms_fail_memory(err, "the graph for the GPU");
  if (several)
    memcpy(u->color, coloring->color, coloring->offset[n] * sizeof *u->color);
  for (uint32_t v = 0; !several && v < n; v++) {
    uint64_t begin = coloring->offset[v];
    u->color[v] = begin < coloring->offset[v + 1] ? coloring->color[begin] : MS_SESSION_NO_COLOR;
  }
  return MS_OK;
}

static ms_status copy_graph(ms_gpu_session *s, const ms_graph *graph, const ms_coloring *coloring,
                            const upload *u, uint64_t *bytes, ms_error *err)
{
  static const char what[] = "copying the graph to the GPU";
  ms_session_batch *b = &s->batch;
  ms_staging_list list = {0};
  uint64_t n = graph->n, room;
  (void)ms_staging_add(&list, u->offset, (n + 1) * sizeof *u->offset);
  (void)ms_staging_add(&list, graph->neighbor, graph->arcs * sizeof *graph->neighbor);
  (void)ms_staging_add(&list, u->color_offset, u->color_offset ? (n + 1) * sizeof *u->offset : 0);
  (void)ms_staging_add(&list, u->color,
                       (u->color_offset ? coloring->offset[n] : n) * sizeof *u->color);
  *bytes = list.bytes;
  MS_TRY(ms_gpu_room(&s->gpu, list.bytes, &room, err));
  if (list.bytes > room)
    return ms_fail(err, MS_ERR_MEMORY,
                   "the graph needs %llu MB of the GPU, and %llu MB are there; " MS_GPU_MORE_MEMORY,
                   (unsigned long long)(list.bytes >> 20), (unsigned long long)(room >> 20));
  MS_TRY(ms_gpu_alloc(&s->gpu, list.bytes, &s->graph, what, err));
  MS_TRY(ms_staging_upload(&s->gpu.staging, &list, s->graph, s->gpu.threads, err));
  b->offset = ms_staging_place(&list, s->graph, u->offset);
  b->neighbor = ms_staging_place(&list, s->graph, graph->neighbor);
  b->color_offset = ms_staging_place(&list, s->graph, u->color_offset);
  b->color = ms_staging_place(&list, s->graph, u->color);
  return MS_OK;
}

/* ---- open and close -------------------------------------------------------------------- */

static ms_status open_session(ms_gpu_session *s, const ms_graph *graph, const ms_coloring *coloring,
                              int device, int threads, uint64_t memory, ms_error *err)
{
  ms_session_batch *b = &s->batch;
  ms_gpu_device facts;
  upload u = {0};
  uint64_t bytes = 0;
  if (graph->arcs > UINT32_MAX || coloring->offset[graph->n] > UINT32_MAX)
    return ms_fail(err, MS_ERR_MEMORY, "a session on a GPU takes graphs of fewer than 2^32 arcs");
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  MS_TRY(ms_gpu_context_open(&s->gpu, device, threads, memory, err));
  b->n = graph->n;
  b->words = (graph->n + 31) / 32;
  b->chunks = (graph->n + MS_SESSION_CHUNK - 1) / MS_SESSION_CHUNK;
  b->block_warps = MOST_BLOCK_WARPS;
  b->most[0] = ms_hooks.gpu_session_steps;
  b->most[1] = ms_hooks.gpu_session_first_steps;
  s->captures = true;
  ms_status status = make_upload(graph, coloring, &u, err);
  if (status == MS_OK)
    status = copy_graph(s, graph, coloring, &u, &bytes, err);
  free_upload(&u);
  if (status == MS_OK)
    status = alloc_work(s, graph->arcs, bytes, err);
  if (status != MS_OK)
    return status;
  uint32_t blocks = (uint32_t)facts.multiprocessors * (RESIDENT_THREADS / MS_SESSION_THREADS);
  b->blocks = (blocks + s->places - 1) / s->places;
  return alloc_halves(s, err);
}

ms_status ms_gpu_session_open(const ms_graph *graph, const ms_coloring *coloring, int device,
                              int threads, uint64_t memory, ms_gpu_session **out, ms_error *err)
{
  *out = NULL;
  if (ms_gpu_device_count() == 0)
    return ms_gpu_fail_none("`MS_BACKEND_CPU`", err);
  MS_TRY(ms_gpu_check_named(&device, 1, err));
  ms_gpu_session *s = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "a session on a GPU");
  ms_status status = open_session(s, graph, coloring, device, threads, memory, err);
  if (status != MS_OK) {
    ms_gpu_session_close(s);
    return status;
  }
  *out = s;
  return MS_OK;
}

void ms_gpu_session_close(ms_gpu_session *s)
{
  if (!s)
    return;
  if (ms_gpu_context_wait(&s->gpu)) {
    for (uint32_t i = 0; i < UNDER_WAY; i++) {
      for (uint32_t r = 0; r <= MOST_PASSES; r++)
        if (s->half[i].chain[r])
          (void)cudaGraphExecDestroy(s->half[i].chain[r]);
      if (s->half[i].ready)
        (void)cudaEventDestroy(s->half[i].ready);
      if (s->half[i].pinned)
        (void)cudaFreeHost(s->half[i].pinned);
    }
    ms_gpu_free(&s->gpu, s->work);
    ms_gpu_free(&s->gpu, s->graph);
  }
  ms_gpu_context_close(&s->gpu);
  ms_free(s);
}

uint32_t ms_gpu_session_batch(const ms_gpu_session *s)
{
  return s->places;
}

/* ---- the chain of kernels ---------------------------------------------------------------- */

static ms_status launch(ms_gpu_session *s, ms_session_kernel kernel, uint32_t number, ms_error *err)
{
  void *arguments[] = {&s->batch, &number};
  ms_gpu_grid grid = {.blocks = s->batch.blocks * s->places, .threads = MS_SESSION_THREADS};
  return ms_gpu_launch(ms_session_function(kernel), grid, arguments, s->gpu.staging.stream,
                       "screening motifs", err);
}

/* Starts all that a batch needs, with as many passes as its largest motif needs. */
static ms_status start_chain(ms_gpu_session *s, half *h, uint32_t passes, ms_error *err)
{
  static const char what[] = "screening motifs";
  static const ms_session_kernel before[] = {MS_SESSION_MASK, MS_SESSION_NUMBER, MS_SESSION_ROWS};
  static const ms_session_kernel after[] = {MS_SESSION_FILTER, MS_SESSION_SEARCH_ALL,
                                            MS_SESSION_SEARCH_FIRST, MS_SESSION_REPORT};
  cudaStream_t stream = s->gpu.staging.stream;
  ms_session_batch *b = &s->batch;
  MS_TRY_CUDA(cudaMemcpyAsync((void *)(uintptr_t)b->motif, h->pinned, s->sent,
                              cudaMemcpyHostToDevice, stream),
              what);
  MS_TRY_CUDA(cudaMemsetAsync(b->summary, 0, s->places * sizeof *b->summary, stream), what);
  for (uint32_t i = 0; i < sizeof before / sizeof *before; i++)
    MS_TRY(launch(s, before[i], 0, err));
  for (uint32_t i = 0; i < passes; i++)
    MS_TRY(launch(s, MS_SESSION_PASS, i, err));
  for (uint32_t i = 0; i < sizeof after / sizeof *after; i++)
    MS_TRY(launch(s, after[i], 0, err));
  MS_TRY_CUDA(cudaMemcpyAsync(h->pinned + ms_gpu_aligned(s->sent), b->summary, s->back,
                              cudaMemcpyDeviceToHost, stream),
              what);
  return MS_OK;
}

/* Captures the chain as a graph of launches.  Where that is not possible, `captures` becomes false,
 * and each batch launches its kernels one by one. */
static ms_status capture_chain(ms_gpu_session *s, half *h, uint32_t passes, ms_error *err)
{
  cudaStream_t stream = s->gpu.staging.stream;
  cudaGraph_t chain = NULL;
  s->captures = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
  if (!s->captures) {
    (void)cudaGetLastError();
    return MS_OK;
  }
  ms_status status = start_chain(s, h, passes, err);
  cudaError_t error = cudaStreamEndCapture(stream, &chain);
  if (status == MS_OK && error == cudaSuccess)
    error = cudaGraphInstantiate(&h->chain[passes], chain, 0);
  if (chain)
    (void)cudaGraphDestroy(chain);
  return status == MS_OK ? ms_cuda_status(error, "capturing launches", err) : status;
}

/* ---- batches ---------------------------------------------------------------------------- */

static ms_status run_chain(ms_gpu_session *s, half *h, ms_error *err)
{
  static const char what[] = "screening motifs";
  MS_TRY_CUDA(cudaSetDevice(s->gpu.device), what);
  if (s->captures && !h->chain[h->passes])
    MS_TRY(capture_chain(s, h, h->passes, err));
  if (h->chain[h->passes])
    MS_TRY_CUDA(cudaGraphLaunch(h->chain[h->passes], s->gpu.staging.stream), what);
  else
    MS_TRY(start_chain(s, h, h->passes, err));
  MS_TRY_CUDA(cudaEventRecord(h->ready, s->gpu.staging.stream), what);
  return MS_OK;
}

ms_status ms_gpu_session_begin(ms_gpu_session *s, const ms_motif *const *motif, uint32_t count,
                               ms_error *err)
{
  half *h = &s->half[s->begun % UNDER_WAY];
  ms_session_motif *m = (ms_session_motif *)(void *)h->pinned;
  if (s->begun - s->ended == UNDER_WAY || count > s->places)
    return ms_fail(err, MS_ERR_INTERNAL, "a GPU was asked for too many motifs at a time");
  h->count = count;
  h->passes = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!translate(motif[i], &m[i]))
      return ms_fail(err, MS_ERR_INTERNAL, "a GPU was asked for a motif that it does not take");
    uint32_t passes = m[i].slots > 2 ? m[i].slots - 2 : 0;
    h->passes = passes > h->passes ? passes : h->passes;
  }
  for (uint32_t i = count; i < s->places; i++)
    m[i].slots = 0;
  MS_TRY(ms_gpu_context_note_status(&s->gpu, run_chain(s, h, err)));
  s->begun++;
  return MS_OK;
}

ms_status ms_gpu_session_end(ms_gpu_session *s, ms_gpu_answer *answer, ms_error *err)
{
  half *h = &s->half[s->ended % UNDER_WAY];
  if (s->begun == s->ended)
    return ms_fail(err, MS_ERR_INTERNAL, "a GPU was asked for an answer without a question");
  ms_status status = ms_cuda_status(cudaEventSynchronize(h->ready), "screening motifs", err);
  MS_TRY(ms_gpu_context_note_status(&s->gpu, status));
  const uint8_t *back = h->pinned + ms_gpu_aligned(s->sent);
  const ms_session_summary *summary = (const ms_session_summary *)(const void *)back;
  const uint32_t *found =
      (const uint32_t *)(const void *)(back + ms_gpu_aligned(s->places * sizeof *summary));
  for (uint32_t i = 0; i < h->count; i++) {
    const uint32_t *flag = found + (size_t)i * 2 * s->batch.words;
    answer[i] = (ms_gpu_answer){.known = !summary[i].lost,
                                .flagged = summary[i].flagged,
                                .kept = summary[i].kept,
                                .flag = flag,
                                .keep = flag + s->batch.words};
  }
  s->ended++;
  return MS_OK;
}
