#include "match/count/dense_triangles.h"

#include "base/hooks.h"
#include "match/count/count_domains.h"
#include "match/cpu/sorted.h"

/* Time on a GPU in steps of the CPU, which take 2 ns: of a multiplication of bits; of a bit of the
 * matrix, which is cleared; of an arc, whose bit is set; and of the launches. */
#define MULTIPLY_STEPS 5e-7
#define BIT_STEPS 5e-5
#define ARC_STEPS 5e-2
#define LAUNCH_STEPS 1e5
/* Most vertices of a graph: its matrix takes 2 GiB. */
#define MOST_VERTICES (1u << 17)
/* Rows of a tile. */
#define ROUND 64

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
static double steps_of(const ms_pattern_index *index, uint32_t common)
{
  double bits = 0, n = index->n;
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t length;
    const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
    uint32_t size = length - (uint32_t)ms_lower_bound(row, length, v);
    double side = (double)((size + ROUND - 1) / ROUND * ROUND);
    bits += side * (side + ROUND) / 2 * (common == 1 ? (n - v) * 2 / 3 : n);
  }
  return MULTIPLY_STEPS * bits + BIT_STEPS * n * n + ARC_STEPS * (double)index->arcs + LAUNCH_STEPS;
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
  *steps = steps_of(q->index, common);
  return *steps * ms_hooks.count_dense_weight < search ? engine : NULL;
}
