#include "match/hub_squares.h"

#include "match/count_domains.h"
#include "match/cpu/sorted.h"
#include "match/edge_product.h"

double ms_count_hub_weight = 1;

/* Time on a GPU in steps of the CPU, which take 2 ns: of a multiplication of bits, of a look-up, of
 * a vertex, and of the launches.  Of R-MAT 17, 9.4 x 10^12 multiplications, they make 21 ms, which
 * took 17.5 on an H200; a part alone was not measured. */
#define MULTIPLY_STEPS 6e-7
#define LOOK_STEPS 0.01
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

/* Returns the estimated time of the products. */
static double steps_of(const ms_pattern_index *index)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  double bits = 0, looks = 0;
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t degree;
    const uint32_t *row = ms_row(rows, v, &degree);
    double larger = degree - (double)ms_lower_bound(row, degree, v);
    double side = (degree + ROUND - 1) / ROUND * (double)ROUND;
    bits += side * side * side / 2;
    looks += larger * degree;
  }
  return MULTIPLY_STEPS * bits + LOOK_STEPS * looks + VERTEX_STEPS * index->n + LAUNCH_STEPS;
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
  return *steps * ms_count_hub_weight < search ? engine : NULL;
}

ms_status ms_hub_squares_count(const ms_count_query *q, const ms_pattern_engine *engine, mpz_t maps,
                               ms_error *err)
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
                          .work = q->work};
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = engine->count_hub_squares(&task, maps, err);
  ms_count_plan_free(&plan);
  return status;
}
