/* The least estimated cost, with reuse of candidate sets (RPS: Guo, Li and
 * Tan, "Exploiting reuse for GPU subgraph enumeration", IEEE TKDE 34, 2022).
 * Up to MS_ORDER_EXHAUSTIVE vertices every connected order is tried, unless
 * its first part and the least that the rest may cost are no better than the
 * best one so far, or twins make it the same as another.  Beyond, the vertex with the fewest
 * estimated candidates comes next, from each start.  Either way the estimate is no worse than that
 * of RI's order.
 *
 * Estimates count all maps here, because symmetry saves the factor |Aut| with every order. */
#include "base/alloc.h"
#include "base/status.h"
#include "plan/match_order.h"

#include <math.h>

/* Starts that are tried for shapes beyond MS_ORDER_EXHAUSTIVE vertices. */
#define MOST_STARTS 64u

typedef struct trial {
  ms_order_state walk, best;
  ms_order_state probe; /* only its member `done` changes; of starts: nothing is placed */
  /* [placed vertices] see least_cost_ahead(); < 0: not known yet */
  double ahead[1u << MS_ORDER_EXHAUSTIVE];
  ms_bitset twins[MS_MAX_PATTERN]; /* [n] smaller vertices that v could change places with */
} trial;

/* True if a and b have the same arcs, apart from the arcs between them. */
static bool are_twins(const ms_shape *shape, const ms_plan_input *input, uint32_t a, uint32_t b)
{
  ms_bitset both = ms_bitset_or(ms_bitset_of(a), ms_bitset_of(b));
  return shape->kind[a] == shape->kind[b] && input->domain[a] == input->domain[b] &&
         ms_bitset_has(&input->last, a) == ms_bitset_has(&input->last, b) &&
         ms_bitset_equal(ms_bitset_minus(shape->out[a], both),
                         ms_bitset_minus(shape->out[b], both)) &&
         ms_bitset_equal(ms_bitset_minus(shape->in[a], both),
                         ms_bitset_minus(shape->in[b], both)) &&
         ms_bitset_has(&shape->out[a], b) == ms_bitset_has(&shape->out[b], a);
}

/* Returns the least work for v after the vertices of probe.done in any order.
 * At best an earlier vertex e came so late that its set replaces all rows that
 * they share. */
static double least_work(const ms_order_state *probe, uint32_t v)
{
  const ms_shape *shape = probe->shape;
  ms_bitset out = ms_bitset_and(shape->in[v], probe->done), in = {{0}};
  if (shape->directed)
    in = ms_bitset_and(shape->out[v], probe->done);
  uint32_t rows = ms_bitset_count(out) + ms_bitset_count(in);
  double least = rows ? rows * probe->mean_row : ms_order_state_candidates(probe, v);
  MS_EACH_MEMBER (e, probe->done) {
    if (rows < 2)
      break;
    uint32_t served = ms_bitset_count(ms_bitset_and(shape->in[e], out)) +
                      ms_bitset_count(ms_bitset_and(shape->out[e], in));
    if (served > 1 && ms_kind_suits(shape, e, v))
      least = fmin(least,
                   ms_order_state_estimate(probe, e, served) + (rows - served) * probe->mean_row);
  }
  return least;
}

/* Returns a lower bound on the cost of all other vertices under one partial
 * match of the vertices in `done`. It does not depend on the order of `done`,
 * because candidates do not; work does. */
static double least_cost_ahead(trial *t, uint64_t done)
{
  if (t->ahead[done] >= 0)
    return t->ahead[done];
  double least = INFINITY;
  t->probe.done = ms_bitset_of_word(done);
  ms_bitset next = ms_order_state_next(&t->probe);
  MS_EACH_MEMBER (v, next) {
    double then = least_cost_ahead(t, done | UINT64_C(1) << v);
    t->probe.done = ms_bitset_of_word(done);
    least =
        fmin(least, 1 + least_work(&t->probe, v) + ms_order_state_candidates(&t->probe, v) * then);
  }
  t->ahead[done] = least;
  return least;
}

static void keep_best(trial *t)
{
  uint32_t n = t->walk.shape->n;
  if (t->walk.cost[n] < t->best.cost[n])
    t->best = t->walk;
}

/* Tries all continuations that may be better than the best order so far.
 * Recursion is at most MS_ORDER_EXHAUSTIVE deep. */
static void try_orders(trial *t)
{
  uint32_t n = t->walk.shape->n;
  if (t->walk.placed == n) {
    keep_best(t);
    return;
  }
  ms_bitset next = ms_order_state_next(&t->walk);
  MS_EACH_MEMBER (v, next) {
    if (ms_bitset_meets(t->twins[v], next))
      continue;
    ms_order_state_place(&t->walk, v);
    uint32_t placed = t->walk.placed;
    if (t->walk.cost[placed] +
            t->walk.matches[placed] * least_cost_ahead(t, ms_bitset_word(t->walk.done)) <
        t->best.cost[n])
      try_orders(t);
    ms_order_state_undo(&t->walk);
  }
}

/* Scores the vertices by the fewest candidates, then by the most backward
 * neighbours, the most vertices that it will help to find, and the smallest
 * domain. */
static void score_by_candidates(const ms_order_state *walk, uint32_t v, double score[MS_SCORES])
{
  ms_bitset near = ms_shape_near(walk->shape, v);
  score[0] = -ms_order_state_candidates(walk, v);
  score[1] = ms_bitset_count(ms_bitset_and(near, walk->done));
  score[2] = ms_bitset_count(ms_bitset_minus(near, walk->done));
  score[3] = -walk->input->domain[v];
}

void ms_order_candidates(ms_order_state *walk)
{
  ms_order_state_greedily(walk, score_by_candidates);
}

static void try_starts(trial *t)
{
  t->probe = t->walk; /* empty */
  ms_bitset starts = ms_order_state_next(&t->probe);
  uint32_t step = (ms_bitset_count(starts) + MOST_STARTS - 1) / MOST_STARTS, number = 0;
  MS_EACH_MEMBER (v, starts) {
    if (number++ % step != 0)
      continue;
    t->walk = t->probe;
    ms_order_state_place(&t->walk, v);
    ms_order_state_greedily(&t->walk, score_by_candidates);
    keep_best(t);
  }
}

ms_status ms_order_reuse(ms_order_state *walk, ms_error *err)
{
  const ms_shape *shape = walk->shape;
  trial *t = ms_calloc(1, sizeof *t); /* it is large for a stack */
  if (!t)
    return ms_fail_memory(err, "the plan");
  t->walk = t->best = *walk;
  ms_order_ri(&t->best);
  for (uint32_t v = 0; v < shape->n; v++) {
    for (uint32_t u = 0; u < v; u++)
      if (are_twins(shape, walk->input, u, v))
        ms_bitset_add(&t->twins[v], u);
  }
  if (shape->n <= MS_ORDER_EXHAUSTIVE) {
    t->probe = *walk;
    for (uint32_t set = 0; set < 1u << shape->n; set++)
      t->ahead[set] = -1;
    t->ahead[(1u << shape->n) - 1] = 0;
    try_orders(t);
  } else {
    try_starts(t);
  }
  *walk = t->best;
  ms_free(t);
  return MS_OK;
}
