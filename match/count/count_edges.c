#include "match/count/count_methods.h"

#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_run.h"

#include <math.h>

/* Estimates of gluings are too low in some networks (loc-brightkite, two roofs), so that a product
 * with such gluings needs a wider margin. */
#define GLUED_WEIGHT 2.0

/* The sum to which the maps of gluings are added. */
typedef struct gluing_sum {
  ms_term_counter terms;
  mpz_ptr sum;
} gluing_sum;

static ms_status add_edge_gluing(void *user, const ms_shape *glued)
{
  gluing_sum *g = user;
  if (g->terms.query.estimate && !ms_counter_may_plan(&g->terms.c))
    return MS_OK;
  return ms_maps_add(&(ms_maps_sum){.c = &g->terms.c, .sum = g->sum}, glued);
}

/* Sets `sum` to the number of maps of all gluings.  A vertex of a gluing may have fewer neighbours
 * than it has in the pattern, so that domains are widened as for the terms of a sum. */
static ms_status count_gluings_of(ms_counter *c, const ms_shape *shape,
                                  const ms_edge_product *product, mpz_t sum)
{
  gluing_sum g = {.sum = sum};
  ms_terms_init(&g.terms, c, shape);
  g.terms.c.report = c->report;
  ms_status status = ms_edge_product_gluings(product, shape, add_edge_gluing, &g, c->err);
  c->report = g.terms.c.report;
  ms_terms_free(&g.terms);
  return status;
}

/* Estimates the steps of all gluings, unless that takes too long for a plan of so many steps:
 * *steps is then infinite. */
static ms_status estimate_gluings(const ms_counter *c, const ms_shape *shape,
                                  const ms_edge_product *product, double cost, double *steps)
{
  gluing_sum g;
  mpz_t ignored;
  mpz_init(ignored);
  g.sum = ignored;
  ms_terms_init(&g.terms, c, shape);
  g.terms.query.estimate = true;
  if (!c->query->estimate || !c->is_wide)
    ms_terms_bound_planning(&g.terms, cost);
  ms_status status = ms_edge_product_gluings(product, shape, add_edge_gluing, &g, c->err);
  *steps =
      ms_counter_may_plan(&g.terms.c) ? g.terms.c.report.work + g.terms.c.report.factors : INFINITY;
  ms_terms_free(&g.terms);
  mpz_clear(ignored);
  return status;
}

/* The gluings of a house are diamonds, which take fewer steps than the sum.  The gluings of larger
 * patterns may take more. */
bool ms_count_edges_pay(const ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                        ms_count_plan *plan, ms_edge_product *product, double *steps)
{
  const ms_count_query *q = c->query;
  double gluings = 0;
  if (!ms_edge_product_has(q->engine) || plan->cost <= ms_hooks.probe_steps ||
      !ms_edge_product_find(q, shape, domain, product))
    return false;
  *steps = q->index->edge_steps;
  if (!ms_edge_product_pays(q, domain, plan, *steps))
    return false;
  if (product->common > 1 && ms_hooks.count_edge_weight > 0 &&
      estimate_gluings(c, shape, product, plan->cost, &gluings) != MS_OK)
    return false;
  return gluings == 0 || ms_edge_product_pays(q, domain, plan, GLUED_WEIGHT * (*steps + gluings));
}

/* The subtracted terms come first, as where a plan counts (count_search.c). */
ms_status ms_count_edges(ms_counter *c, const ms_shape *shape, const ms_edge_product *product,
                         double steps, mpz_t maps, bool *lacks)
{
  const ms_count_query *q = c->query;
  mpz_t glued;
  mpz_init(glued);
  ms_count_report_steps(steps, &c->report);
  ms_status status = count_gluings_of(c, shape, product, glued);
  if (status == MS_OK && !q->estimate) {
    ms_error failure = {0};
    c->report.last = steps; /* the gluings were reported since */
    bool large = ms_count_goes_to_large(q, &c->report) && ms_edge_product_has(q->large);
    status = ms_edge_product_sum(q, product, large, maps, &failure);
    *lacks = !q->leaves && (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST);
    c->report.used_large |= large && !*lacks;
    if (status != MS_OK && !*lacks && c->err)
      *c->err = failure;
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0 || *lacks) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return status;
}
