/* The vertices that may come next, and cost estimates.
 *
 * The model.  The first vertex of a component has its whole domain as
 * candidates.  A vertex with one backward neighbour has a row: at the end of an
 * edge the mean degree is d = sum of squared degrees / arcs (Feld, "Why your
 * friends have more friends than you do", AJS 96, 1991), of which the share
 * domain / vertices is in the domain.  Each further backward neighbour leaves a
 * share p.  In a random graph with these degrees p is d^2 / arcs (Chung and Lu
 * 2002); in real networks a neighbour's neighbour is adjacent far more often.
 * The exact rate is unknown here, so p is the geometric mean of that
 * probability and 1: near 1 in complete graphs, 0.25 for a protein network of
 * 7000 edges with d = 30, within the clustering coefficients of such networks
 * (0.1 to 0.4).
 *
 * The work under one partial match: every neighbour row is read, and the
 * candidates of an earlier level on the same path replace the rows that they
 * come from. */
#include "plan/match_order.h"

#include <math.h>
#include <string.h>

/* products of many domains may exceed the range of double */
#define MOST_MATCHES 1e290

void ms_order_state_init(const ms_shape *shape, const ms_plan_input *input, ms_order_state *walk)
{
  memset(walk, 0, sizeof *walk);
  walk->shape = shape;
  walk->input = input;
  if (input->arcs > 0) {
    walk->mean_row = input->square_degrees / input->arcs;
    walk->closing = sqrt(fmin(1, walk->mean_row * walk->mean_row / input->arcs));
  }
  walk->share[0] = walk->share[1] = 1;
  for (uint32_t rows = 2; rows < MS_MOST_ROWS; rows++)
    walk->share[rows] = walk->share[rows - 1] * walk->closing;
  walk->matches[0] = 1;
}

static ms_bitset back_out(const ms_order_state *walk, uint32_t v)
{
  return ms_bitset_and(walk->shape->in[v], walk->done);
}

static ms_bitset back_in(const ms_order_state *walk, uint32_t v)
{
  return walk->shape->directed ? ms_bitset_and(walk->shape->out[v], walk->done) : (ms_bitset){{0}};
}

double ms_order_state_estimate(const ms_order_state *walk, uint32_t v, uint32_t rows)
{
  double domain = walk->input->domain[v];
  if (rows == 0 || walk->input->vertices <= 0)
    return domain;
  return fmin(domain, domain / walk->input->vertices * walk->mean_row * walk->share[rows]);
}

/* Returns the candidates of v where the mean lengths of rows are known: each earlier neighbour
 * leaves the share of v's domain that its row holds on average. */
static double candidates_by_rows(const ms_order_state *walk, uint32_t v)
{
  const ms_plan_input *input = walk->input;
  double candidates = input->domain[v];
  ms_bitset back = back_out(walk, v);
  if (candidates > 0)
    MS_EACH_MEMBER (w, back)
      candidates *= fmin(1, input->row[w][v] / input->domain[v]);
  return candidates;
}

double ms_order_state_candidates(const ms_order_state *walk, uint32_t v)
{
  if (walk->input->row)
    return candidates_by_rows(walk, v);
  return ms_order_state_estimate(
      walk, v, ms_bitset_count(back_out(walk, v)) + ms_bitset_count(back_in(walk, v)));
}

/* Returns the number of entries that are read for vertex v with the backward
 * neighbours of level i. */
static double work_of(const ms_order_state *walk, uint32_t i, uint32_t v)
{
  uint32_t rows = ms_bitset_count(walk->back_out[i]) + ms_bitset_count(walk->back_in[i]);
  uint32_t served = 0;
  double instead = 0;
  if (rows == 0)
    return walk->candidates[i];
  if (walk->input->row) {
    MS_EACH_MEMBER (w, walk->back_out[i])
      instead += walk->input->row[w][v];
    return instead;
  }
  for (uint32_t e = 1; e < i && rows > 1; e++) {
    uint32_t of = ms_bitset_count(walk->back_out[e]) + ms_bitset_count(walk->back_in[e]);
    if (of > 1 && of >= served && ms_bitset_within(walk->back_out[e], walk->back_out[i]) &&
        ms_bitset_within(walk->back_in[e], walk->back_in[i]) &&
        ms_kind_suits(walk->shape, walk->order[e], v)) {
      served = of;
      instead = walk->candidates[e];
    }
  }
  return instead + (rows - served) * walk->mean_row;
}

void ms_order_state_place(ms_order_state *walk, uint32_t v)
{
  uint32_t i = walk->placed;
  walk->order[i] = (uint8_t)v;
  walk->back_out[i] = back_out(walk, v);
  walk->back_in[i] = back_in(walk, v);
  walk->candidates[i] = ms_order_state_candidates(walk, v);
  walk->work[i] = work_of(walk, i, v);
  walk->matches[i + 1] = fmin(MOST_MATCHES, walk->matches[i] * walk->candidates[i]);
  walk->cost[i + 1] = walk->cost[i] + walk->matches[i] * (1 + walk->work[i]);
  ms_bitset_add(&walk->done, v);
  walk->placed++;
}

void ms_order_state_undo(ms_order_state *walk)
{
  walk->placed--;
  ms_bitset_remove(&walk->done, walk->order[walk->placed]);
}

/* ---- the vertices that may come next ---------------------------------------------------- */

static ms_bitset neighbours(const ms_shape *shape, ms_bitset set)
{
  ms_bitset near = {{0}};
  MS_EACH_MEMBER (v, set)
    near = ms_bitset_or(near, ms_shape_near(shape, v));
  return near;
}

/* Returns the set and all vertices connected with it. */
static ms_bitset component_of(const ms_shape *shape, ms_bitset set)
{
  for (ms_bitset front = set; !ms_bitset_is_empty(front);) {
    front = ms_bitset_minus(neighbours(shape, front), set);
    set = ms_bitset_or(set, front);
  }
  return set;
}

static double smallest_domain(const ms_plan_input *input, ms_bitset set)
{
  double least = INFINITY;
  MS_EACH_MEMBER (v, set)
    least = fmin(least, input->domain[v]);
  return least;
}

/* Returns the component with the most vertices of the pool, and of these the
 * one with the smallest domain. */
static ms_bitset next_component(const ms_order_state *walk, ms_bitset pool)
{
  ms_bitset best = {{0}}, rest = pool;
  MS_EACH_MEMBER (v, rest) {
    ms_bitset whole = component_of(walk->shape, ms_bitset_of(v));
    ms_bitset part = ms_bitset_and(whole, pool);
    uint32_t size = ms_bitset_count(part), most = ms_bitset_count(best);
    rest = ms_bitset_minus(rest, whole);
    if (size > most ||
        (size == most && smallest_domain(walk->input, part) < smallest_domain(walk->input, best)))
      best = part;
  }
  return best;
}

/* Returns the neighbours of the placed vertices. If the vertices that come last
 * are cut out, there may be none before the component is complete: then the
 * vertices that share a neighbour with the placed ones, then the other vertices
 * of the component. A new component begins when the last one is complete. */
ms_bitset ms_order_state_next(const ms_order_state *walk)
{
  const ms_shape *shape = walk->shape;
  ms_bitset left = ms_bitset_minus(ms_bitset_below(shape->n), walk->done);
  ms_bitset early = ms_bitset_minus(left, walk->input->last);
  ms_bitset pool = ms_bitset_is_empty(early) ? left : early;
  ms_bitset near = neighbours(shape, walk->done);
  if (ms_bitset_meets(near, pool))
    return ms_bitset_and(near, pool);
  near = neighbours(shape, near);
  if (ms_bitset_meets(near, pool))
    return ms_bitset_and(near, pool);
  near = component_of(shape, walk->done);
  return ms_bitset_meets(near, pool) ? ms_bitset_and(near, pool) : next_component(walk, pool);
}

void ms_order_state_greedily(ms_order_state *walk, ms_score_fn rule)
{
  while (walk->placed < walk->shape->n) {
    double score[MS_SCORES], best_score[MS_SCORES] = {0};
    uint32_t best = MS_MAX_PATTERN;
    ms_bitset next = ms_order_state_next(walk);
    MS_EACH_MEMBER (v, next) {
      uint32_t s = 0;
      rule(walk, v, score);
      while (s < MS_SCORES - 1 && score[s] == best_score[s])
        s++;
      if (best == MS_MAX_PATTERN || score[s] > best_score[s]) {
        best = v;
        memcpy(best_score, score, sizeof score);
      }
    }
    ms_order_state_place(walk, best);
  }
}
