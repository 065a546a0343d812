#include "match/count/hub_squares.h"

#include "base/hooks.h"
#include "match/count/count_domains.h"
#include "match/count/edge_product.h"

/* Time on a GPU in steps of the CPU, which take 2 ns: of a multiplication of bits; of filling the
 * matrices, for each path of length two in the graph; of a vertex; and of the launches.  By these
 * numbers R-MAT 17 takes 16 ms and, with 7 x 10^14 multiplications at most, R-MAT 20 730 ms; on an
 * H100 they take 17 and 545 ms. */
#define MULTIPLY_STEPS 4e-7
#define PATH_STEPS 1e-3
#define VERTEX_STEPS 0.1
#define LAUNCH_STEPS 1e5
/* Rows and columns of matrices are multiples of this, about. */
#define ROUND 64

bool ms_hub_squares_find(const ms_count_query *query, const ms_shape *shape,
                         const ms_domain *domain)
{
  uint32_t hubs = 0, ends = 0;
  if (shape->n != 5 || shape->induced || shape->directed || shape->label ||
      query->order != MS_ORDER_AUTO)
    return false;
  for (uint32_t i = 0; i < shape->n; i++) {
    uint32_t degree = ms_bitset_count(shape->out[i]);
    if (!ms_domain_is_by_degree(&domain[i], query->index, degree))
      return false;
    hubs += degree == 4;
    ends += degree == 3;
  }
  return hubs == 1 && ends == 4;
}

/* Returns the estimated time of the products.  It reads no rows, which would take longer than the
 * products where all degrees are small. */
static double steps_of(const ms_pattern_index *index)
{
  const uint64_t *offset = index->rows[MS_ROWS_ANY].offset;
  double bits = 0;
  for (uint32_t v = 0; v < index->n && index->longest > ROUND; v++) {
    double side = (double)((offset[v + 1] - offset[v] + ROUND - 1) / ROUND * ROUND);
    bits += side * side * side / 2;
  }
  return MULTIPLY_STEPS * bits + PATH_STEPS * index->square_degrees + VERTEX_STEPS * index->n +
         LAUNCH_STEPS;
}

const ms_pattern_engine *ms_hub_squares_engine(const ms_count_query *q, const ms_count_plan *plan,
                                               bool *large, double *steps)
{
  const ms_pattern_engine *engine = q->engine;
  *large = !engine || !engine->count_hub_squares;
  if (*large)
    engine = q->large;
  if (!engine || !engine->count_hub_squares)
    return NULL;
  double search = plan->weighed ? plan->cost : MS_USUAL_GPU_WEIGHT * plan->cost;
  *steps = steps_of(q->index);
  return *steps * ms_hooks.count_hub_weight < search ? engine : NULL;
}

ms_status ms_hub_squares_count(const ms_count_query *q, const ms_pattern_engine *engine,
                               uint32_t common, mpz_t maps, ms_error *err)
{
  ms_count_plan plan;
  ms_status status = ms_count_plan_squares(q, &plan, err);
  ms_pattern_task task = {.program = plan.program,
                          .threads = q->threads,
                          .devices = q->devices,
                          .device = q->device,
                          .gpu_memory = q->gpu_memory,
                          .stop = q->stop,
                          .progress = q->progress,
                          .progress_user = q->progress_user,
                          .work = q->work,
                          .square_common = common};
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = (common > 0 ? engine->count_triangles : engine->count_hub_squares)(&task, maps, err);
  ms_count_plan_free(&plan);
  return status;
}
