#include "match/count/count_methods.h"

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
typedef struct clique_count {
  const ms_count_query *query;
  ms_cliques_task task;
  ms_cliques *cliques;
} clique_count;

static ms_status open_cliques(clique_count *k, const ms_count_query *q, const ms_shape *shape,
                              const ms_domain *domain, ms_error *err)
{
  *k = (clique_count){.query = q,
                      .task = {.index = q->index,
                               .domain = domain,
                               .least = shape->n,
                               .most = shape->n,
                               .stop = q->stop,
                               .budget = q->budget}};
  return ms_cliques_new(&k->task, &k->cliques, err);
}

static ms_status begin_cliques(const clique_count *k, int threads, const ms_share *share,
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
static ms_status add_maps(const clique_count *k, mpz_t maps, ms_error *err)
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

/* Ends a count.  Without memory another way counts, but in shares, which would not all do the same.
 */
static ms_status end_cliques(clique_count *k, ms_status status, const ms_error *failure,
                             bool *counted, ms_error *err)
{
  ms_cliques_free(k->cliques);
  *counted = *counted && status != MS_ERR_MEMORY;
  if (status == MS_ERR_MEMORY && !k->query->leaves)
    return MS_OK;
  if (status != MS_OK && err)
    *err = *failure;
  return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Goes on as long as pivots are expected to need fewer than `most` further steps.  *done: all is
 * counted. */
static ms_status race(const clique_count *k, double most, bool *done, ms_error *err)
{
  double round = fmax(most * FIRST_LOOK, LEAST_LOOK);
  bool lost = false;
  do {
    MS_TRY(ms_cliques_go_on(k->cliques, round, most, done, &lost, err));
    *done = *done && !lost;
    round = ms_cliques_spent(k->cliques);
  } while (!*done && !lost && ms_cliques_left(k->cliques) < most);
  return MS_OK;
}

/* Estimates the steps on one thread, so that each share of a count finds the same.  INFINITY: more
 * than is worth an estimate. */
static ms_status estimate_steps(const clique_count *k, double most, double *steps, ms_error *err)
{
  double round = fmin(fmax(most * FIRST_LOOK, LEAST_LOOK), fmax(k->query->effort.most, LEAST_LOOK));
  bool done, lost;
  MS_TRY(begin_cliques(k, 1, NULL, err));
  MS_TRY(ms_cliques_go_on(k->cliques, round, ESTIMATE_PATIENCE * round, &done, &lost, err));
  *steps = lost ? INFINITY : ms_cliques_spent(k->cliques) + ms_cliques_left(k->cliques);
  return MS_OK;
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

/* Returns the steps that pivots may take before a search for a large clique is planned, because the
 * probe of a plan may take longer than all pivots. */
static double steps_at_once(const ms_count_query *q)
{
  double orders = q->leaves ? 1 : AT_ONCE; /* each share tries anew */
  return fmax(orders * ms_cliques_order_steps(q->index), LEAST_LOOK);
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
static uint32_t leaf_sum_of(const clique_count *k)
{
  const ms_cliques_task *t = &k->task;
  const ms_domain *d = t->domain;
  const uint64_t facts[] = {t->most, t->index->n, t->index->arcs, d->lo, d->hi, d->count};
  uint32_t sum = ms_crc32c(ms_crc32c(0, "cliques", strlen("cliques")), facts, sizeof facts);
  return d->bits ? ms_crc32c(sum, d->bits, t->index->words * sizeof *d->bits) : sum;
}

/* True if an earlier share has found that pivots count; then the report says the same. */
static bool is_known(ms_counter *c, const clique_count *k)
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
  const clique_count *k = user;
  bool done, lost;
  MS_TRY(begin_cliques(k, k->query->threads, share, err));
  ms_status status = ms_cliques_go_on(k->cliques, INFINITY, INFINITY, &done, &lost, err);
  ms_status added = add_maps(k, maps, err);
  return status == MS_OK ? added : status;
}

/* Counts the share of the leaves, and keeps the choice for later ones. */
static ms_status count_leaf(ms_counter *c, clique_count *k, mpz_t maps)
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

/* Counts in shares, or estimates. */
static ms_status count_by_estimate(ms_counter *c, clique_count *k, double most, mpz_t maps,
                                   bool *counted)
{
  const ms_count_query *q = c->query;
  double steps;
  MS_TRY(estimate_steps(k, most, &steps, c->err));
  *counted = steps < most;
  report_pivots(c, steps, isinf(most) ? 0 : most, *counted);
  return *counted && q->leaves ? count_leaf(c, k, maps) : MS_OK;
}

/* Counts in rounds, each of which is followed by a look whether it still pays. */
static ms_status count_in_rounds(ms_counter *c, const clique_count *k, double most, mpz_t maps,
                                 bool *counted)
{
  MS_TRY(begin_cliques(k, c->query->threads, NULL, c->err));
  ms_status status = race(k, most, counted, c->err);
  bool stopped = is_stop(status);
  if (status != MS_OK && !stopped)
    return status;
  double spent = ms_cliques_spent(k->cliques);
  report_pivots(c, *counted ? spent : spent + ms_cliques_left(k->cliques), isinf(most) ? 0 : most,
                *counted || stopped);
  ms_status added = *counted || stopped ? add_maps(k, maps, c->err) : MS_OK;
  return status == MS_OK ? added : status;
}

ms_status ms_count_cliques(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                           ms_count_plan *plan, mpz_t maps, bool *counted)
{
  const ms_count_query *q = c->query;
  clique_count k;
  double most = ms_count_may_pivot(q, shape) ? most_by_pivots(c, plan) : 0;
  *counted = false;
  if (most <= 0)
    return MS_OK;
  ms_error failure = {0};
  ms_status status = open_cliques(&k, q, shape, domain, &failure);
  ms_error *err = c->err;
  c->err = &failure;
  if (status == MS_OK)
    status = q->leaves || q->estimate ? count_by_estimate(c, &k, most, maps, counted)
                                      : count_in_rounds(c, &k, most, maps, counted);
  c->err = err;
  return end_cliques(&k, status, &failure, counted, err);
}

bool ms_count_by_cliques(const ms_count_query *q, const ms_shape *shape, const ms_domain *domain,
                         const ms_count_plan *plan, double *steps)
{
  ms_counter c = {.query = q};
  clique_count k = {.query = q};
  if (!ms_count_may_pivot(q, shape))
    return false;
  double most = most_by_pivots(&c, plan);
  if (shape->n > MS_COUNT_SMALL)
    most = fmax(most, steps_at_once(q));
  bool by_pivots = most > 0 && open_cliques(&k, q, shape, domain, NULL) == MS_OK &&
                   estimate_steps(&k, most, steps, NULL) == MS_OK && *steps < most;
  ms_cliques_free(k.cliques);
  return by_pivots;
}

/* ---- at once --------------------------------------------------------------------------------- */

/* Tries pivots.  *counted: they have counted everything, or an estimate or shares may go by it. */
static ms_status try_at_once(ms_counter *c, clique_count *k, bool *counted)
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

ms_status ms_count_cliques_at_once(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                                   mpz_t maps, bool *counted)
{
  const ms_count_query *q = c->query;
  clique_count k;
  *counted = false;
  if (ms_hooks.count_clique_weight <= 0 || !ms_count_may_pivot(q, shape) ||
      (shape->n <= MS_COUNT_SMALL && !q->leaves))
    return MS_OK;
  ms_error failure = {0}, *err = c->err;
  c->err = &failure;
  ms_status status = open_cliques(&k, q, shape, domain, &failure);
  if (status == MS_OK)
    status = try_at_once(c, &k, counted);
  if (status == MS_OK && *counted && q->leaves)
    status = count_leaf(c, &k, maps);
  else if (status == MS_OK && *counted && !q->estimate)
    status = add_maps(&k, maps, &failure);
  else if (k.cliques && is_stop(status) && !q->leaves && !q->estimate)
    (void)add_maps(&k, maps, NULL); /* a lower bound */
  c->err = err;
  return end_cliques(&k, status, &failure, counted, err);
}
