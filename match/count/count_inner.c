/* Plans of inner patterns (match/cpu/inner_plan.h). */
#include "base/alloc.h"
#include "base/status.h"
#include "match/count/count_choice.h"
#include "match/count/count_ways.h"
#include "match/count/gluings.h"

#include <string.h>

/* A search takes less than its estimate by about this factor if the root is the largest vertex. */
#define PRIORITY_GAIN 4.0

/* ---- plans ------------------------------------------------------------------------------ */

/* Makes a plan of an inner pattern, and its program. */
static ms_status plan_choice(const ms_count_choice *c, const ms_count_query *query,
                             const ms_count_estimator *e, ms_count_plan *out, ms_error *err)
{
  ms_plan_input input;
  ms_domain all[MS_COUNT_SMALL];
  *out = (ms_count_plan){.options = {.table = true}};
  ms_count_plan_input(e, MS_ORDER_REUSE, &input);
  for (uint32_t i = 0; i < e->shape->n; i++)
    all[i] = (ms_domain){.hi = query->index->n, .count = query->index->n};
  ms_status status = ms_count_plan_of_choice(c, e->shape, &input, out, err);
  if (status == MS_OK)
    status = ms_count_plan_compile(query, all, out, err);
  if (status != MS_OK)
    ms_count_plan_free(out);
  return status;
}

/* Returns the cheapest way whose cost is above `from`, at most `most`; NULL: there is none. */
static const ms_count_choice *next_way(const ms_count_ways *s, double from, double most)
{
  const ms_count_choice *next = NULL;
  for (int product = 0; product < 2; product++)
    for (uint32_t t = 1; t < 1u << MS_COUNT_SMALL; t++) {
      const ms_count_choice *c = &s->of_tail[product][t];
      if (c->cost > from && c->cost <= (next ? next->cost : most))
        next = c;
    }
  return next;
}

/* Plans an inner pattern by the best of its ways.  Estimates do not know vertex priority, so a way
 * with the root as the largest vertex may cost more by them. */
static ms_status plan_best(const ms_count_query *query, const ms_count_estimator *e,
                           ms_count_plan *out, ms_error *err)
{
  ms_count_ways *s = ms_calloc(1, sizeof *s); /* it is large for the stack of a recursion */
  if (!s)
    return ms_fail_memory(err, "the plan of a count");
  s->e = *e;
  ms_status status = ms_count_compare_ways(s, err);
  if (status != MS_OK) {
    ms_free(s);
    return status;
  }
  double most = PRIORITY_GAIN * s->best.cost;
  status = MS_ERR_LIMIT;
  for (const ms_count_choice *c = next_way(s, 0, most); status == MS_ERR_LIMIT && c;
       c = next_way(s, c->cost, most)) {
    ms_count_choice with_priority = *c;
    with_priority.priority = true;
    status = plan_choice(&with_priority, query, e, out, err);
  }
  if (status == MS_ERR_LIMIT)
    status = plan_choice(&s->best, query, e, out, err);
  ms_free(s);
  return status;
}

/* True if a level takes all vertices as its candidates, because no table leads to it. */
static bool visits_all(const ms_program *program)
{
  bool all = false;
  for (uint32_t i = 1; i < program->prefix; i++)
    all = all || program->step[i].source == MS_FROM_DOMAIN;
  return all;
}

static ms_status plan_inner(const ms_count_query *query, const ms_count_estimator *of_inner,
                            ms_count_plan *out, ms_error *err)
{
  ms_count_estimator e = *of_inner;
  MS_TRY(plan_best(query, &e, out, err));
  if (!visits_all(out->program))
    return MS_OK;
  ms_count_plan_free(out);
  e.touched = false; /* inner graphs have fewer vertices than the program's domains */
  return plan_best(query, &e, out, err);
}

/* ---- terms ------------------------------------------------------------------------------ */

/* The plan that is made, and what it is made from. */
typedef struct inner_maker {
  const ms_count_query *query;
  const ms_count_estimator *facts;
  ms_inner_plan *plan;
  int64_t factor; /* of the maps of the shape whose terms are added */
  ms_error *err;
} inner_maker;

/* Returns the number of automorphisms that the constraints of the first levels break. */
static int64_t broken_symmetries(const ms_plan *plan, uint32_t levels)
{
  int64_t product = 1;
  for (uint32_t i = 0; i < levels; i++)
    product *= ms_bitset_count(plan->group->orbit[i]);
  return product;
}

/* Adds the program of a plan and takes it from there. */
static ms_status add_term(inner_maker *m, ms_count_plan *plan, int64_t factor)
{
  ms_inner_plan *to = m->plan;
  if (to->count == MS_MOST_INNER_TERMS)
    return ms_fail(m->err, MS_ERR_LIMIT, "too many terms of an inner pattern");
  to->term[to->count++] = (ms_inner_term){plan->program, factor};
  plan->program = NULL;
  return MS_OK;
}

static ms_status add_shape(inner_maker *m, const ms_shape *shape, int64_t factor);

static ms_status subtract_quotient(void *user, const ms_shape *quotient)
{
  inner_maker *m = user;
  return add_shape(m, quotient, -m->factor);
}

/* Subtracts the maps in which both vertices of the tail of a product with priority are the same
 * (ms_count_plan_below_root). */
static ms_status subtract_below_root(inner_maker *m, const ms_shape *shape,
                                     const ms_count_plan *of_product, int64_t factor)
{
  ms_count_plan below = {.cost = 0};
  ms_domain all[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < shape->n; i++)
    all[i] = of_product->program->step[0].domain;
  ms_status status = ms_count_plan_below_root(m->query, shape, of_product, &below, m->err);
  if (status == MS_OK)
    status = ms_count_plan_compile(m->query, all, &below, m->err);
  if (status == MS_OK)
    status = add_term(m, &below,
                      -factor * shape->n * broken_symmetries(below.plan, below.plan->shape.n));
  ms_count_plan_free(&below);
  return status;
}

/* Adds terms whose sum is `factor` times the number of maps of the shape. */
static ms_status add_shape(inner_maker *m, const ms_shape *shape, int64_t factor)
{
  ms_count_estimator facts = *m->facts;
  ms_count_plan plan;
  int64_t before = m->factor;
  facts.shape = shape;
  MS_TRY(plan_inner(m->query, &facts, &plan, m->err));
  ms_status status = MS_OK;
  if (plan.options.product && plan.options.priority) {
    status = subtract_below_root(m, shape, &plan, factor);
  } else if (plan.options.product) {
    m->factor = factor;
    status = ms_each_quotient(shape, plan.options.tail, subtract_quotient, m, m->err);
    m->factor = before;
  }
  uint32_t levels = plan.options.bounded ? shape->n : plan.program->prefix;
  if (status == MS_OK)
    status = add_term(m, &plan, factor * broken_symmetries(plan.plan, levels));
  ms_count_plan_free(&plan);
  return status;
}

/* Brings the terms with negative factors to the front. */
static void sort_terms(ms_inner_plan *plan)
{
  for (uint32_t i = 1; i < plan->count; i++)
    for (uint32_t j = i; j > 0 && plan->term[j].factor < 0 && plan->term[j - 1].factor > 0; j--) {
      ms_inner_term term = plan->term[j];
      plan->term[j] = plan->term[j - 1];
      plan->term[j - 1] = term;
    }
}

static bool is_square(const ms_shape *s)
{
  for (uint32_t i = 0; i < s->n; i++)
    if (ms_bitset_count(s->out[i]) != 2)
      return false;
  return s->n == 4;
}

ms_status ms_inner_plan_new(const ms_count_query *query, const ms_count_estimator *of_inner,
                            ms_inner_plan **out, ms_error *err)
{
  ms_inner_plan *plan = *out = ms_calloc(1, sizeof *plan);
  if (!plan)
    return ms_fail_memory(err, "a plan");
  inner_maker m = {.query = query, .facts = of_inner, .plan = plan, .err = err};
  plan->vertices = of_inner->shape->n;
  plan->squares = is_square(of_inner->shape);
  ms_status status = add_shape(&m, of_inner->shape, 1);
  if (status != MS_OK) {
    ms_inner_plan_free(plan);
    *out = NULL;
    return status;
  }
  sort_terms(plan);
  return MS_OK;
}
