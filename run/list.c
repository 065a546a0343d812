/* ms_list, the matches of a motif:
 *
 *   query -> instance -> sieve: flags -> regions -> engine: matches
 *         -> judge: each match re-checked -> sorted result */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "graph/vertex_scores.h"
#include "motif/best/best.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/holders.h"
#include "motif/regions.h"
#include "motif/sort_rows.h"
#include "motif/take_part.h"
#include "parts/log.h"
#include "run/families.h"
#include "run/listing.h"
#include "run/motif_engine.h"
#include "run/run.h"
#include "run/sample.h"

#include <stdio.h>
#include <string.h>

/* ---- diverse --------------------------------------------------------------------------------- */

/* Matches of a motif that share no vertex. */

typedef struct choosing {
  ms_run *run;
  const ms_instance *region;
} choosing;

/* Keeps a match.  Returns false if it is the last one that is wanted, or none. */
static bool diverse_keep(void *user, const uint32_t *set)
{
  choosing *c = user;
  ms_run *run = c->run;
  uint32_t *row = run->vertices + run->matches * run->width;
  for (uint32_t i = 0; i < run->width; i++) {
    uint32_t v = c->region->vertex[set[i]], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  if (!ms_run_judge(run, row))
    return false;
  ms_run_progress(run, ++run->matches);
  if (run->matches == run->limit)
    run->stopped = MS_ERR_LIMIT;
  return run->stopped == MS_OK;
}

static ms_status choose_all(ms_run *run, const ms_regions *regions, uint64_t *visits, ms_error *err)
{
  choosing c = {.run = run};
  for (uint32_t r = 0; r < regions->count && run->stopped == MS_OK; r++) {
    ms_part_takers out = {.match = diverse_keep, .user = &c};
    c.region = regions->region[r];
    ms_status status = ms_find_disjoint(c.region, run->budget, run->limits.stop, &out, err);
    *visits += out.visits;
    MS_TRY(ms_run_refusal(run, err));
    MS_TRY(status);
  }
  return MS_OK;
}

/* Finds matches of which no two share a vertex, until none can be added or run->limit is reached.
 * run->vertices receives them, sorted, and run->matches and run->count their number; this holds
 * after a stop, too.  *visits: the sets that were visited are added. */
static ms_status diverse_regions(ms_run *run, const ms_regions *regions, uint64_t *visits,
                                 ms_error *err)
{
  size_t row_bytes = run->width * sizeof *run->vertices;
  uint64_t most = regions->vertices / run->width; /* no two rows share a vertex */
  if (most == 0)
    return MS_OK;
  if (!ms_budget_reserve(run->budget, most * row_bytes))
    return ms_fail_memory(err, "matches that share no vertex");
  run->room = most;
  run->vertices = ms_alloc(most, row_bytes);
  if (!run->vertices)
    return ms_fail_memory(err, "matches that share no vertex");
  ms_status status = choose_all(run, regions, visits, err);
  ms_sort_rows(run->vertices, run->matches, run->width, NULL);
  mpz_set_ui(run->count, run->matches);
  return status;
}

/* ---- rows for a receiver -------------------------------------------------------- */

/* Sorts the rows that were held back, checks that no two are the same, and passes them on. */
static ms_status deliver_sorted(ms_listing *l, ms_error *err)
{
  ms_sort_rows(l->held, l->n_held, l->run.width, NULL); /* takes less than half a second */
  MS_TRY(ms_list_check_rows(l, l->held, l->n_held, err));
  l->result->k = l->run.width;
  l->result->matches = l->run.matches;
  l->result->run.stopped = l->run.stopped;
  ms_list_deliver_held(l); /* a receiver that wants no more has its reason */
  return MS_OK;
}

/* ---- candidates ---------------------------------------------------------------- */

/* Sets keep[i] to 1 for each instance vertex i that the sieve flagged, and to 0
 * for the others. */
static ms_status run_sieve(ms_listing *l, ms_error *err)
{
  const ms_instance *in = l->instance;
  MS_TRY(ms_screen_within(l->query, &l->options->screen, l->run.budget, &l->result->screen, err));
  l->run.stopped = l->result->screen->run.stopped;
  l->keep = ms_alloc(in->n, 1);
  if (!l->keep)
    return ms_fail_memory(err, "the flags");
  for (uint32_t i = 0; i < in->n; i++)
    l->keep[i] = l->result->screen->hits[in->vertex[i]] > 0;
  return MS_OK;
}

/* Makes the instance, pruned where a session has the holders of its colours.  If that is stopped,
 * the instance is whole, and the next step finds the stop. */
static ms_status make_instance(ms_listing *l, ms_error *err)
{
  const ms_holders *holders = l->query->holders;
  if (holders) {
    ms_status status = ms_holders_prune(holders, l->query, &l->instance, NULL, err);
    status = ms_run_settle(&l->run, status);
    if (l->run.stopped == MS_OK)
      return status;
    l->run.stopped = MS_OK;
  }
  return ms_instance_new(l->query, l->options->screen.run.threads, &l->instance, err);
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  ms_listing *l = (ms_listing *)run;
  int threads = l->options->screen.run.threads;
  if (l->options->participation) {
    l->result->matches_of = ms_calloc(l->query->graph->n, sizeof *l->result->matches_of);
    if (!l->result->matches_of)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  MS_TRY(ms_judge_motif(l->query, &run->judge, err));
  MS_TRY(ms_set_judge_new(l->query, l->threads, &l->set_judge, err));
  MS_TRY(make_instance(l, err));
  if (!l->options->exact)
    MS_TRY(run_sieve(l, err));
  if (run->stopped != MS_OK)
    return MS_OK;
  MS_TRY(ms_regions_find(l->instance, l->keep, threads, &l->regions, err));
  l->result->regions = l->regions->count;
  l->result->region_vertices = (uint32_t)l->regions->vertices;
  return MS_OK;
}

/* ---- listing --------------------------------------------------------------------- */

/* Lists the matches of a region; `sums`: NULL, or the matches with great sums come first, and those
 * with sums that are too low may be left out. */
static ms_status run_region(ms_listing *l, const ms_instance *region, ms_sums *sums, ms_error *err)
{
  const ms_list_options *o = l->options;
  /* the CPU searches in the order of sums, and ends after the first matches */
  bool only_cpu = sums || l->run.limit > 0;
  const ms_match_sink sink = {.match = ms_list_on_match,
                              /* sums are compared match by match */
                              .matches = l->sums.score ? NULL : ms_list_on_matches,
                              .parts = l->stream ? &ms_list_segments : NULL,
                              .user = l,
                              .visits = &l->visits,
                              .halt = &l->halt,
                              .sums = sums,
                              .budget = l->run.budget,
                              .device = o->screen.run.devices,
                              .devices = o->screen.run.engine ? o->screen.run.n_devices : 0,
                              .gpu_memory = o->screen.run.memory};
  ms_motif_counted listed = {0};
  l->region = region;
  if (l->collector)
    ms_collector_map(l->collector, region->vertex);
  ms_status status = ms_motif_list_region(region, only_cpu ? MS_MOTIF_CPU : l->engine, l->threads,
                                          &sink, l->run.limits.stop, &listed, err);
  if (only_cpu)
    snprintf(listed.reason, sizeof listed.reason, "%s",
             sums ? "GPUs do not search in the order of scores"
                  : "the first matches are listed on processors");
  ms_list_note_engine(l, &listed);
  MS_TRY(ms_run_refusal(&l->run, err));
  if (status != MS_OK)
    return status;
  if (l->best)
    return ms_best_is_full(l->best) ? MS_ERR_MEMORY : MS_OK;
  return l->collector ? ms_collector_status(l->collector, err) : ms_stream_status(l->stream);
}

static ms_status list_region(ms_listing *l, const ms_instance *region, ms_error *err)
{
  const ms_list_options *o = l->options;
  if (o->sort != MS_MEASURE_VERTEX_SCORE || o->top == 0)
    return run_region(l, region, NULL, err);
  uint32_t *score = ms_alloc(region->n, sizeof *score);
  if (!score)
    return ms_fail_memory(err, "the scores of vertices");
  for (uint32_t v = 0; v < region->n; v++)
    score[v] = o->vertex_scores->of[region->vertex[v]];
  l->sums.score = score;
  ms_status status = run_region(l, region, &l->sums, err);
  l->sums.score = NULL;
  ms_free(score);
  return status;
}

static ms_status list_into(ms_run *run, ms_stream *stream, ms_error *err)
{
  ms_listing *l = (ms_listing *)run;
  ms_status status = MS_OK;
  l->stream = stream;
  ms_stream_tell(stream, &l->halt);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  ms_stream_tell(stream, NULL);
  return status;
}

/* Sorts stored rows that were found unit by unit, and checks that no two are the same. */
static ms_status sort_stored(ms_listing *l, ms_error *err)
{
  ms_sort_rows(l->run.vertices, l->run.matches, l->run.width, NULL);
  return ms_list_check_rows(l, l->run.vertices, l->run.matches, err);
}

/* Lists the matches in the order of the search, for a receiver, or to store them. */
static ms_status list_in_order(ms_listing *l, ms_error *err)
{
  const ms_division *d = l->run.limits.division;
  if (l->options->rows) {
    l->run.rows = ms_list_receive;
    l->run.rows_user = l;
  }
  if (!d)
    return ms_run_rows(&l->run, list_into, err);
  l->result->streamed = d->parts > 0;
  return ms_list_rows_in_units(l, err);
}

/* Lists the matches for a receiver, or in units. */
static ms_status search_streamed(ms_listing *l, ms_error *err)
{
  double begin = ms_seconds();
  l->segment = ms_calloc((size_t)l->threads, sizeof *l->segment);
  ms_status status =
      l->segment ? list_in_order(l, err) : ms_fail_memory(err, "the rows of the threads");
  double listed = ms_seconds();
  if (status == MS_OK && !l->result->streamed)
    status = l->options->rows ? deliver_sorted(l, err) : sort_stored(l, err);
  ms_budget_release(l->run.budget, l->room * l->run.width * sizeof *l->held);
  ms_free(l->held);
  ms_free(l->segment);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

/* Passes stored rows on to a receiver. */
static void deliver_stored(ms_listing *l)
{
  ms_list_result *r = l->result;
  l->held = l->run.vertices;
  l->n_held = l->run.matches;
  l->run.vertices = NULL;
  r->k = l->run.width;
  r->matches = l->run.matches;
  r->run.stopped = l->run.stopped;
  ms_list_deliver_held(l); /* a receiver that wants no more has its reason */
}

/* Puts the chosen matches, each of which has been checked, in the order of a measure. */
static ms_status sort_few(ms_listing *l, ms_error *err)
{
  ms_run *run = &l->run;
  uint32_t *rows = NULL;
  uint64_t count = 0;
  bool added = true;
  MS_TRY(ms_best_new(run->width, 0, 1, run->budget, &l->best, err));
  for (uint64_t i = 0; i < run->matches && added; i++)
    added = ms_list_keep_best(l, run->vertices + i * run->width);
  ms_status status = added ? ms_best_finish(l->best, NULL, &rows, &count, err)
                           : ms_fail_memory(err, "sorted matches");
  ms_best_free(l->best);
  l->best = NULL;
  if (status != MS_OK)
    return status;
  ms_free(run->vertices);
  run->vertices = rows;
  return MS_OK;
}

/* Draws matches, or finds some that share no vertex.  They are sorted. */
static ms_status search_few(ms_listing *l, ms_error *err)
{
  ms_run *run = &l->run;
  uint64_t visits = 0;
  double begin = ms_seconds();
  ms_status status = MS_OK;
  if (l->regions && l->options->diverse)
    status = diverse_regions(run, l->regions, &visits, err);
  else if (l->regions)
    status = ms_sample_regions(run, l->regions, l->options, l->result, &visits, err);
  status = ms_run_settle(run, status);
  atomic_fetch_add(&l->visits, visits);
  l->result->time_list = ms_seconds() - begin;
  if (status == MS_OK && run->matches > 0)
    status = ms_list_check_stored(l, MS_OK, err);
  if (status == MS_OK && l->options->sort)
    status = sort_few(l, err);
  if (status == MS_OK && l->options->rows)
    deliver_stored(l);
  return status;
}

/* Groups stored rows into families, if that is asked for, and passes the rows on, unless they are
 * for the result. */
static ms_status finish_stored(ms_listing *l, ms_error *err)
{
  const ms_list_options *o = l->options;
  if (o->families > 0)
    MS_TRY(ms_group_families(&l->run, l->query->graph->n, o->families, o->limit, l->result, err));
  if (o->rows && !l->run.count_only)
    deliver_stored(l);
  return MS_OK;
}

/* Lists the matches in the order of a measure. */
static ms_status search_best(ms_listing *l, ms_error *err)
{
  double begin = ms_seconds();
  uint32_t *rows = NULL;
  uint64_t count = 0;
  ms_status status =
      ms_best_new(l->run.width, l->options->top, l->threads, l->run.budget, &l->best, err);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  bool full = status == MS_ERR_MEMORY && l->best && ms_best_is_full(l->best);
  status = ms_run_settle(&l->run, full ? MS_OK : status);
  double listed = ms_seconds();
  if (status == MS_OK)
    status = ms_best_finish(l->best, NULL, &rows, &count, err);
  if (status == MS_OK && full)
    status = ms_run_out_of_memory(&l->run, err);
  ms_best_free(l->best);
  l->best = NULL;
  l->run.matches = count;
  l->run.vertices = rows; /* freed with the run after a failure */
  mpz_set_ui(l->run.count, (unsigned long)count);
  if (status == MS_OK)
    status = finish_stored(l, err);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

/* True if families keep every match.  What thresholds leave out is not kept, and cannot be counted
 * before. */
static bool families_keep_all(const ms_list_options *o)
{
  return o->families > 0 && o->min_density == 0 && o->min_mean_score == 0;
}

static ms_status search(ms_run *run, ms_error *err)
{
  ms_listing *l = (ms_listing *)run;
  if (l->options->sample > 0 || l->options->diverse)
    return search_few(l, err);
  ms_list_forecast(l);
  if (families_keep_all(l->options))
    MS_TRY(ms_families_check_memory(run, l->regions, l->threads, err));
  if (l->options->sort)
    return search_best(l, err);
  if (!run->count_only && l->options->families == 0 && (l->options->rows || l->run.limits.division))
    return search_streamed(l, err);
  bool filters = l->options->min_density > 0 || l->options->min_mean_score > 0;
  if (run->count_only && run->limit == 0 && !filters)
    return ms_list_count_all(l, err);
  double begin = ms_seconds();
  ms_status unsorted = MS_OK;
  ms_status status = ms_collector_new(run->width, l->threads, run->count_only, run->limit,
                                      run->budget, &l->collector, err);
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = list_region(l, l->regions->region[r], err);
  bool full = status == MS_ERR_MEMORY && l->collector && ms_collector_is_full(l->collector);
  status = ms_run_settle(run, full ? MS_OK : status);
  if (status == MS_OK)
    status = ms_collector_finish(l->collector, &run->matches, &run->vertices, run->count, &unsorted,
                                 err);
  if (status == MS_OK && full)
    status = ms_run_out_of_memory(run, err);
  double listed = ms_seconds();
  if (status == MS_OK && !run->count_only)
    status = ms_list_check_stored(l, unsorted, err);
  ms_collector_free(l->collector);
  if (status == MS_OK)
    status = finish_stored(l, err);
  l->result->time_list = listed - begin;
  l->result->time_verify = ms_seconds() - listed;
  return status;
}

static ms_status finish(ms_run *run, ms_error *err)
{
  ms_list_result *r = ((ms_listing *)run)->result;
  r->k = run->width;
  r->matches = run->matches;
  r->vertices = run->vertices;
  r->run.stopped = run->stopped;
  r->n = ((ms_listing *)run)->query->graph->n;
  run->vertices = NULL;
  const ms_motif_counted *counted = &((ms_listing *)run)->counted;
  ms_run_engine(&r->run, counted->engine ? counted->engine : "cpu",
                counted->engine ? counted->reason : "this kind of list runs on processors");
  r->run.work.visits = atomic_load(&((ms_listing *)run)->visits);
  if (r->screen)
    ms_work_add(&r->run.work, &r->screen->run.work);
  return ms_number_text(run->count, &r->count_text, err);
}

/* ---- entry points ------------------------------------------------------------------ */

ms_status ms_list_within(const ms_query *query, const ms_list_options *o, ms_budget *budget,
                         ms_list_result **out, ms_error *err)
{
  static const ms_run_kind kind = {prepare, search, finish};
  ms_listing l = {.run = {.kind = &kind,
                          .budget = budget,
                          .limits = o->screen.run,
                          .names = query->graph->names,
                          .width = query->motif->k,
                          .count_only = o->count_only,
                          .limit = o->families > 0 ? 0 : o->limit},
                  .query = query,
                  .options = o,
                  .threads = ms_threads(o->screen.run.threads)};
  *out = NULL;
  MS_TRY(ms_motif_engine_find(o->screen.run.engine, &l.engine, err));
  l.result = ms_calloc(1, sizeof *l.result);
  if (!l.result)
    return ms_fail_memory(err, "the result");
  atomic_init(&l.found, 0);
  atomic_init(&l.visits, 0);
  atomic_init(&l.halt, false);
  atomic_init(&l.sums.least, 0);
  l.sums.budget = budget;
  ms_status status = ms_run_query(&l.run, err);
  ms_regions_free(l.regions);
  ms_instance_free(l.instance);
  ms_set_judge_free(l.set_judge);
  ms_free(l.keep);
  if (status == MS_OK)
    *out = l.result;
  else
    ms_list_result_free(l.result);
  return status;
}

ms_status ms_list(const ms_query *query, const ms_list_options *options, ms_list_result **out,
                  ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_list_options own;
  const ms_list_options *o = &own;
  MS_TRY(ms_options_take(&ms_list_options_kind, options, &own, err));
  ms_division division;
  MS_TRY(ms_list_division_take(&own, &division, err));
  MS_TRY(ms_list_check_options(query, o, err));
  ms_budget budget;
  ms_budget_open(&budget, o->screen.run.memory);
  return ms_list_within(query, o, &budget, out, err);
}

void ms_list_result_free(ms_list_result *result)
{
  if (!result)
    return;
  ms_screen_result_free(result->screen);
  ms_free(result->vertices);
  ms_free(result->count_text);
  ms_free(result->matches_of);
  ms_free(result->part_text);
  ms_free(result->family_size);
  ms_free(result);
}
