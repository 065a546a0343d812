#include "match/cpu/inner_words.h"

#include <string.h>

static bool list_levels(ms_bitset levels, ms_word_list *list)
{
  list->count = ms_bitset_count(levels);
  if (list->count > MS_WORD_TESTS)
    return false;
  ms_bitset_list(levels, list->level);
  return true;
}

static bool make_step(const ms_program *p, uint32_t i, ms_word_step *out)
{
  ms_bitset near = ms_shape_near(&p->shape, p->step[i].vertex), back = {{0}};
  for (uint32_t j = 0; j < i; j++)
    if (ms_bitset_has(&near, p->step[j].vertex))
      ms_bitset_add(&back, j);
  return list_levels(back, &out->near) && list_levels(p->step[i].above, &out->above) &&
         list_levels(p->step[i].below, &out->below);
}

/* Paths of a table that turn below the root make the whole group lie below the root. */
static bool make_group(const ms_program *p, const ms_tail_group *g, ms_word_step *out)
{
  ms_bitset near = {{0}}, below = g->below;
  for (uint32_t i = g->tests.first; i < g->tests.first + g->tests.count; i++) {
    if (p->test[i].absent)
      return false;
    ms_bitset_add(&near, p->test[i].level);
  }
  if (p->middle_below)
    ms_bitset_add(&below, 0);
  return list_levels(near, &out->near) && list_levels(g->above, &out->above) &&
         list_levels(below, &out->below);
}

static int64_t ways_of(const ms_program *p, int64_t candidates)
{
  int64_t sum = p->falling ? 1 : 0;
  for (uint32_t i = 0; p->falling && i < p->group[0].size; i++)
    sum *= candidates - i;
  for (uint32_t i = 0; !p->falling && i < p->n_terms; i++) {
    int64_t product = p->term[i].factor;
    for (uint32_t b = 0; b < p->term[i].count; b++)
      product *= candidates;
    sum += product;
  }
  return sum;
}

bool ms_word_program_of(const ms_program *p, ms_word_program *out)
{
  memset(out, 0, sizeof *out);
  if (p->prefix > MS_WORD_LEVELS || p->shape.n > MS_WORD_LEVELS || p->n_groups == 0)
    return false;
  out->prefix = p->prefix;
  out->n_groups = p->n_groups;
  out->n_terms = p->n_terms;
  out->term = p->term;
  for (uint32_t i = 0; i < p->prefix; i++)
    if (!make_step(p, i, &out->step[i]))
      return false;
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (!make_group(p, &p->group[g], &out->group[g]))
      return false;
  for (uint32_t c = 0; p->n_groups == 1 && c <= MS_WORD; c++)
    out->ways[c] = ways_of(p, c);
  return true;
}
