#include "match/count/count_methods.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"

#include <math.h>

static ms_status count_term(void *user, const ms_shape *shape, mpz_t maps)
{
  ms_counter *c = user;
  return c->count(c, shape, maps);
}

/* Sets *shorter to whether the sum's estimated steps, which include the time to plan its terms, are
 * less than `direct`, and then *known to what was found out about the terms. */
static ms_status compare_sum(const ms_counter *c, const ms_shape *shape, const ms_induced_sum *sum,
                             double direct, bool *shorter, ms_estimates *known)
{
  ms_term_counter trial;
  double limit = ms_hooks.count_sum_weight > 0 ? direct / ms_hooks.count_sum_weight : INFINITY;
  double planning = ms_hooks.probe_steps > 0 ? ms_hooks.probe_steps * sum->count : 0;
  double steps = planning;
  ms_status status = MS_OK;
  ms_shape *larger = ms_alloc(1, sizeof *larger);
  if (!larger)
    return ms_fail_memory(c->err, "the terms of a sum");
  mpz_t ignored;
  mpz_init(ignored);
  ms_terms_init(&trial, c, shape);
  trial.query.estimate = true;
  ms_terms_bound_planning(&trial, direct);
  for (uint32_t i = 0; status == MS_OK && i < sum->count && steps < limit; i++) {
    ms_induced_sum_shape(sum, shape, i, larger);
    status = trial.c.count(&trial.c, larger, ignored);
    steps = planning + trial.c.report.work + trial.c.report.factors;
    if (!ms_counter_may_plan(&trial.c))
      steps = INFINITY;
  }
  *shorter = status == MS_OK && steps < limit;
  if (*shorter) {
    *known = trial.own;
    known->spent = 0;
    trial.own = (ms_estimates){.spent = trial.own.spent};
  }
  ms_terms_free(&trial);
  mpz_clear(ignored);
  ms_free(larger);
  return status;
}

ms_status ms_count_sum_find(const ms_counter *c, const ms_shape *shape, double direct,
                            ms_induced_sum **sum, ms_estimates *known)
{
  uint64_t label[MS_MEMO_VERTICES];
  ms_term_counter terms;
  bool shorter = false;
  *sum = NULL;
  *known = (ms_estimates){.count = 0};
  if (!ms_count_has_sum(c->query, shape) || direct <= ms_hooks.probe_steps)
    return MS_OK;
  ms_terms_init(&terms, c, shape);
  ms_counter_label(&terms.c, shape, label);
  MS_TRY(ms_induced_sum_new(shape, label, sum, c->err));
  ms_status status = compare_sum(c, shape, *sum, direct, &shorter, known);
  if (status != MS_OK || !shorter) {
    ms_free(*sum);
    *sum = NULL;
  }
  return status;
}

ms_status ms_count_by_sum(ms_counter *c, const ms_shape *shape, const ms_induced_sum *sum,
                          ms_estimates *known, mpz_t maps)
{
  ms_term_counter terms;
  ms_terms_init(&terms, c, shape);
  if (terms.c.estimates == &terms.own) {
    terms.own = *known;
    *known = (ms_estimates){.count = 0};
  }
  terms.c.report = c->report;
  ms_status status = ms_induced_sum_count(sum, shape, count_term, &terms.c, maps, c->err);
  c->report = terms.c.report;
  ms_terms_free(&terms);
  return status;
}
