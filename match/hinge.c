#include "match/hinge.h"

#include "base/crc32c.h"
#include "base/status.h"
#include "match/count_choice.h"
#include "match/count_run.h"
#include "match/count_ways.h"
#include "match/cpu/rooted.h"
#include "match/leaves.h"
#include "match/shape_memo.h"

#include <math.h>
#include <string.h>

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

static bool make_key(const side *s, ms_shape_key *key)
{
  uint64_t label[MS_MEMO_VERTICES];
  for (uint32_t i = 0; i < s->shape.n; i++)
    label[i] = s->shape.kind[i];
  return ms_shape_key_of(&s->shape, label, key);
}

static bool are_alike(const side *a, const side *b)
{
  ms_shape_key first, second;
  return make_key(a, &first) && make_key(b, &second) && memcmp(&first, &second, sizeof first) == 0;
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

ms_status ms_hinge_plan_new(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, const ms_hinge *hinge, ms_hinge_plan *out,
                            ms_error *err)
{
  side s[2];
  *out = (ms_hinge_plan){.hinge = *hinge};
  for (int i = 0; i < 2; i++)
    make_side(shape, domain, hinge, i, &s[i]);
  out->same = are_alike(&s[0], &s[1]);
  for (int i = 0; i < (out->same ? 1 : 2); i++) {
    ms_count_plan *plan = &out->side[i];
    MS_TRY(ms_count_plan_rooted(query, &s[i].shape, s[i].root, s[i].domain, plan, err));
    MS_TRY(ms_count_plan_compile(query, s[i].domain, plan, err));
    out->steps += plan->cost;
  }
  return MS_OK;
}

void ms_hinge_plan_free(ms_hinge_plan *plan)
{
  ms_count_plan_free(&plan->side[0]);
  ms_count_plan_free(&plan->side[1]);
}

/* ---- the sum ---------------------------------------------------------------------------- */

typedef struct hinge_run {
  ms_pattern_task task;
  const ms_program *other;
} hinge_run;

static ms_status sum_share(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  hinge_run *run = user;
  run->task.share = share;
  return ms_rooted_sum(&run->task, run->other, maps, err);
}

/* Returns a checksum of both programs. */
static uint32_t leaf_sum(const ms_hinge_plan *p)
{
  uint32_t sum = ms_count_leaf_sum(p->side[0].program, "hinge");
  uint32_t other = p->same ? 0 : ms_count_leaf_sum(p->side[1].program, "hinge");
  return ms_crc32c(sum, &other, sizeof other);
}

ms_status ms_hinge_sum(const ms_count_query *q, const ms_hinge_plan *plan, mpz_t maps,
                       ms_error *err)
{
  hinge_run run = {.task = {.program = plan->side[0].program,
                            .threads = q->threads,
                            .stop = q->stop,
                            .progress = q->progress,
                            .progress_user = q->progress_user,
                            .work = q->work},
                   .other = plan->same ? NULL : plan->side[1].program};
  mpz_set_ui(maps, 0);
  ms_status status = q->leaves ? ms_count_run_leaf(q, leaf_sum(plan), sum_share, &run, maps, err)
                               : sum_share(&run, NULL, maps, err);
  ms_count_multiply_back(&plan->side[0], maps);
  ms_count_multiply_back(&plan->side[plan->same ? 0 : 1], maps);
  return status;
}
