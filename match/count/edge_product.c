#include "match/count/edge_product.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_choice.h"
#include "match/count/count_methods.h"
#include "match/count/count_run.h"
#include "match/count/leaves.h"
#include "match/cpu/weighted_squares.h"
#include "match/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Time of the sum on a GPU, as a share of its time on one thread of the CPU.  Measured on an H100,
 * with the gluings: 0.006 to 0.008 in R-MAT graphs, 0.07 to 0.09 in wiki-Vote and email-Enron,
 * where it takes 2 to 3 ms. */
#define GPU_WEIGHT 0.035
/* Estimates of gluings are too low in some networks (loc-brightkite, two roofs), so that a product
 * with such gluings needs a wider margin. */
#define GLUED_WEIGHT 2.0

/* ---- the pattern ------------------------------------------------------------------------- */

static bool is_edge(const ms_shape *s, uint32_t u, uint32_t v)
{
  return ms_bitset_has(&s->out[u], v);
}

/* True if all vertices beside the square are adjacent to a and b alone; lists them. */
static bool find_others(const ms_shape *s, ms_edge_product *p)
{
  ms_bitset ends = ms_bitset_or(ms_bitset_of(p->square[0]), ms_bitset_of(p->square[1]));
  p->common = 0;
  for (uint32_t v = 0; v < s->n; v++) {
    if (memchr(p->square, (int)v, sizeof p->square))
      continue;
    if (!ms_bitset_equal(s->out[v], ends))
      return false;
    p->other[p->common++] = (uint8_t)v;
  }
  return p->common > 0;
}

/* True if a - b - y - x - a is a square without diagonals, whose x and y have no other
 * neighbours. */
static bool is_square(const ms_shape *s, const uint8_t *v)
{
  return v[0] != v[2] && v[1] != v[3] && is_edge(s, v[0], v[1]) && is_edge(s, v[1], v[2]) &&
         is_edge(s, v[2], v[3]) && is_edge(s, v[3], v[0]) && ms_bitset_count(s->out[v[2]]) == 2 &&
         ms_bitset_count(s->out[v[3]]) == 2;
}

/* Finds the square that has this opposite edge. */
static bool find_square(const ms_shape *s, uint32_t y, uint32_t x, ms_edge_product *p)
{
  if (ms_bitset_count(s->out[x]) != 2 || ms_bitset_count(s->out[y]) != 2)
    return false;
  uint32_t a = ms_bitset_first(ms_bitset_without(s->out[x], y)),
           b = ms_bitset_first(ms_bitset_without(s->out[y], x));
  uint8_t v[4] = {(uint8_t)a, (uint8_t)b, (uint8_t)y, (uint8_t)x};
  memcpy(p->square, v, sizeof v);
  return is_square(s, v) && find_others(s, p);
}

bool ms_edge_product_find(const ms_count_query *query, const ms_shape *shape,
                          const ms_domain *domain, ms_edge_product *out)
{
  if (shape->n < 5 || shape->induced || shape->directed || shape->label ||
      query->order != MS_ORDER_AUTO || !ms_square_weights_fit(query->index, shape->n - 4))
    return false;
  for (uint32_t i = 0; i < shape->n; i++)
    if (!ms_domain_is_by_degree(&domain[i], query->index, ms_bitset_count(shape->out[i])))
      return false;
  for (uint32_t x = 0; x < shape->n; x++)
    MS_EACH_MEMBER (y, shape->out[x])
      if (find_square(shape, y, x, out))
        return true;
  return false;
}

/* ---- gluings ------------------------------------------------------------------------------ */

/* Visits the gluing of y with this vertex, and of x with that one; a vertex is glued with itself if
 * it stays apart. */
static ms_status visit_gluing(const ms_shape *shape, uint32_t y, uint32_t of_y, uint32_t x,
                              uint32_t of_x, ms_shape *glued, ms_quotient_fn visit, void *user)
{
  uint8_t block[MS_MAX_PATTERN];
  uint32_t blocks = 0;
  for (uint32_t v = 0; v < shape->n; v++)
    if ((v != y || of_y == y) && (v != x || of_x == x))
      block[v] = (uint8_t)blocks++;
  block[y] = block[of_y];
  block[x] = block[of_x];
  ms_shape_quotient(shape, block, blocks, glued);
  return visit(user, glued);
}

/* Calls `visit` with every gluing. */
static ms_status each_gluing(const ms_edge_product *p, const ms_shape *shape, ms_quotient_fn visit,
                             void *user, ms_error *err)
{
  uint32_t y = p->square[2], x = p->square[3];
  ms_shape *glued = ms_alloc(1, sizeof *glued); /* not on the stack: visits may do the same */
  ms_status status = glued ? MS_OK : ms_fail_memory(err, "gluings of a pattern");
  for (uint32_t i = 0; i <= p->common; i++) /* common: apart */
    for (uint32_t j = 0; status == MS_OK && j <= p->common; j++)
      if (i != j)
        status = visit_gluing(shape, y, i < p->common ? p->other[i] : y, x,
                              j < p->common ? p->other[j] : x, glued, visit, user);
  ms_free(glued);
  return status;
}

/* ---- the sum ------------------------------------------------------------------------------ */

bool ms_edge_product_has(const ms_pattern_engine *engine)
{
  return !engine || engine == &ms_pattern_engine_cpu || engine->count_squares;
}

/* Returns the engine on GPUs that would search by this plan; NULL: the CPU's would. */
static const ms_pattern_engine *engine_on_gpus(const ms_count_query *q, const ms_count_plan *plan)
{
  return q->engine && q->engine->weigh ? q->engine : plan->at_once ? q->large : NULL;
}

/* True if a count of so many steps is expected to be shorter than the search by this plan, of which
 * it may make the program. */
static bool pays_with(const ms_count_query *q, const ms_domain *domain, ms_count_plan *plan,
                      double steps)
{
  const ms_pattern_engine *gpu = engine_on_gpus(q, plan);
  double search = plan->cost;
  if (!gpu || !gpu->weigh || ms_count_plan_compile(q, domain, plan, NULL) != MS_OK)
    return steps * ms_hooks.count_edge_weight < search;
  /* without what the engine adds for each root, which is too much where roots have short rows */
  search =
      (plan->weighed ? search : gpu->weigh(plan->program, search)) - gpu->weigh(plan->program, 0);
  return GPU_WEIGHT * steps * ms_hooks.count_edge_weight < search;
}

ms_status ms_count_plan_squares(const ms_count_query *query, ms_count_plan *plan, ms_error *err)
{
  ms_count_choice choice = {.order = {0, 2, 1, 3}, .tail = 2 | 8, .priority = true};
  ms_shape square = {.n = 4};
  ms_domain domain[4];
  ms_count_estimator e;
  ms_plan_input input;
  for (uint32_t i = 0; i < 4; i++) {
    square.out[i] = square.in[i] =
        ms_bitset_or(ms_bitset_of((i + 1) % 4), ms_bitset_of((i + 3) % 4));
    square.member[i] = ms_bitset_of(i);
    domain[i] = (ms_domain){.hi = query->index->n, .count = query->index->n};
  }
  ms_shape_name_kinds(&square, domain);
  *plan = (ms_count_plan){.options = {.table = true}};
  ms_count_estimator_init(&e, query, &square, domain);
  ms_count_plan_input(&e, MS_ORDER_AUTO, &input);
  ms_status status = ms_count_plan_of_choice(&choice, &square, &input, plan, err);
  return status == MS_OK ? ms_count_plan_compile(query, domain, plan, err) : status;
}

typedef struct squares_run {
  ms_pattern_task task;
  struct ms_budget *budget;
  const ms_pattern_engine *engine; /* NULL: processors sum */
} squares_run;

/* Sums a share on GPUs.  No root of the program is cut, so that the share is one of roots. */
static ms_status sum_on_gpus(squares_run *run, const ms_share *share, mpz_t maps, ms_error *err)
{
  const ms_program *whole = run->task.program;
  ms_restricted *restricted = ms_alloc(1, sizeof *restricted); /* it is large for a stack */
  if (!restricted)
    return ms_fail_memory(err, "a share of a count");
  ms_status status = ms_restricted_make(whole, share, restricted, err);
  if (status != MS_OK) {
    ms_free(restricted);
    return status;
  }
  run->task.program = &restricted->program[0];
  if (ms_restricted_roots(restricted, 1) > 0)
    status = ms_fail(err, MS_ERR_MEMORY, "a share of the sum has parts of roots");
  else if (ms_restricted_roots(restricted, 0) > 0)
    status = run->engine->count_squares(&run->task, maps, err);
  run->task.program = whole;
  ms_restricted_free(restricted);
  ms_free(restricted);
  return status;
}

static ms_status sum_share(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  squares_run *run = user;
  if (run->engine && run->engine->count_squares) {
    ms_error failure = {0};
    ms_status status = sum_on_gpus(run, share, maps, &failure);
    if (status != MS_ERR_MEMORY && status != MS_ERR_DEVICE_LOST) {
      if (status != MS_OK && err)
        *err = failure;
      return status;
    }
    mpz_set_ui(maps, 0);
  }
  run->task.share = share;
  return ms_weighted_squares(&run->task, run->budget, maps, err);
}

/* Sets `maps` to the number of maps with those that coincide.  `large`: on query->large.
 * MS_ERR_MEMORY, MS_ERR_DEVICE_LOST: nothing was counted, and another way may.  Stops as
 * ms_weighted_squares. */
static ms_status sum_products(const ms_count_query *q, const ms_edge_product *product, bool large,
                              mpz_t maps, ms_error *err)
{
  const ms_pattern_engine *engine = large ? q->large : q->engine;
  ms_count_plan plan;
  ms_status status = ms_count_plan_squares(q, &plan, err);
  ms_pattern_task task = ms_count_task(q, plan.program);
  task.square_common = product->common;
  mpz_set_ui(maps, 0);
  if (status == MS_OK && q->leaves) {
    char what[32];
    snprintf(what, sizeof what, "squares with %u", product->common);
    status = ms_count_run_leaf(q, ms_count_leaf_sum(plan.program, what), sum_share,
                               &(squares_run){task, q->budget, q->leaves->engine}, maps, err);
    ms_count_plan_free(&plan);
    return status;
  }
  if (status == MS_OK && engine && engine->count_squares)
    status = engine->count_squares(&task, maps, err);
  else if (status == MS_OK)
    status = ms_weighted_squares(&task, q->budget, maps, err);
  ms_count_plan_free(&plan);
  return status;
}

/* ---- less the gluings ------------------------------------------------------------------------ */

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
  ms_status status = each_gluing(product, shape, add_edge_gluing, &g, c->err);
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
  ms_status status = each_gluing(product, shape, add_edge_gluing, &g, c->err);
  *steps =
      ms_counter_may_plan(&g.terms.c) ? g.terms.c.report.work + g.terms.c.report.factors : INFINITY;
  ms_terms_free(&g.terms);
  mpz_clear(ignored);
  return status;
}

/* The gluings of a house are diamonds, which take fewer steps than the sum.  The gluings of larger
 * patterns may take more. */
ms_status ms_edges_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  const ms_domain *domain = k->of.domain;
  double gluings = 0;
  if (!ms_edge_product_has(q->engine) || k->plan.cost <= ms_hooks.probe_steps ||
      !ms_edge_product_find(q, &k->shape, domain, &k->edges))
    return MS_OK;
  k->steps = q->index->edge_steps;
  if (!pays_with(q, domain, &k->plan, k->steps))
    return MS_OK;
  if (k->edges.common > 1 && ms_hooks.count_edge_weight > 0 &&
      estimate_gluings(c, &k->shape, &k->edges, k->plan.cost, &gluings) != MS_OK)
    return MS_OK;
  *pays = gluings == 0 || pays_with(q, domain, &k->plan, GLUED_WEIGHT * (k->steps + gluings));
  return MS_OK;
}

/* The subtracted terms come first, as where a plan counts (count_search.c). */
ms_status ms_edges_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_count_query *q = c->query;
  mpz_t glued;
  mpz_init(glued);
  ms_count_report_steps(k->steps, &c->report);
  ms_status status = count_gluings_of(c, &k->shape, &k->edges, glued);
  if (status == MS_OK && !q->estimate) {
    ms_error failure = {0};
    c->report.last = k->steps; /* the gluings were reported since */
    bool large = ms_count_goes_to_large(q, &c->report) && ms_edge_product_has(q->large);
    status = sum_products(q, &k->edges, large, maps, &failure);
    k->declined = !q->leaves && (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST);
    c->report.used_large |= large && !k->declined;
    if (status != MS_OK && !k->declined && c->err)
      *c->err = failure;
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0 || k->declined) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return k->declined ? MS_OK : status;
}
