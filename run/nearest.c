/* ms_screen: of matches of one size, or for the nearest match of each vertex.
 *
 * A match of level (d, i, b) is a connected set whose vertices can be paired off with slots so that
 * d of the k slots stay empty, i vertices fill no slot, and the substitutions cost b.  It costs
 * d + i + b.
 *
 * A set of k - d + i vertices that fills as many slots of the motif with i more slots for any
 * vertex leaves at most d slots of the motif itself empty.  If it leaves fewer, it has as many
 * fewer further vertices, and so it is a match of a cheaper level.  Hence one screen a level, in
 * the order of costs, finds the least cost of each vertex.  A vertex that is flagged is not
 * searched for again.  The screens of the levels differ only in the instance.
 *
 * With substitutions a level has several screens.  Each divides b among some of the slots, as costs
 * of substitutions, and a slot with the part c accepts its own colour and all substitutes that cost
 * at most c.  So no set that a screen finds costs more than its level, and each match of the level
 * is found by the screen that has the costs of its substitutions as parts. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "query/motif_variant.h"
#include "query/relaxed.h"
#include "query/substitutes.h"
#include "run/run.h"
#include "run/units/screen_units.h"

#include <math.h>
#include <string.h>

/* Greatest number of screens. */
#define MOST_SCREENS 10000u

/* A class of slots, and a cost at which its substitutes are accepted. */
typedef struct relaxation {
  uint32_t class_, cost;
  ms_condition *condition; /* what the class asks for, with substitutes of at most this cost */
} relaxation;

typedef struct levels {
  const ms_query *query;
  const ms_screen_options *options;
  ms_budget *budget;
  uint32_t missing, extra, spend; /* the level */
  uint32_t n_relaxations;
  relaxation *relaxation;
  uint32_t *relaxed;        /* [n_relaxations] slots that this screen relaxes so */
  uint32_t count[MS_MAX_K]; /* [classes] the other slots of each class */
  uint8_t *known;           /* [n] 1: the vertex is flagged */
  ms_screen_result *all;    /* NULL before the first screen */
} levels;

ms_status ms_check_distance(const ms_query *query, uint32_t missing, uint32_t extra, ms_error *err)
{
  uint32_t k = query->motif->k;
  if (missing >= k)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`max_missing` is %u, and a match fills at least one of the slots (k = %u); allow at "
        "most %u",
        missing, k, k - 1);
  if (extra > MS_MAX_K - k)
    return ms_fail(err, MS_ERR_USAGE,
                   "`max_extra` is %u, which makes matches of more than %u vertices; allow at most "
                   "%u",
                   extra, MS_MAX_K, MS_MAX_K - k);
  return MS_OK;
}

/* Refuses options that a screen for the nearest matches cannot honour. */
static ms_status check_options(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  const char *other = o->match_size      ? "match_size"
                      : o->profile       ? "profile"
                      : o->vertex_scores ? "vertex_scores"
                                         : NULL;
  if (other)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for exact matches, and the options of the nearest matches, such as "
                   "`max_missing` and `substitutes`, allow others; leave out `%s`",
                   other, other);
  MS_TRY(ms_check_distance(query, o->max_missing, o->max_extra, err));
  MS_TRY(ms_screen_refuse_units(o, "a search for the nearest matches", err));
  ms_screen_options of_level = *o;
  of_level.max_missing = of_level.max_extra = 0;
  of_level.nearest_only = of_level.costs = false;
  of_level.substitutes = NULL;
  of_level.max_cost = 0;
  MS_TRY(ms_substitutes_check(o->substitutes, o->max_cost, query->coloring, err));
  return ms_screen_check_options(query, &of_level, err);
}

/* ---- relaxed slots ---------------------------------------------------------------- */

/* Makes the condition of a relaxation. */
static ms_status make_condition(const levels *l, relaxation *r, ms_error *err)
{
  const ms_substitutes *s = l->options->substitutes;
  const ms_condition *condition = l->query->motif->class_[r->class_].condition;
  if (condition)
    return ms_condition_relax(condition, s, r->cost, l->query->coloring, &r->condition, err);
  uint32_t wanted = l->query->motif->class_[r->class_].color, count = 0;
  uint32_t *color = ms_alloc((size_t)s->count + 1, sizeof *color);
  if (!color)
    return ms_fail_memory(err, "the substitutes of a colour");
  color[count++] = wanted;
  for (uint32_t e = 0; e < s->count; e++)
    if (s->entry[e].wanted == wanted && s->entry[e].cost <= r->cost)
      color[count++] = s->entry[e].instead;
  ms_status status = ms_condition_of_colors(color, count, l->query->coloring, &r->condition, err);
  ms_free(color);
  return status;
}

/* Sets has[cost] for the costs of substitutes of a class, up to the limit. */
static ms_status find_costs(const levels *l, uint32_t class_, bool *has, ms_error *err)
{
  const ms_motif_class *wanted = &l->query->motif->class_[class_];
  const ms_substitutes *s = l->options->substitutes;
  uint32_t most = l->options->max_cost;
  memset(has, 0, ((size_t)most + 1) * sizeof *has);
  if (wanted->condition)
    return ms_condition_find_costs(wanted->condition, s, most, has, err);
  for (uint32_t e = 0; e < s->count; e++)
    if (s->entry[e].wanted == wanted->color && s->entry[e].cost <= most)
      has[s->entry[e].cost] = true;
  return MS_OK;
}

/* Lists the classes with the different costs of their substitutes. */
static ms_status list_relaxations(levels *l, ms_error *err)
{
  const ms_motif *motif = l->query->motif;
  const ms_substitutes *s = l->options->substitutes;
  bool *has = ms_calloc((size_t)l->options->max_cost + 1, sizeof *has);
  uint64_t most = s ? (uint64_t)motif->n_classes * l->options->max_cost : 0;
  l->relaxation = ms_calloc(most, sizeof *l->relaxation);
  l->relaxed = ms_calloc(most, sizeof *l->relaxed);
  ms_status status = has && l->relaxation && l->relaxed
                         ? MS_OK
                         : ms_fail_memory(err, "the substitutes of the motif");
  for (uint32_t c = 0; status == MS_OK && s && c < motif->n_classes; c++) {
    status = find_costs(l, c, has, err);
    for (uint32_t cost = 1; status == MS_OK && cost <= l->options->max_cost; cost++)
      if (has[cost]) {
        relaxation *r = &l->relaxation[l->n_relaxations++];
        *r = (relaxation){.class_ = c, .cost = cost};
        status = make_condition(l, r, err);
      }
  }
  ms_free(has);
  return status;
}

static void free_relaxations(levels *l)
{
  for (uint32_t r = 0; r < l->n_relaxations; r++)
    ms_condition_free(l->relaxation[r].condition);
  ms_free(l->relaxation);
  ms_free(l->relaxed);
}

/* Refuses budgets that too many screens would have to be made for.  The number of ways to divide a
 * budget among slots is bounded by that of ways to write it as a sum of costs. */
static ms_status check_screens(const levels *l, ms_error *err)
{
  const ms_screen_options *o = l->options;
  double *ways = ms_calloc((size_t)o->max_cost + 1, sizeof *ways), all = 0;
  if (!ways)
    return ms_fail_memory(err, "the number of screens");
  ways[0] = 1;
  for (uint32_t r = 0; r < l->n_relaxations; r++)
    for (uint32_t b = l->relaxation[r].cost; b <= o->max_cost; b++)
      ways[b] += ways[b - l->relaxation[r].cost];
  for (uint32_t b = 0; b <= o->max_cost; b++)
    all += ways[b] * (o->max_missing + 1) * (o->max_extra + 1);
  ms_free(ways);
  if (l->n_relaxations == 0 || all <= MOST_SCREENS)
    return MS_OK;
  return ms_fail(
      err, MS_ERR_USAGE,
      "with `max_cost` %u the substitutions can be divided among the slots in up to %.3g "
      "ways, and each needs a screen; lower `max_cost`, or list the nearest matches, "
      "which needs no screens",
      o->max_cost, all);
}

/* ---- one screen ------------------------------------------------------------------- */

static ms_status screen_variant(levels *l, ms_screen_result **out, ms_error *err)
{
  const ms_motif *motif = l->query->motif;
  ms_motif *variant;
  ms_query level = *l->query;
  ms_screen_options o = *l->options;
  *out = NULL;
  MS_TRY(ms_motif_variant_new(motif, l->count, l->extra, &variant, err));
  for (uint32_t r = 0; r < l->n_relaxations; r++)
    if (l->relaxed[r] > 0)
      ms_motif_variant_add(variant, l->relaxation[r].condition, l->relaxed[r]);
  level.motif = variant;
  level.holders = NULL; /* they serve other slots */
  o.max_missing = o.max_extra = o.max_cost = 0;
  o.nearest_only = o.costs = false;
  o.substitutes = NULL;
  o.match_size = motif->k - l->missing + l->extra;
  ms_status status = ms_screen_known(&level, &o, l->known, l->budget, out, err);
  ms_motif_variant_free(variant);
  return status;
}

/* ---- all levels -------------------------------------------------------------------- */

/* Of two levels without a chance of a miss, that with repetitions says why. */
static bool is_worse(const ms_screen_result *r, const ms_screen_result *than)
{
  if (r->exact != than->exact)
    return than->exact;
  return r->miss_bound > than->miss_bound ||
         (r->miss_bound == than->miss_bound && r->repetitions > than->repetitions);
}

/* Makes the level whose bound is the worst the one that says how the vertices were found. */
static void take_description(ms_screen_result *all, ms_screen_result *level)
{
  char *bound = all->miss_bound_text, *reason = all->backend_reason;
  all->miss_bound_text = level->miss_bound_text;
  all->backend_reason = level->backend_reason;
  level->miss_bound_text = bound;
  level->backend_reason = reason;
  all->exact = level->exact;
  all->repetitions = level->repetitions;
  all->repetitions_planned = level->repetitions_planned;
  all->early_stop = level->early_stop;
  all->miss_bound = level->miss_bound;
  all->kernel = level->kernel;
  all->block_points = level->block_points;
  all->backend = level->backend;
  all->devices = level->devices;
}

/* Adds what a level found.  A vertex that an earlier level has flagged keeps the number of
 * repetitions that flagged it there. */
static void add_level(ms_screen_result *all, const ms_screen_result *level, const levels *l)
{
  for (uint32_t v = 0; v < all->n; v++) {
    all->vertices_kept += level->kept[v] && !all->kept[v];
    all->kept[v] |= level->kept[v];
    if (all->hits[v] || !level->hits[v])
      continue;
    all->hits[v] = level->hits[v];
    all->missing[v] = (uint8_t)l->missing;
    all->extra[v] = (uint8_t)l->extra;
    all->cost[v] = l->missing + l->extra + l->spend;
    all->flagged++;
  }
  all->run.stopped = level->run.stopped;
  all->time_prune += level->time_prune;
  all->time_sieve += level->time_sieve;
  all->points += level->points;
  all->run.work.visits += level->run.work.visits;
  all->run.work.points += level->run.work.points;
  all->run.work.bytes_moved += level->run.work.bytes_moved;
  all->devices_lost += level->devices_lost;
  if (level->memory_estimate > all->memory_estimate)
    all->memory_estimate = level->memory_estimate;
  if (level->edges_kept > all->edges_kept)
    all->edges_kept = level->edges_kept;
  if (level->components > all->components)
    all->components = level->components;
  if (level->threads > all->threads)
    all->threads = level->threads;
}

/* Makes the result of the first level that of all. */
static ms_status begin_levels(ms_screen_result *first, ms_error *err)
{
  first->missing = ms_calloc(first->n, 1);
  first->extra = ms_calloc(first->n, 1);
  first->cost = ms_calloc(first->n, sizeof *first->cost);
  return first->missing && first->extra && first->cost ? MS_OK : ms_fail_memory(err, "the result");
}

/* A vertex is missed at the level of its nearest match, or not at all. */
static void finish_levels(ms_screen_result *all, uint32_t k)
{
  double any = (double)all->vertices_kept * all->miss_bound;
  all->k = k;
  all->settled = all->vertices_kept;
  all->miss_bound_union = fmin(1, nextafter(any, any * 2));
  if (all->run.stopped != MS_OK && all->exact)
    all->miss_bound = all->miss_bound_union = 1;
}

/* Makes a screen, and adds what it found. */
static ms_status add_screen(levels *l, ms_error *err)
{
  ms_screen_result *level = NULL;
  ms_status status = screen_variant(l, &level, err);
  if (status == MS_OK && !l->all) {
    l->all = level;
    status = begin_levels(level, err);
  } else if (status == MS_OK) {
    if (is_worse(level, l->all))
      take_description(l->all, level);
    add_level(l->all, level, l);
    ms_screen_result_free(level);
  }
  for (uint32_t v = 0; status == MS_OK && v < l->all->n; v++)
    l->known[v] = l->all->hits[v] > 0;
  return status;
}

/* Makes the screens of a level that divide `left` among the slots, by relaxations from `from` on.
 * The recursion is at most one deeper than the number of relaxed slots. */
static ms_status add_screens(levels *l, uint32_t from, uint32_t left, ms_error *err)
{
  if (l->all && (l->all->run.stopped != MS_OK || l->all->flagged == l->all->n))
    return MS_OK;
  if (left == 0)
    return add_screen(l, err);
  for (uint32_t r = from; r < l->n_relaxations; r++) {
    const relaxation *now = &l->relaxation[r];
    if (now->cost > left || l->count[now->class_] == 0)
      continue;
    l->relaxed[r]++;
    l->count[now->class_]--;
    ms_status status = add_screens(l, r, left - now->cost, err);
    l->relaxed[r]--;
    l->count[now->class_]++;
    MS_TRY(status);
  }
  return MS_OK;
}

/* Makes the screens of all levels of one cost. */
static ms_status screen_cost(levels *l, uint32_t cost, ms_error *err)
{
  const ms_screen_options *o = l->options;
  for (l->missing = 0; l->missing <= o->max_missing && l->missing <= cost; l->missing++)
    for (l->extra = 0; l->extra <= o->max_extra && l->missing + l->extra <= cost; l->extra++) {
      l->spend = cost - l->missing - l->extra;
      if (l->spend <= o->max_cost)
        MS_TRY(add_screens(l, 0, l->spend, err));
    }
  return MS_OK;
}

static ms_status screen_costs(levels *l, ms_error *err)
{
  const ms_screen_options *o = l->options;
  uint32_t most = o->max_missing + o->max_extra + o->max_cost;
  MS_TRY(check_screens(l, err));
  for (uint32_t cost = 0; cost <= most && !(o->nearest_only && l->all && l->all->flagged > 0);
       cost++)
    MS_TRY(screen_cost(l, cost, err));
  return MS_OK;
}

static ms_status screen_levels(const ms_query *query, const ms_screen_options *o, ms_budget *budget,
                               ms_screen_result **out, ms_error *err)
{
  levels l = {.query = query, .options = o, .budget = budget};
  *out = NULL;
  MS_TRY(check_options(query, o, err));
  for (uint32_t c = 0; c < query->motif->n_classes; c++)
    l.count[c] = query->motif->class_[c].count;
  l.known = ms_calloc(query->graph->n, 1);
  ms_status status = l.known ? list_relaxations(&l, err) : ms_fail_memory(err, "the flags");
  if (status == MS_OK)
    status = screen_costs(&l, err);
  free_relaxations(&l);
  ms_free(l.known);
  if (status == MS_OK) {
    finish_levels(l.all, query->motif->k);
    *out = l.all;
  } else {
    ms_screen_result_free(l.all);
  }
  return status;
}

/* ---- entry point --------------------------------------------------------------------- */

ms_status ms_screen(const ms_query *query, const ms_screen_options *options, ms_screen_result **out,
                    ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  ms_screen_options own;
  const ms_screen_options *o = &own;
  MS_TRY(ms_options_take(&ms_screen_options_kind, options, &own, err));
  ms_budget budget;
  ms_budget_open(&budget, o->run.memory);
  return ms_screen_is_nearest(o) ? screen_levels(query, o, &budget, out, err)
                                 : ms_screen_within(query, o, &budget, out, err);
}
