/* The way to count by elimination: whether it pays, and the subtraction of the shapes in which
 * vertices coincide. */
#include "match/count/elimination.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_methods.h"
#include "match/count/count_run.h"
#include "match/count/gluings.h"

#include <math.h>

/* A hinge counts if it takes at most so many times the steps: its estimates are closer. */
#define HINGE_SHARE 2.0

/* ---- the estimate ------------------------------------------------------------------------- */

/* Estimates everything, unless it is more than `most` or takes too long: then *steps is infinite.
 * cost: the steps of the other way. */
static ms_status estimate_all(const ms_counter *c, ms_count_case *k, double cost, double most,
                              double *steps)
{
  ms_term_estimate e = {.steps = k->elimination->steps, .most = most};
  ms_terms_init(&e.trial, c, &k->shape);
  e.trial.query.estimate = true;
  e.trial.query.effort = (ms_probe_effort){.stop = c->query->stop};
  if (!c->query->estimate || !c->is_wide)
    ms_terms_bound_planning(&e.trial, cost);
  ms_status status = ms_each_merging(&k->shape, k->elimination->may, ms_terms_estimate, &e, c->err);
  *steps = e.steps < most ? e.steps : INFINITY;
  if (status == MS_OK && e.steps < most && e.trial.c.estimates == &e.trial.own) {
    ms_estimates_free(&k->terms);
    k->terms = e.trial.own;
    k->terms.spent = 0;
    e.trial.own = (ms_estimates){.spent = e.trial.own.spent};
  }
  ms_terms_free(&e.trial);
  return status;
}

ms_status ms_elimination_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  double weight = ms_hooks.count_elimination_weight, cost = k->plan.cost, steps;
  if (!k->is_compared || cost <= ms_hooks.probe_steps ||
      !ms_elimination_may(c->query, &k->shape, k->of.domain))
    return MS_OK;
  ms_free(k->elimination);
  k->elimination = ms_alloc(1, sizeof *k->elimination);
  if (!k->elimination)
    return ms_fail_memory(c->err, "the plan of a count");
  double longest = weight > 0 ? cost / weight : INFINITY;
  if (!ms_elimination_choose(c->query, &k->shape, k->elimination) ||
      k->elimination->steps >= longest)
    return MS_OK;
  MS_TRY(estimate_all(c, k, cost, longest, &steps));
  *pays = steps < ms_count_most_steps(c, &k->plan, longest) ||
          (steps < longest && c->query->large && c->query->large->devices() == 0);
  if (*pays && weight > 0)
    MS_TRY(ms_hinge_compare(c, k, HINGE_SHARE * steps));
  *pays = *pays && !k->hinge;
  k->steps = k->hinge ? k->steps : steps;
  return MS_OK;
}

/* ---- the count ---------------------------------------------------------------------------- */

/* The subtracted terms come first, as where a plan counts.  A vertex of a merged shape may have
 * fewer neighbours than its members had, so that domains are widened as for the terms of a sum. */
ms_status ms_elimination_way_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_count_query *q = c->query;
  ms_term_counter terms;
  ms_counter *counter = c->is_wide ? c : &terms.c; /* whose memo has the terms of terms */
  mpz_t merged;
  bool fit = true;
  mpz_init(merged);
  ms_terms_init(&terms, c, &k->shape);
  if (terms.c.estimates == &terms.own) {
    terms.own = k->terms;
    k->terms = (ms_estimates){.count = 0};
  }
  ms_count_report_steps(k->elimination->steps, &c->report);
  terms.c.report = c->report;
  ms_status status = ms_each_merging(&k->shape, k->elimination->may, ms_maps_add,
                                     &(ms_maps_sum){.c = counter, .sum = merged}, c->err);
  c->report = counter->report;
  ms_terms_free(&terms);
  if (status == MS_OK && !q->estimate) {
    status = ms_elimination_count(q->index, &k->elimination->plan, q->threads, q->stop, q->progress,
                                  q->progress_user, q->budget, maps, &fit, c->err);
    k->declined = !fit;
    mpz_sub(maps, maps, merged);
    if (mpz_sgn(maps) < 0 || !fit) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(merged);
  return status;
}

/* Lists the vertices that a plan fixes, in the order in which it begins with them. */
static uint32_t fixed_vertices(const ms_elimination_plan *p, uint8_t vertex[MS_ELIMINATION_NODES])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->nodes; i++)
    if (p->node[i].fixed != MS_NO_VERTEX)
      vertex[count++] = p->node[i].fixed;
  return count;
}

void ms_elimination_explain(const ms_count_case *k, const ms_count_text *t)
{
  uint8_t vertex[MS_ELIMINATION_NODES];
  uint32_t count = fixed_vertices(&k->elimination->plan, vertex);
  ms_growing_put(t->out, "%s", t->json ? ",\"fixed\":[" : "counted: for the candidates of ");
  ms_count_put_names(t, vertex, count);
  ms_growing_put(t->out,
                 t->json ? "],\"cost\":%.6g"
                         : ", the other vertices are eliminated one after the other, less the maps "
                           "in which vertices coincide; estimated steps: %.3g\n",
                 k->steps);
}
