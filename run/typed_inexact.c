/* The inexact way of a typed pattern:
 *
 *   query -> the exact way: maps of the best score, verified
 *         -> compound type filter: a part of the graph -> walk: layers
 *         -> branch and bound by loss: the next best maps */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "match/typed/inexact.h"
#include "match/typed/symmetry.h"
#include "run/typed.h"

#include <inttypes.h>

#define BEST 10u /* maps, where nothing is asked for */

typedef struct job {
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  ms_typed_part *part;
  ms_group *group;
  ms_pattern_walk walk;
  ms_typed_layers layers;
  ms_typed_result *exact;
  ms_inexact_found found;
  ms_typed_result *result;
} job;

static ms_status find_group(job *j, ms_error *err)
{
  mpz_t order;
  MS_TRY(ms_typed_group_new(j->query, &j->group, err));
  mpz_init(order);
  ms_group_order(j->group, order);
  ms_status status = ms_typed_number_text(order, &j->result->automorphisms_text, err);
  mpz_clear(order);
  return status;
}

/* The pattern vertex with the fewest candidates by type. */
static ms_status best_start(job *j, uint32_t *start, ms_error *err)
{
  const ms_typed_rows *rows = &j->part->rows;
  uint64_t least = UINT64_MAX;
  ms_active set = {.bits = ms_alloc_lines(ms_active_words(rows), sizeof *set.bits)};
  if (!set.bits)
    return ms_fail_memory(err, "layers of a walk");
  *start = 0;
  for (uint32_t i = 0; i < j->query->n; i++) {
    ms_active_init(rows, j->query, i, false, 1, &set);
    *start = set.size < least ? i : *start;
    least = set.size < least ? set.size : least;
  }
  ms_free(set.bits);
  return MS_OK;
}

static ms_status check_walk(const job *j, ms_error *err)
{
  uint64_t seen = UINT64_C(1) << j->walk.start;
  for (uint32_t i = 0; i < j->walk.length; i++)
    seen |= UINT64_C(1) << j->walk.step[i].to;
  if ((uint32_t)__builtin_popcountll(seen) < j->query->n)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the pattern falls into parts that no edge joins, and a walk cannot go through "
        "all of them; match each part by itself, or search exactly",
        j->query->pattern->path);
  if (j->walk.length > MS_INEXACT_LONGEST)
    return ms_fail(err, MS_ERR_USAGE,
                   "a walk of %" PRIu32 " steps is too long for an inexact search; at most %u",
                   j->walk.length, MS_INEXACT_LONGEST);
  return MS_OK;
}

static ms_status make_layers(job *j, ms_error *err)
{
  const ms_typed_match_options *o = j->options;
  const ms_typed_rows *rows = &j->part->rows;
  double begin = ms_seconds();
  uint32_t start = 0;
  ms_status status = best_start(j, &start, err);
  if (status == MS_OK)
    status = ms_walk_new(j->query, start, o->walk, o->walk_length, o->seed, &j->walk, err);
  if (status == MS_OK)
    status = check_walk(j, err);
  if (status == MS_OK)
    status = ms_typed_layers_new(rows, j->query, &j->walk, o->threads, &j->layers, err);
  if (status != MS_OK)
    return status;
  for (uint32_t w = 0; w < ms_active_words(rows); w++) {
    uint64_t active = 0;
    for (uint32_t i = 0; i <= j->walk.length; i++)
      active |= j->layers.set[i].bits[w];
    j->result->vertices_active += (uint32_t)__builtin_popcountll(active);
  }
  j->result->walk_length = j->walk.length;
  j->result->best_score = j->walk.length + j->query->edges;
  j->result->time_walk = ms_seconds() - begin;
  return MS_OK;
}

/* Vertices of the part into those of the graph, losses into scores. */
static ms_status hand_over(job *j, ms_error *err)
{
  ms_typed_result *r = j->result;
  mpz_t count;
  mpz_init_set_ui(count, (unsigned long)j->found.count);
  ms_status status = ms_typed_number_text(count, &r->count_text, err);
  mpz_clear(count);
  for (uint64_t i = 0; i < j->found.count * r->p; i++)
    j->found.row[i] = j->part->vertex[j->found.row[i]];
  for (uint64_t i = 0; i < j->found.count; i++)
    j->found.loss[i] = r->best_score - j->found.loss[i];
  r->matches = j->found.count;
  r->vertices = j->found.row;
  r->score = j->found.loss;
  j->found = (ms_inexact_found){0};
  return status;
}

/* The place of v among the part's vertices; it is there: a match holds it. */
static uint32_t number_in(const ms_typed_part *part, uint32_t v)
{
  uint32_t low = 0, high = part->rows.n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (part->vertex[middle] <= v)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The exact matches, as many as are wanted, as rows of the part's vertices. */
static ms_status find_exact(job *j, ms_error *err)
{
  ms_typed_match_options options = *j->options;
  options.limit = options.best ? options.best : BEST;
  options.count_only = false;
  options.rows = NULL;
  options.progress = NULL;
  MS_TRY(ms_typed_match_part(j->query, &options, j->part, &j->exact, err));
  for (uint64_t i = 0; i < j->exact->matches * j->exact->p; i++)
    j->exact->vertices[i] = number_in(j->part, j->exact->vertices[i]);
  /* at the limit there are as many as are wanted */
  if (j->exact->stopped != MS_OK && j->exact->matches < options.limit)
    j->result->stopped = j->exact->stopped;
  return MS_OK;
}

static ms_status search(job *j, ms_error *err)
{
  const ms_typed_match_options *o = j->options;
  double begin = ms_seconds();
  MS_TRY(find_exact(j, err));
  ms_inexact in = {.rows = &j->part->rows,
                   .query = j->query,
                   .walk = &j->walk,
                   .layers = &j->layers,
                   .group = o->embeddings ? NULL : j->group,
                   .best = o->best ? o->best : BEST,
                   .n_exact = j->exact->matches,
                   .exact = j->exact->vertices,
                   .threads = o->threads,
                   .stop = o->stop,
                   .progress = o->progress,
                   .progress_user = o->progress_user};
  ms_status status = ms_inexact_run(&in, &j->found, err);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    j->result->stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK)
    status = hand_over(j, err);
  j->result->time_search = ms_seconds() - begin;
  return status;
}

ms_status ms_typed_match_inexact(const ms_typed_query *query, const ms_typed_match_options *options,
                                 ms_typed_result **out, ms_error *err)
{
  static const ms_typed_match_options defaults = {0};
  job j = {.query = query, .options = options ? options : &defaults};
  *out = NULL;
  j.result = ms_calloc(1, sizeof *j.result);
  if (!j.result)
    return ms_fail_memory(err, "a typed result");
  j.result->p = query->n;
  ms_status status = find_group(&j, err);
  if (status == MS_OK)
    status = ms_typed_cut(query, j.options, &j.part, j.result, err);
  if (status == MS_OK)
    status = make_layers(&j, err);
  if (status == MS_OK)
    status = search(&j, err);
  ms_typed_result_free(j.exact);
  ms_inexact_found_free(&j.found);
  ms_typed_layers_free(&j.layers);
  ms_walk_free(&j.walk);
  ms_typed_part_free(j.part);
  ms_group_free(j.group);
  if (status == MS_OK)
    *out = j.result;
  else
    ms_typed_result_free(j.result);
  return status;
}
