#include "match/count/count.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "match/count/count_methods.h"
#include "match/count/count_race.h"
#include "match/count/count_run.h"
#include "match/count/gluings.h"
#include "match/count/leaves.h"

/* The greatest number of gluings of two components that are counted; with more,
 * the cross product is searched instead. Each gluing needs a search,
 * unless its shape came before. */
#define MAX_GLUINGS 2000u

/* ---- a few vertices, and components ---------------------------------------------------------- */

static ms_status estimate_nothing(ms_counter *c, ms_count_case *k, bool *pays)
{
  *pays = k->empty || k->shape.n > c->query->index->n;
  return MS_OK;
}

static void explain_nothing(const ms_count_case *k, const ms_count_text *t)
{
  (void)k;
  if (!t->json)
    ms_growing_put(t->out, "some pattern vertex has no candidate: there is nothing to count\n");
}

static ms_status estimate_domain(ms_counter *c, ms_count_case *k, bool *pays)
{
  (void)c;
  *pays = k->shape.n == 1;
  return MS_OK;
}

static ms_status count_domain(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  (void)c;
  mpz_set_ui(maps, k->of.domain[0].count);
  return MS_OK;
}

static void explain_domain(const ms_count_case *k, const ms_count_text *t)
{
  ms_growing_put(t->out,
                 t->json ? ",\"size\":%u" : "counted: the %u candidates of the only vertex\n",
                 k->of.domain[0].count);
}

static ms_status estimate_components(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_shape *shape = &k->shape;
  uint32_t first = ms_bitset_count(ms_shape_component(shape, 0));
  (void)c;
  *pays = first < shape->n && !shape->induced && !shape->label && shape->n <= MS_MAX_GLUED &&
          ms_count_gluings(first, shape->n - first) <= MAX_GLUINGS;
  return MS_OK;
}

static ms_status count_components(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_shape *shape = &k->shape;
  ms_shape *part = ms_alloc(2, sizeof *part); /* shapes are large for the stack of a recursion */
  if (!part)
    return ms_fail_memory(c->err, "the parts of a pattern");
  ms_bitset first = ms_shape_component(shape, 0);
  mpz_t other, glued;
  mpz_init(other);
  mpz_init(glued);
  ms_bitset rest = ms_bitset_minus(ms_bitset_below(shape->n), first);
  ms_shape_part(shape, first, &part[0]);
  ms_shape_part(shape, rest, &part[1]);
  ms_status status =
      ms_each_gluing(shape, first, rest, ms_maps_add, &(ms_maps_sum){.c = c, .sum = glued}, c->err);
  if (status == MS_OK)
    status = c->count(c, &part[0], maps);
  if (status == MS_OK)
    status = c->count(c, &part[1], other);
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

static void explain_components(const ms_count_case *k, const ms_count_text *t)
{
  (void)k;
  if (!t->json)
    ms_growing_put(t->out, "counted: components separately, as a product, less the maps in which "
                           "they share vertices\n");
}

/* ---- a GPU that has started ------------------------------------------------------------------ */

static ms_status count_case(ms_counter *c, ms_count_case *k, mpz_t maps);

/* Plans the case as if the user had asked for query->large. */
static ms_status plan_on_large(ms_counter *c, ms_count_case *k)
{
  k->on_large = ms_count_query_on_large(c->query);
  c->query = &k->on_large;
  return ms_count_plan_new(c->query, &k->shape, k->of.domain, &k->plan, c->err);
}

/* An explanation goes on, as if the user had asked for that engine. */
static ms_status estimate_at_once(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  bool begins =
      c->report.failure.status == MS_OK && ms_count_is_quick(q) && k->is_compared &&
      ms_count_begins_on_large(q, ms_count_is_restricted(q, &k->shape, k->of.domain), k->plan.cost);
  *pays = begins && !c->explains && ms_count_take_large(q);
  if (!begins || !c->explains)
    return MS_OK;
  ms_count_plan_free(&k->plan);
  return plan_on_large(c, k);
}

/* A GPU that has not started, and that would search by the plan, may count at a hinge. */
static ms_status estimate_hinge_on_large(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  ms_count_report with = c->report;
  if (q->estimate || !q->large || !k->is_compared)
    return MS_OK;
  ms_count_query on_large = ms_count_query_on_large(q);
  ms_count_report_plan(q, &k->plan, &with);
  *pays = ms_hinge_may(&on_large, &k->shape) && ms_count_goes_to_large(q, &with);
  if (!*pays || !c->explains)
    return MS_OK;
  ms_count_plan_free(&k->plan);
  *pays = false;
  MS_TRY(plan_on_large(c, k));
  return ms_hinge_estimate(c, k, pays);
}

/* Declines if the GPU lacks memory or is lost. */
static ms_status count_at_once(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_count_query *given = c->query;
  const ms_count_report before = c->report;
  ms_count_plan plan = k->plan;
  ms_error failure = {0}, *err = c->err;
  c->err = &failure;
  ms_status status = plan_on_large(c, k);
  if (status == MS_OK)
    status = count_case(c, k, maps);
  ms_count_plan_free(&k->plan);
  k->plan = plan;
  c->query = given;
  c->err = err;
  k->declined = status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST;
  if (k->declined) {
    c->report = before;
    c->report.failure = failure;
    c->report.failure.status = status;
    mpz_set_ui(maps, 0);
    return MS_OK;
  }
  /* the costs of its plans are those on query->large */
  c->report.large_work = before.large_work + c->report.work - before.work;
  c->report.work = before.work + plan.cost;
  c->report.last = plan.cost;
  c->report.used_large |= c->report.programs - before.programs > c->report.passed - before.passed;
  if (status != MS_OK && err)
    *err = failure;
  return status;
}

/* ---- factors --------------------------------------------------------------------------------- */

static ms_status estimate_factors(ms_counter *c, ms_count_case *k, bool *pays)
{
  (void)c;
  *pays = k->divided;
  return MS_OK;
}

static void explain_factors(const ms_count_case *k, const ms_count_text *t)
{
  const ms_factor *f = k->factors.factor;
  ms_growing_put(t->out, "%s",
                 t->json ? ",\"levels\":["
                         : "counted by factors: a vertex is counted once for each match of the "
                           "vertices above it on which it depends\n");
  for (uint32_t i = 0; i < f->n; i++) {
    uint8_t v = f->plan->level[i].vertex;
    uint32_t depth = 0, domain = k->of.domain[v].count;
    for (uint32_t j = i; j > 0; j = f->parent[j])
      depth++;
    if (t->json)
      ms_growing_put(t->out, "%s{\"vertex\":", i ? "," : "");
    else
      ms_growing_put(t->out, "%*s", (int)(2 * depth + 2), "");
    ms_count_put_names(t, &v, 1);
    if (t->json)
      ms_growing_put(t->out, ",\"domain\":%u,\"copies\":%u,\"below\":", domain, f->copies[i]);
    else if (f->copies[i] > 1)
      ms_growing_put(t->out, " and vertices with the same candidates (%u of %u)", f->copies[i],
                     domain);
    else
      ms_growing_put(t->out, " (of %u)", domain);
    if (t->json && i == 0)
      ms_growing_put(t->out, "null");
    else if (t->json)
      ms_count_put_names(t, &f->plan->level[f->parent[i]].vertex, 1);
    ms_growing_put(t->out, "%s", t->json ? "}" : "\n");
  }
  ms_growing_put(t->out, "%s", t->json ? "]" : "");
}

/* ---- the table ------------------------------------------------------------------------------- */

/* In the order in which they are asked.  One of the last three counts what no other does. */
static const ms_counting_way ways[] = {
    /* some vertex has no candidate */
    {"none", false, estimate_nothing, NULL, NULL, explain_nothing},
    /* the size of a domain */
    {"domain", false, estimate_domain, count_domain, NULL, explain_domain},
    /* |A| |B| maps of a disconnected shape A + B, less the maps of every shape that glues vertices
     * of A to vertices of B; not induced */
    {"pairs of components", false, estimate_components, count_components, NULL, explain_components},
    /* as below, before anything is planned */
    {"pivots", false, ms_pivots_at_once_estimate, ms_pivots_at_once_count, NULL, NULL},
    {"hinge", false, ms_known_hinge_estimate, ms_at_hinge_count, NULL, ms_hinge_explain},
    /* a GPU that has started has the whole count: one of the ways below, on that GPU */
    {"at once", true, estimate_at_once, count_at_once, NULL, NULL},
    /* a 4-cycle and vertices next to both ends of one of its edges, edge by edge
     * (edge_product.h); not induced */
    {"edges", true, ms_edges_estimate, ms_edges_count,
     "the triangles and the 4-cycles at each edge, as a product, less the maps in which their "
     "vertices coincide",
     NULL},
    /* a wheel of four on a GPU; not induced */
    {"hubs", true, ms_hubs_estimate, ms_products_count,
     "the 4-cycles among the neighbours of each vertex, by products of bit matrices on a GPU",
     NULL},
    /* a clique of four and the like on a GPU, in dense graphs */
    {"triangles", true, ms_triangles_estimate, ms_products_count,
     "the common neighbours of each triangle, by products of bit matrices on a GPU", NULL},
    /* all cliques in a large one or near it at once, as long as that is ahead of a search
     * (cpu/cliques/cliques.h) */
    {"pivots", true, ms_pivots_estimate, ms_pivots_count,
     "cliques by pivots, those within a large clique or near it at once", NULL},
    /* some vertices fixed, the others eliminated one after the other, less the maps of every shape
     * in which vertices coincide (elimination.h) */
    {"elimination", true, ms_elimination_estimate, ms_elimination_way_count, NULL,
     ms_elimination_explain},
    /* vertex by vertex, the product of the numbers of maps of the two sides into which the shape
     * falls without one of its vertices, less the maps of every shape that glues them (hinge.h) */
    {"hinge", true, ms_hinge_estimate, ms_at_hinge_count, NULL, ms_hinge_explain},
    {"hinge", true, estimate_hinge_on_large, count_at_once, NULL, ms_hinge_explain},
    /* an induced shape as a sum, with signs, of shapes with further edges (induced_sum.h) */
    {"sum", true, ms_sum_estimate, ms_sum_count, NULL, ms_sum_explain},
    /* a search for the prefix of a plan: the tail is counted by partitions (cpu/program.h), as a
     * product less the maps of its quotients, or in the graph that its candidates induce
     * (count_ways.h) */
    {"plan", true, ms_search_estimate, ms_search_count, NULL, ms_search_explain},
    /* the same on a GPU that has started, for a shape that the domains divide */
    {"plan", true, ms_search_on_large_estimate, ms_search_on_large_count, NULL, ms_search_explain},
    /* a shape that the domains divide, by the groups into which it falls once some vertices are
     * matched (factor.h) */
    {"factors", true, estimate_factors, ms_factors_count, NULL, explain_factors},
};

/* ---- a case ---------------------------------------------------------------------------------- */

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

static ms_status case_new(ms_counter *c, const ms_shape *shape, ms_count_case **out)
{
  const ms_count_query *q = c->query;
  ms_count_case *k = *out = ms_calloc(1, sizeof *k);
  if (!k)
    return ms_fail_memory(c->err, "the shape of a pattern");
  k->shape = *shape;
  ms_status status = ms_shape_domains_new(q->domains, shape, &k->of, c->err);
  for (uint32_t i = 0; i < shape->n; i++)
    k->empty |= k->of.domain[i].count == 0;
  if (status != MS_OK || k->empty)
    return status;
  ms_shape_name_kinds(&k->shape, k->of.domain);
  bool visits = q->engine && q->engine->weigh && ms_factor_is_visited_on_gpu(shape);
  k->divided = !shape->label && !shape->induced && q->order == MS_ORDER_AUTO && !visits &&
               ms_shape_is_connected(shape) && is_divided(&k->shape, k->of.domain);
  return MS_OK;
}

void ms_count_case_free(ms_count_case *k)
{
  if (!k)
    return;
  ms_clique_count_free(k->cliques);
  ms_hinge_count_free(k->hinge);
  ms_estimates_free(&k->terms);
  ms_free(k->elimination);
  ms_free(k->sum);
  ms_count_plan_free(&k->plan);
  ms_factor_choice_free(&k->factors);
  ms_free(k->of.store);
  ms_free(k);
}

/* Makes the plan of the search with which the ways are compared.  Factors may begin to count;
 * maps == NULL: nothing is counted. */
static ms_status plan_case(ms_counter *c, ms_count_case *k, mpz_ptr maps)
{
  k->planned = true;
  k->is_compared = !k->divided;
  if (!k->divided)
    return ms_count_plan_new(c->query, &k->shape, k->of.domain, &k->plan, c->err);
  MS_TRY(ms_factor_choose(c->query, &k->shape, k->of.domain, maps, &k->factors, c->err));
  k->plan = k->factors.plan;
  k->factors.plan = (ms_count_plan){0};
  k->is_compared = k->factors.way == MS_FACTOR_BY_ENGINE;
  if (maps && k->factors.way != MS_FACTOR_BY_FACTORS)
    mpz_set_ui(maps, 0);
  return MS_OK;
}

/* Finds the next way, from k->way on, that counts the case. */
static ms_status find_way(ms_counter *c, ms_count_case *k, mpz_ptr maps)
{
  for (bool pays = false;; k->way++) {
    if (k->way->needs_plan && !k->planned)
      MS_TRY(plan_case(c, k, maps));
    MS_TRY(k->way->estimate(c, k, &pays));
    if (pays)
      return MS_OK;
  }
}

/* Counts by the first way that pays and does not decline. */
static ms_status count_case(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  ms_status status = MS_OK;
  const ms_counting_way *next = ways;
  do {
    k->way = next;
    status = find_way(c, k, maps);
    next = k->way + 1;
    k->declined = false;
    if (status == MS_OK && k->way->count)
      status = k->way->count(c, k, maps);
    if (k->is_compared && k->divided && (status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST)) {
      mpz_set_ui(maps, 0);
      ms_count_plan_free(&k->plan);
      k->factors.way = MS_FACTOR_BY_FACTORS; /* which need no GPU */
      k->is_compared = false;
      k->declined = true;
      status = MS_OK;
    }
  } while (status == MS_OK && k->declined);
  return status;
}

static ms_status count_without_memo(ms_counter *c, const ms_shape *shape, mpz_t maps)
{
  ms_count_case *k;
  MS_TRY(ms_stop_check(c->query->stop));
  ms_status status = case_new(c, shape, &k);
  if (status == MS_OK)
    status = count_case(c, k, maps);
  ms_count_case_free(k);
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

ms_status ms_count_shape(ms_counter *c, const ms_shape *shape, mpz_t maps)
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

static ms_status count_alone(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                             ms_error *err)
{
  ms_counter c;
  ms_count_query in_shares = *query;
  const ms_pattern_engine *planner = query->leaves ? query->leaves->planner : NULL;
  in_shares.engine = planner ? planner : &ms_pattern_engine_cpu;
  in_shares.large = NULL;
  ms_counter_init(&c, query->leaves ? &in_shares : query, ms_count_shape, err);
  ms_status status = ms_count_shape(&c, shape, embeddings);
  if (query->report)
    *query->report = c.report;
  ms_shape_memo_free(&c.memo);
  return status;
}

ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err)
{
  return ms_count_may_race(query, shape) ? ms_count_race(query, shape, count_alone, embeddings, err)
                                         : count_alone(query, shape, embeddings, err);
}

/* ---- what is said of it ---------------------------------------------------------------------- */

ms_status ms_count_choose_way(const ms_count_query *query, const ms_shape *shape,
                              ms_count_case **out, ms_error *err)
{
  ms_counter c;
  ms_counter_init(&c, query, ms_count_shape, err);
  c.explains = true;
  ms_status status = case_new(&c, shape, out);
  if (status == MS_OK) {
    (*out)->way = ways;
    status = find_way(&c, *out, NULL);
  }
  ms_shape_memo_free(&c.memo);
  if (status != MS_OK) {
    ms_count_case_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_count_explain(const ms_count_query *query, const ms_shape *shape,
                           const char *const *name, bool json, char **text, ms_error *err)
{
  ms_growing out = {0};
  ms_count_text to = {&out, name, json};
  ms_count_case *k;
  *text = NULL;
  MS_TRY(ms_count_choose_way(query, shape, &k, err));
  const ms_counting_way *way = k->way;
  if (json)
    ms_growing_put(&out, "{\"maps\":\"%s\"", way->name);
  if (way->explain)
    way->explain(k, &to);
  else if (json)
    ms_growing_put(&out, ",\"cost\":%.6g", k->steps);
  else
    ms_growing_put(&out, "counted: %s; estimated steps: %.3g\n", way->text, k->steps);
  if (json)
    ms_growing_put(&out, "}");
  ms_count_case_free(k);
  return ms_growing_end(&out, "the plan's text", text, err);
}
