/* Builds the tree of a count by factors. */
#include "base/alloc.h"
#include "base/status.h"
#include "match/count/factor.h"
#include "match/cpu/sorted.h"

#include <math.h>

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

static void find_meets(builder *b)
{
  for (uint32_t i = 0; i < b->shape->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (ms_domain_meets(&b->domain[i], &b->domain[j])) {
        ms_bitset_add(&b->meets[i], j);
        ms_bitset_add(&b->meets[j], i);
      }
}

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
    find_meets(&b);
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
