#include "significance/permute/permute_each.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/content.h"
#include "graph/graph.h"
#include "parts/log.h"

#include <math.h>
#include <string.h>

/* Permutations between two looks at the progress, at most, and in one round at first, if the state
 * of the run is saved: the next round takes about the time between two savings. */
#define ROUND 64u
#define RANGE_SECONDS 0.5   /* of a range of permutations of a rank, about */
#define RANGES_OF_MEMBER 4u /* that each member of a crew should have at least */

/* A permutation that was counted, or not. */
typedef struct permuted {
  ms_status status;
  uint64_t *count; /* [numbers] */
  ms_null_trace trace;
  ms_error err;
} permuted;

typedef struct each_run {
  const ms_permute_each *each;
  ms_permutation_result *result;
  uint16_t *label; /* [n] */
  ms_null *null;
  uint64_t first, wanted; /* the first permutation of the part, and how many it has */
  bool is_part;
  permuted *round; /* [ROUND] */
  uint64_t *count; /* [ROUND][numbers] */
  ms_budget own, *budget;
  ms_permuted sum;
  ms_sum_kind kind;
  ms_sum_run units; /* which are permutations: unit 0 is `first` */
  /* The permutations that are being counted, from number `from` on, and their sum. */
  ms_permuted *into;
  uint64_t from;
} each_run;

uint64_t ms_permutations_of_part(uint64_t permutations, uint32_t part, uint32_t parts,
                                 uint64_t *first)
{
  *first = parts > 0 ? permutations * (part - 1u) / parts : 0;
  return parts > 0 ? permutations * part / parts - *first : permutations;
}

ms_status ms_permute_each_check(const ms_graph *graph, bool has_colors, ms_permutation_options *o,
                                const ms_division *division, ms_error *err)
{
  o->permutations = o->permutations ? o->permutations : MS_USUAL_PERMUTATIONS;
  if (o->permutations > MS_MOST_PERMUTATIONS)
    return ms_fail(err, MS_ERR_USAGE, "`permutations` is %llu; choose at most %u",
                   (unsigned long long)o->permutations, MS_MOST_PERMUTATIONS);
  if (!has_colors && o->null_kind != MS_NULL_REWIRE)
    return ms_fail(
        err, MS_ERR_USAGE,
        "without colours, only edges can be random: give colours, or choose the `null_kind` "
        "that rewires edges");
  if (o->n_strata > 0 && o->n_strata != graph->n)
    return ms_fail(err, MS_ERR_USAGE, "`stratum` is of %u vertices, and the graph has %u",
                   o->n_strata, graph->n);
  if (o->n_strata > 0 && ms_null_rewires(o->null_kind))
    return ms_fail(err, MS_ERR_USAGE,
                   "rewiring moves no colours, so that `stratum` has no effect; leave one out");
  if (division && division->parts > 0 && (o->max_t || o->keep_counts > 0))
    return ms_division_refuse_part("permutations of which each one counts, as with `max_t`,", err);
  return MS_OK;
}

/* ---- one permutation ------------------------------------------------------------------- */

/* What counts a permuted graph. */
typedef struct counter {
  const ms_permute_each *each;
  uint64_t *count;
} counter;

static ms_status count_permuted(void *user, const ms_graph *graph, const ms_coloring *coloring,
                                ms_error *err)
{
  const counter *c = user;
  return c->each->count(c->each->user, graph, coloring, c->count, err);
}

static void count_range(void *user, ms_range range)
{
  each_run *r = user;
  uint64_t number = r->from + r->into->done;
  ms_stop *before = ms_stop_enter(r->each->limits->stop);
  for (uint64_t i = range.begin; i < range.end; i++) {
    permuted *p = &r->round[i];
    *p = (permuted){.status = ms_stop_check(ms_stop_current()),
                    .count = r->count + i * r->each->numbers};
    if (p->status != MS_OK)
      ms_fail(&p->err, p->status, "stopped between permutations");
    else
      p->status = ms_permute_make(r->null, r->each->coloring, number + i, &p->trace, count_permuted,
                                  &(counter){r->each, p->count}, &p->err);
  }
  ms_stop_leave(before);
}

/* ---- rounds ---------------------------------------------------------------------------- */

/* Adds the numbers of the next permutation. */
static ms_status add_counts(void *user, const uint64_t *count, const ms_null_trace *trace,
                            ms_error *err)
{
  each_run *r = user;
  if (!ms_permuted_count(r->into, count, r->each->observed, trace))
    return ms_fail(err, MS_ERR_USAGE,
                   "the squares of the numbers of sets or matches are too large for their sum; "
                   "choose a smaller motif or pattern, or lower `k`");
  if (r->into == &r->sum)
    ms_sum_note(&r->units, r->sum.done);
  return MS_OK;
}

/* Counts `size` permutations side by side. */
static ms_status run_round(each_run *r, uint64_t size, ms_error *err)
{
  ms_parallel(ms_threads(r->each->limits->threads), size, 1, count_range, r);
  for (uint64_t i = 0; i < size; i++) {
    const permuted *p = &r->round[i];
    if (p->status != MS_OK) { /* those of lower numbers count */
      if (err)
        *err = p->err;
      return p->status;
    }
    MS_TRY(add_counts(r, p->count, &p->trace, err));
  }
  return MS_OK;
}

/* Returns the size of the round after one that took so many seconds: with a checkpoint, no round
 * takes much longer than the time between two savings, unless one permutation of each thread does.
 */
static uint64_t next_round(const each_run *r, uint64_t size, double seconds)
{
  uint64_t threads = (uint64_t)ms_threads(r->each->limits->threads);
  double next = ROUND;
  if (r->units.log)
    next = (double)size * ms_unit_log_often(r->units.log) / fmax(seconds, 1e-3);
  next = fmax(next, (double)threads);
  return next < ROUND ? (uint64_t)next : ROUND;
}

/* Counts the permutations below number `end`, into r->into. */
static ms_status run_all(each_run *r, uint64_t end, ms_error *err)
{
  const ms_permuted *into = r->into;
  bool is_whole = into == &r->sum;
  uint64_t next = r->units.log && is_whole ? 1 : ROUND;
  const ms_permute_ways *ways = r->each->ways;
  if (ways)
    return ways->run(r->each->user, r->from + into->done, end, is_whole, add_counts, r, err);
  while (r->from + into->done < end) {
    uint64_t left = end - r->from - into->done, size = left < next ? left : next;
    double begin = ms_seconds();
    if (into->done > 0 && is_whole)
      ms_limits_report(r->each->limits, "permutations", into->done, r->wanted);
    MS_TRY(run_round(r, size, err));
    next = next_round(r, size, ms_seconds() - begin);
  }
  return MS_OK;
}

/* ---- the sum (parts/sum.h) -------------------------------------------------------------- */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const each_run *r = run;
  const ms_permute_each *e = r->each;
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(e->graph), err));
  if (e->coloring)
    MS_TRY(
        ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(e->coloring), err));
  MS_TRY(e->identify(e->user, id, err));
  return ms_permuted_identify(&r->sum, e->options, id, err);
}

/* Counts the permutations of a range into a sum of their own. */
static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  each_run *r = run;
  ms_permuted part;
  uint64_t last = share->last, rows = r->sum.rows_kept < last ? r->sum.rows_kept : last;
  (void)opinion;
  ms_status status =
      ms_permuted_open(&part, r->each->numbers, rows > share->first ? rows - share->first : 0, err);
  r->into = &part;
  r->from = r->first + share->first;
  if (status == MS_OK)
    status = run_all(r, r->first + last, err);
  if (status == MS_OK)
    ms_permuted_put(&part, out);
  ms_permuted_close(&part);
  return status;
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  each_run *r = run;
  (void)enough;
  return ms_permuted_add(&r->sum, last - first, bytes, err);
}

static void save(void *run, ms_bytes *out)
{
  const each_run *r = run;
  ms_permuted_put(&r->sum, out);
}

/* Ranges of a crew are whole ones of the caller's ways, if each member has several of them. */
static void cut(each_run *r, const ms_crew *crew)
{
  uint64_t members = crew->members > 0 ? crew->members : 1;
  uint64_t range = r->each->ways ? r->each->ways->range : 0;
  r->units.job.seconds = RANGE_SECONDS;
  r->units.job.whole = r->wanted / members >= RANGES_OF_MEMBER * range ? range : 1;
}

static ms_status count_permutations(each_run *r, ms_error *err)
{
  const ms_division *d = r->each->limits->division;
  r->kind = (ms_sum_kind){.name = r->each->name,
                          .units = "permutations",
                          .identify = identify,
                          .put = put,
                          .add = add,
                          .save = save};
  if (d) {
    r->units = (ms_sum_run){.kind = &r->kind,
                            .run = r,
                            .units = r->wanted,
                            .limits = *r->each->limits,
                            .outcome = &r->result->run};
    MS_TRY(ms_sum_open(&r->units, err));
    r->units.part = ms_share_of_range(0, UINT64_MAX); /* the units are those of the part */
    if (d->crew) {
      cut(r, d->crew);
      return ms_sum_all(&r->units, err);
    }
  }
  r->into = &r->sum;
  r->from = r->first;
  ms_status status = run_all(r, r->first + r->wanted, err);
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    ms_sum_save(&r->units);
  return status;
}

/* ---- the run ---------------------------------------------------------------------------- */

/* Opens the null, of whose vertices each has the number of its list of colours as its label. */
static ms_status open_null(each_run *r, ms_error *err)
{
  const ms_permute_each *e = r->each;
  const ms_permutation_options *o = e->options;
  ms_census_options census = MS_CENSUS_OPTIONS_DEFAULT;
  ms_census_graph *ranks, none = {0};
  census.k = 3;
  census.run.threads = e->limits->threads;
  if (e->coloring)
    MS_TRY(ms_census_graph_new(e->graph, e->coloring, &census, &ranks, err));
  ms_status status = ms_permute_labels(e->graph->n, e->coloring ? ranks : &none, &r->label, err);
  if (e->coloring)
    ms_census_graph_free(ranks);
  MS_TRY(status);
  return (e->directed ? ms_null_open_directed : ms_null_open)(
      e->graph, r->label, o->null_kind, o->n_strata ? o->stratum : NULL, o->seed, &r->null, err);
}

/* Allocates the sums, of which the first `kept` permutations have rows of their own. */
static ms_status open_sums(each_run *r, ms_error *err)
{
  const ms_permutation_options *o = r->each->options;
  uint64_t rows = o->max_t || o->keep_counts > o->permutations ? o->permutations : o->keep_counts;
  uint64_t numbers = r->each->numbers, kept;
  if (__builtin_mul_overflow(rows, numbers * sizeof *r->sum.kept, &kept))
    kept = UINT64_MAX / 2;
  if (!ms_budget_reserve(r->budget, numbers * (sizeof *r->sum.sum + sizeof *r->count) + kept))
    return ms_fail(err, MS_ERR_MEMORY, "%s need more memory; raise `memory`%s",
                   kept == 0  ? "the sums of permutations"
                   : o->max_t ? "the numbers of all permutations, from which `max_t` is computed,"
                              : "the numbers of the permutations to be kept",
                   kept == 0  ? ""
                   : o->max_t ? ", or lower `permutations`"
                              : ", or keep those of fewer permutations");
  return ms_permuted_open(&r->sum, numbers, rows, err);
}

static ms_status open_each(each_run *r, ms_error *err)
{
  const ms_permute_each *e = r->each;
  ms_permutation_result *result = r->result;
  if (!e->ways)
    MS_TRY(open_null(r, err));
  result->asked = e->options->permutations;
  result->classes = e->ways ? e->ways->classes : r->null->classes;
  result->first = r->first;
  MS_TRY(ms_permutation_result_open(result, e->numbers, e->options->max_t, err));
  if (!e->ways) {
    r->round = ms_calloc(ROUND, sizeof *r->round);
    r->count = ms_calloc(ROUND * e->numbers, sizeof *r->count);
    if (!r->round || !r->count)
      return ms_fail_memory(err, "permutations");
  }
  MS_TRY(open_sums(r, err));
  return e->ways ? e->ways->open(e->user, err) : MS_OK;
}

static ms_status finish_each(each_run *r, ms_error *err)
{
  const ms_permutation_options *o = r->each->options;
  ms_permutation_result *result = r->result;
  MS_TRY(ms_permuted_finish(&r->sum, r->each->observed, o->max_t, result, err));
  result->bytes = r->budget->peak;
  if (o->keep_counts > 0) {
    result->kept = result->done < o->keep_counts ? result->done : o->keep_counts;
    result->counts = r->sum.kept;
    r->sum.kept = NULL;
  }
  if (r->is_part) {
    result->sum = r->sum.sum;
    r->sum.sum = NULL;
  }
  return MS_OK;
}

ms_status ms_permute_each_run(const ms_permute_each *each, ms_permutation_result **out,
                              ms_error *err)
{
  const ms_division *d = each->limits->division;
  each_run r = {.each = each, .is_part = d && d->parts > 0};
  ms_error error;
  *out = NULL;
  r.wanted = ms_permutations_of_part(each->options->permutations, r.is_part ? d->part : 0,
                                     r.is_part ? d->parts : 0, &r.first);
  ms_budget_open(&r.own, each->limits->memory);
  r.budget = each->ways ? each->ways->budget : &r.own;
  r.result = ms_calloc(1, sizeof *r.result);
  if (!r.result)
    return ms_fail_memory(err, "the results of permutations");
  ms_status status = open_each(&r, err);
  if (status == MS_OK)
    status = count_permutations(&r, err);
  if ((status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) && r.sum.sum) {
    r.result->run.stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK) {
    status = finish_each(&r, &error);
    if (status != MS_OK && err)
      *err = error;
  }
  ms_sum_close(&r.units);
  ms_permuted_close(&r.sum);
  ms_null_free(r.null);
  ms_free(r.label);
  ms_free(r.round);
  ms_free(r.count);
  if (status == MS_OK)
    *out = r.result;
  else
    ms_permutation_result_free(r.result);
  return status;
}
