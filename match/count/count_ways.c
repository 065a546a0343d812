#include "match/count/count_ways.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_cost.h"
#include "match/count/count_domains.h"
#include "match/count/count_run.h"
#include "match/count/elimination.h"
#include "match/count/hinge.h"
#include "match/count/induced_sum.h"

#include <math.h>
#include <string.h>

/* ---- modules --------------------------------------------------------------------------------- */

#define MODULE_BIT(i) (UINT64_C(1) << (i))
#define MOST_OUTSIDE 2u

void ms_module_shape(const ms_shape *shape, uint64_t vertices, ms_shape *out)
{
  uint8_t number[MS_COUNT_SMALL] = {0};
  *out = (ms_shape){.n = 0};
  for (uint64_t left = vertices; left; left &= left - 1) {
    number[__builtin_ctzll(left)] = (uint8_t)out->n;
    out->member[out->n] = ms_bitset_of(out->n);
    out->n++;
  }
  for (uint64_t left = vertices; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left);
    for (uint64_t near = ms_count_near(shape, i) & vertices; near; near &= near - 1) {
      ms_bitset_add(&out->out[number[i]], number[__builtin_ctzll(near)]);
      ms_bitset_add(&out->in[number[i]], number[__builtin_ctzll(near)]);
    }
  }
}

bool ms_is_module(const ms_shape *shape, uint64_t tail)
{
  uint64_t outside = (MODULE_BIT(shape->n) - 1) & ~tail;
  if (!outside || (uint32_t)__builtin_popcountll(outside) > MOST_OUTSIDE)
    return false;
  for (uint64_t left = tail; left; left &= left - 1) {
    uint64_t near = ms_count_near(shape, (uint32_t)__builtin_ctzll(left));
    if ((near & outside) != outside || ((near | (left & -left)) & tail) == tail)
      return false;
  }
  uint64_t reached = tail & -tail;
  for (uint64_t left = reached; left;) {
    uint64_t near = ms_count_near(shape, (uint32_t)__builtin_ctzll(left)) & tail & ~reached;
    reached |= near;
    left = (left & (left - 1)) | near;
  }
  return reached == tail;
}

/* ---- ways ------------------------------------------------------------------------------------ */

#define BIT(i) (UINT64_C(1) << (i))
/* The most tail vertices of a product: every partition of them except one is a quotient that has
 * to be counted. */
#define MAX_PRODUCT 3u
/* Rounding: a bound, whose terms are added in another order, may exceed the cost by this fraction.
 */
#define ROUNDING 1e-9

static bool is_independent(const ms_shape *s, uint64_t vertices)
{
  for (uint64_t left = vertices; left; left &= left - 1)
    if (ms_count_near(s, (uint32_t)__builtin_ctzll(left)) & vertices)
      return false;
  return true;
}

static uint64_t image(const uint8_t *move, uint64_t vertices)
{
  uint64_t moved = 0;
  for (; vertices; vertices &= vertices - 1)
    moved |= BIT(move[__builtin_ctzll(vertices)]);
  return moved;
}

/* Marks the sets to which automorphisms move this one; returns their number,
 * including itself. */
static uint32_t mark_images(ms_count_ways *s, const ms_group *group, uint64_t vertices)
{
  uint64_t queue[1u << MS_COUNT_SMALL];
  bool seen[1u << MS_COUNT_SMALL] = {false};
  uint32_t count = 0;
  queue[count++] = vertices;
  seen[vertices] = true;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t level = 0; level < group->n; level++)
      MS_EACH_MEMBER (x, group->orbit[level]) {
        if (x == group->base[level])
          continue;
        uint64_t to = image(group->move[level][x], queue[i]);
        if (!seen[to]) {
          seen[to] = true;
          queue[count++] = to;
          s->symmetry[to] = 0;
        }
      }
  return count;
}

/* Returns the order of a group of a small shape. */
static double order_of(const ms_group *group)
{
  double order = 1;
  for (uint32_t i = 0; i < group->n; i++)
    order *= ms_bitset_count(group->orbit[i]);
  return order;
}

/* Finds, for each tail, the number of automorphisms that keep the tail and move
 * the prefix. */
static void find_symmetries(ms_count_ways *s, const ms_group *group)
{
  const ms_shape *shape = s->e.shape;
  double order = order_of(group);
  s->e.fixed = 0;
  for (uint64_t t = 1; t < BIT(shape->n); t++)
    s->symmetry[t] = 1;
  for (uint64_t t = 1; t < BIT(shape->n); t++) {
    if (s->symmetry[t] == 0)
      continue;
    uint32_t images = mark_images(s, group, t);
    if (s->e.singles && images == 1 && (t & (t - 1)) == 0)
      s->e.fixed |= t;
    s->symmetry[t] = (t & (t - 1)) ? order / images : order; /* a single one keeps its bounds */
    /* twins in the tail are exchanged without moving the prefix */
    for (uint32_t i = 0; i < shape->n && is_independent(shape, t); i++) {
      uint32_t twins = 0, first = shape->n;
      for (uint64_t left = t; left; left &= left - 1) {
        uint32_t j = (uint32_t)__builtin_ctzll(left);
        if (ms_bitset_equal(shape->out[j], shape->out[i]) &&
            ms_bitset_equal(shape->in[j], shape->in[i]) && shape->kind[j] == shape->kind[i]) {
          first = first < j ? first : j;
          twins++;
        }
      }
      if (first == i)
        s->symmetry[t] /= ms_count_factorial(twins);
    }
  }
}

static bool has_mixed_candidates(const ms_count_estimator *e, const ms_count_choice *c,
                                 uint32_t prefix)
{
  uint64_t first = 0;
  for (uint64_t left = c->tail; left; left &= left - 1) {
    uint64_t back = ms_count_back(e->shape, c->order, prefix, (uint32_t)__builtin_ctzll(left));
    if (first && back != first)
      return true;
    first = back;
  }
  return false;
}

/* A smaller pattern of a way, and the search for its best way: large for the stack of a recursion.
 */
typedef struct smaller_ways {
  ms_shape shape;
  ms_count_ways ways;
} smaller_ways;

static double best_cost(const ms_count_estimator *like, smaller_ways *of);

/* Returns the cost of the quotient in which vertices a < b are one. */
static double cost_of_quotient(ms_count_ways *s, uint32_t a, uint32_t b)
{
  const ms_shape *shape = s->e.shape;
  uint8_t block[MS_COUNT_SMALL] = {0};
  uint32_t blocks = 0;
  if (s->quotient[a][b] > 0)
    return s->quotient[a][b];
  smaller_ways *quotient = ms_alloc(1, sizeof *quotient);
  if (!quotient)
    return INFINITY;
  for (uint32_t v = 0; v < shape->n; v++)
    block[v] = v == b ? block[a] : (uint8_t)blocks++;
  ms_shape_quotient(shape, block, blocks, &quotient->shape);
  memset(quotient->shape.kind, 0, sizeof quotient->shape.kind);
  s->quotient[a][b] = best_cost(&s->e, quotient);
  ms_free(quotient);
  return s->quotient[a][b];
}

/* Returns the cost of counting every quotient of the tail separately. */
static double cost_of_quotients(ms_count_ways *s, const ms_count_choice *c)
{
  double cost = 0;
  /* pairs are estimated; a coarser quotient is smaller still */
  for (uint64_t i = c->tail; i; i &= i - 1)
    for (uint64_t j = i & (i - 1); j; j &= j - 1)
      cost += cost_of_quotient(s, (uint32_t)__builtin_ctzll(i), (uint32_t)__builtin_ctzll(j));
  return cost;
}

static void consider_choice(ms_count_ways *s, uint32_t prefix)
{
  ms_count_choice *c = &s->now;
  uint32_t tail = (uint32_t)__builtin_popcountll(c->tail);
  bool is_mixed = has_mixed_candidates(&s->e, c, prefix);
  for (int product = 0; product <= (is_mixed && tail <= MAX_PRODUCT && !s->rooted); product++) {
    c->product = product;
    c->quotients = 0;
    if (is_mixed && !product && tail > MS_COUNT_MIXED)
      continue;
    c->cost = ms_count_cost(&s->e, c, prefix, s->symmetry[c->tail]);
    c->cost *= c->module ? ms_hooks.count_module_weight : 1;
    if (product && c->cost < ms_hooks.probe_factor * s->best.cost)
      c->cost += c->quotients = cost_of_quotients(s, c);
    ms_count_choice *kept = &s->of_tail[product][c->tail];
    if (!s->finds_best && (kept->cost == 0 || c->cost < kept->cost))
      *kept = *c;
    if (c->cost < s->best.cost)
      s->best = *c;
  }
}

/* True if this vertex may be matched next: it is adjacent to a matched one, or a table leads
 * to it, which needs an engine with tables and a tail vertex whose only neighbours are it
 * and the root. */
static bool may_come_next(const ms_count_ways *s, uint32_t level, uint32_t v)
{
  const ms_shape *shape = s->e.shape;
  if (level == 0 && s->rooted)
    return v == s->root;
  if (level == 0 || ms_count_back(shape, s->now.order, level, v))
    return true;
  for (uint64_t left = s->e.touched ? s->now.tail : 0; left; left &= left - 1)
    if ((ms_count_near(shape, (uint32_t)__builtin_ctzll(left)) & ~s->now.tail) ==
        (BIT(v) | BIT(s->now.order[0])))
      return true;
  return false;
}

/* Returns the cost from which a way changes nothing in `of_tail`. */
static double most_of_tail(const ms_count_ways *s)
{
  uint64_t tail = s->now.tail;
  double far = s->far > 0 ? s->far * s->best.cost : INFINITY;
  double plain = s->of_tail[0][tail].cost, product = s->of_tail[1][tail].cost;
  bool one = (tail & (tail - 1)) == 0; /* vertex, and no product */
  if (plain == 0 || (product == 0 && !one))
    return far;
  return fmin(far, fmax(plain, product));
}

/* True if no way whose order begins with these levels is wanted. */
static bool is_too_long(const ms_count_ways *s, const ms_count_least *least)
{
  double most = s->finds_best ? s->best.cost : most_of_tail(s);
  return !s->now.module && least->cost * (1 - ROUNDING) >= most;
}

static void try_orders(ms_count_ways *s, uint32_t level, uint32_t prefix, uint64_t left,
                       ms_count_least before)
{
  if (level == prefix) {
    uint32_t i = prefix;
    for (uint64_t tail = s->now.tail; tail; tail &= tail - 1)
      s->now.order[i++] = (uint8_t)__builtin_ctzll(tail);
    consider_choice(s, prefix);
    return;
  }
  for (uint64_t v = left; v; v &= v - 1)
    if (may_come_next(s, level, (uint32_t)__builtin_ctzll(v))) {
      s->now.order[level] = (uint8_t)__builtin_ctzll(v);
      ms_count_least least = ms_count_bound_level(&s->bound, s->now.order, level, before);
      if (!is_too_long(s, &least))
        try_orders(s, level + 1, prefix, left & ~(v & -v), least);
    }
}

static void try_tail(ms_count_ways *s, uint64_t tail)
{
  uint32_t prefix = s->e.shape->n - (uint32_t)__builtin_popcountll(tail);
  s->now.tail = tail;
  ms_count_bound_tail(&s->bound, &s->now, s->symmetry[tail]);
  try_orders(s, 0, prefix, (BIT(s->e.shape->n) - 1) & ~tail, (ms_count_least){.matches = 1});
}

/* Tries a tail with an inner pattern.  An automorphism that keeps the tail moves the prefix and the
 * tail independently. */
static ms_status try_module(ms_count_ways *s, uint64_t tail, ms_error *err)
{
  ms_group *group;
  uint32_t prefix = s->e.shape->n - (uint32_t)__builtin_popcountll(tail);
  smaller_ways *inner = ms_alloc(1, sizeof *inner);
  if (!inner)
    return ms_fail_memory(err, "the plan of a count");
  memset(&inner->ways, 0, sizeof inner->ways);
  ms_module_shape(s->e.shape, tail, &inner->shape);
  ms_status status = ms_group_new(&inner->shape, NULL, ms_bitset_all(), &group, err);
  if (status == MS_OK) {
    s->symmetry[tail] = fmax(s->symmetry[tail] / order_of(group), 1);
    ms_group_free(group);
    ms_count_estimator_inner(&s->e, &inner->shape, prefix, &inner->ways.e);
    status = ms_count_find_best_way(&inner->ways, err);
  }
  if (status == MS_OK)
    s->now.inner = ms_count_cost_of_graph(&inner->ways.e) + inner->ways.best.cost;
  ms_free(inner);
  if (status != MS_OK)
    return status;
  s->now.module = true;
  try_tail(s, tail);
  s->now.module = false;
  s->now.inner = 0;
  return MS_OK;
}

static ms_status try_all(ms_count_ways *s, ms_error *err)
{
  const ms_shape *shape = s->e.shape;
  ms_group *group;
  MS_TRY(ms_group_new(shape, NULL, ms_bitset_all(), &group, err));
  find_symmetries(s, group);
  ms_group_free(group);
  ms_count_bound_init(&s->bound, &s->e);
  for (uint64_t t = 1; t + 1 < BIT(shape->n); t++)
    if (s->rooted && (t >> s->root & 1))
      continue;
    else if (s->symmetry[t] > 0 && is_independent(shape, t))
      try_tail(s, t);
    else if (s->symmetry[t] > 0 && (t & ~s->by_degree) == 0 && ms_is_module(shape, t))
      MS_TRY(try_module(s, t, err));
  return MS_OK;
}

ms_status ms_count_find_best_way(ms_count_ways *s, ms_error *err)
{
  s->finds_best = true;
  s->best.cost = INFINITY;
  return try_all(s, err);
}

ms_status ms_count_compare_ways(ms_count_ways *s, ms_error *err)
{
  s->finds_best = false;
  if (s->best.cost == 0) /* it is not known yet */
    s->best.cost = INFINITY;
  return try_all(s, err);
}

/* Returns the cost of a shape in a graph like that of the estimator, without inner patterns. */
static double best_cost(const ms_count_estimator *like, smaller_ways *of)
{
  ms_count_ways *s = &of->ways;
  if (of->shape.n < 2)
    return 0;
  memset(s, 0, sizeof *s);
  s->e = *like;
  s->e.shape = &of->shape;
  for (uint32_t i = 0; i < of->shape.n; i++)
    s->e.domain[i] = s->e.vertices;
  return ms_count_find_best_way(s, NULL) == MS_OK ? s->best.cost : INFINITY;
}

/* ---- other ways than a search ----------------------------------------------------------- */

/* True if the query leaves the way to count to the CPU. */
static bool is_free(const ms_count_query *query)
{
  bool on_cpu = !query->engine || query->engine == &ms_pattern_engine_cpu;
  return query->order == MS_ORDER_AUTO && on_cpu;
}

bool ms_induced_sum_exists(const ms_shape *shape)
{
  uint32_t ends = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    ends += ms_bitset_count(shape->out[i]);
  uint32_t pairs = (shape->n * (shape->n - 1) - ends) / 2;
  return shape->induced && !shape->directed && !shape->label && shape->n <= MS_COUNT_SMALL &&
         pairs > 0 && pairs <= MS_SUM_PAIRS;
}

bool ms_count_has_sum(const ms_count_query *query, const ms_shape *shape)
{
  return is_free(query) && ms_induced_sum_exists(shape);
}

bool ms_count_may_pivot(const ms_count_query *query, const ms_shape *shape)
{
  bool may = is_free(query) && !isinf(ms_hooks.count_clique_weight) && shape->n > 4 &&
             !shape->directed && !shape->label;
  for (uint32_t i = 0; may && i < shape->n; i++)
    may = ms_bitset_count(shape->out[i]) + 1 == shape->n && shape->kind[i] == shape->kind[0];
  return may;
}

bool ms_hinge_may(const ms_count_query *query, const ms_shape *shape)
{
  uint32_t ends = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    ends += ms_bitset_count(shape->out[i]);
  bool on_gpu = query->engine && query->engine->count_books && query->order == MS_ORDER_AUTO &&
                !query->leaves && ends >= 2 * shape->n; /* trees have no books */
  return (is_free(query) || on_gpu) && !isinf(ms_hooks.count_hinge_weight) && ms_has_hinge(shape);
}

bool ms_elimination_may(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain)
{
  return is_free(query) && !query->leaves && !isinf(ms_hooks.count_elimination_weight) &&
         shape->n > 3 && shape->n <= MS_ELIMINATION_VERTICES && !shape->directed &&
         !shape->induced && !shape->label && ms_shape_is_connected(shape) &&
         (ms_domains_follow(query->domains, shape) ||
          !ms_count_is_restricted(query, shape, domain));
}
