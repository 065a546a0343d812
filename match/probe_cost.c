#include "match/probe_cost.h"

#include "match/cpu/runner_inline.h"
#include "match/cpu/universe.h"
#include "match/probe.h"

#include <math.h>

#define TABLE_ROWS 8u
#define COST_GROUP 2.0 /* cost of each group of a tail */
#define COST_TAIL 6.0  /* cost of a tail that is evaluated apart from the last level's loop */
/* What processors take to find a row, and for one search for a bound in it.  They matter where
 * rows are short. */
#define COST_ROW 4.0
#define COST_SEARCH 5.0
#define COST_CUT 24.0    /* cost of cutting a set by bounds, which takes two binary searches */
#define COST_COPY 0.06   /* cost of each element that is copied */
#define COST_LOOK_UP 4.0 /* cost of looking for a match in a row */
/* Of local programs: cost of an intersection, of each word of it, of a vertex's row, and of each
 * element that is looked at for the row, one after the other or many at a time. */
#define COST_BITS 6.0
#define COST_BITS_WORD 0.25
#define COST_BITS_ROW 45.0
#define COST_BITS_ELEMENT 0.6
#define COST_BITS_FILTERED 0.15
/* Everything that a match of the last level costs if its tail is simple, and each word of it. */
#define COST_BITS_LAST 2.5
#define COST_BITS_LAST_WORD 0.3

ms_probe_local ms_probe_local_of(const ms_program *program)
{
  bool local = ms_universe_suits(program);
  return (ms_probe_local){.local = local,
                          .simple = local && ms_universe_is_simple(program),
                          .upper = ms_universe_is_upper(program)};
}

/* Returns the cost of the searches that cut() makes. */
static double cost_of_cut(ms_span s, bounds b)
{
  if (s.length == 0)
    return 0;
  return COST_SEARCH * ((s.ids[0] < b.lo) + (s.ids[s.length - 1] >= b.hi));
}

/* Returns the cost of finding the row of a set, and of cutting it and the list that it is met with.
 */
static double cost_of_row(const ms_runner *r, const ms_set *s)
{
  bounds b = narrow(r, (bounds){s->lo, s->hi}, &s->bounds);
  double cost = COST_ROW + cost_of_cut(row_of(r, s->level, s->kind), b);
  return s->parent < 0 ? cost : cost + cost_of_cut(r->set[s->parent], b);
}

/* Returns the cost of one link under the current partial match, and adds the length of its shorter
 * list to *ids. */
static double cost_of_set(const ms_runner *r, const ms_set *s, double *ids)
{
  bounds b = narrow(r, (bounds){s->lo, s->hi}, &s->bounds);
  double from = (double)cut(r->set[s->parent], b).length;
  double row = (double)cut(row_of(r, s->level, s->kind), b).length;
  double longer = from > row ? from : row, shorter = from > row ? row : from;
  *ids += shorter;
  bool bits = (from < row || s->subtract) && s->kind == MS_ROWS_ANY &&
              ms_hub_bits(r->program->index, r->match[s->level]);
  return MS_COST_SET +
         MS_COST_ELEMENT * (bits ? from : shorter + (longer < 8 * shorter ? longer : 8 * shorter));
}

double ms_probe_cost_of_sets(const ms_runner *r, uint32_t level, double *ids, double *rows)
{
  const ms_program *p = r->program;
  double cost = 0;
  for (uint32_t i = p->level_sets[level]; i < p->level_sets[level + 1]; i++) {
    const ms_set *s = &p->set[p->by_level[i]];
    if (s->parent >= 0)
      cost += cost_of_set(r, s, ids);
    *rows += cost_of_row(r, s);
    if (r->set[p->by_level[i]].length < s->need)
      break;
  }
  return cost;
}

/* Returns the longest set of the current root, which is its universe. */
static ms_span universe_of(const ms_runner *r)
{
  const ms_program *p = r->program;
  ms_span longest = {0};
  for (uint32_t i = p->level_sets[0]; i < p->level_sets[1]; i++)
    if (r->set[p->by_level[i]].length > longest.length)
      longest = r->set[p->by_level[i]];
  return longest;
}

static double words_of_universe(const ms_runner *r)
{
  return ceil((double)universe_of(r).length / 64);
}

/* Returns the cost of one operation on bits. */
static double cost_of_bits(const ms_runner *r)
{
  return COST_BITS + COST_BITS_WORD * words_of_universe(r);
}

/* Returns the cost of the row of the vertex that level 1 has (universe_row.c). */
static double cost_of_bit_row(const ms_runner *r, bool upper)
{
  const ms_pattern_index *index = r->program->index;
  ms_span universe = universe_of(r);
  uint32_t length, v = r->match[1];
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
  if (universe.length == 0)
    return COST_BITS_ROW;
  if (ms_hub_bits(index, v) && universe.length < length)
    return COST_BITS_ROW + COST_BITS_FILTERED * (double)universe.length;
  if (length > 8 * universe.length)
    return COST_BITS_ROW + 8 * MS_COST_ELEMENT * (double)universe.length;
  size_t below = ms_lower_bound(row, length, upper ? v : universe.ids[0]);
  return COST_BITS_ROW + COST_BITS_ELEMENT * (double)(length - below);
}

double ms_probe_cost_of_bit_sets(const ms_runner *r, const ms_probe_local *local, uint32_t level)
{
  const ms_program *program = r->program;
  uint32_t sets = program->level_sets[level + 1] - program->level_sets[level];
  if (level == 0)
    return COST_BITS * sets;
  if (local->simple && level + 1 == program->prefix)
    return COST_BITS_LAST + COST_BITS_LAST_WORD * words_of_universe(r);
  return sets * cost_of_bits(r) + (level == 1 ? cost_of_bit_row(r, local->upper) : 0);
}

double ms_probe_cost_of_bit_tail(const ms_runner *r)
{
  const ms_program *p = r->program;
  double operations = p->n_groups;
  for (uint32_t i = 0; i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++)
      operations += (p->term[i].mask[b] & (p->term[i].mask[b] - 1)) != 0;
  return COST_TAIL + operations * cost_of_bits(r);
}

double ms_probe_cost_of_table(const ms_runner *r, double *middles)
{
  const ms_program *p = r->program;
  const ms_neighbor_rows *rows = &p->index->rows[p->table_second];
  ms_span middle = ms_runner_middles(r);
  size_t some = middle.length < TABLE_ROWS ? middle.length : TABLE_ROWS;
  double cost = 0;
  *middles = (double)middle.length;
  for (size_t i = 0; i < some; i++) {
    uint32_t length, smaller = 0;
    const uint32_t *row = ms_row(rows, middle.ids[i * middle.length / some], &length);
    if (p->table_above || p->table_below)
      smaller = (uint32_t)ms_lower_bound(row, length, r->match[0]);
    cost += p->table_above ? length - smaller : p->table_below ? smaller : length;
  }
  return some > 0 ? cost * (double)middle.length / (double)some : 0;
}

double ms_probe_cost_of_middles(double middles)
{
  return COST_ROW * middles;
}

double ms_probe_cost_of_tail(const ms_runner *r)
{
  const ms_program *p = r->program;
  double cost = COST_GROUP * p->n_groups + (p->quick ? 0 : COST_TAIL);
  for (uint32_t i = 0; i < p->n_groups; i++) {
    const ms_tail_group *g = &p->group[i];
    cost += COST_LOOK_UP * ms_bitset_count(ms_bitset_minus(g->distinct, g->inside));
    if (g->set < 0 || g->table || p->quick)
      continue;
    if (!g->size_only)
      cost += MS_COST_SET + COST_COPY * (double)r->set[g->set].length;
    if (g->test_bits)
      cost += MS_COST_ELEMENT * (double)r->set[g->set].length;
    if (g->bounds.above.count + g->bounds.below.count > 0)
      cost += COST_CUT;
  }
  for (uint32_t i = 0; i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++) {
      uint32_t mask = p->term[i].mask[b];
      if ((mask & (mask - 1)) == 0)
        continue;
      cost += MS_COST_SET;
      for (; mask; mask &= mask - 1)
        cost += MS_COST_ELEMENT * (double)r->set[p->group[__builtin_ctz(mask)].set].length;
    }
  return cost;
}
