/* ms_screen: of matches of one size, or for the nearest match of each vertex.
 *
 * A match of level (d, i) is a connected set that leaves d of the k slots empty, if as many of its
 * vertices as possible are paired off with slots, and holds i further vertices, of any colour.  It
 * costs d + i.
 *
 * A set of k - d + i vertices that fills as many slots of the motif with i more slots for any
 * vertex leaves at most d slots of the motif itself empty.  If it leaves fewer, it has as many
 * fewer further vertices, and so it is a match of a cheaper level.  Hence one screen a level, in
 * the order of costs, finds the least cost of each vertex.  A vertex that is flagged is not
 * searched for again.  The screens of the levels differ only in the instance. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "query/motif_variant.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* Refuses options that a screen for the nearest matches cannot honour. */
static ms_status check_options(const ms_query *query, const ms_screen_options *o, ms_error *err)
{
  uint32_t k = query->motif->k;
  const char *other = o->match_size ? "match_size"
                      : o->keep_q   ? "keep_q"
                      : o->profile  ? "profile"
                                    : NULL;
  if (other)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` is for one size of matches, and `max_missing` and `max_extra` allow "
                   "several; leave out `%s`",
                   other, other);
  if (o->max_missing >= k)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`max_missing` is %u, and a match fills at least one of the slots (k = %u); allow at "
        "most %u",
        o->max_missing, k, k - 1);
  if (o->max_extra > MS_MAX_K - k)
    return ms_fail(err, MS_ERR_USAGE,
                   "`max_extra` is %u, which makes matches of more than %u vertices; allow at most "
                   "%u",
                   o->max_extra, MS_MAX_K, MS_MAX_K - k);
  ms_screen_options of_level = *o;
  of_level.max_missing = of_level.max_extra = 0;
  of_level.nearest_only = of_level.costs = false;
  return ms_screen_check_options(query, &of_level, err);
}

/* ---- one level ------------------------------------------------------------------- */

static ms_status screen_level(const ms_query *query, const ms_screen_options *options,
                              uint32_t missing, uint32_t extra, const uint8_t *known,
                              ms_budget *budget, ms_screen_result **out, ms_error *err)
{
  const ms_motif *motif = query->motif;
  uint32_t count[MS_MAX_K];
  ms_motif *variant;
  ms_query level = *query;
  ms_screen_options o = *options;
  *out = NULL;
  for (uint32_t c = 0; c < motif->n_classes; c++)
    count[c] = motif->class_[c].count;
  MS_TRY(ms_motif_variant_new(motif, count, extra, &variant, err));
  level.motif = variant;
  o.max_missing = o.max_extra = 0;
  o.nearest_only = o.costs = false;
  o.match_size = motif->k - missing + extra;
  ms_status status = ms_screen_known(&level, &o, known, budget, out, err);
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
static void add_level(ms_screen_result *all, const ms_screen_result *level, uint32_t missing,
                      uint32_t extra)
{
  for (uint32_t v = 0; v < all->n; v++) {
    all->vertices_kept += level->kept[v] && !all->kept[v];
    all->kept[v] |= level->kept[v];
    if (all->hits[v] || !level->hits[v])
      continue;
    all->hits[v] = level->hits[v];
    all->missing[v] = (uint8_t)missing;
    all->extra[v] = (uint8_t)extra;
    all->flagged++;
  }
  all->stopped = level->stopped;
  all->time_prune += level->time_prune;
  all->time_sieve += level->time_sieve;
  all->points += level->points;
  all->work.visits += level->work.visits;
  all->work.points += level->work.points;
  all->work.bytes_moved += level->work.bytes_moved;
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
  return first->missing && first->extra ? MS_OK : ms_fail_memory(err, "the result");
}

/* A vertex is missed at the level of its nearest match, or not at all. */
static void finish_levels(ms_screen_result *all, uint32_t k)
{
  double any = (double)all->vertices_kept * all->miss_bound;
  all->k = k;
  all->settled = all->vertices_kept;
  all->miss_bound_union = fmin(1, nextafter(any, any * 2));
  if (all->stopped != MS_OK && all->exact)
    all->miss_bound = all->miss_bound_union = 1;
}

static bool is_near_enough(const ms_screen_options *o, const ms_screen_result *all)
{
  return o->nearest_only && all && all->flagged > 0;
}

static ms_status screen_levels(const ms_query *query, const ms_screen_options *o, ms_budget *budget,
                               ms_screen_result **out, ms_error *err)
{
  ms_screen_result *all = NULL;
  uint32_t most = o->max_missing + o->max_extra;
  *out = NULL;
  MS_TRY(check_options(query, o, err));
  uint8_t *known = ms_calloc(query->graph->n, 1);
  ms_status status = known ? MS_OK : ms_fail_memory(err, "the flags");
  for (uint32_t cost = 0; status == MS_OK && cost <= most && !is_near_enough(o, all); cost++)
    for (uint32_t missing = 0; status == MS_OK && missing <= cost; missing++) {
      ms_screen_result *level = NULL;
      if (missing > o->max_missing || cost - missing > o->max_extra ||
          (all && (all->stopped != MS_OK || all->flagged == all->n)))
        continue;
      status = screen_level(query, o, missing, cost - missing, known, budget, &level, err);
      if (status == MS_OK && !all) {
        all = level;
        status = begin_levels(all, err);
      } else if (status == MS_OK) {
        if (is_worse(level, all))
          take_description(all, level);
        add_level(all, level, missing, cost - missing);
        ms_screen_result_free(level);
      }
      for (uint32_t v = 0; status == MS_OK && v < all->n; v++)
        known[v] = all->hits[v] > 0;
    }
  ms_free(known);
  if (status == MS_OK) {
    finish_levels(all, query->motif->k);
    *out = all;
  } else {
    ms_screen_result_free(all);
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
  ms_budget_open(&budget, o->memory);
  return ms_screen_is_nearest(o) ? screen_levels(query, o, &budget, out, err)
                                 : ms_screen_within(query, o, &budget, out, err);
}
