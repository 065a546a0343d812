/* ms_typed_match_inexact, the best maps of a typed pattern:
 *
 *   query -> exact search: maps of the best score, verified
 *         -> compound type filter: a part of the graph -> walk: layers
 *         -> branch and bound by loss: the next best maps */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "match/typed/inexact.h"
#include "match/typed/shape.h"
#include "parts/log.h"
#include "run/match/typed.h"

#include <inttypes.h>

typedef struct inexact_run {
  ms_run run;
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  uint32_t best; /* number of maps requested */
  ms_typed_part *part;
  ms_typed_shape *shape;
  ms_group *group;
  ms_pattern_walk walk;
  ms_typed_layers layers;
  ms_typed_result *exact;
  uint64_t exact_bytes; /* bytes reserved for its rows */
  ms_inexact_found found;
  ms_typed_result *result;
} inexact_run;

/* Finds the pattern vertex with the fewest candidates by type. */
static ms_status find_start(inexact_run *t, uint32_t *start, ms_error *err)
{
  const ms_typed_rows *rows = &t->part->rows;
  uint64_t least = UINT64_MAX;
  ms_active set = {.bits = ms_alloc_lines(ms_active_words(rows), sizeof *set.bits)};
  if (!set.bits)
    return ms_fail_memory(err, "layers of a walk");
  *start = 0;
  for (uint32_t i = 0; i < t->query->n; i++) {
    ms_active_init(rows, t->query, i, false, 1, &set);
    *start = set.size < least ? i : *start;
    least = set.size < least ? set.size : least;
  }
  ms_free(set.bits);
  return MS_OK;
}

static ms_status check_walk(const inexact_run *t, ms_error *err)
{
  ms_bitset seen = ms_bitset_of(t->walk.start);
  for (uint32_t i = 0; i < t->walk.length; i++)
    ms_bitset_add(&seen, t->walk.step[i].to);
  if (ms_bitset_count(seen) < t->query->n)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the pattern falls into parts that no edge joins, and a walk cannot go through "
        "all of them; match each part by itself, or search exactly",
        t->query->pattern->path);
  if (t->walk.length > MS_INEXACT_LONGEST)
    return ms_fail(err, MS_ERR_USAGE,
                   "a walk of %" PRIu32 " steps is too long for an inexact search; at most %u",
                   t->walk.length, MS_INEXACT_LONGEST);
  return MS_OK;
}

static ms_status make_layers(inexact_run *t, ms_error *err)
{
  const ms_typed_match_options *o = t->options;
  const ms_typed_rows *rows = &t->part->rows;
  double begin = ms_seconds();
  uint32_t start = 0;
  ms_status status = find_start(t, &start, err);
  if (status == MS_OK)
    status = ms_walk_new(t->query, start, o->walk, o->walk_length, o->run.seed, &t->walk, err);
  if (status == MS_OK)
    status = check_walk(t, err);
  if (status == MS_OK)
    status = ms_typed_layers_new(rows, t->query, &t->walk, o->run.threads, &t->layers, err);
  if (status != MS_OK)
    return status;
  for (uint32_t w = 0; w < ms_active_words(rows); w++) {
    uint64_t active = 0;
    for (uint32_t i = 0; i <= t->walk.length; i++)
      active |= t->layers.set[i].bits[w];
    t->result->vertices_active += (uint32_t)__builtin_popcountll(active);
  }
  t->result->walk_length = t->walk.length;
  t->result->best_score = t->walk.length + t->query->edges;
  t->result->time_walk = ms_seconds() - begin;
  return MS_OK;
}

/* Finds the exact matches, at most as many as requested, as rows of the part's
 * vertices. */
static ms_status find_exact(inexact_run *t, ms_error *err)
{
  ms_typed_match_options options = *t->options;
  options.limit = t->best;
  options.count_only = false;
  options.rows = NULL;
  options.run.progress = NULL;
  options.screen_mode = MS_SCREEN_NEVER; /* no exact match may be missed */
  MS_TRY(ms_typed_match_part(t->query, &options, t->part, t->run.budget, &t->exact, err));
  uint64_t bytes = t->exact->matches * t->exact->p * sizeof(uint32_t);
  if (!ms_budget_reserve(t->run.budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "there is no memory for %" PRIu32 " maps; ask for fewer with `best`, or raise "
                   "`memory`",
                   t->best);
  t->exact_bytes = bytes;
  for (uint64_t i = 0; i < t->exact->matches * t->exact->p; i++)
    t->exact->vertices[i] = /* which the part has */
        (uint32_t)ms_first_at_least(t->part->vertex, t->part->rows.n, t->exact->vertices[i]);
  /* at the limit there are as many as requested */
  if (t->exact->run.stopped != MS_OK && t->exact->matches < options.limit)
    t->run.stopped = t->exact->run.stopped;
  return MS_OK;
}

static ms_status prepare(ms_run *run, ms_error *err)
{
  inexact_run *t = (inexact_run *)run;
  MS_TRY(ms_typed_shape_new(t->query, &t->shape, err));
  MS_TRY(ms_group_new(&t->shape->shape, NULL, ms_bitset_all(), &t->group, err));
  MS_TRY(ms_group_order_text(t->group, &t->result->automorphisms_text, err));
  MS_TRY(ms_typed_cut(t->query, t->options, &t->part, t->result, err));
  return make_layers(t, err);
}

static ms_status search(ms_run *run, ms_error *err)
{
  inexact_run *t = (inexact_run *)run;
  const ms_typed_match_options *o = t->options;
  if (run->stopped != MS_OK) /* there may be no layers */
    return MS_OK;
  MS_TRY(find_exact(t, err));
  ms_inexact in = {.rows = &t->part->rows,
                   .query = t->query,
                   .walk = &t->walk,
                   .layers = &t->layers,
                   .group = o->embeddings ? NULL : t->group,
                   .best = t->best,
                   .n_exact = t->exact->matches,
                   .exact = t->exact->vertices,
                   .threads = o->run.threads,
                   .budget = run->budget,
                   .stop = o->run.stop,
                   .progress = o->run.progress ? ms_run_report : NULL,
                   .progress_user = run};
  if (run->stopped ==
      MS_ERR_MEMORY) /* exact matches that are missing would come back as worse ones */
    in.best = (uint32_t)t->exact->matches;
  ms_status status = ms_inexact_run(&in, &t->found, err);
  run->matches = t->found.count;
  return status == MS_ERR_MEMORY ? ms_run_out_of_memory(run, err) : status;
}

/* Replaces vertices of the part by those of the graph, and losses by scores. */
static ms_status finish(ms_run *run, ms_error *err)
{
  inexact_run *t = (inexact_run *)run;
  ms_typed_result *r = t->result;
  for (uint64_t i = 0; i < t->found.count * r->p; i++)
    t->found.row[i] = t->part->vertex[t->found.row[i]];
  for (uint64_t i = 0; i < t->found.count; i++)
    t->found.loss[i] = r->best_score - t->found.loss[i];
  r->matches = t->found.count;
  r->vertices = t->found.row;
  r->score = t->found.loss;
  r->run.stopped = run->stopped;
  r->time_search = run->time_search;
  if (t->exact)
    r->run.work = t->exact->run.work;
  r->run.work.visits += t->found.visits;
  t->found = (ms_inexact_found){0};
  mpz_set_ui(run->count, (unsigned long)r->matches);
  return ms_number_text(run->count, &r->count_text, err);
}

/* ---- entry points --------------------------------------------------------------------- */

ms_status ms_typed_match_inexact(const ms_typed_query *query, const ms_typed_match_options *options,
                                 ms_typed_result **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  static const ms_run_kind kind = {prepare, search, finish};
  ms_typed_match_options own;
  const ms_typed_match_options *o = &own;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, options, &own, err));
  MS_TRY(ms_division_refuse(own.run.division, "an inexact search", err));
  if (o->participation || o->by_position || o->sample > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for exact matches; leave it out, or call ms_typed_match",
                   o->sample > 0      ? "sample"
                   : o->participation ? "participation"
                                      : "by_position");
  ms_budget budget;
  inexact_run t = {
      .run = {.kind = &kind,
              .budget = &budget,
              .limits = {.progress = o->run.progress, .progress_user = o->run.progress_user}},
      .query = query,
      .options = o,
      .best = o->best ? o->best : MS_DEFAULT_BEST};
  ms_budget_open(&budget, o->run.memory);
  t.result = ms_calloc(1, sizeof *t.result);
  if (!t.result)
    return ms_fail_memory(err, "a typed result");
  t.result->p = query->n;
  t.result->inexact = true;
  ms_status status = ms_run_query(&t.run, err);
  ms_budget_release(&budget, t.exact_bytes);
  ms_typed_result_free(t.exact);
  ms_inexact_found_free(&t.found);
  ms_typed_layers_free(&t.layers);
  ms_walk_free(&t.walk);
  ms_typed_part_free(t.part);
  ms_group_free(t.group);
  ms_free(t.shape);
  if (status == MS_OK)
    *out = t.result;
  else
    ms_typed_result_free(t.result);
  return status;
}
