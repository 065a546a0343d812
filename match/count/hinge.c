#include "match/count/hinge.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_run.h"
#include "match/count/count_ways.h"
#include "match/count/leaves.h"
#include "match/count/rooted_plan.h"
#include "match/cpu/rooted.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- hinge ----------------------------------------------------------------------------------- */

/* The most gluings.  Two cliques of five with one common vertex have 209. */
#define MOST_GLUINGS 250

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

uint32_t ms_hinge_find(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       ms_hinge best[MS_HINGES_PROBED])
{
  ms_hinge all[MS_MAX_HINGES];
  double cost[MS_HINGES_PROBED];
  uint32_t count = ms_list_hinges(shape, all), found = 0;
  for (uint32_t i = 0; i < count; i++) {
    double steps = estimate(query, shape, domain, &all[i]);
    uint32_t at = 0;
    while (at < found && cost[at] < steps * (1 - 1e-9))
      at++;
    /* the same estimate: mostly an image of the other one */
    if (isinf(steps) || at == MS_HINGES_PROBED || (at < found && cost[at] <= steps * (1 + 1e-9)))
      continue;
    found += found < MS_HINGES_PROBED;
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
  out->rooted = (ms_rooted_plan){.programs = programs};
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
