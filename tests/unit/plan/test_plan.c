/* Plans (plan/): orders, constraints and reuse, against all maps of small shapes into small random
 * graphs. */
#include "plan/match_order.h"
#include "tests/support/random.h"
#include "tests/support/search/plans.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- what holds for every plan -------------------------------------------------- */

static ms_bitset reach(const ms_shape *shape, ms_bitset within, ms_bitset set)
{
  for (ms_bitset before = {{0}}; !ms_bitset_equal(before, set);) {
    before = set;
    MS_EACH_MEMBER (v, before)
      set = ms_bitset_or(set, ms_bitset_and(ms_shape_near(shape, v), within));
  }
  return set;
}

/* All vertices once, `last` at the end; a vertex without a backward neighbour starts a component,
 * after the one before it is done. */
static void check_order(const ms_plan *plan, const ms_plan_input *input)
{
  const ms_shape *shape = &plan->shape;
  ms_bitset done = {{0}}, first = ms_bitset_minus(ms_bitset_below(shape->n), input->last);
  bool any_last = !ms_bitset_is_empty(input->last);
  bool tied = !ms_bitset_is_empty(first) &&
              ms_bitset_equal(reach(shape, first, ms_bitset_of(ms_bitset_first(first))), first);
  for (uint32_t i = 0; i < shape->n; i++) {
    uint32_t v = plan->level[i].vertex;
    ck_assert(v < shape->n && !ms_bitset_has(&done, v));
    bool starts = !ms_bitset_meets(ms_shape_near(shape, v), done);
    if (ms_bitset_has(&input->last, v))
      ck_assert(ms_bitset_within(first, done));
    if (starts && !any_last)
      ck_assert(ms_bitset_equal(reach(shape, ms_bitset_all(), done), done));
    if (starts && tied && ms_bitset_has(&first, v))
      ck_assert_uint_eq(i, 0);
    ms_bitset_add(&done, v);
  }
  ck_assert(plan->order == input->order ||
            (input->order == MS_ORDER_AUTO && plan->order != MS_ORDER_AUTO));
}

static void check_levels(const ms_plan *plan)
{
  const ms_shape *shape = &plan->shape;
  for (uint32_t i = 0; i < shape->n; i++) {
    const ms_plan_level *level = &plan->level[i];
    ms_bitset earlier = ms_bitset_below(i);
    ck_assert(ms_bitset_within(ms_bitset_or(level->back_out, level->back_in), earlier) &&
              ms_bitset_within(ms_bitset_or(level->not_out, level->not_in), earlier));
    for (uint32_t b = 0; b < i; b++) {
      uint32_t v = level->vertex, u = b < i ? plan->level[b].vertex : 0;
      bool out = b < i && ms_bitset_has(&shape->out[u], v),
           in = b < i && ms_bitset_has(&shape->out[v], u);
      ck_assert_int_eq(ms_bitset_has(&level->back_out, b), out);
      ck_assert_int_eq(ms_bitset_has(&level->back_in, b), in);
      ck_assert_int_eq(ms_bitset_has(&level->not_out, b), shape->induced && b < i && !out);
      ck_assert_int_eq(ms_bitset_has(&level->not_in, b), shape->induced && b < i && !in);
    }
    ck_assert(ms_bitset_within(ms_bitset_or(level->above, level->below), ms_bitset_below(i)));
    ck_assert(isfinite(level->candidates) && isfinite(level->matches) && level->candidates >= 0);
  }
  ck_assert(isfinite(plan->cost));
}

/* Rows that a set stands for. */
static uint64_t covered(const ms_plan *plan, const ms_plan_reuse *r)
{
  return ms_bitset_count(r->covers_out) +
         (plan->shape.directed ? ms_bitset_count(r->covers_in) : 0);
}

/* Rows and sets cover the backward neighbours, and nothing else. */
static void check_covers(const ms_plan *plan)
{
  for (uint32_t j = 0; j < plan->shape.n; j++) {
    const ms_plan_level *level = &plan->level[j];
    ms_bitset out = level->rows_out, in = level->rows_in;
    uint64_t most = UINT64_MAX;
    ck_assert_uint_le(level->n_reuse, COUNT(level->reuse));
    for (uint32_t k = 0; k < level->n_reuse; k++) {
      const ms_plan_reuse *r = &level->reuse[k];
      ms_bitset covers_out = {{0}}, covers_in = {{0}};
      uint64_t gain = covered(plan, r);
      bool same = true;
      ck_assert_uint_lt(r->level, j);
      ck_assert(ms_bitset_within(r->needed, ms_bitset_below(r->level)));
      for (uint32_t b = 0; b < r->level; b++) {
        const ms_plan_level *of = &plan->level[r->level];
        bool needed = ms_bitset_has(&of->back_out, b) || ms_bitset_has(&of->back_in, b);
        ck_assert_int_eq(ms_bitset_has(&r->needed, b), needed);
        same = same && (!needed || r->from[b] == b);
        if (ms_bitset_has(&of->back_out, b))
          ms_bitset_add(&covers_out, r->from[b]);
        if (ms_bitset_has(&of->back_in, b))
          ms_bitset_add(&covers_in, r->from[b]);
      }
      ck_assert_int_eq(same, r->same_path);
      ck_assert(ms_bitset_equal(covers_out, r->covers_out));
      ck_assert(ms_bitset_equal(covers_in, r->covers_in));
      ck_assert(!ms_bitset_meets(covers_out, level->rows_out) &&
                !ms_bitset_meets(covers_in, level->rows_in));
      ck_assert(gain >= 2 && gain <= most);
      most = gain;
      out = ms_bitset_or(out, covers_out);
      in = ms_bitset_or(in, covers_in);
    }
    ck_assert(ms_bitset_equal(out, level->back_out));
    ck_assert(ms_bitset_equal(in, level->back_in));
  }
}

static void check_plan(const ms_plan *plan, const ms_plan_input *input)
{
  check_order(plan, input);
  check_levels(plan);
  check_covers(plan);
}

/* ---- all maps ----------------------------------------------------------------------- */

enum { HOST = 7 };

typedef struct host {
  const ms_plan *plan;
  ms_bitset out[HOST];            /* arcs */
  uint32_t suits[HOST];           /* bit k: may be of kind k */
  uint32_t image[MS_MAX_PATTERN]; /* [level] */
  uint64_t maps, met;             /* all, and those that meet the constraints */
  uint64_t reused;                /* sets that were compared */
} host;

static bool suits(const host *h, uint32_t level, uint32_t w)
{
  return h->suits[w] >> h->plan->shape.kind[h->plan->level[level].vertex] & 1;
}

/* Host vertices of level's colour with arcs from and to the images of those levels. */
static uint32_t common(const host *h, uint32_t level, ms_bitset out, ms_bitset in,
                       const uint8_t *from)
{
  uint32_t set = 0;
  for (uint32_t w = 0; w < HOST; w++) {
    bool ok = suits(h, level, w);
    for (uint32_t b = 0; b < h->plan->shape.n && ok; b++) {
      bool to = ms_bitset_has(&out, b), back = ms_bitset_has(&in, b);
      uint32_t x = to || back ? h->image[from ? from[b] : b] : 0;
      ok = !(to && !ms_bitset_has(&h->out[x], w)) && !(back && !ms_bitset_has(&h->out[w], x));
    }
    set |= (uint32_t)ok << w;
  }
  return set;
}

/* Candidates of level j under the partial match lie within each set that serves again, and are
 * what all of them and the rows leave. */
static void check_reuse(host *h, uint32_t j)
{
  const ms_plan_level *level = &h->plan->level[j];
  uint32_t own = common(h, j, level->back_out, level->back_in, NULL);
  uint32_t left = common(h, j, level->rows_out, level->rows_in, NULL);
  for (uint32_t k = 0; k < level->n_reuse; k++) {
    const ms_plan_reuse *r = &level->reuse[k];
    const ms_plan_level *of = &h->plan->level[r->level];
    uint32_t set = common(h, r->level, of->back_out, of->back_in, r->from);
    ck_assert_uint_eq(own & ~set, 0);
    left &= set;
    h->reused++;
  }
  ck_assert_uint_eq(left, own);
}

static bool may_be(const host *h, uint32_t i, uint32_t w)
{
  const ms_plan_level *level = &h->plan->level[i];
  if (!(common(h, i, level->back_out, level->back_in, NULL) >> w & 1))
    return false;
  for (uint32_t b = 0; b < i; b++) {
    uint32_t x = h->image[b];
    if (x == w || (ms_bitset_has(&level->not_out, b) && ms_bitset_has(&h->out[x], w)) ||
        (ms_bitset_has(&level->not_in, b) && ms_bitset_has(&h->out[w], x)))
      return false;
  }
  return true;
}

static void list_maps(host *h, uint32_t i, bool met)
{
  if (i == h->plan->shape.n) {
    h->maps++;
    h->met += met;
    return;
  }
  check_reuse(h, i);
  for (uint32_t w = 0; w < HOST; w++) {
    bool still = met;
    if (!may_be(h, i, w))
      continue;
    for (uint32_t b = 0; b < i; b++)
      still = still && !(ms_bitset_has(&h->plan->level[i].above, b) && h->image[b] > w) &&
              !(ms_bitset_has(&h->plan->level[i].below, b) && h->image[b] < w);
    h->image[i] = w;
    list_maps(h, i + 1, still);
  }
}

static host random_host(uint64_t *state, const ms_plan *plan)
{
  host h = {.plan = plan};
  ms_shape graph =
      shapes_random(state, HOST, plan->shape.directed, 60 + random_below(state, 196), 1);
  for (uint32_t w = 0; w < HOST; w++) {
    h.out[w] = graph.out[w];
    h.suits[w] = 1 | random_below(state, 8) | random_below(state, 8);
  }
  return h;
}

/* Levels, covers, constraints and reused sets of a plan are consistent, and all maps, counted by
 * trial, are those that meet the constraints times the group order: 3,000 random shapes of up to 6
 * vertices. */
START_TEST(plans_of_random_shapes)
{
  uint64_t state = 1, reused = 0, maps = 0, constrained = 0;
  for (int i = 0; i < 3000; i++) {
    uint32_t n = 1 + random_below(&state, 6);
    ms_shape shape = shapes_random(&state, n, random_below(&state, 2), random_below(&state, 257),
                                   1 + random_below(&state, 3));
    ms_plan_input input = plans_random_input(&state, n);
    shape.induced = random_below(&state, 2);
    ms_plan *plan = plans_new(&shape, &input);
    check_plan(plan, &input);
    host h = random_host(&state, plan);
    list_maps(&h, 0, true);
    ck_assert_uint_eq(h.met * (input.constrain ? plans_group_order(plan) : 1), h.maps);
    for (uint32_t v = 0; v < n; v++)
      ck_assert_uint_eq(plan->group->base[v], plan->level[v].vertex);
    reused += h.reused;
    maps += h.maps;
    constrained += h.met < h.maps;
    ms_plan_free(plan);
  }
  ck_assert_uint_gt(reused, 10000);
  ck_assert_uint_gt(maps, 10000);
  ck_assert_uint_gt(constrained, 200);
}
END_TEST

/* Plans of large shapes are consistent and made within 2 seconds: 120 random shapes of 9 to 64
 * vertices. */
START_TEST(plans_of_large_shapes)
{
  uint64_t state = 2;
  for (int i = 0; i < 120; i++) {
    uint32_t n = 9 + random_below(&state, 56);
    ms_shape shape =
        shapes_random(&state, n, i % 2, i % 12 ? 4u << i % 7 : 256, 1 + (uint32_t)i % 3);
    ms_plan_input input = plans_random_input(&state, n);
    input.order = plans_orders[(uint32_t)i / 2 % 4];
    clock_t begin = clock();
    ms_plan *plan = plans_new(&shape, &input);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 2, "%g s", seconds); /* some ms */
    check_plan(plan, &input);
    ms_plan_free(plan);
  }
}
END_TEST

/* ---- orders ---------------------------------------------------------------------------- */

static void check_vertices(const ms_plan *plan, const char *expected)
{
  char found[MS_MAX_PATTERN + 1] = "";
  for (uint32_t i = 0; i < plan->shape.n; i++)
    found[i] = (char)('a' + plan->level[i].vertex);
  ck_assert_str_eq(found, expected);
}

static void expect_order(const ms_shape *shape, ms_plan_input input, const char *expected)
{
  ms_plan *plan = plans_new(shape, &input);
  check_vertices(plan, expected);
  ms_plan_free(plan);
}

/* The orders ri and degree of a shape of nine vertices are those that their rules give by hand,
 * with equal and with unequal domains. */
START_TEST(orders_follow_their_rules)
{
  /* a path a b c d e, a triangle c f g at its middle, a leaf h on b, another i on h */
  ms_shape shape = shapes_path(5);
  shape = shapes_union(&shape, &(ms_shape){.n = 4});
  shapes_join(&shape, 2, 5);
  shapes_join(&shape, 2, 6);
  shapes_join(&shape, 5, 6);
  shapes_join(&shape, 1, 7);
  shapes_join(&shape, 7, 8);
  ms_plan_input input = plans_input(9, MS_ORDER_RI, false);
  expect_order(&shape, input, "cfgbdhaei");
  input.order = MS_ORDER_DEGREE;
  expect_order(&shape, input, "cbdfghaei");
  /* the smallest domain comes first, and decides ties */
  input.order = MS_ORDER_RI;
  input.domain[8] = 10;
  input.domain[4] = 500;
  expect_order(&shape, input, "ihbcfgdea");
  input.order = MS_ORDER_DEGREE;
  expect_order(&shape, input, "cbdfghiea");
}
END_TEST

/* The automatic order is reuse for small shapes and ri for large ones or where domains differ. */
START_TEST(auto_goes_by_domains_and_size)
{
  ms_shape small = shapes_cycle(8), large = shapes_cycle(9);
  ms_plan_input input = plans_input(9, MS_ORDER_AUTO, true);
  ms_plan *plan = plans_new(&small, &input), *other = plans_new(&large, &input);
  ck_assert_int_eq(plan->order, MS_ORDER_REUSE);
  ck_assert_int_eq(other->order, MS_ORDER_RI);
  ms_plan_free(plan);
  ms_plan_free(other);
  input.domain[3] = 499;
  plan = plans_new(&small, &input);
  ck_assert_int_eq(plan->order, MS_ORDER_RI);
  ck_assert_uint_eq(plan->level[0].vertex, 3);
  ms_plan_free(plan);
}
END_TEST

/* Of several components the one with the smallest domain comes first, then larger before
 * smaller. */
START_TEST(large_components_come_first)
{
  ms_shape edge = shapes_path(2), square = shapes_cycle(4);
  ms_shape shape = shapes_union(&edge, &edge), all = shapes_union(&shape, &square);
  ms_plan_input input = plans_input(8, MS_ORDER_RI, false);
  input.domain[3] = 7;
  expect_order(&all, input, "efghdcab");
}
END_TEST

/* Vertices that must come last do, and only symmetries that keep them count: a path and a cycle. */
START_TEST(last_vertices_come_last)
{
  ms_shape path = shapes_path(5), cycle = shapes_cycle(6);
  ms_plan_input input = plans_input(6, MS_ORDER_RI, true);
  input.last = ms_bitset_of(1);
  input.domain[4] = 900;
  expect_order(&path, input, "edcab"); /* a shares b with c */
  input.domain[4] = 1000;
  input.last = ms_bitset_of_word(1u << 1 | 1u << 3 | 1u << 5);
  ms_plan *plan = plans_new(&cycle, &input);
  ck_assert_uint_eq(plans_group_order(plan), 6); /* of 12 */
  check_plan(plan, &input);
  ms_plan_free(plan);
}
END_TEST

static bool is_next(const ms_order_state *walk, uint32_t v)
{
  ms_bitset next = ms_order_state_next(walk);
  return ms_bitset_has(&next, v);
}

/* The order reuse costs no more than any order that its rules allow: 150 random shapes of 2 to 6
 * vertices, all permutations. */
START_TEST(reuse_order_costs_least)
{
  uint64_t state = 4;
  for (int i = 0; i < 150; i++) {
    uint32_t n = 2 + random_below(&state, 5);
    ms_shape shape = shapes_random(&state, n, i % 2, 60 + random_below(&state, 196), 1 + i % 2);
    ms_plan_input input = plans_random_input(&state, n);
    ms_order_state found, walk;
    uint8_t perm[MS_MAX_PATTERN];
    double least = INFINITY;
    for (uint32_t v = 0; v < n; v++)
      perm[v] = (uint8_t)v;
    do {
      ms_order_state_init(&shape, &input, &walk);
      for (uint32_t k = 0; k < n && is_next(&walk, perm[k]); k++)
        ms_order_state_place(&walk, perm[k]);
      if (walk.placed == n)
        least = fmin(least, walk.cost[n]);
    } while (shapes_next_permutation(n, perm));
    ms_order_state_init(&shape, &input, &found);
    ms_error err;
    ck_ok(ms_order_reuse(&found, &err));
    ck_assert_uint_eq(found.placed, n);
    ck_assert_msg(fabs(found.cost[n] - least) <= 1e-9 * least, "%g, not %g", found.cost[n], least);
  }
}
END_TEST

/* ---- reuse ------------------------------------------------------------------------------- */

static uint32_t sets_of(const ms_plan_level *level, bool directed)
{
  return level->n_reuse + ms_bitset_count(level->rows_out) +
         (directed ? ms_bitset_count(level->rows_in) : 0);
}

/* Mark the cover of every map of level i's backward neighbours, found by trying all. */
static void mark_offers(const ms_plan *plan, uint32_t i, uint32_t j, bool *offered)
{
  const ms_shape *shape = &plan->shape;
  const ms_plan_level *level = plan->level;
  uint32_t need[MS_MAX_PATTERN], needs = 0, f[MS_MAX_PATTERN] = {0};
  for (uint32_t b = 0; b < i; b++)
    if (ms_bitset_has(&level[i].back_out, b))
      need[needs++] = b;
  if (needs < 2 || (shape->kind[level[i].vertex] != MS_KIND_ANY &&
                    shape->kind[level[i].vertex] != shape->kind[level[j].vertex]))
    return;
  for (uint32_t code = 0, codes = (uint32_t)pow(j, needs); code < codes; code++) {
    uint32_t rest = code, covers = 0;
    bool ok = true;
    for (uint32_t k = 0; k < needs; k++, rest /= j) {
      uint32_t kind = shape->kind[level[need[k]].vertex];
      f[k] = rest % j;
      covers |= 1u << f[k];
      ok = ok && ms_bitset_has(&level[j].back_out, f[k]) && (k == 0 || f[k] > f[k - 1]) &&
           (kind == MS_KIND_ANY || kind == shape->kind[level[f[k]].vertex]);
      for (uint32_t a = 0; a < k && ok; a++) {
        bool joined = ms_bitset_has(&level[need[k]].back_out, need[a]);
        bool joined_there = ms_bitset_has(&level[f[k]].back_out, f[a]);
        ok = shape->induced ? joined == joined_there : !joined || joined_there;
      }
    }
    offered[covers] = offered[covers] || ok;
  }
}

/* The fewest sets and rows that cover level j's rows, four sets at most. */
static uint32_t fewest_sets(const ms_plan *plan, uint32_t j)
{
  bool offered[1 << 7] = {false}, reached[1 << 7] = {true}, more[1 << 7];
  uint32_t rows = (uint32_t)ms_bitset_word(plan->level[j].back_out);
  uint32_t best = (uint32_t)__builtin_popcount(rows);
  for (uint32_t i = 0; i < j; i++)
    mark_offers(plan, i, j, offered);
  for (uint32_t sets = 1; sets <= 4; sets++) {
    memset(more, 0, sizeof more);
    for (uint32_t a = 0; a < COUNT(reached); a++)
      for (uint32_t b = 0; b < COUNT(offered) && reached[a]; b++)
        if (offered[b]) {
          uint32_t cost = sets + (uint32_t)__builtin_popcount(rows & ~(a | b));
          more[a | b] = true;
          best = cost < best ? cost : best;
        }
    memcpy(reached, more, sizeof more);
  }
  return best;
}

/* A level's rows are covered by the fewest sets that trial finds: 600 random shapes of 4 to 7
 * vertices. */
START_TEST(covers_are_smallest)
{
  uint64_t state = 6;
  uint32_t other_paths = 0, fewer = 0;
  for (int i = 0; i < 600; i++) {
    uint32_t n = 4 + random_below(&state, i < 500 ? 3 : 4);
    ms_shape shape = shapes_random(&state, n, false, 80 + random_below(&state, 177),
                                   1 + random_below(&state, 3) / 2);
    ms_plan_input input = plans_input(n, plans_orders[i % 4], true);
    shape.induced = i % 5 == 0;
    ms_plan *plan = plans_new(&shape, &input);
    for (uint32_t j = 0; j < n; j++) {
      ck_assert_uint_eq(sets_of(&plan->level[j], false), fewest_sets(plan, j));
      fewer += sets_of(&plan->level[j], false) < ms_bitset_count(plan->level[j].back_out);
      for (uint32_t k = 0; k < plan->level[j].n_reuse; k++)
        other_paths += !plan->level[j].reuse[k].same_path;
    }
    ms_plan_free(plan);
  }
  ck_assert_uint_gt(fewer, 200);
  ck_assert_uint_gt(other_paths, 20);
}
END_TEST

/* In a clique each level from the fourth on reuses the set before it and reads one row: sizes up to
 * 64. */
START_TEST(cliques_read_one_row_a_level)
{
  for (uint32_t n = 3; n <= 64; n = n < 9 ? n + 1 : n * 2) {
    ms_shape clique = shapes_clique(n);
    ms_plan_input input = plans_input(n, MS_ORDER_AUTO, true);
    ms_plan *plan = plans_new(&clique, &input);
    for (uint32_t j = 3; j < n; j++) {
      ck_assert_uint_eq(plan->level[j].n_reuse, 1);
      ck_assert(plan->level[j].reuse[0].same_path && plan->level[j].reuse[0].level == j - 1);
      ck_assert(ms_bitset_equal(plan->level[j].rows_out, ms_bitset_of(j - 1)));
      /* the others follow */
      ck_assert(ms_bitset_equal(plan->level[j].above, ms_bitset_of(j - 1)));
    }
    ms_plan_free(plan);
  }
}
END_TEST

/* With constraints the estimate of matches is the unconstrained one divided by the group order, and
 * the cost is not larger: 200 random shapes. */
START_TEST(estimates_end_at_one_of_each_class)
{
  uint64_t state = 8;
  for (int i = 0; i < 200; i++) {
    uint32_t n = 2 + random_below(&state, 6);
    ms_shape shape = shapes_random(&state, n, i % 2, random_below(&state, 257), 1);
    ms_plan_input input = plans_input(n, plans_orders[i % 4], true);
    ms_plan *plan = plans_new(&shape, &input);
    input.constrain = false;
    ms_plan *all = plans_new(&shape, &input);
    double expected = all->level[n - 1].matches / (double)plans_group_order(plan);
    ck_assert(fabs(plan->level[n - 1].matches - expected) <= 1e-9 * expected);
    ck_assert(plan->cost <= all->cost);
    ms_plan_free(plan);
    ms_plan_free(all);
  }
}
END_TEST

/* K5 without an edge has 12 automorphisms, one of which the tables of another system miss, and its
 * constraints keep one map in 12: four orders. */
START_TEST(k5_minus_an_edge)
{
  uint64_t state = 9;
  for (uint32_t o = 0; o < 4; o++) {
    ms_shape shape = shapes_clique(5);
    ms_bitset_remove(&shape.out[1], 3);
    ms_bitset_remove(&shape.in[1], 3);
    ms_bitset_remove(&shape.out[3], 1);
    ms_bitset_remove(&shape.in[3], 1);
    ms_plan_input input = plans_input(5, plans_orders[o], true);
    ms_plan *plan = plans_new(&shape, &input);
    ck_assert_uint_eq(plans_group_order(plan), 12);
    host h = random_host(&state, plan);
    for (uint32_t w = 0; w < HOST; w++)
      h.out[w] = ms_bitset_without(ms_bitset_below(HOST), w);
    list_maps(&h, 0, true);
    ck_assert_uint_eq(h.maps, 7 * 6 * 5 * 4 * 3);
    ck_assert_uint_eq(h.met, h.maps / 12);
    ms_plan_free(plan);
  }
}
END_TEST

TEST_MAIN("plans", TEST(plans_of_random_shapes), TEST(plans_of_large_shapes),
          TEST(orders_follow_their_rules), TEST(auto_goes_by_domains_and_size),
          TEST(large_components_come_first), TEST(last_vertices_come_last),
          TEST(reuse_order_costs_least), TEST(covers_are_smallest),
          TEST(cliques_read_one_row_a_level), TEST(estimates_end_at_one_of_each_class),
          TEST(k5_minus_an_edge))
