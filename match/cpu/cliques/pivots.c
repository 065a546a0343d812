/* The leaves of a count of cliques: their table, and the cliques that they stand for.  All paths of
 * instructions call this file. */
#include "match/cpu/cliques/pivots.h"

#include "base/alloc.h"

#include <stdlib.h>

#define FIRST_ROOM 256u

static uint32_t slot_of(const ms_pivots *p, uint32_t held, uint32_t spare, uint32_t pairs)
{
  uint64_t key = ((uint64_t)held * 0x9E3779B1u + spare) * 0x85EBCA77u + pairs;
  uint32_t i = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) & (p->room - 1);
  while (p->leaf[i].count > 0 &&
         (p->leaf[i].held != held || p->leaf[i].spare != spare || p->leaf[i].pairs != pairs))
    i = (i + 1) & (p->room - 1);
  return i;
}

static bool enlarge_table(ms_pivots *p)
{
  ms_pivots larger = *p;
  larger.room = p->room ? 2 * p->room : FIRST_ROOM;
  larger.leaf = ms_calloc(larger.room, sizeof *larger.leaf);
  if (!larger.leaf) {
    p->no_memory = true;
    return false;
  }
  for (uint32_t i = 0; i < p->room; i++) {
    const ms_pivot_leaves *l = &p->leaf[i];
    if (l->count > 0)
      larger.leaf[slot_of(&larger, l->held, l->spare, l->pairs)] = *l;
  }
  ms_free(p->leaf);
  p->leaf = larger.leaf;
  p->room = larger.room;
  return true;
}

bool ms_pivots_add_leaf(ms_pivots *p, uint32_t held, uint32_t spare, uint32_t pairs, uint64_t count)
{
  if (2 * p->leaves >= p->room && !enlarge_table(p))
    return false;
  ms_pivot_leaves *l = &p->leaf[slot_of(p, held, spare, pairs)];
  p->leaves += l->count == 0;
  *l = (ms_pivot_leaves){held, spare, pairs, l->count + count};
  return true;
}

/* Leaves with many pairs first, and among them those with many free vertices. */
static int compare_leaves(const void *a, const void *b)
{
  const ms_pivot_leaves *x = a, *y = b;
  if (x->pairs != y->pairs)
    return x->pairs > y->pairs ? -1 : 1;
  return x->spare > y->spare ? -1 : x->spare < y->spare;
}

/* Multiplies a polynomial by (1 + factor x)^power. */
static void multiply(mpz_t *of, uint32_t most, uint32_t factor, uint32_t power)
{
  for (; power > 0; power--)
    for (uint32_t i = most; i > 0; i--)
      mpz_addmul_ui(of[i], of[i - 1], factor);
}

void ms_pivots_expand(ms_pivot_leaves *leaf, uint32_t count, uint32_t most, mpz_t *sum, mpz_t *same)
{
  if (count > 0)
    qsort(leaf, count, sizeof *leaf, compare_leaves);
  for (uint32_t i = 0; i < count;) {
    uint32_t pairs = leaf[i].pairs, spare = leaf[i].spare;
    for (; i < count && leaf[i].pairs == pairs; i++) {
      multiply(same, most, 1, spare - leaf[i].spare);
      spare = leaf[i].spare;
      if (leaf[i].held <= most)
        mpz_add_ui(same[leaf[i].held], same[leaf[i].held], leaf[i].count);
    }
    multiply(same, most, 1, spare);
    for (uint32_t k = 0; k <= most; k++) {
      mpz_add(sum[k], sum[k], same[k]);
      mpz_set_ui(same[k], 0);
    }
    multiply(sum, most, 2, pairs - (i < count ? leaf[i].pairs : 0));
  }
}
