/* The census of a whole graph: the search of all roots, or of a share of the units, on several
 * threads or on GPUs. */
#include "census/census.h"
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "census/job.h"
#include "census/shapes/gpu.h"
#include "census/shapes/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

/* The options of a census, the choice between processors and GPUs, and what its failures say. */

#define USUAL_K 3u
/* Seconds that a GPU takes to start, or to begin. */
#define SECONDS_TO_START 0.3
#define SECONDS_TO_BEGIN 0.02

ms_status ms_census_complete(ms_census_options *o, ms_error *err)
{
  o->k = o->k ? o->k : USUAL_K;
  if ((o->non_induced || o->all_shapes) && !o->shapes)
    return ms_fail(err, MS_ERR_USAGE, "`%s` is for shapes; ask for them by `shapes`",
                   o->non_induced ? "non_induced" : "all_shapes");
  if (o->k < 2 || o->k > MS_MAX_CENSUS)
    return ms_fail(err, MS_ERR_USAGE, "a census of sets of %u vertices; choose 2 to %u by `k`",
                   o->k, MS_MAX_CENSUS);
  return MS_OK;
}

ms_status ms_census_refuse_shapes(const ms_census_options *o, const char *what, ms_error *err)
{
  return o->shapes ? ms_fail(err, MS_ERR_USAGE, "%s counts motifs of colours, and no shapes", what)
                   : MS_OK;
}

ms_status ms_census_find_engine(const char *name, ms_census_engine *out, ms_error *err)
{
  static const char *const names[] = {"auto", "cpu", "gpu"};
  *out = MS_CENSUS_ANY;
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (ms_census_engine)i;
      return MS_OK;
    }
  return name ? ms_fail(err, MS_ERR_USAGE,
                        "there is no engine '%s' for a census; use auto, cpu or gpu", name)
              : MS_OK;
}

double ms_census_estimate_sets(const ms_census_graph *g, uint32_t k)
{
  double arcs = (double)g->offset[g->n], squares = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    double degree = (double)(g->offset[v + 1] - g->offset[v]);
    squares += degree * degree;
  }
  return arcs > 0 ? arcs * pow(squares / arcs, k - 2.0) : 0;
}

const char *ms_census_prefer_cpu(const ms_census_accelerator *gpus, uint32_t k, double seconds)
{
  if (k < 3)
    return "sets of two vertices are edges";
  if (!gpus->may_have_devices())
    return "there is no GPU";
  if (seconds < (gpus->is_started() ? SECONDS_TO_BEGIN : SECONDS_TO_START))
    return "it ends before a GPU would have started";
  return gpus->devices() == 0 ? "there is no usable GPU" : NULL;
}

ms_status ms_census_fail_memory(const ms_census_graph *graph, ms_error *err)
{
  return ms_fail(
      err, MS_ERR_MEMORY,
      "the numbers of sets of all motifs need more memory; raise `memory`, lower `k`, or "
      "choose fewer colours by `only`%s",
      graph->single ? "" : ", or one for each vertex by `primary`");
}

ms_status ms_census_fail_overflow(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "a number of sets is 2^63 or more, which a census does not count; lower `k`");
}

/* ---- the census ------------------------------------------------------------------------------ */

#define LOCAL_BITS 15u          /* of a thread's tally: it lies in the L2 cache */
#define ALWAYS_DENSE (1u << 24) /* rows of so many cells are dense even for few sets */

typedef ms_census_job census;
typedef ms_census_item item;

/* ---- items -------------------------------------------------------------------------- */

static ms_status add_item(census *c, item next, ms_error *err)
{
  if (!MS_GROW(c->item, c->item_room, c->items, 1))
    return ms_fail_memory(err, "the work of a census");
  c->item[c->items++] = next;
  return MS_OK;
}

/* Cuts the work into pieces: ranges of roots, and of candidates of roots that have many.  `some`
 * [roots], ascending, are all roots; NULL: all vertices are. */
static ms_status make_items(census *c, const uint32_t *some, uint64_t roots, ms_error *err)
{
  const ms_census_graph *g = c->graph;
  item open = {0};
  uint64_t work = 0;
  for (uint64_t i = 0; i < roots; i++) {
    uint32_t root = some ? some[i] : (uint32_t)i;
    uint64_t end = g->offset[root];
    while (end < g->offset[root + 1] && g->neighbor[end] > root)
      end++;
    uint32_t candidates = (uint32_t)(end - g->offset[root]);
    uint32_t piece = c->k > 3 ? 4 + candidates / 1024 : 32 + candidates / 256;
    if (c->k > 2 && candidates > 64) {
      if (open.roots > 0)
        MS_TRY(add_item(c, open, err));
      for (uint32_t begin = 0; begin < candidates; begin += piece) {
        uint32_t rest = candidates - begin;
        item part = {root, 1, begin, rest < piece ? candidates : begin + piece};
        MS_TRY(add_item(c, part, err));
      }
      open = (item){.root = root + 1};
      work = 0;
      continue;
    }
    work += (uint64_t)candidates * candidates + 16;
    if (open.roots > 0 && open.root + open.roots != root) {
      MS_TRY(add_item(c, open, err));
      open.roots = 0;
    }
    if (open.roots == 0)
      open = (item){.root = root, .end = UINT32_MAX};
    open.roots++;
    if (work > 8192) {
      MS_TRY(add_item(c, open, err));
      open = (item){.root = root + 1};
      work = 0;
    }
  }
  return open.roots > 0 ? add_item(c, open, err) : MS_OK;
}

ms_status ms_census_job_take_units(census *c, const ms_share *share, ms_error *err)
{
  c->items = 0;
  const ms_census_unit *unit = c->units.unit;
  for (uint64_t u = ms_share_next(share, 0); u < c->units.count; u = ms_share_next(share, u + 1)) {
    item next = {unit[u].root, unit[u].roots, unit[u].begin, unit[u].end};
    MS_TRY(add_item(c, next, err));
  }
  return MS_OK;
}

/* ---- tables ------------------------------------------------------------------------- */

static ms_census_form form_of(const census *c)
{
  return c->form == MS_CENSUS_AUTO ? ms_hooks.census_form : c->form;
}

/* True if GPUs have counted earlier units into the dense tables. */
static bool has_totals(const census *c)
{
  return c->dense_open && c->advanced > c->rest.first;
}

/* Decides the form of the tables and the number of threads that have room for them. */
static void choose_form(census *c)
{
  uint64_t of_thread, shared = ms_dense_bytes(c->graph->kinds, c->k, &of_thread);
  uint64_t search = ms_census_search_bytes(c->graph);
  uint64_t left = ms_budget_left(&c->budget) + c->dense_bytes;
  uint64_t cells = of_thread / sizeof(uint32_t);
  bool fits = shared < left && of_thread < left - shared && search < left - shared - of_thread;
  bool is_worth = cells <= ALWAYS_DENSE || (double)cells <= ms_census_estimate_sets(c->graph, c->k);
  c->is_dense =
      fits && (is_worth || form_of(c) == MS_CENSUS_DENSE) && form_of(c) != MS_CENSUS_SPARSE;
  if (c->is_dense) {
    uint64_t most = (left - shared) / (of_thread + search + 1);
    c->threads = (uint64_t)c->threads < most ? c->threads : (int)most;
  }
  c->is_dense |= has_totals(c);
}

/* Opens the tables that all threads share, unless GPUs have filled them. */
static ms_status open_dense(census *c, ms_error *err)
{
  uint64_t of_thread, bytes = ms_dense_bytes(c->graph->kinds, c->k, &of_thread);
  if (c->dense_open)
    return MS_OK;
  if (!ms_budget_reserve(&c->budget, bytes))
    return ms_census_fail_memory(c->graph, err);
  c->dense_bytes = bytes;
  MS_TRY(ms_dense_open(&c->dense, c->graph->kinds, c->k, err));
  c->dense_open = true;
  return MS_OK;
}

static void close_dense(census *c)
{
  if (c->dense_open)
    ms_dense_close(&c->dense);
  ms_budget_release(&c->budget, c->dense_bytes);
  c->dense_open = false;
  c->dense_bytes = 0;
}

/* Reserves the tables of the threads. */
static ms_status reserve_rows(census *c, ms_error *err)
{
  uint64_t of_thread;
  (void)ms_dense_bytes(c->graph->kinds, c->k, &of_thread);
  return ms_budget_reserve(&c->budget, (uint64_t)c->threads * of_thread)
             ? MS_OK
             : ms_census_fail_memory(c->graph, err);
}

static ms_status open_search(census *c, ms_census_search *s, ms_error *err)
{
  MS_TRY(ms_census_search_open(s, c->graph, c->k, &c->watch, &c->budget, err));
  if (c->bits)
    MS_TRY(ms_census_search_use_bits(s, c->bits, &c->budget, err));
  if (c->is_dense) {
    s->dense = &c->dense;
    s->row = ms_calloc(c->dense.rows * c->dense.stride, sizeof *s->row);
    s->number = ms_alloc(2 * (size_t)c->graph->kinds, sizeof *s->number);
    return s->row && s->number ? MS_OK : ms_fail_memory(err, "the tables of a census");
  }
  s->shared = &c->shared;
  return ms_tally_open(&s->local, LOCAL_BITS, &c->budget) ? MS_OK
                                                          : ms_census_fail_memory(c->graph, err);
}

ms_status ms_census_job_open_tables(census *c, ms_error *err)
{
  if (c->search || c->shape)
    return MS_OK;
  if (c->graphlet.k > 0) {
    c->is_dense = c->graph->colors == 0 && form_of(c) != MS_CENSUS_SPARSE;
    return ms_graphlet_tables_open(c, err);
  }
  choose_form(c);
  if (c->uses_gpus && !c->is_dense) /* the GPUs' numbers are in dense tables */
    return ms_census_fail_memory(c->graph, err);
  c->search = ms_calloc((size_t)c->threads, sizeof *c->search);
  if (!c->search)
    return ms_fail_memory(err, "the threads of a census");
  if (c->is_dense) {
    MS_TRY(open_dense(c, err));
    MS_TRY(reserve_rows(c, err));
  } else {
    c->shared_open = ms_shared_tally_open(&c->shared, &c->budget);
    if (!c->shared_open)
      return ms_census_fail_memory(c->graph, err);
    c->shared.has_groups = c->graphlet.k == 0 && !c->graph->single;
  }
  if (c->k > 2)
    MS_TRY(ms_census_bits_new(c->graph, &c->budget, &c->bits, err));
  for (int t = 0; t < c->threads; t++)
    MS_TRY(open_search(c, &c->search[t], err));
  return MS_OK;
}

/* Makes the totals zero for the next share. */
ms_status ms_census_job_clear(census *c, ms_error *err)
{
  if (c->dense_open)
    ms_dense_clear(&c->dense, c->k);
  ms_graphlet_tables_clear(c);
  if (c->shared_open) {
    ms_shared_tally_close(&c->shared);
    c->shared_open = ms_shared_tally_open(&c->shared, &c->budget);
    if (!c->shared_open)
      return ms_census_fail_memory(c->graph, err);
    c->shared.has_groups = c->graphlet.k == 0 && !c->graph->single;
  }
  return MS_OK;
}

void ms_census_job_release(census *c)
{
  for (int t = 0; c->search && t < c->threads; t++) {
    ms_free(c->search[t].row);
    ms_free(c->search[t].number);
    ms_census_search_close(&c->search[t], &c->budget);
  }
  ms_free(c->search);
  ms_graphlet_tables_close(c);
  ms_census_bits_free(c->bits, &c->budget);
  if (c->graphlet.k > 0)
    c->gpus->close_shapes(c->on_gpus);
  else
    c->gpus->close(c->on_gpus);
  close_dense(c);
  if (c->shared_open)
    ms_shared_tally_close(&c->shared);
  ms_free(c->shape_rows.row);
  ms_free(c->item);
  ms_census_units_free(&c->units);
  ms_census_graph_free(c->graph);
}

/* ---- search ------------------------------------------------------------------------- */

bool ms_census_job_search_item(census *c, int thread, uint64_t number)
{
  if (c->graphlet.k > 0)
    return ms_graphlet_tables_search(c, thread, &c->item[number]);
  ms_census_search *s = &c->search[thread];
  ms_census_root_fn *search_root = c->is_dense ? ms_census_root_dense : ms_census_root_sparse;
  const item *it = &c->item[number];
  for (uint32_t root = it->root; root < it->root + it->roots && !s->ended; root++) {
    s->floor = root + 1;
    search_root(s, root, it->begin, it->end);
  }
  if (s->full)
    atomic_store(&c->full, true);
  return !s->ended;
}

static void search_items(void *user, ms_range r)
{
  census *c = user;
  for (uint64_t i = r.begin; i < r.end && ms_census_job_search_item(c, r.thread, i); i++) {
    uint64_t done = atomic_fetch_add(&c->done, 1) + 1;
    if (r.thread == 0 && done < c->items)
      ms_limits_report(&c->options->run, "parts of the census", done, c->items);
  }
}

static void take_tallies(void *user, ms_range r)
{
  census *c = user;
  for (uint64_t t = r.begin; t < r.end; t++)
    if (!c->search[t].full && !ms_shared_tally_take(&c->shared, &c->search[t].local))
      atomic_store(&c->full, true);
}

ms_status ms_census_job_gather(census *c, ms_error *err)
{
  bool overflow = false;
  if (c->graphlet.k > 0) {
    MS_TRY(ms_graphlet_tables_gather(c, &overflow, err));
    return overflow ? ms_census_fail_overflow(err) : MS_OK;
  }
  if (c->is_dense)
    ms_dense_gather(c->search, c->threads);
  else
    ms_parallel(c->threads, (uint64_t)c->threads, 1, take_tallies, c);
  overflow = c->is_dense && atomic_load(&c->dense.overflow);
  for (int i = 0; !c->is_dense && i < MS_TALLY_SHARDS; i++)
    overflow |= c->shared.shard[i].tally.overflow;
  if (atomic_load(&c->full))
    return ms_census_fail_memory(c->graph, err);
  return overflow ? ms_census_fail_overflow(err) : MS_OK;
}

/* Counts the sets of the items on processors. */
static ms_status search_all_items(census *c, ms_error *err)
{
  bool has_tables = c->search || c->shape; /* which are closed by the number of threads */
  if (!has_tables && !c->has_units && (uint64_t)c->threads > c->items)
    c->threads = c->items > 0 ? (int)c->items : 1;
  MS_TRY(ms_census_job_open_tables(c, err));
  atomic_store(&c->done, 0);
  c->is_mixed = true;
  ms_watch_begin(&c->watch);
  ms_parallel(c->threads, c->items, 1, search_items, c);
  MS_TRY(ms_watch_report(&c->watch, "sets are counted", err));
  ms_limits_report(&c->options->run, "parts of the census", c->items, c->items);
  MS_TRY(ms_census_job_gather(c, err));
  c->is_mixed = false;
  return MS_OK;
}

/* ---- GPUs ---------------------------------------------------------------------------- */

#define SETS_A_SECOND 1e8 /* that a thread counts */

static void note_engine(census *c, const char *engine, const char *reason)
{
  c->has_engine = true;
  c->result->run.engine = engine;
  snprintf(c->result->run.engine_reason, sizeof c->result->run.engine_reason, "%s", reason);
}

static ms_status open_gpus(census *c, ms_error *err)
{
  const ms_census_options *o = c->options;
  uint64_t pieces = 0;
  for (uint64_t u = 0; u < c->units.count; u++)
    pieces += c->units.unit[u].roots;
  const ms_census_on on = {.graph = c->graph,
                           .k = c->k,
                           .dense = &c->dense,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .sets = ms_census_estimate_sets(c->graph, c->k),
                           .threads = c->threads,
                           .memory = o->run.memory,
                           .stop = ms_stop_current(),
                           .progress = o->run.progress,
                           .progress_user = o->run.progress_user,
                           .pieces = pieces,
                           .integrity = c->integrity};
  return c->on_gpus ? MS_OK : c->gpus->open(&on, &c->on_gpus, err);
}

/* Counts on GPUs into the totals, with a number for each cell in between. */
static ms_status count_cells(census *c, const ms_share *share, ms_error *err)
{
  uint64_t cells = c->dense.rows * c->graph->kinds, *cell;
  if (!ms_budget_reserve(&c->budget, 2 * cells * sizeof *cell)) /* one is of the devices */
    return ms_census_fail_memory(c->graph, err);
  cell = ms_calloc(cells, sizeof *cell);
  ms_status status = MS_OK;
  if (!cell)
    status = ms_fail_memory(err, "the tables of a census");
  else if (c->has_units)
    status = c->gpus->count_units(c->on_gpus, &c->units, share, cell, err);
  else
    status = c->gpus->count(c->on_gpus, NULL, cell, err);
  double begin = ms_seconds();
  if (status == MS_OK)
    ms_dense_add_cells(&c->dense, c->graph->kinds, c->k, cell);
  c->adding = ms_seconds() - begin;
  ms_free(cell);
  ms_budget_release(&c->budget, 2 * cells * sizeof *cell);
  return status;
}

/* Counts on GPUs the sets of all roots but those that are left.  After a failure, nothing is
 * counted. */
static ms_status count_on_gpus(census *c, const ms_share *share, ms_error *err)
{
  uint64_t of_thread;
  if (ms_dense_bytes(c->graph->kinds, c->k, &of_thread) == UINT64_MAX ||
      form_of(c) == MS_CENSUS_SPARSE)
    return ms_fail(err, MS_ERR_USAGE,
                   "there are too many motifs for tables with a place for each, which GPUs fill; "
                   "use the CPU, or choose fewer colours by `only`");
  ms_status status = open_dense(c, err);
  if (status == MS_OK)
    status = open_gpus(c, err);
  if (status == MS_OK)
    status = count_cells(c, share, err);
  if (status != MS_OK && !c->search && !has_totals(c))
    close_dense(c);
  return status;
}

/* Counts what GPUs leave, and notes what they did. */
static ms_status count_left(census *c, ms_error *err)
{
  uint64_t lefts, many;
  const uint32_t *left = c->gpus->left(c->on_gpus, &lefts);
  const ms_census_unit *unit = c->has_units ? c->gpus->left_units(c->on_gpus, &many) : NULL;
  c->result->cpu_roots += lefts;
  c->result->gpu_bytes = c->gpus->bytes(c->on_gpus);
  c->gpu_visits += c->gpus->visits(c->on_gpus);
  c->is_dense = true;
  if (c->has_units)
    for (uint64_t i = 0; i < many; i++)
      MS_TRY(add_item(c, (item){unit[i].root, unit[i].roots, unit[i].begin, unit[i].end}, err));
  else
    MS_TRY(make_items(c, left, lefts, err));
  if (c->items > 0)
    MS_TRY(search_all_items(c, err));
  return atomic_load(&c->dense.overflow) ? ms_census_fail_overflow(err) : MS_OK;
}

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

double ms_census_job_bound(const census *c)
{
  return ms_census_estimate_sets(c->graph, c->k) / SETS_A_SECOND / c->threads;
}

static bool prefers_gpus_for_shapes(const census *c, char reason[MS_GRAPHLET_REASON])
{
  double sets = ms_census_estimate_sets(c->graph, c->k);
  bool is_cpu = ms_graphlet_has_formulas(c) || !c->gpus->may_have_devices();
  return ms_graphlet_prefer_gpus(
      c, sets, is_cpu ? "" : ms_census_prefer_cpu(c->gpus, c->k, ms_graphlet_seconds(c, sets)),
      reason);
}

ms_status ms_census_job_choose_engine(census *c, ms_error *err)
{
  ms_census_engine engine;
  char estimate[MS_GRAPHLET_REASON] = "it is faster";
  MS_TRY(ms_census_find_engine(c->options->run.engine, &engine, err));
  if (c->has_engine)
    return MS_OK;
  const char *reason = NULL;
  if (engine == MS_CENSUS_CPU)
    reason = "as asked for";
  else if (engine == MS_CENSUS_ANY && c->graphlet.k > 0)
    reason = prefers_gpus_for_shapes(c, estimate) ? NULL : estimate;
  else if (engine == MS_CENSUS_ANY)
    reason = ms_census_prefer_cpu(c->gpus, c->k, ms_census_job_bound(c));
  c->uses_gpus = !reason && c->k >= 3 && c->graph->n > 0;
  if (c->uses_gpus)
    note_engine(c, "gpu", engine == MS_CENSUS_GPU ? "as asked for" : estimate);
  else
    note_engine(c, "cpu", reason ? reason : "GPUs have nothing to search");
  return MS_OK;
}

/* Counts shapes on GPUs into the totals. */
static ms_status count_shapes_on_gpus(census *c, const ms_share *share, ms_error *err)
{
  bool overflow;
  MS_TRY(ms_census_job_open_tables(c, err));
  MS_TRY(ms_graphlet_search_on_gpus(c, share, ms_census_estimate_sets(c->graph, c->k), &overflow,
                                    err));
  return overflow ? ms_census_fail_overflow(err) : MS_OK;
}

/* Counts the sets of a share on processors. */
static ms_status search_on_cpu(census *c, const ms_share *share, ms_error *err)
{
  c->items = 0;
  if (c->has_units)
    MS_TRY(ms_census_job_take_units(c, share, err));
  else
    MS_TRY(make_items(c, NULL, c->graph->n, err));
  return search_all_items(c, err);
}

ms_status ms_census_job_search(census *c, const ms_share *share, ms_error *err)
{
  ms_census_engine engine;
  ms_error why = {0};
  MS_TRY(ms_census_find_engine(c->options->run.engine, &engine, err));
  MS_TRY(ms_census_job_choose_engine(c, err));
  c->items = 0;
  if (!c->uses_gpus)
    return search_on_cpu(c, share, err);
  ms_status status =
      c->graphlet.k > 0 ? count_shapes_on_gpus(c, share, &why) : count_on_gpus(c, share, &why);
  if (status == MS_OK)
    return c->graphlet.k > 0 ? MS_OK : count_left(c, err);
  if (engine == MS_CENSUS_GPU || is_stop(status))
    return ms_fail(err, status, "%s", why.message);
  c->uses_gpus = false;
  note_engine(c, "cpu", "the GPU did not count: ");
  size_t length = strlen(c->result->run.engine_reason);
  snprintf(c->result->run.engine_reason + length, sizeof c->result->run.engine_reason - length,
           "%.400s", why.message);
  return search_on_cpu(c, share, err);
}
