/* The census of a whole graph: the search of all roots on several threads, then the motifs. */
#include "census/census.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/colors.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LOCAL_BITS 15u          /* of a thread's tally: it lies in the L2 cache */
#define ALWAYS_DENSE (1u << 24) /* rows of so many cells are dense even for few sets */

ms_census_form ms_census_forced_form = MS_CENSUS_AUTO;

/* Roots that one thread searches at a time, or candidates of one root. */
typedef struct item {
  uint32_t root, roots, begin, end;
} item;

typedef struct census {
  const ms_census_options *options;
  ms_census_graph *graph;
  uint32_t k;
  int threads;
  ms_budget budget;
  ms_watch watch;
  item *item; /* [items] */
  uint64_t items, item_room;
  bool is_dense, dense_open;
  ms_dense dense;
  uint64_t dense_bytes;
  ms_shared_tally shared;
  bool shared_open;
  ms_census_bits *bits;      /* NULL: all neighbours are looked at */
  ms_census_search *search;  /* [threads] */
  atomic_uint_fast64_t done; /* roots */
  atomic_bool full;
  const ms_census_accelerator *gpus;
  void *on_gpus; /* NULL: the CPU counts all */
  uint64_t gpu_visits;
  ms_census_result *result;
} census;

/* ---- items -------------------------------------------------------------------------- */

static ms_status add_item(census *c, item next, ms_error *err)
{
  if (c->items == c->item_room) {
    uint64_t room = 2 * c->item_room + 1024;
    item *larger = ms_resize(c->item, c->item_room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the work of a census");
    c->item = larger;
    c->item_room = room;
  }
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

/* ---- tables ------------------------------------------------------------------------- */

/* Decides the form of the tables and the number of threads that have room for them. */
static void choose_form(census *c)
{
  uint64_t of_thread, shared = ms_dense_bytes(c->graph->kinds, c->k, &of_thread);
  uint64_t search = ms_census_search_bytes(c->graph);
  uint64_t left = ms_budget_left(&c->budget) + c->dense_bytes;
  uint64_t cells = of_thread / sizeof(uint32_t);
  bool fits = shared < left && of_thread < left - shared && search < left - shared - of_thread;
  bool is_worth = cells <= ALWAYS_DENSE || (double)cells <= ms_census_estimate_sets(c->graph, c->k);
  c->is_dense = fits && (is_worth || ms_census_forced_form == MS_CENSUS_DENSE) &&
                ms_census_forced_form != MS_CENSUS_SPARSE;
  if (c->is_dense) {
    uint64_t most = (left - shared) / (of_thread + search + 1);
    c->threads = (uint64_t)c->threads < most ? c->threads : (int)most;
  }
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
    return s->row ? MS_OK : ms_fail_memory(err, "the tables of a census");
  }
  s->shared = &c->shared;
  return ms_tally_open(&s->local, LOCAL_BITS, &c->budget) ? MS_OK
                                                          : ms_census_fail_memory(c->graph, err);
}

static ms_status open_tables(census *c, ms_error *err)
{
  choose_form(c);
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
  }
  if (c->k > 2)
    MS_TRY(ms_census_bits_new(c->graph, &c->budget, &c->bits, err));
  for (int t = 0; t < c->threads; t++)
    MS_TRY(open_search(c, &c->search[t], err));
  return MS_OK;
}

static void close_census(census *c)
{
  for (int t = 0; c->search && t < c->threads; t++) {
    ms_free(c->search[t].row);
    ms_census_search_close(&c->search[t], &c->budget);
  }
  ms_free(c->search);
  ms_census_bits_free(c->bits, &c->budget);
  c->gpus->close(c->on_gpus);
  close_dense(c);
  if (c->shared_open)
    ms_shared_tally_close(&c->shared);
  ms_free(c->item);
  ms_census_graph_free(c->graph);
}

/* ---- search ------------------------------------------------------------------------- */

static void search_items(void *user, ms_range r)
{
  census *c = user;
  ms_census_search *s = &c->search[r.thread];
  ms_census_root_fn *search_root = c->is_dense ? ms_census_root_dense : ms_census_root_sparse;
  for (uint64_t i = r.begin; i < r.end && !s->ended; i++) {
    const item *it = &c->item[i];
    for (uint32_t root = it->root; root < it->root + it->roots && !s->ended; root++) {
      s->floor = root + 1;
      search_root(s, root, it->begin, it->end);
    }
    uint64_t done = atomic_fetch_add(&c->done, 1) + 1;
    if (r.thread == 0 && c->options->progress && done < c->items)
      c->options->progress(c->options->progress_user, "parts of the census", done, c->items);
  }
  if (s->full)
    atomic_store(&c->full, true);
}

/* Takes what each thread holds into the tables of all. */
static ms_status gather(census *c, ms_error *err)
{
  for (int t = 0; t < c->threads; t++) {
    ms_census_search *s = &c->search[t];
    if (c->is_dense)
      ms_dense_take(s);
    else if (!s->full && !ms_shared_tally_take(&c->shared, &s->local))
      atomic_store(&c->full, true);
  }
  bool overflow = c->is_dense && c->dense.overflow;
  for (int i = 0; !c->is_dense && i < MS_TALLY_SHARDS; i++)
    overflow |= c->shared.shard[i].tally.overflow;
  if (atomic_load(&c->full))
    return ms_census_fail_memory(c->graph, err);
  return overflow ? ms_census_fail_overflow(err) : MS_OK;
}

/* Counts on processors the sets of the roots `some` [roots], or of all if it is NULL. */
static ms_status search_roots(census *c, const uint32_t *some, uint64_t roots, ms_error *err)
{
  MS_TRY(make_items(c, some, roots, err));
  if ((uint64_t)c->threads > c->items)
    c->threads = c->items > 0 ? (int)c->items : 1;
  MS_TRY(open_tables(c, err));
  ms_watch_begin(&c->watch);
  ms_parallel(c->threads, c->items, 1, search_items, c);
  MS_TRY(ms_watch_report(&c->watch, "sets are counted", err));
  return gather(c, err);
}

/* ---- GPUs ---------------------------------------------------------------------------- */

#define SETS_A_SECOND 1e8 /* that a thread counts */

static void note_engine(census *c, const char *engine, const char *reason)
{
  c->result->engine = engine;
  snprintf(c->result->engine_reason, sizeof c->result->engine_reason, "%s", reason);
}

static ms_status open_gpus(census *c, ms_error *err)
{
  const ms_census_options *o = c->options;
  const ms_census_on on = {.graph = c->graph,
                           .k = c->k,
                           .dense = &c->dense,
                           .device = o->devices,
                           .devices = o->n_devices,
                           .sets = ms_census_estimate_sets(c->graph, c->k),
                           .threads = c->threads,
                           .memory = o->memory,
                           .stop = ms_stop_current(),
                           .progress = o->progress,
                           .progress_user = o->progress_user};
  return c->gpus->open(&on, &c->on_gpus, err);
}

/* Counts on GPUs into the totals, with a number for each cell in between. */
static ms_status count_cells(census *c, ms_error *err)
{
  uint64_t cells = c->dense.rows * c->graph->kinds, *cell;
  if (!ms_budget_reserve(&c->budget, 2 * cells * sizeof *cell)) /* one is of the devices */
    return ms_census_fail_memory(c->graph, err);
  cell = ms_calloc(cells, sizeof *cell);
  ms_status status = cell ? c->gpus->count(c->on_gpus, NULL, cell, err)
                          : ms_fail_memory(err, "the tables of a census");
  if (status == MS_OK)
    ms_dense_add_cells(&c->dense, c->graph->kinds, c->k, cell);
  ms_free(cell);
  ms_budget_release(&c->budget, 2 * cells * sizeof *cell);
  return status;
}

/* Counts on GPUs the sets of all roots but those that are left.  After a failure, nothing is
 * counted. */
static ms_status count_on_gpus(census *c, ms_error *err)
{
  uint64_t of_thread;
  if (ms_dense_bytes(c->graph->kinds, c->k, &of_thread) == UINT64_MAX ||
      ms_census_forced_form == MS_CENSUS_SPARSE)
    return ms_fail(err, MS_ERR_USAGE,
                   "there are too many motifs for tables with a place for each, which GPUs fill; "
                   "use the CPU, or choose fewer colours by `only`");
  ms_status status = open_dense(c, err);
  if (status == MS_OK)
    status = open_gpus(c, err);
  if (status == MS_OK)
    status = count_cells(c, err);
  if (status != MS_OK)
    close_dense(c);
  return status;
}

/* Counts what GPUs leave, and notes what they did. */
static ms_status count_left(census *c, ms_error *err)
{
  uint64_t lefts;
  const uint32_t *left = c->gpus->left(c->on_gpus, &lefts);
  c->result->cpu_roots = lefts;
  c->result->gpu_bytes = c->gpus->bytes(c->on_gpus);
  c->gpu_visits = c->gpus->visits(c->on_gpus);
  c->is_dense = true;
  if (lefts > 0)
    MS_TRY(search_roots(c, left, lefts, err));
  return c->dense.overflow ? ms_census_fail_overflow(err) : MS_OK;
}

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

static ms_status search(census *c, ms_error *err)
{
  ms_census_engine engine;
  ms_error why = {0};
  MS_TRY(ms_census_find_engine(c->options->engine, &engine, err));
  double seconds = ms_census_estimate_sets(c->graph, c->k) / SETS_A_SECOND / c->threads;
  const char *reason = engine == MS_CENSUS_CPU   ? "as asked for"
                       : engine == MS_CENSUS_ANY ? ms_census_prefer_cpu(c->gpus, c->k, seconds)
                                                 : NULL;
  if (!reason && c->k >= 3 && c->graph->n > 0) {
    ms_status status = count_on_gpus(c, &why);
    if (status == MS_OK) {
      note_engine(c, "gpu", engine == MS_CENSUS_GPU ? "as asked for" : "it is faster");
      return count_left(c, err);
    }
    if (engine == MS_CENSUS_GPU || is_stop(status))
      return ms_fail(err, status, "%s", why.message);
    note_engine(c, "cpu", "the GPU did not count: ");
    size_t length = strlen(c->result->engine_reason);
    snprintf(c->result->engine_reason + length, sizeof c->result->engine_reason - length, "%.400s",
             why.message);
  } else {
    note_engine(c, "cpu", reason ? reason : "GPUs have nothing to search");
  }
  return search_roots(c, NULL, c->graph->n, err);
}

/* ---- motifs -------------------------------------------------------------------------- */

/* Passes on each multiset of kinds that occurs. */
static ms_status expand_dense(census *c, ms_expander *e, ms_census_rows *rows, uint64_t *sets,
                              ms_error *err)
{
  ms_multiset kinds;
  uint64_t number = 0;
  memset(&kinds, 0xff, sizeof kinds);
  memset(&kinds, 0, c->k * sizeof kinds.kind[0]);
  if (c->graph->kinds == 0)
    return MS_OK;
  do {
    uint64_t total = c->dense.total[number++];
    if (number % 4096 == 0)
      MS_TRY(ms_stop_poll("motifs are gathered", err));
    if (total == 0)
      continue;
    if (__builtin_add_overflow(*sets, total, sets))
      return ms_census_fail_overflow(err);
    MS_TRY(ms_expander_add(e, &kinds, total, rows, err));
  } while (ms_multisets_next(&c->dense.numbers, kinds.kind, c->k));
  return MS_OK;
}

static ms_status expand_sparse(census *c, ms_expander *e, ms_census_rows *rows, uint64_t *sets,
                               ms_error *err)
{
  for (int i = 0; i < MS_TALLY_SHARDS; i++) {
    const ms_tally *tally = &c->shared.shard[i].tally;
    for (uint64_t j = 0; j < (uint64_t)1 << tally->bits; j++) {
      const ms_tally_entry *entry = &tally->entry[j];
      if (j % 4096 == 0)
        MS_TRY(ms_stop_poll("motifs are gathered", err));
      if (entry->sets == 0)
        continue;
      if (__builtin_add_overflow(*sets, entry->sets, sets))
        return ms_census_fail_overflow(err);
      MS_TRY(ms_expander_add(e, &entry->key, entry->sets, rows, err));
    }
  }
  return MS_OK;
}

static ms_status make_rows(census *c, ms_census_rows *rows, ms_census_result *result, ms_error *err)
{
  ms_expander e;
  MS_TRY(ms_expander_open(&e, c->graph, c->k, &c->budget, err));
  ms_status status = c->is_dense ? expand_dense(c, &e, rows, &result->sets, err)
                                 : expand_sparse(c, &e, rows, &result->sets, err);
  if (status == MS_OK)
    status = ms_expander_finish(&e, rows, err);
  ms_expander_close(&e);
  if (status == MS_OK && result->sets > INT64_MAX)
    status = ms_census_fail_overflow(err);
  return status;
}

/* Moves the rows to the result. */
static ms_status fill_result(const census *c, const ms_census_rows *rows, ms_census_result *result,
                             ms_error *err)
{
  result->color = ms_alloc(rows->count * c->k, sizeof *result->color);
  result->n_sets = ms_alloc(rows->count, sizeof *result->n_sets);
  if (!result->color || !result->n_sets)
    return ms_fail_memory(err, "the motifs of a census");
  for (uint64_t i = 0; i < rows->count; i++) {
    for (uint32_t j = 0; j < c->k; j++)
      result->color[i * c->k + j] = c->graph->color[rows->row[i].key.kind[j]];
    result->n_sets[i] = rows->row[i].sets;
  }
  result->count = rows->count;
  return MS_OK;
}

static ms_status run(census *c, const ms_graph *graph, const ms_coloring *coloring,
                     ms_census_result *result, ms_error *err)
{
  ms_census_rows rows = {0};
  MS_TRY(ms_census_graph_new_unordered(graph, coloring, c->options, &c->graph, err));
  ms_status status = search(c, err);
  if (status == MS_OK)
    status = make_rows(c, &rows, result, err);
  if (status == MS_OK) {
    result->motifs = rows.count;
    ms_census_rows_sort(&rows, c->options);
    status = fill_result(c, &rows, result, err);
  }
  ms_free(rows.row);
  result->vertices = c->graph->n;
  result->lists = c->graph->kinds;
  result->dense = c->is_dense;
  result->bytes = c->budget.peak;
  for (int t = 0; c->search && t < c->threads; t++)
    result->visits += c->search[t].visits;
  result->visits += c->gpu_visits;
  return status;
}

void ms_census_result_free(ms_census_result *result)
{
  if (result) {
    ms_free(result->color);
    ms_free(result->n_sets);
    ms_free(result);
  }
}

ms_status ms_census_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                       const ms_coloring *coloring, const ms_census_options *options,
                       ms_census_result **out, ms_error *err)
{
  ms_census_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(gpus->check(o.devices, o.n_devices, err));
  ms_census_result *result = ms_calloc(1, sizeof *result);
  if (!result)
    return ms_fail_memory(err, "the result of a census");
  result->k = o.k;
  census c = {
      .options = &o, .k = o.k, .threads = ms_threads(o.threads), .gpus = gpus, .result = result};
  ms_budget_open(&c.budget, o.memory);
  ms_stop *before = ms_stop_enter(o.stop);
  ms_status status = run(&c, graph, coloring, result, err);
  ms_stop_leave(before);
  close_census(&c);
  if (status == MS_ERR_INTERRUPTED || status == MS_ERR_LIMIT) {
    result->stopped = status;
    result->sets = result->motifs = result->count = 0;
    status = MS_OK;
  }
  if (status == MS_OK)
    *out = result;
  else
    ms_census_result_free(result);
  return status;
}
