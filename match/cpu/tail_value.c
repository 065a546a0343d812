#include "match/cpu/tail_value.h"

#include "match/cpu/runner_inline.h"

#include "base/alloc.h"
#include "base/wide.h"

#include <string.h>

#define COPY_STEP 8u /* elements that are copied and intersected in the time of a runner's step */

/* ---- one group ------------------------------------------------------------- */

/* Returns the range of the group's candidates. */
static inline bounds range_of(const ms_runner *r, const ms_tail_group *g)
{
  return narrow(r, (bounds){g->domain.lo, g->domain.hi}, &g->bounds);
}

static inline bool is_in_range(const ms_tail_group *g, bounds b, uint32_t v)
{
  return v >= b.lo && v < b.hi && (!g->domain.bits || (g->domain.bits[v / 64] >> v % 64 & 1));
}

/* Returns the number of candidates that are matched at the levels of g->inside below `levels`. */
static inline uint32_t count_inside(const ms_runner *r, const ms_tail_group *g, bounds b,
                                    uint32_t levels)
{
  const ms_level_list *inside = &g->inside_list;
  uint32_t count = 0;
  for (uint32_t i = 0; i < inside->count && inside->level[i] < levels; i++)
    count += is_in_range(g, b, r->match[inside->level[i]]);
  return count;
}

/* Returns how many of `size` candidates are left without the matches of the other levels below
 * `levels`. */
static inline uint64_t without_others(const ms_runner *r, const ms_tail_group *g, bounds b,
                                      uint32_t levels, uint64_t size)
{
  const ms_level_list *others = &g->other_list;
  for (uint32_t i = 0; size > 0 && i < others->count && others->level[i] < levels; i++) {
    uint32_t v = r->match[others->level[i]];
    size -= is_in_range(g, b, v) && passes_tests(r, g->tests, v);
  }
  return size;
}

static bool is_bounded(const ms_tail_group *g)
{
  return g->bounds.above.count + g->bounds.below.count > 0;
}

/* Returns the group's set, cut by the group's bounds. */
static ms_span span_of(const ms_runner *r, const ms_tail_group *g)
{
  ms_span set = r->set[g->set];
  if (!is_bounded(g))
    return set;
  return cut(set, narrow(r, (bounds){0, UINT32_MAX}, &g->bounds));
}

/* Returns the number of candidates of a tail vertex without neighbours: the
 * part of its domain within the bounds. */
static uint64_t size_of_domain(const ms_runner *r, const ms_tail_group *g)
{
  bounds b = range_of(r, g);
  uint64_t count = 0;
  if (!is_bounded(g))
    return g->domain.count;
  if (!g->domain.bits)
    return b.hi > b.lo ? b.hi - b.lo : 0;
  for (uint32_t v = b.lo; v < b.hi; v++)
    count += g->domain.bits[v / 64] >> v % 64 & 1;
  return count;
}

/* Returns the number of candidates that are not matched at one of the first
 * levels. */
static uint64_t size_of_group(const ms_runner *r, const ms_tail_group *g, uint32_t levels)
{
  bounds b = range_of(r, g);
  uint64_t size, inside = count_inside(r, g, b, levels);
  ms_span span = {0};
  if (!g->table && g->set >= 0)
    span = r->program->set[g->set].count_only ? r->set[g->set] : span_of(r, g);
  if (g->table)
    size = r->table[r->match[g->with]] & ~MS_TABLE_MARK;
  else if (g->set < 0)
    size = size_of_domain(r, g);
  else if (g->test_bits)
    size = r->sorted->filter_count(span.ids, span.length, g->domain.bits, true);
  else
    size = span.length;
  return without_others(r, g, b, levels, size > inside ? size - inside : 0);
}

/* ---- several groups ---------------------------------------------------------- */

static size_t remove_id(uint32_t *ids, size_t length, uint32_t v)
{
  size_t i = ms_lower_bound(ids, length, v);
  if (i == length || ids[i] != v)
    return length;
  memmove(ids + i, ids + i + 1, (length - i - 1) * sizeof *ids);
  return length - 1;
}

/* Copies the group's candidates without the matched vertices. */
static bool copy_free_candidates(ms_runner *r, uint32_t number, ms_span *out)
{
  const ms_tail_group *g = &r->program->group[number];
  ms_span set = r->set[g->set];
  ms_space *space = &r->free_of[number];
  size_t length = set.length;
  r->steps += length / COPY_STEP;
  if (!ms_space_for(space, length))
    return false;
  memcpy(space->ids, set.ids, length * sizeof *set.ids);
  if (g->test_bits)
    length = r->sorted->filter(space->ids, length, g->domain.bits, true, space->ids);
  for (uint32_t i = 0; i < g->inside_list.count; i++)
    length = remove_id(space->ids, length, r->match[g->inside_list.level[i]]);
  for (uint32_t i = 0; i < g->other_list.count; i++)
    length = remove_id(space->ids, length, r->match[g->other_list.level[i]]);
  *out = (ms_span){.ids = space->ids, .length = length};
  return true;
}

/* Computes the size of the intersection of the groups in the mask, which has
 * two or more. */
static bool intersect_groups(ms_runner *r, uint32_t mask, const ms_span *free_of, uint64_t *size)
{
  ms_span so_far = free_of[__builtin_ctz(mask)];
  r->intersections += (uint64_t)__builtin_popcount(mask) - 1;
  for (mask &= mask - 1; mask & (mask - 1); mask &= mask - 1) {
    ms_span other = free_of[__builtin_ctz(mask)];
    bool first = so_far.ids != r->meet.ids;
    if (first && !ms_space_for(&r->meet, so_far.length))
      return false;
    so_far.length =
        r->sorted->intersect(so_far.ids, so_far.length, other.ids, other.length, r->meet.ids);
    so_far.ids = r->meet.ids;
  }
  ms_span last = free_of[__builtin_ctz(mask)];
  *size = r->sorted->count(so_far.ids, so_far.length, last.ids, last.length);
  return true;
}

/* Fills size[mask] for every intersection that a term needs. */
static bool measure_sets(ms_runner *r, uint64_t *size)
{
  const ms_program *p = r->program;
  ms_span free_of[MS_MAX_TAIL];
  uint64_t known = 0; /* bit for each of the 64 masks */
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    if (!group->size_only && !copy_free_candidates(r, g, &free_of[g]))
      return false;
    size[1u << g] = group->size_only ? size_of_group(r, group, p->prefix) : free_of[g].length;
    if (size[1u << g] < (p->product ? 1 : group->size))
      size[0] = 0;
    known |= UINT64_C(1) << (1u << g);
  }
  for (uint32_t i = 0; size[0] && i < p->n_terms; i++)
    for (uint32_t b = 0; b < p->term[i].count; b++) {
      uint32_t mask = p->term[i].mask[b];
      if (!(known >> mask & 1) && !intersect_groups(r, mask, free_of, &size[mask]))
        return false;
      known |= UINT64_C(1) << mask;
    }
  return true;
}

/* ---- the sum ------------------------------------------------------------------- */

void ms_tail_flush(ms_runner *r)
{
  bool negative = r->total < 0;
  if (negative) /* adds to the number of the other sign */
    mpz_neg(r->large, r->large);
  ms_wide_add(r->large, negative ? -(ms_wide_size)r->total : (ms_wide_size)r->total);
  if (negative)
    mpz_neg(r->large, r->large);
  r->total = 0;
}

void ms_tail_add_number(ms_runner *r, ms_wide_size number)
{
  ms_wide total;
  if (!__builtin_add_overflow(r->total, number, &total)) {
    r->total = total;
    return;
  }
  ms_tail_flush(r);
  r->total = (ms_wide)number;
}

/* Adds the sum of the terms if 128 bits are not enough for it. */
static void add_large(ms_runner *r, const uint64_t *size)
{
  const ms_program *p = r->program;
  mpz_t product, factor;
  mpz_init(product);
  mpz_init(factor);
  for (uint32_t i = 0; i < p->n_terms; i++) {
    mpz_set_si(product, p->term[i].factor);
    for (uint32_t b = 0; b < p->term[i].count; b++) {
      mpz_set_ui(factor, size[p->term[i].mask[b]]);
      mpz_mul(product, product, factor);
    }
    mpz_add(r->large, r->large, product);
  }
  mpz_clear(product);
  mpz_clear(factor);
}

/* Adds the sum of the terms, which are products of sizes of candidate sets. */
static void add_terms(ms_runner *r, const uint64_t *size)
{
  const ms_program *p = r->program;
  ms_wide sum = 0, total;
  bool large = false;
  for (uint32_t i = 0; i < p->n_terms; i++) {
    ms_wide product = p->term[i].factor;
    for (uint32_t b = 0; b < p->term[i].count; b++)
      large |= __builtin_mul_overflow(product, (ms_wide)size[p->term[i].mask[b]], &product);
    large |= __builtin_add_overflow(sum, product, &sum);
  }
  if (large)
    add_large(r, size);
  else if (__builtin_add_overflow(r->total, sum, &total)) {
    ms_tail_flush(r);
    r->total = sum;
  } else {
    r->total = total;
  }
}

/* Adds c (c-1) ... (c-size+1) for c candidates. */
static void add_falling(ms_runner *r, uint64_t candidates)
{
  uint32_t size = r->program->group[0].size;
  ms_wide product = 1, total;
  bool large = false;
  for (uint32_t i = 0; i < size; i++)
    large |= __builtin_mul_overflow(product, (ms_wide)(candidates - i), &product);
  if (!large && !__builtin_add_overflow(r->total, product, &total)) {
    r->total = total;
    return;
  }
  mpz_t falling;
  mpz_init_set_ui(falling, 1);
  for (uint32_t i = 0; i < size; i++)
    mpz_mul_ui(falling, falling, candidates - i);
  mpz_add(r->large, r->large, falling);
  mpz_clear(falling);
}

void ms_tail_add_sizes(ms_runner *r, const uint64_t *size)
{
  if (r->program->falling)
    add_falling(r, size[1]);
  else
    add_terms(r, size);
}

bool ms_tail_add(ms_runner *r)
{
  uint64_t size[1u << MS_MAX_TAIL];
  size[0] = 1;
  if (!measure_sets(r, size)) {
    r->status = MS_ERR_MEMORY;
    return false;
  }
  if (size[0]) /* otherwise some group has too few candidates, and no term is needed */
    ms_tail_add_sizes(r, size);
  return true;
}

/* ---- quick programs ------------------------------------------------------------- */

/* Returns the sum of the terms if each is a product of at most two small
 * numbers: 64 bits are enough. */
static uint64_t sum_pairs(const ms_program *p, const uint64_t *size)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->n_terms; i++) {
    const ms_tail_term *t = &p->term[i];
    int64_t product = t->factor * (int64_t)size[t->mask[0]];
    sum += t->count == 2 ? product * (int64_t)size[t->mask[1]] : product;
  }
  return (uint64_t)sum;
}

/* A group during the loop over the candidates of the last level. */
typedef struct last_level {
  bool is_looked_up;     /* its size is the table's entry of the candidate */
  bool distinct, inside; /* the level is in these sets of the group */
  /* the number of candidates without the earlier matches; is_looked_up: of earlier matches that are
   * always candidates or, if the group is `marked`, candidates */
  uint64_t known;
  bounds range;
} last_level;

/* Returns the number of matches that are not always candidates, but are marked in the table. */
static uint32_t count_marked(const ms_runner *r, const ms_tail_group *g, bounds b, uint32_t levels)
{
  const ms_level_list *others = &g->other_list;
  uint32_t count = 0;
  for (uint32_t i = 0; i < others->count && others->level[i] < levels; i++) {
    uint32_t v = r->match[others->level[i]];
    count += is_in_range(g, b, v) && (r->table[v] & MS_TABLE_MARK);
  }
  return count;
}

static last_level last_level_of(const ms_runner *r, const ms_tail_group *g, uint32_t level)
{
  last_level l = {.is_looked_up = g->table && g->with == level,
                  .distinct = ms_bitset_has(&g->distinct, level),
                  .inside = ms_bitset_has(&g->inside, level),
                  .range = range_of(r, g)};
  l.known = l.is_looked_up ? count_inside(r, g, l.range, level) : size_of_group(r, g, level);
  if (l.is_looked_up && g->marked)
    l.known += count_marked(r, g, l.range, level);
  return l;
}

/* True if the tail is one vertex, and each candidate of the last level adds the table's entry less
 * a number that is the same for all. */
static bool adds_entries(const ms_runner *r, const last_level *l, ms_span span)
{
  const ms_program *p = r->program;
  const ms_tail_group *g = &p->group[0];
  const ms_step *step = &p->step[p->prefix - 1];
  return p->n_groups == 1 && g->size == 1 && l->is_looked_up && !l->distinct &&
         (g->marked || g->other_list.count == 0) && span.ids && step->source == MS_FROM_SET &&
         !step->test_bits && step->tests.count == 0 && step->distinct_list.count == 0;
}

static void add_entries(ms_runner *r, const last_level *l, const uint32_t *ids, size_t count)
{
  const uint32_t *table = r->table;
  uint64_t sum = 0; /* of numbers below 2^31 */
  for (size_t i = 0; i < count; i++) {
    uint32_t paths = table[ids[i]] & ~MS_TABLE_MARK;
    sum += paths > l->known ? paths - (uint32_t)l->known : 0;
  }
  r->total += (ms_wide)sum;
}

bool ms_tail_add_all(ms_runner *r, ms_span span, size_t first, size_t last)
{
  const ms_program *p = r->program;
  uint32_t level = p->prefix - 1;
  const ms_step *step = &p->step[level];
  uint64_t size[1u << MS_MAX_TAIL], sum = 0;
  last_level last_of[MS_MAX_TAIL];
  for (uint32_t g = 0; g < p->n_groups; g++)
    last_of[g] = last_level_of(r, &p->group[g], level);
  if (first < last && adds_entries(r, &last_of[0], span)) {
    add_entries(r, &last_of[0], span.ids + first, last - first);
    return r->status == MS_OK;
  }
  for (size_t i = first; i < last; i++) {
    uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
    bool enough = true;
    if (!fits(r, step, v))
      continue;
    r->match[level] = v;
    for (uint32_t g = 0; g < p->n_groups; g++) {
      const ms_tail_group *group = &p->group[g];
      const last_level *l = &last_of[g];
      uint64_t s = l->known;
      if (l->is_looked_up) {
        uint64_t paths = r->table[v] & ~MS_TABLE_MARK;
        s = paths > s ? paths - s : 0;
        if (!group->marked)
          s = without_others(r, group, l->range, level, s);
      }
      if (s > 0 && l->distinct && ms_domain_has(&group->domain, v))
        s -= l->inside || (r->table[v] & MS_TABLE_MARK);
      size[1u << g] = s;
      enough = enough && s >= (p->product ? 1 : group->size);
    }
    if (!enough)
      continue;
    if (p->pairs)
      sum += sum_pairs(p, size);
    else
      ms_tail_add_sizes(r, size);
    if (sum >> 62) { /* each addend is below 2^62 */
      r->total += (ms_wide)sum;
      sum = 0;
    }
  }
  r->total += (ms_wide)sum;
  return r->status == MS_OK;
}
