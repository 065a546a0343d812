#include "match/count/count.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "match/count/count_choice.h"
#include "match/count/count_domains.h"
#include "match/count/count_methods.h"
#include "match/count/count_products.h"
#include "match/count/count_run.h"
#include "match/count/factor_choice.h"
#include "match/count/gluings.h"
#include "match/count/leaves.h"

/* The greatest number of gluings of two components that are counted; with more,
 * the cross product is searched instead. Each gluing needs a search,
 * unless its shape came before. */
#define MAX_GLUINGS 2000u

/* Sets maps to the number of maps of the shape. */
static ms_status count_shape(ms_counter *c, const ms_shape *shape, mpz_t maps);

static ms_status count_by_plan(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                               mpz_t maps);

/* Counts as if the user had asked for query->large, which has started.  `steps`: those that
 * processors are expected to take.  *counted: the status is that of the count; otherwise nothing
 * was counted, and processors count. */
static ms_status count_at_once(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                               double steps, mpz_t maps, bool *counted)
{
  const ms_count_query *given = c->query;
  const ms_count_report before = c->report;
  ms_count_query of_large = *given;
  ms_error failure = {0}, *err = c->err;
  of_large.engine = of_large.large;
  of_large.large = NULL; /* there is no other engine to compare with */
  c->query = &of_large;
  c->err = &failure;
  ms_status status = count_by_plan(c, shape, domain, maps);
  c->query = given;
  c->err = err;
  *counted = status != MS_ERR_MEMORY && status != MS_ERR_DEVICE_LOST;
  if (!*counted) {
    c->report = before;
    c->report.failure = failure;
    c->report.failure.status = status;
    mpz_set_ui(maps, 0);
    return MS_OK;
  }
  /* the costs of its plans are those on query->large */
  c->report.large_work = before.large_work + c->report.work - before.work;
  c->report.work = before.work + steps;
  c->report.last = steps;
  c->report.used_large |= c->report.programs - before.programs > c->report.passed - before.passed;
  if (status != MS_OK && err)
    *err = failure;
  return status;
}

/* ---- the ways ------------------------------------------------------------------------ */

/* A way to count a shape, by its plan or by something that is expected to be faster than the plan.
 * It sets *counted if it has counted, and then its status is that of the count.  It leaves *counted
 * false if it does not pay, or lacks memory or a GPU: then the next way counts. */
typedef ms_status count_way(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                            ms_count_plan *plan, mpz_t maps, bool *counted);

static ms_status begin_on_large(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                                ms_count_plan *plan, mpz_t maps, bool *counted)
{
  if (c->report.failure.status != MS_OK ||
      !ms_count_begins_on_large(c->query, ms_count_is_restricted(c->query, shape, domain),
                                plan->cost))
    return MS_OK;
  return count_at_once(c, shape, domain, plan->cost, maps, counted);
}

static ms_status by_edges(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                          ms_count_plan *plan, mpz_t maps, bool *counted)
{
  ms_edge_product product;
  double steps;
  bool lacks = false;
  if (!ms_count_edges_pay(c, shape, domain, plan, &product, &steps))
    return MS_OK;
  ms_status status = ms_count_edges(c, shape, &product, steps, maps, &lacks);
  *counted = !lacks;
  return lacks ? MS_OK : status;
}

static ms_status at_hinge(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                          ms_count_plan *plan, mpz_t maps, bool *counted)
{
  (void)domain;
  return ms_count_at_hinge(c, shape, plan, maps, counted);
}

static ms_status by_sum(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                        ms_count_plan *plan, mpz_t maps, bool *counted)
{
  ms_induced_sum *sum;
  ms_estimates known;
  (void)domain;
  ms_status status = ms_count_sum_find(c, shape, plan->cost, &sum, &known);
  *counted = sum;
  if (sum)
    status = ms_count_by_sum(c, shape, sum, &known, maps);
  ms_estimates_free(&known);
  ms_free(sum);
  return status;
}

static ms_status by_plan(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                         ms_count_plan *plan, mpz_t maps, bool *counted)
{
  *counted = true;
  return ms_count_with_plan(c, shape, domain, plan, true, maps);
}

/* In the order in which they are tried. */
static count_way *const ways[] = {
    begin_on_large,    /* a GPU that has started has the whole count */
    by_edges,          /* a sum over edges of products of what hangs on their ends */
    ms_count_products, /* products of rows of bits on a GPU */
    ms_count_cliques,  /* cliques by pivots, as long as they are ahead of a search */
    at_hinge,          /* a product at a vertex that parts the shape, less its gluings */
    by_sum,            /* an induced count as a sum of counts that are not */
    by_plan,           /* a search by the plan, whose last vertices are multiplied */
};

/* Counts by the first way that does, and frees the plan. */
static ms_status count_in_a_way(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                                ms_count_plan *plan, mpz_t maps)
{
  ms_status status = MS_OK;
  bool counted = false;
  for (size_t i = 0; status == MS_OK && !counted && i < sizeof ways / sizeof *ways; i++)
    status = ways[i](c, shape, domain, plan, maps, &counted);
  ms_count_plan_free(plan);
  return status;
}

static ms_status count_by_plan(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                               mpz_t maps)
{
  ms_count_plan plan;
  bool by_hinge, at_once;
  ms_status tried = ms_count_cliques_at_once(c, shape, domain, maps, &at_once);
  if (tried != MS_OK || at_once)
    return tried;
  if (ms_count_knows_hinge(c, shape)) {
    ms_status status = ms_count_at_hinge(c, shape, NULL, maps, &by_hinge);
    if (status != MS_OK || by_hinge)
      return status;
  }
  MS_TRY(ms_count_plan_new(c->query, shape, domain, &plan, c->err));
  return count_in_a_way(c, shape, domain, &plan, maps);
}

/* ---- factors --------------------------------------------------------------------- */

/* Counts by factors, or by a search or at a hinge if that is expected to be faster.  It is used for
 * patterns with colours, whose domains separate the parts of the pattern. */
static ms_status count_by_factors(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                                  mpz_t maps)
{
  const ms_count_query *q = c->query;
  ms_factor_choice choice;
  bool by_hinge = false;
  ms_status status = ms_factor_choose(q, shape, domain, maps, &choice, c->err);
  ms_factor_way way = choice.way;
  if (status == MS_OK && way == MS_FACTOR_BY_ENGINE) {
    status = count_in_a_way(c, shape, domain, &choice.plan, maps);
    choice.way = MS_FACTOR_BY_FACTORS;
    choice.plan = (ms_count_plan){0};
    if (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) {
      mpz_set_ui(maps, 0); /* the factors need no GPU */
      status = ms_factor_count_rest(q, &choice, maps, c->err);
    }
    ms_factor_choice_free(&choice);
    return status;
  }
  if (status == MS_OK && way != MS_FACTOR_BY_FACTORS)
    mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = ms_count_divided_at_hinge(c, shape, &choice, maps, &by_hinge);
  if (status != MS_OK || by_hinge) {
    ms_factor_choice_free(&choice);
    return status;
  }
  if (way == MS_FACTOR_BY_PLAN)
    status = ms_count_with_plan(c, shape, domain, &choice.plan, ms_factor_is_visited_on_gpu(shape),
                                maps);
  else if (way == MS_FACTOR_ON_LARGE)
    status = ms_count_on_large(c, shape, domain, maps);
  else if (!q->estimate)
    status = ms_factor_count_rest(q, &choice, maps, c->err);
  if (q->estimate && way == MS_FACTOR_BY_FACTORS)
    c->report.factors += choice.steps;
  ms_factor_choice_free(&choice);
  return status;
}

/* True if the domains separate some vertices; otherwise all vertices stay one group. */
static bool is_divided(const ms_shape *shape, const ms_domain *domain)
{
  for (uint32_t i = 0; i < shape->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (shape->kind[i] == i + 1 && shape->kind[j] == j + 1 &&
          !ms_domain_meets(&domain[i], &domain[j]))
        return true;
  return false;
}

/* ---- disconnected shapes ----------------------------------------------------------- */

static ms_status count_product(ms_counter *c, const ms_shape *shape, ms_bitset first, mpz_t maps)
{
  ms_shape *part = ms_alloc(2, sizeof *part); /* shapes are large for the stack of a recursion */
  if (!part)
    return ms_fail_memory(c->err, "the parts of a pattern");
  mpz_t other, glued;
  mpz_init(other);
  mpz_init(glued);
  ms_bitset rest = ms_bitset_minus(ms_bitset_below(shape->n), first);
  ms_shape_part(shape, first, &part[0]);
  ms_shape_part(shape, rest, &part[1]);
  ms_status status =
      ms_each_gluing(shape, first, rest, ms_maps_add, &(ms_maps_sum){.c = c, .sum = glued}, c->err);
  if (status == MS_OK)
    status = count_shape(c, &part[0], maps);
  if (status == MS_OK)
    status = count_shape(c, &part[1], other);
  if (status == MS_OK) {
    mpz_mul(maps, maps, other);
    mpz_sub(maps, maps, glued);
  } else { /* a product without one of its factors is no bound */
    mpz_set_ui(maps, 0);
  }
  mpz_clear(other);
  mpz_clear(glued);
  ms_free(part);
  return status;
}

/* ---- the whole count ------------------------------------------------------------------------ */

ms_count_way ms_count_way_of(const ms_count_query *query, ms_shape *shape, const ms_domain *domain)
{
  uint32_t first = ms_bitset_count(ms_shape_component(shape, 0));
  bool connected = first == shape->n;
  if (shape->n > query->index->n)
    return MS_COUNT_NOTHING;
  for (uint32_t i = 0; i < shape->n; i++)
    if (domain[i].count == 0)
      return MS_COUNT_NOTHING;
  ms_shape_name_kinds(shape, domain);
  if (shape->n == 1)
    return MS_COUNT_DOMAIN;
  if (shape->label)
    return MS_COUNT_PLAN;
  if (!connected && !shape->induced && shape->n <= MS_MAX_GLUED &&
      ms_count_gluings(first, shape->n - first) <= MAX_GLUINGS)
    return MS_COUNT_COMPONENTS;
  bool visits = query->engine && query->engine->weigh && ms_factor_is_visited_on_gpu(shape);
  if (connected && !shape->induced && query->order == MS_ORDER_AUTO && !visits &&
      is_divided(shape, domain))
    return MS_COUNT_FACTORS;
  return MS_COUNT_PLAN;
}

static ms_status count_in_domains(ms_counter *c, ms_shape *shape, const ms_domain *domain,
                                  mpz_t maps)
{
  switch (ms_count_way_of(c->query, shape, domain)) {
  case MS_COUNT_NOTHING:
    return MS_OK;
  case MS_COUNT_DOMAIN:
    mpz_set_ui(maps, domain[0].count);
    return MS_OK;
  case MS_COUNT_COMPONENTS:
    return count_product(c, shape, ms_shape_component(shape, 0), maps);
  case MS_COUNT_FACTORS:
    return count_by_factors(c, shape, domain, maps);
  default:
    return count_by_plan(c, shape, domain, maps);
  }
}

static ms_status count_without_memo(ms_counter *c, const ms_shape *given, mpz_t maps)
{
  struct {
    ms_shape shape;
    ms_shape_domains domains;
  } * m;
  MS_TRY(ms_stop_check(c->query->stop));
  m = ms_alloc(1, sizeof *m); /* it is large for the stack of a recursion */
  if (!m)
    return ms_fail_memory(c->err, "the shape of a pattern");
  m->shape = *given;
  ms_status status = ms_shape_domains_new(c->query->domains, &m->shape, &m->domains, c->err);
  if (status == MS_OK) {
    status = count_in_domains(c, &m->shape, m->domains.domain, maps);
    ms_free(m->domains.store);
  }
  ms_free(m);
  return status;
}

/* Makes the estimate of a shape. */
static ms_status make_estimate(ms_counter *c, const ms_shape_key *key, const ms_shape *shape,
                               mpz_t maps)
{
  const ms_count_report given = c->report;
  uint32_t outer = c->current, number = c->estimates->count;
  MS_TRY(ms_estimates_add(c->estimates, key, c->err));
  c->current = number;
  c->report = (ms_count_report){.used_large = given.used_large, .failure = given.failure};
  ms_status status = count_without_memo(c, shape, maps);
  c->estimates->of[number].steps = c->report.work + c->report.factors;
  c->report = given;
  c->current = outer;
  return status;
}

/* Estimates a shape, or finds its estimate, and adds it to the report or to what another shape
 * needs. */
static ms_status estimate_shape(ms_counter *c, const ms_shape_key *key, const ms_shape *shape,
                                mpz_t maps)
{
  uint32_t number = ms_estimates_find(c->estimates, key);
  if (number == MS_NO_ESTIMATE) {
    if (c->estimates->count == MS_ESTIMATES)
      return count_without_memo(c, shape, maps);
    number = c->estimates->count;
    MS_TRY(make_estimate(c, key, shape, maps));
  }
  if (c->current != MS_NO_ESTIMATE)
    return ms_estimates_need(c->estimates, c->current, number, c->err);
  ms_counter_see(c, number);
  return MS_OK;
}

static ms_status count_shape(ms_counter *c, const ms_shape *shape, mpz_t maps)
{
  ms_shape_key key;
  bool named = ms_counter_key(c, shape, &key);
  mpz_set_ui(maps, 0);
  if (named && c->query->estimate && c->estimates)
    return estimate_shape(c, &key, shape, maps);
  if (named && ms_shape_memo_get(ms_counter_memo(c, shape), &key, maps))
    return MS_OK;
  if (ms_numbers_low())
    return ms_fail_memory(c->err, "numbers of maps");
  ms_status status = count_without_memo(c, shape, maps);
  if (named && status == MS_OK)
    status = ms_shape_memo_put(ms_counter_memo(c, shape), &key, maps, c->err);
  return status;
}

ms_status ms_count_sum_terms(const ms_count_query *query, const ms_shape *shape, double direct,
                             uint32_t *terms, ms_error *err)
{
  ms_counter c;
  ms_induced_sum *sum;
  ms_estimates known;
  *terms = 0;
  ms_counter_init(&c, query, count_shape, err);
  MS_TRY(ms_count_sum_find(&c, shape, direct, &sum, &known));
  *terms = sum ? sum->count : 0;
  ms_estimates_free(&known);
  ms_free(sum);
  return MS_OK;
}

bool ms_count_by_edges(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       ms_count_plan *plan, ms_edge_product *product, double *steps)
{
  ms_counter c;
  ms_counter_init(&c, query, count_shape, NULL);
  bool by_edges = ms_count_edges_pay(&c, shape, domain, plan, product, steps);
  ms_shape_memo_free(&c.memo);
  return by_edges;
}

bool ms_count_by_hinge(const ms_count_query *query, const ms_shape *shape,
                       const ms_count_plan *plan, ms_hinge *hinge, double *steps)
{
  ms_counter c;
  ms_counter_init(&c, query, count_shape, NULL);
  bool by_hinge = ms_count_hinge_pays(&c, shape, plan, hinge, steps);
  ms_shape_memo_free(&c.memo);
  return by_hinge;
}

bool ms_count_divided_by_hinge(const ms_count_query *query, const ms_shape *shape,
                               const ms_factor_choice *choice, ms_hinge *hinge, double *steps)
{
  ms_counter c;
  ms_counter_init(&c, query, count_shape, NULL);
  bool by_hinge = ms_count_hinge_pays_divided(&c, shape, choice, hinge, steps);
  ms_shape_memo_free(&c.memo);
  return by_hinge;
}

ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err)
{
  ms_counter c;
  ms_count_query in_shares = *query;
  const ms_pattern_engine *planner = query->leaves ? query->leaves->planner : NULL;
  in_shares.engine = planner ? planner : &ms_pattern_engine_cpu;
  in_shares.large = NULL;
  ms_counter_init(&c, query->leaves ? &in_shares : query, count_shape, err);
  ms_status status = count_shape(&c, shape, embeddings);
  if (query->report)
    *query->report = c.report;
  ms_shape_memo_free(&c.memo);
  return status;
}
