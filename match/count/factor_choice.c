#include "match/count/factor.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_methods.h"
#include "match/count/count_race.h"
#include "match/count/count_run.h"
#include "match/count/leaves.h"
#include "match/cpu/runner.h"
#include "match/cpu/sorted.h"
#include "match/probe.h"

#include <math.h>

/* ---- factors --------------------------------------------------------------------------------- */

/* Builds the tree of a count by factors. */

#define SAMPLES 8u /* number of vertices of a domain whose neighbours are counted */

typedef struct builder {
  const ms_pattern_index *index;
  const ms_shape *shape;
  const ms_domain *domain;
  ms_factor *factor;
  /* [n] the other vertices whose domains share a vertex with this one's */
  ms_bitset meets[MS_MAX_PATTERN];
  /* [n] logarithm of the number of candidates adjacent to a matched
   * neighbour */
  double weight[MS_MAX_PATTERN];
  ms_bitset matched;
  uint8_t level_of[MS_MAX_PATTERN];
} builder;

/* ---- domains -------------------------------------------------------------------- */

static uint32_t neighbors_in(const builder *b, uint32_t v, const ms_domain *domain)
{
  uint32_t length, count = 0;
  const uint32_t *row = ms_row(&b->index->rows[MS_ROWS_ANY], v, &length);
  for (size_t i = ms_lower_bound(row, length, domain->lo); i < length && row[i] < domain->hi; i++)
    count += ms_domain_has(domain, row[i]);
  return count;
}

/* Returns the mean number of candidates of u adjacent to a match of w, over a
 * sample of w's domain. */
static double candidates_beside(const builder *b, uint32_t u, uint32_t w)
{
  const ms_domain *domain = &b->domain[w];
  uint32_t step = (domain->hi - domain->lo) / SAMPLES + 1, count = 0, samples = 0;
  for (uint32_t v = domain->lo; v < domain->hi; v += step) {
    uint32_t at = v;
    while (at < domain->hi && !ms_domain_has(domain, at))
      at++;
    if (at == domain->hi)
      break;
    count += neighbors_in(b, at, &b->domain[u]);
    samples++;
    v = at > v ? at : v;
  }
  return samples > 0 ? (double)count / samples : 1;
}

static void compute_weights(builder *b)
{
  for (uint32_t u = 0; u < b->shape->n; u++) {
    double least = b->domain[u].count;
    ms_bitset near = ms_shape_near(b->shape, u);
    MS_EACH_MEMBER (w, near)
      least = fmin(least, candidates_beside(b, u, w));
    b->weight[u] = log(1 + least);
  }
}

/* ---- groups ---------------------------------------------------------------------- */

/* Returns the group of vertex i among `left`. */
static ms_bitset group_of(const builder *b, ms_bitset left, uint32_t i)
{
  ms_bitset all = ms_bitset_of(i), front = all;
  while (!ms_bitset_is_empty(front)) {
    ms_bitset next = {{0}};
    MS_EACH_MEMBER (v, front)
      next = ms_bitset_or(next, ms_bitset_or(ms_shape_near(b->shape, v), b->meets[v]));
    front = ms_bitset_minus(ms_bitset_and(next, left), all);
    all = ms_bitset_or(all, front);
  }
  return all;
}

/* Returns the logarithm of the work of the heaviest group, once u is
 * matched. */
static double work_without(const builder *b, ms_bitset group, uint32_t u)
{
  double worst = 0;
  ms_bitset left = ms_bitset_without(group, u);
  MS_EACH_MEMBER (i, left) {
    ms_bitset part = group_of(b, left, i);
    double work = 0;
    MS_EACH_MEMBER (v, part)
      work += b->weight[v];
    worst = fmax(worst, work);
    left = ms_bitset_minus(left, part);
  }
  return worst;
}

/* Chooses the vertex of the group to match first: adjacent to matched vertices
 * if possible, and leaving the lightest groups. */
static uint32_t choose_first(const builder *b, ms_bitset group)
{
  ms_bitset pool = {{0}};
  uint32_t best = 0;
  double least = INFINITY;
  MS_EACH_MEMBER (u, group)
    if (ms_bitset_meets(ms_shape_near(b->shape, u), b->matched))
      ms_bitset_add(&pool, u);
  bool first = ms_bitset_is_empty(pool);
  pool = first ? group : pool;
  MS_EACH_MEMBER (u, pool) {
    uint32_t backs = ms_bitset_count(ms_bitset_and(ms_shape_near(b->shape, u), b->matched));
    double own = first ? log(1.0 + b->domain[u].count) : b->weight[u] / backs;
    double work = own + work_without(b, group, u);
    if (work < least) {
      least = work;
      best = u;
    }
  }
  return best;
}

/* ---- the tree ---------------------------------------------------------------------- */

static ms_bitset levels_of(const builder *b, ms_bitset vertices)
{
  ms_bitset levels = {{0}};
  MS_EACH_MEMBER (v, vertices)
    ms_bitset_add(&levels, b->level_of[v]);
  return levels;
}

/* Returns the matched vertices that are adjacent to the group or in its
 * domains. */
static ms_bitset relevant_to(const builder *b, ms_bitset group)
{
  ms_bitset relevant = {{0}};
  MS_EACH_MEMBER (v, group)
    relevant = ms_bitset_or(relevant, ms_bitset_or(ms_shape_near(b->shape, v), b->meets[v]));
  return levels_of(b, ms_bitset_and(relevant, b->matched));
}

/* True if the vertices have the same candidates and nothing between or below
 * them, so that they are merged. */
static bool are_twins(const builder *b, ms_bitset group)
{
  const ms_shape *s = b->shape;
  uint32_t first = ms_bitset_first(group);
  MS_EACH_MEMBER (v, group)
    if (!ms_bitset_equal(s->out[v], s->out[first]) || !ms_bitset_equal(s->in[v], s->in[first]) ||
        !ms_domain_equal(&b->domain[v], &b->domain[first]))
      return false;
  return !ms_bitset_meets(ms_shape_near(s, first), group);
}

static void add_group(builder *b, ms_bitset group, uint32_t parent)
{
  ms_factor *f = b->factor;
  bool twins = are_twins(b, group);
  uint32_t u = choose_first(b, group), level = f->n++;
  f->copies[level] = twins ? (uint8_t)ms_bitset_count(group) : 1;
  ms_plan_level *l = &f->plan->level[level];
  f->relevant[level] = relevant_to(b, group);
  f->parent[level] = (uint8_t)parent;
  if (level > 0)
    ms_bitset_add(&f->children[parent], level);
  l->vertex = (uint8_t)u;
  l->back_out = levels_of(b, ms_bitset_and(b->shape->in[u], b->matched));
  l->back_in = levels_of(b, ms_bitset_and(b->shape->out[u], b->matched));
  b->level_of[u] = (uint8_t)level;
  ms_bitset_add(&b->matched, u);
  ms_bitset left = twins ? (ms_bitset){{0}} : ms_bitset_without(group, u);
  MS_EACH_MEMBER (i, left) {
    ms_bitset part = group_of(b, left, i);
    add_group(b, part, level);
    left = ms_bitset_minus(left, part);
  }
  ms_bitset_remove(&b->matched, u);
}

/* Drops the comparisons with vertices of other branches: such a vertex has
 * another domain, so its match, which may be outdated, does not matter. */
static ms_status compare_with_ancestors(ms_factor *f, ms_error *err)
{
  for (uint32_t i = 1; i < f->n; i++) {
    ms_bitset above = ms_bitset_of(0);
    for (uint32_t j = f->parent[i]; j > 0; j = f->parent[j])
      ms_bitset_add(&above, j);
    f->program->step[i].distinct = ms_bitset_and(f->program->step[i].distinct, above);
  }
  return ms_program_list_levels(f->program, err);
}

/* Decides for which levels numbers of ways are stored. */
static void choose_memos(ms_factor *f)
{
  for (uint32_t i = 1; i < f->n; i++) {
    ms_bitset above = ms_bitset_of(0);
    for (uint32_t j = f->parent[i]; j > 0; j = f->parent[j])
      ms_bitset_add(&above, j);
    f->remembers[i] = !ms_bitset_is_empty(f->children[i]) &&
                      !ms_bitset_equal(f->relevant[i], above) &&
                      ms_bitset_count(f->relevant[i]) <= MS_FACTOR_KEYS;
  }
}

ms_status ms_factor_new(const ms_pattern_index *index, const ms_shape *shape,
                        const ms_domain *domain, ms_factor **out, ms_error *err)
{
  ms_program_options visit_all = {0};
  builder b = {.index = index, .shape = shape, .domain = domain};
  *out = NULL;
  b.factor = ms_calloc(1, sizeof *b.factor);
  ms_status status = b.factor ? MS_OK : ms_fail_memory(err, "a plan");
  if (status != MS_OK)
    return status;
  b.factor->plan = ms_plan_alloc(shape);
  if (b.factor->plan) {
    for (uint32_t i = 0; i < b.shape->n; i++)
      for (uint32_t j = 0; j < i; j++)
        if (ms_domain_meets(&b.domain[i], &b.domain[j])) {
          ms_bitset_add(&b.meets[i], j);
          ms_bitset_add(&b.meets[j], i);
        }
    compute_weights(&b);
    add_group(&b, ms_bitset_below(shape->n), 0);
    visit_all.levels = b.factor->n;
    status = ms_program_new(index, b.factor->plan, domain, &visit_all, &b.factor->program, err);
  } else {
    status = ms_fail_memory(err, "a plan");
  }
  if (status == MS_OK)
    status = compare_with_ancestors(b.factor, err);
  if (status == MS_OK) {
    choose_memos(b.factor);
    *out = b.factor;
  } else {
    ms_factor_free(b.factor);
  }
  return status;
}

void ms_factor_free(ms_factor *factor)
{
  if (!factor)
    return;
  ms_program_free(factor->program);
  ms_plan_free(factor->plan);
  ms_free(factor);
}

/* ---- the cost of a factor -------------------------------------------------------------------- */

/* Estimates how long a count by factors takes. */

/* Costs in steps (probe.h) */
#define COST_CALL 4.0     /* of asking for a level's number of ways */
#define COST_LOOK_UP 10.0 /* of looking for a stored number */
#define COST_LEAF 8.0     /* of a level below which there is nothing */
#define COST_LEAF_ELEMENT 0.06
#define COST_LEAF_TEST 0.5     /* of a candidate of such a level that is looked up in a domain */
#define COST_LEAF_DISTINCT 8.0 /* of looking for an earlier match among the candidates */

/* Returns an upper bound on the number of combinations of matches on which a level's number of ways
 * depends. */
static double count_keys(const ms_factor *f, uint32_t level)
{
  double keys = 1;
  MS_EACH_MEMBER (i, f->relevant[level])
    keys *= f->program->step[i].domain.count;
  return keys;
}

/* Returns how often a level is computed, if its number of ways is needed this often.  Numbers that
 * do not fit into the table replace others, which are computed again. */
static double count_misses(const ms_factor *f, uint32_t level, double calls)
{
  double keys = count_keys(f, level);
  if (!f->remembers[level] || calls <= keys)
    return calls;
  double lost = fmax(0, 1 - MS_FACTOR_ENTRIES / keys);
  return keys + (calls - keys) * lost;
}

/* Returns the steps to count the candidates of a level below which there is nothing (count_leaf in
 * factor_count.c), so many times and so many candidates in all. */
static double cost_of_leaf(const ms_step *step, double calls, double candidates)
{
  double each = COST_LEAF + COST_LEAF_DISTINCT * step->distinct_list.count;
  return calls * each + candidates * (step->test_bits ? COST_LEAF_TEST : COST_LEAF_ELEMENT);
}

/* Estimates the steps (probe.h) of ms_factor_count; *spent: the steps of estimating.  The partial
 * matches of the tree's branches are estimated by a probe, which takes this effort.  A level whose
 * numbers of ways are stored is computed at most once for each combination of relevant matches. */
static ms_status factor_cost(const ms_factor *f, ms_probe_effort effort, double *steps,
                             double *spent, ms_error *err)
{
  ms_probe probe;
  /* [n] the part of a level's partial matches that is computed, not looked up */
  double share[MS_MAX_PATTERN] = {1};
  MS_TRY(ms_probe_closely(f->program, f->parent, effort, 1, &probe, err));
  *spent = probe.spent;
  *steps = probe.candidates[0] + MS_COST_VISIT * probe.nodes[0] + probe.sets[0];
  for (uint32_t i = 1; i < f->n; i++) {
    uint32_t above = f->parent[i];
    double calls = share[above] * probe.nodes[above];
    *steps += calls * (f->remembers[i] ? COST_LOOK_UP : COST_CALL);
    if (ms_bitset_is_empty(f->children[i])) {
      *steps += cost_of_leaf(&f->program->step[i], calls, share[above] * probe.candidates[i]);
      continue;
    }
    share[i] = calls > 0 ? share[above] * count_misses(f, i, calls) / calls : 0;
    *steps += share[i] * (probe.candidates[i] + MS_COST_VISIT * probe.nodes[i] + probe.sets[i]);
  }
  return MS_OK;
}

/* ---- the choice ------------------------------------------------------------------------------ */

#define VISITED_ON_GPU 8u

/* A count by factors that is done after each thread has looked at this many candidates, in about
 * 0.3 ms, is not compared with a search. */
#define BEGIN_CANDIDATES 8000u
/* Candidates that one thread looks at before the others begin, in 0.03 to 0.15 ms.  To wake the
 * others takes about 0.06 ms. */
#define ALONE_CANDIDATES 2000u
/* Steps in the time of a candidate of a beginning, about. */
#define CANDIDATE_STEPS 15.0
/* A GPU that has started counts what one thread has begun if, by the roots done, the rest takes one
 * thread so many times as long as the counts with which processors begin at all.  In four rows of
 * dense protein complexes, whose mean degrees promise short counts, one thread ends no root; to
 * let all threads begin and to probe takes 1 to 2 ms, where the GPU needs 0.5. */
#define REST_MARGIN 4.0
/* Nor is one that a probe expects to take less than this part of ms_hooks.probe_steps on all
 * threads: the probes and the plan of a search take as long, and they have one thread. */
#define SHORT_PART 0.25

/* Probes that compare plans of the search may take this share of the time of the count by factors,
 * beyond those of the first two plans. */
#define PROBE_SHARE 0.05

/* A count by factors is not probed if mean degrees let it take less than this part of the time in
 * which a GPU's search takes over: the probe would take a good part of its time. */
#define FACTOR_MARGIN 20

/* factor_plan_weight is so many times larger where the plan is not the best of all tails and
 * orders: a dense query of 32 vertices with 71 labels, which factors count in 22 ms, was searched
 * for 178.
 */
#define LARGE_PLAN_WEIGHT 2.0

static bool is_tree(const ms_shape *shape)
{
  uint32_t ends = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    ends += ms_bitset_count(ms_shape_near(shape, i));
  return ends == 2 * (shape->n - 1);
}

bool ms_factor_is_visited_on_gpu(const ms_shape *shape)
{
  return shape->n <= VISITED_ON_GPU && !is_tree(shape);
}

/* True if query->large has started, and visits the matches of such shapes. */
static bool may_go_to_large(const ms_count_query *q, const ms_shape *shape)
{
  return ms_count_is_quick(q) && ms_factor_is_visited_on_gpu(shape) && q->large->devices() > 0;
}

/* Estimates the steps of the count by factors. */
static ms_status estimate_factors(const ms_count_query *q, const ms_factor *factor,
                                  ms_probe_effort effort, double *steps, ms_error *err)
{
  double spent = 0;
  ms_status status = factor_cost(factor, effort, steps, &spent, err);
  ms_count_add_planning(q, MS_PLAN_STEPS + spent);
  return status;
}

/* True if query->large has started and is expected to be faster than the count by factors, which
 * one small probe estimates if mean degrees do not say that it is short. */
static ms_status compare_large(const ms_count_query *q, const ms_shape *shape,
                               const ms_factor *factor, bool *large, ms_error *err)
{
  double most = ms_count_begin_limit(q, true), steps = ms_probe_bound(factor->program);
  *large = false;
  if (steps <= most || FACTOR_MARGIN * ms_probe_mean(factor->program) <= most ||
      !may_go_to_large(q, shape))
    return MS_OK;
  MS_TRY(estimate_factors(q, factor, (ms_probe_effort){.stop = q->stop}, &steps, err));
  *large = steps > most && ms_count_take_large(q);
  return MS_OK;
}

/* Compares the factors with the best search of the query's engine, which is the CPU's. */
static ms_status compare_plan(const ms_count_query *query, const ms_shape *shape,
                              const ms_domain *domain, ms_factor_choice *c, ms_error *err)
{
  ms_count_query q = *query;
  double threads = q.leaves ? 1 : ms_step_speedup(q.threads);
  /* the search may end in much less than two per cent of the time of the factors */
  if (!q.estimate)
    q.effort = (ms_probe_effort){.stop = q.stop};
  MS_TRY(estimate_factors(&q, c->factor, q.effort, &c->steps, err));
  if (may_go_to_large(query, shape) && c->steps > ms_count_begin_limit(query, true) &&
      ms_count_take_large(query)) {
    c->way = MS_FACTOR_ON_LARGE;
    return MS_OK;
  }
  if (ms_hooks.factor_plan_weight > 0 && c->steps < SHORT_PART * ms_hooks.probe_steps * threads)
    return MS_OK;
  q.large = NULL; /* the plan is for the CPU, and is compared with its factors */
  q.estimate = true;
  q.most_probes = PROBE_SHARE * c->steps / threads;
  MS_TRY(ms_count_plan_new(&q, shape, domain, &c->plan, err));
  double weight = ms_hooks.factor_plan_weight * (shape->n > MS_COUNT_SMALL ? LARGE_PLAN_WEIGHT : 1);
  if (weight == 0 || weight * c->plan.cost < c->steps)
    c->way = MS_FACTOR_BY_PLAN;
  else
    ms_count_plan_free(&c->plan);
  return MS_OK;
}

/* Compares the factors of a tree with a plan on the query's engine, if it weighs plans, as `gpu`
 * does.  Factors are on processors, and most of them are over before a GPU has begun. */
static ms_status compare_engine(const ms_count_query *q, const ms_shape *shape,
                                const ms_domain *domain, ms_factor_choice *c, ms_error *err)
{
  double threads = ms_step_speedup(q->threads), steps = 0;
  if (!q->engine || !q->engine->weigh || q->leaves || shape->n > VISITED_ON_GPU ||
      ms_probe_mean(c->factor->program) < ms_hooks.factor_engine_steps)
    return MS_OK;
  MS_TRY(estimate_factors(q, c->factor, (ms_probe_effort){.stop = q->stop}, &steps, err));
  if (steps / threads < ms_hooks.factor_engine_steps)
    return MS_OK;
  MS_TRY(ms_count_plan_new(q, shape, domain, &c->plan, err));
  double search = c->plan.weighed ? c->plan.cost : MS_USUAL_GPU_WEIGHT * c->plan.cost;
  if (ms_hooks.factor_engine_steps == 0 ||
      search + ms_hooks.factor_engine_steps / 2 < steps / threads)
    c->way = MS_FACTOR_BY_ENGINE;
  else
    ms_count_plan_free(&c->plan);
  return MS_OK;
}

static ms_factor_run run_of(const ms_count_query *q)
{
  return (ms_factor_run){
      .threads = q->threads, .stop = q->stop, .budget = q->budget, .work = q->work};
}

/* True if query->large is expected to be faster than the rest of a count of which one thread has
 * done c->done roots. */
static bool rest_is_for_large(const ms_count_query *q, const ms_shape *shape,
                              const ms_factor_choice *c)
{
  double done = (double)c->done, roots = (double)ms_program_roots(c->factor->program);
  double rest = done > 0 ? ALONE_CANDIDATES * CANDIDATE_STEPS * (roots - done) / done : INFINITY;
  return may_go_to_large(q, shape) && rest > REST_MARGIN * ms_count_begin_limit(q, true) &&
         ms_count_take_large(q);
}

/* Counts the first roots, by one thread and then, if these were not all and the rest is not for
 * query->large, by all threads. */
static ms_status begin_by_factors(const ms_count_query *q, const ms_shape *shape, mpz_ptr maps,
                                  ms_factor_choice *c, ms_error *err)
{
  ms_factor_run run = run_of(q);
  mpz_t more;
  run.threads = 1;
  MS_TRY(ms_factor_begin(c->factor, 0, ALONE_CANDIDATES, &run, maps, &c->done, err));
  if (c->done == ms_program_roots(c->factor->program))
    return MS_OK;
  if (rest_is_for_large(q, shape, c)) {
    c->way = MS_FACTOR_ON_LARGE;
    return MS_OK;
  }
  run.threads = q->threads;
  mpz_init(more);
  ms_status status =
      ms_factor_begin(c->factor, c->done, BEGIN_CANDIDATES, &run, more, &c->done, err);
  mpz_add(maps, maps, more);
  mpz_clear(more);
  return status;
}

ms_status ms_factor_choose(const ms_count_query *q, const ms_shape *shape, const ms_domain *domain,
                           mpz_ptr maps, ms_factor_choice *out, ms_error *err)
{
  bool large = false;
  bool compares =
      !isinf(ms_hooks.factor_plan_weight) && (!q->engine || q->engine == &ms_pattern_engine_cpu);
  *out = (ms_factor_choice){.way = MS_FACTOR_BY_FACTORS};
  double usual_start = MS_BEGIN_RESTRICTED / MS_STEP_SECONDS; /* steps */
  if (!q->estimate && may_go_to_large(q, shape) &&
      ms_expected_partial_matches(q->index, shape, domain) >
          MS_BEGIN_PARTIAL * (q->large_start / usual_start) &&
      ms_count_take_large(q)) {
    out->way = MS_FACTOR_ON_LARGE;
    return MS_OK;
  }
  MS_TRY(ms_factor_new(q->index, shape, domain, &out->factor, err));
  if (!q->estimate)
    MS_TRY(compare_large(q, shape, out->factor, &large, err));
  if (large)
    out->way = MS_FACTOR_ON_LARGE;
  else if (q->estimate && !compares)
    return estimate_factors(q, out->factor, q->effort, &out->steps, err);
  if (!large && !compares && !q->estimate && !isinf(ms_hooks.factor_plan_weight))
    return compare_engine(q, shape, domain, out, err);
  if (large || !compares)
    return MS_OK;
  if (maps && !q->estimate && ms_hooks.factor_plan_weight > 0 && !q->leaves) {
    MS_TRY(begin_by_factors(q, shape, maps, out, err));
    if (out->way == MS_FACTOR_ON_LARGE || out->done == ms_program_roots(out->factor->program))
      return MS_OK;
  }
  return compare_plan(q, shape, domain, out, err);
}

typedef struct factor_run {
  const ms_factor *factor;
  ms_factor_run run;
} factor_run;

static ms_status count_share(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  factor_run *r = user;
  r->run.share = share;
  return ms_factor_count(r->factor, 0, &r->run, maps, err);
}

ms_status ms_factors_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  const ms_count_query *q = c->query;
  const ms_factor_choice *choice = &k->factors;
  ms_factor_run run = run_of(q);
  mpz_t rest;
  if (q->estimate) {
    c->report.factors += choice->steps;
    return MS_OK;
  }
  if (q->leaves)
    return ms_count_run_leaf(q, ms_count_leaf_sum(choice->factor->program, "factors"), count_share,
                             &(factor_run){choice->factor, run}, maps, c->err);
  if (choice->done > 0 && choice->done == ms_program_roots(choice->factor->program))
    return MS_OK;
  mpz_init(rest);
  ms_status status = ms_factor_count(choice->factor, choice->done, &run, rest, c->err);
  mpz_add(maps, maps, rest);
  mpz_clear(rest);
  return status;
}

void ms_factor_choice_free(ms_factor_choice *choice)
{
  ms_factor_free(choice->factor);
  ms_count_plan_free(&choice->plan);
}
