/* Many labellings at a time on GPUs, which visit each connected set once for 32 of them.
 *
 * A batch goes through three loops of the host's threads: each labelling is made, for the vertices
 * of the graph; the labels of each rank are put side by side, one byte each; and what the GPU has
 * counted is added up motif by motif. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "census/accelerator.h"
#include "graph/graph.h"

#include <stdatomic.h>
#include <string.h>

#define MOST_KINDS 255u
#define RANGE 4096u /* ranks of a range of a loop */
/* Sets of one labelling that a thread counts in a second (permute_batch.c), and seconds that a GPU
 * takes to start. */
#define SETS_A_SECOND 6e8
#define SECONDS_TO_START 0.5

_Static_assert(MS_NULL_BATCH <= MS_CENSUS_AT_A_TIME, "a batch of labellings is counted at a time");

struct ms_permute_gpus {
  ms_permute *p;
  uint32_t k;
  ms_dense steps;
  bool has_steps;
  void *context;
  uint64_t cells;  /* of a labelling */
  uint64_t *place; /* [motifs][k] */
  uint16_t *made;  /* [MS_NULL_BATCH][n of the graph] the labels of each labelling */
  uint8_t *label;  /* [ranks][MS_CENSUS_AT_A_TIME] */
  uint64_t *cell;  /* [MS_NULL_BATCH][cells] */
  uint64_t reserved;
  /* a run */
  uint64_t first, *count;
  uint32_t size;
  ms_null_trace *trace;
  atomic_int failed; /* ms_status */
  ms_error error;
};

/* ---- opening ---------------------------------------------------------------------------- */

/* Says why GPUs cannot count these permutations; NULL: they may. */
static const char *refusal(const ms_permute *p)
{
  uint64_t of_thread;
  if (!p->ranks->single || p->ranks->kinds > MOST_KINDS)
    return "GPUs permute at most 255 colours, of vertices with one colour each";
  if (p->census->k < 3 || p->ranks->n == 0)
    return "GPUs permute censuses of three or more vertices";
  if (ms_dense_bytes(p->ranks->kinds, p->census->k, &of_thread) == UINT64_MAX)
    return "there are too many motifs for tables with a place for each, which GPUs fill";
  return NULL;
}

static bool pays(const ms_permute *p)
{
  double sets = (double)p->observed->sets * (double)p->options->permutations;
  return sets / SETS_A_SECOND / p->threads > SECONDS_TO_START && p->gpus->may_have_devices() &&
         p->gpus->devices() > 0;
}

/* Opens the GPUs and counts the graph on them once, to know whether roots are left. */
static ms_status open_devices(ms_permute_gpus *g, ms_error *err)
{
  const ms_permute *p = g->p;
  const ms_census_options *o = p->census;
  const ms_census_on on = {.graph = p->ranks,
                           .k = g->k,
                           .dense = &g->steps,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .sets = (double)p->observed->sets,
                           .threads = p->threads,
                           .memory = o->run.memory,
                           .stop = ms_stop_current()};
  uint64_t lefts;
  MS_TRY(p->gpus->open(&on, &g->context, err));
  MS_TRY(p->gpus->count(g->context, NULL, g->cell, err));
  (void)p->gpus->left(g->context, &lefts);
  return lefts == 0 ? MS_OK
                    : ms_fail(err, MS_ERR_USAGE,
                              "%llu vertices have too many others near them for GPUs; use the CPU",
                              (unsigned long long)lefts);
}

static ms_status open_memory(ms_permute_gpus *g, ms_error *err)
{
  ms_permute *p = g->p;
  uint64_t of_thread, n = p->graph->n;
  uint64_t bytes = ms_dense_bytes(p->ranks->kinds, g->k, &of_thread);
  g->cells = ms_multisets_count(p->ranks->kinds, g->k - 1) * p->ranks->kinds;
  bytes += g->cells * MS_NULL_BATCH * (sizeof *g->cell + sizeof(uint32_t)) +
           n * MS_NULL_BATCH * sizeof *g->made + (uint64_t)p->ranks->n * MS_CENSUS_AT_A_TIME +
           p->motifs * g->k * sizeof *g->place;
  if (!ms_budget_reserve(&p->budget, bytes))
    return ms_census_fail_memory(p->ranks, err);
  g->reserved = bytes;
  MS_TRY(ms_dense_open(&g->steps, p->ranks->kinds, g->k, err));
  g->has_steps = true;
  g->place = ms_alloc(p->motifs * g->k, sizeof *g->place);
  g->made = ms_alloc(n * MS_NULL_BATCH, sizeof *g->made);
  g->label = ms_calloc(p->ranks->n, MS_CENSUS_AT_A_TIME);
  g->cell = ms_calloc(g->cells * MS_NULL_BATCH, sizeof *g->cell);
  if (!g->place || !g->made || !g->label || !g->cell)
    return ms_fail_memory(err, "the tables of permutations");
  return ms_permute_find_cells(p, &g->steps.numbers, p->ranks->kinds, g->place, err);
}

ms_status ms_permute_gpus_open(ms_permute *p, ms_permute_gpus **out, ms_error *err)
{
  ms_census_engine engine;
  ms_error why = {0};
  *out = NULL;
  MS_TRY(ms_census_find_engine(p->census->run.engine, &engine, err));
  bool asked = engine == MS_CENSUS_GPU || ms_hooks.permute_engine == MS_PERMUTE_GPU;
  if (engine == MS_CENSUS_CPU || ms_null_rewires(p->options->null_kind) || /* one by one */
      p->census->shapes ||
      (ms_hooks.permute_engine != MS_PERMUTE_AUTO && ms_hooks.permute_engine != MS_PERMUTE_GPU))
    return MS_OK;
  const char *reason = refusal(p);
  if (reason)
    return asked ? ms_fail(err, MS_ERR_USAGE, "%s; use the CPU", reason) : MS_OK;
  if (!asked && !pays(p))
    return MS_OK;
  ms_permute_gpus *g = ms_calloc(1, sizeof *g);
  if (!g)
    return ms_fail_memory(err, "permutations on GPUs");
  g->p = p;
  g->k = p->census->k;
  ms_status status = open_memory(g, &why);
  if (status == MS_OK)
    status = open_devices(g, &why);
  if (status == MS_OK) {
    *out = g;
    return MS_OK;
  }
  ms_permute_gpus_close(g);
  bool stops = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  return asked || stops ? ms_fail(err, status, "%s", why.message) : MS_OK;
}

void ms_permute_gpus_close(ms_permute_gpus *g)
{
  if (!g)
    return;
  g->p->gpus->close(g->context);
  if (g->has_steps)
    ms_dense_close(&g->steps);
  ms_budget_release(&g->p->budget, g->reserved);
  ms_free(g->place);
  ms_free(g->made);
  ms_free(g->label);
  ms_free(g->cell);
  ms_free(g);
}

/* ---- a batch ----------------------------------------------------------------------------- */

static void make_labelings(void *user, ms_range r)
{
  ms_permute_gpus *g = user;
  for (uint64_t i = r.begin; i < r.end && atomic_load(&g->failed) == MS_OK; i++) {
    ms_error error = {0};
    int none = MS_OK;
    ms_status status = ms_null_labels(g->p->null, g->first + i, g->made + i * g->p->graph->n,
                                      &g->trace[i], &error);
    if (status != MS_OK && atomic_compare_exchange_strong(&g->failed, &none, (int)status))
      g->error = error;
  }
}

static void gather_labels(void *user, ms_range r)
{
  ms_permute_gpus *g = user;
  for (uint64_t rank = r.begin; rank < r.end; rank++) {
    const uint16_t *made = g->made + g->p->ranks->vertex[rank];
    for (uint32_t i = 0; i < g->size; i++)
      g->label[rank * MS_CENSUS_AT_A_TIME + i] = (uint8_t)made[(uint64_t)i * g->p->graph->n];
  }
}

static void add_cells(void *user, ms_range r)
{
  ms_permute_gpus *g = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    const uint64_t *cell = g->cell + i * g->cells, *place = g->place;
    for (uint64_t m = 0; m < g->p->motifs; m++) {
      uint64_t sets = 0;
      for (uint32_t j = 0; j < g->k; j++, place++)
        sets += *place == MS_NO_CELL ? 0 : cell[*place];
      g->count[i * g->p->motifs + m] = sets;
    }
  }
}

ms_status ms_permute_gpus_run(ms_permute_gpus *g, uint64_t first, uint32_t size, uint64_t *count,
                              ms_null_trace *trace, ms_error *err)
{
  const ms_permute *p = g->p;
  g->first = first;
  g->size = size;
  g->count = count;
  g->trace = trace;
  atomic_store(&g->failed, MS_OK);
  MS_TRY(ms_stop_poll("labellings are made", err));
  ms_parallel(p->threads, size, 1, make_labelings, g);
  ms_status status = (ms_status)atomic_load(&g->failed);
  if (status != MS_OK)
    return ms_fail(err, status, "%s", g->error.message);
  ms_parallel(p->threads, p->ranks->n, RANGE, gather_labels, g);
  MS_TRY(p->gpus->count_labels(g->context, g->label, size, g->cell, err));
  ms_parallel(p->threads, size, 1, add_cells, g);
  return MS_OK;
}
