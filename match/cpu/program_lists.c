/* What a program looks up while it runs: the bounds and the order of its sets, and its lists of
 * vertices and levels. */
#include "match/cpu/compiler.h"

#include "base/alloc.h"
#include "base/status.h"

/* ---- bounds of the sets ------------------------------------------------------------ */

static void narrow_set(ms_set *set, ms_bitset above, ms_bitset below)
{
  ms_bitset known = ms_bitset_below(set->at + 1u);
  set->above = ms_bitset_and(set->above, ms_bitset_and(above, known));
  set->below = ms_bitset_and(set->below, ms_bitset_and(below, known));
}

/* Marks the sets of which only the size matters and whose elements need no
 * filter: the elements of the last link are not written. */
static void mark_count_only(ms_program *p)
{
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    if (group->set < 0 || group->table || !group->size_only)
      continue;
    ms_set *s = &p->set[group->set];
    bool filtered = s->bits && s->parent >= 0 && p->set[s->parent].parent < 0;
    s->count_only =
        s->parent >= 0 && !s->subtract && s->uses == 1 && !filtered &&
        ms_bitset_within(ms_bitset_or(group->above, group->below), ms_bitset_below(s->at + 1u));
  }
}

void ms_compile_bounds(ms_program *p)
{
  for (uint32_t i = 0; i < p->prefix; i++)
    if (p->step[i].source == MS_FROM_SET) {
      narrow_set(&p->set[p->step[i].set], p->step[i].above, p->step[i].below);
      p->set[p->step[i].set].uses++;
      p->set[p->step[i].set].need++;
    }
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->group[g].set >= 0 && !p->group[g].table) {
      narrow_set(&p->set[p->group[g].set], p->group[g].above, p->group[g].below);
      p->set[p->group[g].set].uses++;
      /* vertices of a product may be equal */
      p->set[p->group[g].set].need += p->product ? 0 : p->group[g].size;
    }
  for (uint32_t i = p->n_sets; i-- > 0;) {
    ms_set *s = &p->set[i];
    if (s->uses == 0) { /* only a group of the table uses it: it is never computed */
      s->at = UINT8_MAX;
      continue;
    }
    if (s->parent >= 0) {
      narrow_set(&p->set[s->parent], s->above, s->below);
      p->set[s->parent].uses++;
      p->set[s->parent].need += s->need;
    }
    s->need = s->need > 0 ? s->need : 1;
  }
  mark_count_only(p);
}

/* A parent comes first because its number is smaller than those of the sets made from it. */
ms_status ms_compile_order(ms_program *p, ms_error *err)
{
  uint32_t place[MS_MAX_PATTERN]; /* [prefix] of the level's next set */
  p->by_level = ms_alloc(p->n_sets + 1, sizeof *p->by_level);
  if (!p->by_level)
    return ms_fail_memory(err, "a plan");
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at < p->prefix)
      p->level_sets[p->set[i].at + 1]++;
  for (uint32_t level = 0; level < p->prefix; level++) {
    place[level] = p->level_sets[level];
    p->level_sets[level + 1] += p->level_sets[level];
  }
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at < p->prefix)
      p->by_level[place[p->set[i].at]++] = i;
  return MS_OK;
}

/* ---- lists --------------------------------------------------------------------------- */

ms_status ms_compile_domains(ms_program *p, ms_error *err)
{
  for (uint32_t i = 0; i < p->prefix; i++) {
    const ms_domain *domain = &p->step[i].domain;
    if (p->step[i].source != MS_FROM_DOMAIN || !domain->bits || domain->count == 0)
      continue;
    uint32_t *list = p->list[i] = ms_alloc(domain->count, sizeof *list);
    if (!list)
      return ms_fail_memory(err, "the vertices of a domain");
    for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++)
      for (uint64_t left = domain->bits[w]; left; left &= left - 1)
        *list++ = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
    p->step[i].test_bits = false;
  }
  return MS_OK;
}

/* Lists a set of levels in the memory, from *used on; without memory it only counts them. */
static void list_levels(ms_bitset levels, uint8_t *memory, size_t *used, ms_level_list *list)
{
  list->count = ms_bitset_count(levels);
  if (memory) {
    list->level = memory + *used;
    ms_bitset_list(levels, memory + *used);
  }
  *used += list->count;
}

/* Makes all lists of levels at `memory`, and returns their size; without it only counts. */
static size_t list_all_levels(ms_program *p, uint8_t *memory)
{
  size_t used = 0;
  for (uint32_t i = 0; i < p->prefix; i++) {
    ms_step *s = &p->step[i];
    list_levels(s->above, memory, &used, &s->bounds.above);
    list_levels(s->below, memory, &used, &s->bounds.below);
    list_levels(s->distinct, memory, &used, &s->distinct_list);
  }
  for (uint32_t i = 0; i < p->n_sets; i++) {
    ms_set *s = &p->set[i];
    list_levels(s->above, memory, &used, &s->bounds.above);
    list_levels(s->below, memory, &used, &s->bounds.below);
  }
  for (uint32_t g = 0; g < p->n_groups; g++) {
    ms_tail_group *group = &p->group[g];
    list_levels(group->above, memory, &used, &group->bounds.above);
    list_levels(group->below, memory, &used, &group->bounds.below);
    list_levels(group->inside, memory, &used, &group->inside_list);
    list_levels(ms_bitset_minus(group->distinct, group->inside), memory, &used, &group->other_list);
  }
  return used;
}

ms_status ms_program_list_levels(ms_program *p, ms_error *err)
{
  uint8_t *memory = ms_alloc(list_all_levels(p, NULL) + 1, 1);
  if (!memory)
    return ms_fail_memory(err, "a plan");
  ms_free(p->levels);
  p->levels = memory;
  list_all_levels(p, memory);
  return MS_OK;
}
