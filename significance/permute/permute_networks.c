/* Random networks in batches, whose shapes a GPU counts in one launch (ms_census_jobs_count).
 *
 * While one thread drives the GPU, the others make the next batch: they permute the graph, rank its
 * vertices and divide the search into units.  Where making takes longer, so does a batch. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "census/shapes/rows.h"
#include "census/shapes/search.h"
#include "graph/graph.h"

#include <stdatomic.h>

#define MOST_CELLS ((uint64_t)1 << 23) /* by codes, of all networks of a batch */
#define MOST_ARCS ((uint64_t)1 << 30)
/* Bytes of a network: for each arc in the graph, ranks, units and the union of the batch; for each
 * vertex; and for each motif in a tally. */
#define OF_ARC 40u
#define OF_VERTEX 96u
#define OF_MOTIF 128u
#define OF_TALLIES (1u << 22) /* with colours: of empty ones */

/* Networks first .. first + size - 1. */
typedef struct batch {
  uint64_t first;
  uint32_t size;
  ms_census_job *job[MS_NULL_BATCH];
  ms_null_trace trace[MS_NULL_BATCH];
  atomic_uint_fast32_t next; /* the first one that no thread has begun */
} batch;

struct ms_permute_networks {
  ms_permute *p;
  bool asked; /* the options ask for GPUs */
  uint32_t size;
  uint64_t memory; /* of each network */
  uint64_t reserved;
  batch made[2];
  uint32_t current; /* the batch that is counted; the other one is made meanwhile */
  ms_stop *stop;    /* the token of the thread that runs a batch, for the others */
  uint64_t *count;  /* of the batch */
  bool counts;      /* the team counts the current batch */
  ms_status counted;
  ms_error why;
  atomic_int failed; /* ms_status of a network that was not made, or of a result */
  ms_error error;
};

/* ---- opening ------------------------------------------------------------------------------- */

static uint64_t bytes_of_network(const ms_permute *p)
{
  ms_graphlet_form form = ms_graphlet_form_of(p->observed->k, p->observed->directed);
  bool colored = p->observed->color != NULL;
  return p->graph->arcs * OF_ARC + (uint64_t)p->graph->n * OF_VERTEX +
         ms_null_bytes_of_call(p->null) + ms_graphlet_search_bytes(p->ranks, form, !colored) +
         (p->census->non_induced ? ms_graphlet_uninduce_bytes(form) : 0) +
         (colored ? OF_TALLIES + p->motifs * OF_MOTIF
                  : 2 * sizeof(uint64_t) << ms_graphlet_bits(form, form.k));
}

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Returns how many networks a batch may have. */
static uint32_t choose_size(const ms_permute *p)
{
  ms_graphlet_form form = ms_graphlet_form_of(p->observed->k, p->observed->directed);
  uint64_t most = least(MS_NULL_BATCH, MOST_ARCS / (p->graph->arcs + 1));
  if (!p->observed->color)
    most = least(most, MOST_CELLS >> ms_graphlet_bits(form, form.k));
  return (uint32_t)least(most, ms_budget_left(&p->budget) / 4 / bytes_of_network(p));
}

ms_status ms_permute_networks_open(ms_permute *p, ms_permute_networks **out, ms_error *err)
{
  ms_census_engine engine;
  *out = NULL;
  MS_TRY(ms_census_find_engine(p->census->run.engine, &engine, err));
  uint32_t size = choose_size(p);
  bool asked = engine == MS_CENSUS_GPU;
  if (!p->census->shapes || engine == MS_CENSUS_CPU || ms_hooks.permute_engine == MS_PERMUTE_ONE ||
      size < 2 || p->census->run.n_devices > 1 || p->ranks->n == 0)
    return MS_OK;
  if (!asked &&
      !ms_census_networks_pay(p->gpus, p->observed, p->options->permutations, size, p->threads))
    return MS_OK;
  ms_permute_networks *g = ms_calloc(1, sizeof *g);
  if (!g)
    return ms_fail_memory(err, "random networks side by side");
  *g = (ms_permute_networks){.p = p, .asked = asked, .size = size, .memory = bytes_of_network(p)};
  g->reserved = 2 * size * g->memory;
  if (!ms_budget_reserve(&p->budget, g->reserved)) {
    ms_free(g);
    return MS_OK;
  }
  *out = g;
  return MS_OK;
}

static void close_batch(batch *b)
{
  for (uint32_t i = 0; i < MS_NULL_BATCH; i++) {
    ms_census_job_close(b->job[i]);
    b->job[i] = NULL;
  }
  b->size = 0;
}

void ms_permute_networks_close(ms_permute_networks *g)
{
  if (!g)
    return;
  close_batch(&g->made[0]);
  close_batch(&g->made[1]);
  ms_budget_release(&g->p->budget, g->reserved);
  ms_free(g);
}

uint32_t ms_permute_networks_size(const ms_permute_networks *g)
{
  return g->size;
}

/* ---- a batch ------------------------------------------------------------------------------- */

static void note(ms_permute_networks *g, ms_status status, const ms_error *error)
{
  int none = MS_OK;
  if (status != MS_OK && atomic_compare_exchange_strong(&g->failed, &none, (int)status))
    g->error = *error;
}

typedef struct maker {
  const ms_permute_networks *g;
  ms_census_job **job;
} maker;

static ms_status open_network(void *user, const ms_graph *graph, const ms_coloring *coloring,
                              ms_error *err)
{
  const maker *m = user;
  ms_census_options o = *m->g->p->census;
  o.min_count = o.top = 0;
  o.run.progress = NULL;
  o.run.memory = m->g->memory;
  o.run.threads = 1;
  o.run.n_devices = 0;
  o.run.division = NULL;
  return ms_census_job_open_beside(m->g->p->gpus, graph, coloring, &o, m->job, err);
}

/* Makes the networks of a batch that no other thread makes. */
static void make_networks(ms_permute_networks *g, batch *b)
{
  uint32_t i;
  while (atomic_load(&g->failed) == MS_OK &&
         (i = (uint32_t)atomic_fetch_add(&b->next, 1)) < b->size) {
    ms_error error = {0};
    maker m = {g, &b->job[i]};
    ms_status status = ms_stop_poll("random networks are made", &error);
    if (status == MS_OK)
      status = ms_permute_make(g->p->null, g->p->coloring, b->first + i, &b->trace[i], open_network,
                               &m, &error);
    note(g, status, &error);
  }
}

/* One thread counts the current batch, while the others make the next one. */
static void work(void *user, int thread)
{
  ms_permute_networks *g = user;
  const batch *b = &g->made[g->current];
  ms_stop *before = ms_stop_enter(g->stop);
  if (thread == 0 && g->counts)
    g->counted =
        ms_census_jobs_count(b->job, b->size, g->p->census, 2 * (double)g->p->motifs, &g->why);
  make_networks(g, &g->made[1 - g->current]);
  ms_stop_leave(before);
}

static void take_results(void *user, ms_range range)
{
  ms_permute_networks *g = user;
  const batch *b = &g->made[g->current];
  ms_stop *before = ms_stop_enter(g->stop);
  for (uint64_t i = range.begin; i < range.end; i++) {
    ms_census_result *r;
    ms_error error = {0};
    ms_status status = ms_census_job_result(b->job[i], &r, &error);
    note(g, status, &error);
    if (status == MS_OK)
      ms_permute_take(g->p, r, g->count + i * g->p->motifs);
    ms_census_result_free(r);
  }
  ms_stop_leave(before);
}

/* Begins a batch in place of the one that is not counted. */
static void begin_batch(ms_permute_networks *g, uint64_t first, uint32_t size)
{
  batch *b = &g->made[1 - g->current];
  close_batch(b);
  b->first = first;
  b->size = size;
  atomic_store(&b->next, 0);
}

/* Makes a batch, and counts the other one if it counts.  *fits false: there is no memory. */
static ms_status run_team(ms_permute_networks *g, bool counts, bool *fits, ms_error *err)
{
  g->counts = counts;
  g->counted = MS_OK;
  ms_parallel_team(g->p->threads, work, g);
  ms_status failed = (ms_status)atomic_load(&g->failed);
  *fits = failed != MS_ERR_MEMORY;
  return failed == MS_OK || !*fits ? MS_OK : ms_fail(err, failed, "%s", g->error.message);
}

/* True if another engine should count the networks. */
static bool gives_way(const ms_permute_networks *g)
{
  bool stops = g->counted == MS_ERR_LIMIT || g->counted == MS_ERR_INTERRUPTED;
  return !stops && (g->counted == MS_ERR_MEMORY || g->counted == MS_ERR_USAGE || !g->asked);
}

ms_status ms_permute_networks_run(ms_permute_networks *g, uint64_t first, uint32_t size,
                                  uint64_t end, uint64_t *count, ms_null_trace *trace, bool *fits,
                                  ms_error *err)
{
  uint64_t behind = first + size;
  const batch *next = &g->made[1 - g->current];
  atomic_store(&g->failed, MS_OK);
  g->count = count;
  g->stop = ms_stop_enter(NULL);
  if (next->first != first || next->size != size) {
    begin_batch(g, first, size);
    MS_TRY(run_team(g, false, fits, err));
    if (!*fits)
      return MS_OK;
  }
  g->current = 1 - g->current;
  begin_batch(g, behind, (uint32_t)least(g->size, end - behind));
  MS_TRY(run_team(g, true, fits, err));
  if (g->counted != MS_OK && !gives_way(g))
    return ms_fail(err, g->counted, "%s", g->why.message);
  *fits = *fits && g->counted == MS_OK;
  if (!*fits)
    return MS_OK;
  ms_parallel(g->p->threads, size, 1, take_results, g);
  ms_status failed = (ms_status)atomic_load(&g->failed);
  if (failed != MS_OK)
    return ms_fail(err, failed, "%s", g->error.message);
  for (uint32_t i = 0; i < size; i++)
    trace[i] = g->made[g->current].trace[i];
  return MS_OK;
}
