/* ms_list_nearest: the matches of a motif in the order of their costs.
 *
 * The search goes through the costs, and for each cost c through the sizes s of a set.  A set of s
 * vertices that leaves d slots empty has e = s - k + d further vertices, and so its substitutions
 * cost c - 2 d - (s - k).  With the greatest d that the limits and c allow, the set fills s slots
 * of the motif that has e more slots for any vertex, and whose other slots accept the substitutes
 * that are cheap enough.  Of the sets that do so, those of another least cost are left out: they
 * have been found before, or will be found later.
 *
 * Each set has one size and one least cost.  Hence each set is found once. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/regions.h"
#include "query/motif_variant.h"
#include "run/run.h"
#include "verify/near.h"

#include <inttypes.h>
#include <string.h>

#define PROGRESS_MATCHES 1024u /* that the first thread finds between two reports */

/* The matches of one size and one cost. */
typedef struct part {
  uint32_t size;
  uint32_t missing, extra; /* the greatest numbers of both that this cost allows */
  uint32_t spend;          /* the greatest sum of the costs of substitutions that it allows */
  uint64_t count;
  uint32_t *rows; /* [count][size] sorted; NULL with count_only */
  uint64_t bytes; /* of rows, reserved in the budget */
} part;

typedef struct near_listing {
  ms_run run;
  const ms_query *query;
  const ms_nearest_options *options;
  ms_edit_limits limits;
  int threads;
  uint32_t cost;      /* the cost that is being searched */
  part now;           /* the part that is being searched; its rows are not there yet */
  uint32_t own;       /* bits of the slots of the motif itself */
  bool may_cost_less; /* without substitutions: some sets that the search finds may cost less */
  const ms_instance *region;
  ms_collector *collector;
  atomic_uint_fast64_t found, visits;
  ms_nearest_result *result;
  uint64_t room, vertex_room; /* rows and vertices for which the result has memory */
  uint64_t reserved;
} near_listing;

/* ---- one match ------------------------------------------------------------------ */

/* True if the set fills more slots of the motif than this part asks for. */
static bool costs_less(const near_listing *l, const uint32_t *set)
{
  ms_slot_matching matching = {0};
  for (uint32_t i = 0; i < l->now.size; i++)
    (void)ms_slot_matching_add(&matching, l->region->k, l->region->mask[set[i]] & l->own);
  return (uint32_t)__builtin_popcount(matching.taken) > l->query->motif->k - l->now.missing;
}

/* Checks a match by the code of verify/. */
static bool judge(near_listing *l, const uint32_t *set)
{
  uint32_t row[MS_MAX_K];
  ms_edits edits = {0};
  for (uint32_t i = 0; i < l->now.size; i++)
    row[i] = l->region->vertex[set[i]];
  ms_verdict verdict = ms_verify_near(l->query, &l->limits, row, l->now.size, &edits);
  if (verdict == MS_MATCH_OK && edits.cost == l->cost &&
      (l->limits.substitutes || edits.missing == l->now.missing))
    return true;
  if (!atomic_exchange(&l->run.refused, true))
    (void)ms_fail(&l->run.refusal, MS_ERR_INTERNAL,
                  "a match of cost %u was found that costs %u or %s; this is a bug in motifsieve, "
                  "please report it with the input files",
                  l->cost, edits.cost, ms_verdict_text(verdict));
  return false;
}

/* With substitutions: true if the least cost of the set is another one. */
static bool has_other_cost(const near_listing *l, const uint32_t *set)
{
  uint32_t row[MS_MAX_K];
  ms_edits edits;
  for (uint32_t i = 0; i < l->now.size; i++)
    row[i] = l->region->vertex[set[i]];
  return !ms_edits_find(l->query, &l->limits, row, l->now.size, &edits) || edits.cost != l->cost;
}

/* Receives a match; an ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
{
  near_listing *l = user;
  if (l->limits.substitutes ? has_other_cost(l, set) : l->may_cost_less && costs_less(l, set))
    return true;
  uint64_t before = atomic_fetch_add_explicit(&l->found, 1, memory_order_relaxed);
  if (thread == 0 && before % PROGRESS_MATCHES == 0)
    ms_run_progress(&l->run, before + 1);
  return judge(l, set) && ms_collector_match(l->collector, thread, set);
}

/* ---- one part ------------------------------------------------------------------- */

static ms_status search_region(near_listing *l, const ms_instance *region, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  const ms_match_sink sink = {.match = on_match, .user = l, .visits = &l->visits};
  void *context = NULL;
  l->region = region;
  ms_collector_map(l->collector, region->vertex);
  MS_TRY(engine->open(region, l->threads, &context, err));
  ms_status status =
      engine->run(context, 0, engine->units(context), &sink, l->run.limits.stop, err);
  engine->close(context);
  MS_TRY(ms_run_refusal(&l->run, err));
  return status == MS_OK ? ms_collector_status(l->collector, err) : status;
}

/* Adds to the masks the slots that substitutes may fill at no more than the part allows. */
static void widen(const near_listing *l, ms_instance *instance)
{
  const ms_motif *motif = l->query->motif;
  uint32_t slots[MS_MAX_K], first = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    slots[c] = (uint32_t)((((uint64_t)1 << motif->class_[c].count) - 1) << first);
    first += motif->class_[c].count;
  }
  for (uint32_t v = 0; v < instance->n; v++)
    for (uint32_t c = 0; c < motif->n_classes; c++)
      if (!(instance->mask[v] & slots[c]) &&
          ms_edit_cost_of_slot(l->query, c, l->limits.substitutes, v) <= l->now.spend)
        instance->mask[v] |= slots[c];
}

/* Makes the regions in which the matches of a part lie. */
static ms_status find_regions(near_listing *l, ms_regions **out, ms_error *err)
{
  const ms_motif *motif = l->query->motif;
  uint32_t count[MS_MAX_K];
  ms_motif *variant;
  ms_query query = *l->query;
  ms_instance *instance = NULL;
  for (uint32_t c = 0; c < motif->n_classes; c++)
    count[c] = motif->class_[c].count;
  MS_TRY(ms_motif_variant_new(motif, count, l->now.extra, &variant, err));
  query.motif = variant;
  ms_status status = ms_instance_new_loose(&query, l->threads, &instance, err);
  ms_motif_variant_free(variant);
  if (status == MS_OK) {
    instance->size = l->now.size;
    if (l->limits.substitutes && l->now.spend > 0)
      widen(l, instance);
    status = ms_regions_find(instance, NULL, l->threads, out, err);
  }
  ms_instance_free(instance);
  return status;
}

/* Takes what a part has found. */
static ms_status take_part(near_listing *l, part *found, ms_error *err)
{
  mpz_t count;
  ms_status unsorted;
  mpz_init(count);
  *found = l->now;
  ms_status status =
      ms_collector_finish(l->collector, &found->count, &found->rows, count, &unsorted, err);
  mpz_add(l->run.count, l->run.count, count);
  mpz_clear(count);
  if (status == MS_OK && unsorted != MS_OK) { /* a stop while rows were sorted: none of them */
    l->run.stopped = unsorted;
    mpz_sub_ui(l->run.count, l->run.count, (unsigned long)found->count);
    ms_free(found->rows);
    found->rows = NULL;
    found->count = 0;
  }
  return status;
}

/* Searches a part.  After a stop *found holds the matches up to it. */
static ms_status search_part(near_listing *l, uint64_t left, part *found, ms_error *err)
{
  ms_regions *regions = NULL;
  uint32_t k = l->query->motif->k;
  bool count_only = l->options->count_only;
  l->own = k == 32 ? UINT32_MAX : ((uint32_t)1 << k) - 1;
  l->may_cost_less = l->now.missing > 0 && l->now.extra > 0;
  ms_status status = find_regions(l, &regions, err);
  if (status == MS_OK)
    status = ms_collector_new(l->now.size, l->threads, count_only, left, l->run.budget,
                              &l->collector, err);
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++)
    status = search_region(l, regions->region[r], err);
  bool full = status == MS_ERR_MEMORY && l->collector && ms_collector_is_full(l->collector);
  status = ms_run_settle(&l->run, full ? MS_OK : status);
  if (status == MS_OK && l->collector)
    status = take_part(l, found, err);
  if (full && status == MS_OK)
    l->run.stopped = MS_ERR_MEMORY;
  ms_collector_free(l->collector); /* it had reserved twice the bytes that are reserved now */
  l->collector = NULL;
  uint64_t bytes = found->rows ? found->count * found->size * sizeof *found->rows : 0;
  if (ms_budget_reserve(l->run.budget, bytes))
    found->bytes = bytes;
  ms_regions_free(regions);
  return status;
}

/* ---- all matches of a cost -------------------------------------------------------- */

/* Makes room for further rows.  Without memory for them it returns false, and nothing is
 * reserved. */
static bool make_room(near_listing *l, uint64_t rows, uint64_t vertices)
{
  ms_nearest_result *r = l->result;
  uint64_t used = r->matches, filled = r->begin ? r->begin[used] : 0;
  uint64_t room = used + rows + 1, vertex_room = filled + vertices;
  room = room > l->room ? room + room / 2 : l->room;
  vertex_room = vertex_room > l->vertex_room ? vertex_room + vertex_room / 2 : l->vertex_room;
  uint64_t width = sizeof *r->begin + sizeof *r->missing + sizeof *r->extra + sizeof *r->cost;
  uint64_t bytes = (room - l->room) * width + (vertex_room - l->vertex_room) * sizeof *r->vertex;
  if (!ms_budget_reserve(l->run.budget, bytes))
    return false;
  bool done = (room == l->room || (ms_enlarge(&r->begin, l->room, room, sizeof *r->begin) &&
                                   ms_enlarge(&r->missing, l->room, room, sizeof *r->missing) &&
                                   ms_enlarge(&r->extra, l->room, room, sizeof *r->extra) &&
                                   ms_enlarge(&r->cost, l->room, room, sizeof *r->cost))) &&
              (vertex_room == l->vertex_room ||
               ms_enlarge(&r->vertex, l->vertex_room, vertex_room, sizeof *r->vertex));
  if (!done) {
    ms_budget_release(l->run.budget, bytes);
    return false;
  }
  if (l->room == 0)
    r->begin[0] = 0;
  l->reserved += bytes;
  l->room = room;
  l->vertex_room = vertex_room;
  return true;
}

/* Compares two rows of different lengths; a row comes before those that continue it. */
static int compare_rows(const uint32_t *a, uint32_t a_size, const uint32_t *b, uint32_t b_size)
{
  for (uint32_t i = 0; i < a_size && i < b_size; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return a_size < b_size ? -1 : a_size > b_size;
}

static void append(near_listing *l, const part *p, const uint32_t *row)
{
  ms_nearest_result *r = l->result;
  uint64_t at = r->matches++, begin = r->begin[at];
  ms_edits edits = {p->missing, p->extra, l->cost};
  if (l->limits.substitutes)
    (void)ms_edits_find(l->query, &l->limits, row, p->size, &edits); /* as in has_other_cost */
  memcpy(r->vertex + begin, row, p->size * sizeof *row);
  r->begin[at + 1] = begin + p->size;
  r->missing[at] = (uint8_t)edits.missing;
  r->extra[at] = (uint8_t)edits.extra;
  r->cost[at] = l->cost;
}

/* Merges the sorted parts of one cost into the result, or the first of their rows if there is no
 * memory for more. */
static void merge(near_listing *l, const part *parts, uint32_t count)
{
  uint64_t rows = 0, vertices = 0, at[MS_MAX_K] = {0};
  for (uint32_t p = 0; p < count; p++) {
    rows += parts[p].count;
    vertices += parts[p].count * parts[p].size;
  }
  bool all = make_room(l, rows, vertices);
  while (!all && rows > 0) { /* as many of the first ones as there is room for */
    rows /= 2;
    vertices = rows * (l->query->motif->k + l->options->max_extra);
    if (rows > 0 && make_room(l, rows, vertices))
      break;
  }
  if (!all) {
    mpz_set_ui(l->run.count, (unsigned long)(l->result->matches + rows));
    l->run.stopped = MS_ERR_MEMORY;
  }
  for (; rows > 0; rows--) {
    uint32_t first = count;
    for (uint32_t p = 0; p < count; p++)
      if (at[p] < parts[p].count &&
          (first == count ||
           compare_rows(parts[p].rows + at[p] * parts[p].size, parts[p].size,
                        parts[first].rows + at[first] * parts[first].size, parts[first].size) < 0))
        first = p;
    append(l, &parts[first], parts[first].rows + at[first] * parts[first].size);
    at[first]++;
  }
}

/* Describes the sets of `size` vertices that have the cost.  Returns false if there cannot be any.
 */
static bool plan_part(const near_listing *l, uint32_t size, part *out)
{
  int64_t more = (int64_t)size - l->query->motif->k;
  bool possible = false;
  *out = (part){.size = size};
  for (uint32_t missing = 0; missing <= l->options->max_missing; missing++) {
    int64_t extra = missing + more, spend = (int64_t)l->cost - missing - extra;
    if (extra < 0 || extra > l->options->max_extra || spend < 0 || spend > l->options->max_cost)
      continue;
    out->missing = missing;
    out->extra = (uint32_t)extra;
    out->spend = possible ? out->spend : (uint32_t)spend; /* the first is the greatest */
    possible = true;
  }
  return possible;
}

/* Searches all parts of the cost. */
static ms_status search_cost(near_listing *l, ms_error *err)
{
  part parts[MS_MAX_K];
  uint32_t count = 0, k = l->query->motif->k, first = k - l->options->max_missing;
  uint64_t limit = l->options->limit, had = mpz_get_ui(l->run.count);
  ms_status status = MS_OK;
  memset(parts, 0, sizeof parts);
  for (uint32_t size = first; size <= k + l->options->max_extra && status == MS_OK; size++) {
    if (l->run.stopped != MS_OK || !plan_part(l, size, &l->now))
      continue;
    uint64_t found = mpz_get_ui(l->run.count);
    status = search_part(l, limit > 0 ? limit - found : 0, &parts[count++], err);
  }
  if (status == MS_OK && !l->options->count_only && mpz_cmp_ui(l->run.count, had) > 0)
    merge(l, parts, count);
  for (uint32_t p = 0; p < count; p++) {
    ms_budget_release(l->run.budget, parts[p].bytes);
    ms_free(parts[p].rows);
  }
  return status;
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  near_listing *l = (near_listing *)run;
  return l->options->count_only || make_room(l, 0, 0) ? MS_OK : ms_fail_memory(err, "the matches");
}

static ms_status search(ms_run *run, ms_error *err)
{
  near_listing *l = (near_listing *)run;
  const ms_nearest_options *o = l->options;
  uint32_t most = o->max_missing + o->max_extra + o->max_cost;
  ms_status status = MS_OK;
  for (l->cost = 0; l->cost <= most && status == MS_OK && l->run.stopped == MS_OK; l->cost++) {
    status = search_cost(l, err);
    if (o->nearest_only && mpz_sgn(l->run.count) > 0)
      break;
  }
  if (status == MS_OK && run->stopped == MS_ERR_MEMORY && mpz_sgn(run->count) == 0)
    return ms_run_out_of_memory(run, err); /* fails, as run->matches is 0 */
  return status;
}

/* ---- entry points ------------------------------------------------------------------ */

static ms_status check_options(const ms_query *query, const ms_nearest_options *o, ms_error *err)
{
  MS_TRY(ms_check_distance(query, o->max_missing, o->max_extra, err));
  return ms_substitutes_check(o->substitutes, o->max_cost, query->coloring, err);
}

static ms_status finish(ms_run *run, ms_error *err)
{
  near_listing *l = (near_listing *)run;
  ms_nearest_result *r = l->result;
  r->n = l->query->graph->n;
  r->k = l->query->motif->k;
  r->matches = ms_number_cut(run->count);
  r->run.stopped = run->stopped;
  r->run.work.visits = atomic_load(&l->visits);
  return ms_number_text(run->count, &r->count_text, err);
}

static ms_status list_nearest(const ms_query *query, const ms_nearest_options *o, ms_budget *budget,
                              ms_nearest_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  near_listing l = {
      .run = {.kind = &kind, .budget = budget, .limits = o->run, .names = query->graph->names},
      .query = query,
      .options = o,
      .limits = {.max_missing = o->max_missing,
                 .max_extra = o->max_extra,
                 .max_cost = o->max_cost,
                 .substitutes = o->substitutes},
      .threads = ms_threads(o->run.threads)};
  l.result = ms_calloc(1, sizeof *l.result);
  if (!l.result)
    return ms_fail_memory(err, "the result");
  atomic_init(&l.found, 0);
  atomic_init(&l.visits, 0);
  ms_status status = ms_run_query(&l.run, err);
  ms_budget_release(budget, l.reserved);
  l.result->time_list = l.run.time_search;
  if (status == MS_OK)
    *out = l.result;
  else
    ms_nearest_result_free(l.result);
  return status;
}

ms_status ms_list_nearest(const ms_query *query, const ms_nearest_options *options,
                          ms_nearest_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_nearest_options o;
  MS_TRY(ms_options_take(&ms_nearest_options_kind, options, &o, err));
  MS_TRY(check_options(query, &o, err));
  ms_budget budget;
  ms_budget_open(&budget, o.run.memory);
  return list_nearest(query, &o, &budget, out, err);
}

bool ms_nearest_slots(const ms_query *query, const ms_nearest_options *options, const uint32_t *set,
                      uint32_t size, uint32_t *slot)
{
  ms_nearest_options o;
  ms_edits edits;
  if (!query || !set || !slot || size > MS_MAX_K ||
      ms_options_take(&ms_nearest_options_kind, options, &o, NULL) != MS_OK)
    return false;
  for (uint32_t i = 0; i < size; i++)
    if (set[i] >= query->graph->n)
      return false;
  const ms_edit_limits limits = {o.max_missing, o.max_extra, o.max_cost, o.substitutes};
  return ms_edits_assign(query, &limits, set, size, slot, &edits);
}

void ms_nearest_result_free(ms_nearest_result *result)
{
  if (!result)
    return;
  ms_free(result->begin);
  ms_free(result->vertex);
  ms_free(result->missing);
  ms_free(result->extra);
  ms_free(result->cost);
  ms_free(result->count_text);
  ms_free(result);
}
