#include "gpu/match/program.h"

#include "base/alloc.h"
#include "base/status.h"
#include "gpu/match/dfs_local.h"

#include <string.h>

#define ALIGN ((uint64_t)256)
/* of a value under one match: 2^50 of them fit in a sum */
#define MS_MOST_BITS 200u

_Static_assert((int)MS_DEVICE_GROUPS == (int)MS_MAX_TAIL &&
                   (int)MS_DEVICE_TERMS == (int)MS_MAX_TAIL_TERMS &&
                   (int)MS_DEVICE_KINDS == (int)MS_ROW_KINDS,
               "programs and their copies on a GPU have the same shape");

/* ---- parts ------------------------------------------------------------------ */

static void add_part(ms_pattern_pack *pack, const void *from, uint64_t bytes)
{
  for (uint32_t i = 0; i < pack->parts; i++)
    if (!from || pack->part[i].from == from)
      return;
  pack->part[pack->parts++] = (ms_pack_part){.from = from, .bytes = bytes, .at = pack->bytes};
  pack->bytes += (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Where on the device the copy of `from` is. */
static const void *place_of(const ms_pattern_pack *pack, const uint8_t *base, const void *from)
{
  for (uint32_t i = 0; from && i < pack->parts; i++)
    if (pack->part[i].from == from)
      return base + pack->part[i].at;
  return NULL;
}

static void collect_parts(ms_pattern_pack *pack)
{
  const ms_program *p = pack->of;
  uint64_t words = ((uint64_t)p->index->n + 63) / 64, bytes = words * sizeof(uint64_t);
  add_part(pack, &pack->program, sizeof pack->program);
  for (uint32_t i = 0; i < p->prefix; i++) {
    add_part(pack, p->list[i], p->step[i].domain.count * sizeof *p->list[i]);
    add_part(pack, p->step[i].domain.bits, bytes);
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    add_part(pack, p->group[g].domain.bits, bytes);
  for (uint32_t i = 0; i < p->n_sets; i++)
    add_part(pack, p->set[i].bits, bytes);
  add_part(pack, p->table_middle.bits, bytes);
  add_part(pack, pack->root_offset, (pack->program.roots + 1) * sizeof *pack->root_offset);
}

/* ---- the parts of a program ---------------------------------------------------- */

static ms_device_domain copy_domain(const ms_domain *d)
{
  return (ms_device_domain){.lo = d->lo, .hi = d->hi, .count = d->count};
}

/* Masks of levels fit in 32 bits: there are no more levels. */
static void copy_steps(const ms_program *p, ms_device_program *to)
{
  static const uint8_t source[] = {[MS_FROM_DOMAIN] = MS_DEVICE_FROM_DOMAIN,
                                   [MS_FROM_SET] = MS_DEVICE_FROM_SET,
                                   [MS_FROM_TOUCHED] = MS_DEVICE_FROM_TOUCHED};
  for (uint32_t i = 0; i < p->prefix; i++) {
    const ms_step *s = &p->step[i];
    to->step[i] = (ms_device_step){.domain = copy_domain(&s->domain),
                                   .above = (uint32_t)s->above,
                                   .below = (uint32_t)s->below,
                                   .distinct = (uint32_t)s->distinct,
                                   .set = (int16_t)s->set,
                                   .source = source[s->source],
                                   .test_bits = s->test_bits};
    for (int kind = 0; kind < MS_ROW_KINDS; kind++)
      to->step[i].not_in[kind] = (uint32_t)s->not [kind];
  }
}

static void copy_sets(const ms_program *p, ms_device_program *to)
{
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    bool stored = s->parent >= 0 && !s->count_only && s->at != UINT8_MAX;
    to->set[i] = (ms_device_set){.above = (uint32_t)s->above,
                                 .below = (uint32_t)s->below,
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
                               .above = (uint32_t)from->above,
                               .below = (uint32_t)from->below,
                               .distinct = (uint32_t)from->distinct,
                               .inside = (uint32_t)from->inside,
                               .set = (int16_t)from->set,
                               .size_only = from->size_only,
                               .table = from->table,
                               .with = from->with,
                               .test_bits = from->test_bits};
    for (int kind = 0; kind < MS_ROW_KINDS; kind++) {
      group->back[kind] = (uint32_t)from->back[kind];
      group->not_in[kind] = (uint32_t)from->not [kind];
    }
  }
  for (uint32_t i = 0; i < p->n_terms; i++) {
    to->term[i].factor = p->term[i].factor;
    to->term[i].count = p->term[i].count;
    memcpy(to->term[i].mask, p->term[i].mask, sizeof to->term[i].mask);
  }
}

/* ---- what it is good for --------------------------------------------------------- */

static uint32_t bits_of(uint64_t x)
{
  return x ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

/* c (c-1) .. (c-size+1) <= 2^bits */
static uint32_t falling_bits(const ms_program *p)
{
  return p->falling ? p->group[0].size * bits_of(p->index->n) : 0;
}

/* |sum of terms| < 2^(most bits of a term + bits of their number); one bit is
 * the sign's. */
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

/* The tail is one vertex, its set the last match's row met with a set that was
 * there before, no matched vertex is in it, and all candidates of the last
 * level fit. */
static bool is_flat(const ms_program *p)
{
  const ms_tail_group *g = &p->group[0];
  uint32_t last = p->prefix - 1;
  if (p->n_groups != 1 || g->size != 1 || !g->size_only || g->table || g->set < 0 || g->distinct ||
      p->n_terms != 1 || p->term[0].count != 1 || p->prefix < 2)
    return false;
  const ms_set *s = &p->set[g->set];
  const ms_step *step = &p->step[last];
  bool all_fit = step->source == MS_FROM_SET && !step->test_bits && !step->distinct;
  return all_fit && s->count_only && s->at == last && s->level == last &&
         p->set[s->parent].at < last && p->level_sets[last + 1] - p->level_sets[last] == 1;
}

/* The kind of row that all candidates of level 1 are in, of the root; -1: they
 * are not from its row. */
static int first_row(const ms_program *p)
{
  if (p->prefix < 2 || p->step[1].source != MS_FROM_SET)
    return -1;
  const ms_set *s = &p->set[p->step[1].set];
  while (s->parent >= 0)
    s = &p->set[s->parent];
  return s->level == 0 ? s->kind : -1;
}

static uint64_t root_at(const ms_program *p, uint64_t i)
{
  return p->list[0] ? p->list[0][i] : p->step[0].domain.lo + i;
}

static ms_status divide_work(ms_pattern_pack *pack, ms_error *err)
{
  const ms_program *p = pack->of;
  const ms_domain *domain = &p->step[0].domain;
  ms_device_program *to = &pack->program;
  int kind = first_row(p);
  to->roots = p->list[0] ? domain->count : domain->hi - domain->lo;
  to->units = to->roots;
  to->unit_kind = MS_UNIT_ROOTS;
  if (p->table || to->local || p->prefix < 2)
    return MS_OK;
  if (kind >= 0) {
    const ms_neighbor_rows *rows = &p->index->rows[kind];
    to->unit_kind = MS_UNIT_ARCS;
    to->unit_rows = (uint8_t)kind;
    if (!p->list[0]) {
      to->first_unit = rows->offset[domain->lo];
      to->units = rows->offset[domain->hi] - to->first_unit;
      return MS_OK;
    }
    pack->root_offset = ms_alloc(to->roots + 1, sizeof *pack->root_offset);
    if (!pack->root_offset)
      return ms_fail_memory(err, "the roots of a search");
    pack->root_offset[0] = 0;
    for (uint64_t i = 0; i < to->roots; i++)
      pack->root_offset[i + 1] =
          pack->root_offset[i] + ms_row_length(rows, (uint32_t)root_at(p, i));
    to->units = pack->root_offset[to->roots];
  } else if (p->step[1].source == MS_FROM_DOMAIN) {
    const ms_domain *second = &p->step[1].domain;
    to->unit_kind = MS_UNIT_PAIRS;
    to->per_root = p->list[1] ? second->count : second->hi - second->lo;
    to->units = to->roots * to->per_root;
  }
  return MS_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

ms_status ms_pattern_pack_check(const ms_program *p, ms_error *err)
{
  if (p->shape.n > MS_DEVICE_LEVELS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the pattern has %u vertices, and the GPU engines take %d; use the CPU engine",
                   p->shape.n, MS_DEVICE_LEVELS);
  if (p->n_sets > MS_DEVICE_SETS)
    return ms_fail(
        err, MS_ERR_USAGE,
        "the pattern has %u candidate sets, and the GPU engines take %d; use the CPU engine",
        p->n_sets, MS_DEVICE_SETS);
  if (falling_bits(p) > MS_MOST_BITS)
    return ms_fail(err, MS_ERR_USAGE,
                   "one vertex of the pattern has %u neighbours of its own: the GPU engines do not "
                   "count as far as that; use the CPU engine",
                   p->group[0].size);
  return MS_OK;
}

ms_status ms_pattern_pack_new(const ms_program *p, ms_pattern_pack *pack, ms_error *err)
{
  memset(pack, 0, sizeof *pack);
  pack->of = p;
  MS_TRY(ms_pattern_pack_check(p, err));
  ms_device_program *to = &pack->program;
  to->prefix = p->prefix;
  to->n_sets = p->n_sets;
  to->n_groups = p->n_groups;
  to->n_terms = p->n_terms;
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
  to->value = value_of(p);
  to->flat = is_flat(p);
  ms_pattern_local(p, pack);
  ms_status status = divide_work(pack, err);
  if (status == MS_OK)
    collect_parts(pack);
  else
    ms_pattern_pack_free(pack);
  return status;
}

void ms_pattern_pack_place(ms_pattern_pack *pack, const ms_device_index *index, const uint8_t *base)
{
  const ms_program *p = pack->of;
  ms_device_program *to = &pack->program;
  for (uint32_t i = 0; i < p->prefix; i++) {
    to->step[i].list = place_of(pack, base, p->list[i]);
    to->step[i].domain.bits = place_of(pack, base, p->step[i].domain.bits);
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    to->group[g].domain.bits = place_of(pack, base, p->group[g].domain.bits);
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (s->parent >= 0 && p->set[s->parent].parent < 0)
      to->set[i].bits = place_of(pack, base, s->bits);
  }
  to->table_middle.bits = place_of(pack, base, p->table_middle.bits);
  for (uint32_t i = 0; i < to->n_filters; i++)
    to->filter[i].bits = place_of(pack, base, pack->filter_bits[i]);
  if (to->unit_kind == MS_UNIT_ARCS)
    to->root_offset = pack->root_offset ? place_of(pack, base, pack->root_offset)
                                        : index->rows[to->unit_rows].offset + p->step[0].domain.lo;
}

void ms_pattern_pack_free(ms_pattern_pack *pack)
{
  ms_free(pack->root_offset);
  pack->root_offset = NULL;
}
