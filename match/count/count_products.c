#include "match/count/count_products.h"

#include "base/hooks.h"
#include "match/count/count_domains.h"
#include "match/count/count_run.h"
#include "match/count/edge_product.h"
#include "match/cpu/sorted.h"

/* ---- dense graphs ---------------------------------------------------------------------------- */

/* Time on a GPU in steps of the CPU, which take 2 ns: of a multiplication of bits; of a bit of the
 * matrix, which is cleared; of an arc, whose bit is set; and of the launches. */
#define TRIANGLES_MULTIPLY_STEPS 5e-7
#define BIT_STEPS 5e-5
#define ARC_STEPS 5e-2
#define TRIANGLES_LAUNCH_STEPS 1e5
/* Most vertices of a graph: its matrix takes 2 GiB. */
#define MOST_VERTICES (1u << 17)
/* Rows of a tile. */
#define TRIANGLES_ROUND 64

bool ms_dense_triangles_find(const ms_count_query *query, const ms_shape *shape,
                             const ms_domain *domain, uint32_t *common)
{
  const ms_pattern_index *index = query->index;
  uint32_t of_triangle = 0, others = 0;
  if (shape->n < 4 || shape->n > 6 || shape->induced || shape->directed || shape->label ||
      query->order != MS_ORDER_AUTO || index->n > MOST_VERTICES ||
      (double)index->arcs < (double)index->n * ms_hooks.count_dense_degree)
    return false;
  for (uint32_t i = 0; i < shape->n; i++) {
    uint32_t degree = ms_bitset_count(shape->out[i]);
    if (!ms_domain_is_by_degree(&domain[i], index, degree))
      return false;
    of_triangle += degree == shape->n - 1;
    others += degree == 3;
  }
  *common = shape->n - 3; /* in a clique of four, all vertices are of both kinds */
  return *common == 1 ? others == 4 : of_triangle == 3 && others == *common;
}

/* Returns the estimated time of the products.  For cliques of four, a pair of rows is multiplied in
 * the columns from the second row on, which are two thirds of those after the root where all rows
 * are alike. */
static double triangles_steps_of(const ms_pattern_index *index, uint32_t common)
{
  double bits = 0, n = index->n;
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t length;
    const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
    uint32_t size = length - (uint32_t)ms_lower_bound(row, length, v);
    double side = (double)((size + TRIANGLES_ROUND - 1) / TRIANGLES_ROUND * TRIANGLES_ROUND);
    bits += side * (side + TRIANGLES_ROUND) / 2 * (common == 1 ? (n - v) * 2 / 3 : n);
  }
  return TRIANGLES_MULTIPLY_STEPS * bits + BIT_STEPS * n * n + ARC_STEPS * (double)index->arcs +
         TRIANGLES_LAUNCH_STEPS;
}

const ms_pattern_engine *ms_dense_triangles_engine(const ms_count_query *q, uint32_t common,
                                                   const ms_count_plan *plan, bool *large,
                                                   double *steps)
{
  const ms_pattern_engine *engine = q->engine;
  *large = !engine || !engine->count_triangles;
  if (*large)
    engine = q->large;
  if (!engine || !engine->count_triangles)
    return NULL;
  double search = plan->weighed ? plan->cost : MS_USUAL_GPU_WEIGHT * plan->cost;
  *steps = triangles_steps_of(q->index, common);
  return *steps * ms_hooks.count_dense_weight < search ? engine : NULL;
}

/* ---- wheels ---------------------------------------------------------------------------------- */

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
  ms_pattern_task task = ms_count_task(q, plan.program);
  task.square_common = common;
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = (common > 0 ? engine->count_triangles : engine->count_hub_squares)(&task, maps, err);
  ms_count_plan_free(&plan);
  return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

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
                            ms_count_plan *plan, mpz_t maps, bool *counted)
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
