/* A census by shape on GPUs: when it pays, and how its numbers come into the totals. */
#include "census/shapes/gpu.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "census/shapes/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the choice -------------------------------------------------------------------------- */

/* Estimated sets a second, which no search visits one by one: of a thread of an H200's host, and of
 * the H200 with what the host does for it. */
#define THREAD_PLAIN 7e8
#define THREAD_COLORED 1e7
#define GPU_PLAIN 1e11
#define GPU_COLORED 2e9
/* Seconds that a GPU takes to begin, and to start. */
#define GPU_SECONDS_TO_BEGIN 0.03
#define GPU_SECONDS_TO_START 0.3

bool ms_graphlet_has_formulas(const ms_census_job *c)
{
  bool is_plain = c->graph->colors == 0 && !c->has_units;
  return is_plain && (c->k == 3 || (c->graphlet.width == 1 && c->gpus->count_shapes));
}

double ms_graphlet_seconds(const ms_census_job *c, double sets)
{
  return sets / (c->graph->colors > 0 ? THREAD_COLORED : THREAD_PLAIN) / c->threads;
}

bool ms_graphlet_prefer_gpus(const ms_census_job *c, double sets, const char *why_not,
                             char reason[MS_GRAPHLET_REASON])
{
  double seconds = ms_graphlet_seconds(c, sets);
  double begin = c->gpus->is_started() ? GPU_SECONDS_TO_BEGIN : GPU_SECONDS_TO_START;
  double on_gpu = begin + sets / (c->graph->colors > 0 ? GPU_COLORED : GPU_PLAIN);
  if (c->k == 3 && ms_graphlet_has_formulas(c))
    snprintf(reason, MS_GRAPHLET_REASON, "sets of three vertices, by degrees and triangles");
  else if (why_not)
    snprintf(reason, MS_GRAPHLET_REASON, *why_not ? "by a search: %s" : "by a search", why_not);
  else
    ms_format(reason, MS_GRAPHLET_REASON,
              "by a search: about %.2g s on processors, and %.2g s on a GPU", seconds, on_gpu);
  return !why_not && on_gpu < seconds;
}

bool ms_census_networks_pay(const ms_census_accelerator *gpus, const ms_census_result *observed,
                            uint64_t networks, uint32_t at_a_time, int threads)
{
  bool colored = observed->color != NULL;
  double sets = (double)observed->sets * (double)networks;
  bool formulas = !colored && (observed->k == 3 || (!observed->directed && gpus->count_shapes));
  double on_gpu = GPU_SECONDS_TO_START + (double)networks / at_a_time * GPU_SECONDS_TO_BEGIN +
                  sets / (colored ? GPU_COLORED : GPU_PLAIN);
  return !formulas && on_gpu < sets / (colored ? THREAD_COLORED : THREAD_PLAIN) / threads &&
         gpus->may_have_devices() && gpus->devices() > 0;
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* What GPUs have found by keys. */
typedef struct receiver {
  ms_census_job *job;
  const ms_shape_numbers *numbers;
  ms_census_rows rows;
  uint64_t reserved;           /* bytes of the budget */
  const ms_shape_entry *entry; /* that become rows from first_row on */
  uint64_t first_row;
  atomic_bool damaged;
} receiver;

bool ms_graphlet_unpack(const ms_census_job *c, uint32_t of_kind, uint64_t packed, ms_multiset *key)
{
  uint32_t bits = ms_graphlet_bits(c->graphlet, c->k);
  bool ok = packed >> (bits + c->k * of_kind) == 0;
  memset(key, 0xff, sizeof *key);
  ms_graphlet_set_code(key, (uint32_t)(packed & (((uint64_t)1 << bits) - 1)));
  for (uint32_t i = 0; i < c->k; i++) {
    key->kind[i] = (ms_kind_id)(packed >> (bits + i * of_kind) & (((uint64_t)1 << of_kind) - 1));
    ok = ok && key->kind[i] < c->graph->kinds && (i == 0 || key->kind[i - 1] <= key->kind[i]);
  }
  return ok;
}

static void unpack_entries(void *user, ms_range range)
{
  receiver *r = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    ms_tally_entry *row = &r->rows.row[r->first_row + i];
    row->sets = r->entry[i].sets;
    if (!ms_graphlet_unpack(r->job, ms_shape_kind_bits(r->job->graph->kinds), r->entry[i].key,
                            &row->key))
      atomic_store(&r->damaged, true);
  }
}

static ms_status take(void *user, const ms_shape_entry *entry, uint64_t entries, ms_error *err)
{
  receiver *r = user;
  ms_census_rows *rows = &r->rows;
  uint64_t keys = entries > r->numbers->keys ? entries : r->numbers->keys;
  if (rows->count + entries > rows->room) {
    if (!ms_budget_reserve(&r->job->budget, keys * sizeof *rows->row))
      return ms_graphlet_fail_memory(err);
    r->reserved += keys * sizeof *rows->row;
    ms_tally_entry *larger = ms_resize(rows->row, rows->room, rows->room + keys, sizeof *rows->row);
    if (!larger)
      return ms_fail_memory(err, "the shapes of a census");
    rows->row = larger;
    rows->room += keys;
  }
  r->entry = entry;
  r->first_row = rows->count;
  rows->count += entries;
  ms_parallel(r->job->threads, entries, 4096, unpack_entries, r);
  return atomic_load(&r->damaged)
             ? ms_fail(err, MS_ERR_DEVICE_LOST, "the GPU's numbers of shapes are damaged")
             : MS_OK;
}

static void add_rows(void *user, ms_range range)
{
  receiver *r = user;
  for (uint64_t i = range.begin; i < range.end; i++)
    if (!ms_shared_tally_add(&r->job->shared, &r->rows.row[i].key, r->rows.row[i].sets))
      atomic_store(&r->job->full, true);
}

/* Moves the rows to the job, if each shape has one and no others will come, else to its tally. */
static void move_rows(ms_census_job *c, receiver *r)
{
  if (!c->has_units && r->numbers->tables == 1 && r->rows.count > 0) {
    c->shape_rows = r->rows;
    r->rows = (ms_census_rows){0};
    r->reserved = 0;
    return;
  }
  ms_parallel(c->threads, r->rows.count, 4096, add_rows, r);
}

bool ms_graphlet_take_rows(ms_census_job *c, ms_census_rows *rows, uint64_t *sets)
{
  *rows = c->shape_rows;
  c->shape_rows = (ms_census_rows){0};
  for (uint64_t i = 0; i < rows->count; i++)
    if (__builtin_add_overflow(*sets, rows->row[i].sets, sets) || rows->row[i].sets > INT64_MAX)
      return false;
  return true;
}

static ms_status open_gpus(ms_census_job *c, double sets, ms_error *err)
{
  const ms_census_options *o = c->options;
  if (!c->has_units && c->units.count == 0)
    MS_TRY(ms_census_units_divide(c->graph, c->k, c->threads, &c->units, err));
  const ms_census_on on = {.graph = c->graph,
                           .k = c->k,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .sets = sets,
                           .threads = c->threads,
                           .memory = o->run.memory,
                           .stop = ms_stop_current(),
                           .progress = o->run.progress,
                           .progress_user = o->run.progress_user,
                           .form = c->graphlet,
                           .by_keys = !c->is_dense,
                           .pieces = c->units.count,
                           .integrity = c->integrity};
  return c->on_gpus ? MS_OK : c->gpus->open_shapes(&on, &c->on_gpus, err);
}

/* Moves what the GPUs have found into the totals. */
static ms_status add_numbers(ms_census_job *c, receiver *r, const ms_shape_numbers *numbers,
                             bool *overflow, ms_error *err)
{
  ms_census_result *result = c->result;
  for (uint64_t i = 0; c->is_dense && i < (uint64_t)1 << ms_graphlet_bits(c->graphlet, c->k); i++)
    c->shape_total[i] += numbers->total[i];
  move_rows(c, r);
  c->shape_sets += numbers->sets;
  c->gpu_visits += numbers->visits;
  result->gpu_bytes = numbers->bytes > result->gpu_bytes ? numbers->bytes : result->gpu_bytes;
  return ms_graphlet_tables_check(c, overflow, err);
}

ms_status ms_graphlet_search_on_gpus(ms_census_job *c, const ms_share *share, double sets,
                                     bool *overflow, ms_error *err)
{
  ms_shape_numbers numbers = {.take = take};
  receiver r = {.job = c, .numbers = &numbers};
  numbers.user = &r;
  *overflow = false;
  MS_TRY(open_gpus(c, sets, err));
  if (c->is_dense) {
    numbers.total =
        ms_calloc((size_t)1 << ms_graphlet_bits(c->graphlet, c->k), sizeof *numbers.total);
    if (!numbers.total)
      return ms_fail_memory(err, "the tables of a census");
  }
  ms_status status = c->gpus->count_units_by_shape(c->on_gpus, &c->units, share, &numbers, err);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = add_numbers(c, &r, &numbers, overflow, err);
  c->adding = ms_seconds() - begin;
  ms_free(numbers.total);
  ms_free(r.rows.row);
  ms_budget_release(&c->budget, r.reserved);
  return status;
}
