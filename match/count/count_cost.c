/* The estimates assume that an edge's end has D = (sum of squared degrees) / arcs neighbours, a
 * root as many as the mean degree says, and that a neighbour of one end of an edge is adjacent to
 * the other with the sampled probability `closure`. */
#include "match/count/count_cost.h"

#include <math.h>

#define COST_LOOKUP 3.0 /* cost in steps of reading the table */

ms_table_use ms_count_table_use(const ms_count_query *query)
{
  return query->engine ? query->engine->tables : MS_TABLE_READ;
}

ms_program_options ms_count_program_options(const ms_count_query *query)
{
  bool on_cpu = !query->engine || query->engine == &ms_pattern_engine_cpu;
  return (ms_program_options){.table = ms_count_table_use(query) != MS_TABLE_NONE,
                              .single = on_cpu};
}

/* True if sizes of the tail's sets may be looked up in a table. */
static bool may_look_up(const ms_count_estimator *e, uint64_t tail)
{
  return e->tables && ((tail & (tail - 1)) != 0 || (tail & e->fixed) != 0);
}

void ms_count_estimator_init(ms_count_estimator *e, const ms_count_query *query,
                             const ms_shape *shape, const ms_domain *domain)
{
  const ms_pattern_index *index = query->index;
  ms_table_use use = ms_count_table_use(query);
  *e = (ms_count_estimator){.query = query,
                            .shape = shape,
                            .tables = use != MS_TABLE_NONE,
                            .touched = use == MS_TABLE_READ,
                            .singles = ms_count_program_options(query).single};
  e->vertices = index->n > 0 ? index->n : 1;
  e->degree = (double)index->arcs / e->vertices;
  e->ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 1;
  e->square_degrees = index->square_degrees;
  e->two_hops = index->square_degrees / e->vertices;
  e->two_hops = e->two_hops < e->vertices ? e->two_hops : e->vertices;
  for (int i = 0; i < 2; i++)
    e->closure[i] = index->closure[i] > 0.001 ? index->closure[i] : 0.001;
  for (uint32_t i = 0; i < shape->n; i++)
    e->domain[i] = domain ? domain[i].count : e->vertices;
}

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

uint64_t ms_count_near(const ms_shape *s, uint32_t vertex)
{
  return ms_bitset_word(ms_shape_near(s, vertex));
}

uint64_t ms_count_back(const ms_shape *s, const uint8_t *order, uint32_t level, uint32_t vertex)
{
  uint64_t back = 0, near = ms_count_near(s, vertex);
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
static double set_size(const ms_count_estimator *e, uint64_t back)
{
  uint32_t b = (uint32_t)__builtin_popcountll(back);
  double size = b == 0 ? e->vertices : e->ends;
  return b < 2 ? size : size * e->closure[0] * power(e->closure[1], b - 2);
}

static double sets_at(const ms_count_estimator *e, const masks *m, uint32_t level)
{
  double cost = 0;
  for (uint32_t i = 0; i < m->count; i++)
    if (m->mask[i] >> level == 1) {
      double from = set_size(e, m->mask[i] & ~(UINT64_C(1) << level));
      cost += MS_COST_SET + MS_COST_ELEMENT * (from + (e->ends < 32 * from ? e->ends : 32 * from));
    }
  return cost;
}

void ms_count_estimator_inner(const ms_count_estimator *e, const ms_shape *shape, uint32_t rows,
                              ms_count_estimator *out)
{
  *out = *e;
  out->shape = shape;
  out->singles = false;
  out->vertices = fmax(set_size(e, (UINT64_C(1) << rows) - 1), 1);
  out->ends = fmin(set_size(e, (UINT64_C(2) << rows) - 1), out->vertices);
  out->degree = out->ends;
  out->two_hops = fmin(out->ends * out->ends, out->vertices);
  out->square_degrees = out->vertices * out->ends * out->ends;
  out->closure[0] = out->closure[1];
  for (uint32_t i = 0; i < shape->n; i++)
    out->domain[i] = out->vertices;
}

double ms_count_cost_of_graph(const ms_count_estimator *e)
{
  return e->vertices * (MS_COST_SET + MS_COST_ELEMENT * e->vertices + e->ends);
}

double ms_count_factorial(uint32_t n)
{
  return n < 2 ? 1 : n * ms_count_factorial(n - 1);
}

double ms_count_cost(const ms_count_estimator *e, const ms_count_choice *c, uint32_t prefix,
                     double symmetry)
{
  const ms_shape *s = e->shape;
  masks sets = {.count = 0};
  double cost = 0, matches = 1, kept = 1, at_end = 0;
  uint64_t lookups = 0, tails[MS_COUNT_SMALL];
  uint32_t n_tails = 0;
  for (uint64_t left = c->tail; left; left &= left - 1) {
    uint64_t back = ms_count_back(s, c->order, prefix, (uint32_t)__builtin_ctzll(left));
    bool paths = may_look_up(e, c->tail) && (back & 1) && __builtin_popcountll(back) == 2,
         table = paths && !c->module;
    /* a table leads to a vertex that is joined to the root by a module alone */
    paths = table || (paths && !ms_count_back(s, c->order, 1, c->order[1]));
    lookups |= paths ? back & ~UINT64_C(1) : 0;
    at_end += table ? COST_LOOKUP : 1;
    if (!table)
      add_chain(&sets, back);
    for (uint32_t i = 0; !c->product && i < n_tails; i++)
      if (tails[i] != back)
        at_end += MS_COST_SET + MS_COST_ELEMENT * (set_size(e, back) + set_size(e, tails[i]));
    tails[n_tails++] = back;
  }
  for (uint32_t i = 1; i < prefix; i++)
    add_chain(&sets, ms_count_back(s, c->order, i, c->order[i]));
  for (uint32_t i = 0; i < prefix; i++) {
    uint64_t back = ms_count_back(s, c->order, i, c->order[i]);
    double share = e->domain[c->order[i]] / e->vertices, from = set_size(e, back);
    if (back == 0 && i > 0 && (lookups >> i & 1))
      from = e->two_hops;
    if (i == 1 && back == 1) /* the root is any vertex, and not yet the end of an edge */
      from = e->degree;
    matches *= from * share;
    kept = matches / (symmetry < ms_count_factorial(i + 1) ? symmetry : ms_count_factorial(i + 1));
    cost += kept * (MS_COST_VISIT + sets_at(e, &sets, i));
  }
  if (lookups)
    cost += e->domain[c->order[0]] / e->vertices * e->square_degrees;
  return cost + kept * (at_end + c->inner);
}

/* ---- bounds ----------------------------------------------------------------------- */

/* A mask of levels is a bit of 64. */
_Static_assert(MS_COUNT_SMALL <= 6, "sets of levels are bits of one word");

void ms_count_bound_init(ms_count_bound *b, const ms_count_estimator *e)
{
  b->e = e;
  for (uint32_t i = 0; i < e->shape->n; i++)
    b->near[i] = ms_count_near(e->shape, i);
  for (uint32_t i = 1; i < MS_COUNT_SMALL; i++) {
    masks one = {.mask = {(UINT64_C(2) << i) - 1}, .count = 1};
    b->set[i] = sets_at(e, &one, i);
  }
}

void ms_count_bound_tail(ms_count_bound *b, const ms_count_choice *c, double symmetry)
{
  bool looked_up = may_look_up(b->e, c->tail);
  b->symmetry = symmetry;
  b->tail = c->tail;
  b->chained = 0;
  for (uint64_t left = c->tail; left; left &= left - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(left);
    /* a table may take the place of two rows */
    if (!looked_up || c->module || __builtin_popcountll(b->near[v] & ~c->tail) != 2)
      b->chained |= left & -left;
  }
}

/* Adds the set that a vertex, adjacent to the last one of the order, has its candidates from. */
static void add_set(const ms_count_bound *b, const uint8_t *order, uint32_t level, uint32_t vertex,
                    ms_count_least *least)
{
  uint64_t back = 0;
  for (uint32_t j = 0; j <= level; j++)
    back |= (b->near[vertex] >> order[j] & 1) << j;
  uint32_t rows = (uint32_t)__builtin_popcountll(back);
  if (rows < 2 || least->sets >> back & 1)
    return;
  least->sets |= UINT64_C(1) << back;
  least->cost += b->kept[level] * b->set[rows - 1];
}

ms_count_least ms_count_bound_level(ms_count_bound *b, const uint8_t *order, uint32_t level,
                                    ms_count_least least)
{
  const ms_count_estimator *e = b->e;
  uint32_t v = order[level], rows = 0;
  for (uint32_t j = 0; j < level; j++)
    rows += b->near[v] >> order[j] & 1;
  double from = rows == 0 && level > 0    ? e->two_hops
                : rows == 1 && level == 1 ? e->degree
                                          : set_size(e, (UINT64_C(1) << rows) - 1);
  least.matches *= from * (e->domain[v] / e->vertices);
  b->kept[level] = least.matches / fmin(b->symmetry, ms_count_factorial(level + 1));
  least.cost += b->kept[level] * MS_COST_VISIT;
  uint64_t placed = 0;
  for (uint32_t j = 0; j <= level; j++)
    placed |= UINT64_C(1) << order[j];
  /* the candidates of each vertex next to this one, which is the last row so far */
  for (uint64_t left = b->near[v] & ~placed & (b->chained | ~b->tail); left; left &= left - 1)
    add_set(b, order, level, (uint32_t)__builtin_ctzll(left), &least);
  return least;
}
