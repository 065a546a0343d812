#include "match/count/factor_choice.h"

#include "base/status.h"
#include "base/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_cost.h"
#include "match/count/count_run.h"
#include "match/count/factor.h"
#include "match/count/leaves.h"
#include "match/cpu/runner.h"
#include "match/probe.h"

#include <math.h>

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
/* Nor is one that a probe expects to take less than this part of ms_count_probe_from on all
 * threads: the probes and the plan of a search take as long, and they have one thread. */
#define SHORT_PART 0.25

/* Probes that compare plans of the search may take this share of the time of the count by factors,
 * beyond those of the first two plans. */
#define PROBE_SHARE 0.05

/* A count by factors is not probed if mean degrees let it take less than this part of the time in
 * which a GPU's search takes over: the probe would take a good part of its time. */
#define FACTOR_MARGIN 20

/* Probes found a search too short by this factor more than a count by factors, about, when they did
 * not know the costs of finding and cutting rows.  Since they know them, they find it too short by
 * about 1.1 times, but with 1.2 no more rows were counted in the best way. */
#define PLAN_WEIGHT 1.5
/* The weight is so many times larger where the plan is not the best of all tails and orders:
 * a dense query of 32 vertices with 71 labels, which factors count in 22 ms, was searched for 178.
 */
#define LARGE_PLAN_WEIGHT 2.0

double ms_factor_plan_weight = PLAN_WEIGHT;
/* Trees whose factors are expected to take each thread at least this many steps are compared with a
 * search on a GPU, whose start takes half as long.  Paths of five with 4 and 8 colours in wiki-Vote
 * and email-Enron take 1 to 6 ms by factors on 16 threads, and 0.5 to 0.8 ms on an H200. */
double ms_factor_engine_steps = 1e5;

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
  *large = steps > most;
  return MS_OK;
}

/* Compares the factors with the best search of the query's engine, which is the CPU's. */
static ms_status compare_plan(const ms_count_query *query, const ms_shape *shape,
                              const ms_domain *domain, ms_factor_choice *c, ms_error *err)
{
  ms_count_query q = *query;
  double threads = q.leaves ? 1 : ms_threads(q.threads);
  /* the search may end in much less than two per cent of the time of the factors */
  if (!q.estimate)
    q.effort = (ms_probe_effort){.stop = q.stop};
  MS_TRY(estimate_factors(&q, c->factor, q.effort, &c->steps, err));
  if (may_go_to_large(query, shape) && c->steps > ms_count_begin_limit(query, true)) {
    c->way = MS_FACTOR_ON_LARGE;
    return MS_OK;
  }
  if (ms_factor_plan_weight > 0 && c->steps < SHORT_PART * ms_count_probe_from * threads)
    return MS_OK;
  q.large = NULL; /* the plan is for the CPU, and is compared with its factors */
  q.estimate = true;
  q.most_probes = PROBE_SHARE * c->steps / threads;
  MS_TRY(ms_count_plan_new(&q, shape, domain, &c->plan, err));
  double weight = ms_factor_plan_weight * (shape->n > MS_COUNT_SMALL ? LARGE_PLAN_WEIGHT : 1);
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
  double threads = ms_threads(q->threads), steps = 0;
  if (!q->engine || !q->engine->weigh || q->leaves || shape->n > VISITED_ON_GPU ||
      ms_probe_mean(c->factor->program) < ms_factor_engine_steps)
    return MS_OK;
  MS_TRY(estimate_factors(q, c->factor, (ms_probe_effort){.stop = q->stop}, &steps, err));
  if (steps / threads < ms_factor_engine_steps)
    return MS_OK;
  MS_TRY(ms_count_plan_new(q, shape, domain, &c->plan, err));
  double search = c->plan.weighed ? c->plan.cost : MS_USUAL_GPU_WEIGHT * c->plan.cost;
  if (ms_factor_engine_steps == 0 || search + ms_factor_engine_steps / 2 < steps / threads)
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
  return may_go_to_large(q, shape) && rest > REST_MARGIN * ms_count_begin_limit(q, true);
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
  bool counts = maps && !q->estimate, large = false;
  bool compares =
      !isinf(ms_factor_plan_weight) && (!q->engine || q->engine == &ms_pattern_engine_cpu);
  *out = (ms_factor_choice){.way = MS_FACTOR_BY_FACTORS};
  double usual_start = MS_BEGIN_RESTRICTED / MS_STEP_SECONDS; /* steps */
  if (counts && may_go_to_large(q, shape) &&
      ms_expected_partial_matches(q->index, shape, domain) >
          MS_BEGIN_PARTIAL * (q->large_start / usual_start)) {
    out->way = MS_FACTOR_ON_LARGE;
    return MS_OK;
  }
  MS_TRY(ms_factor_new(q->index, shape, domain, &out->factor, err));
  if (counts)
    MS_TRY(compare_large(q, shape, out->factor, &large, err));
  if (large)
    out->way = MS_FACTOR_ON_LARGE;
  else if (q->estimate && !compares)
    return estimate_factors(q, out->factor, q->effort, &out->steps, err);
  if (!large && !compares && !q->estimate && !isinf(ms_factor_plan_weight))
    return compare_engine(q, shape, domain, out, err);
  if (large || !compares)
    return MS_OK;
  if (counts && ms_factor_plan_weight > 0 && !q->leaves) {
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

ms_status ms_factor_count_rest(const ms_count_query *q, const ms_factor_choice *choice, mpz_t maps,
                               ms_error *err)
{
  ms_factor_run run = run_of(q);
  mpz_t rest;
  if (q->leaves && choice->way == MS_FACTOR_BY_FACTORS)
    return ms_count_run_leaf(q, ms_count_leaf_sum(choice->factor->program, "factors"), count_share,
                             &(factor_run){choice->factor, run}, maps, err);
  if (choice->way != MS_FACTOR_BY_FACTORS ||
      (choice->done > 0 && choice->done == ms_program_roots(choice->factor->program)))
    return MS_OK;
  mpz_init(rest);
  ms_status status = ms_factor_count(choice->factor, choice->done, &run, rest, err);
  mpz_add(maps, maps, rest);
  mpz_clear(rest);
  return status;
}

void ms_factor_choice_free(ms_factor_choice *choice)
{
  ms_factor_free(choice->factor);
  ms_count_plan_free(&choice->plan);
}
