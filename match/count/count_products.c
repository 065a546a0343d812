/* Counts of a shape by products of bits on GPUs. */
#include "base/hooks.h"
#include "match/count/count_methods.h"
#include "match/count/count_run.h"
#include "match/cpu/sorted.h"

/* Returns the engine of the query that counts so, triangles or wheels: the query's engine, or
 * query->large (*large); NULL: neither can. */
static const ms_pattern_engine *find_engine(const ms_count_query *q, bool triangles, bool *large)
{
  const ms_pattern_engine *const of[] = {q->engine, q->large};
  for (int i = 0; i < 2; i++)
    if (of[i] && (triangles ? of[i]->count_triangles : of[i]->count_hub_squares)) {
      *large = i;
      return of[i];
    }
  return NULL;
}

/* Lets the case be counted by products in so many steps, if these are expected to be fewer than
 * those of a search by its plan. */
static void compare(ms_counter *c, ms_count_case *k, double steps, double weight, bool *pays)
{
  const ms_count_query *q = c->query;
  const ms_count_plan *plan = &k->plan;
  ms_count_report with = c->report;
  double search = plan->weighed ? plan->cost : MS_USUAL_GPU_WEIGHT * plan->cost;
  if (steps * weight >= search)
    return;
  ms_count_report_either(k->products.large ? plan->cost : steps, steps, &with);
  *pays = q->estimate || !k->products.large || ms_count_goes_to_large(q, &with);
  if (!*pays)
    return;
  c->report = with;
  k->steps = steps;
}

/* These sums have no shares. */
static bool is_worth_a_look(const ms_count_query *q, const ms_count_case *k)
{
  return k->plan.cost > ms_hooks.probe_steps && !q->leaves;
}

/* ---- dense graphs ---------------------------------------------------------------------------- */

/* On GPUs, cliques of four and other patterns of a triangle and a few vertices, each next to all of
 * the triangle and to no other, in graphs with many of all possible edges: sums over the triangles
 * of the graph, by products of bit matrices (gpu/match/squares/dense.cuh). */

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

ms_status ms_triangles_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  if (is_worth_a_look(q, k) &&
      ms_dense_triangles_find(q, &k->shape, k->of.domain, &k->products.common)) {
    k->products.engine = find_engine(q, true, &k->products.large);
    if (k->products.engine)
      compare(c, k, triangles_steps_of(q->index, k->products.common), ms_hooks.count_dense_weight,
              pays);
  }
  return MS_OK;
}

/* ---- wheels ---------------------------------------------------------------------------------- */

/* Wheels of four on GPUs: the 4-cycles inside the neighbourhood of each vertex, the hub, counted by
 * products of bit matrices (gpu/match/squares/hub_squares.cuh).  Each map of a 4-cycle into the
 * neighbourhood of a hub is one map of the wheel.  Processors have inner patterns (count_ways.h).
 */

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

ms_status ms_hubs_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  if (is_worth_a_look(q, k) && ms_hub_squares_find(q, &k->shape, k->of.domain)) {
    k->products.common = 0;
    k->products.engine = find_engine(q, false, &k->products.large);
    if (k->products.engine)
      compare(c, k, steps_of(q->index), ms_hooks.count_hub_weight, pays);
  }
  return MS_OK;
}

/* ---- the count ------------------------------------------------------------------------------- */

/* Declines if the GPU lacks memory or is lost. */
ms_status ms_products_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_count_query *q = c->query;
  const ms_pattern_engine *engine = k->products.engine;
  ms_error failure = {0};
  ms_count_plan plan;
  if (q->estimate)
    return MS_OK;
  ms_status status = ms_count_plan_squares(q, &plan, &failure);
  ms_pattern_task task = ms_count_task(q, plan.program);
  task.square_common = k->products.common;
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = (task.square_common > 0 ? engine->count_triangles
                                     : engine->count_hub_squares)(&task, maps, &failure);
  ms_count_plan_free(&plan);
  k->declined = status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST;
  if (k->declined) {
    mpz_set_ui(maps, 0);
    return MS_OK;
  }
  c->report.used_large |= k->products.large;
  if (status != MS_OK && c->err)
    *c->err = failure;
  return status;
}
