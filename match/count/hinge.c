#include "match/count/hinge.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_choice.h"
#include "match/count/count_methods.h"
#include "match/count/count_run.h"
#include "match/count/count_ways.h"
#include "match/count/leaves.h"
#include "match/cpu/rooted.h"

#include <math.h>
#include <string.h>

/* The most gluings.  Two cliques of five with one common vertex have 209. */
#define MOST_GLUINGS 250
/* The most hinges of one shape that are compared with a search by probes. */
#define HINGES_PROBED 2u
/* Time of a gluing on a GPU, as a share of its estimated time on one thread of the CPU: that of
 * cliques and the like (gpu/match/best.c), which most gluings are. */
#define GLUED_GPU_WEIGHT 0.005

/* ---- sides ------------------------------------------------------------------------------ */

/* One side with the hinge, which no automorphism moves. */
typedef struct side {
  ms_shape shape;
  ms_domain domain[MS_MAX_GLUED];
  uint32_t root; /* the hinge */
} side;

static void make_side(const ms_shape *shape, const ms_domain *domain, const ms_hinge *hinge,
                      int number, side *out)
{
  ms_bitset vertices = ms_bitset_or(hinge->side[number], ms_bitset_of(hinge->vertex));
  uint32_t i = 0;
  ms_shape_part(shape, vertices, &out->shape);
  MS_EACH_MEMBER (v, vertices) {
    if (v == hinge->vertex)
      out->root = i;
    out->domain[i++] = domain[v];
  }
  out->shape.kind[out->root] = shape->n + 1; /* other kinds are 1 .. n */
}

/* ---- the choice of a hinge -------------------------------------------------------------- */

/* Estimates the steps of a side by the formula for its best way. */
static double estimate_side(const ms_count_query *query, const side *s)
{
  ms_count_ways ways;
  memset(&ways, 0, sizeof ways);
  ways.rooted = true;
  ways.root = s->root;
  ms_count_estimator_init(&ways.e, query, &s->shape, s->domain);
  return ms_count_find_best_way(&ways, NULL) == MS_OK ? ways.best.cost : INFINITY;
}

/* Returns the estimated steps of both sides; INFINITY: it is not counted at this hinge. */
static double estimate(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       const ms_hinge *hinge)
{
  uint32_t n[2] = {ms_bitset_count(hinge->side[0]), ms_bitset_count(hinge->side[1])};
  double steps = 0;
  side s;
  if (n[0] >= MS_COUNT_SMALL || n[1] >= MS_COUNT_SMALL ||
      ms_count_gluings(n[0], n[1]) > MOST_GLUINGS)
    return INFINITY;
  for (int i = 0; i < 2; i++) {
    make_side(shape, domain, hinge, i, &s);
    steps += estimate_side(query, &s);
  }
  return steps;
}

/* Lists the hinges of a shape whose sides take the fewest steps by the estimates of count_cost.h,
 * at most HINGES_PROBED, the best one first.  Returns their number. */
static uint32_t find_best(const ms_count_query *query, const ms_shape *shape,
                          const ms_domain *domain, ms_hinge best[HINGES_PROBED])
{
  ms_hinge all[MS_MAX_HINGES];
  double cost[HINGES_PROBED];
  uint32_t count = ms_list_hinges(shape, all), found = 0;
  for (uint32_t i = 0; i < count; i++) {
    double steps = estimate(query, shape, domain, &all[i]);
    uint32_t at = 0;
    while (at < found && cost[at] < steps * (1 - 1e-9))
      at++;
    /* the same estimate: mostly an image of the other one */
    if (isinf(steps) || at == HINGES_PROBED || (at < found && cost[at] <= steps * (1 + 1e-9)))
      continue;
    found += found < HINGES_PROBED;
    for (uint32_t j = found - 1; j > at; j--) {
      cost[j] = cost[j - 1];
      best[j] = best[j - 1];
    }
    cost[at] = steps;
    best[at] = all[i];
  }
  return found;
}

/* ---- the plan --------------------------------------------------------------------------- */

/* True if both sides are counted by programs, so that their numbers need not be stored, and shares
 * have parts of them. */
static bool has_programs(const ms_hinge_plan *p)
{
  const ms_rooted *a = p->rooted.of[p->side[0]], *b = p->rooted.of[p->side[1]];
  return a->plan.program && b->plan.program;
}

static ms_status plan_sides(const ms_counter *terms, const ms_shape *shape, bool programs,
                            ms_hinge_plan *out)
{
  const ms_hinge *hinge = &out->hinge;
  const ms_pattern_engine *engine = terms->query->engine;
  out->rooted =
      (ms_rooted_plan){.programs = programs, .books = !programs && engine && engine->count_books};
  for (int i = 0; i < 2; i++) {
    ms_bitset vertices = ms_bitset_or(hinge->side[i], ms_bitset_of(hinge->vertex));
    uint32_t root = ms_bitset_count(ms_bitset_and(vertices, ms_bitset_below(hinge->vertex)));
    ms_shape *part = ms_alloc(1, sizeof *part); /* it is large for the stack of a recursion */
    if (!part)
      return ms_fail_memory(terms->err, "a side of a hinge");
    ms_shape_part(shape, vertices, part);
    ms_status status = ms_rooted_plan_add(&out->rooted, terms, part, root, &out->side[i]);
    ms_free(part);
    if (status != MS_OK)
      return status;
  }
  out->steps = ms_rooted_plan_steps(&out->rooted, terms->query->index, out->side, 2);
  return MS_OK;
}

ms_status ms_hinge_plan_new(const ms_counter *terms, const ms_shape *shape, const ms_hinge *hinge,
                            ms_hinge_plan *out)
{
  *out = (ms_hinge_plan){.hinge = *hinge};
  return plan_sides(terms, shape, false, out);
}

void ms_hinge_plan_free(ms_hinge_plan *plan)
{
  ms_rooted_plan_free(&plan->rooted);
}

/* ---- the sum ---------------------------------------------------------------------------- */

typedef struct hinge_run {
  const ms_counter *terms;
  const ms_shape *shape;
  ms_hinge_plan *plan;
} hinge_run;

/* Sums the products of what two programs count under each root. */
static ms_status sum_programs(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  const hinge_run *run = user;
  const ms_count_query *q = run->terms->query;
  const ms_program *a = run->plan->rooted.of[run->plan->side[0]]->plan.program,
                   *b = run->plan->rooted.of[run->plan->side[1]]->plan.program;
  ms_pattern_task task = {.program = a,
                          .threads = q->threads,
                          .stop = q->stop,
                          .progress = q->progress,
                          .progress_user = q->progress_user,
                          .work = q->work,
                          .share = share};
  return ms_rooted_sum(&task, a == b ? NULL : b, maps, err);
}

static void multiply_back(const ms_hinge_plan *p, mpz_t maps)
{
  for (int i = 0; i < 2; i++)
    ms_count_multiply_back(&p->rooted.of[p->side[i]]->plan, maps);
}

/* Sums the products of numbers that are stored.  They are not divided: the share of the first unit
 * has all of them. */
static ms_status sum_numbers(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  hinge_run *run = user;
  ms_hinge_plan *p = run->plan;
  bool fit;
  if (!ms_share_has(share, 0))
    return MS_OK;
  MS_TRY(ms_rooted_numbers_sum(run->terms->query, &p->rooted, p->side, maps, &fit, err));
  if (fit)
    return MS_OK;
  ms_rooted_plan_free(&p->rooted);
  MS_TRY(plan_sides(run->terms, run->shape, true, p));
  ms_status status = sum_programs(run, NULL, maps, err);
  multiply_back(p, maps);
  return status;
}

/* Returns a checksum of the programs, or of the sides. */
static uint32_t leaf_sum(const ms_hinge_plan *p, const ms_pattern_index *index, bool by_programs)
{
  uint32_t sum[2] = {0};
  for (int i = 0; i < 1 + (p->side[0] != p->side[1]); i++) {
    const ms_rooted *r = p->rooted.of[p->side[i]];
    sum[i] =
        by_programs ? ms_count_leaf_sum(r->plan.program, "hinge") : ms_rooted_checksum(r, index);
  }
  return ms_crc32c(by_programs, sum, sizeof sum);
}

ms_status ms_hinge_sum(const ms_counter *terms, const ms_shape *shape, ms_hinge_plan *plan,
                       mpz_t maps)
{
  const ms_count_query *q = terms->query;
  bool by_programs = has_programs(plan);
  ms_count_leaf_fn *count = by_programs ? sum_programs : sum_numbers;
  hinge_run run = {terms, shape, plan};
  mpz_set_ui(maps, 0);
  ms_status status = q->leaves ? ms_count_run_leaf(q, leaf_sum(plan, q->index, by_programs), count,
                                                   &run, maps, terms->err)
                               : count(&run, NULL, maps, terms->err);
  if (by_programs)
    multiply_back(plan, maps);
  return status;
}

/* ---- less the gluings ------------------------------------------------------------------------ */

void ms_hinge_count_free(ms_hinge_count *h)
{
  if (!h)
    return;
  ms_hinge_plan_free(&h->plan);
  ms_terms_free(&h->terms);
  ms_free(h->of.store);
  ms_free(h);
}

static ms_status open_hinge(ms_hinge_count *h, const ms_counter *c, const ms_shape *shape)
{
  ms_terms_init(&h->terms, c, shape);
  /* the least that a probe may take, because several of them compare a hinge with a search */
  h->terms.query.effort = (ms_probe_effort){.stop = c->query->stop};
  h->shape = *shape;
  h->plan = (ms_hinge_plan){.steps = 0};
  MS_TRY(ms_shape_domains_new(&h->terms.domains, shape, &h->of, c->err));
  ms_shape_name_kinds(&h->shape, h->of.domain);
  return MS_OK;
}

/* ---- the comparison with a search ------------------------------------------------ */

/* Returns the steps to plan a shape whose count takes so many.  Shares take them for more, as each
 * of them plans, and a root is not cut where a hinge counts. */
static double steps_to_plan(const ms_count_query *query, double steps)
{
  return query->leaves ? ms_hooks.probe_steps : fmin(ms_hooks.probe_steps, MS_PLAN_STEPS + steps);
}

/* Returns what the steps of a report become in the comparison with a search, whose steps are those
 * that the query's engine weighs. */
static double weight_of(const ms_count_query *query)
{
  return query->engine && query->engine->weigh ? GLUED_GPU_WEIGHT : 1;
}

ms_status ms_terms_estimate(void *user, const ms_shape *term)
{
  ms_term_estimate *e = user;
  ms_counter *c = &e->trial.c;
  double before = c->report.work + c->report.factors;
  uint32_t seen = c->n_seen;
  mpz_t ignored;
  if (!ms_counter_may_plan(c))
    e->steps = INFINITY; /* to plan it would take too long */
  if (e->steps >= e->most)
    return MS_OK;
  mpz_init(ignored);
  ms_status status = c->count(c, term, ignored);
  mpz_clear(ignored);
  double weight = weight_of(c->query);
  double steps = (c->report.work + c->report.factors - before) * weight;
  double planning = weight < 1 ? ms_hooks.probe_steps : steps_to_plan(c->query, steps);
  e->steps += steps;
  if (planning > 0 && steps > 0) /* nothing is planned where some domain is empty */
    e->steps += planning * (double)(c->n_seen - seen);
  return status;
}

/* Plans the sides at a hinge, and keeps the plan if everything is expected to take fewer than *most
 * steps, which are then those that it takes. */
static ms_status try_hinge(ms_hinge_count *h, const ms_hinge *hinge, double *most)
{
  ms_term_estimate e = {.most = *most};
  ms_hinge_plan plan;
  ms_status status = ms_hinge_plan_new(&h->terms.c, &h->shape, hinge, &plan);
  e.steps = plan.steps;
  ms_terms_init(&e.trial, &h->terms.c, &h->shape);
  e.trial.query.estimate = true;
  if (status == MS_OK)
    status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], ms_terms_estimate, &e,
                            h->terms.c.err);
  ms_terms_free(&e.trial);
  if (status == MS_OK && e.steps < *most) {
    *most = e.steps;
    ms_hinge_plan_free(&h->plan);
    h->plan = plan;
  } else {
    ms_hinge_plan_free(&plan);
  }
  return status;
}

/* Returns the estimate of the shape if its hinges were compared before; otherwise NULL. */
static ms_estimate *known_estimate(const ms_counter *terms, const ms_shape *shape)
{
  ms_shape_key key;
  if (!terms->estimates || terms->estimates->count == 0 || !ms_counter_key(terms, shape, &key))
    return NULL;
  uint32_t number = ms_estimates_find(terms->estimates, &key);
  return number == MS_NO_ESTIMATE ? NULL : &terms->estimates->of[number];
}

/* Compares the hinges, and notes in the shape's estimate, if there is one, which is the best. */
static ms_status compare_hinges(ms_hinge_count *h, const ms_hinge *hinge, uint32_t hinges,
                                double *steps)
{
  uint32_t best = MS_NO_ESTIMATE;
  ms_status status = MS_OK;
  for (uint32_t i = 0; status == MS_OK && i < hinges; i++) {
    double before = *steps;
    status = try_hinge(h, &hinge[i], steps);
    best = *steps < before ? i : best;
  }
  ms_estimate *of = status == MS_OK ? known_estimate(&h->terms.c, &h->shape) : NULL;
  if (of && ms_counter_may_plan(&h->terms.c)) {
    of->compared = true;
    of->hinge = best;
    of->at_hinge = best == MS_NO_ESTIMATE ? INFINITY : *steps;
  }
  return status;
}

/* Plans the best hinge, by the shape's estimate if that knows it. */
static ms_status plan_hinge(ms_hinge_count *h, const ms_hinge *hinge, uint32_t hinges,
                            double *steps)
{
  const ms_estimate *of = known_estimate(&h->terms.c, &h->shape);
  if (!of || !of->compared)
    return compare_hinges(h, hinge, hinges, steps);
  if (of->hinge >= hinges || of->at_hinge >= *steps)
    return MS_OK;
  *steps = of->at_hinge;
  ms_estimates *e = h->terms.c.estimates;
  double most = e->most;
  e->most = INFINITY; /* the way is chosen, whatever its plan takes */
  ms_status status = ms_hinge_plan_new(&h->terms.c, &h->shape, &hinge[of->hinge], &h->plan);
  e->most = most;
  return status;
}

/* Returns the steps that a count at a hinge may take to be shorter than another one of `steps`. */
static double shorter_than(double steps)
{
  return ms_hooks.count_hinge_weight > 0 ? steps / ms_hooks.count_hinge_weight : INFINITY;
}

double ms_count_most_steps(const ms_counter *c, const ms_count_plan *plan, double most)
{
  const ms_count_query *q = c->query;
  ms_count_report with = c->report;
  ms_count_report_plan(q, plan, &with);
  if (!ms_count_is_for_large(q, &with))
    return most;
  double on_large = with.large_work - c->report.large_work + q->large_start;
  return with.used_large ? 0 : fmin(most, on_large * ms_count_speedup(q));
}

/* Returns the steps that a count at a hinge may take to be shorter than the search by this plan,
 * and shorter than query->large with its start where that would search, if it has a device. */
static double most_at_hinge(const ms_counter *c, const ms_count_plan *plan)
{
  return ms_count_most_steps(c, plan, shorter_than(plan->cost));
}

/* Finds the hinge at which the case is counted in the fewest steps, and in fewer than `most`, and
 * prepares the count there.  cost: the steps of the other way. */
static ms_status find_hinge(const ms_counter *c, ms_count_case *k, double cost, double most)
{
  ms_hinge hinge[HINGES_PROBED];
  k->steps = most;
  if (most <= 0)
    return MS_OK;
  ms_hinge_count *h = ms_calloc(1, sizeof *h);
  if (!h)
    return ms_fail_memory(c->err, "a count at a hinge");
  ms_status status = open_hinge(h, c, &k->shape);
  if (status == MS_OK && (!c->query->estimate || !c->is_wide))
    ms_terms_bound_planning(&h->terms, cost); /* within an estimate, it is that of the whole */
  uint32_t hinges =
      status == MS_OK ? find_best(&h->terms.query, &h->shape, h->of.domain, hinge) : 0;
  if (status == MS_OK)
    status = plan_hinge(h, hinge, hinges, &k->steps);
  if (status == MS_OK && h->plan.rooted.count > 0 && k->steps < most)
    k->hinge = h;
  else
    ms_hinge_count_free(h);
  return status;
}

ms_status ms_hinge_compare(ms_counter *c, ms_count_case *k, double steps)
{
  return ms_hinge_may(c->query, &k->shape) ? find_hinge(c, k, steps, steps) : MS_OK;
}

/* Factors count a shape that the domains divide in one pass where the parts have different domains;
 * where these meet, the parts stay one group, and all its partial matches are visited. */
ms_status ms_hinge_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  bool by_factors = k->divided && k->factors.way == MS_FACTOR_BY_FACTORS;
  bool may_be_large = k->is_compared || (!by_factors && ms_factor_is_visited_on_gpu(&k->shape));
  double cost = by_factors ? k->factors.steps : k->plan.cost;
  *pays = k->hinge != NULL; /* ms_hinge_compare has found it */
  if (*pays || (k->divided && k->factors.way == MS_FACTOR_ON_LARGE) ||
      !ms_hinge_may(c->query, &k->shape) || cost <= ms_hooks.probe_steps)
    return MS_OK;
  double most = may_be_large ? most_at_hinge(c, &k->plan) : shorter_than(cost);
  ms_status status = find_hinge(c, k, cost, most);
  if (status == MS_OK && !k->hinge && 0 < most && most < shorter_than(cost) &&
      c->query->large->devices() == 0)
    status = find_hinge(c, k, cost, shorter_than(cost));
  *pays = k->hinge != NULL;
  return status;
}

ms_status ms_known_hinge_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  const ms_count_query *q = c->query;
  if (k->divided || q->estimate || q->large || !c->is_wide || !ms_hinge_may(q, &k->shape))
    return MS_OK;
  const ms_estimate *of = known_estimate(c, &k->shape);
  if (!of || !of->compared || of->hinge == MS_NO_ESTIMATE)
    return MS_OK;
  ms_status status = find_hinge(c, k, INFINITY, INFINITY);
  *pays = k->hinge != NULL;
  return status;
}

/* ---- the whole count ------------------------------------------------------------- */

/* True if the terms have the domains of the counter, which can count them itself and so remembers
 * their shapes. */
static bool has_same_domains(const ms_counter *c, const ms_hinge_count *h)
{
  const ms_domains *a = c->query->domains, *b = &h->terms.domains;
  bool same = true;
  for (uint32_t i = 0; same && i < a->n; i++)
    same =
        a->of[i].lo == b->of[i].lo && a->of[i].hi == b->of[i].hi && a->of[i].bits == b->of[i].bits;
  return same;
}

/* The subtracted terms come first, as where a plan counts. */
ms_status ms_at_hinge_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  ms_hinge_count *h = k->hinge;
  const ms_hinge *hinge = &h->plan.hinge;
  ms_counter *terms = has_same_domains(c, h) ? c : &h->terms.c;
  mpz_t glued;
  mpz_init(glued);
  mpz_set_ui(maps, 0); /* factors may have begun */
  ms_count_report_steps(h->plan.steps / weight_of(c->query), &c->report);
  bool lends = terms == c && !c->estimates;
  if (lends)
    ms_counter_take_estimates(c, h->terms.c.estimates);
  if (terms != c)
    terms->report = c->report;
  ms_status status = ms_each_gluing(&h->shape, hinge->side[0], hinge->side[1], ms_maps_add,
                                    &(ms_maps_sum){.c = terms, .sum = glued}, c->err);
  c->report = terms->report;
  if (lends)
    ms_counter_take_estimates(c, NULL);
  if (status == MS_OK && !c->query->estimate) {
    status = ms_hinge_sum(&h->terms.c, &h->shape, &h->plan, maps);
    mpz_sub(maps, maps, glued);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(glued);
  return status;
}

static void put_side(const ms_count_text *t, ms_bitset vertices)
{
  uint8_t vertex[MS_MAX_PATTERN];
  uint32_t count = 0;
  MS_EACH_MEMBER (v, vertices)
    vertex[count++] = (uint8_t)v;
  ms_count_put_names(t, vertex, count);
}

void ms_hinge_explain(const ms_count_case *k, const ms_count_text *t)
{
  const ms_hinge *hinge = &k->hinge->plan.hinge;
  ms_growing_put(t->out, "%s", t->json ? ",\"vertex\":" : "counted: for each candidate of ");
  put_side(t, ms_bitset_of(hinge->vertex));
  ms_growing_put(t->out, "%s", t->json ? ",\"sides\":[[" : ", the maps that extend it to ");
  put_side(t, hinge->side[0]);
  ms_growing_put(t->out, "%s", t->json ? "],[" : " times those that extend it to ");
  put_side(t, hinge->side[1]);
  ms_growing_put(t->out,
                 t->json ? "]],\"cost\":%.6g"
                         : ", less the maps in which vertices of the two sides coincide; estimated "
                           "steps: %.3g\n",
                 k->steps);
}
