/* Packing of programs for a GPU: their parts, the forms that kernels know besides local programs
 * (local_program.h), and the division of the work. */
#include "gpu/match/program.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/match/dfs/dfs_device.h"
#include "gpu/match/dfs/local_program.h"

#include <string.h>

/* of a value under one match: 2^50 such values fit in a sum */
#define MS_MOST_BITS 200u

/* The rows of 32 lanes that are joined have fewer than 2^32 elements together. */
#define MS_MOST_JOINED (UINT32_C(1) << 27)

_Static_assert((int)MS_DEVICE_GROUPS == (int)MS_MAX_TAIL &&
                   (int)MS_DEVICE_TERMS == (int)MS_MAX_TAIL_TERMS &&
                   (int)MS_DEVICE_KINDS == (int)MS_ROW_KINDS,
               "programs and their copies on a GPU have the same shape");
_Static_assert((int)MS_MAX_PATTERN <= (int)MS_MOST_LEVELS, "there is room for all levels");
/* the program, lists and bits of the levels, the middles' bits, root_offset */
_Static_assert((int)MS_STAGING_PARTS >= 2 * (int)MS_MAX_PATTERN + 3, "all parts fit in the list");

/* ---- parts ------------------------------------------------------------------ */

static void add_part(ms_packed_program *packed, const void *from, uint64_t bytes)
{
  ms_staging_list *list = &packed->list;
  if (!from)
    return;
  for (uint32_t i = 0; i < list->parts; i++)
    if (list->part[i].from == from)
      return;
  ms_staging_add(list, from, bytes);
}

static void collect_parts(ms_packed_program *packed)
{
  const ms_program *p = packed->source;
  uint64_t words = ((uint64_t)p->index->n + 63) / 64, bytes = words * sizeof(uint64_t);
  if (!packed->large)
    add_part(packed, &packed->program, sizeof packed->program);
  for (uint32_t i = 0; i < p->prefix; i++) {
    add_part(packed, p->list[i], p->step[i].domain.count * sizeof *p->list[i]);
    add_part(packed, p->step[i].domain.bits, bytes);
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    add_part(packed, p->group[g].domain.bits, bytes);
  for (uint32_t i = 0; i < p->n_sets; i++)
    add_part(packed, p->set[i].bits, bytes);
  add_part(packed, p->table_middle.bits, bytes);
  add_part(packed, packed->root_offset, (packed->program.roots + 1) * sizeof *packed->root_offset);
}

/* ---- the parts of a program ---------------------------------------------------- */

static ms_device_domain copy_domain(const ms_domain *d)
{
  return (ms_device_domain){.lo = d->lo, .hi = d->hi, .count = d->count};
}

/* Masks of levels fit in 32 bits: the program is not large. */
static void copy_steps(const ms_program *p, ms_device_program *to)
{
  static const uint8_t source[] = {[MS_FROM_DOMAIN] = MS_DEVICE_FROM_DOMAIN,
                                   [MS_FROM_SET] = MS_DEVICE_FROM_SET,
                                   [MS_FROM_TOUCHED] = MS_DEVICE_FROM_TOUCHED};
  for (uint32_t i = 0; i < p->prefix; i++) {
    const ms_step *s = &p->step[i];
    to->step[i] = (ms_device_step){.domain = copy_domain(&s->domain),
                                   .above = (uint32_t)ms_bitset_word(s->above),
                                   .below = (uint32_t)ms_bitset_word(s->below),
                                   .distinct = (uint32_t)ms_bitset_word(s->distinct),
                                   .first_test = (uint16_t)s->tests.first,
                                   .n_tests = (uint16_t)s->tests.count,
                                   .set = (int16_t)s->set,
                                   .source = source[s->source],
                                   .test_bits = s->test_bits};
  }
}

static void copy_sets(const ms_program *p, ms_device_program *to)
{
  for (uint32_t i = 0; i < p->n_tests; i++)
    to->test[i] = (ms_device_test){p->test[i].level, p->test[i].absent, p->test[i].kind};
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    bool stored = s->parent >= 0 && !s->count_only && s->at != UINT8_MAX;
    to->set[i] = (ms_device_set){.above = (uint32_t)ms_bitset_word(s->above),
                                 .below = (uint32_t)ms_bitset_word(s->below),
                                 .lo = s->lo,
                                 .hi = s->hi,
                                 .parent = (int16_t)s->parent,
                                 .level = s->level,
                                 .kind = s->kind,
                                 .subtract = s->subtract,
                                 .count_only = s->count_only,
                                 .need = s->need,
                                 .slot = stored ? (uint8_t)to->n_slots : UINT8_MAX};
    to->n_slots += stored;
  }
  for (uint32_t i = 0; i < p->level_sets[p->prefix]; i++)
    to->by_level[i] = (uint8_t)p->by_level[i];
  for (uint32_t i = 0; i <= p->prefix; i++)
    to->level_sets[i] = (uint8_t)p->level_sets[i];
}

static void copy_tail(const ms_program *p, ms_device_program *to)
{
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *from = &p->group[g];
    ms_device_group *group = &to->group[g];
    *group = (ms_device_group){.domain = copy_domain(&from->domain),
                               .size = from->size,
                               .above = (uint32_t)ms_bitset_word(from->above),
                               .below = (uint32_t)ms_bitset_word(from->below),
                               .distinct = (uint32_t)ms_bitset_word(from->distinct),
                               .inside = (uint32_t)ms_bitset_word(from->inside),
                               .first_test = (uint16_t)from->tests.first,
                               .n_tests = (uint16_t)from->tests.count,
                               .set = (int16_t)from->set,
                               .size_only = from->size_only,
                               .table = from->table,
                               .with = from->with,
                               .marked = from->marked,
                               .test_bits = from->test_bits};
  }
  for (uint32_t i = 0; i < p->n_terms; i++) {
    to->term[i].factor = p->term[i].factor;
    to->term[i].count = p->term[i].count;
    memcpy(to->term[i].mask, p->term[i].mask, sizeof to->term[i].mask);
  }
}

/* ---- sizes and forms --------------------------------------------------------- */

static uint32_t bits_of(uint64_t x)
{
  return x ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

/* c (c-1) .. (c-size+1) <= 2^bits */
static uint32_t falling_bits(const ms_program *p)
{
  return p->falling ? p->group[0].size * bits_of(p->index->n) : 0;
}

/* Finds the kind of number for the terms' sum: |sum of terms| < 2^(most bits of a term + bits of
 * their number); one bit is for the sign. */
static uint8_t value_of(const ms_program *p)
{
  uint32_t most = falling_bits(p), size = bits_of(p->index->n);
  for (uint32_t i = 0; i < p->n_terms; i++) {
    uint64_t factor = (uint64_t)(p->term[i].factor < 0 ? -p->term[i].factor : p->term[i].factor);
    uint32_t bits = bits_of(factor) + p->term[i].count * size;
    most = bits > most ? bits : most;
  }
  most += bits_of(p->n_terms) + 1;
  return most <= 64 ? MS_VALUE_64 : most <= 128 ? MS_VALUE_128 : MS_VALUE_256;
}

/* True if the tail is one vertex, its set is the intersection of the last match's row with an
 * earlier set, no matched vertex can be in it, and all candidates of the last level fit. */
static bool is_flat(const ms_program *p)
{
  const ms_tail_group *g = &p->group[0];
  uint32_t last = p->prefix - 1;
  if (p->n_groups != 1 || g->size != 1 || !g->size_only || g->table || g->set < 0 ||
      !ms_bitset_is_empty(g->distinct) || p->n_terms != 1 || p->term[0].count != 1 || p->prefix < 2)
    return false;
  const ms_set *s = &p->set[g->set];
  const ms_step *step = &p->step[last];
  bool all_fit =
      step->source == MS_FROM_SET && !step->test_bits && ms_bitset_is_empty(step->distinct);
  return all_fit && s->count_only && s->at == last && s->level == last &&
         p->set[s->parent].at < last && p->level_sets[last + 1] - p->level_sets[last] == 1;
}

/* True if each candidate x of level 1 adds c (c-1), where c is the table's entry of x, and nothing
 * but the root bounds x. */
static bool is_squares(const ms_program *p)
{
  const ms_tail_group *g = &p->group[0];
  if (!p->table || p->table_marks || p->prefix != 2 || p->n_groups != 1 || p->product)
    return false; /* two vertices of one group have the terms c c - c */
  const ms_step *step = &p->step[1];
  return g->table && g->with == 1 && g->size == 2 && ms_bitset_is_empty(g->distinct) &&
         step->source == MS_FROM_TOUCHED && !step->test_bits && step->tests.count == 0;
}

/* True if level 1 is a vertex of the table, level 2 is a neighbour of it, and the tail's sizes are
 * looked up at these two. */
static bool is_joined(const ms_program *p, const ms_device_program *to)
{
  bool fits = p->table && p->quick && !p->falling && p->prefix == 3 && p->level_sets[3] == 1 &&
              p->n_groups <= MS_LOCAL_GROUPS && to->value == MS_VALUE_64 &&
              p->index->longest < MS_MOST_JOINED;
  if (!fits || p->step[1].source != MS_FROM_TOUCHED || p->step[2].source != MS_FROM_SET ||
      p->step[1].tests.count > 0 || p->step[2].tests.count > 0)
    return false;
  const ms_set *s = &p->set[p->step[2].set]; /* the only one that is made */
  if (s->parent >= 0 || s->level != 1 || s->at != 1 || s->need > 1)
    return false;
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    bool others = (ms_bitset_word(group->distinct) & 3) != 0;
    if (!group->table || (others && !(group->with == 2 && group->marked)))
      return false;
  }
  return true;
}

/* ---- work units -------------------------------------------------------------------- */

/* Returns the kind of the root's row that holds all candidates of level 1; -1 if they are not
 * from its row. */
static int first_row(const ms_program *p)
{
  if (p->prefix < 2 || p->step[1].source != MS_FROM_SET)
    return -1;
  const ms_set *s = &p->set[p->step[1].set];
  while (s->parent >= 0)
    s = &p->set[s->parent];
  return s->level == 0 ? s->kind : -1;
}

static ms_status divide_work(ms_packed_program *packed, ms_error *err)
{
  const ms_program *p = packed->source;
  const ms_domain *domain = &p->step[0].domain;
  ms_device_program *to = &packed->program;
  int kind = first_row(p);
  to->roots = p->list[0] ? domain->count : domain->hi - domain->lo;
  to->units = to->roots;
  to->unit_kind = MS_UNIT_ROOTS;
  if (p->table || to->local || p->prefix < 2)
    return MS_OK;
  if (kind >= 0) {
    const ms_neighbor_rows *rows = &p->index->rows[kind];
    to->unit_kind = MS_UNIT_ARCS;
    to->unit_rows = (uint16_t)kind;
    if (!p->list[0] && kind < MS_DEVICE_KINDS) {
      to->first_unit = rows->offset[domain->lo];
      to->units = rows->offset[domain->hi] - to->first_unit;
      return MS_OK;
    }
    packed->root_offset = ms_alloc(to->roots + 1, sizeof *packed->root_offset);
    if (!packed->root_offset)
      return ms_fail_memory(err, "the roots of a search");
    packed->root_offset[0] = 0;
    for (uint64_t i = 0; i < to->roots; i++)
      packed->root_offset[i + 1] =
          packed->root_offset[i] +
          ms_row_length(rows, (uint32_t)(p->list[0] ? p->list[0][i] : p->step[0].domain.lo + i));
    to->units = packed->root_offset[to->roots];
  } else if (p->step[1].source == MS_FROM_DOMAIN) {
    const ms_domain *second = &p->step[1].domain;
    to->unit_kind = MS_UNIT_PAIRS;
    to->per_root = p->list[1] ? second->count : second->hi - second->lo;
    to->units = to->roots * to->per_root;
  }
  return MS_OK;
}

/* ---- the packed program ------------------------------------------------------------- */

bool ms_program_has_many_levels(const ms_program *p)
{
  return p->prefix > MS_DEVICE_LEVELS || p->prefix > ms_hooks.gpu_few_levels;
}

bool ms_program_is_large(const ms_program *p)
{
  return ms_program_has_many_levels(p) || p->n_tests > MS_DEVICE_TESTS ||
         p->n_sets > MS_DEVICE_SETS;
}

ms_status ms_packed_program_check(const ms_program *p, ms_error *err)
{
  if (p->inner)
    return ms_fail(err, MS_ERR_USAGE,
                   "the engines on GPUs do not count the vertices of a tail that are adjacent to "
                   "each other");
  if (falling_bits(p) > MS_MOST_BITS)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%u vertices of the pattern have the same neighbours, and the number of choices for "
        "them may be larger than the numbers of the engines on GPUs",
        p->group[0].size);
  return MS_OK;
}

ms_status ms_packed_program_new(const ms_program *p, ms_packed_program *packed, ms_error *err)
{
  memset(packed, 0, sizeof *packed);
  packed->source = p;
  packed->large = ms_program_is_large(p);
  MS_TRY(ms_packed_program_check(p, err));
  ms_device_program *to = &packed->program;
  to->prefix = p->prefix;
  to->n_sets = p->n_sets;
  to->n_groups = p->n_groups;
  to->n_terms = p->n_terms;
  to->value = value_of(p);
  if (packed->large) {
    collect_parts(packed);
    return MS_OK;
  }
  to->product = p->product;
  to->falling = p->falling;
  to->quick = p->quick;
  to->pairs = p->pairs;
  to->table = p->table;
  to->table_marks = p->table_marks;
  to->table_first = p->table_first;
  to->table_second = p->table_second;
  to->table_above = p->table_above;
  to->table_below = p->table_below;
  to->middle_below = p->middle_below;
  to->table_middle = copy_domain(&p->table_middle);
  copy_steps(p, to);
  copy_sets(p, to);
  copy_tail(p, to);
  to->flat = is_flat(p);
  to->squares = is_squares(p);
  to->joined = is_joined(p, to);
  ms_find_local_program(packed);
  ms_status status = divide_work(packed, err);
  if (status == MS_OK)
    collect_parts(packed);
  else
    ms_packed_program_free(packed);
  return status;
}

void ms_packed_program_place(ms_packed_program *packed, const ms_device_index *index,
                             const uint8_t *base)
{
  const ms_program *p = packed->source;
  ms_device_program *to = &packed->program;
  if (packed->large)
    return;
  for (uint32_t i = 0; i < p->prefix; i++) {
    to->step[i].list = ms_staging_place(&packed->list, base, p->list[i]);
    to->step[i].domain.bits = ms_staging_place(&packed->list, base, p->step[i].domain.bits);
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    to->group[g].domain.bits = ms_staging_place(&packed->list, base, p->group[g].domain.bits);
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (s->parent >= 0 && p->set[s->parent].parent < 0)
      to->set[i].bits = ms_staging_place(&packed->list, base, s->bits);
  }
  to->table_middle.bits = ms_staging_place(&packed->list, base, p->table_middle.bits);
  for (uint32_t i = 0; i < to->n_filters; i++)
    to->filter[i].bits = ms_staging_place(&packed->list, base, packed->filter_bits[i]);
  if (to->unit_kind == MS_UNIT_ARCS)
    to->root_offset = packed->root_offset
                          ? ms_staging_place(&packed->list, base, packed->root_offset)
                          : index->rows[to->unit_rows].offset + p->step[0].domain.lo;
}

void ms_packed_program_free(ms_packed_program *packed)
{
  ms_free(packed->root_offset);
  packed->root_offset = NULL;
}

double ms_program_early_reads(const ms_program *p)
{
  const ms_pattern_index *index = p->index;
  double ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 0;
  double share = (double)p->step[p->prefix > 1].domain.count / index->n;
  return p->step[0].domain.count * ends * share * ends;
}
