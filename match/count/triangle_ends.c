#include "match/count/triangle_ends.h"

#include "match/count/count_domains.h"
#include "match/count/edge_product.h"

bool ms_triangle_ends_find(const ms_count_query *q, const ms_shape *shape, const ms_domain *domain,
                           const ms_pattern_engine *engine)
{
  if (!engine || !engine->count_triangle_ends || shape->n != 5 || shape->induced ||
      shape->directed || shape->label || !q->index->by_degree || q->index->coloring ||
      q->leaves) /* this sum has no shares */
    return false;
  for (uint32_t i = 0; i < shape->n; i++)
    if (ms_bitset_count(shape->out[i]) != 2 || !ms_domain_is_by_degree(&domain[i], q->index, 2))
      return false;
  return true; /* two components would need six vertices */
}

ms_status ms_triangle_ends_count(const ms_count_query *q, const ms_pattern_engine *engine,
                                 mpz_t maps, ms_error *err)
{
  ms_count_plan plan;
  ms_status status = ms_count_plan_squares(q, &plan, err);
  ms_pattern_task task = {.program = plan.program,
                          .threads = q->threads,
                          .devices = q->devices,
                          .device = q->device,
                          .gpu_memory = q->gpu_memory,
                          .stop = q->stop,
                          .work = q->work};
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = engine->count_triangle_ends(&task, maps, err);
  ms_count_plan_free(&plan);
  return status;
}
