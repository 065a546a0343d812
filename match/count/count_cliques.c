#include "match/count/count_methods.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_run.h"
#include "match/count/leaves.h"
#include "match/cpu/cliques/cliques.h"

#include <math.h>
#include <string.h>

/* The first look at how long pivots take is after this share of the steps of a search, and later
 * ones each time that the steps have doubled.  So at worst pivots take as long as the search that
 * follows them, and mostly a 64th or a 32nd of it. */
#define FIRST_LOOK (1.0 / 64)
/* Steps of the first look at least. */
#define LEAST_LOOK 2.5e5
/* Vertices are put in order only where a search takes so many times as long. */
#define ORDER_SHARE 4.0
/* Large cliques are counted without a look at a search if pivots take at most so many times the
 * steps of that order. */
#define AT_ONCE 8.0
/* An estimate gives a tree up that takes so many times the steps that were meant for all. */
#define ESTIMATE_PATIENCE 16.0

/* Cliques of one size. */
typedef struct ms_clique_count {
  const ms_count_query *query;
  ms_cliques_task task;
  ms_cliques *cliques;
  double most;  /* steps that pivots may take to be shorter than a search */
  bool goes_on; /* what is counted is right, and roots are left */
} ms_clique_count;

void ms_clique_count_free(ms_clique_count *k)
{
  if (k)
    ms_cliques_free(k->cliques);
  ms_free(k);
}

/* Puts the vertices in order. */
static ms_status open_cliques(const ms_count_query *q, ms_count_case *of, ms_error *err)
{
  ms_clique_count *k = of->cliques = ms_calloc(1, sizeof *k);
  if (!k)
    return ms_fail_memory(err, "a count of cliques");
  k->query = q;
  k->task = (ms_cliques_task){.index = q->index,
                              .domain = of->of.domain,
                              .least = of->shape.n,
                              .most = of->shape.n,
                              .stop = q->stop,
                              .budget = q->budget};
  return ms_cliques_new(&k->task, &k->cliques, err);
}

static ms_status begin_cliques(const ms_clique_count *k, int threads, const ms_share *share,
                               ms_error *err)
{
  const ms_count_query *q = k->query;
  ms_cliques_run run = {.threads = threads, .share = share};
  if (!q->estimate) {
    run.progress = q->progress;
    run.progress_user = q->progress_user;
  }
  return ms_cliques_begin(k->cliques, &run, err);
}

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

/* Adds the maps of what was counted. */
static ms_status add_maps(const ms_clique_count *k, mpz_t maps, ms_error *err)
{
  uint32_t n = k->task.most;
  mpz_t sum[MS_MAX_PATTERN + 1], factor;
  mpz_init(factor);
  mpz_init(sum[n]);
  ms_status status = ms_cliques_add(k->cliques, sum, err);
  mpz_fac_ui(factor, n);
  mpz_addmul(maps, sum[n], factor);
  mpz_clear(sum[n]);
  mpz_clear(factor);
  ms_cliques_add_work(k->cliques, k->query->work);
  return status;
}

/* Ends a count or an estimate.  Without memory another way counts, but in shares, which would not
 * all do the same. */
static ms_status end_cliques(const ms_counter *c, ms_count_case *of, ms_status status,
                             const ms_error *failure)
{
  ms_clique_count_free(of->cliques);
  of->cliques = NULL;
  if (status == MS_ERR_MEMORY && !c->query->leaves) {
    of->declined = true;
    return MS_OK;
  }
  if (status != MS_OK && c->err)
    *c->err = *failure;
  return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Goes on as long as pivots are expected to need fewer than `most` further steps.  *done: all is
 * counted; k->goes_on: a later call may go on. */
static ms_status race(ms_clique_count *k, double most, bool *done, ms_error *err)
{
  double round = fmax(most * FIRST_LOOK, LEAST_LOOK);
  bool lost = false;
  do {
    MS_TRY(ms_cliques_go_on(k->cliques, round, most, done, &lost, err));
    *done = *done && !lost;
    round = ms_cliques_spent(k->cliques);
  } while (!*done && !lost && ms_cliques_left(k->cliques) < most);
  k->goes_on = !*done && !lost;
  return MS_OK;
}

/* Estimates the steps on one thread, so that each share of a count finds the same.  INFINITY: more
 * than is worth an estimate. */
static ms_status estimate_steps(const ms_clique_count *k, double most, double *steps, ms_error *err)
{
  double round = fmin(fmax(most * FIRST_LOOK, LEAST_LOOK), fmax(k->query->effort.most, LEAST_LOOK));
  bool done, lost;
  MS_TRY(begin_cliques(k, 1, NULL, err));
  MS_TRY(ms_cliques_go_on(k->cliques, round, ESTIMATE_PATIENCE * round, &done, &lost, err));
  *steps = lost ? INFINITY : ms_cliques_spent(k->cliques) + ms_cliques_left(k->cliques);
  return MS_OK;
}

/* Returns the steps that pivots may take before a search for a large clique is planned, because the
 * probe of a plan may take longer than all pivots. */
static double steps_at_once(const ms_count_query *q)
{
  double orders = q->leaves ? 1 : AT_ONCE; /* each share tries anew */
  return fmax(orders * ms_cliques_order_steps(q->index), LEAST_LOOK);
}

/* Returns the steps that pivots may take to be shorter than the search by this plan, on processors
 * or, where that is chosen, on query->large; 0: they are not tried. */
static double most_by_pivots(const ms_counter *c, const ms_count_plan *plan)
{
  const ms_count_query *q = c->query;
  ms_count_report with = c->report;
  double most = plan->cost;
  if (ms_hooks.count_clique_weight <= 0)
    return INFINITY;
  ms_count_report_plan(q, plan, &with);
  if (ms_count_goes_to_large(q, &with))
    most =
        fmin(most, ms_count_speedup(q) * (q->large_start + with.large_work - c->report.large_work));
  most /= ms_hooks.count_clique_weight;
  bool pays = most > ms_hooks.probe_steps && most > ORDER_SHARE * ms_cliques_order_steps(q->index);
  return pays ? most : 0;
}

/* Notes what pivots take, and the search: 0, if it was not planned. */
static void report_pivots(ms_counter *c, double pivots, double search, bool used)
{
  if (used)
    ms_count_report_steps(pivots, &c->report);
  c->report.pivots = pivots;
  c->report.instead_of = search;
  c->report.used_pivots = used;
}

/* ---- the count ------------------------------------------------------------------------------- */

/* Returns a checksum of what is counted. */
static uint32_t leaf_sum_of(const ms_clique_count *k)
{
  const ms_cliques_task *t = &k->task;
  const ms_domain *d = t->domain;
  const uint64_t facts[] = {t->most, t->index->n, t->index->arcs, d->lo, d->hi, d->count};
  uint32_t sum = ms_crc32c(ms_crc32c(0, "cliques", strlen("cliques")), facts, sizeof facts);
  return d->bits ? ms_crc32c(sum, d->bits, t->index->words * sizeof *d->bits) : sum;
}

/* True if an earlier share has found that pivots count; then the report says the same. */
static bool is_known(ms_counter *c, const ms_clique_count *k)
{
  const ms_count_leaves *leaves = k->query->leaves;
  const ms_count_choices *choices = leaves ? leaves->choices : NULL;
  bool known = choices && choices->pivots > 0 && choices->cliques == leaf_sum_of(k);
  if (known)
    report_pivots(c, choices->pivots, choices->instead_of, true);
  return known;
}

/* Counts a share; an ms_count_leaf_fn. */
static ms_status count_share(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  const ms_clique_count *k = user;
  bool done, lost;
  MS_TRY(begin_cliques(k, k->query->threads, share, err));
  ms_status status = ms_cliques_go_on(k->cliques, INFINITY, INFINITY, &done, &lost, err);
  ms_status added = add_maps(k, maps, err);
  return status == MS_OK ? added : status;
}

/* Counts the share of the leaves, and keeps the choice for later ones. */
static ms_status count_leaf(ms_counter *c, ms_clique_count *k, mpz_t maps)
{
  ms_count_choices *choices = c->query->leaves->choices;
  uint32_t sum = leaf_sum_of(k);
  if (choices) {
    choices->cliques = sum;
    choices->pivots = c->report.pivots;
    choices->instead_of = c->report.instead_of;
  }
  return ms_count_run_leaf(c->query, sum, count_share, k, maps, c->err);
}

/* Counts in rounds, each of which is followed by a look whether it still pays. */
static ms_status count_in_rounds(ms_counter *c, ms_count_case *of, mpz_t maps)
{
  ms_clique_count *k = of->cliques;
  bool counted = false;
  if (!k->goes_on)
    MS_TRY(begin_cliques(k, c->query->threads, NULL, c->err));
  ms_status status = race(k, k->most, &counted, c->err);
  bool stopped = is_stop(status);
  if (status != MS_OK && !stopped)
    return status;
  double spent = ms_cliques_spent(k->cliques);
  of->declined = !counted && !stopped;
  report_pivots(c, counted ? spent : spent + ms_cliques_left(k->cliques),
                isinf(k->most) ? 0 : k->most, counted || stopped);
  ms_status added = counted || stopped ? add_maps(k, maps, c->err) : MS_OK;
  return status == MS_OK ? added : status;
}

/* Shares, estimates and explanations are decided by an estimate, other counts by a race. */
ms_status ms_pivots_estimate(ms_counter *c, ms_count_case *of, bool *pays)
{
  const ms_count_query *q = c->query;
  ms_error failure = {0};
  double most = ms_count_may_pivot(q, &of->shape) ? most_by_pivots(c, &of->plan) : 0;
  if (most > 0 && c->explains && of->shape.n > MS_COUNT_SMALL)
    most = fmax(most, steps_at_once(q));
  if (most <= 0)
    return MS_OK;
  ms_status status = of->cliques ? MS_OK : open_cliques(q, of, &failure);
  if (status == MS_OK && (q->leaves || q->estimate || c->explains)) {
    status = estimate_steps(of->cliques, most, &of->steps, &failure);
    *pays = status == MS_OK && of->steps < most;
    if (status == MS_OK)
      report_pivots(c, of->steps, isinf(most) ? 0 : most, *pays);
  } else {
    *pays = status == MS_OK;
  }
  if (!*pays)
    return end_cliques(c, of, status, &failure);
  of->cliques->most = most;
  return MS_OK;
}

ms_status ms_pivots_count(ms_counter *c, ms_count_case *of, mpz_t maps)
{
  ms_error failure = {0}, *err = c->err;
  ms_status status = MS_OK;
  c->err = &failure;
  if (c->query->leaves)
    status = count_leaf(c, of->cliques, maps);
  else if (!c->query->estimate)
    status = count_in_rounds(c, of, maps);
  c->err = err;
  return end_cliques(c, of, status, &failure);
}

/* ---- at once --------------------------------------------------------------------------------- */

/* An explanation is of what the plan's pivots say. */
ms_status ms_pivots_at_once_estimate(ms_counter *c, ms_count_case *of, bool *pays)
{
  const ms_count_query *q = c->query;
  *pays = ms_hooks.count_clique_weight > 0 && !c->explains &&
          (of->shape.n > MS_COUNT_SMALL || q->leaves) && ms_count_may_pivot(q, &of->shape);
  return MS_OK;
}

/* Tries pivots.  *counted: they have counted everything, or an estimate or shares may go by it. */
static ms_status try_at_once(ms_counter *c, ms_clique_count *k, bool *counted)
{
  const ms_count_query *q = c->query;
  *counted = is_known(c, k);
  if (*counted)
    return MS_OK;
  /* shares try on one thread, so that they all find the same */
  MS_TRY(begin_cliques(k, q->leaves ? 1 : q->threads, NULL, c->err));
  MS_TRY(race(k, steps_at_once(q), counted, c->err));
  if (*counted)
    report_pivots(c, ms_cliques_spent(k->cliques), 0, true);
  return MS_OK;
}

ms_status ms_pivots_at_once_count(ms_counter *c, ms_count_case *of, mpz_t maps)
{
  const ms_count_query *q = c->query;
  bool counted = false;
  ms_error failure = {0}, *err = c->err;
  c->err = &failure;
  ms_status status = open_cliques(q, of, &failure);
  if (status == MS_OK)
    status = try_at_once(c, of->cliques, &counted);
  of->declined = !counted;
  if (status == MS_OK && counted && q->leaves)
    status = count_leaf(c, of->cliques, maps);
  else if (status == MS_OK && counted && !q->estimate)
    status = add_maps(of->cliques, maps, &failure);
  else if (is_stop(status) && of->cliques->cliques && !q->leaves && !q->estimate)
    (void)add_maps(of->cliques, maps, NULL); /* a lower bound */
  c->err = err;
  if (status == MS_OK && of->cliques->goes_on && !q->leaves && !q->estimate)
    return MS_OK; /* it goes on if no search is shorter */
  return end_cliques(c, of, status, &failure);
}
