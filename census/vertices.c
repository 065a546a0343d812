/* The census of each vertex: the search begins there, and all other vertices may join.  GPUs count
 * many vertices at a time (vertices.h); the CPU counts those that they leave, and puts the motifs
 * of each in order. */
#include "census/vertices.h"

#include "base/alloc.h"
#include "base/forecast.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "census/entries.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/sort_ids.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LOCAL_BITS 10u
#define BATCH 1024u       /* vertices that are searched before their rows are passed on */
#define BATCH_GROWTH 4.0  /* of a batch, at most, where it should take some time */
#define BATCH_SECONDS 0.5 /* of a batch whose vertices may have many more rows than sets */
#define LATE_SECONDS 0.5  /* for which rows are passed on after a stop */
#define SETS_A_SECOND 1e7 /* that a thread counts, with the vertex that they hold */
#define SHORT 32u         /* so many entries are sorted by insertion */
#define ROW_SECONDS 3e-7  /* in which a row is written */

/* The rows of a vertex of a batch. */
typedef struct found {
  bool done, by_cpu, is_part;
  ms_census_rows rows;
  uint64_t sets;
  uint64_t reserved; /* bytes of the rows */
} found;

typedef struct census {
  const ms_census_options *options;
  ms_census_graph *graph;
  int threads;
  ms_budget budget;
  ms_watch watch;
  ms_census_search *search; /* [threads] */
  ms_expander *expander;    /* [threads] */
  const ms_census_accelerator *gpus;
  ms_vertex_gpus on_gpus;
  bool uses_gpus;
  struct spare {
    uint64_t *key; /* [room] */
    uint64_t room;
  } * spare;      /* [threads] for sorting */
  bool has_units; /* the entries belong to a share */
  const ms_share *share;
  ms_census_entries entries;
  uint32_t first;   /* the vertex, of them, that is first in the batch */
  uint32_t batch;   /* vertices of a batch, at most */
  found *found;     /* [BATCH] */
  uint32_t *color;  /* [room][k] of the rows that are passed on */
  uint64_t *n_sets; /* [room] */
  uint64_t room;
  ms_census_fn receive; /* NULL: the receiver is used */
  void *user;           /* of receive */
  const ms_census_receiver *receiver;
  ms_census_summary summary;
  atomic_int failed; /* the status of the first failure in a batch */
  ms_error error;    /* of it */
} census;

/* ---- one vertex ---------------------------------------------------------------------- */

/* Ends the rows of a vertex, and leaves out those that the options do not want.  A part of a vertex
 * keeps all of them. */
static ms_status finish_rows(census *c, ms_expander *e, found *f, ms_error *err)
{
  if (f->sets > INT64_MAX)
    return ms_census_fail_overflow(err);
  MS_TRY(ms_expander_finish(e, &f->rows, err));
  f->reserved = f->rows.room * sizeof *f->rows.row;
  if (!ms_budget_reserve(&c->budget, f->reserved)) {
    f->reserved = 0;
    return ms_census_fail_memory(c->graph, err);
  }
  if (f->is_part)
    ms_census_rows_order(&f->rows);
  else
    ms_census_rows_sort(&f->rows, c->options);
  return MS_OK;
}

/* Reads what the search of a vertex has counted. */
static ms_status read_tally(census *c, ms_census_search *s, ms_expander *e, found *f, ms_error *err)
{
  for (uint64_t i = 0; i < (uint64_t)1 << s->local.bits; i++) {
    const ms_tally_entry *entry = &s->local.entry[i];
    if (entry->sets == 0)
      continue;
    if (__builtin_add_overflow(f->sets, entry->sets, &f->sets))
      return ms_census_fail_overflow(err);
    MS_TRY(ms_expander_add(e, &entry->key, entry->sets, &f->rows, err));
  }
  return s->local.overflow ? ms_census_fail_overflow(err) : finish_rows(c, e, f, err);
}

static ms_status sort_entries(struct spare *s, uint64_t *entry, uint32_t count, ms_error *err)
{
  if (count <= SHORT) {
    ms_sort_keys_short(entry, count);
    return MS_OK;
  }
  if (count > s->room) {
    ms_free(s->key);
    s->key = ms_alloc(2 * (uint64_t)count, sizeof *s->key);
    s->room = s->key ? 2 * (uint64_t)count : 0;
    if (!s->key)
      return ms_fail_memory(err, "the motifs of a vertex");
  }
  ms_sort_keys_long(entry, count, s->key);
  return MS_OK;
}

/* Reads what GPUs have counted for a vertex.  Where each kind has one colour, the entries are
 * sorted instead of the rows. */
static ms_status read_entries(census *c, int thread, uint64_t *entry, uint32_t count, found *f,
                              ms_error *err)
{
  ms_expander *e = &c->expander[thread];
  const ms_census_options *o = c->options;
  bool single = c->graph->single;
  if (single)
    MS_TRY(sort_entries(&c->spare[thread], entry, count, err));
  for (uint32_t i = 0; i < count; i++) {
    uint64_t sets = UINT32_MAX - (entry[i] >> 32);
    f->sets += sets; /* less than 2^22 numbers of 32 bits */
    if (single && (sets < o->min_count || (o->top > 0 && i >= o->top)))
      continue;
    MS_TRY(ms_expander_add(e, &c->on_gpus.key[(uint32_t)entry[i]], sets, &f->rows, err));
  }
  if (!single)
    return finish_rows(c, e, f, err);
  f->reserved = f->rows.room * sizeof *f->rows.row;
  if (ms_budget_reserve(&c->budget, f->reserved))
    return MS_OK;
  f->reserved = 0;
  return ms_census_fail_memory(c->graph, err);
}

/* Empties the tally, and makes it small again after a vertex with many motifs. */
static ms_status empty_tally(census *c, ms_tally *tally, ms_error *err)
{
  if (tally->bits <= LOCAL_BITS + 2) {
    ms_tally_clear(tally);
    return MS_OK;
  }
  ms_tally_close(tally);
  return ms_tally_open(tally, LOCAL_BITS, &c->budget) ? MS_OK
                                                      : ms_census_fail_memory(c->graph, err);
}

static ms_status search_vertex(census *c, int thread, uint32_t i, ms_error *err)
{
  ms_census_search *s = &c->search[thread];
  found *f = &c->found[i];
  uint32_t count, at = c->first + i;
  const ms_census_unit *part = ms_census_entry_part(&c->entries, at);
  uint64_t *entry = NULL;
  f->is_part = part != NULL;
  if (c->uses_gpus && !part)
    entry =
        ms_vertex_gpus_entries(&c->on_gpus, c->entries.whole ? c->entries.whole[at] : at, &count);
  if (entry) {
    MS_TRY(read_entries(c, thread, entry, count, f, err));
    f->done = !c->expander[thread].ended;
    return MS_OK;
  }
  f->by_cpu = true;
  ms_census_root_sparse(s, ms_census_entry_rank(&c->entries, at), part ? part->begin : 0,
                        part ? part->end : UINT32_MAX);
  if (s->full)
    return ms_census_fail_memory(c->graph, err);
  if (s->ended)
    return MS_OK; /* the watch says why */
  MS_TRY(read_tally(c, s, &c->expander[thread], f, err));
  f->done = !c->expander[thread].ended;
  return empty_tally(c, &s->local, err);
}

static void search_range(void *user, ms_range r)
{
  census *c = user;
  for (uint64_t i = r.begin; i < r.end && atomic_load(&c->failed) == MS_OK; i++) {
    if (ms_watch_check(&c->watch))
      return;
    ms_error error = {0};
    int none = MS_OK;
    ms_status status = search_vertex(c, r.thread, (uint32_t)i, &error);
    if (status != MS_OK && atomic_compare_exchange_strong(&c->failed, &none, (int)status))
      c->error = error;
  }
}

/* ---- batches -------------------------------------------------------------------------- */

static ms_status make_room(census *c, uint64_t count, ms_error *err)
{
  if (count <= c->room)
    return MS_OK;
  ms_free(c->color);
  ms_free(c->n_sets);
  c->room = 0;
  c->color = ms_alloc(2 * count, c->options->k * sizeof *c->color);
  c->n_sets = ms_alloc(2 * count, sizeof *c->n_sets);
  if (!c->color || !c->n_sets)
    return ms_fail_memory(err, "the motifs of a vertex");
  c->room = 2 * count;
  return MS_OK;
}

/* Passes the rows of a vertex on; sets *more to false if no more are wanted. */
static ms_status deliver(census *c, uint32_t i, bool *more, ms_error *err)
{
  const ms_census_rows *rows = &c->found[i].rows;
  uint32_t k = c->options->k;
  MS_TRY(make_room(c, rows->count, err));
  for (uint64_t r = 0; r < rows->count; r++) {
    for (uint32_t j = 0; j < k; j++)
      c->color[r * k + j] = c->graph->color[rows->row[r].key.kind[j]];
    c->n_sets[r] = rows->row[r].sets;
  }
  const ms_census_vertex vertex = {
      .vertex = c->graph->vertex[ms_census_entry_rank(&c->entries, c->first + i)],
      .sets = c->found[i].sets,
      .count = rows->count,
      .color = c->color,
      .n_sets = c->n_sets};
  const ms_census_unit *unit = ms_census_entry_part(&c->entries, c->first + i);
  const ms_census_part part = {.unit = c->entries.number ? c->entries.number[c->first + i] : 0,
                               .entry = c->first + i,
                               .is_cut = c->found[i].is_part,
                               .is_first = !unit || unit->begin == 0,
                               .vertex = &vertex};
  *more =
      c->receive ? c->receive(c->user, &vertex) : c->receiver->receive(c->receiver->user, &part);
  c->summary.vertices++;
  c->summary.cpu_vertices += c->uses_gpus && c->found[i].by_cpu;
  c->summary.rows += rows->count;
  return MS_OK;
}

static void clear_batch(census *c)
{
  for (uint32_t i = 0; c->found && i < BATCH; i++) {
    ms_free(c->found[i].rows.row);
    ms_budget_release(&c->budget, c->found[i].reserved);
    c->found[i] = (found){0};
  }
}

/* Counts the vertices of a batch on GPUs, but those that are cut. */
static ms_status ask_gpus(census *c, uint32_t size, ms_error *err)
{
  uint32_t first = c->first, end = first + size;
  if (!c->entries.number)
    return ms_vertex_gpus_need(&c->on_gpus, c->entries.rank, c->entries.count, first, end, err);
  if (c->entries.whole[first] == c->entries.whole[end])
    return MS_OK;
  return ms_vertex_gpus_need(&c->on_gpus, c->entries.whole_rank, c->entries.whole[c->entries.count],
                             c->entries.whole[first], c->entries.whole[end], err);
}

/* Passes on the vertices that are done.  A stop is reported only if the time after it does not
 * suffice for all of them. */
static ms_status deliver_batch(census *c, uint32_t size, bool *more, ms_error *err)
{
  double limit = INFINITY;
  for (uint32_t i = 0; i < size && *more; i++) {
    if (!c->found[i].done)
      continue;
    if (isinf(limit) && ms_watch_check(&c->watch))
      limit = ms_seconds() + LATE_SECONDS;
    if (ms_seconds() >= limit)
      return ms_watch_report(&c->watch, "sets are counted", err);
    MS_TRY(deliver(c, i, more, err));
  }
  return MS_OK;
}

/* After a stop, the vertices that are done are passed on, too. */
static ms_status run_batch(census *c, uint32_t size, bool *more, ms_error *err)
{
  if (c->uses_gpus)
    MS_TRY(ask_gpus(c, size, err));
  ms_parallel(c->threads, size, 1, search_range, c);
  ms_status status = (ms_status)atomic_load(&c->failed);
  if (status != MS_OK)
    return ms_fail(err, status, "%s", c->error.message);
  status = ms_watch_report(&c->watch, "sets are counted", err);
  MS_TRY(deliver_batch(c, size, more, err));
  return status;
}

/* Returns the seconds that a batch should take, or INFINITY. */
static double batch_seconds(const census *c)
{
  if (c->receiver && c->receiver->seconds > 0)
    return c->receiver->seconds;
  return c->graph->single ? INFINITY : BATCH_SECONDS;
}

/* Chooses the size of the next batch after one that took so many seconds. */
static void pace_batch(census *c, uint32_t size, double seconds)
{
  if (isinf(batch_seconds(c)))
    return;
  double wanted = size * fmin(batch_seconds(c) / fmax(seconds, 1e-6), BATCH_GROWTH);
  c->batch = (uint32_t)fmin(fmax(wanted, c->threads), BATCH);
}

static ms_status run_batches(census *c, ms_error *err)
{
  const ms_census_options *o = c->options;
  bool more = true;
  ms_status status = MS_OK;
  while (status == MS_OK && more && c->first < c->entries.count) {
    uint32_t left = c->entries.count - c->first, size = left < c->batch ? left : c->batch;
    double begin = ms_seconds();
    status = run_batch(c, size, &more, err);
    clear_batch(c);
    pace_batch(c, size, ms_seconds() - begin);
    c->first += size;
    if (left > size)
      ms_limits_report(&o->run, "vertices", c->first, c->entries.count);
  }
  return status;
}

/* ---- entry point ----------------------------------------------------------------------- */

static ms_status open_threads(census *c, ms_error *err)
{
  c->search = ms_calloc((size_t)c->threads, sizeof *c->search);
  c->expander = ms_calloc((size_t)c->threads, sizeof *c->expander);
  c->found = ms_calloc(BATCH, sizeof *c->found);
  c->spare = ms_calloc((size_t)c->threads, sizeof *c->spare);
  if (!c->search || !c->expander || !c->found || !c->spare)
    return ms_fail_memory(err, "the threads of a census");
  for (int t = 0; t < c->threads; t++) {
    ms_census_search *s = &c->search[t];
    MS_TRY(ms_census_search_open(s, c->graph, c->options->k, &c->watch, &c->budget, err));
    MS_TRY(ms_expander_open(&c->expander[t], c->graph, c->options->k, &c->watch, &c->budget, err));
    if (!ms_tally_open(&s->local, LOCAL_BITS, &c->budget))
      return ms_census_fail_memory(c->graph, err);
  }
  return MS_OK;
}

/* Makes the graph, and lists what is counted. */
static ms_status prepare(census *c, const ms_graph *graph, const ms_coloring *coloring,
                         ms_error *err)
{
  if (c->has_units)
    MS_TRY(ms_census_graph_new(graph, coloring, c->options, &c->graph, err));
  else
    MS_TRY(ms_census_graph_new_unordered(graph, coloring, c->options, &c->graph, err));
  MS_TRY(ms_census_entries_open(&c->entries, c->graph, graph->n, err));
  if (!c->has_units)
    return MS_OK;
  return ms_census_units_of_vertices(c->graph, c->options->k, c->entries.rank, c->threads,
                                     &c->entries.units, err);
}

/* ---- GPUs ------------------------------------------------------------------------------ */

static void note_engine(census *c, const char *engine, const char *reason, const char *why)
{
  c->summary.run.engine = engine;
  snprintf(c->summary.run.engine_reason, sizeof c->summary.run.engine_reason, "%s%.400s", reason,
           why);
}

/* Opens GPUs where they should count. */
static ms_status choose_engine(census *c, ms_error *err)
{
  ms_census_engine engine;
  ms_error why = {0};
  uint32_t k = c->options->k;
  MS_TRY(ms_census_find_engine(c->options->run.engine, &engine, err));
  double sets = k * ms_census_estimate_sets(c->graph, k);
  const char *reason = engine == MS_CENSUS_CPU ? "as asked for"
                       : engine == MS_CENSUS_ANY
                           ? ms_census_prefer_cpu(c->gpus, k, sets / SETS_A_SECOND / c->threads)
                           : NULL;
  uint32_t left = c->entries.count - c->first;
  if (reason || k < 3 || left == 0) {
    note_engine(c, "cpu", reason ? reason : "GPUs have nothing to search", "");
    return MS_OK;
  }
  ms_status status =
      ms_vertex_gpus_open(&c->on_gpus, c->gpus, c->graph, c->options, sets, &c->budget, &why);
  /* the first vertices show whether the devices have room, too */
  if (status == MS_OK)
    status = ask_gpus(c, left < c->batch ? left : c->batch, &why);
  bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  c->uses_gpus = status == MS_OK;
  if (status == MS_OK) {
    note_engine(c, "gpu", engine == MS_CENSUS_GPU ? "as asked for" : "it is faster", "");
  } else if (engine == MS_CENSUS_GPU || stopped) {
    return ms_fail(err, status, "%s", why.message);
  } else {
    ms_vertex_gpus_close(&c->on_gpus);
    note_engine(c, "cpu", "the GPU did not count: ", why.message);
  }
  return MS_OK;
}

static void close_census(census *c)
{
  clear_batch(c);
  ms_vertex_gpus_close(&c->on_gpus);
  c->summary.bytes = c->budget.peak;
  for (int t = 0; t < c->threads; t++) {
    if (c->spare)
      ms_free(c->spare[t].key);
    if (c->search)
      ms_census_search_close(&c->search[t], &c->budget);
    if (c->expander)
      ms_expander_close(&c->expander[t]);
  }
  ms_free(c->search);
  ms_free(c->expander);
  ms_free(c->found);
  ms_free(c->spare);
  ms_census_entries_free(&c->entries);
  ms_free(c->color);
  ms_free(c->n_sets);
  ms_census_graph_free(c->graph);
}

/* ---- how long the search takes --------------------------------------------------------- */

typedef struct sample {
  census census;
  uint32_t parts; /* of the last part */
} sample;

static bool drop_rows(void *user, const ms_census_vertex *vertex)
{
  (void)user, (void)vertex;
  return true;
}

/* Counts a part of the units, and forgets its rows; an ms_forecast_part_fn. */
static ms_status sample_part(void *user, uint32_t parts, ms_stop *stop, ms_error *err)
{
  sample *s = user;
  census *c = &s->census;
  const ms_share share = ms_share_of_part(parts / 2 + 1, parts);
  (void)stop; /* it is that of the thread */
  s->parts = parts;
  c->first = 0;
  c->summary.rows = 0;
  MS_TRY(ms_census_entries_of_share(&c->entries, &share, err));
  ms_watch_begin(&c->watch);
  return run_batches(c, err);
}

/* Says how long the search takes, if it is long.  The units do not depend on threads only if the
 * ranks do not; their even work is enough here. */
static void forecast(const census *c)
{
  const ms_census_options *o = c->options;
  ms_census_options options = *o;
  ms_forecast_kind kind = MS_FORECAST_ABOUT;
  ms_error err;
  if (!ms_progress_wants_forecast(&o->run) || c->uses_gpus || c->receiver)
    return;
  options.run.progress = NULL;
  sample s = {.census = {.options = &options,
                         .graph = c->graph,
                         .threads = c->threads,
                         .batch = c->batch,
                         .receive = drop_rows}};
  census *own = &s.census;
  ms_budget_open(&own->budget, ms_budget_left(&c->budget));
  atomic_init(&own->failed, MS_OK);
  own->entries.rank = c->entries.rank;
  if (open_threads(own, &err) == MS_OK &&
      ms_census_units_of_vertices(own->graph, o->k, own->entries.rank, own->threads,
                                  &own->entries.units, &err) == MS_OK) {
    double seconds =
        ms_forecast_by_parts(own->entries.units.count, sample_part, &s, o->run.stop, &kind);
    if (seconds > 0)
      seconds += ROW_SECONDS * (double)own->summary.rows * s.parts;
    ms_progress_forecast(&o->run, "the search", seconds, kind);
  }
  own->graph = NULL;
  own->entries.rank = NULL;
  close_census(own);
}

/* Finds the first entry, and the size of the first batch. */
static ms_status begin(census *c, ms_error *err)
{
  const ms_census_receiver *r = c->receiver;
  c->batch = isfinite(batch_seconds(c)) && c->threads < (int)BATCH ? (uint32_t)c->threads : BATCH;
  if (r && r->begin)
    MS_TRY(r->begin(r->user, c->entries.count, &c->first, err));
  return MS_OK;
}

static ms_status run(census *c, const ms_graph *graph, const ms_coloring *coloring, ms_error *err)
{
  MS_TRY(prepare(c, graph, coloring, err));
  if (c->has_units)
    MS_TRY(ms_census_entries_of_share(&c->entries, c->share, err));
  if ((uint32_t)c->threads > c->entries.count)
    c->threads = c->entries.count > 0 ? (int)c->entries.count : 1;
  MS_TRY(begin(c, err));
  MS_TRY(open_threads(c, err));
  MS_TRY(choose_engine(c, err));
  forecast(c);
  ms_watch_begin(&c->watch);
  ms_status status = run_batches(c, err);
  if (c->uses_gpus)
    c->summary.gpu_bytes = c->gpus->bytes(c->on_gpus.context);
  return status;
}

/* Completes the options, and opens what a census has. */
static ms_status open_census(census *c, const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *options, ms_census_options *o, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_census_options_kind, options, o, err));
  MS_TRY(ms_census_complete(o, err));
  MS_TRY(ms_census_refuse_shapes(o, "a census of each vertex", err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  c->options = o;
  c->threads = ms_threads(o->run.threads);
  c->summary.run.engine = "cpu";
  ms_budget_open(&c->budget, o->run.memory);
  atomic_init(&c->failed, MS_OK);
  return MS_OK;
}

static ms_status run_census(census *c, const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *options, ms_census_summary *summary,
                            ms_error *err)
{
  ms_census_options o;
  MS_TRY(open_census(c, graph, coloring, options, &o, err));
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = run(c, graph, coloring, err);
  ms_stop_leave(before);
  close_census(c);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c->summary.run.stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK && summary)
    *summary = c->summary;
  return status;
}

ms_status ms_census_vertices_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                                const ms_coloring *coloring, const ms_census_options *options,
                                ms_census_fn receive, void *user, ms_census_summary *summary,
                                ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(receive, err);
  census c = {.gpus = gpus, .receive = receive, .user = user};
  return run_census(&c, graph, coloring, options, summary, err);
}

ms_status ms_census_vertices_share(const ms_census_accelerator *gpus, const ms_graph *graph,
                                   const ms_coloring *coloring, const ms_census_options *options,
                                   const ms_share *share, const ms_census_receiver *receiver,
                                   ms_census_summary *summary, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  census c = {.gpus = gpus, .receiver = receiver, .has_units = share != NULL, .share = share};
  return run_census(&c, graph, coloring, options, summary, err);
}

ms_status ms_census_vertices_units(const ms_graph *graph, const ms_coloring *coloring,
                                   const ms_census_options *options, uint64_t *units, ms_error *err)
{
  ms_census_options o;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  census c = {.has_units = true};
  MS_TRY(open_census(&c, graph, coloring, options, &o, err));
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = prepare(&c, graph, coloring, err);
  ms_stop_leave(before);
  *units = c.entries.units.count;
  close_census(&c);
  return status;
}
