/* The census on GPUs: contexts, and the passes of a count. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/census/context.h"

#include <stdatomic.h>
#include <string.h>

/* ---- balls ----------------------------------------------------------------------------------- */

/* How large the balls of roots are (census_device.h). */
typedef struct ball_sizes {
  double above[3]; /* the part of the roots whose balls have more than 64, 128, 256 vertices */
} ball_sizes;

enum { SAMPLE = 256, MOST = 257, PLACES = 1024 };

/* Adds a rank to the ball, unless it is there; places: a hash table of numbers + 1. */
static void add(uint32_t *ball, uint32_t *count, uint16_t *places, uint32_t rank)
{
  uint32_t at = rank * 2654435761u >> 22;
  for (; places[at]; at = (at + 1) % PLACES)
    if (ball[places[at] - 1] == rank)
      return;
  ball[*count] = rank;
  places[at] = (uint16_t)++ * count;
}

static uint32_t ball_size(const ms_census_graph *g, uint32_t k, uint32_t root, bool whole)
{
  uint32_t ball[MOST] = {0}, count = 0, begin = 0;
  uint16_t places[PLACES] = {0};
  add(ball, &count, places, root);
  for (uint32_t depth = 0; depth + 1 < k; depth++) {
    uint32_t end = count;
    for (; begin < end; begin++)
      for (uint64_t a = g->offset[ball[begin]]; a < g->offset[ball[begin] + 1]; a++) {
        if (!whole && g->neighbor[a] < root) /* ranks descend in a row */
          break;
        add(ball, &count, places, g->neighbor[a]);
        if (count == MOST)
          return MOST;
      }
  }
  return count;
}

/* Looks at 256 roots, or at all if there are fewer.  A ball that has more than 256 vertices is not
 * searched further.  `whole`: vertices below a root belong to its ball, too. */
static ball_sizes ball_sizes_sample(const ms_census_graph *g, uint32_t k, bool whole)
{
  ball_sizes sizes = {{0}};
  uint32_t roots = g->n < SAMPLE ? g->n : SAMPLE;
  for (uint32_t i = 0; i < roots; i++) {
    uint32_t size = ball_size(g, k, (uint32_t)((uint64_t)g->n * i / roots), whole);
    for (uint32_t w = 0; w < 3; w++)
      sizes.above[w] += (size > 64u << w) / (double)roots;
  }
  return sizes;
}

/* ---- count ----------------------------------------------------------------------------------- */

/* Roots that are left where this part of them is more is no work for a GPU. */
#define MOST_LEFT 0.5

typedef ms_census_context context;
typedef ms_census_pass pass;

/* ---- a count ----------------------------------------------------------------------------- */

/* Makes the pieces the units of the next pass. */
static void take_pieces(context *c)
{
  for (uint64_t i = 0; i < c->pieces; i++) {
    c->root[i] = c->piece[i].root;
    c->begin[i] = c->piece[i].begin;
    c->end[i] = c->piece[i].end;
  }
  c->pass.root = c->root;
  c->pass.begin = c->begin;
  c->pass.end = c->end;
  c->pass.units = c->pieces;
}

/* Keeps the pieces of the roots that are left. */
static void keep_pieces(context *c)
{
  uint64_t kept = 0;
  for (uint64_t i = 0; i < c->pieces; i++)
    if (c->is_left[c->piece[i].root])
      c->piece[kept++] = c->piece[i];
  c->pieces = kept;
}

static ms_status run_pass(context *c, uint32_t words, bool first, ms_error *err)
{
  const ms_census_graph *g = c->on.graph;
  c->pass.words = words;
  c->pass.root = first ? NULL : c->root;
  c->pass.units = first ? g->n : c->lefts;
  if (c->has_pieces)
    take_pieces(c);
  memset(c->is_left, 0, g->n);
  if (c->pass.units > 0)
    MS_TRY(ms_census_run_share(&c->share, err));
  if (c->has_pieces)
    keep_pieces(c);
  c->lefts = 0;
  for (uint32_t r = 0; r < g->n; r++)
    if (c->is_left[r])
      c->root[c->lefts++] = r;
  return MS_OK;
}

/* Searches all roots, and those that are left with more words, until the widest kernel. */
static ms_status run_count(context *c, ms_error *err)
{
  c->counts++;
  for (uint32_t words = c->words; words <= ms_hooks.gpu_census_words_limit; words *= 2)
    MS_TRY(run_pass(c, words, words == c->words, err));
  for (uint32_t i = 0; i < c->share.devices; i++)
    MS_TRY(ms_census_fetch_numbers(c, i, err));
  return MS_OK;
}

static ms_status count(void *opaque, const ms_kind_id *kind, uint64_t *cell, ms_error *err)
{
  context *c = opaque;
  c->has_pieces = false;
  c->pass = (pass){.kind = kind ? kind : c->on.graph->kind};
  c->total = cell;
  c->visits = 0;
  return run_count(c, err);
}

static ms_status count_units(void *opaque, const ms_census_units *units, const ms_share *share,
                             uint64_t *cell, ms_error *err)
{
  context *c = opaque;
  c->pieces = 0;
  for (uint64_t u = ms_share_next(share, 0); u < units->count; u = ms_share_next(share, u + 1))
    for (uint32_t i = 0; i < units->unit[u].roots; i++) {
      ms_census_unit piece = units->unit[u];
      piece.root += i;
      piece.roots = 1;
      c->piece[c->pieces++] = piece;
    }
  c->has_pieces = true;
  c->pass = (pass){.kind = c->on.graph->kind};
  c->total = cell;
  c->visits = 0;
  return run_count(c, err);
}

static const ms_census_unit *left_units(const void *opaque, uint64_t *pieces)
{
  const context *c = opaque;
  *pieces = c->pieces;
  return c->piece;
}

static uint64_t sum_of(const uint64_t *cell, uint64_t cells)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < cells; i++)
    sum += cell[i];
  return sum;
}

/* Finds the sets of all roots that are not left, which no labelling changes. */
static ms_status count_sets(context *c, ms_error *err)
{
  uint64_t *cell = ms_calloc(c->cells, sizeof *cell);
  if (!cell)
    return ms_fail_memory(err, "the numbers of a census");
  ms_status status = count(c, NULL, cell, err);
  c->sets = sum_of(cell, c->cells);
  c->knows_sets = status == MS_OK;
  ms_free(cell);
  return status;
}

/* Counts one labelling by `count`. */
static ms_status count_one_label(context *c, const uint8_t *label, uint64_t *cell, ms_error *err)
{
  uint32_t n = c->on.graph->n;
  ms_kind_id *kind = ms_alloc(n, sizeof *kind);
  if (!kind)
    return ms_fail_memory(err, "the labels of a census");
  for (uint32_t v = 0; v < n; v++)
    kind[v] = label[(uint64_t)v * MS_CENSUS_LABELINGS];
  memset(cell, 0, c->cells * sizeof *cell);
  ms_status status = count(c, kind, cell, err);
  ms_free(kind);
  return status;
}

/* Counts up to MS_CENSUS_LABELS labellings, from `first` on.  A number has 32 bits while they are
 * counted.  One that had more has lost 2^32 or a multiple of it, and so has the sum of the
 * labelling, which is known: then the labelling is counted again. */
static ms_status count_some_labels(context *c, const uint8_t *label, uint32_t first,
                                   uint32_t labelings, uint64_t *cell, ms_error *err)
{
  c->has_pieces = false;
  c->pass = (pass){.label = label, .label_first = first};
  c->total = cell;
  c->labelings = labelings;
  memset(cell, 0, labelings * c->cells * sizeof *cell);
  MS_TRY(run_count(c, err));
  for (uint32_t i = 0; i < labelings; i++)
    if (sum_of(cell + i * c->cells, c->cells) != c->sets)
      MS_TRY(count_one_label(c, label + first + i, cell + i * c->cells, err));
  return MS_OK;
}

/* True if the numbers of the labellings of a launch fit into the L2 cache.  On an H100, a labelling
 * then takes two thirds of the time of a count of its own (k = 5, 23 MB); with 136 MB (k = 6), it
 * takes 1.5 times as long. */
static ms_status labels_pay(const context *c, bool *pay, ms_error *err)
{
  ms_gpu_device facts;
  MS_TRY(ms_gpu_device_facts(c->share.device[0], &facts, err));
  uint64_t bytes = c->cells * MS_CENSUS_LABELS * sizeof(uint32_t);
  *pay = bytes <= (ms_hooks.gpu_census_cache_bytes ? ms_hooks.gpu_census_cache_bytes : facts.l2);
  return MS_OK;
}

static ms_status count_labels(void *opaque, const uint8_t *label, uint32_t labelings,
                              uint64_t *cell, ms_error *err)
{
  context *c = opaque;
  bool pay;
  for (uint32_t i = 0; i < MS_GPU_MOST_DEVICES; i++)
    c->runner[i].label = NULL; /* the caller may have filled the same memory again */
  MS_TRY(labels_pay(c, &pay, err));
  if (pay && !c->knows_sets)
    MS_TRY(count_sets(c, err));
  for (uint32_t i = 0; i < labelings && !pay; i++)
    MS_TRY(count_one_label(c, label + i, cell + i * c->cells, err));
  for (uint32_t first = 0; first < labelings && pay; first += MS_CENSUS_LABELS) {
    uint32_t some = labelings - first < MS_CENSUS_LABELS ? labelings - first : MS_CENSUS_LABELS;
    MS_TRY(count_some_labels(c, label, first, some, cell + first * c->cells, err));
  }
  return MS_OK;
}

/* ---- open and close ------------------------------------------------------------------------ */

static atomic_bool has_none; /* this process has looked for GPUs and found none */

static int devices(void)
{
  int usable = (int)ms_gpu_usable(NULL);
  if (usable == 0)
    atomic_store(&has_none, true);
  return usable;
}

static bool may_have_devices(void)
{
  return !atomic_load(&has_none);
}

/* Chooses the words of the first kernel: so many that half of the roots fit. */
static ms_status choose_words(context *c, ms_error *err)
{
  ball_sizes sizes = ball_sizes_sample(c->on.graph, c->on.k, c->on.motif != NULL);
  double left = sizes.above[2];
  if (!ms_hooks.gpu_census_words && left > MOST_LEFT)
    return ms_fail(err, MS_ERR_USAGE,
                   "%.0f of 100 vertices have more than %u vertices within %u edges, which the GPU "
                   "does not search; use the CPU, or lower `k`",
                   100 * left, 64 * ms_hooks.gpu_census_words_limit, c->on.k - 1);
  c->words = sizes.above[0] <= 0.5 ? 1 : sizes.above[1] <= 0.5 ? 2 : 4;
  c->words = ms_hooks.gpu_census_words ? ms_hooks.gpu_census_words : c->words;
  return MS_OK;
}

static ms_status make_arrays(context *c, ms_error *err)
{
  const ms_census_graph *g = c->on.graph;
  const ms_dense *d = c->on.dense;
  if (g->offset[g->n] > UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "the graph has 2^31 edges or more, which the GPU does not search; use the CPU");
  for (uint32_t size = 1; size + 1 < c->on.k; size++) {
    c->step_at[size] = (uint32_t)c->steps;
    c->steps += ms_multisets_count(g->kinds, size) * g->kinds;
  }
  c->cells = d->rows * g->kinds;
  if (c->steps > UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "the vertices have too many colours for the GPU; use the CPU");
  c->step = ms_alloc(c->steps, sizeof *c->step);
  c->is_left = ms_alloc(g->n, 1);
  c->root = ms_alloc(c->on.pieces > g->n ? c->on.pieces : g->n, sizeof *c->root);
  c->piece = ms_alloc(c->on.pieces, sizeof *c->piece);
  c->begin = ms_alloc(c->on.pieces, sizeof *c->begin);
  c->end = ms_alloc(c->on.pieces, sizeof *c->end);
  if (!c->step || !c->is_left || !c->root || !c->piece || !c->begin || !c->end)
    return ms_fail_memory(err, "a census on a GPU");
  for (uint32_t size = 1; size + 1 < c->on.k; size++)
    memcpy(c->step + c->step_at[size], d->step[size],
           ms_multisets_count(g->kinds, size) * g->kinds * sizeof *c->step);
  return MS_OK;
}

static void close_context(void *opaque)
{
  context *c = opaque;
  if (!c)
    return;
  for (uint32_t i = 0; i < MS_GPU_MOST_DEVICES; i++)
    ms_census_close_runner(&c->runner[i]);
  ms_free(c->offset);
  ms_free(c->step);
  ms_free(c->is_left);
  ms_free(c->root);
  ms_free(c->piece);
  ms_free(c->begin);
  ms_free(c->end);
  pthread_mutex_destroy(&c->share.lock);
  ms_free(c);
}

static ms_status open_context(const ms_census_on *on, void **out, ms_error *err)
{
  *out = NULL;
  context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a census on a GPU");
  c->on = *on;
  c->share.work = ms_census_run_device;
  ms_status status = ms_census_open_share(on, &c->share, &c->task, &c->offset, err);
  if (status == MS_OK)
    status = choose_words(c, err);
  if (status == MS_OK)
    status = make_arrays(c, err);
  if (status == MS_OK)
    *out = c;
  else
    close_context(c);
  return status;
}

static const uint32_t *left(const void *opaque, uint64_t *lefts)
{
  const context *c = opaque;
  *lefts = c->lefts;
  return c->root;
}

static uint64_t visits(const void *opaque)
{
  return ((const context *)opaque)->visits;
}

static uint32_t used(const void *opaque)
{
  return ((const context *)opaque)->share.devices;
}

static uint64_t bytes_used(const void *opaque)
{
  return ((const context *)opaque)->bytes;
}

const ms_census_accelerator ms_census_gpus = {.devices = devices,
                                              .check = ms_gpu_check_named,
                                              .may_have_devices = may_have_devices,
                                              .is_started = ms_gpu_is_started,
                                              .open = open_context,
                                              .count = count,
                                              .count_units = count_units,
                                              .left_units = left_units,
                                              .count_labels = count_labels,
                                              .count_vertices = ms_census_count_vertices,
                                              .left = left,
                                              .visits = visits,
                                              .used = used,
                                              .bytes = bytes_used,
                                              .close = close_context,
                                              .open_shapes = ms_shapes_open,
                                              .count_units_by_shape = ms_shapes_count,
                                              .close_shapes = ms_shapes_close};
