#include "plan/plan.h"

#include "base/alloc.h"
#include "base/status.h"
#include "plan/match_order.h"

#include <string.h>

/* ---- reuse ----------------------------------------------------------------------------------- */

/* Finds the candidate sets of earlier levels that can be reused. */
/* Reuse of candidate sets: constraint subsumption (RPS, TKDE'22, section 4).
 *
 * Level i < j offers its set for level j by a map f of i's backward neighbours
 * into j's.  f keeps the order of levels and the kinds, maps arcs to i onto
 * arcs to j, and keeps the arcs between the backward neighbours (induced: also
 * the pairs without an arc).  Otherwise no partial match at level i could have
 * stood where f says.  Sets of one row save nothing and are not offered.
 *
 * The rows of level j are then covered by offers and by rows themselves.  The
 * cover with the fewest sets wins; among these the one with the fewest sets of
 * another path, which have to be looked up; among these the one with the most
 * rows covered by offers.  For patterns of up to 8 vertices the search is
 * complete. */

enum {
  MOST_REUSE = sizeof((ms_plan_level *)0)->reuse / sizeof *((ms_plan_level *)0)->reuse,
  /* seven levels of at most 35 maps each are fewer */
  MOST_OFFERS = 256,
  /* steps of one level's search for maps, in patterns beyond 8 vertices; and of all levels
   * together, which bounds the time of a plan of hundreds of vertices */
  MOST_STEPS = 1024,
  MOST_STEPS_OF_ALL = 64 * MOST_STEPS
};

typedef struct cover {
  uint32_t count, cost; /* see cost_of */
  uint16_t offer[MOST_REUSE];
} cover;

/* A step of a list of maps, of which there are as many as levels that are needed: too many for the
 * stack of a recursion. */
typedef struct map_step {
  ms_plan_reuse offer;     /* where earlier steps have put levels */
  ms_bitset need, targets; /* levels that are not put yet; where the first of them may be tried */
} map_step;

typedef struct search {
  const ms_plan *plan;
  const ms_plan_level *to; /* j */
  uint32_t i;              /* the level whose maps are listed */
  uint32_t steps;          /* steps that are left */
  ms_plan_reuse offer[MOST_OFFERS];
  /* largest: the greatest number of rows that one of the offers covers */
  uint32_t offers, largest;
  cover best;
  map_step step[MS_MAX_PATTERN];
} search;

/* ---- offers ---------------------------------------------------------------- */

/* Returns the incoming rows of a level; undirected rows count once. */
static ms_bitset rows_in(const search *s, const ms_plan_level *level)
{
  return s->plan->shape.directed ? level->back_in : (ms_bitset){{0}};
}

static uint32_t row_count(const search *s, const ms_plan_level *level)
{
  return ms_bitset_count(level->back_out) + ms_bitset_count(rows_in(s, level));
}

static uint32_t covered(const ms_plan_reuse *r)
{
  return ms_bitset_count(r->covers_out) + ms_bitset_count(r->covers_in);
}

/* Adds an offer.  The first offer for the same rows stays: offers of the same path are
 * listed before others. */
static void add_offer(search *s, const ms_plan_reuse *offer)
{
  for (uint32_t k = 0; k < s->offers; k++)
    if (ms_bitset_equal(s->offer[k].covers_out, offer->covers_out) &&
        ms_bitset_equal(s->offer[k].covers_in, offer->covers_in))
      return;
  if (s->offers < MOST_OFFERS) {
    uint32_t rows = covered(offer);
    s->offer[s->offers++] = *offer;
    s->largest = rows > s->largest ? rows : s->largest;
  }
}

/* True if b may be put at level t, when the needed levels before it are where
 * `from` says. */
static bool may_put(const search *s, const ms_plan_reuse *from, uint32_t b, uint32_t t)
{
  const ms_plan_level *level = s->plan->level, *there = &level[s->i];
  const ms_shape *shape = &s->plan->shape;
  if (!ms_kind_suits(shape, level[b].vertex, level[t].vertex) ||
      (ms_bitset_has(&there->back_out, b) && !ms_bitset_has(&s->to->back_out, t)) ||
      (ms_bitset_has(&there->back_in, b) && !ms_bitset_has(&s->to->back_in, t)))
    return false;
  MS_EACH_MEMBER (a, from->needed) {
    uint32_t f = from->from[a];
    bool out = ms_bitset_has(&level[b].back_out, a), in = ms_bitset_has(&level[b].back_in, a);
    bool out_there = ms_bitset_has(&level[t].back_out, f);
    bool in_there = ms_bitset_has(&level[t].back_in, f);
    if ((out && !out_there) || (in && !in_there) ||
        (shape->induced && (out != out_there || in != in_there)))
      return false;
  }
  return true;
}

/* Puts b where t is: covers grow by the rows of t that level i needs of b. */
static void put_at(const search *s, ms_plan_reuse *offer, uint32_t b, uint32_t t)
{
  const ms_plan_level *there = &s->plan->level[s->i];
  bool in = s->plan->shape.directed && ms_bitset_has(&there->back_in, b);
  offer->from[b] = (uint8_t)t;
  ms_bitset_add(&offer->needed, b);
  offer->same_path = offer->same_path && b == t;
  if (ms_bitset_has(&there->back_out, b))
    ms_bitset_add(&offer->covers_out, t);
  if (in)
    ms_bitset_add(&offer->covers_in, t);
}

/* Lists every map of the levels `need`. */
static void list_maps(search *s, const ms_plan_reuse *none, ms_bitset need)
{
  map_step *m = s->step;
  *m = (map_step){*none, need, ms_bitset_or(s->to->back_out, s->to->back_in)};
  for (;;) {
    uint32_t left = ms_bitset_count(m->need);
    if (left == 0)
      add_offer(s, &m->offer);
    if (left == 0 || ms_bitset_count(m->targets) < left || !s->steps) {
      if (m == s->step)
        return;
      m--;
      continue;
    }
    uint32_t b = ms_bitset_first(m->need), t = ms_bitset_first(m->targets);
    ms_bitset_remove(&m->targets, t);
    s->steps--;
    if (may_put(s, &m->offer, b, t)) {
      m[1] = (map_step){m->offer, ms_bitset_without(m->need, b), m->targets};
      m++;
      put_at(s, &m->offer, b, t);
    }
  }
}

/* Offers the set of level i as it is, if level j needs all of its rows. */
static void offer_same_path(search *s, const ms_plan_reuse *none, ms_bitset need)
{
  const ms_plan_level *from = &s->plan->level[s->i];
  ms_plan_reuse offer = *none;
  if (!ms_bitset_within(from->back_out, s->to->back_out) ||
      !ms_bitset_within(from->back_in, s->to->back_in))
    return;
  MS_EACH_MEMBER (b, need)
    offer.from[b] = (uint8_t)b;
  offer.needed = need;
  offer.covers_out = from->back_out;
  offer.covers_in = rows_in(s, from);
  add_offer(s, &offer);
}

static void find_offers(search *s, uint32_t j)
{
  const ms_plan_level *level = s->plan->level;
  uint32_t n = s->plan->shape.n;
  s->steps = n <= MS_ORDER_EXHAUSTIVE             ? UINT32_MAX
             : n < MOST_STEPS_OF_ALL / MOST_STEPS ? MOST_STEPS
                                                  : MOST_STEPS_OF_ALL / n;
  for (int other_paths = 0; other_paths < 2; other_paths++) {
    for (s->i = j; s->i-- > 0;) {
      const ms_plan_level *from = &level[s->i];
      ms_plan_reuse none = {.level = (uint8_t)s->i, .same_path = true};
      ms_bitset need = ms_bitset_or(from->back_out, from->back_in);
      if (row_count(s, from) < 2 || !ms_kind_suits(&s->plan->shape, from->vertex, level[j].vertex))
        continue;
      if (other_paths)
        list_maps(s, &none, need);
      else
        offer_same_path(s, &none, need);
    }
  }
}

/* ---- covers ----------------------------------------------------------------- */

/* Returns the cost of a cover: sets first, then sets of other paths, then rows
 * that no offer covers. */
static uint32_t cost_of(uint32_t sets, uint32_t other_paths, uint32_t rows)
{
  return (sets << 16) + (other_paths << 8) + rows;
}

/* Covers the remaining rows, lowest first.  Recursion is at most 14 deep: patterns of 8
 * vertices. */
static void find_cover(search *s, const cover *so_far, ms_bitset out, ms_bitset in)
{
  uint32_t left = ms_bitset_count(out) + ms_bitset_count(in);
  uint32_t sets = (left + s->largest - 1) / s->largest; /* lower bound on the further sets */
  if (so_far->cost + cost_of(sets, 0, 0) >= s->best.cost)
    return;
  if (!left) {
    s->best = *so_far;
    return;
  }
  bool is_out = !ms_bitset_is_empty(out);
  uint32_t row = ms_bitset_first(is_out ? out : in);
  for (uint32_t k = 0; k < s->offers && so_far->count < MOST_REUSE; k++) {
    const ms_plan_reuse *o = &s->offer[k];
    if (!ms_bitset_has(is_out ? &o->covers_out : &o->covers_in, row))
      continue;
    cover next = *so_far;
    next.offer[next.count++] = (uint16_t)k;
    next.cost += cost_of(1, !o->same_path, 0);
    find_cover(s, &next, ms_bitset_minus(out, o->covers_out), ms_bitset_minus(in, o->covers_in));
  }
  cover next = *so_far;
  next.cost += cost_of(1, 0, 1);
  ms_bitset_remove(is_out ? &out : &in, row);
  find_cover(s, &next, out, in);
}

/* Takes offers greedily, each with the most uncovered rows, at least two. */
static void find_cover_greedily(search *s, ms_bitset out, ms_bitset in)
{
  s->best.count = 0;
  while (s->best.count < MOST_REUSE) {
    uint32_t best = 0, most = 3; /* twice the rows, and one for the same path */
    for (uint32_t k = 0; k < s->offers; k++) {
      const ms_plan_reuse *o = &s->offer[k];
      uint32_t gain = 2 * (ms_bitset_count(ms_bitset_and(o->covers_out, out)) +
                           ms_bitset_count(ms_bitset_and(o->covers_in, in)));
      if (gain + o->same_path > most) {
        most = gain + o->same_path;
        best = k;
      }
    }
    if (most == 3)
      return;
    s->best.offer[s->best.count++] = (uint16_t)best;
    out = ms_bitset_minus(out, s->offer[best].covers_out);
    in = ms_bitset_minus(in, s->offer[best].covers_in);
  }
}

/* Stores the cover, the largest sets first. */
static void store_cover(const search *s, ms_plan_level *to)
{
  ms_bitset out = to->back_out, in = rows_in(s, to);
  to->n_reuse = 0;
  for (uint32_t k = 0; k < s->best.count; k++) {
    const ms_plan_reuse *o = &s->offer[s->best.offer[k]];
    uint32_t at = to->n_reuse++;
    for (; at > 0 && covered(&to->reuse[at - 1]) < covered(o); at--)
      to->reuse[at] = to->reuse[at - 1];
    to->reuse[at] = *o;
    out = ms_bitset_minus(out, o->covers_out);
    in = ms_bitset_minus(in, o->covers_in);
  }
  to->rows_out = out;
  to->rows_in = s->plan->shape.directed ? in : out;
  for (uint32_t k = 0; k < to->n_reuse && !s->plan->shape.directed; k++)
    to->reuse[k].covers_in = to->reuse[k].covers_out;
}

/* Fills reuse[], n_reuse, rows_out and rows_in of each level from back_out, back_in, not_out and
 * not_in of all. */
static ms_status plan_find_reuse(ms_plan *plan, ms_error *err)
{
  if (plan->shape.label) {
    /* the rows of two relations differ, so that no level is offered another one's candidates */
    for (uint32_t j = 0; j < plan->shape.n; j++) {
      plan->level[j].rows_out = plan->level[j].back_out;
      plan->level[j].rows_in = plan->level[j].back_in;
    }
    return MS_OK;
  }
  search *s = ms_alloc(1, sizeof *s); /* the offers are not cleared: most plans make few */
  if (!s)
    return ms_fail_memory(err, "the plan");
  s->plan = plan;
  for (uint32_t j = 0; j < plan->shape.n; j++) {
    ms_plan_level *to = &plan->level[j];
    s->to = to;
    s->offers = s->largest = 0;
    s->best.count = 0;
    if (row_count(s, to) > 1)
      find_offers(s, j);
    if (s->offers && plan->shape.n <= MS_ORDER_EXHAUSTIVE) {
      cover none = {0};
      s->best.cost = UINT32_MAX;
      find_cover(s, &none, to->back_out, rows_in(s, to));
    } else {
      find_cover_greedily(s, to->back_out, rows_in(s, to));
    }
    store_cover(s, to);
  }
  ms_free(s);
  return MS_OK;
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* Chooses RI if some domain is selective, because RI starts there.  Otherwise estimates
 * decide, if all orders can be compared. */
static ms_order choose_order(const ms_shape *shape, const ms_plan_input *input)
{
  if (input->order != MS_ORDER_AUTO)
    return input->order;
  if (input->row)
    return MS_ORDER_REUSE;
  for (uint32_t v = 0; v < shape->n; v++)
    if (input->domain[v] < input->vertices / 2)
      return MS_ORDER_RI;
  return shape->n <= MS_ORDER_EXHAUSTIVE ? MS_ORDER_REUSE : MS_ORDER_RI;
}

static ms_status find_order(ms_order order, ms_order_state *walk, ms_error *err)
{
  if (order == MS_ORDER_RI)
    ms_order_ri(walk);
  else if (order == MS_ORDER_DEGREE)
    ms_order_degree(walk);
  else if (walk->input->row)
    ms_order_candidates(walk);
  else
    return ms_order_reuse(walk, err);
  return MS_OK;
}

/* Returns the levels of a set of vertices. */
static ms_bitset levels_of(const uint8_t *level, ms_bitset vertices)
{
  ms_bitset levels = {{0}};
  MS_EACH_MEMBER (v, vertices)
    ms_bitset_add(&levels, level[v]);
  return levels;
}

static void fill_levels(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  const ms_shape *shape = &plan->shape;
  for (uint32_t i = 0; i < shape->n; i++) {
    ms_plan_level *level = &plan->level[i];
    ms_bitset earlier = ms_bitset_below(i);
    level->vertex = walk->order[i];
    level->back_out = ms_bitset_and(levels_of(level_of, shape->in[level->vertex]), earlier);
    level->back_in = ms_bitset_and(levels_of(level_of, shape->out[level->vertex]), earlier);
    if (shape->induced) {
      level->not_out = ms_bitset_minus(earlier, level->back_out);
      level->not_in = ms_bitset_minus(earlier, level->back_in);
    }
    level->candidates = walk->candidates[i];
    level->matches = walk->matches[i + 1];
  }
}

/* Fills the constraints "row[base[i]] < row[x]" for all points x of orbit i. A
 * constraint that follows from two others is left out. */
static void fill_constraints(ms_plan *plan, const ms_plan_input *input, const uint8_t *level_of)
{
  /* [n] `above` of each level with all levels that follow from it */
  ms_bitset all[MS_MAX_PATTERN];
  memset(all, 0, plan->shape.n * sizeof *all);
  for (uint32_t i = 0; i < (input->constrained ? input->constrained : plan->shape.n); i++) {
    ms_bitset others = ms_bitset_without(levels_of(level_of, plan->group->orbit[i]), i);
    MS_EACH_MEMBER (j, others)
      ms_bitset_add(&all[j], i);
  }
  for (uint32_t j = 0; j < plan->shape.n; j++) {
    ms_bitset implied = {{0}};
    MS_EACH_MEMBER (i, all[j])
      implied = ms_bitset_or(implied, all[i]);
    all[j] = ms_bitset_or(all[j], implied);
    *(input->largest_first ? &plan->level[j].below : &plan->level[j].above) =
        ms_bitset_minus(all[j], implied);
  }
}

/* Estimates with constraints: the share of the maps of the first i levels in
 * which each base[a] has the smallest vertex among the points of its orbit that
 * are already matched. In the end it is 1 / |Aut|. */
static void estimate(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  double before = 1;
  ms_bitset orbit[MS_MAX_PATTERN]; /* [n] levels of each orbit */
  for (uint32_t a = 0; a < plan->shape.n; a++)
    orbit[a] = levels_of(level_of, plan->group->orbit[a]);
  plan->cost = 0;
  for (uint32_t i = 0; i < plan->shape.n; i++) {
    double share = 1;
    for (uint32_t a = 0; a <= i && plan->constrained; a++)
      share /= ms_bitset_count(ms_bitset_and(orbit[a], ms_bitset_below(i + 1)));
    plan->cost += before * (1 + walk->work[i]);
    before = plan->level[i].matches = walk->matches[i + 1] * share;
  }
}

ms_plan *ms_plan_alloc(const ms_shape *shape)
{
  ms_plan *plan = ms_calloc(1, sizeof *plan + shape->n * sizeof *plan->level);
  if (plan)
    plan->shape = *shape;
  return plan;
}

/* Fills a new plan; *walk is room for the order. */
static ms_status make_plan(const ms_plan_input *input, ms_plan *plan, ms_order_state *walk,
                           ms_error *err)
{
  uint8_t level_of[MS_MAX_PATTERN];
  uint32_t n = plan->shape.n;
  ms_order_state_init(&plan->shape, input, walk);
  if (input->fixed)
    for (uint32_t i = 0; i < n; i++)
      ms_order_state_place(walk, input->fixed[i]);
  else
    MS_TRY(find_order(plan->order, walk, err));
  for (uint32_t i = 0; i < n; i++)
    level_of[walk->order[i]] = (uint8_t)i;
  MS_TRY(ms_group_new(&plan->shape, walk->order, ms_bitset_minus(ms_bitset_all(), input->last),
                      &plan->group, err));
  fill_levels(plan, walk, level_of);
  if (plan->constrained)
    fill_constraints(plan, input, level_of);
  estimate(plan, walk, level_of);
  return plan_find_reuse(plan, err);
}

ms_status ms_plan_new(const ms_shape *shape, const ms_plan_input *input, ms_plan **out,
                      ms_error *err)
{
  *out = NULL;
  ms_plan *plan = ms_plan_alloc(shape);
  ms_order_state *walk = ms_alloc(1, sizeof *walk); /* it is large for a stack */
  ms_status status = plan && walk ? MS_OK : ms_fail_memory(err, "the plan");
  if (status == MS_OK) {
    plan->order = choose_order(shape, input);
    plan->constrained = input->constrain;
    status = make_plan(input, plan, walk, err);
  }
  ms_free(walk);
  if (status == MS_OK)
    *out = plan;
  else
    ms_plan_free(plan);
  return status;
}

void ms_plan_free(ms_plan *plan)
{
  if (plan) {
    ms_group_free(plan->group);
    ms_free(plan);
  }
}
