#include "match/count/count_methods.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/count/count_domains.h"
#include "match/count/count_run.h"

#include <math.h>

/* A count at a hinge.  Its domains are widened as for the terms of a sum, so that gluings have all
 * of their symmetry. */
typedef struct hinge_count {
  ms_term_counter terms;
  ms_shape shape; /* with the kinds of these domains */
  ms_shape_domains of;
  ms_hinge_plan plan;
} hinge_count;

static void close_hinge(hinge_count *h)
{
  if (!h)
    return;
  ms_hinge_plan_free(&h->plan);
  ms_terms_free(&h->terms);
  ms_free(h->of.store);
  ms_free(h);
}

static ms_status open_hinge(hinge_count *h, const ms_counter *c, const ms_shape *shape)
{
  ms_terms_init(&h->terms, c, shape);
  /* the least that a probe may take, because several of them compare a hinge with a search */
  h->terms.query.effort = (ms_probe_effort){.stop = c->query->stop};
  h->shape = *shape;
  h->plan = (ms_hinge_plan){.steps = 0};
  MS_TRY(ms_shape_domains_new(&h->terms.domains, shape, &h->of, c->err));
  ms_shape_name_kinds(&h->shape, h->of.domain);
  return MS_OK;
}

/* ---- the choice of a hinge ------------------------------------------------------- */

/* The estimate of all gluings, which ends once they take longer than another way. */
typedef struct hinge_estimate {
  ms_term_counter trial;
  double steps, most; /* the steps of the sum and of planning included */
} hinge_estimate;

/* Returns the steps to plan a shape whose count takes so many.  Shares take them for more, as each
 * of them plans, and a root is not cut where a hinge counts. */
static double steps_to_plan(const ms_count_query *query, double steps)
{
  return query->leaves ? ms_count_probe_from : fmin(ms_count_probe_from, MS_PLAN_STEPS + steps);
}

static ms_status estimate_gluing(void *user, const ms_shape *glued)
{
  hinge_estimate *e = user;
  ms_counter *c = &e->trial.c;
  double before = c->report.work + c->report.factors;
  uint32_t seen = c->n_seen;
  mpz_t ignored;
  if (!ms_counter_may_plan(c))
    e->steps = INFINITY; /* to plan it would take too long */
  if (e->steps >= e->most)
    return MS_OK;
  mpz_init(ignored);
  ms_status status = c->count(c, glued, ignored);
  mpz_clear(ignored);
  double steps = c->report.work + c->report.factors - before;
  double planning = steps_to_plan(c->query, steps);
  e->steps += steps;
  if (planning > 0 && steps > 0) /* nothing is planned where some domain is empty */
    e->steps += planning * (double)(c->n_seen - seen);
  return status;
}

/* Plans the sides at a hinge, and keeps the plan if everything is expected to take fewer than *most
 * steps, which are then those that it takes. */
static ms_status try_hinge(hinge_count *h, const ms_hinge *hinge, double *most)
{
  hinge_estimate e = {.most = *most};
  ms_hinge_plan plan;
  ms_status status = ms_hinge_plan_new(&h->terms.c, &h->shape, hinge, &plan);
  e.steps = plan.steps;
  ms_terms_init(&e.trial, &h->terms.c, &h->shape);
  e.trial.query.estimate = true;
  if (status == MS_OK)
    status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], estimate_gluing, &e,
                            h->terms.c.err);
  ms_terms_free(&e.trial);
  if (status == MS_OK && e.steps < *most) {
    *most = e.steps;
    ms_hinge_plan_free(&h->plan);
    h->plan = plan;
  } else {
    ms_hinge_plan_free(&plan);
  }
  return status;
}

/* Returns the estimate of the shape if its hinges were compared before; otherwise NULL. */
static ms_estimate *known_estimate(const ms_counter *terms, const ms_shape *shape)
{
  ms_shape_key key;
  if (!terms->estimates || terms->estimates->count == 0 || !ms_counter_key(terms, shape, &key))
    return NULL;
  uint32_t number = ms_estimates_find(terms->estimates, &key);
  return number == MS_NO_ESTIMATE ? NULL : &terms->estimates->of[number];
}

/* Compares the hinges, and notes in the shape's estimate, if there is one, which is the best. */
static ms_status compare_hinges(hinge_count *h, const ms_hinge *hinge, uint32_t hinges,
                                double *steps)
{
  uint32_t best = MS_NO_ESTIMATE;
  ms_status status = MS_OK;
  for (uint32_t i = 0; status == MS_OK && i < hinges; i++) {
    double before = *steps;
    status = try_hinge(h, &hinge[i], steps);
    best = *steps < before ? i : best;
  }
  ms_estimate *of = status == MS_OK ? known_estimate(&h->terms.c, &h->shape) : NULL;
  if (of && ms_counter_may_plan(&h->terms.c)) {
    of->compared = true;
    of->hinge = best;
    of->at_hinge = best == MS_NO_ESTIMATE ? INFINITY : *steps;
  }
  return status;
}

/* Plans the best hinge, by the shape's estimate if that knows it. */
static ms_status plan_hinge(hinge_count *h, const ms_hinge *hinge, uint32_t hinges, double *steps)
{
  const ms_estimate *of = known_estimate(&h->terms.c, &h->shape);
  if (!of || !of->compared)
    return compare_hinges(h, hinge, hinges, steps);
  if (of->hinge >= hinges || of->at_hinge >= *steps)
    return MS_OK;
  *steps = of->at_hinge;
  ms_estimates *e = h->terms.c.estimates;
  double most = e->most;
  e->most = INFINITY; /* the way is chosen, whatever its plan takes */
  ms_status status = ms_hinge_plan_new(&h->terms.c, &h->shape, &hinge[of->hinge], &h->plan);
  e->most = most;
  return status;
}

/* Returns the steps that a count at a hinge may take to be shorter than another one of `steps`. */
static double shorter_than(double steps)
{
  return ms_count_hinge_weight > 0 ? steps / ms_count_hinge_weight : INFINITY;
}

/* Returns the steps that a count at a hinge may take to be shorter than the search by this plan,
 * and shorter than the start of query->large where that would search. */
static double most_at_hinge(const ms_counter *c, const ms_count_plan *plan)
{
  const ms_count_query *q = c->query;
  ms_count_report with = c->report;
  double most = shorter_than(plan->cost);
  ms_count_report_plan(q, plan, &with);
  if (!ms_count_goes_to_large(q, &with))
    return most;
  return with.used_large ? 0 : fmin(most, q->large_start * ms_count_speedup(q));
}

/* Finds the hinge at which the shape is counted in the fewest steps, and in fewer than `most`, and
 * prepares the count there.  cost: the steps of the other way.  *found: the count, with which the
 * caller ends by close_hinge; NULL: there is none. */
static ms_status find_hinge(const ms_counter *c, const ms_shape *shape, double cost, double most,
                            double *steps, hinge_count **found)
{
  ms_hinge hinge[MS_HINGES_PROBED];
  *found = NULL;
  *steps = most;
  if (most <= 0)
    return MS_OK;
  hinge_count *h = ms_calloc(1, sizeof *h); /* it is large for the stack of a recursion */
  if (!h)
    return ms_fail_memory(c->err, "a count at a hinge");
  ms_status status = open_hinge(h, c, shape);
  if (status == MS_OK && (!c->query->estimate || !c->is_wide))
    ms_terms_bound_planning(&h->terms, cost); /* within an estimate, it is that of the whole */
  uint32_t hinges =
      status == MS_OK ? ms_hinge_find(&h->terms.query, &h->shape, h->of.domain, hinge) : 0;
  if (status == MS_OK)
    status = plan_hinge(h, hinge, hinges, steps);
  if (status == MS_OK && h->plan.rooted.count > 0 && *steps < most)
    *found = h;
  else
    close_hinge(h);
  return status;
}

/* As find_hinge, of a shape that this plan would search for; plan == NULL: the hinge was found
 * before. */
static ms_status find_hinge_for_plan(const ms_counter *c, const ms_shape *shape,
                                     const ms_count_plan *plan, double *steps, hinge_count **found)
{
  *found = NULL;
  if (!ms_hinge_may(c->query, shape) || (plan && plan->cost <= ms_count_probe_from))
    return MS_OK;
  return find_hinge(c, shape, plan ? plan->cost : INFINITY,
                    plan ? most_at_hinge(c, plan) : INFINITY, steps, found);
}

/* As find_hinge, of a shape that the domains divide.  Factors count it in one pass where the parts
 * have different domains; where these meet, the parts stay one group, and all its partial matches
 * are visited. */
static ms_status find_hinge_for_factors(const ms_counter *c, const ms_shape *shape,
                                        const ms_factor_choice *choice, double *steps,
                                        hinge_count **found)
{
  bool by_plan = choice->way == MS_FACTOR_BY_PLAN;
  double cost = by_plan ? choice->plan.cost : choice->steps;
  *found = NULL;
  if (choice->way == MS_FACTOR_ON_LARGE || !ms_hinge_may(c->query, shape) ||
      cost <= ms_count_probe_from)
    return MS_OK;
  bool may_be_large = by_plan && ms_factor_is_visited_on_gpu(shape);
  double most = may_be_large ? most_at_hinge(c, &choice->plan) : shorter_than(cost);
  return find_hinge(c, shape, cost, most, steps, found);
}

bool ms_count_knows_hinge(const ms_counter *c, const ms_shape *shape)
{
  if (c->query->estimate || c->query->large || !c->is_wide || !ms_hinge_may(c->query, shape))
    return false;
  const ms_estimate *of = known_estimate(c, shape);
  return of && of->compared && of->hinge != MS_NO_ESTIMATE;
}

/* ---- the count ------------------------------------------------------------------- */

/* True if the terms have the domains of the counter, which can count them itself and so remembers
 * their shapes. */
static bool has_same_domains(const ms_counter *c, const hinge_count *h)
{
  const ms_domains *a = c->query->domains, *b = &h->terms.domains;
  bool same = true;
  for (uint32_t i = 0; same && i < a->n; i++)
    same =
        a->of[i].lo == b->of[i].lo && a->of[i].hi == b->of[i].hi && a->of[i].bits == b->of[i].bits;
  return same;
}

/* Counts at a hinge.  The subtracted terms come first, as where a plan counts. */
static ms_status count_hinge(ms_counter *c, hinge_count *h, mpz_t maps)
{
  const ms_hinge *hinge = &h->plan.hinge;
  ms_counter *terms = has_same_domains(c, h) ? c : &h->terms.c;
  mpz_t glued;
  mpz_init(glued);
  ms_count_report_steps(h->plan.steps, &c->report);
  bool lends = terms == c && !c->estimates;
  if (lends)
    ms_counter_take_estimates(c, h->terms.c.estimates);
  if (terms != c)
    terms->report = c->report;
  ms_status status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], ms_maps_add,
                                    &(ms_maps_sum){.c = terms, .sum = glued}, c->err);
  c->report = terms->report;
  if (lends)
    ms_counter_take_estimates(c, NULL);
  if (status == MS_OK && !c->query->estimate) {
    status = ms_hinge_sum(&h->terms.c, &h->shape, &h->plan, maps);
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return status;
}

ms_status ms_count_at_hinge(ms_counter *c, const ms_shape *shape, const ms_count_plan *plan,
                            mpz_t maps, bool *counted)
{
  hinge_count *h;
  double steps;
  ms_status status = find_hinge_for_plan(c, shape, plan, &steps, &h);
  *counted = h;
  if (status != MS_OK || !h)
    return status;
  status = count_hinge(c, h, maps);
  close_hinge(h);
  return status;
}

ms_status ms_count_divided_at_hinge(ms_counter *c, const ms_shape *shape,
                                    const ms_factor_choice *choice, mpz_t maps, bool *counted)
{
  hinge_count *h;
  double steps;
  ms_status status = find_hinge_for_factors(c, shape, choice, &steps, &h);
  *counted = h;
  if (status != MS_OK || !h)
    return status;
  mpz_set_ui(maps, 0);
  status = count_hinge(c, h, maps);
  close_hinge(h);
  return status;
}

/* Ends a look for a hinge that does not count there. */
static bool take_found(hinge_count *h, ms_hinge *hinge)
{
  if (!h)
    return false;
  *hinge = h->plan.hinge;
  close_hinge(h);
  return true;
}

bool ms_count_hinge_pays(const ms_counter *c, const ms_shape *shape, const ms_count_plan *plan,
                         ms_hinge *hinge, double *steps)
{
  hinge_count *h;
  (void)find_hinge_for_plan(c, shape, plan, steps, &h);
  return take_found(h, hinge);
}

bool ms_count_hinge_pays_divided(const ms_counter *c, const ms_shape *shape,
                                 const ms_factor_choice *choice, ms_hinge *hinge, double *steps)
{
  hinge_count *h;
  (void)find_hinge_for_factors(c, shape, choice, steps, &h);
  return take_found(h, hinge);
}
