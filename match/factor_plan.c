/* Builds the tree of a count by factors. */
#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/sorted.h"
#include "match/factor.h"

#include <math.h>

#define BIT(i) (UINT64_C(1) << (i))
#define SAMPLES 8u /* number of vertices of a domain whose neighbours are counted */

typedef struct builder {
  const ms_pattern_index *index;
  const ms_shape *shape;
  const ms_domain *domain;
  ms_factor *factor;
  /* [n] mask of the other vertices whose domains share a vertex with this one's */
  uint64_t meets[MS_MAX_PATTERN];
  /* [n] logarithm of the number of candidates adjacent to a matched
   * neighbour */
  double weight[MS_MAX_PATTERN];
  uint64_t matched;
  uint8_t level_of[MS_MAX_PATTERN];
} builder;

/* ---- domains -------------------------------------------------------------------- */

static void find_meets(builder *b)
{
  for (uint32_t i = 0; i < b->shape->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (ms_domain_meets(&b->domain[i], &b->domain[j])) {
        b->meets[i] |= BIT(j);
        b->meets[j] |= BIT(i);
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
    for (uint64_t near = ms_shape_near(b->shape, u); near; near &= near - 1)
      least = fmin(least, candidates_beside(b, u, (uint32_t)__builtin_ctzll(near)));
    b->weight[u] = log(1 + least);
  }
}

/* ---- groups ---------------------------------------------------------------------- */

/* Returns the group of vertex i among `left`. */
static uint64_t group_of(const builder *b, uint64_t left, uint32_t i)
{
  uint64_t all = BIT(i), front = all;
  while (front) {
    uint64_t next = 0;
    for (; front; front &= front - 1) {
      uint32_t v = (uint32_t)__builtin_ctzll(front);
      next |= (ms_shape_near(b->shape, v) | b->meets[v]) & left;
    }
    front = next & ~all;
    all |= next;
  }
  return all;
}

/* Returns the logarithm of the work of the heaviest group, once u is
 * matched. */
static double work_without(const builder *b, uint64_t group, uint32_t u)
{
  double worst = 0;
  for (uint64_t left = group & ~BIT(u); left;) {
    uint64_t part = group_of(b, left, (uint32_t)__builtin_ctzll(left));
    double work = 0;
    for (uint64_t v = part; v; v &= v - 1)
      work += b->weight[__builtin_ctzll(v)];
    worst = fmax(worst, work);
    left &= ~part;
  }
  return worst;
}

/* Chooses the vertex of the group to match first: adjacent to matched vertices
 * if possible, and leaving the lightest groups. */
static uint32_t choose_first(const builder *b, uint64_t group)
{
  uint64_t pool = 0;
  uint32_t best = 0;
  double least = INFINITY;
  for (uint64_t left = group; left; left &= left - 1)
    if (ms_shape_near(b->shape, (uint32_t)__builtin_ctzll(left)) & b->matched)
      pool |= left & -left;
  bool first = pool == 0;
  for (uint64_t left = first ? group : pool; left; left &= left - 1) {
    uint32_t u = (uint32_t)__builtin_ctzll(left);
    uint32_t backs = (uint32_t)__builtin_popcountll(ms_shape_near(b->shape, u) & b->matched);
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

static uint64_t levels_of(const builder *b, uint64_t vertices)
{
  uint64_t levels = 0;
  for (; vertices; vertices &= vertices - 1)
    levels |= BIT(b->level_of[__builtin_ctzll(vertices)]);
  return levels;
}

/* Returns the matched vertices that are adjacent to the group or in its
 * domains. */
static uint64_t relevant_to(const builder *b, uint64_t group)
{
  uint64_t relevant = 0;
  for (uint64_t left = group; left; left &= left - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(left);
    relevant |= (ms_shape_near(b->shape, v) | b->meets[v]) & b->matched;
  }
  return levels_of(b, relevant);
}

/* True if the vertices have the same candidates and nothing between or below
 * them, so that they are merged. */
static bool are_twins(const builder *b, uint64_t group)
{
  uint32_t first = (uint32_t)__builtin_ctzll(group);
  for (uint64_t left = group; left; left &= left - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(left);
    if (b->shape->out[v] != b->shape->out[first] || b->shape->in[v] != b->shape->in[first] ||
        !ms_domain_equal(&b->domain[v], &b->domain[first]))
      return false;
  }
  return !(ms_shape_near(b->shape, first) & group);
}

static void add_group(builder *b, uint64_t group, uint32_t parent)
{
  ms_factor *f = b->factor;
  bool twins = are_twins(b, group);
  uint32_t u = choose_first(b, group), level = f->n++;
  f->copies[level] = twins ? (uint8_t)__builtin_popcountll(group) : 1;
  ms_plan_level *l = &f->plan->level[level];
  f->relevant[level] = relevant_to(b, group);
  f->parent[level] = (uint8_t)parent;
  if (level > 0)
    f->children[parent] |= BIT(level);
  l->vertex = (uint8_t)u;
  l->back_out = levels_of(b, b->shape->in[u] & b->matched);
  l->back_in = levels_of(b, b->shape->out[u] & b->matched);
  b->level_of[u] = (uint8_t)level;
  b->matched |= BIT(u);
  for (uint64_t left = twins ? 0 : group & ~BIT(u); left;) {
    uint64_t part = group_of(b, left, (uint32_t)__builtin_ctzll(left));
    add_group(b, part, level);
    left &= ~part;
  }
  b->matched &= ~BIT(u);
}

/* Drops the comparisons with vertices of other branches: such a vertex has
 * another domain, so its match, which may be outdated, does not matter. */
static void compare_with_ancestors(ms_factor *f)
{
  for (uint32_t i = 1; i < f->n; i++) {
    uint64_t above = BIT(f->parent[i]);
    for (uint32_t j = f->parent[i]; j > 0; j = f->parent[j])
      above |= BIT(f->parent[j]);
    f->program->step[i].distinct &= above;
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
  b.factor->plan = ms_calloc(1, sizeof *b.factor->plan);
  if (b.factor->plan) {
    b.factor->plan->shape = *shape;
    find_meets(&b);
    compute_weights(&b);
    add_group(&b, shape->n == 64 ? ~UINT64_C(0) : BIT(shape->n) - 1, 0);
    visit_all.levels = b.factor->n;
    status = ms_program_new(index, b.factor->plan, domain, &visit_all, &b.factor->program, err);
  } else {
    status = ms_fail_memory(err, "a plan");
  }
  if (status == MS_OK) {
    compare_with_ancestors(b.factor);
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
