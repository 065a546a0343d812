/* ms_list_chance: whether a motif has more matches, or more vertices in matches, than by chance.
 *
 * The mean and the variance by formula are those of significance/moments.h.  Permutations are
 * counted side by side, one a thread, with the exact counts of ms_list and the exact flags of
 * ms_screen. */
#include "run/run.h"

#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "parts/log.h"
#include "run/write/write_permutations.h"
#include "significance/moments.h"
#include "significance/permute/permute_each.h"
#include "significance/tails.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct chance {
  const ms_query *query;
  const ms_list_options *list;
  const ms_permutation_options *options;
  ms_list_significance *out;
  ms_census_graph *ranks;
} chance;

/* ---- counts -------------------------------------------------------------------------- */

/* Searches for a match of one vertex after the other, which is far less work than counting the
 * matches that each is in. */
static ms_status count_vertices(const chance *c, const ms_query *query, int threads, uint64_t *out,
                                ms_error *err)
{
  ms_screen_result *result;
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  o.method = MS_METHOD_EXACT;
  o.run.threads = threads;
  o.run.memory = c->list->screen.run.memory;
  o.run.stop = c->list->screen.run.stop;
  MS_TRY(ms_screen(query, &o, &result, err));
  ms_status status = result->run.stopped;
  *out = result->flagged;
  ms_screen_result_free(result);
  return status == MS_OK ? MS_OK
                         : ms_fail(err, status,
                                   "stopped while the vertices in matches were counted, which is "
                                   "done exactly; allow more time, or choose a smaller motif");
}

static ms_status count_matches(const chance *c, const ms_query *query, int threads, uint64_t *out,
                               ms_error *err)
{
  ms_list_result *result;
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  o.exact = o.count_only = true;
  o.screen.run.engine = "cpu";
  o.screen.run.threads = threads;
  o.screen.run.memory = c->list->screen.run.memory;
  o.screen.run.stop = c->list->screen.run.stop;
  MS_TRY(ms_list(query, &o, &result, err));
  ms_status status = result->run.stopped;
  *out = result->matches;
  ms_list_result_free(result);
  return status == MS_OK ? MS_OK
                         : ms_fail(err, status,
                                   "stopped while matches were counted; allow more time, or choose "
                                   "a smaller motif");
}

/* Counts exactly; fails if it was stopped, with the status of the stop. */
static ms_status count(const chance *c, const ms_query *query, int threads, uint64_t *out,
                       ms_error *err)
{
  return c->list->participation ? count_vertices(c, query, threads, out, err)
                                : count_matches(c, query, threads, out, err);
}

/* ---- moments ------------------------------------------------------------------------- */

/* Returns why there are no moments; NULL: there are. */
static const char *why_not(const chance *c)
{
  const ms_motif *motif = c->query->motif;
  if (c->list->participation)
    return "there is no formula for vertices in matches";
  if (motif->k < 2 || motif->k > MS_MAX_CENSUS)
    return "the formula is for motifs of 2 to 8 vertices";
  for (uint32_t i = 0; i < motif->n_classes; i++)
    if (motif->class_[i].color >= MS_CONDITION)
      return "the formula is for motifs without wildcards and conditions";
  return c->ranks->single ? NULL
                          : "the formula is for vertices of one colour, and some have several";
}

/* Fills class_[n_classes] with the slots of each colour and the vertices that have it. */
static void count_holders(const chance *c, ms_color_class *class_)
{
  const ms_motif *motif = c->query->motif;
  const ms_census_graph *g = c->ranks;
  for (uint32_t i = 0; i < motif->n_classes; i++) {
    class_[i] = (ms_color_class){.slots = motif->class_[i].count};
    for (uint32_t rank = 0; rank < g->n; rank++)
      class_[i].holders += g->color[g->kind[rank]] == motif->class_[i].color;
  }
}

static ms_status find_moments(chance *c, ms_error *err)
{
  ms_list_significance *out = c->out;
  ms_overlaps overlaps;
  ms_moment_maker maker;
  ms_moments moments;
  ms_tails tails;
  ms_color_class class_[MS_MAX_K];
  ms_budget budget;
  out->moments_reason = why_not(c);
  if (out->moments_reason)
    return MS_OK;
  ms_budget_open(&budget, c->list->screen.run.memory);
  ms_overlaps_options o = {.k = c->query->motif->k,
                           .seed = MS_DEFAULT_SEED,
                           .run = c->list->screen.run,
                           .budget = &budget};
  MS_TRY(ms_overlaps_count(c->ranks, &o, &overlaps, err));
  ms_moment_maker_open(&maker, &overlaps);
  count_holders(c, class_);
  ms_moments_of(&maker, class_, c->query->motif->n_classes, &moments);
  ms_tails_of(&moments, out->observed, &tails);
  out->has_moments = true;
  out->expected = moments.mean;
  out->sd = moments.variance > 0 ? sqrt(moments.variance) : 0;
  out->z = tails.z;
  out->p = tails.p;
  out->p_less = tails.p_less;
  out->p_by = tails.by;
  out->exact = overlaps.exact;
  out->error = moments.variance > 0 ? moments.variance_error / moments.variance / 2 : 0;
  return MS_OK;
}

/* ---- permutations -------------------------------------------------------------------- */

/* Counts the motif in a permuted graph. */
static ms_status count_permuted(void *user, const ms_graph *graph, const ms_coloring *coloring,
                                uint64_t *number, ms_error *err)
{
  const chance *c = user;
  ms_query query = *c->query;
  query.graph = graph;
  query.coloring = coloring;
  query.holders = NULL;
  return count(c, &query, 1, number, err);
}

static ms_status identify(void *user, ms_identity *id, ms_error *err)
{
  const chance *c = user;
  MS_TRY(ms_identity_text(id, "motif", ms_motif_text(c->query->motif), err));
  return ms_identity_text(id, "statistic", c->list->participation ? "vertices" : "matches", err);
}

/* Says what the permutations show; of a part, also their sums. */
static void take_permutations(ms_list_significance *out, const ms_permutation_result *r)
{
  ms_sums_text sums;
  out->done = r->done;
  out->n_ge = r->n_ge[0];
  out->n_le = r->n_le[0];
  out->tried = r->tried;
  out->accepted = r->accepted;
  out->deviation = r->deviation;
  out->run.resumed = r->run.resumed;
  out->run.time_checkpoint = r->run.time_checkpoint;
  out->run.stopped = r->run.stopped;
  out->permuted_expected = r->expected[0];
  out->permuted_sd = r->sd[0];
  out->permuted_z = r->z[0];
  out->permuted_p = r->p[0];
  out->permuted_p_less = r->p_less[0];
  if (!r->sum)
    return;
  ms_sums_write(r->sum, out->n_ge, out->n_le, &sums);
  snprintf(out->part_sum, sizeof out->part_sum, "%s", sums.text[0]);
  snprintf(out->part_squares, sizeof out->part_squares, "%s", sums.text[1]);
}

static ms_status permute(chance *c, ms_error *err)
{
  ms_permutation_result *r;
  const ms_permute_each each = {.name = "permutations of one motif",
                                .graph = c->query->graph,
                                .coloring = c->query->coloring,
                                .options = c->options,
                                .limits = &c->list->screen.run,
                                .numbers = 1,
                                .observed = &c->out->observed,
                                .user = c,
                                .count = count_permuted,
                                .identify = identify};
  c->out->asked = c->options->permutations;
  MS_TRY(ms_permute_each_run(&each, &r, err));
  take_permutations(c->out, r);
  ms_permutation_result_free(r);
  return c->out->done > 0 ? MS_OK : c->out->run.stopped;
}

/* ---- the call ------------------------------------------------------------------------- */

static ms_status find_all(chance *c, bool by_formula, bool permutes, ms_error *err)
{
  ms_census_options census = MS_CENSUS_OPTIONS_DEFAULT;
  uint32_t k = c->query->motif->k;
  census.k = k < 2 ? 2 : k > MS_MAX_CENSUS ? MS_MAX_CENSUS : k;
  census.run.threads = c->list->screen.run.threads;
  MS_TRY(ms_census_graph_new(c->query->graph, c->query->coloring, &census, &c->ranks, err));
  MS_TRY(count(c, c->query, c->list->screen.run.threads, &c->out->observed, err));
  c->out->moments_reason = "the formula was not asked for";
  if (by_formula)
    MS_TRY(find_moments(c, err));
  return permutes ? permute(c, err) : MS_OK;
}

ms_status ms_list_chance(const ms_query *query, const ms_list_options *list, bool by_formula,
                         const ms_permutation_options *permutations, ms_list_significance *out,
                         ms_error *err)
{
  ms_list_options o;
  ms_permutation_options q;
  ms_division division;
  MS_REQUIRE(query, err);
  MS_REQUIRE(out, err);
  MS_TRY(ms_options_take(&ms_list_options_kind, list, &o, err));
  MS_TRY(ms_division_take(&o.screen.run.division, &division, err));
  if (!permutations)
    MS_TRY(ms_division_refuse(o.screen.run.division, "a significance without permutations", err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, permutations, &q, err));
  if (query->n_required > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "required vertices are no matter of chance; make the query without them");
  const char *engine = o.screen.run.engine;
  bool elsewhere = engine && strcmp(engine, "cpu") != 0 && strcmp(engine, "auto") != 0;
  if (elsewhere || o.screen.run.n_devices > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` has no effect on statistics of matches, which processors "
                   "count; leave it out",
                   elsewhere ? "engine" : "devices");
  MS_TRY(ms_permute_each_check(query->graph, true, &q, o.screen.run.division, err));
  *out = (ms_list_significance){.by_formula = by_formula};
  chance c = {.query = query, .list = &o, .options = &q, .out = out};
  ms_stop *before = ms_stop_enter(o.screen.run.stop);
  ms_status status = find_all(&c, by_formula, permutations != NULL, err);
  ms_stop_leave(before);
  ms_census_graph_free(c.ranks);
  return status;
}
