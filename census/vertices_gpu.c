#include "census/vertices.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <string.h>

#define FIRST_WINDOW 1024u
#define MOST_ENTRIES ((uint64_t)1 << 25)
#define LEAST_ENTRIES ((uint64_t)1 << 17)

/* ---- motifs ------------------------------------------------------------------------------ */

/* Moves kind[size] to the next multiset in the order of ms_multiset_compare; false after the last
 * one. */
static bool next_ascending(ms_kind_id *kind, uint32_t size, uint32_t kinds)
{
  for (uint32_t i = size; i-- > 0;)
    if (kind[i] + 1u < kinds) {
      ms_kind_id larger = (ms_kind_id)(kind[i] + 1);
      for (; i < size; i++)
        kind[i] = larger;
      return true;
    }
  return false;
}

/* Returns the number of a multiset of k kinds in the combinatorial number system. */
static uint64_t number_of(const ms_vertex_gpus *v, const ms_kind_id *kind)
{
  const ms_multisets *m = &v->steps.numbers;
  uint64_t number = 0;
  for (uint32_t i = 0; i < v->k; i++)
    number += m->choose[(size_t)(i + 1) * (m->kinds + m->most) + kind[i] + i];
  return number;
}

/* Fills key[] and motif[]; order[motifs] is scratch: of each multiset of k kinds by its number. */
static ms_status number_motifs(ms_vertex_gpus *v, uint32_t *order, ms_error *err)
{
  uint32_t kinds = v->graph->kinds;
  ms_kind_id kind[MS_MAX_CENSUS] = {0}, row[MS_MAX_CENSUS] = {0};
  uint64_t at = 0;
  do {
    memset(&v->key[at], 0xff, sizeof v->key[at]);
    memcpy(v->key[at].kind, kind, v->k * sizeof *kind);
    order[number_of(v, kind)] = (uint32_t)at++;
    if (at % (1 << 16) == 0)
      MS_TRY(ms_stop_poll("motifs are numbered", err));
  } while (next_ascending(kind, v->k, kinds));
  uint32_t *to = v->motif;
  do {
    ms_multisets_add(&v->steps.numbers, row, v->k - 1, v->steps.number);
    for (uint32_t c = 0; c < kinds; c++)
      *to++ = order[v->steps.number[c]];
  } while (ms_multisets_next(&v->steps.numbers, row, v->k - 1));
  return MS_OK;
}

static ms_status reserve(ms_vertex_gpus *v, uint64_t bytes, ms_error *err)
{
  if (!ms_budget_reserve(v->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the tables of motifs that a GPU needs take more memory; raise `memory`, or use "
                   "the CPU");
  v->reserved += bytes;
  return MS_OK;
}

static ms_status make_motifs(ms_vertex_gpus *v, ms_error *err)
{
  uint32_t kinds = v->graph->kinds;
  uint64_t of_thread, rows = ms_multisets_count(kinds, v->k - 1);
  uint64_t bytes = ms_dense_bytes(kinds, v->k, &of_thread);
  v->motifs = ms_multisets_count(kinds, v->k);
  if (bytes == UINT64_MAX || v->motifs > UINT32_MAX - 2 || rows > UINT64_MAX / 8 / kinds)
    return ms_fail(
        err, MS_ERR_USAGE,
        "there are too many motifs for tables with a place for each, which GPUs need; use "
        "the CPU, or choose fewer colours by `only`");
  MS_TRY(reserve(v,
                 bytes - v->motifs * sizeof(uint64_t) + rows * kinds * sizeof *v->motif +
                     v->motifs * (sizeof *v->key + sizeof(uint32_t)),
                 err));
  MS_TRY(ms_dense_open_steps(&v->steps, kinds, v->k, err));
  v->has_steps = true;
  v->motif = ms_alloc(rows * kinds, sizeof *v->motif);
  v->key = ms_alloc(v->motifs, sizeof *v->key);
  uint32_t *order = ms_alloc(v->motifs, sizeof *order);
  ms_status status = v->motif && v->key && order ? number_motifs(v, order, err)
                                                 : ms_fail_memory(err, "the motifs of a census");
  ms_free(order);
  return status;
}

/* ---- windows ----------------------------------------------------------------------------- */

/* Reserves a part of the budget for entries: an eighth of what is left. */
static ms_status make_room(ms_vertex_gpus *v, ms_error *err)
{
  uint64_t most = ms_budget_left(v->budget) / 8 / sizeof *v->numbers.entry;
  most = most < MOST_ENTRIES ? most : MOST_ENTRIES;
  most = most > LEAST_ENTRIES ? most : LEAST_ENTRIES;
  uint32_t window = v->graph->n < MS_CENSUS_WINDOW ? v->graph->n : MS_CENSUS_WINDOW;
  MS_TRY(reserve(v,
                 most * sizeof *v->numbers.entry +
                     window * (uint64_t)(sizeof *v->numbers.at + sizeof *v->numbers.many),
                 err));
  v->numbers.most = most;
  v->numbers.at = ms_alloc(window, sizeof *v->numbers.at);
  v->numbers.many = ms_alloc(window, sizeof *v->numbers.many);
  v->next = window < FIRST_WINDOW ? window : FIRST_WINDOW;
  return v->numbers.at && v->numbers.many ? MS_OK
                                          : ms_fail_memory(err, "the numbers of sets of vertices");
}

static ms_status open_all(ms_vertex_gpus *v, const ms_census_options *o, double sets, ms_error *err)
{
  MS_TRY(make_motifs(v, err));
  MS_TRY(make_room(v, err));
  const ms_census_on on = {.graph = v->graph,
                           .k = v->k,
                           .dense = &v->steps,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .sets = sets,
                           .threads = o->run.threads,
                           .memory = o->run.memory,
                           .stop = ms_stop_current(),
                           .motif = v->motif,
                           .motifs = v->motifs};
  return v->gpus->open(&on, &v->context, err);
}

ms_status ms_vertex_gpus_open(ms_vertex_gpus *v, const ms_census_accelerator *gpus,
                              const ms_census_graph *graph, const ms_census_options *options,
                              double sets, ms_budget *budget, ms_error *err)
{
  *v = (ms_vertex_gpus){.gpus = gpus, .graph = graph, .k = options->k, .budget = budget};
  ms_status status = open_all(v, options, sets, err);
  if (status != MS_OK)
    ms_vertex_gpus_close(v);
  return status;
}

void ms_vertex_gpus_close(ms_vertex_gpus *v)
{
  if (!v->gpus)
    return;
  v->gpus->close(v->context);
  if (v->has_steps)
    ms_dense_close(&v->steps);
  ms_free(v->motif);
  ms_free(v->key);
  ms_free(v->numbers.at);
  ms_free(v->numbers.many);
  ms_free(v->numbers.entry);
  ms_budget_release(v->budget, v->reserved);
  *v = (ms_vertex_gpus){0};
}

/* True if there was no room for the entries of some vertex of first .. end - 1. */
static bool is_late(const ms_vertex_gpus *v, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++)
    if (v->numbers.many[i - v->begin] == MS_CENSUS_LATER)
      return true;
  return false;
}

/* Chooses the next window so that its entries fill half of the room, here and on the devices. */
static void choose_window(ms_vertex_gpus *v)
{
  uint32_t done = 0, late = 0;
  for (uint32_t i = 0; i < v->end - v->begin; i++) {
    late += v->numbers.many[i] == MS_CENSUS_LATER;
    done += v->numbers.many[i] < MS_CENSUS_LATER;
  }
  double next = v->numbers.entries > 0
                    ? (double)v->numbers.most / 2 / (double)v->numbers.entries * done
                    : MS_CENSUS_WINDOW;
  next = late > 0 ? done / 2 : next;
  uint64_t most = 16 * (uint64_t)v->next; /* the first vertices may be unlike the others */
  most = most < MS_CENSUS_WINDOW ? most : MS_CENSUS_WINDOW;
  v->next = next < 1 ? 1 : next < (double)most ? (uint32_t)next : (uint32_t)most;
}

ms_status ms_vertex_gpus_need(ms_vertex_gpus *v, const uint32_t *rank, uint32_t n, uint32_t first,
                              uint32_t end, ms_error *err)
{
  bool known = first >= v->begin && end <= v->end;
  if (known && !is_late(v, first, end))
    return MS_OK;
  uint32_t count = v->next > end - first ? v->next : end - first;
  v->begin = v->end = first;
  count = count < n - first ? count : n - first;
  MS_TRY(v->gpus->count_vertices(v->context, rank + first, count, &v->numbers, err));
  v->end = first + count;
  choose_window(v);
  return MS_OK;
}

uint64_t *ms_vertex_gpus_entries(const ms_vertex_gpus *v, uint32_t i, uint32_t *count)
{
  uint32_t many = v->numbers.many[i - v->begin];
  if (many >= MS_CENSUS_LATER)
    return NULL;
  *count = many;
  return many > 0 ? v->numbers.entry + v->numbers.at[i - v->begin] : v->numbers.at;
}
