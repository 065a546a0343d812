#include "match/count.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/count_choice.h"
#include "match/count_domains.h"
#include "match/count_run.h"
#include "match/dense_triangles.h"
#include "match/edge_product.h"
#include "match/factor_choice.h"
#include "match/gluings.h"
#include "match/hinge.h"
#include "match/hub_squares.h"
#include "match/induced_sum.h"
#include "match/leaves.h"
#include "match/quotients.h"
#include "match/shape_memo.h"
#include "match/triangle_ends.h"

#include <math.h>
#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
/* The greatest number of gluings of two components that are counted; with more,
 * the cross product is searched instead. Each gluing needs a search,
 * unless its shape came before. */
#define MAX_GLUINGS 2000u

typedef struct counter {
  const ms_count_query *query;
  ms_error *err;
  bool names_shapes; /* the pattern has at most 64 vertices, so that `kind` is known */
  /* [pattern vertices] one bit; equal if and only if the domains are equal */
  uint64_t kind[64];
  ms_shape_memo memo; /* memo of shapes that are not induced */
  ms_count_report report;
} counter;

/* Estimates of gluings are too low in some networks (loc-brightkite, two roofs), so that a product
 * with such gluings needs a wider margin. */
#define GLUED_WEIGHT 2.0

/* Steps to plan a pattern whose count is so short that no probes compare its ways.  Shares take it
 * for longer, as each of them plans, and a root is not cut where a hinge counts. */
#define PLANNING_STEPS 5e4

double ms_count_sum_weight = 1;

/* Sets maps to the number of maps of the shape. */
static ms_status count_shape(counter *c, const ms_shape *shape, mpz_t maps);

/* ---- quotients ----------------------------------------------------------------- */

/* The sum to which the maps of quotients are added. */
typedef struct quotient_sum {
  counter *c;
  mpz_ptr sum;
} quotient_sum;

static ms_status add_quotient(void *user, const ms_shape *quotient)
{
  quotient_sum *q = user;
  mpz_t maps;
  mpz_init(maps);
  ms_status status = count_shape(q->c, quotient, maps);
  mpz_add(q->sum, q->sum, maps);
  mpz_clear(maps);
  return status;
}

/* ---- one connected shape -------------------------------------------------------- */

/* Chooses the engine.  Makes the plan again if `large` plans for itself, or if the plan was made in
 * a hurry and the CPU counts after all. */
static ms_status choose_engine(counter *c, const ms_shape *shape, const ms_domain *domain,
                               ms_count_plan *plan, bool *large)
{
  ms_count_query of_large = *c->query;
  ms_count_report_plan(c->query, plan, &c->report);
  *large = !c->query->estimate && ms_count_goes_to_large(c->query, &c->report);
  if (*large ? !of_large.large->weigh : !plan->at_once)
    return MS_OK;
  if (*large)
    of_large.engine = of_large.large;
  of_large.large = NULL; /* there is no other engine to compare with */
  ms_count_plan_free(plan);
  return ms_count_plan_new(&of_large, shape, domain, plan, c->err);
}

/* Adds the maps that a product with priority counts and whose two vertices of the tail are the
 * same. The symmetry moves the root to every vertex, so that all domains are the same, and each
 * vertex of the shape is the largest one equally often. */
static ms_status count_below_root(counter *c, const ms_shape *shape, const ms_domain *domain,
                                  const ms_count_plan *of_product, bool large, mpz_t sum)
{
  const ms_pattern_engine *engine = large ? c->query->large : c->query->engine;
  ms_count_plan plan = {.cost = 0};
  ms_domain all[MS_MAX_PATTERN];
  mpz_t maps;
  mpz_init(maps);
  if (ms_triangle_ends_find(c->query, shape, domain, engine)) {
    ms_error failure = {0};
    ms_status ended = ms_triangle_ends_count(c->query, engine, maps, &failure);
    mpz_addmul_ui(sum, maps, ended == MS_OK ? shape->n : 0);
    if (ended != MS_ERR_MEMORY && ended != MS_ERR_DEVICE_LOST) {
      if (ended != MS_OK && c->err)
        *c->err = failure;
      mpz_clear(maps);
      return ended;
    }
  }
  for (uint32_t i = 0; i < shape->n; i++)
    all[i] = domain[0];
  ms_status status = ms_count_plan_below_root(c->query, shape, of_product, &plan, c->err);
  if (status == MS_OK)
    status = ms_count_plan_compile(c->query, all, &plan, c->err);
  if (status == MS_OK) {
    status = ms_count_run(c->query, plan.program, large, &c->report, maps, c->err);
    ms_count_multiply_back(&plan, maps);
    mpz_addmul_ui(sum, maps, shape->n);
  }
  ms_count_plan_free(&plan);
  mpz_clear(maps);
  return status;
}

/* Counts by this plan, which it frees.  `large`: programs run on query->large. */
static ms_status run_plan(counter *c, const ms_shape *shape, const ms_domain *domain,
                          ms_count_plan *plan, bool large, mpz_t maps)
{
  mpz_t quotients;
  mpz_init(quotients);
  bool estimate = c->query->estimate;
  ms_status status = MS_OK;
  if (!estimate)
    status = ms_count_plan_compile(c->query, domain, plan, c->err);
  /* The subtracted terms come first: if time runs out later, the sum is a lower bound. */
  if (status == MS_OK && plan->options.product && plan->options.priority && !estimate)
    status = count_below_root(c, shape, domain, plan, large, quotients);
  else if (status == MS_OK && plan->options.product)
    status = ms_each_quotient(shape, plan->options.tail, add_quotient,
                              &(quotient_sum){.c = c, .sum = quotients});
  if (status == MS_OK && !estimate) {
    status = ms_count_run(c->query, plan->program, large, &c->report, maps, c->err);
    ms_count_multiply_back(plan, maps);
    mpz_sub(maps, maps, quotients);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(quotients);
  ms_count_plan_free(plan);
  return status;
}

/* ---- induced shapes ------------------------------------------------------------- */

static void label_vertices(const counter *c, const ms_shape *shape, uint64_t *label)
{
  memset(label, 0, MS_MEMO_VERTICES * sizeof *label);
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i])
      label[i] |= c->kind[v];
}

/* Counts the terms of a sum.  Their domains are the pattern's domains, which are widened first. */
typedef struct term_counter {
  counter c;
  ms_count_query query;
  ms_domains domains;
} term_counter;

/* Names the kinds of all vertices of the pattern, of which a shape has parts or merges some. */
static void init_counter(counter *c, const ms_count_query *query, ms_error *err)
{
  const ms_domains *domains = query->domains;
  ms_shape kinds = {.n = domains->n};
  *c = (counter){.query = query, .err = err, .names_shapes = domains->n <= 64};
  ms_shape_name_kinds(&kinds, domains->of);
  for (uint32_t i = 0; c->names_shapes && i < domains->n; i++)
    c->kind[i] = BIT(kinds.kind[i] - 1);
}

static void init_terms(term_counter *t, const counter *c, const ms_shape *shape)
{
  t->query = *c->query;
  t->domains = *c->query->domains;
  t->query.domains = &t->domains;
  ms_domains_widen(&t->domains, shape);
  init_counter(&t->c, &t->query, c->err);
}

static ms_status count_term(void *user, const ms_shape *shape, mpz_t maps)
{
  return count_shape(user, shape, maps);
}

/* Sets *shorter to whether the sum's estimated steps, which include the time to plan its terms, are
 * less than `direct`. */
static ms_status compare_sum(const counter *c, const ms_shape *shape, const ms_induced_sum *sum,
                             double direct, bool *shorter)
{
  term_counter trial;
  double limit = ms_count_sum_weight > 0 ? direct / ms_count_sum_weight : INFINITY;
  double planning = ms_count_probe_from > 0 ? ms_count_probe_from * sum->count : 0;
  double steps = planning;
  ms_status status = MS_OK;
  ms_shape larger;
  mpz_t ignored;
  mpz_init(ignored);
  init_terms(&trial, c, shape);
  trial.query.estimate = true;
  for (uint32_t i = 0; status == MS_OK && i < sum->count && steps < limit; i++) {
    ms_induced_sum_shape(sum, shape, i, &larger);
    status = count_shape(&trial.c, &larger, ignored);
    steps = planning + trial.c.report.work + trial.c.report.factors;
  }
  *shorter = status == MS_OK && steps < limit;
  ms_shape_memo_free(&trial.c.memo);
  mpz_clear(ignored);
  return status;
}

/* Makes the sum by which to count an induced shape, if that is estimated to be shorter than a
 * search of `direct` steps; otherwise *sum is NULL. */
static ms_status find_sum(const counter *c, const ms_shape *shape, double direct,
                          ms_induced_sum **sum)
{
  uint64_t label[MS_MEMO_VERTICES];
  term_counter terms;
  bool shorter = false;
  *sum = NULL;
  if (!ms_count_has_sum(c->query, shape) || direct <= ms_count_probe_from)
    return MS_OK;
  init_terms(&terms, c, shape);
  label_vertices(&terms.c, shape, label);
  MS_TRY(ms_induced_sum_new(shape, label, sum, c->err));
  ms_status status = compare_sum(c, shape, *sum, direct, &shorter);
  if (status != MS_OK || !shorter) {
    ms_free(*sum);
    *sum = NULL;
  }
  return status;
}

static ms_status count_sum(counter *c, const ms_shape *shape, const ms_induced_sum *sum, mpz_t maps)
{
  term_counter terms;
  init_terms(&terms, c, shape);
  terms.c.report = c->report;
  ms_status status = ms_induced_sum_count(sum, shape, count_term, &terms.c, maps);
  c->report = terms.c.report;
  ms_shape_memo_free(&terms.c.memo);
  return status;
}

/* ---- edge products ---------------------------------------------------------------- */

/* The sum to which the maps of gluings are added. */
typedef struct gluing_sum {
  term_counter terms;
  mpz_ptr sum;
} gluing_sum;

static ms_status add_edge_gluing(void *user, const ms_shape *glued)
{
  gluing_sum *g = user;
  return add_quotient(&(quotient_sum){.c = &g->terms.c, .sum = g->sum}, glued);
}

/* Sets `sum` to the number of maps of all gluings.  A vertex of a gluing may have fewer neighbours
 * than it has in the pattern, so that domains are widened as for the terms of a sum. */
static ms_status count_gluings_of(counter *c, const ms_shape *shape, const ms_edge_product *product,
                                  mpz_t sum)
{
  gluing_sum g = {.sum = sum};
  init_terms(&g.terms, c, shape);
  g.terms.c.report = c->report;
  ms_status status = ms_edge_product_gluings(product, shape, add_edge_gluing, &g);
  c->report = g.terms.c.report;
  ms_shape_memo_free(&g.terms.c.memo);
  return status;
}

/* Estimates the steps of all gluings. */
static ms_status estimate_gluings(const counter *c, const ms_shape *shape,
                                  const ms_edge_product *product, double *steps)
{
  gluing_sum g;
  mpz_t ignored;
  mpz_init(ignored);
  g.sum = ignored;
  init_terms(&g.terms, c, shape);
  g.terms.query.estimate = true;
  ms_status status = ms_edge_product_gluings(product, shape, add_edge_gluing, &g);
  *steps = g.terms.c.report.work + g.terms.c.report.factors;
  ms_shape_memo_free(&g.terms.c.memo);
  mpz_clear(ignored);
  return status;
}

/* As ms_count_by_edges.  The gluings of a house are diamonds, which take fewer steps than the sum;
 * those of larger patterns may take more. */
static bool is_by_edges(const counter *c, const ms_shape *shape, const ms_domain *domain,
                        ms_count_plan *plan, ms_edge_product *product, double *steps)
{
  const ms_count_query *q = c->query;
  double gluings = 0;
  if (!ms_edge_product_has(q->engine) || plan->cost <= ms_count_probe_from ||
      !ms_edge_product_find(q, shape, domain, product))
    return false;
  *steps = q->index->edge_steps;
  if (!ms_edge_product_pays(q, domain, plan, *steps))
    return false;
  if (product->common > 1 && ms_count_edge_weight > 0 &&
      estimate_gluings(c, shape, product, &gluings) != MS_OK)
    return false;
  return gluings == 0 || ms_edge_product_pays(q, domain, plan, GLUED_WEIGHT * (*steps + gluings));
}

bool ms_count_by_edges(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       ms_count_plan *plan, ms_edge_product *product, double *steps)
{
  counter c;
  init_counter(&c, query, NULL);
  bool by_edges = is_by_edges(&c, shape, domain, plan, product, steps);
  ms_shape_memo_free(&c.memo);
  return by_edges;
}

/* Counts by an edge product.  The subtracted terms come first, as in run_plan.  *lacks: there was
 * no memory for the sum, or its GPU is lost, and nothing was counted. */
static ms_status count_edges(counter *c, const ms_shape *shape, const ms_edge_product *product,
                             double steps, mpz_t maps, bool *lacks)
{
  const ms_count_query *q = c->query;
  mpz_t glued;
  mpz_init(glued);
  ms_count_report_steps(steps, &c->report);
  ms_status status = count_gluings_of(c, shape, product, glued);
  if (status == MS_OK && !q->estimate) {
    ms_error failure = {0};
    c->report.last = steps; /* the gluings were reported since */
    bool large = ms_count_goes_to_large(q, &c->report) && ms_edge_product_has(q->large);
    status = ms_edge_product_sum(q, product, large, maps, &failure);
    *lacks = !q->leaves && (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST);
    c->report.used_large |= large && !*lacks;
    if (status != MS_OK && !*lacks && c->err)
      *c->err = failure;
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0 || *lacks) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return status;
}

/* ---- hinges ----------------------------------------------------------------------- */

/* A count at a hinge.  Its domains are widened as for the terms of a sum, so that gluings have all
 * of their symmetry. */
typedef struct hinge_count {
  term_counter terms;
  ms_shape shape; /* with the kinds of these domains */
  ms_shape_domains of;
  ms_hinge_plan plan;
} hinge_count;

/* Returns the effort of probes that compare a hinge with a search: the least that a probe
 * may take, because there are several of them. */
static ms_probe_effort small_effort(const counter *c)
{
  return (ms_probe_effort){.stop = c->query->stop};
}

static void close_hinge(hinge_count *h)
{
  ms_hinge_plan_free(&h->plan);
  ms_shape_memo_free(&h->terms.c.memo);
  ms_free(h->of.store);
}

static ms_status open_hinge(hinge_count *h, const counter *c, const ms_shape *shape)
{
  init_terms(&h->terms, c, shape);
  h->terms.query.effort = small_effort(c);
  h->shape = *shape;
  h->plan = (ms_hinge_plan){.steps = 0};
  MS_TRY(ms_shape_domains_new(&h->terms.domains, shape, &h->of, c->err));
  ms_shape_name_kinds(&h->shape, h->of.domain);
  return MS_OK;
}

/* The estimate of all gluings, which ends once they take longer than another way. */
typedef struct hinge_estimate {
  term_counter trial;
  double steps, most; /* with those of the sum and of planning */
} hinge_estimate;

static ms_status estimate_gluing(void *user, const ms_shape *glued)
{
  hinge_estimate *e = user;
  const counter *c = &e->trial.c;
  double before = c->report.work + c->report.factors;
  size_t planned = c->memo.count;
  mpz_t ignored;
  if (e->steps >= e->most)
    return MS_OK;
  mpz_init(ignored);
  ms_status status = count_shape(&e->trial.c, glued, ignored);
  mpz_clear(ignored);
  double steps = c->report.work + c->report.factors - before;
  double planning = ms_count_probe_from;
  if (!c->query->leaves)
    planning = fmin(planning, PLANNING_STEPS + steps);
  e->steps += steps;
  if (planning > 0 && steps > 0) /* nothing is planned where some domain is empty */
    e->steps += planning * (double)(c->memo.count - planned);
  return status;
}

/* Plans the sides at a hinge, and keeps the plan if everything is expected to take fewer than *most
 * steps, which are then those that it takes. */
static ms_status try_hinge(hinge_count *h, const counter *c, const ms_hinge *hinge, double *most)
{
  hinge_estimate e = {.most = *most};
  ms_hinge_plan plan;
  ms_status status =
      ms_hinge_plan_new(&h->terms.query, &h->shape, h->of.domain, hinge, &plan, c->err);
  e.steps = plan.steps;
  init_terms(&e.trial, c, &h->shape);
  e.trial.query.estimate = true;
  e.trial.query.effort = small_effort(c);
  if (status == MS_OK)
    status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], estimate_gluing, &e);
  ms_shape_memo_free(&e.trial.c.memo);
  if (status == MS_OK && e.steps < *most) {
    *most = e.steps;
    ms_hinge_plan_free(&h->plan);
    h->plan = plan;
  } else {
    ms_hinge_plan_free(&plan);
  }
  return status;
}

/* Returns the steps that a count at a hinge may take to be shorter than another one of `steps`. */
static double shorter_than(double steps)
{
  return ms_count_hinge_weight > 0 ? steps / ms_count_hinge_weight : INFINITY;
}

/* Returns the steps that a count at a hinge may take to be shorter than the search by this plan,
 * and shorter than the start of query->large where that would search. */
static double most_at_hinge(const counter *c, const ms_count_plan *plan)
{
  const ms_count_query *q = c->query;
  ms_count_report with = c->report;
  double most = shorter_than(plan->cost);
  ms_count_report_plan(q, plan, &with);
  if (!ms_count_goes_to_large(q, &with))
    return most;
  return with.used_large ? 0 : fmin(most, q->large_start * ms_count_speedup(q));
}

/* Finds the hinge at which the shape is counted in the fewest steps, and in fewer than `most`, and
 * prepares the count there.  *found: there is one, and the caller ends with close_hinge. */
static ms_status find_hinge(const counter *c, const ms_shape *shape, double most, hinge_count *h,
                            double *steps, bool *found)
{
  ms_hinge hinge[MS_HINGES_PROBED];
  *found = false;
  *steps = most;
  if (most <= 0)
    return MS_OK;
  ms_status status = open_hinge(h, c, shape);
  uint32_t hinges =
      status == MS_OK ? ms_hinge_find(&h->terms.query, &h->shape, h->of.domain, hinge) : 0;
  for (uint32_t i = 0; status == MS_OK && i < hinges; i++)
    status = try_hinge(h, c, &hinge[i], steps);
  *found = status == MS_OK && h->plan.side[0].plan && *steps < most;
  if (!*found)
    close_hinge(h);
  return status;
}

/* As find_hinge, of a shape that this plan would search for. */
static ms_status find_hinge_for_plan(const counter *c, const ms_shape *shape,
                                     const ms_count_plan *plan, hinge_count *h, double *steps,
                                     bool *found)
{
  *found = false;
  if (!ms_hinge_may(c->query, shape) || plan->cost <= ms_count_probe_from)
    return MS_OK;
  return find_hinge(c, shape, most_at_hinge(c, plan), h, steps, found);
}

/* As find_hinge, of a shape that the domains divide.  Factors count it in one pass where the parts
 * have different domains; where these meet, the parts stay one group, and all its partial matches
 * are visited. */
static ms_status find_hinge_for_factors(const counter *c, const ms_shape *shape,
                                        const ms_factor_choice *choice, hinge_count *h,
                                        double *steps, bool *found)
{
  bool by_plan = choice->way == MS_FACTOR_BY_PLAN;
  double cost = by_plan ? choice->plan.cost : choice->steps;
  *found = false;
  if (choice->way == MS_FACTOR_ON_LARGE || !ms_hinge_may(c->query, shape) ||
      cost <= ms_count_probe_from)
    return MS_OK;
  bool may_be_large = by_plan && ms_factor_is_visited_on_gpu(shape);
  double most = may_be_large ? most_at_hinge(c, &choice->plan) : shorter_than(cost);
  return find_hinge(c, shape, most, h, steps, found);
}

/* Ends a look for a hinge that does not count there. */
static bool take_found(ms_status status, bool found, hinge_count *h, ms_hinge *hinge)
{
  if (status != MS_OK || !found)
    return false;
  *hinge = h->plan.hinge;
  close_hinge(h);
  return true;
}

bool ms_count_by_hinge(const ms_count_query *query, const ms_shape *shape,
                       const ms_count_plan *plan, ms_hinge *hinge, double *steps)
{
  counter c;
  hinge_count h;
  bool found;
  init_counter(&c, query, NULL);
  ms_status status = find_hinge_for_plan(&c, shape, plan, &h, steps, &found);
  return take_found(status, found, &h, hinge);
}

bool ms_count_divided_by_hinge(const ms_count_query *query, const ms_shape *shape,
                               const ms_factor_choice *choice, ms_hinge *hinge, double *steps)
{
  counter c;
  hinge_count h;
  bool found;
  init_counter(&c, query, NULL);
  ms_status status = find_hinge_for_factors(&c, shape, choice, &h, steps, &found);
  return take_found(status, found, &h, hinge);
}

/* True if the terms have the domains of the counter, which can count them itself and so remembers
 * their shapes. */
static bool has_same_domains(const counter *c, const hinge_count *h)
{
  const ms_domains *a = c->query->domains, *b = &h->terms.domains;
  bool same = true;
  for (uint32_t i = 0; same && i < a->n; i++)
    same =
        a->of[i].lo == b->of[i].lo && a->of[i].hi == b->of[i].hi && a->of[i].bits == b->of[i].bits;
  return same;
}

/* Counts at a hinge.  The subtracted terms come first, as in run_plan. */
static ms_status count_hinge(counter *c, hinge_count *h, mpz_t maps)
{
  const ms_hinge *hinge = &h->plan.hinge;
  counter *terms = has_same_domains(c, h) ? c : &h->terms.c;
  mpz_t glued;
  mpz_init(glued);
  ms_count_report_steps(h->plan.steps, &c->report);
  if (terms != c)
    terms->report = c->report;
  ms_status status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], add_quotient,
                                    &(quotient_sum){.c = terms, .sum = glued});
  c->report = terms->report;
  if (status == MS_OK && !c->query->estimate) {
    status = ms_hinge_sum(&h->terms.query, &h->plan, maps, c->err);
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return status;
}

/* Counts at a hinge, if that is expected to be shorter than by this plan.  *counted: it did. */
static ms_status count_by_hinge(counter *c, const ms_shape *shape, const ms_count_plan *plan,
                                mpz_t maps, bool *counted)
{
  hinge_count h;
  double steps;
  ms_status status = find_hinge_for_plan(c, shape, plan, &h, &steps, counted);
  if (status != MS_OK || !*counted)
    return status;
  status = count_hinge(c, &h, maps);
  close_hinge(&h);
  return status;
}

/* ---- products of bits on GPUs ----------------------------------------------------- */

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
  if (plan->cost <= ms_count_probe_from || q->leaves) /* these sums have no shares */
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

/* Counts by products on a GPU, if that is possible and expected to be the shortest way.  Sets
 * *counted to whether it did; where a GPU lacks memory or is lost, another way has to count. */
static ms_status count_products(counter *c, const ms_shape *shape, const ms_domain *domain,
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

/* Counts by this plan, which it frees, on the engine that it chooses, or on query->engine. */
static ms_status count_with(counter *c, const ms_shape *shape, const ms_domain *domain,
                            ms_count_plan *plan, bool may_be_large, mpz_t maps)
{
  bool large = false;
  ms_status status = MS_OK;
  if (may_be_large)
    status = choose_engine(c, shape, domain, plan, &large);
  else
    ms_count_report_plan(c->query, plan, &c->report);
  if (status == MS_OK)
    return run_plan(c, shape, domain, plan, large, maps);
  ms_count_plan_free(plan);
  return status;
}

static ms_status count_by_plan(counter *c, const ms_shape *shape, const ms_domain *domain,
                               mpz_t maps);

/* Counts as if the user had asked for query->large, which has started.  `steps`: those that
 * processors are expected to take.  *counted: the status is that of the count; otherwise nothing
 * was counted, and processors count. */
static ms_status count_at_once(counter *c, const ms_shape *shape, const ms_domain *domain,
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

static ms_status count_by_plan(counter *c, const ms_shape *shape, const ms_domain *domain,
                               mpz_t maps)
{
  ms_count_plan plan;
  ms_edge_product product;
  ms_induced_sum *sum;
  double steps;
  bool lacks = false, by_hubs, by_hinge;
  MS_TRY(ms_count_plan_new(c->query, shape, domain, &plan, c->err));
  if (c->report.failure.status == MS_OK &&
      ms_count_begins_on_large(c->query, ms_count_is_restricted(c->query, shape, domain),
                               plan.cost)) {
    bool counted;
    ms_status status = count_at_once(c, shape, domain, plan.cost, maps, &counted);
    if (counted) {
      ms_count_plan_free(&plan);
      return status;
    }
  }
  if (is_by_edges(c, shape, domain, &plan, &product, &steps)) {
    ms_status counted = count_edges(c, shape, &product, steps, maps, &lacks);
    if (!lacks) {
      ms_count_plan_free(&plan);
      return counted;
    }
  }
  ms_status status = count_products(c, shape, domain, &plan, maps, &by_hubs);
  if (status != MS_OK || by_hubs) {
    ms_count_plan_free(&plan);
    return status;
  }
  status = count_by_hinge(c, shape, &plan, maps, &by_hinge);
  if (status != MS_OK || by_hinge) {
    ms_count_plan_free(&plan);
    return status;
  }
  status = find_sum(c, shape, plan.cost, &sum);
  if (status == MS_OK && !sum)
    return count_with(c, shape, domain, &plan, true, maps);
  ms_count_plan_free(&plan);
  if (sum)
    status = count_sum(c, shape, sum, maps);
  ms_free(sum);
  return status;
}

/* Counts by a search on query->large. */
static ms_status count_on_large(counter *c, const ms_shape *shape, const ms_domain *domain,
                                mpz_t maps)
{
  ms_count_query of_large = *c->query;
  ms_count_plan plan;
  of_large.engine = of_large.large;
  of_large.large = NULL; /* there is no other engine to compare with */
  MS_TRY(ms_count_plan_new(&of_large, shape, domain, &plan, c->err));
  ms_count_report_plan(c->query, &plan, &c->report);
  return run_plan(c, shape, domain, &plan, true, maps);
}

/* ---- factors --------------------------------------------------------------------- */

/* Counts a divided shape at a hinge, if that is expected to be shorter than what was chosen.
 * *counted: it did, and `maps` is the number. */
static ms_status count_divided_by_hinge(counter *c, const ms_shape *shape,
                                        const ms_factor_choice *choice, mpz_t maps, bool *counted)
{
  hinge_count h;
  double steps;
  ms_status status = find_hinge_for_factors(c, shape, choice, &h, &steps, counted);
  if (status != MS_OK || !*counted)
    return status;
  mpz_set_ui(maps, 0);
  status = count_hinge(c, &h, maps);
  close_hinge(&h);
  return status;
}

/* Counts by factors, or by a search or at a hinge if that is expected to be faster.  It is used for
 * patterns with colours, whose domains separate the parts of the pattern. */
static ms_status count_by_factors(counter *c, const ms_shape *shape, const ms_domain *domain,
                                  mpz_t maps)
{
  const ms_count_query *q = c->query;
  ms_factor_choice choice;
  bool by_hinge = false;
  ms_status status = ms_factor_choose(q, shape, domain, maps, &choice, c->err);
  ms_factor_way way = choice.way;
  if (status == MS_OK && way != MS_FACTOR_BY_FACTORS)
    mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = count_divided_by_hinge(c, shape, &choice, maps, &by_hinge);
  if (status != MS_OK || by_hinge) {
    ms_factor_choice_free(&choice);
    return status;
  }
  if (way == MS_FACTOR_BY_PLAN)
    status = count_with(c, shape, domain, &choice.plan, ms_factor_is_visited_on_gpu(shape), maps);
  else if (way == MS_FACTOR_ON_LARGE)
    status = count_on_large(c, shape, domain, maps);
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

static ms_status count_product(counter *c, const ms_shape *shape, ms_bitset first, mpz_t maps)
{
  ms_shape a, b;
  mpz_t other, glued;
  mpz_init(other);
  mpz_init(glued);
  ms_bitset rest = ms_bitset_minus(ms_bitset_below(shape->n), first);
  ms_shape_part(shape, first, &a);
  ms_shape_part(shape, rest, &b);
  ms_status status =
      ms_each_gluing(shape, first, rest, add_quotient, &(quotient_sum){.c = c, .sum = glued});
  if (status == MS_OK)
    status = count_shape(c, &a, maps);
  if (status == MS_OK)
    status = count_shape(c, &b, other);
  if (status == MS_OK) {
    mpz_mul(maps, maps, other);
    mpz_sub(maps, maps, glued);
  } else { /* a product without one of its factors is no bound */
    mpz_set_ui(maps, 0);
  }
  mpz_clear(other);
  mpz_clear(glued);
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

static ms_status count_without_memo(counter *c, const ms_shape *given, mpz_t maps)
{
  ms_shape shape = *given;
  ms_shape_domains m;
  ms_status status = ms_stop_check(c->query->stop);
  if (status == MS_OK)
    status = ms_shape_domains_new(c->query->domains, &shape, &m, c->err);
  if (status != MS_OK)
    return status;
  switch (ms_count_way_of(c->query, &shape, m.domain)) {
  case MS_COUNT_NOTHING:
    break;
  case MS_COUNT_DOMAIN:
    mpz_set_ui(maps, m.domain[0].count);
    break;
  case MS_COUNT_COMPONENTS:
    status = count_product(c, &shape, ms_shape_component(&shape, 0), maps);
    break;
  case MS_COUNT_FACTORS:
    status = count_by_factors(c, &shape, m.domain, maps);
    break;
  default:
    status = count_by_plan(c, &shape, m.domain, maps);
  }
  ms_free(m.store);
  return status;
}

/* Sets the memo's key of a shape. The domain of a merged vertex is the
 * intersection of its members' domains, so the kinds of the members determine
 * it. */
static bool make_key(const counter *c, const ms_shape *shape, ms_shape_key *key)
{
  uint64_t label[MS_MEMO_VERTICES];
  if (!c->names_shapes || shape->induced || shape->label || shape->n > MS_MEMO_VERTICES)
    return false;
  label_vertices(c, shape, label);
  return ms_shape_key_of(shape, label, key);
}

static ms_status count_shape(counter *c, const ms_shape *shape, mpz_t maps)
{
  ms_shape_key key;
  bool named = make_key(c, shape, &key);
  mpz_set_ui(maps, 0);
  if (named && ms_shape_memo_get(&c->memo, &key, maps))
    return MS_OK;
  if (ms_numbers_low())
    return ms_fail_memory(c->err, "numbers of maps");
  ms_status status = count_without_memo(c, shape, maps);
  if (named && status == MS_OK)
    status = ms_shape_memo_put(&c->memo, &key, maps, c->err);
  return status;
}

ms_status ms_count_sum_terms(const ms_count_query *query, const ms_shape *shape, double direct,
                             uint32_t *terms, ms_error *err)
{
  counter c;
  ms_induced_sum *sum;
  *terms = 0;
  init_counter(&c, query, err);
  MS_TRY(find_sum(&c, shape, direct, &sum));
  *terms = sum ? sum->count : 0;
  ms_free(sum);
  return MS_OK;
}

ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err)
{
  counter c;
  ms_count_query in_shares = *query;
  const ms_pattern_engine *planner = query->leaves ? query->leaves->planner : NULL;
  in_shares.engine = planner ? planner : &ms_pattern_engine_cpu;
  in_shares.large = NULL;
  init_counter(&c, query->leaves ? &in_shares : query, err);
  ms_status status = count_shape(&c, shape, embeddings);
  if (query->report)
    *query->report = c.report;
  ms_shape_memo_free(&c.memo);
  return status;
}
