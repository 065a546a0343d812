/* Decides which vertices are visited, in which order, and which are only counted.
 *
 * For shapes of up to 6 vertices it compares every independent set as the tail, and
 * every order of the rest, by estimated cost.  For larger shapes, and for orders that
 * the user asked for, it takes the longest tail that the order has.  The estimates
 * assume that an edge's end has D = (sum of squared degrees) / arcs neighbours, and that
 * a neighbour of one end of an edge is adjacent to the other with the sampled
 * probability `closure`. */
#include "match/count.h"

#include "base/status.h"
#include "match/probe.h"

#include <math.h>
#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
#define MAX_SMALL 6u
#define MAX_PRODUCT                                                                                \
  3u /* tail vertices; every partition except one is a quotient that has to be counted */
/* The greatest number of tail vertices with different candidates that are
 * counted by partitions. */
#define MAX_MIXED 4u
#define COST_LOOKUP 3.0 /* cost in steps of reading the table */
#define POPULATION 64u
#define GPU_POPULATION 16u /* on a GPU, a larger probe would take longer than the whole search */

/* A search of at most this many steps is not probed: a probe would take as long. */
#define SHORT_SEARCH 1e4
/* A search that is expected to take longer than this many steps is probed: the
 * best way with each tail, if its estimate is within this factor of the
 * best. */
double ms_count_probe_from = 3e6, ms_count_probe_within = 50;

typedef struct estimator {
  const ms_count_query *query;
  const ms_shape *shape;
  bool tables, touched; /* the engine uses tables; levels that only a table leads to are allowed */
  double vertices, ends, two_hops, closure[2]; /* ends: D */
  double domain[MS_MAX_PATTERN];
} estimator;

typedef struct choice {
  uint8_t order[MAX_SMALL];      /* the prefix, then the tail */
  uint64_t tail;                 /* bit i: vertex i */
  bool product, plain, priority; /* plain: without a table */
  double cost, quotients;        /* cost of everything; cost of the quotients of a product alone */
} choice;

static ms_table_use table_use(const ms_count_query *query)
{
  return query->engine ? query->engine->tables : MS_TABLE_READ;
}

static void estimator_init(estimator *e, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain)
{
  const ms_pattern_index *index = query->index;
  ms_table_use use = table_use(query);
  *e = (estimator){.query = query,
                   .shape = shape,
                   .tables = use != MS_TABLE_NONE,
                   .touched = use == MS_TABLE_READ};
  e->vertices = index->n > 0 ? index->n : 1;
  e->ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 1;
  e->two_hops = index->square_degrees / e->vertices;
  e->two_hops = e->two_hops < e->vertices ? e->two_hops : e->vertices;
  for (int i = 0; i < 2; i++)
    e->closure[i] = index->closure[i] > 0.001 ? index->closure[i] : 0.001;
  for (uint32_t i = 0; i < shape->n; i++)
    e->domain[i] = domain ? domain[i].count : e->vertices;
}

/* ---- the cost of one way to count ------------------------------------------------------- */

/* The sets that are computed, each by the levels whose rows it is the intersection of. */
typedef struct masks {
  uint64_t mask[128];
  uint32_t count;
} masks;

static void add_chain(masks *m, uint64_t back)
{
  uint64_t prefix = back & -back;
  for (uint64_t left = back & (back - 1); left; left &= left - 1) {
    prefix |= left & -left;
    uint32_t i = 0;
    while (i < m->count && m->mask[i] != prefix)
      i++;
    if (i == m->count && m->count < sizeof m->mask / sizeof *m->mask)
      m->mask[m->count++] = prefix;
  }
}

/* Returns the neighbours of a vertex of a small shape. */
static uint64_t near_of(const ms_shape *s, uint32_t vertex)
{
  return ms_bitset_word(ms_shape_near(s, vertex));
}

/* Returns the levels before `level` to which this vertex is adjacent. */
static uint64_t back_of(const ms_shape *s, const uint8_t *order, uint32_t level, uint32_t vertex)
{
  uint64_t back = 0, near = near_of(s, vertex);
  for (uint32_t j = 0; j < level; j++)
    back |= (near >> order[j] & 1) << j;
  return back;
}

static double power(double x, uint32_t n)
{
  double product = 1;
  for (; n > 0; n--)
    product *= x;
  return product;
}

/* Returns the estimated number of candidates in the intersection of the
 * neighbours' rows. */
static double set_size(const estimator *e, uint64_t back)
{
  uint32_t b = (uint32_t)__builtin_popcountll(back);
  double size = b == 0 ? e->vertices : e->ends;
  return b < 2 ? size : size * e->closure[0] * power(e->closure[1], b - 2);
}

static double sets_at(const estimator *e, const masks *m, uint32_t level)
{
  double cost = 0;
  for (uint32_t i = 0; i < m->count; i++)
    if (m->mask[i] >> level == 1) {
      double from = set_size(e, m->mask[i] & ~BIT(level));
      cost += MS_COST_SET + MS_COST_ELEMENT * (from + (e->ends < 32 * from ? e->ends : 32 * from));
    }
  return cost;
}

static double factorial(uint32_t n)
{
  return n < 2 ? 1 : n * factorial(n - 1);
}

/* Returns the steps to visit the prefix and evaluate the tail. Constraints
 * leave one of `symmetry` matches in the end, and at least one of i! partial
 * matches of the first i vertices. */
static double cost_of(const estimator *e, const choice *c, uint32_t prefix, double symmetry)
{
  const ms_shape *s = e->shape;
  masks sets = {.count = 0};
  double cost = 0, matches = 1, kept = 1, at_end = 0;
  uint64_t lookups = 0, tails[MAX_SMALL];
  uint32_t n_tails = 0;
  for (uint64_t left = c->tail; left; left &= left - 1) {
    uint64_t back = back_of(s, c->order, prefix, (uint32_t)__builtin_ctzll(left));
    bool table =
        e->tables && (back & 1) && __builtin_popcountll(back) == 2 && (c->tail & (c->tail - 1));
    lookups |= table ? back & ~UINT64_C(1) : 0;
    at_end += table ? COST_LOOKUP : 1;
    if (!table)
      add_chain(&sets, back);
    for (uint32_t i = 0; !c->product && i < n_tails; i++)
      if (tails[i] != back)
        at_end += MS_COST_SET + MS_COST_ELEMENT * (set_size(e, back) + set_size(e, tails[i]));
    tails[n_tails++] = back;
  }
  for (uint32_t i = 1; i < prefix; i++)
    add_chain(&sets, back_of(s, c->order, i, c->order[i]));
  for (uint32_t i = 0; i < prefix; i++) {
    uint64_t back = back_of(s, c->order, i, c->order[i]);
    double share = e->domain[c->order[i]] / e->vertices, from = set_size(e, back);
    if (back == 0 && i > 0 && (lookups >> i & 1))
      from = e->two_hops;
    matches *= from * share;
    kept = matches / (symmetry < factorial(i + 1) ? symmetry : factorial(i + 1));
    cost += kept * (MS_COST_VISIT + sets_at(e, &sets, i));
  }
  if (lookups)
    cost += e->domain[c->order[0]] / e->vertices * e->query->index->square_degrees;
  return cost + kept * at_end;
}

/* ---- all ways to count a small shape --------------------------------------------------- */

typedef struct search {
  estimator e;
  /* [tail] number of automorphisms that its constraints break; 0: it is the
   * image of another tail */
  double symmetry[1u << MAX_SMALL];
  choice now, best;
  /* [product][tail] the best choice of each; cost 0: none */
  choice of_tail[2][1u << MAX_SMALL];
} search;

static bool is_independent(const ms_shape *s, uint64_t vertices)
{
  for (uint64_t left = vertices; left; left &= left - 1)
    if (near_of(s, (uint32_t)__builtin_ctzll(left)) & vertices)
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
static uint32_t mark_images(search *s, const ms_group *group, uint64_t vertices)
{
  uint64_t queue[1u << MAX_SMALL];
  bool seen[1u << MAX_SMALL] = {false};
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

/* Finds, for each tail, the number of automorphisms that keep the tail and move
 * the prefix. */
static void find_symmetries(search *s, const ms_group *group)
{
  const ms_shape *shape = s->e.shape;
  double order = 1;
  for (uint32_t i = 0; i < group->n; i++)
    order *= ms_bitset_count(group->orbit[i]);
  for (uint64_t t = 1; t < BIT(shape->n); t++)
    s->symmetry[t] = 1;
  for (uint64_t t = 1; t < BIT(shape->n); t++) {
    if (s->symmetry[t] == 0)
      continue;
    uint32_t images = mark_images(s, group, t);
    s->symmetry[t] = (t & (t - 1)) ? order / images : order; /* a single one keeps its bounds */
    /* twins in the tail are exchanged without moving the prefix */
    for (uint32_t i = 0; i < shape->n; i++) {
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
        s->symmetry[t] /= factorial(twins);
    }
  }
}

static bool has_mixed_candidates(const estimator *e, const choice *c, uint32_t prefix)
{
  uint64_t first = 0;
  for (uint64_t left = c->tail; left; left &= left - 1) {
    uint64_t back = back_of(e->shape, c->order, prefix, (uint32_t)__builtin_ctzll(left));
    if (first && back != first)
      return true;
    first = back;
  }
  return false;
}

static double best_cost(const ms_count_query *query, const ms_shape *shape);

/* Returns the cost of counting every quotient of the tail separately. */
static double cost_of_quotients(const search *s, const choice *c)
{
  const ms_shape *shape = s->e.shape;
  double cost = 0;
  /* pairs are estimated; a coarser quotient is smaller still */
  for (uint64_t i = c->tail; i; i &= i - 1)
    for (uint64_t j = i & (i - 1); j; j &= j - 1) {
      uint8_t block[MAX_SMALL] = {0};
      ms_shape quotient;
      uint32_t a = (uint32_t)__builtin_ctzll(i), b = (uint32_t)__builtin_ctzll(j), blocks = 0;
      for (uint32_t v = 0; v < shape->n; v++)
        block[v] = v == b ? block[a] : (uint8_t)blocks++;
      ms_shape_quotient(shape, block, blocks, &quotient);
      memset(quotient.kind, 0, sizeof quotient.kind);
      cost += best_cost(s->e.query, &quotient);
    }
  return cost;
}

static void consider_choice(search *s, uint32_t prefix)
{
  choice *c = &s->now;
  uint32_t tail = (uint32_t)__builtin_popcountll(c->tail);
  bool is_mixed = has_mixed_candidates(&s->e, c, prefix);
  for (int product = 0; product <= (is_mixed && tail <= MAX_PRODUCT); product++) {
    c->product = product;
    if (is_mixed && !product && tail > MAX_MIXED)
      continue;
    c->cost = cost_of(&s->e, c, prefix, s->symmetry[c->tail]);
    if (product && c->cost < ms_count_probe_within * s->best.cost)
      c->cost += c->quotients = cost_of_quotients(s, c);
    choice *kept = &s->of_tail[product][c->tail];
    if (kept->cost == 0 || c->cost < kept->cost)
      *kept = *c;
    if (c->cost < s->best.cost)
      s->best = *c;
  }
}

/* True if this vertex may be matched next: it is adjacent to a matched one, or a table leads
 * to it, which needs an engine with tables and a tail vertex whose only neighbours are it
 * and the root. */
static bool may_come_next(const search *s, uint32_t level, uint32_t v)
{
  const ms_shape *shape = s->e.shape;
  if (level == 0 || back_of(shape, s->now.order, level, v))
    return true;
  for (uint64_t left = s->e.touched ? s->now.tail : 0; left; left &= left - 1)
    if (near_of(shape, (uint32_t)__builtin_ctzll(left)) == (BIT(v) | BIT(s->now.order[0])))
      return true;
  return false;
}

static void try_orders(search *s, uint32_t level, uint32_t prefix, uint64_t left)
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
      try_orders(s, level + 1, prefix, left & ~(v & -v));
    }
}

static ms_status search_all(search *s, ms_error *err)
{
  const ms_shape *shape = s->e.shape;
  ms_group *group;
  MS_TRY(ms_group_new(shape, NULL, ms_bitset_all(), &group, err));
  find_symmetries(s, group);
  ms_group_free(group);
  s->best.cost = INFINITY;
  for (uint64_t t = 1; t + 1 < BIT(shape->n); t++)
    if (s->symmetry[t] > 0 && is_independent(shape, t)) {
      s->now.tail = t;
      try_orders(s, 0, shape->n - (uint32_t)__builtin_popcountll(t), (BIT(shape->n) - 1) & ~t);
    }
  return MS_OK;
}

static double best_cost(const ms_count_query *query, const ms_shape *shape)
{
  search s;
  memset(&s, 0, sizeof s);
  if (shape->n < 2)
    return 0;
  estimator_init(&s.e, query, shape, NULL);
  return search_all(&s, NULL) == MS_OK ? s.best.cost : INFINITY;
}

/* ---- the longest tail of an order ---------------------------------------------------- */

static bool connected_order(const ms_plan *plan)
{
  for (uint32_t i = 1; i < plan->shape.n; i++)
    if (ms_bitset_is_empty(plan->level[i].back_out) && ms_bitset_is_empty(plan->level[i].back_in))
      return false;
  return true;
}

/* True if v and w, which have the same neighbours, have the same relations with them. */
static bool same_relations(const ms_shape *s, uint32_t v, uint32_t w)
{
  ms_bitset near = ms_shape_near(s, v);
  MS_EACH_MEMBER (u, near)
    if (s->label && s->label[v][u] != s->label[w][u])
      return false;
  return true;
}

/* Returns the longest tail. Any number of tail vertices may share their
 * candidates; of others, at most MAX_MIXED. */
static ms_bitset longest_tail(const ms_plan *plan)
{
  const ms_shape *s = &plan->shape;
  uint32_t last = plan->level[s->n - 1].vertex, count = 0;
  ms_bitset tail = {{0}};
  bool single = s->induced || !connected_order(plan), is_mixed = false;
  for (uint32_t i = s->n; i-- > 1;) {
    const ms_plan_level *level = &plan->level[i];
    uint32_t v = level->vertex;
    is_mixed = is_mixed || !ms_bitset_equal(s->in[v], s->in[last]) ||
               !ms_bitset_equal(s->out[v], s->out[last]) || s->kind[v] != s->kind[last] ||
               !same_relations(s, v, last);
    if (ms_bitset_meets(ms_shape_near(s, v), tail) || (single && count == 1) ||
        (is_mixed && count + 1 > MAX_MIXED) ||
        (s->induced && ms_bitset_is_empty(level->back_out) && ms_bitset_is_empty(level->back_in)))
      break;
    count++;
    ms_bitset_add(&tail, v);
  }
  return tail;
}

/* ---- the plan -------------------------------------------------------------------------- */

static void plan_input(const estimator *e, ms_order order, ms_plan_input *input)
{
  *input = (ms_plan_input){.vertices = e->vertices,
                           .arcs = (double)e->query->index->arcs,
                           .square_degrees = e->query->index->square_degrees,
                           .order = order,
                           .row = e->query->row,
                           .constrain = true};
  memcpy(input->domain, e->domain, sizeof input->domain);
}

/* Sets the vertices that come last, and the levels with constraints.  A tail of one vertex keeps
 * the constraints of the whole group, and with priority those of the root. */
static void set_last(const ms_shape *shape, ms_count_plan *plan, ms_plan_input *input)
{
  uint32_t tail = ms_bitset_count(plan->options.tail);
  plan->options.bounded = tail == 1 && !plan->options.priority;
  input->last =
      plan->options.bounded || plan->options.priority ? (ms_bitset){{0}} : plan->options.tail;
  input->largest_first = plan->options.priority;
  input->constrained = plan->options.priority ? shape->n - tail : 0;
}

static ms_status make_plan(const choice *c, const ms_shape *shape, ms_plan_input *input,
                           ms_count_plan *out, ms_error *err)
{
  out->options.tail = ms_bitset_of_word(c->tail);
  out->options.product = c->product;
  out->options.table = out->options.table && !c->plain;
  out->cost = c->cost;
  input->fixed = c->order;
  out->quotients = c->quotients;
  out->options.priority = c->priority;
  set_last(shape, out, input);
  return ms_plan_new(shape, input, &out->plan, err);
}

/* Sets the plan's cost: by a bound if that is small, else by a probe. */
static ms_status probe_plan(const ms_count_query *query, const ms_domain *domain,
                            ms_count_plan *plan, ms_error *err)
{
  ms_probe probed;
  MS_TRY(ms_count_plan_compile(query, domain, plan, err));
  plan->cost = plan->quotients + ms_probe_bound(plan->program);
  if (ms_probe_bound(plan->program) <= SHORT_SEARCH)
    return MS_OK;
  MS_TRY(ms_probe_closely(plan->program, NULL, query->effort, 1, &probed, err));
  plan->cost = plan->quotients + probed.steps;
  return MS_OK;
}

/* Sets c->cost by a probe, and *table to whether the program has a
 * table. */
static ms_status probe_one(choice *c, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, ms_plan_input input, bool *table, ms_error *err)
{
  ms_count_plan plan = {.options = {.table = table_use(query) != MS_TABLE_NONE}};
  ms_program *program = NULL;
  ms_probe probed = {0};
  bool on_gpu = query->engine && query->engine->weigh;
  ms_status status = make_plan(c, shape, &input, &plan, err);
  if (status == MS_OK)
    status = ms_program_new(query->index, plan.plan, domain, &plan.options, &program, err);
  if (status == MS_ERR_LIMIT) { /* there is no such program */
    c->cost = INFINITY;
    ms_plan_free(plan.plan);
    return MS_OK;
  }
  if (status == MS_OK)
    status = ms_probe_search(program, NULL, on_gpu ? GPU_POPULATION : POPULATION, 1, &probed, err);
  c->cost = probed.steps + c->quotients;
  if (status == MS_OK) {
    c->cost =
        query->engine && query->engine->weigh ? query->engine->weigh(program, c->cost) : c->cost;
    *table = program->table;
  }
  ms_program_free(program);
  ms_plan_free(plan.plan);
  return status;
}

/* Probes the same way with the root as the largest vertex or, for engines that may be faster
 * so, without the table. */
static ms_status probe_variants(choice *c, const ms_count_query *query, const ms_shape *shape,
                                const ms_domain *domain, const ms_plan_input *input, ms_error *err)
{
  bool table = false;
  ms_status status = probe_one(c, query, shape, domain, *input, &table, err);
  choice other[2] = {*c, *c};
  other[0].priority = true;
  other[1].plain = true;
  uint32_t others = query->engine && query->engine->weigh ? 2 : 1;
  for (uint32_t i = 0; i < others && status == MS_OK && table; i++) {
    bool ignored;
    status = probe_one(&other[i], query, shape, domain, *input, &ignored, err);
    if (other[i].cost < c->cost)
      *c = other[i];
  }
  return status;
}

/* Returns the number of ways, the best one of each tail, that a probe should
 * compare. */
static uint32_t count_probes(const search *s)
{
  uint32_t count = 0;
  for (int product = 0; product < 2; product++)
    for (uint64_t t = 1; t < BIT(s->e.shape->n); t++) {
      double cost = s->of_tail[product][t].cost;
      count += cost > 0 && cost <= ms_count_probe_within * s->best.cost;
    }
  return count;
}

/* Chooses, among the best ways of each tail, the one that a probe finds shortest. */
static ms_status probe_all(search *s, const ms_count_query *query, const ms_domain *domain,
                           const ms_plan_input *input, ms_error *err)
{
  const ms_shape *shape = s->e.shape;
  double least = s->best.cost;
  ms_status status = MS_OK;
  s->best.cost = INFINITY;
  for (int product = 0; product < 2; product++)
    for (uint64_t t = 1; status == MS_OK && t < BIT(shape->n); t++) {
      choice *c = &s->of_tail[product][t];
      if (c->cost == 0 || c->cost > ms_count_probe_within * least)
        continue;
      status = probe_variants(c, query, shape, domain, input, err);
      if (c->cost < s->best.cost)
        s->best = *c;
    }
  return status;
}

/* Plans a small shape by comparing all ways to count it.  The comparison rests on mean degrees: if
 * domains and rows allow a far longer search, a probe judges the best way, and if that is long, all
 * ways. */
static ms_status plan_small(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, search *s, ms_plan_input *input,
                            ms_count_plan *out, ms_error *err)
{
  MS_TRY(search_all(s, err));
  /* An engine on GPUs that the user asked for has no other to be compared with, and there a probe
   * takes as long as a short search. */
  bool on_gpu = query->engine && query->engine->weigh;
  bool sure = on_gpu && count_probes(s) == 1 && ms_count_probe_from > 0;
  bool estimate = query->large || query->estimate;
  if (s->best.cost <= ms_count_probe_from) {
    MS_TRY(make_plan(&s->best, shape, input, out, err));
    if (on_gpu && !estimate)
      return MS_OK;
    MS_TRY(probe_plan(query, domain, out, err));
    if (out->cost <= ms_count_probe_from || sure)
      return MS_OK;
    ms_count_plan_free(out);
  }
  if (!sure)
    MS_TRY(probe_all(s, query, domain, input, err));
  MS_TRY(make_plan(&s->best, shape, input, out, err));
  return estimate ? probe_plan(query, domain, out, err) : MS_OK;
}

/* Plans a shape with the longest tail that the order of a listing has. */
static ms_status plan_large(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_plan_input *input, ms_count_plan *out,
                            ms_error *err)
{
  uint8_t order[MS_MAX_PATTERN];
  MS_TRY(ms_plan_new(shape, input, &out->plan, err));
  for (uint32_t i = 0; i < shape->n; i++)
    order[i] = out->plan->level[i].vertex;
  input->fixed = order;
  out->options.tail = longest_tail(out->plan);
  set_last(shape, out, input);
  ms_plan_free(out->plan);
  out->plan = NULL;
  MS_TRY(ms_plan_new(shape, input, &out->plan, err));
  out->cost = INFINITY;
  return query->large || query->estimate ? probe_plan(query, domain, out, err) : MS_OK;
}

ms_status ms_count_plan_new(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_plan *out, ms_error *err)
{
  search s;
  ms_plan_input input;
  memset(&s, 0, sizeof s);
  *out = (ms_count_plan){.options = {.table = table_use(query) != MS_TABLE_NONE}};
  estimator_init(&s.e, query, shape, domain);
  plan_input(&s.e, query->order, &input);
  bool small = shape->n <= MAX_SMALL && !shape->induced && !shape->label &&
               query->order == MS_ORDER_AUTO && ms_shape_is_connected(shape);
  ms_status status = small ? plan_small(query, shape, domain, &s, &input, out, err)
                           : plan_large(query, shape, domain, &input, out, err);
  if (status != MS_OK)
    ms_count_plan_free(out);
  return status;
}

ms_status ms_count_plan_compile(const ms_count_query *query, const ms_domain *domain,
                                ms_count_plan *plan, ms_error *err)
{
  if (plan->program)
    return MS_OK;
  return ms_program_new(query->index, plan->plan, domain, &plan->options, &plan->program, err);
}

void ms_count_plan_free(ms_count_plan *plan)
{
  ms_program_free(plan->program);
  ms_plan_free(plan->plan);
  plan->program = NULL;
  plan->plan = NULL;
}
