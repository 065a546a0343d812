/* ms_list_chance: whether a motif has more matches, or more vertices in matches, than by chance.
 *
 * The mean and the variance by formula are those of significance/moments.h.  Permutations are
 * counted side by side, one a thread, with the exact counts of ms_list and the exact flags of
 * ms_screen. */
#include "run/run.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/content.h"
#include "run/write/write_permutations.h"
#include "significance/moments.h"
#include "significance/permute/permute_sum.h"
#include "significance/tails.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Permutations between two looks at the progress, at most, and in one round at first, if the state
 * of the run is saved: the next round takes about the time between two savings. */
#define ROUND 64u
#define RANGE_SECONDS 0.5 /* of a range of permutations of a rank, about */

/* A permutation that was counted, or not. */
typedef struct permuted {
  ms_status status;
  uint64_t count;
  ms_null_trace trace;
  ms_error err;
} permuted;

typedef struct chance {
  const ms_query *query;
  const ms_list_options *list;
  const ms_permutation_options *options;
  ms_list_significance *out;
  ms_census_graph *ranks;
  uint16_t *label; /* [n] */
  ms_null *null;
  uint64_t first, wanted; /* the first permutation of the part, and how many it has */
  bool is_part;
  permuted *round;  /* [ROUND] */
  ms_permuted sum;  /* of one motif */
  ms_sum_run units; /* which are permutations: unit 0 is `first` */
  /* The permutations that are being counted, from number `from` on, and their sum. */
  ms_permuted *into;
  uint64_t from;
  ms_permutation_result *permutations; /* those that are done, as of a census of one motif */
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
  o.engine = "cpu";
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

static ms_status count_colors(const chance *c, uint64_t number, permuted *p)
{
  ms_query query = *c->query;
  ms_coloring coloring;
  uint32_t *from = ms_alloc(c->query->graph->n, sizeof *from);
  if (!from)
    return ms_fail_memory(&p->err, "a permutation");
  ms_status status = ms_null_from(c->null, number, from, &p->trace, &p->err);
  if (status == MS_OK)
    status = ms_permute_colors(c->query->coloring, from, &coloring, &p->err);
  ms_free(from);
  if (status != MS_OK)
    return status;
  query.coloring = &coloring;
  query.holders = NULL;
  status = count(c, &query, 1, &p->count, &p->err);
  ms_permuted_colors_free(&coloring);
  return status;
}

static ms_status count_rewired(const chance *c, uint64_t number, permuted *p)
{
  ms_query query = *c->query;
  ms_graph *graph;
  ms_coloring coloring = *c->query->coloring;
  coloring.graph_serial = 0; /* the colours of the original graph fit */
  MS_TRY(ms_null_graph(c->null, number, &graph, &p->trace, &p->err));
  query.graph = graph;
  query.coloring = &coloring;
  query.holders = NULL;
  ms_status status = count(c, &query, 1, &p->count, &p->err);
  ms_graph_free(graph);
  return status;
}

static void count_range(void *user, ms_range range)
{
  chance *c = user;
  uint64_t number = c->from + c->into->done;
  ms_stop *before = ms_stop_enter(c->list->screen.run.stop);
  for (uint64_t i = range.begin; i < range.end; i++) {
    permuted *p = &c->round[i];
    *p = (permuted){.status = ms_stop_check(ms_stop_current())};
    if (p->status != MS_OK)
      ms_fail(&p->err, p->status, "stopped between permutations");
    else
      p->status = ms_null_rewires(c->options->null_kind) ? count_rewired(c, number + i, p)
                                                         : count_colors(c, number + i, p);
  }
  ms_stop_leave(before);
}

/* Adds a permutation to the sums. */
static ms_status add_count(chance *c, const permuted *p, ms_error *err)
{
  if (!ms_permuted_count(c->into, &p->count, &c->out->observed, &p->trace))
    return ms_fail(err, MS_ERR_USAGE,
                   "the squares of the numbers of matches are too large for their sum; choose a "
                   "smaller motif");
  return MS_OK;
}

/* Counts `size` permutations side by side. */
static ms_status run_round(chance *c, uint64_t size, ms_error *err)
{
  ms_parallel(ms_threads(c->list->screen.run.threads), size, 1, count_range, c);
  for (uint64_t i = 0; i < size; i++) {
    const permuted *p = &c->round[i];
    if (p->status != MS_OK) { /* those of lower numbers count */
      if (err)
        *err = p->err;
      return p->status;
    }
    MS_TRY(add_count(c, p, err));
  }
  return MS_OK;
}

/* Returns the size of the round after one that took so many seconds: with a checkpoint, no round
 * takes much longer than the time between two savings, unless one permutation of each thread does.
 */
static uint64_t next_round(const chance *c, uint64_t size, double seconds)
{
  uint64_t threads = (uint64_t)ms_threads(c->list->screen.run.threads);
  double next = ROUND;
  if (c->units.log)
    next = (double)size * ms_unit_log_often(c->units.log) / fmax(seconds, 1e-3);
  next = fmax(next, (double)threads);
  return next < ROUND ? (uint64_t)next : ROUND;
}

/* Counts the permutations below number `end`, into c->into. */
static ms_status run_all(chance *c, uint64_t end, ms_error *err)
{
  const ms_screen_options *screen = &c->list->screen;
  const ms_permuted *into = c->into;
  bool is_whole = into == &c->sum;
  uint64_t next = c->units.log && is_whole ? 1 : ROUND;
  while (c->from + into->done < end) {
    uint64_t left = end - c->from - into->done, size = left < next ? left : next;
    double begin = ms_seconds();
    if (into->done > 0 && is_whole)
      ms_limits_report(&screen->run, "permutations", into->done, c->wanted);
    ms_status status = run_round(c, size, err);
    if (is_whole)
      ms_sum_note(&c->units, into->done);
    MS_TRY(status);
    next = next_round(c, size, ms_seconds() - begin);
  }
  return MS_OK;
}

/* ---- the sum (parts/sum.h) -------------------------------------------------------------- */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const chance *c = run;
  const ms_query *q = c->query;
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(q->graph), err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(q->coloring), err));
  MS_TRY(ms_identity_text(id, "motif", ms_motif_text(q->motif), err));
  MS_TRY(ms_identity_text(id, "statistic", c->list->participation ? "vertices" : "matches", err));
  return ms_permuted_identify(&c->sum, c->options, id, err);
}

/* Counts the permutations of a range into a sum of their own. */
static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  chance *c = run;
  ms_permuted part;
  (void)opinion;
  ms_status status = ms_permuted_open(&part, 1, 0, err);
  c->into = &part;
  c->from = c->first + share->first;
  if (status == MS_OK)
    status = run_all(c, c->first + share->last, err);
  if (status == MS_OK)
    ms_permuted_put(&part, out);
  ms_permuted_close(&part);
  return status;
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  chance *c = run;
  (void)enough;
  return ms_permuted_add(&c->sum, last - first, bytes, err);
}

static void save(void *run, ms_bytes *out)
{
  const chance *c = run;
  ms_permuted_put(&c->sum, out);
}

static const ms_sum_kind permutations_of_motif = {.name = "permutations of one motif",
                                                  .units = "permutations",
                                                  .identify = identify,
                                                  .put = put,
                                                  .add = add,
                                                  .save = save};

static ms_status count_permutations(chance *c, ms_error *err)
{
  const ms_division *d = c->list->division;
  if (d) {
    c->units = (ms_sum_run){.kind = &permutations_of_motif,
                            .run = c,
                            .division = d,
                            .units = c->wanted,
                            .limits = c->list->screen.run,
                            .job.seconds = RANGE_SECONDS};
    MS_TRY(ms_sum_open(&c->units, err));
    c->units.part = ms_share_of_range(0, UINT64_MAX); /* the units are those of the part */
    if (d->crew)
      return ms_sum_all(&c->units, err);
  }
  c->into = &c->sum;
  c->from = c->first;
  ms_status status = run_all(c, c->first + c->wanted, err);
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    ms_sum_save(&c->units);
  return status;
}

/* Says what the permutations show; of a part, also their sums. */
static ms_status finish(const chance *c, ms_error *err)
{
  ms_list_significance *out = c->out;
  ms_permutation_result *r = c->permutations;
  ms_sums_text sums;
  MS_TRY(ms_permuted_finish(&c->sum, &out->observed, false, r, err));
  out->done = r->done;
  out->n_ge = r->n_ge[0];
  out->n_le = r->n_le[0];
  out->tried = r->tried;
  out->accepted = r->accepted;
  out->deviation = r->deviation;
  out->run.resumed = c->units.resumed;
  out->permuted_expected = r->expected[0];
  out->permuted_sd = r->sd[0];
  out->permuted_z = r->z[0];
  out->permuted_p = r->p[0];
  out->permuted_p_less = r->p_less[0];
  if (!c->is_part)
    return MS_OK;
  ms_sums_write(c->sum.sum, out->n_ge, out->n_le, &sums);
  snprintf(out->part_sum, sizeof out->part_sum, "%s", sums.text[0]);
  snprintf(out->part_squares, sizeof out->part_squares, "%s", sums.text[1]);
  return MS_OK;
}

static ms_status permute(chance *c, ms_error *err)
{
  const ms_permutation_options *o = c->options;
  ms_error error;
  c->label = ms_alloc(c->query->graph->n, sizeof *c->label);
  c->round = ms_alloc(ROUND, sizeof *c->round);
  if (!c->label || !c->round)
    return ms_fail_memory(err, "permutations");
  for (uint32_t v = 0; v < c->query->graph->n; v++)
    c->label[v] = MS_NO_LABEL;
  for (uint32_t rank = 0; rank < c->ranks->n; rank++)
    c->label[c->ranks->vertex[rank]] = c->ranks->kind[rank];
  MS_TRY(ms_null_open(c->query->graph, c->label, o->null_kind, o->n_strata ? o->stratum : NULL,
                      o->seed, &c->null, err));
  const ms_division *division = c->list->division;
  c->out->asked = o->permutations;
  c->is_part = division && division->parts > 0;
  c->wanted = ms_permutations_of_part(c->out->asked, c->is_part ? division->part : 0,
                                      c->is_part ? division->parts : 0, &c->first);
  c->permutations = ms_calloc(1, sizeof *c->permutations);
  if (!c->permutations)
    return ms_fail_memory(err, "permutations");
  MS_TRY(ms_permutation_result_open(c->permutations, 1, false, err));
  MS_TRY(ms_permuted_open(&c->sum, 1, 0, err));
  ms_status status = count_permutations(c, err);
  ms_status finished = finish(c, &error);
  if (finished != MS_OK && err)
    *err = error;
  return finished != MS_OK ? finished : status;
}

/* ---- the call ------------------------------------------------------------------------- */

/* Checks the options, and completes them. */
static ms_status check(const ms_query *query, ms_permutation_options *o, ms_error *err)
{
  o->permutations = o->permutations ? o->permutations : MS_USUAL_PERMUTATIONS;
  if (query->n_required > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "required vertices are no matter of chance; make the query without them");
  if (o->permutations > MS_MOST_PERMUTATIONS)
    return ms_fail(err, MS_ERR_USAGE, "`permutations` is %llu; choose at most %u",
                   (unsigned long long)o->permutations, MS_MOST_PERMUTATIONS);
  if (o->n_strata > 0 && o->n_strata != query->graph->n)
    return ms_fail(err, MS_ERR_USAGE, "`stratum` is of %u vertices, and the graph has %u",
                   o->n_strata, query->graph->n);
  if (o->n_strata > 0 && ms_null_rewires(o->null_kind))
    return ms_fail(err, MS_ERR_USAGE,
                   "rewiring moves no colours, so that `stratum` has no effect; leave one out");
  return MS_OK;
}

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
  MS_TRY(ms_division_take(&o.division, &division, err));
  if (!permutations)
    MS_TRY(ms_division_refuse(o.division, "a significance without permutations", err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, permutations, &q, err));
  MS_TRY(check(query, &q, err));
  *out = (ms_list_significance){.by_formula = by_formula};
  chance c = {.query = query, .list = &o, .options = &q, .out = out};
  ms_stop *before = ms_stop_enter(o.screen.run.stop);
  ms_status status = find_all(&c, by_formula, permutations != NULL, err);
  ms_stop_leave(before);
  /* what permutations were done before a stop remains */
  if ((status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) && out->done > 0) {
    out->run.stopped = status;
    status = MS_OK;
  }
  out->run.time_checkpoint = ms_sum_seconds(&c.units);
  ms_sum_close(&c.units);
  ms_permuted_close(&c.sum);
  ms_permutation_result_free(c.permutations);
  ms_null_free(c.null);
  ms_free(c.label);
  ms_free(c.round);
  ms_census_graph_free(c.ranks);
  return status;
}
