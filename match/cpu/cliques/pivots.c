/* The table of leaves of a count of cliques.  All paths of instructions call this file. */
#include "match/cpu/cliques/pivots.h"

#include "base/alloc.h"

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
