/* The sampled vertices are equally spaced in the order of ids, and so of degrees.  Their degrees in
 * the inner graph give its number of edges and its sum of squared degrees.  The rest is as in
 * count_cost.c: an edge's end has D = (sum of squared degrees) / arcs neighbours, and it is
 * adjacent to a further vertex with the probability D / n. */
#include "match/cpu/inner_cost.h"

#include "match/cpu/inner.h"
#include "match/cpu/runner_inline.h"
#include "match/probe.h"

#include <math.h>

#define SAMPLE 12u
#define COST_WORD 1.0   /* cost of a match in words, with the candidates that it leaves */
#define COST_EDGE 6.0   /* cost of an edge that is stored, ranked, and sorted into two rows */
#define COST_ROW 8.0    /* cost of a row of the root's graph that is read */
#define COST_SMALL 60.0 /* cost of an inner graph however small it is */
#define COST_PATH 1.0   /* cost of a path that is entered in the table */
#define COST_GROUP 2.0  /* cost of each group of a tail, as in probe.c, .. */
#define COST_TAIL                                                                                  \
  6.0                  /* .. of a tail that is evaluated apart from the loop over the last level,  \
                        */
#define COST_COPY 24.0 /* and of a set that is copied, in which matches are searched for */

/* What the estimate knows of an inner graph. */
typedef struct inner_facts {
  double n, degree, end; /* vertices, their mean degree, and D */
  double making;         /* steps to find the edges */
} inner_facts;

/* Returns the steps to find the neighbours of the i-th vertex that come after it (inner.c). */
static double cost_of_larger(const ms_runner *r, ms_span set, size_t i)
{
  const ms_pattern_index *index = r->program->index;
  uint32_t length;
  const uint32_t *ids = ms_row(&index->rows[MS_ROWS_ANY], set.ids[i], &length);
  double larger = length - (double)ms_lower_bound(ids, length, set.ids[i]);
  double others = (double)(set.length - i);
  return MS_COST_SET + MS_COST_ELEMENT * (larger <= 8 * others ? larger : 9 * others);
}

/* Adds one of n sampled vertices to the sums, and returns the steps to find its larger neighbours.
 */
static double look_at(const ms_runner *r, ms_span set, size_t i, double *sum, double *squares,
                      double *spent)
{
  const ms_pattern_index *index = r->program->index;
  const uint64_t *bits = ms_hub_bits(index, set.ids[i]);
  uint32_t length;
  const uint32_t *ids = ms_row(&index->rows[MS_ROWS_ANY], set.ids[i], &length);
  double degree, full;
  if (bits && i < length) {
    degree = (double)r->sorted->filter_count(set.ids, set.length, bits, true);
    full = MS_COST_ELEMENT * (double)set.length;
  } else {
    ms_span row = cut((ms_span){.ids = ids, .length = length},
                      (bounds){set.ids[0], set.ids[set.length - 1] + 1});
    degree = (double)r->sorted->count(set.ids, set.length, row.ids, row.length);
    full = MS_COST_SET + MS_COST_ELEMENT * (fmin((double)row.length, 8 * (double)set.length) +
                                            fmin((double)set.length, 8 * (double)row.length));
  }
  *spent += MS_COST_SET + full;
  *sum += degree;
  *squares += degree * degree;
  return cost_of_larger(r, set, i);
}

static inner_facts sample_graph(const ms_runner *r, ms_span set, double *spent)
{
  size_t some = set.length < SAMPLE ? set.length : SAMPLE;
  double sum = 0, squares = 0, cost = 0, n = (double)set.length;
  for (size_t k = 0; k < some; k++)
    cost += look_at(r, set, (2 * k + 1) * set.length / (2 * some), &sum, &squares, spent);
  double degree = sum / (double)some;
  if (ms_root_graph_suits(r->program))
    cost = (double)some * COST_ROW;
  return (inner_facts){.n = n,
                       .degree = degree,
                       .end = sum > 0 ? squares / sum : 0,
                       .making = n * cost / (double)some};
}

static uint32_t count_backs(const ms_program *p, uint32_t level)
{
  uint32_t backs = 0;
  ms_bitset near = ms_shape_near(&p->shape, p->step[level].vertex);
  for (uint32_t i = 0; i < level; i++)
    backs += ms_bitset_has(&near, p->step[i].vertex);
  return backs;
}

/* Returns the share of matches that order constraints of one level leave: of that with b others, in
 * any order among them, one in b + 1. */
static double share_of(ms_bitset above, ms_bitset below)
{
  return 1 / (1.0 + ms_bitset_count(above) + ms_bitset_count(below));
}

/* Returns the estimated matches of the program's levels up to the last one, and the sum of those of
 * all levels.  Levels without edges to earlier ones take at most `touched` candidates. */
static double count_matches(const ms_program *p, const inner_facts *f, double touched, double *all)
{
  double matches = 1;
  *all = 0;
  for (uint32_t i = 0; i < p->prefix; i++) {
    uint32_t backs = count_backs(p, i);
    double from = i == 0                 ? f->n
                  : backs == 0           ? fmin(f->n, touched)
                  : backs == 1 && i == 1 ? f->degree
                                         : f->end;
    for (uint32_t b = 1; b < backs; b++)
      from *= f->end / f->n;
    matches *= from * share_of(p->step[i].above, p->step[i].below);
    *all += matches;
  }
  return matches;
}

/* Returns the paths from a root that is the largest vertex, and so of the highest degree: a path
 * turns at a vertex of a lower degree than D. */
static double paths_below_root(const inner_facts *f)
{
  return f->degree * sqrt(f->degree * f->end) / 4;
}

/* Returns the paths from a root that its table holds. */
static double paths_of_root(const ms_program *p, const inner_facts *f)
{
  if (p->middle_below)
    return paths_below_root(f);
  return f->degree * f->end / (p->table_below || p->table_above ? 2 : 1);
}

/* Returns the steps to evaluate the tail once, whose sets hold about D vertices each. */
static double cost_of_tail(const ms_program *p, const inner_facts *f)
{
  double cost = COST_GROUP * p->n_groups + (p->quick ? 0 : COST_TAIL);
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (!p->group[g].size_only)
      cost += COST_COPY;
  for (uint32_t i = 0; i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++)
      if (p->term[i].mask[b] & (p->term[i].mask[b] - 1))
        cost += MS_COST_SET + MS_COST_ELEMENT * 2 * f->end;
  return cost;
}

/* Returns the steps of a program whose sets are lists. */
static double cost_of_lists(const ms_program *p, const inner_facts *f)
{
  double paths = p->table ? paths_of_root(p, f) : f->n;
  double all, matches = count_matches(p, f, paths, &all), cost = MS_COST_VISIT * all;
  cost += matches * cost_of_tail(p, f);
  if (p->table)
    cost += COST_PATH * f->n * paths;
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].parent >= 0 && p->set[i].at != UINT8_MAX)
      cost += (p->set[i].at + 1u == p->prefix ? matches : all) *
              (MS_COST_SET + MS_COST_ELEMENT * 2 * f->end);
  return cost;
}

double ms_inner_cost(ms_runner *r, double *spent)
{
  const ms_inner_plan *plan = r->program->inner;
  ms_span set;
  double all, cost = COST_SMALL;
  if (!ms_inner_vertices(r, &set) || set.length < plan->vertices)
    return cost;
  inner_facts f = sample_graph(r, set, spent);
  bool in_words = set.length <= MS_WORD;
  cost += f.making + (in_words ? f.n * f.degree : COST_EDGE / 2 * f.n * f.degree);
  if (plan->squares && !in_words)
    return cost + COST_PATH * ms_inner_squares_cost(r->sorted, f.n, f.n * paths_below_root(&f),
                                                    f.n * f.degree);
  for (uint32_t i = 0; i < plan->count; i++)
    if (in_words) {
      count_matches(plan->term[i].program, &f, f.n, &all);
      cost += COST_WORD * all;
    } else {
      cost += cost_of_lists(plan->term[i].program, &f);
    }
  return cost;
}
