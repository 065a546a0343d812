#include "match/cpu/tail.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

typedef struct partition {
  ms_program *program;
  uint8_t group_of[MS_MAX_TAIL]; /* [r] group of each tail vertex */
  uint32_t r;
  uint8_t block[MS_MAX_TAIL];     /* mask of the groups in the block */
  uint32_t in_block[MS_MAX_TAIL]; /* number of vertices in the block */
  bool full;
} partition;

/* True if the candidates of these groups can have a vertex in common. */
static bool can_meet(const ms_program *p, uint8_t mask)
{
  for (uint32_t g = 0; g < p->n_groups; g++)
    for (uint32_t h = g + 1; h < p->n_groups; h++)
      if ((mask >> g & 1) && (mask >> h & 1) &&
          !ms_domain_meets(&p->group[g].domain, &p->group[h].domain))
        return false;
  return true;
}

static bool has_test(const ms_program *p, ms_row_tests tests, const ms_row_test *test)
{
  for (uint32_t i = tests.first; i < tests.first + tests.count; i++)
    if (p->test[i].level == test->level && p->test[i].kind == test->kind &&
        p->test[i].absent == test->absent)
      return true;
  return false;
}

/* True if every candidate of group g is one of group h, whatever is matched. */
static bool is_within(const ms_program *p, const ms_tail_group *g, const ms_tail_group *h)
{
  bool within = g->domain.lo >= h->domain.lo && g->domain.hi <= h->domain.hi &&
                (!h->domain.bits || h->domain.bits == g->domain.bits) &&
                ms_bitset_equal(g->above, h->above) && ms_bitset_equal(g->below, h->below);
  for (uint32_t i = h->tests.first; within && i < h->tests.first + h->tests.count; i++)
    within = has_test(p, g->tests, &p->test[i]);
  return within;
}

/* Leaves out the groups that contain another one of the mask, which change no intersection. */
static uint8_t smallest_groups(const ms_program *p, uint8_t mask)
{
  for (uint32_t h = 0; h < p->n_groups; h++)
    for (uint32_t g = 0; g < p->n_groups && (mask >> h & 1); g++)
      if (g != h && (mask >> g & 1) && is_within(p, &p->group[g], &p->group[h]))
        mask &= (uint8_t) ~(1u << h);
  return mask;
}

static int compare_masks(const void *a, const void *b)
{
  return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Adds the term of a complete partition; terms with the same blocks are
 * merged. */
static void add_term(partition *t, uint32_t blocks)
{
  ms_program *p = t->program;
  ms_tail_term term = {.factor = 1, .count = (uint8_t)blocks};
  for (uint32_t b = 0; b < blocks; b++) {
    if (!can_meet(p, t->block[b]))
      return;
    for (uint32_t i = 1; i < t->in_block[b]; i++)
      term.factor *= -(int64_t)i;
    term.mask[b] = smallest_groups(p, t->block[b]);
  }
  qsort(term.mask, blocks, sizeof *term.mask, compare_masks);
  for (uint32_t i = 0; i < p->n_terms; i++)
    if (p->term[i].count == term.count &&
        memcmp(p->term[i].mask, term.mask, sizeof term.mask) == 0) {
      p->term[i].factor += term.factor;
      return;
    }
  t->full = t->full || p->n_terms == MS_MAX_TAIL_TERMS;
  if (!t->full)
    p->term[p->n_terms++] = term;
}

/* Adds every partition of the vertices i, i + 1, ... into the existing blocks
 * and new ones. */
static void add_partitions(partition *t, uint32_t i, uint32_t blocks)
{
  if (i == t->r) {
    add_term(t, blocks);
    return;
  }
  uint8_t bit = (uint8_t)(1u << t->group_of[i]);
  for (uint32_t b = 0; b < blocks; b++) {
    uint8_t before = t->block[b];
    t->block[b] |= bit;
    t->in_block[b]++;
    add_partitions(t, i + 1, blocks);
    t->in_block[b]--;
    t->block[b] = before;
  }
  t->block[blocks] = bit;
  t->in_block[blocks] = 1;
  add_partitions(t, i + 1, blocks + 1);
}

/* Drops terms that others have cancelled. */
static void drop_zeros(ms_program *p)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->n_terms; i++)
    if (p->term[i].factor != 0)
      p->term[kept++] = p->term[i];
  p->n_terms = kept;
}

/* Marks the groups of which only the size is needed, because no term intersects
 * their sets with others. */
static void mark_size_only(ms_program *p)
{
  for (uint32_t g = 0; g < p->n_groups; g++) {
    p->group[g].size_only = true;
    for (uint32_t i = 0; i < p->n_terms; i++)
      for (uint32_t b = 0; b < p->term[i].count; b++) {
        uint8_t mask = p->term[i].mask[b];
        if ((mask >> g & 1) && (mask & (mask - 1)))
          p->group[g].size_only = false;
      }
  }
}

ms_status ms_tail_compile(ms_program *p, bool product, ms_error *err)
{
  partition t = {.program = p};
  p->n_terms = 0;
  p->product = product;
  p->falling = p->n_groups == 1 && p->group[0].size > MS_MAX_TAIL && !product;
  if (p->falling) {
    p->group[0].size_only = true;
    return MS_OK;
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    for (uint32_t i = 0; i < p->group[g].size; i++)
      t.group_of[t.r++] = (uint8_t)g;
  if (product) {
    ms_tail_term *term = &p->term[p->n_terms++];
    *term = (ms_tail_term){.factor = 1, .count = (uint8_t)t.r};
    for (uint32_t i = 0; i < t.r; i++)
      term->mask[i] = (uint8_t)(1u << t.group_of[i]);
  } else {
    add_partitions(&t, 0, 0);
    drop_zeros(p);
  }
  mark_size_only(p);
  return t.full ? ms_fail(err, MS_ERR_LIMIT, "too many terms of a tail") : MS_OK;
}
