#include "match/count/count_products.h"

#include "base/hooks.h"
#include "match/count/count_run.h"
#include "match/count/dense_triangles.h"
#include "match/count/hub_squares.h"

/* Returns the engine on GPUs by whose products a wheel (*common is then 0), or a triangle with
 * *common vertices, is counted; NULL: it is counted in another way.  Adds the count to the report.
 */
static const ms_pattern_engine *engine_of_products(const ms_count_query *q, const ms_shape *shape,
                                                   const ms_domain *domain,
                                                   const ms_count_plan *plan,
                                                   ms_count_report *report, uint32_t *common,
                                                   bool *large, double *steps)
{
  ms_count_report with = *report;
  const ms_pattern_engine *engine = NULL;
  *common = 0;
  if (plan->cost <= ms_hooks.probe_steps || q->leaves) /* these sums have no shares */
    return NULL;
  if (ms_hub_squares_find(q, shape, domain))
    engine = ms_hub_squares_engine(q, plan, large, steps);
  else if (ms_dense_triangles_find(q, shape, domain, common))
    engine = ms_dense_triangles_engine(q, *common, plan, large, steps);
  if (!engine)
    return NULL;
  ms_count_report_either(*large ? plan->cost : *steps, *steps, &with);
  if (!q->estimate && *large && !ms_count_goes_to_large(q, &with))
    return NULL;
  *report = with;
  return engine;
}

bool ms_count_by_products(const ms_count_query *query, const ms_shape *shape,
                          const ms_domain *domain, const ms_count_plan *plan, uint32_t *common,
                          double *steps)
{
  ms_count_report report = {0};
  bool large;
  return engine_of_products(query, shape, domain, plan, &report, common, &large, steps) != NULL;
}

ms_status ms_count_products(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                            const ms_count_plan *plan, mpz_t maps, bool *counted)
{
  const ms_count_query *q = c->query;
  ms_error failure = {0};
  double steps;
  uint32_t common;
  bool large;
  const ms_pattern_engine *engine =
      engine_of_products(q, shape, domain, plan, &c->report, &common, &large, &steps);
  *counted = engine != NULL;
  if (!engine || q->estimate)
    return MS_OK;
  ms_status status = ms_hub_squares_count(q, engine, common, maps, &failure);
  if (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) {
    mpz_set_ui(maps, 0);
    *counted = false;
    return MS_OK;
  }
  c->report.used_large |= large;
  if (status != MS_OK && c->err)
    *c->err = failure;
  return status;
}
